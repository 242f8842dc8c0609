/* bfs_crew_levels.c -- the kernel of a crew: its lead, and who follows. See bfs_crew.h.
 *
 * Nobody writes what another still reads: a list is read in one phase and written again two
 * expansions later, and the lead gives no order before all who work have posted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_crew.h"

#include "algorithms/bfs/bfs_search.h"
#include "base/clock.h"

enum {
    VERTICES_A_CORE = 32, /* fewer are not worth another core */
    AHEAD = 6,            /* rows, that are fetched before they are read */
    FAR_AHEAD = 32,
    NEAR_AHEAD = 16
};
enum what { EXPAND, RECEIVE };

/* ---- A core's part -------------------------------------------------------------------------- */

/* One core of one rank, in one phase. */
struct part {
    struct bfs_state *s;
    struct bfs_crew *crew;
    uint32_t core, n, n_before; /* this one; that work; that have made what is read */
    uint32_t parity;            /* of the frontier */
    uint64_t sender;            /* this core, counted over all ranks */
    uint64_t *bits;             /* of columns, those of this rank: reached */
    uint64_t *sent;             /* of columns, those of others: sent by this core */
};

/* Columns that the list leads to and that are new, with the label that leads there. A label of this rank is
 * new if nobody has reached it; one of another rank if this core has not sent it. Whether one is new is as
 * good as random, so nothing branches on it: what is not new stands where the next one goes. Who shares
 * this rank's labels with other cores leaves their bits to claim(). */
MW_FN uint64_t look_along(const struct part *p, const uint32_t *list, uint64_t n_list,
                          uint64_t *pair, uint64_t n, bool several, bool shared,
                          bool wide)
{
    const struct mw_graph *const g = p->s->g;
    const uint64_t *const row = g->row;
    for (uint64_t i = 0; i < n_list; i++) {
        const uint32_t u = list[i], ahead = list[mw_min(i + AHEAD, n_list - 1)];
        __builtin_prefetch((const char *)g->column + row[ahead] * (wide ? 8 : 4));
        for (uint64_t k = row[u], end = row[u + 1]; k < end; k++) {
            const uint32_t column = (uint32_t)mw_number(g->column, k, wide);
            const bool mine =
                !several || mw_column_owner(column, g->label_bits) == p->crew->meet.rank;
            uint64_t *const bits = mine ? p->bits : p->sent;
            const uint64_t bit = UINT64_C(1) << (column % 64),
                           word = MW_LOAD_RELAXED(&bits[column / 64]);
            if (!shared || !mine)
                mw_store(bits, column / 64, word | bit, true);
            pair[n] = (uint64_t)u << 32 | column;
            n += (word & bit) == 0;
        }
    }
    return n;
}

/* True for one core only. */
MW_FN bool claims(uint64_t *bits, uint32_t column, bool shared)
{
    uint64_t *const word = &bits[column / 64];
    const uint64_t bit = UINT64_C(1) << (column % 64), is = MW_LOAD_RELAXED(word);
    if (shared)
        return (is & bit) == 0 && (MW_OR_RELAXED(word, bit) & bit) == 0;
    mw_store(bits, column / 64, is | bit, true);
    return (is & bit) == 0;
}

/* Those of the pairs that are others', or whose column this core is the first to mark; returns how many. A
 * loop of its own: an atomic operation waits for the stores before it, and those of parents miss the
 * caches. */
MW_FN uint64_t claim(const struct part *p, uint64_t *pair, uint64_t n, bool several)
{
    const uint32_t bits = p->s->g->label_bits;
    uint64_t n_left = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t column = (uint32_t)pair[i];
        pair[n_left] = pair[i];
        n_left += (several && mw_column_owner(column, bits) != p->crew->meet.rank) ||
                  claims(p->bits, column, true);
    }
    return n_left;
}

/* What a core has found in this phase; told when it is over. */
struct found {
    uint32_t *list;
    uint32_t n, n_long;
    uint64_t n_edges;
};

static struct found found_by(const struct part *p, uint32_t n)
{
    return (struct found){.list = bfs_crew_list(p->crew, p->core, p->parity ^ 1), .n = n};
}

