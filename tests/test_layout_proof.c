/* test_layout_proof.c -- verdicts, certificates and witnesses, against the reference
 * table and against naive searches on random layouts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_certificate.h"
#include "layouts/explain/explain.h"
#include "mesh/proof/graph.h"
#include "mesh_cases.h"
#include "mesh_naive.h"

static bool flow_causes(const struct mw_layout *l, const struct mw_proof *p,
                        uint64_t flow, uint32_t hop, uint32_t i)
{
    mw_core core[PATH_MAX_CORES];
    const uint32_t h = hop + (p->model == MW_COUPLED ? 0 : 1);
    const uint32_t n = mw_layout_flow(l, flow, core);
    return h + 1 < n && h < naive_reach(l, p->model, core, n) &&
           held_before(l, p->model, core, h) == p->node[i] &&
           mw_hop_node(l, p->model, core[h], core[h + 1]) ==
               p->node[(i + 1) % p->n_cycle];
}

/* Every edge of the witness is there, and its cause is that very hop, the first of
 * all. */
static void must_be_caused(const struct mw_layout *l, const struct mw_proof *p)
{
    for (uint32_t i = 0; i < p->n_cycle; i++) {
        const struct mw_cause *why = &p->why[i];
        MUST(flow_causes(l, p, why->flow, why->hop, i));
        for (uint64_t flow = 0; flow <= why->flow; flow++)
            for (uint32_t hop = 0; hop < (flow == why->flow ? why->hop : l->longest);
                 hop++)
                MUST(!flow_causes(l, p, flow, hop, i));
        MUST(i == 0 || p->node[i] > p->node[0]);
    }
}

/* ---- certificates ------------------------------------------------------------------ */

static void must_verify(const struct mw_layout *l, const struct mw_proof *p)
{
    size_t bytes;
    struct mw_verification v;
    char *text = certificate_of(l, p, &bytes);
    const int rc = mw_certificate_verify(l, p->model, text, bytes, &v);
    ck_assert_msg(rc == MW_OK, "%s", mw_error_text());
    MUST(v.n_edges == p->n_edges);
    free(text);
}

/* The certificate with the rank of one node set to that of what it needs. */
static void must_refuse_damaged(const struct mw_layout *l, struct mw_proof *p)
{
    const struct naive *g = naive_edges(l, p->model);
    for (uint32_t a = 0; a < g->n; a++)
        for (uint32_t b = 0; b < g->n; b++) {
            size_t bytes;
            struct mw_verification v;
            const uint32_t rank = p->rank[a];
            if (g->weight[a][b] == FAR)
                continue;
            p->rank[a] = p->rank[b];
            char *text = certificate_of(l, p, &bytes);
            MUST(mw_certificate_verify(l, p->model, text, bytes, &v) == MW_ERR_INVALID);
            free(text);
            p->rank[a] = rank;
        }
}

static void must_agree(const struct mw_layout *l, enum mw_mesh_model m)
{
    const struct naive *g = naive_edges(l, m);
    struct mw_proof p = proved(l, m);
    MUST(p.free == naive_free(g));
    MUST(p.n_edges == g->n_edges);
    if (p.free) {
        must_verify(l, &p);
        must_refuse_damaged(l, &p);
    } else {
        must_be_caused(l, &p);
        MUST(p.n_cycle == naive_cycle(g, true));
        MUST(p.min_inflight == mw_max(1, naive_cycle(g, false)));
    }
    mw_proof_fini(&p);
}

/* ---- vectors ----------------------------------------------------------------------- */

START_TEST(vectors_have_their_verdict_and_their_shortest_cycle)
{
    const struct vector *v = &vectors[_i];
    struct mw_layout *l = parsed(v->text);
    for (int m = 0; m < MW_N_MODELS; m++) {
        struct mw_proof p = proved(l, (enum mw_mesh_model)m);
        ck_assert_msg(p.free == (v->cycle[m] == 0), "%s %d", v->name, m);
        ck_assert_uint_eq(p.n_cycle, v->cycle[m]);
        must_be_caused(l, &p);
        if (p.free)
            must_verify(l, &p);
        mw_proof_fini(&p);
    }
    mw_layout_free(l);
}
END_TEST

