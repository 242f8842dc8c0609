/* test_core.c -- core numbers on every shape, route and kind of core, against their definition; and the
 * check against faults.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers_body.h"

struct coring {
    struct answers answers; /* first */
    double *number;         /* [n] */
    uint64_t most;
};

static int compare_facts(const struct answers *x, struct mw_traversal *t)
{
    const struct coring *const c = (const struct coring *)x;
    uint64_t fact[MW_FACTS_MAX];
    const int rc = t->algorithm->facts(t, fact);
    /* Where cores meet by themselves, all rounds are one step. */
    EXPECT(fact[0] == c->most && (fact[1] == t->n_levels || t->n_levels == 1),
           "%s: %u, not %u; %u rounds", x->sample->name, (unsigned)fact[0],
           (unsigned)c->most, (unsigned)fact[1]);
    return rc;
}

/* By the definition: for each k who has fewer than k neighbours goes, again and again. */
static struct coring coring_of(const struct sample *s)
{
    struct coring c = {.number = calloc(s->n + 1, sizeof *c.number)};
    bool *gone = calloc(s->n + 1, sizeof *gone);
    MUST(c.number != NULL && gone != NULL);
    for (uint64_t k = 1, n_left = s->n; n_left > 0; k++) {
        for (bool again = true; again;) {
            again = false;
            for (uint64_t v = 0; v < s->n; v++) {
                uint64_t n = 0;
                for (uint64_t i = s->first[v]; !gone[v] && i < s->first[v + 1]; i++)
                    n += !gone[s->neighbour[i]];
                if (gone[v] || n >= k)
                    continue;
                gone[v] = again = true;
                n_left--;
            }
        }
        for (uint64_t v = 0; v < s->n; v++)
            c.number[v] = gone[v] ? c.number[v] : (double)k;
        c.most = n_left > 0 ? k : c.most;
    }
    free(gone);
    c.answers = (struct answers){.sample = s,
                                 .algorithm = "core",
                                 .key = MW_NO_VERTEX,
                                 .value = {c.number},
                                 .compare = compare_facts};
    return c;
}

/* By the host's cores, where changes are noticed. */
static void must_find(struct coring *c, uint32_t n_ranks, uint32_t width,
                      uint32_t threads, uint64_t seed)
{
    c->answers.shuffled = seed % 2;
    c->answers.block_bits = (uint32_t)(seed / 2 % 4);
    c->answers.damages = true;
    must_answer(&c->answers, threads == 0 ? "serial" : "openmp", n_ranks, width,
                (uint32_t)mw_max(threads, 1), seed);
}

START_TEST(every_shape_has_its_cores)
{
    struct sample s = sample_shape((enum shape)_i);
    struct coring c = coring_of(&s);
    const uint32_t step = (uint32_t)how_many(1, 1, 3);
    for (uint32_t n = 1; n <= 7; n += step)
        must_find(&c, n, 1 + n / 2 % n, n % 4, n);
    free(c.number);
    sample_free(&s);
}
END_TEST

START_TEST(random_graphs_have_their_cores)
{
    uint64_t dice = mixed((uint64_t)_i + 777);
    struct sample s = sample_random((uint64_t)_i + 6000);
    struct coring c = coring_of(&s);
    const uint32_t n = 1 + (uint32_t)drawn(&dice, 7);
    must_find(&c, n, 1 + (uint32_t)drawn(&dice, n), (uint32_t)drawn(&dice, 4),
              drawn(&dice, 3));
    free(c.number);
    sample_free(&s);
}
END_TEST

/* Cliques of 1, 2, 3, ... that hang together: numbers with each k, and hosts of equal degrees. */
START_TEST(cliques_keep_their_numbers)
{
    struct sample s = {.name = "chained cliques", .n = 153};
    for (uint64_t size = 1, first = 0; first + size <= s.n; first += size++) {
        for (uint64_t u = 0; u < size; u++)
            for (uint64_t v = 0; v < u; v++)
                sample_edge(&s, first + u, first + v);
        if (first > 0)
            sample_edge(&s, first, first - 1);
    }
    sample_finish(&s);
    struct coring c = coring_of(&s);
    ck_assert_uint_eq(c.most, 16);
    must_find(&c, 1 + (uint32_t)_i, 1 + (uint32_t)_i / 2, (uint32_t)_i % 3, (uint64_t)_i);
    free(c.number);
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_have_their_cores)
{
    struct sample s = sample_kronecker(5 + (uint32_t)_i);
    struct coring c = coring_of(&s);
    must_find(&c, 1 + (uint32_t)_i, 1 + (uint32_t)_i / 2, 2, 0);
    free(c.number);
    sample_free(&s);
}
END_TEST

