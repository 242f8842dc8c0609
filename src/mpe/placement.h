/* placement.h -- which processors a rank and its threads run on.
 *
 * The processors that a host allows are grouped into cores and dealt to its ranks in
 * contiguous blocks, one thread per core before a second one on any. Three parts: the
 * cores (from hwloc in placement.c, or from the mask alone in placement_mask.c), the
 * deal (pure functions), and the collective that puts them together.
 *
 *      allowed   0 1 2 3 4 5 6 7      cores {0,4} {1,5} {2,6} {3,7}
 *      2 ranks x 2 threads            rank 0: 0 1    rank 1: 2 3
 *      2 ranks x 4 threads            rank 0: 0 1 4 5    rank 1: 2 3 6 7
 *
 * A launcher that has bound the ranks knows better: then each set of ranks with the same
 * mask divides that mask. Where threads outnumber processors nobody is bound.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PLACEMENT_H
#define MW_PLACEMENT_H

#include "cpe/mask.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

struct mw_placement {
    uint32_t n_threads;  /* of this rank, the management core's included */
    int *cpu;            /* [n_threads] where each runs, or NULL: not bound; owned */
    bool oversubscribed; /* threads outnumber processors: yield while waiting */
    bool crowded;        /* somewhere they do; same on all */
    bool planned;        /* the cores are those of another machine than this one */
    char sentence[160];  /* "2 ranks x 1 thread on 2 cores, one core each"; same on all */
};

/* Collective. n_threads per rank; 0: OMP_NUM_THREADS, or else the host's cores divided
 * by its ranks. Warns through mw_note(), on one rank, where the choice is bad. */
int mw_placement_find(struct mw_comm *comm, uint32_t n_threads, struct mw_placement *out)
    MW_NODISCARD;
void mw_placement_fini(struct mw_placement *p);

/* How many threads each rank would get, without placing them. */
struct mw_thread_count {
    uint32_t n_threads;    /* of this rank, as mw_placement_find() has it */
    uint32_t n_host_cores; /* that the ranks of this host may use together */
};
/* Collective. */
int mw_placement_count(struct mw_comm *comm, uint32_t n_threads,
                       struct mw_thread_count *out) MW_NODISCARD;
/* Local: the same for so many ranks on a host of so many cores. */
uint32_t mw_placement_threads(uint32_t n_threads, uint32_t n_host_cores,
                              uint32_t host_ranks);

/* ---- the parts; local ---- */

/* Processors sorted by core: those of core i are cpu[first[i]] .. cpu[first[i+1] - 1]. */
struct mw_cores {
    uint32_t n_cores, n_cpus;
    int *cpu;               /* [n_cpus] */
    uint32_t *first;        /* [n_cores + 1] */
    const char *planned_by; /* NULL, or the variable that makes this another machine */
};

/* The cores that have a processor in `mask`, and of these the processors in it, in the
 * order of the topology. Both implementations; the caller frees with mw_cores_fini(). */
int mw_cores_find(const struct mw_mask *mask, struct mw_cores *out) MW_NODISCARD;
void mw_cores_fini(struct mw_cores *c);

/* The cores of `mask` when each processor is one. */
int mw_cores_of_mask(const struct mw_mask *mask, struct mw_cores *out) MW_NODISCARD;

/* Rank `i` of `n_ranks` gets the block [*from, *to) of n_cores cores; it may be empty. */
void mw_cores_block(uint32_t n_cores, uint32_t i, uint32_t n_ranks, uint32_t *from,
                    uint32_t *to);

/* The first n_threads processors of the block, one per core first; false: too few. */
bool mw_cores_deal(const struct mw_cores *c, uint32_t from, uint32_t to,
                   uint32_t n_threads, int *cpu);

MW_END_DECLS
#endif
