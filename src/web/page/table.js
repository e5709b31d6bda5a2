// The list of a search's moves, the same wherever one is shown.

import { el, percent } from "/dom.js";

const number = n => n.toLocaleString("en");

/** Rows of a search; `over` hears which one the pointer is on (or null), `click` which one was chosen. */
export function moves(rows, { over = () => {}, click } = {}) {
  const has = key => rows.some(row => row[key] > 0);
  const columns = [
    ["Move", row => row.at, ""],
    ["Wins", row => row.proof ?? percent(row.rate), "num"],
    ["Playouts", row => number(row.playouts), "num"],
    ...(has("inherited") ? [["Inherited", row => number(row.inherited), "num"]] : []),
    ...(has("round") ? [["Round", row => row.round, "num"]] : []),
    ["Expected", row => row.line.slice(1, 7).join(" "), "expected-line"],
  ];
  const line = row => el("tr", {
    onpointerenter: () => over(row), onpointerleave: () => over(null), onclick: () => click?.(row),
  }, ...columns.map(([, words, name]) => el("td", { class: name }, `${words(row)}`)));
  return el("table", { class: "rows" },
    el("thead", {}, el("tr", {}, ...columns.map(([name]) => el("th", { scope: "col" }, name)))),
    el("tbody", {}, ...rows.map(line)));
}
