/* skeleton_mesh.h -- the contention-free shuffle on a mesh of 64 cores.
 *
 *      producers --row--> routers --column--> routers --row--> consumers
 *
 * Producers read the input and run the elements that emit; consumers own the buckets and the
 * parts of the state, and run the elements that write. Who is what, and where a message goes
 * next, is the core's mesh_role.h, from a layout that was proved free of deadlock. No two
 * cores ever write the same word, so nothing is atomic. A record for this rank takes the same
 * way as all others.
 *
 * A message is one record:
 *
 *      word 0   consumer | MARKER | bucket << 32     word 1   child | sender << 32
 *      word 2   value                                word 3   -
 *
 * End of stream: a core that has nothing more to make, and has had a marker from each of its
 * predecessors, sends one to each successor, and ends.
 *
 * A consumer gathers records of a bucket in a line of its local store and moves whole lines
 * to the open batch by DMA. What is left at the end goes back to the lane, and is fetched by
 * the next job.
 *
 * C99 plus base.h; the machine is MW_CPE_HEADER (cpe/cpe_types.h says what that gives).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_H
#define MW_SKELETON_H

#include MW_CPE_HEADER

#include "shuffle/job.h"
#include "shuffle/mesh_role.h"
#include "shuffle/segments.h"

#include <string.h>

enum { MW_SHORT_CIRCUIT = 0 };

enum {
    MW_MESSAGE_MARKER = 1 << 8,
    MW_INPUT_BYTES = 2048 /* of a batch that a producer fetches at a time */
};

struct mw_emitter {
    struct mw_cpe *self;
    const struct mw_address *at;
    const struct mw_mesh_role *role; /* in local store */
    uint32_t n_buckets, sender;
    bool direct, wide;
    void *state;
};

MW_FN bool mw_here(const struct mw_emitter *e, uint32_t owner)
{
    (void)e, (void)owner;
    return false;
}

/* ---- messages ------------------------------------------------------------------------- */

MW_FN void mw_mesh_put(struct mw_cpe *self, uint8_t hop, const struct mw_message *m)
{
    if ((hop & MW_HOP_IN_COLUMN) != 0)
        mw_put_col(self, hop & MW_HOP_TO, m);
    else
        mw_put_row(self, hop & MW_HOP_TO, m);
}

/* To the consumer of a number; a layout in which a producer consumes has no proof, so the
 * first hop always leaves. */
MW_FN void mw_mesh_send(struct mw_emitter *e, uint32_t consumer, uint32_t bucket,
                        uint32_t child, uint32_t sender, uint64_t value)
{
    struct mw_message m;
    m.word[0] = consumer | (uint64_t)bucket << 32;
    m.word[1] = child | (uint64_t)sender << 32;
    m.word[2] = value;
    m.word[3] = 0;
    mw_work(e->self, e->role->cost);
    mw_mesh_put(e->self, e->role->hop[consumer], &m);
}

MW_FN void mw_push(struct mw_emitter *e, uint32_t bucket, uint32_t child, uint64_t value)
{
    mw_mesh_send(e, mw_role_consumer(e->role, bucket, e->n_buckets), bucket, child,
                 e->sender, value);
}

MW_FN void mw_emit(struct mw_emitter *e, uint32_t owner, uint32_t child, uint64_t value)
{
    if (e->direct)
        mw_push(e, owner, child, value);
    else
        mw_push(e, e->at->bucket[owner], e->at->above[owner] | child, value);
}

/* ---- a core's start and end ------------------------------------------------------------- */

MW_FN struct mw_mesh_role *mw_mesh_begin(struct mw_cpe *self, const struct mw_job *job)
{
    struct mw_mesh_role *role =
        (struct mw_mesh_role *)mw_ldm_take(self, sizeof(struct mw_mesh_role));
    mw_dma_reply *reply = (mw_dma_reply *)mw_ldm_take(self, sizeof *reply);
    *reply = 0;
    mw_dma_get(self, role, &job->role[self->id], sizeof *role, reply);
    mw_dma_wait(self, reply, 1);
    return role;
}

MW_FN void mw_mesh_end(struct mw_cpe *self, const struct mw_mesh_role *role)
{
    struct mw_message m;
    uint32_t i;
    memset(&m, 0, sizeof m);
    m.word[0] = MW_MESSAGE_MARKER;
    for (i = 0; i < role->n_successors; i++)
        mw_mesh_put(self, role->successor[i], &m);
}

MW_FN struct mw_emitter mw_emitter_of(struct mw_cpe *self, const struct mw_job *job,
                                      const struct mw_mesh_role *role, bool wide)
{
    struct mw_emitter e;
    memset(&e, 0, sizeof e);
    e.self = self;
    e.at = job->at;
    e.role = role;
    e.n_buckets = job->out != NULL ? job->out->n_buckets : 0;
    e.sender = mw_job_sender(job);
    e.direct = job->at->width == 1;
    e.wide = wide;
    e.state = job->state;
    return e;
}

