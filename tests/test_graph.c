/* test_graph.c -- kernel 1 against adjacency sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/placed.h"
#include "graph/graph.h"
#include "mpe/prefix.h"
#include "sample.h"

#include <unistd.h>

/* A graph, and the same edges turned round. */
struct both {
    struct sample out, in;
};

/* The entries of a row are the vertex's neighbours in `s`. */
static int check_row(const struct mw_graph *g, const struct sample *s, uint32_t label,
                     const uint64_t *row, const void *columns)
{
    const mw_vid v = mw_vertex_at(g, g->comm->rank, g->place_of[label]);
    uint64_t before = 0;

    EXPECT(row[label + 1] - row[label] == sample_degree(s, v), "vertex %u", (unsigned)v);
    for (uint64_t k = row[label]; k < row[label + 1]; k++) {
        const uint64_t column = mw_number(columns, k, g->wide);
        const uint64_t owner = mw_column_owner(column, g->label_bits);
        const uint64_t its_label = mw_column_label(column, g->label_bits);
        const uint64_t order = its_label * g->comm->size + owner + 1;
        EXPECT(owner < g->comm->size, "column %llx", (unsigned long long)column);
        const mw_vid u = mw_number(g->name, column, g->wide);
        EXPECT(mw_owner_of(g, u) == owner, "vertex %u", (unsigned)u);
        EXPECT(sample_adjacent(s, v, u), "%u and %u", (unsigned)v, (unsigned)u);
        EXPECT(order > before, "row of %u is not sorted by label", (unsigned)v);
        before = order;
    }
    return MW_OK;
}

/* By what labels are sorted. */
static uint64_t touching(const struct both *s, mw_vid v)
{
    return s->out.touching[v] + (s->out.directed ? s->in.touching[v] : 0);
}

static int check_head(const struct mw_graph *g, const struct both *s, uint64_t p)
{
    const mw_vid v = mw_vertex_at(g, g->comm->rank, p);
    const bool marked = g->connected[p / 64] >> (p % 64) & 1;
    EXPECT(marked == (touching(s, v) > 0), "vertex %u", (unsigned)v);
    if (!marked)
        return MW_OK;
    const uint64_t at = mw_head_index(g, p);
    if (sample_degree(&s->in, v) == 0) {
        const uint64_t itself = mw_column(g->comm->rank, g->label_of[p], g->label_bits);
        EXPECT(mw_number(g->head, at, g->wide) == itself, "vertex %u", (unsigned)v);
        return MW_OK;
    }
    const uint64_t head = mw_number(g->in_column, g->in_row[g->label_of[p]], g->wide);
    EXPECT(mw_number(g->head, at, g->wide) == head, "vertex %u", (unsigned)v);
    EXPECT(mw_number(g->head_name, at, g->wide) == mw_number(g->name, head, g->wide),
           "vertex %u", (unsigned)v);
    return MW_OK;
}

static int check_places(const struct mw_graph *g, const struct both *s)
{
    uint32_t n_labels = 0;
    uint64_t before = UINT64_MAX;
    int rc = MW_OK;
    for (uint64_t p = 0; rc == MW_OK && p < g->n_places; p++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, p);
        const uint32_t label = g->label_of[p];
        EXPECT(v < s->out.n && mw_owner_of(g, v) == g->comm->rank &&
                   mw_place_of(g, v) == p,
               "place %u", (unsigned)p);
        EXPECT(g->degree[p] == s->out.touching[v], "vertex %u", (unsigned)v);
        rc = check_head(g, s, p);
        if (touching(s, v) == 0) {
            EXPECT(label == MW_NO_LABEL, "vertex %u", (unsigned)v);
            continue;
        }
        n_labels++;
        EXPECT(label < g->n_labels && g->place_of[label] == p, "vertex %u", (unsigned)v);
        const uint64_t column = mw_column(g->comm->rank, label, g->label_bits);
        EXPECT(mw_number(g->name, column, g->wide) == v, "vertex %u", (unsigned)v);
    }
    EXPECT(n_labels == g->n_labels, "%u of %u labels", n_labels, g->n_labels);
    for (uint32_t l = 0; l < g->n_labels; l++) {
        const uint64_t n = touching(s, mw_vertex_at(g, g->comm->rank, g->place_of[l]));
        EXPECT(n <= before, "label %u", l);
        before = n;
    }
    return rc;
}

