/* benchmark.c -- the story of one run.
 *
 *      generate (or be given) -> construct -> choose roots -> warm up
 *      -> for each root, by each way: reset, search against the clock, validate
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/benchmark.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/resident.h"
#include "devices/building.h"
#include "devices/list_there.h"
#include "devices/placed.h"
#include "graph500/energy.h"
#include "graph500/generation.h"
#include "graph500/roots.h"
#include "io/names.h"
#include "shuffle/job.h"
#include "shuffle/reals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

struct way {
    const struct mw_algorithm *algorithm;
    struct mw_world *world;
    const void *options; /* borrowed */
    void *check;         /* NULL: nobody checks */
    struct mw_traversal *traversal;
    struct mw_benchmark_result *out;
    struct mw_sent *sent; /* [n_ranks]; NULL: nobody counts */
    uint32_t n_made;
};

struct run {
    const struct mw_benchmark_conf *conf;
    struct mw_world *world; /* the first way's host's side: builds, validates */
    struct mw_comm *comm;
    struct way *way; /* [n_ways] */
    uint32_t n_ways;
    struct mw_benchmark_result *out; /* the first way's: facts on the graph */
    struct mw_edges edges;           /* generated; given: the list is not ours */
    struct mw_graph *graph;
    mw_vid *root;
    uint32_t n_roots;
    bool
        reach; /* devices of all ranks tell each other without the host; one rank: true */
};

static void say_phase(const struct run *r, enum mw_phase phase)
{
    if (r->conf->progress.phase != NULL)
        r->conf->progress.phase(r->conf->progress.arg, phase);
}

/* The longest of all ranks; doubles of at least 0 order like their bits. */
static int longest(struct mw_comm *comm, double *seconds)
{
    uint64_t bits = mw_bits_of_double(*seconds);
    const int rc = mw_comm_max(comm, &bits, 1);
    *seconds = mw_double_of_bits(bits);
    return rc;
}

/* ---- Where the list is ------------------------------------------------------------------- */

/* Do all searches of a way do without the host's graph? */
static bool stays(const struct run *r, const struct way *way)
{
    const struct mw_algorithm *const a = way->algorithm;
    return a->stays != NULL && !mw_goal_is_sought(r->conf->goal) &&
           !r->conf->keep_levels && a->stays(way->options, way->world->backend);
}

/* Collective, before any clock: devices may take a second to come together. */
static int try_parts(struct run *r)
{
    struct mw_world *const w = r->way[0].world;
    struct mw_world_shape shape;
    mw_world_shape_of(w, &shape);
    r->reach = r->comm->size == 1;
    return !r->reach && stays(r, &r->way[0]) && mw_parts_expected(&shape)
               ? mw_parts_try(w, &r->reach)
               : MW_OK;
}

/* Collective: where the cores of a device build, and all ways search there, they get the list,
 * unless some have no room for it. */
static int place_list(struct run *r)
{
    for (uint32_t i = 0; i < r->n_ways; i++) {
        struct mw_world_shape shape;
        mw_world_shape_of(r->way[i].world, &shape);
        if (!mw_cores_build(&r->conf->graph_rule, &shape, stays(r, &r->way[i]),
                            r->edges.n_vertices, r->edges.directed))
            return MW_OK;
    }
    const bool weighted = r->conf->graph_rule.weights != MW_WEIGHTS_NONE &&
                          (r->conf->given == NULL || r->edges.weight != NULL);
    const int rc = r->reach ? mw_list_place(r->way[0].world, &r->edges, weighted) : MW_OK;
    if (rc != MW_ERR_NOMEM)
        return rc;
    mw_error_clear();
    return MW_OK;
}

/* ---- Generation: each rank its stretch of the list ------------------------------------- */

