/* bfs_clusters.h -- a random graph, searched in random ways on clusters of several backends and
 * compared with the oracle on each, which makes them equal to each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_CLUSTERS_H
#define BFS_CLUSTERS_H

#include "bfs_body.h"

static inline void must_search_on(const char *backend, bool engine_mpe,
                                  struct searches *q, uint64_t dice)
{
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 5);
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = search_and_check, .arg = q};
    r.world.backend = backend;
    r.world.engine_mpe = engine_mpe;
    r.world.n_clusters = 1 + (uint32_t)drawn(&dice, 4);
    r.world.n_threads = strcmp(backend, "openmp") == 0 ? 1 + 2 * r.world.n_clusters : 1;
    with_width(&r, 1 + (uint32_t)drawn(&dice, n_ranks));
    r.world.small_input = (uint32_t)drawn(&dice, 2) * 512;
    r.world.batch_bytes = 512u << drawn(&dice, 4);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

/* backend[]: ended by NULL. Graph, rule, ranks, groups, clusters and batches come from the
 * seed and are the same for each. */
static inline void must_search_in_clusters(const char *const *backend, bool engine_mpe,
                                           uint32_t n_roots, uint64_t seed)
{
    uint64_t dice = mixed(seed);
    struct sample s = sample_random(dice);
    struct searches q;
    if (seed % 2)
        sample_direct(&s);
    searches_init(&q, &s, n_roots, dice);
    q.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    q.rule.form = (enum mw_level_form)drawn(&dice, 3);
    q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = (int)drawn(&dice, 5) - 1;
    for (; *backend != NULL; backend++)
        must_search_on(*backend, engine_mpe, &q, dice);
    searches_free(&q);
    sample_free(&s);
}

#endif
