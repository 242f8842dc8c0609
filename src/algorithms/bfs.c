/* bfs.c -- the level loop.
 *
 *      before   counts are the same everywhere: choose a direction
 *      level    top-down:  the frontier as a list -> forward generator, relay, handler
 *               bottom-up: heads, then rows, against `known`; no record is sent
 *      after    sum the counts over the ranks; add what was reached to `known`
 *
 * Between the sum and the next level nobody reads `known`, which is what makes it safe to
 * write there. While the frontier is short it is a list and a level costs what it
 * contains; otherwise it is a bitmap and is walked over.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs.h"

#include "algorithms/bfs_state.h"
#include "base/clock.h"
#include "base/mem.h"
#include "mpe/pipeline.h"
#include "relay/relay.h"

#include <string.h>

enum {
    REFRESH_RATIO = 8 /* refresh `seen` when a level has this many edges per word of it */
};

struct mw_bfs {
    struct bfs_state s;
    struct mw_direction_rule rule;
    struct mw_world *world;
    struct mw_pipeline *pipeline;
    const char *heads_name;
    uint32_t n_levels; /* of the last search that ran, the root's included */
    uint32_t n_kept;
    struct mw_level level[MW_LEVELS_KEPT];
    uint64_t visited_edges; /* out of visited vertices, all ranks */
    bool listed;            /* s.list is the frontier; otherwise s.fresh is */
};

/* ---- Set-up ---------------------------------------------------------------------------- */

static uint64_t frontier_edges(void *state)
{
    const struct bfs_state *s = state;
    return s->n_list > 0 ? s->list_end[s->n_list - 1] : 0;
}