static int check_totals(const struct mw_graph *g, const struct both *both)
{
    const struct sample *s = &both->out;
    uint64_t n_connected = 0;
    uint64_t sum[2] = {g->row[g->n_labels], g->in_row[g->n_labels]};
    for (uint64_t v = 0; v < s->n; v++)
        n_connected += touching(both, v) > 0;
    EXPECT(g->n_vertices == s->n && g->n_edges == s->m, "%u, %u", (unsigned)g->n_vertices,
           (unsigned)g->n_edges);
    EXPECT(g->n_connected == n_connected, "%u", (unsigned)g->n_connected);
    EXPECT(g->n_entries == s->first[s->n], "%u", (unsigned)g->n_entries);
    EXPECT(mw_graph_n_distinct(g) == s->first[s->n] / (s->directed ? 1 : 2), "%u",
           (unsigned)g->n_entries);
    EXPECT(g->n_places == mw_my_places(&g->partition), "%u", (unsigned)g->n_places);
    EXPECT(g->n_columns == mw_columns_of(g->comm->size, g->label_bits) + 64, "%u",
           (unsigned)g->n_columns);
    EXPECT(g->n_labels <= mw_columns_of(1, g->label_bits), "%u", g->n_labels);
    EXPECT(g->wide == (s->n > MW_NARROW_VERTICES), "%u vertices", (unsigned)s->n);
    EXPECT(s->directed || (g->row == g->in_row && g->column == g->in_column),
           "rows twice");
    if (mw_comm_sum(g->comm, sum, 2) != MW_OK || sum[0] != g->n_entries ||
        sum[1] != g->n_entries)
        return mw_fail(MW_ERR_INVALID, "rows add up to %u, %u", (unsigned)sum[0],
                       (unsigned)sum[1]);
    return MW_OK;
}

static int build_and_check(struct mw_world *w, void *arg)
{
    const struct both *both = arg;
    const struct sample *s = &both->out;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    int rc;

    MW_TRY(rc, sample_share(s, w->comm, &edges));
    edges.block_bits = (uint32_t)(s->m % 5);
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, check_totals(g, both));
    MW_TRY(rc, check_places(g, both));
    for (uint32_t l = 0; l < g->n_labels; l++) {
        MW_TRY(rc, check_row(g, s, l, g->row, g->column));
        MW_TRY(rc, check_row(g, &both->in, l, g->in_row, g->in_column));
    }
    for (mw_vid v = 0; v < s->n; v += s->n / 7 + 1) {
        uint64_t connected;
        MW_TRY(rc, mw_placed_are_connected(w, g, &v, 1, &connected));
        if (connected != (sample_degree(s, v) > 0))
            MW_TRY(rc,
                   mw_fail(MW_ERR_INVALID, "vertex %u: %d", (unsigned)v, (int)connected));
    }
end:
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

/* ---- the same graph by any rule ------------------------------------------------------------- */

static int same(const char *what, const void *a, const void *b, uint64_t n,
                uint64_t bytes)
{
    EXPECT(memcmp(a, b, n * bytes) == 0, "%s", what);
    return MW_OK;
}

static int check_same(const struct mw_graph *a, const struct mw_graph *b)
{
    const uint64_t number = mw_number_bytes(a->wide), n = a->n_labels + UINT64_C(1);
    int rc;
    EXPECT(a->n_labels == b->n_labels && a->label_bits == b->label_bits &&
               a->n_entries == b->n_entries && a->n_connected == b->n_connected,
           "%u labels, %u", a->n_labels, b->n_labels);
    MW_TRY(rc, same("row", a->row, b->row, n, sizeof *a->row));
    MW_TRY(rc, same("column", a->column, b->column, a->row[n - 1], number));
    MW_TRY(rc, same("in_row", a->in_row, b->in_row, n, sizeof *a->in_row));
    MW_TRY(rc, same("in_column", a->in_column, b->in_column, a->in_row[n - 1], number));
    MW_TRY(rc, same("head", a->head, b->head, a->n_labels, number));
    MW_TRY(rc, same("head_name", a->head_name, b->head_name, a->n_labels, number));
    MW_TRY(rc, same("label_of", a->label_of, b->label_of, a->n_places, 4));
    MW_TRY(rc, same("place_of", a->place_of, b->place_of, a->n_labels, 4));
    MW_TRY(rc, same("degree", a->degree, b->degree, a->n_places, 4));
end:
    return rc;
}

