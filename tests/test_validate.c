/* test_validate.c -- right trees pass, and every way to damage one is found: on each rank,
 * by the rule that it breaks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_validate.h"
#include "sample.h"

#include <unistd.h>

enum { ROOT = 0, BODY = 90, RING_AT = 90, RING_LENGTH = 10, PAIR_AT = 100, END = 120 };

static struct sample sample; /* a body, a ring, pairs, and isolated vertices */
static uint64_t right[END];  /* parents */
static uint32_t level[END];

static void sample_up(void)
{
    sample = (struct sample){.name = "body, ring, pairs", .n = END};
    for (uint64_t v = 1; v < BODY; v++) { /* a tree with a few more edges */
        sample_edge(&sample, v, (v - 1) / 3);
        if (v % 4 == 0)
            sample_edge(&sample, v - 1, v); /* same level, or one apart */
    }
    for (uint64_t i = 0; i < RING_LENGTH; i++)
        sample_edge(&sample, RING_AT + i, RING_AT + (i + 1) % RING_LENGTH);
    for (uint64_t i = 0; i < 10; i += 2)
        sample_edge(&sample, PAIR_AT + i, PAIR_AT + i + 1);
    for (uint64_t v = 0; v < END; v += 5)
        sample_edge(&sample, v, v);
    sample_edge(&sample, 1, 0); /* once more */
    sample_finish(&sample);
    sample_levels(&sample, ROOT, level);
    for (uint64_t v = 0; v < END; v++) {
        right[v] = v == ROOT ? v : UINT64_MAX;
        for (uint64_t k = sample.first[v]; k < sample.first[v + 1]; k++)
            if (level[v] != NO_LEVEL && level[sample.neighbour[k]] + 1 == level[v])
                right[v] = sample.neighbour[k];
    }
}

static void sample_down(void)
{
    sample_free(&sample);
}

/* ---- Damages: each on a vertex of rank `where`; false: none is there ---------------------- */

static bool is_leaf(const uint64_t *p, uint64_t v)
{
    for (uint64_t u = 0; u < END; u++)
        if (p[u] == v)
            return false;
    return p[v] != UINT64_MAX && v != ROOT;
}

static bool cycle_in_the_body(uint64_t *p, uint64_t v)
{
    for (uint64_t u = 1; u < BODY; u++)
        if (v != ROOT && v < BODY && p[u] == v) {
            p[v] = u;
            return true;
        }
    return false;
}

static bool cycle_elsewhere(uint64_t *p, uint64_t v)
{
    if (v < RING_AT || v >= RING_AT + RING_LENGTH)
        return false;
    for (uint64_t i = 0; i < RING_LENGTH; i++)
        p[RING_AT + i] = RING_AT + (i + 1) % RING_LENGTH;
    return true;
}

static bool foreign_pair(uint64_t *p, uint64_t v)
{
    if (v < PAIR_AT || v >= PAIR_AT + 10)
        return false;
    p[v] = v ^ 1;
    p[v ^ 1] = v;
    return true;
}

static bool foreign_with_itself(uint64_t *p, uint64_t v)
{
    if (v < RING_AT || v >= PAIR_AT + 10)
        return false;
    p[v] = v;
    return true;
}

static bool isolated_with_itself(uint64_t *p, uint64_t v)
{
    if (v < PAIR_AT + 10)
        return false;
    p[v] = v;
    return true;
}

static bool isolated_under_the_root(uint64_t *p, uint64_t v)
{
    if (v < PAIR_AT + 10)
        return false;
    p[v] = ROOT;
    return true;
}

static bool leaf_lost(uint64_t *p, uint64_t v)
{
    if (!is_leaf(p, v))
        return false;
    p[v] = UINT64_MAX;
    return true;
}

static bool parent_on_the_same_level(uint64_t *p, uint64_t v)
{
    for (uint64_t u = 1; u < BODY; u++)
        if (v < BODY && level[u] == level[v] && sample_adjacent(&sample, u, v)) {
            p[v] = u;
            return true;
        }
    return false;
}

static bool parent_not_adjacent(uint64_t *p, uint64_t v)
{
    for (uint64_t u = 0; u < BODY; u++)
        if (v < BODY && v != ROOT && level[u] + 1 == level[v] &&
            !sample_adjacent(&sample, u, v)) {
            p[v] = u;
            return true;
        }
    return false;
}

