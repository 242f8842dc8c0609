/* test_output.c -- the result block, byte for byte.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "graph500/output.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* Times per edge are 1/4, 1/2, 1 and 2 ns: mean 0.9375. */
static const double time_s[] = {1, 0.5, 2, 0.25};
static const double n_edges[] = {1e9, 1e9, 1e9, 1e9};
static const double validate_s[] = {3, 3, 3, 5};
static const struct mw_official sample = {
    .scale = 26,
    .edgefactor = 16,
    .n_ranks = 8,
    .generation_s = 12.25,
    .construction_s = 0.00001234567,
    .kernel = {{.n_searches = 4,
                .time_s = time_s,
                .n_edges = n_edges,
                .validate_s = validate_s}},
    .n_kernels = 1,
};

static const char block[] = "SCALE:                          26\n"
                            "edgefactor:                     16\n"
                            "NBFS:                           4\n"
                            "graph_generation:               12.25\n"
                            "num_mpi_processes:              8\n"
                            "construction_time:              1.23457e-05\n"
                            "bfs  min_time:                  0.25\n"
                            "bfs  firstquartile_time:        0.375\n"
                            "bfs  median_time:               0.75\n"
                            "bfs  thirdquartile_time:        1.5\n"
                            "bfs  max_time:                  2\n"
                            "bfs  mean_time:                 0.9375\n"
                            "bfs  stddev_time:               0.773924\n"
                            "min_nedge:                      1000000000\n"
                            "firstquartile_nedge:            1000000000\n"
                            "median_nedge:                   1000000000\n"
                            "thirdquartile_nedge:            1000000000\n"
                            "max_nedge:                      1000000000\n"
                            "mean_nedge:                     1000000000\n"
                            "stddev_nedge:                   0\n"
                            "bfs  min_TEPS:                  5e+08\n"
                            "bfs  firstquartile_TEPS:        6.66667e+08\n"
                            "bfs  median_TEPS:               1.33333e+09\n"
                            "bfs  thirdquartile_TEPS:        2.66667e+09\n"
                            "bfs  max_TEPS:                  4e+09\n"
                            "bfs  harmonic_mean_TEPS:     !  1.06667e+09\n"
                            "bfs  harmonic_stddev_TEPS:      5.08388e+08\n"
                            "bfs  min_validate:              3\n"
                            "bfs  firstquartile_validate:    3\n"
                            "bfs  median_validate:           3\n"
                            "bfs  thirdquartile_validate:    4\n"
                            "bfs  max_validate:              5\n"
                            "bfs  mean_validate:             3.5\n"
                            "bfs  stddev_validate:           1\n";

static const char skipped[] = "bfs  min_validate:              -1\n"
                              "bfs  firstquartile_validate:    -1\n"
                              "bfs  median_validate:           -1\n"
                              "bfs  thirdquartile_validate:    -1\n"
                              "bfs  max_validate:              -1\n"
                              "bfs  mean_validate:             -1\n"
                              "bfs  stddev_validate:           0\n";

static char text[8192];
static FILE *file;

static void open_memory(void)
{
    memset(text, 0, sizeof text);
    file = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(file);
}

static void close_memory(void)
{
    fclose(file);
}

static int count(const char *s, char c)
{
    int n = 0;
    for (; *s != '\0'; s++)
        n += *s == c;
    return n;
}

START_TEST(block_is_the_official_one)
{
    ck_assert_int_eq(mw_official_print(file, &sample), MW_OK);
    ck_assert_str_eq(text, block);
    ck_assert_int_eq(count(text, '\n'), 34);
}
END_TEST

/* The lines of kernel 3 follow those of kernel 2, part by part; edges are counted once. */
START_TEST(two_kernels_are_one_block)
{
    static const char *const part[] = {"bfs  min_time",
                                       "sssp min_time:                  0.25\n",
                                       "min_nedge",
                                       "bfs  min_TEPS",
                                       "bfs  harmonic_stddev_TEPS",
                                       "sssp min_TEPS",
                                       "sssp harmonic_mean_TEPS:     !  1.06667e+09\n"
                                       "sssp harmonic_stddev_TEPS:      5.08388e+08\n",
                                       "bfs  min_validate",
                                       "sssp min_validate:              -1\n"};
    struct mw_official o = sample;
    const char *at = text;
    o.n_kernels = 2;
    o.kernel[1] = o.kernel[0];
    o.kernel[1].algorithm = "sssp";
    o.kernel[1].validate_s = NULL;
    ck_assert_int_eq(mw_official_print(file, &o), MW_OK);
    ck_assert_int_eq(count(text, '\n'), 55);
    for (size_t i = 0; i < sizeof part / sizeof *part; i++) {
        at = strstr(at, part[i]);
        ck_assert_msg(at != NULL, "%s is not there, or too early", part[i]);
    }
}
END_TEST

static void check_columns(uint32_t n_kernels)
{
    struct mw_official o = sample;
    o.n_kernels = n_kernels;
    o.kernel[1] = o.kernel[0];
    o.kernel[1].algorithm = "sssp";
    ck_assert_int_eq(mw_official_print(file, &o), MW_OK);
    for (char *line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        ck_assert_ptr_nonnull(strchr(line, ':'));
        ck_assert_int_eq(line[31], ' ');
        ck_assert_int_ne(line[32], ' ');
    }
}

