/* test_core.c -- core numbers on every shape, route and kind of core, against their definition; and the
 * check against faults.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"
#include "sample.h"
#include "traversal/traversal.h"

extern const struct mw_algorithm mw_algorithm_core;

/* What is planted in an answer. */
enum fault { ONE_MORE, ONE_LESS, ALL_ZERO, DEGREES, FAULTS };

struct coring {
    const struct sample *sample;
    uint64_t *number; /* [n] */
    uint64_t most;
    bool shuffled;
};

/* By the definition: for each k who has fewer than k neighbours goes, again and again. */
static struct coring coring_of(const struct sample *s)
{
    struct coring c = {.sample = s, .number = calloc(s->n + 1, sizeof *c.number)};
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
            c.number[v] = gone[v] ? c.number[v] : k;
        c.most = n_left > 0 ? k : c.most;
    }
    free(gone);
    return c;
}

static int compare(const struct coring *c, struct mw_traversal *t)
{
    uint64_t fact[MW_FACTS_MAX];
    int rc = mw_algorithm_core.facts(t, fact);
    for (uint64_t p = 0; rc == MW_OK && p < t->graph->n_places; p++) {
        const mw_vid v = mw_vertex_at(t->graph, t->graph->comm->rank, p);
        EXPECT(mw_traversal_number(t, p) == c->number[v],
               "%s: the core number of %u is %u, not %u", c->sample->name, (unsigned)v,
               (unsigned)mw_traversal_number(t, p), (unsigned)c->number[v]);
    }
    EXPECT(fact[0] == c->most && fact[1] == t->n_levels, "%s: %u, not %u; %u rounds",
           c->sample->name, (unsigned)fact[0], (unsigned)c->most, (unsigned)fact[1]);
    return rc;
}

/* False: it is none in this answer, the same at all ranks. */
static bool plant(enum fault fault, const struct mw_traversal *t, const struct coring *c)
{
    void *const number = (void *)(uintptr_t)mw_traversal_values(t, 0);
    const struct mw_graph *const g = t->graph;
    bool any = false;
    for (uint64_t v = 0; v < c->sample->n; v++) {
        uint64_t place, is = c->number[v];
        if (fault == ONE_MORE || fault == ONE_LESS)
            is += v != c->sample->n / 2 ? 0
                  : fault == ONE_MORE   ? 1
                  : is > 0              ? UINT64_MAX
                                        : 0;
        else
            is = fault == ALL_ZERO ? 0 : sample_degree(c->sample, v);
        any = any || is != c->number[v];
        if (mw_is_mine(&g->partition, v, &place))
            mw_set_number(number, place, is, g->wide);
    }
    return any;
}

static int judge(struct mw_world *w, struct mw_edges *edges, struct mw_traversal *t,
                 const struct coring *c)
{
    const struct mw_check *const check = mw_algorithm_core.check;
    struct mw_verdict verdict, claim;
    void *k;
    int rc;
    MW_TRY(rc, check->open(w, edges, &k));
    MW_TRY(rc, mw_traversal_claim(t, &claim));
    MW_TRY(rc, check->run(k, t, MW_NO_VERTEX, &verdict));
    EXPECT(verdict.n_reached == c->sample->n && verdict.n_edges == claim.n_edges,
           "%u of %u", (unsigned)claim.n_edges, (unsigned)verdict.n_edges);
    for (int f = 0; f < FAULTS && mw_host_reaches(w->backend); f++) {
        if (!plant((enum fault)f, t, c))
            continue;
        rc = check->run(k, t, MW_NO_VERTEX, &verdict);
        EXPECT(rc == MW_ERR_INVALID && verdict.n_wrong[0] > 0, "%s: fault %d",
               c->sample->name, f);
        mw_error_clear();
    }
    rc = MW_OK;
end:
    check->close(k);
    return rc;
}

/* Twice: the second run must find everything as fresh as the first. */
static int find_cores(struct mw_world *w, void *arg)
{
    const struct coring *c = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    int rc;
    MW_TRY(rc, sample_share(c->sample, w->comm, &edges));
    edges.shuffled = c->shuffled;
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_core, NULL, w, g, &t));
    for (int k = 0; k < 2; k++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, MW_NO_VERTEX));
        MW_TRY(rc, mw_comm_agree(w->comm, compare(c, t)));
    }
    rc = mw_comm_agree(w->comm, judge(w, &edges, t, c));
end:
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

static void must_find(struct coring *c, uint32_t n_ranks, uint32_t width,
                      uint32_t threads, uint64_t seed)
{
    struct ranks r = {
        .loop = {n_ranks, (uint32_t)(seed % 3), seed}, .body = find_cores, .arg = c};
    with_threads(&r, threads);
    with_width(&r, width);
    c->shuffled = seed % 2;
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
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

/* All that this build has, meshes and devices as well. */
START_TEST(every_backend_has_the_same_cores)
{
    for (uint32_t b = 0; mw_backends[b] != NULL; b++) {
        uint64_t dice = mixed((uint64_t)_i + 10 * b);
        struct sample s = sample_random(dice);
        struct coring c = coring_of(&s);
        struct ranks r = {
            .loop = {1 + (uint32_t)_i % 4, 0, 0}, .body = find_cores, .arg = &c};
        r.world.backend = mw_backends[b]->name;
        r.world.n_threads = strcmp(r.world.backend, "openmp") == 0 ? 3 : 1;
        r.world.batch_bytes = 512;
        r.world.hang_timeout_s = HANG_S;
        with_width(&r, 1 + (uint32_t)drawn(&dice, r.loop.n_ranks));
        if (mw_backends[b]->disabled == NULL && !(UNDER_TSAN && mw_backends[b]->mesh))
            must_run(&r);
        free(c.number);
        sample_free(&s);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("core");
    TCase *t = tcase_create("core");
    tcase_add_loop_test(t, every_shape_has_its_cores, 0, SHAPES);
    tcase_add_loop_test(t, random_graphs_have_their_cores, 0, how_many(40, 24, 8));
    tcase_add_loop_test(t, cliques_keep_their_numbers, 0, how_many(5, 5, 3));
    tcase_add_loop_test(t, kronecker_graphs_have_their_cores, 0, how_many(5, 4, 3));
    tcase_add_loop_test(t, every_backend_has_the_same_cores, 0, how_many(8, 8, 4));
    suite_add_tcase(s, t);
    return run_suite(s);
}
