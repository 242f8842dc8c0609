/* test_cluster.c -- one suite for every backend of this build, with 1 to 4 cores.
 *
 * Kernels run on other threads, so they only write; all assertions are here on the
 * main thread. Without fork: OpenMP threads do not survive one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "cpe/cluster.h"
#include "cpe/mask.h"

#include <check.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

enum { MAX_CORES = 4, N_LAUNCHES = 10000, FIRST_LANE = 5 };

struct seen {
    uint32_t times, n, lane;
    pthread_t thread;
    char fill[MW_CACHE_LINE - 24];
};

struct job {
    struct seen by[MAX_CORES + 1]; /* one more: a core with a wrong number */
    atomic_bool hold;              /* cores stay inside until it is false */
};

static const struct mw_backend *backend;
static struct mw_cluster *cluster;
static struct job job;

static void note_me(struct mw_cpe *self, void *arg)
{
    struct job *j = arg;
    struct seen *me = &j->by[self->id < MAX_CORES ? self->id : MAX_CORES];
    me->times++;
    me->n = self->n;
    me->lane = self->lane;
    me->thread = pthread_self();
    while (atomic_load_explicit(&j->hold, memory_order_acquire))
        sched_yield();
}

static void open_cluster(int n_cores)
{
    const bool crowded = n_cores > 2;
    const struct mw_cluster_conf conf = {.n_cores = (uint32_t)n_cores,
                                         .oversubscribed = crowded,
                                         .first_lane = FIRST_LANE};
    memset(&job, 0, sizeof job);
    ck_assert_int_eq(backend->open(&conf, &cluster), MW_OK);
    const uint32_t n = backend->n_cores(cluster);
    ck_assert_uint_ge(n, 1);
    ck_assert_uint_le(n, (uint32_t)n_cores);
}

static void wait_for_cluster(void)
{
    while (backend->poll(cluster) == MW_AGAIN)
        sched_yield();
}

START_TEST(every_core_runs_a_launch_once)
{
    open_cluster(_i);
    const uint32_t n_team = backend->n_team(cluster);
    const uint32_t n = n_team > 0 ? n_team : 1;
    backend->launch(cluster, note_me, &job);
    wait_for_cluster();
    for (uint32_t i = 0; i <= MAX_CORES; i++) {
        ck_assert_uint_eq(job.by[i].times, i < n);
        ck_assert_uint_eq(job.by[i].n, i < n ? n : 0);
    }
    backend->close(cluster);
}
END_TEST

START_TEST(run_includes_the_caller)
{
    open_cluster(_i);
    const uint32_t n = backend->n_cores(cluster);
    uint32_t n_here = 0;
    backend->run(cluster, note_me, &job);
    ck_assert_int_eq(backend->poll(cluster), MW_OK);
    for (uint32_t i = 0; i <= MAX_CORES; i++)
        ck_assert_uint_eq(job.by[i].times, i < n);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_uint_eq(job.by[i].n, n);
        ck_assert_uint_eq(job.by[i].lane, i + 1 < n ? FIRST_LANE + i : 0);
        n_here += pthread_equal(job.by[i].thread, pthread_self()) != 0;
    }
    ck_assert_uint_eq(n_here, 1);
    ck_assert(pthread_equal(job.by[n - 1].thread, pthread_self()) != 0);
    backend->close(cluster);
}
END_TEST

START_TEST(poll_says_again_until_the_last_core_is_done)
{
    open_cluster(_i);
    if (backend->n_cores(cluster) > 1) {
        atomic_store(&job.hold, !backend->in_place);
        backend->launch(cluster, note_me, &job);
        for (int i = 0; i < 1000 && !backend->in_place; i++)
            ck_assert_int_eq(backend->poll(cluster), MW_AGAIN);
        atomic_store_explicit(&job.hold, false, memory_order_release);
        if (!backend->in_place)
            wait_for_cluster();
    }
    ck_assert_int_eq(backend->poll(cluster), MW_OK);
    ck_assert_int_eq(backend->poll(cluster), MW_OK);
    backend->close(cluster);
}
END_TEST

