/* test_option.c -- the parser of option.h: every kind, every refusal, the conflict table
 * pair by pair, where values come from. The tables are small ones of its own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/help.h"
#include "cli/option.h"
#include "suite.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* clang-format off */
static const struct mw_option options[] = {
    {.name = "scale", .letter = 's', .kind = MW_OPT_COUNT, .value = "SCALE", .min = 1,
     .max = 60, .limit = "a number is no longer than that", .section = "graph",
     .help = "Size of the graph"},
    {.name = "edgefactor", .kind = MW_OPT_COUNT, .value = "EDGEFACTOR", .fallback = "16",
     .min = 1, .max = 1000, .help = "Edges per vertex"},
    {.name = "seed", .kind = MW_OPT_COUNT, .value = "N", .fallback = "2", .min = 0,
     .max = UINT64_MAX, .help = "Seed"},
    {.name = "batch", .kind = MW_OPT_BYTES, .value = "SIZE", .fallback = "64Ki",
     .min = 512, .max = 1 << 20, .help = "Bytes of a batch"},
    {.name = "any-size", .kind = MW_OPT_BYTES, .value = "SIZE", .min = 0,
     .max = UINT64_MAX, .help = "Bytes"},
    {.name = "alpha", .kind = MW_OPT_REAL, .value = "X", .min = 0, .max = 100,
     .help = "A ratio"},
    {.name = "direction", .letter = 'd', .kind = MW_OPT_WORD, .value = "WORD",
     .fallback = "auto", .words = "auto|top-down|bottom-up", .help = "Direction"},
    {.name = "bottom-kind", .kind = MW_OPT_WORD, .value = "WORD", .words = "a|b",
     .section = "more", .help = "Kind"},
    {.name = "bottom-rows", .kind = MW_OPT_FLAG, .help = "Rows"},
    {.name = "graph", .letter = 'g', .kind = MW_OPT_TEXT, .value = "FILE", .help = "File"},
    {.name = "format", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = "auto|mtx", .help = "Format"},
    {.name = "root", .letter = 'r', .kind = MW_OPT_TEXT, .value = "V", .repeats = true,
     .help = "Vertices"},
    {.name = "quiet", .letter = 'q', .kind = MW_OPT_FLAG, .help = "Say less"},
    {.name = "verbose", .letter = 'v', .kind = MW_OPT_FLAG, .help = "Say more"},
    {.name = "print-config", .kind = MW_OPT_FLAG, .help = "Print values"},
    {.name = "help", .letter = 'h', .kind = MW_OPT_FLAG, .asks = true, .help = "Help"},
    {.name = "version", .kind = MW_OPT_FLAG, .asks = true, .help = "Version"},
};

static const struct mw_conflict conflicts[] = {
    {"scale", "graph", "generated or read"},
    {"quiet", "verbose", "less or more"},
    {"alpha", "direction=top-down", "never turns"},
    {"format", "!graph", "only a file has one"},
};
/* clang-format on */

static const struct mw_command command = {
    .name = "try",
    .summary = "for tests",
    .text = "For tests.",
    .example = "meshway try 20",
    .example_does = "nothing",
    .option = options,
    .n_options = sizeof options / sizeof *options,
    .conflict = conflicts,
    .n_conflicts = sizeof conflicts / sizeof *conflicts,
    .operand = {"scale", "edgefactor"},
};
static const struct mw_command *const commands[] = {&command, NULL};

static struct mw_settings settings;

/* Parses a command line of up to five words, with one environment entry. */
static int parse_in(const char *variable, const char *a, const char *b, const char *c,
                    const char *d, const char *e)
{
    static char text[7][128];
    static char *argv[7], *env[2];
    const char *const words[] = {"try", a, b, c, d, e};
    int argc = 0;
    for (size_t i = 0; i < 6 && words[i] != NULL; i++) {
        snprintf(text[i], sizeof text[i], "%s", words[i]);
        argv[argc++] = text[i];
    }
    argv[argc] = NULL;
    snprintf(text[6], sizeof text[6], "%s", variable != NULL ? variable : "");
    env[0] = variable != NULL ? text[6] : NULL;
    env[1] = NULL;
    mw_settings_fini(&settings);
    mw_error_clear();
    return mw_options_parse(&command, argc, argv, env, &settings);
}