START_TEST(every_backend_has_the_same_cores)
{
    const uint64_t dice = mixed((uint64_t)_i);
    struct sample s = sample_random(dice);
    struct coring c = coring_of(&s);
    must_answer_everywhere(&c.answers, dice);
    free(c.number);
    sample_free(&s);
}
END_TEST

/* Whoever of two ends goes first brings all others down at once: more than a core's boxes have room for. Behind it numbers jump, from 2
 * of a ring. */
START_TEST(more_come_down_than_boxes_take)
{
    struct sample s = {.name = "clique without pairs, and a ring", .n = 428};
    for (uint64_t u = 0; u < 384; u++)
        for (uint64_t v = 0; v < u; v++)
            if ((u ^ v) != 1 && !(u == 3 && v == 0))
                sample_edge(&s, u, v);
    for (uint64_t u = 384; u < s.n; u++)
        sample_edge(&s, u, u + 1 < s.n ? u + 1 : 384);
    sample_finish(&s);
    struct coring c = coring_of(&s);
    ck_assert_uint_eq(c.most, 381);
    must_find(&c, 1 + (uint32_t)_i / 4, 1, 1 + 3 * ((uint32_t)_i % 4), 0);
    free(c.number);
    sample_free(&s);
}
END_TEST

/* Who goes first has long rows, which lead to some that stay: boxes are full in the middle of a row, which goes on there. */
START_TEST(rows_go_on_where_boxes_were_full)
{
    enum { STAYING = 300, OTHERS = 400, EACH = 100 };
    struct sample s = {.name = "clique with others beside", .n = STAYING + OTHERS};
    for (uint64_t u = 0; u < STAYING; u++)
        for (uint64_t v = 0; v < u; v++)
            sample_edge(&s, u, v);
    for (uint64_t u = 0; u < OTHERS; u++)
        for (uint64_t i = 0; i < EACH; i++)
            sample_edge(&s, STAYING + u, (u + 3 * i) % STAYING);
    sample_finish(&s);
    struct coring c = coring_of(&s);
    ck_assert_uint_eq(c.most, STAYING - 1);
    must_find(&c, 2, 1, 1 + (uint32_t)_i, 0);
    free(c.number);
    sample_free(&s);
}
END_TEST

/* From the corners of a grid chains go through all of it, and some cores have no corner. */
START_TEST(chains_go_through_all_cores)
{
    const uint64_t side = (uint64_t)how_many(200, 150, 60);
    struct sample s = {.name = "grid", .n = side * side};
    for (uint64_t u = 0; u < s.n; u++) {
        if (u % side + 1 < side)
            sample_edge(&s, u, u + 1);
        if (u + side < s.n)
            sample_edge(&s, u, u + side);
    }
    sample_finish(&s);
    struct coring c = coring_of(&s);
    ck_assert_uint_eq(c.most, 2);
    must_find(&c, 1 + (uint32_t)_i % 3, 1, 2 + (uint32_t)_i, 0);
    free(c.number);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("core");
    TCase *t = tcase_create("core");
    tcase_add_loop_test(t, every_shape_has_its_cores, 0, SHAPES);
    tcase_add_loop_test(t, random_graphs_have_their_cores, 0, how_many(40, 24, 8));
    tcase_add_loop_test(t, cliques_keep_their_numbers, 0, how_many(5, 5, 3));
    tcase_add_loop_test(t, more_come_down_than_boxes_take, 0, how_many(8, 8, 6));
    tcase_add_loop_test(t, rows_go_on_where_boxes_were_full, 0, 2);
    tcase_add_loop_test(t, chains_go_through_all_cores, 0, how_many(9, 6, 4));
    tcase_add_loop_test(t, kronecker_graphs_have_their_cores, 0, how_many(5, 4, 3));
    tcase_add_loop_test(t, every_backend_has_the_same_cores, 0, how_many(8, 8, 4));
    suite_add_tcase(s, t);
    return run_suite(s);
}
