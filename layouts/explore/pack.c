/* pack.c -- see pack.h. The loops over a state are compiled for one word, for
 * two, and for any number with wide buffers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/pack.h"

#include "base/mem.h"

#include <assert.h>
#include <string.h>

#define NOTHING UINT32_MAX /* waits for nothing */

/* ---- one buffer --------------------------------------------------------------------------- */

MW_FN bool has_room(const uint64_t *s, const struct mw_net_field *f)
{
    return (s[f->last_word] & f->last) == 0;
}

MW_FN uint32_t filled_bits(const struct mw_net_packing *k, const struct mw_net_field *f,
                           uint64_t bits)
{
    return bits == 0 ? 0 : k->filled[f->bits][63 - __builtin_clzll(bits)];
}

/* Into the first word with room; there is one. */
static void put_wide(const struct mw_net_packing *k, uint64_t *s,
                     const struct mw_net_field *f, uint64_t code)
{
    const uint64_t last =
        (f->mask >> f->bits) + 1; /* lowest bit of a word's last entry */
    uint64_t *w = s + f->word;
    while (*w >= last)
        w++;
    *w |= code << filled_bits(k, f, *w);
}

static void take_wide(uint64_t *s, const struct mw_net_field *f)
{
    const uint32_t top = (uint32_t)(63 - __builtin_clzll(f->mask)) + 1 - f->bits;
    for (uint32_t i = f->word; i <= f->last_word; i++) {
        s[i] >>= f->bits;
        if (i < f->last_word)
            s[i] |= (s[i + 1] & f->head) << top;
    }
}

/* Code 0 changes nothing: the message has left the mesh. */
MW_FN void put(const struct mw_net_packing *k, uint64_t *s, const struct mw_net_field *f,
               uint64_t code, bool wide)
{
    if (wide && f->wide)
        put_wide(k, s, f, code);
    else
        s[f->word] |=
            code << (f->shift + filled_bits(k, f, (s[f->word] & f->mask) >> f->shift));
}

MW_FN void take_message(uint64_t *s, const struct mw_net_field *f, bool wide)
{
    const uint64_t in = s[f->word] & f->mask;
    if (wide && f->wide)
        take_wide(s, f);
    else
        s[f->word] ^= in ^ (in >> f->bits & f->mask);
}

uint32_t mw_net_packing_head(const struct mw_net_packing *k, const uint64_t *s,
                             uint32_t p)
{
    const struct mw_net_field *f = &k->field[p];
    return (uint32_t)(s[f->word] >> f->shift) & f->head;
}

uint32_t mw_net_packing_fill(const struct mw_net_packing *k, const uint64_t *s,
                             uint32_t p)
{
    const struct mw_net_field *f = &k->field[p];
    uint32_t bits = 0;
    for (uint32_t i = f->word; i <= f->last_word; i++)
        bits += filled_bits(k, f, (s[i] & f->mask) >> f->shift);
    return bits / f->bits;
}

/* ---- a wait-for cycle ---------------------------------------------------------------------- */

/* Follows the pointers from each blocked buffer until they end, or meet this walk (a cycle) or
 * an earlier one. Stamps grow, so nothing is cleared. */
MW_FN bool has_cycle(struct mw_net_packing *k, uint32_t n_blocked)
{
    const uint64_t before = k->stamp;
    for (uint32_t i = 0; i < n_blocked; i++) {
        uint32_t p = k->blocked[i];
        if (k->seen[p] > before)
            continue;
        const uint64_t walk = ++k->stamp;
        while (p != NOTHING && k->seen[p] <= before) {
            k->seen[p] = walk;
            p = k->waits[p];
        }
        if (p != NOTHING && k->seen[p] == walk)
            return true;
    }
    return false;
}

/* ---- successors ---------------------------------------------------------------------------- */

MW_FN uint32_t expand_moves(struct mw_net_packing *k, const uint64_t *s, uint64_t *out,
                            uint32_t n_words, bool wide, uint32_t *n_blocked)
{
    const struct mw_net *net = k->net;
    const struct mw_net_field *const field = k->field;
    uint32_t n = 0, blocked = 0;
    for (uint32_t p = 0; p < net->n_buffers; p++) {
        const struct mw_net_field *const from = &field[p];
        const uint64_t in = s[from->word] & from->mask;
        k->waits[p] = NOTHING;
        if (in == 0)
            continue;
        const struct mw_move move =
            net->move[from->first + ((uint32_t)(in >> from->shift) & from->head)];
        if (!has_room(s, &field[move.to])) {
            k->waits[p] = move.to;
            k->blocked[blocked++] = p;
            continue;
        }
        uint64_t *const next = out + (size_t)n++ * n_words;
        memcpy(next, s, n_words * sizeof *s);
        take_message(next, from, wide);
        put(k, next, &field[move.to], move.code, wide);
    }
    *n_blocked = blocked;
    return n;
}

