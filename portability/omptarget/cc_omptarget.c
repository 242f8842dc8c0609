/* cc_omptarget.c -- connected components on a device of OpenMP: the modules and the sweeps of the table
 * in cc.c, one function each. What is said in cc_state.h of values that come late and twice is what
 * makes plain reads enough here: a number is only ever lowered, and nobody else's store is undone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_state.h"
#include "omptarget/records.h"
#include "omptarget/region.h"

static struct cc_state *state_of(void *job)
{
    return ((struct mw_job *)job)->state;
}

/* table[i] becomes `value` if that is less. */
MW_FN void lower_to(void *table, uint64_t i, uint64_t value, bool wide)
{
    uint64_t *const at64 = (uint64_t *)table + i;
    uint32_t *const at32 = (uint32_t *)table + i;
    uint64_t is64 = wide ? MW_LOAD_RELAXED(at64) : UINT64_MAX;
    uint32_t is32 = wide ? UINT32_MAX : MW_LOAD_RELAXED(at32);
    if (wide)
        while (value < is64 && !MW_SWAP_RELAXED(at64, &is64, value))
            ;
    else
        while (value < is32 && !MW_SWAP_RELAXED(at32, &is32, (uint32_t)value))
            ;
}

MW_FN mw_vid comp_at(const void *comp, uint64_t i, bool wide)
{
    return wide ? MW_LOAD_RELAXED((const uint64_t *)comp + i)
                : MW_LOAD_RELAXED((const uint32_t *)comp + i);
}

/* ---- a round ----------------------------------------------------------------------------------- */

/* The representative of a place, or its own one if that is here too; halves the way there. */
MW_FN mw_vid above(const struct mw_graph *g, void *comp, uint64_t place)
{
    const mw_vid up = comp_at(comp, place, g->wide);
    uint32_t owner;
    const uint64_t up_place = mw_locate(&g->partition, up, &owner);
    if (owner != g->partition.rank || up_place == place)
        return up;
    const mw_vid next = comp_at(comp, up_place, g->wide);
    if (next < up)
        lower_to(comp, place, next, g->wide);
    return next;
}

/* v and `value` are of one component: as join() of cc_kernels.c. */
MW_FN void join(const struct mw_graph *g, void *comp, mw_vid v, mw_vid value,
                uint64_t unit, const struct mwo_drafts *out)
{
    while (value < v) {
        uint32_t owner;
        const uint64_t place = mw_locate(&g->partition, v, &owner);
        if (owner != g->partition.rank) {
            mwo_emit(out, unit, owner, (uint32_t)place, value);
            return;
        }
        const mw_vid up = above(g, comp, place);
        if (up == v) {
            lower_to(comp, place, value, g->wide);
            return;
        }
        v = mw_max(up, value);
        value = mw_min(up, value);
    }
}

static void tell(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    const struct cc_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const uint64_t n_left = s.counts->n_left;
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);
    MWO_ALL(unit, job->first, job->last)
    {
        const uint64_t i = mw_item_of(s.left_end, n_left, unit);
        const uint64_t before = i > 0 ? s.left_end[i - 1] : 0;
        mw_vid to = s.was[i];
        if (s.is[i] != to) {
            if (unit + 1 < s.left_end[i])
                to = mw_number(
                    g.name, mw_number(g.column, g.row[s.left[i]] + unit - before, g.wide),
                    g.wide);
            if (to != CC_NONE)
                join(&g, s.comp, to, s.is[i], unit, &out);
        }
    }
    mwo_drafts_send(self, job, &out, job->last - job->first);
}

static void ask(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    const struct cc_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);
    MWO_ALL(i, job->first, job->last)
    {
        uint32_t owner;
        const uint64_t up = mw_locate(&g.partition, s.is[i], &owner);
        if (owner != g.partition.rank)
            mwo_emit(&out, i, owner, (uint32_t)up, g.place_of[s.left[i]]);
    }
    mwo_drafts_send(self, job, &out, job->last - job->first);
}