START_TEST(edges_of_the_reference_witnesses_exist)
{
    struct mw_layout *l = parsed(vectors[_i].text);
    for (int m = 0; m < MW_N_MODELS; m++) {
        mw_mesh_node node[4];
        char name[4][MW_NODE_NAME];
        const uint32_t n = vectors[_i].cycle[m];
        if (vectors[_i].witness[m] == NULL)
            continue;
        struct mw_mesh_graph g;
        sscanf(vectors[_i].witness[m], "%15s %15s %15s %15s", name[0], name[1], name[2],
               name[3]);
        for (uint32_t i = 0; i < n; i++)
            MUST(mw_node_parse(l, (enum mw_mesh_model)m, name[i], &node[i]) == MW_OK);
        MUST(mw_mesh_graph_make(l, (enum mw_mesh_model)m, &g) == MW_OK);
        for (uint32_t i = 0; i < n; i++)
            MUST(mw_has_edge(&g, node[i], node[(i + 1) % n]));
        mw_mesh_graph_fini(&g);
    }
    mw_layout_free(l);
}
END_TEST

START_TEST(vectors_agree_with_the_naive_search)
{
    struct mw_layout *l = parsed(vectors[_i].text);
    for (int m = 0; m < MW_N_MODELS; m++)
        if (mw_mesh_nodes(l, (enum mw_mesh_model)m) <= NODES_MAX)
            must_agree(l, (enum mw_mesh_model)m);
    mw_layout_free(l);
}
END_TEST

static void must_be_paper(const char *text, uint64_t n_hops)
{
    struct mw_layout *l = parsed(text);
    struct mw_proof p = proved(l, MW_COUPLED);
    size_t bytes;
    uint32_t n_lines = 0;
    char *certified = certificate_of(l, &p, &bytes);
    for (size_t i = 0; i < bytes; i++)
        n_lines += certified[i] == '\n';
    ck_assert_uint_eq(n_lines, 1 + 64);
    ck_assert_uint_eq(p.n_edges, n_hops);
    ck_assert_uint_eq(p.max_rank, 9);
    free(certified);
    mw_proof_fini(&p);
    mw_layout_free(l);
}

START_TEST(paper_layout_has_64_cores_and_ranks_0_to_9)
{
    must_be_paper("mesh 8 8\nroles PPPPDUKK\nroute P: down->D up->U same->D|U\n"
                  "route D: col-to-row, then K\nroute U: col-to-row, then K\n",
                  150);
    must_be_paper(PAPER("8", "8", "PPPPDUKK"), 146);
}
END_TEST

START_TEST(witness_flows_are_the_lowest_that_cause_it)
{
    static const uint64_t expected[] = {1, 2, 4, 5};
    struct mw_layout *l = parsed(OPPOSITE);
    struct mw_proof p = proved(l, MW_COUPLED);
    for (uint32_t i = 0; i < 4; i++)
        ck_assert_uint_eq(p.why[i].flow, expected[i]);
    mw_proof_fini(&p);
    mw_layout_free(l);
}
END_TEST

/* ---- lemma 3 ----------------------------------------------------------------------- */

static const struct {
    const char *text;
    enum mw_mesh_model model;
    uint64_t least;
} sizes[] = {
    {"fifo row 1 col 1\n" EXCHANGE, MW_COUPLED, 4},
    {"fifo row 2 col 2\n" EXCHANGE, MW_COUPLED, 6},
    {"fifo row 1 col 1\n" CLOCKWISE, MW_COUPLED, 8},
    {"fifo row 1 col 1\n" CLOCKWISE, MW_DECOUPLED, 4},
    {"fifo row 1 col 1\n" CLOCKWISE, MW_LINK, 4},
    {"fifo row 1 col 1\n" TWO_WAY, MW_COUPLED, 4},
    {TWO_WAY, MW_COUPLED, 10},
    {"fifo row 4 col 4 send 6\n" TWO_WAY, MW_COUPLED, 22},
    {"fifo row 9 col 2\n" XY("8", "AAAAAAAA"), MW_COUPLED, 6},
    {"fifo row 0 col 0\n" CLOCKWISE, MW_LINK, 0},      /* free: nothing enters */
    {"fifo row 3 col 0\n" CLOCKWISE, MW_DECOUPLED, 0}, /* as above: it needs columns */
    {"fifo row 0 col 0\n" CLOCKWISE, MW_COUPLED, 4},
    /* Down and up one column: 2 x 10; round a row of three: 3 x 2. */
    {"fifo row 1 col 9\nmesh 2 3\nflow 0,0 1,0\nflow 1,0 0,0\nflow 0,0 0,1\n"
     "flow 0,1 0,2\nflow 0,2 0,0\n",
     MW_COUPLED, 6},
    /* 1,0 is met early on a heavy way, by a row, and later on a light one. */
    {"fifo row 2 col 0\nmesh 7 2\nflow 0,0 0,1 1,1 1,0 0,0\n"
     "flow 0,0 2,0 3,0 4,0 5,0 6,0 1,0\n",
     MW_COUPLED, 7},
};
enum { N_SIZES = sizeof sizes / sizeof sizes[0] };

