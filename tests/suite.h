/* suite.h -- how a suite runs, and what checks of several suites have in common.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SUITE_H
#define SUITE_H

#include "base/status.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

/* For long loops: Check writes a message for every ck_assert(). */
#define MUST(cond)                                                                       \
    do {                                                                                 \
        if (!(cond))                                                                     \
            ck_abort_msg("%s", #cond);                                                   \
    } while (0)

#define ck_fails(call, code, part_of_text)                                               \
    do {                                                                                 \
        mw_error_clear();                                                                \
        const int got_ = (call);                                                         \
        ck_assert_msg(got_ == (code), "code %d, expected %d: %s", got_, (code),          \
                      mw_error_text());                                                  \
        ck_assert_msg(strstr(mw_error_text(), (part_of_text)) != NULL,                   \
                      "'%s' does not say '%s'", mw_error_text(), (part_of_text));        \
    } while (0)

#define ck_good(call)                                                                    \
    do {                                                                                 \
        const int got_ = (call);                                                         \
        ck_assert_msg(got_ == MW_OK, "code %d: %s", got_, mw_error_text());              \
    } while (0)

/* How many random cases: all with MW_TEST_LONG, the usual number in the suite, and few with
 * MW_TEST_SHORT, which a sanitizer's build sets. */
static inline int how_many(int all, int usual, int few)
{
    return getenv("MW_TEST_LONG") != NULL    ? all
           : getenv("MW_TEST_SHORT") != NULL ? few
                                             : usual;
}

/* One thread that plays many cores has no races, and takes minutes under TSan. */
#ifdef __SANITIZE_THREAD__
enum { UNDER_TSAN = 1 };
#else
enum { UNDER_TSAN = 0 };
#endif

/* In this process, or each test in one of its own (CK_FORK), which may crash. Limits are
 * for hangs, and CTest has them: Check's own, 4 s a test where it forks, would measure
 * how busy the machine is, so a suite that forks sets them to 0. Reading this machine's
 * topology takes longer than a test, and nothing here is bound. */
static inline int run_suite_as(Suite *s, enum fork_status fork)
{
    setenv("HWLOC_SYNTHETIC", "core:2 pu:1", 0);
    SRunner *sr = srunner_create(s);
    srunner_set_fork_status(sr, fork);
    srunner_run_all(sr, CK_NORMAL);
    const int n_failed = srunner_ntests_failed(sr);
    srunner_free(sr);
    return n_failed == 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}

static inline int run_suite(Suite *s)
{
    return run_suite_as(s, CK_NOFORK);
}

#endif
