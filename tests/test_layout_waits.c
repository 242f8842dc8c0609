/* Classes, rings, datelines, route sets and broadcasts: proof, search, certificate and trace of a layout's text against
 * an explorer that knows the same mesh from another description (wait_naive.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_certificate.h"
#include "layouts/explain/explain.h"
#include "layouts/explore/explore.h"
#include "layouts/routes/play.h"
#include "layouts/routes/rma.h"
#include "layouts/sim/sim.h"
#include "layouts/ways/knot.h"
#include "layouts/ways/lines.h"
#include "mesh/proof/graph.h"
#include "wait_random.h"

enum { PER_BLOCK = 100 };

/* Of the case that is looked at; its checks show it. */
static int case_seed = -1;
static const char *case_text = "";

static void case_is(int seed, const char *text)
{
    case_seed = seed;
    case_text = text;
}

#undef MUST
#define MUST(cond)                                                                       \
    do {                                                                                 \
        if (!(cond))                                                                     \
            ck_abort_msg("%s\nseed %d\n%s", #cond, case_seed, case_text);                \
    } while (0)

/* ---- one case ---------------------------------------------------------------------------- */

struct tally {
    int n_free, n_dead, n_bounded;
};

static void must_verify(const struct mw_layout *l, struct mw_proof *p)
{
    struct mw_verification v;
    size_t n;
    char *text = certificate_of(l, p, &n);
    MUST(mw_certificate_verify(l, p->model, text, n, &v) == MW_OK);
    MUST(v.n_edges == p->n_edges);
    free(text);
    for (uint32_t i = 0; i < p->n_nodes; i++) { /* a planted lie */
        if (p->rank[i] == 0)
            continue;
        p->rank[i] = 0;
        text = certificate_of(l, p, &n);
        MUST(mw_certificate_verify(l, p->model, text, n, &v) == MW_ERR_INVALID);
        mw_error_clear();
        free(text);
        break;
    }
}

static void must_replay(const struct mw_layout *l, const struct mw_exploration *e)
{
    char *text = NULL;
    size_t n;
    struct mw_diagnostics d = {0};
    struct mw_trace t;
    FILE *f = open_memstream(&text, &n);
    mw_mesh_node *cycle = calloc(mw_mesh_nodes(l, e->trace.model), sizeof *cycle);
    uint32_t n_cycle;
    uint64_t in_flight;
    MUST(f != NULL && cycle != NULL);
    mw_trace_print(l, &e->trace, f);
    fclose(f);
    MUST(mw_trace_parse(l, text, n, &t, &d) == MW_OK);
    MUST(mw_trace_replay(l, &t, NULL, NULL, cycle, &n_cycle, &in_flight) == MW_OK);
    MUST(in_flight == e->in_flight && n_cycle == e->n_cycle);
    mw_trace_fini(&t);
    free(cycle);
    free(text);
}

static void must_agree(const struct twice *t, const struct mw_layout *l,
                       enum mw_mesh_model m, struct tally *tally)
{
    static struct wait_search naive;
    struct mw_proof p;
    struct mw_exploration e;
    const struct mw_explore_conf conf = {
        .model = m, .fifo = {l->fifo[MW_ROW], l->fifo[MW_COLUMN]}, .limit = 200000};
    wait_explore(&naive, &t->mesh, (enum wait_model)m);
    MUST(mw_proof_make(l, m, &p) == MW_OK);
    MUST(mw_layout_explore(l, &conf, &e) == MW_OK);
    if (naive.bounded) {
        tally->n_bounded++;
    } else {
        MUST(p.free == !naive.dead);
        MUST(e.verdict == (naive.dead ? MW_EXPLORED_DEADLOCK : MW_EXPLORED_FREE));
        MUST(!naive.dead || e.trace.n_steps == (uint64_t)naive.n_steps);
    }
    if (p.free)
        must_verify(l, &p);
    if (e.verdict == MW_EXPLORED_DEADLOCK) {
        MUST(!p.free && e.in_flight >= p.min_inflight);
        must_replay(l, &e);
    }
    tally->n_free += p.free;
    tally->n_dead += !p.free;
    mw_proof_fini(&p);
    mw_exploration_fini(&e);
}

/* fmt --canonical says the same: the copy has the same flows, hop by hop. */
static void must_print_alike(const struct mw_layout *l)
{
    char *text = NULL;
    size_t n;
    FILE *f = open_memstream(&text, &n);
    MUST(f != NULL);
    mw_layout_print(l, f);
    fclose(f);
    struct mw_layout *copy = good(text);
    mw_core core[2][64];
    mw_channel channel[2][64];
    MUST(copy->n_flows == l->n_flows && copy->n_channels == l->n_channels &&
         l->longest <= 64);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        const uint32_t length = mw_layout_flow_in(l, i, core[0], channel[0]);
        MUST(mw_layout_flow_in(copy, i, core[1], channel[1]) == length);
        MUST(memcmp(core[0], core[1], length * sizeof(mw_core)) == 0);
        MUST(memcmp(channel[0], channel[1], length - 1) == 0);
    }
    mw_layout_free(copy);
    free(text);
}

