/* bfs.c -- the level loop.
 *
 *      before   counts are the same everywhere: choose a direction, and bottom-up a form
 *      level    top-down:  the frontier as a list -> forward generator, relay, handler
 *               bottom-up by bitmap:   heads, then rows, against `known`; nothing is sent
 *               bottom-up by messages: bfs_messages.c
 *      after    sum the counts over the ranks; add what was reached to `own`
 *
 * Between the sum and the next level nobody reads `known`, of which `own` may be a part:
 * that is what makes it safe to write there. While the frontier is short it is a list and a level costs what it
 * contains; otherwise it is a bitmap and is walked over.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs_search.h"

#include "base/clock.h"

#include <string.h>

enum {
    REFRESH_RATIO = 8 /* refresh `seen` when a level has this many edges per word of it */
};

/* ---- The frontier ------------------------------------------------------------------------ */

static void own_or(struct bfs_state *s, uint64_t w, uint64_t bits)
{
    uint64_t *word = &s->own[w];
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
            if (mw_bit(s->own, label))
                continue; /* another lane has it as well */
            own_or(s, label / 64, UINT64_C(1) << (label % 64));
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

void bfs_sweep(struct mw_bfs *b, mw_kernel *kernel)
{
    b->s.chunk = 0;
    mw_pipeline_scan(b->pipeline, kernel, 0);
}

/* ---- Levels ---------------------------------------------------------------------------- */

int bfs_exchange_hubs(struct mw_bfs *b, uint32_t n_hubs, struct mw_level *level)
{
    struct mw_hub_news news;
    const int rc = mw_hubs_exchange(b->s.visited_hubs, b->s.own, n_hubs, &news);
    level->hubs_exchanged = true;
    level->n_hub_bytes = news.n_bytes;
    level->n_hub_flags = news.n_flags;
    b->hubs_changed = b->hubs_changed || news.n_flags < b->world->comm->size;
    return rc;
}

/* count[0] vertices and count[1] edges that this rank has added. */
static int top_down(struct mw_bfs *b, struct mw_level *level, uint64_t count[2])
{
    struct bfs_state *s = &b->s;
    int rc;

    if (!b->listed)
        list_fresh(s);
    for (uint32_t i = 0; i < s->n_lanes; i++)
        s->lane[i].n_next = 0;
    if (s->n_drop_hubs > 0) {
        rc = bfs_exchange_hubs(b, s->n_drop_hubs, level);
        if (rc < MW_OK)
            return rc;
        if (b->hubs_changed)
            bfs_sweep(b, bfs_absorb_kernel);
        b->hubs_changed = false;
    }
    if (bfs_listed_units(s) > REFRESH_RATIO * s->n_seen_words)
        bfs_sweep(b, bfs_refresh_kernel);
    rc = mw_pipeline_run(b->pipeline, b->forward);
    if (rc < MW_OK)
        return rc;
    b->listed = join_lists(s);
    if (b->listed) {
        count[0] = s->n_list;
        count[1] = bfs_listed_units(s);
        return MW_OK;
    }
    bfs_sweep(b, bfs_fresh_kernel);
    return MW_OK;
}

static int bottom_up_bitmap(struct mw_bfs *b, uint64_t n_unvisited)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;
    const double start = mw_now();
    int rc = MW_OK;

    /* Everybody's slice of `known` has to be here before anybody looks. */
    if (g->comm->size > 1)
        rc = mw_comm_share(g->comm, s->known, (UINT64_C(1) << g->label_bits) / 8);
    const double shared = mw_now();
    /* Heads cost a walk over all places, so they pay while many are waiting. */
    s->heads_first = n_unvisited > g->n_connected / 16;
    if (s->heads_first) {
        mw_hub_table_fill(&s->hubs, s->known, g->comm->size, g->label_bits);
        bfs_sweep(b, bfs_heads_kernel);
        s->waiting_valid = true;
    }
    bfs_sweep(b, bfs_rows_kernel);
    b->listed = false;
    b->talk_s = shared - start;
    b->look_s = mw_now() - shared;
    return rc;
}

