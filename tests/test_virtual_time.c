/* test_virtual_time.c -- searches on emulated clusters: how long they take by the machine's own
 * time, and who runs their jobs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "cpe/emul.h"
#include "graph500/benchmark.h"
#include "ranks.h"

#include <pthread.h>

struct trial {
    struct mw_benchmark_conf conf;
    struct mw_direction_rule direction;
    /* Of rank 0, which has everybody's. */
    double modelled_s, time_s;
    uint64_t n_batches, n_of_size;
    struct mw_job_count jobs;
    double on_tracks_s; /* what its timeline shows of jobs */
};

static void add_level(struct trial *t, const struct mw_level *l)
{
    t->n_batches += l->n_batches;
    for (uint32_t k = 0; k < MW_SIZE_CLASSES; k++)
        t->n_of_size += l->n_of_size[k];
    t->jobs.all += l->jobs.all;
    t->jobs.small += l->jobs.small;
    t->jobs.all_busy += l->jobs.all_busy;
    t->jobs.alone += l->jobs.alone;
    t->jobs.modelled_ns += l->jobs.modelled_ns;
}

static int search_all(struct mw_world *w, void *arg)
{
    struct trial *t = arg;
    struct mw_benchmark_result result;
    const struct mw_way variant = {.world = w, .options = &t->direction};
    const int rc = mw_benchmark_run(&t->conf, &variant, 1, &result);
    if (rc == MW_OK && w->comm->rank == 0) {
        for (uint32_t i = 0; i < result.n_searches; i++) {
            const struct mw_search *s = &result.search[i];
            t->modelled_s += s->modelled_s;
            t->time_s += s->time_s;
            for (uint32_t k = 0; k < s->n_level_records; k++)
                add_level(t, &s->level[k]);
        }
        for (uint64_t i = 0; w->timeline != NULL && i < w->timeline->n; i++)
            t->on_tracks_s += w->timeline->event[i].end - w->timeline->event[i].start;
    }
    mw_benchmark_result_fini(&result);
    return rc;
}

static struct trial trial_of(uint32_t scale)
{
    return (struct trial){.conf = {.algorithm = &mw_algorithm_bfs,
                                   .scale = scale,
                                   .edgefactor = 16,
                                   .seed = {2, 3},
                                   .n_roots = 2,
                                   .validate = true},
                          .direction = {.form = MW_FORM_MESSAGES}};
}

static struct ranks ranks_of(struct trial *t, uint32_t n_ranks, uint32_t n_clusters)
{
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = search_all, .arg = t};
    r.world.backend = "emul";
    r.world.n_threads = 1;
    r.world.n_clusters = n_clusters;
    r.world.small_input = 1024;
    r.world.hang_timeout_s = HANG_S;
    return r;
}

/* The same trial on another machine. */
static void must_run_with(const char *params, struct ranks *r, struct trial *t)
{
    struct mw_emul_params p;
    mw_emul_params_sw26010(&p);
    ck_assert_int_eq(mw_emul_params_read(params, &p), MW_OK);
    ck_assert_int_eq(mw_emul_configure(&p), MW_OK);
    r->arg = t;
    must_run(r);
    ck_assert_int_eq(mw_emul_configure(NULL), MW_OK);
}

START_TEST(a_search_takes_the_same_virtual_time_every_time)
{
    struct trial once = trial_of(9), again = trial_of(9);
    struct ranks r = ranks_of(&once, 1, 1 + (uint32_t)_i);
    must_run(&r);
    r.arg = &again;
    must_run(&r);
    ck_assert_double_gt(once.modelled_s, 0);
    ck_assert_double_eq(once.modelled_s, again.modelled_s);
    ck_assert_uint_eq(once.jobs.modelled_ns, again.jobs.modelled_ns);
}
END_TEST

/* A host's core that somebody else uses, now and then. */
static void *disturb(void *arg)
{
    const bool *ends = arg;
    volatile uint64_t n = 0;
    while (!MW_LOAD_ACQUIRE(ends))
        n++;
    return NULL;
}

