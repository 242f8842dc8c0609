/* bfs_kernels.c -- what the traversal does to one edge of the frontier, to one question
 * and to one record.
 *
 * Compiled once per skeleton: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs/bfs_claim.h"
#include "algorithms/bfs/bfs_records.h"

/* Edges are dealt with a block at a time, in three loops without surprises for the
 * processor: which columns are new (no branch: one in three is), where their parents lie, and
 * the claims. What the next loop will read is fetched ahead, each a cache miss of its own. */

/* The first sight of a column of any rank, with what `seen` has bits for. */
MW_FN bool is_new(const struct bfs_state *s, struct bfs_lane *l, uint64_t column,
                  uint32_t me, enum bfs_seen kind)
{
    const uint32_t owner = mw_column_owner(column, s->g->label_bits);
    const uint32_t label = mw_column_label(column, s->g->label_bits);
    bool yes = true;
    if (kind != BFS_OWN_AND_HUBS)
        yes = bfs_first_sight(l, column);
    else if (owner == me)
        yes = bfs_first_sight(l, label);
    else if (label < s->n_drop_hubs)
        yes = bfs_first_sight(l, s->seen_hubs + owner * s->seen_stride + label);
    if (kind != BFS_COLUMNS && !yes && label < s->n_drop_hubs && owner != me)
        l->n_dropped += bfs_hub_is_visited(s, owner, label);
    return yes;
}

/* Forward generator. Its work is cut in the space of the frontier's edges, so a hub's row
 * is cut like anything else. */
MW_FN void expand_edges(struct bfs_state *s, uint64_t first, uint64_t last,
                        struct mw_emitter *e, bool wide, enum bfs_seen kind)
{
    const struct mw_graph *g = s->g;
    struct bfs_lane *l = &s->lane[e->self->lane];
    const uint32_t label_bits = g->label_bits;
    struct bfs_block claims;
    uint64_t fresh[BFS_BLOCK];

    claims.n = 0;
    for (uint64_t i = mw_item_of(s->f.list_end, s->f.n_list, first), at = first;
         at < last; i++) {
        const uint32_t u = s->f.list[i];
        const uint64_t start = i > 0 ? s->f.list_end[i - 1] : 0;
        const uint64_t end = mw_min(last, s->f.list_end[i]);
        MW_TOUCH(s->f.list, 4 * i);
        MW_TOUCH(s->f.list_end, 8 * i);
        MW_TOUCH(g->place_of, 4 * (uint64_t)u);
        MW_TOUCH(g->row, 8 * (uint64_t)u);
        const mw_vid name = mw_vertex_at(g, e->at->rank, g->place_of[u]);
        const uint64_t row = g->row[u] - start;
        while (at < end) {
            const uint64_t stop = mw_min(end, at + BFS_BLOCK);
            uint32_t n = 0;
            for (; at < stop; at++) {
                fresh[n] = mw_number(g->column, row + at, wide);
                n += is_new(s, l, fresh[n], e->at->rank, kind);
            }
            for (uint32_t k = 0; k < n; k++) {
                const uint32_t owner = mw_column_owner(fresh[k], label_bits);
                const uint32_t label = mw_column_label(fresh[k], label_bits);
                if (mw_here(e, owner))
                    bfs_claim(s, e->self->lane, &claims, label, name, wide);
                else
                    mw_emit(e, owner, label, g->place_of[u]);
            }
        }
    }
    bfs_settle(s, e->self->lane, &claims, wide);
}

/* What handlers hear is claimed in blocks. */
struct receiver {
    struct bfs_state *s;
    uint32_t lane;
    struct bfs_block claims;
};

MW_FN void receive(struct mw_cpe *self, const struct mw_job *job, bool wide,
                   void (*hear)(void *, const struct mw_visit *))
{
    struct receiver r;
    r.s = job->state;
    r.lane = self->lane;
    r.claims.n = 0;
    MW_BY_RECORD(job, mw_run_receive, self, job, hear, &r);
    bfs_settle(r.s, r.lane, &r.claims, wide);
}

/* Forward handler. */
MW_FN void visit(void *arg, const struct mw_visit *m, bool wide)
{
    struct receiver *r = arg;
    const bool first = bfs_first_sight(&r->s->lane[r->lane], r->s->seen_own + m->child);
    /* Without the short circuit our own generator has set the bit already. */
    if (first || !MW_SHORT_CIRCUIT)
        bfs_claim(r->s, r->lane, &r->claims, m->child,
                  mw_vertex_at(r->s->g, m->sender, m->value), wide);
}

static inline void visit32(void *arg, const struct mw_visit *m)
{
    visit(arg, m, false);
}
static inline void visit64(void *arg, const struct mw_visit *m)
{
    visit(arg, m, true);
}

/* Follow teller. A unit is a word of bits for one rank: of its rows that follow vertices
 * of mine, those whose bit is new. */
