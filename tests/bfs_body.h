/* bfs_body.h -- a search on one rank, compared with the oracle: the same body for threads
 * (test_bfs.c) and for processes (mpi_bfs.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef BFS_BODY_H
#define BFS_BODY_H

#include "algorithms/bfs/bfs.h"
#include "sample.h"

struct searches {
    struct sample *sample;
    struct mw_direction_rule rule;
    int64_t delegate; /* which rows */
    bool sliced;      /* some edges of each search are done by slices */
    bool told;        /* some are told */
    bool
        followed; /* and told a bit of whom they follow, but where all is the root's neighbours */
    struct mw_graph_rule graph_rule;
    bool shuffled;
    uint32_t block_bits; /* else vertices are dealt so */
    uint32_t crew_trial;
    bool called_again; /* one core alone makes levels between two that all made */
    uint32_t n;        /* roots */
    mw_vid root[8];
    uint32_t *level[8]; /* [n] of each root */
    uint32_t n_levels[8];
};

/* Roots are drawn; isolated ones come as they come. */
static inline void searches_init(struct searches *q, struct sample *s, uint32_t n,
                                 uint64_t seed)
{
    memset(q, 0, sizeof *q);
    q->sample = s;
    q->n = n;
    q->graph_rule.columns = seed % 3 == 0 ? MW_LOOK_UP_ASK : MW_LOOK_UP_AUTO;
    q->graph_rule.without_names = seed % 2 == 0;
    q->delegate = seed % 4 < 3 ? 1 + (int64_t)(seed % 4) * 2 : MW_DELEGATE_OFF;
    /* Graphs are so small that nearly all levels would be told. */
    q->rule.partition = seed % 5 == 4 ? MW_BY_OWNER : MW_BY_CLASSES;
    q->shuffled = seed % 7 < 3;
    q->block_bits = (uint32_t)(seed % 7); /* 3 to 6, or shuffled */
    if (seed % 13 < 4)
        q->block_bits = 0;
    q->rule.few = seed % 3 == 0 ? 0 : seed % 3 == 1 ? 12 : MW_FEW_NONE;
    q->rule.asks_all = seed % 11 == 7;
    for (uint32_t i = 0; i < n; i++) {
        q->root[i] = mixed(seed + i) % s->n;
        q->level[i] = malloc(s->n * sizeof **q->level);
        MUST(q->level[i] != NULL);
        q->n_levels[i] = sample_levels(s, q->root[i], q->level[i]);
    }
}

static inline void searches_free(struct searches *q)
{
    for (uint32_t i = 0; i < q->n; i++)
        free(q->level[i]);
}

/* Levels equal, parents valid. */
static inline int check_tree(const struct searches *q, uint32_t i,
                             const struct mw_traversal *b, const struct mw_graph *g)
{
    const struct sample *s = q->sample;
    const uint32_t *level = q->level[i];
    for (uint64_t p = 0; p < g->n_places; p++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, p),
                     parent = mw_traversal_number(b, p);
        if (level[v] == NO_LEVEL || v == q->root[i]) {
            const mw_vid right = v == q->root[i] ? v : MW_NO_VERTEX;
            EXPECT(parent == right, "root %u: parent of %u is %u", (unsigned)q->root[i],
                   (unsigned)v, (unsigned)parent);
            continue;
        }
        EXPECT(parent < s->n, "root %u: %u (level %u) has no parent",
               (unsigned)q->root[i], (unsigned)v, level[v]);
        EXPECT(level[parent] + 1 == level[v] && sample_adjacent(s, parent, v),
               "root %u: %u (level %u) has the parent %u (level %u)",
               (unsigned)q->root[i], (unsigned)v, level[v], (unsigned)parent,
               level[parent]);
    }
    for (uint64_t p = 0; b->level_at != NULL && p < g->n_places; p++)
        EXPECT(mw_traversal_level(b, p) == level[mw_vertex_at(g, g->comm->rank, p)],
               "root %u: level of place %u", (unsigned)q->root[i], (unsigned)p);
    EXPECT(b->n_levels == q->n_levels[i], "root %u: %u, not %u levels",
           (unsigned)q->root[i], b->n_levels, q->n_levels[i]);
    return MW_OK;
}

