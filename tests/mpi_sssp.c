/* mpi_sssp.c -- the paths of test_sssp.c between processes: direct and relay, on one host and on
 * pretended ones, with and without threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpi_body.h"
#include "sssp_body.h"

START_TEST(every_weighing_has_its_paths)
{
    struct sample s = sample_shape((enum shape)(_i % SHAPES));
    struct pathing p;
    pathing_init(&p, &s, (enum weighing)(_i % WEIGHINGS), s.n / 2);
    p.rule.unpruned = _i % 3 == 0;
    must_run_by_mpi(find_paths, &p, 1 + (uint32_t)_i % (uint32_t)mw_min(mpi_size, 3),
                    (uint32_t)_i % 3, 0);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Pruned: who is left out is told on every host. Else rows are by weight, and ranks of a host pull. */
START_TEST(kronecker_graphs_have_their_paths)
{
    struct sample s = sample_kronecker(10);
    struct pathing p;
    compress = _i == 3 ? MW_COMPRESS_VBYTE : MW_COMPRESS_AUTO;
    pathing_init(&p, &s, UNIFORM, s.edge[0][0]);
    p.rule.unpruned = _i >= 4;
    p.builds = _i % 2;
    must_run_by_mpi(find_paths, &p, 1 + (uint32_t)_i % mpi_size, (uint32_t)_i % 3,
                    (uint32_t)_i % 3);
    compress = MW_COMPRESS_AUTO;
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    struct mw_comm *const comm = start_by_mpi(&argc, &argv);
    Suite *s = suite_create("mpi_sssp");
    TCase *t = tcase_create("paths");
    tcase_add_loop_test(t, every_weighing_has_its_paths, 0, mpi_size > 3 ? 4 : WEIGHINGS);
    tcase_add_loop_test(t, kronecker_graphs_have_their_paths, 0, 7);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
