/* result_read.c -- see result_read.h. Reading is strict: what is missing or of another kind is an
 * error that names it, but for keys of a level, of which result_json.c leaves out those that say
 * nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/result_read.h"

#include "cli/run/effect.h"

#include "base/mem.h"
#include "cli/json_field.h"
#include "cli/run/result_json.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* --- the document ------------------------------------------------------------------ */

/* Of all bytes before the line of the last key, which holds it. */
static bool checksum_holds(const char *text, size_t bytes, const json_t *o)
{
    const char *said = json_string_value(json_object_get(o, "checksum"));
    char holds[32];
    size_t at = bytes;
    while (at > 0 && strncmp(text + at - 1, "\"checksum\"", 10) != 0)
        at--;
    while (at > 0 && text[at - 1] != '\n')
        at--;
    snprintf(holds, sizeof holds, "fnv1a64:%016" PRIx64, mw_result_checksum(text, at));
    return said != NULL && strcmp(said, holds) == 0;
}

int mw_result_parse(const char *file, const char *text, size_t bytes, json_t **out)
{
    json_error_t error;
    json_t *o = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    int rc = MW_OK;
    if (o == NULL)
        rc = mw_fail(MW_ERR_DATA, "%s:%d:%d: %.80s", file, error.line, error.column,
                     error.text);
    else if (json_integer_value(json_object_get(o, "schema_version")) !=
             MW_RESULT_VERSION)
        rc = mw_fail(MW_ERR_DATA, "%s: is no result with schema_version %d", file,
                     MW_RESULT_VERSION);
    else if (!checksum_holds(text, bytes, o))
        rc = mw_fail(MW_ERR_DATA, "%s: its checksum does not hold: it was cut or changed",
                     file);
    else if (!json_is_array(json_object_get(o, "searches")))
        rc = mw_json_wrong(json_object_get(o, "searches"), "an array", "%s: searches",
                           file);
    if (rc < MW_OK) {
        json_decref(o);
        o = NULL;
    }
    *out = o;
    return rc;
}

/* --- fields of one search ----------------------------------------------------------- */

/* The first thing that is wrong is what is reported. */
struct reader {
    const char *file;
    uint32_t search;
    int rc;
};

static void wrong(struct reader *r, const json_t *got, const char *expected,
                  const char *key)
{
    if (r->rc >= MW_OK)
        r->rc =
            mw_json_wrong(got, expected, "%s: searches[%u]: %s", r->file, r->search, key);
}

/* A key that is not there says 0. */
static uint64_t count(struct reader *r, const json_t *o, const char *key)
{
    const json_t *v = json_object_get(o, key);
    if (v != NULL && (!json_is_integer(v) || json_integer_value(v) < 0))
        wrong(r, v, "a count", key);
    return (uint64_t)json_integer_value(v);
}

static uint64_t needed_count(struct reader *r, const json_t *o, const char *key)
{
    if (json_object_get(o, key) == NULL)
        wrong(r, NULL, "a count", key);
    return count(r, o, key);
}

/* null, or a key that is not there: `none`. */
static double real(struct reader *r, const json_t *o, const char *key, double none)
{
    const json_t *v = json_object_get(o, key);
    if (v == NULL || json_is_null(v))
        return none;
    if (!json_is_number(v) || json_number_value(v) < 0)
        wrong(r, v, "a number that is not negative", key);
    return json_number_value(v);
}

static double needed_real(struct reader *r, const json_t *o, const char *key)
{
    const double x = real(r, o, key, -1);
    if (x < 0)
        wrong(r, json_object_get(o, key), "a number that is not negative", key);
    return x;
}

static uint64_t word(struct reader *r, const json_t *v, const char *const *words,
                     const char *key)
{
    const int i = mw_json_word(v, words);
    if (i < 0)
        wrong(r, v, "one of its words", key);
    return i < 0 ? 0 : (uint64_t)i;
}

/* What mw_result_put_counters() has written. */
static uint64_t counter(struct reader *r, const json_t *o, const struct mw_counter *c)
{
    const json_t *v = json_object_get(o, c->name);
    const bool counts = c->kind == MW_COUNT_SUM || c->kind == MW_COUNT_SAME;
    if (json_is_null(v) || (v == NULL && !counts && c->kind != MW_COUNT_FLAG))
        return MW_COUNT_NONE;
    switch (c->kind) {
    case MW_COUNT_SUM:
    case MW_COUNT_SAME:
        return count(r, o, c->name);
    case MW_COUNT_FLAG:
        return json_is_true(v);
    case MW_COUNT_SECONDS:
        return (uint64_t)llround(1e9 * real(r, o, c->name, 0));
    case MW_COUNT_REAL:
        return mw_bits_of_double(real(r, o, c->name, 0));
    case MW_COUNT_WORD:
        return word(r, v, c->word, c->name);
    case MW_COUNT_TEXT: /* of options only, which are compared and not taken over */
        break;
    }
    return MW_COUNT_NONE;
}

/* --- levels -------------------------------------------------------------------------- */

static void read_sizes(struct reader *r, const json_t *o, struct mw_level *out)
{
    const json_t *sizes = json_object_get(o, "n_batches_by_size");
    if (json_array_size(sizes) > MW_SIZE_CLASSES)
        wrong(r, sizes, "a shorter list", "n_batches_by_size");
    for (size_t i = 0; i < json_array_size(sizes) && i < MW_SIZE_CLASSES; i++)
        out->n_of_size[i] = (uint64_t)json_integer_value(json_array_get(sizes, i));
}

