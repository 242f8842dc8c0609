/* preflight_print.c -- what is planned, as text. See preflight.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/preflight.h"

#include <inttypes.h>

struct mw_bytes_shown mw_bytes_text(uint64_t bytes)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
                                        "TiB",   "PiB", "EiB"};
    struct mw_bytes_shown out;
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(out.text, sizeof out.text, unit == 0 ? "%.0f %s" : "%.1f %s", value,
             units[unit]);
    return out;
}

static void print_rows(const struct mw_preflight *p, const struct mw_plan *plan, FILE *f)
{
    fprintf(f, "\n%-40s %-8s %12s %16s  %s\n", "structure", "phase", "per rank", "bytes",
            "how");
    for (uint32_t i = 0; i < plan->sizes.n; i++) {
        const struct mw_size *row = &plan->sizes.row[i];
        const uint64_t bytes = mw_size_taken(row, mw_preflight_host_ranks(p));
        char name[64], copies[32] = "";
        if (bytes == 0)
            continue;
        if (row->copies > 1)
            snprintf(copies, sizeof copies, ", %" PRIu64 " times", row->copies);
        snprintf(name, sizeof name, "%s%s%s%s", row->what, copies,
                 row->of_host ? " (per host)" : "",
                 row->kind == MW_OF_CORES ? " (device)" : "");
        fprintf(f, "%-40s %-8s %12s %16" PRIu64 "  %s", name, mw_when_name(row->when),
                mw_bytes_text(bytes).text, bytes, row->estimated ? "estimated" : "exact");
        if (row->touched < 1000 && row->kind != MW_OF_CORES)
            fprintf(f, ", %u %% used", row->touched / 10);
        fputc('\n', f);
    }
}

static void print_device(const struct mw_preflight *p, const struct mw_plan *plan,
                         const struct mw_demand *d, FILE *f)
{
    fprintf(f, "device      %s per rank, %s for the %u rank%s on a device",
            mw_bytes_text(plan->device_bytes).text, mw_bytes_text(d->needed).text,
            p->device.n_ranks, p->device.n_ranks == 1 ? "" : "s");
    if (plan->device_most_bytes > plan->device_bytes)
        fprintf(f, "; %s more per rank where there is room",
                mw_bytes_text(plan->device_most_bytes - plan->device_bytes).text);
    fputc('\n', f);
    if (d->available == UINT64_MAX)
        fprintf(f, "available   not known of a device: --device-memory says it\n");
    else
        fprintf(f, "available   %s per device (%s)\n", mw_bytes_text(d->available).text,
                d->source);
}

/* What options come to, of the first way. */
static void print_options(const struct mw_preflight *p, const struct mw_plan *plan,
                          FILE *f)
{
    const struct mw_keys *keys = p->way[0].algorithm->keys;
    const struct mw_keys_case c = {.backend = plan->world.backend,
                                   .n_ranks = p->n_ranks,
                                   .n_hosts = p->n_hosts,
                                   .most_labels = mw_columns_of(1, plan->label_bits),
                                   .heavy = plan->heavy,
                                   .heavy_vertices = plan->heavy_vertices,
                                   .heavy_entries = plan->heavy_entries};
    char text[512] = "";
    if (keys != NULL && keys->describe != NULL)
        keys->describe(p->way[0].options, &c, text, sizeof text);
    if (text[0] != '\0')
        fprintf(f, "%s\n", text);
}

static void print_sums(const struct mw_preflight *p, const struct mw_plan *plan,
                       const struct mw_demand *demand, FILE *f)
{
    fprintf(f, "\npeak        %s per rank, %s per host\n",
            mw_bytes_text(plan->peak_bytes).text,
            mw_bytes_text(demand[MW_MEMORY].needed).text);
    fprintf(f, "available   %s per host (%s)\n", mw_bytes_text(p->room.memory).text,
            p->room.memory_source);
    if (plan->device_bytes > 0)
        print_device(p, plan, &demand[MW_DEVICE], f);
    if (p->room.space != UINT64_MAX)
        fprintf(f, "space       %s per rank, %s left (%s)\n",
                mw_bytes_text(demand[MW_SPACE].needed).text,
                mw_bytes_text(p->room.space).text, p->room.space_source);
    if (demand[MW_SHARED].needed > 0 && p->room.shared != UINT64_MAX)
        fprintf(f, "shared      %s per host with MPI's own, %s free in /dev/shm\n",
                mw_bytes_text(demand[MW_SHARED].needed).text,
                mw_bytes_text(demand[MW_SHARED].available).text);
}

int mw_preflight_print_verdict(const struct mw_preflight *p, bool fits, FILE *f)
{
    struct mw_plan plan;
    struct mw_demand demand[MW_DEMANDS];
    const int rc = mw_preflight_demands(p, &plan, demand);
    if (rc < MW_OK)
        return rc;
    fprintf(f, "verdict     %s: %s per rank, %s per host of %s available (%s)\n",
            fits ? "fits" : "does not fit", mw_bytes_text(plan.peak_bytes).text,
            mw_bytes_text(demand[MW_MEMORY].needed).text,
            mw_bytes_text(p->room.memory).text, p->room.memory_source);
    if (plan.device_bytes > 0)
        print_device(p, &plan, &demand[MW_DEVICE], f);
    return MW_OK;
}

int mw_preflight_print(const struct mw_preflight *p, bool table, FILE *f)
{
    struct mw_plan plan;
    struct mw_demand demand[MW_DEMANDS];
    const int rc = mw_preflight_demands(p, &plan, demand);
    if (rc < MW_OK)
        return rc;
    const struct mw_groups *groups = &plan.world.groups;
    fprintf(f, "vertices    %" PRIu64 "\nedges       %" PRIu64 "\n", p->n_vertices,
            p->n_edges);
    fprintf(f, "ranks       %u on %u host%s\n", p->n_ranks, p->n_hosts,
            p->n_hosts == 1 ? "" : "s");
    fprintf(f, "threads     %u per rank, backend %s\n", plan.world.n_threads,
            plan.world.backend->name);
    fprintf(f, "route       %s, %u group%s of %u", groups->width > 1 ? "relay" : "direct",
            groups->n_groups, groups->n_groups == 1 ? "" : "s", groups->width);
    if (plan.world.groups_by != MW_GROUPS_NONE)
        fprintf(f, " (%s)", mw_groups_by_names[plan.world.groups_by]);
    fprintf(f, ", %u peers\n", mw_world_peers(groups));
    print_options(p, &plan, f);
    if (table) {
        print_rows(p, &plan, f);
        print_sums(p, &plan, demand, f);
    }
    return MW_OK;
}
