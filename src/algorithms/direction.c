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
    const double edges = (double)in->n_active_edges;
    const bool few = edges * MW_SMALL <= (double)in->n_connected;
    const bool light = edges * alpha <= (double)in->n_unvisited_edges;
    if (few || (now == MW_TOP_DOWN && light))
        return MW_TOP_DOWN;
    if (now == MW_BOTTOM_UP && light &&
        (double)in->n_active * beta < (double)in->n_connected)
        return MW_TOP_DOWN;
    return MW_BOTTOM_UP;
}
