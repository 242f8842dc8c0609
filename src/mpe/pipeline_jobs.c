/* pipeline_jobs.c -- who runs which module when.
 *
 *      work of a module --> free cluster            launched, polled, finished
 *                       '-> management core, in place: the input is small, all clusters are
 *                           busy, or the module is not for clusters
 *
 * A module has at most one executor; each executor has lanes of its own, so several jobs may
 * fill one port at a time. A job that starts has room for its worst output, so it ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include "base/clock.h"

#include <sched.h>

/* Whether a module has an executor. */
static bool is_running(const struct mw_pipeline *p, uint32_t module)
{
    for (uint32_t c = 0; c < p->n_clusters; c++)
        if (p->cluster[c].busy && p->cluster[c].module == module)
            return true;
    return false;
}

bool pipeline_any_busy(const struct mw_pipeline *p)
{
    for (uint32_t c = 0; c < p->n_clusters; c++)
        if (p->cluster[c].busy)
            return true;
    return false;
}

/* Units of a source, or records of a batch. */
static uint64_t size_of(const struct pipeline_executor *x)
{
    return x->in != NULL ? x->in->head->n_records : x->job.last - x->job.first;
}

/* How long the job took, for whom it matters. */
static void note(struct mw_pipeline *p, const struct pipeline_executor *x)
{
    const struct mw_timeline_event e = {.name = p->module[x->module].name,
                                        .start = x->start,
                                        .end = pipeline_mark(p),
                                        .n = size_of(x),
                                        .level = p->level,
                                        .track = x->track};
    if (p->world->backend->now != NULL)
        p->traffic.jobs.modelled_ns += (uint64_t)(1e9 * (e.end - e.start) + 0.5);
    mw_timeline_add(p->world->timeline, &e);
}

static void finish(struct mw_pipeline *p, struct pipeline_executor *x)
{
    const struct mw_module *m = &p->module[x->module];
    if (pipeline_emits(m))
        mw_port_collect(&p->port[pipeline_port_of(m->emits)], x->lanes, pipeline_post, p);
    note(p, x);
    if (x->in != NULL)
        mw_batch_give(x->in);
    x->in = NULL;
    x->busy = false;
}

/* The next job of a module, which has work; its records at most, and the bytes it reads. */
struct work {
    struct mw_job job;
    uint32_t module;
    uint64_t records, bytes;
};

static bool next_work(struct mw_pipeline *p, uint32_t module, struct work *out)
{
    const struct mw_module *m = &p->module[module];
    *out = (struct work){.job = {.state = p->state, .at = &p->at, .wide = p->wide},
                         .module = module};
    if (p->world->plan != NULL)
        out->job.role = p->world->plan->role;
    struct mw_job *job = &out->job;
    if (pipeline_emits(m))
        job->out = &p->port[pipeline_port_of(m->emits)].out;
    if (pipeline_is_source(m)) {
        /* Alone, with the short circuit, a source makes no records at all. */
        const bool alone = p->at.n_ranks == 1 && p->world->backend->short_circuit;
        const uint64_t most = (uint64_t)PIPELINE_JOB_BATCHES * p->capacity;
        const uint64_t left = p->units[module] - p->next[module];
        const uint64_t limit = alone ? left : mw_max(1, most / m->records_per_unit);
        job->first = p->next[module];
        job->last = job->first + mw_min(left, limit);
        out->records = alone ? 0 : (job->last - job->first) * m->records_per_unit;
        out->bytes = (job->last - job->first) * m->records_per_unit * p->record_bytes;
        return left > 0;
    }
    job->in = p->port[pipeline_port_of(m->takes)].in.first;
    if (job->in == NULL)
        return false;
    out->records = job->in->head->n_records;
    out->bytes = out->records * p->record_bytes;
    return true;
}

/* Who may do it now: a free cluster, or the management core in place, alone or (joint)
 * together with the first cluster when there is nobody to talk to meanwhile. */
enum place { NOWHERE, SMALL, ALONE, ALL_BUSY, JOINT, CLUSTER };

static enum place choose_place(const struct mw_pipeline *p, const struct work *w,
                               uint32_t *cluster)
{
    if (p->n_lanes == 1 || p->world->conf.engine_mpe ||
        (p->world->backend->mesh && p->module[w->module].mesh_kernel == NULL))
        return ALONE;
    if (w->bytes < p->world->conf.small_input)
        return SMALL;
    if (p->at.n_ranks == 1 && p->n_clusters == 1 && p->world->backend->short_circuit)
        return p->cluster[0].busy ? NOWHERE : JOINT;
    for (*cluster = 0; *cluster < p->n_clusters; (*cluster)++)
        if (!p->cluster[*cluster].busy)
            return CLUSTER;
    return ALL_BUSY;
}

static void count_job(struct mw_job_count *n, enum place place)
{
    n->all++;
    n->small += place == SMALL;
    n->alone += place == ALONE;
    n->all_busy += place == ALL_BUSY;
}

