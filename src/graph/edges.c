/* edges.c -- see edges.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/edges.h"

#include <string.h>

static int take_weights(struct mw_edges *e, uint64_t room)
{
    MW_NEED_NEW(e->weight, "weights of edges",
                mw_max(room, 1)); /* says that there are some */
    return MW_OK;
}

/* Takes arrays of the right width for `room` edges. */
static int take_arrays(struct mw_edges *e, uint64_t room, bool wide, bool weighted)
{
    int rc = MW_OK;
    if (room > UINT64_MAX / 2) /* 2 * room must not wrap; mw_alloc() refuses the rest */
        return mw_fail(MW_ERR_NOMEM, "edge list: %llu edges do not fit any machine",
                       (unsigned long long)room);
    if (wide)
        MW_NEW(rc, e->wide, "edge list", 2 * room);
    else
        MW_NEW(rc, e->narrow, "edge list", 2 * room);
    e->room = room;
    if (weighted)
        rc = take_weights(e, room);
end:
    return rc;
}

void mw_edges_sizes(uint64_t n_vertices, uint64_t room, bool weighted,
                    struct mw_sizes *out)
{
    const bool wide = n_vertices > MW_NARROW_VERTICES;
    mw_sizes_add(out, MW_ALWAYS, "edge list", mw_min(room, UINT64_MAX / 2) * 2,
                 wide ? sizeof(uint64_t) : sizeof(uint32_t));
    mw_sizes_add(out, MW_ALWAYS, "weights of edges", mw_max(room, 1), sizeof(float))
        ->copies = weighted;
}

int mw_edges_init(struct mw_edges *e, uint64_t n_vertices, uint64_t room)
{
    memset(e, 0, sizeof *e);
    e->n_vertices = n_vertices;
    return take_arrays(e, room, n_vertices > MW_NARROW_VERTICES, false);
}

void mw_edges_fini(struct mw_edges *e)
{
    MW_FREE_ALL(e->narrow, e->wide, e->weight);
    memset(e, 0, sizeof *e);
}

int mw_edges_weigh(struct mw_edges *e)
{
    if (e->weight != NULL)
        return MW_OK;
    const int rc = take_weights(e, e->room);
    for (uint64_t i = 0; rc == MW_OK && i < e->n; i++)
        e->weight[i] = 1;
    return rc;
}

/* Moves the edges to a list of another shape; `e` is unchanged on failure. A list
 * never becomes narrow again. */
static int reshape(struct mw_edges *e, uint64_t room, bool wide)
{
    struct mw_edges to = {.n_vertices = e->n_vertices,
                          .n = e->n,
                          .directed = e->directed,
                          .shuffled = e->shuffled,
                          .block_bits = e->block_bits,
                          .names = e->names};
    const int rc = take_arrays(&to, room, wide, e->weight != NULL);
    if (rc < MW_OK) {
        mw_edges_fini(&to);
        return rc;
    }
    if (e->n > 0 && e->weight != NULL)
        memcpy(to.weight, e->weight, e->n * sizeof *to.weight);
    if (e->n > 0 && e->wide != NULL)
        memcpy(to.wide, e->wide, 2 * e->n * sizeof *to.wide);
    else if (e->n > 0 && !wide)
        memcpy(to.narrow, e->narrow, 2 * e->n * sizeof *to.narrow);
    else
        for (uint64_t i = 0; i < 2 * e->n; i++)
            to.wide[i] = e->narrow[i];
    MW_FREE_ALL(e->narrow, e->wide, e->weight);
    *e = to;
    return MW_OK;
}

int mw_edges_reserve(struct mw_edges *e, uint64_t room)
{
    if (room <= e->room)
        return MW_OK;
    return reshape(e, room, e->wide != NULL || e->n_vertices > MW_NARROW_VERTICES);
}

int mw_edges_add_slowly(struct mw_edges *e, mw_vid u, mw_vid v)
{
    const bool wide = e->wide != NULL || mw_max(u, v) >= MW_NARROW_VERTICES;
    if (e->n >= e->room || wide != (e->wide != NULL)) {
        const uint64_t room = e->n < e->room ? e->room : e->room + e->room / 2 + 1024;
        const int rc = reshape(e, room, wide);
        if (rc < MW_OK)
            return rc;
    }
    if (wide) {
        e->wide[2 * e->n] = u;
        e->wide[2 * e->n + 1] = v;
    } else {
        e->narrow[2 * e->n] = (uint32_t)u;
        e->narrow[2 * e->n + 1] = (uint32_t)v;
    }
    e->n++;
    return MW_OK;
}

void mw_edges_trim(struct mw_edges *e)
{
    if (e->n == e->room)
        return;
    if (e->wide != NULL)
        mw_shrink(e->wide, 2 * e->n * sizeof *e->wide);
    else if (e->narrow != NULL)
        mw_shrink(e->narrow, 2 * e->n * sizeof *e->narrow);
    if (e->weight != NULL)
        mw_shrink(e->weight, mw_max(e->n, 1) * sizeof *e->weight);
    e->room = e->n;
}
