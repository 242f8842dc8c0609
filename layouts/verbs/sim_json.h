/* sim_json.h -- the result of a simulation as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SIM_JSON_H
#define MW_SIM_JSON_H

#include "layouts/sim/sim.h"

MW_BEGIN_DECLS

/* "R", or "R.reply" in a layout with classes; "ring" of remote puts. */
const char *mw_sim_port_name(const struct mw_layout *l, const struct mw_sim_blocked *b,
                             char out[MW_NODE_NAME]);
/* On standard output. */
int mw_sim_json_print(const struct mw_layout *l, const struct mw_sim_conf *conf,
                      const struct mw_sim_result *r, const struct mw_throughput *t,
                      const char *title) MW_NODISCARD;

MW_END_DECLS
#endif
