/* play.c -- see play.h. A state has 16 bits for each packet that a place has room for: which
 * trail, and where on it. A packet that is on its way stands in several places at once, from
 * its tail (the store it comes from, or the first place it holds) to its head.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/play.h"

#include "base/mem.h"
#include "layouts/explore/search.h"
#include "layouts/routes/waits.h"

#include <string.h>

enum { SLOTS_MAX = 256, CODES_MAX = 65535, PLAY_LIMIT = 1000000, REALISE_LIMIT = 200000 };

struct lane {                       /* a trail without what is passed over */
    uint32_t trail, first, n, code; /* codes: code .. code + n - 1 */
    uint32_t hand;                  /* number here, or MW_NO_PLACE */
    bool goes_on, begins;
};

struct player {
    const struct mw_trails *t;
    const struct mw_play_conf *conf;
    uint32_t n_lanes, n_places, n_slots, n_codes, n_words;
    struct lane *lane;
    uint32_t *at, *origin;   /* [codes]: place here; its number in the trail */
    uint32_t *lane_of;       /* [code]: code - 1 to lane */
    uint32_t *place, *first; /* [n_places], [+ 1]: number outside; its slots */
    bool *held;
    struct mw_net_search search;
    uint64_t *next; /* successors, and their steps */
    struct mw_play_step *step;
    uint32_t *parent, *wait, *stamp;
};

/* ---- lanes ------------------------------------------------------------------------------ */

static uint32_t n_chosen(const struct player *p)
{
    return p->conf->trail == NULL ? p->t->n : p->conf->n_trails;
}

static const struct mw_trail *chosen(const struct player *p, uint32_t i, uint32_t *number)
{
    *number = p->conf->trail == NULL ? i : p->conf->trail[i];
    return &p->t->trail[*number];
}

/* used[place]: in how many spots of the trails played; a hand at the end counts. */
static void count_uses(const struct player *p, uint32_t *used)
{
    uint32_t number;
    for (uint32_t i = 0; i < n_chosen(p); i++) {
        const struct mw_trail *r = chosen(p, i, &number);
        for (uint32_t j = 0; j < r->n; j++)
            used[p->t->at[r->first + j]]++;
        if (r->hand != MW_NO_PLACE)
            used[r->hand]++;
    }
}

static uint32_t place_number(struct player *p, uint32_t *number, uint32_t place)
{
    if (number[place] == 0) {
        const uint32_t depth = mw_place_depth(p->t, place);
        const bool held = mw_place_is_held(p->t, place),
                   hand = place >= p->t->network->places.n;
        p->place[p->n_places] = place;
        p->held[p->n_places] = held;
        p->first[p->n_places + 1] =
            p->first[p->n_places] + (held || hand         ? 1
                                     : p->conf->depth > 0 ? p->conf->depth
                                                          : depth);
        number[place] = ++p->n_places;
    }
    return number[place] - 1;
}

static void make_lane(struct player *p, uint32_t i, const uint32_t *used,
                      uint32_t *number_of)
{
    uint32_t number;
    const struct mw_trail *r = chosen(p, i, &number);
    struct lane *l = &p->lane[p->n_lanes];
    *l = (struct lane){.trail = number,
                       .first = p->n_codes,
                       .code = p->n_codes + 1,
                       .hand = MW_NO_PLACE,
                       .goes_on = r->goes_on,
                       .begins = r->begins};
    for (uint32_t j = 0; j < r->n; j++) {
        const uint32_t place = p->t->at[r->first + j];
        const bool last = j + 1 == r->n && l->n == 0 && r->hand != MW_NO_PLACE;
        const bool private = used[place] == 1 && place < p->t->network->places.n;
        if (private && !last &&
            (mw_place_is_held(p->t, place) ||
             (p->conf->rest != NULL && !p->conf->rest[place])))
            continue;
        p->at[p->n_codes] = place_number(p, number_of, place);
        p->origin[p->n_codes] = j;
        p->lane_of[p->n_codes++] = p->n_lanes;
        l->n++;
    }
    if (l->n == 0)
        return; /* it is never in anybody's way */
    if (r->hand != MW_NO_PLACE)
        l->hand = place_number(p, number_of, r->hand);
    p->n_lanes++;
}

/* A thread that passes on along no trail that is played takes all it gets. */
static void free_ends(struct player *p)
{
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        struct lane *l = &p->lane[i];
        bool any = !l->goes_on;
        for (uint32_t j = 0; j < p->n_lanes && !any; j++)
            any = p->at[p->lane[j].first] == l->hand;
        if (!any) {
            l->goes_on = false;
            l->hand = MW_NO_PLACE;
        }
    }
}