/* Whatever the host does meanwhile: two ranks to sixteen, by both routes and engines, up and down. */
START_TEST(several_ranks_take_the_same_virtual_time_every_time)
{
    static const uint32_t n_ranks[] = {2, 5, 16};
    struct trial once = trial_of(10), again = trial_of(10);
    struct ranks r = ranks_of(&once, n_ranks[_i % 3], 1 + (uint32_t)_i % 2);
    pthread_t other;
    bool ends = false;
    r.loop.ranks_per_host = 1;
    r.world.engine_mpe = _i / 3 % 2 == 1;
    with_width(&r, 1 + (uint32_t)_i / 3);
    once.direction.form = again.direction.form = MW_FORM_AUTO;
    once.direction.policy = again.direction.policy =
        _i % 2 == 0 ? MW_DIRECTION_AUTO : MW_DIRECTION_TOP_DOWN;
    must_run(&r);
    r.arg = &again;
    ck_assert_int_eq(pthread_create(&other, NULL, disturb, &ends), 0);
    must_run(&r);
    MW_STORE_RELEASE(&ends, true);
    pthread_join(other, NULL);
    ck_assert_double_gt(once.modelled_s, 0);
    ck_assert_double_eq(once.modelled_s, again.modelled_s);
    ck_assert_uint_eq(once.jobs.modelled_ns, again.jobs.modelled_ns);
    ck_assert_uint_eq(once.n_batches, again.n_batches);
}
END_TEST

/* What a wire costs is seen in a search of several nodes, and only there. */
START_TEST(a_slower_network_takes_longer)
{
    static const char *const slower[] = {"net_lat_cycles=14500", "net_bytes_s=48000000",
                                         "net_super_node=1,net_over=100"};
    const uint32_t n_ranks = _i < 3 ? 4 : 1;
    struct trial t = trial_of(10), u = trial_of(10);
    struct ranks r = ranks_of(&t, n_ranks, 1);
    r.loop.ranks_per_host = 1;
    must_run(&r);
    must_run_with(slower[_i % 3], &r, &u);
    if (n_ranks == 1)
        ck_assert_double_eq(t.modelled_s, u.modelled_s);
    else
        ck_assert_double_gt(u.modelled_s, 1.1 * t.modelled_s);
}
END_TEST

/* Bottom-up by bitmap is sweeps alone: memory makes them slow, and all cores of all clusters share them. */
START_TEST(sweeps_take_the_time_of_what_they_touch)
{
    struct trial t = trial_of(12), far = trial_of(12), shared = trial_of(12);
    struct ranks r = ranks_of(&t, 1, 1);
    t.direction = far.direction = shared.direction = (struct mw_direction_rule){
        .policy = MW_DIRECTION_BOTTOM_UP, .form = MW_FORM_BITMAP};
    must_run(&r);
    must_run_with("mem_lat_cycles=1000", &r, &far);
    r.world.n_clusters = 4;
    r.arg = &shared;
    must_run(&r);
    ck_assert_double_gt(far.modelled_s, 1.5 * t.modelled_s);
    ck_assert_double_lt(shared.modelled_s, 0.7 * t.modelled_s);
}
END_TEST

START_TEST(hosts_have_no_time_of_their_own)
{
    struct trial t = trial_of(8);
    struct ranks r = ranks_of(&t, 2, 1);
    with_threads(&r, (uint32_t)_i);
    must_run(&r);
    ck_assert_double_eq(t.modelled_s, -2); /* of two searches */
    ck_assert_uint_eq(t.jobs.modelled_ns, 0);
}
END_TEST

/* On one rank and by the management core alone, a search's time is that of its jobs and of sweeps. */
START_TEST(the_management_cores_jobs_take_virtual_time)
{
    struct trial t = trial_of(9), slower = trial_of(9);
    struct ranks r = ranks_of(&t, 1, 1);
    r.world.engine_mpe = true;
    must_run(&r);
    ck_assert_uint_eq(t.jobs.alone, t.jobs.all);
    ck_assert_double_gt(t.modelled_s, 1e-9 * (double)t.jobs.modelled_ns);
    must_run_with("mpe_record_cycles=180", &r, &slower);
    ck_assert_double_gt(slower.modelled_s, 1.1 * t.modelled_s);
    ck_assert_double_lt(slower.modelled_s, 2 * t.modelled_s);
}
END_TEST

