/* rates_file.c -- see rates_file.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/rates_file.h"

#include "base/text.h"
#include "cli/data_folder.h"
#include "cli/json_field.h"
#include "cli/json_text.h"
#include "cli/run/results_folder.h"
#include "io/outfile.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { VERSION = 2 };

static int stored_name(char **folder, char **path)
{
    const int rc = mw_results_folder_name(getenv("MESHWAY_RESULTS"), folder);
    *path = rc == MW_OK ? mw_text_join(*folder, "/", "rates.json") : NULL;
    if (rc == MW_OK && *path == NULL)
        return mw_fail(MW_ERR_NOMEM, "name of the rates' file");
    return rc;
}

/* ---- JSON ---------------------------------------------------------------------------------- */

static double rate_at(const void *of, const struct mw_rate_row *row)
{
    return *(const double *)(const void *)((const char *)of + row->at);
}

static void put_rates(json_t *o, const struct mw_rate_rows *rows, const void *of)
{
    for (size_t i = 0; i < rows->n; i++)
        json_object_set_new(o, rows->row[i].name, json_real(rate_at(of, &rows->row[i])));
}

/* Points of one kind: of each first what it is of, then the rates of rows. */
struct points {
    const char *key, *of; /* in the file, and as it is printed */
    const struct mw_rate_rows *rows;
    const void *first;
    size_t bytes; /* of a point */
    uint32_t n;
    const char *unit;
    double units_a_second;
};

static struct points points_of_cores(const struct mw_rates *r)
{
    return (struct points){.key = "n_vertices_per_host",
                           .of = "vertices a host",
                           .rows = &mw_rates_of_cores,
                           .first = r->point,
                           .bytes = sizeof *r->point,
                           .n = r->n_points,
                           .unit = "ns",
                           .units_a_second = 1e9};
}

static struct points points_of_device(const struct mw_device_rates *d)
{
    return (struct points){.key = "n_tuples",
                           .of = "tuples a device",
                           .rows = &mw_rates_of_device_point,
                           .first = d->point,
                           .bytes = sizeof *d->point,
                           .n = d->n_points,
                           .unit = "ms",
                           .units_a_second = 1e3};
}

static const double *point_at(const struct points *p, uint32_t i)
{
    return (const double *)(const void *)((const char *)p->first + i * p->bytes);
}

static void put_points(json_t *o, const struct points *p)
{
    json_t *const list = json_array();
    for (uint32_t i = 0; i < p->n; i++) {
        json_t *const point = json_pack("{s:f}", p->key, *point_at(p, i));
        put_rates(point, p->rows, point_at(p, i));
        json_array_append_new(list, point);
    }
    json_object_set_new(o, "points", list);
}

static json_t *devices_json(const struct mw_device_rates *d)
{
    json_t *const o = json_pack("{s:b, s:s}", "measured", d->measured, "host", d->host);
    const struct points points = points_of_device(d);
    put_rates(o, &mw_rates_between_devices, d);
    put_points(o, &points);
    return o;
}

static json_t *rates_json(const struct mw_rates *r)
{
    json_t *o =
        json_pack("{s:s, s:i, s:b, s:s, s:i, s:i}", "$schema", "urn:meshway:rates:2",
                  "schema_version", VERSION, "measured", r->measured, "host", r->host,
                  "n_ranks", (int)r->n_ranks, "threads_per_rank", (int)r->n_threads);
    const struct points points = points_of_cores(r);
    put_rates(o, &mw_rates_of_rest, r);
    put_points(o, &points);
    json_object_set_new(o, "devices", devices_json(&r->device));
    return o;
}

static int read_rate(const json_t *o, const char *key, double *out, const char *file)
{
    const json_t *value = json_object_get(o, key);
    *out = json_number_value(value);
    if (!json_is_number(value) || !(*out >= 0) || !(*out <= 1e30))
        return mw_json_wrong(value, "a number of 0 or more", "%s: %s", file, key);
    return MW_OK;
}

static int read_rates(const json_t *o, const struct mw_rate_rows *rows, void *of,
                      const char *file)
{
    int rc = MW_OK;
    for (size_t i = 0; i < rows->n && rc == MW_OK; i++)
        rc = read_rate(o, rows->row[i].name,
                       (double *)(void *)((char *)of + rows->row[i].at), file);
    return rc;
}

static int check_list(const json_t *list, const char *file, const char *of)
{
    const size_t n = json_array_size(list); /* 0: it is none */
    return n >= 1 && n <= MW_RATE_POINTS
               ? MW_OK
               : mw_json_wrong(list, "a list of 1 to 8 points", "%s: %spoints", file, of);
}

