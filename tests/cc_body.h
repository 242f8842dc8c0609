/* cc_body.h -- components on one rank, compared with a union-find: the same body for threads
 * (test_cc.c) and for processes (mpi_cc.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_BODY_H
#define CC_BODY_H

#include "algorithms/bfs/bfs.h"
#include "algorithms/cc/cc.h"
#include "algorithms/cc/cc_validate.h"
#include "sample.h"

struct finding {
    const struct sample *sample;
    struct mw_direction_rule rule;
    uint64_t *comp; /* [n] the smallest vertex of each vertex's component */
    uint64_t fact[MW_CC_FACTS];
    mw_vid largest;
    uint32_t most_levels; /* of the search; UINT32_MAX: as the library thinks */
    uint32_t n_rounds;    /* more are wrong; 0: any number is right */
    uint32_t n_levels;    /* of the search; 0: any number is right */
};

static inline uint64_t finding_root(uint64_t *comp, uint64_t v)
{
    while (comp[v] != v)
        v = comp[v] = comp[comp[v]];
    return v;
}

static inline void finding_init(struct finding *f, const struct sample *s)
{
    uint64_t *size = calloc(s->n + 1, sizeof *size);
    memset(f, 0, sizeof *f);
    f->sample = s;
    f->most_levels = UINT32_MAX;
    f->comp = malloc((s->n + 1) * sizeof *f->comp);
    MUST(size != NULL && f->comp != NULL);
    for (uint64_t v = 0; v < s->n; v++)
        f->comp[v] = v;
    for (uint64_t i = 0; i < s->m; i++) {
        const uint64_t a = finding_root(f->comp, s->edge[i][0]),
                       b = finding_root(f->comp, s->edge[i][1]);
        f->comp[a > b ? a : b] = a > b ? b : a;
    }
    for (uint64_t v = 0; v < s->n; v++) {
        f->comp[v] = finding_root(f->comp, v);
        size[f->comp[v]]++;
        f->fact[MW_CC_ISOLATED] += sample_degree(s, v) == 0;
    }
    for (uint64_t v = 0; v < s->n; v++) {
        f->fact[MW_CC_COMPONENTS] += size[v] > 0;
        if (size[v] > f->fact[MW_CC_LARGEST]) {
            f->fact[MW_CC_LARGEST] = size[v];
            f->largest = v;
        }
    }
    free(size);
}

static inline void finding_free(struct finding *f)
{
    free(f->comp);
}

static inline int check_components(const struct finding *f, const struct mw_traversal *t,
                                   const struct mw_graph *g)
{
    for (uint64_t p = 0; p < g->n_places; p++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, p),
                     comp = mw_traversal_number(t, p);
        EXPECT(comp == f->comp[v], "%s: the component of %u is %u, not %u",
               f->sample->name, (unsigned)v, (unsigned)comp, (unsigned)f->comp[v]);
    }
    return MW_OK;
}

static inline int check_facts(const struct finding *f, const struct mw_traversal *t,
                              const uint64_t *is)
{
    const char *const name = f->sample->name;
    for (int i = MW_CC_COMPONENTS; i <= MW_CC_LARGEST; i++)
        EXPECT(is[i] == f->fact[i], "%s: fact %d is %u, not %u", name, i, (unsigned)is[i],
               (unsigned)f->fact[i]);
    EXPECT(mw_cc_largest(t) == f->largest, "%s: the largest is that of %u, not of %u",
           name, (unsigned)mw_cc_largest(t), (unsigned)f->largest);
    EXPECT(is[MW_CC_CUT] ||
               is[MW_CC_LEFT] + is[MW_CC_SEARCHED] + is[MW_CC_ISOLATED] == f->sample->n,
           "%s: %u searched, %u left", name, (unsigned)is[MW_CC_SEARCHED],
           (unsigned)is[MW_CC_LEFT]);
    EXPECT(f->n_rounds == 0 || is[MW_CC_ROUNDS] <= f->n_rounds, "%s: %u rounds", name,
           (unsigned)is[MW_CC_ROUNDS]);
    EXPECT(f->n_levels == 0 || is[MW_CC_LEVELS] == f->n_levels, "%s: %u levels", name,
           (unsigned)is[MW_CC_LEVELS]);
    return MW_OK;
}

/* Twice: the second run must find everything as fresh as the first. */
static inline int find_and_check(struct mw_world *w, void *arg)
{
    const struct finding *f = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    uint64_t fact[MW_CC_FACTS];
    struct mw_verdict claim, verdict;
    struct mw_cc_validator v = mw_cc_validator_of(mw_world_host_side(w), &edges);
    int rc;

    MW_TRY(rc, sample_share(f->sample, w->comm, &edges));
    if (f->n_rounds == 0) /* else rounds are the subject, and blocks take fewer */
        edges.block_bits = (uint32_t)(f->sample->m % 2 * (f->sample->m / 2 % 5));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_cc, &f->rule, w, g, &t));
    if (f->most_levels != UINT32_MAX)
        mw_cc_search_at_most(t, f->most_levels);
    for (int k = 0; k < 2; k++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, MW_NO_VERTEX));
        MW_TRY(rc, mw_comm_agree(w->comm, check_components(f, t, g)));
        MW_TRY(rc, mw_algorithm_cc.facts(t, fact));
        MW_TRY(rc, mw_comm_agree(w->comm, check_facts(f, t, fact)));
    }
    MW_TRY(rc, mw_traversal_claim(t, &claim));
    MW_TRY(rc, mw_cc_validate(&v, mw_traversal_numbers(t), g->wide, &verdict));
    EXPECT(claim.n_edges == verdict.n_edges && claim.n_reached == verdict.n_reached,
           "%s: %u edges claimed, %u there", f->sample->name, (unsigned)claim.n_edges,
           (unsigned)verdict.n_edges);
end:
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

#endif
