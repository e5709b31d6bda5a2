// Problems of life and death: the person moves, the prover answers.

import { $, el, kept, readFiles, say, toast } from "/dom.js";
import { ask, on } from "/wire.js";
import { Board } from "/board.js";

const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
/** Files are sent in parts no larger than this. */
const PART = 400_000;
let sets = [], board, problem = null, wantsFirstOf = null;
/** The number of the last question about moves, and of the last that was answered. */
let asked = 0, answered = 0;
/** Where we are: kept, so that a reload goes on. */
let place = kept.get("solve", { set: "", number: 0, moves: [] });
/** By the key of a problem: "solved", or "tried" if it went wrong or was shown first. */
const progress = kept.get("progress", {});
const setOf = id => sets.find(set => set.id === id);

// ---- one problem

/** Asks the prover; only the last question counts. Nothing if another came after it. */
async function question(command) {
  const number = ++asked;
  const slow = setTimeout(() => number === asked && ($("#solve-words").textContent = "The prover is thinking…"), 300);
  try {
    const answer = await ask("solve", command);
    return number === asked ? answer : null;
  } catch (e) {
    if (number !== asked) return null;
    toast(e.message);
    if (problem) $("#solve-words").textContent = problem.words;
    return null;
  } finally {
    clearTimeout(slow);
    if (number === asked) answered = number;
  }
}

async function play(moves) {
  if (!place.set) return;
  const answer = await question({ do: "play", set: place.set, number: place.number, moves });
  if (answer) draw(answer);
}

function draw(answer) {
  problem = answer;
  place.moves = answer.moves;
  kept.set("solve", place);
  board.draw(answer.svg);
  board.box.classList.toggle("still", answer.over);
  board.box.setAttribute("aria-label", `Problem, ${answer.size} by ${answer.size}. ${answer.goal}`);
  $("#solve-name").textContent = `${setOf(place.set)?.name ?? ""} ${place.number + 1} of ${answer.count}: ${answer.name}${answer.level ? `, level ${answer.level}` : ""}`;
  const words = $("#solve-words");
  words.textContent = answer.words;
  words.classList.toggle("good", answer.right === true);
  words.classList.toggle("bad", answer.right === false);
  tellTask(answer.words);
  $("#solve-undo").disabled = $("#solve-again").disabled = !answer.moves.length;
  $("#solve-show").disabled = answer.over;
  if (answer.right === false) note("tried");
  if (answer.right === true && answer.over) note("solved");
  tellProgress();
}

/** What is to be done, what was played, and what the file says: all that the words above do not say already. */
function tellTask(words) {
  const played = problem.moves.length ? `Played: ${problem.moves.join(" ")}` : "";
  const lines = new Set([problem.goal, played, problem.comment].filter(line => line && line !== words));
  $("#solve-line").replaceChildren(...[...lines].map(line => el("span", {}, line)));
}

/** The first thing that happened to a problem is kept. */
function note(what) {
  progress[problem.key] ??= what;
  kept.set("progress", progress);
}

function at(vertex) {
  return problem.stones[(problem.size - vertex.slice(1)) * problem.size + COLUMNS.indexOf(vertex[0])];
}

function click(vertex) {
  if (answered !== asked) return;
  if (!problem || problem.over) return toast("This line has come to its end: undo, again, or next.");
  if (at(vertex) !== ".") return toast("The point is occupied.");
  play([...problem.moves, vertex]);
}

async function show() {
  if (!problem || problem.over) return;
  const answer = await question({ do: "show", set: place.set, number: place.number, moves: problem.moves });
  if (!answer) return;
  board.replace(answer.layers);
  $("#solve-words").textContent = answer.words;
  tellTask(answer.words);
  $("#solve-words").classList.remove("good", "bad");
  note("tried");
  tellProgress();
}

// ---- sets of them

function go(set, number) {
  place = { set, number, moves: [] };
  fillNumbers();
  play([]);
}

function next() {
  const set = setOf(place.set);
  if (!set) return;
  const number = place.number + 1, isMade = set.id.startsWith("made-");
  if (isMade && number + 2 >= set.keys.length) make(+set.id.slice(5));
  if (isMade && number >= set.keys.length) {
    wantsFirstOf = set.id;
    return toast("The next one is still being made.");
  }
  go(set.id, number % set.keys.length);
}

/** Sets as they are now. */
function take(set) {
  const index = sets.findIndex(known => known.id === set.id);
  if (index < 0) sets.push(set);
  else sets[index] = set;
  fillSets();
}

function fillSets() {
  const box = $("#solve-set");
  if (!setOf(place.set)) place = { set: sets[0]?.id ?? "", number: 0, moves: [] };
  box.replaceChildren(...sets.map(s => el("option", { value: s.id }, `${s.name} (${s.keys.length})`)));
  fillNumbers();
}

function fillNumbers() {
  const keys = setOf(place.set)?.keys ?? [];
  $("#solve-set").value = place.set;
  $("#solve-number").replaceChildren(...keys.map((_, i) => el("option", { value: i })));
  $("#solve-number").value = place.number;
  tellProgress();
}

