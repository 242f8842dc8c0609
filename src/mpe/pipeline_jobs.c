/* pipeline_jobs.c -- who runs which module when.
 *
 *      work of a module --> free cluster            launched, polled, finished
 *                       '-> management core, in place: the input is small, all clusters are
 *                           busy, or the module is not for clusters
 *
 * Each executor has lanes of its own, so several jobs may fill one port at a time, also of one module, if they
 * are clusters' and no meshes'. A job that starts has room for its worst output, so it ends.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/pipeline_state.h"

#include "base/wait.h"

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

/* Gives the time since the last call to the modules that ran in it. To be called before a job
 * begins, and when one has ended, so that the same ones ran all the time. */
static void divide(struct mw_pipeline *p)
{
    const double now = mw_now();
    uint32_t n = p->in_place != NULL;
    for (uint32_t c = 0; c < p->n_clusters; c++)
        n += p->cluster[c].busy;
    const double share = n > 0 ? (now - p->divided) / n : 0;
    for (uint32_t c = 0; c < p->n_clusters; c++)
        if (p->cluster[c].busy)
            p->traffic.spent_s[p->cluster[c].module] += share;
    if (p->in_place != NULL)
        p->traffic.spent_s[p->in_place->module] += share;
    p->divided = now;
}

/* Units of a source, or records of batches. */
static uint64_t size_of(const struct pipeline_executor *x)
{
    return x->n_in > 0 ? x->n_in : x->job.last - x->job.first;
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
    if (p->world->backend->time != NULL)
        p->traffic.jobs.modelled_ns += (uint64_t)(1e9 * (e.end - e.start) + 0.5);
    mw_timeline_add(p->world->timeline, &e);
}

int pipeline_refuse(const struct mw_job_fault *fault, uint64_t limit)
{
    return mw_fail(MW_ERR_INTERNAL,
                   "corrupt batch from rank %u: it names child %u, this rank has %llu",
                   fault->peer, fault->child, (unsigned long long)limit);
}

/* The port that a module emits into; NULL: none. */
static struct mw_port_state *output_of(struct mw_pipeline *p, uint32_t module)
{
    const struct mw_module *m = &p->module[module];
    return pipeline_emits(m) ? &p->port[pipeline_port_of(m->emits)] : NULL;
}

static struct mw_batch_list *queue_of(struct mw_pipeline *p, uint32_t module)
{
    return &p->port[pipeline_port_of(p->module[module].takes)].in;
}

static void finish(struct mw_pipeline *p, struct pipeline_executor *x)
{
    struct mw_port_state *const to = output_of(p, x->module);
    struct mw_batch *b;
    divide(p);
    if (x == p->in_place)
        p->in_place = NULL;
    if (to != NULL)
        mw_port_collect(to, x->lanes, pipeline_post, p);
    if (x->job.dealt != NULL) {
        const uint64_t last = x->job.last;
        p->next[x->module] = x->job.last = mw_min(x->dealt, last);
        p->goes_on = x->job.last == last;
    }
    note(p, x);
    while ((b = mw_batch_get(&x->in)) != NULL)
        mw_batch_give(b);
    if (x->fault.found)
        p->status = pipeline_refuse(&x->fault, x->job.limit);
    x->busy = false;
}

/* Alone, with the short circuit, a source makes no records at all. */
static bool is_silent(const struct mw_pipeline *p)
{
    return p->at.n_ranks == 1 && p->world->backend->short_circuit;
}

static bool reaches(const struct mw_pipeline *p, uint32_t module)
{
    return p->goes_on && pipeline_is_source(&p->module[module]);
}

static bool has_work(struct mw_pipeline *p, uint32_t module)
{
    return pipeline_is_source(&p->module[module]) ? p->next[module] < p->units[module]
                                                  : queue_of(p, module)->first != NULL;
}

/* Without levels there are many more jobs, and somebody to talk to between two of them. */
enum { ASYNC_SMALL = 64 };

/* Whether what there is to do is less than a cluster should be woken for. */
static bool is_small(struct mw_pipeline *p, uint32_t module)
{
    const uint64_t enough = p->world->conf.small_input *
                            (uint64_t)(p->async.refill != NULL ? ASYNC_SMALL : 1);
    uint64_t bytes = 0;
    if (pipeline_is_source(&p->module[module]))
        return (p->units[module] - p->next[module]) * p->module[module].records_per_unit *
                   p->record_bytes <
               enough;
    for (const struct mw_batch *b = queue_of(p, module)->first;
         b != NULL && bytes < enough; b = b->next)
        bytes += (uint64_t)b->head->n_records * p->record_bytes;
    return bytes < enough;
}

