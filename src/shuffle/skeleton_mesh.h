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
 * A message holds up to three records (mesh_message.h). The tag of a record is its bucket among
 * the consumer's, or where senders matter the segment of the input that it is from.
 *
 * End of stream: a core that has nothing more to make, and has had a marker from each of its
 * predecessors, sends one to each successor, and ends.
 *
 * A consumer gathers records of a bucket in a line of its local store and moves whole lines
 * to the open batch by DMA (mesh_collector.h).
 *
 * C99 plus base.h; the machine is MW_CPE_HEADER (cpe/cpe_types.h says what that gives).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SKELETON_H
#define MW_SKELETON_H

#include MW_CPE_HEADER

#include "shuffle/job.h"
#include "shuffle/mesh_collector.h"
#include "shuffle/mesh_message.h"
#include "shuffle/mesh_numbers.h"
#include "shuffle/mesh_role.h"
#include "shuffle/mesh_store.h"
#include "shuffle/stretch.h"

#include <string.h>

enum { MW_SHORT_CIRCUIT = 0 };

/* Is a record's child one that is here? A load and a comparison; emulation only. */
enum { MW_CHECK_CYCLES = 2 };

struct mw_emitter {
    struct mw_cpe *self;
    const struct mw_address *at;
    const struct mw_mesh_role *role; /* in local store */
    struct mw_message *pending;      /* [n_consumers] in local store: not full yet */
    uint32_t n_buckets;
    bool direct, wide;
    void *state;
};

MW_FN bool mw_here(const struct mw_emitter *e, uint32_t owner)
{
    (void)e, (void)owner;
    return false;
}

MW_FN uint32_t mw_near(const struct mw_emitter *e, uint32_t owner)
{
    (void)e, (void)owner;
    return MW_FAR;
}

/* ---- messages ------------------------------------------------------------------------- */

MW_FN void mw_mesh_put(struct mw_cpe *self, uint8_t hop, const struct mw_message *m)
{
    if ((hop & MW_HOP_IN_COLUMN) != 0)
        mw_put_col(self, hop & MW_HOP_TO, m);
    else
        mw_put_row(self, hop & MW_HOP_TO, m);
}

/* A layout in which a producer consumes has no proof, so the first hop always leaves. */
MW_FN void mw_mesh_flush(struct mw_emitter *e, uint32_t consumer)
{
    struct mw_message *m = &e->pending[consumer];
    mw_mesh_put(e->self, e->role->hop[consumer], m);
    memset(m, 0, sizeof *m);
    m->word[0] = consumer;
}

MW_FN void mw_mesh_send(struct mw_emitter *e, uint32_t consumer, uint32_t tag,
                        uint32_t child, uint64_t value)
{
    struct mw_message *m = &e->pending[consumer];
    const uint32_t n = mw_message_records(m);
    m->word[0] += (UINT64_C(1) << 8) + ((uint64_t)tag << (16 + 16 * n));
    if (e->wide) {
        m->word[1 + n] = value;
        m->word[3] |= (uint64_t)child << (32 * n);
    } else {
        m->word[1 + n] = child | value << 32;
    }
    mw_work(e->self, e->role->cost);
    if (n + 1 == (uint32_t)(e->wide ? MW_RECORDS_WIDE : MW_RECORDS_NARROW))
        mw_mesh_flush(e, consumer);
}

MW_FN void mw_push(struct mw_emitter *e, uint32_t bucket, uint32_t child, uint64_t value)
{
    const uint32_t consumer = mw_role_consumer(e->role, bucket, e->n_buckets);
    mw_mesh_send(e, consumer, mw_role_bin(e->role, bucket, consumer, e->n_buckets), child,
                 value);
}

MW_FN void mw_emit(struct mw_emitter *e, uint32_t owner, uint32_t child, uint64_t value)
{
    if (e->direct)
        mw_push(e, owner, child, value);
    else
        mw_push(e, e->at->bucket[owner], e->at->above[owner] | child,
                e->at->split ? value | mw_rest_for(e->at, owner) : value);
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
    for (i = 0; i < role->n_successors; i++)
        mw_mesh_put(self, role->successor[i], &m);
}

MW_FN void mw_emitter_begin(struct mw_emitter *e, struct mw_cpe *self,
                            const struct mw_job *job, const struct mw_mesh_role *role,
                            bool wide)
{
    uint32_t i;
    memset(e, 0, sizeof *e);
    e->self = self;
    e->at = job->at;
    e->role = role;
    e->n_buckets = job->out != NULL ? job->out->n_buckets : 0;
    e->direct = job->at->width == 1;
    e->wide = wide;
    e->state = job->state;
    e->pending =
        (struct mw_message *)mw_ldm_take(self, role->n_consumers * sizeof *e->pending);
    memset(e->pending, 0, role->n_consumers * sizeof *e->pending);
    for (i = 0; i < role->n_consumers; i++)
        e->pending[i].word[0] = i;
}

