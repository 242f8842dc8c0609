/* emitter.h -- the verbs that elements are written in, and the loops that drive them.
 *
 * Included through a skeleton (skeleton_serial.h, skeleton_host.h), which says by
 * MW_SHORT_CIRCUIT whether a record for this rank is made at all. Every core writes to
 * its own lane: records gather in a line of MW_LINE_BYTES per bucket, and full lines go
 * to the lane's open batch. So the path of a record has no atomics, no locks and no
 * indirect calls, and touches one line per bucket.
 *
 * The function arguments of the loops are compile-time constants at every call, so the
 * loops are inlined and specialised.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EMITTER_H
#define MW_EMITTER_H

#include "shuffle/numbers.h"
#include "shuffle/stretch.h"

#include <string.h>

struct mw_emitter {
    const struct mw_cpe *self;
    const struct mw_address *at;
    struct mw_buckets *out;
    struct mw_lane *lane;
    /* The lane's. Records may alias that; from here they stay in registers. */
    char *line;
    uint32_t *end;
    bool direct; /* a bucket is a rank */
    bool split;  /* of columns, a part rides above the value */
    bool wide;
    void *state; /* for the short circuit only */
};

/* The short circuit: true when the receiver would be this rank. Then the caller
 * applies the receiving element itself. */
MW_FN bool mw_here(const struct mw_emitter *e, uint32_t owner)
{
    return MW_SHORT_CIRCUIT && owner == e->at->rank;
}

/* The short circuit of a host: the receiver's number among the ranks that share memory with this
 * one, of which it is one, or MW_FAR. An algorithm whose state lies in such memory changes the
 * receiver's itself; of others only mw_here() can be. */
MW_FN uint32_t mw_near(const struct mw_emitter *e, uint32_t owner)
{
    return MW_SHORT_CIRCUIT ? e->at->near[owner] : MW_FAR;
}

MW_FN void mw_push_extra(struct mw_emitter *e, uint32_t bucket, uint32_t child,
                         uint64_t value, uint32_t extra)
{
    uint32_t end = e->end[bucket];
    if (e->wide) {
        const struct mw_wide_record r = {value, child, extra};
        memcpy(e->line + end, &r, sizeof r);
        end += (uint32_t)sizeof r;
    } else {
        const struct mw_record r = {child, (uint32_t)value};
        memcpy(e->line + end, &r, sizeof r);
        end += (uint32_t)sizeof r;
    }
    e->end[bucket] = end;
    if (MW_UNLIKELY(end % MW_LINE_BYTES == 0))
        mw_lane_spill(e->out, e->lane, bucket);
}

MW_FN void mw_push(struct mw_emitter *e, uint32_t bucket, uint32_t child, uint64_t value)
{
    mw_push_extra(e, bucket, child, value, 0);
}

/* ---- records ------------------------------------------------------------------------------ */

/* Sends `value`, and `extra` where the pipeline's records have one, to `child`, a number of rank
 * `owner`. */
MW_FN void mw_emit_extra(struct mw_emitter *e, uint32_t owner, uint32_t child,
                         uint64_t value, uint32_t extra)
{
    if (e->direct) {
        mw_push_extra(e, owner, child, value, extra);
        return;
    }
    if (MW_UNLIKELY(e->split))
        value |= mw_rest_for(e->at, owner);
    mw_push_extra(e, e->at->bucket[owner], e->at->above[owner] | child, value, extra);
}

MW_FN void mw_emit(struct mw_emitter *e, uint32_t owner, uint32_t child, uint64_t value)
{
    mw_emit_extra(e, owner, child, value, 0);
}

MW_FN struct mw_emitter mw_emitter_of(const struct mw_cpe *self, const struct mw_job *job,
                                      bool wide)
{
    struct mw_emitter e;
    memset(&e, 0, sizeof e);
    e.self = self;
    e.at = job->at;
    e.out = job->out;
    e.direct = job->at->width == 1;
    e.split = job->at->split;
    e.wide = wide;
    e.state = job->state;
    if (job->out != NULL) {
        e.lane = &job->out->lane[self->lane];
        e.line = e.lane->line;
        e.end = e.lane->end;
        mw_lane_begin(e.out, e.lane, mw_job_sender(job));
    }
    return e;
}

/* The end of a kernel. */
MW_FN void mw_emitter_flush(struct mw_emitter *e)
{
    if (e->lane != NULL)
        mw_lane_end(e->out, e->lane);
}

/* The next piece of a source whose work is dealt out, if there is one and room for its records. */
MW_FN bool mw_next_piece(const struct mw_job *job, const struct mw_emitter *e,
                         uint64_t *from, uint64_t *to)
{
    if (job->dealt == NULL ||
        e->lane->n_spare < mw_lane_need(e->out, job->piece_records, 1))
        return false;
    *from = MW_ADD_RELAXED(job->dealt, job->piece);
    *to = mw_min(*from + job->piece, job->last);
    return *from < *to;
}

