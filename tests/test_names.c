/* test_names.c -- what the input calls its vertices: the same numbers on any number of ranks and
 * hosts, found again by name, and read again from a tree; and the lines that names stand in.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "in_memory.h"
#include "io/field.h"
#include "io/lines.h"
#include "io/reader.h"
#include "io/treefile.h"
#include "ranks.h"

#include <inttypes.h>

/* ---- numbering: against all names sorted in one place ---- */

enum { N_SEEN = 700, LONGEST = 100 };

struct name {
    char text[LONGEST];
    uint64_t bytes;
};

struct case_of {
    uint64_t seed;
    enum mw_naming naming;
    struct name all[N_SEEN], sorted[N_SEEN];
    uint64_t n_sorted;
};

static uint64_t next_random(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return *state >> 33;
}

static int compare_names(const void *a, const void *b)
{
    const struct name *x = a, *y = b;
    const int by = memcmp(x->text, y->text, mw_min(x->bytes, y->bytes));
    return by != 0 ? by : (x->bytes > y->bytes) - (x->bytes < y->bytes);
}

/* Few different ones, some of them beginnings of others, with 70 bytes in common or none. */
static void random_name(uint64_t *state, enum mw_naming naming, struct name *out)
{
    memset(out, 0, sizeof *out);
    if (naming == MW_NAMED_IDS) {
        const uint64_t id = next_random(state) % 300 << 8 * (next_random(state) % 5);
        mw_id_to_name(id, (unsigned char *)out->text);
        out->bytes = MW_ID_BYTES;
        return;
    }
    if (next_random(state) % 2 == 0)
        for (int i = 0; i < 70; i++)
            out->text[out->bytes++] = 'x';
    for (uint64_t n = 1 + next_random(state) % 4; n > 0; n--)
        out->text[out->bytes++] = (char)("ab\xC3\xBC- \""[next_random(state) % 7]);
}

static void make_case(struct case_of *c, uint64_t seed)
{
    uint64_t state = seed;
    *c = (struct case_of){.seed = seed,
                          .naming = seed % 2 == 0 ? MW_NAMED_IDS : MW_NAMED_TEXTS};
    for (int i = 0; i < N_SEEN; i++)
        random_name(&state, c->naming, &c->all[i]);
    memcpy(c->sorted, c->all, sizeof c->all);
    qsort(c->sorted, N_SEEN, sizeof *c->sorted, compare_names);
    for (int i = 0; i < N_SEEN; i++)
        if (c->n_sorted == 0 ||
            compare_names(&c->sorted[c->n_sorted - 1], &c->sorted[i]) != 0)
            c->sorted[c->n_sorted++] = c->sorted[i];
}

/* A rank sees stretches of different lengths; the last of three or more sees nothing. */
static void part_of(const struct mw_comm *comm, uint64_t *from, uint64_t *to)
{
    const uint32_t n = comm->size > 2 ? comm->size - 1 : comm->size;
    *from =
        comm->rank < n ? (uint64_t)N_SEEN * comm->rank * comm->rank / (n * n) : N_SEEN;
    *to = comm->rank < n
              ? (uint64_t)N_SEEN * (comm->rank + 1) * (comm->rank + 1) / (n * n)
              : N_SEEN;
}

static int check_name(const struct case_of *c, const struct mw_names *names, mw_vid v)
{
    const struct name *want = &c->sorted[v];
    mw_vid found = 0;
    if (c->naming == MW_NAMED_IDS) {
        const uint64_t id = mw_name_to_id((const unsigned char *)want->text);
        EXPECT(mw_names_number(names, v) == id, "another id");
        EXPECT(mw_names_find(names, id, &found) && found == v, "an id is not found");
        EXPECT(!mw_names_find(names, id + 1000000007, &found), "an id too many");
        return MW_OK;
    }
    uint64_t bytes;
    const char *name = mw_names_bytes(names, v, &bytes);
    EXPECT(bytes == want->bytes && memcmp(name, want->text, bytes) == 0, "another name");
    EXPECT(mw_names_find_text(names, name, bytes, &found) && found == v, "not found");
    EXPECT(!mw_names_find_text(names, "nobody", 6, &found), "a name too many");
    return MW_OK;
}

