/* replay_ways.c -- see trace.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/watch.h"

#include "base/mem.h"
#include "layouts/ways/stages.h"

#include <string.h>

/* A hand, a send buffer or a FIFO. */
struct queue {
    uint32_t n, depth;
    uint32_t *stage; /* owned; [depth], the head first */
};

struct mesh {
    const struct mw_layout *l;
    const struct mw_trace *t;
    struct mw_stages s;
    bool coupled;
    uint32_t per_node, n_queues; /* coupled: hand, send buffer, two FIFOs a channel */
    struct queue *queue;
    bool *stuck;
    uint64_t in_flight;
    char why[200];
};

enum { HAND, SEND, FIFO };

static struct queue *queue_at(const struct mesh *m, uint32_t node, uint32_t kind)
{
    return &m->queue[node * m->per_node + (m->coupled ? kind : 0)];
}

static void mesh_fini(struct mesh *m)
{
    for (uint32_t i = 0; m->queue != NULL && i < m->n_queues; i++)
        mw_free(m->queue[i].stage);
    MW_FREE_ALL(m->queue, m->stuck);
    mw_stages_fini(&m->s);
}

static uint32_t depth_of(const struct mesh *m, uint32_t i)
{
    const uint32_t kind = i % m->per_node;
    if (m->coupled)
        return kind == HAND   ? 1
               : kind == SEND ? m->t->send
                              : m->t->fifo[(kind - FIFO) % MW_N_CLASSES];
    return m->t->fifo[mw_fifo_class_of(m->l, m->t->model, i)];
}

static int mesh_init(struct mesh *m, const struct mw_layout *l, const struct mw_trace *t)
{
    *m = (struct mesh){.l = l, .t = t, .coupled = t->model == MW_COUPLED, .per_node = 1};
    if (m->coupled)
        m->per_node = FIFO + MW_N_CLASSES * l->n_channels;
    MW_NEED(mw_stages_make(l, NULL, 0, &m->s));
    m->n_queues = m->per_node * mw_mesh_nodes(l, t->model);
    MW_NEED_NEW(m->queue, "replayed FIFOs", m->n_queues);
    MW_NEED_NEW(m->stuck, "replayed FIFOs", m->n_queues);
    for (uint32_t i = 0; i < m->n_queues; i++) {
        m->queue[i].depth = depth_of(m, i);
        MW_NEED_NEW(m->queue[i].stage, "replayed FIFO", m->queue[i].depth);
    }
    return MW_OK;
}

static bool full(const struct queue *q)
{
    return q->n >= q->depth;
}

static void push(struct queue *q, uint32_t stage)
{
    q->stage[q->n++] = stage;
}

static uint32_t pop(struct queue *q)
{
    const uint32_t stage = q->stage[0];
    memmove(q->stage, q->stage + 1, --q->n * sizeof *q->stage);
    return stage;
}

/* The FIFO that a copy of the stage enters. */
static struct queue *fifo_of(const struct mesh *m, uint32_t stage,
                             const struct mw_target *t)
{
    const mw_core from = m->s.stage[stage].core, to = m->s.stage[t->stage].core;
    if (m->coupled)
        return queue_at(m, to,
                        (uint32_t)FIFO + MW_N_CLASSES * (uint32_t)t->channel +
                            (uint32_t)mw_hop_class(m->l, from, to));
    return queue_at(m, mw_target_node(m->l, &m->s, m->t->model, stage, t), 0);
}

/* ---- steps ------------------------------------------------------------------------------ */

#define REFUSE(m, ...)                                                                   \
    do {                                                                                 \
        snprintf((m)->why, sizeof(m)->why, __VA_ARGS__);                                 \
        return false;                                                                    \
    } while (0)

/* Copies of the stage into all FIFOs of one of its ways. */
static bool go(struct mesh *m, uint32_t stage, uint32_t nth)
{
    char name[2][MW_NODE_NAME];
    const struct mw_stage *at = &m->s.stage[stage];
    size_t used;
    mw_core_name(m->l, at->core, name[0]);
    if (nth >= at->n_ways)
        REFUSE(m, "the message at %s has %u ways, there is no way %u", name[0],
               at->n_ways, nth);
    const uint32_t first = m->s.first_target[at->first_way + nth];
    const uint32_t end = m->s.first_target[at->first_way + nth + 1];
    for (uint32_t t = first; t < end; t++)
        if (full(fifo_of(m, stage, &m->s.target[t])))
            REFUSE(m, "the FIFO at %s is full",
                   mw_core_name(m->l, m->s.stage[m->s.target[t].stage].core, name[1]));
    used = (size_t)snprintf(m->why, sizeof m->why, "%s puts a message into", name[0]);
    for (uint32_t t = first; t < end; t++) {
        push(fifo_of(m, stage, &m->s.target[t]), m->s.target[t].stage);
        mw_core_name(m->l, m->s.stage[m->s.target[t].stage].core, name[1]);
        if (used < sizeof m->why)
            used += (size_t)snprintf(m->why + used, sizeof m->why - used, " %s", name[1]);
    }
    m->in_flight += end - first;
    return true;
}

