/* test_choices.c -- lists of words: how many ways they are, which, what they refuse; and what
 * several ways need.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"
#include "cli/choices.h"
#include "cli/run/preflight.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct mw_option options[] = {
    {.name = "size", .kind = MW_OPT_COUNT, .value = "N", .fallback = "3", .min = 1, .max = 9,
     .help = "Size"},
    {.name = "engine", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "cpe",
     .words = "cpe|mpe", .lists = true, .help = "Engine"},
    {.name = "format", .kind = MW_OPT_WORD, .value = "WORD", .words = "a|b", .help = "Format"},
    {.name = "routing", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = "auto|direct|relay", .lists = true, .help = "Routing"},
    {.name = "groups", .kind = MW_OPT_TEXT, .value = "NxM", .help = "Groups"},
};
static const struct mw_conflict conflicts[] = {
    {"groups", "routing=direct", "direct routing has none"},
};
/* clang-format on */

static const struct mw_command command = {
    .name = "try",
    .option = options,
    .n_options = sizeof options / sizeof *options,
    .conflict = conflicts,
    .n_conflicts = 1,
};

static struct mw_settings parsed(int rc, const char *a, const char *b, const char *c)
{
    static char *argv[8];
    struct mw_settings s;
    const char *const word[] = {"try", a, b, c};
    int argc = 0;
    for (size_t i = 0; i < 4; i++)
        if (word[i] != NULL)
            argv[argc++] = (char *)(uintptr_t)word[i];
    argv[argc] = NULL;
    ck_assert_int_eq(mw_options_parse(&command, argc, argv, NULL, &s), rc);
    return s;
}

START_TEST(without_lists_there_is_one_choice_and_it_is_the_settings)
{
    struct mw_settings s = parsed(MW_OK, "--routing=relay", "--size=5", NULL), one;
    char name[64];
    ck_assert_uint_eq(mw_choices_count(&s), 1);
    ck_assert_int_eq(mw_choice(&s, 0, &one), MW_OK);
    ck_assert_str_eq(mw_setting_text(&one, "routing"), "relay");
    ck_assert_uint_eq(mw_setting_number(&one, "size"), 5);
    mw_choice_name(&s, 0, name, sizeof name);
    ck_assert_str_eq(name, "");
    ck_assert_int_eq(mw_choices_refuse(&s, NULL), MW_OK);
    mw_settings_fini(&one);
    mw_settings_fini(&s);
}
END_TEST

START_TEST(lists_multiply_and_the_last_option_varies_fastest)
{
    static const char *const names[] = {"mpe direct", "mpe relay", "cpe direct",
                                        "cpe relay"};
    struct mw_settings s = parsed(MW_OK, "--engine=mpe,cpe", "--routing", "direct,relay");
    ck_assert_uint_eq(mw_choices_count(&s), 4);
    ck_assert_uint_eq(mw_setting_number(&s, "engine"), 1);
    for (uint64_t i = 0; i < 4; i++) {
        struct mw_settings one;
        char name[64];
        ck_assert_int_eq(mw_choice(&s, i, &one), MW_OK);
        mw_choice_name(&s, i, name, sizeof name);
        ck_assert_str_eq(name, names[i]);
        ck_assert_uint_eq(mw_setting_number(&one, "engine"), i < 2);
        ck_assert_str_eq(mw_setting_text(&one, "engine"), i < 2 ? "mpe" : "cpe");
        ck_assert_uint_eq(mw_setting_number(&one, "routing"), 1 + i % 2);
        ck_assert_uint_eq(mw_choices_count(&one), 1);
        mw_settings_fini(&one);
    }
    ck_assert_int_eq(mw_choices_refuse(&s, NULL), MW_ERR_USAGE);
    ck_assert_str_eq(mw_error_text(),
                     "--engine: try takes one word, not the list 'mpe,cpe'");
    mw_settings_fini(&s);
}
END_TEST

START_TEST(a_choice_meets_conflicts_of_its_own)
{
    struct mw_settings s = parsed(MW_OK, "--groups=2x2", "--routing=relay,direct", NULL);
    struct mw_settings one;
    ck_assert_int_eq(mw_choice(&s, 0, &one), MW_OK);
    mw_settings_fini(&one);
    ck_assert_int_eq(mw_choice(&s, 1, &one), MW_ERR_USAGE);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "direct routing has none"));
    mw_settings_fini(&one);
    mw_settings_fini(&s);
}
END_TEST

