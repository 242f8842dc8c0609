/* fill.c -- see fill.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/fill.h"

#include "base/mem.h"

#include <string.h>

struct spot {
    uint32_t buffer, code;
};

struct route { /* source s passes the buffer at spot number `at` of its path */
    uint32_t s, at;
};

struct removal { /* n messages, taken back from spot `at` of source s */
    struct route route;
    uint32_t n;
};

struct plan {
    uint32_t n_cycle, n_removals;
    uint64_t n_steps;
    uint32_t *cycle;         /* owned; [n_buffers] */
    struct removal *removal; /* owned; [2 * n_buffers]: the others, then the head */
};

struct filler {
    const struct mw_net *net;
    uint64_t inflight;

    uint32_t *path_first; /* [n_sources + 1] into path */
    struct spot *path;
    uint32_t *route_first; /* [n_buffers + 1] into route */
    struct route *route;

    bool *alive;            /* the buffer can be on a cycle */
    uint32_t *from, *queue; /* breadth first; from: NONE if not met */
    uint32_t *fill;         /* messages left in a buffer */
    struct plan plan, best; /* best.n_cycle == 0: none yet */
};

#define NONE UINT32_MAX

/* ---- paths ----------------------------------------------------------------------------- */

/* The spots of source s; counts them if path is NULL. */
static uint32_t walk(const struct mw_net *net, uint32_t s, struct spot *path)
{
    struct mw_move at = {net->source[s].to, net->source[s].code};
    uint32_t n = 0;
    for (; at.code != 0; at = *mw_net_move(net, at.to, at.code), n++)
        if (path != NULL)
            path[n] = (struct spot){at.to, at.code};
    return n;
}

static int make_paths(struct filler *f)
{
    const struct mw_net *net = f->net;
    MW_NEED_NEW(f->path_first, "routes", net->n_sources + 1);
    for (uint32_t s = 0; s < net->n_sources; s++)
        f->path_first[s + 1] = f->path_first[s] + walk(net, s, NULL);
    MW_NEED_NEW(f->path, "routes", f->path_first[net->n_sources]);
    for (uint32_t s = 0; s < net->n_sources; s++)
        walk(net, s, f->path + f->path_first[s]);
    return MW_OK;
}

/* The routes through each buffer: a counting sort. */
static int make_routes(struct filler *f)
{
    const struct mw_net *net = f->net;
    const uint32_t n = f->path_first[net->n_sources];
    uint32_t *first;
    MW_NEED_NEW(f->route_first, "routes", net->n_buffers + 2);
    MW_NEED_NEW(f->route, "routes", n);
    first = f->route_first + 1; /* while filling, the first free one of a buffer */
    for (uint32_t i = 0; i < n; i++)
        if (f->path[i].buffer + 1 < net->n_buffers)
            first[f->path[i].buffer + 1]++;
    for (uint32_t p = 1; p < net->n_buffers; p++)
        first[p] += first[p - 1];
    for (uint32_t s = 0; s < net->n_sources; s++)
        for (uint32_t i = f->path_first[s]; i < f->path_first[s + 1]; i++)
            f->route[first[f->path[i].buffer]++] =
                (struct route){s, i - f->path_first[s]};
    return MW_OK;
}

/* ---- cycles of the buffer graph ------------------------------------------------------------ */

static bool leads_on(const struct filler *f, uint32_t p)
{
    const struct mw_net_buffer *buffer = &f->net->buffer[p];
    for (uint32_t m = buffer->first; m < buffer->first + buffer->n_messages; m++)
        if (f->alive[f->net->move[m].to])
            return true;
    return false;
}

/* Leaves alive what leads to a cycle. */
static void peel(struct filler *f)
{
    bool changed = true;
    for (uint32_t p = 0; p < f->net->n_buffers; p++)
        f->alive[p] = true;
    while (changed) {
        changed = false;
        for (uint32_t p = f->net->n_buffers; p-- > 0;)
            if (f->alive[p] && !leads_on(f, p)) {
                f->alive[p] = false;
                changed = true;
            }
    }
}

/* The cycle that can be filled for sure (fill.h) into f->plan; false: there is none.
 * Here queue[p] is t(p) + 1, and from[p] the buffer that its flow goes on to. */
