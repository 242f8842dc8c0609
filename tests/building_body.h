/* building_body.h -- a graph that is built where it is searched is the host's, array by array; included by
 * test_kokkos.c, which plants what is missing (`planted`, `is_spared`).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWT_BUILDING_BODY_H
#define MWT_BUILDING_BODY_H

#include "algorithms/sssp/sssp.h"
#include "devices/building.h"
#include "devices/list_there.h"
#include "graph500/benchmark.h"

static bool is_same(struct mw_world *w, const void *there, const void *must,
                    uint64_t bytes)
{
    void *const mirror = malloc(bytes + 1);
    const bool same = memcmp(mw_see(w, mirror, there, bytes), must, bytes) == 0;
    free(mirror);
    return same;
}

/* Heads there are by place, and the host's only of those that have one. */
static bool heads_are_same(struct mw_world *w, const struct mw_graph *is,
                           const struct mw_graph *must)
{
    const uint64_t n = must->n_places;
    uint32_t *const mirror = calloc(n + 1, 2 * sizeof *mirror);
    const uint32_t *const head = mw_see(w, mirror, is->head, n * sizeof *mirror);
    const uint32_t *const name = mw_see(w, mirror + n, is->head_name, n * sizeof *mirror);
    bool same = is->n_before == NULL && must->n_before != NULL;
    for (uint64_t p = 0; p < n; p++) {
        const uint64_t at = mw_head_index(must, p);
        same = same && (must->label_of[p] == MW_NO_LABEL
                            ? head[p] == must->no_column
                            : head[p] == mw_number(must->head, at, false) &&
                                  name[p] == mw_number(must->head_name, at, false));
    }
    free(mirror);
    return same;
}

/* Pieces of delegated rows, as they come from there; where they begin the host knows, too. */
static int delegates_are_the_same(struct mw_world *w, const struct mw_graph *g,
                                  const struct mw_graph *must)
{
    const struct mw_delegates *is = g->delegates, *d = must->delegates;
    EXPECT((is == NULL) == (d == NULL), "delegated: %d", d != NULL);
    if (d == NULL)
        return MW_OK;
    const struct mw_delegates *const there = g->of_cores->delegates;
    const uint64_t n_ranks = g->comm->size, n = d->first[n_ranks];
    EXPECT(is->bound == d->bound && is->n_entries == d->n_entries &&
               is->most == d->most && there->most == d->most &&
               there->n_entries == d->n_entries,
           "%u in all, %u of a rank", (unsigned)is->n_entries, is->most);
    EXPECT(memcmp(is->first, d->first, (n_ranks + 1) * sizeof *d->first) == 0 &&
               memcmp(is->start, d->start, (n + 1) * sizeof *d->start) == 0,
           "where pieces begin");
    EXPECT(is_same(w, there->first, d->first, (n_ranks + 1) * sizeof *d->first) &&
               is_same(w, there->start, d->start, (n + 1) * sizeof *d->start) &&
               is_same(w, there->label, d->label, d->start[n] * sizeof *d->label),
           "pieces");
    EXPECT((there->weight == NULL) == (d->weight == NULL) &&
               (d->weight == NULL ||
                is_same(w, there->weight, d->weight, d->start[n] * sizeof *d->weight)),
           "weights of pieces");
    return MW_OK;
}

/* What has come home is what the host would have built. */
static int home_is_the_same(struct mw_world *w, const struct mw_graph *g,
                            const struct mw_graph *must)
{
    int rc;
    MW_TRY(rc, mw_graph_come_home(w, g));
    MW_TRY(rc, mw_graph_come_home(w, g)); /* again: nothing */
    EXPECT(memcmp(g->row, must->row, (must->n_labels + 1) * sizeof *g->row) == 0 &&
               memcmp(g->column, must->column,
                      must->row[must->n_labels] * sizeof(uint32_t)) == 0 &&
               memcmp(g->name, must->name, must->n_columns * sizeof(uint32_t)) == 0 &&
               memcmp(g->degree, must->degree, must->n_places * sizeof *g->degree) == 0 &&
               memcmp(g->place_of, must->place_of,
                      must->n_labels * sizeof *g->place_of) == 0,
           "arrays at home");
    EXPECT(must->weight == NULL ||
               (g->in_weight == g->weight &&
                memcmp(g->weight, must->weight,
                       must->row[must->n_labels] * sizeof *g->weight) == 0),
           "weights at home");
    EXPECT(g->delegates == NULL || must->weight == NULL ||
               memcmp(g->delegates->weight, must->delegates->weight,
                      must->delegates->start[must->delegates->first[g->comm->size]] *
                          sizeof *g->delegates->weight) == 0,
           "weights of pieces at home");
    EXPECT(g->delegates == NULL ||
               memcmp(g->delegates->label, must->delegates->label,
                      must->delegates->start[must->delegates->first[g->comm->size]] *
                          sizeof *g->delegates->label) == 0,
           "pieces at home");
end:
    return rc;
}

