/* mpi_sssp.c -- the paths of test_sssp.c between processes: direct and relay, on one host and on
 * pretended ones, with and without threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpi_suite.h"
#include "sssp_body.h"

static uint32_t size;
static enum mw_compress compress;

static void must_find(struct pathing *p, uint32_t width, uint32_t threads,
                      uint32_t per_host)
{
    struct ranks r = {.loop = {size, per_host, 0}, .body = find_paths, .arg = p};
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

START_TEST(every_weighing_has_its_paths)
{
    struct sample s = sample_shape((enum shape)(_i % SHAPES));
    struct pathing p;
    pathing_init(&p, &s, (enum weighing)(_i % WEIGHINGS), s.n / 2);
    p.rule.unpruned = _i % 3 == 0;
    must_find(&p, 1 + (uint32_t)_i % (uint32_t)mw_min(size, 3), (uint32_t)_i % 3, 0);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Pruned: who is left out is told on every host. */
START_TEST(kronecker_graphs_have_their_paths)
{
    struct sample s = sample_kronecker(9);
    struct pathing p;
    compress = _i == 3 ? MW_COMPRESS_VBYTE : MW_COMPRESS_AUTO;
    pathing_init(&p, &s, UNIFORM, s.edge[0][0]);
    must_find(&p, 1 + (uint32_t)_i % size, (uint32_t)_i % 3, (uint32_t)_i % 3);
    compress = MW_COMPRESS_AUTO;
    pathing_free(&p);
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
    Suite *s = suite_create("mpi_sssp");
    TCase *t = tcase_create("paths");
    tcase_add_loop_test(t, every_weighing_has_its_paths, 0, size > 3 ? 4 : WEIGHINGS);
    tcase_add_loop_test(t, kronecker_graphs_have_their_paths, 0, 4);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
