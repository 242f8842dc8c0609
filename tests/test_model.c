/* test_model.c -- the machine on paper: model*.h of graph500, and what the command makes of it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/model/model_plot.h"
#include "cli/model/model_print.h"
#include "cli/model/model_runs.h"
#include "cpe/emul_params.h"
#include "model/model_emulated.h"
#include "suite.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const struct mw_model_constants *const fixed = &mw_model_constants_fixed;
static struct mw_profile profile;
static struct mw_model model;
static struct mw_claims claims;
static struct mw_figure figure;

static void set_up(void)
{
    ck_assert_int_eq(mw_profile_default(&profile), MW_OK);
    mw_model_init(&model, &profile);
}

/* ---- constants -------------------------------------------------------------------------- */

START_TEST(constants_printed_are_the_constants_used)
{
    size_t n;
    const struct mw_model_constant *row = mw_model_constant_rows(&n);
    const double *used = (const double *)(const void *)fixed;
    ck_assert_uint_eq(n * sizeof(double), sizeof *fixed);
    for (size_t i = 0; i < n; i++) {
        char text[64];
        snprintf(text, sizeof text, "%.11g", row[i].value); /* as the tables print it */
        ck_assert(row[i].value == used[i]);
        ck_assert(strtod(text, NULL) == used[i]);
        ck_assert_int_lt(row[i].status, MW_N_STATUSES);
        ck_assert_int_ne(row[i].status, MW_MODELLED);
        ck_assert_uint_gt(strlen(row[i].source), 3);
    }
}
END_TEST

START_TEST(constants_are_printed_with_all_rows)
{
    char *text = NULL;
    size_t bytes, n, lines = 0;
    FILE *f = open_memstream(&text, &bytes);
    mw_print_constants(MW_STYLE_CSV, f);
    fclose(f);
    mw_model_constant_rows(&n);
    for (const char *c = text; *c != '\0'; c++)
        lines += *c == '\n';
    ck_assert_uint_eq(lines, n + 1);
    ck_assert_ptr_nonnull(strstr(text, "\ndma_bw,28900000000,B/s,published,"));
    free(text);
}
END_TEST

/* ---- a node ----------------------------------------------------------------------------- */

START_TEST(bandwidth_grows_and_stays_below_the_cap)
{
    for (double cpes = 1; cpes <= 64; cpes++)
        for (double chunk = 8; chunk <= 65536; chunk *= 2) {
            const double bw = mw_model_dma(fixed, cpes, chunk);
            ck_assert(bw > 0 && bw <= fixed->dma_bw);
            ck_assert(bw >= mw_model_dma(fixed, cpes, chunk / 2));
            ck_assert(bw >= mw_model_dma(fixed, cpes - 1, chunk));
            ck_assert(mw_model_dma_sync(fixed, chunk) < fixed->sync_bw);
        }
    ck_assert(mw_model_dma(fixed, 64, 65536) == fixed->dma_bw);
}
END_TEST

START_TEST(arithmetic_of_the_paper_is_exact)
{
    const struct mw_model_shape square = {40000, 200, 200};
    const struct mw_model_shape all = mw_model_shape_of(fixed, fixed->machine_nodes);
    ck_assert(mw_model_peers(&square, true) == 399);
    ck_assert(mw_model_peers(&all, true) == 415);
    ck_assert(mw_model_peers(&all, false) == 40959);
    ck_assert(all.n_groups == 160 && all.width == 256);
    ck_assert(mw_model_destinations(fixed, fixed->slots_a, fixed->reserve_a) == 1024);
    ck_assert(mw_model_destinations(fixed, fixed->slots_b, fixed->reserve_b) == 1024);
    ck_assert(mw_model_destinations(fixed, fixed->slots_c, fixed->reserve_c) == 896);
    ck_assert(mw_model_connection_room(fixed) == 1192.0 * 1024 * 1024);
    ck_assert(mw_model_connections_most(fixed) == 12499);
    ck_assert(floor(mw_model_crossover(fixed)) == 960);
}
END_TEST

START_TEST(variants_end_where_the_paper_says)
{
    ck_assert_int_eq(mw_model_crashes(fixed, MW_DIRECT_CPE, 256), MW_RUNS);
    ck_assert_int_eq(mw_model_crashes(fixed, MW_DIRECT_CPE, 1024), MW_STORE_FULL);
    ck_assert_int_eq(mw_model_crashes(fixed, MW_DIRECT_MPE, 4096), MW_RUNS);
    ck_assert_int_eq(mw_model_crashes(fixed, MW_DIRECT_MPE, 16384), MW_CONNECTIONS_FULL);
    for (double nodes = 1; nodes <= fixed->machine_nodes; nodes *= 2) {
        ck_assert_int_eq(mw_model_crashes(fixed, MW_RELAY_CPE, nodes), MW_RUNS);
        ck_assert_int_eq(mw_model_crashes(fixed, MW_RELAY_MPE, nodes), MW_RUNS);
    }
}
END_TEST

