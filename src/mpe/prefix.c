/* prefix.c -- see prefix.h. Slices are summed, and then each is run through from what stands
 * before it; a core alone does both at once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/prefix.h"

#include "shuffle/job.h"

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
    struct prefix *p = ((struct mw_job *)arg)->state;
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
    struct prefix *p = ((struct mw_job *)arg)->state;
    for (uint64_t s = self->id; s < SLICES; s += self->n) {
        const uint64_t first = start_of(p, s);
        run_through(p->x + first, start_of(p, s + 1) - first, p->before[s]);
    }
}

struct sweeps {
    mw_kernel *sum, *run;
};
static const struct sweeps none, host = {sum_slices, run_slices};
static const struct mw_kernel_table sweeps[] = {
    {"serial", &host}, {"host", &host}, {NULL, &none}};

#define SLICE .unit = "every n-th of 256 slices"

/* clang-format off */
const struct mw_row mw_prefix_row[MW_PREFIX_ROWS] = {
    [MW_PREFIX_SUM] = {.name = "sum slices",  .kernel = MW_ENTRY(sweeps, sum), .reads = "numbers", .writes = "sums of slices; one core alone: numbers", SLICE},
    [MW_PREFIX_RUN] = {.name = "run through", .kernel = MW_ENTRY(sweeps, run), .reads = "numbers, sums of slices", .writes = "numbers", SLICE},
};
/* clang-format on */
MW_STATIC_ASSERT(SLICES == 256, "the table says so");

static const struct mw_row_table table = {
    .row = mw_prefix_row, .n_rows = MW_PREFIX_ROWS, .sweeps = sweeps};

void mw_prefix_sum(struct mw_world *w, uint64_t *x, uint64_t n)
{
    struct prefix p = {.x = x, .n = n};
    mw_row_sweep(&table, MW_PREFIX_SUM, w, &p);
    if (p.done)
        return;
    run_through(p.before, SLICES + 1, 0);
    mw_row_sweep(&table, MW_PREFIX_RUN, w, &p);
}
