/* treefile.h -- one number per vertex in a file: the parents of a search or the components of
 * vertices, or levels.
 *
 * Two forms of our own. A name that ends in ".bin" means binary: exactly n int64, little-endian,
 * in the order of the vertices (ids: an id and a number each; texts: not possible). Any
 * other name means text, a line "vertex number" for
 * each vertex, '#' for comments. -1: not reached. Vertices, parents too, are called what
 * the input calls them (names.h). Readers look at the content, not at the name.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TREEFILE_H
#define MW_TREEFILE_H

#include "graph/partition.h"
#include "io/names.h"

MW_BEGIN_DECLS

struct mw_input;
struct mw_tree_writer;

bool mw_tree_is_binary(const char *path);

/* What the numbers are: vertices 0 .. n-1; steps from the root and other counts; or reals, given as the
 * bits of doubles: a text has 9 digits or nan, a binary file the doubles. */
enum mw_tree_kind { MW_TREE_VERTICES, MW_TREE_COUNTS, MW_TREE_REALS };

/* A third form, which is written only: LDBC Graphalytics' text. It has no first line, and its own words
 * for vertices that are not reached. */
#define MW_TREE_UNREACHED_COUNT "9223372036854775807"
#define MW_TREE_UNREACHED_REAL  "Infinity"

/* Local, on the rank that writes. Borrows the names, whose n_vertices numbers must come in the
 * order of the vertices. `what` they are stands in a text's first line: "parent"; NULL: as
 * Graphalytics has it. */
int mw_tree_begin(const char *path, bool force, enum mw_tree_kind kind, const char *what,
                  const struct mw_names *names, struct mw_tree_writer **out) MW_NODISCARD;
int mw_tree_put(struct mw_tree_writer *w, const int64_t *number, uint64_t n) MW_NODISCARD;
int mw_tree_end(struct mw_tree_writer *w) MW_NODISCARD; /* frees, also on failure */
void mw_tree_abandon(struct mw_tree_writer *w);         /* NULL is legal */

/* Local. The parents, 0 .. n-1 or -1, of the vertices that this rank of n_ranks owns, at
 * [place], in fresh memory (mw_free). Every vertex must be there
 * once, and every parent a vertex or -1. */
int mw_read_tree(const char *path, const struct mw_names *names, uint32_t rank,
                 uint32_t n_ranks, int64_t **parent) MW_NODISCARD;
int mw_read_tree_input(const struct mw_input *in, const struct mw_names *names,
                       uint32_t rank, uint32_t n_ranks, int64_t **parent) MW_NODISCARD;

MW_END_DECLS
#endif
