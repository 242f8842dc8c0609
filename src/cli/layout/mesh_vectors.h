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

#include "mesh/explore/script.h"
#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

enum {
    MW_VECTORS_MAX = 10000, /* layouts and scripts of a file */
    MW_PROGRAM_MAX = 4096,  /* instructions of one core, repetitions written out */
    MW_VECTOR_INSTRUCTIONS_MAX = 1 << 22 /* of a file; its flows: MW_LISTED_HOPS_MAX */
};

struct mw_vector_case { /* one of "exhaust" or "min_inflight" */
    enum mw_mesh_model model;
    uint32_t depth;
    uint32_t k; /* min_inflight; at least 1 */
};

struct mw_vector {
    char *name; /* owned; control characters as \u001b, so that it can be shown */
    struct mw_layout *layout; /* owned, expanded; of a script: the shape of its mesh */
    bool is_script;

    /* a layout's */
    bool expect_free[MW_N_MODELS];
    uint32_t n_witness[MW_N_MODELS]; /* 0: none given */
    mw_mesh_node *witness[MW_N_MODELS];
    uint32_t n_exhaust, n_inflight;
    struct mw_vector_case *exhaust, *inflight;
    bool has_single_writer, single_writer;

    /* a script's; what its puts may reach has been checked */
    struct mw_script script;
    bool expect_deadlock;
};

struct mw_turns { /* the turn model: see mw_vector_turns() */
    bool present;
    uint32_t n_cyclic;
    char cyclic[16][2][3]; /* forbidden pairs that leave a cycle */
    uint32_t acyclic_count;
};

struct mw_vectors {
    struct mw_vector *vector; /* [n] layouts first, then scripts; owned */
    uint32_t n;
    struct mw_turns turns;
};

/* What vector files call the models; ends in NULL. */
extern const char *const mw_vector_models[MW_N_MODELS + 1];

/* Whether a text is JSON rather than a layout: its first character that is not white space. */
bool mw_vectors_detect(const char *text, size_t bytes);

/* Local. MW_ERR_DATA: the message names the place ("layouts[3] 'F06': flows[1]: ..."). */
int mw_vectors_parse(const char *text, size_t bytes, struct mw_vectors *out) MW_NODISCARD;
void mw_vectors_fini(struct mw_vectors *v);

MW_END_DECLS
#endif
