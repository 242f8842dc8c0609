/* sssp_crew_part.h -- a core's part of a phase of a bucket, between the files of its kernel. See sssp_crew.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_CREW_PART_H
#define SSSP_CREW_PART_H

#include "algorithms/sssp/sssp_crew.h"

#include "shuffle/skeleton_none.h"

#include "algorithms/sssp/sssp_elements.h"

MW_BEGIN_DECLS

/* One core, in one phase, and its lists. */
struct sssp_crew_part {
    const struct sssp_state *s;
    struct sssp_crew *crew;
    uint32_t core, n; /* this one; that work */
    uint32_t self;    /* this one, among those of all ranks */
    uint64_t phase, limit;
    uint64_t *queue, *far;
    uint64_t first, n_queue, n_far, least; /* the queue: [first .. n_queue) */
    uint64_t late;                         /* bits of the shortest way that it has sent */
    uint64_t n_sent, n_away, n_entries; /* ways to other cores, of these to other ranks */
    bool is_full;
};

/* One falls to the item's distance. */
MW_FN void sssp_crew_list(struct sssp_crew_part *p, uint64_t item)
{
    const uint64_t distance = item >> 32;
    if (distance < p->limit && p->n_queue < p->crew->n_queue)
        p->queue[p->n_queue++] = item;
    else if (p->n_far < p->crew->n_far) {
        p->far[p->n_far++] = item;
        p->least = mw_min(p->least, distance);
    } else {
        mw_set_bit(distance < p->limit ? p->s->near : p->s->far, (uint32_t)item);
        p->is_full = true;
    }
}

/* What it is going to relax is fetched: rows, entries, and of one rank words of neighbours. */
MW_FN void sssp_crew_look_ahead(const struct sssp_crew_part *p, bool several)
{
    enum { ROWS_AHEAD = 16, ENTRIES_AHEAD = 8, WORDS_AHEAD = 4, SHORT_ROW = 4 };
    const struct sssp_state *const s = p->s;
    const struct mw_graph *const g = s->g;
    if (p->first + ROWS_AHEAD < p->n_queue) {
        const uint32_t node = (uint32_t)p->queue[p->first + ROWS_AHEAD];
        __builtin_prefetch(&s->rows.row[node]);
        __builtin_prefetch(&s->word[node]);
    }
    if (p->first + ENTRIES_AHEAD < p->n_queue) {
        const uint64_t entry = s->rows.row[(uint32_t)p->queue[p->first + ENTRIES_AHEAD]];
        __builtin_prefetch((const char *)s->rows.column + entry * (g->wide ? 8 : 4));
        __builtin_prefetch(&s->rows.weight[entry]);
    }
    if (!several && p->first + WORDS_AHEAD < p->n_queue) {
        const uint64_t *const row =
            &s->rows.row[(uint32_t)p->queue[p->first + WORDS_AHEAD]];
        const uint64_t end = mw_min(row[1], row[0] + SHORT_ROW);
        for (uint64_t entry = row[0]; entry < end; entry++)
            __builtin_prefetch(&s->word[mw_column_label(
                mw_number(s->rows.column, entry, g->wide), g->label_bits)]);
    }
}

/* Of several ranks: ways that others have put for this core in the phase before; then it relaxes its queue, until boxes are
 * full. */
void sssp_crew_take(struct sssp_crew_part *p);
void sssp_crew_drain_each(struct sssp_crew_part *p);

MW_END_DECLS
#endif