START_TEST(least_in_flight_is_that_of_the_lightest_cycle)
{
    struct mw_layout *l = parsed(sizes[_i].text);
    struct mw_proof p = proved(l, sizes[_i].model);
    ck_assert_uint_eq(p.min_inflight, sizes[_i].least);
    mw_proof_fini(&p);
    mw_layout_free(l);
}
END_TEST

/* ---- random layouts ---------------------------------------------------------------- */

START_TEST(random_listed_layouts_agree_with_the_naive_search)
{
    struct mw_layout *l = random_listed((uint64_t)_i, 4, 4);
    for (int m = 0; m < MW_N_MODELS; m++)
        must_agree(l, (enum mw_mesh_model)m);
    mw_layout_free(l);
}
END_TEST

/* A tree to the sink: cores join it one by one, each at some core that is in it. */
static void random_tree(const struct mw_layout *l, mw_core sink, mw_core *next,
                        uint64_t *seed)
{
    uint32_t left = mw_mesh_cores(l) - 1;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        next[v] = MW_NO_CORE;
    next[sink] = sink;
    while (left > 0) {
        const mw_core v = (mw_core)drawn(seed, mw_mesh_cores(l));
        const mw_core to = neighbour(l, v, seed);
        if (next[v] == MW_NO_CORE && next[to] != MW_NO_CORE) {
            next[v] = to;
            left--;
        }
    }
}

/* Some cores, at least one, row-major. */
static uint32_t random_ends(const struct mw_layout *l, mw_core *end, uint64_t *seed)
{
    uint32_t n = 0;
    while (n == 0)
        for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
            if (drawn(seed, 3) == 0)
                end[n++] = (mw_core)v;
    return n;
}

/* An expanded layout as roles and routes could make it, by hand. */
static struct mw_layout *random_routed(uint64_t seed)
{
    struct mw_layout *l = random_mesh(&seed, 4, 4);
    const uint32_t n_cores = mw_mesh_cores(l);
    l->source = mw_alloc("sources", n_cores, sizeof *l->source);
    l->sink = mw_alloc("sinks", n_cores, sizeof *l->sink);
    l->n_sources = random_ends(l, l->source, &seed);
    l->n_sinks = random_ends(l, l->sink, &seed);
    l->next = mw_alloc("routes", (uint64_t)l->n_sinks * n_cores, sizeof *l->next);
    l->source_first = mw_alloc("flows", l->n_sources + 1, sizeof *l->source_first);
    for (uint32_t k = 0; k < l->n_sinks; k++)
        random_tree(l, l->sink[k], l->next + (size_t)k * n_cores, &seed);
    for (uint32_t s = 0; s < l->n_sources; s++) {
        uint32_t n = l->n_sinks;
        for (uint32_t k = 0; k < l->n_sinks; k++) /* none to itself */
            n -= l->sink[k] == l->source[s];
        l->source_first[s + 1] = l->source_first[s] + n;
    }
    l->n_routed = l->n_flows = l->source_first[l->n_sources];
    l->longest = n_cores;
    return l;
}

/* Their flows are numbered by the mesh of the statements. */
START_TEST(transposed_layouts_agree_with_the_naive_search)
{
    static const char *const texts[] = {
        "mesh 4 3\ntranspose\nroles AAAA\nsource A\nsink A\nroute A: row-to-col, "
        "col-to-row\n",
        "mesh 3 4\ntranspose\nroles PKA\nsource PA\nsink KA\nroute P: row-to-col, "
        "col-to-row\nroute K: row-to-col, col-to-row\nroute A: row-to-col step, "
        "col-to-row step\n",
        "mesh 4 3\ntranspose\nfifo row 0 col 1\nroles AAAA\nsource A\nsink A\n"
        "route A: row-to-col step, col-to-row step\n"};
    struct mw_layout *l = parsed(texts[_i]);
    for (int m = 0; m < MW_N_MODELS; m++)
        must_agree(l, (enum mw_mesh_model)m);
    mw_layout_free(l);
}
END_TEST

