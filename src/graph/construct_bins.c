/* construct_bins.c -- what kernel 1 does to a full bin, while its places fit the cache.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/construct.h"

#include <assert.h>
#include <stdlib.h>
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
 * buffers holds the result. Keys that are equal stay in their order. */
MW_FN int sort_keys_as(struct mw_sorter *s, uint64_t n, uint32_t bits, bool weighted,
                       bool ordered)
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
        const struct mw_tags with = s->tags[from], with_out = s->tags[1 - from];
        for (uint64_t k = 0; k <= mask; k++) {
            const uint32_t here = at[k];
            at[k] = sum;
            sum += here;
        }
        for (uint64_t i = 0; i < n; i++) {
            const uint32_t to = at[in[i] >> d * each & mask]++;
            out[to] = in[i];
            if (weighted)
                with_out.weight[to] = with.weight[i];
            if (ordered)
                with_out.order[to] = with.order[i];
        }
        from = 1 - from;
    }
    return from;
}

static int sort_keys(struct mw_sorter *s, uint64_t n, uint32_t bits)
{
    if (s->tags[0].order != NULL)
        return sort_keys_as(s, n, bits, true, true);
    return s->tags[0].weight != NULL ? sort_keys_as(s, n, bits, true, false)
                                     : sort_keys_as(s, n, bits, false, false);
}

/* ---- What duplicates' weights become ------------------------------------------------------ */

static float minimum_of(const float *weight, uint64_t n)
{
    float least = weight[0];
    for (uint64_t i = 1; i < n; i++)
        least = weight[i] < least ? weight[i] : least;
    return least;
}

static float first_of(const float *weight, const uint64_t *order, uint64_t n)
{
    uint64_t first = 0;
    for (uint64_t i = 1; i < n; i++)
        if (order[i] < order[first])
            first = i;
    return weight[first];
}

static int compare_weights(const void *a, const void *b)
{
    const float x = *(const float *)a, y = *(const float *)b;
    return (x > y) - (x < y);
}

/* The least first, so that it does not matter in which order they have come. */
static float sum_of(float *weight, uint64_t n)
{
    double sum = 0;
    qsort(weight, n, sizeof *weight, compare_weights);
    for (uint64_t i = 0; i < n; i++)
        sum += weight[i];
    return (float)sum;
}

/* Of n duplicates from tags `first` on; a sum brings them into another order. */
static float merge_weights(enum mw_weights rule, const struct mw_tags *tags,
                           uint64_t first, uint64_t n)
{
    float *const weight = tags->weight + first;
    if (n == 1)
        return weight[0];
    if (rule == MW_WEIGHTS_FIRST)
        return first_of(weight, tags->order + first, n);
    return rule == MW_WEIGHTS_SUM ? sum_of(weight, n) : minimum_of(weight, n);
}

