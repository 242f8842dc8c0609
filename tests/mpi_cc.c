/* mpi_cc.c -- the components of test_cc.c between processes: direct and relay, on one host and
 * on pretended ones, with and without threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cc_body.h"
#include "mpi_suite.h"

static uint32_t size;
static enum mw_compress compress;

static void must_find(struct finding *f, uint32_t width, uint32_t threads,
                      uint32_t per_host)
{
    struct ranks r = {.loop = {size, per_host, 0}, .body = find_and_check, .arg = f};
    struct mw_comm *c;
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.small_input = 1024;
    r.world.batch_bytes = 2048;
    r.world.compress = compress;
    r.world.hang_timeout_s = HANG_S;
    ck_assert_int_eq(mw_mpi_start(NULL, NULL, per_host, &c), MW_OK);
    const int rc = mw_comm_agree(c, one_rank(c, &r));
    ck_assert_msg(rc == MW_OK, "%s: %s", ranks_text(&r), mw_error_text());
    mw_comm_close(c);
}

START_TEST(every_shape_has_its_components)
{
    struct sample s = sample_shape((enum shape)_i);
    struct finding f;
    finding_init(&f, &s);
    f.most_levels = _i % 2 ? UINT32_MAX : 1;
    must_find(&f, 1 + (uint32_t)_i % (uint32_t)mw_min(size, 3), (uint32_t)_i % 3,
              (uint32_t)_i % 3);
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
    must_find(&f, 1 + (uint32_t)_i % size, (uint32_t)_i % 3, (uint32_t)_i % 3);
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
    must_find(&f, 1 + (uint32_t)_i / 2, (uint32_t)_i % 3, 1 + (uint32_t)_i / 2);
    compress = MW_COMPRESS_AUTO;
    finding_free(&f);
    sample_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    struct mw_comm *comm;
    setenv("HWLOC_SYNTHETIC", "core:2 pu:1", 0);
    if (mw_mpi_start(&argc, &argv, 0, &comm) != MW_OK)
        mw_mpi_abort(EXIT_FAILURE);
    size = comm->size;
    Suite *s = suite_create("mpi_cc");
    TCase *t = tcase_create("components");
    const bool many = size > 3;
    tcase_add_loop_test(t, every_shape_has_its_components, many ? SHAPES - 5 : 0, SHAPES);
    tcase_add_loop_test(t, kronecker_graphs_have_their_components, 0, 3);
    if (size > 1 && size <= 4)
        tcase_add_loop_test(t, coded_batches_find_components, 0, 4);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
