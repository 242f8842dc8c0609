/* text.h -- a whole input in memory, but never more of it than was agreed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TEXT_H
#define MW_TEXT_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Reads a file, or standard input for "-", and ends it with a zero that does not count. The
 * caller frees *text with mw_free(). MW_ERR_NOINPUT: it cannot be read, is a directory, a socket or
 * a device, or is a pipe without a writer, for which nobody waits. MW_ERR_DATA: it has more than
 * `most` bytes; no more than that is ever held. */
int mw_text_read(const char *file, size_t most, char **text, size_t *bytes) MW_NODISCARD;

MW_END_DECLS
#endif