static void tell(const struct part *p, struct bfs_crew_post *post, const struct found *f)
{
    post->n_found[p->parity ^ 1] = f->n;
    post->n_edges = f->n_edges;
    post->n_long = f->n_long;
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

/* A column and its parent to the owner. */
MW_FN void send(const struct part *p, uint32_t owner, uint32_t column, mw_vid parent)
{
    const struct bfs_crew *const c = p->crew;
    uint32_t *const n = bfs_crew_n_to(c, p->sender, owner);
    bfs_crew_records(c, p->sender, owner)[(*n)++] = parent << 32 | column;
}

MW_FN void settle_pairs(const struct part *p, struct bfs_crew_post *post,
                        const uint64_t *pair, uint64_t n, bool several, bool wide)
{
    const struct mw_graph *const g = p->s->g;
    const uint32_t me = p->crew->meet.rank, bits = g->label_bits;
    struct found found = found_by(p, 0);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t column = (uint32_t)pair[i], u = (uint32_t)(pair[i] >> 32),
                       far = (uint32_t)pair[mw_min(i + FAR_AHEAD, n - 1)],
                       near = (uint32_t)pair[mw_min(i + NEAR_AHEAD, n - 1)];
        const mw_vid parent = mw_vertex_at(g, me, g->place_of[u]);
        const uint32_t label = mw_column_label(column, bits);
        if (!several ||
            (mw_column_owner(far, bits) == me && mw_column_owner(near, bits) == me))
            settle_ahead(p->s, mw_column_label(far, bits), mw_column_label(near, bits),
                         wide);
        if (!several || mw_column_owner(column, bits) == me)
            settle(p, &found, label, parent, wide);
        else
            send(p, mw_column_owner(column, bits), column, parent);
    }
    tell(p, post, &found);
    post->n_records = (uint32_t)(n - found.n);
}

MW_FN void expand_by(const struct part *p, struct bfs_crew_post *post, bool several,
                     bool shared, bool wide)
{
    const struct bfs_crew *const c = p->crew;
    const uint32_t *const start = bfs_crew_start(c, c->meet.rank, p->parity);
    uint64_t *const pair = c->core[p->core].work;
    uint64_t n = 0, from, to;
    mw_crew_share(p->core, p->n, start[p->n_before], &from, &to);
    for (uint32_t k = 0; k < p->n_before && start[k] < to; k++) {
        const uint64_t first = mw_max(from, (uint64_t)start[k]),
                       last = mw_min(to, (uint64_t)start[k + 1]);
        if (first < last)
            n = look_along(p, bfs_crew_list(c, k, p->parity) + (first - start[k]),
                           last - first, pair, n, several, shared, wide);
    }
    settle_pairs(p, post, pair, shared ? claim(p, pair, n, several) : n, several, wide);
}

static void expand(const struct part *p, struct bfs_crew_post *post)
{
    const struct bfs_crew *const c = p->crew;
    for (uint32_t r = 0; r < c->meet.n_ranks && c->meet.n_ranks > 1; r++)
        *bfs_crew_n_to(c, p->sender, r) = 0;
    if (c->meet.n_ranks > 1 && p->n > 1)
        expand_by(p, post, true, true, false);
    else if (c->meet.n_ranks > 1)
        expand_by(p, post, true, false, false);
    else if (p->s->g->wide && p->n > 1)
        expand_by(p, post, false, true, true);
    else if (p->s->g->wide)
        expand_by(p, post, false, false, true);
    else if (p->n > 1)
        expand_by(p, post, false, true, false);
    else
        expand_by(p, post, false, false, false);
}

/* What one core has sent to this rank, of it this core's share, that is new; returns how many there are
 * then. Records look like pairs. */
MW_FN uint64_t receive_of(const struct part *p, uint64_t sender, uint64_t *pair,
                          uint64_t n, bool shared)
{
    const struct bfs_crew *const c = p->crew;
    const uint64_t *const record = bfs_crew_records(c, sender, c->meet.rank);
    uint64_t from, to;
    mw_crew_share(p->core, p->n, *bfs_crew_n_to(c, sender, c->meet.rank), &from, &to);
    for (uint64_t i = from; i < to; i++) {
        pair[n] = record[i];
        n += claims(p->bits, (uint32_t)record[i], shared);
    }
    return n;
}

