/* test_emul_shuffle.c -- a million random messages through the paper's roles, at every depth
 * and on both executors; and the naive way caught in its deadlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "emul_shuffle.h"
#include "emul_tests.h"

/* 1,000,192 messages; a tenth with MW_TEST_SHORT, for sanitizers. */
enum { N_EACH = 31256, N = SHUFFLE_PRODUCERS * N_EACH, ROOM = 2 * N / SHUFFLE_CONSUMERS };

static struct shuffle_job job;
static struct mw_message *in, *out;
static uint64_t *n_out;
static uint8_t *times;

static uint64_t all_of_each(void)
{
    return (uint64_t)how_many(N_EACH, N_EACH, 1600);
}

static uint64_t mixed(uint64_t x)
{
    x += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return x ^ x >> 31;
}

/* DMA from addresses off 128 B would cost several times as much. */
static void *on_a_line(void *p)
{
    return (void *)mw_round_up((uintptr_t)p, 128);
}

static void make_job(uint64_t seed, uint64_t n_each)
{
    for (uint64_t i = 0; i < SHUFFLE_PRODUCERS * n_each; i++)
        in[i] = (struct mw_message){{mixed(seed + i) % SHUFFLE_CONSUMERS, i, ~i, seed}};
    memset(out, 0, sizeof *out * SHUFFLE_CONSUMERS * ROOM);
    memset(n_out, 0, sizeof *n_out * SHUFFLE_CONSUMERS * 16);
    job = (struct shuffle_job){in, out, n_each, ROOM, n_out, 60, 29, 30};
}

static void check_job(void)
{
    uint64_t sum = 0;
    memset(times, 0, N);
    for (uint64_t k = 0; k < SHUFFLE_CONSUMERS; k++) {
        uint64_t last[SHUFFLE_PRODUCERS] = {0};
        sum += n_out[16 * k];
        for (uint64_t i = 0; i < n_out[16 * k]; i++) {
            const struct mw_message *const m = out + k * ROOM + i;
            const uint64_t id = m->word[1], from = id / job.n_each;
            if (m->word[0] != k || id >= SHUFFLE_PRODUCERS * job.n_each ||
                m->word[2] != ~id || times[id]++ != 0)
                ck_abort_msg("consumer %u has a wrong record", (unsigned)k);
            if (last[from] > id) /* one way from a producer to a consumer: in order */
                ck_abort_msg("consumer %u, producer %u: out of order", (unsigned)k,
                             (unsigned)from);
            last[from] = id;
        }
    }
    ck_assert_uint_eq(sum, SHUFFLE_PRODUCERS * job.n_each);
}

START_TEST(all_arrive_exactly_once_at_every_depth)
{
    struct mw_cluster *c = open_with(&mw_backend_emul, depths[_i]);
    make_job(1 + (uint64_t)_i, all_of_each());
    ck_assert_int_eq(
        mw_emul_watch(c, out, sizeof *out * SHUFFLE_CONSUMERS * ROOM, ROOM * sizeof *out),
        MW_OK);
    must_run(&mw_backend_emul, c, shuffle_kernel, &job);
    check_job();
}
END_TEST

START_TEST(threads_agree)
{
    struct mw_cluster *c = open_with(&mw_backend_emul_threads, depths[_i]);
    make_job(7, 160);
    must_run(&mw_backend_emul_threads, c, shuffle_kernel, &job);
    check_job();
}
END_TEST

START_TEST(two_runs_are_the_same_run)
{
    struct mw_emul_counters n[2][64];
    uint64_t now[2];
    memset(n, 0, sizeof n);
    for (int k = 0; k < 2; k++) {
        struct mw_cluster *c = open_with(&mw_backend_emul, depths[_i]);
        make_job(5, 800);
        must_run(&mw_backend_emul, c, shuffle_kernel, &job);
        now[k] = mw_emul_now(c);
        for (uint32_t i = 0; i < 64; i++) {
            mw_emul_count(c, i, &n[k][i]);
            n[k][i].stack_bytes = 0;
        }
        close_all();
    }
    ck_assert_uint_eq(now[0], now[1]);
    ck_assert_mem_eq(n[0], n[1], sizeof n[0]);
}
END_TEST

/* Slices of time do not change what happens. */
START_TEST(polls_do_not_matter)
{
    uint64_t now[2];
    for (int k = 0; k < 2; k++) {
        struct mw_cluster *c =
            open_with(&mw_backend_emul, k == 0 ? "poll_cycles=7" : "poll_cycles=100000");
        make_job(5, 160);
        mw_backend_emul.launch(c, shuffle_kernel, &job);
        while (mw_backend_emul.poll(c) == MW_AGAIN)
            ;
        ck_assert_ptr_null(mw_emul_report(c));
        check_job();
        now[k] = mw_emul_now(c);
        close_all();
    }
    ck_assert_uint_eq(now[0], now[1]);
}
END_TEST

