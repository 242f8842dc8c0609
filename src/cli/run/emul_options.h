/* emul_options.h -- the emulated machine on the command line: its parameters, and what is said
 * when a mistake of a core has ended a run.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EMUL_OPTIONS_H
#define MW_EMUL_OPTIONS_H

#include "cli/option.h"
#include "mpe/world.h"

#include <jansson.h>
#include <stdio.h>

MW_BEGIN_DECLS

/* clang-format off */
#define MW_OPTION_EMUL                                                                   \
    {.name = "emul", .kind = MW_OPT_TEXT, .value = "NAME=N,...", .repeats = true,        \
     .section = "emulation",                                                             \
     .help = "Parameters of backend emul, as in recv_depth=1,send_depth=0; help lists "  \
             "them"}
#define MW_OPTIONS_EMUL                                                                  \
    MW_OPTION_EMUL,                                                                      \
    {.name = "emul-dot", .kind = MW_OPT_TEXT, .value = "FILE",                           \
     .help = "When a mistake of an emulated core ends the run: who waits for whom, for " \
             "Graphviz"},                                                                \
    {.name = "layout-record", .kind = MW_OPT_TEXT, .value = "FILE",                      \
     .help =                                                                            \
         "The ways that messages of emulated cores really took, as a layout to prove"},  \
    {.name = "traffic-record", .kind = MW_OPT_TEXT, .value = "FILE",                     \
     .help = "The messages of the kernel that sent most (of a search, a level), for "    \
             "'layout sim --traffic'; of rank 0, backend emul"}
/* clang-format on */

/* Local: true if the user wants the list of parameters, which is then on `to`, if that is not
 * NULL. */
bool mw_emul_options_list(const struct mw_settings *s, FILE *to);

/* Local: for all clusters that are opened or planned from now on. */
int mw_emul_options_configure(const struct mw_settings *s) MW_NODISCARD;
/* Of a run: what is to be written of its clusters. */
int mw_emul_options_configure_files(const struct mw_settings *s) MW_NODISCARD;

/* Local: from now on a mistake of a core makes this rank say what its cores are doing, in
 * groups, on stderr, and write the graph to its file. With other ranks it then ends the
 * program, since they may wait for this one in any way. Both are borrowed. */
struct mw_emul_options_watch {
    const struct mw_settings *settings;
    const struct mw_comm *comm;
};
void mw_emul_options_watch(struct mw_emul_options_watch *watch); /* NULL: no longer */

/* Collective: the ways that messages took on all clusters of these worlds, as the layout of
 * --layout-record, which rank 0 writes; and the messages of --traffic-record, of its own clusters.
 * MW_OK without the options. */
int mw_emul_options_record(const struct mw_settings *s, struct mw_comm *comm,
                           struct mw_world *const *world, uint32_t n_worlds) MW_NODISCARD;

/* The parameters in force; null without emulation. */
json_t *mw_emul_options_json(const struct mw_world *w);

MW_END_DECLS
#endif
