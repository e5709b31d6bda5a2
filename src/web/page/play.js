// Playing: the board, the buttons, the clock, games from and to files.

import { $, $$, download, el, kept, percent, readFiles, say, toast } from "/dom.js";
import { ask, on, tryAsk } from "/wire.js";
import { Board } from "/board.js";
import { Graph } from "/graph.js";

export let state = null;
/** Set by the part that shows searches. */
export const hooks = { hover: () => {}, changed: () => {}, describe: () => "" };
export let board, graph;

const NAMES = { B: "Black", W: "White" };
const game = command => tryAsk("game", command);

/** `B+3.5` in words. */
export function resultWords(result) {
  if (result === "0") return "The game is a draw";
  const [winner, how] = [NAMES[result[0]], result.slice(2)];
  if (!winner || result[1] !== "+") return `Result: ${result}`;
  const ways = { R: "by resignation", Resign: "by resignation", T: "on time", Time: "on time", F: "by forfeit", "": state?.game === "gobang" ? "with five in a row" : "" };
  return `${winner} wins ${ways[how] ?? `by ${how} points`}`.trim();
}

const isByHand = color => state.you === "both" || state.you === (color === "B" ? "black" : "white");
const isAtEnd = () => state.at === state.moves.length;
/** May a stone be put on the board now? */
const mayPlay = () => !isAtEnd() || (state.phase === "playing" && isByHand(state.turn));

function words() {
  if (!isAtEnd()) return `After move ${state.at} of ${state.moves.length}`;
  if (state.phase === "over") return resultWords(state.result);
  if (state.phase === "counting") return `${resultWords(state.score).replace(" wins", "")}? Click dead stones`;
  if (state.thinks) return "moku is thinking…";
  const last = state.moves.at(-1);
  const passed = last?.[1] === "pass" ? `${NAMES[last[0]]} passed. ` : "";
  return `${passed}${state.you === "both" ? `${NAMES[state.turn]} to play` : `Your turn, ${NAMES[state.turn]}`}`;
}

/** Below the words: what the score will be, or why the count may be too early. */
function estimated() {
  if (state.phase === "counting") {
    if (!isAtEnd() || !state.nobodys) return "";
    return `${state.nobodys === 1 ? "One point is" : `${state.nobodys} points are`} nobody's yet. Not finished? Play on.`;
  }
  if (!state.score) return "";
  return `Estimate: ${state.score === "0" ? "even" : resultWords(state.score).replace(" wins by", " by about").replace(" points", "")} if played on`;
}

function at(vertex) {
  const column = "ABCDEFGHJKLMNOPQRSTUVWXYZ".indexOf(vertex[0]), row = +vertex.slice(1);
  return state.stones[(state.size - row) * state.size + column];
}

function describe(vertex) {
  const last = state.moves[state.at - 1]?.[1] === vertex ? ", last move" : "";
  return `${vertex}, ${{ b: "black stone", w: "white stone", ".": "empty" }[at(vertex)]}${last}${hooks.describe(vertex)}`;
}

function click(vertex) {
  if (state.phase === "counting" && isAtEnd()) game({ do: "dead", at: vertex });
  else if (mayPlay()) game({ do: "play", at: vertex });
  else toast(state.phase === "over" ? "The game is over: take moves back, or start a new one." : "It is moku's turn.");
}

function go(to) {
  if (!state) return;
  const target = { first: 0, back: state.at - 1, on: state.at + 1, last: state.moves.length }[to] ?? to;
  if (target >= 0 && target <= state.moves.length && target !== state.at) game({ do: "go", at: target });
}

async function save() {
  const answer = await game({ do: "save" });
  if (answer) download(`moku-${new Date().toISOString().slice(0, 16).replace(/[T:]/g, "-")}.sgf`, answer.sgf, "application/x-go-sgf");
}

export async function load(files) {
  try {
    const [file] = await readFiles([...files].slice(0, 1));
    if (file) await ask("game", { do: "load", sgf: file[1] });
  } catch (e) {
    toast(e.message);
  }
}

