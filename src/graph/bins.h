/* bins.h -- records put aside by place until their places fit a cache.
 *
 * Counting or filling rows one record at a time is one cache miss each. So records are
 * first thrown into bins, each a range of places, and a bin is then worked on as a
 * whole. Every lane fills chunks of its own: no atomics and no locks.
 *
 *      lane 0   bin 0 -> chunk -> chunk     bin 1 -> chunk ...
 *      lane 1   bin 0 -> chunk              bin 1 -> ...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BINS_H
#define MW_BINS_H

#include "base/mem.h"

MW_BEGIN_DECLS

enum { MW_CHUNK_BYTES = 1024 };

struct mw_chunk {
    struct mw_chunk *next; /* filled before this one */
    uint64_t n;            /* records */
    char record[MW_CHUNK_BYTES - 16];
};

struct mw_bin_lane {
    struct mw_chunk **bin;           /* [n_bins] the chunk being filled, or NULL */
    struct mw_chunk *arena;          /* the block that chunks are cut from */
    uint64_t n_left;                 /* chunks left in it */
    struct mw_bin_block *block;      /* all blocks */
    struct mw_bin_block *next_block; /* to be used again after mw_bins_clear() */
    int status;                      /* MW_ERR_NOMEM once a block could not be had */
    char fill[64];
};

struct mw_bins {
    struct mw_bin_lane *lane;
    uint32_t n_lanes;
    uint64_t n_bins;
    uint32_t record_bytes, per_chunk;
    uint64_t block_chunks;
};

int mw_bins_init(struct mw_bins *b, uint32_t n_lanes, uint64_t n_bins,
                 uint32_t record_bytes, uint64_t expected_records) MW_NODISCARD;
void mw_bins_fini(struct mw_bins *b);
void mw_bins_clear(struct mw_bins *b); /* empty again; keeps the memory */
int mw_bins_status(
    const struct mw_bins *b); /* MW_OK, or MW_ERR_NOMEM: records are missing */

/* A chunk with room for bin i; the cold end of mw_bins_add(). NULL: out of memory. */
struct mw_chunk *mw_bins_chunk(struct mw_bins *b, struct mw_bin_lane *l, uint64_t i);

/* The room for one more record of bin i; NULL when memory is out (see status). */
MW_FN void *mw_bins_add(struct mw_bins *b, uint32_t lane, uint64_t i)
{
    struct mw_bin_lane *l = &b->lane[lane];
    struct mw_chunk *c = l->bin[i];
    if (MW_UNLIKELY(c == NULL || c->n == b->per_chunk)) {
        c = mw_bins_chunk(b, l, i);
        if (c == NULL)
            return NULL;
    }
    return c->record + c->n++ * b->record_bytes;
}

MW_END_DECLS
#endif
