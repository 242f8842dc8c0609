/* test_layout_draw.c -- pictures say what is there, are the same twice, and let no name out
 * of its quotes. What the page looks like in a browser: check_page.py.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/draw.h"

#include "base/mem.h"
#include "layouts/draw/film.h"
#include "layouts/draw/scene.h"
#include "layouts/explore/explore.h"
#include "suite.h"

#include <check.h>
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

/* ---- layouts, simulations by hand, and what comes out --------------------------------- */

static const char paper[] = "mesh 8 8\nroles PPPPDUKK\nroute P: down->D up->U same->D|U\n"
                            "route D: col-to-row, then K\nroute U: col-to-row, then K\n";
static const char one_router[] =
    "mesh 2 3\nroles PTK\nroute P: any->T\nroute T: col-to-row, then K\n";
static const char turns[] = "mesh 2 2\nflow 0,0 0,1 1,1\nflow 0,1 1,1 1,0\n"
                            "flow 1,1 1,0 0,0\nflow 1,0 0,0 0,1\n";
static const char any_to_any[] =
    "mesh 3 4\nroles AAAA\nsource A\nsink A\nroute A: row-to-col, col-to-row\n"
    "flow 0,0 0,3 2,3\nflow 0,0 0,3 0,0 0,1\n";

static struct mw_layout *layout_of(const char *text)
{
    static struct mw_diagnostics d;
    struct mw_layout *l = NULL;
    memset(&d, 0, sizeof d);
    const int rc = mw_layout_parse(text, strlen(text), &l, &d);
    ck_assert_msg(rc == MW_OK, "%s: %s", text, d.kept[0].text);
    return l;
}

/* Core v is busy, idle or blocked most of the time by v % 3; 100 cycles. */
static struct mw_sim_result sim_of(const struct mw_layout *l)
{
    static struct mw_sim_core core[MW_MESH_CORES_MAX];
    static const int most[3] = {MW_CORE_BUSY, MW_CORE_IDLE, MW_CORE_BLOCKED};
    memset(core, 0, sizeof core);
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        core[v].cycles[most[v % 3]] = 90;
        core[v].cycles[MW_CORE_DMA] = 10;
    }
    return (struct mw_sim_result){
        .cycles = 110, .counted = 100, .observed = 100, .core = core};
}

/* The same, but cores 1 and 4 came to wait for each other in the warm-up: 100 cycles are all
 * there were, core 2 works on, and the others are idle in the end. */
static struct mw_sim_result stopped(const struct mw_layout *l)
{
    static mw_core met[2] = {1, 4};
    struct mw_sim_result r = sim_of(l);
    r.cycles = r.observed = r.deadlock_cycle = 100;
    r.counted = 0;
    r.deadlock = true;
    r.cycle_core = met;
    r.n_cycle = 2;
    r.core[1].end = r.core[4].end = MW_CORE_BLOCKED;
    r.core[2].end = MW_CORE_BUSY;
    return r;
}

/* The witness of `one_router`, by hand. */
static struct mw_proof cycle_1_4(void)
{
    static mw_mesh_node node[2] = {1, 4};
    static struct mw_cause why[2] = {{1, 1}, {2, 1}};
    return (struct mw_proof){.model = MW_COUPLED, .n_cycle = 2, .node = node, .why = why};
}

enum picture_kind { MAP, COLOUR_MAP, SVG, HTML, DOT, N_KINDS };

static int draw(enum picture_kind kind, const struct mw_picture *p, FILE *out)
{
    return kind == SVG    ? mw_draw_svg(p, out)
           : kind == HTML ? mw_draw_html(p, out)
           : kind == DOT  ? mw_draw_dot(p, out)
                          : mw_draw_map(p, kind == COLOUR_MAP, out);
}

/* The picture as a text; the caller frees it. */
static char *drawn(enum picture_kind kind, const struct mw_picture *p)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    ck_assert_int_eq(draw(kind, p, out), MW_OK);
    fclose(out);
    ck_assert_uint_eq(strlen(text), bytes);
    return text;
}

static uint32_t count(const char *text, const char *what)
{
    uint32_t n = 0;
    while ((text = strstr(text, what)) != NULL) {
        text += strlen(what);
        n++;
    }
    return n;
}

static void has(const char *text, const char *what)
{
    ck_assert_msg(strstr(text, what) != NULL, "no '%s' in:\n%.2000s", what, text);
}

/* ---- the scene ------------------------------------------------------------------------- */

