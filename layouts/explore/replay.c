/* replay.c -- plays a trace on arrays of messages, one step after the other.
 *
 * It exists so that no trace has to be believed: it reads the flows themselves, and shares
 * neither code nor tables with the search that found the trace. A message is a flow and how
 * far along it is; hands, send buffers and FIFOs are queues of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "layouts/explore/watch.h"

#include <string.h>

struct message {
    uint64_t flow;
    uint32_t at; /* the number of the core it is at, along its flow */
};

struct queue {
    uint32_t n, depth;
    struct message *item; /* owned; [depth], from the first message on */
};

struct mesh {
    const struct mw_layout *l;
    enum mw_mesh_model model;
    uint32_t send;
    uint32_t n_nodes;
    struct queue *hand, *buffer; /* coupled: [n_nodes] */
    uint32_t n_ports;            /* of a node. Coupled: two a channel; else 1 */
    struct queue *fifo;          /* [n_nodes * n_ports] */
    mw_core *flow;               /* scratch: [longest] */
    mw_channel *channel;         /* the same, of its hops */
    uint64_t in_flight;
    char why[200]; /* the last step is not legal; or what it did */
};

/* ---- queues ---------------------------------------------------------------------------- */

static bool full(const struct queue *q)
{
    return q->n == q->depth;
}

static int push(struct queue *q, struct message m)
{
    if (q->item == NULL)
        MW_NEED_NEW(q->item, "replayed FIFO", q->depth);
    q->item[q->n++] = m;
    return MW_OK;
}

static struct message pop(struct queue *q)
{
    const struct message m = q->item[0];
    memmove(q->item, q->item + 1, --q->n * sizeof *q->item);
    return m;
}

/* ---- the mesh --------------------------------------------------------------------------- */

static void mesh_fini(struct mesh *m)
{
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        if (m->hand != NULL)
            mw_free(m->hand[v].item);
        if (m->buffer != NULL)
            mw_free(m->buffer[v].item);
    }
    for (uint32_t f = 0; m->fifo != NULL && f < m->n_nodes * m->n_ports; f++)
        mw_free(m->fifo[f].item);
    MW_FREE_ALL(m->hand, m->buffer, m->fifo, m->flow, m->channel);
}

static int mesh_init(struct mesh *m, const struct mw_layout *l, const struct mw_trace *t)
{
    int rc = MW_OK;
    *m = (struct mesh){.l = l, .model = t->model, .send = t->send};
    m->n_nodes = mw_mesh_nodes(l, t->model);
    MW_NEW(rc, m->flow, "a flow", l->longest);
    MW_NEW(rc, m->channel, "a flow", l->longest);
    m->n_ports = m->model == MW_COUPLED ? MW_N_CLASSES * l->n_channels : 1;
    if (m->model != MW_COUPLED) {
        MW_NEW(rc, m->fifo, "replayed FIFOs", m->n_nodes);
        for (uint32_t n = 0; n < m->n_nodes; n++)
            m->fifo[n].depth = t->fifo[mw_fifo_class_of(l, m->model, n)];
        return MW_OK;
    }
    MW_NEW(rc, m->hand, "replayed hands", m->n_nodes);
    MW_NEW(rc, m->buffer, "replayed send buffers", m->n_nodes);
    MW_NEW(rc, m->fifo, "replayed FIFOs", m->n_ports * m->n_nodes);
    for (uint32_t v = 0; v < m->n_nodes; v++) {
        m->hand[v].depth = 1;
        m->buffer[v].depth = t->send;
        for (uint32_t port = 0; port < m->n_ports; port++)
            m->fifo[m->n_ports * v + port].depth = t->fifo[port % MW_N_CLASSES];
    }
    return MW_OK;
end:
    mesh_fini(m);
    return rc;
}

/* Where a message stands and where it goes next. */
struct position {
    mw_core core, next;
    bool last; /* it is at its last core: there is no next */
    enum mw_fifo_class class;
    mw_channel channel;
};

static struct position position_of(struct mesh *m, struct message x)
{
    const uint32_t n = mw_layout_flow_in(m->l, x.flow, m->flow, m->channel);
    struct position p = {.core = m->flow[x.at], .last = x.at + 1 == n};
    if (!p.last) {
        p.next = m->flow[x.at + 1];
        p.channel = m->channel[x.at];
        p.class = mw_hop_class(m->l, p.core, p.next);
    }
    return p;
}

