/* pieces.c -- see pieces.h.
 *
 *      bound    entries of rows by their length, over all ranks; how many first labels are delegated
 *      count    entries of mine that lead to a delegated vertex: as many have my pieces
 *      deal     each rank's delegated rows, which stand first; all keep of them what leads to their own labels,
 *               in the order in which it comes
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "devices/pieces.h"

#include "base/mem.h"

/* Collective: whose rows are dealt out, as mw_graph_delegate() finds them. */
static int choose_delegates(struct mw_builder *b, int64_t asked)
{
    struct mw_building *s = &b->s;
    struct mw_comm *const comm = b->world->comm;
    uint64_t in[MW_DELEGATES_CLASSES];
    int rc = MW_OK;
    s->in = in;
    s->least =
        asked == MW_DELEGATE_AUTO ? mw_delegates_least(comm->size) : (uint64_t)asked;
    if (asked == MW_DELEGATE_AUTO) {
        mw_builder_sweep(b, MW_BUILDING_LENGTHS);
        MW_TRY(rc, mw_delegates_bound(comm, b->g->n_entries, in, &s->least));
        if (s->least == UINT64_MAX)
            return MW_OK;
    }
    mw_builder_sweep(b, MW_BUILDING_BOUND);
    MW_TRY(rc, mw_delegates_new(comm, s->least, s->n_here, &b->dealt));
    if (b->dealt->most == 0) {
        mw_delegates_free(b->dealt);
        b->dealt = NULL;
    }
end:
    return rc;
}

/* What pieces take, and how many entries they have. */
static int take_pieces(struct mw_builder *b)
{
    struct mw_building *s = &b->s;
    struct mw_delegates *const t = b->there_dealt, *const d = b->dealt;
    const uint32_t n_ranks = b->world->comm->size;
    int rc = MW_OK;
    MW_BUILDER_TAKE(t->first, "delegated vertices, of cores");
    mw_put(b->world, t->first, d->first, (n_ranks + 1) * sizeof *d->first);
    s->delegates = t->first;
    mw_builder_sweep(b, MW_BUILDING_COUNT_PIECES);
    b->n_pieces = s->n_pieces;
    MW_BUILDER_TAKE(t->start, "starts of pieces, of cores");
    MW_BUILDER_TAKE(t->label, "pieces, of cores");
    MW_BUILDER_TAKE(t->weight, "weights of pieces, of cores");
    MW_BUILDER_TAKE(s->its_row, "rows that another rank delegates");
    s->piece_start = t->start;
    s->piece = t->label;
    s->piece_weight = t->weight;
    MW_TAKE(rc, d->start, &b->sizes, "starts of pieces");
    s->n_entries = b->told_words; /* of a piece of a row's, from now on */
    MW_BUILDER_TAKE(s->keep, "kept entries");
    MW_BUILDER_TAKE(s->sum, "sums of kept entries");
end:
    return rc;
}

/* Collective: where the rows of each rank's delegated vertices begin, and they themselves. */
static int deal_rows(struct mw_builder *b)
{
    struct mw_building *s = &b->s;
    const struct mw_delegates *const d = b->dealt;
    struct mw_comm *const comm = b->world->comm;
    const uint64_t here = mw_delegates_here(d, comm->rank), each = d->most + UINT64_C(1);
    uint64_t *mine = NULL, *all = NULL;
    int rc = MW_OK;
    MW_NEW(rc, mine, "rows that are delegated", each);
    MW_NEW(rc, all, "rows that are delegated", each * comm->size);
    mw_fetch(b->world, mine, s->row, (here + 1) * sizeof *mine);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(comm, mine, each * sizeof *mine, all);
    s->n_pieces = 0;
    for (uint32_t r = 0; rc == MW_OK && r < comm->size; r++) {
        const uint64_t *const its = all + r * each;
        const uint64_t n = mw_delegates_here(d, r);
        mw_put(b->world, s->its_row, its, (n + 1) * sizeof *its);
        const struct mw_telling rows = {.source = s->column,
                                        .words = 1,
                                        .weight = s->weight,
                                        .n = r == comm->rank ? its[n] : 0};
        rc = mw_builder_tell(b, &rows, MW_BUILDING_DEAL);
    }
    mw_free(mine);
    mw_free(all);
    return rc;
}

/* Where my pieces begin, at the host too. */
static int know_starts(struct mw_builder *b)
{
    struct mw_delegates *const d = b->dealt, *const t = b->there_dealt;
    const uint64_t n = d->first[b->world->comm->size];
    if (b->s.n_pieces != b->n_pieces)
        return mw_fail(MW_ERR_INTERNAL, "%llu entries of pieces were counted, %llu came",
                       (unsigned long long)b->n_pieces,
                       (unsigned long long)b->s.n_pieces);
    mw_put(b->world, t->start + n, &b->n_pieces, sizeof b->n_pieces);
    mw_fetch(b->world, d->start, t->start, (n + 1) * sizeof *d->start);
    return MW_OK;
}

/* Collective: what is known of delegates by now, of cores as at the host. */
static int close_delegates(struct mw_builder *b)
{
    struct mw_delegates *const d = b->dealt, *const t = b->there_dealt;
    int rc;
    MW_TRY(rc, mw_comm_agree(b->world->comm, know_starts(b)));
    d->n_entries = b->n_pieces;
    MW_TRY(rc, mw_comm_sum(b->world->comm, &d->n_entries, 1));
    const struct mw_delegates arrays = *t;
    *t = *d;
    t->first = arrays.first;
    t->start = arrays.start;
    t->label = arrays.label;
    t->weight = arrays.weight;
    b->g->delegates = d;
    b->dealt = NULL;
end:
    return rc;
}

int mw_pieces_deal(struct mw_builder *b, int64_t asked)
{
    int rc;
    if (mw_builder_alone(b) || asked == MW_DELEGATE_OFF)
        return MW_OK;
    MW_TRY(rc, choose_delegates(b, asked));
    if (b->dealt == NULL)
        return MW_OK;
    MW_TRY(rc, mw_comm_agree(b->world->comm, take_pieces(b)));
    MW_TRY(rc, deal_rows(b));
    rc = close_delegates(b);
end:
    return rc;
}