/* Flow by flow, which the scene avoids. */
static void count_slowly(const struct mw_layout *l, uint64_t *hops, uint64_t *starts,
                         uint64_t *passes, uint64_t *ends)
{
    mw_core *core = mw_alloc("flow", l->longest, sizeof *core);
    for (uint64_t i = 0; i < l->n_flows; i++) {
        const uint32_t n = mw_layout_flow(l, i, core);
        starts[core[0]]++;
        ends[core[n - 1]]++;
        for (uint32_t k = 0; k + 1 < n; k++) {
            hops[mw_hop_node(l, MW_LINK, core[k], core[k + 1])]++;
            passes[core[k]] += k > 0;
        }
    }
    mw_free(core);
}

START_TEST(flows_are_counted_as_if_walked_one_by_one)
{
    const char *const text[] = {paper, one_router, turns, any_to_any};
    static uint64_t hops[64 * 16], starts[64], passes[64], ends[64];
    struct mw_layout *l = layout_of(text[_i]);
    const struct mw_picture p = {.layout = l};
    struct mw_scene s;
    memset(hops, 0, sizeof hops);
    memset(starts, 0, sizeof starts);
    memset(passes, 0, sizeof passes);
    memset(ends, 0, sizeof ends);
    count_slowly(l, hops, starts, passes, ends);
    ck_assert_int_eq(mw_scene_init(&p, &s), MW_OK);
    ck_assert_mem_eq(s.hop_flows, hops, mw_mesh_nodes(l, MW_LINK) * sizeof *hops);
    ck_assert_mem_eq(s.starts, starts, mw_mesh_cores(l) * sizeof *starts);
    ck_assert_mem_eq(s.passes, passes, mw_mesh_cores(l) * sizeof *passes);
    ck_assert_mem_eq(s.ends, ends, mw_mesh_cores(l) * sizeof *ends);
    mw_scene_fini(&s);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_met_deadlock_hides_the_witness)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    mw_core met[2] = {0, 3};
    struct mw_sim_result sim = sim_of(l);
    const struct mw_picture p = {.layout = l, .proof = &proof, .sim = &sim};
    struct mw_scene s;
    sim.deadlock = true;
    sim.n_cycle = 2;
    sim.cycle_core = met;
    ck_assert_int_eq(mw_scene_init(&p, &s), MW_OK);
    ck_assert(s.met);
    ck_assert_mem_eq(s.cycle, met, sizeof met);
    ck_assert_uint_eq(s.mark[3], 2);
    ck_assert_uint_eq(s.mark[1], 0);
    mw_scene_fini(&s);
    mw_layout_free(l);
}
END_TEST

/* ---- every picture ----------------------------------------------------------------------- */

START_TEST(the_same_picture_gives_the_same_bytes)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    const struct mw_sim_result sim = sim_of(l);
    const struct mw_picture p = {.layout = l, .title = "x", .proof = &proof, .sim = &sim};
    char *one = drawn((enum picture_kind)_i, &p),
         *other = drawn((enum picture_kind)_i, &p);
    ck_assert_str_eq(one, other);
    free(one);
    free(other);
    mw_layout_free(l);
}
END_TEST

START_TEST(failing_allocations_are_reported_and_nothing_is_lost)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    const struct mw_sim_result sim = sim_of(l);
    const struct mw_picture p = {.layout = l, .proof = &proof, .sim = &sim};
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    uint64_t n = 0;
    while (rc == MW_ERR_NOMEM) {
        FILE *out = tmpfile();
        mw_mem_fail_at(++n);
        rc = draw((enum picture_kind)_i, &p, out);
        mw_mem_fail_at(0);
        fclose(out);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    ck_assert_int_eq(rc, MW_OK);
    ck_assert_uint_gt(n, 5);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_picture_needs_no_more_than_a_layout)
{
    struct mw_layout *l = layout_of("mesh 1 2\nflow 0,0 0,1\n");
    const struct mw_picture p = {.layout = l};
    char *text = drawn((enum picture_kind)_i, &p);
    ck_assert_uint_gt(strlen(text), 0);
    free(text);
    mw_layout_free(l);
}
END_TEST

/* ---- the map ------------------------------------------------------------------------------ */

