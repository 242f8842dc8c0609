/* moment.js -- what changes: the core pointed at, the film and its frame shown, the player.
   SPDX-License-Identifier: Apache-2.0 */

/* ---- one core's panel ------------------------------------------------------------------- */

let pinned = -1, pointed = -1, view = "role";
let film = null, frame = 0, shown = null;  /* the film, the number of its frame, and the frame */

function hopTags(pairs, sign) {
  const most = 10, tags = pairs.slice(0, most).map(([v, flows]) =>
    el("li", { title: plural(flows, "flow") }, `${sign} ${name(v)} \u00d7${integer(flows)}`));
  if (pairs.length > most) tags.push(el("li", null, `and ${pairs.length - most} more`));
  return el("ul", { class: "tags" }, ...tags);
}

function waitText(v) {
  const whom = shown.waits[v], whose = row(v) === row(whom) ? "row" : "column";
  return el("p", { class: "small" }, shown.share[v][2] < 1 ? "waited longest for " : "waits for ",
    el("b", null, name(whom)), `, whose ${whose} FIFO `, shown.share[v][2] < 1 ? "was full" : "is full");
}

function panelNow(v) {
  if (!film) return [];
  const fills = fillAt(film, frame, v), words = ["Row FIFO", "Column FIFO", "Send buffer"];
  const share = shown.share[v], used = STACKED.filter(k => share[k] > 0);
  const parts = [el("h3", null, "Now")];
  if (used.length > 1) parts.push(stack(share, "shares of the frame"),
    list(...used.map(k => [WORDS[k], percent(share[k])])));
  if (shown.waits[v] >= 0) parts.push(waitText(v));
  fills.forEach((x, k) => {
    if (k < 2 || film.depth[2] > 0)
      parts.push(list([words[k], `${messages(x)} of ${film.depth[k]}`]), meter(x, film.depth[k]));
  });
  return parts;
}

function panelRun(v) {
  if (!SIM) return [];
  const c = SIM.core[v], s = sharesOf([v]);
  const used = STACKED.filter(k => s[k] > 0);
  return [el("h3", null, "Whole run"), stack(s, "shares of time"),
    list(...used.map(k => [WORDS[k], percent(s[k])]),
      ["messages in", integer(c[5])], ["messages out", integer(c[6])],
      ["mean fill, row", (c[7] / SIM.observed).toFixed(2)],
      ["mean fill, column", (c[8] / SIM.observed).toFixed(2)],
      ["largest fill", `${c[9]} row, ${c[10]} column`])];
}

function panelFlows(v) {
  const out = [], into = hopsInto(v);
  const proof = D.proofs.find(p => p.rank);
  eachHop(v, (to, flows) => out.push([to, flows]));
  return [el("h3", null, "Flows"),
    list(D.starts[v] ? ["start here", integer(D.starts[v])] : null,
      D.passes[v] ? ["pass through", integer(D.passes[v])] : null,
      D.ends[v] ? ["end here", integer(D.ends[v])] : null,
      D.starts[v] + D.passes[v] + D.ends[v] === 0 ? ["used by", "no flow"] : null,
      proof ? ["rank", `${proof.rank[v]} of ${proof.max_rank}`] : null),
    ...(out.length ? [el("h3", null, `Sends to (${out.length})`), hopTags(out, "\u2192")] : []),
    ...(into.length ? [el("h3", null, `Receives from (${into.length})`),
      hopTags(into, "\u2190")] : [])];
}

function drawPanel() {
  const v = pointed >= 0 ? pointed : pinned;
  const state = film ? shown.state[v] : -1, share = state < 0 ? 0 : shown.share[v][state];
  $("core-card").replaceChildren(
    el("div", { class: "name" }, el("b", null, name(v)),
      el("span", { class: "soft" }, roleWord(D.roles[v])),
      state >= 0 ? el("span", { class: "pill k-" + STATES[state], id: "core-state" },
        WORDS[state] + (share < 1 ? " " + percent(share) : "")) : null),
    ...panelNow(v), ...panelRun(v), ...panelFlows(v));
  drawNear(pointed >= 0 || document.activeElement === cores[v].g ? v : -1);
}

