/* test_vectors.c -- vector files: what they say is looked at, all of it or not at all; and a
 * search that was cut short is neither right nor wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"
#include "layouts/verbs/mesh_vectors.h"

#define FILE_OF(layouts, scripts)                                                        \
    "{'format':'meshshuffle-vectors/1','layouts':[" layouts "],'scripts':[" scripts "]}"
#define EXPECT  "'expect':{'M1':'deadlock','M2':'pass','M3':'pass'}"
#define PASS    "'expect':{'M1':'pass','M2':'pass','M3':'pass'}"
#define PAIR    "'flows':[['0,0','0,1'],['0,1','0,0']]"
#define PROGRAM "'programs':{'0,0':[['rep',2,'putR','0,1']],'0,1':[['getR'],['getany']]}"

/* With ' for ", so that the texts can be read. */
static int read(const char *text, struct mw_vectors *out)
{
    char *copy = strdup(text);
    MUST(copy != NULL);
    for (char *c = copy; *c != '\0'; c++)
        *c = *c == '\'' ? '"' : *c;
    const int rc = mw_vectors_parse(copy, strlen(copy), out);
    free(copy);
    return rc;
}

/* ---- what is read ------------------------------------------------------------------------ */

static const struct refused {
    const char *text, *says;
} refused[] = {
    /* the file */
    {"[]", "not of format"},
    {"{'layouts':[]}", "not of format"},
    {"{'format':'meshshuffle-vectors/1','layouts':{}}",
     "layouts: expected an array, got {}"},
    {"{'format':'meshshuffle-vectors/1','scripts':7}",
     "scripts: expected an array, got 7"},
    {"{'format':'meshshuffle-vectors/1','layout':[]}", "unknown field \"layout\""},
    {"{'format':'meshshuffle-vectors/1','turn_model':[]}",
     "turn_model: expected an object"},
    {"{'format':'meshshuffle-vectors/1','turn_model':{'acyclic_count':12}}",
     "turn_model: cyclic: missing"},
    {"{'format':'meshshuffle-vectors/1','turn_model':{'acyclic_count':12,"
     "'cyclic':[['NE','XX']]}}",
     "turn_model: cyclic[0][1]: expected a turn such as \"NE\", got \"XX\""},
    {"{'format':'meshshuffle-vectors/1','turn_model':{'acyclic_count':17,'cyclic':[]}}",
     "turn_model: acyclic_count: expected an integer 0..16, got 17"},
    {"{'format':'meshshuffle-vectors/1',\n 'x\\u001b':}", "2:"},
    {"{\x1b}", "near '\\u001b'"},

    /* names */
    {FILE_OF("7", ""), "layouts[0]: a vector: expected an object, got 7"},
    {FILE_OF("{" EXPECT "," PAIR "}", ""), "layouts[0]: name: missing"},
    {FILE_OF("{'name':''," EXPECT "," PAIR "}", ""), "layouts[0]: name: expected a name"},
    {FILE_OF("{'name':'a','note':1," EXPECT "," PAIR "}", ""),
     "layouts[0] 'a': note: expected a text, got 1"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR "},{'name':'a'," EXPECT "," PAIR "}", ""),
     "layouts[1] 'a': name: is given twice"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR "}",
             "{'name':'a','expect':'free','cap':1," PROGRAM "}"),
     "scripts[0] 'a': name: is given twice"},
    {FILE_OF("{'name':'\\u001b[2J\\u0085'," PAIR "}", ""),
     "layouts[0] '\\u001b[2J\\u0085': expect: missing"},
    {FILE_OF("{'name':'a','min_infligt':[]," EXPECT "," PAIR "}", ""),
     "layouts[0] 'a': layout: unknown field \"min_infligt\""},

    /* flows */
    {FILE_OF("{'name':'a'," EXPECT "}", ""),
     "expected either flows or gen or text, got neither"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'gen':{'kind':'xy','rows':2,'cols':2}}",
             ""),
     "expected either flows or gen or text, got both"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'text':'mesh 1 2'}", ""),
     "expected either flows or gen or text, got both"},
    {FILE_OF("{'name':'a'," EXPECT ",'text':['mesh 1 2']}", ""),
     "text: expected a layout in its language"},
    {FILE_OF("{'name':'a'," EXPECT ",'text':'mesh 1 2\\nflow 0,0 0,3'}", ""),
     "text: line 2: "},
    {FILE_OF("{'name':'a'," EXPECT ",'text':'mesh 1 2','classes':['a']}", ""),
     "classes: they are for flows, not for text"},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[]}", ""), "flows: expected at least one"},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':{}}", ""), "flows: expected an array"},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':['0,0']}", ""),
     "flows[0]: expected an array"},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0']]}", ""),
     "flows[0]: expected an array"},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0',1]]}", ""),
     "flows[0][1]: expected a core such as \"0,1\", within 64x64, got 1"},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0',' 0,1']]}", ""), "got \" 0,1\""},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0','0,+1']]}", ""), "got \"0,+1\""},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0','0,01']]}", ""), "got \"0,01\""},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0','0,1 ']]}", ""), "got \"0,1 \""},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0','0,64']]}", ""), "got \"0,64\""},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0','0,4294967297']]}", ""), "got"},
    {FILE_OF("{'name':'a'," EXPECT ",'flows':[['0,0','1,1']]}", ""),
     "flows[0][1]: illegal hop 0,0 -> 1,1"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'buckets':[0]}", ""),
     "buckets: expected one per flow, 2, got 1"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'buckets':[0,-1]}", ""),
     "buckets[1]: expected"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'buckets':'01'}", ""),
     "buckets: expected an array"},
    {FILE_OF("{'name':'a'," EXPECT
             ",'buckets':[0],'gen':{'kind':'xy','rows':2,'cols':2}}",
             ""),
     "buckets: they are for flows"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'single_writer':true}", ""),
     "single_writer: without buckets"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'buckets':[0,0],'single_writer':1}", ""),
     "single_writer: expected true or false, got 1"},

    /* generators */
    {FILE_OF("{'name':'a'," EXPECT ",'gen':[]}", ""), "gen: expected an object"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'yz'}}", ""), "gen: kind: expected"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'xy','rows':2}}", ""),
     "cols: missing"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'xy','rows':'2','cols':2}}", ""),
     "rows: expected an integer 1..16, got \"2\""},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'xy','rows':2,'cols':2.5}}", ""),
     "got 2.5"},
    {FILE_OF("{'name':'a'," EXPECT
             ",'gen':{'kind':'xy','rows':2,'cols':2,'hop':'stride'}}",
             ""),
     "hop: expected \"direct\" or \"step\", got \"stride\""},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'xy','rows':2,'cols':2,'order':'YX'}}",
             ""),
     "order: expected"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'xy','rows':2,'cols':2,'same':'D'}}",
             ""),
     "gen: unknown field \"same\""},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'pdu','roles':'PTK'}}", ""),
     "gen: roles"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'pdu','roles':['PTK','PK']}}", ""),
     "gen: roles[1]: expected"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'pdu','roles':['PTK'],'same':'DU'}}",
             ""),
     "same: expected"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'pdu','roles':['PTK'],'transpose':1}}",
             ""),
     "transpose: expected true or false"},
    {FILE_OF("{'name':'a'," EXPECT ",'gen':{'kind':'pdu','roles':['PDK','PDK']}}", ""),
     "gen: row 1 has no router for row 0"},

    /* expectations */
    {FILE_OF("{'name':'a'," PAIR "}", ""), "expect: missing"},
    {FILE_OF("{'name':'a'," PAIR ",'expect':'pass'}", ""), "expect: expected an object"},
    {FILE_OF("{'name':'a'," PAIR ",'expect':{'M1':'pass','M2':'pass'}}", ""),
     "expect: M3: missing; expected \"pass\" or \"deadlock\""},
    {FILE_OF("{'name':'a'," PAIR ",'expect':{'M1':'free','M2':'pass','M3':'pass'}}", ""),
     "expect: M1: expected \"pass\" or \"deadlock\", got \"free\""},
    {FILE_OF("{'name':'a'," PAIR
             ",'expect':{'M1':'pass','M2':'pass','M3':'pass','M4':1}}",
             ""),
     "expect: unknown field \"M4\""},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'witness':{'M1':['0,0','1,1']}}", ""),
     "witness: M1[1]: expected a core of the mesh"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'witness':{'M1':['0,0','0,01']}}", ""),
     "0,01"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'witness':{'M1':'0,0'}}", ""),
     "witness: M1"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'witness':{'M2':['0,0.R','0,1.R']}}", ""),
     "witness: M2: a cycle, but it is expected to pass"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'exhaust':['M1']}", ""),
     "exhaust[0]: expected [model, depth], got \"M1\""},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'exhaust':[['M4',1]]}", ""),
     "exhaust[0]: model"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'exhaust':[['M1',1],['M1','1']]}", ""),
     "exhaust[1]: depth: expected an integer 0..1024, got \"1\""},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'exhaust':[['M1',-1]]}", ""), "got -1"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'exhaust':[['M1',1025]]}", ""), "got 1025"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'exhaust':[['M1',4294967297]]}", ""),
     "depth"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'exhaust':[['M1',1,4]]}", ""),
     "exhaust[0]"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'min_inflight':[['M1',1]]}", ""),
     "min_inflight[0]: expected [model, depth, k]"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'min_inflight':[['M1',1,0]]}", ""),
     "min_inflight[0]: k: expected an integer 1..4294967295, got 0"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'min_inflight':[['M1',1,-3]]}", ""), "k"},
    {FILE_OF("{'name':'a'," EXPECT "," PAIR ",'min_inflight':[['M1',1,4.0]]}", ""),
     "got 4.0"},

    /* scripts */
    {FILE_OF("", "{'name':'s','cap':1," PROGRAM "}"), "scripts[0] 's': expect: missing"},
    {FILE_OF("", "{'name':'s','expect':'pass','cap':1," PROGRAM "}"),
     "expect: expected \"free\" or \"deadlock\", got \"pass\""},
    {FILE_OF("", "{'name':'s','expect':'free'," PROGRAM "}"), "cap: missing"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':'1'," PROGRAM "}"), "cap: expected"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1025," PROGRAM "}"), "got 1025"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'send':-1," PROGRAM "}"), "send"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'sned':1," PROGRAM "}"),
     "\"sned\""},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1}"), "programs: missing"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':[]}"),
     "programs: expected"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':{'0,0 ':[]}}"),
     "programs: expected a core such as \"0,1\", within 64x64, got \"0,0 \""},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':{'\\u001b[2J':[]}}"),
     "got \"\\u001B[2J\""},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':{'0,0':{}}}"),
     "programs: 0,0: expected an array"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':{'0,0':['getR']}}"),
     "programs: 0,0[0]: expected ["},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['getR',1]]}}"),
     "programs: 0,0[0]"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['getr']]}}"),
     "programs: 0,0[0]"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['putR']]}}"),
     "programs: 0,0[0]"},
    {FILE_OF(
         "",
         "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['putR','0,1',2]]}}"),
     "programs: 0,0[0]"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':"
                 "{'0,0':[['getR'],['putR','1,1']]}}"),
     "programs: 0,0[1]: expected another core of its row, got \"1,1\""},
    {FILE_OF("",
             "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['putC','0,1']]}}"),
     "another core of its column"},
    {FILE_OF("",
             "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['putR','0,0']]}}"),
     "another core of its row"},
    {FILE_OF("",
             "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['putR','0,x']]}}"),
     "programs: 0,0[0]: expected a core"},
    {FILE_OF(
         "",
         "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['rep','2','getR']]}}"),
     "programs: 0,0[0]: rep: expected an integer 0..4096, got \"2\""},
    {FILE_OF(
         "",
         "{'name':'s','expect':'free','cap':1,'programs':{'0,0':[['rep',-1,'getR']]}}"),
     "rep"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':"
                 "{'0,0':[['rep',4096,'getR'],['getR']]}}"),
     "programs: 0,0: more than 4096 instructions"},
    {FILE_OF("", "{'name':'s','expect':'free','cap':1,'programs':"
                 "{'0,0':[['rep',2,'rep',2,'getR']]}}"),
     "programs: 0,0[0]"},
};
enum { N_REFUSED = sizeof refused / sizeof *refused };

