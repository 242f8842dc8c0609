/* test_plan.c -- the preflight adds up, grows where it must, and never wraps.
 *
 * That its prediction is true is tests/check_plan.sh's business: it needs a run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/plan.h"
#include "suite.h"

#include <string.h>

static struct mw_world_conf world;

static struct mw_plan plan_for(uint32_t scale, uint32_t n_ranks, bool validate)
{
    struct mw_plan p;
    const struct mw_plan_conf conf = {.n_vertices = UINT64_C(1) << scale,
                                      .n_edges = UINT64_C(16) << scale,
                                      .kronecker = true,
                                      .n_ranks = n_ranks,
                                      .n_hosts = 1,
                                      .world = &world,
                                      .validate = validate};
    ck_assert_int_eq(mw_plan_make(&conf, &p), MW_OK);
    return p;
}

static uint64_t sum(const struct mw_plan *p, const char *phase)
{
    uint64_t n = 0;
    for (uint32_t i = 0; i < p->n_rows; i++)
        n += strcmp(p->row[i].phase, phase) == 0 ? p->row[i].bytes : 0;
    return n;
}

START_TEST(the_peak_is_what_stays_and_the_larger_phase)
{
    const struct mw_plan p = plan_for(20, 2, true);
    const uint64_t construct = sum(&p, "construct"), search = sum(&p, "search");
    ck_assert_uint_gt(construct, 0);
    ck_assert_uint_gt(search, 0);
    ck_assert_uint_eq(p.peak_bytes,
                      sum(&p, "always") + (construct > search ? construct : search));
}
END_TEST

START_TEST(a_scale_more_is_twice_the_memory)
{
    const uint64_t a = plan_for(24, 1, true).peak_bytes,
                   b = plan_for(25, 1, true).peak_bytes;
    ck_assert_uint_gt(b, a / 100 * 185);
    ck_assert_uint_lt(b, a / 100 * 215);
}
END_TEST

START_TEST(validation_takes_memory)
{
    const struct mw_plan with = plan_for(20, 1, true), without = plan_for(20, 1, false);
    ck_assert_uint_gt(sum(&with, "search"), sum(&without, "search"));
}
END_TEST

START_TEST(beyond_32_bits_columns_are_wide)
{
    ck_assert(!plan_for(30, 1, true).wide);
    ck_assert(plan_for(32, 64, true).wide);
}
END_TEST

START_TEST(the_largest_sizes_do_not_wrap)
{
    for (uint32_t scale = 40; scale <= 60; scale++)
        ck_assert_uint_ge(plan_for(scale, 1, true).peak_bytes,
                          UINT64_C(100) << scale >> 20);
    ck_assert_uint_gt(plan_for(60, 1, true).peak_bytes, UINT64_C(1) << 62);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("plan");
    TCase *t = tcase_create("plan");
    tcase_add_test(t, the_peak_is_what_stays_and_the_larger_phase);
    tcase_add_test(t, a_scale_more_is_twice_the_memory);
    tcase_add_test(t, validation_takes_memory);
    tcase_add_test(t, beyond_32_bits_columns_are_wide);
    tcase_add_test(t, the_largest_sizes_do_not_wrap);
    suite_add_tcase(s, t);
    return run_suite(s);
}
