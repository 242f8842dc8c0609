/* test_statistics.c -- small samples whose summaries were worked out by hand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/statistics.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>

#define NEAR 1e-12

static void expect(const double *x, size_t n, const double want[7])
{
    struct mw_statistics s;
    ck_assert_int_eq(mw_statistics_of(x, n, &s), MW_OK);
    ck_assert_double_eq_tol(s.min, want[0], NEAR);
    ck_assert_double_eq_tol(s.firstquartile, want[1], NEAR);
    ck_assert_double_eq_tol(s.median, want[2], NEAR);
    ck_assert_double_eq_tol(s.thirdquartile, want[3], NEAR);
    ck_assert_double_eq_tol(s.max, want[4], NEAR);
    ck_assert_double_eq_tol(s.mean, want[5], NEAR);
    ck_assert_double_eq_tol(s.stddev, want[6], NEAR);
}

START_TEST(one_value_is_all_of_its_quantiles)
{
    expect((const double[]){7}, 1, (const double[]){7, 7, 7, 7, 7, 7, 0});
}
END_TEST

START_TEST(two_values)
{
    /* [1/4] and [2/4 = 0]: the quartiles are the ends */
    expect((const double[]){4, 2}, 2, (const double[]){2, 2, 3, 4, 4, 3, sqrt(2)});
}
END_TEST

START_TEST(four_values_in_any_order)
{
    /* first quartile (x[0] + x[1]) / 2; deviations 9 + 4 + 1 + 36 */
    expect((const double[]){5, 10, 2, 1}, 4,
           (const double[]){1, 1.5, 3.5, 7.5, 10, 4.5, sqrt(49.0 / 3)});
}
END_TEST

START_TEST(five_values_have_quartiles_among_them)
{
    expect((const double[]){50, 10, 40, 20, 30}, 5,
           (const double[]){10, 20, 30, 40, 50, 30, sqrt(250)});
}
END_TEST

START_TEST(sixty_four_values)
{
    /* 1 .. 64: (x[15] + x[16]) / 2, (x[31] + x[32]) / 2, (x[48] + x[47]) / 2 */
    double x[64];
    for (int i = 0; i < 64; i++)
        x[i] = 1 + (i * 29) % 64;
    expect(x, 64, (const double[]){1, 16.5, 32.5, 48.5, 64, 32.5, sqrt(21840.0 / 63)});
}
END_TEST

START_TEST(the_sample_is_left_in_its_order)
{
    const double x[] = {3, 1, 2};
    struct mw_statistics s;
    ck_assert_int_eq(mw_statistics_of(x, 3, &s), MW_OK);
    ck_assert(x[0] == 3 && x[1] == 1 && x[2] == 2); /* NOLINT: exact */
}
END_TEST

START_TEST(rates_are_reciprocals_with_a_harmonic_mean)
{
    /* times per edge 1, 2, 3, 6: mean 3, deviations 4 + 1 + 0 + 9 */
    const double time_s[] = {6, 30, 2, 20}, n_edges[] = {1, 10, 2, 10};
    const double stddev = sqrt(14.0 / 3) / (9 * sqrt(3));
    struct mw_statistics s;
    ck_assert_int_eq(mw_statistics_of_rates(n_edges, time_s, 4, &s), MW_OK);
    ck_assert_double_eq_tol(s.min, 1.0 / 6, NEAR);
    ck_assert_double_eq_tol(s.firstquartile, 1 / 4.5, NEAR);
    ck_assert_double_eq_tol(s.median, 1 / 2.5, NEAR);
    ck_assert_double_eq_tol(s.thirdquartile, 1 / 1.5, NEAR);
    ck_assert_double_eq_tol(s.max, 1, NEAR);
    ck_assert_double_eq_tol(s.mean, 1.0 / 3, NEAR);
    ck_assert_double_eq_tol(s.stddev, stddev, NEAR);
}
END_TEST

START_TEST(one_rate_has_no_deviation)
{
    const double time_s[] = {0.5}, n_edges[] = {100};
    struct mw_statistics s;
    ck_assert_int_eq(mw_statistics_of_rates(n_edges, time_s, 1, &s), MW_OK);
    ck_assert_double_eq_tol(s.min, 200, NEAR);
    ck_assert_double_eq_tol(s.mean, 200, NEAR);
    ck_assert_double_eq_tol(s.stddev, 0, NEAR);
}
END_TEST

START_TEST(two_rates)
{
    /* times per edge 1 and 3: mean 2, sigma sqrt 2 */
    const double time_s[] = {1, 3}, n_edges[] = {1, 1};
    struct mw_statistics s;
    ck_assert_int_eq(mw_statistics_of_rates(n_edges, time_s, 2, &s), MW_OK);
    ck_assert_double_eq_tol(s.min, 1.0 / 3, NEAR);
    ck_assert_double_eq_tol(s.mean, 0.5, NEAR);
    ck_assert_double_eq_tol(s.stddev, sqrt(2) / 4, NEAR);
}
END_TEST

START_TEST(no_memory_is_reported)
{
    const double x[] = {1, 2};
    struct mw_statistics s;
    mw_mem_fail_at(1);
    ck_assert_int_eq(mw_statistics_of(x, 2, &s), MW_ERR_NOMEM);
    mw_mem_fail_at(1);
    ck_assert_int_eq(mw_statistics_of_rates(x, x, 2, &s), MW_ERR_NOMEM);
    mw_mem_fail_at(0);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("statistics");
    TCase *tc = tcase_create("statistics");
    tcase_add_test(tc, one_value_is_all_of_its_quantiles);
    tcase_add_test(tc, two_values);
    tcase_add_test(tc, four_values_in_any_order);
    tcase_add_test(tc, five_values_have_quartiles_among_them);
    tcase_add_test(tc, sixty_four_values);
    tcase_add_test(tc, the_sample_is_left_in_its_order);
    tcase_add_test(tc, rates_are_reciprocals_with_a_harmonic_mean);
    tcase_add_test(tc, one_rate_has_no_deviation);
    tcase_add_test(tc, two_rates);
    tcase_add_test(tc, no_memory_is_reported);
    suite_add_tcase(s, tc);

    return run_suite(s);
}
