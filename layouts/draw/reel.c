/* reel.c -- films as JSON objects:
 *
 *      kind      "run" or "trace"
 *      depth     [row, column, send] of the FIFOs
 *      moments   n + 1: frame i is of the cycles moments[i] .. moments[i + 1] - 1
 *      share, fill, waits   per frame one string each, below; one frame more, how it ended, if
 *                `end` is true
 *      cycle     the cores that wait for each other in the end; [] if there is no deadlock
 *      closed    the cycle from which on they do
 *      says      trace: per frame what its last step did; also: model, steps, shortest
 *
 * The strings have digits of base 64 (0-9 A-Z a-z - _). share has four a core: of the frame's
 * time busy, blocked, waiting for memory, ended, 63 being all of it; the rest is idle. fill has
 * three: row, column, send, 63 being full. waits has two for each core that was blocked in the
 * frame: the core it waited for longest. What is more than nothing and less than all is never
 * written as nothing or all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/scene.h"

#include "base/mem.h"
#include "layouts/draw/escape.h"
#include "layouts/draw/film.h"

#include <assert.h>
#include <inttypes.h>
#include <string.h>

enum {
    LEVELS = 63,
    TRACE_FRAMES = 400, /* of a longer trace, frames are several steps */
    SAID = 160          /* letters about a step */
};

static const char digits[LEVELS + 2] =
    "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";

struct reel {
    const struct mw_film *film;
    uint32_t n_cores;
    uint32_t depth[MW_N_CLASSES + 1];
    const mw_core *cycle; /* [n_cycle] */
    uint32_t n_cycle;
    uint64_t closed;
    FILE *out;
};

/* ---- frames ------------------------------------------------------------------------------- */

static char level(double share)
{
    if (share <= 0)
        return digits[0];
    if (share >= 1)
        return digits[LEVELS];
    const int n = (int)(share * LEVELS + 0.5);
    return digits[n == 0 ? 1 : n == LEVELS ? LEVELS - 1 : n];
}

static void put_shares(const struct reel *r, const struct mw_film_core *core)
{
    static const uint8_t order[] = {MW_CORE_BUSY, MW_CORE_BLOCKED, MW_CORE_DMA,
                                    MW_CORE_ENDED};
    for (uint32_t v = 0; v < r->n_cores; v++)
        for (size_t k = 0; k < sizeof order; k++)
            fputc(level((double)core[v].share[order[k]]), r->out);
}

static void put_fills(const struct reel *r, const struct mw_film_core *core)
{
    for (uint32_t v = 0; v < r->n_cores; v++)
        for (int k = 0; k <= MW_N_CLASSES; k++)
            fputc(level(r->depth[k] == 0 ? 0 : (double)core[v].fill[k] / r->depth[k]),
                  r->out);
}

/* A blocked core that waits for no one is written as waiting for itself. */
static void put_waits(const struct reel *r, const struct mw_film_core *core)
{
    for (uint32_t v = 0; v < r->n_cores; v++)
        if (core[v].share[MW_CORE_BLOCKED] > 0) {
            const uint32_t whom = core[v].waits_for == MW_NO_CORE ? v : core[v].waits_for;
            fputc(digits[whom / 64], r->out);
            fputc(digits[whom % 64], r->out);
        }
}

static void put_frames(const struct reel *r, const char *key, uint32_t n_frames,
                       void (*put)(const struct reel *r, const struct mw_film_core *core))
{
    fprintf(r->out, ",\n\"%s\":[", key);
    for (uint32_t i = 0; i < n_frames; i++) {
        fprintf(r->out, "%s\"", i > 0 ? ",\n" : "");
        put(r, mw_film_frame(r->film, i));
        fputc('"', r->out);
    }
    fputc(']', r->out);
}

/* How a deadlock ended is a frame of its own where the last one is an average; without a
 * deadlock the end is a cycle like any other. */
