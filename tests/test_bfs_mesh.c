/* test_bfs_mesh.c -- random graphs on emulated cores and on host threads: 200, and a thousand
 * with MW_TEST_LONG.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bfs_clusters.h"

#include <unistd.h>

enum { AT_A_TIME = 20 };

START_TEST(mesh_and_host_find_the_same_levels)
{
    static const char *const both[] = {"emul", "openmp", NULL};
    for (uint64_t k = 0; k < AT_A_TIME; k++)
        must_search_in_clusters(both, false, 1, (uint64_t)_i * AT_A_TIME + k);
}
END_TEST

START_TEST(so_does_the_management_core_next_to_a_mesh)
{
    static const char *const mesh[] = {"emul", NULL};
    for (uint64_t k = 0; k < AT_A_TIME; k++)
        must_search_in_clusters(mesh, true, 1, (uint64_t)_i * AT_A_TIME + k + 5000);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bfs_mesh");
    TCase *t = tcase_create("random graphs");
    tcase_add_loop_test(t, mesh_and_host_find_the_same_levels, 0,
                        how_many(1000, 200, 40) / AT_A_TIME);
    tcase_add_loop_test(t, so_does_the_management_core_next_to_a_mesh, 0, 2);
    suite_add_tcase(s, t);
    return run_suite(s);
}
