/* codec.c -- see codec.h.
 *
 * A block of 128 records of the packed form, all of it without padding:
 *
 *      | bits of a difference, of a value | least value | differences | values | their upper halves |
 *        1 B                    1 B         4 or 8 B      16 B a bit    16 B a bit, 32 at most; the rest
 *
 * What works on a whole block is plain C in loops of four, which compilers make vectors of, compiled
 * for each generation of processors (MW_CLONES).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/codec.h"

#include <string.h>

enum { LANES = 4, ROWS = MW_BLOCK / LANES, ROW_BYTES = LANES * sizeof(uint32_t) };

/* ---- 128 numbers ------------------------------------------------------------------------ */

static uint32_t bits_of(uint64_t x)
{
    return x == 0 ? 0 : 64 - (uint32_t)__builtin_clzll(x);
}

MW_CLONES void mw_block_pack(const uint32_t in[MW_BLOCK], uint32_t bits, uint32_t *out)
{
    uint32_t word[LANES] = {0}, used = 0;
    if (bits == 32) {
        memcpy(out, in, MW_BLOCK * sizeof *in);
        return;
    }
    for (uint32_t row = 0; row < ROWS && bits > 0; row++, in += LANES) {
        for (uint32_t i = 0; i < LANES; i++)
            word[i] |= in[i] << used;
        used += bits;
        if (used < 32)
            continue;
        memcpy(out, word, sizeof word);
        out += LANES;
        used -= 32;
        for (uint32_t i = 0; i < LANES; i++)
            word[i] = in[i] >> (bits - used);
    }
}

MW_CLONES void mw_block_unpack(const uint32_t *in, uint32_t bits, uint32_t out[MW_BLOCK])
{
    const uint32_t mask = bits < 32 ? (UINT32_C(1) << bits) - 1 : UINT32_MAX;
    if (bits == 0) {
        memset(out, 0, MW_BLOCK * sizeof *out);
        return;
    }
    for (uint32_t row = 0; row < ROWS; row++, out += LANES) {
        const uint32_t word = row * bits / 32, shift = row * bits % 32;
        const uint32_t *low = in + (uint64_t)LANES * word;
        /* Of the last word there is no next one, and nothing of it is needed. */
        const uint32_t *high = word + 1 < bits ? low + LANES : low;
        for (uint32_t i = 0; i < LANES; i++)
            out[i] = (low[i] >> shift | high[i] << 1 << (31 - shift)) & mask;
    }
}

/* ---- Records ----------------------------------------------------------------------------- */

MW_FN uint32_t child_at(const void *records, uint32_t i, bool wide)
{
    return wide ? ((const struct mw_wide_record *)records)[i].child
                : ((const struct mw_record *)records)[i].child;
}

MW_FN uint64_t value_at(const void *records, uint32_t i, bool wide)
{
    return wide ? ((const struct mw_wide_record *)records)[i].value
                : ((const struct mw_record *)records)[i].value;
}

MW_FN void put_record(void *records, uint32_t i, uint32_t child, uint64_t value,
                      bool wide)
{
    if (wide)
        ((struct mw_wide_record *)records)[i] = (struct mw_wide_record){value, child, 0};
    else
        ((struct mw_record *)records)[i] = (struct mw_record){child, (uint32_t)value};
}

static uint32_t record_bytes(bool wide)
{
    return wide ? sizeof(struct mw_wide_record) : sizeof(struct mw_record);
}

/* ---- none ---------------------------------------------------------------------------------- */

static uint8_t *copy(const void *records, uint32_t n, bool wide, uint8_t *out,
                     const uint8_t *end)
{
    const uint64_t bytes = (uint64_t)n * record_bytes(wide);
    if ((uint64_t)(end - out) < bytes)
        return NULL;
    memcpy(out, records, bytes);
    return out + bytes;
}

static const uint8_t *copy_back(const uint8_t *in, const uint8_t *end, uint32_t n,
                                bool wide, void *records)
{
    const uint64_t bytes = (uint64_t)n * record_bytes(wide);
    if ((uint64_t)(end - in) < bytes)
        return NULL;
    memcpy(records, in, bytes);
    return in + bytes;
}

/* ---- vbyte --------------------------------------------------------------------------------- */

enum { VBYTE_MOST = 10 }; /* bytes of a number of 64 bits */

