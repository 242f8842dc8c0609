/* result_csv.c -- levels of searches as CSV. See result_json.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/result_json.h"

#include "cli/run/effect.h"

#include <inttypes.h>
#include <stdio.h>

/* A number that does not exist is an empty field. */
static void csv_counter(FILE *f, const struct mw_counter *c, uint64_t count)
{
    if (count == MW_COUNT_NONE)
        return;
    if (c->kind == MW_COUNT_SECONDS)
        fprintf(f, "%.9g", 1e-9 * (double)count);
    else if (c->kind == MW_COUNT_WORD)
        fputs(c->word[count], f);
    else
        fprintf(f, "%" PRIu64, count);
}

static void csv_level(FILE *f, const struct mw_algorithm *a, const struct mw_level *l)
{
    fprintf(f,
            "%s,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
            ",%.9g,%.9g,%.9g,",
            a->step_name[l->step], l->n_active, l->n_active_edges, l->n_found,
            l->n_records, l->n_bytes, l->n_batches, l->time_s, l->longest_work_s,
            l->mean_work_s);
    for (uint32_t i = 0; i < a->n_counters; i++) {
        csv_counter(f, &a->counter[i], l->own[i]);
        fputc(',', f);
    }
}

int mw_result_csv(const struct mw_report *r, char **text, size_t *bytes)
{
    FILE *f = open_memstream(text, bytes);
    const struct mw_algorithm *a = r->conf->algorithm;
    const char *stamped[MW_STAMPS_MOST + 1];
    char stamps[80];
    mw_effect_stamps(r->conf, r->result, r->world, stamped);
    mw_effect_stamp_text(stamped, stamps, sizeof stamps);
    if (f == NULL)
        return mw_fail(MW_ERR_NOMEM, "result: no memory for the CSV text");
    fputs("search,root,search_time_s,n_edges,level,direction,n_active,n_active_edges,"
          "n_found,n_records,bytes,n_batches,time_s,longest_work_s,mean_work_s,",
          f);
    for (uint32_t i = 0; i < a->n_counters; i++)
        fprintf(f, "%s,", a->counter[i].name);
    fputs("validated,stamps\n", f);
    for (uint32_t i = 0; i < r->result->n_searches; i++) {
        const struct mw_search *s = &r->result->search[i];
        char n_edges[24] = ""; /* a number that does not exist is an empty field */
        if (s->n_edges != UINT64_MAX)
            snprintf(n_edges, sizeof n_edges, "%" PRIu64, s->n_edges);
        const char *stamp = s->status < MW_OK    ? "INVALID"
                            : s->validate_s >= 0 ? "yes"
                                                 : "NOT VALIDATED";
        char root[MW_NAME_PUT_BYTES + 1] = "";
        if (a->keyed)
            *mw_names_put(r->names, s->root, root) = '\0';
        for (uint32_t k = 0; k < s->n_level_records; k++) {
            const struct mw_level *l = &s->level[k];
            fprintf(f, "%u,%s,%.9g,%s,%u,", i, root, s->time_s, n_edges, k);
            csv_level(f, a, l);
            fprintf(f, "%s,\"%s\"\n", stamp, stamps);
        }
    }
    const bool bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad)
        return mw_fail(MW_ERR_NOMEM, "result: no memory for the CSV text");
    return MW_OK;
}
