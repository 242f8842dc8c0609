/* test_rows.c -- the tables of rows are what documents say and what cores find.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"
#include "algorithms/bfs/bfs_account.h"
#include "algorithms/bfs/bfs_inspect.h"
#include "algorithms/bfs/bfs_validate.h"
#include "algorithms/cc/cc_inspect.h"
#include "algorithms/cc/cc_validate.h"
#include "algorithms/sssp/sssp_inspect.h"
#include "algorithms/sssp/sssp_thin.h"
#include "algorithms/sssp/sssp_validate.h"
#include "devices/building.h"
#include "graph/construct.h"
#include "graph/delegates.h"
#include "graph/digest.h"
#include "graph500/generation.h"
#include "mpe/prefix.h"
#include "suite.h"
#include "traversal/frontier.h"
#include "traversal/traversal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char *document;

static void read_document(void)
{
    FILE *f = fopen(MW_DOCUMENT, "r");
    ck_assert_msg(f != NULL, "%s", MW_DOCUMENT);
    document = calloc(1, 1 << 18);
    ck_assert(fread(document, 1, (1 << 18) - 1, f) > 0);
    fclose(f);
}

static void must_say(const char *line)
{
    ck_assert_msg(strstr(document, line) != NULL, "docs/lab/rows.md lacks: %s", line);
}

static void check_sweep(const struct mw_row *row)
{
    char line[512];
    ck_assert_msg(row->reads != NULL && row->writes != NULL && row->unit != NULL, "%s",
                  row->name);
    snprintf(line, sizeof line, "| %s | %s | %s | %s |", row->name, row->reads,
             row->writes, row->unit);
    must_say(line);
}

static void check_module(const struct mw_row *row)
{
    char line[512];
    snprintf(line, sizeof line, "| %s | %s", row->name,
             row->takes.hop == MW_SOURCE       ? "source |"
             : row->takes.hop == MW_TO_RELAY   ? row->takes.stream == MW_FORWARD
                                                     ? "F relay | F owner |"
                                                     : "B relay | B owner |"
             : row->takes.stream == MW_FORWARD ? "F owner |"
                                               : "B owner |");
    must_say(line);
}

static void check_row(const struct mw_row *row)
{
    if (row->exchanges == 0)
        check_sweep(row);
    else
        check_module(row);
}

/* What runs beside algorithms. */
static const struct mw_row_table *const tables[] = {
    &mw_construction_table, &mw_validation_table, &cc_checking_table,
    &sssp_checking_table,   &sssp_thin_table,     NULL};

START_TEST(documents_have_every_row)
{
    read_document();
    for (uint32_t t = 0; tables[t] != NULL; t++)
        for (uint32_t i = 0; i < tables[t]->n_rows; i++)
            check_row(&tables[t]->row[i]);
    for (uint32_t i = 0; i < MW_PREFIX_ROWS; i++)
        check_sweep(&mw_prefix_row[i]);
    for (uint32_t i = 0; i < MW_DELEGATES_ROWS; i++)
        check_sweep(&mw_delegates_row[i]);
    check_sweep(&mw_digest_row);
    check_sweep(&mw_generation_row);
    for (uint32_t i = 0; i < MW_FRONTIER_SWEEPS; i++)
        check_sweep(&mw_frontier_row[i]);
    for (uint32_t i = 0; i < MW_BUILDING_ROWS; i++)
        check_sweep(&mw_building_row[i]);
    check_sweep(&mw_traversal_row);
    check_sweep(&bfs_account_row);
    for (uint32_t i = 0; i < BFS_INSPECT_N_ROWS; i++)
        check_sweep(&bfs_inspect_row[i]);
    for (uint32_t i = 0; i < MW_INSPECTION_ROWS; i++)
        check_sweep(&mw_inspection_row[i]);
    for (uint32_t i = 0; i < SSSP_INSPECT_ROWS; i++)
        check_sweep(&sssp_inspect_row[i]);
    for (uint32_t i = 0; i < CC_INSPECT_ROWS; i++)
        check_sweep(&cc_inspect_row[i]);
    for (uint32_t a = 0; mw_algorithms[a] != NULL; a++)
        for (const struct mw_algorithm *of = mw_algorithms[a]; of != NULL; of = of->async)
            for (uint32_t i = 0; i < of->n_rows; i++)
                check_row(&of->row[i]);
    free(document);
}
END_TEST

/* By row and backend; where cores have none, the delegate has. */
START_TEST(every_sweep_is_found_for_every_backend)
{
    for (uint32_t b = 0; mw_backends[b] != NULL; b++)
        for (uint32_t a = 0; mw_algorithms[a] != NULL; a++)
            for (uint32_t i = 0;
                 mw_backends[b]->disabled == NULL && i < mw_algorithms[a]->n_rows; i++) {
                const struct mw_row *row = &mw_algorithms[a]->row[i];
                if (row->exchanges != 0 || row->optional)
                    continue;
                const struct mw_sweep_row found =
                    mw_sweep_find(row, mw_algorithms[a]->sweeps, mw_backends[b]);
                ck_assert_msg(found.mpe != NULL, "%s, %s: %s", mw_algorithms[a]->name,
                              row->name, mw_backends[b]->name);
                ck_assert_int_eq(found.cores == NULL, mw_backends[b]->mesh);
            }
}
END_TEST

