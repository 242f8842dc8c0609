/* bfs_whole_omptarget.c -- a whole search in as few regions as it can be (algorithms/bfs/bfs_whole.h).
 *
 * A region costs more than many levels, whoever works in it, and OpenMP promises no barrier between teams:
 * the end of a region is one. So a level is one region, in which nobody waits for anybody. Whoever is the last
 * to have done its part says how the next level goes, and does that and those behind it alone, in the same
 * region, as long as they are a few steps. From the root on it begins like that, by one team.
 *
 * What regions work with lies on the device before they begin (`there`, `stand`). A region that is told
 * something has gcc's runtime take memory for it, and that gives back what teams have for stacks if it is
 * more than 128 MB; to take 4,224 of them anew is 0.24 ms.
 *
 * Top-down has a list of pieces of rows: a piece a team, whose edges are the lanes', or a piece a lane where
 * they are short. The last level before bottom-up lists nothing. Bottom-up asks "visited before this level?", so
 * there are two bitmaps that swap roles, a word of one a team, two labels a lane: the heads of their rows, then what
 * is near in them. Rows that go on are all lanes', one after the other. It walks over all words however few vertices
 * are left; so when few edges are, it lists what it finds, and the rest is top-down again. Parents are set once
 * and for all, at their places and in the input's numbering.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "omptarget/bfs_whole.h"

#include "algorithms/bfs/bfs_state.h"
#include "base/clock.h"
#include "omptarget/region.h"

#include <omp.h>

enum {
    TEAMS = 4224, /* 32 for each of the 132 processors of an H200 */
    PIECE = 128,  /* edges: four for each lane of a GPU of NVIDIA */
    SHORT = 8,    /* edges of a piece, in the mean of a level: a lane has a piece */
    NEAR = 64,    /* entries of a row that a lane looks at */
    FAR = 64,     /* entries that a team looks at before it asks whether there was one */
    BLOCK = 16,   /* words that a thread of the host has in turn: whole lines */
    LISTS_UP_TO =
        1500, /* a level with more of all entries than this part lists nothing */
    FEW_LEFT =
        16 /* bottom-up lists where less than this part of all entries is unvisited */
};

/* Steps of one team: pieces of rows, or words of a bitmap. */
uint64_t mwo_whole_alone = 8;

struct piece {
    uint32_t label, number; /* of the pieces of its row */
};

/* What a level leaves to the next. `edges` are the frontier's, pieces too: both where
 * they are listed. `left` are the unvisited ones, after bottom-up. */
struct count {
    uint64_t n_pieces, n_found, edges, left;
};

/* A level that begins; none does if nothing was found. */
struct turn {
    struct count of;    /* the frontier */
    uint64_t unvisited; /* edges, before this level */
    uint32_t level;
    uint32_t now; /* which bitmap is what was visited */
    bool up, was_up;
    bool lists; /* what it finds */
};

/* Where a search stands between regions. */
struct stand {
    struct turn turn;
    struct count count[3]; /* of level number mod 3 */
    uint64_t n_done;       /* parts of this level */
    uint64_t root_place;
    uint32_t root;
};

/* What all regions work with. */
struct whole {
    const uint64_t *row;
    const uint32_t *column, *name, *place_of, *label_of;
    const uint32_t *head, *head_name; /* by label */
    uint32_t *parent;
    uint64_t *visited[2];
    struct piece *list[2]; /* of level number mod 2 */
    uint64_t room;         /* of a list */
    struct stand *stand;   /* of cores */
    struct bfs_whole_level *told;
    uint64_t n_labels, n_words, n_entries;
    uint64_t alone, near, block;
    double alpha;
    uint32_t most_levels;
};

/* Of the one search of this process, on its device too. */
MWO_PRAGMA(omp declare target)
static struct whole there;
MWO_PRAGMA(omp end declare target)

/* ---- for cores ------------------------------------------------------------------------------- */

MW_FN uint64_t add(uint64_t *to, uint64_t n)
{
    uint64_t was;
#pragma omp atomic capture
    {
        was = *to;
        *to += n;
    }
    return was;
}

MW_FN uint64_t degree_of(const struct whole *w, uint64_t label)
{
    return w->row[label + 1] - w->row[label];
}

