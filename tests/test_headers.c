/* test_headers.c -- what stands in front of the edges, as it stands in files that people have:
 * headers of SNAP, KONECT, GAP, SuiteSparse and DIMACS, and files that are no list of edges.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "in_memory.h"
#include "io/lines.h"
#include "io/reader.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>
#include <string.h>

#define SNAP "# Directed graph (each unordered pair of nodes is saved once): "
#define COM  "# Undirected graph: ../../data/output/"

/* The first lines of real files, each with few of its edges. */
static const struct {
    const char *text;
    enum mw_format format;
    enum mw_directed directed;
    bool one_way; /* where --directed says so */
    uint64_t base, n_vertices, said_vertices, said_edges;
    const char *edges; /* counted from 0 */
} headers[] = {
    {SNAP "web-Google.txt \n# Webgraph from the Google programming contest, 2002\n"
          "# Nodes: 875713 Edges: 5105039\n# FromNodeId\tToNodeId\n0\t11342\n0\t824020\n",
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 0, 824021, 875713, 5105039,
     "0-11342 0-824020 "},
    {SNAP
     "Wiki-Vote.txt \n# Wikipedia voting on promotion to administratorship (till "
     "January 2008). Directed edge A->B means user A voted on B becoming Wikipedia "
     "administrator.\n# Nodes: 7115 Edges: 103689\n# FromNodeId\tToNodeId\n30\t1412\n",
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 0, 1413, 7115, 103689, "30-1412 "},
    {SNAP "soc-Epinions1.txt \n# Directed Epinions social network\n"
          "# Nodes: 75879 Edges: 508837\n# FromNodeId\tToNodeId\n0\t4\n",
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 0, 5, 75879, 508837, "0-4 "},
    {SNAP
     "Cit-HepPh.txt \n# Paper citation network of Arxiv High Energy Physics category\n"
     "# Nodes: 34546 Edges: 421578\n# FromNodeId\tToNodeId\n9907233\t9301253\n",
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 0, 9907234, 34546, 421578,
     "9907233-9301253 "},
    {SNAP "p2p-Gnutella04.txt\n# Directed Gnutella P2P network from August 4 2002\n"
          "# Nodes: 10876  Edges: 39994\n# FromNodeId    ToNodeId\n0       1\n",
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 0, 2, 10876, 39994, "0-1 "},
    {SNAP "roadNet-CA.txt\n# California road network\n# Nodes: 1965206 Edges: 5533214\n"
          "# FromNodeId\tToNodeId\n0\t1\n0\t2\n",
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 0, 3, 1965206, 5533214, "0-1 0-2 "},
    {SNAP "Email-Enron.txt\n# Enron email network (edge indicated that email was "
          "exchanged, undirected edges)\n# Nodes: 36692 Edges: 367662\n0\t1\n1\t0\n",
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 0, 2, 36692, 367662, "0-1 1-0 "},
    {COM "orkut.txt\n# Orkut\n# Nodes: 3072441 Edges: 117185083\n# FromNodeId\tToNodeId\n"
         "1\t2\n",
     MW_FORMAT_EDGES, MW_DIRECTED_NO, true, 0, 3, 3072441, 117185083, "1-2 "},
    {COM "dblp.ungraph.txt\n# DBLP\n# Nodes: 317080 Edges: 1049866\n"
         "# FromNodeId\tToNodeId\n0\t1\n",
     MW_FORMAT_EDGES, MW_DIRECTED_NO, true, 0, 2, 317080, 1049866, "0-1 "},
    {"0 1\n0 2\n", /* ego-Facebook, and GAP's .el */
     MW_FORMAT_EDGES, MW_DIRECTED_UNSAID, true, 0, 3, 0, 0, "0-1 0-2 "},
    {"0 1 7\n1 2 3\n", /* .wel */
     MW_FORMAT_EDGES, MW_DIRECTED_UNSAID, true, 0, 3, 0, 0, "0-1 1-2 "},
    {"# Directed graph: not-undirected.txt\n0 1\n", MW_FORMAT_EDGES, MW_DIRECTED_YES,
     true, 0, 2, 0, 0, "0-1 "},
    {"# each unordered pair of nodes is saved once\n0 1\n", MW_FORMAT_EDGES,
     MW_DIRECTED_NO, true, 0, 2, 0, 0, "0-1 "},
    {"% asym unweighted\n% 2 3 3\n1 2\n2 3\n", MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 1,
     3, 3, 2, "0-1 1-2 "},
    {"% asym unweighted\n1 2 \n1 4 \n", MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 1, 4, 0,
     0, "0-1 0-3 "},
    {"% asym positive\n% 82927 154 140\n1 167 1 1262454010\n", /* those edges begin at */
     MW_FORMAT_EDGES, MW_DIRECTED_YES, true, 1, 167, 0, 82927, "0-166 "},
    {"% sym unweighted \n% 159 62 62\n11\t1 \n15\t1 \n", MW_FORMAT_EDGES, MW_DIRECTED_NO,
     true, 1, 62, 62, 159, "10-0 14-0 "},
    {"% sym unweighted unsigned undirected\n% 2 3 3 3\n1 2\n2 5\n", MW_FORMAT_EDGES,
     MW_DIRECTED_NO, true, 1, 5, 3, 2, "0-1 1-4 "},
    {"% bip unweighted\n% 13 6 5\n1 1\n1 2\n6 1\n", MW_FORMAT_EDGES, MW_DIRECTED_NO, true,
     1, 11, 11, 13, "0-6 0-7 5-6 "},
    {"% bip posweighted\n% 3 2 2 2\n\n2 2 1 9\n1 1 1 8\n", MW_FORMAT_EDGES,
     MW_DIRECTED_NO, true, 1, 4, 4, 3, "1-3 0-2 "},
    {"%%MatrixMarket matrix coordinate pattern general\n"
     "%------------------------------------------------------------------------------\n"
     "% UF Sparse Matrix Collection, Tim Davis\n"
     "% http://www.cise.ufl.edu/research/sparse/matrices/SNAP/web-Google\n"
     "% name: SNAP/web-Google\n% [Web graph from Google]\n% id: 2301\n% date: 2002\n"
     "% kind: directed graph\n% Nodes   875713\n% Undirected graph\n3 3 2\n2 1\n1 3\n",
     MW_FORMAT_MTX, MW_DIRECTED_YES, true, 1, 3, 0, 0, "1-0 0-2 "},
    {"%%MatrixMarket matrix coordinate pattern symmetric\n"
     "%------------------------------------------------------------------------------\n"
     "% kind: undirected graph\n% Directed graph\n3 3 2\n2 1\n3 1\n",
     MW_FORMAT_MTX, MW_DIRECTED_NO, false, 1, 3, 0, 0, "0-1 0-2 "},
    {"%%MatrixMarket matrix coordinate real symmetric\n% name: HB/bcsstk01\n%\n3 3 1\n"
     "2 1 -5.5e-2\n",
     MW_FORMAT_MTX, MW_DIRECTED_NO, false, 1, 3, 0, 0, "0-1 "},
    {"c 9th DIMACS Implementation Challenge: Shortest Paths\n"
     "c http://www.dis.uniroma1.it/~challenge9\nc TIGER/Line graph USA-road-d.NY\nc\n"
     "p sp 264346 2\nc graph contains 264346 nodes and 733846 arcs\nc\na 1 2 803\na 2 1 "
     "803\n",
     MW_FORMAT_DIMACS, MW_DIRECTED_YES, true, 1, 264346, 0, 0, "0-1 1-0 "},
    {"c FILE: myciel3.col\nc SOURCE: Michael Trick (trick@cmu.edu)\nc DESCRIPTION: Graph "
     "based on Mycielski transformation.\np edge 11 2\ne 1 2\ne 1 4\n",
     MW_FORMAT_DIMACS, MW_DIRECTED_NO, false, 1, 11, 0, 0, "0-1 0-3 "},
};
enum { N_HEADERS = sizeof headers / sizeof *headers };

