/* building.c -- see building.h.
 *
 * What is taken while a phase runs and what stays is in one table; blocks are of cores, but for the graph's
 * own struct.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/building.h"

#include "base/clock.h"
#include "base/stop.h"
#include "traversal/placed.h"

#include <string.h>

/* ---- the table --------------------------------------------------------------------------- */

static const struct mw_building_sweeps none;
static const struct mw_kernel_table sweeps[] = {{"kokkos", &mw_building_sweeps_kokkos},
                                                {NULL, &none}};

#define SWEEP(member) .kernel = MW_ENTRY(mw_building_sweeps, member)

/* clang-format off */
const struct mw_row mw_building_row[MW_BUILDING_ROWS] = {
    [MW_BUILDING_DIGEST]  = {.name = "digest of the list", SWEEP(digest), .reads = "tuples", .writes = "digest", .unit = "every n-th tuple"},
    [MW_BUILDING_DEGREES] = {.name = "count",   SWEEP(degrees), .reads = "tuples", .writes = "degree", .unit = "a tuple"},
    [MW_BUILDING_ORDER]   = {.name = "order",   SWEEP(order),   .reads = "degree", .writes = "places by falling degree", .unit = "1024 places"},
    [MW_BUILDING_LABELS]  = {.name = "label",   SWEEP(labels),  .reads = "places by falling degree, degree", .writes = "place_of, label_of, connected, cursors", .unit = "a label"},
    [MW_BUILDING_ENTER]   = {.name = "enter",   SWEEP(enter),   .reads = "tuples, label_of", .writes = "entries, cursors", .unit = "a tuple"},
    [MW_BUILDING_SORT]    = {.name = "sort rows", SWEEP(sort),  .reads = "entries", .writes = "entries", .unit = "8192 entries"},
    [MW_BUILDING_MERGE]   = {.name = "merge",   SWEEP(merge),   .reads = "entries of long rows", .writes = "entries of long rows", .unit = "16 entries"},
    [MW_BUILDING_KEEP]    = {.name = "keep",    SWEEP(keep),    .reads = "entries, row", .writes = "kept, sums", .unit = "32 entries"},
    [MW_BUILDING_PACK]    = {.name = "pack",    SWEEP(pack),    .reads = "entries, kept, sums", .writes = "column, row", .unit = "an entry"},
    [MW_BUILDING_HEADS]   = {.name = "name heads", SWEEP(heads), .reads = "column, row, place_of, label_of", .writes = "head, head_name, name", .unit = "a place"},
};
/* clang-format on */
MW_STATIC_ASSERT(1 << MW_SORTED_LOG2 == 8192 && MW_ORDER_STRETCH == 1024,
                 "the table says so");

const char *const mw_built_names[MW_BUILT_PHASES] = {
    [MW_BUILT_DEGREES] = "degrees", [MW_BUILT_LABELS] = "labels",
    [MW_BUILT_ENTRIES] = "entries", [MW_BUILT_SORTED] = "sort",
    [MW_BUILT_MERGED] = "merge",    [MW_BUILT_PACKED] = "pack",
    [MW_BUILT_HEADS] = "heads",
};

static void sweep(struct mw_world *w, enum mw_building_row row, struct mw_building *s)
{
    const struct mw_sweep_row found =
        mw_sweep_find(&mw_building_row[row], sweeps, w->backend);
    mw_sweep_run(&found, w, s);
}

bool mw_cores_build(const struct mw_graph_rule *rule, const struct mw_backend *backend,
                    uint32_t n_ranks, uint64_t n_vertices, bool directed)
{
    return !rule->by_host && mw_kernels_of_cores(sweeps, backend) != &none &&
           !mw_host_reaches(backend) && n_ranks == 1 && !directed &&
           n_vertices <= MW_NARROW_VERTICES && n_vertices <= UINT64_C(1) << 31;
}

/* ---- the list ---------------------------------------------------------------------------- */

void mw_list_sizes(uint64_t n_tuples, struct mw_sizes *out)
{
    mw_sizes_add_of(out, MW_OF_CORES, MW_ALWAYS, "list of cores", n_tuples,
                    sizeof(uint64_t));
}

