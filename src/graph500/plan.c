/* plan.c -- see plan.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/plan.h"

#include "algorithms/hubs.h"
#include "base/mem.h"
#include "graph/bins.h"
#include "graph/construct.h"
#include "graph/edges.h"

#include <string.h>

/* The shares that one rank, the first and therefore largest, will have. */
struct shares {
    uint64_t places, labels, tuples;
    uint64_t entries; /* both ends of every tuple */
    uint64_t kept;    /* without duplicates */
    uint64_t columns; /* of all ranks */
    uint64_t number;  /* bytes of a column */
    uint64_t lanes, host_ranks, ranks;
    struct mw_means means;
    uint64_t largest; /* entries of the largest bin, about */
};

static uint64_t times(uint64_t a, uint64_t b)
{
    uint64_t c;
    return __builtin_mul_overflow(a, b, &c) ? UINT64_MAX : c;
}

static uint64_t plus(uint64_t a, uint64_t b)
{
    uint64_t c;
    return __builtin_add_overflow(a, b, &c) ? UINT64_MAX : c;
}

static uint64_t over(uint64_t a, uint64_t b)
{
    return a / b + (a % b != 0);
}

/* Vertices with an edge, per thousand, of the Graph500 graph with edge factor 16: counted
 * at SCALE 10, 16, 20, 22 (878, 714, 616, 571), a line through them elsewhere. */
static uint64_t connected_share(uint64_t n_vertices)
{
    uint64_t scale = 0;
    while (scale < 63 && UINT64_C(1) << scale < n_vertices)
        scale++;
    const uint64_t less = times(26, scale > 10 ? scale - 10 : 0);
    return less < 680 ? 880 - less : 200;
}

/* Tuples at the vertex that has most of them, estimated: 2.43 % at SCALE 16, and by what
 * was counted at SCALE 4, 10, 16 a share of 0.766 of that for each SCALE more. */
static uint64_t largest_degree(uint64_t n_vertices, uint64_t n_edges)
{
    uint64_t degree = n_edges / 1000 * 24;
    for (uint64_t n = 1 << 16; n < n_vertices && degree > 0; n *= 2)
        degree = degree / 1000 * 766;
    return degree;
}

static struct shares shares_of(const struct mw_plan_conf *c)
{
    static const struct mw_direction_rule automatic = {.policy = MW_DIRECTION_AUTO};
    struct shares s;
    uint64_t bits = 9;
    s.places = over(c->n_vertices, c->n_ranks);
    s.tuples = over(c->n_edges, c->n_ranks);
    s.labels = c->kronecker ? s.places / 1000 * connected_share(c->n_vertices) : s.places;
    s.entries = times(2, s.tuples);
    s.kept = c->kronecker ? s.entries / 100 * 95 : s.entries;
    while (bits < 62 && UINT64_C(1) << bits < s.labels)
        bits++;
    s.columns = times(c->n_ranks, UINT64_C(1) << bits);
    s.number = c->n_vertices > MW_NARROW_VERTICES || s.columns >= UINT32_MAX ? 8 : 4;
    s.lanes = c->n_threads > 0 ? c->n_threads : mw_max(1, c->world->n_threads);
    s.host_ranks = over(c->n_ranks, c->n_hosts);
    s.ranks = c->n_ranks;
    s.means = mw_direction_means(c->direction != NULL ? c->direction : &automatic,
                                 c->n_ranks, c->n_hosts, UINT64_C(1) << bits);
    s.largest =
        (1 << 15) + (c->kronecker ? largest_degree(c->n_vertices, c->n_edges) : 0);
    return s;
}

static void row(struct mw_plan *p, const char *phase, const char *name, uint64_t n,
                uint64_t size)
{
    /* A mapped block ends somewhere in a huge page: half of one is lost. */
    const uint64_t bytes = times(n, size), lost = bytes >= 1 << 20 ? 1 << 20 : 0;
    p->row[p->n_rows++] = (struct mw_plan_row){name, phase, plus(bytes, lost)};
}

static uint64_t sum_of(const struct mw_plan *p, const char *phase)
{
    uint64_t sum = 0;
    for (uint32_t i = 0; i < p->n_rows; i++)
        if (strcmp(p->row[i].phase, phase) == 0)
            sum = plus(sum, p->row[i].bytes);
    return sum;
}

static void graph_rows(struct mw_plan *p, const struct shares *s, uint64_t n_ranks)
{
    const uint64_t entry =
        s->number == 8 ? sizeof(struct mw_wide_entry) : sizeof(struct mw_entry);
    row(p, "always", "degrees", s->places, sizeof(uint32_t));
    row(p, "always", "labels and places", plus(s->places, s->labels), sizeof(uint32_t));
    row(p, "always", "connected places", over(s->places, 8), 1);
    row(p, "always", "row starts", s->labels, sizeof(uint64_t));
    row(p, "always", "heads", s->places, s->number);
    row(p, "construct", "columns with duplicates", s->entries, s->number);
    row(p, "construct", "row lengths", s->labels, sizeof(uint32_t));
    if (n_ranks > 1)
        row(p, "construct", "columns of all vertices (per host)",
            over(times(s->places, n_ranks), s->host_ranks), s->number);
    /* Chunks have heads, and the last one of a bin is not full: 5 %. */
    row(p, "construct", "bins", over(s->entries, MW_CONSTRUCTION_ROUNDS) / 100 * 105,
        entry);
    row(p, "construct", "sorting a bin, per core", times(s->largest, s->lanes),
        2 * sizeof(uint64_t) * 5 / 4);
    row(p, "search", "columns", s->kept, s->number);
    row(p, "search", "names of the heads", s->places, s->number);
    row(p, "search", "names of all columns (per host)",
        over(times(s->labels, n_ranks), s->host_ranks), s->number);
}

