/* sssp_crew_ranks.c -- buckets of several ranks, in which a node is one core's: a core's part. See sssp_crew.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_crew_part.h"

enum { WAYS_AHEAD = 12 /* whose words are fetched before they are read */ };

/* A node of this core has a way. */
MW_FN void lower(struct sssp_crew_part *p, struct sssp_way way)
{
    uint64_t *const word = p->s->word;
    if (way.distance >= mw_load(word, way.node, true) >> 32)
        return;
    mw_store(word, way.node, (uint64_t)way.distance << 32 | way.parent, true);
    sssp_crew_list(p, (uint64_t)way.distance << 32 | way.node);
}

void sssp_crew_take(struct sssp_crew_part *p)
{
    const struct mw_boxes *const b = &p->crew->boxes;
    for (uint32_t k = 1; k < b->n_from; k++)
        for (struct mw_box_reader r =
                 mw_box_first(b, p->phase - 1, (p->self + k) % b->n_from, p->self);
             r.item != NULL; mw_box_next(&r)) {
            const struct sssp_way *const way = r.item;
            const uint32_t n = r.n_bytes / sizeof *way;
            for (uint32_t i = 0; i < n; i++) {
                if (i + WAYS_AHEAD < n)
                    mw_prefetch(&p->s->word[way[i + WAYS_AHEAD].node]);
                lower(p, way[i]);
            }
        }
}

/* Along a row; false: there is no room left for what goes to others. A row for which there never is becomes a bit. `one`: core a
 * rank. */
MW_FN bool relax_or_put(struct sssp_crew_part *p, struct mw_box_writer *w, uint64_t item,
                        bool one)
{
    const struct sssp_state *const s = p->s;
    const uint32_t u = (uint32_t)item, n_cores = p->n, bits = s->g->label_bits;
    const uint64_t from = mw_load(s->word, u, true), begin = s->rows.row[u],
                   end = s->rows.row[u + 1];
    if (from >> 32 < item >> 32)
        return true;
    if (MW_UNLIKELY(mw_box_room(w, sizeof(struct sssp_way)) < end - begin) &&
        (p->n_sent > 0 || end - begin > SSSP_CREW_SHARE)) {
        if (p->n_sent > 0)
            return false;
        mw_set_bit(s->near, u);
        p->is_full = true;
        return true;
    }
    p->n_entries += end - begin;
    struct sssp_way way = {.parent = (uint32_t)sssp_word_by(s, u, from, 0)};
    for (uint64_t entry = begin; entry < end; entry++) {
        const float weight = s->rows.weight[entry];
        if (!sssp_is_taken(s, weight))
            continue;
        const uint64_t column = mw_number(s->rows.column, entry, s->g->wide);
        const uint32_t owner = mw_column_owner(column, bits);
        way.node = mw_column_label(column, bits);
        way.distance = mw_bits_of_float(mw_float_of_word(from) + weight);
        const uint32_t to =
            one ? owner : owner * n_cores + sssp_crew_core_of(way.node, n_cores);
        if (to == p->self) {
            lower(p, way);
        } else {
            mw_box_put(w, to, &way, sizeof way);
            p->n_sent++;
            p->late = mw_min(p->late, way.distance);
            p->n_away += owner != p->crew->meet.rank;
        }
    }
    return true;
}

MW_FN struct sssp_crew_part drain_each(struct sssp_crew_part p, bool one)
{
    struct mw_box_writer w = mw_boxes_begin(&p.crew->boxes, p.phase, p.self, false);
    for (p.first = 0; p.first < p.n_queue; p.first++) {
        sssp_crew_look_ahead(&p, true);
        if (!relax_or_put(&p, &w, p.queue[p.first], one))
            break;
    }
    mw_boxes_end(&w);
    return p;
}

void sssp_crew_drain_each(struct sssp_crew_part *p)
{
    *p = p->crew->meet.n_cores > 1 ? drain_each(*p, false) : drain_each(*p, true);
}
