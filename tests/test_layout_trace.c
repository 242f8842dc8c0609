/* test_layout_trace.c -- traces: as text and back, and damaged ones refused.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"
#include "layouts/explore/explore.h"

static const char RING[] =
    "mesh 3 3\nflow 0,0 0,1 1,1 2,1 2,2\nflow 1,0 1,1 2,1 0,1 0,2\n"
    "flow 2,0 2,1 0,1 1,1 1,2\n";

/* A deadlock of the ring in one of the forms that traces come in. */
struct found {
    struct mw_layout *l;
    struct mw_exploration e;
};

enum { N_FORMS = 5 };

static struct found find(int form)
{
    struct found f = {.l = good(RING)};
    struct mw_explore_conf conf = {.model = form < MW_N_MODELS ? (enum mw_mesh_model)form
                                                               : MW_COUPLED,
                                   .fifo = {1, 1},
                                   .guided = true};
    conf.send = form == 3;
    conf.fifo[MW_COLUMN] = form == 4 ? 0 : 1;
    MUST(mw_layout_explore(f.l, &conf, &f.e) == MW_OK);
    MUST(f.e.verdict == MW_EXPLORED_DEADLOCK);
    return f;
}

static void lose(struct found *f)
{
    mw_exploration_fini(&f->e);
    mw_layout_free(f->l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}

static int replay(const struct mw_layout *l, const struct mw_trace *t)
{
    mw_mesh_node cycle[MW_MESH_CORES_MAX];
    uint32_t n_cycle;
    uint64_t in_flight;
    return mw_trace_replay(l, t, NULL, NULL, cycle, &n_cycle, &in_flight);
}

/* ---- text ------------------------------------------------------------------------------ */

static size_t print(const struct mw_layout *l, const struct mw_trace *t, char *out,
                    size_t room)
{
    FILE *f = fmemopen(out, room, "w");
    MUST(f != NULL);
    mw_trace_print(l, t, f);
    fclose(f);
    return strlen(out);
}

START_TEST(a_printed_trace_parses_to_itself)
{
    struct found f = find(_i);
    struct mw_diagnostics d = {0};
    struct mw_trace back;
    char text[1 << 14], again[1 << 14];
    const size_t bytes = print(f.l, &f.e.trace, text, sizeof text);
    ck_assert_int_eq(mw_trace_parse(f.l, text, bytes, &back, &d), MW_OK);
    ck_assert_uint_eq(back.n_steps, f.e.trace.n_steps);
    print(f.l, &back, again, sizeof again);
    ck_assert_str_eq(text, again);
    ck_assert_int_eq(replay(f.l, &back), MW_OK);
    mw_trace_fini(&back);
    lose(&f);
}
END_TEST

START_TEST(the_format_is_that_of_the_header)
{
    struct mw_layout *l = good("mesh 1 2\nflow 0,0 0,1\nflow 0,1 0,0\n");
    struct mw_step step[] = {{.kind = MW_STEP_INJECT, .node = 1, .flow = 1},
                             {.kind = MW_STEP_PUT, .node = 1},
                             {.kind = MW_STEP_SEND, .node = 1},
                             {.kind = MW_STEP_GET, .node = 0, .from = MW_ROW}};
    const struct mw_trace t = {.fifo = {4, 3}, .send = 2, .n_steps = 4, .step = step};
    char text[200];
    print(l, &t, text, sizeof text);
    ck_assert_str_eq(text, "# meshway-trace 1 model=coupled fifo=4/3/2\ninject 0,1 1\n"
                           "put 0,1\nsend 0,1\nget 0,0 R\n");
    mw_layout_free(l);
}
END_TEST

#define HEAD  "# meshway-trace 1 model=coupled fifo=4/4/0\n"
#define FIFOS "# meshway-trace 1 model=decoupled fifo=4/4/0\n"

START_TEST(what_is_wrong_with_a_text_is_said_where)
{
    static const struct {
        const char *text, *said;
    } bad[] = {
        {"", "x.layout:1:1: error: expected '# meshway-trace"},
        {"# meshway-trace 2 model=coupled fifo=4/4/0\n", "1:1: error: expected"},
        {"# meshway-trace 1 model=couple fifo=4/4/0\n", "1:1: error: expected"},
        {"# meshway-trace 1 model=coupled fifo=4/4\n", "1:1: error: expected"},
        {"# meshway-trace 1 model=coupled fifo=4/4/1025\n", "1:1: error: expected"},
        {HEAD "jump 0,0\n", "2:1: error: 'jump' is no step of the coupled model"},
        {HEAD "move 0,0\n", "2:1: error: 'move' is no step of the coupled model"},
        {FIFOS "put 0,0\n", "2:1: error: 'put' is no step of the decoupled model"},
        {HEAD "put\n", "2:1: error: 'put' takes 1 words, got 0"},
        {HEAD "put 0,0 1 2 3 4 5\n", "2:1: error: 'put' takes 1 words"},
        {HEAD "put 9,9\n", "2:5: error: '9,9' is no core of the 3x3 mesh"},
        {HEAD "# comment\n\n  get 0,1 X # why\n",
         "4:11: error: expected R or C, got 'X'"},
        {HEAD "inject 0,0 3\n", "2:12: error: expected a flow 0..2, got '3'"},
        {HEAD "inject 0,0 18446744073709551616\n", "2:12: error: expected a flow 0..2"},
        {FIFOS "inject x\n", "2:8: error: expected a flow 0..2, got 'x'"},
        {FIFOS "move 0,1\n", "2:6: error: '0,1' is no FIFO of the 3x3 mesh"},
    };
    struct mw_layout *l = good(RING);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        struct mw_diagnostics d = {0};
        struct mw_trace t;
        const size_t bytes = strlen(bad[i].text);
        char *copy = malloc(bytes + 1);
        MUST(copy != NULL);
        memcpy(copy, bad[i].text, bytes);
        ck_assert_int_eq(mw_trace_parse(l, copy, bytes, &t, &d), MW_ERR_DATA);
        ck_assert_ptr_null(t.step);
        if (strstr(said(&d), bad[i].said) == NULL)
            ck_abort_msg("%s%s", bad[i].text, said(&d));
        free(copy);
    }
    mw_layout_free(l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* ---- damaged traces ---------------------------------------------------------------------- */

/* The step that replay blames, from 1; 0: the trace is legal. */
static uint64_t blamed(const struct mw_layout *l, const struct mw_trace *t)
{
    unsigned step = 0;
    if (replay(l, t) != MW_ERR_INVALID)
        return 0;
    ck_assert_int_eq(sscanf(mw_error_text(), "step %u: ", &step), 1);
    return step;
}

/* Each message of a filled cycle makes its way alone: whoever lacks a step stands still, and
 * the next step of its message is refused. The last step of all is missed by nobody. */
START_TEST(a_trace_without_one_step_is_refused)
{
    struct found f = find(_i);
    struct mw_trace *t = &f.e.trace;
    uint64_t refused = 0;
    for (uint64_t i = 0; i + 1 < t->n_steps; i++) {
        const struct mw_step gone = t->step[i];
        struct mw_trace shorter = *t;
        memmove(t->step + i, t->step + i + 1, (t->n_steps - i - 1) * sizeof gone);
        shorter.n_steps--;
        const uint64_t at = blamed(f.l, &shorter);
        ck_assert(at == 0 || at > i);
        refused += at != 0;
        ck_assert_int_ne(replay(f.l, &shorter), MW_OK);
        memmove(t->step + i + 1, t->step + i, (t->n_steps - i - 1) * sizeof gone);
        t->step[i] = gone;
    }
    ck_assert_uint_gt(refused, 0);
    t->n_steps--;
    ck_assert_int_eq(replay(f.l, t), MW_DONE); /* legal, but nobody is stuck yet */
    t->n_steps++;
    ck_assert_int_eq(replay(f.l, t), MW_OK);
    lose(&f);
}
END_TEST

START_TEST(swapped_steps_of_one_message_are_refused)
{
    struct found f = find(_i);
    struct mw_trace *t = &f.e.trace;
    for (uint64_t i = 0; i + 1 < t->n_steps; i++) {
        const struct mw_step first = t->step[i], second = t->step[i + 1];
        if (second.kind == MW_STEP_INJECT)
            continue; /* another message */
        t->step[i] = second;
        t->step[i + 1] = first;
        ck_assert_uint_eq(blamed(f.l, t), i + 1);
        t->step[i] = first;
        t->step[i + 1] = second;
    }
    lose(&f);
}
END_TEST

START_TEST(a_wrong_core_or_flow_is_refused_with_the_step)
{
    struct found f = find(_i);
    struct mw_trace *t = &f.e.trace;
    const uint64_t middle = t->n_steps / 2;
    /* Nothing ever comes to core 2,2 by column, and nothing leaves it. */
    const mw_mesh_node idle = t->model == MW_COUPLED     ? 8
                              : t->model == MW_DECOUPLED ? 17
                                                         : 48;
    const struct mw_step wrong[] = {
        {.kind = MW_STEP_PUT, .node = idle},
        {.kind = MW_STEP_GET, .node = idle},
        {.kind = MW_STEP_SEND, .node = idle},
        {.kind = MW_STEP_MOVE, .node = idle},
        {.kind = MW_STEP_CONSUME, .node = idle},
        {.kind = MW_STEP_INJECT, .node = idle, .flow = 99},
        {.kind = MW_STEP_PUT, .node = 1000000},
        {.kind = MW_STEP_GET, .node = 1, .from = 2},
        {.kind = MW_STEP_MOVE, .node = UINT32_MAX},
        {.kind = 77},
    };
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        t->step[middle] = wrong[i];
        ck_assert_uint_eq(blamed(f.l, t), middle + 1);
    }
    if (t->model == MW_COUPLED) { /* a flow that starts elsewhere */
        t->step[0].node = t->step[0].node == 8 ? 7 : 8;
        ck_assert_uint_eq(blamed(f.l, t), 1);
        ck_assert_ptr_nonnull(strstr(mw_error_text(), "starts at"));
    }
    lose(&f);
}
END_TEST

/* A text that ends in a step that is not legal, and what is said about it. */
static const struct {
    const char *text, *said;
} illegal[] = {
    {HEAD "inject 0,0 0\ninject 0,0 0\n", "step 2: the hand of 0,0 is full"},
    {HEAD "put 0,0\n", "step 1: the hand of 0,0 is empty"},
    {HEAD "send 0,0\n", "step 1: the send buffer of 0,0 is empty"},
    {HEAD "get 0,1 R\n", "step 1: FIFO 0,1.R is empty"},
    {HEAD "inject 0,0 0\nput 0,0\nget 0,1 C\n", "step 3: FIFO 0,1.C is empty"},
    {HEAD "inject 0,0 0\nput 0,0\nget 0,1 R\ninject 0,0 0\nput 0,0\nget 0,1 R\n",
     "step 6: the hand of 0,1 is full"},
    {"# meshway-trace 1 model=coupled fifo=1/1/0\n"
     "inject 0,0 0\nput 0,0\ninject 0,0 0\nput 0,0\n",
     "step 4: FIFO 0,1.R is full (1)"},
    {"# meshway-trace 1 model=coupled fifo=0/1/0\n"
     "inject 0,0 0\nput 0,0\ninject 0,0 0\nput 0,0\n",
     "step 4: the hand of 0,1, which would receive, is full"},
    {"# meshway-trace 1 model=coupled fifo=1/1/1\n"
     "inject 0,0 0\nput 0,0\ninject 0,0 0\nput 0,0\n",
     "step 4: the send buffer of 0,0 is full (1)"},
    {"# meshway-trace 1 model=coupled fifo=1/1/1\n"
     "inject 0,0 0\nput 0,0\nsend 0,0\ninject 0,0 0\nput 0,0\nsend 0,0\n",
     "step 6: FIFO 0,1.R is full (1)"},
    {FIFOS "move 0,1.R\n", "step 1: FIFO 0,1.R is empty"},
    {FIFOS "inject 0\nconsume 0,1.R\n",
     "step 2: the head of 0,1.R is not at its last core"},
    {FIFOS "inject 0\nmove 0,1.R\nmove 1,1.C\nmove 2,1.C\nmove 2,2.R\n",
     "step 5: the head of 2,2.R is at its last core"},
    {"# meshway-trace 1 model=decoupled fifo=1/1/0\ninject 0\ninject 0\n",
     "step 2: FIFO 0,1.R is full (1)"},
    {"# meshway-trace 1 model=link fifo=1/0/0\ninject 0\nmove 0,0>0,1\n",
     "step 2: FIFO 0,1>1,1 is full (0)"},
};
enum { N_ILLEGAL = sizeof illegal / sizeof *illegal };

START_TEST(each_illegal_step_is_refused_for_its_reason)
{
    struct mw_layout *l = good(RING);
    struct mw_diagnostics d = {0};
    struct mw_trace t;
    const char *text = illegal[_i].text;
    ck_assert_int_eq(mw_trace_parse(l, text, strlen(text), &t, &d), MW_OK);
    ck_assert_int_eq(replay(l, &t), MW_ERR_INVALID);
    ck_assert_str_eq(mw_error_text(), illegal[_i].said);
    t.n_steps--;
    ck_assert_int_eq(replay(l, &t), MW_DONE);
    mw_trace_fini(&t);
    mw_layout_free(l);
}
END_TEST

/* Two cores that exchange, FIFO 1 and send buffer 2: they are stuck only when their hands and
 * both slots of their buffers are full as well. */
START_TEST(a_core_with_room_in_its_send_buffer_is_not_stuck)
{
    struct mw_layout *l = good("mesh 1 2\nflow 0,0 0,1\nflow 0,1 0,0\n");
    static const uint8_t kind[] = {MW_STEP_INJECT, MW_STEP_PUT,   MW_STEP_SEND,
                                   MW_STEP_INJECT, MW_STEP_PUT,   MW_STEP_INJECT,
                                   MW_STEP_PUT,    MW_STEP_INJECT};
    enum { EACH = sizeof kind };
    struct mw_step step[2 * EACH];
    struct mw_trace t = {.fifo = {1, 1}, .send = 2, .step = step};
    for (uint32_t i = 0; i < 2 * EACH; i++)
        step[i] = (struct mw_step){.kind = kind[i / 2], .node = i % 2, .flow = i % 2};
    for (t.n_steps = 0; t.n_steps <= 2 * EACH; t.n_steps++)
        ck_assert_int_eq(replay(l, &t), t.n_steps < 2 * EACH ? MW_DONE : MW_OK);
    mw_layout_free(l);
}
END_TEST

static void count_lines(void *arg, uint64_t step, const char *what)
{
    uint64_t *n = (uint64_t *)arg;
    ck_assert_uint_eq(step, ++*n);
    ck_assert(what[0] != '\0' && strchr(what, '\n') == NULL);
}

START_TEST(the_observer_hears_each_step_once)
{
    struct found f = find(_i);
    mw_mesh_node cycle[MW_MESH_CORES_MAX];
    uint32_t n_cycle;
    uint64_t in_flight, n = 0;
    ck_assert_int_eq(
        mw_trace_replay(f.l, &f.e.trace, count_lines, &n, cycle, &n_cycle, &in_flight),
        MW_OK);
    ck_assert_uint_eq(n, f.e.trace.n_steps);
    ck_assert_uint_eq(n_cycle, 3);
    lose(&f);
}
END_TEST

START_TEST(consumed_messages_are_no_longer_in_flight)
{
    struct mw_layout *l = good("mesh 1 2\nflow 0,0 0,1\n");
    struct mw_step step[] = {{.kind = MW_STEP_INJECT},
                             {.kind = MW_STEP_PUT},
                             {.kind = MW_STEP_GET, .node = 1, .from = MW_ROW}};
    struct mw_trace t = {.fifo = {1, 1}, .step = step};
    mw_mesh_node cycle[2];
    uint32_t n_cycle;
    uint64_t in_flight;
    for (t.n_steps = 0; t.n_steps <= 3; t.n_steps++) {
        ck_assert_int_eq(mw_trace_replay(l, &t, NULL, NULL, cycle, &n_cycle, &in_flight),
                         MW_DONE);
        ck_assert_uint_eq(in_flight, t.n_steps == 1 || t.n_steps == 2);
        ck_assert_uint_eq(n_cycle, 0);
    }
    mw_layout_free(l);
}
END_TEST

START_TEST(each_failing_allocation_is_reported)
{
    struct found f = find(_i);
    const uint64_t before = mw_mem_in_use();
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc == MW_ERR_NOMEM; n++) {
        mw_mem_fail_at(n);
        rc = replay(f.l, &f.e.trace);
        mw_mem_fail_at(0);
        ck_assert_uint_eq(mw_mem_in_use(), before);
    }
    ck_assert_int_eq(rc, MW_OK);
    lose(&f);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_trace");
    TCase *text = tcase_create("text"), *played = tcase_create("replay");
    tcase_add_loop_test(text, a_printed_trace_parses_to_itself, 0, N_FORMS);
    tcase_add_test(text, the_format_is_that_of_the_header);
    tcase_add_test(text, what_is_wrong_with_a_text_is_said_where);
    tcase_add_loop_test(played, a_trace_without_one_step_is_refused, 0, N_FORMS);
    tcase_add_loop_test(played, swapped_steps_of_one_message_are_refused, 0, N_FORMS);
    tcase_add_loop_test(played, a_wrong_core_or_flow_is_refused_with_the_step, 0,
                        N_FORMS);
    tcase_add_loop_test(played, each_illegal_step_is_refused_for_its_reason, 0,
                        N_ILLEGAL);
    tcase_add_test(played, a_core_with_room_in_its_send_buffer_is_not_stuck);
    tcase_add_loop_test(played, the_observer_hears_each_step_once, 0, N_FORMS);
    tcase_add_test(played, consumed_messages_are_no_longer_in_flight);
    tcase_add_loop_test(played, each_failing_allocation_is_reported, 0, N_FORMS);
    suite_add_tcase(s, text);
    suite_add_tcase(s, played);
    return run_suite(s);
}
