/* benchmark.c -- the story of one run.
 *
 *      generate (or be given) -> construct -> choose roots -> warm up
 *      -> for each root, by each way: reset, search against the clock, validate
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/benchmark_run.h"

#include "base/clock.h"
#include "base/mem.h"
#include "base/resident.h"
#include "devices/list_there.h"
#include "io/names.h"
#include "shuffle/reals.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

void mw_benchmark_say_phase(const struct mw_benchmark *r, enum mw_phase phase)
{
    if (r->conf->progress.phase != NULL)
        r->conf->progress.phase(r->conf->progress.arg, phase);
}

/* The longest of all ranks; doubles of at least 0 order like their bits. */
int mw_benchmark_longest(struct mw_comm *comm, double *seconds)
{
    uint64_t bits = mw_bits_of_double(*seconds);
    const int rc = mw_comm_max(comm, &bits, 1);
    *seconds = mw_double_of_bits(bits);
    return rc;
}

/* ---- Kernel 2 ------------------------------------------------------------------------------ */

static int copy_levels(struct mw_benchmark *r, struct mw_traversal *t,
                       struct mw_search *s)
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
static const char *from_root(const struct mw_benchmark *r, mw_vid root,
                             char text[MW_NAME_ROOM + 8])
{
    char name[MW_NAME_ROOM];
    *text = '\0';
    if (root != MW_NO_VERTEX)
        snprintf(text, MW_NAME_ROOM + 8,
                 "root %s: ", mw_names_text(r->edges.names, root, name));
    return text;
}

/* The answer's own account, and where there is a check, whether its agrees. */
static int check(struct mw_benchmark *r, const struct mw_benchmark_way *w,
                 const struct mw_benchmark_judging *j, struct mw_search *s)
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
    MW_TRY(rc, mw_benchmark_longest(r->comm, &s->validate_s));
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

static int keep_path(struct mw_benchmark *r, struct mw_traversal *t, struct mw_search *s)
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
void mw_benchmark_forget(struct mw_search *s)
{
    MW_FREE_ALL(s->level, s->path);
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

int mw_benchmark_search(struct mw_benchmark *r, struct mw_benchmark_way *w, mw_vid root,
                        struct mw_sent *sent, const struct mw_benchmark_judging *judging,
                        struct mw_search *s)
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
    MW_TRY(rc, mw_benchmark_longest(r->comm, &s->time_s));
    MW_TRY(rc, mw_benchmark_longest(r->comm, &s->modelled_s));
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
        mw_benchmark_forget(s);
    return rc;
}

/* All ranks stop at the same search. */
int mw_benchmark_asked_to_stop(struct mw_benchmark *r, bool *stop)
{
    uint64_t any = r->conf->stop != NULL && r->conf->stop();
    const int rc = mw_comm_max(r->comm, &any, 1);
    *stop = any != 0;
    return rc;
}

static uint32_t n_checked(const struct mw_benchmark *r)
{
    return mw_benchmark_n_checked(r->conf, r->n_roots);
}

