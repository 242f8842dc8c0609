/* test_kokkos.c -- searches and components through Kokkos, against serial oracles; on whatever
 * device it was built for.
 *
 * Two forms. As it is; and where the host reaches the device's memory, also apart, as on a GPU:
 * what is of cores lies in an arena (apart.h) that is open only while Kokkos runs a kernel or makes
 * a copy; a kernel's own host side that touches it dies there, too.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_inspect.h"
#include "apart.h"
#include "bfs_body.h"
#include "cc_body.h"
#include "cpe/cluster_backends.h"
#include "damages.h"
#include "graph500/generation.h"
#include "kokkos_hooks.h"
#include "traversal/placed.h"

/* ---- apart -------------------------------------------------------------------------------- */

static void kokkos_begins(void)
{
    if (apart.at != NULL)
        apart_protect(PROT_READ | PROT_WRITE);
}

static void kokkos_ends(void)
{
    if (apart.at != NULL)
        apart_protect(PROT_NONE);
}

static int open_apart(const struct mw_cluster_conf *conf, struct mw_cluster **out)
{
    const int rc = mw_backend_kokkos.open(conf, out);
    if (rc == MW_OK) {
        apart_begin();
        kokkos_hooks(kokkos_begins, kokkos_ends);
    }
    return rc;
}

static void close_apart(struct mw_cluster *c)
{
    mw_backend_kokkos.close(c);
    apart_end();
}

static struct mw_backend kokkos_apart; /* filled in by main() */
static int n_forms;                    /* 2: the backend as it is, and apart */

static struct ranks kokkos_ranks(bool is_apart, uint32_t n_ranks, uint64_t seed)
{
    struct ranks r = {.loop = {n_ranks, (uint32_t)(seed % 3), seed}};
    r.world.backend = "kokkos";
    r.world.own_backend = is_apart ? &kokkos_apart : NULL;
    r.world.n_threads = 1 + (uint32_t)(seed / 2 % 2); /* of the host's side */
    r.world.n_clusters = 1 + (uint32_t)(seed % 2);
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    with_width(&r, 1 + (uint32_t)(seed % n_ranks));
    return r;
}

/* ---- right answers ------------------------------------------------------------------------- */

static struct sample sample_of(int i)
{
    return i < SHAPES ? sample_shape((enum shape)i) : sample_random((uint64_t)i + 7000);
}

