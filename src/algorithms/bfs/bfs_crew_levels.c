/* bfs_crew_levels.c -- the kernel of a crew; and levels one by one, of several ranks or of one core alone. See bfs_crew.h.
 *
 * Nobody writes what another still reads: a list is read in one phase and written again two
 * expansions later, and the lead gives no order before all who work have posted. What a core takes stands behind
 * its list, where nobody else looks in that phase.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_crew.h"

#include "algorithms/bfs/bfs_search.h"
#include "base/clock.h"

enum {
    AHEAD = 6, /* rows, that are fetched before they are read */
    FAR_AHEAD = 32,
    NEAR_AHEAD = 16
};
enum what { EXPAND, TAKE };

/* Whose the labels are that are reached: of the one core; or of several ranks, of each rank's one core, or of one of
 * its cores. */
enum whose { OF_ONE_CORE, OF_RANKS, OF_EACH };

/* ---- A core's part -------------------------------------------------------------------------- */

/* One core of one rank, in one phase. */
struct part {
    struct bfs_state *s;
    struct bfs_crew *crew;
    uint32_t core, n; /* this one; that work */
    uint32_t n_cores; /* of a rank, that there are */
    uint32_t self;    /* this one, among those of all ranks */
    uint32_t parity;  /* of the frontier */
    uint32_t label_bits;
    uint64_t phase;
    uint64_t *bits; /* of columns, those of this rank: reached */
    uint64_t *sent; /* of columns, those of other cores: sent by this one */
};

/* Of several ranks: the core that a column is of, among those of all ranks. */
MW_FN uint32_t core_of(const struct part *p, uint32_t column, enum whose whose)
{
    const uint32_t owner = mw_column_owner(column, p->label_bits);
    return whose == OF_RANKS ? owner
                             : owner * p->n_cores +
                                   bfs_crew_owner(p->crew, column, p->label_bits, p->n);
}

MW_FN bool is_mine(const struct part *p, uint32_t column, enum whose whose)
{
    return (whose != OF_RANKS && whose != OF_EACH) ||
           core_of(p, column, whose) == p->self;
}

/* Columns that the list leads to and that are new, with the label that leads there. One of this core is new if it has
 * not reached it; one of another core if it has not sent it. Whether one is new is as good as random, so nothing
 * branches on it: what is not new stands where the next one goes. The part is a copy, which no store can change. */
MW_FN uint64_t look_along(const struct part p, const uint32_t *list, uint64_t n_list,
                          uint64_t *pair, uint64_t n, enum whose whose, bool wide)
{
    const struct mw_graph *const g = p.s->g;
    const uint64_t *const row = g->row;
    for (uint64_t i = 0; i < n_list; i++) {
        const uint32_t u = list[i], ahead = list[mw_min(i + AHEAD, n_list - 1)];
        __builtin_prefetch((const char *)g->column + row[ahead] * (wide ? 8 : 4));
        for (uint64_t k = row[u], end = row[u + 1]; k < end; k++) {
            const uint32_t column = (uint32_t)mw_number(g->column, k, wide);
            uint64_t *const bits = is_mine(&p, column, whose) ? p.bits : p.sent;
            const uint64_t bit = UINT64_C(1) << (column % 64),
                           word = MW_LOAD_RELAXED(&bits[column / 64]);
            mw_store(bits, column / 64, word | bit, true);
            pair[n] = (uint64_t)u << 32 | column;
            n += (word & bit) == 0;
        }
    }
    return n;
}

/* True once. */
MW_FN bool claims(uint64_t *bits, uint32_t column)
{
    const uint64_t bit = UINT64_C(1) << (column % 64), is = bits[column / 64];
    bits[column / 64] = is | bit;
    return (is & bit) == 0;
}

/* A core's list, and how it grows. */
struct found {
    uint32_t *list;
    uint32_t n, n_long;
    uint64_t n_edges;
};

static struct found list_of(const struct part *p, uint32_t parity, uint32_t n)
{
    return (struct found){.list = bfs_crew_list(p->crew, p->core, parity), .n = n};
}

/* What one that comes later will need. */
MW_FN void settle_ahead(const struct bfs_state *s, uint32_t far, uint32_t near, bool wide)
{
    const struct mw_graph *const g = s->g;
    __builtin_prefetch(&g->row[far]);
    __builtin_prefetch(&g->place_of[far]);
    __builtin_prefetch((char *)s->parent + g->place_of[near] * (wide ? UINT64_C(8) : 4),
                       1);
}

