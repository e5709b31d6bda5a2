// Two engines side by side on the position of the board.

import { $, el, lettersOf, svg, toast } from "/dom.js";
import { ask, on, tryAsk } from "/wire.js";
import { state } from "/play.js";
import { Board } from "/board.js";
import { MoveTable } from "/table.js";

let boards = [], tables = [], drawn = "", turn = "B";

async function begin(event) {
  event.preventDefault();
  const form = event.target.elements;
  $("#compared").hidden = true; // what was compared before must not be taken for this
  try {
    const { sgf } = await ask("game", { do: "here" });
    await ask("compare", {
      do: "start", sgf: lettersOf(sgf), engines: [form.left.value, form.right.value], playouts: +form.playouts.value, overlay: form.overlay.value,
    });
  } catch (e) {
    toast(e.message);
  }
}

function build(news) {
  drawn = news.svg;
  boards = news.sides.map(() => new Board(el("div", { class: "board-box still" }), {}));
  boards.forEach(board => board.draw(news.svg));
  $("#compared").replaceChildren(...boards.map(board =>
    el("div", { class: "card" }, el("h2"), board.box, el("p", { class: "faint count" }), el("div", { class: "idea" }), el("div", { class: "scroll" }), el("code"))));
  tables = boards.map(board => new MoveTable($(".scroll", board.box.parentElement), { over: row => board.expect(row?.line ?? [], turn) }));
}

/** The worth of a score, from far behind to far ahead. */
function curve(points) {
  const [width, height, pad] = [260, 96, 18], far = points.at(-1)[0];
  const x = score => pad + ((score + far) / (2 * far)) * (width - 2 * pad), y = worth => height - pad - worth * (height - 1.6 * pad);
  const text = (x, y, words) => svg("text", { x, y, "text-anchor": "middle" }, words);
  return svg("svg", { viewBox: `0 0 ${width} ${height}`, class: "curve", role: "img", "aria-label": "What a score is worth to the search" },
    svg("path", { class: "axis", d: `M${x(-far)} ${y(0)}H${x(far)}M${x(-far)} ${y(1)}H${x(far)}M${x(0)} ${y(0)}V${y(1)}` }),
    svg("polyline", { class: "rate", points: points.map(([score, worth]) => `${x(score)},${y(worth)}`).join(" ") }),
    text(x(-far), height - 4, `−${far}`), text(x(0), height - 4, "0 points"), text(x(far), height - 4, `+${far}`), text(9, y(1) + 4, "1"), text(9, y(0) + 4, "0"));
}

/** What a paper's idea did in this search. */
function idea(side) {
  const lines = [];
  if (side.rounds.length) lines.push(el("p", {}, `Halving left of ${side.rounds[0]} moves ${side.rounds.slice(1).join(", ")}.`));
  if (side.inherited >= 1) lines.push(el("p", {}, `Brought along from the search before: as much as ${Math.round(side.inherited).toLocaleString("en")} playouts.`));
  if (side.reward) lines.push(el("p", {}, `${side.reward.words}.`), curve(side.reward.curve));
  return lines;
}

function heard(news) {
  if (!news.sides) return;
  turn = news.turn;
  if (news.svg !== drawn || boards.length !== news.sides.length) build(news);
  $("#compared").hidden = false;
  news.sides.forEach((side, i) => {
    const card = $("#compared").children[i];
    boards[i].replace(side.layers);
    $("h2", card).textContent = side.engine.split(" ")[0];
    $(".count", card).textContent = side.error ?? `${side.playouts.toLocaleString("en")} playouts, ${side.nodes.toLocaleString("en")} nodes${side.done ? "" : " …"}`;
    $(".idea", card).replaceChildren(...idea(side));
    $("code", card).textContent = side.engine;
    tables[i].show(side.rows);
  });
}

export function start() {
  $("#compare").addEventListener("submit", begin);
  $("#compare-stop").addEventListener("click", () => tryAsk("compare", { do: "stop" }));
  $("#compare-card").addEventListener("toggle", () => {
    $("#presets").replaceChildren(...(state?.engine.presets ?? []).map(p => el("option", { value: p.name })));
    $("#compare").elements.left.value ||= state?.engine.preset ?? "";
  });
  on("compare", heard);
}
