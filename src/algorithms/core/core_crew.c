/* core_crew.c -- see core_crew.h.
 *
 * A label that is taken has a bit beside the neighbours that it has left, in lost[], of which the first half has 32 bits
 * for each label. The lists of all cores are the second half, their queues listed.label[], and boxes listed.end[].
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/core/core_crew.h"

#include "shuffle/skeleton_none.h"

#include "base/clock.h"

enum { BEGIN, SCAN, GO_ON }; /* phases */
enum {
    ENTRIES_A_CORE = 512, /* fewer are not worth another core */
    CHUNK = 16,           /* labels: a line of lost[] is one core's */
    ALONE_UP_TO =
        3, /* cores: so much less a neighbour costs than one in a box (measured) */
    BOXES_A_CORE = 8, /* besides those that it fills first */
    ROWS_AHEAD = 16,  /* labels, whose rows are fetched before they are read */
    ENTRIES_AHEAD = 8,
    ENDS_AHEAD = 4,
    SHORT_ROW = 4,
    ITEMS_AHEAD = 16
};
#define TAKEN (UINT32_C(1) << 31)
enum { ITEM = sizeof(uint32_t) }; /* a label that has lost a neighbour */

/* ---- A core's part -------------------------------------------------------------------------- */

/* Of one core's labels, in one phase. */
struct part {
    const struct core *s;
    struct core_crew *crew;
    const struct mw_graph *g;
    uint32_t *left; /* neighbours, by label */
    uint32_t *list, *queue;
    struct mw_box_writer w;
    uint32_t core, k;
    uint64_t first, n_queue, entry; /* the queue: [first .. n_queue); of the first row */
    uint64_t n_entries, n_sent, n_peeled;
};

MW_FN uint32_t core_of(uint32_t label, uint32_t n_cores)
{
    return mw_consumer_of(label / CHUNK, n_cores);
}

static uint32_t *list_of(const struct core *s, const struct core_post *post)
{
    return (uint32_t *)s->lost + s->g->n_labels + post->begin;
}

MW_FN void take(struct part *p, uint32_t label)
{
    p->left[label] |= TAKEN;
    ((uint32_t *)p->s->number)[p->g->place_of[label]] = p->k;
    p->queue[p->n_queue++] = label;
}

/* Who is low is taken, who was taken is dropped. */
static void scan(struct part *p, struct core_post *post)
{
    uint32_t n = 0, least = UINT32_MAX;
    for (uint32_t i = 0; i < post->n_list; i++) {
        const uint32_t label = p->list[i], left = p->left[label];
        if (left & TAKEN)
            continue;
        if (left <= p->k) {
            take(p, label);
            continue;
        }
        p->list[n++] = label;
        least = left < least ? left : least;
    }
    post->n_list = n;
    post->least = least;
}

/* A label of this core. Who was taken has as many neighbours as come yet. */
MW_FN void lose(struct part *p, uint32_t label)
{
    if (--p->left[label] == p->k)
        take(p, label);
}

static void receive(struct part *p)
{
    const struct core_crew *const c = p->crew;
    const uint32_t n_cores = c->meet.n_cores;
    for (uint32_t i = 0; i < n_cores; i++)
        for (struct mw_box_reader r =
                 mw_box_first(&c->boxes, c->parity, (p->core + i) % n_cores, p->core);
             r.item != NULL; mw_box_next(&r)) {
            const uint32_t *const label = r.item;
            const uint32_t n = r.n_bytes / ITEM;
            for (uint32_t k = 0; k < n; k++) {
                if (k + ITEMS_AHEAD < n)
                    __builtin_prefetch(&p->left[label[k + ITEMS_AHEAD]]);
                lose(p, label[k]);
            }
        }
}

MW_FN void look_ahead(const struct part *p, bool alone)
{
    const uint64_t *const row = p->g->row;
    const uint32_t *const column = p->g->column;
    if (p->first + ROWS_AHEAD < p->n_queue)
        __builtin_prefetch(&row[p->queue[p->first + ROWS_AHEAD]]);
    if (p->first + ENTRIES_AHEAD < p->n_queue)
        __builtin_prefetch(&column[row[p->queue[p->first + ENTRIES_AHEAD]]]);
    if (alone && p->first + ENDS_AHEAD < p->n_queue) {
        const uint64_t *const its = &row[p->queue[p->first + ENDS_AHEAD]];
        const uint64_t end = mw_min(its[1], its[0] + SHORT_ROW);
        for (uint64_t e = its[0]; e < end; e++)
            __builtin_prefetch(&p->left[mw_column_label(column[e], p->g->label_bits)]);
    }
}

