/* mesh_naive.h -- the graph of a small layout once more, one edge after the other from
 * the lists of its flows, and its cycles by Floyd and Warshall. Shares nothing with the
 * prover.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MESH_NAIVE_H
#define MESH_NAIVE_H

#include "mesh/lang/layout.h"
#include "ranks.h"

#include <string.h>

enum { NODES_MAX = 512, FAR = 1 << 28, PATH_MAX_CORES = 64 };

struct naive {
    uint32_t n;
    uint64_t n_edges;
    uint32_t weight[NODES_MAX][NODES_MAX]; /* of the edge; FAR: none */
};

static inline mw_mesh_node held_before(const struct mw_layout *l, enum mw_mesh_model m,
                                       const mw_core *core, uint32_t hop)
{
    return m == MW_COUPLED ? core[hop] : mw_hop_node(l, m, core[hop - 1], core[hop]);
}

/* How many of its cores a message comes to: decoupled and link, depth 0 is a wall. */
static inline uint32_t naive_reach(const struct mw_layout *l, enum mw_mesh_model m,
                                   const mw_core *core, uint32_t n)
{
    uint32_t i = 1;
    while (i < n &&
           (m == MW_COUPLED || l->fifo[mw_hop_class(l, core[i - 1], core[i])] > 0))
        i++;
    return i;
}

/* Of the flows whose bit is set, and of all from number 64 on. */
static inline const struct naive *naive_edges_of(const struct mw_layout *l,
                                                 enum mw_mesh_model m, uint64_t flows)
{
    static struct naive g;
    mw_core core[PATH_MAX_CORES];
    g.n = mw_mesh_nodes(l, m);
    g.n_edges = 0;
    MUST(g.n <= NODES_MAX && l->longest <= PATH_MAX_CORES);
    for (uint32_t a = 0; a < g.n; a++)
        for (uint32_t b = 0; b < g.n; b++)
            g.weight[a][b] = FAR;
    for (uint64_t f = 0; f < l->n_flows; f++) {
        const uint32_t n =
            f < 64 && (flows >> f & 1) == 0 ? 0 : mw_layout_flow(l, f, core);
        const uint32_t reach = n == 0 ? 0 : naive_reach(l, m, core, n);
        for (uint32_t h = m == MW_COUPLED ? 0 : 1; h + 1 < n && h < reach; h++) {
            uint32_t *w = &g.weight[held_before(l, m, core, h)]
                                   [mw_hop_node(l, m, core[h], core[h + 1])];
            g.n_edges += *w == FAR;
            *w = l->fifo[mw_hop_class(l, core[h], core[h + 1])] +
                 (m == MW_COUPLED ? l->send + 1 : 0);
        }
    }
    return &g;
}

static inline const struct naive *naive_edges(const struct mw_layout *l,
                                              enum mw_mesh_model m)
{
    return naive_edges_of(l, m, UINT64_MAX);
}

/* The least sum of `weight` or, if `ones`, the least number of edges around a cycle. */
static inline uint32_t naive_cycle(const struct naive *g, bool ones)
{
    static uint32_t d[NODES_MAX][NODES_MAX];
    uint32_t best = FAR;
    for (uint32_t a = 0; a < g->n; a++)
        for (uint32_t b = 0; b < g->n; b++)
            d[a][b] = ones && g->weight[a][b] != FAR ? 1 : g->weight[a][b];
    for (uint32_t k = 0; k < g->n; k++)
        for (uint32_t a = 0; a < g->n; a++)
            for (uint32_t b = 0; d[a][k] < FAR && b < g->n; b++)
                d[a][b] = (uint32_t)mw_min(d[a][b], d[a][k] + d[k][b]);
    for (uint32_t a = 0; a < g->n; a++)
        best = (uint32_t)mw_min(best, d[a][a]);
    return best;
}

/* Kahn: take away what nothing waits behind, until nothing changes. */
static inline bool naive_free(const struct naive *g)
{
    bool gone[NODES_MAX] = {false};
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t a = 0; a < g->n; a++) {
            bool needs = false;
            for (uint32_t b = 0; b < g->n; b++)
                needs = needs || (!gone[b] && g->weight[a][b] != FAR);
            changed = changed || (!gone[a] && !needs);
            gone[a] = gone[a] || !needs;
        }
    }
    return memchr(gone, false, g->n) == NULL;
}

/* ---- random layouts ---------------------------------------------------------------- */

static inline struct mw_layout *random_mesh(uint64_t *seed, uint32_t most_rows,
                                            uint32_t most_cols)
{
    struct mw_layout *l;
    const uint32_t rows = 1 + (uint32_t)drawn(seed, most_rows);
    const uint32_t cols = (rows == 1 ? 2 : 1) + (uint32_t)drawn(seed, most_cols);
    MUST(mw_layout_new(rows, cols, &l) == MW_OK);
    l->fifo[MW_ROW] = (uint32_t)drawn(seed, 4);
    l->fifo[MW_COLUMN] = (uint32_t)drawn(seed, 4);
    l->send = (uint32_t)drawn(seed, 3);
    return l;
}

static inline mw_core neighbour(const struct mw_layout *l, mw_core v, uint64_t *seed)
{
    mw_core to;
    do
        to = (mw_core)drawn(seed, mw_mesh_cores(l));
    while (!mw_hop_legal(l, v, to));
    return to;
}

static inline struct mw_layout *random_listed(uint64_t seed, uint32_t most_rows,
                                              uint32_t most_cols)
{
    static struct mw_diagnostics d;
    struct mw_layout *l = random_mesh(&seed, most_rows, most_cols);
    const uint32_t n_flows = 1 + (uint32_t)drawn(&seed, 7);
    for (uint32_t f = 0; f < n_flows; f++) {
        mw_core core[6];
        const uint32_t n = 2 + (uint32_t)drawn(&seed, 4);
        core[0] = (mw_core)drawn(&seed, mw_mesh_cores(l));
        for (uint32_t i = 1; i < n; i++)
            core[i] = neighbour(l, core[i - 1], &seed);
        MUST(mw_layout_add_flow(l, core, n, -1, 0) == MW_OK);
    }
    memset(&d, 0, sizeof d);
    MUST(mw_layout_expand(l, &d) == MW_OK);
    return l;
}

#endif