/* ---- the network and a search ----------------------------------------------------------- */

START_TEST(a_relay_costs_no_bandwidth_between_super_nodes)
{
    for (double nodes = 512; nodes <= 40960; nodes += 512) {
        const struct mw_model_shape s = mw_model_shape_of(fixed, nodes);
        const double one = mw_model_exchange(fixed, &s, false, 1e9);
        ck_assert(fabs(mw_model_exchange(fixed, &s, true, 1e9) / one - 1) < 1e-9);
    }
}
END_TEST

static double total(const struct mw_model *m, enum mw_variant v, double nodes,
                    double vertices)
{
    struct mw_model_time t;
    double teps;
    mw_model_time_of(m, v, nodes, vertices, &t, &teps);
    ck_assert(isfinite(teps) && teps > 0);
    ck_assert(fabs(t.work + t.messages + t.hubs + t.ending - t.total) <= 1e-12 * t.total);
    ck_assert(t.work >= fmax(t.modules, t.network) * (1 - 1e-12));
    ck_assert(t.work <= (t.modules + t.network) * (1 + 1e-12));
    return t.total;
}

START_TEST(a_relay_is_not_slower_beyond_the_knee)
{
    for (double v = 0x1p18; v <= 0x1p26; v *= 4) {
        const double knee = mw_model_knee(&model, MW_DIRECT_MPE, 4096, v);
        for (double nodes = fmax(knee, 1024); nodes <= 0x1p24; nodes *= 2)
            ck_assert(total(&model, MW_RELAY_MPE, nodes, v) <=
                      total(&model, MW_DIRECT_MPE, nodes, v));
    }
}
END_TEST

START_TEST(clusters_are_not_slower_than_mpes)
{
    for (double nodes = 1; nodes <= 40960; nodes *= 2)
        for (double v = 0x1p18; v <= 0x1p26; v *= 4) {
            ck_assert(total(&model, MW_RELAY_CPE, nodes, v) <=
                      total(&model, MW_RELAY_MPE, nodes, v));
            ck_assert(total(&model, MW_DIRECT_CPE, nodes, v) <=
                      total(&model, MW_DIRECT_MPE, nodes, v));
        }
}
END_TEST

START_TEST(slower_messages_and_larger_graphs_take_longer)
{
    struct mw_model slow = model;
    slow.c.net_lat_s *= 2;
    for (int kind = 0; kind < MW_N_TRAFFICS; kind++) {
        model.traffic = slow.traffic = (enum mw_traffic_kind)kind;
        for (double nodes = 2; nodes <= 40960; nodes *= 4) {
            const double t = total(&model, MW_RELAY_CPE, nodes, 0x1p22);
            ck_assert(total(&slow, MW_RELAY_CPE, nodes, 0x1p22) > t);
            if (kind !=
                MW_TRAFFIC_HUBS) /* a fixed number of hubs is less of a larger graph */
                ck_assert(total(&model, MW_RELAY_CPE, nodes, 0x1p24) > t);
        }
    }
}
END_TEST

START_TEST(without_latency_and_hubs_only_work_is_left)
{
    struct mw_model m = model;
    m.traffic = MW_TRAFFIC_ALL;
    m.c.net_lat_s = 0;
    for (const struct mw_profile_search *s = profile.search;
         s < profile.search + profile.n_searches; s++) {
        struct mw_model_time t;
        mw_model_search_time(&m, MW_RELAY_CPE, 4096, 0x1p24, s, &t);
        ck_assert(t.total == t.work);
        ck_assert(t.bytes > 0);
    }
}
END_TEST

/* ---- claims ----------------------------------------------------------------------------- */

