/* result_searches.c -- searches and their levels as JSON. See result_parts.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/result_parts.h"

#include "cli/json_field.h"
#include "cli/run/effect.h"

#include <math.h>

/* Of levels, which are many: the clock counts nanoseconds, and what the difference of two readings
 * has behind them is rounding, in 17 digits. */
static void put_nanoseconds(json_t *o, const char *key, double s)
{
    mw_result_put_seconds(o, key, round(1e9 * s) / 1e9);
}

/* Counts by size, as far as there are any. */
static json_t *sizes_json(const struct mw_level *l)
{
    json_t *list = json_array();
    uint32_t n = MW_SIZE_CLASSES;
    while (n > 0 && l->n_of_size[n - 1] == 0)
        n--;
    for (uint32_t i = 0; i < n; i++)
        json_array_append_new(list, json_integer((json_int_t)l->n_of_size[i]));
    return list;
}

/* A search has many levels, and most of them did little of what can be counted: a key that is
 * not there says 0, false, or that there is no such number. */
static json_t *without_nothing(json_t *o)
{
    const char *key;
    json_t *value;
    void *next;
    json_object_foreach_safe(o, next, key, value)
    {
        const bool empty_number =
            json_is_integer(value) && json_integer_value(value) == 0;
        const bool empty_list = json_is_array(value) && json_array_size(value) == 0;
        const bool empty_object = json_is_object(value) && json_object_size(value) == 0;
        if (empty_number || empty_list || empty_object || json_is_null(value) ||
            json_is_false(value))
            json_object_del(o, key);
    }
    return o;
}

static json_t *jobs_json(const struct mw_job_count *n, bool modelled)
{
    json_t *o = json_object();
    mw_result_put_count(o, "all", n->all);
    mw_result_put_count(o, "small", n->small);
    mw_result_put_count(o, "all_busy", n->all_busy);
    mw_result_put_count(o, "alone", n->alone);
    mw_result_put_seconds(o, "modelled_s", modelled ? 1e-9 * (double)n->modelled_ns : -1);
    return without_nothing(o);
}

static json_t *sent_json(const struct mw_algorithm *a, const struct mw_level *l,
                         bool modelled)
{
    json_t *o = json_object();
    mw_result_put_count(o, "bytes", l->n_bytes);
    mw_result_put_count(o, "bytes_before",
                        l->n_coded > 0 ? l->n_bytes + l->saved_bytes : 0);
    mw_result_put_count(o, "n_batches", l->n_batches);
    mw_result_put_count(o, "n_coded", l->n_coded);
    mw_result_put_seconds(o, "coding_s",
                          l->coding_ns > 0 ? 1e-9 * (double)l->coding_ns : -1);
    json_object_set_new(o, "n_batches_by_size", sizes_json(l));
    json_object_set_new(o, "jobs", jobs_json(&l->jobs, modelled));
    mw_result_put_counters(o, a->counter, a->n_counters, l->own);
    return without_nothing(o);
}

static json_t *nanoseconds(float seconds)
{
    return json_integer(llround(1e9 * (double)seconds));
}

/* In whole nanoseconds: there are many, and digits of a float say nothing. Three numbers, or one
 * where all ranks spent the same; what no rank has spent time on is left out. */
static json_t *spent_json(const struct mw_algorithm *a, const struct mw_level *l)
{
    json_t *o = json_object();
    for (uint32_t i = 0; i < MW_SPENT_ROW + a->n_rows; i++) {
        const struct mw_spent *s = &l->spent[i];
        const char *name =
            i < MW_SPENT_ROW ? mw_spent_names[i] : a->row[i - MW_SPENT_ROW].name;
        if (s->least < s->most)
            json_object_set_new(o, name,
                                json_pack("[ooo]", nanoseconds(s->least),
                                          nanoseconds(s->mean), nanoseconds(s->most)));
        else if (s->most > 0)
            json_object_set_new(o, name, nanoseconds(s->most));
    }
    return o;
}

static json_t *level_json(const struct mw_algorithm *a, const struct mw_level *l,
                          uint32_t level, bool modelled)
{
    json_t *o = json_object(), *sent = sent_json(a, l, modelled);
    mw_result_put_count(o, "level", level);
    mw_result_put_text(o, "direction", a->step_name[l->step]);
    put_nanoseconds(o, "time_s", l->time_s);
    put_nanoseconds(o, "longest_work_s", l->longest_work_s);
    put_nanoseconds(o, "mean_work_s", l->mean_work_s);
    mw_result_put_count(o, "n_active", l->n_active);
    mw_result_put_count(o, "n_active_edges", l->n_active_edges);
    mw_result_put_count(o, "n_found", l->n_found);
    mw_result_put_count(o, "n_records", l->n_records);
    json_object_update(o, sent);
    json_decref(sent);
    json_object_set_new(o, "spent_ns", spent_json(a, l));
    for (uint32_t i = 0; i < a->n_counters; i++)
        if (a->counter[i].always)
            mw_result_put_counters(o, &a->counter[i], 1, &l->own[i]);
    return o;
}