/* A free layout lets every message arrive, and no run meets a deadlock that there is not. */
static int must_simulate(const struct mw_layout *l, uint64_t seed)
{
    struct mw_sim_conf conf;
    struct mw_sim_result r;
    struct mw_proof p;
    bool source[MW_MESH_CORES_MAX] = {false};
    uint64_t n_sources = 0;
    mw_core core[64];
    for (uint64_t i = 0; i < l->n_flows; i++) {
        mw_layout_flow(l, i, core);
        n_sources += !source[core[0]];
        source[core[0]] = true;
    }
    mw_sim_defaults(l, &conf);
    conf.cycles = 100000;
    conf.seed = seed;
    conf.supply = 60;
    conf.warmup = 0;
    conf.latency = (uint32_t)(seed % 3);
    MUST(mw_layout_sim(l, &conf, &r) == MW_OK);
    MUST(mw_proof_make(l, MW_COUPLED, &p) == MW_OK);
    const bool dead = r.deadlock;
    MUST(!dead || !p.free);
    MUST(!p.free || r.ended); /* on a circle, markers wait for each other */
    MUST(!r.ended || r.consumed == n_sources * conf.supply);
    mw_proof_fini(&p);
    mw_sim_result_fini(&r);
    return dead;
}

START_TEST(simulated_classes_lose_nothing)
{
    uint64_t dice = 99;
    int n_dead = 0, n_runs = how_many(2000, 300, 40);
    static struct twice t;
    for (int i = 0; i < n_runs; i++) {
        random_classes(&t, &dice);
        struct mw_layout *l = good(t.text);
        n_dead += must_simulate(l, (uint64_t)i);
        mw_layout_free(l);
    }
    MUST(n_dead > n_runs / 20 && n_dead < n_runs);
}
END_TEST

START_TEST(random_classes_agree_with_the_naive_search)
{
    uint64_t dice = 321;
    struct tally tally = {0};
    static struct twice t;
    for (int i = how_many(5000, 500, 60); i > 0; i--) {
        random_classes(&t, &dice);
        struct mw_layout *l = good(t.text);
        must_print_alike(l);
        for (int m = 0; m < MW_N_MODELS; m++)
            must_agree(&t, l, (enum mw_mesh_model)m, &tally);
        mw_layout_free(l);
    }
    MUST(tally.n_free > 10 * tally.n_bounded && tally.n_dead > 10 * tally.n_bounded);
}
END_TEST

/* ---- what classes do, and what they do not --------------------------------------------------- */

static void expect(const char *text, const char *verdicts)
{
    struct mw_layout *l = good(text);
    for (int m = 0; m < MW_N_MODELS; m++) {
        struct mw_proof p;
        ck_good(mw_proof_make(l, (enum mw_mesh_model)m, &p));
        ck_assert_msg(p.free == (verdicts[m] == 'f'), "model %d:\n%s", m, text);
        mw_proof_fini(&p);
    }
    mw_layout_free(l);
}

#define PAIR "mesh 1 3\nclass request, reply\nflow 0,0 0,1 0,2 "

START_TEST(a_class_of_its_own_frees_the_reply_but_not_from_the_thread)
{
    expect(PAIR "0,1 0,0\n", "ddf");
    expect(PAIR "class reply 0,1 0,0\n", "dff");
    expect(PAIR "class reply 0,1 class request 0,0\n", "dff");
    expect("mesh 1 3\nclass a, b\nflow 0,0 0,1 class b 0,2 class a 0,1 class b 0,0\n"
           "flow 0,2 class b 0,1 class a 0,2\n",
           "ddf"); /* b waits for a, and a for b */
}
END_TEST

#define TORUS "roles AAAAA\nsource A\nsink A\n"

START_TEST(a_dateline_frees_the_links_of_a_torus)
{
    expect("mesh 5 5\n" TORUS "route A: row-to-col short, col-to-row short\n", "ddd");
    expect("mesh 5 5\nclass a, b\n" TORUS
           "route A: class a|b row-to-col short, col-to-row short\n",
           "ddf");
    expect("mesh 5 5\nclass a, b\n" TORUS /* a dateline in the rows alone */
           "route A: class a|b row-to-col short, class b col-to-row short\n",
           "ddd");
    expect("mesh 3 5\nclass a, b\n" TORUS /* rings of three: no message goes on */
           "route A: class a|b row-to-col short, class b col-to-row short\n",
           "ddf");
    expect("mesh 4 5\nclass a, b\n" TORUS
           "route A: class a|b row-to-col ring, col-to-row ring\n",
           "dff");
}
END_TEST

