/* test_result.c -- result_json.h, figures.h, provenance.h and tree_output.h on results that
 * are made by hand: what a run would rarely show.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "cli/json_text.h"
#include "cli/run/effect.h"
#include "cli/run/result_json.h"
#include "cli/run/run.h"
#include "cli/run/tree_output.h"
#include "mpe/comm_loop.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A result of three searches, the last from an isolated vertex, and all it hangs on. */
static struct mw_level levels[2];
static struct mw_search searches[3];
static struct mw_benchmark_result result;
static struct mw_benchmark_conf conf;
static struct mw_comm comm;
static struct mw_world world;
static const struct mw_backend backend = {.name = "serial"};
static struct mw_provenance provenance;
static struct mw_figures figures;
static struct mw_report report;
static char *text;
static size_t bytes;

static char argv_name[] = "meshway", argv_host[] = "--json=/home/zaphod/magrathea/r.json";
static char *argv[] = {argv_name, argv_host, NULL};
static char env_good[] = "OMP_NUM_THREADS=2", env_bad[] = "SECRET_TOKEN=xyzzy";
static char *env[] = {env_good, env_bad, NULL};

static void set_up(void)
{
    levels[0] = (struct mw_level){.n_active = 1, .n_found = 4, .time_s = 0.25};
    levels[1] = (struct mw_level){.step = MW_BOTTOM_UP, .n_active = 4, .time_s = 0.25};
    for (uint32_t i = 0; i < 3; i++)
        searches[i] = (struct mw_search){.root = i,
                                         .n_edges = 10,
                                         .n_self_loops = 1,
                                         .n_reached = 5,
                                         .n_levels = 2,
                                         .time_s = 0.5 * (i + 1),
                                         .validate_s = 0.1,
                                         .n_level_records = 2,
                                         .level = levels};
    searches[2].n_edges = searches[2].n_self_loops = 0;
    result = (struct mw_benchmark_result){.scale = 3,
                                          .edgefactor = 2,
                                          .n_vertices = 8,
                                          .n_edges = 16,
                                          .validated = true,
                                          .n_searches = 3,
                                          .search = searches};
    conf = (struct mw_benchmark_conf){
        .algorithm = &mw_algorithm_bfs, .scale = 3, .validate = true};
    comm = (struct mw_comm){.size = 1, .n_hosts = 1};
    world = (struct mw_world){.comm = &comm, .backend = &backend};
    mw_provenance_start(&provenance, 2, argv, env, false);
    snprintf(provenance.host, sizeof provenance.host, "magrathea");
    snprintf(provenance.user, sizeof provenance.user, "zaphod");
    report = (struct mw_report){.conf = &conf,
                                .result = &result,
                                .figures = &figures,
                                .world = &world,
                                .provenance = &provenance};
}

/* Two ways that have made two searches each of three. */
static struct run *two_ways(void)
{
    static struct run r;
    static char json[2][16];
    memset(&r, 0, sizeof r);
    r.n_ways = 2;
    for (uint32_t w = 0; w < 2; w++) {
        snprintf(r.way[w].name, sizeof r.way[w].name, "%s", w == 0 ? "cpe" : "mpe");
        snprintf(json[w], sizeof json[w], "r.%s.json", r.way[w].name);
        r.way[w].json = json[w];
        r.result[w] = result;
        r.result[w].n_roots = 3;
        r.result[w].n_searches = 2;
    }
    return &r;
}

static void tear_down(void)
{
    mw_figures_fini(&figures);
    mw_provenance_fini(&provenance);
    free(text);
    text = NULL;
}

static void make_json(void)
{
    mw_figures_fini(&figures);
    ck_assert_int_eq(mw_figures_init(&figures, &result), MW_OK);
    free(text);
    text = NULL;
    ck_assert_int_eq(mw_result_json(&report, &text, &bytes), MW_OK);
    ck_assert_uint_eq(bytes, strlen(text));
}

#define assert_has(part) ck_assert_msg(strstr(text, (part)) != NULL, "no %s", (part))
#define assert_lacks(part)                                                               \
    ck_assert_msg(strstr(text, (part)) == NULL, "%s stands there", (part))

START_TEST(isolated_searches_are_listed_but_not_counted)
{
    make_json();
    ck_assert_uint_eq(figures.n, 2);
    ck_assert_uint_eq(figures.n_isolated, 1);
    ck_assert_double_eq_tol(figures.teps.mean, 20.0 / 1.5, 1e-9); /* harmonic */
    assert_has("\"root\": 2");
    assert_has("\"n_isolated\": 1");
    assert_has("\"teps\": null");
    assert_has("\"n_edges_with_self_loops\": 11");
}
END_TEST