/* From the root to the target; null: it was not reached. */
static json_t *path_json(const struct mw_search *s, const struct mw_report *r)
{
    if (s->path == NULL)
        return json_null();
    json_t *list = json_array();
    for (uint32_t i = 0; i < s->n_levels; i++)
        json_array_append_new(list, mw_json_vertex(r->names, s->path[i]));
    return list;
}

/* An invalid run shows what was wrong, and no figure. */
static json_t *search_json(const struct mw_search *s, const struct mw_report *r)
{
    const bool figures = r->status != MW_RESULT_INVALID;
    const bool rated = figures && !r->result->partial && mw_search_counts(s);
    const bool modelled = r->world->backend->time != NULL;
    const struct mw_algorithm *a = r->conf->algorithm;
    json_t *o = json_object(), *levels = json_array();
    if (a->keyed)
        json_object_set_new(o, "root", mw_json_vertex(r->names, s->root));
    mw_result_put_text(o, "status", s->status < MW_OK ? "invalid" : "ok");
    mw_result_put_seconds(o, "time_s", figures ? s->time_s : -1);
    mw_result_put_count(o, "n_edges", s->n_edges);
    /* The validator counts the self-loops. */
    if (s->validate_s >= 0)
        mw_result_put_count(o, "n_edges_with_self_loops", s->n_edges + s->n_self_loops);
    else
        json_object_set_new(o, "n_edges_with_self_loops", json_null());
    mw_result_put_real(
        o, "teps", rated && s->time_s > 0 ? (double)s->n_edges / s->time_s : (double)NAN);
    mw_result_put_seconds(o, "modelled_s", figures ? s->modelled_s : -1);
    mw_result_put_real(o, "modelled_teps",
                       rated && s->modelled_s > 0 ? (double)s->n_edges / s->modelled_s
                                                  : (double)NAN);
    mw_result_put_count(o, "n_reached", s->n_reached);
    mw_result_put_count(o, "n_levels", s->n_levels);
    mw_result_put_seconds(o, "validate_s", s->validate_s);
    if (s->judges != 0)
        mw_result_put_text(o, "validated_by", mw_effect_judges[s->judges]);
    mw_result_put_counters(o, a->fact, a->n_facts, s->fact);
    if (r->conf->goal != NULL && r->conf->goal->target != MW_NO_VERTEX)
        json_object_set_new(o, "path", path_json(s, r));
    for (uint32_t i = 0; figures && i < s->n_level_records; i++)
        json_array_append_new(levels, level_json(a, &s->level[i], i, modelled));
    json_object_set_new(o, "levels", levels);
    return o;
}

json_t *mw_result_searches(const struct mw_report *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->result->n_searches; i++)
        json_array_append_new(list, search_json(&r->result->search[i], r));
    return list;
}

static json_t *seven_json(const struct mw_statistics *s, bool harmonic)
{
    json_t *o = json_object();
    mw_result_put_real(o, "min", s->min);
    mw_result_put_real(o, "firstquartile", s->firstquartile);
    mw_result_put_real(o, "median", s->median);
    mw_result_put_real(o, "thirdquartile", s->thirdquartile);
    mw_result_put_real(o, "max", s->max);
    mw_result_put_real(o, harmonic ? "harmonic_mean" : "mean", s->mean);
    mw_result_put_real(o, harmonic ? "harmonic_stddev" : "stddev", s->stddev);
    return o;
}

json_t *mw_result_statistics(const struct mw_report *r)
{
    const struct mw_figures *f = r->figures;
    if (f == NULL || f->n == 0 || r->status == MW_RESULT_INVALID)
        return json_null();
    json_t *o = json_object();
    mw_result_put_count(o, "n_searches", f->n);
    mw_result_put_count(o, "n_isolated", f->n_isolated);
    json_object_set_new(o, "time_s", seven_json(&f->time, false));
    json_object_set_new(o, "n_edges", seven_json(&f->edges, false));
    json_object_set_new(o, "teps", seven_json(&f->teps, true));
    json_object_set_new(o, "validate_s",
                        f->validated ? seven_json(&f->validate, false) : json_null());
    return o;
}
