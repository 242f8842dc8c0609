/* latency.c -- see latency.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/sim/latency.h"

#include "base/mem.h"

#include <string.h>

const char *const mw_latency_end_names[MW_N_LATENCY_ENDS] = {"none", "drained", "open",
                                                             "unstable", "deadlock"};

/* ---- histograms ------------------------------------------------------------------------- */

struct histogram {
    uint64_t sum, most, least;
    uint64_t count[MW_LATENCY_BINS];
};

uint64_t mw_latency_bin_low(uint32_t bin)
{
    if (bin < UINT32_C(1) << MW_LATENCY_EXACT_BITS)
        return bin;
    const uint32_t shift = bin / MW_LATENCY_STEPS - 1;
    return (uint64_t)(bin - shift * MW_LATENCY_STEPS) << shift;
}

MW_FN uint32_t bin_of(uint64_t cycles)
{
    if (MW_LIKELY(cycles < UINT64_C(1) << MW_LATENCY_EXACT_BITS))
        return (uint32_t)cycles;
    const uint32_t shift = 64 - MW_LATENCY_EXACT_BITS - (uint32_t)__builtin_clzll(cycles);
    return shift * MW_LATENCY_STEPS + (uint32_t)(cycles >> shift);
}

uint32_t mw_latency_bin(uint64_t cycles)
{
    return bin_of(cycles);
}

/* `n` is counted at the end, from the steps; `least` is kept as its complement, which is most. */
MW_FN void add(struct histogram *h, uint64_t cycles)
{
    h->most = mw_max(h->most, cycles);
    h->least = mw_max(h->least, ~cycles);
    h->sum += cycles;
    h->count[bin_of(cycles)]++;
}

static void merge(struct histogram *to, const struct histogram *h)
{
    to->most = mw_max(to->most, h->most);
    to->least = mw_max(to->least, h->least);
    to->sum += h->sum;
    for (uint32_t i = 0; i < MW_LATENCY_BINS; i++)
        to->count[i] += h->count[i];
}

static uint64_t count_of(const struct histogram *h)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < MW_LATENCY_BINS; i++)
        n += h->count[i];
    return n;
}

static struct mw_delay delay_of(const struct histogram *h, uint64_t n)
{
    static const uint64_t percent[] = {50, 95, 99};
    struct mw_delay d = {.least = n > 0 ? ~h->least : 0, .most = h->most};
    uint64_t *const quantile[] = {&d.p50, &d.p95, &d.p99};
    uint64_t sum = 0;
    if (n == 0)
        return d;
    d.mean = (double)h->sum / (double)n;
    for (uint32_t i = 0, q = 0; i < MW_LATENCY_BINS && q < 3; i++)
        for (sum += h->count[i]; q < 3 && sum * 100 >= percent[q] * n; q++)
            *quantile[q] = mw_max(mw_latency_bin_low(i), d.least);
    return d;
}

/* ---- the meter ----------------------------------------------------------------------------- */

enum { LETTERS = 1 + 'Z' - 'A' + 1, NO_CLASS = UINT16_MAX }; /* '.' is 0 */

struct pair {
    struct histogram created, injected;
};

struct mw_latency_meter {
    const struct mw_layout *l;
    uint32_t n_classes;
    uint16_t class_of[LETTERS][LETTERS];
    uint8_t letter[MW_MESH_CORES_MAX]; /* of each core */
    struct pair *pair;                 /* [n_classes], owned; by letters */
};

static uint32_t letter_of(const struct mw_layout *l, mw_core v)
{
    return l->role[v] == '.' ? 0 : 1 + (uint32_t)(l->role[v] - 'A');
}

/* Marks the pairs of roles that flows join. */
static void mark_pairs(struct mw_latency_meter *m)
{
    const struct mw_layout *l = m->l;
    bool sinks[LETTERS] = {false};
    for (uint32_t k = 0; k < l->n_sinks; k++)
        sinks[letter_of(l, l->sink[k])] = true;
    for (uint32_t i = 0; i < l->n_sources; i++)
        for (uint32_t k = 0; k < LETTERS; k++)
            if (sinks[k])
                m->class_of[letter_of(l, l->source[i])][k] = 0;
    for (uint32_t i = 0; i < l->n_broadcasts; i++) /* to any core */
        for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
            m->class_of[letter_of(l, l->broadcast[i].core)][letter_of(l, (mw_core)v)] = 0;
    for (uint64_t i = 0; i < l->n_listed; i++)
        m->class_of[letter_of(l, l->listed_core[l->listed_first[i]])]
                   [letter_of(l, l->listed_core[l->listed_first[i + 1] - 1])] = 0;
}

int mw_latency_meter_new(const struct mw_layout *l, struct mw_latency_meter **out)
{
    int rc = MW_OK;
    struct mw_latency_meter *m;
    *out = NULL;
    MW_NEW(rc, m, "latencies", 1);
    m->l = l;
    memset(m->class_of, 0xff, sizeof m->class_of);
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        m->letter[v] = (uint8_t)letter_of(l, (mw_core)v);
    mark_pairs(m);
    for (uint32_t i = 0; i < LETTERS; i++)
        for (uint32_t k = 0; k < LETTERS; k++)
            if (m->class_of[i][k] != NO_CLASS)
                m->class_of[i][k] = (uint16_t)m->n_classes++;
    MW_NEW(rc, m->pair, "latencies", m->n_classes);
    *out = m;
    return MW_OK;
end:
    mw_latency_meter_free(m);
    return rc;
}

void mw_latency_meter_free(struct mw_latency_meter *m)
{
    if (m == NULL)
        return;
    MW_FREE_ALL(m->pair, m);
}

void mw_latency_meter_add(struct mw_latency_meter *m, mw_core source, mw_core sink,
                          uint64_t created, uint64_t injected)
{
    struct pair *p = &m->pair[m->class_of[m->letter[source]][m->letter[sink]]];
    add(&p->created, created);
    add(&p->injected, injected);
}

static struct mw_latency_class class_of(const struct pair *p, uint32_t source,
                                        uint32_t sink)
{
    const uint64_t n = count_of(&p->created);
    return (struct mw_latency_class){.source =
                                         source == 0 ? '.' : (char)('A' + source - 1),
                                     .sink = sink == 0 ? '.' : (char)('A' + sink - 1),
                                     .n = n,
                                     .created = delay_of(&p->created, n),
                                     .injected = delay_of(&p->injected, n)};
}

int mw_latency_meter_read(const struct mw_latency_meter *m, struct mw_latency *out)
{
    int rc = MW_OK;
    struct pair *all = NULL;
    MW_NEW(rc, out->class, "latencies", m->n_classes);
    MW_NEW(rc, all, "latencies", 1);
    out->n_classes = 0;
    for (uint32_t i = 0; i < LETTERS; i++)
        for (uint32_t k = 0; k < LETTERS; k++) {
            if (m->class_of[i][k] == NO_CLASS)
                continue;
            const struct pair *p = &m->pair[m->class_of[i][k]];
            if (p->created.least == 0) /* no latency is 2^64 - 1 */
                continue;
            out->class[out->n_classes++] = class_of(p, i, k);
            merge(&all->created, &p->created);
            merge(&all->injected, &p->injected);
        }
    out->all = class_of(all, 0, 0);
end:
    mw_free(all);
    return rc;
}

void mw_latency_fini(struct mw_latency *l)
{
    mw_free(l->class);
    *l = (struct mw_latency){.end = MW_LATENCY_NONE};
}