/* The reference warms up with its first root as well, and then times it again. */
static int warm_up(struct mw_benchmark *r)
{
    const struct mw_benchmark_judging judging = {.checks = n_checked(r) == r->n_roots};
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++) {
        struct mw_benchmark_result *out = r->way[w].out;
        if (out->n_searches == r->n_roots)
            continue; /* nothing is left to warm up for */
        /* The next one's place, unless invalid. */
        struct mw_search *s = &out->search[out->n_searches];
        rc = mw_benchmark_search(r, &r->way[w], r->root[0], NULL, &judging, s);
        out->n_searches += s->status == MW_ERR_INVALID;
        mw_benchmark_forget(s);
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
static struct mw_benchmark_judging judging_of(const struct mw_benchmark *r, uint32_t i)
{
    uint32_t k, unused;
    struct mw_benchmark_judging j = {.checks =
                                         is_picked(n_checked(r), i, r->n_roots, &k)};
    j.confirms = j.checks && is_picked(r->conf->n_confirmed, k, n_checked(r), &unused);
    return j;
}

static int search_one(struct mw_benchmark *r, struct mw_benchmark_way *w, uint32_t i,
                      uint32_t done)
{
    const struct mw_benchmark_conf *conf = r->conf;
    struct mw_search *s = &w->out->search[i];
    const struct mw_benchmark_judging judging = judging_of(r, i);
    int rc = mw_benchmark_search(r, w, r->root[i], w->sent, &judging, s);
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
static uint32_t n_kept(const struct mw_benchmark *r)
{
    uint32_t n = r->n_roots;
    for (uint32_t w = 0; w < r->n_ways; w++)
        n = (uint32_t)mw_min(n, r->way[w].out->n_searches);
    return n;
}

static int search_all(struct mw_benchmark *r)
{
    bool stop = false;
    int rc;

    mw_benchmark_say_phase(r, MW_PHASE_SEARCH);
    const uint32_t first = n_kept(r);
    rc = warm_up(r);
    for (uint32_t i = first; rc == MW_OK && i < r->n_roots; i++) {
        MW_TRY(rc, mw_benchmark_asked_to_stop(r, &stop));
        if (stop)
            return mw_fail(MW_ERR_INTERRUPTED, "interrupted after %u of %u searches", i,
                           r->n_roots);
        for (uint32_t k = 0; rc == MW_OK && k < r->n_ways; k++) {
            struct mw_benchmark_way *w = &r->way[(i + k) % r->n_ways];
            if (w->out->n_searches <= i)
                rc = search_one(r, w, i, i * r->n_ways + k + 1);
        }
    }
end:
    return rc;
}

/* What all ways share. */
static void copy_facts(struct mw_benchmark *r)
{
    for (uint32_t w = 1; r->way != NULL && w < r->n_ways; w++) {
        struct mw_benchmark_result *out = r->way[w].out;
        const struct mw_benchmark_result own = *out;
        *out = *r->out;
        out->n_searches = own.n_searches;
        out->search = own.search;
        out->energy = own.energy; /* of the first way alone */
        out->prepare_s = own.prepare_s;
        out->n_edges_kept = own.n_edges_kept;
        out->most_entries = own.most_entries;
        if (own.construction_s > 0)
            out->construction_s = own.construction_s;
        memcpy(out->trait, own.trait, sizeof out->trait);
    }
}

static int memory(struct mw_benchmark *r)
{
    uint64_t sum = mw_resident_peak(), most[] = {sum, mw_mem_peak_apart()};
    MW_NEED(mw_comm_sum(r->comm, &sum, 1));
    MW_NEED(mw_comm_max(r->comm, most, 2));
    r->out->sum_peak_bytes = sum;
    r->out->peak_bytes = most[0];
    r->out->peak_device_bytes = most[1];
    return MW_OK;
}

/* Who has sent what to whom, on every rank. */
static int gather_sent(struct mw_benchmark *r)
{
    const uint64_t n = r->comm->size;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        struct mw_benchmark_result *out = r->way[w].out;
        if (r->way[w].sent == NULL)
            continue;
        out->n_sent = r->way[w].n_made;
        out->sent = mw_alloc("messages by sender", n * n, sizeof *out->sent);
        MW_NEED(mw_comm_agree(r->comm, out->sent != NULL ? MW_OK : MW_ERR_NOMEM));
        MW_NEED(
            mw_comm_gather(r->comm, r->way[w].sent, n * sizeof *out->sent, out->sent));
    }
    return MW_OK;
}

static int open_counts(struct mw_benchmark *r)
{
    const uint32_t n = r->comm->size;
    int rc = MW_OK;
    for (uint32_t w = 0; n > 1 && n <= MW_SENT_RANKS && w < r->n_ways; w++)
        MW_NEW(rc, r->way[w].sent, "messages by receiver", n);
end:
    return mw_comm_agree(r->comm, rc);
}

static int open_ways(struct mw_benchmark *r, const struct mw_way *way)
{
    MW_NEED(open_counts(r));
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const struct mw_algorithm *const algorithm = r->way[w].algorithm;
        struct mw_traversal **t = &r->way[w].traversal;
        MW_NEED(mw_traversal_new(algorithm, way[w].options, way[w].world, r->way[w].graph,
                                 t));
        struct mw_benchmark_result *const out = r->way[w].out;
        out->prepare_s = (*t)->prepare_s;
        MW_NEED(mw_benchmark_longest(r->comm, &out->prepare_s));
        out->construction_s += out->prepare_s;
        if (r->conf->goal != NULL)
            mw_traversal_stop_at(*t, r->conf->goal);
        if (r->conf->keep_levels)
            MW_NEED(mw_traversal_keep_levels(*t));
        if (algorithm->traits != NULL)
            algorithm->traits(*t, out->trait);
    }
    return MW_OK;
}