static int pipeline_init(struct mw_bfs *b)
{
    struct mw_world *w = b->world;
    const struct bfs_kernels *k =
        w->backend->short_circuit ? &bfs_kernels_host : &bfs_kernels_serial;
    const bool wide = b->s.g->wide;
    const uint8_t first = (uint8_t)mw_first_hop(&w->groups);
    /* clang-format off */
    const struct mw_module table[] = {
        /* name                takes                      emits                      kernel             work            records a unit */
        {"forward generator", {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, first},       k->generate[wide], frontier_edges, 1},
        {"forward relay",     {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, mw_relay_pass_on,  NULL,           0},
        {"forward handler",   {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  k->handle[wide],   NULL,           0},
    };
    /* clang-format on */
    const int rc =
        mw_modules_new(table, 3, &b->s, b->s.g->label_bits, false, w, &b->pipeline);
    if (rc == MW_OK)
        mw_pipeline_bound(b->pipeline, b->s.g->n_labels);
    return rc;
}

static void word_degrees(struct bfs_state *s)
{
    const struct mw_graph *g = s->g;
    for (uint64_t w = 0; w < s->n_words; w++) {
        const uint64_t first = 64 * w, last = mw_min(first + 64, g->n_labels);
        const uint64_t degree = g->row[first + 1] - g->row[first];
        bool same = degree < BFS_MIXED_DEGREES;
        for (uint64_t l = first + 1; same && l < last; l++)
            same = g->row[l + 1] - g->row[l] == degree;
        s->word_degree[w] = same ? (uint32_t)degree : BFS_MIXED_DEGREES;
    }
}

static int state_init(struct mw_bfs *b)
{
    int rc = MW_OK;
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;
    const uint64_t n_lanes = mw_world_lanes(b->world);

    s->heads = mw_heads_find(g->wide, &b->heads_name);
    s->n_words = (g->n_labels + 63) / 64;
    s->next_room = mw_max(4096, g->n_labels / 32);
    s->parent = mw_alloc("parents", g->n_places, g->wide ? 8 : 4);
    if (s->parent == NULL)
        return MW_ERR_NOMEM;
    MW_NEW(rc, s->waiting, "waiting places", g->n_places / 64 + 1);
    MW_NEW(rc, s->fresh, "reached labels", s->n_words);
    MW_NEW(rc, s->word_degree, "degrees of words", s->n_words);
    MW_NEW(rc, s->list, "frontier", g->n_labels);
    MW_NEW(rc, s->list_end, "frontier's edges", g->n_labels);
    MW_NEW(rc, s->lane, "search lanes", n_lanes);
    s->n_lanes = (uint32_t)n_lanes;
    for (uint64_t i = 0; i < n_lanes; i++) {
        MW_NEW(rc, s->lane[i].seen, "columns seen", g->n_columns / 64);
        MW_NEW(rc, s->lane[i].todo, "labels to look at", s->n_words);
        MW_NEW(rc, s->lane[i].next, "next frontier", s->next_room);
    }
    word_degrees(s);
fail:
    return rc;
}

int mw_bfs_new(const struct mw_direction_rule *rule, struct mw_world *world,
               const struct mw_graph *graph, struct mw_bfs **out)
{
    int rc = MW_OK;
    struct mw_bfs *b;
    void *known = NULL;

    *out = NULL;
    MW_NEW(rc, b, "search", 1);
    b->rule = *rule;
    b->world = world;
    b->s.g = graph;
    rc = state_init(b);
fail:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_host_alloc(world->comm, "visited columns", graph->n_columns / 8,
                                &known);
    if (rc == MW_OK) {
        b->s.known = known;
        rc = pipeline_init(b);
    }
    if (rc != MW_OK) {
        mw_bfs_free(b);
        return rc;
    }
    *out = b;
    return MW_OK;
}

void mw_bfs_free(struct mw_bfs *b)
{
    if (b == NULL)
        return;
    struct bfs_state *s = &b->s;
    mw_pipeline_free(b->pipeline);
    mw_comm_host_free(b->world->comm, s->known);
    for (uint32_t i = 0; i < s->n_lanes; i++) {
        mw_free(s->lane[i].seen);
        mw_free(s->lane[i].todo);
        mw_free(s->lane[i].next);
    }
    mw_free(s->lane);
    mw_free(s->parent);
    mw_free(s->waiting);
    mw_free(s->fresh);
    mw_free(s->word_degree);
    mw_free(s->list);
    mw_free(s->list_end);
    mw_free(b);
}

/* ---- The frontier ------------------------------------------------------------------------ */

static void known_or(struct bfs_state *s, uint64_t w, uint64_t bits)
{
    uint64_t *word = &s->known[mw_first_word(s->g) + w];
    /* Other ranks may be reading; only we write. */
    __atomic_store_n(word, __atomic_load_n(word, __ATOMIC_RELAXED) | bits,
                     __ATOMIC_RELAXED);
}

static void list_add(struct bfs_state *s, uint32_t label)
{
    const uint64_t before = s->n_list > 0 ? s->list_end[s->n_list - 1] : 0;
    s->list[s->n_list] = label;
    s->list_end[s->n_list++] = before + s->g->row[label + 1] - s->g->row[label];
}

/* Joins what the lanes have claimed, if that is little; false: it is not. */
static bool join_lists(struct bfs_state *s)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n_lanes; i++)
        n += s->lane[i].n_next;
    if (n > s->next_room)
        return false;
    s->n_list = 0;
    for (uint32_t i = 0; i < s->n_lanes; i++)
        for (uint64_t k = 0; k < s->lane[i].n_next; k++) {
            const uint32_t label = s->lane[i].next[k];
            if (mw_bit(s->known + mw_first_word(s->g), label))
                continue; /* another lane has it as well */
            known_or(s, label / 64, UINT64_C(1) << (label % 64));
            list_add(s, label);
        }
    return true;
}

static void list_fresh(struct bfs_state *s)
{
    s->n_list = 0;
    for (uint64_t w = 0; w < s->n_words; w++)
        for (uint64_t bits = s->fresh[w]; bits != 0; bits &= bits - 1)
            list_add(s, (uint32_t)(64 * w + (uint64_t)__builtin_ctzll(bits)));
}

static void sweep(struct mw_bfs *b, mw_kernel *kernel)
{
    b->s.chunk = 0;
    mw_pipeline_scan(b->pipeline, kernel, 0);
}

/* ---- Levels ---------------------------------------------------------------------------- */

