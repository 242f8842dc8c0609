/* bfs_crew_rounds.c -- the cores of one rank, which make several levels between two meetings. See bfs_crew.h.
 *
 *      stamp      of a label: the level that it was reached in, as far as anybody knows. A lower one replaces it
 *      seen       of a core: what it has looked at. It need not look again, for its levels do not fall
 *      round      a core goes along its list, which is of the first level, then along what it has reached from that,
 *                 and so on, and asks nobody. What the last level of the round reaches is its list for the next one
 *      lowered    a label that somebody had reached by a longer way. Both have written its parent, nobody knows who
 *                 did it last; so in the next phase who has lowered it writes it again
 *
 * Stamps are final after a round, because who lowers one goes along that row himself, in the same round. Who finds a
 * label of his own queue lowered leaves it to the other one. Delta-stepping (Meyer and Sanders 2003) with unit weights
 * is the same.
 *
 * Nobody writes what another still reads: lists are read in one round and written again two later, and the lead gives
 * no order before all who work have posted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_crew.h"

#include "algorithms/bfs/bfs_search.h"
#include "base/clock.h"

enum {
    UNREACHED = INT16_MAX,
    WORD = 64,            /* stamps of a word of bits */
    VERTICES_A_CORE = 32, /* fewer are not worth another core */
    AHEAD = 6,            /* rows, that are fetched before they are read */
    FAR_AHEAD = 32,
    NEAR_AHEAD = 16
};
MW_STATIC_ASSERT(BFS_CREW_LEVELS + BFS_CREW_ROUND < UNREACHED, "stamps count levels");

/* Entries that are looked at, of those that have to be. */
static const double WASTED = 1.25, HARDLY_WASTED = 1.125;
static const double UNEVEN = 1.25; /* times the mean, who has most to do */

/* Stamps from bits; a round, each of its own list or of a share of all; bits from stamps. */
enum what { ENTER, OWN, SHARE, LEAVE };

/* ---- A core's part -------------------------------------------------------------------------- */

struct part {
    struct bfs_state *s;
    struct bfs_crew *crew;
    uint32_t core, n, n_lists; /* this one; that work; that have made the lists */
    uint32_t parity;           /* of the lists */
    struct bfs_crew_round round;
    int16_t *stamp; /* by labels, which are the columns of one rank */
    uint64_t *seen; /* bits of columns; this core's */
};

/* Words of bits that are this core's to look at. */
static void share_words(const struct part *p, uint64_t *from, uint64_t *to)
{
    mw_crew_share(p->core, p->n, (p->s->g->n_labels + WORD - 1) / WORD, from, to);
}

/* Of one rank bits of columns are bits of labels. */
static uint64_t *bits_of(const struct bfs_state *s)
{
    return s->known != NULL ? s->known : s->f.visited;
}

static void enter(const struct part *p)
{
    const uint64_t *const bits = bits_of(p->s);
    uint64_t from, to;
    share_words(p, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        int16_t *const stamp = p->stamp + w * WORD;
        for (uint32_t i = 0; i < WORD; i++)
            stamp[i] = UNREACHED;
        for (uint64_t left = bits[w]; left != 0; left &= left - 1)
            stamp[mw_lowest_bit(left)] = 0;
    }
}

/* Who has a stamp above `last` has not been reached. */
static uint64_t word_of(const int16_t *stamp, int16_t last)
{
    int16_t most = 0;
    for (uint32_t i = 0; i < WORD; i++)
        most = stamp[i] > most ? stamp[i] : most;
    if (most <= last)
        return UINT64_MAX;
    uint64_t word = 0;
    for (uint32_t i = 0; i < WORD; i++)
        word |= (uint64_t)(stamp[i] <= last) << i;
    return word;
}

/* What an undone round has reached has no parent again. */
static void forget(const struct part *p, uint64_t label)
{
    const struct mw_graph *const g = p->s->g;
    if (label < g->n_labels && p->stamp[label] > p->round.first &&
        p->stamp[label] != UNREACHED)
        bfs_set_parent(p->s, g->place_of[label], g->wide ? UINT64_MAX : UINT32_MAX,
                       g->wide);
}

