/* construct_bins.c -- what kernel 1 does to a full bin, while its places fit the cache.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

#include <string.h>

static bool take_bin(struct mw_construction *c, uint64_t *bin)
{
    *bin = MW_ADD_RELAXED(&c->next_bin, 1);
    return *bin < c->bins.n_bins;
}

void mw_construction_count_bins(struct mw_cpe *self, void *arg)
{
    struct mw_construction *c = ((const struct mw_job *)arg)->state;
    uint32_t *degree = c->to->degree;
    uint64_t bin;
    (void)self;
    while (take_bin(c, &bin))
        for (uint32_t source = 0; source < mw_construction_sources(c); source++)
            for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin);
                 k != NULL; k = mw_chunk_before(k)) {
                const uint32_t *place = (const uint32_t *)(const void *)k->record;
                for (uint64_t i = 0; i < k->n; i++)
                    degree[place[i]]++;
            }
}

/* ---- Sorting: least significant digit first, 11 bits at a time ------------------------ */

enum { DIGIT_BITS = 11, DIGITS = 1 << DIGIT_BITS };

/* Sorts n numbers by bits first..last-1 of `by`, moving the companion array along (NULL:
 * none). Returns which of the two buffers of each pair holds the result. */
static int sort_by(uint64_t *by[2], uint64_t *with[2], uint64_t n, uint32_t first,
                   uint32_t last, int from)
{
    for (uint32_t shift = first; shift < last; shift += DIGIT_BITS) {
        uint32_t count[DIGITS] = {0}, sum = 0;
        const uint32_t bits = (uint32_t)mw_min(DIGIT_BITS, last - shift);
        const uint64_t mask = (UINT64_C(1) << bits) - 1;
        const uint64_t *in = by[from], *in_with = with != NULL ? with[from] : NULL;
        uint64_t *out = by[1 - from], *out_with = with != NULL ? with[1 - from] : NULL;
        for (uint64_t i = 0; i < n; i++)
            count[in[i] >> shift & mask]++;
        for (uint64_t d = 0; d <= mask; d++) {
            const uint32_t here = count[d];
            count[d] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < n; i++) {
            const uint32_t to = count[in[i] >> shift & mask]++;
            out[to] = in[i];
            if (with != NULL)
                out_with[to] = in_with[i];
        }
        from = 1 - from;
    }
    return from;
}

/* Rows are sorted by label first and owner second, so the owner goes to the low bits. */
struct rotation {
    uint32_t label_bits, owner_bits;
};

MW_FN uint64_t rotated(struct rotation r, uint64_t column)
{
    const uint64_t label = column & ((UINT64_C(1) << r.label_bits) - 1);
    return label << r.owner_bits | column >> r.label_bits;
}

MW_FN uint64_t straight(struct rotation r, uint64_t key)
{
    const uint64_t owner = key & ((UINT64_C(1) << r.owner_bits) - 1);
    return owner << r.label_bits | key >> r.owner_bits;
}

/* Room for n entries, `most` at most. */
static bool make_room(struct mw_sorter *s, uint64_t n, uint64_t most, bool wide)
{
    if (n <= s->room)
        return true;
    for (int i = 0; i < 2; i++) {
        mw_free(s->key[i]);
        mw_free(s->place[i]);
        s->key[i] = s->place[i] = NULL;
    }
    s->room = 0;
    const uint64_t room = mw_min(n + n / 4, mw_max(n, most));
    for (int i = 0; i < 2; i++) {
        s->key[i] = mw_alloc("sorting a bin", room, sizeof *s->key[i]);
        if (wide)
            s->place[i] = mw_alloc("sorting a bin", room, sizeof *s->place[i]);
        if (s->key[i] == NULL || (wide && s->place[i] == NULL))
            return false;
    }
    s->room = room;
    return true;
}

/* Copies a bin's entries together: narrow keys hold place << 32 | column. */
static void load(const struct mw_construction *c, uint64_t bin, struct mw_sorter *s,
                 struct rotation r, uint64_t base)
{
    uint64_t n = 0;
    for (uint32_t source = 0; source < mw_construction_sources(c); source++)
        for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin); k != NULL;
             k = mw_chunk_before(k))
            if (c->g->wide) {
                const struct mw_wide_entry *e =
                    (const struct mw_wide_entry *)(const void *)k->record;
                for (uint64_t i = 0; i < k->n; i++, n++) {
                    s->key[0][n] = rotated(r, e[i].column);
                    s->place[0][n] = e[i].place - base;
                }
            } else {
                const struct mw_entry *e =
                    (const struct mw_entry *)(const void *)k->record;
                for (uint64_t i = 0; i < k->n; i++, n++)
                    s->key[0][n] =
                        (uint64_t)(e[i].place - base) << 32 | rotated(r, e[i].column);
            }
}

