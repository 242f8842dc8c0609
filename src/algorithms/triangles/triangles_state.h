/* triangles_state.h -- what the kernels of one run of triangles share.
 *
 * Vertices have one order at all ranks, by label and then by owner: rows stand in it. What a vertex *offers* is the part
 * of its row before itself, or where edges have directions all of its row. So an edge between two neighbours of
 * a vertex is offered by one of the two.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef TRIANGLES_STATE_H
#define TRIANGLES_STATE_H

#include "devices/table.h"
#include "graph/graph.h"
#include "shuffle/job.h"
#include "traversal/sweep.h"

MW_BEGIN_DECLS

/* What a rank offers goes to all ranks in rounds, as much at a time as its portion of a table has room for: labels
 * first .. first + n - 1, of the first one from entry `skip` on, n_entries in all. */
struct triangles_round {
    uint64_t first, skip, n, n_entries;
    uint64_t next, next_skip; /* where the next round begins */
};

/* A rank's portion of the table, numbers as wide as the graph's: the first label, how many there are, where the
 * entries of each end, and the entries. */
enum { TRIANGLES_FIRST, TRIANGLES_N, TRIANGLES_ENDS };

/* Of each label in a portion, so that a few rounds do on graphs of the benchmark. */
enum { TRIANGLES_LABEL_BYTES = 32 };

/* Of one lane, and what lanes draw their rows from. */
struct triangles_lanes {
    struct mw_sweep sweep;
    uint64_t n_marks; /* of a lane, one for each column */
    uint8_t *marks;   /* [n_lanes * n_marks], 0 between rows */
};

struct triangles {
    const struct mw_graph *g;
    uint64_t *triangles;           /* [n_places] the answer, and */
    float *coefficient;            /* [n_places] the other one */
    uint64_t *n_offered;           /* [n_labels] entries that a label offers */
    uint64_t *end;                 /* [n_labels] of labels 0 .. i; of several ranks */
    struct triangles_round round;  /* of this rank */
    uint64_t *total;               /* of this rank: a number that a sweep adds up */
    struct triangles_lanes *lanes; /* of hosts; its marks NULL: there are none */
    struct mw_table table;         /* of several ranks: what they offer in this round */
    void *mine;                    /* this rank's portion */
    const void *all;               /* of all; NULL: of one rank, whose rows are at hand */
    uint64_t stride, room;         /* numbers of a portion, and those that a round uses */
    uint64_t n_out, n_in;          /* entries of rows, and of those inwards */
    uint64_t n_triangles;          /* of the whole graph, after a run */
};

/* By hand, on cores of hosts: marks in place of searches. NULL where nobody has it. */
struct triangles_whole {
    mw_kernel *count;
};
mw_kernel triangles_count_rows;

struct mw_algorithm_shape;
/* Local: what the lanes take; and their memory. */
void triangles_lanes_sizes(const struct mw_algorithm_shape *shape,
                           const struct mw_world_shape *world, struct mw_sizes *out);
int triangles_lanes_open(struct triangles *s, const struct mw_graph *g,
                         const struct mw_world *world) MW_NODISCARD;

/* Entries that somebody offers in this round, numbers of columns. */
struct triangles_offer {
    const void *column;
    uint64_t first, n;
};

/* What the vertex with this column offers. */
MW_FN struct triangles_offer triangles_offer_of(const struct triangles *s,
                                                const struct mw_graph *g, mw_vid column)
{
    struct triangles_offer o = {g->column, 0, 0};
    const uint64_t label = mw_column_label(column, g->label_bits);
    if (s->all == NULL) {
        o.first = g->row[label];
        o.n = s->n_offered[label];
        return o;
    }
    const uint64_t at = mw_column_owner(column, g->label_bits) * s->stride;
    const uint64_t i = label - mw_number(s->all, at + TRIANGLES_FIRST, g->wide),
                   n = mw_number(s->all, at + TRIANGLES_N, g->wide);
    o.column = s->all;
    if (i >= n)
        return o;
    const uint64_t ends = at + TRIANGLES_ENDS;
    const uint64_t before = i > 0 ? mw_number(s->all, ends + i - 1, g->wide) : 0;
    o.first = ends + n + before;
    o.n = mw_number(s->all, ends + i, g->wide) - before;
    return o;
}

/* The order of rows. A label may be one that no column has, behind the last one. */
MW_FN uint64_t triangles_order(uint64_t label, uint64_t owner)
{
    return label << 32 | owner;
}

MW_FN uint64_t triangles_order_of(const struct mw_graph *g, mw_vid column)
{
    return triangles_order(mw_column_label(column, g->label_bits),
                           mw_column_owner(column, g->label_bits));
}

/* The first of n entries, from `first` on, that does not come before this in the order. */
MW_FN uint64_t triangles_find(const struct mw_graph *g, const void *table, uint64_t first,
                              uint64_t n, uint64_t order)
{
    uint64_t low = 0;
    while (low < n) {
        const uint64_t mid = low + (n - low) / 2;
        if (triangles_order_of(g, mw_number(table, first + mid, g->wide)) < order)
            low = mid + 1;
        else
            n = mid;
    }
    return first + low;
}

/* Is a column among them? */
MW_FN bool triangles_has(const struct mw_graph *g, const void *table, uint64_t first,
                         uint64_t n, mw_vid column)
{
    const uint64_t at = triangles_find(g, table, first, n, triangles_order_of(g, column));
    return at < first + n && mw_number(table, at, g->wide) == column;
}

/* Is it a neighbour of label i that an edge leads to? */
MW_FN bool triangles_is_out(const struct mw_graph *g, uint64_t i, mw_vid column)
{
    return triangles_has(g, g->column, g->row[i], g->row[i + 1] - g->row[i], column);
}

MW_END_DECLS
#endif