static int number_names(struct mw_comm *comm, void *arg)
{
    const struct case_of *c = arg;
    struct mw_dictionary seen;
    struct mw_names names = {0};
    uint64_t *vertex_of = NULL, from, to, number;
    part_of(comm, &from, &to);
    int rc = mw_dictionary_init(&seen);
    for (uint64_t i = from; i < to && rc == MW_OK; i++)
        rc = mw_dictionary_add(&seen, c->all[i].text, c->all[i].bytes, &number);
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_names_make(comm, c->naming, &seen, &names, &vertex_of);
    if (rc == MW_OK && names.n_vertices != c->n_sorted)
        rc = mw_fail(MW_ERR_INVALID, "%" PRIu64 " names, expected %" PRIu64,
                     names.n_vertices, c->n_sorted);
    for (uint64_t i = from; i < to && rc == MW_OK; i++) {
        rc = mw_dictionary_add(&seen, c->all[i].text, c->all[i].bytes, &number);
        if (rc == MW_OK && compare_names(&c->sorted[vertex_of[number]], &c->all[i]) != 0)
            rc = mw_fail(MW_ERR_INVALID, "name %" PRIu64 " is vertex %" PRIu64, i,
                         vertex_of[number]);
    }
    for (mw_vid v = 0; v < c->n_sorted && rc == MW_OK; v++)
        rc = check_name(c, &names, v);
    mw_free(vertex_of);
    mw_dictionary_fini(&seen);
    rc = mw_comm_agree(comm, rc);
    mw_names_fini(&names);
    return rc;
}

START_TEST(names_have_the_same_numbers_on_any_ranks)
{
    static struct case_of c;
    for (uint64_t seed = 1; seed <= 4; seed++)
        for (uint32_t per_host = 0; per_host <= 2; per_host++) {
            const struct mw_loop_conf conf = {
                .n_ranks = (uint32_t)_i, .ranks_per_host = per_host, .seed = seed};
            make_case(&c, seed);
            const int rc = mw_loop_run(&conf, number_names, &c);
            ck_assert_msg(rc == MW_OK, "%d ranks, seed %d: %s", _i, (int)seed,
                          mw_error_text());
            ck_assert_uint_eq(mw_mem_in_use(), 0);
        }
}
END_TEST

START_TEST(failing_allocations_are_reported_and_nothing_leaks)
{
    static struct case_of c;
    const struct mw_loop_conf conf = {.n_ranks = 1};
    make_case(&c, 3);
    for (uint64_t n = 1; n < 200; n++) {
        mw_mem_fail_at(n);
        const int rc = mw_loop_run(&conf, number_names, &c);
        mw_mem_fail_at(0);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
        if (rc == MW_OK)
            return;
        ck_assert_int_eq(rc, MW_ERR_NOMEM);
    }
    ck_abort_msg("never succeeds");
}
END_TEST

/* ---- counted ---- */

START_TEST(counted_vertices_begin_where_the_input_does)
{
    char text[MW_NAME_ROOM];
    mw_vid v;
    const struct mw_names names = {.base = 1, .n_vertices = 8};
    ck_assert_str_eq(mw_names_text(&names, 0, text), "1");
    ck_assert(mw_names_find(&names, 8, &v) && v == 7);
    ck_assert(!mw_names_find(&names, 0, &v) && !mw_names_find(&names, 9, &v));
    ck_good(mw_names_parse(&names, "--root", "8", &v));
    ck_fails(mw_names_parse(&names, "--root", "9", &v), MW_ERR_USAGE,
             "--root: vertex 9 is not in the graph; expected 1..8");
    ck_fails(mw_names_parse(&names, "--root", "1x", &v), MW_ERR_USAGE,
             "--root: '1x' is not an integer; expected 1..8");
    ck_assert_str_eq(mw_names_text(NULL, 5, text), "5");
    ck_assert(mw_names_find(NULL, 5, &v) && v == 5);
}
END_TEST

/* ---- trees in names ---- */