static uint64_t bitmap_bytes(const struct mw_bfs *b)
{
    return (b->world->comm->n_hosts - 1) * ((UINT64_C(1) << b->s.g->label_bits) / 8);
}

/* What a bottom-up level is estimated from; the same at all ranks. */
static struct mw_form_level form_level(const struct mw_bfs *b,
                                       const struct mw_level *level, uint64_t n_unvisited)
{
    return (struct mw_form_level){
        .n_ranks = b->world->comm->size,
        .step = b->n_bottom_up,
        .n_unvisited = n_unvisited,
        .n_unvisited_edges = level->n_unvisited_edges,
        .n_bitmap_bytes = bitmap_bytes(b) * b->world->comm->size,
    };
}

static enum mw_level_form choose_form(const struct mw_bfs *b, struct mw_level *level,
                                      uint64_t n_unvisited)
{
    if (b->means.form != MW_FORM_AUTO)
        return b->means.form;
    const struct mw_form_level l = form_level(b, level, n_unvisited);
    level->estimate = mw_form_estimate(&b->rates, &l);
    return mw_form_choose(&level->estimate);
}

/* Sums what the lanes have counted into `count`, over all ranks, and where forms are chosen
 * the measurements that the next choice rests on. Every rank comes here after every level, with
 * its failure if it has one: whoever left early would be waited for. */
static int add_up(struct mw_bfs *b, const struct mw_level *level, uint64_t n_unvisited,
                  uint64_t count[5], int rc)
{
    const uint64_t n_ranks = b->world->comm->size;
    const bool learns = b->means.form == MW_FORM_AUTO && level->direction == MW_BOTTOM_UP;
    struct mw_form_level l = form_level(b, level, n_unvisited);

    count[2] = level->n_questions;
    count[3] = (uint64_t)(1e9 * b->look_s);
    count[4] = (uint64_t)(1e9 * b->talk_s);
    if (n_ranks > 1)
        rc = mw_comm_sum_or_fail(b->world->comm, count, learns ? 5 : 2, rc);
    if (learns && rc == MW_OK) {
        l.n_questions = count[2];
        l.look_s = 1e-9 * (double)count[3] / (double)n_ranks;
        l.talk_s = 1e-9 * (double)count[4] / (double)n_ranks;
        mw_form_learn(&b->rates, level->form, &l);
        b->n_bottom_up++;
    }
    return rc;
}

static void start_counting(struct mw_bfs *b, struct mw_level *level)
{
    static const struct mw_form_estimate none = {-1, -1};
    for (uint32_t i = 0; i < b->s.n_lanes; i++) {
        struct bfs_lane *l = &b->s.lane[i];
        l->n_found = l->n_edges = l->n_dropped = l->n_questions = l->n_answers = 0;
    }
    level->form = MW_FORM_AUTO;
    level->estimate = none;
    level->n_questions = level->n_answers = level->n_dropped = level->n_hub_bytes = 0;
    level->n_rounds = level->n_hub_flags = 0;
    level->hubs_exchanged = false;
}

static void stop_counting(struct mw_bfs *b, struct mw_level *level, uint64_t count[2])
{
    struct mw_traffic traffic;
    for (uint32_t i = 0; i < b->s.n_lanes; i++) {
        const struct bfs_lane *l = &b->s.lane[i];
        count[0] += l->n_found;
        count[1] += l->n_edges;
        level->n_dropped += l->n_dropped;
        level->n_questions += l->n_questions;
        level->n_answers += l->n_answers;
    }
    mw_pipeline_traffic(b->pipeline, &traffic);
    level->n_records = traffic.records;
    level->n_batches = traffic.batches;
    level->n_bytes = traffic.bytes + level->n_hub_bytes;
    memcpy(level->n_of_size, traffic.size, sizeof level->n_of_size);
    level->jobs = traffic.jobs;
    if (level->form == MW_FORM_BITMAP) /* each slice goes to every other host */
        level->n_bytes += bitmap_bytes(b);
}

