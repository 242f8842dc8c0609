/* frontier.h -- the active vertices of a rank: which of its labels, and how much work they are.
 *
 *      claims of cores                               words of sweeps
 *      mw_frontier_claim()                           mw_frontier_put()
 *         |            \                                    |
 *      mark[label] = 1  lane's list                         |
 *         |                  \                              |
 *      many: bits             few: one list                bits
 *         \________ mw_frontier_join() ______/              |
 *                          |________________________________|
 *                          |
 *      mw_frontier_visit(): now they are visited;  mw_frontier_list(): and stand in a list
 *
 * All of that is sweeps: rows of a table, as an algorithm's are, found for the backend at hand
 * (rows.h). What there is of them is so little, sometimes, that one core does it.
 *
 * Few are a list, and cost what they are; many are a bitmap, and are walked over by all cores.
 *
 * A mark is a byte, not a bit: any core may set it by a plain store, twice or at the same time as
 * another one, and no core needs a bitmap of its own that somebody would have to join. A label
 * that two cores claim stands in two lists; who joins them takes the mark away with the first.
 * All marks are 0 between levels. A rank with one lane has nobody to be in the way of: there marks
 * are bits, which are more often in the cache.
 *
 * Words are dealt to cores in parts, the same parts to the same cores in every sweep of this file,
 * so that they find them in their caches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FRONTIER_H
#define MW_FRONTIER_H

#include "base/sizes.h"
#include "graph/graph.h"
#include "shuffle/numbers.h"
#include "traversal/rows.h"

#include <string.h>

MW_BEGIN_DECLS

struct mw_frontier_lane {
    uint32_t *next;            /* [next_room] labels claimed by this lane */
    uint64_t n_next;           /* may exceed next_room: then `next` is incomplete */
    uint64_t n_found, n_edges; /* put, and edges out of them */
    char fill[MW_CACHE_LINE];
};

struct mw_frontier_part {
    uint64_t n_found, n_edges; /* in `bits` of this part */
};

/* What is done to it between levels. */
enum mw_frontier_sweep {
    MW_FRONTIER_DEGREES, /* once */
    MW_FRONTIER_JOIN,
    MW_FRONTIER_JOIN_FEW,
    MW_FRONTIER_VISIT,
    MW_FRONTIER_LIST,
    MW_FRONTIER_LIST_FEW,
    MW_FRONTIER_SWEEPS
};
extern const struct mw_row mw_frontier_row[MW_FRONTIER_SWEEPS];

struct mw_frontier_sweeps {
    mw_kernel *degrees, *join, *join_few, *visit, *list, *list_few;
};

struct mw_frontier {
    struct mw_world *world;   /* borrowed */
    const struct mw_graph *g; /* borrowed: what its rows are of */
    struct mw_sweep_row sweep[MW_FRONTIER_SWEEPS];
    uint64_t n_labels, n_words, n_parts;
    const uint64_t *row; /* [n_labels + 1] of g: edges out of a label */
    uint64_t *
        visited; /* [n_words] borrowed; other ranks of the host may read it at any time */
    /* The frontier is `list` if it is listed, and else `bits`. */
    bool listed;
    uint32_t *list;     /* [n_labels + 1] */
    uint64_t *list_end; /* [n_labels + 1] edges of list[0..i] */
    uint64_t n_list, n_list_edges;
    uint64_t *bits;     /* [n_words] */
    uint8_t *mark;      /* [64 * n_words]; NULL with one lane, which has */
    uint64_t *mark_bit; /* [n_words] */
    struct mw_frontier_part
        *part; /* [n_parts + 1] the last one: of a list in the making */
    struct mw_frontier_lane *lane; /* [n_lanes] */
    uint32_t n_lanes;
    uint64_t next_room;
    uint32_t *word_degree; /* [n_words] of all 64 labels; MW_MIXED_DEGREES: they differ */
};
#define MW_MIXED_DEGREES UINT32_MAX