async function hint() {
  const answer = await game({ do: "hint" });
  if (answer) toast(`moku would play ${answer.at} (${percent(answer.rate)}), expecting ${answer.line}`);
}

/** A game is not given up by a slip: the button is pressed twice. */
let resigning = 0;
function resign() {
  const button = $("#resign"), ask = words => (button.textContent = words);
  clearTimeout(resigning);
  if (button.textContent === "Resign") {
    resigning = setTimeout(ask, 4000, "Resign");
    ask("Really?");
  } else {
    ask("Resign");
    game({ do: "resign" });
  }
}

const estimate = () => game({ do: "overlay", name: state.overlay === "ownership" ? "" : "ownership" });

// ---- what is shown

function changed(news) {
  const before = state;
  state = news;
  board.draw(state.svg);
  board.box.classList.toggle("still", !mayPlay() && state.phase !== "counting");
  board.box.setAttribute("aria-label", `${state.game === "go" ? "Go" : "Gobang"} board, ${state.size} by ${state.size}`);
  const shown = words();
  if ($("#words").textContent !== shown) $("#words").textContent = shown;
  $("#estimated").textContent = estimated();
  $("#move-number").textContent = `Move ${state.at}${isAtEnd() ? "" : ` of ${state.moves.length}`}`;
  const playing = state.phase === "playing" && isAtEnd(), counting = state.phase === "counting" && isAtEnd();
  $("#pass").disabled = !mayPlay();
  $("#pass").hidden = state.game === "gobang" || counting;
  $("#hint").hidden = $("#resign").hidden = counting;
  $("#undo").disabled = state.at === 0;
  $("#hint").disabled = !mayPlay();
  $("#resign").disabled = state.phase !== "playing" || state.you === "nobody";
  $("#now").hidden = !state.thinks;
  $("#accept").hidden = $("#play-on").hidden = !counting;
  $("#new").classList.toggle("main", !counting);
  $("#return").hidden = !state.former;
  $("#estimate").hidden = state.game !== "go" || counting;
  // Few buttons stand in two columns, so that none is left alone in its row.
  const buttons = $("#new").parentElement;
  buttons.classList.toggle("halves", $$("button", buttons).filter(button => !button.hidden).length % 3 !== 0);
  $("#estimate").setAttribute("aria-pressed", state.overlay === "ownership");
  $("#caption").textContent = state.caption.slice(1).join(". ");
  players();
  graph.draw(state.rates, state.at);
  rateless();
  hooks.changed(before);
  announce(before);
  if (playing && before && state.moves.length > before.moves.length) knock();
}

function announce(before) {
  if (!before) return;
  const last = state.moves.at(-1);
  if (state.moves.length > before.moves.length && last && isAtEnd()) {
    say(`${NAMES[last[0]]} ${last[1] === "pass" ? "passes" : last[1]}. ${words()}`);
  }
}

/** A game that nobody has searched yet has no win rates: says how to get them. */
function rateless() {
  const none = state.rates.every(rate => rate == null);
  $("#rateless").hidden = !none;
  $("#rateless-words").textContent = state.moves.length ? "Nothing has been searched yet." : "Shown as soon as moku has thought about a position.";
  $("#rateless-review").hidden = !state.moves.length;
}

function players() {
  const { preset, parameters } = state.engine, level = parameters.find(p => p.name === "level")?.value;
  const moku = ["moku", ...(["moku", "gobang"].includes(preset) ? [] : [preset]), ...(+level ? [`level ${level}`] : [])].join(", ");
  $$(".player").forEach((box, i) => {
    const color = box.dataset.color;
    $(".name", box).textContent = isByHand(color) ? (state.you === "both" ? NAMES[color] : "You") : moku;
    const stones = state.captures[i];
    $(".prisoners", box).textContent = state.game === "go" && stones ? `${stones} prisoner${stones > 1 ? "s" : ""}` : "";
    box.classList.toggle("turn", state.phase === "playing" && state.turn === color);
  });
  clockBase = performance.now();
  clock();
}