START_TEST(the_map_shows_a_cycle_in_a_column)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    const struct mw_picture p = {.layout = l, .proof = &proof};
    char *text = drawn(MAP, &p);
    has(text, "\n 0   P      [T ]     K\n"
              "             |^\n"
              "             v|\n"
              " 1   P      [T ]     K\n");
    has(text, "0,1 -> 1,1 -> 0,1\n");
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(the_map_shows_a_cycle_in_rows_past_other_cores)
{
    struct mw_layout *l = layout_of("mesh 1 3\nflow 0,0 0,2\nflow 0,2 0,0\n");
    static mw_mesh_node node[2] = {0, 2};
    static struct mw_cause why[2] = {{0, 0}, {1, 0}};
    const struct mw_proof proof = {.n_cycle = 2, .node = node, .why = why};
    const struct mw_picture p = {.layout = l, .proof = &proof};
    char *text = drawn(MAP, &p);
    has(text, "\n 0  [. ]<----.----->[. ]\n");
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(the_map_shows_what_cores_did_mostly)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_sim_result sim = sim_of(l);
    const struct mw_picture p = {.layout = l, .sim = &sim};
    char *text = drawn(MAP, &p);
    has(text, " 0   P+      T.      K#\n");
    has(text, "    P          2     0.0%    90.0%     0.0%    10.0%     0.0%\n");
    has(text, "    K          2     0.0%     0.0%    90.0%    10.0%     0.0%\n");
    free(text);
    mw_layout_free(l);
}
END_TEST

/* In the warm-up, too; and how they stand, for "busy" beside a deadlock misleads. */
START_TEST(the_map_of_a_deadlock_shows_how_cores_stand)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_sim_result sim = stopped(l);
    const struct mw_picture p = {.layout = l, .sim = &sim};
    char *text = drawn(MAP, &p);
    has(text, " 0   P.     [T#]     K+\n");
    has(text, " 1   P.     [T#]     K.\n");
    has(text, "at the end: . idle   + busy   # blocked");
    has(text, "shares of all 100 cycles, for it stopped in its warm-up\n");
    has(text, "    P          2     0.0%    90.0%     0.0%    10.0%     0.0%\n");
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(only_the_coloured_map_has_escapes_and_closes_them)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    const struct mw_sim_result sim = sim_of(l);
    const struct mw_picture p = {.layout = l, .proof = &proof, .sim = &sim};
    char *plain = drawn(MAP, &p), *colours = drawn(COLOUR_MAP, &p);
    for (const char *c = plain; *c != '\0'; c++)
        ck_assert(*c == '\n' || isprint((unsigned char)*c));
    ck_assert_ptr_null(strstr(plain, " \n"));
    for (char *line = strtok(colours, "\n"); line != NULL; line = strtok(NULL, "\n")) {
        const char *last = NULL;
        for (char *c = line; (c = strchr(c, '\033')) != NULL; c++)
            last = c;
        ck_assert(last == NULL || strncmp(last, "\033[0m", 4) == 0);
    }
    free(plain);
    free(colours);
    mw_layout_free(l);
}
END_TEST

START_TEST(any_map_fits_into_eighty_columns)
{
    struct mw_layout *l;
    ck_assert_int_eq(mw_layout_new(2, (uint32_t)_i, &l), MW_OK);
    const struct mw_sim_result sim = sim_of(l);
    const struct mw_picture p = {.layout = l, .sim = &sim};
    char *text = drawn(MAP, &p), *line = strtok(text, "\n");
    for (; line != NULL && strstr(line, "idle") == NULL; line = strtok(NULL, "\n"))
        ck_assert_msg(strlen(line) <= 80, "%d columns: %s", _i, line);
    free(text);
    mw_layout_free(l);
}
END_TEST

/* ---- SVG and DOT -------------------------------------------------------------------------- */

/* Every element is closed; no '<' inside texts. */
static void is_balanced(const char *text)
{
    int depth = 0;
    for (; (text = strchr(text, '<')) != NULL; text++) {
        const char *end = strchr(text, '>');
        ck_assert_ptr_nonnull(end);
        depth += text[1] == '/' ? -1 : end[-1] == '/' ? 0 : 1;
        ck_assert_int_ge(depth, 0);
    }
    ck_assert_int_eq(depth, 0);
}

START_TEST(svg_has_every_core_and_every_hop_once)
{
    struct mw_layout *l = layout_of(paper);
    const struct mw_picture p = {.layout = l};
    char *text = drawn(SVG, &p), *hops = strstr(text, "<g class=\"mw-hops\">");
    is_balanced(text);
    ck_assert_uint_eq(count(text, "class=\"mw-core mw-r"), 64 + 4); /* and the legend */
    *strstr(hops, "</g>") = '\0';
    ck_assert_uint_eq(count(hops, "M"), 150); /* 64 cores, 150 hops: docs/mesh.md */
    free(text);
    mw_layout_free(l);
}
END_TEST

