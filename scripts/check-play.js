// Drives `moku play` in Chromium as a person would, and says what is wrong with it.
//
// usage: NODE_PATH=…/node_modules node scripts/check-play.js MOKU [STEPS]
//
// Steps are those whose names match a pattern; without it all are made. Pictures to look at: play-pictures.js.
const { COLUMNS, ROOT, ask, click, drop, isBusy, open, place, says, serve, start, wrong } = require("./browser.js");
const fs = require("fs");
const path = require("path");
const assert = require("assert");

const [moku, only] = process.argv.slice(2);
if (!moku) {
  console.error("usage: check-play.js MOKU [STEPS]");
  process.exit(2);
}
const words = page => page.textContent("#words");
const moveNumber = async page => +(await page.textContent("#move-number")).match(/\d+/)[0];

async function newGame(page, fields) {
  await page.click("#new");
  for (const [name, value] of Object.entries(fields)) {
    const field = page.locator(`#new-form [name=${name}]`);
    if ((await field.evaluate(f => f.tagName)) === "SELECT") await field.selectOption(value);
    else await field.fill(value);
  }
  await page.click("#new-form button[value=start]");
  await page.waitForSelector("#new-game:not([open])", { state: "attached" });
  await page.waitForFunction(() => /Your turn|to play|thinking/.test(document.querySelector("#words").textContent));
}

const isReady = page => page.waitForFunction(() => !/thinking/.test(document.querySelector("#words").textContent));

async function playTenMoves(page) {
  await newGame(page, { game: "go", size: "9", you: "black", effort: "level", level: "1", clock: "" });
  let own = 0;
  for (const vertex of ["E5", "C3", "G7", "C7", "G3", "D5", "F5", "E3", "E7", "C5", "G5", "D3", "F7", "D7", "F3", "B2", "H8", "B8", "H2"]) {
    if (own === 10) break;
    const isFree = await page.evaluate(([columns, vertex]) => import("/play.js").then(({ state }) =>
      state.stones[(state.size - vertex.slice(1)) * state.size + columns.indexOf(vertex[0])] === "."), [COLUMNS, vertex]);
    if (!isFree) continue;
    const before = await moveNumber(page);
    await click(page, vertex);
    const answered = page.waitForFunction(n => document.querySelector("#move-number").textContent.includes(`Move ${n + 2}`), before, { timeout: 5000 });
    own += await answered.then(() => 1, () => 0);
    await isReady(page);
  }
  assert.equal(own, 10, "ten moves of Go were played");
  const before = await moveNumber(page);
  await page.click("#undo");
  await page.waitForFunction(n => document.querySelector("#move-number").textContent === `Move ${n - 2}`, before);
  await page.click("#hint");
  await page.waitForSelector("#toast:not([hidden])");
}

/** Milliseconds from a click to the stone, the fastest of some. */
async function clickTime(page) {
  await newGame(page, { game: "go", size: "19", you: "both", clock: "" });
  const times = [];
  for (const vertex of ["D4", "Q16", "D16", "Q4", "K10", "C14", "R6"]) {
    const [x, y] = await place(page, "#board", vertex);
    times.push(await page.evaluate(([x, y]) => new Promise(resolve => {
      const board = document.querySelector("#board"), began = performance.now();
      new MutationObserver((_, observer) => {
        if (!board.querySelector("g.stones")) return;
        observer.disconnect();
        resolve(performance.now() - began);
      }).observe(board, { childList: true });
      board.dispatchEvent(new MouseEvent("click", { clientX: x, clientY: y, bubbles: true }));
    }), [x, y]));
  }
  const median = times.sort((a, b) => a - b)[times.length >> 1];
  console.log(`a stone is drawn ${times[0].toFixed(1)} ms after the click at best, ${median.toFixed(1)} in the median`);
  assert(times[0] < (isBusy() ? 2000 : 50), `a click takes ${times[0]} ms`);
}

