/* heads_generic.c -- processors for which nothing special is built.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/heads.h"

mw_heads *mw_heads_find(bool wide, const char **name)
{
    *name = "portable";
    return wide ? mw_heads_portable64 : mw_heads_portable32;
}
