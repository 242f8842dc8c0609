/* bfs_device_kernels.c -- the modules of a search on cores of a device, which share a lane: elements in
 * patterns. Compiled once per kind of device: MW_SKELETON names the header, MW_KERNELS the table. Cores of
 * hosts and of a mesh have bfs_kernels.c.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs/bfs_records.h"

#define LANE &s->lane[self->lane]
MW_LANE_ENTRIES(bfs_expander, bfs_state, LANE, n_dropped, s->f.list_end, s->f.n_list,
                bfs_any_row, bfs_expand_entry)
MW_LANE_ENTRIES(bfs_asker, bfs_state, LANE, n_questions, s->f.list_end, s->f.n_list,
                bfs_any_row, bfs_ask_entry)
MW_LANE_REPLIES(bfs_answerer, bfs_state, LANE, n_answers, bfs_answer)
MW_UPDATES(bfs_visitor, bfs_state, bfs_hear_visit)
MW_UNITS(bfs_name_asker, bfs_state, bfs_ask_name)
MW_UPDATES(bfs_name_hearer, bfs_state, bfs_hear_name)

BFS_CLAIMS(bfs_claiming_expander, bfs_expander)
BFS_CLAIMS(bfs_claiming_visitor, bfs_visitor)

MW_KERNEL_TABLE(bfs_kernels,
                {{bfs_claiming_expander, bfs_claiming_expander, bfs_claiming_expander},
                 {bfs_claiming_expander, bfs_claiming_expander, bfs_claiming_expander}},
                {bfs_claiming_visitor, bfs_claiming_visitor}, {bfs_asker, bfs_asker},
                bfs_answerer, {bfs_name_asker, bfs_name_asker}, bfs_name_hearer,
                NULL, /* nobody follows */
                {NULL, NULL})
