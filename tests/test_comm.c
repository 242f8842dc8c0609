/* test_comm.c -- the communicator of threads, and what it does with ranks that fail.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "comm_body.h"
#include "mpe/comm_loop.h"
#include "mpe/launcher.h"
#include "suite.h"

#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MAX_RANKS = 9 };

static struct mw_loop_conf conf_of(int n_ranks, uint32_t ranks_per_host, uint64_t seed)
{
    return (struct mw_loop_conf){(uint32_t)n_ranks, ranks_per_host, seed};
}

static void run_body(const struct mw_loop_conf *conf)
{
    const uint64_t before = mw_mem_in_use();
    const int rc = mw_loop_run(conf, comm_body, NULL);
    ck_assert_msg(rc == MW_OK, "%u ranks, %u per host, seed %u: %s", conf->n_ranks,
                  conf->ranks_per_host, (unsigned)conf->seed, mw_error_text());
    ck_assert_uint_eq(mw_mem_in_use(), before);
}

START_TEST(collectives_hold_on_one_host)
{
    const struct mw_loop_conf conf = conf_of(_i, 0, 0);
    run_body(&conf);
}
END_TEST

START_TEST(collectives_hold_on_several_hosts)
{
    for (uint32_t per_host = 1; per_host <= 4; per_host++) {
        const struct mw_loop_conf conf = conf_of(_i, per_host, 0);
        run_body(&conf);
    }
}
END_TEST

START_TEST(delays_change_nothing)
{
    for (uint64_t seed = 1; seed <= 3; seed++) {
        const struct mw_loop_conf conf = conf_of(_i, 3, seed);
        run_body(&conf);
    }
}
END_TEST

static uint32_t n_untold; /* ranks that do not learn why */

/* Rank `arg` leaves after a few collectives; the others go on for ever. */
static int one_leaves(struct mw_comm *c, void *arg)
{
    int rc = MW_OK;
    uint64_t value = 1;
    const uint32_t who = *(const uint32_t *)arg;
    for (int i = 0; rc == MW_OK; i++) {
        if (c->rank == who && i == 3)
            return mw_fail(MW_ERR_NOMEM, "no more on rank %u", who);
        rc = i % 2 == 0 ? mw_comm_sum(c, &value, 1) : mw_comm_host_barrier(c);
    }
    const bool told = rc == MW_ERR_INTERNAL &&
                      strstr(mw_error_text(), "has left: ") != NULL &&
                      strstr(mw_error_text(), "no more on rank") != NULL;
    __atomic_fetch_add(&n_untold, !told, __ATOMIC_RELAXED);
    return rc;
}

START_TEST(failing_rank_does_not_hang_the_others)
{
    n_untold = 0;
    for (uint32_t who = 0; who < (uint32_t)_i; who++)
        for (uint32_t per_host = 0; per_host < 3; per_host++) {
            const struct mw_loop_conf conf = conf_of(_i, per_host, who);
            ck_assert_int_eq(mw_loop_run(&conf, one_leaves, &who), MW_ERR_NOMEM);
            ck_assert_ptr_nonnull(strstr(mw_error_text(), "no more on rank"));
        }
    ck_assert_uint_eq(n_untold, 0);
}
END_TEST

static int one_leaves_content(struct mw_comm *c, void *arg)
{
    (void)arg;
    return c->rank == 0 ? MW_OK : mw_comm_barrier(c);
}

START_TEST(missing_rank_is_an_error_too)
{
    const struct mw_loop_conf conf = conf_of(3, 0, 0);
    ck_assert_int_eq(mw_loop_run(&conf, one_leaves_content, NULL), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "rank 0 has left: it was done"));
}
END_TEST

static int one_is_polled_for(struct mw_comm *c, void *arg)
{
    int rc;
    (void)arg;
    if (c->rank == 1)
        return mw_fail(MW_ERR_IO, "cannot send");
    while ((rc = mw_comm_loop_check(c)) == MW_OK)
        sched_yield();
    return rc;
}

START_TEST(polling_rank_learns_of_a_failure)
{
    const struct mw_loop_conf conf = conf_of(3, 0, 0);
    ck_assert_int_eq(mw_loop_run(&conf, one_is_polled_for, NULL), MW_ERR_IO);
    ck_assert_str_eq(mw_error_text(), "cannot send");
}
END_TEST

static int calls_differ(struct mw_comm *c, void *arg)
{
    uint64_t value[2] = {0, 0};
    const bool sizes = *(const bool *)arg;
    if (sizes)
        return mw_comm_sum(c, value, 1 + c->rank % 2);
    return c->rank == 1 ? mw_comm_sum(c, value, 2) : mw_comm_barrier(c);
}

START_TEST(different_calls_are_told_apart)
{
    const struct mw_loop_conf conf = conf_of(3, 0, 0);
    bool sizes = false;
    ck_assert_int_eq(mw_loop_run(&conf, calls_differ, &sizes), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "rank 0 calls barrier"));
    sizes = true;
    ck_assert_int_eq(mw_loop_run(&conf, calls_differ, &sizes), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "but rank 1 reduce (size 2"));
}
END_TEST

static int exchanges_and_shares(struct mw_comm *c, void *arg)
{
    int rc;
    uint64_t out[MAX_RANKS], in[MAX_RANKS];
    void *recv = NULL, *memory = NULL;
    static const char data[4 * MAX_RANKS];
    (void)arg;
    for (uint32_t r = 0; r < c->size; r++)
        out[r] = 4;
    MW_TRY(rc, mw_comm_exchange(c, data, out, &recv, in));
    MW_TRY(rc, mw_comm_host_alloc(c, "words", 100, &memory));
    mw_comm_host_free(c, memory);
end:
    mw_free(recv);
    return rc;
}

