/* throughput.c -- the closed formula: what each kind of work allows, from the messages
 * that each core handles when destinations are uniform.
 *
 * Cores of one role in one row (in one column of a transposed layout) share the work there:
 * a group is as fast as all its columns that some flow uses, and the mesh is as fast as its
 * slowest group. That reduces to the published formula for producers, down and up routers and
 * consumers, step hops included. A role that does several kinds of work is bounded by their
 * sum, and so is every kind that it takes part in. Cores without a role stand alone.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "layouts/sim/sim.h"

#include <math.h>

/* Work of one core, in messages per message that the whole mesh delivers. */
struct load {
    double made, passed, taken;
    double received[MW_N_CLASSES];
    bool used;
};

static void add_hop(const struct mw_layout *l, struct load *load, mw_core from,
                    mw_core to, double weight)
{
    load[from].used = load[to].used = true;
    load[to].received[mw_hop_class(l, from, to)] += weight;
}

/* A flow's cores, each with the flow's weight. */
static void add_flow(const struct mw_layout *l, struct load *load, const mw_core *core,
                     uint64_t n, double weight)
{
    load[core[0]].made += weight;
    for (uint64_t i = 0; i + 1 < n; i++) {
        add_hop(l, load, core[i], core[i + 1], weight);
        if (i != 0)
            load[core[i]].passed += weight;
    }
    load[core[n - 1]].taken += weight;
}

/* Each source sends as much as every other, and the same along each of its flows. */
static int add_flows(const struct mw_layout *l, struct load *load)
{
    int rc = MW_OK;
    uint64_t *n_from = NULL;
    uint32_t n_sources = 0;
    mw_core *path = NULL;
    MW_NEW(rc, n_from, "flows per source", mw_mesh_cores(l));
    MW_NEW(rc, path, "a flow", mw_max(l->longest, mw_mesh_cores(l) + 1));
    for (uint32_t i = 0; i < l->n_sources; i++)
        n_from[l->source[i]] = l->source_first[i + 1] - l->source_first[i];
    for (uint64_t i = 0; i < l->n_listed; i++)
        n_from[l->listed_core[l->listed_first[i]]]++;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        n_sources += n_from[v] != 0;
    if (n_sources == 0)
        rc = mw_fail(MW_ERR_DATA, "the layout has no flow, hence no source");
    for (uint32_t k = 0; k < l->n_sinks; k++)
        for (uint32_t i = 0; i < l->n_sources; i++) {
            const mw_core *next = l->next + (size_t)k * mw_mesh_cores(l);
            uint32_t n = 0;
            path[n++] = l->source[i];
            for (mw_core v = path[0]; v != l->sink[k]; path[n++] = v)
                v = next[v];
            if (n > 1)
                add_flow(l, load, path, n, 1.0 / n_sources / (double)n_from[path[0]]);
        }
    for (uint64_t i = 0; i < l->n_listed; i++) {
        const mw_core *core = l->listed_core + l->listed_first[i];
        add_flow(l, load, core, l->listed_first[i + 1] - l->listed_first[i],
                 1.0 / n_sources / (double)n_from[core[0]]);
    }
end:
    MW_FREE_ALL(n_from, path);
    return rc;
}

/* ---- groups ------------------------------------------------------------------------------ */

/* A core's row, and its position in it; of a transposed layout, as the roles were written. */
static uint32_t line_of(const struct mw_layout *l, uint32_t v)
{
    return l->transpose ? v % l->cols : v / l->cols;
}

static uint32_t position_of(const struct mw_layout *l, uint32_t v)
{
    return l->transpose ? v / l->cols : v % l->cols;
}

/* Whether a core of that role is used at that position of any row. */
struct positions {
    uint64_t used[MW_N_LETTERS];
};

static bool counts(const struct mw_layout *l, const struct positions *p, uint32_t v)
{
    return (p->used[l->role[v] - 'A'] >> position_of(l, v) & 1) != 0;
}

/* Everything that v's group handles, and how many cores share that. */
static struct load group_of(const struct mw_layout *l, const struct load *load,
                            const struct positions *p, uint32_t v, uint32_t *n)
{
    struct load sum = load[v];
    *n = 1;
    if (l->role[v] == '.')
        return sum;
    sum = (struct load){0};
    *n = 0;
    for (uint32_t u = 0; u < mw_mesh_cores(l); u++)
        if (l->role[u] == l->role[v] && line_of(l, u) == line_of(l, v) &&
            counts(l, p, u)) {
            sum.made += load[u].made;
            sum.passed += load[u].passed;
            sum.taken += load[u].taken;
            ++*n;
        }
    return sum;
}

