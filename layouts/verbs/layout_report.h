/* layout_report.h -- what `meshway layout check` finds out about one layout
 * (layouts/explore/report.h), as text and as JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_REPORT_H
#define MW_LAYOUT_REPORT_H

#include "layouts/explore/report.h"
#include "layouts/ways/lines.h"

#include <jansson.h>
#include <stdio.h>

MW_BEGIN_DECLS

/* By enum mw_explore_verdict: "free", ... and "FREE", ... */
extern const char *const mw_verdict_words[], *const mw_verdict_titles[];
/* "FREE (coupled, link)   decoupled: undecided", of n models. */
void mw_verdicts_print(const enum mw_explore_verdict *verdict, const char *const *name,
                       const bool *wanted, int n, int decides, FILE *out);

/* trace_file: what the deadlock's trace was written to, or NULL. */
void mw_report_print(const struct mw_layout_report *r, const char *file,
                     const char *trace_file, FILE *out);
json_t *mw_report_json(const struct mw_layout_report *r,
                       const char *file); /* new reference */

/* {"row": 4, "col": 4}; new reference */
json_t *mw_fifo_json(const uint32_t fifo[MW_N_CLASSES]);
/* The name of a core, the names of nodes; new references */
json_t *mw_core_json(const struct mw_layout *l, mw_core v);
json_t *mw_nodes_json(const struct mw_layout *l, enum mw_mesh_model m,
                      const mw_mesh_node *node, uint32_t n);
/* Prints an object and lets it go. NULL: MW_ERR_DATA, for a name is not UTF-8. */
int mw_json_print(json_t *object) MW_NODISCARD;

/* ---- messages with several ways, or that go several ways at once: ways_report.c -------- */

/* Of one model: its ranks, or its knot. */
void mw_knot_print(const struct mw_layout_report *r, int m, FILE *out);
json_t *mw_knot_json(const struct mw_layout_report *r, int m);
void mw_ways_explain(const struct mw_layout_report *r, FILE *out);

/* ---- a mesh beyond MW_MESH_SIDE_MAX, by its lines (layouts/ways/lines.h): lines_report.c -- */

/* Of l's rules on rows x cols. Prints, or appends to `list` if that is not NULL; *is_free: by the
 * deciding model. */
int mw_lines_check(const struct mw_layout *l, uint32_t rows, uint32_t cols,
                   const struct mw_report_conf *conf, const char *file, FILE *out,
                   json_t *list, bool *is_free) MW_NODISCARD;

MW_END_DECLS
#endif
