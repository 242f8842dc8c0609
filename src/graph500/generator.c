/* generator.c -- many edges side by side.
 *
 * One edge is a chain of `scale` dependent random numbers and cannot be hurried;
 * but edges are independent, so a block of them advances in step, one per lane,
 * in plain loops over arrays that the compiler turns into vectors:
 *
 *     start[5][lane] --copy--> z[5][lane] --draw x scale--> src, tgt --finish--> u, v
 *          \---- forward by LANES edges ---> start of the next block
 *
 * A lane never branches. Two things of the definition would need it, and both are
 * moved out of the way:
 *  - clip and flip: it acts once, at the first level where the two bits differ, so
 *    it can be done afterwards, on that bit (flip32);
 *  - redrawing after an output below 3647, 1 in 590 000: the smallest output of
 *    each lane is kept, and a lane that saw one is made again by edge_from().
 *
 * Outputs within the chain are left unreduced (below 2^31 + 2^28, congruent mod p);
 * only what decides about bits is brought below p.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/generator.h"

#include <assert.h>

enum {
    LANES_LOG2 = 6, /* 5 to 8 measure alike on Zen 4; a block fits level 1 */
    LANES = 1 << LANES_LOG2,
    WORDS = MW_RANDOM_WORDS
};

/* ---- one edge, as the definition reads ---- */

static uint64_t reverse64(uint64_t v)
{
    v = (v >> 1 & UINT64_C(0x5555555555555555)) | (v & UINT64_C(0x5555555555555555)) << 1;
    v = (v >> 2 & UINT64_C(0x3333333333333333)) | (v & UINT64_C(0x3333333333333333)) << 2;
    v = (v >> 4 & UINT64_C(0x0F0F0F0F0F0F0F0F)) | (v & UINT64_C(0x0F0F0F0F0F0F0F0F)) << 4;
    return __builtin_bswap64(v);
}

static uint64_t scramble(const struct mw_kronecker *k, uint64_t v)
{
    v += k->val[0] + k->val[1];
    v = reverse64(v * mw_kronecker_factor0(k)) >> (64 - k->scale);
    return reverse64(v * mw_kronecker_factor1(k)) >> (64 - k->scale);
}

/* Leaves *r behind the edge's last draw. */
static void edge_from(const struct mw_kronecker *k, struct mw_random *r, uint64_t *u,
                      uint64_t *v)
{
    uint64_t src = 0, tgt = 0;
    for (uint32_t level = 0; level < k->scale; level++) {
        uint32_t t;
        do
            t = mw_random_next(r);
        while (t < MW_KRONECKER_REJECT);
        const uint32_t q = t % MW_KRONECKER_UNIT;
        bool s = q >= MW_KRONECKER_BELOW_A ||
                 (q >= MW_KRONECKER_BELOW_B && q < MW_KRONECKER_BELOW_C);
        bool d = q >= MW_KRONECKER_BELOW_A || q < MW_KRONECKER_BELOW_B;
        if (src == tgt && s && !d) {
            s = false;
            d = true;
        }
        src = 2 * src + s;
        tgt = 2 * tgt + d;
    }
    *u = scramble(k, src);
    *v = scramble(k, tgt);
}

static struct mw_random start_of(const struct mw_kronecker *k, uint64_t i)
{
    struct mw_random r = k->seed;
    for (uint32_t bit = 0; bit < 64; bit++)
        if (i >> bit & 1)
            mw_random_jump(&r, &k->forward[bit]);
    return r;
}

/* ---- a block of edges ---- */

struct block {
    uint32_t start[WORDS][LANES];    /* the generator before the first level, below p */
    uint32_t z[WORDS][LANES];        /* ... and on its way, not reduced */
    uint32_t src[LANES], tgt[LANES]; /* the last 32 levels, most significant bit first */
    uint32_t src_high[LANES], tgt_high[LANES]; /* the levels before those */
    uint32_t least[LANES];                     /* smallest output so far */
    uint64_t u[LANES], v[LANES];
};

/* r mod 10000 < T without a division. Let C = ceil(2^45 / 10000), so that 10000 C =
 * 2^45 + 1168, and r = 10000 k + q with k <= 214748. Then r C mod 2^45 = q C + 1168 k,
 * and 1168 k < 2.6e8: for q < T it stays below T C - 3.2e9, otherwise it is at least
 * T C. As 2^31 < 3.2e9, even its upper 14 bits tell: they are compared to T C >> 31. */
#define FRACTION UINT32_C(3518437209)
#define LIMIT(t) ((uint32_t)((uint64_t)(t)*FRACTION >> 31))

