/* shelf.h -- bins that the ranks of a host fill for each other, in memory that they share.
 *
 * What a rank has to say about a vertex of another rank of its host need not travel: it is put
 * aside here as in bins of the rank's own (bins.h), and the owner works on the bin where it lies.
 *
 *      part of rank 0   | heads | for 0: chunk chunk | for 1: chunk | ...
 *      part of rank 1   | heads | for 1: chunk | for 0: chunk chunk | ...
 *
 * Each rank fills its own part only, and each of its lanes chunks of its own; heads[] says where
 * the chunks of a bin begin once the part is published. So filling needs no locks and no atomics
 * but for one operation when a lane takes its next few chunks. Between publishing and reading, and
 * between reading and filling again, all ranks of the host must have met.
 *
 * The room is taken at once and never grows. What finds none left is sent as a message, so a shelf
 * may be of any size, and is none at all where /dev/shm is full.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SHELF_H
#define MW_SHELF_H

#include "graph/bins.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* What is put aside in one go: by each of a host's ranks, at most. The same at all of them. */
struct mw_shelf_load {
    uint64_t n_bins, n_records;
    uint32_t record_bytes;
};

struct mw_shelf {
    struct mw_comm *comm;
    char *window; /* [n_ranks * part_bytes] */
    uint64_t part_bytes, n_bins;
    struct mw_bins *of; /* [n_ranks] what this rank puts aside for each; NULL: no shelf */
    uint32_t n_ranks, n_lanes; /* of the host; of the rank that has most of them */
    struct mw_bin_store store;
};

/* Bytes of a part that has room for any of these loads. */
uint64_t mw_shelf_bytes(const struct mw_shelf_load *load, uint32_t n_loads,
                        uint32_t n_ranks, uint32_t n_lanes);

/* Collective. Takes `part_bytes` for each rank of the host, or less if /dev/shm has not four times
 * as much; 0: no shelf. All ranks of a host say the same, and of most_lanes all ranks. */
int mw_shelf_init(struct mw_shelf *s, struct mw_comm *comm, uint32_t n_lanes,
                  uint32_t most_lanes, uint64_t part_bytes) MW_NODISCARD;
void mw_shelf_fini(struct mw_shelf *s); /* collective */

/* Local. Empty bins for this load. */
int mw_shelf_shape(struct mw_shelf *s, const struct mw_shelf_load *load) MW_NODISCARD;
void mw_shelf_publish(struct mw_shelf *s);
void mw_shelf_clear(struct mw_shelf *s);

/* Local, once all have published. The last chunk of what lane `source` of all the host's lanes,
 * below mw_shelf_sources(), has put aside for this rank's bin; NULL: nothing. */
const struct mw_chunk *mw_shelf_chunk(const struct mw_shelf *s, uint32_t source,
                                      uint64_t bin);
MW_FN uint32_t mw_shelf_sources(const struct mw_shelf *s)
{
    return s->of != NULL ? s->n_ranks * s->n_lanes : 0;
}

/* What mw_shelf_init() takes, and mw_shelf_shape() for a load. */
void mw_shelf_sizes(uint64_t part_bytes, uint32_t n_ranks, enum mw_when when,
                    struct mw_sizes *out);

MW_END_DECLS
#endif
