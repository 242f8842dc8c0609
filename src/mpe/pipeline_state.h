/* pipeline_state.h -- a pipeline's parts between the files that make it:
 *
 *      pipeline_setup.c      memory, ports, transport
 *      pipeline_jobs.c       executors: who runs which module, and when
 *      pipeline_delivery.c   batches: lanes -> outbox -> transport -> in
 *      pipeline_coding.c     which of them are coded
 *      pipeline_async.c      runs without levels, and their end
 *      pipeline.c            the loop, closing, and what happens when nothing moves
 *
 * All of it belongs to the management core; a job's cores see only their struct mw_job.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef PIPELINE_STATE_H
#define PIPELINE_STATE_H

#include "mpe/pipeline.h"
#include "mpe/port.h"
#include "mpe/transport_virtual.h"
#include "shuffle/coding.h"

MW_BEGIN_DECLS

enum {
    PIPELINE_JOB_BATCHES =
        4, /* a job's records: at most so many batches per lane it fills */
    PIPELINE_RECEIVES =
        8 /* posted per port, and two for each core; more only help when bursts
                             are longer */
};

/* A cluster, or the management core in place, while it runs a job. */
struct pipeline_executor {
    bool busy;
    uint32_t module;
    struct mw_job job;
    struct mw_job_fault fault;
    struct mw_batch_list in;
    uint64_t n_in; /* records in it */
    struct mw_lanes lanes;
    double start; /* 0 unless someone wants it */
    uint8_t track;
    char before[MW_CACHE_LINE]; /* what all cores write stands alone */
    uint64_t dealt;             /* job.dealt, where it is used */
    char after[MW_CACHE_LINE - 8];
};

/* A run without levels. */
struct pipeline_async {
    mw_refill *refill; /* NULL: the run is an ordinary one */
    void *arg;
    bool flushes;             /* open batches are to leave */
    bool joined;              /* the sum that goes on */
    uint64_t n_sent, n_taken; /* batches to and from other ranks, in all ports */
    uint64_t last[2];         /* the sum before */
    uint64_t n_rounds;        /* refills that found something */
};

struct mw_pipeline {
    struct mw_world *world;
    struct mw_transport *transport; /* NULL: no other rank */
    struct mw_virtual *network;     /* it, where time is a backend's own; else NULL */
    struct mw_coder *coder;         /* NULL: batches travel as they are */
    struct mw_trade *trade;         /* NULL: there are batches */
    struct mw_module module[MW_MODULES_MAX];
    uint32_t n_modules, active;
    struct mw_address at;
    void *state;
    bool wide;
    bool timed; /* someone wants to know when jobs begin and end */
    uint32_t capacity, record_bytes, n_lanes;
    uint32_t n_writers;    /* lanes that jobs fill */
    uint64_t n_children;   /* that this rank has; UINT64_MAX: not said */
    bool reaches, goes_on; /* mw_pipeline_reaches(); and in this run it still seems so */
    uint64_t next[MW_MODULES_MAX], units[MW_MODULES_MAX]; /* of sources */
    struct mw_port_state port[MW_PORT_COUNT];
    struct pipeline_executor cluster[MW_CLUSTERS_MAX];
    uint32_t n_clusters;
    const struct pipeline_executor *in_place; /* the management core's job; NULL: none */
    double divided; /* until when traffic.spent_s knows of what runs */
    uint8_t level;
    struct mw_traffic traffic;
    uint64_t *met; /* bitmap of ranks ever sent to */
    int status;    /* of the jobs that have ended in this run */
    struct pipeline_async async;
};

/* ---- the table --------------------------------------------------------------------- */

MW_FN bool pipeline_emits(const struct mw_module *m)
{
    return m->emits.hop != MW_NOWHERE;
}

MW_FN bool pipeline_is_source(const struct mw_module *m)
{
    return m->takes.hop == MW_SOURCE;
}

MW_FN uint32_t pipeline_port_of(struct mw_port p)
{
    return mw_port_index(p.stream, p.hop);
}

MW_FN bool pipeline_is_on(const struct mw_pipeline *p, uint32_t module)
{
    return p->active >> module & 1;
}

/* ---- jobs ---------------------------------------------------------------------------- */

/* Starts one job of a module if it has work and room; true if it did. */
bool pipeline_start(struct mw_pipeline *p, uint32_t module);
/* Ends the jobs that clusters have finished. Fails if one of this run's was given records that
 * nobody may have sent. */
int pipeline_poll_clusters(struct mw_pipeline *p, bool *progress) MW_NODISCARD;
/* Says what a job has found wrong with its records. */
int pipeline_refuse(const struct mw_job_fault *fault, uint64_t limit) MW_NODISCARD;
/* Waits for all clusters, whatever has become of their jobs. */
void pipeline_stop_clusters(struct mw_pipeline *p);
bool pipeline_any_busy(const struct mw_pipeline *p);
/* Nothing left, nothing to come and nobody at it. */
bool pipeline_exhausted(const struct mw_pipeline *p, uint32_t module);

/* ---- delivery ------------------------------------------------------------------------ */

/* Puts a closed batch of bucket b->peer into the outbox (mw_port_post). */
void pipeline_post(void *pipeline, struct mw_port_state *q, struct mw_batch *b,
                   uint8_t flags);
int pipeline_send(struct mw_pipeline *p, struct mw_port_state *q, bool *progress)
    MW_NODISCARD;
int pipeline_receive(struct mw_pipeline *p, bool *progress) MW_NODISCARD;

/* ---- runs without levels ----------------------------------------------------------------- */

/* New units for sources that are all used up; true if there are any. */
bool pipeline_refill(struct mw_pipeline *p);
/* Posts the port's open batches unless a job fills them now; true if there were any. */
bool pipeline_flush(struct mw_pipeline *p, struct mw_port_state *q);
/* In a turn without progress. MW_OK: the run is over, of all ranks; MW_AGAIN. */
int pipeline_find_end(struct mw_pipeline *p) MW_NODISCARD;

/* ---- trade --------------------------------------------------------------------------- */

/* A run without batches; what is needed of it has begun. */
int pipeline_trade(struct mw_pipeline *p) MW_NODISCARD;

/* ---- coding -------------------------------------------------------------------------- */

/* May batches of a pipeline on such a world be coded? */
bool pipeline_codes(const struct mw_world_shape *world);
/* Codes a batch for another rank if it is to be. */
void pipeline_code(struct mw_pipeline *p, struct mw_batch *b);
/* Makes of an arrived batch what kernels read. */
int pipeline_decode(struct mw_pipeline *p, struct mw_batch *b) MW_NODISCARD;

/* ---- time ---------------------------------------------------------------------------- */

/* The time if someone wants it. */
MW_FN double pipeline_mark(const struct mw_pipeline *p)
{
    return p->timed ? mw_world_now(p->world) : 0;
}

/* Says what the management core has done to a backend with a time of its own. */
MW_FN void pipeline_spend(const struct mw_pipeline *p, uint64_t bytes, uint64_t records,
                          uint64_t messages)
{
    const struct mw_mpe_work work = {bytes, records, messages};
    if (p->world->backend->time != NULL)
        p->world->backend->time->spend(p->world->cluster[0], &work);
}

MW_END_DECLS
#endif
