/* reader.h -- graphs from files: any of the formats of format.h, detected by content,
 * each rank reading its own part.
 *
 * Nothing a file says is believed before it has been compared with the file's size;
 * no part holds more than its share of the edges and one block of the file; lines,
 * numbers and ids that do not fit are errors that say where they stand.
 *
 *      rank 0..P-1:  mw_read_graph(part = rank, n_parts = P)
 *      all ranks:    reduce the facts as mw_facts_merge() does
 *      all ranks:    mw_facts_check(), the rest that needs the whole file
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_READER_H
#define MW_READER_H

#include "graph/edges.h"
#include "io/dictionary.h"
#include "io/format.h"

MW_BEGIN_DECLS

#define MW_UNKNOWN UINT64_MAX

/* Does the first line of an edge list have titles? In the order of the option's words. */
enum mw_header { MW_HEADER_AUTO, MW_HEADER_YES, MW_HEADER_NO };
#define MW_HEADER_WORDS "auto|yes|no"

struct mw_input;

struct mw_read_conf {
    const char *path;
    const struct mw_input *input; /* opened already; NULL: path is opened. Borrowed */
    enum mw_format format;
    int base; /* what the first vertex is called, 0 or 1, where the format leaves it open */
    bool base_given;       /* somebody said so: an error where the format says it */
    uint64_t n_vertices;   /* 0: from the file */
    enum mw_header header; /* edge lists */
    char
        separator; /* edge lists: ',', ';', '\t', ' ' for blanks; '\0': the first line's */
    bool
        names; /* edge lists: vertices are names; then the edges that are read have their ... */
    bool names_by_look; /* and nobody has said so, but the file looks so (mw_read_look) */
    struct mw_dictionary *seen; /* ... numbers in here */
    const char *
        vertices; /* compact ids: a file of all of them, one a line; NULL: those of edges */
    const char
        *weight_title; /* edge lists: of the column with weights; NULL: a usual one */
    bool weights; /* the edges get the file's weights, or 1; else those are dropped */
    uint32_t part, n_parts; /* n_parts 0: all */
};

struct mw_file_facts {
    /* Of the whole file, alike for every part. */
    enum mw_format format;
    uint64_t bytes;
    uint64_t fingerprint; /* differs: the ranks see different files */
    enum mw_directed directed;
    bool by_comment;  /* only a comment says so: each edge stands there as it is meant */
    uint64_t base;    /* what it calls the first vertex */
    bool both_halves; /* METIS, an undirected .sg: each edge stands there twice */
    uint64_t n_edges; /* as header or size say; MW_UNKNOWN for text edge lists */
    bool skipped_titles; /* the first line is titles, but could have been names */
    uint64_t said_vertices,
        said_edges; /* comments of text edge lists; 0: they do not say it */

    /* Of the part. Merged: greatest, sums, least, greatest. Ids count from 0. */
    uint64_t n_vertices; /* given, or in the header; else max_id + 1 */
    uint64_t n_read;     /* edges delivered */
    uint64_t n_self_loops;
    /* both_halves: entries (u, v) with u > v, which are not delivered, and sums over both
     * halves of a hash of each entry's edge: equal if the halves are. */
    uint64_t n_twins, half_hash, twin_hash;
    bool
        weighted; /* weights or further columns, which are dropped unless asked for; merged: any */
    bool
        has_weights; /* of those that were asked for, not all are 1 for want of any; merged: any */
    uint64_t n_rounded;      /* weights that are no floats, and were rounded */
    uint64_t min_id, max_id; /* MW_UNKNOWN and 0 without edges */
};

/* Local. Reads one part; the caller owns *out (mw_edges_fini), also when it is empty;
 * nothing is left in it on failure. Entries of symmetric Matrix Market files and of
 * undirected .sg files are one edge each. */
int mw_read_graph(const struct mw_read_conf *conf, struct mw_edges *out,
                  struct mw_file_facts *facts) MW_NODISCARD;

/* Can its edges be gone along one way only? Not if each stands there once for both ways, or twice.
 * A comment says no more than what the list was made for. */
bool mw_facts_one_way(const struct mw_file_facts *facts);

/* A list of edges and nothing else: the greatest vertex tells how many there are. */
bool mw_format_lists(enum mw_format format);

/* Local. Sets names and format, if it is an edge list whose vertices are names as far as its beginning
 * tells, and nothing in the conf is for numbers only. What is wrong with a file, reading says. */
void mw_read_look(struct mw_read_conf *conf);

/* Local. Format, sizes and header only; n_vertices is 0 where only reading tells. */
int mw_read_facts(const struct mw_read_conf *conf, struct mw_file_facts *facts)
    MW_NODISCARD;

/* Adds one part's facts to those of the parts before it, in any order. */
void mw_facts_merge(struct mw_file_facts *whole, const struct mw_file_facts *part);

/* Local. What only the merged facts can tell: fewer or more entries than the header
 * says, an undirected .sg that is not symmetric, no edges at all. mw_read_graph() has
 * done it if there is one part. */
int mw_facts_check(const struct mw_read_conf *conf, const struct mw_file_facts *whole)
    MW_NODISCARD;

MW_END_DECLS
#endif
