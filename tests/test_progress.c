/* test_progress.c -- progress.h with its clock in the test's hand: what is shown where, and
 * how often.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/progress.h"

#include "base/clock.h"

#include "suite.h"

static struct mw_progress_view view;
static struct mw_progress say;
static char shown[4096];

/* No second thread, and short runs last for a thousand seconds: only ticks show anything. */
static void start(enum mw_progress_mode mode, bool verbose, bool launched)
{
    const struct mw_progress_conf conf = {.file = tmpfile(),
                                          .mode = mode,
                                          .verbose = verbose,
                                          .launched = launched,
                                          .one_thread = true};
    ck_assert_ptr_nonnull(conf.file);
    mw_progress_init(&view, &conf);
    view.started = view.phase_started = mw_now() + 1000;
    view.due = view.started;
    say = mw_progress_callbacks(&view);
}

static const char *text(void)
{
    rewind(view.file);
    shown[fread(shown, 1, sizeof shown - 1, view.file)] = '\0';
    fseek(view.file, 0, SEEK_END);
    return shown;
}

static int lines(void)
{
    int n = 0;
    for (const char *p = text(); *p != '\0'; p++)
        n += *p == '\n';
    return n;
}

static void stop(void)
{
    mw_progress_fini(&view);
    fclose(view.file);
    memset(&view, 0, sizeof view);
}

START_TEST(a_file_gets_nothing_without_a_launcher)
{
    start(MW_PROGRESS_AUTO, false, false);
    say.phase(say.arg, MW_PHASE_CONSTRUCT);
    mw_progress_tick(&view, view.started + 1e6);
    ck_assert_str_eq(text(), "");
    stop();
}
END_TEST

START_TEST(under_a_launcher_a_short_run_gets_nothing)
{
    start(MW_PROGRESS_AUTO, false, true);
    say.phase(say.arg, MW_PHASE_CONSTRUCT);
    say.phase(say.arg, MW_PHASE_SEARCH);
    say.search_done(say.arg, 64, 64, &(struct mw_search){0});
    ck_assert_str_eq(text(), "");
    stop();
}
END_TEST

START_TEST(under_a_launcher_lines_come_every_ten_seconds)
{
    const struct mw_search search = {0};
    start(MW_PROGRESS_AUTO, false, true);
    say.phase(say.arg, MW_PHASE_CONSTRUCT);
    const double due = view.due;
    mw_progress_tick(&view, due - 0.1);
    ck_assert_int_eq(lines(), 0);
    mw_progress_tick(&view, due);
    ck_assert_ptr_nonnull(strstr(text(), "construction (after "));
    mw_progress_tick(&view, due + 9.9);
    ck_assert_int_eq(lines(), 1);
    mw_progress_tick(&view, due + 10);
    ck_assert_int_eq(lines(), 2);
    view.started =
        mw_now() - 100; /* no short run any more: a new phase is worth a line */
    say.phase(say.arg, MW_PHASE_SEARCH);
    ck_assert_int_eq(lines(), 3);
    say.search_done(say.arg, 16, 64, &search);
    ck_assert_int_eq(lines(), 3);
    view.phase_started = mw_now() - 20;
    mw_progress_tick(&view, view.phase_started + 32);
    ck_assert_ptr_nonnull(strstr(text(), "search 16 of 64 (after "));
    ck_assert_ptr_nonnull(strstr(text(), ", 96 s left\n"));
    stop();
}
END_TEST

START_TEST(text_shows_phases_and_the_last_search_anywhere)
{
    const struct mw_search search = {0};
    start(MW_PROGRESS_TEXT, false, false);
    say.phase(say.arg, MW_PHASE_GENERATE);
    say.phase(say.arg, MW_PHASE_SEARCH);
    for (uint32_t i = 1; i <= 3; i++)
        say.search_done(say.arg, i, 3, &search);
    ck_assert_ptr_nonnull(strstr(text(), "generation (after "));
    ck_assert_ptr_nonnull(strstr(text(), "search 3 of 3 (after "));
    ck_assert_int_eq(lines(), 3);
    stop();
}
END_TEST

START_TEST(verbose_and_json_show_every_search)
{
    static const enum mw_progress_mode modes[] = {MW_PROGRESS_AUTO, MW_PROGRESS_TEXT,
                                                  MW_PROGRESS_JSON};
    const struct mw_search search = {0};
    start(modes[_i], modes[_i] != MW_PROGRESS_JSON, true);
    say.phase(say.arg, MW_PHASE_SEARCH);
    for (uint32_t i = 1; i <= 3; i++)
        say.search_done(say.arg, i, 3, &search);
    ck_assert_int_eq(lines(), 4);
    stop();
}
END_TEST

/* The thread, and that it ends; with a time of its own. */
START_TEST(the_clock_shows_a_phase_that_says_nothing)
{
    const struct mw_progress_conf conf = {.file = tmpfile(), .launched = true};
    ck_assert_ptr_nonnull(conf.file);
    mw_progress_init(&view, &conf);
    ck_assert(view.ticks);
    for (bool there = false; !there;) {
        pthread_mutex_lock(&view.lock);
        there = strstr(text(), "generation (after ") != NULL;
        pthread_mutex_unlock(&view.lock);
    }
    mw_progress_fini(&view);
    ck_assert(!view.ticks);
    mw_progress_fini(&view);
    fclose(view.file);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("progress");
    TCase *t = tcase_create("all");
    tcase_add_test(t, a_file_gets_nothing_without_a_launcher);
    tcase_add_test(t, under_a_launcher_a_short_run_gets_nothing);
    tcase_add_test(t, under_a_launcher_lines_come_every_ten_seconds);
    tcase_add_test(t, text_shows_phases_and_the_last_search_anywhere);
    tcase_add_loop_test(t, verbose_and_json_show_every_search, 0, 3);
    tcase_add_test(t, the_clock_shows_a_phase_that_says_nothing);
    suite_add_tcase(s, t);
    return run_suite(s);
}
