/* start_single.c -- a build without MPI: one process is one rank.
 *
 * Every collective is a copy or nothing; the interface and its rules are the same.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "cpe/mask.h"
#include "mpe/comm.h"
#include "mpe/comm_mpi.h"
#include "mpe/launcher.h"

#include <stdlib.h>
#include <string.h>

static int single_reduce(struct mw_comm *c, uint64_t *value, uint32_t n,
                         enum mw_reduce how)
{
    (void)c, (void)value, (void)n, (void)how;
    return MW_OK;
}

static int single_barrier(struct mw_comm *c)
{
    (void)c;
    return MW_OK;
}

static int single_gather(struct mw_comm *c, const void *mine, uint64_t bytes, void *all)
{
    (void)c;
    if (bytes > 0)
        memcpy(all, mine, bytes);
    return MW_OK;
}

static int single_broadcast(struct mw_comm *c, void *data, uint64_t bytes, uint32_t root)
{
    (void)c, (void)data, (void)bytes, (void)root;
    return MW_OK;
}

static int single_exchange(struct mw_comm *c, const void *send,
                           const uint64_t *send_bytes, void **recv, uint64_t *recv_bytes)
{
    (void)c;
    *recv = mw_alloc("exchange: received data", send_bytes[0], 1);
    if (*recv == NULL)
        return MW_ERR_NOMEM;
    recv_bytes[0] = send_bytes[0];
    if (send_bytes[0] > 0)
        memcpy(*recv, send, send_bytes[0]);
    return MW_OK;
}

static int single_host_alloc(struct mw_comm *c, const char *what, uint64_t bytes,
                             void **out)
{
    (void)c;
    *out = mw_alloc(what, bytes, 1);
    return *out != NULL ? MW_OK : MW_ERR_NOMEM;
}

static void single_host_free(struct mw_comm *c, void *p)
{
    (void)c;
    mw_free(p);
}

static uint64_t single_sum[MW_COMM_SUMS];

static int single_sum_begin(struct mw_comm *c, const uint64_t *value, uint32_t n)
{
    (void)c;
    memcpy(single_sum, value, n * sizeof *value);
    return MW_OK;
}

static int single_sum_test(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    (void)c;
    memcpy(value, single_sum, n * sizeof *value);
    return MW_OK;
}

static void single_close(struct mw_comm *c)
{
    MW_FREE_ALL(c->pulse, c);
}

static const struct mw_comm_ops single_ops = {
    .reduce = single_reduce,
    .barrier = single_barrier,
    .gather = single_gather,
    .broadcast = single_broadcast,
    .exchange = single_exchange,
    .host_alloc = single_host_alloc,
    .host_free = single_host_free,
    .host_barrier = single_barrier,
    .sum_begin = single_sum_begin,
    .sum_test = single_sum_test,
    .close = single_close,
};

int mw_mpi_start(int *argc, char ***argv, uint32_t ranks_per_host, struct mw_comm **out)
{
    static const uint32_t host_of[1] = {0};
    int rc;
    struct mw_comm *c = NULL;
    struct mw_mask mask;
    (void)argc, (void)argv, (void)ranks_per_host;
    MW_TRY(rc, mw_launcher_check(1));
    MW_NEW(rc, c, "communicator", 1);
    MW_NEW(rc, c->pulse, "heartbeat", 1);
    mw_mask_of_self(&mask);
    c->ops = &single_ops;
    c->size = c->n_hosts = c->host_size = 1;
    c->n_cores = mw_mask_count(&mask);
    c->host_of = host_of;
    *out = c;
    return MW_OK;
end:
    mw_free(c);
    return rc;
}

void mw_mpi_finish(struct mw_comm *c)
{
    mw_comm_close(c);
}

/* One rank is among the first of any number. */
int mw_mpi_fewer(struct mw_comm **c, uint32_t n)
{
    (void)c, (void)n;
    return MW_OK;
}

void mw_mpi_abort(int exit_code)
{
    _Exit(exit_code);
}

uint64_t mw_mpi_shared_bytes(uint32_t host_ranks)
{
    (void)host_ranks;
    return 0;
}

uint64_t mw_mpi_space_bytes(uint32_t host_ranks)
{
    (void)host_ranks;
    return 0;
}

const char *mw_mpi_version(void)
{
    return "none";
}

bool mw_comm_is_mpi(const struct mw_comm *c)
{
    (void)c;
    return false;
}

void *mw_comm_mpi_handle(struct mw_comm *c)
{
    (void)c;
    return NULL;
}

void mw_comm_mpi_count_limit(uint64_t n)
{
    (void)n;
}
