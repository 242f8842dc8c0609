/* report.js -- what stays: legend, verdicts, throughput, fairness, roles, proofs.
   SPDX-License-Identifier: Apache-2.0 */

/* ---- words ------------------------------------------------------------------------------ */

function sample(...parts) {
  return svg("svg", { viewBox: "0 0 22 14", "aria-hidden": "true" }, ...parts);
}

/* What the cores of a role do with messages; of those that pass them on along a column, where
   to. */
function roleText(c) {
  const who = [];
  for (let v = 0; v < N; v++) if (D.roles[v] === c) who.push(v);
  const some = count => who.some(v => count[v] > 0), ways = new Set();
  if (some(D.passes))
    for (const v of who) eachHop(v, to => {
      if (col(to) === col(v)) ways.add(row(to) > row(v) ? "down" : "up");
    });
  const does = [some(D.starts) ? "makes messages" : null,
    some(D.passes) ? ["passes on", Array.from(ways).sort().join(" and ")].join(" ").trim() : null,
    some(D.ends) ? "takes" : null].filter(x => x);
  return does.length > 0 ? does.join(", ") : "no flow comes here";
}

function drawLegend() {
  const items = [];
  const box = kind => sample(svg("rect", { class: kind, x: 1, y: 1, width: 20, height: 12, rx: 3 }));
  const line = (colour, dash) => sample(svg("path", { d: "M1 7h20", fill: "none",
    stroke: `var(--${colour})`, "stroke-width": 2.5, "stroke-dasharray": dash || "none" }));
  for (const c of letters.slice().sort())
    if (c !== "." || view === "role")
      items.push([view !== "role" ? el("b", null, c)
        : box("r" + roleClass(c) + (c === "." ? " k-idle" : "")),
      c === "." ? "no role" : (view === "role" ? c + " " : " ") + roleText(c)]);
  if (view !== "role")
    STATES.forEach((s, k) => {
      if (k < 3 || SIM && (k === 3 || SIM.core.some(c => c[4] > 0)))
        items.push([box("k-" + s), (view === "now" && FINE ? SIGNS[k] + " " : "") + WORDS[k]]);
    });
  if (view === "now" && FINE) items.push([sample(
    svg("rect", { x: 1, y: 9, width: 14, height: 4, rx: 2, fill: "var(--fill)" }),
    svg("rect", { x: 17, y: 1, width: 4, height: 12, rx: 2, fill: "var(--fill)" })),
    "fill of row and column FIFO" + (D.fifo[2] > 0 ? ", send buffer above" : "")]);
  if (view === "now") items.push([line("wait"), "waits for"]);
  if (D.hops) items.push([line("accent"), BUNDLED && $("hops-on").checked
    ? "all hops that pass between two neighbours; wider: more flows"
    : "hops of a core pointed at"]);
  if (D.cycle && !D.cycle.met) items.push([line("red", "5 3"), "cycle that can close"]);
  if (FILMS.some(f => f.cycle.length > 0)) items.push([line("red"), "deadlock"]);
  $("legend").replaceChildren(...items.map(([s, text]) => el("li", null, s, text)));
}

function setView(to) {
  view = to;
  $("mesh").setAttribute("data-view", view);
  $("waits").setAttribute("visibility", view === "now" ? "visible" : "hidden");
  drawLegend();
  drawCores();
}

function drawViews() {
  const views = [["now", "Now", FILMS.length > 0], ["run", "Whole run", SIM !== null],
    ["role", "Roles", true]].filter(v => v[2]);
  $("views").hidden = views.length < 2;
  for (const [to, word] of views) {
    const input = el("input", { type: "radio", name: "view", value: to });
    input.checked = to === views[0][0];
    input.addEventListener("change", () => setView(to));
    $("views").append(el("label", null, input, el("span", null, word)));
  }
  setView(views[0][0]);
}

function drawHeader() {
  $("title").textContent = D.title || D.name || "Mesh layout";
  $("facts").textContent = `${D.rows} \u00d7 ${D.cols} cores \u00b7 FIFO ${D.fifo[0]} row, ` +
    `${D.fifo[1]} column, ${D.fifo[2]} send \u00b7 ${plural(D.flows, "flow")} over ` +
    `${integer(D.n_hops)} different ${D.n_hops === 1 ? "hop" : "hops"}` +
    (D.hops ? "" : ", too many to draw");
  const signs = { good: "\u2713 ", bad: "\u2717 ", open: "" };
  $("verdicts").append(...D.verdicts.map(([text, kind]) =>
    el("li", { class: "chip " + kind }, signs[kind] + text)));
}

