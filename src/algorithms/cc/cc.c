/* cc.c -- see cc.h.
 *
 *      search   a breadth-first search: the component of its root
 *      begin    by place: parent -> comp; who is left, as a list
 *      rounds   look -> tell, ask -> look ... until nothing falls any more
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc.h"

#include "algorithms/cc/cc_state.h"
#include "base/mem.h"
#include "relay/relay.h"
#include "shuffle/kernels.h"

#include <string.h>

enum {
    /* A level of few vertices takes as long as so many entries of rows in rounds; measured,
     * docs/performance.md. */
    LEVEL_ENTRIES = 20000,
    LEVELS_ALWAYS = 32
};

enum { ROWS = 8, ROUND = 1, SIZES = 2 };

struct mw_cc {
    struct cc_state s;
    struct mw_world *world;
    struct mw_traversal *bfs;
    struct mw_pipeline *pipeline;
    uint32_t round, sizes; /* the modules of each */
    mw_vid root;           /* a vertex of the highest degree */
    uint32_t most_levels;  /* of the search */
    uint32_t n_rounds;
};

/* ---- modules ---------------------------------------------------------------------------- */

static uint64_t tell_units(void *state)
{
    const struct cc_state *s = state;
    return s->n_left > 0 ? s->left_end[s->n_left - 1] : 0;
}

static uint64_t ask_units(void *state)
{
    return ((const struct cc_state *)state)->n_left;
}

static uint64_t place_units(void *state)
{
    return ((const struct cc_state *)state)->g->n_places;
}

struct modules {
    struct mw_module row[ROWS];
    uint32_t n, round, sizes;
};

static const struct cc_kernels none;
static const struct mw_kernel_table kernels[] = {{"serial", &cc_kernels_serial},
                                                 {"host", &cc_kernels_host},
                                                 {"mesh", &cc_kernels_mesh},
                                                 {NULL, &none}};

