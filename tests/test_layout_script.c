/* test_layout_script.c -- straight-line programs: the shared vectors S01 to S10, and which
 * kind of hang each shows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"
#include "layouts/explore/script.h"

enum { CORES = 4, LENGTH = 24 };

/* A script written down: "r" "c" with a core: put to it in the row, column; "R" "C" "A": get
 * from the row FIFO, the column FIFO, any. Repeated n times where a number stands before. */
struct written {
    const char *name;
    uint32_t capacity, send;
    bool deadlock;
    enum mw_hang hang;
    struct {
        mw_core core;
        const char *text;
    } program[CORES];
};

/* Cores of a 2x4 mesh: 0,c is c and 1,c is 4 + c. */
static const struct written scripts[] = {
    {"S01", 4, 0, true, MW_HANG_ORDERED_GET, {{0, "R r1"}, {1, "R r0"}}},
    {"S02", 0, 0, true, MW_HANG_CIRCULAR_PUT, {{0, "r1 R"}, {1, "r0 R"}}},
    {"S04", 4, 0, false, MW_HANG_NONE, {{0, "4r1 4R"}, {1, "4r0 4R"}}},
    {"S04", 4, 0, true, MW_HANG_CIRCULAR_PUT, {{0, "5r1 5R"}, {1, "5r0 5R"}}},
    {"S05", 4, 6, false, MW_HANG_NONE, {{0, "10r1 10R"}, {1, "10r0 10R"}}},
    {"S05", 4, 6, true, MW_HANG_CIRCULAR_PUT, {{0, "11r1 11R"}, {1, "11r0 11R"}}},
    {"S06",
     1,
     0,
     true,
     MW_HANG_ORDERED_GET,
     {{0, "3r1"}, {1, "R r2 C r2 R r2"}, {5, ""}, {2, "3A"}}},
    {"S08",
     4,
     0,
     true,
     MW_HANG_MISSING_EOS,
     {{0, "2r1"}, {1, "R r3 R r3"}, {2, ""}, {3, "3R"}}},
    {"S09",
     4,
     0,
     false,
     MW_HANG_NONE,
     {{0, "2r1 r2"}, {1, "R r3 R r3"}, {2, "R r3"}, {3, "3R"}}},
    {"S10",
     1,
     0,
     true,
     MW_HANG_CIRCULAR_PUT,
     {{0, "2r1 2R"}, {1, "2r2 2R"}, {2, "2r0 2R"}}},

    {"rendezvous", 0, 0, false, MW_HANG_NONE, {{0, "3r1"}, {1, "2A R"}}},
    {"rendezvous of the wrong class",
     0,
     0,
     true,
     MW_HANG_ORDERED_GET,
     {{0, "r1"}, {1, "C"}}},
    {"the wrong class in the FIFO",
     1,
     0,
     true,
     MW_HANG_ORDERED_GET,
     {{0, "r1"}, {1, "C"}}},
    {"a buffer before a rendezvous",
     0,
     2,
     false,
     MW_HANG_NONE,
     {{0, "2r1 2R"}, {1, "2r0 2R"}}},
    {"a buffer too small for it",
     0,
     2,
     true,
     MW_HANG_CIRCULAR_PUT,
     {{0, "3r1 3R"}, {1, "3r0 3R"}}},
    {"a column", 1, 0, false, MW_HANG_NONE, {{1, "2c5"}, {5, "2C"}}},
    {"left-over messages", 2, 0, false, MW_HANG_NONE, {{0, "2r1"}}},
    {"one left-over too many", 2, 0, true, MW_HANG_ORDERED_GET, {{0, "3r1"}}},
};
enum { N_SCRIPTS = sizeof scripts / sizeof *scripts };

