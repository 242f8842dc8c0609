/* dealing.c -- see dealing.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/dealing.h"

#include "base/mem.h"

/* What a sample says of one way to deal: [0] its edges, [1] those between two ranks, and from [2] on
 * the ends that each rank owns. */
enum { N_EDGES, N_CUT, N_ENDS };

/* An edge from each of so many equal parts of the list, none at a fixed stride: rows of a grid have one. */
static void ask_sample(const struct mw_edges *e, struct mw_partition p, uint64_t *said)
{
    const uint64_t n = mw_min(e->n, MW_DEALING_SAMPLE);
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t from = i * e->n / n, to = (i + 1) * e->n / n;
        const uint64_t within = i * UINT64_C(0x9e3779b97f4a7c15) >> 32;
        mw_vid u, v;
        mw_edges_get(e, from + within % (to - from), &u, &v);
        const uint32_t owner_u = mw_owner(&p, u), owner_v = mw_owner(&p, v);
        said[N_EDGES]++;
        said[N_CUT] += owner_u != owner_v;
        said[N_ENDS + owner_u]++;
        said[N_ENDS + owner_v]++;
    }
}

static bool is_even(const uint64_t *said, uint32_t n_ranks)
{
    uint64_t most = 0;
    for (uint32_t r = 0; r < n_ranks; r++)
        most = mw_max(most, said[N_ENDS + r]);
    return 10 * most * n_ranks <= 11 * 2 * said[N_EDGES];
}

/* Collective: single ones first, then blocks of `most` bits and fewer. */
static int choose(struct mw_comm *comm, struct mw_edges *e, uint32_t most)
{
    const uint64_t each = N_ENDS + (uint64_t)comm->size;
    const bool here = e->narrow != NULL || e->wide != NULL;
    struct mw_edges as = *e;
    int rc = MW_OK;
    uint64_t *said;
    MW_NEW(rc, said, "sample of the edges", (1 + MW_DEALING_STEPS) * each);
end:
    rc = mw_comm_agree(comm, rc);
    for (uint32_t i = 0; rc == MW_OK && here && i <= MW_DEALING_STEPS; i++) {
        as.block_bits = i == 0 ? 0 : most - 2 * (i - 1);
        if (i == 0 || as.block_bits >= MW_DEALING_SMALLEST)
            ask_sample(e, mw_edges_partition(&as, comm->rank, comm->size),
                       said + i * each);
    }
    if (rc == MW_OK)
        rc = mw_comm_sum(comm, said, (uint32_t)((1 + MW_DEALING_STEPS) * each));
    for (uint32_t i = 1; rc == MW_OK && e->block_bits == 0 && i <= MW_DEALING_STEPS; i++)
        if (said[i * each + N_EDGES] > 0 &&
            MW_DEALING_CUT * said[i * each + N_CUT] <= said[N_CUT] &&
            is_even(said + i * each, comm->size))
            e->block_bits = most - 2 * (i - 1);
    mw_free(said);
    return rc;
}

int mw_edges_deal(struct mw_comm *comm, const struct mw_graph_rule *rule,
                  struct mw_edges *e)
{
    /* The largest blocks of which there are enough, or as many as the rule says. */
    const uint64_t wanted = mw_max(
        rule->deal > 0 ? rule->deal : e->n_vertices / MW_DEALING_BLOCKS / comm->size, 1);
    const uint32_t bits = mw_bits_for(wanted + 1) - 1;
    e->shuffled = rule->shuffles;
    e->block_bits = rule->deal > 0 ? bits : 0;
    if (rule->shuffles || rule->deal > 0 || comm->size == 1 || bits < MW_DEALING_SMALLEST)
        return MW_OK;
    return choose(comm, e, bits);
}
