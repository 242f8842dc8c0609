/* draw.h -- pictures of a layout: a terminal map, SVG, DOT and one HTML page.
 *
 * A picture says three things at once: what a core is for (its role letter), what it did
 * (a simulation's shares, or a film's state at one moment), and what could go wrong (a cycle
 * of cores that wait for each other, in red). Any of the last two may be missing.
 *
 * The same picture gives the same bytes: no time, no random numbers, no pointer order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_DRAW_H
#define MW_LAYOUT_DRAW_H

#include "layouts/explore/trace.h"
#include "layouts/routes/rma.h"
#include "layouts/sim/sim.h"
#include "mesh/proof/proof.h"

MW_BEGIN_DECLS

/* What a picture shows; all borrowed. Everything but the layout may be NULL. */
struct mw_picture {
    const struct mw_layout *layout; /* expanded */
    const char *title;
    const struct mw_proof *proof;               /* a witness is drawn in red */
    const struct mw_proof *others[MW_N_MODELS]; /* HTML: more verdicts, told in words */
    const struct mw_rma
        *puts; /* of remote puts, and no proofs: its circle is drawn, and no hop */
    const struct mw_sim_result
        *sim;                     /* the heat; its deadlock, if any, hides the witness */
    const struct mw_film *film;   /* HTML: the slider's frames, of all cycles of `sim` */
    const struct mw_trace *trace; /* HTML: how a deadlock comes about, step by step */
    bool shortest;                /* no other trace of these flows has fewer steps */
};

/* Frames of a simulation, taken from its events: `n_frames` that divide the cycles evenly
 * (fewer where there are fewer cycles), and each is the average of its cycles, per core: shares
 * of the states, mean fills. cycles, n_frames >= 1. To film a run that stops early from start
 * to stop, simulate twice: the same configuration gives the same events, and the first run
 * says how long it is. */
struct mw_film;
int mw_film_new(const struct mw_layout *l, uint64_t cycles, uint32_t n_frames,
                struct mw_film **out) MW_NODISCARD;
void mw_film_observe(void *film, const struct mw_sim_event *e);
/* The run is over. Only then a film can be drawn. */
void mw_film_end(struct mw_film *f);
void mw_film_free(struct mw_film *f); /* NULL is legal */

/* All four are local and write to `out`, which the caller owns and checks with ferror().
 * Errors: MW_ERR_NOMEM; the text is then not complete. */

/* `colours`: ANSI escapes; otherwise plain ASCII. */
int mw_draw_map(const struct mw_picture *p, bool colours, FILE *out) MW_NODISCARD;
/* One <svg> element, readable on light and on dark paper. */
int mw_draw_svg(const struct mw_picture *p, FILE *out) MW_NODISCARD;
/* One file that needs no network. */
int mw_draw_html(const struct mw_picture *p, FILE *out) MW_NODISCARD;
/* Graphviz: the hops between cores; if the proof is of another model, its nodes. */
int mw_draw_dot(const struct mw_picture *p, FILE *out) MW_NODISCARD;

MW_END_DECLS
#endif
