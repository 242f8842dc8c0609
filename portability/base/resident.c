/* resident.c -- see resident.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/resident.h"

#include <pthread.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>

/* Bytes: the most that were there, those that are, and which of them may be shared. */
struct pages {
    uint64_t most, now, shared;
};

static struct {
    uint64_t bytes, mine;
    uint64_t others; /* that was shared before, by MPI */
} shared;
static uint64_t peak, most;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* ranks may be threads */

static bool read_pages(struct pages *out)
{
    char line[256], name[32];
    unsigned long long kib;
    FILE *f = fopen("/proc/self/status", "r");
    *out = (struct pages){0};
    while (f != NULL && fgets(line, sizeof line, f) != NULL) {
        if (sscanf(line, "%31[^:]: %llu kB", name, &kib) != 2)
            continue;
        if (strcmp(name, "VmHWM") == 0)
            out->most = kib * 1024;
        else if (strcmp(name, "VmRSS") == 0)
            out->now = kib * 1024;
        else if (strcmp(name, "RssShmem") == 0)
            out->shared = kib * 1024;
    }
    if (f != NULL)
        fclose(f);
    return out->most > 0;
}

static uint64_t less(uint64_t a, uint64_t b)
{
    return a - mw_min(a, b);
}

static void note_peak(void)
{
    struct pages p;
    if (!read_pages(&p))
        return;
    const uint64_t touched = less(less(p.shared, shared.others), shared.mine);
    const uint64_t of_others = mw_min(touched, shared.bytes - shared.mine);
    peak = mw_max(peak, less(p.most > most ? p.most : p.now, of_others));
    most = mw_max(most, p.most);
}

void mw_resident_shares(uint64_t bytes, uint64_t mine)
{
    struct pages p;
    pthread_mutex_lock(&lock);
    if (shared.bytes == 0 && read_pages(&p))
        shared.others = p.shared;
    shared.bytes += bytes;
    shared.mine += mine;
    pthread_mutex_unlock(&lock);
}

void mw_resident_unshares(uint64_t bytes, uint64_t mine)
{
    pthread_mutex_lock(&lock);
    note_peak();
    shared.bytes -= bytes;
    shared.mine -= mine;
    pthread_mutex_unlock(&lock);
}

uint64_t mw_resident_peak(void)
{
    struct rusage usage;
    pthread_mutex_lock(&lock);
    note_peak();
    if (peak == 0 && getrusage(RUSAGE_SELF, &usage) == 0)
        peak = (uint64_t)usage.ru_maxrss * 1024;
    const uint64_t now = peak;
    pthread_mutex_unlock(&lock);
    return now;
}
