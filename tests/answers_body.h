/* answers_body.h -- an algorithm of the tree, by its name, compared vertex by vertex with what a suite
 * expects; and its check, which must find that right, and a value that is changed wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ANSWERS_BODY_H
#define ANSWERS_BODY_H

#include "algorithms/algorithms.h"
#include "apart.h"
#include "sample.h"
#include "traversal/traversal.h"

#include <math.h>

struct answers {
    const struct sample *sample;
    const char *algorithm;
    const char *tune; /* keys; NULL: none */
    mw_vid key;
    const double *value[MW_VALUES_MAX]; /* [n] each; NaN: none. NULL: any */
    struct mw_graph_rule rule;
    bool shuffled;       /* vertices are dealt so */
    uint32_t block_bits; /* or so */
    bool damages;        /* values are changed, which must be noticed */
    /* What else is to be compared after a run, and what else the check must notice; NULL: nothing. */
    int (*compare)(const struct answers *x, struct mw_traversal *t);
    int (*judge)(const struct answers *x, struct mw_traversal *t, void *check);
};

static inline const struct mw_algorithm *algorithm_named(const char *name)
{
    uint32_t i = 0;
    while (strcmp(mw_algorithms[i]->name, name) != 0)
        i++;
    return mw_algorithms[i];
}

static inline int compare_answers(const struct answers *x, struct mw_traversal *t)
{
    const struct mw_graph *const g = t->graph;
    for (uint32_t i = 0; i < t->algorithm->n_values; i++)
        for (uint64_t p = 0; x->value[i] != NULL && p < g->n_places; p++) {
            const mw_vid v = mw_vertex_at(g, g->comm->rank, p);
            const double expected = x->value[i][v];
            const double is = (double)mw_traversal_real(t, i, p);
            EXPECT(mw_value_agrees(&t->algorithm->value[i], is, expected),
                   "%s: the %s of %u is %.9g, not %.9g", x->sample->name,
                   t->algorithm->value[i].name, (unsigned)v, is, expected);
        }
    return x->compare != NULL ? x->compare(x, t) : MW_OK;
}

/* Value `which` of one vertex is another one: by its owner, who has it in memory. */
static inline void damage(const struct mw_traversal *t, uint32_t which, uint64_t place)
{
    void *const table = (void *)(uintptr_t)mw_traversal_values(t, which);
    const bool wide = mw_value_is_wide(&t->algorithm->value[which], t->graph->wide);
    if (t->algorithm->value[which].type == MW_VALUE_REAL)
        ((float *)table)[place] = ((float *)table)[place] * 1.01f + 0.01f;
    else
        mw_set_number(table, place, mw_number(table, place, wide) ^ 1, wide);
}

static inline void restore(const struct mw_traversal *t, uint32_t which, uint64_t place,
                           uint64_t bits)
{
    void *const table = (void *)(uintptr_t)mw_traversal_values(t, which);
    const bool wide = t->algorithm->value[which].type != MW_VALUE_REAL &&
                      mw_value_is_wide(&t->algorithm->value[which], t->graph->wide);
    mw_set_number(table, place, bits, wide);
}

static inline int notice_damage(const struct answers *x, const struct mw_traversal *t,
                                void *check, uint32_t which, mw_vid v)
{
    const bool wide = t->algorithm->value[which].type != MW_VALUE_REAL &&
                      mw_value_is_wide(&t->algorithm->value[which], t->graph->wide);
    struct mw_verdict verdict;
    uint64_t place, was = 0;
    const bool mine = mw_is_mine(&t->graph->partition, v, &place);
    if (mine) {
        was = mw_number(mw_traversal_values(t, which), place, wide);
        damage(t, which, place);
    }
    mw_error_clear();
    const int rc = t->algorithm->check->run(check, t, x->key, &verdict);
    uint64_t n_wrong = 0;
    for (uint32_t i = 0; i < MW_CHECK_RULES; i++)
        n_wrong += verdict.n_wrong[i];
    if (mine)
        restore(t, which, place, was);
    EXPECT(rc == MW_ERR_INVALID && n_wrong > 0, "%s: %s of %u: rc %d", x->sample->name,
           t->algorithm->value[which].name, (unsigned)v, rc);
    return MW_OK;
}

