/* bfs_omptarget.c -- breadth-first search on a device of OpenMP: the modules and the sweeps of the table
 * in bfs_table.c, one function each; as bfs_kokkos.cpp has them, where the why is written.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_state.h"
#include "omptarget/bfs_whole.h"
#include "omptarget/frontier.h"
#include "omptarget/records.h"

static struct bfs_state *state_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

MW_FN void set_parent(const struct bfs_state *s, uint64_t place, mw_vid parent, bool wide)
{
    mw_set_number(s->parent, place, parent, wide);
}

MW_FN bool has_parent(const struct bfs_state *s, uint64_t place, bool wide)
{
    return mw_number(s->parent, place, wide) != (wide ? UINT64_MAX : UINT32_MAX);
}

/* ---- top-down --------------------------------------------------------------------------------- */

/* For columns of others: is there a use in sending? Once for each that `seen` has a bit for. */
MW_FN bool is_news(const struct bfs_state *s, uint64_t *seen, uint32_t owner,
                   uint32_t label, uint64_t column)
{
    if (s->seen_kind != BFS_OWN_AND_HUBS)
        return mw_take_bit(seen, column);
    if (label < s->n_drop_hubs)
        return mw_take_bit(seen, s->seen_hubs + owner * s->seen_stride + label);
    return true;
}

/* What others have told of their hubs, on the device. */
struct hub_tables {
    const uint64_t *visited;
    const uint32_t *place;
    uint64_t n_words, n_hubs; /* of a rank */
};

static struct hub_tables hubs_of(const struct bfs_state *s, uint32_t n_ranks, bool places)
{
    const struct mw_hubs *const h = s->visited_hubs;
    struct hub_tables t = {NULL, NULL, h->n_words, h->n_hubs};
    t.visited = mwo_sent(MWO_HUBS, h->visited,
                         (uint64_t)n_ranks * h->n_words * sizeof *h->visited);
    if (places)
        t.place = mwo_sent(MWO_HUB_PLACES, h->place,
                           (uint64_t)n_ranks * h->n_hubs * sizeof *h->place);
    return t;
}

static void generate(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    struct bfs_state *const state = state_of(arg);
    const struct bfs_state s = *state;
    const struct mw_graph g = *s.g;
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);
    uint64_t *const seen = s.lane[self->lane].seen;
    const uint32_t me = job->at->rank;
    struct hub_tables hubs = {0};
    uint64_t n_dropped = 0;
    if (s.n_drop_hubs > 0 && out.at != NULL)
        hubs = hubs_of(&s, job->at->n_ranks, false);
    MWO_SUM(unit, job->first, job->last, n_dropped)
    {
        const uint64_t i = mw_item_of(s.f.list_end, s.f.n_list, unit);
        const uint32_t u = s.f.list[i];
        const uint64_t before = i > 0 ? s.f.list_end[i - 1] : 0;
        const uint64_t column = mw_number(g.column, g.row[u] + unit - before, g.wide);
        const uint32_t owner = mw_column_owner(column, g.label_bits);
        const uint32_t label = mw_column_label(column, g.label_bits);
        if (owner == me) {
            if (mwo_claim(&s.f, label))
                set_parent(&s, g.place_of[label], mw_vertex_at(&g, me, g.place_of[u]),
                           g.wide);
        } else if (is_news(&s, seen, owner, label, column)) {
            mwo_emit(&out, unit, owner, label, g.place_of[u]);
        } else if (label < s.n_drop_hubs) {
            n_dropped += mw_bit(hubs.visited + owner * hubs.n_words, label);
        }
    }
    mwo_claimed(&state->f, self->lane);
    state->lane[self->lane].n_dropped += n_dropped;
    mwo_drafts_send(self, job, &out, job->last - job->first);
}

static void handle(struct mw_cpe *self, void *arg)
{
    struct bfs_state *const state = state_of(arg);
    const struct bfs_state s = *state;
    const struct mw_graph g = *s.g;
    uint64_t n;
    const struct mw_visit *const visit = mwo_visits_of(arg, &n);
    MWO_ALL(i, 0, n)
    {
        const struct mw_visit m = visit[i];
        if (mwo_claim(&s.f, m.child))
            set_parent(&s, g.place_of[m.child], mw_vertex_at(&g, m.sender, m.value),
                       g.wide);
    }
    mwo_claimed(&state->f, self->lane);
}

