/* explain.h -- a proof for people: the edits that make a layout free, the certificate as a file and
 * its verification, and the proof or the deadlock as prose. A run needs none of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_EXPLAIN_H
#define MW_LAYOUT_EXPLAIN_H

#include "mesh/proof/proof.h"

MW_BEGIN_DECLS

/* ---- edits that help --------------------------------------------------------------- */

/* The smallest changes that make the layout free in the model of `p`, each of them
 * checked with mw_proof_make() on the changed layout before it is offered. */
struct mw_fix {
    char text[240];   /* "make column 1 one-way (add a second router column)" */
    bool proved;      /* the changed layout is free */
    uint64_t credits; /* > 0: instead bound the messages in flight to this number */
};
/* Fills up to `room` >= 1; returns their number, 0 if `p` is free. The last one is
 * always the credit bound. Out of memory, or beyond 100,000 hops in all, fewer edits
 * are tried. */
uint32_t mw_layout_fixes(const struct mw_layout *l, const struct mw_proof *p,
                         struct mw_fix *out, uint32_t room);

/* The same for a layout whose messages have several ways, and that has a knot: forbidden turns, an
 * escape, the order of puts, a broadcast that goes. All proved; 0: none of them helps. */
uint32_t mw_knot_fixes(const struct mw_layout *l, enum mw_mesh_model model,
                       struct mw_fix *out, uint32_t room);

/* ---- certificate files ------------------------------------------------------------- */

/* "# meshway-certificate 1 model=coupled", then one "NODE RANK" a line for every node
 * that a message can stand at. */
void mw_certificate_print(const struct mw_layout *l, enum mw_mesh_model m,
                          uint32_t n_nodes, const uint8_t *used, const uint32_t *rank,
                          FILE *out);
struct mw_verification {
    uint64_t n_edges; /* different ones that the ranks fall along */
    bool ways;        /* messages with several ways: of each, one way falls */
    uint64_t line;    /* MW_ERR_DATA: of the certificate, from 1 */
};
/* verify.c, a page that shares nothing with the prover: walks every flow and
 * compares. MW_OK: the ranks fall along every edge. MW_ERR_INVALID: they do not; the
 * message says where. MW_ERR_DATA: this is no certificate for that model; out->line says
 * where. */
int mw_certificate_verify(const struct mw_layout *l, enum mw_mesh_model model,
                          const char *text, size_t bytes, struct mw_verification *out)
    MW_NODISCARD;

/* ---- prose ------------------------------------------------------------------------- */

/* The proof, or the story of the deadlock, for a reader who meets both for the first
 * time. `open`: the cycle, if there is one, was not reached by any trace: the verdict is
 * undecided. */
int mw_layout_explain(const struct mw_layout *l, enum mw_mesh_model model, bool open,
                      FILE *out) MW_NODISCARD;

/* Its parts: why a free layout is free (ranks.c), how the other one comes to a stop, and what helps
 * (story.c). `told` is free, or not. */
int mw_layout_tell_free(const struct mw_layout *l, const struct mw_proof *told, FILE *out)
    MW_NODISCARD;
int mw_layout_tell_deadlock(const struct mw_layout *l, const struct mw_proof *told,
                            FILE *out) MW_NODISCARD;
void mw_layout_tell_fixes(const struct mw_layout *l, const struct mw_proof *told,
                          FILE *out);

MW_END_DECLS
#endif