int mw_list_place(struct mw_world *world, struct mw_edges *e)
{
    struct mw_sizes sizes = {0};
    mw_list_sizes(e->n, &sizes);
    e->of_cores = mw_place(world, MW_OF_CORES, &sizes, "list of cores", sizeof(uint64_t));
    if (e->of_cores == NULL)
        return MW_ERR_NOMEM;
    if (e->narrow != NULL)
        mw_put(world, e->of_cores, e->narrow, e->n * sizeof(uint64_t));
    return MW_OK;
}

void mw_list_unplace(struct mw_world *world, struct mw_edges *e)
{
    mw_unplace(world, MW_OF_CORES, e->of_cores);
    e->of_cores = NULL;
}

static int digest_there(struct mw_world *w, const struct mw_edges *e,
                        struct mw_digest *out)
{
    struct mw_building s = {.n_tuples = e->n,
                            .n_digests =
                                mw_min(e->n / MW_DIGEST_TUPLES + 1, MW_LIST_DIGESTS),
                            .tuple = e->of_cores};
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_COUNTING, "digests of the list", s.n_digests,
                    sizeof *s.digests);
    MW_PLACE(rc, s.digests, w, MW_OF_CORES, &sizes, "digests of the list");
    sweep(w, MW_BUILDING_DIGEST, &s);
    *out = s.digest;
    mw_unplace(w, MW_OF_CORES, s.digests);
end:
    return rc;
}

int mw_list_digest(struct mw_world *world, const struct mw_edges *e,
                   struct mw_digest *out)
{
    return e->of_cores != NULL ? digest_there(world, e, out)
                               : mw_digest_of(mw_world_host_side(world), e, out);
}

int mw_list_come_home(struct mw_world *world, struct mw_edges *e)
{
    struct mw_digest there, here;
    struct mw_edges home;
    int rc;
    if (e->of_cores == NULL || e->narrow != NULL)
        return MW_OK;
    MW_TRY(rc, digest_there(world, e, &there));
    MW_TRY(rc, mw_edges_init(&home, e->n_vertices, mw_max(e->n, 1)));
    e->narrow = home.narrow;
    e->room = home.room;
    const void *const list =
        mw_see(world, e->narrow, e->of_cores, e->n * sizeof(uint64_t));
    if (list != e->narrow) /* the host reaches it */
        memcpy(e->narrow, list, e->n * sizeof(uint64_t));
    MW_TRY(rc, mw_digest_of(mw_world_host_side(world), e, &here));
    if (memcmp(&there, &here, sizeof here) != 0)
        rc = mw_fail(MW_ERR_INTERNAL,
                     "the tuples that came from backend '%s' are not those it has: their "
                     "first ends add up to %llu and %llu",
                     world->backend->name, (unsigned long long)here.sum_u,
                     (unsigned long long)there.sum_u);
end:
    return rc;
}

/* ---- memory ------------------------------------------------------------------------------ */

/* While it is built; how many there are is known when they are taken. */
static void add(struct mw_sizes *out, enum mw_when when, const char *what, uint64_t n,
                uint64_t bytes)
{
    mw_sizes_add_of(out, MW_OF_CORES, when, what, n, bytes);
}

static void building_sizes(uint64_t n, uint64_t n_tuples, uint64_t n_entries,
                           uint64_t n_long, struct mw_sizes *out)
{
    const struct mw_building *s = NULL;
    add(out, MW_COUNTING, "entries", mw_building_entries(n, n_tuples), sizeof *s->entry);
    add(out, MW_COUNTING, "merged entries", n_long, sizeof *s->merged);
    add(out, MW_BUILDING, "entries", mw_building_entries(n, n_tuples), sizeof *s->entry);
    add(out, MW_BUILDING, "kept entries", n_entries / 64 + 1, sizeof *s->keep);
    add(out, MW_BUILDING, "sums of kept entries", n_entries / 64 + 1, sizeof *s->sum);
    add(out, MW_COUNTING, "what building tells", MW_BUILDING_TOLD, sizeof *s->told);
}

void mw_building_sizes(const struct mw_graph_shape *shape, uint64_t n_long,
                       struct mw_sizes *out)
{
    mw_sizes_add(out, MW_ALWAYS, "graph", 1, sizeof(struct mw_graph));
    mw_graph_built_sizes(shape, out);
    building_sizes(shape->n_places, shape->n_tuples, shape->n_entries, n_long, out);
}

