/* topology.h -- which hosts are near each other: the switch that a host hangs on.
 *
 * Two sources say so. A file in the format of Slurm's topology.conf, of which only this is read:
 *
 *      SwitchName=leaf1 Nodes=n[001-016],gpu7     # hosts on a switch
 *
 * and Slurm's variables in each task's environment, the way from the top to the host:
 *
 *      SLURM_TOPOLOGY_ADDR=core.leaf1.n003  SLURM_TOPOLOGY_ADDR_PATTERN=switch.switch.node
 *
 * Where a launcher hands one host's variables to all, they end in another host's name: then
 * nothing is known. Switches are told apart by what they are called, whole.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TOPOLOGY_H
#define MW_TOPOLOGY_H

#include "base/status.h"

MW_BEGIN_DECLS

struct mw_topology {
    uint64_t near_switch;  /* of this host: a number made of its name; 0: not known */
    uint32_t switch_hosts; /* of each switch of the file; 0: not all alike, or no file */
};

/* Local, pure; hosts without their domains. `text` is the file's; it may name `host` nowhere.
 * MW_ERR_DATA says the line. */
int mw_topology_parse(const char *text, const char *host, struct mw_topology *out)
    MW_NODISCARD;

/* Local, pure. What the variables say on a host; either may be NULL. */
void mw_topology_of_slurm(const char *address, const char *pattern, const char *host,
                          struct mw_topology *out);

/* Local. Of this host: the file if there is one, else the variables. */
int mw_topology_read(const char *file, struct mw_topology *out) MW_NODISCARD;

MW_END_DECLS
#endif
