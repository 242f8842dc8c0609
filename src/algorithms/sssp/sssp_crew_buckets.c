/* sssp_crew_buckets.c -- the kernel of a crew: its lead, and a core's part of a phase. See sssp_crew.h.
 *
 * Nobody writes what another still reads: items that others take are written again one meeting after they were taken,
 * and the lead gives no order before all who work have posted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_crew_part.h"
#include "base/clock.h"

enum {
    ENTRIES_A_CORE = 128, /* fewer are not worth another core */
    LATE_PART = 32, /* of a bucket's entries: as many ways may go with the next one */
};
static const double UNEVEN = 1.25; /* times the mean, who has most to do */

/* One rank: open and drain; open for others; drain a share of what all have opened. Several: take what others have put,
 * open and drain; take and drain; take. And a part of a round. */
enum what { GO, OPEN, SHARE, RECEIVE, TAKE, ROUND };

/* ---- A core's part -------------------------------------------------------------------------- */

/* Who is left in the queue is far, and the next bucket begins there. */
static void leave_queue(struct sssp_crew_part *p)
{
    const uint64_t n = p->n_queue;
    p->n_queue = p->crew->n_queue; /* there is no room */
    for (; p->first < n; p->first++)
        sssp_crew_list(p, p->queue[p->first]);
    p->n_queue = 0;
}

/* Of one rank: along the row of an item that is no old news. */
MW_FN void relax(struct sssp_crew_part *p, uint64_t item)
{
    const struct sssp_state *const s = p->s;
    const uint32_t u = (uint32_t)item;
    const uint64_t from = mw_load(s->word, u, true), end = s->rows.row[u + 1];
    if (from >> 32 < item >> 32)
        return;
    p->n_entries += end - s->rows.row[u];
    for (uint64_t entry = s->rows.row[u]; entry < end; entry++) {
        const float weight = s->rows.weight[entry];
        if (!sssp_is_taken(s, weight))
            continue;
        const uint32_t node = mw_column_label(
            mw_number(s->rows.column, entry, s->g->wide), s->g->label_bits);
        const float distance = mw_float_of_word(from) + weight;
        if (sssp_falls(s, 0, node, u, from, distance))
            sssp_crew_list(p, mw_word_of_float(distance, node));
    }
}

/* The part is a copy, which nobody else has, so that a compiler keeps it in registers. */
MW_FN struct sssp_crew_part drain_alone(struct sssp_crew_part p)
{
    for (p.first = 0; p.first < p.n_queue;) {
        sssp_crew_look_ahead(&p, false);
        relax(&p, p.queue[p.first++]);
    }
    p.n_queue = 0;
    return p;
}

static void drain(struct sssp_crew_part *p)
{
    if (p->crew->meet.n_ranks == 1)
        *p = drain_alone(*p);
    else
        sssp_crew_drain_each(p);
}

/* Items far of a core go to a list, if they are in the bucket and while there is room, or stay. */
static uint64_t open(const struct sssp_crew_part *p, uint32_t core, uint64_t *to,
                     uint64_t n, uint64_t room)
{
    const struct sssp_crew *const c = p->crew;
    struct sssp_crew_post *const post = sssp_crew_post_of(c, c->meet.rank, core);
    uint64_t *const far = sssp_crew_far(c, core), left = 0, least = UINT64_MAX;
    for (uint64_t i = 0; i < post->n_far; i++) {
        const uint64_t item = far[i], distance = item >> 32;
        const bool is = distance < p->limit && n < room;
        if (n < room)
            to[n] = item;
        n += is;
        far[left] = item;
        left += !is;
        least = is ? least : mw_min(least, distance);
    }
    post->n_far = (uint32_t)left;
    post->least = least;
    return n;
}

static void open_for_all(struct sssp_crew_part *p)
{
    const struct sssp_crew *const c = p->crew;
    for (uint32_t k = p->core; k < c->meet.n_cores; k += p->n)
        sssp_crew_post_of(c, c->meet.rank, k)->n_opened =
            (uint32_t)open(p, k, sssp_crew_opened(c, k), 0, c->n_opened);
}

static void open_own(struct sssp_crew_part *p)
{
    for (uint32_t k = p->core; k < p->crew->meet.n_cores; k += p->n)
        p->n_queue = open(p, k, p->queue, p->n_queue, p->crew->n_queue);
}