static int build_both_ways(struct mw_world *w, void *arg)
{
    static const struct mw_graph_rule table = {.columns = MW_LOOK_UP_TABLE},
                                      ask = {.columns = MW_LOOK_UP_ASK},
                                      neither = {.columns = MW_LOOK_UP_ASK,
                                                 .without_names = true};
    struct mw_edges edges = {0};
    static const struct mw_graph_rule pieces = {.piece_entries = 20};
    struct mw_graph *g = NULL, *asked = NULL, *nameless = NULL, *pieced = NULL;
    int rc;

    MW_TRY(rc, sample_share(arg, w->comm, &edges));
    edges.block_bits = (uint32_t)(edges.n_vertices % 4);
    MW_TRY(rc, mw_graph_build_by(w, &edges, &table, &g));
    MW_TRY(rc, mw_graph_build_by(w, &edges, &ask, &asked));
    EXPECT(asked->asked_columns == (w->comm->size > 1) && !g->asked_columns, "%u ranks",
           w->comm->size);
    MW_TRY(rc, mw_comm_agree(w->comm, check_same(g, asked)));
    MW_TRY(rc,
           same("name", g->name, asked->name, g->n_columns, mw_number_bytes(g->wide)));
    MW_TRY(rc, mw_graph_build_by(w, &edges, &neither, &nameless));
    EXPECT((nameless->name == NULL) == (w->comm->size > 1), "%u ranks", w->comm->size);
    MW_TRY(rc, mw_comm_agree(w->comm, check_same(g, nameless)));
    MW_TRY(rc, mw_graph_build_by(w, &edges, &pieces, &pieced));
    rc = mw_comm_agree(w->comm, check_same(g, pieced));
end:
    mw_graph_free(pieced);
    mw_graph_free(nameless);
    mw_graph_free(asked);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

static void must_be_the_same(struct sample *s, uint32_t n_ranks, uint64_t seed)
{
    struct ranks r = {.loop = {n_ranks, (uint32_t)seed % 4, seed % 3},
                      .body = build_both_ways,
                      .arg = s};
    with_threads(&r, (uint32_t)seed % 3);
    with_width(&r, 1 + (uint32_t)seed % n_ranks);
    r.world.least_bits = seed % 5 == 0 ? 31 : 0;
    r.world.small_input = 256;
    r.world.batch_bytes = 512;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

START_TEST(asking_owners_builds_the_same_graph)
{
    struct sample s = _i % 2 ? sample_kronecker(9) : sample_random((uint64_t)_i + 500);
    if (_i % 4 > 1)
        sample_direct(&s);
    for (uint32_t n_ranks = 1 + (uint32_t)_i % 2; n_ranks <= 9; n_ranks += 2)
        must_be_the_same(&s, n_ranks, (uint64_t)_i + n_ranks);
    sample_free(&s);
}
END_TEST

/* SCALE 40 of the paper: 8 TiB a host. One host has the room of all. */
START_TEST(owners_are_asked_where_a_table_is_too_large)
{
    const uint64_t n = UINT64_C(1) << 40;
    ck_assert(mw_owners_are_asked(MW_LOOK_UP_AUTO, n, 16 * n, 40768, 40768));
    ck_assert(mw_owners_are_asked(MW_LOOK_UP_AUTO, n, 16 * n, 40768, 33));
    ck_assert(!mw_owners_are_asked(MW_LOOK_UP_AUTO, n, 16 * n, 40768, 32));
    ck_assert(!mw_owners_are_asked(MW_LOOK_UP_AUTO, n, n / 8, 64, 1));
    ck_assert(!mw_owners_are_asked(MW_LOOK_UP_TABLE, n, 16 * n, 40768, 40768));
    ck_assert(!mw_owners_are_asked(MW_LOOK_UP_AUTO, 1 << 28, 1 << 28, 1024, 1024));
    ck_assert(mw_owners_are_asked(MW_LOOK_UP_AUTO, 1 << 29, 1 << 29, 1024, 1024));
    ck_assert(mw_owners_are_asked(MW_LOOK_UP_ASK, 100, 100, 2, 1));
    ck_assert(!mw_owners_are_asked(MW_LOOK_UP_ASK, 100, 100, 1, 1));
}
END_TEST

static void must_build(struct sample *s, uint32_t n_ranks, uint32_t width,
                       uint32_t threads, uint64_t seed)
{
    struct both both = {*s, sample_reversed(s)};
    struct ranks r = {.loop = {n_ranks, (uint32_t)seed % 4, seed},
                      .body = build_and_check,
                      .arg = &both};
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.least_bits = width > 2 ? 29 + n_ranks % 4 : 0;
    r.world.small_input = 256;
    r.world.batch_bytes = 512;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    sample_free(&both.in);
}

START_TEST(every_shape_is_built_right)
{
    struct sample s = sample_shape((enum shape)_i);
    const uint32_t step = (uint32_t)how_many(1, 1, 3);
    for (uint32_t n_ranks = 1; n_ranks <= 9; n_ranks += step)
        must_build(&s, n_ranks, 1 + n_ranks % 4 % n_ranks, n_ranks % 4, 0);
    sample_direct(&s);
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks += step)
        must_build(&s, n_ranks, 1 + n_ranks % 4 % n_ranks, n_ranks % 3, 0);
    sample_free(&s);
}
END_TEST

START_TEST(random_multigraphs_are_built_right)
{
    uint64_t dice = (uint64_t)_i << 20;
    struct sample s = sample_random((uint64_t)_i);
    if (_i % 2)
        sample_direct(&s);
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 9);
    must_build(&s, n_ranks, 1 + (uint32_t)drawn(&dice, n_ranks),
               (uint32_t)drawn(&dice, 4), drawn(&dice, 5));
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_are_built_right)
{
    static const uint32_t prime[] = {1, 2, 3, 5, 7, 13};
    struct sample s = sample_kronecker(10);
    must_build(&s, prime[_i], 1 + (uint32_t)_i % 3, (uint32_t)_i % 4, 0);
    sample_direct(&s);
    must_build(&s, prime[5 - _i], 1, (uint32_t)_i % 3, 0);
    sample_free(&s);
}
END_TEST

