/* damages.h -- a tree, and every way to damage it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef DAMAGES_H
#define DAMAGES_H

#include "algorithms/bfs/bfs_validate.h"
#include "sample.h"

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

#endif
