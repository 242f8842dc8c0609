/* points.c -- see points.h. Points are sorted by counting: each is drawn twice, once to be counted and once
 * to be placed, so nothing but the result is held.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/points.h"

#include "base/hash.h"
#include "base/mem.h"

#include <math.h>

enum { BITS = 31 }; /* of a coordinate: squares of two distances add up in 64 bits */
#define SIDE 2147483648.0
#define PI   3.14159265358979323846

/* A cell along one side. */
static uint64_t along(const struct mw_points *p, uint32_t coordinate)
{
    return coordinate * p->n_side >> BITS;
}

static uint64_t cell_of(const struct mw_points *p, uint32_t x, uint32_t y)
{
    return along(p, y) * p->n_side + along(p, x);
}

static void draw_point(uint64_t key, uint64_t i, uint32_t *x, uint32_t *y)
{
    const uint64_t hash = mw_mix(key + i);
    *x = (uint32_t)(hash >> (64 - BITS));
    *y = (uint32_t)hash >> (32 - BITS);
}

/* At first end[c] counts cell c's points; then it says where they begin, and moves on with each. */
static void place_points(struct mw_points *p, uint64_t key)
{
    uint32_t x, y;
    uint64_t before = 0;
    for (uint64_t i = 0; i < p->n; i++) {
        draw_point(key, i, &x, &y);
        p->end[cell_of(p, x, y)]++;
    }
    for (uint64_t c = 0; c < p->n_side * p->n_side; c++) {
        const uint64_t here = p->end[c];
        p->end[c] = before;
        before += here;
    }
    for (uint64_t i = 0; i < p->n; i++) {
        draw_point(key, i, &x, &y);
        const uint64_t v = p->end[cell_of(p, x, y)]++;
        p->at[2 * v] = x;
        p->at[2 * v + 1] = y;
    }
}

/* As many cells as fit, but not more than points: no cell is narrower than the reach. */
static uint64_t choose_side(uint64_t n, double reach)
{
    const double by_reach = reach > 0 ? SIDE / reach : SIDE;
    const double by_points = sqrt((double)n);
    const double side = by_reach < by_points ? by_reach : by_points;
    return side < 1 ? 1 : (uint64_t)side;
}

int mw_points_init(struct mw_points *p, uint64_t n, double degree, uint64_t key)
{
    int rc = MW_OK;
    *p = (struct mw_points){.n = n};
    if (degree > (double)n - 1)
        return mw_fail(MW_ERR_REFUSED,
                       "a mean degree of %g: each of %llu points has %llu others", degree,
                       (unsigned long long)n, (unsigned long long)n - 1);
    /* n - 1 others, each within a circle of area pi r^2. */
    const double share = n > 1 ? degree / (PI * ((double)n - 1)) : 0;
    p->reach_2 = (uint64_t)(share * SIDE * SIDE);
    p->n_side = choose_side(n, sqrt((double)p->reach_2));
    MW_NEW(rc, p->end, "cells", p->n_side * p->n_side);
    MW_NEW(rc, p->at, "points", 2 * n);
    place_points(p, key);
    return MW_OK;
end:
    mw_points_fini(p);
    return rc;
}

void mw_points_fini(struct mw_points *p)
{
    MW_FREE_ALL(p->at, p->end);
    *p = (struct mw_points){0};
}

static uint64_t begin_of(const struct mw_points *p, uint64_t cell)
{
    return cell > 0 ? p->end[cell - 1] : 0;
}

void mw_points_later(const struct mw_points *p, uint64_t v, struct mw_points_run run[2])
{
    const uint64_t column = along(p, p->at[2 * v]);
    const uint64_t cell = cell_of(p, p->at[2 * v], p->at[2 * v + 1]);
    const uint64_t left = column > 0, right = column + 1 < p->n_side;
    const uint64_t below = cell + p->n_side;
    run[0] = (struct mw_points_run){v + 1, p->end[cell + right]};
    run[1] = (struct mw_points_run){0, 0};
    if (below < p->n_side * p->n_side)
        run[1] = (struct mw_points_run){begin_of(p, below - left), p->end[below + right]};
}
