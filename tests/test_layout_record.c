/* test_layout_record.c -- the recordings, read back.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "layouts/sim/sim.h"
#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

enum { CORES = 20, CYCLES = 3000 };

static struct mw_layout *layout;
static struct mw_sim_result result;

/* A run of a small two-way column, as one string; the caller frees it. */
static char *record(enum mw_recorder_format format, uint64_t seed, uint32_t send)
{
    struct mw_sim_conf conf;
    struct mw_recorder *r;
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    mw_sim_defaults(layout, &conf);
    conf.cycles = CYCLES;
    conf.warmup = 0;
    conf.seed = seed;
    conf.send = send;
    conf.observe = mw_recorder_observe;
    MUST(mw_recorder_new(layout, format, f, &r) == MW_OK);
    conf.observe_arg = r;
    mw_sim_result_fini(&result);
    MUST(mw_layout_sim(layout, &conf, &result) == MW_OK);
    MUST(mw_recorder_end(r, result.cycles) == MW_OK);
    fclose(f);
    return text;
}

static void setup(void)
{
    static const char text[] = "mesh 4 5\nroles PPTKK\nroute P: any->T\n"
                               "route T: col-to-row, then K\nfifo row 8 col 8\n";
    static struct mw_diagnostics d;
    MUST(mw_layout_parse(text, strlen(text), &layout, &d) == MW_OK);
    ck_assert_uint_eq(mw_mesh_cores(layout), CORES);
}

static void teardown(void)
{
    mw_sim_result_fini(&result);
    mw_layout_free(layout);
    layout = NULL;
}

/* Calls of one test: _i is the format. */
START_TEST(equal_seeds_give_equal_bytes)
{
    char *a = record((enum mw_recorder_format)_i, 5, 0);
    char *b = record((enum mw_recorder_format)_i, 5, 0);
    char *c = record((enum mw_recorder_format)_i, 6, 0);
    ck_assert_str_eq(a, b);
    ck_assert_str_ne(a, c);
    free(a);
    free(b);
    free(c);
}
END_TEST

START_TEST(a_file_that_is_not_written_is_an_error)
{
    struct mw_recorder *r;
    FILE *full = fopen("/dev/full", "w");
    if (full == NULL)
        return;
    MUST(mw_recorder_new(layout, (enum mw_recorder_format)_i, full, &r) == MW_OK);
    ck_assert_int_eq(mw_recorder_end(r, 10), MW_ERR_IO);
    fclose(full);
}
END_TEST

/* ---- CSV ------------------------------------------------------------------------------------- */

struct row {
    unsigned long long cycle;
    unsigned r, c, fill[3];
    char state[16], waits_for[16];
};

static bool read_row(const char *line, struct row *row)
{
    row->waits_for[0] = '\0';
    return sscanf(line, "%llu,\"%u,%u\",%15[a-z],%u,%u,%u,%15s", &row->cycle, &row->r,
                  &row->c, row->state, &row->fill[0], &row->fill[1], &row->fill[2],
                  row->waits_for) >= 7;
}

static uint32_t state_named(const char *name)
{
    uint32_t i = 0;
    while (i < MW_N_CORE_STATES && strcmp(name, mw_core_state_names[i]) != 0)
        i++;
    return i;
}

/* Calls of one test: _i is the depth of the send buffer. */
START_TEST(csv_stretches_add_up_to_the_cycles_of_each_core)
{
    uint64_t cycles[CORES][MW_N_CORE_STATES] = {{0}}, fill[CORES][MW_N_CLASSES] = {{0}};
    struct row last[CORES] = {{0}}, row;
    char *text = record(MW_RECORD_CSV, 1, (uint32_t)_i), *line = strtok(text, "\n");
    ck_assert_str_eq(line, "cycle,core,state,row_fill,col_fill,send_fill,waits_for");
    while ((line = strtok(NULL, "\n")) != NULL) {
        MUST(read_row(line, &row) && row.r * 5 + row.c < CORES);
        struct row *l = &last[row.r * 5 + row.c];
        const uint64_t stretch = row.cycle - l->cycle;
        MUST(row.cycle >= l->cycle && (l->state[0] != '\0' || row.cycle == 0));
        MUST((strcmp(row.state, "blocked") == 0) == (row.waits_for[0] == '"'));
        if (l->state[0] != '\0')
            cycles[l - last][state_named(l->state)] += stretch;
        for (int i = 0; i < MW_N_CLASSES; i++)
            fill[l - last][i] += stretch * l->fill[i];
        *l = row;
    }
    for (uint32_t v = 0; v < CORES; v++) {
        MUST(memcmp(cycles[v], result.core[v].cycles, sizeof cycles[v]) == 0);
        MUST(memcmp(fill[v], result.core[v].fill_sum, sizeof fill[v]) == 0);
    }
    free(text);
}
END_TEST

/* ---- VCD --------------------------------------------------------------------------------------- */