static mw_mesh_node node_of(const struct mesh *m, const struct position *p)
{
    return mw_channel_node(m->l, m->model, p->core, p->next, p->channel);
}

/* The FIFO that a hop ends in. */
static struct queue *fifo_of(struct mesh *m, const struct position *p)
{
    if (m->model == MW_COUPLED)
        return &m->fifo[m->n_ports * p->next + MW_N_CLASSES * p->channel + p->class];
    return &m->fifo[node_of(m, p)];
}

/* ---- what a step says -------------------------------------------------------------------- */

static char class_letter(enum mw_fifo_class c)
{
    return c == MW_ROW ? 'R' : 'C';
}

/* A refusal is a step that has said why and returns MW_ERR_INVALID. */
#define REFUSE(m, ...)                                                                   \
    do {                                                                                 \
        snprintf((m)->why, sizeof(m)->why, __VA_ARGS__);                                 \
        return MW_ERR_INVALID;                                                           \
    } while (0)
#define SAY(m, ...) snprintf((m)->why, sizeof(m)->why, __VA_ARGS__)

struct names {
    char of[MW_NODE_NAME], to[MW_NODE_NAME];
};

/* ---- coupled steps ------------------------------------------------------------------------ */

static int inject_coupled(struct mesh *m, const struct mw_step *s)
{
    struct names name;
    const struct message x = {s->flow, 0};
    const struct position p = position_of(m, x);
    mw_core_name(m->l, (mw_core)s->node, name.of);
    if (p.core != s->node)
        REFUSE(m, "flow %llu starts at %s, not at %s", (unsigned long long)s->flow,
               mw_core_name(m->l, p.core, name.to), name.of);
    if (full(&m->hand[s->node]))
        REFUSE(m, "the hand of %s is full", name.of);
    m->in_flight++;
    SAY(m, "%s takes a new message of flow %llu", name.of, (unsigned long long)s->flow);
    return push(&m->hand[s->node], x);
}

/* The head of `from`, a hand or a send buffer, into the next core's FIFO, or at depth 0
 * straight into its empty hand. */
static int deliver(struct mesh *m, struct queue *from, const char *of)
{
    const struct position p = position_of(m, from->item[0]);
    struct queue *fifo = fifo_of(m, &p), *to = fifo->depth == 0 ? &m->hand[p.next] : fifo;
    char next[MW_NODE_NAME];
    mw_core_name(m->l, p.next, next);
    if (full(to) && fifo->depth == 0)
        REFUSE(m, "the hand of %s, which would receive, is full", next);
    if (full(to))
        REFUSE(m, "FIFO %s.%c is full (%u)", next, class_letter(p.class), to->depth);
    struct message x = pop(from);
    x.at++;
    if (fifo->depth == 0 && position_of(m, x).last) {
        m->in_flight--;
        SAY(m, "%s hands a message to %s, which consumes it", of, next);
        return MW_OK;
    }
    SAY(m, "%s puts a message of flow %llu into %s%s", of, (unsigned long long)x.flow,
        fifo->depth == 0 ? "the hand of " : "the FIFO of ", next);
    return push(to, x);
}

static int put_step(struct mesh *m, const struct mw_step *s)
{
    char of[MW_NODE_NAME];
    struct queue *hand = &m->hand[s->node], *buffer = &m->buffer[s->node];
    mw_core_name(m->l, (mw_core)s->node, of);
    if (hand->n == 0)
        REFUSE(m, "the hand of %s is empty", of);
    if (m->send == 0)
        return deliver(m, hand, of);
    if (full(buffer))
        REFUSE(m, "the send buffer of %s is full (%u)", of, buffer->depth);
    SAY(m, "%s puts a message into its send buffer", of);
    return push(buffer, pop(hand));
}

static int send_step(struct mesh *m, const struct mw_step *s)
{
    char of[MW_NODE_NAME];
    mw_core_name(m->l, (mw_core)s->node, of);
    if (m->buffer[s->node].n == 0)
        REFUSE(m, "the send buffer of %s is empty", of);
    return deliver(m, &m->buffer[s->node], of);
}

