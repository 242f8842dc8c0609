/* foreign.c -- see foreign.h. Told by content, with who reads them, or the one command that makes
 * something of them that is read.
 *
 * The commands go by what Debian packages: NetworkX, SciPy, h5py, Graphviz. A test runs them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/foreign.h"

#include "io/format.h"
#include "io/lines.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

/* [at, end) of the beginning of a file; a '\n' stands at `end`. */
struct head {
    const char *at, *end;
    uint64_t file_bytes;
};

static bool begins(const struct head *h, size_t at, const char *magic)
{
    const size_t length = strlen(magic);
    return (size_t)(h->end - h->at) >= at + length &&
           memcmp(h->at + at, magic, length) == 0;
}

static const char *find_words(const struct head *h, const char *words)
{
    const size_t length = strlen(words);
    for (const char *p = h->at; (size_t)(h->end - p) >= length; p++)
        if (memcmp(p, words, length) == 0)
            return p;
    return NULL;
}

/* Behind blanks and ends of lines. */
static const char *skip_space(const char *p, const char *end)
{
    while (p < end && strchr(" \t\r\n", *p) != NULL && *p != '\0')
        p++;
    return p;
}

static const char *first_visible(const struct head *h)
{
    return skip_space(begins(h, 0, "\xEF\xBB\xBF") ? h->at + 3 : h->at, h->end);
}

/* ---- what they look like ---- */

/* A zip file whose first member is an array; `sparse`: one of those that SciPy's matrices have. */
static bool is_npz(const struct head *h, bool sparse)
{
    enum { LENGTH_AT = 26, NAME_AT = 30 };
    static const char *const parts[] = {"indices.npy", "indptr.npy", "row.npy",
                                        "col.npy",     "format.npy", "shape.npy"};
    bool found = false;
    if (!begins(h, 0, "PK\x03\x04") || h->end - h->at < NAME_AT)
        return false;
    const size_t length = (unsigned char)h->at[LENGTH_AT] +
                          256 * (size_t)(unsigned char)h->at[LENGTH_AT + 1];
    const char *name = h->at + NAME_AT;
    if (length < 4 || (size_t)(h->end - name) < length ||
        memcmp(name + length - 4, ".npy", 4) != 0)
        return false;
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        found |= strlen(parts[i]) == length && memcmp(name, parts[i], length) == 0;
    return found == sparse;
}

static bool is_npz_matrix(const struct head *h)
{
    return is_npz(h, true);
}

static bool is_npz_arrays(const struct head *h)
{
    return is_npz(h, false);
}

/* The word that texts of PBBS and GBBS begin with. */
static bool is_adjacency_graph(const struct head *h)
{
    return begins(h, 0, "AdjacencyGraph\n") || begins(h, 0, "WeightedAdjacencyGraph\n");
}

/* n, m, and the bytes of the file, which they fit. */
static bool is_gbbs(const struct head *h)
{
    enum { HEADER = 24 };
    const unsigned char *const p = (const unsigned char *)h->at;
    if (h->end - h->at < HEADER)
        return false;
    const uint64_t n = mw_get64(p), m = mw_get64(p + 8);
    return mw_get64(p + 16) == h->file_bytes && n < h->file_bytes / 8 &&
           m < h->file_bytes / 4 && HEADER + 8 * (n + 1) + 4 * m == h->file_bytes;
}

static bool is_xml(const struct head *h)
{
    const char *p = first_visible(h);
    return p < h->end && *p == '<';
}

static bool is_json(const struct head *h)
{
    const char *p = first_visible(h);
    return p < h->end && (*p == '{' || *p == '[');
}

static bool is_word(const char *p, const char *end, const char *word)
{
    const size_t length = strlen(word);
    return (size_t)(end - p) >= length && strncasecmp(p, word, length) == 0;
}

/* "graph [", behind comments and who created it when. */
static bool is_gml(const struct head *h)
{
    const char *p = first_visible(h);
    while (p < h->end &&
           (*p == '#' || is_word(p, h->end, "creator ") ||
            is_word(p, h->end, "version ") || is_word(p, h->end, "comment ")))
        p = skip_space(mw_skip_line(p), h->end);
    if (!is_word(p, h->end, "graph"))
        return false;
    p = skip_space(p + strlen("graph"), h->end);
    return p < h->end && *p == '[';
}

/* "strict digraph NAME {", behind comments. */
static bool is_dot(const struct head *h)
{
    const char *p = first_visible(h);
    while (p < h->end && (*p == '#' || is_word(p, h->end, "//")))
        p = skip_space(mw_skip_line(p), h->end);
    if (is_word(p, h->end, "strict"))
        p = skip_space(p + strlen("strict"), h->end);
    const size_t length = is_word(p, h->end, "digraph") ? strlen("digraph")
                          : is_word(p, h->end, "graph") ? strlen("graph")
                                                        : 0;
    if (length == 0)
        return false;
    for (p += length; p < h->end && *p != '\n' && *p != '{' && *p != '['; p++)
        ;
    p = skip_space(p, h->end);
    return p < h->end && *p == '{';
}

/* ---- what to do about them ---- */

#define NETWORKX(reader)                                                                 \
    "python3 -c \"import json, networkx as n, sys; n.write_edgelist(n." reader           \
    ", sys.argv[2], delimiter=chr(9), data=False)\""
#define MATRIX(imports, matrix)                                                          \
    "python3 -c \"import scipy.io as s, scipy.sparse as p, sys" imports                  \
    "; s.mmwrite(sys.argv[2], " matrix ")\""
