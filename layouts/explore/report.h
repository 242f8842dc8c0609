/* report.h -- all that can be found out about one layout without simulating it: the proofs of
 * the models, what reaches their cycles, writers, store, hazards, and what would help. Of a layout
 * whose messages have several ways (layouts/ways/): knots instead of cycles; of the hazards only
 * how many hops there are, and cores with inputs of both classes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_REPORT_H
#define MW_MESH_REPORT_H

#include "layouts/explain/explain.h"
#include "layouts/explore/explore.h"
#include "layouts/ways/knot.h"

MW_BEGIN_DECLS

enum { MW_REPORT_WRITERS = 20, MW_REPORT_FIXES = 6 };

struct mw_report_conf {
    bool wanted[MW_N_MODELS];   /* which models are looked at */
    enum mw_mesh_model decides; /* whose verdict is the layout's */
    bool realise;
    uint64_t limit; /* states of a realisation; 0: the usual */
    bool ways;      /* takes layouts whose messages have several ways, too */
};

struct mw_layout_report {
    const struct mw_layout *layout; /* borrowed */
    struct mw_report_conf conf;
    struct mw_proof proof[MW_N_MODELS]; /* of the wanted models */
    uint8_t *used
        [MW_N_MODELS]; /* owned; [n_nodes] of those that are free: some flow uses it */
    struct mw_exploration realised[MW_N_MODELS]; /* of their cycles, if asked for */
    struct mw_stages stages; /* of messages with several ways; else empty */
    struct mw_knot knot[MW_N_MODELS];
    struct mw_writers writers[MW_REPORT_WRITERS];
    uint64_t n_writers; /* buckets with several writers */
    struct mw_budget budget;
    struct mw_hazards hazards;
    struct mw_fix fix[MW_REPORT_FIXES];
    uint32_t n_fixes; /* of coupled deadlocks, and of knots in the model that decides */
};

/* Local; frees itself on error. */
int mw_report_make(const struct mw_layout *l, const struct mw_report_conf *conf,
                   struct mw_layout_report *out) MW_NODISCARD;
void mw_report_fini(struct mw_layout_report *r);

bool mw_report_is_free(const struct mw_layout_report *r, enum mw_mesh_model m);
/* Of one model that was looked at. BOUNDED: a cycle that was to be realised and was not. */
enum mw_explore_verdict mw_report_verdict(const struct mw_layout_report *r,
                                          enum mw_mesh_model m);
/* Whether the deciding model is free; strict: two writers and a store that is too small count
 * as well. */
bool mw_report_is_sound(const struct mw_layout_report *r, bool strict);

/* Plays the flows that cause the cycle of `p` until they deadlock: breadth first for a shortest
 * trace, and if that meets the limit (states; 0: the usual), guided. */
int mw_witness_realise(const struct mw_layout *l, const struct mw_proof *p,
                       uint64_t limit, struct mw_exploration *out) MW_NODISCARD;

MW_END_DECLS
#endif
