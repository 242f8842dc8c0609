/* points.h -- points at random in the unit square, and which of them are near each other.
 *
 * A point is two numbers of 31 bits. The square is cut into cells as wide as points may be apart, so
 * the points near one are in its own cell and in the eight around it. Points are numbered cell by cell,
 * row by row: whatever is near has a number that is near, or one about a row of cells further.
 *
 *     . . . . . . .        v: a point        >: cells with later points that may be near:
 *     . . . v > . .                          two runs of numbers, v + 1 and on, and those
 *     . . > > > . .                          of the three cells below
 *
 * All numbers are integers, and distances are compared squared, so that every machine gets the same points
 * and the same pairs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_POINTS_H
#define MW_POINTS_H

#include "base/status.h"

MW_BEGIN_DECLS

struct mw_points {
    uint64_t n;
    uint64_t n_side;  /* cells along each side; n_side^2 <= n, or 1 */
    uint64_t reach_2; /* the square of the distance up to which points are near */
    uint32_t *at;     /* [2 * n]: x0 y0 x1 y1 ... */
    uint64_t *end;    /* [n_side^2]: behind a cell's last point */
};

/* Points first .. end - 1. */
struct mw_points_run {
    uint64_t first, end;
};

/* Local. n >= 1 points that follow from `key`. A point whose circle lies in the square has `degree`
 * points in it, on average; at the border it has fewer. Takes 8 bytes a point, and up to 8 more for
 * cells. MW_ERR_NOMEM, or MW_ERR_REFUSED: more neighbours than there are points. */
int mw_points_init(struct mw_points *p, uint64_t n, double degree, uint64_t key)
    MW_NODISCARD;
void mw_points_fini(struct mw_points *p);

/* Local. Where all later points lie that may be near v; runs may be empty, and are in order. */
void mw_points_later(const struct mw_points *p, uint64_t v, struct mw_points_run run[2]);

MW_FN bool mw_points_near(const struct mw_points *p, uint64_t u, uint64_t v)
{
    const int64_t dx = (int64_t)p->at[2 * u] - p->at[2 * v];
    const int64_t dy = (int64_t)p->at[2 * u + 1] - p->at[2 * v + 1];
    return (uint64_t)(dx * dx) + (uint64_t)(dy * dy) <= p->reach_2;
}

MW_END_DECLS
#endif
