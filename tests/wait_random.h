/* wait_random.h -- random meshes, written twice: as a text for the tools, and stage by stage for the
 * naive explorer (wait_naive.h). Classes, tori with datelines, route sets, broadcasts, and all of them
 * in one mesh.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef WAIT_RANDOM_H
#define WAIT_RANDOM_H

#include "layout_text.h"
#include "wait_naive.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- a mesh, written twice ------------------------------------------------------------- */

struct twice {
    char text[8192];
    size_t n;
    struct wait_mesh mesh;
};

static void add(struct twice *t, const char *fmt, ...) MW_PRINTF(2, 3);
static void add(struct twice *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    t->n += (size_t)vsnprintf(t->text + t->n, sizeof t->text - t->n, fmt, args);
    va_end(args);
    MUST(t->n < sizeof t->text);
}

static int new_stage(struct wait_mesh *x, int core)
{
    MUST(x->n_stages < WAIT_STAGES);
    x->stage[x->n_stages] = (struct wait_stage){.core = core};
    return x->n_stages++;
}

static const char *const class_names[] = {"a", "b2", "c_3"};

static void begin(struct twice *t, uint64_t *dice, int rows, int cols)
{
    struct wait_mesh *x = &t->mesh;
    memset(t, 0, sizeof *t);
    x->rows = rows;
    x->cols = cols;
    x->n_channels = 1 + (int)roll(dice, 3);
    x->depth[0] = 1 + (roll(dice, 4) == 0);
    x->depth[1] = 1 + (roll(dice, 4) == 0);
    add(t, "mesh %d %d\nfifo row %d col %d\nclass", rows, cols, x->depth[0], x->depth[1]);
    for (int k = 0; k < x->n_channels; k++)
        add(t, "%s %s", k > 0 ? "," : "", class_names[k]);
    add(t, "\n");
}

/* A flow of 2 to 5 cores, each hop in some class. */
static void random_flow(struct twice *t, uint64_t *dice)
{
    struct wait_mesh *x = &t->mesh;
    const int n = 2 + (int)roll(dice, 4);
    int core = (int)roll(dice, (uint64_t)(x->rows * x->cols)), written = 0;
    int stage = new_stage(x, core);
    x->stage[stage].source = true;
    add(t, "flow %d,%d", core / x->cols, core % x->cols);
    for (int i = 1; i < n; i++) {
        const int channel = (int)roll(dice, (uint64_t)x->n_channels);
        int to;
        do
            to = (int)roll(dice, (uint64_t)(x->rows * x->cols));
        while (to == core ||
               (to / x->cols != core / x->cols && to % x->cols != core % x->cols));
        const int after = new_stage(x, to);
        x->stage[stage].way[x->stage[stage].n_ways++] =
            (struct wait_way){.n = 1, .stage = {after}, .channel = {channel}};
        if (channel != written)
            add(t, " class %s", class_names[channel]);
        add(t, " %d,%d", to / x->cols, to % x->cols);
        written = channel;
        core = to;
        stage = after;
    }
    add(t, "\n");
}

static void random_classes(struct twice *t, uint64_t *dice)
{
    begin(t, dice, 1 + (int)roll(dice, 2), 2 + (int)roll(dice, 2));
    for (int n = 1 + (int)roll(dice, 4); n > 0; n--)
        random_flow(t, dice);
}

/* ---- tori ------------------------------------------------------------------------------------ */

/* One dimension of a way: +1 or -1, and whether the edge lies on what is left of it. */
static int ring_step(int from, int to, int n, bool shorter)
{
    const int ahead = (to - from + n) % n;
    return !shorter || 2 * ahead <= n ? 1 : -1;
}

