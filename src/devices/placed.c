/* placed.c -- see placed.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/placed.h"

#include "base/mem.h"
#include "graph/delegates.h"

#include <assert.h>
#include <string.h>

static const struct mw_memory *memory_of(const struct mw_backend *backend)
{
    return backend->memory != NULL ? backend->memory : &mw_memory_of_host;
}

void *mw_place(struct mw_world *w, enum mw_memory_kind kind, const struct mw_sizes *sizes,
               const char *what, uint64_t bytes)
{
    const struct mw_size *size = mw_sizes_find(sizes, what);
    assert(size->bytes == bytes && !size->estimated);
    if (size->copies == 0)
        return NULL;
    if (size->kind != kind) {
        mw_fail(MW_ERR_INTERNAL, "%s: placed in another memory than it was planned for",
                what);
        return NULL;
    }
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

void mw_fetch(struct mw_world *w, void *to, const void *from, uint64_t bytes)
{
    const void *const seen = mw_see(w, to, from, bytes);
    if (seen != to)
        memcpy(to, seen, bytes);
}

/* ---- a graph ------------------------------------------------------------------------------ */

struct placed {
    struct mw_graph g; /* first */
    struct mw_delegates d;
    bool shares; /* with the host's graph, all arrays but those that are by place */
};

/* Kernels may take as many at a time. */
static uint64_t whole(uint64_t n)
{
    return mw_round_up(n, 64);
}

/* How long: of what is built there, from when on. */
enum kept { WHILE_SEARCHED, FROM_COLUMNS_ON, ALWAYS };

static void graph_sizes(const struct mw_graph_shape *s,
                        const struct mw_delegates_shape *d, bool built, bool shares,
                        struct mw_sizes *out)
{
    const struct mw_graph *g = NULL;
    const struct mw_delegates *x = NULL;
    const uint64_t number = mw_number_bytes(s->wide);
    const struct {
        const char *what;
        uint64_t n, bytes;
        enum kept kept;
        bool none, by_place;
    } row[] = {
        {"row starts, of cores", s->n_labels + 1, sizeof *g->row, ALWAYS, false, false},
        {"columns, of cores", s->n_kept, number, FROM_COLUMNS_ON, false, false},
        {"heads, of cores", s->n_places, number, WHILE_SEARCHED, false, true},
        {"names of the heads, of cores", s->n_places, number, WHILE_SEARCHED, false,
         true},
        {"label of each place, of cores", s->n_places, sizeof *g->label_of, ALWAYS, false,
         false},
        {"place of each label, of cores", s->n_labels, sizeof *g->place_of, ALWAYS, false,
         false},
        {"degrees, of cores", s->n_places, sizeof *g->degree, ALWAYS, false, false},
        {"connected places, of cores", s->n_places / 64 + 1, sizeof *g->connected, ALWAYS,
         false, false},
        {"names of the columns, of cores", s->n_columns, number,
         s->n_vertices > s->n_places ? ALWAYS : WHILE_SEARCHED, s->asks_names, false},
        {"row starts inwards, of cores", s->n_labels + 1, sizeof *g->in_row,
         WHILE_SEARCHED, !s->directed, false},
        {"columns inwards, of cores", s->n_in_kept, number, WHILE_SEARCHED, !s->directed,
         false},
        {"weights, of cores", s->n_kept, sizeof *g->weight, FROM_COLUMNS_ON,
         s->weights == MW_WEIGHTS_NONE, false},
        {"weights inwards, of cores", s->n_in_kept, sizeof *g->in_weight, WHILE_SEARCHED,
         s->weights == MW_WEIGHTS_NONE || !s->directed, false},
        {"delegated vertices, of cores", d->n_ranks + 1, sizeof *x->first, WHILE_SEARCHED,
         d->n_vertices == 0, false},
        {"starts of pieces, of cores", d->n_vertices + 1, sizeof *x->start,
         WHILE_SEARCHED, d->n_vertices == 0, false},
        {"pieces, of cores", d->n_entries, sizeof *x->label, WHILE_SEARCHED,
         d->n_vertices == 0, false},
        {"weights of pieces, of cores", d->n_entries, sizeof *x->weight, WHILE_SEARCHED,
         d->n_vertices == 0 || !d->weighted, false},
    };
    for (uint32_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int w = 0; w < MW_WHENS; w++)
            if (w == (built && row[i].kept == ALWAYS ? MW_ALWAYS : MW_SEARCHING) ||
                (built && row[i].kept == FROM_COLUMNS_ON && w == MW_BUILDING))
                mw_sizes_add_of(out, MW_OF_CORES, (enum mw_when)w, row[i].what,
                                whole(row[i].n), row[i].bytes)
                    ->copies = !row[i].none && (!shares || row[i].by_place);
    mw_sizes_add(out, built ? MW_ALWAYS : MW_SEARCHING, "graph of cores", 1,
                 sizeof(struct placed));
}