START_TEST(launches_and_runs_alternate_without_losing_one)
{
    open_cluster(_i);
    const uint32_t n_all = backend->n_cores(cluster), n_team = backend->n_team(cluster);
    const uint32_t n = n_team > 0 ? n_team : 1;
    const double before = mw_now();
    for (int i = 0; i < N_LAUNCHES; i++) {
        backend->launch(cluster, note_me, &job);
        while (backend->poll(cluster) == MW_AGAIN)
            if (_i > 2)
                sched_yield();
    }
    const double launched = mw_now();
    for (int i = 0; i < N_LAUNCHES; i++)
        backend->run(cluster, note_me, &job);
    const double ran = mw_now();
    for (uint32_t i = 0; i < n_all; i++)
        ck_assert_uint_eq(job.by[i].times, i < n ? 2 * N_LAUNCHES : N_LAUNCHES);
    if (getenv("MW_TEST_TIMES") != NULL)
        printf("%s, %u cores: launch and wait %.0f ns, run %.0f ns\n", backend->name,
               n_all, 1e9 / N_LAUNCHES * (launched - before),
               1e9 / N_LAUNCHES * (ran - launched));
    backend->close(cluster);
}
END_TEST

START_TEST(sleeping_cores_wake_for_the_next_launch)
{
    open_cluster(_i);
    const struct timespec idle = {0, 5000000};
    for (int i = 0; i < 3; i++) {
        nanosleep(&idle, NULL);
        backend->run(cluster, note_me, &job);
    }
    ck_assert_uint_eq(job.by[0].times, 3);
    backend->close(cluster);
}
END_TEST

static long naps(void)
{
    struct rusage used;
    getrusage(RUSAGE_SELF, &used);
    return used.ru_nvcsw;
}

/* Naps of some microseconds, of many threads, would take the cores that others need. */
START_TEST(cores_of_a_crowd_sleep_between_launches)
{
    open_cluster(MAX_CORES);
    backend->launch(cluster, note_me, &job);
    wait_for_cluster();
    const long before = naps();
    nanosleep(&(struct timespec){.tv_nsec = 200000000}, NULL);
    ck_assert_int_lt(naps() - before, 100);
    backend->close(cluster);
}
END_TEST

START_TEST(binding_ends_with_the_cluster)
{
    struct mw_mask before, after;
    int cpu[MAX_CORES];
    uint32_t first = 0;
    mw_mask_of_self(&before);
    while (!mw_mask_has(&before, first))
        first++;
    for (int i = 0; i < MAX_CORES; i++)
        cpu[i] = (int)first;
    const struct mw_cluster_conf conf = {
        .n_cores = (uint32_t)_i, .cpu = cpu, .oversubscribed = true, .first_lane = 1};
    memset(&job, 0, sizeof job);
    ck_assert_int_eq(backend->open(&conf, &cluster), MW_OK);
    mw_mask_of_self(&after);
    ck_assert_uint_eq(mw_mask_count(&after), 1);
    backend->run(cluster, note_me, &job);
    ck_assert_uint_eq(job.by[0].times, 1);
    backend->close(cluster);
    mw_mask_of_self(&after);
    ck_assert(mw_mask_equal(&before, &after));
}
END_TEST

START_TEST(impossible_binding_is_an_error)
{
    const int cpu[MAX_CORES] = {-1, -1, -1, -1};
    const struct mw_cluster_conf conf = {
        .n_cores = (uint32_t)_i, .cpu = cpu, .first_lane = 1};
    ck_assert_int_eq(backend->open(&conf, &cluster), MW_ERR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "processor -1"));
}
END_TEST

