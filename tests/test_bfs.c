/* test_bfs.c -- searches on every shape, route, backend and direction, against a serial
 * one. A tree is right when levels are equal and parents are valid; which tree it is, is
 * nobody's business.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bfs_clusters.h"

#include <unistd.h>

static uint32_t least_bits; /* of numbers in records, as of a larger graph */

static void must_search(struct searches *q, uint32_t n_ranks, uint32_t width,
                        uint32_t threads, uint32_t per_host, uint64_t seed)
{
    struct ranks r = {
        .loop = {n_ranks, per_host, seed}, .body = search_and_check, .arg = q};
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.small_input = 256;
    r.world.batch_bytes = 1024;
    r.world.hang_timeout_s = HANG_S;
    r.world.least_bits = least_bits;
    r.world.crew_trial = q->crew_trial;
    must_run(&r);
}

START_TEST(every_shape_is_searched_right)
{
    struct sample s = sample_shape((enum shape)(_i % SHAPES));
    struct searches q;
    /* Not all numbers of ranks; others if directed. */
    const uint32_t step = (uint32_t)how_many(1, 3, 4);
    if (_i >= SHAPES)
        sample_direct(&s);
    for (uint32_t n_ranks = _i >= SHAPES ? step : 1; n_ranks <= 9; n_ranks += step) {
        searches_init(&q, &s, 2, n_ranks);
        q.rule.policy = (enum mw_direction_policy)(n_ranks % 3);
        q.rule.form = (enum mw_level_form)(n_ranks / 2 % MW_FORMS);
        q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = (int)n_ranks % 4 - 1;
        must_search(&q, n_ranks, 1 + n_ranks / 2 % n_ranks, n_ranks % 4, n_ranks % 3, 0);
        searches_free(&q);
    }
    sample_free(&s);
}
END_TEST