START_TEST(random_routed_layouts_agree_with_the_naive_search)
{
    struct mw_layout *l = random_routed((uint64_t)_i);
    for (int m = 0; m < MW_N_MODELS; m++)
        must_agree(l, (enum mw_mesh_model)m);
    mw_layout_free(l);
}
END_TEST

/* ---- cycles ------------------------------------------------------------------------ */

START_TEST(node_that_needs_itself_is_a_cycle_of_one)
{
    struct mw_layout *l = parsed(EXCHANGE);
    struct mw_mesh_graph g;
    uint32_t knot[2], rank[2], n_knots, n;
    mw_mesh_node cycle[2];
    MUST(mw_mesh_graph_make(l, MW_COUPLED, &g) == MW_OK);
    g.out[1] |= 1u << 1; /* core 0,1 to column 1 of its row */
    MUST(mw_mesh_knots(&g, knot, rank, &n_knots) == MW_OK);
    ck_assert_uint_eq(n_knots, 1);
    MUST(mw_mesh_shortest_cycle(&g, knot, cycle, &n) == MW_OK);
    ck_assert_uint_eq(n, 1);
    ck_assert_uint_eq(cycle[0], 1);
    g.out[0] = 0; /* now it is the only one */
    MUST(mw_mesh_knots(&g, knot, rank, &n_knots) == MW_OK);
    ck_assert_uint_eq(n_knots, 1);
    MUST(knot[0] == 0 && knot[1] == 1);
    mw_mesh_graph_fini(&g);
    mw_layout_free(l);
}
END_TEST

START_TEST(knot_of_a_thousand_cores_does_not_delay_its_witness)
{
    char roles[33] = "", text[160];
    memset(roles, 'A', 32);
    snprintf(text, sizeof text, XY("32", "%s") "fifo row 9 col 2\n", roles);
    struct mw_layout *l = parsed(text);
    struct mw_proof p = proved(l, MW_COUPLED);
    ck_assert_uint_eq(p.n_edges, 1024 * 62);
    ck_assert_uint_eq(p.n_cycle, 2);
    ck_assert_uint_eq(p.min_inflight, 6);
    mw_proof_fini(&p);
    mw_layout_free(l);
}
END_TEST

/* ---- certificate files ------------------------------------------------------------- */

static const char *const no_certificates[] = {
    "",
    "0,0 1\n",
    "# meshway-certificate 2 model=coupled\n0,0 1\n",
    "# meshway-certificate 1 model=couple\n",
    "# meshway-certificate 1 model=coupled\n0,0\n",
    "# meshway-certificate 1 model=coupled\n0,0 1 2\n",
    "# meshway-certificate 1 model=coupled\n0,0 -1\n",
    "# meshway-certificate 1 model=coupled\n0,0 1x\n",
    "# meshway-certificate 1 model=coupled\n0,7 1\n",
    "# meshway-certificate 1 model=coupled\n0,0.R 1\n",
    "# meshway-certificate 1 model=coupled\n0,0 1\n0,0 1\n",
    "# meshway-certificate 1 model=coupled\n0,0 4294967295\n",
};
enum { N_NO_CERTIFICATES = sizeof no_certificates / sizeof no_certificates[0] };

START_TEST(what_is_no_certificate_is_called_so)
{
    struct mw_layout *l = parsed("mesh 2 2\nflow 0,0 0,1 1,1\n");
    const char *text = no_certificates[_i];
    struct mw_verification v;
    uint64_t line = 1; /* the last is the one that is wrong */
    for (const char *c = text; *c != '\0'; c++)
        line += *c == '\n' && c[1] != '\0';
    ck_assert_int_eq(mw_certificate_verify(l, MW_COUPLED, text, strlen(text), &v),
                     MW_ERR_DATA);
    ck_assert_uint_eq(v.line, _i <= 3 ? 1 : line);
    mw_layout_free(l);
}
END_TEST