function pin(v, focus) {
  if (pinned >= 0) {
    cores[pinned].g.setAttribute("aria-pressed", "false");
    cores[pinned].g.setAttribute("tabindex", "-1");
  }
  pinned = v;
  cores[v].g.setAttribute("aria-pressed", "true");
  cores[v].g.setAttribute("tabindex", "0");
  if (focus) cores[v].g.focus({ preventScroll: true });
  drawPanel();
}

/* Where the card has no column of its own it is a sheet at the window's lower edge. The core
   it tells of stays in sight. */
const NARROW = matchMedia("(max-width: 59.99rem)");

function openSheet(v) {
  if (!NARROW.matches) return;
  document.body.classList.add("sheet");
  $("core").scrollTop = 0;
  const over = cores[v].g.getBoundingClientRect().bottom + 12 -
    (innerHeight - $("core").offsetHeight);  /* where it will be, not where it is sliding in */
  if (over > 0) scrollBy(0, over);
}

function closeSheet() {
  document.body.classList.remove("sheet");
}

/* ---- a moment -------------------------------------------------------------------------- */

function frameWord() {
  const unit = film.kind === "trace" ? "step" : "cycle", n = spanOf(film, frame);
  const from = film.moments[frame], last = film.moments[film.moments.length - 1];
  const of = " of " + integer(film.kind === "trace" ? film.steps : last);
  if (isAtEnd(film, frame)) return "the end, " + unit + " " + integer(film.kind === "trace" ? film.steps : last);
  return n === 1 ? unit + " " + integer(from) + of
    : `mean of ${unit}s ${integer(from)}\u2013${integer(from + n - 1)}` + of;
}

function drawLevels(v) {
  const fills = fillAt(film, frame, v);
  cores[v].levels.forEach((bar, k) => {
    const share = film.depth[k] > 0 ? Math.min(1, fills[k] / film.depth[k]) : 0, b = BARS[k];
    bar.both.setAttribute("visibility", k === 2 && film.depth[2] === 0 ? "hidden" : "inherit");
    if (k === 1) {
      bar.level.setAttribute("y", (b.y + b.h * (1 - share)).toFixed(1));
      bar.level.setAttribute("height", (b.h * share).toFixed(1));
    } else
      bar.level.setAttribute("width", (b.w * share).toFixed(1));
  });
}

/* The colours of the view: of the frame, or of the whole run. */
function drawCores() {
  for (let v = 0; v < N; v++) {
    if (view === "run") drawShares(v, sharesOf([v]));
    if (view !== "now" || !film) continue;
    drawShares(v, shown.share[v]);
    if (!FINE) continue;
    cores[v].sign.textContent = SIGNS[shown.state[v]];
    cores[v].g.setAttribute("aria-label",
      `core ${name(v)}, ${roleWord(D.roles[v])}, ${WORDS[shown.state[v]]}` +
      (shown.waits[v] >= 0 ? `, waits for ${name(shown.waits[v])}` : ""));
    drawLevels(v);
  }
}

function say(cycle, could) {
  const path = cycle.concat(cycle.slice(0, 1)).map(name).join(" \u2192 ");
  $("alarm").className = could ? "could" : "";
  $("alarm").textContent = cycle.length === 0 ? "" :
    (could ? "Can deadlock: " : "Deadlock, each core waits for the next: ") + path;
}

function show(i) {
  frame = Math.max(0, Math.min(film.share.length - 1, i));
  shown = frameAt(film, frame);
  const closed = closedFrame(film), could = closed < 0 || frame < closed;
  const cycle = closed >= 0 ? film.cycle : D.cycle ? D.cycle.cores : [];
  drawCores();
  drawWaits(shown, could ? [] : cycle);
  drawCycle(cycle, could);
  say(cycle, could);
  drawPanel();
  const word = frameWord();
  $("time").value = frame;
  $("time").setAttribute("aria-valuetext", word);
  $("moment").textContent = word;
  $("says").textContent = film.says ? film.says[Math.min(frame, film.says.length - 1)] : "";
  const x = film.share.length > 1 ? 1000 * frame / (film.share.length - 1) : 0;
  fit($("strip-head"), { x1: x, x2: x }, []);
}

