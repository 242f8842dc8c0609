/* shape.c -- see shape.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/shape.h"

#include "shuffle/mesh_plan.h"

#include <stdio.h>
#include <string.h>

int mw_shape_parse_groups(const char *text, struct mw_world_conf *out)
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

/* A mesh backend would take the plan from here; until this build has one, a layout is proved
 * and then there is nothing that could execute it. */
static int check_layout(const char *path)
{
    struct mw_mesh_plan *plan = NULL;
    const int rc = mw_mesh_plan_open(path, 0, &plan);
    mw_mesh_plan_free(plan);
    if (rc < MW_OK)
        return rc;
    return mw_fail(
        MW_ERR_UNAVAILABLE,
        "--layout: %s is proved free of deadlock, but no backend of this build "
        "executes layouts",
        path);
}

int mw_shape_configure(const struct mw_settings *s, struct mw_world_conf *out)
{
    out->backend = mw_setting_text(s, "backend");
    out->n_threads = (uint32_t)mw_setting_number(s, "threads");
    out->n_clusters = (uint32_t)mw_setting_number(s, "clusters");
    out->routing = (enum mw_routing)mw_setting_number(s, "routing");
    out->batch_bytes = (uint32_t)mw_setting_number(s, "batch");
    out->small_input = (uint32_t)mw_setting_number(s, "small-input");
    const char *layout = mw_setting_text(s, "layout");
    const int rc = layout != NULL ? check_layout(layout) : MW_OK;
    return rc < MW_OK ? rc : mw_shape_parse_groups(mw_setting_text(s, "groups"), out);
}
