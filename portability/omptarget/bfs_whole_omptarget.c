/* bfs_whole_omptarget.c -- a whole search in as few regions as it can be (algorithms/bfs/bfs_whole.h).
 *
 * A region on all of a device costs more than most levels, one of a single team a third of it. So a level
 * is one region at most, and levels of little work are all in one, of one team, whose threads wait for each
 * other between them. OpenMP promises no such barrier between teams: the end of a region is one.
 *
 *      alone    one team, level by level, until there is nothing left or a level is too much for it
 *      all      all teams, one level; then the host looks at the counts
 *
 * Top-down has a list of pieces of rows, a piece a thread, whose lanes share its edges. The last level before
 * bottom-up lists nothing. Bottom-up asks "visited before this level?", so there are two bitmaps that swap
 * roles, a word of one a thread, a label a lane: first the head of its row, then the rest. It walks over all
 * words however few vertices are left; so when few edges are, it lists what it finds, and the rest is top-down again.
 * Parents are set once and for all, at their places and in the input's numbering.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "omptarget/bfs_whole.h"

#include "algorithms/bfs/bfs_state.h"
#include "base/clock.h"
#include "omptarget/region.h"

#include <omp.h>

enum {
    PIECE = 128, /* edges: four for each lane of a GPU of NVIDIA */
    ALONE_THREADS =
        32, /* of one team; on GPUs of NVIDIA of 32 lanes each, and no more are possible */
    LISTS_UP_TO =
        1500, /* a level with more of all entries than this part lists nothing */
    FEW_LEFT =
        16 /* bottom-up lists where less than this part of all entries is unvisited */
};

/* Steps of one team: a piece of a row, two edges, or a word of a bitmap. On an H200 a
 * team of 32 times 32 lanes took some 90 ns for a piece, 15 to 45 for an edge to who is
 * listed then, 35 for a word, and a region of all teams 0.7 ms at least. */
uint64_t mwo_whole_alone = 1 << 13;

struct piece {
    uint32_t label, number; /* of the pieces of its row */
};

/* What a level leaves to the next. `edges` are the frontier's, pieces too: both where
 * they are listed. `left` are the unvisited ones, after bottom-up. */
struct count {
    uint64_t n_pieces, n_found, edges, left;
};

/* Where a search stands between regions. */
struct stand {
    struct count count[3]; /* of level number mod 3 */
    uint64_t unvisited;    /* edges, before this level */
    uint32_t level;        /* that is next; none is if nothing was found */
    uint32_t now;          /* which bitmap is what was visited */
    bool up, was_up;
};

/* What regions take by value. */
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
    uint64_t alone;
    double alpha;
    uint64_t root_place;
    uint32_t root;
};

/* ---- for cores ------------------------------------------------------------------------------- */

#pragma omp declare target

static uint64_t add(uint64_t *to, uint64_t n)
{
    uint64_t was;
#pragma omp atomic capture
    {
        was = *to;
        *to += n;
    }
    return was;
}

static uint64_t degree_of(const struct whole *w, uint64_t label)
{
    return w->row[label + 1] - w->row[label];
}

/* The pieces of a row, for the next level; those beyond the list are counted all the same. */
static void list_row(const struct whole *w, struct piece *list, struct count *next,
                     uint32_t label, uint64_t degree)
{
    const uint64_t n = (degree + PIECE - 1) / PIECE, at = add(&next->n_pieces, n);
    for (uint64_t i = 0; i < n && at + i < w->room; i++)
        list[at + i] = (struct piece){label, (uint32_t)i};
}

/* The edges of a piece: who is reached first gets its parent. */
static void expand(const struct whole *w, uint64_t *visited, const struct piece *p,
                   struct piece *list, struct count *next)
{
    const uint64_t from = w->row[p->label] + (uint64_t)p->number * PIECE;
    const uint64_t end = w->row[p->label + 1];
    const uint64_t to = from + PIECE < end ? from + PIECE : end;
    const uint32_t name = w->name[p->label];
    uint64_t n_found = 0, edges = 0;
#pragma omp simd reduction(+ : n_found, edges)
    for (uint64_t k = from; k < to; k++) {
        const uint32_t l = w->column[k];
        if (mwo_take_bit(visited, l)) {
            const uint64_t degree = degree_of(w, l);
            w->parent[w->place_of[l]] = name;
            n_found++;
            edges += degree;
            if (list != NULL)
                list_row(w, list, next, l, degree);
        }
    }
    if (n_found > 0) {
        add(&next->n_found, n_found);
        add(&next->edges, edges);
    }
}

