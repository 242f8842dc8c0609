/* test_reader.c -- graphs from files: every format, every number of parts, and every
 * way a file can be wrong. Runs in tests/, next to data/.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/reader.h"

#include "in_memory.h"
#include "io/input.h"
#include "io/lines.h"
#include "io/packed.h"
#include "io/treefile.h"
#include "suite.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- helpers ---- */

struct pairs {
    uint64_t n;
    uint64_t (*at)[2];
};

static int compare_pairs(const void *a, const void *b)
{
    return memcmp(a, b, 2 * sizeof(uint64_t)); /* any total order will do */
}

/* The edges of a list without their directions, added to what is there. */
static void add_pairs(struct pairs *to, const struct mw_edges *e)
{
    to->at = realloc(to->at, (to->n + e->n + 1) * sizeof *to->at);
    ck_assert_ptr_nonnull(to->at);
    for (uint64_t i = 0; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        to->at[to->n][0] = mw_min(u, v);
        to->at[to->n++][1] = mw_max(u, v);
    }
}

static bool same_pairs(struct pairs *a, struct pairs *b)
{
    if (a->n != b->n)
        return false;
    qsort(a->at, a->n, sizeof *a->at, compare_pairs);
    qsort(b->at, b->n, sizeof *b->at, compare_pairs);
    return memcmp(a->at, b->at, a->n * sizeof *a->at) == 0;
}

/* All parts of a file (data NULL) or of memory, as the ranks of a job read them. */
static int read_parts(struct mw_read_conf conf, const void *data, uint64_t bytes,
                      struct pairs *to, struct mw_file_facts *whole)
{
    const uint32_t n_parts = conf.n_parts != 0 ? conf.n_parts : 1;
    for (conf.part = 0; conf.part < n_parts; conf.part++) {
        struct mw_edges e;
        struct mw_file_facts facts;
        const int rc = data != NULL ? read_graph_memory(&conf, data, bytes, &e, &facts)
                                    : mw_read_graph(&conf, &e, &facts);
        if (rc < MW_OK)
            return rc;
        add_pairs(to, &e);
        if (conf.part == 0)
            *whole = facts;
        else
            mw_facts_merge(whole, &facts);
        mw_edges_fini(&e);
    }
    return mw_facts_check(&conf, whole);
}

static int read_string(struct mw_read_conf conf, const char *text, struct pairs *to,
                       struct mw_file_facts *whole)
{
    if (conf.path == NULL)
        conf.path = "memory";
    return read_parts(conf, text, strlen(text), to, whole);
}

/* ---- what is right ---- */

static const uint64_t small[7][2] = {{0, 1}, {1, 2}, {0, 2}, {3, 3},
                                     {1, 4}, {1, 4}, {0, 4}};

static const struct {
    const char *path;
    enum mw_format format;
    int base;
    uint64_t n_vertices, n_edges; /* as the facts have them */
} samples[] = {
    {"data/small.el", MW_FORMAT_EDGES, 0, 5, MW_UNKNOWN},
    {"data/small_from1.csv", MW_FORMAT_EDGES, 1, 5, MW_UNKNOWN},
    {"data/small.mtx", MW_FORMAT_MTX, 0, 6, 7},
    {"data/small.dimacs", MW_FORMAT_DIMACS, 0, 6, 7},
    {"data/small.packed12", MW_FORMAT_PACKED12, 0, 5, 7},
    {"data/small.packed16", MW_FORMAT_PACKED16, 0, 5, 7},
    {"data/small.sg", MW_FORMAT_SG, 0, 6, 7},
    {"data/small_directed.sg", MW_FORMAT_SG, 0, 6, 7},
    {"data/small.wsg", MW_FORMAT_WSG, 0, 6, 7},
    {"data/small.metis", MW_FORMAT_METIS, 0, 5, 7},
    {"data/small.net", MW_FORMAT_PAJEK, 0, 6, MW_UNKNOWN},
    {"data/small_flow.dimacs", MW_FORMAT_DIMACS, 0, 6, 7},
    {"data/small.adjacency", MW_FORMAT_ADJACENCY, 0, 6, MW_UNKNOWN},
};
enum { N_SAMPLES = sizeof samples / sizeof *samples };

START_TEST(formats_are_detected_and_any_parts_make_the_whole)
{
    for (uint32_t n_parts = 1; n_parts <= 7; n_parts++) {
        struct pairs want = {0}, got = {0};
        struct mw_file_facts facts;
        const struct mw_read_conf conf = {
            .path = samples[_i].path, .base = samples[_i].base, .n_parts = n_parts};
        ck_good(read_parts(conf, NULL, 0, &got, &facts));
        want.n = 7;
        want.at = malloc(sizeof small);
        memcpy(want.at, small, sizeof small);
        ck_assert(same_pairs(&want, &got));
        ck_assert_int_eq(facts.format, samples[_i].format);
        ck_assert_uint_eq(facts.n_vertices, samples[_i].n_vertices);
        ck_assert_uint_eq(facts.n_edges, samples[_i].n_edges);
        ck_assert_uint_eq(facts.n_read, 7);
        ck_assert_uint_eq(facts.n_self_loops, 1);
        ck_assert_uint_eq(facts.min_id, 0);
        ck_assert_uint_eq(facts.max_id, 4);
        free(want.at);
        free(got.at);
    }
}
END_TEST

static const struct {
    const char *text;
    enum mw_directed directed;
} directions[] = {
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n", MW_DIRECTED_YES},
    {"%%MatrixMarket matrix coordinate pattern symmetric\n2 2 1\n2 1\n", MW_DIRECTED_NO},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n",
     MW_DIRECTED_NO},
    {"p sp 2 1\na 1 2 5\n", MW_DIRECTED_YES},
    {"p max 2 1\na 1 2 5\n", MW_DIRECTED_YES},
    {"p edge 2 1\ne 1 2\n", MW_DIRECTED_NO},
    {"p col 2 1\ne 1 2\n", MW_DIRECTED_NO},
    {"p what 2 1\ne 1 2\n", MW_DIRECTED_UNSAID},
    {"0 1\n", MW_DIRECTED_UNSAID},
    {"# a comment\n0 1\n", MW_DIRECTED_UNSAID},
    {"# Directed graph: wiki-Vote.txt\n0 1\n", MW_DIRECTED_YES},
    {"# of SNAP\n\n# Undirected graph: ../amazon.ungraph.txt\n0 1\n", MW_DIRECTED_NO},
    {"# Directed graph (each unordered pair of nodes is saved once): x\n0 1\n",
     MW_DIRECTED_YES},
    {"% asym unweighted\n1 2\n", MW_DIRECTED_YES},
    {"% sym positive\n1 2\n", MW_DIRECTED_NO},
    {"% bip\n% 1 1 1\n1 1\n", MW_DIRECTED_NO},
    {"% symbols\n0 1\n", MW_DIRECTED_UNSAID},
    {"0 1\n# Directed graph, too late\n", MW_DIRECTED_UNSAID},
};
enum { N_DIRECTIONS = sizeof directions / sizeof *directions };

