// Black's win rate over the moves. A click goes to a move.

import { svg } from "/dom.js";

const HEIGHT = 130, LEFT = 40, RIGHT = 8, TOP = 8, BOTTOM = 18;

export class Graph {
  constructor(box, go) {
    Object.assign(this, { box, width: 0, last: null });
    // Drawn as wide as it is shown, so that its words are not stretched.
    new ResizeObserver(() => this.last && box.clientWidth !== this.width && this.draw(...this.last)).observe(box);
    box.addEventListener("click", e => {
      const area = box.firstElementChild?.getBoundingClientRect();
      if (!area || !this.count) return;
      const x = ((e.clientX - area.left) / area.width) * this.width;
      go(Math.max(0, Math.min(this.count, Math.round(((x - LEFT) / (this.width - LEFT - RIGHT)) * this.count))));
    });
  }

  /** rates[i] is Black's win rate after i moves, or null; `at` is where we are; `bad` are the numbers of mistakes. */
  draw(rates, at, bad = []) {
    this.last = [rates, at, bad];
    const WIDTH = (this.width = this.box.clientWidth || 400);
    const count = Math.max(rates.length - 1, 1);
    this.count = rates.length - 1;
    const x = i => LEFT + (i / count) * (WIDTH - LEFT - RIGHT), y = rate => TOP + (1 - rate) * (HEIGHT - TOP - BOTTOM);
    const line = (x1, y1, x2, y2, name) => svg("line", { x1, y1, x2, y2, class: name });
    const known = rates.flatMap((rate, i) => (rate == null ? [] : [[x(i), y(rate)]]));
    const last = rates.findLast(rate => rate != null);
    const drawing = svg("svg", {
      viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img",
      "aria-label": last == null ? "No win rates yet" : `Black's win rate, last ${(100 * last).toFixed(0)} percent`,
    });
    drawing.append(
      line(LEFT, y(1), WIDTH - RIGHT, y(1), "axis"), line(LEFT, y(0), WIDTH - RIGHT, y(0), "axis"),
      line(LEFT, y(0.5), WIDTH - RIGHT, y(0.5), "middle"),
      svg("text", { x: 2, y: y(1) + 8 }, "B"), svg("text", { x: 2, y: y(0.5) + 4 }, "50 %"), svg("text", { x: 2, y: y(0) }, "W"),
      svg("text", { x: LEFT, y: HEIGHT - 4 }, "0"), svg("text", { x: WIDTH - RIGHT, y: HEIGHT - 4, "text-anchor": "end" }, `${this.count}`),
      line(x(at), TOP, x(at), HEIGHT - BOTTOM, "here"),
      svg("polyline", { class: "rate", points: known.map(p => p.join()).join(" ") }),
      ...known.map(([cx, cy]) => svg("circle", { class: "dot", cx, cy, r: known.length > 60 ? 1.2 : 2 })),
      ...bad.filter(i => rates[i] != null).map(i => svg("circle", { class: "bad", cx: x(i), cy: y(rates[i]), r: 4 })),
    );
    this.box.replaceChildren(drawing);
  }
}