static void pieces(struct mw_cpe *self, void *arg)
{
    struct bfs_state *const state = state_of(arg);
    const struct bfs_state s = *state;
    const struct bfs_delegates x = s.delegates;
    const struct mw_delegates d = *x.d;
    const struct mw_graph g = *s.g;
    const uint64_t n_units = x.piece_end[x.n_pieces - 1];
    const struct bfs_piece *const piece =
        mwo_sent(MWO_PIECES, x.piece, x.n_pieces * sizeof *piece);
    const uint64_t *const end =
        mwo_sent(MWO_PIECE_ENDS, x.piece_end, x.n_pieces * sizeof *end);
    MWO_ALL(unit, 0, n_units)
    {
        const uint64_t i = mw_item_of(end, x.n_pieces, unit);
        const uint64_t before = i > 0 ? end[i - 1] : 0;
        const uint32_t label = d.label[piece[i].start + unit - before];
        if (mwo_claim(&s.f, label))
            set_parent(&s, g.place_of[label], piece[i].parent, g.wide);
    }
    mwo_claimed(&state->f, self->lane);
}

/* ---- bottom-up by bitmap ----------------------------------------------------------------------- */

/* A place whose head is not visited waits on, and its row is to look. */
MW_FN bool waits_on(const struct bfs_state *s, const struct mw_graph *g, uint64_t p)
{
    if (has_parent(s, p, g->wide))
        return false;
    if (!mw_bit(s->known, mw_number(g->head, p, g->wide))) {
        mw_set_bit(s->f.mark_bit, g->label_of[p]);
        return true;
    }
    set_parent(s, p, mw_number(g->head_name, p, g->wide), g->wide);
    return false;
}

static void heads(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const uint64_t *const waiting = s.waiting_valid ? s.waiting : g.connected;
    (void)self;
    MWO_EACH(w, (g.n_places + 63) / 64)
    {
        const uint64_t todo = waiting[w];
        uint64_t left = 0;
        MWO_LANES((| : left))
        for (uint32_t b = 0; b < 64; b++)
            if ((todo >> b & 1) && waits_on(&s, &g, 64 * w + b))
                left |= UINT64_C(1) << b;
        s.waiting[w] = left;
    }
}

/* The first visited neighbour of a label from entry `skip` of its row on becomes its parent: by its
 * name, or by its column where the graph has no table of names. */
MW_FN bool find_parent(const struct bfs_state *s, const struct mw_graph *g, uint64_t l,
                       uint64_t skip)
{
    const uint64_t end = g->in_row[l + 1];
    for (uint64_t k = g->in_row[l] + skip; k < end; k++) {
        const uint64_t column = mw_number(g->in_column, k, g->wide);
        if (!mw_bit(s->known, column))
            continue;
        set_parent(s, g->place_of[l],
                   s->unnamed == NULL ? mw_number(g->name, column, g->wide) : column,
                   g->wide);
        return true;
    }
    return false;
}

static void rows(struct mw_cpe *self, void *arg)
{
    struct bfs_state *const state = state_of(arg);
    const struct bfs_state s = *state;
    const struct mw_graph g = *s.g;
    const uint64_t skip = s.heads_first;
    MWO_EACH(w, s.f.n_words)
    {
        const uint64_t open = mw_frontier_unvisited(&s.f, w);
        const uint64_t todo = s.heads_first ? s.f.mark_bit[w] : open;
        uint64_t found = 0;
        MWO_LANES((| : found))
        for (uint32_t b = 0; b < 64; b++)
            if ((todo >> b & 1) && find_parent(&s, &g, 64 * w + b, skip))
                found |= UINT64_C(1) << b;
        if (s.unnamed != NULL)
            s.unnamed[w] |= found;
        s.f.bits[w] = (open & ~todo) | found;
        if (skip > 0)
            s.f.mark_bit[w] = 0;
    }
    mwo_frontier_put(&state->f, self->lane);
}

/* ---- bottom-up by messages --------------------------------------------------------------------- */

/* What a row's entries tell without asking. */
enum answer { FOUND, NOTHING, ASK };