/* Against flows walked here, by their definition. */
START_TEST(the_shorter_way_round_is_shorter_and_changes_class_at_the_edge)
{
    enum { N = 7 };
    struct mw_layout *l = good("mesh 1 7\nclass a, b\nroles AAAAAAA\nsource A\nsink A\n"
                               "route A: class a|b row-to-col short\n");
    mw_core core[N];
    mw_channel channel[N];
    for (uint64_t i = 0; i < l->n_flows; i++) {
        const uint32_t n = mw_layout_flow_in(l, i, core, channel);
        const int from = core[0], to = core[n - 1], ahead = (to - from + N) % N;
        const int step = 2 * ahead <= N ? 1 : N - 1;
        ck_assert_int_eq(n - 1, step == 1 ? ahead : N - ahead);
        for (uint32_t h = 0, v = (uint32_t)from; h + 1 < n; h++) {
            bool edge_ahead = false; /* on this hop or a later one */
            for (uint32_t k = h; k + 1 < n; k++)
                edge_ahead |= abs((int)core[k] - (int)core[k + 1]) > 1;
            v = (v + (uint32_t)step) % N;
            ck_assert_int_eq(core[h + 1], v);
            ck_assert_int_eq(channel[h], edge_ahead ? 0 : 1);
        }
    }
    mw_layout_free(l);
}
END_TEST

START_TEST(what_is_wrong_with_a_class_is_said)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"mesh 1 2\nclass\nflow 0,0 0,1\n", "2:6: error: expected the name of a class"},
        {"mesh 1 2\nclass a, a\nflow 0,0 0,1\n", "2:10: error: duplicate class 'a'"},
        {"mesh 1 2\nclass a b c d e\nflow 0,0 0,1\n", "2:15: error: more than 4 classes"},
        {"mesh 1 2\nclass Reply\nflow 0,0 0,1\n",
         "2:7: error: expected a class: at most"},
        {"mesh 1 2\nclass abcdefghijkl\nflow 0,0 0,1\n", "2:7: error: expected a class"},
        {"mesh 1 2\nclass bucket\nflow 0,0 0,1\n", "2:7: error: expected a class"},
        {"mesh 1 2\nclass a\nclass b\nflow 0,0 0,1\n",
         "3:1: error: duplicate statement 'class'"},
        {"mesh 1 2\nclass reply\nflow 0,0 class repy 0,1\n", "did you mean 'reply'?"},
        {"mesh 1 2\nflow 0,0 class a 0,1\n",
         "2:16: error: expected a class of the class statement, got 'a'"},
        {"mesh 1 2\nclass a\nflow 0,0 0,1 class a\n", "error: expected a core such as"},
        {"mesh 1 2\nclass a\nflow 0,0 0,1 class\n", "3:19: error: expected a class"},
        {"mesh 1 2\nclass a, b\nroles AA\nsource A\nsink A\nroute A: class a|c "
         "row-to-col\n",
         "6:16: error: expected two classes such as first|second, got 'a|c'"},
        {"mesh 1 2\nclass a\nroles AA\nsource A\nsink A\nroute A: class a\n",
         "error: expected a clause such as down->D"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        const char *says = refusal(wrong[i].text);
        ck_assert_msg(strstr(says, wrong[i].says) != NULL, "%s says\n%s", wrong[i].text,
                      says);
    }
}
END_TEST

START_TEST(nodes_of_classes_have_names_that_read_back)
{
    struct mw_layout *l = good("mesh 2 3\nclass a, longest_one\nflow 0,0 0,1\n");
    char name[MW_NODE_NAME];
    for (int m = MW_DECOUPLED; m < MW_N_MODELS; m++)
        for (uint32_t n = 0; n < mw_mesh_nodes(l, (enum mw_mesh_model)m); n++) {
            const mw_channel k = mw_node_channel(l, (enum mw_mesh_model)m, n);
            mw_mesh_node back;
            mw_node_name(l, (enum mw_mesh_model)m, n, name);
            ck_assert(strstr(name, k == 0 ? ".a" : ".longest_one") != NULL);
            if (mw_node_parse(l, (enum mw_mesh_model)m, name, &back) == MW_OK)
                ck_assert_uint_eq(back, n);
            else
                ck_assert_int_eq(m, MW_LINK); /* from a core to itself */
        }
    mw_error_clear();
    mw_mesh_node n;
    ck_fails(mw_node_parse(l, MW_DECOUPLED, "0,1.R", &n), MW_ERR_DATA, "is no FIFO");
    ck_fails(mw_node_parse(l, MW_DECOUPLED, "0,1.R.b", &n), MW_ERR_DATA, "is no FIFO");
    ck_fails(mw_node_parse(l, MW_LINK, "0,1>0,2", &n), MW_ERR_DATA, "is no link");
    mw_layout_free(l);
}
END_TEST

/* ---- route sets ------------------------------------------------------------------------------ */

struct knots {
    int n_free, n_dead, n_open, n_unreached, n_ended, n_met;
};