static bool inject(struct mesh *m, const struct mw_step *s)
{
    uint32_t i = 0;
    while (i < m->s.n_starts && m->s.source[i] != s->flow)
        i++;
    if (i == m->s.n_starts)
        REFUSE(m, "there is no source %llu", (unsigned long long)s->flow);
    if (!m->coupled)
        return go(m, m->s.start[i], s->way);
    struct queue *hand = queue_at(m, s->node, HAND);
    if (m->s.stage[m->s.start[i]].core != s->node || full(hand))
        REFUSE(m, "the hand is full, or at another core");
    push(hand, m->s.start[i]);
    m->in_flight++;
    snprintf(m->why, sizeof m->why, "a new message of source %llu",
             (unsigned long long)s->flow);
    return true;
}

/* The head of a queue takes a way, or is consumed. */
static bool leave(struct mesh *m, struct queue *from, const struct mw_step *s)
{
    if (from->n == 0)
        REFUSE(m, "it is empty");
    const bool ends = m->s.stage[from->stage[0]].n_ways == 0;
    if (!m->coupled && ends != (s->kind == MW_STEP_CONSUME))
        REFUSE(m, "its head is %sat its last core", ends ? "" : "not ");
    if (!ends && !go(m, from->stage[0], s->way))
        return false;
    pop(from);
    m->in_flight--;
    if (ends)
        snprintf(m->why, sizeof m->why, "a message is consumed");
    return true;
}

static bool shift(struct mesh *m, struct queue *from, struct queue *to, const char *what)
{
    if (from->n == 0 || full(to))
        REFUSE(m, "nothing to move, or no room for it");
    push(to, pop(from));
    snprintf(m->why, sizeof m->why, "a message goes into the %s", what);
    return true;
}

static bool one_step(struct mesh *m, const struct mw_step *s)
{
    if (s->kind > MW_STEP_CONSUME || s->node >= mw_mesh_nodes(m->l, m->t->model) ||
        s->from >= MW_N_CLASSES * m->l->n_channels ||
        (s->kind != MW_STEP_INJECT && m->coupled != (s->kind < MW_STEP_MOVE)))
        REFUSE(m, "this mesh has no such step");
    struct queue *hand = queue_at(m, s->node, HAND), *send = queue_at(m, s->node, SEND);
    struct queue *fifo = queue_at(m, s->node, FIFO + s->from);
    switch (s->kind) {
    case MW_STEP_INJECT:
        return inject(m, s);
    case MW_STEP_PUT:
        if (m->t->send > 0)
            return shift(m, hand, send, "send buffer");
        return leave(m, hand, s);
    case MW_STEP_SEND:
        return leave(m, send, s);
    case MW_STEP_GET:
        if (fifo->n > 0 && !full(hand) && m->s.stage[fifo->stage[0]].n_ways == 0)
            return leave(m, fifo, s);
        return shift(m, fifo, hand, "hand");
    default:
        return leave(m, fifo, s);
    }
}

/* ---- the knot ---------------------------------------------------------------------------- */

/* Whether the head of queue i waits for stuck ones whatever it does. */
static bool waits(const struct mesh *m, uint32_t i)
{
    const uint32_t node = i / m->per_node, kind = i % m->per_node;
    const uint32_t stage = m->queue[i].stage[0];
    const struct mw_stage *at = &m->s.stage[stage];
    if (m->coupled && kind >= FIFO)
        return m->stuck[node * m->per_node + HAND];
    if (m->coupled && kind == HAND && m->t->send > 0)
        return m->stuck[node * m->per_node + SEND];
    for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++) {
        bool out = true;
        for (uint32_t t = m->s.first_target[w]; t < m->s.first_target[w + 1]; t++)
            out &= !m->stuck[fifo_of(m, stage, &m->s.target[t]) - m->queue];
        if (out)
            return false;
    }
    return at->n_ways > 0;
}

/* The greatest set of full queues that only wait for each other: m->stuck. */
static void mark_stuck(struct mesh *m)
{
    for (uint32_t i = 0; i < m->n_queues; i++)
        m->stuck[i] = m->queue[i].n > 0 && full(&m->queue[i]);
    for (bool changed = true; changed;) {
        changed = false;
        for (uint32_t i = 0; i < m->n_queues; i++)
            if (m->stuck[i] && !waits(m, i)) {
                m->stuck[i] = false;
                changed = true;
            }
    }
}

/* Whether the node is in the knot: of a core, its hand. */
static bool is_stuck(const struct mesh *m, mw_mesh_node n)
{
    return m->stuck[n * m->per_node + HAND];
}

static uint32_t find_knot(struct mesh *m, mw_mesh_node *knot)
{
    uint32_t n = 0;
    mark_stuck(m);
    for (uint32_t i = 0; i < mw_mesh_nodes(m->l, m->t->model); i++)
        if (is_stuck(m, i))
            knot[n++] = i;
    return n;
}

