/* test_writer.c -- files that appear whole or not at all, and edge lists and trees that
 * come back as they were.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/writer.h"

#include "io/outfile.h"
#include "io/reader.h"
#include "io/treefile.h"
#include "suite.h"

#include <check.h>
#include <dirent.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- a directory of our own for each test ---- */

static char dir[64];

static void enter(void)
{
    strcpy(dir, "/tmp/meshway-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(dir));
    ck_assert_int_eq(chdir(dir), 0);
}

/* Files in the directory; temporary ones are found too. */
static int n_files(void)
{
    int n = 0;
    DIR *d = opendir(".");
    ck_assert_ptr_nonnull(d);
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        n += strcmp(e->d_name, ".") != 0 && strcmp(e->d_name, "..") != 0;
    closedir(d);
    return n;
}

static void leave(void)
{
    DIR *d = opendir(dir);
    if (d == NULL)
        return;
    for (const struct dirent *e; (e = readdir(d)) != NULL;)
        if (unlinkat(dirfd(d), e->d_name, 0) != 0)
            (void)unlinkat(dirfd(d), e->d_name, AT_REMOVEDIR);
    closedir(d);
    rmdir(dir);
}

static void put_file(const char *name, const char *text)
{
    FILE *f = fopen(name, "w");
    ck_assert_ptr_nonnull(f);
    fputs(text, f);
    fclose(f);
}

static bool has_text(const char *name, const char *text)
{
    char got[256] = "";
    FILE *f = fopen(name, "r");
    ck_assert_ptr_nonnull(f);
    const size_t n = fread(got, 1, sizeof got - 1, f);
    fclose(f);
    got[n] = '\0';
    return strcmp(got, text) == 0;
}

/* ---- outfile ---- */

START_TEST(a_file_appears_at_commit_and_not_before)
{
    struct mw_outfile f;
    ck_good(mw_outfile_check("a", false));
    ck_assert_int_eq(n_files(), 0);
    ck_good(mw_outfile_open(&f, "a", false));
    ck_good(mw_outfile_write(&f, "one ", 4));
    ck_assert(access("a", F_OK) != 0);
    fprintf(f.stream, "two");
    ck_good(mw_outfile_commit(&f));
    ck_assert(has_text("a", "one two"));
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

static mode_t mode_of(const char *name)
{
    struct stat st;
    ck_assert_int_eq(stat(name, &st), 0);
    return st.st_mode & 0777;
}

static void write_under(mode_t mask, const char *name, bool force)
{
    struct mw_outfile f;
    const mode_t before = umask(mask);
    ck_good(mw_outfile_open(&f, name, force));
    ck_good(mw_outfile_commit(&f));
    umask(before);
}

START_TEST(a_file_has_the_mode_that_the_umask_says)
{
    static const mode_t masks[] = {0, 022, 027, 077};
    for (size_t i = 0; i < sizeof masks / sizeof *masks; i++) {
        write_under(masks[i], "a", false);
        ck_assert_uint_eq(mode_of("a"), 0666 & ~masks[i]);
        unlink("a");
    }
}
END_TEST

START_TEST(a_file_that_replaces_another_keeps_its_mode)
{
    write_under(022, "a", false);
    ck_assert_int_eq(chmod("a", 0600), 0);
    write_under(0, "a", true);
    ck_assert_uint_eq(mode_of("a"), 0600);
    ck_assert_int_eq(chmod("a", 0664), 0);
    write_under(077, "a", true);
    ck_assert_uint_eq(mode_of("a"), 0664);
    ck_assert_int_eq(symlink("a", "link"), 0);
    write_under(077, "link", true); /* a link is replaced, and says nothing */
    ck_assert_uint_eq(mode_of("link"), 0600);
    ck_assert_uint_eq(mode_of("a"), 0664);
}
END_TEST

START_TEST(a_folder_is_made_with_those_above_it)
{
    const mode_t before = umask(027);
    ck_good(mw_outfile_folder("x/y/z", 0777));
    ck_good(mw_outfile_folder("x/y/z", 0777));
    umask(before);
    ck_assert_uint_eq(mode_of("x"), 0750);
    ck_assert_uint_eq(mode_of("x/y/z"), 0750);
    write_under(022, "a", false);
    ck_fails(mw_outfile_folder("a/b", 0777), MW_ERR_CREATE,
             "a: cannot create the folder");
    ck_assert_int_eq(rmdir("x/y/z"), 0);
    ck_assert_int_eq(rmdir("x/y"), 0);
}
END_TEST

START_TEST(an_abandoned_file_leaves_nothing)
{
    struct mw_outfile f = {0};
    mw_outfile_abandon(&f);
    ck_good(mw_outfile_open(&f, "a", false));
    ck_good(mw_outfile_write(&f, "one ", 4));
    mw_outfile_abandon(&f);
    mw_outfile_abandon(&f);
    ck_assert_int_eq(n_files(), 0);
}
END_TEST

/* 62 */
START_TEST(an_existing_file_needs_force)
{
    struct mw_outfile f;
    put_file("a", "old");
    ck_fails(mw_outfile_check("a", false), MW_ERR_CREATE, "a: exists; --force");
    ck_fails(mw_outfile_open(&f, "a", false), MW_ERR_CREATE, "a: exists; --force");
    ck_good(mw_outfile_check("a", true));
    ck_good(mw_outfile_open(&f, "a", true));
    ck_good(mw_outfile_write(&f, "new", 3));
    ck_assert(has_text("a", "old"));
    ck_good(mw_outfile_commit(&f));
    ck_assert(has_text("a", "new"));
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

START_TEST(a_file_that_appears_meanwhile_is_not_replaced)
{
    struct mw_outfile f;
    ck_good(mw_outfile_open(&f, "a", false));
    put_file("a", "theirs");
    ck_fails(mw_outfile_commit(&f), MW_ERR_CREATE, "appeared");
    ck_assert(has_text("a", "theirs"));
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

/* S2 */
START_TEST(a_planted_link_is_not_followed)
{
    struct mw_outfile f;
    put_file("victim", "safe");
    ck_assert_int_eq(symlink("victim", "a"), 0);
    ck_assert_int_eq(symlink("not_there", "b"), 0);
    ck_fails(mw_outfile_open(&f, "a", false), MW_ERR_CREATE, "exists");
    ck_fails(mw_outfile_open(&f, "b", false), MW_ERR_CREATE, "exists");
    ck_good(mw_outfile_open(&f, "a", true));
    ck_good(mw_outfile_write(&f, "new", 3));
    ck_good(mw_outfile_commit(&f));
    ck_assert(has_text("victim", "safe"));
    ck_assert(has_text("a", "new"));
    struct stat st;
    ck_assert_int_eq(lstat("a", &st), 0);
    ck_assert(S_ISREG(st.st_mode));
}
END_TEST

/* 61 */
START_TEST(impossible_places_are_named_at_once)
{
    struct mw_outfile f;
    put_file("file", "");
    ck_assert_int_eq(mkdir("sub", 0500), 0);
    ck_fails(mw_outfile_check("", false), MW_ERR_CREATE, "needs a name");
    ck_fails(mw_outfile_check("none/a", false), MW_ERR_CREATE,
             "none/a: cannot create: No such");
    ck_fails(mw_outfile_open(&f, "none/a", false), MW_ERR_CREATE,
             "none/a: cannot create");
    ck_fails(mw_outfile_check("file/a", false), MW_ERR_CREATE, "Not a directory");
    ck_fails(mw_outfile_check("sub", true), MW_ERR_CREATE, "Is a directory");
    ck_fails(mw_outfile_check("sub/", true), MW_ERR_CREATE, "Is a directory");
    if (access("sub", W_OK) != 0) /* root may write anywhere */
        ck_fails(mw_outfile_check("sub/a", false), MW_ERR_CREATE, "Permission denied");
    ck_fails(mw_outfile_check("/proc/a", false), MW_ERR_CREATE, "/proc/a: cannot create");
}
END_TEST

/* 63 */
START_TEST(a_full_device_is_an_error_of_the_output)
{
    struct mw_outfile f;
    char data[8192] = "";
    ck_good(mw_outfile_check("/dev/full", false));
    ck_good(mw_outfile_open(&f, "/dev/full", false));
    fprintf(f.stream, "a line");
    ck_fails(mw_outfile_commit(&f), MW_ERR_IO, "/dev/full: cannot write: No space");
    ck_good(mw_outfile_open(&f, "/dev/full", false));
    ck_fails(mw_outfile_write(&f, data, sizeof data), MW_ERR_IO, "No space");
    mw_outfile_abandon(&f);
    ck_good(mw_outfile_open(&f, "/dev/null", false));
    ck_good(mw_outfile_write(&f, data, sizeof data));
    ck_good(mw_outfile_commit(&f));
}
END_TEST

START_TEST(a_file_over_the_limit_leaves_nothing)
{
    struct mw_outfile f;
    char data[8192] = "";
    const struct rlimit limit = {10000, 10000};
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &limit);
    ck_good(mw_outfile_open(&f, "a", false));
    int rc = MW_OK;
    for (int i = 0; i < 4 && rc == MW_OK; i++)
        rc = mw_outfile_write(&f, data, sizeof data);
    ck_assert_int_eq(rc, MW_ERR_IO);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "File too large"));
    ck_fails(mw_outfile_commit(&f), MW_ERR_IO, "a: cannot write");
    ck_assert_int_eq(n_files(), 0);
}
END_TEST

START_TEST(a_long_name_is_no_problem)
{
    char name[256];
    memset(name, 'n', 255);
    name[255] = '\0';
    struct mw_outfile f;
    ck_good(mw_outfile_open(&f, name, false));
    ck_good(mw_outfile_commit(&f));
    ck_assert_int_eq(access(name, F_OK), 0);
}
END_TEST

/* ---- edge lists ---- */

static const enum mw_format formats[] = {
    MW_FORMAT_EDGES, MW_FORMAT_MTX, MW_FORMAT_PACKED12, MW_FORMAT_PACKED16, MW_FORMAT_SG};
enum { N_FORMATS = sizeof formats / sizeof *formats, N_EDGES = 30000, N_VERTICES = 5000 };

static void make_edges(struct mw_edges *e, uint64_t first, uint64_t n,
                       uint64_t n_vertices)
{
    ck_good(mw_edges_init(e, n_vertices, n));
    for (uint64_t i = first; i < first + n; i++)
        MUST(mw_edges_add(e, i * i * 7919 % n_vertices, i * 104729 % n_vertices) ==
             MW_OK);
}

/* Independent of order and direction. */
static uint64_t digest(const struct mw_edges *e)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        uint64_t x = (mw_min(u, v) << 32 | mw_max(u, v)) * UINT64_C(0x9E3779B97F4A7C15);
        sum += (x ^ x >> 29) * UINT64_C(0xBF58476D1CE4E5B9);
    }
    return sum;
}