/* A run: what it meets is there, and what it sends arrives. */
static void must_simulate_ways(const struct mw_layout *l, const struct mw_knot *k,
                               bool dead, struct knots *tally)
{
    struct mw_sim_conf conf;
    struct mw_sim_result r;
    mw_sim_defaults(l, &conf);
    conf.cycles = 30000;
    conf.seed = (uint64_t)tally->n_free;
    conf.supply = 40;
    conf.warmup = 0;
    conf.latency = (uint32_t)(conf.seed % 3);
    MUST(mw_layout_sim(l, &conf, &r) == MW_OK);
    MUST(!r.deadlock || (dead && !k->free));
    MUST(!k->plain || r.ended); /* on a circle, markers wait for each other */
    MUST(r.deadlock || r.latency.arrived == r.latency.created || !r.ended);
    MUST(!r.ended || r.consumed == r.latency.created);
    tally->n_ended += r.ended;
    tally->n_met += r.deadlock;
    mw_sim_result_fini(&r);
}

static void must_agree_on_ways(const struct twice *t, const struct mw_layout *l,
                               enum mw_mesh_model m, struct knots *tally)
{
    static struct wait_search naive;
    struct mw_stages s;
    struct mw_knot k;
    struct mw_exploration e;
    const struct mw_explore_conf conf = {
        .model = m, .fifo = {l->fifo[MW_ROW], l->fifo[MW_COLUMN]}, .limit = 50000};
    wait_explore(&naive, &t->mesh, (enum wait_model)m);
    MUST(mw_stages_make(l, NULL, 0, &s) == MW_OK);
    MUST(mw_knot_make(l, &s, m, &k) == MW_OK);
    MUST(mw_layout_explore(l, &conf, &e) == MW_OK);
    if (!naive.bounded) {
        MUST(!(k.free && naive.dead));
        MUST(e.verdict == (naive.dead ? MW_EXPLORED_DEADLOCK : MW_EXPLORED_FREE));
        MUST(!naive.dead || e.trace.n_steps == (uint64_t)naive.n_steps);
        tally->n_unreached += !k.free && !naive.dead;
    }
    if (m == MW_COUPLED)
        must_simulate_ways(l, &k, naive.dead || naive.bounded, tally);
    tally->n_open += naive.bounded;
    tally->n_free += k.free;
    tally->n_dead += !k.free;
    MUST(!k.plain || k.free); /* no cycle, no knot */
    MUST(!k.escapes || !(k.connected && k.direct) || k.free);
    MUST(!k.indirect || k.direct);
    if (k.free) {
        MUST(mw_knot_verify(l, &s, m, k.rank));
        memset(k.rank, 0, k.n_nodes * sizeof *k.rank); /* a planted lie */
        MUST(k.max_rank == 0 || !mw_knot_verify(l, &s, m, k.rank));
    }
    if (e.verdict == MW_EXPLORED_DEADLOCK) {
        MUST(!k.free);
        must_replay(l, &e);
    }
    mw_exploration_fini(&e);
    mw_knot_fini(&k);
    mw_stages_fini(&s);
}

/* ---- remote puts ------------------------------------------------------------------------- */

/* What was met of remote puts. */
struct put_tally {
    int n_free, n_dead, n_open, n_met, n_broadcasts, n_in_turn;
};

/* A run: what it meets is there. If it can meet nothing, few messages all arrive, from everybody to
 * everybody; a source with much to take would never come to its own. */
static void must_simulate_puts(const struct mw_layout *l, int n_puts, bool is_free,
                               int seed, struct put_tally *tally)
{
    struct mw_puts puts;
    struct mw_sim_conf conf;
    struct mw_sim_result r;
    MUST(mw_puts_make(l, &puts) == MW_OK);
    mw_sim_defaults(puts.layout, &conf);
    conf.cycles = is_free ? 100000 : 20000;
    conf.load = is_free ? 0.1 : 1;
    conf.drain = 10000;
    conf.seed = (uint64_t)seed;
    conf.warmup = 0;
    conf.latency = 7 * ((uint32_t)seed % 5);
    conf.dma = false;
    conf.rings = 1 + (seed % 4 == 3);
    conf.send = 0;
    conf.followers = puts.followers;
    MUST(mw_layout_sim(puts.layout, &conf, &r) == MW_OK);
    MUST(!r.deadlock || !is_free);
    MUST(r.n_pairs == (uint64_t)n_puts);
    MUST(!is_free || r.latency.end == MW_LATENCY_DRAINED);
    for (uint64_t i = 0; i < r.n_pairs && is_free; i++)
        MUST(r.pair[i].messages > 0);
    tally->n_met += r.deadlock;
    mw_sim_result_fini(&r);
    mw_puts_fini(&puts);
}

