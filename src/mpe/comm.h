/* comm.h -- the collectives that set-up, level control and validation need.
 *
 * comm_mpi.c is the real thing; comm_loop.c joins P ranks that are threads of one
 * process, so that every test above runs without mpiexec and under any sanitizer.
 * All functions but those marked *local* are collective over the communicator.
 * Waiting polls nonblocking operations and gives up the core between polls (base/wait.h) when
 * threads outnumber the cores of a host: docs/performance.md, more ranks or threads than cores.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_COMM_H
#define MW_COMM_H

#include "mpe/pulse.h"

#include "base/clock.h"
#include "base/status.h"

MW_BEGIN_DECLS

struct mw_comm;

enum mw_reduce { MW_SUM, MW_MAX, MW_MIN };

/* One message each way between hosts: see mw_comm_swap(). */
#define MW_NO_HOST UINT32_MAX
struct mw_swap {
    uint32_t to, from; /* hosts; MW_NO_HOST: none */
    const void *send;
    uint64_t bytes;
    void *recv;
    uint64_t room;     /* of recv; the same at all ranks */
    uint64_t received; /* filled in */
};

struct mw_comm_ops {
    int (*reduce)(struct mw_comm *c, uint64_t *value, uint32_t n, enum mw_reduce how);
    int (*barrier)(struct mw_comm *c);
    int (*gather)(struct mw_comm *c, const void *mine, uint64_t bytes, void *all);
    int (*broadcast)(struct mw_comm *c, void *data, uint64_t bytes, uint32_t root);
    int (*exchange)(struct mw_comm *c, const void *send, const uint64_t *send_bytes,
                    void **recv, uint64_t *recv_bytes);
    int (*host_alloc)(struct mw_comm *c, const char *what, uint64_t bytes, void **out);
    void (*host_free)(struct mw_comm *c, void *p);
    int (*host_barrier)(struct mw_comm *c);
    int (*share)(struct mw_comm *c, void *window, uint64_t portion);
    int (*swap)(struct mw_comm *c, struct mw_swap *x);
    int (*sum_begin)(struct mw_comm *c, const uint64_t *value, uint32_t n);
    int (*sum_test)(struct mw_comm *c, uint64_t *value, uint32_t n);
    void (*close)(struct mw_comm *c);
};

/* Local. Large memory is touched for the first time by all cores of a rank: who has them
 * deals a block out, and has each core touch its share. */
typedef void mw_touch(void *p, uint64_t bytes);
typedef void mw_touch_dealer(void *arg, mw_touch *touch, void *p, uint64_t bytes);

/* After a collective in which this rank has got, or sent, so many bytes: what it takes where ranks have a
 * time of their own. The rank with most decides. */
typedef void mw_pass_time(void *arg, uint64_t bytes);

/* Transparent: everyone reads it, only the implementation writes it, and a world the dealer, what passes
 * time, and that waiting is to give up the core. */
struct mw_comm {
    const struct mw_comm_ops *ops;
    uint32_t rank, size;
    uint32_t host, n_hosts;        /* hosts are numbered by their lowest rank */
    uint32_t host_rank, host_size; /* this rank among the ranks of its host */
    /* This rank among those of its real host, whatever hosts they are taken for: whose devices are
     * theirs in turn. */
    uint32_t real_host_rank;
    uint32_t n_cores;    /* that this host lets this job use */
    bool oversubscribed; /* some host has more ranks than cores */
    /* Some host has more threads than cores: who waits gives up its own. The same on all ranks. */
    bool crowded;
    bool one_thread;            /* the library allows a process no second thread */
    bool of_threads;            /* ranks are threads of one process */
    const uint32_t *host_of;    /* [size] */
    struct mw_pulse *pulse;     /* [host_size] of this host, this rank writes its own */
    struct mw_inquiry *inquiry; /* of the watchdog; NULL: there is none */
    mw_touch_dealer *touch_dealer; /* NULL: this core alone */
    void *touch_arg;
    mw_pass_time *pass_time; /* NULL: the host's time passes by itself */
    void *time_arg;
};

/* Local: collectives take no such time until what is returned stands there again. */
static inline mw_pass_time *mw_comm_stop_time(struct mw_comm *c)
{
    mw_pass_time *const pass_time = c->pass_time;
    c->pass_time = NULL;
    return pass_time;
}

