/* data.js -- the data of the page (layout/html.c lists them) and what can be read off them; how
   elements are made.
   SPDX-License-Identifier: Apache-2.0 */

/* ---- data ---------------------------------------------------------------------------- */

const D = JSON.parse(document.getElementById("data").textContent);
const N = D.rows * D.cols;
const STATES = ["idle", "busy", "blocked", "dma", "ended"];
const WORDS = ["idle", "busy", "blocked in a put", "waits for memory", "ended"];
const SIGNS = ["\u25cb", "\u25cf", "\u25a0", "\u25c6", "\u2013"];
const STACKED = [1, 2, 3, 0, 4];           /* order in bars: busy first, idle late */
const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
const SIM = D.sim, FILMS = D.films;
const COUNTED = SIM !== null && SIM.counted > 0;  /* else the run ended in its warm-up */
const FINE = N <= 400;                     /* small enough for bars, signs and letters */

const row = v => Math.floor(v / D.cols), col = v => v % D.cols;
const name = v => row(v) + "," + col(v);
const digit = (text, i) => DIGITS.indexOf(text[i]);
const letters = Array.from(new Set(D.roles));
const roleClass = c => c === "." ? 7 : letters.filter(x => x !== ".").indexOf(c) % 7;
const roleWord = c => c === "." ? "no role" : "role " + c;
const integer = x => x.toLocaleString("en-US").replace(/,/g, "\u202f");
const percent = x => (100 * x).toFixed(x > 0 && x < 0.0995 ? 1 : 0) + "\u202f%";
const plural = (n, word) => integer(n) + " " + word + (n === 1 ? "" : "s");

/* One frame of a film: per core the shares of the states in its time, and whom it waited for
   longest (-1: nobody). */
function frameAt(film, i) {
  const f = { share: [], state: [], waits: new Array(N).fill(-1) };
  let k = 0;
  for (let v = 0; v < N; v++) {
    const work = [0, 1, 2, 3].map(x => digit(film.share[i], 4 * v + x));
    const idle = Math.max(0, 63 - work.reduce((a, b) => a + b, 0));
    const share = [idle, ...work].map(x => x / 63);
    f.share.push(share);
    f.state.push(share.indexOf(Math.max(...share)));
    if (share[2] > 0) {
      const w = 64 * digit(film.waits[i], k) + digit(film.waits[i], k + 1);
      f.waits[v] = w === v ? -1 : w;
      k += 2;
    }
  }
  return f;
}

/* How many cycles or steps a frame is the average of; 1: it is a snapshot. */
const spanOf = (film, i) => i + 1 < film.moments.length ? film.moments[i + 1] - film.moments[i] : 1;
const isAtEnd = (film, i) => film.end && i === film.share.length - 1;
/* From this frame on the cycle of waits is closed; -1: there is none. */
const closedFrame = film => film.cycle.length === 0 ? -1
  : film.moments.findIndex((m, i) => m >= film.closed || i === film.share.length - 1);

/* Mean fills [row, column, send] in messages. */
function fillAt(film, i, v) {
  return [0, 1, 2].map(k => {
    const x = digit(film.fill[i], 3 * v + k) * film.depth[k] / 63;
    return spanOf(film, i) === 1 ? Math.round(x) : x;
  });
}
const messages = x => Number.isInteger(x) ? String(x) : x.toFixed(1);

function sharesOf(cores) {
  const sum = [0, 0, 0, 0, 0];
  for (const v of cores) for (let k = 0; k < 5; k++) sum[k] += SIM.core[v][k];
  const all = sum.reduce((a, b) => a + b, 0) || 1;
  return sum.map(x => x / all);
}

/* ---- elements -------------------------------------------------------------------------- */

const $ = id => document.getElementById(id);
const SVG = "http://www.w3.org/2000/svg";

function fit(e, attributes, children) {
  for (const key in attributes || {}) e.setAttribute(key, attributes[key]);
  for (const c of children)
    if (c !== null) e.append(c);
  return e;
}
const el = (tag, a, ...children) => fit(document.createElement(tag), a, children);
const svg = (tag, a, ...children) => fit(document.createElementNS(SVG, tag), a, children);
const list = (...pairs) => el("dl", null, ...pairs.filter(p => p !== null).flatMap(
  ([t, d]) => [el("dt", null, t), el("dd", null, d)]));

function stack(shares, label) {
  const s = svg("svg", { class: "stack", viewBox: "0 0 1000 10", preserveAspectRatio: "none",
    role: "img", "aria-label": label });
  let x = 0;
  for (const k of STACKED) {
    s.append(svg("rect", { class: "k-" + STATES[k], x: 1000 * x, y: 0,
      width: 1000 * shares[k], height: 10 }));
    x += shares[k];
  }
  return s;
}

function meter(value, most) {
  return svg("svg", { class: "meter", viewBox: "0 0 100 6", preserveAspectRatio: "none",
    "aria-hidden": "true" },
    svg("rect", { class: "track", width: 100, height: 6 }),
    svg("rect", { class: "level", width: most > 0 ? 100 * value / most : 0, height: 6 }));
}
