/* test_mesh_plan.c -- a plan is what the layout says, and a layout that is not proved never
 * becomes one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/mesh_plan.h"

#include "suite.h"

#include <check.h>
#include <stdlib.h>
#include <string.h>

static struct mw_layout *parse(const char *text)
{
    static struct mw_diagnostics d;
    struct mw_layout *l = NULL;
    memset(&d, 0, sizeof d);
    ck_assert_msg(mw_layout_parse(text, strlen(text), &l, &d) == MW_OK, "%s",
                  d.n_kept > 0 ? d.kept[0].text : "");
    return l;
}

static struct mw_mesh_plan *paper(uint32_t n_buckets)
{
    struct mw_mesh_plan *p = NULL;
    ck_assert_int_eq(mw_mesh_plan_open(NULL, n_buckets, &p), MW_OK);
    return p;
}

static void refused(const char *text, uint32_t n_buckets, const char *why)
{
    struct mw_mesh_plan *p = NULL;
    ck_assert_int_eq(mw_mesh_plan_take(parse(text), "x.layout", n_buckets, &p),
                     MW_ERR_REFUSED);
    ck_assert_msg(strstr(mw_error_text(), why) != NULL, "no '%s' in: %s", why,
                  mw_error_text());
    ck_assert_ptr_null(p);
}

START_TEST(the_default_is_the_papers_layout)
{
    struct mw_mesh_plan *p = paper(0);
    uint32_t n[8] = {0};
    for (uint32_t v = 0; v < p->n_cores; v++)
        n[p->duty[v]]++;
    ck_assert_uint_eq(p->n_cores, 64);
    ck_assert_uint_eq(n[MW_PRODUCES], 32);
    ck_assert_uint_eq(n[MW_ROUTES], 16);
    ck_assert_uint_eq(n[MW_CONSUMES], 16);
    ck_assert_uint_eq(p->n_consumers, 16);
    ck_assert_uint_eq(p->max_rank, 9);
    mw_mesh_plan_free(p);
}
END_TEST

START_TEST(every_producer_reaches_every_consumer)
{
    struct mw_mesh_plan *p = paper(0);
    for (uint32_t c = 0; c < p->n_consumers; c++)
        for (uint32_t v = 0; v < p->n_cores; v++) {
            mw_core at = (mw_core)v;
            uint32_t hops = 0;
            if ((p->duty[v] & MW_PRODUCES) == 0)
                continue;
            for (; at != p->consumer[c]; at = mw_mesh_plan_next(p, c, at)) {
                ck_assert(mw_hop_legal(p->layout, at, mw_mesh_plan_next(p, c, at)));
                ck_assert_uint_lt(hops++, p->max_rank);
            }
        }
    mw_mesh_plan_free(p);
}
END_TEST

/* Markers in and markers out are the same hops, and only hops of routes. */
START_TEST(a_core_waits_for_one_marker_of_each_predecessor)
{
    struct mw_mesh_plan *p = paper(0);
    uint32_t in[64] = {0};
    for (uint32_t u = 0; u < p->n_cores; u++)
        for (uint32_t i = p->successor_first[u]; i < p->successor_first[u + 1]; i++)
            in[p->successor[i]]++;
    for (uint32_t v = 0; v < p->n_cores; v++) {
        ck_assert_uint_eq(in[v], p->markers[v]);
        ck_assert_int_eq(p->markers[v] == 0, p->duty[v] == MW_PRODUCES);
    }
    ck_assert_uint_eq(p->successor_first[p->n_cores], 150);
    mw_mesh_plan_free(p);
}
END_TEST

START_TEST(a_layout_with_a_cycle_is_refused_with_the_cycle)
{
    refused("mesh 2 3\nroles PTK\nroute P: any->T\nroute T: col-to-row, then K\n", 0,
            "0,1 -> 1,1 -> 0,1");
}
END_TEST

START_TEST(any_to_any_is_refused)
{
    refused(
        "mesh 8 8\nroles AAAAAAAA\nsource A\nsink A\nroute A: row-to-col, col-to-row\n",
        0, "can deadlock");
}
END_TEST

START_TEST(two_writers_are_refused)
{
    refused("mesh 2 2\nflow 0,0 0,1 bucket 7\nflow 1,0 1,1 bucket 7\n", 0,
            "bucket 7 has 2 writers");
}
END_TEST

START_TEST(listed_flows_are_refused)
{
    refused("mesh 1 2\nflow 0,0 0,1\n", 0, "roles and routes");
}
END_TEST