/* "u-v " for each edge, as the parts of `conf` deliver them. */
static int read_text(const char *text, struct mw_read_conf conf, char *out,
                     struct mw_file_facts *whole)
{
    int rc = MW_OK;
    *out = '\0';
    conf.path = "t";
    for (conf.part = 0; conf.part < conf.n_parts && rc == MW_OK; conf.part++) {
        struct mw_edges e;
        struct mw_file_facts facts;
        rc = read_graph_memory(&conf, text, strlen(text), &e, &facts);
        if (rc != MW_OK)
            return rc;
        for (uint64_t i = 0; i < e.n; i++) {
            mw_vid u, v;
            mw_edges_get(&e, i, &u, &v);
            out += sprintf(out, "%d-%d ", (int)u, (int)v);
        }
        mw_edges_fini(&e);
        if (conf.part == 0)
            *whole = facts;
        else
            mw_facts_merge(whole, &facts);
    }
    return mw_facts_check(&conf, whole);
}

START_TEST(headers_of_real_files_say_what_they_say_to_any_part)
{
    char got[200];
    for (uint32_t n_parts = 1; n_parts <= 4; n_parts++) {
        struct mw_file_facts f;
        ck_good(read_text(headers[_i].text, (struct mw_read_conf){.n_parts = n_parts},
                          got, &f));
        ck_assert_str_eq(got, headers[_i].edges);
        ck_assert_int_eq(f.format, headers[_i].format);
        ck_assert_int_eq(f.directed, headers[_i].directed);
        ck_assert_int_eq(mw_facts_one_way(&f), headers[_i].one_way);
        ck_assert_uint_eq(f.base, headers[_i].base);
        ck_assert_uint_eq(f.n_vertices, headers[_i].n_vertices);
        ck_assert_uint_eq(f.said_vertices, headers[_i].said_vertices);
        ck_assert_uint_eq(f.said_edges, headers[_i].said_edges);
    }
}
END_TEST

