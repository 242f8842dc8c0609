/* coding.c -- see coding.h.
 *
 *      records --sort--> coder's records, or in place --code--> coder's image <--exchange--> batch's
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "shuffle/coding.h"

#include "base/clock.h"
#include "base/mem.h"
#include "shuffle/segments.h"

#include <string.h>

/* Digits of the sort: as many as 2^11 counts fit beside the records in a small cache; fewer where
 * there are fewer records than counts. */
enum { DIGIT_MOST = 11, DIGIT_LEAST = 4, FEW = 24 };

/* ---- Sorting ------------------------------------------------------------------------------- */

static bool is_wide(const struct mw_coder *c)
{
    return c->record_bytes == sizeof(struct mw_wide_record);
}

MW_FN uint32_t child_of(const void *records, uint32_t i, bool wide)
{
    return mw_visit_at(records, i, 0, wide).child;
}

MW_FN void move(void *to, uint32_t k, const void *from, uint32_t i, bool wide)
{
    if (wide)
        ((struct mw_wide_record *)to)[k] = ((const struct mw_wide_record *)from)[i];
    else
        ((struct mw_record *)to)[k] = ((const struct mw_record *)from)[i];
}

MW_FN void sort_few(void *records, uint32_t n, bool wide)
{
    struct mw_wide_record x; /* room for either */
    for (uint32_t i = 1; i < n; i++) {
        uint32_t k = i;
        move(&x, 0, records, i, wide);
        for (; k > 0 && child_of(records, k - 1, wide) > child_of(&x, 0, wide); k--)
            move(records, k, records, k - 1, wide);
        move(records, k, &x, 0, wide);
    }
}

MW_FN void sort_digit(const void *from, void *to, uint32_t n, uint32_t least,
                      uint32_t shift, uint32_t digit, bool wide)
{
    uint32_t at[1 << DIGIT_MOST], sum = 0;
    const uint32_t mask = (UINT32_C(1) << digit) - 1;
    memset(at, 0, (mask + UINT64_C(1)) * sizeof *at);
    for (uint32_t i = 0; i < n; i++)
        at[(child_of(from, i, wide) - least) >> shift & mask]++;
    for (uint32_t d = 0; d <= mask; d++) {
        const uint32_t n_here = at[d];
        at[d] = sum;
        sum += n_here;
    }
    for (uint32_t i = 0; i < n; i++)
        move(to, at[(child_of(from, i, wide) - least) >> shift & mask]++, from, i, wide);
}

/* Returns where the records lie then, sorted; in the other place is nothing to be used.
 * Both hold n. */
MW_FN void *sort(void *records, void *other, uint32_t n, bool wide)
{
    uint32_t least = UINT32_MAX, most = 0;
    if (n < FEW) {
        sort_few(records, n, wide);
        return records;
    }
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t child = child_of(records, i, wide);
        least = (uint32_t)mw_min(least, child);
        most = (uint32_t)mw_max(most, child);
    }
    const uint32_t bits = most > least ? 32 - (uint32_t)__builtin_clz(most - least) : 0;
    const uint32_t longest =
        (uint32_t)mw_min(DIGIT_MOST, mw_max(DIGIT_LEAST, mw_bits_for(n)));
    const uint32_t n_digits = (bits + longest - 1) / longest;
    for (uint32_t i = 0, shift = 0; i < n_digits; i++) {
        const uint32_t digit = (bits - shift) / (n_digits - i);
        void *const from = records;
        sort_digit(from, other, n, least, shift, digit, wide);
        records = other;
        other = from;
        shift += digit;
    }
    return records;
}

/* ---- The image ------------------------------------------------------------------------------ */

/* Changes with any bit of them: four sums that are multiplied and turned with each word. */
static uint32_t check_of(const struct mw_batch_head *h, const uint8_t *bytes, uint64_t n)
{
    const uint64_t odd = UINT64_C(0x9e3779b97f4a7c15);
    uint64_t sum[4] = {h->n_records, h->n_segments, mw_batch_coding(h), n}, word[4];
    for (; n > 0; n -= mw_min(n, sizeof word), bytes += sizeof word) {
        memset(word, 0, sizeof word);
        memcpy(word, bytes, mw_min(n, sizeof word));
        for (int i = 0; i < 4; i++) {
            sum[i] = (sum[i] ^ word[i]) * odd;
            sum[i] = sum[i] << 29 | sum[i] >> 35;
        }
    }
    for (int i = 1; i < 4; i++)
        sum[0] = (sum[0] << 23 | sum[0] >> 41) * odd ^ sum[i];
    return (uint32_t)(sum[0] ^ sum[0] >> 32);
}

static void exchange(struct mw_coder *c, struct mw_batch *b)
{
    struct mw_batch_head *const head = b->head;
    b->head = c->other->head;
    b->record = c->other->record;
    c->other->head = head;
    c->other->record = head + 1;
}

static uint32_t n_stretches(const struct mw_batch *b)
{
    return (uint32_t)mw_max(1, b->head->n_segments);
}

/* Returns the end of what it wrote; NULL: it is not smaller. */
MW_FN uint8_t *code_stretches(struct mw_coder *c, const struct mw_codec *codec,
                              const struct mw_batch *b, uint8_t *out, const uint8_t *end,
                              bool wide)
{
    char *record = b->record;
    for (uint32_t s = 0; out != NULL && s < n_stretches(b); s++) {
        const uint32_t n = mw_segment_count(b, s);
        out = codec->code(sort(record, c->sorted, n, wide), n, wide, out, end);
        record += (uint64_t)n * c->record_bytes;
    }
    return out;
}

