/* cc_told.c -- see cc_told.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_told.h"

#include "devices/placed.h"

/* Edges that a rank may tell, for so many places: of most graphs fewer are left than that. */
enum { PLACES_AN_EDGE = 8, LEAST_EDGES = 4096 };

static uint64_t most_edges(uint64_t most_places)
{
    return most_places / PLACES_AN_EDGE + LEAST_EDGES;
}

/* Devices of several ranks, who wait for each exchange of records longer than this takes. */
static bool can_tell(const struct mw_backend *backend, uint32_t n_ranks, bool wide)
{
    return n_ranks > 1 && n_ranks <= MW_LINKED_MAX && backend->devices != NULL && !wide;
}

static void forest_sizes(uint64_t n_vertices, struct mw_sizes *out)
{
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "forest of those left", n_vertices,
                    sizeof(uint32_t));
}

void cc_told_sizes(const struct mw_algorithm_shape *shape,
                   const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint32_t n_ranks = world->groups.n_ranks, first = out->n;
    if (!can_tell(world->backend, n_ranks, shape->wide) || shape->asks_names)
        return;
    forest_sizes(shape->n_places * n_ranks, out);
    mw_parts_sizes(most_edges(shape->n_places) * sizeof(uint64_t), MW_SEARCHING, world,
                   out);
    for (uint32_t i = first; i < out->n; i++)
        out->row[i].spare = true;
}

int cc_told_open(struct mw_traversal *t, struct cc_state *s, struct cc_told *c)
{
    struct mw_world *const w = t->world;
    const struct mw_graph *const g = t->graph;
    const uint64_t most = most_edges(mw_most_places(&g->partition));
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    if (!can_tell(w->backend, w->comm->size, g->wide) || s->g->name == NULL)
        return MW_OK;
    forest_sizes(g->n_vertices, &sizes);
    MW_PLACE(rc, c->forest, w, MW_OF_CORES, &sizes, "forest of those left");
end:
    rc = mw_comm_agree(w->comm, rc);
    if (rc == MW_OK)
        rc = mw_parts_open(w, most * sizeof(uint64_t), &c->parts);
    if (rc == MW_OK) {
        s->told = c->parts.mine;
        s->forest = c->forest;
        c->most = most;
    } else if (rc == MW_ERR_NOMEM) { /* rounds do without */
        mw_error_clear();
        cc_told_close(t, c);
        rc = MW_OK;
    }
    return rc;
}

void cc_told_close(struct mw_traversal *t, struct cc_told *c)
{
    mw_parts_close(&c->parts);
    mw_unplace(t->world, MW_OF_CORES, c->forest);
    c->forest = NULL;
}

/* Collective: a sweep over what each rank has told. */
static int sweep_told(struct mw_traversal *t, struct cc_state *s, struct cc_told *c,
                      const uint64_t *n_told, uint32_t row)
{
    const uint32_t n_ranks = t->world->comm->size;
    const void *its;
    for (uint32_t r = 0; r < n_ranks; r++) {
        MW_NEED(mw_parts_see(&c->parts, r, 0, n_told[r] * sizeof(uint64_t), &its));
        s->its_told = its;
        s->n_its = n_told[r];
        if (n_told[r] > 0)
            mw_traversal_sweep(t, row);
    }
    return MW_OK;
}

int cc_told_unite(struct mw_traversal *t, struct cc_state *s, struct cc_told *c,
                  bool *done)
{
    struct mw_comm *const comm = t->world->comm;
    uint64_t n_told[MW_LINKED_MAX] = {0}, most = 0;
    *done = false;
    if (c->most == 0)
        return MW_OK;
    n_told[comm->rank] = s->cut ? c->most + 1 : s->counts->n_units;
    MW_NEED(mw_comm_sum(comm, n_told, comm->size));
    for (uint32_t r = 0; r < comm->size; r++)
        most = mw_max(most, n_told[r]);
    *done = most <= c->most;
    if (!*done || most == 0)
        return MW_OK;
    if (n_told[comm->rank] > 0)
        mw_traversal_sweep(t, CC_TELL_EDGES);
    MW_NEED(mw_parts_share(&c->parts, 0, most * sizeof(uint64_t)));
    MW_NEED(sweep_told(t, s, c, n_told, CC_PLANT_TOLD));
    MW_NEED(sweep_told(t, s, c, n_told, CC_UNITE_TOLD));
    mw_traversal_sweep(t, CC_SETTLE);
    return MW_OK;
}
