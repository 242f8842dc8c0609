/* builder.h -- a graph while cores build it (building.h): what phases hand on to each other.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BUILDER_H
#define MW_BUILDER_H

#include "devices/building.h"
#include "devices/placed.h"

MW_BEGIN_DECLS

struct mw_builder {
    struct mw_world *world;
    const struct mw_edges *edges;
    struct mw_building s;
    struct mw_graph *g;               /* the host's */
    struct mw_graph *there;           /* what mw_graph_place() would have made */
    struct mw_delegates *there_dealt; /* and of it what is of delegates */
    struct mw_delegates *dealt;       /* the host's; NULL: none */
    struct mw_sizes sizes;
    struct mw_parts told; /* of several ranks: two halves of told_words each */
    uint64_t told_words, n_pieces;
    double *seconds, start;
};

/* Local: by what is known of the graph now. */
const struct mw_sizes *mw_builder_sizes(struct mw_builder *b);

/* Local: "entries", or "merged entries"; MW_ERR_NOMEM. */
int mw_builder_take_entries(struct mw_builder *b, const char *what, void **out)
    MW_NODISCARD;

#define MW_BUILDER_TAKE(ptr, what)                                                       \
    MW_PLACE(rc, ptr, b->world, MW_OF_CORES, mw_builder_sizes(b), what)

static inline void mw_builder_sweep(struct mw_builder *b, enum mw_building_row row)
{
    mw_building_sweep(b->world, row, &b->s);
}

static inline bool mw_builder_alone(const struct mw_builder *b)
{
    return b->world->comm->size == 1;
}

/* Collective: room for what ranks tell each other, if there are several: at most so many words at a
 * time, 0: as many as is usual. */
int mw_builder_open_told(struct mw_builder *b, uint64_t most_words) MW_NODISCARD;
/* What a rank tells: n items of so many words, and a weight of each unless that is NULL, as it is at all
 * ranks or at none. */
struct mw_telling {
    const void *source;
    uint32_t words;
    const float *weight;
    uint64_t n;
};
/* Collective: all of each rank, a piece at a time, which a sweep sees as `its`. */
int mw_builder_tell(struct mw_builder *b, const struct mw_telling *what,
                    enum mw_building_row row) MW_NODISCARD;

MW_END_DECLS
#endif