static int get_step(struct mesh *m, const struct mw_step *s)
{
    char of[MW_NODE_NAME];
    struct queue *hand = &m->hand[s->node],
                 *fifo = &m->fifo[m->n_ports * s->node + s->from];
    const char letter = class_letter((enum mw_fifo_class)(s->from % MW_N_CLASSES));
    mw_core_name(m->l, (mw_core)s->node, of);
    if (full(hand))
        REFUSE(m, "the hand of %s is full", of);
    if (fifo->n == 0)
        REFUSE(m, "FIFO %s.%c is empty", of, letter);
    const struct message x = pop(fifo);
    if (position_of(m, x).last) {
        m->in_flight--;
        SAY(m, "%s gets and consumes a message of flow %llu", of,
            (unsigned long long)x.flow);
        return MW_OK;
    }
    SAY(m, "%s gets a message of flow %llu from its FIFO %c", of,
        (unsigned long long)x.flow, letter);
    return push(hand, x);
}

/* ---- decoupled and link steps ---------------------------------------------------------------- */

static int advance(struct mesh *m, struct message x, struct queue *from)
{
    char name[MW_NODE_NAME];
    const struct position p = position_of(m, x);
    struct queue *to = fifo_of(m, &p);
    mw_node_name(m->l, m->model, node_of(m, &p), name);
    if (full(to))
        REFUSE(m, "FIFO %s is full (%u)", name, to->depth);
    if (from != NULL)
        pop(from);
    else
        m->in_flight++;
    x.at++;
    SAY(m, "a message of flow %llu enters %s", (unsigned long long)x.flow, name);
    return push(to, x);
}

static int fifo_step(struct mesh *m, const struct mw_step *s)
{
    char name[MW_NODE_NAME];
    if (s->kind == MW_STEP_INJECT)
        return advance(m, (struct message){s->flow, 0}, NULL);
    struct queue *fifo = &m->fifo[s->node];
    mw_node_name(m->l, m->model, s->node, name);
    if (fifo->n == 0)
        REFUSE(m, "FIFO %s is empty", name);
    const bool last = position_of(m, fifo->item[0]).last;
    if (last != (s->kind == MW_STEP_CONSUME))
        REFUSE(m, "the head of %s is %sat its last core", name, last ? "" : "not ");
    if (!last)
        return advance(m, fifo->item[0], fifo);
    pop(fifo);
    m->in_flight--;
    SAY(m, "a message is consumed from %s", name);
    return MW_OK;
}

static int one_step(struct mesh *m, const struct mw_step *s)
{
    if (s->kind > MW_STEP_CONSUME || s->node >= m->n_nodes || s->from >= m->n_ports ||
        (s->kind == MW_STEP_INJECT && s->flow >= m->l->n_flows))
        REFUSE(m, "it names no kind, node or flow of this mesh");
    if (s->kind != MW_STEP_INJECT && (m->model == MW_COUPLED) != (s->kind < MW_STEP_MOVE))
        REFUSE(m, "the %s model has no such step", mw_mesh_model_names[m->model]);
    if (m->model != MW_COUPLED)
        return fifo_step(m, s);
    switch (s->kind) {
    case MW_STEP_INJECT:
        return inject_coupled(m, s);
    case MW_STEP_PUT:
        return put_step(m, s);
    case MW_STEP_SEND:
        return send_step(m, s);
    default:
        return get_step(m, s);
    }
}

/* ---- wait-for ---------------------------------------------------------------------------------- */

/* The node that `n` waits for, if any. Coupled: its hand is full, its send buffer too, and
 * the message in front cannot leave; then it waits for the core that should take it. */
static uint32_t waits_for(struct mesh *m, uint32_t n)
{
    const bool coupled = m->model == MW_COUPLED;
    const struct queue *front = coupled && m->send > 0 ? &m->buffer[n]
                                : coupled              ? &m->hand[n]
                                                       : &m->fifo[n];
    if (front->n == 0 || (coupled && (!full(&m->hand[n]) || !full(front))))
        return MW_NO_NODE;
    const struct position p = position_of(m, front->item[0]);
    if (p.last)
        return MW_NO_NODE;
    const struct queue *fifo = fifo_of(m, &p);
    if (!full(coupled && fifo->depth == 0 ? &m->hand[p.next] : fifo))
        return MW_NO_NODE;
    return node_of(m, &p);
}

