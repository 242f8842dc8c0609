/* bfs_crew_levels.c -- the kernel of a crew: its lead, and who follows. See bfs_crew.h.
 *
 * An order is one word, so nobody sees half of one; a core that takes no part in a phase may miss it.
 * Nobody writes what another still reads: a list is read in one phase and written again two
 * expansions later, and the lead gives no order before all who work have posted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_crew.h"

#include "algorithms/bfs/bfs_search.h"
#include "base/clock.h"
#include "base/pause.h"
#include "base/wait.h"

enum {
    VERTICES_A_CORE = 32, /* fewer are not worth another core */
    LOOKS = 512, /* before who waits gives up its core, where there are cores for all */
    AHEAD = 6,   /* rows, that are fetched before they are read */
    FAR_AHEAD = 32,
    NEAR_AHEAD = 16
};
static const double TELL_S = 1e-3; /* who waits longer says so to the watchdog */
static const double FORGET =
    1.0 / 512; /* of a meeting's time, by each level without one */

/* ---- Orders ------------------------------------------------------------------------------- */

enum what { EXPAND, RECEIVE, GO_HOME };

/* n cores of each rank work, n_before have made what they read. */
enum { CORES_BITS = 11, WHAT_BITS = 2, PHASE_AT = 2 * CORES_BITS + WHAT_BITS };
MW_STATIC_ASSERT(BFS_CREW_CORES < 1 << CORES_BITS, "an order names them");

static uint64_t order_of(uint64_t phase, enum what what, uint32_t n, uint32_t n_before)
{
    return phase << PHASE_AT | (uint64_t)what << 2 * CORES_BITS |
           (uint64_t)n << CORES_BITS | n_before;
}
static uint64_t phase_of(uint64_t order)
{
    return order >> PHASE_AT;
}
static enum what what_of(uint64_t order)
{
    return (enum what)(order >> 2 * CORES_BITS & ((1 << WHAT_BITS) - 1));
}
static uint32_t cores_of(uint64_t order)
{
    return (uint32_t)(order >> CORES_BITS & ((1 << CORES_BITS) - 1));
}
static uint32_t before_of(uint64_t order)
{
    return (uint32_t)(order & ((1 << CORES_BITS) - 1));
}

/* Who waits, and whether that is a management core, which its watchdog looks at. */
struct waiter {
    const struct bfs_crew *crew;
    struct mw_waiting waiting;
    uint32_t looks;
    bool of_rank, told;
};

static void wait_a_little(struct waiter *w)
{
    if (!w->crew->crowded && ++w->looks < LOOKS) {
        mw_pause();
        return;
    }
    mw_wait_a_little(&w->waiting);
    if (w->of_rank && !w->told && mw_now() - w->waiting.since > TELL_S) {
        mw_comm_wait(w->crew->comm, MW_IN_BARRIER);
        w->told = true;
    }
}

static void end_waiting(const struct waiter *w)
{
    if (w->told)
        mw_comm_work(w->crew->comm);
}

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
                !several || mw_column_owner(column, g->label_bits) == p->crew->rank;
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
        n_left += (several && mw_column_owner(column, bits) != p->crew->rank) ||
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
    const uint32_t me = p->crew->rank, bits = g->label_bits;
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

/* The share of core i of n, of so many things. */
static void share_of(uint32_t i, uint32_t n, uint64_t n_things, uint64_t *from,
                     uint64_t *to)
{
    *from = n_things * i / n;
    *to = n_things * (i + 1) / n;
}

