/* oracle.c -- see oracle.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/oracle.h"

#include "base/mem.h"
#include "devices/list_there.h"
#include "io/names.h"
#include "shuffle/reals.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

static const char answers_name[] = "expected answers", before_name[] = "answers before",
                  room_name[] = "room to expect answers in";

/* What was expected last, of which traversal after how many steps. */
struct oracle {
    struct mw_edges *edges;
    uint64_t *is; /* NULL: nothing */
    const struct mw_traversal *of;
    uint32_t n_levels;
};

/* ---- rows ---------------------------------------------------------------------------------- */

static const char first_rows[] = "rows of tuples", ends_of_rows[] = "ends of tuples",
                  dealt_arcs[] = "tuples dealt out";

/* Which edges a tuple is, or back is turned round: none if it is a self-loop, one where edges have
 * directions. */
static uint32_t arcs_of(const struct mw_edges *list, uint64_t i, bool back,
                        mw_vid arc[2][2])
{
    mw_edges_get(list, i, &arc[0][back], &arc[0][!back]);
    arc[1][0] = arc[0][1];
    arc[1][1] = arc[0][0];
    return arc[0][0] == arc[0][1] ? 0 : list->directed ? 1 : 2;
}

/* Local: where each rank's arcs begin in a stretch for all, by rank; *n: how many there are. */
static void count_arcs(const struct mw_edges *list, const struct mw_partition *deal,
                       bool back, uint64_t *begin, uint64_t *n)
{
    mw_vid arc[2][2];
    *n = 0;
    for (uint64_t i = 0; i < list->n; i++)
        for (uint32_t k = arcs_of(list, i, back, arc); k-- > 0;)
            begin[mw_owner(deal, arc[k][0])]++;
    for (uint32_t r = 0; r < deal->n_ranks; r++) {
        const uint64_t here = begin[r];
        begin[r] = *n;
        *n += here;
    }
}

/* Collective: each arc to the owner of the vertex that it leaves, as a list of its own; the caller
 * frees out->wide. */
static int deal_arcs(const struct mw_edges *list, struct mw_comm *comm,
                     const struct mw_partition *deal, bool back, struct mw_edges *out)
{
    uint64_t *const begin =
        mw_alloc("counts of arcs", 3 * (uint64_t)comm->size, sizeof *begin);
    mw_vid(*to)[2] = NULL, arc[2][2];
    uint64_t n = 0, *const bytes = begin == NULL ? NULL : begin + comm->size,
             *const got = begin == NULL ? NULL : bytes + comm->size;
    void *mine = NULL;
    int rc = begin == NULL ? MW_ERR_NOMEM : MW_OK;
    if (rc == MW_OK) {
        count_arcs(list, deal, back, begin, &n);
        to = mw_alloc(dealt_arcs, n + 1, sizeof *to);
        rc = to == NULL ? MW_ERR_NOMEM : MW_OK;
    }
    for (uint32_t r = 0; rc == MW_OK && r < comm->size; r++)
        bytes[r] = sizeof *to * ((r + 1 < comm->size ? begin[r + 1] : n) - begin[r]);
    for (uint64_t i = 0; rc == MW_OK && i < list->n; i++)
        for (uint32_t k = arcs_of(list, i, back, arc); k-- > 0;)
            memcpy(to[begin[mw_owner(deal, arc[k][0])]++], arc[k], sizeof arc[k]);
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_exchange(comm, to, bytes, &mine, got);
    mw_free(to);
    *out =
        (struct mw_edges){.n_vertices = list->n_vertices, .directed = true, .wide = mine};
    for (uint32_t r = 0; rc == MW_OK && r < comm->size; r++)
        out->n += got[r] / sizeof *to;
    mw_free(begin);
    return rc;
}

/* Local: arcs that leave this rank's vertices, into rows; then each once, the last row that has had
 * a vertex being its mark. */
static int fill_rows(const struct mw_edges *list, bool back, uint64_t *mark,
                     struct mw_oracle_rows *rows)
{
    mw_vid arc[2][2];
    uint32_t owner;
    uint64_t from = 0, to = 0, *const first = rows->first;
    for (uint64_t i = 0; i < list->n; i++)
        for (uint32_t k = arcs_of(list, i, back, arc); k-- > 0;)
            first[mw_locate(&rows->deal, arc[k][0], &owner) + 1]++;
    for (uint64_t p = 0; p < rows->n; p++)
        first[p + 1] += first[p];
    rows->to = mw_alloc(ends_of_rows, first[rows->n] + 1, sizeof *rows->to);
    if (rows->to == NULL)
        return MW_ERR_NOMEM;
    for (uint64_t i = 0; i < list->n; i++)
        for (uint32_t k = arcs_of(list, i, back, arc); k-- > 0;)
            rows->to[first[mw_locate(&rows->deal, arc[k][0], &owner)]++] = arc[k][1];
    memset(mark, 0, rows->deal.n_vertices * sizeof *mark);
    for (uint64_t p = 0; p < rows->n; p++) {
        const uint64_t end = first[p];
        first[p] = to;
        for (; from < end; from++)
            if (mark[rows->to[from]] != p + 1) {
                mark[rows->to[from]] = p + 1;
                rows->to[to++] = rows->to[from];
            }
    }
    first[rows->n] = to;
    return MW_OK;
}

