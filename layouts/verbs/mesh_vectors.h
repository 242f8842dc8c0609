/* mesh_vectors.h -- vector files: layouts and scripts in JSON, each with what a checker must
 * say about it ("meshshuffle-vectors/1", docs/mesh.md).
 *
 * Reading is strict: a field of another type, a word that is none of the known ones, or a
 * field that nobody knows would be an expectation that is never looked at, so it is an error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MESH_VECTORS_H
#define MW_MESH_VECTORS_H

#include "layouts/explore/vector.h"

MW_BEGIN_DECLS

enum {
    MW_VECTORS_MAX = 10000, /* layouts and scripts of a file */
    MW_PROGRAM_MAX = 4096,  /* instructions of one core, repetitions written out */
    MW_VECTOR_INSTRUCTIONS_MAX = 1 << 22 /* of a file; its flows: MW_LISTED_HOPS_MAX */
};

/* What vector files call the models; ends in NULL. */
extern const char *const mw_vector_models[MW_N_MODELS + 1];

/* Whether a text is JSON rather than a layout: its first character that is not white space. */
bool mw_vectors_detect(const char *text, size_t bytes);

/* Local. MW_ERR_DATA: the message names the place ("layouts[3] 'F06': flows[1]: ..."). */
int mw_vectors_parse(const char *text, size_t bytes, struct mw_vectors *out) MW_NODISCARD;

MW_END_DECLS
#endif
