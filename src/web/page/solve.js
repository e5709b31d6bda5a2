// Problems of life and death: the person moves, the prover answers.

import { $, el, kept, readFiles, say, toast } from "/dom.js";
import { ask, on } from "/wire.js";
import { Board } from "/board.js";

const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
let sets = [], board, problem = null, wantsFirstOf = null, isBusy = false, waiting = null;
/** Where we are: kept, so that a reload goes on. */
let place = kept.get("solve", { set: "", number: 0, moves: [] });
/** By set and number: "solved", or "tried" if it went wrong first. */
const progress = kept.get("progress", {});
const key = () => `${place.set}/${problem?.name ?? place.number}`;

async function play(moves) {
  if (!place.set) return;
  // The last wish counts.
  if (isBusy) { waiting = moves; return; }
  isBusy = true;
  const { set, number } = place;
  const slow = setTimeout(() => ($("#solve-words").textContent = "The prover is thinking…"), 300);
  try {
    const answer = await ask("solve", { do: "play", set, number, moves });
    if (!waiting) draw(answer);
  } catch (e) {
    toast(e.message);
    if (problem) $("#solve-words").textContent = problem.words;
  } finally {
    clearTimeout(slow);
    isBusy = false;
    const next = waiting;
    waiting = null;
    if (next) play(next);
  }
}

function draw(answer) {
  problem = answer;
  place.moves = answer.moves;
  kept.set("solve", place);
  board.draw(answer.svg);
  board.box.classList.toggle("still", answer.over);
  board.box.setAttribute("aria-label", `Problem, ${answer.size} by ${answer.size}. ${answer.goal}`);
  const set = sets.find(s => s.id === place.set);
  $("#solve-name").textContent = `${set?.name ?? ""} ${place.number + 1} of ${answer.count}: ${answer.name}${answer.level ? `, level ${answer.level}` : ""}`;
  const words = $("#solve-words");
  words.textContent = answer.words;
  words.classList.toggle("good", answer.right === true);
  words.classList.toggle("bad", answer.right === false);
  $("#solve-line").textContent = answer.moves.length ? `${answer.goal} Played: ${answer.moves.join(" ")}` : "";
  $("#solve-undo").disabled = $("#solve-again").disabled = !answer.moves.length;
  $("#solve-show").disabled = answer.over;
  note();
}

function note() {
  if (problem.right === false && progress[key()] !== "solved") progress[key()] = "tried";
  if (problem.right === true && problem.over) progress[key()] = progress[key()] === "tried" ? "tried" : "solved";
  kept.set("progress", progress);
  const own = Object.keys(progress).filter(k => k.startsWith(`${place.set}/`));
  const solved = own.filter(k => progress[k] === "solved").length;
  $("#solve-progress").textContent = own.length ? `${solved} solved at once, ${own.length - solved} with a mistake, of ${problem.count} in this set` : "";
}

function at(vertex) {
  return problem.stones[(problem.size - vertex.slice(1)) * problem.size + COLUMNS.indexOf(vertex[0])];
}

function click(vertex) {
  if (isBusy) return;
  if (!problem || problem.over) return toast("This line has come to its end: undo, again, or next.");
  if (at(vertex) !== ".") return toast("The point is occupied.");
  play([...problem.moves, vertex]);
}

async function show() {
  if (!problem) return;
  try {
    const answer = await ask("solve", { do: "show", set: place.set, number: place.number, moves: problem.moves });
    board.replace(answer.layers);
    $("#solve-words").textContent = answer.words;
    if (!progress[key()]) progress[key()] = "tried";
    kept.set("progress", progress);
  } catch (e) {
    toast(e.message);
  }
}

function go(set, number) {
  place = { set, number, moves: [] };
  fillNumbers();
  play([]);
}

function next() {
  const set = sets.find(s => s.id === place.set);
  if (!set) return;
  const number = place.number + 1;
  if (number >= set.problems && set.id.startsWith("made-")) return toast("The next one is still being made.");
  go(set.id, number % set.problems);
  if (set.id.startsWith("made-") && number + 2 >= set.problems) make(+set.id.slice(5));
}