/* Who has been lowered is on somebody else's list. */
static void keep_list(const struct part *p, uint32_t core)
{
    struct bfs_crew_post *const post = bfs_crew_post_of(p->crew, 0, core);
    uint32_t *const list = bfs_crew_list(p->crew, core, p->parity), n = 0;
    for (uint32_t i = 0; i < post->n_found[p->parity]; i++) {
        list[n] = list[i];
        n += p->stamp[list[i]] == p->round.first;
    }
    post->n_found[p->parity] = n;
}

static void leave(const struct part *p)
{
    const int16_t last = p->round.is_undone ? p->round.first : UNREACHED - 1;
    uint64_t *const bits = bits_of(p->s), from, to;
    for (uint32_t k = p->core; k < p->n_lists; k += p->n)
        keep_list(p, k);
    for (uint64_t w = 0; w < p->s->n_seen_words && p->round.is_undone; w++)
        p->seen[w] = 0;
    share_words(p, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        bits[w] = word_of(p->stamp + w * WORD, last);
        for (uint32_t i = 0; i < WORD && p->round.is_undone; i++)
            forget(p, w * WORD + i);
    }
}

/* ---- Along lists ---------------------------------------------------------------------------- */

/* What a core has reached in a round. */
struct reached {
    uint64_t *pair;
    uint64_t n_pairs;  /* of this level: labels above columns that may be new */
    uint64_t n_looked; /* entries that it has looked at */
    bool is_full;
};

/* Along labels of one level that nobody has lowered. Whether what they lead to is new is as good as random, so nothing
 * branches on it: what is not new stands where the next one goes. The part is a copy, which no store can change. */
MW_FN struct reached look_along(const struct part p, struct reached r,
                                const uint32_t *list, uint64_t n_list, int16_t stamp,
                                bool wide)
{
    const struct mw_graph *const g = p.s->g;
    const uint64_t *const row = g->row;
    const uint64_t room = p.crew->edges;
    for (uint64_t i = 0; i < n_list; i++) {
        const uint32_t u = list[i], ahead = list[mw_min(i + AHEAD, n_list - 1)];
        const uint64_t end = row[u + 1];
        __builtin_prefetch((const char *)g->column + row[ahead] * (wide ? 8 : 4));
        if (MW_LOAD_RELAXED(&p.stamp[u]) != stamp)
            continue;
        if (end - row[u] > room - r.n_pairs) {
            r.is_full = true;
            break;
        }
        r.n_looked += end - row[u];
        for (uint64_t k = row[u]; k < end; k++) {
            const uint32_t column = (uint32_t)mw_number(g->column, k, wide);
            const uint64_t bit = UINT64_C(1) << (column % WORD),
                           word = p.seen[column / WORD];
            p.seen[column / WORD] = word | bit;
            r.pair[r.n_pairs] = (uint64_t)u << 32 | column;
            r.n_pairs += (word & bit) == 0;
        }
    }
    return r;
}

/* Of the first level: this core's share of all lists. */
MW_FN struct reached look_along_share(const struct part *p, struct reached r, bool wide)
{
    const struct bfs_crew *const c = p->crew;
    const uint32_t *const start = c->host->start;
    uint64_t from, to;
    mw_crew_share(p->core, p->n, start[p->n_lists], &from, &to);
    for (uint32_t k = 0; k < p->n_lists && start[k] < to; k++) {
        const uint64_t first = mw_max(from, (uint64_t)start[k]),
                       last = mw_min(to, (uint64_t)start[k + 1]);
        if (first < last)
            r = look_along(*p, r, bfs_crew_list(c, k, p->parity) + (first - start[k]),
                           last - first, p->round.first, wide);
    }
    return r;
}

/* ---- What is new ---------------------------------------------------------------------------- */

/* The label gets this stamp, and the one that it had is returned; or `to`, if that was no higher. */
MW_FN int16_t lower(int16_t *stamp, int16_t to, bool alone)
{
    int16_t was = MW_LOAD_RELAXED(stamp);
    if (alone && was > to)
        MW_STORE_RELAXED(stamp, to);
    while (!alone && was > to && !MW_SWAP_RELAXED(stamp, &was, to))
        ;
    return was > to ? was : to;
}