/* A neighbour of one who was taken loses one. Whose it is nobody can guess, so those of this core go by boxes, too. */
MW_FN void tell(struct part *p, uint32_t label, bool alone)
{
    if (alone)
        lose(p, label);
    else
        mw_box_put(&p->w, core_of(label, p->w.n_cores), &label, ITEM);
}

/* Rows are in order of labels, and nobody is left from some label on. Ends where boxes are full, and goes on there. The part is a copy, which nobody else has, so that a compiler keeps it in
 * registers. */
MW_FN struct part drain_by(struct part p, bool alone)
{
    const uint32_t *const column = p.g->column;
    const uint32_t bits = p.g->label_bits, n_left = p.crew->n_left;
    while (p.first < p.n_queue) {
        look_ahead(&p, alone);
        const uint32_t label = p.queue[p.first];
        const uint64_t end = p.g->row[label + 1];
        const uint64_t from = mw_max(p.g->row[label], p.entry);
        const uint64_t most = alone ? end : mw_min(end, from + mw_box_room(&p.w, ITEM));
        uint64_t to = from;
        for (uint32_t other;
             to < most && (other = mw_column_label(column[to], bits)) < n_left; to++)
            tell(&p, other, alone);
        p.n_entries += to - from;
        p.n_sent += alone ? 0 : to - from;
        p.entry = to;
        if (to == most && most < end)
            break;
        p.n_peeled++;
        p.first++;
        p.entry = 0;
    }
    return p;
}

static void begin(const struct part *p, struct core_post *post)
{
    const uint64_t n_labels = p->g->n_labels;
    const uint32_t n_cores = p->crew->meet.n_cores;
    uint32_t n = 0;
    for (uint64_t l = 0, end; l < n_labels; l = end) {
        end = mw_min(l + CHUNK, n_labels);
        if (core_of((uint32_t)l, n_cores) != p->core)
            continue;
        for (; l < end; l++) {
            p->left[l] = (uint32_t)(p->g->row[l + 1] - p->g->row[l]);
            p->list[n++] = (uint32_t)l;
        }
    }
    post->n_list = n;
}

static void go(const struct core *s, uint32_t core, uint32_t what)
{
    struct core_crew *const c = s->crew;
    struct core_post *const post = &c->post[core];
    struct part p = {.s = s,
                     .crew = c,
                     .g = s->g,
                     .left = (uint32_t *)s->lost,
                     .list = list_of(s, post),
                     .queue = s->listed.label + post->begin,
                     .core = core,
                     .k = c->k,
                     .first = post->first,
                     .n_queue = post->n_queue,
                     .entry = post->entry};
    const bool alone = c->meet.n_cores == 1;
    if (!alone)
        p.w = mw_boxes_begin(&c->boxes, c->parity ^ 1, core);
    if (what == BEGIN)
        begin(&p, post);
    else if (what == SCAN)
        scan(&p, post);
    else
        receive(&p);
    p = alone ? drain_by(p, true) : drain_by(p, false);
    post->first = (uint32_t)p.first;
    post->n_queue = (uint32_t)p.n_queue;
    post->entry = p.entry;
    post->n_sent = (uint32_t)p.n_sent;
    post->n_entries += p.n_entries;
    post->n_peeled += (uint32_t)p.n_peeled;
}

/* Its own labels, and those of cores that take no part. */
static void take_part(void *state, const struct mw_cpe *self, uint64_t order)
{
    const struct core *const s = state;
    const uint32_t core = mw_crew_core(self);
    for (uint32_t c = core; c < s->crew->meet.n_cores; c += mw_crew_working(order))
        go(s, c, mw_crew_what(order));
    mw_crew_post(&s->crew->post[core].done, order);
}

/* ---- The lead ------------------------------------------------------------------------------- */

struct sum {
    uint64_t n_entries, n_peeled, n_listed, n_sent, n_left;
    uint32_t least;
};

/* One phase: the lead works, too, then waits for the others. */
static struct sum run_phase(struct core *s, const struct mw_cpe *self, uint32_t what,
                            uint32_t n)
{
    struct core_crew *const c = s->crew;
    const uint64_t order = mw_crew_give(&c->meet, what, n, n);
    /* Not of_rank: who is waited for is of this rank, and may work for long. */
    struct mw_crew_waiter w = {.crew = &c->meet};
    struct sum sum = {.least = UINT32_MAX};
    take_part(s, self, order);
    for (uint32_t k = 0; k < n; k++)
        mw_crew_await(&c->post[k].done, order, &w);
    mw_crew_end_waiting(&w);
    c->parity ^= 1;
    s->counts->n_rounds++;
    for (uint32_t k = 0; k < c->meet.n_cores; k++) {
        const struct core_post *const post = &c->post[k];
        sum.n_entries += post->n_entries;
        sum.n_peeled += post->n_peeled;
        sum.n_listed += post->n_list;
        sum.n_sent += post->n_sent;
        sum.n_left += post->n_queue - post->first;
        sum.least = post->least < sum.least ? post->least : sum.least;
    }
    return sum;
}

