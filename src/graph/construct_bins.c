/* construct_bins.c -- what kernel 1 does to a full bin, while its places fit the cache.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

#include <assert.h>
#include <string.h>

static bool take_bin(struct mw_construction *c, uint64_t *bin)
{
    *bin = MW_ADD_RELAXED(&c->next_bin, 1);
    return *bin < c->bins.n_bins;
}

/* The chunk that will be worked on next: it is where somebody else has filled it. */
MW_FN void fetch_before(const struct mw_chunk *k)
{
    const char *const before = (const char *)mw_chunk_before(k);
    for (uint32_t i = 0; before != NULL && i < MW_CHUNK_BYTES; i += MW_CACHE_LINE)
        __builtin_prefetch(before + i);
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
                fetch_before(k);
                for (uint64_t i = 0; i < k->n; i++)
                    degree[place[i]]++;
            }
}

/* ---- Sorting: least significant digit first --------------------------------------------- */

enum { DIGITS = 1 << MW_SORT_DIGIT };

/* As few digits as the bits need, all alike. */
MW_FN void count_digits(const uint64_t *key, uint64_t n, uint32_t bits, uint32_t n_digits,
                        uint32_t (*count)[DIGITS])
{
    const uint64_t mask = (UINT64_C(1) << bits) - 1;
    memset(count, 0, n_digits * sizeof *count);
    for (uint64_t i = 0; i < n; i++)
        for (uint32_t d = 0; d < n_digits; d++)
            count[d][key[i] >> d * bits & mask]++;
}

/* Sorts n keys by their lowest `bits`. All digits are counted in one walk. Returns which of the two
 * buffers holds the result. */
static int sort_keys(struct mw_sorter *s, uint64_t n, uint32_t bits)
{
    const uint32_t n_digits = (bits + MW_SORT_DIGIT - 1) / MW_SORT_DIGIT;
    const uint32_t each = n_digits > 0 ? (bits + n_digits - 1) / n_digits : 0;
    const uint64_t mask = (UINT64_C(1) << each) - 1;
    int from = 0;
    if (n_digits == 3) /* as a rule */
        count_digits(s->key[0], n, each, 3, s->count);
    else
        count_digits(s->key[0], n, each, n_digits, s->count);
    for (uint32_t d = 0; d < n_digits; d++) {
        uint32_t *at = s->count[d], sum = 0;
        const uint64_t *in = s->key[from];
        uint64_t *out = s->key[1 - from];
        for (uint64_t k = 0; k <= mask; k++) {
            const uint32_t here = at[k];
            at[k] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < n; i++)
            out[at[in[i] >> d * each & mask]++] = in[i];
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
    const uint64_t label = mw_column_label(column, r.label_bits);
    return label << r.owner_bits | mw_column_owner(column, r.label_bits);
}

MW_FN uint64_t straight(struct rotation r, uint64_t key)
{
    const uint64_t owner = key & ((UINT64_C(1) << r.owner_bits) - 1);
    return mw_column(owner, key >> r.owner_bits, r.label_bits);
}

/* Room for n entries, `most` at most. */
static bool make_room(struct mw_sorter *s, uint64_t n, uint64_t most)
{
    if (n <= s->room)
        return true;
    s->room = 0;
    const uint64_t room = mw_min(n + n / 4, mw_max(n, most));
    for (int i = 0; i < 2; i++) {
        mw_free(s->key[i]);
        s->key[i] = NULL;
    }
    for (int i = 0; i < 2; i++) {
        s->key[i] = mw_alloc("sorting a bin", room, sizeof *s->key[i]);
        if (s->key[i] == NULL)
            return false;
    }
    s->room = room;
    return true;
}

/* Copies a bin's entries together: keys hold the place in the bin above the column. */
MW_FN void load_as(const struct mw_construction *c, uint64_t bin, struct mw_sorter *s,
                   struct rotation r, uint64_t base, bool wide)
{
    const uint32_t above = r.label_bits + r.owner_bits;
    uint64_t *key = s->key[0];
    for (uint32_t source = 0; source < mw_construction_sources(c); source++)
        for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin); k != NULL;
             k = mw_chunk_before(k)) {
            const struct mw_wide_entry *w =
                (const struct mw_wide_entry *)(const void *)k->record;
            const struct mw_entry *e = (const struct mw_entry *)(const void *)k->record;
            fetch_before(k);
            for (uint64_t i = 0, n = k->n; i < n; i++)
                *key++ = wide ? (w[i].place - base) << above | rotated(r, w[i].column)
                              : (e[i].place - base) << above | rotated(r, e[i].column);
        }
}

