/* codec.h -- a stretch of records as bytes, and back: the codings that there are.
 *
 * Records are sorted by child, so that the differences of neighbouring children are small; the
 * order of records says nothing, cores share them as they come. The table has a row for each
 * coding:
 *
 *      none      the records as they are
 *      vbyte     a difference and a value after the other, seven bits a byte
 *      packed    128 records at a time: all differences with as many bits as the largest one
 *                needs, then the values, less the smallest one; what is left over as vbyte
 *
 * A decoder is given (bytes, how many, how many records) and cannot leave them; that the bytes
 * are those that were sent is coding.h's to know. (Zukowski et al. 2006, frame of reference;
 * Lemire and Boytsov 2015, blocks of 128 with four to a vector; Young et al. 2016.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CODEC_H
#define MW_CODEC_H

#include "shuffle/batch.h"

MW_BEGIN_DECLS

enum { MW_BLOCK = 128 };

/* Both work on records that are sorted by child: narrow ones, or wide ones. */
typedef uint8_t *mw_stretch_code(const void *records, uint32_t n, bool wide, uint8_t *out,
                                 const uint8_t *end);
typedef const uint8_t *mw_stretch_decode(const uint8_t *in, const uint8_t *end,
                                         uint32_t n, bool wide, void *records);

struct mw_codec {
    const char *name;
    mw_stretch_code *code; /* returns the end of what it wrote; NULL: no room */
    mw_stretch_decode
        *decode; /* returns the end of what it read; NULL: that is no such stretch */
};
extern const struct mw_codec mw_codecs[MW_N_CODINGS]; /* by enum mw_coding */

/* 128 numbers of `bits` bits, at most 32, as 16 * bits bytes, and back. Number i is the
 * (i / 4)th in the lane i % 4 of a vector of four. */
void mw_block_pack(const uint32_t in[MW_BLOCK], uint32_t bits, uint32_t *out);
void mw_block_unpack(const uint32_t *in, uint32_t bits, uint32_t out[MW_BLOCK]);

MW_END_DECLS
#endif