MW_FN uint32_t expand_sources(const struct mw_net_packing *k, const uint64_t *s,
                              uint64_t *out, uint32_t n_words, bool wide)
{
    uint32_t n = 0;
    for (uint32_t g = 0; g < k->n_groups; g++) {
        const struct mw_source_group *const group = &k->group[g];
        const struct mw_net_field *const to = &k->field[group->to];
        if (!has_room(s, to))
            continue;
        for (uint32_t i = group->first; i < group->end; i++) {
            uint64_t *const next = out + (size_t)n++ * n_words;
            memcpy(next, s, n_words * sizeof *s);
            put(k, next, to, k->net->source[i].code, wide);
        }
    }
    return n;
}

static bool may_inject(const struct mw_net_packing *k, const uint64_t *s,
                       uint64_t inflight)
{
    uint64_t n = 0;
    if (inflight == 0)
        return true;
    for (uint32_t p = 0; p < k->net->n_buffers; p++)
        n += mw_net_packing_fill(k, s, p);
    return n < inflight;
}

MW_FN struct mw_successors expand(struct mw_net_packing *k, const uint64_t *s,
                                  uint64_t inflight, uint64_t *out, uint32_t n_words,
                                  bool wide)
{
    struct mw_successors r = {0};
    uint32_t n_blocked;
    r.n = r.n_moves = expand_moves(k, s, out, n_words, wide, &n_blocked);
    if (may_inject(k, s, inflight))
        r.n += expand_sources(k, s, out + (size_t)r.n * n_words, n_words, wide);
    r.dead = has_cycle(k, n_blocked);
    return r;
}

/* ---- a mesh with ways ------------------------------------------------------------------------- */

static bool way_has_room(const struct mw_net_packing *k, const uint64_t *s, uint32_t way)
{
    const struct mw_net *net = k->net;
    for (uint32_t t = net->first_target[way]; t < net->first_target[way + 1]; t++)
        if (!has_room(s, &k->field[net->target[t].to]))
            return false;
    return true;
}

/* The head of p, if p < n_buffers, or a new message goes that way. */
static void take_way(const struct mw_net_packing *k, const uint64_t *s, uint32_t p,
                     uint32_t way, uint64_t *next)
{
    const struct mw_net *net = k->net;
    memcpy(next, s, k->n_words * sizeof *s);
    if (p < net->n_buffers)
        take_message(next, &k->field[p], true);
    for (uint32_t t = net->first_target[way]; t < net->first_target[way + 1]; t++)
        put(k, next, &k->field[net->target[t].to], net->target[t].code, true);
}

/* Whether some of these buffers is stuck whatever the head of p does: each of its ways needs one. */
static bool is_stuck(const struct mw_net_packing *k, uint32_t m, const bool *stuck)
{
    const struct mw_net *net = k->net;
    for (uint32_t w = net->first_way[m]; w < net->end_way[m]; w++) {
        bool out = true;
        for (uint32_t t = net->first_target[w]; t < net->first_target[w + 1]; t++)
            out &= !stuck[net->target[t].to];
        if (out)
            return false;
    }
    return true;
}

/* The greatest set of full buffers that only wait for each other: a knot. */
static bool has_knot(struct mw_net_packing *k, const uint64_t *s)
{
    const struct mw_net *net = k->net;
    bool changed = true, any = false;
    for (uint32_t p = 0; p < net->n_buffers; p++)
        k->stuck[p] = !has_room(s, &k->field[p]);
    while (changed) {
        changed = any = false;
        for (uint32_t p = 0; p < net->n_buffers; p++)
            if (k->stuck[p]) {
                const uint32_t m =
                    net->buffer[p].first + mw_net_packing_head(k, s, p) - 1;
                k->stuck[p] = is_stuck(k, m, k->stuck);
                changed |= !k->stuck[p];
                any |= k->stuck[p];
            }
    }
    return any;
}