/* Who may do it now: a free cluster, or the management core in place, alone or (joint)
 * together with the first cluster when there is nobody to talk to meanwhile. */
enum runner { NOBODY, SMALL, ALONE, ALL_BUSY, JOINT, CLUSTER };

/* The batches of a queue that a job takes: the first n, or the first n of one sender. */
struct share {
    uint64_t n, records;
    bool of_one;
    uint32_t sender;
};

/* A module's next job: who runs it, whose lanes it fills, and what it takes. */
struct assignment {
    uint32_t module, cluster;
    enum runner by;
    struct mw_lanes lanes;
    struct mw_job job;  /* of a source: its units, and the pieces they are dealt out in */
    struct share share; /* of a queue */
    uint64_t makes;     /* records, at most */
};

/* On hosts with more cores than this, the management core would hold up the network for less than
 * it adds. */
enum { HELPS_LANES = 2 };

static enum runner choose_runner(struct mw_pipeline *p, struct assignment *a)
{
    const struct mw_module *m = &p->module[a->module];
    if (m->kernel != NULL) {
        if (p->n_lanes == 1 || p->world->conf.engine_mpe || m->cores_kernel == NULL)
            return ALONE;
        if (is_small(p, a->module))
            return SMALL;
        if ((is_silent(p) && p->n_clusters == 1) || reaches(p, a->module))
            return p->cluster[0].busy ? NOBODY : JOINT;
    }
    for (a->cluster = 0; a->cluster < p->n_clusters; a->cluster++)
        if (!p->cluster[a->cluster].busy)
            return CLUSTER;
    if (m->kernel == NULL)
        return NOBODY;
    return p->n_lanes > HELPS_LANES && p->world->plan == NULL ? NOBODY : ALL_BUSY;
}

/* Lanes are an executor's own, and what a job does to the state is safe between the cores
 * of a cluster, so it is between clusters. On meshes it is not: there each word has one
 * writer, a core of the one cluster. The management core does not join in: what comes
 * meanwhile waits, and makes larger jobs. */
static bool may_start(const struct mw_pipeline *p, const struct assignment *a)
{
    const bool beside = a->by == CLUSTER && p->world->plan == NULL;
    return a->by != NOBODY && (beside || !is_running(p, a->module));
}

static void count_job(struct mw_job_count *n, enum runner by)
{
    n->all++;
    n->small += by == SMALL;
    n->alone += by == ALONE;
    n->all_busy += by == ALL_BUSY;
}

/* Whose lanes the job fills: all cores' that run it; on a mesh the consumers'. */
static struct mw_lanes lanes_of(const struct mw_pipeline *p, const struct assignment *a)
{
    const uint32_t *first = &p->world->first_lane[a->cluster];
    if (a->by == CLUSTER && p->world->plan != NULL)
        return (struct mw_lanes){first[0], p->world->plan->n_consumers};
    if (a->by == CLUSTER && first[1] > first[0])
        return (struct mw_lanes){first[0], first[1] - first[0]};
    return (struct mw_lanes){0, a->by == JOINT ? p->n_lanes : 1};
}

/* The lanes that records are spread over: each gets an equal share, but any consumer of a mesh
 * may get all. */
static uint64_t spread(const struct mw_pipeline *p, const struct assignment *a)
{
    return p->world->plan == NULL ? a->lanes.n : 1;
}

/* The most records that a job may make: so many batches per lane. */
static uint64_t most_records(const struct mw_pipeline *p, const struct assignment *a)
{
    return spread(p, a) * PIPELINE_JOB_BATCHES * p->capacity;
}

/* A source's next job is a share of the work. */
static void plan_source(struct mw_pipeline *p, struct assignment *a)
{
    const uint32_t each = p->module[a->module].records_per_unit;
    const uint64_t left = p->units[a->module] - p->next[a->module];
    const uint64_t limit = is_silent(p) ? left : mw_max(1, most_records(p, a) / each);
    a->job.first = p->next[a->module];
    a->job.last = a->job.first + mw_min(left, limit);
    a->makes = is_silent(p) ? 0 : (a->job.last - a->job.first) * each;
}

