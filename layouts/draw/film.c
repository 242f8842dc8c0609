/* film.c -- frames at even distances, out of a stream of changes.
 *
 *      events  --e--e-------e-e--------e--->
 *      frames  |   0   |   1   |   2   |           each frame: what its cycles were like on average
 *
 * A snapshot would show whatever the mesh did in that one cycle: cores that work in step with
 * the frames would seem to stand still. So a frame says which share of its cycles a core spent
 * in each state, how full its FIFOs were on average, and whom it waited for longest.
 *
 * Invariant: frames 0 .. n_taken - 1 are final; core v's sums are of the cycles from the start
 * of frame n_taken, or of the run, up to since[v].
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/film.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

enum { N_FILLS = MW_N_CLASSES + 1 };

struct sums { /* of one core in the frame at work */
    uint64_t cycles[MW_N_CORE_STATES], fill[N_FILLS];
};

struct now { /* how a core stands, and since when */
    uint64_t since, state_since;
    uint32_t fill[N_FILLS];
    mw_core waits_for;
    uint8_t state;
};

struct mw_film {
    const struct mw_layout *l;
    uint64_t cycles;
    uint32_t n_frames, n_taken, n_cores, n_slots;
    uint32_t depth[N_FILLS];
    struct now *now;   /* owned, [cores] */
    struct sums *sums; /* owned, [cores] */
    uint64_t *waited;  /* owned, [cores][slots]: cycles, by the hop it waited for */
    struct mw_film_core *frame; /* owned, [frames + 1][cores]; the last: how it ended */
};

void mw_film_free(struct mw_film *f)
{
    if (f == NULL)
        return;
    MW_FREE_ALL(f->now, f->sums, f->waited, f->frame, f);
}

int mw_film_new(const struct mw_layout *l, uint64_t cycles, uint32_t n_frames,
                struct mw_film **out)
{
    int rc = MW_OK;
    struct mw_film *f;
    assert(n_frames >= 1 && cycles >= 1);
    MW_NEW(rc, f, "film", 1);
    f->l = l;
    f->cycles = cycles;
    f->n_frames = (uint32_t)mw_min(n_frames, cycles);
    f->n_cores = mw_mesh_cores(l);
    f->n_slots = l->rows + l->cols;
    f->depth[MW_ROW] = l->fifo[MW_ROW];
    f->depth[MW_COLUMN] = l->fifo[MW_COLUMN];
    f->depth[MW_N_CLASSES] = l->send;
    MW_NEW(rc, f->now, "film", f->n_cores);
    MW_NEW(rc, f->sums, "film", f->n_cores);
    MW_NEW(rc, f->waited, "film", (uint64_t)f->n_cores * f->n_slots);
    MW_NEW(rc, f->frame, "film", (uint64_t)(f->n_frames + 1) * f->n_cores);
    for (uint32_t v = 0; v < f->n_cores; v++)
        f->now[v] = (struct now){.waits_for = MW_NO_CORE, .state = MW_CORE_IDLE};
    *out = f;
    return MW_OK;
end:
    mw_film_free(f);
    return rc;
}

/* Whole and rest apart: cycles * i may not fit. */
uint64_t mw_film_moment(const struct mw_film *f, uint32_t i)
{
    const uint64_t n = f->n_frames;
    return f->cycles / n * i + f->cycles % n * i / n;
}

/* ---- taking ------------------------------------------------------------------------------- */

static struct mw_film_core *frame_of(const struct mw_film *f, uint32_t i)
{
    return f->frame + (size_t)i * f->n_cores;
}

/* Core v has stood as it does until this cycle. */
static void add_up(struct mw_film *f, uint32_t v, uint64_t until)
{
    struct now *now = &f->now[v];
    const uint64_t cycles = until - now->since;
    f->sums[v].cycles[now->state] += cycles;
    for (int k = 0; k < N_FILLS; k++)
        f->sums[v].fill[k] += cycles * now->fill[k];
    if (now->waits_for != MW_NO_CORE)
        f->waited[mw_hop_node(f->l, MW_LINK, (mw_core)v, now->waits_for)] += cycles;
    now->since = until;
}

static mw_core longest_wait(const struct mw_film *f, uint32_t v)
{
    const uint64_t *waited = f->waited + (size_t)v * f->n_slots;
    uint32_t most = 0;
    for (uint32_t slot = 1; slot < f->n_slots; slot++)
        if (waited[slot] > waited[most])
            most = slot;
    return waited[most] == 0 ? MW_NO_CORE
                             : mw_node_core(f->l, MW_LINK, v * f->n_slots + most);
}

/* The frame at work is over. */
static void take_frame(struct mw_film *f)
{
    const uint64_t from = mw_film_moment(f, f->n_taken),
                   to = mw_film_moment(f, f->n_taken + 1);
    struct mw_film_core *frame = frame_of(f, f->n_taken++);
    for (uint32_t v = 0; v < f->n_cores; v++) {
        add_up(f, v, to);
        for (int k = 0; k < MW_N_CORE_STATES; k++)
            frame[v].share[k] =
                (float)((double)f->sums[v].cycles[k] / (double)(to - from));
        for (int k = 0; k < N_FILLS; k++)
            frame[v].fill[k] = (float)((double)f->sums[v].fill[k] / (double)(to - from));
        frame[v].waits_for = longest_wait(f, v);
    }
    memset(f->sums, 0, f->n_cores * sizeof *f->sums);
    memset(f->waited, 0, (size_t)f->n_cores * f->n_slots * sizeof *f->waited);
}

static uint32_t seen(struct mw_film *f, int which, uint32_t fill)
{
    if (fill > f->depth[which])
        f->depth[which] = fill;
    return fill;
}

void mw_film_observe(void *film, const struct mw_sim_event *e)
{
    struct mw_film *f = film;
    struct now *now = &f->now[e->core];
    while (f->n_taken < f->n_frames && mw_film_moment(f, f->n_taken + 1) <= e->cycle)
        take_frame(f);
    add_up(f, e->core, e->cycle);
    if (e->state != now->state || e->waits_for != now->waits_for)
        now->state_since = e->cycle;
    now->fill[MW_ROW] = seen(f, MW_ROW, e->fill[MW_ROW]);
    now->fill[MW_COLUMN] = seen(f, MW_COLUMN, e->fill[MW_COLUMN]);
    now->fill[MW_N_CLASSES] = seen(f, MW_N_CLASSES, e->send_fill);
    now->waits_for = e->waits_for;
    now->state = e->state;
}

void mw_film_end(struct mw_film *f)
{
    while (f->n_taken < f->n_frames)
        take_frame(f);
    for (uint32_t v = 0; v < f->n_cores; v++) {
        struct mw_film_core *end = frame_of(f, f->n_frames) + v;
        *end = (struct mw_film_core){.waits_for = f->now[v].waits_for};
        end->share[f->now[v].state] = 1;
        for (int k = 0; k < N_FILLS; k++)
            end->fill[k] = (float)f->now[v].fill[k];
    }
}

/* ---- reading ------------------------------------------------------------------------------ */

uint32_t mw_film_frames(const struct mw_film *f)
{
    return f->n_frames;
}

const struct mw_film_core *mw_film_frame(const struct mw_film *f, uint32_t i)
{
    assert(f->n_taken == f->n_frames && i <= f->n_frames);
    return frame_of(f, i);
}

uint64_t mw_film_since(const struct mw_film *f, mw_core v)
{
    return f->now[v].state_since;
}

void mw_film_depths(const struct mw_film *f, uint32_t depth[MW_N_CLASSES + 1])
{
    memcpy(depth, f->depth, sizeof f->depth);
}
