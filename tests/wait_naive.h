/* wait_naive.h -- the oracle of classes, route sets and broadcasts: meshes described stage by
 * stage, and an explorer of them that copies whole states. It shares nothing with the tools,
 * not even the layout: a test writes the same mesh twice, as a text and as stages.
 *
 * A stage is a message that stands at a core. It may go several ways; a way leads to one stage,
 * or to one at each of several cores, all of which must have room at once. Who is stuck for good
 * is a greatest set: full buffers of which every way of the head leads into the set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef WAIT_NAIVE_H
#define WAIT_NAIVE_H

#include "suite.h"

#include <stdlib.h>
#include <string.h>

enum {
    WAIT_STAGES = 250,
    WAIT_WAYS = 6,
    WAIT_TARGETS = 4,
    WAIT_BUFFERS = 200,
    WAIT_DEPTH = 2,
    WAIT_STATES = 10000,
    WAIT_NEXT = 400
};

enum wait_model { WAIT_COUPLED, WAIT_DECOUPLED, WAIT_LINK };

struct wait_way {
    int n, stage[WAIT_TARGETS], channel[WAIT_TARGETS];
};

struct wait_stage {
    int core, n_ways; /* no way: it is at its last core */
    bool source;
    struct wait_way way[WAIT_WAYS];
};

struct wait_mesh {
    int rows, cols, n_channels,
        depth[2]; /* of a row FIFO, of a column FIFO: at least 1 */
    int n_stages;
    struct wait_stage stage[WAIT_STAGES];
};

struct wait_state {
    uint8_t m[WAIT_BUFFERS][WAIT_DEPTH]; /* stage + 1, head first; 0: none */
};

struct wait_search {
    const struct wait_mesh *mesh;
    enum wait_model model;
    int n_buffers, depth[WAIT_BUFFERS], key[WAIT_BUFFERS];
    struct wait_state *state;
    int *parent, *slot, n;
    struct wait_state *next;
    int n_next;
    bool dead, bounded;
    int n_steps;
};

static inline bool wait_same_row(const struct wait_mesh *x, int a, int b)
{
    return a / x->cols == b / x->cols;
}

/* The buffer of that key, made when first asked for. */
static inline int wait_buffer(struct wait_search *s, int key, int depth)
{
    int b = 0;
    while (b < s->n_buffers && s->key[b] != key)
        b++;
    if (b == s->n_buffers) {
        MUST(s->n_buffers < WAIT_BUFFERS);
        s->key[b] = key;
        s->depth[b] = depth;
        s->n_buffers++;
    }
    return b;
}

static inline int wait_hand(struct wait_search *s, int core)
{
    return wait_buffer(s, 1000000 + core, 1);
}

/* What the hop ends in. */
static inline int wait_fifo(struct wait_search *s, int from, int to, int channel)
{
    const bool row = wait_same_row(s->mesh, from, to);
    const int place = s->model == WAIT_LINK ? 100 * from + to : 100 * to + row;
    return wait_buffer(s, 10000 * channel + place, s->mesh->depth[row ? 0 : 1]);
}

static inline bool wait_full(const struct wait_search *s, const struct wait_state *x,
                             int b)
{
    return x->m[b][s->depth[b] - 1] != 0;
}

static inline bool wait_is_hand(const struct wait_search *s, int b)
{
    return s->key[b] >= 1000000;
}

/* How many ways the head of buffer b has, whose stage is given. Coupled: a message in a FIFO has
 * one, into the hand. */
static inline int wait_n_ways(const struct wait_search *s, int b, int stage)
{
    if (s->model == WAIT_COUPLED && b >= 0 && !wait_is_hand(s, b))
        return 1;
    return s->mesh->stage[stage].n_ways;
}

/* The buffers that way w needs room in; returns their number. What stands there: stage[]. */
static inline int wait_targets(struct wait_search *s, int b, int stage, int w, int *to,
                               int *stands)
{
    const struct wait_stage *at = &s->mesh->stage[stage];
    if (s->model == WAIT_COUPLED && b >= 0 && !wait_is_hand(s, b)) {
        to[0] = wait_hand(s, at->core);
        stands[0] = at->n_ways == 0 ? -1 : stage;
        return 1;
    }
    for (int i = 0; i < at->way[w].n; i++) {
        const int after = at->way[w].stage[i];
        to[i] = wait_fifo(s, at->core, s->mesh->stage[after].core, at->way[w].channel[i]);
        stands[i] = after;
    }
    return at->way[w].n;
}

static inline bool wait_room(struct wait_search *s, const struct wait_state *x, int b,
                             int stage, int w)
{
    int to[WAIT_TARGETS], stands[WAIT_TARGETS];
    const int n = wait_targets(s, b, stage, w, to, stands);
    for (int i = 0; i < n; i++)
        if (wait_full(s, x, to[i]))
            return false;
    return true;
}

static inline void wait_push(const struct wait_search *s, struct wait_state *x, int b,
                             int stage)
{
    int i = 0;
    while (x->m[b][i] != 0)
        i++;
    MUST(i < s->depth[b]);
    x->m[b][i] = (uint8_t)(stage + 1);
}

