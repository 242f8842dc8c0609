/* mesh_collector.h -- a consumer's records into batches: skeleton_mesh.h has the whole.
 *
 *      record --> line of its bucket, in local store --full, DMA--> open batch of the lane
 *
 * While a line is on its way its bucket has another; MW_LINES_UNDER_WAY more than there are
 * buckets. What is left at the end goes back to the lane, and is fetched by the next job.
 *
 * C99 plus base.h; the machine is MW_CPE_HEADER.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_COLLECTOR_H
#define MW_MESH_COLLECTOR_H

#include MW_CPE_HEADER

#include "shuffle/job.h"
#include "shuffle/mesh_message.h"
#include "shuffle/mesh_role.h"
#include "shuffle/mesh_store.h"
#include "shuffle/segments.h"

#include <string.h>

struct mw_mesh_flight { /* a line on its way to memory, or a free one */
    char *line;
    mw_dma_reply *reply;
    int n; /* requests under way: 0 or 1 */
};

struct mw_collector {
    struct mw_cpe *self;
    const struct mw_mesh_role *role;
    struct mw_buckets *out;
    struct mw_lane *lane;
    struct mw_mesh_bin *bin; /* [n_bins] in local store */
    struct mw_mesh_flight flight[MW_LINES_UNDER_WAY];
    uint32_t next_flight;
    uint32_t n_bins, line_bytes, record_bytes;
    mw_dma_reply *reply;
};

MW_FN void mw_collector_fetch(struct mw_collector *c)
{
    uint32_t i, n = 0;
    *c->reply = 0;
    for (i = 0; i < c->n_bins; i++) {
        struct mw_mesh_bin *b = &c->bin[i];
        b->bytes = mw_lane_line_bytes(c->lane, b->bucket);
        if (b->bytes == 0)
            continue;
        mw_dma_get(c->self, b->line, mw_lane_line(c->lane, b->bucket), b->bytes,
                   c->reply);
        n++;
    }
    mw_dma_wait(c->self, c->reply, (int)n);
}

/* The consumer's number stands for its lane: the lanes of a mesh are those of its consumers. */
MW_FN void mw_collector_begin(struct mw_collector *c, struct mw_cpe *self,
                              const struct mw_job *job, const struct mw_mesh_role *role)
{
    uint32_t b, i;
    memset(c, 0, sizeof *c);
    c->self = self;
    c->role = role;
    c->out = job->out;
    c->lane = &job->out->lane[self->lane - self->id + role->consumer];
    c->line_bytes = c->lane->line_bytes;
    c->record_bytes = job->out->record_bytes;
    mw_lane_begin(c->out, c->lane, mw_job_sender(job));
    for (b = mw_role_first_bucket(role, c->out->n_buckets);
         b < c->out->n_buckets &&
         mw_role_consumer(role, b, c->out->n_buckets) == role->consumer;
         b = mw_role_next_bucket(role, b))
        c->n_bins++;
    c->reply = (mw_dma_reply *)mw_ldm_take(self, sizeof *c->reply);
    c->bin = (struct mw_mesh_bin *)mw_ldm_take(self, mw_store_bins(c->n_bins));
    b = mw_role_first_bucket(role, c->out->n_buckets);
    for (i = 0; i < c->n_bins; i++, b = mw_role_next_bucket(role, b)) {
        c->bin[i].bucket = b;
        c->bin[i].line = (char *)mw_ldm_take(self, MW_LINE_BYTES);
    }
    for (i = 0; i < MW_LINES_UNDER_WAY; i++) {
        c->flight[i].line = (char *)mw_ldm_take(self, MW_LINE_BYTES);
        c->flight[i].reply = (mw_dma_reply *)mw_ldm_take(self, sizeof *c->reply);
        *c->flight[i].reply = 0;
    }
    mw_collector_fetch(c);
}

/* The line leaves, and the bin gets the one that left longest ago. */
MW_FN void mw_collector_send(struct mw_collector *c, struct mw_mesh_bin *b)
{
    struct mw_mesh_flight *f = &c->flight[c->next_flight];
    char *line = b->line;
    mw_dma_wait(c->self, f->reply, f->n);
    *f->reply = 0;
    mw_dma_put(c->self, line, mw_lane_place(c->out, c->lane, b->bucket), b->bytes,
               f->reply);
    mw_lane_placed(c->out, c->lane, b->bucket);
    b->line = f->line;
    b->bytes = 0;
    f->line = line;
    f->n = 1;
    c->next_flight = (c->next_flight + 1) % MW_LINES_UNDER_WAY;
}

MW_FN void mw_collector_add(struct mw_collector *c, const struct mw_message *m,
                            uint32_t i, bool wide)
{
    struct mw_mesh_bin *b = &c->bin[mw_message_tag(m, i)];
    const uint32_t child = mw_message_child(m, i, wide);
    const uint64_t value = mw_message_value(m, i, wide);
    if (wide) {
        const struct mw_wide_record r = {value, child, 0};
        memcpy(b->line + b->bytes, &r, sizeof r);
    } else {
        const struct mw_record r = {child, (uint32_t)value};
        memcpy(b->line + b->bytes, &r, sizeof r);
    }
    b->bytes += c->record_bytes;
    if (b->bytes == c->line_bytes)
        mw_collector_send(c, b);
}

MW_FN void mw_collector_end(struct mw_collector *c)
{
    uint32_t i, n = 0;
    for (i = 0; i < MW_LINES_UNDER_WAY; i++)
        mw_dma_wait(c->self, c->flight[i].reply, c->flight[i].n);
    *c->reply = 0;
    for (i = 0; i < c->n_bins; i++) {
        struct mw_mesh_bin *b = &c->bin[i];
        if (b->bytes > 0) {
            mw_dma_put(c->self, b->line, mw_lane_line(c->lane, b->bucket), b->bytes,
                       c->reply);
            n++;
        }
        mw_lane_keep_line(c->lane, b->bucket, b->bytes);
    }
    mw_dma_wait(c->self, c->reply, (int)n);
    mw_lane_end(c->out, c->lane);
}

#endif
