/* table.c -- see table.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/table.h"

#include "devices/placed.h"

#include <string.h>

static const char window_name[] = "tables on their way";

static void sizes_of(const char *what, uint64_t portion, uint64_t copies,
                     const struct mw_backend *backend, uint32_t n_ranks, bool by_trade,
                     struct mw_sizes *out)
{
    const bool near = mw_host_reaches(backend);
    struct mw_size *const window =
        mw_sizes_add(out, MW_SEARCHING, near ? what : window_name, n_ranks, portion);
    window->of_host = true;
    window->copies = near || !by_trade ? copies : 0;
    if (near)
        return;
    mw_sizes_add_of(out, MW_OF_CORES, MW_SEARCHING, what, n_ranks, portion)->copies =
        copies;
    mw_sizes_add(out, MW_SEARCHING, "bytes of tables", n_ranks, sizeof(uint64_t))
        ->copies = copies;
}

bool mw_table_expected(const struct mw_backend *backend, uint32_t n_ranks,
                       bool asks_names)
{
    return n_ranks > 1 && !asks_names && !backend->mesh;
}

void mw_table_sizes(const char *what, uint32_t label_bits, uint64_t bytes, bool expected,
                    const struct mw_world_shape *world, struct mw_sizes *out)
{
    sizes_of(what, mw_columns_of(1, label_bits) * bytes, expected, world->backend,
             world->groups.n_ranks, mw_trade_expected(world), out);
}

/* Collective: a table at each rank, and how its portions go round. */
static int open_apart(struct mw_table *t, const char *what, uint64_t used)
{
    struct mw_world *const w = t->world;
    struct mw_sizes sizes = {0};
    void *window = NULL;
    int rc;
    MW_TRY(rc, mw_world_trade(w, &t->trade));
    sizes_of(what, t->portion, 1, w->backend, w->comm->size, t->trade != NULL, &sizes);
    t->all = mw_place(w, MW_OF_CORES, &sizes, what, t->portion);
    t->used = mw_sizes_take(&sizes, "bytes of tables", sizeof *t->used);
    MW_TRY(rc, mw_comm_agree(w->comm,
                             t->all != NULL && t->used != NULL ? MW_OK : MW_ERR_NOMEM));
    MW_TRY(rc, mw_comm_gather(w->comm, &used, sizeof used, t->used));
    if (t->trade == NULL)
        rc = mw_comm_hosts_alloc(w->comm, window_name, w->comm->size * t->portion,
                                 &window);
    t->window = window;
end:
    return rc;
}

int mw_table_open(struct mw_world *w, const struct mw_graph *g, const char *what,
                  uint64_t bytes, bool wanted, void *block, struct mw_table *out)
{
    const uint32_t n_ranks = w->comm->size;
    void *window = NULL;
    int rc;
    memset(out, 0, sizeof *out);
    out->mine = block;
    out->all = n_ranks == 1 ? block : NULL;
    if (!wanted || n_ranks == 1)
        return MW_OK;
    out->world = w;
    out->portion = mw_columns_of(1, g->label_bits) * bytes;
    if (mw_host_reaches(w->backend)) {
        rc = mw_comm_hosts_alloc(w->comm, what, n_ranks * out->portion, &window);
        out->all = out->window = window;
    } else {
        rc = open_apart(out, what, g->n_labels * bytes);
    }
    if (rc != MW_OK)
        mw_table_close(out);
    else
        out->mine = (char *)out->all + w->comm->rank * out->portion;
    return rc;
}

void mw_table_close(struct mw_table *t)
{
    if (t->world != NULL && !mw_host_reaches(t->world->backend)) {
        mw_unplace(t->world, MW_OF_CORES, t->all);
        mw_free(t->used);
    }
    if (t->world != NULL)
        mw_comm_host_free(t->world->comm, t->window);
    memset(t, 0, sizeof *t);
}

/* Collective: mine to the hosts' table, and that to my cores. */
static int share_by_hosts(struct mw_table *t)
{
    struct mw_world *const w = t->world;
    const uint32_t me = w->comm->rank;
    int rc;
    mw_fetch(w, t->window + me * t->portion, t->mine, t->used[me]);
    MW_TRY(rc, mw_comm_share(w->comm, t->window, t->portion));
    for (uint32_t r = 0; r < w->comm->size; r++)
        if (r != me)
            mw_put(w, (char *)t->all + r * t->portion, t->window + r * t->portion,
                   t->used[r]);
    rc = mw_comm_host_barrier(w->comm); /* before anybody fetches again */
end:
    return rc;
}

bool mw_table_moves(const struct mw_table *t)
{
    return t->world != NULL &&
           (t->world->comm->n_hosts > 1 || !mw_host_reaches(t->world->backend));
}

int mw_table_share(struct mw_table *t)
{
    struct mw_world *const w = t->world;
    if (w == NULL)
        return MW_OK;
    if (mw_host_reaches(w->backend))
        return mw_comm_share(w->comm, t->window, t->portion);
    if (t->trade == NULL)
        return share_by_hosts(t);
    const struct mw_trading *const trading = w->backend->memory->trading;
    const int rc = trading->share(t->trade, t->all, t->portion, t->used);
    return mw_comm_agree(w->comm, rc); /* one rank's library may fail alone */
}

int mw_table_read(struct mw_table *t)
{
    return t->world != NULL && mw_host_reaches(t->world->backend)
               ? mw_comm_host_barrier(t->world->comm)
               : MW_OK;
}