START_TEST(values_begin_in_column_33)
{
    check_columns((uint32_t)_i);
}
END_TEST

START_TEST(skipped_validation_is_minus_one)
{
    struct mw_official o = sample;
    o.kernel[0].validate_s = NULL;
    ck_assert_int_eq(mw_official_print(file, &o), MW_OK);
    ck_assert_int_eq(count(text, '\n'), 34);
    ck_assert_str_eq(strstr(text, "bfs  min_validate"), skipped);
}
END_TEST

START_TEST(large_edge_counts_keep_eleven_digits)
{
    const double large[] = {17179724952, 17179724952, 17179724952, 17179724952};
    struct mw_official o = sample;
    o.kernel[0].n_edges = large;
    ck_assert_int_eq(mw_official_print(file, &o), MW_OK);
    ck_assert_ptr_nonnull(
        strstr(text, "\nmin_nedge:                      17179724952\n"));
}
END_TEST

START_TEST(one_search_prints_numbers_only)
{
    struct mw_official o = sample;
    o.kernel[0].n_searches = 1;
    ck_assert_int_eq(mw_official_print(file, &o), MW_OK);
    ck_assert_int_eq(count(text, '\n'), 34);
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_nonnull(strstr(text, "bfs  harmonic_stddev_TEPS:      0\n"));
}
END_TEST

START_TEST(a_stopped_clock_has_no_rates)
{
    const double still[] = {1, 0, 2, 3};
    struct mw_official o = sample;
    o.kernel[0].n_searches = 4;
    o.kernel[0].time_s = still;
    ck_assert_int_eq(mw_official_print(file, &o), MW_OK);
    ck_assert_int_eq(count(text, '\n'), 34);
    ck_assert_ptr_null(strstr(text, "nan"));
    ck_assert_ptr_null(strstr(text, "inf"));
    ck_assert_ptr_nonnull(
        strstr(text, "bfs  max_TEPS:                  not available\n"));
    ck_assert_ptr_nonnull(
        strstr(text, "bfs  harmonic_mean_TEPS:     !  not available\n"));
}
END_TEST

START_TEST(extra_lines_have_the_same_form)
{
    const char *long_key = "a_key_that_is_longer_than_its_column";
    struct mw_official_lines to = {file, MW_OK};
    mw_official_extra(&to, "backend", "%s x %d", "openmp", 4);
    mw_official_extra(&to, long_key, "%d", 1);
    ck_assert_int_eq(to.rc, MW_OK);
    ck_assert_str_eq(text, "backend:                        openmp x 4\n"
                           "a_key_that_is_longer_than_its_column: 1\n");
}
END_TEST

START_TEST(invalid_run_is_one_line)
{
    ck_assert_int_eq(mw_official_print_invalid(file), MW_OK);
    ck_assert_str_eq(text, "No results printed for invalid run.\n");
}
END_TEST

/* A file open for reading takes nothing. */
START_TEST(failed_writes_are_reported)
{
    FILE *closed = fmemopen(text, sizeof text, "r");
    ck_assert_ptr_nonnull(closed);
    ck_assert_int_eq(mw_official_print(closed, &sample), MW_ERR_IO);
    struct mw_official_lines to = {closed, MW_OK};
    mw_official_extra(&to, "key", "value");
    ck_assert_int_eq(to.rc, MW_ERR_IO);
    FILE *const open = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(open);
    text[0] = '\0';
    to.file = open; /* after a line that could not be written none is */
    mw_official_extra(&to, "key", "value");
    fclose(open);
    ck_assert_str_eq(text, "");
    ck_assert_int_eq(to.rc, MW_ERR_IO);
    ck_assert_int_eq(mw_official_print_invalid(closed), MW_ERR_IO);
    fclose(closed);
}
END_TEST

START_TEST(a_full_device_is_reported)
{
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL)
        return; /* not every system has one */
    ck_assert_int_eq(mw_official_print(full, &sample), MW_ERR_IO);
    fclose(full);
}
END_TEST

START_TEST(no_memory_prints_nothing)
{
    for (uint64_t n = 1; n <= 4; n++) {
        mw_mem_fail_at(n);
        ck_assert_int_eq(mw_official_print(file, &sample), MW_ERR_NOMEM);
    }
    mw_mem_fail_at(0);
    fflush(file);
    ck_assert_str_eq(text, "");
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("output");
    TCase *tc = tcase_create("output");
    tcase_add_checked_fixture(tc, open_memory, close_memory);
    tcase_add_test(tc, block_is_the_official_one);
    tcase_add_loop_test(tc, values_begin_in_column_33, 1, 3);
    tcase_add_test(tc, two_kernels_are_one_block);
    tcase_add_test(tc, skipped_validation_is_minus_one);
    tcase_add_test(tc, large_edge_counts_keep_eleven_digits);
    tcase_add_test(tc, one_search_prints_numbers_only);
    tcase_add_test(tc, a_stopped_clock_has_no_rates);
    tcase_add_test(tc, extra_lines_have_the_same_form);
    tcase_add_test(tc, invalid_run_is_one_line);
    tcase_add_test(tc, failed_writes_are_reported);
    tcase_add_test(tc, a_full_device_is_reported);
    tcase_add_test(tc, no_memory_prints_nothing);
    suite_add_tcase(s, tc);

    return run_suite(s);
}
