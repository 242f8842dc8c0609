/* reel.h -- the films of a page: what the simulation did, and how the deadlock of a
 * trace comes about, as JSON for view/.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_REEL_H
#define MW_LAYOUT_REEL_H

#include "layouts/draw/scene.h"

MW_BEGIN_DECLS

/* Writes `"films":[...]`, of those that the picture has. Errors: MW_ERR_NOMEM; MW_ERR_INVALID
 * when the trace cannot be played. */
int mw_reels_print(const struct mw_scene *s, FILE *out) MW_NODISCARD;

MW_END_DECLS
#endif
