/* bfs.c -- a search, level by level; what it consists of says bfs_table.c.
 *
 *      before   counts are the same everywhere: choose a direction, and bottom-up a form
 *      level    top-down:  the frontier as a list -> forward generator, relay, handler; of few edges: bfs_few.h
 *               bottom-up by bitmap:   heads, then rows, against `known`; nothing is sent
 *               bottom-up by messages, or of hubs only: bfs_messages.c
 *      after    sum the counts over the ranks; what was reached is visited
 *
 * Between the sum and the next level nobody reads `known`, of which the frontier's `visited` may be a part:
 * that is what makes it safe to write there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_crew.h"
#include "algorithms/bfs/bfs_search.h"

#include "base/clock.h"
#include "devices/placed.h"

#include <string.h>

/* Of a link of 1 Gbit/s in a tenth of a millisecond: a guess. */
enum { LEAST_BYTES = 16 << 10 };

void bfs_sweep(struct mw_bfs *b, uint32_t row)
{
    b->s.sweep->next = 0;
    mw_traversal_sweep(b->t, row);
}

/* ---- Levels ---------------------------------------------------------------------------- */

int bfs_exchange_hubs(struct mw_bfs *b, uint32_t n_hubs, struct mw_level *level)
{
    struct mw_hub_news news;
    const uint64_t n_words = mw_min((n_hubs + UINT64_C(63)) / 64, b->s.f.n_words);
    const uint64_t *own =
        mw_see(b->world, b->hub_words, b->s.f.visited, n_words * sizeof *own);
    const int rc = mw_hubs_exchange(b->s.visited_hubs, b->share, own, n_hubs, &news);
    if (!mw_host_reaches(b->world->backend))
        mw_put(b->world, b->s.hubs.visited, b->s.visited_hubs->visited,
               b->world->comm->size * b->s.hubs.n_words * sizeof *b->s.hubs.visited);
    level->own[MW_BFS_HUBS_EXCHANGED] = true;
    level->own[MW_BFS_HUB_BYTES] = news.n_bytes;
    level->own[MW_BFS_HUB_FLAGS] = news.n_flags;
    level->n_bytes += news.n_bytes;
    b->hubs_changed = b->hubs_changed || news.n_flags < b->world->comm->size;
    return rc;
}

/* Of many edges: those of delegated vertices along their pieces, the others as records. */
static int expand_level(struct mw_bfs *b, struct mw_level *level)
{
    struct bfs_state *s = &b->s;
    const bool records = level->n_active_edges > b->last.delegated_edges;
    int rc = MW_OK;

    if (s->n_drop_hubs > 0 && records) {
        rc = bfs_exchange_hubs(b, s->n_drop_hubs, level);
        if (rc < MW_OK)
            return rc;
        if (b->hubs_changed)
            bfs_sweep(b, BFS_ABSORB);
        b->hubs_changed = false;
    }
    if (bfs_listed_units(s) > MW_REFRESH_EDGES * s->n_seen_words &&
        b->n_visited > s->n_seen_words / MW_REFRESH_WORDS)
        bfs_sweep(b, BFS_REFRESH);
    if (b->last.n_delegated > 0) {
        rc = bfs_delegates_expand(b, level);
        if (rc < MW_OK)
            return rc;
    }
    if (b->world->comm->size > 1 ||
        !bfs_slices_expand(b, level, bfs_listed_units(s), s->f.n_list, false))
        rc = records ? mw_traversal_exchange(b->t, BFS_FORWARD) : MW_OK;
    return rc;
}

static int top_down(struct mw_bfs *b, struct mw_level *level)
{
    struct bfs_state *s = &b->s;
    mw_frontier_list(&s->f);
    b->sliced = false;
    if (bfs_is_crews(b)) {
        bfs_crew_expand(b, level);
        return MW_OK;
    }
    const int rc = bfs_is_few(b) ? bfs_few_expand(b, level) : expand_level(b, level);
    if (rc < MW_OK)
        return rc;
    if (b->sliced)
        bfs_slices_join(b);
    else
        mw_frontier_join(&s->f);
    return MW_OK;
}