static void find_modules(const struct mw_backend *backend, const struct mw_groups *groups,
                         struct modules *out)
{
    const struct cc_kernels *mpe = mw_kernels_of_mpe(kernels, backend);
    const struct cc_kernels *cores = mw_kernels_of_cores(kernels, backend);
    mw_kernel *const relay_mpe = mw_relay_of_mpe(backend);
    mw_kernel *const relay_cores = mw_relay_of_cores(backend);
    const uint8_t first = (uint8_t)mw_first_hop(groups);
    /* clang-format off */
    const struct mw_module table[ROWS] = {
        /* name              takes                       emits                       management core's, a source's work, most records a unit, the cores' */
        {"teller",          {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, first},        mpe->tell,          tell_units,  1, cores->tell},
        {"asker",           {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, first},       mpe->ask,           ask_units,   1, cores->ask},
        {"member",          {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, first},        mpe->belong,        place_units, 1, cores->belong},
        {"question relay",  {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, relay_mpe, NULL,        0, relay_cores},
        {"representative",  {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, first},        mpe->answer,        NULL,        0, cores->answer},
        {"component relay", {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  relay_mpe, NULL,        0, relay_cores},
        {"hearer",          {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   mpe->lower,         NULL,        0, cores->lower},
        {"counter",         {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   mpe->count,         NULL,        0, cores->count},
    };
    /* clang-format on */
    static const uint8_t used_by[ROWS] = {ROUND, ROUND,         SIZES, ROUND,
                                          ROUND, ROUND | SIZES, ROUND, SIZES};
    memset(out, 0, sizeof *out);
    for (uint32_t i = 0; i < ROWS; i++) {
        if (table[i].takes.hop == MW_TO_RELAY && groups->width == 1)
            continue;
        out->round |= (uint32_t)((used_by[i] & ROUND) != 0) << out->n;
        out->sizes |= (uint32_t)((used_by[i] & SIZES) != 0) << out->n;
        out->row[out->n++] = table[i];
    }
}

/* ---- new and free ------------------------------------------------------------------------ */

static void own_sizes(const struct mw_algorithm_shape *shape, uint32_t n_lanes,
                      struct mw_sizes *out)
{
    const struct cc_state *s = NULL;
    const uint64_t n = shape->n_labels;
    mw_sizes_add(out, MW_SEARCHING, "components", shape->n_places, shape->wide ? 8 : 4);
    /* Few are left in graphs that a search takes. */
    mw_sizes_add(out, MW_SEARCHING, "vertices left", n, sizeof *s->left)->touched = 10;
    mw_sizes_add(out, MW_SEARCHING, "units of those left", n, sizeof *s->left_end)
        ->touched = 10;
    mw_sizes_add(out, MW_SEARCHING, "last components", n, sizeof *s->was)->touched = 10;
    mw_sizes_add(out, MW_SEARCHING, "told components", n, sizeof *s->is)->touched = 10;
    mw_sizes_add(out, MW_SEARCHING, "component lanes", n_lanes, sizeof *s->lane);
}

static struct mw_algorithm_shape shape_of(const struct mw_graph *g)
{
    return (struct mw_algorithm_shape){
        .n_places = g->n_places, .n_labels = g->n_labels, .wide = g->wide};
}

void mw_cc_sizes(const struct mw_algorithm_shape *shape,
                 const struct mw_world_shape *world, struct mw_sizes *out)
{
    struct modules m;
    struct mw_sizes parts = {0};
    mw_traversal_sizes(&mw_algorithm_bfs, shape, world, out);
    mw_sizes_add(out, MW_SEARCHING, "search for components", 1, sizeof(struct mw_cc));
    own_sizes(shape, world->n_lanes, out);
    find_modules(world->backend, &world->groups, &m);
    mw_modules_sizes(m.row, m.n, shape->wide, world, MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches of components", &parts);
}

static int state_init(struct mw_cc *c)
{
    int rc = MW_OK;
    struct cc_state *s = &c->s;
    struct mw_sizes sizes = {0};
    const struct mw_algorithm_shape shape = shape_of(s->g);
    own_sizes(&shape, mw_world_lanes(c->world), &sizes);
    s->comp = mw_sizes_take(&sizes, "components", s->g->wide ? 8 : 4);
    if (s->comp == NULL)
        return MW_ERR_NOMEM;
    MW_TAKE(rc, s->left, &sizes, "vertices left");
    MW_TAKE(rc, s->left_end, &sizes, "units of those left");
    MW_TAKE(rc, s->was, &sizes, "last components");
    MW_TAKE(rc, s->is, &sizes, "told components");
    MW_TAKE(rc, s->lane, &sizes, "component lanes");
end:
    return rc;
}

/* A vertex of the highest degree of all, the least of those that are first at their owners. */
static int choose_root(struct mw_cc *c)
{
    int rc;
    const struct mw_graph *g = c->s.g;
    const uint64_t mine = g->n_labels > 0 ? g->row[1] : 0;
    uint64_t most = mine;
    MW_TRY(rc, mw_comm_max(g->comm, &most, 1));
    c->root = mine > 0 && mine == most ? cc_own(&c->s, g->place_of[0]) : MW_NO_VERTEX;
    MW_TRY(rc, mw_comm_min(g->comm, &c->root, 1));
end:
    return rc;
}

static int pipeline_init(struct mw_cc *c)
{
    const struct mw_graph *g = c->s.g;
    struct modules m;
    find_modules(c->world->backend, &c->world->groups, &m);
    c->round = m.round;
    c->sizes = m.sizes;
    const int rc =
        mw_modules_new(m.row, m.n, &c->s, g->place_bits, g->wide, c->world, &c->pipeline);
    if (rc == MW_OK)
        mw_pipeline_bound(c->pipeline, g->n_places);
    return rc;
}

static uint32_t levels_worth_it(const struct mw_graph *g)
{
    const uint64_t n = LEVELS_ALWAYS + g->n_entries / g->comm->size / LEVEL_ENTRIES;
    return (uint32_t)mw_min(n, UINT32_MAX - 1);
}

int mw_cc_new(const struct mw_direction_rule *rule, struct mw_world *world,
              const struct mw_graph *graph, struct mw_cc **out)
{
    int rc = MW_OK;
    struct mw_cc *c;

    *out = NULL;
    if (graph->directed)
        return mw_fail(MW_ERR_REFUSED,
                       "components: this graph was built with directions, and here edges "
                       "count both ways: build it without");
    MW_NEW(rc, c, "search for components", 1);
    c->world = world;
    c->s.g = graph;
    rc = state_init(c);
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_traversal_new(&mw_algorithm_bfs, rule, world, graph, &c->bfs);
    if (rc == MW_OK)
        rc = pipeline_init(c);
    if (rc == MW_OK)
        rc = choose_root(c);
    if (rc != MW_OK) {
        mw_cc_free(c);
        return rc;
    }
    mw_cc_search_at_most(c, levels_worth_it(graph));
    *out = c;
    return MW_OK;
}

void mw_cc_free(struct mw_cc *c)
{
    if (c == NULL)
        return;
    mw_pipeline_free(c->pipeline);
    mw_traversal_free(c->bfs);
    mw_free(c->s.comp);
    mw_free(c->s.left);
    mw_free(c->s.left_end);
    mw_free(c->s.was);
    mw_free(c->s.is);
    mw_free(c->s.lane);
    mw_free(c);
}

/* ---- begin: what the search has found ---------------------------------------------------- */

static bool was_reached(const struct cc_state *s, uint64_t place, bool wide)
{
    return mw_number(s->parent, place, wide) != (wide ? UINT64_MAX : UINT32_MAX);
}

/* The smallest vertex that the search has reached: its component's name, as far as we know. */
static int find_reached(struct mw_cc *c)
{
    struct cc_state *s = &c->s;
    uint64_t place = 0;
    while (place < s->g->n_places && !was_reached(s, place, s->g->wide))
        place++;
    s->reached = place < s->g->n_places ? cc_own(s, place) : MW_NO_VERTEX;
    return mw_comm_min(s->g->comm, &s->reached, 1);
}

/* Components of the places first .. last - 1; returns how many of them were reached. */
MW_FN uint64_t name_places(struct cc_state *s, uint64_t first, uint64_t last, bool wide)
{
    uint64_t n = 0;
    for (uint64_t p = first; p < last; p++) {
        const bool reached = was_reached(s, p, wide);
        const mw_vid comp = reached ? s->reached : cc_own(s, p);
        if (wide)
            ((uint64_t *)s->comp)[p] = comp;
        else
            ((uint32_t *)s->comp)[p] = (uint32_t)comp;
        n += reached;
    }
    return n;
}

/* Those of word w that are left join the list, in no order. */
static void list_left(struct cc_state *s, uint64_t w)
{
    uint64_t left = s->g->connected[w];
    for (uint64_t bits = left; bits != 0 && !s->cut; bits &= bits - 1)
        if (was_reached(s, 64 * w + (uint64_t)__builtin_ctzll(bits), s->g->wide))
            left &= ~(bits & (~bits + 1));
    uint64_t at = __atomic_fetch_add(&s->n_left, (uint64_t)__builtin_popcountll(left),
                                     __ATOMIC_RELAXED);
    for (uint64_t bits = left; bits != 0; bits &= bits - 1)
        s->left[at++] = s->g->label_of[64 * w + (uint64_t)__builtin_ctzll(bits)];
}

static void begin_kernel(struct mw_cpe *self, void *arg)
{
    struct cc_state *s = ((struct mw_job *)arg)->state;
    uint64_t from, to;
    mw_share(self, 0, (s->g->n_places + 63) / 64, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        const uint64_t last = mw_min(64 * w + 64, s->g->n_places);
        const uint64_t n = s->g->wide ? name_places(s, 64 * w, last, true)
                                      : name_places(s, 64 * w, last, false);
        if (s->cut || n < (uint64_t)__builtin_popcountll(s->g->connected[w]))
            list_left(s, w);
    }
}

static void begin(struct mw_cc *c)
{
    struct cc_state *s = &c->s;
    uint64_t units = 0;
    s->n_left = 0;
    mw_pipeline_scan(c->pipeline, begin_kernel, 0);
    for (uint64_t i = 0; i < s->n_left; i++) {
        units += s->g->row[s->left[i] + 1] - s->g->row[s->left[i]] + 1;
        s->left_end[i] = units;
        s->is[i] = CC_NONE;
    }
}

/* ---- rounds ------------------------------------------------------------------------------ */

/* Follows representatives while they are here, and goes there at once. They are smaller, and the
 * list is in the order of places (of each core's part), so theirs have mostly been followed
 * before. */
static mw_vid follow(struct cc_state *s, uint64_t place)
{
    mw_vid comp = cc_comp(s, place), at = cc_own(s, place);
    uint32_t owner = s->g->comm->rank;
    while (comp < at && owner == s->g->comm->rank) {
        const uint64_t up = mw_locate(&s->g->partition, comp, &owner);
        at = comp;
        if (owner == s->g->comm->rank)
            comp = cc_comp(s, up);
    }
    if (s->g->wide)
        MW_STORE_RELAXED((uint64_t *)s->comp + place, comp);
    else
        MW_STORE_RELAXED((uint32_t *)s->comp + place, (uint32_t)comp);
    return comp;
}

/* Whose component has fallen since the last look tells of it in this round. */
static void look_kernel(struct mw_cpe *self, void *arg)
{
    struct cc_state *s = ((struct mw_job *)arg)->state;
    uint64_t from, to, n = 0;
    mw_share(self, 0, s->n_left, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        s->was[i] = s->is[i];
        s->is[i] = follow(s, s->g->place_of[s->left[i]]);
        n += s->is[i] != s->was[i];
    }
    s->lane[self->lane].n_active = n;
}

/* Collective: how many vertices, of all ranks, have something to tell. `rc` is how this rank's
 * round ended: whoever left early would be waited for. */
static int look(struct mw_cc *c, int rc, uint64_t *n_active)
{
    const uint32_t n_lanes = mw_world_lanes(c->world);
    for (uint32_t i = 0; i < n_lanes; i++)
        c->s.lane[i].n_active = 0;
    mw_pipeline_scan(c->pipeline, look_kernel, 0);
    *n_active = 0;
    for (uint32_t i = 0; i < n_lanes; i++)
        *n_active += c->s.lane[i].n_active;
    return mw_comm_sum_or_fail(c->world->comm, n_active, 1, rc);
}

static int search(struct mw_cc *c)
{
    int rc;
    MW_TRY(rc, mw_traversal_reset(c->bfs));
    if (c->root != MW_NO_VERTEX)
        MW_TRY(rc, mw_traversal_run(c->bfs, c->root));
    c->s.parent = mw_algorithm_bfs.numbers(c->bfs);
    c->s.cut = c->root != MW_NO_VERTEX && c->bfs->n_levels > c->most_levels;
    MW_TRY(rc, find_reached(c));
end:
    return rc;
}

int mw_cc_find(struct mw_cc *c)
{
    uint64_t n_active;
    c->n_rounds = 0;
    int rc = search(c);
    if (rc != MW_OK)
        return rc;
    begin(c);
    rc = look(c, MW_OK, &n_active);
    for (; rc == MW_OK && n_active > 0; c->n_rounds++)
        rc = look(c, mw_pipeline_run(c->pipeline, c->round), &n_active);
    return rc;
}

void mw_cc_search_at_most(struct mw_cc *c, uint32_t n_levels)
{
    const struct mw_goal goal = {n_levels, MW_NO_VERTEX};
    c->most_levels = n_levels;
    mw_traversal_stop_at(c->bfs, &goal);
}

/* ---- results ----------------------------------------------------------------------------- */

mw_vid mw_cc_component(const struct mw_cc *c, uint64_t place)
{
    return cc_comp(&c->s, place);
}

const void *mw_cc_components(const struct mw_cc *c)
{
    return c->s.comp;
}

static int count_sizes(struct mw_cc *c)
{
    struct cc_state *s = &c->s;
    s->size = mw_alloc("sizes of components", s->g->n_places, sizeof *s->size);
    int rc = mw_comm_agree(c->world->comm, s->size == NULL ? MW_ERR_NOMEM : MW_OK);
    if (rc != MW_OK)
        return rc;
    memset(s->size, 0, s->g->n_places * sizeof *s->size);
    rc = mw_pipeline_run(c->pipeline, c->sizes);
    return mw_comm_agree(c->world->comm, rc);
}

static int sum_up(struct mw_cc *c, struct mw_cc_summary *out)
{
    const struct cc_state *s = &c->s;
    const struct mw_graph *g = s->g;
    uint64_t sum[3] = {0, 0, s->n_left};
    int rc;
    out->n_isolated = g->n_vertices - g->n_connected;
    out->n_largest = out->n_isolated > 0; /* if there is nothing larger */
    for (uint64_t p = 0; p < g->n_places; p++) {
        sum[0] += s->size[p] > 0;
        sum[1] += was_reached(s, p, g->wide);
        out->n_largest = mw_max(out->n_largest, s->size[p]);
    }
    MW_TRY(rc, mw_comm_sum(g->comm, sum, 3));
    MW_TRY(rc, mw_comm_max(g->comm, &out->n_largest, 1));
    out->n_components = out->n_isolated + sum[0];
    out->n_searched = sum[1];
    out->n_left = sum[2];
    out->largest = MW_NO_VERTEX;
    for (uint64_t p = g->n_places; p-- > 0;)
        if (s->size[p] == out->n_largest || (out->n_largest == 1 && s->size[p] == 0))
            out->largest = cc_own(s, p);
    MW_TRY(rc, mw_comm_min(g->comm, &out->largest, 1));
end:
    return rc;
}

int mw_cc_summarise(struct mw_cc *c, struct mw_cc_summary *out)
{
    memset(out, 0, sizeof *out);
    int rc = count_sizes(c);
    if (rc == MW_OK)
        rc = sum_up(c, out);
    out->n_levels = c->root == MW_NO_VERTEX ? 0 : c->bfs->n_levels;
    out->cut = c->s.cut;
    out->n_rounds = c->n_rounds;
    mw_free(c->s.size);
    c->s.size = NULL;
    return rc;
}