static int generate(struct run *r)
{
    const struct mw_benchmark_conf *conf = r->conf;
    const uint64_t n_vertices = UINT64_C(1) << conf->scale;
    const uint64_t n_edges = (uint64_t)conf->edgefactor << conf->scale;
    const struct mw_cpe self = {.id = r->comm->rank, .n = r->comm->size};
    const double start = mw_now();
    struct mw_kronecker kronecker;
    uint64_t first, last;
    int rc;

    say_phase(r, MW_PHASE_GENERATE);
    mw_share(&self, 0, n_edges, &first, &last);
    MW_TRY(rc, mw_kronecker_init(&kronecker, conf->scale, n_edges, conf->seed));
    r->edges.n_vertices = n_vertices;
    r->edges.n = last - first;
    MW_TRY(rc, place_list(r));
    if (r->edges.of_cores == NULL)
        MW_TRY(rc, mw_edges_init(&r->edges, n_vertices, last - first));
    if (r->edges.of_cores == NULL && conf->graph_rule.weights != MW_WEIGHTS_NONE)
        MW_TRY(rc, mw_edges_weigh(&r->edges));
    MW_TRY(rc, mw_generate(r->way[0].world, &kronecker, first, last - first, &r->edges));
end:
    rc = mw_comm_agree(r->comm, rc);
    if (rc == MW_OK) {
        r->out->generation_s = mw_now() - start;
        rc = longest(r->comm, &r->out->generation_s);
    }
    return rc;
}

/* ---- Kernel 1 ------------------------------------------------------------------------------ */

/* Collective: by the cores that have the list, if they have room for the graph; *done: they had. */
static int build_there(struct run *r, bool *done)
{
    const struct mw_building_rule rule = {.delegate = r->conf->delegate,
                                          .weights = r->conf->graph_rule.weights};
    struct mw_world *w = r->way[0].world;
    int rc = MW_OK;
    if (r->conf->given != NULL)
        MW_TRY(rc, place_list(r));
    if (r->edges.of_cores == NULL)
        return MW_OK;
    rc = mw_graph_build_there(w, &r->edges, &rule, r->out->built_s, &r->graph);
    *done = rc == MW_OK;
    if (rc != MW_ERR_NOMEM)
        return rc;
    mw_error_clear();
    MW_TRY(rc, mw_list_come_home(w, &r->edges));
    mw_list_unplace(w, &r->edges);
end:
    return rc;
}

static int sum_laps(struct run *r)
{
    const struct mw_laps *l = &r->graph->laps;
    struct mw_benchmark_result *out = r->out;
    uint64_t sum[MW_N_LAPS];
    int rc = MW_OK;
    for (int i = 0; i < MW_N_LAPS; i++) {
        out->lap_s[i] = l->s[i];
        out->longest_lap_s[i] = l->work_s[i];
        sum[i] = (uint64_t)(1e9 * l->work_s[i]);
        MW_TRY(rc, longest(r->comm, &out->lap_s[i]));
        MW_TRY(rc, longest(r->comm, &out->longest_lap_s[i]));
    }
    MW_TRY(rc, mw_comm_sum(r->comm, sum, MW_N_LAPS));
    for (int i = 0; i < MW_N_LAPS; i++)
        out->mean_lap_s[i] = 1e-9 * (double)sum[i] / r->comm->size;
end:
    return rc;
}

static int construct(struct run *r)
{
    struct mw_benchmark_result *out = r->out;
    int rc;

    say_phase(r, MW_PHASE_CONSTRUCT);
    MW_TRY(rc, mw_comm_barrier(r->comm));
    const double start = mw_now();
    struct mw_graph_rule rule = r->conf->graph_rule;
    rule.without_names = true;
    for (uint32_t w = 0; w < r->n_ways; w++)
        rule.without_names &= r->way[w].algorithm->asks_names;
    r->edges.shuffled = rule.shuffles;
    MW_TRY(rc, mw_comm_agree(r->comm, build_there(r, &out->built_there)));
    if (!out->built_there)
        MW_TRY(rc, mw_graph_build_by(r->world, &r->edges, &rule, &r->graph));
    if (!out->built_there)
        MW_TRY(rc, mw_graph_delegate(r->world, r->graph, r->conf->delegate));
    mw_lap(&r->graph->laps, r->comm, MW_LAP_DELEGATE);
    out->construction_s = mw_now() - start;
    MW_TRY(rc, longest(r->comm, &out->construction_s));
    MW_TRY(rc, sum_laps(r));
    out->n_vertices = r->graph->n_vertices;
    out->n_edges = r->graph->n_edges;
    out->n_edges_kept = mw_graph_n_distinct(r->graph);
    out->n_connected = r->graph->n_connected;
    out->most_entries = r->graph->n_entries;
    if (r->comm->size > 1)
        out->most_entries = mw_placed_entries(r->way[0].world, r->graph);
    MW_TRY(rc, mw_comm_max(r->comm, &out->most_entries, 1));
    out->directed = r->graph->directed;
    out->asked_columns = r->graph->asked_columns;
    out->partial = r->conf->goal != NULL;
end:
    return rc;
}

