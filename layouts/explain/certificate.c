/* certificate.c -- a proof as a file that anyone can check: one rank per node.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

void mw_certificate_print(const struct mw_layout *l, enum mw_mesh_model m,
                          uint32_t n_nodes, const uint8_t *used, const uint32_t *rank,
                          FILE *out)
{
    char name[MW_NODE_NAME];
    fprintf(out, "# meshway-certificate 1 model=%s\n", mw_mesh_model_names[m]);
    for (mw_mesh_node a = 0; a < n_nodes; a++)
        if (used[a] != 0)
            fprintf(out, "%s %u\n", mw_node_name(l, m, a, name), rank[a]);
}
