/* bfs_setup.c -- the memory and the modules of a search.
 *
 * What is allocated follows from the form of bottom-up. By messages nothing grows with all
 * of n: bitmaps are over the own labels and over the hubs of every rank. By bitmap, and
 * where each level chooses, there is a bitmap over all columns per host and per lane.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_crew.h"
#include "algorithms/bfs/bfs_search.h"

#include "base/clock.h"
#include "base/mem.h"
#include "devices/placed.h"

uint64_t bfs_listed_units(void *state)
{
    const struct bfs_state *s = state;
    return s->f.n_list_edges;
}

uint64_t bfs_labels(void *state)
{
    const struct bfs_state *s = state;
    return s->g->n_labels;
}

/* ---- What the form decides -------------------------------------------------------------- */

/* The bits of a lane's `seen`: which there are, and where. */
struct seen {
    enum bfs_seen kind;
    uint64_t n_words, own, hubs, stride;
};

static struct seen seen_of(const struct mw_algorithm_shape *shape,
                           const struct mw_means *means, uint32_t rank, uint32_t n_ranks)
{
    const uint32_t n_drop_hubs = means->hubs[MW_TOP_DOWN];
    const uint64_t n_words = (shape->n_labels + 63) / 64;
    struct seen seen = {.kind = BFS_OWN_AND_HUBS};
    if (means->by_bitmap) {
        seen.kind = n_drop_hubs > 0 ? BFS_COLUMNS_AND_HUBS : BFS_COLUMNS;
        seen.own = mw_columns_of(rank, shape->label_bits);
        seen.stride = mw_columns_of(1, shape->label_bits);
        seen.n_words = n_ranks * seen.stride / 64 + 1;
    } else {
        seen.hubs = 64 * n_words;
        seen.stride = (n_drop_hubs + UINT64_C(63)) / 64 * 64;
        seen.n_words = n_words + n_ranks * seen.stride / 64;
    }
    return seen;
}

static struct mw_means means_of(const struct mw_algorithm_shape *shape, uint32_t n_ranks,
                                uint32_t n_hosts)
{
    static const struct mw_direction_rule automatic = {.policy = MW_DIRECTION_AUTO};
    const struct mw_direction_rule *rule = shape->options;
    return mw_direction_means(rule != NULL ? rule : &automatic, n_ranks, n_hosts,
                              mw_columns_of(1, shape->label_bits));
}

static struct mw_algorithm_shape shape_of(const struct mw_bfs *b)
{
    const struct mw_graph *g = b->s.g;
    return (struct mw_algorithm_shape){.n_places = g->n_places,
                                       .n_labels = g->n_labels,
                                       .label_bits = g->label_bits,
                                       .wide = g->wide,
                                       .directed = g->directed,
                                       .asks_names = mw_graph_asks_names(g),
                                       .delegates = mw_delegates_shape_of(b->g),
                                       .options = &b->rule};
}

static uint32_t most_hubs(const struct mw_means *m)
{
    return (uint32_t)mw_max(m->hubs[MW_TOP_DOWN], m->hubs[MW_BOTTOM_UP]);
}

static void choose_shape(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;

    const struct mw_algorithm_shape shape = shape_of(b);
    b->means = means_of(&shape, g->comm->size, g->comm->n_hosts);
    const struct seen seen = seen_of(&shape, &b->means, g->comm->rank, g->comm->size);
    s->n_drop_hubs = b->means.hubs[MW_TOP_DOWN];
    s->n_look_hubs = b->means.hubs[MW_BOTTOM_UP];
    s->look_at_own = b->world->backend->short_circuit;
    b->has_slices = !b->world->conf.engine_mpe &&
                    mw_sweep_find(&mw_algorithm_bfs.row[BFS_SLICES],
                                  mw_algorithm_bfs.sweeps, b->world->backend)
                            .cores != NULL;
    s->seen_kind = seen.kind;
    s->seen_own = seen.own;
    s->seen_hubs = seen.hubs;
    s->seen_stride = seen.stride;
    s->n_seen_words = seen.n_words;
}

/* ---- Memory ---------------------------------------------------------------------------- */

static const struct mw_delegates_shape *delegates_of(const struct mw_algorithm_shape *s,
                                                     const struct mw_means *m)
{
    static const struct mw_delegates_shape none;
    return m->classes ? &s->delegates : &none;
}