async function playGobang(page) {
  await newGame(page, { game: "gobang", size: "15", you: "black", effort: "level", level: "1", clock: "" });
  const free = [];
  for (let row = 1; row <= 15; row++) for (const column of COLUMNS.slice(0, 15)) free.push(`${column}${row}`);
  for (const vertex of ["H8", "H7", "G8", ...free]) {
    if (/wins|draw/.test(await words(page))) break;
    await click(page, vertex);
    await page.waitForTimeout(30);
    await isReady(page);
  }
  assert.match(await words(page), /five in a row/, "the game of Gobang came to its end");
}

async function lookAtSearch(page) {
  const file = fs.readFileSync(path.join(ROOT, "sgf/examples/go9.sgf"), "utf8");
  await drop(page, "#board", "go9.sgf", file);
  await page.waitForFunction(() => +document.querySelector("#move-number").textContent.match(/\d+/)[0] > 20);
  await page.waitForSelector("#rateless-review:not([hidden])");
  await page.click("[data-go=back]");
  await page.selectOption("#overlay", "winrate");
  await page.click("#analyse");
  await page.waitForSelector("#rows tbody tr");
  await page.waitForSelector("#rateless", { state: "hidden" });
  await page.waitForSelector("#board g.marks circle");
  await page.hover("#rows tbody tr");
  await page.waitForSelector("#board g.expected circle");
  const graph = await page.locator("#graph").boundingBox();
  await page.mouse.click(graph.x + graph.width / 2, graph.y + 20);
  await page.waitForFunction(() => /of/.test(document.querySelector("#move-number").textContent));
  await page.reload();
  await page.waitForSelector("#rows tbody tr");
  assert.equal(await page.getAttribute("#analyse", "aria-pressed"), "true", "a reload in mid-search changes nothing");
  await page.click("#analyse");
  const overlays = await page.locator("#overlay option").evaluateAll(options => options.map(o => o.value));
  assert.deepEqual(overlays, ["", "winrate", "visits", "ownership", "potential", "gradient", "filter1", "filter2", "filter3", "filter4", "random", "combination"]);
  for (const name of overlays.slice(3)) {
    await page.selectOption("#overlay", name);
    await page.waitForFunction(name => document.querySelector("#overlay").value === name && document.querySelector("#caption").textContent, name);
    const marks = await page.locator("#board g.marks *, #board g.cells *").count();
    assert(marks > 20, `${name} shows ${marks} marks`);
  }
  await page.selectOption("#overlay", "ownership");
  await says(page, "#estimated", /Estimate: (Black|White) by about [\d.]+ if played on/);
  await page.click("#estimate");
  await says(page, "#estimated", /^$/);
  await page.click("#engine-card summary");
  await page.selectOption("#engine select", "shot");
  await says(page, "#engine-name", /^shot$/);
  for (const axis of ["allocation", "effort"]) await page.locator("#engine summary", { hasText: axis }).click();
  await page.locator("#engine label", { hasText: "remainder" }).locator("select").selectOption("drop");
  await page.waitForFunction(() => /remainder=drop/.test(document.querySelector("#engine-line").value));
  await page.locator("#engine label", { hasText: /^playouts/ }).locator("input").fill("many");
  await page.keyboard.press("Tab");
  await says(page, "#toast", /takes/);
  await page.click("#compare-card summary");
  await page.fill("#compare [name=left]", "inherited-mc");
  await page.fill("#compare [name=playouts]", "3000");
  await page.click("#compare button.main");
  await says(page, "#compared h2", /^inherited-mc$/);
  await page.waitForFunction(() => document.querySelectorAll("#compared .rows").length === 2
    && [...document.querySelectorAll("#compared .count")].every(p => /[1-9].*playouts, .*nodes$/.test(p.textContent)));
  const heads = await page.locator("#compared th:visible").allTextContents();
  assert(heads.includes("Round"), "the rounds of halving are seen");
  assert(heads.includes("Inherited"), "what was inherited is seen");
  const ideas = await page.locator("#compared .idea").allTextContents();
  assert(/as much as [\d,]+ playouts/.test(ideas[0]) && /Halving left of \d+ moves (\d+, )+1\./.test(ideas[1]), ideas.join());
  // A handicap game: the reward komi of the side that is behind.
  await ask(page, "game", { do: "new", game: "go", size: 9, you: "both", handicap: 4, komi: 0.5 });
  await page.fill("#compare [name=left]", "handicap");
  await page.fill("#compare [name=playouts]", "500");
  await page.click("#compare button.main");
  await says(page, "#compared .idea", /Reward sigmoid-komi, behind.*playouts/);
  await page.waitForSelector("#compared .curve polyline");
}

