/* layout_input.h -- the FILE of every "layout" verb: a layout, or a file of vectors.
 *
 * What is wrong with it is printed on stderr as "file:line:col: error: ..." at once, so the
 * status that comes back carries no further message. The exit codes of these verbs are those
 * of a checker, for scripts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_INPUT_H
#define MW_LAYOUT_INPUT_H

#include "io/outfile.h"
#include "layouts/verbs/mesh_vectors.h"

#include <stdio.h>

MW_BEGIN_DECLS

/* What a verb's main returns besides errors; the exit codes 1 and 3. */
enum { MW_LAYOUT_DEADLOCK = 1, MW_LAYOUT_UNDECIDED = 3 };

/* mw_command.exit_code of all verbs: usage and bad input are 2. */
int mw_layout_exit_code(int rc);

struct mw_layout_input {
    const char *file; /* as given; "-" reads standard input; borrowed */
    char *text;       /* owned, ended by a zero that does not count */
    size_t bytes;
    struct mw_layout *layout; /* owned; NULL for vectors */
    uint32_t rows,
        cols; /* of a mesh beyond MW_MESH_SIDE_MAX, whose layout[] is a small one's
                               * with the same rules (layouts/ways/lines.h); else 0 */
    bool is_vectors;
    struct mw_vectors vectors;
};

/* Local. Vectors are an error unless `takes_vectors`. */
int mw_layout_input_open(const char *file, bool takes_vectors,
                         struct mw_layout_input *out) MW_NODISCARD;
/* Takes vectors, and a mesh beyond MW_MESH_SIDE_MAX that can be proved by its lines. */
int mw_layout_input_open_large(const char *file, struct mw_layout_input *out)
    MW_NODISCARD;
void mw_layout_input_fini(struct mw_layout_input *in);

/* An output of a verb: standard output for NULL or "-", else a file that appears whole or not
 * at all (io/outfile.h). */
struct mw_output {
    FILE *file;
    bool standard;
    struct mw_outfile own;
};
int mw_output_open(const char *name, bool force, struct mw_output *out) MW_NODISCARD;
/* rc < MW_OK gives the file up. Returns rc, or what went wrong here. */
int mw_output_close(struct mw_output *o, int rc) MW_NODISCARD;

MW_END_DECLS
#endif
