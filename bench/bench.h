/* bench.h -- what the micro-benchmarks share: options, random numbers, medians, and the
 * line that says on which machine a number was measured.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BENCH_H
#define MW_BENCH_H

#include "cpe/mask.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static inline _Noreturn void bench_die(const char *why)
{
    fprintf(stderr, "bench: %s\n", why);
    exit(1);
}

/* The number after `name`, or `otherwise`. */
static inline double bench_option(int argc, char **argv, const char *name,
                                  double otherwise)
{
    for (int i = 1; i + 1 < argc; i += 2)
        if (strcmp(argv[i], name) == 0)
            return strtod(argv[i + 1], NULL);
    return otherwise;
}

/* A bijection of 64 bits without visible order (the finaliser of splitmix64). */
static inline uint64_t bench_mix(uint64_t x)
{
    x = (x ^ x >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    x = (x ^ x >> 27) * UINT64_C(0x94d049bb133111eb);
    return x ^ x >> 31;
}

static inline uint64_t bench_random(uint64_t *state)
{
    return bench_mix(*state += UINT64_C(0x9e3779b97f4a7c15));
}

static inline int bench_compare(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* Sorts. */
static inline double bench_median(double *value, uint32_t n)
{
    qsort(value, n, sizeof *value, bench_compare);
    return n % 2 ? value[n / 2] : (value[n / 2 - 1] + value[n / 2]) / 2;
}

/* The processors this process may use. */
static inline uint32_t bench_processors(int *cpu, uint32_t max)
{
    struct mw_mask mask;
    uint32_t n = 0;
    mw_mask_of_self(&mask);
    for (uint32_t i = 0; i < MW_MASK_CPUS && n < max; i++)
        if (mw_mask_has(&mask, i))
            cpu[n++] = (int)i;
    return n;
}

/* "shuffle, measured on AMD EPYC, 2 processors, load 0.61" */
static inline void bench_print_machine(const char *name)
{
    char line[256], model[256] = "unknown processor";
    double load = 0;
    unsigned processors = 0;
    FILE *f = fopen("/proc/cpuinfo", "r");
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        processors += strncmp(line, "processor", 9) == 0;
        if (strncmp(line, "model name", 10) == 0)
            sscanf(line, "%*[^:]: %255[^\n]", model);
    }
    if (f != NULL)
        fclose(f);
    if (getloadavg(&load, 1) != 1)
        load = -1;
    printf("%s, measured on %s, %u processors, load %.2f at the start\n", name, model,
           processors, load);
}

#endif
