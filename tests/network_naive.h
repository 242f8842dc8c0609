/* network_naive.h -- networks once more, by packets that each know their way: whether a circle
 * of waits is left, all that can happen, and whether a trace may be played. Shares nothing with
 * layouts/routes but the lists of places.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef NETWORK_NAIVE_H
#define NETWORK_NAIVE_H

#include "layouts/routes/network.h"
#include "suite.h"

#include <string.h>

enum { PACKETS_MAX = 24, NAIVE_STATES = 60000 };

/* Where its head is; it holds its tail's store, if any, and the held places from there on. */
struct packet {
    uint16_t trail, tail, head;
};

struct crowd {
    uint32_t n;
    struct packet packet[PACKETS_MAX]; /* by age in their stores: the older first */
};

static inline uint32_t naive_place(const struct mw_trails *t, struct packet p,
                                   uint32_t at)
{
    return t->at[t->trail[p.trail].first + at];
}

static inline uint32_t naive_load(const struct mw_trails *t, const struct crowd *c,
                                  uint32_t place)
{
    uint32_t n = 0;
    for (uint32_t i = 0; i < c->n; i++)
        for (uint32_t at = c->packet[i].tail; at <= c->packet[i].head; at++)
            n += naive_place(t, c->packet[i], at) == place;
    return n;
}

static inline bool naive_room(const struct mw_trails *t, const struct crowd *c,
                              uint32_t place)
{
    return naive_load(t, c, place) < mw_place_depth(t, place);
}

/* The first packet of its store? (The order of c->packet is that of arrival.) */
static inline bool naive_is_front(const struct mw_trails *t, const struct crowd *c,
                                  uint32_t i)
{
    const uint32_t place = naive_place(t, c->packet[i], c->packet[i].tail);
    for (uint32_t j = 0; j < i; j++)
        if (naive_place(t, c->packet[j], c->packet[j].tail) == place)
            return false;
    return true;
}

/* What packet i needs next; MW_NO_PLACE: nothing. */
static inline uint32_t naive_need(const struct mw_trails *t, struct packet p)
{
    const struct mw_trail *r = &t->trail[p.trail];
    return p.head + 1u < r->n ? naive_place(t, p, p.head + 1u) : r->hand;
}

/* Packets that can never move again: all those that are left when who can go, or waits for
 * somebody that can, is taken out. */
static inline bool naive_dead(const struct mw_trails *t, const struct crowd *c)
{
    bool goes[PACKETS_MAX] = {false}, more = true;
    while (more) {
        more = false;
        for (uint32_t i = 0; i < c->n; i++) {
            const uint32_t need = naive_need(t, c->packet[i]);
            bool good = need == MW_NO_PLACE || naive_room(t, c, need);
            /* whose going makes room: the front of a store, who holds a held place */
            for (uint32_t j = 0; j < c->n && !good; j++)
                for (uint32_t at = c->packet[j].tail; at <= c->packet[j].head && !good;
                     at++)
                    good = goes[j] && naive_place(t, c->packet[j], at) == need &&
                           (at > c->packet[j].tail || naive_is_front(t, c, j));
            if (!naive_is_front(t, c, i)) { /* somebody before it goes */
                good = false;
                for (uint32_t j = 0; j < i; j++)
                    good = good || (goes[j] &&
                                    naive_place(t, c->packet[j], c->packet[j].tail) ==
                                        naive_place(t, c->packet[i], c->packet[i].tail));
            }
            if (good && !goes[i])
                goes[i] = more = true;
        }
    }
    for (uint32_t i = 0; i < c->n; i++)
        if (!goes[i])
            return true;
    return false;
}

/* Takes packet i out, or puts it behind all others. */
static inline void naive_remove(struct crowd *c, uint32_t i)
{
    memmove(c->packet + i, c->packet + i + 1, (c->n - i - 1) * sizeof *c->packet);
    c->n--;
}

static inline void naive_arrive(struct crowd *c, struct packet p)
{
    MUST(c->n < PACKETS_MAX);
    c->packet[c->n++] = p;
}

/* Packet i goes on; into a thread, along trail `on`. False: it cannot. */
static inline bool naive_go(const struct mw_trails *t, struct crowd *c, uint32_t i,
                            uint32_t on)
{
    struct packet p = c->packet[i];
    const struct mw_trail *r = &t->trail[p.trail];
    const uint32_t need = naive_need(t, p);
    if (!naive_is_front(t, c, i) || (need != MW_NO_PLACE && !naive_room(t, c, need)))
        return false;
    if (p.head + 1u < r->n) {
        p.head++;
        if (mw_place_is_held(t, need)) {
            c->packet[i] = p;
            return true;
        }
        p.tail = p.head;
        naive_remove(c, i);
        naive_arrive(c, p);
        return true;
    }
    naive_remove(c, i);
    if (r->goes_on) {
        MUST(t->at[t->trail[on].first] == r->hand);
        naive_arrive(c, (struct packet){(uint16_t)on, 0, 0});
    }
    return true;
}