/* Written in two pieces, the numbers announced or not; the same edges come back, and
 * the format is recognised. */
START_TEST(edge_lists_come_back_from_every_format)
{
    const enum mw_format format = formats[_i];
    for (int form = 0; form < 4; form++) {
        struct mw_writer *w;
        struct mw_edges e, got;
        struct mw_file_facts facts;
        const int base = format == MW_FORMAT_EDGES && form >= 2;
        const struct mw_write_conf conf = {.path = "graph",
                                           .format = format,
                                           .n_vertices = (form & 1) != 0 ? N_VERTICES : 0,
                                           .n_edges = (form & 1) != 0 ? 2 * N_EDGES : 0,
                                           .base = base,
                                           .force = true};
        uint64_t want = 0;
        ck_good(mw_write_begin(&conf, &w));
        for (uint64_t first = 0; first < 2 * N_EDGES; first += N_EDGES) {
            make_edges(&e, first, N_EDGES, N_VERTICES);
            want += digest(&e);
            ck_good(mw_write_edges(w, &e));
            mw_edges_fini(&e);
        }
        ck_good(mw_write_end(w));

        const struct mw_read_conf read = {.path = "graph", .base = base};
        ck_good(mw_read_graph(&read, &got, &facts));
        ck_assert_int_eq(facts.format, format);
        ck_assert_uint_eq(got.n, 2 * N_EDGES);
        ck_assert_uint_eq(digest(&got), want);
        ck_assert_uint_eq(got.n_vertices, N_VERTICES);
        mw_edges_fini(&got);
        ck_assert_uint_eq(mw_mem_in_use(), 0);
        ck_assert_int_eq(n_files(), 1);
    }
}
END_TEST

