/* preflight.c -- see preflight.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/preflight.h"

#include "base/mem.h"
#include "graph500/plan.h"

#include <inttypes.h>
#include <string.h>

static int make_plan(const struct mw_preflight *p, struct mw_plan *out)
{
    struct mw_plan_conf conf = {
        .n_vertices = p->n_vertices,
        .n_edges = p->n_edges,
        .kronecker = p->scale > 0,
        .n_ranks = p->n_ranks,
        .n_hosts = p->n_hosts,
        .world = p->way[0].world,
        .validate = p->validate,
        .direction = &p->way[0].direction,
    };
    int rc = mw_plan_make(&conf, out);
    for (uint32_t i = 1; i < p->n_ways && rc >= MW_OK; i++) {
        struct mw_plan another;
        conf.world = p->way[i].world;
        conf.direction = &p->way[i].direction;
        rc = mw_plan_make(&conf, &another);
        for (uint32_t k = 0; rc >= MW_OK && k < another.n_rows; k++)
            if (strcmp(another.row[k].phase, "search") == 0)
                out->peak_bytes += another.row[k].bytes;
    }
    return rc;
}

static uint32_t ranks_per_host(const struct mw_preflight *p)
{
    return (p->n_ranks + p->n_hosts - 1) / p->n_hosts;
}

/* What is compared with what is available: one rank's bytes, or those of a host. */
static uint64_t needed(const struct mw_preflight *p, uint64_t rank_bytes)
{
    uint64_t bytes;
    if (p->per_rank)
        return rank_bytes;
    return __builtin_mul_overflow(rank_bytes, (uint64_t)ranks_per_host(p), &bytes)
               ? UINT64_MAX
               : bytes;
}

static bool fits(const struct mw_preflight *p)
{
    struct mw_plan plan;
    return make_plan(p, &plan) >= MW_OK &&
           needed(p, plan.peak_bytes) <= p->available_bytes;
}

/* 0: not even the smallest. */
static uint32_t largest_scale(const struct mw_preflight *p)
{
    struct mw_preflight smaller = *p;
    for (uint32_t scale = p->scale - 1; scale > 0; scale--) {
        smaller.scale = scale;
        smaller.n_vertices = UINT64_C(1) << scale;
        smaller.n_edges = (uint64_t)p->edgefactor << scale;
        if (fits(&smaller))
            return scale;
    }
    return 0;
}

/* Doubles the hosts, each with as many ranks as now. 0: too many to be worth naming. */
static uint32_t enough_ranks(const struct mw_preflight *p, uint32_t *n_hosts)
{
    struct mw_preflight more = *p;
    while (more.n_hosts < 1u << 20 && more.n_ranks < 1u << 22) {
        more.n_hosts *= 2;
        more.n_ranks = more.n_hosts * ranks_per_host(p);
        if (fits(&more)) {
            *n_hosts = more.n_hosts;
            return more.n_ranks;
        }
    }
    return 0;
}

const char *mw_bytes_text(uint64_t bytes, char *out, size_t room)
{
    static const char *const units[] = {"bytes", "KiB", "MiB", "GiB",
                                        "TiB",   "PiB", "EiB"};
    double value = (double)bytes;
    size_t unit = 0;
    for (; value >= 1024 && unit + 1 < sizeof units / sizeof *units; unit++)
        value /= 1024;
    snprintf(out, room, unit == 0 ? "%.0f %s" : "%.1f %s", value, units[unit]);
    return out;
}

void mw_preflight_measure(struct mw_preflight *p)
{
    p->available_bytes = mw_mem_available(&p->available_source);
    p->per_rank = strncmp(p->available_source, "RLIMIT", 6) == 0; /* holds per process */
}

int mw_preflight_file(struct mw_preflight *p, const struct mw_read_conf *file)
{
    struct mw_file_facts facts;
    const int rc = mw_read_facts(file, &facts);
    if (rc < MW_OK)
        return rc;
    p->n_vertices = facts.n_vertices;
    p->n_edges = facts.n_edges == MW_UNKNOWN ? 0 : facts.n_edges;
    return MW_OK;
}

