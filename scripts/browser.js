// A person in front of `moku play`, for scripts: the page in Chromium, clicks, files that are dropped.
//
// Needs playwright-core (NODE_PATH) and Debian's Chromium.
const { chromium } = require("playwright-core");
const { spawn } = require("child_process");
const path = require("path");

const ROOT = path.join(__dirname, "..");
const COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ";
const FLAGS = [
  "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking",
  "--disable-component-update", "--disable-sync",
];

/** Starts `moku play`; its address, and a way to stop it. */
function serve(moku, ...options) {
  const child = spawn(moku, ["play", "--no-open", "--port", "0", "--seed", "1", ...options], { stdio: ["ignore", "pipe", "ignore"] });
  return new Promise((resolve, reject) => {
    child.once("exit", () => reject(new Error("moku play ended")));
    child.stdout.once("data", data => resolve({ url: data.toString().trim(), stop: () => child.kill() }));
  });
}

const start = () => chromium.launch({ executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium", args: FLAGS });

/** What pages said in the console, or failed with. */
const wrong = [];

async function open(browser, url, options = {}) {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 }, ...options });
  const page = await context.newPage();
  page.setDefaultTimeout(120_000); // a busy machine is no fault of the page
  page.on("console", message => ["error", "warning"].includes(message.type()) && wrong.push(`console: ${message.text()}`));
  page.on("pageerror", error => wrong.push(`page: ${error.message}`));
  // So that a check can break the connection.
  await page.addInitScript(() => {
    const Socket = WebSocket;
    window.WebSocket = class extends Socket {
      constructor(...address) {
        super(...address);
        window.lastSocket = this;
      }
    };
  });
  await page.goto(url);
  return page;
}

/** Waits until the words of an element are such. */
const says = (page, selector, pattern) =>
  page.waitForFunction(([selector, source]) => new RegExp(source).test(document.querySelector(selector)?.textContent ?? ""), [selector, pattern.source]);

/** Asks as the page itself does, to get somewhere quickly. */
const ask = (page, thread, command) =>
  page.evaluate(([thread, command]) => import("/wire.js").then(wire => wire.ask(thread, command)), [thread, command]);

/** The place of a vertex on the screen. The board may be drawn anew at any time, so all is read at once. */
async function place(page, box, vertex) {
  await page.locator(box).scrollIntoViewIfNeeded();
  return page.locator(box).evaluate((box, [columns, vertex]) => {
    const svg = box.firstElementChild, area = svg.getBoundingClientRect();
    const { lines, cell, margin } = svg.dataset, side = svg.viewBox.baseVal.width;
    const on = (i, from, length) => from + ((+margin + i * cell) / side) * length;
    return [on(columns.indexOf(vertex[0]), area.x, area.width), on(lines - vertex.slice(1), area.y, area.height)];
  }, [COLUMNS, vertex]);
}

async function click(page, vertex, box = "#board") {
  await page.mouse.click(...(await place(page, box, vertex)));
}

async function drop(page, target, name, text) {
  const data = await page.evaluateHandle(([name, text]) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([text], name));
    return transfer;
  }, [name, text]);
  await page.dispatchEvent(target, "drop", { dataTransfer: data });
}

/**
 * Has the machine so much else to do that promises about time cannot be checked? A processor that is asked for 100 ms of
 * work is then elsewhere for a part of them.
 */
function isBusy() {
  const began = process.hrtime.bigint(), before = process.cpuUsage();
  while (process.hrtime.bigint() - began < 100_000_000n);
  const { user, system } = process.cpuUsage(before);
  return user + system < 90_000;
}

module.exports = { COLUMNS, ROOT, ask, click, drop, isBusy, open, place, says, serve, start, wrong };