static inline int judge_answers(const struct answers *x, const struct mw_traversal *t,
                                void *check)
{
    const uint64_t n = x->sample->n;
    struct mw_verdict claim, verdict;
    int rc;
    MW_TRY(rc, mw_traversal_claim((struct mw_traversal *)(uintptr_t)t, &claim));
    MW_TRY(rc, t->algorithm->check->run(check, t, x->key, &verdict));
    EXPECT(claim.n_edges == verdict.n_edges, "%s: %u edges claimed, %u there",
           x->sample->name, (unsigned)claim.n_edges, (unsigned)verdict.n_edges);
    for (uint32_t i = 0; x->damages && i < t->algorithm->n_values; i++)
        for (uint64_t k = 0; k < 3; k++)
            MW_TRY(rc, mw_comm_agree(t->world->comm,
                                     notice_damage(x, t, check, i, k * (n - 1) / 2)));
end:
    return rc;
}

/* Twice: the second run must find everything as fresh as the first. */
static inline int answer_and_check(struct mw_world *w, void *arg)
{
    const struct answers *x = arg;
    const struct mw_algorithm *const a = algorithm_named(x->algorithm);
    const struct mw_keyed of = {a->keys,
                                calloc(1, a->keys != NULL ? a->keys->options_bytes : 1)};
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    void *check = NULL;
    int rc;
    MUST(of.options != NULL);
    mw_keys_default(&of);
    MW_TRY(rc, mw_keys_read("test", x->tune, &of, 1));
    MW_TRY(rc, sample_share(x->sample, w->comm, &edges));
    edges.shuffled = x->shuffled;
    edges.block_bits = x->block_bits;
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &edges, &x->rule, &g));
    MW_TRY(rc, mw_traversal_new(a, of.options, w, g, &t));
    MW_TRY(rc, a->check->open(mw_world_host_side(w), &edges, &check));
    for (int k = 0; k < 2; k++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, x->key));
        MW_TRY(rc, mw_comm_agree(w->comm, compare_answers(x, t)));
    }
    MW_TRY(rc, judge_answers(x, t, check));
    if (x->judge != NULL)
        MW_TRY(rc, mw_comm_agree(w->comm, x->judge(x, t, check)));
end:
    if (a->check != NULL)
        a->check->close(check);
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    free(of.options);
    return rc;
}

/* On so many ranks, in groups of `width`; `own`: by this backend, which is none of the build. */
static inline void must_answer_by(struct answers *x, const struct mw_backend *own,
                                  const char *backend, uint32_t n_ranks, uint32_t width,
                                  uint32_t threads, uint64_t seed)
{
    struct ranks r = {.loop = {n_ranks, (uint32_t)(seed % 3), seed},
                      .body = answer_and_check,
                      .arg = x};
    with_width(&r, width);
    r.world.backend = backend;
    r.world.own_backend = own;
    r.world.n_threads = threads;
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

static inline void must_answer(struct answers *x, const char *backend, uint32_t n_ranks,
                               uint32_t width, uint32_t threads, uint64_t seed)
{
    must_answer_by(x, NULL, backend, n_ranks, width, threads, seed);
}

/* All backends of this build and one that is like a device, in ways that the dice choose. */
static inline void must_answer_everywhere(struct answers *x, uint64_t dice)
{
    for (uint32_t b = 0; mw_backends[b] != NULL; b++) {
        const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 5);
        const uint32_t width = 1 + (uint32_t)drawn(&dice, n_ranks);
        const bool team = strcmp(mw_backends[b]->name, "openmp") == 0;
        if (mw_backends[b]->disabled != NULL || (UNDER_TSAN && mw_backends[b]->mesh))
            continue;
        x->shuffled = drawn(&dice, 3) == 0;
        x->block_bits = (uint32_t)drawn(&dice, 5);
        x->rule.columns = (enum mw_look_up)drawn(&dice, 3);
        x->rule.without_names = drawn(&dice, 2) > 0;
        must_answer(x, mw_backends[b]->name, n_ranks, width,
                    team ? 1 + (uint32_t)drawn(&dice, 4) : 1, drawn(&dice, 3));
    }
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 4);
    x->shuffled = drawn(&dice, 3) == 0;
    x->block_bits = (uint32_t)drawn(&dice, 5);
    must_answer_by(x, &apart_backend, "apart", n_ranks,
                   1 + (uint32_t)drawn(&dice, n_ranks), 1 + (uint32_t)drawn(&dice, 4),
                   drawn(&dice, 3));
}

/* The first n vertices with an edge of those that the seed draws: the library's rule, once more. */
static inline uint32_t draw_sources(const struct sample *s, uint32_t n, uint64_t seed,
                                    uint64_t *source)
{
    uint32_t n_found = 0;
    for (uint64_t i = 0; i < 4096 && n_found < n; i++) {
        const uint64_t v = mixed(mixed(seed) + i) % s->n;
        bool is_new = sample_degree(s, v) > 0;
        for (uint32_t k = 0; k < n_found; k++)
            is_new = is_new && source[k] != v;
        if (is_new)
            source[n_found++] = v;
    }
    return n_found;
}

#endif