/* Of the formats that can say it. An edge that has a direction keeps it. */
START_TEST(a_direction_comes_back)
{
    static const enum mw_format saying[] = {MW_FORMAT_EDGES, MW_FORMAT_MTX, MW_FORMAT_SG};
    for (int yes = 0; yes < 2; yes++) {
        struct mw_writer *w;
        struct mw_edges e, got;
        struct mw_file_facts facts;
        uint64_t want = 0, sum = 0;
        const struct mw_write_conf conf = {.path = "graph",
                                           .format = saying[_i],
                                           .n_vertices = N_VERTICES,
                                           .force = true,
                                           .directed =
                                               yes ? MW_DIRECTED_YES : MW_DIRECTED_NO};
        ck_good(mw_write_begin(&conf, &w));
        make_edges(&e, 1, N_EDGES, N_VERTICES);
        ck_good(mw_write_edges(w, &e));
        ck_good(mw_write_end(w));
        ck_good(mw_read_graph(&(struct mw_read_conf){.path = "graph"}, &got, &facts));
        ck_assert_int_eq(facts.directed, conf.directed);
        ck_assert_uint_eq(got.n, e.n);
        ck_assert_uint_eq(digest(&got), digest(&e));
        for (uint64_t i = 0; yes && i < e.n; i++) {
            mw_vid u, v;
            mw_edges_get(&e, i, &u, &v);
            want += u * v * v;
            mw_edges_get(&got, i, &u, &v);
            sum += u * v * v;
        }
        ck_assert_uint_eq(sum, want);
        mw_edges_fini(&e);
        mw_edges_fini(&got);
    }
}
END_TEST