/* The pieces of a row, from number `first` on, for the next level; those beyond the list are counted all the
 * same. */
MW_FN void list_row(const struct whole *w, struct piece *list, struct count *next,
                    uint32_t label, uint64_t degree, uint64_t first)
{
    const uint64_t n = (degree + PIECE - 1) / PIECE - first;
    if (n == 0)
        return;
    const uint64_t at = add(&next->n_pieces, n);
    for (uint64_t i = 0; i < n && at + i < w->room; i++)
        list[at + i] = (struct piece){label, (uint32_t)(first + i)};
}

/* An edge to l, from `name`. The first one to get there is its parent, and learns of 1 + its edges. */
MW_FN uint64_t reach(const struct whole *w, uint64_t *visited, uint32_t l, uint32_t name,
                     struct piece *list, struct count *next)
{
    if (!mw_take_bit(visited, l))
        return 0;
    const uint64_t degree = degree_of(w, l);
    w->parent[w->place_of[l]] = name;
    if (list != NULL)
        list_row(w, list, next, l, degree, 0);
    return 1 + degree;
}

MW_FN void bounds_of(const struct whole *w, const struct piece *p, uint64_t *from,
                     uint64_t *to)
{
    const uint64_t end = w->row[p->label + 1];
    *from = w->row[p->label] + (uint64_t)p->number * PIECE;
    *to = *from + PIECE < end ? *from + PIECE : end;
}

/* A piece, an edge a lane. */
MW_FN void expand(const struct whole *w, uint64_t *visited, const struct piece *p,
                  struct piece *list, struct count *next, struct count *sum)
{
    const uint32_t name = w->name[p->label];
    uint64_t from, to, n_found = 0, edges = 0;
    bounds_of(w, p, &from, &to);
#pragma omp simd reduction(+ : n_found, edges)
    for (uint64_t k = from; k < to; k++) {
        const uint64_t r = reach(w, visited, w->column[k], name, list, next);
        n_found += r > 0;
        edges += r;
    }
    sum->n_found += n_found;
    sum->edges += edges - n_found;
}

/* Pieces, one a lane. */
MW_FN void expand_short(const struct whole *w, uint64_t *visited, const struct piece *p,
                        uint64_t n_pieces, struct piece *list, struct count *next,
                        struct count *sum)
{
    uint64_t n_found = 0, edges = 0;
#pragma omp simd reduction(+ : n_found, edges)
    for (uint64_t i = 0; i < n_pieces; i++) {
        const uint32_t name = w->name[p[i].label];
        uint64_t from, to;
        bounds_of(w, &p[i], &from, &to);
        for (uint64_t k = from; k < to; k++) {
            const uint64_t r = reach(w, visited, w->column[k], name, list, next);
            n_found += r > 0;
            edges += r;
        }
    }
    sum->n_found += n_found;
    sum->edges += edges - n_found;
}

/* A neighbour that was visited, of entries from .. to - 1 of a row, in the order of the
 * row; `to`: none is. Four are on their way at once. */
MW_FN uint64_t find_near(const struct whole *w, const uint64_t *visited, uint64_t from,
                         uint64_t to)
{
    for (uint64_t k = from; k < to; k += 4) {
        const uint64_t last = to - 1;
        const uint64_t k1 = k + 1 < last ? k + 1 : last, k2 = k + 2 < last ? k + 2 : last,
                       k3 = k + 3 < last ? k + 3 : last;
        const bool b0 = mw_bit(visited, w->column[k]),
                   b1 = mw_bit(visited, w->column[k1]),
                   b2 = mw_bit(visited, w->column[k2]),
                   b3 = mw_bit(visited, w->column[k3]);
        if (b0 | b1 | b2 | b3)
            return b0 ? k : b1 ? k1 : b2 ? k2 : k3;
    }
    return to;
}

/* The same by all lanes. */
MW_FN uint64_t find_far(const struct whole *w, const uint64_t *visited, uint64_t from,
                        uint64_t to)
{
    uint64_t at = to;
    for (uint64_t k = from; k < to && at == to; k += FAR) {
        const uint64_t end = k + FAR < to ? k + FAR : to;
#pragma omp simd reduction(min : at)
        for (uint64_t i = k; i < end; i++)
            if (mw_bit(visited, w->column[i]))
                at = i < at ? i : at;
    }
    return at;
}

