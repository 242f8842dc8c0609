/* test_generator.c -- the edge list against the check values of the official code,
 * and the fast path against the definition.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/generator.h"
#include "io/packed.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

static const uint64_t seed[2] = {2, 3};

/* Edge factor 16. "distinct" are unordered pairs of different vertices, degrees count
 * tuples without self-loops. */
static const struct expected {
    uint32_t scale;
    uint64_t sum_u, sum_v, xor_mix, packed_fnv1a64;
    uint64_t first[8][2], last[4][2];
    uint64_t n_self_loops, n_duplicates, n_distinct, n_connected;
    uint64_t max_degree, max_degree_vertex;
} expected[] = {
    {4,
     3015,
     1891,
     UINT64_C(0x1af35d21745c6ca2),
     UINT64_C(0x9d7f4f9456b68f1f),
     {{15, 3}, {15, 12}, {7, 12}, {15, 15}, {15, 15}, {1, 13}, {15, 4}, {15, 15}},
     {{8, 10}, {15, 7}, {1, 4}, {15, 13}},
     37,
     165,
     54,
     16,
     116,
     15},
    {10,
     8513287,
     8276180,
     UINT64_C(0x9d21879610a80073),
     UINT64_C(0x2387b69068a59e11),
     {{299, 797},
      {684, 861},
      {185, 385},
      {428, 328},
      {490, 200},
      {976, 998},
      {96, 959},
      {684, 699}},
     {{502, 185}, {318, 41}, {684, 944}, {206, 55}},
     144,
     5689,
     10551,
     899,
     1977,
     684},
    {16,
     UINT64_C(32675647445),
     UINT64_C(34680301298),
     UINT64_C(0x23d6fd650d53b129),
     UINT64_C(0x2a13816fcf9b4c5b),
     {{53430, 37000},
      {16463, 33235},
      {57163, 11309},
      {15642, 60592},
      {2586, 51971},
      {43593, 22689},
      {64091, 19182},
      {21240, 6521}},
     {{27527, 15279}, {46514, 65085}, {15329, 35449}, {47449, 59083}},
     491,
     138487,
     909598,
     46815,
     25485,
     16463},
};
enum { N_EXPECTED = sizeof expected / sizeof expected[0] };

static struct mw_kronecker k; /* 6 kB: not for the stack */

static void start(uint32_t scale, uint64_t n_edges)
{
    ck_assert_int_eq(mw_kronecker_init(&k, scale, n_edges, seed), MW_OK);
}

static void *room(uint64_t n, size_t size)
{
    void *p = malloc(n * size);
    ck_assert_ptr_nonnull(p);
    return p;
}

static uint32_t *whole_list(const struct expected *e)
{
    start(e->scale, UINT64_C(16) << e->scale);
    uint32_t *edge = room(2 * k.n_edges, sizeof *edge);
    mw_kronecker_edges(&k, 0, k.n_edges, edge, NULL);
    return edge;
}

/* Small and repeatable: which pieces to look at does not need good numbers. */
static uint64_t pick(uint64_t *state, uint64_t below)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (*state >> 11) % below;
}

/* Edges first .. first + n - 1, both widths, against the definition. */
static void expect_as_defined(uint64_t first, uint64_t n)
{
    uint32_t *narrow = k.scale <= 32 ? room(2 * n, sizeof *narrow) : NULL;
    uint64_t *wide = room(2 * n, sizeof *wide);
    mw_kronecker_edges(&k, first, n, NULL, wide);
    if (narrow != NULL)
        mw_kronecker_edges(&k, first, n, narrow, NULL);
    float *weight = room(n, sizeof *weight);
    mw_kronecker_weighted_edges(&k, first, n, NULL, wide, weight);
    for (uint64_t i = 0; i < n; i++) {
        mw_vid u, v;
        MUST(weight[i] == mw_kronecker_weight(&k, first + i));
        mw_kronecker_edge(&k, first + i, &u, &v);
        MUST(wide[2 * i] == u && wide[2 * i + 1] == v);
        MUST(narrow == NULL || (narrow[2 * i] == u && narrow[2 * i + 1] == v));
    }
    free(weight);
    free(narrow);
    free(wide);
}

