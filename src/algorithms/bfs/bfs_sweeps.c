/* bfs_sweeps.c -- bottom-up, what walks over bitmaps, and what begins and ends a search, on cores of hosts and
 * on the management core beside a mesh. The table in bfs_table.c says what each reads and writes.
 *
 * Each word has one writer; words are dealt to cores in parts as they come. Marks are the
 * exception, because heads meet labels in no order: bytes that any core sets (frontier.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs/bfs_crew.h"
#include "algorithms/bfs/bfs_elements.h"
#include "algorithms/bfs/bfs_search.h"

#include <string.h>

static struct bfs_state *state_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

/* ---- bottom-up ----------------------------------------------------------------------- */

/* What looking at the heads of a word touches. */
MW_FN void touch_heads(const struct bfs_state *s, uint64_t w,
                       const struct mw_heads_view *v, uint64_t waiting, bool wide)
{
    const uint64_t number = mw_number_bytes(wide);
    uint64_t at = mw_head_index(s->g, 64 * w);
    for (uint64_t bits = v->has; bits != 0; bits &= bits - 1, at++) {
        const uint64_t i = (uint64_t)__builtin_ctzll(bits);
        if (!(waiting >> i & 1))
            continue;
        MW_TOUCH(s->parent, (64 * w + i) * number);
        const uint64_t column = mw_number(s->g->head, at, wide);
        if (mw_bit(v->known, column))
            MW_TOUCH(s->g->head_name, at * number);
        else
            MW_TOUCH(s->g->label_of, 4 * (64 * w + i));
    }
}

MW_FN void heads_word(struct bfs_state *s, uint64_t w, bool wide)
{
    const struct mw_graph *g = s->g;
    const uint64_t number = wide ? sizeof(uint64_t) : sizeof(uint32_t);
    const uint64_t waiting = s->waiting_valid ? s->waiting[w] : g->connected[w];
    uint64_t left = 0;
    if (waiting != 0) {
        const uint64_t first = mw_head_index(g, 64 * w);
        const struct mw_heads_view v = {(const char *)g->head + first * number,
                                        (const char *)g->head_name + first * number,
                                        g->n_before != NULL ? g->connected[w]
                                                            : UINT64_MAX,
                                        (char *)s->parent + 64 * w * number, s->known};
        if (MW_COUNTS)
            touch_heads(s, w, &v, waiting, wide);
        left = s->heads(&v, waiting);
        for (uint64_t bits = left; bits != 0; bits &= bits - 1)
            mw_frontier_mark(&s->f,
                             g->label_of[64 * w + (uint64_t)__builtin_ctzll(bits)]);
    }
    s->waiting[w] = left;
}

static void heads(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    const uint64_t n_words = (s->g->n_places + 63) / 64;
    uint64_t first, last;
    (void)self;
    while (mw_sweep_take(s->sweep, n_words, MW_PART_WORDS, &first, &last))
        for (uint64_t w = first; w < last; w++)
            if (s->g->wide)
                heads_word(s, w, true);
            else
                heads_word(s, w, false);
}

/* Rows are looked through a block at a time: each step of a look is a cache miss of its own, and
 * is fetched ahead for all of the block before the next step begins. */
enum { LOOKS = 128 };

struct looks {
    uint32_t n, n_found;
    uint32_t label[LOOKS];
    uint64_t place[LOOKS], column[LOOKS]; /* of those that have found a parent */
};

/* Gives a parent to each label that has a visited neighbour from entry `skip` of its row
 * on; the others' bits are set in left[], which begins with word `first`. Not named: the
 * parent's column. */
MW_FN void look_at_rows(struct bfs_state *s, struct looks *b, uint64_t skip,
                        uint64_t first, uint64_t *left, bool wide, bool named)
{
    const struct mw_graph *g = s->g;
    const uint64_t number = wide ? sizeof(uint64_t) : sizeof(uint32_t);
    for (uint32_t i = 0; i < b->n; i++)
        __builtin_prefetch((const char *)g->in_column +
                           (g->in_row[b->label[i]] + skip) * number);
    b->n_found = 0;
    for (uint32_t i = 0; i < b->n; i++) {
        const uint32_t l = b->label[i];
        const uint64_t end = g->in_row[l + 1];
        uint64_t column;
        MW_TOUCH(g->in_row, 8 * (uint64_t)l);
        MW_TOUCH(g->place_of, 4 * (uint64_t)l);
        if (bfs_first_known(s, g, g->in_row[l] + skip, end, &column, wide)) {
            if (named)
                __builtin_prefetch((const char *)g->name + column * number);
            __builtin_prefetch((const char *)s->parent + g->place_of[l] * number, 1);
            b->column[b->n_found] = column;
            b->place[b->n_found++] = g->place_of[l];
        } else { /* beyond: a row without even a head */
            left[l / 64 - first] |= UINT64_C(1) << (l % 64);
        }
    }
    for (uint32_t i = 0; i < b->n_found; i++)
        bfs_set_parent(s, b->place[i],
                       named ? mw_number(g->name, b->column[i], wide) : b->column[i],
                       wide);
    b->n = 0;
}

