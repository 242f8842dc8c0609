/* reading.h -- a file being read: what the readers of the formats (reader_*.c) share.
 *
 * Each format has two functions: `open` compares what the header says with the file's
 * size and fills the facts of the whole file; `read` delivers the part's edges.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_READING_H
#define MW_READING_H

#include "io/input.h"
#include "io/lines.h"
#include "io/reader.h"
#include "shuffle/reals.h"

#include <string.h>

MW_BEGIN_DECLS

struct mw_mtx {
    int min_columns; /* values behind row and column: 0 or 1 ... */
    int max_columns; /* ... and at most */
    bool has_banner;
    bool no_diagonal; /* skew-symmetric */
    bool is_half; /* not general: an edge stands once, and is read lesser vertex first */
};

struct mw_sg {
    bool directed;
    uint64_t n_vertices, n_entries;
    uint64_t entry_bytes; /* 4, with weights 8 */
    uint64_t offsets_at, entries_at;
    uint64_t bytes; /* of a whole file with this header */
};

struct mw_metis {
    uint64_t n_vertices, n_edges;
    uint64_t n_before; /* numbers of a vertex in front of its neighbours */
    bool weights;      /* a number behind each neighbour */
    uint64_t row;      /* of the next line; MW_UNKNOWN: not counted yet */
};

/* What comments in front of the edges say (reader_comments.c). KONECT's two sides of a bipartite
 * graph are both counted from 1; here the right one goes on behind the left one. */
struct mw_comments {
    bool konect, two_sides, own; /* own: Meshway has written the list */
    uint64_t base;               /* own: what it calls the first vertex */
    uint64_t size[3];            /* edges, vertices on the left, on the right */
    int n_sizes;
};

enum mw_pajek_kind {
    MW_PAJEK_NONE,
    MW_PAJEK_VERTICES,
    MW_PAJEK_ARCS,
    MW_PAJEK_EDGES,
    MW_PAJEK_ARCS_LIST,
    MW_PAJEK_EDGES_LIST
};
enum { MW_PAJEK_SECTIONS = 64 };

struct mw_pajek {
    uint32_t n; /* sections, in the order of the file */
    bool has_arcs, has_edges;
    struct {
        uint64_t at; /* where its first line begins */
        enum mw_pajek_kind kind;
    } section[MW_PAJEK_SECTIONS];
};

struct mw_reading {
    const struct mw_input *in;
    const struct mw_read_conf *conf;
    struct mw_edges *out;
    struct mw_file_facts *facts;
    uint32_t part, n_parts;
    uint64_t base;  /* what the file calls the first vertex */
    uint64_t limit; /* ids from 0 are below this: n_vertices, or 2^63 */
    uint64_t bytes_taken;
    bool long_lines; /* a line holds all neighbours of a vertex */
    uint64_t
        body; /* text: where the first line stands, then where the first entry does */
    uint64_t n_counted; /* edges of `out` that the facts know */
    int n_columns; /* edge lists: besides the two vertices, as the first line has it */
    int column[2]; /* edge lists: where the vertices stand; the first one is 0 */
    int weight_column; /* edge lists: where the weight stands; -1: nowhere */
    char separator;    /* edge lists; '\0': not known yet */
    bool has_titles;   /* edge lists: the first line is no edge */
    struct mw_comments comments;
    struct mw_mtx mtx;
    struct mw_sg sg;
    struct mw_metis metis;
    struct mw_pajek pajek;
};

#define MW_ID_LIMIT (UINT64_C(1) << 63)

MW_FN uint64_t mw_reading_left_limit(const struct mw_reading *r)
{
    return r->comments.two_sides ? r->comments.size[1] : r->limit;
}

MW_FN uint64_t mw_reading_right_limit(const struct mw_reading *r)
{
    return r->comments.two_sides ? r->comments.size[2] : r->limit;
}

/* What is added to a vertex on the right. */
MW_FN uint64_t mw_reading_shift(const struct mw_reading *r)
{
    return r->comments.two_sides ? r->comments.size[1] : 0;
}

int mw_edges_text_open(struct mw_reading *r) MW_NODISCARD;
int mw_edges_text_read(struct mw_reading *r) MW_NODISCARD;
/* (u, v), as the file has them, are not both below their limits: says which, and why. */
int mw_edges_fail_id(struct mw_reading *r, struct mw_lines *l, const char *line,
                     uint64_t u, uint64_t v);

/* One comment in front of the edges; p stands behind its sign. */
void mw_comments_take(struct mw_reading *r, const char *p, const char *end);
/* All of them have been taken: what follows for base, limit and n. */
int mw_comments_apply(struct mw_reading *r) MW_NODISCARD;

/* Edge lists with names, quotes, titles (reader_fields.c). What the first line tells: separator,
 * columns and their number; MW_AGAIN: it has titles, the next one is to be looked at. */
int mw_fields_look(struct mw_reading *r, struct mw_lines *l, const char *line)
    MW_NODISCARD;
bool mw_fields_numbers(const struct mw_reading *r, const char *line, uint64_t *u,
                       uint64_t *v, int *n_columns);
/* Has an edge list names for vertices? Judged by its beginning, [p, end), which are whole lines: most
 * are pairs that are no numbers, and all have as many columns. */
bool mw_fields_look_named(const struct mw_read_conf *conf, const char *p,
                          const char *end);
/* The weight of a line, 1 where it has none. */
int mw_fields_weight(struct mw_reading *r, struct mw_lines *l, const char *line,
                     float *weight) MW_NODISCARD;
/* Any of them, field by field. */
int mw_fields_take(struct mw_reading *r, struct mw_lines *l, const char *p,
                   const char *end) MW_NODISCARD;
