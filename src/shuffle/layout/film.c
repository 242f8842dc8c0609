/* film.c -- frames at even moments, out of a stream of changes.
 *
 *      events  --e--e-------e-e--------e--->
 *      moments |      |      |      |      |       each frame: all events up to its cycle
 *
 * Invariant: frames 0 .. n_taken - 1 are final, and the later ones equal `now` so far.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/layout/film.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

struct mw_film {
    uint64_t cycles;
    uint32_t n_frames, n_taken, n_cores;
    uint32_t depth[MW_N_CLASSES + 1];
    struct mw_film_core *now, *frame; /* owned; [cores], [n_frames][cores] */
};

void mw_film_free(struct mw_film *f)
{
    if (f == NULL)
        return;
    mw_free(f->now);
    mw_free(f->frame);
    mw_free(f);
}

int mw_film_new(const struct mw_layout *l, uint64_t cycles, uint32_t n_frames,
                struct mw_film **out)
{
    int rc = MW_OK;
    struct mw_film *f;
    assert(n_frames >= 1);
    MW_NEW(rc, f, "film", 1);
    f->cycles = cycles;
    f->n_frames = n_frames;
    f->n_cores = mw_mesh_cores(l);
    f->depth[MW_ROW] = l->fifo[MW_ROW];
    f->depth[MW_COLUMN] = l->fifo[MW_COLUMN];
    f->depth[MW_N_CLASSES] = l->send;
    MW_NEW(rc, f->now, "film", f->n_cores);
    MW_NEW(rc, f->frame, "film", (uint64_t)n_frames * f->n_cores);
    for (uint32_t v = 0; v < f->n_cores; v++)
        f->now[v] = (struct mw_film_core){.waits_for = MW_NO_CORE, .state = MW_CORE_IDLE};
    *out = f;
    return MW_OK;
fail:
    mw_film_free(f);
    return rc;
}

/* Whole and rest apart: cycles * i may not fit. */
uint64_t mw_film_moment(const struct mw_film *f, uint32_t i)
{
    const uint64_t n = f->n_frames - 1;
    if (i >= n)
        return f->cycles;
    return f->cycles / n * i + f->cycles % n * i / n;
}

static uint16_t seen(struct mw_film *f, int which, uint32_t fill)
{
    if (fill > f->depth[which])
        f->depth[which] = fill;
    return (uint16_t)fill;
}

void mw_film_observe(void *film, const struct mw_sim_event *e)
{
    struct mw_film *f = film;
    struct mw_film_core *core = &f->now[e->core];
    for (; f->n_taken < f->n_frames && mw_film_moment(f, f->n_taken) < e->cycle;
         f->n_taken++)
        memcpy(f->frame + (size_t)f->n_taken * f->n_cores, f->now,
               f->n_cores * sizeof *f->now);
    core->fill[MW_ROW] = seen(f, MW_ROW, e->fill[MW_ROW]);
    core->fill[MW_COLUMN] = seen(f, MW_COLUMN, e->fill[MW_COLUMN]);
    core->send_fill = seen(f, MW_N_CLASSES, e->send_fill);
    core->waits_for = e->waits_for;
    core->state = e->state;
}

uint32_t mw_film_frames(const struct mw_film *f)
{
    return f->n_frames;
}

const struct mw_film_core *mw_film_frame(const struct mw_film *f, uint32_t i)
{
    return i < f->n_taken ? f->frame + (size_t)i * f->n_cores : f->now;
}

void mw_film_depths(const struct mw_film *f, uint32_t depth[MW_N_CLASSES + 1])
{
    memcpy(depth, f->depth, sizeof f->depth);
}