START_TEST(the_format_or_a_comment_says_whether_edges_have_a_direction)
{
    struct pairs got = {0};
    struct mw_file_facts facts;
    ck_good(read_string((struct mw_read_conf){.n_parts = 2}, directions[_i].text, &got,
                        &facts));
    ck_assert_int_eq(facts.directed, directions[_i].directed);
    free(got.at);
}
END_TEST

START_TEST(a_binary_graph_says_it_by_its_flag)
{
    static const struct {
        const char *path;
        enum mw_directed directed;
    } files[] = {
        {"data/small.sg", MW_DIRECTED_NO},
        {"data/small_directed.sg", MW_DIRECTED_YES},
        {"data/small.packed12", MW_DIRECTED_UNSAID},
        {"data/small.packed16", MW_DIRECTED_UNSAID},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct mw_file_facts facts;
        ck_good(mw_read_facts(&(struct mw_read_conf){.path = files[i].path}, &facts));
        ck_assert_int_eq(facts.directed, files[i].directed);
    }
}
END_TEST

START_TEST(facts_come_without_reading_the_edges)
{
    struct mw_file_facts facts;
    const struct mw_read_conf conf = {.path = "data/small.mtx"};
    ck_good(mw_read_facts(&conf, &facts));
    ck_assert_int_eq(facts.format, MW_FORMAT_MTX);
    ck_assert_uint_eq(facts.n_vertices, 6);
    ck_assert_uint_eq(facts.n_edges, 7);
    ck_assert_uint_eq(facts.bytes, 95);
    ck_assert_uint_eq(facts.n_read, 0);
}
END_TEST

START_TEST(a_symmetric_matrix_holds_each_edge_once)
{
    struct pairs got = {0};
    struct mw_file_facts facts;
    const struct mw_read_conf conf = {.path = "data/small_real_symmetric.mtx"};
    ck_good(read_parts(conf, NULL, 0, &got, &facts));
    ck_assert_uint_eq(got.n, 3);
    ck_assert_uint_eq(facts.n_self_loops, 1);
    free(got.at);
}
END_TEST

/* Each text means the two edges 0-1 and 12-3. */
static const char *const spellings[] = {
    "0 1\n12 3\n",
    "0 1\n12 3",
    "0 1\r\n12 3\r\n",
    "0 1\r\n12 3\r",
    "\xEF\xBB\xBF"
    "0 1\n12 3\n",
    "  0\t 1 \t\n\n \n12,3\n",
    "0, 1, 0.5, 2\n# a\n12, 3, -1e-3,7\n",
    "0,1,,5\n12,3,4,\n",
    "# vertices\n% more\n0 1 1.5\n12 3 2\n#",
    "00000000000000000000000000 0000001\n12 3\n",
};

START_TEST(lines_may_be_spelt_in_many_ways)
{
    for (uint32_t n_parts = 1; n_parts <= 7; n_parts++) {
        struct pairs got = {0};
        struct mw_file_facts facts;
        const struct mw_read_conf conf = {.n_parts = n_parts};
        ck_good(read_string(conf, spellings[_i], &got, &facts));
        ck_assert_uint_eq(got.n, 2);
        ck_assert_uint_eq(facts.n_vertices, 13);
        const uint64_t sum = got.at[0][0] + got.at[0][1] + got.at[1][0] + got.at[1][1];
        ck_assert_uint_eq(sum, 16);
        free(got.at);
    }
}
END_TEST

/* More than one block of text, so that lines cross blocks and slices. */
START_TEST(long_texts_are_read_whole_by_any_parts)
{
    enum { N = 200000 };
    char *text = malloc(N * 16);
    char *p = text;
    ck_assert_ptr_nonnull(text);
    for (uint64_t i = 0; i < N; i++)
        p += sprintf(p, "%llu %llu\n", (unsigned long long)(i * i % 1000003),
                     (unsigned long long)i);
    uint64_t sums[8] = {0};
    for (uint32_t n_parts = 1; n_parts <= 7; n_parts++) {
        struct pairs got = {0};
        struct mw_file_facts facts;
        const struct mw_read_conf conf = {.n_parts = n_parts};
        ck_good(read_string(conf, text, &got, &facts));
        ck_assert_uint_eq(got.n, N);
        for (uint64_t i = 0; i < N; i++)
            sums[n_parts] += got.at[i][0] * 31 + got.at[i][1];
        ck_assert_uint_eq(sums[n_parts], sums[1]);
        free(got.at);
    }
    strcpy(p, "1 x\n"); /* found by the last part, numbered over the whole file */
    struct pairs got = {0};
    struct mw_file_facts facts;
    const struct mw_read_conf conf = {.path = "long.el", .n_parts = 5};
    ck_fails(read_string(conf, text, &got, &facts), MW_ERR_DATA, "long.el:200001: ");
    free(got.at);
    free(text);
}
END_TEST

START_TEST(blocks_of_any_size_deliver_the_same)
{
    const char text[] =
        "# a comment that is longer than the blocks\n0 1\n\n12 3\n4 5\r\n6 7";
    for (uint64_t block = 5; block < 80; block++)
        for (uint32_t n_parts = 1; n_parts <= 7; n_parts++) {
            struct pairs got = {0};
            struct mw_file_facts facts;
            mw_lines_set_block(block);
            ck_good(read_string((struct mw_read_conf){.n_parts = n_parts}, text, &got,
                                &facts));
            ck_assert_uint_eq(got.n, 4);
            ck_assert_uint_eq(facts.max_id, 12);
            free(got.at);
        }
}
END_TEST

/* A grid of 9 x 11 vertices, larger than what is looked at or not, as METIS has it. */
static char *write_grid(uint64_t height, uint64_t width)
{
    char *text = malloc(height * width * 40 + 64), *p = text;
    ck_assert_ptr_nonnull(text);
    p += sprintf(p, "%llu %llu\n", (unsigned long long)(height * width),
                 (unsigned long long)(height * (width - 1) + width * (height - 1)));
    for (uint64_t v = 1; v <= height * width; v++) {
        const uint64_t x = (v - 1) % width;
        if (v > width)
            p += sprintf(p, "%llu ", (unsigned long long)(v - width));
        if (x > 0)
            p += sprintf(p, "%llu ", (unsigned long long)(v - 1));
        if (x + 1 < width)
            p += sprintf(p, "%llu ", (unsigned long long)(v + 1));
        if (v + width <= height * width)
            p += sprintf(p, "%llu", (unsigned long long)(v + width));
        *p++ = '\n';
    }
    *p = '\0';
    return text;
}

START_TEST(neighbours_are_told_from_edges_by_content)
{
    const uint64_t height = _i == 0 ? 9 : 300, width = _i == 0 ? 11 : 200;
    char *text = write_grid(height, width);
    for (uint32_t n_parts = 1; n_parts <= 5; n_parts++) {
        struct pairs got = {0};
        struct mw_file_facts facts;
        ck_good(
            read_string((struct mw_read_conf){.n_parts = n_parts}, text, &got, &facts));
        ck_assert_int_eq(facts.format, MW_FORMAT_METIS);
        ck_assert_int_eq(facts.directed, MW_DIRECTED_NO);
        ck_assert_uint_eq(facts.n_vertices, height * width);
        ck_assert_uint_eq(got.n, height * (width - 1) + width * (height - 1));
        free(got.at);
    }
    free(text);
}
END_TEST