function drawThroughput() {
  const box = $("throughput"), gb = (SIM.bytes_per_s || 0) / 1e9;
  const kind = [SIM.global ? "global" : null, SIM.weak ? "weak" : null, "local"]
    .filter(x => x).join(" ");
  fit(box, null, [el("h2", null, "Throughput"),
    el("p", { class: "big" }, SIM.deadlock ? "Deadlock" : gb.toFixed(2) + " GB/s"),
    el("p", { class: "soft small" }, SIM.deadlock
      ? `seen at cycle ${integer(SIM.deadlock_cycle)} (${kind})` +
        (COUNTED ? `; ${gb.toFixed(2)} GB/s of payload until then` : "")
      : "of payload, simulated at " + (SIM.clock / 1e9).toFixed(2) + " GHz; no measurement"),
    list(["cycles run", integer(SIM.cycles)],
      ["time they stand for", (1e6 * SIM.cycles / SIM.clock).toFixed(2) + " \u00b5s"],
      ["counted, after warm-up", COUNTED ? integer(SIM.counted) : "none: it ended before"],
      COUNTED ? ["messages consumed", integer(SIM.consumed)] : null,
      SIM.ended ? ["end of stream", "reached by all"] : null),
    COUNTED ? sourceBars() : null]);
}

/* A bar per source, row by row, and a line at their mean. */
function sourceBars() {
  const who = [];
  for (let v = 0; v < N; v++) if (D.starts[v]) who.push(v);
  if (who.length < 3 || who.length > 256 || SIM.pairs === 0) return null;
  const given = who.map(v => SIM.arrived[v]), most = Math.max(1, ...given);
  const y = 100 - 96 * given.reduce((a, b) => a + b, 0) / who.length / most;
  const chart = svg("svg", { class: "bars", viewBox: `0 0 ${10 * who.length} 100`,
    preserveAspectRatio: "none", role: "img", "aria-label": "Messages that arrived from each source" });
  who.forEach((v, i) => chart.append(svg("rect", { x: 10 * i + 1, width: 8,
    y: 100 - Math.max(1, 96 * given[i] / most), height: Math.max(1, 96 * given[i] / most) },
    svg("title", null, `${name(v)}: ${plural(given[i], "message")}`))));
  chart.append(svg("line", { x1: 0, x2: 10 * who.length, y1: y, y2: y }));
  return el("div", null, el("p", { class: "soft small", style: "margin:.9rem 0 .3rem" },
    "Messages that arrived from each source core, row by row; the line is their mean"), chart);
}

function pairTable(pairs, mean) {
  return el("table", null, el("tbody", null, ...pairs.map(([a, b, n]) => el("tr", null,
    el("td", null, `${name(a)} \u2192 ${name(b)}`), el("td", null, integer(n)),
    el("td", null, mean > 0 ? "\u00d7 " + (n / mean).toFixed(2) : "")))));
}

function drawFairness() {
  const mean = SIM.pairs > 0 ? SIM.consumed / SIM.pairs : 0;
  const spread = (SIM.most_source || 0) / Math.max(SIM.least_source || 0, 1e-9);
  const share = x => x === null ? "?" : "\u00d7 " + x.toFixed(2);
  $("fairness").append(el("h2", null, "Fairness"));
  if (mean === 0) {
    $("fairness").append(el("p", { class: "soft" }, SIM.pairs === 0
      ? "There are too many pairs of source and sink to count their messages apart."
      : "No message arrived after the warm-up."));
    return;
  }
  $("fairness").append(
    el("p", null, SIM.least_source === 0 ? "Some source gets no message through."
      : spread > 2 ? `The best served source gets ${spread.toFixed(spread < 10 ? 1 : 0)} times what the worst gets.`
        : "Every source gets about its share."),
    list(["source, least \u2013 most", `${share(SIM.least_source)} \u2013 ${share(SIM.most_source)}`],
      ["pair, least \u2013 most", `${share(SIM.least_share)} \u2013 ${share(SIM.most_share)}`],
      ["messages per pair, mean", mean.toFixed(1)]),
    el("p", { class: "soft small", style: "margin-top:.8rem" }, mean < 10
      ? "Too few messages to compare single pairs; a longer run says more."
      : "Least and most served pairs"),
    mean < 10 ? "" : pairTable(SIM.least_pairs.concat(
      SIM.pairs > 3 ? SIM.most_pairs.slice().reverse() : []), mean));
}

