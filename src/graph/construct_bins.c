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

static bool make_room(struct mw_sorter *s, uint64_t n, bool wide)
{
    if (n <= s->room)
        return true;
    for (int i = 0; i < 2; i++) {
        mw_free(s->key[i]);
        mw_free(s->place[i]);
        s->key[i] = s->place[i] = NULL;
    }
    s->room = 0;
    const uint64_t room = n + n / 4;
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

void mw_construction_sort_bins(struct mw_cpe *self, void *arg)
{
    struct mw_construction *c = ((const struct mw_job *)arg)->state;
    struct mw_graph *g = c->g;
    struct mw_sorter *s = &c->sorter[self->lane];
    struct rotation r = {.label_bits = g->label_bits};
    uint64_t bin;

    while (UINT64_C(1) << r.owner_bits < c->world->comm->size)
        r.owner_bits++;
    const uint32_t column_bits = r.label_bits + r.owner_bits;
    while (take_bin(c, &bin)) {
        const uint64_t base = c->first_place + (bin << c->bin_shift);
        uint64_t n = 0;
        int buffer;
        for (uint32_t source = 0; source < mw_construction_sources(c); source++)
            for (const struct mw_chunk *k = mw_construction_chunk(c, source, bin);
                 k != NULL; k = mw_chunk_before(k))
                n += k->n;
        if (!make_room(s, n, g->wide)) {
            c->bins.lane[self->lane].status = MW_ERR_NOMEM;
            return;
        }
        load(c, bin, s, r, base);
        if (g->wide) {
            buffer = sort_by(s->key, s->place, n, 0, column_bits, 0);
            buffer = sort_by(s->place, s->key, n, 0, c->bin_shift, buffer);
        } else {
            /* One run of digits over the column's and then the place's bits. */
            buffer = sort_by(s->key, NULL, n, 0, column_bits, 0);
            buffer = sort_by(s->key, NULL, n, 32, 32 + c->bin_shift, buffer);
        }
        write_rows(c, s, buffer, n, r, base);
    }
}
