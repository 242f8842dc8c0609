/* rates.c -- see rates.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/rates.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

#define OF_CORE(name, value, of) {#name, of, value, offsetof(struct mw_rate_point, name)},
#define OF_REST(name, value, of) {#name, of, value, offsetof(struct mw_rates, name)},
static const struct mw_rate_row of_cores[] = {MW_CORE_RATES(OF_CORE)};
static const struct mw_rate_row of_rest[] = {MW_REST_RATES(OF_REST)};
#define OF_DEVICE(name, of) {#name, of, 0, offsetof(struct mw_device_point, name)},
#define BETWEEN_DEVICES(name, value, of)                                                 \
    {#name, of, value, offsetof(struct mw_device_rates, name)},
static const struct mw_rate_row of_device[] = {MW_DEVICE_TIMES(OF_DEVICE)};
static const struct mw_rate_row between_devices[] = {MW_DEVICE_RATES(BETWEEN_DEVICES)};
/* One H200, SCALE 18 to 28. */
static const struct mw_device_point h200[] = {
    {0x1p22, 0.0012, 0.0107, 91e-6, 0.19e-3},  {0x1p24, 0.0011, 0.0096, 99e-6, 0.29e-3},
    {0x1p26, 0.0043, 0.0273, 132e-6, 0.67e-3}, {0x1p28, 0.0140, 0.105, 283e-6, 2.15e-3},
    {0x1p30, 0.0558, 0.481, 689e-6, 8.36e-3},  {0x1p32, 0.229, 2.25, 3.09e-3, 35.2e-3},
};
enum { DEFAULT_SCALE = 22 };

#define ROWS(table)                                                                      \
    {                                                                                    \
        table, sizeof table / sizeof *table                                              \
    }
const struct mw_rate_rows mw_rates_of_cores = ROWS(of_cores);
const struct mw_rate_rows mw_rates_of_rest = ROWS(of_rest);
const struct mw_rate_rows mw_rates_of_device_point = ROWS(of_device);
const struct mw_rate_rows mw_rates_between_devices = ROWS(between_devices);

static double *field(void *of, const struct mw_rate_row *row)
{
    return (double *)(void *)((char *)of + row->at);
}

static double value(const void *of, const struct mw_rate_row *row)
{
    return *(const double *)(const void *)((const char *)of + row->at);
}

static void set_default(const struct mw_rate_rows *rows, void *of)
{
    for (size_t i = 0; i < rows->n; i++)
        *field(of, &rows->row[i]) = rows->row[i].value;
}

void mw_rates_default(struct mw_rates *out)
{
    struct mw_rate_point point = {.n_vertices = 1 << DEFAULT_SCALE};
    memset(out, 0, sizeof *out);
    set_default(&mw_rates_of_cores, &point);
    set_default(&mw_rates_of_rest, out);
    set_default(&mw_rates_between_devices, &out->device);
    mw_rates_add(out, &point);
    for (size_t i = 0; i < sizeof h200 / sizeof *h200; i++)
        mw_device_rates_add(&out->device, &h200[i]);
}

void mw_rates_add(struct mw_rates *r, const struct mw_rate_point *point)
{
    uint32_t at = 0;
    while (at < r->n_points && r->point[at].n_vertices < point->n_vertices)
        at++;
    const bool there = at < r->n_points && r->point[at].n_vertices == point->n_vertices;
    at = (uint32_t)mw_min(at, MW_RATE_POINTS - 1);
    if (!there) {
        r->n_points = (uint32_t)mw_min(r->n_points + 1, MW_RATE_POINTS);
        memmove(&r->point[at + 1], &r->point[at],
                (r->n_points - 1 - at) * sizeof *r->point);
    }
    r->point[at] = *point;
}

void mw_rates_at(const struct mw_rates *r, double n_vertices, struct mw_rate_point *out)
{
    uint32_t i = 0;
    memset(out, 0, sizeof *out);
    if (r->n_points == 0)
        return;
    while (i + 1 < r->n_points && r->point[i + 1].n_vertices < n_vertices)
        i++;
    const struct mw_rate_point *a = &r->point[i],
                               *b = &r->point[mw_min(i + 1, r->n_points - 1)];
    const double whole = a == b ? 1 : log2(b->n_vertices / a->n_vertices);
    const double part = a == b ? 0 : log2(n_vertices / a->n_vertices) / whole;
    const double t = fmin(1, fmax(0, part));
    for (size_t k = 0; k < mw_rates_of_cores.n; k++)
        *field(out, &of_cores[k]) =
            value(a, &of_cores[k]) * (1 - t) + value(b, &of_cores[k]) * t;
    out->n_vertices = n_vertices;
}

void mw_device_rates_add(struct mw_device_rates *r, const struct mw_device_point *point)
{
    if (r->n_points < MW_RATE_POINTS)
        r->point[r->n_points++] = *point;
}

void mw_device_rates_at(const struct mw_device_rates *r, double n_tuples,
                        struct mw_device_point *out)
{
    uint32_t i = 0;
    const struct mw_rate_row *const row = of_device;
    memset(out, 0, sizeof *out);
    out->n_tuples = n_tuples;
    if (r->n_points == 0)
        return;
    while (i + 1 < r->n_points && r->point[i + 1].n_tuples < n_tuples)
        i++;
    const struct mw_device_point *a = &r->point[i],
                                 *b = &r->point[mw_min(i + 1, r->n_points - 1)];
    for (size_t k = 0; k < mw_rates_of_device_point.n; k++) {
        const double x = value(a, &row[k]), y = value(b, &row[k]);
        const double part =
            a == b ? 0 : log2(n_tuples / a->n_tuples) / log2(b->n_tuples / a->n_tuples);
        *field(out, &row[k]) = part <= 0 || x <= 0 || y <= 0
                                   ? x * fmax(1, n_tuples / a->n_tuples)
                                   : x * pow(y / x, part);
    }
}