/* A label of mine, reached from a vertex. */
MW_FN void settle(const struct part *p, struct found *f, uint32_t label, mw_vid parent,
                  bool wide)
{
    const struct mw_graph *const g = p->s->g;
    bfs_set_parent(p->s, g->place_of[label], parent, wide);
    f->list[f->n++] = label;
    f->n_edges += g->row[label + 1] - g->row[label];
    __builtin_prefetch((const char *)g->column + g->row[label] * (wide ? 8 : 4));
    f->n_long += label < p->crew->first_long;
}

/* Of labels that lead to columns. */
MW_FN void settle_pairs(const struct part *p, struct found *found, const uint64_t *pair,
                        uint64_t n, bool wide)
{
    const struct mw_graph *const g = p->s->g;
    const uint32_t bits = g->label_bits;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t u = (uint32_t)(pair[i] >> 32);
        settle_ahead(
            p->s, mw_column_label((uint32_t)pair[mw_min(i + FAR_AHEAD, n - 1)], bits),
            mw_column_label((uint32_t)pair[mw_min(i + NEAR_AHEAD, n - 1)], bits), wide);
        settle(p, found, mw_column_label((uint32_t)pair[i], bits),
               mw_vertex_at(g, p->crew->meet.rank, g->place_of[u]), wide);
    }
}

/* Of items: parents above columns. */
static void settle_items(const struct part *p, struct found *found, const uint64_t *item,
                         uint64_t n)
{
    const uint32_t bits = p->s->g->label_bits;
    for (uint64_t i = 0; i < n; i++) {
        settle_ahead(
            p->s, mw_column_label((uint32_t)item[mw_min(i + FAR_AHEAD, n - 1)], bits),
            mw_column_label((uint32_t)item[mw_min(i + NEAR_AHEAD, n - 1)], bits), false);
        settle(p, found, mw_column_label((uint32_t)item[i], bits), item[i] >> 32, false);
    }
}

/* Items of this core, and of other ranks. */
struct dealt {
    uint64_t n_mine, n_away;
};

/* Pairs become items: those of other cores go into boxes, and this core's stay. */
MW_FN struct dealt put_pairs(const struct part p, uint64_t *pair, uint64_t n,
                             enum whose whose)
{
    const struct mw_graph *const g = p.s->g;
    const uint32_t me = p.crew->meet.rank;
    struct mw_box_writer w = mw_boxes_begin(&p.crew->boxes, p.phase, p.self, false);
    struct dealt dealt = {0, 0};
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t column = (uint32_t)pair[i], u = (uint32_t)(pair[i] >> 32),
                       to = core_of(&p, column, whose);
        const uint64_t item = mw_vertex_at(g, me, g->place_of[u]) << 32 | column;
        if (to == p.self)
            pair[dealt.n_mine++] = item;
        else
            mw_box_put(&w, to, &item, sizeof item);
        dealt.n_away += mw_column_owner(column, p.label_bits) != me;
    }
    mw_boxes_end(&w);
    return dealt;
}

static void post_found(const struct part *p, struct bfs_crew_post *post,
                       const struct found *found, uint64_t n_items, uint64_t n_records)
{
    post->n_found[p->parity ^ 1] = found->n;
    post->n_edges = found->n_edges;
    post->n_long = found->n_long;
    post->n_items = (uint32_t)n_items;
    post->n_records = (uint32_t)n_records;
}

/* Of one core alone: its list. */
MW_FN void expand_alone(const struct part *p, struct bfs_crew_post *post, bool wide)
{
    uint64_t *const pair = p->crew->core[p->core].work;
    struct found found = list_of(p, p->parity ^ 1, 0);
    const uint64_t n = look_along(*p, bfs_crew_list(p->crew, p->core, p->parity),
                                  post->n_found[p->parity], pair, 0, OF_ONE_CORE, wide);
    settle_pairs(p, &found, pair, n, wide);
    post_found(p, post, &found, 0, 0);
}

/* Of several ranks: this core's list, and what it has taken, which is behind that. */
MW_FN void expand_each(const struct part *p, struct bfs_crew_post *post, enum whose whose)
{
    uint64_t *const pair = p->crew->core[p->core].work;
    struct found found = list_of(p, p->parity ^ 1, 0);
    const uint64_t n =
        look_along(*p, bfs_crew_list(p->crew, p->core, p->parity),
                   post->n_found[p->parity] + post->n_taken, pair, 0, whose, false);
    const struct dealt dealt = put_pairs(*p, pair, n, whose);
    settle_items(p, &found, pair, dealt.n_mine);
    post_found(p, post, &found, n - dealt.n_mine, dealt.n_away);
}