MW_FN enum answer look_up(const struct bfs_state *s, const struct mw_graph *g, uint64_t l,
                          uint32_t me, const struct hub_tables *hubs)
{
    const uint64_t end = g->in_row[l + 1];
    enum answer so_far = NOTHING;
    for (uint64_t k = g->in_row[l]; k < end; k++) {
        const uint64_t column = mw_number(g->in_column, k, g->wide);
        const uint32_t owner = mw_column_owner(column, g->label_bits);
        const uint32_t label = mw_column_label(column, g->label_bits);
        uint32_t place;
        if (label < s->n_look_hubs) {
            if (!mw_bit(hubs->visited + owner * hubs->n_words, label))
                continue;
            place = hubs->place[owner * hubs->n_hubs + label];
        } else if (s->look_at_own && owner == me) {
            if (!mw_bit(s->f.visited, label))
                continue;
            place = g->place_of[label];
        } else {
            so_far = ASK;
            continue;
        }
        set_parent(s, g->place_of[l], mw_vertex_at(g, owner, place), g->wide);
        return FOUND;
    }
    return so_far;
}

/* Who is found goes to the frontier's bits and stays there until it is joined. */
static void lookup(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const uint32_t me = s.g->comm->rank, n_ranks = s.g->comm->size;
    const struct mw_graph g = *s.g;
    struct hub_tables hubs = {0};
    (void)self;
    if (s.n_look_hubs > 0)
        hubs = hubs_of(&s, n_ranks, true);
    MWO_EACH(w, s.f.n_words)
    {
        const uint64_t open = mw_frontier_unvisited(&s.f, w);
        uint64_t found = 0, asking = 0;
        MWO_LANES((| : found, asking))
        for (uint32_t b = 0; b < 64; b++)
            if (open >> b & 1) {
                const enum answer a = look_up(&s, &g, 64 * w + b, me, &hubs);
                found |= (uint64_t)(a == FOUND) << b;
                asking |= (uint64_t)(a == ASK) << b;
            }
        s.asking[w] = asking;
        s.f.bits[w] = found;
    }
}

/* Entries that a label asks for in this round. */
MW_FN uint64_t questions_of(const struct bfs_state *s, const struct mw_graph *g,
                            uint64_t l)
{
    const uint64_t left =
        g->in_row[l + 1] - bfs_beyond_hubs(g, s->n_look_hubs, l, g->wide);
    return left > s->ask_from ? mw_min(left, s->ask_to) - s->ask_from : 0;
}

/* Those of each part of the labels: counted, or with the counts of all parts before them listed. */
static void walk_askers(const struct bfs_state *state, struct mw_frontier_part *part,
                        bool list)
{
    const struct bfs_state s = *state;
    const struct mw_graph g = *s.g;
    MWO_ALL(p, 0, s.f.n_parts)
    {
        const uint64_t last = mw_min((p + 1) * MW_PART_WORDS, s.f.n_words);
        uint64_t n = list ? part[p].n_found : 0, units = list ? part[p].n_edges : 0;
        for (uint64_t w = p * MW_PART_WORDS; w < last; w++) {
            const uint64_t asks = s.asking[w] & ~s.f.mark_bit[w];
            s.asking[w] = asks;
            for (uint64_t bits = asks; bits != 0; bits &= bits - 1) {
                const uint64_t l = 64 * w + (uint64_t)__builtin_ctzll(bits);
                const uint64_t asked = questions_of(&s, &g, l);
                if (asked == 0)
                    continue;
                units += asked;
                if (list) {
                    s.f.list[n] = (uint32_t)l;
                    s.f.list_end[n] = units;
                }
                n++;
            }
        }
        if (!list) {
            part[p].n_found = n;
            part[p].n_edges = units;
        }
    }
}

/* Who has not been answered yet, with the entries of this round, in the order of labels. */
static void askers(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const uint64_t bytes = s.f.n_parts * sizeof *s.f.part;
    struct mw_frontier_part *const part = mwo_room(MWO_PARTS, bytes);
    struct mw_frontier_part sum = {0, 0};
    (void)self;
    if (bytes > 0) {
        walk_askers(&s, part, false);
        mwo_get(s.f.part, part, bytes);
    }
    for (uint64_t p = 0; p < s.f.n_parts; p++) {
        const struct mw_frontier_part is = s.f.part[p];
        s.f.part[p] = sum;
        sum.n_found += is.n_found;
        sum.n_edges += is.n_edges;
    }
    s.f.part[s.f.n_parts] = sum;
    if (sum.n_found > 0) {
        mwo_put(part, s.f.part, bytes);
        walk_askers(&s, part, true);
    }
}