START_TEST(scramble_has_the_official_numbers_at_every_scale)
{
    for (uint32_t scale = 1; scale <= MW_SCALE_MAX; scale++) {
        start(scale, 1);
        ck_assert_uint_eq(k.val[0], UINT64_C(0x62af6660b44fce69));
        ck_assert_uint_eq(k.val[1], UINT64_C(0x2a3d763b3a6b1f0c));
    }
}
END_TEST

START_TEST(list_has_the_official_sums)
{
    const struct expected *e = &expected[_i];
    uint32_t *edge = whole_list(e);
    uint64_t sum_u = 0, sum_v = 0, mix = 0, fnv = UINT64_C(0xcbf29ce484222325);
    for (uint64_t i = 0; i < k.n_edges; i++) {
        const uint64_t u = edge[2 * i], v = edge[2 * i + 1];
        unsigned char packed[MW_PACKED_BYTES];
        sum_u += u;
        sum_v += v;
        mix ^= u * UINT64_C(0x9E3779B97F4A7C15) + v;
        mw_edge_pack(u, v, packed);
        for (int b = 0; b < MW_PACKED_BYTES; b++)
            fnv = (fnv ^ packed[b]) * UINT64_C(0x100000001b3);
    }
    free(edge);
    ck_assert_uint_eq(sum_u, e->sum_u);
    ck_assert_uint_eq(sum_v, e->sum_v);
    ck_assert_uint_eq(mix, e->xor_mix);
    ck_assert_uint_eq(fnv, e->packed_fnv1a64);
}
END_TEST

START_TEST(list_begins_and_ends_officially)
{
    const struct expected *e = &expected[_i];
    uint32_t *edge = whole_list(e);
    for (int i = 0; i < 8; i++) {
        ck_assert_uint_eq(edge[2 * i], e->first[i][0]);
        ck_assert_uint_eq(edge[2 * i + 1], e->first[i][1]);
    }
    const uint32_t *tail = edge + 2 * (k.n_edges - 4);
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(tail[2 * i], e->last[i][0]);
        ck_assert_uint_eq(tail[2 * i + 1], e->last[i][1]);
    }
    free(edge);
}
END_TEST

static int by_value(const void *a, const void *b)
{
    const uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;
    return (x > y) - (x < y);
}

START_TEST(list_has_the_official_duplicates)
{
    const struct expected *e = &expected[_i];
    uint32_t *edge = whole_list(e);
    uint64_t *pair = room(k.n_edges, sizeof *pair), n = 0, n_distinct = 0;
    for (uint64_t i = 0; i < k.n_edges; i++) {
        const uint64_t u = edge[2 * i], v = edge[2 * i + 1];
        if (u != v)
            pair[n++] = mw_min(u, v) << 32 | mw_max(u, v);
    }
    qsort(pair, n, sizeof *pair, by_value);
    for (uint64_t i = 0; i < n; i++)
        n_distinct += i == 0 || pair[i] != pair[i - 1];
    free(pair);
    free(edge);
    ck_assert_uint_eq(k.n_edges - n, e->n_self_loops);
    ck_assert_uint_eq(n_distinct, e->n_distinct);
    ck_assert_uint_eq(n - n_distinct, e->n_duplicates);
}
END_TEST