MW_FN uint8_t *put_number(uint8_t *out, uint64_t x)
{
    for (; x >= 128; x >>= 7)
        *out++ = (uint8_t)(x | 128);
    *out++ = (uint8_t)x;
    return out;
}

/* NULL: it does not end before `end`, or has more than 64 bits. */
MW_FN const uint8_t *get_number(const uint8_t *in, const uint8_t *end, uint64_t *x)
{
    *x = 0;
    for (uint32_t shift = 0; in < end && shift < 64; shift += 7) {
        const uint64_t byte = *in++;
        if (shift == 63 && byte > 1)
            return NULL;
        *x |= (byte & 127) << shift;
        if (byte < 128)
            return in;
    }
    return NULL;
}

MW_FN uint8_t *put_numbers(const void *records, uint32_t first, uint32_t n,
                           uint32_t child, bool wide, uint8_t *out, const uint8_t *end)
{
    for (uint32_t i = first; i < n; i++) {
        if (end - out < 2 * VBYTE_MOST)
            return NULL;
        out = put_number(out, child_at(records, i, wide) - child);
        out = put_number(out, value_at(records, i, wide));
        child = child_at(records, i, wide);
    }
    return out;
}

MW_FN const uint8_t *get_numbers(const uint8_t *in, const uint8_t *end, uint32_t first,
                                 uint32_t n, uint64_t child, bool wide, void *records)
{
    for (uint32_t i = first; i < n; i++) {
        uint64_t more, value;
        if ((in = get_number(in, end, &more)) == NULL ||
            (in = get_number(in, end, &value)) == NULL)
            return NULL;
        if (more > UINT32_MAX - child || (!wide && value > UINT32_MAX))
            return NULL;
        child += more;
        put_record(records, i, (uint32_t)child, value, wide);
    }
    return in;
}

static uint8_t *vbyte(const void *records, uint32_t n, bool wide, uint8_t *out,
                      const uint8_t *end)
{
    return wide ? put_numbers(records, 0, n, 0, true, out, end)
                : put_numbers(records, 0, n, 0, false, out, end);
}

static const uint8_t *vbyte_back(const uint8_t *in, const uint8_t *end, uint32_t n,
                                 bool wide, void *records)
{
    return wide ? get_numbers(in, end, 0, n, 0, true, records)
                : get_numbers(in, end, 0, n, 0, false, records);
}

/* ---- packed -------------------------------------------------------------------------------- */

/* What a block is packed from. Numbers are kept as two halves, since vectors are of 32 bits. */
struct block {
    uint32_t more[MW_BLOCK], low[MW_BLOCK], high[MW_BLOCK];
    uint64_t least;
    uint32_t more_bits, value_bits;
};

static uint32_t block_bytes(const struct block *b)
{
    return (b->more_bits + b->value_bits) * ROW_BYTES;
}

MW_FN void take_apart(const void *records, uint32_t child, bool wide, struct block *b)
{
    uint64_t least = UINT64_MAX, values = 0;
    uint32_t mores = 0;
    for (uint32_t i = 0; i < MW_BLOCK; i++) {
        const uint32_t before = i == 0 ? child : child_at(records, i - 1, wide);
        b->more[i] = child_at(records, i, wide) - before;
        mores |= b->more[i];
        least = mw_min(least, value_at(records, i, wide));
    }
    for (uint32_t i = 0; i < MW_BLOCK; i++) {
        const uint64_t value = value_at(records, i, wide) - least;
        b->low[i] = (uint32_t)value;
        if (wide)
            b->high[i] = (uint32_t)(value >> 32);
        values |= value;
    }
    b->least = least;
    b->more_bits = bits_of(mores);
    b->value_bits = bits_of(values);
}

/* False: a difference leads past what a child may be. */
MW_FN bool put_together(const struct block *b, uint64_t child, bool wide, void *records)
{
    for (uint32_t i = 0; i < MW_BLOCK; i++) {
        const uint64_t value = wide ? (uint64_t)b->high[i] << 32 | b->low[i] : b->low[i];
        child += b->more[i];
        put_record(records, i, (uint32_t)child, b->least + value, wide);
    }
    return child <= UINT32_MAX;
}

MW_CLONES static void take_narrow(const void *records, uint32_t child, struct block *b)
{
    take_apart(records, child, false, b);
}