/* Blocks that this file takes by their names here. */
static void own_sizes(const struct mw_algorithm_shape *shape, const struct mw_means *m,
                      const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct bfs_state *s = NULL;
    const struct bfs_lane *l = NULL;
    const struct mw_bfs *b = NULL;
    const uint32_t n_ranks = world->groups.n_ranks;
    const uint64_t n_words = (shape->n_labels + 63) / 64, n_lanes = world->n_lanes;
    const uint64_t n_bitmap_words = shape->n_places / 64 + 1;
    const uint64_t n_known = mw_columns_of(n_ranks, shape->label_bits) / 64 + 1;
    const struct seen seen = seen_of(shape, m, world->rank, n_ranks);
    struct mw_size *row;

    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "parents", shape->n_places,
                    shape->wide ? sizeof(uint64_t) : sizeof(uint32_t));
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "waiting places", n_bitmap_words,
                    sizeof *s->waiting)
        ->copies = m->by_bitmap;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "visited labels", n_words,
                    sizeof *s->f.visited)
        ->copies = !m->by_bitmap;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "labels that ask", n_words,
                    sizeof *s->asking)
        ->copies = m->by_messages;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "labels whose parent has no name",
                    n_words, sizeof *s->unnamed)
        ->copies = m->by_bitmap && shape->asks_names;
    /* Who asks stands in the frontier's list, and without hubs that may be nearly everybody. */
    mw_frontier_sizes(shape->n_labels, world->n_lanes,
                      m->by_messages && m->hubs[MW_BOTTOM_UP] == 0, out);
    row = mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "visited columns", n_known,
                          sizeof *s->known);
    row->of_host = !world->apart;
    row->copies = m->by_bitmap;
    row = mw_sizes_add(out, MW_SEARCHING, "visited columns, for the host", n_known,
                       sizeof *s->known);
    row->of_host = true;
    row->copies = m->by_bitmap && world->apart;
    row = mw_sizes_add(out, MW_SEARCHING, "visited labels, told",
                       mw_columns_of(world->host_ranks, shape->label_bits) / 64,
                       sizeof *b->told);
    row->of_host = true;
    row->copies = m->by_bitmap && world->n_hosts > 1;
    const uint32_t n_hubs = world->apart ? most_hubs(m) : 0;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "visited hubs, for the cores",
                    n_ranks * (uint64_t)mw_hubs_words(n_hubs), sizeof *s->hubs.visited)
        ->copies = n_hubs > 0;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "places of hubs, for the cores",
                    n_ranks * (uint64_t)n_hubs, sizeof *s->hubs.place)
        ->copies = n_hubs > 0;
    bfs_whole_sizes(shape, delegates_of(shape, m), world, out);
    bfs_crew_sizes(shape, world, m, out);
    mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "search lanes", n_lanes, sizeof *l);
    mw_sizes_add_of(out, MW_OF_BOTH, MW_SEARCHING, "work of a sweep", 1,
                    sizeof *s->sweep);
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "columns seen", seen.n_words,
                    sizeof *l->seen)
        ->copies = n_lanes;
}

static int lanes_init(struct mw_bfs *b, const struct mw_sizes *sizes)
{
    int rc = MW_OK;
    struct bfs_state *s = &b->s;
    const uint64_t n_lanes = mw_world_lanes(b->world);

    MW_PLACE(rc, s->lane, b->world, MW_OF_BOTH, sizes, "search lanes");
    s->n_lanes = (uint32_t)n_lanes;
    s->first_idle = mw_world_idle_lanes(b->world);
    for (uint64_t i = 0; i < n_lanes; i++)
        MW_PLACE(rc, s->lane[i].seen, b->world, MW_OF_CORES, sizes, "columns seen");
end:
    return rc;
}

static void sizes_of(const struct mw_bfs *b, struct mw_sizes *out)
{
    const struct mw_algorithm_shape shape = shape_of(b);
    struct mw_world_shape world;
    mw_world_shape_of(b->world, &world);
    out->n = 0;
    own_sizes(&shape, &b->means, &world, out);
}