static struct mw_successors expand_ways(struct mw_net_packing *k, const uint64_t *s,
                                        uint64_t inflight, uint64_t *out)
{
    const struct mw_net *net = k->net;
    struct mw_successors r = {.dead = has_knot(k, s)};
    for (uint32_t p = 0; p < net->n_buffers; p++) {
        const uint32_t code = mw_net_packing_head(k, s, p);
        const uint32_t m = net->buffer[p].first + code - 1;
        for (uint32_t w = code == 0 ? 0 : net->first_way[m];
             code != 0 && w < net->end_way[m]; w++)
            if (way_has_room(k, s, w))
                take_way(k, s, p, w, out + (size_t)r.n++ * k->n_words);
    }
    r.n_moves = r.n;
    for (uint32_t i = 0; i < net->n_sources && may_inject(k, s, inflight); i++)
        if (way_has_room(k, s, net->source[i].way))
            take_way(k, s, net->n_buffers, net->source[i].way,
                     out + (size_t)r.n++ * k->n_words);
    return r;
}

static struct mw_step way_step(const struct mw_net_packing *k, const uint64_t *from,
                               const uint64_t *to)
{
    const struct mw_net *net = k->net;
    uint64_t s[MW_PACK_WORDS_MAX];
    for (uint32_t p = 0; p < net->n_buffers; p++) {
        const uint32_t code = mw_net_packing_head(k, from, p);
        const uint32_t m = net->buffer[p].first + code - 1;
        for (uint32_t w = code == 0 ? 0 : net->first_way[m];
             code != 0 && w < net->end_way[m]; w++) {
            if (!way_has_room(k, from, w))
                continue;
            take_way(k, from, p, w, s);
            if (memcmp(s, to, k->n_words * sizeof *s) == 0)
                return mw_net_way_step(net, p, code, w - net->first_way[m]);
        }
    }
    for (uint32_t i = 0; i < net->n_sources; i++) {
        if (!way_has_room(k, from, net->source[i].way))
            continue;
        take_way(k, from, net->n_buffers, net->source[i].way, s);
        if (memcmp(s, to, k->n_words * sizeof *s) == 0)
            return mw_net_inject_step(net, i);
    }
    assert(!"a state and one of its successors");
    return (struct mw_step){0};
}

struct mw_successors mw_net_packing_expand(struct mw_net_packing *k, const uint64_t *s,
                                           uint64_t inflight, uint64_t *out)
{
    if (k->net->first_way != NULL)
        return expand_ways(k, s, inflight, out);
    if (k->n_words == 1)
        return expand(k, s, inflight, out, 1, false);
    if (k->n_words == 2 && !k->any_wide)
        return expand(k, s, inflight, out, 2, false);
    return expand(k, s, inflight, out, k->n_words, true);
}

struct mw_step mw_net_packing_step(const struct mw_net_packing *k, const uint64_t *from,
                                   const uint64_t *to)
{
    const struct mw_net *net = k->net;
    uint64_t s[MW_PACK_WORDS_MAX];
    const size_t bytes = k->n_words * sizeof *s;
    if (net->first_way != NULL)
        return way_step(k, from, to);
    for (uint32_t p = 0; p < net->n_buffers; p++) {
        const uint32_t code = mw_net_packing_head(k, from, p);
        if (code == 0)
            continue;
        const struct mw_move *move = mw_net_move(net, p, code);
        if (!has_room(from, &k->field[move->to]))
            continue;
        memcpy(s, from, bytes);
        take_message(s, &k->field[p], true);
        put(k, s, &k->field[move->to], move->code, true);
        if (memcmp(s, to, bytes) == 0)
            return mw_net_move_step(net, p, code);
    }
    for (uint32_t i = 0; i < net->n_sources; i++) {
        if (!has_room(from, &k->field[net->source[i].to]))
            continue;
        memcpy(s, from, bytes);
        put(k, s, &k->field[net->source[i].to], net->source[i].code, true);
        if (memcmp(s, to, bytes) == 0)
            return mw_net_inject_step(net, i);
    }
    assert(!"a state and one of its successors");
    return (struct mw_step){0};
}

/* ---- where each buffer stands ----------------------------------------------------------------- */

/* Bits of one word, or of each of several. */
static uint64_t low_bits(uint32_t n)
{
    return n >= 64 ? UINT64_MAX : (UINT64_C(1) << n) - 1;
}

struct words { /* of a state: how many bits of each are taken */
    uint32_t n;
    bool overflow;
    uint8_t used[MW_PACK_WORDS_MAX];
};