/* Proof, search and run of the mesh as remote puts, against the naive search of them. */
static void must_agree_on_puts(const struct twice *t, const struct mw_layout *l, int seed,
                               struct put_tally *tally)
{
    static struct wait_search naive;
    static struct wait_mesh puts;
    const int depth = 1 + seed / 2 % 2, n_puts = wait_puts(&t->mesh, depth, false, &puts);
    struct mw_rma rma;
    struct mw_play play;
    MUST(mw_rma_prove(l, (uint32_t)depth, &rma) == MW_OK);
    MUST(rma.n_circle == (uint32_t)wait_circle(&puts));
    MUST(rma.network.n_passages == (uint32_t)n_puts);
    bool *rest = calloc(rma.trails.n_places + 1, sizeof *rest);
    MUST(rest != NULL);
    memset(rest, true, rma.trails.n_places * sizeof *rest);
    const struct mw_play_conf conf = {.rest = rest, .limit = 20000};
    MUST(mw_network_play(&rma.trails, &conf, &play) == MW_OK);
    wait_explore(&naive, &puts, WAIT_RMA);
    MUST(naive.bounded || naive.dead == (rma.n_circle > 0));
    if (!naive.bounded && play.verdict != MW_EXPLORED_BOUNDED) {
        MUST(play.verdict == (naive.dead ? MW_EXPLORED_DEADLOCK : MW_EXPLORED_FREE));
        MUST(!naive.dead || play.n_steps == (uint32_t)naive.n_steps);
        MUST(naive.dead || play.n_states == (uint64_t)naive.n);
    }
    MUST(play.verdict == MW_EXPLORED_BOUNDED ||
         (play.verdict == MW_EXPLORED_DEADLOCK) == (rma.n_circle > 0));
    tally->n_open += naive.bounded;
    if (l->n_broadcasts > 0) { /* all the same where a broadcast's puts go out in turn */
        wait_puts(&t->mesh, depth, true, &puts);
        wait_explore(&naive, &puts, WAIT_RMA);
        MUST(naive.bounded || naive.dead == (rma.n_circle > 0));
        tally->n_in_turn += naive.dead;
    }
    tally->n_free += rma.n_circle == 0;
    tally->n_dead += rma.n_circle > 0;
    tally->n_broadcasts += l->n_broadcasts > 0;
    if (n_puts > 0)
        must_simulate_puts(l, n_puts, rma.n_circle == 0, seed, tally);
    mw_play_fini(&play);
    mw_rma_fini(&rma);
    free(rest);
}

/* ---- all extensions together --------------------------------------------------------------- */

/* Calls of one test: _i is a block of seeds. A case that disagrees can be had again by its seed. */
START_TEST(random_meshes_agree_with_the_naive_search)
{
    static struct twice t;
    struct tally flows = {0};
    struct knots ways = {0};
    struct put_tally puts = {0};
    int n_unroutable = 0;
    const int first = _i * PER_BLOCK;
    for (int seed = first; seed < first + PER_BLOCK; seed++) {
        uint64_t dice = (uint64_t)seed * 1000003;
        const bool routable = random_mesh(&t, &dice);
        struct mw_layout *l = good(t.text);
        case_is(seed, t.text);
        if (!mw_layout_has_ways(l)) {
            must_print_alike(l);
            must_simulate(l, (uint64_t)seed);
        }
        if (!routable) { /* and the stages of the test stop there */
            struct mw_stages s;
            MUST(mw_stages_make(l, NULL, 0, &s) == MW_ERR_DATA);
            n_unroutable++;
        } else {
            must_agree_on_puts(&t, l, seed, &puts);
        }
        for (int m = 0; m < MW_N_MODELS && routable; m++)
            if (mw_layout_has_ways(l))
                must_agree_on_ways(&t, l, (enum mw_mesh_model)m, &ways);
            else
                must_agree(&t, l, (enum mw_mesh_model)m, &flows);
        mw_layout_free(l);
    }
    mw_error_clear();
    case_is(-1, "");
    if (getenv("MW_TEST_LONG") != NULL)
        fprintf(
            stderr,
            "seeds %d..%d: flows %d free %d dead %d open; ways %d free %d dead %d open, "
            "%d knots unreached; puts %d free %d dead %d open, %d met, %d with "
            "broadcasts, %d of them dead; %d unroutable\n",
            first, first + PER_BLOCK - 1, flows.n_free, flows.n_dead, flows.n_bounded,
            ways.n_free, ways.n_dead, ways.n_open, ways.n_unreached, puts.n_free,
            puts.n_dead, puts.n_open, puts.n_met, puts.n_broadcasts, puts.n_in_turn,
            n_unroutable);
    ck_assert_int_gt(flows.n_free + flows.n_dead, PER_BLOCK / 10);
    ck_assert_int_gt(ways.n_free, PER_BLOCK / 10);
    ck_assert_int_gt(ways.n_dead, PER_BLOCK / 10);
    ck_assert_int_gt(ways.n_ended, 5);
    ck_assert_int_gt(ways.n_met, 2);
    ck_assert_int_gt(ways.n_free + ways.n_dead, 2 * ways.n_open);
    ck_assert_int_eq(ways.n_unreached, 0);
    ck_assert_int_gt(puts.n_free, PER_BLOCK / 10);
    ck_assert_int_gt(puts.n_dead, PER_BLOCK / 10);
    ck_assert_int_gt(puts.n_met, 2);
    ck_assert_int_gt(puts.n_in_turn, 2);
    ck_assert_int_gt(puts.n_broadcasts, PER_BLOCK / 10);
    ck_assert_int_lt(puts.n_open, PER_BLOCK / 2);
}
END_TEST

#define ALL "mesh 3 3\nroles AAA\nsource A\nsink A\n"