START_TEST(list_has_the_official_degrees)
{
    const struct expected *e = &expected[_i];
    uint32_t *edge = whole_list(e);
    const uint64_t n_vertices = UINT64_C(1) << e->scale;
    uint64_t *degree = calloc(n_vertices, sizeof *degree), n_connected = 0, top = 0;
    ck_assert_ptr_nonnull(degree);
    for (uint64_t i = 0; i < k.n_edges; i++) {
        const bool counts = edge[2 * i] != edge[2 * i + 1];
        degree[edge[2 * i]] += counts;
        degree[edge[2 * i + 1]] += counts;
    }
    for (uint64_t v = 0; v < n_vertices; v++) {
        n_connected += degree[v] > 0;
        top = degree[v] > degree[top] ? v : top;
    }
    ck_assert_uint_eq(n_connected, e->n_connected);
    ck_assert_uint_eq(top, e->max_degree_vertex);
    ck_assert_uint_eq(degree[top], e->max_degree);
    free(degree);
    free(edge);
}
END_TEST

START_TEST(any_piece_equals_the_same_part_of_the_whole)
{
    const struct expected *e = &expected[1];
    uint32_t *whole = whole_list(e);
    uint32_t *piece = room(2 * k.n_edges, sizeof *piece);
    uint64_t state = 1;
    for (int i = 0; i < 400; i++) {
        /* short pieces too: they end within the first block */
        const uint64_t n = pick(&state, pick(&state, k.n_edges) + 1);
        const uint64_t first = pick(&state, k.n_edges - n + 1);
        piece[2 * n] = UINT32_C(0xDEADBEEF);
        mw_kronecker_edges(&k, first, n, piece, NULL);
        if (n > 0)
            ck_assert_mem_eq(piece, whole + 2 * first, 2 * n * sizeof *piece);
        ck_assert_uint_eq(piece[2 * n], UINT32_C(0xDEADBEEF));
    }
    free(piece);
    free(whole);
}
END_TEST

/* From the official code, as above. */
static const struct weights {
    uint32_t first_bits[8];
    uint64_t sum_bits;
} weights[N_EXPECTED] = {
    {{0x3d8d233b, 0x3ea587c6, 0x3cdb8137, 0x3f00569e, 0x3f49ee1f, 0x3f03ac1b, 0x3ea1a724,
      0x3f2f9a48},
     UINT64_C(269272286238)},
    {{0x3efaf79e, 0x3f074f26, 0x3f26bcd6, 0x3e86be0c, 0x3ef1f2f5, 0x3f062c2a, 0x3f1c09b6,
      0x3f4e8ce7},
     UINT64_C(17250528320299)},
    {{0x3ee899e6, 0x3f6a4882, 0x3eaa9b60, 0x3cd91bbd, 0x3dea1b40, 0x3e37b5da, 0x3eddb6eb,
      0x3ec9db6b},
     UINT64_C(1103920169654740)},
};

START_TEST(weights_are_the_official_ones)
{
    const struct weights *const must = &weights[_i];
    uint32_t *const plain = whole_list(&expected[_i]);
    uint32_t *const edge = room(2 * k.n_edges, sizeof *edge);
    float *const weight = room(k.n_edges, sizeof *weight);
    uint64_t sum = 0;
    mw_kronecker_weighted_edges(&k, 0, k.n_edges, edge, NULL, weight);
    for (uint64_t i = 0; i < k.n_edges; i++) {
        uint32_t bits;
        memcpy(&bits, &weight[i], sizeof bits);
        if (i < 8)
            ck_assert_uint_eq(bits, must->first_bits[i]);
        sum += bits;
    }
    ck_assert_uint_eq(sum, must->sum_bits);
    ck_assert_mem_eq(edge, plain, 2 * k.n_edges * sizeof *edge);
    free(weight);
    free(edge);
    free(plain);
}
END_TEST

START_TEST(fast_path_follows_the_definition_at_every_scale)
{
    const uint32_t scale = (uint32_t)_i;
    uint64_t state = scale;
    start(scale, UINT64_C(1) << 62);
    expect_as_defined(0, 200);
    for (int i = 0; i < 6; i++)
        expect_as_defined(pick(&state, UINT64_C(1) << (10 * i + 2)),
                          1 + pick(&state, 300));
    expect_as_defined(k.n_edges - 70, 70);
}
END_TEST

