/* model_print.h -- the model's tables as text, CSV, Markdown and JSON. Every table says of
 * each of its numbers whether it is published, measured, fitted or modelled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_PRINT_H
#define MW_MODEL_PRINT_H

#include "model/model_claims.h"
#include "model/model_figures.h"

#include <jansson.h>
#include <stdio.h>

MW_BEGIN_DECLS

enum mw_style { MW_STYLE_TEXT, MW_STYLE_CSV, MW_STYLE_MARKDOWN };

void mw_print_constants(enum mw_style style, FILE *out);
void mw_print_claims(const struct mw_claims *c, enum mw_style style, FILE *out);
/* Not as Markdown. */
void mw_print_figure(const struct mw_figure *f, enum mw_style style, FILE *out);
/* Where the time of a search goes, at the points that the text of the paper is about. */
void mw_print_parts(const struct mw_model *m, enum mw_style style, FILE *out);
/* Two lines: what is scaled, and how. */
void mw_print_profile(const struct mw_model *m, FILE *out);

json_t *mw_constants_json(void);
json_t *mw_claims_json(const struct mw_claims *c);
json_t *mw_figure_json(const struct mw_figure *f);
json_t *mw_parts_json(const struct mw_model *m);
json_t *mw_model_profile_json(const struct mw_model *m);

MW_END_DECLS
#endif