/* Or deals out all there is: some pieces for each core, so that they end together, and the lane
 * of one has room for two. */
enum { PIECES_PER_CORE = 16, PIECE_MOST = 8192 };

static void plan_pieces(const struct mw_pipeline *p, struct assignment *a)
{
    const uint64_t each = is_silent(p) ? 0 : p->module[a->module].records_per_unit;
    const uint64_t most = PIPELINE_JOB_BATCHES * (uint64_t)p->capacity;
    const uint64_t fits = each > 0 ? mw_min(most / 2 / each, PIECE_MOST) : PIECE_MOST;
    a->job.first = p->next[a->module];
    a->job.last = p->units[a->module];
    const uint64_t fair = (a->job.last - a->job.first) / PIECES_PER_CORE / a->lanes.n;
    a->job.piece = mw_max(1, mw_min(fair, fits));
    a->job.piece_records = a->job.piece * each;
    a->makes = each > 0 ? most * a->lanes.n : 0;
}

static bool is_of(const struct share *s, const struct mw_batch *b)
{
    return !s->of_one || b->head->sender == s->sender;
}

static bool is_relay(const struct mw_pipeline *p, uint32_t module)
{
    return p->module[module].takes.hop == MW_TO_RELAY;
}

/* How many segments a job's batches may have: a relay's output has room for so many changes of
 * sender (mw_lane_need()), and the consumers of a mesh look up so many senders. */
static uint64_t most_segments(const struct mw_pipeline *p, uint32_t module)
{
    return is_relay(p, module) || p->world->plan != NULL ? MW_SEGMENTS_MAX : UINT64_MAX;
}

/* A cluster takes all that are queued, as far as its output has room; the relay of a mesh those of
 * one sender, which its consumers could not keep apart from others. The management core takes
 * one, to be back at the network soon. */
static void plan_batches(struct mw_pipeline *p, struct assignment *a)
{
    const struct mw_batch *b = queue_of(p, a->module)->first;
    const uint64_t room =
        output_of(p, a->module) != NULL ? most_records(p, a) : UINT64_MAX;
    struct share s = {.of_one = is_relay(p, a->module) && p->world->plan != NULL,
                      .sender = b->head->sender};
    uint64_t segments = 0;
    for (; b != NULL && (s.n == 0 || a->by == CLUSTER); b = b->next) {
        if (!is_of(&s, b))
            continue;
        const uint64_t more = mw_max(1, b->head->n_segments);
        if (s.n > 0 && (segments + more > most_segments(p, a->module) ||
                        s.records + b->head->n_records > room))
            break;
        segments += more;
        s.records += b->head->n_records;
        s.n++;
    }
    a->share = s;
    a->makes = s.records;
}

/* False: nobody may run it now, or there is no room for what it may make. */
static bool assign(struct mw_pipeline *p, struct assignment *a)
{
    const struct mw_mesh_plan *mesh = p->world->plan;
    struct mw_port_state *const to = output_of(p, a->module);
    a->by = choose_runner(p, a);
    if (!may_start(p, a))
        return false;
    a->lanes = lanes_of(p, a);
    a->job = (struct mw_job){.state = p->state,
                             .at = &p->at,
                             .wide = p->wide,
                             .out = to != NULL ? &to->out : NULL,
                             .role = mesh != NULL ? mesh->role : NULL};
    if (!pipeline_is_source(&p->module[a->module]))
        plan_batches(p, a);
    else if (reaches(p, a->module) && (a->by == JOINT || a->by == ALONE))
        plan_pieces(p, a);
    else
        plan_source(p, a);
    const uint64_t in_a_lane = a->makes / spread(p, a) + MW_SEGMENTS_MAX + 1;
    const uint64_t senders = is_relay(p, a->module) ? a->share.n : 1;
    return to == NULL || mw_port_reserve(to, a->lanes, in_a_lane, senders);
}

static void take_batches(struct mw_batch_list *queue, const struct share *s,
                         struct mw_batch_list *in)
{
    struct mw_batch_list rest = {0};
    struct mw_batch *b;
    while (in->n < s->n && (b = mw_batch_get(queue)) != NULL)
        mw_batch_put(is_of(s, b) ? in : &rest, b);
    if (rest.first == NULL)
        return;
    while ((b = mw_batch_get(queue)) != NULL) /* what was passed over comes first */
        mw_batch_put(&rest, b);
    *queue = rest;
}