static inline bool naive_enter(const struct mw_trails *t, struct crowd *c, uint32_t trail)
{
    if (!t->trail[trail].begins || !naive_room(t, c, t->at[t->trail[trail].first]))
        return false;
    naive_arrive(c, (struct packet){(uint16_t)trail, 0, 0});
    return true;
}

/* ---- all that can happen ---------------------------------------------------------------- */

enum naive_verdict { NAIVE_FREE, NAIVE_DEADLOCK, NAIVE_OPEN };

/* Two crowds are one state when each place holds the same in the same order: packets sorted by
 * place, stable. */
static inline void naive_sort(const struct mw_trails *t, struct crowd *c)
{
    for (uint32_t i = 1; i < c->n; i++)
        for (uint32_t j = i;
             j > 0 && naive_place(t, c->packet[j - 1], c->packet[j - 1].tail) >
                          naive_place(t, c->packet[j], c->packet[j].tail);
             j--) {
            const struct packet p = c->packet[j];
            c->packet[j] = c->packet[j - 1];
            c->packet[j - 1] = p;
        }
}

struct naive_search {
    struct crowd *state;
    uint32_t *depth, n;
    uint32_t *slot; /* [2 * NAIVE_STATES] */
};

static inline void naive_meet(const struct mw_trails *t, struct naive_search *s,
                              struct crowd c, uint32_t depth)
{
    naive_sort(t, &c);
    uint64_t h = c.n;
    for (uint32_t i = 0; i < c.n; i++)
        h = (h ^
             (c.packet[i].trail * 1009u + c.packet[i].tail * 31u + c.packet[i].head)) *
            UINT64_C(0x9E3779B97F4A7C15);
    for (uint32_t at = (uint32_t)(h >> 33) % (2 * NAIVE_STATES);;
         at = (at + 1) % (2 * NAIVE_STATES)) {
        if (s->slot[at] == 0) {
            if (s->n == NAIVE_STATES)
                return;
            s->state[s->n] = c;
            s->depth[s->n] = depth;
            s->slot[at] = ++s->n;
            return;
        }
        const struct crowd *o = &s->state[s->slot[at] - 1];
        if (o->n == c.n && memcmp(o->packet, c.packet, c.n * sizeof *c.packet) == 0)
            return;
    }
}

/* Breadth first over all trails; *steps: of the first dead state. */
static inline enum naive_verdict naive_explore(const struct mw_trails *t, uint32_t *steps)
{
    struct naive_search s = {.state = calloc(NAIVE_STATES, sizeof *s.state),
                             .depth = malloc(NAIVE_STATES * sizeof *s.depth),
                             .slot = calloc(2 * NAIVE_STATES, sizeof *s.slot)};
    enum naive_verdict v = NAIVE_FREE;
    naive_meet(t, &s, (struct crowd){.n = 0}, 0);
    for (uint32_t i = 0; i < s.n && v == NAIVE_FREE; i++) {
        const struct crowd now = s.state[i];
        if (naive_dead(t, &now)) {
            *steps = s.depth[i];
            v = NAIVE_DEADLOCK;
            break;
        }
        if (now.n + 1 >= PACKETS_MAX || s.n == NAIVE_STATES) {
            v = NAIVE_OPEN;
            break;
        }
        for (uint32_t r = 0; r < t->n; r++) {
            struct crowd c = now;
            if (naive_enter(t, &c, r))
                naive_meet(t, &s, c, s.depth[i] + 1);
        }
        for (uint32_t j = 0; j < now.n; j++)
            for (uint32_t on = 0; on < t->n; on++) {
                const struct mw_trail *r = &t->trail[now.packet[j].trail];
                const bool turns = r->goes_on && now.packet[j].head + 1u == r->n;
                struct crowd c = now;
                if ((turns ? t->at[t->trail[on].first] == r->hand : on == 0) &&
                    naive_go(t, &c, j, on))
                    naive_meet(t, &s, c, s.depth[i] + 1);
            }
    }
    free(s.state);
    free(s.depth);
    free(s.slot);
    return v;
}

#endif
