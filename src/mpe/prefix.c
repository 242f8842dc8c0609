/* prefix.c -- see prefix.h. Slices are summed, and then each is run through from what stands
 * before it; a core alone does both at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/prefix.h"

enum { SLICES = 256 };

struct prefix {
    uint64_t *x, n;
    uint64_t before[SLICES + 1]; /* the sum of a slice, then of all before it */
    bool done;
};

static uint64_t start_of(const struct prefix *p, uint64_t slice)
{
    return p->n / SLICES * slice + mw_min(slice, p->n % SLICES);
}

static void run_through(uint64_t *x, uint64_t n, uint64_t sum)
{
    for (uint64_t i = 0; i < n; i++)
        x[i] = sum += x[i];
}

static void sum_slices(struct mw_cpe *self, void *arg)
{
    struct prefix *p = arg;
    if (self->n == 1) {
        run_through(p->x, p->n, 0);
        p->done = true;
        return;
    }
    for (uint64_t s = self->id; s < SLICES; s += self->n) {
        const uint64_t last = start_of(p, s + 1);
        uint64_t sum = 0;
        for (uint64_t i = start_of(p, s); i < last; i++)
            sum += p->x[i];
        p->before[s + 1] = sum;
    }
}

static void run_slices(struct mw_cpe *self, void *arg)
{
    struct prefix *p = arg;
    for (uint64_t s = self->id; s < SLICES; s += self->n) {
        const uint64_t first = start_of(p, s);
        run_through(p->x + first, start_of(p, s + 1) - first, p->before[s]);
    }
}

void mw_prefix_sum(struct mw_world *w, uint64_t *x, uint64_t n)
{
    struct prefix p = {.x = x, .n = n};
    mw_world_run(w, sum_slices, &p);
    if (p.done)
        return;
    run_through(p.before, SLICES + 1, 0);
    mw_world_run(w, run_slices, &p);
}
