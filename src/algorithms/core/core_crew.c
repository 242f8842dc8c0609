/* core_crew.c -- see core_crew.h.
 *
 * A label that is taken has a bit beside the neighbours that it has left, in lost[], of which the first half has 32 bits
 * for each label. The lists of a rank's cores are the second half, their queues listed.label[].
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/core/core_crew.h"

#include "shuffle/skeleton_none.h"

enum { BEGIN, SCAN, GO_ON }; /* phases */
enum {
    CHUNK = 16, /* labels: a line of lost[] is one core's */
    ALONE_UP_TO =
        3, /* cores: a neighbour in a box costs three times as much (measured) */
    SHARE = 1 << 14, /* items that a core puts before it takes */
    ROWS_AHEAD = 16, /* labels, whose rows are fetched before they are read */
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
    uint32_t core, k;               /* this core, among those of its rank */
    uint64_t first, n_queue, entry; /* the queue: [first .. n_queue); of the first row */
    uint64_t n_sent, n_peeled;
};

MW_FN uint32_t core_of(uint32_t label, uint32_t n_cores)
{
    return mw_consumer_of(label / CHUNK, n_cores);
}

static struct core_post *post_of(const struct core_crew *c, uint32_t rank, uint32_t core)
{
    return &c->host->post[rank * c->meet.n_cores + core];
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
    post->behind = 0;
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
    if (n > 0) /* they are in order */
        post->behind = p->list[n - 1] + 1;
}

/* A label of this core. Who was taken has as many neighbours as come yet. */
MW_FN void lose(struct part *p, uint32_t label)
{
    if (--p->left[label] == p->k)
        take(p, label);
}

