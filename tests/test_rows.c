/* test_rows.c -- the tables of rows are what documents say and what cores find.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"
#include "algorithms/bfs/bfs_account.h"
#include "algorithms/bfs/bfs_inspect.h"
#include "algorithms/bfs/bfs_validate.h"
#include "algorithms/cc/cc_validate.h"
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
    ck_assert_msg(strstr(document, line) != NULL, "docs/architecture.md lacks: %s", line);
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
    &mw_construction_table, &mw_validation_table, &cc_checking_table, NULL};

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
    for (uint32_t a = 0; mw_algorithms[a] != NULL; a++)
        for (uint32_t i = 0; i < mw_algorithms[a]->n_rows; i++)
            check_row(&mw_algorithms[a]->row[i]);
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

int main(void)
{
    Suite *s = suite_create("rows");
    TCase *t = tcase_create("rows");
    tcase_add_test(t, documents_have_every_row);
    tcase_add_test(t, every_sweep_is_found_for_every_backend);
    tcase_add_test(t, construction_and_checks_run_everywhere);
    suite_add_tcase(s, t);
    return run_suite(s);
}
