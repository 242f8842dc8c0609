/* here.c -- see here.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/here.h"

#include "base/hash.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

uint64_t mw_number_here(uint64_t number)
{
    char host[256] = "";
    FILE *f = fopen("/proc/sys/kernel/random/boot_id", "r");
    if (f == NULL || fgets(host, sizeof host, f) == NULL)
        (void)gethostname(host, sizeof host - 1);
    if (f != NULL)
        (void)fclose(f);
    const uint64_t of_host = mw_hash(MW_HASH_OF_NOTHING, host, strlen(host));
    return mw_hash(of_host, &number, sizeof number) | 1;
}
