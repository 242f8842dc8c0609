/* test_placement.c -- the deal of cores, and what the collective makes of this machine.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/log.h"
#include "base/mem.h"
#include "mpe/placement.h"
#include "suite.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_RANKS = 8 };

/* Four cores of two processors: {0,4} {1,5} {2,6} {3,7}. */
static int cpu_of[] = {0, 4, 1, 5, 2, 6, 3, 7};
static uint32_t first_of[] = {0, 2, 4, 6, 8};
static const struct mw_cores four_cores = {4, 8, cpu_of, first_of, NULL};

START_TEST(blocks_cover_the_cores_once)
{
    for (uint32_t n_cores = 0; n_cores <= 20; n_cores++) {
        uint32_t next = 0;
        for (uint32_t i = 0; i < (uint32_t)_i; i++) {
            uint32_t from, to;
            mw_cores_block(n_cores, i, (uint32_t)_i, &from, &to);
            ck_assert_uint_eq(from, next);
            ck_assert_uint_ge(to - from, n_cores / (uint32_t)_i);
            next = to;
        }
        ck_assert_uint_eq(next, n_cores);
    }
}
END_TEST

START_TEST(every_core_gets_a_thread_before_any_gets_two)
{
    static const int expected[] = {2, 3, 6, 7};
    int cpu[8];
    for (uint32_t n = 1; n <= 4; n++) {
        ck_assert(mw_cores_deal(&four_cores, 2, 4, n, cpu));
        ck_assert_mem_eq(cpu, expected, n * sizeof cpu[0]);
    }
    ck_assert(!mw_cores_deal(&four_cores, 2, 4, 5, cpu));
    ck_assert(!mw_cores_deal(&four_cores, 2, 2, 1, cpu));
}
END_TEST

START_TEST(cores_keep_to_the_mask)
{
    struct mw_mask mask;
    struct mw_cores c;
    mw_mask_of_self(&mask);
    ck_assert_int_eq(mw_cores_find(&mask, &c), MW_OK);
    ck_assert_uint_eq(c.n_cpus, mw_mask_count(&mask));
    ck_assert_uint_ge(c.n_cores, 1);
    ck_assert_uint_le(c.n_cores, c.n_cpus);
    ck_assert_uint_eq(c.first[c.n_cores], c.n_cpus);
    for (uint32_t i = 0; i < c.n_cpus; i++)
        ck_assert(mw_mask_has(&mask, (uint32_t)c.cpu[i]));
    mw_cores_fini(&c);
}
END_TEST

START_TEST(unknown_processors_fall_back_to_the_mask)
{
    struct mw_mask mask = {{0}};
    struct mw_cores c;
    mw_mask_add(&mask, MW_MASK_CPUS - 1);
    mw_mask_add(&mask, 3000);
    ck_assert_int_eq(mw_cores_find(&mask, &c), MW_OK);
    ck_assert_uint_eq(c.n_cores, 2);
    ck_assert_int_eq(c.cpu[0], 3000);
    ck_assert_int_eq(c.cpu[1], MW_MASK_CPUS - 1);
    mw_cores_fini(&c);
}
END_TEST

/* ---- the collective, on the loop communicator ---- */

struct found {
    uint32_t n_threads; /* asked for */
    struct mw_placement of[MAX_RANKS];
    uint32_t n_cores, n_hosts;
};

static pthread_mutex_t notes_lock = PTHREAD_MUTEX_INITIALIZER;
static char notes[4096];
static int n_notes;

static void take_note(void *arg, const char *text)
{
    (void)arg;
    pthread_mutex_lock(&notes_lock);
    snprintf(notes, sizeof notes, "%s", text);
    n_notes++;
    pthread_mutex_unlock(&notes_lock);
}

static int find_on_rank(struct mw_comm *c, void *arg)
{
    struct found *f = arg;
    if (c->rank == 0) {
        f->n_cores = c->n_cores;
        f->n_hosts = c->n_hosts;
    }
    return mw_placement_find(c, f->n_threads, &f->of[c->rank]);
}