/* ---- a graph ----------------------------------------------------------------------------- */

struct builder {
    struct mw_world *world;
    struct mw_building s;
    struct mw_graph *g;     /* the host's */
    struct mw_graph *there; /* what mw_graph_place() would have made */
    struct mw_sizes sizes;
    double *seconds, start;
};

/* By what is known of it now. */
static const struct mw_sizes *sizes_of(struct builder *b)
{
    const struct mw_building *s = &b->s;
    const struct mw_graph_shape shape = {.n_places = s->n,
                                         .n_tuples = s->n_tuples,
                                         .n_labels = s->n_labels,
                                         .n_columns = b->g->n_columns,
                                         .n_entries = s->n_entries,
                                         .n_kept = s->n_kept};
    b->sizes.n = 0;
    mw_building_sizes(&shape, s->n_long, &b->sizes);
    return &b->sizes;
}

#define TAKE(ptr, what) MW_PLACE(rc, ptr, b->world, MW_OF_CORES, sizes_of(b), what)

static void give(struct builder *b, void **p)
{
    mw_unplace(b->world, MW_OF_CORES, *p);
    *p = NULL;
}
#define GIVE(ptr) give(b, (void **)&(ptr))

static int take_first(struct builder *b)
{
    struct mw_building *s = &b->s;
    struct mw_graph *t = b->there;
    int rc = MW_OK;
    TAKE(s->told, "what building tells");
    TAKE(t->degree, "degrees, of cores");
    TAKE(t->label_of, "label of each place, of cores");
    TAKE(t->connected, "connected places, of cores");
    TAKE(s->entry, "entries");
    s->degree = t->degree;
    s->label_of = t->label_of;
    s->connected = t->connected;
end:
    return rc;
}

/* As split_columns() of construction does it. */
static void count_labels(struct builder *b)
{
    struct mw_graph *g = b->g;
    g->n_labels = (uint32_t)b->s.n_labels;
    g->n_connected = b->s.n_labels;
    g->label_bits = mw_label_bits(g->n_labels);
    g->no_column = mw_columns_of(1, g->label_bits);
    g->n_columns = g->no_column + 64;
    b->s.no_column = g->no_column;
}

static int make_labels(struct builder *b)
{
    struct mw_building *s = &b->s;
    struct mw_graph *t = b->there;
    int rc = MW_OK;
    sweep(b->world, MW_BUILDING_ORDER, s);
    count_labels(b);
    TAKE(t->place_of, "place of each label, of cores");
    TAKE(t->row, "row starts, of cores");
    s->place_of = t->place_of;
    s->row = t->row;
    sweep(b->world, MW_BUILDING_LABELS, s);
end:
    return rc;
}

static int merge_rows(struct builder *b)
{
    int rc = MW_OK;
    if (b->s.n_long > 0)
        TAKE(b->s.merged, "merged entries");
    sweep(b->world, MW_BUILDING_MERGE, &b->s);
    GIVE(b->s.merged);
end:
    return rc;
}

static int pack_rows(struct builder *b)
{
    struct mw_building *s = &b->s;
    int rc = MW_OK;
    TAKE(s->keep, "kept entries");
    TAKE(s->sum, "sums of kept entries");
    sweep(b->world, MW_BUILDING_KEEP, s);
    b->g->n_entries = s->n_kept;
    b->g->n_ends = s->n_entries;
    b->there->column = mw_place(b->world, MW_OF_CORES, sizes_of(b), "columns, of cores",
                                sizeof *s->column);
    if (b->there->column == NULL)
        return MW_ERR_NOMEM;
    s->column = b->there->column;
    sweep(b->world, MW_BUILDING_PACK, s);
    b->g->first_leaf = (uint32_t)s->first_leaf;
    GIVE(s->keep);
    GIVE(s->sum);
    GIVE(s->entry);
end:
    return rc;
}

static int make_heads(struct builder *b)
{
    struct mw_graph *const t = b->there;
    struct mw_building *s = &b->s;
    int rc = MW_OK;
    TAKE(s->head, "heads, of cores");
    t->head = s->head;
    TAKE(s->head_name, "names of the heads, of cores");
    t->head_name = s->head_name;
    TAKE(s->name, "names of the columns, of cores");
    t->name = s->name;
    sweep(b->world, MW_BUILDING_HEADS, s);
end:
    return rc;
}