static void every_row_runs(const struct mw_row_table *t, const struct mw_backend *b)
{
    const struct mw_groups direct = {.n_ranks = 4, .width = 1};
    for (uint32_t i = 0; i < t->n_rows; i++) {
        struct mw_modules m = {.n = 0};
        if (t->row[i].exchanges == 0) {
            ck_assert_msg(mw_sweep_find(&t->row[i], t->sweeps, b).mpe != NULL, "%s: %s",
                          b->name, t->row[i].name);
            continue;
        }
        mw_modules_add(t, i, 0, t->row[i].exchanges, b, &direct, &m);
        ck_assert_uint_eq(m.n, t->row[i].takes.hop != MW_TO_RELAY);
        for (uint32_t k = 0; m.n > 0 && k < MW_EXCHANGES_MAX; k++)
            ck_assert_uint_eq(m.exchange[k], (uint32_t)t->row[i].exchanges >> k & 1);
        if (m.n > 0 && mw_host_reaches(b))
            ck_assert_msg(m.row[0].kernel != NULL, "%s: %s", b->name, t->row[i].name);
    }
}

/* Construction and checks are the host's cores', or where these run no such kernels the
 * management core's. */
START_TEST(construction_and_checks_run_everywhere)
{
    for (uint32_t b = 0; mw_backends[b] != NULL; b++)
        for (uint32_t t = 0; mw_backends[b]->disabled == NULL && tables[t] != NULL; t++)
            every_row_runs(tables[t], mw_backends[b]);
}
END_TEST

static const void *nowhere(const struct mw_traversal *t)
{
    (void)t;
    return NULL;
}

/* What a stranger's constant may have wrong: each fault by itself is named. */
START_TEST(constants_that_cannot_be_are_refused)
{
    static const struct mw_row nameless[] = {{.name = NULL}};
    static const struct mw_row idle_source[] = {
        {.name = "idler", .takes = {MW_FORWARD, MW_SOURCE}, .exchanges = 1}};
    static struct mw_row many[MW_MODULES_MAX + 1];
    static const struct mw_value value = {.name = "value", .at = nowhere};
    static const struct mw_value unnamed = {.at = nowhere};
    for (int i = 0; i <= MW_MODULES_MAX; i++)
        many[i] = (struct mw_row){
            .name = "module", .takes = {MW_FORWARD, MW_TO_OWNER}, .exchanges = 1};
    struct mw_algorithm good = *mw_algorithms[0];
    ck_assert_int_eq(mw_algorithm_check(&good), MW_OK);
    good.row = NULL;
    good.n_rows = good.n_counters = good.n_traits = good.n_facts = 0;
    good.value = &value;
    good.n_values = 1;
    ck_assert_int_eq(mw_algorithm_check(&good), MW_OK);
    struct mw_algorithm bad[12];
    const char *says[] = {"no name",
                          "no step",
                          "33 rows, but there is room for 32",
                          "21 counters",
                          "21 traits",
                          "13 facts",
                          "row 0 has no name",
                          "row idler is a source",
                          "modules, but there is room for",
                          "its answer has no value",
                          "value 0 has no name",
                          "9 values"};
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++)
        bad[i] = good;
    bad[0].name = "";
    bad[1].step = NULL;
    bad[2].n_rows = MW_ROWS_MAX + 1;
    bad[3].n_counters = MW_COUNTERS_MAX + 1;
    bad[4].n_traits = MW_TRAITS_MAX + 1;
    bad[5].n_facts = MW_FACTS_MAX + 1;
    bad[6].row = nameless;
    bad[7].row = idle_source;
    bad[6].n_rows = bad[7].n_rows = 1;
    bad[8].row = many;
    bad[8].n_rows = MW_MODULES_MAX + 1;
    bad[9].n_values = 0;
    bad[10].value = &unnamed;
    static struct mw_value values[MW_VALUES_MAX];
    for (int i = 0; i < MW_VALUES_MAX; i++)
        values[i] = value;
    bad[11].value = values;
    bad[11].n_values = MW_VALUES_MAX + 1;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        ck_assert_int_eq(mw_algorithm_check(&bad[i]), MW_ERR_USAGE);
        ck_assert_msg(strstr(mw_error_text(), says[i]) != NULL, "%s: %s", says[i],
                      mw_error_text());
    }
}
END_TEST

START_TEST(graphs_that_an_algorithm_does_not_take_are_refused)
{
    const struct mw_algorithm any = {.name = "any"}, picky = {.name = "picky",
                                                              .both_ways = true,
                                                              .in_order = true};
    ck_assert_int_eq(mw_algorithm_takes(&any, true, true), MW_OK);
    ck_assert_int_eq(mw_algorithm_takes(&picky, false, false), MW_OK);
    ck_assert_int_eq(mw_algorithm_takes(&picky, true, false), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "has directions"));
    ck_assert_int_eq(mw_algorithm_takes(&picky, false, true), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "shuffled"));
}
END_TEST

int main(void)
{
    Suite *s = suite_create("rows");
    TCase *t = tcase_create("rows");
    tcase_add_test(t, documents_have_every_row);
    tcase_add_test(t, every_sweep_is_found_for_every_backend);
    tcase_add_test(t, construction_and_checks_run_everywhere);
    tcase_add_test(t, constants_that_cannot_be_are_refused);
    tcase_add_test(t, graphs_that_an_algorithm_does_not_take_are_refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
