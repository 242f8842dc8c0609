/* test_directed.c -- the distributed validator against a serial judge, on random trees of random
 * graphs with and without directions; and searches that end early.
 *
 * (That directed graphs are built and searched right is test_graph.c's and test_bfs.c's.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "bfs_body.h"

#include "algorithms/bfs/bfs_validate.h"

#include <unistd.h>

/* A tree that is right, or was; and what the serial judge says. */
struct trial {
    struct sample *sample;
    mw_vid root;
    uint32_t last;    /* level that the search ended at */
    uint64_t *parent; /* [n] */
    bool right;
};

static bool has_edge(const struct sample *s, uint64_t from, uint64_t to)
{
    for (uint64_t i = 0; i < s->m; i++)
        if ((s->edge[i][0] == from && s->edge[i][1] == to) ||
            (!s->directed && s->edge[i][0] == to && s->edge[i][1] == from))
            return true;
    return false;
}

/* By way of the parents; NO_LEVEL: none leads to the root. */
static uint32_t depth_of(const struct trial *t, uint64_t v)
{
    uint32_t depth = 0;
    for (; v != t->root; v = t->parent[v])
        if (v >= t->sample->n || t->parent[v] == UINT64_MAX || ++depth > t->sample->n)
            return NO_LEVEL;
    return depth;
}

/* An edge that may be gone along from u to v. */
static bool edge_is_right(const struct trial *t, const uint32_t *depth, uint64_t u,
                          uint64_t v)
{
    if (depth[u] == NO_LEVEL)
        return true;
    if (depth[v] == NO_LEVEL)
        return depth[u] >= t->last;
    return depth[v] <= depth[u] + 1;
}

static bool judge(const struct trial *t)
{
    const struct sample *s = t->sample;
    uint32_t *depth = malloc((s->n + 1) * sizeof *depth);
    MUST(depth != NULL);
    bool right = t->parent[t->root] == t->root;
    for (uint64_t v = 0; v < s->n; v++) {
        const uint64_t p = t->parent[v];
        depth[v] = right ? depth_of(t, v) : NO_LEVEL;
        if (p == UINT64_MAX || v == t->root)
            continue;
        right = right && depth[v] != NO_LEVEL && depth[v] <= t->last && p != v &&
                has_edge(s, p, v);
    }
    for (uint64_t i = 0; right && i < s->m; i++)
        right = edge_is_right(t, depth, s->edge[i][0], s->edge[i][1]) &&
                (s->directed || edge_is_right(t, depth, s->edge[i][1], s->edge[i][0]));
    free(depth);
    return right;
}

/* The oracle's tree, down to level t->last. */
static void grow(struct trial *t, uint32_t *level)
{
    const struct sample *s = t->sample;
    sample_levels(s, t->root, level);
    for (uint64_t v = 0; v < s->n; v++)
        t->parent[v] = v == t->root ? v : UINT64_MAX;
    for (uint64_t u = 0; u < s->n; u++)
        for (uint64_t k = s->first[u]; k < s->first[u + 1]; k++) {
            const uint64_t v = s->neighbour[k];
            if (level[u] != NO_LEVEL && level[v] == level[u] + 1 && level[v] <= t->last)
                t->parent[v] = u;
        }
}

/* A vertex hangs on one of its own level: all edges of the tree are there, but some edge
 * skips a level. */
static void hang_too_deep(struct trial *t, const uint32_t *level, uint64_t first)
{
    const struct sample *s = t->sample;
    for (uint64_t k = 0; k < s->m; k++) {
        const uint64_t *const edge = s->edge[(first + k) % s->m];
        const uint64_t u = edge[0], v = edge[1];
        if (u != v && t->parent[v] != UINT64_MAX && level[u] == level[v]) {
            t->parent[v] = u;
            return;
        }
    }
}