/* ---- for kernels ------------------------------------------------------------------------- */

/* The labels of word w that exist. */
MW_FN uint64_t mw_frontier_valid(const struct mw_frontier *f, uint64_t w)
{
    const uint64_t left = f->n_labels - 64 * w;
    return left >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << left) - 1;
}

/* Those among them that are not visited. */
MW_FN uint64_t mw_frontier_unvisited(const struct mw_frontier *f, uint64_t w)
{
    MW_TOUCH(f->visited, 8 * w);
    return mw_frontier_valid(f, w) & ~MW_LOAD_RELAXED(&f->visited[w]);
}

MW_FN void mw_frontier_mark(struct mw_frontier *f, uint32_t label)
{
    MW_TOUCH(f->mark, label);
    if (f->mark == NULL)
        f->mark_bit[label / 64] |= UINT64_C(1) << (label % 64);
    else
        MW_STORE_RELAXED(&f->mark[label], (uint8_t)1);
}

MW_FN bool mw_frontier_is_marked(const struct mw_frontier *f, uint32_t label)
{
    MW_TOUCH(f->mark, label);
    return f->mark == NULL ? f->mark_bit[label / 64] >> (label % 64) & 1
                           : MW_LOAD_RELAXED(&f->mark[label]) != 0;
}

/* Some time before either. */
MW_FN void mw_frontier_ahead(const struct mw_frontier *f, uint32_t label)
{
    if (f->mark != NULL)
        __builtin_prefetch(f->mark + label, 1);
}

/* This lane has reached a label. */
MW_FN void mw_frontier_claim(struct mw_frontier *f, uint32_t lane, uint32_t label)
{
    struct mw_frontier_lane *l = &f->lane[lane];
    mw_frontier_mark(f, label);
    if (l->n_next < f->next_room)
        l->next[l->n_next] = label;
    l->n_next++;
}

/* The marks of word w as bits. Bytes are 0 or 1: the product moves byte i to bit 56 + i. */
MW_FN uint64_t mw_frontier_marks(const struct mw_frontier *f, uint64_t w)
{
    uint64_t bytes[8], any = 0, bits = 0;
    MW_TOUCH(f->mark, 64 * w);
    if (f->mark == NULL)
        return f->mark_bit[w];
    memcpy(bytes, f->mark + 64 * w, sizeof bytes);
    for (uint32_t i = 0; i < 8; i++)
        any |= bytes[i];
    for (uint32_t i = 0; any != 0 && i < 8; i++)
        bits |= (bytes[i] * UINT64_C(0x0102040810204080) >> 56) << (8 * i);
    return bits;
}

/* Are marks bytes? Never where words are smaller, for such cores share a lane. The compiler is to
 * know it: code that reads bytes costs a device's kernel a third of its threads. */
MW_FN bool mw_frontier_has_bytes(const struct mw_frontier *f)
{
    return MW_WORD_BITS == 64 && f->mark != NULL;
}

/* The marks of a word as this kind of core takes bits; and takes them away. */
MW_FN mw_word mw_frontier_marks_word(const struct mw_frontier *f, uint64_t w)
{
    return mw_frontier_has_bytes(f) ? (mw_word)mw_frontier_marks(f, w)
                                    : mw_word_of(f->mark_bit, w);
}

MW_FN mw_word mw_frontier_take_word(const struct mw_frontier *f, uint64_t w)
{
    const mw_word bits = mw_frontier_marks_word(f, w);
    if (bits == 0)
        return 0;
    if (mw_frontier_has_bytes(f))
        memset(f->mark + 64 * w, 0, 64);
    else
        mw_put_word(f->mark_bit, w, 0);
    return bits;
}

