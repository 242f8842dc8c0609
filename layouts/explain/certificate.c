/* certificate.c -- a proof as a file that anyone can check: one rank per node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

#include "base/mem.h"

#include "mesh/proof/graph.h"

#include <assert.h>

void mw_ranks_print(const struct mw_layout *l, enum mw_mesh_model m, uint32_t n_nodes,
                    const uint8_t *used, const uint32_t *rank, FILE *out)
{
    char name[MW_NODE_NAME];
    fprintf(out, "# meshway-certificate 1 model=%s\n", mw_mesh_model_names[m]);
    for (mw_mesh_node a = 0; a < n_nodes; a++)
        if (used[a] != 0)
            fprintf(out, "%s %u\n", mw_node_name(l, m, a, name), rank[a]);
}

int mw_certificate_print(const struct mw_layout *l, const struct mw_proof *p, FILE *out)
{
    int rc = MW_OK;
    uint8_t *used = NULL;
    assert(p->free);
    MW_NEW(rc, used, "nodes that flows use", p->n_nodes);
    MW_TRY(rc, mw_mesh_graph_used(l, p->model, used));
    mw_ranks_print(l, p->model, p->n_nodes, used, p->rank, out);
end:
    mw_free(used);
    return rc;
}