/* Writes the rows of a sorted bin, without duplicates, where their row has room. */
static void write_rows(struct mw_construction *c, struct mw_sorter *s, int buffer,
                       uint64_t n, struct rotation r, uint64_t base)
{
    struct mw_graph *g = c->g;
    uint64_t i = 0;
    while (i < n) {
        const uint64_t low = g->wide ? s->place[buffer][i] : s->key[buffer][i] >> 32;
        const uint64_t place = base + low;
        const uint32_t label = g->label_of[place];
        const uint64_t start = c->to->row[label];
        uint64_t kept = 0, before = UINT64_MAX;
        for (; i < n; i++) {
            const uint64_t key = s->key[buffer][i];
            if ((g->wide ? s->place[buffer][i] : key >> 32) != low)
                break;
            const uint64_t neighbour = g->wide ? key : key & UINT32_MAX;
            if (neighbour == before)
                continue;
            before = neighbour;
            if (kept == 0 && c->to->heads)
                mw_set_number(g->head, place, straight(r, neighbour), g->wide);
            mw_set_number(c->to->column, start + kept++, straight(r, neighbour), g->wide);
        }
        c->n_kept[label] = (uint32_t)kept;
        s->n_entries += kept;
    }
}

/* ---- Rows that are stored first, and sorted where they stand ----------------------------- */

static struct rotation rotation_of(const struct mw_construction *c)
{
    const struct rotation r = {c->g->label_bits, mw_bits_for(c->world->comm->size)};
    return r;
}

MW_FN void store(const struct mw_construction *c, struct rotation r, uint64_t place,
                 uint64_t column)
{
    const uint32_t label = c->g->label_of[place];
    mw_set_number(c->to->column, c->to->row[label] + c->n_kept[label]++,
                  rotated(r, column), c->g->wide);
}

/* A bin's entries go to their rows, in any order; n_kept says how many are there. */
static void store_bin(const struct mw_construction *c, uint64_t bin, struct rotation r)
{
    for (uint32_t source = 0; source < mw_construction_sources(c); source++)
        for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin); k != NULL;
             k = mw_chunk_before(k)) {
            const struct mw_wide_entry *wide =
                (const struct mw_wide_entry *)(const void *)k->record;
            const struct mw_entry *narrow =
                (const struct mw_entry *)(const void *)k->record;
            for (uint64_t i = 0; i < k->n; i++)
                if (c->g->wide)
                    store(c, r, wide[i].place, wide[i].column);
                else
                    store(c, r, narrow[i].place, narrow[i].column);
        }
}

void mw_construction_store_bins(struct mw_cpe *self, void *arg)
{
    struct mw_construction *c = ((const struct mw_job *)arg)->state;
    uint64_t bin;
    (void)self;
    while (take_bin(c, &bin))
        store_bin(c, bin, rotation_of(c));
}

static uint64_t n_stored(const struct mw_construction *c, uint64_t place)
{
    const uint32_t label = c->g->label_of[place];
    return label == MW_NO_LABEL ? 0 : c->n_kept[label];
}

/* The stored rows of places base .. end - 1 as keys. */
static void load_stored(const struct mw_construction *c, struct mw_sorter *s,
                        uint64_t base, uint64_t end)
{
    uint64_t n = 0;
    for (uint64_t p = base; p < end; p++)
        for (uint64_t i = 0, here = n_stored(c, p); i < here; i++, n++) {
            const uint64_t column =
                mw_number(c->to->column, c->to->row[c->g->label_of[p]] + i, c->g->wide);
            s->key[0][n] = c->g->wide ? column : (p - base) << 32 | column;
            if (c->g->wide)
                s->place[0][n] = p - base;
        }
}

/* Deals entries out by 8 bits of them, where they stand (American flag; McIlroy, Bostic, McIlroy
 * 1993). The parts begin at begin[]. */
static void deal_out(void *row, uint64_t n, uint32_t shift, bool wide,
                     uint64_t begin[257])
{
    uint64_t at[256], end = 0;
    memset(begin, 0, 257 * sizeof *begin);
    for (uint64_t i = 0; i < n; i++)
        begin[(mw_number(row, i, wide) >> shift & 255) + 1]++;
    for (uint32_t d = 0; d < 256; d++) {
        end += begin[d];
        begin[d] = at[d] = end;
    }
    begin[256] = n;
    for (uint32_t d = 0; d < 256; d++)
        while (at[d] < begin[d + 1]) {
            const uint64_t x = mw_number(row, at[d], wide);
            const uint64_t to = x >> shift & 255;
            mw_set_number(row, at[d], mw_number(row, at[to], wide), wide);
            mw_set_number(row, at[to]++, x, wide);
        }
}

