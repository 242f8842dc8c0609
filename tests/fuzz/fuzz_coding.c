/* fuzz_coding.c -- any bytes, taken for a stretch of coded records: refused, or read within what
 * they are and as many records as were asked for; and those come back from what is made of them.
 *
 *      | coding | wide | 2 bytes: records | the stretch
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include "shuffle/codec.h"

#include <stdlib.h>
#include <string.h>

enum { HEAD = 4, RECORDS_MOST = 1024 };

static void *block(size_t bytes)
{
    void *p = calloc(bytes + 1, 1);
    if (p == NULL)
        abort();
    return p;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    if (bytes < HEAD)
        return 0;
    const struct mw_codec *codec = &mw_codecs[data[0] % MW_N_CODINGS];
    const bool wide = data[1] % 2;
    const uint32_t n = (uint32_t)(data[2] | data[3] << 8) % RECORDS_MOST;
    const size_t all =
        n * (wide ? sizeof(struct mw_wide_record) : sizeof(struct mw_record));
    const size_t room = 3 * all + 64;
    uint8_t *in = malloc(bytes - HEAD + (bytes == HEAD)); /* its end is ASan's to watch */
    void *once = block(all), *twice = block(all);
    uint8_t *again = block(room);
    if (in == NULL)
        abort();
    memcpy(in, data + HEAD, bytes - HEAD);
    const uint8_t *end = codec->decode(in, in + bytes - HEAD, n, wide, once);
    if (end != NULL) {
        const uint8_t *out = codec->code(once, n, wide, again, again + room);
        if (end > in + bytes - HEAD || out == NULL ||
            codec->decode(again, out, n, wide, twice) != out ||
            (data[0] % MW_N_CODINGS != MW_CODING_NONE && memcmp(once, twice, all) != 0))
            abort();
    }
    free(again);
    free(twice);
    free(once);
    free(in);
    return 0;
}