static void tell_followers_element(void *state, uint64_t first, uint64_t last,
                                   struct mw_emitter *e)
{
    struct bfs_state *s = state;
    const struct bfs_follow *f = &s->follow;
    uint32_t rank = (uint32_t)mw_item_of(f->first_word + 1, s->g->comm->size, first);
    for (uint64_t w = first; w < last; w++) {
        while (w >= f->first_word[rank + 1])
            rank++;
        const uint64_t word = w - f->first_word[rank];
        const uint64_t from = f->mail.from[rank] + word * f->n_bits;
        const uint64_t n = mw_min(f->n_bits, f->mail.from[rank + 1] - from);
        const uint32_t told = f->told[w];
        uint32_t news = 0;
        if (told == (UINT64_C(1) << n) - 1)
            continue;
        for (uint64_t i = 0; i < n; i++)
            news |= (uint32_t)mw_bit(s->f.visited, f->label[from + i]) << i;
        news &= ~told;
        if (news == 0)
            continue;
        f->told[w] = told | news;
        mw_emit(e, rank, (uint32_t)word, news);
        s->lane[e->self->lane].n_words++;
    }
}
MW_KERNEL(tell_followers, mw_run_expand, tell_followers_element)

/* Follower: the child is a word, the value its bits. Who has asked nobody so far, and
 * follows one of them, is claimed. */
MW_FN void follow(void *arg, const struct mw_visit *m, bool wide)
{
    struct receiver *r = arg;
    struct bfs_follow *f = &r->s->follow;
    const uint64_t first = f->mail.start[m->sender] + (uint64_t)m->child * f->n_bits;
    for (uint64_t bits = m->value; bits != 0; bits &= bits - 1) {
        const uint64_t i = first + (uint64_t)__builtin_ctzll(bits);
        if (i >= f->mail.start[m->sender + 1]) {
            MW_STORE_RELAXED(&f->misled, true);
            return;
        }
        if (!mw_bit(r->s->asking, f->row[i]))
            continue;
        r->s->lane[r->lane].n_followed++;
        bfs_claim(r->s, r->lane, &r->claims, f->row[i],
                  mw_vertex_at(r->s->g, m->sender, f->place[i]), wide);
    }
}

static inline void follow32(void *arg, const struct mw_visit *m)
{
    follow(arg, m, false);
}
static inline void follow64(void *arg, const struct mw_visit *m)
{
    follow(arg, m, true);
}

/* Backward generator: who found no parent here asks the owners of the neighbours that could
 * not be looked up. The label of the asker travels as the value. */
MW_FN void ask(struct bfs_state *s, uint64_t first, uint64_t last, struct mw_emitter *e,
               bool wide)
{
    const struct mw_graph *g = s->g;
    struct bfs_lane *l = &s->lane[e->self->lane];

    for (uint64_t i = mw_item_of(s->f.list_end, s->f.n_list, first), at = first;
         at < last; i++) {
        const uint32_t u = s->f.list[i];
        const uint64_t start = i > 0 ? s->f.list_end[i - 1] : 0;
        const uint64_t end = mw_min(last, s->f.list_end[i]);
        const uint64_t row =
            bfs_beyond_hubs(g, s->n_look_hubs, u, wide) + s->ask_from - start;
        for (; at < end; at++)
            l->n_questions += bfs_ask_owner(g, u, row + at, e, wide);
    }
}

MW_LANE_REPLIES(reply, bfs_state, &s->lane[self->lane], n_answers, bfs_answer)

/* Name asker: what bottom-up rows have found by its column only. A unit is a label. */
MW_FN void ask_name(struct bfs_state *s, uint64_t first, uint64_t last,
                    struct mw_emitter *e, bool wide)
{
    for (uint64_t u = first; u < last; u++) {
        const uint64_t bits = s->unnamed[u / 64] >> (u % 64);
        u = bits != 0 ? u + (uint64_t)__builtin_ctzll(bits) : u | 63;
        if (bits != 0 && u < last)
            bfs_ask_name_of(s, s->g, u, e, wide);
    }
}

MW_UPDATES(hear_name, bfs_state, bfs_hear_name)

/* A record names two vertices by their local numbers: nearly always the narrow one. */
#define GENERATE(name, element, ...)                                                     \
    static void name##_element(void *state, uint64_t first, uint64_t last,               \
                               struct mw_emitter *e)                                     \
    {                                                                                    \
        element(state, first, last, e, __VA_ARGS__);                                     \
    }                                                                                    \
    MW_KERNEL(name, mw_run_expand, name##_element)
GENERATE(columns32, expand_edges, false, BFS_COLUMNS)
GENERATE(columns64, expand_edges, true, BFS_COLUMNS)
GENERATE(counted32, expand_edges, false, BFS_COLUMNS_AND_HUBS)
GENERATE(counted64, expand_edges, true, BFS_COLUMNS_AND_HUBS)
GENERATE(own32, expand_edges, false, BFS_OWN_AND_HUBS)
GENERATE(own64, expand_edges, true, BFS_OWN_AND_HUBS)
GENERATE(ask32, ask, false)
GENERATE(ask64, ask, true)
GENERATE(ask_name32, ask_name, false)
GENERATE(ask_name64, ask_name, true)

static void handle32(struct mw_cpe *self, void *job)
{
    receive(self, job, false, visit32);
}
static void handle64(struct mw_cpe *self, void *job)
{
    receive(self, job, true, visit64);
}

static void follow_all32(struct mw_cpe *self, void *job)
{
    receive(self, job, false, follow32);
}
static void follow_all64(struct mw_cpe *self, void *job)
{
    receive(self, job, true, follow64);
}

const struct bfs_kernels MW_KERNELS = {
    .generate = {{columns32, counted32, own32}, {columns64, counted64, own64}},
    .handle = {handle32, handle64},
    .ask = {ask32, ask64},
    .reply = reply,
    .ask_name = {ask_name32, ask_name64},
    .hear_name = hear_name,
    .tell_followers = tell_followers,
    .follow = {follow_all32, follow_all64},
};
