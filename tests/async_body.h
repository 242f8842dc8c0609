/* async_body.h -- runs without levels on one rank, each compared with a serial oracle and given to the
 * algorithm's own check: the same body for threads (test_async.c) and for processes (mpi_async.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ASYNC_BODY_H
#define ASYNC_BODY_H

#include "algorithms/bfs/bfs.h"
#include "algorithms/cc/cc.h"
#include "algorithms/pagerank/pagerank_async.h"
#include "sssp_body.h"

/* Options as keys would set them. */
enum { WAYS = 3 }; /* as they are, without priorities, with parts of their own */

struct asynchrony {
    struct sample *sample;
    struct pathing pathing;
    uint32_t *level; /* [n] */
    uint32_t n_levels, n_runs, way;
    uint64_t n_done; /* runs that were right, by rank 0 */
};

static inline void asynchrony_init(struct asynchrony *a, struct sample *s, uint64_t seed,
                                   uint32_t n_runs)
{
    memset(a, 0, sizeof *a);
    a->sample = s;
    a->n_runs = n_runs;
    a->way = (uint32_t)(seed % WAYS);
    const mw_vid root = mixed(seed) % s->n;
    pathing_init(&a->pathing, s, (enum weighing)(mixed(seed + 1) % WEIGHINGS), root);
    a->level = malloc((s->n + 1) * sizeof *a->level);
    MUST(a->level != NULL);
    a->n_levels = sample_levels(s, root, a->level);
}

static inline void asynchrony_free(struct asynchrony *a)
{
    pathing_free(&a->pathing);
    free(a->level);
}

/* Reads "name=word,..." as the command line does. */
static inline int options_of(const struct mw_algorithm *a, const char *text, void *out)
{
    const struct mw_keyed keyed = {a->keys, out};
    memset(out, 0, a->keys->options_bytes);
    mw_keys_default(&keyed);
    return text[0] == '\0' ? MW_OK : mw_keys_read("test", text, &keyed, 1);
}

/* What is claimed, and what the check says, are the oracle's. */
static inline int check_verdict(const struct asynchrony *a, const struct mw_algorithm *of,
                                const struct mw_verdict *v)
{
    const struct pathing *p = &a->pathing;
    if (!of->keyed) /* its check compares all values */
        return MW_OK;
    EXPECT(v->n_reached == p->n_reached && v->n_edges == p->n_edges,
           "%s of %s: %u vertices, %u edges, not %u, %u", of->name, a->sample->name,
           (unsigned)v->n_reached, (unsigned)v->n_edges, (unsigned)p->n_reached,
           (unsigned)p->n_edges);
    EXPECT(v->n_levels == 0 || v->n_levels == a->n_levels, "%s of %s: %u levels, not %u",
           of->name, a->sample->name, v->n_levels, a->n_levels);
    return MW_OK;
}

/* Runs of one algorithm. After each an ordinary run of the same ports finds them as it expects. */
static inline int run_async(struct mw_world *w, const struct asynchrony *a,
                            const struct mw_algorithm *of, const char *tune,
                            struct mw_edges *edges, const struct mw_graph *g)
{
    struct mw_traversal *t = NULL;
    struct mw_verdict claim, verdict;
    void *check = NULL;
    char options[256];
    int rc = MW_OK;
    if (of->keys != NULL)
        rc = options_of(of, tune, options);
    MW_TRY(rc, mw_comm_agree(w->comm, rc));
    MW_TRY(rc, mw_traversal_new(of, of->keys != NULL ? options : NULL, w, g, &t));
    MW_TRY(rc, of->check->open(w, edges, &check));
    for (uint32_t k = 0; k < (of->keyed ? a->n_runs : 1); k++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, a->pathing.root));
        if (of == &mw_algorithm_sssp_async)
            MW_TRY(rc, mw_comm_agree(w->comm, check_distances(&a->pathing, t, g)));
        MW_TRY(rc, mw_traversal_claim(t, &claim));
        MW_TRY(rc, mw_comm_agree(w->comm, check_verdict(a, of, &claim)));
        MW_TRY(rc, of->check->run(check, t, a->pathing.root, &verdict));
        MW_TRY(rc, mw_comm_agree(w->comm, check_verdict(a, of, &verdict)));
        MW_TRY(rc, mw_comm_agree(w->comm, mw_traversal_exchange(t, 0)));
    }
end:
    of->check->close(check);
    mw_traversal_free(t);
    return rc;
}

static inline int run_all_async(struct mw_world *w, void *arg)
{
    static const char *const search[WAYS] = {"", "priority=off", "width=2"};
    static const char *const paths[WAYS] = {"", "priority=off,prune=off", "delta=0.3"};
    static const char *const ranks[WAYS] = {"", "priority=off", "tolerance=1e-5"};
    struct asynchrony *a = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    const struct mw_graph_rule rule = {.weights = MW_WEIGHTS_MINIMUM};
    int rc;
    MW_TRY(rc, share_weighed(&a->pathing, w->comm, &edges));
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &edges, &rule, &g));
    MW_TRY(rc, run_async(w, a, &mw_algorithm_bfs_async, search[a->way], &edges, g));
    MW_TRY(rc, run_async(w, a, &mw_algorithm_sssp_async, paths[a->way], &edges, g));
    MW_TRY(rc, run_async(w, a, &mw_algorithm_pagerank_async, ranks[a->way], &edges, g));
    if (!edges.directed)
        MW_TRY(rc, run_async(w, a, &mw_algorithm_cc_async, NULL, &edges, g));
    if (w->comm->rank == 0)
        a->n_done += 2 * a->n_runs + (edges.directed ? 1 : 2);
end:
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

#endif