/* The host's team is bound, by a cluster of its own. */
START_TEST(a_device_binds_nobody)
{
    const int cpu[MAX_CORES] = {-1, -1, -1, -1};
    const struct mw_cluster_conf conf = {
        .n_cores = (uint32_t)_i, .cpu = cpu, .first_lane = 1};
    struct mw_mask before, after;
    mw_mask_of_self(&before);
    ck_assert_int_eq(backend->open(&conf, &cluster), MW_OK);
    mw_mask_of_self(&after);
    ck_assert(mw_mask_equal(&before, &after));
    backend->close(cluster);
}
END_TEST

START_TEST(auto_is_the_usable_backend_of_highest_priority)
{
    const struct mw_backend *found, *again;
    ck_assert_int_eq(mw_backend_find(NULL, &found), MW_OK);
    ck_assert_int_eq(mw_backend_find("auto", &again), MW_OK);
    ck_assert_ptr_eq(found, again);
    for (size_t i = 0; mw_backends[i] != NULL; i++)
        if (mw_backends[i]->disabled == NULL)
            ck_assert_int_ge(found->priority, mw_backends[i]->priority);
}
END_TEST

START_TEST(each_name_finds_its_backend_or_says_why_not)
{
    const struct mw_backend *found = NULL;
    for (size_t i = 0; mw_backends[i] != NULL; i++) {
        const struct mw_backend *b = mw_backends[i];
        if (b->disabled == NULL) {
            ck_assert_int_eq(mw_backend_find(b->name, &found), MW_OK);
            ck_assert_ptr_eq(found, b);
        } else {
            ck_assert_int_eq(mw_backend_find(b->name, &found), MW_ERR_UNAVAILABLE);
            ck_assert_ptr_nonnull(strstr(mw_error_text(), b->disabled));
        }
    }
}
END_TEST

START_TEST(unknown_name_lists_the_legal_ones)
{
    const struct mw_backend *found = NULL;
    ck_assert_int_eq(mw_backend_find("opnmp", &found), MW_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "'opnmp'"));
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "auto"));
    for (size_t i = 0; mw_backends[i] != NULL; i++)
        ck_assert_ptr_nonnull(strstr(mw_error_text(), mw_backends[i]->name));
}
END_TEST

static int run_suite(const struct mw_backend *b)
{
    const TTest *const looped[] = {
        every_core_runs_a_launch_once,
        run_includes_the_caller,
        poll_says_again_until_the_last_core_is_done,
        launches_and_runs_alternate_without_losing_one,
        sleeping_cores_wake_for_the_next_launch,
    };
    const TTest *const bound[] = {binding_ends_with_the_cluster,
                                  impossible_binding_is_an_error};
    Suite *s = suite_create(b->name);
    TCase *cores = tcase_create("cores");
    TCase *table = tcase_create("table");
    backend = b;
    for (size_t i = 0; i < sizeof looped / sizeof looped[0]; i++)
        tcase_add_loop_test(cores, looped[i], 1, MAX_CORES + 1);
    for (size_t i = 0; !mw_on_device(b) && i < sizeof bound / sizeof bound[0]; i++)
        tcase_add_loop_test(cores, bound[i], 1, MAX_CORES + 1);
    if (!mw_on_device(b))
        tcase_add_test(cores, cores_of_a_crowd_sleep_between_launches);
    if (mw_on_device(b))
        tcase_add_loop_test(cores, a_device_binds_nobody, 1, MAX_CORES + 1);
    tcase_add_test(table, auto_is_the_usable_backend_of_highest_priority);
    tcase_add_test(table, each_name_finds_its_backend_or_says_why_not);
    tcase_add_test(table, unknown_name_lists_the_legal_ones);
    suite_add_tcase(s, cores);
    suite_add_tcase(s, table);

    SRunner *sr = srunner_create(s);
    srunner_set_fork_status(sr, CK_NOFORK);
    srunner_run_all(sr, CK_NORMAL);
    const int n_failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return n_failed;
}

int main(void)
{
    int n_failed = 0;
    for (size_t i = 0; mw_backends[i] != NULL; i++)
        if (mw_backends[i]->disabled == NULL && !mw_backends[i]->mesh) /* test_emul */
            n_failed += run_suite(mw_backends[i]);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
