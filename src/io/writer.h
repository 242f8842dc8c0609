/* writer.h -- edge lists into files, piece by piece, so that nobody holds them whole;
 * the file appears whole or not at all (outfile.h).
 *
 * Only .sg and .wsg are different: their header needs every degree, so the list is collected and
 * written at the end, by one process that can hold it. Weights of packed edges are a file of their
 * own (packed.h). All functions are local.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_WRITER_H
#define MW_WRITER_H

#include "graph/edges.h"
#include "io/format.h"
#include "io/outfile.h"

MW_BEGIN_DECLS

/* What packs a file on its way, piece by piece, into an output that it borrows. */
struct mw_write_packer {
    /* MW_ERR_UNAVAILABLE: it cannot pack so. `packing` is a word like "gzip". */
    int (*begin)(const char *packing, struct mw_outfile *to, void **packer);
    int (*put)(void *packer, const void *data, size_t bytes);
    int (*end)(void *packer);   /* all is written; it is still to be freed */
    void (*free)(void *packer); /* NULL is legal; writes nothing more */
};

struct mw_write_conf {
    const char *path;
    enum mw_format format;
    uint64_t n_vertices; /* 0: greatest id + 1, known at the end */
    uint64_t n_edges;    /* announced, and checked at the end; 0: as many as come */
    const struct mw_write_packer *packer; /* NULL: the file is not packed */
    const char *packing;
    int base;     /* MW_FORMAT_EDGES: what the first vertex is called, 0 or 1 */
    bool force;   /* replace a file of this name */
    bool weights; /* write them too, where the format has them */
    /* Have the edges a direction? .sg and Matrix Market say it by their form, where it is not
     * said: none, and general; text by a comment; packed edges cannot. */
    enum mw_directed directed;
};

struct mw_writer;

/* Whether it has weights. */
bool mw_format_weighs(enum mw_format format);

/* Whether a header in front of the edges cannot be written again at the end: n_vertices and
 * n_edges are then to be announced. */
bool mw_write_announces(const struct mw_write_conf *conf);

int mw_write_begin(const struct mw_write_conf *conf, struct mw_writer **out) MW_NODISCARD;
int mw_write_edges(struct mw_writer *w, const struct mw_edges *edges) MW_NODISCARD;

/* Finishes the file and frees the writer, whether it succeeds or not. */
int mw_write_end(struct mw_writer *w) MW_NODISCARD;

/* Gives up: no file. NULL is legal. */
void mw_write_abandon(struct mw_writer *w);

MW_END_DECLS
#endif
