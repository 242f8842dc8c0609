/* format.h -- the file formats of edge lists, as readers and writers name them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FORMAT_H
#define MW_FORMAT_H

#include "base/base.h"

MW_BEGIN_DECLS

enum mw_format {
    MW_FORMAT_AUTO,     /* readers: by content */
    MW_FORMAT_EDGES,    /* text, "u v" a line: SNAP, KONECT, .el, .wel, .csv */
    MW_FORMAT_MTX,      /* Matrix Market, coordinate */
    MW_FORMAT_PACKED12, /* Graph500's 12-byte edges: two 48-bit numbers */
    MW_FORMAT_PACKED16, /* two int64 an edge, as Graph500 2.1.4 had them */
    MW_FORMAT_SG,       /* GAP's serialised CSR */
    MW_FORMAT_WSG,      /* the same with weights */
    MW_N_WRITTEN,       /* those above can be written as well */
    MW_FORMAT_DIMACS = MW_N_WRITTEN, /* text, "p sp n m", then "a u v w" or "e u v" */
    MW_FORMAT_METIS, /* text, "n m [fmt [ncon]]", then the neighbours of each vertex */
    MW_FORMAT_ADJACENCY, /* text, "u v1 v2 ...": NetworkX's adjacency lists */
    MW_FORMAT_PAJEK,     /* text, sections "*Vertices n", "*Arcs", "*Edges" */
    MW_N_FORMATS
};

/* Have the edges a direction? What the format, its header or a comment says: an edge that has
 * one is delivered as (from, to), one that has none once, for both ways. */
enum mw_directed { MW_DIRECTED_UNSAID, MW_DIRECTED_NO, MW_DIRECTED_YES };

const char *mw_directed_word(enum mw_directed d); /* "not said", "no", "yes" */

/* In the order of the enum, for option tables. */
#define MW_WRITTEN_WORDS "auto|edges|mtx|packed12|packed16|sg|wsg"
#define MW_FORMAT_WORDS  MW_WRITTEN_WORDS "|dimacs|metis|adjacency|pajek"

/* The word of one format ("mtx"), and what to call it in a sentence. */
const char *mw_format_word(enum mw_format format);
const char *mw_format_title(enum mw_format format);

/* Little-endian numbers at any address; compilers make one load or store of each. */
MW_FN uint32_t mw_get32(const unsigned char *p)
{
    return (uint32_t)p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 |
           (uint32_t)p[3] << 24;
}

MW_FN uint64_t mw_get64(const unsigned char *p)
{
    return (uint64_t)mw_get32(p) | (uint64_t)mw_get32(p + 4) << 32;
}

MW_FN void mw_put32(unsigned char *p, uint32_t x)
{
    for (int i = 0; i < 4; i++)
        p[i] = (unsigned char)(x >> 8 * i);
}

MW_FN void mw_put64(unsigned char *p, uint64_t x)
{
    mw_put32(p, (uint32_t)x);
    mw_put32(p + 4, (uint32_t)(x >> 32));
}

/* Edges of 12 bytes are in packed.h; the numbers have 48 bits with a sign. */
enum { MW_PACKED16_BYTES = 16 };
#define MW_PACKED12_VERTICES (UINT64_C(1) << 47)

MW_END_DECLS
#endif
