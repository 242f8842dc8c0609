/* sources.h -- vertices that an algorithm starts from: given, or drawn by a seed, alike on any ranks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SOURCES_H
#define MW_SOURCES_H

#include "graph/graph.h"

MW_BEGIN_DECLS

struct mw_traversal;

enum { MW_SOURCES_MAX = 64 };

/* All ranks have the same. */
struct mw_sources {
    mw_vid vertex[MW_SOURCES_MAX];
    uint32_t n;
};

/* Keys of an algorithm that draws: its options have `sources` and `seed`. */
/* clang-format off */
#define MW_SOURCES_KEYS(type, how_many, what_for)                                                           \
    {.name = "sources", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = MW_SOURCES_MAX,               \
     .fallback = how_many, .help = what_for, MW_KEY_FIELD(struct type, sources)},                          \
    {.name = "seed", .kind = MW_KEY_COUNT, .value = "S", .min = 0, .max = UINT64_MAX, .fallback = "1",     \
     .help = "Seed of the draw", MW_KEY_FIELD(struct type, seed)}
/* clang-format on */

/* Collective. `n` vertices, each once, that have an edge (directed: that leaves them), or fewer where there
 * are fewer, or where they are few and hard to find; one at least if there is any edge. */
MW_SHOWN int mw_sources_draw(const struct mw_traversal *t, uint32_t n, uint64_t seed,
                             struct mw_sources *out) MW_NODISCARD;

/* Local, the same at all ranks, between runs: those that follow start at these, which differ and need no
 * edge. The algorithm says where they stand; MW_SOURCES_MAX at most. */
void mw_sources_set(const struct mw_traversal *t, const mw_vid *vertex, uint32_t n);

MW_END_DECLS
#endif