static void least(double *bound, double x)
{
    *bound = x < *bound ? x : *bound;
}

/* What the cores' hands allow; per message, a group is busy `work` cycles of its n cores'. */
static void bound_hands(const struct mw_layout *l, const struct load *load,
                        struct mw_throughput *out)
{
    const double rate = l->clock_hz * l->payload_bytes;
    struct positions p = {{0}};
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        if (load[v].used && l->role[v] != '.')
            p.used[l->role[v] - 'A'] |= UINT64_C(1) << position_of(l, v);
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        uint32_t n;
        if (!load[v].used)
            continue;
        const struct load g = group_of(l, load, &p, v, &n);
        const double cost = (double)mw_max(1, mw_core_cost(l, (mw_core)v));
        const double bound = rate * n / (cost * (g.made + g.passed + g.taken));
        if (g.made > 0)
            least(&out->producers, bound);
        if (g.passed > 0)
            least(&out->routers, bound);
        if (g.taken > 0)
            least(&out->consumers, bound);
        const double own = load[v].made + load[v].passed + load[v].taken;
        if (rate / (cost * own) < out->busiest) {
            out->busiest = rate / (cost * own);
            out->busiest_core = (mw_core)v;
        }
    }
}

/* Reads and writes share the controller; each core has one blocking request of a batch out,
 * so `saturation` of them fill it. */
static double bound_memory(const struct mw_layout *l, const struct load *load)
{
    const double per_core = l->dma_bytes_per_s / (double)mw_max(1, l->dma_saturation);
    uint32_t n_making = 0, n_taking = 0;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        n_making += load[v].made > 0;
        n_taking += load[v].taken > 0;
    }
    return fmin(l->dma_bytes_per_s / 2,
                per_core * (n_making < n_taking ? n_making : n_taking));
}

/* One message a cycle over the most used link into a core. */
static double bound_bus(const struct mw_layout *l, const struct load *load)
{
    double most = 0;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        most = fmax(most, fmax(load[v].received[MW_ROW], load[v].received[MW_COLUMN]));
    return l->clock_hz * l->payload_bytes / most;
}

/* ---- the result ---------------------------------------------------------------------------- */

/* Of a router-bound 8x8 paper layout, simulated once for the published table; between the
 * depths by the logarithm. */
static double eta_of(uint32_t depth)
{
    static const struct {
        double log2_depth, eta;
    } known[] = {{0, .66}, {1, .74}, {2, .81}, {3, .87}, {4, .92}, {6, .97}};
    enum { N = sizeof known / sizeof known[0] };
    const double x = log2((double)mw_max(1, depth));
    for (int i = 1; i < N; i++)
        if (x <= known[i].log2_depth) {
            const double part = (x - known[i - 1].log2_depth) /
                                (known[i].log2_depth - known[i - 1].log2_depth);
            return known[i - 1].eta + part * (known[i].eta - known[i - 1].eta);
        }
    return known[N - 1].eta;
}

/* The first of the least, equal within rounding. */
static void name_limit(struct mw_throughput *t)
{
    const struct {
        const char *name;
        double bound;
    } stage[] = {{"producer", t->producers},
                 {"router", t->routers},
                 {"consumer", t->consumers},
                 {"memory", t->memory},
                 {"bus", t->bus}};
    t->bound = INFINITY;
    for (uint32_t i = 0; i < sizeof stage / sizeof stage[0]; i++)
        if (stage[i].bound < t->bound * (1 - 1e-9)) {
            t->bound = stage[i].bound;
            t->limit = stage[i].name;
        }
}

int mw_layout_throughput(const struct mw_layout *l, struct mw_throughput *out)
{
    int rc = MW_OK;
    struct load *load = NULL;
    *out = (struct mw_throughput){.producers = INFINITY,
                                  .routers = INFINITY,
                                  .consumers = INFINITY,
                                  .busiest = INFINITY};
    if (mw_layout_has_ways(l)) { /* who passes how much on is known of no way */
        out->bound = INFINITY;
        out->limit = "-";
        return MW_OK;
    }
    MW_NEW(rc, load, "work per core", mw_mesh_cores(l));
    MW_TRY(rc, add_flows(l, load));
    bound_hands(l, load, out);
    out->memory = bound_memory(l, load);
    out->bus = bound_bus(l, load);
    out->eta = eta_of((uint32_t)mw_min(l->fifo[MW_ROW], l->fifo[MW_COLUMN]));
    name_limit(out);
end:
    mw_free(load);
    return rc;
}
