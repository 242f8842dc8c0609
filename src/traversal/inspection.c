/* inspection.c -- see inspection.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/inspection.h"

#include "devices/list_there.h"
#include "devices/placed.h"
#include "shuffle/kernel_lists.h"

#include <string.h>

static const struct mw_graph no_graph;

/* ---- the table --------------------------------------------------------------------------- */

MW_KERNELS_OF(sweeps, mw_inspection_sweeps, MW_KINDS_WITHOUT_MESH)

#define SWEEP(member) .kernel = MW_ENTRY(mw_inspection_sweeps, member)

/* clang-format off */
const struct mw_row mw_inspection_row[MW_INSPECTION_ROWS] = {
    [MW_INSPECTION_TELL]   = {.name = "tell answer",    SWEEP(tell),   .reads = "values of the answer", .writes = "told", .unit = "a place"},
    [MW_INSPECTION_GATHER] = {.name = "gather answers", SWEEP(gather), .reads = "a rank's told", .writes = "answer", .unit = "a place of that rank"},
    [MW_INSPECTION_DOUBT]  = {.name = "note doubts",    SWEEP(doubt),  .reads = "answer", .writes = "doubt", .unit = "a vertex"},
    [MW_INSPECTION_SETTLE] = {.name = "settle doubts",  SWEEP(settle), .reads = "a rank's doubt", .writes = "unsettled; a sum", .unit = "a word of a share"},
    [MW_INSPECTION_COUNT]  = {.name = "count doubts",   SWEEP(count),  .reads = "answer", .writes = "a sum", .unit = "a vertex"},
};
/* clang-format on */

static void sweep(struct mw_inspector *k, enum mw_inspection_sweep row)
{
    const struct mw_sweep_row found =
        mw_sweep_find(&mw_inspection_row[row], sweeps, k->world->backend);
    mw_sweep_run(&found, k->world, k->s);
}

bool mw_inspection_possible(const struct mw_backend *backend, uint32_t n_ranks,
                            uint64_t n_vertices)
{
    return mw_kernels_of_cores(sweeps, backend) != &mw_inspection_sweeps_none &&
           n_ranks <= MW_INSPECTING_RANKS && n_vertices < MW_CONFIRMED &&
           n_vertices <= MW_NARROW_VERTICES;
}

/* ---- memory ------------------------------------------------------------------------------ */

static uint64_t words_of(uint64_t n_vertices)
{
    return (n_vertices + 63) / 64;
}

static uint64_t stride_of(uint64_t n_vertices, uint32_t n_ranks)
{
    const struct mw_partition p = mw_partition_of(n_vertices, 0, n_ranks);
    return mw_most_places(&p);
}

/* What a rank tells: values, in whole words; and behind them doubts. */
static uint64_t values_bytes(uint64_t n_vertices, uint32_t n_ranks, uint32_t n_values)
{
    return mw_round_up(n_values * stride_of(n_vertices, n_ranks) * sizeof(uint32_t),
                       sizeof(uint64_t));
}

static uint64_t parts_bytes(uint64_t n_vertices, uint32_t n_ranks, uint32_t n_values)
{
    return values_bytes(n_vertices, n_ranks, n_values) +
           words_of(n_vertices) * sizeof(uint64_t);
}

static void own_sizes(uint64_t n_vertices, uint32_t n_ranks, uint32_t n_values,
                      struct mw_sizes *out)
{
    const struct mw_inspection *s = NULL;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "answers of all",
                    n_vertices * n_values, sizeof *s->answer);
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "what an inspection counts", 1,
                    sizeof *s->found);
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, "doubts of a share",
                    words_of(n_vertices) / n_ranks + 1, sizeof *s->unsettled)
        ->copies = n_ranks > 1;
}

void mw_inspection_sizes(const struct mw_check_shape *shape,
                         const struct mw_world_shape *world, uint32_t n_values,
                         bool weighted, struct mw_sizes *out)
{
    const uint32_t n_ranks = world->groups.n_ranks, first = out->n;
    own_sizes(shape->n_vertices, n_ranks, n_values, out);
    if (n_ranks > 1)
        mw_parts_sizes(parts_bytes(shape->n_vertices, n_ranks, n_values), MW_SEARCHING,
                       world, out);
    if (!shape->of_cores && !mw_host_reaches(world->backend))
        mw_list_sizes(shape->n_tuples, weighted, out);
    for (uint32_t i = first; i < out->n; i++)
        out->row[i].spare = world->apart; /* the host judges where there is no room */
}