/* How many keys are equal to the one at i, itself included. */
MW_FN uint64_t n_alike(const uint64_t *key, uint64_t i, uint64_t n)
{
    uint64_t end = i + 1;
    while (end < n && key[end] == key[i])
        end++;
    return end - i;
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

/* False: out of memory. */
static bool take_tags(const char *weight, const char *order, enum mw_weights weights,
                      uint64_t n, struct mw_tags *out)
{
    if (weights != MW_WEIGHTS_NONE &&
        (out->weight = mw_alloc(weight, n, sizeof *out->weight)) == NULL)
        return false;
    return weights != MW_WEIGHTS_FIRST ||
           (out->order = mw_alloc(order, n, sizeof *out->order)) != NULL;
}

/* Room for n entries, `most` at most. */
static bool make_room(struct mw_sorter *s, uint64_t n, uint64_t most,
                      enum mw_weights weights)
{
    if (n <= s->room)
        return true;
    s->room = 0;
    const uint64_t room = mw_min(n + n / 4, mw_max(n, most));
    for (int i = 0; i < 2; i++) {
        MW_FREE_ALL(s->key[i], s->tags[i].weight, s->tags[i].order);
        s->key[i] = NULL;
        s->tags[i] = (struct mw_tags){NULL, NULL};
    }
    for (int i = 0; i < 2; i++) {
        s->key[i] = mw_alloc("sorting a bin", room, sizeof *s->key[i]);
        if (s->key[i] == NULL ||
            !take_tags("weights of a bin", "orders of a bin", weights, room, &s->tags[i]))
            return false;
    }
    s->room = room;
    return true;
}

/* An entry of any form. */
struct entry {
    uint64_t place, column, order;
    float weight;
};

MW_FN struct entry entry_at(const struct mw_construction *c, const struct mw_chunk *k,
                            uint64_t i, enum mw_entry_form form)
{
    const void *const record = k->record;
    if (form == MW_ENTRY_NARROW) {
        const struct mw_entry *e = (const struct mw_entry *)record + i;
        return (struct entry){e->place, e->column, 0, 0};
    }
    if (form == MW_ENTRY_WEIGHTED) {
        const struct mw_weighted_entry *e = (const struct mw_weighted_entry *)record + i;
        return (struct entry){e->place, e->column, 0, e->weight};
    }
    const struct mw_wide_entry *e = (const struct mw_wide_entry *)record + i;
    if (form == MW_ENTRY_WIDE)
        return (struct entry){e->place, e->column, 0, 0};
    return (struct entry){e->place, mw_value_without_order(c, e->column),
                          mw_order_of(c, e->column), e->weight};
}

/* Calls one of four copies of a function, each made for its form of entries. */
#define BY_FORM(c, function, ...)                                                        \
    do {                                                                                 \
        switch (mw_entry_form_of((c)->g->wide, (c)->weights)) {                          \
        case MW_ENTRY_WIDE:                                                              \
            function(__VA_ARGS__, MW_ENTRY_WIDE);                                        \
            break;                                                                       \
        case MW_ENTRY_WEIGHTED:                                                          \
            function(__VA_ARGS__, MW_ENTRY_WEIGHTED);                                    \
            break;                                                                       \
        case MW_ENTRY_WIDE_WEIGHTED:                                                     \
            function(__VA_ARGS__, MW_ENTRY_WIDE_WEIGHTED);                               \
            break;                                                                       \
        default:                                                                         \
            function(__VA_ARGS__, MW_ENTRY_NARROW);                                      \
        }                                                                                \
    } while (0)

MW_FN void put_tag(const struct mw_construction *c, const struct mw_tags *to, uint64_t i,
                   const struct entry *e)
{
    to->weight[i] = e->weight;
    if (c->weights == MW_WEIGHTS_FIRST)
        to->order[i] = e->order;
}

/* Copies a bin's entries together: keys hold the place in the bin above the column. */
MW_FN void load_as(const struct mw_construction *c, uint64_t bin, struct mw_sorter *s,
                   struct rotation r, uint64_t base, enum mw_entry_form form)
{
    const uint32_t above = r.label_bits + r.owner_bits;
    uint64_t n_keys = 0;
    for (uint32_t source = 0; source < mw_construction_sources(c); source++)
        for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin); k != NULL;
             k = mw_chunk_before(k)) {
            fetch_before(k);
            for (uint64_t i = 0, n = k->n; i < n; i++) {
                const struct entry e = entry_at(c, k, i, form);
                s->key[0][n_keys] = (e.place - base) << above | rotated(r, e.column);
                if (form >= MW_ENTRY_WEIGHTED)
                    put_tag(c, &s->tags[0], n_keys, &e);
                n_keys++;
            }
        }
}

static void load(const struct mw_construction *c, uint64_t bin, struct mw_sorter *s,
                 struct rotation r, uint64_t base)
{
    BY_FORM(c, load_as, c, bin, s, r, base);
}

/* Writes the rows of sorted keys, without duplicates, where their row has room. */
MW_FN void write_rows_as(struct mw_construction *c, struct mw_sorter *s, int buffer,
                         uint64_t n, struct rotation r, uint64_t base, bool wide,
                         bool weighted)
{
    const uint64_t *const key = s->key[buffer];
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
            if (weighted)
                c->to->tags.weight[start + kept] =
                    merge_weights(c->weights, &s->tags[buffer], i, n_alike(key, i, n));
            mw_set_number(column, start + kept++, straight(r, neighbour & mask), wide);
        }
        c->n_kept[label] = (uint32_t)kept;
        s->n_entries += kept;
    }
}