static int make_lanes(struct player *p)
{
    int rc = MW_OK;
    const uint32_t n_places = p->t->n_places;
    uint32_t *used = NULL, *number_of = NULL, number;
    uint64_t steps = 0;
    for (uint32_t i = 0; i < n_chosen(p); i++)
        steps += chosen(p, i, &number)->n;
    MW_NEW(rc, used, "places", n_places);
    MW_NEW(rc, number_of, "places", n_places);
    MW_NEW(rc, p->lane, "lanes", n_chosen(p));
    MW_NEW(rc, p->at, "lanes", steps);
    MW_NEW(rc, p->origin, "lanes", steps);
    MW_NEW(rc, p->lane_of, "lanes", steps);
    MW_NEW(rc, p->place, "lanes", n_places);
    MW_NEW(rc, p->first, "lanes", n_places + 1);
    MW_NEW(rc, p->held, "lanes", n_places);
    count_uses(p, used);
    for (uint32_t i = 0; i < n_chosen(p); i++)
        make_lane(p, i, used, number_of);
    free_ends(p);
    p->n_slots = p->first[p->n_places];
    p->n_words = (p->n_slots + 3) / 4;
end:
    MW_FREE_ALL(used, number_of);
    return rc;
}

/* ---- states ----------------------------------------------------------------------------- */

static uint32_t slot(const uint64_t *s, uint32_t i)
{
    return (uint32_t)(s[i / 4] >> i % 4 * 16) & 0xFFFF;
}

static void set_slot(uint64_t *s, uint32_t i, uint64_t code)
{
    s[i / 4] = (s[i / 4] & ~(UINT64_C(0xFFFF) << i % 4 * 16)) | code << i % 4 * 16;
}

static uint32_t front(const struct player *p, const uint64_t *s, uint32_t place)
{
    return slot(s, p->first[place]);
}

static bool has_room(const struct player *p, const uint64_t *s, uint32_t place)
{
    return slot(s, p->first[place + 1] - 1) == 0;
}

static void push(const struct player *p, uint64_t *s, uint32_t place, uint32_t code)
{
    uint32_t i = p->first[place];
    while (slot(s, i) != 0)
        i++;
    set_slot(s, i, code);
}

static void pop(const struct player *p, uint64_t *s, uint32_t place)
{
    uint32_t i = p->first[place];
    for (; i + 1 < p->first[place + 1]; i++)
        set_slot(s, i, slot(s, i + 1));
    set_slot(s, i, 0);
}

/* Does the packet at this code reach back to the place before? */
static bool reaches_back(const struct player *p, const uint64_t *s, uint32_t code)
{
    const struct lane *l = &p->lane[p->lane_of[code - 1]];
    return code > l->code && p->held[p->at[code - 1]] &&
           front(p, s, p->at[code - 2]) == code - 1;
}

static uint32_t tail_of(const struct player *p, const uint64_t *s, uint32_t code)
{
    while (reaches_back(p, s, code))
        code--;
    return code;
}

static uint32_t head_of(const struct player *p, const uint64_t *s, uint32_t code)
{
    const struct lane *l = &p->lane[p->lane_of[code - 1]];
    while (code + 1 < l->code + l->n && p->held[p->at[code]] &&
           front(p, s, p->at[code]) == code + 1)
        code++;
    return code;
}

/* What a packet with this head needs next; MW_NO_PLACE: nothing, it leaves. */
static uint32_t needs(const struct player *p, uint32_t head)
{
    const struct lane *l = &p->lane[p->lane_of[head - 1]];
    return head + 1 < l->code + l->n ? p->at[head] : l->hand;
}

static void take_away(const struct player *p, uint64_t *s, uint32_t tail, uint32_t head)
{
    for (uint32_t c = tail; c <= head; c++)
        pop(p, s, p->at[c - 1]);
}

/* ---- steps ------------------------------------------------------------------------------ */

static uint64_t *new_state(struct player *p, const uint64_t *s, uint32_t *n,
                           struct mw_play_step step)
{
    uint64_t *to = p->next + (size_t)*n * p->n_words;
    memcpy(to, s, p->n_words * sizeof *s);
    p->step[(*n)++] = step;
    return to;
}

static struct mw_play_step step_at(const struct player *p, uint32_t code)
{
    return (struct mw_play_step){p->lane[p->lane_of[code - 1]].trail, p->origin[code - 1],
                                 MW_NO_PLACE};
}

/* Into a thread, and out of it along each lane that begins there. */
static void pass_on(struct player *p, const uint64_t *s, uint32_t tail, uint32_t head,
                    uint32_t *n)
{
    const struct lane *l = &p->lane[p->lane_of[head - 1]];
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        if (p->at[p->lane[i].first] != l->hand)
            continue;
        struct mw_play_step step = step_at(p, p->lane[i].code);
        step.was = l->trail;
        uint64_t *to = new_state(p, s, n, step);
        take_away(p, to, tail, head);
        push(p, to, l->hand, p->lane[i].code);
    }
}