START_TEST(the_median_search_is_one_that_counts)
{
    make_json();
    const struct mw_search *s = mw_figures_median(&figures, &result);
    ck_assert_ptr_nonnull(s);
    ck_assert_uint_gt(s->n_edges, 0);
}
END_TEST

START_TEST(an_invalid_result_has_no_figures)
{
    searches[1].status = MW_ERR_INVALID;
    report.status = MW_RESULT_INVALID;
    report.reason = "rule 3: level 1 and level 3";
    make_json();
    ck_assert_uint_eq(figures.n, 0);
    assert_has("\"status\": \"invalid\"");
    assert_has("rule 3: level 1 and level 3");
    assert_has("\"statistics\": null");
    assert_has("\"passed\": false");
    assert_lacks("\"time_s\": 0.5");
}
END_TEST

/* Root 5: the second way's only search is wrong. */
START_TEST(an_invalid_search_is_its_own_ways_and_named)
{
    struct run *r = two_ways();
    struct mw_search wrong = {.root = 5, .status = MW_ERR_INVALID, .validate_s = -1};
    char reason[64];
    r->result[1].search = &wrong;
    r->result[1].n_searches = 1;
    run_name_invalid(r, "validation failed: root 5", reason, sizeof reason);
    ck_assert_str_eq(reason, "mpe: validation failed: root 5");
    run_describe(r, MW_RESULT_INVALID, reason);
    ck_assert_int_eq(r->way[0].report.status, MW_RESULT_INTERRUPTED);
    ck_assert_int_eq(r->way[1].report.status, MW_RESULT_INVALID);
    ck_assert_str_eq(r->way[0].report.reason, reason);
    r->n_ways = 1; /* alone it needs no name */
    r->result[0].search = &wrong;
    run_name_invalid(r, "validation failed: root 5", reason, sizeof reason);
    ck_assert_str_eq(reason, "validation failed: root 5");
    run_describe(r, MW_RESULT_INVALID, reason);
    ck_assert_int_eq(r->way[0].report.status, MW_RESULT_INVALID);
}
END_TEST

/* 64 roots were asked for, but a graph may have fewer. */
START_TEST(an_interruption_names_the_sampled_roots_and_all_files)
{
    struct run *r = two_ways();
    r->conf.n_roots = 64;
    ck_assert_int_eq(run_interrupted(r, "SIGTERM"), MW_ERR_INTERRUPTED);
    ck_assert_str_eq(mw_error_text(),
                     "interrupted (SIGTERM) after 2 of 3 searches by each way; what is "
                     "finished is in r.cpe.json, r.mpe.json");
    r->way[0].json = r->way[1].json = NULL;
    r->n_ways = 1;
    ck_assert_int_eq(run_interrupted(r, "SIGTERM"), MW_ERR_INTERRUPTED);
    ck_assert_str_eq(mw_error_text(), "interrupted (SIGTERM) after 2 of 3 searches; what "
                                      "is finished is in no file (--json none)");
}
END_TEST

START_TEST(an_interrupted_result_may_be_empty)
{
    result.n_searches = 0;
    report.status = MW_RESULT_INTERRUPTED;
    report.reason = "SIGTERM";
    make_json();
    assert_has("\"status\": \"interrupted\"");
    assert_has("\"searches\": []");
    assert_has("\"statistics\": null");
    assert_has("\"passed\": null");
}
END_TEST

START_TEST(results_without_validation_are_stamped)
{
    conf.validate = false;
    result.validated = false;
    for (uint32_t i = 0; i < 3; i++)
        searches[i].validate_s = -1;
    make_json();
    assert_has("\"NOT VALIDATED\"");
    assert_has("\"validate_s\": null");
    assert_has("\"n_edges_with_self_loops\": null");
    free(text);
    text = NULL;
    ck_assert_int_eq(mw_result_csv(&report, &text, &bytes), MW_OK);
    assert_has(",bottom-up,4,");
    assert_has(",NOT VALIDATED,\"NOT VALIDATED, NBFS BELOW 64\"\n");
    assert_lacks(",yes,");
}
END_TEST

START_TEST(what_is_no_number_is_null)
{
    result.generation_s = (double)NAN;
    result.construction_s = (double)INFINITY;
    levels[0].time_s = (double)NAN;
    make_json();
    assert_has("\"generation_s\": null");
    assert_has("\"construction_s\": null");
    assert_lacks(": nan");
    assert_lacks(": inf");
}
END_TEST

