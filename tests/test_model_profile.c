/* test_model_profile.c -- what the model scales: hubs counted on a graph against their
 * definition, profiles and results read and refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/model/model_runs.h"

#include "base/mem.h"
#include "graph500/generator.h"
#include "model/model_count.h"
#include "model/model_search.h"
#include "suite.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static struct mw_profile profile;

static void set_up(void)
{
    ck_assert_int_eq(mw_profile_default(&profile), MW_OK);
}

/* ---- counting hubs ---------------------------------------------------------------------- */

enum { SCALE = 14, N = 1 << SCALE, FACTOR = 4 };

/* The definition once more, on a table of edges and without any order. */
struct oracle {
    uint32_t (*edge)[2];
    uint32_t n_edges, degree[N];
    int depth[N];
    bool hub[N];
};

static int by_pair(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint32_t));
}

/* Distinct edges, both ways; degrees count the tuples. */
static void oracle_edges(struct oracle *o)
{
    static struct mw_kronecker k;
    const uint64_t n = (uint64_t)FACTOR << SCALE, seed[2] = {2, 3};
    uint32_t kept = 0;
    ck_assert_int_eq(mw_kronecker_init(&k, SCALE, n, seed), MW_OK);
    o->edge = malloc(2 * n * sizeof *o->edge);
    for (uint64_t i = 0; i < n; i++) {
        mw_vid u, v;
        mw_kronecker_edge(&k, i, &u, &v);
        if (u == v)
            continue;
        o->degree[u]++, o->degree[v]++;
        o->edge[o->n_edges][0] = o->edge[o->n_edges + 1][1] = (uint32_t)u;
        o->edge[o->n_edges][1] = o->edge[o->n_edges + 1][0] = (uint32_t)v;
        o->n_edges += 2;
    }
    qsort(o->edge, o->n_edges, sizeof *o->edge, by_pair);
    for (uint32_t i = 0; i < o->n_edges; i++)
        if (i == 0 || by_pair(o->edge[i], o->edge[i - 1]) != 0)
            memmove(o->edge[kept++], o->edge[i], sizeof *o->edge);
    o->n_edges = kept;
}

/* The most connected N >> exponent, lower numbers first. */
static void oracle_hubs(struct oracle *o, int exponent)
{
    memset(o->hub, 0, sizeof o->hub);
    for (uint32_t v = 0; v < N; v++) {
        uint32_t before = 0;
        for (uint32_t u = 0; u < N && before <= (uint32_t)N >> exponent; u++)
            before +=
                o->degree[u] > o->degree[v] || (o->degree[u] == o->degree[v] && u < v);
        o->hub[v] = before < (uint32_t)N >> exponent;
    }
}

static void oracle_depths(struct oracle *o, uint32_t root)
{
    bool more = true;
    for (uint32_t v = 0; v < N; v++)
        o->depth[v] = -1;
    o->depth[root] = 0;
    for (int d = 0; more; d++) {
        more = false;
        for (uint32_t i = 0; i < o->n_edges; i++)
            if (o->depth[o->edge[i][0]] == d && o->depth[o->edge[i][1]] < 0) {
                o->depth[o->edge[i][1]] = d + 1;
                more = true;
            }
    }
}

static bool reached(const struct oracle *o, uint32_t v, int level)
{
    return o->depth[v] >= 0 && o->depth[v] <= level;
}

static void oracle_level(const struct oracle *o, int level, enum mw_direction direction,
                         double *records, double *hits)
{
    static bool served[N]; /* has a hub in the frontier */
    memset(served, 0, sizeof served);
    *records = *hits = 0;
    for (uint32_t i = 0; i < o->n_edges; i++) {
        const uint32_t u = o->edge[i][0], v = o->edge[i][1];
        if (direction == MW_TOP_DOWN)
            *records += o->depth[u] == level && !(reached(o, v, level) && o->hub[v]);
        served[u] |= o->hub[v] && o->depth[v] == level;
    }
    if (direction == MW_TOP_DOWN)
        return;
    for (uint32_t i = 0; i < o->n_edges; i++) {
        const uint32_t u = o->edge[i][0], v = o->edge[i][1];
        const bool asks = !reached(o, u, level) && !served[u] && !o->hub[v];
        *records += asks;
        *hits += asks && o->depth[v] == level;
    }
}