static void place_wide(struct words *w, struct mw_net_field *f, uint32_t capacity)
{
    const uint32_t per_word = 64u / f->bits;
    const uint64_t n = ((uint64_t)capacity + per_word - 1) / per_word;
    if (w->n + n > MW_PACK_WORDS_MAX) {
        w->overflow = true;
        return;
    }
    memset(w->used + w->n, 64, n);
    f->wide = true;
    f->mask = low_bits(per_word * f->bits);
    f->last = (uint64_t)f->head << (capacity - 1) % per_word * f->bits;
    f->word = (uint16_t)w->n;
    w->n += (uint32_t)n;
    f->last_word = (uint16_t)(w->n - 1);
}

/* Into the first word with room for it; at most 64 bits. */
static void place_narrow(struct words *w, struct mw_net_field *f, uint32_t capacity)
{
    const uint32_t bits = f->bits * capacity;
    uint32_t at = 0;
    while (at < w->n && w->used[at] + bits > 64)
        at++;
    if (at == MW_PACK_WORDS_MAX) {
        w->overflow = true;
        return;
    }
    w->n = (uint32_t)mw_max(w->n, at + 1);
    f->shift = w->used[at];
    f->mask = low_bits(bits) << f->shift;
    f->last = (uint64_t)f->head << (f->shift + bits - f->bits);
    f->word = f->last_word = (uint16_t)at;
    w->used[at] = (uint8_t)(w->used[at] + bits);
}

static void group_sources(struct mw_net_packing *k)
{
    const struct mw_net *net = k->net;
    for (uint32_t i = 0; i < net->n_sources; i++) {
        if (k->n_groups == 0 || k->group[k->n_groups - 1].to != net->source[i].to)
            k->group[k->n_groups++] = (struct mw_source_group){net->source[i].to, i, i};
        k->group[k->n_groups - 1].end = i + 1;
    }
}

static int lay_out(struct mw_net_packing *k)
{
    const struct mw_net *net = k->net;
    struct words w = {.n = 0};
    uint64_t bits = 0;
    for (int wide = 1; wide >= 0; wide--)
        for (uint32_t p = 0; p < net->n_buffers + 2; p++) {
            struct mw_net_field *f = &k->field[p];
            const uint32_t capacity = net->buffer[p].capacity;
            const uint64_t n_codes = (uint64_t)net->buffer[p].n_messages + 1;
            f->first = net->buffer[p].first - 1; /* wraps for the first one, and back */
            f->bits = (uint8_t)mw_max(1, mw_bits_for(n_codes));
            f->head = capacity == 0 ? 0 : (uint32_t)low_bits(f->bits);
            const uint64_t own = (uint64_t)f->bits * capacity;
            if (capacity == 0 || wide != (own > 64))
                continue;
            bits += own;
            if (wide)
                place_wide(&w, f, capacity);
            else
                place_narrow(&w, f, capacity);
            k->any_wide |= f->wide;
        }
    if (w.overflow)
        return mw_fail(MW_ERR_REFUSED,
                       "exploration: a state of %u buffers takes %llu bits, at most %d",
                       net->n_buffers, (unsigned long long)bits, 64 * MW_PACK_WORDS_MAX);
    k->n_words = (uint32_t)mw_max(1, w.n);
    k->start[k->field[net->wall].word] |= k->field[net->wall].last;
    return MW_OK;
}

int mw_net_packing_init(struct mw_net_packing *k, const struct mw_net *net)
{
    int rc = MW_OK;
    *k = (struct mw_net_packing){.net = net};
    MW_NEW(rc, k->field, "fields of a state", net->n_buffers + 2);
    MW_NEW(rc, k->group, "sources", net->n_sources);
    MW_NEW(rc, k->waits, "wait-for graph", net->n_buffers + 2);
    MW_NEW(rc, k->blocked, "wait-for graph", net->n_buffers + 2);
    MW_NEW(rc, k->seen, "wait-for graph", net->n_buffers + 2);
    MW_NEW(rc, k->stuck, "wait-for graph", net->n_buffers + 2);
    k->waits[net->exit] = k->waits[net->wall] = NOTHING;
    for (uint32_t bits = 1; bits <= MW_PACK_BITS_MAX; bits++)
        for (uint32_t top = 0; top < 64; top++)
            k->filled[bits][top] = (uint8_t)((top / bits + 1) * bits);
    MW_TRY(rc, lay_out(k));
    group_sources(k);
    return MW_OK;
end:
    mw_net_packing_fini(k);
    return rc;
}

void mw_net_packing_fini(struct mw_net_packing *k)
{
    MW_FREE_ALL(k->field, k->group, k->waits, k->blocked, k->seen, k->stuck);
    k->field = NULL;
    k->group = NULL;
    k->waits = k->blocked = NULL;
    k->seen = NULL;
    k->stuck = NULL;
}
