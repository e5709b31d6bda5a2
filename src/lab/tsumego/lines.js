// Lines of a proof, played on the board of their problem. Each move: column, row from the top, 0 for black or 1 for white,
// and the points of the stones that it takes.
for (const section of document.querySelectorAll("section[data-lines]")) {
  const svg = section.querySelector("svg.board"), stones = svg.querySelector(".stones"), marks = svg.querySelector(".marks");
  const lines = JSON.parse(section.dataset.lines), buttons = [...section.querySelectorAll("button[data-line]")];
  const at = i => +svg.dataset.margin + i * svg.dataset.cell, cell = +svg.dataset.cell;
  const bare = stones.innerHTML, told = section.querySelector("output");
  const [begin, back, on, end] = section.querySelectorAll(".steps button");
  let line = -1, step = 0;
  const make = (parent, name, values, text) => {
    const element = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const key in values) element.setAttribute(key, values[key]);
    if (text) element.textContent = text;
    return parent.appendChild(element);
  };
  const isAt = (element, x, y) => Math.hypot((element.getAttribute("cx") ?? element.dataset.x) - at(x), (element.getAttribute("cy") ?? element.dataset.y) - at(y)) < 1;
  const show = () => {
    stones.innerHTML = bare;
    const moves = line < 0 ? [] : lines[line];
    moves.slice(0, step).forEach(([x, y, color, taken], i) => {
      const elsewhere = x < 0;
      if (elsewhere) return;
      make(stones, "circle", { cx: at(x), cy: at(y), r: 0.475 * cell, fill: `url(#${["black", "white"][color]})`, stroke: "#161616", "stroke-width": 0.8 });
      make(stones, "text", { x: at(x), y: at(y) + 0.15 * cell, "data-x": at(x), "data-y": at(y), "font-size": 0.42 * cell, "text-anchor": "middle", fill: ["#fafafa", "#161616"][color] }, i + 1);
      for (const [a, b] of taken) [...stones.children].filter(e => isAt(e, a, b)).forEach(e => e.remove());
    });
    marks.style.display = hits.style.display = line < 0 || step == 0 ? "" : "none";
    buttons.forEach((button, i) => button.setAttribute("aria-pressed", i == line));
    back.disabled = begin.disabled = step == 0;
    on.disabled = end.disabled = line < 0 || step == moves.length;
    const last = moves[step - 1];
    told.textContent = line < 0 ? "" : `move ${step} of ${moves.length}` + (last && last[0] < 0 ? ": elsewhere" : "");
  };
  const choose = i => { line = i; step = lines[i].length; show(); };
  const hits = make(svg, "g", { class: "hits" });
  lines.forEach((moves, i) => {
    const hit = make(hits, "circle", { cx: at(moves[0][0]), cy: at(moves[0][1]), r: 0.46 * cell, fill: "transparent" });
    make(hit, "title", {}, buttons[i].textContent);
    hit.addEventListener("click", () => choose(i));
    buttons[i].addEventListener("click", () => choose(i));
  });
  begin.addEventListener("click", () => { step = 0; show(); });
  back.addEventListener("click", () => { step--; show(); });
  on.addEventListener("click", () => { step++; show(); });
  end.addEventListener("click", () => { step = lines[line].length; show(); });
  show();
}
