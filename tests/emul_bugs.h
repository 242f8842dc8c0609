/* emul_bugs.h -- planted bugs, and what each must be reported as. Core (1,2) is the culprit
 * unless a bug needs more.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EMUL_BUGS_H
#define EMUL_BUGS_H

#include "cpe/cpe_types.h"
#include "cpe/emul.h"

enum { CULPRIT = 10 };

struct bug {
    const char *name; /* NULL: the end of the table */
    mw_kernel *kernel;
    enum mw_emul_mistake mistake, also; /* also: without time, or at depth 0, this */
    bool no_place;                      /* several cores or lines are right */
    bool on_time_only;
};
extern const struct bug bugs[];

extern int planted;      /* the line of the bug that runs */
extern uint32_t *memory; /* main memory for them: 65536 words */

mw_kernel
    three_in_a_circle; /* (4,0) -> (4,1) -> (4,2) -> (4,0): each puts and nobody gets */

#endif
