/* heads_x86.c -- the variant for the processor this runs on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/heads_x86.h"

mw_heads *mw_heads_find(bool wide, const char **name)
{
    if (!wide && __builtin_cpu_supports("avx512f")) {
        *name = "avx512";
        return mw_heads_avx512;
    }
    *name = "portable";
    return wide ? mw_heads_portable64 : mw_heads_portable32;
}
