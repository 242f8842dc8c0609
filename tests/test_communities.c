/* test_communities.c -- communities on every kind of core and route, against label propagation as the
 * specification has it, vertex by vertex.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "answers_body.h"

struct propagation {
    struct answers answers; /* first */
    struct sample back;     /* directed: the edges turned round */
    double *community;      /* [n] */
    char tune[40];
};

/* The most frequent label of v's neighbours in one or both graphs, of several the least. O(d^2). */
static uint64_t heard_most(const struct sample *const s[2], uint32_t n_ways, uint64_t v,
                           const uint64_t *label)
{
    uint64_t best = label[v], most = 0;
    for (uint32_t w = 0; w < n_ways; w++)
        for (uint64_t k = s[w]->first[v]; k < s[w]->first[v + 1]; k++) {
            const uint64_t is = label[s[w]->neighbour[k]];
            uint64_t n = 0;
            for (uint32_t x = 0; x < n_ways; x++)
                for (uint64_t i = s[x]->first[v]; i < s[x]->first[v + 1]; i++)
                    n += label[s[x]->neighbour[i]] == is;
            if (n > most || (n == most && is < best)) {
                most = n;
                best = is;
            }
        }
    return best;
}

static void propagation_init(struct propagation *p, const struct sample *s,
                             uint32_t iterations)
{
    uint64_t *const label = malloc(s->n * sizeof *label), *const next =
                                                              malloc(s->n * sizeof *next);
    memset(p, 0, sizeof *p);
    p->back = s->directed ? sample_reversed(s) : (struct sample){0};
    p->community = malloc(s->n * sizeof *p->community);
    MUST(label != NULL && next != NULL && p->community != NULL);
    const struct sample *const ways[2] = {s, &p->back};
    for (uint64_t v = 0; v < s->n; v++)
        label[v] = v;
    for (uint32_t i = 0; i < iterations; i++) {
        for (uint64_t v = 0; v < s->n; v++)
            next[v] = heard_most(ways, s->directed ? 2 : 1, v, label);
        memcpy(label, next, s->n * sizeof *label);
    }
    for (uint64_t v = 0; v < s->n; v++)
        p->community[v] = (double)label[v];
    snprintf(p->tune, sizeof p->tune, "iterations=%u", iterations);
    p->answers = (struct answers){.sample = s,
                                  .algorithm = "communities",
                                  .tune = p->tune,
                                  .key = MW_NO_VERTEX,
                                  .value = {p->community}};
    free(label);
    free(next);
}

static void propagation_free(struct propagation *p)
{
    sample_free(&p->back);
    free(p->community);
}

static void must_propagate(struct sample *s, uint32_t iterations, uint64_t dice)
{
    struct propagation p;
    propagation_init(&p, s, iterations);
    must_answer_everywhere(&p.answers, dice);
    propagation_free(&p);
    sample_free(s);
}

START_TEST(every_shape_has_its_communities)
{
    struct sample s = sample_shape((enum shape)(_i / 2));
    if (_i % 2)
        sample_direct(&s);
    must_propagate(&s, 10, (uint64_t)_i);
}
END_TEST

START_TEST(random_graphs_have_their_communities)
{
    uint64_t dice = mixed((uint64_t)_i + 17);
    struct sample s = sample_random((uint64_t)_i + 5000);
    if (drawn(&dice, 2))
        sample_direct(&s);
    must_propagate(&s, 1 + (uint32_t)drawn(&dice, 5), dice);
}
END_TEST

START_TEST(kronecker_graphs_have_their_communities)
{
    struct sample s = sample_kronecker(6 + (uint32_t)_i / 2);
    if (_i % 2)
        sample_direct(&s);
    must_propagate(&s, 10, (uint64_t)_i + 50);
}
END_TEST

/* Cliques that share an edge with the next one: each is a community of its own in the end. */
START_TEST(cliques_in_a_ring_are_communities)
{
    enum { CLIQUES = 12, SIZE = 6 };
    struct sample s = {.name = "cliques", .n = CLIQUES * SIZE};
    for (uint64_t c = 0; c < CLIQUES; c++) {
        for (uint64_t u = 0; u < SIZE; u++)
            for (uint64_t v = 0; v < u; v++)
                sample_edge(&s, SIZE * c + u, SIZE * c + v);
        sample_edge(&s, SIZE * c + SIZE - 1, SIZE * ((c + 1) % CLIQUES) + 1);
    }
    sample_finish(&s);
    struct propagation p;
    propagation_init(&p, &s, 10);
    for (uint64_t v = 0; v < s.n; v++)
        ck_assert_uint_eq((uint64_t)p.community[v], v / SIZE * SIZE);
    must_answer_everywhere(&p.answers, 3);
    propagation_free(&p);
    sample_free(&s);
}
END_TEST

/* 0 <-> 1, 2 -> 1, 3 -> 1: both ways counts twice, so 1 hears most of 0. */
START_TEST(a_neighbour_both_ways_counts_twice)
{
    struct sample s = {.name = "both ways", .n = 6};
    sample_edge(&s, 5, 1);
    sample_edge(&s, 1, 5);
    sample_edge(&s, 2, 1);
    sample_edge(&s, 1, 3);
    sample_edge(&s, 1, 1);
    sample_edge(&s, 2, 1);
    sample_finish(&s);
    sample_direct(&s);
    struct propagation p;
    propagation_init(&p, &s, 1);
    ck_assert_uint_eq((uint64_t)p.community[1], 5);
    must_answer_everywhere(&p.answers, 4);
    propagation_free(&p);
    sample_free(&s);
}
END_TEST

START_TEST(wrong_communities_are_noticed)
{
    struct sample s = _i % 2 ? sample_random((uint64_t)_i + 90) : sample_kronecker(6);
    if (_i / 2 % 2)
        sample_direct(&s);
    struct propagation p;
    propagation_init(&p, &s, 3);
    p.answers.damages = true;
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks += 2)
        must_answer(&p.answers, n_ranks == 3 ? "openmp" : "serial", n_ranks,
                    1 + n_ranks / 2, 1, 0);
    propagation_free(&p);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("communities");
    TCase *t = tcase_create("communities");
    tcase_add_loop_test(t, every_shape_has_its_communities, 0, 2 * SHAPES);
    tcase_add_loop_test(t, random_graphs_have_their_communities, 0, how_many(24, 24, 8));
    tcase_add_loop_test(t, kronecker_graphs_have_their_communities, 0, how_many(4, 4, 2));
    tcase_add_test(t, cliques_in_a_ring_are_communities);
    tcase_add_test(t, a_neighbour_both_ways_counts_twice);
    tcase_add_loop_test(t, wrong_communities_are_noticed, 0, how_many(8, 8, 4));
    suite_add_tcase(s, t);
    return run_suite(s);
}