/* ---- consumers: records into batches ---------------------------------------------------- */

struct mw_mesh_bin { /* the line of one bucket */
    uint32_t bucket, bytes;
    char *line;
};

struct mw_collector {
    struct mw_cpe *self;
    const struct mw_mesh_role *role;
    struct mw_buckets *out;
    struct mw_lane *lane;
    struct mw_mesh_bin *bin; /* [n_bins] in local store */
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
    uint32_t b;
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
    c->bin = (struct mw_mesh_bin *)mw_ldm_take(self, (c->n_bins + 1) * sizeof *c->bin);
    b = mw_role_first_bucket(role, c->out->n_buckets);
    for (uint32_t i = 0; i < c->n_bins; i++, b = mw_role_next_bucket(role, b)) {
        c->bin[i].bucket = b;
        c->bin[i].line = (char *)mw_ldm_take(self, MW_LINE_BYTES);
    }
    mw_collector_fetch(c);
}

MW_FN void mw_collector_add(struct mw_collector *c, const struct mw_message *m, bool wide)
{
    const uint32_t bucket = (uint32_t)(m->word[0] >> 32);
    struct mw_mesh_bin *b = &c->bin[c->role->blocks ? bucket - c->bin[0].bucket
                                                    : bucket / c->role->n_consumers];
    if (wide) {
        const struct mw_wide_record r = {m->word[2], (uint32_t)m->word[1], 0};
        memcpy(b->line + b->bytes, &r, sizeof r);
    } else {
        const struct mw_record r = {(uint32_t)m->word[1], (uint32_t)m->word[2]};
        memcpy(b->line + b->bytes, &r, sizeof r);
    }
    b->bytes += c->record_bytes;
    if (b->bytes < c->line_bytes)
        return;
    *c->reply = 0;
    mw_dma_put(c->self, b->line, mw_lane_place(c->out, c->lane, bucket), b->bytes,
               c->reply);
    mw_dma_wait(c->self, c->reply, 1);
    mw_lane_placed(c->out, c->lane, bucket);
    b->bytes = 0;
}

MW_FN void mw_collector_end(struct mw_collector *c)
{
    uint32_t i, n = 0;
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

/* ---- every core's life after it has produced -------------------------------------------- */

/* Forwards what is on its way, gives what has arrived to `take`, until each predecessor has
 * said that it ends. */
#define MW_MESH_SERVE(self, role, m, take)                                               \
    do {                                                                                 \
        uint32_t mw_markers = 0;                                                         \
        while (mw_markers < (role)->markers) {                                           \
            mw_get((self), mw_await_message(self), &(m));                                \
            if (((m).word[0] & MW_MESSAGE_MARKER) != 0) {                                \
                mw_markers++;                                                            \
                continue;                                                                \
            }                                                                            \
            mw_work((self), (role)->cost);                                               \
            if ((role)->hop[(m).word[0] & 0xFF] == MW_HOP_HOME) {                        \
                take;                                                                    \
            } else {                                                                     \
                mw_mesh_put((self), (role)->hop[(m).word[0] & 0xFF], &(m));              \
            }                                                                            \
        }                                                                                \
        mw_mesh_end((self), (role));                                                     \
    } while (0)

MW_FN void mw_mesh_collect(struct mw_cpe *self, const struct mw_job *job,
                           const struct mw_mesh_role *role, bool wide)
{
    struct mw_collector c;
    struct mw_message m;
    const bool consumes = (role->duty & MW_CONSUMES) != 0;
    if (consumes)
        mw_collector_begin(&c, self, job, role);
    MW_MESH_SERVE(self, role, m, mw_collector_add(&c, &m, wide));
    if (consumes)
        mw_collector_end(&c);
}

/* ---- input: records of a batch, a piece at a time ----------------------------------------- */

struct mw_input {
    struct mw_cpe *self;
    const struct mw_batch *batch;
    char *piece; /* in local store */
    mw_dma_reply *reply;
};

MW_FN void mw_input_begin(struct mw_input *in, struct mw_cpe *self,
                          const struct mw_batch *b)
{
    in->self = self;
    in->batch = b;
    in->piece = (char *)mw_ldm_take(self, MW_INPUT_BYTES);
    in->reply = (mw_dma_reply *)mw_ldm_take(self, sizeof *in->reply);
}

/* Records first .. last - 1, at most as many as a piece holds; returns how many. */
MW_FN uint32_t mw_input_fetch(struct mw_input *in, uint32_t first, uint32_t last)
{
    const uint32_t record = in->batch->head->record_bytes;
    const uint32_t n = (uint32_t)mw_min(last - first, MW_INPUT_BYTES / record);
    *in->reply = 0;
    mw_dma_get(in->self, in->piece,
               (const char *)in->batch->record + (uint64_t)first * record,
               (uint64_t)n * record, in->reply);
    mw_dma_wait(in->self, in->reply, 1);
    return n;
}

/* The producer's share of each sender's stretch; `use` sees the record as m. */
#define MW_MESH_FOR_EACH_RECORD(in, role, m, wide, use)                                  \
    do {                                                                                 \
        const struct mw_batch *mw_b = (in)->batch;                                       \
        uint32_t mw_s, mw_at = 0, mw_i, mw_n;                                            \
        for (mw_s = 0; mw_s == 0 || mw_s < mw_b->head->n_segments; mw_s++) {             \
            const uint32_t mw_count = mw_segment_count(mw_b, mw_s);                      \
            uint32_t mw_from =                                                           \
                mw_at +                                                                  \
                (uint32_t)((uint64_t)mw_count * (role)->producer / (role)->n_producers); \
            const uint32_t mw_end =                                                      \
                mw_at + (uint32_t)((uint64_t)mw_count * ((role)->producer + 1u) /        \
                                   (role)->n_producers);                                 \
            for (; mw_from < mw_end; mw_from += mw_n) {                                  \
                mw_n = mw_input_fetch((in), mw_from, mw_end);                            \
                for (mw_i = 0; mw_i < mw_n; mw_i++) {                                    \
                    (m) = mw_visit_at((in)->piece, mw_i, mw_segment_sender(mw_b, mw_s),  \
                                      (wide));                                           \
                    use;                                                                 \
                }                                                                        \
            }                                                                            \
            mw_at += mw_count;                                                           \
        }                                                                                \
    } while (0)

/* ---- the loops ---------------------------------------------------------------------------- */

MW_FN void mw_run_expand(struct mw_cpe *self, const struct mw_job *job, mw_expand *expand,
                         bool wide)
{
    const struct mw_mesh_role *role = mw_mesh_begin(self, job);
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e = mw_emitter_of(self, job, role, wide);
        struct mw_cpe part = *self;
        uint64_t from, to;
        part.id = role->producer;
        part.n = role->n_producers;
        mw_share(&part, job->first, job->last, &from, &to);
        if (from < to)
            expand(job->state, from, to, &e);
    }
    mw_mesh_collect(self, job, role, wide);
}

