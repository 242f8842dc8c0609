/* test_frontier.c -- what cores claim and sweeps put is the frontier, each label once.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "ranks.h"
#include "traversal/frontier.h"

enum { LABELS = 300000, LANES = 4 }; /* 74 parts, the last one short */

struct fixture {
    struct mw_frontier f;
    struct mw_graph g;
    uint64_t *row, *visited;
    uint8_t *expected; /* [LABELS] */
};

/* Label l has l % 7 edges, but the words in the middle of many have 3 for each. */
static uint64_t degree(uint64_t l)
{
    return l / 64 % 3 == 1 ? 3 : l % 7;
}

static int fixture_new(struct fixture *x, struct mw_world *w)
{
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    memset(x, 0, sizeof *x);
    MW_NEW(rc, x->row, "rows", LABELS + 1);
    MW_NEW(rc, x->visited, "visited", LABELS / 64 + 1);
    MW_NEW(rc, x->expected, "expected", LABELS);
    for (uint64_t l = 0; l < LABELS; l++)
        x->row[l + 1] = x->row[l] + degree(l);
    mw_frontier_sizes(LABELS, mw_world_lanes(w), true, &sizes);
    x->g.n_labels = LABELS;
    x->g.row = x->row;
    MW_TRY(rc, mw_frontier_init(&x->f, w, &sizes, &x->g));
    x->f.visited = x->visited;
    mw_frontier_clear(&x->f);
end:
    return rc;
}

static void fixture_free(struct fixture *x)
{
    mw_frontier_fini(&x->f);
    mw_free(x->row);
    mw_free(x->visited);
    mw_free(x->expected);
}

/* The frontier is what is expected: counted, and after its list is made, listed once each with
 * its edges; all of it is visited, nothing is marked. */
static int check(struct fixture *x)
{
    uint64_t n = 0, n_edges = 0, n_found, n_found_edges, at = 0;
    for (uint64_t l = 0; l < LABELS; l++) {
        n += x->expected[l];
        n_edges += x->expected[l] * degree(l);
    }
    mw_frontier_count(&x->f, &n_found, &n_found_edges);
    EXPECT(n_found == n && n_found_edges == n_edges, "%u of %u", (unsigned)n_found,
           (unsigned)n);
    mw_frontier_visit(&x->f);
    mw_frontier_list(&x->f);
    EXPECT(x->f.listed && x->f.n_list == n, "%u of %u listed", (unsigned)x->f.n_list,
           (unsigned)n);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t l = x->f.list[i];
        at += degree(l);
        EXPECT(l < LABELS && x->expected[l] == 1, "label %u", l);
        EXPECT(x->f.list_end[i] == at, "edges up to label %u", l);
        EXPECT((x->visited[l / 64] & UINT64_C(1) << (l & 63)) != 0,
               "label %u is not visited", l);
        x->expected[l] = 0; /* so not twice */
    }
    for (uint64_t v = 0; v < x->f.n_words; v++)
        EXPECT(mw_frontier_marks(&x->f, v) == 0, "a mark in word %u", (unsigned)v);
    return MW_OK;
}

/* Every `stride`-th label, from 0; each by one lane, and every second twice, where there
 * are more by two of them. */
static int claim_and_check(struct fixture *x, uint32_t stride)
{
    const uint32_t n_lanes = x->f.n_lanes;
    mw_frontier_begin(&x->f);
    for (uint32_t l = 0, i = 0; l < LABELS; l += stride, i++) {
        mw_frontier_claim(&x->f, i % n_lanes, l);
        if (i % 2 == 0)
            mw_frontier_claim(&x->f, (i + 1) % n_lanes, l);
        x->expected[l] = 1;
    }
    mw_frontier_join(&x->f);
    return check(x);
}

static int claims(struct mw_world *w, void *arg)
{
    struct fixture x;
    int rc;
    (void)arg;
    MW_TRY(rc, fixture_new(&x, w));
    MW_TRY(rc, claim_and_check(&x, 1000)); /* lists */
    MW_TRY(rc, claim_and_check(&x, 1));    /* marks, and a list by all cores */
    MW_TRY(rc, claim_and_check(&x, 99));   /* marks, and a list by one */
    MW_TRY(rc, claim_and_check(&x, LABELS));
end:
    fixture_free(&x);
    return rc;
}

static int puts_of_words(struct mw_world *w, void *arg)
{
    uint64_t bits[MW_PART_WORDS];
    struct fixture x;
    int rc;
    (void)arg;
    MW_TRY(rc, fixture_new(&x, w));
    mw_frontier_begin(&x.f);
    for (uint64_t p = 0; p < x.f.n_parts; p++) {
        const uint64_t first = p * MW_PART_WORDS;
        const uint64_t n = mw_min(MW_PART_WORDS, x.f.n_words - first);
        for (uint64_t i = 0; i < n; i++) {
            bits[i] = p % 3 == 1 ? 0 : (first + i) * UINT64_C(0x9e3779b97f4a7c15);
            bits[i] &= mw_frontier_unvisited(&x.f, first + i);
            for (uint64_t k = 0; k < 64 && 64 * (first + i) + k < LABELS; k++)
                x.expected[64 * (first + i) + k] = bits[i] >> k & 1;
        }
        mw_frontier_put(&x.f, (uint32_t)p % x.f.n_lanes, p, bits, n);
    }
    mw_frontier_swept(&x.f);
    MW_TRY(rc, check(&x));
end:
    fixture_free(&x);
    return rc;
}

static void on_cores(int i, int (*body)(struct mw_world *w, void *arg))
{
    struct ranks r = {.loop = {1, 0, 0}, .body = body};
    with_threads(&r, i == 0 ? 0 : LANES);
    must_run(&r);
}

START_TEST(claims_are_listed_once)
{
    on_cores(_i, claims);
}
END_TEST

START_TEST(words_of_sweeps_are_the_frontier)
{
    on_cores(_i, puts_of_words);
}
END_TEST

/* Bit i is mark i, whatever the others are. */
START_TEST(marks_are_bits)
{
    uint8_t mark[128] = {0};
    struct mw_frontier f = {.mark = mark};
    for (uint32_t i = 0; i < 64; i++) {
        mw_frontier_mark(&f, 64 + i);
        ck_assert_uint_eq(mw_frontier_marks(&f, 1), ~UINT64_C(0) >> (63 - i));
        ck_assert_uint_eq(mw_frontier_marks(&f, 0), 0);
    }
    ck_assert_uint_eq(mw_frontier_take_word(&f, 1), ~UINT64_C(0));
    ck_assert_uint_eq(mw_frontier_marks(&f, 1), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("frontier");
    TCase *t = tcase_create("frontier");
    tcase_add_loop_test(t, claims_are_listed_once, 0, 2);
    tcase_add_loop_test(t, words_of_sweeps_are_the_frontier, 0, 2);
    tcase_add_test(t, marks_are_bits);
    suite_add_tcase(s, t);
    return run_suite(s);
}
