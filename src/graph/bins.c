/* bins.c -- see bins.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/bins.h"

#include <string.h>

MW_STATIC_ASSERT(sizeof(struct mw_chunk) == MW_CHUNK_BYTES, "whole cache lines");

struct mw_bin_block {
    struct mw_bin_block *next;
    struct mw_chunk *chunk; /* [block_chunks + 1], of which one is lost to alignment */
};

/* A lane's share in a few blocks: growing is rare, and little is left over. */
static uint64_t block_chunks_of(uint32_t n_lanes, uint64_t expected_bytes)
{
    const uint64_t share = expected_bytes / n_lanes / 8;
    if (share < 1 << 20)
        return 64;
    return mw_round_up(share + 1, 2 << 20) / MW_CHUNK_BYTES - 2; /* huge pages */
}

void mw_bins_sizes(uint32_t n_lanes, uint64_t n_bins, uint32_t n_bins_alike,
                   enum mw_when when, struct mw_sizes *out)
{
    const struct mw_bin_lane *l = NULL;
    const uint64_t n = (uint64_t)n_bins_alike * n_lanes;
    mw_sizes_add(out, when, "bin lanes", n_lanes, sizeof *l)->copies = n_bins_alike;
    mw_sizes_add(out, when, "ends of bins", n_bins, sizeof *l->at)->copies = n;
    mw_sizes_add(out, when, "bins", n_bins, sizeof *l->bin)->copies = n;
}

void mw_bins_estimate(uint32_t n_lanes, uint64_t n_bins, uint32_t record_bytes,
                      uint64_t expected_bytes, uint64_t n_records, enum mw_when when,
                      struct mw_sizes *out)
{
    const uint64_t block_chunks = block_chunks_of(n_lanes, expected_bytes);
    /* The last chunk of a bin is half empty; no bin has more chunks than records. */
    const uint64_t share = n_records / n_lanes + 1;
    const uint64_t n_chunks =
        mw_min(share, share / mw_records_per_chunk(record_bytes) + n_bins / 2 + 1);
    struct mw_size *row =
        mw_sizes_add(out, when, "chunks of bins", block_chunks + 1, MW_CHUNK_BYTES);
    row->copies =
        n_records > 0 ? n_lanes * ((n_chunks + block_chunks - 1) / block_chunks) : 0;
    row->estimated = true;
}

int mw_bins_reshape(struct mw_bins *b, uint64_t n_bins, uint32_t record_bytes)
{
    struct mw_sizes sizes = {0};
    mw_bins_sizes(b->n_lanes, n_bins, 1, MW_ALWAYS, &sizes);
    b->record_bytes = record_bytes;
    b->per_chunk = mw_records_per_chunk(record_bytes);
    b->n_bins = 0;
    for (uint32_t i = 0; i < b->n_lanes; i++) {
        struct mw_bin_lane *l = &b->lane[i];
        MW_FREE_ALL(l->at, l->bin);
        l->bin = NULL;
        MW_NEED_TAKE(l->at, &sizes, "ends of bins");
        MW_NEED_TAKE(l->bin, &sizes, "bins");
    }
    b->n_bins = n_bins;
    mw_bins_clear(b);
    return MW_OK;
}

int mw_bins_init(struct mw_bins *b, uint32_t n_lanes, uint64_t n_bins,
                 uint32_t record_bytes, uint64_t expected_bytes)
{
    struct mw_sizes sizes = {0};
    memset(b, 0, sizeof *b);
    b->block_chunks = block_chunks_of(n_lanes, expected_bytes);
    mw_bins_sizes(n_lanes, n_bins, 1, MW_ALWAYS, &sizes);
    MW_NEED_TAKE(b->lane, &sizes, "bin lanes");
    b->n_lanes = n_lanes;
    return mw_bins_reshape(b, n_bins, record_bytes);
}

void mw_bins_fini(struct mw_bins *b)
{
    for (uint32_t i = 0; i < b->n_lanes; i++) {
        struct mw_bin_block *block;
        while ((block = b->lane[i].block) != NULL) {
            b->lane[i].block = block->next;
            MW_FREE_ALL(block->chunk, block);
        }
        MW_FREE_ALL(b->lane[i].at, b->lane[i].bin);
    }
    mw_free(b->lane);
    memset(b, 0, sizeof *b);
}

void mw_bins_clear(struct mw_bins *b)
{
    for (uint32_t i = 0; i < b->n_lanes; i++) {
        struct mw_bin_lane *l = &b->lane[i];
        memset(l->at, 0, b->n_bins * sizeof *l->at);
        memset(l->bin, 0, b->n_bins * sizeof *l->bin);
        l->next_block = l->block;
        l->arena = NULL;
        l->n_left = 0;
    }
}

int mw_bins_status(const struct mw_bins *b)
{
    for (uint32_t i = 0; i < b->n_lanes; i++)
        if (b->lane[i].status != MW_OK)
            return mw_fail(b->lane[i].status,
                           "out of memory: bins of the construction, "
                           "%llu chunks of %u bytes more",
                           (unsigned long long)b->block_chunks, (unsigned)MW_CHUNK_BYTES);
    return MW_OK;
}

static bool take_helping(struct mw_bin_store *store, struct mw_bin_lane *l)
{
    if (MW_LOAD_RELAXED(&store->next) >= store->n)
        return false;
    const uint64_t i = MW_ADD_RELAXED(&store->next, 1);
    if (i >= store->n)
        return false;
    l->arena =
        (struct mw_chunk *)(void *)(store->first + i * store->at_a_time * MW_CHUNK_BYTES);
    l->n_left = store->at_a_time;
    return true;
}

static bool new_block(struct mw_bins *b, struct mw_bin_lane *l)
{
    if (b->store != NULL)
        return take_helping(b->store, l);
    struct mw_bin_block *block = l->next_block;
    if (block != NULL) {
        l->next_block = block->next;
    } else {
        block = mw_alloc("block of bins", 1, sizeof *block);
        if (block != NULL)
            block->chunk =
                mw_alloc("chunks of bins", b->block_chunks + 1, sizeof *block->chunk);
        if (block == NULL || block->chunk == NULL) {
            mw_free(block);
            l->status = MW_ERR_NOMEM;
            return false;
        }
        block->next = l->block;
        l->block = block;
    }
    l->arena = (struct mw_chunk *)mw_round_up((uintptr_t)block->chunk, MW_CHUNK_BYTES);
    l->n_left = b->block_chunks;
    return true;
}

bool mw_bins_open(struct mw_bins *b, struct mw_bin_lane *l, uint64_t i)
{
    if (l->status != MW_OK || (l->n_left == 0 && !new_block(b, l)))
        return false;
    struct mw_chunk *c = l->arena++;
    l->n_left--;
    c->before = l->bin[i] != NULL ? (const char *)l->bin[i] - (const char *)c : 0;
    c->n = b->per_chunk;
    l->bin[i] = c;
    l->at[i] = c->record;
    return true;
}

void mw_bins_seal(struct mw_bins *b)
{
    for (uint32_t i = 0; i < b->n_lanes; i++)
        for (uint64_t k = 0; k < b->n_bins; k++) {
            struct mw_chunk *c = b->lane[i].bin[k];
            if (c != NULL)
                c->n = (uint64_t)(b->lane[i].at[k] - c->record) / b->record_bytes;
        }
}