async function reviewGame(page) {
  await page.click("nav a[data-view=review]");
  await page.fill("#review-form [name=playouts]", "30");
  const doc = fs.readFileSync(path.join(ROOT, "sgf/examples/go9.sgf"), "utf8");
  await page.fill("#review-form [name=playouts]", "100000000");
  await drop(page, "#review-board", "endless.sgf", doc);
  await says(page, "#review-about", /endless.*0 of 25/);
  await page.click("#review-stop");
  await says(page, "#review-stop", /Go on/);
  await page.fill("#review-form [name=playouts]", "30");
  await drop(page, "#review-board", "gobang15.sgf", fs.readFileSync(path.join(ROOT, "sgf/examples/gobang15.sgf"), "utf8"));
  await page.waitForSelector("#review-stop", { state: "hidden" });
  await page.waitForFunction(() => /(\d+) of \1 positions/.test(document.querySelector("#review-about").textContent));
  await page.waitForSelector("#review-board svg");
  await page.waitForSelector("#review-graph polyline");
  await page.click("#review-list button");
  await says(page, "#review-words", /Move \d+, .*loss of .*moku prefers/);
  const graph = await page.locator("#review-graph").boundingBox();
  await page.mouse.click(graph.x + graph.width - 10, graph.y + 20);
  await says(page, "#review-number", /^Move (\d+) of \1$/);
  await page.locator("#review-board").focus();
  await page.keyboard.press("ArrowLeft");
  await page.waitForFunction(() => { const [, a, b] = document.querySelector("#review-number").textContent.match(/(\d+) of (\d+)/); return +a === b - 1; });
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#review-sgf")]);
  const text = fs.readFileSync(await download.path(), "utf8");
  assert(text.includes("SBKV["), "the reviewed game has win rates");
  const [saved] = await Promise.all([page.waitForEvent("download"), page.click("#review-html")]);
  const html = fs.readFileSync(await saved.path(), "utf8");
  assert(html.includes("<svg") && !/<script|src="|href="http/.test(html), "the saved page needs nothing else");
  await page.click("#review-look");
  await page.waitForFunction(() => location.hash === "#play");
}

async function solveProblem(page) {
  await page.click("nav a[data-view=solve]");
  await page.waitForSelector("#solve-board svg");
  const said = () => page.textContent("#solve-words");
  // Wrong: a corner far away from everything is as good as a pass.
  const problem = "(;SZ[9]AB[ag][bg][cg][dg][eg][eh][ei]AW[ah][bh][ch][dh][di]PL[B]C[Black to play and kill.](;B[bi]C[RIGHT]))";
  await drop(page, "#solve-board", "three.sgf", problem);
  await page.waitForFunction(() => /three/.test(document.querySelector("#solve-name").textContent));
  await click(page, "C1", "#solve-board");
  await page.waitForFunction(() => /Wrong/.test(document.querySelector("#solve-words").textContent));
  assert.match(await said(), /alive/);
  await page.click("#solve-again");
  await page.waitForFunction(() => /to play and kill/.test(document.querySelector("#solve-words").textContent));
  await page.click("#solve-show");
  await page.waitForFunction(() => /Right: B1/.test(document.querySelector("#solve-words").textContent));
  await click(page, "B1", "#solve-board");
  await page.waitForFunction(() => /Solved|Right so far/.test(document.querySelector("#solve-words").textContent));
  for (let i = 0; i < 8 && !/Solved/.test(await said()); i++) {
    await page.click("#solve-show");
    await page.waitForFunction(() => /^Right: \w/.test(document.querySelector("#solve-words").textContent));
    await click(page, (await said()).match(/Right: (\w+)/)[1], "#solve-board");
    await page.waitForFunction(() => !/^Right: /.test(document.querySelector("#solve-words").textContent));
  }
  assert.match(await said(), /Solved.*dead/);
  await says(page, "#solve-progress", /0 solved at once.*1 with a mistake/);
  await page.selectOption("#solve-set", "corner");
  await says(page, "#solve-name", /^corner 1 of/);
  await page.click("#solve-next");
  await says(page, "#solve-name", /^corner 2 of/);
  await page.setInputFiles("#solve-dir", path.join(ROOT, "sgf/tsumego/standard/eye-shape"));
  await says(page, "#solve-name", /^eye-shape 1 of/);
  await page.selectOption("#solve-level", "1");
  await page.click("#solve-make");
  await page.waitForFunction(() => /made for you/.test(document.querySelector("#solve-name").textContent));
  await page.reload();
  await page.waitForFunction(() => /made for you/.test(document.querySelector("#solve-name").textContent));
}