/* ---- Roots --------------------------------------------------------------------------------- */

struct asking {
    struct mw_world *world;
    const struct mw_graph *graph;
    int rc;
};

static bool connected(void *arg, mw_vid v)
{
    struct asking *a = arg;
    bool yes = false;
    if (a->rc == MW_OK)
        a->rc = mw_placed_is_connected(a->world, a->graph, v, &yes);
    return yes;
}

static int choose_roots(struct run *r)
{
    const struct mw_benchmark_conf *conf = r->conf;
    struct asking asking = {r->way[0].world, r->graph, MW_OK};
    int rc = MW_OK;

    MW_NEW(rc, r->root, "roots", conf->n_roots);
    for (uint32_t w = 0; w < r->n_ways; w++)
        MW_NEW(rc, r->way[w].out->search, "searches", conf->n_roots);
end: /* choosing is collective: all of us or none */
    rc = mw_comm_agree(r->comm, rc);
    if (rc != MW_OK)
        return rc;
    if (!conf->algorithm->keyed) {
        r->n_roots = conf->n_roots;
        for (uint32_t i = 0; i < r->n_roots; i++)
            r->root[i] = MW_NO_VERTEX;
    } else if (conf->root != NULL) {
        memcpy(r->root, conf->root, conf->n_roots * sizeof *r->root);
        r->n_roots = conf->n_roots;
    } else {
        struct mw_root_stream stream;
        mw_root_stream_init(&stream, conf->seed, r->graph->n_vertices);
        r->n_roots =
            mw_roots_select(&stream, conf->compat ? MW_ROOTS_COMPAT : MW_ROOTS_DISTINCT,
                            conf->n_roots, r->root, connected, &asking)
                .n;
        rc = asking.rc;
        if (rc == MW_OK && r->n_roots == 0)
            rc = mw_fail(MW_ERR_DATA,
                         "the graph has no edge between two vertices: there is "
                         "nothing to search from (--root V searches all the same)");
    }
    r->out->n_roots = r->n_roots;
    if (rc == MW_OK && conf->chosen != NULL)
        rc = conf->chosen(conf->keep_arg, r->root, r->n_roots);
    return mw_comm_agree(r->comm, rc);
}

/* ---- Kernel 2 ------------------------------------------------------------------------------ */

static int copy_levels(struct run *r, struct mw_traversal *t, struct mw_search *s)
{
    const struct mw_level *level;
    int rc = mw_traversal_levels(t, &level, &s->n_level_records);
    if (rc == MW_OK) {
        MW_NEW(rc, s->level, "level records", s->n_level_records);
        memcpy(s->level, level, s->n_level_records * sizeof *level);
    }
end:
    if (rc != MW_OK)
        s->n_level_records = 0;
    return mw_comm_agree(r->comm, rc);
}

/* "root 7: ", or nothing where there is no root. */
static const char *from_root(const struct run *r, mw_vid root,
                             char text[MW_NAME_ROOM + 8])
{
    char name[MW_NAME_ROOM];
    *text = '\0';
    if (root != MW_NO_VERTEX)
        snprintf(text, MW_NAME_ROOM + 8,
                 "root %s: ", mw_names_text(r->edges.names, root, name));
    return text;
}

/* Who looks at a search: nobody, those whom its check asks, or the host as well. */
struct judging {
    bool checks, confirms;
};

