/* hazards.c -- what a layout without cycles can still get wrong: a local store that is too
 * small, programs that wait for a named input or for an end-of-stream marker that nobody sends.
 * (Two writers of one bucket: lang/writers.c.)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/proof/proof.h"

#include "base/mem.h"
#include "mesh/proof/graph.h"

/* ---- budget ------------------------------------------------------------------------ */

/* At most INT64_MAX: JSON has no more. */
static uint64_t product(uint64_t a, uint64_t b)
{
    uint64_t p;
    return __builtin_mul_overflow(a, b, &p) || p > INT64_MAX ? INT64_MAX : p;
}

void mw_layout_budget(const struct mw_layout *l, struct mw_budget *out)
{
    mw_core owner[MW_MESH_CORES_MAX]; /* 8 KiB */
    const uint64_t n_owners = mw_layout_owners(l, owner);
    const uint64_t per_bucket = (uint64_t)l->batch_bytes * l->batch_buffers;
    const uint64_t room =
        l->spm_bytes > l->spm_reserve ? l->spm_bytes - l->spm_reserve : 0;
    const uint64_t fullest = /* buckets of one owner */
        n_owners == 0 ? 0 : (l->n_buckets + n_owners - 1) / n_owners;
    const uint64_t used = product(fullest, per_bucket);
    *out = (struct mw_budget){
        .n_owners = n_owners,
        .buckets = l->n_buckets,
        .buckets_fit = per_bucket == 0 ? INT64_MAX : n_owners * (room / per_bucket),
        .bucket_bytes = per_bucket,
        .bytes_used = used,
        .bytes_free = room,
        .fits = used <= room && (n_owners > 0 || l->n_buckets == 0),
    };
}

/* ---- hazards ----------------------------------------------------------------------- */

struct inputs {
    uint32_t n[MW_N_CLASSES]; /* predecessors in its row, in its column */
};

static void count_inputs(const struct mw_mesh_graph *g, struct inputs *inputs)
{
    for (mw_mesh_node a = 0; a < g->n_nodes; a++)
        mw_for_each_slot(slot, g, a) inputs[mw_slot_node(g, MW_COUPLED, (mw_core)a, slot)]
            .n[mw_slot_class(g, slot)]++;
}

static void note_core(mw_core v, const struct inputs *in, struct mw_hazards *h)
{
    const uint32_t n = in->n[MW_ROW] + in->n[MW_COLUMN];
    h->n_markers += n;
    h->n_receivers += n > 0;
    if (n > h->most_markers) {
        h->most_markers = n;
        h->most_markers_at = v;
    }
    if (in->n[MW_ROW] > 0 && in->n[MW_COLUMN] > 0 && h->n_two_classes++ == 0)
        h->two_classes = v;
}

int mw_layout_hazards(const struct mw_layout *l, struct mw_hazards *out)
{
    int rc;
    struct mw_mesh_graph g = {.n_nodes = 0};
    struct inputs *inputs = NULL;
    *out = (struct mw_hazards){0};
    MW_TRY(rc, mw_mesh_graph_make(l, MW_COUPLED, &g));
    MW_NEW(rc, inputs, "inputs of cores", g.n_nodes);
    count_inputs(&g, inputs);
    for (mw_core v = 0; v < g.n_nodes; v++) {
        const bool sends = mw_next_slot(&g, v, 0) < g.n_slots;
        note_core(v, &inputs[v], out);
        if (l->role[v] != '.' && !sends && inputs[v].n[MW_ROW] == 0 &&
            inputs[v].n[MW_COLUMN] == 0 && out->n_unused++ == 0)
            out->unused = v;
    }
end:
    mw_free(inputs);
    mw_mesh_graph_fini(&g);
    return rc;
}
