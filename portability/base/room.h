/* room.h -- how much memory a process may still have, by everybody who has a say in it.
 *
 *      memory         MemAvailable, and the limits of the control groups that the process is in,
 *                     from its own up to the root: all processes of a host share it
 *      address space  RLIMIT_AS and RLIMIT_DATA, less what is mapped by now: each process's own
 *      /dev/shm       where MPI puts what the ranks of a host share
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ROOM_H
#define MW_ROOM_H

#include "base/base.h"

MW_BEGIN_DECLS

struct mw_room {
    uint64_t memory;          /* UINT64_MAX: nobody says */
    char memory_source[200];  /* "MemAvailable", "cgroup /job_7: memory.max" */
    uint64_t space;           /* UINT64_MAX: not limited */
    const char *space_source; /* "RLIMIT_AS (ulimit -v)" */
    uint64_t shared;          /* UINT64_MAX: there is no such file system */
};

/* Local. `root` goes in front of all paths: "" is this system, others are recorded ones. */
void mw_room_find(const char *root, struct mw_room *out);

/* Before there are threads. Where address space is limited they share one heap: glibc sets aside
 * 64 MB for each of them otherwise, or not, as it comes, and nobody can say what will be left. */
void mw_room_share_heap(void);

/* Address space for the stack of one more thread. */
uint64_t mw_room_of_stack(void);

MW_END_DECLS
#endif