/* The parent of a label: its head, or the first neighbour that was visited. False: none. */
static bool find_parent(const struct whole *w, const uint64_t *visited, uint64_t l)
{
    if (mwo_bit(visited, w->head[l])) {
        w->parent[w->place_of[l]] = w->head_name[l];
        return true;
    }
    for (uint64_t k = w->row[l] + 1, end = w->row[l + 1]; k < end; k++) {
        const uint32_t column = w->column[k];
        if (mwo_bit(visited, column)) {
            w->parent[w->place_of[l]] = w->name[column];
            return true;
        }
    }
    return false;
}

/* The unvisited labels of a word. */
static void look(const struct whole *w, const uint64_t *visited, uint64_t *after,
                 uint64_t word, struct piece *list, struct count *next)
{
    const uint64_t is = visited[word], rest = w->n_labels - 64 * word;
    const uint64_t open = ~is & (rest >= 64 ? UINT64_MAX : (UINT64_C(1) << rest) - 1);
    uint64_t found = 0, edges = 0, left = 0;
    if (open != 0) {
#pragma omp simd reduction(| : found) reduction(+ : edges, left)
        for (uint32_t b = 0; b < 64; b++)
            if (open >> b & 1) {
                const uint64_t l = 64 * word + b, degree = degree_of(w, l);
                if (find_parent(w, visited, l)) {
                    found |= UINT64_C(1) << b;
                    edges += degree;
                    if (list != NULL)
                        list_row(w, list, next, (uint32_t)l, degree);
                } else {
                    left += degree;
                }
            }
    }
    after[word] = is | found;
    if (found != 0) {
        add(&next->n_found, (uint64_t)__builtin_popcountll(found));
        add(&next->edges, edges);
    }
    if (left != 0)
        add(&next->left, left);
}

/* What is known when a level begins: says how it is done. */
static void begin_level(const struct whole *w, struct stand *s, bool listed)
{
    const struct count *const c = &s->count[s->level % 3];
    const bool is_listed = listed && c->n_pieces <= w->room;
    s->unvisited = s->up ? c->left : s->unvisited - c->edges;
    s->up =
        !is_listed || (!s->was_up && (double)c->edges * w->alpha > (double)s->unvisited);
    s->was_up |= s->up;
}

/* May one team do it? */
static bool is_little(const struct whole *w, const struct stand *s)
{
    const struct count *const c = &s->count[s->level % 3];
    return (s->up ? w->n_words + s->unvisited : c->n_pieces + c->edges / 2) <= w->alone;
}

static void note_level(const struct stand *s, struct bfs_whole_level *told)
{
    told->n_active = s->count[s->level % 3].n_found;
    told->n_unvisited_edges = s->unvisited;
    told->up = s->up;
    told->ns = 0;
}

static void set_root(const struct whole *w, struct stand *s)
{
    const uint32_t label = w->label_of[w->root_place];
    *s = (struct stand){.unvisited = w->n_entries};
    w->parent[w->root_place] = w->root;
    if (label < w->n_labels) {
        s->count[0].n_found = 1;
        s->count[0].edges = degree_of(w, label);
        w->visited[0][label / 64] |= UINT64_C(1) << (label % 64);
        list_row(w, w->list[0], &s->count[0], label, s->count[0].edges);
    }
}

#pragma omp end declare target

/* ---- regions --------------------------------------------------------------------------------- */

/* From the root on, or from the level that is next and has begun. Threads meet at the end
 * of each worksharing construct, and read of `stand` what was written before that. */
static void search_alone(const struct whole *by_host, bool from_root)
{
    const struct whole w = *by_host;
    const int n_threads = mwo_threads(ALONE_THREADS);
    MWO_REGION
    MWO_PRAGMA(omp target teams num_teams(1) thread_limit(ALONE_THREADS)
                   defaultmap(firstprivate))
    MWO_PRAGMA(omp parallel num_threads(n_threads) if (many_))
    {
        struct stand *const s = w.stand;
        bool begun = !from_root;
        double since = omp_get_wtime();
        if (from_root) {
            MWO_PRAGMA(omp single)
            set_root(&w, s);
        }
        for (;;) {
            if (!begun) {
                MWO_PRAGMA(omp single)
                {
                    begin_level(&w, s, true);
                    if (s->level <= BFS_WHOLE_LEVELS)
                        note_level(s, &w.told[s->level]);
                }
            }
            begun = false;
            const uint32_t level = s->level;
            struct count *const next = &s->count[(level + 1) % 3];
            const uint64_t n_pieces = s->count[level % 3].n_pieces;
            if (s->count[level % 3].n_found == 0 || !is_little(&w, s))
                break;
            if (s->up) {
                const uint64_t *const visited = w.visited[s->now];
                uint64_t *const after = w.visited[1 - s->now];
                MWO_PRAGMA(omp for schedule(static, 1))
                for (uint64_t i = 0; i < w.n_words; i++)
                    look(&w, visited, after, i, w.list[1 - level % 2], next);
            } else {
                uint64_t *const visited = w.visited[s->now];
                const struct piece *const list = w.list[level % 2];
                MWO_PRAGMA(omp for schedule(static, 1))
                for (uint64_t i = 0; i < n_pieces; i++)
                    expand(&w, visited, &list[i], w.list[1 - level % 2], next);
            }
            MWO_PRAGMA(omp master)
            {
                const double now = omp_get_wtime();
                if (level < BFS_WHOLE_LEVELS)
                    w.told[level].ns = (uint64_t)(1e9 * (now - since));
                since = now;
                s->now ^= s->up;
                s->count[(level + 2) % 3] = (struct count){0};
                s->level = level + 1;
            }
            MWO_PRAGMA(omp barrier)
        }
    }
}

