/* mpi_comm.c -- the communicator over MPI: the same body as test_comm.c, whole and with
 * counts limited to a few bytes, on real and on pretended hosts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/resident.h"
#include "comm_body.h"
#include "mpe/comm_mpi.h"
#include "mpi_suite.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <sys/resource.h>

static struct mw_comm *comm;

static void run_body(struct mw_comm *c, const char *what, uint64_t k)
{
    const uint64_t before = mw_mem_in_use();
    const int rc = mw_comm_agree(c, comm_body(c, NULL));
    ck_assert_msg(rc == MW_OK, "%s %u: %s", what, (unsigned)k, mw_error_text());
    ck_assert_uint_eq(mw_mem_in_use(), before);
}

START_TEST(collectives_hold)
{
    run_body(comm, "whole", 0);
}
END_TEST

START_TEST(pieces_make_the_whole)
{
    static const uint64_t limit[] = {1, 7, 100};
    mw_comm_mpi_count_limit(limit[_i]);
    const int rc = comm_body(comm, NULL);
    mw_comm_mpi_count_limit(0);
    ck_assert_msg(mw_comm_agree(comm, rc) == MW_OK, "limit %u: %s", (unsigned)limit[_i],
                  mw_error_text());
}
END_TEST

START_TEST(pretended_hosts_split_the_real_one)
{
    struct mw_comm *c;
    const uint32_t per_host = (uint32_t)_i;
    ck_assert_int_eq(mw_mpi_start(NULL, NULL, per_host, &c), MW_OK);
    ck_assert_uint_eq(c->n_hosts, (c->size + per_host - 1) / per_host);
    ck_assert_uint_eq(c->host, c->rank / per_host);
    run_body(c, "ranks per host", per_host);
    mw_comm_close(c);
}
END_TEST

/* The system counts what others have here too; a peak of ours has this rank's part only. */
START_TEST(what_is_shared_counts_once)
{
    const uint64_t mib = 1 << 20, part = 4 * mib, own = 64 * mib;
    const uint64_t bytes = comm->host_size * part;
    struct rusage usage;
    void *p = NULL;
    ck_good(mw_comm_host_alloc(comm, "touched by all", bytes, &p));
    memset(p, 1, bytes);
    char *const block = mw_alloc("for a new peak", own, 1);
    MUST(block != NULL);
    memset(block, 1, own);
    mw_free(block);
    mw_comm_host_free(comm, p);
    MUST(getrusage(RUSAGE_SELF, &usage) == 0);
    const uint64_t others = (uint64_t)usage.ru_maxrss * 1024 - mw_resident_peak();
    MUST(mw_resident_peak() > own + part);
    MUST(others <= bytes - part + mib && others + mib >= bytes - part);
}
END_TEST

START_TEST(too_much_shared_memory_is_an_error_on_every_rank)
{
    static const uint64_t bytes[] = {UINT64_MAX, UINT64_C(1) << 46};
    void *p = NULL;
    if (_i > 0 && comm->host_size == 1)
        return; /* plain memory, which the system promises without having it */
    ck_assert_int_eq(mw_comm_host_alloc(comm, "the impossible", bytes[_i], &p),
                     MW_ERR_NOMEM);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "the impossible"));
    ck_assert_ptr_null(p);
}
END_TEST

/* Large enough for a part of each rank, and not a whole number of anything. */
START_TEST(all_ranks_of_a_host_see_all_parts)
{
    const uint64_t n = comm->host_size * UINT64_C(300007) + 5;
    void *p[2];
    for (int k = 0; k < 2; k++)
        ck_good(mw_comm_host_alloc(comm, "numbers", n * sizeof(uint64_t), &p[k]));
    uint64_t *const a = p[0], *const b = p[1];
    for (uint64_t i = 0; i < n; i++)
        MUST(a[i] == 0 && b[i] == 0);
    ck_good(mw_comm_host_barrier(comm));
    for (uint64_t i = comm->host_rank; i < n; i += comm->host_size) {
        a[i] = i;
        b[n - 1 - i] = i * i;
    }
    ck_good(mw_comm_host_barrier(comm));
    for (uint64_t i = 0; i < n; i++)
        MUST(a[i] == i && b[n - 1 - i] == i * i);
    mw_comm_host_free(comm, a);
    mw_comm_host_free(comm, b);
}
END_TEST

START_TEST(memory_that_fails_on_one_rank_fails_on_all)
{
    uint64_t out[64] = {0}, in[64];
    void *recv = NULL;
    ck_assert_uint_le(comm->size, 64);
    if (comm->rank == comm->size - 1)
        mw_mem_fail_at(1);
    const int rc = mw_comm_exchange(comm, NULL, out, &recv, in);
    mw_mem_fail_at(0);
    ck_assert_int_eq(rc, MW_ERR_NOMEM);
    ck_assert_ptr_null(recv);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "exchange"));
}
END_TEST

START_TEST(handle_and_version_are_there)
{
    ck_assert(mw_comm_is_mpi(comm));
    ck_assert_ptr_nonnull(mw_comm_mpi_handle(comm));
    ck_assert_uint_gt(strlen(mw_mpi_version()), 0);
    ck_assert_ptr_null(strchr(mw_mpi_version(), '\n'));
}
END_TEST

int main(int argc, char **argv)
{
    if (mw_mpi_start(&argc, &argv, 0, &comm) != MW_OK)
        mw_mpi_abort(EXIT_FAILURE);
    Suite *s = suite_create("mpi_comm");
    TCase *t = tcase_create("mpi");
    tcase_add_test(t, collectives_hold);
    tcase_add_loop_test(t, pieces_make_the_whole, 0, 3);
    tcase_add_loop_test(t, pretended_hosts_split_the_real_one, 1, 4);
    tcase_add_test(t, what_is_shared_counts_once);
    tcase_add_loop_test(t, too_much_shared_memory_is_an_error_on_every_rank, 0, 2);
    tcase_add_test(t, memory_that_fails_on_one_rank_fails_on_all);
    tcase_add_test(t, all_ranks_of_a_host_see_all_parts);
    tcase_add_test(t, handle_and_version_are_there);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