let clockBase = 0;
function clock() {
  const clock = state?.clock;
  $$(".player").forEach((box, i) => {
    const shown = $(".time", box);
    if (!clock) return (shown.textContent = "");
    let { seconds, periods } = clock.left[i];
    // What is left beyond the time shown: periods that have not begun.
    const later = clock.period * (periods ? periods - 1 : clock.periods);
    if (clock.runs === box.dataset.color) seconds -= clock.used + (performance.now() - clockBase) / 1000;
    if (seconds <= 0 && seconds + later > 0) {
      periods = Math.ceil((seconds + later) / clock.period);
      seconds += later - (periods - 1) * clock.period;
    }
    const total = Math.max(0, Math.ceil(seconds));
    shown.textContent = `${Math.floor(total / 60)}:${`${total % 60}`.padStart(2, "0")}${periods ? ` × ${periods}` : ""}`;
    shown.classList.toggle("short", total <= 10);
  });
}

let sound = null;
/** A stone on wood. */
function knock() {
  if (!$("#sound").checked) return;
  sound ??= new AudioContext();
  const now = sound.currentTime, tone = sound.createOscillator(), loud = sound.createGain();
  tone.frequency.setValueAtTime(900, now);
  tone.frequency.exponentialRampToValueAtTime(180, now + 0.05);
  loud.gain.setValueAtTime(0.25, now);
  loud.gain.exponentialRampToValueAtTime(0.001, now + 0.09);
  tone.connect(loud).connect(sound.destination);
  tone.start(now);
  tone.stop(now + 0.1);
}

// ---- a new game

const SIZES = { go: [9, 13, 19], gobang: [15, 20] };

function fitForm() {
  const form = $("#new-form").elements, isGo = form.game.value === "go";
  const wanted = +form.size.value;
  const sizes = SIZES[form.game.value];
  const all = sizes.includes(wanted) || !wanted || form.size.dataset.game !== form.game.value ? sizes : [...sizes, wanted];
  form.size.dataset.game = form.game.value;
  form.size.replaceChildren(...all.map(n => el("option", { value: n }, `${n} × ${n}`)));
  form.size.value = all.includes(wanted) ? wanted : all[0];
  $$(".for-go").forEach(label => (label.hidden = !isGo));
  $$(".for-gobang").forEach(label => (label.hidden = isGo));
  for (const kind of ["level", "seconds", "engine"]) {
    $$(`.by-${kind}`).forEach(label => {
      label.hidden = form.effort.value !== kind;
      $("input, select", label).disabled = label.hidden;
    });
  }
}

function wish() {
  const form = $("#new-form").elements, isGo = form.game.value === "go", effort = form.effort.value;
  const [main, period, periods] = form.clock.value.split(",").map(Number);
  return {
    game: form.game.value, size: +form.size.value, you: form.you.value,
    handicap: isGo ? +form.handicap.value : 0,
    ...(isGo ? { komi: +form.komi.value, ...(form.rules.value && { rules: form.rules.value }) } : { rule: form.rule.value }),
    ...(effort === "level" && { level: +form.level.value }),
    ...(effort === "seconds" && { seconds: +form.seconds.value }),
    ...(effort === "engine" && { engine: form.engine.value }),
    ...(form.clock.value && { clock: { main, period, periods } }),
  };
}

function openForm() {
  const form = $("#new-form");
  $(".error", form).textContent = "";
  fitForm();
  $("#new-game").showModal();
}

async function startGame(event) {
  if (event.submitter?.value !== "start") return;
  event.preventDefault();
  const form = $("#new-form");
  try {
    await ask("game", { do: "new", ...wish() });
    kept.set("wish", Object.fromEntries(new FormData(form)));
    $("#new-game").close();
    board.box.focus({ preventScroll: true });
  } catch (e) {
    $(".error", form).textContent = e.message;
  }
}