static bool parent_out_of_range(uint64_t *p, uint64_t v)
{
    static const uint64_t what[] = {END, END + 1, 1000000, UINT32_MAX - 1};
    if (v == ROOT || v >= BODY)
        return false;
    p[v] = what[v % 4];
    return true;
}

static bool own_parent(uint64_t *p, uint64_t v)
{
    if (v == ROOT || v >= BODY)
        return false;
    p[v] = v;
    return true;
}

static bool root_under_a_neighbour(uint64_t *p, uint64_t v)
{
    p[ROOT] = 1;
    return v == ROOT;
}

static bool root_lost(uint64_t *p, uint64_t v)
{
    p[ROOT] = UINT64_MAX;
    return v == ROOT;
}

static bool tree_of_another_search(uint64_t *p, uint64_t v)
{
    uint32_t other[END];
    if (v == ROOT || v >= BODY)
        return false;
    sample_levels(&sample, v, other);
    for (uint64_t u = 0; u < BODY; u++)
        for (uint64_t k = sample.first[u]; k < sample.first[u + 1]; k++)
            if (u == v)
                p[u] = v;
            else if (other[sample.neighbour[k]] + 1 == other[u])
                p[u] = sample.neighbour[k];
    return true;
}

/* The parent of the same place on the next rank. */
static bool parent_of_another_rank(uint64_t *p, uint64_t v)
{
    if (v == ROOT || v + 1 >= BODY || sample_adjacent(&sample, v, p[v + 1]) ||
        p[v + 1] == v)
        return false;
    p[v] = p[v + 1];
    return true;
}

static bool subtree_lost(uint64_t *p, uint64_t v)
{
    if (v == ROOT || v >= BODY || is_leaf(p, v))
        return false;
    p[v] = UINT64_MAX;
    for (uint64_t u = v + 1; u < BODY; u++) /* a parent is smaller, or one less above */
        for (uint64_t w = v; w < BODY; w++)
            if (p[w] != UINT64_MAX && w != ROOT && p[p[w]] == UINT64_MAX)
                p[w] = UINT64_MAX;
    return true;
}

/* Everything reached, and right, but the search never left the root. */
static bool only_the_root(uint64_t *p, uint64_t v)
{
    for (uint64_t u = 0; u < END; u++)
        p[u] = u == ROOT ? ROOT : UINT64_MAX;
    return v == ROOT;
}

static const struct damage {
    const char *name;
    bool (*apply)(uint64_t *parent, uint64_t v);
    uint32_t rule;     /* that must be broken */
    uint64_t at_least; /* so often */
    uint64_t at_most;
    bool alone; /* and no other */
} damages[] = {
    {"cycle in the body", cycle_in_the_body, MW_RULE_TREE, 2, BODY, false},
    {"cycle elsewhere", cycle_elsewhere, MW_RULE_TREE, RING_LENGTH, RING_LENGTH, true},
    {"foreign pair", foreign_pair, MW_RULE_TREE, 2, 2, true},
    {"foreign with itself", foreign_with_itself, MW_RULE_TREE, 1, 1, true},
    {"isolated with itself", isolated_with_itself, MW_RULE_TREE, 1, 1, true},
    {"isolated under the root", isolated_under_the_root, MW_RULE_EDGES, 1, 1, true},
    {"leaf lost", leaf_lost, MW_RULE_SPANS, 1, 4, true},
    {"parent on the same level", parent_on_the_same_level, MW_RULE_LEVELS, 1, 4, false},
    {"parent not adjacent", parent_not_adjacent, MW_RULE_EDGES, 1, 1, true},
    {"parent out of range", parent_out_of_range, MW_RULE_TREE, 1, BODY, false},
    {"its own parent", own_parent, MW_RULE_TREE, 1, BODY, false},
    {"root under a neighbour", root_under_a_neighbour, MW_RULE_TREE, 1, BODY + 1, true},
    {"root lost", root_lost, MW_RULE_TREE, 1, BODY, true},
    {"tree of another search", tree_of_another_search, MW_RULE_TREE, 1, BODY + 1, true},
    {"parent of another rank", parent_of_another_rank, 0, 1, BODY, false},
    {"subtree lost", subtree_lost, MW_RULE_SPANS, 1, 8, true},
    {"only the root", only_the_root, MW_RULE_SPANS, 4, 4, true},
};
enum { DAMAGES = sizeof damages / sizeof damages[0] };