/* Kernels of several ranks keep more, the more they search (mwk::turn::room()), and what they
 * lack ends a run; so as much again has to be left, or 16 GiB: at SCALE 29 on two devices and 30 on four,
 * where less was left than as much again, they lacked nothing. */
uint64_t mw_inspection_room(uint64_t bytes, uint32_t n_ranks)
{
    const uint64_t most = UINT64_C(16) << 30;
    return n_ranks > 1 ? mw_saturating_plus(bytes, mw_min(bytes, most)) : bytes;
}

bool mw_inspection_fits(const struct mw_world *w, const struct mw_sizes *sizes)
{
    const struct mw_backend *const b = w->backend;
    const uint64_t room =
        b->room != NULL && w->comm->size > 1 ? b->room(b->device_of(w->cluster[0])) : 0;
    uint64_t bytes = 0;
    for (uint32_t i = 0; i < sizes->n; i++)
        bytes += mw_size_taken(&sizes->row[i], 1);
    return room == 0 || mw_inspection_room(bytes, w->comm->size) <= room;
}

/* Is there room for all that this check takes, and `more` of its algorithm? */
static bool fits(const struct mw_inspector *k, uint64_t more)
{
    const struct mw_inspection *const s = k->s;
    struct mw_world_shape world;
    struct mw_sizes all = {0};
    mw_world_shape_of(k->world, &world);
    const struct mw_check_shape shape = {.n_vertices = s->n,
                                         .n_tuples = s->n_tuples,
                                         .of_cores = k->edges->of_cores != NULL};
    mw_inspection_sizes(&shape, &world, s->n_values, k->weighted, &all);
    mw_sizes_add_of(&all, MW_OF_CORES, MW_SEARCHING, "what a check takes besides", more,
                    1);
    return mw_inspection_fits(k->world, &all);
}

static int take_blocks(struct mw_inspector *k, uint64_t more)
{
    struct mw_inspection *const s = k->s;
    struct mw_world *const w = k->world;
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    own_sizes(s->n, w->comm->size, s->n_values, &sizes);
    if (!fits(k, more))
        return MW_ERR_NOMEM;
    MW_PLACE(rc, s->answer, w, MW_OF_CORES, &sizes, "answers of all");
    MW_PLACE(rc, s->found, w, MW_OF_CORES, &sizes, "what an inspection counts");
    MW_PLACE(rc, s->unsettled, w, MW_OF_CORES, &sizes, "doubts of a share");
end:
    return rc;
}

/* Collective: the list, where cores reach it. It may have come or gone since the last run, with or without its weights;
 * where it is not there this check has one of its own. MW_ERR_NOMEM at all ranks. */
static int find_list(struct mw_inspector *k)
{
    struct mw_edges *const e = k->edges, *const own = &k->own;
    struct mw_inspection *const s = k->s;
    if (mw_host_reaches(k->world->backend) && e->narrow != NULL) {
        s->tuple = e->narrow;
        s->weight = e->weight;
        return MW_OK;
    }
    if (e->of_cores != NULL && (!k->weighted || e->weight_of_cores != NULL)) {
        s->tuple = e->of_cores;
        s->weight = e->weight_of_cores;
        return MW_OK;
    }
    if (own->of_cores == NULL) {
        MW_NEED(mw_list_come_home(k->world, e));
        *own = *e;
        own->of_cores = NULL;
        own->weight_of_cores = NULL;
        MW_NEED(mw_list_place(k->world, own, k->weighted));
    }
    s->tuple = own->of_cores;
    s->weight = own->weight != NULL ? own->weight_of_cores : NULL;
    return MW_OK;
}

/* Collective: what several ranks tell each other. */
static int open_parts(struct mw_inspector *k)
{
    struct mw_inspection *const s = k->s;
    const uint32_t rank = s->partition.rank, n_ranks = s->partition.n_ranks;
    if (n_ranks == 1)
        return MW_OK;
    MW_NEED(mw_parts_open(k->world, parts_bytes(s->n, n_ranks, s->n_values), &k->parts));
    s->told = k->parts.mine;
    s->doubt =
        (uint64_t *)((char *)k->parts.mine + values_bytes(s->n, n_ranks, s->n_values));
    s->first_word = s->n_words * rank / n_ranks;
    s->n_my_words = s->n_words * (rank + 1) / n_ranks - s->first_word;
    return MW_OK;
}