static int run_level(struct mw_bfs *b, struct mw_level *level, uint64_t n_unvisited)
{
    struct bfs_state *s = &b->s;
    uint64_t count[5] = {0};
    int rc;

    start_counting(b, level);
    if (level->direction == MW_BOTTOM_UP)
        level->form = choose_form(b, level, n_unvisited);
    if (level->direction == MW_TOP_DOWN)
        rc = top_down(b, level, count);
    else if (level->form == MW_FORM_BITMAP)
        rc = bottom_up_bitmap(b, n_unvisited);
    else
        rc = bfs_bottom_up_messages(b, level);
    stop_counting(b, level, count);
    rc = add_up(b, level, n_unvisited, count, rc);
    if (rc < MW_OK)
        return rc;
    if (!b->listed)
        for (uint64_t w = 0; w < s->n_words; w++)
            own_or(s, w, s->fresh[w]);
    level->n_found = count[0];
    b->visited_edges += count[1];
    return rc;
}

/* Collective, between levels: is the target reached? One sum more, and only for a target. */
static int look_for_target(struct mw_bfs *b)
{
    const struct mw_graph *g = b->s.g;
    const mw_vid target = b->goal.target;
    uint64_t found = 0;
    if (target == MW_NO_VERTEX)
        return MW_OK;
    uint64_t place;
    if (mw_is_mine(&g->partition, target, &place))
        found = bfs_has_parent(&b->s, place, g->wide);
    const int rc = mw_comm_max(g->comm, &found, 1);
    b->found = found != 0;
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
    b->n_kept = b->n_levels = b->n_bottom_up = 0;
    b->found = false;
    if (mw_owner_of(g, root) == comm->rank) {
        const uint64_t place = mw_place_of(g, root);
        const uint32_t label = g->label_of[place];
        bfs_set_parent(s, place, root, g->wide);
        if (label != MW_NO_LABEL) {
            own_or(s, label / 64, UINT64_C(1) << (label % 64));
            list_add(s, label);
            level.n_active_edges = bfs_listed_units(s);
        }
    }
    if (comm->size > 1)
        rc = mw_comm_sum(comm, &level.n_active_edges, 1);
    b->visited_edges = level.n_active_edges;
    if (rc >= MW_OK)
        rc = look_for_target(b);

    while (rc >= MW_OK && level.n_active > 0) {
        const double start = mw_now();
        const struct mw_direction_input in = {.n_active = level.n_active,
                                              .n_active_edges = level.n_active_edges,
                                              .n_unvisited_edges =
                                                  g->n_entries - b->visited_edges,
                                              .n_connected = g->n_connected};
        mw_comm_level(comm, ++b->n_levels);
        if (level.n_active_edges == 0 || b->found || b->n_levels > b->goal.max_depth)
            break;
        level.direction = mw_direction_choose(&b->rule, level.direction, &in);
        level.n_unvisited_edges = in.n_unvisited_edges;
        const uint64_t before = b->visited_edges;
        rc = run_level(b, &level, g->n_connected - n_visited);
        if (rc >= MW_OK)
            rc = look_for_target(b);
        level.time_s = mw_now() - start;
        n_visited += level.n_found;
        if (b->n_kept < MW_LEVELS_KEPT)
            b->level[b->n_kept++] = level;
        level.n_active = level.n_found;
        level.n_active_edges = b->visited_edges - before;
    }
    mw_comm_level(comm, 0);
    return rc;
}

static void reset_lane(struct bfs_state *s, uint32_t lane)
{
    struct bfs_lane *l = &s->lane[lane];
    memset(l->seen, 0, s->n_seen_words * 8);
    if (l->todo != NULL)
        memset(l->todo, 0, s->n_words * 8);
}

static void reset_kernel(struct mw_cpe *self, void *job)
{
    struct mw_bfs *b = ((struct mw_job *)job)->state;
    struct bfs_state *s = &b->s;
    const uint64_t number = s->g->wide ? 8 : 4;
    uint64_t from, to;
    reset_lane(s, self->lane);
    for (uint32_t i = mw_world_idle_lanes(b->world); self->id == 0 && i < s->n_lanes; i++)
        reset_lane(s, i);
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
    b->hubs_changed = false;
    if (s->visited_hubs != NULL)
        mw_hubs_reset(s->visited_hubs);
    if (s->known == NULL)
        memset(s->own, 0, s->n_words * 8);
    else if (comm->host_rank == 0)
        memset(s->known, 0, s->g->n_columns / 8);
    MW_TRY(rc, mw_comm_host_barrier(comm));
fail:
    return rc;
}

