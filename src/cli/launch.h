/* launch.h -- how this process was started and how it is asked to end.
 *
 * Before MPI_Init only the launcher's environment tells one rank from another; it is
 * enough to let one rank print a usage error instead of all. Afterwards signals matter:
 *
 *      TERM, INT    ask the run to end after the current search; the second one ends it at
 *                   once, with 128 + its number. (Launchers and terminals deliver one twice:
 *                   within a moment they count once)
 *      XCPU         the limit on processor time: as TERM
 *      USR1         asks for the state; the run goes on
 *      HUP          comes from the kernel when the launcher vanishes: leave within a second
 *
 * The watchdog (watchdog.h) asks in the same way when --timeout has passed, and ends a run that
 * was asked and does not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAUNCH_H
#define MW_LAUNCH_H

#include "base/status.h"

MW_BEGIN_DECLS

struct mw_launch {
    bool launched; /* by mpiexec, srun or the like */
    uint32_t rank; /* as the launcher counts; 0 if alone */
    long parent;   /* the process that started us; 1 for the first one of a container */
};

/* Local, before MPI. (Whether launcher and MPI agree is mpe/launcher.h's question.) */
void mw_launch_read(struct mw_launch *out);

/* Local, first of all: what is inherited must not surprise. A closed standard descriptor is
 * taken by /dev/null, opened so that using it fails: else the next file that is opened would
 * get its number. A limit of file sizes is an error of write() and not the end. A signal that
 * ends the program removes its temporary files first. */
void mw_launch_prepare(void);

/* Local. Installs the handlers; `rank` is for the state line. */
int mw_signals_install(const struct mw_launch *launch, uint32_t rank) MW_NODISCARD;

/* Who is woken by a signal that asks the run to end: async-signal-safe. NULL: nobody. */
void mw_signals_wakes(void (*who)(void));

/* Local. Asks the run to end, as a signal would: SIGALRM for --timeout, SIGHUP for a vanished
 * launcher. The first to ask is the reason. */
void mw_signals_ask(int signal_number);
bool mw_signals_timed_out(void);
bool mw_signals_launcher_gone(void);

/* Whether the run was asked to end; what mw_benchmark_conf.stop wants. Local. */
bool mw_signals_stop(void);

/* The reason as text: "SIGTERM", "--timeout"; "" if nobody asked. */
const char *mw_signals_reason(void);

/* What the state line says this rank is doing; a constant string. */
void mw_signals_phase(const char *phase);
const char *mw_signals_phase_name(void);

MW_END_DECLS
#endif