static int state_init(struct mw_bfs *b)
{
    int rc = MW_OK;
    struct bfs_state *s = &b->s;
    struct mw_world *w = b->world;
    const struct mw_graph *g = b->g;
    struct mw_sizes sizes;

    sizes_of(b, &sizes);
    s->heads = mw_heads_find(g->wide, &b->heads_name);
    s->parent = mw_place(w, MW_OF_CORES, &sizes, "parents", mw_number_bytes(g->wide));
    if (s->parent == NULL)
        return MW_ERR_NOMEM;
    MW_PLACE(rc, s->waiting, w, MW_OF_CORES, &sizes, "waiting places");
    MW_PLACE(rc, s->f.visited, w, MW_OF_CORES, &sizes, "visited labels");
    MW_PLACE(rc, s->asking, w, MW_OF_CORES, &sizes, "labels that ask");
    MW_PLACE(rc, s->unnamed, w, MW_OF_CORES, &sizes, "labels whose parent has no name");
    MW_PLACE(rc, s->sweep, w, MW_OF_BOTH, &sizes, "work of a sweep");
    MW_TRY(rc, lanes_init(b, &sizes));
    s->first_leaf = g->first_leaf;
    MW_TRY(rc, mw_frontier_init(&s->f, w, &sizes, s->g));
end:
    return rc;
}

/* Collective: `known`, one per host. Where the host does not reach it each rank has its own, and
 * the host's is what ranks tell each other by. */
static int known_init(struct mw_bfs *b, const struct mw_sizes *sizes)
{
    struct bfs_state *s = &b->s;
    const bool reached = mw_host_reaches(b->world->backend);
    const struct mw_size *size = mw_sizes_find(
        sizes, reached ? "visited columns" : "visited columns, for the host");
    void *known = NULL;
    int rc = mw_comm_host_alloc(b->g->comm, size->what, size->n * size->bytes, &known);
    s->clears_known = b->g->comm->host_rank == 0;
    if (reached) {
        s->known = known;
    } else {
        b->known_of_host = known;
        if (rc == MW_OK)
            MW_PLACE(rc, s->known, b->world, MW_OF_CORES, sizes, "visited columns");
        s->clears_known = true;
    }
end:
    rc = mw_comm_agree(b->g->comm, rc);
    if (rc == MW_OK)
        s->f.visited = s->known + mw_first_word(b->g);
    return rc;
}

/* Tables of hubs for the cores: every exchange of hubs is put there. */
static int hubs_of_cores_init(struct mw_bfs *b)
{
    const struct mw_hubs *const h = b->s.visited_hubs;
    struct bfs_hub_tables *const x = &b->s.hubs;
    struct mw_sizes sizes;
    int rc = MW_OK;
    *x = (struct bfs_hub_tables){h->visited, h->place, h->n_words, h->n_hubs};
    if (mw_host_reaches(b->world->backend))
        return MW_OK;
    sizes_of(b, &sizes);
    x->visited = NULL;
    x->place = NULL;
    MW_PLACE(rc, x->visited, b->world, MW_OF_CORES, &sizes,
             "visited hubs, for the cores");
    MW_PLACE(rc, x->place, b->world, MW_OF_CORES, &sizes,
             "places of hubs, for the cores");
    mw_put(b->world, x->place, h->place, h->comm->size * x->n_hubs * sizeof *x->place);
end:
    return rc;
}

/* Collective. */
static int hubs_init(struct mw_bfs *b, uint32_t n_hubs)
{
    const struct mw_graph *const g = b->g;
    const uint32_t *place = g->place_of;
    uint32_t *mine = NULL;
    int rc = MW_OK;
    if (place == NULL) { /* the graph is the cores' alone */
        MW_NEW(rc, mine, "places of my hubs", n_hubs);
        place = mw_see(b->world, mine, g->of_cores->place_of,
                       mw_min(n_hubs, g->n_labels) * sizeof *mine);
    }
end:
    rc = mw_comm_agree(g->comm, rc);
    if (rc == MW_OK)
        rc = mw_hubs_new(g->comm, n_hubs, place, g->n_labels, &b->s.visited_hubs);
    if (rc == MW_OK)
        rc = mw_comm_agree(g->comm, hubs_of_cores_init(b));
    mw_free(mine);
    return rc;
}

/* Collective: what is shared by a host, and what is the same at all ranks. */
static int shared_init(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = b->g;
    const uint32_t n_hubs = most_hubs(&b->means);
    struct mw_sizes sizes;
    int rc = MW_OK;

    sizes_of(b, &sizes);
    MW_TRY(rc, bfs_whole_init(b, &sizes));
    if (s->whole == NULL)
        MW_TRY(rc, bfs_come_home(b));
    if (mw_sizes_find(&sizes, "visited columns")->copies > 0)
        MW_TRY(rc, known_init(b, &sizes));
    if (n_hubs > 0 && !mw_host_reaches(b->world->backend))
        MW_NEW(rc, b->hub_words, "my hubs, for the host", n_hubs / 64 + 1);
end:
    rc = mw_comm_agree(g->comm, rc);
    return rc == MW_OK && n_hubs > 0 ? hubs_init(b, n_hubs) : rc;
}

