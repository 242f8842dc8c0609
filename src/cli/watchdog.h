/* watchdog.h -- looks beside the program whether it still moves, and ends it where it does not.
 *
 * A thread on every rank. It never calls MPI, which the management core alone may; it reads and
 * writes the heartbeats that the ranks of a host share (mpe/pulse.h), and when it ends the run it
 * says what is known, has what is finished saved, and leaves without coming back:
 *
 *      nothing on this host moves for --hang-timeout                  70
 *      --timeout has passed, and a grace after it                     75
 *      asked to end by a signal, and nothing moves for a grace        75
 *      the launcher has vanished                                      75
 *      a device has failed in the middle of a kernel                  70, or 71 if it was full
 *
 * One rank that decides so takes the others of its host along; one that is stopped is woken for
 * that. The launcher ends the rest. Time is the process's own: what it was stopped or suspended
 * counts nothing, what its threads stand in line for a core counts a tenth (stillness.h), and who is
 * slow is not blamed, for who works moves.
 *
 * On several hosts a host whose ranks all wait in a collective may be waiting for a slow one,
 * of which it can see nothing: there the limit is ten times as long, but for the searches, whose
 * levels are short: there a host that is lost ends the run within the limit.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_WATCHDOG_H
#define MW_WATCHDOG_H

#include "mpe/comm.h"

MW_BEGIN_DECLS

struct mw_watchdog_conf {
    struct mw_comm *comm;             /* borrowed until mw_watchdog_leave() */
    const char *host;                 /* its name, borrowed as long */
    double timeout_s, hang_timeout_s; /* 0: none */
    long parent;                      /* process of the launcher; 0: there is none */
};

/* One per process. Local. Without threads there is a warning and no watchdog. */
void mw_watchdog_start(const struct mw_watchdog_conf *conf);

/* Who saves what is finished, called by the watchdog: when the run is first asked to end, and
 * when the watchdog ends it (`last`). It shares nothing with the program that this one does not
 * guard. NULL: nobody; after that no call is under way. */
typedef void mw_watchdog_keeper(void *arg, const char *reason, bool last);
void mw_watchdog_keep(mw_watchdog_keeper *keeper, void *arg);

/* Ends the run because of what the program has said itself: all of this host, as above. Does not
 * return, unless there is no watchdog. */
void mw_watchdog_fail(int rc);

/* From here on only the end of MPI is waited for, and the heartbeats are not read. `rc`
 * is what all ranks have agreed on: where MPI does not end between hosts, they leave with
 * its code. Local. */
void mw_watchdog_leave(int rc);
void mw_watchdog_stop(void);

MW_END_DECLS
#endif
