/* test_layout_explore.c -- every interleaving: the counts of the reference, an oracle on
 * random layouts, and deadlocks at depths that only construction reaches.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_naive.h"
#include "layouts/explore/pack.h"

/* ---- the layouts of the shared vectors ---------------------------------------------------- */

static const char F01[] = "mesh 1 2\nflow 0,0 0,1\nflow 0,1 0,0\n";
static const char F02[] =
    "mesh 2 2\nroles AA\nsource A\nsink A\nroute A: row-to-col, col-to-row\n";
static const char F03[] =
    "mesh 2 2\nflow 0,0 0,1 1,1\nflow 0,1 1,1 1,0\nflow 1,1 1,0 0,0\n"
    "flow 1,0 0,0 0,1\n";
static const char F04[] =
    "mesh 2 3\nroles PTK\nroute P: any->T\nroute T: col-to-row, then K\n";
static const char F06[] = "mesh 3 3\nflow 0,0 0,1 1,1 2,1 2,2\nflow 1,0 1,1 2,1 0,1 0,2\n"
                          "flow 2,0 2,1 0,1 1,1 1,2\n";
static const char F07[] = "mesh 2 2\nroles PK\nroute P: any->K\nroute K: col-to-row\n";
static const char F08[] =
    "mesh 2 3\nflow 0,0 0,1\nflow 0,0 0,1 1,1\nflow 0,0 0,1 1,1 1,2\nflow 1,0 1,2\n"
    "flow 1,0 1,2 0,2\nflow 1,0 1,2 0,2 0,1\nflow 1,0 1,1\nflow 0,0 0,2\n";
static const char F10[] = "mesh 1 3\nflow 0,0 0,1 0,2 0,1 0,0\n";
static const char F15[] =
    "mesh 2 2\nflow 0,0 0,1 1,1\nflow 0,1 1,1 1,0\nflow 1,1 1,0 0,0\n"
    "flow 1,0 0,0 0,1\nflow 0,0 0,1\nflow 1,0 1,1\n";
static const char P01[] = "mesh 2 2\nflow 0,0 0,1 1,1\nflow 0,0 0,1\n";
static const char P02[] = "mesh 2 4\nroles PDUK\nroute P: down->D up->U same->D\n"
                          "route D: col-to-row, then K\nroute U: col-to-row, then K\n";
static const char P06[] = "mesh 2 4\nroles PUDK\nroute P: down->D up->U same->D\n"
                          "route D: col-to-row, then K\nroute U: col-to-row, then K\n";
static const char P09[] =
    "mesh 3 3\nflow 0,0 0,1 2,1 2,2\nflow 1,0 1,1 2,1 2,2\nflow 2,0 2,1 2,2\n";
static const char P14[] =
    "mesh 2 4\nflow 0,0 0,1 0,3\nflow 0,0 0,1 1,1 1,3\nflow 1,0 1,1 1,3\n"
    "flow 1,0 1,2 0,2 0,3\n";
static const char P15[] =
    "mesh 2 3\nflow 0,0 0,2\nflow 0,1 0,2\nflow 1,0 1,2\nflow 1,1 1,2\n";

/* ---- helpers --------------------------------------------------------------------------------- */

static struct mw_explore_conf at_depth(enum mw_mesh_model model, uint32_t depth)
{
    return (struct mw_explore_conf){.model = model, .fifo = {depth, depth}};
}

static void explore(const struct mw_layout *l, const struct mw_explore_conf *conf,
                    struct mw_exploration *out)
{
    if (mw_layout_explore(l, conf, out) != MW_OK)
        ck_abort_msg("%s%s", layout_text(l), mw_error_text());
}

/* Replays the trace: legal, and at the end the wait-for cycle that the exploration names. */
static void must_replay(const struct mw_layout *l, const struct mw_exploration *e)
{
    const uint32_t n = mw_mesh_nodes(l, e->trace.model);
    mw_mesh_node *cycle = malloc(n * sizeof *cycle);
    uint32_t n_cycle;
    uint64_t in_flight;
    MUST(cycle != NULL);
    MUST(mw_trace_replay(l, &e->trace, NULL, NULL, cycle, &n_cycle, &in_flight) == MW_OK);
    MUST(n_cycle == e->n_cycle && in_flight == e->in_flight && n_cycle >= 2);
    MUST(memcmp(cycle, e->cycle, n_cycle * sizeof *cycle) == 0);
    free(cycle);
}