/* Collective: everybody's portion of `known` is here. Between hosts goes what is new. */
static int share_known(struct mw_bfs *b)
{
    struct mw_comm *comm = b->world->comm;
    const bool apart = b->known_of_host != NULL;
    const uint64_t n_words = bfs_portion_words(b->g), sent = b->share->n_bytes;
    const struct mw_portions known = {.window = apart ? b->known_of_host : b->s.known,
                                      .stride = n_words,
                                      .n_words = n_words,
                                      .told = b->told};
    if (apart)
        (void)mw_see(b->world, known.window + mw_first_word(b->g), b->s.f.visited,
                     b->s.f.n_words * sizeof *known.window);
    int rc = mw_set_share(b->share, &known);
    b->shared_bytes = b->share->n_bytes - sent;
    if (rc == MW_OK && apart) {
        mw_put(b->world, b->s.known, known.window,
               comm->size * n_words * sizeof *known.window);
        rc = mw_comm_host_barrier(comm); /* before anybody's portion is written again */
    }
    return rc;
}

static uint64_t n_unvisited(const struct mw_bfs *b)
{
    return b->g->n_connected - b->n_visited;
}

static int bottom_up_bitmap(struct mw_bfs *b)
{
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;
    const double start = mw_world_now(b->world);
    int rc = MW_OK;

    /* Everybody's portion of `known` has to be here before anybody looks. */
    if (g->comm->size > 1)
        rc = share_known(b);
    const double shared = mw_world_now(b->world);
    /* Heads cost a walk over all places, so they pay while many are waiting. */
    s->heads_first = n_unvisited(b) > g->n_connected / 16;
    if (s->heads_first) {
        bfs_sweep(b, BFS_HEADS);
        s->waiting_valid = true;
    }
    bfs_sweep(b, BFS_ROWS);
    mw_frontier_swept(&s->f);
    b->talk_s = shared - start;
    b->look_s = mw_world_now(b->world) - shared;
    return rc;
}

/* AUTO: the level is top-down. */
static enum mw_level_form form_of(const struct mw_level *level)
{
    const uint64_t form = level->own[MW_BFS_FORM];
    return form == MW_COUNT_NONE ? MW_FORM_AUTO : (enum mw_level_form)form;
}

/* Bytes that stand for the time that sharing `known` takes, over all ranks: 16 bits for
 * each vertex that is new, or the words; no fewer than LEAST_BYTES a rank, for a message
 * takes time however short it is. */
static uint64_t bitmap_bytes(const struct mw_bfs *b)
{
    const struct mw_comm *c = b->world->comm;
    const uint64_t words = c->size * bfs_portion_words(b->g) * sizeof *b->told;
    const uint64_t list = sizeof(uint16_t) * (b->n_visited - b->n_shared);
    return (c->n_hosts - 1) *
           mw_min(words, mw_max(list, c->size * (uint64_t)LEAST_BYTES));
}

/* What a bottom-up level is estimated from; the same at all ranks. */
static struct mw_form_level form_level(const struct mw_bfs *b,
                                       const struct mw_level *level)
{
    return (struct mw_form_level){
        .n_ranks = b->world->comm->size,
        .step = b->n_bottom_up,
        .n_unvisited = n_unvisited(b),
        .n_unvisited_edges = level->own[MW_BFS_UNVISITED_EDGES],
        .n_bitmap_bytes = bitmap_bytes(b),
        .n_light_edges = level->n_active_edges - b->last.hub_edges,
    };
}

