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

static bool is_tar(const struct head *h)
{
    return begins(h, 257, "ustar");
}

static bool is_parquet(const struct head *h)
{
    return begins(h, 0, "PAR1");
}

static bool is_hdf5(const struct head *h)
{
    return begins(h, 0, "\x89HDF");
}

static bool is_npy(const struct head *h)
{
    return begins(h, 0, "\x93NUMPY");
}

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

static bool is_mat5(const struct head *h)
{
    return begins(h, 0, "MATLAB 5.0 MAT-file");
}

static bool is_mat7(const struct head *h)
{
    return begins(h, 0, "MATLAB 7.3 MAT-file");
}

static bool is_xml_with(const struct head *h, const char *element)
{
    const char *p = first_visible(h);
    return p < h->end && *p == '<' && find_words(h, element) != NULL;
}

static bool is_graphml(const struct head *h)
{
    return is_xml_with(h, "<graphml");
}

static bool is_gexf(const struct head *h)
{
    return is_xml_with(h, "<gexf");
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

/* Read by tools/meshway_read.py, whose word for the kind is the command; or by a command, which the file's
 * name and the output's follow. */
#define BY_PYTHON(word) word, NULL, ""

static const struct {
    bool (*fits)(const struct head *h);
    const char *what, *command, *output, *after;
} known[] = {
    /* the first that fits is it */
    {is_graphml, "a GraphML file", BY_PYTHON(MW_FOREIGN_GRAPHML)},
    {is_adjacency_graph, "an adjacency graph of PBBS", BY_PYTHON("adjacency-graph")},
    {is_gbbs, "a binary graph of GBBS", BY_PYTHON("gbbs")},
    {is_parquet, "a Parquet file", BY_PYTHON("parquet")},
    {is_npz_matrix, "a SciPy matrix (.npz)", BY_PYTHON("npz")},
    {is_npz_arrays, "a file of NumPy arrays (.npz)", BY_PYTHON("npz")},
    {is_npy, "a NumPy array (.npy)", BY_PYTHON("npy")},
    {is_gexf, "a GEXF file", NETWORKX("read_gexf(sys.argv[1])"), " graph.el", NAMED},
    {is_gml, "a GML file", NETWORKX("read_gml(sys.argv[1], label='id')"), " graph.el",
     ""},
    {is_dot, "a DOT file", "gvpr 'E{print(tail.name, \";\", head.name)}'", " >graph.el",
     NAMED},
    {is_json, "JSON", NETWORKX("node_link_graph(json.load(open(sys.argv[1])))"),
     " graph.el", NAMED},
    {is_mat5, "a MATLAB file",
     MATRIX("; f = s.loadmat(sys.argv[1])",
            "f['Problem']['A'][0, 0] if 'Problem' in f else "
            "next(a for a in f.values() if p.issparse(a))"),
     " graph.mtx", ""},
    {is_mat7, "a MATLAB file of version 7.3",
     MATRIX(", h5py; f = h5py.File(sys.argv[1]); a = f['Problem/A'] if 'Problem' in f "
            "else next(g for g in f.values() if hasattr(g, 'keys') and 'jc' in g)",
            "p.csc_matrix((a['data'][:], a['ir'][:], a['jc'][:]), "
            "(a.attrs['MATLAB_sparse'], len(a['jc']) - 1))"),
     " graph.mtx", ""},
    {is_tar, "a tar archive", "tar -xf", "", ""},
    {is_hdf5, "an HDF5 file", NULL, "", ""},
};

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
    while (i < N && !known[i].fits(&h))
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
    if (i < N && known[i].fits == is_parquet && !ends_like_parquet(fd, file_bytes))
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
                 known[i].fits == is_tar ? "unpack" : "convert", known[i].command,
                 shell_word(name), known[i].output, known[i].after);
    return true;
}
