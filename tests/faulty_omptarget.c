/* faulty_omptarget.c -- beside the program's own main (faulty_program.c): devices of OpenMP that misbehave
 * as the variable MWT_OMPTARGET says, a list of
 *
 *      devices=N      so many are there. They are the host: its runtime counts itself behind the last one
 *      no_code=1      ... and the program has no code for them
 *      full=N         the N-th request for memory finds none
 *      copy=N         the N-th copy fails
 *      lost=N         before the N-th region the runtime finds that the device is lost: it says so, and ends
 *                     the program
 *      hang=N         the N-th region never ends
 *      illegal=N      one before the N-th region writes where nothing is (on a device only)
 *      ballast=BYTES  so much is taken with the first request
 *      rank=R         of this rank only; not devices
 *
 * The linker puts us between the backend and the runtime of OpenMP.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "omptarget/region.h"

#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* What the list says of a word; -1: nothing. */
static long long find(const char *word)
{
    const char *at = getenv("MWT_OMPTARGET");
    const size_t n = strlen(word);
    for (; at != NULL && *at != '\0'; at = strchr(at, ',') ? strchr(at, ',') + 1 : NULL)
        if (strncmp(at, word, n) == 0 && at[n] == '=')
            return atoll(at + n + 1);
    return -1;
}

static long long said(const char *word)
{
    const char *const rank = getenv("PMI_RANK");
    const long long only = find("rank");
    return only >= 0 && only != (rank != NULL ? atoll(rank) : 0) ? -1 : find(word);
}

int __real_omp_get_initial_device(void);
int __wrap_omp_get_initial_device(void);
int __wrap_omp_get_initial_device(void)
{
    const long long n = find("devices");
    return find("no_code") > 0 && n > 0 ? (int)n : __real_omp_get_initial_device();
}

/* As the runtime knows them. */
static int real(int device)
{
    return find("devices") > 0 ? __real_omp_get_initial_device() : device;
}

int __real_omp_get_num_devices(void);
int __wrap_omp_get_num_devices(void);
int __wrap_omp_get_num_devices(void)
{
    const long long n = find("devices");
    return n > 0 ? (int)n : __real_omp_get_num_devices();
}

void *__real_omp_target_alloc(size_t bytes, int device);
void *__wrap_omp_target_alloc(size_t bytes, int device);
void *__wrap_omp_target_alloc(size_t bytes, int device)
{
    static long long n;
    if (++n == 1 && said("ballast") > 0)
        (void)__real_omp_target_alloc((size_t)said("ballast"), real(device));
    return n == said("full") ? NULL : __real_omp_target_alloc(bytes, real(device));
}

void __real_omp_target_free(void *p, int device);
void __wrap_omp_target_free(void *p, int device);
void __wrap_omp_target_free(void *p, int device)
{
    __real_omp_target_free(p, real(device));
}

int __real_omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                             size_t from_offset, int to_device, int from_device);
int __wrap_omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                             size_t from_offset, int to_device, int from_device);
int __wrap_omp_target_memcpy(void *to, const void *from, size_t bytes, size_t to_offset,
                             size_t from_offset, int to_device, int from_device)
{
    static long long n;
    return ++n == said("copy")
               ? 22
               : __real_omp_target_memcpy(to, from, bytes, to_offset, from_offset,
                                          real(to_device), real(from_device));
}

/* It waits for what nobody writes; that it writes itself makes it a loop to compilers. */
static void never_ends(void)
{
    int flag = 0;
    MWO_PRAGMA(omp target map(tofrom : flag))
    for (int is = 0; is != 1;) {
        MWO_PRAGMA(omp atomic capture)
        {
            is = flag;
            flag ^= 2;
        }
    }
}

static void writes_nowhere(void)
{
    int *volatile at = (int *)(uintptr_t)64;
    int *const there = at;
    MWO_PRAGMA(omp target defaultmap(firstprivate))
    *there = 1;
}

/* What the backend says when a region begins. */
void __real_omp_set_default_device(int device);
void __wrap_omp_set_default_device(int device);
void __wrap_omp_set_default_device(int device)
{
    static long long n;
    __real_omp_set_default_device(device);
    n++;
    if (n == said("lost")) { /* as libgomp does it */
        fprintf(stderr, "\nlibgomp: cuCtxSynchronize error: planted\n");
        exit(EXIT_FAILURE);
    }
    if (n == said("illegal"))
        writes_nowhere();
    if (n == said("hang"))
        never_ends();
}