/* By hand: wins over a comment. */
START_TEST(a_base_or_a_size_that_is_given_wins_over_a_comment)
{
    char got[200];
    struct mw_file_facts f;
    const char *text = "% asym unweighted\n% 1 9 9\n0 1\n";
    ck_good(read_text(text, (struct mw_read_conf){.base_given = true, .n_parts = 2}, got,
                      &f));
    ck_assert_str_eq(got, "0-1 ");
    ck_assert_uint_eq(f.base, 0);
    ck_assert_uint_eq(f.n_vertices, 9);
    text = "% asym unweighted\n% 1 9 9\n1 2\n";
    ck_good(
        read_text(text, (struct mw_read_conf){.n_vertices = 4, .n_parts = 2}, got, &f));
    ck_assert_uint_eq(f.n_vertices, 4);
}
END_TEST

/* "# vertices 5 edges 2 from 1", as Meshway writes it. */
START_TEST(the_comment_above_a_list_of_our_own_is_read_back)
{
    static const struct {
        const char *text, *edges;
        uint64_t base, n_vertices;
        enum mw_directed directed;
    } own[] = {
        {"# vertices                    5 edges                    2 from 1\n1 2\n2 3\n",
         "0-1 1-2 ", 1, 5, MW_DIRECTED_UNSAID},
        {"# directed graph: vertices 4 edges 1 from 0\n0 1\n", "0-1 ", 0, 4,
         MW_DIRECTED_YES},
        {"# undirected graph: vertices 4 edges 1 from 0\n0 1\n", "0-1 ", 0, 4,
         MW_DIRECTED_NO},
        {"# vertices 2 edges 1 from 0\n0 3\n", "0-3 ", 0, 4, MW_DIRECTED_UNSAID},
        /* and others' words are no such thing */
        {"# vertices 9 edges 1 from 2\n0 1\n", "0-1 ", 0, 2, MW_DIRECTED_UNSAID},
        {"# vertices 9 edges 1\n0 1\n", "0-1 ", 0, 2, MW_DIRECTED_UNSAID},
        {"# vertices 9 edges 1 from 0 to 8\n0 1\n", "0-1 ", 0, 2, MW_DIRECTED_UNSAID},
    };
    for (uint32_t n_parts = 1; n_parts <= 3; n_parts++)
        for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
            char got[200];
            struct mw_file_facts f;
            ck_good(read_text(own[i].text, (struct mw_read_conf){.n_parts = n_parts}, got,
                              &f));
            ck_assert_str_eq(got, own[i].edges);
            ck_assert_uint_eq(f.base, own[i].base);
            ck_assert_uint_eq(f.n_vertices, own[i].n_vertices);
            ck_assert_int_eq(f.directed, own[i].directed);
        }
}
END_TEST