static void answer(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    const struct cc_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    uint64_t n;
    const struct mw_visit *const visit = mwo_visits_of(job, &n);
    const struct mwo_drafts out = mwo_drafts_of(job, 0, n);
    MWO_ALL(i, 0, n)
    {
        const struct mw_visit m = visit[i];
        const mw_vid value = comp_at(s.comp, m.child, g.wide);
        if (value < mw_vertex(&g.partition, g.partition.rank, m.child))
            mwo_emit(&out, i, m.sender, (uint32_t)m.value, value);
    }
    mwo_drafts_send(self, job, &out, n);
}

static void hear(struct mw_cpe *self, void *arg)
{
    const struct cc_state s = *state_of(arg);
    const bool wide = s.g->wide;
    uint64_t n;
    const struct mw_visit *const visit = mwo_visits_of(arg, &n);
    (void)self;
    MWO_ALL(i, 0, n)
    lower_to(s.comp, visit[i].child, visit[i].value, wide);
}

/* ---- sizes ------------------------------------------------------------------------------------- */

static void belong(struct mw_cpe *self, void *arg)
{
    struct mw_job *const job = arg;
    const struct cc_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const struct mwo_drafts out = mwo_drafts_of(job, job->first, job->last);
    MWO_ALL(p, job->first, job->last)
    {
        if (g.label_of[p] != MW_NO_LABEL) {
            uint32_t owner;
            const uint64_t up =
                mw_locate(&g.partition, comp_at(s.comp, p, g.wide), &owner);
            if (owner == g.partition.rank)
                MW_ADD_RELAXED(&s.size[up], UINT64_C(1));
            else
                mwo_emit(&out, p, owner, (uint32_t)up, 1);
        }
    }
    mwo_drafts_send(self, job, &out, job->last - job->first);
}

static void count(struct mw_cpe *self, void *arg)
{
    const struct cc_state s = *state_of(arg);
    uint64_t n;
    const struct mw_visit *const visit = mwo_visits_of(arg, &n);
    (void)self;
    MWO_ALL(i, 0, n)
    MW_ADD_RELAXED(&s.size[visit[i].child], visit[i].value);
}

/* ---- sweeps ------------------------------------------------------------------------------------ */

enum { CHUNK = 4096 }; /* what a lane goes through in order */

/* Sums up to the chunks before each; returns the sum of all. */
static uint64_t sum_up(uint64_t *room, uint64_t n_chunks)
{
    uint64_t sum = 0, n[CHUNK];
    for (uint64_t first = 0; first < n_chunks; first += CHUNK) {
        const uint64_t n_now = mw_min(CHUNK, n_chunks - first);
        mwo_get(n, room + first, n_now * sizeof *n);
        for (uint64_t i = 0; i < n_now; i++) {
            const uint64_t is = n[i];
            n[i] = sum;
            sum += is;
        }
        mwo_put(room + first, n, n_now * sizeof *n);
    }
    return sum;
}

/* Places are in the order of their vertices. */
static void reached(struct mw_cpe *self, void *arg)
{
    const struct cc_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const uint64_t n_chunks = (g.n_places + CHUNK - 1) / CHUNK;
    uint64_t *const least = mwo_room(MWO_CHUNKS, sizeof *least);
    uint64_t first = g.n_places;
    (void)self;
    mwo_put(least, &first, sizeof first);
    MWO_ALL(c, 0, n_chunks)
    {
        uint64_t p = c * CHUNK;
        const uint64_t end = mw_min(p + CHUNK, g.n_places);
        while (p < end && !cc_was_reached(&s, p, g.wide))
            p++;
        if (p < end)
            lower_to(least, 0, p, true);
    }
    mwo_get(&first, least, sizeof first);
    s.counts->reached = first < g.n_places
                            ? mw_vertex(&g.partition, g.partition.rank, first)
                            : MW_NO_VERTEX;
}

