/* explore.c -- see explore.h. The net says what there is, the packing takes
 * steps, the visited set keeps the states; here is the order in which they are taken, and what
 * is made of a dead one. No trace leaves this file that mw_trace_replay() has not played.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/explore.h"

#include "base/clock.h"
#include "base/mem.h"
#include "layouts/explore/fill.h"
#include "layouts/explore/pack.h"
#include "layouts/explore/search.h"

#include <string.h>

const char *const mw_explore_verdict_names[] = {"free", "deadlock", "bounded"};

enum {
    BATCH = 256,         /* successors that are added together, at least */
    LOOK_EVERY = 1 << 12 /* states between looks at the clock */
};

struct explorer {
    const struct mw_layout *l;
    const struct mw_explore_conf *conf;
    struct mw_net net;
    struct mw_net_packing pack;
    struct mw_net_search search;
    uint32_t most, room; /* successors of one state at most; that the buffers hold */
    uint64_t *next;      /* owned; [room * n_words] */
    uint32_t *parent;    /* owned; [room] */
    uint64_t bytes;      /* beside the search's */
    uint64_t n_taken, looked_at;
    double next_look;
};

/* ---- life --------------------------------------------------------------------------------- */

static void explorer_fini(struct explorer *e)
{
    mw_net_search_fini(&e->search);
    mw_net_packing_fini(&e->pack);
    mw_net_fini(&e->net);
    MW_FREE_ALL(e->next, e->parent);
}

/* What a search needs beside the net. */
static int explorer_ready(struct explorer *e)
{
    const uint64_t limit = e->conf->limit != 0 ? e->conf->limit : MW_EXPLORE_LIMIT;
    const uint64_t limit_bytes =
        e->conf->limit_bytes != 0 ? e->conf->limit_bytes : MW_NET_SEARCH_BYTES;
    const uint32_t self = 0;
    MW_NEED(mw_net_packing_init(&e->pack, &e->net));
    e->most = e->net.n_buffers * (uint32_t)mw_max(1, e->net.most_ways) + e->net.n_sources;
    e->room = e->most + BATCH;
    e->bytes = (uint64_t)e->room * (8 * e->pack.n_words + sizeof *e->parent);
    if (e->bytes >= limit_bytes)
        return mw_fail(MW_ERR_REFUSED,
                       "exploration: the successors of one state take %llu bytes, at "
                       "most %llu",
                       (unsigned long long)e->bytes, (unsigned long long)limit_bytes);
    MW_NEED(
        mw_net_search_init(&e->search, e->pack.n_words, limit, limit_bytes - e->bytes));
    MW_NEED_NEW(e->next, "successors", (uint64_t)e->room * e->pack.n_words);
    MW_NEED_NEW(e->parent, "successors", e->room);
    return mw_net_search_add(&e->search, 1, e->pack.start, &self);
}

/* Calls the progress function when it is time. */
static int report_progress(struct explorer *e, uint64_t n_open)
{
    if (e->conf->progress == NULL || e->n_taken - e->looked_at < LOOK_EVERY)
        return MW_OK;
    e->looked_at = e->n_taken;
    const double now = mw_now();
    if (now < e->next_look)
        return MW_OK;
    e->next_look = now + 0.1;
    if (e->conf->progress(e->conf->progress_arg, e->search.n, n_open) != 0)
        return mw_fail(MW_ERR_INTERRUPTED, "exploration stopped at %llu states",
                       (unsigned long long)e->search.n);
    return MW_OK;
}

/* The successors of state i, behind the n that are in the buffer already. */
static struct mw_successors expand(struct explorer *e, uint64_t i, uint32_t n)
{
    const struct mw_successors s =
        mw_net_packing_expand(&e->pack, mw_net_search_state(&e->search, i),
                              e->conf->inflight, e->next + (size_t)n * e->pack.n_words);
    for (uint32_t k = 0; k < s.n; k++)
        e->parent[n + k] = (uint32_t)i;
    e->n_taken++;
    return s;
}

