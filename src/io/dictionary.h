/* dictionary.h -- the different names that one part of a file has, numbered as they come.
 *
 * A name is any string of bytes. An id is a name of 8 bytes, the greatest first, so that the
 * order of names is the order of ids. Takes about 20 bytes a name, and the names.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DICTIONARY_H
#define MW_DICTIONARY_H

#include "base/status.h"

MW_BEGIN_DECLS

struct mw_dictionary {
    uint64_t n;           /* names; below 2^32 */
    uint64_t *end;        /* [n] name i is bytes[end[i - 1] .. end[i]) */
    unsigned char *bytes; /* owned, as all of them */
    uint32_t *slot;       /* [n_slots] of the hash table: number + 1, 0: free */
    uint64_t n_slots, room, bytes_room;
};

int mw_dictionary_init(struct mw_dictionary *d) MW_NODISCARD;
void mw_dictionary_fini(struct mw_dictionary *d); /* also of a zeroed one */

/* The number of a name; a new one gets the next. */
int mw_dictionary_add(struct mw_dictionary *d, const void *name, uint64_t bytes,
                      uint64_t *number) MW_NODISCARD;

MW_FN const unsigned char *mw_dictionary_name(const struct mw_dictionary *d, uint64_t i,
                                              uint64_t *bytes)
{
    const uint64_t begin = i > 0 ? d->end[i - 1] : 0;
    *bytes = d->end[i] - begin;
    return d->bytes + begin;
}

/* An id as a name, and back. */
enum { MW_ID_BYTES = 8 };

MW_FN void mw_id_to_name(uint64_t id, unsigned char name[MW_ID_BYTES])
{
    for (int i = 0; i < MW_ID_BYTES; i++)
        name[i] = (unsigned char)(id >> 8 * (MW_ID_BYTES - 1 - i));
}

MW_FN uint64_t mw_name_to_id(const unsigned char *name)
{
    uint64_t id = 0;
    for (int i = 0; i < MW_ID_BYTES; i++)
        id = id << 8 | name[i];
    return id;
}

MW_END_DECLS
#endif
