/* delegates.c -- see delegates.h.
 *
 *      1  bound   the share of all entries that is in rows of each length, over all ranks
 *      2  count   own rows, from their beginning as far as hubs reach: entries of each piece
 *      3  fill    the same walk again
 *
 * Labels are dealt to cores in stretches, and each core counts for itself; so the cores' parts of
 * a piece lie in the order of labels, and nobody waits for a word.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/delegates.h"

#include "base/mem.h"
#include "shuffle/job.h"

/* ---- Sizes ------------------------------------------------------------------------------- */

struct mw_delegates_shape mw_delegates_shape_of(const struct mw_graph *g)
{
    const struct mw_delegates *d = g->delegates;
    if (d == NULL)
        return (struct mw_delegates_shape){0};
    const uint64_t n = d->first[g->comm->size];
    return (struct mw_delegates_shape){.n_ranks = g->comm->size,
                                       .n_vertices = n,
                                       .most = d->most,
                                       .n_entries = d->start[n],
                                       .weighted = mw_graph_is_weighted(g),
                                       .named = g->name == NULL,
                                       .wide = g->wide};
}

void mw_delegates_sizes(const struct mw_delegates_shape *shape, uint32_t n_lanes,
                        struct mw_sizes *out)
{
    const struct mw_delegates *d = NULL;
    const uint64_t copies = shape->n_vertices > 0;
    mw_sizes_add(out, MW_ALWAYS, "delegated vertices", shape->n_ranks + 1,
                 sizeof *d->first)
        ->copies = copies;
    mw_sizes_add(out, MW_SEARCHING, "starts of pieces", shape->n_vertices + 1,
                 sizeof *d->start)
        ->copies = copies;
    mw_sizes_add(out, MW_SEARCHING, "pieces", shape->n_entries, sizeof *d->label)
        ->copies = copies;
    mw_sizes_add(out, MW_SEARCHING, "weights of pieces", shape->n_entries,
                 sizeof *d->weight)
        ->copies = copies > 0 && shape->weighted;
    mw_sizes_add(out, MW_BUILDING, "pieces, core by core", n_lanes * shape->n_vertices,
                 sizeof(uint32_t))
        ->copies = copies;
    mw_sizes_add(out, MW_SEARCHING, "names of delegated vertices",
                 shape->n_ranks * shape->most, mw_number_bytes(shape->wide))
        ->copies = copies > 0 && shape->named;
}

/* ---- 1 bound ----------------------------------------------------------------------------- */

static uint64_t row_length(const struct mw_graph *g, uint64_t label)
{
    return g->row[label + 1] - g->row[label];
}

/* Labels below it may have rows of so many entries. They are in the order of degrees with
 * duplicates, so no row is longer than its degree; directed: of both degrees, which tells less. */
