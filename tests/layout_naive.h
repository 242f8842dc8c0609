/* layout_naive.h -- the search's oracle: small random layouts, and an explorer that copies
 * whole meshes. A message is a flow and a place on it; before two states are compared, each
 * message becomes the first one with the same list of cores ahead. It shares nothing with
 * the search but the layout.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LAYOUT_NAIVE_H
#define LAYOUT_NAIVE_H

#include "layout_text.h"
#include "layouts/explore/explore.h"

enum {
    NAIVE_FLOWS = 4,
    NAIVE_LENGTH = 5,
    NAIVE_QUEUES = 6 * 5, /* links of a 2x3 mesh */
    NAIVE_DEPTH = 2,
    NAIVE_STATES = 20000,
    NAIVE_NEXT = 128
};

/* ---- random layouts ------------------------------------------------------------------- */

/* 1 to 4 flows of 2 to 5 cores on a mesh of 1x2 to 2x3. */
static inline struct mw_layout *random_layout(uint64_t *dice)
{
    struct mw_layout *l;
    struct mw_diagnostics d = {0};
    const uint32_t n_flows = 1 + (uint32_t)roll(dice, NAIVE_FLOWS);
    MUST(mw_layout_new(1 + (uint32_t)roll(dice, 2), 2 + (uint32_t)roll(dice, 2), &l) ==
         MW_OK);
    for (uint32_t f = 0; f < n_flows; f++) {
        mw_core core[NAIVE_LENGTH];
        const uint32_t length = 2 + (uint32_t)roll(dice, NAIVE_LENGTH - 1);
        core[0] = (mw_core)roll(dice, mw_mesh_cores(l));
        for (uint32_t i = 1; i < length; i++)
            do
                core[i] = (mw_core)roll(dice, mw_mesh_cores(l));
            while (!mw_hop_legal(l, core[i - 1], core[i]));
        MUST(mw_layout_add_flow(l, core, length, -1, 0) == MW_OK);
    }
    MUST(mw_layout_expand(l, &d) == MW_OK);
    return l;
}

static inline const char *layout_text(const struct mw_layout *l)
{
    static char text[4096];
    FILE *f = fmemopen(text, sizeof text, "w");
    MUST(f != NULL);
    mw_layout_print(l, f);
    fclose(f);
    return text;
}

/* ---- the naive explorer ------------------------------------------------------------------ */

struct naive_state {
    uint8_t m[NAIVE_QUEUES][NAIVE_DEPTH]; /* messages + 1, head first; 0: none */
};

struct naive {
    const struct mw_layout *l;
    const struct mw_explore_conf *conf;
    uint32_t n_flows, length[NAIVE_FLOWS];
    mw_core flow[NAIVE_FLOWS][NAIVE_LENGTH];
    uint8_t same[NAIVE_FLOWS * NAIVE_LENGTH]; /* the first message equal to this one */
    uint32_t n_queues, depth[NAIVE_QUEUES];

    struct naive_state *state; /* [NAIVE_STATES + 1] */
    uint32_t *parent, *slot;
    uint32_t n;
    struct naive_state next[NAIVE_NEXT];
    uint32_t n_next;

    /* the result */
    bool dead, bounded;
    uint64_t n_steps;
};

enum { NAIVE_HAND, NAIVE_SEND, NAIVE_FIFO, NAIVE_PER_CORE = 4 };
enum { NAIVE_SLOTS = 1 << 16 };

struct naive_place { /* of a message */
    mw_core core, next;
    bool last;
    uint32_t fifo; /* the queue its next hop ends in */
};

static inline struct naive_place naive_place(const struct naive *x, uint32_t message)
{
    const uint32_t f = message / NAIVE_LENGTH, at = message % NAIVE_LENGTH;
    struct naive_place p = {.core = x->flow[f][at], .last = at + 1 == x->length[f]};
    if (p.last)
        return p;
    p.next = x->flow[f][at + 1];
    p.fifo = x->conf->model == MW_COUPLED
                 ? NAIVE_PER_CORE * (uint32_t)p.next + NAIVE_FIFO +
                       (uint32_t)mw_hop_class(x->l, p.core, p.next)
                 : mw_hop_node(x->l, x->conf->model, p.core, p.next);
    return p;
}

static inline uint32_t naive_fill(const struct naive *x, const struct naive_state *s,
                                  uint32_t q)
{
    uint32_t n = 0;
    while (n < x->depth[q] && s->m[q][n] != 0)
        n++;
    return n;
}

static inline bool naive_full(const struct naive *x, const struct naive_state *s,
                              uint32_t q)
{
    return naive_fill(x, s, q) == x->depth[q];
}