/* Collective. Borrows `mark` for the call, a number for each vertex of the graph. `back`: of edges turned
 * round, the neighbours that they come from. */
static int rows_new(const struct mw_edges *list, struct mw_comm *comm, bool back,
                    uint64_t *mark, struct mw_oracle_rows *out)
{
    struct mw_edges dealt = {.wide = NULL};
    const struct mw_edges *mine = list;
    int rc = MW_OK;
    *out = (struct mw_oracle_rows){
        .deal = mw_partition_of(list->n_vertices, comm->rank, comm->size)};
    out->n = mw_my_places(&out->deal);
    out->first = mw_alloc(first_rows, out->n + 1, sizeof *out->first);
    rc = out->first == NULL ? MW_ERR_NOMEM : MW_OK;
    if (comm->size > 1) {
        rc = mw_comm_agree(comm, rc);
        if (rc == MW_OK)
            rc = deal_arcs(list, comm, &out->deal, back, &dealt);
        mine = &dealt;
        back = false;
    }
    if (rc == MW_OK)
        rc = fill_rows(mine, back, mark, out);
    mw_free(dealt.wide);
    return mw_comm_agree(comm, rc);
}

static void rows_free(struct mw_oracle_rows *rows)
{
    MW_FREE_ALL(rows->first, rows->to);
}

/* What they take while they are made, if ranks have alike many. */
static void rows_sizes(const struct mw_check_shape *shape,
                       const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint64_t n_arcs = (shape->directed ? 1 : 2) * shape->n_tuples;
    mw_sizes_add(out, MW_SEARCHING, first_rows, shape->n_places + 1, sizeof(uint64_t));
    mw_sizes_add(out, MW_SEARCHING, ends_of_rows, n_arcs + 1, sizeof(mw_vid))->estimated =
        true;
    if (world->groups.n_ranks > 1) /* and once more while they are exchanged */
        mw_sizes_add(out, MW_SEARCHING, dealt_arcs, 2 * n_arcs, 2 * sizeof(mw_vid))
            ->estimated = true;
}

/* ---- expected answers ---------------------------------------------------------------------- */

static uint32_t n_values(const struct mw_check *by)
{
    return by->n_expected > 0 ? by->n_expected : 1;
}

static bool has_room(const struct mw_check *by)
{
    return by->vertex_words + by->place_words > 0;
}

static uint64_t room_words(const struct mw_check *by, uint64_t n_vertices,
                           uint64_t n_places)
{
    return by->vertex_words * n_vertices + by->place_words * n_places;
}

/* Collective: what the check asks for; the numbers of all vertices mark them meanwhile. */
static int give(const struct mw_check *by, struct mw_expected *e)
{
    const bool directed = e->edges->directed;
    const struct mw_partition deal = mw_partition_of(e->n, e->comm->rank, e->comm->size);
    const uint64_t n_words = room_words(by, e->n, mw_my_places(&deal));
    int rc = MW_OK;
    if (by->with_rows || (by->with_in_rows && !directed))
        MW_TRY(rc, rows_new(e->edges, e->comm, false, e->was, &e->rows));
    if (!directed)
        e->in_rows = e->rows;
    else if (by->with_in_rows)
        MW_TRY(rc, rows_new(e->edges, e->comm, true, e->was, &e->in_rows));
    if (has_room(by)) { /* though this rank may have no places */
        e->room = mw_alloc(room_name, n_words, sizeof *e->room);
        rc = mw_comm_agree(e->comm, e->room != NULL ? MW_OK : MW_ERR_NOMEM);
    }
end:
    return rc;
}

static void take_back(struct mw_expected *e)
{
    rows_free(&e->rows);
    if (e->edges->directed)
        rows_free(&e->in_rows);
    mw_free(e->room);
    mw_free(e->was);
}

