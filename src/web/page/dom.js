// Small helpers for the page.

export const $ = (selector, root = document) => root.querySelector(selector);
export const $$ = (selector, root = document) => [...root.querySelectorAll(selector)];

const SVG = "http://www.w3.org/2000/svg";

function fill(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (value === true) node.setAttribute(key, "");
    else if (value !== false && value != null) node.setAttribute(key, value);
  }
  node.append(...children);
  return node;
}

/** An element; children are elements or words, never markup. */
export const el = (name, attributes = {}, ...children) => fill(document.createElement(name), attributes, children);
export const svg = (name, attributes = {}, ...children) => fill(document.createElementNS(SVG, name), attributes, children);

/** Tells what a screen reader should say. */
export function say(words) {
  $("#say").textContent = words;
}

let hiding;
export function toast(words) {
  const box = $("#toast");
  box.textContent = /^moku\b/.test(words) ? words : words.charAt(0).toUpperCase() + words.slice(1);
  box.hidden = false;
  clearTimeout(hiding);
  hiding = setTimeout(hideToast, 5000);
}

/** What was said about one view is not for the next. */
export const hideToast = () => ($("#toast").hidden = true);

/** The files that were dropped or chosen, folders included: [name, letters], a letter for each byte. */
export async function readFiles(list) {
  const read = [];
  for (const file of list) {
    if (file.size > 1_500_000) throw new Error(`${file.name} is too large for a game`);
    read.push([file.name, letters(new Uint8Array(await file.arrayBuffer()))]);
  }
  return read;
}

/** Text as moku takes files: a letter for each byte of it. */
export const lettersOf = text => letters(new TextEncoder().encode(text));

function letters(bytes) {
  let text = "";
  for (let i = 0; i < bytes.length; i += 8192) text += String.fromCharCode(...bytes.subarray(i, i + 8192));
  return text;
}

/** Hands a file to the person. */
export function download(name, text, type) {
  const url = URL.createObjectURL(new Blob([text], { type }));
  el("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

export const percent = rate => `${(100 * rate).toFixed(1)} %`;

/** What stays in this browser; nothing breaks where it may not be kept. */
export const kept = {
  get(key, otherwise) {
    try { return JSON.parse(localStorage.getItem(`moku-${key}`)) ?? otherwise; } catch { return otherwise; }
  },
  set(key, value) {
    try { localStorage.setItem(`moku-${key}`, JSON.stringify(value)); } catch { /* a private window, say */ }
  },
};
