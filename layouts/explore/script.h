/* script.h -- straight-line programs with ordered gets, explored over all
 * interleavings: what goes wrong when a core waits for one named input.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_SCRIPT_H
#define MW_LAYOUT_SCRIPT_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

enum mw_instruction_kind {
    MW_PUT_ROW,
    MW_PUT_COLUMN,
    MW_GET_ROW,
    MW_GET_COLUMN,
    MW_GET_ANY
};

struct mw_instruction {
    uint8_t kind;
    mw_core to; /* puts */
};

struct mw_program {
    mw_core core;
    uint32_t n_instructions;            /* 0 is legal */
    struct mw_instruction *instruction; /* borrowed */
};

struct mw_script {
    const struct mw_layout *mesh; /* its shape; borrowed */
    uint32_t capacity, send;      /* receive depth of both classes, send buffer */
    uint32_t n_programs;
    struct mw_program *program; /* borrowed; at most one per core */
};

enum mw_hang {
    MW_HANG_NONE,
    MW_HANG_CIRCULAR_PUT,
    MW_HANG_ORDERED_GET,
    MW_HANG_MISSING_EOS
};
extern const char *const mw_hang_words[]; /* "none", "circular-put", ... */

struct mw_script_result {
    bool deadlock, bounded; /* neither: free */
    enum mw_hang hang;      /* of the first dead state found, breadth first */
    uint64_t n_states, n_steps;
    char story[400]; /* DEADLOCK: who stands where, one clause per unfinished core */
};

/* Local. deadlock: some reachable state has no step and an unfinished program. bounded: one of
 * the limits was met first, and nothing is known. limit: states, 0: 4 million; limit_bytes: of
 * memory for them, 0: MW_NET_SEARCH_BYTES. Errors: MW_ERR_DATA (a put outside row or column),
 * MW_ERR_NOMEM. */
int mw_script_explore(const struct mw_script *s, uint64_t limit, uint64_t limit_bytes,
                      struct mw_script_result *out) MW_NODISCARD;

MW_END_DECLS
#endif
