/* mpi_async.c -- the runs of test_async.c between processes, each of which is stopped and goes on again at
 * times that are drawn: who is stopped has joined a sum, or has not, and batches wait for it meanwhile.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "async_body.h"
#include "mpi_body.h"

#include <signal.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

static void sleep_us(uint64_t us)
{
    const struct timespec t = {(time_t)(us / 1000000), (long)(us % 1000000 * 1000)};
    nanosleep(&t, NULL);
}

/* A process beside this one, before there is MPI; it ends with it. */
static void start_stopping(void)
{
    const pid_t rank = getpid();
    uint64_t dice = mixed((uint64_t)rank);
    if (fork() != 0)
        return;
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    while (getppid() == rank) {
        sleep_us(drawn(&dice, 20000));
        kill(rank, SIGSTOP);
        sleep_us(drawn(&dice, 4000));
        kill(rank, SIGCONT);
    }
    _exit(0);
}

/* Two hundred as a rule, of all numbers of ranks; five hundred of each with MW_TEST_LONG. */
START_TEST(stopped_ranks_end_right)
{
    struct sample s = _i % 2 == 0 ? sample_grid(12, 9 + (uint64_t)_i, (uint64_t)_i)
                                  : sample_random((uint64_t)_i);
    struct asynchrony a;
    asynchrony_init(&a, &s, (uint64_t)_i, 5);
    must_run_by_mpi(run_all_async, &a, 1 + (uint32_t)_i % (uint32_t)mw_min(mpi_size, 3),
                    (uint32_t)_i % 3, (uint32_t)_i % 2);
    asynchrony_free(&a);
    sample_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    start_stopping();
    struct mw_comm *const comm = start_by_mpi(&argc, &argv);
    Suite *s = suite_create("mpi_async");
    TCase *t = tcase_create("runs");
    tcase_add_loop_test(t, stopped_ranks_end_right, 0,
                        how_many(25, mpi_size > 2 ? 2 : 5, 2));
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
