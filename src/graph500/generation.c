/* generation.c -- see generation.h.
 *
 * A device makes a list that stays there at once. One that the host needs it makes a piece at a time, and sends it
 * home.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/generation.h"

#include "devices/placed.h"
#include "shuffle/kernel_lists.h"

/* Edges: 128 MiB of the device's memory, or 256; 64 more with weights. */
enum { PIECE = 1 << 24 };

static void generate(struct mw_cpe *self, void *arg)
{
    const struct mw_generation *g = ((struct mw_job *)arg)->state;
    uint64_t from, to;
    mw_share(self, 0, g->n, &from, &to);
    mw_kronecker_weighted_edges(g->kronecker, g->first + from, to - from,
                                g->narrow != NULL ? g->narrow + 2 * from : NULL,
                                g->wide != NULL ? g->wide + 2 * from : NULL,
                                g->weight != NULL ? g->weight + from : NULL);
}

static const struct mw_generation_sweeps host = {generate};
MW_KERNELS_BESIDE(sweeps, mw_generation_sweeps, &host, MW_KINDS_THAT_BUILD)

const struct mw_row mw_generation_row = {
    .name = "generate",
    .reads = "the generator's seed",
    .writes = "tuples",
    .unit = "an equal share",
    .kernel = MW_ENTRY(mw_generation_sweeps, generate),
};

static void by_host(struct mw_world *world, struct mw_generation *g)
{
    struct mw_world *const host_side = mw_world_host_side(world);
    const struct mw_sweep_row row =
        mw_sweep_find(&mw_generation_row, sweeps, host_side->backend);
    mw_sweep_run(&row, host_side, g);
}

/* What a device makes with, of cores. */
struct there {
    struct mw_kronecker *kronecker;
    void *piece;
    float *weight; /* of the piece */
};

static int take_room(struct mw_world *w, uint64_t n, uint64_t bytes, bool weighted,
                     struct there *t)
{
    const bool piece = n > 0; /* else the list has room of its own */
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_COUNTING, "generator", 1,
                    sizeof *t->kronecker);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_COUNTING, "generated piece", n, bytes)
        ->copies = piece;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_COUNTING, "weights of a piece", n,
                    sizeof *t->weight)
        ->copies = piece && weighted;
    MW_PLACE(rc, t->kronecker, w, MW_OF_CORES, &sizes, "generator");
    MW_PLACE(rc, t->weight, w, MW_OF_CORES, &sizes, "weights of a piece");
    t->piece = mw_place(w, MW_OF_CORES, &sizes, "generated piece", bytes);
    rc = t->piece != NULL || !piece ? MW_OK : MW_ERR_NOMEM;
end:
    return rc;
}

static void by_device(struct mw_world *w, const struct mw_sweep_row *row,
                      const struct there *t, const struct mw_generation *g)
{
    const bool wide = g->wide != NULL;
    char *const to = wide ? (char *)g->wide : (char *)g->narrow;
    const uint64_t bytes = 2 * mw_number_bytes(wide);
    mw_put(w, t->kronecker, g->kronecker, sizeof *t->kronecker);
    for (uint64_t done = 0; done < g->n; done += PIECE) {
        struct mw_generation piece = {.kronecker = t->kronecker,
                                      .first = g->first + done,
                                      .n = mw_min(PIECE, g->n - done),
                                      .narrow = wide ? NULL : t->piece,
                                      .wide = wide ? t->piece : NULL,
                                      .weight = t->weight};
        mw_sweep_run(row, w, &piece);
        (void)mw_see(w, to + done * bytes, t->piece, piece.n * bytes);
        if (g->weight != NULL)
            (void)mw_see(w, g->weight + done, t->weight, piece.n * sizeof *g->weight);
    }
}

/* All at once, into a list of cores. */
static int generate_there(struct mw_world *w, const struct mw_sweep_row *row,
                          struct mw_generation *g, const struct mw_edges *list)
{
    struct there there = {NULL};
    const struct mw_kronecker *const k = g->kronecker;
    const int rc = take_room(w, 0, sizeof(uint64_t), false, &there);
    if (rc == MW_OK) {
        mw_put(w, there.kronecker, k, sizeof *k);
        g->kronecker = there.kronecker;
        g->narrow = list->of_cores;
        g->weight = list->weight_of_cores;
        mw_sweep_run(row, w, g);
    }
    mw_unplace(w, MW_OF_CORES, there.kronecker);
    return rc;
}

int mw_generate(struct mw_world *world, const struct mw_kronecker *k, uint64_t first,
                uint64_t n, struct mw_edges *out)
{
    const struct mw_sweep_row row =
        mw_sweep_find(&mw_generation_row, sweeps, world->backend);
    struct mw_generation g = {k, first, n, out->narrow, out->wide, out->weight};
    struct there there = {NULL};
    out->n = n;
    if (out->of_cores != NULL)
        return generate_there(world, &row, &g, out);
    if (row.reached || row.cores == NULL || world->conf.engine_mpe ||
        take_room(world, mw_min(PIECE, n), 2 * mw_number_bytes(g.wide != NULL),
                  g.weight != NULL, &there) != MW_OK) {
        mw_error_clear();
        by_host(world, &g);
    } else {
        by_device(world, &row, &there, &g);
    }
    mw_unplace(world, MW_OF_CORES, there.piece);
    mw_unplace(world, MW_OF_CORES, there.weight);
    mw_unplace(world, MW_OF_CORES, there.kronecker);
    return MW_OK;
}
