/* classes.c -- see classes.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/classes.h"

#include "graph500/generator.h"

#include <math.h>
#include <string.h>

static double share_of(uint32_t part)
{
    return (double)part / MW_KRONECKER_UNIT;
}

static double choose(uint32_t n, uint32_t k)
{
    return exp(lgamma(n + 1.0) - lgamma(k + 1.0) - lgamma(n - k + 1.0));
}

static void add_up(struct mw_classes *c)
{
    c->n_connected = c->n_entries = 0;
    for (uint32_t k = 0; k < c->n; k++) {
        c->degree[k] = 0;
        for (uint32_t j = 0; j < c->n; j++)
            c->degree[k] += c->reach[k][j];
        c->n_connected += c->n_vertices[k] * -expm1(-c->degree[k]);
        c->n_entries += c->n_vertices[k] * c->degree[k];
    }
}

void mw_classes_kronecker(uint32_t scale, double n_tuples, struct mw_classes *out)
{
    const double one_one = 1 - share_of(MW_KRONECKER_BELOW_A);
    const double one_zero = share_of(MW_KRONECKER_BELOW_B);
    const double zero_zero =
        share_of(MW_KRONECKER_BELOW_A) - share_of(MW_KRONECKER_BELOW_C);
    memset(out, 0, sizeof *out);
    out->n = scale + 1;
    for (uint32_t k = 0; k <= scale; k++) {
        out->n_vertices[k] = choose(scale, k);
        /* Neighbours that share i of the k set bits, and have l of the others set. */
        for (uint32_t i = 0; i <= k; i++)
            for (uint32_t l = 0; l <= scale - k; l++) {
                const double ends = 2 * n_tuples * pow(one_one, i) *
                                    pow(one_zero, k - i + l) *
                                    pow(zero_zero, scale - k - l);
                out->reach[k][i + l] +=
                    choose(k, i) * choose(scale - k, l) * -expm1(-ends);
            }
    }
    add_up(out);
}

void mw_classes_random(double n_vertices, double n_tuples, struct mw_classes *out)
{
    memset(out, 0, sizeof *out);
    out->n = 1;
    out->n_vertices[0] = n_vertices;
    out->reach[0][0] = n_vertices > 0 ? 2 * n_tuples / n_vertices : 0;
    add_up(out);
}