/* count[0] vertices and count[1] edges that this rank has added. */
static int top_down(struct mw_bfs *b, uint64_t count[2])
{
    struct bfs_state *s = &b->s;
    int rc;

    if (!b->listed)
        list_fresh(s);
    for (uint32_t i = 0; i < s->n_lanes; i++)
        s->lane[i].n_next = 0;
    if (frontier_edges(s) > REFRESH_RATIO * s->g->n_columns / 64)
        sweep(b, bfs_refresh_kernel);
    rc = mw_pipeline_run(b->pipeline, mw_modules_all(b->pipeline));
    if (rc < MW_OK)
        return rc;
    b->listed = join_lists(s);
    if (b->listed) {
        count[0] = s->n_list;
        count[1] = frontier_edges(s);
        return MW_OK;
    }
    sweep(b, bfs_fresh_kernel);
    return MW_OK;
}

static int bottom_up(struct mw_bfs *b, uint64_t n_unvisited)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;
    int rc = MW_OK;

    /* Everybody's slice of `known` has to be here before anybody looks. */
    if (g->comm->size > 1)
        rc = mw_comm_share(g->comm, s->known, (UINT64_C(1) << g->label_bits) / 8);
    /* Heads cost a walk over all places, so they pay while many are waiting. */
    s->heads_first = n_unvisited > g->n_connected / 16;
    if (s->heads_first) {
        mw_hub_table_fill(&s->hubs, s->known, g->comm->size, g->label_bits);
        sweep(b, bfs_heads_kernel);
        s->waiting_valid = true;
    }
    sweep(b, bfs_rows_kernel);
    b->listed = false;
    return rc;
}

static int run_level(struct mw_bfs *b, struct mw_level *level, uint64_t n_unvisited)
{
    struct bfs_state *s = &b->s;
    struct mw_traffic traffic;
    uint64_t count[2] = {0, 0};
    int rc;

    for (uint32_t i = 0; i < s->n_lanes; i++)
        s->lane[i].n_found = s->lane[i].n_edges = 0;
    rc = level->direction == MW_TOP_DOWN ? top_down(b, count) : bottom_up(b, n_unvisited);
    if (rc < MW_OK)
        return rc;
    for (uint32_t i = 0; i < s->n_lanes; i++) {
        count[0] += s->lane[i].n_found;
        count[1] += s->lane[i].n_edges;
    }
    if (b->world->comm->size > 1)
        rc = mw_comm_sum(b->world->comm, count, 2);
    if (!b->listed)
        for (uint64_t w = 0; w < s->n_words; w++)
            known_or(s, w, s->fresh[w]);
    level->n_found = count[0];
    b->visited_edges += count[1];
    mw_pipeline_traffic(b->pipeline, &traffic);
    level->n_records = traffic.records;
    level->n_batches = traffic.batches;
    level->n_bytes = traffic.bytes;
    if (level->direction == MW_BOTTOM_UP) /* each slice goes to every other host */
        level->n_bytes +=
            (b->world->comm->n_hosts - 1) * ((UINT64_C(1) << s->g->label_bits) / 8);
    return rc;
}