/* 63,488 hops would be a black sheet; that they are left out is said. */
START_TEST(hops_left_out_are_missed_aloud)
{
    char *text;
    size_t bytes;
    FILE *out = open_memstream(&text, &bytes);
    ck_assert_int_eq(mw_layout_generate("xy", 32, 32, out), MW_OK);
    fclose(out);
    struct mw_layout *l = layout_of(text);
    free(text);
    const struct mw_picture p = {.layout = l};
    char *svg = drawn(SVG, &p), *html = drawn(HTML, &p);
    has(svg, ">too many hops to draw</text>");
    ck_assert_uint_eq(count(svg, "class=\"mw-hops\""), 0);
    has(html, "\"hops\":null");
    free(svg);
    free(html);
    mw_layout_free(l);
}
END_TEST

START_TEST(svg_numbers_the_cycle)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    const struct mw_picture p = {.layout = l, .proof = &proof};
    char *text = drawn(SVG, &p);
    is_balanced(text);
    ck_assert_uint_eq(count(text, "marker-end="), 2);
    has(text, ">1</text>");
    has(text, ">2</text>");
    has(text, "can wait for the next: 0,1; 1,1.");
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(pictures_say_the_verdicts)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    const struct mw_proof link = {.model = MW_LINK, .free = true};
    struct mw_sim_result sim = stopped(l);
    sim.weak = sim.global = true;
    const struct mw_picture p = {
        .layout = l, .proof = &proof, .others = {[MW_LINK] = &link}, .sim = &sim};
    char *svg = drawn(SVG, &p), *map = drawn(MAP, &p), *html = drawn(HTML, &p);
    is_balanced(svg);
    has(svg, ">&#10007; coupled: can deadlock</text>");
    has(svg, ">&#10003; link: free</text>");
    has(svg,
        ">&#10007; simulated: DEADLOCK, seen at cycle 100 (global weak local)</text>");
    has(svg, "hops. coupled: can deadlock; link: free; simulated: DEADLOCK, seen");
    has(map, "coupled: can deadlock; link: free\nsimulated: DEADLOCK, seen at cycle 100 "
             "(global weak local)\n\n");
    has(html, "[\"coupled: can deadlock\",\"bad\"],[\"link: free\",\"good\"]");
    free(svg);
    free(map);
    free(html);
    mw_layout_free(l);
}
END_TEST

START_TEST(svg_of_a_deadlock_shows_how_cores_stand)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_sim_result sim = stopped(l);
    const struct mw_picture p = {.layout = l, .sim = &sim};
    char *text = drawn(SVG, &p);
    has(text, "<title>0,1 T, at the end blocked</title>");
    has(text, "<title>0,2 K, at the end busy</title>");
    has(text, ">blocked at the end</text>");
    ck_assert_uint_eq(count(text, "class=\"mw-blocked\""), 2 + 1); /* and the legend */
    ck_assert_uint_eq(count(text, "class=\"mw-dma\""), 0);
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(dot_has_every_core_and_every_hop)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_proof proof = cycle_1_4();
    const struct mw_picture p = {.layout = l, .proof = &proof};
    char *text = drawn(DOT, &p);
    ck_assert_uint_eq(count(text, "pos="), 6);
    ck_assert_uint_eq(count(text, "class=row"), 4);
    ck_assert_uint_eq(count(text, "class=column"), 2);
    ck_assert_uint_eq(count(text, "[class=column, color=\"#c8102e\""), 2);
    has(text, "\"0,1\" -> \"1,1\"");
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(dot_of_another_model_has_its_nodes)
{
    struct mw_layout *l = layout_of(turns);
    const char *const edge[] = {NULL, "\"0,1.R\" -> \"1,1.C\"",
                                "\"0,0>0,1\" -> \"0,1>1,1\""};
    struct mw_proof proof;
    ck_assert_int_eq(mw_proof_make(l, (enum mw_mesh_model)_i, &proof), MW_OK);
    const struct mw_picture p = {.layout = l, .proof = &proof};
    char *text = drawn(DOT, &p);
    ck_assert_uint_eq(count(text, "pos="), 4);
    ck_assert_uint_eq(count(text, " -> "), 4);
    has(text, edge[_i]);
    free(text);
    mw_proof_fini(&proof);
    mw_layout_free(l);
}
END_TEST

/* ---- HTML --------------------------------------------------------------------------------- */

static const char wicked[] = "</script><script>alert(1)</script><!-- \"&'\\ \xe2\x80\xa8 "
                             "\xf0\x9f\x98\x80 \xff \xc0\xaf \x01 -->";

static void no_way_out(const char *text)
{
    for (const char *c = text; *c != '\0'; c++)
        ck_assert(*c == '\n' || *c == '\t' || isprint((unsigned char)*c));
    ck_assert_ptr_null(strstr(text, "alert(1)</"));
    ck_assert_ptr_null(strstr(text, "<script>alert"));
}

