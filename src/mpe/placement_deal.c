/* placement_deal.c -- the collective that deals out the cores of a host.
 *
 * The ranks of a host put their masks side by side in memory that all of them see.
 * Ranks with the same mask form a set and divide it; so an unbound run (one set) and a
 * launcher's binding (as many sets as ranks) are one case. Sets that overlap without
 * being equal are left alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/placement.h"

#include "base/log.h"
#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

void mw_placement_fini(struct mw_placement *p)
{
    mw_free(p->cpu);
    p->cpu = NULL;
}

/* ---- one host ---- */

enum { NO_TROUBLE, TROUBLE_RANKS, TROUBLE_ONE_CPU, TROUBLE_THREADS };

struct plan {
    struct mw_cores cores; /* of this rank's set */
    uint32_t i, n_ranks;   /* this rank among those of its set */
    uint32_t n_host_cpus;  /* all sets together */
    uint32_t n_host_cores; /* as many as the sets have, if all are like this one */
    uint32_t n_sets;       /* among the ranks of this host */
    bool overlap;          /* sets share processors */
    bool asked;            /* the number of threads is somebody's wish */
    int trouble;
};

/* How many sets there are, where this rank stands in its own, and whether they are
 * apart from each other. */
static void find_set(const struct mw_comm *comm, const struct mw_mask *mask,
                     struct plan *p)
{
    const struct mw_mask *own = &mask[comm->host_rank];
    struct mw_mask all = {{0}};
    for (uint32_t r = 0; r < comm->host_size; r++) {
        const bool same = mw_mask_equal(&mask[r], own);
        bool first = true;
        for (uint32_t before = 0; before < r && first; before++)
            first = !mw_mask_equal(&mask[before], &mask[r]);
        p->n_sets += first;
        p->overlap = p->overlap || (first && mw_mask_overlap(&all, &mask[r]));
        p->i += same && r < comm->host_rank;
        p->n_ranks += same;
        mw_mask_join(&all, &mask[r]);
    }
    p->n_host_cpus = mw_mask_count(&all);
}

static int read_masks(struct mw_comm *comm, struct plan *p)
{
    int rc;
    void *memory = NULL;
    struct mw_mask *mask;
    MW_TRY(rc, mw_comm_host_alloc(comm, "placement: masks",
                                  (uint64_t)comm->host_size * sizeof *mask, &memory));
    mask = memory;
    mw_mask_of_self(&mask[comm->host_rank]);
    MW_TRY(rc, mw_comm_host_barrier(comm));
    find_set(comm, mask, p);
    rc = mw_cores_find(&mask[comm->host_rank], &p->cores);
    p->n_host_cores = p->overlap ? p->n_host_cpus : p->cores.n_cores * p->n_sets;
end:
    mw_comm_host_free(comm, memory);
    return rc;
}

/* OMP_NUM_THREADS: the first number of its list; 0 if there is none. */
static uint32_t threads_of_environment(void)
{
    const char *text = getenv("OMP_NUM_THREADS");
    char *end;
    if (text == NULL)
        return 0;
    const long n = strtol(text, &end, 10);
    return end != text && n > 0 && n <= 1 << 20 && (*end == '\0' || *end == ',')
               ? (uint32_t)n
               : 0;
}

/* This host's processors are shared with other, pretended hosts. */
static bool pretended(const struct mw_comm *comm, const struct plan *p)
{
    return comm->n_cores < p->n_host_cpus;
}

static uint32_t choose_threads(const struct mw_comm *comm, const struct plan *p)
{
    const uint32_t n = pretended(comm, p) || p->overlap ? comm->n_cores / comm->host_size
                                                        : p->cores.n_cores / p->n_ranks;
    return n > 0 ? n : 1;
}

