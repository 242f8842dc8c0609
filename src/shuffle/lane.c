/* lane.c -- filling the batches of one port, see batch.h. Apart from batch.c because the cores
 * of a mesh call it too: compiled for both sides, C99, no call into a library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/batch.h"

#include "base/stream.h"

#include <string.h>

/* Where in l->line bucket k's records begin. A line that is shorter than a whole one ends
 * where that would: so mw_push() need not know how long lines are. */
static uint32_t line_start(const struct mw_lane *l, uint32_t k)
{
    return (k + 1) * MW_LINE_BYTES - l->line_bytes;
}

static uint32_t bytes_in_line(const struct mw_lane *l, uint32_t k)
{
    return l->end[k] - line_start(l, k);
}

/* Of the open batch of bucket k, those in the line included. */
static uint32_t n_records_of(const struct mw_lane *l, uint32_t k)
{
    const struct mw_batch *b = l->open[k];
    const uint64_t in_lines = (uint64_t)(l->cursor[k].to - (char *)b->record);
    return (uint32_t)((in_lines + bytes_in_line(l, k)) / b->head->record_bytes);
}

/* The records since the last change of sender become a segment, or part of the last. */
static void count_segment(struct mw_batch *b, uint32_t sender, uint32_t n_records)
{
    if (n_records == b->n_counted)
        return;
    if (b->n_segments == 0 || b->segment[b->n_segments - 1].sender != sender)
        b->segment[b->n_segments++] = (struct mw_segment){.sender = sender};
    b->segment[b->n_segments - 1].count += n_records - b->n_counted;
    b->n_counted = n_records;
}

static void open_batch(struct mw_buckets *b, struct mw_lane *l, uint32_t k)
{
    struct mw_batch *open = l->spare;
    l->spare = open->next;
    l->n_spare--;
    open->next = NULL;
    open->peer = k;
    open->head->record_bytes = (uint8_t)b->record_bytes;
    open->head->port = b->port;
    open->head->sender = b->me;
    l->open[k] = open;
    l->cursor[k].to = open->record;
    /* Shorter lines, of batches that whole ones do not fill, take the slow way. */
    l->cursor[k].n_free = l->line_bytes == MW_LINE_BYTES
                              ? b->capacity * b->record_bytes / MW_LINE_BYTES - 1
                              : 0;
}

struct mw_batch *mw_lane_close(struct mw_lane *l, uint32_t k)
{
    struct mw_batch *open = l->open[k];
    if (open == NULL)
        return NULL;
    struct mw_batch_head *h = open->head;
    h->n_records = n_records_of(l, k);
    count_segment(open, l->sender, h->n_records);
    if (open->n_segments == 1 && open->segment[0].sender == h->sender)
        open->n_segments = 0;
    h->n_segments = (uint16_t)open->n_segments;
    const uint32_t rest = bytes_in_line(l, k);
    memcpy(l->cursor[k].to, l->line + line_start(l, k), rest);
    memcpy(l->cursor[k].to + rest, open->segment,
           open->n_segments * sizeof *open->segment);
    l->open[k] = NULL;
    l->end[k] -= rest;
    l->cursor[k].n_free = 0;
    return open;
}

static void open_for_line(struct mw_buckets *b, struct mw_lane *l, uint32_t k)
{
    if (l->open[k] == NULL && bytes_in_line(l, k) > 0)
        open_batch(b, l, k);
}

/* Ends the stretch of the present sender in bucket k, whose line may be all there is of it. */
static void end_stretch(struct mw_buckets *b, struct mw_lane *l, uint32_t k)
{
    open_for_line(b, l, k);
    struct mw_batch *open = l->open[k];
    if (open == NULL)
        return;
    count_segment(open, l->sender, n_records_of(l, k));
    if (open->n_segments == MW_SEGMENTS_MAX)
        mw_batch_put(&l->full, mw_lane_close(l, k));
}

void mw_lane_begin(struct mw_buckets *b, struct mw_lane *l, uint32_t sender)
{
    if (l->sender == sender)
        return;
    for (uint32_t k = 0; k < b->n_buckets; k++)
        end_stretch(b, l, k);
    l->sender = sender;
}

/* The first line of a batch, the last one, and those of odd lengths. */
static void spill_slowly(struct mw_buckets *b, struct mw_lane *l, uint32_t k)
{
    struct mw_cursor *c = &l->cursor[k];
    if (l->open[k] == NULL)
        open_batch(b, l, k);
    memcpy(c->to, l->line + line_start(l, k), l->line_bytes);
    c->to += l->line_bytes;
    c->n_free -= c->n_free > 0;
    l->end[k] -= l->line_bytes;
    if (n_records_of(l, k) == b->capacity)
        mw_batch_put(&l->full, mw_lane_close(l, k));
}

void mw_lane_spill(struct mw_buckets *b, struct mw_lane *l, uint32_t k)
{
    struct mw_cursor *c = &l->cursor[k];
    if (MW_UNLIKELY(c->n_free == 0)) {
        spill_slowly(b, l, k);
        return;
    }
    const char *line = l->line + (uint64_t)k * MW_LINE_BYTES;
    if (b->streams)
        mw_stream(c->to, line, MW_LINE_BYTES);
    else
        memcpy(c->to, line, MW_LINE_BYTES);
    c->to += MW_LINE_BYTES;
    c->n_free--;
    l->end[k] = k * MW_LINE_BYTES;
}

void *mw_lane_place(struct mw_buckets *b, struct mw_lane *l, uint32_t k)
{
    if (l->open[k] == NULL)
        open_batch(b, l, k);
    return l->cursor[k].to;
}

void mw_lane_placed(struct mw_buckets *b, struct mw_lane *l, uint32_t k)
{
    struct mw_cursor *c = &l->cursor[k];
    c->to += l->line_bytes;
    c->n_free -= c->n_free > 0;
    l->end[k] = line_start(l, k);
    if (n_records_of(l, k) == b->capacity)
        mw_batch_put(&l->full, mw_lane_close(l, k));
}

void mw_lane_end(struct mw_buckets *b, struct mw_lane *l)
{
    for (uint32_t i = 0; i < b->n_buckets; i++)
        open_for_line(b, l, i);
    if (b->streams)
        mw_stream_fence();
}

void mw_lane_append(struct mw_buckets *b, struct mw_lane *l, uint32_t k,
                    const void *records, uint32_t n)
{
    const char *from = records;
    for (uint32_t i = 0; i < n; i++) {
        memcpy(l->line + l->end[k], from + (uint64_t)i * b->record_bytes,
               b->record_bytes);
        l->end[k] += b->record_bytes;
        if (bytes_in_line(l, k) == l->line_bytes)
            mw_lane_spill(b, l, k);
    }
    end_stretch(b, l, k);
}