/* The answer's own account, and where there is a check, whether its agrees. */
static int check(struct run *r, const struct way *w, const struct judging *j,
                 struct mw_search *s)
{
    struct mw_traversal *const t = w->traversal;
    struct mw_verdict claim, verdict;
    char root[MW_NAME_ROOM + 8];
    int rc;

    s->validate_s = -1;
    MW_TRY(rc, mw_traversal_claim(t, &claim));
    if (t->algorithm->facts != NULL)
        MW_TRY(rc, t->algorithm->facts(t, s->fact));
    s->n_reached = claim.n_reached;
    s->n_edges = claim.n_edges;
    if (!j->checks || w->check == NULL)
        return MW_OK;
    const double start = mw_now();
    MW_TRY(rc, t->algorithm->check->run(w->check, t, s->root, &verdict));
    s->validate_s = mw_now() - start;
    MW_TRY(rc, longest(r->comm, &s->validate_s));
    if (j->confirms && t->algorithm->check->confirm != NULL)
        MW_TRY(rc, t->algorithm->check->confirm(w->check, t, s->root, &verdict));
    s->judges = verdict.by;
    s->n_self_loops = verdict.n_self_loops;
    if (s->n_edges == MW_COUNT_NONE)
        s->n_edges = verdict.n_edges;
    if (verdict.n_edges != s->n_edges || verdict.n_reached != s->n_reached)
        rc =
            mw_fail(MW_ERR_INVALID,
                    "validation failed: %sthe search claims %llu edges and %llu "
                    "vertices, the edge list has %llu and %llu",
                    from_root(r, s->root, root), (unsigned long long)s->n_edges,
                    (unsigned long long)s->n_reached, (unsigned long long)verdict.n_edges,
                    (unsigned long long)verdict.n_reached);
    else if (verdict.n_levels != claim.n_levels)
        rc = mw_fail(MW_ERR_INVALID,
                     "validation failed: %sthe search claims %u levels, its tree has %u",
                     from_root(r, s->root, root), claim.n_levels, verdict.n_levels);
end:
    return rc;
}

static int keep_path(struct run *r, struct mw_traversal *t, struct mw_search *s)
{
    int rc = MW_OK;
    s->last_level = mw_traversal_last_level(t);
    s->found = t->found;
    if (!s->found)
        return MW_OK;
    MW_NEW(rc, s->path, "path", s->n_levels);
end:
    rc = mw_comm_agree(r->comm, rc);
    return rc != MW_OK
               ? rc
               : mw_traversal_path(t, r->conf->goal->target, s->n_levels - 1, s->path);
}

/* Only finished searches own something. */
static void forget_search(struct mw_search *s)
{
    mw_free(s->level);
    mw_free(s->path);
    s->level = NULL;
    s->path = NULL;
    s->n_level_records = 0;
}

const char *mw_why_untimed(const struct mw_world *w, const struct mw_algorithm *a)
{
    if (w->backend->time == NULL)
        return "the backend has no time of its own";
    if (!a->says_touches)
        return "what its elements touch in memory is not counted";
    if (w->comm->n_hosts < w->comm->size)
        return "ranks that share a host are no nodes";
    return NULL;
}

static int search(struct run *r, struct way *w, mw_vid root, struct mw_sent *sent,
                  const struct judging *judging, struct mw_search *s)
{
    const bool begun = mw_world_begin_time(w->world);
    int rc;
    memset(s, 0, sizeof *s);
    s->root = root;
    MW_TRY(rc, mw_traversal_reset(w->traversal));
    MW_TRY(rc, mw_comm_barrier(r->comm));
    const double start = mw_now(), modelled = mw_world_now(w->world);
    w->world->sent = sent;
    rc = mw_traversal_run(w->traversal, root);
    w->world->sent = NULL;
    if (rc != MW_OK)
        goto end;
    s->time_s =
        fmax(mw_now() - start, 0); /* 0: the clock stands still, there is no rate */
    s->modelled_s = mw_world_now(w->world) - modelled;
    MW_TRY(rc, longest(r->comm, &s->time_s));
    MW_TRY(rc, longest(r->comm, &s->modelled_s));
    s->n_levels = w->traversal->n_levels;
    MW_TRY(rc, copy_levels(r, w->traversal, s));
    MW_TRY(rc, keep_path(r, w->traversal, s));
    if (mw_why_untimed(w->world, w->traversal->algorithm) != NULL)
        s->modelled_s = -1;
    s->status = check(r, w, judging, s);
    rc = s->status;
end:
    mw_world_end_time(w->world, begun);
    if (rc != MW_OK)
        forget_search(s);
    return rc;
}