static int keep_a_tree(struct mw_comm *comm, void *arg)
{
    struct case_of *c = arg;
    static const char *const paths[] = {"names_tree.txt", "names_tree.bin"};
    struct mw_dictionary seen;
    struct mw_names names = {0};
    uint64_t *vertex_of = NULL, number;
    int64_t tree[N_SEEN], *got = NULL;
    int rc = mw_dictionary_init(&seen);
    for (int i = 0; i < N_SEEN && rc == MW_OK; i++)
        rc = mw_dictionary_add(&seen, c->all[i].text, c->all[i].bytes, &number);
    if (rc == MW_OK)
        rc = mw_names_make(comm, c->naming, &seen, &names, &vertex_of);
    for (uint64_t v = 0; v < c->n_sorted; v++)
        tree[v] = v % 3 == 0 ? -1 : (int64_t)(v * v % c->n_sorted);
    for (int form = 0; form < 2 && rc == MW_OK; form++) {
        struct mw_tree_writer *w;
        rc = mw_tree_begin(paths[form], true, MW_TREE_VERTICES, "parent", &names, &w);
        if (form == 1 && c->naming == MW_NAMED_TEXTS) {
            rc = rc == MW_ERR_USAGE ? MW_OK : mw_fail(MW_ERR_INVALID, "texts as numbers");
            break;
        }
        if (rc == MW_OK)
            rc = mw_tree_put(w, tree, names.n_vertices);
        rc = rc == MW_OK ? mw_tree_end(w) : rc;
        for (uint32_t rank = 0; rank < 3 && rc == MW_OK; rank++) {
            rc = mw_read_tree(paths[form], &names, rank, 3, &got);
            for (uint64_t v = rank; v < c->n_sorted && rc == MW_OK; v += 3)
                if (got[v / 3] != tree[v])
                    rc = mw_fail(MW_ERR_INVALID, "%s: vertex %" PRIu64 " has %" PRId64,
                                 paths[form], v, got[v / 3]);
            mw_free(got);
            got = NULL;
        }
        remove(paths[form]);
    }
    mw_free(vertex_of);
    mw_dictionary_fini(&seen);
    mw_names_fini(&names);
    return rc;
}