/* Threads have neighbouring steps, and the first words have the longest rows: each gets
 * words from all parts. */
enum { SPREAD = 16 };

static void look_all(const struct whole *by_host, uint32_t level, uint32_t now,
                     bool lists)
{
    const struct whole w = *by_host;
    const uint64_t each = (w.n_words + SPREAD - 1) / SPREAD;
    struct piece *const next = lists ? w.list[1 - level % 2] : NULL;
    struct count *const count = w.stand->count;
    MWO_EACH(i, each * SPREAD)
    {
        const uint64_t word = i % SPREAD * each + i / SPREAD;
        if (i == 0)
            count[(level + 2) % 3] = (struct count){0};
        if (word < w.n_words)
            look(&w, w.visited[now], w.visited[1 - now], word, next,
                 &count[(level + 1) % 3]);
    }
}

static void expand_all(const struct whole *by_host, uint32_t level, uint32_t now,
                       uint64_t n_pieces, bool lists)
{
    const struct whole w = *by_host;
    const struct piece *const list = w.list[level % 2];
    struct piece *const next = lists ? w.list[1 - level % 2] : NULL;
    struct count *const count = w.stand->count;
    MWO_EACH(i, n_pieces)
    {
        if (i == 0)
            count[(level + 2) % 3] = (struct count){0};
        expand(&w, w.visited[now], &list[i], next, &count[(level + 1) % 3]);
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
                      .alpha = s->whole->alpha,
                      .root_place = s->root_place,
                      .root = (uint32_t)s->root};
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
void mwo_whole_prepare(const struct bfs_state *s)
{
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
}

/* One level on all teams; the next one has begun. */
static void level_of_all(const struct whole *w, struct stand *s)
{
    const struct count *const c = &s->count[s->level % 3];
    const bool lists = s->up       ? s->unvisited <= w->n_entries / FEW_LEFT
                       : s->was_up ? true
                                   : c->edges <= w->n_entries / LISTS_UP_TO;
    if (s->up)
        look_all(w, s->level, s->now, lists);
    else
        expand_all(w, s->level, s->now, c->n_pieces, lists);
    mwo_get(s->count, w->stand->count, sizeof s->count);
    s->now ^= s->up;
    s->level++;
    begin_level(w, s, lists);
}

/* Levels of one team; the next one, which is too much for it or empty, has begun. */
static void levels_of_one(const struct whole *w, struct stand *s,
                          struct bfs_whole_level *told, bool from_root)
{
    const uint32_t first = (uint32_t)mw_min(s->level, BFS_WHOLE_LEVELS);
    if (!from_root) {
        mwo_put(w->stand, s, sizeof *s);
        mwo_put(w->told + first, told + first, sizeof *told);
    }
    search_alone(w, from_root);
    mwo_get(s, w->stand, sizeof *s);
    const uint32_t last = (uint32_t)mw_min(s->level, BFS_WHOLE_LEVELS);
    mwo_get(told + first, w->told + first, (last - first + 1) * sizeof *told);
}

void mwo_whole_search(struct mw_cpe *self, void *job)
{
    const struct bfs_state *const state = ((struct mw_job *)job)->state;
    struct bfs_whole *const out = state->whole;
    const struct whole w = lay_out(state);
    struct stand s = {.level = 0};
    (void)self;
    levels_of_one(&w, &s, out->level, true);
    while (s.count[s.level % 3].n_found > 0) {
        const uint32_t level = s.level;
        const double since = mw_now();
        if (is_little(&w, &s)) {
            levels_of_one(&w, &s, out->level, false);
            continue;
        }
        level_of_all(&w, &s);
        if (level < BFS_WHOLE_LEVELS) {
            out->level[level].ns = (uint64_t)(1e9 * (mw_now() - since));
            note_level(&s, &out->level[level + 1]);
        }
    }
    out->n_levels = s.level;
    out->recounts = UINT32_MAX;
}