/* Words of the longest portion that is shared between hosts. */
static uint64_t shared_words(const struct mw_algorithm_shape *shape,
                             const struct mw_means *means, uint64_t n_delegated)
{
    const uint64_t known = (mw_columns_of(1, shape->label_bits)) / 64;
    const uint64_t others =
        mw_max((n_delegated + 63) / 64, mw_hubs_words(most_hubs(means)));
    return mw_max(means->by_bitmap ? known : 0, others);
}

/* Collective. After all that is shared. */
static int share_init(struct mw_bfs *b)
{
    const struct mw_comm *c = b->world->comm;
    const struct mw_algorithm_shape shape = shape_of(b);
    const uint64_t portion = shared_words(&shape, &b->means, 64 * b->s.delegates.n_words);
    struct mw_sizes sizes;
    int rc = MW_OK;
    sizes_of(b, &sizes);
    if (b->means.by_bitmap && c->n_hosts > 1 && c->host_rank == 0)
        MW_TAKE(rc, b->told, &sizes, "visited labels, told");
end:
    rc = mw_comm_agree(b->world->comm, rc);
    return rc < MW_OK || portion == 0
               ? rc
               : mw_set_share_new(b->world->comm, portion, &b->share);
}

/* ---- For the table of rows --------------------------------------------------------------- */

uint32_t bfs_variant(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, uint32_t row)
{
    const uint32_t n_ranks = world->groups.n_ranks;
    const struct mw_means means = means_of(shape, n_ranks, world->n_hosts);
    switch (row) {
    case BFS_FORWARD_GENERATOR: /* generate[wide][kind] */
        return (uint32_t)shape->wide * BFS_SEEN_KINDS +
               seen_of(shape, &means, 0, n_ranks).kind;
    case BFS_BACKWARD_GENERATOR: /* ask[wide] */
    case BFS_NAME_ASKER:         /* ask_name[wide] */
    case BFS_FORWARD_HANDLER:    /* handle[wide] */
    case BFS_FOLLOWER:           /* follow[wide] */
        return shape->wide;
    default:
        return 0;
    }
}

uint32_t bfs_exchanges(const struct mw_algorithm_shape *shape,
                       const struct mw_world_shape *world)
{
    const struct mw_means means = means_of(shape, world->groups.n_ranks, world->n_hosts);
    return 1U << BFS_FORWARD | (means.by_messages ? 1U << BFS_QUESTIONS : 0) |
           (means.by_bitmap && shape->asks_names ? 1U << BFS_NAMES : 0) |
           (mw_bfs_follows(world->backend, &means) ? 1U << BFS_FOLLOWED : 0);
}

void bfs_sizes(const struct mw_algorithm_shape *shape, const struct mw_world_shape *world,
               struct mw_sizes *out)
{
    const uint32_t n_ranks = world->groups.n_ranks;
    const struct mw_means means = means_of(shape, n_ranks, world->n_hosts);
    const uint32_t n_hubs = most_hubs(&means);
    mw_sizes_add(out, MW_SEARCHING, "search", 1, sizeof(struct mw_bfs));
    own_sizes(shape, &means, world, out);
    if (n_hubs > 0)
        mw_hubs_sizes(n_hubs, n_ranks, world->n_hosts, world->host_ranks, out);
    const struct mw_delegates_shape *delegates = delegates_of(shape, &means);
    bfs_delegates_sizes(delegates, world->apart, out);
    bfs_few_sizes(world, &means, out);
    bfs_follow_sizes(shape, world, &means, out);
    mw_set_share_sizes(n_ranks, world->n_hosts,
                       shared_words(shape, &means, delegates->most), out);
}

/* ---- First rates ------------------------------------------------------------------------ */

/* How much of all rows would have to be asked for, and what a byte of bitmap takes: of whole ones,
 * which say nothing yet. */
