/* test_kokkos.c -- searches and components through Kokkos, on whatever device it was built for.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define DEVICE        mw_backend_kokkos_device
#define DEVICE_JUDGES true
#define DEVICE_WHOLE  false
#include "device_body.h"
#include "trading_body.h"

#include "algorithms/bfs/bfs_inspect.h"
#include "damages.h"
#include "devices/building.h"
#include "devices/list_there.h"
#include "graph500/benchmark.h"
#include "graph500/generation.h"
#include "kokkos_hooks.h"

static bool device_is_host(void)
{
    return DEVICE.memory->host_reaches;
}

static const struct mw_memory *device_memory(void)
{
    return &apart_memory;
}

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

static void device_opened(void)
{
    kokkos_hooks(kokkos_begins, kokkos_ends);
}

/* ---- generated edges ------------------------------------------------------------------------- */

struct stretch {
    uint32_t scale;
    uint64_t first, n;
};

/* Bit for bit those of the host; then their weights as well. */
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
    MW_TRY(rc, mw_edges_weigh(&must));
    mw_kronecker_weighted_edges(&k, s->first, s->n, must.narrow, must.wide, must.weight);
    for (int weighted = 0; weighted < 2; weighted++) {
        if (weighted)
            MW_TRY(rc, mw_edges_weigh(&is));
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
        EXPECT(!weighted || memcmp(is.weight, must.weight, s->n * sizeof(float)) == 0,
               "SCALE %u: other weights", s->scale);
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
    struct ranks r = device_ranks(_i % n_forms, 1, 0);
    r.body = edges_are_the_same;
    r.arg = &s;
    must_run(&r);
}
END_TEST

/* ---- what the device finds in a tree is what the host does ----------------------------------- */

struct judges {
    struct mw_world *world;
    struct mw_validator *host;
    struct bfs_inspector *cores;
    struct mw_partition partition;
    void *there; /* [places of this rank] of cores */
    uint64_t n;
    bool wide;
};

static int judges_open(struct mw_world *w, struct mw_edges *edges, bool wide,
                       struct judges *j)
{
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    *j = (struct judges){.world = w,
                         .partition =
                             mw_edges_partition(edges, w->comm->rank, w->comm->size),
                         .wide = wide};
    j->n = mw_my_places(&j->partition);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "parents", j->n + 1,
                    mw_number_bytes(wide));
    MW_TRY(rc, mw_validator_new(mw_world_host_side(w), edges, &j->host));
    MW_TRY(rc, bfs_inspector_new(w, edges, &j->cores));
    EXPECT(j->cores != NULL, "no inspection");
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

/* parent[] of all vertices, all ones: none. Both must say the same of it, *said; *verdict is the
 * device's. MW_OK if they do: an error here is the test's, whatever they say. */