/* Whose lanes the job fills: all cores' that run it; on a mesh the consumers'. */
static struct mw_lanes lanes_of(const struct mw_pipeline *p, enum place place, uint32_t c)
{
    const uint32_t *first = p->world->first_lane;
    if (place == CLUSTER && p->world->plan != NULL)
        return (struct mw_lanes){first[c], p->world->plan->n_consumers};
    if (place == CLUSTER && first[c + 1] > first[c])
        return (struct mw_lanes){first[c], first[c + 1] - first[c]};
    return (struct mw_lanes){0, place == JOINT ? p->n_lanes : 1};
}

/* The most records that one of these lanes may get: an equal share, but any consumer of a mesh
 * may get all. */
static uint64_t lane_records(const struct mw_pipeline *p, const struct mw_lanes *lanes,
                             uint64_t records)
{
    const bool spread = p->world->plan == NULL;
    return (spread ? records / lanes->n : records) + MW_SEGMENTS_MAX + 1;
}

/* The management core runs the job itself, alone. Where its time is modelled, it is charged
 * for batches and records; as on the cores of a mesh, not for rows and state that elements
 * read and write in place. */
static void run_in_place(struct mw_pipeline *p, mw_kernel *kernel,
                         struct pipeline_executor *x, const struct mw_port_state *to)
{
    struct mw_cpe self = {.id = 0, .n = 1, .lane = 0};
    const bool counts = p->world->backend->spend != NULL && to != NULL;
    const uint64_t before = counts ? mw_port_held(to, 0) : 0;
    kernel(&self, &x->job);
    const uint64_t made = counts ? mw_port_held(to, 0) - before : 0;
    const uint64_t taken = x->in != NULL ? size_of(x) * p->record_bytes : 0;
    const uint64_t records = x->in != NULL ? size_of(x) : made / p->record_bytes;
    pipeline_spend(p, taken + made, records, 0);
}

static void launch(struct mw_pipeline *p, enum place place, uint32_t cluster,
                   struct pipeline_executor *x)
{
    const struct mw_module *m = &p->module[x->module];
    struct mw_world *w = p->world;
    if (place == CLUSTER) {
        w->backend->launch(w->cluster[cluster],
                           w->plan != NULL ? m->mesh_kernel : m->kernel, &x->job);
        return;
    }
    if (place == JOINT)
        mw_world_run(w, m->kernel, &x->job);
    else
        run_in_place(p, m->kernel, x,
                     pipeline_emits(m) ? &p->port[pipeline_port_of(m->emits)] : NULL);
    finish(p, x);
}

bool pipeline_start(struct mw_pipeline *p, uint32_t module)
{
    const struct mw_module *m = &p->module[module];
    struct mw_port_state *to =
        pipeline_emits(m) ? &p->port[pipeline_port_of(m->emits)] : NULL;
    struct work w;
    uint32_t c = 0;
    if (!pipeline_is_on(p, module) || is_running(p, module) || !next_work(p, module, &w))
        return false;
    const enum place place = choose_place(p, &w, &c);
    const struct mw_lanes lanes = lanes_of(p, place, c);
    if (place == NOWHERE)
        return false;
    if (to != NULL && !mw_port_reserve(to, lanes, lane_records(p, &lanes, w.records)))
        return false;

    struct pipeline_executor mpe, *x = place == CLUSTER ? &p->cluster[c] : &mpe;
    *x = (struct pipeline_executor){
        .busy = true,
        .module = module,
        .job = w.job,
        .lanes = lanes,
        .start = pipeline_mark(p),
        .track = (uint8_t)(place >= JOINT ? MW_TRACK_CLUSTER + c : MW_TRACK_RECEIVE)};
    if (pipeline_is_source(m))
        p->next[module] = w.job.last;
    else
        x->in = mw_batch_get(&p->port[pipeline_port_of(m->takes)].in);
    count_job(&p->traffic.jobs, place);
    launch(p, place, c, x);
    return true;
}

bool pipeline_exhausted(const struct mw_pipeline *p, uint32_t module)
{
    const struct mw_module *m = &p->module[module];
    if (is_running(p, module))
        return false;
    return pipeline_is_source(m) ? p->next[module] == p->units[module]
                                 : mw_port_complete(&p->port[pipeline_port_of(m->takes)]);
}

/* A cluster that an emulated core's mistake has stopped stays busy. */
int pipeline_poll_clusters(struct mw_pipeline *p, bool *progress)
{
    for (uint32_t c = 0; c < p->n_clusters; c++) {
        if (!p->cluster[c].busy)
            continue;
        const int rc = p->world->backend->poll(p->world->cluster[c]);
        if (rc < MW_OK)
            return rc;
        if (rc == MW_OK) {
            finish(p, &p->cluster[c]);
            *progress = true;
        }
    }
    return MW_OK;
}

void pipeline_stop_clusters(struct mw_pipeline *p)
{
    const struct mw_world_conf *conf = &p->world->conf;
    double since = mw_now();
    for (uint32_t c = 0; c < p->n_clusters; c++)
        while (p->cluster[c].busy &&
               p->world->backend->poll(p->world->cluster[c]) == MW_AGAIN) {
            if (conf->lost != NULL && conf->hang_timeout_s > 0 &&
                mw_now() - since > conf->hang_timeout_s) {
                conf->lost();
                since = mw_now();
            }
            sched_yield();
        }
}
