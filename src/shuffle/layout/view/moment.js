/* moment.js -- what changes: the core pointed at, the moment shown, the player.
   SPDX-License-Identifier: Apache-2.0 */

/* ---- one core's panel ------------------------------------------------------------------- */

let pinned = -1, pointed = -1, frame = 0, shown = null;

function hopTags(pairs, sign) {
  const most = 10, tags = pairs.slice(0, most).map(([v, flows]) =>
    el("li", { title: plural(flows, "flow") }, `${sign} ${name(v)} \u00d7${integer(flows)}`));
  if (pairs.length > most) tags.push(el("li", null, `and ${pairs.length - most} more`));
  return el("ul", { class: "tags" }, ...tags);
}

function panelNow(v) {
  if (!FILM) return [];
  const fills = fillAt(frame, v), words = ["Row FIFO", "Column FIFO", "Send buffer"];
  const parts = [el("h3", null, "Now")];
  if (shown.waits[v] >= 0) parts.push(el("p", { class: "small" },
    "waits for ", el("b", null, name(shown.waits[v])),
    row(v) === row(shown.waits[v]) ? ", whose row FIFO is full" : ", whose column FIFO is full"));
  fills.forEach((x, k) => {
    if (k < 2 || FILM.depth[2] > 0)
      parts.push(list([words[k], `${x} of ${FILM.depth[k]}`]), meter(x, FILM.depth[k]));
  });
  return parts;
}

function panelRun(v) {
  if (!SHARES) return [];
  const c = SIM.core[v], s = sharesOf([v]);
  const used = [1, 2, 3, 0, 4].filter(k => s[k] > 0);
  return [el("h3", null, "Whole run"), stack(s, "shares of time"),
    list(...used.map(k => [WORDS[k], percent(s[k])]),
      ["messages in", integer(c[5])], ["messages out", integer(c[6])],
      ["mean fill, row", (c[7] / SIM.counted).toFixed(2)],
      ["mean fill, column", (c[8] / SIM.counted).toFixed(2)],
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
  const state = FILM ? shown.state[v] : -1;
  $("core").replaceChildren(
    el("div", { class: "name" }, el("b", null, name(v)),
      el("span", { class: "soft" }, roleWord(D.roles[v])),
      state >= 0 ? el("span", { class: "pill k-" + STATES[state], id: "core-state" },
        WORDS[state]) : null),
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
  if (focus) cores[v].g.focus();
  drawPanel();
}

/* ---- a moment -------------------------------------------------------------------------- */

function drawLevels(v) {
  const fills = fillAt(frame, v);
  cores[v].levels.forEach((rect, k) => {
    if (rect === null) return;
    const share = FILM.depth[k] > 0 ? Math.min(1, fills[k] / FILM.depth[k]) : 0, b = BARS[k];
    if (k === 1) {
      rect.setAttribute("y", (cy(v) + b.y + b.h * (1 - share)).toFixed(1));
      rect.setAttribute("height", (b.h * share).toFixed(1));
    } else
      rect.setAttribute("width", (b.w * share).toFixed(1));
  });
}

function drawCores() {
  for (let v = 0; v < N; v++) {
    const state = shown.state[v];
    cores[v].g.setAttribute("data-state", STATES[state]);
    if (!FINE) continue;
    cores[v].sign.textContent = SIGNS[state];
    cores[v].g.setAttribute("aria-label",
      `core ${name(v)}, ${roleWord(D.roles[v])}, ${WORDS[state]}` +
      (shown.waits[v] >= 0 ? `, waits for ${name(shown.waits[v])}` : ""));
    drawLevels(v);
  }
}

function say(cycle, could) {
  const path = cycle.concat(cycle.slice(0, 1)).map(name).join(" \u2192 ");
  $("alarm").textContent = cycle.length === 0 ? "" :
    (could ? "Can deadlock: " : "Deadlock, each core waits for the next: ") + path;
}

function show(i) {
  frame = Math.max(0, Math.min(FILM.moments.length - 1, i));
  shown = frameAt(frame);
  const could = shown.cycle.length === 0, still = D.cycle && !D.cycle.met;
  const cycle = !could ? shown.cycle : still ? D.cycle.cores : [];
  drawCores();
  drawWaits(shown);
  drawCycle(cycle, could);
  say(cycle, could);
  drawPanel();
  $("time").value = frame;
  $("time").setAttribute("aria-valuetext", "cycle " + FILM.moments[frame]);
  $("moment").textContent =
    `cycle ${integer(FILM.moments[frame])} of ${integer(FILM.moments[FILM.moments.length - 1])}`;
  const x = FILM.moments.length > 1 ? 1000 * frame / (FILM.moments.length - 1) : 0;
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
  if (frame === FILM.moments.length - 1) show(0);
  $("play").textContent = "Pause";
  timer = setInterval(() => {
    show(frame + 1);
    if (frame === FILM.moments.length - 1) pause();
  }, 1000 / Number($("speed").value));
}

/* Above the slider: how many cores were in which state, moment by moment. */
function drawStrip() {
  const n = FILM.moments.length, x = i => n > 1 ? (1000 * i / (n - 1)).toFixed(1) : 500;
  const count = FILM.state.map(s => {
    const c = [0, 0, 0, 0, 0];
    for (let v = 0; v < N; v++) c[digit(s, v)]++;
    return c;
  });
  const floor = new Array(n).fill(0);
  for (const k of [2, 3, 1, 0, 4]) {
    const low = floor.slice();
    for (let i = 0; i < n; i++) floor[i] += 100 * count[i][k] / N;
    const up = floor.map((y, i) => `${x(i)} ${(100 - y).toFixed(1)}`);
    const down = low.map((y, i) => `${x(i)} ${(100 - y).toFixed(1)}`).reverse();
    $("strip").append(svg("path", { class: "k-" + STATES[k],
      d: "M" + up.concat(down).join("L") + "z" }));
  }
  const closed = FILM.moments.findIndex((m, i) => frameAt(i).cycle.length > 0);
  if (closed >= 0) {
    $("strip").append(svg("line", { class: "closed", x1: x(closed), x2: x(closed), y1: 0,
      y2: 100 }));
    $("closed").hidden = false;
    $("closed").addEventListener("click", () => { pause(); show(closed); });
  }
  $("strip").append(svg("line", { class: "head", id: "strip-head", y1: 0, y2: 100 }));
}

function startPlayer() {
  $("player").hidden = false;
  $("time").max = FILM.moments.length - 1;
  drawStrip();
  $("time").addEventListener("input", () => { pause(); show(Number($("time").value)); });
  $("play").addEventListener("click", play);
  $("back").addEventListener("click", () => { pause(); show(frame - 1); });
  $("forth").addEventListener("click", () => { pause(); show(frame + 1); });
  $("speed").addEventListener("change", () => { if (timer) { pause(); play(); } });
  $("strip").addEventListener("click", e => {
    const box = $("strip").getBoundingClientRect();
    pause();
    show(Math.round((FILM.moments.length - 1) * (e.clientX - box.left) / box.width));
  });
}