static enum mw_level_form choose_form(const struct mw_bfs *b, struct mw_level *level)
{
    if (b->means.form != MW_FORM_AUTO)
        return b->means.form;
    const struct mw_form_level l = form_level(b, level);
    struct mw_form_estimate e = mw_form_estimate(&b->rates, &l);
    if (mw_on_device(b->world->backend))
        e.mixed_s = e.messages_s;
    level->own[MW_BFS_MESSAGES_S] = (uint64_t)(1e9 * e.messages_s);
    level->own[MW_BFS_BITMAP_S] = (uint64_t)(1e9 * e.bitmap_s);
    level->own[MW_BFS_MIXED_S] = (uint64_t)(1e9 * e.mixed_s);
    return mw_form_choose(&e);
}

/* After a level by a form that was chosen: the measurements that the next choice rests on. */
static void learn(struct mw_bfs *b, const struct mw_level *level,
                  const struct bfs_tally *all)
{
    const double n_ranks = b->world->comm->size;
    struct mw_form_level l = form_level(b, level);
    l.n_questions = all->n_questions;
    l.look_s = 1e-9 * (double)all->look_ns / n_ranks;
    l.talk_s = 1e-9 * (double)all->talk_ns / n_ranks;
    mw_form_learn(&b->rates, form_of(level), &l);
    b->n_bottom_up++;
}

/* ---- Counts ------------------------------------------------------------------------------ */

/* Edges out of the hubs that the level has reached; 0 where no level asks for them. */
static uint64_t hub_edges(const struct mw_bfs *b)
{
    const struct mw_frontier *f = &b->s.f;
    const uint64_t n = mw_min(b->s.n_look_hubs, f->n_labels), *row = b->g->row;
    uint64_t sum = 0;
    if (b->means.form != MW_FORM_AUTO || mw_on_device(b->world->backend))
        return 0;
    for (uint64_t i = 0; f->listed && i < f->n_list; i++)
        sum += f->list[i] < n ? row[f->list[i] + 1] - row[f->list[i]] : 0;
    for (uint64_t w = 0; !f->listed && 64 * w < n; w++)
        for (uint64_t bits = f->bits[w]; bits != 0; bits &= bits - 1) {
            const uint64_t label = 64 * w + (uint64_t)__builtin_ctzll(bits);
            sum += label < n ? row[label + 1] - row[label] : 0;
        }
    return sum;
}

/* Messages between hosts so far, of sets and of lists. */
static uint64_t n_swaps(const struct mw_bfs *b)
{
    return (b->share != NULL ? b->share->n_messages : 0) +
           (b->s.said != NULL ? b->s.said->n_messages : 0);
}

static void no_form(struct mw_level *level)
{
    level->own[MW_BFS_FORM] = MW_COUNT_NONE;
    level->own[MW_BFS_MESSAGES_S] = level->own[MW_BFS_BITMAP_S] =
        level->own[MW_BFS_MIXED_S] = MW_COUNT_NONE;
}

static void start_counting(struct mw_bfs *b, struct mw_level *level)
{
    for (uint32_t i = 0; i < b->s.n_lanes; i++) {
        struct bfs_lane *l = &b->s.lane[i];
        l->n_dropped = l->n_questions = l->n_answers = l->n_words = l->n_followed = 0;
    }
    b->shared_bytes = 0;
    b->n_swaps = n_swaps(b);
    no_form(level);
}

static struct bfs_tally stop_counting(struct mw_bfs *b, struct mw_level *level)
{
    struct bfs_tally own = {0};
    for (uint32_t i = 0; i < b->s.n_lanes; i++) {
        const struct bfs_lane *l = &b->s.lane[i];
        level->own[MW_BFS_DROPPED] += l->n_dropped;
        level->own[MW_BFS_QUESTIONS] += l->n_questions;
        level->own[MW_BFS_ANSWERS] += l->n_answers;
        level->own[MW_BFS_FOLLOW_WORDS] += l->n_words;
        level->own[MW_BFS_FOLLOWED] += l->n_followed;
    }
    level->n_bytes += b->shared_bytes;
    level->own[MW_BFS_HOST_MESSAGES] = n_swaps(b) - b->n_swaps;
    mw_frontier_count(&b->s.f, &own.n_found, &own.n_edges);
    bfs_delegates_tell(b, &own);
    own.hub_edges = hub_edges(b);
    own.n_questions = level->own[MW_BFS_QUESTIONS] + level->own[MW_BFS_FOLLOW_WORDS];
    own.look_ns = (uint64_t)(1e9 * b->look_s);
    own.talk_ns = (uint64_t)(1e9 * b->talk_s);
    return own;
}