static int graphs_are_the_same(struct mw_world *w, const struct mw_graph *g,
                               const struct mw_graph *must)
{
    const struct mw_graph *const is = g->of_cores;
    const uint64_t n = must->n_places, n_kept = must->row[must->n_labels];
    EXPECT(g->n_labels == must->n_labels && g->n_connected == must->n_connected &&
               g->n_entries == must->n_entries && g->n_ends == must->n_ends &&
               g->first_leaf == must->first_leaf && g->n_columns == must->n_columns &&
               g->no_column == must->no_column && g->label_bits == must->label_bits &&
               g->place_bits == must->place_bits && is->n_labels == must->n_labels,
           "%u labels, %u entries", g->n_labels, (unsigned)g->n_entries);
    EXPECT(g->n_edges == must->n_edges && g->n_vertices == must->n_vertices &&
               is->n_columns == must->n_columns,
           "%u tuples", (unsigned)g->n_edges);
#define SAME(array, n_)                                                                  \
    EXPECT(is_same(w, is->array, must->array, (n_) * (must_bytes)), #array)
    uint64_t must_bytes = sizeof(uint32_t);
    SAME(degree, n);
    SAME(label_of, n);
    SAME(place_of, must->n_labels);
    SAME(column, n_kept);
    EXPECT((is->weight == NULL) == (must->weight == NULL) && is->in_weight == is->weight,
           "weights");
    if (must->weight != NULL)
        SAME(weight, n_kept);
    EXPECT(heads_are_same(w, is, must), "heads");
    SAME(name, must->n_columns);
    must_bytes = sizeof(uint64_t);
    SAME(row, must->n_labels + 1);
    SAME(connected, n / 64 + 1);
#undef SAME
    return delegates_are_the_same(w, g, must);
}

/* What the list has, and then the graph. */
enum kind { PLAIN, WEIGHED, ALL_ONE /* of a list without weights */, KINDS };

struct building {
    const struct sample *sample;
    struct mw_building_rule rule;
    bool shuffled;
    uint32_t block_bits;
    enum kind kind;
};

/* Few different ones, and zeros: duplicates have equal ones, too. */
static int weigh(struct mw_edges *e)
{
    const int rc = mw_edges_weigh(e);
    for (uint64_t i = 0; rc == MW_OK && i < e->n; i++)
        e->weight[i] = (float)(mixed(i + e->n) % 7) / 3;
    return rc;
}

/* What is left of it there is what plans count, and then nothing. */
static int is_built_there(struct mw_world *w, void *arg)
{
    const struct building *x = arg;
    struct mw_edges edges = {0}, home = {0};
    struct mw_graph *g = NULL, *must = NULL;
    struct mw_sizes sizes = {0};
    struct mw_digest digest, host;
    struct mw_world_shape world;
    double seconds[MW_BUILT_PHASES];
    uint64_t planned = 0, before = 0, left;
    int rc;
    MW_TRY(rc, mw_comm_barrier(w->comm)); /* all ranks' blocks are counted together */
    before = mw_mem_apart();
    MW_TRY(rc, mw_comm_barrier(w->comm));
    MW_TRY(rc, sample_share(x->sample, w->comm, &edges));
    if (edges.wide != NULL)
        goto end;
    edges.shuffled = x->shuffled;
    edges.block_bits = x->block_bits;
    if (x->kind == WEIGHED)
        MW_TRY(rc, weigh(&edges));
    const struct mw_graph_rule host_rule = {.weights = x->rule.weights};
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &edges, &host_rule, &must));
    MW_TRY(rc, mw_graph_delegate(mw_world_host_side(w), must, x->rule.delegate));
    MW_TRY(rc, mw_digest_of(mw_world_host_side(w), &edges, &host));
    MW_TRY(rc, mw_list_place(w, &edges, x->kind == WEIGHED));
    MW_TRY(rc, mw_list_digest(w, &edges, &digest));
    EXPECT(memcmp(&digest, &host, sizeof digest) == 0, "another list");
    MW_TRY(rc, mw_graph_build_there(w, &edges, &x->rule, seconds, &g));
    MW_TRY(rc, mw_comm_agree(w->comm, graphs_are_the_same(w, g, must)));
    const struct mw_graph_shape shape = {.n_vertices = g->n_vertices,
                                         .n_places = g->n_places,
                                         .n_tuples = edges.n,
                                         .n_labels = g->n_labels,
                                         .n_columns = g->n_columns,
                                         .n_kept = must->row[must->n_labels],
                                         .weights = x->rule.weights};
    const struct mw_delegates_shape delegates = mw_delegates_shape_of(g);
    mw_world_shape_of(w, &world);
    mw_list_sizes(edges.n, x->kind == WEIGHED, &sizes);
    mw_building_sizes(&shape, &delegates, 0, &world, &sizes);
    EXPECT(w->comm->size > 1 || mw_sizes_find(&sizes, "entries")->n ==
                                    mw_building_entries(g->n_places, 2 * edges.n),
           "room for %u entries", (unsigned)mw_sizes_find(&sizes, "entries")->n);
    for (uint32_t i = 0; i < sizes.n; i++)
        if (sizes.row[i].kind == MW_OF_CORES &&
            (sizes.row[i].when == MW_ALWAYS || sizes.row[i].when == MW_SEARCHING))
            planned += mw_size_taken(&sizes.row[i], 1);
    EXPECT(mw_host_reaches(w->backend) || w->comm->size > 1 ||
               mw_mem_apart() - before == planned,
           "%u bytes, %u planned", (unsigned)(mw_mem_apart() - before),
           (unsigned)planned);
    home = edges;
    home.narrow = NULL;
    home.weight = NULL;
    MW_TRY(rc, mw_list_come_home(w, &home));
    EXPECT(memcmp(home.narrow, edges.narrow, 8 * edges.n) == 0, "it came home changed");
    EXPECT(x->kind != WEIGHED || memcmp(home.weight, edges.weight, 4 * edges.n) == 0,
           "its weights came home changed");
    rc = home_is_the_same(w, g, must);