/* Text without a banner that METIS's could be at first sight. */
static const struct {
    const char *text;
    enum mw_format format;
} told_apart[] = {
    {"3 3\n2 3\n1 3\n1 2\n", MW_FORMAT_METIS}, /* a triangle, says every check */
    {"3 3\n2 3\n1 3\n1 3\n", MW_FORMAT_EDGES}, /* 1 names 2, but 2 does not name 1 */
    {"3 3\n2 3\n1 3\n", MW_FORMAT_EDGES},      /* a line too few */
    {"1 0\n\n", MW_FORMAT_EDGES},              /* an edge, and an empty line */
    {"0 1\n1 2\n", MW_FORMAT_EDGES},
    {"4 2\n1 3\n2 4\n3 1\n", MW_FORMAT_EDGES},
    {"# GMT\n0 1\n", MW_FORMAT_EDGES},
    {"#x\n# GMT now\n# y\n0 1\n", MW_FORMAT_ADJACENCY},
    {"3 2 0\r\n2\r\n1 3\r\n2\r\n", MW_FORMAT_METIS},
    {"3 2 001\n2 1.5\n1 1.5 3 7\n2 7", MW_FORMAT_METIS},
    {"3 1 010\n5 2\n6 1\n7\n", MW_FORMAT_METIS},
    {"% c\n3 1 10 2\n5 5 2\n% c\n6 6 1\n\n\n\n", MW_FORMAT_METIS},
};
enum { N_TOLD_APART = sizeof told_apart / sizeof *told_apart };

START_TEST(short_lists_are_told_apart)
{
    struct pairs got = {0};
    struct mw_file_facts facts;
    for (uint32_t n_parts = 1; n_parts <= 3; n_parts++) {
        ck_good(read_string((struct mw_read_conf){.n_parts = n_parts},
                            told_apart[_i].text, &got, &facts));
        ck_assert_int_eq(facts.format, told_apart[_i].format);
    }
    free(got.at);
}
END_TEST

START_TEST(neighbours_may_come_with_numbers_that_are_not_used)
{
    static const uint64_t want[4][2] = {{0, 1}, {0, 2}, {1, 2}, {2, 3}};
    struct pairs got = {0}, all = {4, malloc(sizeof want)};
    struct mw_file_facts facts;
    const struct mw_read_conf conf = {.path = "data/small_weights.metis", .n_parts = 3};
    memcpy(all.at, want, sizeof want);
    ck_good(read_parts(conf, NULL, 0, &got, &facts));
    ck_assert_int_eq(facts.format, MW_FORMAT_METIS);
    ck_assert(same_pairs(&all, &got));
    free(all.at);
    free(got.at);
}
END_TEST

/* Edges of a network that also has arcs are two arcs each. */
START_TEST(pajek_tells_arcs_from_edges)
{
    static const struct {
        const char *text;
        enum mw_directed directed;
        uint64_t n_read;
        bool weighted;
    } networks[] = {
        {"*Vertices 3\r\n*Edges\r\n1 2\r\n2 3\r\n", MW_DIRECTED_NO, 2, false},
        {"% c\n*vertices 3\n1 \"a\"\n*ARCS\n1 2 0.5\n2 3 1", MW_DIRECTED_YES, 2, true},
        {"*Vertices 3 1\n*Arcs\n1 2\n*Edges\n2 3\n3 3\n", MW_DIRECTED_YES, 4, false},
        {"*Vertices 3\n*Edgeslist\n1 2 3\n", MW_DIRECTED_NO, 2, false},
        {"*Vertices 3\n\n", MW_DIRECTED_UNSAID, 0, false},
    };
    for (size_t i = 0; i < sizeof networks / sizeof *networks; i++)
        for (uint32_t n_parts = 1; n_parts <= 5; n_parts++)
            for (uint64_t block = 32; block <= 1024; block *= 32) {
                struct pairs got = {0};
                struct mw_file_facts facts;
                mw_lines_set_block(block);
                ck_good(read_string((struct mw_read_conf){.n_parts = n_parts},
                                    networks[i].text, &got, &facts));
                ck_assert_int_eq(facts.format, MW_FORMAT_PAJEK);
                ck_assert_int_eq(facts.directed, networks[i].directed);
                ck_assert_uint_eq(facts.n_vertices, 3);
                ck_assert_uint_eq(facts.n_read, networks[i].n_read);
                ck_assert_int_eq(facts.weighted, networks[i].weighted);
                free(got.at);
            }
}
END_TEST

/* What breadth-first search has no use for is known, so that it can be said. */
START_TEST(dropped_weights_are_facts)
{
    static const struct {
        const char *path;
        bool weighted;
    } files[] = {
        {"data/small.el", false},       {"data/small.mtx", false},
        {"data/small.sg", false},       {"data/small.wsg", true},
        {"data/small.net", true},       {"data/small_real_symmetric.mtx", true},
        {"data/small.metis", false},    {"data/small_weights.metis", true},
        {"data/small.dimacs", true},    {"data/small_flow.dimacs", true},
        {"data/small_from1.csv", true},
    };
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct pairs got = {0};
        struct mw_file_facts facts;
        const struct mw_read_conf conf = {.path = files[i].path,
                                          .base = strstr(files[i].path, "from1") != NULL,
                                          .n_parts = 3};
        ck_good(read_parts(conf, NULL, 0, &got, &facts));
        ck_assert_msg(facts.weighted == files[i].weighted, "%s", files[i].path);
        free(got.at);
    }
}
END_TEST

/* A hub's line is longer than any block. */
START_TEST(lines_of_neighbours_may_be_longer_than_a_block)
{
    char text[1024] = "60 59\n", *p = text + strlen(text);
    for (int v = 2; v <= 60; v++)
        p += sprintf(p, "%d ", v);
    for (int v = 2; v <= 60; v++)
        p += sprintf(p, "\n1");
    for (uint64_t block = 6; block < 80; block += 7)
        for (uint32_t n_parts = 1; n_parts <= 7; n_parts++) {
            struct pairs got = {0};
            struct mw_file_facts facts;
            mw_lines_set_block(block);
            ck_good(read_string((struct mw_read_conf){.n_parts = n_parts}, text, &got,
                                &facts));
            ck_assert_int_eq(facts.format, MW_FORMAT_METIS);
            ck_assert_uint_eq(got.n, 59);
            free(got.at);
        }
}
END_TEST

