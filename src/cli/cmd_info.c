/* cmd_info.c -- "meshway info": build, libraries and the machine as the program sees it,
 * from every rank it is started on.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/room.h"
#include "cli/commands.h"
#include "cli/session.h"
#include "cli/version.h"
#include "mpe/world.h"

#include <inttypes.h>

/* clang-format off */
static const struct mw_option options[] = {
    {.name = "threads", .letter = 't', .kind = MW_OPT_COUNT, .value = "N", .min = 1,
     .max = 4096, .section = "machine",
     .help = "Threads per rank to place; default: the host's cores / its ranks"},
    {.name = "ranks-per-host", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = 65536,
     .help = "Pretend that hosts have N ranks each"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {MW_CONFLICTS_COMMON};
/* clang-format on */

static void print_machine(const struct mw_session *s, const struct mw_world *w)
{
    struct mw_room room;
    mw_room_find("", &room);
    const struct mw_provenance *p = &s->provenance;
    const struct mw_comm *comm = s->comm;
    printf("ranks       %u on %u host%s, %u on this one%s\n", comm->size, comm->n_hosts,
           comm->n_hosts == 1 ? "" : "s", comm->host_size,
           comm->oversubscribed ? ", more than cores" : "");
    printf("threads     %u per rank by default\n", w->conf.n_threads);
    printf("placement   %s\n", w->placement);
    printf("host        %s, %s\n", p->host, p->kernel);
    printf("processor   %s\n", p->cpu_model);
    printf("cores       %u for this job; %u online, %u NUMA node%s, cpuset %s\n",
           comm->n_cores, p->n_cpus, p->n_numa, p->n_numa == 1 ? "" : "s", p->cpuset);
    printf("settings    governor %s, SMT %s, huge pages %s\n", p->governor, p->smt,
           p->thp);
    printf("memory      %.1f GiB available (%s), %.1f GiB in all%s\n",
           (double)room.memory / (1 << 30), room.memory_source,
           (double)p->memory_total / (1 << 30), p->container ? ", in a container" : "");
}

static void print_map(const struct mw_session *s)
{
    printf("map         rank  host              may run on\n");
    for (uint32_t r = 0; r < s->provenance.n_ranks; r++)
        printf("            %4u  %-16s  %s\n", r, s->provenance.place[r].host,
               s->provenance.place[r].cpus);
}

static int info_main(const struct mw_settings *settings)
{
    struct mw_session s;
    struct mw_world *w = NULL;
    const struct mw_world_conf conf = {
        .backend = "auto", .n_threads = (uint32_t)mw_setting_number(settings, "threads")};
    int rc = mw_session_start(settings, &s);
    if (rc == MW_OK)
        rc = mw_world_new(&conf, s.comm, &w);
    if (rc == MW_OK && s.speaks) {
        rc = mw_version_print(stdout, false);
        print_machine(&s, w);
        if (s.verbose)
            print_map(&s);
    }
    mw_world_free(w);
    return mw_session_finish(&s, rc);
}

const struct mw_command mw_command_info = {
    .name = "info",
    .summary = "build, MPI, topology, memory, backends and why one is missing",
    .text =
        "Prints what the program was built with and what it sees of the machine; under "
        "mpiexec, of all ranks. With --verbose also where each rank may run.",
    .example = "mpiexec -n 4 meshway info --verbose",
    .example_does = "ranks, hosts, threads and cores as a run would use them",
    .option = options,
    .n_options = sizeof options / sizeof *options,
    .conflict = conflicts,
    .n_conflicts = sizeof conflicts / sizeof *conflicts,
    .main = info_main,
};
