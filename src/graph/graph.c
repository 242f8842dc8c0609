/* graph.c -- how a graph begins and ends; construct.c says what comes between.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

#include "graph/delegates.h"

bool mw_owners_are_asked(enum mw_look_up rule, uint64_t n_vertices, uint64_t n_edges,
                         uint32_t n_ranks, uint32_t n_hosts)
{
    const uint64_t number = mw_number_bytes(n_vertices > MW_NARROW_VERTICES);
    const uint64_t table = mw_saturating_times(n_vertices, number);
    const uint64_t edges = mw_saturating_times(n_edges / n_hosts, 2 * number);
    if (n_ranks == 1 || rule == MW_LOOK_UP_TABLE)
        return false;
    return rule == MW_LOOK_UP_ASK ||
           (n_hosts > 1 && table > MW_TABLE_BYTES && table > edges);
}

/* Whose its vertices are, and nothing else yet. */
static int graph_new(struct mw_comm *comm, const struct mw_edges *edges,
                     struct mw_graph **out)
{
    struct mw_graph *g;
    MW_NEED_NEW(g, "graph", 1);
    g->comm = comm;
    mw_laps_begin(&g->laps, comm);
    g->directed = edges->directed;
    g->n_vertices = edges->n_vertices;
    g->n_edges = edges->n;
    g->partition = mw_edges_partition(edges, comm->rank, comm->size);
    g->n_places = mw_my_places(&g->partition);
    g->place_bits = mw_bits_for(mw_most_places(&g->partition));
    *out = g;
    return MW_OK;
}

int mw_graph_build(struct mw_world *world, const struct mw_edges *edges,
                   struct mw_graph **out)
{
    return mw_graph_build_by(world, edges, NULL, out);
}

int mw_graph_build_by(struct mw_world *world, const struct mw_edges *edges,
                      const struct mw_graph_rule *rule, struct mw_graph **out)
{
    struct mw_comm *comm = world->comm;
    struct mw_graph *g = NULL;
    int rc;

    *out = NULL;
    MW_TRY(rc, mw_comm_agree(comm, graph_new(comm, edges, &g)));
    MW_TRY(rc, mw_comm_sum(comm, &g->n_edges, 1));
    MW_TRY(rc, mw_construct(world, edges, rule, g));
    *out = g;
end:
    if (rc < MW_OK)
        mw_graph_free(g);
    return rc;
}

int mw_graph_fill(struct mw_world *world, const struct mw_edges *part,
                  const struct mw_graph_rule *rule, struct mw_graph *g)
{
    MW_FREE_ALL(g->row, g->column, g->weight);
    g->row = g->in_row = NULL;
    g->column = g->in_column = NULL;
    g->weight = g->in_weight = NULL;
    return mw_construct_part(world, part, rule, g);
}

void mw_graph_free(struct mw_graph *g)
{
    if (g == NULL)
        return;
    mw_comm_host_free(g->comm, g->name);
    mw_delegates_free(g->delegates);
    MW_FREE_ALL(g->row, g->column);
    if (g->in_row != g->row)
        mw_free(g->in_row);
    if (g->in_column != g->column)
        mw_free(g->in_column);
    if (g->in_weight != g->weight)
        mw_free(g->in_weight);
    MW_FREE_ALL(g->weight, g->head, g->head_name, g->label_of, g->place_of, g->degree,
                g->connected, g->n_before, g);
}
