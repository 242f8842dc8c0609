/* construct_pack.c -- rows move together, on all cores: kernel 1, step 4.
 *
 *      before   | row | gap | row | gap |   row   | gap | row |
 *      after    | row | row |   row   | row |
 *
 * Rows are moved in blocks, which cores take in order. A block goes to where blocks stood that
 * begin before it or with it; it waits until those among them have left. Whoever takes a block
 * waits for lower ones only, which have been taken, so somebody always moves. As gaps add up, a
 * block's new place lies ever further back, among blocks that are long gone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

#include "base/wait.h"
#include "shuffle/job.h"

#include <string.h>

enum { BLOCKS = 1024 };

struct packing {
    struct mw_construction *c;
    uint64_t first[BLOCKS + 1];                /* label */
    uint64_t from[BLOCKS + 1], to[BLOCKS + 1]; /* entries */
    uint64_t next;                             /* block to be taken */
    uint32_t left[BLOCKS];                     /* the block is where it belongs */
};

/* Blocks of about equally many entries. */
static void cut_blocks(struct packing *p)
{
    const uint64_t n = p->c->g->n_labels;
    const uint64_t *row = p->c->to->row;
    for (uint64_t b = 0; b <= BLOCKS; b++) {
        const uint64_t entry = row[n] / BLOCKS * b;
        p->first[b] = entry > 0 ? mw_item_of(row, n, entry - 1) : 0;
        if (b == BLOCKS)
            p->first[b] = n;
        p->from[b] = row[p->first[b]];
    }
}

void mw_construction_measure(struct mw_cpe *self, void *arg)
{
    struct packing *p = ((struct mw_job *)arg)->state;
    for (uint64_t b = self->id; b < BLOCKS; b += self->n)
        for (uint64_t l = p->first[b]; l < p->first[b + 1]; l++)
            p->to[b + 1] += p->c->n_kept[l];
}

/* `low`: all blocks before it lie below what this core will still write. */
static void wait_for_room(const struct packing *p, uint64_t b, uint64_t *low)
{
    while (*low < b && p->from[*low + 1] <= p->to[b])
        ++*low;
    for (uint64_t k = *low; k < b && p->from[k] < p->to[b + 1]; k++) {
        struct mw_waiting waiting = {0};
        /* L1: what stood there has been read; pairs with L2. */
        while (MW_LOAD_ACQUIRE(&p->left[k]) == 0)
            mw_wait_a_little(&waiting);
    }
}

static void move_block(struct packing *p, uint64_t b)
{
    const struct mw_construction *c = p->c;
    const uint64_t number = mw_number_bytes(c->g->wide);
    char *column = c->to->column;
    float *weight = c->to->tags.weight;
    uint64_t *row = c->to->row, to = p->to[b];
    for (uint64_t l = p->first[b]; l < p->first[b + 1]; l++) {
        if (to != row[l])
            memmove(column + to * number, column + row[l] * number,
                    c->n_kept[l] * number);
        if (weight != NULL && to != row[l])
            memmove(weight + to, weight + row[l], c->n_kept[l] * sizeof *weight);
        row[l] = to;
        to += c->n_kept[l];
    }
}

void mw_construction_move(struct mw_cpe *self, void *arg)
{
    struct packing *p = ((struct mw_job *)arg)->state;
    uint64_t b, low = 0;
    (void)self;
    while ((b = MW_ADD_RELAXED(&p->next, 1)) < BLOCKS) {
        wait_for_room(p, b, &low);
        move_block(p, b);
        /* L2; pairs with L1. */
        MW_STORE_RELEASE(&p->left[b], 1);
    }
}

MW_STATIC_ASSERT(BLOCKS == 1024, "the table says so");

uint64_t mw_construction_pack(struct mw_construction *c)
{
    struct packing p = {.c = c};
    cut_blocks(&p);
    mw_row_sweep(&mw_construction_table, MW_CONSTRUCTION_MEASURE, c->world, &p);
    for (uint64_t b = 0; b < BLOCKS; b++)
        p.to[b + 1] += p.to[b];
    mw_row_sweep(&mw_construction_table, MW_CONSTRUCTION_MOVE, c->world, &p);
    c->to->row[c->g->n_labels] = p.to[BLOCKS];
    return p.to[BLOCKS];
}