/* ---- breadth first --------------------------------------------------------------------------- */

/* MW_OK: *verdict holds; DEADLOCK: in state *dead. BOUNDED: all that states before *first lead to
 * is known. */
static int breadth_first(struct explorer *e, enum mw_explore_verdict *verdict,
                         uint64_t *dead, uint64_t *first)
{
    uint64_t open = 0;
    while (open < e->search.n) {
        uint32_t n = 0;
        *first = open;
        for (; open < e->search.n && n + e->most <= e->room; open++) {
            const struct mw_successors s = expand(e, open, n);
            if (MW_UNLIKELY(s.dead)) {
                *verdict = MW_EXPLORED_DEADLOCK;
                *dead = open;
                return MW_OK;
            }
            n += s.n;
        }
        const int rc = mw_net_search_add(&e->search, n, e->next, e->parent);
        MW_NEED(rc);
        if (rc == MW_DONE) {
            *verdict = MW_EXPLORED_BOUNDED;
            return MW_OK;
        }
        MW_NEED(report_progress(e, e->search.n - open));
    }
    *verdict = MW_EXPLORED_FREE;
    return MW_OK;
}

/* ---- best first --------------------------------------------------------------------------------- */

/* Open states by score, the last one first: goes deep where the mesh is fullest. */
struct agenda {
    uint32_t n_scores, highest;
    uint32_t *first; /* owned; [n_scores] number + 1; 0: none */
    uint32_t *next;  /* owned; [room], by state */
    uint64_t room, n_open;
};

/* Messages in the mesh, and the buffers that are blocked. */
static uint32_t score_of(const struct explorer *e, const uint64_t *state)
{
    const struct mw_net *net = &e->net;
    uint32_t score = 0;
    for (uint32_t p = 0; p < net->n_buffers; p++) {
        const uint32_t code = mw_net_packing_head(&e->pack, state, p);
        if (code == 0)
            continue;
        const uint32_t to = mw_net_move(net, p, code)->to;
        score += mw_net_packing_fill(&e->pack, state, p);
        score += to < net->n_buffers &&
                 mw_net_packing_fill(&e->pack, state, to) == net->buffer[to].capacity;
    }
    return score;
}

static int agenda_init(struct agenda *a, const struct mw_net *net)
{
    *a = (struct agenda){.n_scores = 1};
    for (uint32_t p = 0; p < net->n_buffers; p++)
        a->n_scores += net->buffer[p].capacity + 1;
    MW_NEED_NEW(a->first, "open states", a->n_scores);
    return MW_OK;
}

static void agenda_fini(struct agenda *a)
{
    MW_FREE_ALL(a->first, a->next);
}

/* Room for all states that are known; it is taken from what the search may have. MW_DONE: that
 * is used up. */
static int agenda_grow(struct agenda *a, struct explorer *e)
{
    uint32_t *more;
    const uint64_t room = mw_max(1024, 2 * e->search.n);
    const uint64_t bytes = (room - a->room) * sizeof *more;
    if (e->search.bytes + bytes >= e->search.limit_bytes)
        return MW_DONE;
    MW_NEED_NEW(more, "open states", room);
    if (a->next != NULL)
        memcpy(more, a->next, a->room * sizeof *more);
    mw_free(a->next);
    a->next = more;
    a->room = room;
    e->bytes += bytes;
    e->search.limit_bytes -= bytes;
    return MW_OK;
}

/* Opens the states from number `from` on. MW_DONE: no memory for that. */
static int agenda_add(struct agenda *a, struct explorer *e, uint64_t from)
{
    int rc = MW_OK;
    if (e->search.n > a->room)
        rc = agenda_grow(a, e);
    if (rc != MW_OK)
        return rc;
    for (uint64_t i = from; i < e->search.n; i++) {
        const uint32_t score = score_of(e, mw_net_search_state(&e->search, i));
        a->next[i] = a->first[score];
        a->first[score] = (uint32_t)i + 1;
        a->highest = (uint32_t)mw_max(a->highest, score);
        a->n_open++;
    }
    return MW_OK;
}

