/* faulty_program.c -- beside the program's own main: its transport misbehaves as the variable
 * MWT_FAULTS says (faults_of_text()), and the first rank is stopped when the phase begins that MWT_STOP
 * names, or, "free", when it frees memory of the host while roots are searched. For tests of what users see,
 * and for scripts/soak.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "faulty_transport.h"

#include <signal.h>

int __wrap_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out)
{
    const char *text = getenv("MWT_FAULTS");
    struct mw_transport_conf by_host = *conf;
    struct mw_transport *real;
    if (!faults_of_text(text != NULL ? text : "", &faults))
        return mw_fail(MW_ERR_USAGE, "MWT_FAULTS: '%s' is no list of faults", text);
    by_host.time = NULL; /* in a time of its own a batch would be late for good */
    const int rc = __real_mw_transport_new(faults.delay > 0 ? &by_host : conf, &real);
    return rc < MW_OK ? rc : faulty_over(conf, &faults, real, out);
}

void __real_mw_signals_phase(const char *phase);
void __wrap_mw_signals_phase(const char *phase);

static bool searching;

/* Once: whoever is woken goes on. */
static void stop_where(const char *what)
{
    static bool stopped;
    const char *stop = getenv("MWT_STOP"), *rank = getenv("PMI_RANK");
    if (stopped || stop == NULL || strcmp(stop, what) != 0 || rank == NULL ||
        atoi(rank) != 0)
        return;
    stopped = true;
    raise(SIGSTOP);
}

void __wrap_mw_signals_phase(const char *phase)
{
    __real_mw_signals_phase(phase);
    searching = strcmp(phase, "search") == 0;
    stop_where(phase);
}

void __real_mw_shared_parts_unmap(void *parts, uint64_t bytes);
void __wrap_mw_shared_parts_unmap(void *parts, uint64_t bytes);

void __wrap_mw_shared_parts_unmap(void *parts, uint64_t bytes)
{
    if (searching)
        stop_where("free");
    __real_mw_shared_parts_unmap(parts, bytes);
}
