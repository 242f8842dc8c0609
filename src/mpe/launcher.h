/* launcher.h -- the program that started us: did it start more ranks than we can see, has it
 * heard us, and does it know that we end?
 *
 * Under the mpiexec of another MPI, or of any in a build without one, every process
 * believes that it is alone and does the whole job. The launcher's variables tell.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAUNCHER_H
#define MW_LAUNCHER_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Local. MW_ERR_UNAVAILABLE when n_ranks is 1 and a launcher says otherwise. */
int mw_launcher_check(uint32_t n_ranks) MW_NODISCARD;

/* Local: waits until what was written to fd, if that is a pipe, has been read, for a few seconds at
 * most. A launcher that sees a rank abort may not read what the rank has said just before. */
void mw_launcher_let_read(int fd);

/* Local: tells Hydra that this process is through with MPI, as MPI_Finalize() would, on the wire
 * that it handed over (PMI-1: a socket, PMI_FD), and waits for its answer, for a second at most. For
 * who ends without MPI_Finalize(): one whose wire just closes is taken for a failure, with a code of
 * 1, and the host's other ranks are killed. Does nothing where there is no such wire. */
void mw_launcher_leave(void);

MW_END_DECLS
#endif
