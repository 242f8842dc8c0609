/* placed.c -- see placed.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/placed.h"

#include "base/mem.h"
#include "graph/delegates.h"

#include <assert.h>

static const struct mw_memory *memory_of(const struct mw_backend *backend)
{
    return backend->memory != NULL ? backend->memory : &mw_memory_of_host;
}

bool mw_host_reaches(const struct mw_backend *backend)
{
    return memory_of(backend)->host_reaches;
}

void *mw_place(struct mw_world *w, enum mw_memory_kind kind, const struct mw_sizes *sizes,
               const char *what, uint64_t bytes)
{
    const struct mw_size *size = mw_sizes_find(sizes, what);
    assert(size->bytes == bytes && !size->estimated);
    if (size->copies == 0)
        return NULL;
    return memory_of(w->backend)->take(w->cluster[0], kind, what, size->n, bytes);
}

void mw_unplace(struct mw_world *w, enum mw_memory_kind kind, void *p)
{
    if (p != NULL)
        memory_of(w->backend)->give(w->cluster[0], kind, p);
}

const void *mw_see(struct mw_world *w, void *mirror, const void *p, uint64_t bytes)
{
    const struct mw_memory *m = memory_of(w->backend);
    if (m->host_reaches)
        return p;
    m->get(w->cluster[0], mirror, p, bytes);
    return mirror;
}

void mw_put(struct mw_world *w, void *to, const void *from, uint64_t bytes)
{
    memory_of(w->backend)->put(w->cluster[0], to, from, bytes);
}

/* ---- a graph ------------------------------------------------------------------------------ */

struct placed {
    struct mw_graph g; /* first */
    struct mw_delegates d;
};

/* An array of the graph that kernels read. */
struct piece {
    const char *what;
    void **to;
    const void *from;
    uint64_t n, bytes;
};
enum { PIECES = 14 };

/* Others are not of cores, and NULL there. */
static uint32_t pieces_of(const struct mw_graph *g, struct placed *p,
                          struct piece out[PIECES])
{
    const uint64_t number = mw_number_bytes(g->wide);
    const struct mw_delegates_shape shape = mw_delegates_shape_of(g);
    const struct mw_delegates *d = g->delegates;
    struct mw_graph *c = &p->g;
    uint32_t n = 0;
#define PIECE(array, from_, n_, bytes_)                                                  \
    out[n++] = (struct piece){#array, (void **)&(array), (from_), (n_), (bytes_)}
    PIECE(c->row, g->row, g->n_labels + UINT64_C(1), sizeof *c->row);
    PIECE(c->column, g->column, g->row[g->n_labels], number);
    PIECE(c->head, g->head, g->n_places, number);
    PIECE(c->head_name, g->head_name, g->n_places, number);
    PIECE(c->label_of, g->label_of, g->n_places, sizeof *c->label_of);
    PIECE(c->place_of, g->place_of, g->n_labels, sizeof *c->place_of);
    PIECE(c->degree, g->degree, g->n_places, sizeof *c->degree);
    PIECE(c->connected, g->connected, g->n_places / 64 + 1, sizeof *c->connected);
    if (g->name != NULL)
        PIECE(c->name, g->name, g->n_columns, number);
    if (g->directed) {
        PIECE(c->in_row, g->in_row, g->n_labels + UINT64_C(1), sizeof *c->in_row);
        PIECE(c->in_column, g->in_column, g->in_row[g->n_labels], number);
    }
    if (d != NULL) {
        PIECE(p->d.first, d->first, shape.n_ranks + 1, sizeof *d->first);
        PIECE(p->d.start, d->start, shape.n_vertices + 1, sizeof *d->start);
        PIECE(p->d.label, d->label, shape.n_entries, sizeof *d->label);
    }
#undef PIECE
    return n;
}

static int copy(struct mw_world *w, const struct piece *x)
{
    const struct mw_memory *m = memory_of(w->backend);
    const uint64_t n = mw_round_up(x->n, 64); /* kernels may take as many at a time */
    *x->to = m->take(w->cluster[0], MW_OF_CORES, x->what, n, x->bytes);
    if (*x->to == NULL)
        return MW_ERR_NOMEM;
    m->put(w->cluster[0], *x->to, x->from, x->n * x->bytes);
    return MW_OK;
}

int mw_graph_place(struct mw_world *w, const struct mw_graph *g,
                   const struct mw_graph **out)
{
    struct piece piece[PIECES];
    struct placed *p;
    int rc = MW_OK;
    *out = g;
    if (mw_host_reaches(w->backend))
        return MW_OK;
    *out = NULL;
    MW_NEW(rc, p, "graph of cores", 1);
    p->g = *g;
    if (g->delegates != NULL) {
        p->d = *g->delegates;
        p->g.delegates = &p->d;
    }
    const uint32_t n = pieces_of(g, p, piece);
    for (uint32_t i = 0; i < n; i++)
        *piece[i].to = NULL;
    *out = &p->g;
    for (uint32_t i = 0; i < n; i++)
        MW_TRY(rc, copy(w, &piece[i]));
    if (!g->directed) {
        p->g.in_row = p->g.row;
        p->g.in_column = p->g.column;
    }
end:
    return rc;
}

void mw_graph_unplace(struct mw_world *w, const struct mw_graph *g,
                      const struct mw_graph *placed)
{
    struct piece piece[PIECES];
    if (placed == NULL || placed == g)
        return;
    struct placed *p = (struct placed *)(uintptr_t)placed;
    for (uint32_t i = 0, n = pieces_of(g, p, piece); i < n; i++)
        mw_unplace(w, MW_OF_CORES, *piece[i].to);
    mw_free(p);
}
