/* pagerank_async_kernels.c -- elements of pagerank_async.h in patterns.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/pagerank/pagerank_async.h"
#include "traversal/common_elements.h"

/* The residual grows. Who makes it large enough, or of a higher power of two, makes the vertex active. */
MW_FN void grow(const struct pagerank_async *s, uint32_t label, double x)
{
    uint64_t *const at = (uint64_t *)s->left + label;
    uint64_t is = MW_LOAD_RELAXED(at);
    double was, now;
    do {
        was = mw_double_of_bits(is);
        now = was + x;
    } while (!MW_SWAP_RELAXED(at, &is, mw_bits_of_double(now)));
    if (now >= s->least &&
        (was < s->least || pagerank_priority(now) < pagerank_priority(was)))
        mw_worklist_add(&s->work, label, pagerank_priority(now));
}

MW_FN void settle(const struct pagerank_async *s, const struct mw_graph *g,
                  const struct mw_visit *m)
{
    (void)g;
    grow(s, m->child, (double)mw_float_of_bits((uint32_t)m->value));
}

/* Entry k of row i of the list: a share goes along the edge. */
MW_FN void relax(const struct pagerank_async *s, const struct mw_graph *g, uint64_t i,
                 uint64_t k, struct mw_emitter *e)
{
    const uint32_t u = s->work.list[i];
    MW_TELL(settle, s, g, mw_row_column(g, u, k), mw_bits_of_float(s->share[u]), e);
}

MW_FN void begin(const struct pagerank_async *s, const struct mw_graph *g, uint64_t label)
{
    (void)g;
    s->at[label] = s->left[label] = 0;
    grow(s, (uint32_t)label, s->base);
}

/* What is left is part of the rank. */
MW_FN uint64_t add(const struct pagerank_async *s, const struct mw_graph *g,
                   uint64_t label)
{
    (void)g;
    s->at[label] += s->left[label];
    return mw_fixed_of(s->at[label]);
}

MW_FN void answer(const struct pagerank_async *s, const struct mw_graph *g,
                  uint64_t place)
{
    const uint32_t label = g->label_of[place];
    s->rank[place] = (float)(s->scale * (label == MW_NO_LABEL ? s->base : s->at[label]));
}

MW_ENTRIES(relaxer, pagerank_async, s->work.list_end, s->work.n_listed, mw_any, relax)
MW_UPDATES(settler, pagerank_async, settle)
MW_EACH(beginner, pagerank_async, g->n_labels, begin)
MW_SUM(adder, pagerank_async, g->n_labels, add, s->sum)
MW_EACH(answerer, pagerank_async, g->n_places, answer)

MW_KERNEL_TABLE(pagerank_async_kernels, relaxer, settler, beginner, adder, answerer)