void mw_graph_place_sizes(const struct mw_graph_shape *s,
                          const struct mw_delegates_shape *d,
                          const struct mw_world_shape *world, struct mw_sizes *out)
{
    if (world->apart || mw_on_device(world->backend))
        graph_sizes(s, d, false, !world->apart, out);
}

void mw_graph_built_sizes(const struct mw_graph_shape *s,
                          const struct mw_delegates_shape *d, struct mw_sizes *out)
{
    graph_sizes(s, d, true, false, out);
}

/* Entries of the rows; none: another has them. */
static uint64_t n_entries(const uint64_t *row, const struct mw_graph *g)
{
    return row != NULL ? row[g->n_labels] : 0;
}

static struct mw_graph_shape shape_of(const struct mw_graph *g)
{
    return (struct mw_graph_shape){.n_places = g->n_places,
                                   .n_labels = g->n_labels,
                                   .n_columns = g->n_columns,
                                   .n_kept = n_entries(g->row, g),
                                   .n_in_kept = g->directed ? n_entries(g->in_row, g) : 0,
                                   .wide = g->wide,
                                   .directed = g->directed,
                                   .weights = g->weight != NULL ? MW_WEIGHTS_MINIMUM
                                                                : MW_WEIGHTS_NONE,
                                   .asks_names = mw_graph_asks_names(g)};
}

/* An array of the graph that kernels read, by its name in the table. */
struct piece {
    const char *what;
    void **to;
    const void *from;
    uint64_t n;
    bool by_place; /* from[] is by mw_head_index() */
};
enum { PIECES = 17 };

/* Others are not of cores, and NULL there; so is what the table has no copy of. */
static void pieces_of(const struct mw_graph *g, struct placed *p,
                      struct piece out[PIECES])
{
    static const struct mw_delegates none;
    const struct mw_delegates_shape shape = mw_delegates_shape_of(g);
    const struct mw_delegates *d = g->delegates != NULL ? g->delegates : &none;
    struct mw_graph *c = &p->g;
    uint32_t n = 0;
#define PIECE(what_, array, from_, n_)                                                   \
    out[n++] = (struct piece){(what_), (void **)&(array), (from_), (n_), false}
    PIECE("row starts, of cores", c->row, g->row, g->n_labels + UINT64_C(1));
    PIECE("columns, of cores", c->column, g->column, n_entries(g->row, g));
    PIECE("heads, of cores", c->head, g->head, g->n_places);
    out[n - 1].by_place = true;
    PIECE("names of the heads, of cores", c->head_name, g->head_name, g->n_places);
    out[n - 1].by_place = true;
    PIECE("label of each place, of cores", c->label_of, g->label_of, g->n_places);
    PIECE("place of each label, of cores", c->place_of, g->place_of, g->n_labels);
    PIECE("degrees, of cores", c->degree, g->degree, g->n_places);
    PIECE("connected places, of cores", c->connected, g->connected, g->n_places / 64 + 1);
    PIECE("names of the columns, of cores", c->name, g->name, g->n_columns);
    PIECE("row starts inwards, of cores", c->in_row, g->in_row,
          g->n_labels + UINT64_C(1));
    PIECE("columns inwards, of cores", c->in_column, g->in_column,
          n_entries(g->in_row, g));
    PIECE("weights, of cores", c->weight, g->weight, n_entries(g->row, g));
    PIECE("weights inwards, of cores", c->in_weight, g->in_weight,
          n_entries(g->in_row, g));
    PIECE("delegated vertices, of cores", p->d.first, d->first, shape.n_ranks + 1);
    PIECE("starts of pieces, of cores", p->d.start, d->start, shape.n_vertices + 1);
    PIECE("pieces, of cores", p->d.label, d->label, shape.n_entries);
    PIECE("weights of pieces, of cores", p->d.weight, d->weight, shape.n_entries);
#undef PIECE
    p->g.n_before = NULL; /* threads find heads by place */
}

