/* triangles_rows.c -- triangles on cores of hosts, row by row: a core marks a vertex' neighbours in a table of its own
 * lane, and looks up there what they offer.
 *
 * A mark is a byte: a look at a bit is four operations more, and took 1.8 times as long (measured). Offers lie
 * anywhere, so they are fetched before they are read. Rows are dealt as they come, for a hub's is many others' work.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/triangles/triangles_state.h"

#include "base/mem.h"
#include "mpe/world.h"
#include "shuffle/skeleton_none.h"
#include "traversal/algorithm.h"

enum {
    ROWS = 16,         /* that a core takes at a time */
    OFFERS_AHEAD = 16, /* entries, whose offers are looked for before they are read */
    ENTRIES_AHEAD = 2,
    LINES_AHEAD = 16 /* of an offer */
};

static const char marks_name[] = "marks of neighbours";

/* ---- memory -------------------------------------------------------------------------------- */

static uint64_t marks_of(uint64_t n_ranks, uint32_t label_bits)
{
    return mw_columns_of(n_ranks, label_bits) + 1;
}

static bool has_lanes(const struct mw_backend *backend)
{
    return !backend->mesh && mw_host_reaches(backend) && !mw_on_device(backend);
}

void triangles_lanes_sizes(const struct mw_algorithm_shape *shape,
                           const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint64_t n_marks = marks_of(world->groups.n_ranks, shape->label_bits);
    mw_sizes_add(out, MW_SEARCHING, marks_name, n_marks * world->n_lanes, 1)->copies =
        has_lanes(world->backend);
}

int triangles_lanes_open(struct triangles *s, const struct mw_graph *g,
                         const struct mw_world *world)
{
    if (!has_lanes(world->backend))
        return MW_OK;
    s->lanes->n_marks = marks_of(world->comm->size, g->label_bits);
    s->lanes->marks = mw_alloc(marks_name, s->lanes->n_marks * mw_world_lanes(world), 1);
    return s->lanes->marks == NULL ? MW_ERR_NOMEM : MW_OK;
}

/* ---- a row --------------------------------------------------------------------------------- */

MW_FN void mark_entries(uint8_t *marks, const void *column, uint64_t first, uint64_t last,
                        uint8_t mark, bool wide)
{
    for (uint64_t k = first; k < last; k++)
        marks[mw_number(column, k, wide)] = mark;
}

/* Four sums, for each addition waits for the last one. */
MW_FN uint64_t count_marked(const uint8_t *marks, const struct triangles_offer *o,
                            bool wide)
{
    const uint64_t last = o->first + o->n;
    uint64_t a = 0, b = 0, c = 0, d = 0, k = o->first;
    for (; k + 4 <= last; k += 4) {
        a += marks[mw_number(o->column, k, wide)];
        b += marks[mw_number(o->column, k + 1, wide)];
        c += marks[mw_number(o->column, k + 2, wide)];
        d += marks[mw_number(o->column, k + 3, wide)];
    }
    for (; k < last; k++)
        a += marks[mw_number(o->column, k, wide)];
    return a + b + c + d;
}

/* Entries of a row, or of a row inwards. */
struct entries {
    const void *column;
    uint64_t first, last;
};

/* Of entries those whose labels somebody offers in this round, between two that nobody does. */
MW_FN struct entries offered(const struct mw_graph *g, struct entries of,
                             const uint64_t label[2])
{
    const uint64_t n = of.last - of.first;
    const struct entries all = of;
    of.first = triangles_find(g, all.column, all.first, n, triangles_order(label[0], 0));
    of.last = triangles_find(g, all.column, all.first, n, triangles_order(label[1], 0));
    return of;
}

/* Some time before it is asked where the offer of a column stands. */
MW_FN void fetch_place(const struct triangles *s, const struct mw_graph *g, mw_vid column)
{
    const uint64_t label = mw_column_label(column, g->label_bits);
    if (s->all == NULL) {
        __builtin_prefetch(&g->row[label]);
        __builtin_prefetch(&s->n_offered[label]);
        return;
    }
    const uint64_t at = mw_column_owner(column, g->label_bits) * s->stride;
    const uint64_t i = label - mw_number(s->all, at + TRIANGLES_FIRST, g->wide);
    if (i < s->stride)
        __builtin_prefetch((const char *)s->all +
                           (at + TRIANGLES_ENDS + i) * mw_number_bytes(g->wide));
}

