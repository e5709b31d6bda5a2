// Two engines side by side on the position of the board.

import { $, el, toast } from "/dom.js";
import { ask, on, tryAsk } from "/wire.js";
import { state } from "/play.js";
import { Board } from "/board.js";
import { MoveTable } from "/table.js";

let boards = [], tables = [], drawn = "", turn = "B";

async function begin(event) {
  event.preventDefault();
  const form = event.target.elements;
  try {
    const { sgf } = await ask("game", { do: "here" });
    await ask("compare", {
      do: "start", sgf, engines: [form.left.value, form.right.value], playouts: +form.playouts.value, overlay: form.overlay.value,
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
    el("div", { class: "card" }, el("h2"), board.box, el("p", { class: "faint count" }), el("p", { class: "faint reward" }), el("div", { class: "scroll" }), el("code"))));
  tables = boards.map(board => new MoveTable($(".scroll", board.box.parentElement), { over: row => board.expect(row?.line ?? [], turn) }));
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
    $(".reward", card).textContent = side.reward ?? "";
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
