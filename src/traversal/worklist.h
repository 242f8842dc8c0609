/* worklist.h -- the active vertices of a rank in a run without levels (mpe/pipeline.h): who is near, and who
 * is put off.
 *
 *      elements --add--> near, far (bitmaps)      refill: near --> list, the source's units
 *                                                 nobody is near: the limit moves, and far --> near
 *
 * Bits are set by any core while jobs run, and taken by the management core between two jobs of the source;
 * sinks may be running. A bitmap makes each vertex active once, however often it falls. A second one says
 * which words have bits, so that few active vertices cost little.
 *
 * Priorities are soft (Groute): a rank moves its own limit, asking nobody. Who falls below it later is near
 * at once.
 *
 * Why no activation is lost: what makes a vertex active is changed before its bit is set, and read after the
 * bit was taken; both are read-modify-write operations on one word that release and acquire. Who finds other
 * bits in the word leaves the second bitmap to whoever set the first one, whose job is still running, so that
 * the rank is not passive.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_WORKLIST_H
#define MW_WORKLIST_H

#include "traversal/traversal.h"

MW_BEGIN_DECLS

/* Of labels. */
struct mw_activity {
    uint64_t *bits; /* [n_words] */
    uint64_t *some; /* [n_words / 64 + 1] words that may have bits */
};

/* What a run without levels says of itself; over all ranks. */
enum mw_async_fact {
    MW_ASYNC_REFILLS, /* that found something */
    MW_ASYNC_PARTS,   /* how often limits have moved */
    MW_ASYNC_RELAXED, /* entries of rows that were looked at, those looked at again included */
    MW_ASYNC_FACTS
};
extern const struct mw_counter mw_async_facts[MW_ASYNC_FACTS];

struct mw_worklist {
    struct mw_activity near, far;
    uint32_t *list;     /* [n_labels] whom the source works on */
    uint64_t *list_end; /* [n_labels] entries of rows of list[0 .. i] */
    uint64_t n_words, n_listed, n_units;
    const uint64_t *row; /* whose entries are units: [n_labels + 1] */
    /* Who has a priority below this is near. It moves when nobody is. */
    uint64_t limit;
    /* The end of the part that begins at the least priority of those far; more than that one. NULL: nobody
     * is ever far. */
    uint64_t (*end_of)(const struct mw_traversal *t, uint64_t least);
    uint64_t (*priority)(const struct mw_traversal *t, uint32_t label);
    uint64_t n_parts; /* how often the limit has moved */
    uint64_t n_done;  /* units of all refills */
    uint64_t fact[MW_ASYNC_FACTS];
};

/* A state with a work list begins so. */
struct mw_worklist_state {
    const struct mw_graph *g;
    struct mw_worklist work;
};

/* ---- for elements --------------------------------------------------------------------------- */

MW_FN void mw_activity_add(const struct mw_activity *a, uint64_t label)
{
    const uint64_t w = label / 64;
    if (MW_OR_ACQ_REL(&a->bits[w], UINT64_C(1) << (label % 64)) == 0)
        MW_OR_ACQ_REL(&a->some[w / 64], UINT64_C(1) << (w % 64));
}

MW_FN void mw_worklist_add(const struct mw_worklist *w, uint64_t label, uint64_t priority)
{
    mw_activity_add(priority < MW_LOAD_RELAXED(&w->limit) ? &w->near : &w->far, label);
}

/* The upper half of a word is what has to be small, strictly, so that no two vertices become each other's
 * parents; the lower half whom it is from. */
MW_FN void mw_worklist_lower(const struct mw_worklist *w, uint64_t *word, uint32_t label,
                             uint64_t value)
{
    uint64_t is = MW_LOAD_RELAXED(&word[label]);
    while (value >> 32 < is >> 32)
        if (MW_SWAP_RELAXED(&word[label], &is, value)) {
            mw_worklist_add(w, label, value >> 32);
            return;
        }
}

/* ---- for the rest --------------------------------------------------------------------------- */

/* Six rows of a table of blocks. */
/* clang-format off */
#define MW_WORKLIST_BLOCK(state, member, name, of, size)                                 \
    {.what = name, .offset = offsetof(struct state, member), .kind = MW_OF_CORES,        \
     .per = of, .bytes = size}
#define MW_WORKLIST_BLOCKS(state, member)                                                \
    MW_WORKLIST_BLOCK(state, member.near.bits, "vertices near", MW_PER_WORD, 8),         \
    MW_WORKLIST_BLOCK(state, member.near.some, "words near", MW_PER_WORD, 8),            \
    MW_WORKLIST_BLOCK(state, member.far.bits, "vertices far", MW_PER_WORD, 8),           \
    MW_WORKLIST_BLOCK(state, member.far.some, "words far", MW_PER_WORD, 8),              \
    MW_WORKLIST_BLOCK(state, member.list, "vertices of a round", MW_PER_LABEL, 4),       \
    MW_WORKLIST_BLOCK(state, member.list_end, "entries of a round", MW_PER_LABEL, 8)
/* clang-format on */

/* Local, as mw_algorithm.refill: who is near, or if nobody is, near now, becomes the list; no job of the
 * source is running. */
void mw_worklist_refill(struct mw_traversal *t);
/* Local: the work of the source. */
uint64_t mw_worklist_units(void *state);
/* Local: nobody is active; all priorities below the limit are near. */
void mw_worklist_reset(struct mw_worklist *w, const struct mw_graph *g, uint64_t limit);

/* Collective: the one step of such a run, until nobody is active anywhere. Then the sweep `row`, unless that
 * is 0, adds to *here, and *sum is what it has added at all ranks. */
int mw_worklist_step(struct mw_traversal *t, uint32_t row, uint64_t *here, uint64_t *sum)
    MW_NODISCARD;
/* Local: as mw_algorithm.facts. */
int mw_worklist_facts(struct mw_traversal *t, uint64_t *fact);

MW_END_DECLS
#endif