START_TEST(wrong_lists_are_refused)
{
    static const struct {
        const char *text, *word;
    } wrong[] = {{"--engine=mpe,", "''"},
                 {"--engine=,mpe", "''"},
                 {"--engine=mpe,gpu", "'gpu'"},
                 {"--engine=mpe,cpe,mpe", "names mpe twice"},
                 {"--format=a,b", "'a,b'"}};
    struct mw_settings s = parsed(MW_ERR_USAGE, wrong[_i].text, NULL, NULL);
    ck_assert_msg(strstr(mw_error_text(), wrong[_i].word) != NULL, "%s", mw_error_text());
    mw_settings_fini(&s);
}
END_TEST

/* A list that came as a variable is not called an option. */
START_TEST(a_refused_list_is_named_as_it_was_given)
{
    static char name[] = "try", variable[] = "MESHWAY_ENGINE=cpe,mpe";
    char *argv[] = {name, NULL}, *env[] = {variable, NULL};
    struct mw_settings s;
    ck_assert_int_eq(mw_options_parse(&command, 1, argv, env, &s), MW_OK);
    ck_assert_int_eq(mw_choices_refuse(&s, NULL), MW_ERR_USAGE);
    ck_assert_str_eq(mw_error_text(),
                     "MESHWAY_ENGINE: try takes one word, not the list 'cpe,mpe'");
    mw_settings_fini(&s);
    s = parsed(MW_OK, "--engine=cpe,mpe", NULL, NULL);
    ck_assert_int_eq(mw_choices_refuse(&s, "engine"), MW_OK);
    ck_assert_int_eq(mw_choices_refuse(&s, NULL), MW_ERR_USAGE);
    ck_assert_str_eq(mw_error_text(),
                     "--engine: try takes one word, not the list 'cpe,mpe'");
    mw_settings_fini(&s);
}
END_TEST

/* By messages where memory is short: each way that leaves it open, wherever it stands. */
START_TEST(every_way_that_chooses_can_do_without_the_bitmap)
{
    static const struct mw_world_conf world;
    struct mw_direction_rule rule[3] = {
        {.form = MW_FORM_BITMAP}, {.form = MW_FORM_AUTO}, {.form = MW_FORM_AUTO}};
    struct mw_plan_way way[3] = {{mw_algorithms[0], &world, &rule[0]},
                                 {mw_algorithms[0], &world, &rule[1]},
                                 {mw_algorithms[0], &world, &rule[2]}};
    struct mw_preflight p = {.way = way,
                             .n_ways = 3,
                             .scale = 20,
                             .edgefactor = 16,
                             .n_vertices = 1 << 20,
                             .n_edges = 16 << 20,
                             .n_ranks = 8,
                             .n_hosts = 8,
                             .n_threads = 1};
    struct mw_left_out out;
    ck_assert_int_eq(mw_preflight_predict(&p), MW_OK);
    const uint64_t before = p.predicted_bytes;
    ck_assert_int_eq(mw_preflight_leave_out(&p, &out), MW_OK);
    ck_assert_ptr_nonnull(out.options);
    ck_assert(
        !out.columns); /* of a million vertices the table is smaller than the questions */
    ck_assert_int_eq(rule[0].form, MW_FORM_BITMAP);
    ck_assert_int_eq(rule[1].form, MW_FORM_MESSAGES);
    ck_assert_int_eq(rule[2].form, MW_FORM_MESSAGES);
    ck_assert_uint_lt(p.predicted_bytes, before);
    ck_assert_int_eq(mw_preflight_leave_out(&p, &out), MW_OK);
    ck_assert(out.options == NULL && !out.columns);
    p.scale = 36;
    p.n_vertices = UINT64_C(1) << 36;
    p.n_edges = UINT64_C(16) << 36;
    p.n_ranks = p.n_hosts = 4096;
    p.graph_rule.columns = MW_LOOK_UP_TABLE;
    ck_assert_int_eq(mw_preflight_predict(&p), MW_OK);
    const uint64_t of_table = p.predicted_bytes;
    p.graph_rule.columns = MW_LOOK_UP_AUTO;
    ck_assert_int_eq(mw_preflight_leave_out(&p, &out), MW_OK);
    ck_assert(out.columns);
    ck_assert_uint_eq(p.predicted_bytes, of_table); /* whether it asks all ranks decide */
    ck_assert_int_eq(mw_preflight_ask(&p), MW_OK);
    ck_assert_uint_lt(p.predicted_bytes, of_table);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("choices");
    TCase *t = tcase_create("lists");
    tcase_add_test(t, without_lists_there_is_one_choice_and_it_is_the_settings);
    tcase_add_test(t, lists_multiply_and_the_last_option_varies_fastest);
    tcase_add_test(t, a_choice_meets_conflicts_of_its_own);
    tcase_add_test(t, every_way_that_chooses_can_do_without_the_bitmap);
    tcase_add_test(t, a_refused_list_is_named_as_it_was_given);
    tcase_add_loop_test(t, wrong_lists_are_refused, 0, 5);
    suite_add_tcase(s, t);
    return run_suite(s);
}
