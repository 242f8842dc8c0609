/* cc_sweeps.c -- what components do to a rank's own data, on all its cores.
 *
 * The table in cc.c says what each reads and writes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/cc/cc_state.h"

/* Components of the places first .. last - 1; returns how many of them were reached. */
MW_FN uint64_t name_places(struct cc_state *s, uint64_t first, uint64_t last, bool wide)
{
    uint64_t n = 0;
    for (uint64_t p = first; p < last; p++) {
        const bool reached = cc_was_reached(s, p, wide);
        const mw_vid comp = reached ? s->reached : cc_own(s, p);
        mw_set_number(s->comp, p, comp, wide);
        n += reached;
    }
    return n;
}

/* Those of word w that are left join the list, in no order. */
static void list_left(struct cc_state *s, uint64_t w)
{
    uint64_t left = s->g->connected[w];
    for (uint64_t bits = left; bits != 0 && !s->cut; bits &= bits - 1)
        if (cc_was_reached(s, 64 * w + (uint64_t)__builtin_ctzll(bits), s->g->wide))
            left &= ~(bits & (~bits + 1));
    uint64_t at =
        MW_ADD_RELAXED(&s->counts->n_left, (uint64_t)__builtin_popcountll(left));
    for (uint64_t bits = left; bits != 0; bits &= bits - 1)
        s->left[at++] = s->g->label_of[64 * w + (uint64_t)__builtin_ctzll(bits)];
}

static void begin_kernel(struct mw_cpe *self, void *arg)
{
    struct cc_state *s = ((struct mw_job *)arg)->state;
    uint64_t from, to;
    mw_share(self, 0, (s->g->n_places + 63) / 64, &from, &to);
    for (uint64_t w = from; w < to; w++) {
        const uint64_t last = mw_min(64 * w + 64, s->g->n_places);
        const uint64_t n = s->g->wide ? name_places(s, 64 * w, last, true)
                                      : name_places(s, 64 * w, last, false);
        if (s->cut || n < (uint64_t)__builtin_popcountll(s->g->connected[w]))
            list_left(s, w);
    }
}

static void reached_kernel(struct mw_cpe *self, void *arg)
{
    struct cc_state *s = ((struct mw_job *)arg)->state;
    uint64_t place = 0;
    if (self->id != 0)
        return;
    while (place < s->g->n_places && !cc_was_reached(s, place, s->g->wide))
        place++;
    s->counts->reached = place < s->g->n_places ? cc_own(s, place) : MW_NO_VERTEX;
}

static void units_kernel(struct mw_cpe *self, void *arg)
{
    struct cc_state *s = ((struct mw_job *)arg)->state;
    uint64_t units = 0;
    if (self->id != 0)
        return;
    for (uint64_t i = 0; i < s->counts->n_left; i++) {
        units += s->g->row[s->left[i] + 1] - s->g->row[s->left[i]] + 1;
        s->left_end[i] = units;
        s->is[i] = CC_NONE;
    }
    s->counts->n_units = units;
}

/* Follows representatives while they are here, and goes there at once. They are smaller, and the
 * list is in the order of places (of each core's part), so theirs have mostly been followed
 * before. */
static mw_vid follow(struct cc_state *s, uint64_t place)
{
    mw_vid comp = cc_comp(s, place), at = cc_own(s, place);
    uint32_t owner = s->g->comm->rank;
    while (comp < at && owner == s->g->comm->rank) {
        const uint64_t up = mw_locate(&s->g->partition, comp, &owner);
        at = comp;
        if (owner == s->g->comm->rank)
            comp = cc_comp(s, up);
    }
    if (s->g->wide)
        MW_STORE_RELAXED((uint64_t *)s->comp + place, comp);
    else
        MW_STORE_RELAXED((uint32_t *)s->comp + place, (uint32_t)comp);
    return comp;
}

/* Whose component has fallen since the last look tells of it in this round. */
static void look_kernel(struct mw_cpe *self, void *arg)
{
    struct cc_state *s = ((struct mw_job *)arg)->state;
    uint64_t from, to, n = 0;
    mw_share(self, 0, s->counts->n_left, &from, &to);
    for (uint64_t i = from; i < to; i++) {
        s->was[i] = s->is[i];
        s->is[i] = follow(s, s->g->place_of[s->left[i]]);
        n += s->is[i] != s->was[i];
    }
    s->lane[self->lane].n_active = n;
}

const struct cc_sweeps cc_sweeps_host = {.reached = reached_kernel,
                                         .begin = begin_kernel,
                                         .units = units_kernel,
                                         .look = look_kernel};