/* Construction and validation are on the timeline as well. */
START_TEST(the_timeline_shows_virtual_time)
{
    struct trial t = trial_of(9);
    struct ranks r = ranks_of(&t, 1, 2);
    r.world.timeline_events = 1 << 16;
    must_run(&r);
    ck_assert_double_gt(t.on_tracks_s, 1e-9 * (double)t.jobs.modelled_ns);
    ck_assert_double_lt(t.on_tracks_s, 10); /* seconds of host time would be no sum */
}
END_TEST

START_TEST(sizes_of_messages_sum_up_to_their_number)
{
    struct trial t = trial_of(9);
    struct ranks r = ranks_of(&t, 4, 1);
    t.direction.partition =
        MW_BY_OWNER; /* by classes so few edges are told, without messages */
    with_threads(&r, (uint32_t)_i);
    with_width(&r, 1 + (uint32_t)_i);
    must_run(&r);
    ck_assert_uint_gt(t.n_batches, 4 * 3);
    ck_assert_uint_eq(t.n_of_size, t.n_batches);
}
END_TEST

START_TEST(size_classes_begin_with_powers_of_two)
{
    struct mw_level l = {0};
    for (uint64_t bytes = 1; bytes < UINT64_C(1) << 40; bytes = 2 * bytes + bytes % 7 % 2)
        l.n_of_size[mw_size_class(bytes)]++;
    ck_assert_uint_eq(mw_size_class(16), 0);
    ck_assert_uint_eq(mw_size_class(31), 0);
    ck_assert_uint_eq(mw_size_class(32), 1);
    ck_assert_uint_eq(mw_size_class(1023), mw_size_class(1024) - 1);
    ck_assert_uint_eq(mw_size_class(UINT64_MAX), MW_SIZE_CLASSES - 1);
    ck_assert_uint_eq(mw_level_batches_below(&l, 32), l.n_of_size[0]);
    ck_assert_uint_eq(mw_level_batches_below(&l, 1024) + l.n_of_size[6],
                      mw_level_batches_below(&l, 2048));
}
END_TEST

/* The paper's G3: four clusters for up to five modules; inputs of all sizes go to clusters. */
START_TEST(few_jobs_find_all_clusters_busy)
{
    static const enum mw_direction_policy policy[] = {
        MW_DIRECTION_AUTO, MW_DIRECTION_TOP_DOWN, MW_DIRECTION_BOTTOM_UP,
        MW_DIRECTION_BOTTOM_UP};
    const uint32_t n_ranks = _i < 3 ? 4 : 16;
    struct trial t = trial_of(_i < 3 ? 11 : 12);
    struct ranks r = ranks_of(&t, n_ranks, 4);
    t.direction.policy = policy[_i];
    t.direction.hubs[MW_TOP_DOWN] = t.direction.hubs[MW_BOTTOM_UP] =
        MW_HUBS_OFF; /* more records */
    r.world.small_input = 0;
    r.world.batch_bytes = 1024; /* many jobs */
    with_width(&r, 2);
    must_run(&r);
    ck_assert_uint_gt(t.jobs.all, 100);
    ck_assert_double_lt((double)t.jobs.all_busy, 0.05 * (double)t.jobs.all);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("virtual_time");
    TCase *t = tcase_create("search");
    tcase_add_loop_test(t, a_search_takes_the_same_virtual_time_every_time, 0,
                        how_many(4, 4, 2));
    tcase_add_loop_test(t, several_ranks_take_the_same_virtual_time_every_time, 0,
                        how_many(6, 12, 2));
    tcase_add_loop_test(t, a_slower_network_takes_longer, 0, 4);
    tcase_add_test(t, sweeps_take_the_time_of_what_they_touch);
    tcase_add_loop_test(t, hosts_have_no_time_of_their_own, 0, 2);
    tcase_add_test(t, the_management_cores_jobs_take_virtual_time);
    tcase_add_test(t, the_timeline_shows_virtual_time);
    tcase_add_loop_test(t, sizes_of_messages_sum_up_to_their_number, 0, 3);
    tcase_add_test(t, size_classes_begin_with_powers_of_two);
    tcase_add_loop_test(t, few_jobs_find_all_clusters_busy, 0, how_many(4, 4, 2));
    suite_add_tcase(s, t);
    return run_suite(s);
}