/* A comment may be longer than a block; another line may not. */
START_TEST(only_comments_may_be_huge)
{
    enum { N = 3 << 20 };
    struct pairs got = {0};
    struct mw_file_facts facts;
    char *text = malloc(N + 16);
    ck_assert_ptr_nonnull(text);
    memset(text, 'x', N);
    memcpy(text, "0 1\n#", 5);
    strcpy(text + N, "\n1 2\n");
    for (uint32_t n_parts = 1; n_parts <= 7; n_parts++) {
        got.n = 0;
        ck_good(
            read_string((struct mw_read_conf){.n_parts = n_parts}, text, &got, &facts));
        ck_assert_uint_eq(got.n, 2);
    }
    memset(text + 4, '7', N - 4);
    ck_fails(read_string((struct mw_read_conf){0}, text, &got, &facts), MW_ERR_DATA,
             "memory:2: line is longer than");
    free(got.at);
    free(text);
}
END_TEST

START_TEST(packed_numbers_have_48_bits_with_a_sign)
{
    unsigned char edge[MW_PACKED_BYTES];
    const int64_t ids[] = {0,
                           1,
                           INT64_C(1) << 31,
                           (INT64_C(1) << 32) + 5,
                           (INT64_C(1) << 47) - 1,
                           -1,
                           -(INT64_C(1) << 47)};
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        for (size_t k = 0; k < sizeof ids / sizeof *ids; k++) {
            mw_vid u, v;
            mw_edge_pack((uint64_t)ids[i], (uint64_t)ids[k], edge);
            mw_edge_unpack(edge, &u, &v);
            ck_assert_int_eq((int64_t)u, ids[i]);
            ck_assert_int_eq((int64_t)v, ids[k]);
        }
    struct pairs got = {0};
    struct mw_file_facts facts;
    const struct mw_read_conf conf = {.path = "m", .format = MW_FORMAT_PACKED12};
    mw_edge_pack((UINT64_C(1) << 47) - 1, UINT64_C(1) << 31, edge);
    ck_good(read_parts(conf, edge, sizeof edge, &got, &facts));
    ck_assert_uint_eq(facts.n_vertices, UINT64_C(1) << 47);
    mw_edge_pack(1, UINT64_C(1) << 47, edge);
    ck_fails(read_parts(conf, edge, sizeof edge, &got, &facts), MW_ERR_DATA, "negative");
    free(got.at);
}
END_TEST

/* 44: never cut to 32 bits, nor to 63. */
START_TEST(wide_ids_stay_whole)
{
    struct mw_edges e;
    struct mw_file_facts facts;
    const struct mw_read_conf conf = {.path = "m"};
    const char text[] =
        "0 1\n4294967294 1\n4294967295 4294967296\n9223372036854775807 1\n";
    ck_good(read_graph_memory(&conf, text, sizeof text - 1, &e, &facts));
    mw_vid u, v;
    mw_edges_get(&e, 2, &u, &v);
    ck_assert_uint_eq(u, 4294967295);
    ck_assert_uint_eq(v, 4294967296);
    mw_edges_get(&e, 3, &u, &v);
    ck_assert_uint_eq(u, INT64_MAX);
    ck_assert_uint_eq(e.n_vertices, UINT64_C(1) << 63);
    mw_edges_fini(&e);
}
END_TEST

START_TEST(an_empty_file_is_a_graph_if_its_size_is_given)
{
    struct pairs got = {0};
    struct mw_file_facts facts;
    struct mw_read_conf conf = {.path = "data/empty", .n_parts = 3};
    ck_fails(read_parts(conf, NULL, 0, &got, &facts), MW_ERR_DATA, "0 edges");
    conf.path = "data/comments_only.el";
    ck_fails(read_parts(conf, NULL, 0, &got, &facts), MW_ERR_DATA, "0 edges");
    conf.n_vertices = 10;
    ck_good(read_parts(conf, NULL, 0, &got, &facts));
    conf.path = "data/empty";
    ck_good(read_parts(conf, NULL, 0, &got, &facts));
    ck_assert_uint_eq(facts.n_vertices, 10);
    ck_assert_uint_eq(got.n, 0);
    free(got.at);
}
END_TEST

/* 37 */
START_TEST(a_file_that_shrinks_while_read_is_an_error_and_no_signal)
{
    char path[] = "/tmp/meshway-test-XXXXXX";
    char to[100];
    struct mw_input in;
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(ftruncate(fd, 1000), 0);
    ck_good(mw_input_open(&in, path));
    unlink(path);
    ck_good(mw_input_read(&in, 900, to, 100));
    ck_assert_int_eq(ftruncate(fd, 950), 0);
    ck_fails(mw_input_read(&in, 900, to, 100), MW_ERR_NOINPUT,
             "became shorter while being read: 1000 bytes expected, ends at 950");
    mw_input_close(&in);
    close(fd);
}
END_TEST

START_TEST(different_files_have_different_fingerprints)
{
    enum { N = 1 << 20 };
    struct mw_input in;
    uint64_t a, b;
    char *data = calloc(1, N);
    ck_assert_ptr_nonnull(data);
    mw_input_memory(&in, "a", data, N);
    ck_good(mw_input_fingerprint(&in, &a));
    data[N - 1] = 1;
    ck_good(mw_input_fingerprint(&in, &b));
    ck_assert(a != b);
    mw_input_memory(&in, "a", data, 100);
    for (int i = 0; i < 100; i++) {
        ck_good(mw_input_fingerprint(&in, &a));
        data[i] ^= 4;
        ck_good(mw_input_fingerprint(&in, &b));
        ck_assert(a != b);
    }
    free(data);
}
END_TEST

START_TEST(one_edge_list_grows_widens_and_is_trimmed)
{
    struct mw_edges e;
    ck_good(mw_edges_init(&e, 0, 0));
    for (uint64_t i = 0; i < 5000; i++)
        ck_good(mw_edges_add(&e, i, i < 4000 ? 1 : UINT64_C(1) << 40));
    ck_assert_ptr_nonnull(e.wide);
    ck_assert_ptr_null(e.narrow);
    mw_edges_trim(&e);
    for (uint64_t i = 0; i < 5000; i++) {
        mw_vid u, v;
        mw_edges_get(&e, i, &u, &v);
        ck_assert_uint_eq(u, i);
        ck_assert_uint_eq(v, i < 4000 ? 1 : UINT64_C(1) << 40);
    }
    ck_fails(mw_edges_reserve(&e, UINT64_MAX / 2 + 5), MW_ERR_NOMEM, "edge list");
    ck_assert_uint_eq(e.n, 5000);
    mw_edges_fini(&e);
}
END_TEST

/* ---- what is wrong ---- */

