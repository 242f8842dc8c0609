/* pack.h -- a graph's file packed while it is written, as unpack.h is for reading.
 *
 * pack.c does it with libarchive, in bounded memory and without other programs; pack_absent.c is
 * for builds that have none and refuses (MW_ERR_UNAVAILABLE).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PACK_H
#define MW_PACK_H

#include "io/writer.h"

MW_BEGIN_DECLS

/* Its words are libarchive's: gzip, zstd, xz, bzip2, lz4. The same bytes pack into the same. */
extern const struct mw_write_packer mw_packer;

MW_END_DECLS
#endif
