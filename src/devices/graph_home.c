/* graph_home.c -- see placed.h: a graph that was built where it is searched comes home.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/placed.h"

#include "base/mem.h"

#include <string.h>

/* One that comes home, unless there is none. */
struct array {
    const char *what;
    void **to;
    const void *from;
    uint64_t n, bytes;
};
enum { ARRAYS = 11 };

static void arrays_of(struct mw_graph *g, uint64_t n_entries, struct array out[ARRAYS])
{
    static struct mw_delegates none;
    const struct mw_graph *const t = g->of_cores;
    const uint64_t number = mw_number_bytes(g->wide), n = g->n_places;
    const bool dealt = g->delegates != NULL;
    struct mw_delegates *const d = dealt ? g->delegates : &none;
    const struct mw_delegates *const td = dealt ? t->delegates : &none;
    const uint64_t n_pieces = mw_delegates_shape_of(g).n_entries;
    const struct array all[ARRAYS] = {
        {"row starts", (void **)&g->row, t->row, g->n_labels + UINT64_C(1),
         sizeof *g->row},
        {"columns", &g->column, t->column, n_entries, number},
        {"weights", (void **)&g->weight, t->weight, n_entries, sizeof *g->weight},
        {"heads", &g->head, t->head, n, number},
        {"names of the heads", &g->head_name, t->head_name, n, number},
        {"label of each place", (void **)&g->label_of, t->label_of, n,
         sizeof *g->label_of},
        {"place of each label", (void **)&g->place_of, t->place_of, g->n_labels,
         sizeof *g->place_of},
        {"degrees", (void **)&g->degree, t->degree, n, sizeof *g->degree},
        {"connected places", (void **)&g->connected, t->connected, n / 64 + 1,
         sizeof *g->connected},
        {"pieces", (void **)&d->label, td->label, n_pieces, sizeof *d->label},
        {"weights of pieces", (void **)&d->weight, td->weight, n_pieces,
         sizeof *d->weight},
    };
    memcpy(out, all, sizeof all);
}

static int arrays_come_home(struct mw_world *w, struct mw_graph *g)
{
    struct array all[ARRAYS];
    arrays_of(g, mw_placed_entries(w, g), all);
    for (uint32_t i = 0; i < ARRAYS; i++) {
        const struct array *const a = &all[i];
        if (a->from == NULL)
            continue;
        *a->to = mw_alloc(a->what, mw_max(a->n, 1), a->bytes);
        if (*a->to == NULL)
            return MW_ERR_NOMEM;
        mw_fetch(w, *a->to, a->from, a->n * a->bytes);
    }
    g->in_row = g->row;
    g->in_column = g->column;
    g->in_weight = g->weight;
    return MW_OK;
}

static void leave_home(struct mw_graph *g)
{
    struct array all[ARRAYS];
    arrays_of(g, 0, all);
    g->in_row = NULL;
    g->in_column = NULL;
    g->in_weight = NULL;
    for (uint32_t i = 0; i < ARRAYS; i++)
        if (all[i].from != NULL) {
            mw_free(*all[i].to);
            *all[i].to = NULL;
        }
}

int mw_graph_come_home(struct mw_world *w, const struct mw_graph *graph)
{
    struct mw_graph *const g = (struct mw_graph *)(uintptr_t)graph; /* the same graph */
    const uint64_t bytes = g->n_columns * mw_number_bytes(g->wide);
    int rc;
    if (g->of_cores == NULL || g->row != NULL)
        return MW_OK;
    rc = mw_comm_agree(g->comm, arrays_come_home(w, g));
    if (rc == MW_OK)
        rc = mw_comm_hosts_alloc(g->comm, "names of the columns", bytes, &g->name);
    if (rc != MW_OK) {
        leave_home(g);
        return rc;
    }
    if (g->comm->host_rank == 0)
        mw_fetch(w, g->name, g->of_cores->name, bytes);
    return mw_comm_host_barrier(g->comm);
}
