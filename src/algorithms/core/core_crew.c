/* core_crew.c -- see core_crew.h.
 *
 * A label that is taken has a bit beside the neighbours that it has left, in lost[]. It is taken by the core that lowers it to
 * k, or by one whose scan finds it at k: setting the bit decides.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/core/core_crew.h"

#include "shuffle/skeleton_none.h"

#include "base/clock.h"

enum { BEGIN, SCAN, SHARE }; /* phases */
enum {
    ENTRIES_A_CORE = 512,    /* fewer are not worth another core */
    ENTRIES_ALONE = 1 << 17, /* after which one core looks for help */
    LABELS_TOGETHER = 16,    /* in a line of lost[], which one core scans */
    ALONE_UP_TO =
        3, /* cores: so much longer an atomic addition takes than a plain one (measured) */
    LABELS_A_CORE = 64, /* of a graph: with fewer there is no room for the core's queue */
    LOOK_EVERY = 256,   /* labels, whether others are idle */
    LEFT_AT_LEAST = 64, /* labels that are worth sharing */
    ROWS_AHEAD = 16,    /* labels, whose rows are fetched before they are read */
    ENTRIES_AHEAD = 8,
    ENDS_AHEAD = 4,
    SHORT_ROW = 4
};
#define TAKEN (UINT32_C(1) << 31)

/* ---- A core's part -------------------------------------------------------------------------- */

/* One core, in one phase. */
struct part {
    const struct core *s;
    struct core_crew *crew;
    const struct mw_graph *g;
    uint32_t *left; /* neighbours, by label */
    uint32_t *queue;
    uint32_t core, n, k;
    uint64_t first, n_queue, n_entries, n_peeled; /* the queue: [first .. n_queue) */
    bool is_full;
};

/* Whole lines of labels are dealt in turn, for the first ones have the longest rows; the last core has the rest. Labels to
 * scan are in listed.label[], two queues of each core in listed.end[]. */
static uint32_t *list_of(const struct core *s, uint32_t core)
{
    const uint32_t n_cores = s->crew->meet.n_cores;
    const uint64_t n_lines = s->g->n_labels / LABELS_TOGETHER;
    const uint64_t before = core * (n_lines / n_cores) + mw_min(core, n_lines % n_cores);
    return s->listed.label + before * LABELS_TOGETHER;
}
static uint32_t *queue_of(const struct core *s, uint32_t core, uint32_t parity)
{
    return (uint32_t *)s->listed.end + (2 * core + parity) * s->crew->room;
}

/* False: the queue has no room. True: the label is taken, now or before. */
MW_FN bool take(struct part *p, uint32_t label, bool alone)
{
    if (p->n_queue == p->crew->room) {
        p->is_full = true;
        return false;
    }
    const uint32_t was = alone ? p->left[label] : MW_OR_RELAXED(&p->left[label], TAKEN);
    if (was & TAKEN)
        return true;
    if (alone)
        p->left[label] = was | TAKEN;
    ((uint32_t *)p->s->number)[p->g->place_of[label]] = p->k;
    p->queue[p->n_queue++] = label;
    return true;
}

/* Of lists that this core looks after in this phase: who is low is taken, who was taken is dropped. */
MW_FN void scan(struct part *p, bool alone)
{
    for (uint32_t c = p->core; c < p->crew->meet.n_cores; c += p->n) {
        struct core_post *const post = &p->crew->post[c];
        uint32_t *const list = list_of(p->s, c), n = 0, least = UINT32_MAX;
        for (uint32_t i = 0; i < post->n_list; i++) {
            const uint32_t label = list[i], left = MW_LOAD_RELAXED(&p->left[label]);
            if (left & TAKEN || (left <= p->k && take(p, label, alone)))
                continue;
            list[n++] = label;
            least = left < least ? left : least;
        }
        post->n_list = n;
        post->least = least;
    }
}

MW_FN void lose(struct part *p, uint32_t label, bool alone)
{
    const uint32_t left = MW_LOAD_RELAXED(&p->left[label]);
    if (left & TAKEN || left <= p->k)
        return;
    const uint32_t was = alone ? left : MW_ADD_RELAXED(&p->left[label], UINT32_MAX);
    if (alone)
        p->left[label] = left - 1;
    if (was == p->k + 1)
        (void)take(p, label, alone); /* or it is found by another scan */
}

MW_FN void look_ahead(const struct part *p)
{
    const uint64_t *const row = p->g->row;
    const uint32_t *const column = p->g->column;
    if (p->first + ROWS_AHEAD < p->n_queue)
        __builtin_prefetch(&row[p->queue[p->first + ROWS_AHEAD]]);
    if (p->first + ENTRIES_AHEAD < p->n_queue)
        __builtin_prefetch(&column[row[p->queue[p->first + ENTRIES_AHEAD]]]);
    if (p->first + ENDS_AHEAD < p->n_queue) {
        const uint64_t *const its = &row[p->queue[p->first + ENDS_AHEAD]];
        const uint64_t end = mw_min(its[1], its[0] + SHORT_ROW);
        for (uint64_t e = its[0]; e < end; e++)
            __builtin_prefetch(&p->left[mw_column_label(column[e], p->g->label_bits)]);
    }
}