/* By messages bitmaps are over the own labels and everybody's hubs only. */
static void form_rows(struct mw_plan *p, const struct shares *s)
{
    const struct mw_means *m = &s->means;
    const uint64_t labels = over(s->labels, 8);
    const uint32_t n_hubs = (uint32_t)mw_max(m->hubs[MW_TOP_DOWN], m->hubs[MW_BOTTOM_UP]);

    row(p, "search", "bitmaps over places and labels",
        plus(m->by_bitmap ? over(s->places, 8) : labels,
             m->by_messages ? times(2, labels) : labels),
        1);
    if (m->by_bitmap) {
        row(p, "search", "columns seen, per core", times(over(s->columns, 8), s->lanes),
            1);
        row(p, "search", "labels to look at, per core", times(labels, s->lanes), 1);
        row(p, "search", "visited columns (per host)",
            over(over(s->columns, 8), s->host_ranks), 1);
    } else {
        row(p, "search", "labels and hubs seen, per core",
            times(plus(labels, times(s->ranks, over(m->hubs[MW_TOP_DOWN], 8))), s->lanes),
            1);
    }
    if (n_hubs > 0) {
        row(p, "search", "visited hubs", mw_hubs_bytes(n_hubs, s->ranks), 1);
        row(p, "search", "places of hubs (per host)",
            over(mw_hubs_host_bytes(n_hubs, s->ranks), s->host_ranks), 1);
    }
    /* Who asks is a list as well, and without hubs that may be nearly everybody. */
    row(p, "search", "frontier as a list",
        m->by_messages && m->hubs[MW_BOTTOM_UP] == 0 ? s->labels : s->labels / 8, 12);
}

static void search_rows(struct mw_plan *p, const struct shares *s, bool validate)
{
    row(p, "search", "parents", s->places, s->number);
    form_rows(p, s);
    if (!validate)
        return;
    row(p, "search", "validation: levels and flags", s->places, 5);
    row(p, "search", "validation: first children", s->places, sizeof(uint64_t));
    row(p, "search", "validation: children", s->labels, s->number);
    row(p, "search", "validation: largest level", s->labels, 20);
}

/* Buffers of one pipeline with all four ports in use. */
static uint64_t pipeline_bytes(const struct mw_world_conf *world, const struct shares *s,
                               const struct mw_groups *groups)
{
    static const struct mw_module table[] = {
        {.emits = {MW_BACKWARD, MW_TO_RELAY}},
        {.emits = {MW_BACKWARD, MW_TO_OWNER}},
        {.emits = {MW_FORWARD, MW_TO_RELAY}},
        {.emits = {MW_FORWARD, MW_TO_OWNER}},
    };
    struct mw_module used[4];
    struct mw_pipeline_conf conf = {.module = used, .wide = s->number == 8};
    struct mw_world_conf w = *world;
    w.n_threads = (uint32_t)s->lanes;
    w.batch_bytes = w.batch_bytes != 0 ? w.batch_bytes : MW_BATCH_BYTES;
    for (uint32_t i = 0; i < 4; i++)
        if (groups->width > 1 || table[i].emits.hop == MW_TO_OWNER)
            used[conf.n_modules++] = table[i];
    return groups->n_ranks > 1 ? mw_pipeline_bytes(&conf, &w, groups, 0) : 0;
}

int mw_plan_make(const struct mw_plan_conf *conf, struct mw_plan *out)
{
    const struct shares s = shares_of(conf);
    int rc;

    memset(out, 0, sizeof *out);
    MW_TRY(rc, mw_world_groups(conf->world, conf->n_ranks, conf->n_hosts,
                               (uint32_t)s.host_ranks, &out->groups));
    out->wide = s.number == 8;
    const uint64_t pipeline = pipeline_bytes(conf->world, &s, &out->groups);
    row(out, "always", "program, MPI and libraries (measured now)",
        mw_mem_peak_resident(), 1);
    row(out, "always", "edge list", s.tuples,
        conf->n_vertices > MW_NARROW_VERTICES ? 16 : 8);
    row(out, "construct", "batches", pipeline, 1);
    graph_rows(out, &s, conf->n_ranks);
    search_rows(out, &s, conf->validate);
    row(out, "search", "batches", times(pipeline, conf->validate ? 3 : 1), 1);
    out->peak_bytes = plus(sum_of(out, "always"),
                           mw_max(sum_of(out, "construct"), sum_of(out, "search")));
fail:
    return rc;
}