/* The head of b (or, b < 0, a new message) goes that way; w < 0: it vanishes. */
static inline void wait_step(struct wait_search *s, const struct wait_state *x, int b,
                             int stage, int w)
{
    struct wait_state *y = &s->next[s->n_next++];
    int to[WAIT_TARGETS], stands[WAIT_TARGETS];
    MUST(s->n_next <= WAIT_NEXT);
    *y = *x;
    if (b >= 0) {
        memmove(y->m[b], y->m[b] + 1, WAIT_DEPTH - 1);
        y->m[b][WAIT_DEPTH - 1] = 0;
    }
    const int n = w < 0 ? 0 : wait_targets(s, b, stage, w, to, stands);
    for (int i = 0; i < n; i++)
        if (stands[i] >= 0)
            wait_push(s, y, to[i], stands[i]);
}

static inline void wait_expand(struct wait_search *s, const struct wait_state *x)
{
    s->n_next = 0;
    for (int b = 0; b < s->n_buffers; b++) {
        if (x->m[b][0] == 0)
            continue;
        const int stage = x->m[b][0] - 1, n = wait_n_ways(s, b, stage);
        if (n == 0)
            wait_step(s, x, b, stage, -1);
        for (int w = 0; w < n; w++)
            if (wait_room(s, x, b, stage, w))
                wait_step(s, x, b, stage, w);
    }
    for (int stage = 0; stage < s->mesh->n_stages; stage++) {
        const struct wait_stage *at = &s->mesh->stage[stage];
        if (!at->source)
            continue;
        if (s->model == WAIT_COUPLED) {
            const int hand = wait_hand(s, at->core);
            if (wait_full(s, x, hand))
                continue;
            struct wait_state *y = &s->next[s->n_next++];
            MUST(s->n_next <= WAIT_NEXT);
            *y = *x;
            wait_push(s, y, hand, stage);
            continue;
        }
        for (int w = 0; w < at->n_ways; w++)
            if (wait_room(s, x, -1, stage, w))
                wait_step(s, x, -1, stage, w);
    }
}

/* Takes out of the set of full buffers whoever has a way out of it, until nobody has. */
static inline bool wait_dead(struct wait_search *s, const struct wait_state *x)
{
    bool stuck[WAIT_BUFFERS], changed = true, any = false;
    for (int b = 0; b < s->n_buffers; b++)
        stuck[b] = wait_full(s, x, b);
    while (changed) {
        changed = any = false;
        for (int b = 0; b < s->n_buffers; b++) {
            if (!stuck[b])
                continue;
            const int stage = x->m[b][0] - 1, n = wait_n_ways(s, b, stage);
            bool out = n == 0;
            for (int w = 0; w < n && !out; w++) {
                int to[WAIT_TARGETS], stands[WAIT_TARGETS];
                const int n_to = wait_targets(s, b, stage, w, to, stands);
                out = true;
                for (int i = 0; i < n_to; i++)
                    out = out && !stuck[to[i]];
            }
            any = any || !out;
            stuck[b] = !out;
            changed = changed || out;
        }
    }
    return any;
}

static inline void wait_keep(struct wait_search *s, const struct wait_state *x,
                             int parent)
{
    enum { SLOTS = 1 << 17 };
    uint64_t h = 14695981039346656037u;
    for (int b = 0; b < s->n_buffers; b++)
        for (int i = 0; i < WAIT_DEPTH; i++)
            h = (h ^ x->m[b][i]) * 1099511628211u;
    int at = (int)((h >> 24) % SLOTS);
    for (; s->slot[at] != 0; at = (at + 1) % SLOTS)
        if (memcmp(&s->state[s->slot[at] - 1], x, sizeof *x) == 0)
            return;
    if (s->n == WAIT_STATES) {
        s->bounded = true;
        return;
    }
    s->state[s->n] = *x;
    s->parent[s->n] = parent;
    s->slot[at] = ++s->n;
}

static inline void wait_explore(struct wait_search *s, const struct wait_mesh *mesh,
                                enum wait_model model)
{
    const struct wait_state start = {0};
    memset(s, 0, sizeof *s);
    s->mesh = mesh;
    s->model = model;
    s->state = calloc(WAIT_STATES + 1, sizeof *s->state);
    s->parent = calloc(WAIT_STATES + 1, sizeof *s->parent);
    s->slot = calloc(1 << 17, sizeof *s->slot);
    s->next = calloc(WAIT_NEXT + 1, sizeof *s->next);
    MUST(s->state != NULL && s->parent != NULL && s->slot != NULL && s->next != NULL);
    for (int stage = 0; stage < mesh->n_stages; stage++) { /* all buffers there are */
        int to[WAIT_TARGETS], stands[WAIT_TARGETS];
        if (model == WAIT_COUPLED)
            wait_hand(s, mesh->stage[stage].core);
        for (int w = 0; w < mesh->stage[stage].n_ways; w++)
            wait_targets(s, -1, stage, w, to, stands);
    }
    wait_keep(s, &start, 0);
    for (int open = 0; open < s->n && !s->bounded; open++) {
        const struct wait_state x = s->state[open];
        if (wait_dead(s, &x)) {
            s->dead = true;
            for (int i = open; i != 0; i = s->parent[i])
                s->n_steps++;
            break;
        }
        wait_expand(s, &x);
        for (int i = 0; i < s->n_next; i++)
            wait_keep(s, &s->next[i], open);
    }
    free(s->state);
    free(s->parent);
    free(s->slot);
    free(s->next);
}

#endif
