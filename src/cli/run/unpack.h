/* unpack.h -- a packed stream (gzip, xz, ...) turned into what it holds, piece by piece.
 *
 * unpack.c does it with libarchive, in bounded memory and without other programs;
 * unpack_absent.c is for builds that have none. All functions are local.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_UNPACK_H
#define MW_UNPACK_H

#include "base/status.h"

MW_BEGIN_DECLS

struct mw_unpack;

/* Where the packed bytes come from: up to `room` of them; *got 0 at the end. */
typedef int mw_unpack_source(void *arg, void *to, uint64_t room, uint64_t *got);

/* MW_ERR_UNAVAILABLE: this build cannot. `what` is the packing ("gzip"), `name` the file's
 * name for messages; both and `arg` are borrowed. */
int mw_unpack_new(const char *name, const char *what, mw_unpack_source *source, void *arg,
                  struct mw_unpack **out) MW_NODISCARD;
void mw_unpack_free(struct mw_unpack *u); /* NULL is legal */

/* Up to `room` bytes of the content; *got 0 at the end. MW_ERR_DATA where the packed file
 * is damaged or cut, or what the source returned. */
int mw_unpack_read(struct mw_unpack *u, void *to, uint64_t room, uint64_t *got)
    MW_NODISCARD;

MW_END_DECLS
#endif