MW_FN void expand_by(const struct part *p, struct bfs_crew_post *post, bool several,
                     bool shared, bool wide)
{
    const struct bfs_crew *const c = p->crew;
    const uint32_t *const start = bfs_crew_start(c, c->rank, p->parity);
    uint64_t *const pair = c->core[p->core].work;
    uint64_t n = 0, from, to;
    share_of(p->core, p->n, start[p->n_before], &from, &to);
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
    for (uint32_t r = 0; r < c->n_ranks && c->n_ranks > 1; r++)
        *bfs_crew_n_to(c, p->sender, r) = 0;
    if (c->n_ranks > 1 && p->n > 1)
        expand_by(p, post, true, true, false);
    else if (c->n_ranks > 1)
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
    const uint64_t *const record = bfs_crew_records(c, sender, c->rank);
    uint64_t from, to;
    share_of(p->core, p->n, *bfs_crew_n_to(c, sender, c->rank), &from, &to);
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
    for (uint32_t r = 0; r < c->n_ranks; r++)
        for (uint32_t k = 0; r != c->rank && k < p->n; k++) {
            const uint64_t sender = (uint64_t)r * c->n_cores + k;
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

/* The management core joins a team as the last one: it is core 0 here. */
static uint32_t core_of(const struct mw_cpe *self)
{
    return self->id + 1 == self->n ? 0 : self->id + 1;
}

static void take_part(struct bfs_state *s, const struct mw_cpe *self, uint64_t order)
{
    struct bfs_crew *const c = s->crew;
    const uint32_t core = core_of(self);
    struct bfs_crew_post *const post = bfs_crew_post_of(c, c->rank, core);
    const struct part p = {.s = s,
                           .crew = c,
                           .core = core,
                           .sender = (uint64_t)c->rank * c->n_cores + core,
                           .n = cores_of(order),
                           .n_before = before_of(order),
                           .parity = c->host->parity,
                           .bits = s->known != NULL ? s->known : s->f.visited,
                           .sent = s->lane[self->lane].seen};
    if (what_of(order) == EXPAND)
        expand(&p, post);
    else
        receive(&p, post);
    /* R1: lists, records and counts are written before the post is seen; pairs with A1. */
    MW_STORE_RELEASE(&post->done, phase_of(order));
}

/* ---- Who follows ---------------------------------------------------------------------------- */

static void follow(struct bfs_state *s, const struct mw_cpe *self)
{
    const struct bfs_crew *const c = s->crew;
    const uint32_t core = core_of(self);
    uint64_t last = bfs_crew_post_of(c, c->rank, core)->done;
    for (;;) {
        struct waiter w = {.crew = c, .of_rank = core == 0};
        uint64_t order;
        /* A2: pairs with R2. */
        while (phase_of(order = MW_LOAD_ACQUIRE(&c->host->order)) <= last)
            wait_a_little(&w);
        end_waiting(&w);
        last = phase_of(order);
        if (what_of(order) == GO_HOME)
            break;
        if (core < cores_of(order))
            take_part(s, self, order);
    }
    /* All begin the next call with what they have missed. */
    MW_STORE_RELEASE(&bfs_crew_post_of(c, c->rank, core)->done, last);
}

/* ---- The lead ------------------------------------------------------------------------------- */

struct sum {
    uint64_t n_found, n_edges, n_records, n_long;
};

/* R2: what the lead has written is seen with the order; pairs with A2. */
static uint64_t give(struct bfs_crew *c, enum what what, uint32_t n)
{
    struct bfs_crew_host *const h = c->host;
    const uint64_t order = order_of(phase_of(h->order) + 1, what, n, h->n_cores);
    MW_STORE_RELEASE(&h->order, order);
    return order;
}

/* One phase: the lead works, too, then waits for the others. */
static void run_phase(struct bfs_state *s, const struct mw_cpe *self, enum what what,
                      uint32_t n, struct sum *sum)
{
    struct bfs_crew *const c = s->crew;
    const uint64_t order = give(c, what, n);
    const uint32_t next = c->host->parity ^ 1;
    struct waiter w = {.crew = c, .of_rank = true};
    take_part(s, self, order);
    if (what == EXPAND)
        *sum = (struct sum){0};
    sum->n_found = 0;
    for (uint32_t r = 0; r < c->n_ranks; r++) {
        uint32_t *const start = bfs_crew_start(c, r, next);
        start[0] = 0;
        for (uint32_t k = 0; k < n; k++) {
            const struct bfs_crew_post *const post = bfs_crew_post_of(c, r, k);
            /* A1: pairs with R1. */
            while (MW_LOAD_ACQUIRE(&post->done) < phase_of(order))
                wait_a_little(&w);
            start[k + 1] = start[k] + post->n_found[next];
            sum->n_edges += post->n_edges;
            sum->n_long += post->n_long;
            if (what == EXPAND)
                sum->n_records += post->n_records;
        }
        sum->n_found += start[n];
    }
    end_waiting(&w);
}

/* Cores of each rank for a level: all that have enough to do, if they take less than one alone. */
static uint32_t choose_cores(const struct bfs_crew *c, const struct bfs_crew_level *level)
{
    const uint64_t worth = level->n_active / c->n_ranks / VERTICES_A_CORE;
    const uint32_t n = (uint32_t)mw_min(mw_max(worth, 1), c->n_cores);
    const double alone_ns = c->edge_ns * (double)level->n_edges;
    if (c->n_ranks > 1)
        return n;
    return n > 1 && c->meet_ns + alone_ns / n < alone_ns ? n : 1;
}

/* What a level took tells what the next ones will. A first meeting wakes those who slept. */
static void learn(struct bfs_crew *c, const struct bfs_crew_level *level, uint32_t n,
                  uint32_t n_before)
{
    const double ns = (double)level->ns, edges = (double)mw_max(level->n_edges, 1);
    const double part = 1.0 / 8;
    if (n == 1) {
        c->edge_ns += (ns / edges - c->edge_ns) * (c->edge_ns > 0 ? part : 1);
        c->meet_ns -= c->meet_ns * FORGET;
    } else if (n_before > 1) {
        const double over_ns = ns - c->edge_ns * edges / n;
        const double meet_ns = over_ns > 0 ? over_ns : 0;
        c->meet_ns += (meet_ns - c->meet_ns) * part;
    }
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
        learn(c, level, n, h->n_cores);
        before = level->n_edges;
        h->n_cores = n;
        h->parity ^= 1;
        h->log[++h->n_levels] =
            (struct bfs_crew_level){.n_active = sum.n_found, .n_edges = sum.n_edges};
    } while (goes_on(c, &sum, before));
    if (!alone)
        give(c, GO_HOME, 1);
}

void bfs_alone_kernel(struct mw_cpe *self, void *arg)
{
    if (self->id == 0)
        lead(((struct mw_job *)arg)->state, self, true);
}

void bfs_crew_kernel(struct mw_cpe *self, void *arg)
{
    struct bfs_state *const s = ((struct mw_job *)arg)->state;
    if (core_of(self) == 0 && s->crew->rank == 0)
        lead(s, self, false);
    else
        follow(s, self);
}
