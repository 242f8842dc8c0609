/* test_record_values.c -- records carry values of 64 bits, a float and a vertex, on every route, coded
 * or not, on every kind of core of a host and on a mesh; and both values of the answer are read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "nearest.h"
#include "sample.h"
#include "traversal/traversal.h"

#include <math.h>

static uint32_t value_bits(const struct mw_algorithm_shape *shape, uint32_t n_ranks)
{
    (void)shape, (void)n_ranks;
    return 64;
}

static void sizes(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out)
{
    (void)shape, (void)world, (void)out;
}

static int open_state(struct mw_traversal *t, const void *options)
{
    int rc = MW_OK;
    struct nearest_state *s;
    const uint64_t n = t->graph->n_places;
    (void)options;
    MW_NEW(rc, s, "state", 1);
    t->state = s;
    s->g = t->placed;
    MW_NEW(rc, s->best, "best", n);
    MW_NEW(rc, s->distance, "distance", n);
    s->parent = mw_alloc("parent", n, mw_number_bytes(t->graph->wide));
    rc = s->parent != NULL ? MW_OK : MW_ERR_NOMEM;
end:
    return mw_comm_agree(t->world->comm, rc);
}

static void close_state(struct mw_traversal *t)
{
    struct nearest_state *s = t->state;
    if (s == NULL)
        return;
    mw_free(s->best);
    mw_free(s->distance);
    mw_free(s->parent);
    mw_free(s);
}

static int reset(struct mw_traversal *t)
{
    const struct nearest_state *s = t->state;
    for (uint64_t p = 0; p < t->graph->n_places; p++)
        s->best[p] = UINT64_MAX;
    return MW_OK;
}

static int start(struct mw_traversal *t, mw_vid key)
{
    (void)key;
    t->now.n_active = t->graph->n_vertices;
    return MW_OK;
}

static int step(struct mw_traversal *t, struct mw_level *level)
{
    const struct nearest_state *s = t->state;
    uint64_t all = 0;
    const int rc =
        mw_comm_sum_or_fail(t->world->comm, &all, 1, mw_traversal_exchange(t, 0));
    for (uint64_t p = 0; p < t->graph->n_places; p++) {
        const bool none = s->best[p] == UINT64_MAX;
        s->distance[p] = none ? NAN : nearest_unpack(s->best[p]);
        mw_set_number(s->parent, p, none ? UINT64_MAX : s->best[p] & UINT32_MAX,
                      t->graph->wide);
    }
    level->n_found = t->now.n_active = 0;
    return rc;
}

static const void *parent_at(const struct mw_traversal *t)
{
    return ((const struct nearest_state *)t->state)->parent;
}

static const void *distance_at(const struct mw_traversal *t)
{
    return ((const struct nearest_state *)t->state)->distance;
}

static uint64_t entries(void *state)
{
    const struct mw_graph *g = ((const struct nearest_state *)state)->g;
    return g->row[g->n_labels];
}

#define KERNEL(member) MW_ENTRY(nearest_kernels, member)
/* clang-format off */
static const struct mw_row rows[] = {
    {"teller", {MW_FORWARD, MW_SOURCE},   {MW_FORWARD, MW_TO_FIRST}, KERNEL(tell), entries, 1, .exchanges = 1},
    {"relay",  {MW_FORWARD, MW_TO_RELAY}, {MW_FORWARD, MW_TO_OWNER}, 0,            NULL,    0, .exchanges = 1},
    {"hearer", {MW_FORWARD, MW_TO_OWNER}, {MW_FORWARD, MW_NOWHERE},  KERNEL(hear), NULL,    0, .exchanges = 1},
};
/* clang-format on */

extern const struct nearest_kernels nearest_kernels_serial, nearest_kernels_host,
    nearest_kernels_mesh;
static const struct nearest_kernels none;
static const struct mw_kernel_table kernels[] = {{"serial", &nearest_kernels_serial},
                                                 {"host", &nearest_kernels_host},
                                                 {"mesh", &nearest_kernels_mesh},
                                                 {NULL, &none}};
static const struct mw_value values[] = {
    {.name = "parent", .type = MW_VALUE_VERTEX, .at = parent_at},
    {.name = "distance", .type = MW_VALUE_REAL, .relative = 1e-6, .at = distance_at}};
static const char *const step_name[] = {"hear", NULL};

static const struct mw_algorithm nearest = {.name = "nearest",
                                            .value = values,
                                            .n_values = 2,
                                            .step_name = step_name,
                                            .row = rows,
                                            .n_rows = sizeof rows / sizeof *rows,
                                            .kernels = kernels,
                                            .by_place = true,
                                            .value_bits = value_bits,
                                            .sizes = sizes,
                                            .open = open_state,
                                            .close = close_state,
                                            .reset = reset,
                                            .start = start,
                                            .step = step};

/* ---- Against the list of edges -------------------------------------------------------------- */

struct hearing {
    const struct sample *sample;
    uint64_t *best; /* [n] */
};