static inline bool naive_equal(const struct naive *x, uint32_t a, uint32_t b)
{
    const uint32_t fa = a / NAIVE_LENGTH, fb = b / NAIVE_LENGTH;
    const uint32_t n = x->length[fa] - a % NAIVE_LENGTH;
    return n == x->length[fb] - b % NAIVE_LENGTH &&
           memcmp(&x->flow[fa][a % NAIVE_LENGTH], &x->flow[fb][b % NAIVE_LENGTH],
                  n * sizeof(mw_core)) == 0;
}

static inline void naive_init(struct naive *x, const struct mw_layout *l,
                              const struct mw_explore_conf *conf)
{
    memset(x, 0, sizeof *x);
    x->l = l;
    x->conf = conf;
    x->n_flows = (uint32_t)l->n_flows;
    for (uint32_t f = 0; f < x->n_flows; f++)
        x->length[f] = mw_layout_flow(l, f, x->flow[f]);
    for (uint32_t f = 0; f < x->n_flows; f++)
        for (uint32_t i = 0; i < x->length[f]; i++) {
            const uint32_t message = f * NAIVE_LENGTH + i;
            uint32_t first = 0;
            while (first % NAIVE_LENGTH >= x->length[first / NAIVE_LENGTH] ||
                   !naive_equal(x, first, message))
                first++;
            x->same[message] = (uint8_t)first;
        }
    const uint32_t per_core = l->rows + l->cols;
    x->n_queues = conf->model == MW_COUPLED ? NAIVE_PER_CORE * mw_mesh_cores(l)
                                            : mw_mesh_nodes(l, conf->model);
    for (uint32_t q = 0; q < x->n_queues; q++) {
        const uint32_t what = q % NAIVE_PER_CORE;
        if (conf->model == MW_COUPLED)
            x->depth[q] = what == NAIVE_HAND   ? 1
                          : what == NAIVE_SEND ? conf->send
                                               : conf->fifo[what - NAIVE_FIFO];
        else if (conf->model == MW_DECOUPLED)
            x->depth[q] = conf->fifo[q % 2];
        else
            x->depth[q] = conf->fifo[q % per_core < l->cols ? MW_ROW : MW_COLUMN];
    }
    x->state = calloc(NAIVE_STATES + 1, sizeof *x->state);
    x->parent = calloc(NAIVE_STATES + 1, sizeof *x->parent);
    x->slot = calloc(NAIVE_SLOTS, sizeof *x->slot);
    MUST(x->state != NULL && x->parent != NULL && x->slot != NULL);
}

static inline void naive_fini(struct naive *x)
{
    free(x->state);
    free(x->parent);
    free(x->slot);
}

/* ---- steps ------------------------------------------------------------------------------------ */

/* A new state in which the head of `from` (none if < 0) is gone, and `message` (none if < 0)
 * stands at the end of `to`. */
static inline void naive_step(struct naive *x, const struct naive_state *s, int from,
                              int to, int message)
{
    struct naive_state *next = &x->next[x->n_next++];
    MUST(x->n_next <= NAIVE_NEXT);
    *next = *s;
    if (from >= 0) {
        memmove(next->m[from], next->m[from] + 1, NAIVE_DEPTH - 1);
        next->m[from][NAIVE_DEPTH - 1] = 0;
    }
    if (message >= 0)
        next->m[to][naive_fill(x, next, (uint32_t)to)] = (uint8_t)(x->same[message] + 1);
}

/* From a hand or send buffer to the next core. */
static inline void naive_deliver(struct naive *x, const struct naive_state *s,
                                 uint32_t from)
{
    const uint32_t message = s->m[from][0] - 1u;
    const struct naive_place p = naive_place(x, message);
    const bool rendezvous = x->depth[p.fifo] == 0;
    const uint32_t to =
        rendezvous ? NAIVE_PER_CORE * (uint32_t)p.next + NAIVE_HAND : p.fifo;
    if (naive_full(x, s, to))
        return;
    const bool gone = rendezvous && naive_place(x, message + 1).last;
    naive_step(x, s, (int)from, (int)to, gone ? -1 : (int)message + 1);
}

static inline void naive_core(struct naive *x, const struct naive_state *s, uint32_t v)
{
    const uint32_t hand = NAIVE_PER_CORE * v + NAIVE_HAND, send = hand + NAIVE_SEND;
    if (x->conf->send > 0 && s->m[send][0] != 0)
        naive_deliver(x, s, send);
    if (s->m[hand][0] != 0) {
        if (x->conf->send == 0)
            naive_deliver(x, s, hand);
        else if (!naive_full(x, s, send))
            naive_step(x, s, (int)hand, (int)send, s->m[hand][0] - 1);
        return;
    }
    for (uint32_t q = hand + NAIVE_FIFO; q < hand + NAIVE_PER_CORE; q++)
        if (x->depth[q] > 0 && s->m[q][0] != 0)
            naive_step(x, s, (int)q, (int)hand,
                       naive_place(x, s->m[q][0] - 1u).last ? -1 : s->m[q][0] - 1);
}