static void find(uint32_t n_ranks, uint32_t per_host, uint32_t n_threads, struct found *f)
{
    const struct mw_loop_conf conf = {n_ranks, per_host, 0};
    *f = (struct found){.n_threads = n_threads};
    n_notes = 0;
    notes[0] = '\0';
    mw_log_to(take_note, NULL);
    ck_assert_msg(mw_loop_run(&conf, find_on_rank, f) == MW_OK, "%s", mw_error_text());
    mw_log_to(NULL, NULL);
    for (uint32_t r = 0; r < n_ranks; r++)
        ck_assert_str_eq(f->of[r].sentence, f->of[0].sentence);
}

static void fini(struct found *f)
{
    for (uint32_t r = 0; r < MAX_RANKS; r++)
        mw_placement_fini(&f->of[r]);
}

START_TEST(bound_threads_have_processors_of_their_own)
{
    struct mw_mask allowed, used = {{0}};
    struct found f;
    uint32_t n = 0;
    mw_mask_of_self(&allowed);
    find((uint32_t)_i, 0, 0, &f);
    for (uint32_t r = 0; r < (uint32_t)_i; r++)
        for (uint32_t i = 0; f.of[r].cpu != NULL && i < f.of[r].n_threads; i++, n++) {
            ck_assert(mw_mask_has(&allowed, (uint32_t)f.of[r].cpu[i]));
            mw_mask_add(&used, (uint32_t)f.of[r].cpu[i]);
        }
    ck_assert_uint_eq(mw_mask_count(&used), n);
    fini(&f);
}
END_TEST

START_TEST(more_ranks_than_cores_are_not_bound_and_one_warns)
{
    struct mw_mask allowed;
    struct found f;
    mw_mask_of_self(&allowed);
    find(MAX_RANKS, 0, 0, &f);
    const bool crowded = mw_mask_count(&allowed) < MAX_RANKS;
    ck_assert_int_eq(n_notes, crowded);
    for (uint32_t r = 0; r < MAX_RANKS && crowded; r++) {
        ck_assert_uint_eq(f.of[r].n_threads, 1);
        ck_assert_ptr_null(f.of[r].cpu);
        ck_assert(f.of[r].oversubscribed);
    }
    if (crowded && mw_mask_count(&allowed) > 1)
        ck_assert_ptr_nonnull(strstr(notes, "8 ranks on"));
    fini(&f);
}
END_TEST

START_TEST(more_threads_than_cores_warn_once)
{
    struct found f;
    find(1, 0, 10000, &f);
    ck_assert_int_eq(n_notes, 1);
    ck_assert_ptr_nonnull(strstr(notes, "x 10000 threads"));
    ck_assert_uint_eq(f.of[0].n_threads, 10000);
    ck_assert_ptr_null(f.of[0].cpu);
    ck_assert(f.of[0].oversubscribed);
    fini(&f);
}
END_TEST

START_TEST(omp_num_threads_is_a_wish)
{
    struct found f;
    setenv("OMP_NUM_THREADS", "1,4", 1);
    find(1, 0, 0, &f);
    ck_assert_uint_eq(f.of[0].n_threads, 1);
    ck_assert_int_eq(n_notes, 0);
    fini(&f);
    setenv("OMP_NUM_THREADS", "many", 1);
    find(1, 0, 0, &f);
    ck_assert_uint_ge(f.of[0].n_threads, 1);
    ck_assert_int_eq(n_notes, 0);
    fini(&f);
    setenv("OMP_NUM_THREADS", "5000", 1);
    find(1, 0, 0, &f);
    ck_assert_uint_eq(f.of[0].n_threads, 5000);
    ck_assert_int_eq(n_notes, 1);
    fini(&f);
    unsetenv("OMP_NUM_THREADS");
}
END_TEST

START_TEST(pretended_hosts_share_the_cores_unbound)
{
    struct found f;
    find(2, 1, 0, &f);
    ck_assert_uint_eq(f.n_hosts, 2);
    ck_assert_uint_eq(f.of[0].n_threads, f.n_cores);
    ck_assert_ptr_null(f.of[0].cpu);
    ck_assert_ptr_nonnull(strstr(f.of[0].sentence, "on 2 hosts of"));
    fini(&f);
}
END_TEST

