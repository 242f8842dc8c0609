/* cc_sweeps.c -- the sweeps of components over a rank's own data: elements in patterns.
 *
 * Compiled as cc_kernels.c is. The table in cc.c says what each reads and writes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_SKELETON

#include "algorithms/cc/cc_elements.h"

MW_FN void cc_found_reached(const struct cc_state *s, const struct mw_graph *g,
                            uint64_t place)
{
    s->counts->reached = place < g->n_places ? cc_own(g, place) : MW_NO_VERTEX;
}

MW_FIRST(cc_reached, cc_state, g->n_places, cc_is_reached, cc_found_reached)
MW_SUM(cc_searched, cc_state, g->n_places, cc_is_reached, &s->counts->n_searched)
MW_LIST(cc_begin, cc_state, g->n_places, g->connected, cc_is_reached, cc_begin_place,
        s->left, cc_label_of, &s->counts->n_left)
MW_RUNNING(cc_units, cc_state, s->counts->n_left, cc_units_of, cc_set_units,
           &s->counts->n_units)
MW_SUM(cc_looker, cc_state, s->counts->n_left, cc_look, &s->counts->n_fallen)
MW_EACH(cc_planter_of_members, cc_state, cc_seeds(s), cc_plant)
MW_EACH(cc_uniter_of_stretches, cc_state, s->n_stretches, cc_unite_stretch)
MW_EACH(cc_uniter_of_leaving, cc_state, s->n_stretches, cc_unite_leaving)
MW_LIST(cc_rest, cc_state, g->n_places, g->connected, cc_has_edges, cc_settle_sampled,
        s->left, cc_label_of, &s->counts->n_left)
MW_PAIRS(cc_uniter, cc_state, s->left_end, s->counts->n_left, s->counts->n_units, mw_any,
         cc_unite)
MW_EACH(cc_settler, cc_state, cc_members(s), cc_settle)
MW_ROWS(cc_uniter_of_rows, cc_state, g->row + 1, g->n_labels, cc_unite_row)
MW_LIST(cc_border, cc_state, g->n_places, g->connected, cc_is_inner, MW_LOOKED, s->left,
        cc_label_of, &s->counts->n_left)
MW_PAIRS(cc_edge_noter, cc_state, s->left_end, s->counts->n_left, s->counts->n_units,
         mw_any, cc_tell_edge)
MW_WAITED(cc_edge_teller, cc_edge_noter) /* others look at them now */
/* What settles waits for them. */
MW_QUEUE(cc_planter_of_told, cc_state, s->n_its, cc_plant_told)
MW_QUEUE(cc_uniter_of_told, cc_state, s->n_its, cc_unite_told)

MW_KERNEL_TABLE(cc_sweeps, cc_reached, cc_searched, cc_begin, cc_units, cc_looker,
                cc_planter_of_members, cc_uniter_of_stretches, cc_uniter_of_leaving,
                cc_rest, cc_uniter, cc_settler, cc_uniter_of_rows, cc_border,
                cc_edge_teller, cc_planter_of_told, cc_uniter_of_told)
