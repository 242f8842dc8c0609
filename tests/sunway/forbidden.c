/* forbidden.c -- what no core can do: check_cpe_externals.sh must refuse it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <stdlib.h>

void *take(size_t bytes);

void *take(size_t bytes)
{
    return malloc(bytes);
}