/* All ranks stop at the same search. */
static int asked_to_stop(struct run *r, bool *stop)
{
    uint64_t any = r->conf->stop != NULL && r->conf->stop();
    const int rc = mw_comm_max(r->comm, &any, 1);
    *stop = any != 0;
    return rc;
}

static uint32_t n_checked(const struct run *r)
{
    return mw_benchmark_n_checked(r->conf, r->n_roots);
}

/* The reference warms up with its first root as well, and then times it again. */
static int warm_up(struct run *r)
{
    const struct judging judging = {.checks = n_checked(r) == r->n_roots};
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++) {
        struct mw_benchmark_result *out = r->way[w].out;
        if (out->n_searches == r->n_roots)
            continue; /* nothing is left to warm up for */
        /* The next one's place, unless invalid. */
        struct mw_search *s = &out->search[out->n_searches];
        rc = search(r, &r->way[w], r->root[0], NULL, &judging, s);
        out->n_searches += s->status == MW_ERR_INVALID;
        forget_search(s);
    }
    return rc;
}

/* Of so many searches n are picked: the first, the last, and others evenly between. *k: which of
 * them the i-th is, if it is one. */
static bool is_picked(uint32_t n, uint32_t i, uint32_t of, uint32_t *k)
{
    *k = n >= of ? i : 0;
    if (n <= 1 || n >= of)
        return n > 0 && (i == 0 || n >= of);
    *k = (uint32_t)(((uint64_t)i * (n - 1) + of - 2) / (of - 1));
    return (uint64_t)*k * (of - 1) / (n - 1) == i;
}

/* Of those that are checked some are confirmed. */
static struct judging judging_of(const struct run *r, uint32_t i)
{
    uint32_t k, unused;
    struct judging j = {.checks = is_picked(n_checked(r), i, r->n_roots, &k)};
    j.confirms = j.checks && is_picked(r->conf->n_confirmed, k, n_checked(r), &unused);
    return j;
}

static int search_one(struct run *r, struct way *w, uint32_t i, uint32_t done)
{
    const struct mw_benchmark_conf *conf = r->conf;
    struct mw_search *s = &w->out->search[i];
    const struct judging judging = judging_of(r, i);
    int rc = search(r, w, r->root[i], w->sent, &judging, s);
    w->n_made += rc == MW_OK;
    if (rc == MW_OK || s->status == MW_ERR_INVALID)
        w->out->n_searches = i + 1;
    if (rc != MW_OK)
        return rc;
    if (conf->keep != NULL)
        MW_TRY(rc, mw_comm_agree(r->comm, conf->keep(conf->keep_arg, w->traversal, s)));
    if (r->comm->rank == 0 && conf->progress.search_done != NULL)
        conf->progress.search_done(conf->progress.arg, done, r->n_roots * r->n_ways, s);
end:
    return rc;
}

/* Roots that all ways have searches from already. */
static uint32_t n_kept(const struct run *r)
{
    uint32_t n = r->n_roots;
    for (uint32_t w = 0; w < r->n_ways; w++)
        n = (uint32_t)mw_min(n, r->way[w].out->n_searches);
    return n;
}

