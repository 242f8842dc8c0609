/* batch.c -- pools, buckets and the wire image. See batch.h.
 *
 * A pool is one block: the descriptors, then the images. An image's records start
 * on a cache line and its head stands right in front of them:
 *
 *      |48 unused|head 16| records ... | segments |
 *      ^ cache line      ^ cache line
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/batch.h"

#include "base/mem.h"

#include <string.h>

/* Lines go around the cache once the open batches of a lane do not fit into it: reading
 * them first is saved, and so is what they would push out. In 64 buckets of 64 KiB that
 * is 4.6 for 3.5 GB/s (bench/shuffle, EPYC with 1 MiB of second-level cache). Fewer stay
 * in the cache for whoever sends them. */
enum { MW_STREAM_FROM = 4 << 20 };

struct mw_batch_pool {
    struct mw_batch_list home;
    uint64_t n;
    struct mw_batch *batch;
    struct mw_segment *segment;
    char *image;
};

/* Records begin 64 bytes into a stride, which with the line in front of mw_alloc()'s memory is at
 * a multiple of 128 in every batch: a mesh moves them by DMA in stretches of that size. */
static uint64_t stride_of(uint32_t capacity, uint32_t record_bytes)
{
    return mw_round_up(48 + mw_batch_image_bytes(capacity, record_bytes),
                       2 * MW_CACHE_LINE);
}

void mw_batch_pool_sizes(uint64_t n_batches, uint32_t capacity, uint32_t record_bytes,
                         enum mw_when when, struct mw_sizes *out)
{
    mw_sizes_add(out, when, "batch pool", 1, sizeof(struct mw_batch_pool));
    mw_sizes_add(out, when, "batch descriptors", n_batches, sizeof(struct mw_batch));
    mw_sizes_add(out, when, "batch segments", n_batches * MW_SEGMENTS_MAX,
                 sizeof(struct mw_segment));
    mw_sizes_add(out, when, "batches", n_batches * stride_of(capacity, record_bytes), 1);
}

int mw_batch_pool_new(uint64_t n_batches, uint32_t capacity, uint32_t record_bytes,
                      struct mw_batch_pool **out)
{
    int rc = MW_OK;
    const uint64_t stride = stride_of(capacity, record_bytes);
    struct mw_sizes sizes = {0};
    struct mw_batch_pool *p;

    mw_batch_pool_sizes(n_batches, capacity, record_bytes, MW_ALWAYS, &sizes);
    MW_TAKE(rc, p, &sizes, "batch pool");
    MW_TAKE(rc, p->batch, &sizes, "batch descriptors");
    MW_TAKE(rc, p->segment, &sizes, "batch segments");
    MW_TAKE(rc, p->image, &sizes, "batches");
    p->n = n_batches;
    for (uint64_t i = 0; i < n_batches; i++) {
        struct mw_batch *b = &p->batch[i];
        b->pool = p;
        b->head = (struct mw_batch_head *)(void *)(p->image + i * stride + 48);
        b->record = b->head + 1;
        b->segment = p->segment + i * MW_SEGMENTS_MAX;
        mw_batch_put(&p->home, b);
    }
    *out = p;
    return MW_OK;
end:
    mw_batch_pool_free(p);
    return rc;
}

uint64_t mw_batch_pool_free(struct mw_batch_pool *p)
{
    if (p == NULL)
        return 0;
    const uint64_t away = p->n - p->home.n;
    MW_FREE_ALL(p->image, p->segment, p->batch, p);
    return away;
}

struct mw_batch *mw_batch_take(struct mw_batch_pool *p)
{
    struct mw_batch *b = mw_batch_get(&p->home);
    if (b != NULL) {
        memset(b->head, 0, sizeof *b->head);
        b->n_segments = b->n_counted = 0;
    }
    return b;
}

/* At the front: the batch that is still in the cache is used first. */
void mw_batch_give(struct mw_batch *b)
{
    struct mw_batch_list *home = &b->pool->home;
    b->next = home->first;
    if (home->first == NULL)
        home->last = b;
    home->first = b;
    home->n++;
}

uint64_t mw_batch_pool_left(const struct mw_batch_pool *p)
{
    return p->home.n;
}

int mw_batch_check_segments(const struct mw_batch_head *h, uint32_t n_ranks)
{
    uint64_t in_segments = 0;
    const char *end = (const char *)(h + 1) + (uint64_t)h->n_records * h->record_bytes;
    for (uint32_t i = 0; i < h->n_segments; i++) {
        struct mw_segment s;
        memcpy(&s, end + i * sizeof s, sizeof s);
        in_segments += s.count;
        if (s.sender >= n_ranks || in_segments > h->n_records)
            return mw_fail(
                MW_ERR_INTERNAL,
                "corrupt batch from rank %u: segment %u has %u records of rank %u",
                h->sender, i, s.count, s.sender);
    }
    if (h->n_segments > 0 && in_segments != h->n_records)
        return mw_fail(MW_ERR_INTERNAL, "corrupt batch from rank %u: %llu of %u records",
                       h->sender, (unsigned long long)in_segments, h->n_records);
    return MW_OK;
}