/* Glass and Ni: one turn of each circle forbidden. The graph of links is cyclic for 4 of the 16
 * choices, exactly those that also leave a quarter of the plane without a short way. */
START_TEST(the_sixteen_turn_models)
{
    static const char *const clockwise[] = {"NE", "ES", "SW", "WN"};
    static const char *const counter[] = {"NW", "WS", "SE", "EN"};
    int n_free = 0, n_unroutable = 0;
    for (int n = 2; n <= 5; n++)
        for (int a = 0; a < 4; a++)
            for (int b = 0; b < 4; b++) {
                char text[200];
                struct mw_stages s;
                struct mw_knot k;
                snprintf(
                    text, sizeof text,
                    "mesh %d %d\nroles %.*s\nsource A\nsink A\nadaptive forbid %s %s\n",
                    n, n, n, "AAAAA", clockwise[a], counter[b]);
                struct mw_layout *l = good(text);
                const bool reversed =
                    clockwise[a][0] == counter[b][1] && clockwise[a][1] == counter[b][0];
                const int rc = mw_stages_make(l, NULL, 0, &s);
                ck_assert_int_eq(rc, reversed ? MW_ERR_DATA : MW_OK);
                if (rc == MW_OK) {
                    ck_good(mw_knot_make(l, &s, MW_LINK, &k));
                    ck_assert(k.free && k.plain);
                    mw_knot_fini(&k);
                    mw_stages_fini(&s);
                }
                n_free += rc == MW_OK;
                n_unroutable += rc != MW_OK;
                mw_layout_free(l);
            }
    mw_error_clear();
    ck_assert_int_eq(n_free, 4 * 12);
    ck_assert_int_eq(n_unroutable, 4 * 4);
}
END_TEST

/* A random mesh is too small for it: one where cycles of all ways do no harm, and one where the
 * escape itself has a cycle through the other class. */
START_TEST(duatos_condition_is_weaker_than_no_cycle)
{
    static const struct {
        const char *routes;
        bool free, plain, direct, indirect;
    } cases[] = {
        {"adaptive minimal class a escape xy class b", true, false, true, true},
        {"adaptive minimal class a escape yx class b", true, false, true, true},
        {"adaptive west-first class a escape xy class b", true, true, true, true},
        {"adaptive minimal class a", false, false, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200];
        struct mw_stages s;
        struct mw_knot k;
        snprintf(text, sizeof text,
                 "mesh 4 4\nclass a, b\nroles AAAA\nsource A\nsink A\n%s\n",
                 cases[i].routes);
        struct mw_layout *l = good(text);
        ck_good(mw_stages_make(l, NULL, 0, &s));
        ck_good(mw_knot_make(l, &s, MW_LINK, &k));
        ck_assert_msg(k.free == cases[i].free && k.plain == cases[i].plain, "%s", text);
        ck_assert_msg(k.escapes == (strstr(text, "escape") != NULL), "%s", text);
        ck_assert_msg(!k.escapes || (k.connected && k.direct == cases[i].direct &&
                                     k.indirect == cases[i].indirect),
                      "%s: %d %d %d", text, k.connected, k.direct, k.indirect);
        mw_knot_fini(&k);
        mw_stages_fini(&s);
        mw_layout_free(l);
    }
}
END_TEST

/* Found among random meshes: only the first receiver counted, and the escape was called acyclic. */
START_TEST(a_broadcast_of_the_escape_depends_on_all_its_receivers)
{
    struct mw_layout *l = good("mesh 1 3\nclass a, e\nroles .DB\nsource B\nsink DB\n"
                               "adaptive minimal class a escape xy class e\n"
                               "broadcast 0,1 class e row row\n");
    struct mw_stages s;
    struct mw_knot k;
    ck_good(mw_stages_make(l, NULL, 0, &s));
    ck_good(mw_knot_make(l, &s, MW_DECOUPLED, &k));
    ck_assert(k.escapes && k.connected && !k.free);
    ck_assert(!k.direct && !k.indirect);
    mw_knot_fini(&k);
    mw_stages_fini(&s);
    mw_layout_free(l);
}
END_TEST

START_TEST(what_is_wrong_with_a_route_set_is_said)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"adaptive", "6:9: error: expected a set of routes such as west-first"},
        {"adaptive west-frist", "did you mean 'west-first'?"},
        {"adaptive forbid", "error: expected turns such as NE"},
        {"adaptive forbid NS",
         "error: expected turns such as NE: moving north, then east, got 'NS'"},
        {"adaptive minimal escape zz", "error: expected xy or yx, got 'zz'"},
        {"adaptive minimal escape xy",
         "error: expected class and the class of the escape"},
        {"adaptive minimal escape xy class a",
         "error: the escape needs a class of its own"},
        {"adaptive minimal west-first", "error: unexpected 'west-first'"},
        {"adaptive minimal\nroute A: row-to-col",
         "adaptive routes and route lines exclude each other"},
        {"adaptive minimal\nadaptive minimal", "duplicate statement 'adaptive'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[300];
        snprintf(text, sizeof text,
                 "mesh 1 2\nclass a, b\nroles AA\nsource A\nsink A\n%s\n", wrong[i].line);
        const char *says = refusal(text);
        ck_assert_msg(strstr(says, wrong[i].says) != NULL, "%s says\n%s", text, says);
    }
    ck_assert(strstr(refusal("mesh 1 2\nadaptive minimal\nflow 0,0 0,1\n"),
                     "need roles") != NULL);
}
END_TEST