/* Collective: the expected answers, into o->is. */
static int expect(struct oracle *o, const struct mw_traversal *t, mw_vid key)
{
    const struct mw_check *const by = t->algorithm->check;
    struct mw_expected e = {.edges = o->edges,
                            .t = t,
                            .comm = t->world->comm,
                            .key = key,
                            .n = o->edges->n_vertices};
    if (by->once && o->is != NULL && o->of == t && o->n_levels == t->n_levels)
        return MW_OK;
    mw_free(o->is);
    o->is = e.is = mw_alloc(answers_name, n_values(by) * e.n, sizeof *e.is);
    e.was = mw_alloc(before_name, e.n, sizeof *e.was);
    int rc = mw_comm_agree(e.comm, e.is != NULL && e.was != NULL ? MW_OK : MW_ERR_NOMEM);
    if (rc == MW_OK)
        rc = give(by, &e);
    if (rc == MW_OK)
        rc = mw_comm_agree(e.comm, by->expect(&e));
    take_back(&e);
    o->of = t;
    o->n_levels = t->n_levels;
    return rc;
}

int mw_expected_share(const struct mw_expected *e, uint64_t *said, uint64_t *known,
                      uint64_t *any)
{
    const int rc = mw_comm_sum(e->comm, said, (uint32_t)e->n);
    *any = 0;
    for (uint64_t v = 0; v < e->n; v++) {
        known[v] = said[v];
        *any |= said[v];
        said[v] = 0;
    }
    return rc;
}

/* ---- rows of all vertices -------------------------------------------------------------------- */

static const char begins_name[] = "where gathered rows begin",
                  whole_rows[] = "rows of all ranks";

/* Rows come by rank, and a rank's in the order of its places. begin[] has degrees before. */
static void find_gathered(const struct mw_partition *deal, uint64_t *begin, uint64_t *end)
{
    uint64_t before = 0;
    for (uint32_t r = 0; r < deal->n_ranks; r++)
        for (uint64_t p = 0; p < mw_places_at(deal, r); p++) {
            const mw_vid v = mw_vertex(deal, r, p);
            const uint64_t degree = begin[v];
            begin[v] = before;
            end[v] = before += degree;
        }
}

int mw_expected_gather(const struct mw_expected *e, const struct mw_oracle_rows *rows,
                       struct mw_gathered_rows *out)
{
    struct mw_comm *const comm = e->comm;
    uint64_t *const bytes =
        mw_alloc("bytes of rows", 2 * (uint64_t)comm->size, sizeof *bytes);
    int rc;
    *out = (struct mw_gathered_rows){
        .begin = mw_alloc(begins_name, 2 * e->n, sizeof *out->begin), .to = rows->to};
    MW_TRY(rc, mw_comm_agree(comm,
                             bytes == NULL || out->begin == NULL ? MW_ERR_NOMEM : MW_OK));
    out->end = out->begin + e->n;
    for (uint64_t p = 0; p < rows->n; p++)
        out->begin[mw_expected_vertex(rows, p)] = rows->first[p + 1] - rows->first[p];
    MW_TRY(rc, mw_comm_sum(comm, out->begin, (uint32_t)e->n));
    find_gathered(&rows->deal, out->begin, out->end);
    if (comm->size == 1)
        goto end;
    memset(bytes, 0, comm->size * sizeof *bytes);
    bytes[0] = rows->first[rows->n] * sizeof *rows->to;
    rc = mw_comm_exchange(comm, rows->to, bytes, &out->own, bytes + comm->size);
    out->to = out->own;
end:
    mw_free(bytes);
    return rc;
}

void mw_gathered_free(struct mw_gathered_rows *rows)
{
    MW_FREE_ALL(rows->begin, rows->own);
}

void mw_gathered_sizes(const struct mw_check_shape *shape,
                       const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint32_t n_ranks = world->groups.n_ranks;
    mw_sizes_add(out, MW_SEARCHING, begins_name, 2 * shape->n_vertices, sizeof(uint64_t))
        ->copies = shape->directed && shape->check->with_in_rows ? 2 : 1;
    if (n_ranks > 1) /* the first rank has them, and the plan is of the largest */
        mw_sizes_add(out, MW_SEARCHING, whole_rows, 2 * n_ranks * shape->n_tuples,
                     sizeof(mw_vid))
            ->estimated = true;
}

