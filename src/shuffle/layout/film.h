/* film.h -- reading a film (draw.h makes it).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_FILM_H
#define MW_LAYOUT_FILM_H

#include "shuffle/layout/draw.h"

MW_BEGIN_DECLS

struct mw_film_core {
    uint16_t fill[MW_N_CLASSES], send_fill;
    mw_core waits_for;
    uint8_t state;
};

uint32_t mw_film_frames(const struct mw_film *f);
uint64_t mw_film_moment(const struct mw_film *f, uint32_t i); /* its cycle */
/* All cores at that moment; i == mw_film_frames(): as the last event left them. */
const struct mw_film_core *mw_film_frame(const struct mw_film *f, uint32_t i);
/* Depths that the fills are drawn against: the layout's, or what was seen if that is more.
 * Row, column, send. */
void mw_film_depths(const struct mw_film *f, uint32_t depth[MW_N_CLASSES + 1]);

MW_END_DECLS
#endif
