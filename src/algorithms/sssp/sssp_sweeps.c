/* sssp_sweeps.c -- the sweeps of shortest paths over a rank's own data: elements in patterns.
 *
 * Compiled as sssp_kernels.c is. The table in sssp.c says what each reads and writes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/sssp/sssp_prune_elements.h"

MW_FN mw_word sssp_near_word(const struct sssp_state *s, const struct mw_graph *g,
                             uint64_t w)
{
    (void)g;
    return mw_word_of(s->near, w);
}

MW_EACH(sssp_landmarker, sssp_state, g->n_labels, sssp_landmark_label)
MW_SUM(sssp_reacher, sssp_state, g->n_labels, sssp_reach_label, &s->counts->n_reached)
MW_PAIRS(sssp_pruner, sssp_state, g->row + 1, g->n_labels, s->n_entries, mw_any,
         sssp_prune_entry)
MW_SUM(sssp_measurer, sssp_state, g->n_labels, sssp_length_label, &s->counts->n_kept)
MW_EACH(sssp_parter, sssp_state, g->n_labels, sssp_part_label)
MW_RUNNING(sssp_numberer, sssp_state, g->n_labels, sssp_has_row, sssp_set_node,
           &s->counts->n_nodes)
MW_RUNNING(sssp_starter, sssp_state, g->n_labels, sssp_inner_of, sssp_set_start,
           &s->counts->n_inner)
MW_RUNNING(sssp_told_counter, sssp_state, g->n_labels, sssp_told_of, sssp_set_told,
           &s->counts->n_told)
MW_EACH(sssp_keeper, sssp_state, g->n_labels, sssp_keep_label)
MW_ROWS(sssp_orderer, sssp_state, g->row + 1, g->n_labels, sssp_order_label)
MW_EACH(sssp_node_teller, sssp_state, g->n_labels, sssp_node_label)
MW_EACH(sssp_namer, sssp_state, s->n_inner + s->n_told, sssp_name_entry)
MW_EACH(sssp_hooker, sssp_state, g->n_places, sssp_hook_place)
MW_EACH(sssp_sampler, sssp_state, s->n_samples, sssp_sample_at)
MW_EACH(sssp_forgetter, sssp_state, 64 * (s->rows.n / 64 + 1), sssp_forget_node)
MW_EACH(sssp_beginner, sssp_state, 1, sssp_begin_at)
MW_LIST_BITS(sssp_lister, sssp_state, s->rows.n / 64 + 1, sssp_near_word, sssp_units_of,
             s->list, s->list_end, &s->counts->n_listed, &s->counts->n_units)
MW_QUEUE(sssp_near_forgetter, sssp_state, s->rows.n / 64 + 1, sssp_forget_near_word)
MW_SUM(sssp_promoter, sssp_state, s->rows.n / 64 + 1, sssp_next_word, &s->counts->n_far)
MW_EACH(sssp_teller, sssp_state, sssp_n_told(s), sssp_tell)
MW_EACH(sssp_bounder, sssp_state, s->rows.n, sssp_bound_node)
MW_QUEUE(sssp_ower, sssp_state, s->rows.n / 64 + 1, sssp_owe_word)
MW_SUM_WORDS(sssp_puller, sssp_state, (s->rows.n + MW_WORD_BITS - 1) / MW_WORD_BITS,
             sssp_pull_word, &s->counts->n_pulled)
MW_EACH(sssp_answerer, sssp_state, g->n_places, sssp_answer_at)
MW_SUM(sssp_reached_counter, sssp_state, g->n_places, sssp_reached, &s->counts->n_reached)
MW_SUM(sssp_end_counter, sssp_state, g->n_places, sssp_ends, &s->counts->n_ends)

MW_KERNEL_TABLE(sssp_sweeps, sssp_landmarker, sssp_reacher, sssp_pruner, sssp_measurer,
                sssp_parter, sssp_numberer, sssp_starter, sssp_told_counter, sssp_keeper,
                sssp_orderer, sssp_node_teller, sssp_namer, sssp_hooker, sssp_sampler,
                sssp_forgetter, sssp_beginner, sssp_lister, sssp_near_forgetter,
                sssp_promoter, sssp_teller, sssp_bounder, sssp_ower, sssp_puller,
                sssp_answerer, sssp_reached_counter, sssp_end_counter, NULL, NULL)
