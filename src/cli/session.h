/* session.h -- what every command that runs on ranks shares: MPI, signals, warnings, the
 * one message at the end, the one exit code of all ranks.
 *
 *      mw_session_start() ... work, passing rc along ... mw_session_finish(rc)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SESSION_H
#define MW_SESSION_H

#include "cli/launch.h"
#include "cli/option.h"
#include "cli/provenance.h"

#include <stdio.h>

MW_BEGIN_DECLS

struct mw_session {
    const struct mw_settings *settings; /* borrowed */
    struct mw_launch launch;
    struct mw_comm *comm;
    bool speaks; /* rank 0: the one that prints */
    bool quiet, verbose;
    bool waits;     /* mw_session_fewer() has left it out */
    char **warning; /* [n_warnings], owned: they also stand in the result */
    size_t n_warnings;
    struct mw_provenance provenance;
};

/* Collective. Reads the options that all such commands have (quiet, verbose) and those
 * that some have (timeout, ranks-per-host, anonymize). `early` is what became of this rank before:
 * a failure becomes everyone's. */
int mw_session_start(const struct mw_settings *settings, int early,
                     struct mw_session *out) MW_NODISCARD;

/* Collective, on one host: ranks 0 .. n - 1 go on. The others get MW_DONE, have no communicator any more, and
 * wait in mw_session_finish(). */
int mw_session_fewer(struct mw_session *s, uint32_t n) MW_NODISCARD;

/* Collective, after any rc. Agrees on the worst status, lets rank 0 print its message,
 * finalises; returns the status, and the message is not recorded any more. */
int mw_session_finish(struct mw_session *s, int rc) MW_NODISCARD;

/* After the message of a failure, where memory was short: one line more, on what to do. */
void mw_session_advise(int rc);

/* For mw_world_conf.failed: says what has failed on this rank and ends all ranks, with
 * what is finished saved. Does not return. */
void mw_session_failed(int rc);
/* For mw_world_conf.lost: says what went wrong and ends all ranks. Does not return. */
void mw_session_lost(void);

/* A warning of the program itself, local: on stderr and in the result. */
void mw_session_warn(struct mw_session *s, const char *fmt, ...) MW_PRINTF(2, 3);

/* One line on stderr unless --quiet; rank 0 only. */
void mw_session_say(const struct mw_session *s, const char *fmt, ...) MW_PRINTF(2, 3);

/* Local. What was printed is out, or MW_ERR_IO with the reason. */
int mw_session_flush(void) MW_NODISCARD;

/* For commands without MPI: whether this process is the one that works and prints; and does the work of a
 * command there, so that signals can end it. */
bool mw_session_alone(void);
int mw_session_by_one(const struct mw_settings *settings,
                      int (*work)(const struct mw_settings *settings)) MW_NODISCARD;

MW_END_DECLS
#endif
