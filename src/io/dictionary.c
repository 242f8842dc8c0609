/* dictionary.c -- see dictionary.h: a hash table of numbers, open addressing, at most half full.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/dictionary.h"

#include "base/mem.h"

#include <string.h>

static uint64_t hash(const unsigned char *p, uint64_t bytes)
{
    uint64_t h = bytes * UINT64_C(0x9E3779B97F4A7C15);
    for (uint64_t word; bytes > 0;) {
        const uint64_t n = mw_min(bytes, sizeof word);
        word = 0;
        memcpy(&word, p, n);
        h = (h ^ word) * UINT64_C(0xFF51AFD7ED558CCD);
        h ^= h >> 32;
        p += n;
        bytes -= n;
    }
    return h;
}

/* Where the name stands in the table, or the free slot where it would. */
static uint64_t find_slot(const struct mw_dictionary *d, const unsigned char *name,
                          uint64_t bytes)
{
    uint64_t at = hash(name, bytes) & (d->n_slots - 1);
    for (; d->slot[at] != 0; at = (at + 1) & (d->n_slots - 1)) {
        uint64_t length;
        const unsigned char *known = mw_dictionary_name(d, d->slot[at] - 1, &length);
        if (length == bytes && memcmp(known, name, bytes) == 0)
            break;
    }
    return at;
}

/* Room for n things with the first n_kept of `array`, which is freed; NULL: it is not. */
static void *grown(void *array, const char *what, uint64_t n_kept, uint64_t n,
                   size_t size)
{
    void *more = mw_alloc(what, n, size);
    if (more == NULL)
        return NULL;
    if (n_kept > 0)
        memcpy(more, array, n_kept * size);
    mw_free(array);
    return more;
}

static int grow_table(struct mw_dictionary *d)
{
    uint32_t *wider;
    MW_NEED_NEW(wider, "table of names", 2 * d->n_slots);
    mw_free(d->slot);
    d->slot = wider;
    d->n_slots *= 2;
    for (uint64_t i = 0; i < d->n; i++) {
        uint64_t bytes;
        const unsigned char *name = mw_dictionary_name(d, i, &bytes);
        d->slot[find_slot(d, name, bytes)] = (uint32_t)i + 1;
    }
    return MW_OK;
}

int mw_dictionary_init(struct mw_dictionary *d)
{
    int rc = MW_OK;
    *d =
        (struct mw_dictionary){.n_slots = 1 << 10, .room = 1 << 9, .bytes_room = 1 << 12};
    MW_NEW(rc, d->slot, "table of names", d->n_slots);
    MW_NEW(rc, d->end, "ends of names", d->room);
    MW_NEW(rc, d->bytes, "names", d->bytes_room);
    return MW_OK;
end:
    mw_dictionary_fini(d);
    return rc;
}

void mw_dictionary_fini(struct mw_dictionary *d)
{
    MW_FREE_ALL(d->slot, d->end, d->bytes);
    *d = (struct mw_dictionary){0};
}

static int make_room(struct mw_dictionary *d, uint64_t bytes)
{
    const uint64_t used = d->n > 0 ? d->end[d->n - 1] : 0;
    if (d->n == UINT32_MAX - 1)
        return mw_fail(MW_ERR_NOMEM, "names: more than 2^32 on one rank; use more ranks");
    if (2 * (d->n + 1) > d->n_slots && grow_table(d) < MW_OK)
        return MW_ERR_NOMEM;
    if (d->n == d->room) {
        uint64_t *end = grown(d->end, "ends of names", d->n, 2 * d->room, sizeof *end);
        if (end == NULL)
            return MW_ERR_NOMEM;
        d->end = end;
        d->room *= 2;
    }
    if (bytes > d->bytes_room - used) {
        const uint64_t room = 2 * d->bytes_room + bytes;
        unsigned char *more = grown(d->bytes, "names", used, room, 1);
        if (more == NULL)
            return MW_ERR_NOMEM;
        d->bytes = more;
        d->bytes_room = room;
    }
    return MW_OK;
}

int mw_dictionary_add(struct mw_dictionary *d, const void *name, uint64_t bytes,
                      uint64_t *number)
{
    uint64_t at = find_slot(d, name, bytes);
    if (d->slot[at] == 0) {
        const int rc = make_room(d, bytes);
        if (rc < MW_OK)
            return rc;
        at = find_slot(d, name, bytes); /* the table may have grown */
        const uint64_t begin = d->n > 0 ? d->end[d->n - 1] : 0;
        if (bytes > 0)
            memcpy(d->bytes + begin, name, bytes);
        d->end[d->n] = begin + bytes;
        d->slot[at] = (uint32_t)++d->n;
    }
    *number = d->slot[at] - 1;
    return MW_OK;
}
