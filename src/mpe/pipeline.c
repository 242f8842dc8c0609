/* pipeline.c -- see pipeline.h.
 *
 *      source --job--> lanes --close--> outbox --send--> peer's port.in --job--> ...
 *
 * One turn of the loop polls clusters and network, starts one job, closes ports whose feeders
 * are done, and sends. A turn without any progress is idle: open batches leave, and in time
 * somebody asks whether anything still moves on this host.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include "base/clock.h"
#include "base/log.h"
#include "base/wait.h"
#include "mpe/comm_loop.h"

#include <stdio.h>
#include <string.h>

enum {
    IDLE_FLUSH = 2,   /* polls without work after which open batches leave */
    IDLE_LOOK = 4096, /* ... and between two looks around */
    IDLE_NAPS = 64    /* the same where a poll may be a nap */
};

/* ---- Closing ----------------------------------------------------------------------- */

/* Once nobody will emit into it any more; true if something was posted. */
static bool close_port(struct mw_pipeline *p, struct mw_port_state *q)
{
    bool any;
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (pipeline_is_on(p, i) && pipeline_emits(&p->module[i]) &&
            pipeline_port_of(p->module[i].emits) == q->out.port &&
            !pipeline_exhausted(p, i))
            return false;
    return mw_port_close(q, pipeline_post, p, &any) || any;
}

static bool all_complete(const struct mw_pipeline *p)
{
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
        const struct mw_port_state *q = &p->port[i];
        if (q->active && (!q->closed || q->outbox.first != NULL || !mw_port_complete(q)))
            return false;
    }
    for (uint32_t i = 0; i < p->n_modules; i++)
        if (pipeline_is_on(p, i) && !pipeline_exhausted(p, i))
            return false;
    return !pipeline_any_busy(p);
}

/* ---- The run ------------------------------------------------------------------------ */

static void begin(struct mw_pipeline *p, uint32_t active)
{
    p->active = active;
    p->status = MW_OK;
    p->goes_on = p->reaches;
    p->level++;
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        mw_port_begin(&p->port[i], p->at.n_ranks);
    for (uint32_t i = 0; i < p->n_modules; i++) {
        const struct mw_module *m = &p->module[i];
        p->next[i] = p->units[i] = 0;
        if (!pipeline_is_on(p, i))
            continue;
        if (pipeline_is_source(m))
            p->units[i] = m->units(p->state);
        if (pipeline_emits(m))
            p->port[pipeline_port_of(m->emits)].active = true;
    }
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++)
        p->port[i].level += p->port[i].active;
}

static void describe(const struct mw_pipeline *p, char *text, size_t room)
{
    size_t n = (size_t)snprintf(
        text, room, "run %u%s", p->level,
        pipeline_any_busy(p) ? "; a cluster of cores does not come back" : "");
    for (uint32_t i = 0; i < p->n_modules && n < room; i++)
        if (pipeline_is_on(p, i))
            n += (size_t)snprintf(text + n, room - n, "; %s %s", p->module[i].name,
                                  pipeline_exhausted(p, i) ? "done" : "open");
    for (uint32_t i = 0; i < MW_PORT_COUNT && n < room; i++) {
        const struct mw_port_state *q = &p->port[i];
        if (q->active)
            n += (size_t)snprintf(text + n, room - n,
                                  "; port %u: %u of %u closed, %llu in, %llu out", i,
                                  q->lasts, q->fan_in, (unsigned long long)q->in.n,
                                  (unsigned long long)q->outbox.n);
    }
}

static int stalled(const struct mw_pipeline *p, double seconds)
{
    char text[600];
    describe(p, text, sizeof text);
    return mw_fail(MW_ERR_INTERNAL, "rank %u: no progress on this host for %.0f s, %s",
                   p->at.rank, seconds, text);
}

/* Progress is counted over all ranks of the host: a rank that only waits is no alarm
 * while another still moves. */