/* No label from n_left on is left. They stand by falling degree, so those come first that have few neighbours. */
static void trim(const struct core *s)
{
    const uint32_t *const left = (const uint32_t *)s->lost;
    struct core_crew *const c = s->crew;
    while (c->n_left > 0 && left[c->n_left - 1] & TAKEN)
        c->n_left--;
}

static uint32_t choose_cores(const struct mw_crew *meet, uint64_t work)
{
    const uint32_t n = mw_crew_choose(meet, work, work / ENTRIES_A_CORE);
    return 2 * n > meet->n_cores ? meet->n_cores : n;
}

static void lead(struct core *s, const struct mw_cpe *self)
{
    struct core_crew *const c = s->crew;
    struct mw_crew *const meet = &c->meet;
    struct sum sum = run_phase(s, self, BEGIN, meet->n_cores);
    uint64_t n_before_k = 0, work = sum.n_listed; /* peeled; entries and labels */
    uint32_t n = meet->n_cores;
    double start = mw_now();
    for (c->k = 1; sum.n_peeled < s->g->n_labels;) {
        const struct sum before = sum;
        const bool goes_on = before.n_sent + before.n_left > 0;
        const uint32_t n_before = n;
        n = choose_cores(meet, work);
        sum = run_phase(s, self, goes_on ? GO_ON : SCAN, n);
        const double now = mw_now();
        const uint64_t n_entries = sum.n_entries - before.n_entries;
        mw_crew_learn(meet, n_entries + (goes_on ? before.n_sent : before.n_listed),
                      1e9 * (now - start), n, n_before);
        start = now;
        work = n_entries + sum.n_sent;
        const bool any = sum.n_peeled > n_before_k;
        if (any)
            s->counts->most = c->k;
        if (sum.n_sent + sum.n_left > 0)
            continue;
        /* Where nobody was peeled nobody has lost a neighbour since lists were scanned. */
        c->k = any ? c->k + 1 : sum.least;
        n_before_k = sum.n_peeled;
        work = sum.n_listed;
        trim(s);
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

/* The whole lines of listed.end[]. */
static uint64_t boxes_of(uint64_t n_labels, uint64_t n_cores)
{
    const uint64_t bytes = n_labels * sizeof(uint64_t);
    return mw_boxes_within(n_cores, bytes - mw_min(bytes, MW_CACHE_LINE));
}

/* Where labels of each core begin. */
static void deal(struct core_crew *c, uint64_t n_labels)
{
    uint32_t begin = 0;
    for (uint64_t l = 0, end; l < n_labels; l = end) {
        end = mw_min(l + CHUNK, n_labels);
        c->post[core_of((uint32_t)l, c->meet.n_cores)].n_list += (uint32_t)(end - l);
    }
    for (uint32_t k = 0; k < c->meet.n_cores; k++) {
        c->post[k].begin = begin;
        begin += c->post[k].n_list;
    }
}

void core_crew_begin(struct mw_traversal *t)
{
    const struct mw_world *const world = t->world;
    struct core *const s = t->state;
    struct core_crew *const c = s->crew;
    const uint64_t n = t->graph->n_labels;
    uint64_t n_cores = mw_world_idle_lanes(world);
    while (n_cores > ALONE_UP_TO && boxes_of(n, n_cores) < n_cores + BOXES_A_CORE)
        n_cores--;
    memset(c->post, 0, sizeof c->post);
    c->order = 0;
    c->parity = c->k = 0;
    c->n_left = (uint32_t)n;
    c->meet = (struct mw_crew){.comm = world->comm,
                               .order = &c->order,
                               .n_ranks = 1,
                               .edge_ns = 2, /* before the first is measured */
                               .meet_ns = 2000,
                               .n_cores = n_cores > ALONE_UP_TO ? (uint32_t)n_cores : 1,
                               .crowded = world->comm->crowded || world->oversubscribed};
    c->boxes = (struct mw_boxes){
        .memory =
            (char *)s->listed.end +
            (MW_CACHE_LINE - (uintptr_t)s->listed.end % MW_CACHE_LINE) % MW_CACHE_LINE,
        .n_cores = c->meet.n_cores,
        .n_boxes = (uint32_t)mw_min(boxes_of(n, c->meet.n_cores), UINT32_MAX)};
    deal(c, n);
    s->counts->n_rounds = s->counts->most = 0;
}
