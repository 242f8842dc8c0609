/* sssp_crew_round.c -- a core's part of a large round, which a crew makes without atomic operations. See sssp_crew.h.
 *
 * A node's word and its bits are its consumer's, a core of its rank (shuffle/boxes.h). In a phase a core first takes what
 * all have put for it in the last one, then goes along a share of the list. What it reads of others' words may be old by
 * then: who falls meanwhile is near, and goes along its row again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_crew.h"

#include "shuffle/skeleton_none.h"

#include "algorithms/sssp/sssp_elements.h"

enum {
    ROWS_AHEAD = 12, /* nodes of the list, whose words are fetched before they are read */
    ENTRIES_AHEAD = 6,
    ITEMS_AHEAD = 12
};

/* ---- Take ------------------------------------------------------------------------------------ */

/* A node of this core. */
MW_FN void lower(const struct sssp_state *s, struct sssp_way item)
{
    const uint64_t is = mw_load(s->word, item.node, true);
    if (item.distance >= is >> 32)
        return;
    uint64_t *const bits = (item.distance < s->limit ? s->near : s->far);
    mw_store(s->word, item.node, (uint64_t)item.distance << 32 | item.parent, true);
    mw_store(bits, item.node / 64,
             mw_load(bits, item.node / 64, true) | UINT64_C(1) << item.node % 64, true);
}

static void take_from(const struct sssp_state *s, uint64_t phase, uint32_t from,
                      uint32_t to)
{
    const struct sssp_crew *const c = s->crew;
    for (struct mw_box_reader r = mw_box_first(&c->boxes, phase, from, to);
         r.item != NULL; mw_box_next(&r)) {
        const struct sssp_way *const item = r.item;
        const uint32_t n = r.n_bytes / SSSP_CREW_ITEM;
        for (uint32_t i = 0; i < n; i++) {
            if (i + ITEMS_AHEAD < n)
                mw_prefetch(&s->word[item[i + ITEMS_AHEAD].node]);
            lower(s, item[i]);
        }
    }
}

/* ---- Put ------------------------------------------------------------------------------------- */

MW_FN void look_ahead(const struct sssp_state *s, uint64_t i)
{
    const uint64_t last = s->counts->n_listed - 1;
    const uint32_t far = s->list[mw_min(i + ROWS_AHEAD, last)],
                   near = s->list[mw_min(i + ENTRIES_AHEAD, last)];
    mw_prefetch(&s->word[far]);
    mw_prefetch(&s->begin[far]);
    mw_prefetch(&s->name[far]);
    mw_prefetch((const char *)s->rows.column + s->begin[near] * (s->g->wide ? 8 : 4));
    mw_prefetch(&s->rows.weight[s->begin[near]]);
}

/* Entries of row u, to the cores whose neighbours' words are: those of each rank stand one after the other. */
MW_FN void put_row(const struct sssp_state *s, struct mw_box_writer *w, uint32_t u,
                   uint64_t first, uint64_t last)
{
    const struct mw_graph *const g = s->g;
    const uint32_t n_cores = s->crew->meet.n_cores;
    const uint64_t from = mw_load(s->word, u, true);
    const uint32_t parent = (uint32_t)sssp_word_by(s, u, from, 0);
    for (uint64_t entry = first; entry < last; entry++) {
        const float weight = s->rows.weight[entry];
        if (!sssp_is_taken(s, weight))
            continue;
        const uint64_t column = mw_number(s->rows.column, entry, g->wide);
        const uint32_t node = mw_column_label(column, g->label_bits);
        const struct sssp_way item = {node, parent,
                                      mw_bits_of_float(mw_float_of_word(from) + weight)};
        mw_box_put(w,
                   mw_column_owner(column, g->label_bits) * n_cores +
                       sssp_crew_core_of(node, n_cores),
                   &item, sizeof item);
    }
}

/* Entries `from` to `to` of the list's. */
static void put_entries(const struct sssp_state *s, struct mw_box_writer *w,
                        uint64_t from, uint64_t to)
{
    uint64_t i = mw_item_of(s->list_end, s->counts->n_listed, from);
    uint64_t before = i > 0 ? s->list_end[i - 1] : 0;
    for (; from < to; i++) {
        const uint64_t end = s->list_end[i], stop = mw_min(end, to);
        const uint64_t first = s->begin[s->list[i]] + (from - before);
        look_ahead(s, i);
        put_row(s, w, s->list[i], first, first + (stop - from));
        from = stop;
        before = end;
    }
}

void sssp_crew_go_round(const struct sssp_state *s, uint32_t core, uint64_t phase,
                        struct sssp_crew_post *post)
{
    struct sssp_crew *const c = s->crew;
    const uint32_t n_cores = c->meet.n_cores, n_all = c->meet.n_ranks * n_cores;
    const uint32_t me = c->meet.rank * n_cores + core;
    const uint64_t slice = (uint64_t)n_cores * SSSP_CREW_SHARE;
    const uint64_t begin = mw_min(c->host->slice * slice, s->counts->n_units),
                   end = mw_min(begin + slice, s->counts->n_units);
    uint64_t from, to;
    for (uint32_t k = 0; k < n_all && c->host->slice > 0; k++)
        take_from(s, phase - 1, (me + k) % n_all, me);
    struct mw_box_writer w = mw_boxes_begin(&c->boxes, phase, me, true);
    mw_crew_share(core, n_cores, end - begin, &from, &to);
    if (from < to)
        put_entries(s, &w, begin + from, begin + to);
    mw_boxes_end(&w);
    post->n_sent = begin < end; /* somebody of this rank may have put something */
}