START_TEST(random_graphs_are_searched_right)
{
    uint64_t dice = mixed((uint64_t)_i + 12345);
    struct sample s = sample_random((uint64_t)_i + 1000);
    struct searches q;
    if (drawn(&dice, 2))
        sample_direct(&s);
    const uint32_t n_ranks = 1 + (uint32_t)drawn(&dice, 9);
    searches_init(&q, &s, 3, dice);
    q.rule.policy = (enum mw_direction_policy)drawn(&dice, 3);
    q.rule.alpha = (double)drawn(&dice, 200) / 10;
    q.rule.beta = (double)drawn(&dice, 400) / 10;
    q.rule.form = (enum mw_level_form)drawn(&dice, MW_FORMS);
    q.rule.hubs[MW_TOP_DOWN] = (int)drawn(&dice, 6) - 1;
    q.rule.hubs[MW_BOTTOM_UP] = (int)drawn(&dice, 6) - 1;
    const uint32_t width = 1 + (uint32_t)drawn(&dice, n_ranks);
    const uint32_t threads = (uint32_t)drawn(&dice, 4);
    const uint32_t per_host = (uint32_t)drawn(&dice, 4);
    must_search(&q, n_ranks, width, threads, per_host, drawn(&dice, 3));
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(kronecker_graphs_are_searched_right)
{
    struct sample s = sample_kronecker(6 + (uint32_t)_i / 2);
    struct searches q;
    if (_i % 2)
        sample_direct(&s);
    _i /= 2;
    for (int policy = 0; policy < 3; policy++) {
        searches_init(&q, &s, 4, (uint64_t)policy);
        q.rule.policy = (enum mw_direction_policy)policy;
        must_search(&q, 1 + (uint32_t)_i, 1 + (uint32_t)policy % (1 + (uint32_t)_i), 2, 0,
                    0);
        q.rule.form = MW_FORM_MESSAGES;
        q.rule.hubs[MW_BOTTOM_UP] = 1 + policy * 2;
        must_search(&q, 4, 2, 0, 2, 0);
        searches_free(&q);
    }
    sample_free(&s);
}
END_TEST

/* Every shape of few ranks; no hubs, few, and more than a rank has vertices. */
START_TEST(messages_find_the_same_levels)
{
    static const uint32_t n_ranks[] = {1, 2, 3, 4, 7};
    static const int hubs[][2] = {{MW_HUBS_OFF, MW_HUBS_OFF}, {1, 2}, {3, 1}, {16, 16}};
    const uint32_t n = n_ranks[_i % 5], threads = (uint32_t)_i % 3;
    struct sample s = sample_random((uint64_t)_i + 77);
    struct searches q;
    if (_i % 2)
        sample_direct(&s);
    for (uint32_t width = 1; width <= n; width++)
        for (uint32_t h = 0; h < sizeof hubs / sizeof *hubs; h++) {
            searches_init(&q, &s, 2, width * 10 + h);
            q.rule.policy = (enum mw_direction_policy)(2 * ((width + h) % 2));
            q.rule.form = (width + h) % 3 < 2 ? MW_FORM_MESSAGES : MW_FORM_MIXED;
            memcpy(q.rule.hubs, hubs[h], sizeof hubs[h]);
            must_search(&q, n, width, threads, width % 3, h == 1 ? 5 : 0);
            searches_free(&q);
        }
    sample_free(&s);
}
END_TEST

/* Both forms within one search, on pretended hosts: each level chooses. */
START_TEST(a_search_may_change_its_form)
{
    struct sample s = sample_kronecker(10);
    struct searches q;
    if (_i >= 2)
        sample_direct(&s);
    for (int exponent = MW_HUBS_OFF; exponent < 8; exponent += 3) {
        searches_init(&q, &s, 8, (uint64_t)_i);
        q.rule.policy = _i % 2 == 0 ? MW_DIRECTION_BOTTOM_UP : MW_DIRECTION_AUTO;
        q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = exponent;
        must_search(&q, 6, 1 + (uint32_t)_i, (uint32_t)_i % 3, 2, 0);
        searches_free(&q);
    }
    sample_free(&s);
}
END_TEST

/* With few graphs: for numbers of both widths, and for the sanitizers; test_bfs_mesh.c has
 * many. On hosts a second search must find the lanes as fresh as the first. */
START_TEST(clusters_find_the_same_levels)
{
    static const char *const both[] = {"emul", "openmp", NULL};
    must_search_in_clusters(both + UNDER_TSAN, _i % 6 == 5, 2, (uint64_t)_i + 4711);
}
END_TEST

/* Columns above the number, above the value, and in wide records; of groups of 5 and of 8. */
START_TEST(records_of_larger_graphs_find_the_same_levels)
{
    struct sample s = sample_kronecker(9);
    struct searches q;
    searches_init(&q, &s, 2, 3);
    least_bits = 29 + (uint32_t)_i;
    for (int form = MW_FORM_AUTO; form < MW_FORMS; form++) {
        q.rule.policy = (enum mw_direction_policy)(form % 2);
        q.rule.form = (enum mw_level_form)form;
        must_search(&q, 9, form == MW_FORM_AUTO ? 8 : 5, (uint32_t)form, 3, 0);
    }
    least_bits = 0;
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* Without a table of names: what rows find is named at the end, by whatever route. */
START_TEST(parents_get_their_names_at_the_end)
{
    struct sample s = sample_kronecker(10);
    struct searches q;
    if (_i % 2)
        sample_direct(&s);
    searches_init(&q, &s, 4, 0);
    q.graph_rule =
        (struct mw_graph_rule){.columns = MW_LOOK_UP_ASK, .without_names = true};
    for (int form = MW_FORM_AUTO; form <= MW_FORM_BITMAP; form++)
        for (uint32_t n_ranks = 1; n_ranks <= 6; n_ranks += 1 + (uint32_t)form) {
            q.rule.form = (enum mw_level_form)form;
            q.rule.policy = n_ranks % 2 ? MW_DIRECTION_BOTTOM_UP : MW_DIRECTION_AUTO;
            q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = 3 * form - 1;
            must_search(&q, n_ranks, 1 + n_ranks / 3, (uint32_t)_i / 2 % 3, n_ranks % 4,
                        0);
        }
    searches_free(&q);
    sample_free(&s);
}
END_TEST

START_TEST(thirteen_ranks_are_fine)
{
    struct sample s = sample_kronecker(9);
    struct searches q;
    searches_init(&q, &s, 3, 5);
    must_search(&q, 13, 4, 0, 5, 0);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* Levels without end: the path is searched from one of its ends. */
START_TEST(more_levels_than_are_kept)
{
    struct sample s = {.name = "long path", .n = 700};
    struct searches q;
    for (uint64_t i = 1; i < s.n; i++)
        sample_edge(&s, i - 1, i);
    sample_finish(&s);
    searches_init(&q, &s, 1, 0);
    q.root[0] = 0;
    q.n_levels[0] = sample_levels(&s, 0, q.level[0]);
    ck_assert_uint_eq(q.n_levels[0], 700);
    must_search(&q, 1 + (uint32_t)_i, 1, (uint32_t)_i, 0, 0);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* A level larger than a lane's list: what was reached is found in the bitmaps instead. */
START_TEST(large_levels_overflow_the_lists)
{
    struct sample s = {.name = "broad tree", .n = 30000};
    struct searches q;
    for (uint64_t i = 1; i < s.n; i++)
        sample_edge(&s, i, i < 100 ? 0 : i % 100);
    sample_finish(&s);
    for (uint32_t threads = 0; threads <= 3; threads++) {
        searches_init(&q, &s, 2, 1);
        q.rule.policy = MW_DIRECTION_TOP_DOWN;
        must_search(&q, 1 + (uint32_t)_i, 1 + (uint32_t)_i / 2, threads, 0, 0);
        searches_free(&q);
    }
    sample_free(&s);
}
END_TEST

/* A path, a star, where all is reached from everywhere, and a grid, whose levels one core makes: rows of no
 * other, as many as there are labels. */
static struct sample sample_of_small_levels(int shape)
{
    enum { N = 90, SIDE = 9 };
    struct sample s = {.name = "small levels", .n = N};
    for (uint64_t v = 0; v < N; v++) {
        if (shape == 0 && v > 0)
            sample_edge(&s, v - 1, v);
        else if (shape == 1 && v > 0)
            sample_edge(&s, 0, v);
        for (uint64_t u = 0; shape == 2 && u < v; u++)
            sample_edge(&s, u, v);
        if (shape == 3 && v >= SIDE)
            sample_edge(&s, v - SIDE, v);
        if (shape == 3 && v % SIDE > 0)
            sample_edge(&s, v - 1, v);
    }
    sample_finish(&s);
    return s;
}

START_TEST(one_core_makes_small_levels)
{
    struct sample s = sample_of_small_levels(_i % 4);
    if (_i >= 4)
        sample_direct(&s);
    for (uint32_t threads = 0; threads < 3; threads++) {
        struct searches q;
        searches_init(&q, &s, 8, (uint64_t)_i + threads);
        q.rule.few = 0;
        q.rule.policy = MW_DIRECTION_TOP_DOWN;
        must_search(&q, 1, 1, threads, 0, 0);
        searches_free(&q);
    }
    sample_free(&s);
}
END_TEST

/* Graphs of many small levels, as a crew makes them: a grid long and thin, whose levels are alike; a ring; a
 * comb, whose frontier grows level by level; a grid with a hub at its far end, where the small levels stop; a square
 * grid, whose levels are worth one core of a rank, then several, then one; the same with a diagonal in each square, so that
 * neighbours are on one level, too. */
enum { LONG_KINDS = 6 };
static struct sample sample_of_many_levels(uint32_t kind)
{
    enum { ROWS = 24, COLUMNS = 150, SIDE = 220, TEETH = 40, AROUND = 1200 };
    const uint64_t columns = kind >= 4 ? SIDE : COLUMNS;
    struct sample s = {.name = "many levels",
                       .n = kind == 1   ? AROUND
                            : kind == 2 ? TEETH * (TEETH + 1) / 2
                            : kind >= 4 ? SIDE * SIDE
                                        : ROWS * COLUMNS};
    if (kind == 0 || kind >= 3)
        for (uint64_t v = 0; v < s.n; v++) {
            if (v % columns > 0)
                sample_edge(&s, v - 1, v);
            if (v >= columns)
                sample_edge(&s, v - columns, v);
            if (kind == 5 && v > columns && v % columns > 0)
                sample_edge(&s, v - columns - 1, v);
            if (kind == 3 && v % 3 == 0)
                sample_edge(&s, s.n - 1, v);
        }
    for (uint64_t v = 0; kind == 1 && v < s.n; v++)
        sample_edge(&s, v, (v + 1) % s.n);
    for (uint64_t t = 0, first = 0; kind == 2 && t < TEETH; first += ++t)
        for (uint64_t k = 0; k <= t; k++)
            if (k > 0 ||
                t > 0) /* a tooth hangs at the spine, whose k-th is the first of tooth k */
                sample_edge(&s, first + k, k > 0 ? first + k - 1 : first - t);
    sample_finish(&s);
    return s;
}

START_TEST(crews_make_many_small_levels)
{
    static const uint32_t n_ranks[] = {1, 2, 3, 5};
    const uint32_t kind = (uint32_t)_i % LONG_KINDS, round = (uint32_t)_i / LONG_KINDS;
    struct sample s = sample_of_many_levels(kind);
    /* Under TSan each by one rank, and by some number of several. */
    const uint32_t n = n_ranks[UNDER_TSAN && round > 0 ? 1 + kind % 3 : round % 4];
    if (_i >= 4 * LONG_KINDS)
        sample_direct(&s);
    for (uint32_t threads = 0; threads <= 3; threads++) {
        struct searches q;
        searches_init(&q, &s, 1, (uint64_t)_i + threads);
        q.root[0] = (uint64_t)_i * 7 % s.n;
        q.n_levels[0] = sample_levels(&s, q.root[0], q.level[0]);
        /* Who may rest else, or be left out. */
        q.crew_trial = n == 1 ? threads : threads == 3 ? 7 : 0;
        q.rule.partition = MW_BY_CLASSES;
        q.rule.few = 0;
        q.rule.policy = threads < 2 ? MW_DIRECTION_TOP_DOWN : MW_DIRECTION_AUTO;
        must_search(&q, n, 1, threads, 0, threads == 2 ? 7 : 0);
        searches_free(&q);
    }
    sample_free(&s);
}
END_TEST

/* They rest after each third phase, and one core alone makes levels; then they are called again. */
START_TEST(all_are_called_again_after_a_rest)
{
    struct sample s = sample_of_many_levels(4 + (uint32_t)_i % 2);
    struct searches q;
    searches_init(&q, &s, 1, (uint64_t)_i);
    q.root[0] = 0;
    q.n_levels[0] = sample_levels(&s, 0, q.level[0]);
    q.rule.few = 0;
    q.rule.policy = MW_DIRECTION_TOP_DOWN;
    q.crew_trial = 3;
    q.called_again = true;
    must_search(&q, 1, 1, 2 + (uint32_t)_i / 2, 0, 0);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

/* One rank's cores, as many levels a round as is said: with 0 as many as go well, with 1 one. */
static void search_in_rounds(struct sample *s, uint32_t threads, uint64_t rounds,
                             uint64_t seed)
{
    struct searches q;
    searches_init(&q, s, 1, seed);
    q.root[0] = 0;
    q.n_levels[0] = sample_levels(s, 0, q.level[0]);
    q.rule.few = 0;
    q.rule.rounds = rounds;
    q.crew_trial = 1;
    q.rule.policy = seed % 2 ? MW_DIRECTION_TOP_DOWN : MW_DIRECTION_AUTO;
    must_search(&q, 1, 1, threads, 0, 0);
    searches_free(&q);
}

/* Edges of random lengths along a line: a core that is some levels ahead reaches many vertices by a way that is longer
 * than another core's. */
START_TEST(cores_lower_what_others_have_reached)
{
    static const uint64_t rounds[] = {0, 1, 3, 16};
    enum { VERTICES = 6000, EDGES = 3, LENGTH = 60 };
    struct sample s = {.name = "line", .n = VERTICES};
    uint64_t dice = mixed((uint64_t)_i + 191);
    for (uint64_t v = 0; v + 1 < s.n; v++) {
        sample_edge(&s, v, v + 1);
        for (uint64_t k = 0; k < EDGES; k++)
            sample_edge(&s, v, mw_min(v + 1 + drawn(&dice, LENGTH), s.n - 1));
    }
    sample_finish(&s);
    if (_i % 3 == 2)
        sample_direct(&s);
    search_in_rounds(&s, 2 + (uint32_t)_i % 4, rounds[_i / 4 % 4], (uint64_t)_i);
    sample_free(&s);
}
END_TEST

/* A grid, a path, a vertex with more neighbours than a core has room for, and a grid behind the last one of these: the
 * round that comes to it is undone, and its levels are made otherwise. */
START_TEST(rounds_without_room_are_undone)
{
    enum { ROWS = 20, COLUMNS = 60, GRID = ROWS * COLUMNS, LEAVES = 70000, BEFORE = 3 };
    struct sample s = {.name = "grid, hub, grid", .n = 2 * GRID + 1 + LEAVES + BEFORE};
    for (uint64_t g = 0; g < 2; g++)
        for (uint64_t v = 0, first = g * (GRID + 1 + LEAVES); v < GRID; v++) {
            if (v % COLUMNS > 0)
                sample_edge(&s, first + v - 1, first + v);
            if (v >= COLUMNS)
                sample_edge(&s, first + v - COLUMNS, first + v);
        }
    for (uint64_t l = 0; l < LEAVES; l++)
        sample_edge(&s, GRID, GRID + 1 + l);
    for (uint64_t b = 0; b < BEFORE; b++)
        sample_edge(&s, s.n - 1 - b, b + 1 < BEFORE ? s.n - 2 - b : GRID);
    sample_edge(&s, GRID - 1, s.n - 1);
    sample_edge(&s, GRID + LEAVES, GRID + LEAVES + 1);
    sample_finish(&s);
    search_in_rounds(&s, 2, _i % 2 == 0 ? 0 : 16, (uint64_t)_i);
    sample_free(&s);
}
END_TEST

/* Such a vertex in the middle of a grid: beyond it one core has reached vertices before the other one was full. These have
 * no parents again when all cores make the level of the many neighbours. */
START_TEST(undone_rounds_leave_no_parents)
{
    enum { SIDE = 120, GRID = SIDE * SIDE, LEAVES = 70000 };
    struct sample s = {.name = "hub in a grid", .n = GRID + 1 + LEAVES};
    for (uint64_t v = 0; v < GRID; v++) {
        if (v % SIDE > 0)
            sample_edge(&s, v - 1, v);
        if (v >= SIDE)
            sample_edge(&s, v - SIDE, v);
    }
    sample_edge(&s, (uint64_t)(20 + _i) * SIDE + 25, GRID);
    for (uint64_t l = 0; l < LEAVES; l++)
        sample_edge(&s, GRID, GRID + 1 + l);
    sample_finish(&s);
    search_in_rounds(&s, 2 + (uint32_t)_i % 2, 16, 2 * (uint64_t)_i + 1);
    sample_free(&s);
}
END_TEST

/* A path, then a row of hubs whose leaves are a level each, small ones and some about as large as a crew may make: of what
 * one core finds there one part in two fits where lowered labels stand. */
START_TEST(crews_begin_at_levels_that_just_fit)
{
    static const uint32_t n_leaves[] = {200,   800,  3000,  9000, 20000, 36000,
                                        39000, 3000, 40000, 60,   61};
    enum { BEFORE = 25, N_HUBS = sizeof n_leaves / sizeof n_leaves[0] };
    struct sample s = {.name = "hubs in a row", .n = BEFORE};
    mw_vid last = BEFORE - 1;
    for (uint64_t h = 0; h < N_HUBS; h++)
        s.n += 1 + n_leaves[h];
    for (mw_vid v = 0; v + 1 < BEFORE; v++)
        sample_edge(&s, v, v + 1);
    for (uint64_t h = 0, v = BEFORE; h < N_HUBS; v += n_leaves[h++]) {
        sample_edge(&s, last, v);
        last = v++;
        for (uint32_t l = 0; l < n_leaves[h]; l++)
            sample_edge(&s, last, v + l);
    }
    sample_finish(&s);
    if (_i % 2 == 1)
        sample_direct(&s);
    search_in_rounds(&s, 2, _i < 2 ? 0 : 16, (uint64_t)_i);
    sample_free(&s);
}
END_TEST

/* Long rows, to labels of all degrees: cores take them by slices, whether they are the
 * rank's own or pieces. */
static void search_long_rows(uint64_t seed,
                             void (*search)(struct searches *q, uint64_t seed))
{
    enum { N_LONG = 24, OTHERS = 3000 };
    struct sample s = {.name = "hubs", .n = 1 + N_LONG + OTHERS};
    struct searches q;
    uint64_t dice = mixed(seed + 77);
    for (uint64_t h = 1; h <= N_LONG; h++) {
        sample_edge(&s, 0, h);
        for (uint64_t k = 0; k < OTHERS / 2; k++)
            sample_edge(&s, h, 1 + drawn(&dice, N_LONG + 1 + drawn(&dice, OTHERS)));
    }
    for (uint64_t k = 0; k < OTHERS; k++)
        sample_edge(&s, 1 + drawn(&dice, N_LONG + OTHERS),
                    1 + drawn(&dice, N_LONG + OTHERS));
    sample_finish(&s);
    if (seed % 2)
        sample_direct(&s);
    searches_init(&q, &s, 1, seed);
    q.root[0] = 0;
    q.n_levels[0] = sample_levels(&s, 0, q.level[0]);
    q.delegate = 256;
    q.rule.partition = MW_BY_CLASSES;
    q.rule.few = MW_FEW_NONE;
    q.rule.policy = seed % 4 < 2 ? MW_DIRECTION_TOP_DOWN : MW_DIRECTION_AUTO;
    q.rule.alpha = 0.1;
    q.sliced = true;
    search(&q, seed);
    searches_free(&q);
    sample_free(&s);
}

static void by_one_cluster(struct searches *q, uint64_t seed)
{
    must_search(q, 1 + (uint32_t)seed % 3, 1, 1 + (uint32_t)seed / 3, 0, 0);
}

/* Of two or three of them the first has the sweeps, and all have modules. */
static void by_clusters(struct searches *q, uint64_t seed)
{
    struct ranks r = {
        .loop = {1 + (uint32_t)seed % 2, 0, 0}, .body = search_and_check, .arg = q};
    r.world.backend = "openmp";
    r.world.n_clusters = 2 + (uint32_t)seed / 2 % 2;
    r.world.n_threads = 1 + r.world.n_clusters;
    with_width(&r, 1);
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

START_TEST(long_rows_are_searched_by_slices)
{
    search_long_rows((uint64_t)_i, by_one_cluster);
}
END_TEST

START_TEST(long_rows_are_searched_by_slices_beside_other_clusters)
{
    search_long_rows((uint64_t)_i, by_clusters);
}
END_TEST

/* All levels, whatever has an edge to another rank, on hosts of one rank and of several; delegated
 * vertices too. */
START_TEST(levels_of_few_edges_are_told)
{
    static const uint32_t n_ranks[] = {2, 3, 5, 8, 13};
    const uint32_t n = n_ranks[_i % 5];
    struct sample s = sample_kronecker(8);
    struct searches q;
    if (_i % 2)
        sample_direct(&s);
    for (uint32_t per_host = 0; per_host <= 3; per_host++) {
        searches_init(&q, &s, 3, 4 * per_host);
        q.rule.policy = MW_DIRECTION_TOP_DOWN;
        q.rule.partition = MW_BY_CLASSES;
        q.rule.few = 1 << 14;
        q.delegate = per_host % 2 ? MW_DELEGATE_OFF : 16;
        for (uint32_t i = 0; i < q.n; i++) /* connected, and not to leaves only */
            q.told = i == 0 ? q.n_levels[i] > 2 : q.told && q.n_levels[i] > 2;
        must_search(&q, n, 1 + n / 3, 1 + (uint32_t)_i % 3, per_host, (uint64_t)_i % 3);
        searches_free(&q);
    }
    sample_free(&s);
}
END_TEST

/* By few ranks and by many, on both routes, with words of 32 rows and of fewer: each
 * search begins with nobody told. */
START_TEST(rows_follow_whom_they_would_ask)
{
    static const uint32_t n_ranks[] = {2, 4, 6, 8, 9, 16};
    const uint32_t n = n_ranks[_i % 6];
    struct sample s = sample_kronecker(10);
    struct searches q;
    if (_i % 4 == 3)
        sample_direct(&s);
    for (uint32_t k = 0; k < 3; k++) {
        searches_init(&q, &s, 3, k);
        q.rule.policy = k == 1 ? MW_DIRECTION_AUTO : MW_DIRECTION_BOTTOM_UP;
        q.rule.partition = MW_BY_CLASSES;
        q.rule.form = MW_FORM_MESSAGES;
        q.rule.asks_all = false;
        q.rule.hubs[MW_TOP_DOWN] = q.rule.hubs[MW_BOTTOM_UP] = (int)k - 1;
        if (q.rule.hubs[MW_BOTTOM_UP] == 0)
            q.rule.hubs[MW_BOTTOM_UP] = 2;
        q.followed = k == 0; /* bottom-up throughout, and no hubs */
        least_bits = k == 2 ? 29 + (uint32_t)_i % 4 : 0;
        must_search(&q, n, k == 0 ? 1 : 1 + n / 2, 1 + (uint32_t)_i % 3, (k + 1) % 3,
                    (uint64_t)_i % 3);
        searches_free(&q);
    }
    least_bits = 0;
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("bfs");
    TCase *t = tcase_create("search");
    tcase_add_loop_test(t, every_shape_is_searched_right, 0, 2 * SHAPES);
    /* The copy of this suite for wide numbers makes do with fewer. */
    tcase_add_loop_test(t, random_graphs_are_searched_right, 0, how_many(200, 60, 20));
    tcase_add_loop_test(t, kronecker_graphs_are_searched_right, 0, how_many(10, 8, 4));
    tcase_add_loop_test(t, long_rows_are_searched_by_slices, 0, how_many(12, 12, 6));
    tcase_add_loop_test(t, long_rows_are_searched_by_slices_beside_other_clusters, 0,
                        how_many(8, 8, 4));
    tcase_add_loop_test(t, messages_find_the_same_levels, 0, how_many(15, 10, 5));
    tcase_add_loop_test(t, a_search_may_change_its_form, 0, how_many(4, 4, 2));
    tcase_add_loop_test(t, clusters_find_the_same_levels, 0, how_many(32, 12, 6));
    tcase_add_loop_test(t, records_of_larger_graphs_find_the_same_levels, 0,
                        how_many(4, 4, 2));
    tcase_add_loop_test(t, parents_get_their_names_at_the_end, 0, how_many(6, 4, 2));
    tcase_add_loop_test(t, one_core_makes_small_levels, 0, 8);
    tcase_add_loop_test(t, crews_make_many_small_levels, 0,
                        how_many(8, 6, UNDER_TSAN ? 2 : 4) * LONG_KINDS);
    tcase_add_loop_test(t, all_are_called_again_after_a_rest, 0, 4);
    tcase_add_loop_test(t, cores_lower_what_others_have_reached, 0, how_many(48, 32, 16));
    tcase_add_loop_test(t, crews_begin_at_levels_that_just_fit, 0, how_many(4, 4, 2));
    tcase_add_loop_test(t, undone_rounds_leave_no_parents, 0, how_many(6, 4, 2));
    tcase_add_loop_test(t, rounds_without_room_are_undone, 0, how_many(4, 2, 1));
    tcase_add_loop_test(t, levels_of_few_edges_are_told, 0, how_many(10, 10, 4));
    tcase_add_loop_test(t, rows_follow_whom_they_would_ask, 0, how_many(12, 12, 6));
    tcase_add_test(t, thirteen_ranks_are_fine);
    tcase_add_loop_test(t, more_levels_than_are_kept, UNDER_TSAN, how_many(3, 3, 2));
    tcase_add_loop_test(t, large_levels_overflow_the_lists, UNDER_TSAN,
                        how_many(3, 3, 2));
    suite_add_tcase(s, t);
    return run_suite(s);
}
