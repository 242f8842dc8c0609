/* model_runs.h -- the profile that the model scales: from result files of `meshway run`, from
 * a profile file, or the one that the program carries along.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_RUNS_H
#define MW_MODEL_RUNS_H

#include "model/model_profile.h"

MW_BEGIN_DECLS

/* What the profile was made from is in *out; `file` is for messages. A text that is neither a
 * result nor a profile is MW_ERR_DATA. All are local. */

/* Adds the searches of a result (docs/result.schema.json) to *out, which is all zero before
 * the first. Results must be of one scale and edge factor and of two ranks at least. With
 * `count` their hubs are counted, too, on a graph that is generated for it; the levels of the
 * count and of the run must agree. */
int mw_runs_add(const char *text, size_t bytes, const char *file, bool count,
                struct mw_profile *out) MW_NODISCARD;

int mw_profile_parse(const char *text, size_t bytes, const char *file,
                     struct mw_profile *out) MW_NODISCARD;

/* As a text that mw_profile_parse() reads; the caller frees *text with free(). */
int mw_profile_write(const struct mw_profile *p, char **text) MW_NODISCARD;

/* The reference profile, share/model/reference.json. */
int mw_profile_default(struct mw_profile *out) MW_NODISCARD;

/* The same two from files; `files` is a comma list. */
int mw_runs_open(const char *files, bool count, struct mw_profile *out) MW_NODISCARD;
int mw_profile_open(const char *file, struct mw_profile *out) MW_NODISCARD;

MW_END_DECLS
#endif