static uint64_t candidates(const struct mw_graph *g, uint64_t bound)
{
    uint64_t low = 0, high = g->n_labels;
    if (g->directed)
        return high;
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (g->degree[g->place_of[mid]] >= bound)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

/* mw_delegates_class(least_of(k)) == k from 8 on. */
static uint64_t least_of(uint32_t class)
{
    return (MW_DELEGATES_STEPS + (uint64_t) class % MW_DELEGATES_STEPS)
           << (class / MW_DELEGATES_STEPS - 3);
}

/* The least bound, of those that are worth it, with which no more than the share of all
 * entries is delegated. */
int mw_delegates_bound(struct mw_comm *comm, uint64_t n_entries,
                       uint64_t in[MW_DELEGATES_CLASSES], uint64_t *out)
{
    const uint64_t least = mw_delegates_least(comm->size);
    uint64_t sum = 0;
    uint32_t k = MW_DELEGATES_CLASSES;
    MW_NEED(mw_comm_sum(comm, in, MW_DELEGATES_CLASSES));
    while (k > mw_delegates_class(least - 1) + 1 &&
           sum + in[k - 1] <= n_entries / MW_DELEGATE_SHARE)
        sum += in[--k];
    *out = k < MW_DELEGATES_CLASSES ? least_of(k) : UINT64_MAX;
    return MW_OK;
}

/* Collective. */
static int usual_bound(const struct mw_graph *g, uint64_t *out)
{
    const uint64_t least = mw_delegates_least(g->comm->size);
    uint64_t in[MW_DELEGATES_CLASSES] = {0};
    for (uint64_t l = 0, n = candidates(g, least); l < n; l++)
        in[mw_delegates_class(row_length(g, l))] += row_length(g, l);
    return mw_delegates_bound(g->comm, g->n_entries, in, out);
}

static uint64_t delegated_here(const struct mw_graph *g, uint64_t bound)
{
    uint64_t n = 0;
    for (uint64_t l = 0, end = candidates(g, bound); l < end; l++)
        if (row_length(g, l) >= bound)
            n = l + 1;
    return n;
}

/* ---- 2 count, 3 fill --------------------------------------------------------------------- */

struct dealing {
    const struct mw_graph *g;
    struct mw_delegates *d;
    uint32_t *at; /* [cores][delegated]: entries counted; then where a piece goes on */
    uint64_t n;   /* delegated vertices of all ranks */
};

MW_FN void walk(const struct mw_cpe *self, const struct dealing *x, bool wide, bool fill)
{
    const struct mw_graph *g = x->g;
    const struct mw_delegates *d = x->d;
    const uint32_t label_bits = g->label_bits;
    uint32_t *at = x->at + self->id * x->n;
    uint64_t from, to;

    mw_share(self, 0, g->in_row[g->n_labels], &from, &to);
    from = mw_item_of(g->in_row + 1, g->n_labels, from);
    to = mw_item_of(g->in_row + 1, g->n_labels, to);
    for (uint64_t l = from; l < to; l++)
        for (uint64_t k = g->in_row[l]; k < g->in_row[l + 1]; k++) {
            const uint64_t column = mw_number(g->in_column, k, wide);
            const uint64_t label = mw_column_label(column, label_bits);
            const uint32_t owner = mw_column_owner(column, label_bits);
            if (label >= d->most)
                break;
            if (label >= mw_delegates_here(d, owner))
                continue;
            const uint64_t i = d->first[owner] + label;
            if (fill)
                d->label[d->start[i] + at[i]] = (uint32_t)l;
            if (fill && d->weight != NULL)
                d->weight[d->start[i] + at[i]] = g->in_weight[k];
            at[i]++;
        }
}

static void count_kernel(struct mw_cpe *self, void *arg)
{
    const struct dealing *x = ((struct mw_job *)arg)->state;
    if (x->g->wide)
        walk(self, x, true, false);
    else
        walk(self, x, false, false);
}

static void fill_kernel(struct mw_cpe *self, void *arg)
{
    const struct dealing *x = ((struct mw_job *)arg)->state;
    if (x->g->wide)
        walk(self, x, true, true);
    else
        walk(self, x, false, true);
}

struct sweeps {
    mw_kernel *count, *fill;
};
static const struct sweeps none, host = {count_kernel, fill_kernel};
static const struct mw_kernel_table sweeps[] = {
    {"serial", &host}, {"host", &host}, {NULL, &none}};

enum { COUNT, FILL };
#define ENTRIES .unit = "an equal share of the entries"

/* clang-format off */
const struct mw_row mw_delegates_row[MW_DELEGATES_ROWS] = {
    [COUNT] = {.name = "count pieces", .kernel = MW_ENTRY(sweeps, count), .reads = "row, column", .writes = "lengths of pieces, core by core", ENTRIES},
    [FILL]  = {.name = "fill pieces",  .kernel = MW_ENTRY(sweeps, fill),  .reads = "row, column, starts of pieces", .writes = "pieces", ENTRIES},
};
/* clang-format on */

static const struct mw_row_table table = {
    .row = mw_delegates_row, .n_rows = MW_DELEGATES_ROWS, .sweeps = sweeps};

/* From what the cores have counted to where they write. */
static void place_pieces(struct dealing *x, uint32_t n_cores)
{
    uint64_t *start = x->d->start;
    for (uint64_t i = 0; i < x->n; i++) {
        uint32_t end = 0;
        for (uint32_t core = 0; core < n_cores; core++) {
            uint32_t *at = &x->at[core * x->n + i];
            const uint32_t n = *at;
            *at = end;
            end += n;
        }
        start[i + 1] = start[i] + end;
    }
}

static int make_pieces(struct mw_world *world, const struct mw_graph *g,
                       struct mw_delegates *d)
{
    const uint32_t n_lanes = mw_world_lanes(world);
    struct mw_delegates_shape shape = {.n_ranks = g->comm->size,
                                       .n_vertices = d->first[g->comm->size],
                                       .most = d->most,
                                       .weighted = g->in_weight != NULL};
    struct dealing x = {.g = g, .d = d, .n = shape.n_vertices};
    struct mw_sizes sizes = {0};
    int rc = MW_OK;

    mw_delegates_sizes(&shape, n_lanes, &sizes);
    MW_TAKE(rc, d->start, &sizes, "starts of pieces");
    MW_TAKE(rc, x.at, &sizes, "pieces, core by core");
    mw_row_sweep(&table, COUNT, world, &x);
    place_pieces(&x, n_lanes);
    shape.n_entries = d->start[x.n];
    sizes.n = 0;
    mw_delegates_sizes(&shape, n_lanes, &sizes);
    MW_TAKE(rc, d->label, &sizes, "pieces");
    if (shape.weighted)
        MW_TAKE(rc, d->weight, &sizes, "weights of pieces");
    mw_row_sweep(&table, FILL, world, &x);
    d->n_entries = shape.n_entries;
end:
    mw_free(x.at);
    return rc;
}

/* ---- New and free ------------------------------------------------------------------------ */

int mw_delegates_new(struct mw_comm *comm, uint64_t bound, uint64_t here,
                     struct mw_delegates **out)
{
    const struct mw_delegates_shape one = {
        .n_ranks = comm->size, .n_vertices = 1, .most = 1};
    struct mw_delegates *d = NULL;
    struct mw_sizes sizes = {0};
    int rc = MW_OK;

    *out = NULL;
    mw_delegates_sizes(&one, 1, &sizes);
    MW_NEW(rc, d, "delegates", 1);
    d->bound = bound;
    MW_TAKE(rc, d->first, &sizes, "delegated vertices");
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(comm, &here, sizeof here, d->first + 1);
    if (rc != MW_OK) {
        mw_delegates_free(d);
        return rc;
    }
    for (uint32_t r = 0; r < comm->size; r++) {
        d->most = (uint32_t)mw_max(d->most, d->first[r + 1]);
        d->first[r + 1] += d->first[r];
    }
    *out = d;
    return MW_OK;
}

/* Collective, where no table has them: everybody tells as many as any has. */
static int name_delegates(const struct mw_graph *g, struct mw_delegates *d)
{
    const struct mw_delegates_shape shape = {.n_ranks = g->comm->size,
                                             .n_vertices = 1,
                                             .most = d->most,
                                             .named = true,
                                             .wide = g->wide};
    const uint64_t number = mw_number_bytes(g->wide);
    struct mw_sizes sizes = {0};
    void *mine;
    int rc = MW_OK;
    mw_delegates_sizes(&shape, 1, &sizes);
    d->name = mw_sizes_take(&sizes, "names of delegated vertices", number);
    mine = mw_alloc("names of mine", d->most, number);
    if (d->name == NULL || mine == NULL)
        rc = MW_ERR_NOMEM;
    rc = mw_comm_agree(g->comm, rc);
    for (uint64_t l = 0; rc == MW_OK && l < mw_delegates_here(d, g->comm->rank); l++)
        mw_set_number(mine, l, mw_vertex_at(g, g->comm->rank, g->place_of[l]), g->wide);
    if (rc == MW_OK)
        rc = mw_comm_gather(g->comm, mine, d->most * number, d->name);
    mw_free(mine);
    return rc;
}

int mw_graph_delegate(struct mw_world *world, struct mw_graph *g, int64_t least)
{
    uint64_t bound = (uint64_t)least;
    struct mw_delegates *d = NULL;
    int rc = MW_OK;

    if (least == MW_DELEGATE_OFF || g->comm->size == 1 || world->backend->mesh)
        return MW_OK;
    if (least == MW_DELEGATE_AUTO)
        rc = usual_bound(g, &bound);
    if (rc < MW_OK || bound == UINT64_MAX)
        return rc;
    rc = mw_delegates_new(g->comm, bound, delegated_here(g, bound), &d);
    if (rc == MW_OK && d->most > 0) {
        rc = mw_comm_agree(g->comm, make_pieces(world, g, d));
        if (rc == MW_OK && g->name == NULL)
            rc = name_delegates(g, d);
        if (rc == MW_OK)
            rc = mw_comm_sum(g->comm, &d->n_entries, 1);
        if (rc == MW_OK) {
            g->delegates = d;
            return MW_OK;
        }
    }
    mw_delegates_free(d);
    return rc;
}

void mw_delegates_free(struct mw_delegates *d)
{
    if (d == NULL)
        return;
    MW_FREE_ALL(d->first, d->start, d->label, d->weight, d->name, d);
}