static void move(struct player *p, const uint64_t *s, uint32_t tail, uint32_t *n)
{
    const uint32_t head = head_of(p, s, tail), place = needs(p, head);
    const struct lane *l = &p->lane[p->lane_of[head - 1]];
    const bool at_end = head + 1 == l->code + l->n;
    if (place != MW_NO_PLACE && !has_room(p, s, place))
        return;
    if (at_end && l->goes_on) {
        pass_on(p, s, tail, head, n);
        return;
    }
    uint64_t *to;
    if (at_end) {
        to = new_state(
            p, s, n,
            (struct mw_play_step){l->trail, p->t->trail[l->trail].n, MW_NO_PLACE});
        take_away(p, to, tail, head);
        return;
    }
    to = new_state(p, s, n, step_at(p, head + 1));
    if (!p->held[place])
        take_away(p, to, tail, head);
    push(p, to, place, head + 1);
}

static uint32_t expand(struct player *p, const uint64_t *s)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < p->n_lanes; i++) {
        const uint32_t code = p->lane[i].code, place = p->at[code - 1];
        if (p->lane[i].begins && has_room(p, s, place))
            push(p, new_state(p, s, &n, step_at(p, code)), place, code);
    }
    for (uint32_t place = 0; place < p->n_places; place++) {
        const uint32_t code = front(p, s, place);
        if (code != 0 && !reaches_back(p, s, code))
            move(p, s, code, &n);
    }
    return n;
}

/* ---- the circle ------------------------------------------------------------------------- */

/* Pointers from place to place, by tails; the places of a cycle into `cycle`. */
static uint32_t find_circle(struct player *p, const uint64_t *s, uint32_t *cycle)
{
    for (uint32_t place = 0; place < p->n_places; place++) {
        const uint32_t code = front(p, s, place);
        p->wait[place] = MW_NO_PLACE;
        p->stamp[place] = 0;
        if (code == 0 || reaches_back(p, s, code))
            continue;
        const uint32_t to = needs(p, head_of(p, s, code));
        if (to != MW_NO_PLACE && !has_room(p, s, to))
            p->wait[place] = to;
    }
    for (uint32_t start = 0; start < p->n_places; start++) {
        uint32_t at = start;
        while (p->wait[at] != MW_NO_PLACE && p->stamp[at] == 0) {
            p->stamp[at] = start + 1;
            at = p->at[tail_of(p, s, front(p, s, p->wait[at])) - 1];
        }
        if (p->wait[at] == MW_NO_PLACE || p->stamp[at] != start + 1)
            continue;
        uint32_t n = 0;
        const uint32_t first = at;
        do {
            cycle[n++] = p->place[p->wait[at]];
            at = p->at[tail_of(p, s, front(p, s, p->wait[at])) - 1];
        } while (at != first);
        return n;
    }
    return 0;
}

static uint64_t count_packets(const struct player *p, const uint64_t *s)
{
    uint64_t n = 0;
    for (uint32_t place = 0; place < p->n_places; place++)
        for (uint32_t i = p->first[place]; i < p->first[place + 1]; i++) {
            const uint32_t code = slot(s, i);
            n += code != 0 && !(p->held[place] && reaches_back(p, s, code));
        }
    return n;
}

/* ---- the search ------------------------------------------------------------------------- */

static int report_dead(struct player *p, uint64_t dead, struct mw_play *out)
{
    const uint64_t *s = mw_net_search_state(&p->search, dead);
    out->verdict = MW_EXPLORED_DEADLOCK;
    out->in_flight = count_packets(p, s);
    out->n_steps = (uint32_t)mw_net_search_depth(&p->search, dead) - 1;
    MW_NEED_NEW(out->step, "a trace", out->n_steps);
    for (uint32_t n = out->n_steps; n-- > 0;) {
        const uint64_t parent = mw_net_search_parent(&p->search, dead);
        const uint64_t *child = mw_net_search_state(&p->search, dead);
        expand(p, mw_net_search_state(&p->search, parent));
        uint32_t i = 0;
        while (memcmp(p->next + (size_t)i * p->n_words, child,
                      p->n_words * sizeof *child) != 0)
            i++;
        out->step[n] = p->step[i];
        dead = parent;
    }
    return MW_OK;
}