/* ---- weights ---- */

/* Whole numbers, or any bits of a float from 0 on. */
static float weight_of(uint64_t i, bool whole)
{
    static const float odd[] = {0, 0.1F, 1e-45F, 3.4028235e38F, 16777216, 1e7F, 1.5e9F};
    const uint32_t bits = (uint32_t)(i * UINT64_C(0x9E3779B97F4A7C15) >> 33) % 0x7F800000;
    float weight;
    if (whole)
        return (float)(i % 3 == 0 ? 2147483520 : i % 256);
    memcpy(&weight, &bits, sizeof weight);
    return i % 9 == 0 ? odd[i / 9 % 7] : weight;
}

static uint64_t weighted_digest(const struct mw_edges *e)
{
    uint64_t sum = 0;
    for (uint64_t i = 0; i < e->n; i++) {
        uint32_t bits;
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        memcpy(&bits, &e->weight[i], sizeof bits);
        uint64_t x = (mw_min(u, v) << 32 | mw_max(u, v)) * UINT64_C(0x9E3779B97F4A7C15);
        x = (x ^ x >> 29 ^ bits) * UINT64_C(0xBF58476D1CE4E5B9);
        sum += x ^ x >> 31;
    }
    return sum;
}

static const enum mw_format weighted_formats[] = {MW_FORMAT_EDGES, MW_FORMAT_MTX,
                                                  MW_FORMAT_PACKED12, MW_FORMAT_PACKED16,
                                                  MW_FORMAT_WSG};
