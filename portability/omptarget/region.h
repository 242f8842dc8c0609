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
 * On a device a team is one thread, and its lanes are for the loops of a step. For `parallel`, and a limit of
 * threads for `teams`, have gcc's runtime ask for memory on the device, some 3 us a team and one team after
 * the other: more than a millisecond. `target` may limit them, and asks for nothing. So a region of
 * up to 1,024 teams costs what one on a single thread does, about 20 us (more teams: cluster_omptarget.c), which is
 * still more than many levels: bfs_whole_omptarget.c makes few of them.
 *
 * On the host, where a region is one team, its threads have a region each, on a share of the steps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWO_REGION_H
#define MWO_REGION_H

#include "cpe/cluster.h"
#include "shuffle/numbers.h"

MW_BEGIN_DECLS

/* Around each region, on the thread that asks for it: it goes to this rank's device. One
 * that has begun is open; one that has ended is not. */
MW_SHOWN bool mwo_region_begins(void);
MW_SHOWN bool mwo_region_ends(void);

/* For n that may work at once: regions on threads of the host, and teams of each. */
MW_SHOWN int mwo_shares(uint64_t n);
MW_SHOWN int mwo_teams(uint64_t n);
/* Is it no host? */
MW_SHOWN bool mwo_apart(void);

/* Of GPUs of NVIDIA; and as many teams as one of 132 processors has at once, 32 on each. */
enum { MWO_TEAM_LANES = 32, MWO_TEAMS = 4224 };

#define MWO_PRAGMA(text) _Pragma(#text)
#define MWO_REGION                                                                       \
    for (bool open_ = mwo_region_begins(); open_; open_ = mwo_region_ends())

/* The bounds are the host's to read: they are taken before the region begins, wherever
 * they lie. Each share has its own. */
#define MWO_OVER(from, to, lanes, sums, maps)                                            \
    for (uint64_t from_ = (from), n_ = (to)-from_, once_ = 1; once_ != 0; once_ = 0)     \
        for (int shares_ = mwo_shares(n_),                                               \
                 teams_ = mwo_teams((n_ + (lanes)-1) / (lanes));                         \
             shares_ != 0; shares_ = 0)                                                  \
            MWO_REGION                                                                   \
    MWO_PRAGMA(omp parallel for num_threads(shares_) if(shares_ > 1) sums)               \
    for (int share_ = 0; share_ < shares_; share_++)                                     \
        for (uint64_t first_ = from_ + n_ / (uint64_t)shares_ * (uint64_t)share_,        \
                      last_ = share_ + 1 < shares_ ? first_ + n_ / (uint64_t)shares_     \
                                                   : from_ + n_,                         \
                      own_ = 1;                                                          \
             own_ != 0 && first_ <= last_; own_ = 0)                                     \
    MWO_PRAGMA(omp target thread_limit(1) defaultmap(firstprivate) maps)

/* One region: i = from .. to - 1, a step a lane. */
#define MWO_ALL(i, from, to)                                                             \
    MWO_OVER(from, to, MWO_TEAM_LANES, , )                                               \
    MWO_PRAGMA(omp teams distribute simd num_teams(teams_))                              \
    for (uint64_t i = first_; i < last_; i++)

/* The same, and what the steps add to `sum` is added to it. */
#define MWO_SUM(i, from, to, sum)                                                        \
    MWO_OVER(from, to, MWO_TEAM_LANES, reduction(+ : sum), map(tofrom : sum))            \
    MWO_PRAGMA(omp teams distribute simd num_teams(teams_) reduction(+ : sum))           \
    for (uint64_t i = first_; i < last_; i++)

/* A step a team, whose lanes may share the loops in it (MWO_LANES). Neighbouring steps
 * are of different teams. */
#define MWO_EACH(i, n)                                                                   \
    MWO_OVER(0, n, 1, , )                                                                \
    MWO_PRAGMA(omp teams distribute dist_schedule(static, 1) num_teams(teams_))          \
    for (uint64_t i = first_; i < last_; i++)
#define MWO_LANES(what) MWO_PRAGMA(omp simd reduction what)

/* ---- memory -------------------------------------------------------------------------------- */

/* To the memory of cores, and back. */
MW_SHOWN void mwo_put(void *to, const void *from, uint64_t bytes);
MW_SHOWN void mwo_get(void *to, const void *from, uint64_t bytes);

/* What kernels of a rank use from time to time; each grows to the largest use. */
enum mwo_room {
    MWO_DRAFTS,
    MWO_VISITS,
    MWO_PARTS,
    MWO_LIST,
    MWO_LIST_END,
    MWO_CHUNKS,
    MWO_ROOMS
};
/* Of cores, with what the last user has left there; and the same with what the host has
 * at `from`. */
MW_SHOWN void *mwo_room(enum mwo_room which, uint64_t bytes);
MW_SHOWN void *mwo_sent(enum mwo_room which, const void *from, uint64_t bytes);

/* Of n items, chunks that a lane goes through in order. */
enum { MWO_CHUNK = 4096, MWO_CHUNK_WORDS = MWO_CHUNK / 64 };
MW_FN uint64_t mwo_chunks(uint64_t n)
{
    return (n + MWO_CHUNK - 1) / MWO_CHUNK;
}
/* sum[c], of cores, becomes the sum of those before it. Returns the sum of all. */
MW_SHOWN uint64_t mwo_sum_up(uint64_t *sum, uint64_t n);

MW_END_DECLS
#endif
