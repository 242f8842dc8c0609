/* figures.h -- the searches of a result that count, and their statistics: one source for
 * the official block, the JSON file and the summary.
 *
 * A search from an isolated vertex reaches no edge and has no rate, so it is kept in the
 * list of searches but not in the figures. Where a search failed validation there are
 * no figures at all, nor of searches that ended early (--max-depth, --target).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FIGURES_H
#define MW_FIGURES_H

#include "graph500/benchmark.h"
#include "graph500/statistics.h"

MW_BEGIN_DECLS

struct mw_figures {
    uint32_t n;          /* searches that count; 0: there are no figures */
    uint32_t n_isolated; /* searches left out */
    bool validated;      /* each one that counts was checked */
    double *time_s, *n_edges, *validate_s; /* [n]; owned */
    struct mw_statistics time, edges, teps, validate;
};

/* Local. To be freed with _fini(), also after an error. */
int mw_figures_init(struct mw_figures *f, const struct mw_benchmark_result *r)
    MW_NODISCARD;
void mw_figures_fini(struct mw_figures *f);

/* The search of median time among those that count, or NULL. */
const struct mw_search *mw_figures_median(const struct mw_figures *f,
                                          const struct mw_benchmark_result *r);

/* Harmonic mean of the rates that an emulated machine would have; 0: there is no such time of some
 * search, and the others' mean would be another figure. */
double mw_figures_modelled(const struct mw_benchmark_result *r);

MW_END_DECLS
#endif