/* ---- the player ------------------------------------------------------------------------- */

let timer = 0;

function pause() {
  clearInterval(timer);
  timer = 0;
  $("play").textContent = "Play";
}

function play() {
  if (timer) return pause();
  if (frame === film.share.length - 1) show(0);
  $("play").textContent = "Pause";
  timer = setInterval(() => {
    show(frame + 1);
    if (frame === film.share.length - 1) pause();
  }, 1000 / Number($("speed").value));
}

/* Above the slider: how many cores were in which state, frame by frame. */
function drawStrip() {
  const n = film.share.length, x = i => n > 1 ? (1000 * i / (n - 1)).toFixed(1) : 500;
  const count = film.share.map((s, i) => {
    const c = [0, 0, 0, 0, 0];
    for (const share of frameAt(film, i).share) share.forEach((part, k) => { c[k] += part; });
    return c;
  });
  const floor = new Array(n).fill(0);
  $("strip").replaceChildren();
  for (const k of [2, 3, 1, 0, 4]) {
    const low = floor.slice();
    for (let i = 0; i < n; i++) floor[i] += 100 * count[i][k] / N;
    const up = floor.map((y, i) => `${x(i)} ${(100 - y).toFixed(1)}`);
    const down = low.map((y, i) => `${x(i)} ${(100 - y).toFixed(1)}`).reverse();
    $("strip").append(svg("path", { class: "k-" + STATES[k],
      d: "M" + up.concat(down).join("L") + "z" }));
  }
  const closed = closedFrame(film);
  $("closed").hidden = closed < 0;
  if (closed >= 0)
    $("strip").append(svg("line", { class: "closed", x1: x(closed), x2: x(closed), y1: 0,
      y2: 100 }));
  $("strip").append(svg("line", { class: "head", id: "strip-head", y1: 0, y2: 100 }));
}

const filmWord = f => f.kind === "run" ? "Simulation" : f.shortest ? "Shortest trace" : "A trace";

function load(f) {
  pause();
  film = f;
  $("time").max = film.share.length - 1;
  $("about").textContent = f.kind === "run"
    ? "One run; a frame is the mean of its cycles."
    : `${f.shortest ? "The fewest steps" : "Steps, perhaps not the fewest,"} in which the messages ` +
      `of the proof's ${D.proofs.some(p => p.next) ? "knot" : "cycle"} come to a stop (${f.model}).`;
  drawStrip();
  if (f.kind === "trace") $("speed").value = "5";
  show(f.cycle.length > 0 ? film.share.length - 1 : Math.floor(film.share.length / 2));
}

function drawFilms(first) {
  $("films").hidden = FILMS.length < 2;
  for (const f of FILMS) {
    const input = el("input", { type: "radio", name: "film", value: f.kind });
    input.checked = f === first;
    input.addEventListener("change", () => load(f));
    $("films").append(el("label", null, input, el("span", null, filmWord(f))));
  }
}

/* The run if it came to a stop; else how the layout can, if it can. */
function startPlayer() {
  const first = FILMS.find(f => f.cycle.length > 0) || FILMS[0];
  $("player").hidden = false;
  drawFilms(first);
  $("time").addEventListener("input", () => { pause(); show(Number($("time").value)); });
  $("play").addEventListener("click", play);
  $("back").addEventListener("click", () => { pause(); show(frame - 1); });
  $("forth").addEventListener("click", () => { pause(); show(frame + 1); });
  $("closed").addEventListener("click", () => { pause(); show(closedFrame(film)); });
  $("speed").addEventListener("change", () => { if (timer) { pause(); play(); } });
  $("strip").addEventListener("click", e => {
    const box = $("strip").getBoundingClientRect();
    pause();
    show(Math.round((film.share.length - 1) * (e.clientX - box.left) / box.width));
  });
  load(first);
}