/* A label had a stamp of this round, which was too high: it is none of that level. */
MW_FN void take_from(const struct part *p, uint64_t pair, int16_t was)
{
    struct bfs_crew_core *const c = &p->crew->core[p->core];
    const uint64_t *const row = p->s->g->row;
    const uint32_t label = (uint32_t)pair;
    c->of[was - p->round.first - 1].n_active--;
    c->of[was - p->round.first - 1].n_edges -= row[label + 1] - row[label];
    bfs_crew_lowered(p->crew, p->core)[c->n_lowered++] = pair;
}

/* Those of the pairs whose column gets its stamp from this core; returns how many. A loop of its own: an atomic operation
 * waits for the stores before it, and those of parents miss the caches. */
MW_FN uint64_t claim(const struct part p, uint64_t *pair, uint64_t n_pairs, int16_t stamp,
                     bool alone)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < n_pairs; i++) {
        const uint64_t is = pair[i];
        __builtin_prefetch(&p.stamp[(uint32_t)pair[mw_min(i + NEAR_AHEAD, n_pairs - 1)]],
                           1);
        const int16_t was = lower(&p.stamp[(uint32_t)is], stamp, alone);
        pair[n] = is;
        n += was > stamp;
        if (was > stamp && was != UNREACHED)
            take_from(&p, is, was);
    }
    return n;
}

/* Labels that were claimed get their parents, and stand on a list. Returns how many edges go out of them. */
MW_FN uint64_t settle(const struct part p, const uint64_t *pair, uint64_t n,
                      uint32_t *list, bool wide)
{
    const struct mw_graph *const g = p.s->g;
    const uint64_t *const row = g->row;
    const char *const column = g->column;
    const uint64_t number = wide ? sizeof(uint64_t) : sizeof(uint32_t);
    uint64_t n_edges = 0;
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t u = (uint32_t)(pair[i] >> 32), label = (uint32_t)pair[i],
                       far = (uint32_t)pair[mw_min(i + FAR_AHEAD, n - 1)],
                       near = (uint32_t)pair[mw_min(i + NEAR_AHEAD, n - 1)];
        __builtin_prefetch(&row[far]);
        __builtin_prefetch(&g->place_of[far]);
        __builtin_prefetch((char *)p.s->parent + g->place_of[near] * number, 1);
        bfs_set_parent(p.s, g->place_of[label], mw_vertex_at(g, 0, g->place_of[u]), wide);
        list[i] = label;
        n_edges += row[label + 1] - row[label];
        __builtin_prefetch(column + row[label] * number);
    }
    return n_edges;
}

/* Those that a core has lowered in the last round, as long as it is the one whose stamp they have. */
static void settle_lowered(const struct part *p, uint32_t core)
{
    const struct mw_graph *const g = p->s->g;
    struct bfs_crew_core *const c = &p->crew->core[core];
    const uint64_t *const pair = bfs_crew_lowered(p->crew, core);
    for (uint64_t i = 0; i < c->n_lowered; i++) {
        const uint32_t u = (uint32_t)(pair[i] >> 32), label = (uint32_t)pair[i];
        if (p->stamp[u] + 1 == p->stamp[label])
            bfs_set_parent(p->s, g->place_of[label], mw_vertex_at(g, 0, g->place_of[u]),
                           g->wide);
    }
    c->n_lowered = 0;
}

/* ---- A round -------------------------------------------------------------------------------- */

MW_FN void make_round(const struct part *p, enum what what, bool alone, bool wide)
{
    struct bfs_crew *const c = p->crew;
    struct bfs_crew_core *const own = &c->core[p->core];
    struct bfs_crew_post *const post = bfs_crew_post_of(c, 0, p->core);
    struct reached r = {.pair = own->work};
    uint32_t *list = bfs_crew_queue(c, p->core);
    uint64_t n_list = 0, n_queue = 0;
    for (uint32_t l = 0; l < p->round.n_levels; l++)
        own->of[l].n_active = own->of[l].n_edges = 0;
    for (uint32_t l = 0; l < p->round.n_levels; l++) {
        const int16_t stamp = (int16_t)(p->round.first + (int)l);
        const bool is_last = l + 1 == p->round.n_levels;
        r.n_pairs = 0;
        if (l > 0)
            r = look_along(*p, r, list, n_list, stamp, wide);
        else if (what == SHARE)
            r = look_along_share(p, r, wide);
        else
            r = look_along(*p, r, bfs_crew_list(c, p->core, p->parity),
                           post->n_found[p->parity], stamp, wide);
        /* The last level lowers nothing: nobody has a higher stamp. */
        r.is_full = r.is_full ||
                    (!is_last && (r.n_pairs > bfs_crew_lowered_room(c) - own->n_lowered ||
                                  r.n_pairs > c->edges - n_queue));
        if (r.is_full)
            break;
        list = is_last ? bfs_crew_list(c, p->core, p->parity ^ 1)
                       : bfs_crew_queue(c, p->core) + n_queue;
        n_list = claim(*p, r.pair, r.n_pairs, (int16_t)(stamp + 1), alone);
        n_queue += is_last ? 0 : n_list;
        own->of[l].n_active += n_list;
        own->of[l].n_edges += settle(*p, r.pair, n_list, list, wide);
    }
    post->n_found[p->parity ^ 1] = (uint32_t)n_list;
    post->n_edges = r.n_looked;
    post->is_full = r.is_full;
}