START_TEST(every_allocation_may_fail)
{
    const struct mw_loop_conf conf = conf_of(_i, 0, 0);
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM, n = 0;
    while (rc != MW_OK) {
        mw_mem_fail_at((uint64_t)++n);
        rc = mw_loop_run(&conf, exchanges_and_shares, NULL);
        mw_mem_fail_at(0);
        ck_assert_msg(rc == MW_OK || rc == MW_ERR_NOMEM, "call %d: %d, %s", n, rc,
                      mw_error_text());
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    ck_assert_int_gt(n, _i);
}
END_TEST

START_TEST(no_ranks_are_refused)
{
    const struct mw_loop_conf conf = conf_of(0, 0, 0);
    ck_assert_int_eq(mw_loop_run(&conf, comm_body, NULL), MW_ERR_USAGE);
}
END_TEST

START_TEST(foreign_launcher_is_noticed)
{
    ck_assert_int_eq(mw_launcher_check(1), MW_OK);
    setenv("OMPI_COMM_WORLD_SIZE", "4", 1);
    ck_assert_int_eq(mw_launcher_check(4), MW_OK);
    ck_assert_int_eq(mw_launcher_check(1), MW_ERR_UNAVAILABLE);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "OMPI_COMM_WORLD_SIZE says 4"));
    unsetenv("OMPI_COMM_WORLD_SIZE");
}
END_TEST

/* A launcher that is slow: who leaves waits until it has read what was said. */
START_TEST(what_was_said_is_read_before_a_rank_leaves)
{
    int pipe_of[2], status;
    char said[8];
    ck_assert_int_eq(pipe(pipe_of), 0);
    const pid_t rank = fork();
    ck_assert_int_ge(rank, 0);
    if (rank == 0) {
        const bool written = write(pipe_of[1], "why", 3) == 3;
        mw_launcher_let_read(pipe_of[1]);
        _Exit(written ? 7 : 8);
    }
    close(pipe_of[1]);
    for (int i = 0; i < 30; i++) { /* 0.3 s of the few that it waits */
        nanosleep(&(struct timespec){.tv_nsec = 10000000}, NULL);
        ck_assert_int_eq(waitpid(rank, &status, WNOHANG), 0);
    }
    ck_assert_int_eq(read(pipe_of[0], said, sizeof said), 3);
    ck_assert_int_eq(waitpid(rank, &status, 0), rank);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 7);
    close(pipe_of[0]);
}
END_TEST

static pid_t leaves_on(int wire)
{
    char number[16];
    const pid_t rank = fork();
    ck_assert_int_ge(rank, 0);
    if (rank == 0) {
        snprintf(number, sizeof number, "%d", wire);
        setenv("PMI_FD", number, 1);
        mw_launcher_leave();
        _Exit(7);
    }
    return rank;
}

static void is_through(pid_t rank)
{
    int status;
    ck_assert_int_eq(waitpid(rank, &status, 0), rank);
    ck_assert(WIFEXITED(status));
    ck_assert_int_eq(WEXITSTATUS(status), 7);
}

/* Hydra's wire: who leaves says so and waits for the answer, and is stopped by nothing. */
START_TEST(launcher_is_told_of_the_end)
{
    static const char answer[] = "cmd=finalize_ack\n";
    char said[64] = "";
    int status, wire[2];
    ck_assert_int_eq(socketpair(AF_UNIX, SOCK_STREAM, 0, wire), 0);
    pid_t rank = leaves_on(wire[1]);
    ck_assert_int_eq(read(wire[0], said, sizeof said), 13);
    ck_assert_str_eq(said, "cmd=finalize\n");
    nanosleep(&(struct timespec){.tv_nsec = 50000000}, NULL);
    ck_assert_int_eq(waitpid(rank, &status, WNOHANG), 0);
    ck_assert_int_eq(write(wire[0], answer, sizeof answer - 1), sizeof answer - 1);
    is_through(rank);
    close(wire[0]);
    is_through(leaves_on(wire[1])); /* nobody is there */
    close(wire[1]);
    is_through(leaves_on(wire[1])); /* no wire at all */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("comm");
    TCase *good = tcase_create("good"), *bad = tcase_create("bad");
    tcase_add_loop_test(good, collectives_hold_on_one_host, 1, MAX_RANKS + 1);
    tcase_add_loop_test(good, collectives_hold_on_several_hosts, 1, MAX_RANKS + 1);
    tcase_add_loop_test(good, delays_change_nothing, 1, MAX_RANKS + 1);
    tcase_add_loop_test(bad, failing_rank_does_not_hang_the_others, 2, 6);
    tcase_add_test(bad, missing_rank_is_an_error_too);
    tcase_add_test(bad, polling_rank_learns_of_a_failure);
    tcase_add_test(bad, different_calls_are_told_apart);
    tcase_add_loop_test(bad, every_allocation_may_fail, 1, 5);
    tcase_add_test(bad, no_ranks_are_refused);
    tcase_add_test(bad, foreign_launcher_is_noticed);
    tcase_add_test(bad, what_was_said_is_read_before_a_rank_leaves);
    tcase_add_test(bad, launcher_is_told_of_the_end);
    suite_add_tcase(s, good);
    suite_add_tcase(s, bad);

    return run_suite(s);
}
