/* output.c -- see output.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/output.h"

#include "graph500/statistics.h"

#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <string.h>

enum { VALUE_COLUMN = 32 };

/* What went wrong inside stdio shows in ferror(), so single lines are not checked. */
static int close_block(FILE *file)
{
    errno = 0;
    if (fflush(file) != 0 || ferror(file))
        return mw_fail(MW_ERR_IO, "result block: %s",
                       errno != 0 ? strerror(errno) : "not written completely");
    return MW_OK;
}

static void put_key(FILE *file, const char *prefix, const char *name, const char *suffix)
{
    const int n = fprintf(file, "%s%s%s:", prefix, name, suffix);
    fprintf(file, "%*s", n < VALUE_COLUMN ? VALUE_COLUMN - n : 1, "");
}

/* A rate that was not measured is no number, and no tool shall take it for one. */
static void put_value(FILE *file, int n_digits, double value)
{
    if (isnan(value))
        fputs("not available\n", file);
    else
        fprintf(file, "%.*g\n", n_digits, value);
}

static void put_number(FILE *file, const char *key, int n_digits, double value)
{
    put_key(file, "", key, "");
    put_value(file, n_digits, value);
}

/* The lines min .. max, and unless `five`, mean and stddev. */
static void put_statistics(FILE *file, const char *prefix, const char *suffix,
                           int n_digits, bool five, const struct mw_statistics *s)
{
    const struct {
        const char *name;
        double value;
    } line[] = {{"min", s->min},       {"firstquartile", s->firstquartile},
                {"median", s->median}, {"thirdquartile", s->thirdquartile},
                {"max", s->max},       {"mean", s->mean},
                {"stddev", s->stddev}};
    for (int i = 0; i < (five ? 5 : 7); i++) {
        put_key(file, prefix, line[i].name, suffix);
        put_value(file, n_digits, line[i].value);
    }
}

struct kernel_statistics {
    char what[16]; /* "bfs  " */
    struct mw_statistics time, edges, teps, validate;
};

static int find_statistics(const struct mw_official_kernel *k,
                           struct kernel_statistics *out)
{
    const size_t n = k->n_searches;
    snprintf(out->what, sizeof out->what, "%-4s ",
             k->algorithm != NULL ? k->algorithm : "bfs");
    out->validate = (struct mw_statistics){-1, -1, -1, -1, -1, -1, 0};
    MW_NEED(mw_statistics_of(k->time_s, n, &out->time));
    MW_NEED(mw_statistics_of(k->n_edges, n, &out->edges));
    MW_NEED(mw_statistics_of_rates(k->n_edges, k->time_s, n, &out->teps));
    if (k->validate_s != NULL)
        MW_NEED(mw_statistics_of(k->validate_s, n, &out->validate));
    return MW_OK;
}

enum { G = 6, COUNT = 11 }; /* digits of %g, and of a count */

static void put_rates(FILE *file, const struct kernel_statistics *k)
{
    put_statistics(file, k->what, "_TEPS", G, true, &k->teps);
    fprintf(file, "%sharmonic_mean_TEPS:     !  ", k->what);
    put_value(file, G, k->teps.mean);
    put_key(file, k->what, "harmonic_stddev_TEPS", "");
    put_value(file, G, k->teps.stddev);
}

int mw_official_print(FILE *file, const struct mw_official *o)
{
    const uint32_t n = o->n_kernels;
    struct kernel_statistics k[MW_OFFICIAL_KERNELS];
    for (uint32_t i = 0; i < n; i++)
        MW_NEED(find_statistics(&o->kernel[i], &k[i]));

    put_number(file, "SCALE", COUNT, o->scale);
    put_number(file, "edgefactor", COUNT, o->edgefactor);
    put_number(file, "NBFS", COUNT, o->kernel[0].n_searches);
    put_number(file, "graph_generation", G, o->generation_s);
    put_number(file, "num_mpi_processes", COUNT, o->n_ranks);
    put_number(file, "construction_time", G, o->construction_s);
    for (uint32_t i = 0; i < n; i++)
        put_statistics(file, k[i].what, "_time", G, false, &k[i].time);
    put_statistics(file, "", "_nedge", COUNT, false, &k[0].edges);
    for (uint32_t i = 0; i < n; i++)
        put_rates(file, &k[i]);
    for (uint32_t i = 0; i < n; i++)
        put_statistics(file, k[i].what, "_validate", G, false, &k[i].validate);
    return close_block(file);
}

int mw_official_print_invalid(FILE *file)
{
    fputs("No results printed for invalid run.\n", file);
    return close_block(file);
}

void mw_official_extra(struct mw_official_lines *to, const char *key, const char *fmt,
                       ...)
{
    va_list args;
    if (to->rc != MW_OK)
        return;
    put_key(to->file, "", key, "");
    va_start(args, fmt);
    vfprintf(to->file, fmt, args);
    va_end(args);
    fputc('\n', to->file);
    to->rc = close_block(to->file);
}