static void hearing_init(struct hearing *h, const struct sample *s)
{
    *h = (struct hearing){s, malloc((s->n + 1) * sizeof *h->best)};
    MUST(h->best != NULL);
    for (uint64_t v = 0; v < s->n; v++)
        h->best[v] = UINT64_MAX;
    for (uint64_t i = 0; i < s->m; i++) {
        const uint64_t u = s->edge[i][0], v = s->edge[i][1];
        if (u == v)
            continue;
        h->best[u] = mw_min(h->best[u], nearest_pack(v));
        h->best[v] = mw_min(h->best[v], nearest_pack(u));
    }
}

static int check_values(const struct hearing *h, const struct mw_traversal *t,
                        const struct mw_graph *g)
{
    for (uint64_t p = 0; p < g->n_places; p++) {
        const mw_vid v = mw_vertex_at(g, g->comm->rank, p);
        const uint64_t best = h->best[v];
        const mw_vid parent = best == UINT64_MAX ? MW_NO_VERTEX : best & UINT32_MAX;
        const float far = best == UINT64_MAX ? NAN : nearest_far(parent);
        EXPECT(mw_traversal_value(t, 0, p) == parent, "%u: nearest is %u, not %u",
               (unsigned)v, (unsigned)mw_traversal_value(t, 0, p), (unsigned)parent);
        EXPECT(
            mw_value_agrees(&values[1], (double)far, (double)mw_traversal_real(t, 1, p)),
            "%u: %g away, not %g", (unsigned)v, (double)mw_traversal_real(t, 1, p),
            (double)far);
    }
    return MW_OK;
}

static int hear_and_check(struct mw_world *w, void *arg)
{
    int rc;
    const struct hearing *h = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    MW_TRY(rc, sample_share(h->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&nearest, NULL, w, g, &t));
    for (int k = 0; k < 2; k++) {
        MW_TRY(rc, mw_traversal_reset(t));
        MW_TRY(rc, mw_traversal_run(t, MW_NO_VERTEX));
        MW_TRY(rc, mw_comm_agree(w->comm, check_values(h, t, g)));
    }
end:
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

static void set_up(struct ranks *r, struct hearing *h, uint32_t n_ranks, uint32_t width)
{
    *r = (struct ranks){.loop = {n_ranks, 0, n_ranks}, .body = hear_and_check, .arg = h};
    with_width(r, width);
    r->world.small_input = 256;
    r->world.batch_bytes = 1024;
    r->world.hang_timeout_s = HANG_S;
}

START_TEST(a_float_and_a_vertex_go_by_every_route)
{
    static const enum mw_compress compress[] = {MW_COMPRESS_OFF, MW_COMPRESS_VBYTE,
                                                MW_COMPRESS_PACKED};
    struct sample s = _i % 2 ? sample_kronecker(9) : sample_random((uint64_t)_i + 77);
    struct hearing h;
    struct ranks r;
    const uint32_t n_ranks = 1 + (uint32_t)_i % 7;
    hearing_init(&h, &s);
    for (uint32_t width = 1; width <= mw_min(n_ranks, 3); width++) {
        set_up(&r, &h, n_ranks, width);
        with_threads(&r, (uint32_t)_i % 3);
        r.world.compress = compress[(uint32_t)_i / 7];
        must_run(&r);
    }
    free(h.best);
    sample_free(&s);
}
END_TEST

START_TEST(cores_of_a_mesh_carry_them)
{
    struct sample s = sample_random((uint64_t)_i + 5);
    struct hearing h;
    struct ranks r;
    hearing_init(&h, &s);
    set_up(&r, &h, 1 + (uint32_t)_i, 1 + (uint32_t)_i / 2);
    r.world.backend = "emul";
    r.world.n_threads = r.world.n_clusters = 1;
    r.world.small_input = 0;
    must_run(&r);
    free(h.best);
    sample_free(&s);
}
END_TEST

/* What rides above a child's number finds no room there, and none above such a value: that is refused
 * before anything is sent. Directly nothing rides there. */
START_TEST(a_value_that_leaves_no_room_for_columns_is_refused)
{
    struct sample s = sample_random(3);
    struct hearing h;
    struct ranks r;
    hearing_init(&h, &s);
    set_up(&r, &h, 4, 2);
    with_threads(&r, 0);
    r.world.least_bits = 32;
    ck_assert_int_eq(on_ranks(&r), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "cannot hold 32 for a vertex of a "
                                                  "rank, 64 for a value and 1 for"));
    with_width(&r, 1);
    must_run(&r);
    free(h.best);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("record values");
    TCase *t = tcase_create("record values");
    tcase_add_loop_test(t, a_float_and_a_vertex_go_by_every_route, 0, 21);
    tcase_add_loop_test(t, cores_of_a_mesh_carry_them, 0, 4);
    tcase_add_test(t, a_value_that_leaves_no_room_for_columns_is_refused);
    suite_add_tcase(s, t);
    return run_suite(s);
}