static int parse(const char *a, const char *b, const char *c, const char *d)
{
    return parse_in(NULL, a, b, c, d, NULL);
}

#define assert_says(part)                                                                \
    ck_assert_msg(strstr(mw_error_text(), (part)) != NULL, "'%s' lacks '%s'",            \
                  mw_error_text(), (part))

static void forget(void)
{
    mw_settings_fini(&settings);
}

/* --- every kind ------------------------------------------------------------------- */

START_TEST(defaults_are_parsed_like_anything_else)
{
    ck_assert_int_eq(parse(NULL, NULL, NULL, NULL), MW_OK);
    ck_assert_ptr_null(mw_setting_text(&settings, "scale"));
    ck_assert_uint_eq(mw_setting_number(&settings, "edgefactor"), 16);
    ck_assert_uint_eq(mw_setting_number(&settings, "batch"), 65536);
    ck_assert_uint_eq(mw_setting_number(&settings, "direction"), 0);
    ck_assert_uint_eq(mw_setting_number(&settings, "quiet"), 0);
    ck_assert(!mw_setting_given(&settings, "edgefactor"));
}
END_TEST

START_TEST(every_kind_is_read)
{
    ck_assert_int_eq(parse("--scale", "20", "--batch=1Ki", "--alpha=2.5"), MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "scale"), 20);
    ck_assert_uint_eq(mw_setting_number(&settings, "batch"), 1024);
    ck_assert_double_eq(mw_setting_real(&settings, "alpha"), 2.5);
    ck_assert_int_eq(parse("-q", "-d", "bottom-up", "--graph=a b"), MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "quiet"), 1);
    ck_assert_uint_eq(mw_setting_number(&settings, "direction"), 2);
    ck_assert_str_eq(mw_setting_text(&settings, "graph"), "a b");
    ck_assert_int_eq(parse("--seed", "18446744073709551615", NULL, NULL), MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "seed"), UINT64_MAX);
}
END_TEST

static const struct {
    const char *text;
    uint64_t bytes;
} sizes[] = {
    {"0", 0},
    {"4096", 4096},
    {"64K", 64000},
    {"64k", 64000},
    {"64Ki", 65536},
    {"64M", 64000000},
    {"1Gi", UINT64_C(1) << 30},
    {"3T", UINT64_C(3000000000000)},
    {"2Pi", UINT64_C(2) << 50},
};

START_TEST(sizes_take_powers_of_1000_and_1024)
{
    ck_assert_int_eq(parse("--any-size", sizes[_i].text, NULL, NULL), MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "any-size"), sizes[_i].bytes);
}
END_TEST

START_TEST(operands_are_options_without_dashes)
{
    ck_assert_int_eq(parse("20", "--quiet", "8", NULL), MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "scale"), 20);
    ck_assert_uint_eq(mw_setting_number(&settings, "edgefactor"), 8);
    ck_assert(mw_setting_find(&settings, "scale")->operand);
}
END_TEST

START_TEST(a_repeated_option_makes_a_list_and_others_keep_the_last)
{
    ck_assert_int_eq(parse("--root=1", "--root", "2,3", "-r4"), MW_OK);
    ck_assert_str_eq(mw_setting_text(&settings, "root"), "1,2,3,4");
    ck_assert_int_eq(parse("--seed=1", "--seed=2", NULL, NULL), MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "seed"), 2);
    ck_assert_int_eq(parse_in("MESHWAY_ROOT=9", "--root=1", NULL, NULL, NULL, NULL),
                     MW_OK);
    ck_assert_str_eq(mw_setting_text(&settings, "root"), "1");
}
END_TEST

START_TEST(questions_are_answered_before_errors_that_follow)
{
    ck_assert_int_eq(parse("--help", "--bogus", NULL, NULL), MW_WANTS_HELP);
    ck_assert_int_eq(parse("-h", NULL, NULL, NULL), MW_WANTS_HELP);
    ck_assert_int_eq(parse("--version", NULL, NULL, NULL), MW_WANTS_VERSION);
    ck_assert_int_eq(parse("--print-config", "20", NULL, NULL), MW_WANTS_CONFIG);
    ck_assert_int_eq(parse_in("MESHWAY_SCALE=x", "--help", NULL, NULL, NULL, NULL),
                     MW_WANTS_HELP);
}
END_TEST

