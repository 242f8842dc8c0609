/* arrivals.c -- see arrivals.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/sim/arrivals.h"

#include "base/mem.h"
#include "layouts/sim/traffic.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const mw_arrivals_names[MW_N_ARRIVALS + 1] = {"even", "bernoulli", "bursty",
                                                          NULL};
const char *const mw_pattern_names[MW_N_PATTERNS + 1] = {
    "uniform", "transpose", "complement", "reversal", "shuffle", "neighbour", NULL};

/* ---- when --------------------------------------------------------------------------------- */

void mw_clock_init(struct mw_clock *c, enum mw_arrivals arrivals, double burst,
                   uint64_t seed, mw_core v, uint64_t interval, uint64_t cost)
{
    *c = (struct mw_clock){.arrivals = arrivals,
                           .random = mw_sim_traffic_mix(
                               mw_sim_traffic_mix(seed ^ UINT64_C(0x636c6f636b)) + v),
                           .interval = interval,
                           .cost = cost,
                           .burst = burst};
}

/* Above 0, up to 1. */
static double draw(struct mw_clock *c)
{
    c->random += UINT64_C(0x9e3779b97f4a7c15);
    return ldexp((double)(mw_sim_traffic_mix(c->random) >> 11) + 1, -53);
}

/* Whole cycles until the first success, each with the chance of one in the mean interval. */
static uint64_t bernoulli_gap(struct mw_clock *c)
{
    const double chance = ldexp(1, MW_CLOCK_BITS) / (double)c->interval;
    const double failures = chance >= 1 ? 0 : floor(log(draw(c)) / log1p(-chance));
    return (uint64_t)(1 + failures) << MW_CLOCK_BITS;
}

static uint64_t bursty_gap(struct mw_clock *c)
{
    if (draw(c) * c->burst > 1)
        return c->cost; /* the burst goes on */
    return c->cost +
           (uint64_t)(-log(draw(c)) * c->burst * (double)(c->interval - c->cost));
}

uint64_t mw_clock_next(struct mw_clock *c, uint64_t due)
{
    switch (c->arrivals) {
    case MW_ARRIVALS_BERNOULLI:
        return due + bernoulli_gap(c);
    case MW_ARRIVALS_BURSTY:
        return due + bursty_gap(c);
    default:
        return due + c->interval;
    }
}

/* ---- for whom -------------------------------------------------------------------------------- */

int mw_pattern_check(enum mw_pattern p, uint32_t n_sinks)
{
    const bool bits =
        p == MW_PATTERN_TRANSPOSE || p == MW_PATTERN_REVERSAL || p == MW_PATTERN_SHUFFLE;
    if (p != MW_PATTERN_UNIFORM && n_sinks == 0)
        return mw_fail(MW_ERR_USAGE, "pattern %s: the layout lists its flows one by one",
                       mw_pattern_names[p]);
    if (bits && (n_sinks & (n_sinks - 1)) != 0)
        return mw_fail(MW_ERR_USAGE,
                       "pattern %s: %u sinks, expected a power of two of them",
                       mw_pattern_names[p], n_sinks);
    if (p == MW_PATTERN_TRANSPOSE && mw_bits_for(n_sinks) % 2 != 0)
        return mw_fail(MW_ERR_USAGE,
                       "pattern transpose: %u sinks, expected a power of four of them",
                       n_sinks);
    return MW_OK;
}

uint32_t mw_pattern_sink(enum mw_pattern p, uint32_t x, uint32_t n_sinks)
{
    const uint32_t bits = mw_bits_for(n_sinks), last = n_sinks - 1;
    uint32_t reversed = 0;
    switch (p) {
    case MW_PATTERN_TRANSPOSE:
        return (x >> bits / 2 | x << bits / 2) & last;
    case MW_PATTERN_COMPLEMENT:
        return last - x;
    case MW_PATTERN_REVERSAL:
        for (uint32_t i = 0; i < bits; i++)
            reversed |= (x >> i & 1) << (bits - 1 - i);
        return reversed;
    case MW_PATTERN_SHUFFLE:
        return bits == 0 ? x : (x << 1 | x >> (bits - 1)) & last;
    case MW_PATTERN_NEIGHBOUR:
        return x == last ? 0 : x + 1;
    default:
        return x;
    }
}