/* Children at a stop are numbers below this. */
static uint64_t limit_of(const struct mw_pipeline *p, uint32_t module)
{
    const struct mw_groups *groups = &p->world->groups;
    if (p->module[module].takes.hop == MW_TO_OWNER)
        return p->n_children;
    return (uint64_t)mw_group_size(groups, mw_group_of(groups, p->at.rank))
           << p->at.local_bits;
}

/* The management core runs the job itself, alone. Where its time is modelled, it is charged for batches,
 * for records, and for what elements read and write in place. */
static void run_in_place(struct mw_pipeline *p, mw_kernel *kernel,
                         struct pipeline_executor *x, const struct mw_port_state *to)
{
    struct mw_cpe self = {.id = 0, .n = 1, .lane = 0};
    const struct mw_virtual_time *const time = p->world->backend->time;
    if (time == NULL) {
        kernel(&self, &x->job);
        return;
    }
    const uint64_t before = to != NULL ? mw_port_held(to, 0) : 0;
    time->count(p->world->cluster[0], 0);
    kernel(&self, &x->job);
    time->pay(p->world->cluster[0], 0);
    const uint64_t made = to != NULL ? mw_port_held(to, 0) - before : 0;
    const uint64_t taken = x->n_in * p->record_bytes;
    const uint64_t records = x->n_in > 0 ? x->n_in : made / p->record_bytes;
    pipeline_spend(p, taken + made, records, 0);
}

/* What was assigned leaves the source or the queue. */
static void take_assignment(struct mw_pipeline *p, const struct assignment *a,
                            struct pipeline_executor *x)
{
    const uint32_t cluster = MW_TRACK_CLUSTER + a->cluster;
    *x = (struct pipeline_executor){
        .busy = true,
        .module = a->module,
        .job = a->job,
        .n_in = a->share.records,
        .lanes = a->lanes,
        .start = pipeline_mark(p),
        .dealt = a->job.first,
        .track = (uint8_t)(a->by >= JOINT ? cluster : MW_TRACK_RECEIVE)};
    if (a->job.piece > 0)
        x->job.dealt = &x->dealt;
    if (pipeline_is_source(&p->module[a->module])) {
        p->next[a->module] = a->job.last;
        return;
    }
    take_batches(queue_of(p, a->module), &a->share, &x->in);
    x->job.in = x->in.first;
    x->job.limit = limit_of(p, a->module);
    x->job.fault = &x->fault;
}

static void launch(struct mw_pipeline *p, const struct assignment *a,
                   struct pipeline_executor *x)
{
    const struct mw_module *m = &p->module[a->module];
    struct mw_world *w = p->world;
    mw_comm_wait(w->comm, MW_AT_WORK); /* a job may be long, and beats when it is done */
    if (a->by == CLUSTER) {
        w->backend->launch(w->cluster[a->cluster], m->cores_kernel, &x->job);
        return;
    }
    p->in_place = x;
    if (a->by == JOINT)
        mw_world_run(w, m->cores_kernel, &x->job);
    else
        run_in_place(p, m->kernel, x, output_of(p, a->module));
    finish(p, x);
}

bool pipeline_start(struct mw_pipeline *p, uint32_t module)
{
    if (!pipeline_is_on(p, module) || !has_work(p, module))
        return false;
    struct assignment a = {.module = module};
    if (!assign(p, &a))
        return false;
    struct pipeline_executor mpe, *x = a.by == CLUSTER ? &p->cluster[a.cluster] : &mpe;
    divide(p);
    take_assignment(p, &a, x);
    count_job(&p->traffic.jobs, a.by);
    launch(p, &a, x);
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
    return p->status;
}

void pipeline_stop_clusters(struct mw_pipeline *p)
{
    const struct mw_world_conf *conf = &p->world->conf;
    struct mw_patience patience = {0};
    struct mw_waiting waiting = {0};
    for (uint32_t c = 0; c < p->n_clusters; c++)
        while (p->cluster[c].busy &&
               p->world->backend->poll(p->world->cluster[c]) == MW_AGAIN) {
            if (conf->lost != NULL && conf->hang_timeout_s > 0 &&
                mw_patience_look(&patience) > conf->hang_timeout_s) {
                conf->lost();
                patience = (struct mw_patience){0};
            }
            mw_wait_a_little(&waiting);
        }
}
