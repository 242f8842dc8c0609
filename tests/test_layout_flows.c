/* test_layout_flows.c -- which flows roles and routes mean: those of the shared vectors'
 * generators, written here by hand, and those that flow statements list.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"

/* ---- flows written out by hand ------------------------------------------------------- */

enum { LONGEST = 24, MOST = 1 << 14 };

/* A flow is its length and its cores; the set is sorted before it is compared. */
struct flows {
    uint32_t n;
    uint16_t flow[MOST][LONGEST + 1];
};

static int by_cores(const void *a, const void *b)
{
    return memcmp(a, b, (LONGEST + 1) * sizeof(uint16_t));
}

static void add(struct flows *f, const uint16_t (*core)[2], uint32_t n, uint32_t cols,
                bool turned)
{
    MUST(f->n < MOST && n <= LONGEST);
    f->flow[f->n][0] = (uint16_t)n;
    for (uint32_t i = 0; i < n; i++)
        f->flow[f->n][i + 1] = (uint16_t)(turned ? core[i][1] * cols + core[i][0]
                                                 : core[i][0] * cols + core[i][1]);
    f->n++;
}

static void push(uint16_t (*core)[2], uint32_t *n, uint32_t r, uint32_t c)
{
    core[*n][0] = (uint16_t)r;
    core[(*n)++][1] = (uint16_t)c;
}

/* From *r to r2 in column c, or in row c when `row` is set. */
static void leg(uint16_t (*core)[2], uint32_t *n, uint32_t from, uint32_t to, uint32_t c,
                bool step, bool row)
{
    while (from != to) {
        from = !step ? to : from < to ? from + 1 : from - 1;
        push(core, n, row ? c : from, row ? from : c);
    }
}

struct pdu {
    const char *text; /* of the layout */
    const char *roles[8];
    bool step, turned;
    char same;
};

/* The column that the generator "pdu" takes: kind, else T; number kc modulo their count. */
static uint32_t router(const char *row, char kind, uint32_t kc)
{
    uint32_t at[64], n = 0;
    if (strchr(row, kind) == NULL)
        kind = 'T';
    for (uint32_t c = 0; row[c] != '\0'; c++)
        if (row[c] == kind)
            at[n++] = c;
    MUST(n > 0);
    return at[kc % n];
}

static void pdu_flow(struct flows *f, const struct pdu *g, uint32_t rows, uint32_t r,
                     uint32_t pc, uint32_t r2, uint32_t kc)
{
    uint16_t core[LONGEST][2];
    uint32_t n = 0;
    const uint32_t tc = router(g->roles[r], r2 == r ? g->same : r2 > r ? 'D' : 'U', kc);
    push(core, &n, r, pc);
    push(core, &n, r, tc);
    leg(core, &n, r, r2, tc, g->step, false);
    push(core, &n, r2, kc);
    add(f, (const uint16_t(*)[2])core, n,
        g->turned ? rows : (uint32_t)strlen(g->roles[0]), g->turned);
}

static void pdu_flows(struct flows *f, const struct pdu *g)
{
    const uint32_t cols = (uint32_t)strlen(g->roles[0]);
    uint32_t rows = 0;
    while (rows < 8 && g->roles[rows] != NULL)
        rows++;
    for (uint32_t r = 0; r < rows; r++)
        for (uint32_t pc = 0; pc < cols; pc++)
            for (uint32_t r2 = 0; r2 < rows && g->roles[r][pc] == 'P'; r2++)
                for (uint32_t kc = 0; kc < cols; kc++)
                    if (g->roles[r2][kc] == 'K')
                        pdu_flow(f, g, rows, r, pc, r2, kc);
}

static void xy_flows(struct flows *f, uint32_t rows, uint32_t cols, bool step, bool yx)
{
    for (uint32_t a = 0; a < rows * cols; a++)
        for (uint32_t b = 0; b < rows * cols; b++) {
            const uint32_t r = a / cols, c = a % cols, r2 = b / cols, c2 = b % cols;
            uint16_t core[LONGEST][2];
            uint32_t n = 0;
            if (a == b)
                continue;
            push(core, &n, r, c);
            leg(core, &n, yx ? r : c, yx ? r2 : c2, yx ? c : r, step, !yx);
            leg(core, &n, yx ? c : r, yx ? c2 : r2, yx ? r2 : c2, step, yx);
            add(f, (const uint16_t(*)[2])core, n, cols, false);
        }
}

static void layout_flows(struct flows *f, const struct mw_layout *l)
{
    MUST(l->longest <= LONGEST);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        mw_core core[LONGEST];
        uint16_t pair[LONGEST][2];
        const uint32_t n = mw_layout_flow(l, i, core);
        for (uint32_t k = 0; k < n; k++) {
            pair[k][0] = (uint16_t)mw_core_row(l, core[k]);
            pair[k][1] = (uint16_t)mw_core_col(l, core[k]);
        }
        add(f, (const uint16_t(*)[2])pair, n, l->cols, false);
    }
}