static void write_rows(struct mw_construction *c, struct mw_sorter *s, int buffer,
                       uint64_t n, struct rotation r, uint64_t base)
{
    const bool weighted = c->weights != MW_WEIGHTS_NONE;
    if (c->g->wide && weighted)
        write_rows_as(c, s, buffer, n, r, base, true, true);
    else if (c->g->wide)
        write_rows_as(c, s, buffer, n, r, base, true, false);
    else if (weighted)
        write_rows_as(c, s, buffer, n, r, base, false, true);
    else
        write_rows_as(c, s, buffer, n, r, base, false, false);
}

/* ---- Rows that are stored first, and sorted where they stand ----------------------------- */

static struct rotation rotation_of(const struct mw_construction *c)
{
    const struct rotation r = {c->g->label_bits, mw_bits_for(c->world->comm->size)};
    return r;
}

MW_FN void store(const struct mw_construction *c, struct rotation r,
                 const struct entry *e, bool weighted)
{
    const uint32_t label = c->g->label_of[e->place];
    const uint64_t to = c->to->row[label] + c->n_kept[label]++;
    mw_set_number(c->to->column, to, rotated(r, e->column), c->g->wide);
    if (weighted)
        put_tag(c, &c->to->tags, to, e);
}

MW_FN void store_bin_as(const struct mw_construction *c, uint64_t bin, struct rotation r,
                        enum mw_entry_form form)
{
    for (uint32_t source = 0; source < mw_construction_sources(c); source++)
        for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin); k != NULL;
             k = mw_chunk_before(k))
            for (uint64_t i = 0; i < k->n; i++) {
                const struct entry e = entry_at(c, k, i, form);
                store(c, r, &e, form >= MW_ENTRY_WEIGHTED);
            }
}

/* A bin's entries go to their rows, in any order; n_kept says how many are there. */
static void store_bin(const struct mw_construction *c, uint64_t bin, struct rotation r)
{
    BY_FORM(c, store_bin_as, c, bin, r);
}

void mw_construction_store_bins(struct mw_cpe *self, void *arg)
{
    struct mw_construction *c = ((const struct mw_job *)arg)->state;
    uint64_t bin;
    (void)self;
    while (take_bin(c, &bin))
        store_bin(c, bin, rotation_of(c));
}

/* n of them, from `first` on, to another place. */
static void copy_tags(const struct mw_tags *to, uint64_t to_first,
                      const struct mw_tags *from, uint64_t first, uint64_t n)
{
    if (from->weight != NULL && n > 0)
        memcpy(to->weight + to_first, from->weight + first, n * sizeof *to->weight);
    if (from->order != NULL && n > 0)
        memcpy(to->order + to_first, from->order + first, n * sizeof *to->order);
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
    for (uint64_t p = base; p < end; p++) {
        const uint64_t here = n_stored(c, p);
        const uint64_t row = here > 0 ? c->to->row[c->g->label_of[p]] : 0;
        copy_tags(&s->tags[0], n, &c->to->tags, row, here);
        for (uint64_t i = 0; i < here; i++, n++)
            s->key[0][n] =
                (p - base) << above | mw_number(c->to->column, row + i, c->g->wide);
    }
}

/* Entries that stand side by side. */
struct stored {
    void *column;
    uint64_t first, n;
    bool wide;
    struct mw_tags tags;
};

MW_FN uint64_t stored_at(const struct stored *s, uint64_t i)
{
    return mw_number(s->column, s->first + i, s->wide);
}