MW_FN bool is_left(const struct cc_state *s, const struct mw_graph *g, uint64_t p)
{
    return mwo_bit(g->connected, p) && (s->cut || !cc_was_reached(s, p, g->wide));
}

/* Components of all places; those that are left, as a list in the order of places. */
static void begin(struct mw_cpe *self, void *arg)
{
    const struct cc_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const uint64_t n_chunks = (g.n_places + CHUNK - 1) / CHUNK;
    uint64_t *const at = mwo_room(MWO_CHUNKS, n_chunks * sizeof *at);
    (void)self;
    MWO_ALL(c, 0, n_chunks)
    {
        uint64_t n = 0;
        for (uint64_t p = c * CHUNK, end = mw_min(p + CHUNK, g.n_places); p < end; p++) {
            mw_set_number(s.comp, p,
                          cc_was_reached(&s, p, g.wide)
                              ? s.reached
                              : mw_vertex(&g.partition, g.partition.rank, p),
                          g.wide);
            n += is_left(&s, &g, p);
        }
        at[c] = n;
    }
    s.counts->n_left = sum_up(at, n_chunks);
    MWO_ALL(c, 0, n_chunks)
    {
        uint64_t n = at[c];
        for (uint64_t p = c * CHUNK, end = mw_min(p + CHUNK, g.n_places); p < end; p++)
            if (is_left(&s, &g, p))
                s.left[n++] = g.label_of[p];
    }
}

static void units(struct mw_cpe *self, void *arg)
{
    const struct cc_state s = *state_of(arg);
    const struct mw_graph g = *s.g;
    const uint64_t n_left = s.counts->n_left, n_chunks = (n_left + CHUNK - 1) / CHUNK;
    uint64_t *const at = mwo_room(MWO_CHUNKS, n_chunks * sizeof *at);
    (void)self;
    MWO_ALL(c, 0, n_chunks)
    {
        uint64_t n = 0;
        for (uint64_t i = c * CHUNK, end = mw_min(i + CHUNK, n_left); i < end; i++)
            n += g.row[s.left[i] + 1] - g.row[s.left[i]] + 1;
        at[c] = n;
    }
    s.counts->n_units = sum_up(at, n_chunks);
    MWO_ALL(c, 0, n_chunks)
    {
        uint64_t n = at[c];
        for (uint64_t i = c * CHUNK, end = mw_min(i + CHUNK, n_left); i < end; i++) {
            n += g.row[s.left[i] + 1] - g.row[s.left[i]] + 1;
            s.left_end[i] = n;
            s.is[i] = CC_NONE;
        }
    }
}

/* Follows representatives while they are here, and goes there at once. */
MW_FN mw_vid follow(const struct mw_graph *g, void *comp_of, uint64_t place)
{
    const uint32_t me = g->partition.rank;
    mw_vid comp = comp_at(comp_of, place, g->wide),
           at = mw_vertex(&g->partition, me, place);
    uint32_t owner = me;
    while (comp < at && owner == me) {
        const uint64_t up = mw_locate(&g->partition, comp, &owner);
        at = comp;
        if (owner == me)
            comp = comp_at(comp_of, up, g->wide);
    }
    mw_set_number(comp_of, place, comp, g->wide);
    return comp;
}

static void look(struct mw_cpe *self, void *arg)
{
    struct cc_state *const state = state_of(arg);
    const struct cc_state s = *state;
    const struct mw_graph g = *s.g;
    const uint64_t n_left = s.counts->n_left;
    uint64_t n = 0;
    MWO_SUM(i, 0, n_left, n)
    {
        s.was[i] = s.is[i];
        s.is[i] = follow(&g, s.comp, g.place_of[s.left[i]]);
        n += s.is[i] != s.was[i];
    }
    state->lane[self->lane].n_active = n;
}

const struct cc_kernels cc_kernels_omptarget = {tell, ask, answer, hear, belong, count};
const struct cc_sweeps cc_sweeps_omptarget = {reached, begin, units, look, NULL};
