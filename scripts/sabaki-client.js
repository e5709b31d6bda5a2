#!/usr/bin/env node
// Drives moku through @sabaki/gtp, the code that Sabaki itself talks to engines with: start-up burst, syncs, undo,
// handicap, streaming analysis and its stop, genmove_analyze, quit.
//
//   NODE_PATH=.../node_modules node scripts/sabaki-client.js target/release/moku

'use strict'
const assert = require('assert')
const {ControllerStateTracker} = require('@sabaki/gtp')

const moku = process.argv[2] || 'target/release/moku'
const seconds = n => new Promise(resolve => setTimeout(resolve, 1000 * n))

/** An engine as Sabaki starts one: four commands and the user's own in one burst. */
async function start(args, initial = []) {
  const tracker = ControllerStateTracker.fromController(moku, args)
  const engine = tracker.controller
  engine.noise = []
  engine.on('stderr', ({content}) => engine.noise.push(content))
  engine.start()
  const names = ['name', 'version', 'protocol_version', 'list_commands']
  const commands = [...names.map(name => ({name})), ...initial]
  const replies = await Promise.all(commands.map(command => engine.sendCommand(command)))
  replies.forEach((reply, i) => assert(!reply.error, `${commands[i].name}: ${reply.content}`))
  assert.deepStrictEqual([replies[0].content, replies[2].content], ['moku', '2'])
  const known = replies[3].content.split('\n').map(line => line.trim())
  // Of the words that Sabaki looks for it must find these, and not those whose numbers it misreads.
  for (const name of ['undo', 'set_free_handicap', 'kata-analyze', 'kata-genmove_analyze', 'lz-analyze']) {
    assert(known.includes(name), `${name} is not listed`)
  }
  assert(!known.includes('analyze') && !known.includes('genmove_analyze'))
  return tracker
}

/** The strictest reader of a line: pairs of words, pv last, win rates as the dialect has them. */
function parse(line, dialect, size) {
  const vertex = /^(pass|[A-HJ-Z][1-9][0-9]?)$/
  return line.split(/\s*info\s+/).slice(1).map((segment, order) => {
    const words = segment.trim().split(/\s+/)
    const at = words.indexOf('pv')
    assert(at > 0 && at % 2 === 0, `pairs, then pv: ${segment}`)
    const info = {pv: words.slice(at + 1)}
    for (let i = 0; i < at; i += 2) info[words[i]] = words[i + 1]
    assert(info.pv.length > 0 && info.pv.every(word => vertex.test(word)), segment)
    assert.strictEqual(info.pv[0], info.move)
    assert.strictEqual(+info.order, order)
    assert(/^[0-9]+$/.test(info.visits))
    const isFloat = dialect === 'kata'
    for (const key of ['winrate', 'prior', 'lcb']) {
      assert.strictEqual(info[key].includes('.'), isFloat, `${key} ${info[key]}`)
      assert(+info[key] >= 0 && +info[key] <= (isFloat ? 1 : 10000), `${key} ${info[key]}`)
    }
    return info
  })
}

const plays = (...moves) => moves.map(([color, vertex]) => ({name: 'play', args: [color, vertex]}))

/** Analyses until so many lines came, and a while longer, then stops as Sabaki does: by protocol_version. */
async function analyze(engine, dialect, args, enough) {
  const lines = []
  const began = Date.now()
  let first = null
  const done = engine.sendCommand({name: `${dialect}-analyze`, args}, ({line}) => {
    if (!line.startsWith('info')) return
    if (first === null) first = Date.now() - began
    lines.push(parse(line, dialect))
  })
  // However busy the machine is, the lines come within a minute.
  for (let i = 0; i < 600 && lines.length < enough; i++) await seconds(0.1)
  await seconds(0.2)
  assert(engine.busy, 'the stream is open')
  const asked = Date.now()
  const stop = await engine.sendCommand({name: 'protocol_version'})
  const response = await done
  assert(!response.error && stop.content === '2', 'the stop is answered after the stream')
  return {lines, first, stopped: Date.now() - asked}
}

async function genmove(engine, dialect, args) {
  let last = null
  let vertex = null
  const response = await engine.sendCommand({name: `${dialect}-genmove_analyze`, args}, ({line}) => {
    if (line.startsWith('info')) last = parse(line, dialect)
    const match = line.trim().match(/^play\s+(.*)$/)
    if (match) vertex = match[1]
  })
  assert(!response.error && last !== null && vertex !== null, response.content)
  return {vertex, last}
}