function prepareForm() {
  const form = $("#new-form"), fields = form.elements;
  fields.level.append(...[1, 2, 3, 4, 5, 6, 7, 8, 9, 10].map(n => el("option", { value: n }, `${n}${{ 1: ", gentle", 10: ", strong" }[n] ?? ""}`)));
  fields.handicap.append(el("option", { value: 0 }, "none"), ...[2, 3, 4, 5, 6, 7, 8, 9].map(n => el("option", { value: n }, `${n} stones`)));
  fields.level.value = 5;
  fitForm();
  for (const [name, value] of Object.entries(kept.get("wish", {}))) {
    if (fields[name]) fields[name].value = value;
    if (name === "game") fitForm();
  }
  const usualKomi = () => (fields.komi.value = +fields.handicap.value ? 0.5 : fields.rules.value === "japanese" ? 6.5 : 7.5);
  fields.handicap.addEventListener("change", usualKomi);
  fields.rules.addEventListener("change", usualKomi);
  fields.game.addEventListener("change", fitForm);
  fields.effort.addEventListener("change", fitForm);
  form.addEventListener("submit", startGame);
}

let wished = null;

/** `#play?game=go&size=7` starts such a game, once. */
export function shown(query) {
  if (![...query.keys()].length) return;
  const number = name => (query.has(name) ? { [name]: +query.get(name) } : {});
  const text = name => (query.has(name) ? { [name]: query.get(name) } : {});
  history.replaceState(null, "", "#play");
  wished = {
    do: "new", game: query.get("game") ?? "go", you: query.get("you") ?? "black",
    ...number("size"), ...number("komi"), ...number("handicap"), ...number("level"), ...number("seconds"), ...text("engine"), ...text("rule"), ...text("rules"),
  };
  if (state) startWished();
}

function startWished() {
  if (wished) game(wished);
  wished = null;
}

export function start() {
  const keys = {
    p: () => $("#pass").disabled || game({ do: "pass" }), u: () => game({ do: "undo" }), h: hint, e: estimate,
    "[": () => go("back"), "]": () => go("on"), a: () => $("#analyse").click(), n: openForm,
  };
  board = new Board($("#board"), {
    play: click, describe, keys,
    color: vertex => (state && mayPlay() && state.phase !== "counting" && (!vertex || at(vertex) === ".") ? state.turn : null),
    hover: vertex => hooks.hover(vertex),
    pending: vertex => {
      $("#confirm").hidden = !vertex;
      $("#confirm").textContent = vertex ? `Play ${vertex}` : "";
    },
  });
  graph = new Graph($("#graph"), go);
  prepareForm();
  const press = { pass: { do: "pass" }, undo: { do: "undo" }, now: { do: "now" }, accept: { do: "accept" }, "play-on": { do: "play-on" }, return: { do: "return" } };
  for (const [id, command] of Object.entries(press)) $(`#${id}`).addEventListener("click", () => game(command));
  $("#rateless-analyse").addEventListener("click", () => $("#analyse").click());
  $("#rateless-review").addEventListener("click", () => {
    location.hash = "#review";
    $("#review-game").click();
  });
  $("#new").addEventListener("click", openForm);
  $("#resign").addEventListener("click", resign);
  $("#hint").addEventListener("click", hint);
  $("#estimate").addEventListener("click", estimate);
  $("#confirm").addEventListener("click", () => board.aimed && click(board.aimed));
  $("#save").addEventListener("click", save);
  $("#open").addEventListener("click", () => $("#file").click());
  $("#file").addEventListener("change", e => { load(e.target.files); e.target.value = ""; });
  $$("[data-go]").forEach(button => button.addEventListener("click", () => go(button.dataset.go)));
  const box = board.box;
  box.addEventListener("dragover", e => { e.preventDefault(); box.classList.add("drop"); });
  box.addEventListener("dragleave", () => box.classList.remove("drop"));
  box.addEventListener("drop", e => { e.preventDefault(); box.classList.remove("drop"); load(e.dataTransfer.files); });
  // A file beside the board must not take the place of the page.
  addEventListener("dragover", e => e.preventDefault());
  addEventListener("drop", e => e.preventDefault());
  on("game", changed);
  on("open", startWished);
  setInterval(clock, 250);
}
