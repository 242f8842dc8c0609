/* stopped_clock.c -- preloaded: the monotonic clock stands still, as on some virtual machines.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include <time.h>

/* Hidden, as the flags have it, nobody would meet it. */
__attribute__((visibility("default"))) int clock_gettime(clockid_t id,
                                                         struct timespec *out)
{
    *out = (struct timespec){.tv_sec = id == CLOCK_MONOTONIC ? 1000 : 1700000000};
    return 0;
}