static void receive(const struct part *p, struct bfs_crew_post *post)
{
    const struct bfs_crew *const c = p->crew;
    const uint32_t bits = p->s->g->label_bits;
    uint64_t *const pair = c->core[p->core].work;
    struct found found = found_by(p, post->n_found[p->parity ^ 1]);
    uint64_t n = 0;
    for (uint32_t r = 0; r < c->meet.n_ranks; r++)
        for (uint32_t k = 0; r != c->meet.rank && k < p->n; k++) {
            const uint64_t sender = (uint64_t)r * c->meet.n_cores + k;
            n = p->n > 1 ? receive_of(p, sender, pair, n, true)
                         : receive_of(p, sender, pair, n, false);
        }
    for (uint64_t i = 0; i < n; i++) {
        settle_ahead(
            p->s, mw_column_label((uint32_t)pair[mw_min(i + FAR_AHEAD, n - 1)], bits),
            mw_column_label((uint32_t)pair[mw_min(i + NEAR_AHEAD, n - 1)], bits), false);
        settle(p, &found, mw_column_label((uint32_t)pair[i], bits), pair[i] >> 32, false);
    }
    tell(p, post, &found);
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
                           .sender = (uint64_t)c->meet.rank * c->meet.n_cores + core,
                           .n = mw_crew_working(order),
                           .n_before = mw_crew_before(order),
                           .parity = c->host->parity,
                           .bits = s->known != NULL ? s->known : s->f.visited,
                           .sent = s->lane[self->lane].seen};
    if (mw_crew_what(order) == EXPAND)
        expand(&p, post);
    else
        receive(&p, post);
    mw_crew_post(&post->done, order); /* after lists, records and counts */
}

/* ---- The lead ------------------------------------------------------------------------------- */

struct sum {
    uint64_t n_found, n_edges, n_records, n_long;
};

/* One phase: the lead works, too, then waits for the others. */
static void run_phase(struct bfs_state *s, const struct mw_cpe *self, enum what what,
                      uint32_t n, struct sum *sum)
{
    struct bfs_crew *const c = s->crew;
    const uint64_t order = mw_crew_give(&c->meet, what, n, c->host->n_cores);
    const uint32_t next = c->host->parity ^ 1;
    struct mw_crew_waiter w = {.crew = &c->meet, .of_rank = true};
    take_part(s, self, order);
    if (what == EXPAND)
        *sum = (struct sum){0};
    sum->n_found = 0;
    for (uint32_t r = 0; r < c->meet.n_ranks; r++) {
        uint32_t *const start = bfs_crew_start(c, r, next);
        start[0] = 0;
        for (uint32_t k = 0; k < n; k++) {
            const struct bfs_crew_post *const post = bfs_crew_post_of(c, r, k);
            mw_crew_await(&post->done, order, &w);
            start[k + 1] = start[k] + post->n_found[next];
            sum->n_edges += post->n_edges;
            sum->n_long += post->n_long;
            if (what == EXPAND)
                sum->n_records += post->n_records;
        }
        sum->n_found += start[n];
    }
    mw_crew_end_waiting(&w);
}

static uint32_t choose_cores(const struct bfs_crew *c, const struct bfs_crew_level *level)
{
    return mw_crew_choose(&c->meet, level->n_edges,
                          level->n_active / c->meet.n_ranks / VERTICES_A_CORE);
}

static bool goes_on(const struct bfs_crew *c, const struct sum *sum,
                    uint64_t n_edges_before)
{
    const bool grows = sum->n_edges > 2 * n_edges_before;
    return sum->n_edges > 0 && sum->n_edges <= c->most_edges && sum->n_long == 0 &&
           !(grows && sum->n_edges > BFS_CREW_GROWING) &&
           c->host->n_levels < c->most_levels;
}

static void lead(struct bfs_state *s, const struct mw_cpe *self, bool alone)
{
    struct bfs_crew *const c = s->crew;
    struct bfs_crew_host *const h = c->host;
    struct sum sum;
    uint64_t before;
    double start = mw_now();
    do {
        struct bfs_crew_level *const level = &h->log[h->n_levels];
        const uint32_t n = alone ? 1 : choose_cores(c, level);
        run_phase(s, self, EXPAND, n, &sum);
        if (sum.n_records > 0)
            run_phase(s, self, RECEIVE, n, &sum);
        const double now = mw_now();
        level->n_records = sum.n_records;
        level->ns = (uint64_t)(1e9 * (now - start));
        start = now;
        mw_crew_learn(&c->meet, level->n_edges, (double)level->ns, n, h->n_cores);
        before = level->n_edges;
        h->n_cores = n;
        h->parity ^= 1;
        h->log[++h->n_levels] =
            (struct bfs_crew_level){.n_active = sum.n_found, .n_edges = sum.n_edges};
    } while (goes_on(c, &sum, before));
    if (!alone)
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
    if (mw_crew_core(self) == 0 && s->crew->meet.rank == 0)
        lead(s, self, false);
    else
        mw_crew_follow(
            &s->crew->meet,
            &bfs_crew_post_of(s->crew, s->crew->meet.rank, mw_crew_core(self))->done,
            take_part, s, self);
}