/* Makes it wrong, or not: the judge will tell. */
static void damage(struct trial *t, const uint32_t *level, uint64_t *dice)
{
    const struct sample *s = t->sample;
    const uint64_t v = drawn(dice, s->n), i = s->m > 0 ? drawn(dice, s->m) : 0;
    switch (drawn(dice, 7)) {
    case 0:
        t->parent[v] = drawn(dice, s->n);
        break;
    case 1:
        t->parent[v] = UINT64_MAX;
        break;
    case 2: /* an edge gone along the wrong way, at times */
        if (s->m > 0)
            t->parent[s->edge[i][0]] = s->edge[i][1];
        break;
    case 3:
        if (s->m > 0)
            t->parent[s->edge[i][1]] = s->edge[i][0];
        break;
    case 4:
        t->last = (uint32_t)drawn(dice, 6);
        break;
    case 5:
        hang_too_deep(t, level, i);
        break;
    default:
        t->parent[v] = s->n + drawn(dice, 3);
        break;
    }
}

static int check_counts(const struct trial *t, const struct mw_verdict *verdict)
{
    const struct sample *s = t->sample;
    uint64_t n_reached = 0, n_edges = 0, n_loops = 0;
    for (uint64_t v = 0; v < s->n; v++)
        n_reached += t->parent[v] != UINT64_MAX;
    for (uint64_t i = 0; i < s->m; i++) {
        const bool from = t->parent[s->edge[i][0]] != UINT64_MAX;
        const bool to = t->parent[s->edge[i][1]] != UINT64_MAX;
        n_loops += from && s->edge[i][0] == s->edge[i][1];
        n_edges += s->edge[i][0] != s->edge[i][1] && from && (s->directed || to);
    }
    EXPECT(verdict->n_reached == n_reached && verdict->n_edges == n_edges &&
               verdict->n_self_loops == n_loops,
           "%u, %u, %u", (unsigned)verdict->n_reached, (unsigned)verdict->n_edges,
           (unsigned)verdict->n_self_loops);
    return MW_OK;
}

static int agree_with_the_judge(struct mw_world *w, void *arg)
{
    const struct trial *t = arg;
    const bool wide = t->sample->n > MW_NARROW_VERTICES;
    struct mw_edges edges = {0};
    struct mw_validator *v = NULL;
    struct mw_verdict verdict;
    uint64_t *mine = NULL;
    int rc;

    MW_TRY(rc, sample_share(t->sample, w->comm, &edges));
    MW_TRY(rc, mw_validator_new(w, &edges, &v));
    MW_NEW(rc, mine, "parents", t->sample->n / w->comm->size + 1);
    for (uint64_t x = w->comm->rank, p = 0; x < t->sample->n; x += w->comm->size, p++)
        if (wide)
            mine[p] = t->parent[x];
        else
            ((uint32_t *)(void *)mine)[p] = (uint32_t)t->parent[x];
    mw_validator_end_at(v, t->last);
    mw_error_clear();
    rc = mw_validate(v, t->root, mine, wide, &verdict);
    if (rc == MW_OK || rc == MW_ERR_INVALID) {
        const bool right = rc == MW_OK;
        rc = right == t->right ? MW_OK
                               : mw_fail(MW_ERR_INTERNAL, "the judge says %d: %s",
                                         t->right, mw_error_text());
    }
    if (rc == MW_OK && t->right)
        rc = check_counts(t, &verdict);
    rc = mw_comm_agree(w->comm, rc);
end:
    mw_free(mine);
    mw_validator_free(v);
    mw_edges_fini(&edges);
    return rc;
}

/* Mostly so small that everything which can go wrong does. */
static struct sample small_sample(uint64_t *dice)
{
    struct sample s = {.name = "small", .directed = drawn(dice, 4) > 0};
    s.n = 1 + drawn(dice, drawn(dice, 8) == 0 ? 90 : 12);
    const uint64_t m = drawn(dice, 3 * s.n + 1);
    for (uint64_t i = 0; i < m;
         i++) /* loops, duplicates, antiparallel ones come by chance */
        sample_edge(&s, drawn(dice, s.n), drawn(dice, s.n));
    sample_finish(&s);
    return s;
}

static int n_right, n_wrong;