function tellProgress() {
  const keys = setOf(place.set)?.keys ?? [], count = what => keys.filter(key => progress[key] === what).length;
  [...$("#solve-number").options].forEach((option, i) => {
    option.textContent = `${i + 1}${{ solved: "  ✓", tried: "  ✗" }[progress[keys[i]]] ?? ""}`;
  });
  const solved = count("solved"), tried = count("tried");
  $("#solve-progress").textContent = solved + tried ? `${solved} solved at once ✓, ${tried} with a mistake or help ✗, of ${keys.length}` : "";
}

async function drop(list, folder) {
  try {
    const files = await readFiles(list.filter(file => /\.sgf$/i.test(file.name)));
    if (!files.length) return toast("There is no .sgf file in it.");
    const name = folder || (files.length === 1 ? files[0][0] : `${files.length} files`);
    const wrong = [];
    let set = null, part = [], size = 0;
    const send = async () => {
      if (!part.length) return;
      const answer = await ask("solve", { do: "drop", name, files: part, to: set?.id ?? null }).catch(e => {
        if (files.length === 1) throw e;
        wrong.push(e.message);
      });
      if (answer) { set = answer.set; wrong.push(...answer.wrong); }
      part = [];
      size = 0;
    };
    for (const file of files) {
      if (size + file[1].length > PART) await send();
      part.push(file);
      size += file[1].length;
    }
    await send();
    if (wrong.length) toast(`Left out: ${wrong[0]}${wrong.length > 1 ? ` and ${wrong.length - 1} more` : ""}`);
    if (!set) return;
    take(set);
    go(set.id, 0);
  } catch (e) {
    toast(e.message);
  }
}

/** Files of dropped folders too, and the folder's name. */
async function filesOf({ items, files }) {
  const found = [], plain = [...files];
  const walk = async entry => {
    if (entry?.isFile) found.push(await new Promise((done, fail) => entry.file(done, fail)));
    if (!entry?.isDirectory) return;
    const reader = entry.createReader();
    for (;;) {
      const some = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!some.length) break;
      for (const inner of some) await walk(inner);
    }
  };
  const entries = [...(items ?? [])].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const entry of entries) await walk(entry);
  const folder = entries.length === 1 && entries[0].isDirectory ? entries[0].name : "";
  return [entries.length ? found : plain, folder];
}

async function make(level) {
  try {
    await ask("solve", { do: "make", level });
    $("#solve-making").textContent = `Making problems of level ${level}…`;
  } catch (e) {
    toast(e.message);
  }
}

function made({ set }) {
  if (!set) return;
  take(set);
  $("#solve-making").textContent = `${set.keys.length} ${set.name}.`;
  if (wantsFirstOf !== set.id) return;
  wantsFirstOf = null;
  go(set.id, set.keys.length - 1);
}

async function refresh() {
  try {
    sets = (await ask("solve", { do: "sets" })).sets;
    fillSets();
    if (!$("#solve").hidden) play(place.moves);
  } catch { /* it comes back with the connection */ }
}

export function shown() {
  if (sets.length && !problem) play(place.moves);
}

export function start() {
  const undo = () => problem?.moves.length && play(problem.moves.slice(0, -(2 - (problem.moves.length % 2))));
  board = new Board($("#solve-board"), {
    play: click,
    color: vertex => (problem && !problem.over && (!vertex || at(vertex) === ".") ? problem.turn : null),
    describe: vertex => `${vertex}, ${{ b: "black stone", w: "white stone", ".": "empty" }[at(vertex)]}`,
    keys: { u: undo, r: show, n: next },
  });
  $("#solve-level").append(...[1, 2, 3, 4, 5].map(n => el("option", { value: n }, `${n}`)));
  $("#solve-level").value = kept.get("level", 1);
  $("#solve-next").addEventListener("click", next);
  $("#solve-again").addEventListener("click", () => play([]));
  $("#solve-undo").addEventListener("click", undo);
  $("#solve-show").addEventListener("click", show);
  $("#solve-set").addEventListener("change", e => go(e.target.value, 0));
  $("#solve-number").addEventListener("change", e => go(place.set, +e.target.value));
  $("#solve-make").addEventListener("click", () => {
    const level = +$("#solve-level").value;
    kept.set("level", level);
    wantsFirstOf = `made-${level}`;
    make(level);
  });
  $("#solve-open").addEventListener("click", () => $("#solve-files").click());
  $("#solve-folder").addEventListener("click", () => $("#solve-dir").click());
  for (const id of ["#solve-files", "#solve-dir"]) {
    $(id).addEventListener("change", e => {
      const files = [...e.target.files];
      drop(files, files[0]?.webkitRelativePath.split("/")[0]);
      e.target.value = "";
    });
  }
  const view = $("#solve"), box = board.box;
  view.addEventListener("dragover", e => { e.preventDefault(); box.classList.add("drop"); });
  view.addEventListener("dragleave", () => box.classList.remove("drop"));
  view.addEventListener("drop", async e => {
    e.preventDefault();
    box.classList.remove("drop");
    try { drop(...(await filesOf(e.dataTransfer))); } catch (error) { toast(error.message); }
  });
  on("making", made);
  on("open", refresh);
  say("");
}