static int torus_stage(struct wait_mesh *x, int at, int sink, const bool shorter[2],
                       int channel[2][2])
{
    const int r = at / x->cols, c = at % x->cols, r2 = sink / x->cols,
              c2 = sink % x->cols;
    const int stage = new_stage(x, at);
    if (at == sink)
        return stage;
    const int axis = c == c2; /* first along the row */
    const int from = axis ? r : c, to = axis ? r2 : c2, n = axis ? x->rows : x->cols;
    const int step = ring_step(from, to, n, shorter[axis]);
    const bool edge_ahead = step > 0 ? to < from : to > from;
    const int place = (from + step + n) % n;
    const int next = axis ? place * x->cols + c : r * x->cols + place;
    const int after = torus_stage(x, next, sink, shorter, channel);
    x->stage[stage].way[x->stage[stage].n_ways++] = (struct wait_way){
        .n = 1, .stage = {after}, .channel = {channel[axis][!edge_ahead]}};
    return stage;
}

/* Sinks S, sources all: few enough for a search. */
static void random_torus(struct twice *t, uint64_t *dice)
{
    struct wait_mesh *x = &t->mesh;
    const int rows = 1 + (int)roll(dice, 2);
    begin(t, dice, rows, rows == 1 ? 3 + (int)roll(dice, 3) : 3);
    bool shorter[2];
    int channel[2][2], n_sinks = 0;
    char role[16];
    for (int v = 0; v < x->rows * x->cols; v++)
        n_sinks += (role[v] = "AAS"[roll(dice, 3)]) == 'S';
    role[0] = n_sinks == 0 ? 'S' : n_sinks == x->rows * x->cols ? 'A' : role[0];
    for (int r = 0; r < x->rows; r++)
        add(t, "roles %.*s\n", x->cols, role + r * x->cols);
    add(t, "source A\nsink S\n");
    for (int i = 0; i < 2; i++) {
        shorter[i] = roll(dice, 2) == 0;
        for (int k = 0; k < 2; k++)
            channel[i][k] = (int)roll(dice, (uint64_t)x->n_channels);
    }
    for (const char *a = "AS"; *a != '\0'; a++) {
        add(t, "route %c:", *a);
        for (int i = 0; i < 2; i++)
            add(t, " class %s|%s %s %s", class_names[channel[i][0]],
                class_names[channel[i][1]], i == 0 ? "row-to-col" : "col-to-row",
                shorter[i] ? "short" : "ring");
        add(t, "\n");
    }
    for (int a = 0; a < x->rows * x->cols; a++)
        for (int b = 0; b < x->rows * x->cols; b++)
            if (role[a] == 'A' && role[b] == 'S')
                x->stage[torus_stage(x, a, b, shorter, channel)].source = true;
}

/* ---- route sets ------------------------------------------------------------------------------ */

/* Directions as the test sees them. */
static const char compass[] = "NESW";
static const int row_step[] = {-1, 0, 1, 0}, col_step[] = {0, 1, 0, -1};

struct rules {
    bool forbidden[2][4][4]; /* [odd column][in][out] */
    bool escape, yx;
    int channel, escape_channel;
};

static bool is_nearer(const struct wait_mesh *x, int v, int to, int sink)
{
    const int r = v / x->cols, c = v % x->cols;
    const int far = abs(r - sink / x->cols) + abs(c - sink % x->cols);
    return abs(r + row_step[to] - sink / x->cols) +
               abs(c + col_step[to] - sink % x->cols) <
           far;
}

/* in 4: made here */
static bool can_come(const struct wait_mesh *x, const struct rules *u, int v, int in,
                     int sink)
{
    bool any = v == sink;
    for (int to = 0; to < 4 && !any; to++)
        any = is_nearer(x, v, to, sink) &&
              (in == 4 || !u->forbidden[v % x->cols % 2][in][to]) &&
              can_come(x, u, v + row_step[to] * x->cols + col_step[to], to, sink);
    return any;
}