async function playByKeys(page) {
  await page.click("nav a[data-view=play]");
  await newGame(page, { game: "go", size: "9", you: "both", clock: "" });
  await page.evaluate(() => document.activeElement.blur());
  for (let i = 0; i < 30 && !(await page.evaluate(() => document.activeElement.id === "board")); i++) await page.keyboard.press("Tab");
  assert.equal(await page.evaluate(() => document.activeElement.id), "board", "the board is reached with Tab");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowUp");
  assert.match(await page.textContent("#say"), /^D6, empty/);
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.querySelector("#move-number").textContent === "Move 1");
  await page.keyboard.press("ArrowLeft");
  await page.keyboard.press("ArrowRight");
  assert.match(await page.textContent("#say"), /^D6, black stone, last move/);
  await page.keyboard.press("p");
  await page.waitForFunction(() => /White passed/.test(document.querySelector("#words").textContent));
  await page.keyboard.press("p");
  await page.waitForSelector("#accept:not([hidden])");
  // A single stone has the whole board.
  await says(page, "#estimated", /^$/);
  await page.click("#accept");
  await page.waitForFunction(() => /wins by/.test(document.querySelector("#words").textContent));
}

/** The clock of a person, byo-yomi, and what happens when it is over. */
async function playByClock(page) {
  // Each is shown for a second only: written down as it comes, since a busy machine may look too late.
  await page.evaluate(() => {
    const time = document.querySelector(".player .time");
    window.times = [];
    new MutationObserver(() => window.times.push(time.textContent)).observe(time, { childList: true });
  });
  await ask(page, "game", { do: "new", game: "go", size: 9, you: "black", level: 1, clock: { main: 0.5, period: 1, periods: 2 } });
  await says(page, "#words", /White wins on time/);
  const seen = (await page.evaluate(() => window.times)).join(", ");
  assert(isBusy() || /0:01 × 2.*0:01 × 1/.test(seen), `the clock showed ${seen}`);
}

/** The end: dead stones are changed by a click, the result goes into the file. */
async function countTheEnd(page) {
  const file = "(;SZ[5]KM[0.5];B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[ec];W[ab])";
  await drop(page, "#board", "end.sgf", file);
  await says(page, "#move-number", /Move 12/);
  await page.click("#pass");
  await page.click("#pass");
  await says(page, "#words", /by .* points\? Click dead stones/);
  const before = await words(page);
  await click(page, "A4");
  await page.waitForFunction(before => document.querySelector("#words").textContent !== before, before);
  await click(page, "A4");
  await page.waitForFunction(before => document.querySelector("#words").textContent === before, before);
  await page.click("#accept");
  await says(page, "#words", /wins by/);
  const [download] = await Promise.all([page.waitForEvent("download"), page.click("#save")]);
  assert.match(fs.readFileSync(await download.path(), "utf8"), /RE\[[BW]\+[\d.]+\]/);
  await newGame(page, { game: "go", size: "9", you: "black", effort: "level", level: "1", clock: "" });
  await page.click("#resign");
  await says(page, "#resign", /Really/);
  await page.click("#resign");
  await says(page, "#words", /White wins by resignation/);
}