/* Writes the nodes of a wait-for cycle; each waits for the next. walk[n]: the number of the
 * walk that came by node n, so each node is asked once. */
static uint32_t find_cycle(struct mesh *m, uint32_t *walk, mw_mesh_node *cycle)
{
    for (uint32_t start = 0; start < m->n_nodes; start++) {
        uint32_t n = start, length = 0;
        while (n != MW_NO_NODE && walk[n] == 0) {
            walk[n] = start + 1;
            n = waits_for(m, n);
        }
        if (n == MW_NO_NODE || walk[n] != start + 1)
            continue;
        const uint32_t first = n;
        do
            cycle[length++] = n;
        while ((n = waits_for(m, n)) != first);
        return length;
    }
    return 0;
}

/* ---- told as a simulation ------------------------------------------------------------------- */

static void look(void *mesh, mw_mesh_node n, struct mw_node_look *out)
{
    struct mesh *m = mesh;
    const bool coupled = m->model == MW_COUPLED;
    out->holds = (coupled ? m->hand : m->fifo)[n].n > 0;
    for (uint32_t port = 0; port < m->n_ports; port++) {
        uint32_t *fill = &out->fill[coupled ? port % MW_N_CLASSES
                                            : mw_fifo_class_of(m->l, m->model, n)];
        *fill = (uint32_t)mw_max(*fill, m->fifo[m->n_ports * n + port].n);
    }
    out->send = coupled ? m->buffer[n].n : 0;
    out->waits_for = waits_for(m, n);
}

/* ---- the whole trace ------------------------------------------------------------------------------ */

static int play(struct mesh *m, const struct mw_trace *t, mw_replay_observer *observer,
                void *arg)
{
    for (uint64_t i = 0; i < t->n_steps; i++) {
        const int rc = one_step(m, &t->step[i]);
        if (rc == MW_ERR_INVALID)
            return mw_fail(MW_ERR_INVALID, "step %llu: %s", (unsigned long long)i + 1,
                           m->why);
        if (rc < MW_OK)
            return rc;
        if (observer != NULL)
            observer(arg, i + 1, m->why);
    }
    return MW_OK;
}

int mw_trace_replay(const struct mw_layout *l, const struct mw_trace *t,
                    mw_replay_observer *observer, void *arg, mw_mesh_node *cycle,
                    uint32_t *n_cycle, uint64_t *in_flight)
{
    int rc;
    struct mesh m;
    uint32_t *walk = NULL;
    *n_cycle = 0;
    *in_flight = 0;
    if ((unsigned)t->model >= MW_N_MODELS)
        return mw_fail(MW_ERR_INVALID, "the trace is of no model");
    if (mw_layout_has_ways(l))
        return mw_trace_replay_ways(l, t, observer, arg, cycle, n_cycle, in_flight);
    MW_NEED(mesh_init(&m, l, t));
    MW_NEW(rc, walk, "wait-for graph", m.n_nodes);
    MW_TRY(rc, play(&m, t, observer, arg));
    *n_cycle = find_cycle(&m, walk, cycle);
    *in_flight = m.in_flight;
    rc = *n_cycle > 0 ? MW_OK : MW_DONE;
end:
    mw_free(walk);
    mesh_fini(&m);
    return rc;
}

int mw_trace_watch(const struct mw_layout *l, const struct mw_trace *t,
                   const struct mw_watch *watch, mw_mesh_node *cycle, uint32_t *n_cycle)
{
    int rc;
    struct mesh m;
    uint32_t *walk = NULL;
    struct mw_watcher w;
    *n_cycle = 0;
    if (mw_layout_has_ways(l))
        return mw_trace_watch_ways(l, t, watch, cycle, n_cycle);
    MW_NEED(mesh_init(&m, l, t));
    MW_TRY(rc, mw_watcher_init(&w, watch, l, t->model, look, &m));
    MW_NEW(rc, walk, "wait-for graph", m.n_nodes);
    MW_TRY(rc, play(&m, t, mw_watcher_step, &w));
    *n_cycle = find_cycle(&m, walk, cycle);
end:
    mw_free(walk);
    mw_watcher_fini(&w);
    mesh_fini(&m);
    return rc;
}