static void try_trees(uint64_t seed)
{
    uint64_t dice = mixed(seed);
    struct sample s = small_sample(&dice);
    uint32_t *level = malloc((s.n + 1) * sizeof *level);
    struct trial t = {.sample = &s, .parent = malloc((s.n + 1) * sizeof *t.parent)};
    ck_assert(level != NULL && t.parent != NULL);
    for (uint32_t k = 0; k < 4; k++) {
        const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 7);
        struct ranks r = {
            .loop = {n_ranks, 0, 0}, .body = agree_with_the_judge, .arg = &t};
        t.root = drawn(&dice, s.n);
        t.last = drawn(&dice, 2) ? UINT32_MAX : (uint32_t)drawn(&dice, 5);
        grow(&t, level);
        ck_assert(judge(&t));
        if (k > 0)
            damage(&t, level, &dice);
        t.right = judge(&t);
        n_right += t.right;
        n_wrong += !t.right;
        with_threads(&r, (uint32_t)drawn(&dice, 3));
        with_width(&r, 1 + (uint32_t)drawn(&dice, n_ranks));
        r.world.batch_bytes = 256;
        r.world.small_input = 64;
        r.world.hang_timeout_s = HANG_S;
        must_run(&r);
    }
    free(level);
    free(t.parent);
    sample_free(&s);
}

START_TEST(the_validator_agrees_with_a_serial_judge)
{
    const uint32_t n = (uint32_t)how_many(100, 40, 20);
    n_right = n_wrong = 0;
    for (uint32_t i = 0; i < n; i++)
        try_trees((uint64_t)_i * n + i);
    ck_assert_int_gt(n_right, (int)n);
    ck_assert_int_gt(n_wrong, (int)n / 2);
}
END_TEST

/* ---- Searches that end early ---------------------------------------------------------------- */

struct goals {
    struct searches q;
    struct mw_goal goal;
};

/* Collective: has a search from root i less than half of the entries on levels down to half_by, and a vertex there? */
static int is_slow(const struct goals *x, uint32_t i, const struct mw_graph *g, bool *out)
{
    const uint32_t *const level = x->q.level[i], by = x->goal.half_by;
    uint64_t sum[2] = {0};
    for (uint64_t p = 0; p < g->n_places; p++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, p);
        const uint32_t u = g->label_of[p];
        sum[0] += level[v] == by;
        if (u != MW_NO_LABEL && level[v] != NO_LEVEL && level[v] <= by)
            sum[1] += g->row[u + 1] - g->row[u];
    }
    const int rc = mw_comm_sum(g->comm, sum, 2);
    *out = by > 0 && by <= x->goal.max_depth && sum[0] > 0 && 2 * sum[1] < g->n_entries;
    return rc;
}

/* What the oracle would leave: the levels down to the last. */
static int check_early_end(const struct goals *x, uint32_t i, bool slow,
                           struct mw_traversal *b, const struct mw_graph *g)
{
    const struct sample *s = x->q.sample;
    const uint32_t *level = x->q.level[i];
    const mw_vid target = x->goal.target;
    uint32_t last = slow ? x->goal.half_by : x->goal.max_depth, deepest = 0;
    const bool found =
        target != MW_NO_VERTEX && level[target] != NO_LEVEL && level[target] <= last;
    mw_vid path[300];

    if (found)
        last = level[target];
    EXPECT(b->found == found && mw_traversal_last_level(b) == last, "root %u: %u, not %u",
           (unsigned)x->q.root[i], mw_traversal_last_level(b), last);
    for (uint64_t p = 0; p < g->n_places; p++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, p),
                     parent = mw_traversal_number(b, p);
        const bool in = level[v] != NO_LEVEL && level[v] <= last;
        EXPECT((parent != MW_NO_VERTEX) == in, "root %u: %u on level %u",
               (unsigned)x->q.root[i], (unsigned)v, level[v]);
    }
    for (uint64_t v = 0; v < s->n; v++)
        if (level[v] != NO_LEVEL && level[v] <= last)
            deepest = (uint32_t)mw_max(deepest, level[v]);
    EXPECT(b->n_levels == deepest + 1, "%u levels", b->n_levels);
    if (!found)
        return MW_OK;
    EXPECT(mw_traversal_path(b, target, last, path) == MW_OK, "path");
    EXPECT(path[0] == x->q.root[i] && path[last] == target, "path");
    for (uint32_t k = 1; k <= last; k++)
        EXPECT(level[path[k]] == k && sample_adjacent(s, path[k - 1], path[k]),
               "%u, %u are no step", (unsigned)path[k - 1], (unsigned)path[k]);
    return MW_OK;
}

