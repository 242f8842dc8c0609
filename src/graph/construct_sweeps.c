/* construct_sweeps.c -- what kernel 1 does to tables of all vertices of a rank, an equal share to each
 * core. Those that sort and move have files of their own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

#include "shuffle/job.h"

static struct mw_graph *graph_of(void *job)
{
    return ((struct mw_construction *)((struct mw_job *)job)->state)->g;
}

void mw_construction_columns(struct mw_cpe *self, void *arg)
{
    const struct mw_construction *c = ((struct mw_job *)arg)->state;
    const struct mw_graph *g = c->g;
    const uint64_t mine = mw_columns_of(g->comm->rank, g->label_bits);
    const uint64_t base = g->comm->rank * c->most_places;
    uint64_t from, to;
    mw_share(self, 0, g->n_places, &from, &to);
    for (uint64_t p = from; p < to; p++)
        mw_set_number(c->column_of, base + p, mine | g->label_of[p], g->wide);
}

void mw_construction_lengths(struct mw_cpe *self, void *arg)
{
    const struct mw_construction *c = ((struct mw_job *)arg)->state;
    uint64_t from, to;
    mw_share(self, 0, c->g->n_labels, &from, &to);
    for (uint64_t l = from; l < to; l++)
        c->to->row[l + 1] = c->to->degree[c->g->place_of[l]];
}

/* A vertex that no edge enters gets itself as its head: not visited while it looks. */
void mw_construction_heads(struct mw_cpe *self, void *arg)
{
    struct mw_graph *g = graph_of(arg);
    const uint64_t mine = mw_columns_of(g->comm->rank, g->label_bits);
    uint64_t from, to;
    mw_share(self, 0, g->n_places, &from, &to);
    for (uint64_t p = from; p < to; p++)
        if (g->label_of[p] != MW_NO_LABEL)
            mw_set_number(g->head, mw_head_index(g, p), mine | g->label_of[p], g->wide);
}

void mw_construction_names(struct mw_cpe *self, void *arg)
{
    const struct mw_graph *g = graph_of(arg);
    const uint64_t base = mw_columns_of(g->comm->rank, g->label_bits);
    uint64_t from, to;
    mw_share(self, 0, g->n_labels, &from, &to);
    for (uint64_t l = from; l < to; l++)
        mw_set_number(g->name, base + l, mw_vertex_at(g, g->comm->rank, g->place_of[l]),
                      g->wide);
}

void mw_construction_head_names(struct mw_cpe *self, void *arg)
{
    const struct mw_graph *g = graph_of(arg);
    uint64_t from, to;
    mw_share(self, 0, g->n_labels, &from, &to);
    for (uint64_t i = from; i < to; i++)
        mw_set_number(g->head_name, i,
                      mw_number(g->name, mw_number(g->head, i, g->wide), g->wide),
                      g->wide);
}
