/* window_mpi.c -- memory that the ranks of a host share.
 *
 * Where shared_parts.h serves, each rank's part is a file of its own; elsewhere MPI has it, whose
 * MPI_Win_allocate_shared() has no form that polls, and which can fail for reasons that a user can mend.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/calls_mpi.h"

#include "base/mem.h"
#include "base/resident.h"
#include "mpe/shared_parts.h"

#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct mw_mpi_window {
    struct mw_mpi_window *next;
    void *p;
    MPI_Win win;   /* MPI_WIN_NULL: plain memory, this host has one rank, or parts */
    bool in_parts; /* each rank's in a file of its own */
    uint64_t bytes, mine; /* shared, and this rank's part; 0: not shared */
};

/* A full /dev/shm is a SIGBUS at the first touch, so it is asked before. */
static int room_for(const char *what, uint64_t bytes)
{
    struct statvfs shm;
    if (statvfs("/dev/shm", &shm) != 0)
        return MW_OK; /* MPI keeps shared memory elsewhere */
    const uint64_t room = (uint64_t)shm.f_bavail * shm.f_frsize;
    if (bytes <= room)
        return MW_OK;
    return mw_fail(
        MW_ERR_NOMEM,
        "%s: %llu bytes shared by the ranks of a host, but /dev/shm has room "
        "for %llu: enlarge it (mount -o remount,size=..., docker run --shm-size) "
        "or start fewer ranks with more --threads",
        what, (unsigned long long)bytes, (unsigned long long)room);
}

/* Like mw_comm_agree(), among the ranks of a host. */
static int agree_on_host(struct mw_mpi_comm *m, const char *what, int rc)
{
    int worst = rc;
    mw_mpi_reduce_on(m, m->on_host, &worst, 1, MPI_INT, MPI_MIN);
    if (worst < MW_OK && rc == MW_OK)
        return mw_fail(worst, "%s: not on another rank of this host", what);
    return worst;
}

/* One file for each rank's part, of what is small for the first ranks only; w->p stays NULL where
 * that is not to be had. */
static int allocate_parts(struct mw_mpi_comm *m, const char *what, uint64_t bytes,
                          struct mw_mpi_window *w)
{
    const uint32_t n = m->base.host_size, me = m->base.host_rank;
    const uint64_t part_bytes = mw_shared_part_bytes(bytes, n);
    const uint64_t from = mw_min(part_bytes * me, bytes);
    int rc = MW_OK;
    /* What others have is 0 here, so the sum is everybody's; fd is 0 there for none. */
    struct mw_shared_part *part =
        mw_alloc("parts of shared memory", n, sizeof(struct mw_shared_part));
    MW_TRY(rc, agree_on_host(m, what, part == NULL ? MW_ERR_NOMEM : MW_OK));
    struct mw_shared_part mine = {.fd = -1};
    if (from < bytes)
        mw_shared_part_make(mw_min(part_bytes, bytes - from), &mine);
    part[me] = mine;
    part[me].fd++;
    mw_mpi_reduce_on(m, m->on_host, part, (int)(4 * n), MPI_UINT64_T, MPI_SUM);
    for (uint32_t i = 0; i < n; i++)
        part[i].fd--;
    w->p = mw_shared_parts_map(part, n, part_bytes, bytes);
    int mapped = w->p != NULL;
    mw_mpi_reduce_on(m, m->on_host, &mapped, 1, MPI_INT, MPI_MIN);
    if (mine.fd >= 0)
        close((int)mine.fd);
    w->in_parts = mapped;
    if (!mapped && w->p != NULL) {
        mw_shared_parts_unmap(w->p, bytes);
        w->p = NULL;
    }
end:
    mw_free(part);
    return rc;
}

static int allocate_shared(struct mw_mpi_comm *m, const char *what, uint64_t bytes,
                           struct mw_mpi_window *w)
{
    const MPI_Aint mine = m->base.host_rank == 0 ? (MPI_Aint)bytes : 0;
    void *own;
    MPI_Aint size;
    int unit;
    mw_comm_wait(&m->base, MW_IN_SETUP);
    const int made =
        MPI_Win_allocate_shared(mine, 1, MPI_INFO_NULL, m->on_host, &own, &w->win);
    mw_comm_work(&m->base);
    if (made != MPI_SUCCESS) {
        w->win = MPI_WIN_NULL;
        return mw_fail(MW_ERR_NOMEM, "%s: MPI gives no %llu bytes of shared memory", what,
                       (unsigned long long)bytes);
    }
    MPI_Win_shared_query(w->win, 0, &size, &unit, &w->p);
    MPI_Win_lock_all(MPI_MODE_NOCHECK, w->win); /* an epoch for MPI_Win_sync() */
    return MW_OK;
}