static int search_to_goals(struct mw_world *w, void *arg)
{
    const struct goals *x = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    bool slow;
    int rc;

    MW_TRY(rc, sample_share(x->q.sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &x->q.rule, w, g, &b));
    mw_traversal_stop_at(b, &x->goal);
    for (uint32_t i = 0; i < x->q.n; i++) {
        MW_TRY(rc, mw_traversal_reset(b));
        MW_TRY(rc, mw_traversal_run(b, x->q.root[i]));
        MW_TRY(rc, is_slow(x, i, g, &slow));
        MW_TRY(rc, mw_comm_agree(w->comm, check_early_end(x, i, slow, b, g)));
    }
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(a_search_ends_where_it_shall)
{
    uint64_t dice = mixed((uint64_t)_i + 31);
    struct sample s = sample_random((uint64_t)_i + 5);
    struct goals x = {0};
    if (_i % 2)
        sample_direct(&s);
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 7);
    struct ranks r = {.loop = {n_ranks, (uint32_t)drawn(&dice, 3), 0},
                      .body = search_to_goals,
                      .arg = &x};
    searches_init(&x.q, &s, 3, dice);
    x.q.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    x.q.rule.form = (enum mw_level_form)drawn(&dice, 3);
    x.goal.max_depth = drawn(&dice, 2) ? UINT32_MAX : (uint32_t)drawn(&dice, 5);
    x.goal.target = drawn(&dice, 3) > 0 ? drawn(&dice, s.n) : MW_NO_VERTEX;
    x.goal.half_by = (uint32_t)drawn(&dice, 4);
    with_threads(&r, (uint32_t)drawn(&dice, 3));
    with_width(&r, 1 + (uint32_t)drawn(&dice, n_ranks));
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    searches_free(&x.q);
    sample_free(&s);
}
END_TEST

/* Levels that a crew makes: it ends as deep as it shall, however many ranks and cores it has. */
START_TEST(a_crew_ends_where_it_shall)
{
    enum { ROWS = 40, COLUMNS = 60, BEFORE = 16 };
    uint64_t dice = mixed((uint64_t)_i + 57);
    struct sample s = {.name = "grid", .n = ROWS * COLUMNS};
    struct goals x = {.goal.target = MW_NO_VERTEX};
    struct ranks r = {
        .loop = {1 + (uint32_t)_i % 4, 0, 0}, .body = search_to_goals, .arg = &x};
    for (uint64_t v = 0; v < s.n; v++) {
        if (v % COLUMNS > 0)
            sample_edge(&s, v - 1, v);
        if (v >= COLUMNS)
            sample_edge(&s, v - COLUMNS, v);
    }
    sample_finish(&s);
    searches_init(&x.q, &s, 2, dice);
    x.q.rule.partition = MW_BY_CLASSES;
    x.q.rule.few = 0;
    x.goal.max_depth = BEFORE + (uint32_t)drawn(&dice, 30) + 50 * ((uint32_t)_i % 2);
    x.goal.half_by = drawn(&dice, 2) ? (uint32_t)drawn(&dice, x.goal.max_depth + 9) : 0;
    if (_i == 2 || _i == 4) { /* it ends before it would ask for a half */
        x.goal.max_depth = BEFORE + 4;
        x.goal.half_by = BEFORE + 9;
        r.loop.n_ranks = 1;
    }
    if (_i % 3 == 0) /* each call makes one level */
        x.goal.target = drawn(&dice, 2) ? s.n - 1 : drawn(&dice, s.n);
    with_threads(&r, (uint32_t)(_i / 2) % 3);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    searches_free(&x.q);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("directed");
    TCase *t = tcase_create("trees and goals");
    tcase_add_loop_test(t, the_validator_agrees_with_a_serial_judge, 0, 5);
    tcase_add_loop_test(t, a_search_ends_where_it_shall, 0, 60);
    tcase_add_loop_test(t, a_crew_ends_where_it_shall, 0, how_many(24, 16, 12));
    suite_add_tcase(s, t);
    return run_suite(s);
}
