/* film.h -- reading a film (draw.h makes it).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_FILM_H
#define MW_LAYOUT_FILM_H

#include "layouts/draw/draw.h"

MW_BEGIN_DECLS

struct mw_film_core {
    float
        share[MW_N_CORE_STATES];  /* of the frame's cycles, per state; they add up to 1 */
    float fill[MW_N_CLASSES + 1]; /* mean: row, column, send */
    mw_core waits_for;            /* whom it waited for longest; MW_NO_CORE: nobody */
};

uint32_t mw_film_frames(const struct mw_film *f);
/* Frame i is of the cycles mw_film_moment(i) .. mw_film_moment(i + 1) - 1. */
uint64_t mw_film_moment(const struct mw_film *f, uint32_t i);
/* All cores of an ended film; i == mw_film_frames(): as the last event left them. */
const struct mw_film_core *mw_film_frame(const struct mw_film *f, uint32_t i);
/* The cycle from which on the core has stood, and waited, as it did in the end. */
uint64_t mw_film_since(const struct mw_film *f, mw_core v);
/* Depths that the fills are drawn against: the layout's, or what was seen if that is more.
 * Row, column, send. */
void mw_film_depths(const struct mw_film *f, uint32_t depth[MW_N_CLASSES + 1]);

MW_END_DECLS
#endif
