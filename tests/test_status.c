/* test_status.c -- errors keep their text, per thread, and codes are exit codes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"

#include <pthread.h>
#include <string.h>

START_TEST(the_text_stays_with_the_code)
{
    ck_assert_int_eq(mw_fail(MW_ERR_DATA, "line %d of %s", 7, "x.mtx"), MW_ERR_DATA);
    ck_assert_str_eq(mw_error_text(), "line 7 of x.mtx");
    ck_assert_ptr_nonnull(strstr(mw_error_where(), "test_status.c"));
    mw_error_clear();
    ck_assert_str_eq(mw_error_text(), "");
}
END_TEST

START_TEST(long_texts_are_cut_not_overrun)
{
    static char text[100001];
    memset(text, 'x', sizeof text - 1);
    ck_assert_int_eq(mw_fail(MW_ERR_IO, "%s", text), MW_ERR_IO);
    const size_t n = strlen(mw_error_text());
    ck_assert_uint_gt(n, 100);
    ck_assert_uint_lt(n, sizeof text);
    ck_assert_int_eq(strncmp(mw_error_text(), text, n), 0);
    mw_error_clear();
}
END_TEST

static void *fails_too(void *arg)
{
    mw_fail(MW_ERR_IO, "the other thread");
    return arg;
}

START_TEST(threads_do_not_share_a_text)
{
    pthread_t other;
    mw_fail(MW_ERR_DATA, "this thread");
    ck_assert_int_eq(pthread_create(&other, NULL, fails_too, NULL), 0);
    pthread_join(other, NULL);
    ck_assert_str_eq(mw_error_text(), "this thread");
    mw_error_clear();
}
END_TEST

static int tries(int code, int *reached)
{
    int rc;
    MW_TRY(rc, code);
    *reached = 1;
fail:
    return rc;
}

START_TEST(only_negative_codes_are_errors)
{
    int reached = 0;
    ck_assert_int_eq(tries(MW_ERR_IO, &reached), MW_ERR_IO);
    ck_assert_int_eq(reached, 0);
    ck_assert_int_eq(tries(MW_AGAIN, &reached), MW_AGAIN);
    ck_assert_int_eq(reached, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("status");
    TCase *t = tcase_create("status");
    tcase_add_test(t, the_text_stays_with_the_code);
    tcase_add_test(t, long_texts_are_cut_not_overrun);
    tcase_add_test(t, threads_do_not_share_a_text);
    tcase_add_test(t, only_negative_codes_are_errors);
    suite_add_tcase(s, t);
    return run_suite(s);
}
