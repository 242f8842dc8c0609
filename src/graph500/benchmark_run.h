/* benchmark_run.h -- one run between its files:
 *
 *      benchmark.c         the order of things, and searches
 *      benchmark_graph.c   the list, the graph and its roots
 *      benchmark_energy.c  searches again, for joules
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BENCHMARK_RUN_H
#define MW_BENCHMARK_RUN_H

#include "graph500/benchmark.h"

MW_BEGIN_DECLS

struct mw_benchmark_way {
    const struct mw_algorithm *algorithm;
    struct mw_world *world;
    const void *options; /* borrowed */
    void *check;         /* NULL: nobody checks */
    struct mw_traversal *traversal;
    struct mw_graph
        *graph; /* that it searches: the run's, or one that its algorithm has built */
    struct mw_benchmark_result *out;
    struct mw_sent *sent; /* [n_ranks]; NULL: nobody counts */
    uint32_t n_made;
};

struct mw_benchmark {
    const struct mw_benchmark_conf *conf;
    struct mw_world *world; /* the first way's host's side: builds, validates */
    struct mw_comm *comm;
    struct mw_benchmark_way *way; /* [n_ways] */
    uint32_t n_ways;
    struct mw_benchmark_result *out; /* the first way's: facts on the graph */
    struct mw_edges edges;           /* generated; given: the list is not ours */
    struct mw_graph
        *graph; /* of all tuples, if any way searches it; else the first way's */
    mw_vid *root;
    uint32_t n_roots;
    bool
        reach; /* devices of all ranks tell each other without the host; one rank: true */
};

/* Who looks at a search: nobody, those whom its check asks, or the host as well. */
struct mw_benchmark_judging {
    bool checks, confirms;
};

/* Tells whoever follows the run. */
void mw_benchmark_say_phase(const struct mw_benchmark *r, enum mw_phase phase);
/* Collective: the longest of all ranks. */
int mw_benchmark_longest(struct mw_comm *comm, double *seconds) MW_NODISCARD;

/* Collective: the graphs, and where searches begin. */
int mw_benchmark_build(struct mw_benchmark *r) MW_NODISCARD;
void mw_benchmark_free_graphs(struct mw_benchmark *r);

/* Collective: one search; `sent` NULL: nobody counts what it sends. Only a finished one owns something. */
int mw_benchmark_search(struct mw_benchmark *r, struct mw_benchmark_way *w, mw_vid root,
                        struct mw_sent *sent, const struct mw_benchmark_judging *judging,
                        struct mw_search *s) MW_NODISCARD;
void mw_benchmark_forget(struct mw_search *s);
/* Collective: all ranks stop at the same search. */
int mw_benchmark_asked_to_stop(struct mw_benchmark *r, bool *stop) MW_NODISCARD;

/* Collective, after the searches: what they draw, as Green Graph500 has it. */
int mw_benchmark_energy(struct mw_benchmark *r) MW_NODISCARD;

MW_END_DECLS
#endif
