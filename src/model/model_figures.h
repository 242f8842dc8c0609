/* model_figures.h -- the curves of the paper's figures 3, 5, 11 and 12, from the model, and
 * the points that were published beside them.
 *
 * A figure is data: series of points, each with where it comes from. Printing and drawing are
 * the command's. A value that the paper shows in a picture only is no number here: it is
 * listed as not published.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_FIGURES_H
#define MW_MODEL_FIGURES_H

#include "model/model_search.h"

MW_BEGIN_DECLS

/* ---- published numbers ------------------------------------------------------------------ */

struct mw_published {
    int figure;         /* 3, 5, 11, 12 */
    const char *series; /* whose */
    double x, y;        /* in the figure's units; NAN: not published as a number */
    enum mw_status_of_number status; /* MW_PUBLISHED, or MW_ASSUMED: derived from words */
    const char *note;                /* where it stands */
};

/* Everything that these figures' captions and text state, and what they do not. */
const struct mw_published *mw_published_points(size_t *n);

/* ---- figures ---------------------------------------------------------------------------- */

enum {
    MW_FIGURE_POINTS = 32,
    MW_FIGURE_SERIES = 12,
    MW_FIGURE_NOTES = 12,
    MW_FIGURE_NAME = 48
};

struct mw_point {
    double x, y;      /* y NAN: nothing there, see `note` */
    double low, high; /* the band, NAN: none */
    const char *note; /* NULL, or why there is no value: "connections full" */
};

struct mw_series {
    char name[MW_FIGURE_NAME];
    enum mw_status_of_number status;
    bool marks; /* single points, no line */
    uint32_t n;
    struct mw_point point[MW_FIGURE_POINTS];
};

struct mw_figure {
    int number; /* of the paper's figure; 0: another one, with linear axes */
    const char *title, *x_name, *y_name;
    const char *band;      /* what low and high are; NULL: none */
    double x_step, y_step; /* of ticks on linear axes; 0: those of the paper's figures */
    uint32_t n_series, n_notes;
    struct mw_series series[MW_FIGURE_SERIES];
    const char *note[MW_FIGURE_NOTES];
};

enum { MW_N_FIGURES = 4 };
extern const int mw_figure_numbers[MW_N_FIGURES];

/* `number` is one of the four. */
void mw_figure_make(const struct mw_model *m, int number, struct mw_figure *out);

MW_END_DECLS
#endif
