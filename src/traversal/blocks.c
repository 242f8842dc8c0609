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

uint64_t mw_block_stride(uint32_t label_bits)
{
    return mw_columns_of(1, label_bits) / 64 + 1;
}

/* Do ranks of a host reach each other's? The same at all of them. */
static bool is_shared(const struct mw_block *b, const struct mw_backend *backend,
                      uint32_t n_ranks, uint32_t n_hosts)
{
    return b->per == MW_PER_WORD_OF_HOST && n_hosts < n_ranks &&
           mw_ranks_are_near(backend);
}

static bool is_wanted(const struct mw_tabled_block *b, const void *options)
{
    return options == NULL || !*(const bool *)((const char *)options + b->off);
}

bool mw_block_is_tabled(const struct mw_tabled_block *b,
                        const struct mw_algorithm_shape *shape,
                        const struct mw_world_shape *world)
{
    return is_wanted(b, shape->options) &&
           mw_table_expected(world->backend, world->groups.n_ranks, shape->asks_names);
}

/* The block that may lie in a table; NULL: none may. */
static const struct mw_block *find_tabled(const struct mw_algorithm *a)
{
    for (uint32_t i = 0; a->tabled != NULL && i < a->n_blocks; i++)
        if (a->block[i].offset == a->tabled->block)
            return &a->block[i];
    return NULL;
}

void mw_blocks_sizes(const struct mw_algorithm *a, const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out)
{
    const uint64_t n[] = {[MW_PER_PLACE] = shape->n_places,
                          [MW_PER_LABEL] = shape->n_labels,
                          [MW_PER_WORD] = shape->n_labels / 64 + 1,
                          [MW_PER_ENTRY] = shape->n_entries,
                          [MW_PER_RANK] = 1,
                          [MW_PER_WORD_OF_HOST] = shape->n_labels / 64 + 1};
    const struct mw_block *const tabled = find_tabled(a);
    const bool in_table = tabled != NULL && mw_block_is_tabled(a->tabled, shape, world);
    if (a->state_bytes == 0)
        return;
    mw_sizes_add(out, MW_SEARCHING, state_name, 1, a->state_bytes);
    if (in_table)
        mw_table_sizes(a->tabled->what, shape->label_bits, bytes_of(tabled, shape->wide),
                       true, world, out);
    for (uint32_t i = 0; i < a->n_blocks; i++) {
        const struct mw_block *const b = &a->block[i];
        const bool shared =
            is_shared(b, world->backend, world->groups.n_ranks, world->n_hosts);
        struct mw_size *const size = mw_sizes_add_of(
            out, b->kind, MW_SEARCHING, b->what,
            shared ? world->host_ranks * mw_block_stride(shape->label_bits) : n[b->per],
            bytes_of(b, shape->wide));
        size->touched = b->touched > 0 ? b->touched : size->touched;
        size->of_host = shared;
        size->copies = !(in_table && b == tabled);
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

/* Where this rank's part of a shared block begins, in what the host has. */
static uint64_t own_part(const struct mw_traversal *t, const struct mw_block *b)
{
    return t->world->comm->host_rank * mw_block_stride(t->graph->label_bits) *
           bytes_of(b, t->graph->wide);
}

static bool is_shared_here(const struct mw_traversal *t, const struct mw_block *b)
{
    const struct mw_comm *const comm = t->world->comm;
    return is_shared(b, t->world->backend, comm->size, comm->n_hosts);
}

static void **pointer_at(const struct mw_traversal *t, size_t offset)
{
    return (void **)((char *)t->state + offset);
}

/* Local: state, and blocks that nobody else reaches. */
static int open_own(struct mw_traversal *t, const struct mw_sizes *sizes)
{
    const struct mw_algorithm *const a = t->algorithm;
    t->state = mw_sizes_take(sizes, state_name, a->state_bytes);
    if (t->state == NULL)
        return MW_ERR_NOMEM;
    *(const struct mw_graph **)t->state = t->placed;
    for (uint32_t i = 0; i < a->n_blocks; i++) {
        const struct mw_block *const b = &a->block[i];
        if (is_shared_here(t, b))
            continue;
        void **const at = pointer_at(t, b->offset);
        const uint64_t bytes = bytes_of(b, t->graph->wide);
        *at = b->kind == MW_OF_HOST ? mw_sizes_take(sizes, b->what, bytes)
                                    : mw_place(t->world, b->kind, sizes, b->what, bytes);
        if (*at == NULL && mw_sizes_find(sizes, b->what)->copies > 0)
            return MW_ERR_NOMEM;
    }
    return MW_OK;
}

/* Collective. */
static int open_table(struct mw_traversal *t, bool wanted)
{
    const struct mw_tabled_block *const by = t->algorithm->tabled;
    const struct mw_block *const b = find_tabled(t->algorithm);
    if (b == NULL)
        return MW_OK;
    void **const at = pointer_at(t, b->offset);
    const int rc = mw_table_open(t->world, t->graph, by->what,
                                 bytes_of(b, t->graph->wide), wanted, *at, &t->table);
    *at = t->table.mine;
    *pointer_at(t, by->all) = t->table.all;
    return rc;
}

int mw_blocks_open(struct mw_traversal *t, const void *options)
{
    const struct mw_algorithm *const a = t->algorithm;
    struct mw_comm *const comm = t->world->comm;
    const struct mw_algorithm_shape shape = {.n_places = t->graph->n_places,
                                             .n_labels = t->graph->n_labels,
                                             .n_entries = n_entries(t),
                                             .label_bits = t->graph->label_bits,
                                             .wide = t->graph->wide,
                                             .asks_names = mw_graph_asks_names(t->graph),
                                             .options = options};
    const struct mw_world_shape world = {.groups.n_ranks = comm->size,
                                         .n_hosts = comm->n_hosts,
                                         .host_ranks = comm->host_size,
                                         .backend = t->world->backend};
    struct mw_sizes sizes = {0};
    if (a->state_bytes == 0)
        return MW_OK;
    mw_blocks_sizes(a, &shape, &world, &sizes);
    int rc = mw_comm_agree(comm, open_own(t, &sizes));
    for (uint32_t i = 0; i < a->n_blocks && rc == MW_OK; i++) {
        const struct mw_block *const b = &a->block[i];
        const struct mw_size *const size = mw_sizes_find(&sizes, b->what);
        void *window = NULL;
        if (!is_shared_here(t, b))
            continue;
        rc = mw_comm_hosts_alloc(comm, b->what, size->n * size->bytes, &window);
        if (rc == MW_OK)
            *pointer_at(t, b->offset) = (char *)window + own_part(t, b);
    }
    return rc != MW_OK || a->tabled == NULL
               ? rc
               : open_table(t, mw_block_is_tabled(a->tabled, &shape, &world));
}

void mw_blocks_close(struct mw_traversal *t)
{
    const struct mw_algorithm *const a = t->algorithm;
    if (a->state_bytes == 0 || t->state == NULL)
        return;
    if (t->table.world != NULL) /* the block is in there */
        *pointer_at(t, a->tabled->block) = NULL;
    mw_table_close(&t->table);
    for (uint32_t i = 0; i < a->n_blocks; i++) {
        const struct mw_block *const b = &a->block[i];
        char *const p = *pointer_at(t, b->offset);
        if (b->kind == MW_OF_HOST)
            mw_free(p);
        else if (!is_shared_here(t, b))
            mw_unplace(t->world, b->kind, p);
        else if (p != NULL)
            mw_comm_host_free(t->world->comm, p - own_part(t, b));
    }
    mw_free(t->state);
    t->state = NULL;
}
