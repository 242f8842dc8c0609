/* sssp_body.h -- shortest paths, compared with Bellman and Ford's algorithm bit for bit: the same body for
 * threads (test_sssp.c) and for processes (mpi_sssp.c).
 *
 * Addition of floats that are not negative never falls as one of them rises, so the least sum of a path,
 * made from the root on, is one number, whatever the order in which it is found.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_BODY_H
#define SSSP_BODY_H

#include "algorithms/sssp/sssp.h"
#include "algorithms/sssp/sssp_validate.h"
#include "sample.h"
#include "shuffle/reals.h"

#include <math.h>

/* How tuples are weighed. */
enum weighing {
    UNIFORM,   /* below 1, as Graph500 has them */
    WHOLE,     /* 1 .. 255, as GAP has them */
    ZEROS,     /* 0, half of them, else 1 */
    ALL_ZERO,  /* no path is longer than any other one */
    ABSORBED,  /* so small beside the others that sums do not change */
    ALL_EQUAL, /* the levels of a breadth-first search */
    WEIGHINGS,
    ROUNDED, /* for sample_rounded() alone */
    FREE,    /* for sample_free_ways() alone */
    DETOURS, /* for sample_detours() alone */
    FALLING, /* for sample_fan() alone */
    TAIL,    /* for a chain behind a Kronecker graph of SCALE 10 */
    HEAVY,   /* for a hub of heavy edges among light ones */
    LATE     /* for sample_late() alone */
};

static inline float sample_weight(enum weighing how, uint64_t tuple)
{
    const uint64_t x = mixed(tuple + 77);
    switch (how) {
    case UNIFORM:
        return (float)(x >> 40) * 0x1p-24f;
    case WHOLE:
        return (float)(1 + x % 255);
    case ZEROS:
        return (float)(x % 2);
    case ALL_ZERO:
        return 0;
    case ABSORBED:
        return x % 3 == 0 ? 1e6f : (float)(x >> 40) * 0x1p-40f;
    case ROUNDED:
        return tuple == 0   ? 0x1p23f
               : tuple < 3  ? 0.50001f
               : tuple == 3 ? 1.00005f
               : tuple < 14 ? 1
               : tuple < 59 ? 1000
                            : 0x1p23f;
    case DETOURS:
        return tuple >= 90 ? (float)(x >> 40) * 0x1p-24f : tuple % 3 == 0 ? 0.9f : 0.5f;
    case FALLING:
        return tuple < 120 ? 1 : (float)(1000 - 2 * ((tuple - 120) / 60));
    case FREE:
        return tuple < 14 ? 0 : tuple < 59 ? 1000 : 1e6f;
    case TAIL:
        return tuple < 16 << 10 ? (float)(x >> 40) * 0x1p-24f : 0.9f;
    case LATE:
        return tuple < 100    ? 1
               : tuple < 2100 ? 0.5f
               : tuple < 2600 ? 0.001f
               : tuple < 3100 ? 1000 - 0.5f * (float)(tuple - 2600)
                              : 0.001f;
    case HEAVY:
        return tuple < 2300 ? 9 : (float)(x >> 40) * 0x1p-24f;
    default:
        return 2.5f;
    }
}

struct pathing {
    const struct sample *sample;
    enum weighing weighing;
    struct mw_sssp_rule rule;
    mw_vid root;
    float *distance; /* [n] infinite: not reached */
    uint64_t n_edges, n_reached;
    uint64_t most_left;                /* of 100 entries, after pruning; 0: all are */
    uint64_t most_looks, least_pulled; /* of 100 entries that are searched */
    bool builds;        /* the algorithm builds the graph: a thin one, if it can */
    uint64_t most_rows; /* then, of 100 tuples those with entries; 0: whatever */
    const struct mw_algorithm *algorithm; /* for device_body.h */
};

/* Tuples that lead from a vertex: [first[v] .. first[v + 1]) of tuple[]. */
struct leaving {
    uint64_t *first, *tuple;
};

static inline struct leaving leaving_of(const struct sample *s)
{
    struct leaving l = {.first = calloc(s->n + 2, sizeof *l.first),
                        .tuple = calloc(2 * s->m + 1, sizeof *l.tuple)};
    const int n_ends = s->directed ? 1 : 2;
    MUST(l.first != NULL && l.tuple != NULL);
    for (uint64_t i = 0; i < s->m; i++)
        for (int k = 0; k < n_ends; k++)
            l.first[s->edge[i][k] + 2]++;
    for (uint64_t v = 0; v < s->n; v++)
        l.first[v + 2] += l.first[v + 1];
    for (uint64_t i = 0; i < s->m; i++)
        for (int k = 0; k < n_ends; k++)
            l.tuple[l.first[s->edge[i][k] + 1]++] = i;
    return l;
}