int mw_inspector_open(struct mw_inspector *k, struct mw_inspection *s,
                      struct mw_world *world, struct mw_edges *edges,
                      const struct mw_inspector_need *need, bool *here)
{
    const uint32_t n_ranks = world->comm->size;
    int rc;
    *here = false;
    *k = (struct mw_inspector){
        .s = s, .world = world, .edges = edges, .weighted = need->weighted};
    if (!mw_inspection_possible(world->backend, n_ranks, edges->n_vertices) ||
        world->conf.engine_mpe)
        return MW_OK;
    *s = (struct mw_inspection){.g = &no_graph,
                                .n = edges->n_vertices,
                                .n_tuples = edges->n,
                                .partition =
                                    mw_edges_partition(edges, world->comm->rank, n_ranks),
                                .directed = edges->directed,
                                .n_values = need->n_values,
                                .stride = stride_of(edges->n_vertices, n_ranks),
                                .n_words = words_of(edges->n_vertices),
                                .sum = &k->sum};
    rc = mw_comm_agree(world->comm, take_blocks(k, need->more_bytes));
    if (rc == MW_OK)
        rc = find_list(k);
    if (rc == MW_OK)
        rc = open_parts(k);
    *here = rc == MW_OK;
    if (rc == MW_ERR_NOMEM) { /* the host has it */
        mw_error_clear();
        rc = MW_OK;
    }
    return rc;
}

void mw_inspector_close(struct mw_inspector *k)
{
    struct mw_inspection *const s = k->s;
    if (s == NULL)
        return;
    mw_parts_close(&k->parts);
    mw_unplace(k->world, MW_OF_CORES, s->answer);
    mw_unplace(k->world, MW_OF_CORES, s->found);
    mw_unplace(k->world, MW_OF_CORES, s->unsettled);
    mw_list_unplace(k->world, &k->own);
    memset(k, 0, sizeof *k);
}

/* ---- a run --------------------------------------------------------------------------------- */

int mw_inspector_gather(struct mw_inspector *k, const struct mw_own_values *own)
{
    static const struct mw_found nothing;
    struct mw_inspection *const s = k->s;
    const uint32_t n_ranks = s->partition.n_ranks;
    const uint64_t words = s->n_values * s->stride;
    const void *its = NULL;
    MW_NEED(find_list(k));
    for (uint32_t v = 0; v < s->n_values; v++)
        s->own[v] = own[v];
    mw_put(k->world, s->found, &nothing, sizeof nothing);
    if (n_ranks > 1) {
        sweep(k, MW_INSPECTION_TELL);
        MW_NEED(mw_parts_share(&k->parts, 0, words * sizeof *s->told));
    }
    for (s->teller = 0; s->teller < n_ranks; s->teller++) {
        if (n_ranks > 1)
            MW_NEED(mw_parts_see(&k->parts, s->teller, 0, words * sizeof *s->told, &its));
        s->its = its;
        sweep(k, MW_INSPECTION_GATHER);
    }
    return MW_OK;
}

int mw_inspector_settle(struct mw_inspector *k, uint64_t *n)
{
    struct mw_inspection *const s = k->s;
    const uint32_t n_ranks = s->partition.n_ranks;
    const uint64_t at = (uint64_t)((char *)s->doubt - (char *)s->told);
    const void *its;
    k->sum = 0;
    if (n_ranks == 1) {
        sweep(k, MW_INSPECTION_COUNT);
        *n = k->sum;
        return MW_OK;
    }
    sweep(k, MW_INSPECTION_DOUBT);
    MW_NEED(mw_parts_share(&k->parts, at, s->n_words * sizeof *s->doubt));
    for (s->teller = 0; s->teller < n_ranks; s->teller++) {
        MW_NEED(mw_parts_see(&k->parts, s->teller, at + s->first_word * sizeof *s->doubt,
                             s->n_my_words * sizeof *s->doubt, &its));
        s->its_doubt = its;
        sweep(k, MW_INSPECTION_SETTLE);
    }
    *n = k->sum;
    return MW_OK;
}

int mw_inspector_sum(struct mw_inspector *k, struct mw_verdict *out)
{
    struct mw_found found;
    mw_fetch(k->world, &found, k->s->found, sizeof found);
    out->n_self_loops += found.n_self_loops;
    for (uint32_t r = 0; r < MW_CHECK_RULES; r++)
        out->n_wrong[r] += found.n_wrong[r];
    return mw_verdict_sum(out, k->world->comm);
}