static void expand(const struct part *p, struct bfs_crew_post *post)
{
    if (p->crew->meet.n_ranks > 1 && p->n_cores > 1)
        expand_each(p, post, OF_EACH);
    else if (p->crew->meet.n_ranks > 1)
        expand_each(p, post, OF_RANKS);
    else if (p->s->g->wide)
        expand_alone(p, post, true);
    else
        expand_alone(p, post, false);
}

/* What other cores have put for this one in the phase before, and what of it is new: items, whose number it returns. */
static uint64_t collect(const struct part *p, uint64_t *item)
{
    const struct bfs_crew *const c = p->crew;
    const uint32_t n_cores = c->meet.n_ranks * c->meet.n_cores;
    uint64_t n = 0;
    for (uint32_t i = 1; i < n_cores; i++) {
        const uint32_t from = p->self + i < n_cores ? p->self + i : p->self + i - n_cores;
        for (struct mw_box_reader b =
                 mw_box_first(&c->boxes, p->phase - 1, from, p->self);
             b.item != NULL; mw_box_next(&b)) {
            const uint64_t *const is = b.item;
            for (uint32_t k = 0; k < b.n_bytes / BFS_CREW_ITEM; k++) {
                item[n] = is[k];
                n += claims(p->bits, (uint32_t)is[k]);
            }
        }
    }
    return n;
}

/* It is behind this core's list, which is that of the level. */
static void take(const struct part *p, struct bfs_crew_post *post)
{
    uint64_t *const item = p->crew->core[p->core].work;
    const uint64_t n = collect(p, item);
    struct found f = list_of(p, p->parity, post->n_found[p->parity]);
    settle_items(p, &f, item, n);
    post->n_taken = (uint32_t)n;
    post->n_taken_edges = f.n_edges;
    post->n_long = f.n_long;
}

/* In a phase of its own, of those who have worked in the last one: what is taken is on the list. */
static void keep_taken(const struct part *p, struct bfs_crew_post *post)
{
    post->n_found[p->parity] += post->n_taken;
    post->n_edges += post->n_taken_edges;
}

static void take_part(void *state, const struct mw_cpe *self, uint64_t order)
{
    struct bfs_state *const s = state;
    struct bfs_crew *const c = s->crew;
    const uint32_t core = mw_crew_core(self);
    struct bfs_crew_post *const post = bfs_crew_post_of(c, c->meet.rank, core);
    const struct part p = {.s = s,
                           .crew = c,
                           .core = core,
                           .self = c->meet.rank * c->meet.n_cores + core,
                           .phase = mw_crew_phase(order),
                           .n = mw_crew_working(order),
                           .n_cores = c->meet.n_cores,
                           .parity = c->host->parity,
                           .label_bits = s->g->label_bits,
                           .bits = s->known != NULL ? s->known : s->f.visited,
                           .sent = s->lane[self->lane].seen};
    if (c->meet.n_ranks > 1)
        take(&p, post);
    if (mw_crew_what(order) == EXPAND)
        expand(&p, post);
    else
        keep_taken(&p, post);
    mw_crew_post(&post->done, order); /* after lists, records and counts */
}

/* ---- The lead ------------------------------------------------------------------------------- */

/* What lists have of a level; and what is in boxes for it, put in the last phase. */
struct sum {
    uint64_t n_found, n_edges, n_long, n_items, n_records;
    uint64_t n_taken, n_taken_edges; /* of the level before: what was in boxes for it */
};

/* One phase: the lead works, too, then waits for the others. */
static struct sum run_phase(struct bfs_state *s, const struct mw_cpe *self,
                            enum what what, uint32_t n)
{
    struct bfs_crew *const c = s->crew;
    const uint64_t order = mw_crew_give(&c->meet, what, n, n);
    const uint32_t parity = c->host->parity ^ (what == EXPAND);
    struct mw_crew_waiter w = {.crew = &c->meet, .of_rank = true};
    struct sum sum = {0};
    take_part(s, self, order);
    for (uint32_t r = 0; r < c->meet.n_ranks; r++)
        for (uint32_t k = 0; k < n; k++) {
            const struct bfs_crew_post *const post = bfs_crew_post_of(c, r, k);
            mw_crew_await(&post->done, order, &w);
            sum.n_found += post->n_found[parity];
            sum.n_edges += post->n_edges;
            sum.n_long += post->n_long;
            sum.n_items += what == EXPAND ? post->n_items : 0;
            sum.n_records += post->n_records;
            sum.n_taken += post->n_taken;
            sum.n_taken_edges += post->n_taken_edges;
        }
    mw_crew_end_waiting(&w);
    c->host->parity = parity;
    c->host->n_cores = n;
    return sum;
}