START_TEST(other_seeds_follow_the_definition_too)
{
    const uint64_t other[2] = {UINT64_C(0xFEDCBA9876543210), UINT64_MAX};
    ck_assert_int_eq(mw_kronecker_init(&k, 22, UINT64_C(1) << 26, other), MW_OK);
    expect_as_defined(12345, 1000);
}
END_TEST

/* The first outputs of edge i tell whether one is drawn again. */
static bool is_redrawn(const struct mw_random *at_edge)
{
    struct mw_random r = *at_edge;
    bool low = false;
    for (uint32_t level = 0; level < k.scale; level++)
        low |= mw_random_next(&r) < 3647;
    return low;
}

START_TEST(edges_that_redraw_follow_the_definition)
{
    const uint64_t n = 60000;
    uint32_t n_redrawn = 0;
    start((uint32_t)_i, n);
    struct mw_random r = k.seed;
    for (uint64_t i = 0; i < n; i++, mw_random_jump(&r, &k.forward[0])) {
        if (!is_redrawn(&r))
            continue;
        n_redrawn++;
        expect_as_defined(i, 1);
        expect_as_defined(i - mw_min(i, 100), mw_min(i, 100) + 1);
    }
    ck_assert_uint_ge(n_redrawn, 1);
}
END_TEST

START_TEST(impossible_scales_are_usage_errors)
{
    ck_assert_int_eq(mw_kronecker_init(&k, 0, 16, seed), MW_ERR_USAGE);
    ck_assert_int_eq(mw_kronecker_init(&k, MW_SCALE_MAX + 1, 16, seed), MW_ERR_USAGE);
}
END_TEST

START_TEST(packed_edges_keep_48_bits_and_their_sign)
{
    static const unsigned char layout[MW_PACKED_BYTES] = {
        0x66, 0x55, 0x44, 0x33, 0xCC, 0xBB, 0xAA, 0x09, 0x22, 0x11, 0x08, 0x07};
    unsigned char packed[MW_PACKED_BYTES];
    mw_vid u, v;
    mw_edge_pack(UINT64_C(0x112233445566), UINT64_C(0x070809AABBCC), packed);
    ck_assert_mem_eq(packed, layout, sizeof layout);
    mw_edge_unpack(packed, &u, &v);
    ck_assert_uint_eq(u, UINT64_C(0x112233445566));
    ck_assert_uint_eq(v, UINT64_C(0x070809AABBCC));

    mw_edge_pack(UINT64_MAX, (UINT64_C(1) << 47) - 1, packed);
    mw_edge_unpack(packed, &u, &v);
    ck_assert_uint_eq(u, UINT64_MAX);
    ck_assert_uint_eq(v, (UINT64_C(1) << 47) - 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("generator");
    TCase *tc = tcase_create("generator");
    tcase_add_test(tc, scramble_has_the_official_numbers_at_every_scale);
    tcase_add_loop_test(tc, list_has_the_official_sums, 0, N_EXPECTED);
    tcase_add_loop_test(tc, list_begins_and_ends_officially, 0, N_EXPECTED);
    tcase_add_loop_test(tc, list_has_the_official_duplicates, 0, N_EXPECTED);
    tcase_add_loop_test(tc, list_has_the_official_degrees, 0, N_EXPECTED);
    tcase_add_loop_test(tc, weights_are_the_official_ones, 0, N_EXPECTED);
    tcase_add_test(tc, any_piece_equals_the_same_part_of_the_whole);
    tcase_add_loop_test(tc, fast_path_follows_the_definition_at_every_scale, 1,
                        MW_SCALE_MAX + 1);
    tcase_add_test(tc, other_seeds_follow_the_definition_too);
    tcase_add_loop_test(tc, edges_that_redraw_follow_the_definition, 31, 34);
    tcase_add_test(tc, impossible_scales_are_usage_errors);
    tcase_add_test(tc, packed_edges_keep_48_bits_and_their_sign);
    suite_add_tcase(s, tc);

    return run_suite(s);
}