/* Every rank comes here after every level, with its failure if it has one: whoever left early
 * would be waited for. */
static int add_up(struct mw_bfs *b, struct bfs_tally *tally, uint32_t n, int rc)
{
    struct mw_comm *comm = b->world->comm;
    return comm->size > 1 ? mw_comm_sum_or_fail(comm, (uint64_t *)tally, n, rc) : rc;
}

/* What a level has reached is the next one's frontier. */
void bfs_go_on(struct mw_bfs *b, const struct bfs_tally *reached)
{
    b->grows = reached->n_edges > 2 * b->last.n_edges;
    b->last = *reached;
    b->n_visited += reached->n_found;
    b->visited_edges += reached->n_edges;
    b->t->now.n_active = reached->n_found;
    b->t->now.n_active_edges = reached->n_edges;
}

static int run_level(struct mw_bfs *b, struct mw_level *level)
{
    const bool learns = b->means.form == MW_FORM_AUTO && level->step == MW_BOTTOM_UP;
    int rc;

    mw_frontier_begin(&b->s.f);
    start_counting(b, level);
    if (level->step == MW_BOTTOM_UP)
        level->own[MW_BFS_FORM] = choose_form(b, level);
    if (level->step == MW_TOP_DOWN)
        rc = top_down(b, level);
    else if (form_of(level) == MW_FORM_BITMAP)
        rc = bottom_up_bitmap(b);
    else
        rc = bfs_bottom_up_lookup(b, level, form_of(level) == MW_FORM_MIXED);
    struct bfs_tally tally = stop_counting(b, level);
    rc = add_up(b, &tally, learns ? BFS_TALLIED : BFS_TALLIED_ALWAYS, rc);
    if (rc < MW_OK)
        return rc;
    if (learns)
        learn(b, level, &tally);
    if (form_of(level) == MW_FORM_BITMAP)
        b->n_shared = b->n_visited;
    mw_frontier_visit(&b->s.f);
    bfs_crew_reached(b, &tally);
    level->n_found = tally.n_found;
    bfs_go_on(b, &tally);
    return rc;
}

/* Collective, between levels: is the target reached? One sum more, and only for a target. */
static int look_for_target(struct mw_bfs *b)
{
    const struct mw_graph *g = b->s.g;
    const mw_vid target = b->t->goal.target;
    uint64_t found = 0, place;
    if (target == MW_NO_VERTEX)
        return MW_OK;
    if (mw_is_mine(&g->partition, target, &place)) {
        const uint64_t number = mw_number_bytes(g->wide);
        uint64_t mirror;
        const void *parent =
            mw_see(b->world, &mirror, (const char *)b->s.parent + place * number, number);
        found = mw_number(parent, 0, g->wide) != (g->wide ? UINT64_MAX : UINT32_MAX);
    }
    const int rc = mw_comm_max(g->comm, &found, 1);
    b->t->found = found != 0;
    return rc;
}

