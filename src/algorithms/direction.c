/* direction.c -- see direction.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/direction.h"

enum mw_direction mw_direction_choose(const struct mw_direction_rule *rule,
                                      enum mw_direction now,
                                      const struct mw_direction_input *in)
{
    const double alpha = rule->alpha > 0 ? rule->alpha : MW_ALPHA;
    const double beta = rule->beta > 0 ? rule->beta : MW_BETA;

    if (rule->policy == MW_DIRECTION_TOP_DOWN)
        return MW_TOP_DOWN;
    if (rule->policy == MW_DIRECTION_BOTTOM_UP)
        return MW_BOTTOM_UP;
    if (now == MW_TOP_DOWN)
        return (double)in->n_active_edges * alpha > (double)in->n_unvisited_edges &&
                       in->n_unvisited_edges > 0
                   ? MW_BOTTOM_UP
                   : MW_TOP_DOWN;
    return (double)in->n_active * beta < (double)in->n_connected ? MW_TOP_DOWN
                                                                 : MW_BOTTOM_UP;
}