/* Numbers that differ in their lowest `bits` only. */
static void sort_long(struct mw_sorter *s, char *row, uint64_t n, uint32_t bits,
                      uint64_t most, bool wide)
{
    uint64_t begin[257];
    if (bits == 0)
        return;
    if (n <= most) {
        for (uint64_t i = 0; i < n; i++)
            s->key[0][i] = mw_number(row, i, wide);
        const int buffer = sort_by(s->key, NULL, n, 0, bits, 0);
        for (uint64_t i = 0; i < n; i++)
            mw_set_number(row, i, s->key[buffer][i], wide);
        return;
    }
    const uint32_t left = bits > 8 ? bits - 8 : 0;
    deal_out(row, n, left, wide, begin);
    for (uint32_t d = 0; d < 256; d++)
        sort_long(s, row + begin[d] * mw_number_bytes(wide), begin[d + 1] - begin[d],
                  left, most, wide);
}

/* A sorted row loses its duplicates, and gets its columns back. */
static void finish_long(struct mw_construction *c, struct mw_sorter *s, uint64_t place,
                        struct rotation r)
{
    const struct mw_graph *g = c->g;
    const uint32_t label = g->label_of[place];
    const uint64_t start = c->to->row[label], n = c->n_kept[label];
    uint64_t kept = 0, before = UINT64_MAX;
    for (uint64_t i = 0; i < n; i++) {
        const uint64_t key = mw_number(c->to->column, start + i, g->wide);
        if (key != before)
            mw_set_number(c->to->column, start + kept++, straight(r, key), g->wide);
        before = key;
    }
    if (c->to->heads)
        mw_set_number(g->head, place, mw_number(c->to->column, start, g->wide), g->wide);
    c->n_kept[label] = (uint32_t)kept;
    s->n_entries += kept;
}

/* A sorter's n entries, places counted from `base`. */
static void sort_and_write(struct mw_construction *c, struct mw_sorter *s, uint64_t n,
                           struct rotation r, uint64_t base)
{
    const uint32_t column_bits = r.label_bits + r.owner_bits;
    int buffer;
    if (c->g->wide) {
        buffer = sort_by(s->key, s->place, n, 0, column_bits, 0);
        buffer = sort_by(s->place, s->key, n, 0, c->bin_shift, buffer);
    } else {
        /* One run of digits over the column's and then the place's bits. */
        buffer = sort_by(s->key, NULL, n, 0, column_bits, 0);
        buffer = sort_by(s->key, NULL, n, 32, 32 + c->bin_shift, buffer);
    }
    write_rows(c, s, buffer, n, r, base);
}

/* The places of a bin, as many at a time as a sorter takes. */
static bool sort_stored(struct mw_construction *c, struct mw_sorter *s, uint64_t bin,
                        struct rotation r)
{
    const uint64_t first = c->first_place + (bin << c->bin_shift);
    const uint64_t last = mw_min(
        mw_min(first + (UINT64_C(1) << c->bin_shift), c->last_place), c->g->n_places);
    const bool wide = c->g->wide;
    for (uint64_t base = first, end; base < last; base = end) {
        uint64_t n = n_stored(c, base);
        for (end = base + 1; end < last && n + n_stored(c, end) <= c->piece_entries;
             end++)
            n += n_stored(c, end);
        if (!make_room(s, mw_min(n, c->piece_entries), c->piece_entries, wide))
            return false;
        if (n > c->piece_entries) {
            char *row = c->to->column;
            row += c->to->row[c->g->label_of[base]] * mw_number_bytes(wide);
            sort_long(s, row, n, r.label_bits + r.owner_bits, c->piece_entries, wide);
            finish_long(c, s, base, r);
        } else {
            load_stored(c, s, base, end);
            sort_and_write(c, s, n, r, base);
        }
    }
    return true;
}

static uint64_t n_in_bin(const struct mw_construction *c, uint64_t bin)
{
    uint64_t n = 0;
    for (uint32_t source = 0; source < mw_construction_sources(c); source++)
        for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin); k != NULL;
             k = mw_chunk_before(k))
            n += k->n;
    return n;
}

static bool sort_bin(struct mw_construction *c, struct mw_sorter *s, uint64_t bin,
                     struct rotation r)
{
    const uint64_t base = c->first_place + (bin << c->bin_shift);
    const uint64_t n = c->n_slices > 1 ? 0 : n_in_bin(c, bin);
    if (n > c->piece_entries)
        store_bin(c, bin, r);
    if (c->n_slices > 1 || n > c->piece_entries)
        return sort_stored(c, s, bin, r);
    if (!make_room(s, n, c->piece_entries, c->g->wide))
        return false;
    load(c, bin, s, r, base);
    sort_and_write(c, s, n, r, base);
    return true;
}

void mw_construction_sort_bins(struct mw_cpe *self, void *arg)
{
    struct mw_construction *c = ((const struct mw_job *)arg)->state;
    uint64_t bin;
    while (take_bin(c, &bin))
        if (!sort_bin(c, &c->sorter[self->lane], bin, rotation_of(c))) {
            c->bins.lane[self->lane].status = MW_ERR_NOMEM;
            return;
        }
}
