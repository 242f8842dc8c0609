/* sources.c -- see sources.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/sources.h"

#include "base/hash.h"
#include "devices/placed.h"
#include "traversal/traversal.h"

#include <string.h>

enum { TRIES = 4096, AT_ONCE = 64 };

static bool is_among(const mw_vid *vertex, uint32_t n, mw_vid v)
{
    for (uint32_t k = 0; k < n; k++)
        if (vertex[k] == v)
            return true;
    return false;
}

int mw_sources_draw(const struct mw_traversal *t, uint32_t n, uint64_t seed,
                    struct mw_sources *out)
{
    const struct mw_graph *const g = t->graph;
    mw_vid *const source = out->vertex;
    uint32_t n_found = 0;
    int rc = MW_OK;
    n = (uint32_t)mw_min(n, g->n_connected);
    for (uint64_t i = 0; i < TRIES && n_found < n && rc == MW_OK; i += AT_ONCE) {
        mw_vid drawn[AT_ONCE];
        uint64_t connected[AT_ONCE];
        for (uint32_t k = 0; k < AT_ONCE; k++)
            drawn[k] = mw_mix(mw_mix(seed) + i + k) % g->n_vertices;
        rc = mw_placed_are_connected(t->world, g, drawn, AT_ONCE, connected);
        for (uint32_t k = 0; k < AT_ONCE && n_found < n && rc == MW_OK; k++)
            if (connected[k] && !is_among(source, n_found, drawn[k]))
                source[n_found++] = drawn[k];
    }
    if (rc == MW_OK && n > 0 && n_found == 0) {
        rc = mw_placed_hub(t->world, g, &source[0]);
        n_found = 1;
    }
    out->n = n_found;
    return rc;
}

void mw_sources_set(const struct mw_traversal *t, const mw_vid *vertex, uint32_t n)
{
    struct mw_sources *const s =
        (struct mw_sources *)(void *)((char *)t->state + t->algorithm->sources);
    memcpy(s->vertex, vertex, n * sizeof *vertex);
    s->n = n;
}