static const struct {
    const char *path;
    struct mw_read_conf conf; /* without the path */
    int code;
    const char *says;
} bad_files[] = {
    {"data/no_such_file", {0}, MW_ERR_NOINPUT, "data/no_such_file: cannot open: No such"},
    {"data", {0}, MW_ERR_NOINPUT, "data: is a directory"},
    {"/dev/null", {0}, MW_ERR_NOINPUT, "/dev/null: is a device or pipe"},
    {"data/bad_garbage.el",
     {0},
     MW_ERR_DATA,
     "bad_garbage.el:3: expected 'vertex vertex'"},
    {"data/bad_garbage.el", {0}, MW_ERR_DATA, "'hello world'"},
    {"data/bad_escape.el",
     {0},
     MW_ERR_DATA,
     ":2: expected 'vertex vertex': '1 \\x1b[31mred\\x9b0m'"},
    {"data/bad_nul.el", {0}, MW_ERR_DATA, ":3: expected 'vertex vertex': '1 \\0'"},
    {"data/bad_negative.el", {0}, MW_ERR_DATA, ":2: negative vertex"},
    {"data/bad_wide.el", {0}, MW_ERR_DATA, ":2: vertex beyond 2^63 - 1"},
    {"data/bad_lone.el", {0}, MW_ERR_DATA, ":2: only one vertex"},
    {"data/small.el",
     {.n_vertices = 4},
     MW_ERR_DATA,
     "small.el:7: vertex 4 is not in 0..3 (n = 4)"},
    {"data/small.el", {.base = 1}, MW_ERR_DATA, "small.el:3: vertex 0, but --base 1"},
    {"data/small.el", {.base = 2}, MW_ERR_USAGE, "--base 2"},
    {"data/small_from1.csv", {.n_vertices = 5}, MW_ERR_DATA, "say --base 1"},
    {"data/small.mtx", {.n_vertices = 5}, MW_ERR_DATA, "has 6 vertices, but 5"},
    {"data/bad_banner.mtx", {0}, MW_ERR_DATA, "bad_banner.mtx:1: wrong banner"},
    {"data/bad_complex.mtx", {0}, MW_ERR_DATA, ":1: complex entries"},
    {"data/bad_array.mtx", {0}, MW_ERR_DATA, ":1: a dense matrix"},
    {"data/bad_not_square.mtx",
     {0},
     MW_ERR_DATA,
     ":2: the matrix is not square: 2 rows, 3 columns"},
    {"data/bad_count.mtx", {0}, MW_ERR_DATA, "says 3 entries, the file has 2"},
    {"data/bad_huge.mtx", {0}, MW_ERR_DATA, ":2: 1152921504606846976 entries need"},
    {"data/bad_zero.mtx", {0}, MW_ERR_DATA, ":4: row or column 0"},
    {"data/small.el", {.format = MW_FORMAT_MTX}, MW_ERR_DATA, ":1: wrong banner"},
    {"data/small.el", {.format = MW_FORMAT_SG}, MW_ERR_DATA, "not a .sg header"},
    {"data/small.el",
     {.format = MW_FORMAT_PACKED12},
     MW_ERR_DATA,
     "70 bytes found, expected a multiple of 12 (72 for 6 edges)"},
    {"data/bad_huge.sg",
     {0},
     MW_ERR_DATA,
     "truncated: 4611686018427387977 bytes expected"},
    {"data/bad_big_endian.sg", {0}, MW_ERR_DATA, "other byte order"},
    {"data/bad_big_endian.sg", {.format = MW_FORMAT_SG}, MW_ERR_DATA, "other byte order"},
    {"data/bad_offsets.sg", {0}, MW_ERR_DATA, "offset of row 1 is 5, not in 0..2"},
    {"data/bad_id.sg",
     {0},
     MW_ERR_DATA,
     "entry 1, in row 1: vertex 9 is not in 0..1 (n = 2)"},
    {"data/bad_one_half.sg", {0}, MW_ERR_DATA, "2 entries (u, v) with u < v and 0"},
    /* 0: [1]  1: []  2: [1]: as many upwards as downwards, but not the same edges */
    {"data/bad_not_symmetric.sg", {0}, MW_ERR_DATA, "not symmetric: 1 entries"},
    {"data/small.sg", {.base = 1}, MW_ERR_USAGE, "small.sg: --base 1, but"},
    {"data/small.mtx", {.base_given = true}, MW_ERR_USAGE, "small.mtx: --base 0, but"},
    {"data/bad_truncated.packed12", {0}, MW_ERR_DATA, "size is no multiple of 12 or 16"},
    {"data/bad_truncated.packed12",
     {.format = MW_FORMAT_PACKED12},
     MW_ERR_DATA,
     "truncated: 79 bytes"},
    {"data/bad_negative.packed16",
     {.format = MW_FORMAT_PACKED16},
     MW_ERR_DATA,
     "edge 1 (from 0, at byte 16): vertex -7 is negative"},
    {"data/small.packed12",
     {.n_vertices = 4},
     MW_ERR_DATA,
     "edge 4 (from 0, at byte 48): vertex 4 is not in 0..3"},
};
enum { N_BAD_FILES = sizeof bad_files / sizeof *bad_files };

START_TEST(bad_files_are_refused_with_a_reason)
{
    struct pairs got = {0};
    struct mw_file_facts facts;
    struct mw_read_conf conf = bad_files[_i].conf;
    conf.path = bad_files[_i].path;
    for (conf.n_parts = 1; conf.n_parts <= 3; conf.n_parts++)
        ck_fails(read_parts(conf, NULL, 0, &got, &facts), bad_files[_i].code,
                 bad_files[_i].says);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
    free(got.at);
}
END_TEST

static const struct {
    const char *text, *says;
} bad_texts[] = {
    {"0 1\n1-2\n", ":2: expected"},
    {"# c\n\n3 2\n2 3\n1 3 4\n", ":5: 3 columns, but the first edge has 2"},
    {"0 1 5\n1 2\n", ":2: 2 columns, but the first edge has 3"},
    {"0,1,5\n1,2,\n1,3,,\n", ":3: 4 columns, but the first edge has 3"},
    {"0 1 x\n", ":1: expected"},
    {"0 1\r2 3\n", ":1: expected"},
    {"0 +1\n", ":1: expected"},
    {"1.5 2\n", ":1: expected"},
    {"0x10 2\n", ":1: expected"},
    {"0 -1\n", ":1: negative"},
    {"1 18446744073709551616\n", ":1: vertex beyond"},
    {"1 9223372036854775808\n", ":1: vertex beyond"},
    {"%%MatrixMarket matrix coordinate pattern general\n", "without a line 'rows"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2\n",
     ":2: expected 'rows columns"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1 1\n1 2\n", ":2: expected"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2 5\n",
     ":3: expected 'row column'"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 2222\n",
     ":3: expected 'row column value'"},
    {"%%MatrixMarket matrix coordinate real general\n2 2 1\n1 3 1\n",
     ":3: vertex 3 is not in 1..2"},
    {"%%MatrixMarket matrix coordinate pattern general\n2 2 1\n1 2\n2 1\n",
     "says 1 entries, the file has 2"},
    {"%%MatrixMarket matrix coordinate pattern general\n9 9 3\n1 2\n3 4",
     ":2: 3 entries need at least 4 bytes each"},
    {"%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 2 1.\n",
     "no diagonal"},
    {"%%MatrixMarket vector coordinate real general\n", "holds a 'vector'"},
    {"%%MatrixMarket matrix coordinate real hermitian\n", "symmetry 'hermitian'"},
    {"%%MatrixMarket matrix coordinate colour general\n", "field 'colour'"},
    {"%%MatrixMarket matrix coordinate real general extra\n", "too many words"},
    {"%%MatrixMarket matrix coordinate pattern general\n9223372036854775808 1 1\n",
     "beyond 2^63"},
    {"*Vertices 2\n*Arcs\n1 3\n", ":3: vertex 3 is not in 1..2"},
    {"*Vertices 2\n*Arcs\n1\n", ":3: expected 'vertex vertex'"},
    {"*Vertices 2\n*Arcs\n1 0\n", ":3: vertex 0, but"},
    {"*Vertices 2\n*Arcs\n1 -2\n", ":3: negative"},
    {"*Vertices 2\n*Matrix\n0 1\n1 0\n", ":2: this section is not read"},
    {"*Vertices 2\n*Vertices 2\n", ":2: a second network"},
    {"*Vertices x\n", ":1: expected '*Vertices n'"},
    {"*Network a\n*Arcs\n1 2\n", ":2: expected '*Vertices n' first"},
    {"*Network a\n", "without a line '*Vertices n'"},
    {"c x\np sp 2 1\na 1 2\n", ":3: expected 'e vertex"},
    {"p sp 2 1\na 1 3 1\n", ":2: vertex 3 is not in 1..2"},
    {"p sp 2 1\na 0 1 1\n", ":2: vertex 0, but"},
    {"p sp 2 2\na 1 2 99999\n", "says 2 entries, the file has 1"},
    {"p sp 2\na 1 2 1\n", ":1: expected 'p KIND"},
    {"p edge 2 99\ne 1 2\n", ":1: 99 edges need"},
    {"c only\n", "without a line 'p KIND"},
    {"\x1F\x8B\x08 gzip", "is a gzip file"},
    {"what is this", "format not recognised"},
};
enum { N_BAD_TEXTS = sizeof bad_texts / sizeof *bad_texts };

