/* list_share.c -- see list_share.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/list_share.h"

#include "base/mem.h"
#include "mpe/doubling.h"

#include <string.h>

/* ---- New and free ------------------------------------------------------------------------- */

void mw_list_share_sizes(uint32_t n_hosts, uint32_t host_ranks, uint64_t room,
                         struct mw_sizes *out)
{
    const struct mw_list_share *x = NULL;
    struct mw_size *row;
    mw_sizes_add(out, MW_SEARCHING, "lists of hosts", 1, sizeof *x);
    mw_sizes_add(out, MW_SEARCHING, "lists, said",
                 (host_ranks + UINT64_C(1)) * (room + MW_LIST_HEAD), sizeof *x->slot)
        ->of_host = true;
    row =
        mw_sizes_add(out, MW_SEARCHING, "lists, from another host", room, sizeof *x->got);
    row->of_host = true;
    row->copies = n_hosts > 1;
}

int mw_list_share_new(struct mw_comm *comm, uint64_t room, struct mw_list_share **out)
{
    int rc = MW_OK;
    struct mw_list_share *x;
    struct mw_sizes sizes = {0};
    void *slot = NULL;

    *out = NULL;
    mw_list_share_sizes(comm->n_hosts, comm->host_size, room, &sizes);
    MW_NEW(rc, x, "lists of hosts", 1);
    x->comm = comm;
    x->room = room;
    if (comm->host_rank == 0)
        MW_TAKE(rc, x->got, &sizes, "lists, from another host");
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK) {
        const struct mw_size *said = mw_sizes_find(&sizes, "lists, said");
        rc = mw_comm_hosts_alloc(comm, said->what, said->n * said->bytes, &slot);
        x->slot = slot;
    }
    if (rc != MW_OK) {
        mw_list_share_free(x);
        return rc;
    }
    *out = x;
    return MW_OK;
}

void mw_list_share_free(struct mw_list_share *x)
{
    if (x == NULL)
        return;
    mw_comm_host_free(x->comm, x->slot);
    MW_FREE_ALL(x->got, x);
}

/* ---- Between hosts ------------------------------------------------------------------------ */

static int swap(void *arg, uint32_t to, uint32_t from, bool joins)
{
    struct mw_list_share *x = arg;
    struct mw_comm *const c = x->comm;
    uint32_t *const all = mw_list_slot(x, c->host_size);
    struct mw_swap s = {
        .to = to,
        .from = from,
        .send = all + MW_LIST_HEAD,
        .bytes = c->host_rank == 0 && to != MW_NO_HOST ? all[0] * sizeof *all : 0,
        .recv = x->got,
        .room = x->room * sizeof *all};
    const int rc = mw_comm_swap(c, &s);
    if (rc < MW_OK || c->host_rank != 0)
        return rc;
    x->n_bytes += s.bytes;
    x->n_messages += to != MW_NO_HOST;
    if (from == MW_NO_HOST)
        return MW_OK;
    const uint64_t before = joins ? all[0] : 0, n = s.received / sizeof *all;
    if (s.received % sizeof *all != 0 || before + n > x->room)
        return mw_fail(MW_ERR_INTERNAL, "list of hosts: %llu bytes for %llu words",
                       (unsigned long long)s.received,
                       (unsigned long long)(x->room - before));
    if (n > 0)
        memcpy(all + MW_LIST_HEAD + before, x->got, s.received);
    all[0] = (uint32_t)(before + n);
    return MW_OK;
}

/* What this host's ranks have said, one after the other. */
static void gather(struct mw_list_share *x)
{
    uint32_t *const all = mw_list_slot(x, x->comm->host_size);
    all[0] = 0;
    for (uint32_t k = 0; k < x->comm->host_size; k++) {
        const uint32_t *slot = mw_list_slot(x, k);
        memcpy(all + MW_LIST_HEAD + all[0], slot + MW_LIST_HEAD, slot[0] * sizeof *slot);
        all[0] += slot[0];
    }
}

int mw_list_share(struct mw_list_share *x)
{
    struct mw_comm *const c = x->comm;
    const uint64_t before = x->n_bytes;
    int rc = mw_comm_host_barrier(c);
    if (rc < MW_OK || c->n_hosts == 1)
        return mw_comm_timed(c, rc, 0);
    if (c->host_rank == 0)
        gather(x);
    mw_doubling_keep(&rc, mw_doubling(c->n_hosts, c->host, swap, x));
    mw_doubling_keep(&rc, mw_comm_host_barrier(c));
    mw_comm_pass_time(c, x->n_bytes - before); /* sent; who has most counts */
    return rc;
}
