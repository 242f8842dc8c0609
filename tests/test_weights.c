/* test_weights.c -- weights of rows and of delegates' pieces against a list of all pairs.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/delegates.h"
#include "sample.h"

/* "u leads to v", by the tuple that stands at `order` in the input. */
struct pair {
    uint64_t u, v, order;
    float weight;
};

struct weighing {
    const struct sample *sample;
    struct mw_graph_rule rule;
    int64_t delegate;
    bool unlisted;     /* the list has no weights: all are 1 */
    uint32_t n_ranks;  /* who read the list */
    struct pair *pair; /* [n], by u, v and order */
    uint64_t n;
};

/* Few different ones, so that there are ties; zeros; and sums that are rounded. */
static float drawn_weight(uint64_t tuple)
{
    static const float scale[] = {0, 1, 1e-6F, 3e7F};
    const uint64_t x = mixed(tuple + 77);
    return scale[x % 4] * (float)(1 + (x >> 8) % 9) / 7;
}

static int compare_pairs(const void *a, const void *b)
{
    const struct pair *x = a, *y = b;
    if (x->u != y->u)
        return x->u < y->u ? -1 : 1;
    if (x->v != y->v)
        return x->v < y->v ? -1 : 1;
    return (x->order > y->order) - (x->order < y->order);
}

/* As sample_share() deals them: the input is what the first rank has, then the second one's. */
static void list_pairs(struct weighing *x)
{
    const struct sample *s = x->sample;
    x->n = 0;
    x->pair = calloc(2 * s->m + 1, sizeof *x->pair);
    MUST(x->pair != NULL);
    for (uint64_t i = 0; i < s->m; i++) {
        const uint64_t u = s->edge[i][0], v = s->edge[i][1];
        const uint64_t order = mixed(i) % x->n_ranks * s->m + i;
        const float weight = x->unlisted ? 1 : drawn_weight(i);
        x->pair[x->n++] = (struct pair){u, v, order, weight};
        if (!s->directed)
            x->pair[x->n++] = (struct pair){v, u, order, weight};
    }
    qsort(x->pair, x->n, sizeof *x->pair, compare_pairs);
}

