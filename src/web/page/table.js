// The list of a search's moves, the same wherever one is shown. Its rows stay while their words change, so that they can be
// pointed at and clicked in mid-search.

import { $$, el, percent } from "/dom.js";

const number = n => n.toLocaleString("en");
/** Name, words, kind; and for some, which rows have something to say: without any the column is not shown. */
const COLUMNS = [
  ["Move", row => row.at, ""],
  ["Wins", row => row.proof ?? percent(row.rate), "num"],
  ["Playouts", row => number(row.playouts), "num"],
  ["Inherited", row => number(row.inherited), "num", row => row.inherited > 0],
  ["Round", row => `${row.round}`, "num", row => row.round > 0],
  ["Expected", row => row.line.slice(1, 7).join(" "), "expected-line", row => row.line.length > 1],
];

export class MoveTable {
  /** `over` hears which row the pointer is on (or null), `click` which one was chosen. */
  constructor(box, { over = () => {}, click = () => {} } = {}) {
    Object.assign(this, { over, click, rows: [], pointed: null });
    this.body = el("tbody");
    this.table = el("table", { class: "rows", hidden: true },
      el("thead", {}, el("tr", {}, ...COLUMNS.map(([name, , kind]) => el("th", { scope: "col", class: kind }, name)))), this.body);
    box.replaceChildren(this.table);
  }

  show(rows) {
    this.rows = rows;
    this.table.hidden = !rows.length;
    while (this.body.rows.length < rows.length) this.body.append(this.line(this.body.rows.length));
    while (this.body.rows.length > rows.length) this.body.lastChild.remove();
    const hides = COLUMNS.map(([, , , says]) => says && !rows.some(says));
    $$("th", this.table).forEach((cell, i) => (cell.hidden = hides[i]));
    rows.forEach((row, r) => COLUMNS.forEach(([, words], c) => {
      const cell = this.body.rows[r].cells[c], text = words(row);
      cell.hidden = hides[c];
      if (cell.textContent !== text) cell.textContent = text;
    }));
    if (this.pointed != null) this.over(rows[this.pointed] ?? null);
  }

  line(r) {
    const point = at => { this.pointed = at; this.over(at == null ? null : this.rows[at] ?? null); };
    return el("tr", {
      onpointerenter: () => point(r), onpointerleave: () => point(null), onclick: () => this.rows[r] && this.click(this.rows[r]),
    }, ...COLUMNS.map(([, , name]) => el("td", { class: name })));
  }
}
