// A board on the page. moku draws it; here it is made to be clicked, tapped, and walked over with keys.

import { say, svg } from "/dom.js";

const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
/** With lines nearer than this a finger needs a second tap. */
const FINE = 26;

/** Colours that drawings refer to live in one place: a name is looked up where it stands first, and a view may be hidden. */
function share(colours) {
  const isShared = document.getElementById("colours");
  if (isShared) colours?.remove();
  else if (colours) document.body.prepend(svg("svg", { id: "colours", class: "hidden", "aria-hidden": "true" }, colours));
}

export class Board {
  /**
   * options: play(vertex), hover(vertex or null), pending(vertex or null), color() of a stone to come or null,
   * describe(vertex) in words, keys: {key: action}
   */
  constructor(box, options) {
    Object.assign(this, { box, options, lines: 0, column: 0, row: 0, aimed: null });
    box.addEventListener("pointermove", e => e.pointerType !== "touch" && this.hover(this.find(e)));
    box.addEventListener("pointerleave", () => this.hover(null));
    box.addEventListener("pointerdown", e => (this.pointer = e.pointerType));
    box.addEventListener("click", e => this.click(e));
    box.addEventListener("keydown", e => this.key(e));
    box.addEventListener("focus", () => this.walk(0, 0, true));
    box.addEventListener("blur", () => this.layer("cursor").replaceChildren());
  }

  /** Shows a drawing of moku's. */
  draw(markup) {
    this.box.innerHTML = markup;
    this.svg = this.box.firstElementChild;
    this.svg.setAttribute("aria-hidden", "true");
    share(this.svg.querySelector("defs"));
    const { lines, cell, margin } = this.svg.dataset;
    if (+lines !== this.lines) {
      this.lines = +lines;
      this.column = this.row = Math.floor(this.lines / 2);
    }
    this.cell = +cell;
    this.margin = +margin;
    this.isDim = false;
    this.aim(null);
    this.shown = null;
    if (document.activeElement === this.box && this.walks) this.drawCursor();
  }

  /** Layers that take the place of those of the same name. */
  replace(markups) {
    for (const markup of markups ?? []) {
      const layer = new DOMParser().parseFromString(`<svg xmlns="http://www.w3.org/2000/svg">${markup}</svg>`, "image/svg+xml")
        .documentElement.firstElementChild;
      const old = layer && this.svg?.querySelector(`g.${layer.getAttribute("class")}`);
      old?.replaceWith(document.importNode(layer, true));
    }
    this.dim();
  }

  layer(name) {
    let layer = this.svg?.querySelector(`g.${name}`);
    if (!layer && this.svg) this.svg.append((layer = svg("g", { class: name })));
    return layer ?? svg("g");
  }

  /** The place of a vertex in the drawing. */
  place(vertex) {
    const column = COLUMNS.indexOf(vertex[0]), row = +vertex.slice(1) - 1;
    return [this.margin + column * this.cell, this.margin + (this.lines - 1 - row) * this.cell];
  }

  find(event) {
    if (!this.svg) return null;
    const area = this.svg.getBoundingClientRect();
    const side = this.svg.viewBox.baseVal.width;
    const step = (at, from, length) => Math.round((((at - from) / length) * side - this.margin) / this.cell);
    const column = step(event.clientX, area.left, area.width), row = step(event.clientY, area.top, area.height);
    const inside = i => i >= 0 && i < this.lines;
    return inside(column) && inside(row) ? COLUMNS[column] + (this.lines - row) : null;
  }

  isFine() {
    return this.svg.getBoundingClientRect().width / (this.lines + 1) < FINE;
  }

  click(event) {
    const vertex = this.find(event);
    if (!vertex) return;
    this.walks = false;
    this.layer("cursor").replaceChildren();
    if (this.pointer === "touch" && this.isFine() && this.options.color?.() && this.aimed !== vertex) {
      this.aim(vertex);
      return;
    }
    this.aim(null);
    this.options.play?.(vertex);
  }

  /** A finger's stone that waits for the second tap. */
  aim(vertex) {
    this.aimed = vertex;
    this.ghost(vertex);
    this.options.pending?.(vertex);
  }

  hover(vertex) {
    if (vertex === this.shown) return;
    this.shown = vertex;
    if (!this.aimed) this.ghost(vertex);
    this.options.hover?.(vertex);
  }

  ghost(vertex) {
    const color = vertex && this.options.color?.(vertex);
    const layer = this.layer("ghost");
    if (!color) return layer.replaceChildren();
    layer.replaceChildren(this.stone(vertex, color));
  }

  stone(vertex, color) {
    const [cx, cy] = this.place(vertex);
    const fill = `url(#${color === "B" ? "black" : "white"})`;
    return svg("circle", { cx, cy, r: 0.475 * this.cell, fill, stroke: "#161616", "stroke-width": 0.8 });
  }

  /** Stones of a line to come, numbered; an empty line shows none. */
  expect(line, color) {
    const seen = new Set(), drawn = [];
    line.forEach((vertex, i) => {
      const own = i % 2 ? (color === "B" ? "W" : "B") : color;
      if (vertex === "pass" || seen.has(vertex)) return;
      seen.add(vertex);
      const [x, y] = this.place(vertex);
      const size = 0.44 * this.cell;
      const text = svg("text", { x, y: y + 0.36 * size, "font-size": size, "text-anchor": "middle", fill: own === "B" ? "#fafafa" : "#161616" }, `${i + 1}`);
      drawn.push(this.stone(vertex, own), text);
    });
    this.layer("expected").replaceChildren(...drawn);
    this.isDim = drawn.length > 0;
    this.dim();
  }

  /** Marks stand back while a line is shown. */
  dim() {
    this.layer("marks").style.opacity = this.isDim ? 0.25 : "";
  }

  // ---- keys

  key(event) {
    if (event.ctrlKey || event.altKey || event.metaKey) return;
    const steps = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] };
    const action = this.options.keys?.[event.key.toLowerCase()];
    if (steps[event.key]) this.walk(...steps[event.key]);
    else if (event.key === "Enter" || event.key === " ") this.options.play?.(this.vertex());
    else if (action) action();
    else return;
    event.preventDefault();
  }

  vertex() {
    return COLUMNS[this.column] + (this.row + 1);
  }

  walk(dx, dy, isQuiet = false) {
    if (!this.svg) return;
    if (isQuiet && this.pointer) { this.pointer = null; return; }
    this.walks = true;
    const held = i => Math.max(0, Math.min(this.lines - 1, i));
    this.column = held(this.column + dx);
    this.row = held(this.row + dy);
    this.drawCursor();
    say(this.options.describe?.(this.vertex()) ?? this.vertex());
    this.options.hover?.(this.vertex());
  }

  drawCursor() {
    const [x, y] = this.place(this.vertex()), side = 0.98 * this.cell;
    const square = width => svg("rect", {
      x: x - side / 2, y: y - side / 2, width: side, height: side, rx: 5, fill: "none",
      stroke: width > 4 ? "#fff" : "#0b5fd0", "stroke-width": width,
    });
    this.layer("cursor").replaceChildren(square(6), square(3.5));
  }
}