/* --- every refusal ---------------------------------------------------------------- */

static const struct {
    const char *a, *b;
    int rc;
    const char *says;
} refusals[] = {
    {"--scale", "abc", MW_ERR_USAGE, "--scale: 'abc' is not an integer; expected 1..60"},
    {"--scale", "8junk", MW_ERR_USAGE, "--scale: '8junk' is not an integer"},
    {"--scale", "", MW_ERR_USAGE, "--scale: '' is not an integer"},
    {"--scale", " 8", MW_ERR_USAGE, "--scale: ' 8' is not an integer"},
    {"--scale", "8 ", MW_ERR_USAGE, "--scale: '8 ' is not an integer"},
    {"--scale", "1e3", MW_ERR_USAGE, "--scale: '1e3' is not an integer"},
    {"--scale", "+8", MW_ERR_USAGE, "--scale: '+8' is not an integer"},
    {"--scale", "0x10", MW_ERR_USAGE, "--scale: '0x10' is not an integer"},
    {"--scale", "-", MW_ERR_USAGE, "--scale: '-' is not an integer"},
    {"--scale", "0", MW_ERR_USAGE, "--scale: 0 is out of range; expected 1..60"},
    {"--scale", "-3", MW_ERR_USAGE, "--scale: -3 is out of range; expected 1..60"},
    {"--scale", "61", MW_ERR_REFUSED, "limit of 60: a number is no longer than that"},
    {"--scale", "99999999999999999999999", MW_ERR_REFUSED, "beyond the limit of 60"},
    {"--seed", "18446744073709551616", MW_ERR_USAGE, "out of range; expected 0 or more"},
    {"--edgefactor", "1001", MW_ERR_USAGE, "expected 1..1000"},
    {"--", "-3", MW_ERR_USAGE, "SCALE: -3 is out of range"},
    {"abc", NULL, MW_ERR_USAGE, "SCALE: 'abc' is not an integer"},
    {"--batch", "", MW_ERR_USAGE, "--batch: '' is not a size; expected 512..1048576"},
    {"--batch", "64Q", MW_ERR_USAGE, "is not a size"},
    {"--batch", "64KB", MW_ERR_USAGE, "is not a size"},
    {"--batch", "Ki", MW_ERR_USAGE, "is not a size"},
    {"--batch", "-1", MW_ERR_USAGE, "is not a size"},
    {"--batch", "511", MW_ERR_USAGE, "--batch: 511 is out of range"},
    {"--batch", "2Mi", MW_ERR_USAGE, "out of range"},
    {"--any-size", "99999999P", MW_ERR_USAGE, "out of range"},
    {"--alpha", "", MW_ERR_USAGE, "--alpha: '' is not a number; expected 0..100"},
    {"--alpha", " 1", MW_ERR_USAGE, "is not a number"},
    {"--alpha", "1.5x", MW_ERR_USAGE, "is not a number"},
    {"--alpha", "nan", MW_ERR_USAGE, "is not a number"},
    {"--alpha", "inf", MW_ERR_USAGE, "is not a number"},
    {"--alpha", "0x1", MW_ERR_USAGE, "is not a number"},
    {"--alpha", "1e999", MW_ERR_USAGE, "out of range"},
    {"--alpha", "-1", MW_ERR_USAGE, "out of range"},
    {"--direction", "up", MW_ERR_USAGE,
     "--direction: 'up' is not known; expected one of auto, top-down, bottom-up"},
    {"--direction", "", MW_ERR_USAGE, "expected one of auto"},
    {"--direction", "auto|top-down", MW_ERR_USAGE, "is not known"},
    {"--graph", "", MW_ERR_USAGE, "--graph: is empty; expected FILE"},
    {"--scale", NULL, MW_ERR_USAGE, "--scale: needs a value, SCALE"},
    {"-s", NULL, MW_ERR_USAGE, "--scale: needs a value, SCALE"},
    {"--quiet=1", NULL, MW_ERR_USAGE, "--quiet: takes no value"},
    {"--bogus", NULL, MW_ERR_USAGE, "--bogus: unknown option"},
    {"--sclae", "8", MW_ERR_USAGE, "--sclae: unknown option; did you mean --scale?"},
    {"--scal", "8", MW_ERR_USAGE, "--scal: unknown option; did you mean --scale?"},
    {"--scal=8", NULL, MW_ERR_USAGE, "--scal: unknown option; did you mean --scale?"},
    {"--bottom", NULL, MW_ERR_USAGE,
     "--bottom: ambiguous option; did you mean --bottom-kind or --bottom-rows?"},
    {"-x", NULL, MW_ERR_USAGE, "-x: unknown option"},
    {"-3", NULL, MW_ERR_USAGE, "a negative operand goes after --"},
    {"20", "--scale=20", MW_ERR_USAGE, "SCALE is given twice: --scale 20 and operand 20"},
};

