/* model_plot.h -- a figure of the model as an SVG picture.
 *
 * Lines are the model's, filled marks published numbers, open ones derived from words, the
 * band is the figure's sweep and a cross stands where a variant ends. Equal figures give equal
 * bytes.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_PLOT_H
#define MW_MODEL_PLOT_H

#include "model/model_figures.h"

#include <stdio.h>

MW_BEGIN_DECLS

/* Errors of writing are the stream's. */
void mw_plot_svg(const struct mw_figure *f, FILE *out);
/* n figures below each other in one picture. */
void mw_plots_svg(const struct mw_figure *f, uint32_t n, FILE *out);

MW_END_DECLS
#endif