end:
    mw_free(home.narrow);
    mw_free(home.weight);
    mw_graph_forget_there(w, g);
    mw_graph_free(g);
    mw_graph_free(must);
    mw_list_unplace(w, &edges);
    mw_edges_fini(&edges);
    rc = mw_comm_agree(w->comm, rc);
    left = mw_mem_apart() - before;
    if (rc == MW_OK)
        rc = mw_comm_barrier(w->comm);
    if (rc == MW_OK && left != 0)
        rc = mw_fail(MW_ERR_INTERNAL, "%u bytes are left there", (unsigned)left);
    return rc;
}

static void build_each_kind(struct ranks *r, struct building *x)
{
    r->arg = x;
    for (x->kind = PLAIN; x->kind < KINDS; x->kind++) {
        x->rule.weights = x->kind == PLAIN ? MW_WEIGHTS_NONE : MW_WEIGHTS_MINIMUM;
        must_run(r);
    }
}

/* Rows of one, two, three and nine pieces, with duplicates, that begin anywhere in a piece. */
static struct sample sample_of_hubs(void)
{
    static const uint32_t n_tuples[] = {9000, 70000, 20000, 8193, 8192, 8191, 3000};
    struct sample s = {.name = "hubs", .n = 30000};
    uint64_t dice = mixed(77);
    for (uint32_t hub = 0; hub < sizeof n_tuples / sizeof *n_tuples; hub++)
        for (uint32_t i = 0; i < n_tuples[hub]; i++) {
            const uint64_t v = drawn(&dice, 29000);
            sample_edge(&s, i % 2 ? v : hub, i % 2 ? hub : v);
        }
    sample_finish(&s);
    return s;
}

static struct sample sample_to_build(int i)
{
    const int n_small = SHAPES + 20;
    return i < n_small       ? sample_of(i)
           : i - n_small < 2 ? sample_kronecker(i == n_small ? 9 : 12)
                             : sample_of_hubs();
}

START_TEST(graphs_are_built_there_as_by_the_host)
{
    const int i = _i / n_forms;
    struct sample s = sample_to_build(i);
    struct building x = {.sample = &s};
    struct ranks r = device_ranks(_i % n_forms, 1, (uint64_t)i);
    r.body = is_built_there;
    build_each_kind(&r, &x);
    sample_free(&s);
}
END_TEST