static uint64_t agenda_take(struct agenda *a)
{
    while (a->first[a->highest] == 0)
        a->highest--;
    const uint32_t i = a->first[a->highest] - 1;
    a->first[a->highest] = a->next[i];
    a->n_open--;
    return i;
}

static int best_first(struct explorer *e, enum mw_explore_verdict *verdict,
                      uint64_t *dead)
{
    int rc;
    struct agenda a;
    MW_TRY(rc, agenda_init(&a, &e->net));
    MW_TRY(rc, agenda_add(&a, e, 0));
    *verdict = rc == MW_DONE ? MW_EXPLORED_BOUNDED : MW_EXPLORED_FREE;
    while (a.n_open > 0) {
        const uint64_t i = agenda_take(&a), before = e->search.n;
        const struct mw_successors s = expand(e, i, 0);
        if (s.dead) {
            *verdict = MW_EXPLORED_DEADLOCK;
            *dead = i;
            break;
        }
        MW_TRY(rc, mw_net_search_add(&e->search, s.n, e->next, e->parent));
        if (rc == MW_OK)
            MW_TRY(rc, agenda_add(&a, e, before));
        if (rc == MW_DONE) {
            *verdict = MW_EXPLORED_BOUNDED;
            break;
        }
        MW_TRY(rc, report_progress(e, a.n_open));
    }
    rc = MW_OK;
end:
    agenda_fini(&a);
    return rc;
}

/* ---- what is made of a dead state ------------------------------------------------------------------ */

static int write_trace(const struct explorer *e, uint64_t dead, struct mw_trace *t)
{
    t->n_steps = mw_net_search_depth(&e->search, dead) - 1;
    MW_NEED_NEW(t->step, "trace", t->n_steps);
    for (uint64_t n = t->n_steps, i = dead; n-- > 0;) {
        const uint32_t parent = mw_net_search_parent(&e->search, i);
        t->step[n] =
            mw_net_packing_step(&e->pack, mw_net_search_state(&e->search, parent),
                                mw_net_search_state(&e->search, i));
        i = parent;
    }
    return MW_OK;
}

/* Plays the trace, which gives the cycle and the messages in flight. */
static int confirm(const struct explorer *e, struct mw_exploration *out)
{
    MW_NEED_NEW(out->cycle, "a cycle", mw_mesh_nodes(e->l, e->conf->model));
    const int rc = mw_trace_replay(e->l, &out->trace, NULL, NULL, out->cycle,
                                   &out->n_cycle, &out->in_flight);
    return rc > MW_OK
               ? mw_fail(MW_ERR_INTERNAL, "the trace found does not end in a deadlock")
               : rc;
}

static int report_dead(struct explorer *e, uint64_t dead, struct mw_exploration *out)
{
    const struct mw_successors s = expand(e, dead, 0);
    out->verdict = MW_EXPLORED_DEADLOCK;
    out->weak = s.n_moves == 0;
    out->global = s.n == 0;
    MW_NEED(write_trace(e, dead, &out->trace));
    return confirm(e, out);
}

/* ---- the two ways to look ------------------------------------------------------------------------------ */

static int search(struct explorer *e, struct mw_exploration *out)
{
    uint64_t dead = 0, first = 0;
    MW_NEED(explorer_ready(e));
    MW_NEED(e->conf->guided ? best_first(e, &out->verdict, &dead)
                            : breadth_first(e, &out->verdict, &dead, &first));
    out->shortest = out->verdict == MW_EXPLORED_DEADLOCK && !e->conf->guided;
    out->n_states = e->search.n;
    out->n_tested = e->n_taken;
    if (out->verdict == MW_EXPLORED_BOUNDED && first > 0) /* its whole level is known */
        out->n_steps_tested = mw_net_search_depth(&e->search, first) - 2;
    out->bytes = e->search.most_bytes + e->bytes;
    if (out->verdict == MW_EXPLORED_DEADLOCK)
        MW_NEED(report_dead(e, dead, out));
    return MW_OK;
}