static int done(struct builder *b, enum mw_built phase)
{
    const double now = mw_now();
    b->seconds[phase] = now - b->start;
    b->start = now;
    return mw_stop_check("building", "the graph");
}

static int build(struct builder *b)
{
    int rc;
    MW_TRY(rc, take_first(b));
    sweep(b->world, MW_BUILDING_DEGREES, &b->s);
    MW_TRY(rc, done(b, MW_BUILT_DEGREES));
    MW_TRY(rc, make_labels(b));
    MW_TRY(rc, done(b, MW_BUILT_LABELS));
    sweep(b->world, MW_BUILDING_ENTER, &b->s);
    MW_TRY(rc, done(b, MW_BUILT_ENTRIES));
    sweep(b->world, MW_BUILDING_SORT, &b->s);
    MW_TRY(rc, done(b, MW_BUILT_SORTED));
    MW_TRY(rc, merge_rows(b));
    MW_TRY(rc, done(b, MW_BUILT_MERGED));
    MW_TRY(rc, pack_rows(b));
    MW_TRY(rc, done(b, MW_BUILT_PACKED));
    MW_TRY(rc, make_heads(b));
    MW_TRY(rc, done(b, MW_BUILT_HEADS));
end:
    return rc;
}

/* What the host has of it, from the beginning; and the cores' copy of that, with arrays,
 * at the end. */
static int open_graph(struct mw_world *w, const struct mw_edges *e, struct builder *b)
{
    int rc = MW_OK;
    struct mw_sizes sizes = {0};
    const struct mw_graph_shape shape = {.n_places = e->n_vertices};
    mw_building_sizes(&shape, 0, &sizes);
    MW_TAKE(rc, b->g, &sizes, "graph");
    MW_TRY(rc, mw_graph_open_placed(&b->there));
    struct mw_graph *g = b->g;
    g->comm = w->comm;
    g->n_vertices = g->n_places = e->n_vertices;
    g->n_edges = e->n;
    g->partition = mw_partition_of(g->n_vertices, 0, 1);
    g->place_bits = mw_bits_for(mw_most_places(&g->partition));
    g->of_cores = b->there;
end:
    return rc;
}

/* All that is known of the graph by now, with its arrays. */
static void close_graph(struct builder *b)
{
    const struct mw_graph arrays = *b->there;
    struct mw_graph *t = b->there;
    *t = *b->g;
    t->of_cores = NULL;
    t->degree = arrays.degree;
    t->label_of = arrays.label_of;
    t->connected = arrays.connected;
    t->place_of = arrays.place_of;
    t->row = t->in_row = arrays.row;
    t->column = t->in_column = arrays.column;
    t->head = arrays.head;
    t->head_name = arrays.head_name;
    t->name = arrays.name;
}

int mw_graph_build_there(struct mw_world *world, const struct mw_edges *e,
                         double seconds[MW_BUILT_PHASES], struct mw_graph **out)
{
    int rc;
    struct builder b = {.world = world,
                        .s = {.n = e->n_vertices, .n_tuples = e->n, .tuple = e->of_cores},
                        .seconds = seconds,
                        .start = mw_now()};
    *out = NULL;
    rc = open_graph(world, e, &b);
    if (rc == MW_OK)
        rc = build(&b);
    void *const of_building[] = {b.s.told, b.s.entry, b.s.merged, b.s.keep, b.s.sum};
    for (uint32_t i = 0; i < sizeof of_building / sizeof *of_building; i++)
        mw_unplace(world, MW_OF_CORES, of_building[i]);
    if (b.g != NULL && b.there != NULL)
        close_graph(&b);
    if (rc != MW_OK) {
        mw_graph_forget_there(world, b.g);
        mw_graph_free(b.g);
        return rc;
    }
    *out = b.g;
    return MW_OK;
}

void mw_graph_forget_there(struct mw_world *world, struct mw_graph *g)
{
    if (g == NULL || g->of_cores == NULL)
        return;
    mw_graph_give_placed(world, (struct mw_graph *)(uintptr_t)g->of_cores);
    g->of_cores = NULL;
}