/** Two tabs see one game; a socket that breaks comes back; an address asks for a board. */
async function severalTabs(browser, page, url) {
  const other = await open(browser, `${url}#play?game=go&size=7&you=both`);
  await says(page, "#words", /Black to play/);
  await page.waitForFunction(() => document.querySelector("#board svg").dataset.lines === "7");
  await click(other, "D4");
  await says(page, "#move-number", /Move 1/);
  await ask(page, "game", { do: "analyse", on: true });
  await other.waitForSelector("#rows tbody tr");
  // A laptop is closed: the sockets break in mid-search.
  await other.evaluate(() => window.lastSocket.close());
  await says(other, "#link", /does not answer/);
  await click(page, "C3");
  await says(other, "#link", /^$/);
  await says(other, "#move-number", /Move 2/);
  await other.waitForSelector("#rows tbody tr");
  await other.context().close();
  await ask(page, "game", { do: "analyse", on: false });
}

/** Pictures of a search come ten times a second; while it runs a click is answered. */
async function liveRate(page) {
  await ask(page, "game", { do: "new", game: "go", size: 9, you: "both" });
  await ask(page, "game", { do: "overlay", name: "winrate" });
  await ask(page, "game", { do: "analyse", on: true });
  await page.waitForSelector("#rows tbody tr");
  const each = await page.evaluate(() => new Promise(resolve => {
    const began = performance.now();
    let seen = 0;
    new MutationObserver((_, observer) => {
      if (++seen < 20) return;
      observer.disconnect();
      resolve((performance.now() - began) / seen);
    }).observe(document.querySelector("#speed"), { childList: true });
  }));
  console.log(`a live picture every ${each.toFixed(0)} ms`);
  assert(each < (isBusy() ? 3000 : 200), `a live picture every ${each} ms`);
  await ask(page, "game", { do: "overlay", name: "" });
  await ask(page, "game", { do: "analyse", on: false });
}

/** Beyond the own machine: no token, no page; with it everything, and the cookie goes on without. */
async function listenWithToken(browser) {
  const { url, stop } = await serve(moku, "--listen", "0.0.0.0");
  try {
    const [base, token] = url.split("?token=");
    assert(token?.length === 32, url);
    const refused = await fetch(base);
    assert.equal(refused.status, 403);
    assert.match(await refused.text(), /token/);
    for (const wrong of ["", "0".repeat(32), token.slice(1)]) assert.equal((await fetch(`${base}?token=${wrong}`)).status, 403);
    const page = await open(browser, url);
    await page.waitForSelector("#board svg");
    await click(page, "E5");
    await says(page, "#move-number", /Move [12]/);
    await page.goto(base);
    await page.waitForSelector("#board svg");
    await says(page, "#move-number", /Move [1-9]/);
    await page.context().close();
  } finally {
    stop();
  }
}

/** Tab goes through what can be used in the order in which it is seen, and everything has a name. */
async function checkFocus(page) {
  for (const view of ["play", "review", "solve"]) {
    await page.click(`nav a[data-view=${view}]`);
    await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); window.reached = new Set(); });
    const seen = [];
    for (let i = 0; i < 60; i++) {
      await page.keyboard.press("Tab");
      const at = await page.evaluate(() => {
        const e = document.activeElement, box = e.getBoundingClientRect(), style = getComputedStyle(e);
        const name = e.getAttribute("aria-label") ?? (e.labels?.[0]?.textContent || e.textContent || e.title).trim();
        const column = box.left > innerWidth * 0.6 && e.closest(".panel") ? 1 : 0;
        // After the last one some versions of Chromium leave the page, others begin anew.
        const isEnd = e === document.body || window.reached.has(e);
        window.reached.add(e);
        return isEnd ? null : { name, tag: e.tagName, column, y: box.top + scrollY, x: box.left, outline: style.outlineStyle, ring: e.matches(":focus-visible") };
      });
      // The first Tab may come from the end of the page that was left.
      if (!at && seen.length) break;
      if (at) seen.push(at);
    }
    assert(seen.length > 6, `${view}: ${seen.length} things can be reached`);
    for (const [i, at] of seen.entries()) {
      assert(at.name, `${view}: a ${at.tag} has no name`);
      assert(at.ring && at.outline !== "none", `${view}: the focus on "${at.name}" is not seen`);
      const last = seen[i - 1];
      const goesOn = !last || at.column > last.column || (at.column === last.column && (at.y > last.y - 30));
      assert(goesOn || i === 1, `${view}: the focus jumps back from "${last?.name}" to "${at.name}"`);
    }
  }
  await page.click("nav a[data-view=play]");
}