enum { N_WEIGHTED = sizeof weighted_formats / sizeof *weighted_formats };

START_TEST(weights_come_back_from_every_format_that_has_them)
{
    enum { N = 4000 };
    const enum mw_format format = weighted_formats[_i / 2];
    const struct mw_write_conf to = {.path = "graph",
                                     .format = format,
                                     .n_vertices = 300,
                                     .weights = true,
                                     .directed =
                                         _i % 2 ? MW_DIRECTED_YES : MW_DIRECTED_NO};
    struct mw_edges e;
    struct mw_writer *w;
    make_edges(&e, 0, N, 300);
    ck_good(mw_edges_weigh(&e));
    for (uint64_t i = 0; i < N; i++)
        e.weight[i] = weight_of(i, format == MW_FORMAT_WSG);
    ck_good(mw_write_begin(&to, &w));
    ck_good(mw_write_edges(w, &e));
    ck_good(mw_write_end(w));
    for (uint32_t n_parts = 1; n_parts <= 3; n_parts++) {
        struct mw_read_conf from = {.path = "graph", .weights = true, .n_parts = n_parts};
        struct mw_file_facts facts;
        uint64_t n = 0, sum = 0;
        for (; from.part < n_parts; from.part++) {
            struct mw_edges got;
            ck_good(mw_read_graph(&from, &got, &facts));
            ck_assert(facts.has_weights && facts.weighted);
            n += got.n;
            sum += weighted_digest(&got);
            mw_edges_fini(&got);
        }
        ck_assert_uint_eq(n, N);
        ck_assert_uint_eq(sum, weighted_digest(&e));
    }
    mw_edges_fini(&e);
}
END_TEST

START_TEST(a_weight_has_no_more_digits_than_it_needs)
{
    const struct mw_write_conf to = {
        .path = "graph", .format = MW_FORMAT_EDGES, .weights = true};
    static const float weight[] = {0, 1, 0.1F, 9999999, 1e7F, 0.25F};
    struct mw_edges e;
    struct mw_writer *w;
    char got[256] = "";
    ck_good(mw_edges_init(&e, 0, 1));
    ck_good(mw_edges_weigh(&e));
    for (int i = 0; i < 6; i++)
        ck_good(mw_edges_add_weighted(&e, 0, 1, weight[i]));
    ck_good(mw_write_begin(&to, &w));
    ck_good(mw_write_edges(w, &e));
    ck_good(mw_write_end(w));
    FILE *f = fopen("graph", "r");
    ck_assert_ptr_nonnull(f);
    ck_assert_ptr_nonnull(fgets(got, sizeof got, f));
    const size_t n = fread(got, 1, sizeof got - 1, f);
    got[n] = '\0';
    fclose(f);
    ck_assert_str_eq(got, "0 1 0\n0 1 1\n0 1 0.1\n0 1 9999999\n0 1 1e+07\n0 1 0.25\n");
    mw_edges_fini(&e);
}
END_TEST

