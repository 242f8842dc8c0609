/* test_comm_single.c -- the communicator of a build without MPI: the same body.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "comm_body.h"
#include "mpe/comm_mpi.h"
#include "suite.h"

#include <stdlib.h>

START_TEST(one_rank_keeps_all_promises)
{
    struct mw_comm *c;
    const uint64_t before = mw_mem_in_use();
    ck_assert_int_eq(mw_mpi_start(NULL, NULL, 0, &c), MW_OK);
    ck_assert_uint_eq(c->size, 1);
    ck_assert(!mw_comm_is_mpi(c));
    ck_assert_ptr_null(mw_comm_mpi_handle(c));
    ck_assert_msg(comm_body(c, NULL) == MW_OK, "%s", mw_error_text());
    mw_mpi_finish(c);
    ck_assert_uint_eq(mw_mem_in_use(), before);
}
END_TEST

START_TEST(launcher_of_several_is_refused)
{
    struct mw_comm *c = NULL;
    setenv("PMI_SIZE", "2", 1);
    ck_assert_int_eq(mw_mpi_start(NULL, NULL, 0, &c), MW_ERR_UNAVAILABLE);
    unsetenv("PMI_SIZE");
    ck_assert_ptr_null(c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("comm_single");
    TCase *t = tcase_create("single");
    tcase_add_test(t, one_rank_keeps_all_promises);
    tcase_add_test(t, launcher_of_several_is_refused);
    suite_add_tcase(s, t);

    return run_suite(s);
}
