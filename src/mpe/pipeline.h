/* pipeline.h -- runs modules on a rank's clusters and moves batches between ranks.
 *
 * A module is a row of a constant table: what it takes, what it emits, which kernel
 * does it. The pipeline knows the table and the two-hop route, and nothing about
 * graphs; ports, closing, pools and polling order follow from the table. Its rules:
 *
 *   - a module may have several executors at a time, clusters each with a share of what is queued; or one: on a
 *     mesh, whose cores own words of the state, or the management core;
 *   - a cluster's job takes all batches that wait, as far as its output has room (MW_SEGMENTS_MAX
 *     senders where a relay keeps them apart), the management core's one;
 *   - work that is ready is taken from the sinks towards the sources, so that room is
 *     made before it is used; within a module first come, first served;
 *   - it goes to the first cluster that is free, or to the management core when the input
 *     is small (the paper: below 1 KB), or when all clusters are busy and are meshes or have
 *     two cores at most: more lose more by a network that stands still than one core adds;
 *   - a job starts only when batches for its worst output are in hand, so that it can
 *     neither fail nor wait;
 *   - when a rank has nothing to run it sends what it has, so that late levels do not
 *     wait for full buffers.
 *
 * Closing needs no agreement beyond the closing batches themselves: once every module
 * that emits into a port has nothing left and nothing to come, the port sends
 * MW_BATCH_LAST to each of its peers; a port that has received one from each of its
 * fan-in, and whose queue is empty, is complete. No barrier ends a run.
 *
 * Why it cannot deadlock: ports are ordered, backward relay < backward owner < forward
 * relay < forward owner, each with its own buffers. The module at the last port needs no
 * output, so that port always drains, hence the one before it, and so on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PIPELINE_H
#define MW_PIPELINE_H

#include "mpe/world.h"
#include "shuffle/job.h"

MW_BEGIN_DECLS

struct mw_port {
    uint8_t stream, hop; /* hop MW_NOWHERE: changes the state only */
};

/* How much work a source has in this run, in units of its own choosing of which each
 * makes at most records_per_unit records (edges of the frontier, tuples). */
typedef uint64_t mw_source_units(void *state);

enum { MW_MODULES_MAX = 10 };

struct mw_module {
    const char *name;
    struct mw_port takes, emits;
    /* The management core's (mw_kernels_of_mpe()); NULL: it does not reach what the module works
     * on, and clusters run all of it. */
    mw_kernel *kernel;
    mw_source_units *units;    /* sources only: takes.hop == MW_SOURCE */
    uint32_t records_per_unit; /* sources only: at most so many records a unit */
    mw_kernel
        *cores_kernel; /* the clusters' (mw_kernels_of_cores()); NULL: they have none,
                                and the management core runs the module */
};

struct mw_pipeline_conf {
    const struct mw_module *module; /* in topological order: sources first; copied */
    uint32_t n_modules;
    void *state; /* handed to every kernel */
    struct mw_record_bits
        bits; /* of the numbers that children travel as, and of values */
};

/* Messages by size: class k has those of 2^(k + 4) to 2^(k + 5) - 1 bytes, the last one
 * also what is larger. A head alone, 16 bytes, is in class 0. */
enum { MW_SIZE_FIRST = 4, MW_SIZE_CLASSES = 24 };

MW_FN uint32_t mw_size_class(uint64_t bytes)
{
    const uint32_t log2 = 63 - (uint32_t)__builtin_clzll(bytes | 1);
    return (uint32_t)mw_min(mw_max(log2, MW_SIZE_FIRST) - MW_SIZE_FIRST,
                            MW_SIZE_CLASSES - 1);
}

/* Jobs, and why some were the management core's. */
struct mw_job_count {
    uint64_t all;
    uint64_t small;    /* their input was */
    uint64_t all_busy; /* no cluster was free */
    uint64_t
        alone; /* nobody else could: --engine mpe, no kernel for the mesh, one core */
    uint64_t modelled_ns; /* their time where the backend has one of its own */
};

/* What a rank did in the runs since the last mw_pipeline_traffic(). */
struct mw_traffic {
    uint64_t records, batches, bytes; /* to other ranks, both hops */
    uint64_t saved_bytes, coded;      /* of bytes, by coding; of batches, those coded */
    double coding_s;                  /* and decoding those that came */
    uint64_t size[MW_SIZE_CLASSES];   /* of batches */
    uint64_t peers;                   /* distinct ranks that were sent to, ever */
    struct mw_job_count jobs;
    double waited_s; /* with no job running and nothing to move */
    /* By module, while jobs ran; what ran at the same time has equal shares. */
    double spent_s[MW_MODULES_MAX];
    double run_s; /* of all runs: those, waiting, and the moving of batches */
};

struct mw_pipeline;

/* Collective. Borrows world and state. */
int mw_pipeline_new(const struct mw_pipeline_conf *conf, struct mw_world *world,
                    struct mw_pipeline **out) MW_NODISCARD;

/* The same from a whole table: rows that take from a relay drop out when the route is
 * direct. The usual way. */
int mw_modules_new(const struct mw_module *table, uint32_t n, void *state,
                   struct mw_record_bits bits, struct mw_world *world,
                   struct mw_pipeline **out) MW_NODISCARD;
uint32_t mw_modules_all(const struct mw_pipeline *p); /* the bits of all its rows */

/* Local. Children of this rank are numbers below n: a batch for a handler that names
 * another is refused before it is used. Without it nothing is checked. */
void mw_pipeline_bound(struct mw_pipeline *p, uint64_t n_children);

/* Local. Says that the sources do the work of nearly all receivers themselves, those of
 * other ranks of the host too. Then all cores run them, the management core as well, in
 * jobs that go on until there is no more work, or no room for records: from then on the
 * network has somebody who looks after it. */
void mw_pipeline_reaches(struct mw_pipeline *p, bool reaches);

/* Runs the modules whose bits (1 << row) are set until every port of this rank is
 * complete. Collective, but not a barrier: between two runs of a pipeline there must be
 * some collective of the communicator. */
int mw_pipeline_run(struct mw_pipeline *p, uint32_t active) MW_NODISCARD;

/* Local: what has been activated since the last call becomes the sources' units. */
typedef void mw_refill(void *arg);

/* The same without levels: sources that are used up are refilled, until all ranks have nothing left and
 * nothing is on its way. *n_rounds: refills of this rank that found something. Not where cores trade records. */
int mw_pipeline_run_async(struct mw_pipeline *p, uint32_t active, mw_refill *refill,
                          void *arg, uint64_t *n_rounds) MW_NODISCARD;

/* A source's job, where cores trade records: as many units as these have room for, 2 Mi
 * by default. */
enum { MW_TRADE_BATCHES = 256 };

/* Local, the same at all ranks. From now on runs are rounds: cores trade the records of
 * all ranks at once (cpe/memory.h), and the management core runs no module. NULL:
 * batches. For direct routes, and modules that all have kernels of cores. */
void mw_pipeline_trades(struct mw_pipeline *p, struct mw_trade *trade);

void mw_pipeline_traffic(struct mw_pipeline *p, struct mw_traffic *out); /* and resets */
void mw_pipeline_free(struct mw_pipeline *p);                            /* collective */

/* Local: what mw_modules_new() takes for these modules. */
void mw_modules_sizes(const struct mw_module *table, uint32_t n,
                      struct mw_record_bits bits, const struct mw_world_shape *world,
                      enum mw_when when, struct mw_sizes *out);

MW_END_DECLS
#endif