static int play(struct mesh *m, mw_replay_observer *observer, void *arg)
{
    for (uint64_t i = 0; i < m->t->n_steps; i++) {
        if (!one_step(m, &m->t->step[i]))
            return mw_fail(MW_ERR_INVALID, "step %llu: %s", (unsigned long long)i + 1,
                           m->why);
        if (observer != NULL)
            observer(arg, i + 1, m->why);
    }
    return MW_OK;
}

int mw_trace_replay_ways(const struct mw_layout *l, const struct mw_trace *t,
                         mw_replay_observer *observer, void *arg, mw_mesh_node *knot,
                         uint32_t *n_knot, uint64_t *in_flight)
{
    int rc;
    struct mesh m = {.queue = NULL};
    MW_TRY(rc, mesh_init(&m, l, t));
    MW_TRY(rc, play(&m, observer, arg));
    *n_knot = find_knot(&m, knot);
    *in_flight = m.in_flight;
    rc = *n_knot > 0 ? MW_OK : MW_DONE;
end:
    mesh_fini(&m);
    return rc;
}

/* ---- told as a simulation ------------------------------------------------------------------- */

/* The full FIFO that closes this way to the stage, a stuck one if there is any; NULL: none. */
static const struct queue *closed_by(const struct mesh *m, uint32_t stage, uint32_t way)
{
    const struct queue *by = NULL;
    for (uint32_t t = m->s.first_target[way]; t < m->s.first_target[way + 1]; t++) {
        const struct queue *to = fifo_of(m, stage, &m->s.target[t]);
        if (m->stuck[to - m->queue])
            return to;
        by = by == NULL && full(to) ? to : by;
    }
    return by;
}

/* One node that `n` waits for: of what closes its first way. */
static mw_mesh_node waits_for(const struct mesh *m, mw_mesh_node n)
{
    const struct queue *hand = queue_at(m, n, HAND), *by = NULL;
    const struct queue *front =
        m->coupled && m->t->send > 0 ? queue_at(m, n, SEND) : hand;
    if (front->n == 0 || (m->coupled && (!full(hand) || !full(front))))
        return MW_NO_NODE;
    const struct mw_stage *at = &m->s.stage[front->stage[0]];
    for (uint32_t w = at->n_ways; w-- > 0;)
        if ((by = closed_by(m, front->stage[0], at->first_way + w)) == NULL)
            return MW_NO_NODE;
    return by == NULL ? MW_NO_NODE : (mw_mesh_node)(by - m->queue) / m->per_node;
}

static void look(void *mesh, mw_mesh_node n, struct mw_node_look *out)
{
    const struct mesh *m = mesh;
    out->holds = queue_at(m, n, HAND)->n > 0;
    for (uint32_t kind = m->coupled ? FIFO : HAND; kind < m->per_node; kind++) {
        uint32_t *fill = &out->fill[m->coupled ? (kind - FIFO) % MW_N_CLASSES
                                               : mw_fifo_class_of(m->l, m->t->model, n)];
        *fill = (uint32_t)mw_max(*fill, queue_at(m, n, kind)->n);
    }
    out->send = m->coupled ? queue_at(m, n, SEND)->n : 0;
    out->waits_for = waits_for(m, n);
}

struct watched {
    struct mesh *mesh;
    struct mw_watcher watcher;
};

static void watch_step(void *arg, uint64_t step, const char *what)
{
    struct watched *w = arg;
    mark_stuck(w->mesh);
    mw_watcher_step(&w->watcher, step, what);
}

/* Each of a knot needs another one of it: whoever follows that comes to a cycle. */
static uint32_t cycle_in(const struct mesh *m, mw_mesh_node *cycle)
{
    const uint32_t n_nodes = mw_mesh_nodes(m->l, m->t->model);
    mw_mesh_node n = 0;
    uint32_t length = 0;
    while (n < n_nodes && !is_stuck(m, n))
        n++;
    if (n == n_nodes)
        return 0;
    for (uint32_t i = 0; i < n_nodes; i++)
        n = waits_for(m, n); /* on the cycle by now */
    do {
        cycle[length++] = n;
        n = waits_for(m, n);
    } while (n != cycle[0]);
    return length;
}

int mw_trace_watch_ways(const struct mw_layout *l, const struct mw_trace *t,
                        const struct mw_watch *watch, mw_mesh_node *cycle,
                        uint32_t *n_cycle)
{
    int rc;
    struct mesh m = {.queue = NULL};
    struct watched w = {.mesh = &m};
    MW_TRY(rc, mw_watcher_init(&w.watcher, watch, l, t->model, look, &m));
    MW_TRY(rc, mesh_init(&m, l, t));
    MW_TRY(rc, play(&m, watch_step, &w));
    *n_cycle = cycle_in(&m, cycle);
end:
    mw_watcher_fini(&w.watcher);
    mesh_fini(&m);
    return rc;
}
