/* stream.h -- stores that go around the cache: for lines that are written whole and not
 * read again soon.
 *
 * An ordinary store to a line that is not in the cache reads the line first (the read
 * for ownership) and later pushes something else out. These write it and do neither.
 * They are not ordered with other stores: whoever hands the lines to another thread
 * calls mw_stream_fence() before.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_STREAM_H
#define MW_STREAM_H

#include "base/base.h"

#include <string.h>

#if defined(__SSE2__)
#include <emmintrin.h>
#endif

/* Writes `bytes`, a multiple of MW_CACHE_LINE, to a line's start. */
MW_FN void mw_stream(void *to, const void *from, uint64_t bytes)
{
#if defined(__SSE2__)
    __m128i *t = (__m128i *)to;
    const __m128i *f = (const __m128i *)from;
    for (uint64_t i = 0; i < bytes / sizeof *t; i += 4) {
        const __m128i a = _mm_loadu_si128(f + i), b = _mm_loadu_si128(f + i + 1);
        const __m128i c = _mm_loadu_si128(f + i + 2), d = _mm_loadu_si128(f + i + 3);
        _mm_stream_si128(t + i, a);
        _mm_stream_si128(t + i + 1, b);
        _mm_stream_si128(t + i + 2, c);
        _mm_stream_si128(t + i + 3, d);
    }
#else
    memcpy(to, from, bytes);
#endif
}

/* What was streamed is seen before any later store. */
MW_FN void mw_stream_fence(void)
{
#if defined(__SSE2__)
    _mm_sfence();
#endif
}

#endif
