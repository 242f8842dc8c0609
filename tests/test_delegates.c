/* test_delegates.c -- the pieces of long rows against adjacency sets.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/delegates.h"
#include "sample.h"

struct delegating {
    const struct sample *sample;
    int64_t rule;
    uint64_t expect; /* delegated vertices; UINT64_MAX: that depends */
};

static mw_vid name_of(const struct mw_graph *g, uint64_t owner, uint64_t label)
{
    return mw_number(g->name, mw_column(owner, label, g->label_bits), g->wide);
}

/* The piece holds those of my labels that the delegated vertex has an edge to, rising. */
static int check_piece(const struct mw_graph *g, const struct sample *s, mw_vid hub,
                       uint64_t i)
{
    const struct mw_delegates *d = g->delegates;
    uint64_t at = d->start[i];
    for (uint32_t l = 0; l < g->n_labels; l++)
        if (sample_adjacent(s, hub, name_of(g, g->comm->rank, l))) {
            EXPECT(at < d->start[i + 1], "hub %u: label %u is missing", (unsigned)hub, l);
            EXPECT(d->label[at] == l, "hub %u: %u, not %u", (unsigned)hub, d->label[at],
                   l);
            at++;
        }
    EXPECT(at == d->start[i + 1], "hub %u: %u too many", (unsigned)hub,
           (unsigned)(d->start[i + 1] - at));
    return MW_OK;
}

/* Each rank's delegated labels end with its last long row. */
static int check_prefix(const struct mw_graph *g)
{
    const struct mw_delegates *d = g->delegates;
    const uint64_t here = mw_delegates_here(d, g->comm->rank);
    EXPECT(here <= d->most && here <= g->n_labels, "%u labels", (unsigned)here);
    if (here > 0)
        EXPECT(g->row[here] - g->row[here - 1] >= d->bound, "label %u",
               (unsigned)here - 1);
    for (uint64_t l = here; l < g->n_labels; l++)
        EXPECT(g->row[l + 1] - g->row[l] < d->bound, "label %u", (unsigned)l);
    return MW_OK;
}

static int check_pieces(const struct mw_graph *g, const struct sample *s)
{
    const struct mw_delegates *d = g->delegates;
    uint64_t n_entries = 0;
    int rc;
    MW_TRY(rc, check_prefix(g));
    for (uint32_t owner = 0; owner < g->comm->size; owner++)
        for (uint64_t i = d->first[owner]; i < d->first[owner + 1]; i++) {
            const mw_vid hub = name_of(g, owner, i - d->first[owner]);
            EXPECT(mw_owner_of(g, hub) == owner, "hub %u", (unsigned)hub);
            MW_TRY(rc, check_piece(g, s, hub, i));
            n_entries += sample_degree(s, hub);
        }
    EXPECT(n_entries == d->n_entries, "%u entries, not %u", (unsigned)d->n_entries,
           (unsigned)n_entries);
end:
    return rc;
}

static int check_count(const struct mw_graph *g, uint64_t expect)
{
    const uint64_t n = g->delegates != NULL ? g->delegates->first[g->comm->size] : 0;
    EXPECT(n == expect, "%u delegated, not %u", (unsigned)n, (unsigned)expect);
    return MW_OK;
}

static int check_any(const struct mw_graph *g)
{
    EXPECT((g->delegates != NULL) == (g->n_entries > 0), "%u entries",
           (unsigned)g->n_entries);
    return MW_OK;
}