MW_FN uint32_t fraction(uint32_t r)
{
    return (uint32_t)((uint64_t)(2 * r) * FRACTION >> 32) & 0x3FFF;
}

/* Appends the pair of bits that output t decides, complemented: the top bit of
 * f - LIMIT says "below", and the sums of these three without carry are the bits:
 *
 *              B (0,1)   C (1,0)   A (0,0)   D (1,1)
 *     b c a     1 1 1     0 1 1     0 0 1     0 0 0
 *     b^c^a       1         0         1         0        not the source's bit
 *     b^a         0         1         1         0        not the target's bit */
MW_FN void append(uint32_t t, uint32_t *src, uint32_t *tgt, uint32_t *least)
{
    const uint32_t r = mw_random_reduce(t);
    const uint32_t f = fraction(r);
    const uint32_t b = f - LIMIT(MW_KRONECKER_BELOW_B);
    const uint32_t c = f - LIMIT(MW_KRONECKER_BELOW_C);
    const uint32_t a = f - LIMIT(MW_KRONECKER_BELOW_A);
    *src = *src << 1 | (b ^ c ^ a) >> 31;
    *tgt = *tgt << 1 | (b ^ a) >> 31;
    *least = r < *least ? r : *least;
}

/* `n` levels, 1 .. 5; a constant at every call. After five, the five new outputs
 * are the state, and nothing has to be shifted. */
MW_FN void draw(struct block *b, const int n)
{
    for (int i = 0; i < LANES; i++) {
        const uint32_t z1 = b->z[0][i], z2 = b->z[1][i], z3 = b->z[2][i];
        const uint32_t z4 = b->z[3][i], z5 = b->z[4][i];
        uint32_t src = b->src[i], tgt = b->tgt[i], least = b->least[i];
        const uint32_t t1 = mw_random_step(z1, z5);
        const uint32_t t2 = mw_random_step(t1, z4);
        const uint32_t t3 = mw_random_step(t2, z3);
        const uint32_t t4 = mw_random_step(t3, z2);
        const uint32_t t5 = mw_random_step(t4, z1);
        append(t1, &src, &tgt, &least);
        if (n > 1)
            append(t2, &src, &tgt, &least);
        if (n > 2)
            append(t3, &src, &tgt, &least);
        if (n > 3)
            append(t4, &src, &tgt, &least);
        if (n > 4)
            append(t5, &src, &tgt, &least);
        const uint32_t newest[] = {t5, t4, t3, t2, t1, z1, z2, z3, z4};
        b->z[0][i] = newest[5 - n];
        b->z[1][i] = newest[6 - n];
        b->z[2][i] = newest[7 - n];
        b->z[3][i] = newest[8 - n];
        b->z[4][i] = newest[9 - n];
        b->src[i] = src;
        b->tgt[i] = tgt;
        b->least[i] = least;
    }
}

MW_FN void draw_levels(struct block *b, uint32_t n)
{
    for (; n >= 5; n -= 5)
        draw(b, 5);
    switch (n) {
    case 4:
        draw(b, 4);
        break;
    case 3:
        draw(b, 3);
        break;
    case 2:
        draw(b, 2);
        break;
    case 1:
        draw(b, 1);
        break;
    }
}

MW_FN void rewind_block(struct block *b)
{
    for (int w = 0; w < WORDS; w++)
        for (int i = 0; i < LANES; i++)
            b->z[w][i] = b->start[w][i];
    for (int i = 0; i < LANES; i++) {
        b->src[i] = b->tgt[i] = 0;
        b->least[i] = UINT32_MAX;
    }
}

/* As the definition, but on 32 bits: the low `scale` bits of a product do not depend
 * on bits above them, and a reversal shifted down is one of the low `scale` bits. */
MW_FN uint32_t reverse32(uint32_t v)
{
    v = (v >> 1 & UINT32_C(0x55555555)) | (v & UINT32_C(0x55555555)) << 1;
    v = (v >> 2 & UINT32_C(0x33333333)) | (v & UINT32_C(0x33333333)) << 2;
    v = (v >> 4 & UINT32_C(0x0F0F0F0F)) | (v & UINT32_C(0x0F0F0F0F)) << 4;
    return __builtin_bswap32(v);
}

MW_FN uint32_t scramble32(uint32_t v, uint32_t sum, uint32_t f0, uint32_t f1,
                          uint32_t shift)
{
    v = reverse32((v + sum) * f0) >> shift;
    return reverse32(v * f1) >> shift;
}