/* Each fix, done by hand, is free; depth is none, and where nothing helps nothing is said. */
START_TEST(a_fix_of_a_knot_is_free_when_it_is_done)
{
    static const struct {
        enum mw_mesh_model model;
        const char *before, *fix, *after;
    } known[] = {
        {MW_LINK, ALL "adaptive minimal\n", "take 'adaptive odd-even'",
         ALL "adaptive odd-even\n"},
        {MW_LINK, ALL "adaptive forbid NE\n", "take 'adaptive odd-even'",
         ALL "adaptive odd-even\n"},
        {MW_LINK, ALL "adaptive minimal\n", "add 'escape xy class e'",
         ALL "class d, e\nadaptive minimal class d escape xy class e\n"},
        {MW_LINK,
         "mesh 2 2\nbroadcast 0,0 row col\nbroadcast 1,1 row col\n"
         "broadcast 0,1 col row\nbroadcast 1,0 col row\n",
         "put broadcast 0 (of 0,0) to its column first",
         "mesh 2 2\nbroadcast 0,0 col row\nbroadcast 1,1 row col\n"
         "broadcast 0,1 col row\nbroadcast 1,0 col row\n"},
        {MW_COUPLED, "mesh 1 3\nbroadcast 0,0 row\nbroadcast 0,1 row\n",
         "drop broadcast 0 (of 0,0)", "mesh 1 3\nbroadcast 0,1 row\n"},
        {MW_COUPLED, ALL "adaptive minimal\n", NULL, NULL},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct mw_fix fix[6];
        struct mw_proof p;
        struct mw_layout *l = good(known[i].before);
        const uint32_t n = mw_knot_fixes(l, known[i].model, fix, 6);
        bool found = known[i].fix == NULL && n == 0;
        for (uint32_t k = 0; k < n; k++) {
            ck_assert(fix[k].proved);
            found |=
                known[i].fix != NULL && strstr(fix[k].text, known[i].fix) == fix[k].text;
        }
        ck_assert_msg(found, "%s: %u fixes, the first: %s", known[i].before, n,
                      n > 0 ? fix[0].text : "-");
        mw_layout_free(l);
        for (int after = 0; after < 2 && known[i].after != NULL; after++) {
            l = good(after == 0 ? known[i].before : known[i].after);
            ck_assert_int_eq(mw_any_proof_make(l, known[i].model, &p), MW_OK);
            ck_assert_int_eq(p.free, after);
            mw_proof_fini(&p);
            mw_layout_free(l);
        }
    }
}
END_TEST

/* ---- broadcasts ---------------------------------------------------------------------------------- */

/* With one way each, a knot is a cycle: the graph of all targets decides. */
START_TEST(broadcasts_are_free_exactly_without_cycles)
{
    uint64_t dice = 78;
    static struct twice t;
    for (int i = how_many(5000, 500, 50); i > 0; i--) {
        random_broadcasts(&t, &dice);
        struct mw_layout *l = good(t.text);
        struct mw_stages s;
        MUST(mw_stages_make(l, NULL, 0, &s) == MW_OK);
        for (int m = 0; m < MW_N_MODELS; m++) {
            struct mw_knot k;
            MUST(mw_knot_make(l, &s, (enum mw_mesh_model)m, &k) == MW_OK);
            MUST(k.free == k.plain);
            mw_knot_fini(&k);
        }
        mw_stages_fini(&s);
        mw_layout_free(l);
    }
}
END_TEST

START_TEST(what_is_wrong_with_a_broadcast_is_said)
{
    static const struct {
        const char *line, *says;
    } wrong[] = {
        {"broadcast", "3:10: error: expected a core such as 0,1"},
        {"broadcast 0,0", "error: expected row or col"},
        {"broadcast 0,7 row", "core 0,7 is outside the 1x2 mesh"},
        {"broadcast 0,0 col", "error: no other core in that column"},
        {"broadcast 0,0 row row row row row", "error: more than 4 legs"},
        {"broadcast 0,0 row 0,1", "error: unexpected '0,1'"},
        {"broadcast 0,0 class c row", "expected a class of the class statement, got 'c'"},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        char text[200];
        snprintf(text, sizeof text, "mesh 1 2\nclass a, b\n%s\n", wrong[i].line);
        const char *says = refusal(text);
        ck_assert_msg(strstr(says, wrong[i].says) != NULL, "%s says\n%s", text, says);
    }
}
END_TEST

/* ---- large meshes ------------------------------------------------------------------------------ */