static uint64_t beats(const struct mw_comm *c)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < c->host_size; i++)
        sum += MW_LOAD_RELAXED(&c->pulse[i].beats);
    return sum;
}

/* With a watchdog beside the program the judgement is its own, which knows more: here it is
 * only told how things stand. Without one, as in a library, the pipeline itself gives up. */
struct watch {
    struct mw_patience patience;
    uint64_t seen;
};

static int look_around(const struct mw_pipeline *p, struct watch *watch)
{
    const struct mw_world *w = p->world;
    struct mw_inquiry *const inquiry = w->comm->inquiry;
    if (inquiry != NULL) {
        if (MW_LOAD_ACQUIRE(&inquiry->asked) != 0 && inquiry->answered == 0) {
            describe(p, inquiry->answer, sizeof inquiry->answer);
            MW_STORE_RELEASE(&inquiry->answered, 1);
        }
        return MW_OK;
    }
    if (w->conf.hang_timeout_s <= 0)
        return MW_OK;
    const uint64_t now = beats(w->comm);
    if (now != watch->seen || watch->patience.looked <= 0)
        *watch = (struct watch){.seen = now};
    const double waited = mw_patience_look(&watch->patience);
    return waited > w->conf.hang_timeout_s ? stalled(p, waited) : MW_OK;
}

/* A rank that fails says so to the others of its host, which would wait for it. The first
 * one to fail is the one that matters. Other hosts wait until somebody gives up; then its
 * text has been printed. */
static void spread_news(const struct mw_pipeline *p)
{
    struct mw_news *news = p->world->news;
    uint32_t none = MW_NEWS_NONE;
    if (!MW_SWAP_RELAXED(&news->state, &none, MW_NEWS_COMING))
        return;
    snprintf(news->text, sizeof news->text, "%s", mw_error_text());
    MW_STORE_RELEASE(&news->state, MW_NEWS_THERE);
    if (p->world->comm->n_hosts > 1)
        mw_note("rank %u fails: %s", p->at.rank, news->text);
}

static int read_news(const struct mw_pipeline *p)
{
    const struct mw_news *news = p->world->news;
    if (MW_LOAD_ACQUIRE(&news->state) != MW_NEWS_THERE)
        return MW_OK;
    return mw_fail(MW_ERR_INTERNAL, "%s", news->text);
}

/* Something has come, or been done. */
static void end_waiting(struct mw_pipeline *p, double *since)
{
    if (*since > 0)
        p->traffic.waited_s += mw_now() - *since;
    *since = 0;
}

/* Closes the ports whose feeders are done, if they close at all, and sends; idle: open batches leave, too. */
static int tend_ports(struct mw_pipeline *p, bool idle, bool *progress)
{
    for (uint32_t i = 0; i < MW_PORT_COUNT; i++) {
        struct mw_port_state *q = &p->port[i];
        if (!q->active)
            continue;
        if (p->async.refill != NULL) {
            if ((idle || p->async.flushes) && pipeline_flush(p, q))
                *progress = true;
        } else if (!q->closed) {
            if (close_port(p, q))
                *progress = true;
            if (idle && !q->closed && !pipeline_any_busy(p) &&
                mw_port_flush(q, pipeline_post, p))
                *progress = true;
        }
        MW_NEED(pipeline_send(p, q, progress));
    }
    p->async.flushes = false;
    return MW_OK;
}

/* One job, so that clusters and network are polled between jobs. */
static bool start_one(struct mw_pipeline *p)
{
    for (uint32_t i = p->n_modules; i-- > 0;)
        if (pipeline_start(p, i))
            return true;
    return p->async.refill != NULL && pipeline_refill(p);
}

/* MW_OK: it is over; MW_AGAIN. */
static int look_for_end(struct mw_pipeline *p)
{
    const int rc = p->async.refill != NULL ? pipeline_find_end(p)
                   : all_complete(p)       ? MW_OK
                                           : MW_AGAIN;
    return rc == MW_OK && p->network != NULL ? mw_virtual_meet(p->network) : rc;
}