static uint32_t read_program(const char *text, struct mw_instruction *out)
{
    uint32_t n = 0;
    while (*text != '\0') {
        char *word;
        unsigned long times = strtoul(text, &word, 10);
        struct mw_instruction i = {0};
        const char kind = *word++;
        i.kind = (uint8_t)(kind == 'r'   ? MW_PUT_ROW
                           : kind == 'c' ? MW_PUT_COLUMN
                           : kind == 'R' ? MW_GET_ROW
                           : kind == 'C' ? MW_GET_COLUMN
                                         : MW_GET_ANY);
        if (kind == 'r' || kind == 'c')
            i.to = (mw_core)strtoul(word, &word, 10);
        for (times = times > 0 ? times : 1; times > 0; times--)
            out[n++] = i;
        text = *word == ' ' ? word + 1 : word;
    }
    return n;
}

static int play(const struct written *w, uint64_t limit, struct mw_script_result *out)
{
    struct mw_instruction instruction[CORES][LENGTH];
    struct mw_program program[CORES];
    struct mw_layout *mesh;
    struct mw_script script = {
        .capacity = w->capacity, .send = w->send, .program = program};
    MUST(mw_layout_new(2, 4, &mesh) == MW_OK);
    script.mesh = mesh;
    for (int i = 0; i < CORES && w->program[i].text != NULL; i++)
        program[script.n_programs++] = (struct mw_program){
            w->program[i].core, read_program(w->program[i].text, instruction[i]),
            instruction[i]};
    const int rc = mw_script_explore(&script, limit, 0, out);
    mw_layout_free(mesh);
    return rc;
}

START_TEST(each_script_ends_as_the_reference_says)
{
    struct mw_script_result r;
    ck_assert_int_eq(play(&scripts[_i], 0, &r), MW_OK);
    ck_assert_msg(r.deadlock == scripts[_i].deadlock && r.hang == scripts[_i].hang,
                  "%s: %s, %s", scripts[_i].name, mw_hang_words[r.hang], r.story);
    ck_assert(!r.bounded);
    ck_assert((r.story[0] != '\0') == r.deadlock);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* Exchanging n messages before receiving hangs iff n > capacity + send. */
START_TEST(an_exchange_hangs_beyond_capacity_plus_send)
{
    for (uint32_t capacity = 1; capacity <= 3; capacity++)
        for (uint32_t send = 0; send <= 3; send++)
            for (uint32_t n = 1; n <= 8; n++) {
                char text[2][32];
                struct mw_script_result r;
                snprintf(text[0], sizeof text[0], "%ur1 %uR", n, n);
                snprintf(text[1], sizeof text[1], "%ur0 %uR", n, n);
                const struct written w = {.capacity = capacity,
                                          .send = send,
                                          .program = {{0, text[0]}, {1, text[1]}}};
                MUST(play(&w, 0, &r) == MW_OK);
                MUST(r.deadlock == (n > capacity + send));
                MUST(!r.deadlock || r.hang == MW_HANG_CIRCULAR_PUT);
            }
}
END_TEST

/* One message from each of two cores, and a get of any: both orders are states. */
START_TEST(a_get_of_any_takes_either)
{
    const struct written w = {.capacity = 1,
                              .program = {{0, "r1"}, {5, "c1"}, {1, "2A"}}};
    struct mw_script_result r;
    ck_assert_int_eq(play(&w, 0, &r), MW_OK);
    ck_assert(!r.deadlock);
    /* Each message is to come, in its FIFO, or taken; the getter stands at what was taken. */
    ck_assert_uint_eq(r.n_states, 9);
}
END_TEST

START_TEST(the_story_names_who_stands_where)
{
    const struct written w = {.capacity = 1, .program = {{0, "2r1 R"}, {1, "2r0 R"}}};
    struct mw_script_result r;
    ck_assert_int_eq(play(&w, 0, &r), MW_OK);
    ck_assert_str_eq(r.story,
                     "0,0 stands at putR 0,1 (2 of 3); 0,1 stands at putR 0,0 (2 of 3)");
    ck_assert_uint_eq(r.n_steps, 2);
}
END_TEST

START_TEST(a_met_limit_is_said)
{
    struct mw_script_result r;
    ck_assert_int_eq(play(&scripts[4], 10, &r), MW_OK);
    ck_assert(r.bounded && !r.deadlock);
    ck_assert_uint_eq(r.n_states, 10);
}
END_TEST

/* Seven cores that put without an end to cores of their own: very many states. */
START_TEST(memory_is_bounded_too)
{
    enum { PAIRS = 7, PUTS = 20, BYTES = 3 << 20 };
    struct mw_instruction put[PAIRS][PUTS];
    struct mw_program program[PAIRS];
    struct mw_script_result r;
    struct mw_layout *mesh;
    MUST(mw_layout_new(PAIRS, 2, &mesh) == MW_OK);
    for (int i = 0; i < PAIRS; i++) {
        for (int k = 0; k < PUTS; k++)
            put[i][k] = (struct mw_instruction){MW_PUT_ROW, (mw_core)(2 * i + 1)};
        program[i] = (struct mw_program){(mw_core)(2 * i), PUTS, put[i]};
    }
    const struct mw_script s = {mesh, PUTS, 0, PAIRS, program};
    const uint64_t before = mw_mem_in_use();
    ck_assert_int_eq(mw_script_explore(&s, UINT64_MAX, BYTES, &r), MW_OK);
    ck_assert(r.bounded && !r.deadlock);
    ck_assert_uint_lt(r.n_states, BYTES / 16);
    ck_assert_uint_gt(r.n_states, BYTES / 160);
    ck_assert_uint_eq(mw_mem_in_use(), before);
    mw_layout_free(mesh);
}
END_TEST

START_TEST(a_put_outside_row_and_column_is_refused)
{
    static const struct written bad[] = {
        {.program = {{0, "R r5"}}},           /* a diagonal */
        {.program = {{0, "R c1"}}},           /* the wrong class */
        {.program = {{0, "R r0"}}},           /* to itself */
        {.program = {{0, "R r99"}}},          /* outside */
        {.program = {{9, "R"}}},              /* outside */
        {.program = {{0, "R r1"}, {0, "R"}}}, /* two programs */
    };
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mw_script_result r;
        ck_assert_int_eq(play(&bad[i], 0, &r), MW_ERR_DATA);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
    }
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "two programs"));
}
END_TEST

