/* test_sssp.c -- shortest paths on every shape, weighing, route and backend, against Dijkstra's
 * algorithm; and their validator against every kind of fault.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp_inspect.h"
#include "shuffle/boxes.h"
#include "sssp_body.h"

static void must_find(struct pathing *p, uint32_t n_ranks, uint32_t width,
                      uint32_t threads, uint64_t seed)
{
    struct ranks r = {
        .loop = {n_ranks, (uint32_t)(seed % 3), seed}, .body = find_paths, .arg = p};
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    r.world.crew_trial = n_ranks == 1 ? (uint32_t)(seed % 4) : 0;
    must_run(&r);
}

START_TEST(every_shape_has_its_paths)
{
    struct sample s = sample_shape((enum shape)(_i / WEIGHINGS));
    struct pathing p;
    pathing_init(&p, &s, (enum weighing)(_i % WEIGHINGS), s.n / 3);
    const uint32_t step = (uint32_t)how_many(2, 2, 5);
    for (uint32_t n_ranks = 1 + (uint32_t)_i % 2; n_ranks <= 7; n_ranks += step)
        must_find(&p, n_ranks, 1 + n_ranks / 2 % n_ranks, n_ranks % 4, n_ranks);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

START_TEST(random_graphs_have_their_paths)
{
    uint64_t dice = mixed((uint64_t)_i + 4321);
    struct sample s = sample_random((uint64_t)_i + 3000);
    struct pathing p;
    if (_i % 3 == 0)
        sample_direct(&s);
    pathing_init(&p, &s, (enum weighing)drawn(&dice, WEIGHINGS), drawn(&dice, s.n));
    p.rule.unpruned = drawn(&dice, 3) == 0;
    p.builds = _i % 2;
    p.rule.delta = ((const float[]){0, 0.3f, 2, 1e9f})[drawn(&dice, 4)];
    if (p.weighing == WHOLE)
        p.rule.delta *= 100;
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 7);
    const uint32_t width = 1 + (uint32_t)drawn(&dice, n_ranks);
    must_find(&p, n_ranks, width, (uint32_t)drawn(&dice, 4), drawn(&dice, 3));
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_have_their_paths)
{
    struct sample s = sample_kronecker(5 + (uint32_t)_i);
    struct pathing p;
    pathing_init(&p, &s, UNIFORM, s.edge[0][0]);
    must_find(&p, 1 + (uint32_t)_i, 1 + (uint32_t)_i / 2, 2, 0);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Rounds of more entries than cores put before they take, by all ranks of a host: rows that are not pruned, in no order. */