static bool find_sure_cycle(struct filler *f)
{
    const struct mw_net *net = f->net;
    uint32_t p = 0;
    memset(f->queue, 0, net->n_buffers * sizeof *f->queue);
    for (uint32_t s = 0; s < net->n_sources; s++)
        for (uint32_t i = f->path_first[s]; i < f->path_first[s + 1]; i++) {
            const struct spot at = f->path[i];
            const uint32_t to = mw_net_move(net, at.buffer, at.code)->to;
            const uint32_t t = i - f->path_first[s] + 1;
            if (!f->alive[to] || (f->queue[at.buffer] != 0 && f->queue[at.buffer] <= t))
                continue;
            f->queue[at.buffer] = t;
            f->from[at.buffer] = to;
        }
    while (p < net->n_buffers && !f->alive[p])
        p++;
    if (p == net->n_buffers)
        return false;
    for (uint32_t i = 0; i < net->n_buffers; i++)
        p = f->from[p]; /* on the cycle by now */
    f->plan.n_cycle = 0;
    for (uint32_t at = p; f->plan.n_cycle == 0 || at != p; at = f->from[at])
        f->plan.cycle[f->plan.n_cycle++] = at;
    return true;
}

/* A shortest cycle p -> t -> ... -> p into f->plan; false: none. */
static bool find_cycle(struct filler *f, uint32_t p, uint32_t t)
{
    uint32_t n = 0, done = 0;
    memset(f->from, 0xFF, f->net->n_buffers * sizeof *f->from);
    f->from[t] = t;
    f->queue[n++] = t;
    while (done < n && f->from[p] == NONE) {
        const uint32_t at = f->queue[done++];
        const struct mw_net_buffer *buffer = &f->net->buffer[at];
        for (uint32_t m = buffer->first; m < buffer->first + buffer->n_messages; m++) {
            const uint32_t to = f->net->move[m].to;
            if (!f->alive[to] || f->from[to] != NONE)
                continue;
            f->from[to] = at;
            f->queue[n++] = to;
        }
    }
    if (f->from[p] == NONE)
        return false;
    f->plan.n_cycle = 1;
    for (uint32_t at = p; at != t; at = f->from[at])
        f->plan.n_cycle++;
    for (uint32_t at = p, i = f->plan.n_cycle; i-- > 0; at = f->from[at])
        f->plan.cycle[i] = at;
    return true; /* t first, p last */
}

/* ---- emptying a cycle ------------------------------------------------------------------------ */

static bool route_is_free(const struct filler *f, struct route w)
{
    const struct spot *spot = f->path + f->path_first[w.s];
    for (uint32_t i = 0; i < w.at; i++)
        if (f->fill[spot[i].buffer] > 0)
            return false;
    return true;
}

/* The shortest free route back from buffer p; of a message that goes on to `next`, if given. */
static bool find_route(const struct filler *f, uint32_t p, uint32_t next,
                       struct route *out)
{
    bool found = false;
    for (uint32_t i = f->route_first[p]; i < f->route_first[p + 1]; i++) {
        const struct route w = f->route[i];
        const struct spot spot = f->path[f->path_first[w.s] + w.at];
        if ((next != NONE && mw_net_move(f->net, p, spot.code)->to != next) ||
            (found && w.at >= out->at) || !route_is_free(f, w))
            continue;
        *out = w;
        found = true;
    }
    return found;
}

static void take_back(struct filler *f, uint32_t p, struct route w, uint32_t n)
{
    f->plan.removal[f->plan.n_removals++] = (struct removal){w, n};
    f->plan.n_steps += (uint64_t)n * (w.at + 1);
    f->fill[p] -= n;
}

/* Takes back what can be from one buffer; true: anything. */
static bool drain(struct filler *f, uint32_t p, uint32_t next)
{
    struct route w;
    const uint32_t before = f->fill[p];
    if (before > 1 && find_route(f, p, NONE, &w))
        take_back(f, p, w, before - 1);
    if (f->fill[p] == 1) {
        f->fill[p] = 0; /* its own route may lead through the buffer it leaves */
        const bool free = find_route(f, p, next, &w);
        f->fill[p] = 1;
        if (free)
            take_back(f, p, w, 1);
    }
    return f->fill[p] < before;
}

