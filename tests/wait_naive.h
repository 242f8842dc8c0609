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

/* RMA: one hand per core as in COUPLED, and a FIFO per pair of cores as in LINK. */
enum wait_model { WAIT_COUPLED, WAIT_DECOUPLED, WAIT_LINK, WAIT_RMA };

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

static inline bool wait_has_hands(const struct wait_search *s)
{
    return s->model == WAIT_COUPLED || s->model == WAIT_RMA;
}

static inline int wait_hand(struct wait_search *s, int core)
{
    return wait_buffer(s, 1000000 + core, 1);
}

/* What the hop ends in. */
static inline int wait_fifo(struct wait_search *s, int from, int to, int channel)
{
    if (from == to) /* what is left of a message that is put in turn */
        return wait_hand(s, from);
    const bool row = wait_same_row(s->mesh, from, to);
    const int place = s->model >= WAIT_LINK ? 100 * from + to : 100 * to + row;
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
    if (wait_has_hands(s) && b >= 0 && !wait_is_hand(s, b))
        return 1;
    return s->mesh->stage[stage].n_ways;
}

/* The buffers that way w needs room in; returns their number. What stands there: stage[]. */
static inline int wait_targets(struct wait_search *s, int b, int stage, int w, int *to,
                               int *stands)
{
    const struct wait_stage *at = &s->mesh->stage[stage];
    if (wait_has_hands(s) && b >= 0 && !wait_is_hand(s, b)) {
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
        if (to[i] != b && wait_full(s, x, to[i]))
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
        if (wait_has_hands(s)) {
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
                    out = out && (to[i] == b || !stuck[to[i]]);
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
        if (wait_has_hands(s))
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

/* Where copies of the message of that stage end. */
static inline void wait_receivers(const struct wait_mesh *x, int start, bool *gets)
{
    bool reached[WAIT_STAGES] = {false};
    reached[start] = true;
    for (int round = 0; round < x->n_stages; round++)
        for (int i = 0; i < x->n_stages; i++)
            for (int w = 0; reached[i] && w < x->stage[i].n_ways; w++)
                for (int k = 0; k < x->stage[i].way[w].n; k++)
                    reached[x->stage[i].way[w].stage[k]] = true;
    for (int i = 0; i < x->n_stages; i++)
        gets[x->stage[i].core] |= reached[i] && x->stage[i].n_ways == 0;
}

/* A put, of a message of its own or, behind >= 0, of the one that put there; its stage. */
static inline int wait_add_put(struct wait_mesh *out, int from, int to, int behind)
{
    const int put = out->n_stages;
    MUST(put + 2 <= WAIT_STAGES);
    out->n_stages += 2;
    out->stage[put] =
        (struct wait_stage){.core = from, .n_ways = 1, .source = behind < 0};
    out->stage[put].way[0] = (struct wait_way){.n = 1, .stage = {put + 1}};
    out->stage[put + 1] = (struct wait_stage){.core = to};
    if (behind >= 0) {
        struct wait_way *w = &out->stage[behind].way[0];
        w->stage[w->n++] = put;
    }
    return put;
}

static inline bool wait_has_put(const struct wait_mesh *puts, int from, int to)
{
    for (int i = 0; i < puts->n_stages; i += 2)
        if (puts->stage[i].core == from && puts->stage[i + 1].core == to)
            return true;
    return false;
}

/* The mesh as remote puts: its cores as one row, and a put from where a message begins to each core
 * where a copy ends. In turn: those of one message go out one behind the other, and the hand keeps the
 * rest; else each put between two cores stands alone, and once. Returns their number. */
static inline int wait_puts(const struct wait_mesh *x, int depth, bool in_turn,
                            struct wait_mesh *out)
{
    memset(out, 0, sizeof *out);
    out->rows = out->n_channels = 1;
    out->cols = x->rows * x->cols;
    out->depth[0] = out->depth[1] = depth;
    for (int i = 0; i < x->n_stages; i++) {
        bool gets[WAIT_STAGES] = {false};
        int behind = -1;
        if (!x->stage[i].source)
            continue;
        wait_receivers(x, i, gets);
        for (int to = 0; to < out->cols; to++) {
            const int from = x->stage[i].core;
            if (to != from && gets[to] && (in_turn || !wait_has_put(out, from, to)))
                behind = wait_add_put(out, from, to, in_turn ? behind : -1);
        }
    }
    return out->n_stages / 2;
}

/* The least number of cores that put to each other in a circle; 0: there is none. */
static inline int wait_circle(const struct wait_mesh *puts)
{
    enum { FAR = 99 };
    static int dist[FAR][FAR];
    const int n = puts->cols;
    int best = FAR;
    for (int a = 0; a < n; a++)
        for (int b = 0; b < n; b++)
            dist[a][b] = FAR;
    for (int i = 0; i < puts->n_stages; i += 2)
        dist[puts->stage[i].core][puts->stage[i + 1].core] = 1;
    for (int k = 0; k < n; k++)
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                if (dist[a][k] + dist[k][b] < dist[a][b])
                    dist[a][b] = dist[a][k] + dist[k][b];
    for (int a = 0; a < n; a++)
        best = dist[a][a] < best ? dist[a][a] : best;
    return best == FAR ? 0 : best;
}

#endif
