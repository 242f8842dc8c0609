/* meeting.h -- where ranks that are threads of one process meet.
 *
 * Every collective is one meeting: each rank puts down what it calls and with what
 * arguments, and waits; the last to come does the whole work for all, in everybody's
 * memory, and wakes them. So there is one barrier per collective, one lock, and no
 * copy that a second rank could see half done.
 *
 *      rank 0  --call-->  |         |  wait ...........  | go on
 *      rank 1  --call-->  | meeting |  wait ...........  | go on
 *      rank 2  --call-->  |         |  last: do it all   | go on
 *
 * The invariant: the calls of a meeting are read only while all its ranks wait in it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MEETING_H
#define MW_MEETING_H

#include "mpe/comm.h"

#include <pthread.h>

enum { MW_LOOP_TEXT = 1024 };

enum mw_loop_op {
    MW_CALL_REDUCE,
    MW_CALL_BARRIER,
    MW_CALL_GATHER,
    MW_CALL_BROADCAST,
    MW_CALL_SIZES,
    MW_CALL_EXCHANGE,
    MW_CALL_HOST_ALLOC,
    MW_CALL_HOST_FREE
};

/* What a rank brings to a meeting. */
struct mw_loop_call {
    enum mw_loop_op op;
    uint64_t size; /* n, bytes: must be the same on all ranks */
    uint32_t how;  /* reduction, root: likewise */
    const void *in;
    void *out;
    const uint64_t *in_bytes; /* exchange: [n_ranks] */
    uint64_t *out_bytes;
    const char *what; /* of host_alloc */
    int rc;           /* a rank's own trouble so far */
    char *text;       /* of it */
};

struct mw_meeting {
    pthread_cond_t moved;
    uint64_t n_held; /* meetings that have taken place here */
    uint32_t first, n_ranks, n_here;
    int result;
    char text[MW_LOOP_TEXT];
};

/* Memory shared by a host; the caller's bytes follow. */
struct mw_loop_block {
    struct mw_loop_block *next;
    char fill[MW_CACHE_LINE - sizeof(void *)];
};
MW_STATIC_ASSERT(sizeof(struct mw_loop_block) == MW_CACHE_LINE,
                 "callers' bytes stay aligned");

/* Who has joined; a rank joins the next one only when it has read this one, so two in turn are enough. */
struct mw_loop_sum {
    uint64_t value[MW_COMM_SUMS];
    uint32_t n_here;
};

struct mw_loop_comm {
    struct mw_comm base;
    struct mw_loop_world *world;
    uint64_t n_sums; /* that it has joined */
    struct mw_meeting *of_host;
    struct mw_loop_call call;
    uint64_t dice;                        /* of the delays; 0: none */
    double no_delay_until, no_turn_until; /* times: mw_loop_delay() and mw_meet() */
    pthread_t thread;
    bool left;     /* its run() has returned, with: */
    bool followed; /* it was told that another had left */
    int status;
    char text[MW_LOOP_TEXT];
};

struct mw_loop_world {
    struct mw_loop_conf conf;
    int (*run)(struct mw_comm *c, void *arg);
    void *arg;
    pthread_mutex_t lock; /* of everything below */
    struct mw_meeting of_all, *of_host;
    struct mw_loop_sum sum[2];
    struct mw_loop_comm *rank;
    uint32_t *host_of;
    struct mw_pulse *pulse;
    uint32_t n_hosts;
    struct mw_loop_block *memory;
    bool failed; /* some rank has left with an error */
    uint32_t first_failed;
};

/* Often nothing, sometimes a little, by the rank's dice. */
void mw_loop_delay(struct mw_loop_comm *l);

void mw_meeting_init(struct mw_meeting *m, uint32_t first, uint32_t n_ranks);

/* Does l->call together with all ranks of the meeting. Fails at all of them if some rank's call is another
 * one or brings trouble of its own, and at those that wait if a rank has left for good. */
int mw_meet(struct mw_loop_comm *l, struct mw_meeting *m);

/* An error: rank r has left, and with what. The lock is held. */
int mw_loop_tell_left(struct mw_loop_comm *l, uint32_t r);

#endif
