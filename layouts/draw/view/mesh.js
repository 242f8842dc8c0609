/* mesh.js -- the mesh: a box per core, arrows over them.
   SPDX-License-Identifier: Apache-2.0 */

/* ---- the mesh ------------------------------------------------------------------------- */

/* Arrows keep to the right of their way: right above the row, left below it, down right of
   the column, up left of it. Longer ones bend further out. */
const PITCH = 76, BOX = 48, HALF = BOX / 2, AXIS = Math.max(13, 1.3 * Math.max(D.rows, D.cols));
const LEFT = 2.3 * AXIS, TOP = 2 * AXIS;
const cx = v => LEFT + col(v) * PITCH + PITCH / 2;
const cy = v => TOP + row(v) * PITCH + PITCH / 2;

function curve(from, to, bend) {
  const a = [cx(from), cy(from)], b = [cx(to), cy(to)];
  const far = Math.abs(row(from) - row(to)) + Math.abs(col(from) - col(to));
  const off = bend || 8 + 11 * (far - 1) / Math.max(1, Math.max(D.rows, D.cols) - 2);
  if (a[1] === b[1]) {
    const way = b[0] > a[0] ? 1 : -1, y = a[1] - way * HALF, c = (y - way * off).toFixed(1);
    return `M${a[0] + way * 9} ${y}C${a[0] + way * 14} ${c} ${b[0] - way * 14} ${c} ` +
      `${b[0] - way * 9} ${y}`;
  }
  const way = b[1] > a[1] ? 1 : -1, x = a[0] + way * HALF, c = (x + way * off).toFixed(1);
  return `M${x} ${a[1] + way * 9}C${c} ${a[1] + way * 14} ${c} ${b[1] - way * 14} ` +
    `${x} ${b[1] - way * 9}`;
}

function head(kind) {
  return svg("marker", { id: "head-" + kind, viewBox: "0 0 10 10", refX: 8, refY: 5,
    markerWidth: kind === "cycle" ? 12 : 8, markerHeight: kind === "cycle" ? 12 : 8,
    markerUnits: "userSpaceOnUse", orient: "auto" },
    svg("path", { class: "head-" + kind, d: "M0 0L10 5L0 10z" }));
}

/* A FIFO lies the way its messages come: row along the lower edge, column up the right one;
   the send buffer along the upper edge. */
const BARS = [
  { kind: "row", x: -HALF + 6, y: HALF - 9, w: BOX - 20, h: 5 },
  { kind: "column", x: HALF - 9, y: -HALF + 6, w: 5, h: BOX - 20 },
  { kind: "send", x: -HALF + 16, y: -HALF + 4, w: BOX - 30, h: 4 }];

function bars(parts) {
  const g = svg("g", { class: "now" });
  parts.levels = BARS.map((b, k) => {
    const level = svg("rect", { class: "level " + b.kind, x: b.x, y: b.y, width: b.w,
      height: b.h, rx: 2 });
    const both = svg("g", null, svg("rect", { class: "track", x: b.x, y: b.y, width: b.w,
      height: b.h, rx: 2 }), level);
    g.append(both);
    return { both: both, level: level };
  });
  return g;
}

/* The shares of its time fill a core from below; the rest, idle, is the box. */
const BANDS = [2, 3, 1, 4];

function bands(parts) {
  parts.bands = BANDS.map(k => svg("rect", { class: "k-" + STATES[k], x: -HALF, width: BOX,
    y: HALF, height: 0 }));
  return svg("g", { class: "bands", "clip-path": "url(#core-clip)" }, ...parts.bands);
}

const cores = [];                          /* per core: its <g> and the parts that change */

function coreElement(v) {
  const parts = {};
  const g = svg("g", { class: "core r" + roleClass(D.roles[v]), role: "button",
    tabindex: "-1", "data-core": name(v), "data-v": v, "aria-pressed": "false",
    transform: `translate(${cx(v)} ${cy(v)})`,
    "aria-label": "core " + name(v) + ", " + roleWord(D.roles[v]) });
  const box = kind => svg("rect", { class: kind, x: -HALF, y: -HALF, width: BOX, height: BOX,
    rx: 9 });
  g.append(box("box"));
  if (FINE && (SIM || FILMS.length > 0)) g.append(bands(parts));
  if (FINE && FILMS.length > 0) {
    parts.sign = svg("text", { class: "sign now", x: -HALF + 9, y: -HALF + 13 });
    g.append(bars(parts), parts.sign);
  }
  if (D.cols <= 40 && D.roles[v] !== ".")
    g.append(svg("text", { class: "letter", x: -2, y: 5 }, D.roles[v]));
  if (FINE) g.append(box("edge"));
  parts.g = g;
  return parts;
}

/* One core's colours: by these shares of its time. */
function drawShares(v, share) {
  cores[v].g.setAttribute("data-state", STATES[share.indexOf(Math.max(...share))]);
  let y = HALF;
  (cores[v].bands || []).forEach((rect, i) => {
    const high = BOX * share[BANDS[i]];
    y -= high;
    rect.setAttribute("y", y.toFixed(1));
    rect.setAttribute("height", high.toFixed(1));
  });
}

