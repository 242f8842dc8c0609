/* shelf.c -- see shelf.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/shelf.h"

#include "base/room.h"

#include <string.h>

/* ---- The size of a part -------------------------------------------------------------------- */

static uint64_t heads_bytes(uint64_t n_bins, uint32_t n_ranks, uint32_t n_lanes)
{
    return mw_round_up(n_bins * n_ranks * n_lanes * sizeof(uint64_t), MW_CHUNK_BYTES);
}

/* Chunks that a load fills: whole ones, a sixteenth for loads that differ, and one that is not full
 * for each bin of each lane. */
static uint64_t chunks_of(const struct mw_shelf_load *load, uint32_t n_ranks,
                          uint32_t n_lanes)
{
    const uint64_t n = load->n_records + load->n_records / 16;
    return n / mw_records_per_chunk(load->record_bytes) +
           mw_min(n, load->n_bins * n_ranks * n_lanes) + 1;
}

/* Chunks that a lane takes at a time, all for one rank: so what a rank reads lies together, and an
 * eighth is left over at most. 32: their pages are the rank's alone. */
static uint64_t chunks_at_a_time(uint64_t n_chunks, uint32_t n_ranks, uint32_t n_lanes)
{
    const uint64_t share = n_chunks / 8 / n_ranks / n_lanes;
    return mw_max(1, mw_min(share, 32));
}

uint64_t mw_shelf_bytes(const struct mw_shelf_load *load, uint32_t n_loads,
                        uint32_t n_ranks, uint32_t n_lanes)
{
    uint64_t most = 0;
    for (uint32_t i = 0; i < n_loads; i++) {
        const uint64_t n = chunks_of(&load[i], n_ranks, n_lanes);
        const uint64_t begun =
            (uint64_t)n_ranks * n_lanes * (chunks_at_a_time(n, n_ranks, n_lanes) - 1);
        most = mw_max(most, heads_bytes(load[i].n_bins, n_ranks, n_lanes) +
                                (n + begun + 1) * MW_CHUNK_BYTES);
    }
    return most;
}

void mw_shelf_sizes(uint64_t part_bytes, uint32_t n_ranks, enum mw_when when,
                    struct mw_sizes *out)
{
    struct mw_size *row =
        mw_sizes_add(out, when, "shelf of a host", n_ranks * part_bytes, 1);
    row->of_host = row->spare = true;
    row->copies = part_bytes > 0;
    mw_sizes_add(out, when, "bins on the shelf", n_ranks, sizeof(struct mw_bins))
        ->copies = part_bytes > 0;
}

/* ---- The shelf ------------------------------------------------------------------------------- */

/* Collective. What there is for a part, of any host: whatever comes after it needs room as well. */
static int cut_to_room(struct mw_comm *comm, uint64_t *part_bytes)
{
    struct mw_room room;
    mw_room_find("", &room);
    uint64_t most = room.shared / 4 / comm->host_size;
    const int rc = mw_comm_min(comm, &most, 1);
    *part_bytes = mw_min(*part_bytes, most) / MW_CHUNK_BYTES * MW_CHUNK_BYTES;
    return rc;
}

static int take_bins(struct mw_shelf *s, const struct mw_sizes *sizes, uint32_t n_lanes)
{
    MW_NEED_TAKE(s->of, sizes, "bins on the shelf");
    for (uint32_t i = 0; i < s->n_ranks; i++) {
        MW_NEED(mw_bins_init(&s->of[i], n_lanes, 1, sizeof(uint32_t), 0));
        s->of[i].store = &s->store;
    }
    return MW_OK;
}

int mw_shelf_init(struct mw_shelf *s, struct mw_comm *comm, uint32_t n_lanes,
                  uint32_t most_lanes, uint64_t part_bytes)
{
    int rc;
    struct mw_sizes sizes = {0};
    void *window = NULL;

    memset(s, 0, sizeof *s);
    s->comm = comm;
    s->n_ranks = comm->host_size;
    s->n_lanes = most_lanes;
    MW_TRY(rc, cut_to_room(comm, &part_bytes));
    s->part_bytes = part_bytes;
    if (part_bytes > 0) {
        mw_shelf_sizes(part_bytes, s->n_ranks, MW_ALWAYS, &sizes);
        const struct mw_size *row = mw_sizes_find(&sizes, "shelf of a host");
        rc = mw_comm_host_alloc(comm, row->what, row->n, &window);
        s->window = window;
        if (rc == MW_OK)
            rc = take_bins(s, &sizes, n_lanes);
    }
    rc = mw_comm_agree(comm, rc);
end:
    return rc;
}