MW_FN void exchange_stored(const struct stored *s, uint64_t i, uint64_t k)
{
    const uint64_t at_i = stored_at(s, i), a = s->first + i, b = s->first + k;
    mw_set_number(s->column, a, stored_at(s, k), s->wide);
    mw_set_number(s->column, b, at_i, s->wide);
    if (s->tags.weight != NULL) {
        const float weight = s->tags.weight[a];
        s->tags.weight[a] = s->tags.weight[b];
        s->tags.weight[b] = weight;
    }
    if (s->tags.order != NULL) {
        const uint64_t order = s->tags.order[a];
        s->tags.order[a] = s->tags.order[b];
        s->tags.order[b] = order;
    }
}

/* Deals entries out by 8 bits of them, where they stand (American flag; McIlroy, Bostic, McIlroy
 * 1993). The parts begin at begin[]. */
static void deal_out(const struct stored *s, uint32_t shift, uint64_t begin[257])
{
    uint64_t at[256], end = 0;
    memset(begin, 0, 257 * sizeof *begin);
    for (uint64_t i = 0; i < s->n; i++)
        begin[(stored_at(s, i) >> shift & 255) + 1]++;
    for (uint32_t d = 0; d < 256; d++) {
        end += begin[d];
        begin[d] = at[d] = end;
    }
    begin[256] = s->n;
    for (uint32_t d = 0; d < 256; d++)
        while (at[d] < begin[d + 1]) {
            const uint64_t from = at[d], to = stored_at(s, from) >> shift & 255;
            exchange_stored(s, from, at[to]++);
        }
}

/* Numbers that differ in their lowest `bits` only. */
static void sort_long(struct mw_sorter *s, const struct stored *row, uint32_t bits,
                      uint64_t most)
{
    const uint64_t n = row->n;
    uint64_t begin[257];
    if (bits == 0)
        return;
    if (n <= most) {
        for (uint64_t i = 0; i < n; i++)
            s->key[0][i] = stored_at(row, i);
        copy_tags(&s->tags[0], 0, &row->tags, row->first, n);
        const int buffer = sort_keys(s, n, bits);
        for (uint64_t i = 0; i < n; i++)
            mw_set_number(row->column, row->first + i, s->key[buffer][i], row->wide);
        copy_tags(&row->tags, row->first, &s->tags[buffer], 0, n);
        return;
    }
    const uint32_t left = bits > 8 ? bits - 8 : 0;
    deal_out(row, left, begin);
    for (uint32_t d = 0; d < 256; d++) {
        struct stored part = *row;
        part.first += begin[d];
        part.n = begin[d + 1] - begin[d];
        sort_long(s, &part, left, most);
    }
}

/* A sorted row loses its duplicates, and gets its columns back. */
static void finish_long(struct mw_construction *c, struct mw_sorter *s, uint64_t place,
                        struct rotation r)
{
    const struct mw_graph *g = c->g;
    const uint32_t label = g->label_of[place];
    const uint64_t start = c->to->row[label], n = c->n_kept[label];
    uint64_t kept = 0, next;
    for (uint64_t i = 0; i < n; i = next) {
        const uint64_t key = mw_number(c->to->column, start + i, g->wide);
        for (next = i + 1; next < n; next++)
            if (mw_number(c->to->column, start + next, g->wide) != key)
                break;
        if (c->weights != MW_WEIGHTS_NONE)
            c->to->tags.weight[start + kept] =
                merge_weights(c->weights, &c->to->tags, start + i, next - i);
        mw_set_number(c->to->column, start + kept++, straight(r, key), g->wide);
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
    for (uint64_t base = first, end; base < last; base = end) {
        uint64_t n = n_stored(c, base);
        for (end = base + 1; end < last && n + n_stored(c, end) <= c->piece_entries;
             end++)
            n += n_stored(c, end);
        if (!make_room(s, mw_min(n, c->piece_entries), c->piece_entries, c->weights))
            return false;
        if (n > c->piece_entries) {
            const struct stored row = {c->to->column, c->to->row[c->g->label_of[base]], n,
                                       c->g->wide, c->to->tags};
            sort_long(s, &row, r.label_bits + r.owner_bits, c->piece_entries);
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
    if (!make_room(s, n, c->piece_entries, c->weights))
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
