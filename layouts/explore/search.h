/* search.h -- the visited set of a search over packed states; it knows nothing of meshes.
 *
 * A state is a fixed number of words. States are numbered in the order in which they were
 * first added, and each keeps the number of the one it was reached from. So breadth first is
 * nothing but taking 0, 1, 2, ... and adding what they lead to, and a way back to the start
 * always exists. States never move: readers may hold on to mw_net_search_state().
 *
 *      slot[hash]   | tag | number + 1 |      4 bytes; open addressing, linear
 *                            |
 *      chunk[]      | state state state ... | parent parent parent ... |
 *
 * The tag, hash bits that the number leaves free, spares most looks at the wrong state. States
 * are added in batches, because a visited set is made of cache misses: all slots of a batch
 * are on their way before the first one is read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SEARCH_H
#define MW_SEARCH_H

#include "base/status.h"

MW_BEGIN_DECLS

#define MW_NET_SEARCH_MAX (UINT64_C(0xFFFFFFFE)) /* states */
#define MW_NET_SEARCH_BYTES                                                              \
    (UINT64_C(1) << 30) /* of memory, unless the caller says another */

struct mw_net_search {
    uint32_t n_words;
    uint64_t limit, n;    /* states at most; so far */
    uint64_t limit_bytes; /* no chunk or larger table that would go beyond it */
    uint64_t bytes, most_bytes;

    uint32_t *slot; /* owned; [mask + 1]; 0: free */
    uint64_t mask, number_mask;

    uint32_t chunk_bits; /* states per chunk: 1 << chunk_bits */
    uint64_t n_chunks;
    void **chunk; /* owned; words of the states, then 32-bit parents */
    uint64_t n_slabs;
    void **slab; /* owned; what the chunks were cut from */
};

/* All functions are local. `limit` is cut to MW_NET_SEARCH_MAX; n_words >= 1. limit_bytes 0:
 * MW_NET_SEARCH_BYTES; the first table and the first chunk (256 KiB or two states) are taken
 * whatever it is. MW_ERR_NOMEM. */
int mw_net_search_init(struct mw_net_search *s, uint32_t n_words, uint64_t limit,
                       uint64_t limit_bytes) MW_NODISCARD;
void mw_net_search_fini(struct mw_net_search *s); /* zeroed is legal */

/* Adds those of the n states (n * n_words words) that are new, in their order; parent[i] is
 * the number of the one state[i] was reached from. MW_DONE: a limit is met, the states from
 * the first one without room on were left out (where the table is full: from the 64 on that
 * it is among). MW_ERR_NOMEM. */
int mw_net_search_add(struct mw_net_search *s, uint64_t n, const uint64_t *state,
                      const uint32_t *parent) MW_NODISCARD;

MW_FN const uint64_t *mw_net_search_state(const struct mw_net_search *s, uint64_t i)
{
    const uint64_t in_chunk = i & ((UINT64_C(1) << s->chunk_bits) - 1);
    return (const uint64_t *)s->chunk[i >> s->chunk_bits] + in_chunk * s->n_words;
}

/* Of the first state: itself. */
uint32_t mw_net_search_parent(const struct mw_net_search *s, uint64_t i);
/* Numbers on the way from the first state to state i, both included. */
uint64_t mw_net_search_depth(const struct mw_net_search *s, uint64_t i);

MW_END_DECLS
#endif