START_TEST(what_is_wrong_is_refused_and_named)
{
    ck_assert_int_eq(parse(refusals[_i].a, refusals[_i].b, NULL, NULL), refusals[_i].rc);
    assert_says(refusals[_i].says);
}
END_TEST

START_TEST(too_many_operands_are_refused)
{
    ck_assert_int_eq(parse("20", "16", "7", NULL), MW_ERR_USAGE);
    assert_says("'7' is one operand too many");
}
END_TEST

/* The same, but that another direction has a graph first. */
static int parse_turned(const char *a, const char *b, const char *c)
{
    static struct mw_command turned;
    static char *argv[4];
    const char *const words[] = {"try", a, b, c};
    int argc = 0;
    for (size_t i = 0; i < 4 && words[i] != NULL; i++)
        argv[argc++] = (char *)(uintptr_t)words[i];
    turned = command;
    turned.first_by = "direction";
    turned.first_else = "graph";
    turned.n_required = 2;
    mw_settings_fini(&settings);
    mw_error_clear();
    return mw_options_parse(&turned, argc, argv, NULL, &settings);
}

START_TEST(the_first_operand_may_be_another_option)
{
    ck_good(parse_turned("20", "8", NULL));
    ck_assert_uint_eq(mw_setting_number(&settings, "scale"), 20);
    ck_good(parse_turned("20", "8", "-dauto"));
    ck_assert_uint_eq(mw_setting_number(&settings, "scale"), 20);
    ck_good(parse_turned("x", "8", "-dtop-down"));
    ck_assert_str_eq(mw_setting_text(&settings, "graph"), "x");
    ck_assert_ptr_null(mw_setting_text(&settings, "scale"));
    ck_good(
        parse_turned("-gx", "-dtop-down", "8")); /* given by its name, it is no operand */
    ck_assert_uint_eq(mw_setting_number(&settings, "edgefactor"), 8);
    ck_assert_int_eq(parse_turned("-dtop-down", NULL, NULL), MW_ERR_USAGE);
    assert_says("FILE is missing");
    ck_assert_int_eq(parse_turned(NULL, NULL, NULL), MW_ERR_USAGE);
    assert_says("SCALE is missing");
}
END_TEST

/* --- conflicts -------------------------------------------------------------------- */

/* One legal way to give each side of a pair. */
static const char *word_for(const char *side)
{
    static char text[128];
    const struct mw_option *o;
    if (strchr(side, '=') != NULL) {
        snprintf(text, sizeof text, "--%s", side);
        return text;
    }
    o = mw_option_find(&command, side);
    snprintf(text, sizeof text, "--%s%s", side,
             o->kind == MW_OPT_FLAG   ? ""
             : o->kind == MW_OPT_WORD ? "=mtx"
                                      : "=5");
    return text;
}

START_TEST(each_conflicting_pair_is_refused_by_name)
{
    const struct mw_conflict *k = &conflicts[_i];
    char a[128], b[128];
    const bool needs = k->b[0] == '!';
    snprintf(a, sizeof a, "%s", word_for(k->a));
    snprintf(b, sizeof b, "%s", word_for(k->b + needs));
    ck_assert_int_eq(parse(a, needs ? NULL : b, NULL, NULL), MW_ERR_USAGE);
    assert_says(k->why);
    assert_says(k->a);
    assert_says(k->b + needs);
    ck_assert_int_eq(parse(needs ? a : b, needs ? b : NULL, NULL, NULL), MW_OK);
    ck_assert_int_eq(parse(needs ? b : a, NULL, NULL, NULL), MW_OK);
}
END_TEST