void mw_oracle_sizes(const struct mw_check_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    const struct mw_check *const by = shape->check;
    const uint64_t n_words = room_words(by, shape->n_vertices, shape->n_places);
    const bool either = by->with_rows || by->with_in_rows,
               both = by->with_rows && by->with_in_rows && shape->directed;
    mw_sizes_add(out, MW_SEARCHING, answers_name, n_values(by) * shape->n_vertices,
                 sizeof(uint64_t));
    mw_sizes_add(out, MW_SEARCHING, before_name, shape->n_vertices, sizeof(uint64_t));
    for (int i = 0; i < either + both; i++)
        rows_sizes(shape, world, out);
    mw_sizes_add(out, MW_SEARCHING, room_name, n_words, sizeof(uint64_t))->copies =
        has_room(by);
    if (by->more_sizes != NULL)
        by->more_sizes(shape, world, out);
}

/* ---- the check --------------------------------------------------------------------------------- */

int mw_oracle_open(struct mw_world *world, struct mw_edges *edges, void **out)
{
    struct oracle *const o = mw_alloc("oracle", 1, sizeof *o);
    *out = o;
    if (o != NULL)
        *o = (struct oracle){.edges = edges};
    const int rc = mw_comm_agree(world->comm, o != NULL ? MW_OK : MW_ERR_NOMEM);
    return rc == MW_OK ? mw_list_come_home(world, edges) : rc;
}

void mw_oracle_close(void *check)
{
    struct oracle *const o = check;
    if (o != NULL)
        mw_free(o->is);
    mw_free(o);
}

/* Self-loops, and other tuples: here. */
static void count_tuples(const struct mw_edges *list, struct mw_verdict *out)
{
    for (uint64_t i = 0; i < list->n; i++) {
        mw_vid u, v;
        mw_edges_get(list, i, &u, &v);
        out->n_self_loops += u == v;
    }
    out->n_edges = list->n - out->n_self_loops;
}

static int wrong_number(uint32_t rule, const char *value, const char *vertex,
                        uint64_t said, uint64_t is)
{
    return mw_fail(MW_ERR_INVALID,
                   "validation failed: rule %u, the %s of vertex %s is said to be "
                   "%" PRId64 ", and is %" PRId64,
                   rule, value, vertex, (int64_t)said, (int64_t)is);
}

static int wrong_real(uint32_t rule, const char *value, const char *vertex, double said,
                      double is)
{
    return mw_fail(MW_ERR_INVALID,
                   "validation failed: rule %u, the %s of vertex %s is said to be "
                   "%.9g, and is %.9g",
                   rule, value, vertex, said, is);
}

/* Local: this rank's first wrong answer is the error. Rule `which` + 1 is of that value. */
static int compare(const struct mw_edges *list, const struct mw_traversal *t,
                   uint32_t which, const uint64_t *is, struct mw_verdict *out)
{
    const struct mw_value *const value = &t->algorithm->value[which];
    const bool real = value->type == MW_VALUE_REAL;
    char name[MW_NAME_ROOM];
    int rc = MW_OK;
    for (uint64_t p = 0; p < t->graph->n_places; p++) {
        const mw_vid v = mw_vertex_at(t->graph, t->world->comm->rank, p);
        const uint64_t number = real ? 0 : mw_traversal_value(t, which, p);
        const double said = real ? (double)mw_traversal_real(t, which, p) : 0;
        const bool right = real ? mw_value_agrees(value, said, mw_double_of_bits(is[v]))
                                : number == is[v];
        const bool reached = real ? !isnan(said) : number != MW_NO_VERTEX;
        out->n_reached += which == 0 && reached;
        out->n_wrong[which] += !right;
        if (right || rc != MW_OK)
            continue;
        const char *const vertex = mw_names_text(list->names, v, name);
        rc = real ? wrong_real(which + 1, value->name, vertex, said,
                               mw_double_of_bits(is[v]))
                  : wrong_number(which + 1, value->name, vertex, number, is[v]);
    }
    return rc;
}

/* Of answers that are asked for again none are left. */
static void forget(struct oracle *o)
{
    mw_free(o->is);
    o->is = NULL;
}

int mw_oracle_run(void *check, const struct mw_traversal *t, mw_vid key,
                  struct mw_verdict *out)
{
    struct oracle *const o = check;
    struct mw_comm *const comm = t->world->comm;
    const struct mw_check *const by = t->algorithm->check;
    *out = (struct mw_verdict){.by = MW_BY_HOST};
    int rc = expect(o, t, key);
    if (rc == MW_OK) {
        count_tuples(o->edges, out);
        for (uint32_t i = 0; i < n_values(by); i++) {
            const int wrong =
                compare(o->edges, t, i, o->is + i * o->edges->n_vertices, out);
            rc = rc == MW_OK ? wrong : rc;
        }
        const int summed = mw_verdict_sum(out, comm);
        rc = mw_comm_agree(comm, rc == MW_OK ? summed : rc);
    }
    if (rc != MW_OK || !by->once)
        forget(o);
    return rc;
}