static struct flows *flows_new(void)
{
    struct flows *f = calloc(1, sizeof *f);
    MUST(f != NULL);
    return f;
}

/* Frees both. */
static void must_be_same(struct flows *f, struct flows *g)
{
    qsort(f->flow, f->n, sizeof *f->flow, by_cores);
    qsort(g->flow, g->n, sizeof *g->flow, by_cores);
    MUST(f->n == g->n && memcmp(f->flow, g->flow, f->n * sizeof *f->flow) == 0);
    free(f);
    free(g);
}

#define ROUTES(hop)                                                                      \
    "route P: down->D up->U same->D\nroute D: col-to-row " hop                           \
    ", then K\nroute U: col-to-row " hop ", then K\n"
#define TWICE(row) row, row
#define FOUR(row)  TWICE(row), TWICE(row)
#define EIGHT(row) FOUR(row), FOUR(row)

static const struct pdu paper[] = {
    {"mesh 2 4\nroles PDUK\n" ROUTES(""), {TWICE("PDUK")}, false, false, 'D'},
    {"mesh 3 5\nroles PDUKK\n" ROUTES(""), {TWICE("PDUKK"), "PDUKK"}, false, false, 'D'},
    {"mesh 8 8\nroles PPPPDUKK\n" ROUTES("direct"),
     {EIGHT("PPPPDUKK")},
     false,
     false,
     'D'},
    {"mesh 2 4\nroles PUDK\n" ROUTES(""), {TWICE("PUDK")}, false, false, 'D'},
    {"mesh 4 4\nroles PDUK\ntranspose\n" ROUTES(""), {FOUR("PDUK")}, false, true, 'D'},
    {"mesh 5 2\nroles PDUKK\ntranspose\n" ROUTES(""), {TWICE("PDUKK")}, false, true, 'D'},
    {"mesh 4 4\nroles PDUK\n" ROUTES("step"), {FOUR("PDUK")}, true, false, 'D'},
    {"mesh 2 3\nroles PTK\nroute P: any->T\nroute T: col-to-row, then K\n",
     {TWICE("PTK")},
     false,
     false,
     'T'},
    {"mesh 3 3\nroles PT.\nroles PT.\nroles PTK\nroute P: any->T\n"
     "route T: col-to-row, then K\n",
     {TWICE("PT."), "PTK"},
     false,
     false,
     'T'},
    {"mesh 8 8\nroles PPDDUUKK\n" ROUTES(""), {EIGHT("PPDDUUKK")}, false, false, 'D'},
    {"mesh 8 8\nroles KPUKDDPU\n" ROUTES(""), {EIGHT("KPUKDDPU")}, false, false, 'D'},
    {"mesh 2 6\nroles PDDUUK\nroles KDDUUP\n" ROUTES("step"),
     {"PDDUUK", "KDDUUP"},
     true,
     false,
     'D'},
};

START_TEST(routes_make_the_flows_of_the_pdu_generator)
{
    const struct pdu *g = &paper[_i];
    struct flows *mine = flows_new(), *theirs = flows_new();
    struct mw_diagnostics d;
    struct mw_layout *l;
    if (parse(g->text, strlen(g->text), &l, &d) != MW_OK)
        ck_abort_msg("%s\n%s", g->text, said(&d));
    layout_flows(mine, l);
    pdu_flows(theirs, g);
    must_be_same(mine, theirs);
    mw_layout_free(l);
}
END_TEST

/* _i: bit 0: step, bit 1: yx. */
START_TEST(routes_make_the_flows_of_the_xy_generator)
{
    static const uint32_t shapes[][2] = {{2, 2}, {8, 8}, {1, 5}, {6, 1}, {3, 7}};
    for (uint32_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        const uint32_t rows = shapes[i][0], cols = shapes[i][1];
        const char *hop = (_i & 1) != 0 ? "step" : "",
                   *legs[] = {"row-to-col", "col-to-row"};
        struct flows *mine = flows_new(), *theirs = flows_new();
        char text[200];
        snprintf(text, sizeof text,
                 "mesh %u %u\nroles %.*s\nsource A\nsink A\nroute A: %s %s, %s %s\n",
                 rows, cols, (int)cols, "AAAAAAAA", legs[_i >> 1], hop,
                 legs[1 - (_i >> 1)], hop);
        struct mw_layout *l = good(text);
        MUST(l->n_routed == (uint64_t)rows * cols * (rows * cols - 1));
        layout_flows(mine, l);
        xy_flows(theirs, rows, cols, (_i & 1) != 0, (_i & 2) != 0);
        must_be_same(mine, theirs);
        mw_layout_free(l);
    }
}
END_TEST

