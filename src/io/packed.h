/* packed.h -- the 12-byte edge of Graph500's files:
 *
 *     byte   0        4        8     10    12      little-endian
 *            | u 0-31 | v 0-31 | u'  | v'  |       u', v': bits 32 .. 47
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PACKED_H
#define MW_PACKED_H

#include "io/format.h"

MW_BEGIN_DECLS

enum { MW_PACKED_BYTES = 12 };

/* Behind the name of a file of packed edges: that of their weights. */
#define MW_PACKED_WEIGHTS ".weights"

/* u and v fit 48 bits; what stands above is lost. */
MW_FN void mw_edge_pack(mw_vid u, mw_vid v, unsigned char out[MW_PACKED_BYTES])
{
    mw_put32(out, (uint32_t)u);
    mw_put32(out + 4, (uint32_t)v);
    for (int i = 0; i < 2; i++) {
        out[8 + i] = (unsigned char)(u >> (32 + 8 * i) & 0xFF);
        out[10 + i] = (unsigned char)(v >> (32 + 8 * i) & 0xFF);
    }
}

/* Sign-extends the 48 bits: a negative number in a file becomes one that no graph
 * has, and is noticed by the reader. */
MW_FN void mw_edge_unpack(const unsigned char in[MW_PACKED_BYTES], mw_vid *u, mw_vid *v)
{
    uint64_t a = mw_get32(in), b = mw_get32(in + 4);
    for (int i = 0; i < 2; i++) {
        a |= (uint64_t)in[8 + i] << (32 + 8 * i);
        b |= (uint64_t)in[10 + i] << (32 + 8 * i);
    }
    const uint64_t sign = UINT64_C(1) << 47;
    *u = (a ^ sign) - sign;
    *v = (b ^ sign) - sign;
}

/* An edge of a file of either kind. */
MW_FN void mw_packed_get(const unsigned char *p, uint64_t edge_bytes, mw_vid *u,
                         mw_vid *v)
{
    if (edge_bytes == MW_PACKED_BYTES) {
        mw_edge_unpack(p, u, v);
    } else {
        *u = mw_get64(p);
        *v = mw_get64(p + 8);
    }
}

MW_END_DECLS
#endif