static bool drain_cycle(struct filler *f)
{
    struct plan *plan = &f->plan;
    uint64_t messages = 0;
    bool any = true, empty = false;
    plan->n_removals = 0;
    plan->n_steps = 0;
    memset(f->fill, 0, (f->net->n_buffers + 2) * sizeof *f->fill);
    for (uint32_t i = 0; i < plan->n_cycle; i++)
        messages += f->fill[plan->cycle[i]] = f->net->buffer[plan->cycle[i]].capacity;
    if (f->inflight > 0 && messages > f->inflight)
        return false;
    while (any && !empty) {
        any = false;
        empty = true;
        for (uint32_t i = 0; i < plan->n_cycle; i++) {
            const uint32_t p = plan->cycle[i];
            if (f->fill[p] > 0 && drain(f, p, plan->cycle[(i + 1) % plan->n_cycle]))
                any = true;
            empty &= f->fill[p] == 0;
        }
    }
    return empty;
}

/* Keeps the plan if it is the first or has the fewest steps. */
static void consider(struct filler *f)
{
    if (f->best.n_cycle > 0 && f->best.n_steps <= f->plan.n_steps)
        return;
    const struct plan worse = f->best;
    f->best = f->plan;
    f->plan = worse;
}

static void try_cycles(struct filler *f)
{
    const struct mw_net *net = f->net;
    uint32_t tried = 0;
    for (uint32_t p = 0; p < net->n_buffers; p++) {
        const struct mw_net_buffer *buffer = &net->buffer[p];
        for (uint32_t m = buffer->first; m < buffer->first + buffer->n_messages; m++) {
            const uint32_t to = net->move[m].to;
            bool again = !f->alive[p] || !f->alive[to];
            for (uint32_t i = buffer->first; i < m && !again; i++)
                again = net->move[i].to == to;
            if (again)
                continue;
            if (tried++ == MW_FILL_CYCLES_MAX)
                return;
            if (find_cycle(f, p, to) && drain_cycle(f))
                consider(f);
        }
    }
}

/* ---- the trace ---------------------------------------------------------------------------------- */

static int write_steps(const struct filler *f, struct mw_step **out)
{
    const struct mw_net *net = f->net;
    struct mw_step *step;
    uint64_t n = 0;
    MW_NEED_NEW(step, "trace", f->best.n_steps);
    for (uint32_t r = f->best.n_removals; r-- > 0;) {
        const struct removal *back = &f->best.removal[r];
        const struct spot *spot = f->path + f->path_first[back->route.s];
        for (uint32_t i = 0; i < back->n; i++) {
            step[n++] = mw_net_inject_step(net, back->route.s);
            for (uint32_t at = 0; at < back->route.at; at++)
                step[n++] = mw_net_move_step(net, spot[at].buffer, spot[at].code);
        }
    }
    *out = step;
    return MW_OK;
}

static int plan_init(struct plan *plan, uint32_t n_buffers)
{
    MW_NEED_NEW(plan->cycle, "a cycle", n_buffers);
    MW_NEED_NEW(plan->removal, "a cycle", 2 * (uint64_t)n_buffers);
    return MW_OK;
}

static void filler_fini(struct filler *f)
{
    MW_FREE_ALL(f->path_first, f->path, f->route_first, f->route, f->alive, f->from,
                f->queue, f->fill, f->plan.cycle, f->plan.removal, f->best.cycle,
                f->best.removal);
}

int mw_net_fill(const struct mw_net *net, uint64_t inflight, struct mw_step **step,
                uint64_t *n_steps, uint32_t *on_cycle, uint32_t *n_on_cycle)
{
    int rc = MW_OK;
    struct filler f = {.net = net, .inflight = inflight};
    const uint64_t n = (uint64_t)net->n_buffers + 2;
    MW_TRY(rc, make_paths(&f));
    MW_TRY(rc, make_routes(&f));
    MW_NEW(rc, f.alive, "cycles", n);
    MW_NEW(rc, f.from, "cycles", n);
    MW_NEW(rc, f.queue, "cycles", n);
    MW_NEW(rc, f.fill, "cycles", n);
    MW_TRY(rc, plan_init(&f.plan, net->n_buffers));
    MW_TRY(rc, plan_init(&f.best, net->n_buffers));
    peel(&f);
    if (find_sure_cycle(&f) && drain_cycle(&f))
        consider(&f);
    try_cycles(&f);
    rc = MW_DONE;
    if (f.best.n_cycle > 0) {
        MW_TRY(rc, write_steps(&f, step));
        *n_steps = f.best.n_steps;
        *n_on_cycle = f.best.n_cycle;
        memcpy(on_cycle, f.best.cycle, f.best.n_cycle * sizeof *on_cycle);
    }
end:
    filler_fini(&f);
    return rc;
}