START_TEST(vcd_scopes_balance_and_time_increases)
{
    char *text = record(MW_RECORD_VCD, 1, 2), *word = strtok(text, " \n");
    int depth = 0, deepest = 0, dumps = 0;
    uint32_t n_vars = 0, n_ends = 0;
    uint64_t time = 0, n_times = 0;
    for (; word != NULL; word = strtok(NULL, " \n")) {
        depth += (strcmp(word, "$scope") == 0) - (strcmp(word, "$upscope") == 0);
        deepest = depth > deepest ? depth : deepest;
        MUST(depth >= 0);
        n_vars += strcmp(word, "$var") == 0;
        dumps += strcmp(word, "$dumpvars") == 0;
        n_ends += strcmp(word, "$end") == 0;

        if (word[0] == '#' && word[1] >= '0' && word[1] <= '9') {
            const uint64_t now = strtoull(word + 1, NULL, 10);
            MUST(n_times++ == 0 ? now == 0 : now > time);
            time = now;
        }
        if (word[0] == 'b' && n_times != 0)
            MUST(strspn(word + 1, "01") == strlen(word + 1));
    }
    ck_assert_int_eq(depth, 0);
    ck_assert_int_eq(deepest, 3);
    ck_assert_int_eq(dumps, 1);
    ck_assert_uint_eq(n_vars, 4 * CORES);
    ck_assert_uint_ge(n_ends, n_vars + 2 * (1 + 4 + CORES));
    ck_assert_uint_eq(time, result.cycles);
    free(text);
}
END_TEST

/* Every value belongs to a declared signal, and all have one at time 0. */
START_TEST(vcd_values_have_declared_signals)
{
    char *text = record(MW_RECORD_VCD, 1, 0), *line = strtok(text, "\n");
    static char code[4 * CORES][8];
    bool first[4 * CORES] = {false};
    uint32_t n = 0, n_first = 0, i;
    uint64_t time = 0;
    for (; line != NULL; line = strtok(NULL, "\n")) {
        char value[40], name[8];
        if (sscanf(line, "$var %*s %*u %7s", name) == 1)
            strcpy(code[n++], name);
        if (line[0] == '#')
            time = strtoull(line + 1, NULL, 10);
        if (line[0] != 'b' || sscanf(line, "b%39[01] %7s", value, name) != 2)
            continue;
        for (i = 0; i < n && strcmp(code[i], name) != 0; i++)
            ;
        MUST(i < n);
        n_first += time == 0 && !first[i];
        first[i] |= time == 0;
    }
    ck_assert_uint_eq(n, 4 * CORES);
    ck_assert_uint_eq(n_first, 4 * CORES);
    free(text);
}
END_TEST

/* ---- Chrome ---------------------------------------------------------------------------------------- */

/* Brackets match and strings end: enough of JSON for a file without escapes. */
static bool nests(const char *text)
{
    char open[16];
    uint32_t depth = 0;
    bool quoted = false;
    for (; *text != '\0'; text++) {
        if (*text == '"')
            quoted = !quoted;
        if (quoted)
            continue;
        if (*text == '{' || *text == '[') {
            if (depth == sizeof open)
                return false;
            open[depth++] = *text == '{' ? '}' : ']';
        } else if (*text == '}' || *text == ']') {
            if (depth == 0 || open[--depth] != *text)
                return false;
        }
    }
    return depth == 0 && !quoted;
}

START_TEST(chrome_stretches_partition_every_core)
{
    uint64_t cycles[CORES][MW_N_CORE_STATES] = {{0}}, end[CORES] = {0};
    char *text = record(MW_RECORD_CHROME, 1, (uint32_t)_i), *line;
    MUST(nests(text));
    for (line = strtok(text, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        char name[16];
        unsigned long long ts, dur;
        unsigned core;
        if (sscanf(line,
                   "{\"name\":\"%15[a-z]\",\"ph\":\"X\",\"ts\":%llu,\"dur\":%llu,\"pid\":"
                   "1,\"tid\":%u",
                   name, &ts, &dur, &core) != 4)
            continue;
        MUST(core < CORES && end[core] == ts && dur != 0);
        MUST((strcmp(name, "blocked") == 0) == (strstr(line, "waits_for") != NULL));
        end[core] += dur;
        cycles[core][state_named(name)] += dur;
    }
    for (uint32_t v = 0; v < CORES; v++)
        MUST(memcmp(cycles[v], result.core[v].cycles, sizeof cycles[v]) == 0);
    free(text);
}
END_TEST

START_TEST(no_allocation_failure_leaks_or_crashes)
{
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc != MW_OK; n++) {
        struct mw_recorder *r;
        FILE *f = tmpfile();
        mw_mem_fail_at(n);
        rc = mw_recorder_new(layout, MW_RECORD_CSV, f, &r);
        mw_mem_fail_at(0);
        MUST(rc == MW_OK || (rc == MW_ERR_NOMEM && r == NULL));
        if (rc == MW_OK)
            MUST(mw_recorder_end(r, 1) == MW_OK);
        fclose(f);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_record");
    TCase *all = tcase_create("files");
    tcase_add_checked_fixture(all, setup, teardown);
    tcase_add_loop_test(all, equal_seeds_give_equal_bytes, MW_RECORD_VCD,
                        MW_RECORD_CSV + 1);
    tcase_add_loop_test(all, a_file_that_is_not_written_is_an_error, MW_RECORD_VCD,
                        MW_RECORD_CSV + 1);
    tcase_add_loop_test(all, csv_stretches_add_up_to_the_cycles_of_each_core, 0, 3);
    tcase_add_test(all, vcd_scopes_balance_and_time_increases);
    tcase_add_test(all, vcd_values_have_declared_signals);
    tcase_add_loop_test(all, chrome_stretches_partition_every_core, 0, 3);
    tcase_add_test(all, no_allocation_failure_leaks_or_crashes);
    suite_add_tcase(s, all);
    return run_suite(s);
}
