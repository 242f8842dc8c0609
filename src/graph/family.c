/* family.c -- see family.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/family.h"

#include "base/hash.h"

#include <assert.h>

static int add_edge(const struct mw_family *f, struct mw_edges *out, mw_vid u, mw_vid v)
{
    return mw_edges_add_weighted(out, u, v,
                                 out->weight != NULL ? mw_family_weight(f, u, v) : 1);
}

/* Edge number `side` of a vertex of the grid. */
static bool is_kept(const struct mw_family *f, uint64_t vertex, uint64_t side)
{
    const uint64_t hash = mw_mix(f->edge_key + MW_FAMILY_SIDES * vertex + side);
    return mw_hash_share(hash) < f->conf.keep;
}

static int make_grid(const struct mw_family *f, uint64_t v, struct mw_edges *out)
{
    int rc = MW_OK;
    uint64_t rest = v, step = 1;
    for (uint64_t i = 0; i < MW_FAMILY_SIDES && rc == MW_OK; i++) {
        const uint64_t side = f->conf.side[i];
        if (rest % side + 1 < side &&
            (f->conf.kind == MW_FAMILY_GRID || is_kept(f, v, i)))
            rc = add_edge(f, out, v, v + step);
        rest /= side;
        step *= side;
    }
    return rc;
}

static int make_geometric(const struct mw_family *f, uint64_t v, struct mw_edges *out)
{
    int rc = MW_OK;
    struct mw_points_run run[2];
    mw_points_later(&f->points, v, run);
    for (int i = 0; i < 2; i++)
        for (uint64_t u = run[i].first; u < run[i].end && rc == MW_OK; u++)
            if (mw_points_near(&f->points, u, v))
                rc = add_edge(f, out, v, u);
    return rc;
}

/* A remainder favours small numbers by n / 2^64 at most. */
static int make_uniform(const struct mw_family *f, uint64_t i, struct mw_edges *out)
{
    const mw_vid u = mw_mix(f->edge_key + 2 * i) % f->n_vertices;
    const mw_vid v = mw_mix(f->edge_key + 2 * i + 1) % f->n_vertices;
    return add_edge(f, out, mw_min(u, v), mw_max(u, v));
}

static int make_edges_of(const struct mw_family *f, uint64_t origin, struct mw_edges *out)
{
    switch (f->conf.kind) {
    case MW_FAMILY_GRID:
    case MW_FAMILY_ROADS:
        return make_grid(f, origin, out);
    case MW_FAMILY_GEOMETRIC:
        return make_geometric(f, origin, out);
    case MW_FAMILY_UNIFORM:
        return make_uniform(f, origin, out);
    }
    return MW_OK;
}

static uint64_t edges_of_grid(const struct mw_family *f)
{
    uint64_t n = 0;
    for (int i = 0; i < MW_FAMILY_SIDES; i++)
        n += f->n_vertices / f->conf.side[i] * (f->conf.side[i] - 1);
    return n;
}

/* What the kind says of the list. */
static int count_origins(struct mw_family *f)
{
    const struct mw_family_conf *conf = &f->conf;
    f->n_origins = f->n_vertices;
    f->per_origin = MW_FAMILY_SIDES;
    switch (conf->kind) {
    case MW_FAMILY_GRID:
        f->n_edges = edges_of_grid(f);
        break;
    case MW_FAMILY_ROADS:
        break;
    case MW_FAMILY_GEOMETRIC:
        f->per_origin = 1 + (uint64_t)(conf->degree / 2);
        return mw_points_init(&f->points, f->n_vertices, conf->degree, f->edge_key);
    case MW_FAMILY_UNIFORM:
        f->per_origin = 1;
        f->n_origins = f->n_edges = mw_saturating_times(f->n_vertices, conf->edgefactor);
        if (f->n_edges > INT64_MAX)
            return mw_fail(
                MW_ERR_REFUSED, "%llu edges each of %llu vertices: beyond 2^63",
                (unsigned long long)conf->edgefactor, (unsigned long long)f->n_vertices);
        break;
    }
    return MW_OK;
}

int mw_family_init(struct mw_family *f, const struct mw_family_conf *conf)
{
    *f = (struct mw_family){.conf = *conf, .n_vertices = 1};
    for (int i = 0; i < MW_FAMILY_SIDES; i++)
        f->n_vertices = mw_saturating_times(f->n_vertices, conf->side[i]);
    if (f->n_vertices < 1 || f->n_vertices > MW_FAMILY_VERTICES)
        return mw_fail(
            MW_ERR_REFUSED, "%llu x %llu x %llu vertices: 1 to 2^48 are possible",
            (unsigned long long)conf->side[0], (unsigned long long)conf->side[1],
            (unsigned long long)conf->side[2]);
    f->edge_key = mw_mix(mw_mix(conf->seed[0]) + conf->seed[1]);
    f->weight_key = mw_mix(f->edge_key);
    return count_origins(f);
}

void mw_family_fini(struct mw_family *f)
{
    mw_points_fini(&f->points);
}

int mw_family_edges(const struct mw_family *f, uint64_t first, uint64_t n,
                    struct mw_edges *out)
{
    int rc = MW_OK;
    assert(first <= f->n_origins && n <= f->n_origins - first);
    for (uint64_t i = 0; i < n && rc == MW_OK; i++)
        rc = make_edges_of(f, first + i, out);
    return rc;
}

float mw_family_weight(const struct mw_family *f, mw_vid u, mw_vid v)
{
    const uint64_t hash = mw_mix(mw_mix(f->weight_key + u) + v);
    return (float)(1 + (hash >> 32) * MW_FAMILY_WEIGHT_MOST / (UINT64_C(1) << 32));
}