/* ---- the reference's table --------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum mw_mesh_model model;
    uint32_t depth;
    uint64_t states;           /* free */
    uint64_t steps, in_flight; /* deadlock */
} table[] = {
    {F01, MW_COUPLED, 0, 0, 2, 2},     {F01, MW_COUPLED, 1, 0, 6, 4},
    {F01, MW_COUPLED, 2, 0, 10, 6},    {F01, MW_DECOUPLED, 1, 4, 0, 0},
    {F01, MW_LINK, 1, 4, 0, 0},        {F02, MW_COUPLED, 1, 0, 6, 4},
    {F03, MW_COUPLED, 1, 0, 12, 8},    {F03, MW_DECOUPLED, 1, 0, 4, 4},
    {F03, MW_LINK, 1, 0, 4, 4},        {F04, MW_COUPLED, 0, 0, 4, 2},
    {F04, MW_COUPLED, 1, 0, 14, 4},    {F04, MW_DECOUPLED, 1, 144, 0, 0},
    {F04, MW_LINK, 1, 144, 0, 0},      {F06, MW_COUPLED, 1, 0, 21, 6},
    {F06, MW_DECOUPLED, 1, 0, 6, 3},   {F06, MW_LINK, 1, 0, 6, 3},
    {F07, MW_COUPLED, 1, 0, 14, 4},    {F07, MW_DECOUPLED, 1, 36, 0, 0},
    {F08, MW_COUPLED, 1, 0, 28, 8},    {F08, MW_DECOUPLED, 1, 0, 6, 4},
    {F08, MW_LINK, 1, 2304, 0, 0},     {F10, MW_COUPLED, 1, 0, 14, 4},
    {F10, MW_DECOUPLED, 1, 0, 3, 2},   {F10, MW_LINK, 1, 16, 0, 0},
    {P01, MW_COUPLED, 0, 6, 0, 0},     {P01, MW_COUPLED, 1, 36, 0, 0},
    {P01, MW_COUPLED, 2, 126, 0, 0},   {P02, MW_COUPLED, 0, 216, 0, 0},
    {P02, MW_COUPLED, 1, 41472, 0, 0}, {P02, MW_DECOUPLED, 1, 192, 0, 0},
    {P02, MW_LINK, 1, 384, 0, 0},      {P06, MW_COUPLED, 1, 41472, 0, 0},
    {P14, MW_COUPLED, 1, 41472, 0, 0}, {P09, MW_COUPLED, 0, 64, 0, 0},
    {P09, MW_COUPLED, 1, 2048, 0, 0},  {P15, MW_COUPLED, 1, 64, 0, 0},
};
enum { N_TABLE = sizeof table / sizeof *table };

