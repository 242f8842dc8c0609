/* sources.c -- see sources.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/sources.h"

#include "base/hash.h"
#include "devices/placed.h"
#include "traversal/traversal.h"

#include <string.h>

enum { TRIES = 4096 };

int mw_sources_draw(const struct mw_traversal *t, uint32_t n, uint64_t seed,
                    struct mw_sources *out)
{
    const struct mw_graph *const g = t->graph;
    mw_vid *const source = out->vertex;
    uint32_t n_found = 0;
    int rc = MW_OK;
    n = (uint32_t)mw_min(n, g->n_connected);
    for (uint64_t i = 0; i < TRIES && n_found < n && rc == MW_OK; i++) {
        const mw_vid v = mw_mix(mw_mix(seed) + i) % g->n_vertices;
        bool connected = false;
        uint32_t k = 0;
        while (k < n_found && source[k] != v)
            k++;
        if (k < n_found)
            continue;
        rc = mw_placed_is_connected(t->world, g, v, &connected);
        source[n_found] = v;
        n_found += connected;
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