MW_CLONES static bool put_narrow(const struct block *b, uint64_t child, void *records)
{
    return put_together(b, child, false, records);
}

static uint32_t least_bytes(bool wide)
{
    return wide ? sizeof(uint64_t) : sizeof(uint32_t);
}

static uint8_t *put_words(const uint32_t in[MW_BLOCK], uint32_t bits, uint8_t *out)
{
    uint32_t word[MW_BLOCK];
    mw_block_pack(in, bits, word);
    memcpy(out, word, (uint64_t)bits * ROW_BYTES);
    return out + (uint64_t)bits * ROW_BYTES;
}

static const uint8_t *get_words(const uint8_t *in, uint32_t bits, uint32_t out[MW_BLOCK])
{
    uint32_t word[MW_BLOCK];
    memcpy(word, in, (uint64_t)bits * ROW_BYTES);
    mw_block_unpack(word, bits, out);
    return in + (uint64_t)bits * ROW_BYTES;
}

static uint8_t *put_block(const struct block *b, bool wide, uint8_t *out,
                          const uint8_t *end)
{
    const uint32_t low_bits = (uint32_t)mw_min(b->value_bits, 32);
    if ((uint64_t)(end - out) < 2 + least_bytes(wide) + block_bytes(b))
        return NULL;
    *out++ = (uint8_t)b->more_bits;
    *out++ = (uint8_t)b->value_bits;
    memcpy(out, &b->least, least_bytes(wide)); /* the lower half comes first */
    out = put_words(b->more, b->more_bits, out + least_bytes(wide));
    out = put_words(b->low, low_bits, out);
    return wide ? put_words(b->high, b->value_bits - low_bits, out) : out;
}

static const uint8_t *get_block(const uint8_t *in, const uint8_t *end, bool wide,
                                struct block *b)
{
    if ((uint64_t)(end - in) < 2 + least_bytes(wide))
        return NULL;
    b->more_bits = *in++;
    b->value_bits = *in++;
    b->least = 0;
    memcpy(&b->least, in, least_bytes(wide));
    in += least_bytes(wide);
    if (b->more_bits > 32 || b->value_bits > (wide ? 64 : 32) ||
        (uint64_t)(end - in) < block_bytes(b))
        return NULL;
    const uint32_t low_bits = (uint32_t)mw_min(b->value_bits, 32);
    in = get_words(in, b->more_bits, b->more);
    in = get_words(in, low_bits, b->low);
    return wide ? get_words(in, b->value_bits - low_bits, b->high) : in;
}

static uint8_t *packed(const void *records, uint32_t n, bool wide, uint8_t *out,
                       const uint8_t *end)
{
    struct block b;
    uint32_t child = 0, i = 0;
    for (; n - i >= MW_BLOCK; i += MW_BLOCK) {
        const char *from = (const char *)records + (uint64_t)i * record_bytes(wide);
        if (wide)
            take_apart(from, child, true, &b);
        else
            take_narrow(from, child, &b);
        child = child_at(from, MW_BLOCK - 1, wide);
        if ((out = put_block(&b, wide, out, end)) == NULL)
            return NULL;
    }
    return wide ? put_numbers(records, i, n, child, true, out, end)
                : put_numbers(records, i, n, child, false, out, end);
}

static const uint8_t *packed_back(const uint8_t *in, const uint8_t *end, uint32_t n,
                                  bool wide, void *records)
{
    struct block b;
    uint32_t child = 0, i = 0;
    for (; n - i >= MW_BLOCK; i += MW_BLOCK) {
        char *to = (char *)records + (uint64_t)i * record_bytes(wide);
        if ((in = get_block(in, end, wide, &b)) == NULL ||
            !(wide ? put_together(&b, child, true, to) : put_narrow(&b, child, to)))
            return NULL;
        child = child_at(to, MW_BLOCK - 1, wide);
    }
    return wide ? get_numbers(in, end, i, n, child, true, records)
                : get_numbers(in, end, i, n, child, false, records);
}

const struct mw_codec mw_codecs[MW_N_CODINGS] = {
    [MW_CODING_NONE] = {"none", copy, copy_back},
    [MW_CODING_VBYTE] = {"vbyte", vbyte, vbyte_back},
    [MW_CODING_PACKED] = {"packed", packed, packed_back},
};