START_TEST(counts_are_those_of_the_definition)
{
    static struct oracle o;
    static struct mw_profile p;
    static const int exponents[] = {4, 7, 10, 14};
    mw_vid root = 0;
    memset(&o, 0, sizeof o);
    oracle_edges(&o);
    while (o.degree[root] == 0)
        root++;
    const struct mw_count_conf conf = {.scale = SCALE,
                                       .edgefactor = FACTOR,
                                       .seed = {2, 3},
                                       .n_roots = 1,
                                       .root = &root,
                                       .rule = {.policy = (enum mw_direction_policy)_i}};
    ck_assert_int_eq(mw_model_count(&conf, &p), MW_OK);
    oracle_depths(&o, (uint32_t)root);
    for (int e = 0; e < 4; e++) {
        oracle_hubs(&o, exponents[e]);
        for (uint32_t l = 0; l < p.search[0].n_levels; l++) {
            const struct mw_profile_level *level = &p.search[0].level[l];
            const struct mw_hub_count *h = &level->hub[exponents[e] - MW_HUB_FIRST];
            double records, hits;
            oracle_level(&o, (int)l, level->direction, &records, &hits);
            ck_assert_double_eq_tol(h->records * o.n_edges, records, 1e-6);
            ck_assert_double_eq_tol(h->hits * o.n_edges, hits, 1e-6);
        }
    }
    free(o.edge);
}
END_TEST

START_TEST(more_hubs_never_mean_more_records)
{
    for (uint32_t i = 0; i < profile.n_searches; i++)
        for (uint32_t l = 0; l < profile.search[i].n_levels; l++)
            for (int s = 1; s < MW_N_HUB_SHARES; s++) {
                const struct mw_hub_count *more = &profile.search[i].level[l].hub[s - 1];
                ck_assert(more[0].records <= more[1].records);
                ck_assert(more[0].reads <= more[1].reads);
                ck_assert(more[0].active || !more[1].active);
            }
}
END_TEST

START_TEST(what_cannot_be_counted_is_refused)
{
    static struct mw_profile p;
    mw_vid root = N;
    struct mw_count_conf conf = {
        .scale = SCALE, .edgefactor = 1, .seed = {2, 3}, .n_roots = 1, .root = &root};
    ck_assert_int_eq(mw_model_count(&conf, &p), MW_ERR_USAGE);
    conf.scale = MW_COUNT_SCALE_MAX + 1;
    ck_assert_int_eq(mw_model_count(&conf, &p), MW_ERR_REFUSED);
    conf.scale = MW_HUB_LAST - 1;
    ck_assert_int_eq(mw_model_count(&conf, &p), MW_ERR_REFUSED);
    conf.scale = SCALE;
    conf.n_roots = 0;
    ck_assert_int_eq(mw_model_count(&conf, &p), MW_ERR_USAGE);
}
END_TEST

START_TEST(each_failing_allocation_is_reported_and_leaks_nothing)
{
    static struct mw_profile p;
    mw_vid root = 1;
    const struct mw_count_conf conf = {
        .scale = SCALE, .edgefactor = 1, .seed = {2, 3}, .n_roots = 1, .root = &root};
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc != MW_OK; n++) {
        ck_assert_uint_lt(n, 100);
        mw_mem_fail_at(n);
        rc = mw_model_count(&conf, &p);
        ck_assert(rc == MW_OK || rc == MW_ERR_NOMEM);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    mw_mem_fail_at(0);
}
END_TEST

/* ---- profiles --------------------------------------------------------------------------- */

START_TEST(the_programs_profile_is_counted_and_complete)
{
    ck_assert(profile.counted);
    ck_assert_uint_eq(profile.n_searches, 16);
    ck_assert_uint_gt(strlen(profile.machine), 0);
    ck_assert_uint_eq(strlen(profile.date), 10);
    for (uint32_t i = 0; i < profile.n_searches; i++) {
        double active = 0;
        for (uint32_t l = 0; l < profile.search[i].n_levels; l++)
            active += profile.search[i].level[l].active;
        ck_assert_double_eq_tol(active, profile.search[i].n_edges, 0.01);
    }
}
END_TEST

START_TEST(a_profile_survives_writing_and_reading)
{
    static struct mw_profile again;
    char *first = NULL, *second = NULL;
    ck_assert_int_eq(mw_profile_write(&profile, &first), MW_OK);
    ck_assert_int_eq(mw_profile_parse(first, strlen(first), "first", &again), MW_OK);
    ck_assert_int_eq(mw_profile_write(&again, &second), MW_OK);
    ck_assert_str_eq(first, second);
    free(first);
    free(second);
}
END_TEST

/* Cut anywhere, a profile is refused; a name that changes is missed. */
START_TEST(damaged_profiles_are_refused)
{
    static struct mw_profile again;
    static const char *const names[] = {
        "$schema",       "date",      "scale",     "entries_per_vertex",
        "hub_exponents", "searches",  "n_edges",   "levels",
        "direction",     "unvisited", "hub_reads", "hub_active"};
    char *text = NULL;
    ck_assert_int_eq(mw_profile_write(&profile, &text), MW_OK);
    for (size_t n = 0; n < strlen(text); n += 997)
        ck_assert_int_eq(mw_profile_parse(text, n, "cut", &again), MW_ERR_DATA);
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char quoted[32];
        snprintf(quoted, sizeof quoted, "\"%s\": ", names[i]);
        char *at = strstr(text, quoted);
        ck_assert_ptr_nonnull(at);
        at[1] ^= 1;
        ck_assert_int_eq(mw_profile_parse(text, strlen(text), "damaged", &again),
                         MW_ERR_DATA);
        ck_assert_ptr_nonnull(strstr(mw_error_text(), "damaged"));
        at[1] ^= 1;
    }
    free(text);
}
END_TEST