START_TEST(planned_machine_binds_nobody)
{
    struct found f;
    setenv("HWLOC_SYNTHETIC", "pack:2 core:8 pu:2", 1);
    find(1, 0, 0, &f);
    unsetenv("HWLOC_SYNTHETIC");
    if (strstr(f.of[0].sentence, "HWLOC_SYNTHETIC") != NULL) /* a build with hwloc */
        ck_assert_ptr_null(f.of[0].cpu);
    fini(&f);
}
END_TEST

/* Two ranks that a launcher has bound to the first and the second allowed processor. */
static int find_when_bound(struct mw_comm *c, void *arg)
{
    int rc;
    struct found *f = arg;
    struct mw_mask mask;
    uint32_t cpu = 0;
    mw_mask_of_self(&mask);
    for (uint32_t skip = c->rank; !mw_mask_has(&mask, cpu) || skip-- > 0;)
        cpu++;
    MW_TRY(rc, mw_comm_agree(c, mw_mask_bind_self_to((int)cpu)));
    MW_TRY(rc, mw_placement_find(c, 1, &f->of[c->rank]));
    if (f->of[c->rank].cpu == NULL || f->of[c->rank].cpu[0] != (int)cpu)
        return mw_fail(MW_ERR_INVALID, "not on its own processor");
end:
    return rc;
}

START_TEST(binding_of_a_launcher_is_respected)
{
    struct mw_mask allowed;
    struct found f = {0};
    const struct mw_loop_conf conf = {2, 0, 0};
    mw_mask_of_self(&allowed);
    if (mw_mask_count(&allowed) < 2)
        return;
    ck_assert_msg(mw_loop_run(&conf, find_when_bound, &f) == MW_OK, "%s",
                  mw_error_text());
    ck_assert_ptr_nonnull(strstr(f.of[0].sentence,
                                 "2 ranks x 1 thread on 2 cores, one core "
                                 "each as the launcher has bound them"));
    fini(&f);
}
END_TEST

START_TEST(sentence_says_who_runs_where)
{
    struct found f;
    find(1, 0, 1, &f);
    ck_assert_ptr_eq(strstr(f.of[0].sentence, "1 rank x 1 thread on "), f.of[0].sentence);
    ck_assert_ptr_nonnull(strstr(f.of[0].sentence, ", one core each"));
    fini(&f);
}
END_TEST

START_TEST(every_allocation_may_fail)
{
    struct found f = {.n_threads = 1};
    const struct mw_loop_conf conf = {2, 0, 0};
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc != MW_OK; n++) {
        mw_mem_fail_at(n);
        rc = mw_loop_run(&conf, find_on_rank, &f);
        mw_mem_fail_at(0);
        ck_assert_msg(rc == MW_OK || rc == MW_ERR_NOMEM, "%d, %s", rc, mw_error_text());
        fini(&f);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
}
END_TEST

int main(void)
{
    unsetenv("OMP_NUM_THREADS");
    Suite *s = suite_create("placement");
    TCase *deal = tcase_create("deal"), *all = tcase_create("collective");
    tcase_add_loop_test(deal, blocks_cover_the_cores_once, 1, 9);
    tcase_add_test(deal, every_core_gets_a_thread_before_any_gets_two);
    tcase_add_test(deal, cores_keep_to_the_mask);
    tcase_add_test(deal, unknown_processors_fall_back_to_the_mask);
    tcase_add_loop_test(all, bound_threads_have_processors_of_their_own, 1, 5);
    tcase_add_test(all, more_ranks_than_cores_are_not_bound_and_one_warns);
    tcase_add_test(all, more_threads_than_cores_warn_once);
    tcase_add_test(all, omp_num_threads_is_a_wish);
    tcase_add_test(all, pretended_hosts_share_the_cores_unbound);
    tcase_add_test(all, planned_machine_binds_nobody);
    tcase_add_test(all, binding_of_a_launcher_is_respected);
    tcase_add_test(all, sentence_says_who_runs_where);
    tcase_add_test(all, every_allocation_may_fail);
    suite_add_tcase(s, deal);
    suite_add_tcase(s, all);

    return run_suite(s);
}