/* Some time before the offers of entry k are read, and before that, where they stand. */
MW_FN void fetch_offers(const struct triangles *s, const struct mw_graph *g,
                        const struct entries *of, uint64_t k, bool wide)
{
    if (k + OFFERS_AHEAD < of->last)
        fetch_place(s, g, mw_number(of->column, k + OFFERS_AHEAD, wide));
    if (k + ENTRIES_AHEAD < of->last) {
        const struct triangles_offer o =
            triangles_offer_of(s, g, mw_number(of->column, k + ENTRIES_AHEAD, wide));
        const char *const at = (const char *)o.column + o.first * mw_number_bytes(wide);
        for (uint64_t line = 0;
             line < LINES_AHEAD && 64 / mw_number_bytes(wide) * line < o.n; line++)
            __builtin_prefetch(at + 64 * line);
    }
}

/* Of label i. In rows inwards only those count that no edge leads to. */
MW_FN uint64_t count_entries(const struct triangles *s, const struct mw_graph *g,
                             const uint8_t *marks, uint64_t i, struct entries of,
                             bool inwards, bool wide)
{
    uint64_t n = 0;
    for (uint64_t k = of.first; k < of.last; k++) {
        const mw_vid c = mw_number(of.column, k, wide);
        fetch_offers(s, g, &of, k, wide);
        if (inwards && triangles_is_out(g, i, c))
            continue;
        const struct triangles_offer o = triangles_offer_of(s, g, c);
        n += count_marked(marks, &o, wide);
    }
    return n;
}

MW_FN void count_row(const struct triangles *s, const struct mw_graph *g, uint8_t *marks,
                     uint64_t i, const uint64_t label[2], bool wide)
{
    const struct entries out = {g->column, g->row[i], g->row[i + 1]};
    const struct entries in = {g->in_column, g->directed ? g->in_row[i] : 0,
                               g->directed ? g->in_row[i + 1] : 0};
    const struct entries now = s->all == NULL ? out : offered(g, out, label);
    const struct entries in_now = s->all == NULL ? in : offered(g, in, label);
    if (out.last - out.first + in.last - in.first < 2 ||
        (now.first == now.last && in_now.first == in_now.last))
        return;
    mark_entries(marks, out.column, out.first, out.last, 1, wide);
    mark_entries(marks, in.column, in.first, in.last, 1, wide);
    s->triangles[g->place_of[i]] += count_entries(s, g, marks, i, now, false, wide) +
                                    count_entries(s, g, marks, i, in_now, true, wide);
    mark_entries(marks, out.column, out.first, out.last, 0, wide);
    mark_entries(marks, in.column, in.first, in.last, 0, wide);
}

/* The loops have a constant width. */
static void count_rows(const struct triangles *s, const struct mw_graph *g,
                       uint8_t *marks, uint64_t first, uint64_t last,
                       const uint64_t label[2])
{
    struct mw_graph narrow = *g;
    narrow.wide = false;
    for (uint64_t i = first; i < last; i++)
        if (g->wide)
            count_row(s, g, marks, i, label, true);
        else
            count_row(s, &narrow, marks, i, label, false);
}

/* The first label that a rank offers in this round, and one behind the last. */
static void find_labels(const struct triangles *s, const struct mw_graph *g,
                        uint64_t label[2])
{
    label[0] = UINT32_MAX;
    label[1] = 0;
    for (uint64_t r = 0; s->all != NULL && r < g->partition.n_ranks; r++) {
        const uint64_t first =
            mw_number(s->all, r * s->stride + TRIANGLES_FIRST, g->wide);
        const uint64_t n = mw_number(s->all, r * s->stride + TRIANGLES_N, g->wide);
        label[0] = mw_min(label[0], n > 0 ? first : label[0]);
        label[1] = mw_max(label[1], n > 0 ? first + n : 0);
    }
    label[0] = mw_min(label[0], label[1]);
}

void triangles_count_rows(struct mw_cpe *self, void *job)
{
    const struct triangles *const s = ((struct mw_job *)job)->state;
    uint8_t *const marks = s->lanes->marks + self->lane * s->lanes->n_marks;
    uint64_t first, last, label[2];
    find_labels(s, s->g, label);
    while (mw_sweep_take(&s->lanes->sweep, s->g->n_labels, ROWS, &first, &last))
        count_rows(s, s->g, marks, first, last, label);
}