/* Seconds and rates come back as they were, in as few digits as that takes. */
START_TEST(numbers_come_back_from_few_digits)
{
    static const double values[] = {
        0.1, 1.0 / 3, 1e300, 5e-324, 3, 0, 7.307400005629461e-05};
    json_t *list = json_array(), *back;
    for (size_t i = 0; i < sizeof values / sizeof *values; i++)
        json_array_append_new(list, json_real(values[i]));
    ck_assert_int_eq(mw_json_text(list, &text, &bytes), MW_OK);
    ck_assert_str_eq(text, "[0.1,0.3333333333333333,1e+300,4.94065645841247e-324,3.0,0.0,"
                           "7.307400005629461e-05]\n");
    back = json_loads(text, 0, NULL);
    ck_assert(json_equal(list, back));
    json_decref(list);
    json_decref(back);
    free(text);
    text = NULL;
    ck_assert_int_eq(mw_json_text(NULL, &text, &bytes), MW_ERR_NOMEM);
}
END_TEST

START_TEST(the_checksum_is_of_all_before_its_line)
{
    char digits[32];
    report.reason = "a \"checksum\" in the text";
    make_json();
    char *line = strstr(text, "\n \"checksum\": \"fnv1a64:");
    ck_assert_ptr_nonnull(line);
    snprintf(digits, sizeof digits, "fnv1a64:%016llx",
             (unsigned long long)mw_result_checksum(text, (size_t)(line + 1 - text)));
    ck_assert_ptr_nonnull(strstr(line, digits));
}
END_TEST

START_TEST(roots_count_from_the_base_of_the_file)
{
    report.graph_file = "web.mtx";
    report.graph_format = "mtx";
    report.names = &(struct mw_names){.base = 1, .n_vertices = 8};
    make_json();
    assert_has("\"root\": 3");
    assert_lacks("\"root\": 0");
}
END_TEST

START_TEST(names_are_hashed_when_asked_for)
{
    make_json();
    assert_has("zaphod");
    provenance.anonymize = true;
    make_json();
    assert_lacks("zaphod");
    assert_lacks("magrathea");
    assert_has("user-");
    assert_has("/home/user-");
}
END_TEST

/* ---- other load, other hosts -------------------------------------------------------------------- */

/* 20 searches of 2 ms, of which the last ones take longer. */
static bool disturbed(uint32_t n_slow, double factor, double load, char *words)
{
    static struct mw_search many[20];
    const struct mw_benchmark_result r = {.n_searches = 20, .search = many};
    for (uint32_t i = 0; i < 20; i++)
        many[i] = (struct mw_search){.n_edges = 1000,
                                     .time_s = i >= 20 - n_slow ? 2e-3 * factor : 2e-3};
    return mw_effect_disturbed(&r, load, 2, 4, words, 256);
}

START_TEST(times_that_vary_on_a_busy_host_are_warned_of)
{
    char words[256];
    ck_assert(!disturbed(0, 1, 9, words));
    ck_assert(!disturbed(2, 4, 9, words) || strstr(words, "tenth") != NULL);
    ck_assert(!disturbed(4, 1.3, 9, words));
    ck_assert(!disturbed(4, 1.8, 2, words)); /* two are free */
    ck_assert(disturbed(4, 1.8, 9, words));
    ck_assert_str_eq(
        words, "times vary: of 20 searches of about the same size a tenth took more "
               "than 1.8 times the median; other programs may have been running "
               "(load average 9.0, 2 of 4 processors used here)");
    ck_assert(disturbed(4, 5, 0, words));
    ck_assert_ptr_nonnull(strstr(words, "slowed down"));
}
END_TEST

/* Small components take less, and short searches what the clock likes. */
START_TEST(searches_of_other_sizes_and_short_ones_say_nothing)
{
    char words[256];
    struct mw_search many[40];
    const struct mw_benchmark_result r = {.n_searches = 40, .search = many};
    for (uint32_t i = 0; i < 40; i++)
        many[i] = (struct mw_search){.n_edges = i < 20 ? 10 : 1000,
                                     .time_s = i < 20 ? 1e-4 : 2e-3};
    ck_assert(!mw_effect_disturbed(&r, 9, 2, 4, words, sizeof words));
    for (uint32_t i = 0; i < 40; i++)
        many[i] = (struct mw_search){.n_edges = 1000, .time_s = 1e-5 * (1 + i)};
    ck_assert(!mw_effect_disturbed(&r, 9, 2, 4, words, sizeof words));
}
END_TEST