/* Labels of such a word that exist and are not visited. */
MW_FN mw_word mw_frontier_open(const struct mw_frontier *f, uint64_t w)
{
    const uint64_t left = f->n_labels - mw_min(MW_WORD_BITS * w, f->n_labels);
    const mw_word all = (mw_word) ~(mw_word)0;
    return (left >= MW_WORD_BITS ? all : ((mw_word)1 << left) - 1) &
           ~mw_word_of(f->visited, w);
}

/* After kernels of cores that mark what they reach and list nothing: marks are to be joined. */
MW_FN void mw_frontier_unlisted(const struct mw_frontier *f, uint32_t lane)
{
    f->lane[lane].n_next = f->next_room + 1;
}

/* A list in the making, by one core: nothing, or one label more with so many edges; a
 * label that is not visited yet is. mw_frontier_listed() follows. */
MW_FN void mw_frontier_list_none(struct mw_frontier *f)
{
    f->part[f->n_parts].n_found = f->part[f->n_parts].n_edges = 0;
}

MW_FN void mw_frontier_list_one(struct mw_frontier *f, uint32_t label, uint64_t n_edges)
{
    MW_TOUCH(f->row, 8 * (uint64_t)label);
    MW_TOUCH(f->list, 4 * f->part[f->n_parts].n_found);
    MW_TOUCH(f->list_end, 8 * f->part[f->n_parts].n_found);
    struct mw_frontier_part *made = &f->part[f->n_parts];
    made->n_edges += n_edges;
    f->list[made->n_found] = label;
    f->list_end[made->n_found++] = made->n_edges;
}

/* Other ranks may be reading; only we write. */
MW_FN void mw_frontier_visit_word(const struct mw_frontier *f, uint64_t w, uint64_t bits)
{
    mw_store(f->visited, w, mw_load(f->visited, w, true) | bits, true);
}

MW_FN void mw_frontier_add(struct mw_frontier *f, uint32_t label)
{
    mw_frontier_visit_word(f, label / 64, UINT64_C(1) << (label % 64));
    mw_frontier_list_one(f, label, f->row[label + 1] - f->row[label]);
}

/* What a sweep has reached: all words of a part, n of them. Its kernel is the only one to put
 * this part. */
void mw_frontier_put(const struct mw_frontier *f, uint32_t lane, uint64_t part,
                     const uint64_t *bits, uint64_t n);

/* ---- for the level loop; local ------------------------------------------------------------ */

/* `whole`: nearly all labels may stand in the list at a time. */
void mw_frontier_sizes(uint64_t n_labels, uint32_t n_lanes, bool whole,
                       struct mw_sizes *out);

/* Takes what the table of sizes says, for all lanes of the world. Borrows world and graph, whose rows are of
 * cores. */
int mw_frontier_init(struct mw_frontier *f, struct mw_world *world,
                     const struct mw_sizes *sizes, const struct mw_graph *g) MW_NODISCARD;
void mw_frontier_fini(struct mw_frontier *f);

/* Before a search: nothing is active. */
void mw_frontier_clear(struct mw_frontier *f);
/* After a kernel has made a list: that is the frontier. */
void mw_frontier_listed(struct mw_frontier *f);
/* After one has listed list[0], if it has edges, and has counted them only. */
void mw_frontier_started(struct mw_frontier *f);

/* Before a level: nothing is claimed, nothing put. */
void mw_frontier_begin(struct mw_frontier *f);

/* After claims: what they reached is the frontier, as a list, and visited, or as bits. */
void mw_frontier_join(struct mw_frontier *f);
/* After sweeps: what they put is. */
void mw_frontier_swept(struct mw_frontier *f);
/* How many the frontier has, and edges out of them. */
void mw_frontier_count(const struct mw_frontier *f, uint64_t *n_found, uint64_t *n_edges);

/* Bits are visited from here on; a list is already. */
void mw_frontier_visit(struct mw_frontier *f);
/* Makes a list of it. */
void mw_frontier_list(struct mw_frontier *f);

MW_END_DECLS
#endif
