/* graph.h -- what waits for what: the graph of one model.
 *
 * An edge a -> b stands for "a message that holds a needs b next". Wherever a message
 * stands, its next hop is one of rows + columns slots of that core, so a node's edges are
 * one short row of bits, and two flows that cause the same edge cost nothing:
 *
 *      out[a]:  bit s < cols     hop to column s of the same row
 *               bit cols + r     hop to row r of the same column
 *
 * Those are the slots of channel 0; of each further channel there are as many behind them
 * (but in the coupled model, which does not tell channels apart).
 *
 * Routed flows are not walked one by one. For one sink the next hops form a tree, and
 * what is below a core that an earlier source has passed has been seen: sinks x cores.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_GRAPH_H
#define MW_LAYOUT_GRAPH_H

#include "mesh/proof/proof.h"

MW_BEGIN_DECLS

struct mw_mesh_graph {
    enum mw_mesh_model model;
    uint32_t rows, cols;
    uint32_t n_line;           /* slots of a core in one channel: rows + cols */
    uint32_t n_slots, n_words; /* of a core; of one row of bits */
    uint32_t n_nodes, n_each;  /* of all channels, of one */
    uint64_t *out;             /* [n_nodes][n_words], owned */
    const mw_core *at;      /* [n_nodes] the core where the node's messages are, owned */
    const uint8_t *row_col; /* [cores][2] its row and column, owned */
};

/* The graph of what can happen at the layout's depths. In the decoupled and the link model nothing
 * ever enters a FIFO of depth 0: a message that needs one stays where it is for good, or never
 * comes, and no FIFO of that depth is on a cycle of waits. (Coupled, depth 0 is a rendezvous, and
 * every hop counts.) Local. Errors: MW_ERR_NOMEM; MW_ERR_REFUSED where messages have ways. */
int mw_mesh_graph_make(const struct mw_layout *l, enum mw_mesh_model model,
                       struct mw_mesh_graph *out) MW_NODISCARD;
/* The same without flows, for a caller that sets edges itself. */
int mw_mesh_graph_empty(const struct mw_layout *l, enum mw_mesh_model model,
                        struct mw_mesh_graph *out) MW_NODISCARD;
void mw_mesh_graph_fini(struct mw_mesh_graph *g);

uint64_t mw_mesh_graph_edges(const struct mw_mesh_graph *g);

/* For each edge node[i] -> node[i + 1] of the cycle (each node once) the lowest flow that
 * causes it, and the first such hop of that flow. */
int mw_mesh_graph_causes(const struct mw_layout *l, const struct mw_mesh_graph *g,
                         const mw_mesh_node *node, uint32_t n, struct mw_cause *why)
    MW_NODISCARD;

/* Which nodes some flow uses. Coupled: its cores, else: what its hops enter. */
int mw_mesh_graph_used(const struct mw_layout *l, enum mw_mesh_model model, uint8_t *used)
    MW_NODISCARD;

/* ---- components and cycles ----------------------------------------------- */

/* knot[a]: 0 if a is on no cycle, else the number of its strongly connected component,
 * from 1. rank[a], where knot[a] is 0 and nothing below a is in a knot: the longest
 * way down. *n_knots: 0 if there is no cycle, and then all ranks are good. */
int mw_mesh_knots(const struct mw_mesh_graph *g, uint32_t *knot, uint32_t *rank,
                  uint32_t *n_knots) MW_NODISCARD;
/* A shortest cycle: the one with the lowest lowest node, which comes first. There is one.
 * `cycle` has room for n_nodes. */
int mw_mesh_shortest_cycle(const struct mw_mesh_graph *g, const uint32_t *knot,
                           mw_mesh_node *cycle, uint32_t *n) MW_NODISCARD;
/* The least weight of a cycle, where entering a FIFO of a class costs weight[class];
 * given the length of a shortest cycle. */
int mw_mesh_lightest_cycle(const struct mw_mesh_graph *g, const uint32_t *knot,
                           uint32_t shortest, const uint32_t weight[MW_N_CLASSES],
                           uint64_t *out) MW_NODISCARD;

/* ---- edges ------------------------------------------------------------------------- */

/* In channel 0. */
MW_FN uint32_t mw_slot(const struct mw_mesh_graph *g, mw_core from, mw_core to)
{
    const uint8_t *a = g->row_col + (size_t)2 * from, *b = g->row_col + (size_t)2 * to;
    return a[0] == b[0] ? b[1] : g->cols + b[0];
}

/* Of the hop in that channel. */
MW_FN uint32_t mw_slot_in(const struct mw_mesh_graph *g, mw_core from, mw_core to,
                          mw_channel channel)
{
    return mw_slot(g, from, to) + (g->model == MW_COUPLED ? 0 : channel * g->n_line);
}

MW_FN enum mw_fifo_class mw_slot_class(const struct mw_mesh_graph *g, uint32_t slot)
{
    while (slot >= g->n_line)
        slot -= g->n_line;
    return slot < g->cols ? MW_ROW : MW_COLUMN;
}

/* The class of a node that is a FIFO. */
MW_FN enum mw_fifo_class mw_node_class(const struct mw_mesh_graph *g, mw_mesh_node a)
{
    return g->model == MW_DECOUPLED ? (enum mw_fifo_class)(a % MW_N_CLASSES)
                                    : mw_slot_class(g, a % g->n_line);
}

/* The node that the hop of that slot enters, from that core. */
MW_FN mw_mesh_node mw_slot_node(const struct mw_mesh_graph *g, enum mw_mesh_model model,
                                mw_core from, uint32_t slot)
{
    const uint8_t *a = g->row_col + (size_t)2 * from;
    mw_mesh_node before = 0; /* nodes of earlier channels */
    for (; slot >= g->n_line; slot -= g->n_line)
        before += g->n_each;
    const uint32_t to =
        slot < g->cols ? a[0] * g->cols + slot : (slot - g->cols) * g->cols + a[1];
    if (model == MW_COUPLED)
        return to;
    if (model == MW_DECOUPLED)
        return before + to * MW_N_CLASSES + mw_slot_class(g, slot);
    return before + from * g->n_line + slot;
}

/* The first slot >= `slot` of a's edges, n_slots if there is none. */
MW_FN uint32_t mw_next_slot(const struct mw_mesh_graph *g, mw_mesh_node a, uint32_t slot)
{
    const uint64_t *row = g->out + (size_t)a * g->n_words;
    for (uint32_t w = slot / 64; w < g->n_words; w++) {
        const uint64_t bits = w == slot / 64 ? row[w] >> slot % 64 << slot % 64 : row[w];
        if (bits != 0)
            return w * 64 + (uint32_t)__builtin_ctzll(bits);
    }
    return g->n_slots;
}

#define mw_for_each_slot(s, g, a)                                                        \
    for (uint32_t s = mw_next_slot((g), (a), 0); s < (g)->n_slots;                       \
         s = mw_next_slot((g), (a), s + 1))

MW_FN bool mw_has_edge(const struct mw_mesh_graph *g, mw_mesh_node a, mw_mesh_node b)
{
    const mw_core from = g->at[a], to = g->at[b];
    const uint8_t *x = g->row_col + (size_t)2 * from, *y = g->row_col + (size_t)2 * to;
    if (x[0] != y[0] && x[1] != y[1])
        return false;
    const uint32_t s = mw_slot_in(g, from, to, (mw_channel)(b / g->n_each));
    return (g->out[(size_t)a * g->n_words + s / 64] >> s % 64 & 1) != 0 &&
           mw_slot_node(g, g->model, from, s) == b;
}

MW_END_DECLS
#endif