/* Collective: no rank may leave it out, whatever has failed. */
static inline void mw_comm_pass_time(struct mw_comm *c, uint64_t bytes)
{
    if (c->pass_time != NULL)
        c->pass_time(c->time_arg, bytes);
}

/* After an operation that fails on all ranks, or on none. */
static inline int mw_comm_timed(struct mw_comm *c, int rc, uint64_t bytes)
{
    if (rc == MW_OK)
        mw_comm_pass_time(c, bytes);
    return rc;
}

/* Local. What this rank waits for from now on, and that it has come to an end. */
static inline void mw_comm_wait(const struct mw_comm *c, enum mw_wait what)
{
    if (c->pulse == NULL)
        return;
    struct mw_pulse *const mine = &c->pulse[c->host_rank];
    MW_STORE_RELAXED(&mine->wait, (uint32_t)what);
    if (what >= MW_IN_BARRIER)
        mine->since_s = mw_now();
}
static inline void mw_comm_work(const struct mw_comm *c)
{
    if (c->pulse == NULL)
        return;
    struct mw_pulse *const mine = &c->pulse[c->host_rank];
    if (mine->wait >= MW_IN_BARRIER)
        mine->waited_s += mw_now() - mine->since_s;
    MW_STORE_RELAXED(&mine->wait, (uint32_t)MW_AT_WORK);
    MW_STORE_RELAXED(&mine->beats, mine->beats + 1);
}
/* Local. Seconds that this rank has spent in collectives so far. */
static inline double mw_comm_waited(const struct mw_comm *c)
{
    return c->pulse != NULL ? c->pulse[c->host_rank].waited_s : 0;
}
static inline void mw_comm_level(const struct mw_comm *c, uint32_t level)
{
    if (c->pulse != NULL)
        MW_STORE_RELAXED(&c->pulse[c->host_rank].level, level);
}

/* In place, over all ranks; 64-bit unsigned. */
MW_NODISCARD static inline int mw_comm_sum(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    return mw_comm_timed(c, c->ops->reduce(c, value, n, MW_SUM), 0);
}
MW_NODISCARD static inline int mw_comm_max(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    return mw_comm_timed(c, c->ops->reduce(c, value, n, MW_MAX), 0);
}
MW_NODISCARD static inline int mw_comm_min(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    return mw_comm_timed(c, c->ops->reduce(c, value, n, MW_MIN), 0);
}
MW_NODISCARD static inline int mw_comm_barrier(struct mw_comm *c)
{
    return mw_comm_timed(c, c->ops->barrier(c), 0);
}

/* `bytes` of every rank, in rank order, on every rank: `all` holds size * bytes. */
MW_NODISCARD static inline int mw_comm_gather(struct mw_comm *c, const void *mine,
                                              uint64_t bytes, void *all)
{
    return mw_comm_timed(c, c->ops->gather(c, mine, bytes, all), (c->size - 1) * bytes);
}
MW_NODISCARD static inline int mw_comm_broadcast(struct mw_comm *c, void *data,
                                                 uint64_t bytes, uint32_t root)
{
    return mw_comm_timed(c, c->ops->broadcast(c, data, bytes, root), bytes);
}

/* send holds one stretch per rank, in rank order, of send_bytes[size] each. *recv
 * is allocated with mw_alloc(), ordered by sender; recv_bytes[size] is filled in;
 * the caller frees *recv. Sizes above 2 GiB are legal. */
MW_NODISCARD static inline int mw_comm_exchange(struct mw_comm *c, const void *send,
                                                const uint64_t *send_bytes, void **recv,
                                                uint64_t *recv_bytes)
{
    mw_pass_time *const pass_time = mw_comm_stop_time(c);
    const int rc = c->ops->exchange(c, send, send_bytes, recv, recv_bytes);
    uint64_t all = 0;
    c->pass_time = pass_time;
    for (uint32_t i = 0; rc == MW_OK && c->pass_time != NULL && i < c->size; i++)
        all += recv_bytes[i];
    return mw_comm_timed(c, rc, all);
}

/* Memory that all ranks of a host see at their own addresses, zeroed; collective
 * over the host's ranks, all of which pass the same size. Freed collectively. */
MW_NODISCARD static inline int mw_comm_host_alloc(struct mw_comm *c, const char *what,
                                                  uint64_t bytes, void **out)
{
    return c->ops->host_alloc(c, what, bytes, out);
}
/* The same on every host: collective over all ranks, which all get it, or none does. */
int mw_comm_hosts_alloc(struct mw_comm *c, const char *what, uint64_t bytes, void **out)
    MW_NODISCARD;