static int read_points(const json_t *list, struct mw_rates *r, const char *file)
{
    MW_NEED(check_list(list, file, ""));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *o = json_array_get(list, i);
        struct mw_rate_point point;
        MW_NEED(read_rate(o, "n_vertices_per_host", &point.n_vertices, file));
        if (!(point.n_vertices >= 1))
            return mw_json_wrong(json_object_get(o, "n_vertices_per_host"),
                                 "1 vertex or more", "%s: n_vertices_per_host", file);
        MW_NEED(read_rates(o, &mw_rates_of_cores, &point, file));
        mw_rates_add(r, &point);
    }
    return MW_OK;
}

/* A file without them was written before devices had any. */
static int read_devices(const json_t *o, struct mw_device_rates *d, const char *file)
{
    const json_t *const list = json_object_get(o, "points");
    const char *const host = json_string_value(json_object_get(o, "host"));
    if (o == NULL)
        return MW_OK;
    MW_NEED(read_rates(o, &mw_rates_between_devices, d, file));
    if (!(d->reach_bitmap_bytes_per_s > 0 && d->letter_bitmap_bytes_per_s > 0 &&
          d->bytes_per_s > 0))
        return mw_json_wrong(o, "rates of more than 0", "%s: devices", file);
    MW_NEED(check_list(list, file, "devices: "));
    d->n_points = 0;
    for (size_t i = 0; i < json_array_size(list); i++) {
        struct mw_device_point point;
        const json_t *const at = json_array_get(list, i);
        MW_NEED(read_rate(at, "n_tuples", &point.n_tuples, file));
        if (!(point.n_tuples >= 1) ||
            (i > 0 && point.n_tuples <= d->point[i - 1].n_tuples))
            return mw_json_wrong(json_object_get(at, "n_tuples"),
                                 "more than that of the point before", "%s: n_tuples",
                                 file);
        MW_NEED(read_rates(at, &mw_rates_of_device_point, &point, file));
        if (!(point.search_s > 0))
            return mw_json_wrong(json_object_get(at, "search_s"), "more than 0",
                                 "%s: search_s", file);
        mw_device_rates_add(d, &point);
    }
    d->measured = json_is_true(json_object_get(o, "measured"));
    snprintf(d->host, sizeof d->host, "%s", host != NULL ? host : "");
    return MW_OK;
}

static int read_all(const json_t *o, struct mw_rates *r, const char *file)
{
    const char *host = json_string_value(json_object_get(o, "host"));
    mw_rates_default(r);
    r->n_points = 0;
    if (json_integer_value(json_object_get(o, "schema_version")) != VERSION)
        return mw_fail(MW_ERR_DATA, "%s: no rates with schema_version %d", file, VERSION);
    MW_NEED(read_rates(o, &mw_rates_of_rest, r, file));
    if (!(r->link_bytes_per_s > 0))
        return mw_json_wrong(json_object_get(o, "link_bytes_per_s"), "more than 0",
                             "%s: link_bytes_per_s", file);
    MW_NEED(mw_json_integer(json_object_get(o, "n_ranks"), 0, UINT32_MAX, &r->n_ranks,
                            "%s: n_ranks", file));
    MW_NEED(mw_json_integer(json_object_get(o, "threads_per_rank"), 0, UINT32_MAX,
                            &r->n_threads, "%s: threads_per_rank", file));
    MW_NEED(read_points(json_object_get(o, "points"), r, file));
    MW_NEED(read_devices(json_object_get(o, "devices"), &r->device, file));
    r->measured = json_is_true(json_object_get(o, "measured"));
    snprintf(r->host, sizeof r->host, "%s", host != NULL ? host : "");
    return MW_OK;
}

static int read_file(const char *path, struct mw_rates *out)
{
    json_error_t error;
    json_t *o = json_load_file(path, JSON_REJECT_DUPLICATES, &error);
    if (o == NULL)
        return mw_fail(error.position == 0 ? MW_ERR_NOINPUT : MW_ERR_DATA, "%s:%d: %.80s",
                       path, error.line, error.text);
    const int rc = read_all(o, out, path);
    json_decref(o);
    return rc;
}

/* ---- options ----------------------------------------------------------------------------------- */

static const char *unit_of(const char *at, const char *const *unit, const double *worth,
                           double *value)
{
    char *end;
    const double number = strtod(at, &end);
    for (size_t i = 0; end != at && unit[i] != NULL; i++)
        if (strncasecmp(end, unit[i], strlen(unit[i])) == 0) {
            *value = number * worth[i];
            return end + strlen(unit[i]);
        }
    return NULL;
}