START_TEST(bad_texts_are_refused_with_a_reason)
{
    struct pairs got = {0};
    struct mw_file_facts facts;
    ck_fails(read_string((struct mw_read_conf){0}, bad_texts[_i].text, &got, &facts),
             MW_ERR_DATA, bad_texts[_i].says);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
    free(got.at);
}
END_TEST

static const struct {
    const char *text, *says;
} bad_metis[] = {
    {"3 2\n2\n1 3\n\n", "not symmetric: 2 entries (u, v) with u < v and 1"},
    {"4 3\n2\n1 3\n2\n\n", "says 3 entries, the file has 2"},
    {"4 2\n2\n1 3\n2\n", "says 4 vertices, but 3 lines follow"},
    {"3 2\n2\n1 3\n2\n1\n", ":5: a line more than the header's 3"},
    {"3 2\n2\n1 4\n2\n", ":3: vertex 4 is not in 1..3"},
    {"3 2\n2\n1 0\n2\n", ":3: neighbour 0"},
    {"3 2 1\n2 5\n1 5 3\n2 5\n", ":3: expected the neighbours of vertex 2, a weight"},
    {"3 2 11 2\n1 1 2 5\n1 1 1 5 3 5\n1\n", ":4: expected 2 numbers of vertex 3"},
    {"3 2 2\n2\n1 3\n2\n", ":1: expected 'vertices edges [fmt"},
    {"99 2\n2\n1 3\n2\n", ":1: 99 vertices and 2 edges need more"},
    {"3 2 x\n", ":1: expected 'vertices edges"},
    {"%\n", "without a line 'vertices edges'"},
};
enum { N_BAD_METIS = sizeof bad_metis / sizeof *bad_metis };

START_TEST(bad_neighbours_are_refused_with_a_reason)
{
    struct pairs got = {0};
    struct mw_file_facts facts;
    struct mw_read_conf conf = {.format = MW_FORMAT_METIS};
    for (conf.n_parts = 1; conf.n_parts <= 3; conf.n_parts++)
        ck_fails(read_string(conf, bad_metis[_i].text, &got, &facts), MW_ERR_DATA,
                 bad_metis[_i].says);
    conf = (struct mw_read_conf){.format = MW_FORMAT_ADJACENCY};
    ck_fails(read_string(conf, "0 1 2\n1 {}\n", &got, &facts), MW_ERR_DATA,
             ":2: expected");
    ck_assert_uint_eq(mw_mem_in_use(), 0);
    free(got.at);
}
END_TEST

/* 36 */
START_TEST(no_permission_is_said)
{
    char path[] = "/tmp/meshway-test-XXXXXX";
    struct mw_edges e;
    struct mw_file_facts facts;
    const struct mw_read_conf conf = {.path = path};
    const int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(fchmod(fd, 0), 0);
    close(fd);
    if (access(path, R_OK) != 0) /* root may read anything */
        ck_fails(mw_read_graph(&conf, &e, &facts), MW_ERR_NOINPUT, "Permission denied");
    unlink(path);
}
END_TEST

/* 40, 38: cut anywhere, a file with a header is an error; one without may only lose
 * whole edges at its end. */
