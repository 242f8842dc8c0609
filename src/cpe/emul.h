/* emul.h -- emulated clusters of 64 cores, as the management core sees them.
 *
 * Two backends run the kernels that are written against cpe_types.h:
 *
 *   mw_backend_emul          discrete events: one thread, a cooperative context per core,
 *                            virtual time from emul_params.h; the same run, cycle for
 *                            cycle, every time. Up to four clusters opened by one thread
 *                            share one clock.
 *   mw_backend_emul_threads  a thread per core and no time: for the sanitizers.
 *
 * Both keep the rules of the machine, and a kernel that breaks one ends the run: poll()
 * then returns MW_ERR_INTERNAL with a text that names the class of the mistake, the core
 * and the line; mw_emul_report() has it in parts. After that a cluster can only be closed.
 * launch() starts all 64 cores, and run() does not take the management core in.
 *
 * With the parameter stale_reads memory is not coherent: mw_mem_load() and mw_mem_store() work
 * on copies of the core's own until mw_memb() (emul_words.c). That covers the words by which
 * cores and management core talk, as flags; DMA goes straight to memory, and plain C loads and
 * stores of a kernel are not seen: what orders those, emul-threads under a race detector
 * checks. The management core itself has no copies: between launches it is alone.
 *
 * Nothing moves while the management core does not poll: virtual time belongs to the
 * cores. What its own work costs it says with mw_emul_pass(), or in its own words by the backend's
 * mw_virtual_time, which also knows the network between nodes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EMUL_H
#define MW_EMUL_H

#include "cpe/cluster.h"
#include "cpe/emul_params.h"

#include <stdio.h>

MW_BEGIN_DECLS

extern const struct mw_backend mw_backend_emul;
extern const struct mw_backend mw_backend_emul_threads;

enum { MW_EMUL_CLUSTERS_MAX = 4 };

/* The classes of mistakes. */
enum mw_emul_mistake {
    MW_EMUL_NONE,
    MW_EMUL_STATICS,       /* local store: the statics do not fit */
    MW_EMUL_STACK,         /* local store: the stack met the heap */
    MW_EMUL_HEAP,          /* local store: the heap is exhausted */
    MW_EMUL_DMA_OUTSIDE,   /* local side not in the core's store, or main side in one */
    MW_EMUL_DMA_ALIGN,     /* not a multiple of 4 bytes, or a bad shape */
    MW_EMUL_REPLY_OUTSIDE, /* the reply word is not in the core's store */
    MW_EMUL_REPLY_PASSED,  /* the count is past n, or may pass it unseen */
    MW_EMUL_REPLY_SHORT,   /* the count will never reach n */
    MW_EMUL_DMA_UNWAITED,  /* the kernel ended, and nobody waited for a DMA */
    MW_EMUL_PEER_ENDED,    /* a put to, or a sync with, a core that has ended */
    MW_EMUL_LEFT,          /* the kernel ended with messages in a FIFO */
    MW_EMUL_RCE,           /* a put to a target outside the row or column, or to itself */
    MW_EMUL_SYNE1,         /* a sync mask without the core itself */
    MW_EMUL_SYNC_MISMATCH, /* two cores wait for each other in different syncs */
    MW_EMUL_DEADLOCK,      /* nobody can go on, and nobody waits for time */
    MW_EMUL_NO_PROGRESS,   /* everybody only spins */
    MW_EMUL_TWO_WRITERS,   /* two cores wrote one word, or one grain of a watch, by DMA */
    MW_EMUL_ATOMIC         /* an atomic operation where there are to be none */
};

struct mw_emul_report {
    enum mw_emul_mistake mistake;
    const char *name; /* "deadlock" */
    uint32_t core;    /* 0 .. 63 */
    uint64_t cycle;
    char where[64]; /* "bfs_kernels.c:31" */
    char text[900]; /* the whole sentence; what poll() records */
};

