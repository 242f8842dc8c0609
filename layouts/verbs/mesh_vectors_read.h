/* mesh_vectors_read.h -- the parts of a vector file, read from JSON; for mesh_vectors.c only.
 *
 *      file --mesh_vectors.c--> vector --mesh_vectors_layout.c--> flows, expectations
 *                                      --mesh_vectors_script.c--> programs
 *      flows --mesh_vectors_flows.c--> the layout
 *
 * A message of these functions names the field within the vector.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_VECTORS_READ_H
#define MW_MESH_VECTORS_READ_H

#include "layouts/verbs/mesh_vectors.h"

#include <jansson.h>

MW_BEGIN_DECLS

/* What all vectors of a file share. */
struct mw_vectors_file {
    json_t *names; /* as keys; each once */
    uint64_t n_cores, n_instructions;
};

/* A core "ROW,COLUMN", written in one way only. */
enum { MW_AT_ROW, MW_AT_COL };
#define MW_A_CORE "a core such as \"0,1\", within 64x64"
bool mw_vector_core(const char *text, uint32_t out[2]);
/* Enlarges shape[] so that it holds the core, if it is one. */
void mw_vector_cover(const char *core, uint32_t shape[2]);

/* "flows" and "buckets", "gen", or "text", of a vector; only of a text the layout is expanded. */
int mw_vector_flows(const json_t *j, struct mw_layout **out) MW_NODISCARD;

/* One vector, whose name is set; what they allocate is freed with it. */
int mw_vector_layout(json_t *j, struct mw_vectors_file *f, struct mw_vector *v)
    MW_NODISCARD;
int mw_vector_script(json_t *j, struct mw_vectors_file *f, struct mw_vector *v)
    MW_NODISCARD;

MW_END_DECLS
#endif
