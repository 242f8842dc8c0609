/* simd.h -- 256-bit words and the register messages made of them: our own text, see athread.h
 * beside it.
 *
 * The vendor's are builtins that take and return the vector; so do these macros, as far as
 * `x = simd_getr(x)` and `simd_putr(x, to)` of variables go.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef SIMD_H
#define SIMD_H

#include <string.h>

typedef long int256 __attribute__((vector_size(32)));
typedef int intv8 __attribute__((vector_size(32)));

#define simd_load(v, p)  ((void)memcpy(&(v), (p), sizeof(v)))
#define simd_store(v, p) ((void)memcpy((p), &(v), sizeof(v)))

/* to: 0..7 in the row (a column) or in the column (a row), 8: all others. */
#define simd_putr(x, to) register_put_row(&(x), (to))
#define simd_putc(x, to) register_put_col(&(x), (to))
#define simd_getr(x)     (*(__typeof__(x) *)register_get_row(&(x)))
#define simd_getc(x)     (*(__typeof__(x) *)register_get_col(&(x)))

void register_put_row(const void *x, int to);
void register_put_col(const void *x, int to);
void *register_get_row(void *x); /* returns x */
void *register_get_col(void *x);

#endif