/* Nothing to do, and the network has a time of its own: that goes on to where there is something. */
static int skip_time(struct mw_pipeline *p)
{
    const int rc = mw_virtual_idle(p->network);
    char text[600];
    if (rc != MW_AGAIN)
        return rc;
    describe(p, text, sizeof text);
    return mw_fail(MW_ERR_INTERNAL,
                   "rank %u: no rank has anything to do, and no batch is on its way, %s",
                   p->at.rank, text);
}

static int run(struct mw_pipeline *p, uint32_t active)
{
    const struct mw_world *w = p->world;
    uint64_t *beat = &w->comm->pulse[w->comm->host_rank].beats;
    struct watch watch = {.seen = 0};
    struct mw_waiting waiting = {0};
    uint64_t idle = 0;
    double since = 0; /* nothing happens on this rank; 0: something does */
    int rc;

    begin(p, active);
    if (p->network != NULL)
        mw_virtual_begin(p->network);
    for (;;) {
        bool progress = false;
        if ((rc = pipeline_poll_clusters(p, &progress)) < MW_OK)
            return rc;
        if ((rc = pipeline_receive(p, &progress)) < MW_OK)
            return rc;
        if (progress)
            end_waiting(p, &since); /* before a job that runs in place */
        if (start_one(p))
            progress = true;
        if ((rc = tend_ports(p, idle > IDLE_FLUSH, &progress)) < MW_OK)
            return rc;
        if (progress) {
            end_waiting(p, &since);
            waiting = (struct mw_waiting){0};
            idle = 0;
            MW_ADD_RELAXED(beat, 1);
            continue;
        }
        if ((rc = look_for_end(p)) != MW_AGAIN)
            return rc;
        if (idle++ == 0) {
            mw_comm_wait(w->comm, MW_IN_PIPELINE);
            since = pipeline_any_busy(p) ? 0 : mw_now();
        }
        if ((rc = read_news(p)) < MW_OK || (rc = mw_comm_loop_check(w->comm)) < MW_OK)
            return rc;
        if (p->network != NULL && idle > IDLE_FLUSH + 1 && !pipeline_any_busy(p) &&
            (rc = skip_time(p)) < MW_OK)
            return rc;
        if (w->oversubscribed && p->network == NULL)
            mw_wait_a_little(&waiting);
        if (idle % (w->oversubscribed ? IDLE_NAPS : IDLE_LOOK) == 0 &&
            (rc = look_around(p, &watch)) < MW_OK)
            return rc;
    }
}

int mw_pipeline_run(struct mw_pipeline *p, uint32_t active)
{
    const double start = mw_now();
    int rc;
    if (p->trade != NULL) {
        begin(p, active);
        rc = pipeline_trade(p);
    } else {
        rc = run(p, active);
    }
    p->traffic.run_s += mw_now() - start;
    mw_comm_work(p->world->comm);
    if (rc < MW_OK) {
        const bool heard = p->network != NULL && mw_virtual_heard_failure(p->network);
        if (heard && read_news(p) < MW_OK)
            rc = MW_ERR_INTERNAL; /* in the words of who failed, on its host */
        if (!heard)
            spread_news(p);
        if (p->network != NULL)
            mw_virtual_fail(p->network);
        /* A kernel still uses what the caller is about to free. */
        pipeline_stop_clusters(p);
    }
    return rc;
}

void mw_pipeline_traffic(struct mw_pipeline *p, struct mw_traffic *out)
{
    *out = p->traffic;
    out->peers = 0;
    for (uint32_t i = 0; i <= p->at.n_ranks / 64; i++)
        out->peers += (uint64_t)__builtin_popcountll(p->met[i]);
    memset(&p->traffic, 0, sizeof p->traffic);
}