START_TEST(a_conflict_names_the_variable_it_comes_from)
{
    ck_assert_int_eq(parse_in("MESHWAY_QUIET=yes", "-v", NULL, NULL, NULL, NULL),
                     MW_ERR_USAGE);
    assert_says("MESHWAY_QUIET and --verbose exclude each other");
    ck_assert_int_eq(parse_in("MESHWAY_QUIET=0", "-v", NULL, NULL, NULL, NULL), MW_OK);
}
END_TEST

/* --- environment -------------------------------------------------------------------- */

START_TEST(the_command_line_wins_over_the_environment_over_the_default)
{
    ck_assert_int_eq(parse_in("MESHWAY_EDGEFACTOR=8", NULL, NULL, NULL, NULL, NULL),
                     MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "edgefactor"), 8);
    ck_assert_int_eq(mw_setting_find(&settings, "edgefactor")->origin,
                     MW_FROM_ENVIRONMENT);
    ck_assert_int_eq(
        parse_in("MESHWAY_EDGEFACTOR=8", "--edgefactor=4", NULL, NULL, NULL, NULL),
        MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "edgefactor"), 4);
    ck_assert_int_eq(mw_setting_find(&settings, "edgefactor")->origin,
                     MW_FROM_COMMAND_LINE);
    ck_assert_int_eq(
        parse_in("MESHWAY_FORMAT=link", "--format=mtx", "--graph=g", NULL, NULL, NULL),
        MW_OK); /* a variable that loses may be any word */
    ck_assert_str_eq(mw_setting_text(&settings, "format"), "mtx");
}
END_TEST

START_TEST(variables_are_as_strict_as_options)
{
    ck_assert_int_eq(parse_in("MESHWAY_SCALE=8junk", NULL, NULL, NULL, NULL, NULL),
                     MW_ERR_USAGE);
    assert_says("MESHWAY_SCALE: '8junk' is not an integer; expected 1..60");
    ck_assert_int_eq(parse_in("MESHWAY_VERBOSE=maybe", NULL, NULL, NULL, NULL, NULL),
                     MW_ERR_USAGE);
    assert_says("expected yes or no");
    ck_assert_int_eq(parse_in("MESHWAY_ANY_SIZE=1K", NULL, NULL, NULL, NULL, NULL),
                     MW_OK);
    ck_assert_uint_eq(mw_setting_number(&settings, "any-size"), 1000);
}
END_TEST

static char warned[512];
static int n_warned;

static void note(const char *text)
{
    snprintf(warned, sizeof warned, "%s", text);
    n_warned++;
}

static void check_variable(const char *entry)
{
    char text[128];
    char *env[2] = {text, NULL};
    snprintf(text, sizeof text, "%s", entry);
    n_warned = 0;
    warned[0] = '\0';
    mw_options_check_environment(commands, env, note);
}

START_TEST(unknown_variables_are_warned_about_with_the_nearest)
{
    check_variable("MESHWAY_SCALES=3");
    ck_assert_int_eq(n_warned, 1);
    ck_assert_str_eq(
        warned,
        "MESHWAY_SCALES is not a variable of meshway; did you mean MESHWAY_SCALE?");
    check_variable("MESHWAY_scale=3");
    ck_assert_int_eq(n_warned, 1);
    check_variable("MESHWAY_ZZZZZZ=3");
    ck_assert_str_eq(warned, "MESHWAY_ZZZZZZ is not a variable of meshway");
    check_variable("MESHWAY_SCALE=3");
    ck_assert_int_eq(n_warned, 0);
    check_variable("MESHWAY_FAIL_ALLOC=3");
    ck_assert_int_eq(n_warned, 0);
    check_variable("MESHWAY_LIBRARY=/usr/lib/libmeshway.so");
    ck_assert_int_eq(n_warned, 0);
    check_variable("OMP_NUM_THREADS=3");
    ck_assert_int_eq(n_warned, 0);
}
END_TEST

/* --- printed from the table --------------------------------------------------------- */

static char *printed(void (*print)(FILE *f))
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    ck_assert_ptr_nonnull(f);
    print(f);
    fclose(f);
    return text;
}