/* What the oracle says of a level: its vertices and their edges, and the edges of all that are further away. */
struct told_level {
    uint64_t active, edges, beyond;
};

/* [n_levels + 1], whose last one is empty; the caller frees it. */
static inline struct told_level *told_levels(const struct searches *q, uint32_t i)
{
    const struct sample *s = q->sample;
    const uint32_t n_levels = q->n_levels[i];
    struct told_level *const told = calloc(n_levels + 1, sizeof *told);
    uint64_t beyond = 0;
    MUST(told != NULL);
    for (uint64_t v = 0; v < s->n; v++) {
        const uint32_t level = q->level[i][v];
        if (level == NO_LEVEL)
            beyond += sample_degree(s, v);
        else {
            told[level].active++;
            told[level].edges += sample_degree(s, v);
        }
    }
    for (uint32_t k = n_levels; k-- > 0; beyond += told[k].edges)
        told[k].beyond = beyond;
    return told;
}

static inline bool spent_on(const struct mw_level *level, const char *row)
{
    for (uint32_t i = 0; i < mw_algorithm_bfs.n_rows; i++)
        if (strcmp(mw_algorithm_bfs.row[i].name, row) == 0)
            return level->spent[MW_SPENT_ROW + i].most > 0;
    return false;
}

/* The records of the levels tell the same story as the oracle. */
static inline int check_level_records(const struct searches *q, uint32_t i,
                                      struct mw_traversal *b, uint32_t n_ranks,
                                      const struct told_level *told)
{
    const struct mw_level *record;
    uint32_t n;
    uint64_t n_sliced = 0, n_told = 0, n_followed = 0;
    uint32_t n_calls = 0;
    bool by_bitmap = false;
    int rc = mw_traversal_levels(b, &record, &n);
    EXPECT(n <= q->n_levels[i] && n <= MW_LEVELS_KEPT, "%u records", n);
    for (uint32_t k = 0; rc == MW_OK && k < n; k++) {
        const struct told_level *const is = &told[k];
        const uint64_t edges = is->edges, found = is[1].active;
        EXPECT(record[k].n_active == is->active && record[k].n_active_edges == edges &&
                   record[k].n_found == found &&
                   record[k].own[MW_BFS_UNVISITED_EDGES] == is->beyond,
               "root %u, level %u", (unsigned)q->root[i], k);
        EXPECT(q->rule.policy == MW_DIRECTION_AUTO ||
                   (record[k].step == MW_BOTTOM_UP) ==
                       (q->rule.policy == MW_DIRECTION_BOTTOM_UP),
               "level %u runs the other way", k);
        const uint64_t *own = record[k].own;
        /* Names are asked for when the last level is over. */
        const bool may_ask = k + 1 == n && by_bitmap && b->graph->name == NULL;
        n_calls +=
            k > 0 && spent_on(&record[k], "crew") && spent_on(&record[k - 1], "alone");
        n_sliced += own[MW_BFS_SLICED_EDGES];
        EXPECT(own[MW_BFS_SLICED_EDGES] <= edges, "level %u", k);
        EXPECT(own[MW_BFS_TOLD] == 0 ||
                   (q->rule.partition == MW_BY_CLASSES && q->rule.few >= 0 &&
                    (record[k].n_batches == 0 || may_ask)),
               "level %u: told, and sent", k);
        by_bitmap = by_bitmap || own[MW_BFS_FORM] == MW_FORM_BITMAP;
        n_told += own[MW_BFS_TOLD];
        EXPECT((own[MW_BFS_FORM] == MW_COUNT_NONE) == (record[k].step == MW_TOP_DOWN),
               "level %u", k);
        EXPECT(record[k].step == MW_TOP_DOWN || q->rule.form == MW_FORM_AUTO ||
                   own[MW_BFS_FORM] == q->rule.form,
               "level %u has the other form", k);
        EXPECT(own[MW_BFS_ANSWERS] <= own[MW_BFS_QUESTIONS] &&
                   (own[MW_BFS_QUESTIONS] == 0 || own[MW_BFS_FORM] == MW_FORM_MESSAGES),
               "level %u", k);
        n_followed += own[MW_BFS_FOLLOWED];
        EXPECT(own[MW_BFS_FOLLOWED] <= found &&
                   (own[MW_BFS_FOLLOW_WORDS] > 0 || own[MW_BFS_FOLLOWED] == 0),
               "level %u", k);
        EXPECT(own[MW_BFS_FOLLOW_WORDS] == 0 ||
                   (own[MW_BFS_FORM] == MW_FORM_MESSAGES && !q->rule.asks_all &&
                    q->rule.partition == MW_BY_CLASSES),
               "level %u: followed", k);
        /* Hosts send each other what is new, and nothing else. */
        const bool by_hosts =
            b->graph->comm->n_hosts > 1 && own[MW_BFS_HUB_FLAGS] < n_ranks;
        EXPECT(!own[MW_BFS_HUBS_EXCHANGED] || ((own[MW_BFS_HUB_BYTES] > 0) == by_hosts &&
                                               own[MW_BFS_HUB_FLAGS] <= n_ranks),
               "level %u", k);
    }
    EXPECT(rc < MW_OK || !q->called_again || n_calls > 1, "root %u: %u calls",
           (unsigned)q->root[i], n_calls);
    EXPECT(rc < MW_OK || !q->told || n_told > 0, "root %u: nothing was told",
           (unsigned)q->root[i]);
    EXPECT(rc < MW_OK || !q->followed || q->n_levels[i] < 3 || n_followed > 0,
           "root %u: nobody followed", (unsigned)q->root[i]);
    EXPECT(rc < MW_OK || !q->sliced || n_sliced > 0, "root %u: nothing went by slices",
           (unsigned)q->root[i]);
    return rc;
}