MW_FN void mw_run_expand(const struct mw_cpe *self, const struct mw_job *job,
                         mw_expand *expand, bool wide)
{
    struct mw_emitter e = mw_emitter_of(self, job, wide);
    uint64_t from, to;
    bool more;
    mw_share(self, job->first, job->last, &from, &to);
    more = job->dealt == NULL ? from < to : mw_next_piece(job, &e, &from, &to);
    while (more) {
        expand(job->state, from, to, &e);
        mw_emitter_flush(&e); /* so that spare batches tell how much room there is */
        more = mw_next_piece(job, &e, &from, &to);
    }
}

/* The records that this core has to deal with. */
#define MW_FOR_EACH_RECORD(self, job, m, wide)                                           \
    for (struct mw_stretch mw_s = mw_stretch_begin((self), (job));                       \
         mw_stretch_next(&mw_s, (job), (wide));)                                         \
        for (uint32_t mw_i = mw_s.i, mw_end = mw_s.end, mw_from = mw_s.sender;           \
             mw_i < mw_end &&                                                            \
             ((m) = mw_visit_at(mw_s.record, mw_i, mw_from, (wide)), true);              \
             mw_i++)

MW_FN void mw_run_reply(const struct mw_cpe *self, const struct mw_job *job,
                        mw_reply *reply, bool wide)
{
    struct mw_emitter e = mw_emitter_of(self, job, wide);
    struct mw_visit m;
    MW_FOR_EACH_RECORD(self, job, m, wide)
    reply(job->state, &m, &e);
    mw_emitter_flush(&e);
}

/* Gives each record that this core has to deal with to take(arg, m). */
MW_FN void mw_run_receive(const struct mw_cpe *self, const struct mw_job *job,
                          void (*take)(void *arg, const struct mw_visit *m), void *arg,
                          bool wide)
{
    struct mw_visit m;
    MW_FOR_EACH_RECORD(self, job, m, wide)
    take(arg, &m);
}

/* The same for elements that miss the cache: ahead(state, child) is called some records before
 * the child's turn, to fetch what its turn will read. */
enum { MW_AHEAD = 24 };
typedef void mw_ahead(const void *state, uint32_t child);

MW_FN void mw_look_ahead(const struct mw_stretch *s, uint32_t i, const void *state,
                         mw_ahead *ahead, bool wide)
{
    if (i + MW_AHEAD < s->end)
        ahead(state, mw_visit_at(s->record, i + MW_AHEAD, 0, wide).child);
}

MW_FN void mw_run_reply_ahead(const struct mw_cpe *self, const struct mw_job *job,
                              mw_reply *reply, mw_ahead *ahead, bool wide)
{
    struct mw_emitter e = mw_emitter_of(self, job, wide);
    struct mw_visit m;
    MW_FOR_EACH_RECORD(self, job, m, wide)
    {
        mw_look_ahead(&mw_s, mw_i, job->state, ahead, wide);
        reply(job->state, &m, &e);
    }
    mw_emitter_flush(&e);
}

MW_FN void mw_run_update_ahead(const struct mw_cpe *self, const struct mw_job *job,
                               mw_update *update, mw_ahead *ahead, bool wide)
{
    struct mw_visit m;
    MW_FOR_EACH_RECORD(self, job, m, wide)
    {
        mw_look_ahead(&mw_s, mw_i, job->state, ahead, wide);
        update(job->state, &m, self);
    }
}

MW_FN void mw_run_update(const struct mw_cpe *self, const struct mw_job *job,
                         mw_update *update, bool wide)
{
    struct mw_visit m;
    MW_FOR_EACH_RECORD(self, job, m, wide)
    update(job->state, &m, self);
}

/* Re-buckets by column, and keeps senders apart. */
MW_FN void mw_run_relay(const struct mw_cpe *self, const struct mw_job *job, bool wide)
{
    struct mw_emitter e = mw_emitter_of(self, job, wide);
    struct mw_stretch s = mw_stretch_begin(self, job);
    while (mw_stretch_next(&s, job, wide)) {
        mw_lane_begin(e.out, e.lane, s.sender);
        for (uint32_t i = s.i; i < s.end; i++) {
            const struct mw_visit m = mw_visit_at(s.record, i, s.sender, wide);
            const uint32_t column = mw_column_in_group(job->at, m.child, m.value);
            if (mw_column_holds(job, column, s.peer, m.child))
                mw_push_extra(&e, column, mw_child_of(job->at, m.child),
                              mw_value_of(job->at, m.value), m.extra);
        }
    }
    mw_emitter_flush(&e);
}

#endif