/* Pieces that are told are as small as can be, or all; of any rows, or of those that are usual. */
START_TEST(several_ranks_build_there_as_by_the_host)
{
    const int i = _i / n_forms;
    uint64_t dice = mixed((uint64_t)i + 5150);
    struct sample s = sample_to_build(i);
    struct building x = {.sample = &s,
                         .shuffled = drawn(&dice, 2),
                         .block_bits = (uint32_t)drawn(&dice, 5)};
    struct ranks r =
        device_ranks(_i % n_forms, 2 + (uint32_t)drawn(&dice, 4), drawn(&dice, 12));
    x.rule.piece_words = drawn(&dice, 2) ? 4 + 2 * drawn(&dice, 500) : 0;
    x.rule.delegate = drawn(&dice, 4)   ? 1 + (int64_t)drawn(&dice, 40)
                      : drawn(&dice, 2) ? MW_DELEGATE_AUTO
                                        : MW_DELEGATE_OFF;
    r.body = is_built_there;
    build_each_kind(&r, &x);
    sample_free(&s);
}
END_TEST

/* What ranks tell goes from device to device by their library. */
static int is_built_by_trade(struct mw_world *w, void *arg)
{
    const struct building *const x = arg;
    const bool builds = x->sample->n <= MW_NARROW_VERTICES;
    struct mw_world_shape shape;
    trading_begin(w->comm->rank);
    mw_world_shape_of(w, &shape);
    int rc = is_built_there(w, arg);
    if (rc == MW_OK && builds && (!mw_parts_expected(&shape) || w->trade == NULL))
        rc = mw_fail(MW_ERR_INTERNAL, "parts went by the host: %s", w->trade_why);
    return rc;
}

START_TEST(several_ranks_build_by_their_devices_library)
{
    uint64_t dice = mixed((uint64_t)_i + 77), told = trading_group.n_told;
    struct sample s = sample_to_build(_i);
    struct building x = {.sample = &s,
                         .shuffled = drawn(&dice, 2),
                         .block_bits = (uint32_t)drawn(&dice, 5)};
    struct ranks r = device_ranks(true, 2 + (uint32_t)drawn(&dice, 4), drawn(&dice, 12));
    struct mw_memory memory = *device_apart.memory;
    struct mw_backend backend = device_apart;
    memory.trading = &trading_of_ranks;
    backend.memory = &memory;
    backend.devices = trading_devices;
    backend.device_of = trading_device_of;
    r.world.own_backend = &backend;
    x.rule.piece_words = drawn(&dice, 2) ? 4 + 2 * drawn(&dice, 500) : 0;
    x.rule.delegate = drawn(&dice, 2) ? 1 + (int64_t)drawn(&dice, 40) : MW_DELEGATE_AUTO;
    r.body = is_built_by_trade;
    build_each_kind(&r, &x);
    ck_assert(trading_group.n_told > told || s.m == 0 || s.n > MW_NARROW_VERTICES);
    sample_free(&s);
}
END_TEST

/* Runs find the same in a graph that is built there, and in one that there was no room to build. */
static int runs_build(struct mw_world *w, void *arg)
{
    const bool *const there = arg;
    static const struct mw_algorithm *const each[] = {
        &mw_algorithm_bfs, &mw_algorithm_cc, &mw_algorithm_sssp, &mw_algorithm_sssp};
    static const struct mw_sssp_rule unpruned = {.unpruned = true};
    struct mw_benchmark_conf conf = {.scale = 9,
                                     .edgefactor = 16,
                                     .seed = {2, 3},
                                     .n_roots = 3,
                                     .validate = true,
                                     .n_confirmed = 2};
    struct mw_way way = {.world = w};
    const bool narrow = UINT64_C(1) << conf.scale <= MW_NARROW_VERTICES;
    struct mw_benchmark_result is = {0}, must = {0};
    int rc = MW_OK;
    for (int i = 0; i < (narrow ? 4 : 2); i++) { /* paths have narrow numbers only */
        conf.algorithm = each[i];
        conf.graph_rule.weights = conf.algorithm->weights;
        way.options = i == 3 ? &unpruned : NULL;
        conf.graph_rule.by_host = false;
        MW_TRY(rc, mw_benchmark_run(&conf, &way, 1, &is));
        conf.graph_rule.by_host = true;
        MW_TRY(rc, mw_benchmark_run(&conf, &way, 1, &must));
        EXPECT(is.built_there == (*there && narrow) && !must.built_there, "%s: %s",
               conf.algorithm->name,
               is.built_there ? "built there" : "built by the host");
        EXPECT(memcmp(is.trait, must.trait, sizeof is.trait) == 0, "other traits");
        EXPECT(is.validated && is.n_searches == 3 &&
                   is.n_edges_kept == must.n_edges_kept &&
                   is.n_connected == must.n_connected &&
                   memcmp(&is.digest, &must.digest, sizeof is.digest) == 0,
               "%u edges", (unsigned)is.n_edges_kept);
        for (uint32_t k = 0; k < is.n_searches; k++)
            EXPECT(is.search[k].n_edges == must.search[k].n_edges &&
                       is.search[k].n_reached == must.search[k].n_reached,
                   "search %u: %u edges", k, (unsigned)is.search[k].n_edges);
        mw_benchmark_result_fini(&is);
        mw_benchmark_result_fini(&must);
    }
end:
    mw_benchmark_result_fini(&is);
    mw_benchmark_result_fini(&must);
    return rc;
}