/* Copies heads, or their names, a block at a time; isolated places get `none`. */
enum { BLOCK = 1 << 13 };

static void spread(struct mw_world *w, const struct mw_graph *g, const struct piece *x,
                   uint64_t bytes, uint64_t none)
{
    uint64_t block[BLOCK];
    for (uint64_t first = 0; first < x->n; first += BLOCK) {
        const uint64_t n = mw_min(BLOCK, x->n - first);
        for (uint64_t i = 0; i < n; i++)
            mw_set_number(block, i,
                          g->label_of[first + i] == MW_NO_LABEL
                              ? none
                              : mw_number(x->from, mw_head_index(g, first + i), g->wide),
                          g->wide);
        mw_put(w, (char *)*x->to + first * bytes, block, n * bytes);
    }
}

static int copy(struct mw_world *w, const struct mw_graph *g, bool shares,
                const struct mw_sizes *sizes, const struct piece *x)
{
    const struct mw_size *size = mw_sizes_find(sizes, x->what);
    if (shares && !x->by_place)
        *x->to = (void *)(uintptr_t)x->from;
    if (size->copies == 0)
        return MW_OK;
    *x->to = mw_place(w, MW_OF_CORES, sizes, x->what, size->bytes);
    if (*x->to == NULL)
        return MW_ERR_NOMEM;
    if (x->by_place)
        spread(w, g, x, size->bytes, x->from == g->head ? g->no_column : 0);
    else
        mw_put(w, *x->to, x->from, x->n * size->bytes);
    return MW_OK;
}

int mw_graph_place(struct mw_world *w, const struct mw_graph *g,
                   const struct mw_graph **out)
{
    const struct mw_graph_shape shape = shape_of(g);
    const struct mw_delegates_shape delegates = mw_delegates_shape_of(g);
    struct mw_sizes sizes = {0};
    struct mw_world_shape world;
    struct piece piece[PIECES];
    struct placed *p;
    *out = g->of_cores != NULL ? g->of_cores : g;
    if (g->of_cores != NULL || (mw_host_reaches(w->backend) && !mw_on_device(w->backend)))
        return MW_OK;
    *out = NULL;
    mw_world_shape_of(w, &world);
    mw_graph_place_sizes(&shape, &delegates, &world, &sizes);
    MW_NEED_TAKE(p, &sizes, "graph of cores");
    p->shares = mw_host_reaches(w->backend);
    p->g = *g;
    if (g->delegates != NULL) {
        p->d = *g->delegates;
        p->g.delegates = &p->d;
    }
    pieces_of(g, p, piece);
    for (uint32_t i = 0; i < PIECES; i++)
        *piece[i].to = NULL;
    *out = &p->g;
    for (uint32_t i = 0; i < PIECES; i++)
        MW_NEED(copy(w, g, p->shares, &sizes, &piece[i]));
    if (!g->directed) {
        p->g.in_row = p->g.row;
        p->g.in_column = p->g.column;
        p->g.in_weight = p->g.weight;
    }
    return MW_OK;
}