/* Places are built in rounds, for a fair share of which ranks of a host have room on their shelf:
 * the rest travels. */
START_TEST(a_round_may_have_all_ends)
{
    struct sample s = {.name = "edges among the first places", .n = 8000};
    uint64_t dice = (uint64_t)_i;
    for (int i = 0; i < 8000; i++) {
        const uint64_t u = drawn(&dice, 1900);
        sample_edge(&s, u, drawn(&dice, 1900));
    }
    sample_finish(&s);
    must_build(&s, 2 + (uint32_t)_i, 1, 1 + (uint32_t)_i, 4 * (uint64_t)_i);
    must_be_the_same(&s, 3, 4 + (uint64_t)_i);
    sample_free(&s);
}
END_TEST

/* Labels are sorted by 11 bits of the degree at a time. */
START_TEST(degrees_of_more_than_11_bits_are_sorted)
{
    struct sample s = {.name = "two large hubs", .n = 5000};
    for (uint64_t v = 2; v < 4500; v++)
        sample_edge(&s, v, 0);
    for (uint64_t v = 2; v < 2500; v++)
        sample_edge(&s, 1, v);
    sample_finish(&s);
    for (uint32_t n_ranks = 1; n_ranks <= 2; n_ranks++) {
        must_build(&s, n_ranks, 1, 2, 0);
        must_be_the_same(&s, n_ranks, n_ranks);
    }
    sample_free(&s);
}
END_TEST

static int check_running_sums(struct mw_world *w, void *arg)
{
    static const uint64_t size[] = {0, 1, 2, 255, 256, 257, 5000};
    uint64_t x[5000];
    (void)arg;
    for (size_t k = 0; k < sizeof size / sizeof *size; k++) {
        uint64_t sum = 0;
        for (uint64_t i = 0; i < size[k]; i++)
            x[i] = mixed(i) % 1000;
        mw_prefix_sum(w, x, size[k]);
        for (uint64_t i = 0; i < size[k]; i++) {
            sum += mixed(i) % 1000;
            if (x[i] != sum)
                return mw_fail(MW_ERR_INVALID, "%u numbers: sum %u", (unsigned)size[k],
                               (unsigned)i);
        }
    }
    return MW_OK;
}

START_TEST(running_sums_are_the_same_by_any_number_of_cores)
{
    struct ranks r = {.loop = {2, 0, 0}, .body = check_running_sums};
    with_threads(&r, (uint32_t)_i);
    must_run(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("graph");
    TCase *t = tcase_create("construction");
    tcase_add_loop_test(t, every_shape_is_built_right, 0, SHAPES);
    tcase_add_loop_test(t, running_sums_are_the_same_by_any_number_of_cores, 0, 4);
    tcase_add_loop_test(t, random_multigraphs_are_built_right, 0, how_many(100, 100, 40));
    tcase_add_loop_test(t, kronecker_graphs_are_built_right, 0, how_many(6, 6, 3));
    tcase_add_loop_test(t, asking_owners_builds_the_same_graph, 0, how_many(12, 8, 3));
    if (MW_NARROW_VERTICES > 1000) /* not in the copy for wide numbers */
        tcase_add_test(t, owners_are_asked_where_a_table_is_too_large);
    tcase_add_loop_test(t, a_round_may_have_all_ends, 0, 2);
    tcase_add_test(t, degrees_of_more_than_11_bits_are_sorted);
    suite_add_tcase(s, t);
    return run_suite(s);
}
