/* test_stillness.c -- what a watchdog takes for a hang, with pulses and clock in the test's hand.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/stillness.h"

#include "cpe/mask.h"
#include "suite.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>

static struct mw_pulse rank;
static struct mw_stillness seen;
static struct mw_core_line line;

/* The rank's watchdog and that of another look ten times a second, until `now`; `share` of this time the
 * rank's threads stand in line. Returns how long the rank is still. */
static double until(double now, double share)
{
    static double at, in_line;
    double moved = at;
    if (at > now)
        at = in_line = 0;
    while (at < now) {
        at += 0.1;
        in_line += 0.1 * share;
        rank.ticks++;
        mw_core_line_add(&line, &rank, in_line, at);
        moved = mw_stillness_look(&seen, &rank, at);
    }
    return at - moved;
}

static void start(enum mw_wait wait)
{
    memset(&rank, 0, sizeof rank);
    memset(&seen, 0, sizeof seen);
    memset(&line, 0, sizeof line);
    rank.wait = (uint32_t)wait;
    until(-1, 0);
    until(1, 0);
}

START_TEST(slow_progress_that_goes_on_is_no_hang)
{
    start(MW_IN_PIPELINE);
    for (int i = 1; i < 100; i++) {
        ck_assert_double_lt(until(50 * i, 0), 50.5);
        rank.beats++;
    }
}
END_TEST

START_TEST(who_waits_and_does_not_beat_is_still)
{
    start(MW_IN_SETUP);
    ck_assert_double_gt(until(60, 0), 58);
}
END_TEST

START_TEST(who_works_moves_as_long_as_it_ticks)
{
    start(MW_AT_WORK);
    ck_assert_double_lt(until(1000, 0), 0.5);
}
END_TEST

START_TEST(time_in_line_for_a_core_is_not_counted)
{
    start(MW_IN_SETUP);
    const double still = until(101, 0.75);
    ck_assert_double_gt(still, 20);
    ck_assert_double_lt(still, 35);
}
END_TEST

START_TEST(a_hang_is_found_however_crowded_the_cores_are)
{
    start(MW_IN_SETUP);
    ck_assert_double_gt(until(601, 25), 58); /* 25 threads in line all the time */
}
END_TEST

START_TEST(a_beat_begins_anew)
{
    start(MW_IN_SETUP);
    until(100, 0.5);
    rank.beats++;
    ck_assert_double_lt(until(101, 0), 1.5);
    ck_assert_double_gt(until(161, 0), 58);
}
END_TEST

static atomic_bool over;

static void *spin(void *arg)
{
    while (!atomic_load(&over))
        ;
    return arg;
}

/* Two threads on one processor. */
START_TEST(threads_in_line_are_counted)
{
    struct mw_mask before;
    pthread_t thread;
    const double began_s = mw_core_line_s();
    FILE *told = fopen("/proc/self/schedstat", "r");
    if (told == NULL)
        return; /* this kernel does not say */
    fclose(told);
    mw_mask_of_self(&before);
    int cpu = 0;
    while (!mw_mask_has(&before, (uint32_t)cpu))
        cpu++;
    ck_good(mw_mask_bind_self_to(cpu));
    ck_assert_int_eq(pthread_create(&thread, NULL, spin, NULL), 0);
    while (mw_core_line_s() < began_s + 0.02)
        ;
    atomic_store(&over, true);
    pthread_join(thread, NULL);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("stillness");
    TCase *t = tcase_create("all");
    tcase_add_test(t, slow_progress_that_goes_on_is_no_hang);
    tcase_add_test(t, who_waits_and_does_not_beat_is_still);
    tcase_add_test(t, who_works_moves_as_long_as_it_ticks);
    tcase_add_test(t, time_in_line_for_a_core_is_not_counted);
    tcase_add_test(t, a_hang_is_found_however_crowded_the_cores_are);
    tcase_add_test(t, a_beat_begins_anew);
    tcase_add_test(t, threads_in_line_are_counted);
    suite_add_tcase(s, t);
    return run_suite(s);
}
