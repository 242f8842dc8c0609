/* cc.h -- connected components: every vertex gets the smallest number in its component.
 *
 * 1. One direction-optimising search (bfs.h), from a vertex of the highest degree, takes the
 *    component that nearly all of most graphs is (Slota, Rajamanickam, Madduri, IPDPS 2014).
 * 2. What is left is settled in rounds, of which each vertex that is left does three things:
 *
 *      tell   its neighbours and its last representative, if its component has become smaller
 *      ask    its representative for a smaller one
 *      lower  its component, when it hears of a smaller one
 *
 *    Telling neighbours alone would take as many rounds as the component is wide. Telling the
 *    representative (hooking) and asking it (jumping) make that about the logarithm (Shiloach,
 *    Vishkin 1982; Zhang, Azad, Hu 2020).
 *
 * In graphs that are long rather than broad a search takes thousands of levels, so it is cut
 * after as many as are worth it; then all vertices are left, with what the search has shown.
 *
 * Edges count both ways; a graph that was built with directions is refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CC_H
#define MW_CC_H

#include "algorithms/bfs.h"

MW_BEGIN_DECLS

struct mw_cc;

/* What the last run has found and done; the same at all ranks. */
struct mw_cc_summary {
    uint64_t n_components; /* isolated vertices are components as well */
    uint64_t n_isolated;
    uint64_t n_largest;  /* vertices of the largest one */
    mw_vid largest;      /* its smallest vertex; of several the smallest */
    uint64_t n_searched; /* vertices that the search has reached */
    uint32_t n_levels;   /* of the search */
    bool cut;            /* the search was given up: all vertices went through rounds */
    uint64_t n_left;     /* vertices that went through rounds */
    uint32_t n_rounds;
};

/* Local: what mw_cc_new() takes. */
void mw_cc_sizes(const struct mw_algorithm_shape *shape,
                 const struct mw_world_shape *world, struct mw_sizes *out);

/* Collective; borrows world and graph. The rule is the search's. */
int mw_cc_new(const struct mw_direction_rule *rule, struct mw_world *world,
              const struct mw_graph *graph, struct mw_cc **out) MW_NODISCARD;
void mw_cc_free(struct mw_cc *c); /* collective */

/* Local, the same at all ranks: from now on a search is cut after so many levels. At first that
 * are as many as are worth it. */
void mw_cc_search_at_most(struct mw_cc *c, uint32_t n_levels);

/* Collective. When it returns, this rank's components are in memory. Forgets the last run. */
int mw_cc_find(struct mw_cc *c) MW_NODISCARD;

/* Local, after a run. Vertex v = place * n_ranks + rank is at [place]. */
mw_vid mw_cc_component(const struct mw_cc *c, uint64_t place);
const void *mw_cc_components(const struct mw_cc *c); /* [n_places], 32 or 64 bits */

/* Collective, after a run. */
int mw_cc_summarise(struct mw_cc *c, struct mw_cc_summary *out) MW_NODISCARD;

MW_END_DECLS
#endif
