/* survey.c -- see survey.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/survey.h"

#include "algorithms/bfs/bfs.h"
#include "algorithms/bfs/bfs_validate.h"
#include "algorithms/cc/cc.h"

#include <string.h>

const struct mw_algorithm *const mw_survey_algorithm = &mw_algorithm_bfs;

struct surveying {
    struct mw_world *world;
    struct mw_comm *comm;
    struct mw_graph *graph;
    struct mw_traversal *bfs;
    struct mw_validator *validator;
    mw_vid largest; /* a vertex of the largest component */
    struct mw_survey *out;
};

/* What a search has found. */
struct sweep {
    uint64_t n_reached, depth;
    mw_vid farthest;
};

static mw_vid own(const struct surveying *s, uint64_t place)
{
    return mw_vertex_at(s->graph, s->comm->rank, place);
}

/* --- counts ---------------------------------------------------------------------------- */

static int count_edges(struct surveying *s, const struct mw_edges *edges)
{
    struct mw_survey *out = s->out;
    const struct mw_graph *g = s->graph;
    for (uint64_t i = 0; i < edges->n; i++) {
        mw_vid u, v;
        mw_edges_get(edges, i, &u, &v);
        out->n_self_loops += u == v;
    }
    const int rc = mw_comm_sum(s->comm, &out->n_self_loops, 1);
    out->n_vertices = g->n_vertices;
    out->n_edges = g->n_edges;
    out->n_distinct = g->n_entries / 2;
    out->n_duplicates = out->n_edges - out->n_self_loops - out->n_distinct;
    out->n_isolated = g->n_vertices - g->n_connected;
    return rc;
}

static uint64_t degree(const struct mw_graph *g, uint64_t label)
{
    return g->row[label + 1] - g->row[label];
}

static int count_degrees(struct surveying *s)
{
    struct mw_survey *out = s->out;
    const struct mw_graph *g = s->graph;
    uint64_t least[1] = {MW_NO_VERTEX};
    for (uint64_t l = 0; l < g->n_labels; l++) {
        out->n_of_degree[mw_bits_for(degree(g, l) + 1)]++;
        out->degree_most = mw_max(out->degree_most, degree(g, l));
    }
    MW_NEED(mw_comm_sum(s->comm, out->n_of_degree, MW_DEGREE_CLASSES));
    MW_NEED(mw_comm_max(s->comm, &out->degree_most, 1));
    out->n_of_degree[0] = out->n_isolated;
    for (uint64_t l = 0; l < g->n_labels; l++)
        if (degree(g, l) == out->degree_most)
            least[0] = mw_min(least[0], own(s, g->place_of[l]));
    MW_NEED(mw_comm_min(s->comm, least, 1));
    out->degree_most_at = least[0];
    return MW_OK;
}

/* --- searches ---------------------------------------------------------------------------- */

/* Collective. Of the vertices on the last level one of lowest degree, and of these the least: such
 * a vertex is likely to be at an end of the graph. */
static int choose_farthest(struct surveying *s, struct sweep *found)
{
    const struct mw_graph *g = s->graph;
    uint64_t lowest = UINT64_MAX;
    found->farthest = MW_NO_VERTEX;
    for (uint64_t l = 0; l < g->n_labels; l++)
        if (mw_traversal_level(s->bfs, g->place_of[l]) == found->depth)
            lowest = mw_min(lowest, degree(g, l));
    MW_NEED(mw_comm_min(s->comm, &lowest, 1));
    for (uint64_t l = 0; l < g->n_labels; l++)
        if (degree(g, l) == lowest &&
            mw_traversal_level(s->bfs, g->place_of[l]) == found->depth)
            found->farthest = mw_min(found->farthest, own(s, g->place_of[l]));
    return mw_comm_min(s->comm, &found->farthest, 1);
}

static int search_from(struct surveying *s, mw_vid root, struct sweep *found)
{
    int rc;
    struct mw_verdict verdict;
    const struct mw_graph *g = s->graph;
    MW_TRY(rc, mw_traversal_reset(s->bfs));
    MW_TRY(rc, mw_traversal_run(s->bfs, root));
    MW_TRY(rc, mw_validate(s->validator, root, mw_traversal_numbers(s->bfs), g->wide,
                           &verdict));
    found->n_reached = verdict.n_reached;
    found->depth = verdict.n_levels - 1;
    rc = choose_farthest(s, found);
    s->out->n_searches++;
end:
    return rc;
}

/* Searches from `root` and on, while that leads farther away. */
static int sweep(struct surveying *s, mw_vid root, struct sweep *first)
{
    struct mw_survey *out = s->out;
    struct sweep found = *first;
    for (uint32_t i = 0; i < MW_SWEEPS_MOST && (i == 0 || found.depth > out->diameter);
         i++) {
        out->diameter = found.depth;
        out->from = root;
        out->to = found.farthest;
        root = found.farthest;
        MW_NEED(search_from(s, root, &found));
    }
    return MW_OK;
}

/* Sweeps the largest component: nearly always that of the highest degree. */
static int search(struct surveying *s)
{
    struct mw_survey *out = s->out;
    struct sweep first;
    mw_vid root = out->degree_most_at;
    MW_NEED(search_from(s, root, &first));
    if (first.n_reached != out->n_largest) {
        root = s->largest;
        MW_NEED(search_from(s, root, &first));
    }
    return sweep(s, root, &first);
}

static int count_components(struct surveying *s)
{
    int rc;
    struct mw_traversal *cc = NULL;
    uint64_t fact[MW_CC_FACTS];
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_cc, NULL, s->world, s->graph, &cc));
    MW_TRY(rc, mw_traversal_reset(cc));
    MW_TRY(rc, mw_traversal_run(cc, MW_NO_VERTEX));
    MW_TRY(rc, mw_algorithm_cc.facts(cc, fact));
    s->out->n_components = fact[MW_CC_COMPONENTS];
    s->out->n_largest = fact[MW_CC_LARGEST];
    s->largest = mw_cc_largest(cc);
end:
    mw_traversal_free(cc);
    return rc;
}

int mw_survey_make(struct mw_world *world, const struct mw_edges *edges,
                   struct mw_survey *out)
{
    int rc;
    struct surveying s = {.world = world, .comm = world->comm, .out = out};
    memset(out, 0, sizeof *out);
    MW_TRY(rc, mw_graph_build(world, edges, &s.graph));
    MW_TRY(rc, count_edges(&s, edges));
    MW_TRY(rc, count_degrees(&s));
    out->n_components = out->n_isolated;
    out->n_largest = out->n_vertices > 0;
    if (s.graph->n_connected > 0) {
        MW_TRY(rc, count_components(&s));
        MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, NULL, world, s.graph, &s.bfs));
        MW_TRY(rc, mw_traversal_keep_levels(s.bfs));
        MW_TRY(rc, mw_validator_new(world, edges, &s.validator));
        MW_TRY(rc, search(&s));
    }
end:
    mw_validator_free(s.validator);
    mw_traversal_free(s.bfs);
    mw_graph_free(s.graph);
    return rc;
}