START_TEST(a_wicked_title_stays_a_text)
{
    struct mw_layout *l = layout_of(one_router);
    snprintf(l->name, sizeof l->name, "%s", "</script>");
    const struct mw_picture tame = {.layout = l}, p = {.layout = l, .title = wicked};
    char *plain = drawn((enum picture_kind)_i, &tame);
    char *text = drawn((enum picture_kind)_i, &p);
    no_way_out(text);
    ck_assert_uint_eq(count(text, "</script>"), count(plain, "</script>"));
    if (_i == SVG)
        is_balanced(text);
    free(plain);
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(json_keeps_every_character)
{
    struct mw_layout *l = layout_of(one_router);
    const struct mw_picture p = {.layout = l, .title = wicked};
    char *text = drawn(HTML, &p);
    has(text,
        "\"title\":\"\\u003c/script\\u003e\\u003cscript\\u003ealert(1)\\u003c/script"
        "\\u003e\\u003c!-- \\u0022\\u0026'\\u005c\\u005c \\u2028 \\ud83d\\ude00 "
        "\\u005cxff "
        "\\u005cxc0\\u005cxaf \\u0001 --\\u003e\"");
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(the_page_names_no_other_place)
{
    struct mw_layout *l = layout_of(paper);
    const struct mw_picture p = {.layout = l};
    char *text = drawn(HTML, &p);
    ck_assert_uint_eq(count(text, "http"), count(text, "http://www.w3.org/2000/svg") +
                                               count(text, "http-equiv"));
    ck_assert_uint_eq(count(text, " src=") + count(text, "url(") + count(text, "@import"),
                      count(text, "url(#"));
    ck_assert_uint_eq(count(text, "@DATA@") + count(text, "@TITLE@"), 0);
    free(text);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_busy_film_of_an_8x8_mesh_stays_below_200_kb)
{
    struct mw_layout *l = layout_of(paper);
    struct mw_film *film;
    ck_assert_int_eq(mw_film_new(l, 200000, 200, &film), MW_OK);
    for (uint32_t v = 0; v < 64; v++)
        mw_film_observe(film, &(struct mw_sim_event){.core = (mw_core)v,
                                                     .state = MW_CORE_BLOCKED,
                                                     .fill = {4, 4},
                                                     .waits_for = (mw_core)(v ^ 7)});
    mw_film_end(film);
    const struct mw_picture p = {.layout = l, .film = film}, q = {.layout = l};
    char *with = drawn(HTML, &p), *without = drawn(HTML, &q);
    ck_assert_uint_lt(strlen(with) - strlen(without), 200 << 10);
    free(with);
    free(without);
    mw_film_free(film);
    mw_layout_free(l);
}
END_TEST

/* ---- film --------------------------------------------------------------------------------- */

static struct mw_sim_event at_cycle(uint64_t cycle, mw_core v, enum mw_core_state state)
{
    return (struct mw_sim_event){
        .cycle = cycle, .core = v, .state = (uint8_t)state, .waits_for = MW_NO_CORE};
}

/* Core 0 is busy for 5 cycles, blocked for 15, then busy; one message comes in the middle. */
START_TEST(a_frame_is_the_average_of_its_cycles)
{
    struct mw_layout *l = layout_of(one_router);
    struct mw_film *film;
    struct mw_sim_event e = at_cycle(5, 0, MW_CORE_BLOCKED);
    ck_assert_int_eq(mw_film_new(l, 40, 4, &film), MW_OK);
    mw_film_observe(film, &(struct mw_sim_event){
                              .core = 0, .state = MW_CORE_BUSY, .waits_for = MW_NO_CORE});
    e.waits_for = 1;
    e.fill[MW_ROW] = 4;
    mw_film_observe(film, &e);
    e = at_cycle(20, 0, MW_CORE_BUSY);
    mw_film_observe(film, &e);
    mw_film_end(film);
    const float busy[] = {0.5F, 0, 1, 1, 1}, fill[] = {2, 4, 0, 0, 0};
    for (uint32_t i = 0; i <= 4; i++) {
        const struct mw_film_core *core = mw_film_frame(film, i);
        ck_assert_uint_eq(mw_film_moment(film, i), 10 * i);
        ck_assert(core[0].share[MW_CORE_BUSY] == busy[i]);
        ck_assert(core[0].share[MW_CORE_BLOCKED] == 1 - busy[i]);
        ck_assert(core[0].fill[MW_ROW] == fill[i]);
        ck_assert_uint_eq(core[0].waits_for, i < 2 ? 1 : MW_NO_CORE);
        ck_assert(core[1].share[MW_CORE_IDLE] == 1);
    }
    ck_assert_uint_eq(mw_film_since(film, 0), 20);
    mw_film_free(film);
    mw_layout_free(l);
}
END_TEST

/* Nothing is lost between the frames: they add up to what the simulator itself counts. */
START_TEST(frames_add_up_to_the_run)
{
    struct mw_layout *l = layout_of(one_router);
    struct mw_sim_conf conf;
    struct mw_sim_result r;
    struct mw_film *film;
    mw_sim_defaults(l, &conf);
    conf.cycles = 1003;
    conf.warmup = 0;
    ck_assert_int_eq(mw_film_new(l, conf.cycles, 7, &film), MW_OK);
    conf.observe = mw_film_observe;
    conf.observe_arg = film;
    ck_assert_int_eq(mw_layout_sim(l, &conf, &r), MW_OK);
    ck_assert_uint_eq(r.cycles, conf.cycles);
    mw_film_end(film);
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        double cycles[MW_N_CORE_STATES] = {0}, fill = 0;
        for (uint32_t i = 0; i < 7; i++) {
            const double n =
                (double)(mw_film_moment(film, i + 1) - mw_film_moment(film, i));
            for (int k = 0; k < MW_N_CORE_STATES; k++)
                cycles[k] += n * (double)mw_film_frame(film, i)[v].share[k];
            fill += n * (double)mw_film_frame(film, i)[v].fill[MW_ROW];
        }
        for (int k = 0; k < MW_N_CORE_STATES; k++)
            ck_assert_double_eq_tol(cycles[k], (double)r.core[v].cycles[k], 0.01);
        ck_assert_double_eq_tol(fill, (double)r.core[v].fill_sum[MW_ROW], 0.01);
    }
    mw_sim_result_fini(&r);
    mw_film_free(film);
    mw_layout_free(l);
}
END_TEST

START_TEST(frames_reach_from_the_first_cycle_to_the_last)
{
    struct mw_layout *l = layout_of(one_router);
    const uint64_t lengths[] = {1, 3, 7, 200000, UINT64_MAX};
    for (size_t i = 0; i < sizeof lengths / sizeof *lengths; i++) {
        struct mw_film *film;
        ck_assert_int_eq(mw_film_new(l, lengths[i], (uint32_t)_i, &film), MW_OK);
        const uint32_t n = mw_film_frames(film);
        ck_assert_uint_eq(n, mw_min((uint64_t)_i, lengths[i]));
        ck_assert_uint_eq(mw_film_moment(film, 0), 0);
        ck_assert_uint_eq(mw_film_moment(film, n), lengths[i]);
        for (uint32_t k = 1; k <= n; k++)
            ck_assert_uint_lt(mw_film_moment(film, k - 1), mw_film_moment(film, k));
        mw_film_free(film);
    }
    mw_layout_free(l);
}
END_TEST

/* The last frame, an average, would hide how the cores stand when it is over. */
START_TEST(the_film_of_a_deadlock_ends_with_how_it_stands)
{
    struct mw_layout *l = layout_of(one_router);
    struct mw_film *film;
    struct mw_sim_result sim = stopped(l);
    struct mw_sim_event e = at_cycle(95, 1, MW_CORE_BLOCKED);
    ck_assert_int_eq(mw_film_new(l, 100, 2, &film), MW_OK);
    e.waits_for = 4;
    mw_film_observe(film, &e);
    e = at_cycle(97, 4, MW_CORE_BLOCKED);
    e.waits_for = 1;
    mw_film_observe(film, &e);
    mw_film_end(film);
    const struct mw_picture p = {.layout = l, .sim = &sim, .film = film};
    char *text = drawn(HTML, &p);
    has(text, "\"end\":true,\"closed\":97,\"cycle\":[1,4],\"moments\":[0,50,100]");
    has(text, "\"share\":[\"000000000000000000000000\",\n\"000006000000000004000000\",\n"
              "\"00000_00000000000_000000\"]");
    has(text, "\"waits\":[\"\",\n\"0401\",\n\"0401\"]");
    free(text);
    mw_film_free(film);
    mw_layout_free(l);
}
END_TEST

START_TEST(deep_fifos_are_scaled_and_stay_empty_and_full)
{
    struct mw_layout *l = layout_of("mesh 1 2\nfifo row 1024\nflow 0,0 0,1\n");
    const uint32_t fills[] = {0, 1, 512, 1023, 1024};
    const char *const words[] = {"\"000000\"", "\"000100\"", "\"000W00\"", "\"000-00\"",
                                 "\"000_00\""};
    struct mw_film *film;
    ck_assert_int_eq(mw_film_new(l, 10, 1, &film), MW_OK);
    mw_film_observe(film, &(struct mw_sim_event){.core = 1,
                                                 .waits_for = MW_NO_CORE,
                                                 .fill = {fills[_i], 0}});
    mw_film_end(film);
    const struct mw_picture p = {.layout = l, .film = film};
    char *text = drawn(HTML, &p);
    has(text, words[_i]);
    has(text, "\"depth\":[1024,4,0]");
    free(text);
    mw_film_free(film);
    mw_layout_free(l);
}
END_TEST

/* ---- a trace as a film -------------------------------------------------------------------- */

/* Both flows of `one_router` that turn in its column, at depth 1, in each model. */
static struct mw_exploration trace_of(struct mw_layout *l, enum mw_mesh_model model)
{
    struct mw_exploration e;
    l->fifo[MW_ROW] = l->fifo[MW_COLUMN] = 1;
    const struct mw_explore_conf conf = {.model = model, .fifo = {1, 1}};
    ck_assert_int_eq(mw_layout_explore(l, &conf, &e), MW_OK);
    ck_assert_int_eq(e.verdict, MW_EXPLORED_DEADLOCK);
    ck_assert(e.shortest);
    return e;
}

START_TEST(a_trace_plays_as_a_film_step_by_step)
{
    struct mw_layout *l = layout_of(turns);
    struct mw_exploration e = trace_of(l, (enum mw_mesh_model)_i);
    const struct mw_picture p = {.layout = l, .trace = &e.trace, .shortest = true};
    char *text = drawn(HTML, &p), word[80];
    has(text, "\"films\":[{\"kind\":\"trace\"");
    snprintf(word, sizeof word, "\"model\":\"%s\",\"steps\":%llu,\"shortest\":true",
             mw_mesh_model_names[_i], (unsigned long long)e.trace.n_steps);
    has(text, word);
    has(text, "\"says\":[\"The mesh is empty\",\n");
    /* In the end all four cores are blocked; in the beginning, none is. */
    has(text, "\"share\":[\"0000000000000000\",\n");
    has(text, "\"0_000_000_000_00\"]");
    char *says = strstr(text, "\"says\":[");
    *strchr(strchr(says, '[') + 1, ']') = '\0';
    ck_assert_uint_eq(count(says, "\n"), e.trace.n_steps);
    free(text);
    mw_exploration_fini(&e);
    mw_layout_free(l);
}
END_TEST

static const char *const ways[] = {
    "mesh 1 3\nbroadcast 0,0 row\nbroadcast 0,1 row\n",
    "mesh 2 2\nbroadcast 0,0 row col row\nbroadcast 1,1 row col row\n",
    "mesh 2 2\nroles AA\nsource A\nsink A\nadaptive minimal\n"};
enum { N_WAYS = sizeof ways / sizeof *ways };

/* Each core of the cycle waits for the next in the last frame, and is blocked all its time. */
static void closes(const struct mw_layout *l, char *text)
{
    static const char digits[] =
        "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz-_";
    mw_core waits[8], cycle[8];
    uint32_t n = 0, k = 0;
    char *at = strstr(text, "\"films\":["), *share, *wait;
    share = strstr(strstr(at, "\"share\":["), "],\n\"fill\"");
    share -= 1 + 4 * mw_mesh_cores(l);
    wait = strstr(strstr(at, "\"waits\":["), "],\n\"model\"") - 1;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        k += share[4 * v + 1] != '0';
    wait -= 2 * k;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        waits[v] = MW_NO_CORE;
        if (share[4 * v + 1] != '0') {
            waits[v] = (mw_core)(strchr(digits, wait[1]) - digits);
            wait += 2;
        }
    }
    for (at = strstr(at, "\"cycle\":[") + 8; *at != ']'; n++)
        cycle[n] = (mw_core)strtoul(at + 1, &at, 10);
    ck_assert_uint_ge(n, 2);
    for (uint32_t i = 0; i < n; i++) {
        ck_assert_int_eq(share[4 * cycle[i] + 1], '_');
        ck_assert_uint_eq(waits[cycle[i]], cycle[(i + 1) % n]);
    }
}

