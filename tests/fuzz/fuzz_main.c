/* fuzz_main.c -- runs a fuzz target without a fuzzer: the files of a corpus, then
 * seeded random mutations of them. The same arguments give the same inputs; an input
 * that fails is left in fuzz-failed for a look at it.
 *
 *      fuzz_reader SEED N_MUTATIONS FILE...
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MAX_BYTES = 4096, MAX_FILES = 256 };

struct input {
    size_t bytes;
    uint8_t data[MAX_BYTES];
};

static struct input corpus[MAX_FILES];
static struct input now;
static uint64_t state;

/* splitmix64 */
static uint64_t draw(uint64_t below)
{
    uint64_t x = state += UINT64_C(0x9E3779B97F4A7C15);
    x = (x ^ x >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    x = (x ^ x >> 27) * UINT64_C(0x94D049BB133111EB);
    return (x ^ x >> 31) % below;
}

/* Replaces n bytes at `at` by m others, as far as there is room. */
static void replace(struct input *in, size_t at, size_t n, const void *with, size_t m)
{
    const size_t tail = in->bytes - at - n;
    if (at + m + tail > MAX_BYTES)
        return;
    memmove(in->data + at + m, in->data + at + n, tail);
    memcpy(in->data + at, with, m);
    in->bytes = at + m + tail;
}

static void mutate(struct input *in, const struct input *other)
{
    static const char *const tokens[] = {"\n",
                                         "\r\n",
                                         "0",
                                         "-1",
                                         " ",
                                         ",",
                                         "4294967296",
                                         "9223372036854775807",
                                         "18446744073709551616",
                                         "1152921504606846976",
                                         "%%MatrixMarket",
                                         "symmetric",
                                         "real",
                                         "#",
                                         "%",
                                         "1.5e3",
                                         "\xEF\xBB\xBF"};
    static const uint64_t numbers[] = {
        0,         1,         2, 0x7FFFFFFF, 0x80000000, 0xFFFFFFFF, UINT64_C(1) << 60,
        INT64_MAX, UINT64_MAX};
    const size_t at = (size_t)draw(in->bytes + 1);
    const size_t left = in->bytes - at;
    const size_t n = (size_t)draw((left < 16 ? left : 16) + 1);
    const char *token = tokens[draw(sizeof tokens / sizeof *tokens)];
    const uint8_t byte = (uint8_t)draw(256);
    switch (draw(8)) {
    case 0:
        if (left > 0)
            in->data[at] ^= (uint8_t)(1 << draw(8));
        break;
    case 1:
        replace(in, at, left > 0, &byte, 1);
        break;
    case 2:
        replace(in, at, n, "", 0);
        break;
    case 3:
        replace(in, at, 0, token, strlen(token));
        break;
    case 4:
        replace(in, at, n, token, strlen(token));
        break;
    case 5:
        if (left >= 8)
            memcpy(in->data + at, &numbers[draw(sizeof numbers / sizeof *numbers)], 8);
        break;
    case 6:
        in->bytes = at; /* cut */
        break;
    default:
        if (other->bytes > 0) {
            const size_t from = (size_t)draw(other->bytes);
            replace(in, at, 0, other->data + from, (size_t)draw(other->bytes - from) + 1);
        }
    }
}

static void keep_input(int number)
{
    const char text[] = "the input is in fuzz-failed\n";
    FILE *f = fopen("fuzz-failed", "wb");
    if (f != NULL) {
        fwrite(now.data, 1, now.bytes, f);
        fclose(f);
    }
    (void)!write(2, text, sizeof text - 1);
    signal(number, SIG_DFL);
    raise(number);
}

/* In memory of exactly its size, so that a sanitizer sees a read beyond it. */
static void run(void)
{
    uint8_t *copy = malloc(now.bytes > 0 ? now.bytes : 1);
    if (copy == NULL)
        abort();
    memcpy(copy, now.data, now.bytes);
    LLVMFuzzerTestOneInput(copy, now.bytes);
    free(copy);
}

int main(int argc, char **argv)
{
    int n_files = 0;
    if (argc < 4) {
        fprintf(stderr, "usage: %s SEED N_MUTATIONS FILE...\n", argv[0]);
        return 64;
    }
    state = strtoull(argv[1], NULL, 10);
    const uint64_t n_mutations = strtoull(argv[2], NULL, 10);
    signal(SIGABRT, keep_input);
    for (int i = 3; i < argc && n_files < MAX_FILES; i++) {
        FILE *f = fopen(argv[i], "rb");
        if (f == NULL) {
            fprintf(stderr, "%s: cannot open\n", argv[i]);
            return 66;
        }
        corpus[n_files].bytes = fread(corpus[n_files].data, 1, MAX_BYTES, f);
        fclose(f);
        now = corpus[n_files++];
        run();
    }
    for (uint64_t i = 0; i < n_mutations; i++) {
        now = corpus[draw((uint64_t)n_files)];
        for (uint64_t n = 1 + draw(4); n > 0; n--)
            mutate(&now, &corpus[draw((uint64_t)n_files)]);
        run();
    }
    printf("%d files, %llu mutations\n", n_files, (unsigned long long)n_mutations);
    return 0;
}
