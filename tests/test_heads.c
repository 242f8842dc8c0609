/* test_heads.c -- every variant of the first look does what the plain one does.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/heads.h"
#include "suite.h"

#include <stdlib.h>
#include <string.h>

enum { COLUMNS = 1 << 14 };

static uint64_t draw_state = 1;

static uint64_t draw(void)
{
    draw_state = draw_state * UINT64_C(6364136223846793005) + 1442695040888963407u;
    return draw_state >> 24;
}

/* Heads and names stand without gaps: of those in `has`, the next one at the next place. */
struct block {
    uint32_t head[64], name[64], parent[64];
    uint64_t has;
};

static void fill(struct block *b, uint64_t known[COLUMNS / 64], int density)
{
    for (int i = 0; i < 64; i++) {
        /* Mostly hubs, as in a graph. */
        b->head[i] = (uint32_t)(draw() % 4 == 0 ? draw() % COLUMNS : draw() % 700);
        b->name[i] = (uint32_t)draw();
        b->parent[i] = draw() % 5 == 0 ? (uint32_t)draw() % 1000 : UINT32_MAX;
    }
    memset(known, 0, COLUMNS / 8);
    for (int i = 0; i < COLUMNS; i++)
        if ((int)(draw() % 100) < density)
            known[i / 64] |= UINT64_C(1) << (i % 64);
}

static uint64_t mask_of(int trial)
{
    const uint64_t a = draw() ^ draw() << 30, b = draw() ^ draw() << 30;
    return trial % 5 == 0   ? ~UINT64_C(0)
           : trial % 5 == 1 ? a & b
           : trial % 5 == 2 ? a
                            : a | b;
}

/* The contract, said once more in the plainest way. */
static uint64_t oracle(struct block *b, const uint64_t *known, uint64_t waiting)
{
    uint64_t left = 0;
    for (int i = 0, at = 0; i < 64; at += (int)(b->has >> i & 1), i++) {
        if (!(waiting >> i & 1) || b->parent[i] != UINT32_MAX)
            continue;
        if (known[b->head[at] / 64] >> (b->head[at] % 64) & 1)
            b->parent[i] = b->name[at];
        else
            left |= UINT64_C(1) << i;
    }
    return left;
}

START_TEST(the_fastest_agrees_with_the_contract)
{
    uint64_t known[COLUMNS / 64];
    const char *name;
    const int n = how_many(20000, 20000, 2000);
    mw_heads *heads = mw_heads_find(false, &name);
    for (int trial = 0; trial < n; trial++) {
        struct block a, b;
        const uint64_t waiting = mask_of(trial);
        fill(&a, known, trial % 101);
        a.has = trial % 3 == 0 ? ~UINT64_C(0) : waiting | mask_of(trial / 5);
        b = a;
        const struct mw_heads_view view = {a.head, a.name, a.has, a.parent, known};
        const uint64_t left = heads(&view, waiting);
        ck_assert_uint_eq(left, oracle(&b, known, waiting));
        ck_assert_mem_eq(a.parent, b.parent, sizeof a.parent);
    }
}
END_TEST

START_TEST(wide_columns_agree_with_narrow_ones)
{
    uint64_t known[COLUMNS / 64];
    for (int trial = 0; trial < 1000; trial++) {
        struct block a;
        uint64_t head[64], name[64], parent[64];
        fill(&a, known, trial % 101);
        for (int i = 0; i < 64; i++) {
            head[i] = a.head[i];
            name[i] = a.name[i];
            parent[i] = a.parent[i] == UINT32_MAX ? UINT64_MAX : a.parent[i];
        }
        const uint64_t waiting = mask_of(trial);
        a.has = trial % 3 == 0 ? ~UINT64_C(0) : waiting | mask_of(trial / 5);
        const struct mw_heads_view wide = {head, name, a.has, parent, known};
        ck_assert_uint_eq(mw_heads_portable64(&wide, waiting),
                          oracle(&a, known, waiting));
        for (int i = 0; i < 64; i++)
            ck_assert_uint_eq(parent[i],
                              a.parent[i] == UINT32_MAX ? UINT64_MAX : a.parent[i]);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("heads");
    TCase *t = tcase_create("heads");
    tcase_add_test(t, the_fastest_agrees_with_the_contract);
    tcase_add_test(t, wide_columns_agree_with_narrow_ones);
    suite_add_tcase(s, t);
    return run_suite(s);
}
