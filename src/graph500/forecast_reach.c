/* forecast_reach.c -- what a level reaches, drawn where it is little, else expected. See forecast_state.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/forecast_state.h"

#include "base/hash.h"

#include <math.h>

enum {
    FEW = 200,             /* edges of a frontier whose neighbours are drawn one by one */
    MOST_NEIGHBOURS = 4096 /* of a root that is drawn */
};

/* ---- chance -------------------------------------------------------------------------------- */

/* By splitmix64; 0 <= it < 1. */
static double draw(struct mw_forecast_state *s)
{
    const uint64_t drawn = mw_mix(s->random);
    s->random += MW_MIX_STEP;
    return mw_hash_share(drawn);
}

static uint32_t draw_class(struct mw_forecast_state *s, const double *weight)
{
    double sum = 0;
    for (uint32_t k = 0; k < s->c->n; k++)
        sum += weight[k];
    double at = draw(s) * sum;
    for (uint32_t k = 0; k + 1 < s->c->n; k++) {
        if (at < weight[k])
            return k;
        at -= weight[k];
    }
    return s->c->n - 1;
}

/* A Poisson variable that is not 0. */
static double draw_degree(struct mw_forecast_state *s, double mean)
{
    if (mean > MOST_NEIGHBOURS / 8)
        return mean;
    double p = mean / expm1(mean), at = draw(s), n = 1;
    while (at >= p && n < MOST_NEIGHBOURS) {
        at -= p;
        n++;
        p *= mean / n;
    }
    return n;
}

/* ---- sums over classes ------------------------------------------------------------------------ */

double mw_forecast_connected_left(const struct mw_forecast_state *s)
{
    double n = 0;
    for (uint32_t k = 0; k < s->c->n; k++) {
        /* Nobody's neighbour so far: of these, who has one that was not in a frontier. */
        double more = 0;
        for (uint32_t j = 0; j < s->c->n; j++)
            more += s->c->reach[k][j] * (1 - s->gone[j]);
        n += s->left[k] * -expm1(-more);
    }
    return n;
}

double mw_forecast_entries_left(const struct mw_forecast_state *s)
{
    double n = 0;
    for (uint32_t k = 0; k < s->c->n; k++)
        for (uint32_t j = 0; j < s->c->n; j++)
            n += s->left[k] * s->c->reach[k][j] * (1 - s->gone[j]);
    return n;
}

void mw_forecast_visited(const struct mw_forecast_state *s, double *n)
{
    for (uint32_t k = 0; k < s->c->n; k++)
        n[k] = s->c->n_vertices[k] - s->left[k];
}

/* ---- a level ---------------------------------------------------------------------------------- */

void mw_forecast_start(struct mw_forecast_state *s, uint32_t index)
{
    double weight[MW_CLASSES_MAX];
    s->random = index + 1;
    for (uint32_t k = 0; k < s->c->n; k++) {
        s->left[k] = s->c->n_vertices[k];
        weight[k] = s->c->n_vertices[k] * -expm1(-s->c->degree[k]);
    }
    const uint32_t root = draw_class(s, weight);
    s->now[root] = 1;
    s->left[root] -= 1;
    s->n_visited = 1;
    s->n_drawn = draw_degree(s, s->c->degree[root]);
}

/* The next frontier, by class: an edge that leads on ends where no frontier was before this one, at
 * a vertex that is new or at one of this frontier, or of those that it has found by now. */
static void reach_drawn(struct mw_forecast_state *s, double *found)
{
    double weight[MW_CLASSES_MAX] = {0};
    for (uint32_t k = 0; k < s->c->n; k++)
        for (uint32_t j = 0; j < s->c->n; j++)
            weight[j] += s->now[k] * s->c->reach[k][j] * (1 - s->gone[j]);
    for (double i = 0; i < s->n_drawn; i++) {
        const uint32_t j = draw_class(s, weight);
        const double left = s->left[j] - found[j];
        const double ends = s->c->n_vertices[j] * (1 - s->gone[j]);
        if (left >= 1 && draw(s) * ends < left)
            found[j]++;
    }
}

static void reach_expected(const struct mw_forecast_state *s, double *found)
{
    for (uint32_t j = 0; j < s->c->n; j++) {
        double none = 0; /* log of the probability that no neighbour is in the frontier */
        for (uint32_t k = 0; k < s->c->n; k++)
            if (s->now[k] > 0 && s->c->n_vertices[j] > 0)
                none += s->now[k] *
                        log1p(-fmin(1 - 1e-12, s->c->reach[k][j] / s->c->n_vertices[j]));
        found[j] = s->left[j] * -expm1(none);
    }
}

/* Edges out of a vertex of this class that a frontier has reached: the one that led to
 * it, and those to where no frontier has been. */
static double edges_of(const struct mw_forecast_state *s, uint32_t k)
{
    double n = 1;
    for (uint32_t j = 0; j < s->c->n; j++)
        n += s->c->reach[k][j] * fmax(0, 1 - s->gone[j]);
    return n;
}

double mw_forecast_advance(struct mw_forecast_state *s, double *edges)
{
    double found[MW_CLASSES_MAX] = {0}, n = 0, expected = 0;
    const double before = mw_forecast_entries_left(s);
    const bool drawn = s->n_drawn >= 0 && s->n_drawn < FEW;
    if (drawn)
        reach_drawn(s, found);
    else
        reach_expected(s, found);
    for (uint32_t k = 0; k < s->c->n; k++) {
        s->gone[k] += s->c->n_vertices[k] > 0 ? s->now[k] / s->c->n_vertices[k] : 0;
        s->left[k] -= found[k];
        s->now[k] = found[k];
        n += found[k];
    }
    for (uint32_t k = 0; k < s->c->n && drawn; k++)
        expected += found[k] > 0 ? found[k] * edges_of(s, k) : 0;
    *edges = drawn ? expected : fmax(0, before - mw_forecast_entries_left(s));
    s->n_drawn = n < FEW && *edges < FEW ? floor(fmax(0, *edges - n) + 0.5) : -1;
    s->n_visited += n;
    return n;
}