static int compare_floats(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* What the weights of n tuples that lead from one vertex to another become. */
static float merged(enum mw_weights rule, const struct pair *p, uint64_t n)
{
    float *const all = malloc(n * sizeof *all);
    double sum = 0;
    MUST(all != NULL);
    for (uint64_t i = 0; i < n; i++)
        all[i] = p[i].weight;
    qsort(all, n, sizeof *all, compare_floats);
    const float least = all[0];
    for (uint64_t i = 0; i < n; i++)
        sum += all[i];
    free(all);
    return rule == MW_WEIGHTS_MINIMUM ? least
           : rule == MW_WEIGHTS_FIRST ? p[0].weight
                                      : (float)sum;
}

/* -1: no tuple leads from u to v. */
static float expected(const struct weighing *x, uint64_t u, uint64_t v)
{
    uint64_t low = 0, high = x->n, end;
    const struct pair is = {u, v, 0, 0};
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (compare_pairs(&x->pair[mid], &is) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    for (end = low; end < x->n && x->pair[end].u == u && x->pair[end].v == v; end++)
        ;
    return end > low ? merged(x->rule.weights, x->pair + low, end - low) : -1;
}

static mw_vid vertex_of(const struct mw_graph *g, uint64_t label)
{
    return mw_vertex_at(g, g->comm->rank, g->place_of[label]);
}

static int check_rows(const struct mw_graph *g, const struct weighing *x)
{
    for (uint32_t l = 0; l < g->n_labels; l++) {
        const mw_vid v = vertex_of(g, l);
        for (uint64_t k = g->row[l]; k < g->row[l + 1]; k++) {
            const mw_vid u =
                mw_number(g->name, mw_number(g->column, k, g->wide), g->wide);
            const float must = expected(x, v, u);
            EXPECT(g->weight[k] == must, "%u to %u: %g, not %g", (unsigned)v, (unsigned)u,
                   g->weight[k], must);
        }
        for (uint64_t k = g->in_row[l]; k < g->in_row[l + 1]; k++) {
            const mw_vid u =
                mw_number(g->name, mw_number(g->in_column, k, g->wide), g->wide);
            const float must = expected(x, u, v);
            EXPECT(g->in_weight[k] == must, "%u from %u: %g, not %g", (unsigned)v,
                   (unsigned)u, g->in_weight[k], must);
        }
    }
    return MW_OK;
}

static int check_pieces(const struct mw_graph *g, const struct weighing *x)
{
    const struct mw_delegates *d = g->delegates;
    for (uint32_t owner = 0; d != NULL && owner < g->comm->size; owner++)
        for (uint64_t i = d->first[owner]; i < d->first[owner + 1]; i++) {
            const mw_vid hub = mw_delegate_name(g, owner, i - d->first[owner]);
            for (uint64_t k = d->start[i]; k < d->start[i + 1]; k++) {
                const float must = expected(x, hub, vertex_of(g, d->label[k]));
                EXPECT(d->weight[k] == must, "piece of %u: %g, not %g", (unsigned)hub,
                       d->weight[k], must);
            }
        }
    return MW_OK;
}

/* All arrays but weights are those of the graph without. */
static int check_same(const struct mw_graph *a, const struct mw_graph *b)
{
    const uint64_t number = mw_number_bytes(a->wide), n = a->n_labels;
    EXPECT(a->n_labels == b->n_labels && a->n_entries == b->n_entries, "%u labels",
           a->n_labels);
    EXPECT(memcmp(a->row, b->row, (n + 1) * sizeof *a->row) == 0, "row");
    EXPECT(memcmp(a->column, b->column, a->row[n] * number) == 0, "column");
    EXPECT(memcmp(a->in_column, b->in_column, a->in_row[n] * number) == 0, "in_column");
    EXPECT(memcmp(a->head, b->head, n * number) == 0, "head");
    EXPECT(b->weight == NULL && b->in_weight == NULL, "weights that nobody asked for");
    EXPECT(a->weight != NULL && (a->in_weight == a->weight) == !a->directed, "weights");
    return MW_OK;
}

static int weigh_and_check(struct mw_world *w, void *arg)
{
    const struct weighing *x = arg;
    const struct sample *s = x->sample;
    struct mw_graph_rule plain = x->rule;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL, *without = NULL;
    uint64_t n = 0;
    int rc;

    plain.weights = MW_WEIGHTS_NONE;
    MW_TRY(rc, sample_share(s, w->comm, &edges));
    if (!x->unlisted)
        MW_TRY(rc, mw_edges_weigh(&edges));
    for (uint64_t i = 0; !x->unlisted && i < s->m; i++)
        if (mixed(i) % w->comm->size == w->comm->rank)
            edges.weight[n++] = drawn_weight(i);
    MW_TRY(rc, mw_graph_build_by(w, &edges, &x->rule, &g));
    MW_TRY(rc, mw_graph_build_by(w, &edges, &plain, &without));
    MW_TRY(rc, mw_graph_delegate(w, g, x->delegate));
    rc = check_same(g, without);
    if (rc == MW_OK)
        rc = check_rows(g, x);
    if (rc == MW_OK)
        rc = check_pieces(g, x);
    rc = mw_comm_agree(w->comm, rc);
end:
    mw_graph_free(without);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

/* One rule, and one of all shapes of ranks, hosts, rounds and pieces, drawn by a seed. */
static void must_weigh(const struct sample *s, enum mw_weights weights, uint64_t seed)
{
    uint64_t dice = seed << 20;
    struct weighing x = {.sample = s,
                         .rule = {.columns = (enum mw_look_up)drawn(&dice, 3),
                                  .weights = weights,
                                  .piece_entries = drawn(&dice, 3) == 0 ? 20 : 0},
                         .delegate = (int64_t)drawn(&dice, 9) - 1,
                         .unlisted = drawn(&dice, 8) == 0,
                         .n_ranks = 1 + (uint32_t)drawn(&dice, 5)};
    struct ranks r = {.loop = {x.n_ranks, (uint32_t)drawn(&dice, 4), seed % 7},
                      .body = weigh_and_check,
                      .arg = &x};
    with_threads(&r, (uint32_t)drawn(&dice, 4));
    with_width(&r, 1 + (uint32_t)drawn(&dice, x.n_ranks));
    r.world.least_bits = drawn(&dice, 5) == 0 ? 31 : 0;
    r.world.small_input = 256;
    r.world.batch_bytes = 512;
    r.world.hang_timeout_s = HANG_S;
    list_pairs(&x);
    must_run(&r);
    free(x.pair);
}

static void must_weigh_all(struct sample *s, uint64_t seed)
{
    for (int w = MW_WEIGHTS_MINIMUM; w <= MW_WEIGHTS_SUM; w++)
        must_weigh(s, (enum mw_weights)w, 3 * seed + (uint64_t)w);
    sample_free(s);
}

START_TEST(every_shape_has_its_weights)
{
    struct sample s = sample_shape((enum shape)(_i / 2));
    if (_i % 2)
        sample_direct(&s);
    must_weigh_all(&s, (uint64_t)_i);
}
END_TEST

START_TEST(random_multigraphs_have_their_weights)
{
    struct sample s = sample_random((uint64_t)_i + 900);
    if (_i % 2)
        sample_direct(&s);
    must_weigh_all(&s, (uint64_t)_i + 100);
}
END_TEST

START_TEST(kronecker_graphs_have_their_weights)
{
    struct sample s = sample_kronecker((uint32_t)_i);
    if (_i % 2)
        sample_direct(&s);
    must_weigh_all(&s, (uint64_t)_i + 1000);
}
END_TEST

/* Most rows of the first places are longer than a sorter's piece, some in one pair alone. */
START_TEST(long_rows_and_many_duplicates_are_merged_in_pieces)
{
    static const enum mw_weights rule[] = {MW_WEIGHTS_MINIMUM, MW_WEIGHTS_FIRST,
                                           MW_WEIGHTS_SUM};
    struct sample s = {.name = "hubs and many duplicates", .n = 3000};
    uint64_t dice = (uint64_t)_i;
    for (int i = 0; i < 6000; i++) {
        const uint64_t u = drawn(&dice, 4), v = drawn(&dice, i % 2 ? 5 : s.n);
        sample_edge(&s, i % 3 ? u : v, i % 3 ? v : u);
    }
    sample_finish(&s);
    for (uint32_t n_ranks = 1; n_ranks <= 4; n_ranks++) {
        struct weighing x = {
            .sample = &s,
            .rule = {.columns = _i / 3 == 1 ? MW_LOOK_UP_ASK : MW_LOOK_UP_TABLE,
                     .weights = rule[_i % 3],
                     .piece_entries = 20},
            .delegate = 50,
            .n_ranks = n_ranks};
        struct ranks r = {
            .loop = {n_ranks, n_ranks / 2, 1}, .body = weigh_and_check, .arg = &x};
        with_threads(&r, n_ranks);
        with_width(&r, n_ranks / 2);
        r.world.batch_bytes = 512;
        list_pairs(&x);
        must_run(&r);
        free(x.pair);
    }
    sample_free(&s);
}
END_TEST

/* Relays of meshes do not pass weights on, so the management core's do. */
START_TEST(weights_pass_the_relays_of_core_groups)
{
    const struct mw_backend *backend;
    struct sample s = sample_kronecker(6);
    struct weighing x = {.sample = &s,
                         .rule = {.weights = (enum mw_weights)_i},
                         .delegate = MW_DELEGATE_OFF,
                         .n_ranks = 4};
    struct ranks r = {.loop = {4, 1, 0}, .body = weigh_and_check, .arg = &x};
    if (mw_backend_find("emul", &backend) == MW_OK) {
        r.world.backend = "emul";
        with_width(&r, 2);
        list_pairs(&x);
        must_run(&r);
        free(x.pair);
    } else {
        mw_error_clear();
    }
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("weights");
    TCase *t = tcase_create("weights");
    tcase_add_loop_test(t, every_shape_has_its_weights, 0, 2 * SHAPES);
    tcase_add_loop_test(t, random_multigraphs_have_their_weights, 0,
                        how_many(80, 60, 20));
    tcase_add_loop_test(t, kronecker_graphs_have_their_weights, 4, how_many(13, 11, 9));
    tcase_add_loop_test(t, long_rows_and_many_duplicates_are_merged_in_pieces, 0, 6);
    tcase_add_loop_test(t, weights_pass_the_relays_of_core_groups, MW_WEIGHTS_MINIMUM,
                        MW_WEIGHTS_SUM + 1);
    suite_add_tcase(s, t);
    return run_suite(s);
}
