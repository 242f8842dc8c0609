/* bfs_inspect.c -- see bfs_inspect.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_inspect.h"

#include "algorithms/bfs/bfs.h"
#include "base/mem.h"
#include "devices/list_there.h"
#include "devices/placed.h"
#include "shuffle/kernel_lists.h"
#include "traversal/inspection.h"

#include <string.h>

struct bfs_inspector {
    struct bfs_inspection s;
    struct mw_world *world;
    struct mw_edges *edges;
    struct mw_sweep_row row[BFS_INSPECT_N_ROWS];
    /* While tuples are arranged. */
    void *room; /* of a piece; NULL: the cores reach the list itself */
    uint64_t n_room;
    bool holds;                      /* the piece that is there is the whole list */
    bool made_room;                  /* the list went home, for its room was needed */
    struct mw_parts parents, doubts; /* of several ranks */
};

/* ---- the table --------------------------------------------------------------------------- */

MW_KERNELS_OF(sweeps, bfs_inspect_sweeps, MW_KINDS_THAT_BUILD)

#define SWEEP(member) .kernel = MW_ENTRY(bfs_inspect_sweeps, member)

/* clang-format off */
const struct mw_row bfs_inspect_row[BFS_INSPECT_N_ROWS] = {
    [BFS_INSPECT_DEGREES] = {.name = "degrees",      SWEEP(degrees), .reads = "a piece of the list", .writes = "degrees", .unit = "a tuple"},
    [BFS_INSPECT_NUMBERS] = {.name = "numbers",      SWEEP(numbers), .reads = "degrees", .writes = "number_of, place_of", .unit = "4096 places"},
    [BFS_INSPECT_ROWS]    = {.name = "lengths",      SWEEP(rows),    .reads = "a piece of the list, number_of", .writes = "tuples of each number", .unit = "a tuple"},
    [BFS_INSPECT_STARTS]  = {.name = "starts",       SWEEP(starts),  .reads = "tuples of each number", .writes = "starts", .unit = "a number"},
    [BFS_INSPECT_TUPLES]  = {.name = "sort",         SWEEP(tuples),  .reads = "a piece of the list, number_of, starts", .writes = "tuples, starts", .unit = "a tuple"},
    [BFS_INSPECT_DIGEST]  = {.name = "digest",       SWEEP(digest),  .reads = "tuples, place_of", .writes = "digest", .unit = "every n-th tuple"},
    [BFS_INSPECT_TELL]    = {.name = "tell parents", SWEEP(tell),    .reads = "parent", .writes = "told_parent", .unit = "a place"},
    [BFS_INSPECT_GATHER]  = {.name = "gather",       SWEEP(gather),  .reads = "a rank's told_parent", .writes = "parents of all", .unit = "a place of that rank"},
    [BFS_INSPECT_PARENTS] = {.name = "take parents", SWEEP(parents), .reads = "parent, place_of, number_of", .writes = "parent_number, up", .unit = "a number"},
    [BFS_INSPECT_CLIMB]   = {.name = "climb",        SWEEP(climb),   .reads = "up", .writes = "up", .unit = "a number"},
    [BFS_INSPECT_LEVELS]  = {.name = "pack levels",  SWEEP(levels),  .reads = "up", .writes = "level; faults of rule 1", .unit = "a word of levels"},
    [BFS_INSPECT_JUDGE]   = {.name = "judge",        SWEEP(judge),   .reads = "tuples, level, parent_number", .writes = "parent_number; faults of rules 3 and 4", .unit = "four tuples"},
    [BFS_INSPECT_DOUBT]   = {.name = "doubt",        SWEEP(doubt),   .reads = "number_of, parent_number, level", .writes = "doubt", .unit = "32 vertices"},
    [BFS_INSPECT_SETTLE]  = {.name = "settle",       SWEEP(settle),  .reads = "a rank's doubt", .writes = "unsettled", .unit = "32 vertices of a share"},
    [BFS_INSPECT_TALLY]   = {.name = "tally",        SWEEP(tally),   .reads = "parent_number, level; of several ranks unsettled", .writes = "faults of rule 5", .unit = "a number"},
};
/* clang-format on */
MW_STATIC_ASSERT(BFS_CLASS_PLACES == 4096, "the table says so");