START_TEST(files_cut_anywhere_never_mislead)
{
    unsigned char data[256];
    FILE *f = fopen(samples[_i].path, "rb");
    ck_assert_ptr_nonnull(f);
    const size_t bytes = fread(data, 1, sizeof data, f);
    fclose(f);
    const enum mw_format format = samples[_i].format;
    const uint64_t record = format == MW_FORMAT_PACKED12 ? 12 : 16;
    for (size_t cut = 0; cut < bytes; cut++)
        for (uint32_t n_parts = 1; n_parts <= 3; n_parts++) {
            struct pairs got = {0};
            struct mw_file_facts facts;
            unsigned char *copy = malloc(cut + 1); /* for the address sanitizer */
            const struct mw_read_conf conf = {.path = "cut",
                                              .base = samples[_i].base,
                                              .format = format,
                                              .n_parts = n_parts};
            memcpy(copy, data, cut);
            const int rc = read_parts(conf, copy, cut, &got, &facts);
            const bool headerless =
                format == MW_FORMAT_PACKED12 || format == MW_FORMAT_PACKED16;
            if (headerless && cut % record == 0 && cut > 0)
                ck_assert(rc == MW_OK && got.n == cut / record);
            else if (format == MW_FORMAT_EDGES || format == MW_FORMAT_ADJACENCY ||
                     format == MW_FORMAT_PAJEK)
                ck_assert(rc == MW_ERR_DATA || (rc == MW_OK && got.n <= 7));
            else if ((format == MW_FORMAT_MTX || format == MW_FORMAT_DIMACS ||
                      format == MW_FORMAT_METIS) &&
                     cut == bytes - 1)
                ck_assert_int_eq(rc, MW_OK); /* only the last newline is gone */
            else
                ck_assert_int_eq(rc, MW_ERR_DATA);
            free(copy);
            free(got.at);
        }
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* Bytes that count for RLIMIT_DATA; a sanitizer has terabytes of them from the start. */
static uint64_t data_now(void)
{
    unsigned long long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_int_eq(fscanf(f, "%*u %*u %*u %*u %*u %llu", &pages), 1);
    fclose(f);
    return pages * (uint64_t)sysconf(_SC_PAGESIZE);
}

/* 45: under a limit that a believed header would break. */
START_TEST(huge_claims_are_refused_before_allocating)
{
    struct mw_edges e;
    struct mw_file_facts facts;
    struct rlimit limit, before_limit;
    const char *const files[] = {"data/bad_huge.mtx", "data/bad_huge.sg"};
    const uint64_t before = mw_mem_peak();
    getrlimit(RLIMIT_DATA, &before_limit);
    limit = before_limit;
    limit.rlim_cur = data_now() + (512 << 20);
    setrlimit(RLIMIT_DATA, &limit);
    for (int i = 0; i < 2; i++) {
        const struct mw_read_conf conf = {.path = files[i]};
        ck_assert_int_eq(mw_read_graph(&conf, &e, &facts), MW_ERR_DATA);
    }
    setrlimit(RLIMIT_DATA, &before_limit); /* sanitizers need room at the end */
    ck_assert_uint_le(mw_mem_peak() - before, 4 << 20);
}
END_TEST

START_TEST(failing_allocations_are_reported_and_nothing_leaks)
{
    for (uint64_t n = 1; n < 100; n++) {
        struct mw_edges e;
        struct mw_file_facts facts;
        const struct mw_read_conf conf = {.path = samples[_i].path,
                                          .base = samples[_i].base};
        mw_mem_fail_at(n);
        const int rc = mw_read_graph(&conf, &e, &facts);
        mw_mem_fail_at(0);
        if (rc == MW_OK)
            mw_edges_fini(&e);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
        if (rc == MW_OK)
            return;
        ck_assert_int_eq(rc, MW_ERR_NOMEM);
    }
    ck_abort_msg("never succeeds");
}
END_TEST

/* ---- trees ---- */

static int read_tree(const char *text, uint64_t n)
{
    int64_t *parent = NULL;
    const struct mw_names names = {.n_vertices = n};
    const int rc = read_tree_memory("t", text, strlen(text), &names, 0, 1, &parent);
    mw_free(parent);
    return rc;
}

START_TEST(trees_are_read_in_both_forms_by_any_ranks)
{
    const int64_t want[] = {0, 0, 0, -1, 0, -1};
    const char *const files[] = {"data/small.tree", "data/small_tree.bin"};
    for (uint32_t n_ranks = 1; n_ranks <= 7; n_ranks++)
        for (uint32_t rank = 0; rank < n_ranks; rank++) {
            int64_t *parent;
            ck_good(mw_read_tree(files[_i], &(struct mw_names){.n_vertices = 6}, rank,
                                 n_ranks, &parent));
            for (uint64_t v = rank; v < 6; v += n_ranks)
                ck_assert_int_eq(parent[v / n_ranks], want[v]);
            mw_free(parent);
        }
}
END_TEST

START_TEST(bad_trees_are_refused_with_a_reason)
{
    int64_t *parent;
    const struct mw_names seven = {.n_vertices = 7};
    ck_fails(read_tree("0 0\n1 0\n", 3), MW_ERR_DATA, "no line for vertex 2");
    ck_fails(read_tree("0 0\n1 0\n1 0\n", 3), MW_ERR_DATA,
             "t:3: vertex 1 for the second");
    ck_fails(read_tree("0 0\n1 3\n2 0\n", 3), MW_ERR_DATA, "t:2: 3 is not in 0..2");
    ck_fails(read_tree("0 0\n3 1\n2 0\n", 3), MW_ERR_DATA, "t:2: 3 is not in 0..2");
    ck_fails(read_tree("0 0\n1 -2\n2 0\n", 3), MW_ERR_DATA, "t:2: expected");
    ck_fails(read_tree("0 0\n1\n2 0\n", 3), MW_ERR_DATA, "t:2: expected");
    ck_fails(read_tree("0 0\n1 0 0\n2 0\n", 3), MW_ERR_DATA, "nothing else");
    ck_fails(read_tree("0 0\n", UINT64_C(1) << 60), MW_ERR_DATA, "too few");
    ck_fails(mw_read_tree("data/small_tree.bin", &seven, 0, 1, &parent), MW_ERR_DATA,
             "48 bytes found, expected 8 for each of 7");
    ck_fails(mw_read_tree("data/none", &seven, 0, 1, &parent), MW_ERR_NOINPUT,
             "data/none");
}
END_TEST

/* ---- weights ---- */

/* Of each edge, in the order of the file; they are small whole numbers or halves, or an error. */
static const struct {
    const char *text;
    enum mw_format format;
    double weight[4];
    const char *error; /* NULL: none */
    bool has, names;
    uint64_t n_rounded;
} weighed[] = {
    {"0 1 2.5\n1 2 0\n", MW_FORMAT_EDGES, {2.5, 0}, NULL, true, false, 0},
    {"0 1 0.1 7\n1 2 16777217 7\n",
     MW_FORMAT_EDGES,
     {0.1, 16777216},
     NULL,
     true,
     false,
     2},
    {"0\t1\t-0.0\n", MW_FORMAT_EDGES, {0}, NULL, true, false, 0},
    {"0,1,3\n1,2,1e2\n", MW_FORMAT_EDGES, {3, 100}, NULL, true, false, 0},
    {"0, 1 3\n", MW_FORMAT_EDGES, {3}, NULL, true, false, 0},
    {"0 1\n1 2\n", MW_FORMAT_EDGES, {1, 1}, NULL, false, false, 0},
    {"source,target,year,weight\n0,1,1999,4\n",
     MW_FORMAT_EDGES,
     {4},
     NULL,
     true,
     false,
     0},
    {"weight,target,source\n5,0,1\n", MW_FORMAT_EDGES, {5}, NULL, true, false, 0},
    {"source,target,year\n0,1,1999\n", MW_FORMAT_EDGES, {1}, NULL, false, false, 0},
    {"a b 6\nb c 7\n", MW_FORMAT_EDGES, {6, 7}, NULL, true, true, 0},
    {"% sym weighted\n1 2 8\n", MW_FORMAT_EDGES, {8}, NULL, true, false, 0},
    {"0 1 2\n1 2 -3\n",
     MW_FORMAT_EDGES,
     {0},
     "memory:2: a negative weight",
     true,
     false,
     0},
    {"0 1 2\n1 2 1e39\n",
     MW_FORMAT_EDGES,
     {0},
     "memory:2: a weight greater than",
     true,
     false,
     0},
    {"source,target,w\n0,1,nan\n", MW_FORMAT_EDGES, {0}, "memory:2: ", true, false, 0},
    {"0 1 2-3\n", MW_FORMAT_EDGES, {0}, "memory:1: expected a weight", true, false, 0},
    {"0\t1\t2,75\n", MW_FORMAT_EDGES, {0}, "memory:1: expected a weight", true, false, 0},
    {"0;1;1,250\n", MW_FORMAT_EDGES, {0}, "memory:1: expected a weight", true, false, 0},
    {"0,1,\n", MW_FORMAT_EDGES, {0}, "memory:1: no weight in column 3", true, false, 0},
    {"%%MatrixMarket matrix coordinate real general\n3 3 2\n1 2 0.5\n2 3 4\n",
     MW_FORMAT_MTX,
     {0.5, 4},
     NULL,
     true,
     false,
     0},
    {"%%MatrixMarket matrix coordinate integer symmetric\n3 3 1\n2 1 9\n",
     MW_FORMAT_MTX,
     {9},
     NULL,
     true,
     false,
     0},
    {"%%MatrixMarket matrix coordinate pattern general\n3 3 1\n1 2\n",
     MW_FORMAT_MTX,
     {1},
     NULL,
     false,
     false,
     0},
    {"%%MatrixMarket matrix coordinate real general\n3 3 1\n1 2 -1\n",
     MW_FORMAT_MTX,
     {0},
     "memory:3: a negative weight",
     true,
     false,
     0},
    {"p sp 3 2\na 1 2 17\na 2 3 0\n", MW_FORMAT_DIMACS, {17, 0}, NULL, true, false, 0},
    {"p edge 3 1\ne 1 2\n", MW_FORMAT_DIMACS, {1}, NULL, false, false, 0},
    {"p sp 3 1\na 1 2 -17\n",
     MW_FORMAT_DIMACS,
     {0},
     "memory:2: a negative weight",
     true,
     false,
     0},
    {"3 2 1\n2 5 3 6\n1 5\n1 6\n", MW_FORMAT_METIS, {5, 6}, NULL, true, false, 0},
    {"3 2\n2 3\n1\n1\n", MW_FORMAT_METIS, {1, 1}, NULL, false, false, 0},
    {"3 2 1\n2 5 3 6\n1 5\n1 7\n", MW_FORMAT_METIS, {0}, "not symmetric", true, false, 0},
    {"3 2 1\n2 5 3 -6\n1 5\n1 6\n",
     MW_FORMAT_METIS,
     {0},
     "memory:2: a negative weight",
     true,
     false,
     0},
    {"*Vertices 3\n*Arcs\n1 2 1.5\n2 3\n*Edges\n1 3 2 c Blue\n",
     MW_FORMAT_PAJEK,
     {1.5, 1, 2, 2},
     NULL,
     true,
     false,
     0},
    {"*Vertices 3\n*Arcslist\n1 2 3\n", MW_FORMAT_PAJEK, {1, 1}, NULL, false, false, 0},
    {"0 1 2\n1 2\n", MW_FORMAT_ADJACENCY, {1, 1, 1}, NULL, false, false, 0},
};
enum { N_WEIGHED = sizeof weighed / sizeof *weighed };

START_TEST(weights_are_delivered_to_who_asks)
{
    struct mw_dictionary seen;
    struct mw_read_conf conf = {.path = "memory",
                                .format = weighed[_i].format,
                                .weights = true,
                                .names = weighed[_i].names};
    struct mw_edges e;
    struct mw_file_facts facts;
    const char *const text = weighed[_i].text;
    ck_good(mw_dictionary_init(&seen));
    conf.seen = &seen;
    if (weighed[_i].error != NULL) {
        ck_fails(read_graph_memory(&conf, text, strlen(text), &e, &facts), MW_ERR_DATA,
                 weighed[_i].error);
    } else {
        ck_good(read_graph_memory(&conf, text, strlen(text), &e, &facts));
        ck_assert(facts.has_weights == weighed[_i].has);
        ck_assert_uint_eq(facts.n_rounded, weighed[_i].n_rounded);
        for (uint64_t i = 0; i < e.n; i++)
            ck_assert(i < 4 && e.weight[i] == (float)weighed[_i].weight[i]);
        mw_edges_fini(&e);
    }
    conf.weights = false;
    if (weighed[_i].error == NULL) {
        ck_good(read_graph_memory(&conf, text, strlen(text), &e, &facts));
        ck_assert(e.weight == NULL && !facts.has_weights && facts.n_rounded == 0);
        mw_edges_fini(&e);
    }
    mw_dictionary_fini(&seen);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("reader");
    TCase *good = tcase_create("good");
    TCase *bad = tcase_create("bad");
    tcase_set_timeout(good, 0); /* CTest counts */
    tcase_set_timeout(bad, 0);  /* CTest counts */
    tcase_add_loop_test(good, formats_are_detected_and_any_parts_make_the_whole, 0,
                        N_SAMPLES);
    tcase_add_loop_test(good, the_format_or_a_comment_says_whether_edges_have_a_direction,
                        0, N_DIRECTIONS);
    tcase_add_test(good, a_binary_graph_says_it_by_its_flag);
    tcase_add_test(good, facts_come_without_reading_the_edges);
    tcase_add_test(good, a_symmetric_matrix_holds_each_edge_once);
    tcase_add_loop_test(good, lines_may_be_spelt_in_many_ways, 0,
                        sizeof spellings / sizeof *spellings);
    tcase_add_test(good, long_texts_are_read_whole_by_any_parts);
    tcase_add_test(good, blocks_of_any_size_deliver_the_same);
    tcase_add_loop_test(good, neighbours_are_told_from_edges_by_content, 0, 2);
    tcase_add_loop_test(good, short_lists_are_told_apart, 0, N_TOLD_APART);
    tcase_add_test(good, neighbours_may_come_with_numbers_that_are_not_used);
    tcase_add_test(good, pajek_tells_arcs_from_edges);
    tcase_add_test(good, dropped_weights_are_facts);
    tcase_add_test(good, lines_of_neighbours_may_be_longer_than_a_block);
    tcase_add_test(good, only_comments_may_be_huge);
    tcase_add_test(good, packed_numbers_have_48_bits_with_a_sign);
    tcase_add_test(good, wide_ids_stay_whole);
    tcase_add_test(good, an_empty_file_is_a_graph_if_its_size_is_given);
    tcase_add_test(bad, a_file_that_shrinks_while_read_is_an_error_and_no_signal);
    tcase_add_test(good, different_files_have_different_fingerprints);
    tcase_add_test(good, one_edge_list_grows_widens_and_is_trimmed);
    tcase_add_loop_test(good, trees_are_read_in_both_forms_by_any_ranks, 0, 2);
    tcase_add_loop_test(bad, bad_files_are_refused_with_a_reason, 0, N_BAD_FILES);
    tcase_add_loop_test(bad, bad_texts_are_refused_with_a_reason, 0, N_BAD_TEXTS);
    tcase_add_loop_test(bad, bad_neighbours_are_refused_with_a_reason, 0, N_BAD_METIS);
    tcase_add_test(bad, no_permission_is_said);
    tcase_add_loop_test(bad, files_cut_anywhere_never_mislead, 0, N_SAMPLES);
    tcase_add_test(bad, huge_claims_are_refused_before_allocating);
    tcase_add_loop_test(bad, failing_allocations_are_reported_and_nothing_leaks, 0,
                        N_SAMPLES);
    tcase_add_test(bad, bad_trees_are_refused_with_a_reason);
    tcase_add_loop_test(good, weights_are_delivered_to_who_asks, 0, N_WEIGHED);
    suite_add_tcase(suite, good);
    suite_add_tcase(suite, bad);
    return run_suite_as(suite, CK_FORK);
}
