/* set.h -- a set of bits as bytes that travel: pure functions, no communicator.
 *
 * The bits are those of bitmaps, cut into blocks of at most MW_SET_BLOCK words; blocks have
 * numbers, and a block that has no bit is not there. A set is the rest of them, in the order of
 * their numbers, each in the cheapest of these codings:
 *
 *      words   the words of the bitmap up to the last one that is not 0
 *      list    the bits that are there, 16 bits each
 *      runs    the first and the last bit of each run, 16 bits each
 *      rest    the bits up to the last such word that are not there, 16 bits each
 *
 *      | block:32 | coding:8 words-1:... | items ... | block ...
 *
 * so that bytes follow what is in the set, not what could be (Young et al. 2016 reduce vectors
 * of variable size for the same reason). Two sets are united as they are: blocks that only one
 * of them has are copied, those of both are decoded, joined, and put in their new cheapest coding.
 *
 * Invariant: the numbers of a set's blocks grow. Of a set from elsewhere mw_set_check() must have
 * said so, and that no item lies outside of its block, before anything else is done with it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SET_H
#define MW_SET_H

#include "base/status.h"

MW_BEGIN_DECLS

enum { MW_SET_BLOCK = 1024 /* words: 2^16 bits, so that 16 bits number them */ };

struct mw_set {
    char *data; /* [room], the caller's */
    uint64_t bytes, room;
};

/* Blocks that so many words are cut into, and the most bytes of a set of n_blocks blocks that
 * have n_words words together. */
static inline uint64_t mw_set_blocks(uint64_t n_words)
{
    return (n_words + MW_SET_BLOCK - 1) / MW_SET_BLOCK;
}
uint64_t mw_set_room(uint64_t n_blocks, uint64_t n_words);

/* Appends words[n_words] as blocks first, first + 1, ...; beyond those that are there.
 * Where `told` is not NULL, only what who knows told[n_words] has to hear to know them:
 * of each block what is new, or all of it, whichever is shorter, and nothing of a block
 * that has nothing new. It has learned them then. */
void mw_set_add(struct mw_set *s, uint32_t first, const uint64_t *words, uint64_t *told,
                uint64_t n_words);

/* out: what is in a, in b, or in both; none of them, with room for both. */
void mw_set_unite(const struct mw_set *a, const struct mw_set *b, struct mw_set *out);

/* What was received: `n_portions` portions of `n_words` words each, mw_set_blocks(n_words) blocks a
 * portion. MW_ERR_INTERNAL says what is wrong. */
int mw_set_check(const struct mw_set *s, uint32_t n_portions, uint64_t n_words)
    MW_NODISCARD;

/* ORs the blocks first, first + 1, ... of words[n_words] into them. *at is where the set is read
 * from, 0 at first: ranges are asked for in the order of their blocks. */
void mw_set_read(const struct mw_set *s, uint64_t *at, uint32_t first, uint64_t *words,
                 uint64_t n_words);

MW_END_DECLS
#endif