#define NAMED "; its vertices may be names: --names"

static const char parquet[] = "PAR1";

/* A file is of a kind if it fits, has the bytes at `at` and the words anywhere in its head; what is NULL is
 * not asked. `command` is the word that tools/meshway_read.py has for the kind; where there is an
 * `output`, a command that the file's name, the output and what is said after it follow. */
static const struct {
    const char *what;
    bool (*fits)(const struct head *h);
    const char *bytes, *words;
    size_t at;
    const char *command, *output, *after;
} known[] = {
    /* the first that fits is it */
    {"a GraphML file", is_xml, .words = "<graphml", .command = MW_FOREIGN_GRAPHML},
    {"an adjacency graph of PBBS", is_adjacency_graph, .command = "adjacency-graph"},
    {"a binary graph of GBBS", is_gbbs, .command = "gbbs"},
    {"a Parquet file", .bytes = parquet, .command = "parquet"},
    {"a SciPy matrix (.npz)", is_npz_matrix, .command = "npz"},
    {"a file of NumPy arrays (.npz)", is_npz_arrays, .command = "npz"},
    {"a NumPy array (.npy)", .bytes = "\x93NUMPY", .command = "npy"},
    {"a GEXF file", is_xml, .words = "<gexf",
     .command = NETWORKX("read_gexf(sys.argv[1])"), " graph.el", NAMED},
    {"a GML file", is_gml, .command = NETWORKX("read_gml(sys.argv[1], label='id')"),
     " graph.el", ""},
    {"a DOT file", is_dot, .command = "gvpr 'E{print(tail.name, \";\", head.name)}'",
     " >graph.el", NAMED},
    {"JSON", is_json,
     .command = NETWORKX("node_link_graph(json.load(open(sys.argv[1])))"), " graph.el",
     NAMED},
    {"a MATLAB file", .bytes = "MATLAB 5.0 MAT-file",
     .command = MATRIX("; f = s.loadmat(sys.argv[1])",
                       "f['Problem']['A'][0, 0] if 'Problem' in f else "
                       "next(a for a in f.values() if p.issparse(a))"),
     " graph.mtx", ""},
    {"a MATLAB file of version 7.3", .bytes = "MATLAB 7.3 MAT-file",
     .command = MATRIX(
         ", h5py; f = h5py.File(sys.argv[1]); a = f['Problem/A'] if 'Problem' in f "
         "else next(g for g in f.values() if hasattr(g, 'keys') and 'jc' in g)",
         "p.csc_matrix((a['data'][:], a['ir'][:], a['jc'][:]), "
         "(a.attrs['MATLAB_sparse'], len(a['jc']) - 1))"),
     " graph.mtx", ""},
    {"a tar archive", .bytes = "ustar", .at = 257, .command = "tar -xf", "", ""},
    {"an HDF5 file", .bytes = "\x89HDF", .output = "", ""},
};

static bool fits(const struct head *h, size_t i)
{
    return (known[i].fits == NULL || known[i].fits(h)) &&
           (known[i].bytes == NULL || begins(h, known[i].at, known[i].bytes)) &&
           (known[i].words == NULL || find_words(h, known[i].words) != NULL);
}

/* A name that a shell takes as it is; of others the reader knows better how to write them. */
static const char *shell_word(const char *name)
{
    const bool plain =
        name[0] != '-' &&
        name[strspn(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwx"
                          "yz0123456789._-+/")] == '\0';
    return plain ? name : "FILE";
}

/* The row that fits; N: none. */
enum { N = sizeof known / sizeof *known };
static size_t row_of(const unsigned char *head, uint64_t bytes, uint64_t file_bytes)
{
    const struct head h = {(const char *)head, (const char *)head + bytes, file_bytes};
    size_t i = 0;
    while (i < N && !fits(&h, i))
        i++;
    return i;
}

static bool ends_like_parquet(int fd, uint64_t file_bytes)
{
    char end[4];
    return file_bytes >= 12 &&
           pread(fd, end, sizeof end, (off_t)(file_bytes - sizeof end)) == sizeof end &&
           memcmp(end, "PAR1", sizeof end) == 0;
}

const char *mw_foreign_kind(int fd, uint64_t file_bytes)
{
    enum { HEAD_BYTES = 4096 };
    unsigned char head[HEAD_BYTES + 1];
    const ssize_t n = pread(fd, head, HEAD_BYTES, 0);
    if (n <= 0)
        return NULL; /* what is wrong, reading says */
    head[n] = '\n';
    const size_t i = row_of(head, (uint64_t)n, file_bytes);
    if (i < N && known[i].bytes == parquet && !ends_like_parquet(fd, file_bytes))
        return NULL; /* a list of names, the first of which is PAR1 */
    return i < N && known[i].output == NULL ? known[i].command : NULL;
}

bool mw_foreign_explain(const char *name, const unsigned char *head, uint64_t bytes,
                        uint64_t file_bytes, char *why, size_t room)
{
    const size_t i = row_of(head, bytes, file_bytes);
    if (i == N)
        return false;
    if (known[i].command == NULL)
        snprintf(why, room, "is %s; export a text edge list from it", known[i].what);
    else if (known[i].output == NULL)
        snprintf(why, room,
                 "is %s, which the program reads with Python's help where it is a file, "
                 "not packed, and --format is auto",
                 known[i].what);
    else
        snprintf(why, room, "is %s; %s it first: %s %s%s%s", known[i].what,
                 known[i].output[0] == '\0' ? "unpack" : "convert", known[i].command,
                 shell_word(name), known[i].output, known[i].after);
    return true;
}
