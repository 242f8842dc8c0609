/* batch.h -- a buffer of records on its way somewhere.
 *
 * Batches come from pools whose size is fixed at set-up: nothing is allocated
 * inside a traversal. A batch has exactly one owner at any time:
 *
 *      pool -> scheduler (reserves) -> kernel (fills) -> scheduler
 *           -> transport (carries) -> input queue -> kernel (reads) -> pool
 *
 * Ownership moves through functions named take, give and send. Every other
 * function borrows.
 *
 * On the wire a batch is its head, then records, then segments:
 *
 *      | head 16 B | record record record ... | segment segment ... |
 *
 * A record holds the child's number at the receiver and a value. Whose value it
 * is follows from the segment: `count` records in a row were made by rank
 * `sender`. In the first hop a batch is all one sender's and carries no segment;
 * the relay re-buckets by column and keeps senders apart, so its batches carry
 * one segment per stretch. While a record travels to its relay, the column of its
 * owner rides above the child's number (address.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BATCH_H
#define MW_BATCH_H

#include "base/sizes.h"

MW_BEGIN_DECLS

enum mw_stream { MW_BACKWARD, MW_FORWARD, MW_STREAM_COUNT };
enum mw_hop { MW_SOURCE, MW_TO_RELAY, MW_TO_OWNER, MW_NOWHERE };
enum {
    MW_PORT_COUNT = 4,    /* streams x {to relay, to owner} */
    MW_BATCH_LAST = 1,    /* flag: nothing follows on this link in this level */
    MW_BATCH_CODING = 1,  /* flags above this bit: an enum mw_coding */
    MW_SEGMENTS_MAX = 64, /* stretches of one sender in one batch */
    MW_LINE_BYTES = 256 /* write-combining; 64 is slower, 512 not faster: bench/shuffle */
};

/* What becomes of an image on its way (coding.h). */
enum mw_coding { MW_CODING_NONE, MW_CODING_VBYTE, MW_CODING_PACKED, MW_N_CODINGS };

/* One per line of sight: where a batch is going to be read. */
MW_FN uint32_t mw_port_index(uint32_t stream, uint32_t hop)
{
    return 2 * stream + (hop - MW_TO_RELAY);
}

/* What travels. Value: a number of 32 bits (narrow, 8 bytes a record, the rule) or
 * 64 bits (wide, 16 bytes); a pipeline uses one of the two throughout. A wide record has room for
 * an extra number: 0, but in pipelines that ask for it (address.h). */
struct mw_record {
    uint32_t child, value;
};
struct mw_wide_record {
    uint64_t value;
    uint32_t child, extra;
};
struct mw_segment {
    uint32_t sender, count;
};
MW_STATIC_ASSERT(sizeof(struct mw_record) == 8, "wire format");
MW_STATIC_ASSERT(sizeof(struct mw_wide_record) == 16, "wire format");
MW_STATIC_ASSERT(sizeof(struct mw_segment) == 8, "wire format");

/* What travels in front of the records. Links deliver in order; `seq` and `level`
 * let the receiver assert it. */
struct mw_batch_head {
    uint32_t n_records;
    uint32_t sender; /* who sent the batch; and who made its records if n_segments is 0 */
    uint16_t n_segments; /* behind the records */
    uint16_t seq;        /* 0, 1, 2 ... per link and level, mod 65536 */
    uint8_t port, flags;
    uint8_t level; /* mod 256 */
    uint8_t record_bytes;
};
MW_STATIC_ASSERT(sizeof(struct mw_batch_head) == 16, "wire format");

/* Behind the head of a coded image. */
struct mw_coded {
    uint32_t bytes; /* from here on */
    uint32_t check; /* of what follows */
};
MW_STATIC_ASSERT(sizeof(struct mw_coded) == 8, "wire format");

struct mw_batch_pool;

struct mw_batch {
    struct mw_batch *next;      /* link of the one list the batch is on */
    struct mw_batch_pool *pool; /* where it goes home to */
    struct mw_batch_head *head; /* the wire image; records start on a cache line */
    void *record;               /* == (void *)(head + 1) */
    uint32_t peer;              /* where to, or where from */
    uint32_t n_segments;        /* while it is being filled */
    uint32_t n_counted;         /* records that are in a segment already */
    struct mw_segment *segment; /* [MW_SEGMENTS_MAX], not on the wire yet */
};

