/* rows.c -- see rows.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/rows.h"

void mw_rows_find(const struct mw_algorithm *a, const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_rows *out)
{
    const struct mw_row_table table = {a->row, a->n_rows, a->kernels, a->sweeps};
    const uint32_t all = (1U << MW_EXCHANGES_MAX) - 1;
    const uint32_t used = a->exchanges != NULL ? a->exchanges(shape, world) : all;
    *out = (struct mw_rows){.modules = {.n = 0}};
    for (uint32_t i = 0; i < a->n_rows; i++) {
        const uint32_t variant = a->variant != NULL ? a->variant(shape, world, i) : 0;
        if (a->row[i].exchanges == 0)
            out->sweep[i] = mw_sweep_find(&a->row[i], a->sweeps, world->backend);
        else
            mw_modules_add(&table, i, variant, used, world->backend, &world->groups,
                           &out->modules);
    }
}

static int check_count(const struct mw_algorithm *a, const char *what, uint64_t n,
                       uint64_t most)
{
    return n <= most
               ? MW_OK
               : mw_fail(MW_ERR_USAGE,
                         "algorithm %s: %llu %s, but there is room for %llu", a->name,
                         (unsigned long long)n, what, (unsigned long long)most);
}

static int check_rows(const struct mw_algorithm *a)
{
    uint32_t n_modules = 0;
    for (uint32_t i = 0; i < a->n_rows; i++) {
        const struct mw_row *row = &a->row[i];
        if (row->name == NULL)
            return mw_fail(MW_ERR_USAGE, "algorithm %s: row %u has no name", a->name, i);
        if (row->exchanges != 0 && row->takes.hop == MW_SOURCE && row->units == NULL)
            return mw_fail(MW_ERR_USAGE,
                           "algorithm %s: row %s is a source and does not say how much "
                           "work it has",
                           a->name, row->name);
        n_modules += row->exchanges != 0;
    }
    if (a->answer > 0 && (a->answer >= a->n_rows || a->row[a->answer].exchanges != 0))
        return mw_fail(MW_ERR_USAGE, "algorithm %s: the row of its answer is no sweep",
                       a->name);
    return check_count(a, "modules", n_modules, MW_MODULES_MAX);
}

/* A value that has no at() is the block of its place. */
static bool stands_somewhere(const struct mw_algorithm *a, uint32_t i)
{
    return a->value[i].at != NULL ||
           (i < a->n_blocks && a->block[i].per == MW_PER_PLACE &&
            a->block[i].kind == MW_OF_CORES);
}

/* Values are read as floats, and else as numbers of the graph's width. */
static int check_width(const struct mw_algorithm *a, uint32_t i)
{
    const bool real = a->value[i].type == MW_VALUE_REAL;
    if (a->value[i].at != NULL ||
        a->block[i].bytes == (real                  ? sizeof(float)
                              : a->value[i].is_long ? sizeof(uint64_t)
                                                    : 0))
        return MW_OK;
    return mw_fail(MW_ERR_USAGE, "algorithm %s: value %u (%s) is %s%u", a->name, i,
                   a->value[i].name,
                   real ? "a real, a float of 4 bytes, and an element of its block has "
                        : "as wide as the graph, which a block says by 0 bytes; this "
                          "one says ",
                   a->block[i].bytes);
}

static int check_values(const struct mw_algorithm *a)
{
    if (a->n_values == 0)
        return mw_fail(MW_ERR_USAGE, "algorithm %s: its answer has no value", a->name);
    for (uint32_t i = 0; i < mw_min(a->n_values, MW_VALUES_MAX); i++)
        if (a->value[i].name == NULL || !stands_somewhere(a, i))
            return mw_fail(MW_ERR_USAGE,
                           "algorithm %s: value %u has no name, or stands nowhere",
                           a->name, i);
    for (uint32_t i = 0; i < mw_min(a->n_values, MW_VALUES_MAX); i++)
        MW_NEED(check_width(a, i));
    return check_count(a, "values", a->n_values, MW_VALUES_MAX);
}

int mw_algorithm_check(const struct mw_algorithm *a)
{
    if (a->name == NULL || a->name[0] == '\0')
        return mw_fail(MW_ERR_USAGE, "an algorithm has no name");
    if (a->start == NULL || a->step == NULL || a->step_name == NULL)
        return mw_fail(MW_ERR_USAGE,
                       "algorithm %s: has no start, no step, or no names "
                       "of steps",
                       a->name);
    MW_NEED(check_count(a, "rows", a->n_rows, MW_ROWS_MAX));
    MW_NEED(check_count(a, "counters", a->n_counters, MW_COUNTERS_MAX));
    MW_NEED(check_count(a, "traits", a->n_traits, MW_TRAITS_MAX));
    MW_NEED(check_count(a, "facts", a->n_facts, MW_FACTS_MAX));
    MW_NEED(check_rows(a));
    MW_NEED(check_values(a));
    const uint32_t n_expected =
        (uint32_t)mw_max(a->check != NULL ? a->check->n_expected : 0, 1);
    if (a->check != NULL && a->check->expect != NULL && n_expected < a->n_values)
        return mw_fail(MW_ERR_USAGE,
                       "algorithm %s: its check looks at %u of %u values: "
                       "MW_CHECK_BY_VALUES() says how many are expected",
                       a->name, n_expected, a->n_values);
    return MW_OK;
}

int mw_algorithm_takes(const struct mw_algorithm *a, bool directed, bool shuffled)
{
    if (directed && a->both_ways)
        return mw_fail(MW_ERR_REFUSED,
                       "algorithm %s: edges count both ways, but this graph has "
                       "directions: leave out --directed",
                       a->name);
    if (shuffled && a->in_order)
        return mw_fail(MW_ERR_REFUSED,
                       "algorithm %s: vertices are met in their order, but these are "
                       "shuffled",
                       a->name);
    return MW_OK;
}

int mw_rows_check(const struct mw_rows *rows, const struct mw_algorithm *a,
                  const struct mw_world *world)
{
    const char *const backend = world->backend->name;
    const char *lacks = NULL;
    if (mw_host_reaches(world->backend))
        return MW_OK;
    if (world->conf.engine_mpe)
        return mw_fail(MW_ERR_UNAVAILABLE,
                       "--engine mpe: the management core does not reach the memory of "
                       "backend '%s'; let its cores work (--engine cpe)",
                       backend);
    for (uint32_t i = 0; i < rows->modules.n; i++)
        if (rows->modules.row[i].cores_kernel == NULL &&
            rows->modules.row[i].kernel == NULL)
            lacks = rows->modules.row[i].name;
    for (uint32_t i = 0; i < a->n_rows; i++)
        if (a->row[i].exchanges == 0 && !a->row[i].optional &&
            rows->sweep[i].cores == NULL)
            lacks = a->row[i].name;
    if (lacks != NULL)
        return mw_fail(
            MW_ERR_UNAVAILABLE,
            "%s, %s: backend '%s' has no kernel for it, and the management core "
            "does not reach its memory; use another backend",
            a->name, lacks, backend);
    return MW_OK;
}