/* What is not full goes as it is. */
MW_FN void mw_emitter_end(struct mw_emitter *e)
{
    uint32_t i;
    for (i = 0; i < e->role->n_consumers; i++)
        if (mw_message_records(&e->pending[i]) > 0)
            mw_mesh_flush(e, i);
}

/* ---- every core's life after it has produced -------------------------------------------- */

/* Forwards what is on its way, has `take` done for each record i of m that has arrived,
 * until each predecessor has said that it ends. */
#define MW_MESH_SERVE(self, role, m, i, take)                                            \
    do {                                                                                 \
        uint32_t mw_markers = 0, i;                                                      \
        while (mw_markers < (role)->markers) {                                           \
            mw_get((self), mw_await_message(self), &(m));                                \
            if (mw_message_records(&(m)) == 0) {                                         \
                mw_markers++;                                                            \
            } else if ((role)->hop[mw_message_consumer(&(m))] != MW_HOP_HOME) {          \
                mw_work((self), (role)->cost);                                           \
                mw_mesh_put((self), (role)->hop[mw_message_consumer(&(m))], &(m));       \
            } else {                                                                     \
                for (i = 0; i < mw_message_records(&(m)); i++) {                         \
                    mw_work((self), (role)->cost);                                       \
                    take;                                                                \
                }                                                                        \
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
    MW_MESH_SERVE(self, role, m, i, mw_collector_add(&c, &m, i, wide));
    if (consumes)
        mw_collector_end(&c);
}

/* ---- input: records of the job's batches, a piece at a time ------------------------------- */

struct mw_mesh_input {
    struct mw_cpe *self;
    struct mw_stretch s; /* of the producers' shares */
    char *piece;         /* in local store */
    mw_dma_reply *reply;
};

MW_FN void mw_mesh_input_begin(struct mw_mesh_input *in, struct mw_cpe *self,
                               const struct mw_job *job, const struct mw_mesh_role *role)
{
    struct mw_cpe part = *self;
    part.id = role->producer;
    part.n = role->n_producers;
    in->self = self;
    in->s = mw_stretch_begin(&part, job);
    in->piece = (char *)mw_ldm_take(self, MW_INPUT_BYTES);
    in->reply = (mw_dma_reply *)mw_ldm_take(self, sizeof *in->reply);
}

MW_FN void mw_mesh_input_get(struct mw_mesh_input *in, uint32_t n, uint32_t record)
{
    *in->reply = 0;
    mw_dma_get(in->self, in->piece,
               (const char *)in->s.record + (uint64_t)in->s.i * record,
               (uint64_t)n * record, in->reply);
    mw_dma_wait(in->self, in->reply, 1);
    in->s.i += n;
}

/* Fetches the next records of this core's share, of one sender and at most as many as a piece
 * holds; returns how many, 0: there are none. A piece with a corrupt one is left out. */
MW_FN uint32_t mw_mesh_input_fetch(struct mw_mesh_input *in, const struct mw_job *job,
                                   bool wide)
{
    const uint32_t record =
        (uint32_t)(wide ? sizeof(struct mw_wide_record) : sizeof(struct mw_record));
    while (in->s.i < in->s.end || mw_stretch_move(&in->s)) {
        const uint32_t n = (uint32_t)mw_min(in->s.end - in->s.i, MW_INPUT_BYTES / record);
        mw_mesh_input_get(in, n, record);
        mw_work(in->self, (uint64_t)n * MW_CHECK_CYCLES);
        if (mw_children_hold(job, in->piece, 0, n, in->s.peer, wide))
            return n;
    }
    return 0;
}

/* The producer's share; `use` sees the record as m. */
#define MW_MESH_FOR_EACH_RECORD(in, job, m, wide, use)                                   \
    do {                                                                                 \
        uint32_t mw_i, mw_n;                                                             \
        while ((mw_n = mw_mesh_input_fetch((in), (job), (wide))) > 0)                    \
            for (mw_i = 0; mw_i < mw_n; mw_i++) {                                        \
                (m) = mw_visit_at((in)->piece, mw_i, (in)->s.sender, (wide));            \
                use;                                                                     \
            }                                                                            \
    } while (0)

/* The senders of the input's segments, where records carry no more than their number:
 * MW_SEGMENTS_MAX at most in all batches together. A table in local store. */
MW_FN const struct mw_segment *mw_senders_get(struct mw_cpe *self,
                                              const struct mw_job *job)
{
    struct mw_segment *sender = (struct mw_segment *)mw_ldm_take(
        self, MW_SEGMENTS_MAX * sizeof(struct mw_segment));
    mw_dma_reply *reply = (mw_dma_reply *)mw_ldm_take(self, sizeof *reply);
    const struct mw_batch *b;
    uint32_t n = 0, n_gets = 0;
    *reply = 0;
    for (b = job->in; b != NULL; b = b->next) {
        const uint32_t here = b->head->n_segments;
        if (here == 0) {
            sender[n].sender = b->head->sender;
            sender[n].count = b->head->n_records;
        } else {
            mw_dma_get(self, sender + n, mw_segments(b), here * sizeof *sender, reply);
            n_gets++;
        }
        n += here == 0 ? 1 : here;
    }
    mw_dma_wait(self, reply, (int)n_gets);
    return sender;
}

/* ---- the loops ---------------------------------------------------------------------------- */

MW_FN void mw_run_expand(struct mw_cpe *self, const struct mw_job *job, mw_expand *expand,
                         bool wide)
{
    const struct mw_mesh_role *role = mw_mesh_begin(self, job);
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e;
        struct mw_cpe part = *self;
        uint64_t from, to;
        mw_emitter_begin(&e, self, job, role, wide);
        part.id = role->producer;
        part.n = role->n_producers;
        mw_share(&part, job->first, job->last, &from, &to);
        if (from < to)
            expand(job->state, from, to, &e);
        mw_emitter_end(&e);
    }
    mw_mesh_collect(self, job, role, wide);
}

MW_FN void mw_run_reply(struct mw_cpe *self, const struct mw_job *job, mw_reply *reply,
                        bool wide)
{
    const struct mw_mesh_role *role = mw_mesh_begin(self, job);
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e;
        struct mw_mesh_input in;
        struct mw_visit m;
        mw_emitter_begin(&e, self, job, role, wide);
        mw_mesh_input_begin(&in, self, job, role);
        MW_MESH_FOR_EACH_RECORD(&in, job, m, wide, reply(job->state, &m, &e));
        mw_emitter_end(&e);
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
    const struct mw_segment *senders = NULL;
    struct mw_message got;
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e;
        struct mw_mesh_input in;
        struct mw_visit m;
        mw_emitter_begin(&e, self, job, role, wide);
        mw_mesh_input_begin(&in, self, job, role);
        MW_MESH_FOR_EACH_RECORD(&in, job, m, wide,
                                mw_mesh_send(&e,
                                             m.child / MW_ROLE_SLICE % role->n_consumers,
                                             in.s.number, m.child, m.value));
        mw_emitter_end(&e);
    }
    if ((role->duty & MW_CONSUMES) != 0)
        senders = mw_senders_get(self, job);
    MW_MESH_SERVE(self, role, got, i, {
        struct mw_visit m;
        m.value = mw_message_value(&got, i, wide);
        m.child = mw_message_child(&got, i, wide);
        m.sender = senders[mw_message_tag(&got, i)].sender;
        m.extra = 0;
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

MW_FN void mw_mesh_pass_on(struct mw_emitter *e, const struct mw_job *job,
                           const struct mw_mesh_input *in, const struct mw_visit *m)
{
    const uint32_t column = mw_column_in_group(job->at, m->child, m->value);
    if (mw_column_holds(job, column, in->s.peer, m->child))
        mw_push(e, column, mw_child_of(job->at, m->child),
                mw_value_of(job->at, m->value));
}

/* Re-buckets by column; the input is one sender's. */
MW_FN void mw_run_relay(struct mw_cpe *self, const struct mw_job *job, bool wide)
{
    const struct mw_mesh_role *role = mw_mesh_begin(self, job);
    if ((role->duty & MW_PRODUCES) != 0) {
        struct mw_emitter e;
        struct mw_mesh_input in;
        struct mw_visit m;
        mw_emitter_begin(&e, self, job, role, wide);
        mw_mesh_input_begin(&in, self, job, role);
        MW_MESH_FOR_EACH_RECORD(&in, job, m, wide, mw_mesh_pass_on(&e, job, &in, &m));
        mw_emitter_end(&e);
    }
    mw_mesh_collect(self, job, role, wide);
}

#include "shuffle/patterns.h"

#endif