/* The parser refuses such an owner; a plan does not rely on it. */
START_TEST(owners_that_are_no_sinks_are_refused)
{
    struct mw_mesh_plan *p = NULL;
    struct mw_layout *l = parse("mesh 1 2\nroles PK\nroute P: then K\n");
    l->bucket_owner = 'P';
    ck_assert_int_eq(mw_mesh_plan_take(l, "x.layout", 0, &p), MW_ERR_REFUSED);
    ck_assert_str_eq(mw_error_text(), "core 0,0 owns buckets, and is no sink");
    ck_assert_ptr_null(p);
}
END_TEST

/* The paper's crash of the direct variant: with four buffers and 8 KB kept back 896 buckets
 * fit, and 1024 destinations do not. */
START_TEST(more_destinations_than_the_store_holds_are_refused_with_the_budget)
{
    static const char text[] =
        "mesh 8 8\nroles PPPPDUKK\nroute P: down->D up->U same->D|U\n"
        "route D: col-to-row, then K\nroute U: col-to-row, then K\n"
        "spm 64K reserve 8K batch 256 buffers 4\n";
    struct mw_mesh_plan *p = NULL;
    ck_assert_int_eq(mw_mesh_plan_take(parse(text), "x.layout", 896, &p), MW_OK);
    mw_mesh_plan_free(p);
    refused(text, 897, "holds 896");
    refused(text, 1024, "1024 buckets");
}
END_TEST

/* One buffer a bucket is a line; the layout does not know of its bin, and of the roles' other
 * takes. emul_run: the_last_accepted_number_of_destinations_runs has the core that runs it. */
START_TEST(what_the_roles_take_is_reckoned_with)
{
    static const char text[] =
        "mesh 8 8\nroles PPPPDUKK\nroute P: down->D up->U same->D|U\n"
        "route D: col-to-row, then K\nroute U: col-to-row, then K\n"
        "spm 64K reserve 8K batch 256 buffers 1\n";
    struct mw_mesh_plan *p = NULL;
    ck_assert_int_eq(mw_mesh_plan_take(parse(text), "x.layout", 3552, &p), MW_OK);
    mw_mesh_plan_free(p);
    refused(text, 3553, "holds 3552: a consumer's program needs 65568 B");
    refused(text, 3584, "3584 buckets, 224 a consumer");
    refused(text, 3585, "holds 3584 (57344 B each");
}
END_TEST

/* Too small for any bucket, by the roles alone. */
START_TEST(a_store_that_holds_no_role_is_refused)
{
    refused("mesh 8 8\nroles PPPPDUKK\nroute P: down->D up->U same->D|U\n"
            "route D: col-to-row, then K\nroute U: col-to-row, then K\n"
            "spm 6K reserve 1K batch 256 buffers 1\n",
            16, "core 0,0 needs");
}
END_TEST

START_TEST(a_malformed_file_is_named_with_its_place)
{
    struct mw_mesh_plan *p = NULL;
    char path[] = "/tmp/mesh-plan-XXXXXX";
    const int fd = mkstemp(path);
    FILE *f = fdopen(fd, "w");
    ck_assert_ptr_nonnull(f);
    fputs("mesh 8 8\nrolez P\n", f);
    fclose(f);
    ck_assert_int_eq(mw_mesh_plan_open(path, 0, &p), MW_ERR_DATA);
    remove(path);
    ck_assert_ptr_nonnull(
        strstr(mw_error_text(), ":2:1: error: unknown statement 'rolez'"));
    ck_assert_int_eq(mw_mesh_plan_open(path, 0, &p), MW_ERR_NOINPUT);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mesh_plan");
    TCase *t = tcase_create("plan");
    tcase_set_timeout(t, 0); /* CTest counts */
    tcase_add_test(t, the_default_is_the_papers_layout);
    tcase_add_test(t, every_producer_reaches_every_consumer);
    tcase_add_test(t, a_core_waits_for_one_marker_of_each_predecessor);
    tcase_add_test(t, a_layout_with_a_cycle_is_refused_with_the_cycle);
    tcase_add_test(t, any_to_any_is_refused);
    tcase_add_test(t, two_writers_are_refused);
    tcase_add_test(t, listed_flows_are_refused);
    tcase_add_test(t, owners_that_are_no_sinks_are_refused);
    tcase_add_test(t, more_destinations_than_the_store_holds_are_refused_with_the_budget);
    tcase_add_test(t, what_the_roles_take_is_reckoned_with);
    tcase_add_test(t, a_store_that_holds_no_role_is_refused);
    tcase_add_test(t, a_malformed_file_is_named_with_its_place);
    suite_add_tcase(s, t);
    return run_suite_as(s, CK_FORK);
}
