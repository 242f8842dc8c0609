/* test_sweep_axes.c -- what a sweep varies: each value is within the limits of what it sets,
 * and each point has what it says it has.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"
#include "layouts/verbs/sweep_axes.h"

static const char paper[] = "mesh 2 4\nroles PDUK\nroute P: down->D up->U same->D\n"
                            "route D: col-to-row, then K\nroute U: col-to-row, then K\n";

/* The values of the first axis with blanks between; the message if there are none. */
static const char *values(const char *text)
{
    static char list[4096];
    struct mw_axes a;
    size_t n = 0;
    list[0] = '\0';
    if (mw_axes_parse(text, &a) < MW_OK) {
        MUST(mw_mem_in_use() == 0);
        return mw_error_text();
    }
    for (uint32_t i = 0; i < a.axis[0].n && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s%s", i > 0 ? " " : "",
                              a.axis[0].value[i]);
    mw_axes_fini(&a);
    return list;
}

static const struct {
    const char *text, *values;
} good_axes[] = {
    {"fifo=1,2,4", "1 2 4"},
    {"fifo=1..4", "1 2 3 4"},
    {"fifo=1..64*2,100", "1 2 4 8 16 32 64 100"},
    {"fifo=10..50+20", "10 30 50"},
    {"fifo=5..5", "5"},
    {"cycles=1000000000000..1000000000001", "1000000000000 1000000000001"},
    {"fifo=0..1024+18446744073709551615", "0"},
    {"fifo=1..1024*18446744073709551615", "1"},
    {"detect=4294967295..18446744073709551615*4294967299", "4294967295"},
    {"clock=1.45G,1450M,1.45e9,1", "1.45G 1450M 1.45e9 1"},
    {"dma=28.9G", "28.9G"},
    {"batch=256,1K", "256 1K"},
    {"load=0.5,1", "0.5 1"},
    {"roles=P..K,PDUK", "P..K PDUK"},
    {"cost.D=0,1000000", "0 1000000"},
    {"buffers=65536", "65536"},
};
enum { N_GOOD = sizeof good_axes / sizeof *good_axes };