int bfs_start(struct mw_traversal *t, mw_vid root)
{
    struct mw_bfs *b = t->state;
    struct bfs_state *s = &b->s;
    const struct mw_graph *g = s->g;

    mw_frontier_clear(&s->f);
    bfs_crew_forget(b);
    b->n_bottom_up = 0;
    b->last = (struct bfs_tally){0};
    b->n_shared = b->n_visited = b->visited_edges = 0;
    b->direction = MW_TOP_DOWN;
    s->root = root;
    const bool is_mine = mw_is_mine(&g->partition, root, &s->root_place);
    b->runs_whole = bfs_whole_why_not(b) == NULL;
    if (b->runs_whole) {
        s->root_place = is_mine ? s->root_place : UINT64_MAX;
        bfs_whole_start(b);
        return MW_OK;
    }
    if (b->is_stale) /* another goal, or levels, since the reset */
        MW_NEED(bfs_reset(t));
    int rc = bfs_come_home(b);
    if (rc != MW_OK)
        return rc;
    if (is_mine) {
        mw_frontier_list_none(&s->f);
        bfs_sweep(b, BFS_START);
        mw_frontier_started(&s->f);
    }
    /* No choice is made from its hubs: the first level is small. */
    struct bfs_tally tally = {.n_found = is_mine, .n_edges = bfs_listed_units(s)};
    bfs_delegates_tell(b, &tally);
    rc = add_up(b, &tally, BFS_TALLIED_ALWAYS, MW_OK);
    bfs_go_on(b, &tally);
    return rc < MW_OK ? rc : look_for_target(b);
}

int bfs_step(struct mw_traversal *t, struct mw_level *level)
{
    struct mw_bfs *b = t->state;
    const struct mw_graph *g = b->s.g;
    const struct mw_direction_input in = {.n_active = level->n_active,
                                          .n_active_edges = level->n_active_edges,
                                          .n_unvisited_edges =
                                              g->n_entries - b->visited_edges,
                                          .n_connected = g->n_connected};
    if (b->runs_whole)
        return bfs_whole_step(b, level);
    if (level->n_active_edges == 0)
        return MW_DONE;
    if (bfs_crew_is_ahead(b)) {
        no_form(level);
        level->own[MW_BFS_UNVISITED_EDGES] = in.n_unvisited_edges;
        bfs_crew_take(b, level);
        return MW_OK;
    }
    b->direction = mw_direction_choose(&b->rule, b->direction, &in);
    level->step = (uint8_t)b->direction;
    level->own[MW_BFS_UNVISITED_EDGES] = in.n_unvisited_edges;
    const int rc = run_level(b, level);
    return rc < MW_OK ? rc : look_for_target(b);
}

int bfs_finish(struct mw_traversal *t)
{
    struct mw_bfs *b = t->state;
    /* Only levels by bitmap leave any, and those have shared it. */
    return b->s.unnamed != NULL && b->n_shared > 0 ? bfs_name_parents(b) : MW_OK;
}

/* What levels keep of a search. */
static void forget_all(struct mw_bfs *b)
{
    struct bfs_state *const s = &b->s;
    const struct mw_comm *const comm = b->world->comm;
    bfs_sweep(b, BFS_RESET);
    if (b->told != NULL)
        memset(b->told, 0, comm->host_size * bfs_portion_words(b->g) * sizeof *b->told);
    if (b->known_of_host != NULL && comm->host_rank == 0)
        memset(b->known_of_host, 0,
               comm->size * bfs_portion_words(b->g) * sizeof *b->known_of_host);
    s->waiting_valid = false;
    b->hubs_changed = false;
    if (s->visited_hubs != NULL)
        mw_hubs_reset(s->visited_hubs);
}

int bfs_reset(struct mw_traversal *t)
{
    struct mw_bfs *b = t->state;
    struct bfs_state *s = &b->s;
    struct mw_comm *comm = b->world->comm;
    const bool runs_whole = bfs_whole_why_not(b) == NULL;
    if (!runs_whole) {
        MW_NEED(bfs_come_home(b));
        MW_NEED(mw_comm_agree(comm, bfs_rates_init(b)));
    }
    MW_NEED(mw_comm_host_barrier(comm));
    if (s->whole != NULL) {
        s->whole->most_levels = t->goal.max_depth;
        s->whole->reached_only = t->goal.reached_only;
        bfs_sweep(b, BFS_PREPARE);
    }
    b->is_stale = runs_whole && s->whole->writes_all; /* nothing else of it is read */
    if (!b->is_stale)
        forget_all(b);
    return mw_comm_host_barrier(comm);
}