/* What is left in the queue is worth a meeting. */
MW_FN bool others_could(const struct part *p, bool alone)
{
    return alone ? p->n_entries >= ENTRIES_ALONE && p->crew->meet.n_cores > 1
                 : MW_LOAD_RELAXED(&p->crew->n_idle) > 0;
}

/* The part is a copy, which nobody else has, so that a compiler keeps it in registers. */
MW_FN struct part drain_by(struct part p, bool alone)
{
    const uint32_t *const column = p.g->column;
    while (p.first < p.n_queue) {
        if (p.first % LOOK_EVERY == LOOK_EVERY - 1 &&
            p.n_queue - p.first >= LEFT_AT_LEAST && others_could(&p, alone))
            return p;
        look_ahead(&p);
        const uint32_t label = p.queue[p.first++];
        const uint64_t end = p.g->row[label + 1];
        p.n_peeled++;
        p.n_entries += end - p.g->row[label];
        for (uint64_t e = p.g->row[label]; e < end; e++)
            lose(&p, mw_column_label(column[e], p.g->label_bits), alone);
        if (p.n_queue == p.crew->room && p.first >= p.n_queue / 2) {
            p.n_queue -= p.first;
            memmove(p.queue, p.queue + p.first, p.n_queue * sizeof *p.queue);
            p.first = 0;
        }
    }
    if (!alone)
        (void)MW_ADD_RELAXED(&p.crew->n_idle, 1);
    return p;
}

static void begin(const struct part *p)
{
    const uint64_t n_labels = p->g->n_labels,
                   n_dealt = n_labels - n_labels % LABELS_TOGETHER;
    const uint64_t apart = (uint64_t)p->n * LABELS_TOGETHER;
    uint32_t *const list = list_of(p->s, p->core), n = 0;
    for (uint64_t l = (uint64_t)p->core * LABELS_TOGETHER; l < n_dealt;
         l += (l + 1) % LABELS_TOGETHER != 0 ? 1 : apart - LABELS_TOGETHER + 1)
        list[n++] = (uint32_t)l;
    for (uint64_t l = n_dealt; p->core + 1 == p->n && l < n_labels; l++)
        list[n++] = (uint32_t)l;
    for (uint32_t i = 0; i < n; i++)
        p->left[list[i]] = (uint32_t)(p->g->row[list[i] + 1] - p->g->row[list[i]]);
    p->crew->post[p->core].n_list = n;
}

/* Of what cores have left in the last phase. As many share it at least, so there is room. */
static void take_share(struct part *p)
{
    const struct core_crew *const c = p->crew;
    const uint32_t parity = c->parity ^ 1;
    uint64_t n = 0, from, to, before = 0;
    for (uint32_t k = 0; k < c->n_made; k++)
        n += c->post[k].to[parity] - c->post[k].from[parity];
    mw_crew_share(p->core, p->n, n, &from, &to);
    for (uint32_t k = 0; k < c->n_made; k++) {
        const uint32_t *const its = queue_of(p->s, k, parity) + c->post[k].from[parity];
        const uint64_t behind = before + c->post[k].to[parity] - c->post[k].from[parity];
        for (uint64_t i = mw_max(from, before); i < mw_min(to, behind); i++)
            p->queue[p->n_queue++] = its[i - before];
        before = behind;
    }
}

static void take_part(void *state, const struct mw_cpe *self, uint64_t order)
{
    const struct core *const s = state;
    struct core_crew *const c = s->crew;
    struct core_post *const post = &c->post[mw_crew_core(self)];
    struct part p = {.s = s,
                     .crew = c,
                     .g = s->g,
                     .left = (uint32_t *)s->lost,
                     .queue = queue_of(s, mw_crew_core(self), c->parity),
                     .core = mw_crew_core(self),
                     .n = mw_crew_working(order),
                     .k = c->k};
    const bool alone = p.n == 1;
    if (mw_crew_what(order) == BEGIN)
        begin(&p);
    else if (mw_crew_what(order) == SHARE)
        take_share(&p);
    else if (alone)
        scan(&p, true);
    else
        scan(&p, false);
    p = alone ? drain_by(p, true) : drain_by(p, false);
    post->from[c->parity] = (uint32_t)p.first;
    post->to[c->parity] = (uint32_t)p.n_queue;
    post->n_entries += p.n_entries;
    post->n_peeled += p.n_peeled;
    post->is_full = p.is_full;
    mw_crew_post(&post->done, order);
}

/* ---- The lead ------------------------------------------------------------------------------- */