int mw_mtx_open(struct mw_reading *r) MW_NODISCARD;
int mw_mtx_read(struct mw_reading *r) MW_NODISCARD;
int mw_packed_open(struct mw_reading *r) MW_NODISCARD;
int mw_packed_read(struct mw_reading *r) MW_NODISCARD;
int mw_dimacs_open(struct mw_reading *r) MW_NODISCARD;
int mw_dimacs_read(struct mw_reading *r) MW_NODISCARD;
int mw_sg_open(struct mw_reading *r) MW_NODISCARD;
int mw_sg_read(struct mw_reading *r) MW_NODISCARD;
int mw_metis_open(struct mw_reading *r) MW_NODISCARD;
int mw_metis_read(struct mw_reading *r) MW_NODISCARD;
int mw_pajek_open(struct mw_reading *r) MW_NODISCARD;
int mw_pajek_read(struct mw_reading *r) MW_NODISCARD;
int mw_adjacency_open(struct mw_reading *r) MW_NODISCARD;
int mw_adjacency_read(struct mw_reading *r) MW_NODISCARD;

/* Local. The number of vertices that the header gives; one given by hand may be
 * larger. */
int mw_reading_set_vertices(struct mw_reading *r, uint64_t n_vertices) MW_NODISCARD;

/* Sums of it tell whether two lists hold the same edges. From the finaliser of splitmix64
 * (Steele, Lea, Flood 2014). */
MW_FN uint64_t mw_edge_hash(mw_vid u, mw_vid v)
{
    uint64_t x = u * UINT64_C(0x9e3779b97f4a7c15) + 1;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9) + v;
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

/* Both halves of an edge have its weight. Bits of `weight`: 0 where nobody asked for it. */
MW_FN uint64_t mw_half_hash(mw_vid u, mw_vid v, float weight)
{
    const uint32_t bits = mw_bits_of_float(weight);
    return mw_edge_hash(u, v) + (bits > 0 ? mw_edge_hash(bits, mw_edge_hash(u, v)) : 0);
}

/* Delivers the edge if (u, v) is its half with u <= v; else counts it as the other one. The weight
 * is 0 unless weights are asked for. */
MW_NODISCARD MW_FN int mw_reading_add_half(struct mw_reading *r, mw_vid u, mw_vid v,
                                           float weight)
{
    if (u > v) {
        r->facts->n_twins++;
        r->facts->twin_hash += mw_half_hash(v, u, weight);
        return MW_OK;
    }
    if (u < v)
        r->facts->half_hash += mw_half_hash(u, v, weight);
    return mw_edges_add_weighted(r->out, u, v, weight);
}

/* Brings the facts up to date with `out`; once per block. */
void mw_reading_count(struct mw_reading *r);

/* What to say about an id (as the file has it) that is not below the limit:
 * "vertex 12 is not in 0..11 (n = 12); ...". */
void mw_reading_explain_id(struct mw_reading *r, uint64_t id, char *text, size_t room);
/* Says what is wrong with a number of a line, which messages call `what`: `s` is what scanning it said, and
 * if that is good, the vertex is none. */
int mw_reading_fail_id(struct mw_reading *r, struct mw_lines *l, const char *line,
                       enum mw_scan s, const char *what, uint64_t id);

/* What stands in front of the edges, which every part looks at: hands `take` the lines from byte r->body
 * on until it returns anything but MW_AGAIN. MW_DONE: there are no more lines;
 * mw_reading_lacks() says what was to come. */
typedef int mw_take_line(struct mw_reading *r, struct mw_lines *l, const char *line);
int mw_reading_head(struct mw_reading *r, const char *comment, bool long_lines,
                    mw_take_line *take) MW_NODISCARD;
int mw_reading_lacks(const struct mw_reading *r, const char *what);

/* Runs `take` over this part's blocks of lines from byte `body` on; `comment` as in
 * lines.h. `take` adds the edges of whole lines, [begin, end). */
typedef int mw_take_lines(struct mw_reading *r, struct mw_lines *l, const char *begin,
                          const char *end);
int mw_reading_lines(struct mw_reading *r, const char *comment, uint64_t body,
                     mw_take_lines *take) MW_NODISCARD;

/* ---- detection ---- */

/* Reads the first MW_SG_HEADER bytes as the header of a .sg (entry_bytes 4) or .wsg
 * (8); false if it makes no sense for any file. */
enum { MW_SG_HEADER = 17 };
bool mw_sg_parse(const unsigned char *head, uint64_t entry_bytes, struct mw_sg *sg);

/* With its numbers turned round the header fits a file of this size to the byte. */
bool mw_sg_is_swapped(const unsigned char *head, uint64_t file_bytes);

/* The first bytes of a text, which end with a line ([head, end), `whole`: it is all there
 * is), are METIS's: the header fits the file's size, every line that of its vertex, and of
 * each pair of lines that is there both name the other or neither does. */
bool mw_metis_fits(const char *head, const char *end, bool whole, uint64_t file_bytes);

/* A line that a Pajek network begins with. */
bool mw_pajek_begins(const char *p);

/* `titled`: the first line of a text is no edge, whatever it looks like. `head` goes on with a '\n'
 * behind its bytes. */
enum mw_format mw_format_detect(const struct mw_input *in, const unsigned char *head,
                                uint64_t bytes, bool titled, char *why, size_t room);

/* A text whose vertices are names, as far as its beginning tells (mw_fields_look_named). */
bool mw_format_named(const struct mw_read_conf *conf, const struct mw_input *in,
                     const unsigned char *head, uint64_t bytes);

MW_END_DECLS
#endif