/* All buffers beside the cycle are empty, and those on it are stuck: nothing moves, but new
 * messages may appear where there is room. */
static bool all_sources_blocked(const struct explorer *e, const uint32_t *on_cycle,
                                uint32_t n)
{
    uint64_t messages = 0;
    for (uint32_t i = 0; i < n; i++)
        messages += e->net.buffer[on_cycle[i]].capacity;
    if (e->conf->inflight > 0 && messages >= e->conf->inflight)
        return true;
    for (uint32_t s = 0; s < e->net.n_sources; s++) {
        bool blocked = false;
        for (uint32_t i = 0; i < n && !blocked; i++)
            blocked = on_cycle[i] == e->net.source[s].to;
        if (!blocked)
            return false;
    }
    return true;
}

static int fill(struct explorer *e, struct mw_exploration *out)
{
    int rc = MW_OK;
    uint32_t *on_cycle, n = 0;
    MW_NEW(rc, on_cycle, "a cycle", e->net.n_buffers);
    MW_TRY(rc, mw_net_fill(&e->net, e->conf->inflight, &out->trace.step,
                           &out->trace.n_steps, on_cycle, &n));
    if (rc == MW_OK) {
        out->verdict = MW_EXPLORED_DEADLOCK;
        out->n_states = out->trace.n_steps + 1;
        out->weak = true;
        out->global = all_sources_blocked(e, on_cycle, n);
        rc = confirm(e, out);
    }
end:
    mw_free(on_cycle);
    return rc;
}

static int check_depths(const struct mw_explore_conf *conf)
{
    for (int class = MW_ROW; class < MW_N_CLASSES; class ++)
        if (conf->fifo[class] > MW_FIFO_MAX || conf->send > MW_FIFO_MAX)
            return mw_fail(
                MW_ERR_REFUSED, "exploration: depths %u, %u, send %u, at most %d",
                conf->fifo[MW_ROW], conf->fifo[MW_COLUMN], conf->send, MW_FIFO_MAX);
    return MW_OK;
}

int mw_layout_explore(const struct mw_layout *l, const struct mw_explore_conf *conf,
                      struct mw_exploration *out)
{
    int rc;
    struct explorer e = {.l = l, .conf = conf};
    const double start = mw_now();
    const bool buffered = conf->model == MW_COUPLED;
    const struct mw_net_conf net = {.model = conf->model,
                                    .fifo = {conf->fifo[MW_ROW], conf->fifo[MW_COLUMN]},
                                    .send = buffered ? conf->send : 0,
                                    .flow = conf->flow,
                                    .n_flows = conf->n_flows};
    *out = (struct mw_exploration){.verdict = MW_EXPLORED_BOUNDED};
    out->trace = (struct mw_trace){
        .model = net.model, .fifo = {net.fifo[0], net.fifo[1]}, .send = net.send};
    e.next_look = start + 0.1;
    MW_TRY(rc, check_depths(conf));
    MW_TRY(rc, mw_net_init(&e.net, l, &net));
    rc = conf->guided && !mw_layout_has_ways(l) ? fill(&e, out) : MW_DONE;
    if (rc == MW_DONE)
        rc = search(&e, out);
    out->seconds = mw_now() - start;
end:
    if (rc < MW_OK)
        mw_exploration_fini(out);
    explorer_fini(&e);
    return rc;
}

void mw_exploration_fini(struct mw_exploration *e)
{
    mw_trace_fini(&e->trace);
    mw_free(e->cycle);
    *e = (struct mw_exploration){.verdict = MW_EXPLORED_BOUNDED};
}
