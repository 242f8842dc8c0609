/* athread_tokens.c -- the management core's side of the table in athread_kernels.c: the number
 * of a kernel.
 *
 * A kernel that is launched is named by a pointer of the management core's, which is used as a
 * name only: it is the function that the same source gave for emulated cores, which every
 * build contains.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/athread_control.h"

#include MW_ATHREAD_LIST

#define DECLARE_FUNCTION(f) extern mw_kernel f;
#define DECLARE_TABLE(t, n) extern mw_kernel *const t[n];
MW_ATHREAD_KERNELS(DECLARE_FUNCTION, DECLARE_TABLE)

int mw_athread_number(mw_kernel *kernel)
{
    int number = 0, i;
#define TRY_FUNCTION(f)                                                                  \
    if (kernel == f)                                                                     \
        return number;                                                                   \
    number++;
#define TRY_TABLE(t, n)                                                                  \
    for (i = 0; i < (n); i++, number++)                                                  \
        if (kernel == t[i])                                                              \
            return number;
    MW_ATHREAD_KERNELS(TRY_FUNCTION, TRY_TABLE)
    (void)i;
    return -1;
}