static void ask(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    struct bfs_state *const state = state_of(arg);
    const struct bfs_state s = *state;
    const struct mw_graph g = *s.g;
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);
    const uint32_t me = job->at->rank;
    MWO_ALL(unit, job->first, job->last)
    {
        const uint64_t i = mw_item_of(s.f.list_end, s.f.n_list, unit);
        const uint32_t u = s.f.list[i];
        const uint64_t before = i > 0 ? s.f.list_end[i - 1] : 0;
        const uint64_t entry =
            bfs_beyond_hubs(&g, s.n_look_hubs, u, g.wide) + s.ask_from + unit - before;
        const uint64_t column = mw_number(g.in_column, entry, g.wide);
        const uint32_t owner = mw_column_owner(column, g.label_bits);
        if (owner != me) /* else it was looked up: not visited */
            mwo_emit(&out, unit, owner, mw_column_label(column, g.label_bits), u);
    }
    state->lane[self->lane].n_questions +=
        mwo_drafts_send(self, job, &out, job->last - job->first);
}

static void reply(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    struct bfs_state *const state = state_of(arg);
    const struct bfs_state s = *state;
    const struct mw_graph g = *s.g;
    uint64_t n;
    const struct mw_visit *const visit = mwo_visits_of(job, &n);
    const struct mwo_drafts out = mwo_drafts_of(job, 0, n);
    MWO_ALL(i, 0, n)
    {
        const struct mw_visit m = visit[i];
        if (mw_bit(s.f.visited, m.child))
            mwo_emit(&out, i, m.sender, (uint32_t)m.value, g.place_of[m.child]);
    }
    state->lane[self->lane].n_answers += mwo_drafts_send(self, job, &out, n);
}

static void join(struct mw_cpe *self, void *arg)
{
    struct bfs_state *const state = state_of(arg);
    const struct bfs_state s = *state;
    MWO_ALL(w, 0, s.f.n_words)
    {
        s.f.bits[w] |= s.f.mark_bit[w];
        s.f.mark_bit[w] = 0;
    }
    mwo_frontier_put(&state->f, self->lane);
}

/* ---- names, after the last level --------------------------------------------------------------- */

static void ask_name(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    const struct bfs_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);
    const uint32_t me = job->at->rank;
    MWO_ALL(u, job->first, job->last)
    {
        if (mw_bit(s.unnamed, u)) {
            const uint64_t place = g.place_of[u];
            const uint64_t column = mw_number(s.parent, place, g.wide);
            const uint32_t owner = mw_column_owner(column, g.label_bits);
            const uint32_t label = mw_column_label(column, g.label_bits);
            if (owner == me)
                set_parent(&s, place, mw_vertex_at(&g, me, g.place_of[label]), g.wide);
            else
                mwo_emit(&out, u, owner, label, u);
        }
    }
    mwo_drafts_send(self, job, &out, job->last - job->first);
}

static void hear_name(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    uint64_t n;
    const struct mw_visit *const visit = mwo_visits_of(arg, &n);
    (void)self;
    MWO_ALL(i, 0, n)
    {
        const struct mw_visit m = visit[i];
        set_parent(&s, g.place_of[m.child], mw_vertex_at(&g, m.sender, m.value), g.wide);
    }
}

/* ---- before top-down levels -------------------------------------------------------------------- */

static void refresh(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    uint64_t *const seen = s.lane[self->lane].seen;
    const uint64_t *const from = s.known != NULL ? s.known : s.f.visited;
    const uint64_t n_words = s.known != NULL ? s.n_seen_words : s.f.n_words;
    MWO_ALL(w, 0, n_words)
    seen[w] |= from[w];
}

static void absorb(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const struct mw_comm *const comm = s.visited_hubs->comm;
    const uint64_t n_words = (s.n_drop_hubs + UINT64_C(63)) / 64, me = comm->rank;
    const uint64_t n = comm->size * n_words;
    const struct hub_tables hubs = hubs_of(&s, comm->size, false);
    uint64_t *const seen = s.lane[self->lane].seen + s.seen_hubs / 64;
    MWO_ALL(i, 0, n)
    {
        const uint64_t r = i / n_words, w = i % n_words;
        if (r != me)
            seen[r * (s.seen_stride / 64) + w] |= hubs.visited[r * hubs.n_words + w];
    }
}

/* ---- delegates --------------------------------------------------------------------------------- */