/* What was put in the phase before. */
static void receive(struct part *p, uint64_t phase)
{
    const struct core_crew *const c = p->crew;
    const uint32_t n_all = c->boxes.n_to, me = c->meet.rank * c->meet.n_cores + p->core;
    for (uint32_t i = 0; i < n_all; i++)
        for (struct mw_box_reader r =
                 mw_box_first(&c->boxes, phase - 1, (me + i) % n_all, me);
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
MW_FN void tell(struct part *p, uint32_t column, uint32_t label, bool alone)
{
    const uint32_t n_cores = p->crew->meet.n_cores;
    if (alone)
        lose(p, label);
    else
        mw_box_put(&p->w,
                   mw_column_owner(column, p->g->label_bits) * n_cores +
                       core_of(label, n_cores),
                   &label, ITEM);
}

/* Rows are in order of labels, and nobody is left from some label on. Ends where boxes are full, and goes on there. The
 * part is a copy, which nobody else has, so that a compiler keeps it in registers. */
MW_FN struct part drain_by(struct part p, bool alone)
{
    const uint32_t *const column = p.g->column;
    const uint32_t bits = p.g->label_bits, behind = p.crew->host->behind;
    while (p.first < p.n_queue) {
        look_ahead(&p, alone);
        const uint32_t label = p.queue[p.first];
        const uint64_t end = p.g->row[label + 1];
        const uint64_t from = mw_max(p.g->row[label], p.entry);
        const uint64_t most = alone ? end : mw_min(end, from + mw_box_room(&p.w, ITEM));
        uint64_t to = from;
        for (uint32_t other;
             to < most && (other = mw_column_label(column[to], bits)) < behind; to++)
            tell(&p, column[to], other, alone);
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

static void go(const struct core *s, uint32_t core, uint32_t what, uint64_t phase)
{
    struct core_crew *const c = s->crew;
    const uint32_t rank = c->meet.rank, n_cores = c->meet.n_cores;
    struct core_post *const post = post_of(c, rank, core);
    struct part p = {.s = s,
                     .crew = c,
                     .g = s->g,
                     .left = (uint32_t *)s->lost,
                     .list = list_of(s, post),
                     .queue = s->listed.label + post->begin,
                     .core = core,
                     .k = c->host->k,
                     .first = post->first,
                     .n_queue = post->n_queue,
                     .entry = post->entry};
    const bool alone = c->boxes.n_to == 1;
    if (!alone)
        p.w = mw_boxes_begin(&c->boxes, phase, rank * n_cores + core, true);
    if (what == BEGIN)
        begin(&p, post);
    else if (what == SCAN)
        scan(&p, post);
    else
        receive(&p, phase);
    p = alone ? drain_by(p, true) : drain_by(p, false);
    if (!alone)
        mw_boxes_end(&p.w);
    post->first = (uint32_t)p.first;
    post->n_queue = (uint32_t)p.n_queue;
    post->entry = p.entry;
    post->n_sent = (uint32_t)p.n_sent;
    post->n_peeled += (uint32_t)p.n_peeled;
}

static void take_part(void *state, const struct mw_cpe *self, uint64_t order)
{
    const struct core *const s = state;
    const uint32_t core = mw_crew_core(self);
    go(s, core, mw_crew_what(order), mw_crew_phase(order));
    mw_crew_post(&post_of(s->crew, s->crew->meet.rank, core)->done, order);
}

/* ---- The lead ------------------------------------------------------------------------------- */

struct sum {
    uint64_t n_peeled, n_listed, n_sent;
    uint32_t least, behind;
};

static struct sum sum_up(const struct core_crew *c)
{
    struct sum sum = {.least = UINT32_MAX};
    for (uint32_t i = 0; i < c->meet.n_ranks * c->meet.n_cores; i++) {
        const struct core_post *const post = &c->host->post[i];
        sum.n_peeled += post->n_peeled;
        sum.n_listed += post->n_list;
        sum.n_sent += post->n_sent;
        sum.least = post->least < sum.least ? post->least : sum.least;
        sum.behind = post->behind > sum.behind ? post->behind : sum.behind;
    }
    return sum;
}

/* One phase: the lead works, too, then waits for the others. All work, however little there is: what one would do in
 * place of others it would have to fetch from them. */
static struct sum run_phase(struct core *s, const struct mw_cpe *self, uint32_t what)
{
    struct core_crew *const c = s->crew;
    const uint32_t n = c->meet.n_cores;
    const uint64_t order = mw_crew_give(&c->meet, what, n, n);
    /* Of one rank, who is waited for may work for long. */
    struct mw_crew_waiter w = {.crew = &c->meet, .of_rank = c->meet.n_ranks > 1};
    take_part(s, self, order);
    for (uint32_t r = 0; r < c->meet.n_ranks; r++)
        for (uint32_t k = 0; k < n; k++)
            mw_crew_await(&post_of(c, r, k)->done, order, &w);
    mw_crew_end_waiting(&w);
    c->host->n_rounds++;
    return sum_up(c);
}

static void lead(struct core *s, const struct mw_cpe *self)
{
    struct core_crew_host *const h = s->crew->host;
    h->k = h->n_rounds = h->most = 0;
    h->behind = UINT32_MAX;
    struct sum sum = run_phase(s, self, BEGIN);
    const uint64_t n_labels = sum.n_listed;
    uint64_t n_before_k = 0; /* peeled */
    for (h->k = 1; sum.n_peeled < n_labels;) {
        sum = run_phase(s, self, sum.n_sent > 0 ? GO_ON : SCAN);
        const bool any = sum.n_peeled > n_before_k;
        if (any)
            h->most = h->k;
        if (sum.n_sent > 0) /* who has full boxes has sent something */
            continue;
        /* Where nobody was peeled nobody has lost a neighbour since lists were scanned. */
        h->k = any ? h->k + 1 : sum.least;
        h->behind = sum.behind;
        n_before_k = sum.n_peeled;
    }
    mw_crew_give(&s->crew->meet, MW_CREW_GO_HOME, 1, 1);
}

void core_crew_kernel(struct mw_cpe *self, void *arg)
{
    struct core *const s = ((struct mw_job *)arg)->state;
    struct core_crew *const c = s->crew;
    const uint32_t core = mw_crew_core(self);
    if (core == 0 && c->meet.rank == 0)
        lead(s, self);
    else
        mw_crew_follow(&c->meet, &post_of(c, c->meet.rank, core)->done, take_part, s,
                       self);
}

/* ---- The host's side ------------------------------------------------------------------------ */

static const char HOST[] = "crew of core numbers, of a host",
                  BOXES[] = "boxes of core numbers";

static uint64_t boxes_of(uint64_t n_cores)
{
    return mw_boxes_for(n_cores, SHARE, ITEM);
}

/* Of one rank few cores have no boxes. */
static bool is_alone(uint64_t n_ranks, uint64_t n_cores)
{
    return n_ranks == 1 && n_cores <= ALONE_UP_TO;
}

/* Kernels of several ranks run at a time where their ranks are near each other. */
static bool there_is(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world)
{
    const uint32_t n_ranks = world->groups.n_ranks;
    return mw_host_reaches(world->backend) && !mw_on_device(world->backend) &&
           !world->apart && !world->backend->mesh && world->n_hosts == 1 &&
           (n_ranks == 1 || mw_ranks_are_near(world->backend)) && !shape->wide &&
           (uint64_t)n_ranks * world->n_lanes <= MW_BOX_CORES;
}

void core_crew_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint64_t n_ranks = world->groups.n_ranks, n_all = n_ranks * world->n_lanes;
    const bool is = there_is(shape, world);
    struct mw_size *row =
        mw_sizes_add(out, MW_SEARCHING, HOST, 1, sizeof(struct core_crew_host));
    row->of_host = true;
    row->copies = is;
    row = mw_sizes_add(out, MW_SEARCHING, BOXES,
                       mw_boxes_bytes(n_all, n_all, boxes_of(n_all)), 1);
    row->of_host = true;
    row->copies = is && !is_alone(n_ranks, world->n_lanes);
}

int core_crew_open(struct mw_traversal *t, const void *options)
{
    const struct mw_graph *const g = t->graph;
    const struct mw_algorithm_shape shape = {.label_bits = g->label_bits,
                                             .wide = g->wide};
    struct core_crew *const c = ((struct core *)t->state)->crew;
    struct mw_world_shape world;
    struct mw_sizes sizes = {0};
    bool there;
    (void)options;
    mw_world_shape_of(t->world, &world);
    core_crew_sizes(&shape, &world, &sizes);
    MW_NEED(mw_crew_agree(&c->meet, t->world,
                          there_is(&shape, &world) && g->n_connected <= TAKEN &&
                              !t->world->conf.engine_mpe,
                          &there));
    if (!there)
        return MW_OK;
    MW_NEED_SHARED(c->host, &c->meet, &sizes, HOST);
    MW_NEED_SHARED(c->boxes.memory, &c->meet, &sizes, BOXES);
    c->meet.order = &c->host->order;
    if (is_alone(c->meet.n_ranks, c->meet.n_cores) ||
        (c->meet.n_ranks == 1 && c->meet.crowded))
        c->meet.n_cores = 1;
    c->boxes.n_from = c->boxes.n_to = c->meet.n_ranks * c->meet.n_cores;
    c->boxes.n_boxes = (uint32_t)boxes_of((uint64_t)c->meet.n_ranks * c->meet.n_lanes);
    return MW_OK;
}

void core_crew_close(struct mw_traversal *t)
{
    struct core *const s = t->state;
    if (s == NULL || s->crew == NULL)
        return;
    mw_comm_host_free(t->world->comm, s->crew->boxes.memory);
    mw_comm_host_free(t->world->comm, s->crew->host);
}

/* Where labels of each core begin. */
static void deal(struct core_crew *c, uint64_t n_labels)
{
    const uint32_t n_cores = c->meet.n_cores;
    struct core_post *const post = post_of(c, c->meet.rank, 0);
    uint32_t begin = 0;
    for (uint32_t k = 0; k < n_cores; k++) /* but for what it has done */
        post[k] = (struct core_post){.done = post[k].done};
    for (uint64_t l = 0, end; l < n_labels; l = end) {
        end = mw_min(l + CHUNK, n_labels);
        post[core_of((uint32_t)l, n_cores)].n_list += (uint32_t)(end - l);
    }
    for (uint32_t k = 0; k < n_cores; k++) {
        post[k].begin = begin;
        begin += post[k].n_list;
    }
}

int core_crew_begin(struct mw_traversal *t)
{
    struct core_crew *const c = ((struct core *)t->state)->crew;
    deal(c, t->graph->n_labels);
    return c->meet.n_ranks > 1 ? mw_comm_host_barrier(c->meet.comm) : MW_OK;
}
