/* start.js -- listens to keys and pointer, and draws the page.
   SPDX-License-Identifier: Apache-2.0 */

/* ---- keys and pointer -------------------------------------------------------------------- */

const STEPS = { ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1] };

function walk(e, v) {
  const step = STEPS[e.key];
  if (e.key === "Enter" || e.key === " ") { pin(v, true); openSheet(v); e.preventDefault(); return; }
  if (!step) return;
  const r = row(v) + step[0], c = col(v) + step[1];
  if (r >= 0 && r < D.rows && c >= 0 && c < D.cols) pin(r * D.cols + c, true);
  e.preventDefault();
}

function listen() {
  const at = e => { const g = e.target.closest(".core"); return g ? Number(g.dataset.v) : -1; };
  const mesh = $("mesh");
  mesh.addEventListener("pointerover", e => {
    const v = at(e);
    if (e.pointerType !== "touch" && v !== pointed) { pointed = v; drawPanel(); }
  });
  mesh.addEventListener("pointerleave", () => { pointed = -1; drawPanel(); });
  mesh.addEventListener("click", e => {
    if (at(e) < 0) return closeSheet();
    pin(at(e), true);
    openSheet(at(e));
  });
  $("close").addEventListener("click", closeSheet);
  mesh.addEventListener("focusin", e => { pointed = -1; if (at(e) >= 0) pin(at(e)); });
  mesh.addEventListener("focusout", () => drawNear(pointed));
  document.addEventListener("keydown", e => {
    if (e.ctrlKey || e.metaKey || e.altKey) return;
    if (e.key === "Escape") closeSheet();
    if (e.target.closest && e.target.closest(".core")) return walk(e, at(e));
    if (!film || /^(INPUT|SELECT|BUTTON)$/.test(e.target.tagName)) return;
    if (e.key === " ") { play(); e.preventDefault(); }
    if (e.key === "ArrowLeft") { pause(); show(frame - 1); }
    if (e.key === "ArrowRight") { pause(); show(frame + 1); }
  });
  $("hops-on").addEventListener("change", e => drawAllHops(e.target.checked));
}

/* ---- start ------------------------------------------------------------------------------ */

function mostBlocked() {
  if (D.cycle) return D.cycle.cores[0];
  let best = 0;
  for (let v = 1; SIM && v < N; v++) if (SIM.core[v][2] > SIM.core[best][2]) best = v;
  return best;
}

drawHeader();
drawMesh();
listen();
$("hops-label").hidden = !D.hops || D.n_hops === 0;
if (BUNDLED) $("hops-word").textContent = "all hops, bundled";
pinned = mostBlocked();
if (FILMS.length > 0) {
  startPlayer();
} else if (D.cycle) {
  drawCycle(D.cycle.cores, !D.cycle.met);
  say(D.cycle.cores, !D.cycle.met);
}
drawViews();
if (FILMS.length === 0 && !SIM && D.hops) { $("hops-on").checked = true; drawAllHops(true); }
pin(pinned, false);
$("numbers").hidden = $("roles").hidden = !SIM;
$("fairness").hidden = !COUNTED;
$("numbers").classList.toggle("two", COUNTED);
if (SIM) { drawThroughput(); drawRoles(); }
if (COUNTED) drawFairness();
$("proofs").hidden = D.proofs.length === 0;
$("proofs").append(el("h2", null, "Proof"), ...D.proofs.map(drawProof));
document.documentElement.dataset.ready = "yes";