/* ---- recorded ---------------------------------------------------------------------------------- */

/* A whole number up to `most` at *at, which moves behind it. */
static bool take(const char **at, uint64_t most, uint64_t *out)
{
    *out = 0;
    if (**at < '0' || **at > '9')
        return false;
    for (; **at >= '0' && **at <= '9'; ++*at) {
        *out = *out * 10 + (uint64_t)(**at - '0');
        if (*out > most)
            return false;
    }
    return true;
}

static bool take_sign(const char **at, char sign)
{
    *at += **at == sign;
    return (*at)[-1] == sign;
}

static bool take_core(const struct mw_layout *l, const char **at, mw_core *out)
{
    uint64_t row, col;
    if (**at != '"') {
        const bool good = take(at, mw_mesh_cores(l) - 1, &row);
        *out = (mw_core)row;
        return good;
    }
    ++*at;
    if (!take(at, l->rows - 1, &row) || !take_sign(at, ',') ||
        !take(at, l->cols - 1, &col) || !take_sign(at, '"'))
        return false;
    *out = mw_core_at(l, (uint32_t)row, (uint32_t)col);
    return true;
}

/* One line at *at, which moves behind its end. */
static bool take_record(const struct mw_layout *l, const char **at, struct mw_recorded *r)
{
    if (!take(at, UINT64_C(1) << 44, &r->cycle) || !take_sign(at, ',') ||
        !take_core(l, at, &r->source) || !take_sign(at, ',') ||
        !take_core(l, at, &r->sink))
        return false;
    *at += **at == '\r';
    *at += **at == '\n';
    return (*at)[-1] == '\n' || **at == '\0';
}

int mw_recording_parse(const struct mw_layout *l, const char *title, const char *text,
                       size_t bytes, struct mw_recording *out)
{
    static const char head[] = "cycle,source,sink";
    int rc = MW_OK;
    uint64_t lines = 1;
    *out = (struct mw_recording){.n = 0};
    for (size_t i = 0; i < bytes; i++)
        lines += text[i] == '\n';
    MW_NEW(rc, out->record, "recorded traffic", lines);
    if (strncmp(text, head, sizeof head - 1) != 0)
        MW_TRY(rc, mw_fail(MW_ERR_DATA, "%s:1: expected the line '%s'", title, head));
    const char *at = text + strcspn(text, "\n");
    at += *at == '\n';
    for (uint64_t line = 2; *at != '\0'; line++) {
        struct mw_recorded *r = &out->record[out->n];
        if (!take_record(l, &at, r))
            MW_TRY(rc,
                   mw_fail(MW_ERR_DATA,
                           "%s:%llu: expected CYCLE,\"R,C\",\"R,C\" with cores of the "
                           "mesh",
                           title, (unsigned long long)line));
        if (out->n > 0 && r->cycle < r[-1].cycle)
            MW_TRY(rc, mw_fail(MW_ERR_DATA, "%s:%llu: cycle %llu after cycle %llu", title,
                               (unsigned long long)line, (unsigned long long)r->cycle,
                               (unsigned long long)r[-1].cycle));
        out->n++;
    }
    if (out->n == 0)
        MW_TRY(rc, mw_fail(MW_ERR_DATA, "%s: no message in it", title));
    return MW_OK;
end:
    mw_recording_fini(out);
    return rc;
}

void mw_recording_fini(struct mw_recording *r)
{
    mw_free(r->record);
    *r = (struct mw_recording){.n = 0};
}