START_TEST(what_is_wrong_is_refused_at_its_place)
{
    struct mw_vectors v;
    const int rc = read(refused[_i].text, &v);
    if (rc != MW_ERR_DATA || strstr(mw_error_text(), refused[_i].says) == NULL)
        ck_abort_msg("%s\ngives %d '%s', expected '%s'", refused[_i].text, rc,
                     rc < MW_OK ? mw_error_text() : "", refused[_i].says);
    ck_assert(strpbrk(mw_error_text(), "\x1b\x7f") == NULL);
    ck_assert_uint_eq(v.n, 0);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

START_TEST(all_fields_are_read)
{
    struct mw_vectors v;
    ck_assert_int_eq(
        read(
            FILE_OF("{'name':'a\\u0007','note':'n','buckets':[3,9],'single_writer':false,"
                    "'exhaust':[['M1',0],['M2',1024]],'min_inflight':[['M3',2,1]],"
                    "'witness':{'M1':['0,1','0,0']}," EXPECT "," PAIR "}",
                    "{'name':'s','expect':'deadlock','cap':2,'send':3," PROGRAM "}"),
            &v),
        MW_OK);
    ck_assert_uint_eq(v.n, 2);
    const struct mw_vector *a = &v.vector[0], *s = &v.vector[1];
    ck_assert_str_eq(a->name, "a\\u0007");
    ck_assert(!a->expect_free[0] && a->expect_free[1] && a->expect_free[2]);
    ck_assert(a->has_single_writer && !a->single_writer);
    ck_assert_uint_eq(a->layout->n_buckets, 10);
    ck_assert_uint_eq(a->n_exhaust, 2);
    ck_assert_uint_eq(a->exhaust[1].depth, 1024);
    ck_assert_uint_eq(a->inflight[0].k, 1);
    ck_assert_uint_eq(a->n_witness[MW_COUPLED], 2);
    ck_assert(s->is_script && s->expect_deadlock);
    ck_assert_uint_eq(s->script.send, 3);
    ck_assert_uint_eq(s->script.n_programs, 2);
    mw_vectors_fini(&v);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* Many small things are large together. */
START_TEST(a_file_has_bounds)
{
    static const char *const one[] = {
        "{'name':'%d'," PASS ",'flows':[['0,0','0,1']]}",
        "{'name':'%d'," EXPECT ",'gen':{'kind':'xy','rows':16,'cols':16}}",
        "{'name':'%d','expect':'free','cap':1,'programs':{'0,0':[['rep',4096,'getR']]}}"};
    static const int n[] = {10001, 200, 1100};
    static const char *const says[] = {"10001 layouts and scripts, at most 10000",
                                       "of the file list more than 16777216 cores",
                                       "more than 4194304 instructions in the file"};
    enum { LONGEST = 128 };
    char *text = malloc((size_t)n[_i] * LONGEST + 256), *at = text;
    MUST(text != NULL);
    at += sprintf(at, "{'format':'meshshuffle-vectors/1','%s':[",
                  _i == 2 ? "scripts" : "layouts");
    for (int k = 0; k < n[_i]; k++) {
        char name[16];
        const char *hole = strstr(one[_i], "%d");
        sprintf(name, "%d", k);
        at += sprintf(at, "%s%.*s%s%s", k > 0 ? "," : "", (int)(hole - one[_i]), one[_i],
                      name, hole + 2);
    }
    strcpy(at, "]}");
    struct mw_vectors v;
    ck_assert_int_eq(read(text, &v), MW_ERR_DATA);
    ck_assert_msg(strstr(mw_error_text(), says[_i]) != NULL, "%s", mw_error_text());
    ck_assert_uint_eq(mw_mem_in_use(), 0);
    free(text);
}
END_TEST

START_TEST(each_failing_allocation_is_reported)
{
    int rc = MW_ERR_NOMEM;
    for (uint64_t n = 1; rc == MW_ERR_NOMEM; n++) {
        struct mw_vectors v;
        mw_mem_fail_at(n);
        rc = read(
            FILE_OF(
                "{'name':'a','witness':{'M1':['0,1','0,0']},'exhaust':[['M1',1]]," EXPECT
                "," PAIR "},{'name':'b'," PASS
                ",'gen':{'kind':'pdu','roles':['PDUK','PDUK']}}",
                "{'name':'s','expect':'free','cap':2," PROGRAM "}"),
            &v);
        mw_mem_fail_at(0);
        ck_assert(rc == MW_OK || rc == MW_ERR_NOMEM);
        mw_vectors_fini(&v);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
    }
    ck_assert_int_eq(rc, MW_OK);
}
END_TEST

/* ---- what is looked at --------------------------------------------------------------------- */

/* What check and explore find of one vector; what they print goes to `printed`. */
static struct mw_vector_tally tally_of(const char *text, uint64_t limit, bool explored,
                                       char *printed, size_t bytes)
{
    struct mw_vectors v;
    struct mw_vector_tally t = {.out = fmemopen(printed, bytes, "w")};
    MUST(t.out != NULL);
    if (read(text, &v) != MW_OK)
        ck_abort_msg("%s", mw_error_text());
    for (uint32_t i = 0; i < v.n; i++)
        MUST((explored ? mw_vector_explore(&v.vector[i], limit, &t)
                       : mw_vector_check(&v.vector[i], limit, &t)) == MW_OK);
    fclose(t.out);
    mw_vectors_fini(&v);
    MUST(mw_mem_in_use() == 0);
    return t;
}

#define DEEP "{'name':'a'," EXPECT "," PAIR

static const struct looked {
    const char *text;
    uint64_t limit;
    bool explored;
    uint32_t n_wrong, n_bounded;
} looked[] = {
    {FILE_OF(DEEP "}", ""), 0, false, 0, 0},
    {FILE_OF(DEEP "}", ""), 2, false, 0, 1}, /* not realised */
    {FILE_OF("{'name':'a'," PASS "," PAIR "}", ""), 2, false, 1, 1},
    {FILE_OF("", "{'name':'s','expect':'free','cap':2," PROGRAM "}"), 0, false, 0, 0},
    {FILE_OF("", "{'name':'s','expect':'free','cap':2," PROGRAM "}"), 2, false, 0, 1},
    {FILE_OF("", "{'name':'s','expect':'free','cap':2," PROGRAM "}"), 2, true, 0, 1},
    {FILE_OF("", "{'name':'s','expect':'deadlock','cap':2," PROGRAM "}"), 0, true, 1, 0},
    {FILE_OF(DEEP ",'exhaust':[['M1',2],['M2',1]]}", ""), 0, true, 0, 0},
    {FILE_OF(DEEP ",'exhaust':[['M1',2],['M2',1]]}", ""), 2, true, 0, 2},
    {FILE_OF(DEEP ",'min_inflight':[['M1',1,4]]}", ""), 0, true, 0, 0},
    {FILE_OF(DEEP ",'min_inflight':[['M1',1,4]]}", ""), 2, true, 0, 1},
    {FILE_OF(DEEP ",'min_inflight':[['M1',1,3]]}", ""), 0, true, 1, 0},
    {FILE_OF(DEEP ",'min_inflight':[['M1',1,5]]}", ""), 0, true, 1, 0},
    /* One in flight cannot deadlock; none at all would be no bound to the search. */
    {FILE_OF(DEEP ",'min_inflight':[['M1',1,1]]}", ""), 0, true, 1, 0},
    /* A state of these depths cannot be packed. */
    {FILE_OF("{'name':'a'," PASS ",'exhaust':[['M1',1024]],"
             "'gen':{'kind':'pdu','roles':['PDUK','PDUK']}}",
             ""),
     0, true, 0, 1},
};
enum { N_LOOKED = sizeof looked / sizeof *looked };

START_TEST(a_search_cut_short_is_neither_right_nor_wrong)
{
    char printed[4096] = "";
    const struct looked *x = &looked[_i];
    const struct mw_vector_tally t =
        tally_of(x->text, x->limit, x->explored, printed, sizeof printed);
    ck_assert_msg(t.n_wrong == x->n_wrong && t.n_bounded == x->n_bounded, "%s:\n%s",
                  x->text, printed);
    ck_assert((strstr(printed, "WRONG a") != NULL ||
               strstr(printed, "WRONG s") != NULL) == (t.n_wrong > 0));
    ck_assert((strstr(printed, "open  ") != NULL) == (t.n_bounded > 0));
}
END_TEST

START_TEST(no_message_in_flight_is_free)
{
    char printed[4096] = "";
    tally_of(looked[13].text, 0, true, printed, sizeof printed);
    ck_assert_msg(strstr(printed, "0 in flight free, 1 free") != NULL, "%s", printed);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("vectors");
    TCase *reading = tcase_create("reading"), *checking = tcase_create("checking");
    tcase_add_loop_test(reading, what_is_wrong_is_refused_at_its_place, 0, N_REFUSED);
    tcase_add_test(reading, all_fields_are_read);
    tcase_add_loop_test(reading, a_file_has_bounds, 0, 3);
    tcase_add_test(reading, each_failing_allocation_is_reported);
    tcase_add_loop_test(checking, a_search_cut_short_is_neither_right_nor_wrong, 0,
                        N_LOOKED);
    tcase_add_test(checking, no_message_in_flight_is_free);
    suite_add_tcase(s, reading);
    suite_add_tcase(s, checking);
    return run_suite(s);
}