/* An unvisited label whose head is visited or not: in its row so far it has found a
 * parent, has not, or there is more of the row. */
enum answer { NONE, FOUND, FURTHER };

MW_FN enum answer look_near(const struct whole *w, const uint64_t *visited, uint64_t l,
                            uint64_t from, uint64_t end, bool head, struct piece *list,
                            struct count *next)
{
    const uint64_t to = end - from > w->near ? from + w->near : end;
    const uint64_t k = head ? from : find_near(w, visited, from + 1, to);
    if (k >= to)
        return to < end ? FURTHER : NONE;
    w->parent[w->place_of[l]] = head ? w->head_name[l] : w->name[w->column[k]];
    if (list != NULL)
        list_row(w, list, next, (uint32_t)l, end - from, 1);
    return FOUND;
}

/* The unvisited labels of a word: a parent is the head, or the first neighbour that was
 * visited. First pieces of rows are not listed. A lane has two labels, whose heads it reads together. */
MW_FN void look(const struct whole *w, const uint64_t *visited, uint64_t *after,
                uint64_t word, struct piece *list, struct count *next, struct count *sum)
{
    const uint64_t is = visited[word], rest = w->n_labels - 64 * word;
    const uint64_t open = ~is & (rest >= 64 ? UINT64_MAX : (UINT64_C(1) << rest) - 1);
    uint64_t found = 0, further = 0, edges = 0, left = 0;
    if (open != 0) {
        const uint64_t some = 64 * word + (uint64_t)__builtin_ctzll(open);
#pragma omp simd reduction(| : found, further) reduction(+ : edges, left)
        for (uint32_t b = 0; b < 32; b++) {
            const bool open0 = open >> b & 1, open1 = open >> (b + 32) & 1;
            const uint64_t l0 = open0 ? 64 * word + b : some,
                           l1 = open1 ? 64 * word + b + 32 : some;
            const uint64_t from0 = w->row[l0], end0 = w->row[l0 + 1];
            const uint64_t from1 = w->row[l1], end1 = w->row[l1 + 1];
            const uint32_t head0 = w->head[l0], head1 = w->head[l1];
            const bool is0 = mw_bit(visited, head0), is1 = mw_bit(visited, head1);
            const enum answer a0 =
                open0 ? look_near(w, visited, l0, from0, end0, is0, list, next) : NONE;
            const enum answer a1 =
                open1 ? look_near(w, visited, l1, from1, end1, is1, list, next) : NONE;
            const uint64_t degree0 = open0 ? end0 - from0 : 0,
                           degree1 = open1 ? end1 - from1 : 0;
            found |= (uint64_t)(a0 == FOUND) << b | (uint64_t)(a1 == FOUND) << (b + 32);
            further |= (uint64_t)(a0 == FURTHER) << b | (uint64_t)(a1 == FURTHER)
                                                            << (b + 32);
            edges += (a0 == FOUND ? degree0 : 0) + (a1 == FOUND ? degree1 : 0);
            left += (a0 == NONE ? degree0 : 0) + (a1 == NONE ? degree1 : 0);
        }
    }
    for (; further != 0; further &= further - 1) {
        const uint32_t b = (uint32_t)__builtin_ctzll(further);
        const uint64_t l = 64 * word + b, from = w->row[l], end = w->row[l + 1];
        const uint64_t k = find_far(w, visited, from + w->near, end);
        if (k == end) {
            left += end - from;
            continue;
        }
        w->parent[w->place_of[l]] = w->name[w->column[k]];
        found |= UINT64_C(1) << b;
        edges += end - from;
        if (list != NULL)
            list_row(w, list, next, (uint32_t)l, end - from, 1);
    }
    after[word] = is | found;
    sum->n_found += (uint64_t)__builtin_popcountll(found);
    sum->edges += edges;
    sum->left += left;
}

/* Lists the first pieces of what a word has found, at `at`. */
MW_FN void list_word(const struct whole *w, uint64_t word, uint64_t found,
                     struct piece *list, uint64_t at)
{
#pragma omp simd
    for (uint32_t b = 0; b < 64; b++)
        if (found >> b & 1) {
            const uint64_t below = found & ((UINT64_C(1) << b) - 1);
            const uint64_t i = at + (uint64_t)__builtin_popcountll(below);
            if (i < w->room)
                list[i] = (struct piece){(uint32_t)(64 * word + b), 0};
        }
}

