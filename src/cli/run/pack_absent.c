/* pack_absent.c -- for builds without libarchive: nothing is packed. See pack.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/pack.h"

static int begin(const char *packing, struct mw_outfile *to, void **packer)
{
    (void)packer;
    return mw_fail(
        MW_ERR_UNAVAILABLE,
        "%s: is to be packed by %s, and this build has no libarchive; write it "
        "without that ending, and pack it then: %s",
        to->path, packing, packing);
}

static int put(void *packer, const void *data, size_t bytes)
{
    (void)packer;
    (void)data;
    (void)bytes;
    return MW_ERR_UNAVAILABLE;
}

static int end(void *packer)
{
    (void)packer;
    return MW_ERR_UNAVAILABLE;
}

static void release(void *packer)
{
    (void)packer;
}

const struct mw_write_packer mw_packer = {begin, put, end, release};