static void sweep(struct bfs_inspector *k, enum bfs_inspect_row row)
{
    mw_sweep_run(&k->row[row], k->world, &k->s);
}

static bool is_possible(const struct mw_backend *backend, uint32_t n_ranks,
                        uint64_t n_vertices)
{
    return mw_kernels_of_cores(sweeps, backend) != &bfs_inspect_sweeps_none &&
           n_ranks <= BFS_JUDGES && n_vertices <= BFS_NUMBERS;
}

static uint64_t n_words(uint64_t n)
{
    return (n + 31) / 32;
}

/* What a rank tells: parents of its places, and a bit for each vertex. */
static uint64_t parents_bytes(uint64_t n, uint32_t n_ranks)
{
    const struct mw_partition p = mw_partition_of(n, 0, n_ranks);
    return mw_most_places(&p) * sizeof(uint32_t);
}

static uint64_t doubts_bytes(uint64_t n)
{
    return n_words(n) * sizeof(uint32_t);
}

/* ---- memory ------------------------------------------------------------------------------ */

static void add_block(struct mw_sizes *s, const char *what, uint64_t n, uint64_t bytes)
{
    struct mw_size *row = mw_sizes_add_of(s, MW_OF_CORES, MW_SEARCHING, what, n, bytes);
    row->spare = true; /* the host judges where there is no room */
}

/* Blocks that are taken by their names here. */
static void own_sizes(uint64_t n, uint64_t n_tuples, uint32_t n_ranks,
                      struct mw_sizes *out)
{
    const struct bfs_inspection *s = NULL;
    add_block(out, "inspected tuples", n_tuples, sizeof *s->tuple);
    add_block(out, "numbers of places", n, sizeof *s->number_of);
    add_block(out, "places of numbers", n, sizeof *s->place_of);
    add_block(out, "ancestors", n + 3, sizeof *s->up);
    add_block(out, "numbers of parents", n, sizeof *s->parent_number);
    add_block(out, "inspected levels", n + BFS_CLASSES, sizeof *s->level);
    add_block(out, "what an inspection finds", 1, sizeof *s->found);
    add_block(out, "parents of all", n, sizeof *s->all);
    out->row[out->n - 1].copies = n_ranks > 1;
}

void bfs_inspector_sizes(const struct mw_check_shape *shape,
                         const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint32_t n_ranks = world->groups.n_ranks;
    if (!is_possible(world->backend, n_ranks, shape->n_vertices))
        return;
    mw_sizes_add(out, MW_SEARCHING, "inspection", 1, sizeof(struct bfs_inspector));
    own_sizes(shape->n_vertices, shape->n_tuples, n_ranks, out);
    const uint32_t parts = out->n;
    if (n_ranks > 1) {
        mw_parts_sizes(parents_bytes(shape->n_vertices, n_ranks), MW_SEARCHING, world,
                       out);
        mw_parts_sizes(doubts_bytes(shape->n_vertices), MW_SEARCHING, world, out);
    }
    for (uint32_t i = parts; i < out->n; i++)
        out->row[i].spare = true;
    if (!shape->of_cores)
        add_block(out, "tuples on their way", shape->n_tuples,
                  2 * mw_number_bytes(shape->n_vertices > MW_NARROW_VERTICES));
}

static int take_blocks(struct bfs_inspector *k)
{
    struct bfs_inspection *s = &k->s;
    struct mw_world *w = k->world;
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    own_sizes(s->n, s->n_tuples, w->comm->size, &sizes);
    if (!mw_inspection_fits(w, &sizes))
        return MW_ERR_NOMEM;
    MW_PLACE(rc, s->tuple, w, MW_OF_CORES, &sizes, "inspected tuples");
    MW_PLACE(rc, s->number_of, w, MW_OF_CORES, &sizes, "numbers of places");
    MW_PLACE(rc, s->place_of, w, MW_OF_CORES, &sizes, "places of numbers");
    MW_PLACE(rc, s->up, w, MW_OF_CORES, &sizes, "ancestors");
    MW_PLACE(rc, s->parent_number, w, MW_OF_CORES, &sizes, "numbers of parents");
    MW_PLACE(rc, s->level, w, MW_OF_CORES, &sizes, "inspected levels");
    MW_PLACE(rc, s->found, w, MW_OF_CORES, &sizes, "what an inspection finds");
    MW_PLACE(rc, s->all, w, MW_OF_CORES, &sizes, "parents of all");
end:
    return rc;
}