START_TEST(a_trace_into_a_knot_closes_a_cycle)
{
    struct mw_layout *l = layout_of(ways[_i]);
    struct mw_exploration e = trace_of(l, MW_COUPLED);
    const struct mw_picture p = {.layout = l, .trace = &e.trace, .shortest = true};
    char *text = drawn(HTML, &p);
    has(text, "\"films\":[{\"kind\":\"trace\"");
    has(text, "\"says\":[\"The mesh is empty\",\n");
    closes(l, text);
    free(text);
    mw_exploration_fini(&e);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_failing_trace_leaves_nothing_behind)
{
    struct mw_layout *l = layout_of(_i == N_WAYS ? turns : ways[_i]);
    struct mw_exploration e = trace_of(l, MW_COUPLED);
    const struct mw_picture p = {.layout = l, .trace = &e.trace};
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc == MW_ERR_NOMEM; n++) {
        FILE *out = tmpfile();
        mw_mem_fail_at(n);
        rc = mw_draw_html(&p, out);
        mw_mem_fail_at(0);
        fclose(out);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    ck_assert_int_eq(rc, MW_OK);
    mw_exploration_fini(&e);
    mw_layout_free(l);
}
END_TEST

START_TEST(a_failing_film_leaves_nothing_behind)
{
    struct mw_layout *l = layout_of(one_router);
    const uint64_t before = mw_mem_in_use();
    struct mw_film *film;
    for (uint64_t n = 1; n <= 5; n++) {
        mw_mem_fail_at(n);
        ck_assert_int_eq(mw_film_new(l, 100, 5, &film), MW_ERR_NOMEM);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    mw_mem_fail_at(0);
    mw_layout_free(l);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_draw");
    TCase *scene = tcase_create("scene"), *all = tcase_create("every picture");
    TCase *map = tcase_create("map"), *svg = tcase_create("svg and dot");
    TCase *html = tcase_create("html"), *film = tcase_create("film");
    tcase_add_loop_test(scene, flows_are_counted_as_if_walked_one_by_one, 0, 4);
    tcase_add_test(scene, a_met_deadlock_hides_the_witness);
    tcase_add_loop_test(all, the_same_picture_gives_the_same_bytes, 0, N_KINDS);
    tcase_add_loop_test(all, failing_allocations_are_reported_and_nothing_is_lost, 0,
                        N_KINDS);
    tcase_add_loop_test(all, a_picture_needs_no_more_than_a_layout, 0, N_KINDS);
    tcase_add_test(map, the_map_shows_a_cycle_in_a_column);
    tcase_add_test(map, the_map_shows_a_cycle_in_rows_past_other_cores);
    tcase_add_test(map, the_map_shows_what_cores_did_mostly);
    tcase_add_test(map, the_map_of_a_deadlock_shows_how_cores_stand);
    tcase_add_test(map, only_the_coloured_map_has_escapes_and_closes_them);
    tcase_add_loop_test(map, any_map_fits_into_eighty_columns, 1, MW_MESH_SIDE_MAX + 1);
    tcase_add_test(svg, svg_has_every_core_and_every_hop_once);
    tcase_add_test(svg, hops_left_out_are_missed_aloud);
    tcase_add_test(svg, svg_numbers_the_cycle);
    tcase_add_test(svg, pictures_say_the_verdicts);
    tcase_add_test(svg, svg_of_a_deadlock_shows_how_cores_stand);
    tcase_add_test(svg, dot_has_every_core_and_every_hop);
    tcase_add_loop_test(svg, dot_of_another_model_has_its_nodes, MW_DECOUPLED,
                        MW_N_MODELS);
    tcase_add_loop_test(html, a_wicked_title_stays_a_text, SVG, DOT);
    tcase_add_test(html, json_keeps_every_character);
    tcase_add_test(html, the_page_names_no_other_place);
    tcase_add_test(html, a_busy_film_of_an_8x8_mesh_stays_below_200_kb);
    tcase_add_test(film, a_frame_is_the_average_of_its_cycles);
    tcase_add_test(film, frames_add_up_to_the_run);
    tcase_add_loop_test(film, frames_reach_from_the_first_cycle_to_the_last, 1, 6);
    tcase_add_test(film, the_film_of_a_deadlock_ends_with_how_it_stands);
    tcase_add_loop_test(film, deep_fifos_are_scaled_and_stay_empty_and_full, 0, 5);
    tcase_add_test(film, a_failing_film_leaves_nothing_behind);
    tcase_add_loop_test(film, a_trace_plays_as_a_film_step_by_step, 0, MW_N_MODELS);
    tcase_add_loop_test(film, a_trace_into_a_knot_closes_a_cycle, 0, N_WAYS);
    tcase_add_loop_test(film, a_failing_trace_leaves_nothing_behind, 0, N_WAYS + 1);
    suite_add_tcase(s, scene);
    suite_add_tcase(s, all);
    suite_add_tcase(s, map);
    suite_add_tcase(s, svg);
    suite_add_tcase(s, html);
    suite_add_tcase(s, film);
    return run_suite(s);
}