function drawMesh() {
  const mesh = $("mesh"), width = LEFT + D.cols * PITCH + 6, height = TOP + D.rows * PITCH + 6;
  mesh.setAttribute("viewBox", `0 0 ${width} ${height}`);
  mesh.setAttribute("aria-label", `${D.rows} by ${D.cols} cores`);
  mesh.style.maxWidth = width * (N <= 16 ? 1.9 : 1.3) + "px";
  mesh.style.maxHeight = height * (N <= 16 ? 1.9 : 1.3) + "px";
  mesh.append(svg("defs", null, head("wait"), head("hop"), head("cycle"),
    svg("clipPath", { id: "core-clip" }, svg("rect", { x: -HALF, y: -HALF, width: BOX,
      height: BOX, rx: 9 }))));
  const every = Math.ceil(Math.max(D.rows, D.cols) / 24);
  for (let c = 0; c < D.cols; c += every)
    mesh.append(svg("text", { class: "axis", x: cx(c), y: TOP - AXIS / 3,
      style: `font-size:${AXIS}px` }, String(c)));
  for (let r = 0; r < D.rows; r += every)
    mesh.append(svg("text", { class: "axis", x: LEFT / 2, y: cy(r * D.cols) + AXIS / 3,
      style: `font-size:${AXIS}px` }, String(r)));
  const all = svg("g", { id: "cores", class: FINE ? "fine" : "coarse" });
  mesh.append(svg("g", { id: "hops" }), all);
  for (let v = 0; v < N; v++) {
    cores.push(coreElement(v));
    all.append(cores[v].g);
  }
  for (const id of ["waits", "near", "cycles"]) mesh.append(svg("g", { id: id }));
}

/* ---- arrows over the mesh --------------------------------------------------------------- */

const arrow = (kind, from, to, marker, bend) => svg("path", { class: kind,
  d: curve(from, to, bend), "marker-end": `url(#head-${marker})`,
  "data-from": name(from), "data-to": name(to) });

function drawCycle(cycle, could) {
  const g = $("cycles"), first = new Set();
  g.replaceChildren();
  cycle.forEach((v, i) => g.append(arrow(could ? "cycle could" : "cycle", v,
    cycle[(i + 1) % cycle.length], "cycle", 17)));
  cycle.forEach((v, i) => {
    if (first.has(v)) return;              /* a cycle of FIFOs may visit a core twice */
    first.add(v);
    g.append(svg("rect", { class: could ? "cycle could" : "cycle", x: cx(v) - HALF,
      y: cy(v) - HALF, width: BOX, height: BOX, rx: 9 }));
    g.append(svg("circle", { class: "badge", cx: cx(v) - HALF + 2, cy: cy(v) - HALF + 2, r: 9 }));
    g.append(svg("text", { class: "number", x: cx(v) - HALF + 2, y: cy(v) - HALF + 6 },
      String(i + 1)));
  });
}

/* An arrow is the fainter, the less of the frame's time its core was blocked. */
function drawWaits(f, cycle) {
  const g = $("waits"), inCycle = new Set(cycle);
  g.replaceChildren();
  if (!FINE) {
    const d = f.waits.map((w, v) => w < 0 ? "" : curve(v, w)).join("");
    if (d) g.append(svg("path", { class: "wait", d: d }));
    return;
  }
  f.waits.forEach((w, v) => {
    if (w < 0 || inCycle.has(v)) return;
    const a = arrow("wait", v, w, "wait");
    a.setAttribute("opacity", (0.2 + 0.8 * f.share[v][2]).toFixed(2));
    g.append(a);
  });
}

const heaviest = D.hops ? Math.max(1, ...D.hops.map(h => Math.max(0,
  ...h.filter((x, i) => i % 2 === 1)))) : 1;

function eachHop(v, fn) {
  if (D.hops) for (let i = 0; i < D.hops[v].length; i += 2) fn(D.hops[v][i], D.hops[v][i + 1]);
}

function hopsInto(v) {
  const into = [];
  for (let u = 0; D.hops && u < N; u++)
    if (row(u) === row(v) || col(u) === col(v))
      eachHop(u, (to, flows) => { if (to === v) into.push([u, flows]); });
  return into;
}

function drawNear(v) {
  const g = $("near"), wide = flows => 1 + 2.5 * Math.sqrt(flows / heaviest);
  g.replaceChildren();
  if (v < 0) return;
  eachHop(v, (to, flows) => {
    const a = arrow("out", v, to, "hop");
    a.setAttribute("stroke-width", wide(flows).toFixed(1));
    g.append(a);
  });
  for (const [u, flows] of hopsInto(v)) {
    const a = arrow("in", u, v, "hop");
    a.setAttribute("stroke-width", wide(flows).toFixed(1));
    g.append(a);
  }
}

/* With more than four hops a core, single arrows hide each other. Then they are bundled: a line
   between neighbours stands for all hops that pass there, and is the wider, the more flows do. */
const BUNDLED = D.hops !== null && D.n_hops > 4 * N;

/* [from, to, flows] of neighbours, by the hops that pass between them. */
function bundles() {
  const flows = new Map();
  for (let v = 0; v < N; v++)
    eachHop(v, (to, n) => {
      const step = (row(to) === row(v) ? 1 : D.cols) * Math.sign(to - v);
      for (let u = v; u !== to; u += step) {
        const key = u * N + u + step;
        flows.set(key, (flows.get(key) || 0) + n);
      }
    });
  return Array.from(flows, ([key, n]) => [Math.floor(key / N), key % N, n]);
}

function allHops() {
  const single = [];
  for (let v = 0; v < N; v++) eachHop(v, (to, flows) => single.push([v, to, flows]));
  return single;
}

function drawAllHops(on) {
  const g = $("hops"), hops = !on ? [] : BUNDLED ? bundles() : allHops();
  const most = hops.reduce((m, h) => Math.max(m, h[2]), 1), wide = BUNDLED ? 5 : 1.6;
  g.replaceChildren(...hops.map(([from, to, flows]) => svg("path", {
    class: BUNDLED ? "out bundle" : "out", d: curve(from, to),
    "stroke-width": (0.6 + wide * flows / most).toFixed(1), style: "stroke-opacity:.45" })));
  drawLegend();
}
