/* frontier_sweeps.c -- the sweeps of frontier.h on devices: elements in patterns. What devices have tuned stands
 * before them; hosts have frontier_lists.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "traversal/frontier_elements.h"

MW_QUEUE(mw_frontier_degrees, mw_frontier, s->n_words, mw_frontier_note_degree)
MW_REACH(mw_frontier_joiner, mw_frontier, s, MW_NONE, MW_NONE, mw_frontier_marked)
MW_QUEUE(mw_frontier_visitor, mw_frontier, s->n_words, mw_frontier_visit_bits)

MW_KERNEL_TABLE(mw_frontier_sweeps, mw_frontier_degrees, mw_frontier_joiner, NULL,
                mw_frontier_visitor, NULL, NULL)
