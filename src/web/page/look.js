// What the search thinks: live marks, the list of moves, expected lines, the engine and its parameters.

import { $, el, percent } from "/dom.js";
import { on, tryAsk } from "/wire.js";
import { board, graph, hooks, state } from "/play.js";
import { MoveTable } from "/table.js";

const OVERLAYS = {
  "": "nothing", winrate: "win rates", visits: "playouts", ownership: "territory", potential: "potential P", gradient: "gradient PG",
};
let live = null, table;
const whole = n => n.toLocaleString("en");
const game = command => tryAsk("game", command);

function expected(vertex) {
  return vertex ? live?.rows?.find(row => row.at === vertex)?.line : null;
}

function hover(vertex) {
  board.expect(expected(vertex) ?? [], state?.turn);
}

/** What the search thinks of a point, for those who hear it. */
function describe(vertex) {
  const row = live?.rows?.find(row => row.at === vertex);
  return row ? `, ${row.proof ?? `wins ${percent(row.rate)}`} of ${whole(row.playouts)} playouts` : "";
}

function heard(news) {
  live = news.rows && news.version === state?.version ? news : null;
  if (!live) return;
  board.replace(live.layers);
  const each = live.seconds > 0.2 ? `, ${whole(Math.round(live.playouts / live.seconds))} a second` : "";
  $("#speed").textContent = `${whole(live.playouts)} playouts${each}, ${whole(live.nodes)} nodes`;
  table.show(live.rows);
  if (live.rate != null) {
    $("#rateless").hidden = true;
    const rates = [...state.rates];
    rates[state.at] = live.rate;
    graph.draw(rates, state.at);
  }
}

function changed() {
  live = null;
  const overlay = $("#overlay");
  const names = ["", ...state.overlays];
  if (overlay.options.length !== names.length) {
    overlay.replaceChildren(...names.map(name => el("option", { value: name }, OVERLAYS[name] ?? `what ${name} keeps`)));
  }
  overlay.value = state.overlay;
  $("#analyse").setAttribute("aria-pressed", state.analyses);
  if (!state.analyses && !state.thinks) {
    table.show([]);
    $("#speed").textContent = "";
  }
  engineForm();
}

// ---- the engine

let shownLine = "";

function engineForm() {
  const { line, preset, presets, parameters } = state.engine;
  const key = `${state.game} ${line}`;
  if (key === shownLine) return;
  shownLine = key;
  $("#engine-name").textContent = preset;
  $("#engine-line").value = line;
  const choose = el("select", { onchange: e => game({ do: "engine", line: e.target.value }) },
    ...presets.map(p => el("option", { value: p.name, selected: p.name === preset }, p.name)));
  const about = presets.find(p => p.name === preset);
  const field = p => p.choices
    ? el("select", { onchange: e => set(p, e.target) }, ...p.choices.map(c => el("option", { value: c, selected: c === p.value }, c)))
    : el("input", { type: "text", value: p.value, inputmode: "decimal", onchange: e => set(p, e.target) });
  const row = p => el("label", { title: p.range }, p.name, field(p), el("small", {}, p.doc));
  const axis = name => {
    const rows = parameters.filter(p => p.axis === name);
    const fold = el("details", { class: "axis", open: open.has(name), ontoggle: () => (fold.open ? open.add(name) : open.delete(name)) },
      el("summary", {}, el("span", {}, name), el("span", { class: "faint" }, told(name, rows))), ...rows.map(row));
    return fold;
  };
  const axes = [...new Set(parameters.map(p => p.axis))];
  $("#engine").replaceChildren(
    el("label", {}, "engine", choose, el("small", {}, about ? `${about.doc} (${about.paper})` : "")), ...axes.map(axis));
}

/** Folds that were opened stay open. */
const open = new Set();

/** What a fold holds, in a few words: the choice it is about, or the values that say something. */
function told(name, rows) {
  const choice = rows.find(p => p.name === name);
  if (choice) return choice.value;
  if (name !== "effort") return rows.map(p => p.name).join(", ");
  return rows.filter(p => p.value !== "0" && p.name !== "end").map(p => `${p.name} ${p.value}`).join(", ") || "by time";
}

async function set(parameter, field) {
  const done = await game({ do: "parameter", key: parameter.name, value: field.value });
  if (done === undefined) field.value = parameter.value;
}

export function start() {
  Object.assign(hooks, { hover, changed, describe });
  table = new MoveTable($("#rows"), {
    over: row => board.expect(row?.line ?? [], state.turn),
    click: row => board.options.play(row.at),
  });
  on("live", heard);
  $("#overlay").addEventListener("change", e => game({ do: "overlay", name: e.target.value }));
  $("#analyse").addEventListener("click", () => game({ do: "analyse", on: !state.analyses }));
  $("#engine").addEventListener("submit", e => e.preventDefault());
  $("#engine-set").addEventListener("click", () => game({ do: "engine", line: $("#engine-line").value }));
}