/* A coded image has something to say, and says how long it is. */
static bool has_length(const struct mw_batch_head *h, uint64_t bytes)
{
    const enum mw_coding coding = mw_batch_coding(h);
    /* What a coder makes is shorter than what it was made of. */
    const uint64_t plain = sizeof *h + (uint64_t)h->n_records * h->record_bytes +
                           h->n_segments * sizeof(struct mw_segment);
    return coding == MW_CODING_NONE ||
           (coding < MW_N_CODINGS && h->n_records > 0 &&
            bytes >= sizeof *h + sizeof(struct mw_coded) && bytes < plain);
}

int mw_batch_check(const struct mw_batch_head *h, uint64_t bytes, uint32_t capacity,
                   uint32_t record_bytes, uint32_t n_ranks)
{
    if (bytes < sizeof *h || h->n_records > capacity || h->n_segments > MW_SEGMENTS_MAX ||
        h->record_bytes != record_bytes || h->port >= MW_PORT_COUNT ||
        h->sender >= n_ranks || !has_length(h, bytes) || bytes != mw_batch_bytes(h))
        return mw_fail(
            MW_ERR_INTERNAL,
            "corrupt batch from rank %u: %llu bytes for %u records of %u and %u "
            "segments on port %u",
            h->sender, (unsigned long long)bytes, h->n_records, h->record_bytes,
            h->n_segments, h->port);
    return mw_batch_coding(h) == MW_CODING_NONE ? mw_batch_check_segments(h, n_ranks)
                                                : MW_OK;
}

void mw_buckets_sizes(uint32_t n_lanes, uint32_t n_buckets, enum mw_when when,
                      struct mw_sizes *out)
{
    const struct mw_lane *l = NULL;
    const uint64_t lines = (uint64_t)n_buckets * MW_LINE_BYTES;
    mw_sizes_add(out, when, "lanes", n_lanes, sizeof *l);
    mw_sizes_add(out, when, "open batches", n_buckets, sizeof *l->open)->copies = n_lanes;
    mw_sizes_add(out, when, "ends of open batches", n_buckets, sizeof *l->cursor)
        ->copies = n_lanes;
    mw_sizes_add(out, when, "ends of lines", n_buckets, sizeof *l->end)->copies = n_lanes;
    mw_sizes_add(out, when, "write-combining lines", lines, sizeof *l->line)->copies =
        n_lanes;
}

int mw_buckets_init(struct mw_buckets *b)
{
    const uint32_t n_lanes = b->n_lanes;
    const uint32_t batch_bytes = b->capacity * b->record_bytes;
    uint32_t line_bytes = MW_LINE_BYTES;
    struct mw_sizes sizes = {0};
    while (batch_bytes % line_bytes != 0)
        line_bytes /= 2;
    b->streams = (uint64_t)b->n_buckets * batch_bytes >= MW_STREAM_FROM;
    mw_buckets_sizes(n_lanes, b->n_buckets, MW_ALWAYS, &sizes);
    b->n_lanes = 0; /* fini looks at what is there */
    MW_NEED_TAKE(b->lane, &sizes, "lanes");
    b->n_lanes = n_lanes;
    for (uint32_t i = 0; i < n_lanes; i++) {
        struct mw_lane *l = &b->lane[i];
        l->sender = b->me;
        l->line_bytes = line_bytes;
        MW_NEED_TAKE(l->open, &sizes, "open batches");
        MW_NEED_TAKE(l->cursor, &sizes, "ends of open batches");
        MW_NEED_TAKE(l->end, &sizes, "ends of lines");
        MW_NEED_TAKE(l->line, &sizes, "write-combining lines");
        for (uint32_t k = 0; k < b->n_buckets; k++)
            l->end[k] = (k + 1) * MW_LINE_BYTES - line_bytes;
    }
    return MW_OK;
}

void mw_buckets_fini(struct mw_buckets *b)
{
    for (uint32_t i = 0; i < b->n_lanes; i++) {
        struct mw_lane *l = &b->lane[i];
        struct mw_batch *batch;
        for (uint32_t k = 0; l->open != NULL && k < b->n_buckets; k++)
            if (l->open[k] != NULL)
                mw_batch_give(l->open[k]);
        while ((batch = l->spare) != NULL) {
            l->spare = batch->next;
            mw_batch_give(batch);
        }
        while ((batch = mw_batch_get(&l->full)) != NULL)
            mw_batch_give(batch);
        MW_FREE_ALL(l->open, l->cursor, l->end, l->line);
    }
    mw_free(b->lane);
    memset(b, 0, sizeof *b);
}