/* The emulation's guess stands in two layers; the rate is that of records of 8 bytes. */
START_TEST(an_emulated_node_has_the_emulations_rates)
{
    struct mw_emul_params p;
    struct mw_model_time published, emulated;
    double teps[2];
    size_t n;
    const struct mw_emulated_shuffle *s = mw_emulated_shuffles(&n);
    mw_emul_params_sw26010(&p);
    ck_assert_uint_eq(p.mpe_record_cycles, MW_EMULATED_MPE_RECORD_CYCLES);
    mw_model_time_of(&model, MW_RELAY_MPE, 256, 1 << 24, &published, &teps[0]);
    mw_model_use_emulation(&model);
    mw_model_time_of(&model, MW_RELAY_MPE, 256, 1 << 24, &emulated, &teps[1]);
    ck_assert_uint_eq(s->record_bytes, 8);
    ck_assert_double_eq_tol(model.c.shuffle_bw,
                            (double)s->payload_bytes / (double)s->cycles * 1.45e9, 1);
    ck_assert_double_gt(emulated.modules, 2 * published.modules);
    ck_assert_double_eq(emulated.network, published.network);
}
END_TEST

START_TEST(no_claim_is_missing)
{
    static const struct {
        char letter;
        int n;
    } group[] = {{'P', 8}, {'B', 11}, {'N', 10}, {'G', 6}, {'E', 8}};
    uint32_t at = 0;
    mw_claims_make(&model, &claims);
    for (size_t g = 0; g < sizeof group / sizeof *group; g++)
        for (int i = 1; i <= group[g].n; i++) {
            char id[16];
            snprintf(id, sizeof id, "%c%d", group[g].letter, i);
            ck_assert_msg(at < claims.n && strcmp(claims.row[at].id, id) == 0, "%s", id);
            while (at < claims.n && strcmp(claims.row[at].id, id) == 0)
                at++;
        }
    ck_assert_uint_eq(at, claims.n);
}
END_TEST

START_TEST(arithmetic_claims_do_not_fail_and_verdicts_have_grounds)
{
    mw_claims_make(&model, &claims);
    for (uint32_t i = 0; i < claims.n; i++) {
        const struct mw_claim *c = &claims.row[i];
        ck_assert_ptr_nonnull(strchr("AFMC", c->kind));
        ck_assert_int_lt(c->verdict, MW_N_VERDICTS);
        if (c->kind == 'A')
            ck_assert_msg(c->verdict != MW_FAILS, "%s", c->id);
        if (c->kind == 'F')
            ck_assert(c->verdict == MW_TESTED || c->verdict == MW_OPEN);
        ck_assert_int_eq(c->ours[0] == '\0', c->verdict == MW_OPEN);
        ck_assert_uint_lt(strlen(c->ours), MW_CLAIM_TEXT - 1);
    }
}
END_TEST

/* "noun: fact" is START_TEST(fact) in tests/test_noun.c, or mpi_noun.c if that is the noun; runs
 * beside these files. */
START_TEST(named_tests_exist)
{
    mw_claims_make(&model, &claims);
    for (uint32_t i = 0; i < claims.n; i++) {
        char noun[32], fact[96], name[64], wanted[128], line[512];
        bool found = false;
        if (claims.row[i].verdict != MW_TESTED)
            continue;
        ck_assert_int_eq(
            sscanf(claims.row[i].ours, "%31[a-z_0-9]: %95[a-z_0-9]", noun, fact), 2);
        snprintf(name, sizeof name, "%s%s.c",
                 strncmp(noun, "mpi_", 4) == 0 ? "" : "test_", noun);
        snprintf(wanted, sizeof wanted, "START_TEST(%s)", fact);
        FILE *f = fopen(name, "r");
        ck_assert_msg(f != NULL, "%s", name);
        while (!found && fgets(line, sizeof line, f) != NULL)
            found = strstr(line, wanted) != NULL;
        fclose(f);
        ck_assert_msg(found, "%s has no %s", name, wanted);
    }
}
END_TEST

/* ---- figures ---------------------------------------------------------------------------- */

START_TEST(published_points_are_complete)
{
    static const struct {
        int figure;
        double x, y; /* NAN: said to be no number */
    } wanted[] = {{3, 256, 28.9},  {3, 256, 9.4},    {5, 16, NAN},        {11, 256, NAN},
                  {11, 4096, NAN}, {11, 16384, NAN}, {12, 40768, 23755.7}};
    size_t n;
    const struct mw_published *p = mw_published_points(&n);
    for (size_t w = 0; w < sizeof wanted / sizeof *wanted; w++) {
        bool found = false;
        for (size_t i = 0; i < n; i++)
            found =
                found || (p[i].figure == wanted[w].figure && p[i].x == wanted[w].x &&
                          (isnan(wanted[w].y) ? isnan(p[i].y) : p[i].y == wanted[w].y));
        ck_assert_msg(found, "figure %d at %g", wanted[w].figure, wanted[w].x);
    }
    for (size_t i = 0; i < n; i++)
        ck_assert(p[i].status == MW_PUBLISHED || p[i].status == MW_ASSUMED);
}
END_TEST