/* Bottom-up: words in blocks, each n-th of them from number `me` on. All of them are
 * listed together, for there is one counter. */
MW_FN void look_at_part(const struct whole *w, const struct turn *t, uint64_t me,
                        uint64_t n, struct piece *list, struct count *next,
                        struct count *sum)
{
    const uint64_t *const visited = w->visited[t->now];
    uint64_t *const after = w->visited[1 - t->now];
    for (uint64_t first = me * w->block; first < w->n_words; first += n * w->block)
        for (uint64_t i = first; i < first + w->block && i < w->n_words; i++)
            look(w, visited, after, i, list, next, sum);
    if (list == NULL || sum->n_found == 0)
        return;
    uint64_t at = add(&next->n_pieces, sum->n_found);
    for (uint64_t first = me * w->block; first < w->n_words; first += n * w->block)
        for (uint64_t i = first; i < first + w->block && i < w->n_words; i++) {
            const uint64_t found = after[i] & ~visited[i];
            if (found != 0)
                list_word(w, i, found, list, at);
            at += (uint64_t)__builtin_popcountll(found);
        }
}

/* Top-down: pieces, in turn. */
MW_FN void expand_part(const struct whole *w, const struct turn *t, uint64_t me,
                       uint64_t n, struct piece *list, struct count *next,
                       struct count *sum)
{
    uint64_t *const visited = w->visited[t->now];
    const struct piece *const from = w->list[t->level % 2];
    const uint64_t n_pieces = t->of.n_pieces;
    if (t->of.edges > SHORT * n_pieces)
        for (uint64_t i = me; i < n_pieces; i += n)
            expand(w, visited, &from[i], list, next, sum);
    else
        for (uint64_t i = me * MWO_TEAM_LANES; i < n_pieces; i += n * MWO_TEAM_LANES) {
            const uint64_t left = n_pieces - i;
            expand_short(w, visited, &from[i],
                         left < MWO_TEAM_LANES ? left : MWO_TEAM_LANES, list, next, sum);
        }
}

/* Part `me` of n of a level. */
MW_FN void do_part(const struct whole *w, const struct turn *t, uint64_t me, uint64_t n)
{
    struct piece *const list = t->lists ? w->list[1 - t->level % 2] : NULL;
    struct count *const next = &w->stand->count[(t->level + 1) % 3];
    struct count sum = {0};
    if (me == 0)
        w->stand->count[(t->level + 2) % 3] = sum;
    if (t->up)
        look_at_part(w, t, me, n, list, next, &sum);
    else
        expand_part(w, t, me, n, list, next, &sum);
    if (sum.n_found != 0) {
        add(&next->n_found, sum.n_found);
        add(&next->edges, sum.edges);
    }
    if (sum.left != 0)
        add(&next->left, sum.left);
}

/* May one team do it? */
MW_FN bool is_little(const struct whole *w, const struct turn *t)
{
    return (t->up ? w->n_words : t->of.n_pieces) <= w->alone;
}

/* After level t, whose parts are all done: how the next one goes. What others have added
 * is asked for where they have added it. */
MW_FN struct turn turn_after(const struct whole *w, const struct turn *t)
{
    struct turn next = {.level = t->level + 1, .now = t->now ^ t->up};
    struct count *const c = &w->stand->count[next.level % 3];
    next.of.n_pieces = add(&c->n_pieces, 0);
    next.of.n_found = add(&c->n_found, 0);
    next.of.edges = add(&c->edges, 0);
    next.of.left = add(&c->left, 0);
    next.unvisited = t->up ? next.of.left : t->unvisited - next.of.edges;
    next.up = !t->lists || next.of.n_pieces > w->room ||
              (!t->was_up && (double)next.of.edges * w->alpha > (double)next.unvisited);
    next.was_up = t->was_up || next.up;
    next.lists = is_little(w, &next) ||
                 (next.up       ? next.unvisited <= w->n_entries / FEW_LEFT
                  : next.was_up ? true
                                : next.of.edges <= w->n_entries / LISTS_UP_TO);
    if (next.level <= BFS_WHOLE_LEVELS)
        w->told[next.level] =
            (struct bfs_whole_level){next.of.n_found, next.unvisited, 0, next.up};
    return next;
}