async function go() {
  const initial = [{name: 'engine', args: ['moku', 'time=0.4']}, {name: 'time_settings', args: ['0', '5', '1']}]
  const tracker = await start(['--threads', '2'], initial)
  const engine = tracker.controller
  const state = history => ({komi: 6.5, boardsize: [9, 9], history})
  const game = plays(['B', 'E5'], ['W', 'C3'], ['B', 'G3'], ['W', 'E3'], ['B', 'C5'])

  await tracker.sync(state(game))
  const {lines, first, stopped} = await analyze(engine, 'kata', ['W', '10'], 10)
  console.log(`analysis: first line after ${first} ms, ${lines.length} lines, stopped in ${stopped} ms`)
  assert(lines.length >= 10)
  const visits = lines.map(infos => infos.reduce((sum, info) => sum + +info.visits, 0))
  assert(visits.every((n, i) => i === 0 || n >= visits[i - 1]) && visits.at(-1) > 100, `${visits}`)
  assert(lines.at(-1)[0].scoreLead.match(/^-?[0-9]+\.[0-9]+$/))

  // Two moves back and another way on, in one burst; then back to the main line.
  await tracker.sync(state([...game.slice(0, 3), ...plays(['W', 'G5'])]))
  await analyze(engine, 'lz', ['B', '5'], 1)
  await tracker.sync(state(game))

  // The engine plays; its move is part of the game that Sabaki believes in.
  for (const color of ['W', 'B', 'W']) {
    const {vertex} = await genmove(engine, 'kata', [color, '50'])
    assert.deepStrictEqual(tracker.state.history.at(-1), {name: 'play', args: [color, vertex.toUpperCase()]})
  }
  const sgf = await engine.sendCommand({name: 'printsgf'})
  assert.strictEqual((sgf.content.match(/;[BW]\[/g) || []).length, game.length + 3)
  await tracker.sync(state(game.slice(0, 4)))

  // A handicap game on another board, and an edited position, column by column.
  const handicap = [{name: 'set_free_handicap', args: ['D4', 'K10', 'D10']}, ...plays(['W', 'K4'])]
  await tracker.sync({komi: 0.5, boardsize: [13, 13], history: handicap})
  const {last} = await genmove(engine, 'lz', ['B', '50'])
  assert(+last[0].winrate > 5000, 'three stones are worth something')
  const edited = plays(['B', 'A1'], ['B', 'A2'], ['W', 'B1'], ['W', 'B2'], ['W', 'A3'], ['B', 'C3'])
  await tracker.sync({komi: 0.5, boardsize: [9, 9], history: edited})
  const board = await engine.sendCommand({name: 'showboard'})
  assert(board.content.includes('White (O) has taken 2'), board.content)

  // A board that moku has not is refused, and the game goes on.
  await assert.rejects(tracker.sync({boardsize: [19, 13], history: []}))
  // A finished game: the stream is open and silent.
  await tracker.sync(state([...game, ...plays(['W', 'pass'], ['B', 'pass'])]))
  assert.strictEqual((await analyze(engine, 'kata', ['W', '5'], 0)).lines.length, 0)

  const began = Date.now()
  await engine.stop()
  const took = Date.now() - began
  assert(took < 3000, `Sabaki kills an engine that takes 3 s to quit; moku took ${took} ms`)
  assert.deepStrictEqual(engine.noise, [], 'nothing on standard error')
}

async function gobang() {
  const tracker = await start(['--game', 'gobang', '--threads', '2', '--engine', 'gobang time=0.3'])
  const engine = tracker.controller
  await tracker.sync({komi: 6.5, boardsize: [15, 15], history: plays(['B', 'H8'], ['W', 'G7'])})
  const {lines} = await analyze(engine, 'kata', ['B', '10'], 1)
  assert(lines.length > 0 && lines.every(infos => infos.every(info => !('scoreLead' in info))))
  await genmove(engine, 'kata', ['B', '50'])
  await engine.stop()
}

async function main() {
  await go()
  await gobang()
  console.log('Sabaki is content')
}

main().catch(error => {
  console.error(error)
  process.exit(1)
})
