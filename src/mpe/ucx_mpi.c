/* ucx_mpi.c -- see ucx.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/ucx.h"

#include "base/room.h"
#include "mpe/comm_mpi.h"

#include <dirent.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>

/* Of MPICH over UCX, which every Debian has; measured with 4.0.2 and 1 to 8 ranks: the start takes
 * 4212 KiB of /dev/shm a rank and 20 MiB of address space, what runs after it 18 MiB more. */
enum {
    UCX_SHARED = 4212 << 10,
    UCX_START = 24 << 20,
    UCX_LATER = 16 << 20,
    UCX_RANK = 2 << 20
};

static bool done_without; /* UCX's shared memory, on our own account */

bool mw_ucx_carries(void)
{
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length;
    MPI_Get_library_version(text, &length);
    return strstr(text, "ch4:ucx") != NULL;
}

uint64_t mw_mpi_shared_bytes(uint32_t host_ranks)
{
    /* Whoever names transports may have left this one out. */
    return mw_ucx_carries() && (getenv("UCX_TLS") == NULL || done_without)
               ? (uint64_t)host_ranks * UCX_SHARED
               : 0;
}

uint64_t mw_mpi_space_bytes(uint32_t host_ranks)
{
    return mw_ucx_carries() ? UCX_LATER + (uint64_t)host_ranks * UCX_RANK : 0;
}

static uint32_t number_of(const char *variable, uint32_t otherwise)
{
    const char *text = getenv(variable);
    const long n = text != NULL ? strtol(text, NULL, 10) : 0;
    return n > 0 && n < 1 << 22 ? (uint32_t)n : otherwise;
}

/* Without these MPI_Init() itself fails, in words of its own and with 15. Only what all ranks find
 * alike is looked at, and on one host: a rank that leaves would keep the others waiting. */
static int look_for_room(void)
{
    const uint32_t n_ranks = number_of("MPI_LOCALNRANKS", 1);
    const uint64_t needed = mw_mpi_shared_bytes(n_ranks);
    struct mw_room room;
    struct statvfs shm;
    if (number_of("PMI_SIZE", 1) != n_ranks)
        return MW_OK;
    const bool tight = needed > 0 && statvfs("/dev/shm", &shm) == 0 &&
                       (uint64_t)shm.f_blocks * shm.f_frsize < needed;
    done_without = tight && n_ranks == 1; /* talks to nobody */
    if (done_without)
        return setenv("UCX_TLS", "self", 0) == 0 ? MW_OK : MW_ERR_NOMEM;
    if (tight)
        return mw_fail(
            MW_ERR_REFUSED,
            "MPI needs %llu KiB in /dev/shm for the %u ranks of a host, but its "
            "size is %llu KiB: enlarge it (mount -o remount,size=..., docker run "
            "--shm-size), or UCX_TLS=self,sysv,tcp does without",
            (unsigned long long)needed >> 10, n_ranks,
            (unsigned long long)shm.f_blocks * shm.f_frsize >> 10);
    mw_room_find("", &room);
    if (mw_ucx_carries() && room.space < UCX_START)
        return mw_fail(
            MW_ERR_REFUSED,
            "MPI needs %d MiB of address space to start, but %llu MiB are left by "
            "%s: raise it",
            UCX_START >> 20, (unsigned long long)room.space >> 20, room.space_source);
    return MW_OK;
}

/* Adapters that read and write other hosts' memory by themselves, as the kernel lists them. */
static bool has_rdma(void)
{
    DIR *dir = opendir("/sys/class/infiniband");
    bool any = false;
    if (dir == NULL)
        return false;
    for (const struct dirent *e; !any && (e = readdir(dir)) != NULL;)
        any = e->d_name[0] != '.';
    closedir(dir);
    return any;
}

/* From some size on UCX asks before it sends. Where an adapter then fetches the data that
 * is a good bargain; over TCP the answer waits behind all that is on its way in the other
 * direction, and the link is empty meanwhile (decision 84). Receives are posted ahead and
 * what is on its way is bounded, so nothing piles up. Whoever has said how it shall be is
 * heard. */
static int send_at_once(void)
{
    const bool several_hosts =
        getenv("MPI_LOCALNRANKS") != NULL && /* else nobody knows */
        number_of("PMI_SIZE", 1) != number_of("MPI_LOCALNRANKS", 1);
    if (!several_hosts || !mw_ucx_carries() || has_rdma())
        return MW_OK;
    return setenv("UCX_RNDV_THRESH", "inf", 0) == 0 ? MW_OK : MW_ERR_NOMEM;
}

int mw_ucx_prepare(void)
{
    const int rc = look_for_room();
    return rc == MW_OK ? send_at_once() : rc;
}