START_TEST(trees_come_back_in_names_of_any_kind)
{
    static struct case_of c;
    const struct mw_loop_conf conf = {.n_ranks = 1};
    make_case(&c, (uint64_t)_i);
    const int rc = mw_loop_run(&conf, keep_a_tree, &c);
    ck_assert_msg(rc == MW_OK, "seed %d: %s", _i, mw_error_text());
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* ---- lines ---- */

static const struct {
    const char *text;
    char separator;
    const char *fields; /* '|' ends each; '!' a wrong one */
} lines[] = {
    {"a b\n", ' ', "a|b|"},
    {" a\t b \n", ' ', "a|b|"},
    {"a b # why\n", ' ', "a|b|"},
    {"a #b\n", ' ', "a|"},
    {"a#b c\r\n", ' ', "a#b|c|"},
    {"\"a b\" c\n", ' ', "a b|c|"},
    {"\"a \"\"b\"\"\" c\n", ' ', "a \"b\"|c|"},
    {"New York , Boston,3\n", ',', "New York|Boston|3|"},
    {"a,b,\n", ',', "a|b||"},
    {"a,,b\n", ',', "a||b|"},
    {"\"a,b\",c\n", ',', "a,b|c|"},
    {"a;b,c % no\n", ';', "a|b,c % no|"},
    {"Album #9 live\t50 % off\n", '\t', "Album #9 live|50 % off|"},
    {"a,7 # yes\n", ',', "a|7|"},
    {"a,\"b\" # yes\n", ',', "a|b|"},
    {"a, # yes\n", ',', "a||"},
    {"A\t\"Heroes\" (album)\n", '\t', "A|!"},
    {"\"a\" , b\n", ',', "a|b|"},
    {"a b\tc\td e\n", '\t', "a b|c|d e|"},
    {"a\t\tc\n", '\t', "a||c|"},
    {"\"a\"b c\n", ' ', "!"},
    {"\"a b\n", ' ', "!"},
    {"\"\" b\n", ' ', "|b|"},
};

START_TEST(lines_are_cut_into_fields)
{
    char got[200];
    size_t n = 0;
    const char *p = lines[_i].text;
    struct mw_field f;
    do {
        if (mw_field_take(&p, lines[_i].separator, &f) != NULL) {
            got[n++] = '!';
            break;
        }
        memcpy(got + n, f.text, f.bytes);
        n += f.bytes;
        got[n++] = '|';
    } while (mw_field_next(&p, lines[_i].separator));
    got[n] = '\0';
    ck_assert_str_eq(got, lines[_i].fields);
}
END_TEST

START_TEST(the_first_line_tells_the_separator)
{
    ck_assert_int_eq(mw_field_separator("a b\n"), ' ');
    ck_assert_int_eq(mw_field_separator("a,b c\n"), ',');
    ck_assert_int_eq(mw_field_separator("a;1,5\n"), ';');
    ck_assert_int_eq(mw_field_separator("a b\tc,d\n"), '\t');
    ck_assert_int_eq(mw_field_separator("\"a,b\" c\n"), ' ');
}
END_TEST

/* ---- edge lists with more than numbers ---- */

/* "u-v " for each edge, as n_parts parts read it, in names if there is a dictionary. */
static int read_edges(const char *text, struct mw_read_conf conf, bool names, char *out)
{
    int rc = MW_OK;
    const uint32_t n_parts = conf.n_parts;
    *out = '\0';
    for (conf.part = 0; conf.part < n_parts && rc == MW_OK; conf.part++) {
        struct mw_edges e;
        struct mw_file_facts facts;
        struct mw_dictionary seen = {0};
        conf.path = "t";
        if (names) {
            ck_good(mw_dictionary_init(&seen));
            conf.names = true;
            conf.seen = &seen;
        }
        rc = read_graph_memory(&conf, text, strlen(text), &e, &facts);
        for (uint64_t i = 0; rc == MW_OK && i < e.n; i++) {
            uint64_t n[2] = {0, 0};
            mw_vid u, v;
            mw_edges_get(&e, i, &u, &v);
            if (names) {
                const char *a = (const char *)mw_dictionary_name(&seen, u, &n[0]);
                const char *b = (const char *)mw_dictionary_name(&seen, v, &n[1]);
                out += sprintf(out, "%.*s-%.*s ", (int)n[0], a, (int)n[1], b);
            } else {
                out += sprintf(out, "%d-%d ", (int)u, (int)v);
            }
        }
        if (rc == MW_OK)
            mw_edges_fini(&e);
        mw_dictionary_fini(&seen);
    }
    ck_assert_uint_eq(mw_mem_in_use(), 0);
    return rc;
}

static const struct {
    const char *text;
    bool names;
    enum mw_header header;
    char separator;
    const char *edges;
} spellings[] = {
    {"0 1 # why\n1 2 % not\n", false, 0, 0, "0-1 1-2 "},
    {"source,target\n0,1\n1,2\n", false, 0, 0, "0-1 1-2 "},
    {"Source;Target;Type;Weight\n0;1;Undirected;1,5\n1;2;Undirected;2,5\n", false, 0, 0,
     "0-1 1-2 "},
    {"# c\n\"from\",\"to\"\n\"0\",\"1\"\n\"1\",\"2\"\n", false, 0, 0, "0-1 1-2 "},
    {"0;1\n1;2\n", false, 0, 0, "0-1 1-2 "},
    {"0,1,friend\n1,2,\"no, \"\"foe\"\"\"\n", false, 0, 0, "0-1 1-2 "},
    {"0\t1\ta b\n1\t2\tc\n", false, 0, 0, "0-1 1-2 "},
    {"FromNodeId ToNodeId\n0 1\n", false, 0, 0, "0-1 "},
    {"src dst\n0 1\n", false, 0, 0, "0-1 "},
    {"foo bar\n0 1\n", false, MW_HEADER_YES, 0, "0-1 "},
    {"age,height\n0,1\n", false, MW_HEADER_YES, 0, "0-1 "},
    {"target,source\n1,2\n2,3\n", false, 0, 0, "2-1 3-2 "},
    {"TARGET_ID;Source-Id\n1;2\n", false, 0, 0, "2-1 "},
    {"target,source\n1,2\n", false, MW_HEADER_YES, 0, "2-1 "},
    {"tail head\n1 2\n", false, 0, 0, "1-2 "},
    {"head tail\n1 2\n", false, 0, 0, "2-1 "},
    {"id,from,to\n7,0,1\n8,1,2\n", false, 0, 0, "0-1 1-2 "},
    {",source,target\n0,3,4\n1,4,5\n", false, 0, 0, "3-4 4-5 "},
    {"weight,target,source\n0.5,1,2\n1e3,\"3\",4 # c\n# d\n\n2,5,6\n", false, 0, 0,
     "2-1 4-3 6-5 "},
    {"start,end,source,target\n100,200,1,2\n", false, 0, 0, "1-2 "},
    {"label\tnode 2\tnode 1\na b\t1\t2\n", false, 0, 0, "2-1 "},
    {"9 9\n0 1\n", false, MW_HEADER_YES, 0, "0-1 "},
    {"New York,Boston\nBoston,Rome\n", true, 0, 0, "New York-Boston Boston-Rome "},
    {"source,target\nBoston,Rome\n", true, 0, 0, "Boston-Rome "},
    {"name1,name2\nann,bob\n", true, 0, 0, "ann-bob "},
    {"name2,name1\nann,bob\nbob,cat\n", true, 0, 0, "bob-ann cat-bob "},
    {"km,to,from\n7,Boston,Rome\n", true, 0, 0, "Rome-Boston "},
    {"node1 node2\nnode2 node3\n", true, 0, 0, "node1-node2 node2-node3 "},
    {"node1 node2\nnode2 node3\n", true, MW_HEADER_YES, 0, "node2-node3 "},
    {"source,target\nBoston,Rome\n", true, MW_HEADER_NO, 0, "source-target Boston-Rome "},
    {"a b\nc d\n", true, MW_HEADER_YES, 0, "c-d "},
    {"a,b c\nd,e f\n", true, 0, ' ', "a,b-c d,e-f "},
    {"1 x\n# c\n\n-1 y # z\n", true, 0, 0, "1-x -1-y "},
};

START_TEST(lists_may_have_titles_quotes_names_and_comments)
{
    char got[200];
    for (uint32_t n_parts = 1; n_parts <= 4; n_parts++) {
        /* Names, and titles between blanks, look like any text. */
        const bool told = spellings[_i].names || spellings[_i].header != MW_HEADER_AUTO ||
                          spellings[_i].text[0] == 'F';
        const struct mw_read_conf conf = {.n_parts = n_parts,
                                          .format =
                                              told ? MW_FORMAT_EDGES : MW_FORMAT_AUTO,
                                          .header = spellings[_i].header,
                                          .separator = spellings[_i].separator};
        ck_good(read_edges(spellings[_i].text, conf, spellings[_i].names, got));
        ck_assert_str_eq(got, spellings[_i].edges);
    }
}
END_TEST

static const struct {
    const char *text;
    bool names;
    const char *says;
} bad[] = {
    {"0,,1\n", false, ":1: expected 'vertex vertex'"},
    {"0 1\n2 3 friend\n", false, ":2: expected 'vertex vertex'"},
    {"0,1,a\n1,2,a,b\n", false, ":2: 4 columns, but the first edge has 3"},
    {"a b\nNew York Boston\n", true, ":2: 3 columns, but the first line has 2"},
    {"a,b\n,c\n", true, ":2: a vertex without a name"},
    {"a\nb c\n", true, ":1: only one vertex"},
    {"a b\n\"c d\n", true, ":2: no closing quote in this line"},
    {"0 1\n1 9223372036854775808\n", false, "--names reads names of any kind"},
};

START_TEST(bad_lists_are_refused_with_a_reason)
{
    char got[200];
    ck_fails(read_edges(bad[_i].text,
                        (struct mw_read_conf){.n_parts = 1, .format = MW_FORMAT_EDGES},
                        bad[_i].names, got),
             MW_ERR_DATA, bad[_i].says);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("names");
    TCase *c = tcase_create("names");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, names_have_the_same_numbers_on_any_ranks, 1, 6);
    tcase_add_test(c, failing_allocations_are_reported_and_nothing_leaks);
    tcase_add_test(c, counted_vertices_begin_where_the_input_does);
    tcase_add_loop_test(c, trees_come_back_in_names_of_any_kind, 1, 5);
    tcase_add_loop_test(c, lines_are_cut_into_fields, 0,
                        (int)(sizeof lines / sizeof *lines));
    tcase_add_test(c, the_first_line_tells_the_separator);
    tcase_add_loop_test(c, lists_may_have_titles_quotes_names_and_comments, 0,
                        (int)(sizeof spellings / sizeof *spellings));
    tcase_add_loop_test(c, bad_lists_are_refused_with_a_reason, 0,
                        (int)(sizeof bad / sizeof *bad));
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