void mw_bfs_stop_at(struct mw_bfs *b, const struct mw_bfs_goal *goal)
{
    b->goal = *goal;
}

/* ---- Results --------------------------------------------------------------------------- */

mw_vid mw_bfs_parent(const struct mw_bfs *b, uint64_t place)
{
    const uint64_t none = b->s.g->wide ? UINT64_MAX : UINT32_MAX;
    const uint64_t parent = mw_number(b->s.parent, place, b->s.g->wide);
    return parent == none ? MW_NO_VERTEX : parent;
}

uint32_t mw_bfs_last_level(const struct mw_bfs *b)
{
    return b->found ? b->n_levels - 1 : b->goal.max_depth;
}

bool mw_bfs_found(const struct mw_bfs *b)
{
    return b->found;
}

int mw_bfs_path(const struct mw_bfs *b, mw_vid v, uint32_t depth, mw_vid *path)
{
    const struct mw_graph *g = b->s.g;
    int rc = MW_OK;
    path[depth] = v;
    for (uint32_t i = depth; rc == MW_OK && i > 0; i--) {
        path[i - 1] = 0;
        uint64_t place;
        if (mw_is_mine(&g->partition, path[i], &place))
            path[i - 1] = mw_bfs_parent(b, place);
        rc = mw_comm_max(g->comm, &path[i - 1], 1);
    }
    return rc;
}

const void *mw_bfs_parents(const struct mw_bfs *b)
{
    return b->s.parent;
}

uint32_t mw_bfs_n_levels(const struct mw_bfs *b)
{
    return b->n_levels;
}

/* The counts of a level that are each rank's own; returns how many. */
enum { LEVEL_COUNTS = 12 + MW_SIZE_CLASSES };
static uint32_t counts_of(struct mw_level *l, uint64_t *count[LEVEL_COUNTS])
{
    uint64_t *const each[] = {&l->n_records,     &l->n_batches,  &l->n_bytes,
                              &l->n_questions,   &l->n_answers,  &l->n_dropped,
                              &l->n_hub_bytes,   &l->jobs.all,   &l->jobs.small,
                              &l->jobs.all_busy, &l->jobs.alone, &l->jobs.modelled_ns};
    MW_STATIC_ASSERT(sizeof each / sizeof *each + MW_SIZE_CLASSES == LEVEL_COUNTS, "all");
    memcpy(count, each, sizeof each);
    for (uint32_t i = 0; i < MW_SIZE_CLASSES; i++)
        count[sizeof each / sizeof *each + i] = &l->n_of_size[i];
    return LEVEL_COUNTS;
}

enum { LEVELS_AT_A_TIME = 16 }; /* for the stack's sake */

static int add_up_levels(struct mw_comm *comm, struct mw_level *level, uint32_t n)
{
    uint64_t sum[LEVELS_AT_A_TIME * LEVEL_COUNTS], *count[LEVEL_COUNTS];
    uint32_t n_sums = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0, n_counts = counts_of(&level[i], count); k < n_counts; k++)
            sum[n_sums++] = *count[k];
    const int rc = mw_comm_sum(comm, sum, n_sums);
    n_sums = 0;
    for (uint32_t i = 0; i < n; i++)
        for (uint32_t k = 0, n_counts = counts_of(&level[i], count); k < n_counts; k++)
            *count[k] = sum[n_sums++];
    return rc;
}

int mw_bfs_levels(struct mw_bfs *b, const struct mw_level **level, uint32_t *n)
{
    int rc = MW_OK;
    for (uint32_t i = 0; rc == MW_OK && i < b->n_kept; i += LEVELS_AT_A_TIME)
        rc = add_up_levels(b->world->comm, b->level + i,
                           (uint32_t)mw_min(b->n_kept - i, LEVELS_AT_A_TIME));
    *level = b->level;
    *n = b->n_kept;
    return rc;
}

struct mw_means mw_bfs_means(const struct mw_bfs *b)
{
    return b->means;
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