void mw_shelf_fini(struct mw_shelf *s)
{
    for (uint32_t i = 0; s->of != NULL && i < s->n_ranks; i++)
        mw_bins_fini(&s->of[i]);
    mw_free(s->of);
    if (s->comm != NULL)
        mw_comm_host_free(s->comm, s->window);
    memset(s, 0, sizeof *s);
}

static char *part_of(const struct mw_shelf *s, uint32_t rank)
{
    return s->window + rank * s->part_bytes;
}

static uint64_t *head_at(const struct mw_shelf *s, uint32_t from, uint32_t lane,
                         uint32_t to, uint64_t bin)
{
    uint64_t *head = (uint64_t *)(void *)part_of(s, from);
    return &head[((uint64_t)to * s->n_lanes + lane) * s->n_bins + bin];
}

/* A part too small for its heads holds nothing. */
static bool has_heads(const struct mw_shelf *s)
{
    return heads_bytes(s->n_bins, s->n_ranks, s->n_lanes) <= s->part_bytes;
}

int mw_shelf_shape(struct mw_shelf *s, const struct mw_shelf_load *load)
{
    if (s->of == NULL)
        return MW_OK;
    s->n_bins = load->n_bins;
    const uint64_t at_a_time =
        chunks_at_a_time(chunks_of(load, s->n_ranks, s->n_lanes), s->n_ranks, s->n_lanes);
    const uint64_t heads = heads_bytes(s->n_bins, s->n_ranks, s->n_lanes);
    char *const part = part_of(s, s->comm->host_rank);
    /* On multiples of their size where this rank sees them. */
    char *const first = (char *)mw_round_up(
        (uintptr_t)(part + mw_min(heads, s->part_bytes)), MW_CHUNK_BYTES);
    const uint64_t left = (uint64_t)(part + s->part_bytes - first);
    s->store = (struct mw_bin_store){.first = first, .at_a_time = at_a_time};
    if (has_heads(s) && first < part + s->part_bytes)
        s->store.n = left / MW_CHUNK_BYTES / at_a_time;
    for (uint32_t i = 0; i < s->n_ranks; i++)
        MW_NEED(mw_bins_reshape(&s->of[i], load->n_bins, load->record_bytes));
    return MW_OK;
}

void mw_shelf_publish(struct mw_shelf *s)
{
    for (uint32_t to = 0; s->of != NULL && has_heads(s) && to < s->n_ranks; to++) {
        const struct mw_bins *b = &s->of[to];
        mw_bins_seal(&s->of[to]);
        for (uint32_t lane = 0; lane < s->n_lanes; lane++)
            for (uint64_t k = 0; k < s->n_bins; k++) {
                const struct mw_chunk *last =
                    lane < b->n_lanes ? b->lane[lane].bin[k] : NULL;
                *head_at(s, s->comm->host_rank, lane, to, k) =
                    last != NULL ? (uint64_t)((const char *)last - s->window) : 0;
            }
    }
}

void mw_shelf_clear(struct mw_shelf *s)
{
    for (uint32_t i = 0; s->of != NULL && i < s->n_ranks; i++)
        mw_bins_clear(&s->of[i]);
    s->store.next = 0;
}

const struct mw_chunk *mw_shelf_chunk(const struct mw_shelf *s, uint32_t source,
                                      uint64_t bin)
{
    if (!has_heads(s))
        return NULL;
    const uint64_t at =
        *head_at(s, source / s->n_lanes, source % s->n_lanes, s->comm->host_rank, bin);
    return at != 0 ? (const struct mw_chunk *)(const void *)(s->window + at) : NULL;
}