/* A list of batches in the order they were put. */
struct mw_batch_list {
    struct mw_batch *first, *last;
    uint64_t n;
};

MW_FN void mw_batch_put(struct mw_batch_list *l, struct mw_batch *b)
{
    b->next = NULL;
    if (l->first == NULL)
        l->first = b;
    else
        l->last->next = b;
    l->last = b;
    l->n++;
}

MW_FN struct mw_batch *mw_batch_get(struct mw_batch_list *l)
{
    struct mw_batch *b = l->first;
    if (b != NULL) {
        l->first = b->next;
        b->next = NULL;
        l->n--;
    }
    return b;
}

/* Bytes of a wire image that can hold `capacity` records with all segments. */
MW_FN uint64_t mw_batch_image_bytes(uint32_t capacity, uint32_t record_bytes)
{
    return sizeof(struct mw_batch_head) + (uint64_t)capacity * record_bytes +
           MW_SEGMENTS_MAX * sizeof(struct mw_segment);
}

MW_FN enum mw_coding mw_batch_coding(const struct mw_batch_head *h)
{
    return (enum mw_coding)(h->flags >> MW_BATCH_CODING);
}

/* Bytes of the wire image as it stands. */
MW_FN uint64_t mw_batch_bytes(const struct mw_batch_head *h)
{
    if (MW_UNLIKELY(mw_batch_coding(h) != MW_CODING_NONE))
        return sizeof *h + ((const struct mw_coded *)(const void *)(h + 1))->bytes;
    return sizeof *h + (uint64_t)h->n_records * h->record_bytes +
           h->n_segments * sizeof(struct mw_segment);
}

/* A pool belongs to one thread, the management core's. mw_batch_pool_free() returns
 * how many batches have not come home: 0, or somebody still holds one. */
int mw_batch_pool_new(uint64_t n_batches, uint32_t capacity, uint32_t record_bytes,
                      struct mw_batch_pool **out) MW_NODISCARD;
uint64_t mw_batch_pool_free(struct mw_batch_pool *pool);
struct mw_batch *mw_batch_take(struct mw_batch_pool *pool); /* NULL: none left; empty */
void mw_batch_give(struct mw_batch *b);
uint64_t mw_batch_pool_left(const struct mw_batch_pool *pool);
/* What mw_batch_pool_new() takes. */
void mw_batch_pool_sizes(uint64_t n_batches, uint32_t capacity, uint32_t record_bytes,
                         enum mw_when when, struct mw_sizes *out);

/* Is this a wire image that a kernel may read, or if it is coded, a coder? Lengths,
 * counts and senders are checked against what the receiver knows; `bytes` is what
 * arrived. (Children are the pipeline's to check, which knows how many there are.)
 * Returns MW_OK, or MW_ERR_INTERNAL with a text that names the sender. */
int mw_batch_check(const struct mw_batch_head *h, uint64_t bytes, uint32_t capacity,
                   uint32_t record_bytes, uint32_t n_ranks) MW_NODISCARD;
/* The part of it that looks at what stands behind the records; of a coded one, decoded. */
int mw_batch_check_segments(const struct mw_batch_head *h, uint32_t n_ranks) MW_NODISCARD;

/* Where the kernels of one port put their output: per core a lane that no other core
 * touches, so filling it needs neither atomics nor locks. The scheduler gives each
 * lane empty batches for the worst case before a launch, so a kernel can neither fail
 * nor wait, and collects `full` afterwards.
 *
 *      record ---> line k |r r r r . . .|  ---full---> open batch k |line|line|   |
 *                          end[k] '                                  cursor[k] '
 *
 * Only whole lines are copied, so they lie on cache lines of the batch as well. A line
 * that is not full stays where it is when a kernel ends; it follows when the batch is
 * closed. Between kernels, then:
 *   - a bucket with records in its line has an open batch, and the line fits into it;
 *   - an open batch has room for one more segment.
 * All records since the last change of `sender` are of `sender`. */