/* ---- One rank ---------------------------------------------------------------------------- */

struct check {
    const uint64_t *parent;      /* [END] */
    const struct damage *damage; /* NULL: none */
    bool wide;
};

static int slice(const struct mw_comm *c, const struct check *k, void **out)
{
    int rc = MW_OK;
    const uint64_t n = mw_round_up(END, c->size) / c->size;
    uint64_t *all64;
    uint32_t *all32;
    MW_NEW(rc, all64, "parents", n);
    all32 = (uint32_t *)(void *)all64;
    for (uint64_t v = c->rank; v < END; v += c->size)
        if (k->wide)
            all64[v / c->size] = k->parent[v];
        else
            all32[v / c->size] = (uint32_t)k->parent[v];
    *out = all64;
end:
    return rc;
}

static int check_counts(const struct mw_validator *v, const struct mw_comm *c,
                        const struct mw_verdict *verdict, const uint64_t *parent)
{
    uint64_t n_edges = 0, n_loops = 0, n_reached = 0;
    uint32_t n_levels = 0;
    for (uint64_t i = 0; i < sample.m; i++) {
        const uint64_t a = sample.edge[i][0], b = sample.edge[i][1];
        n_edges += a != b && level[a] != NO_LEVEL && level[b] != NO_LEVEL;
        n_loops += a == b && level[a] != NO_LEVEL;
    }
    for (uint64_t u = 0; u < END; u++) {
        n_reached += parent[u] != UINT64_MAX;
        n_levels = (uint32_t)mw_max(n_levels, level[u] == NO_LEVEL ? 0 : level[u] + 1);
        if (u % c->size == c->rank)
            EXPECT(mw_validator_level(v, u / c->size) == level[u], "vertex %u",
                   (unsigned)u);
    }
    EXPECT(verdict->n_reached == n_reached, "%u", (unsigned)verdict->n_reached);
    EXPECT(verdict->n_edges == n_edges, "%u", (unsigned)verdict->n_edges);
    EXPECT(verdict->n_self_loops == n_loops, "%u", (unsigned)verdict->n_self_loops);
    EXPECT(verdict->n_levels == n_levels, "%u", verdict->n_levels);
    for (int r = 0; r <= MW_RULE_EDGES; r++)
        EXPECT(verdict->n_wrong[r] == 0, "rule %d", r);
    return MW_OK;
}

static int check_rejection(int rc, const struct mw_verdict *v, const struct damage *d)
{
    uint64_t all = 0;
    int said = 0;
    const char *rule = strstr(mw_error_text(), "rule ");
    EXPECT(rc == MW_ERR_INVALID, "%s: %d", d->name, rc);
    EXPECT(strstr(mw_error_text(), "root 0") != NULL, "%s: %s", d->name, mw_error_text());
    const bool found = rule != NULL && sscanf(rule, "rule %d", &said) == 1;
    EXPECT(found, "%s: %s", d->name, mw_error_text());
    for (int r = 0; r <= MW_RULE_EDGES; r++)
        all += v->n_wrong[r];
    EXPECT(said > 0 && said <= MW_RULE_EDGES && v->n_wrong[said] > 0,
           "%s: the text says rule %d", d->name, said);
    const uint64_t n = d->rule == 0 ? all : v->n_wrong[d->rule];
    EXPECT(n >= d->at_least && n <= d->at_most, "%s: rule %u is broken %u times", d->name,
           d->rule, (unsigned)n);
    EXPECT(!d->alone || all == n, "%s: %u, but %u of rule %u", d->name, (unsigned)all,
           (unsigned)n, d->rule);
    return MW_OK;
}

static int reject(struct mw_world *w, struct mw_validator *v, const struct check *k,
                  const void *parent)
{
    struct mw_verdict verdict;
    if (k->damage == NULL)
        return MW_OK;
    mw_error_clear();
    const int rc = mw_validate(v, ROOT, parent, k->wide, &verdict);
    return mw_comm_agree(w->comm, check_rejection(rc, &verdict, k->damage));
}