void bfs_crew_round_part(void *state, const struct mw_cpe *self, uint64_t order)
{
    struct bfs_state *const s = state;
    struct bfs_crew *const c = s->crew;
    const enum what what = (enum what)mw_crew_what(order);
    const struct part p = {.s = s,
                           .crew = c,
                           .core = mw_crew_core(self),
                           .n = mw_crew_working(order),
                           .n_lists = mw_crew_before(order),
                           .parity = c->host->parity,
                           .round = c->host->round,
                           .stamp = c->stamp,
                           .seen = s->lane[self->lane].seen};
    if (what == ENTER || p.round.is_undone)
        c->core[p.core].n_lowered = 0;
    else
        for (uint32_t k = p.core; k < p.n_lists; k += p.n)
            settle_lowered(&p, k);
    if (what == ENTER)
        enter(&p);
    else if (what == LEAVE)
        leave(&p);
    else if (s->g->wide)
        make_round(&p, what, p.n == 1, true);
    else if (p.n == 1)
        make_round(&p, what, true, false);
    else
        make_round(&p, what, false, false);
    mw_crew_post(&bfs_crew_post_of(c, 0, p.core)->done, order);
}

/* ---- The lead ------------------------------------------------------------------------------- */

/* Of who has worked in a phase. */
struct sum {
    uint64_t n_listed, n_looked, most;
    bool is_full;
};

/* One phase: the lead works, too, then waits for the others. */
static void run_phase(struct bfs_state *s, const struct mw_cpe *self, enum what what,
                      uint32_t n, uint32_t n_lists)
{
    struct bfs_crew *const c = s->crew;
    const uint64_t order = mw_crew_give(&c->meet, what, n, n_lists);
    struct mw_crew_waiter w = {.crew = &c->meet, .of_rank = true};
    bfs_crew_round_part(s, self, order);
    for (uint32_t k = 0; k < n; k++)
        mw_crew_await(&bfs_crew_post_of(c, 0, k)->done, order, &w);
    mw_crew_end_waiting(&w);
}

/* What n cores have done in the round that is over, and where their lists for the next one begin. */
static struct sum sum_up(struct bfs_crew *c, uint32_t n)
{
    struct bfs_crew_host *const h = c->host;
    struct sum sum = {0};
    for (uint32_t k = 0; k < n; k++) {
        const struct bfs_crew_post *const post = bfs_crew_post_of(c, 0, k);
        h->start[k] = (uint32_t)sum.n_listed;
        sum.n_listed += post->n_found[h->parity ^ 1];
        sum.n_looked += post->n_edges;
        sum.most = mw_max(sum.most, post->n_edges);
        sum.is_full = sum.is_full || post->is_full;
    }
    h->start[n] = (uint32_t)sum.n_listed;
    return sum;
}

/* What the levels of a round have reached by n cores, of levels that have reached anything. Returns the edges of those
 * that the round went along. */
static uint64_t log_round(struct bfs_crew *c, uint32_t n, double ns)
{
    struct bfs_crew_host *const h = c->host;
    const uint32_t before = h->n_levels;
    uint64_t n_edges = 0;
    for (uint32_t l = 0; l < h->round.n_levels && h->log[h->n_levels].n_active > 0; l++) {
        struct bfs_crew_level next = {0};
        for (uint32_t k = 0; k < n; k++) {
            next.n_active += c->core[k].of[l].n_active;
            next.n_edges += c->core[k].of[l].n_edges;
        }
        n_edges += h->log[h->n_levels].n_edges;
        h->log[++h->n_levels] = next;
    }
    for (uint32_t l = before; l < h->n_levels; l++)
        h->log[l].ns = (uint64_t)(ns / (h->n_levels - before));
    return n_edges;
}