/* The ranks' device has no room for this block; NULL: for all. */
static void lack(struct ranks *r, const char *what)
{
    static struct mw_memory memory;
    static struct mw_backend backend;
    memory = apart_memory;
    memory.take = take_planted;
    backend = device_apart;
    backend.memory = &memory;
    r->world.own_backend = &backend;
    planted.lacks = what;
}

START_TEST(without_room_the_host_builds)
{
    static const char *const what[] = {NULL, "list of cores", "entries",
                                       "sums of kept entries"};
    bool there = _i == 0;
    struct ranks r = device_ranks(true, 1, 0);
    lack(&r, what[_i]);
    r.body = runs_build;
    r.arg = &there;
    must_run(&r);
    memset(&planted, 0, sizeof planted);
}
END_TEST

/* One rank has no room for something: all go without, and nothing is left there. */
static int all_do_without(struct mw_world *w, void *arg)
{
    const struct sample *s = arg;
    const struct mw_building_rule rule = {.delegate = 3, .weights = MW_WEIGHTS_MINIMUM};
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct bfs_inspector *k = NULL;
    double seconds[MW_BUILT_PHASES];
    uint64_t before = 0, left;
    int rc, built = MW_OK;
    is_spared = w->comm->rank != 1;
    MW_TRY(rc, mw_comm_barrier(w->comm));
    before = mw_mem_apart();
    MW_TRY(rc, sample_share(s, w->comm, &edges));
    MW_TRY(rc, mw_comm_barrier(w->comm));
    if (edges.wide != NULL) /* no list there */
        goto end;
    MW_TRY(rc, weigh(&edges));
    built = mw_list_place(w, &edges, true);
    if (built == MW_OK)
        built = mw_graph_build_there(w, &edges, &rule, seconds, &g);
    MW_TRY(rc, bfs_inspector_new(w, &edges, &k));
    EXPECT(built == MW_ERR_NOMEM || k == NULL, "%s is there", planted.lacks);
    EXPECT((built == MW_OK || built == MW_ERR_NOMEM) && (g == NULL) == (built != MW_OK),
           "%d: %s", built, mw_error_text());
end:
    bfs_inspector_free(k);
    mw_graph_forget_there(w, g);
    mw_graph_free(g);
    mw_list_unplace(w, &edges);
    mw_edges_fini(&edges);
    is_spared = false;
    rc = mw_comm_agree(w->comm, rc);
    left = mw_mem_apart() - before;
    if (rc == MW_OK)
        rc = mw_comm_barrier(w->comm);
    if (rc == MW_OK && left != 0)
        rc = mw_fail(MW_ERR_INTERNAL, "%u bytes are left there", (unsigned)left);
    return rc;
}

static const char *const lacking[] = {"list of cores",
                                      "weights of the list, of cores",
                                      "weights, of cores",
                                      "weights of pieces, of cores",
                                      "entries",
                                      "merged entries",
                                      "what a rank tells all",
                                      "what another rank tells",
                                      "place of each label, of cores",
                                      "columns of all vertices, of cores",
                                      "names of the columns, of cores",
                                      "sums of kept entries",
                                      "columns, of cores",
                                      "heads, of cores",
                                      "delegated vertices, of cores",
                                      "starts of pieces, of cores",
                                      "pieces, of cores",
                                      "rows that another rank delegates",
                                      "parents of all",
                                      "ancestors"};
enum { LACKING = sizeof lacking / sizeof *lacking };

START_TEST(a_rank_without_room_is_no_trouble)
{
    struct sample s = sample_of_hubs();
    struct ranks r = device_ranks(true, 3, (uint64_t)_i);
    lack(&r, lacking[_i]);
    r.body = all_do_without;
    r.arg = &s;
    must_run(&r);
    memset(&planted, 0, sizeof planted);
    sample_free(&s);
}
END_TEST

#endif