static int stage_for(struct wait_mesh *x, const struct rules *u, int v, int in, int sink,
                     int known[5][16])
{
    if (known[in][v] > 0)
        return known[in][v] - 1;
    const int stage = new_stage(x, v);
    known[in][v] = stage + 1;
    for (int to = 0; to < 4 && v != sink; to++) {
        const int next = v + row_step[to] * x->cols + col_step[to];
        if (!is_nearer(x, v, to, sink))
            continue;
        const bool may = (in == 4 || !u->forbidden[v % x->cols % 2][in][to]) &&
                         can_come(x, u, next, to, sink);
        const bool along = to % 2 == 1;
        const bool other_left =
            u->yx ? v / x->cols != sink / x->cols : v % x->cols != sink % x->cols;
        if (may) {
            const int after = stage_for(x, u, next, to, sink, known);
            x->stage[stage].way[x->stage[stage].n_ways++] =
                (struct wait_way){.n = 1, .stage = {after}, .channel = {u->channel}};
        }
        if (u->escape && (along != u->yx || !other_left)) {
            const int after = stage_for(x, u, next, to, sink, known);
            x->stage[stage].way[x->stage[stage].n_ways++] = (struct wait_way){
                .n = 1, .stage = {after}, .channel = {u->escape_channel}};
        }
    }
    return stage;
}

static void forbid(struct rules *u, int odd, const char *turns)
{
    for (; *turns != '\0'; turns += turns[2] == ' ' ? 3 : 2)
        u->forbidden[odd][strchr(compass, turns[0]) - compass]
                    [strchr(compass, turns[1]) - compass] = true;
}

static const struct {
    const char *name, *even, *odd;
} named[] = {{"minimal", "", ""},
             {"west-first", "NW SW", "NW SW"},
             {"north-last", "NE NW", "NE NW"},
             {"negative-first", "EN SW", "EN SW"},
             {"odd-even", "EN ES", "NW SW"}};

/* The statement, and the same as rules. */
static void random_rules(struct twice *t, struct rules *u, uint64_t *dice)
{
    static const char *const turns[] = {"NE", "ES", "SW", "WN", "NW", "WS", "SE", "EN"};
    const int which = (int)roll(dice, 7);
    memset(u, 0, sizeof *u);
    add(t, "adaptive %s", which < 5 ? named[which].name : "forbid");
    if (which < 5) {
        forbid(u, 0, named[which].even);
        forbid(u, 1, named[which].odd);
    }
    for (int i = which < 5 ? 8 : (int)roll(dice, 2); i < 8; i += 1 + (int)roll(dice, 6)) {
        add(t, " %s", turns[i]);
        forbid(u, 0, turns[i]);
        forbid(u, 1, turns[i]);
    }
    u->channel = (int)roll(dice, (uint64_t)t->mesh.n_channels);
    if (u->channel > 0)
        add(t, " class %s", class_names[u->channel]);
    if (t->mesh.n_channels > 1 && roll(dice, 2) == 0) {
        u->escape = true;
        u->yx = roll(dice, 2) == 0;
        u->escape_channel = (u->channel + 1) % t->mesh.n_channels;
        add(t, " escape %s class %s", u->yx ? "yx" : "xy",
            class_names[u->escape_channel]);
    }
    add(t, "\n");
}

/* Sources S and B, sinks D and B. False: some pair has no way. */
static bool random_adaptive(struct twice *t, uint64_t *dice, bool all)
{
    struct wait_mesh *x = &t->mesh;
    struct rules u;
    char role[16];
    int n_pairs = 0;
    bool routable = true;
    begin(t, dice, 1 + (int)roll(dice, 3), 2 + (int)roll(dice, 2));
    const int n = x->rows * x->cols;
    while (n_pairs == 0) {
        n_pairs = 0;
        for (int v = 0; v < n; v++)
            role[v] = all ? 'B' : "....SDBS"[roll(dice, 8)];
        for (int a = 0; a < n; a++)
            for (int b = 0; b < n; b++)
                n_pairs += a != b && strchr("SB", role[a]) != NULL &&
                           strchr("DB", role[b]) != NULL;
    }
    for (int r = 0; r < x->rows; r++)
        add(t, "roles %.*s\n", x->cols, role + r * x->cols);
    add(t, "source %s\nsink %s\n",
        memchr(role, 'B', (size_t)n) == NULL   ? "S"
        : memchr(role, 'S', (size_t)n) == NULL ? "B"
                                               : "SB",
        memchr(role, 'B', (size_t)n) == NULL   ? "D"
        : memchr(role, 'D', (size_t)n) == NULL ? "B"
                                               : "DB");
    random_rules(t, &u, dice);
    for (int sink = 0; sink < n; sink++) {
        int known[5][16] = {{0}};
        for (int v = 0; v < n && strchr("DB", role[sink]) != NULL; v++)
            if (v != sink && strchr("SB", role[v]) != NULL) {
                routable &= can_come(x, &u, v, 4, sink);
                if (routable)
                    x->stage[stage_for(x, &u, v, 4, sink, known)].source = true;
            }
    }
    return routable;
}