static inline void mw_comm_host_free(struct mw_comm *c, void *p)
{
    if (p != NULL)
        c->ops->host_free(c, p);
}

/* Barrier and memory fence between the ranks of one host. */
MW_NODISCARD static inline int mw_comm_host_barrier(struct mw_comm *c)
{
    return c->ops->host_barrier(c);
}

/* `window` is from mw_comm_host_alloc() and begins with one portion of `portion` bytes per
 * rank, of which each rank has written its own. Afterwards every host's window holds all
 * portions, and every rank sees them. On one host that is a barrier. */
MW_NODISCARD static inline int mw_comm_share(struct mw_comm *c, void *window,
                                             uint64_t portion)
{
    mw_pass_time *const pass_time = mw_comm_stop_time(c);
    const int rc =
        c->n_hosts == 1 ? c->ops->host_barrier(c) : c->ops->share(c, window, portion);
    c->pass_time = pass_time;
    return mw_comm_timed(c, rc, (c->size - 1) * portion);
}

/* The lowest rank of each host sends to that of another and receives from that of a third, or of
 * the same; who is sent to by whom all know beforehand. Other ranks call it too and do nothing.
 * Only where there are several hosts. */
MW_NODISCARD static inline int mw_comm_swap(struct mw_comm *c, struct mw_swap *x)
{
    return c->ops->swap(c, x);
}

/* Every rank passes its own status and gets the worst one, so that a failure on
 * one rank is a failure on all instead of a hang on the others. */
MW_SHOWN int mw_comm_agree(struct mw_comm *c, int rc) MW_NODISCARD;

/* Both in one, where every microsecond counts: sums n values, MW_COMM_SUMS at most, of which none
 * is used when some rank passes a failure; then all fail as with mw_comm_agree(). */
enum { MW_COMM_SUMS = 15 };
MW_SHOWN int mw_comm_sum_or_fail(struct mw_comm *c, uint64_t *value, uint32_t n, int rc)
    MW_NODISCARD;

/* A sum that nobody waits in, of MW_COMM_SUMS values at most, one at a time: each rank joins with its own,
 * and asks until MW_OK, not MW_AGAIN: then value[n] are all ranks'. Collectives may lie between; they do
 * not mind one that is never ended, after a failure. */
MW_NODISCARD static inline int mw_comm_sum_begin(struct mw_comm *c, const uint64_t *value,
                                                 uint32_t n)
{
    return c->ops->sum_begin(c, value, n);
}
MW_NODISCARD static inline int mw_comm_sum_test(struct mw_comm *c, uint64_t *value,
                                                uint32_t n)
{
    return c->ops->sum_test(c, value, n);
}

static inline void mw_comm_close(struct mw_comm *c)
{
    if (c != NULL)
        c->ops->close(c);
}

/* The two ways to get one. */

/* MPI_COMM_WORLD, duplicated. mw_mpi_start() calls MPI_Init_thread (FUNNELED) unless
 * somebody has; mw_mpi_finish() finalises if mw_mpi_start() initialised. Every rank
 * calls them; `argc`, `argv` may be NULL. ranks_per_host > 0 pretends that hosts have
 * that many ranks (to try inter-host paths on one machine). */
int mw_mpi_start(int *argc, char ***argv, uint32_t ranks_per_host, struct mw_comm **out)
    MW_NODISCARD;
void mw_mpi_finish(struct mw_comm *c);
/* Collective, once, of ranks of one host that is no pretended one: *c becomes the communicator of ranks 0 .. n - 1;
 * the others get NULL, and have nothing to do but mw_mpi_finish(), where they wait, asleep. *c was the only one. */
int mw_mpi_fewer(struct mw_comm **c, uint32_t n) MW_NODISCARD;
/* Local; ends all ranks, once the launcher has read what this one has said. Does not return. */
void mw_mpi_abort(int exit_code);
const char *mw_mpi_version(void); /* the library's own string; local, no init needed */

/* P ranks as threads of this process: calls run(comm, arg) on each and returns the
 * worst status. `seed` drives message delays (0: none). */
struct mw_loop_conf {
    uint32_t n_ranks;
    uint32_t ranks_per_host; /* 0: all on one */
    uint64_t seed;
};
int mw_loop_run(const struct mw_loop_conf *conf, int (*run)(struct mw_comm *c, void *arg),
                void *arg);

MW_END_DECLS
#endif