int bfs_rates_init(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = b->g;
    const uint64_t portion = bfs_portion_words(g) * sizeof(uint64_t);
    uint64_t *window = b->known_of_host != NULL ? b->known_of_host : s->known;
    const double n_ranks = g->comm->size;
    uint64_t sum[2] = {0, 0};
    int rc;

    if (b->has_rates || b->means.form != MW_FORM_AUTO)
        return MW_OK;
    b->has_rates = true;
    for (uint64_t l = 0; l < g->n_labels; l++)
        sum[0] += g->in_row[l + 1] - bfs_beyond_hubs(g, s->n_look_hubs, l, g->wide);
    MW_TRY(rc, mw_comm_share(g->comm, window, portion)); /* pages are touched */
    const bool begun = mw_world_begin_time(b->world);
    const double start = mw_world_now(b->world);
    rc = mw_comm_share(g->comm, window, portion);
    sum[1] = (uint64_t)(1e9 * (mw_world_now(b->world) - start));
    mw_world_end_time(b->world, begun);
    if (rc != MW_OK)
        goto end;
    MW_TRY(rc, mw_comm_sum(g->comm, sum, 2));

    const double beyond = g->n_entries > 0 ? (double)sum[0] / (double)g->n_entries : 0;
    const double elsewhere = s->look_at_own ? (n_ranks - 1) / n_ranks : 1;
    const double bytes = n_ranks * (double)((g->comm->n_hosts - 1) * portion);
    b->rates =
        mw_form_rates_init(beyond * elsewhere, 1e-9 * (double)sum[1] / n_ranks / bytes);
end:
    return rc;
}

/* ---- New and free ----------------------------------------------------------------------- */

int bfs_come_home(struct mw_bfs *b)
{
    return b->world->comm->size > 1 ? mw_graph_come_home(b->world, b->g) : MW_OK;
}

int bfs_open(struct mw_traversal *t, const void *options)
{
    static const struct mw_direction_rule automatic = {.policy = MW_DIRECTION_AUTO};
    struct mw_comm *comm = t->world->comm;
    int rc = MW_OK;
    struct mw_bfs *b;

    MW_NEW(rc, b, "search", 1);
    t->state = b;
    b->t = t;
    b->rule = options != NULL ? *(const struct mw_direction_rule *)options : automatic;
    b->world = t->world;
    b->g = t->graph;
    b->s.g = t->placed;
    choose_shape(b);
    rc = state_init(b);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK && !bfs_stays(&b->rule, t->world->backend))
        rc = bfs_come_home(b);
    if (rc == MW_OK)
        rc = shared_init(b);
    if (rc == MW_OK)
        rc = bfs_delegates_init(b);
    if (rc == MW_OK)
        rc = bfs_few_init(b);
    if (rc == MW_OK) {
        struct mw_sizes sizes;
        sizes_of(b, &sizes);
        rc = bfs_crew_init(b, &sizes);
    }
    if (rc == MW_OK)
        rc = bfs_follow_init(b);
    if (rc == MW_OK)
        rc = share_init(b);
    if (rc == MW_OK && b->s.whole == NULL)
        rc = mw_comm_agree(comm, bfs_rates_init(b));
    return rc;
}

void bfs_close(struct mw_traversal *t)
{
    struct mw_bfs *b = t->state;
    if (b == NULL)
        return;
    struct bfs_state *s = &b->s;
    struct mw_world *w = b->world;
    if (!mw_host_reaches(w->backend)) {
        mw_unplace(w, MW_OF_CORES, s->hubs.visited);
        mw_unplace(w, MW_OF_CORES, s->hubs.place);
    }
    mw_hubs_free(s->visited_hubs);
    MW_FREE_ALL(b->hub_words, b->told);
    mw_set_share_free(b->share);
    bfs_delegates_fini(b);
    mw_list_share_free(s->said);
    bfs_crew_fini(b);
    bfs_follow_fini(b);
    if (s->known == NULL)
        mw_unplace(w, MW_OF_CORES, s->f.visited);
    else if (mw_host_reaches(w->backend))
        mw_comm_host_free(w->comm, s->known);
    else
        mw_unplace(w, MW_OF_CORES, s->known);
    mw_comm_host_free(w->comm, b->known_of_host);
    for (uint32_t i = 0; i < s->n_lanes; i++)
        mw_unplace(w, MW_OF_CORES, s->lane[i].seen);
    mw_unplace(w, MW_OF_BOTH, s->lane);
    mw_unplace(w, MW_OF_BOTH, s->sweep);
    bfs_whole_fini(b);
    mw_unplace(w, MW_OF_CORES, s->parent);
    mw_unplace(w, MW_OF_CORES, s->waiting);
    mw_unplace(w, MW_OF_CORES, s->asking);
    mw_unplace(w, MW_OF_CORES, s->unnamed);
    mw_frontier_fini(&s->f);
    mw_free(b);
}
