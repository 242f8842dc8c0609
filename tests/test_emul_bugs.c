/* test_emul_bugs.c -- planted bugs: each is caught, by its class, its core and its line, by
 * both executors; and what is said about a deadlock.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "emul_bugs.h"
#include "emul_tests.h"

static mw_kernel *kernel_of(const char *name)
{
    const struct bug *b = bugs;
    while (strcmp(b->name, name) != 0)
        b++;
    return b->kernel;
}

static void run_bug(const struct bug *b, const struct mw_backend *backend,
                    const char *params)
{
    char more[128];
    snprintf(more, sizeof more, "%s,spin_limit_cycles=50000", params);
    struct mw_cluster *c = open_with(backend, more);
    ck_assert_int_eq(mw_emul_watch(c, memory, 4096, 64), MW_OK);
    planted = 0;
    backend->launch(c, b->kernel, NULL);
    int rc;
    while ((rc = backend->poll(c)) == MW_AGAIN)
        ;
    const struct mw_emul_report *const r = mw_emul_report(c);
    ck_assert_msg(rc == MW_ERR_INTERNAL && r != NULL, "%s is not caught", b->name);
    ck_assert_str_eq(mw_error_text(), r->text);
    ck_assert_msg(r->mistake == b->mistake || (b->also != 0 && r->mistake == b->also),
                  "%s: %s", b->name, r->text);
    ck_assert_msg(strstr(r->text, r->name) != NULL, "%s", r->text);
    if (b->no_place || r->mistake != b->mistake)
        return;
    char where[64], core[32];
    snprintf(where, sizeof where, "emul_bugs.c:%d", planted);
    snprintf(core, sizeof core, "core (%u,%u)", CULPRIT / 8, CULPRIT % 8);
    ck_assert_msg(strcmp(r->where, where) == 0 && r->core == CULPRIT, "%s, not %s: %s",
                  b->name, where, r->text);
    ck_assert_msg(strstr(r->text, where) != NULL && strstr(r->text, core) != NULL, "%s",
                  r->text);
}

START_TEST(a_planted_bug_is_caught_in_its_line)
{
    for (int d = 0; d < N_DEPTHS; d++) {
        run_bug(&bugs[_i], &mw_backend_emul, depths[d]);
        close_all();
    }
}
END_TEST

START_TEST(threads_catch_it_too)
{
    if (!bugs[_i].on_time_only)
        run_bug(&bugs[_i], &mw_backend_emul_threads, depths[_i % N_DEPTHS]);
}
END_TEST

/* ---- what is said about a deadlock ---- */

static char *story_of(void (*write)(const struct mw_cluster *c, FILE *to),
                      const struct mw_cluster *c)
{
    static char text[65536];
    FILE *const f = fmemopen(text, sizeof text, "w");
    write(c, f);
    fclose(f);
    return text;
}

START_TEST(a_deadlock_tells_who_waits_for_whom)
{
    struct mw_cluster *c = open_with(executors[_i % 2], depths[_i / 2]);
    executors[_i % 2]->run(c, three_in_a_circle, NULL);
    const struct mw_emul_report *const r = mw_emul_report(c);
    ck_assert_ptr_nonnull(r);
    ck_assert_int_eq(r->mistake, MW_EMUL_DEADLOCK);
    ck_assert_msg(strstr(r->text, "a cycle of 3: (4,0) puts at emul_bugs.c:") != NULL,
                  "%s", r->text);
    ck_assert_ptr_nonnull(strstr(r->text, " -> (4,1) puts at"));
    const char *const story = story_of(mw_emul_write_story, c);
    uint32_t n_lines = 0;
    for (const char *p = story; (p = strchr(p, '\n')) != NULL; p++)
        n_lines++;
    ck_assert_uint_eq(n_lines, 65);
    ck_assert_ptr_nonnull(strstr(story, "needs all of (4,2)"));
    ck_assert_ptr_nonnull(strstr(story, "has ended"));
    const char *const dot = story_of(mw_emul_write_dot, c);
    ck_assert_ptr_nonnull(strstr(dot, "digraph"));
    ck_assert_ptr_nonnull(strstr(dot, "c32 -> c33;"));
    ck_assert_ptr_nonnull(strstr(dot, "c34 -> c32;"));
}
END_TEST

START_TEST(after_a_mistake_nothing_runs)
{
    struct mw_cluster *c = open_with(executors[_i], "");
    executors[_i]->run(c, kernel_of("put_to_itself"), NULL);
    const uint64_t now = mw_emul_now(c);
    executors[_i]->run(c, kernel_of("two_write_one_line"), NULL);
    executors[_i]->launch(c, kernel_of("two_write_one_line"), NULL);
    mw_error_clear();
    ck_assert_int_eq(executors[_i]->poll(c), MW_ERR_INTERNAL);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "RCE"));
    ck_assert_uint_eq(mw_emul_now(c), now);
}
END_TEST

/* The Pro waits for at least n. */
START_TEST(waiting_for_one_of_two_is_right_on_the_pro)
{
    struct mw_cluster *c = open_with(executors[_i], "reply_at_least=1");
    executors[_i]->run(c, kernel_of("wait_for_less_than_done"), NULL);
    ck_assert_ptr_null(mw_emul_report(c));
}
END_TEST

int main(void)
{
    int n_bugs = 0;
    while (bugs[n_bugs].name != NULL)
        n_bugs++;
    Suite *s = suite_create("emul_bugs");
    TCase *t = tcase_create("bugs");
    memory = mw_alloc("memory", 65536, sizeof *memory);
    tcase_add_loop_test(t, a_planted_bug_is_caught_in_its_line, 0, n_bugs);
    tcase_add_loop_test(t, threads_catch_it_too, 0, n_bugs);
    tcase_add_loop_test(t, a_deadlock_tells_who_waits_for_whom, 0, 2 * N_DEPTHS);
    tcase_add_loop_test(t, after_a_mistake_nothing_runs, 0, N_EXECUTORS);
    tcase_add_loop_test(t, waiting_for_one_of_two_is_right_on_the_pro, 0, N_EXECUTORS);
    const int rc = run_tests(s, t);
    mw_free(memory);
    return rc;
}
