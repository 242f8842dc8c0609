/* shape.c -- see shape.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/shape.h"

#include "cli/run/tune.h"
#include "mpe/topology.h"
#include "shuffle/mesh_plan.h"

#include <stdio.h>
#include <string.h>

/* "auto", "node" or "4x8" as mw_world_conf has it. */
static int parse_groups(const char *text, struct mw_world_conf *out)
{
    const size_t digits = strspn(text, "0123456789");
    char n_text[16];
    uint64_t n, m;
    if (strcmp(text, "auto") == 0) {
        out->groups_n = out->groups_m = 0;
        return MW_OK;
    }
    if (strcmp(text, "node") == 0) {
        out->groups_n = UINT32_MAX;
        out->groups_m = 0;
        return MW_OK;
    }
    if (digits == 0 || digits >= sizeof n_text || text[digits] != 'x')
        return mw_fail(MW_ERR_USAGE,
                       "--groups: '%s' is not a shape; expected auto, node "
                       "or NxM, as in 4x8",
                       text);
    snprintf(n_text, sizeof n_text, "%.*s", (int)digits, text);
    int rc = mw_parse_count("--groups", n_text, 1, 1 << 30, &n);
    if (rc == MW_OK)
        rc = mw_parse_count("--groups", text + digits + 1, 1, 1 << 30, &m);
    if (rc != MW_OK)
        return rc;
    out->groups_n = (uint32_t)n;
    out->groups_m = (uint32_t)m;
    return MW_OK;
}

/* Only a mesh executes layouts; but one that could deadlock is refused in any case, so that
 * nobody learns about it on the machine. */
static int check_layout(const char *path, const struct mw_world_conf *conf)
{
    const struct mw_backend *backend;
    struct mw_mesh_plan *plan = NULL;
    int rc = mw_mesh_plan_open(path, 0, &plan);
    mw_mesh_plan_free(plan);
    if (rc == MW_OK)
        rc = mw_backend_find(conf->backend, &backend);
    if (rc == MW_OK && !backend->mesh)
        rc = mw_fail(
            MW_ERR_UNAVAILABLE,
            "--layout: %s is proved free of deadlock, but backend '%s' executes no "
            "layouts; --backend emul does",
            path, backend->name);
    return rc;
}

int mw_shape_configure(const struct mw_settings *s, const struct mw_algorithm *a,
                       const struct mw_run_options *run, struct mw_world_conf *out,
                       struct mw_graph_rule *graph)
{
    mw_run_options_apply(run, out, graph);
    graph->shuffles = mw_setting_number(s, "shuffle") != 0;
    if (graph->shuffles && graph->deal > 1)
        return mw_fail(MW_ERR_USAGE,
                       "--shuffle, --tune deal: vertices that are shuffled are dealt by "
                       "no number that follows another");
    if (a->weights != MW_WEIGHTS_NONE) /* ways share the graph */
        graph->weights = a->weights;
    out->backend = mw_setting_text(s, "backend");
    out->n_threads = (uint32_t)mw_setting_number(s, "threads");
    out->n_clusters = (uint32_t)mw_setting_number(s, "clusters");
    out->routing = (enum mw_routing)mw_setting_number(s, "routing");
    out->compress = (enum mw_compress)mw_setting_number(s, "compress");
    out->connections = (uint32_t)mw_setting_number(s, "connections");
    if (mw_setting_text(s, "device") != NULL)
        out->device = 1 + (uint32_t)mw_setting_number(s, "device");
    out->engine_mpe = mw_setting_number(s, "engine") == 1;
    out->layout = mw_setting_text(s, "layout");
    struct mw_topology topology;
    if (out->layout != NULL)
        MW_NEED(check_layout(out->layout, out));
    MW_NEED(mw_topology_read(mw_setting_text(s, "topology"), &topology));
    out->near_switch = topology.near_switch;
    out->switch_hosts = topology.switch_hosts;
    return parse_groups(mw_setting_text(s, "groups"), out);
}

int mw_shape_algorithm(const struct mw_settings *s, const struct mw_algorithm **out)
{
    const char *const kernel = mw_setting_text(s, "kernels"), *option = "algorithm";
    const char *name = mw_setting_text(s, option);
    if (kernel != NULL) {
        option = "kernels";
        name = mw_kernel_algorithm(kernel);
    }
    const int rc = mw_algorithm_find(mw_setting_name(s, option).text, name, out);
    if (rc != MW_OK || mw_setting_number(s, "mode") == 0)
        return rc;
    const struct mw_algorithm *const a = *out;
    *out = a->async;
    return a->async != NULL
               ? MW_OK
               : mw_fail(MW_ERR_USAGE, "--mode async: --algorithm %s has no such form",
                         a->name);
}