START_TEST(four_clusters_share_a_clock)
{
    struct mw_cluster *c[4];
    uint64_t alone;
    c[0] = open_with(&mw_backend_emul, depths[0]);
    make_job(5, 160);
    must_run(&mw_backend_emul, c[0], shuffle_kernel, &job);
    alone = mw_emul_now(c[0]);
    close_all();
    struct shuffle_job jobs[4];
    void *memory[4];
    for (int k = 0; k < 4; k++) {
        c[k] = open_with(&mw_backend_emul, depths[0]);
        jobs[k] = job;
        memory[k] = mw_alloc("out", SHUFFLE_CONSUMERS * ROOM + 4, sizeof *out);
        jobs[k].out = on_a_line(memory[k]);
        jobs[k].n_out = mw_alloc("n_out", SHUFFLE_CONSUMERS * 16, sizeof *n_out);
        mw_backend_emul.launch(c[k], shuffle_kernel, &jobs[k]);
    }
    for (int k = 0; k < 4; k++) {
        while (mw_backend_emul.poll(c[k]) == MW_AGAIN)
            ;
        ck_assert_ptr_null(mw_emul_report(c[k]));
        ck_assert_uint_gt(mw_emul_now(c[k]) + 2000, alone);
        ck_assert_uint_lt(mw_emul_now(c[k]), alone + 2000);
        memcpy(n_out, jobs[k].n_out, sizeof *n_out * SHUFFLE_CONSUMERS * 16);
        memcpy(out, jobs[k].out, sizeof *out * SHUFFLE_CONSUMERS * ROOM);
        check_job();
        mw_free(memory[k]);
        mw_free(jobs[k].n_out);
    }
}
END_TEST

/* B5 of the paper's claims, modelled: 10 GB/s with t_r of 32 cycles is a fit. */
START_TEST(modelled_shuffle_rate_is_ten_gigabytes)
{
    struct mw_cluster *c = open_with(&mw_backend_emul, "");
    make_job(1, 3200);
    job.route = 30; /* and 2 of the emulation: await, get, put */
    must_run(&mw_backend_emul, c, shuffle_kernel, &job);
    const double rate =
        (double)SHUFFLE_PRODUCERS * 3200 * sizeof *in / ((double)mw_emul_now(c) / 1.45e9);
    ck_assert_msg(rate > 8e9 && rate < 12e9, "modelled %.2f GB/s", rate * 1e-9);
}
END_TEST

START_TEST(naive_any_to_any_deadlocks)
{
    uint32_t times_each = 64;
    struct mw_cluster *c = open_with(&mw_backend_emul, depths[_i]);
    mw_backend_emul.run(c, naive_xy_kernel, &times_each);
    const struct mw_emul_report *const r = mw_emul_report(c);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->mistake, MW_EMUL_DEADLOCK);
    ck_assert_int_eq(mw_backend_emul.poll(c), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "deadlock"));
    ck_assert_msg(strstr(mw_error_text(), "a cycle of") != NULL, "%s", mw_error_text());
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "emul_shuffle.c:"));
}
END_TEST

/* ... and that buffers can hide: the program itself is right. */
START_TEST(naive_any_to_any_ends_while_buffers_are_deep)
{
    uint32_t times_each = 1;
    struct mw_cluster *c = open_with(&mw_backend_emul, "recv_depth=64,send_depth=64");
    must_run(&mw_backend_emul, c, naive_xy_kernel, &times_each);
}
END_TEST

START_TEST(threads_find_the_deadlock_too)
{
    uint32_t times_each = 64;
    struct mw_cluster *c = open_with(&mw_backend_emul_threads, depths[_i]);
    mw_backend_emul_threads.run(c, naive_xy_kernel, &times_each);
    const struct mw_emul_report *const r = mw_emul_report(c);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->mistake, MW_EMUL_DEADLOCK);
}
END_TEST

int main(void)
{
    const int n_alone = UNDER_TSAN ? 1 : N_DEPTHS; /* without threads */
    Suite *s = suite_create("emul_shuffle");
    TCase *t = tcase_create("shuffle");
    void *const in_memory = mw_alloc("in", N + 4, sizeof *in);
    void *const out_memory = mw_alloc("out", SHUFFLE_CONSUMERS * ROOM + 4, sizeof *out);
    in = on_a_line(in_memory);
    out = on_a_line(out_memory);
    n_out = mw_alloc("n_out", SHUFFLE_CONSUMERS * 16, sizeof *n_out);
    times = mw_alloc("times", N, 1);
    tcase_add_loop_test(t, all_arrive_exactly_once_at_every_depth, 0, n_alone);
    tcase_add_loop_test(t, threads_agree, 0, N_DEPTHS);
    tcase_add_loop_test(t, two_runs_are_the_same_run, 0, n_alone);
    tcase_add_test(t, polls_do_not_matter);
    tcase_add_test(t, four_clusters_share_a_clock);
    tcase_add_test(t, modelled_shuffle_rate_is_ten_gigabytes);
    tcase_add_loop_test(t, naive_any_to_any_deadlocks, 0, n_alone);
    tcase_add_test(t, naive_any_to_any_ends_while_buffers_are_deep);
    tcase_add_loop_test(t, threads_find_the_deadlock_too, 0, 2);
    const int rc = run_tests(s, t);
    mw_free(in_memory);
    mw_free(out_memory);
    mw_free(n_out);
    mw_free(times);
    return rc;
}
