/* mpi_bfs.c -- the searches of test_bfs.c between processes: direct and relay, on one host
 * and on pretended ones, with and without threads.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bfs_body.h"
#include "mpi_body.h"

START_TEST(every_shape_is_searched_right)
{
    struct sample s = sample_shape((enum shape)_i);
    struct searches q;
    if ((_i + (int)mpi_size) % 2)
        sample_direct(&s);
    searches_init(&q, &s, 2, (uint64_t)_i);
    q.rule.policy = (enum mw_direction_policy)(_i % 3);
    /* Many ranks on few cores mostly wait for each other: one width a shape. */
    const uint32_t first = mpi_size > 2 ? 1 + (uint32_t)_i % 3 : 1;
    const uint32_t last = mpi_size > 2 ? first : mpi_size;
    for (uint32_t width = first; width <= last; width++) {
        q.rule.form = (enum mw_level_form)((width + (uint32_t)_i / 3) % 3);
        q.rule.hubs[MW_BOTTOM_UP] = (int)width - 2;
        must_run_by_mpi(search_and_check, &q, width, width % 3, (uint32_t)_i % 3);
    }
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_are_searched_right)
{
    struct sample s = sample_kronecker(10);
    struct searches q;
    if (_i == 1)
        sample_direct(&s);
    searches_init(&q, &s, 4, (uint64_t)_i);
    q.rule.policy = (enum mw_direction_policy)(_i % 3);
    for (uint32_t per_host = 0; per_host <= 3; per_host += mpi_size > 4 ? 2 : 1)
        must_run_by_mpi(search_and_check, &q, 1 + (uint32_t)_i % mpi_size,
                        (uint32_t)_i % 3, per_host);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(messages_find_the_same_levels)
{
    static const int hubs[][2] = {{MW_HUBS_OFF, MW_HUBS_OFF}, {2, 4}, {12, 14}};
    struct sample s = sample_kronecker(10);
    struct searches q;
    searches_init(&q, &s, 2, (uint64_t)_i);
    q.rule.form = MW_FORM_MESSAGES;
    memcpy(q.rule.hubs, hubs[_i], sizeof hubs[_i]);
    for (uint32_t width = 1; width <= mpi_size && width <= 4; width += 1 + mpi_size / 5) {
        q.rule.policy = width < 3 ? MW_DIRECTION_BOTTOM_UP : MW_DIRECTION_AUTO;
        must_run_by_mpi(search_and_check, &q, width, (uint32_t)_i % 2, width % 3);
    }
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* Every coding by either route, on hosts of one and of two ranks. */
START_TEST(coded_batches_are_searched_right)
{
    struct sample s = sample_kronecker(9);
    struct searches q;
    compress = _i % 2 ? MW_COMPRESS_VBYTE : MW_COMPRESS_PACKED;
    searches_init(&q, &s, 2, (uint64_t)_i);
    q.rule.form = MW_FORM_MESSAGES;
    q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = MW_HUBS_OFF;
    must_run_by_mpi(search_and_check, &q, 1 + (uint32_t)_i / 2, (uint32_t)_i % 3,
                    1 + (uint32_t)_i / 2);
    compress = MW_COMPRESS_AUTO;
    searches_free(&q);
    sample_free(&s);
}
END_TEST

int main(int argc, char **argv)
{
    struct mw_comm *const comm = start_by_mpi(&argc, &argv);
    Suite *s = suite_create("mpi_bfs");
    TCase *t = tcase_create("search");
    /* With more ranks than cores mostly one rank has the core that another waits for. */
    const bool many = mpi_size > 3;
    tcase_add_loop_test(t, every_shape_is_searched_right, many ? SHAPES - 5 : 0, SHAPES);
    tcase_add_loop_test(t, kronecker_graphs_are_searched_right, many ? 1 : 0, 3);
    tcase_add_loop_test(t, messages_find_the_same_levels, many ? 1 : 0, many ? 2 : 3);
    if (mpi_size > 1 && mpi_size <= 4)
        tcase_add_loop_test(t, coded_batches_are_searched_right, 0, 4);
    suite_add_tcase(s, t);
    return run_suite_on_all(s, comm);
}
