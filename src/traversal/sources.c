/* sources.c -- see sources.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/sources.h"

#include "devices/placed.h"

enum { TRIES = 4096 };

/* splitmix64 */
static uint64_t mixed(uint64_t x)
{
    x += UINT64_C(0x9e3779b97f4a7c15);
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

int mw_sources_draw(const struct mw_traversal *t, uint32_t n, uint64_t seed,
                    mw_vid *source, uint32_t *n_drawn)
{
    const struct mw_graph *const g = t->graph;
    uint32_t n_found = 0;
    int rc = MW_OK;
    n = (uint32_t)mw_min(n, g->n_connected);
    for (uint64_t i = 0; i < TRIES && n_found < n && rc == MW_OK; i++) {
        const mw_vid v = mixed(mixed(seed) + i) % g->n_vertices;
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
    *n_drawn = n_found;
    return rc;
}
