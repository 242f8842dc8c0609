/* test_layout_advice.c -- what is told beside the verdict: hazards, budget, edits that
 * help, and the explanation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_certificate.h"
#include "layouts/explain/edit.h"
#include "layouts/explain/explain.h"
#include "mesh_cases.h"
#include "mesh_naive.h"

/* ---- hazards ----------------------------------------------------------------------- */

START_TEST(second_writer_of_a_bucket_is_found)
{
    struct mw_layout *l =
        parsed("mesh 2 3\nflow 0,0 0,1 bucket 7\nflow 0,2 0,1 bucket 7\n"
               "flow 0,0 0,2 bucket 3\nflow 1,0 1,2 bucket 3\nflow 0,0 1,0 bucket 3\n"
               "flow 0,0 0,1\nflow 1,0 1,1\n");
    struct mw_writers w[2];
    uint64_t n;
    ck_assert_int_eq(mw_layout_writers(l, w, 2, &n), MW_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_int_eq(w[0].bucket, 3);
    ck_assert_uint_eq(w[0].n, 3);
    ck_assert_uint_eq(w[0].core[0], 2);
    ck_assert_uint_eq(w[0].core[1], 3);
    ck_assert_uint_eq(w[0].core[2], 5);
    ck_assert_int_eq(mw_layout_writers(l, NULL, 0, &n), MW_OK);
    ck_assert_uint_eq(n, 1);
    mw_layout_free(l);
}
END_TEST

static struct mw_budget budget_of(const char *more)
{
    char text[512];
    struct mw_budget b;
    snprintf(text, sizeof text, "%sbuckets 1024 owner=K\n%s", PAPER("8", "8", "PPPPDUKK"),
             more);
    struct mw_layout *l = parsed(text);
    mw_layout_budget(l, &b);
    mw_layout_free(l);
    return b;
}

START_TEST(local_store_decides_how_many_buckets_fit)
{
    struct mw_budget b = budget_of("");
    ck_assert_uint_eq(b.n_owners, 16);
    ck_assert_uint_eq(b.buckets_fit, 1024);
    ck_assert_uint_eq(b.bytes_used, 32768);
    ck_assert_uint_eq(b.bytes_free, 32768);
    ck_assert(b.fits);
    b = budget_of("spm 64K reserve 8K batch 256 buffers 4\n");
    ck_assert_uint_eq(b.buckets_fit, 896);
    ck_assert_uint_eq(b.bytes_used, 65536);
    ck_assert(!b.fits);
    b = budget_of("spm 64K reserve 0K batch 256 buffers 4\n");
    ck_assert_uint_eq(b.buckets_fit, 1024);
    ck_assert(b.fits);
}
END_TEST

/* 64 buckets of 4 GB - 1 KB times two buffers for each owner. */
START_TEST(budget_does_not_wrap)
{
    struct mw_budget b = budget_of("spm 64K batch 4194303K buffers 2\n");
    ck_assert_uint_eq(b.bucket_bytes, UINT64_C(4294966272) * 2);
    ck_assert_uint_eq(b.bytes_used, UINT64_C(4294966272) * 2 * 64);
    ck_assert_uint_eq(b.buckets_fit, 0);
    ck_assert(!b.fits);
    struct mw_layout *l = parsed("mesh 1 2\nroles PK\nroute P: then K\nbuckets 16777216\n"
                                 "spm 64K batch 4194303K buffers 65536\n");
    mw_layout_budget(l, &b);
    ck_assert_uint_eq(b.bytes_used, INT64_MAX); /* that many or more */
    ck_assert(!b.fits);
    mw_layout_free(l);
}
END_TEST

START_TEST(markers_are_counted_per_predecessor)
{
    struct mw_layout *l = parsed(PAPER("2", "5", "PDUK."));
    struct mw_hazards h;
    ck_assert_int_eq(mw_layout_hazards(l, &h), MW_OK);
    ck_assert_uint_eq(h.n_receivers, 6);
    ck_assert_uint_eq(h.n_markers, 8);
    ck_assert_uint_eq(h.most_markers, 2);
    ck_assert_uint_eq(h.n_two_classes, 1); /* D 1,1: from P 1,0 and from D 0,1 */
    ck_assert_uint_eq(h.two_classes, 6);
    ck_assert_uint_eq(h.n_unused, 0);
    mw_layout_free(l);
}
END_TEST

/* ---- edits ------------------------------------------------------------------------- */

static const struct {
    struct mw_edit_move move;
    const char *before, *after;
} moves[] = {
    {{MW_COLUMN, 1, 3, true, false}, "1,0 1,1 0,1 0,2", "1,0 1,3 0,3 0,2"},
    {{MW_COLUMN, 1, 3, false, false}, "1,0 1,1 0,1 0,2", "1,0 1,1 0,1 0,2"},
    {{MW_COLUMN, 1, 3, true, false}, "1,1 0,1", "1,1 1,3 0,3 0,1"},
    {{MW_COLUMN, 1, 3, true, false}, "0,1 2,1 1,1", "0,1 2,1 2,3 1,3 1,1"},
    {{MW_COLUMN, 1, 3, true, false}, "2,1 0,1 1,1", "2,1 2,3 0,3 0,1 1,1"},
    {{MW_COLUMN, 1, 2, true, false}, "1,2 1,1 0,1 0,2", "1,2 0,2"},
    {{MW_COLUMN, 1, 3, true, true}, "2,0 2,1 1,1 0,1 0,2", "2,0 2,3 0,3 0,2"},
    {{MW_ROW, 0, 3, false, false}, "1,0 0,0 0,1 1,1", "1,0 3,0 3,1 1,1"},
};
enum { N_MOVES = sizeof moves / sizeof moves[0] };

START_TEST(moved_hops_step_over_and_back)
{
    char text[64], name[MW_NODE_NAME], path[64] = "";
    const struct mw_edit edit = {.n_moves = 1, .move = {moves[_i].move}};
    struct mw_layout *edited;
    mw_core core[16];
    snprintf(text, sizeof text, "mesh 3 3\nflow %s\n", moves[_i].before);
    struct mw_layout *l = parsed(text);
    ck_assert_int_eq(mw_layout_edited(l, &edit, &edited), MW_OK);
    const uint32_t n = mw_layout_flow(edited, 0, core);
    for (uint32_t i = 0; i < n; i++)
        sprintf(path + strlen(path), "%s%s", i == 0 ? "" : " ",
                mw_core_name(edited, core[i], name));
    ck_assert_str_eq(path, moves[_i].after);
    mw_layout_free(edited);
    mw_layout_free(l);
}
END_TEST

START_TEST(edit_that_leaves_nothing_is_not_possible)
{
    struct mw_layout *edited, *l = parsed("mesh 2 2\nflow 0,0 0,1 0,0\n");
    const struct mw_edit drop = {.n_drops = 1};
    const struct mw_edit straight = {.n_moves = 1,
                                     .move = {{MW_ROW, 0, 2, true, .straight = true}}};
    ck_assert_int_eq(mw_layout_edited(l, &drop, &edited), MW_DONE);
    ck_assert_ptr_null(edited);
    ck_assert_int_eq(mw_layout_edited(l, &straight, &edited), MW_DONE);
    ck_assert_ptr_null(edited);
    mw_layout_free(l);
}
END_TEST

/* ---- fixes ------------------------------------------------------------------------- */

static const struct {
    const char *text, *first;
    uint64_t credits;
} repairs[] = {
    {TWO_WAY, "make column 1 one-way (add a second router column)", 9},
    {"mesh 3 2\nroles PTK\ntranspose\nroute P: any->T\nroute T: col-to-row, then K\n",
     "make row 1 one-way (add a second router row)", 9},
    {EXCHANGE, "drop flow 0 (0,0 > 0,1)", 9},
    {REPLY, NULL, 9},
    {XY("8", "AAAAAAAA"), NULL, 9},
    {"mesh 4 4\nroles PT.K\nroute P: any->T\nroute T: col-to-row, then K\n",
     "make column 1 one-way (its upward hops through column 2, which is unused)", 9},
    {"mesh 8 8\nroles PPPPTTKK\nroute P: any->T\nroute T: col-to-row, then K\n",
     "make column 4 one-way (its upward hops through column 5), column 5 one-way (its "
     "downward hops through column 4)",
     9},
    {"mesh 3 3\nroles PTK\nroute P: any->T\nroute T: col-to-row ring, then K\n",
     "make column 1 one-way with straight hops (add a second router column)", 14},
    {"mesh 2 2\nroles PK\nroute P: any->K\nroute K: col-to-row\n",
     "make column 1 one-way (add a second router column)", 9},
    {OPPOSITE, "make row 0 one-way (add a second router row)", 19},
    {CLOCKWISE, "drop 2 flows: 0 (0,0 > 0,1 > 1,1), 3 (1,0 > 0,0 > 0,1)", 19},
};
enum { N_REPAIRS = sizeof repairs / sizeof repairs[0], FIXES_MAX = 8 };

START_TEST(fixes_are_proved_and_end_with_the_credit_bound)
{
    struct mw_fix fix[FIXES_MAX];
    struct mw_layout *l = parsed(repairs[_i].text);
    struct mw_proof p = proved(l, MW_COUPLED);
    const uint32_t n = mw_layout_fixes(l, &p, fix, FIXES_MAX);
    ck_assert_uint_ge(n, 1);
    ck_assert_uint_eq(fix[n - 1].credits, repairs[_i].credits);
    for (uint32_t i = 0; i + 1 < n; i++)
        ck_assert(fix[i].proved && fix[i].credits == 0);
    if (repairs[_i].first != NULL)
        ck_assert_str_eq(fix[0].text, repairs[_i].first);
    else
        ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(mw_layout_fixes(l, &p, fix, 1), 1);
    ck_assert_uint_eq(fix[0].credits, repairs[_i].credits);
    mw_proof_fini(&p);
    mw_layout_free(l);
}
END_TEST

START_TEST(free_layout_needs_no_fix)
{
    struct mw_fix fix[1];
    struct mw_layout *l = parsed(PAPER("2", "4", "PDUK"));
    struct mw_proof p = proved(l, MW_COUPLED);
    ck_assert_uint_eq(mw_layout_fixes(l, &p, fix, 1), 0);
    mw_proof_fini(&p);
    mw_layout_free(l);
}
END_TEST

/* The fewest of at most seven flows without which the naive graph has no cycle, and of
 * which not all are dropped; more than MOST: not found. */
static uint32_t naive_drops(const struct mw_layout *l)
{
    enum { MOST = 8 };
    uint32_t best = MOST;
    for (uint32_t kept = 1; kept < UINT32_C(1) << l->n_flows; kept++) {
        const uint32_t n = (uint32_t)l->n_flows - (uint32_t)__builtin_popcount(kept);
        if (n < best && naive_free(naive_edges_of(l, MW_COUPLED, kept)))
            best = n;
    }
    return best;
}

static uint32_t drops_offered(const struct mw_fix *fix, uint32_t n)
{
    uint32_t n_flows;
    for (uint32_t i = 0; i < n; i++)
        if (strncmp(fix[i].text, "drop flow ", 10) == 0)
            return 1;
        else if (sscanf(fix[i].text, "drop %u flows", &n_flows) == 1)
            return n_flows;
    return 0;
}

START_TEST(no_smaller_set_of_flows_could_be_dropped)
{
    struct mw_fix fix[FIXES_MAX];
    struct mw_layout *l = random_listed((uint64_t)_i, 2, 3);
    struct mw_proof p = proved(l, MW_COUPLED);
    const uint32_t offered = drops_offered(fix, mw_layout_fixes(l, &p, fix, FIXES_MAX));
    if (!p.free) {
        const uint32_t fewest = naive_drops(l);
        ck_assert_uint_eq(offered, fewest <= MW_DROPS_MAX ? fewest : 0);
    }
    mw_proof_fini(&p);
    mw_layout_free(l);
}
END_TEST

/* ---- prose ------------------------------------------------------------------------- */

static char *explained(const struct mw_layout *l, enum mw_mesh_model m)
{
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    MUST(f != NULL && mw_layout_explain(l, m, false, f) == MW_OK);
    fclose(f);
    return text;
}

START_TEST(explanation_opens_with_the_verdict_and_is_the_same_twice)
{
    struct mw_layout *l = parsed(vectors[_i].text);
    for (int m = 0; m < MW_N_MODELS; m++) {
        char *one = explained(l, (enum mw_mesh_model)m);
        char *two = explained(l, (enum mw_mesh_model)m);
        const char *verdict = vectors[_i].cycle[m] == 0 ? "FREE (" : "DEADLOCK (";
        ck_assert_str_eq(one, two);
        ck_assert_int_eq(strncmp(one, verdict, strlen(verdict)), 0);
        free(one);
        free(two);
    }
    mw_layout_free(l);
}
END_TEST

START_TEST(explanation_names_the_cores_and_the_numbers)
{
    static const char *const facts[] = {
        "0,1 (T) holds a message that must go to 1,1 (T)",
        "0,1 -> 1,1: flow 1, 0,0 > 0,1 > 1,1 > 1,2",
        "2 x (4 + 0 + 1) = 10",
        "at most 9 messages",
        "alone is harmless",
        "decoupled: free",
        "make column 1 one-way (add a second router column)"};
    struct mw_layout *l = parsed(TWO_WAY);
    char *text = explained(l, MW_COUPLED);
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
        ck_assert_msg(strstr(text, facts[i]) != NULL, "%s", facts[i]);
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(explanation_of_a_cycle_not_reached_is_undecided)
{
    struct mw_layout *l = parsed(TWO_WAY);
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    MUST(f != NULL && mw_layout_explain(l, MW_COUPLED, true, f) == MW_OK);
    fclose(f);
    ck_assert_int_eq(strncmp(text, "UNDECIDED (coupled)", 19), 0);
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(explanation_of_a_wall_says_that_nothing_comes_through)
{
    struct mw_layout *l = parsed("fifo row 1 col 0\n" CLOCKWISE);
    char *text = explained(l, MW_LINK);
    ck_assert_int_eq(strncmp(text, "FREE (link)", 11), 0);
    ck_assert_ptr_nonnull(strstr(text, "column FIFOs of depth 0 take nothing"));
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(explanation_tells_ranks_as_roles)
{
    struct mw_layout *l = parsed(PAPER("8", "8", "PPPPDUKK"));
    char *text = explained(l, MW_COUPLED);
    ck_assert_ptr_nonnull(strstr(text, "rank 0    K: columns 6-7, all rows"));
    ck_assert_ptr_nonnull(strstr(text, "D to D, down       28 times"));
    free(text);
    mw_layout_free(l);
}
END_TEST

/* Chains of 25 and 26 cores. */
START_TEST(ranks_are_cut_only_where_some_are_left_out)
{
    const int n = 25 + _i;
    char flow[256] = "";
    for (int i = 0, at = 0; i < n; i++)
        at += snprintf(flow + at, sizeof flow - (size_t)at, " 0,%d", i);
    char statements[300];
    snprintf(statements, sizeof statements, "mesh 1 %d\nflow%s\n", n, flow);
    struct mw_layout *l = parsed(statements);
    char *text = explained(l, MW_COUPLED);
    ck_assert((strstr(text, "\n  ...\n") != NULL) == (n > 25));
    ck_assert((strstr(text, "  rank 12 ") != NULL) == (n == 25));
    free(text);
    mw_layout_free(l);
}
END_TEST

/* ---- out of memory ----------------------------------------------------------------- */

static int everything(const struct mw_layout *l, FILE *out)
{
    int rc = MW_OK;
    struct mw_proof p = {.free = false};
    struct mw_fix fix[2];
    struct mw_writers w;
    uint64_t n;
    MW_TRY(rc, mw_proof_make(l, MW_COUPLED, &p));
    MW_TRY(rc, mw_layout_writers(l, &w, 1, &n));
    mw_layout_fixes(l, &p, fix, 2);
    if (p.free)
        MW_TRY(rc, print_certificate(l, &p, out));
    MW_TRY(rc, mw_layout_explain(l, MW_COUPLED, false, out));
end:
    mw_proof_fini(&p);
    return rc;
}

START_TEST(memory_may_end_at_any_allocation)
{
    FILE *out = fopen("/dev/null", "w");
    struct mw_layout *l = parsed(_i == 0 ? PAPER("2", "4", "PDUK") : TWO_WAY);
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    /* What edits need is not missed: so go on until nothing has failed for a while. */
    for (uint64_t n = 1, good = 0; good < 200; n++) {
        mw_mem_fail_at(n);
        rc = everything(l, out);
        mw_mem_fail_at(0);
        MUST(rc == MW_OK || rc == MW_ERR_NOMEM);
        MUST(mw_mem_in_use() == before);
        good = rc == MW_OK ? good + 1 : 0;
    }
    mw_layout_free(l);
    fclose(out);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_advice");
    TCase *hazard = tcase_create("hazards"), *fix = tcase_create("fixes"),
          *prose = tcase_create("prose"), *memory = tcase_create("memory");
    tcase_add_test(hazard, second_writer_of_a_bucket_is_found);
    tcase_add_test(hazard, local_store_decides_how_many_buckets_fit);
    tcase_add_test(hazard, budget_does_not_wrap);
    tcase_add_test(hazard, markers_are_counted_per_predecessor);
    tcase_add_loop_test(fix, moved_hops_step_over_and_back, 0, N_MOVES);
    tcase_add_test(fix, edit_that_leaves_nothing_is_not_possible);
    tcase_add_loop_test(fix, fixes_are_proved_and_end_with_the_credit_bound, 0,
                        N_REPAIRS);
    tcase_add_loop_test(fix, no_smaller_set_of_flows_could_be_dropped, 0, 300);
    tcase_add_test(fix, free_layout_needs_no_fix);
    tcase_add_loop_test(prose, explanation_opens_with_the_verdict_and_is_the_same_twice,
                        0, N_VECTORS);
    tcase_add_test(prose, explanation_names_the_cores_and_the_numbers);
    tcase_add_test(prose, explanation_tells_ranks_as_roles);
    tcase_add_loop_test(prose, ranks_are_cut_only_where_some_are_left_out, 0, 2);
    tcase_add_test(prose, explanation_of_a_cycle_not_reached_is_undecided);
    tcase_add_test(prose, explanation_of_a_wall_says_that_nothing_comes_through);
    tcase_add_loop_test(memory, memory_may_end_at_any_allocation, 0, 2);
    suite_add_tcase(s, hazard);
    suite_add_tcase(s, fix);
    suite_add_tcase(s, prose);
    suite_add_tcase(s, memory);
    return run_suite(s);
}