START_TEST(graphs_are_searched_right)
{
    uint64_t dice = mixed((uint64_t)_i + 99);
    struct sample s = sample_of(_i / n_forms);
    struct searches q;
    if (drawn(&dice, 2))
        sample_direct(&s);
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 4);
    searches_init(&q, &s, 2 + (uint32_t)drawn(&dice, 2), dice);
    q.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    q.rule.form = (enum mw_level_form)drawn(&dice, 3);
    q.rule.hubs[MW_TOP_DOWN] = (int)drawn(&dice, 6) - 1;
    q.rule.hubs[MW_BOTTOM_UP] = (int)drawn(&dice, 6) - 1;
    struct ranks r = kokkos_ranks(_i % n_forms, n_ranks, drawn(&dice, 12));
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* As in test_bfs.c, on as many ranks as make groups of 5 and of 8. */
START_TEST(records_of_larger_graphs_find_the_same_levels)
{
    const int k = _i / n_forms;
    struct sample s = sample_kronecker(7);
    struct searches q;
    searches_init(&q, &s, 2, 3);
    q.rule.form = (enum mw_level_form)(k % 3);
    struct ranks r = kokkos_ranks(_i % n_forms, 9, k % 2 ? 4 : 7);
    r.world.least_bits = 29 + (uint32_t)k;
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* Without a table of names: what rows find is named at the end. */
START_TEST(parents_get_their_names_at_the_end)
{
    const int k = _i / n_forms;
    struct sample s = sample_kronecker(8);
    struct searches q;
    if (k % 2)
        sample_direct(&s);
    searches_init(&q, &s, 2, 0);
    q.graph_rule =
        (struct mw_graph_rule){.columns = MW_LOOK_UP_ASK, .without_names = true};
    q.rule.form = MW_FORM_BITMAP;
    q.rule.policy = k == 2 ? MW_DIRECTION_AUTO : MW_DIRECTION_BOTTOM_UP;
    struct ranks r = kokkos_ranks(_i % n_forms, 2 + (uint32_t)(k * 2 % 5), (uint64_t)k);
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(components_are_found)
{
    uint64_t dice = mixed((uint64_t)_i + 111);
    struct sample s = sample_of(_i / n_forms);
    struct finding f;
    finding_init(&f, &s);
    f.rule.form = (enum mw_level_form)drawn(&dice, 3);
    f.most_levels = drawn(&dice, 2) ? UINT32_MAX : (uint32_t)drawn(&dice, 4);
    struct ranks r =
        kokkos_ranks(_i % n_forms, 1 + (uint32_t)drawn(&dice, 4), drawn(&dice, 12));
    r.world.least_bits = drawn(&dice, 2) ? 0 : 29 + (uint32_t)drawn(&dice, 4);
    r.body = find_and_check;
    r.arg = &f;
    must_run(&r);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

/* ---- generated edges ------------------------------------------------------------------------- */

struct stretch {
    uint32_t scale;
    uint64_t first, n;
};

/* Bit for bit those of the host. */
static int edges_are_the_same(struct mw_world *w, void *arg)
{
    static const uint64_t seed[2] = {2, 3};
    const struct stretch *s = arg;
    const uint64_t n_vertices = UINT64_C(1) << s->scale;
    struct mw_edges is = {0}, must = {0};
    struct mw_kronecker k;
    int rc;
    MW_TRY(rc, mw_kronecker_init(&k, s->scale, 16 * n_vertices, seed));
    MW_TRY(rc, mw_edges_init(&must, n_vertices, s->n));
    MW_TRY(rc, mw_edges_init(&is, n_vertices, s->n));
    mw_kronecker_edges(&k, s->first, s->n, must.narrow, must.wide);
    MW_TRY(rc, mw_generate(w, &k, s->first, s->n, &is));
    EXPECT(is.n == s->n, "%u edges", (unsigned)is.n);
    for (uint64_t i = 0; i < s->n; i++) {
        mw_vid a, b, u, v;
        mw_edges_get(&is, i, &a, &b);
        mw_edges_get(&must, i, &u, &v);
        EXPECT(a == u && b == v, "SCALE %u, edge %u: %u %u and not %u %u", s->scale,
               (unsigned)(s->first + i), (unsigned)a, (unsigned)b, (unsigned)u,
               (unsigned)v);
    }
end:
    mw_edges_fini(&is);
    mw_edges_fini(&must);
    return rc;
}

/* One edge of 25,000 has an output that is drawn again; 2^18 are a round of all cores. */
START_TEST(edges_are_generated_bit_for_bit)
{
    static const struct stretch each[] = {
        {1, 0, 32},          {2, 5, 50},           {8, 0, 4096},
        {20, 12345, 300000}, {26, 1 << 29, 70000}, {31, UINT64_C(1) << 34, 1000},
        {32, 7, 20000},      {33, 0, 70000},       {40, UINT64_C(1) << 43, 500},
    };
    struct stretch s = each[_i / n_forms];
    struct ranks r = kokkos_ranks(_i % n_forms, 1, 0);
    r.body = edges_are_the_same;
    r.arg = &s;
    must_run(&r);
}
END_TEST

/* ---- wrong ones ------------------------------------------------------------------------------ */

/* In the memory of the cores that have searched. */
static void set_parent(const struct mw_traversal *t, uint64_t place, uint64_t parent)
{
    const bool wide = t->graph->wide;
    const uint64_t bytes = mw_number_bytes(wide);
    char *const at =
        (char *)(uintptr_t)t->algorithm->numbers(t) + place * mw_number_bytes(wide);
    uint64_t number = 0;
    mw_set_number(&number, 0, parent, wide);
    mw_put(t->world, at, &number, bytes);
    if (t->mirror != NULL)
        t->mirror->seen = false;
}

/* The tree passes, and with any one parent changed it does not; by either side. */
static int damage_is_found(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    const struct mw_check *const check = mw_algorithm_bfs.check;
    const uint8_t cores = w->comm->size == 1 ? MW_BY_CORES : MW_BY_HOST;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    struct mw_verdict verdict;
    void *judge = NULL;
    int rc;
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    MW_TRY(rc, check->open(w, &edges, &judge));
    MW_TRY(rc, mw_traversal_reset(b));
    MW_TRY(rc, mw_traversal_run(b, q->root[0]));
    MW_TRY(rc, check->run(judge, b, q->root[0], &verdict));
    EXPECT(verdict.by == cores, "judged by %u", verdict.by);
    for (mw_vid v = 0; v < q->sample->n; v++) {
        const bool mine = mw_owner_of(g, v) == w->comm->rank;
        const uint64_t place = mw_place_of(g, v);
        const mw_vid was = mine ? mw_traversal_number(b, place) : 0;
        if (v == q->root[0])
            continue;
        if (mine)
            set_parent(b, place, v); /* its own */
        rc = check->run(judge, b, q->root[0], &verdict);
        EXPECT(rc == MW_ERR_INVALID, "vertex %u as its own parent: code %d", (unsigned)v,
               rc);
        mw_error_clear();
        if (mine)
            set_parent(b, place, was);
    }
    MW_TRY(rc, check->run(judge, b, q->root[0], &verdict));
    MW_TRY(rc, check->confirm(judge, b, q->root[0], &verdict));
    EXPECT(verdict.by == (cores | MW_BY_HOST), "judged by %u", verdict.by);
end:
    check->close(judge);
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(damaged_trees_are_rejected)
{
    struct sample s = sample_kronecker(5);
    struct searches q;
    searches_init(&q, &s, 1, 5);
    struct ranks r = kokkos_ranks(_i % n_forms, 1 + (uint32_t)(_i / n_forms), 0);
    r.body = damage_is_found;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* ---- what the device finds in a tree is what the host does ----------------------------------- */

struct judges {
    struct mw_world *world;
    struct mw_validator *host;
    struct bfs_inspector *cores;
    void *there; /* [n] of cores */
    uint64_t n;
    bool wide;
};

static int judges_open(struct mw_world *w, const struct mw_edges *edges, bool wide,
                       struct judges *j)
{
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    *j = (struct judges){.world = w, .n = edges->n_vertices, .wide = wide};
    mw_sizes_add(&sizes, MW_SEARCHING, "parents", j->n, mw_number_bytes(wide));
    MW_TRY(rc, mw_validator_new(mw_world_host_side(w), edges, &j->host));
    MW_TRY(rc, bfs_inspector_new(w, edges, &j->cores));
    EXPECT(j->cores != NULL, "one rank, and no inspection");
    j->there = mw_place(w, MW_OF_CORES, &sizes, "parents", mw_number_bytes(wide));
    rc = j->there != NULL ? MW_OK : MW_ERR_NOMEM;
end:
    return rc;
}

static void judges_close(struct judges *j)
{
    mw_validator_free(j->host);
    bfs_inspector_free(j->cores);
    mw_unplace(j->world, MW_OF_CORES, j->there);
}

/* parent[n], all ones: none. Both must say the same of it; *verdict is the device's. */
static int judge_both(struct judges *j, mw_vid root, const uint64_t *parent,
                      uint32_t last, struct mw_verdict *verdict)
{
    struct mw_verdict host;
    void *const numbers = malloc(j->n * mw_number_bytes(j->wide));
    int rc;
    MUST(numbers != NULL);
    for (uint64_t v = 0; v < j->n; v++)
        mw_set_number(numbers, v, parent[v], j->wide);
    mw_put(j->world, j->there, numbers, j->n * mw_number_bytes(j->wide));
    mw_validator_end_at(j->host, last);
    const int is = mw_validate(j->host, root, numbers, j->wide, &host);
    mw_error_clear();
    rc = bfs_inspect(j->cores, root, j->there, j->wide, last, verdict);
    free(numbers);
    EXPECT(rc == is, "the host says %d, the device %d: %s", is, rc, mw_error_text());
    EXPECT(rc == MW_OK || strstr(mw_error_text(), "validation failed: root") != NULL,
           "%s", mw_error_text());
    for (int r = 0; r <= MW_RULE_EDGES; r++)
        EXPECT(host.n_wrong[r] == verdict->n_wrong[r], "rule %d: %u and %u", r,
               (unsigned)host.n_wrong[r], (unsigned)verdict->n_wrong[r]);
    EXPECT(host.n_reached == verdict->n_reached && host.n_edges == verdict->n_edges &&
               host.n_self_loops == verdict->n_self_loops &&
               host.n_levels == verdict->n_levels,
           "%u and %u reached, %u and %u edges, %u and %u loops, %u and %u levels",
           (unsigned)host.n_reached, (unsigned)verdict->n_reached, (unsigned)host.n_edges,
           (unsigned)verdict->n_edges, (unsigned)host.n_self_loops,
           (unsigned)verdict->n_self_loops, host.n_levels, verdict->n_levels);
    return rc;
}

/* Every damage of test_validate.c, on every vertex that takes it. */
static int damages_are_found(struct mw_world *w, void *arg)
{
    const bool *const wide = arg;
    struct mw_edges edges = {0};
    struct judges j = {.world = w};
    struct mw_verdict verdict;
    int rc;
    MW_TRY(rc, sample_share(&sample, w->comm, &edges));
    MW_TRY(rc, judges_open(w, &edges, *wide, &j));
    for (uint32_t d = 0; d < DAMAGES; d++)
        for (uint64_t v = 0, n_damaged = 0; v < END; v++) {
            uint64_t parent[END];
            memcpy(parent, right, sizeof parent);
            MW_TRY(rc, judge_both(&j, ROOT, parent, MW_NO_LEVEL, &verdict));
            if (!damages[d].apply(parent, v)) {
                EXPECT(v + 1 < END || n_damaged > 0, "%s: no vertex", damages[d].name);
                continue;
            }
            n_damaged++;
            rc = judge_both(&j, ROOT, parent, MW_NO_LEVEL, &verdict);
            EXPECT(rc == MW_ERR_INVALID, "%s, vertex %u: %d, %s", damages[d].name,
                   (unsigned)v, rc, mw_error_text());
        }
    rc = MW_OK;
end:
    judges_close(&j);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(every_damage_is_found_by_both)
{
    bool wide = _i / n_forms;
    struct ranks r = kokkos_ranks(_i % n_forms, 1, 0);
    r.body = damages_are_found;
    r.arg = &wide;
    sample_up();
    must_run(&r);
    sample_down();
}
END_TEST

/* The oracle's tree. */
static void right_tree(const struct sample *s, mw_vid root, uint64_t *parent)
{
    uint32_t *const at = malloc(s->n * sizeof *at);
    MUST(at != NULL);
    sample_levels(s, root, at);
    for (uint64_t v = 0; v < s->n; v++)
        parent[v] = v == root ? v : MW_NO_VERTEX;
    for (uint64_t u = 0; u < s->n; u++)
        for (uint64_t k = s->first[u]; k < s->first[u + 1]; k++)
            if (at[u] != NO_LEVEL && at[s->neighbour[k]] == at[u] + 1)
                parent[s->neighbour[k]] = u;
    free(at);
}

struct damaging {
    struct sample *sample;
    uint64_t dice;
};

static int damage_by_dice(struct mw_world *w, void *arg)
{
    struct damaging *d = arg;
    const struct sample *s = d->sample;
    uint64_t *const parent = malloc(s->n * sizeof *parent);
    struct mw_edges edges = {0};
    struct judges j = {.world = w};
    struct mw_verdict verdict;
    int rc;
    MUST(parent != NULL);
    MW_TRY(rc, sample_share(s, w->comm, &edges));
    MW_TRY(rc, judges_open(w, &edges, drawn(&d->dice, 2), &j));
    for (uint32_t i = 0; i < 40; i++) {
        const mw_vid root = drawn(&d->dice, s->n);
        const uint32_t last = i % 4 ? MW_NO_LEVEL : (uint32_t)drawn(&d->dice, 6);
        right_tree(s, root, parent);
        if (last == MW_NO_LEVEL) {
            rc = judge_both(&j, root, parent, last, &verdict);
            EXPECT(rc == MW_OK, "root %u: %s", (unsigned)root, mw_error_text());
        }
        for (uint64_t n = drawn(&d->dice, 4); n > 0; n--)
            parent[drawn(&d->dice, s->n)] = drawn(&d->dice, 8) ? drawn(&d->dice, s->n)
                                            : drawn(&d->dice, 2)
                                                ? MW_NO_VERTEX
                                                : s->n + drawn(&d->dice, 1000);
        rc = judge_both(&j, root, parent, last, &verdict);
        EXPECT(rc == MW_OK || rc == MW_ERR_INVALID, "%d: %s", rc, mw_error_text());
    }
    rc = MW_OK;
end:
    judges_close(&j);
    mw_edges_fini(&edges);
    free(parent);
    return rc;
}

START_TEST(any_tree_is_judged_alike)
{
    struct damaging d = {.dice = mixed((uint64_t)_i + 2024)};
    struct sample s = sample_of(_i / n_forms);
    struct ranks r = kokkos_ranks(_i % n_forms, 1, 0);
    if (drawn(&d.dice, 2))
        sample_direct(&s);
    d.sample = &s;
    r.body = damage_by_dice;
    r.arg = &d;
    must_run(&r);
    sample_free(&s);
}
END_TEST

/* A path: each width of a packed level, and many rounds of climbing. */
static int a_path_is_climbed(struct mw_world *w, void *arg)
{
    const uint64_t n = *(const uint64_t *)arg;
    struct mw_edges edges = {0};
    struct bfs_inspector *k = NULL;
    struct mw_sizes sizes = {0};
    struct mw_verdict verdict;
    uint32_t *parent = malloc(n * sizeof *parent);
    void *there = NULL;
    int rc;
    MUST(parent != NULL);
    mw_sizes_add(&sizes, MW_SEARCHING, "parents", n, sizeof *parent);
    MW_TRY(rc, mw_edges_init(&edges, n, n));
    for (uint64_t v = 0; v < n; v++) {
        parent[v] = (uint32_t)(v > 0 ? v - 1 : 0);
        if (v > 0)
            MW_TRY(rc, mw_edges_add(&edges, v, v - 1));
    }
    MW_TRY(rc, bfs_inspector_new(w, &edges, &k));
    there = mw_place(w, MW_OF_CORES, &sizes, "parents", sizeof *parent);
    mw_put(w, there, parent, n * sizeof *parent);
    MW_TRY(rc, bfs_inspect(k, 0, there, false, MW_NO_LEVEL, &verdict));
    EXPECT(verdict.n_levels == n && verdict.n_reached == n && verdict.n_edges == n - 1,
           "%u levels", verdict.n_levels);
    parent[n / 3] = (uint32_t)n - 1; /* so that two thirds are a ring */
    mw_put(w, there, parent, n * sizeof *parent);
    rc = bfs_inspect(k, 0, there, false, MW_NO_LEVEL, &verdict);
    EXPECT(rc == MW_ERR_INVALID && verdict.n_levels == n / 3, "%u levels",
           verdict.n_levels);
    EXPECT(verdict.n_wrong[MW_RULE_TREE] == n - n / 3, "%u",
           (unsigned)verdict.n_wrong[MW_RULE_TREE]);
    rc = MW_OK;
end:
    mw_unplace(w, MW_OF_CORES, there);
    bfs_inspector_free(k);
    mw_edges_fini(&edges);
    free(parent);
    return rc;
}

START_TEST(deep_trees_are_climbed)
{
    static const uint64_t length[] = {3, 15, 16, 255, 256, 65535, 65536, 100000};
    for (uint32_t i = 0; i < sizeof length / sizeof *length; i++) {
        uint64_t n = length[i];
        struct ranks r = kokkos_ranks(_i, 1, 0);
        r.body = a_path_is_climbed;
        r.arg = &n;
        must_run(&r);
    }
}
END_TEST

/* ---- memory and devices ----------------------------------------------------------------------- */

/* The state stays where it is: a search copies nothing in, and only its numbers out, when they are asked for. That
 * is not to count what it has reached, nor to judge it. */
static int nothing_else_moves(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    struct mw_verdict verdict;
    void *check = NULL;
    int rc;
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    MW_TRY(rc, mw_algorithm_bfs.check->open(w, &edges, &check));
    for (uint32_t i = 0; i < q->n; i++) {
        MW_TRY(rc, mw_traversal_reset(b));
        apart.bytes_got = apart.bytes_put = 0;
        MW_TRY(rc, mw_traversal_run(b, q->root[i]));
        EXPECT(apart.bytes_put == 0 && apart.bytes_got == mw_number_bytes(g->wide),
               "%u bytes in, %u out", (unsigned)apart.bytes_put,
               (unsigned)apart.bytes_got);
        MW_TRY(rc, mw_algorithm_bfs.claim(b, &verdict));
        MW_TRY(rc, mw_algorithm_bfs.check->run(check, b, q->root[i], &verdict));
        EXPECT(apart.bytes_put == 0 && apart.bytes_got == mw_number_bytes(g->wide),
               "%u bytes in, %u out", (unsigned)apart.bytes_put,
               (unsigned)apart.bytes_got);
        MW_TRY(rc, check_tree(q, i, b, g));
    }
end:
    mw_algorithm_bfs.check->close(check);
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(state_stays_on_the_device)
{
    struct sample s = sample_kronecker(9);
    struct searches q;
    searches_init(&q, &s, 4, 5);
    struct ranks r = kokkos_ranks(true, 1, 0);
    r.body = nothing_else_moves;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(devices_are_told_and_chosen)
{
    struct mw_device device[MW_DEVICES_MAX];
    const uint32_t n = mw_backend_kokkos.devices(device, MW_DEVICES_MAX);
    struct mw_cluster_conf conf = {.n_cores = 1, .first_lane = 1, .host_rank = n};
    struct mw_cluster *c = NULL;
    ck_assert_uint_ge(n, 1);
    ck_assert_uint_gt(strlen(device[0].name), 0);
    ck_good(mw_backend_kokkos.open(&conf, &c)); /* in turn: the first again */
    ck_assert_uint_eq(mw_backend_kokkos.device_of(c), 0);
    mw_backend_kokkos.close(c);
    conf.device = 1 + n;
    ck_fails(mw_backend_kokkos.open(&conf, &c), MW_ERR_UNAVAILABLE, "meshway info");
}
END_TEST

/* Its second rank has the process' device, and not the host's next. */
START_TEST(ranks_of_a_process_share_its_device)
{
    struct mw_cluster_conf conf = {.n_cores = 1, .first_lane = 1};
    struct mw_cluster *c[3] = {NULL};
    for (uint32_t i = 0; i < 3; i++) {
        conf.host_rank = i;
        ck_good(mw_backend_kokkos.open(&conf, &c[i]));
        ck_assert_uint_eq(mw_backend_kokkos.device_of(c[i]),
                          mw_backend_kokkos.device_of(c[0]));
    }
    for (uint32_t i = 0; i < 3; i++)
        mw_backend_kokkos.close(c[i]);
}
END_TEST

START_TEST(memory_that_is_not_there_is_named)
{
    const struct mw_cluster_conf conf = {.n_cores = 1, .first_lane = 1};
    struct mw_cluster *c = NULL;
    const struct mw_memory *m = mw_backend_kokkos.memory;
    uint64_t seven = 7, is = 0;
    ck_good(mw_backend_kokkos.open(&conf, &c));
    mw_error_clear();
    ck_assert_ptr_null(m->take(c, MW_OF_CORES, "everything", UINT64_C(1) << 50, 8));
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "everything"));
    void *const p = m->take(c, MW_OF_CORES, "one", 1, sizeof seven);
    ck_assert_ptr_nonnull(p);
    m->get(c, &is, p, sizeof is);
    ck_assert_uint_eq(is, 0);
    m->put(c, p, &seven, sizeof seven);
    m->get(c, &is, p, sizeof is);
    ck_assert_uint_eq(is, 7);
    m->give(c, MW_OF_CORES, p);
    mw_backend_kokkos.close(c);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("kokkos");
    TCase *t = tcase_create("kokkos");
    const bool reached = mw_backend_kokkos.memory->host_reaches;
    n_forms = reached ? 2 : 1;
    const int n = n_forms * (SHAPES + how_many(200, 8, 4));
    kokkos_apart = mw_backend_kokkos;
    kokkos_apart.memory = &apart_memory;
    kokkos_apart.open = open_apart;
    kokkos_apart.close = close_apart;
    tcase_add_test(t, devices_are_told_and_chosen);
    tcase_add_test(t, ranks_of_a_process_share_its_device);
    tcase_add_test(t, memory_that_is_not_there_is_named);
    tcase_add_loop_test(t, graphs_are_searched_right, 0, n);
    tcase_add_loop_test(t, components_are_found, 0, n);
    tcase_add_loop_test(t, records_of_larger_graphs_find_the_same_levels, 0, 4 * n_forms);
    tcase_add_loop_test(t, parents_get_their_names_at_the_end, 0, 4 * n_forms);
    tcase_add_loop_test(t, edges_are_generated_bit_for_bit, 0, 9 * n_forms);
    tcase_add_loop_test(t, damaged_trees_are_rejected, 0, 3 * n_forms);
    tcase_add_loop_test(t, every_damage_is_found_by_both, 0, 2 * n_forms);
    tcase_add_loop_test(t, any_tree_is_judged_alike, 0, n);
    tcase_add_loop_test(t, deep_trees_are_climbed, 0, n_forms);
    if (reached)
        tcase_add_test(t, state_stays_on_the_device);
    suite_add_tcase(s, t);
    return run_suite(s);
}