/* Until no tuple shortens a way: by Bellman and Ford, along the tuples of those vertices whose own way was shortened. */
static inline void find_distances(const struct pathing *p, const struct leaving *l)
{
    const struct sample *s = p->sample;
    uint64_t *const queue = malloc((s->n + 1) * sizeof *queue), n = 0, at = 0;
    bool *const queued = calloc(s->n + 1, sizeof *queued);
    MUST(queue != NULL && queued != NULL);
    queue[n++] = p->root;
    while (at < n) {
        const uint64_t u = queue[at++ % s->n];
        queued[u] = false;
        for (uint64_t k = l->first[u]; k < l->first[u + 1]; k++) {
            const uint64_t *const edge = s->edge[l->tuple[k]];
            const uint64_t v = edge[0] == u ? edge[1] : edge[0];
            const float way = p->distance[u] + sample_weight(p->weighing, l->tuple[k]);
            if (!(way < p->distance[v]))
                continue;
            p->distance[v] = way;
            if (!queued[v])
                queue[n++ % s->n] = v;
            queued[v] = true;
        }
    }
    free(queue);
    free(queued);
}

static inline void pathing_init(struct pathing *p, const struct sample *s,
                                enum weighing weighing, mw_vid root)
{
    struct leaving leaving = leaving_of(s);
    memset(p, 0, sizeof *p);
    p->sample = s;
    p->weighing = weighing;
    p->root = root;
    p->distance = malloc((s->n + 1) * sizeof *p->distance);
    MUST(p->distance != NULL);
    for (uint64_t v = 0; v < s->n; v++)
        p->distance[v] = INFINITY;
    p->distance[root] = 0;
    find_distances(p, &leaving);
    for (uint64_t v = 0; v < s->n; v++)
        p->n_reached += p->distance[v] < INFINITY;
    for (uint64_t i = 0; i < s->m; i++)
        p->n_edges +=
            s->edge[i][0] != s->edge[i][1] && p->distance[s->edge[i][0]] < INFINITY;
    free(leaving.first);
    free(leaving.tuple);
}

static inline void pathing_free(struct pathing *p)
{
    free(p->distance);
}

static inline int check_distances(const struct pathing *p, const struct mw_traversal *t,
                                  const struct mw_graph *g)
{
    const float *const is = mw_traversal_values(t, 1);
    for (uint64_t i = 0; i < g->n_places; i++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, i);
        EXPECT(mw_bits_of_float(is[i]) == mw_bits_of_float(p->distance[v]),
               "%s: the distance of %u is %.9g, not %.9g", p->sample->name, (unsigned)v,
               (double)is[i], (double)p->distance[v]);
    }
    return MW_OK;
}

static inline int share_weighed(const struct pathing *p, const struct mw_comm *c,
                                struct mw_edges *e)
{
    const struct sample *s = p->sample;
    int rc = mw_edges_init(e, s->n, 4);
    if (rc == MW_OK)
        rc = mw_edges_weigh(e);
    e->directed = s->directed;
    for (uint64_t i = 0; rc == MW_OK && i < s->m; i++)
        if (mixed(i) % c->size == c->rank)
            rc = mw_edges_add_weighted(e, s->edge[i][0], s->edge[i][1],
                                       sample_weight(p->weighing, i));
    return rc;
}

static inline int build_for(const struct pathing *p, struct mw_world *w,
                            const struct mw_edges *edges, struct mw_graph **g)
{
    const struct mw_graph_rule rule = {.weights = MW_WEIGHTS_MINIMUM};
    struct mw_world *const host = mw_world_host_side(w);
    int rc = MW_OK;
    if (p->builds)
        rc = mw_algorithm_sssp.build(host, edges, &rule, &p->rule, g);
    if (rc == MW_OK && *g == NULL)
        rc = mw_graph_build_by(host, edges, &rule, g);
    EXPECT(rc < MW_OK || p->most_rows == 0 ||
               ((*g)->thin && 50 * (*g)->n_entries <= p->most_rows * p->sample->m),
           "%s: %u entries, of %u tuples", p->sample->name, (unsigned)(*g)->n_entries,
           (unsigned)p->sample->m);
    return rc;
}

/* Twice: the second run must find everything as fresh as the first. */
static inline int find_paths(struct mw_world *w, void *arg)
{
    const struct pathing *p = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    struct mw_sssp_validator *v = NULL;
    struct mw_verdict claim, verdict;
    int rc;

    MW_TRY(rc, share_weighed(p, w->comm, &edges));
    edges.block_bits = (uint32_t)((p->sample->m + w->comm->size) % 4);
    MW_TRY(rc, build_for(p, w, &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_sssp, &p->rule, w, g, &t));
    MW_TRY(rc, mw_sssp_validator_new(mw_world_host_side(w), &edges, &v));
    for (int k = 0; k < 2; k++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, p->root));
        MW_TRY(rc, mw_comm_agree(w->comm, check_distances(p, t, g)));
        MW_TRY(rc, mw_algorithm_sssp.claim(t, &claim));
        MW_TRY(rc, mw_sssp_validate(v, p->root, mw_traversal_numbers(t), g->wide,
                                    mw_traversal_values(t, 1), &verdict));
        EXPECT(claim.n_edges == p->n_edges && verdict.n_edges == p->n_edges &&
                   claim.n_reached == p->n_reached && verdict.n_reached == p->n_reached,
               "%s: %u and %u edges, not %u; %u and %u vertices, not %u", p->sample->name,
               (unsigned)claim.n_edges, (unsigned)verdict.n_edges, (unsigned)p->n_edges,
               (unsigned)claim.n_reached, (unsigned)verdict.n_reached,
               (unsigned)p->n_reached);
    }
end:
    mw_sssp_validator_free(v);
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

#endif