static int search_all(struct run *r)
{
    bool stop = false;
    int rc;

    say_phase(r, MW_PHASE_SEARCH);
    const uint32_t first = n_kept(r);
    rc = warm_up(r);
    for (uint32_t i = first; rc == MW_OK && i < r->n_roots; i++) {
        MW_TRY(rc, asked_to_stop(r, &stop));
        if (stop)
            return mw_fail(MW_ERR_INTERRUPTED, "interrupted after %u of %u searches", i,
                           r->n_roots);
        for (uint32_t k = 0; rc == MW_OK && k < r->n_ways; k++) {
            struct way *w = &r->way[(i + k) % r->n_ways];
            if (w->out->n_searches <= i)
                rc = search_one(r, w, i, i * r->n_ways + k + 1);
        }
    }
end:
    return rc;
}

/* What this rank reads: the first of a host its processors, the first of a device that device. */
struct meter {
    struct mw_energy_meter packages;
    bool reads_device;
};

/* Collective. */
static int open_meter(struct run *r, struct meter *m)
{
    const struct mw_world *const w = r->way[0].world;
    const uint64_t mine =
        mw_world_device_state(w).joules > 0
            ? mw_device_id(w->backend, w->backend->device_of(w->cluster[0]))
            : 0;
    uint32_t first = 0;
    uint64_t *all;
    int rc = MW_OK;
    MW_NEW(rc, all, "devices of all ranks", r->comm->size);
end:
    rc = mw_comm_agree(r->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(r->comm, &mine, sizeof mine, all);
    if (rc == MW_OK) {
        while (all[first] != mine)
            first++;
        m->reads_device = mine != 0 && first == r->comm->rank;
    }
    mw_free(all);
    if (r->comm->host_rank == 0)
        mw_energy_open(&m->packages, NULL);
    return rc;
}

/* Collective: the joules of all hosts since some time. */
static int read_joules(struct run *r, struct meter *m, double *packages, double *devices)
{
    enum { MICRO = 1000000 };
    uint64_t sum[] = {0, 0};
    if (r->comm->host_rank == 0)
        sum[0] = (uint64_t)(MICRO * mw_energy_read(&m->packages));
    if (m->reads_device)
        sum[1] = (uint64_t)(MICRO * mw_world_device_state(r->way[0].world).joules);
    const int rc = mw_comm_sum(r->comm, sum, 2);
    *packages = (double)sum[0] / MICRO;
    *devices = (double)sum[1] / MICRO;
    return rc;
}

/* Collective: all roots again and again, without checks, until it is enough for the first rank. */
static int repeat_searches(struct run *r, struct meter *m, struct mw_energy_result *e)
{
    enum { EVERY_S = 10 }; /* counters wrap after minutes */
    const struct judging judging = {.checks = false};
    const double start = mw_now();
    double read_at = start;
    uint64_t more = 1;
    bool stop = false;
    int rc = MW_OK;
    for (uint32_t i = 0; rc == MW_OK && more && !stop; i = (i + 1) % r->n_roots) {
        struct mw_search s;
        MW_TRY(rc, search(r, &r->way[0], r->root[i], NULL, &judging, &s));
        forget_search(&s);
        const struct mw_search *const first = &r->way[0].out->search[i];
        e->n_edges += mw_search_counts(first) ? first->n_edges : 0;
        e->n_searches++;
        if (r->comm->host_rank == 0 && mw_now() - read_at > EVERY_S) {
            (void)mw_energy_read(&m->packages);
            read_at = mw_now();
        }
        more = r->comm->rank == 0 && mw_now() - start < r->conf->energy_s;
        MW_TRY(rc, mw_comm_max(r->comm, &more, 1));
        MW_TRY(rc, asked_to_stop(r, &stop));
    }
    e->seconds = mw_now() - start;
end:
    return rc;
}

/* Collective, after the searches: what they draw, as Green Graph500 has it. */
static int measure_energy(struct run *r)
{
    struct mw_energy_result *const e = &r->out->energy;
    struct meter m = {.reads_device = false};
    double before[2], after[2];
    int rc;
    if (!(r->conf->energy_s > 0) || r->way[0].out->n_searches < r->n_roots)
        return MW_OK;
    MW_TRY(rc, open_meter(r, &m));
    uint64_t n[] = {m.packages.n_packages, m.reads_device};
    MW_TRY(rc, mw_comm_sum(r->comm, n, 2));
    e->n_packages = n[0];
    e->n_devices = n[1];
    MW_TRY(rc, read_joules(r, &m, &before[0], &before[1]));
    MW_TRY(rc, repeat_searches(r, &m, e));
    MW_TRY(rc, read_joules(r, &m, &after[0], &after[1]));
    e->package_joules = after[0] - before[0];
    e->device_joules = after[1] - before[1];
end:
    if (r->comm->host_rank == 0)
        mw_energy_close(&m.packages);
    return rc;
}

/* What all ways share. */
static void copy_facts(struct run *r)
{
    for (uint32_t w = 1; r->way != NULL && w < r->n_ways; w++) {
        struct mw_benchmark_result *out = r->way[w].out;
        const struct mw_benchmark_result own = *out;
        *out = *r->out;
        out->n_searches = own.n_searches;
        out->search = own.search;
        out->energy = own.energy; /* of the first way alone */
        out->prepare_s = own.prepare_s;
        if (own.construction_s > 0)
            out->construction_s = own.construction_s;
        memcpy(out->trait, own.trait, sizeof out->trait);
    }
}

static int memory(struct run *r)
{
    uint64_t sum = mw_resident_peak(), most[] = {sum, mw_mem_peak_apart()};
    int rc;
    MW_TRY(rc, mw_comm_sum(r->comm, &sum, 1));
    MW_TRY(rc, mw_comm_max(r->comm, most, 2));
    r->out->sum_peak_bytes = sum;
    r->out->peak_bytes = most[0];
    r->out->peak_device_bytes = most[1];
end:
    return rc;
}

/* Who has sent what to whom, on every rank. */
static int gather_sent(struct run *r)
{
    const uint64_t n = r->comm->size;
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        struct mw_benchmark_result *out = r->way[w].out;
        if (r->way[w].sent == NULL)
            continue;
        out->n_sent = r->way[w].n_made;
        out->sent = mw_alloc("messages by sender", n * n, sizeof *out->sent);
        MW_TRY(rc, mw_comm_agree(r->comm, out->sent != NULL ? MW_OK : MW_ERR_NOMEM));
        MW_TRY(rc,
               mw_comm_gather(r->comm, r->way[w].sent, n * sizeof *out->sent, out->sent));
    }
end:
    return rc;
}