static bool code(struct mw_coder *c, enum mw_coding coding, struct mw_batch *b)
{
    const struct mw_batch_head *h = b->head;
    struct mw_batch_head *const to = c->other->head;
    struct mw_coded *const coded = (struct mw_coded *)(to + 1);
    const uint64_t segment_bytes = h->n_segments * sizeof(struct mw_segment);
    uint8_t *const first = (uint8_t *)(coded + 1);
    /* One byte less than it has. */
    const uint8_t *const end = (const uint8_t *)to + mw_batch_bytes(h) - 1;
    uint8_t *out = first;
    if (h->n_records == 0 || end - out < (int64_t)segment_bytes)
        return false;
    *to = *h;
    to->flags |= (uint8_t)(coding << MW_BATCH_CODING);
    memcpy(out, mw_segments(b), segment_bytes);
    out += segment_bytes;
    out = is_wide(c) ? code_stretches(c, &mw_codecs[coding], b, out, end, true)
                     : code_stretches(c, &mw_codecs[coding], b, out, end, false);
    if (out == NULL)
        return false;
    coded->bytes = (uint32_t)(out - (uint8_t *)coded);
    coded->check = check_of(to, first, (uint64_t)(out - first));
    exchange(c, b);
    return true;
}

bool mw_coder_code(struct mw_coder *c, enum mw_coding coding, struct mw_batch *b)
{
    const double start = mw_now();
    c->count.plain_bytes += (double)mw_batch_bytes(b->head);
    const bool is = code(c, coding, b);
    c->count.coded_bytes += (double)mw_batch_bytes(b->head);
    c->count.code_s += mw_now() - start;
    return is;
}

static int refused(const struct mw_batch_head *h, const char *why)
{
    return mw_fail(
        MW_ERR_INTERNAL,
        "corrupt batch from rank %u: %s, in %llu bytes for %u records, coded as %s",
        h->sender, why, (unsigned long long)mw_batch_bytes(h), h->n_records,
        mw_codecs[mw_batch_coding(h)].name);
}

static int decode(struct mw_coder *c, struct mw_batch *b, uint32_t n_ranks)
{
    const struct mw_batch_head *h = b->head;
    const struct mw_coded *coded = (const struct mw_coded *)(h + 1);
    const struct mw_codec *codec = &mw_codecs[mw_batch_coding(h)];
    const uint8_t *in = (const uint8_t *)(coded + 1);
    const uint8_t *const end = (const uint8_t *)coded + coded->bytes;
    const uint64_t segment_bytes = h->n_segments * sizeof(struct mw_segment);
    struct mw_batch *const to = c->other;
    char *record = to->record;

    if (coded->check != check_of(h, in, (uint64_t)(end - in)))
        return refused(h, "its check does not hold");
    if ((uint64_t)(end - in) < segment_bytes)
        return refused(h, "no room for its segments");
    *to->head = *h;
    to->head->flags &= MW_BATCH_LAST;
    memcpy(record + (uint64_t)h->n_records * c->record_bytes, in, segment_bytes);
    in += segment_bytes;
    const int rc = mw_batch_check_segments(to->head, n_ranks);
    if (rc < MW_OK)
        return rc;
    for (uint32_t s = 0; in != NULL && s < n_stretches(to); s++) {
        const uint32_t n = mw_segment_count(to, s);
        in = codec->decode(in, end, n, is_wide(c), record);
        record += (uint64_t)n * c->record_bytes;
    }
    if (in != end)
        return refused(h, "its stretches are of another length");
    exchange(c, b);
    return MW_OK;
}

int mw_coder_decode(struct mw_coder *c, struct mw_batch *b, uint32_t n_ranks)
{
    const double start = mw_now();
    const int rc = decode(c, b, n_ranks);
    c->count.decoded_bytes += (double)mw_batch_bytes(b->head);
    c->count.decode_s += mw_now() - start;
    return rc;
}

/* ---- A coder ------------------------------------------------------------------------------- */

static void own_sizes(uint32_t capacity, uint32_t record_bytes, enum mw_when when,
                      struct mw_sizes *out)
{
    mw_sizes_add(out, when, "coder", 1, sizeof(struct mw_coder));
    mw_sizes_add(out, when, "sorted records", (uint64_t)capacity * record_bytes, 1);
}

void mw_coder_sizes(uint32_t capacity, uint32_t record_bytes, enum mw_when when,
                    struct mw_sizes *out)
{
    own_sizes(capacity, record_bytes, when, out);
    mw_batch_pool_sizes(1, capacity, record_bytes, when, out);
}

int mw_coder_new(uint32_t capacity, uint32_t record_bytes, struct mw_coder **out)
{
    int rc = MW_OK;
    struct mw_coder *c;
    struct mw_sizes sizes = {0};
    own_sizes(capacity, record_bytes, MW_ALWAYS, &sizes);
    MW_TAKE(rc, c, &sizes, "coder");
    c->record_bytes = record_bytes;
    MW_TAKE(rc, c->sorted, &sizes, "sorted records");
    MW_TRY(rc, mw_batch_pool_new(1, capacity, record_bytes, &c->pool));
    c->other = mw_batch_take(c->pool);
    *out = c;
    return MW_OK;
end:
    mw_coder_free(c);
    return rc;
}

void mw_coder_free(struct mw_coder *c)
{
    if (c == NULL)
        return;
    if (c->other != NULL)
        mw_batch_give(c->other);
    mw_batch_pool_free(c->pool);
    MW_FREE_ALL(c->sorted, c);
}