/* Patterns whose flows the shared vectors list: text, and the flows as the language lists
 * them. */
static const char *const listed[][2] = {
    {"mesh 3 5\nroles PTTTK\nroute P: any->T by row\nroute T: col-to-row, then K\n",
     "mesh 3 5\nflow 0,0 0,1 0,4\nflow 0,0 0,2 1,2 1,4\nflow 0,0 0,3 2,3 2,4\n"
     "flow 1,0 1,1 0,1 0,4\nflow 1,0 1,2 1,4\nflow 1,0 1,3 2,3 2,4\n"
     "flow 2,0 2,1 0,1 0,4\nflow 2,0 2,2 1,2 1,4\nflow 2,0 2,3 2,4\n"},
    {"mesh 2 2\nroles PK\nroute P: any->K\nroute K: col-to-row\n",
     "mesh 2 2\nflow 0,0 0,1\nflow 0,0 0,1 1,1\nflow 1,0 1,1\nflow 1,0 1,1 0,1\n"},
    {"mesh 3 3\nroles PTK\nroute P: any->T\nroute T: col-to-row ring, then K\n",
     "mesh 3 3\nflow 0,0 0,1 0,2\nflow 0,0 0,1 1,1 1,2\nflow 0,0 0,1 1,1 2,1 2,2\n"
     "flow 1,0 1,1 2,1 0,1 0,2\nflow 1,0 1,1 1,2\nflow 1,0 1,1 2,1 2,2\n"
     "flow 2,0 2,1 0,1 0,2\nflow 2,0 2,1 0,1 1,1 1,2\nflow 2,0 2,1 2,2\n"},
    {"mesh 3 3\nroles PVW\nsink W\nroute P: down->V same->V up->W\n"
     "route V: col-to-row, then W\nroute W: col-to-row\n",
     "mesh 3 3\nflow 0,0 0,1 0,2\nflow 0,0 0,1 1,1 1,2\nflow 0,0 0,1 2,1 2,2\n"
     "flow 1,0 1,2 0,2\nflow 1,0 1,1 1,2\nflow 1,0 1,1 2,1 2,2\n"
     "flow 2,0 2,2 0,2\nflow 2,0 2,2 1,2\nflow 2,0 2,1 2,2\n"},
    /* Two letters and two columns of one: i counts the sinks of a row, k their columns. */
    {"mesh 1 7\nroles PDUDKKK\nroute P: same->D|U by sink\nroute D: then K\n"
     "route U: then K\n",
     "mesh 1 7\nflow 0,0 0,1 0,4\nflow 0,0 0,2 0,5\nflow 0,0 0,1 0,6\n"},
    {"mesh 1 7\nroles PDUDKKK\nroute P: same->D|U\nroute D: then K\nroute U: then K\n",
     "mesh 1 7\nflow 0,0 0,1 0,4\nflow 0,0 0,2 0,5\nflow 0,0 0,1 0,6\n"},
    {"mesh 1 6\nroles KPDDK.\nroute P: same->D\nroute D: row-to-col\n",
     "mesh 1 6\nflow 0,1 0,2 0,0\nflow 0,1 0,2 0,4\n"},
    {"mesh 1 4\nroles APKB\nsource BA\nsink AB\nroute A: row-to-col step\n"
     "route P: row-to-col ring\nroute K: row-to-col ring\nroute B: row-to-col ring\n",
     "mesh 1 4\nflow 0,0 0,1 0,2 0,3\nflow 0,3 0,0\n"},
};

START_TEST(routes_make_the_flows_that_are_listed)
{
    struct flows *mine = flows_new(), *theirs = flows_new();
    struct mw_diagnostics d;
    struct mw_layout *l;
    if (parse(listed[_i][0], strlen(listed[_i][0]), &l, &d) != MW_OK)
        ck_abort_msg("%s\n%s", listed[_i][0], said(&d));
    layout_flows(mine, l);
    mw_layout_free(l);
    l = good(listed[_i][1]);
    layout_flows(theirs, l);
    must_be_same(mine, theirs);
    mw_layout_free(l);
}
END_TEST