START_TEST(weights_of_another_size_are_refused)
{
    const struct mw_write_conf to = {.path = "graph", .format = MW_FORMAT_PACKED12};
    struct mw_read_conf from = {.path = "graph", .weights = true};
    static const float none[] = {1, -1}, odd[] = {(float)NAN, 1};
    struct mw_file_facts facts;
    struct mw_edges e, got;
    struct mw_writer *w;
    make_edges(&e, 1, 2, 300);
    ck_good(mw_write_begin(&to, &w));
    ck_good(mw_write_edges(w, &e));
    ck_good(mw_write_end(w));
    ck_good(mw_read_graph(&from, &got, &facts));
    ck_assert(!facts.has_weights && got.weight[0] == 1 && got.weight[1] == 1);
    mw_edges_fini(&got);
    put_file("graph.weights", "1234567");
    ck_fails(mw_read_graph(&from, &got, &facts), MW_ERR_DATA, "graph.weights: 7 bytes");
    from.weights = false; /* nobody asks */
    ck_good(mw_read_graph(&from, &got, &facts));
    mw_edges_fini(&got);
    from.weights = true;
    for (int i = 0; i < 2; i++) {
        FILE *f = fopen("graph.weights", "w");
        ck_assert_ptr_nonnull(f);
        ck_assert_uint_eq(fwrite(i == 0 ? none : odd, 4, 2, f), 2);
        fclose(f);
        ck_fails(mw_read_graph(&from, &got, &facts), MW_ERR_DATA,
                 i == 0 ? "graph.weights: entry 1: a negative weight"
                        : "graph.weights: entry 0: a weight that is no number");
    }
    mw_edges_fini(&e);
}
END_TEST

START_TEST(what_does_not_fit_the_format_is_refused)
{
    struct mw_writer *w;
    struct mw_edges e;
    struct mw_write_conf conf = {.path = "graph", .format = MW_FORMAT_SG};
    ck_good(mw_edges_init(&e, 0, 1));
    ck_good(mw_edges_add(&e, 1, UINT64_C(1) << 31));
    ck_good(mw_write_begin(&conf, &w));
    ck_fails(mw_write_edges(w, &e), MW_ERR_DATA, "vertex 2147483648 does not fit");
    mw_write_abandon(w);
    conf.format = MW_FORMAT_PACKED12;
    e.n = 0;
    ck_good(mw_edges_add(&e, UINT64_C(1) << 47, 0));
    ck_good(mw_write_begin(&conf, &w));
    ck_fails(mw_write_edges(w, &e), MW_ERR_DATA, "does not fit");
    mw_write_abandon(w);
    conf.n_vertices = UINT64_C(1) << 48;
    ck_fails(mw_write_begin(&conf, &w), MW_ERR_USAGE, "at most");
    conf.format = MW_FORMAT_DIMACS;
    ck_fails(mw_write_begin(&conf, &w), MW_ERR_USAGE, "cannot write format 'dimacs'");
    conf = (struct mw_write_conf){
        .path = "/dev/null", .format = MW_FORMAT_PACKED12, .weights = true};
    ck_fails(mw_write_begin(&conf, &w), MW_ERR_USAGE, "FILE.weights");
    conf = (struct mw_write_conf){.path = "graph", .format = MW_FORMAT_WSG};
    e.n = 0;
    ck_good(mw_edges_weigh(&e));
    ck_good(mw_edges_add_weighted(&e, 1, 2, 1.5F));
    ck_good(mw_write_begin(&conf, &w));
    ck_fails(mw_write_edges(w, &e), MW_ERR_DATA, "weight 1.5 is no whole number");
    mw_write_abandon(w);
    e.weight[0] = 2147483648.0F;
    ck_good(mw_write_begin(&conf, &w));
    ck_fails(mw_write_edges(w, &e), MW_ERR_DATA, "no whole number below 2^31");
    mw_write_abandon(w);
    conf = (struct mw_write_conf){.path = "graph", .format = MW_FORMAT_MTX, .n_edges = 2};
    e.n = 1;
    ck_good(mw_write_begin(&conf, &w));
    ck_good(mw_write_edges(w, &e));
    ck_fails(mw_write_end(w), MW_ERR_INTERNAL, "2 edges announced, 1 came");
    mw_edges_fini(&e);
    ck_assert_int_eq(n_files(), 0);
}
END_TEST

