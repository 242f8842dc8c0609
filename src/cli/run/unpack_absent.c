/* unpack_absent.c -- for builds without libarchive: packed files are refused, with the
 * command that unpacks them. See unpack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/unpack.h"

int mw_unpack_new(const char *name, const char *what, mw_unpack_source *source, void *arg,
                  struct mw_unpack **out)
{
    (void)source;
    (void)arg;
    (void)out;
    return mw_fail(MW_ERR_UNAVAILABLE, "%s: a %s file, and this build has no libarchive",
                   name, what);
}

void mw_unpack_free(struct mw_unpack *u)
{
    (void)u;
}

int mw_unpack_read(struct mw_unpack *u, void *to, uint64_t room, uint64_t *got)
{
    (void)u;
    (void)to;
    (void)room;
    (void)got;
    return MW_ERR_UNAVAILABLE;
}