static void give_blocks(struct bfs_inspector *k)
{
    struct bfs_inspection *s = &k->s;
    void **const of_cores[] = {(void **)&s->tuple,    (void **)&s->number_of,
                               (void **)&s->place_of, (void **)&s->up,
                               (void **)&s->level,    (void **)&s->parent_number,
                               (void **)&s->found,    (void **)&s->all};
    for (uint32_t i = 0; i < sizeof of_cores / sizeof *of_cores; i++) {
        mw_unplace(k->world, MW_OF_CORES, *of_cores[i]);
        *of_cores[i] = NULL;
    }
}

/* Collective. Where there is no room beside the list, its own is taken: it goes home, and comes
 * from there in pieces. */
static int take_blocks_of_all(struct bfs_inspector *k)
{
    struct mw_world *const w = k->world;
    int rc = mw_comm_agree(w->comm, take_blocks(k));
    if (rc != MW_ERR_NOMEM || k->edges->of_cores == NULL)
        return rc;
    mw_error_clear();
    give_blocks(k);
    MW_TRY(rc, mw_comm_agree(w->comm, mw_list_come_home(w, k->edges)));
    mw_list_unplace(w, k->edges);
    k->made_room = true;
    rc = mw_comm_agree(w->comm, take_blocks(k));
end:
    return rc;
}

void bfs_inspector_free(struct bfs_inspector *k)
{
    if (k == NULL)
        return;
    mw_parts_close(&k->parents);
    mw_parts_close(&k->doubts);
    give_blocks(k);
    mw_unplace(k->world, MW_OF_CORES, k->room);
    mw_free(k);
}

/* ---- once: tuples ------------------------------------------------------------------------ */

enum {
    LEAST_PIECE = 1 << 16,
    FROM_HOME = 1 << 26 /* tuples at a time, where the list had to make room */
};

/* For all of the list at once, or for as much of it as there is memory for: then it comes
 * once for each of the three sweeps over it. */
static int take_room(struct bfs_inspector *k)
{
    const uint64_t bytes = 2 * mw_number_bytes(k->s.wide_piece);
    k->n_room = k->made_room ? mw_min(k->edges->n, FROM_HOME) : k->edges->n;
    if (mw_host_reaches(k->world->backend) || k->edges->of_cores != NULL ||
        k->n_room == 0)
        return MW_OK;
    for (;; k->n_room = (k->n_room + 1) / 2) {
        struct mw_sizes sizes = {0};
        add_block(&sizes, "tuples on their way", k->n_room, bytes);
        k->room = mw_place(k->world, MW_OF_CORES, &sizes, "tuples on their way", bytes);
        if (k->room != NULL)
            break;
        if (k->n_room <= LEAST_PIECE)
            return MW_ERR_NOMEM;
        mw_error_clear();
    }
    return MW_OK;
}

static void sweep_pieces(struct bfs_inspector *k, enum bfs_inspect_row row)
{
    struct bfs_inspection *s = &k->s;
    const struct mw_edges *e = k->edges;
    const uint64_t bytes = 2 * mw_number_bytes(s->wide_piece);
    for (uint64_t first = 0; first < e->n; first += s->n_piece) {
        const char *const list = s->wide_piece ? (char *)e->wide : (char *)e->narrow;
        s->n_piece = mw_min(k->n_room, e->n - first);
        s->piece = k->room;
        if (e->of_cores != NULL)
            s->piece = e->of_cores;
        else if (k->room == NULL)
            s->piece = list;
        else if (!k->holds)
            mw_put(k->world, k->room, list + first * bytes, s->n_piece * bytes);
        k->holds = s->n_piece == e->n;
        sweep(k, row);
    }
}

