/* cc_body.h -- components on one rank, compared with a union-find: the same body for threads
 * (test_cc.c) and for processes (mpi_cc.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef CC_BODY_H
#define CC_BODY_H

#include "algorithms/cc/cc.h"
#include "sample.h"

struct finding {
    const struct sample *sample;
    struct mw_direction_rule rule;
    uint64_t *comp; /* [n] the smallest vertex of each vertex's component */
    struct mw_cc_summary is;
    uint32_t most_levels; /* of the search; UINT32_MAX: as the library thinks */
    uint32_t n_rounds;    /* more are wrong; 0: any number is right */
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
        f->is.n_isolated += sample_degree(s, v) == 0;
    }
    for (uint64_t v = 0; v < s->n; v++) {
        f->is.n_components += size[v] > 0;
        if (size[v] > f->is.n_largest) {
            f->is.n_largest = size[v];
            f->is.largest = v;
        }
    }
    free(size);
}

static inline void finding_free(struct finding *f)
{
    free(f->comp);
}

static inline int check_components(const struct finding *f, const struct mw_cc *c,
                                   const struct mw_graph *g)
{
    for (uint64_t p = 0; p < g->n_places; p++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, p), comp = mw_cc_component(c, p);
        EXPECT(comp == f->comp[v], "%s: the component of %u is %u, not %u",
               f->sample->name, (unsigned)v, (unsigned)comp, (unsigned)f->comp[v]);
    }
    return MW_OK;
}

static inline int check_summary(const struct finding *f, const struct mw_cc_summary *is)
{
    const char *const name = f->sample->name;
    EXPECT(is->n_components == f->is.n_components, "%s: %u components, not %u", name,
           (unsigned)is->n_components, (unsigned)f->is.n_components);
    EXPECT(is->n_isolated == f->is.n_isolated, "%s: %u isolated, not %u", name,
           (unsigned)is->n_isolated, (unsigned)f->is.n_isolated);
    EXPECT(is->n_largest == f->is.n_largest && is->largest == f->is.largest,
           "%s: the largest is of %u at %u, not of %u at %u", name,
           (unsigned)is->n_largest, (unsigned)is->largest, (unsigned)f->is.n_largest,
           (unsigned)f->is.largest);
    EXPECT(is->cut || is->n_left + is->n_searched + is->n_isolated == f->sample->n,
           "%s: %u searched, %u left", name, (unsigned)is->n_searched,
           (unsigned)is->n_left);
    EXPECT(f->n_rounds == 0 || is->n_rounds <= f->n_rounds, "%s: %u rounds", name,
           is->n_rounds);
    return MW_OK;
}

/* Twice: the second run must find everything as fresh as the first. */
static inline int find_and_check(struct mw_world *w, void *arg)
{
    const struct finding *f = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_cc *c = NULL;
    struct mw_cc_summary is;
    int rc;

    MW_TRY(rc, sample_share(f->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_cc_new(&f->rule, w, g, &c));
    if (f->most_levels != UINT32_MAX)
        mw_cc_search_at_most(c, f->most_levels);
    for (int k = 0; k < 2; k++) {
        MW_TRY(rc, mw_cc_find(c));
        MW_TRY(rc, mw_comm_agree(w->comm, check_components(f, c, g)));
        MW_TRY(rc, mw_cc_summarise(c, &is));
        MW_TRY(rc, mw_comm_agree(w->comm, check_summary(f, &is)));
    }
end:
    mw_cc_free(c);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

#endif
