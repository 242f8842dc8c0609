/* region.h -- what all kernels of the backend "omptarget" have in common: OpenMP's target regions, and
 * what a rank keeps on its device between them.
 *
 * A kernel here is a function of the host, as with Kokkos (kokkos/space.hpp), that runs regions one after
 * the other; each has ended before the next line. A region takes what it uses by value, pointers too, and
 * follows those that are of cores. What is of both (memory.h) is the host's here, for OpenMP pins nothing:
 * kernels copy it to a room of the device and back.
 *
 *      void visit(struct mw_cpe *self, void *job)
 *      {
 *          const struct mw_frontier f = *frontier_of(job);
 *          MWO_ALL(w, 0, f.n_words)            one step of the loop to a lane
 *          f.visited[w] |= f.bits[w];
 *      }
 *
 * A region costs more than most of what is done in it (about a millisecond on the GPU that it was tried
 * on), so they are few: bfs_whole_omptarget.c makes a search of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWO_REGION_H
#define MWO_REGION_H

#include "cpe/cluster.h"

MW_BEGIN_DECLS

/* Around each region, on the thread that asks for it: it goes to this rank's device.
 * Begins: may it have more threads than one? Ends: false. */
bool mwo_region_begins(void);
bool mwo_region_ends(void);

/* For a region of one team: as many threads, or what OpenMP has on the host. */
int mwo_threads(int n);

#define MWO_PRAGMA(text) _Pragma(#text)
#define MWO_REGION                                                                       \
    for (bool many_ = mwo_region_begins(), open_ = true; open_;                          \
         open_ = mwo_region_ends(), (void)many_)

/* The bounds are the host's to read: they are taken before the region begins, wherever they lie. */
#define MWO_OVER(from, to)                                                               \
    for (uint64_t from_ = (from), to_ = (to), once_ = 1; once_ != 0; once_ = 0)          \
    MWO_REGION

/* One region: i = from .. to - 1, a step a lane. */
#define MWO_ALL(i, from, to)                                                             \
    MWO_OVER(from, to)                                                                   \
    MWO_PRAGMA(omp target teams distribute parallel for simd if(parallel : many_)        \
               defaultmap(firstprivate))                                                 \
    for (uint64_t i = from_; i < to_; i++)

/* The same, and what the steps add to `sum` is added to it. */
#define MWO_SUM(i, from, to, sum)                                                        \
    MWO_OVER(from, to)                                                                   \
    MWO_PRAGMA(omp target teams distribute parallel for simd if(parallel : many_)        \
               defaultmap(firstprivate) map(tofrom : sum) reduction(+ : sum))            \
    for (uint64_t i = from_; i < to_; i++)

/* A step a thread, whose lanes may share the loops in it (MWO_LANES). */
#define MWO_EACH(i, n)                                                                   \
    MWO_OVER(0, n)                                                                       \
    MWO_PRAGMA(omp target teams distribute parallel for if(parallel : many_)             \
               defaultmap(firstprivate))                                                 \
    for (uint64_t i = from_; i < to_; i++)
#define MWO_LANES(what) MWO_PRAGMA(omp simd reduction what)

/* ---- memory -------------------------------------------------------------------------------- */

/* To the memory of cores, and back. */
void mwo_put(void *to, const void *from, uint64_t bytes);
void mwo_get(void *to, const void *from, uint64_t bytes);

/* What kernels of a rank use from time to time; each grows to the largest use. */
enum mwo_room {
    MWO_DRAFTS,
    MWO_VISITS,
    MWO_HUBS,
    MWO_HUB_PLACES,
    MWO_PARTS,
    MWO_PIECES,
    MWO_PIECE_ENDS,
    MWO_NEWS,
    MWO_LIST,
    MWO_LIST_END,
    MWO_CHUNKS,
    MWO_ROOMS
};
/* Of cores, with what the last user has left there; and the same with what the host has
 * at `from`. */
void *mwo_room(enum mwo_room which, uint64_t bytes);
void *mwo_sent(enum mwo_room which, const void *from, uint64_t bytes);

/* ---- for cores ------------------------------------------------------------------------------ */

MW_FN bool mwo_bit(const uint64_t *words, uint64_t i)
{
    return words[i / 64] >> (i % 64) & 1;
}

/* Sets it, and says whether that was us. Most are set already, so the first look is a plain one. */
MW_FN bool mwo_take_bit(uint64_t *words, uint64_t i)
{
    uint64_t *const word = words + i / 64;
    const uint64_t one = UINT64_C(1) << (i % 64);
    uint64_t was;
    if (*word & one)
        return false;
    MWO_PRAGMA(omp atomic capture)
    {
        was = *word;
        *word |= one;
    }
    return !(was & one);
}

MW_FN void mwo_set_bit(uint64_t *words, uint64_t i)
{
    const uint64_t one = UINT64_C(1) << (i % 64);
    MWO_PRAGMA(omp atomic update)
    words[i / 64] |= one;
}

MW_END_DECLS
#endif