START_TEST(hosts_that_differ_are_refused_or_warned_of)
{
    struct mw_rank_site site[3] = {{.host = "a", .program = 5, .cpu = 7, .mpi = 9},
                                   {.host = "a", .program = 5, .cpu = 7, .mpi = 9},
                                   {.host = "b", .program = 5, .cpu = 7, .mpi = 9}};
    const struct mw_provenance p = {.n_ranks = 3, .site = site};
    char odd[512];
    ck_good(mw_provenance_judge(&p, odd, sizeof odd));
    ck_assert_str_eq(odd, "");
    site[2].cpu = 8;
    ck_good(mw_provenance_judge(&p, odd, sizeof odd));
    ck_assert_ptr_nonnull(
        strstr(odd, "rank 2 on b has another processor than rank 0 on a"));
    site[2].mpi = 1;
    ck_good(mw_provenance_judge(&p, odd, sizeof odd));
    ck_assert_ptr_nonnull(strstr(odd, "another processor and MPI library"));
    site[2].program = 6;
    ck_fails(
        mw_provenance_judge(&p, odd, sizeof odd), MW_ERR_REFUSED,
        "rank 2 runs another meshway than rank 0 (fingerprints 0000000000000006 on b");
    site[2].program = 0; /* unknown there */
    ck_good(mw_provenance_judge(&p, odd, sizeof odd));
}
END_TEST

START_TEST(the_environment_goes_by_an_allow_list)
{
    ck_assert(mw_provenance_allows("OMP_NUM_THREADS=2"));
    ck_assert(mw_provenance_allows("SLURM_JOB_ID=1"));
    ck_assert(mw_provenance_allows("MESHWAY_SCALE=1"));
    ck_assert(!mw_provenance_allows("SLURM_JOB_ID_SECRET=1"));
    ck_assert(!mw_provenance_allows("SECRET_TOKEN=x"));
    ck_assert(!mw_provenance_allows("MY_OMP_=x"));
    ck_assert(!mw_provenance_allows("MESHWAY_API_TOKEN=x"));
    ck_assert(!mw_provenance_allows("UCX_password=x"));
    ck_assert(mw_provenance_allows("MESHWAY_RESULTS=/home/token"));
    make_json();
    assert_has("OMP_NUM_THREADS");
    assert_lacks("xyzzy");
}
END_TEST

static int gather(struct mw_comm *c, void *p)
{
    return mw_provenance_gather(p, c);
}

/* As setenv() does it when the list has no room left. */
START_TEST(the_environment_is_as_it_was_when_its_list_moves)
{
    const struct mw_loop_conf one = {.n_ranks = 1};
    char *list[] = {env_good, NULL};
    provenance.env = list;
    ck_good(mw_loop_run(&one, gather, &provenance));
    list[0] = env_bad; /* the old list is free for anything */
    make_json();
    assert_has("\"OMP_NUM_THREADS\": \"2\"");
}
END_TEST

START_TEST(text_that_is_not_utf8_does_not_spoil_the_document)
{
    report.reason = "bad \xff byte";
    make_json();
    assert_has("\"reason\": \"bad \\\\xff byte\"");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("result");
    TCase *t = tcase_create("result");
    tcase_add_checked_fixture(t, set_up, tear_down);
    tcase_add_test(t, isolated_searches_are_listed_but_not_counted);
    tcase_add_test(t, the_median_search_is_one_that_counts);
    tcase_add_test(t, an_invalid_result_has_no_figures);
    tcase_add_test(t, an_invalid_search_is_its_own_ways_and_named);
    tcase_add_test(t, an_interruption_names_the_sampled_roots_and_all_files);
    tcase_add_test(t, an_interrupted_result_may_be_empty);
    tcase_add_test(t, results_without_validation_are_stamped);
    tcase_add_test(t, what_is_no_number_is_null);
    tcase_add_test(t, numbers_come_back_from_few_digits);
    tcase_add_test(t, the_checksum_is_of_all_before_its_line);
    tcase_add_test(t, roots_count_from_the_base_of_the_file);
    tcase_add_test(t, names_are_hashed_when_asked_for);
    tcase_add_test(t, times_that_vary_on_a_busy_host_are_warned_of);
    tcase_add_test(t, searches_of_other_sizes_and_short_ones_say_nothing);
    tcase_add_test(t, hosts_that_differ_are_refused_or_warned_of);
    tcase_add_test(t, the_environment_goes_by_an_allow_list);
    tcase_add_test(t, the_environment_is_as_it_was_when_its_list_moves);
    tcase_add_test(t, text_that_is_not_utf8_does_not_spoil_the_document);
    suite_add_tcase(suite, t);
    return run_suite(suite);
}