static int breadth_first(struct player *p, struct mw_play *out)
{
    const uint64_t limit = p->conf->limit > 0 ? p->conf->limit : PLAY_LIMIT;
    uint64_t empty[SLOTS_MAX / 4] = {0};
    const uint32_t nobody = 0;
    MW_NEED(mw_net_search_init(&p->search, p->n_words, limit, 0));
    MW_NEED(mw_net_search_add(&p->search, 1, empty, &nobody));
    out->verdict = MW_EXPLORED_FREE;
    for (uint64_t i = 0; i < p->search.n; i++) {
        const uint64_t *s = mw_net_search_state(&p->search, i);
        out->n_cycle = find_circle(p, s, out->cycle);
        if (out->n_cycle > 0) {
            MW_NEED(report_dead(p, i, out));
            break;
        }
        const uint32_t n = expand(p, s);
        for (uint32_t j = 0; j < n; j++)
            p->parent[j] = (uint32_t)i;
        const int rc = mw_net_search_add(&p->search, n, p->next, p->parent);
        MW_NEED(rc);
        if (rc == MW_DONE) {
            out->verdict = MW_EXPLORED_BOUNDED;
            break;
        }
    }
    out->n_states = p->search.n;
    return MW_OK;
}

static int take_memory(struct player *p, struct mw_play *out)
{
    const uint64_t most = (uint64_t)p->n_lanes * (1 + p->n_places);
    MW_NEED_NEW(p->next, "states", most * p->n_words);
    MW_NEED_NEW(p->step, "states", most);
    MW_NEED_NEW(p->parent, "states", most);
    MW_NEED_NEW(p->wait, "states", p->n_places);
    MW_NEED_NEW(p->stamp, "states", p->n_places);
    MW_NEED_NEW(out->cycle, "a cycle", p->n_places);
    return MW_OK;
}

int mw_network_play(const struct mw_trails *t, const struct mw_play_conf *conf,
                    struct mw_play *out)
{
    int rc;
    struct player p = {.t = t, .conf = conf};
    *out = (struct mw_play){.verdict = MW_EXPLORED_BOUNDED};
    MW_TRY(rc, make_lanes(&p));
    if (p.n_slots > SLOTS_MAX || p.n_codes > CODES_MAX)
        goto end; /* too large: bounded, with no state */
    if (p.n_lanes == 0) {
        out->verdict = MW_EXPLORED_FREE;
        out->n_states = 1;
        goto end;
    }
    MW_TRY(rc, take_memory(&p, out));
    MW_TRY(rc, breadth_first(&p, out));
end:
    if (rc < MW_OK)
        mw_play_fini(out);
    mw_net_search_fini(&p.search);
    MW_FREE_ALL(p.lane, p.at, p.origin, p.lane_of, p.place, p.first, p.held, p.next,
                p.step, p.parent, p.wait, p.stamp);
    return rc;
}

void mw_play_fini(struct mw_play *p)
{
    MW_FREE_ALL(p->step, p->cycle);
    *p = (struct mw_play){.verdict = MW_EXPLORED_BOUNDED};
}

/* ---- a witness -------------------------------------------------------------------------- */

/* The causes of the cycle, and what brings packets to their threads. */
static int choose(const struct mw_trails *t, const struct mw_waits *w, uint32_t *trail,
                  uint32_t *n)
{
    int rc = MW_OK;
    bool *in;
    *n = 0;
    MW_NEW(rc, in, "causes", t->n);
    for (uint32_t i = 0; i < w->n_cycle; i++)
        for (uint32_t r = w->why[i]; !in[r];) {
            in[r] = true;
            trail[(*n)++] = r;
            if (!t->trail[r].begins)
                r = t->feeder[t->network->passage[r].source] - 1;
        }
end:
    mw_free(in);
    return rc;
}

int mw_waits_realise(const struct mw_trails *t, const struct mw_waits *w, uint64_t limit,
                     struct mw_play *out, bool *passed, bool *shallow)
{
    int rc = MW_OK;
    uint32_t *trail;
    bool *rest = NULL;
    struct mw_play_conf conf = {.limit = limit > 0 ? limit : REALISE_LIMIT};
    *out = (struct mw_play){.verdict = MW_EXPLORED_BOUNDED};
    MW_NEW(rc, trail, "causes", t->n);
    MW_NEW(rc, rest, "causes", t->n_places);
    MW_TRY(rc, choose(t, w, trail, &conf.n_trails));
    conf.trail = trail;
    for (uint32_t i = 0; i < w->n_cycle; i++)
        rest[w->place[i]] = true;
    for (int easier = 0; easier < 3 && out->verdict == MW_EXPLORED_BOUNDED; easier++) {
        mw_play_fini(out);
        *passed = easier > 0;
        *shallow = easier > 1;
        conf.rest = *passed ? rest : NULL;
        conf.depth = *shallow ? 1 : 0;
        MW_TRY(rc, mw_network_play(t, &conf, out));
    }
end:
    MW_FREE_ALL(trail, rest);
    return rc;
}