/* Edges of a level, of which some is in boxes: as long rows as those of the level before are. */
static uint64_t estimate_edges(const struct sum *sum, const struct bfs_crew_level *before)
{
    return sum->n_edges + sum->n_items * before->n_edges / before->n_active;
}

/* May what is in boxes stay there until the level is made? There is room for its edges, however many they are. */
static bool may_wait(const struct bfs_crew *c, const struct sum *sum,
                     const struct bfs_crew_level *before)
{
    return sum->n_edges <= c->most_edges &&
           (c->most_edges - sum->n_edges) / sum->n_items >= c->longest_row &&
           !bfs_crew_is_too_large(c, estimate_edges(sum, before), before->n_edges) &&
           c->host->n_levels + 1 < c->most_levels;
}

static bool goes_on(const struct bfs_crew *c, const struct sum *sum,
                    uint64_t n_edges_before)
{
    return sum->n_edges > 0 && !bfs_crew_is_too_large(c, sum->n_edges, n_edges_before) &&
           sum->n_long == 0 && c->host->n_levels < c->most_levels;
}

static void lead(struct bfs_state *s, const struct mw_cpe *self, bool alone)
{
    struct bfs_crew *const c = s->crew;
    struct bfs_crew_host *const h = c->host;
    double start = mw_now();
    struct bfs_crew_level listed = h->log[0]; /* of the level, what is on lists */
    bool more = true;
    const uint32_t n = alone ? 1 : h->n_called;
    uint32_t n_next = n;
    while (more) {
        struct bfs_crew_level *const level = &h->log[h->n_levels];
        struct sum sum = run_phase(s, self, EXPAND, n);
        *level = (struct bfs_crew_level){.n_active = listed.n_active + sum.n_taken,
                                         .n_edges = listed.n_edges + sum.n_taken_edges,
                                         .n_records = sum.n_records};
        if (level->n_active == 0) /* what was in boxes was not new */
            break;
        const double met = mw_now();
        if (!alone && h->n_levels > 0) /* all have come */
            n_next = mw_pace_leave_out(&c->meet.pace, level->n_edges, 1e9 * (met - start),
                                       met);
        const bool waits = n_next == n && sum.n_items > 0 && may_wait(c, &sum, level);
        if (sum.n_items > 0 && !waits) {
            const uint64_t n_long = sum.n_long;
            sum = run_phase(s, self, TAKE, n);
            sum.n_long += n_long;
        }
        const double now = mw_now();
        level->ns = (uint64_t)(1e9 * (now - start));
        start = now;
        if (c->meet.n_ranks == 1)
            mw_pace_learn_alone(&c->meet.pace, level->n_edges, (double)level->ns);
        listed = (struct bfs_crew_level){.n_active = sum.n_found, .n_edges = sum.n_edges};
        h->log[++h->n_levels] =
            (struct bfs_crew_level){.n_active = sum.n_found + sum.n_items,
                                    .n_edges = estimate_edges(&sum, level)};
        more = n_next == n && (waits || goes_on(c, &sum, level->n_edges)) &&
               !(alone && c->rests && !mw_pace_rests(&c->meet.pace, now));
    }
    if (alone)
        return;
    h->n_called = n_next;
    mw_crew_give(&c->meet, MW_CREW_GO_HOME, 1, h->n_cores);
}

void bfs_alone_kernel(struct mw_cpe *self, void *arg)
{
    if (self->id == 0)
        lead(((struct mw_job *)arg)->state, self, true);
}

void bfs_crew_kernel(struct mw_cpe *self, void *arg)
{
    struct bfs_state *const s = ((struct mw_job *)arg)->state;
    struct bfs_crew *const c = s->crew;
    const uint32_t core = mw_crew_core(self);
    const bool is_one = c->meet.n_ranks == 1;
    if (core > 0 || c->meet.rank > 0)
        mw_crew_follow(&c->meet, &bfs_crew_post_of(c, c->meet.rank, core)->done,
                       is_one ? bfs_crew_round_part : take_part, s, self);
    else if (is_one)
        bfs_crew_lead_rounds(s, self);
    else
        lead(s, self, false);
}
