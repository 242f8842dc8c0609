/* roots.c -- see roots.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/roots.h"

#include <assert.h>

void mw_root_stream_init(struct mw_root_stream *s, const uint64_t seed[2],
                         uint64_t n_vertices)
{
    assert(n_vertices > 0);
    s->n_vertices = n_vertices;
    mw_random_init(&s->random, seed);
    struct mw_jump far; /* the roots have a stream of their own, 2 * 2^128 steps on */
    mw_jump_init(&far, 129);
    mw_random_jump(&s->random, &far);
}

mw_vid mw_root_stream_next(struct mw_root_stream *s)
{
    const double d0 = mw_random_real(&s->random);
    const double d1 = mw_random_real(&s->random);
    return (uint64_t)((d0 + d1) * (double)s->n_vertices) % s->n_vertices;
}

/* How many candidates are tested. To meet all of N vertices takes about N ln N draws;
 * 16 N more miss a given one with probability e^-16. Only small graphs can need them,
 * so a large one with few connected vertices is not drawn from 17 times over. */
static uint64_t n_tests(enum mw_root_policy policy, uint64_t n_vertices)
{
    if (policy == MW_ROOTS_COMPAT)
        return n_vertices;
    return n_vertices + 16 * mw_min(n_vertices, 1024);
}

static bool contains(const mw_vid *root, uint32_t n, mw_vid v)
{
    for (uint32_t i = 0; i < n; i++)
        if (root[i] == v)
            return true;
    return false;
}

struct mw_roots mw_roots_select(struct mw_root_stream *s, enum mw_root_policy policy,
                                uint32_t n_wanted, mw_vid *root,
                                bool (*connected)(void *arg, mw_vid v), void *arg)
{
    struct mw_roots found = {0, 0};
    const uint64_t limit = n_tests(policy, s->n_vertices);
    while (found.n < n_wanted && found.n_drawn < limit) {
        const mw_vid v = mw_root_stream_next(s);
        found.n_drawn++;
        if (!contains(root, found.n, v) && connected(arg, v))
            root[found.n++] = v;
    }
    if (policy == MW_ROOTS_COMPAT)
        for (; found.n < n_wanted; found.n_drawn++)
            root[found.n++] = mw_root_stream_next(s);
    return found;
}