static int validate(struct mw_world *w, void *arg)
{
    const struct check *k = arg;
    struct mw_edges edges = {0};
    struct mw_validator *v = NULL;
    struct mw_verdict verdict;
    struct check whole = {.parent = right, .wide = k->wide};
    void *mine = NULL, *good = NULL;
    int rc;

    MW_TRY(rc, sample_share(&sample, w->comm, &edges));
    MW_TRY(rc, mw_validator_new(w, &edges, &v));
    MW_TRY(rc, slice(w->comm, k, &mine));
    MW_TRY(rc, slice(w->comm, &whole, &good));
    MW_TRY(rc, reject(w, v, k, mine));
    /* What was wrong before is forgotten, and what was right. */
    mw_error_clear();
    MW_TRY(rc, mw_validate(v, ROOT, good, k->wide, &verdict));
    MW_TRY(rc, check_counts(v, w->comm, &verdict, right));
    rc = reject(w, v, k, mine);
end:
    mw_free(mine);
    mw_free(good);
    mw_validator_free(v);
    mw_edges_fini(&edges);
    return rc;
}

/* Hosts of so many ranks; 0: one host. Ranks of a host judge without messages. */
static void must_validate(struct check *k, uint32_t n_ranks, uint32_t per_host,
                          uint32_t width, uint32_t threads)
{
    struct ranks r = {.loop = {n_ranks, per_host, 0}, .body = validate, .arg = k};
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.batch_bytes = 256;
    r.world.small_input = 64;
    r.world.least_bits = width > 2 ? 29 + n_ranks % 4 : 0;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

START_TEST(right_trees_pass_with_the_right_counts)
{
    for (uint32_t threads = 0; threads <= 3; threads++)
        for (uint32_t width = 1; width <= (uint32_t)_i && width <= 4; width++) {
            struct check k = {.parent = right, .wide = threads % 2};
            must_validate(&k, (uint32_t)_i, (threads + width) % 3, width, threads);
        }
}
END_TEST

/* With P ranks, on a vertex of each of them if there is one to damage. */
START_TEST(damage_is_rejected)
{
    const struct damage *d = &damages[_i];
    uint32_t n_damaged = 0;
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks++)
        for (uint32_t where = 0; where < n_ranks; where++) {
            uint64_t parent[END], v = where;
            bool done = false;
            for (; !done && v < END; v += n_ranks) {
                memcpy(parent, right, sizeof parent);
                done = d->apply(parent, v);
            }
            struct check k = {.parent = parent, .damage = d, .wide = where % 2};
            if (done)
                must_validate(&k, n_ranks, where % 3, 1 + where % 2 % n_ranks,
                              n_ranks % 3);
            n_damaged += done;
        }
    ck_assert_uint_ge(n_damaged, 5);
}
END_TEST

START_TEST(numbers_of_64_bits_are_not_cut)
{
    static const struct damage far = {"far away", NULL, MW_RULE_TREE, 1, BODY, false};
    uint64_t parent[END];
    struct check k = {.parent = parent, .damage = &far, .wide = true};
    memcpy(parent, right, sizeof parent);
    parent[7] |= UINT64_C(1) << (32 + 5 * _i); /* right in its lower 32 bits */
    must_validate(&k, 3, 0, 1, (uint32_t)_i % 2);
}
END_TEST

START_TEST(one_vertex_is_a_tree)
{
    sample_free(&sample);
    sample = (struct sample){.name = "one vertex", .n = END};
    sample_edge(&sample, ROOT, ROOT);
    sample_finish(&sample);
    sample_levels(&sample, ROOT, level);
    memset(right, 0xFF, sizeof right);
    right[ROOT] = ROOT;
    struct check k = {.parent = right};
    must_validate(&k, 1 + (uint32_t)_i, 0, 1, (uint32_t)_i % 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("validate");
    TCase *t = tcase_create("trees");
    tcase_add_checked_fixture(t, sample_up, sample_down);
    tcase_add_loop_test(t, right_trees_pass_with_the_right_counts, 1, 10);
    tcase_add_loop_test(t, damage_is_rejected, 0, DAMAGES);
    tcase_add_loop_test(t, numbers_of_64_bits_are_not_cut, 0, 6);
    tcase_add_loop_test(t, one_vertex_is_a_tree, 0, 3);
    suite_add_tcase(s, t);
    return run_suite(s);
}
