/* fuzz.h -- the one function of a fuzz target, as libFuzzer and AFL++ call it.
 *
 *      clang -fsanitize=fuzzer,address,undefined  fuzz_reader.c ...   # without fuzz_main.c
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FUZZ_H
#define MW_FUZZ_H

#include <stddef.h>
#include <stdint.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes);

#endif
