/* mpi_cc.c -- the components of test_cc.c between processes: direct and relay, on one host and
 * on pretended ones, with and without threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cc_body.h"
#include "mpi_body.h"

START_TEST(every_shape_has_its_components)
{
    struct sample s = sample_shape((enum shape)_i);
    struct finding f;
    finding_init(&f, &s);
    f.most_levels = _i % 2 ? UINT32_MAX : 1;
    must_run_by_mpi(find_and_check, &f, 1 + (uint32_t)_i % (uint32_t)mw_min(mpi_size, 3),
                    (uint32_t)_i % 3, (uint32_t)_i % 3);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_have_their_components)
{
    struct sample s = sample_kronecker(10);
    struct finding f;
    finding_init(&f, &s);
    f.most_levels = _i == 0 ? UINT32_MAX : 0;
    must_run_by_mpi(find_and_check, &f, 1 + (uint32_t)_i % mpi_size, (uint32_t)_i % 3,
                    (uint32_t)_i % 3);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

START_TEST(coded_batches_find_components)
{
    struct sample s = sample_kronecker(9);
    struct finding f;
    compress = _i % 2 ? MW_COMPRESS_VBYTE : MW_COMPRESS_PACKED;
    finding_init(&f, &s);
    must_run_by_mpi(find_and_check, &f, 1 + (uint32_t)_i / 2, (uint32_t)_i % 3,
                    1 + (uint32_t)_i / 2);
    compress = MW_COMPRESS_AUTO;
    finding_free(&f);
    sample_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    struct mw_comm *const comm = start_by_mpi(&argc, &argv);
    Suite *s = suite_create("mpi_cc");
    TCase *t = tcase_create("components");
    const bool many = mpi_size > 3;
    tcase_add_loop_test(t, every_shape_has_its_components, many ? SHAPES - 5 : 0, SHAPES);
    tcase_add_loop_test(t, kronecker_graphs_have_their_components, 0, 3);
    if (mpi_size > 1 && mpi_size <= 4)
        tcase_add_loop_test(t, coded_batches_find_components, 0, 4);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
