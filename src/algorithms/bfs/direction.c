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

uint32_t mw_direction_hubs(const struct mw_direction_rule *rule, enum mw_direction d,
                           uint32_t n_ranks)
{
    const uint64_t usual = UINT64_C(1)
                           << (d == MW_TOP_DOWN ? MW_HUBS_TOP_DOWN : MW_HUBS_BOTTOM_UP);
    const uint64_t most = UINT64_C(8) * MW_HUBS_BYTES / (8 * sizeof(uint32_t) + 1);
    if (rule->hubs[d] < 0)
        return 0;
    if (rule->hubs[d] > 0)
        return UINT32_C(1) << mw_min((uint64_t)rule->hubs[d], MW_HUBS_MOST);
    return (uint32_t)(rule->partition == MW_BY_OWNER
                          ? usual
                          : mw_min(usual, mw_max(64, most / n_ranks / 64 * 64)));
}

int64_t mw_direction_delegate(const struct mw_direction_rule *rule)
{
    return rule->partition == MW_BY_OWNER ? MW_DELEGATE_OFF : (int64_t)rule->heavy;
}

struct mw_means mw_direction_means(const struct mw_direction_rule *rule, uint32_t n_ranks,
                                   uint32_t n_hosts, uint64_t most_labels)
{
    struct mw_means m = {.form = rule->form,
                         .classes = rule->partition == MW_BY_CLASSES && n_ranks > 1};
    if (m.classes && rule->few >= 0)
        m.n_few = rule->few > 0 ? (uint32_t)rule->few : MW_FEW;
    if (m.form == MW_FORM_AUTO && n_hosts == 1)
        m.form = MW_FORM_BITMAP;
    if (m.form == MW_FORM_AUTO && n_ranks * most_labels / 8 > MW_BITMAP_BYTES)
        m.form = MW_FORM_MESSAGES;
    m.by_bitmap = m.form == MW_FORM_AUTO || m.form == MW_FORM_BITMAP;
    m.by_messages = m.form != MW_FORM_BITMAP;
    m.follows = m.classes && m.by_messages && m.form != MW_FORM_MIXED &&
                !rule->asks_all && rule->policy != MW_DIRECTION_TOP_DOWN;
    if (n_ranks > 1 && (!m.by_bitmap || n_hosts > 1))
        m.hubs[MW_TOP_DOWN] =
            (uint32_t)mw_min(mw_direction_hubs(rule, MW_TOP_DOWN, n_ranks), most_labels);
    if (n_ranks > 1 && m.by_messages)
        m.hubs[MW_BOTTOM_UP] =
            (uint32_t)mw_min(mw_direction_hubs(rule, MW_BOTTOM_UP, n_ranks), most_labels);
    return m;
}