int mw_rates_link(const char *text, struct mw_rates *r)
{
    static const char *const rates[] = {"tbit", "gbit", "mbit", "kbit", NULL};
    static const double bytes[] = {1e12 / 8, 1e9 / 8, 1e6 / 8, 1e3 / 8};
    static const char *const times[] = {"us", "ms", "ns", "s", NULL};
    static const double seconds[] = {1e-6, 1e-3, 1e-9, 1};
    double rate = 0, delay = r->link_latency_s;
    const char *at = unit_of(text, rates, bytes, &rate);
    if (at != NULL && *at == ',')
        at = unit_of(at + 1, times, seconds, &delay);
    if (at == NULL || *at != '\0' || !(rate > 0) || !(delay >= 0) || isinf(rate) ||
        isinf(delay))
        return mw_fail(MW_ERR_USAGE,
                       "--link: '%s' is no link; 1gbit, 10gbit,50us or 100mbit,1ms are",
                       text);
    r->link_bytes_per_s = rate;
    r->link_latency_s = delay;
    return MW_OK;
}

int mw_rates_find(const struct mw_settings *s, bool asked, struct mw_rates *out)
{
    int rc = MW_OK;
    const char *named = asked ? mw_setting_text(s, "rates") : NULL;
    const char *link = asked ? mw_setting_text(s, "link") : NULL;
    char *folder = NULL, *path = NULL;
    if (named != NULL) {
        MW_TRY(rc, read_file(named, out));
    } else {
        MW_TRY(rc, stored_name(&folder, &path));
        if (read_file(path, out) < MW_OK)
            mw_rates_default(out);
    }
    if (link != NULL)
        MW_TRY(rc, mw_rates_link(link, out));
end:
    free(folder);
    free(path);
    return rc;
}

int mw_rates_store(const struct mw_rates *r, const char *path, char **name)
{
    int rc = MW_OK;
    struct mw_outfile f = {0};
    char *text = NULL, *folder = NULL;
    size_t bytes;
    json_t *o = rates_json(r);
    *name = path != NULL ? strdup(path) : NULL;
    if (path == NULL) {
        MW_TRY(rc, stored_name(&folder, name));
        MW_TRY(rc, mw_results_folder_make(folder, false));
    }
    MW_TRY(rc, mw_json_text(o, &text, &bytes));
    MW_TRY(rc, mw_outfile_open(&f, *name, true));
    MW_TRY(rc, mw_outfile_write(&f, text, bytes));
    MW_TRY(rc, mw_outfile_commit(&f));
end:
    mw_outfile_abandon(&f);
    json_decref(o);
    free(folder);
    free(text);
    return rc;
}

struct mw_rates_text mw_rates_origin(const struct mw_rates *r)
{
    struct mw_rates_text out = {
        "rates of another machine; 'meshway plan --calibrate' measures this one's"};
    if (r->measured)
        snprintf(out.text, sizeof out.text,
                 "rates measured on %s, %u rank%s of %u thread%s", r->host, r->n_ranks,
                 r->n_ranks == 1 ? "" : "s", r->n_threads, r->n_threads == 1 ? "" : "s");
    return out;
}

struct mw_rates_text mw_rates_device_origin(const struct mw_rates *r)
{
    struct mw_rates_text out = {
        "rates of H200s; 'meshway plan --calibrate --backend kokkos' "
        "measures other devices'"};
    if (r->device.measured)
        snprintf(out.text, sizeof out.text, "rates measured on devices of %s",
                 r->device.host);
    return out;
}

static void print_rates(const struct mw_rate_rows *rows, const void *of)
{
    for (const struct mw_rate_row *row = rows->row; row < rows->row + rows->n; row++)
        printf("%-26s %12.4g  %s\n", row->name, rate_at(of, row), row->of);
}

static void print_points(const struct points *p)
{
    printf("%-18s", p->of);
    for (uint32_t i = 0; i < p->n; i++)
        printf(" %12.0f", *point_at(p, i));
    printf("\n");
    for (size_t k = 0; k < p->rows->n; k++) {
        const struct mw_rate_row *const row = &p->rows->row[k];
        printf("%-18s", row->name);
        for (uint32_t i = 0; i < p->n; i++)
            printf(" %9.3f %s", p->units_a_second * rate_at(point_at(p, i), row),
                   p->unit);
        printf("  %s\n", row->of);
    }
}

int mw_rates_print(const struct mw_rates *r, const char *name, bool json)
{
    if (json)
        return mw_json_text_print(rates_json(r));
    const struct points cores = points_of_cores(r), device = points_of_device(&r->device);
    printf("%s; stored in %s\n\n", mw_rates_origin(r).text, name);
    print_points(&cores);
    print_rates(&mw_rates_of_rest, r);
    printf("\n%s\n\n", mw_rates_device_origin(r).text);
    print_points(&device);
    print_rates(&mw_rates_between_devices, &r->device);
    return MW_OK;
}
