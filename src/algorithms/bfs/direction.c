/* direction.c -- see direction.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/direction.h"

#include "graph/delegates.h"

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

uint32_t mw_direction_hubs(const struct mw_direction_rule *rule, enum mw_direction d)
{
    const int usual = d == MW_TOP_DOWN ? MW_HUBS_TOP_DOWN : MW_HUBS_BOTTOM_UP;
    const int exponent = rule->hubs[d] == 0 ? usual : rule->hubs[d];
    return exponent < 0 ? 0 : UINT32_C(1) << mw_min((uint64_t)exponent, MW_HUBS_MOST);
}

int64_t mw_direction_delegate(const struct mw_direction_rule *rule)
{
    return rule->no_delegates ? MW_DELEGATE_OFF : (int64_t)rule->delegate_bound;
}

struct mw_means mw_direction_means(const struct mw_direction_rule *rule, uint32_t n_ranks,
                                   uint32_t n_hosts, uint64_t most_labels)
{
    struct mw_means m = {.form = rule->form,
                         .delegates = !rule->no_delegates && n_ranks > 1};
    if (m.form == MW_FORM_AUTO && n_hosts == 1)
        m.form = MW_FORM_BITMAP;
    if (m.form == MW_FORM_AUTO && n_ranks * most_labels / 8 > MW_BITMAP_BYTES)
        m.form = MW_FORM_MESSAGES;
    m.by_bitmap = m.form != MW_FORM_MESSAGES;
    m.by_messages = m.form != MW_FORM_BITMAP;
    if (n_ranks > 1 && (!m.by_bitmap || n_hosts > 1))
        m.hubs[MW_TOP_DOWN] =
            (uint32_t)mw_min(mw_direction_hubs(rule, MW_TOP_DOWN), most_labels);
    if (n_ranks > 1 && m.by_messages)
        m.hubs[MW_BOTTOM_UP] =
            (uint32_t)mw_min(mw_direction_hubs(rule, MW_BOTTOM_UP), most_labels);
    return m;
}