struct mw_cursor {
    char *to;        /* end of the lines that are in the open batch */
    uint64_t n_free; /* lines that fit and do not fill it; 0: ask spill_slowly() */
};

struct mw_lane {
    struct mw_batch **open;   /* [n_buckets], NULL: none yet */
    struct mw_cursor *cursor; /* [n_buckets] */
    struct mw_batch *spare;   /* empty ones */
    struct mw_batch_list full;
    uint32_t n_spare;
    uint32_t sender;     /* who makes the records of this job */
    uint32_t line_bytes; /* a power of two; lines fill a batch exactly */
    char *line;          /* [n_buckets * MW_LINE_BYTES], write-combining */
    uint32_t *end;       /* [n_buckets] where in `line` each bucket's next record goes */
    char fill[64];       /* lanes do not share a cache line */
};

struct mw_buckets {
    struct mw_lane *lane; /* [n_lanes] */
    uint32_t n_lanes, n_buckets;
    uint32_t capacity, record_bytes; /* of every batch */
    uint32_t me;                     /* this rank */
    uint8_t port;
    bool streams; /* lines go around the cache: see MW_STREAM_FROM */
};

/* The shape comes filled in (n_lanes, n_buckets, capacity, record_bytes, me, port). */
int mw_buckets_init(struct mw_buckets *b) MW_NODISCARD;
void mw_buckets_fini(struct mw_buckets *b); /* open batches go home */
/* What mw_buckets_init() takes. */
void mw_buckets_sizes(uint32_t n_lanes, uint32_t n_buckets, enum mw_when when,
                      struct mw_sizes *out);

/* How many spare batches a lane needs so that `records` more always fit, made one after the other
 * by `senders` (how often mw_lane_begin() is called). Of those that a bucket opens, the last stays
 * open; each other was full of these records, or of segments of them: the last sender's is not
 * ended yet, and none is empty. */
MW_FN uint64_t mw_lane_need(const struct mw_buckets *b, uint64_t records,
                            uint64_t senders)
{
    return mw_min(b->n_buckets, records) + records / b->capacity +
           mw_min(b->n_buckets * (senders - 1), records) / MW_SEGMENTS_MAX;
}

/* For kernels, through emitter.h: from now on the records are made by `sender`; line k
 * is full and goes to the batch; a kernel ends, and what it has written may be read by
 * the thread that waits for it. */
MW_SHOWN void mw_lane_begin(struct mw_buckets *b, struct mw_lane *l, uint32_t sender);
MW_SHOWN void mw_lane_spill(struct mw_buckets *b, struct mw_lane *l, uint32_t k);
MW_SHOWN void mw_lane_end(struct mw_buckets *b, struct mw_lane *l);

/* The same in steps, for a core that keeps its lines in a store of its own and moves them by
 * DMA: the line of bucket k that the last job left, and its bytes; ... */
MW_FN uint32_t mw_lane_line_bytes(const struct mw_lane *l, uint32_t k)
{
    return l->end[k] - ((k + 1) * MW_LINE_BYTES - l->line_bytes);
}
MW_FN char *mw_lane_line(const struct mw_lane *l, uint32_t k)
{
    return l->line + (k + 1) * MW_LINE_BYTES - l->line_bytes;
}
/* ... where the next whole line goes; that it is there; and what is left for the next job. */
MW_SHOWN void *mw_lane_place(struct mw_buckets *b, struct mw_lane *l, uint32_t k);
MW_SHOWN void mw_lane_placed(struct mw_buckets *b, struct mw_lane *l, uint32_t k);
MW_FN void mw_lane_keep_line(struct mw_lane *l, uint32_t k, uint32_t bytes)
{
    l->end[k] = (k + 1) * MW_LINE_BYTES - l->line_bytes + bytes;
}

/* Appends n records of bucket k that lie side by side, made by l->sender. */
MW_SHOWN void mw_lane_append(struct mw_buckets *b, struct mw_lane *l, uint32_t k,
                             const void *records, uint32_t n);

/* Closes the open batch of bucket k: its last line goes into it, and its segments go
 * behind its records. NULL: none. */
struct mw_batch *mw_lane_close(struct mw_lane *l, uint32_t k);

MW_END_DECLS
#endif