int mw_bfs_search(struct mw_bfs *b, mw_vid root)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;
    struct mw_comm *comm = b->world->comm;
    struct mw_level level = {.direction = MW_TOP_DOWN, .n_active = 1};
    uint64_t n_visited = 1;
    int rc = MW_OK;

    if (root >= g->n_vertices)
        return mw_fail(MW_ERR_USAGE, "root %llu: the vertices are 0 .. %llu",
                       (unsigned long long)root, (unsigned long long)g->n_vertices - 1);
    s->n_list = 0;
    b->listed = true;
    b->n_kept = b->n_levels = 0;
    if (mw_owner_of(g, root) == comm->rank) {
        const uint64_t place = mw_place_of(g, root);
        const uint32_t label = g->label_of[place];
        bfs_set_parent(s, place, root, g->wide);
        if (label != MW_NO_LABEL) {
            known_or(s, label / 64, UINT64_C(1) << (label % 64));
            list_add(s, label);
            level.n_active_edges = frontier_edges(s);
        }
    }
    if (comm->size > 1)
        rc = mw_comm_sum(comm, &level.n_active_edges, 1);
    b->visited_edges = level.n_active_edges;

    while (rc >= MW_OK && level.n_active > 0) {
        const double start = mw_now();
        const struct mw_direction_input in = {.n_active = level.n_active,
                                              .n_active_edges = level.n_active_edges,
                                              .n_unvisited_edges =
                                                  g->n_entries - b->visited_edges,
                                              .n_connected = g->n_connected};
        b->n_levels++;
        if (level.n_active_edges == 0)
            break;
        level.direction = mw_direction_choose(&b->rule, level.direction, &in);
        level.n_unvisited_edges = in.n_unvisited_edges;
        const uint64_t before = b->visited_edges;
        rc = run_level(b, &level, g->n_connected - n_visited);
        level.time_s = mw_now() - start;
        n_visited += level.n_found;
        if (b->n_kept < MW_LEVELS_KEPT)
            b->level[b->n_kept++] = level;
        level.n_active = level.n_found;
        level.n_active_edges = b->visited_edges - before;
    }
    return rc;
}

static void reset_kernel(struct mw_cpe *self, void *job)
{
    struct mw_bfs *b = ((struct mw_job *)job)->state;
    struct bfs_state *s = &b->s;
    struct bfs_lane *l = &s->lane[self->lane];
    const uint64_t number = s->g->wide ? 8 : 4;
    uint64_t from, to;
    memset(l->seen, 0, s->g->n_columns / 8);
    memset(l->todo, 0, s->n_words * 8);
    mw_share(self, 0, s->g->n_places, &from, &to);
    memset((char *)s->parent + from * number, 0xFF, (to - from) * number);
}

int mw_bfs_reset(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    struct mw_comm *comm = b->world->comm;
    struct mw_job job = {.state = b};
    int rc;

    MW_TRY(rc, mw_comm_host_barrier(comm));
    mw_world_run(b->world, reset_kernel, &job);
    s->waiting_valid = false;
    if (comm->host_rank == 0)
        memset(s->known, 0, s->g->n_columns / 8);
    MW_TRY(rc, mw_comm_host_barrier(comm));
fail:
    return rc;
}

/* ---- Results --------------------------------------------------------------------------- */

mw_vid mw_bfs_parent(const struct mw_bfs *b, uint64_t place)
{
    const uint64_t none = b->s.g->wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t parent = mw_number(b->s.parent, place, b->s.g->wide);
    return parent == none ? MW_NO_VERTEX : parent;
}

const void *mw_bfs_parents(const struct mw_bfs *b)
{
    return b->s.parent;
}

uint32_t mw_bfs_n_levels(const struct mw_bfs *b)
{
    return b->n_levels;
}

int mw_bfs_levels(struct mw_bfs *b, const struct mw_level **level, uint32_t *n)
{
    uint64_t sum[3 * MW_LEVELS_KEPT];
    int rc = MW_OK;
    for (uint32_t i = 0; i < b->n_kept; i++) {
        sum[3 * i] = b->level[i].n_records;
        sum[3 * i + 1] = b->level[i].n_batches;
        sum[3 * i + 2] = b->level[i].n_bytes;
    }
    if (b->n_kept > 0)
        rc = mw_comm_sum(b->world->comm, sum, 3 * b->n_kept);
    for (uint32_t i = 0; i < b->n_kept; i++) {
        b->level[i].n_records = sum[3 * i];
        b->level[i].n_batches = sum[3 * i + 1];
        b->level[i].n_bytes = sum[3 * i + 2];
    }
    *level = b->level;
    *n = b->n_kept;
    return rc;
}

const char *mw_bfs_heads_name(const struct mw_bfs *b)
{
    return b->heads_name;
}

uint64_t mw_bfs_n_peers(const struct mw_bfs *b)
{
    struct mw_traffic t;
    mw_pipeline_traffic(b->pipeline, &t);
    return t.peers;
}