int mw_graph_open_placed(struct mw_graph **out, struct mw_delegates **delegates)
{
    static const struct mw_delegates_shape none;
    const struct mw_graph_shape nothing = {0};
    struct mw_sizes sizes = {0};
    struct placed *p;
    *out = NULL;
    mw_graph_built_sizes(&nothing, &none, &sizes);
    MW_NEED_TAKE(p, &sizes, "graph of cores");
    *out = &p->g;
    *delegates = &p->d;
    return MW_OK;
}

void mw_graph_give_placed(struct mw_world *w, struct mw_graph *placed)
{
    struct piece piece[PIECES];
    struct placed *p = (struct placed *)placed;
    const struct mw_graph g = {.directed = placed->directed};
    pieces_of(&g, p, piece);
    if (!g.directed) { /* not pieces of their own */
        p->g.in_row = NULL;
        p->g.in_column = NULL;
        p->g.in_weight = NULL;
    }
    for (uint32_t i = 0; i < PIECES; i++)
        if (!p->shares || piece[i].by_place)
            mw_unplace(w, MW_OF_CORES, *piece[i].to);
    mw_free(p);
}

void mw_graph_unplace(struct mw_world *w, const struct mw_graph *g,
                      const struct mw_graph *placed)
{
    if (placed != NULL && placed != g && placed != g->of_cores)
        mw_graph_give_placed(w, (struct mw_graph *)(uintptr_t)placed);
}

/* ---- a number ------------------------------------------------------------------------------ */

uint64_t mw_placed_entries(struct mw_world *w, const struct mw_graph *g)
{
    uint64_t n;
    if (g->row != NULL)
        return g->row[g->n_labels];
    return *(const uint64_t *)mw_see(w, &n, g->of_cores->row + g->n_labels, sizeof n);
}

uint64_t mw_placed_in_entries(struct mw_world *w, const struct mw_graph *g)
{
    uint64_t n;
    if (!g->directed)
        return 0;
    if (g->in_row != NULL)
        return g->in_row[g->n_labels];
    return *(const uint64_t *)mw_see(w, &n, g->of_cores->in_row + g->n_labels, sizeof n);
}

int mw_placed_hub(struct mw_world *w, const struct mw_graph *g, mw_vid *out)
{
    uint64_t mine = 0, end;
    uint32_t place = 0;
    if (g->n_labels > 0 && g->of_cores == NULL) {
        mine = g->row[1];
        place = g->place_of[0];
    } else if (g->n_labels > 0) {
        mine = *(const uint64_t *)mw_see(w, &end, g->of_cores->row + 1, sizeof end);
        place = *(const uint32_t *)mw_see(w, &place, g->of_cores->place_of, sizeof place);
    }
    uint64_t most = mine;
    MW_NEED(mw_comm_max(g->comm, &most, 1));
    *out =
        mine > 0 && mine == most ? mw_vertex_at(g, g->comm->rank, place) : MW_NO_VERTEX;
    return mw_comm_min(g->comm, out, 1);
}

int mw_placed_are_connected(struct mw_world *w, const struct mw_graph *g, const mw_vid *v,
                            uint32_t n, uint64_t *out)
{
    for (uint32_t i = 0; i < n; i++) {
        uint64_t place;
        uint32_t degree = 0; /* a self-loop counts for nothing */
        if (mw_is_mine(&g->partition, v[i], &place))
            degree = g->of_cores == NULL
                         ? g->degree[place]
                         : *(const uint32_t *)mw_see(
                               w, &degree, g->of_cores->degree + place, sizeof degree);
        out[i] = degree > 0;
    }
    return mw_comm_max(g->comm, out, n);
}