/* Clip and flip after the fact: while the bits were equal nothing was flipped, and
 * at the first that differ a flip made (1,0) into (0,1); then src < tgt for good. So
 * where src > tgt, that one bit of both changes. */
MW_FN uint32_t flip32(uint32_t src, uint32_t tgt)
{
    uint32_t d = src ^ tgt;
    d |= d >> 1;
    d |= d >> 2;
    d |= d >> 4;
    d |= d >> 8;
    d |= d >> 16;
    return src > tgt ? d ^ d >> 1 : 0;
}

MW_FN void finish32(const struct mw_kronecker *k, struct block *b)
{
    const uint32_t sum = (uint32_t)(k->val[0] + k->val[1]);
    const uint32_t f0 = (uint32_t)mw_kronecker_factor0(k),
                   f1 = (uint32_t)mw_kronecker_factor1(k);
    const uint32_t shift = 32 - k->scale;
    const uint32_t used = UINT32_MAX >> shift;
    for (int i = 0; i < LANES; i++) {
        const uint32_t src = ~b->src[i] & used, tgt = ~b->tgt[i] & used;
        const uint32_t top = flip32(src, tgt);
        b->src[i] = scramble32(src ^ top, sum, f0, f1, shift);
        b->tgt[i] = scramble32(tgt ^ top, sum, f0, f1, shift);
    }
}

/* The same for more than 32 levels; rare, so it is not made for speed. */
static void finish64(const struct mw_kronecker *k, struct block *b)
{
    const uint64_t used = UINT64_MAX >> (64 - k->scale);
    for (int i = 0; i < LANES; i++) {
        uint64_t src = ~((uint64_t)b->src_high[i] << 32 | b->src[i]) & used;
        uint64_t tgt = ~((uint64_t)b->tgt_high[i] << 32 | b->tgt[i]) & used;
        if (src > tgt) {
            const uint64_t top = UINT64_C(1) << (63 - __builtin_clzll(src ^ tgt));
            src ^= top;
            tgt ^= top;
        }
        b->u[i] = scramble(k, src);
        b->v[i] = scramble(k, tgt);
    }
}

/* start <- A^(LANES * 2^64) start */
MW_FN void advance(struct block *b, const struct mw_jump *by)
{
    const struct mw_jump j = *by; /* a copy cannot overlap with the block */
    for (int i = 0; i < LANES; i++) {
        const uint32_t z1 = b->start[0][i], z2 = b->start[1][i], z3 = b->start[2][i];
        const uint32_t z4 = b->start[3][i], z5 = b->start[4][i];
        b->start[0][i] = mw_jump_row(j.m[0], z1, z2, z3, z4, z5);
        b->start[1][i] = mw_jump_row(j.m[1], z1, z2, z3, z4, z5);
        b->start[2][i] = mw_jump_row(j.m[2], z1, z2, z3, z4, z5);
        b->start[3][i] = mw_jump_row(j.m[3], z1, z2, z3, z4, z5);
        b->start[4][i] = mw_jump_row(j.m[4], z1, z2, z3, z4, z5);
    }
}

MW_FN void store(const struct block *b, uint64_t n, bool is_long, uint32_t *narrow,
                 uint64_t *wide)
{
    if (is_long) {
        for (uint64_t i = 0; i < n; i++) {
            wide[2 * i] = b->u[i];
            wide[2 * i + 1] = b->v[i];
        }
    } else if (narrow != NULL) {
        for (uint64_t i = 0; i < n; i++) {
            narrow[2 * i] = b->src[i];
            narrow[2 * i + 1] = b->tgt[i];
        }
    } else {
        for (uint64_t i = 0; i < n; i++) {
            wide[2 * i] = b->src[i];
            wide[2 * i + 1] = b->tgt[i];
        }
    }
}

/* The next output of each lane. */
MW_FN void store_weights(const struct block *b, uint64_t n, float *weight)
{
    for (uint64_t i = 0; i < n; i++)
        weight[i] = mw_kronecker_weight_of(
            mw_random_reduce(mw_random_step(b->z[0][i], b->z[4][i])));
}

/* Makes the lanes again that met an output to be redrawn. */
static void repair(const struct mw_kronecker *k, const struct block *b, uint64_t n,
                   uint32_t *narrow, uint64_t *wide, float *weight)
{
    for (uint64_t i = 0; i < n; i++) {
        if (b->least[i] >= MW_KRONECKER_REJECT)
            continue;
        struct mw_random r;
        for (int w = 0; w < WORDS; w++)
            r.z[w] = b->start[w][i];
        uint64_t u, v;
        edge_from(k, &r, &u, &v);
        if (weight != NULL)
            weight[i] = mw_kronecker_weight_of(mw_random_next(&r));
        if (narrow != NULL) {
            narrow[2 * i] = (uint32_t)u;
            narrow[2 * i + 1] = (uint32_t)v;
        } else {
            wide[2 * i] = u;
            wide[2 * i + 1] = v;
        }
    }
}

