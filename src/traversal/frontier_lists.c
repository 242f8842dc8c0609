/* frontier_lists.c -- the sweeps of frontier.h on cores of hosts: lists that one lane or one core makes, and parts
 * of which nothing is found are passed over. Devices have frontier_sweeps.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "traversal/frontier_elements.h"

/* The parts of this core. */
#define FOR_MY_PARTS(self, f, p)                                                         \
    for (uint64_t p = (self)->id; p < (f)->n_parts; p += (self)->n)

static struct mw_frontier *frontier_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

static uint64_t end_of(const struct mw_frontier *f, uint64_t part)
{
    return mw_min((part + 1) * MW_PART_WORDS, f->n_words);
}

static bool take_mark(struct mw_frontier *f, uint32_t label)
{
    const uint64_t bit = UINT64_C(1) << (label % 64);
    bool marked;
    MW_TOUCH(f->mark, label);
    if (f->mark == NULL) {
        marked = (f->mark_bit[label / 64] & bit) != 0;
        f->mark_bit[label / 64] &= ~bit;
    } else {
        marked = f->mark[label] != 0;
        f->mark[label] = 0;
    }
    return marked;
}

static void join_few_kernel(struct mw_cpe *self, void *job)
{
    struct mw_frontier *f = frontier_of(job);
    if (self->id != 0)
        return;
    mw_frontier_list_none(f);
    for (uint32_t i = 0; i < f->n_lanes; i++)
        for (uint64_t k = 0; k < f->lane[i].n_next; k++) {
            const uint32_t label = f->lane[i].next[k];
            MW_TOUCH(f->lane[i].next, 4 * k);
            if (take_mark(f, label)) /* else it has been there before */
                mw_frontier_add(f, label);
        }
}

static void visit_kernel(struct mw_cpe *self, void *job)
{
    struct mw_frontier *f = frontier_of(job);
    FOR_MY_PARTS(self, f, p)
    {
        if (f->part[p].n_found == 0)
            continue;
        for (uint64_t w = p * MW_PART_WORDS, last = end_of(f, p); w < last; w++)
            if (mw_word_of(f->bits, w) != 0)
                mw_frontier_visit_word(f, w, f->bits[w]);
    }
}

/* Appends the labels of a part to the list, of which n with so many edges are before them. */
static void list_part(struct mw_frontier *f, uint64_t part, uint64_t n, uint64_t n_edges)
{
    for (uint64_t w = part * MW_PART_WORDS, last = end_of(f, part); w < last; w++)
        for (uint64_t bits = mw_word_of(f->bits, w); bits != 0; bits &= bits - 1) {
            const uint64_t label = 64 * w + (uint64_t)__builtin_ctzll(bits);
            MW_TOUCH(f->row, 8 * label);
            MW_TOUCH(f->list, 4 * n);
            MW_TOUCH(f->list_end, 8 * n);
            n_edges += f->row[label + 1] - f->row[label];
            f->list[n] = (uint32_t)label;
            f->list_end[n++] = n_edges;
        }
}

/* The parts' counts are sums over the parts before them. */
static void list_kernel(struct mw_cpe *self, void *job)
{
    struct mw_frontier *f = frontier_of(job);
    FOR_MY_PARTS(self, f, p)
    list_part(f, p, f->part[p].n_found, f->part[p].n_edges);
}

static void list_few_kernel(struct mw_cpe *self, void *job)
{
    struct mw_frontier *f = frontier_of(job);
    for (uint64_t p = 0; self->id == 0 && p < f->n_parts; p++)
        if (f->part[p].n_found < f->part[p + 1].n_found)
            list_part(f, p, f->part[p].n_found, f->part[p].n_edges);
}

MW_QUEUE(degrees_kernel, mw_frontier, s->n_words, mw_frontier_note_degree)
MW_REACH(join_kernel, mw_frontier, s, MW_NONE, MW_NONE, mw_frontier_marked)

MW_KERNEL_TABLE(mw_frontier_sweeps, .degrees = degrees_kernel, .join = join_kernel,
                .join_few = join_few_kernel, .visit = visit_kernel, .list = list_kernel,
                .list_few = list_few_kernel)
