/* bfs_validate.c -- see bfs_validate.h.
 *
 *      1  children   every reached vertex is entered at its parent's owner
 *      2  walk       depths, from the root down the children
 *      3  edges      every tuple is judged
 *      4  tally      every reached vertex has a depth and a confirmed parent
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_validate.h"

#include "base/mem.h"
#include "base/room.h"
#include "io/names.h"
#include "mpe/prefix.h"
#include "shuffle/kernel_lists.h"

#include <stdio.h>
#include <string.h>

struct mw_validator {
    struct mw_validation s;
    struct mw_world *world;
    struct mw_pipeline *child, *walk, *edge;
};

static uint64_t place_units(void *state)
{
    return ((const struct mw_validation *)state)->n_places;
}

static uint64_t walk_units(void *state)
{
    const struct mw_validation *s = state;
    return s->n_list > 0 ? s->list_end[s->n_list - 1] : 0;
}

static uint64_t tuple_units(void *state)
{
    return ((const struct mw_validation *)state)->edges->n;
}

MW_KERNELS_OF(kernels, bfs_validate_kernels, MW_KINDS_OF_HOSTS)

struct validation_sweeps {
    mw_kernel *forget, *list, *tally;
};
static const struct validation_sweeps no_sweeps,
    sweeps_host = {mw_validation_forget, mw_validation_list, mw_validation_tally};
static const struct mw_kernel_table sweeps[] = {
    {"serial", &sweeps_host}, {"host", &sweeps_host}, {NULL, &no_sweeps}};

#define KERNEL(member) MW_ENTRY(bfs_validate_kernels, member)
#define SWEEP(member)  .kernel = MW_ENTRY(validation_sweeps, member)
enum { CHILDREN = 1, WALK = 2, EDGES = 4 }; /* exchanges, as bits */
enum { FORGET = 11, LIST, TALLY, ROWS };

