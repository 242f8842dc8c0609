/* graph_source.h -- the graph that a user names, as a file that all ranks can read by position:
 * a plain file as it is; a packed one, standard input or a pipe by way of a temporary file.
 *
 *      rank 0:  read --> unpack --> temporary file of its host
 *                           '-----> (several hosts) broadcast --> one of each other host
 *      all:     read their parts of their host's file
 *
 * Unpacked once and not by every rank: P ranks of a host would need P times the time of one,
 * and standard input can be read only once. In a file and not in memory, because the edges are
 * about to need as much. The file has no name from before its first byte on, so that it goes
 * when the ranks go, whatever ends them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_GRAPH_SOURCE_H
#define MW_GRAPH_SOURCE_H

#include "cli/option.h"
#include "io/input.h"
#include "mpe/comm.h"

MW_BEGIN_DECLS

/* The file that an option of the command names; "-" is standard input. Collective; comm NULL: one
 * process alone. `out` is to be closed by mw_input_close(), also after a failure. MW_ERR_REFUSED:
 * it unpacks to more than --unpack-limit, or than there is room for. */
int mw_source_of(struct mw_comm *comm, const struct mw_settings *s, const char *option,
                 struct mw_input *out) MW_NODISCARD;

/* For option tables. */
#define MW_OPTION_UNPACK                                                                 \
    {                                                                                    \
        .name = "unpack-limit", .kind = MW_OPT_BYTES, .value = "SIZE", .min = 1,         \
        .max = UINT64_C(1) << 60,                                                        \
        .help = "A packed graph may unpack to SIZE; default: 100 times its own, or 4Gi"  \
    }

MW_END_DECLS
#endif
