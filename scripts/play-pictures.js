// Pictures of every view of `moku play`, light and dark, wide and narrow.
//
// usage: NODE_PATH=…/node_modules node scripts/play-pictures.js MOKU FOLDER
const { ROOT, ask, drop, open, says, serve, start, wrong } = require("./browser.js");
const fs = require("fs");
const path = require("path");
const assert = require("assert");

const [moku, folder] = process.argv.slice(2);
if (!folder) {
  console.error("usage: play-pictures.js MOKU FOLDER");
  process.exit(2);
}

/** What is worth a look: a name, its view, and how to get there on the first page (all show the same board) and on each. */
const SCENES = [
  ["play", "play", async page => {
    await ask(page, "game", { do: "load", sgf: fs.readFileSync(path.join(ROOT, "sgf/examples/go19.sgf"), "utf8") });
    await ask(page, "game", { do: "overlay", name: "winrate" });
    await ask(page, "game", { do: "analyse", on: true });
    for (const at of [0, 6, 12, 18, 24, 27, 29, 31]) {
      await ask(page, "game", { do: "go", at });
      await page.waitForTimeout(700);
    }
    await page.waitForTimeout(6000);
  }],
  ["territory", "play", async page => {
    await ask(page, "game", { do: "analyse", on: false });
    await ask(page, "game", { do: "load", sgf: fs.readFileSync(path.join(ROOT, "sgf/examples/go9.sgf"), "utf8") });
    await ask(page, "game", { do: "overlay", name: "ownership" });
  }],
  ["new-game", "play", async () => {}, page => page.click("#new"), page => page.keyboard.press("Escape")],
  ["engine", "play", async () => {}, page => page.click("#engine-card summary"), page => page.click("#engine-card summary")],
  ["compare", "play", async page => {
    await ask(page, "game", { do: "overlay", name: "" });
    await page.click("#compare-card summary");
    await page.fill("#compare [name=left]", "inherited-mc");
    await page.fill("#compare [name=playouts]", "6000");
    await page.click("#compare button.main");
    await page.waitForFunction(() => [...document.querySelectorAll("#compared .count")].filter(p => /nodes$/.test(p.textContent)).length === 2);
  }, () => {}, page => page.evaluate(() => (document.querySelector("#compared").hidden = true))],
  ["count", "play", async page => {
    await ask(page, "game", { do: "pass" });
    await ask(page, "game", { do: "pass" });
  }],
  ["review", "review", async page => {
    await page.click("nav a[data-view=review]");
    await page.fill("#review-form [name=playouts]", "300");
    await drop(page, "#review-board", "go9.sgf", fs.readFileSync(path.join(ROOT, "sgf/examples/go9.sgf"), "utf8"));
    await says(page, "#review-about", /(\d+) of \1 positions/);
  }, page => page.click("#review-list button")],
  ["solve", "solve", async () => {}, async page => {
    await page.waitForSelector("#solve-board svg");
    await page.selectOption("#solve-set", "side");
    await says(page, "#solve-name", /^side/);
    await page.click("#solve-show");
    await says(page, "#solve-words", /Right/);
  }],
];

async function takePictures(browser, url) {
  const pages = [];
  for (const colorScheme of ["light", "dark"]) {
    for (const [kind, options] of [["wide", { viewport: { width: 1280, height: 860 } }], ["narrow", { viewport: { width: 390, height: 844 }, isMobile: true, hasTouch: true }]]) {
      const page = await open(browser, url, { colorScheme, ...options });
      await page.waitForSelector("#board svg");
      pages.push([`${colorScheme}-${kind}`, page]);
    }
  }
  for (const [name, view, prepare, show = () => {}, hide = () => {}] of SCENES) {
    await prepare(pages[0][1]);
    for (const [kind, page] of pages) {
      await page.click(`nav a[data-view=${view}]`);
      await show(page);
      await page.evaluate(() => { document.activeElement.blur(); scrollTo(0, 0); });
      await page.waitForTimeout(300);
      const width = await page.evaluate(() => document.documentElement.scrollWidth);
      assert(width <= page.viewportSize().width, `${name}, ${kind}: ${width} pixels wide`);
      await page.screenshot({ path: path.join(folder, `${name}-${kind}.png`), fullPage: name !== "play" || /narrow/.test(kind) });
      await hide(page);
    }
  }
  for (const [, page] of pages) await page.context().close();
}

async function main() {
  const { url, stop } = await serve(moku);
  const browser = await start();
  try {
    await takePictures(browser, url);
  } finally {
    await browser.close();
    stop();
  }
  assert.deepEqual(wrong, [], "something was said in the console");
}

main().catch(error => {
  console.error(error);
  process.exit(1);
});