/* clang-format off */
static const struct mw_row rows[] = {
    /* name              takes                       emits                       kernel                  a source's work, and its most records a unit; exchanges */
    {"child generator", {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(child_generate), place_units, 1, .exchanges = CHILDREN},
    {"child relay",     {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,                      NULL,        0, .exchanges = CHILDREN},
    {"child handler",   {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(child_handle),   NULL,        0, .exchanges = CHILDREN},
    {"walk generator",  {MW_FORWARD, MW_SOURCE},    {MW_FORWARD, MW_TO_FIRST},  KERNEL(walk_generate),  walk_units,  1, .exchanges = WALK},
    {"walk relay",      {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,                      NULL,        0, .exchanges = WALK},
    {"depth handler",   {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(walk_handle),    NULL,        0, .exchanges = WALK},
    {"tuple generator", {MW_BACKWARD, MW_SOURCE},   {MW_BACKWARD, MW_TO_FIRST}, KERNEL(edge_generate),  tuple_units, 2, .exchanges = EDGES},
    {"tuple relay",     {MW_BACKWARD, MW_TO_RELAY}, {MW_BACKWARD, MW_TO_OWNER}, 0,                      NULL,        0, .exchanges = EDGES},
    {"depth teller",    {MW_BACKWARD, MW_TO_OWNER}, {MW_FORWARD, MW_TO_FIRST},  KERNEL(edge_tell),      NULL,        0, .exchanges = EDGES},
    {"depth relay",     {MW_FORWARD, MW_TO_RELAY},  {MW_FORWARD, MW_TO_OWNER},  0,                      NULL,        0, .exchanges = EDGES},
    {"depth judge",     {MW_FORWARD, MW_TO_OWNER},  {MW_FORWARD, MW_NOWHERE},   KERNEL(edge_judge),     NULL,        0, .exchanges = EDGES},
    /* sweeps */
    [FORGET] = {.name = "forget", SWEEP(forget), .reads = "parent", .writes = "level, confirmed, first_child, parents on this host", .unit = "an equal share"},
    [LIST]   = {.name = "next list", SWEEP(list), .reads = "lists of lanes, first_child", .writes = "list, list_end", .unit = "every n-th lane"},
    [TALLY]  = {.name = "tally",  SWEEP(tally),  .reads = "parent, level, confirmed", .writes = "faults of rules 1 and 5", .unit = "an equal share"},
};
/* clang-format on */
MW_STATIC_ASSERT(sizeof rows / sizeof *rows == ROWS, "FORGET is behind the modules");

const struct mw_row_table mw_validation_table = {rows, ROWS, kernels, sweeps};

struct modules {
    struct mw_modules child, walk, edge;
};

static void find_modules(const struct mw_backend *backend, const struct mw_groups *groups,
                         struct modules *out)
{
    const struct mw_row_table *const t = &mw_validation_table;
    mw_modules_find(t, CHILDREN, backend, groups, &out->child);
    mw_modules_find(t, WALK, backend, groups, &out->walk);
    mw_modules_find(t, EDGES, backend, groups, &out->edge);
}

static void sweep(struct mw_validator *v, uint32_t row)
{
    mw_row_sweep(&mw_validation_table, row, v->world, &v->s);
}

/* Places, and vertices or depths; a directed edge travels with its direction, in a bit more. */
static struct mw_record_bits record_bits(uint64_t n_vertices, uint32_t n_ranks,
                                         bool directed)
{
    return mw_place_records(n_vertices, n_ranks, n_vertices << directed);
}

static int pipelines_init(struct mw_validator *v)
{
    struct mw_world *w = v->world;
    const struct mw_validation *s = &v->s;
    const struct mw_record_bits bits =
        record_bits(s->edges->n_vertices, w->comm->size, s->edges->directed);
    struct modules m;
    find_modules(w->backend, &w->groups, &m);
    int rc = mw_modules_new(m.child.row, m.child.n, &v->s, bits, w, &v->child);
    if (rc == MW_OK)
        rc = mw_modules_new(m.walk.row, m.walk.n, &v->s, bits, w, &v->walk);
    if (rc == MW_OK)
        rc = mw_modules_new(m.edge.row, m.edge.n, &v->s, bits, w, &v->edge);
    if (rc == MW_OK) {
        mw_pipeline_bound(v->child, s->n_places);
        mw_pipeline_bound(v->walk, s->n_places);
        mw_pipeline_bound(v->edge, s->n_places);
        mw_pipeline_reaches(v->edge,
                            s->comm->size == 1 || (s->comm->n_hosts == 1 && s->shared));
    }
    return rc;
}

/* Places of one rank in what its host shares, on cache lines of bytes. */
static uint64_t stride_of(const struct mw_partition *partition)
{
    return mw_round_up(mw_most_places(partition), MW_CACHE_LINE);
}

/* Blocks that mw_validator_new() takes by their names here, and the first tree. What the ranks of a
 * host can share they share if there is room. */
static void own_sizes(const struct mw_partition *partition, bool wide,
                      const struct mw_world_shape *world, bool shared,
                      struct mw_sizes *out)
{
    const struct mw_validation *s = NULL;
    const uint64_t n_near = (shared ? world->host_ranks : 1) * stride_of(partition);
    struct mw_size *row[3];
    row[0] = mw_sizes_add(out, MW_SEARCHING, "levels", n_near, sizeof *s->level);
    row[1] = mw_sizes_add(out, MW_SEARCHING, "confirmed parents", n_near,
                          sizeof *s->confirmed);
    row[2] = mw_sizes_add(out, MW_SEARCHING, "parents on this host", n_near,
                          mw_number_bytes(wide));
    row[2]->copies = shared;
    for (int i = 0; i < 3; i++)
        row[i]->of_host = row[i]->spare = shared;
    mw_sizes_add(out, MW_SEARCHING, "first children", mw_my_places(partition) + 2,
                 sizeof *s->first_child);
    mw_sizes_add(out, MW_SEARCHING, "validation lanes", world->n_lanes, sizeof *s->lane);
}

static bool can_share(const struct mw_world_shape *world)
{
    return world->host_ranks > 1 && world->backend->short_circuit;
}

/* A level holds most of what is reached, and a lane's list of it grows by doubling. */
static void level_sizes(const struct mw_check_shape *shape, uint32_t n_lanes,
                        struct mw_sizes *out)
{
    const struct mw_validation *s = NULL;
    const uint64_t n = shape->n_reached, share = n / n_lanes + 4096;
    const uint32_t first = out->n;
    mw_sizes_add(out, MW_SEARCHING, "children", n + 1, mw_number_bytes(shape->wide));
    mw_sizes_add(out, MW_SEARCHING, "places of a level", n, sizeof *s->list);
    mw_sizes_add(out, MW_SEARCHING, "children of a level", n, sizeof *s->list_end);
    mw_sizes_add(out, MW_SEARCHING, "places of a lane", 2 * share, sizeof *s->lane->next)
        ->copies = n_lanes;
    for (uint32_t i = first; i < out->n; i++)
        out->row[i].estimated = true;
}

void mw_validator_sizes(const struct mw_check_shape *shape,
                        const struct mw_world_shape *world, struct mw_sizes *out)
{
    struct modules m;
    struct mw_sizes parts = {0};
    const struct mw_partition partition =
        mw_partition_of(shape->n_vertices, world->rank, world->groups.n_ranks);
    const struct mw_record_bits bits =
        record_bits(shape->n_vertices, world->groups.n_ranks, shape->directed);
    own_sizes(&partition, shape->wide, world, can_share(world), out);
    level_sizes(shape, world->n_lanes, out);
    find_modules(world->backend, &world->groups, &m);
    mw_modules_sizes(m.child.row, m.child.n, bits, world, MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches of children", &parts);
    parts.n = 0;
    mw_modules_sizes(m.walk.row, m.walk.n, bits, world, MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches of the walk", &parts);
    parts.n = 0;
    mw_modules_sizes(m.edge.row, m.edge.n, bits, world, MW_SEARCHING, &parts);
    mw_sizes_fold(out, MW_SEARCHING, "batches of tuples", &parts);
}

/* Collective. Whether to: all must have room four times over, for others need some as well. */
static int choose_sharing(struct mw_validation *s, const struct mw_world_shape *world)
{
    const bool wide = s->edges->n_vertices > MW_NARROW_VERTICES;
    struct mw_sizes sizes = {0};
    struct mw_room room;
    uint64_t bytes = 0, shared;
    int rc;
    own_sizes(&s->partition, wide, world, true, &sizes);
    for (uint32_t i = 0; i < sizes.n; i++)
        if (sizes.row[i].of_host)
            bytes += sizes.row[i].n * sizes.row[i].bytes;
    mw_room_find("", &room);
    shared = can_share(world) ? bytes <= room.shared / 4 : 1;
    rc = mw_comm_min(s->comm, &shared, 1);
    s->shared = can_share(world) && shared != 0;
    return rc;
}

static void *take_block(struct mw_validation *s, const struct mw_sizes *sizes,
                        const char *what)
{
    const struct mw_size *row = mw_sizes_find(sizes, what);
    void *p = NULL;
    if (!row->of_host)
        return mw_sizes_take(sizes, what, row->bytes);
    return mw_comm_host_alloc(s->comm, what, row->n * row->bytes, &p) == MW_OK ? p : NULL;
}

static void give_block(struct mw_validation *s, void *p)
{
    if (s->shared)
        mw_comm_host_free(s->comm, p);
    else
        mw_free(p);
}

/* Collective. */
static int take_levels(struct mw_validation *s, const struct mw_sizes *sizes)
{
    const uint64_t mine = s->shared ? s->comm->host_rank * s->stride : 0;
    s->levels = take_block(s, sizes, "levels");
    if (s->levels == NULL)
        return MW_ERR_NOMEM;
    s->level = s->levels + mine;
    s->all_confirmed = take_block(s, sizes, "confirmed parents");
    if (s->all_confirmed == NULL)
        return MW_ERR_NOMEM;
    s->confirmed = s->all_confirmed + mine;
    return MW_OK;
}

int mw_validator_new(struct mw_world *world, const struct mw_edges *edges,
                     struct mw_validator **out)
{
    int rc = MW_OK;
    struct mw_validator *v;
    struct mw_validation *s = NULL;
    struct mw_sizes sizes = {0};
    struct mw_world_shape shape;

    *out = NULL;
    mw_world_shape_of(world, &shape);
    MW_NEW(rc, v, "validator", 1);
    s = &v->s;
    v->world = world;
    s->edges = edges;
    s->last = MW_NO_LEVEL;
    s->comm = world->comm;
    s->n_lanes = mw_world_lanes(world);
    s->partition = mw_edges_partition(edges, world->comm->rank, world->comm->size);
    s->n_places = mw_my_places(&s->partition);
    s->stride = stride_of(&s->partition);
    own_sizes(&s->partition, false, &shape, false, &sizes);
    MW_TAKE(rc, s->first_child, &sizes, "first children");
    MW_TAKE(rc, s->lane, &sizes, "validation lanes");
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = choose_sharing(s, &shape);
    if (rc == MW_OK) {
        sizes.n = 0;
        own_sizes(&s->partition, false, &shape, s->shared, &sizes);
        rc = mw_comm_agree(world->comm, take_levels(s, &sizes));
    }
    if (rc == MW_OK)
        rc = pipelines_init(v);
    if (rc != MW_OK) {
        mw_validator_free(v);
        return rc;
    }
    *out = v;
    return MW_OK;
}

void mw_validator_free(struct mw_validator *v)
{
    if (v == NULL)
        return;
    mw_pipeline_free(v->child);
    mw_pipeline_free(v->walk);
    mw_pipeline_free(v->edge);
    for (uint32_t i = 0; v->s.lane != NULL && i < mw_world_lanes(v->world); i++)
        mw_free(v->s.lane[i].next);
    MW_FREE_ALL(v->s.lane, v->s.first_child);
    if (v->s.comm != NULL) {
        give_block(&v->s, v->s.levels);
        give_block(&v->s, v->s.all_confirmed);
        give_block(&v->s, v->s.parents);
    }
    mw_free(v);
}

void mw_validator_end_at(struct mw_validator *v, uint32_t last)
{
    v->s.last = last;
}

uint32_t mw_validator_level(const struct mw_validator *v, uint64_t place)
{
    return v->s.level[place];
}

/* ---- 1 children -------------------------------------------------------------------------- */

/* Counts, makes room, and places. While it counts, entry p + 2 holds the children of p; then
 * entry p + 1 is where p's next child goes, and in the end where those of p + 1 begin. */
static int find_children(struct mw_validator *v)
{
    struct mw_validation *s = &v->s;
    int rc;

    MW_TRY(rc, mw_pipeline_run(v->child, mw_modules_all(v->child)));
    mw_prefix_sum(v->world, s->first_child, s->n_places + 2);
    s->children = mw_alloc("children", s->first_child[s->n_places + 1] + 1,
                           mw_number_bytes(s->wide));
    rc = s->children == NULL ? MW_ERR_NOMEM : MW_OK;
end:
    rc = mw_comm_agree(s->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_agree(s->comm, mw_pipeline_run(v->child, mw_modules_all(v->child)));
    return rc;
}

/* ---- 2 walk ------------------------------------------------------------------------------- */

/* What the lanes have found becomes the list. */
static int next_list(struct mw_validator *v)
{
    struct mw_validation *s = &v->s;
    const uint32_t n_lanes = mw_world_lanes(v->world);
    uint64_t n = 0;

    mw_free(s->list);
    mw_free(s->list_end);
    s->list = NULL;
    s->list_end = NULL;
    s->n_list = 0;
    for (uint32_t i = 0; i < n_lanes; i++) {
        if (s->lane[i].status != MW_OK)
            return mw_fail(MW_ERR_NOMEM, "out of memory: places of level %u",
                           s->depth + 1);
        s->lane[i].at = n;
        n += s->lane[i].n_next;
    }
    MW_NEED_NEW(s->list, "places of a level", n);
    MW_NEED_NEW(s->list_end, "children of a level", n);
    sweep(v, LIST);
    mw_prefix_sum(v->world, s->list_end, n);
    s->n_list = n;
    for (uint32_t i = 0; i < n_lanes; i++)
        s->lane[i].n_next = 0;
    return MW_OK;
}

/* The first list: the root, if it is here and its own parent. */
static int start_at(struct mw_validator *v, mw_vid root)
{
    struct mw_validation *s = &v->s;
    uint64_t place;

    if (!mw_is_mine(&s->partition, root, &place))
        return MW_OK;
    if (mw_parent_at(s, place) != root) {
        mw_wrong(&s->lane[0], MW_RULE_TREE, root, mw_parent_at(s, place), 0, 0);
        return MW_OK;
    }
    MW_NEED_NEW(s->list, "root", 1);
    MW_NEED_NEW(s->list_end, "root", 1);
    s->level[place] = 0;
    s->list[0] = (uint32_t)place;
    s->list_end[0] = s->first_child[place + 1] - s->first_child[place];
    s->n_list = 1;
    return MW_OK;
}

static int walk(struct mw_validator *v, mw_vid root, uint32_t *n_levels)
{
    struct mw_validation *s = &v->s;
    uint64_t any = 1;
    int rc;

    *n_levels = 0;
    s->n_list = 0;
    rc = start_at(v, root);
    for (s->depth = 0; any > 0; s->depth++) {
        rc = mw_comm_agree(s->comm, rc);
        if (rc != MW_OK)
            break;
        any = s->n_list;
        rc = mw_comm_sum(s->comm, &any, 1);
        if (rc != MW_OK || any == 0)
            break;
        *n_levels = s->depth + 1;
        rc = mw_pipeline_run(v->walk, mw_modules_all(v->walk));
        if (rc == MW_OK)
            rc = next_list(v);
    }
    MW_FREE_ALL(s->list, s->list_end);
    s->list = NULL;
    s->list_end = NULL;
    s->n_list = 0;
    return rc;
}

/* ---- 4 tally ------------------------------------------------------------------------------ */

static const char *sentence(uint32_t rule, bool directed)
{
    switch (rule) {
    case MW_RULE_TREE:
        return "rule 1, not a tree: vertex and parent do not lead to the root";
    case MW_RULE_LEVELS:
        return directed ? "rule 3, an edge leads down by more than one level"
                        : "rule 3, levels of an edge differ by more than one";
    case MW_RULE_SPANS:
        return "rule 4, an edge leaves the tree";
    default:
        return directed ? "rule 5, no edge leads from the parent to its child"
                        : "rule 5, the parent is no neighbour";
    }
}

static const char *vertex_text(const struct mw_edges *edges, mw_vid vertex,
                               char text[MW_NAME_ROOM])
{
    return vertex == MW_NO_VERTEX ? "a vertex elsewhere"
                                  : mw_names_text(edges->names, vertex, text);
}

int mw_fault_fail(const struct mw_edges *edges, mw_vid root, const struct mw_fault *f,
                  const char *by, uint64_t n)
{
    char at[MW_NAME_ROOM], a[MW_NAME_ROOM], b[MW_NAME_ROOM];
    return mw_fail(MW_ERR_INVALID,
                   "validation failed: root %s: %s: %s (level %d) and %s (level %d), "
                   "found by %s, %llu such there",
                   vertex_text(edges, root, at), sentence(f->rule, edges->directed),
                   vertex_text(edges, f->u, a), (int)f->level_u,
                   vertex_text(edges, f->v, b), (int)f->level_v, by,
                   (unsigned long long)n);
}

int mw_depth_fail(const struct mw_edges *edges, mw_vid root, uint32_t n_levels,
                  uint32_t last)
{
    char text[MW_NAME_ROOM];
    return mw_fail(MW_ERR_INVALID,
                   "validation failed: root %s: the tree has a level %u, but the "
                   "search ended at level %u",
                   vertex_text(edges, root, text), n_levels - 1, last);
}

/* A fault of the lowest rule that this rank has found broken, whichever core was first,
 * as an error; MW_OK if it has none. */
static int own_fault(const struct mw_validator *v, mw_vid root)
{
    const uint32_t n_lanes = mw_world_lanes(v->world);
    const struct mw_fault *f = &v->s.lane[0].worst;
    char by[32];
    uint64_t n = 0;
    for (uint32_t i = 1; i < n_lanes; i++) {
        const struct mw_fault *other = &v->s.lane[i].worst;
        if (other->rule != 0 && (f->rule == 0 || other->rule < f->rule))
            f = other;
    }
    if (f->rule == 0)
        return MW_OK;
    for (uint32_t i = 0; i < n_lanes; i++)
        n += v->s.lane[i].n_wrong[f->rule];
    snprintf(by, sizeof by, "rank %u", v->s.comm->rank);
    return mw_fault_fail(v->s.edges, root, f, by, n);
}

/* Collective. Numbers of one width, whatever was validated before. */
static int share_parents(struct mw_validator *v, bool wide)
{
    struct mw_validation *s = &v->s;
    struct mw_sizes sizes = {0};
    struct mw_world_shape shape;
    int rc = MW_OK;
    if (s->parents != NULL && wide != s->wide) {
        give_block(s, s->parents);
        s->parents = NULL;
    }
    s->wide = wide;
    mw_world_shape_of(v->world, &shape);
    own_sizes(&s->partition, wide, &shape, s->shared, &sizes);
    if (s->parents == NULL && s->shared) {
        s->parents = take_block(s, &sizes, "parents on this host");
        rc = s->parents != NULL ? MW_OK : MW_ERR_NOMEM;
    }
    return mw_comm_agree(s->comm, rc);
}

static void forget(struct mw_validator *v)
{
    for (uint32_t i = 0; i < mw_world_lanes(v->world); i++) {
        struct mw_validation_lane *l = &v->s.lane[i];
        memset(l->n_wrong, 0, sizeof l->n_wrong);
        memset(&l->worst, 0, sizeof l->worst);
        l->n_edges = l->n_self_loops = l->n_next = 0;
        l->status = MW_OK;
    }
    sweep(v, FORGET);
}

/* Collective: children, and depths down them. */
static int climb_down(struct mw_validator *v, mw_vid root, uint32_t *n_levels)
{
    int rc;
    MW_TRY(rc, find_children(v));
    MW_TRY(rc, walk(v, root, n_levels));
end:
    mw_free(v->s.children);
    v->s.children = NULL;
    return mw_comm_agree(v->s.comm, rc);
}

/* Collective: children, walk, edges. */
static int judge(struct mw_validator *v, mw_vid root, uint32_t *n_levels)
{
    struct mw_comm *comm = v->s.comm;
    int rc;
    MW_TRY(rc, climb_down(v, root, n_levels));
    MW_TRY(rc, mw_comm_host_barrier(comm)); /* levels and parents are there */
    MW_TRY(rc, mw_pipeline_run(v->edge, mw_modules_all(v->edge)));
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_host_barrier(comm); /* all is confirmed that is to be */
    return rc;
}

/* Collective: what all lanes of all ranks have counted. */
static int sum_up(const struct mw_validator *v, struct mw_verdict *out)
{
    for (uint32_t i = 0; i < mw_world_lanes(v->world); i++) {
        const struct mw_validation_lane *l = &v->s.lane[i];
        out->n_reached += l->n_next;
        out->n_edges += l->n_edges;
        out->n_self_loops += l->n_self_loops;
        for (uint32_t r = 0; r <= MW_RULE_EDGES; r++)
            out->n_wrong[r] += l->n_wrong[r];
    }
    return mw_verdict_sum(out, v->s.comm);
}

int mw_validate_tree(struct mw_validator *v, mw_vid root, const void *parent, bool wide,
                     struct mw_verdict *out)
{
    memset(out, 0, sizeof *out);
    v->s.parent = parent;
    MW_NEED(share_parents(v, wide));
    forget(v);
    MW_NEED(climb_down(v, root, &out->n_levels));
    MW_NEED(sum_up(v, out));
    return mw_comm_agree(v->s.comm, own_fault(v, root));
}

int mw_validate(struct mw_validator *v, mw_vid root, const void *parent, bool wide,
                struct mw_verdict *out)
{
    struct mw_validation *s = &v->s;
    int rc;

    memset(out, 0, sizeof *out);
    s->parent = parent;
    MW_TRY(rc, share_parents(v, wide));
    forget(v);
    MW_TRY(rc, judge(v, root, &out->n_levels));
    sweep(v, TALLY);
    MW_TRY(rc, sum_up(v, out));
    MW_TRY(rc, mw_comm_agree(s->comm, own_fault(v, root)));
    if (s->last != MW_NO_LEVEL && out->n_levels > s->last + 1)
        rc = mw_depth_fail(s->edges, root, out->n_levels, s->last);
end:
    return rc;
}