/* The words of one part. Who is to be looked at: todo[]; who found none: left[]. */
MW_FN void rows_part(struct bfs_state *s, uint64_t first, uint64_t n,
                     const uint64_t *todo, uint64_t *left, bool wide, bool named)
{
    const struct mw_graph *g = s->g;
    const uint64_t skip = s->heads_first;
    struct looks b;
    b.n = 0;
    for (uint64_t w = 0; w < n; w++) {
        left[w] = 0;
        if (skip > 0 && 64 * (first + w) >= s->first_leaf) {
            left[w] = todo[w]; /* the head was all they have */
            continue;
        }
        for (uint64_t bits = todo[w]; bits != 0; bits &= bits - 1) {
            const uint32_t l =
                (uint32_t)(64 * (first + w) + (uint64_t)__builtin_ctzll(bits));
            __builtin_prefetch(&g->in_row[l]);
            __builtin_prefetch(&g->place_of[l]);
            b.label[b.n++] = l;
            if (b.n == LOOKS)
                look_at_rows(s, &b, skip, first, left, wide, named);
        }
    }
    look_at_rows(s, &b, skip, first, left, wide, named);
    for (uint64_t w = 0; !named && w < n; w++)
        s->unnamed[first + w] |= todo[w] & ~left[w];
}

MW_CLONES static void rows(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct mw_frontier *f = &s->f;
    uint64_t first, last, todo[MW_PART_WORDS], left[MW_PART_WORDS];
    while (mw_sweep_take(s->sweep, f->n_words, MW_PART_WORDS, &first, &last)) {
        const uint64_t n = last - first;
        for (uint64_t w = 0; w < n; w++)
            todo[w] = s->heads_first ? mw_frontier_take_word(f, first + w)
                                     : mw_frontier_unvisited(f, first + w);
        if (s->unnamed != NULL)
            rows_part(s, first, n, todo, left, s->g->wide, false);
        else if (s->g->wide)
            rows_part(s, first, n, todo, left, true, true);
        else
            rows_part(s, first, n, todo, left, false, true);
        /* The others have one, from here or from heads. */
        for (uint64_t w = 0; w < n; w++)
            left[w] = mw_frontier_unvisited(f, first + w) & ~left[w];
        mw_frontier_put(f, self->lane, first / MW_PART_WORDS, left, n);
    }
}

/* ---- bottom-up by messages -------------------------------------------------------------- */

/* What the rows of a word's unvisited vertices tell without asking anybody. Returns those
 * that found no parent; `asking` gets those among them that have somebody to ask. */
MW_FN uint64_t lookup_word(struct bfs_state *s, uint64_t w, uint64_t unvisited, bool wide,
                           uint64_t *asking)
{
    const struct mw_graph *g = s->g;
    uint64_t left = 0;
    *asking = 0;
    for (uint64_t bits = unvisited; bits != 0; bits &= bits - 1)
        __builtin_prefetch(
            (const char *)s->parent +
                (uint64_t)g->place_of[64 * w + (uint64_t)__builtin_ctzll(bits)] *
                    (wide ? 8 : 4),
            1);
    for (uint64_t bits = unvisited; bits != 0; bits &= bits - 1) {
        const uint64_t l = 64 * w + (uint64_t)__builtin_ctzll(bits);
        const uint64_t one = bits & (~bits + 1);
        const uint32_t is = bfs_look_up(s, g, l, wide);
        if (is == BFS_ASK)
            *asking |= one;
        if (is != BFS_FOUND)
            left |= one;
    }
    return left;
}