/* Collective; there is room. */
static int arrange(struct bfs_inspector *k)
{
    struct mw_digest digest;
    int rc;
    sweep_pieces(k, BFS_INSPECT_DEGREES);
    sweep(k, BFS_INSPECT_NUMBERS);
    sweep_pieces(k, BFS_INSPECT_ROWS);
    sweep(k, BFS_INSPECT_STARTS);
    sweep_pieces(k, BFS_INSPECT_TUPLES);
    sweep(k, BFS_INSPECT_DIGEST);
    mw_unplace(k->world, MW_OF_CORES, k->room);
    k->room = NULL;
    MW_TRY(rc, mw_digest_of_all(k->world->comm, &k->s.digest));
    MW_TRY(rc, mw_list_digest(k->world, k->edges, &digest));
    digest.sum_weights = 0; /* what is sorted here are tuples alone */
    if (memcmp(&digest, &k->s.digest, sizeof digest) != 0)
        rc = mw_fail(MW_ERR_INTERNAL,
                     "the tuples that backend '%s' would validate by are not those of "
                     "the input: their first ends add up to %llu and %llu",
                     k->world->backend->name, (unsigned long long)k->s.digest.sum_u,
                     (unsigned long long)digest.sum_u);
end:
    return rc;
}

/* Collective: what several ranks tell each other. */
static int open_parts(struct bfs_inspector *k)
{
    struct bfs_inspection *s = &k->s;
    const uint32_t rank = k->world->comm->rank, n_ranks = k->world->comm->size;
    if (n_ranks == 1)
        return MW_OK;
    MW_NEED(mw_parts_open(k->world, parents_bytes(s->n, n_ranks), &k->parents));
    MW_NEED(mw_parts_open(k->world, doubts_bytes(s->n), &k->doubts));
    s->told_parent = k->parents.mine;
    s->doubt = k->doubts.mine;
    s->first_word = n_words(s->n) * rank / n_ranks;
    s->n_words = n_words(s->n) * (rank + 1) / n_ranks - s->first_word;
    s->unsettled = (uint32_t *)s->up;
    return MW_OK;
}

int bfs_inspector_new(struct mw_world *world, struct mw_edges *edges,
                      struct bfs_inspector **out)
{
    struct mw_comm *const comm = world->comm;
    struct bfs_inspector *k;
    int rc = MW_OK;
    *out = NULL;
    if (!is_possible(world->backend, comm->size, edges->n_vertices) ||
        world->conf.engine_mpe)
        return MW_OK;
    MW_NEW(rc, k, "inspection", 1);
    k->world = world;
    k->edges = edges;
    k->s.n = edges->n_vertices;
    k->s.n_tuples = edges->n;
    k->s.directed = edges->directed;
    k->s.partition = mw_edges_partition(edges, comm->rank, comm->size);
    k->s.wide_piece = edges->wide != NULL;
    for (uint32_t i = 0; i < BFS_INSPECT_N_ROWS; i++)
        k->row[i] = mw_sweep_find(&bfs_inspect_row[i], sweeps, world->backend);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = take_blocks_of_all(k);
    if (rc == MW_OK)
        rc = open_parts(k);
    if (rc == MW_OK)
        rc = mw_comm_agree(comm, take_room(k));
    if (rc == MW_OK)
        rc = arrange(k);
    if (rc == MW_OK)
        *out = k;
    else
        bfs_inspector_free(k);
    if (rc == MW_ERR_NOMEM) { /* the host has it */
        mw_error_clear();
        rc = MW_OK;
    }
    return rc;
}

/* ---- a tree ------------------------------------------------------------------------------ */

/* A round multiplies the steps that a number has come by BFS_HOPS + 1 at least; whoever
 * has come farther than there are vertices goes round. */
static void climb(struct bfs_inspector *k)
{
    uint64_t steps = 1;
    for (k->s.n_climbing = k->s.n; k->s.n_climbing > 0 && steps <= k->s.n;
         steps *= BFS_HOPS + 1)
        sweep(k, BFS_INSPECT_CLIMB);
}

