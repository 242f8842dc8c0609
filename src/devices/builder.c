/* builder.c -- see builder.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/builder.h"

#include "base/mem.h"

const struct mw_sizes *mw_builder_sizes(struct mw_builder *b)
{
    const struct mw_building *s = &b->s;
    const struct mw_graph_shape shape = {.n_vertices = s->n_vertices,
                                         .n_places = s->n,
                                         .n_tuples = b->edges->n,
                                         .n_labels = s->n_labels,
                                         .n_columns = b->g->n_columns,
                                         .n_entries = s->n_entries,
                                         .n_kept = s->n_kept,
                                         .weights = s->weighted ? MW_WEIGHTS_MINIMUM
                                                                : MW_WEIGHTS_NONE};
    struct mw_delegates_shape dealt = {0};
    struct mw_world_shape world;
    if (b->dealt != NULL)
        dealt = (struct mw_delegates_shape){.n_ranks = b->world->comm->size,
                                            .n_vertices =
                                                b->dealt->first[b->world->comm->size],
                                            .most = b->dealt->most,
                                            .n_entries = b->n_pieces,
                                            .weighted = s->weighted};
    mw_world_shape_of(b->world, &world);
    b->sizes.n = 0;
    mw_building_sizes(&shape, &dealt, s->n_long, &world, &b->sizes);
    return &b->sizes;
}

int mw_builder_take_entries(struct mw_builder *b, const char *what, void **out)
{
    *out = mw_place(b->world, MW_OF_CORES, mw_builder_sizes(b), what,
                    mw_building_entry_bytes(b->s.weighted));
    return *out != NULL ? MW_OK : MW_ERR_NOMEM;
}

/* ---- what ranks tell each other ------------------------------------------------------------ */

int mw_builder_open_told(struct mw_builder *b, uint64_t most_words)
{
    uint64_t words = mw_building_told_words(b->edges->n, most_words);
    if (mw_builder_alone(b))
        return MW_OK;
    MW_NEED(mw_comm_max(b->world->comm, &words, 1));
    b->told_words = words;
    return mw_parts_open(b->world, 2 * words * sizeof(uint32_t), &b->told);
}

/* The halves take turns: who stores in one again has met all since they have read it. */
int mw_builder_tell(struct mw_builder *b, const struct mw_telling *what,
                    enum mw_building_row row)
{
    struct mw_building *s = &b->s;
    struct mw_comm *const comm = b->world->comm;
    const uint64_t n = what->n;
    s->width = what->words + (what->weight != NULL);
    const uint64_t room = b->told_words / s->width, bytes = s->width * sizeof *s->mine;
    uint64_t *n_of = NULL, most = 0;
    int rc = MW_OK;
    MW_NEW(rc, n_of, "words that ranks tell", comm->size);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(comm, &n, sizeof n, n_of);
    for (uint32_t r = 0; rc == MW_OK && r < comm->size; r++)
        most = mw_max(most, n_of[r]);
    for (uint64_t k = 0; rc == MW_OK && k * room < most; k++) {
        const uint64_t half = k % 2 * b->told_words;
        const void *its;
        s->first = k * room;
        s->source = (const uint32_t *)what->source + s->first * what->words;
        s->beside = what->weight != NULL ? what->weight + s->first : NULL;
        s->n_items = n > s->first ? mw_min(room, n - s->first) : 0;
        s->mine = (uint32_t *)b->told.mine + half;
        mw_builder_sweep(b, MW_BUILDING_TELL);
        rc = mw_parts_share(&b->told, half * sizeof(uint32_t),
                            mw_min(room, most - s->first) * bytes);
        for (s->teller = 0; rc == MW_OK && s->teller < comm->size; s->teller++) {
            const uint64_t left =
                n_of[s->teller] > s->first ? n_of[s->teller] - s->first : 0;
            if (left == 0)
                continue;
            s->n_items = mw_min(room, left);
            rc = mw_parts_see(&b->told, s->teller, half * sizeof(uint32_t),
                              s->n_items * bytes, &its);
            s->its = its;
            if (rc == MW_OK)
                mw_builder_sweep(b, row);
        }
    }
    mw_free(n_of);
    return rc;
}