/* What the search says of its answer. */
static inline int check_claim(const struct searches *q, uint32_t i,
                              struct mw_traversal *b)
{
    const struct sample *s = q->sample;
    uint64_t n_reached = 0, n_touching = 0;
    struct mw_verdict claim;
    int rc;
    for (uint64_t v = 0; v < s->n; v++)
        if (q->level[i][v] != NO_LEVEL) {
            n_reached++;
            n_touching += s->touching[v];
        }
    MW_TRY(rc, mw_traversal_claim(b, &claim));
    EXPECT(claim.n_reached == n_reached &&
               claim.n_edges == (s->directed ? n_touching : n_touching / 2) &&
               claim.n_levels == q->n_levels[i],
           "root %u: %u vertices, %u edges, %u levels are claimed", (unsigned)q->root[i],
           (unsigned)claim.n_reached, (unsigned)claim.n_edges, claim.n_levels);
end:
    return rc;
}

/* All searches on one graph, twice, the second time in the opposite order. */
static inline int search_and_check(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    int rc;

    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    edges.shuffled = q->shuffled;
    edges.block_bits = q->block_bits;
    struct mw_world *const host = mw_world_host_side(w);
    MW_TRY(rc, mw_graph_build_by(host, &edges, &q->graph_rule, &g));
    MW_TRY(rc, mw_graph_delegate(host, g, q->delegate));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    if (q->n % 2 == 0)
        MW_TRY(rc, mw_traversal_keep_levels(b));
    for (uint32_t k = 0; k < 2 * q->n; k++) {
        const uint32_t i = k < q->n ? k : 2 * q->n - 1 - k;
        MW_TRY(rc, mw_traversal_reset(b));
        MW_TRY(rc, mw_traversal_run(b, q->root[i]));
        MW_TRY(rc, mw_comm_agree(w->comm, check_tree(q, i, b, g)));
        struct told_level *const told = told_levels(q, i);
        rc = check_level_records(q, i, b, w->comm->size, told);
        free(told);
        MW_TRY(rc, mw_comm_agree(w->comm, rc));
        MW_TRY(rc, mw_comm_agree(w->comm, check_claim(q, i, b)));
    }
    if (mw_traversal_n_peers(b) >
        w->groups.n_groups + w->groups.width - 2 + (w->groups.width == 1))
        rc = mw_fail(MW_ERR_INVALID, "%u peers", (unsigned)mw_traversal_n_peers(b));
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

#endif
