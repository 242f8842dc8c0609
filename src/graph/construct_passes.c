/* construct_passes.c -- passes over the edges: to count, to build.
 *
 * A pass is several rounds. In each the generators put aside, in bins, what they know of places: a
 * bin of this rank, or on the shelf of one that is near; what is far off goes by records to its
 * owner's bins. When all ranks of the host have done so, each works on the bins of its places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct_sizes.h"

enum { ROUNDS = MW_CONSTRUCTION_ROUNDS };

/* ---- Bins: this rank's, and those on the shelf ------------------------------------------ */

static int bins_shape(struct mw_construction *c, enum mw_pass pass)
{
    const struct mw_graph *g = c->g;
    const uint64_t most = mw_most_places(&g->partition);
    const uint64_t n_ends = mw_pass_ends(c->most_tuples, g->directed);
    struct mw_shelf_load load[MW_PASSES];
    mw_pass_loads(most, n_ends, mw_entry_form_of(g->wide, c->weights),
                  c->world->comm->host_size, c->world->comm->size, load);
    c->bin_shift = mw_pass_bin_shift(pass, most, n_ends);
    MW_NEED(mw_bins_reshape(&c->bins, load[pass].n_bins, load[pass].record_bytes));
    return mw_shelf_shape(&c->shelf, &load[pass]);
}

int mw_construction_bins(struct mw_construction *c)
{
    int rc;
    const struct mw_graph *g = c->g;
    struct mw_world_shape world;
    mw_world_shape_of(c->world, &world);
    const uint32_t n_lanes = world.n_lanes;
    uint64_t most[2] = {c->edges->n, n_lanes};
    MW_TRY(rc, mw_comm_max(c->world->comm, most, 2));
    c->most_tuples = most[0];
    world.n_lanes = (uint32_t)most[1];
    rc = mw_bins_init(&c->bins, n_lanes, 1, sizeof(uint32_t),
                      mw_pass_first_bins_bytes(c->edges->n));
    MW_TRY(rc, mw_comm_agree(c->world->comm, rc));
    const uint64_t bytes = mw_pass_shelf_bytes(
        &world, mw_most_places(&g->partition), mw_pass_ends(c->most_tuples, g->directed),
        mw_entry_form_of(g->n_vertices > MW_NARROW_VERTICES, c->weights));
    if (world.backend->short_circuit)
        rc = mw_shelf_init(&c->shelf, c->world->comm, n_lanes, world.n_lanes, bytes);
end:
    return rc;
}

/* Whether the generators put nearly all of it aside where its owner finds it. */
static bool is_all_near(const struct mw_construction *c)
{
    return c->world->comm->size == 1 ||
           (c->world->comm->n_hosts == 1 && c->shelf.of != NULL && !c->asks);
}

/* After a run that put records aside: works on all bins, when all ranks of the host have filled
 * theirs. Collective; afterwards they may be filled again. */
static int bins_work(struct mw_construction *c, int rc, enum mw_construction_rows work)
{
    if (rc == MW_OK)
        rc = mw_bins_status(&c->bins);
    c->next_bin = 0;
    mw_bins_seal(&c->bins);
    mw_shelf_publish(&c->shelf);
    if (c->shelf.of != NULL && mw_comm_host_barrier(c->world->comm) < MW_OK &&
        rc == MW_OK)
        rc = MW_ERR_INTERNAL;
    if (rc == MW_OK)
        mw_construction_sweep(c, work);
    if (rc == MW_OK)
        rc = mw_bins_status(&c->bins);
    mw_bins_clear(&c->bins);
    mw_shelf_clear(&c->shelf);
    return mw_comm_agree(c->world->comm, rc);
}

/* One run of a pipeline that fills bins. */
static int fill_bins(struct mw_construction *c, struct mw_pipeline *p)
{
    struct mw_traffic traffic;
    const int rc = mw_pipeline_run(p, mw_modules_all(p));
    mw_pipeline_traffic(p, &traffic);
    c->g->laps.in_pipelines_s += traffic.waited_s;
    return rc;
}

static int open_pipeline(struct mw_construction *c, uint32_t exchange,
                         struct mw_pipeline **p)
{
    const struct mw_graph_shape shape = mw_construction_shape(c);
    struct mw_modules modules;
    mw_modules_find(&mw_construction_table, exchange, c->world->backend,
                    &c->world->groups, &modules);
    const int rc = mw_modules_new(modules.row, modules.n, c,
                                  mw_pass_bits(exchange, &shape), c->world, p);
    if (rc == MW_OK) {
        mw_pipeline_bound(*p, c->g->n_places);
        mw_pipeline_reaches(*p, is_all_near(c));
    }
    return rc;
}

/* ---- To count ---------------------------------------------------------------------------- */

int mw_construction_count(struct mw_construction *c)
{
    struct mw_pipeline *p = NULL;
    int rc = mw_comm_agree(c->world->comm, bins_shape(c, MW_PASS_COUNT));
    if (rc == MW_OK)
        rc = open_pipeline(c, MW_CONSTRUCTION_COUNT, &p);
    for (uint64_t round = 0; rc == MW_OK && round < ROUNDS; round++) {
        c->first_edge = c->edges->n * round / ROUNDS;
        c->last_edge = c->edges->n * (round + 1) / ROUNDS;
        rc = fill_bins(c, p);
        rc = bins_work(c, rc, MW_CONSTRUCTION_COUNT_BINS);
    }
    mw_pipeline_free(p);
    mw_construction_lap(c, MW_LAP_COUNT);
    return rc;
}