/* Of what the cores of this rank have opened. */
static void take_share(struct sssp_crew_part *p)
{
    const struct sssp_crew *const c = p->crew;
    uint64_t n = 0, from, to, before = 0;
    for (uint32_t k = 0; k < c->meet.n_cores; k++)
        n += sssp_crew_post_of(c, c->meet.rank, k)->n_opened;
    mw_crew_share(p->core, p->n, n, &from, &to);
    for (uint32_t k = 0; k < c->meet.n_cores; k++) {
        const uint64_t opened = sssp_crew_post_of(c, c->meet.rank, k)->n_opened;
        const uint64_t first = mw_max(from, before), last = mw_min(to, before + opened);
        for (uint64_t i = first; i < last; i++)
            sssp_crew_list(p, sssp_crew_opened(c, k)[i - before]);
        before += opened;
    }
}

static void take_part(void *state, const struct mw_cpe *self, uint64_t order)
{
    const struct sssp_state *const s = state;
    struct sssp_crew *const c = s->crew;
    const uint32_t core = mw_crew_core(self);
    const enum what what = (enum what)mw_crew_what(order);
    struct sssp_crew_post *const post = sssp_crew_post_of(c, c->meet.rank, core);
    if (what == ROUND) {
        sssp_crew_go_round(s, core, mw_crew_phase(order), post);
        mw_crew_post(&post->done, order);
        return;
    }
    struct sssp_crew_part p = {.s = s,
                               .crew = c,
                               .core = core,
                               .n = mw_crew_working(order),
                               .self = c->meet.rank * c->meet.n_cores + core,
                               .phase = mw_crew_phase(order),
                               .limit = c->host->limit,
                               .late = UINT32_MAX,
                               .queue = sssp_crew_queue(c, core),
                               .far = sssp_crew_far(c, core)};
    if (what == OPEN)
        open_for_all(&p);
    else if (what == GO)
        open_own(&p);
    p.n_far = post->n_far;
    p.least = post->least;
    if (what == SHARE)
        take_share(&p);
    if (c->meet.n_ranks > 1)
        sssp_crew_take(&p);
    if (what != OPEN && what != TAKE)
        drain(&p);
    leave_queue(&p);
    post->n_far = (uint32_t)p.n_far;
    post->least = p.least;
    post->n_sent = (uint32_t)p.n_sent;
    post->n_away = (uint32_t)p.n_away;
    post->late = (uint32_t)p.late;
    post->n_entries += p.n_entries;
    post->n_last = (uint32_t)p.n_entries;
    post->is_full = post->is_full || p.is_full;
    mw_crew_post(&post->done, order);
}

/* ---- The lead ------------------------------------------------------------------------------- */

struct sum {
    uint64_t n_sent, n_away, n_entries, least;
    bool is_full, is_uneven;
};

/* Of all cores; n of each rank have worked. Of those of a rank one had much more to do than others, or not. */
static struct sum sum_up(const struct sssp_crew *c, uint32_t n)
{
    struct sum sum = {.least = UINT64_MAX};
    for (uint32_t r = 0; r < c->meet.n_ranks; r++) {
        uint64_t most = 0, all = 0;
        for (uint32_t k = 0; k < c->meet.n_cores; k++) {
            const struct sssp_crew_post *const post = sssp_crew_post_of(c, r, k);
            sum.n_entries += post->n_entries;
            sum.least = mw_min(sum.least, post->least);
            sum.is_full = sum.is_full || post->is_full;
            if (k >= n)
                continue;
            sum.n_sent += post->n_sent;
            if (post->n_sent > 0)
                sum.least = mw_min(sum.least, post->late);
            sum.n_away += post->n_away;
            all += post->n_last;
            most = mw_max(most, post->n_last);
        }
        sum.is_uneven = sum.is_uneven ||
                        (double)(n * most) > UNEVEN * (double)(all + n * ENTRIES_A_CORE);
    }
    return sum;
}