/* What is found goes to the frontier's bits, and stays there until it is joined. */
static void lookup(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    struct mw_frontier *f = &s->f;
    uint64_t first, last;
    (void)self;
    while (mw_sweep_take(s->sweep, f->n_words, MW_PART_WORDS, &first, &last))
        for (uint64_t w = first; w < last; w++) {
            const uint64_t unvisited = mw_frontier_unvisited(f, w);
            uint64_t left = 0;
            s->asking[w] = 0;
            if (unvisited != 0)
                left = s->g->wide ? lookup_word(s, w, unvisited, true, &s->asking[w])
                                  : lookup_word(s, w, unvisited, false, &s->asking[w]);
            f->bits[w] = unvisited & ~left;
        }
}

MW_LIST_BITS(askers, bfs_state, s->f.n_words, bfs_asking_word, bfs_questions_of,
             s->f.list, s->f.list_end, &s->f.part[s->f.n_parts].n_found,
             &s->f.part[s->f.n_parts].n_edges)
MW_REACH(join, bfs_state, &s->f, MW_NONE, MW_NONE, bfs_joined_word)

/* ---- before top-down levels ------------------------------------------------------------- */

/* Lanes are not shared, so every core walks over all columns. */
MW_LANE_QUEUE(refresh, bfs_state, &s->lane[self->lane], bfs_refreshed_words(s),
              bfs_refresh_word)

static void absorb(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    const struct mw_hubs *h = s->visited_hubs;
    const uint64_t n_words = (s->n_drop_hubs + 63) / 64;
    uint64_t *seen = s->lane[self->lane].seen + s->seen_hubs / 64;
    for (uint64_t r = 0; r < h->comm->size; r++)
        for (uint64_t w = 0; r != h->comm->rank && w < n_words; w++)
            seen[r * s->seen_stride / 64 + w] |= h->visited[r * h->n_words + w];
}

/* ---- before a search -------------------------------------------------------------------- */

static void clear_share(const struct mw_cpe *self, uint64_t *bitmap, uint64_t n_words)
{
    uint64_t from, to;
    mw_share(self, 0, n_words, &from, &to);
    memset(bitmap + from, 0, (to - from) * sizeof *bitmap);
}

static void reset(struct mw_cpe *self, void *job)
{
    struct bfs_state *s = state_of(job);
    const uint64_t number = mw_number_bytes(s->g->wide);
    uint64_t from, to;
    memset(s->lane[self->lane].seen, 0, s->n_seen_words * 8);
    for (uint32_t i = s->first_idle; self->id == 0 && i < s->n_lanes; i++)
        memset(s->lane[i].seen, 0, s->n_seen_words * 8);
    mw_share(self, 0, s->g->n_places, &from, &to);
    memset((char *)s->parent + from * number, 0xFF, (to - from) * number);
    if (s->known == NULL)
        clear_share(self, s->f.visited, s->f.n_words);
    else if (s->clears_known)
        clear_share(self, s->known, s->g->n_columns / 64);
    if (s->delegates.d != NULL)
        clear_share(self, s->delegates.told, s->delegates.n_words);
    if (s->unnamed != NULL)
        clear_share(self, s->unnamed, s->f.n_words);
    if (s->follow.n_all_words > 0 && self->id == 0)
        memset(s->follow.told, 0, bfs_follow_words(s) * sizeof *s->follow.told);
}

MW_SUM(start, bfs_state, 1, bfs_start_root, &s->f.part[s->f.n_parts].n_edges)
MW_QUEUE(tell, bfs_state, s->delegates.n_words, bfs_tell_word)

MW_KEEP(drop, bfs_state, s->f.list, s->f.list_end, s->f.n_list, bfs_stays_listed,
        &s->f.part[s->f.n_parts].n_found, &s->f.part[s->f.n_parts].n_edges)

/* Next to the modules of the oracle and of a mesh, which make all of a top-down level, the last five are
 * not there. */
#define OF_HOSTS(kernel) (MW_SHORT_CIRCUIT ? (kernel) : NULL)
MW_KERNEL_TABLE(bfs_sweeps, .heads = heads, .rows = rows, .refresh = refresh,
                .absorb = absorb, .lookup = lookup, .join = join, .reset = reset,
                .start = start, .askers = askers, .pieces = bfs_pieces_kernel,
                .tell = tell, .drop = drop, .slices = OF_HOSTS(bfs_slices_kernel),
                .say = OF_HOSTS(bfs_say_kernel), .hear = OF_HOSTS(bfs_hear_kernel),
                .alone = OF_HOSTS(bfs_alone_kernel), .crew = OF_HOSTS(bfs_crew_kernel))