static int open_counts(struct run *r)
{
    const uint32_t n = r->comm->size;
    int rc = MW_OK;
    for (uint32_t w = 0; n > 1 && n <= MW_SENT_RANKS && w < r->n_ways; w++)
        MW_NEW(rc, r->way[w].sent, "messages by receiver", n);
end:
    return mw_comm_agree(r->comm, rc);
}

static int open_ways(struct run *r, const struct mw_way *way)
{
    int rc;
    MW_TRY(rc, open_counts(r));
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const struct mw_algorithm *const algorithm = r->way[w].algorithm;
        struct mw_traversal **t = &r->way[w].traversal;
        MW_TRY(rc,
               mw_traversal_new(algorithm, way[w].options, way[w].world, r->graph, t));
        struct mw_benchmark_result *const out = r->way[w].out;
        out->prepare_s = (*t)->prepare_s;
        MW_TRY(rc, longest(r->comm, &out->prepare_s));
        out->construction_s += out->prepare_s;
        if (r->conf->goal != NULL)
            mw_traversal_stop_at(*t, r->conf->goal);
        if (r->conf->keep_levels)
            MW_TRY(rc, mw_traversal_keep_levels(*t));
        if (algorithm->traits != NULL)
            algorithm->traits(*t, out->trait);
    }
end:
    return rc;
}

/* Ways of one check share it. */
static int open_checks(struct run *r)
{
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++) {
        struct way *const way = &r->way[w];
        const struct mw_check *const check = way->algorithm->check;
        for (uint32_t k = 0; k < w && way->check == NULL; k++)
            if (r->way[k].algorithm->check == check)
                way->check = r->way[k].check;
        if (check != NULL && way->check == NULL)
            rc = check->open(r->way[0].world, &r->edges, &way->check);
    }
    return rc;
}

