/* cc_kernels.c -- the modules of components: elements in patterns.
 *
 * Compiled once per kind of core: MW_SKELETON names the header, MW_KERNELS the table.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/cc/cc_elements.h"

MW_ENTRIES(cc_teller, cc_state, s->left_end, s->counts->n_left, cc_has_fallen,
           cc_tell_entry)
MW_UNITS(cc_asker, cc_state, cc_ask_representative)
MW_REPLIES(cc_representative, cc_state, cc_answer)
MW_UPDATES(cc_hearer, cc_state, cc_hear)
MW_TALLY(cc_member, cc_state, cc_member_of, s->size)
MW_TALLIED(cc_counter, cc_state, s->size)

MW_KERNEL_TABLE(cc_kernels, cc_teller, cc_asker, cc_representative, cc_hearer, cc_member,
                cc_counter)