/* Each rank touches or clears its part, so that its pages lie near it. */
static void clear_my_part(const struct mw_comm *c, struct mw_mpi_window *w,
                          uint64_t bytes)
{
    const uint64_t part = mw_shared_part_bytes(bytes, c->host_size);
    const uint64_t from = mw_min(bytes, part * c->host_rank);
    char *const mine = (char *)w->p + from;
    w->bytes = bytes;
    w->mine = mw_min(bytes - from, part);
    mw_resident_shares(w->bytes, w->mine);
    if (!w->in_parts)
        memset(mine, 0, w->mine);
    else if (c->touch_dealer != NULL && w->mine > mw_shared_part_bytes(1, 1))
        c->touch_dealer(c->touch_arg, mw_shared_part_touch, mine, w->mine);
    else
        mw_shared_part_touch(mine, w->mine);
}

int mw_mpi_host_barrier(struct mw_comm *c)
{
    struct mw_mpi_comm *m = mw_mpi_of(c);
    for (const struct mw_mpi_window *w = m->windows; w != NULL; w = w->next)
        if (w->win != MPI_WIN_NULL)
            MPI_Win_sync(w->win);
    /* R1: this rank's stores are seen by whoever has passed; pairs with A1. */
    MW_FENCE();
    mw_mpi_barrier_on(m, m->on_host);
    /* A1: the other ranks' stores before R1 are seen from here on. */
    MW_FENCE();
    for (const struct mw_mpi_window *w = m->windows; w != NULL; w = w->next)
        if (w->win != MPI_WIN_NULL)
            MPI_Win_sync(w->win);
    return MW_OK;
}

int mw_mpi_host_alloc(struct mw_comm *c, const char *what, uint64_t bytes, void **out)
{
    int rc = MW_OK;
    struct mw_mpi_comm *m = mw_mpi_of(c);
    struct mw_mpi_window *w = mw_alloc("entry of shared memory", 1, sizeof *w);
    if (w == NULL)
        rc = MW_ERR_NOMEM;
    else
        w->win = MPI_WIN_NULL;

    bytes = mw_max(bytes, 1);
    if (c->host_size == 1) {
        if (rc == MW_OK && (w->p = mw_alloc(what, bytes, 1)) == NULL)
            rc = MW_ERR_NOMEM;
    } else {
        if (rc == MW_OK && bytes > INT64_MAX)
            rc = mw_fail(MW_ERR_NOMEM, "%s: %llu bytes is more than any machine has",
                         what, (unsigned long long)bytes);
        mw_mpi_barrier_on(m,
                          m->on_host); /* what was freed before is unmapped everywhere */
        if (rc == MW_OK && c->host_rank == 0)
            rc = room_for(what, bytes);
        MW_TRY(rc, agree_on_host(m, what, rc));
        MW_TRY(rc, allocate_parts(m, what, bytes, w));
        if (w->p == NULL)
            MW_TRY(rc, agree_on_host(m, what, allocate_shared(m, what, bytes, w)));
        clear_my_part(c, w, bytes);
    }
    if (rc < MW_OK)
        goto end;
    w->next = m->windows;
    m->windows = w;
    *out = w->p;
    return mw_mpi_host_barrier(c);
end:
    mw_free(w);
    return rc;
}

static void release(const struct mw_mpi_comm *m, struct mw_mpi_window *w)
{
    if (w->bytes > 0)
        mw_resident_unshares(w->bytes, w->mine);
    if (w->win != MPI_WIN_NULL) {
        MPI_Win_unlock_all(w->win);
        mw_mpi_barrier_on(
            m, m->on_host); /* MPI_Win_free() waits too, but without yielding */
        mw_comm_wait(&m->base, MW_IN_BARRIER);
        MPI_Win_free(&w->win);
        mw_comm_work(&m->base);
    } else if (w->in_parts) {
        mw_shared_parts_unmap(w->p, w->bytes);
    } else {
        mw_free(w->p);
    }
    mw_free(w);
}

void mw_mpi_host_free(struct mw_comm *c, void *p)
{
    for (struct mw_mpi_window **at = &mw_mpi_of(c)->windows; *at != NULL;
         at = &(*at)->next)
        if ((*at)->p == p) {
            struct mw_mpi_window *const w = *at;
            *at = w->next;
            release(mw_mpi_of(c), w);
            return;
        }
}

void mw_mpi_windows_free(struct mw_mpi_comm *m)
{
    while (m->windows != NULL)
        mw_mpi_host_free(&m->base, m->windows->p);
}