/* One phase: the lead works, too, then waits for the others. */
static struct sum run_phase(struct sssp_state *s, const struct mw_cpe *self,
                            enum what what, uint32_t n)
{
    struct sssp_crew *const c = s->crew;
    struct sssp_crew_host *const h = c->host;
    const uint64_t order = mw_crew_give(&c->meet, what, n, n);
    struct mw_crew_waiter w = {.crew = &c->meet, .of_rank = true};
    take_part(s, self, order);
    for (uint32_t r = 0; r < c->meet.n_ranks; r++)
        for (uint32_t k = 0; k < n; k++)
            mw_crew_await(&sssp_crew_post_of(c, r, k)->done, order, &w);
    mw_crew_end_waiting(&w);
    h->n_phases++;
    return sum_up(c, n);
}

/* The bucket that begins at the least distance of those far, and of ways that the last one has left in boxes; never an
 * empty one. It ends when so few ways are in boxes that they may go with the next one. */
static struct sum run_bucket(struct sssp_state *s, const struct mw_cpe *self,
                             const struct sum *last, uint32_t n, bool shares)
{
    const uint64_t least = last->least, before = last->n_entries;
    struct sssp_crew_host *const h = s->crew->host;
    const float end = mw_float_of_bits((uint32_t)least) + s->crew->width;
    struct sum sum;
    h->limit = mw_max(mw_bits_of_float(end), least + 1);
    h->n_buckets++;
    if (shares)
        (void)run_phase(s, self, OPEN, n);
    sum = run_phase(s, self, shares ? SHARE : GO, n);
    h->n_records += sum.n_away;
    while (!sum.is_full && sum.n_sent > (sum.n_entries - before) / LATE_PART) {
        sum = run_phase(s, self, RECEIVE, n);
        h->n_records += sum.n_away;
    }
    return sum;
}

/* The last phase takes what was put in the one before. */
static void lead_round(struct sssp_state *s, const struct mw_cpe *self)
{
    struct sssp_crew *const c = s->crew;
    for (c->host->slice = 0; run_phase(s, self, ROUND, c->meet.n_cores).n_sent > 0;
         c->host->slice++)
        ;
}

static void lead_buckets(struct sssp_state *s, const struct mw_cpe *self)
{
    struct sssp_crew *const c = s->crew;
    const bool is_one = c->meet.n_ranks == 1;
    struct sum sum = sum_up(c, c->meet.n_cores);
    uint64_t n_entries = 0;
    uint32_t n = 1;
    double start = mw_now();
    bool shares = true;
    mw_pace_begin(&c->meet.pace, start);
    while (sum.least != UINT64_MAX && !sum.is_full && n_entries <= SSSP_CREW_ENTRIES &&
           c->host->n_phases < SSSP_CREW_PHASES) {
        const uint64_t before = sum.n_entries;
        const uint32_t n_before = n;
        n = is_one ? mw_pace_cores(&c->meet.pace, n_entries, n_entries / ENTRIES_A_CORE,
                                   start)
                   : c->meet.n_cores;
        sum = run_bucket(s, self, &sum, n, is_one && n > 1 && (shares || n != n_before));
        const double now = mw_now();
        n_entries = sum.n_entries - before;
        const struct mw_pace_phase phase = {.n_edges = n_entries,
                                            .n_looked = n_entries,
                                            .ns = 1e9 * (now - start),
                                            .n = n,
                                            .n_before = n_before};
        if (is_one && mw_pace_note(&c->meet.pace, &phase, now)) {
            mw_pace_end(&c->meet.pace, now);
            mw_pace_begin(&c->meet.pace, now);
        }
        start = now;
        shares = sum.is_uneven;
    }
    mw_pace_end(&c->meet.pace, start);
    if (sum.n_sent > 0)
        (void)run_phase(s, self, TAKE, n);
}

static void lead(struct sssp_state *s, const struct mw_cpe *self)
{
    if (s->crew->makes_round)
        lead_round(s, self);
    else
        lead_buckets(s, self);
    mw_crew_give(&s->crew->meet, MW_CREW_GO_HOME, 1, 1);
}

void sssp_crew_kernel(struct mw_cpe *self, void *arg)
{
    struct sssp_state *const s = ((struct mw_job *)arg)->state;
    struct sssp_crew *const c = s->crew;
    const uint32_t core = mw_crew_core(self);
    if (core == 0 && c->meet.rank == 0)
        lead(s, self);
    else
        mw_crew_follow(&c->meet, &sssp_crew_post_of(c, c->meet.rank, core)->done,
                       take_part, s, self);
}
