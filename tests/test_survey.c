/* test_survey.c -- survey.h and contract.h against a union-find and all-pairs levels.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/contract.h"
#include "graph500/survey.h"
#include "sample.h"

struct facts {
    uint64_t n_components, n_isolated, n_largest, n_pairs, n_loops, diameter, degree_most;
};

static struct facts facts_of(const struct sample *s)
{
    struct facts f = {0};
    uint32_t *level = malloc((s->n + 1) * sizeof *level);
    bool *seen = calloc(s->n + 1, sizeof *seen);
    MUST(level != NULL && seen != NULL);
    for (uint64_t i = 0; i < s->m; i++)
        f.n_loops += s->edge[i][0] == s->edge[i][1];
    for (uint64_t v = 0; v < s->n; v++) {
        const uint64_t deepest = sample_levels(s, v, level) - 1;
        uint64_t n = 0;
        f.n_components += !seen[v];
        for (uint64_t u = 0; u < s->n; u++)
            if (level[u] != UINT32_MAX) {
                seen[u] = true;
                n++;
            }
        f.n_isolated += n == 1;
        f.n_largest = mw_max(f.n_largest, n);
        f.n_pairs += sample_degree(s, v);
        f.degree_most = mw_max(f.degree_most, sample_degree(s, v));
        f.diameter = mw_max(f.diameter, deepest);
    }
    f.n_pairs /= 2;
    free(level);
    free(seen);
    return f;
}

/* The distance of two vertices; UINT32_MAX: there is no way. */
static uint32_t distance(const struct sample *s, uint64_t u, uint64_t v)
{
    uint32_t *level = malloc((s->n + 1) * sizeof *level);
    MUST(level != NULL);
    (void)sample_levels(s, u, level);
    const uint32_t answer = level[v];
    free(level);
    return answer;
}

static int check_survey(const struct sample *s, const struct facts *f,
                        const struct mw_survey *is)
{
    uint64_t sum = 0;
    for (int k = 0; k < MW_DEGREE_CLASSES; k++) {
        uint64_t n = 0;
        for (uint64_t v = 0; v < s->n; v++) {
            const uint64_t d = sample_degree(s, v);
            n += k == 0 ? d == 0 : d >= UINT64_C(1) << (k - 1) && d < UINT64_C(1) << k;
        }
        EXPECT(is->n_of_degree[k] == n, "class %d", k);
        sum += n;
    }
    EXPECT(sum == s->n, "%s", s->name);
    EXPECT(is->n_vertices == s->n && is->n_edges == s->m, "%s", s->name);
    EXPECT(is->n_self_loops == f->n_loops && is->n_distinct == f->n_pairs, "%s", s->name);
    EXPECT(is->n_duplicates == s->m - f->n_loops - f->n_pairs, "%s", s->name);
    EXPECT(is->n_isolated == f->n_isolated, "%s", s->name);
    EXPECT(is->n_components == f->n_components, "%s: %u of %u", s->name,
           (unsigned)is->n_components, (unsigned)f->n_components);
    EXPECT(is->n_largest == f->n_largest, "%s: %u of %u", s->name,
           (unsigned)is->n_largest, (unsigned)f->n_largest);
    EXPECT(is->degree_most == f->degree_most, "%s", s->name);
    /* Half of it is certain where there is one component to search. */
    const bool one = f->n_components == f->n_isolated + 1;
    EXPECT(is->diameter <= f->diameter && (!one || 2 * is->diameter >= f->diameter),
           "%s: %u of %u", s->name, (unsigned)is->diameter, (unsigned)f->diameter);
    if (f->n_pairs > 0)
        EXPECT(distance(s, is->from, is->to) == is->diameter, "%s", s->name);
    return MW_OK;
}

struct known {
    const struct sample *sample;
    struct facts facts;
};

static int survey(struct mw_world *w, void *arg)
{
    const struct known *k = arg;
    const struct sample *s = k->sample;
    struct mw_survey is;
    struct mw_edges e;
    int rc;
    MW_TRY(rc, mw_comm_agree(w->comm, sample_share(s, w->comm, &e)));
    MW_TRY(rc, mw_survey_make(w, &e, &is));
    MW_TRY(rc, mw_comm_agree(w->comm, check_survey(s, &k->facts, &is)));
end:
    mw_edges_fini(&e);
    return rc;
}

/* The same by contraction, which has the number only. */
static int contract(struct mw_world *w, void *arg)
{
    const struct known *k = arg;
    struct mw_edges e;
    uint64_t n = 0;
    int rc;
    MW_TRY(rc, mw_comm_agree(w->comm, sample_share(k->sample, w->comm, &e)));
    MW_TRY(rc, mw_contract_count(w->comm, &e, &n));
    EXPECT(n == k->facts.n_components, "%s: %u", k->sample->name, (unsigned)n);
end:
    mw_edges_fini(&e);
    return rc;
}

static void must_know(const struct sample *s, uint32_t n_ranks)
{
    int (*const bodies[])(struct mw_world * w, void *arg) = {survey, contract};
    struct known known = {s, facts_of(s)};
    for (int i = 0; i < 2; i++) {
        struct ranks r = {
            .loop = {n_ranks, 1 + n_ranks / 2, 0}, .body = bodies[i], .arg = &known};
        with_threads(&r, 0);
        with_width(&r, 1);
        must_run(&r);
    }
}

START_TEST(every_shape_is_known)
{
    struct sample s = sample_shape((enum shape)_i);
    for (uint32_t n_ranks = 1; n_ranks <= 3; n_ranks += 2)
        must_know(&s, n_ranks);
    sample_free(&s);
}
END_TEST

START_TEST(random_multigraphs_are_known)
{
    struct sample s = sample_random((uint64_t)_i);
    must_know(&s, 1 + (uint32_t)_i % 5);
    sample_free(&s);
}
END_TEST

/* The highest degree is in a small component, and numbers along the path are mixed, so that a
 * contraction by rising numbers would crawl. */
START_TEST(the_largest_component_may_be_another)
{
    struct sample s = {.name = "star and path", .n = 300};
    for (uint64_t i = 1; i < 20; i++)
        sample_edge(&s, 0, 7 * i % 300);
    for (uint64_t i = 0; i + 1 < 200; i++) {
        uint64_t u = 1 + 77 * i % 299, v = 1 + 77 * (i + 1) % 299;
        if (u % 7 != 0 && v % 7 != 0)
            sample_edge(&s, u, v);
    }
    for (uint64_t i = 0; i < 60; i++)
        sample_edge(&s, 141 + i, 142 + i);
    sample_finish(&s);
    for (uint32_t n_ranks = 1; n_ranks <= 4; n_ranks += 3)
        must_know(&s, n_ranks);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("survey");
    TCase *t = tcase_create("survey");
    tcase_add_loop_test(t, every_shape_is_known, 0, SHAPES);
    tcase_add_loop_test(t, random_multigraphs_are_known, 0, how_many(40, 40, 20));
    tcase_add_test(t, the_largest_component_may_be_another);
    suite_add_tcase(s, t);
    return run_suite(s);
}
