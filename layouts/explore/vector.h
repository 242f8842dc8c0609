/* vector.h -- layouts and scripts with what is expected of them, against what the proof and the
 * search say: a study's worth of layouts as one command. The files they come from are JSON
 * (layouts/verbs/mesh_vectors.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_VECTOR_H
#define MW_MESH_VECTOR_H

#include "layouts/explore/script.h"
#include "mesh/lang/layout.h"

#include <stdio.h>

MW_BEGIN_DECLS

struct mw_vector_case { /* one of "exhaust" or "min_inflight" */
    enum mw_mesh_model model;
    uint32_t depth;
    uint32_t k; /* min_inflight; at least 1 */
};

struct mw_vector {
    char *name; /* owned; control characters as \u001b, so that it can be shown */
    struct mw_layout *layout; /* owned, expanded; of a script: the shape of its mesh */
    bool is_script;

    /* a layout's */
    bool expect_free[MW_N_MODELS];
    uint32_t n_witness[MW_N_MODELS]; /* 0: none given */
    mw_mesh_node *witness[MW_N_MODELS];
    uint32_t n_exhaust, n_inflight;
    struct mw_vector_case *exhaust, *inflight;
    bool has_single_writer, single_writer;
    bool has_rma;        /* remote puts (routes/rma.h) were looked at, too: */
    uint32_t rma_circle; /* cores in the shortest circle; 0: free */

    /* a script's; what its puts may reach has been checked */
    struct mw_script script;
    bool expect_deadlock;
};

struct mw_turns { /* the turn model: see mw_vector_turns() */
    bool present;
    uint32_t n_cyclic;
    char cyclic[16][2][3]; /* forbidden pairs that leave a cycle */
    uint32_t acyclic_count;
};

struct mw_vectors {
    struct mw_vector *vector; /* [n] layouts first, then scripts; owned */
    uint32_t n;
    struct mw_turns turns;
};

void mw_vectors_fini(struct mw_vectors *v);

struct mw_vector_tally {
    uint32_t n, n_wrong, n_bounded;
    FILE *
        out; /* a line for each fact: "ok", "WRONG", or "open" if a search met its limit */
    bool quiet; /* only those that are not ok */
};

enum mw_fact { MW_FACT_RIGHT, MW_FACT_WRONG, MW_FACT_OPEN };
MW_FN enum mw_fact mw_fact_of(bool right)
{
    return right ? MW_FACT_RIGHT : MW_FACT_WRONG;
}
void mw_fact_tell(struct mw_vector_tally *t, enum mw_fact fact, const char *name,
                  const char *fmt, ...) MW_PRINTF(4, 5);

/* Verdicts of the three models, length and edges of the witnesses, that every cycle can be
 * realised at depth 1, single writers; of scripts whether they hang. limit: states of one
 * search; 0: the usual. */
int mw_vector_check(const struct mw_vector *v, uint64_t limit, struct mw_vector_tally *t)
    MW_NODISCARD;

/* The listed exhaustive searches and least numbers in flight; scripts as above. */
int mw_vector_explore(const struct mw_vector *v, uint64_t limit,
                      struct mw_vector_tally *t) MW_NODISCARD;

/* All 16 ways to forbid one clockwise and one counter-clockwise turn on n x n nearest
 * neighbours, as layouts of one flow per allowed pair of hops, in the link model. */
int mw_vector_turns(const struct mw_turns *turns, uint32_t n, struct mw_vector_tally *t)
    MW_NODISCARD;

MW_END_DECLS
#endif