/* One search of two levels, ranks in `groups` x `width`. */
static char *result_text(int ranks, int groups, int width, int bottom_up_records)
{
    static char text[2048];
    snprintf(
        text, sizeof text,
        "{\"$schema\": \"urn:meshway:result:2\", \"status\": \"ok\", \"graph\": "
        "{\"scale\": 4,"
        "\"edgefactor\": 16, \"n_vertices\": 16, \"n_edges\": 256, \"n_edges_kept\": 50,"
        "\"n_connected\": 12}, \"configuration\": {\"n_ranks\": %d, \"n_groups\": %d,"
        "\"group_width\": %d}, \"provenance\": {\"machine\": {\"cpu\": \"c\", "
        "\"n_cpus\": 2},"
        "\"started_utc\": \"2026-11-21T00:00:00Z\"}, \"searches\": [{\"n_edges\": 128,"
        "\"levels\": [{\"direction\": \"top-down\", \"n_active_edges\": 10,"
        "\"n_unvisited_edges\": 90, \"n_records\": 6}, {\"direction\": \"bottom-up\","
        "\"n_active_edges\": 80, \"n_unvisited_edges\": 10, \"n_records\": %d}]}]}",
        ranks, groups, width, bottom_up_records);
    return text;
}

START_TEST(results_become_shares)
{
    static struct mw_profile p;
    struct mw_model model;
    struct mw_model_time t;
    double teps;
    const char *text = result_text(4, 2, 2, 0);
    memset(&p, 0, sizeof p);
    ck_assert_int_eq(mw_runs_add(text, strlen(text), "r", false, &p), MW_OK);
    const struct mw_profile_search *s = &p.search[0];
    ck_assert_uint_eq(s->n_levels, 2);
    ck_assert(s->n_edges == 0.5 && p.entries_per_vertex == 100.0 / 16 &&
              p.connected == 0.75);
    ck_assert(s->level[0].active == 0.1 && s->level[0].unvisited == 0.9);
    ck_assert(s->level[0].records ==
              0.06); /* half of the hops of each record leave a rank */
    ck_assert(s->level[0].sent && !s->level[1].sent);
    ck_assert_int_eq(s->level[1].direction, MW_BOTTOM_UP);
    text = result_text(4, 4, 1, 12); /* direct: three of four leave */
    ck_assert_int_eq(mw_runs_add(text, strlen(text), "r", false, &p), MW_OK);
    ck_assert_uint_eq(p.n_searches, 2);
    ck_assert_double_eq_tol(p.search[1].level[1].records, 0.16, 1e-12);
    mw_model_init(&model, &p);
    ck_assert_int_eq(model.traffic, MW_TRAFFIC_RUN);
    mw_model_time_of(&model, MW_RELAY_CPE, 4096, 0x1p24, &t, &teps);
    ck_assert(isfinite(teps) && teps > 0 && t.n_messages > 0);
}
END_TEST

START_TEST(results_that_say_nothing_of_messages_are_refused)
{
    static struct mw_profile p;
    const char *text = result_text(1, 1, 1, 0);
    memset(&p, 0, sizeof p);
    ck_assert_int_eq(mw_runs_add(text, strlen(text), "one", false, &p), MW_ERR_DATA);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "one rank"));
    ck_assert_int_eq(mw_runs_add("{}", 2, "empty", false, &p), MW_ERR_DATA);
    ck_assert_int_eq(mw_runs_add("[", 1, "no JSON", false, &p), MW_ERR_DATA);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("model_profile");
    TCase *t = tcase_create("model_profile");
    tcase_add_checked_fixture(t, set_up, NULL);
    tcase_add_loop_test(t, counts_are_those_of_the_definition, MW_DIRECTION_AUTO,
                        MW_DIRECTION_BOTTOM_UP + 1);
    tcase_add_test(t, more_hubs_never_mean_more_records);
    tcase_add_test(t, what_cannot_be_counted_is_refused);
    tcase_add_test(t, each_failing_allocation_is_reported_and_leaks_nothing);
    tcase_add_test(t, the_programs_profile_is_counted_and_complete);
    tcase_add_test(t, a_profile_survives_writing_and_reading);
    tcase_add_test(t, damaged_profiles_are_refused);
    tcase_add_test(t, results_become_shares);
    tcase_add_test(t, results_that_say_nothing_of_messages_are_refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
