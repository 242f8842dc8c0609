/* worklist.c -- see worklist.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/worklist.h"

#include <string.h>

static struct mw_worklist *work_of(const struct mw_traversal *t)
{
    return &((struct mw_worklist_state *)t->state)->work;
}

uint64_t mw_worklist_units(void *state)
{
    return ((const struct mw_worklist_state *)state)->work.n_units;
}

void mw_worklist_reset(struct mw_worklist *w, const struct mw_graph *g, uint64_t limit)
{
    w->n_words = (uint64_t)g->n_labels / 64 + 1;
    w->row = g->row;
    w->n_listed = w->n_units = w->n_parts = w->n_done = 0;
    w->limit = limit;
    const struct mw_activity *const each[] = {&w->near, &w->far};
    for (int i = 0; i < 2; i++) {
        memset(each[i]->bits, 0, w->n_words * sizeof *each[i]->bits);
        memset(each[i]->some, 0, w->n_words * sizeof *each[i]->some);
    }
}

/* What is in the word, all of it at once: a bit that stayed behind would have nobody who says so. */
static uint64_t take_word(uint64_t *word)
{
    uint64_t bits = MW_LOAD_RELAXED(word);
    while (bits != 0 && !MW_SWAP_ACQ_REL(word, &bits, 0))
        ;
    return bits;
}

/* What follows is done for each word w of some[at], or for each label of bits. */
#define FOR_BITS(i, bits, first)                                                         \
    for (uint64_t i##_left = (bits), i;                                                  \
         i##_left != 0 && (i = (first) + (uint64_t)__builtin_ctzll(i##_left), true);     \
         i##_left &= i##_left - 1)

static void list_word(struct mw_worklist *w, uint64_t at, uint64_t bits)
{
    FOR_BITS(label, bits, 64 * at)
    {
        const uint64_t size = w->row[label + 1] - w->row[label];
        if (size == 0)
            continue;
        w->list[w->n_listed] = (uint32_t)label;
        w->list_end[w->n_listed++] = w->n_units += size;
    }
}

/* Who is near as well as far is relaxed once. */
static void list_near(struct mw_worklist *w)
{
    for (uint64_t k = 0; 64 * k < w->n_words; k++)
        FOR_BITS(at, take_word(&w->near.some[k]), 64 * k)
        {
            const uint64_t bits = take_word(&w->near.bits[at]);
            const uint64_t twice = MW_LOAD_RELAXED(&w->far.bits[at]) & bits;
            if (twice != 0)
                (void)MW_XOR_ACQ_REL(&w->far.bits[at], twice);
            list_word(w, at, bits);
        }
}

static uint64_t least_far(const struct mw_worklist *w, const struct mw_traversal *t)
{
    uint64_t least = UINT64_MAX;
    for (uint64_t k = 0; 64 * k < w->n_words; k++)
        FOR_BITS(at, MW_LOAD_RELAXED(&w->far.some[k]), 64 * k)
    FOR_BITS(label, MW_LOAD_RELAXED(&w->far.bits[at]), 64 * at)
    least = mw_min(least, w->priority(t, (uint32_t)label));
    return least;
}

/* Those below the limit. The others stay; whoever adds to a word that has some does not say so. */
static void list_far(struct mw_worklist *w, const struct mw_traversal *t)
{
    for (uint64_t k = 0; 64 * k < w->n_words; k++)
        FOR_BITS(at, take_word(&w->far.some[k]), 64 * k)
        {
            uint64_t near = 0;
            FOR_BITS(label, MW_LOAD_RELAXED(&w->far.bits[at]), 64 * at)
            near |= (uint64_t)(w->priority(t, (uint32_t)label) < w->limit) << label % 64;
            if ((MW_XOR_ACQ_REL(&w->far.bits[at], near) ^ near) != 0)
                (void)MW_OR_ACQ_REL(&w->far.some[k], UINT64_C(1) << at % 64);
            list_word(w, at, near);
        }
}

/* Those who are listed may all be without entries: then there may be others, further off. */
void mw_worklist_refill(struct mw_traversal *t)
{
    struct mw_worklist *const w = work_of(t);
    w->n_listed = w->n_units = 0;
    list_near(w);
    while (w->n_listed == 0 && w->end_of != NULL) {
        const uint64_t least = least_far(w, t);
        if (least == UINT64_MAX)
            return;
        if (least >= w->limit) {
            MW_STORE_RELAXED(&w->limit, w->end_of(t, least));
            w->n_parts++;
        }
        list_far(w, t);
    }
    w->n_done += w->n_units;
}

const struct mw_counter mw_async_facts[MW_ASYNC_FACTS] = {
    [MW_ASYNC_REFILLS] = {.name = "n_refills", .kind = MW_COUNT_SAME, .always = true},
    [MW_ASYNC_PARTS] = {.name = "n_parts", .kind = MW_COUNT_SAME, .always = true},
    [MW_ASYNC_RELAXED] = {.name = "n_relaxed", .kind = MW_COUNT_SAME, .always = true},
};

int mw_worklist_step(struct mw_traversal *t, uint32_t row, uint64_t *here, uint64_t *sum)
{
    struct mw_worklist *const w = work_of(t);
    uint64_t all[MW_ASYNC_FACTS + 1] = {0};
    int rc = mw_traversal_exchange_async(t, 0, &all[MW_ASYNC_REFILLS]);
    if (row > 0) {
        *here = 0;
        mw_traversal_sweep(t, row);
        all[MW_ASYNC_FACTS] = *here;
    }
    all[MW_ASYNC_PARTS] = w->n_parts;
    all[MW_ASYNC_RELAXED] = w->n_done;
    rc = mw_comm_sum_or_fail(t->world->comm, all, MW_ASYNC_FACTS + 1, rc);
    memcpy(w->fact, all, sizeof w->fact);
    if (row > 0)
        *sum = all[MW_ASYNC_FACTS];
    t->now.n_active = t->now.n_active_edges = 0;
    return rc;
}

int mw_worklist_facts(struct mw_traversal *t, uint64_t *fact)
{
    memcpy(fact, work_of(t)->fact, MW_ASYNC_FACTS * sizeof *fact);
    return MW_OK;
}