static void close_checks(struct run *r)
{
    for (uint32_t w = 0; r->way != NULL && w < r->n_ways; w++) {
        bool shared = false;
        for (uint32_t k = 0; k < w; k++)
            shared |= r->way[k].check == r->way[w].check;
        if (r->way[w].check != NULL && !shared)
            r->way[w].algorithm->check->close(r->way[w].check);
    }
}

static int build(struct run *r)
{
    int rc;
    MW_TRY(rc, try_parts(r));
    if (r->conf->given == NULL)
        MW_TRY(rc, generate(r));
    if (r->edges.of_cores != NULL)
        MW_TRY(rc, mw_list_digest(r->way[0].world, &r->edges, &r->out->digest));
    else
        MW_TRY(rc, mw_digest_of(r->world, &r->edges, &r->out->digest));
    MW_TRY(rc, construct(r));
    MW_TRY(rc, choose_roots(r));
end:
    return rc;
}

static bool has_results(int rc)
{
    return rc == MW_OK || rc == MW_ERR_INTERRUPTED;
}

static int build_and_search(struct run *r, const struct mw_way *way)
{
    const struct mw_benchmark_conf *conf = r->conf;
    int rc;
    MW_TRY(rc, build(r));
    copy_facts(r); /* for who looks at results between searches */
    MW_TRY(rc, open_ways(r, way));
    if (conf->validate)
        MW_TRY(rc, open_checks(r));
    rc = search_all(r);
    if (rc == MW_OK)
        rc = measure_energy(r);
    r->out->validated = n_checked(r) == r->n_roots && has_results(rc);
end:
    return rc;
}

/* What it took. Facts are copied after a failure, too: results may say that answers are wrong. */
static int measure(struct run *r, int rc)
{
    int measured = has_results(rc) ? memory(r) : rc;
    copy_facts(r);
    if (has_results(rc) && measured == MW_OK)
        measured = gather_sent(r);
    return measured < MW_OK ? measured : rc;
}

static void run_fini(struct run *r, const struct mw_way *way)
{
    close_checks(r);
    for (uint32_t w = 0; r->way != NULL && w < r->n_ways; w++) {
        mw_traversal_free(r->way[w].traversal);
        mw_free(r->way[w].sent);
    }
    mw_graph_forget_there(way[0].world, r->graph);
    mw_graph_free(r->graph);
    mw_list_unplace(way[0].world, &r->edges);
    if (r->conf->given == NULL)
        mw_edges_fini(&r->edges);
    mw_free(r->root);
    mw_free(r->way);
}

int mw_benchmark_run(const struct mw_benchmark_conf *conf, const struct mw_way *way,
                     uint32_t n_ways, struct mw_benchmark_result *out)
{
    struct run r = {.conf = conf,
                    .world = mw_world_host_side(way[0].world),
                    .comm = way[0].world->comm,
                    .n_ways = n_ways,
                    .out = out};
    int rc = MW_OK;
    if (conf->given != NULL)
        r.edges = *conf->given;
    memset(out, 0, n_ways * sizeof *out);
    out->scale = conf->scale;
    out->edgefactor = conf->given == NULL ? conf->edgefactor : 0;
    MW_NEW(rc, r.way, "ways", n_ways);
    for (uint32_t w = 0; w < n_ways; w++)
        r.way[w] = (struct way){.algorithm = way[w].algorithm != NULL ? way[w].algorithm
                                                                      : conf->algorithm,
                                .world = way[w].world,
                                .options = way[w].options,
                                .out = &out[w]};
end:
    rc = mw_comm_agree(r.comm, rc);
    if (rc == MW_OK)
        rc = build_and_search(&r, way);
    rc = measure(&r, rc);
    run_fini(&r, way);
    return rc;
}

void mw_benchmark_result_fini(struct mw_benchmark_result *r)
{
    for (uint32_t i = 0; r->search != NULL && i < r->n_searches; i++)
        forget_search(&r->search[i]);
    mw_free(r->search);
    mw_free(r->sent);
    memset(r, 0, sizeof *r);
}