/* Everything that is said of a figure, as one text. */
static char *all_of(int number)
{
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    mw_figure_make(&model, number, &figure);
    mw_print_figure(&figure, MW_STYLE_TEXT, f);
    mw_print_figure(&figure, MW_STYLE_CSV, f);
    mw_plot_svg(&figure, f);
    fclose(f);
    return text;
}

START_TEST(the_same_figure_gives_the_same_bytes)
{
    char *a = all_of(mw_figure_numbers[_i]), *b = all_of(mw_figure_numbers[_i]);
    ck_assert_str_eq(a, b);
    ck_assert_ptr_null(strstr(a, "nan"));
    ck_assert_ptr_null(strstr(a, "inf"));
    free(a);
    free(b);
}
END_TEST

START_TEST(figures_are_json_with_every_point)
{
    json_error_t error;
    mw_figure_make(&model, mw_figure_numbers[_i], &figure);
    json_t *o = mw_figure_json(&figure);
    char *text = json_dumps(o, 0);
    json_t *again = json_loads(text, 0, &error);
    const json_t *series = json_object_get(again, "series");
    ck_assert(json_equal(o, again));
    ck_assert_uint_eq(json_array_size(series), figure.n_series);
    for (uint32_t s = 0; s < figure.n_series; s++) {
        const json_t *one = json_array_get(series, s);
        ck_assert_uint_eq(json_array_size(json_object_get(one, "points")),
                          figure.series[s].n);
        ck_assert_str_eq(json_string_value(json_object_get(one, "status")),
                         mw_status_names[figure.series[s].status]);
    }
    free(text);
    json_decref(o);
    json_decref(again);
}
END_TEST

START_TEST(crashes_are_no_values)
{
    mw_figure_make(&model, 11, &figure);
    for (int v = 0; v < MW_N_VARIANTS; v++) {
        const struct mw_series *s = &figure.series[v];
        ck_assert_str_eq(s->name, mw_variant_names[v]);
        for (uint32_t i = 0; i < s->n; i++) {
            const struct mw_point *p = &s->point[i];
            const bool runs =
                mw_model_crashes(fixed, (enum mw_variant)v, p->x) == MW_RUNS;
            ck_assert_int_eq(isfinite(p->y), runs);
            ck_assert_int_eq(p->note == NULL, runs);
            if (runs)
                ck_assert(p->low <= p->y && p->y <= p->high);
        }
    }
}
END_TEST

START_TEST(other_tables_are_json)
{
    json_t *table[4];
    mw_claims_make(&model, &claims);
    table[0] = mw_constants_json();
    table[1] = mw_claims_json(&claims);
    table[2] = mw_parts_json(&model);
    table[3] = mw_model_profile_json(&model);
    ck_assert_uint_eq(json_array_size(table[1]), claims.n);
    for (int i = 0; i < 4; i++) {
        ck_assert_ptr_nonnull(table[i]);
        json_decref(table[i]);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model");
    TCase *t = tcase_create("model");
    tcase_add_checked_fixture(t, set_up, NULL);
    tcase_add_test(t, constants_printed_are_the_constants_used);
    tcase_add_test(t, constants_are_printed_with_all_rows);
    tcase_add_test(t, bandwidth_grows_and_stays_below_the_cap);
    tcase_add_test(t, arithmetic_of_the_paper_is_exact);
    tcase_add_test(t, variants_end_where_the_paper_says);
    tcase_add_test(t, a_relay_costs_no_bandwidth_between_super_nodes);
    tcase_add_test(t, a_relay_is_not_slower_beyond_the_knee);
    tcase_add_test(t, clusters_are_not_slower_than_mpes);
    tcase_add_test(t, slower_messages_and_larger_graphs_take_longer);
    tcase_add_test(t, without_latency_and_hubs_only_work_is_left);
    tcase_add_test(t, an_emulated_node_has_the_emulations_rates);
    tcase_add_test(t, no_claim_is_missing);
    tcase_add_test(t, arithmetic_claims_do_not_fail_and_verdicts_have_grounds);
    tcase_add_test(t, named_tests_exist);
    tcase_add_test(t, published_points_are_complete);
    tcase_add_loop_test(t, the_same_figure_gives_the_same_bytes, 0, MW_N_FIGURES);
    tcase_add_loop_test(t, figures_are_json_with_every_point, 0, MW_N_FIGURES);
    tcase_add_test(t, crashes_are_no_values);
    tcase_add_test(t, other_tables_are_json);
    suite_add_tcase(s, t);
    return run_suite(s);
}