/* The block's edges and those that follow, `n` in all. */
MW_CLONES
static void make(const struct mw_kronecker *k, struct block *b, uint64_t n,
                 uint32_t *narrow, uint64_t *wide, float *weight)
{
    const bool is_long = k->scale > 32;
    for (;;) {
        rewind_block(b);
        if (is_long) {
            draw_levels(b, k->scale - 32);
            for (int i = 0; i < LANES; i++) {
                b->src_high[i] = b->src[i];
                b->tgt_high[i] = b->tgt[i];
            }
            draw_levels(b, 32);
            finish64(k, b);
        } else {
            draw_levels(b, k->scale);
            finish32(k, b);
        }
        const uint64_t here = mw_min(n, LANES);
        store(b, here, is_long, narrow, wide);
        if (weight != NULL)
            store_weights(b, here, weight);
        uint32_t least = UINT32_MAX;
        for (int i = 0; i < LANES; i++)
            least = b->least[i] < least ? b->least[i] : least;
        if (MW_UNLIKELY(least < MW_KRONECKER_REJECT))
            repair(k, b, here, narrow, wide, weight);
        n -= here;
        if (n == 0)
            return;
        narrow = narrow != NULL ? narrow + 2 * here : NULL;
        wide = wide != NULL ? wide + 2 * here : NULL;
        weight = weight != NULL ? weight + here : NULL;
        advance(b, &k->forward[LANES_LOG2]);
    }
}

/* ---- public ---- */

int mw_kronecker_init(struct mw_kronecker *k, uint32_t scale, uint64_t n_edges,
                      const uint64_t seed[2])
{
    if (scale < 1 || scale > MW_SCALE_MAX)
        return mw_fail(MW_ERR_USAGE, "scale %u: 1 to %d are possible", scale,
                       MW_SCALE_MAX);
    k->scale = scale;
    k->n_edges = n_edges;
    mw_random_init(&k->seed, seed);

    mw_jump_init(&k->forward[0], 64);
    for (int i = 1; i < 64; i++) {
        k->forward[i] = k->forward[i - 1];
        mw_jump_square(&k->forward[i]);
    }

    /* The scramble draws 50 * 2^128 + 7 * 2^64 steps on. The factor is 2^32 - 1. */
    struct mw_random r = k->seed;
    struct mw_jump far;
    mw_jump_init(&far, 128);
    for (int i = 0; i < 50; i++)
        mw_random_jump(&r, &far);
    for (int i = 0; i < 7; i++)
        mw_random_jump(&r, &k->forward[0]);
    for (int i = 0; i < 2; i++) {
        const uint64_t high = mw_random_next(&r);
        k->val[i] = high * UINT32_MAX + mw_random_next(&r);
    }
    return MW_OK;
}

void mw_kronecker_edges(const struct mw_kronecker *k, uint64_t first, uint64_t n,
                        uint32_t *narrow, uint64_t *wide)
{
    mw_kronecker_weighted_edges(k, first, n, narrow, wide, NULL);
}

void mw_kronecker_weighted_edges(const struct mw_kronecker *k, uint64_t first, uint64_t n,
                                 uint32_t *narrow, uint64_t *wide, float *weight)
{
    assert((narrow != NULL) != (wide != NULL));
    assert(narrow == NULL || k->scale <= 32);
    assert(first <= k->n_edges && n <= k->n_edges - first);
    if (n == 0)
        return;
    struct block b = {0};
    struct mw_random r = start_of(k, first);
    for (uint64_t i = 0; i < LANES && i < n; i++) {
        for (int w = 0; w < WORDS; w++)
            b.start[w][i] = r.z[w];
        mw_random_jump(&r, &k->forward[0]);
    }
    make(k, &b, n, narrow, wide, weight);
}

void mw_kronecker_edge(const struct mw_kronecker *k, uint64_t i, mw_vid *u, mw_vid *v)
{
    struct mw_random r = start_of(k, i);
    edge_from(k, &r, u, v);
}

float mw_kronecker_weight(const struct mw_kronecker *k, uint64_t i)
{
    struct mw_random r = start_of(k, i);
    mw_vid u, v;
    edge_from(k, &r, &u, &v);
    return mw_kronecker_weight_of(mw_random_next(&r));
}