int mw_preflight_predict(struct mw_preflight *p)
{
    struct mw_plan plan;
    p->predicted_bytes = 0;
    if (p->n_vertices == 0 || p->n_edges == 0)
        return MW_OK;
    const int rc = make_plan(p, &plan);
    if (rc >= MW_OK)
        p->predicted_bytes = plan.peak_bytes;
    return rc;
}

bool mw_preflight_fits(const struct mw_preflight *p)
{
    return needed(p, p->predicted_bytes) <= p->available_bytes;
}

int mw_preflight_leave_out_bitmap(struct mw_preflight *p, bool *changed)
{
    *changed = false;
    for (uint32_t i = 0; i < p->n_ways; i++)
        if (p->way[i].direction.form == MW_FORM_AUTO) {
            p->way[i].direction.form = MW_FORM_MESSAGES;
            *changed = true;
        }
    return *changed ? mw_preflight_predict(p) : MW_OK;
}

int mw_preflight_judge(const struct mw_preflight *p)
{
    char rank[32], all[32], available[32], what[48], instead[160] = "";
    size_t used = 0;
    uint32_t n_hosts = 0;
    if (mw_preflight_fits(p))
        return MW_OK;
    snprintf(what, sizeof what, "SCALE %u", p->scale);
    if (p->scale == 0)
        snprintf(what, sizeof what, "the graph");
    const uint32_t scale = p->scale > 1 ? largest_scale(p) : 0;
    const uint32_t ranks = enough_ranks(p, &n_hosts);
    if (scale > 0)
        used += (size_t)snprintf(instead, sizeof instead, "; SCALE %u would fit", scale);
    if (ranks > 0)
        snprintf(instead + used, sizeof instead - used,
                 "; %u ranks on %u hosts like this one would do", ranks, n_hosts);
    return mw_fail(MW_ERR_REFUSED,
                   "%s needs %s per rank, %s for the %u rank%s of a host, but %s are "
                   "available %s (%s)%s",
                   what, mw_bytes_text(p->predicted_bytes, rank, sizeof rank),
                   mw_bytes_text(needed(p, p->predicted_bytes), all, sizeof all),
                   p->per_rank ? 1 : ranks_per_host(p),
                   p->per_rank || ranks_per_host(p) == 1 ? "" : "s",
                   mw_bytes_text(p->available_bytes, available, sizeof available),
                   p->per_rank ? "to each" : "there", p->available_source, instead);
}

int mw_preflight_print(const struct mw_preflight *p, FILE *f)
{
    char text[32];
    struct mw_plan plan;
    const int rc = make_plan(p, &plan);
    if (rc < MW_OK)
        return rc;
    fprintf(f, "vertices    %" PRIu64 "\nedges       %" PRIu64 "\n", p->n_vertices,
            p->n_edges);
    fprintf(f, "ranks       %u on %u host%s\n", p->n_ranks, p->n_hosts,
            p->n_hosts == 1 ? "" : "s");
    fprintf(f, "route       %s, %u group%s of %u\n\n",
            plan.groups.width > 1 ? "relay" : "direct", plan.groups.n_groups,
            plan.groups.n_groups == 1 ? "" : "s", plan.groups.width);
    fprintf(f, "%-34s %-24s %12s %16s\n", "structure", "phase", "per rank", "bytes");
    for (uint32_t i = 0; i < plan.n_rows; i++)
        fprintf(f, "%-34s %-24s %12s %16" PRIu64 "\n", plan.row[i].name,
                plan.row[i].phase, mw_bytes_text(plan.row[i].bytes, text, sizeof text),
                plan.row[i].bytes);
    fprintf(f, "\npeak        %s per rank",
            mw_bytes_text(plan.peak_bytes, text, sizeof text));
    fprintf(f, ", %s per host\n",
            mw_bytes_text(plan.peak_bytes * ranks_per_host(p), text, sizeof text));
    fprintf(f, "available   %s per %s (%s)\n",
            mw_bytes_text(p->available_bytes, text, sizeof text),
            p->per_rank ? "rank" : "host", p->available_source);
    return MW_OK;
}