function fillSets() {
  const box = $("#solve-set");
  box.replaceChildren(...sets.map(s => el("option", { value: s.id }, `${s.name} (${s.problems})`)));
  if (!sets.some(s => s.id === place.set)) place = { set: sets[0]?.id ?? "", number: 0, moves: [] };
  box.value = place.set;
  fillNumbers();
}

function fillNumbers() {
  $("#solve-set").value = place.set;
  const count = sets.find(s => s.id === place.set)?.problems ?? 0;
  $("#solve-number").replaceChildren(...Array.from({ length: count }, (_, i) => el("option", { value: i }, `${i + 1}`)));
  $("#solve-number").value = place.number;
}

async function drop(list) {
  try {
    const files = await readFiles(list.filter(file => /\.sgf$/i.test(file.name)));
    if (!files.length) return toast("There is no .sgf file in it.");
    const answer = await ask("solve", { do: "drop", files });
    sets = answer.sets;
    fillSets();
    if (answer.wrong.length) toast(`Left out: ${answer.wrong[0]}${answer.wrong.length > 1 ? ` and ${answer.wrong.length - 1} more` : ""}`);
    go(answer.set, 0);
  } catch (e) {
    toast(e.message);
  }
}

/** Files of dropped folders too. */
async function filesOf({ items, files }) {
  const found = [], plain = [...files];
  const walk = async entry => {
    if (entry?.isFile) found.push(await new Promise((done, fail) => entry.file(done, fail)));
    if (!entry?.isDirectory) return;
    const reader = entry.createReader();
    for (;;) {
      const entries = await new Promise((done, fail) => reader.readEntries(done, fail));
      if (!entries.length) return;
      for (const each of entries) await walk(each);
    }
  };
  const entries = [...items].map(item => item.webkitGetAsEntry?.()).filter(Boolean);
  for (const entry of entries) await walk(entry);
  return entries.length ? found : plain;
}

async function make(level) {
  try {
    await ask("solve", { do: "make", level });
    $("#solve-making").textContent = `Making problems of level ${level}…`;
  } catch (e) {
    toast(e.message);
  }
}

function made(news) {
  if (!news.id) return;
  const set = sets.find(s => s.id === news.id);
  if (set) set.problems = news.problems;
  else sets.push({ id: news.id, name: news.name, problems: news.problems });
  $("#solve-making").textContent = `${news.problems} problems: ${news.name}.`;
  const before = { ...place };
  fillSets();
  place = before;
  if (wantsFirstOf === news.id) {
    wantsFirstOf = null;
    go(news.id, news.problems - 1);
  } else {
    fillNumbers();
  }
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
  $("#solve-next").addEventListener("click", next);
  $("#solve-again").addEventListener("click", () => play([]));
  $("#solve-undo").addEventListener("click", undo);
  $("#solve-show").addEventListener("click", show);
  $("#solve-set").addEventListener("change", e => go(e.target.value, 0));
  $("#solve-number").addEventListener("change", e => go(place.set, +e.target.value));
  $("#solve-make").addEventListener("click", () => {
    const level = +$("#solve-level").value;
    wantsFirstOf = `made-${level}`;
    make(level);
  });
  $("#solve-open").addEventListener("click", () => $("#solve-files").click());
  $("#solve-folder").addEventListener("click", () => $("#solve-dir").click());
  for (const id of ["#solve-files", "#solve-dir"]) {
    $(id).addEventListener("change", e => { drop([...e.target.files]); e.target.value = ""; });
  }
  const view = $("#solve"), box = board.box;
  view.addEventListener("dragover", e => { e.preventDefault(); box.classList.add("drop"); });
  view.addEventListener("dragleave", () => box.classList.remove("drop"));
  view.addEventListener("drop", async e => {
    e.preventDefault();
    box.classList.remove("drop");
    try { drop(await filesOf(e.dataTransfer)); } catch (error) { toast(error.message); }
  });
  on("making", made);
  on("open", refresh);
  say("");
}