static void tell(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const struct bfs_delegates x = s.delegates;
    const struct mw_delegates d = *x.d;
    const uint32_t me = s.g->comm->rank;
    uint64_t *const news = mwo_room(MWO_NEWS, x.n_words * sizeof *news);
    (void)self;
    MWO_ALL(w, 0, x.n_words)
    {
        const uint64_t n_here = mw_delegates_here(&d, me);
        const uint64_t left = n_here > 64 * w ? n_here - 64 * w : 0;
        const uint64_t here = left >= 64 ? UINT64_MAX : (UINT64_C(1) << left) - 1;
        const uint64_t reached =
            here != 0 ? s.f.visited[w] | (s.f.listed ? 0 : s.f.bits[w]) : 0;
        news[w] = here & reached & ~x.told[w];
        x.told[w] |= news[w];
    }
    mwo_get(x.news, news, x.n_words * sizeof *news);
}

/* Lists are in the order of labels, and those dealt out come first. */
static void drop(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const struct mw_delegates d = *s.delegates.d;
    const uint32_t me = s.g->comm->rank;
    const uint64_t n = s.f.n_list;
    uint64_t n_gone = 0, edges_gone = 0;
    (void)self;
    MWO_SUM(i, 0, n, n_gone)
    n_gone += s.f.list[i] < mw_delegates_here(&d, me);
    const uint64_t left = n - n_gone;
    if (n_gone > 0)
        mwo_get(&edges_gone, s.f.list_end + n_gone - 1, sizeof edges_gone);
    if (n_gone > 0 && left > 0) {
        uint32_t *const list = mwo_room(MWO_LIST, left * sizeof *list);
        uint64_t *const end = mwo_room(MWO_LIST_END, left * sizeof *end);
        MWO_ALL(i, 0, left)
        {
            list[i] = s.f.list[n_gone + i];
            end[i] = s.f.list_end[n_gone + i] - edges_gone;
        }
        MWO_ALL(i, 0, left)
        {
            s.f.list[i] = list[i];
            s.f.list_end[i] = end[i];
        }
    }
    s.f.part[s.f.n_parts].n_found = left;
    s.f.part[s.f.n_parts].n_edges = s.f.n_list_edges - edges_gone;
}

/* ---- before a search --------------------------------------------------------------------------- */

static void fill(void *to, uint64_t n_words, uint64_t x)
{
    uint64_t *const word = to;
    if (n_words > 0)
        MWO_ALL(i, 0, n_words)
    word[i] = x;
}

static void reset(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const uint64_t numbers = s.g->n_places * mw_number_bytes(s.g->wide);
    (void)self;
    for (uint32_t i = 0; i < s.n_lanes; i++)
        fill(s.lane[i].seen, s.n_seen_words, 0);
    fill(s.parent, (numbers + 7) / 8, UINT64_MAX); /* memory comes in whole words */
    if (s.known == NULL)
        fill(s.f.visited, s.f.n_words, 0);
    else if (s.clears_known)
        fill(s.known, s.g->n_columns / 64, 0);
    if (s.unnamed != NULL)
        fill(s.unnamed, s.f.n_words, 0);
    if (s.delegates.d != NULL)
        fill(s.delegates.told, s.delegates.n_words, 0);
    mwo_whole_prepare(&s);
}

static void start(struct mw_cpe *self, void *arg)
{
    const struct bfs_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    struct mw_frontier_part made = {0, 0};
    (void)self;
    MWO_REGION
    MWO_PRAGMA(omp target thread_limit(1) defaultmap(firstprivate) map(tofrom : made))
    {
        const uint32_t label = g.label_of[s.root_place];
        set_parent(&s, s.root_place, s.root, g.wide);
        if (label != MW_NO_LABEL) {
            made.n_found = 1;
            made.n_edges = g.row[label + 1] - g.row[label];
            s.f.list[0] = label;
            s.f.list_end[0] = made.n_edges;
            s.f.visited[label / 64] |= UINT64_C(1) << (label % 64);
        }
    }
    s.f.part[s.f.n_parts] = made;
}

const struct bfs_kernels bfs_kernels_omptarget = {
    {{generate, generate, generate}, {generate, generate, generate}},
    {handle, handle},
    {ask, ask},
    reply,
    {ask_name, ask_name},
    {hear_name, hear_name},
    NULL, /* nobody follows */
    {NULL, NULL},
};
const struct bfs_sweeps bfs_sweeps_omptarget = {
    heads,  rows, refresh, absorb,           lookup, join, reset, start, askers,
    pieces, tell, drop,    mwo_whole_search, NULL,   NULL, NULL,  NULL};