START_TEST(the_reference_counts_are_met)
{
    struct mw_layout *l = good(table[_i].text);
    struct mw_explore_conf conf = at_depth(table[_i].model, table[_i].depth);
    struct mw_exploration e;
    explore(l, &conf, &e);
    if (table[_i].steps == 0) {
        ck_assert_int_eq(e.verdict, MW_EXPLORED_FREE);
        ck_assert_uint_eq(e.n_states, table[_i].states);
    } else {
        ck_assert_int_eq(e.verdict, MW_EXPLORED_DEADLOCK);
        ck_assert_uint_eq(e.trace.n_steps, table[_i].steps);
        ck_assert_uint_eq(e.in_flight, table[_i].in_flight);
        ck_assert(e.shortest);
        must_replay(l, &e);
    }
    mw_exploration_fini(&e);
    mw_layout_free(l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* ---- credits ------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum mw_mesh_model model;
    uint32_t depth, send;
    uint64_t least; /* messages of the smallest deadlock: edges x (depth + send + 1) */
} credits[] = {
    {F01, MW_COUPLED, 1, 0, 4},   {F01, MW_COUPLED, 2, 0, 6},  {F03, MW_COUPLED, 1, 0, 8},
    {F03, MW_DECOUPLED, 1, 0, 4}, {F03, MW_LINK, 1, 0, 4},     {F04, MW_COUPLED, 1, 0, 4},
    {F01, MW_COUPLED, 1, 1, 6},   {F01, MW_COUPLED, 2, 3, 12}, {F01, MW_COUPLED, 0, 2, 6},
    {F04, MW_COUPLED, 0, 1, 4},   {F04, MW_COUPLED, 1, 1, 6},
};
enum { N_CREDITS = sizeof credits / sizeof *credits };

START_TEST(one_message_less_than_the_smallest_deadlock_is_safe)
{
    struct mw_layout *l = good(credits[_i].text);
    struct mw_explore_conf conf = at_depth(credits[_i].model, credits[_i].depth);
    struct mw_exploration e;
    conf.send = credits[_i].send;
    for (int guided = 0; guided < 2; guided++)
        for (uint64_t k = credits[_i].least - 1; k <= credits[_i].least; k++) {
            conf.guided = guided != 0;
            conf.inflight = k;
            explore(l, &conf, &e);
            ck_assert_int_eq(e.verdict, k < credits[_i].least ? MW_EXPLORED_FREE
                                                              : MW_EXPLORED_DEADLOCK);
            ck_assert(e.verdict == MW_EXPLORED_FREE || e.in_flight == credits[_i].least);
            mw_exploration_fini(&e);
        }
    mw_layout_free(l);
}
END_TEST

START_TEST(one_router_needs_2_times_3_plus_4c_steps)
{
    struct mw_layout *l = good(F04);
    static const uint64_t witness[] = {1, 2}; /* the two flows that change rows */
    const uint32_t depth = (uint32_t)_i;
    struct mw_explore_conf conf = at_depth(MW_COUPLED, depth);
    struct mw_exploration e;
    conf.flow = witness;
    conf.n_flows = 2;
    for (int guided = 0; guided < 2; guided++) {
        conf.guided = guided != 0;
        explore(l, &conf, &e);
        ck_assert_int_eq(e.verdict, MW_EXPLORED_DEADLOCK);
        /* At depth 0 a message goes from hand to hand: no get. */
        ck_assert_uint_eq(e.trace.n_steps, depth == 0 ? 4 : 2 * (3 + 4 * depth));
        ck_assert_uint_eq(e.in_flight, 2 * (depth + 1));
        ck_assert(e.shortest == !conf.guided);
        mw_exploration_fini(&e);
    }
    mw_layout_free(l);
}
END_TEST

/* ---- the oracle ------------------------------------------------------------------------------------ */

static struct mw_explore_conf random_conf(uint64_t *dice)
{
    struct mw_explore_conf conf = {.model = (enum mw_mesh_model)roll(dice, MW_N_MODELS)};
    conf.fifo[MW_ROW] = (uint32_t)roll(dice, NAIVE_DEPTH + 1);
    conf.fifo[MW_COLUMN] = (uint32_t)roll(dice, NAIVE_DEPTH + 1);
    conf.send = conf.model == MW_COUPLED ? (uint32_t)roll(dice, 2) : 0;
    conf.inflight = roll(dice, 2) * (1 + roll(dice, 7));
    return conf;
}

static void must_agree(const struct mw_layout *l, const struct mw_explore_conf *conf,
                       const struct naive *x)
{
    struct mw_exploration e;
    explore(l, conf, &e);
    const bool good_verdict =
        x->bounded ? e.verdict != MW_EXPLORED_FREE || e.n_states > NAIVE_STATES
        : x->dead  ? e.verdict == MW_EXPLORED_DEADLOCK
                   : e.verdict == MW_EXPLORED_FREE && e.n_states == x->n;
    const bool good_steps =
        !x->dead || conf->guided || (e.shortest && e.trace.n_steps == x->n_steps);
    if (!good_verdict || !good_steps)
        ck_abort_msg(
            "%smodel %d fifo %u %u send %u inflight %u guided %d: verdict %d, %u "
            "states, %u steps; oracle: dead %d, %u states, %u steps",
            layout_text(l), (int)conf->model, conf->fifo[0], conf->fifo[1], conf->send,
            (unsigned)conf->inflight, conf->guided, (int)e.verdict, (unsigned)e.n_states,
            (unsigned)e.trace.n_steps, x->dead, x->n, (unsigned)x->n_steps);
    if (e.verdict == MW_EXPLORED_DEADLOCK)
        must_replay(l, &e);
    mw_exploration_fini(&e);
}

/* _i: the seed; 100 layouts each. */
START_TEST(random_layouts_agree_with_the_oracle)
{
    static struct naive x;
    uint64_t dice = (uint64_t)_i * 1000;
    for (int n = 0; n < 100; n++) {
        struct mw_layout *l = random_layout(&dice);
        struct mw_explore_conf conf = random_conf(&dice);
        naive_init(&x, l, &conf);
        naive_explore(&x);
        conf.limit = 200000;
        must_agree(l, &conf, &x);
        conf.guided = true;
        must_agree(l, &conf, &x);
        naive_fini(&x);
        mw_layout_free(l);
    }
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* ---- deep FIFOs -------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum mw_mesh_model model;
} cyclic[] = {
    {F01, MW_COUPLED}, {F02, MW_COUPLED},   {F03, MW_COUPLED}, {F03, MW_DECOUPLED},
    {F03, MW_LINK},    {F04, MW_COUPLED},   {F06, MW_COUPLED}, {F06, MW_DECOUPLED},
    {F06, MW_LINK},    {F07, MW_COUPLED},   {F08, MW_COUPLED}, {F08, MW_DECOUPLED},
    {F10, MW_COUPLED}, {F10, MW_DECOUPLED}, {F15, MW_COUPLED}, {F15, MW_DECOUPLED},
    {F15, MW_LINK},
};
enum { N_CYCLIC = sizeof cyclic / sizeof *cyclic };

START_TEST(a_guided_search_fills_deep_fifos)
{
    static const uint32_t depths[] = {1, 4, 64, 1024};
    struct mw_layout *l = good(cyclic[_i].text);
    for (uint32_t send = 0; send <= 6; send += 6)
        for (int d = 0; d < 4; d++) {
            struct mw_explore_conf conf = at_depth(cyclic[_i].model, depths[d]);
            struct mw_exploration e;
            conf.guided = true;
            conf.send = send;
            explore(l, &conf, &e);
            ck_assert_int_eq(e.verdict, MW_EXPLORED_DEADLOCK);
            ck_assert_uint_eq(
                e.in_flight,
                e.n_cycle * (depths[d] + (conf.model == MW_COUPLED) * (conf.send + 1)));
            ck_assert(!e.shortest && e.weak);
            must_replay(l, &e);
            mw_exploration_fini(&e);
        }
    mw_layout_free(l);
}
END_TEST

START_TEST(fifos_wider_than_a_word_are_searched)
{
    struct mw_layout *l = good(F01);
    struct mw_explore_conf conf = at_depth(MW_LINK, 100);
    struct mw_exploration e;
    explore(l, &conf, &e);
    ck_assert_int_eq(e.verdict, MW_EXPLORED_FREE);
    ck_assert_uint_eq(e.n_states, 101 * 101);
    mw_exploration_fini(&e);
    conf = at_depth(MW_COUPLED, 70);
    explore(l, &conf, &e);
    ck_assert_uint_eq(e.trace.n_steps, 2 * (2 * 70 + 1));
    must_replay(l, &e);
    mw_exploration_fini(&e);
    mw_layout_free(l);
}
END_TEST

/* ---- limits, words, failures ---------------------------------------------------------------------------- */

START_TEST(a_met_limit_says_bounded)
{
    struct mw_layout *l = good(P02);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 1);
    struct mw_exploration e;
    for (int guided = 0; guided < 2; guided++)
        for (conf.limit = 41471; conf.limit <= 41472; conf.limit++) {
            conf.guided = guided != 0;
            explore(l, &conf, &e);
            ck_assert_int_eq(e.verdict,
                             conf.limit < 41472 ? MW_EXPLORED_BOUNDED : MW_EXPLORED_FREE);
            ck_assert_uint_eq(e.n_states, conf.limit);
            mw_exploration_fini(&e);
        }
    mw_layout_free(l);
}
END_TEST

