/* form.c -- see form.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/form.h"

enum { MANY = 4096 /* vertices or questions per rank: fewer tell what starting costs */ };

/* First guesses, replaced as soon as a form has run. Measured as orders of magnitude: two
 * ranks on two pretended hosts, SCALE 18 and 20, without hubs and with 2^10 to 2^14. */
struct mw_form_rates mw_form_rates_init(double beyond, double byte_s)
{
    struct mw_form_rates r = {.beyond = beyond,
                              .unanswered = {0.02, 1, 2, 2},
                              .start_s = 2e-5,
                              .question_s = 2e-8,
                              .byte_s = byte_s};
    r.look_s[MW_FORM_MESSAGES] = 6e-9;
    r.look_s[MW_FORM_BITMAP] = 2e-9;
    return r;
}

static uint32_t step_of(const struct mw_form_level *l)
{
    return (uint32_t)mw_min(l->step, MW_FORM_STEPS - 1);
}

struct mw_form_estimate mw_form_estimate(const struct mw_form_rates *r,
                                         const struct mw_form_level *l)
{
    const double unvisited = (double)l->n_unvisited;
    const double questions =
        (double)l->n_unvisited_edges * r->beyond * r->unanswered[step_of(l)];
    return (struct mw_form_estimate){
        .messages_s = unvisited * r->look_s[MW_FORM_MESSAGES] + r->start_s +
                      questions * r->question_s,
        .bitmap_s =
            unvisited * r->look_s[MW_FORM_BITMAP] + (double)l->n_bitmap_bytes * r->byte_s,
        .mixed_s = unvisited * r->look_s[MW_FORM_MESSAGES] + r->start_s +
                   (double)l->n_light_edges * r->question_s,
    };
}

enum mw_level_form mw_form_choose(const struct mw_form_estimate *e)
{
    if (e->mixed_s < e->messages_s && e->mixed_s < e->bitmap_s)
        return MW_FORM_MIXED;
    return e->messages_s < e->bitmap_s ? MW_FORM_MESSAGES : MW_FORM_BITMAP;
}

static void follow(double *rate, double measured)
{
    *rate = measured < *rate ? measured : *rate + (measured - *rate) / 8;
}

void mw_form_learn(struct mw_form_rates *r, enum mw_level_form form,
                   const struct mw_form_level *l)
{
    const double possible = (double)l->n_unvisited_edges * r->beyond;
    const bool mixed = form == MW_FORM_MIXED; /* the same looks; a record is a question */
    const uint64_t n_sent = mixed ? l->n_light_edges : l->n_questions;
    const double questions = (double)n_sent;
    if (mixed)
        form = MW_FORM_MESSAGES;
    if (l->n_unvisited >= MANY * l->n_ranks)
        follow(&r->look_s[form], l->look_s / (double)l->n_unvisited);
    if (form == MW_FORM_BITMAP) {
        if (l->n_bitmap_bytes > 0)
            follow(&r->byte_s, l->talk_s / (double)l->n_bitmap_bytes);
        return;
    }
    /* No average: it is counted, not timed. */
    if (possible > 0 && !mixed)
        r->unanswered[step_of(l)] = questions / possible;
    if (n_sent < MANY * l->n_ranks)
        follow(&r->start_s, l->talk_s);
    else
        follow(&r->question_s,
               (l->talk_s > r->start_s ? l->talk_s - r->start_s : 0) / questions);
}