/* ---- To build ---------------------------------------------------------------------------- */

static int take_sorters(struct mw_construction *c)
{
    struct mw_sizes sizes;
    mw_construction_sizes(c, &sizes);
    MW_NEED_TAKE(c->sorter, &sizes, "sorters");
    return MW_OK;
}

static void give_sorters(struct mw_construction *c)
{
    for (uint32_t i = 0; c->sorter != NULL && i < mw_world_lanes(c->world); i++)
        for (int b = 0; b < 2; b++) {
            MW_FREE_ALL(c->sorter[i].key[b], c->sorter[i].tags[b].weight,
                        c->sorter[i].tags[b].order);
        }
    mw_free(c->sorter);
    c->sorter = NULL;
}

/* Collective: n_slices, from the rank that gets most. Alone a rank has all rounds to itself, and
 * all hubs. */
static int find_slices(struct mw_construction *c)
{
    const struct mw_graph *g = c->g;
    const uint64_t most = mw_most_places(&g->partition);
    uint64_t n_round = 0, sum = 0;
    c->n_slices = 1;
    if (g->comm->size == 1)
        return MW_OK;
    for (uint64_t round = 0; round < ROUNDS; round++) {
        const uint64_t end = mw_min(most * (round + 1) / ROUNDS, g->n_places);
        uint64_t n = 0;
        for (uint64_t p = most * round / ROUNDS; p < end; p++)
            n += c->to->degree[p];
        n_round = mw_max(n_round, n);
        sum += n;
    }
    MW_NEED(mw_comm_max(g->comm, &n_round, 1));
    MW_NEED(mw_comm_sum(g->comm, &sum, 1));
    c->n_slices = mw_pass_slices(n_round, sum / g->comm->size / ROUNDS, c->piece_entries);
    return MW_OK;
}

/* Collective, for MW_WEIGHTS_FIRST: the order of this rank's first tuple, and where it is in what
 * travels. */
static int number_tuples(struct mw_construction *c)
{
    const struct mw_graph_shape shape = mw_construction_shape(c);
    struct mw_comm *const comm = c->world->comm;
    uint64_t *n = NULL;
    int rc = MW_OK;
    if (c->weights != MW_WEIGHTS_FIRST)
        return MW_OK;
    c->value_bits = mw_pass_value_bits(&shape);
    c->first_order = 0;
    n = mw_alloc("tuples of each rank", comm->size, sizeof *n);
    MW_TRY(rc, mw_comm_agree(comm, n != NULL ? MW_OK : MW_ERR_NOMEM));
    MW_TRY(rc, mw_comm_gather(comm, &c->edges->n, sizeof *n, n));
    for (uint32_t r = 0; r < comm->rank; r++)
        c->first_order += n[r];
    if (c->value_bits + mw_bits_for(c->g->n_edges) > 64)
        rc = mw_fail(
            MW_ERR_REFUSED,
            "duplicates cannot have the weight of the first one: 64 bits do not hold "
            "%u of a vertex and %u of a tuple's number",
            c->value_bits, mw_bits_for(c->g->n_edges));
end:
    mw_free(n);
    return rc;
}

static int build_round(struct mw_construction *c, struct mw_pipeline *p, uint64_t round)
{
    const uint64_t most = mw_most_places(&c->g->partition), n = c->n_slices;
    const enum mw_construction_rows work =
        n > 1 ? MW_CONSTRUCTION_STORE_BINS : MW_CONSTRUCTION_SORT_BINS;
    int rc = MW_OK;
    c->first_place = most * round / ROUNDS;
    c->last_place = most * (round + 1) / ROUNDS;
    for (uint64_t k = 0; rc == MW_OK && k < n; k++) {
        c->first_edge = c->edges->n * k / n;
        c->last_edge = c->edges->n * (k + 1) / n;
        rc = fill_bins(c, p);
        mw_construction_lap(c, MW_LAP_ENTER);
        rc = bins_work(c, rc, work);
        mw_construction_lap(c, MW_LAP_SORT);
    }
    c->first_edge = c->last_edge = 0;
    if (n > 1 && rc == MW_OK)
        rc = bins_work(c, rc, MW_CONSTRUCTION_SORT_BINS);
    mw_construction_lap(c, MW_LAP_SORT);
    return rc;
}

/* Of the heads, where no table will say them. */
static int ask_for_names(struct mw_construction *c, struct mw_pipeline *p)
{
    c->naming = true;
    const int rc = mw_pipeline_run(p, mw_modules_all(p));
    c->naming = false;
    return mw_comm_agree(c->world->comm, rc);
}

int mw_construction_build(struct mw_construction *c)
{
    struct mw_pipeline *p = NULL;
    int rc = bins_shape(c, MW_PASS_BUILD);
    if (rc == MW_OK)
        rc = take_sorters(c);
    rc = mw_comm_agree(c->world->comm, rc);
    if (rc == MW_OK)
        rc = find_slices(c);
    if (rc == MW_OK)
        rc = number_tuples(c);
    if (rc == MW_OK)
        rc = open_pipeline(c, mw_construction_exchange(c->asks), &p);
    for (uint64_t round = 0; rc == MW_OK && round < ROUNDS; round++) {
        rc = mw_construction_go_on(c);
        if (rc == MW_OK)
            rc = build_round(c, p, round);
    }
    if (rc == MW_OK && c->to->heads && c->asks_names)
        rc = ask_for_names(c, p);
    mw_pipeline_free(p);
    give_sorters(c);
    return rc;
}