/* Fills out->cpu if every thread of this rank can have a processor of its own. */
static int bind_threads(const struct mw_comm *comm, const struct plan *p,
                        struct mw_placement *out)
{
    uint32_t from, to;
    if (comm->oversubscribed || pretended(comm, p) || p->overlap ||
        p->cores.planned_by != NULL)
        return MW_OK;
    MW_NEED_NEW(out->cpu, "placement: one processor per thread", out->n_threads);
    mw_cores_block(p->cores.n_cores, p->i, p->n_ranks, &from, &to);
    if (!mw_cores_deal(&p->cores, from, to, out->n_threads, out->cpu)) {
        mw_free(out->cpu);
        out->cpu = NULL;
    }
    return MW_OK;
}

/* A bound thread beside unbound ones would find them on its processor: all or none. */
static int bind_all_or_none(struct mw_comm *comm, struct mw_placement *out)
{
    uint64_t bound = out->cpu != NULL;
    const int rc = mw_comm_min(comm, &bound, 1);
    if (bound == 0)
        mw_placement_fini(out);
    return rc;
}

static int find_crowd(struct mw_comm *comm, struct mw_placement *out)
{
    uint64_t any = out->oversubscribed;
    const int rc = mw_comm_max(comm, &any, 1);
    out->crowded = any != 0;
    return rc;
}

static int trouble_of(const struct mw_comm *comm, const struct plan *p,
                      const struct mw_placement *out)
{
    const uint64_t n_threads = (uint64_t)out->n_threads * comm->host_size;
    if (comm->host_size > 1 && p->n_host_cpus == 1 && sysconf(_SC_NPROCESSORS_ONLN) > 1)
        return TROUBLE_ONE_CPU;
    if (comm->host_size > comm->n_cores)
        return TROUBLE_RANKS;
    if (p->asked && n_threads > comm->n_cores)
        return TROUBLE_THREADS;
    return NO_TROUBLE;
}

/* ---- words ---- */

static const char *plural(uint32_t n)
{
    return n == 1 ? "" : "s";
}

static void warn(const struct mw_comm *comm, const struct plan *p,
                 const struct mw_placement *out, uint64_t n_hosts)
{
    char others[48] = "";
    if (n_hosts > 1)
        snprintf(others, sizeof others, " (and %u more host%s)", (unsigned)n_hosts - 1,
                 plural((uint32_t)n_hosts - 1));
    switch (p->trouble) {
    case TROUBLE_ONE_CPU:
        mw_note("host %u%s: all %u ranks are bound to processor %d alone; start without "
                "taskset or with -bind-to none",
                comm->host, others, comm->host_size, p->cores.cpu[0]);
        break;
    case TROUBLE_RANKS:
        mw_note("host %u%s: %u ranks on %u core%s: waiting ranks yield, times say little",
                comm->host, others, comm->host_size, comm->n_cores,
                plural(comm->n_cores));
        break;
    case TROUBLE_THREADS:
        mw_note(
            "host %u%s: %u rank%s x %u threads on %u core%s: threads take turns, times "
            "say little",
            comm->host, others, comm->host_size, plural(comm->host_size), out->n_threads,
            comm->n_cores, plural(comm->n_cores));
        break;
    default:
        break;
    }
}

/* One line for all hosts in trouble, from the lowest rank of the first of them. */
static int warn_once(struct mw_comm *comm, const struct plan *p,
                     const struct mw_placement *out)
{
    const bool speaks = p->trouble != NO_TROUBLE && comm->host_rank == 0;
    uint64_t first = speaks ? comm->rank : comm->size, n_hosts = speaks;
    MW_NEED(mw_comm_min(comm, &first, 1));
    MW_NEED(mw_comm_sum(comm, &n_hosts, 1));
    if (first == comm->rank)
        warn(comm, p, out, n_hosts);
    return MW_OK;
}

