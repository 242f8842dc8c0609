/* form.h -- bottom-up by messages or by bitmap, or of hubs only?
 *
 *      messages   look up hubs and own vertices; ask the owners of the other neighbours,
 *                 as the paper does. A host needs no bitmap of all columns.
 *      bitmap     every host has everybody's bitmap: look up, ask nobody.
 *      mixed      look up hubs and own vertices; the frontier's other vertices go top-down. A direction
 *                 for each class: hubs bottom-up first, and what they find nobody else needs to.
 *
 * All are estimated from what earlier levels took, in seconds of a level:
 *
 *      messages   unvisited x look + start + questions x question
 *                 questions = unvisited entries x beyond x unanswered
 *      bitmap     unvisited x look + bytes x byte
 *      mixed      unvisited x look + start + edges of the frontier that are no hubs' x question
 *
 * Pure arithmetic on numbers that are the same at all ranks (sums, already reduced), so all
 * decide alike. A rate follows what is measured: at once when it falls, by an eighth of the
 * way when it rises, because the form that one disturbed level makes look dear would not be
 * measured again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FORM_H
#define MW_FORM_H

#include "algorithms/bfs/direction.h"

MW_BEGIN_DECLS

enum { MW_FORM_STEPS = 4 };

struct mw_form_rates {
    double beyond; /* share of all row entries that are neither hubs nor own: counted */
    /* Questions / (entries of unvisited vertices x beyond), by how many bottom-up levels
     * came before in the search. Early levels ask for few, most find a hub; later ones
     * are left with vertices whose neighbours are no hubs, and may exceed 1. */
    double unanswered[MW_FORM_STEPS];
    double look_s
        [MW_FORMS];    /* by form: looking at one unvisited vertex, all ranks together */
    double start_s;    /* a level's messages when next to nothing is asked */
    double question_s; /* a question with its answer, all ranks together */
    double byte_s;     /* of the bitmap, to every host */
};

/* One bottom-up level. Seconds are means over the ranks. */
struct mw_form_level {
    uint64_t n_ranks;
    uint32_t step; /* bottom-up levels before it */
    uint64_t n_unvisited, n_unvisited_edges;
    uint64_t n_bitmap_bytes; /* of all ranks */
    uint64_t n_light_edges;  /* out of the frontier's vertices that are no hubs */
    /* Known afterwards: */
    uint64_t n_questions;
    double look_s, talk_s;
};

/* Seconds; negative: not estimated. */
struct mw_form_estimate {
    double messages_s, bitmap_s, mixed_s;
};

/* What is assumed before anything is measured; `byte_s` is measured at set-up. */
struct mw_form_rates mw_form_rates_init(double beyond, double byte_s);

struct mw_form_estimate mw_form_estimate(const struct mw_form_rates *r,
                                         const struct mw_form_level *l);
enum mw_level_form mw_form_choose(const struct mw_form_estimate *e);
void mw_form_learn(struct mw_form_rates *r, enum mw_level_form form,
                   const struct mw_form_level *l);

MW_END_DECLS
#endif
