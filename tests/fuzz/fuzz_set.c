/* fuzz_set.c -- any bytes, taken for a set that another host sends: refused, or read within its
 * words; and uniting it with itself changes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include "mpe/set.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICES = 2, WORDS = MW_SET_BLOCK + 70, BLOCKS = 2 };

static void read_all(const struct mw_set *s, uint64_t word[SLICES][WORDS])
{
    uint64_t at = 0;
    memset(word, 0, SLICES * sizeof *word);
    for (uint32_t i = 0; i < SLICES; i++)
        mw_set_read(s, &at, i * BLOCKS, word[i], WORDS);
    if (at != s->bytes)
        abort();
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static uint64_t once[SLICES][WORDS], twice[SLICES][WORDS];
    const uint64_t room = mw_set_room(SLICES * BLOCKS, SLICES * WORDS);
    struct mw_set s = {
        .data = malloc(bytes > 0 ? bytes : 1), .bytes = bytes, .room = bytes};
    struct mw_set both = {.data = malloc(room), .room = room};
    if (s.data == NULL || both.data == NULL)
        abort();
    memcpy(s.data, data, bytes);
    mw_error_clear();
    if (mw_set_check(&s, SLICES, WORDS) == MW_OK) {
        read_all(&s, once);
        mw_set_unite(&s, &s, &both);
        if (mw_set_check(&both, SLICES, WORDS) != MW_OK)
            abort();
        read_all(&both, twice);
        if (memcmp(once, twice, sizeof once) != 0)
            abort();
    }
    free(both.data);
    free(s.data);
    return 0;
}