/* Were all others of n there before? Then this one sees what they have stored: one lane
 * has counted, so all of them make a flush. */
MW_FN bool is_last(const struct whole *w, uint64_t n)
{
    uint64_t n_done;
    MWO_PRAGMA(omp atomic capture acq_rel)
    n_done = ++w->stand->n_done;
    if (n_done < n)
        return false;
    MWO_PRAGMA(omp flush)
    w->stand->n_done = 0;
    return true;
}

/* Part `me` of n of level t, and all of those behind it that one team may do if this part
 * is the last. */
MW_FN void work(const struct whole *w, struct turn t, uint64_t me, uint64_t n)
{
    const uint32_t first = t.level;
    double since = omp_get_wtime();
    if (t.of.n_found == 0 || t.level >= w->most_levels)
        return;
    for (;;) {
        const uint32_t level = t.level;
        do_part(w, &t, me, n);
        if (n > 1 && !is_last(w, n))
            return;
        t = turn_after(w, &t);
        const double now = omp_get_wtime();
        const uint64_t ns = (uint64_t)(1e9 * (now - since));
        if (level < BFS_WHOLE_LEVELS)
            w->told[level].ns = ns;
        else if (first < BFS_WHOLE_LEVELS)
            w->told[BFS_WHOLE_LEVELS].ns += ns; /* of no level that is told */
        since = now;
        if (t.of.n_found == 0 || t.level >= w->most_levels || !is_little(w, &t))
            break;
        me = 0;
        n = 1;
    }
    w->stand->turn = t;
}

/* By one team. The stand is empty. */
MW_FN void begin(const struct whole *w)
{
    struct stand *const s = w->stand;
    const uint64_t place = s->root_place;
    const uint32_t label = w->label_of[place];
    const struct turn before = {
        .unvisited = w->n_entries, .level = UINT32_MAX, .lists = true};
    w->parent[place] = s->root;
    if (label < w->n_labels) {
        const uint64_t degree = degree_of(w, label);
        s->count[0].n_found = 1;
        s->count[0].edges = degree;
        w->visited[0][label / 64] = UINT64_C(1) << (label % 64);
        list_row(w, w->list[0], &s->count[0], label, degree, 0);
    }
    const struct turn first = turn_after(w, &before);
    s->turn = first;
    if (is_little(w, &first))
        work(w, first, 0, 1);
}

/* ---- regions --------------------------------------------------------------------------------- */

static void search_root(void)
{
    MWO_REGION
    MWO_PRAGMA(omp target thread_limit(1))
    {
        const struct whole w = there;
        begin(&w);
    }
}

static void search_level(void)
{
    const int n_threads = mwo_shares(UINT64_MAX);
    MWO_REGION
    if (mwo_apart()) {
        MWO_PRAGMA(omp target thread_limit(1))
        MWO_PRAGMA(omp teams num_teams(MWO_TEAMS))
        {
            const uint64_t n = (uint64_t)omp_get_num_teams();
            MWO_PRAGMA(omp distribute dist_schedule(static, 1))
            for (uint64_t me = 0; me < n; me++) {
                const struct whole w = there;
                work(&w, w.stand->turn, me, n);
            }
        }
    } else {
        MWO_PRAGMA(omp parallel num_threads(n_threads))
        work(&there, there.stand->turn, (uint64_t)omp_get_thread_num(),
             (uint64_t)omp_get_num_threads());
    }
}

/* ---- the host's side ------------------------------------------------------------------------- */

/* Pieces of the room, each on a line of its own. */
static void *lay(uint32_t **at, uint64_t bytes)
{
    void *const p = *at;
    *at += (bytes + 255) / 256 * 256 / sizeof **at;
    return p;
}