/* Cycles of one core since its cluster was opened. With threads only counts, no cycles. */
struct mw_emul_counters {
    uint64_t busy, idle; /* idle: its kernel had ended and another's had not */
    uint64_t blocked_put, blocked_get, blocked_sync, blocked_dma;
    uint64_t puts, gets; /* messages */
    uint64_t dma_gets, dma_puts, dma_get_bytes, dma_put_bytes, dma_misaligned;
    uint64_t syncs, atomics, spins;
    uint64_t switches; /* of context, to this core */
    uint64_t statics_bytes, heap_bytes,
        stack_bytes; /* the most ever; stack of this host */
};

/* For clusters opened from now on, in the whole process; NULL: sw26010. */
int mw_emul_configure(const struct mw_emul_params *p) MW_NODISCARD;
void mw_emul_params_of(const struct mw_cluster *c, struct mw_emul_params *out);

uint64_t mw_emul_now(const struct mw_cluster *c); /* virtual time, in cycles */
void mw_emul_pass(struct mw_cluster *c, uint64_t cycles);
void mw_emul_count(const struct mw_cluster *c, uint32_t core,
                   struct mw_emul_counters *out);
/* Sums of all cores; of the three store sizes the largest. */
void mw_emul_count_all(const struct mw_cluster *c, struct mw_emul_counters *out);

/* Two cores that put by DMA to one word of main memory within a launch of a cluster, without a
 * barrier of all cores between, are a mistake (parameter single_writer). A watch makes the unit
 * larger, `grain` bytes of this memory as a bucket's, and then a barrier makes no difference.
 * Stores that are no DMA are not seen. */
int mw_emul_watch(struct mw_cluster *c, const void *memory, uint64_t bytes,
                  uint64_t grain) MW_NODISCARD;

/* Which ways messages took since a cluster was opened, as who put to whom after a message from
 * whom: for a layout of what a kernel really did. Core v has a bit for (before, to), each a
 * seat: 0..7 in its row, 8 + 0..7 in its column; its own column in `before`: it had taken none. */
struct mw_emul_hops {
    uint16_t before[64][16]; /* [core][to]: bits of before */
};
void mw_emul_hops_add(const struct mw_cluster *c, struct mw_emul_hops *sum);
bool mw_emul_hops_any(const struct mw_emul_hops *h);
/* As a layout (docs/mesh.md) of the depths in force: a flow of two cores for each put that no
 * message came before, else of three. */
void mw_emul_hops_print(const struct mw_emul_hops *h, const struct mw_emul_params *p,
                        FILE *to);

/* Messages that a launch sent, each from the core that made it to the one that kept it, if they
 * are wanted; of clusters opened from then on. A core that puts the very words that it took last
 * passes that message on. Messages of zeros, which end streams, are left out. */
struct mw_emul_sent {
    uint64_t cycle; /* from the launch to its first put */
    uint8_t from, to;
};
void mw_emul_traffic_want(bool wanted);
/* Of the launch that sent most, in the order of cycles; borrowed, until the cluster runs again.
 * MW_ERR_NOMEM: of what the record would have taken. */
int mw_emul_traffic_most(struct mw_cluster *c, const struct mw_emul_sent **out,
                         uint64_t *n) MW_NODISCARD;
/* As `layout sim --traffic` reads it (docs/mesh-latency.md). */
void mw_emul_traffic_print(const struct mw_emul_sent *sent, uint64_t n, FILE *to);

/* NULL: no mistake so far. */
const struct mw_emul_report *mw_emul_report(const struct mw_cluster *c);
/* The report, what each core is doing and where, and who waits for whom; as text and as
 * the same graph for Graphviz. */
void mw_emul_write_story(const struct mw_cluster *c, FILE *to);
void mw_emul_write_dot(const struct mw_cluster *c, FILE *to);
/* What the cores are doing, a line for all that do the same; without the report. */
void mw_emul_write_brief(const struct mw_cluster *c, FILE *to);
/* Which of the clusters on c's machine the report is about; NULL: no mistake so far. */
const struct mw_cluster *mw_emul_culprit(const struct mw_cluster *c);

/* Process-wide: called on the management core by the poll() that first returns a mistake; it
 * need not return. NULL: nobody listens. */
typedef void mw_emul_listener(const struct mw_cluster *c, void *arg);
void mw_emul_listen(mw_emul_listener *listener, void *arg);

MW_END_DECLS
#endif