/* ---- broadcasts ---------------------------------------------------------------------------------- */

static void legs(struct wait_mesh *x, int stage, int n_legs, const int *leg,
                 const int *channel)
{
    struct wait_way w = {.n = 0};
    const int from = x->stage[stage].core;
    if (n_legs == 0)
        return;
    for (int v = 0; v < x->rows * x->cols; v++) {
        const bool there =
            leg[0] == 0 ? v / x->cols == from / x->cols : v % x->cols == from % x->cols;
        if (!there || v == from)
            continue;
        w.stage[w.n] = new_stage(x, v);
        w.channel[w.n++] = channel[0];
    }
    x->stage[stage].way[x->stage[stage].n_ways++] = w;
    for (int i = 0; i < w.n; i++)
        legs(x, w.stage[i], n_legs - 1, leg + 1, channel + 1);
}

/* Legs that the mesh has, and few enough. */
static void random_broadcast(struct twice *t, uint64_t *dice)
{
    struct wait_mesh *x = &t->mesh;
    const int core = (int)roll(dice, (uint64_t)(x->rows * x->cols));
    const int n_legs = 1 + (int)roll(dice, x->cols > 3 ? 1 : 3),
              stage = new_stage(x, core);
    int leg[3], channel[3], written = 0;
    add(t, "broadcast %d,%d", core / x->cols, core % x->cols);
    for (int i = 0; i < n_legs; i++) {
        leg[i] = x->rows > 1 && roll(dice, 2) == 0;
        channel[i] = (int)roll(dice, (uint64_t)x->n_channels);
        if (channel[i] != written)
            add(t, " class %s", class_names[channel[i]]);
        written = channel[i];
        add(t, leg[i] == 0 ? " row" : " col");
    }
    add(t, "\n");
    x->stage[stage].source = true;
    legs(x, stage, n_legs, leg, channel);
}

static void random_broadcasts(struct twice *t, uint64_t *dice)
{
    begin(t, dice, 2, 2 + (int)roll(dice, 2));
    for (int n = (int)roll(dice, 3); n > 0; n--)
        random_flow(t, dice);
    for (int n = 1 + (int)roll(dice, 2); n > 0; n--)
        random_broadcast(t, dice);
}

/* ---- all in one ------------------------------------------------------------------------------ */

/* A route set, a torus or neither; flows and broadcasts beside it; all in classes. False: some pair has
 * no way. */
static bool random_mesh(struct twice *t, uint64_t *dice)
{
    enum { ROOM = WAIT_STAGES - 25 };
    const int base = (int)roll(dice, 5);
    bool routable = true;
    if (base < 2)
        routable = random_adaptive(t, dice, roll(dice, 8) == 0);
    else if (base == 2)
        random_torus(t, dice);
    else
        begin(t, dice, 1 + (int)roll(dice, 3), 2 + (int)roll(dice, 2));
    for (int n = (int)roll(dice, base < 3 ? 2 : 4); n > 0 && t->mesh.n_stages < ROOM; n--)
        random_flow(t, dice);
    for (int n = (int)roll(dice, base < 3 ? 2 : 3); n > 0 && t->mesh.n_stages < ROOM; n--)
        random_broadcast(t, dice);
    if (t->mesh.n_stages == 0)
        random_flow(t, dice);
    return routable;
}

#endif