static inline void naive_fifo(struct naive *x, const struct naive_state *s, uint32_t q)
{
    if (x->depth[q] == 0 || s->m[q][0] == 0)
        return;
    const struct naive_place p = naive_place(x, s->m[q][0] - 1u);
    if (p.last)
        naive_step(x, s, (int)q, -1, -1);
    else if (!naive_full(x, s, p.fifo))
        naive_step(x, s, (int)q, (int)p.fifo, s->m[q][0]);
}

static inline void naive_inject(struct naive *x, const struct naive_state *s)
{
    uint64_t n = 0;
    for (uint32_t q = 0; q < x->n_queues; q++)
        n += naive_fill(x, s, q);
    if (x->conf->inflight > 0 && n >= x->conf->inflight)
        return;
    for (uint32_t f = 0; f < x->n_flows; f++) {
        const bool coupled = x->conf->model == MW_COUPLED;
        const struct naive_place p = naive_place(x, f * NAIVE_LENGTH);
        const uint32_t to =
            coupled ? NAIVE_PER_CORE * (uint32_t)p.core + NAIVE_HAND : p.fifo;
        if (!naive_full(x, s, to))
            naive_step(x, s, -1, (int)to, (int)(f * NAIVE_LENGTH + (coupled ? 0 : 1)));
    }
}

/* ---- wait-for ------------------------------------------------------------------------------------ */

/* The core (else: FIFO) that `n` waits for, or -1. */
static inline int naive_waits(const struct naive *x, const struct naive_state *s,
                              uint32_t n)
{
    uint32_t front = n;
    if (x->conf->model == MW_COUPLED) {
        const uint32_t hand = NAIVE_PER_CORE * n + NAIVE_HAND;
        front = x->conf->send > 0 ? hand + NAIVE_SEND : hand;
        if (!naive_full(x, s, hand) || !naive_full(x, s, front))
            return -1;
    } else if (x->depth[n] == 0 || s->m[n][0] == 0) {
        return -1;
    }
    const struct naive_place p = naive_place(x, s->m[front][0] - 1u);
    if (p.last)
        return -1;
    if (x->conf->model != MW_COUPLED)
        return naive_full(x, s, p.fifo) ? (int)p.fifo : -1;
    const uint32_t to =
        x->depth[p.fifo] > 0 ? p.fifo : NAIVE_PER_CORE * (uint32_t)p.next + NAIVE_HAND;
    return naive_full(x, s, to) ? p.next : -1;
}

static inline bool naive_dead(const struct naive *x, const struct naive_state *s)
{
    const uint32_t n = mw_mesh_nodes(x->l, x->conf->model);
    for (uint32_t start = 0; start < n; start++) {
        int at = naive_waits(x, s, start);
        for (uint32_t i = 0; i < n && at >= 0 && at != (int)start; i++)
            at = naive_waits(x, s, (uint32_t)at);
        if (at == (int)start)
            return true;
    }
    return false;
}

/* ---- all states ------------------------------------------------------------------------------------- */

static inline void naive_keep(struct naive *x, const struct naive_state *s,
                              uint32_t parent)
{
    uint64_t h = 14695981039346656037u;
    for (size_t i = 0; i < sizeof *s; i++)
        h = (h ^ ((const uint8_t *)s)[i]) * 1099511628211u;
    uint32_t at = (uint32_t)(h >> 20) % NAIVE_SLOTS;
    for (; x->slot[at] != 0; at = (at + 1) % NAIVE_SLOTS)
        if (memcmp(&x->state[x->slot[at] - 1], s, sizeof *s) == 0)
            return;
    if (x->n == NAIVE_STATES) {
        x->bounded = true;
        return;
    }
    x->state[x->n] = *s;
    x->parent[x->n] = parent;
    x->slot[at] = ++x->n;
}

static inline void naive_explore(struct naive *x)
{
    const struct naive_state start = {0};
    naive_keep(x, &start, 0);
    for (uint32_t open = 0; open < x->n && !x->bounded; open++) {
        const struct naive_state s = x->state[open];
        if (naive_dead(x, &s)) {
            x->dead = true;
            for (uint32_t i = open; i != 0; i = x->parent[i])
                x->n_steps++;
            return;
        }
        x->n_next = 0;
        if (x->conf->model == MW_COUPLED)
            for (uint32_t v = 0; v < mw_mesh_cores(x->l); v++)
                naive_core(x, &s, v);
        else
            for (uint32_t q = 0; q < x->n_queues; q++)
                naive_fifo(x, &s, q);
        naive_inject(x, &s);
        for (uint32_t i = 0; i < x->n_next; i++)
            naive_keep(x, &x->next[i], open);
    }
}

#endif