/* Collective: the parents of all become known to all. */
static int gather(struct bfs_inspector *k)
{
    struct bfs_inspection *s = &k->s;
    const uint32_t n_ranks = k->world->comm->size;
    const void *its;
    sweep(k, BFS_INSPECT_TELL);
    MW_NEED(mw_parts_share(&k->parents, 0, parents_bytes(s->n, n_ranks)));
    for (s->teller = 0; s->teller < n_ranks; s->teller++) {
        MW_NEED(mw_parts_see(&k->parents, s->teller, 0,
                             mw_places_at(&s->partition, s->teller) * sizeof(uint32_t),
                             &its));
        s->its_parent = its;
        sweep(k, BFS_INSPECT_GATHER);
    }
    s->parent = s->all;
    s->wide = false;
    return MW_OK;
}

/* Collective: of my share of the vertices, whose parent nobody has seen as a neighbour. */
static int settle(struct bfs_inspector *k)
{
    struct bfs_inspection *s = &k->s;
    const void *its;
    sweep(k, BFS_INSPECT_DOUBT);
    MW_NEED(mw_parts_share(&k->doubts, 0, doubts_bytes(s->n)));
    for (s->teller = 0; s->teller < k->world->comm->size; s->teller++) {
        MW_NEED(mw_parts_see(&k->doubts, s->teller, s->first_word * sizeof(uint32_t),
                             s->n_words * sizeof(uint32_t), &its));
        s->its_doubt = its;
        sweep(k, BFS_INSPECT_SETTLE);
    }
    return MW_OK;
}

/* Collective. What all know alike counts at the first rank. */
static int sum_up(const struct bfs_inspector *k, struct mw_verdict *out)
{
    const struct bfs_inspection *s = &k->s;
    const bool first = k->world->comm->rank == 0;
    *out = (struct mw_verdict){.n_reached = first ? s->n_reached : 0,
                               .n_edges = s->n_edges,
                               .n_self_loops = s->told.n_self_loops,
                               .n_levels = s->rooted ? s->deepest + 1 : 0};
    memcpy(out->n_wrong, s->told.n_wrong, sizeof s->told.n_wrong);
    if (first && !s->rooted) /* said of the root, beside all that hangs on it */
        out->n_wrong[MW_RULE_TREE]++;
    return mw_verdict_sum(out, k->world->comm);
}

static int own_fault(const struct bfs_inspector *k, mw_vid root,
                     const struct mw_verdict *verdict)
{
    struct mw_fault f = k->s.told.first;
    if (k->s.told.n_first == 0 && !k->s.rooted)
        f = (struct mw_fault){MW_RULE_TREE, root, MW_NO_VERTEX, 0, 0};
    return f.rule == 0 ? MW_OK
                       : mw_fault_fail(k->edges, root, &f, "the cores that searched",
                                       verdict->n_wrong[f.rule]);
}

int bfs_inspect(struct bfs_inspector *k, mw_vid root, const void *parent, bool wide,
                uint32_t last, struct mw_verdict *out)
{
    struct bfs_inspection *s = &k->s;
    const bool several = k->world->comm->size > 1;
    int rc;
    memset(out, 0, sizeof *out);
    s->parent = s->own_parent = parent;
    s->wide = s->own_wide = wide;
    s->root = root;
    s->last = last;
    if (several)
        MW_TRY(rc, gather(k));
    sweep(k, BFS_INSPECT_PARENTS);
    if (s->rooted)
        climb(k);
    sweep(k, BFS_INSPECT_LEVELS);
    sweep(k, BFS_INSPECT_JUDGE);
    if (several)
        MW_TRY(rc, settle(k));
    sweep(k, BFS_INSPECT_TALLY);
    MW_TRY(rc, sum_up(k, out));
    MW_TRY(rc, mw_comm_agree(k->world->comm, own_fault(k, root, out)));
    if (last != MW_NO_LEVEL && out->n_levels > last + 1)
        rc = mw_depth_fail(k->edges, root, out->n_levels, last);
end:
    return rc;
}
