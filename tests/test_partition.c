/* test_partition.c -- who owns a vertex: dealt singly, in blocks, and shuffled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/partition.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

enum { SINGLY = 0, SHUFFLED = 64 }; /* else bits of a block */

static struct mw_partition deal(uint64_t n, uint32_t n_ranks, uint32_t how)
{
    const struct mw_partition p = mw_partition_of(n, 0, n_ranks);
    return how == SHUFFLED ? mw_partition_shuffled(p) : mw_partition_in_blocks(p, how);
}

/* Each vertex has a place of its own, and all places are taken. */
static void must_deal(uint64_t n, uint32_t n_ranks, uint32_t how)
{
    const struct mw_partition p = deal(n, n_ranks, how);
    uint8_t *taken = calloc(n, 1);
    MUST(taken != NULL);
    for (uint64_t v = 0; v < n; v++) {
        uint32_t owner;
        const uint64_t place = mw_locate(&p, v, &owner);
        MUST(owner < n_ranks && place < mw_places_at(&p, owner));
        MUST(mw_vertex(&p, owner, place) == v);
        MUST(taken[place * n_ranks + owner]++ == 0);
        MUST(mw_owner(&p, v) == owner);
    }
    free(taken);
}

static const uint32_t ways[] = {SINGLY, 1, 2, 6, 10, 20, SHUFFLED};
enum { N_WAYS = sizeof ways / sizeof *ways };

START_TEST(every_vertex_has_a_place_of_its_own)
{
    static const uint64_t sizes[] = {1, 2, 3, 5, 64, 1000, 1024, 1025, 65537, 100003};
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (uint32_t n_ranks = 1; n_ranks <= 40; n_ranks += 1 + n_ranks / 3)
            must_deal(sizes[i], n_ranks, ways[_i]);
}
END_TEST

START_TEST(large_numbers_come_back)
{
    const struct mw_partition p = deal((UINT64_C(1) << 40) - 12345, 40768, ways[_i]);
    for (uint64_t v = 3; v < p.n_vertices; v += p.n_vertices / 1000) {
        uint32_t owner;
        const uint64_t place = mw_locate(&p, v, &owner);
        ck_assert(owner < p.n_ranks && place < mw_places_at(&p, owner));
        ck_assert_uint_eq(mw_vertex(&p, owner, place), v);
    }
}
END_TEST

/* A rank has as many vertices as by single ones, and in their order; those of a block are all one rank's, but for
 * less than a block at each rank. */
START_TEST(blocks_stay_together_and_in_order)
{
    enum { N = 10007, RANKS = 3, BITS = 7, BLOCK = 1 << BITS };
    const struct mw_partition p = deal(N, RANKS, BITS), singly = deal(N, RANKS, SINGLY);
    const uint64_t in_turn = N / (RANKS * BLOCK) * (RANKS * BLOCK);
    uint64_t next[RANKS] = {0};
    for (uint64_t v = 0; v < N; v++) {
        uint32_t owner;
        const uint64_t place = mw_locate(&p, v, &owner);
        ck_assert_uint_eq(place, next[owner]++);
        if (v < in_turn)
            ck_assert_uint_eq(owner, v / BLOCK % RANKS);
        else if (v > in_turn)
            ck_assert_uint_ge(owner, mw_owner(&p, v - 1));
    }
    for (uint32_t r = 0; r < RANKS; r++) {
        ck_assert_uint_eq(next[r], mw_places_at(&p, r));
        ck_assert_uint_eq(next[r], mw_places_at(&singly, r));
    }
    ck_assert(mw_deals_singly(&singly) && !mw_deals_singly(&p));
}
END_TEST

/* The degrees of a rank that has most, over the mean. */
static double uneven(const struct mw_partition *p, uint64_t (*degree)(uint64_t v))
{
    uint64_t sum[64] = {0}, all = 0, most = 0;
    for (uint64_t v = 0; v < p->n_vertices; v++) {
        sum[mw_owner(p, v)] += degree(v);
        all += degree(v);
    }
    for (uint32_t r = 0; r < p->n_ranks; r++)
        most = mw_max(most, sum[r]);
    return (double)most * p->n_ranks / (double)all;
}

/* Hubs at a stride, hubs first, and both with degrees that fall. */
static uint64_t at_a_stride(uint64_t v)
{
    return v % 32 == 0 ? 500 : 4;
}
static uint64_t at_first(uint64_t v)
{
    return v < 4096 ? 400 : 4;
}
static uint64_t falling_at_a_stride(uint64_t v)
{
    return 3 + (v % 16 == 0 ? 200000 / (1000 + v / 16) : 0);
}

START_TEST(shuffled_hubs_are_dealt_evenly)
{
    static uint64_t (*const shapes[])(uint64_t) = {at_a_stride, at_first,
                                                   falling_at_a_stride};
    static const uint32_t n_ranks[] = {2, 8, 16, 32};
    static const uint64_t n = 200000;
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 4; k++) {
            const struct mw_partition p = deal(n, n_ranks[k], SHUFFLED);
            const double is = uneven(&p, shapes[i]);
            ck_assert_msg(is < 1.06, "shape %d, %u ranks: %g", i, n_ranks[k], is);
        }
    const struct mw_partition p = deal(n, 32, SINGLY);
    ck_assert_double_gt(uneven(&p, at_a_stride), 20); /* as they are numbered */
}
END_TEST

int main(void)
{
    Suite *s = suite_create("partition");
    TCase *t = tcase_create("partition");
    tcase_add_loop_test(t, every_vertex_has_a_place_of_its_own, 0, N_WAYS);
    tcase_add_loop_test(t, large_numbers_come_back, 0, N_WAYS);
    tcase_add_test(t, blocks_stay_together_and_in_order);
    tcase_add_test(t, shuffled_hubs_are_dealt_evenly);
    suite_add_tcase(s, t);
    return run_suite(s);
}