START_TEST(values_are_words_and_ranges)
{
    ck_assert_str_eq(values(good_axes[_i].text), good_axes[_i].values);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

static const struct {
    const char *text, *says;
} bad_axes[] = {
    {"fifo", "expected KEY=VALUES"},
    {"", "expected KEY=VALUES"},
    {"fifo=", "'' is no value"},
    {"fifo=1,", "'' is no value"},
    {"fifo=x", "--vary fifo: 'x' is not an integer; expected 0..1024"},
    {"fifo=1025", "--vary fifo: 1025 is out of range; expected 0..1024"},
    {"fifo=1000..1030", "--vary fifo: 1025 is out of range"},
    {"fifo=-1", "out of range"},
    {"fifo=4..1", "is no range"},
    {"fifo=-1..4", "is no range"},
    {"fifo= 1..4", "is no range"},
    {"fifo=1..+4", "is no range"},
    {"fifo=1..4+0", "is no range"},
    {"fifo=0..4*2", "is no range"},
    {"fifo=1..4*1", "is no range"},
    {"fifo=1..4*2x", "is no range"},
    {"fifo=1..18446744073709551616", "is no range"},
    {"fifo=1..4..8", "is no range"},
    {"cycles=1..2000000", "more than 1000000 values"},
    {"msg=33", "out of range; expected 1..32"},
    {"msg=0", "out of range; expected 1..32"},
    {"clock=0.5", "out of range"},
    {"clock=fast", "is not a number"},
    {"clock=nan", "is not a number"},
    {"load=0", "out of range"},
    {"load=1.5", "out of range"},
    {"sat=65537", "out of range"},
    {"roles=PDxK", "'PDxK' is no row of role letters"},
    {"colour=1", "'colour' cannot be varied; fifo, row, "},
    {"cost.d=1", "cannot be varied"},
    {"cost.DD=1", "cannot be varied"},
    {"a-name-that-is-longer-than-all=1", "cannot be varied"},
    {"fifo=1,fifo=2", "'fifo' is given twice"},
    {"fifo=1,row=2", "fifo is row and col at once"},
    {"col=1,fifo=2", "fifo is row and col at once"},
    {"cycles=1..1001,supply=1..1001", "more than 1000000 points"},
};
enum { N_BAD = sizeof bad_axes / sizeof *bad_axes };

START_TEST(what_cannot_be_set_is_refused_at_once)
{
    const char *said_ = values(bad_axes[_i].text);
    ck_assert_msg(strstr(said_, bad_axes[_i].says) != NULL, "%s: '%s', expected '%s'",
                  bad_axes[_i].text, said_, bad_axes[_i].says);
}
END_TEST

/* The layout and the configuration of the last point. */
static int last_point(const char *text, const char *layout, struct mw_layout **l,
                      struct mw_sim_conf *conf)
{
    struct mw_axes a;
    int rc;
    MUST(mw_axes_parse(text, &a) == MW_OK);
    rc = mw_axes_layout(&a, a.n_points - 1, layout, strlen(layout), l);
    if (rc == MW_OK) {
        mw_sim_defaults(*l, conf);
        rc = mw_axes_apply(&a, a.n_points - 1, *l, conf);
    }
    mw_axes_fini(&a);
    return rc;
}

START_TEST(a_point_has_what_it_says)
{
    struct mw_layout *l;
    struct mw_sim_conf conf;
    ck_assert_int_eq(
        last_point("row=1,2,col=3,send=5,cost.D=7,clock=1.5G,batch=1K,load=0.25,"
                   "supply=9",
                   paper, &l, &conf),
        MW_OK);
    ck_assert_uint_eq(l->fifo[MW_ROW], 2);
    ck_assert_uint_eq(conf.fifo[MW_ROW], 2);
    ck_assert_uint_eq(conf.fifo[MW_COLUMN], 3);
    ck_assert_uint_eq(conf.send, 5);
    ck_assert_uint_eq(l->cost['D' - 'A'], 7);
    ck_assert(l->clock_hz >= 1.5e9 && l->clock_hz <= 1.5e9);
    ck_assert_uint_eq(l->batch_bytes, 1024);
    ck_assert(conf.load >= 0.25 && conf.load <= 0.25);
    ck_assert_uint_eq(conf.supply, 9);
    mw_layout_free(l);
    ck_assert_int_eq(last_point("fifo=9", paper, &l, &conf), MW_OK);
    ck_assert_uint_eq(conf.fifo[MW_ROW] + conf.fifo[MW_COLUMN], 18);
    mw_layout_free(l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

START_TEST(numbers_that_do_not_agree_are_refused)
{
    struct mw_layout *l;
    struct mw_sim_conf conf;
    ck_assert_int_eq(last_point("fifo=4,msg=32,16", paper, &l, &conf), MW_ERR_USAGE);
    ck_assert_str_eq(mw_error_text(),
                     "--vary: at fifo=4, msg=16: a payload of 32 bytes in "
                     "messages of 16");
    mw_layout_free(l);
    ck_assert_int_eq(last_point("msg=16,payload=8", paper, &l, &conf), MW_OK);
    mw_layout_free(l);
    ck_assert_int_eq(last_point("buckets=1",
                                "mesh 1 2\nbuckets 8\nflow 0,0 0,1 bucket 3\n", &l,
                                &conf),
                     MW_ERR_USAGE);
    mw_layout_free(l);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* Only roles statements go, and the others keep their lines. */
START_TEST(varied_roles_replace_the_statements)
{
    struct mw_layout *l;
    struct mw_sim_conf conf;
    ck_assert_int_eq(last_point("roles=PDUK,PUDK", paper, &l, &conf), MW_OK);
    ck_assert_int_eq(l->role[1], 'U');
    mw_layout_free(l);
    ck_assert_int_eq(
        last_point("roles=PDUK", "mesh 2 4\nroles PDUK\nrolesx\n", &l, &conf),
        MW_ERR_USAGE);
    ck_assert_ptr_null(l);
    ck_assert_msg(strstr(mw_error_text(),
                         "at roles=PDUK: layout, line 3, column 1: unknown "
                         "statement 'rolesx'") != NULL,
                  "%s", mw_error_text());
    ck_assert_int_eq(last_point("roles=PDU", paper, &l, &conf), MW_ERR_USAGE);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("sweep_axes");
    TCase *axes = tcase_create("axes"), *points = tcase_create("points");
    tcase_add_loop_test(axes, values_are_words_and_ranges, 0, N_GOOD);
    tcase_add_loop_test(axes, what_cannot_be_set_is_refused_at_once, 0, N_BAD);
    tcase_add_test(points, a_point_has_what_it_says);
    tcase_add_test(points, numbers_that_do_not_agree_are_refused);
    tcase_add_test(points, varied_roles_replace_the_statements);
    suite_add_tcase(s, axes);
    suite_add_tcase(s, points);
    return run_suite(s);
}