static void put_reel(const struct reel *r, const char *kind)
{
    const uint32_t n = mw_film_frames(r->film);
    const bool end = r->n_cycle > 0 && mw_film_moment(r->film, n) > n;
    fprintf(r->out,
            "{\"kind\":\"%s\",\"depth\":[%u,%u,%u],\"end\":%s,\"closed\":%" PRIu64, kind,
            r->depth[MW_ROW], r->depth[MW_COLUMN], r->depth[MW_N_CLASSES],
            end ? "true" : "false", r->closed);
    fprintf(r->out, ",\"cycle\":[");
    for (uint32_t i = 0; i < r->n_cycle; i++)
        fprintf(r->out, "%s%u", i > 0 ? "," : "", r->cycle[i]);
    fprintf(r->out, "],\"moments\":[");
    for (uint32_t i = 0; i <= n; i++)
        fprintf(r->out, "%s%" PRIu64, i > 0 ? "," : "", mw_film_moment(r->film, i));
    fputc(']', r->out);
    put_frames(r, "share", n + end, put_shares);
    put_frames(r, "fill", n + end, put_fills);
    put_frames(r, "waits", n + end, put_waits);
}

/* ---- the simulation's --------------------------------------------------------------------- */

static void put_run(const struct mw_scene *s, FILE *out)
{
    struct reel r = {.film = s->picture->film,
                     .n_cores = mw_mesh_cores(s->layout),
                     .cycle = s->cycle,
                     .n_cycle = s->met ? s->n_cycle : 0,
                     .out = out};
    mw_film_depths(r.film, r.depth);
    for (uint32_t i = 0; i < r.n_cycle; i++)
        r.closed = mw_max(r.closed, mw_film_since(r.film, r.cycle[i]));
    put_reel(&r, "run");
    fputc('}', out);
}

/* ---- the trace's -------------------------------------------------------------------------- */

struct narrator {
    const struct mw_film *film;
    uint32_t n; /* frames told */
    char (*said)[SAID];
};

/* The last step of a frame is told. */
static void tell_step(void *arg, uint64_t step, const char *what)
{
    struct narrator *t = arg;
    if (step + 1 == mw_film_moment(t->film, t->n + 1))
        snprintf(t->said[t->n++], SAID, "%s", what);
}

static void put_said(const struct narrator *t, const struct mw_picture *p, FILE *out)
{
    fprintf(out, ",\n\"model\":\"%s\",\"steps\":%" PRIu64 ",\"shortest\":%s,\"says\":[",
            mw_mesh_model_names[p->trace->model], p->trace->n_steps,
            p->shortest ? "true" : "false");
    for (uint32_t i = 0; i < t->n; i++) {
        fprintf(out, "%s\"", i > 0 ? ",\n" : "");
        mw_escape_json(t->said[i], out);
        fputc('"', out);
    }
    fprintf(out, "]}");
}

static int put_trace(const struct mw_scene *s, FILE *out)
{
    int rc = MW_OK;
    const struct mw_trace *t = s->picture->trace;
    struct mw_film *film = NULL;
    mw_mesh_node *node = NULL;
    mw_core *cycle = NULL;
    struct narrator narrator = {0};
    struct reel r = {
        .n_cores = mw_mesh_cores(s->layout), .closed = t->n_steps, .out = out};
    MW_NEW(rc, node, "cycle", mw_mesh_nodes(s->layout, t->model));
    MW_TRY(rc, mw_film_new(s->layout, t->n_steps + 1, TRACE_FRAMES, &film));
    MW_NEW(rc, narrator.said, "steps", mw_film_frames(film));
    narrator.film = film;
    tell_step(&narrator, 0, "The mesh is empty");
    const struct mw_watch watch = {mw_film_observe, film, tell_step, &narrator};
    MW_TRY(rc, mw_trace_watch(s->layout, t, &watch, node, &r.n_cycle));
    mw_film_end(film);
    MW_NEW(rc, cycle, "cycle", r.n_cycle);
    for (uint32_t i = 0; i < r.n_cycle; i++)
        cycle[i] = mw_node_core(s->layout, t->model, node[i]);
    r.film = film;
    r.cycle = cycle;
    mw_film_depths(film, r.depth);
    r.depth[MW_N_CLASSES] = t->send;
    put_reel(&r, "trace");
    put_said(&narrator, s->picture, out);
end:
    MW_FREE_ALL(narrator.said, node, cycle);
    mw_film_free(film);
    return rc;
}

/* ---- both --------------------------------------------------------------------------------- */

int mw_reels_print(const struct mw_scene *s, FILE *out)
{
    int rc = MW_OK;
    const struct mw_picture *p = s->picture;
    fprintf(out, "\"films\":[");
    if (p->film != NULL)
        put_run(s, out);
    fputs(p->film != NULL && p->trace != NULL ? ",\n" : "", out);
    if (p->trace != NULL)
        rc = put_trace(s, out);
    fputc(']', out);
    return rc;
}
