// The page: its views, by the part of the address after #.

import { $$, hideToast } from "/dom.js";
import { connect } from "/wire.js";
import * as play from "/play.js";
import * as look from "/look.js";
import * as compare from "/compare.js";
import * as review from "/review.js";
import * as solve from "/solve.js";

const VIEWS = { play, review, solve };

function show() {
  const [name] = location.hash.slice(1).split("?");
  const wanted = VIEWS[name] ? name : "play";
  hideToast();
  $$(".view").forEach(view => (view.hidden = view.id !== wanted));
  $$("nav a").forEach(link => {
    if (link.dataset.view === wanted) link.setAttribute("aria-current", "page");
    else link.removeAttribute("aria-current");
  });
  document.title = `moku: ${wanted}`;
  VIEWS[wanted].shown?.(new URLSearchParams(location.hash.split("?")[1] ?? ""));
}

play.start();
look.start();
compare.start();
review.start();
solve.start();
addEventListener("hashchange", show);
connect();
show();