static struct whole lay_out(const struct bfs_state *s)
{
    const struct mw_graph *const g = s->g;
    const uint64_t n = bfs_whole_labels(g->n_labels);
    uint32_t *at = s->whole->room;
    struct whole w = {.row = g->row,
                      .column = g->column,
                      .name = g->name,
                      .place_of = g->place_of,
                      .label_of = g->label_of,
                      .parent = s->parent,
                      .room = n + bfs_whole_pieces(g->n_labels),
                      .n_labels = g->n_labels,
                      .n_words = (g->n_labels + UINT64_C(63)) / 64,
                      .n_entries = g->n_entries,
                      .alone = mwo_whole_alone,
                      .near = mwo_apart() ? NEAR : UINT64_MAX,
                      .block = mwo_apart() ? 1 : BLOCK,
                      .alpha = s->whole->alpha,
                      .most_levels = s->whole->most_levels};
    w.stand = lay(&at, sizeof *w.stand);
    w.told = lay(&at, (BFS_WHOLE_LEVELS + 1) * sizeof *w.told);
    w.head = lay(&at, n * sizeof *w.head);
    w.head_name = lay(&at, n * sizeof *w.head_name);
    for (uint32_t i = 0; i < 2; i++) {
        w.visited[i] = lay(&at, w.n_words * sizeof **w.visited);
        w.list[i] = lay(&at, w.room * sizeof **w.list);
    }
    return w;
}

/* Heads by labels, once; and nobody is visited. */
static void whole_prepare(struct mw_cpe *self, void *job)
{
    static const struct stand nothing;
    const struct bfs_state *const s = ((struct mw_job *)job)->state;
    (void)self;
    if (s->whole == NULL)
        return;
    const struct whole w = lay_out(s);
    uint32_t *const head = (uint32_t *)(uintptr_t)w.head;
    uint32_t *const head_name = (uint32_t *)(uintptr_t)w.head_name;
    if (s->whole->n_blocks == 0)
        MWO_ALL(l, 0, w.n_labels)
        {
            head[l] = w.column[w.row[l]];
            head_name[l] = w.name[head[l]];
        }
    s->whole->n_blocks = 1;
    MWO_ALL(i, 0, w.n_words)
    w.visited[0][i] = 0;
    there = w;
    MWO_REGION{MWO_PRAGMA(omp target update to(there))} mwo_put(w.stand, &nothing,
                                                                sizeof nothing);
    search_level(); /* does nothing, but there are stacks */
}

/* By the host's clock, and by one team's own those levels behind it that it has done; of
 * `told` one more is those beyond the last that is told. */
static void tell_times(struct bfs_whole_level *told, const uint64_t *ns, uint32_t n)
{
    for (uint32_t i = 0, at = 0; i < n + (n == BFS_WHOLE_LEVELS); i++)
        if (i < n && ns[i] > 0) {
            told[i].ns = ns[i];
            at = i;
        } else if (ns[at] > 0) {
            told[at].ns -= mw_min(told[at].ns, told[i].ns);
        }
}

static void whole_search(struct mw_cpe *self, void *job)
{
    const struct bfs_state *const state = ((struct mw_job *)job)->state;
    struct bfs_whole *const out = state->whole;
    const struct stand start = {.root_place = state->root_place,
                                .root = (uint32_t)state->root};
    uint64_t ns[BFS_WHOLE_LEVELS] = {0};
    struct turn t;
    (void)self;
    mwo_put(there.stand, &start, sizeof start);
    search_root();
    mwo_get(&t, &there.stand->turn, sizeof t);
    while (t.of.n_found > 0 && t.level < out->most_levels) {
        const uint32_t level = t.level;
        const double since = mw_now();
        search_level();
        mwo_get(&t, &there.stand->turn, sizeof t);
        if (level < BFS_WHOLE_LEVELS)
            ns[level] = (uint64_t)(1e9 * (mw_now() - since));
    }
    const uint32_t n = (uint32_t)mw_min(t.level, BFS_WHOLE_LEVELS);
    mwo_get(out->level, there.told, (n + 1) * sizeof *out->level);
    tell_times(out->level, ns, n);
    out->n_levels = t.level;
    out->is_cut = t.of.n_found > 0;
    out->recounts = UINT32_MAX;
}

/* Tuned: the rest is bfs_device_kernels.c and bfs_device_sweeps.c. */
const struct bfs_sweeps bfs_sweeps_tuned_omptarget = {
    .prepare = whole_prepare,
    .whole = whole_search,
};
