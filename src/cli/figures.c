/* figures.c -- see figures.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/figures.h"

#include <math.h>

int mw_figures_init(struct mw_figures *f, const struct mw_benchmark_result *r)
{
    *f = (struct mw_figures){.validated = true};
    MW_NEED_NEW(f->time_s, "figures: times", r->n_searches);
    MW_NEED_NEW(f->n_edges, "figures: edges", r->n_searches);
    MW_NEED_NEW(f->validate_s, "figures: validation times", r->n_searches);
    for (uint32_t i = 0; i < r->n_searches && !r->partial; i++) {
        const struct mw_search *s = &r->search[i];
        if (s->status < MW_OK) {
            f->n = 0;
            return MW_OK;
        }
        f->n_isolated += s->n_edges == 0;
        if (!mw_search_counts(s))
            continue;
        f->time_s[f->n] = s->time_s;
        f->n_edges[f->n] = (double)s->n_edges;
        f->validate_s[f->n++] = s->validate_s;
        f->validated = f->validated && s->validate_s >= 0;
    }
    if (f->n == 0)
        return MW_OK;
    MW_NEED(mw_statistics_of(f->time_s, f->n, &f->time));
    MW_NEED(mw_statistics_of(f->n_edges, f->n, &f->edges));
    MW_NEED(mw_statistics_of_rates(f->n_edges, f->time_s, f->n, &f->teps));
    return mw_statistics_of(f->validate_s, f->n, &f->validate);
}

void mw_figures_fini(struct mw_figures *f)
{
    MW_FREE_ALL(f->time_s, f->n_edges, f->validate_s);
    f->time_s = f->n_edges = f->validate_s = NULL;
}

const struct mw_search *mw_figures_median(const struct mw_figures *f,
                                          const struct mw_benchmark_result *r)
{
    const struct mw_search *best = NULL;
    for (uint32_t i = 0; f->n > 0 && i < r->n_searches; i++) {
        const struct mw_search *s = &r->search[i];
        if (mw_search_counts(s) &&
            (best == NULL ||
             fabs(s->time_s - f->time.median) < fabs(best->time_s - f->time.median)))
            best = s;
    }
    return best;
}

double mw_figures_modelled(const struct mw_benchmark_result *r)
{
    double inverse = 0;
    uint32_t n = 0;
    for (uint32_t i = 0; i < r->n_searches; i++) {
        const struct mw_search *s = &r->search[i];
        if (!mw_search_counts(s))
            continue;
        if (s->modelled_s <= 0 || r->partial)
            return 0;
        inverse += s->modelled_s / (double)s->n_edges;
        n++;
    }
    return n > 0 ? n / inverse : 0;
}