static int delegate_and_check(struct mw_world *w, void *arg)
{
    const struct delegating *x = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    int rc;

    MW_TRY(rc, sample_share(x->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(w, &edges, &g));
    MW_TRY(rc, mw_graph_delegate(w, g, x->rule));
    if (x->expect != UINT64_MAX)
        MW_TRY(rc, check_count(g, x->expect));
    else if (x->rule == 1 && w->comm->size > 1) /* all that have an edge out */
        MW_TRY(rc, check_any(g));
    if (g->delegates != NULL)
        MW_TRY(rc, mw_comm_agree(w->comm, check_pieces(g, x->sample)));
end:
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

static void must_delegate(const struct sample *s, int64_t rule, uint64_t expect,
                          uint32_t n_ranks, uint32_t threads)
{
    struct delegating x = {s, rule, expect};
    struct ranks r = {
        .loop = {n_ranks, 2, n_ranks}, .body = delegate_and_check, .arg = &x};
    with_threads(&r, threads);
    with_width(&r, 1 + n_ranks / 3);
    must_run(&r);
}

START_TEST(pieces_are_the_rows_of_every_shape)
{
    const uint32_t step = (uint32_t)how_many(1, 1, 2);
    struct sample s = sample_shape((enum shape)_i);
    for (int directed = 0; directed < 2; directed++) {
        for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks += step)
            must_delegate(&s, n_ranks < 4 ? 1 : 9, UINT64_MAX, n_ranks, n_ranks % 4);
        if (directed == 0)
            sample_direct(&s);
    }
    sample_free(&s);
}
END_TEST

START_TEST(pieces_are_the_rows_of_random_graphs)
{
    uint64_t dice = (uint64_t)_i << 20;
    struct sample s = sample_random((uint64_t)_i);
    if (_i % 2)
        sample_direct(&s);
    must_delegate(&s, 1 + (int64_t)drawn(&dice, 30) * (_i % 3), UINT64_MAX,
                  2 + (uint32_t)drawn(&dice, 4), (uint32_t)drawn(&dice, 4));
    sample_free(&s);
}
END_TEST

/* A long row in a graph of 20,000 edges, a thirtieth of its entries; and in itself alone, where
 * it is half of them. */
static struct sample long_row(uint64_t length, uint64_t n_others)
{
    struct sample s = {.name = "a long row", .n = 2 * length + n_others};
    for (uint64_t v = 1; v <= length; v++)
        sample_edge(&s, 0, v);
    for (uint64_t i = 0; i < n_others; i++)
        sample_edge(&s, length + 1 + i, length + i);
    sample_finish(&s);
    return s;
}

START_TEST(long_rows_are_delegated_by_themselves)
{
    struct sample s = long_row(MW_DELEGATE_LEAST, 20000);
    must_delegate(&s, MW_DELEGATE_AUTO, 1, 3, 2);
    must_delegate(&s, MW_DELEGATE_AUTO, 0, 1, 2);
    must_delegate(&s, MW_DELEGATE_OFF, 0, 3, 2);
    must_delegate(&s, MW_DELEGATE_LEAST + 1, 0, 3, 2);
    sample_free(&s);
    s = long_row(MW_DELEGATE_LEAST - 1, 20000);
    must_delegate(&s, MW_DELEGATE_AUTO, 0, 3, 2);
    sample_free(&s);
}
END_TEST

START_TEST(pieces_take_no_more_than_their_share)
{
    /* Two rows of the same length, the edge between them more than half of all. */
    struct sample s = {.name = "two long rows", .n = 4002};
    for (uint64_t v = 2; v < s.n; v++) {
        sample_edge(&s, 0, v);
        sample_edge(&s, 1, v);
    }
    sample_edge(&s, 0, 1);
    sample_finish(&s);
    must_delegate(&s, MW_DELEGATE_AUTO, 0, 2, 1);
    sample_free(&s);
    s = long_row(4000, 30000);
    must_delegate(&s, MW_DELEGATE_AUTO, 1, 2, 1);
    sample_free(&s);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("delegates");
    TCase *t = tcase_create("delegates");
    tcase_add_loop_test(t, pieces_are_the_rows_of_every_shape, 0, SHAPES);
    tcase_add_loop_test(t, pieces_are_the_rows_of_random_graphs, 0, how_many(40, 40, 20));
    tcase_add_test(t, long_rows_are_delegated_by_themselves);
    tcase_add_test(t, pieces_take_no_more_than_their_share);
    suite_add_tcase(s, t);
    return run_suite(s);
}
