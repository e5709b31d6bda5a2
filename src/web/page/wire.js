// The way to moku: commands with answers, and news by topic. Comes back by itself after a break.

import { $, toast } from "/dom.js";

/** moku hangs up on more. */
const LARGEST = 4_000_000;
const listeners = {};
const waiting = new Map();
let socket = null, next = 1, patience = 250;

/** Calls with every piece of news of a topic. */
export function on(topic, listener) {
  (listeners[topic] ??= []).push(listener);
}

/** Asks one of moku's threads: `ask("game", { do: "pass" })`. Fails with moku's reason. */
export function ask(thread, command) {
  return new Promise((resolve, reject) => {
    if (socket?.readyState !== WebSocket.OPEN) return reject(new Error("moku does not answer"));
    const id = next++;
    const words = JSON.stringify({ id, [thread]: command });
    if (new Blob([words]).size > LARGEST) return reject(new Error("That is too large for moku."));
    waiting.set(id, { resolve, reject });
    socket.send(words);
  });
}

/** As `ask`; a refusal is shown. */
export const tryAsk = (thread, command) => ask(thread, command).catch(e => { toast(e.message); });

export function connect() {
  socket = new WebSocket(`ws://${location.host}/ws`);
  socket.onopen = () => {
    patience = 250;
    $("#link").textContent = "";
    listeners.open?.forEach(listener => listener());
  };
  socket.onmessage = event => {
    const message = JSON.parse(event.data);
    if (message.topic) return listeners[message.topic]?.forEach(listener => listener(message));
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error) answer?.reject(new Error(message.error));
    else answer?.resolve(message.ok);
  };
  socket.onclose = () => {
    $("#link").textContent = "moku does not answer; is it still running?";
    waiting.forEach(({ reject }) => reject(new Error("moku does not answer")));
    waiting.clear();
    setTimeout(connect, patience);
    patience = Math.min(2 * patience, 3000);
  };
}