MW_FN void mw_run_reply(struct mw_cpe *self, const struct mw_job *job, mw_reply *reply,
                        bool wide)
{
    const struct mw_mesh_role *role = mw_mesh_begin(self, job);
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e = mw_emitter_of(self, job, role, wide);
        struct mw_input in;
        struct mw_visit m;
        mw_input_begin(&in, self, job->in);
        MW_MESH_FOR_EACH_RECORD(&in, role, m, wide, reply(job->state, &m, &e));
    }
    mw_mesh_collect(self, job, role, wide);
}

/* Gives each record that this core has to deal with to take(arg, m): a record goes to the
 * consumer that owns the part of the state it changes. */
MW_FN void mw_run_receive(struct mw_cpe *self, const struct mw_job *job,
                          void (*take)(void *arg, const struct mw_visit *m), void *arg,
                          bool wide)
{
    const struct mw_mesh_role *role = mw_mesh_begin(self, job);
    struct mw_message got;
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e = mw_emitter_of(self, job, role, wide);
        struct mw_input in;
        struct mw_visit m;
        mw_input_begin(&in, self, job->in);
        MW_MESH_FOR_EACH_RECORD(&in, role, m, wide,
                                mw_mesh_send(&e,
                                             m.child / MW_ROLE_SLICE % role->n_consumers,
                                             0, m.child, m.sender, m.value));
    }
    MW_MESH_SERVE(self, role, got, {
        struct mw_visit m;
        m.value = got.word[2];
        m.child = (uint32_t)got.word[1];
        m.sender = (uint32_t)(got.word[1] >> 32);
        take(arg, &m);
    });
}

struct mw_updater {
    void *state;
    mw_update *update;
    const struct mw_cpe *self;
};

static inline void mw_updater_take(void *arg, const struct mw_visit *m)
{
    const struct mw_updater *u = (const struct mw_updater *)arg;
    u->update(u->state, m, u->self);
}

MW_FN void mw_run_update(struct mw_cpe *self, const struct mw_job *job, mw_update *update,
                         bool wide)
{
    struct mw_updater u;
    u.state = job->state;
    u.update = update;
    u.self = self;
    mw_run_receive(self, job, mw_updater_take, &u, wide);
}

/* Re-buckets by column. */
MW_FN void mw_run_relay(struct mw_cpe *self, const struct mw_job *job, bool wide)
{
    const struct mw_mesh_role *role = mw_mesh_begin(self, job);
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e = mw_emitter_of(self, job, role, wide);
        struct mw_input in;
        struct mw_visit m;
        mw_input_begin(&in, self, job->in);
        MW_MESH_FOR_EACH_RECORD(&in, role, m, wide,
                                mw_push(&e, mw_column_of(job->at, m.child),
                                        mw_child_of(job->at, m.child), m.value));
    }
    mw_mesh_collect(self, job, role, wide);
}

#endif