START_TEST(flows_are_numbered_by_source_then_sink_then_as_listed)
{
    struct mw_layout *l = good("mesh 2 2\nflow 1,0 0,0\nroles AB\nsource AB\nsink AB\n"
                               "route A: row-to-col col-to-row\nroute B: row-to-col "
                               "col-to-row\nflow 0,0 1,0 0,0\n");
    static const mw_core ends[][2] = {{0, 1}, {0, 2}, {0, 3}, {1, 0}, {1, 2},
                                      {1, 3}, {2, 0}, {2, 1}, {2, 3}, {3, 0},
                                      {3, 1}, {3, 2}, {2, 0}, {0, 0}};
    MUST(l->n_routed == 12 && l->n_listed == 2 && l->n_flows == 14 && l->longest == 3);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        mw_core core[3];
        const uint32_t n = mw_layout_flow(l, i, core);
        MUST(core[0] == ends[i][0] && core[n - 1] == ends[i][1]);
    }
    mw_layout_free(l);
}
END_TEST

/* The table is exact: other modules read hops from it without walking. */
START_TEST(next_hops_are_those_of_flows_and_no_others)
{
    struct mw_layout *l = good("mesh 4 4\nroles PDUK\n" ROUTES("step"));
    bool *met = calloc((size_t)l->n_sinks * 16, sizeof *met);
    MUST(met != NULL);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        mw_core core[LONGEST];
        const uint32_t n = mw_layout_flow(l, i, core);
        for (uint32_t k = 0; k < n; k++)
            met[core[n - 1] / 4 * 16 + core[k]] = true;
    }
    for (uint32_t s = 0; s < l->n_sinks; s++)
        for (uint32_t v = 0; v < 16; v++)
            MUST((l->next[s * 16 + v] != MW_NO_CORE) == met[s * 16 + v]);
    free(met);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_layout_made_by_hand_expands)
{
    static const mw_core there[] = {0, 1, 3}, back[] = {3, 2, 0};
    struct mw_diagnostics d = {0};
    struct mw_layout *l;
    MUST(mw_layout_new(2, 2, &l) == MW_OK);
    for (int i = 0; i < 40; i++)
        MUST(mw_layout_add_flow(l, i % 2 == 0 ? there : back, 3, i, 0) == MW_OK);
    MUST(mw_layout_expand(l, &d) == MW_OK && d.n_kept == 0);
    MUST(l->n_flows == 40 && l->longest == 3 && l->n_buckets == 2 && l->n_routed == 0);
    mw_layout_free(l);
    MUST(mw_layout_new(2, 2, &l) == MW_OK);
    MUST(mw_layout_expand(l, &d) == MW_ERR_DATA && d.n_errors == 1);
    mw_layout_free(l);
}
END_TEST

#define LOOP(tc, test, list) tcase_add_loop_test(tc, test, 0, sizeof list / sizeof *list)

/* The flows of the statements' mesh, in its order, each mirrored: also where every core is
 * source and sink. */
START_TEST(transposed_flows_come_in_the_order_of_the_statements)
{
    static const char *const roles[2] = {
        "roles PDUKK\nroute P: down->D up->U same->D|U\nroute D: col-to-row, then K\n"
        "route U: col-to-row, then K\n",
        "roles AAAAA\nsource A\nsink A\nroute A: row-to-col, col-to-row\n"};
    char text[2][400];
    mw_core core[2][16];
    snprintf(text[0], sizeof text[0], "mesh 3 5\n%s", roles[_i]);
    snprintf(text[1], sizeof text[1], "mesh 5 3\ntranspose\n%s", roles[_i]);
    struct mw_layout *plain = good(text[0]), *turned = good(text[1]);
    ck_assert_uint_eq(plain->n_flows, turned->n_flows);
    for (uint64_t f = 0; f < plain->n_flows; f++) {
        const uint32_t n = mw_layout_flow(plain, f, core[0]);
        MUST(n == mw_layout_flow(turned, f, core[1]));
        for (uint32_t i = 0; i < n; i++)
            MUST(mw_core_row(plain, core[0][i]) == mw_core_col(turned, core[1][i]) &&
                 mw_core_col(plain, core[0][i]) == mw_core_row(turned, core[1][i]));
    }
    mw_layout_free(plain);
    mw_layout_free(turned);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_flows");
    TCase *routed = tcase_create("routed"), *numbers = tcase_create("numbers");
    LOOP(routed, routes_make_the_flows_of_the_pdu_generator, paper);
    tcase_add_loop_test(routed, routes_make_the_flows_of_the_xy_generator, 0, 4);
    LOOP(routed, routes_make_the_flows_that_are_listed, listed);
    tcase_add_test(numbers, flows_are_numbered_by_source_then_sink_then_as_listed);
    tcase_add_test(numbers, next_hops_are_those_of_flows_and_no_others);
    tcase_add_test(numbers, a_layout_made_by_hand_expands);
    tcase_add_loop_test(numbers, transposed_flows_come_in_the_order_of_the_statements, 0,
                        2);
    suite_add_tcase(s, routed);
    suite_add_tcase(s, numbers);
    return run_suite(s);
}