static void describe_binding(const struct mw_comm *comm, const struct plan *p,
                             const struct mw_placement *out, char *text, size_t bytes)
{
    uint32_t from, to;
    mw_cores_block(p->cores.n_cores, p->i, p->n_ranks, &from, &to);
    if (p->cores.planned_by != NULL)
        snprintf(text, bytes, "not bound: %s describes another machine",
                 p->cores.planned_by);
    else if (out->oversubscribed)
        snprintf(text, bytes, "not bound: more threads than cores");
    else if (pretended(comm, p))
        snprintf(text, bytes, "not bound: hosts are pretended");
    else if (p->overlap)
        snprintf(text, bytes, "not bound: the launcher's masks overlap");
    else if (out->cpu == NULL)
        snprintf(text, bytes, "not bound");
    else
        snprintf(text, bytes, "%s%s",
                 out->n_threads <= to - from ? "one core each" : "threads share cores",
                 p->n_sets > 1 ? " as the launcher has bound them" : "");
}

static void describe(const struct mw_comm *comm, const struct plan *p,
                     struct mw_placement *out)
{
    char how[80], hosts[48] = "";
    describe_binding(comm, p, out, how, sizeof how);
    if (comm->n_hosts > 1)
        snprintf(hosts, sizeof hosts, "%u hosts of ", comm->n_hosts);
    const uint32_t n_cores = pretended(comm, p) ? comm->n_cores : p->n_host_cores;
    snprintf(out->sentence, sizeof out->sentence,
             "%u rank%s x %u thread%s on %s%u core%s, %s", comm->size, plural(comm->size),
             out->n_threads, plural(out->n_threads), hosts, n_cores, plural(n_cores),
             how);
}

/* ---- the collectives ---- */

uint32_t mw_placement_threads(uint32_t n_threads, uint32_t n_host_cores,
                              uint32_t host_ranks)
{
    const uint32_t asked = n_threads > 0 ? n_threads : threads_of_environment();
    return asked > 0 ? asked : (uint32_t)mw_max(1, n_host_cores / host_ranks);
}

int mw_placement_count(struct mw_comm *comm, uint32_t n_threads,
                       struct mw_thread_count *out)
{
    struct plan p = {0};
    const int rc = mw_comm_agree(comm, read_masks(comm, &p));
    *out = (struct mw_thread_count){1, 1};
    if (rc == MW_OK) {
        const uint32_t asked = n_threads > 0 ? n_threads : threads_of_environment();
        out->n_threads = asked > 0 ? asked : choose_threads(comm, &p);
        out->n_host_cores = pretended(comm, &p) ? comm->n_cores : p.n_host_cores;
    }
    mw_cores_fini(&p.cores);
    return rc;
}

int mw_placement_find(struct mw_comm *comm, uint32_t n_threads, struct mw_placement *out)
{
    int rc;
    struct plan p = {0};
    *out = (struct mw_placement){0};
    MW_TRY(rc, mw_comm_agree(comm, read_masks(comm, &p)));
    out->n_threads = n_threads > 0 ? n_threads : threads_of_environment();
    p.asked = out->n_threads > 0;
    if (!p.asked)
        out->n_threads = choose_threads(comm, &p);
    MW_TRY(rc, mw_comm_agree(comm, bind_threads(comm, &p, out)));
    MW_TRY(rc, bind_all_or_none(comm, out));
    out->oversubscribed = comm->oversubscribed ||
                          (uint64_t)out->n_threads * comm->host_size > comm->n_cores;
    MW_TRY(rc, find_crowd(comm, out));
    out->planned = p.cores.planned_by != NULL;
    p.trouble = trouble_of(comm, &p, out);
    describe(comm, &p, out);
    MW_TRY(rc, warn_once(comm, &p, out));
    MW_TRY(rc, mw_comm_broadcast(comm, out->sentence, sizeof out->sentence, 0));
    mw_cores_fini(&p.cores);
    return MW_OK;
end:
    mw_cores_fini(&p.cores);
    mw_placement_fini(out);
    return rc;
}