function drawRoles() {
  const headings = ["Role", "Cores", "Shares of time"].concat(["busy", "blocked", "memory",
    "idle"], ["messages in", "out"]);
  const body = letters.map(c => {
    const who = [];
    for (let v = 0; v < N; v++) if (D.roles[v] === c) who.push(v);
    const s = sharesOf(who), sum = k => who.reduce((a, v) => a + SIM.core[v][k], 0);
    return el("tr", null, el("td", null, el("b", null, c === "." ? "none" : c)),
      el("td", null, integer(who.length)),
      el("td", { class: "wide" }, stack(s, "shares of time of role " + c)),
      ...[1, 2, 3, 0].map(k => el("td", null, percent(s[k]))),
      el("td", { class: "hide-small" }, integer(sum(5))),
      el("td", { class: "hide-small" }, integer(sum(6))));
  });
  $("roles").append(el("h2", null, "Roles"), el("p", { class: "soft small" }, COUNTED
    ? `Of the ${integer(SIM.observed)} cycles that counted` :
    `Of all ${integer(SIM.observed)} cycles: the run ended in its warm-up`), el("div", { class: "scroll" }, el("table", null,
    el("thead", null, el("tr", null, ...headings.map((h, i) =>
      el("th", { scope: "col", class: i > 6 ? "hide-small" : "" }, h)))),
    el("tbody", null, ...body))));
}

const MODELS = {
  coupled: "A core that is stuck in a put drains nothing: one thread, blocking put.",
  decoupled: "A core that is stuck in a put still drains its other input class.",
  link: "One FIFO per sender and receiver, served independently, as in a hardware router." };

/* Where it can be seen. */
function traceText(model, what) {
  const f = FILMS.find(x => x.kind === "trace");
  if (f && f.model === model)
    return `The film \u201c${filmWord(f)}\u201d comes there in ${plural(f.steps, "step")}` +
      (f.shortest ? `, the fewest for the messages of the ${what}.` : ", perhaps not the fewest.");
  return f ? `This page plays the ${f.model} model; export with --model ${model} plays this one.`
    : "No trace short enough for this page was found; check --trace looks for one.";
}

function drawProof(p) {
  const unit = p.model === "coupled" ? "hop" : "dependence";
  const box = el("div", { class: "proof" }, el("h3", null, `${p.model} model: `,
    el("span", { class: "verdict " + (p.free ? "free" : "not") },
      p.free ? "deadlock-free, proved" : "can deadlock")),
    el("p", { class: "soft small" }, MODELS[p.model]));
  if (p.free)
    box.append(el("p", null, `Each ${unit} (${integer(p.edges)} different) leads to a lower ` +
      `rank; the ranks are 0 to ${p.max_rank}. So no core can be blocked for ever, as long as ` +
      "selection and admission are fair and consumers always finish."));
  else
    fit(box, null, [
      el("p", null, p.next ? "A knot: whatever way a message takes, it needs room in it; of each, one:"
        : "Shortest cycle, each holding what the one before it needs:"),
      el("ol", null, ...p.nodes.map((n, i) => el("li", null,
        el("b", null, n), " needs ", el("b", null, p.nodes[p.next ? p.next[i] : (i + 1) % p.nodes.length]),
        p.why && p.why[i] ? el("span", { class: "soft small" }, ` (flow ${p.why[i]})`) : null))),
      p.min_inflight > 0 ? el("p", null, `A deadlock holds at least ` +
        `${plural(p.min_inflight, "message")}: with at most ${integer(p.min_inflight - 1)} ` +
        "in flight the layout is safe.") : null,
      el("p", { class: "soft" }, traceText(p.model, p.next ? "knot" : "cycle"))]);
  return box;
}