/* A big state space without a deadlock, in little memory; both ways to look. */
START_TEST(memory_is_bounded_too)
{
    enum { BYTES = 8 << 20 };
    struct mw_layout *l = good(P02);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 4);
    struct mw_exploration e;
    conf.guided = _i != 0;
    conf.limit = UINT32_MAX;
    conf.limit_bytes = BYTES;
    explore(l, &conf, &e);
    ck_assert_int_eq(e.verdict, MW_EXPLORED_BOUNDED);
    ck_assert_uint_gt(e.n_states, 50000);
    ck_assert_uint_le(e.bytes, BYTES + (64 << 10));
    mw_exploration_fini(&e);
    conf.limit_bytes = 1000;
    ck_assert_int_eq(mw_layout_explore(l, &conf, &e), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "at most 1000"));
    mw_layout_free(l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* What a bounded search says of its depth is what a deadlock one step deeper shows. */
START_TEST(a_bounded_search_knows_how_deep_it_was_whole)
{
    struct mw_layout *l = good(P02);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 4);
    struct mw_exploration e;
    uint64_t before = 0;
    for (conf.limit = 10; conf.limit < 200000; conf.limit *= 7) {
        explore(l, &conf, &e);
        ck_assert_int_eq(e.verdict, MW_EXPLORED_BOUNDED);
        MUST(e.n_tested > 0 && e.n_tested <= e.n_states);
        MUST(e.n_steps_tested >= before);
        before = e.n_steps_tested;
        mw_exploration_fini(&e);
    }
    ck_assert_uint_gt(before, 3);
    mw_layout_free(l);
    /* Six steps lead to the deadlock at depth 1, 18 at depth 4: no bounded search is whole there. */
    l = good("mesh 1 2\nflow 0,0 0,1\nflow 0,1 0,0\n");
    for (uint32_t depth = 1; depth <= 4; depth += 3) {
        conf = at_depth(MW_COUPLED, depth);
        uint64_t deepest = 0;
        for (conf.limit = 2;; conf.limit++) {
            explore(l, &conf, &e);
            const bool bounded = e.verdict == MW_EXPLORED_BOUNDED;
            MUST(!bounded || e.n_steps_tested < (depth == 1 ? 6 : 18));
            deepest = mw_max(deepest, bounded ? e.n_steps_tested : 0);
            mw_exploration_fini(&e);
            if (!bounded)
                break;
        }
        ck_assert_uint_gt(deepest, depth);
    }
    mw_layout_free(l);
}
END_TEST