/* Levels of the next round: twice as many while nearly nothing is looked at in vain, half as many if much was, and no
 * more than lists have room for. */
static uint32_t choose_levels(const struct bfs_crew *c, uint32_t last, double wasted,
                              uint32_t n)
{
    enum { ROOM = 4 };
    const struct bfs_crew_host *const h = c->host;
    const uint64_t n_edges = h->log[h->n_levels].n_edges;
    uint64_t levels = wasted > WASTED          ? last / 2
                      : wasted < HARDLY_WASTED ? 2 * last
                                               : last;
    levels = mw_min(mw_max(levels, 1), c->most_round);
    while (levels > 1 && levels * n_edges * ROOM > n * c->edges)
        levels /= 2;
    return (uint32_t)mw_min(levels, c->most_levels - h->n_levels);
}

/* That have work for a round. */
static uint32_t choose_cores(const struct bfs_crew *c, double now)
{
    const uint64_t n_levels = c->host->round.n_levels;
    const struct bfs_crew_level *const first = &c->host->log[c->host->n_levels];
    return mw_pace_cores(&c->meet.pace, n_levels * first->n_edges,
                         n_levels * first->n_active / VERTICES_A_CORE, now);
}

/* The frontier is on the first core's list. Where a core has no room for what it reaches, the round is undone; a first
 * round is of one level, for which there is room. */
void bfs_crew_lead_rounds(struct bfs_state *s, const struct mw_cpe *self)
{
    struct bfs_crew *const c = s->crew;
    struct bfs_crew_host *const h = c->host;
    struct bfs_crew_round *const r = &h->round;
    const uint32_t n_cores = c->meet.n_cores;
    uint32_t n_lists = 1, n_levels = 1;
    bool shares = true;
    *r = (struct bfs_crew_round){0};
    double start = mw_now(); /* of levels: entering is theirs */
    mw_pace_begin(&c->meet.pace, start);
    run_phase(s, self, ENTER, n_cores, 0);
    double begun = mw_now(); /* of the round */
    h->start[0] = 0;
    h->start[1] = (uint32_t)h->log[0].n_active;
    for (bool more = true; more;) {
        r->n_levels = (uint16_t)n_levels;
        const uint32_t n = choose_cores(c, begun);
        run_phase(s, self, shares || n != n_lists ? SHARE : OWN, n, n_lists);
        const struct sum sum = sum_up(c, n);
        r->is_undone = sum.is_full;
        if (r->is_undone)
            break;
        const double now = mw_now();
        const uint64_t n_edges = log_round(c, n, 1e9 * (now - start));
        const bool loses = mw_pace_note(&c->meet.pace,
                                        &(struct mw_pace_phase){.n_edges = n_edges,
                                                                .n_looked = sum.n_looked,
                                                                .ns = 1e9 * (now - begun),
                                                                .n = n,
                                                                .n_before = n_lists},
                                        now);
        start = begun = now;
        shares = (double)(n * sum.most) >
                 UNEVEN * (double)(sum.n_looked + n * VERTICES_A_CORE);
        r->first = (int16_t)(r->first + r->n_levels);
        h->parity ^= 1;
        n_lists = n;
        more = !loses && h->log[h->n_levels].n_edges > 0 &&
               h->n_levels < c->most_levels &&
               !bfs_crew_is_too_large(c, h->log[h->n_levels].n_edges,
                                      h->log[h->n_levels - 1].n_edges);
        n_levels = choose_levels(c, n_levels,
                                 (double)sum.n_looked / (double)mw_max(n_edges, 1), n);
    }
    run_phase(s, self, LEAVE, n_cores, n_lists);
    const double now = mw_now();
    h->log[h->n_levels - 1].ns += (uint64_t)(1e9 * (now - start));
    h->n_cores = n_lists;
    mw_pace_end(&c->meet.pace, now);
    mw_crew_give(&c->meet, MW_CREW_GO_HOME, 1, n_cores);
}
