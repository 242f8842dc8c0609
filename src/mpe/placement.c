/* placement.c -- the cores of this machine as hwloc knows them.
 *
 * hwloc answers one question here: which processors share a core. What may be used is
 * the affinity mask's word, also where hwloc sees less (a cgroup, an odd topology) or
 * another machine altogether (HWLOC_SYNTHETIC, HWLOC_XMLFILE: for planning only).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/placement.h"

#include "base/log.h"
#include "base/mem.h"

#include <hwloc.h>
#include <stdlib.h>

/* The variable that makes hwloc describe another machine than this one, or NULL. */
static const char *planned_by(void)
{
    static const char *const name[] = {"HWLOC_SYNTHETIC", "HWLOC_XMLFILE", "HWLOC_FSROOT",
                                       "HWLOC_CPUID_PATH"};
    for (size_t i = 0; i < sizeof name / sizeof name[0]; i++)
        if (getenv(name[i]) != NULL)
            return name[i];
    return NULL;
}

/* Appends one core: those of its processors that are in the mask. */
static void append_core(struct mw_cores *c, hwloc_const_cpuset_t set,
                        const struct mw_mask *mask)
{
    const uint32_t before = c->n_cpus;
    for (int cpu = hwloc_bitmap_first(set); cpu >= 0; cpu = hwloc_bitmap_next(set, cpu))
        if (mw_mask_has(mask, (uint32_t)cpu))
            c->cpu[c->n_cpus++] = cpu;
    if (c->n_cpus > before)
        c->first[++c->n_cores] = c->n_cpus;
}

static int cores_of_topology(hwloc_topology_t topology, const struct mw_mask *mask,
                             struct mw_cores *c)
{
    int rc;
    const uint32_t n_cpus = mw_mask_count(mask);
    hwloc_obj_t core = NULL;
    hwloc_obj_type_t type = HWLOC_OBJ_CORE; /* absent in some virtual machines */
    if (hwloc_get_nbobjs_by_type(topology, HWLOC_OBJ_CORE) <= 0)
        type = HWLOC_OBJ_PU;
    MW_NEW(rc, c->cpu, "placement: processors", n_cpus);
    MW_NEW(rc, c->first, "placement: cores", (uint64_t)n_cpus + 1);
    while ((core = hwloc_get_next_obj_by_type(topology, type, core)) != NULL)
        append_core(c, core->cpuset, mask);
    return MW_OK;
end:
    mw_cores_fini(c);
    return rc;
}

int mw_cores_find(const struct mw_mask *mask, struct mw_cores *out)
{
    int rc;
    hwloc_topology_t topology;
    const char *const planned = planned_by();
    *out = (struct mw_cores){0};
    if (planned != NULL) {
        rc = mw_cores_of_mask(mask, out);
        out->planned_by = planned;
        return rc;
    }
    if (hwloc_topology_init(&topology) != 0) {
        mw_note("topology: partial: hwloc does not start, using the affinity mask");
        return mw_cores_of_mask(mask, out);
    }
    rc = hwloc_topology_load(topology) == 0 ? cores_of_topology(topology, mask, out)
                                            : MW_OK;
    hwloc_topology_destroy(topology);
    if (rc == MW_OK && out->n_cpus != mw_mask_count(mask)) {
        mw_note("topology: partial: hwloc knows %u of %u allowed processors, using the "
                "affinity mask",
                out->n_cpus, mw_mask_count(mask));
        mw_cores_fini(out);
        rc = mw_cores_of_mask(mask, out);
    }
    return rc;
}
