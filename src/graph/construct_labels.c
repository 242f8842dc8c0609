/* construct_labels.c -- labels by falling degree, on all cores: kernel 1, step 2.
 *
 * Least significant digit first over the complement of the degree, so that equal degrees stay in
 * the order of the input. In each pass a core counts the digits of its share, all counts become
 * places in the output, digit by digit and within one core by core, and each core deals its
 * share out. The first pass goes over all places and leaves out those without an edge.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct_sizes.h"

#include "mpe/prefix.h"
#include "shuffle/job.h"

#include <string.h>

enum { DIGIT = MW_LABEL_DIGIT, DIGITS = 1 << DIGIT };

struct sorting {
    struct mw_graph *g;
    const uint32_t *degree;
    uint32_t most, shift;
    const uint32_t *in; /* NULL: all places */
    uint32_t *out;
    uint64_t n_in;
    uint64_t (*start)[DIGITS]; /* [n_cores] */
    uint32_t n_cores;
};

static struct sorting *sorting_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

void mw_construction_most(struct mw_cpe *self, void *arg)
{
    struct sorting *s = sorting_of(arg);
    uint64_t from, to;
    uint32_t most = 0;
    mw_share(self, 0, s->g->n_places, &from, &to);
    for (uint64_t i = from; i < to; i++)
        most = (uint32_t)mw_max(most, s->degree[i]);
    s->start[self->id][0] = most;
    if (self->id == 0)
        s->n_cores = self->n;
}

MW_FN uint32_t place_at(const struct sorting *s, uint64_t i)
{
    return s->in == NULL ? (uint32_t)i : s->in[i];
}

MW_FN uint32_t digit_of(const struct sorting *s, uint32_t place)
{
    return ((s->most - s->degree[place]) >> s->shift) % DIGITS;
}

void mw_construction_count_digits(struct mw_cpe *self, void *arg)
{
    struct sorting *s = sorting_of(arg);
    uint64_t *n = s->start[self->id], from, to;
    mw_share(self, 0, s->n_in, &from, &to);
    memset(n, 0, sizeof *s->start);
    for (uint64_t i = from; i < to; i++) {
        const uint32_t place = place_at(s, i);
        if (s->degree[place] > 0)
            n[digit_of(s, place)]++;
    }
}

/* Counts become places in the output; returns how many there are. */
static uint64_t make_starts(struct sorting *s)
{
    uint64_t sum = 0;
    for (uint32_t d = 0; d < DIGITS; d++)
        for (uint32_t core = 0; core < s->n_cores; core++) {
            const uint64_t here = s->start[core][d];
            s->start[core][d] = sum;
            sum += here;
        }
    return sum;
}

void mw_construction_deal_out(struct mw_cpe *self, void *arg)
{
    struct sorting *s = sorting_of(arg);
    uint64_t *at = s->start[self->id], from, to;
    mw_share(self, 0, s->n_in, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        const uint32_t place = place_at(s, i);
        if (s->degree[place] > 0)
            s->out[at[digit_of(s, place)]++] = place;
    }
}

/* No word has two writers: a place either has a label or none. */
void mw_construction_labels(struct mw_cpe *self, void *arg)
{
    const struct sorting *s = sorting_of(arg);
    struct mw_graph *g = s->g;
    uint64_t from, to;
    mw_share(self, 0, g->n_places / 64 + 1, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        const uint64_t end = mw_min(64 * (w + 1), g->n_places);
        uint64_t bits = 0;
        for (uint64_t p = 64 * w; p < end; p++)
            if (s->degree[p] > 0)
                bits |= UINT64_C(1) << (p % 64);
            else
                g->label_of[p] = MW_NO_LABEL;
        g->connected[w] = bits;
        if (w < g->n_places / 64)
            g->n_before[w + 1] = (uint64_t)__builtin_popcountll(bits);
    }
    mw_share(self, 0, g->n_labels, &from, &to);
    for (uint64_t l = from; l < to; l++) {
        g->place_of[l] = s->in[l];
        g->label_of[s->in[l]] = (uint32_t)l;
    }
}

static void sweep(struct mw_construction *c, enum mw_construction_rows row,
                  struct sorting *s)
{
    mw_row_sweep(&mw_construction_table, row, c->world, s);
}

int mw_construction_label(struct mw_construction *c, const uint32_t *degree)
{
    int rc = MW_OK;
    struct mw_graph *g = c->g;
    uint32_t *order[2] = {NULL, NULL};
    struct sorting s = {.g = g, .degree = degree, .n_in = g->n_places};
    struct mw_sizes sizes;

    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, order[0], &sizes, "places by degree");
    MW_TAKE(rc, order[1], &sizes, "places by degree");
    MW_TAKE(rc, s.start, &sizes, "counts of digits");
    sweep(c, MW_CONSTRUCTION_MOST, &s);
    for (uint32_t core = 0; core < s.n_cores; core++)
        s.most = (uint32_t)mw_max(s.most, s.start[core][0]);
    do {
        sweep(c, MW_CONSTRUCTION_COUNT_DIGITS, &s);
        s.out = order[s.in == order[0]];
        const uint64_t n = make_starts(&s);
        sweep(c, MW_CONSTRUCTION_DEAL_OUT, &s);
        s.in = s.out;
        s.n_in = n;
        s.shift += DIGIT;
    } while (s.shift < mw_bits_for((uint64_t)s.most + 1));
    g->n_labels = (uint32_t)s.n_in;
    mw_construction_sizes(c, &sizes);
    MW_TAKE(rc, g->place_of, &sizes, "place of each label");
    MW_TAKE(rc, g->label_of, &sizes, "label of each place");
    MW_TAKE(rc, g->connected, &sizes, "connected places");
    MW_TAKE(rc, g->n_before, &sizes, "connected places before");
    sweep(c, MW_CONSTRUCTION_LABELS, &s);
    mw_prefix_sum(c->world, g->n_before, g->n_places / 64 + 1);
end:
    MW_FREE_ALL(order[0], order[1], s.start);
    return rc;
}