static void print_help(FILE *f)
{
    mw_help_command(f, &command, commands);
}
static void print_overview(FILE *f)
{
    mw_help_overview(f, commands);
}
static void print_config(FILE *f)
{
    mw_help_config(f, &settings);
}
static void print_completion(FILE *f)
{
    ck_assert(mw_help_completion(f, commands, "bash"));
    ck_assert(mw_help_completion(f, commands, "zsh"));
    ck_assert(mw_help_completion(f, commands, "fish"));
    ck_assert(!mw_help_completion(f, commands, "csh"));
}
static void print_man(FILE *f)
{
    mw_help_man(f, commands, "0");
    mw_help_man_command(f, &command, commands, "0");
}

START_TEST(help_names_every_option_and_fits_80_columns)
{
    char *const texts[] = {printed(print_help), printed(print_overview)};
    for (size_t i = 0; i < command.n_options; i++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", options[i].name);
        ck_assert_ptr_nonnull(strstr(texts[0], name));
    }
    for (size_t i = 0; i < 2; i++) {
        for (const char *p = texts[i]; *p != '\0';) {
            const size_t n = strcspn(p, "\n");
            ck_assert_msg(n <= 80, "%zu columns: %.*s", n, (int)n, p);
            ck_assert_msg(n == 0 || p[n - 1] != ' ', "trailing blank: %.*s", (int)n, p);
            p += n + (p[n] == '\n');
        }
        free(texts[i]);
    }
}
END_TEST

START_TEST(the_configuration_shows_values_and_origins)
{
    ck_assert_int_eq(parse_in("MESHWAY_SEED=9", "--print-config", "20", NULL, NULL, NULL),
                     MW_WANTS_CONFIG);
    char *text = printed(print_config);
    ck_assert_ptr_nonnull(strstr(text, "# environment, MESHWAY_SEED"));
    ck_assert_ptr_nonnull(strstr(text, "# command line"));
    ck_assert_ptr_nonnull(strstr(text, "# default"));
    ck_assert_ptr_nonnull(strstr(text, "(unset)"));
    free(text);
}
END_TEST

START_TEST(man_page_and_completion_know_every_option)
{
    char *completion = printed(print_completion), *man = printed(print_man);
    for (size_t i = 0; i < command.n_options; i++) {
        char name[64];
        snprintf(name, sizeof name, "--%s", options[i].name);
        ck_assert_ptr_nonnull(strstr(completion, name));
    }
    ck_assert_ptr_nonnull(strstr(completion, "top-down"));
    ck_assert_ptr_nonnull(strstr(man, "bottom\\-kind"));
    ck_assert_ptr_nonnull(strstr(man, ".TH MESHWAY 1"));
    free(completion);
    free(man);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("option");
    TCase *t = tcase_create("option");
    tcase_add_checked_fixture(t, NULL, forget);
    tcase_add_test(t, defaults_are_parsed_like_anything_else);
    tcase_add_test(t, every_kind_is_read);
    tcase_add_loop_test(t, sizes_take_powers_of_1000_and_1024, 0,
                        sizeof sizes / sizeof *sizes);
    tcase_add_test(t, operands_are_options_without_dashes);
    tcase_add_test(t, a_repeated_option_makes_a_list_and_others_keep_the_last);
    tcase_add_test(t, questions_are_answered_before_errors_that_follow);
    tcase_add_loop_test(t, what_is_wrong_is_refused_and_named, 0,
                        sizeof refusals / sizeof *refusals);
    tcase_add_test(t, too_many_operands_are_refused);
    tcase_add_test(t, the_first_operand_may_be_another_option);
    tcase_add_loop_test(t, each_conflicting_pair_is_refused_by_name, 0,
                        sizeof conflicts / sizeof *conflicts);
    tcase_add_test(t, a_conflict_names_the_variable_it_comes_from);
    tcase_add_test(t, the_command_line_wins_over_the_environment_over_the_default);
    tcase_add_test(t, variables_are_as_strict_as_options);
    tcase_add_test(t, unknown_variables_are_warned_about_with_the_nearest);
    tcase_add_test(t, help_names_every_option_and_fits_80_columns);
    tcase_add_test(t, the_configuration_shows_values_and_origins);
    tcase_add_test(t, man_page_and_completion_know_every_option);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