START_TEST(large_rounds_find_the_same_paths)
{
    uint64_t dice = mixed((uint64_t)_i + 53);
    struct sample s = sample_kronecker(12);
    struct pathing p;
    sample_direct(&s);
    pathing_init(&p, &s, (enum weighing)(_i % WEIGHINGS), s.edge[drawn(&dice, s.m)][0]);
    p.rule.delta = _i % 2 ? 1e9f : 0;
    must_find(&p, 1 + (uint32_t)_i % 3, 1, 1 + (uint32_t)_i % 2 * 2, 0);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* A crew of so many makes small buckets, but no rounds. */
START_TEST(more_cores_have_no_boxes)
{
    struct sample s = sample_kronecker(10);
    struct pathing p;
    pathing_init(&p, &s, UNIFORM, s.edge[0][0]);
    must_find(&p, 2, 1, MW_BOX_CORES / 2 + 1, 0);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Vertices of about thirty neighbours, a hundred that have two of these, and others apart; each n-th one, so that only one of n ranks has any. */
static struct sample sample_dense(uint64_t seed, uint64_t step)
{
    struct sample s = {.name = "dense", .n = 1200};
    for (uint64_t i = 0; i < 3200; i++) {
        const uint64_t u = step * (i < 3000 ? drawn(&seed, 200) : 200 + i % 100);
        sample_edge(&s, u, step * drawn(&seed, 200));
    }
    sample_finish(&s);
    return s;
}

/* Most edges of these are left out, and all distances are the same: find_paths() has compared them with
 * Dijkstra's. A path of equal weights loses nothing. */
static int count_left(struct mw_world *w, void *arg)
{
    struct pathing *p = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *t = NULL;
    const struct mw_graph_rule rule = {.weights = MW_WEIGHTS_MINIMUM};
    uint64_t trait[2];
    int rc;
    MW_TRY(rc, share_weighed(p, w->comm, &edges));
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &edges, &rule, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_sssp, &p->rule, w, g, &t));
    mw_algorithm_sssp.traits(t, trait);
    EXPECT(p->most_left > 0 ? trait[1] <= p->most_left * g->n_entries / 100
                            : trait[1] == g->n_entries,
           "%llu of %llu entries are left", (unsigned long long)trait[1],
           (unsigned long long)g->n_entries);
end:
    mw_traversal_free(t);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(pruning_leaves_few_edges)
{
    struct sample s = sample_kronecker(9);
    struct pathing p;
    pathing_init(&p, &s, UNIFORM, s.edge[0][0]);
    p.most_left = _i == 0 ? 40 : 0;
    p.rule.unpruned = _i == 1;
    if (_i == 2)
        sample_direct(&s);
    for (uint32_t n_ranks = 1; n_ranks <= 3; n_ranks += 2) {
        struct ranks r = {.loop = {n_ranks, 0, 0}, .body = count_left, .arg = &p};
        must_run(&r);
    }
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* A landmark, 2, and ten neighbours, of which each two have an edge that is of no use. And edges of the
 * landmark again, with isolated vertices, so that it is a hub. */
static void sample_star(struct sample *s, uint64_t first, uint32_t n_again)
{
    for (uint64_t v = first; v < first + 10; v++)
        sample_edge(s, 2, v);
    for (uint64_t v = first; v < first + 10; v++)
        for (uint64_t u = first; u < v; u++)
            sample_edge(s, u, v);
    for (uint32_t i = 0; i < n_again; i++)
        sample_edge(s, i % 2 ? 2 : first + i % 10, i % 2 ? first + i % 10 : 2);
    s->n = n_again > 0 ? 60 : s->n;
    sample_finish(s);
}

/* Far away from 0 comes a triangle 1, 2, 3. Its edge 1 -- 3 is longer than the way by 2, but a sum from 0 on rounds
 * twice on that way. */
static struct sample sample_rounded(uint32_t n_again)
{
    struct sample s = {.name = "rounded", .n = 14};
    static const uint64_t edge[][2] = {{0, 1}, {1, 2}, {2, 3}, {1, 3}};
    for (int i = 0; i < 4; i++)
        sample_edge(&s, edge[i][0], edge[i][1]);
    sample_star(&s, 4, n_again);
    return s;
}

/* A chain 0 .. 4 by the landmark, in its middle. All that is left weighs nothing. */
static struct sample sample_free_ways(uint32_t n_again)
{
    struct sample s = {.name = "free ways", .n = 15};
    for (uint64_t v = 0; v < 4; v++)
        sample_edge(&s, v, v + 1);
    sample_star(&s, 5, n_again);
    return s;
}

/* Most entries are pruned, and all paths are there; on so many ranks. */
static void must_prune(struct sample s, enum weighing weighing, uint32_t n_ranks)
{
    struct pathing p;
    pathing_init(&p, &s, weighing, 0);
    p.most_left = 30;
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = count_left, .arg = &p};
    must_run(&r);
    must_find(&p, n_ranks, 1, n_ranks - 1, 0);
    pathing_free(&p);
    sample_free(&s);
}

/* A way by the landmark is as long as it must be, so only a bound above it leaves room for a parent. */
START_TEST(free_ways_have_parents)
{
    must_prune(sample_free_ways(0), FREE, 1 + (uint32_t)_i);
}
END_TEST

START_TEST(rounding_prunes_no_shortest_path)
{
    must_prune(sample_rounded(0), ROUNDED, 1 + (uint32_t)_i);
}
END_TEST

/* A graph that is built thin, on so many ranks. */
static void must_be_thin(struct sample s, enum weighing weighing, uint64_t most_rows,
                         uint32_t n_ranks, uint32_t threads)
{
    struct pathing p;
    pathing_init(&p, &s, weighing, s.edge[0][0]);
    p.builds = true;
    p.most_rows = most_rows;
    must_find(&p, n_ranks, 1, threads, 0);
    pathing_free(&p);
    sample_free(&s);
}

START_TEST(thin_graphs_have_the_same_paths)
{
    must_be_thin(sample_kronecker(10), _i % 2 ? UNIFORM : WHOLE, 25,
                 1 + (uint32_t)_i / 2 % 4, (uint32_t)_i % 3);
}
END_TEST

/* A chain of heavy edges, whom no search by light ones reaches: nor do few rounds, if it is long. */
START_TEST(who_is_hard_to_reach_keeps_all_edges)
{
    const bool is_long = _i % 2;
    struct sample core = sample_kronecker(10), s = {.name = "tail", .n = core.n};
    for (uint64_t i = 0; i < core.m; i++)
        sample_edge(&s, core.edge[i][0], core.edge[i][1]);
    for (; s.n < core.n + (is_long ? 20 : 4); s.n++)
        sample_edge(&s, s.n == core.n ? s.edge[0][0] : s.n - 1, s.n);
    sample_finish(&s);
    sample_free(&core);
    must_be_thin(s, TAIL, is_long ? 0 : 25, 1 + (uint32_t)_i / 2, 2);
}
END_TEST

START_TEST(margins_are_for_who_is_far_off)
{
    must_be_thin(sample_rounded(400), ROUNDED, 30, 1 + (uint32_t)_i, 0);
}
END_TEST

START_TEST(free_ways_are_kept)
{
    must_be_thin(sample_free_ways(400), FREE, 30, 1 + (uint32_t)_i, 0);
}
END_TEST

START_TEST(a_landmark_may_have_no_light_edges)
{
    uint64_t dice = mixed((uint64_t)_i);
    struct sample s = {.name = "heavy hub", .n = 300};
    for (uint64_t v = 0; v < s.n; v++)
        sample_edge(&s, 2, v);
    for (uint64_t i = 0; i < 4000; i++) {
        const uint64_t u = 3 + drawn(&dice, s.n - 3), v = 3 + drawn(&dice, s.n - 3);
        sample_edge(&s, i < 2000 && i % 2 ? 2 : u, i < 2000 && i % 2 == 0 ? 2 : v);
    }
    sample_finish(&s);
    must_be_thin(s, HEAVY, 0, 1 + (uint32_t)_i, 1);
}
END_TEST

struct opened {
    struct mw_edges edges;
    struct mw_graph *g;
    struct mw_traversal *t;
};

static int open_paths(struct mw_world *w, const struct pathing *p, struct opened *o)
{
    const struct mw_graph_rule rule = {.weights = MW_WEIGHTS_MINIMUM};
    int rc;
    MW_TRY(rc, share_weighed(p, w->comm, &o->edges));
    MW_TRY(rc, mw_graph_build_by(mw_world_host_side(w), &o->edges, &rule, &o->g));
    rc = mw_traversal_new(&mw_algorithm_sssp, &p->rule, w, o->g, &o->t);
end:
    return rc;
}

static void close_paths(struct opened *o)
{
    mw_traversal_free(o->t);
    mw_graph_free(o->g);
    mw_edges_fini(&o->edges);
}

static int search_from(const struct opened *o, mw_vid root, uint64_t *fact)
{
    int rc;
    MW_TRY(rc, mw_traversal_reset(o->t));
    MW_TRY(rc, mw_traversal_run(o->t, root));
    rc = mw_algorithm_sssp.facts(o->t, fact);
end:
    return rc;
}

static int count_looks(struct mw_world *w, void *arg)
{
    const struct pathing *p = arg;
    struct opened o = {.g = NULL};
    uint64_t trait[2], fact[MW_SSSP_FACTS], n_looks = 0, n_pulled = 0;
    const uint64_t n_roots = 16;
    int rc;
    MW_TRY(rc, open_paths(w, p, &o));
    mw_algorithm_sssp.traits(o.t, trait);
    for (uint64_t i = 0; i < n_roots; i++) {
        MW_TRY(rc, search_from(&o, p->sample->edge[7 * i][0], fact));
        n_looks += fact[MW_SSSP_RELAXED];
        n_pulled += fact[MW_SSSP_PULLED];
    }
    EXPECT(100 * n_looks < p->most_looks * n_roots * trait[1] &&
               100 * n_pulled >= p->least_pulled * n_roots * trait[1] &&
               (p->least_pulled > 0 || n_pulled == 0),
           "%llu looks at %llu entries, %llu of them pulled", (unsigned long long)n_looks,
           (unsigned long long)trait[1], (unsigned long long)n_pulled);
end:
    close_paths(&o);
    return rc;
}

/* In one bucket, so that nothing else spares looks: of ways that are longer than by the landmark nobody hears. Counted
 * are 0.85 looks an entry that is left, and 1.07 without that. */
START_TEST(landmark_spares_looks)
{
    struct sample s = sample_kronecker(12);
    struct pathing p = {
        .sample = &s, .weighing = UNIFORM, .rule.delta = 1e9f, .most_looks = 95};
    struct ranks r = {.loop = {1 + (uint32_t)_i, 0, 0}, .body = count_looks, .arg = &p};
    must_run(&r);
    sample_free(&s);
}
END_TEST

/* Nothing is pruned, and rows are long. Counted are 0.11 to 0.13 looks an entry, 0.07 by those who pull; where each rank
 * is a host, and nobody pulls, 0.99. Rows in no order took 1.1. */
START_TEST(order_spares_looks)
{
    struct sample s = sample_kronecker(12);
    struct pathing p = {.sample = &s, .weighing = UNIFORM, .rule.unpruned = true};
    const bool hosts = _i == 3;
    struct ranks r = {
        .loop = {1 + (uint32_t)_i, hosts ? 1 : 0, 0}, .body = count_looks, .arg = &p};
    p.most_looks = hosts ? 105 : 20;
    p.least_pulled = hosts ? 0 : 5;
    must_run(&r);
    sample_free(&s);
}
END_TEST

/* A way of 1,000 vertices, of which a bucket has two or so. */
static struct sample sample_way(void)
{
    struct sample s = {.name = "way", .n = 1000};
    for (uint64_t v = 1; v < s.n; v++)
        sample_edge(&s, v - 1, v);
    sample_finish(&s);
    return s;
}

/* Searches twice; of how many buckets, and in how many steps. */
static int count_buckets(struct mw_world *w, void *arg)
{
    const struct pathing *p = arg;
    struct opened o = {.g = NULL};
    uint64_t fact[MW_SSSP_FACTS];
    int rc;
    MW_TRY(rc, open_paths(w, p, &o));
    for (int k = 0; k < 2; k++) {
        MW_TRY(rc, search_from(&o, 0, fact));
        const uint64_t n = fact[MW_SSSP_BUCKETS];
        EXPECT(p->rule.delta > 0  ? n > 250
               : !p->rule.no_crew ? n > 150
                                  : n < 125 && n > 40,
               "%u buckets", (unsigned)n);
        EXPECT(p->rule.no_crew ? o.t->n_levels > 150 : o.t->n_levels < 100, "%u steps",
               o.t->n_levels);
    }
end:
    close_paths(&o);
    return rc;
}

/* Counted are 76 buckets, and 363 of the width that is given; 218 of a crew's, which are twice as wide. */
START_TEST(buckets_of_little_work_grow)
{
    struct sample s = sample_way();
    struct pathing p;
    pathing_init(&p, &s, UNIFORM, 0);
    p.rule.delta = _i % 2 ? 1.0f : 0.0f;
    p.rule.no_crew = _i / 4 == 0;
    const uint32_t n_ranks = 1 + (uint32_t)_i / 2 % 2;
    struct ranks r = {.loop = {n_ranks, 0, 0}, .body = count_buckets, .arg = &p};
    must_run(&r);
    must_find(&p, n_ranks, 1, n_ranks == 1 ? 2 : 1, 1);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Small buckets of a crew: on ranks of one host and of several, with few cores and many, and with all weighings. */
START_TEST(crews_find_the_same_paths)
{
    uint64_t dice = mixed((uint64_t)_i + 17);
    struct sample s = sample_grid(20 + drawn(&dice, 30), 20 + drawn(&dice, 30), dice);
    struct pathing p;
    if (_i % 4 == 3)
        sample_direct(&s);
    pathing_init(&p, &s, (enum weighing)(_i % WEIGHINGS), drawn(&dice, s.n));
    if (_i % 3 == 0)
        p.rule.delta = p.weighing == WHOLE ? 20 : 0.05f;
    must_find(&p, 1 + (uint32_t)drawn(&dice, 5), 1, (uint32_t)drawn(&dice, 4),
              3 * (uint64_t)_i + (_i % 5 == 4));
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* From each of a chain's 121 vertices edges lead to the same 60 others, to which each way is shorter than the last:
 * they are listed more often than there is room for. One more stands in a list meanwhile, and leads to the last. */
static struct sample sample_fan(void)
{
    struct sample s = {.name = "fan", .n = 183};
    for (uint64_t v = 0; v < 120; v++)
        sample_edge(&s, v, v + 1);
    for (uint64_t v = 0; v <= 120; v++)
        for (uint64_t u = 121; u < 181; u++)
            sample_edge(&s, v, u);
    sample_edge(&s, 0, 181);
    sample_edge(&s, 181, 182);
    sample_finish(&s);
    sample_direct(&s);
    return s;
}

/* Behind a chain of 100 edges a fan, and a light chain of 500 vertices, whose hops go from core to core while there is
 * much else to do. From each a way leads to the same thousand vertices, which is shorter than the last. */
static struct sample sample_late(void)
{
    enum { CHAIN = 100, FAN = 1000, LIGHT = 500, LAST = 1000 };
    enum { AT_FAN = CHAIN + 1, AT_LIGHT = AT_FAN + FAN, AT_LAST = AT_LIGHT + LIGHT };
    struct sample s = {.name = "late", .n = AT_LAST + LAST};
    uint64_t dice = 3;
    for (uint64_t v = 0; v < CHAIN; v++)
        sample_edge(&s, v, v + 1);
    for (uint64_t i = 0; i < FAN; i++) {
        sample_edge(&s, CHAIN, AT_FAN + i);
        sample_edge(&s, AT_FAN + i, AT_FAN + (7 * i + 1) % FAN);
    }
    for (uint64_t i = 0; i < LIGHT; i++)
        sample_edge(&s, i == 0 ? CHAIN : AT_LIGHT + (i - 1) * 7 % LIGHT,
                    AT_LIGHT + i * 7 % LIGHT);
    for (uint64_t i = 0; i < LIGHT; i++)
        sample_edge(&s, AT_LIGHT + i * 7 % LIGHT, AT_LAST);
    for (uint64_t i = 1; i < LAST; i++) {
        sample_edge(&s, AT_LAST + (i - 1) / 2, AT_LAST + i);
        sample_edge(&s, AT_LAST + i, AT_LAST + drawn(&dice, i));
    }
    sample_finish(&s);
    sample_direct(&s);
    return s;
}

static int count_relaxed(struct mw_world *w, void *arg)
{
    const struct pathing *p = arg;
    struct opened o = {.g = NULL};
    uint64_t fact[MW_SSSP_FACTS];
    int rc;
    MW_TRY(rc, open_paths(w, p, &o));
    MW_TRY(rc, search_from(&o, 0, fact));
    EXPECT(fact[MW_SSSP_RELAXED] < 3 * p->sample->m, "%llu entries are relaxed",
           (unsigned long long)fact[MW_SSSP_RELAXED]);
end:
    close_paths(&o);
    return rc;
}

/* Ways that go with the next bucket are not left behind: what they lead to would be relaxed again and again. */
START_TEST(late_ways_come_first)
{
    struct sample s = sample_late();
    struct pathing p;
    pathing_init(&p, &s, LATE, 0);
    struct ranks r = {
        .loop = {2 + (uint32_t)_i % 2, 0, 0}, .body = count_relaxed, .arg = &p};
    p.rule.delta = _i / 2 ? 10 : 0;
    with_threads(&r, 1 + (uint32_t)_i % 2);
    must_run(&r);
    must_find(&p, 2, 1, 1 + (uint32_t)_i % 2, 0);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

START_TEST(full_lists_become_bits)
{
    struct sample s = sample_fan();
    struct pathing p;
    pathing_init(&p, &s, FALLING, 0);
    p.rule.delta = 2;
    must_find(&p, 1 + (uint32_t)_i, 1, 1 + (uint32_t)_i % 2, 3 * (uint64_t)_i);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* A chain, at the end of which one vertex leads to n others, and each of those to so many last ones. The vertex before
 * it leads to twigs of two vertices, too. */
static struct sample sample_broom(uint64_t n, uint64_t n_last)
{
    enum { CHAIN = 40, TWIGS = 50 };
    struct sample s = {.name = "broom", .n = CHAIN + n + n_last + 2 * TWIGS};
    for (uint64_t v = 0; v + 1 < CHAIN; v++)
        sample_edge(&s, v, v + 1);
    for (uint64_t v = CHAIN; v < CHAIN + n; v++) {
        sample_edge(&s, CHAIN - 1, v);
        for (uint64_t k = 0; k < n_last; k++)
            sample_edge(&s, v, CHAIN + n + k);
    }
    for (uint64_t v = s.n - 2 * TWIGS; v < s.n; v += 2) {
        sample_edge(&s, CHAIN - 2, v);
        sample_edge(&s, v, v + 1);
    }
    sample_finish(&s);
    sample_direct(&s);
    return s;
}

/* Cores of several ranks put more ways into boxes than have room, or one row has more. */
START_TEST(full_boxes_are_emptied_first)
{
    struct sample s = _i % 2 ? sample_broom(9000, 2) : sample_broom(1500, 60);
    struct pathing p;
    pathing_init(&p, &s, UNIFORM, 0);
    p.rule.delta = 1;
    must_find(&p, 2 + (uint32_t)_i / 2 % 2, 1, 1 + (uint32_t)_i / 4, 0);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Long rows by weight, pruned or not: on one host, on two, where nobody pulls, and with ranks by themselves. */
START_TEST(long_rows_have_their_paths)
{
    uint64_t dice = mixed((uint64_t)_i + 31);
    const uint32_t n_ranks = 1 + (uint32_t)_i / 2 % 4;
    struct sample s = _i % 2   ? sample_kronecker(8)
                      : _i % 3 ? sample_dense(dice, n_ranks)
                               : sample_dense(dice, 1);
    struct pathing p;
    struct ranks r = {
        .loop = {n_ranks, _i % 5 == 4 ? 2 : 0, dice}, .body = find_paths, .arg = &p};
    pathing_init(&p, &s, (enum weighing)(_i % WEIGHINGS), s.edge[drawn(&dice, s.m)][0]);
    p.rule.unpruned = _i % 4 != 3;
    p.rule.delta = ((const float[]){0, 0, 0.3f, 1e9f})[drawn(&dice, 4)];
    with_threads(&r, (uint32_t)drawn(&dice, 4));
    if (_i % 7 == 6 && !UNDER_TSAN)
        r.world.backend = "emul", r.world.n_threads = 1;
    with_width(&r, 1 + (uint32_t)drawn(&dice, n_ranks));
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* From vertex 0 thirty others have a heavy edge, and a detour of two light ones, which is longer. */
static struct sample sample_detours(void)
{
    struct sample s = {.name = "detours", .n = 260};
    uint64_t dice = 5;
    for (uint64_t v = 200; v < s.n; v += 2) {
        sample_edge(&s, 0, v);
        sample_edge(&s, 0, v + 1);
        sample_edge(&s, v + 1, v);
    }
    while (s.m < 3000) {
        const uint64_t u = drawn(&dice, 200);
        sample_edge(&s, u, drawn(&dice, 200));
    }
    sample_finish(&s);
    return s;
}

/* In one bucket: who is in it is not settled before heavy entries have been paid. */
START_TEST(detours_are_not_settled)
{
    struct sample s = sample_detours();
    struct pathing p;
    pathing_init(&p, &s, DETOURS, 0);
    p.rule = (struct mw_sssp_rule){.unpruned = true, .delta = 1e9f};
    must_find(&p, 1 + (uint32_t)_i, 1, 0, 1);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Serial kernels beside a mesh's, and the cores of several emulated clusters. */
START_TEST(clusters_find_the_same_paths)
{
    static const char *const backend[] = {"emul", "emul-threads", "openmp"};
    uint64_t dice = mixed((uint64_t)_i + 99);
    struct sample s = sample_random(dice);
    struct pathing p;
    struct ranks r = {.body = find_paths, .arg = &p};
    pathing_init(&p, &s, (enum weighing)drawn(&dice, WEIGHINGS), drawn(&dice, s.n));
    r.loop.n_ranks = 1 + (uint32_t)drawn(&dice, 4);
    r.world.backend = backend[_i % 8 == 7 ? 1 : _i % 2 * 2];
    r.world.n_clusters = 1 + (uint32_t)drawn(&dice, _i % 8 == 7 ? 1 : 3);
    r.world.n_threads = _i % 2 && _i % 8 != 7 ? 1 + 2 * r.world.n_clusters : 1;
    r.world.engine_mpe = drawn(&dice, 5) == 0;
    with_width(&r, 1 + (uint32_t)drawn(&dice, r.loop.n_ranks));
    r.world.small_input = (uint32_t)drawn(&dice, 2) * 512;
    r.world.batch_bytes = 512u << drawn(&dice, 4);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* ---- the validator ---------------------------------------------------------------------- */

/* What is said of the paths, right but for one fault. */
struct claim {
    const struct pathing *pathing;
    uint64_t *parent;
    float *distance;
    uint32_t rule; /* that must catch it; 0: it is right */
};

/* The cores that have searched count the same faults of edges; a parent that is none they may find by another rule. */
static int cores_find_the_same(struct mw_world *w, struct mw_edges *edges, mw_vid root,
                               const void *parent, bool wide, const float *distance,
                               const struct mw_verdict *host)
{
    struct sssp_inspector *k = NULL;
    struct mw_verdict is;
    int rc;
    MW_TRY(rc, sssp_inspector_new(w, edges, &k));
    EXPECT(k != NULL, "no inspection");
    for (int twice = 0; twice < 2; twice++) {
        MW_TRY(rc, sssp_inspect(k, root, parent, wide, distance, &is));
        EXPECT((is.n_wrong[MW_SSSP_TREE] + is.n_wrong[MW_SSSP_PARENTS] > 0) ==
                   (host->n_wrong[MW_SSSP_TREE] + host->n_wrong[MW_SSSP_PARENTS] > 0),
               "%u and %u faults of rule 1, %u and %u of rule 5",
               (unsigned)is.n_wrong[MW_SSSP_TREE], (unsigned)host->n_wrong[MW_SSSP_TREE],
               (unsigned)is.n_wrong[MW_SSSP_PARENTS],
               (unsigned)host->n_wrong[MW_SSSP_PARENTS]);
        if (host->n_wrong[MW_SSSP_TREE] > 0)
            continue; /* the host may have looked no further */
        EXPECT(
            is.n_wrong[MW_SSSP_EDGES] == host->n_wrong[MW_SSSP_EDGES] &&
                is.n_wrong[MW_SSSP_SPANS] == host->n_wrong[MW_SSSP_SPANS],
            "%u and %u too far, %u and %u not reached",
            (unsigned)is.n_wrong[MW_SSSP_EDGES], (unsigned)host->n_wrong[MW_SSSP_EDGES],
            (unsigned)is.n_wrong[MW_SSSP_SPANS], (unsigned)host->n_wrong[MW_SSSP_SPANS]);
        EXPECT(is.n_reached == host->n_reached && is.n_self_loops == host->n_self_loops &&
                   (is.n_edges == host->n_edges || host->n_wrong[MW_SSSP_SPANS] > 0),
               "%u and %u reached, %u and %u self-loops, %u and %u edges",
               (unsigned)is.n_reached, (unsigned)host->n_reached,
               (unsigned)is.n_self_loops, (unsigned)host->n_self_loops,
               (unsigned)is.n_edges, (unsigned)host->n_edges);
    }
end:
    sssp_inspector_free(k);
    return rc;
}

static int judge_claim(struct mw_world *w, void *arg)
{
    const struct claim *k = arg;
    const struct sample *s = k->pathing->sample;
    const struct mw_partition deal = mw_partition_of(s->n, w->comm->rank, w->comm->size);
    struct mw_edges edges = {0};
    struct mw_verdict verdict = {0};
    struct mw_sssp_validator *v = NULL;
    const bool wide = w->comm->size % 2;
    uint64_t *parent64 = malloc((s->n + 1) * sizeof *parent64);
    uint32_t *parent32 = malloc((s->n + 1) * sizeof *parent32);
    float *distance = malloc((s->n + 1) * sizeof *distance);
    char rule[20];
    int rc;
    MUST(parent64 != NULL && parent32 != NULL && distance != NULL);
    for (uint64_t p = 0; p < mw_my_places(&deal); p++) {
        const mw_vid at = mw_vertex(&deal, deal.rank, p);
        parent64[p] = k->parent[at];
        parent32[p] = (uint32_t)parent64[p];
        distance[p] = k->distance[at];
    }
    MW_TRY(rc, share_weighed(k->pathing, w->comm, &edges));
    MW_TRY(rc, mw_sssp_validator_new(w, &edges, &v));
    mw_error_clear();
    rc = mw_sssp_validate(v, k->pathing->root, wide ? (void *)parent64 : parent32, wide,
                          distance, &verdict);
    snprintf(rule, sizeof rule, "rule %u", k->rule);
    if (k->rule == 0)
        rc = rc == MW_OK ? rc : mw_fail(MW_ERR_INTERNAL, "%s", mw_error_text());
    else if (rc != MW_ERR_INVALID || verdict.n_wrong[k->rule] == 0)
        rc = mw_fail(MW_ERR_INTERNAL, "rule %u has not caught it: %s", k->rule,
                     mw_error_text());
    else
        rc = MW_OK;
    MW_TRY(rc, mw_comm_agree(w->comm, rc));
    MW_TRY(rc, cores_find_the_same(w, &edges, k->pathing->root,
                                   wide ? (void *)parent64 : parent32, wide, distance,
                                   &verdict));
end:
    mw_sssp_validator_free(v);
    mw_edges_fini(&edges);
    free(parent64);
    free(parent32);
    free(distance);
    return rc;
}

static void must_be_judged(const struct pathing *p, uint64_t *parent, float *distance,
                           uint32_t rule)
{
    struct claim k = {p, parent, distance, rule};
    const uint32_t step = (uint32_t)how_many(1, 1, 2);
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks += step) {
        struct ranks r = {.loop = {n_ranks, 0, 0}, .body = judge_claim, .arg = &k};
        with_threads(&r, n_ranks % 3);
        with_width(&r, 1 + n_ranks / 2 % n_ranks);
        must_run(&r);
    }
}

/* A path 0..5 of weights 2.5, a ring 6..9 of weight 2.5 that it does not reach, 10 alone; vertices 11
 * and 12 hang on 0, by parallel edges. All tuples weigh the same. */
static struct sample sample_parts(void)
{
    struct sample s = {.name = "parts", .n = 13};
    for (uint64_t v = 1; v < 6; v++)
        sample_edge(&s, v - 1, v);
    for (uint64_t v = 6; v < 10; v++)
        sample_edge(&s, v, v < 9 ? v + 1 : 6);
    sample_edge(&s, 0, 11);
    sample_edge(&s, 11, 0);
    sample_edge(&s, 0, 12);
    sample_edge(&s, 11, 12);
    sample_edge(&s, 3, 3);
    sample_finish(&s);
    return s;
}

static void claim_rightly(const struct pathing *p, uint64_t *parent, float *distance)
{
    for (uint64_t v = 0; v < p->sample->n; v++) {
        parent[v] = MW_NO_VERTEX;
        distance[v] = p->distance[v];
    }
    for (uint64_t v = 1; v < 6; v++)
        parent[v] = v - 1;
    parent[0] = parent[11] = parent[12] = 0;
}

START_TEST(every_rule_catches_its_fault)
{
    struct sample s = sample_parts();
    struct pathing p;
    uint64_t parent[13];
    float distance[13];
    pathing_init(&p, &s, ALL_EQUAL, 0);
#define FAULT(rule, ...)                                                                 \
    do {                                                                                 \
        claim_rightly(&p, parent, distance);                                             \
        __VA_ARGS__;                                                                     \
        must_be_judged(&p, parent, distance, rule);                                      \
    } while (0)
    FAULT(0, (void)0);
    FAULT(MW_SSSP_PARENTS, distance[5] = nextafterf(distance[5], 0));  /* too small */
    FAULT(MW_SSSP_PARENTS, distance[5] = nextafterf(distance[5], 99)); /* too large */
    FAULT(MW_SSSP_EDGES, distance[5] = 99);  /* there is a way */
    FAULT(MW_SSSP_EDGES, distance[4] = 1);   /* the next one could be nearer */
    FAULT(MW_SSSP_PARENTS, parent[5] = 3);   /* no neighbour */
    FAULT(MW_SSSP_PARENTS, parent[12] = 11); /* a neighbour, but not on a shortest path */
    FAULT(MW_SSSP_TREE, parent[2] = 3);      /* a cycle of two */
    FAULT(MW_SSSP_TREE, distance[0] = 1);    /* a root that is away from itself */
    FAULT(MW_SSSP_TREE, distance[3] = -1);
    FAULT(MW_SSSP_TREE, distance[3] = NAN);
    FAULT(MW_SSSP_TREE, distance[5] = INFINITY); /* reached, without a distance */
    FAULT(MW_SSSP_TREE, distance[10] = 3);       /* a distance, but not reached */
    FAULT(MW_SSSP_TREE, parent[10] = 10, distance[10] = 0); /* another root */
    FAULT(MW_SSSP_TREE, parent[6] = 7, parent[7] = 6, distance[6] = 1e30f,
          distance[7] = 1e30f); /* a foreign cycle */
    FAULT(MW_SSSP_SPANS, parent[5] = MW_NO_VERTEX, distance[5] = INFINITY);
    FAULT(MW_SSSP_TREE, parent[0] = 1); /* the root has a parent */
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* Distances of 0 all over: any tree is right, and a cycle is none. */
START_TEST(ties_are_no_cycles)
{
    struct sample s = sample_parts();
    struct pathing p;
    uint64_t parent[13];
    float distance[13];
    pathing_init(&p, &s, ALL_ZERO, 0);
    FAULT(0, (void)0);
    FAULT(0, parent[12] = 11);
    FAULT(MW_SSSP_TREE, parent[11] = 12, parent[12] = 11);
    FAULT(MW_SSSP_PARENTS, distance[5] = 0x1p-149f);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

/* The order of additions is the path's: sums made in another order are another number. */
START_TEST(additions_go_from_the_root_on)
{
    struct sample s = {.name = "sums", .n = 40};
    struct pathing p;
    uint64_t parent[40];
    float distance[40], back = 0;
    for (uint64_t v = 1; v < s.n; v++)
        sample_edge(&s, v - 1, v);
    sample_finish(&s);
    pathing_init(&p, &s, UNIFORM, 0);
    for (uint64_t v = 0; v < s.n; v++) {
        parent[v] = v > 0 ? v - 1 : 0;
        distance[v] = p.distance[v];
    }
    must_be_judged(&p, parent, distance, 0);
    for (uint64_t v = s.n - 1; v > 0; v--)
        back += sample_weight(UNIFORM, v - 1);
    ck_assert(mw_bits_of_float(back) != mw_bits_of_float(distance[s.n - 1]));
    distance[s.n - 1] = back;
    must_be_judged(&p, parent, distance, MW_SSSP_PARENTS);
    pathing_free(&p);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sssp");
    TCase *t = tcase_create("paths");
    tcase_add_loop_test(t, every_shape_has_its_paths, 0,
                        how_many(SHAPES, SHAPES, 3) * WEIGHINGS);
    tcase_add_loop_test(t, random_graphs_have_their_paths, 0, how_many(40, 40, 10));
    tcase_add_loop_test(t, kronecker_graphs_have_their_paths, 0, how_many(5, 5, 3));
    if (!UNDER_TSAN)
        tcase_add_test(t, more_cores_have_no_boxes);
    tcase_add_loop_test(t, large_rounds_find_the_same_paths, 0, how_many(12, 12, 6));
    tcase_add_loop_test(t, clusters_find_the_same_paths,
                        UNDER_TSAN ? 7 : how_many(0, 0, 5), how_many(16, 16, 8));
    tcase_add_loop_test(t, pruning_leaves_few_edges, 0, 3);
    tcase_add_loop_test(t, rounding_prunes_no_shortest_path, 0, 3);
    tcase_add_loop_test(t, free_ways_have_parents, 0, 3);
    tcase_add_loop_test(t, thin_graphs_have_the_same_paths, 0, how_many(12, 12, 6));
    tcase_add_loop_test(t, who_is_hard_to_reach_keeps_all_edges, 0, how_many(6, 6, 4));
    tcase_add_loop_test(t, margins_are_for_who_is_far_off, 0, 3);
    tcase_add_loop_test(t, free_ways_are_kept, 0, 3);
    tcase_add_loop_test(t, a_landmark_may_have_no_light_edges, 0, 3);
    tcase_add_loop_test(t, landmark_spares_looks, 0, 3);
    tcase_add_loop_test(t, buckets_of_little_work_grow, 0, 8);
    tcase_add_loop_test(t, crews_find_the_same_paths, 0, how_many(120, 60, 24));
    tcase_add_loop_test(t, full_boxes_are_emptied_first, 0, 8);
    tcase_add_loop_test(t, late_ways_come_first, 0, 4);
    tcase_add_loop_test(t, full_lists_become_bits, 0, 4);
    tcase_add_loop_test(t, order_spares_looks, 0, 4);
    tcase_add_loop_test(t, detours_are_not_settled, 0, 2);
    tcase_add_loop_test(t, long_rows_have_their_paths, 0, how_many(40, 20, 10));
    tcase_add_test(t, every_rule_catches_its_fault);
    tcase_add_test(t, ties_are_no_cycles);
    tcase_add_test(t, additions_go_from_the_root_on);
    suite_add_tcase(s, t);
    return run_suite(s);
}