static void load(const struct mw_construction *c, uint64_t bin, struct mw_sorter *s,
                 struct rotation r, uint64_t base)
{
    if (c->g->wide)
        load_as(c, bin, s, r, base, true);
    else
        load_as(c, bin, s, r, base, false);
}

/* Writes the rows of sorted keys, without duplicates, where their row has room. */
MW_FN void write_rows_as(struct mw_construction *c, struct mw_sorter *s,
                         const uint64_t *key, uint64_t n, struct rotation r,
                         uint64_t base, bool wide)
{
    struct mw_graph *g = c->g;
    const uint32_t above = r.label_bits + r.owner_bits;
    const uint64_t mask = (UINT64_C(1) << above) - 1;
    void *const column = c->to->column;
    for (uint64_t i = 0; i < n;) {
        const uint64_t low = key[i] >> above, place = base + low;
        const uint32_t label = g->label_of[place];
        const uint64_t start = c->to->row[label];
        uint64_t kept = 0, before = UINT64_MAX;
        for (; i < n && key[i] >> above == low; i++) {
            const uint64_t neighbour = key[i];
            if (neighbour == before)
                continue;
            before = neighbour;
            if (kept == 0 && c->to->heads)
                mw_set_number(g->head, mw_head_index(g, place),
                              straight(r, neighbour & mask), wide);
            mw_set_number(column, start + kept++, straight(r, neighbour & mask), wide);
        }
        c->n_kept[label] = (uint32_t)kept;
        s->n_entries += kept;
    }
}

static void write_rows(struct mw_construction *c, struct mw_sorter *s, int buffer,
                       uint64_t n, struct rotation r, uint64_t base)
{
    if (c->g->wide)
        write_rows_as(c, s, s->key[buffer], n, r, base, true);
    else
        write_rows_as(c, s, s->key[buffer], n, r, base, false);
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
                        uint64_t base, uint64_t end, uint32_t above)
{
    uint64_t n = 0;
    for (uint64_t p = base; p < end; p++)
        for (uint64_t i = 0, here = n_stored(c, p); i < here; i++, n++) {
            const uint64_t column =
                mw_number(c->to->column, c->to->row[c->g->label_of[p]] + i, c->g->wide);
            s->key[0][n] = (p - base) << above | column;
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
        const int buffer = sort_keys(s, n, bits);
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
        mw_set_number(g->head, mw_head_index(g, place),
                      mw_number(c->to->column, start, g->wide), g->wide);
    c->n_kept[label] = (uint32_t)kept;
    s->n_entries += kept;
}

/* A sorter's n entries, places counted from `base`. */
static void sort_and_write(struct mw_construction *c, struct mw_sorter *s, uint64_t n,
                           struct rotation r, uint64_t base)
{
    const uint32_t bits = r.label_bits + r.owner_bits + c->bin_shift;
    assert(bits <= 64); /* as long as all ranks together have no more than 2^48 places */
    const int buffer = sort_keys(s, n, bits);
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
        if (!make_room(s, mw_min(n, c->piece_entries), c->piece_entries))
            return false;
        if (n > c->piece_entries) {
            char *row = c->to->column;
            row += c->to->row[c->g->label_of[base]] * mw_number_bytes(wide);
            sort_long(s, row, n, r.label_bits + r.owner_bits, c->piece_entries, wide);
            finish_long(c, s, base, r);
        } else {
            load_stored(c, s, base, end, r.label_bits + r.owner_bits);
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
    if (!make_room(s, n, c->piece_entries))
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