static void read_jobs(struct reader *r, const json_t *jobs, struct mw_job_count *out)
{
    out->all = count(r, jobs, "all");
    out->small = count(r, jobs, "small");
    out->all_busy = count(r, jobs, "all_busy");
    out->alone = count(r, jobs, "alone");
    out->modelled_ns = (uint64_t)llround(1e9 * real(r, jobs, "modelled_s", 0));
}

static float seconds(const json_t *nanoseconds)
{
    return (float)(1e-9 * json_number_value(nanoseconds));
}

/* One number where all ranks spent the same, else least, mean and most; nothing: none did. */
static void read_spent(struct reader *r, const json_t *spent,
                       const struct mw_algorithm *a, struct mw_level *out)
{
    for (uint32_t i = 0; i < MW_SPENT_ROW + a->n_rows; i++) {
        const char *name =
            i < MW_SPENT_ROW ? mw_spent_names[i] : a->row[i - MW_SPENT_ROW].name;
        const json_t *v = json_object_get(spent, name);
        struct mw_spent *s = &out->spent[i];
        if (json_is_integer(v))
            s->least = s->mean = s->most = seconds(v);
        else if (json_array_size(v) == 3)
            *s = (struct mw_spent){seconds(json_array_get(v, 0)),
                                   seconds(json_array_get(v, 1)),
                                   seconds(json_array_get(v, 2))};
        else if (v != NULL)
            wrong(r, v, "nanoseconds, or three of them", name);
    }
}

static void read_level(struct reader *r, const json_t *o, const struct mw_algorithm *a,
                       struct mw_level *out)
{
    const json_t *step = json_object_get(o, "direction");
    out->step = (uint8_t)word(r, step, a->step_name, "direction");
    out->time_s = real(r, o, "time_s", -1);
    out->longest_work_s = real(r, o, "longest_work_s", -1);
    out->mean_work_s = real(r, o, "mean_work_s", -1);
    out->n_active = needed_count(r, o, "n_active");
    out->n_active_edges = needed_count(r, o, "n_active_edges");
    out->n_found = needed_count(r, o, "n_found");
    out->n_records = needed_count(r, o, "n_records");
    out->n_bytes = count(r, o, "bytes");
    out->n_batches = count(r, o, "n_batches");
    out->n_coded = count(r, o, "n_coded");
    const uint64_t before = count(r, o, "bytes_before");
    out->saved_bytes = before > out->n_bytes ? before - out->n_bytes : 0;
    out->coding_ns = (uint64_t)llround(1e9 * real(r, o, "coding_s", 0));
    read_sizes(r, o, out);
    read_jobs(r, json_object_get(o, "jobs"), &out->jobs);
    read_spent(r, json_object_get(o, "spent_ns"), a, out);
    for (uint32_t i = 0; i < a->n_counters; i++)
        out->own[i] = counter(r, o, &a->counter[i]);
}

/* --- a search ------------------------------------------------------------------------- */

static void read_facts(struct reader *r, const json_t *o, const struct mw_algorithm *a,
                       struct mw_search *out)
{
    static const char *const good[] = {"ok", NULL};
    (void)word(r, json_object_get(o, "status"), good, "status");
    out->time_s = needed_real(r, o, "time_s");
    out->n_edges = needed_count(r, o, "n_edges");
    out->n_reached = needed_count(r, o, "n_reached");
    out->n_levels = (uint32_t)needed_count(r, o, "n_levels");
    out->validate_s = real(r, o, "validate_s", -1);
    out->modelled_s = real(r, o, "modelled_s", -1);
    if (json_object_get(o, "validated_by") != NULL)
        out->judges = (uint8_t)word(r, json_object_get(o, "validated_by"),
                                    mw_effect_judges, "validated_by");
    if (out->validate_s >= 0) {
        const uint64_t all = needed_count(r, o, "n_edges_with_self_loops");
        if (all < out->n_edges)
            wrong(r, json_object_get(o, "n_edges_with_self_loops"), "n_edges or more",
                  "n_edges_with_self_loops");
        out->n_self_loops = all - out->n_edges;
    }
    for (uint32_t i = 0; i < a->n_facts; i++)
        out->fact[i] = counter(r, o, &a->fact[i]);
}

int mw_result_search(const char *file, const json_t *result, uint32_t i,
                     const struct mw_algorithm *algorithm, struct mw_search *out)
{
    struct reader r = {file, i, MW_OK};
    const json_t *o = json_array_get(json_object_get(result, "searches"), i);
    const json_t *levels = json_object_get(o, "levels");
    const size_t n = json_array_size(levels);
    int rc = MW_OK;
    *out = (struct mw_search){.root = MW_NO_VERTEX, .last_level = UINT32_MAX};
    if (!json_is_array(levels) || n > MW_LEVELS_KEPT)
        wrong(&r, levels, "a list of levels", "levels");
    read_facts(&r, o, algorithm, out);
    MW_TRY(rc, r.rc);
    if (n == 0)
        return MW_OK;
    MW_NEW(rc, out->level, "level records", n);
    out->n_level_records = (uint32_t)n;
    for (size_t k = 0; k < n; k++)
        read_level(&r, json_array_get(levels, k), algorithm, &out->level[k]);
    rc = r.rc;
end:
    if (rc < MW_OK) {
        mw_free(out->level);
        *out = (struct mw_search){.root = MW_NO_VERTEX};
    }
    return rc;
}
