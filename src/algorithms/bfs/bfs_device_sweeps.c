/* bfs_device_sweeps.c -- the sweeps of a search on cores of a device: elements in patterns. Compiled once per
 * kind of device: MW_SKELETON names the header, MW_KERNELS the table. Cores of hosts have bfs_sweeps.c; what a
 * device has tuned, a whole search among them, stands before these (shuffle/kernel_lists.h).
 *
 * Heads go over places, a place a lane, so that heads and parents are read as streams; rows over labels, a
 * label a lane, each to its first visited neighbour.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/bfs/bfs_elements.h"
#include "algorithms/bfs/bfs_records.h"

#define LANE &s->lane[self->lane]
MW_BITS(bfs_heads, bfs_state, (g->n_places + 63) / 64, bfs_waiting_word, bfs_waits_on,
        bfs_put_waiting)
MW_REACH(bfs_rows, bfs_state, &s->f, bfs_rows_word, bfs_find_parent, bfs_found_word)
MW_BITS(bfs_lookup, bfs_state, s->f.n_words, bfs_open_word, bfs_look_up_row,
        bfs_put_looked_up)
MW_REACH(bfs_join, bfs_state, &s->f, MW_NONE, MW_NONE, bfs_joined_word)
MW_LIST_BITS(bfs_askers, bfs_state, s->f.n_words, bfs_asking_word, bfs_questions_of,
             s->f.list, s->f.list_end, &s->f.part[s->f.n_parts].n_found,
             &s->f.part[s->f.n_parts].n_edges)
MW_LANE_QUEUE(bfs_refresh, bfs_state, LANE, bfs_refreshed_words(s), bfs_refresh_word)
MW_LANE_QUEUE(bfs_absorb, bfs_state, LANE, g->partition.n_ranks *bfs_drop_words(s),
              bfs_absorb_word)
MW_PAIRS(bfs_piece_walk, bfs_state, s->delegates.of_cores.piece_end,
         s->delegates.n_pieces, s->delegates.n_units, bfs_any_row, bfs_piece_entry)
MW_QUEUE(bfs_tell, bfs_state, s->delegates.n_words, bfs_tell_word)
MW_KEEP(bfs_drop, bfs_state, s->f.list, s->f.list_end, s->f.n_list, bfs_stays_listed,
        &s->f.part[s->f.n_parts].n_found, &s->f.part[s->f.n_parts].n_edges)
MW_LANE_QUEUE(bfs_reset_items_of_lane, bfs_state, LANE, bfs_reset_items(s, g),
              bfs_reset_item)
MW_SUM(bfs_start_search, bfs_state, 1, bfs_start_root, &s->f.part[s->f.n_parts].n_edges)

MW_WAITED(bfs_piece_walk_waited, bfs_piece_walk) /* the host lists other pieces next */
BFS_CLAIMS(bfs_pieces, bfs_piece_walk_waited)
MW_WAITED(bfs_reset_all, bfs_reset_items_of_lane) /* else a search does, by the clock */

MW_KERNEL_TABLE(bfs_sweeps, bfs_heads, bfs_rows, bfs_refresh, bfs_absorb, bfs_lookup,
                bfs_join, bfs_reset_all, bfs_start_search, bfs_askers, bfs_pieces,
                bfs_tell, bfs_drop, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL)