/* Lines and expansion say the same wherever both can. */
START_TEST(lines_prove_what_the_expansion_proves)
{
    static const char *const hops[] = {"direct", "step", "ring", "short"};
    static const char *const classes[] = {"", "class a|b2 ", "class b2 "};
    uint64_t dice = 5;
    int n_free = 0, n_dead = 0;
    for (int i = how_many(3000, 600, 60); i > 0; i--) {
        const int rows = 1 + (int)roll(&dice, i % 9 == 0 ? 20 : 7);
        const int cols = (rows == 1) + 1 + (int)roll(&dice, i % 7 == 0 ? 20 : 7);
        const char *rh = hops[roll(&dice, 4)], *ch = hops[roll(&dice, 4)];
        const char *rc = classes[roll(&dice, 3)], *cc = classes[roll(&dice, 3)];
        const bool yx = roll(&dice, 2) == 0;
        char text[400];
        snprintf(
            text, sizeof text,
            "mesh %d %d\nfifo row %d col %d send %d\nclass a, b2\nroles %.*s\nsource A\n"
            "sink A\nroute A: %s%s %s, %s%s %s\n",
            rows, cols, 1 + (int)roll(&dice, 3), 1 + (int)roll(&dice, 3),
            (int)roll(&dice, 2), cols, "AAAAAAAAAAAAAAAAAAAAAA", yx ? cc : rc,
            yx ? "col-to-row" : "row-to-col", yx ? ch : rh, yx ? rc : cc,
            yx ? "row-to-col" : "col-to-row", yx ? rh : ch);
        struct mw_layout *l = good(text);
        MUST(mw_lines_apply(l));
        for (int m = 0; m < MW_N_MODELS; m++) {
            struct mw_proof p;
            struct mw_lines_proof q;
            MUST(mw_proof_make(l, (enum mw_mesh_model)m, &p) == MW_OK);
            MUST(mw_lines_prove(l, (uint32_t)rows, (uint32_t)cols, (enum mw_mesh_model)m,
                                &q) == MW_OK);
            if (p.free != q.free || p.n_edges != q.n_edges || p.n_cycle != q.n_cycle ||
                (!p.free && p.min_inflight != q.min_inflight))
                ck_abort_msg("model %d: free %d %d, edges %llu %llu, cycle %u %u\n%s", m,
                             p.free, q.free, (unsigned long long)p.n_edges,
                             (unsigned long long)q.n_edges, p.n_cycle, q.n_cycle, text);
            n_free += p.free;
            n_dead += !p.free;
            mw_proof_fini(&p);
            mw_lines_proof_fini(&q);
        }
        mw_layout_free(l);
    }
    ck_assert_int_gt(n_free, n_dead / 10);
    ck_assert_int_gt(n_dead, n_free / 10);
}
END_TEST

START_TEST(lines_are_not_for_other_layouts)
{
    static const char *const others[] = {
        "mesh 2 2\nflow 0,0 0,1\n",
        "mesh 2 2\nroles AB\nsource AB\nsink A\nroute A: row-to-col, col-to-row\n"
        "route B: row-to-col, col-to-row\n",
        "mesh 2 2\nroles AA\nsource A\nsink A\nroute A: row-to-col, col-to-row\n"
        "flow 0,0 0,1\n",
        "mesh 2 2\nroles AA\nsource A\nsink A\nadaptive minimal\n",
        "mesh 2 2\nfifo row 0\nroles AA\nsource A\nsink A\nroute A: row-to-col, "
        "col-to-row\n",
    };
    for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
        struct mw_layout *l = good(others[i]);
        ck_assert_msg(!mw_lines_apply(l), "%s", others[i]);
        mw_layout_free(l);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_waits");
    TCase *t = tcase_create("classes");
    tcase_add_test(t, random_classes_agree_with_the_naive_search);
    tcase_add_test(t, simulated_classes_lose_nothing);
    tcase_add_test(t, a_class_of_its_own_frees_the_reply_but_not_from_the_thread);
    tcase_add_test(t, a_dateline_frees_the_links_of_a_torus);
    tcase_add_test(t, the_shorter_way_round_is_shorter_and_changes_class_at_the_edge);
    tcase_add_test(t, what_is_wrong_with_a_class_is_said);
    tcase_add_test(t, nodes_of_classes_have_names_that_read_back);
    tcase_add_test(t, the_sixteen_turn_models);
    tcase_add_test(t, duatos_condition_is_weaker_than_no_cycle);
    tcase_add_test(t, a_broadcast_of_the_escape_depends_on_all_its_receivers);
    tcase_add_test(t, a_fix_of_a_knot_is_free_when_it_is_done);
    tcase_add_test(t, what_is_wrong_with_a_route_set_is_said);
    tcase_add_test(t, broadcasts_are_free_exactly_without_cycles);
    tcase_add_test(t, what_is_wrong_with_a_broadcast_is_said);
    tcase_add_test(t, lines_prove_what_the_expansion_proves);
    tcase_add_test(t, lines_are_not_for_other_layouts);
    tcase_add_loop_test(t, random_meshes_agree_with_the_naive_search, 0,
                        how_many(20, 14, 1));
    suite_add_tcase(s, t);
    return run_suite(s);
}