START_TEST(a_full_device_stops_every_format)
{
    struct mw_writer *w;
    struct mw_edges e;
    const struct mw_write_conf conf = {.path = "/dev/full",
                                       .format = formats[_i],
                                       .n_vertices = N_VERTICES,
                                       .n_edges = N_EDGES};
    make_edges(&e, 0, N_EDGES, N_VERTICES);
    int rc = mw_write_begin(&conf, &w);
    if (rc == MW_OK) {
        rc = mw_write_edges(w, &e);
        if (rc == MW_OK)
            rc = mw_write_end(w);
        else
            mw_write_abandon(w);
    }
    ck_assert_int_eq(rc, MW_ERR_IO);
    ck_assert_ptr_nonnull(strstr(mw_error_text(), "/dev/full: cannot write"));
    mw_edges_fini(&e);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* ---- trees ---- */

START_TEST(trees_come_back_from_both_forms)
{
    enum { N = 3000 };
    const char *const names[] = {"tree.txt", "tree.bin"};
    int64_t want[N], *got;
    const struct mw_names vertices = {.n_vertices = N};
    struct mw_tree_writer *w;
    for (int64_t v = 0; v < N; v++)
        want[v] = v % 5 == 0 ? -1 : v * v % N;
    ck_good(mw_tree_begin(names[_i], false, MW_TREE_VERTICES, "parent", &vertices, &w));
    for (uint64_t v = 0; v < N; v += 500)
        ck_good(mw_tree_put(w, want + v, 500));
    ck_fails(mw_tree_put(w, want, 1), MW_ERR_INTERNAL, "more than");
    ck_good(mw_tree_end(w));
    ck_good(mw_read_tree(names[_i], &vertices, 0, 1, &got));
    ck_assert_mem_eq(got, want, sizeof want);
    mw_free(got);
    ck_fails(mw_tree_begin(names[_i], false, MW_TREE_VERTICES, "parent", &vertices, &w),
             MW_ERR_CREATE, "exists");
    ck_good(mw_tree_begin(names[_i], true, MW_TREE_VERTICES, "parent", &vertices, &w));
    ck_fails(mw_tree_end(w), MW_ERR_INTERNAL, "0 numbers for 3000");
    ck_assert_int_eq(n_files(), 1);
}
END_TEST

int main(void)
{
    Suite *suite = suite_create("writer");
    TCase *c = tcase_create("writer");
    tcase_add_checked_fixture(c, enter, leave);
    tcase_set_timeout(c, 0); /* CTest counts */
    tcase_add_test(c, a_file_appears_at_commit_and_not_before);
    tcase_add_test(c, a_file_has_the_mode_that_the_umask_says);
    tcase_add_test(c, a_file_that_replaces_another_keeps_its_mode);
    tcase_add_test(c, a_folder_is_made_with_those_above_it);
    tcase_add_test(c, an_abandoned_file_leaves_nothing);
    tcase_add_test(c, an_existing_file_needs_force);
    tcase_add_test(c, a_file_that_appears_meanwhile_is_not_replaced);
    tcase_add_test(c, a_planted_link_is_not_followed);
    tcase_add_test(c, impossible_places_are_named_at_once);
    tcase_add_test(c, a_full_device_is_an_error_of_the_output);
    tcase_add_test(c, a_file_over_the_limit_leaves_nothing);
    tcase_add_test(c, a_long_name_is_no_problem);
    tcase_add_loop_test(c, edge_lists_come_back_from_every_format, 0, N_FORMATS);
    tcase_add_loop_test(c, a_direction_comes_back, 0, 3);
    tcase_add_test(c, what_does_not_fit_the_format_is_refused);
    tcase_add_loop_test(c, a_full_device_stops_every_format, 0, N_FORMATS);
    tcase_add_loop_test(c, trees_come_back_from_both_forms, 0, 2);
    tcase_add_loop_test(c, weights_come_back_from_every_format_that_has_them, 0,
                        2 * N_WEIGHTED);
    tcase_add_test(c, a_weight_has_no_more_digits_than_it_needs);
    tcase_add_test(c, weights_of_another_size_are_refused);
    suite_add_tcase(suite, c);
    return run_suite_as(suite, CK_FORK);
}
