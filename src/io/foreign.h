/* foreign.h -- files that hold graphs, or other things, in ways that are not read here: what they are.
 *
 * A head is the beginning of a file, and goes on with a '\n' behind its bytes. All functions are local.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FOREIGN_H
#define MW_FOREIGN_H

#include "base/base.h"

MW_BEGIN_DECLS

/* What it is and how to convert it, as the end of a sentence with the file's name. False: none that is
 * known. */
bool mw_foreign_explain(const char *name, const unsigned char *head, uint64_t bytes,
                        uint64_t file_bytes, char *why, size_t room);

#define MW_FOREIGN_GRAPHML "graphml"

/* What tools/meshway_read.py calls the kind of an open file; NULL: none that it reads. */
const char *mw_foreign_kind(int fd, uint64_t file_bytes);

MW_END_DECLS
#endif
