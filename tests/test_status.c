/* test_status.c -- errors keep their text, per thread, and codes are exit codes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"

#include "base/escape.h"

#include <pthread.h>
#include <stdlib.h>
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

START_TEST(what_a_message_quotes_is_escaped)
{
    char to[64];
    ck_assert_int_eq(mw_fail(MW_ERR_DATA, "%s: %s", "a\nb\t\x1b[1m", "\xC3\xB6\xFF"),
                     MW_ERR_DATA);
    ck_assert_str_eq(mw_error_text(), "a\\nb\\t\\x1b[1m: \xC3\xB6\\xff");
    mw_escape(to, sizeof to, mw_error_text()); /* twice is once */
    ck_assert_str_eq(to, mw_error_text());
    /* A control of the second set, a turned line, a surrogate, a long form, a cut end. */
    ck_assert_str_eq(mw_escape(to, sizeof to, "\xC2\x9B \xE2\x80\xAE"),
                     "\\xc2\\x9b \\xe2\\x80\\xae");
    ck_assert_str_eq(mw_escape(to, sizeof to, "\xED\xA0\x80 \xC0\xAF \xE2\x82"),
                     "\\xed\\xa0\\x80 \\xc0\\xaf \\xe2\\x82");
    ck_assert_str_eq(mw_escape(to, 6, "abcd\x01"), "abcd"); /* whole or not at all */
    ck_assert_str_eq(mw_escape(to, 6, "abcd\xC3\xB6"), "abcd");
    mw_error_clear();
}
END_TEST

/* The rule that escape.h states, read backwards. */
static void unescape(const char *text, char *to)
{
    const bool escaped = mw_is_bytes(text);
    while (*text != '\0')
        if (!escaped || *text != '\\') {
            *to++ = *text++;
        } else if (text[1] == '\\') {
            *to++ = '\\';
            text += 2;
        } else {
            const char digits[3] = {text[2], text[3], '\0'};
            ck_assert_int_eq(text[1], 'x');
            *to++ = (char)strtol(digits, NULL, 16);
            text += 4;
        }
    *to = '\0';
}

START_TEST(text_for_json_is_utf8_and_comes_back)
{
    static const char some[] = "\\\\xx4f1ab\xC3\xB6\xFF\xE2\x82";
    uint64_t state = 1;
    for (int i = 0; i < 20000; i++) {
        char text[12], back[12];
        size_t n = 0;
        for (; n < sizeof text - 1; n++) {
            state = state * UINT64_C(6364136223846793005) + 1442695040888963407;
            text[n] = some[(state >> 33) % (sizeof some - 1)];
        }
        text[n] = '\0';
        char *out = mw_escape_bytes(text);
        for (const char *p = out; *p != '\0';)
            MUST(mw_utf8_take(&p) != MW_NO_CHARACTER);
        unescape(out, back);
        ck_assert_str_eq(text, back);
        free(out);
    }
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
end:
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
    tcase_add_test(t, what_a_message_quotes_is_escaped);
    tcase_add_test(t, text_for_json_is_utf8_and_comes_back);
    tcase_add_test(t, long_texts_are_cut_not_overrun);
    tcase_add_test(t, threads_do_not_share_a_text);
    tcase_add_test(t, only_negative_codes_are_errors);
    suite_add_tcase(s, t);
    return run_suite(s);
}
