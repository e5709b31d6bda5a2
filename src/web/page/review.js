// A game gone through: the graph, the worst moves, and every position.

import { $, $$, download, el, kept, lettersOf, readFiles, toast } from "/dom.js";
import { ask, on, tryAsk } from "/wire.js";
import { Board } from "/board.js";
import { Graph } from "/graph.js";

let news = null, shownMove = 0, board, graph;
const review = command => tryAsk("review", command);

async function begin(name, sgf) {
  const form = $("#review-form").elements;
  shownMove = 0;
  try {
    await ask("review", { do: "start", name, sgf, playouts: +form.playouts.value, engine: form.engine.value || null });
    kept.set("review", { playouts: form.playouts.value, engine: form.engine.value });
  } catch (e) {
    toast(e.message);
  }
}

async function take(files) {
  try {
    const [file] = await readFiles([...files].slice(0, 1));
    if (file) await begin(...file);
  } catch (e) {
    toast(e.message);
  }
}

async function takeBoard() {
  const answer = await tryAsk("game", { do: "save" });
  if (answer) begin("the game on the board", lettersOf(answer.sgf));
}

async function save(kind, type) {
  const answer = await review({ do: "look", at: kind });
  if (answer) download(`${news.name.replace(/\.sgf$/i, "")}-review.${kind}`, answer.text, type);
}

/** Shows the position before a move, with what moku would have played. */
async function show(number) {
  if (!news || number < 1 || number > news.moves.length) return;
  shownMove = number;
  const answer = await review({ do: "look", at: "board", number });
  if (!answer || shownMove !== number) return;
  board.box.classList.remove("empty");
  board.draw(answer.svg);
  const words = `Move ${number}, ${news.moves[number - 1].played}. ${answer.words}`;
  $("#review-words").textContent = words;
  board.box.setAttribute("aria-label", words);
  mark();
}

function mark() {
  $("#review-number").textContent = shownMove ? `Move ${shownMove} of ${news.positions - 1}` : "";
  graph.draw(rates(), shownMove, news.moves.filter(m => m.loss >= news.large).map(m => m.number));
  $$("#review-list button").forEach(button => {
    if (+button.dataset.number === shownMove) button.setAttribute("aria-current", "true");
    else button.removeAttribute("aria-current");
  });
}

/** The whole game has its place from the start. */
const rates = () => [...news.rates, ...Array(Math.max(0, news.positions - news.rates.length)).fill(null)];

/** Takes the game to the board of the play view, at the move shown. */
async function look() {
  const answer = await review({ do: "look", at: "sgf" });
  if (!answer) return;
  try {
    await ask("game", { do: "load", sgf: lettersOf(answer.text) });
    await ask("game", { do: "go", at: Math.max(0, shownMove - 1) });
    location.hash = "#play";
  } catch (e) {
    toast(e.message);
  }
}

function heard(message) {
  if (!message.moves) return;
  news = message;
  const bar = $("#review-progress");
  bar.hidden = !news.running;
  bar.max = news.positions;
  bar.value = news.done;
  $("#review-stop").hidden = news.done >= news.positions;
  $("#review-stop").textContent = news.running ? "Stop" : "Go on";
  $("#review-about").textContent = `${news.name}: ${news.done} of ${news.positions} positions, ${news.playouts.toLocaleString("en")} playouts each`;
  $("#review-found").hidden = $("#review-worst").hidden = !news.moves.length;
  $("#review-sides").replaceChildren(...news.sides.map(words => el("span", {}, words)));
  const worst = news.moves.filter(m => m.loss >= news.small).sort((a, b) => b.loss - a.loss).slice(0, 40);
  $("#review-list").replaceChildren(...worst.map(m =>
    el("li", {}, el("button", { "data-number": m.number, onclick: () => show(m.number) }, `${m.number} ${m.color === "B" ? "●" : "○"} ${m.played}  −${(100 * m.loss).toFixed(1)} %`,
      el("br"), el("span", { class: "faint" }, news.sentences[m.number - 1])))));
  if (!worst.length) $("#review-list").replaceChildren(el("li", { class: "faint" }, news.running ? "Nothing yet." : "No move lost much."));
  mark();
  if (!shownMove && news.moves.length) show(1);
}

export function start() {
  const box = $("#review-board");
  board = new Board(box, { keys: { arrowleft: () => show(shownMove - 1), arrowright: () => show(shownMove + 1) } });
  board.walk = (dx, dy) => (dx || dy) && show(shownMove + dx - dy);
  box.classList.add("empty");
  box.textContent = "Drop a game here";
  graph = new Graph($("#review-graph"), at => show(at + 1 > (news?.moves.length ?? 0) ? at : at + 1));
  const form = $("#review-form").elements;
  Object.entries(kept.get("review", {})).forEach(([name, value]) => (form[name].value = value));
  $("#review-form").addEventListener("submit", e => e.preventDefault());
  $("#review-open").addEventListener("click", () => $("#review-file").click());
  $("#review-file").addEventListener("change", e => { take(e.target.files); e.target.value = ""; });
  $("#review-game").addEventListener("click", takeBoard);
  $("#review-stop").addEventListener("click", () => review({ do: news.running ? "stop" : "go-on" }));
  $("#review-back").addEventListener("click", () => show(shownMove - 1));
  $("#review-on").addEventListener("click", () => show(shownMove + 1));
  $("#review-look").addEventListener("click", look);
  $("#review-sgf").addEventListener("click", () => save("sgf", "application/x-go-sgf"));
  $("#review-html").addEventListener("click", () => save("html", "text/html"));
  const view = $("#review");
  view.addEventListener("dragover", e => { e.preventDefault(); box.classList.add("drop"); });
  view.addEventListener("dragleave", () => box.classList.remove("drop"));
  view.addEventListener("drop", e => { e.preventDefault(); box.classList.remove("drop"); take(e.dataTransfer.files); });
  on("review", heard);
}
