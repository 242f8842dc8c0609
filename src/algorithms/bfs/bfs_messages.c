/* bfs_messages.c -- bottom-up by asking the owners; the paper's form.
 *
 *      exchange   the hubs of every rank
 *      lookup     hubs and own vertices -> parent; who finds none, and has others, asks
 *      follow     bits of those that rows would ask for first (bfs_follow.h), where that is less than asking
 *      round      backward generator -> relay -> backward handler (at the asked one)
 *                 -> forward relay -> forward handler (at the asker: claims)
 *      join       looked up or answered -> the frontier
 *
 * A vertex needs one visited neighbour, and those that come first in its row have the
 * highest degrees. So where it may spare many questions a first round asks for one
 * neighbour each, and only who got no answer asks for the others. Before a round the sum of
 * what is left to ask tells whether there is one; it is also the collective that has to lie
 * between two runs of a pipeline.
 *
 * And the form in which nobody asks: what a level starts from, without its hubs, goes top-down.
 *
 *      exchange   the hubs of every rank
 *      drop       hubs leave the list of the frontier
 *      lookup     hubs and own vertices -> parent
 *      records    of the rest of the list, as top-down
 *      join       looked up or claimed -> the frontier
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_search.h"

#include "base/clock.h"

enum {
    /* Kronecker graphs, SCALE 16, 16 ranks, no hubs, measured: 46, 58, 85, 119 thousand
     * questions a search with 1, 2, 4, 8 entries first, 189 with all at once. With 2^9 hubs
     * a rank: 2.7 with 1, 2.8 with all. */
    FIRST_ENTRIES = 1
};

static void list_askers(struct mw_bfs *b)
{
    struct mw_frontier *const f = &b->s.f;
    f->part[f->n_parts].n_found = f->part[f->n_parts].n_edges = 0;
    bfs_sweep(b, BFS_ASKERS);
    mw_frontier_listed(f);
}

/* Collective: lists the entries from `from` on, or in the `first` round only some of them; *any is
 * false when no rank has one. `rc` is this rank's of the round before. */
static int next_round(struct mw_bfs *b, uint64_t from, bool first, int rc, bool *any)
{
    struct bfs_state *s = &b->s;
    const struct mw_groups *groups = &b->world->groups;
    const uint64_t n_peers = groups->n_groups + groups->width;
    uint64_t left[2]; /* entries, and what a short round would leave of them at most */

    s->ask_from = from;
    s->ask_to = UINT64_MAX;
    list_askers(b);
    left[0] = bfs_listed_units(s);
    left[1] = left[0] - mw_min(left[0], FIRST_ENTRIES * s->f.n_list);
    rc = mw_comm_sum_or_fail(b->world->comm, left, 2, rc);
    *any = left[0] > 0;
    if (rc == MW_OK && first &&
        left[1] > MW_SPARED_QUESTIONS * n_peers * groups->n_ranks) {
        s->ask_to = from + FIRST_ENTRIES;
        list_askers(b);
    }
    return rc;
}

static int ask(struct mw_bfs *b, struct mw_level *level)
{
    const struct bfs_state *s = &b->s;
    bool any, told, first = true;
    int rc = bfs_follow_tell(b, &told);
    uint64_t from = told ? 1 : 0;

    while (from < UINT64_MAX) {
        rc = next_round(b, from, first, rc, &any);
        if (rc < MW_OK || !any)
            return rc;
        rc = mw_traversal_exchange(b->t, BFS_QUESTIONS);
        level->own[MW_BFS_ROUNDS]++;
        from = s->ask_to;
        first = false;
    }
    return rc;
}

/* The sum that ended the last level lies between its exchange and this one. */
int bfs_name_parents(struct mw_bfs *b)
{
    return mw_comm_agree(b->world->comm, mw_traversal_exchange(b->t, BFS_NAMES));
}

int bfs_bottom_up_lookup(struct mw_bfs *b, struct mw_level *level, bool mixed)
{
    struct bfs_state *s = &b->s;
    double at = mw_world_now(b->world), before;

    if (mixed)
        mw_frontier_list(&s->f); /* `lookup` writes where its bits are */
    if (s->n_look_hubs > 0)
        MW_NEED(bfs_exchange_hubs(b, s->n_look_hubs, level));
    b->talk_s = (before = mw_world_now(b->world)) - at;
    if (mixed) {
        s->drop_below = s->n_look_hubs;
        bfs_sweep(b, BFS_DROP);
        mw_frontier_listed(&s->f);
    }
    bfs_sweep(b, BFS_LOOKUP);
    b->look_s = (at = mw_world_now(b->world)) - before;
    MW_NEED(mixed ? mw_traversal_exchange(b->t, BFS_FORWARD) : ask(b, level));
    b->talk_s += (before = mw_world_now(b->world)) - at;
    bfs_sweep(b, BFS_JOIN);
    b->look_s += mw_world_now(b->world) - before;
    mw_frontier_swept(&s->f);
    return MW_OK;
}