async function playOnPhone(browser, url) {
  const page = await open(browser, url, { viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
  await page.waitForSelector("#board svg");
  await newGame(page, { game: "go", size: "19", you: "both", clock: "" });
  const [x, y] = await place(page, "#board", "Q16");
  await page.touchscreen.tap(x, y);
  await page.waitForSelector("#confirm:not([hidden])");
  assert.equal(await moveNumber(page), 0, "a finger on a narrow board aims first");
  await page.touchscreen.tap(x, y);
  await page.waitForFunction(() => document.querySelector("#move-number").textContent === "Move 1");
  for (const view of ["play", "review", "solve"]) {
    await page.click(`nav a[data-view=${view}]`);
    await page.waitForTimeout(200);
    const needs = await page.evaluate(() => document.documentElement.scrollWidth);
    assert(needs <= 390, `the view ${view} is ${needs} pixels wide`);
  }
  await page.context().close();
}

/** Words can be read: every pair of colours has a contrast of at least 4.5. */
async function checkContrast(browser, url) {
  for (const colorScheme of ["light", "dark"]) {
    const page = await open(browser, url, { colorScheme });
    const low = await page.evaluate(() => {
      const style = getComputedStyle(document.documentElement);
      const light = name => {
        const hex = style.getPropertyValue(name).trim().slice(1);
        const full = hex.length === 3 ? [...hex].map(c => c + c).join("") : hex;
        const [r, g, b] = [0, 2, 4].map(i => parseInt(full.slice(i, i + 2), 16) / 255).map(c => (c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4));
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      };
      const ratio = (a, b) => (Math.max(light(a), light(b)) + 0.05) / (Math.min(light(a), light(b)) + 0.05);
      const grounds = ["--ground", "--card"], inks = ["--ink", "--faint", "--bad", "--good", "--accent", "--line"];
      const pairs = [...grounds.flatMap(g => inks.map(i => [i, g])), ["--on-accent", "--accent"]];
      return pairs.map(([a, b]) => [`${a} on ${b}`, ratio(a, b)]).filter(([, r]) => r < 4.5);
    });
    assert.deepEqual(low, [], `${colorScheme}: too little contrast`);
    await page.context().close();
  }
}

async function main() {
  const { url, stop } = await serve(moku);
  const browser = await start();
  const step = async (name, work) => {
    if (only && !new RegExp(only).test(name)) return;
    const began = Date.now();
    await work();
    console.log(`ok: ${name} (${((Date.now() - began) / 1000).toFixed(1)} s)`);
  };
  try {
    const page = await open(browser, url);
    await page.waitForSelector("#board svg");
    await step("ten moves of Go, undo, hint", () => playTenMoves(page));
    await step("clicks are answered", () => clickTime(page));
    await step("a game of Gobang", () => playGobang(page));
    await step("a dropped game, a live search, overlays, engines side by side", () => lookAtSearch(page));
    await step("a review", () => reviewGame(page));
    await step("a problem solved wrong and right, and one made", () => solveProblem(page));
    await step("keyboard only, and the count", () => playByKeys(page));
    await step("a clock", () => playByClock(page));
    await step("dead stones by a click, the result in a file, resigning", () => countTheEnd(page));
    await step("several tabs, and a connection that breaks", () => severalTabs(browser, page, url));
    await step("live pictures", () => liveRate(page));
    await step("beyond the own machine with a token", () => listenWithToken(browser));
    await step("order and names of what has the focus", () => checkFocus(page));
    await step("a phone held upright", () => playOnPhone(browser, url));
    await step("contrast", () => checkContrast(browser, url));
  } finally {
    await browser.close();
    stop();
  }
  assert.deepEqual(wrong, [], "something was said in the console");
}

main().catch(error => {
  console.error(error);
  wrong.forEach(line => console.error(line));
  process.exit(1);
});