START_TEST(no_program_ends_at_once)
{
    const struct written none = {.capacity = 1}, empty = {.program = {{0, ""}}};
    struct mw_script_result r;
    ck_assert_int_eq(play(&none, 0, &r), MW_OK);
    ck_assert(!r.deadlock);
    ck_assert_int_eq(play(&empty, 0, &r), MW_OK);
    ck_assert(!r.deadlock);
    ck_assert_uint_eq(r.n_states, 1);
}
END_TEST

START_TEST(each_failing_allocation_is_reported)
{
    struct mw_script_result r;
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 4; rc == MW_ERR_NOMEM; n++) { /* the mesh takes the first three */
        mw_mem_fail_at(n);
        rc = play(&scripts[6], 0, &r);
        mw_mem_fail_at(0);
        ck_assert(rc == MW_OK || rc == MW_ERR_NOMEM);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_script");
    TCase *scripts_case = tcase_create("scripts");
    tcase_add_loop_test(scripts_case, each_script_ends_as_the_reference_says, 0,
                        N_SCRIPTS);
    tcase_add_test(scripts_case, an_exchange_hangs_beyond_capacity_plus_send);
    tcase_add_test(scripts_case, a_get_of_any_takes_either);
    tcase_add_test(scripts_case, the_story_names_who_stands_where);
    tcase_add_test(scripts_case, a_met_limit_is_said);
    tcase_add_test(scripts_case, memory_is_bounded_too);
    tcase_add_test(scripts_case, a_put_outside_row_and_column_is_refused);
    tcase_add_test(scripts_case, no_program_ends_at_once);
    tcase_add_test(scripts_case, each_failing_allocation_is_reported);
    suite_add_tcase(s, scripts_case);
    return run_suite(s);
}