START_TEST(certificate_of_another_model_proves_nothing)
{
    struct mw_layout *l = parsed("mesh 2 2\nflow 0,0 0,1 1,1\n");
    static const char text[] =
        "# meshway-certificate 1 model=link\n0,0>0,1 1\n0,1>1,1 0\n";
    struct mw_verification v;
    ck_assert_int_eq(mw_certificate_verify(l, MW_COUPLED, text, strlen(text), &v),
                     MW_ERR_DATA);
    ck_assert_str_eq(mw_error_text(),
                     "a certificate of the link model, expected the coupled model");
    ck_assert_int_eq(mw_certificate_verify(l, MW_LINK, text, strlen(text), &v), MW_OK);
    ck_assert_uint_eq(v.n_edges, 1);
    mw_layout_free(l);
}
END_TEST

/* What holds at depth 0 holds there only. */
START_TEST(certificate_of_a_wall_needs_the_wall)
{
    static const char text[] = "fifo row 1 col 0\n" CLOCKWISE;
    struct mw_layout *l = parsed(text);
    struct mw_proof p = proved(l, MW_LINK);
    struct mw_verification v;
    size_t bytes;
    ck_assert(p.free);
    char *ranks = certificate_of(l, &p, &bytes);
    ck_assert_int_eq(mw_certificate_verify(l, MW_LINK, ranks, bytes, &v), MW_OK);
    l->fifo[MW_COLUMN] = 1;
    ck_assert_int_eq(mw_certificate_verify(l, MW_LINK, ranks, bytes, &v), MW_ERR_INVALID);
    free(ranks);
    mw_proof_fini(&p);
    mw_layout_free(l);
}
END_TEST

START_TEST(certificate_without_a_node_proves_nothing)
{
    struct mw_layout *l = parsed("mesh 2 2\nflow 0,0 0,1 1,1\n");
    static const char text[] = "# meshway-certificate 1 model=coupled\n0,0 2\n0,1 1\n";
    static const char whole[] =
        "# meshway-certificate 1 model=coupled\n# any\n\n0,0 2\n0,1 1\n1,1 0";
    struct mw_verification v;
    ck_assert_int_eq(mw_certificate_verify(l, MW_COUPLED, text, strlen(text), &v),
                     MW_ERR_INVALID);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "1,1"));
    ck_assert_int_eq(mw_certificate_verify(l, MW_COUPLED, whole, strlen(whole), &v),
                     MW_OK);
    ck_assert_uint_eq(v.n_edges, 2);
    mw_layout_free(l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_proof");
    TCase *vector = tcase_create("vectors"), *drawn_case = tcase_create("random"),
          *cycle = tcase_create("cycles"), *file = tcase_create("certificates");
    tcase_add_loop_test(vector, vectors_have_their_verdict_and_their_shortest_cycle, 0,
                        N_VECTORS);
    tcase_add_loop_test(vector, edges_of_the_reference_witnesses_exist, 0, N_VECTORS);
    tcase_add_loop_test(vector, vectors_agree_with_the_naive_search, 0, N_VECTORS);
    tcase_add_test(vector, paper_layout_has_64_cores_and_ranks_0_to_9);
    tcase_add_test(vector, witness_flows_are_the_lowest_that_cause_it);
    tcase_add_loop_test(vector, least_in_flight_is_that_of_the_lightest_cycle, 0,
                        N_SIZES);
    tcase_add_loop_test(drawn_case, random_listed_layouts_agree_with_the_naive_search, 0,
                        400);
    tcase_add_loop_test(drawn_case, random_routed_layouts_agree_with_the_naive_search, 0,
                        400);
    tcase_add_loop_test(drawn_case, transposed_layouts_agree_with_the_naive_search, 0, 3);
    tcase_add_test(cycle, node_that_needs_itself_is_a_cycle_of_one);
    tcase_add_test(cycle, knot_of_a_thousand_cores_does_not_delay_its_witness);
    tcase_add_loop_test(file, what_is_no_certificate_is_called_so, 0, N_NO_CERTIFICATES);
    tcase_add_test(file, certificate_without_a_node_proves_nothing);
    tcase_add_test(file, certificate_of_another_model_proves_nothing);
    tcase_add_test(file, certificate_of_a_wall_needs_the_wall);
    suite_add_tcase(s, vector);
    suite_add_tcase(s, drawn_case);
    suite_add_tcase(s, cycle);
    suite_add_tcase(s, file);
    return run_suite(s);
}