START_TEST(a_state_takes_at_most_40_bytes)
{
    struct mw_layout *l = good(P02);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 2);
    struct mw_exploration e;
    conf.limit = 1000000;
    explore(l, &conf, &e);
    ck_assert_uint_ge(e.n_states, 1000000);
    ck_assert_uint_le(e.bytes, 40 * e.n_states);
    mw_exploration_fini(&e);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_state_that_is_too_large_is_refused_with_numbers)
{
    struct mw_layout *l = good(P02);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 1024);
    struct mw_exploration e;
    ck_assert_int_eq(mw_layout_explore(l, &conf, &e), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "4096"));
    ck_assert_uint_eq(e.n_states, 0);
    mw_layout_free(l);
}
END_TEST

/* Depths that no layout has: the bits of a state neither wrap nor are shifted away. */
START_TEST(a_depth_beyond_all_layouts_is_refused)
{
    static const uint32_t depths[] = {1025, 1 << 16, UINT32_C(1) << 31, UINT32_MAX - 1,
                                      UINT32_MAX};
    struct mw_layout *l = good(F04);
    for (size_t i = 0; i < sizeof depths / sizeof *depths; i++)
        for (int m = 0; m < 2 * MW_N_MODELS; m++) {
            struct mw_explore_conf conf =
                at_depth((enum mw_mesh_model)(m / 2), depths[i]);
            struct mw_exploration e;
            conf.guided = m % 2 != 0;
            ck_assert_int_eq(mw_layout_explore(l, &conf, &e), MW_ERR_REFUSED);
            struct mw_net net;
            struct mw_net_packing pack;
            const struct mw_net_conf raw = {
                .model = conf.model, .fifo = {depths[i], depths[i]}, .send = depths[i]};
            MUST(mw_net_init(&net, l, &raw) == MW_OK);
            if (depths[i] > 1 << 12)
                ck_assert_int_eq(mw_net_packing_init(&pack, &net), MW_ERR_REFUSED);
            mw_net_fini(&net);
        }
    mw_layout_free(l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* Two cores that exchange have no step left; where there are more sources, new messages still
 * appear, but none was on its way when a shortest trace ended. */
START_TEST(a_deadlock_without_any_step_is_global)
{
    static const char beside[] = "mesh 2 2\nflow 0,0 0,1\nflow 0,1 0,0\nflow 1,0 1,1\n";
    const char *const text[] = {F01, F04, beside};
    for (int i = 0; i < 3; i++)
        for (int guided = 0; guided < 2; guided++) {
            struct mw_layout *l = good(text[i]);
            struct mw_explore_conf conf = at_depth(MW_COUPLED, 1);
            struct mw_exploration e;
            conf.guided = guided != 0;
            explore(l, &conf, &e);
            ck_assert(e.global == (i == 0));
            ck_assert(e.weak);
            mw_exploration_fini(&e);
            mw_layout_free(l);
        }
}
END_TEST

START_TEST(credits_that_are_used_up_make_a_deadlock_global)
{
    struct mw_layout *l = good(F04);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 1);
    struct mw_exploration e;
    for (int guided = 0; guided < 2; guided++)
        for (conf.inflight = 4; conf.inflight <= 5; conf.inflight++) {
            conf.guided = guided != 0;
            explore(l, &conf, &e);
            ck_assert_int_eq(e.verdict, MW_EXPLORED_DEADLOCK);
            ck_assert(e.global == (conf.inflight == 4));
            mw_exploration_fini(&e);
        }
    mw_layout_free(l);
}
END_TEST

static int stop_at_once(void *arg, uint64_t n_states, uint64_t n_open)
{
    *(uint64_t *)arg = n_states + n_open;
    return 1;
}

START_TEST(a_progress_function_can_stop_it)
{
    struct mw_layout *l =
        good("mesh 3 5\nroles PDUKK\nroute P: down->D up->U same->D\n"
             "route D: col-to-row, then K\nroute U: col-to-row, then K\n");
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 1);
    struct mw_exploration e;
    uint64_t seen = 0;
    conf.progress = stop_at_once;
    conf.progress_arg = &seen;
    ck_assert_int_eq(mw_layout_explore(l, &conf, &e), MW_ERR_INTERRUPTED);
    ck_assert_uint_gt(seen, 0);
    mw_layout_free(l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

START_TEST(each_failing_allocation_is_reported_and_leaks_nothing)
{
    struct mw_layout *l = good(F03);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 1);
    struct mw_exploration e;
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    conf.guided = _i != 0;
    for (uint64_t n = 1; rc == MW_ERR_NOMEM; n++) {
        mw_mem_fail_at(n);
        rc = mw_layout_explore(l, &conf, &e);
        mw_mem_fail_at(0);
        ck_assert(rc == MW_OK || (rc == MW_ERR_NOMEM && mw_mem_in_use() == before));
    }
    mw_exploration_fini(&e);
    mw_layout_free(l);
}
END_TEST

START_TEST(no_flows_are_one_state)
{
    struct mw_layout *l = good(F01);
    struct mw_explore_conf conf = at_depth(MW_COUPLED, 1);
    const uint64_t none = 0;
    struct mw_exploration e;
    conf.flow = &none;
    explore(l, &conf, &e);
    ck_assert_int_eq(e.verdict, MW_EXPLORED_FREE);
    ck_assert_uint_eq(e.n_states, 1);
    mw_exploration_fini(&e);
    mw_layout_free(l);
}
END_TEST

/* As "export --promela" has it, without a trace. */
static int promela(const struct mw_layout *l, uint32_t supply, FILE *f)
{
    struct mw_proof proof;
    const struct mw_promela_conf conf = {.proof = &proof, .supply = supply};
    ck_assert_int_eq(mw_proof_make(l, MW_COUPLED, &proof), MW_OK);
    const int rc = mw_layout_promela(l, &conf, f);
    mw_proof_fini(&proof);
    return rc;
}

static char *promela_text(const char *text)
{
    struct mw_layout *l = good(text);
    char *model;
    size_t bytes;
    FILE *f = open_memstream(&model, &bytes);
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(promela(l, 0, f), MW_OK);
    fclose(f);
    mw_layout_free(l);
    return model;
}

/* Three hops with a FIFO of 4 and a hand each; a free layout counts nothing. */
START_TEST(the_supply_of_a_promela_model_follows_from_the_proof)
{
    char *text = promela_text("mesh 1 3\nflow 0,0 0,1 0,0 0,2\nflow 0,0 0,2\n");
    ck_assert_ptr_nonnull(strstr(text, "int left_0 = 15; /* 0,0 > 0,1 > 0,0 > 0,2 */"));
    ck_assert_ptr_null(strstr(text, "left_1"));
    free(text);
    text = promela_text("mesh 1 3\nfifo row 2 send 3\nflow 0,0 0,1 0,0 0,2\n");
    ck_assert_ptr_nonnull(strstr(text, "int left_0 = 18; "));
    free(text);
    text = promela_text("mesh 1 3\nflow 0,0 0,1 0,2\n");
    ck_assert_ptr_nonnull(strstr(text, "proctype gate()"));
    ck_assert_ptr_null(strstr(text, "left"));
    free(text);
}
END_TEST

/* What Spin says about it is checked by hand (layout/promela.c); here only that each core
 * and FIFO is there. */
START_TEST(the_promela_model_has_a_process_per_core)
{
    struct mw_layout *l = good(F04);
    char text[1 << 14] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(promela(l, 2, f), MW_OK);
    fclose(f);
    int n = 0;
    for (const char *at = text; (at = strstr(at, "proctype core")) != NULL; at++)
        n++;
    ck_assert_int_eq(n, 6);
    ck_assert_ptr_nonnull(strstr(text, "chan column_1_1 = [4] of { byte };"));
    ck_assert_ptr_nonnull(strstr(text, "int left_3 = 2; /* "));
    mw_layout_free(l);
}
END_TEST

START_TEST(a_name_stays_within_the_comment_of_the_promela_model)
{
    struct mw_layout *l = good("mesh 1 2\nname */c_code{exit(7);}/*\nflow 0,0 0,1\n");
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    ck_assert_int_eq(promela(l, 2, f), MW_OK);
    fclose(f);
    const char *end = strstr(text, "*/");
    ck_assert_ptr_nonnull(end);
    ck_assert(strstr(text, "c_code") < end && strstr(end, "c_code") == NULL);
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_promela_model_of_too_many_flows_is_refused)
{
    struct mw_layout *l = good("mesh 16 16\nroles AAAAAAAAAAAAAAAA\nsource A\nsink A\n"
                               "route A: row-to-col, col-to-row\n");
    char text[16] = "";
    FILE *f = fmemopen(text, sizeof text, "w");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(promela(l, 2, f), MW_ERR_REFUSED);
    ck_assert_ptr_nonnull(
        strstr(mw_error_text(), "65280 flows of more than 100000 cores"));
    ck_assert_int_eq(ftell(f), 0);
    fclose(f);
    mw_layout_free(l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_explore");
    TCase *counts = tcase_create("counts"), *oracle = tcase_create("oracle"),
          *deep = tcase_create("deep"), *rest = tcase_create("rest");
    tcase_add_loop_test(counts, the_reference_counts_are_met, 0, N_TABLE);
    tcase_add_loop_test(counts, one_message_less_than_the_smallest_deadlock_is_safe, 0,
                        N_CREDITS);
    tcase_add_loop_test(counts, one_router_needs_2_times_3_plus_4c_steps, 0, 5);
    tcase_add_loop_test(oracle, random_layouts_agree_with_the_oracle, 0,
                        how_many(25, 25, 10));
    tcase_add_loop_test(deep, a_guided_search_fills_deep_fifos, 0, N_CYCLIC);
    tcase_add_test(deep, fifos_wider_than_a_word_are_searched);
    tcase_add_test(rest, a_met_limit_says_bounded);
    tcase_add_test(rest, a_bounded_search_knows_how_deep_it_was_whole);
    tcase_add_loop_test(rest, memory_is_bounded_too, 0, 2);
    tcase_add_test(rest, a_state_takes_at_most_40_bytes);
    tcase_add_test(rest, a_state_that_is_too_large_is_refused_with_numbers);
    tcase_add_test(rest, a_depth_beyond_all_layouts_is_refused);
    tcase_add_test(rest, a_deadlock_without_any_step_is_global);
    tcase_add_test(rest, credits_that_are_used_up_make_a_deadlock_global);
    tcase_add_test(rest, a_progress_function_can_stop_it);
    tcase_add_loop_test(rest, each_failing_allocation_is_reported_and_leaks_nothing, 0,
                        2);
    tcase_add_test(rest, no_flows_are_one_state);
    tcase_add_test(rest, the_promela_model_has_a_process_per_core);
    tcase_add_test(rest, the_supply_of_a_promela_model_follows_from_the_proof);
    tcase_add_test(rest, a_name_stays_within_the_comment_of_the_promela_model);
    tcase_add_test(rest, a_promela_model_of_too_many_flows_is_refused);
    suite_add_tcase(s, counts);
    suite_add_tcase(s, oracle);
    suite_add_tcase(s, deep);
    suite_add_tcase(s, rest);
    return run_suite(s);
}
