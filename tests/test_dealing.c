/* test_dealing.c -- how many vertices of a list are dealt to ranks at a time.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/dealing.h"
#include "ranks.h"
#include "sample.h"

struct dealing {
    struct sample sample;
    struct mw_graph_rule rule;
    uint32_t block_bits; /* what must come of it */
    bool shuffled;
};

static int deal(struct mw_world *w, void *arg)
{
    const struct dealing *d = arg;
    struct mw_edges edges = {0};
    int rc;
    MW_TRY(rc, mw_comm_agree(w->comm, sample_share(&d->sample, w->comm, &edges)));
    MW_TRY(rc, mw_edges_deal(w->comm, &d->rule, &edges));
    EXPECT(edges.block_bits == d->block_bits, "blocks of %u bits", edges.block_bits);
    EXPECT(edges.shuffled == d->shuffled, "shuffled or not");
end:
    mw_edges_fini(&edges);
    return rc;
}

/* Frees the sample. */
static void must_be_dealt(struct dealing *d, uint32_t n_ranks)
{
    struct ranks r = {.loop = {n_ranks, 0, 1}, .body = deal, .arg = d};
    with_threads(&r, 0);
    sample_finish(&d->sample);
    must_run(&r);
    sample_free(&d->sample);
}

static struct sample rows_of(uint64_t width, uint64_t height)
{
    struct sample s = {.name = "grid", .n = width * height};
    for (uint64_t v = 0; v < s.n; v++) {
        if (v % width + 1 < width)
            sample_edge(&s, v, v + 1);
        if (v + width < s.n)
            sample_edge(&s, v, v + width);
    }
    return s;
}

/* 48,000 vertices of three ranks: 16 blocks each have up to 1000. */
START_TEST(a_grid_is_dealt_in_blocks)
{
    struct dealing d = {.sample = rows_of(120, 400), .block_bits = 9};
    must_be_dealt(&d, 3);
}
END_TEST

/* Each block of 512 is half of what 120 x 400 has a row: most edges leave them. */
START_TEST(rows_longer_than_blocks_are_dealt_singly)
{
    struct dealing d = {.sample = rows_of(2400, 20), .block_bits = 0};
    must_be_dealt(&d, 3);
}
END_TEST

START_TEST(random_edges_are_dealt_singly)
{
    struct dealing d = {.sample = {.name = "random", .n = 48000}};
    uint64_t dice = 4711;
    for (uint32_t i = 0; i < 60000; i++)
        sample_edge(&d.sample, drawn(&dice, d.sample.n), drawn(&dice, d.sample.n));
    must_be_dealt(&d, 3);
}
END_TEST

/* The first 2000 vertices have many edges: four blocks of 512 are no share of three ranks, and 16 of
 * 128 are, if their edges stay within. */
START_TEST(hubs_that_follow_each_other_take_smaller_blocks)
{
    static const uint64_t width[] = {16, 120};
    static const uint32_t bits[] = {7, 0};
    struct dealing d = {.sample = rows_of(width[_i], 48000 / width[_i]),
                        .block_bits = bits[_i]};
    for (uint64_t v = 0; v < 2000; v++)
        for (int i = 0; i < 40; i++)
            sample_edge(&d.sample, v, v ^ 1);
    must_be_dealt(&d, 3);
}
END_TEST

START_TEST(the_rule_goes_first)
{
    static const struct dealing cases[] = {
        {.rule = {.deal = 1}, .block_bits = 0},
        {.rule = {.deal = 2}, .block_bits = 1},
        {.rule = {.deal = 1000}, .block_bits = 9},
        {.rule = {.deal = UINT64_C(1) << 30}, .block_bits = 30},
        {.rule = {.shuffles = true}, .shuffled = true},
    };
    struct dealing d = cases[_i];
    d.sample = rows_of(120, 400);
    must_be_dealt(&d, 3);
}
END_TEST

/* Below 16 words of a bitmap each rank's blocks would be too few or too small; and one rank has all. */
START_TEST(few_vertices_are_dealt_singly)
{
    for (uint64_t n = 3 * 16 * 64 - 1; n <= 3 * 16 * 64; n++) {
        struct dealing d = {.sample = rows_of(1, n),
                            .block_bits = n == 3 * 16 * 64 ? 6 : 0};
        must_be_dealt(&d, 3);
    }
    struct dealing alone = {.sample = rows_of(120, 400)};
    must_be_dealt(&alone, 1);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("dealing");
    TCase *t = tcase_create("dealing");
    tcase_set_timeout(t, HANG_S);
    tcase_add_test(t, a_grid_is_dealt_in_blocks);
    tcase_add_test(t, rows_longer_than_blocks_are_dealt_singly);
    tcase_add_test(t, random_edges_are_dealt_singly);
    tcase_add_loop_test(t, hubs_that_follow_each_other_take_smaller_blocks, 0, 2);
    tcase_add_loop_test(t, the_rule_goes_first, 0, 5);
    tcase_add_test(t, few_vertices_are_dealt_singly);
    suite_add_tcase(s, t);
    return run_suite(s);
}