/* Whose vertices are names, and whose are not. */
START_TEST(names_are_told_from_numbers_by_the_beginning)
{
    static const struct {
        const char *text;
        bool named;
    } lists[] = {
        {"Valjean,Javert\nMarius,Cosette\n", true},
        {"Valjean,Javert", true},
        {"# a comment\nValjean Javert 3\nMarius Cosette 1\n", true},
        {"source,target\nann,bob\n", true},
        {"from,to,km\n\"New York\",Boston,306\n", true},
        {"n0\tn1\nn1\t2\n", true},
        {"0 1\n1 2\n", false},
        {"\"0\",\"1\"\n\"1\",\"2\"\n", false},
        {"source,target\n0,1\n", false},
        {"a,b\n1,2\n3,4\n", false},               /* titles that nobody knows */
        {"0 1\n1 x\n", false},                    /* a slip */
        {"hello world this\nis a text\n", false}, /* prose */
        {"ann bob\ncarl\n", false},
        {"ann,\nbob,carl\n", false},
        {"{\"nodes\": [], \"a\"}\n", false},
        {"ann\001bob,carl\n", false},
        {"", false},
    };
    for (size_t i = 0; i < sizeof lists / sizeof *lists; i++) {
        struct mw_input in;
        mw_input_memory(&in, "t", lists[i].text, strlen(lists[i].text));
        struct mw_read_conf conf = {.path = "t", .input = &in};
        mw_read_look(&conf);
        ck_assert_msg(conf.names == lists[i].named, "%s", lists[i].text);
        ck_assert(conf.names_by_look == conf.names);
        ck_assert_int_eq(conf.format, conf.names ? MW_FORMAT_EDGES : MW_FORMAT_AUTO);
    }
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* The column of weights by its title, in capitals or not. */
START_TEST(a_title_chooses_the_column_of_weights)
{
    static const char *const titles[] = {"travel time", "Travel_Time", "TRAVELTIME"};
    const char *text = "from,to,weight,Travel-Time\n0,1,5,7.5\n";
    for (size_t i = 0; i <= 3; i++) {
        struct mw_edges e;
        struct mw_file_facts f;
        const struct mw_read_conf conf = {
            .path = "t", .weights = true, .weight_title = i < 3 ? titles[i] : NULL};
        ck_good(read_graph_memory(&conf, text, strlen(text), &e, &f));
        ck_assert(f.has_weights && !f.skipped_titles);
        ck_assert_float_eq(mw_edges_weight(&e, 0), i < 3 ? 7.5F : 5.0F);
        mw_edges_fini(&e);
    }
}
END_TEST

static const struct {
    const char *text, *says;
    struct mw_read_conf conf;
} bad[] = {
    {"from,to,km\n0,1,5\n",
     ":1: no column has the title 'miles'",
     {.weight_title = "miles"}},
    {"0,1,5\n",
     ":1: no line of titles, so no column is called 'km'",
     {.weight_title = "km", .header = MW_HEADER_NO}},
    {"0,1,5\n", ":1: no column has the title 'km'", {.weight_title = "km"}},
    {"% asym unweighted\n0 1\n",
     ":2: vertex 0, but a comment says that they count from 1",
     {0}},
    {"% bip unweighted\n1 1\n", "write '% EDGES LEFT RIGHT' below it", {0}},
    {"% bip unweighted\n% 13 6\n1 1\n", "not how many there are", {0}},
    {"% bip unweighted\n% 2 2 3\n1 1\n3 1\n",
     ":4: vertex 3 on the left, where a comment says that there are 2",
     {0}},
    {"% bip unweighted\n% 2 2 3\n1 1\n1 4\n", ":4: vertex 4 on the right", {0}},
    {"% bip unweighted\n% 2 2 3\n1 1\n1 0\n", ":4: vertex 0", {0}},
    {"% bip unweighted\n% 2 9000000000000000000 3\n1 1\n", "at most 2^61", {0}},
    {"% bip unweighted\n% 2 2 3\n1 1\n",
     "has 5 vertices, but 4 were asked for",
     {.n_vertices = 4}},
    {"age,height\n1,2\n", "titles of columns that do not name both ends of an edge", {0}},
    {"source,age\n1,2\n", "such as source and target; --header yes", {0}},
    {"weight,target,source\n1,2,x\n", ":2: expected vertices in columns 3 and 2", {0}},
    {"weight,target,source\n1,2\n", ":2: only one vertex", {0}},
    {"id,from,to\n1,2,3\n4,5,6,7\n", ":3: 4 columns, but the first line has 3", {0}},
    {"id,from,to\n1,2,3\n4,0,6\n", ":3: vertex 0, but --base 1", {.base = 1}},
    {"foo bar\n1 2\n", "a line of titles --header yes", {0}},
    {"Valjean,Javert\nMarius,Cosette\n",
     "begins with no number, but with 'Valjean,Javert': an edge list of names needs "
     "--names",
     {0}},
    {"source,target\nann,bob\n",
     ":2: expected 'vertex vertex'; an edge list of names",
     {0}},
    {"<?xml version='1.0'?>\n<graphml xmlns=\"x\">\n",
     "is a GraphML file, which the program reads with Python",
     {0}},
    {"<?xml version='1.0'?>\n<gexf version=\"1.2\">\n", "is a GEXF file; convert", {0}},
    {"graph\n[\n  directed 0\n  node\n  [\n", "is a GML file; convert", {0}},
    {"Creator \"Mark Newman\"\ngraph\n[\n  node [\n", "is a GML file; convert", {0}},
    {"# a comment\ngraph [ directed 1\n", "is a GML file; convert", {0}},
    {"{\"directed\": false, \"nodes\": []}", "is JSON; convert", {0}},
    {"[[0, 1],\n [1, 2]]\n", "is JSON; convert", {0}},
    {"digraph G {\n a -> b;\n}\n", "is a DOT file; convert", {0}},
    {"// of a tool\nstrict graph \"a b\"\n{\n", "is a DOT file; convert", {0}},
    {"\x93NUMPY\x01",
     "is a NumPy array (.npy), which the program reads with Python",
     {0}},
    {"MATLAB 5.0 MAT-file, Platform: GLNXA64", "is a MATLAB file; convert", {0}},
    {"MATLAB 7.3 MAT-file, Platform: GLNXA64", "is a MATLAB file of version 7.3", {0}},
    {"PAR1....", "is a Parquet file, which the program reads with Python", {0}},
    {"\x89HDF....", "is an HDF5 file; export a text edge list", {0}},
};
enum { N_BAD = sizeof bad / sizeof *bad };

START_TEST(what_is_no_list_of_edges_is_refused_with_what_to_do)
{
    char got[200];
    for (uint32_t n_parts = 1; n_parts <= 3; n_parts++) {
        struct mw_file_facts f;
        struct mw_read_conf conf = bad[_i].conf;
        conf.n_parts = n_parts;
        ck_fails(read_text(bad[_i].text, conf, got, &f), MW_ERR_DATA, bad[_i].says);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
    }
}
END_TEST

/* A zip file is told by its first member. */
START_TEST(an_npz_file_is_no_mere_zip_file)
{
    static const struct {
        const char *member, *says;
    } zips[] = {
        {"indices.npy", "is a SciPy matrix (.npz)"},
        {"arr_0.npy", "is a file of NumPy arrays (.npz)"},
        {"readme.txt", "is a zip file; unpack it first: unzip t"},
    };
    for (size_t i = 0; i < sizeof zips / sizeof *zips; i++) {
        struct mw_edges e;
        struct mw_file_facts f;
        char zip[64] = "PK\003\004";
        zip[26] = (char)strlen(zips[i].member);
        strcpy(zip + 30, zips[i].member);
        ck_fails(read_graph_memory(&(struct mw_read_conf){.path = "t"}, zip, sizeof zip,
                                   &e, &f),
                 MW_ERR_DATA, zips[i].says);
    }
}
END_TEST

/* A name that a shell would not take as it stands is not put into a command. */
START_TEST(commands_have_only_names_that_a_shell_takes)
{
    struct mw_edges e;
    struct mw_file_facts f;
    const char *text = "digraph { a -> b }\n";
    struct mw_read_conf conf = {.path = "my $(rm) graph.dot"};
    ck_fails(read_graph_memory(&conf, text, strlen(text), &e, &f), MW_ERR_DATA,
             "head.name)}' FILE");
    conf.path = "my/graph.dot";
    ck_fails(read_graph_memory(&conf, text, strlen(text), &e, &f), MW_ERR_DATA,
             "head.name)}' my/graph.dot");
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("headers");
    TCase *c = tcase_create("headers");
    tcase_set_timeout(c, 0);
    tcase_add_loop_test(c, headers_of_real_files_say_what_they_say_to_any_part, 0,
                        N_HEADERS);
    tcase_add_test(c, a_base_or_a_size_that_is_given_wins_over_a_comment);
    tcase_add_test(c, the_comment_above_a_list_of_our_own_is_read_back);
    tcase_add_test(c, names_are_told_from_numbers_by_the_beginning);
    tcase_add_test(c, a_title_chooses_the_column_of_weights);
    tcase_add_loop_test(c, what_is_no_list_of_edges_is_refused_with_what_to_do, 0, N_BAD);
    tcase_add_test(c, an_npz_file_is_no_mere_zip_file);
    tcase_add_test(c, commands_have_only_names_that_a_shell_takes);
    suite_add_tcase(suite, c);
    return run_suite(suite);
}