struct sum {
    uint64_t n_entries, n_peeled, n_listed, n_left;
    uint32_t least;
    bool is_full;
};

/* One phase: the lead works, too, then waits for the others. */
static struct sum run_phase(struct core *s, const struct mw_cpe *self, uint32_t what,
                            uint32_t n)
{
    struct core_crew *const c = s->crew;
    c->n_idle = 0;
    c->parity ^= 1;
    const uint64_t order = mw_crew_give(&c->meet, what, n, n);
    /* Not of_rank: who is waited for is of this rank, and may work for long. */
    struct mw_crew_waiter w = {.crew = &c->meet};
    struct sum sum = {.least = UINT32_MAX};
    take_part(s, self, order);
    for (uint32_t k = 0; k < n; k++)
        mw_crew_await(&c->post[k].done, order, &w);
    mw_crew_end_waiting(&w);
    c->n_made = n;
    s->counts->n_rounds++;
    for (uint32_t k = 0; k < c->meet.n_cores; k++) {
        const struct core_post *const post = &c->post[k];
        sum.n_entries += post->n_entries;
        sum.n_peeled += post->n_peeled;
        sum.n_listed += post->n_list;
        sum.least = post->least < sum.least ? post->least : sum.least;
        if (k >= n)
            continue;
        sum.n_left += post->to[c->parity] - post->from[c->parity];
        sum.is_full = sum.is_full || post->is_full;
    }
    return sum;
}

static void lead(struct core *s, const struct mw_cpe *self)
{
    struct core_crew *const c = s->crew;
    struct mw_crew *const meet = &c->meet;
    struct sum sum = run_phase(s, self, BEGIN, meet->n_cores);
    uint64_t n_before_k = 0,
             work = sum.n_listed; /* peeled; entries and labels of a phase */
    uint32_t n = meet->n_cores;
    double start = mw_now();
    bool is_full = false;
    for (c->k = 1; sum.n_peeled < s->g->n_labels;) {
        const struct sum before = sum;
        const bool shares = before.n_left > 0;
        const uint32_t n_before = n;
        n = mw_crew_choose(meet, work, work / ENTRIES_A_CORE);
        if (shares && n < n_before)
            n = n_before;
        sum = run_phase(s, self, shares ? SHARE : SCAN, n);
        const double now = mw_now();
        const uint64_t n_entries = sum.n_entries - before.n_entries;
        mw_crew_learn(meet, n_entries + (shares ? 0 : before.n_listed),
                      1e9 * (now - start), n, n_before);
        start = now;
        work = n_entries + sum.n_listed;
        is_full = sum.is_full || (shares && is_full);
        if (sum.n_peeled > n_before_k)
            s->counts->most = c->k;
        if (sum.n_left > 0 || is_full)
            continue;
        /* Where nobody was peeled nobody has lost a neighbour since lists were scanned. */
        const bool any = sum.n_peeled > n_before_k;
        c->k = any ? c->k + 1 : sum.least;
        n_before_k = sum.n_peeled;
    }
    mw_crew_give(meet, MW_CREW_GO_HOME, 1, 1);
}

void core_crew_kernel(struct mw_cpe *self, void *arg)
{
    struct core *const s = ((struct mw_job *)arg)->state;
    const uint32_t core = mw_crew_core(self);
    if (core == 0)
        lead(s, self);
    else
        mw_crew_follow(&s->crew->meet, &s->crew->post[core].done, take_part, s, self);
}

/* ---- The host's side ------------------------------------------------------------------------ */

bool core_crew_can(const struct mw_traversal *t)
{
    const struct mw_world *const world = t->world;
    return mw_host_reaches(world->backend) && !world->backend->mesh &&
           !world->conf.engine_mpe && mw_world_idle_lanes(world) <= MW_CREW_CORES &&
           t->graph->n_labels <= TAKEN; /* no row is longer */
}

void core_crew_begin(struct mw_traversal *t)
{
    const struct mw_world *const world = t->world;
    struct core *const s = t->state;
    struct core_crew *const c = s->crew;
    const uint64_t n = t->graph->n_labels;
    const uint64_t n_cores =
        mw_min(mw_world_idle_lanes(world), mw_max(n / LABELS_A_CORE, 1));
    memset(c->post, 0, sizeof c->post);
    c->order = 0;
    c->parity = c->k = c->n_made = 0;
    c->meet = (struct mw_crew){.comm = world->comm,
                               .order = &c->order,
                               .n_ranks = 1,
                               .edge_ns = 2, /* before the first is measured */
                               .meet_ns = 2000,
                               .n_cores = n_cores > ALONE_UP_TO ? (uint32_t)n_cores : 1,
                               .crowded = world->comm->crowded || world->oversubscribed};
    c->room = n / c->meet.n_cores;
    s->counts->n_rounds = s->counts->most = 0;
}
