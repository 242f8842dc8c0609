/* cc_shared.c -- see cc_shared.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_shared.h"

enum { VOTES = 1024, VERTEX_BITS = 48 }; /* for the largest tree of a sample */

static const char window_name[] = "forest of ranks";

/* Local, the same at all ranks: do those of a host share one? */
static bool are_near(const struct mw_backend *backend, uint32_t n_ranks, bool asks_names)
{
    return n_ranks > 1 && !asks_names && !backend->mesh && backend->devices == NULL &&
           mw_ranks_are_near(backend);
}

void cc_shared_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint32_t n_ranks = world->groups.n_ranks;
    if (!are_near(world->backend, n_ranks, shape->asks_names))
        return;
    mw_sizes_add(out, MW_SEARCHING, window_name, shape->n_places * n_ranks,
                 mw_number_bytes(shape->wide))
        ->of_host = true;
}

int cc_shared_open(struct mw_traversal *t, struct cc_state *s, struct cc_shared *c)
{
    struct mw_comm *const comm = t->world->comm;
    const struct mw_graph *const g = t->graph;
    if (t->rows.sweep[CC_UNITE].cores == NULL)
        return MW_OK;
    s->host = comm->host;
    s->host_of = comm->host_of;
    s->first_planted = mw_stretch_begins(g->n_vertices, comm->host_size, comm->host_rank);
    s->n_planted =
        mw_stretch_begins(g->n_vertices, comm->host_size, comm->host_rank + 1) -
        s->first_planted;
    s->names = comm->size == 1 ? (const void *)t->placed->place_of : t->placed->name;
    s->wide_names = comm->size > 1 && g->wide;
    s->first_column = mw_column(comm->rank, 0, g->label_bits);
    s->has_own_stretches = comm->size == 1 || g->partition.block_bits > 0;
    s->n_stretches =
        mw_world_idle_lanes(t->world) * (s->has_own_stretches ? 1 : comm->size);
    c->has_forest = c->is_whole = comm->size == 1;
    s->forest = c->has_forest ? s->comp : NULL;
    if (!are_near(t->world->backend, comm->size, mw_graph_asks_names(g)))
        return MW_OK;
    const int rc = mw_comm_hosts_alloc(
        comm, window_name, g->n_vertices * mw_number_bytes(g->wide), &c->window);
    if (rc == MW_ERR_NOMEM) { /* rounds do without */
        mw_error_clear();
        return MW_OK;
    }
    s->forest = c->window;
    c->has_forest = rc == MW_OK;
    c->is_whole = comm->n_hosts == 1;
    return rc;
}

void cc_shared_close(struct mw_traversal *t, struct cc_shared *c)
{
    mw_comm_host_free(t->world->comm, c->window);
    c->window = NULL;
}

bool cc_shared_is_of_cores(const struct mw_traversal *t, const struct cc_shared *c)
{
    const struct mw_backend *const backend = t->world->backend;
    return c->has_forest && backend->devices == NULL && mw_host_reaches(backend);
}

bool cc_shared_begin(const struct mw_traversal *t, struct cc_state *s,
                     const struct cc_shared *c)
{
    s->of_all = s->settles_all = s->cut && cc_shared_is_of_cores(t, c);
    s->by_hosts = s->of_all && !c->is_whole;
    return c->is_whole || s->by_hosts;
}

static mw_vid above(const struct cc_state *s, mw_vid v)
{
    return s->g->wide ? MW_LOAD_RELAXED((const uint64_t *)s->forest + v)
                      : MW_LOAD_RELAXED((const uint32_t *)s->forest + v);
}

static mw_vid root_of(const struct cc_state *s, mw_vid v)
{
    for (mw_vid up; (up = above(s, v)) != v;)
        v = up;
    return v;
}

/* When all have united, the root of most that this rank looks at, below how often that is so, less how often it is
 * another one (Boyer and Moore 1991), of as many as it has a share of the vertices. */
static uint64_t vote(const struct cc_state *s)
{
    const struct mw_graph *const g = s->g;
    const uint64_t n =
        (uint64_t)VOTES * g->n_labels / mw_max(1, mw_most_places(&g->partition));
    uint64_t n_more = 0, is = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t u = (i * UINT64_C(0x9e3779b97f4a7c15) >> 32) % g->n_labels;
        const uint64_t one =
            root_of(s, mw_vertex_at(g, g->partition.rank, g->place_of[u]));
        if (n_more == 0)
            is = one;
        n_more += one == is ? 1 : UINT64_MAX;
    }
    return n_more << VERTEX_BITS | is;
}

/* Collective: makes trees of a sample of the edges. */
static int unite_sample(struct mw_traversal *t, const struct cc_state *s)
{
    struct mw_comm *const comm = t->world->comm;
    mw_traversal_sweep(t, CC_UNITE_STRETCHES);
    MW_NEED(mw_comm_host_barrier(comm));
    if (!s->has_own_stretches)
        return MW_OK;
    mw_traversal_sweep(t, CC_UNITE_LEAVING);
    return mw_comm_host_barrier(comm);
}

/* Collective: who is not in the largest tree of the sample is left. All ranks take the one for which a rank votes most. */
static int leave_largest(struct mw_traversal *t, struct cc_state *s)
{
    struct mw_comm *const comm = t->world->comm;
    uint64_t most = vote(s);
    MW_NEED(mw_comm_max(comm, &most, 1));
    s->largest = most & ((UINT64_C(1) << VERTEX_BITS) - 1);
    mw_traversal_sweep(t, CC_REST);
    /* A fence: all have settled before any unites on. */
    return mw_comm_host_barrier(comm);
}

/* Collective: behind it comp[] is of trees that all ranks of the host have united. Vertices of the sample's largest
 * tree have settled already, unless that has got another root: a vertex that is none is never one again. */
static int unite_left(struct mw_traversal *t, struct cc_state *s)
{
    struct mw_comm *const comm = t->world->comm;
    uint64_t n_all = s->counts->n_left;
    MW_NEED(mw_comm_sum(comm, &n_all, 1));
    if (n_all == 0)
        return MW_OK;
    if (s->counts->n_left > 0)
        mw_traversal_sweep(t, CC_UNITE);
    MW_NEED(mw_comm_host_barrier(comm));
    s->settles_all = s->of_all && above(s, s->largest) != s->largest;
    mw_traversal_sweep(t, CC_SETTLE);
    return MW_OK;
}

int cc_shared_unite(struct mw_traversal *t, struct cc_state *s, uint64_t *n_left)
{
    struct mw_comm *const comm = t->world->comm;
    if (s->of_all || s->forest != s->comp) {
        mw_traversal_sweep(t, CC_PLANT);
        MW_NEED(mw_comm_host_barrier(comm));
    }
    if (s->by_hosts) {
        mw_traversal_sweep(t, CC_UNITE_ROWS);
        MW_NEED(mw_comm_host_barrier(comm));
        mw_traversal_sweep(t, CC_BORDER);
    } else if (s->of_all) {
        MW_NEED(unite_sample(t, s));
        MW_NEED(leave_largest(t, s));
    }
    *n_left = s->of_all ? s->g->n_labels : s->counts->n_left;
    mw_traversal_sweep(t, CC_UNITS);
    return s->by_hosts ? MW_OK : unite_left(t, s);
}
