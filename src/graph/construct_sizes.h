/* construct_sizes.h -- how much construction puts aside at a time, and what that and the graph
 * take: one table of sizes, which kernel 1 allocates by and `plan` adds up.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CONSTRUCT_SIZES_H
#define MW_CONSTRUCT_SIZES_H

#include "graph/construct.h"

MW_BEGIN_DECLS

/* ---- A pass over the edges --------------------------------------------------------------- */

/* Ends that a pass over so many tuples looks at. */
uint64_t mw_pass_ends(uint64_t n_tuples, bool directed);

/* What the blocks of bins are cut by: the ends that a round of counting brings. */
uint64_t mw_pass_first_bins_bytes(uint64_t n_tuples);

/* What a rank puts aside in a round of counting and of building for the ranks of its host, who
 * own their share of all ends. */
enum mw_pass { MW_PASS_COUNT, MW_PASS_BUILD, MW_PASSES };
void mw_pass_loads(uint64_t most_places, uint64_t n_ends, enum mw_entry_form form,
                   uint32_t n_near, uint32_t n_ranks,
                   struct mw_shelf_load load[MW_PASSES]);

/* A bin has so many places, as a power of two. */
uint32_t mw_pass_bin_shift(enum mw_pass pass, uint64_t n_places, uint64_t n_ends);

/* Bytes of a rank's part of the shelf; 0: there is none. */
uint64_t mw_pass_shelf_bytes(const struct mw_world_shape *world, uint64_t most_places,
                             uint64_t n_ends, enum mw_entry_form form);

/* As many slices as keep each below twice what a rank gets in a round on average. */
uint32_t mw_pass_slices(uint64_t n_round, uint64_t mean, uint64_t piece_entries);

/* Bits of a column, or of a vertex where columns are asked for, in a record of building. */
uint32_t mw_pass_value_bits(const struct mw_graph_shape *shape);

/* What its records hold, in one of the exchanges of construct.h. */
struct mw_record_bits mw_pass_bits(uint32_t exchange, const struct mw_graph_shape *shape);

/* ---- The table --------------------------------------------------------------------------- */

/* Blocks by their names, as far as their sizes are known by now. */
void mw_construction_sizes(const struct mw_construction *c, struct mw_sizes *out);
struct mw_graph_shape mw_construction_shape(const struct mw_construction *c);

MW_END_DECLS
#endif
