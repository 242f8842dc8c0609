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

#include "base/sizes.h"

MW_BEGIN_DECLS

enum { MW_CHUNK_BYTES = 1024 };

/* Chunks lie on multiples of their size, and records fill them exactly: to write next at
 * such a multiple says that there is no room (no chunk yet, or a full one). */
struct mw_chunk {
    int64_t before; /* bytes from here to the one filled before this one; 0: none */
    uint64_t n;     /* records; of the chunk being filled only after a seal */
    char record[MW_CHUNK_BYTES - 16];
};

/* Good in any process that sees the memory, wherever it sees it. */
MW_FN const struct mw_chunk *mw_chunk_before(const struct mw_chunk *c)
{
    return c->before != 0
               ? (const struct mw_chunk *)(const void *)((const char *)c + c->before)
               : NULL;
}

MW_FN uint32_t mw_records_per_chunk(uint32_t record_bytes)
{
    return (uint32_t)(MW_CHUNK_BYTES - 16) / record_bytes;
}

/* Chunks that are there from the beginning, for the lanes of several bins. */
struct mw_bin_store {
    char *first;
    uint64_t n, next;   /* helpings, and the next one to be taken; atomic */
    uint64_t at_a_time; /* chunks of a helping */
};

struct mw_bin_lane {
    char **at;                       /* [n_bins] where the next record goes */
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
    struct mw_bin_store *store; /* NULL: blocks of their own, as many as are needed */
};

int mw_bins_init(struct mw_bins *b, uint32_t n_lanes, uint64_t n_bins,
                 uint32_t record_bytes, uint64_t expected_bytes) MW_NODISCARD;
void mw_bins_fini(struct mw_bins *b);

/* Other bins for other records in the memory that is there already; empty afterwards. */
int mw_bins_reshape(struct mw_bins *b, uint64_t n_bins, uint32_t record_bytes)
    MW_NODISCARD;

/* What the two take at once, of several bins alike; and, estimated, the chunks that
 * `n_records` fill on top, when they come to all lanes and bins alike. */
void mw_bins_sizes(uint32_t n_lanes, uint64_t n_bins, uint32_t n_bins_alike,
                   enum mw_when when, struct mw_sizes *out);
void mw_bins_estimate(uint32_t n_lanes, uint64_t n_bins, uint32_t record_bytes,
                      uint64_t expected_bytes, uint64_t n_records, enum mw_when when,
                      struct mw_sizes *out);

/* After the last add and before the chunks are read. */
void mw_bins_seal(struct mw_bins *b);
void mw_bins_clear(struct mw_bins *b); /* empty again; keeps the memory */
int mw_bins_status(
    const struct mw_bins *b); /* MW_OK, or MW_ERR_NOMEM: records are missing */

/* Opens a new chunk for bin i; the cold end of mw_bins_add(). False: out of memory, or the store is
 * empty. */
bool mw_bins_open(struct mw_bins *b, struct mw_bin_lane *l, uint64_t i);

/* The room for one more record of bin i, `bytes` long; NULL when there is none. */
MW_FN void *mw_bins_add(struct mw_bins *b, uint32_t lane, uint64_t i, uint32_t bytes)
{
    struct mw_bin_lane *l = &b->lane[lane];
    if (MW_UNLIKELY((uintptr_t)l->at[i] % MW_CHUNK_BYTES == 0) && !mw_bins_open(b, l, i))
        return NULL;
    char *room = l->at[i];
    l->at[i] = room + bytes;
    return room;
}

MW_END_DECLS
#endif
