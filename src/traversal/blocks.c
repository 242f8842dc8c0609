/* blocks.c -- see blocks.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/blocks.h"

#include "devices/placed.h"

static const char state_name[] = "state of the algorithm";

static uint64_t bytes_of(const struct mw_block *b, bool wide)
{
    return b->bytes > 0 ? b->bytes : mw_number_bytes(wide);
}

void mw_blocks_sizes(const struct mw_algorithm *a, const struct mw_algorithm_shape *shape,
                     struct mw_sizes *out)
{
    const uint64_t n[] = {[MW_PER_PLACE] = shape->n_places,
                          [MW_PER_LABEL] = shape->n_labels,
                          [MW_PER_WORD] = shape->n_labels / 64 + 1,
                          [MW_PER_ENTRY] = shape->n_entries,
                          [MW_PER_RANK] = 1};
    if (a->state_bytes == 0)
        return;
    mw_sizes_add(out, MW_SEARCHING, state_name, 1, a->state_bytes);
    for (uint32_t i = 0; i < a->n_blocks; i++) {
        const struct mw_block *const b = &a->block[i];
        struct mw_size *const size = mw_sizes_add_of(out, b->kind, MW_SEARCHING, b->what,
                                                     n[b->per], bytes_of(b, shape->wide));
        size->touched = b->touched > 0 ? b->touched : size->touched;
    }
}

/* 0 where no block is as long: they may be on a device. */
static uint64_t n_entries(const struct mw_traversal *t)
{
    for (uint32_t i = 0; i < t->algorithm->n_blocks; i++)
        if (t->algorithm->block[i].per == MW_PER_ENTRY)
            return mw_placed_entries(t->world, t->graph) +
                   mw_placed_in_entries(t->world, t->graph);
    return 0;
}

int mw_blocks_open(struct mw_traversal *t)
{
    const struct mw_algorithm *const a = t->algorithm;
    const struct mw_algorithm_shape shape = {.n_places = t->graph->n_places,
                                             .n_labels = t->graph->n_labels,
                                             .n_entries = n_entries(t),
                                             .wide = t->graph->wide};
    struct mw_sizes sizes = {0};
    if (a->state_bytes == 0)
        return MW_OK;
    mw_blocks_sizes(a, &shape, &sizes);
    t->state = mw_sizes_take(&sizes, state_name, a->state_bytes);
    if (t->state == NULL)
        return MW_ERR_NOMEM;
    *(const struct mw_graph **)t->state = t->placed;
    for (uint32_t i = 0; i < a->n_blocks; i++) {
        const struct mw_block *const b = &a->block[i];
        void **const at = (void **)((char *)t->state + b->offset);
        *at = mw_place(t->world, b->kind, &sizes, b->what, bytes_of(b, shape.wide));
        if (*at == NULL)
            return MW_ERR_NOMEM;
    }
    return MW_OK;
}

void mw_blocks_close(struct mw_traversal *t)
{
    const struct mw_algorithm *const a = t->algorithm;
    if (a->state_bytes == 0 || t->state == NULL)
        return;
    for (uint32_t i = 0; i < a->n_blocks; i++)
        mw_unplace(t->world, a->block[i].kind,
                   *(void **)((char *)t->state + a->block[i].offset));
    mw_free(t->state);
    t->state = NULL;
}