/* Ways of one check share it. */
static int open_checks(struct mw_benchmark *r)
{
    int rc = MW_OK;
    for (uint32_t w = 0; w < r->n_ways && rc == MW_OK; w++) {
        struct mw_benchmark_way *const way = &r->way[w];
        const struct mw_check *const check = way->algorithm->check;
        for (uint32_t k = 0; k < w && way->check == NULL; k++)
            if (r->way[k].algorithm->check == check)
                way->check = r->way[k].check;
        if (check != NULL && way->check == NULL)
            rc = check->open(r->way[0].world, &r->edges, &way->check);
    }
    return rc;
}

static void close_checks(struct mw_benchmark *r)
{
    for (uint32_t w = 0; r->way != NULL && w < r->n_ways; w++) {
        bool shared = false;
        for (uint32_t k = 0; k < w; k++)
            shared |= r->way[k].check == r->way[w].check;
        if (r->way[w].check != NULL && !shared)
            r->way[w].algorithm->check->close(r->way[w].check);
    }
}

static bool has_results(int rc)
{
    return rc == MW_OK || rc == MW_ERR_INTERRUPTED;
}

static int build_and_search(struct mw_benchmark *r, const struct mw_way *way)
{
    const struct mw_benchmark_conf *conf = r->conf;
    int rc;
    MW_TRY(rc, mw_benchmark_build(r));
    copy_facts(r); /* for who looks at results between searches */
    MW_TRY(rc, open_ways(r, way));
    if (conf->validate)
        MW_TRY(rc, open_checks(r));
    rc = search_all(r);
    if (rc == MW_OK)
        rc = mw_benchmark_energy(r);
    r->out->validated = n_checked(r) == r->n_roots && has_results(rc);
end:
    return rc;
}

/* What it took. Facts are copied after a failure, too: results may say that answers are wrong. */
static int measure(struct mw_benchmark *r, int rc)
{
    int measured = has_results(rc) ? memory(r) : rc;
    copy_facts(r);
    if (has_results(rc) && measured == MW_OK)
        measured = gather_sent(r);
    return measured < MW_OK ? measured : rc;
}

static void run_fini(struct mw_benchmark *r, const struct mw_way *way)
{
    close_checks(r);
    for (uint32_t w = 0; r->way != NULL && w < r->n_ways; w++) {
        mw_traversal_free(r->way[w].traversal);
        mw_free(r->way[w].sent);
    }
    mw_graph_forget_there(way[0].world, r->graph);
    mw_benchmark_free_graphs(r);
    mw_list_unplace(way[0].world, &r->edges);
    if (r->conf->given == NULL)
        mw_edges_fini(&r->edges);
    MW_FREE_ALL(r->root, r->way);
}

int mw_benchmark_run(const struct mw_benchmark_conf *conf, const struct mw_way *way,
                     uint32_t n_ways, struct mw_benchmark_result *out)
{
    struct mw_benchmark r = {.conf = conf,
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
        r.way[w] = (struct mw_benchmark_way){
            .algorithm = way[w].algorithm != NULL ? way[w].algorithm : conf->algorithm,
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
        mw_benchmark_forget(&r->search[i]);
    MW_FREE_ALL(r->search, r->sent);
    memset(r, 0, sizeof *r);
}