static int judge_both(struct judges *j, mw_vid root, const uint64_t *parent,
                      uint32_t last, struct mw_verdict *verdict, int *said)
{
    struct mw_verdict host;
    void *const numbers = malloc((j->n + 1) * mw_number_bytes(j->wide));
    MUST(numbers != NULL);
    for (uint64_t p = 0; p < j->n; p++)
        mw_set_number(numbers, p, parent[mw_vertex(&j->partition, j->partition.rank, p)],
                      j->wide);
    mw_put(j->world, j->there, numbers, j->n * mw_number_bytes(j->wide));
    mw_validator_end_at(j->host, last);
    const int is = mw_validate(j->host, root, numbers, j->wide, &host);
    mw_error_clear();
    *said = bfs_inspect(j->cores, root, j->there, j->wide, last, verdict);
    free(numbers);
    EXPECT(*said == is, "the host says %d, the device %d: %s", is, *said,
           mw_error_text());
    EXPECT(*said == MW_OK || strstr(mw_error_text(), "validation failed: root") != NULL,
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
    return MW_OK;
}

/* Every damage of test_validate.c: on one rank on every vertex that takes it, on P ranks
 * on the first of them and one in P of the rest. */
static int damages_are_found(struct mw_world *w, void *arg)
{
    const bool *const wide = arg;
    const uint32_t n_ranks = w->comm->size;
    struct mw_edges edges = {0};
    struct judges j = {.world = w};
    struct mw_verdict verdict;
    int rc, said;
    MW_TRY(rc, sample_share(&sample, w->comm, &edges));
    MW_TRY(rc, judges_open(w, &edges, *wide, &j));
    for (uint32_t d = 0; d < DAMAGES; d++) {
        uint64_t n_damaged = 0;
        MW_TRY(rc, judge_both(&j, ROOT, right, MW_NO_LEVEL, &verdict, &said));
        EXPECT(said == MW_OK, "%d", said);
        for (uint64_t v = 0; v < END; v++) {
            uint64_t parent[END];
            memcpy(parent, right, sizeof parent);
            if ((n_damaged > 0 && (v + d) % n_ranks != 0) || !damages[d].apply(parent, v))
                continue;
            n_damaged++;
            MW_TRY(rc, judge_both(&j, ROOT, parent, MW_NO_LEVEL, &verdict, &said));
            EXPECT(said == MW_ERR_INVALID, "%s, vertex %u: %d", damages[d].name,
                   (unsigned)v, said);
        }
        EXPECT(n_damaged > 0, "%s: no vertex", damages[d].name);
    }
    rc = MW_OK;
end:
    judges_close(&j);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(every_damage_is_found_by_both)
{
    bool wide = _i / n_forms / 4;
    struct ranks r =
        device_ranks(_i % n_forms, 1 + (uint32_t)(_i / n_forms % 4), (uint64_t)_i);
    r.body = damages_are_found;
    r.arg = &wide;
    r.loop.seed = 0; /* no delays: a fault is the same whenever it is found */
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
    uint32_t n_trees;
};

static int damage_by_dice(struct mw_world *w, void *arg)
{
    const struct damaging *d = arg;
    const struct sample *s = d->sample;
    uint64_t dice = d->dice; /* all ranks draw the same */
    uint64_t *const parent = malloc(s->n * sizeof *parent);
    struct mw_edges edges = {0};
    struct judges j = {.world = w};
    struct mw_verdict verdict;
    int rc, said;
    MUST(parent != NULL);
    MW_TRY(rc, sample_share(s, w->comm, &edges));
    edges.shuffled = drawn(&dice, 2);
    edges.block_bits = (uint32_t)drawn(&dice, 5);
    MW_TRY(rc, judges_open(w, &edges, drawn(&dice, 2), &j));
    for (uint32_t i = 0; i < d->n_trees; i++) {
        const mw_vid root = drawn(&dice, s->n);
        const uint32_t last = i % 4 ? MW_NO_LEVEL : (uint32_t)drawn(&dice, 6);
        right_tree(s, root, parent);
        if (last == MW_NO_LEVEL) {
            MW_TRY(rc, judge_both(&j, root, parent, last, &verdict, &said));
            EXPECT(said == MW_OK, "root %u: %d", (unsigned)root, said);
        }
        for (uint64_t n = drawn(&dice, 4); n > 0; n--)
            parent[drawn(&dice, s->n)] = drawn(&dice, 8)   ? drawn(&dice, s->n)
                                         : drawn(&dice, 2) ? MW_NO_VERTEX
                                                           : s->n + drawn(&dice, 1000);
        MW_TRY(rc, judge_both(&j, root, parent, last, &verdict, &said));
        EXPECT(said == MW_OK || said == MW_ERR_INVALID, "%d", said);
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
    const bool many = _i % 8 == 0; /* more than 16 have no peers (peers.h) */
    const uint32_t n_ranks = (many ? 17 : 1) + (uint32_t)drawn(&d.dice, 4);
    struct ranks r = device_ranks(_i % n_forms, n_ranks, (uint64_t)_i);
    if (drawn(&d.dice, 2))
        sample_direct(&s);
    d.sample = &s;
    d.n_trees = many ? 8 : 40;
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
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "parents", n, sizeof *parent);
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
        struct ranks r = device_ranks(_i, 1, 0);
        r.body = a_path_is_climbed;
        r.arg = &n;
        must_run(&r);
    }
}
END_TEST

/* ---- devices ------------------------------------------------------------------------------ */

/* A device that has no room for something, or room for less of it; or whose copies go wrong. */
static struct {
    const char *lacks; /* a block of this name ... */
    uint64_t most;     /* ... of more elements than that */
    bool garbles;
} planted;
static _Thread_local bool is_spared; /* this rank has room for all */

static void *take_planted(struct mw_cluster *c, enum mw_memory_kind kind,
                          const char *what, uint64_t n, uint64_t size)
{
    if (planted.lacks != NULL && !is_spared && strcmp(what, planted.lacks) == 0 &&
        n > planted.most) {
        mw_fail(MW_ERR_NOMEM, "planted: no room for %s", what);
        return NULL;
    }
    return apart_memory.take(c, kind, what, n, size);
}

static void put_planted(struct mw_cluster *c, void *to, const void *from, uint64_t bytes)
{
    apart_memory.put(c, to, from, bytes);
    if (planted.garbles && bytes > 64) {
        uint32_t first = *(const uint32_t *)from ^ 1;
        apart_memory.put(c, to, &first, sizeof first);
    }
}

enum { TUPLES = 1 << 17 };

/* Whether the device judges depends on its memory; the verdict does not. */
static int judges_as_there_is_room(struct mw_world *w, void *arg)
{
    const uint8_t *const by = arg;
    static const uint64_t seed[2] = {2, 3};
    struct mw_edges edges = {0};
    struct mw_kronecker k;
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    struct mw_verdict verdict, claim;
    void *check = NULL;
    int rc;
    MW_TRY(rc, mw_kronecker_init(&k, 13, TUPLES, seed));
    MW_TRY(rc, mw_edges_init(&edges, 1 << 13, TUPLES));
    MW_TRY(rc, mw_generate(w, &k, 0, TUPLES, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, NULL, w, g, &b));
    MW_TRY(rc, mw_algorithm_bfs.check->open(w, &edges, &check));
    MW_TRY(rc, mw_traversal_reset(b));
    MW_TRY(rc,
           mw_traversal_run(b, edges.narrow != NULL ? edges.narrow[0] : edges.wide[0]));
    MW_TRY(rc, mw_algorithm_bfs.claim(b, &claim));
    MW_TRY(rc, mw_algorithm_bfs.check->run(
                   check, b, edges.narrow != NULL ? edges.narrow[0] : edges.wide[0],
                   &verdict));
    EXPECT(verdict.by == *by, "judged by %u", verdict.by);
    EXPECT(verdict.n_reached == claim.n_reached && verdict.n_edges == claim.n_edges,
           "%u vertices", (unsigned)verdict.n_reached);
end:
    mw_algorithm_bfs.check->close(check);
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

static int judge_planted(uint8_t by)
{
    static struct mw_memory memory;
    static struct mw_backend backend;
    struct ranks r = device_ranks(true, 1, 0);
    memory = apart_memory;
    memory.take = take_planted;
    memory.put = put_planted;
    backend = device_apart;
    backend.memory = &memory;
    r.world.own_backend = &backend;
    r.body = judges_as_there_is_room;
    r.arg = &by;
    const int rc = on_ranks(&r);
    memset(&planted, 0, sizeof planted);
    return rc;
}

START_TEST(without_room_the_host_judges)
{
    static const char *const what[] = {"inspected tuples", "ancestors",
                                       "tuples on their way", "generated piece"};
    planted.lacks = what[_i];
    ck_good(judge_planted(_i < 3 ? MW_BY_HOST : MW_BY_CORES));
}
END_TEST

/* As plans count them. */
static int blocks_are_planned(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    struct mw_world_shape shape;
    struct mw_sizes sizes = {0};
    uint64_t planned = 0;
    int rc;
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    const uint64_t before = mw_mem_apart();
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &q->rule, w, g, &b));
    const uint64_t taken = mw_mem_apart() - before;
    const struct mw_graph_shape graph = {.n_places = g->n_places,
                                         .n_labels = g->n_labels,
                                         .n_columns = g->n_columns,
                                         .n_kept = g->row[g->n_labels],
                                         .wide = g->wide};
    const struct mw_algorithm_shape search = {.n_places = g->n_places,
                                              .n_labels = g->n_labels,
                                              .label_bits = g->label_bits,
                                              .place_bits = g->place_bits,
                                              .wide = g->wide,
                                              .options = &q->rule};
    const struct mw_delegates_shape none = {0};
    mw_world_shape_of(w, &shape);
    mw_graph_place_sizes(&graph, &none, &shape, &sizes);
    mw_traversal_sizes(&mw_algorithm_bfs, &search, &shape, &sizes);
    for (uint32_t i = 0; i < sizes.n; i++)
        if (sizes.row[i].kind == MW_OF_CORES && !sizes.row[i].of_host)
            planned += mw_size_taken(&sizes.row[i], 1);
    EXPECT(taken == planned && taken > 4 * g->n_places, "%u bytes taken, %u planned",
           (unsigned)taken, (unsigned)planned);
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(what_is_taken_was_planned)
{
    struct sample s = sample_kronecker(9);
    struct searches q;
    searches_init(&q, &s, 1, 5);
    struct ranks r = device_ranks(_i, 1, 0);
    r.body = blocks_are_planned;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(tuples_come_in_pieces)
{
    planted.lacks = "tuples on their way";
    planted.most = TUPLES / 2 + (uint64_t)_i * 7;
    ck_good(judge_planted(MW_BY_CORES));
}
END_TEST

START_TEST(other_tuples_are_noticed)
{
    planted.garbles = true;
    ck_fails(judge_planted(MW_BY_CORES), MW_ERR_INTERNAL, "are not those of the input");
}
END_TEST

#include "building_body.h"

/* Its second rank has the process' device, and not the host's next. */
START_TEST(ranks_of_a_process_share_its_device)
{
    struct mw_cluster_conf conf = {.n_cores = 1, .first_lane = 1};
    struct mw_cluster *c[3] = {NULL};
    for (uint32_t i = 0; i < 3; i++) {
        conf.real_host_rank = i;
        ck_good(DEVICE.open(&conf, &c[i]));
        ck_assert_uint_eq(DEVICE.device_of(c[i]), DEVICE.device_of(c[0]));
    }
    for (uint32_t i = 0; i < 3; i++)
        DEVICE.close(c[i]);
}
END_TEST

/* Also where they are taken for ranks of several hosts: else each would join NCCL's group as if it
 * had a device of its own, and the first would keep the turn that the others need to come. */
static int nothing_is_traded(struct mw_world *w, void *arg)
{
    struct mw_trade *trade;
    int rc;
    (void)arg;
    EXPECT(w->comm->n_hosts == w->comm->size, "%u hosts", w->comm->n_hosts);
    MW_TRY(rc, mw_world_trade(w, &trade));
    EXPECT(trade == NULL && strcmp(w->trade_why, "ranks share a device") == 0, "%s",
           w->trade_why);
end:
    return rc;
}

START_TEST(ranks_of_a_process_share_its_device_on_any_host)
{
    struct ranks r = device_ranks(false, 2, 4);
    struct mw_memory memory = *DEVICE.memory;
    struct mw_backend backend = DEVICE;
    memory.host_reaches = false; /* else nobody trades */
    backend.memory = &memory;
    r.world.own_backend = &backend;
    r.body = nothing_is_traded;
    ck_assert_uint_eq(r.loop.ranks_per_host, 1);
    must_run(&r);
}
END_TEST

/* ---- where the device is the host's cores --------------------------------------------------------- */

static struct ranks team_ranks(uint64_t *dice)
{
    struct ranks r = device_ranks(false, 1 + (uint32_t)drawn(dice, 4), drawn(dice, 12));
    r.world.own_backend = NULL; /* by its name, as runs find it */
    r.world.n_threads = 1 + (uint32_t)drawn(dice, 4);
    return r;
}

START_TEST(a_team_of_the_hosts_cores_searches_right)
{
    uint64_t dice = mixed((uint64_t)_i + 4711);
    struct sample s = sample_of(_i);
    struct searches q;
    searches_init(&q, &s, 3, dice);
    q.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    struct ranks r = team_ranks(&dice);
    r.body = search_and_check;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(a_team_of_the_hosts_cores_finds_components)
{
    uint64_t dice = mixed((uint64_t)_i + 4712);
    struct sample s = sample_of(_i);
    struct finding f;
    finding_init(&f, &s);
    struct ranks r = team_ranks(&dice);
    r.body = find_and_check;
    r.arg = &f;
    must_run(&r);
    finding_free(&f);
    sample_free(&s);
}
END_TEST

static void device_own_tests(TCase *t, int n)
{
    tcase_add_test(t, ranks_of_a_process_share_its_device);
    if (DEVICE.memory->trading != NULL)
        tcase_add_test(t, ranks_of_a_process_share_its_device_on_any_host);
    tcase_add_loop_test(t, edges_are_generated_bit_for_bit, 0, 9 * n_forms);
    tcase_add_loop_test(t, every_damage_is_found_by_both, 0, 8 * n_forms);
    tcase_add_loop_test(t, any_tree_is_judged_alike, 0, n);
    tcase_add_loop_test(t, deep_trees_are_climbed, 0, n_forms);
    tcase_add_loop_test(t, what_is_taken_was_planned, 0, n_forms);
    if (n_forms == 2)
        tcase_add_loop_test(t, several_ranks_build_by_their_devices_library, 0,
                            SHAPES + 23);
    tcase_add_loop_test(t, several_ranks_build_there_as_by_the_host, 0,
                        (SHAPES + 23) * n_forms);
    tcase_add_loop_test(t, graphs_are_built_there_as_by_the_host, 0,
                        (SHAPES + 23) * n_forms);
    if (n_forms == 2) {
        tcase_add_loop_test(t, a_team_of_the_hosts_cores_searches_right, 0, SHAPES + 8);
        tcase_add_loop_test(t, a_team_of_the_hosts_cores_finds_components, 0, SHAPES + 8);
        tcase_add_loop_test(t, without_room_the_host_judges, 0, 4);
        tcase_add_loop_test(t, tuples_come_in_pieces, 0, 2);
        tcase_add_test(t, other_tuples_are_noticed);
        tcase_add_loop_test(t, without_room_the_host_builds, 0, 4);
        tcase_add_loop_test(t, a_rank_without_room_is_no_trouble, 0, LACKING);
    }
}

int main(void)
{
    return device_suite();
}
