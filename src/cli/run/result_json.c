/* result_json.c -- see result_json.h. A change of the document's shape is a change of
 * docs/result.schema.json, and unless it only adds keys, of schema_version.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/result_json.h"

#include "algorithms/registry.h"
#include "base/hash.h"
#include "cli/json_field.h"
#include "cli/json_text.h"
#include "cli/run/effect.h"
#include "cli/run/emul_options.h"
#include "cli/run/plan_time.h"
#include "cli/run/tune.h"

#include <jansson.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char checksum_key[] = "\"checksum\"";

/* --- small values ----------------------------------------------------------------- */

static void put_count(json_t *o, const char *key, uint64_t n)
{
    json_object_set_new(o, key,
                        n > INT64_MAX ? json_null() : json_integer((json_int_t)n));
}

static void put_real(json_t *o, const char *key, double x)
{
    json_object_set_new(o, key, isfinite(x) ? json_real(x) : json_null());
}

/* Seconds that were measured; a negative number says that they were not. */
static void put_seconds(json_t *o, const char *key, double s)
{
    put_real(o, key, s < 0 ? (double)NAN : s);
}

/* Of levels, which are many: the clock counts nanoseconds, and what the difference of two readings
 * has behind them is rounding, in 17 digits. */
static void put_nanoseconds(json_t *o, const char *key, double s)
{
    put_seconds(o, key, round(1e9 * s) / 1e9);
}

static void put_text(json_t *o, const char *key, const char *text)
{
    json_object_set_new(o, key, text != NULL ? json_string(text) : json_null());
}

/* Text that the user gave: names in it may have to be hashed. */
static void put_given(json_t *o, const char *key, const struct mw_report *r,
                      const char *text)
{
    json_object_set_new(
        o, key, text != NULL ? mw_provenance_string(r->provenance, text) : json_null());
}

/* --- parts of the document ------------------------------------------------------- */

static json_t *options_json(const struct mw_report *r)
{
    const struct mw_settings *s = r->settings;
    static const char *const origins[] = {"default", "environment", "command line"};
    json_t *o = json_object();
    for (size_t i = 0; s != NULL && i < s->command->n_options; i++) {
        const struct mw_option *option = &s->command->option[i];
        const struct mw_setting *v = &s->value[i];
        if (option->asks)
            continue;
        json_t *one = json_object();
        if (option->kind == MW_OPT_FLAG)
            json_object_set_new(one, "value", json_boolean(v->number != 0));
        else if (v->text != NULL &&
                 (option->kind == MW_OPT_COUNT || option->kind == MW_OPT_BYTES))
            put_count(one, "value", v->number);
        else if (v->text != NULL && option->kind == MW_OPT_REAL)
            put_real(one, "value", v->real);
        else
            put_given(one, "value", r, v->text);
        put_text(one, "origin", origins[v->origin]);
        json_object_set_new(o, option->name, one);
    }
    return o;
}

static void put_goal(json_t *o, const struct mw_report *r)
{
    const struct mw_goal *goal = r->conf->goal;
    json_object_set_new(o, "max_depth", json_null());
    json_object_set_new(o, "target", json_null());
    if (goal != NULL && goal->max_depth != UINT32_MAX)
        put_count(o, "max_depth", goal->max_depth);
    if (goal != NULL && goal->target != MW_NO_VERTEX)
        json_object_set_new(o, "target", mw_json_vertex(r->names, goal->target));
}

/* What an algorithm counts, by the names that it gives. */
static void put_counters(json_t *o, const struct mw_counter *counter, uint32_t n,
                         const uint64_t *count)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct mw_counter *c = &counter[i];
        if (count[i] == MW_COUNT_NONE)
            json_object_set_new(o, c->name, json_null());
        else if (c->kind == MW_COUNT_FLAG)
            json_object_set_new(o, c->name, json_boolean(count[i] != 0));
        else if (c->kind == MW_COUNT_SECONDS)
            put_seconds(o, c->name, 1e-9 * (double)count[i]);
        else if (c->kind == MW_COUNT_REAL)
            put_real(o, c->name, mw_double_of_bits(count[i]));
        else if (c->kind == MW_COUNT_WORD)
            put_text(o, c->name, c->word[count[i]]);
        else if (c->kind == MW_COUNT_TEXT)
            put_text(o, c->name, (const char *)(uintptr_t)count[i]);
        else
            put_count(o, c->name, count[i]);
    }
}

/* Where an algorithm from outside the tree is from, and which one it was. */
static void put_plugin(json_t *o, const struct mw_algorithm *a)
{
    uint64_t hash;
    char text[17];
    const char *const path = mw_algorithm_path(a, &hash);
    if (path == NULL)
        return;
    snprintf(text, sizeof text, "%016" PRIx64, hash);
    put_text(o, "plugin", path);
    put_text(o, "plugin_hash", text);
}

/* As rank 0 sees it when the result is written, so at the end. */
static json_t *device_json(const struct mw_report *r)
{
    char device[128];
    if (!mw_world_device(r->world, device, sizeof device))
        return json_null();
    const struct mw_device_state s = mw_world_device_state(r->world);
    json_t *o = json_object();
    put_text(o, "device", device);
    mw_json_put_device(o, &s);
    return o;
}

/* What the answer has for each vertex. */
static json_t *values_json(const struct mw_algorithm *a)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < a->n_values; i++) {
        const struct mw_value *v = &a->value[i];
        json_t *o = json_object();
        put_text(o, "name", v->name);
        put_text(o, "type", mw_value_types[v->type]);
        put_text(o, "unit", v->unit);
        put_text(o, "joined", mw_value_joins[v->joined]);
        put_real(o, "relative_tolerance", v->relative);
        put_real(o, "absolute_tolerance", v->absolute);
        json_array_append_new(list, o);
    }
    return list;
}

static json_t *devices_json(const struct mw_device_kinds *kinds)
{
    json_t *list = json_array();
    for (uint32_t k = 0; k < kinds->n; k++)
        json_array_append_new(list, json_pack("{s:s, s:I}", "name", kinds->kind[k].name,
                                              "n_devices",
                                              (json_int_t)kinds->kind[k].n_devices));
    return list;
}

json_t *mw_result_configuration(const struct mw_report *r)
{
    const struct mw_comm *comm = r->world->comm;
    const struct mw_world_conf *w = &r->world->conf;
    char device[128];
    json_t *o = json_object();
    put_count(o, "n_ranks", comm->size);
    put_count(o, "n_ranks_waiting", r->n_waiting);
    put_count(o, "n_hosts", comm->n_hosts);
    put_count(o, "threads_per_rank", w->n_threads);
    put_count(o, "cores_of_host", comm->n_cores);
    json_object_set_new(o, "oversubscribed",
                        json_boolean(comm->oversubscribed || r->world->oversubscribed));
    put_text(o, "backend", r->world->backend->name);
    json_object_set_new(o, "device",
                        mw_world_device(r->world, device, sizeof device)
                            ? json_string(device)
                            : json_null());
    json_object_set_new(o, "devices",
                        r->world->backend->devices != NULL ? devices_json(r->devices)
                                                           : json_array());
    put_text(o, "exchange", mw_effect_exchange(r->world));
    put_text(o, "exchange_why",
             r->world->records_by == mw_exchange_names[MW_EXCHANGE_MPI]
                 ? r->world->trade_why
                 : NULL);
    put_text(o, "engine", mw_effect_engine(r->world));
    put_count(o, "n_clusters", mw_effect_clusters(r->world));
    put_given(o, "layout", r,
              r->world->plan == NULL ? NULL
              : w->layout != NULL    ? w->layout
                                     : "the paper's");
    put_text(o, "routing", r->world->groups.width > 1 ? "relay" : "direct");
    put_text(o, "compress", mw_compress_names[w->compress]);
    put_text(o, "groups_by", mw_groups_by_names[r->world->groups_by]);
    put_count(o, "n_groups", r->world->groups.n_groups);
    put_count(o, "group_width", r->world->groups.width);
    put_count(o, "n_peers", mw_world_peers(&r->world->groups));
    put_count(o, "batch_bytes", w->batch_bytes);
    put_count(o, "small_input_bytes", w->small_input);
    put_real(o, "hang_timeout_s", w->hang_timeout_s);
    put_text(o, "placement", r->world->placement);
    json_object_set_new(o, "emulation", mw_emul_options_json(r->world));
    put_text(o, "columns", r->result->asked_columns ? "ask" : "table");
    put_text(o, "algorithm", r->conf->algorithm->name);
    put_text(o, "mode", r->conf->algorithm->refill != NULL ? "async" : "levels");
    put_plugin(o, r->conf->algorithm);
    json_object_set_new(o, "values", values_json(r->conf->algorithm));
    put_counters(o, r->conf->algorithm->trait, r->conf->algorithm->n_traits,
                 r->result->trait);
    put_goal(o, r);
    put_text(o, "key_policy",
             r->conf->root != NULL ? "given"
             : r->conf->compat     ? "reference"
                                   : "reference, distinct and connected");
    put_text(o, "clock",
             "from the start of the search to parents in memory, in the "
             "input's numbering; resetting the parents is outside");
    json_object_set_new(o, "options", options_json(r));
    if (r->tuning != NULL)
        json_object_set_new(o, "tune", mw_tuning_json(r->tuning, r->settings));
    return o;
}

static json_t *built_json(const struct mw_benchmark_result *b)
{
    json_t *o = json_object();
    for (int i = 0; i < MW_BUILT_PHASES; i++)
        put_seconds(o, mw_built_names[i], b->built_s[i]);
    return o;
}

static json_t *laps_json(const double lap_s[MW_N_LAPS])
{
    json_t *o = json_object();
    for (int i = 0; i < MW_N_LAPS; i++)
        put_seconds(o, mw_lap_names[i], lap_s[i]);
    return o;
}

json_t *mw_result_graph(const struct mw_report *r)
{
    const struct mw_benchmark_result *b = r->result;
    static const char *const namings[] = {"counted", "ids", "names"};
    const bool given = r->graph_file != NULL;
    json_t *o = json_object(), *seeds = json_array();
    char digest[MW_DIGEST_TEXT];
    put_text(o, "source", given ? "file" : "kronecker");
    put_given(o, "file", r, r->graph_file);
    put_text(o, "format", r->graph_format);
    put_text(o, "not_used", r->graph_unused);
    put_text(o, "weights", r->graph_weights);
    json_object_set_new(o, "directed", json_boolean(b->directed));
    put_text(o, "file_says_directed", r->graph_directed);
    put_count(o, "base", r->names != NULL ? r->names->base : 0);
    put_text(o, "vertex_names", namings[r->names != NULL ? r->names->naming : 0]);
    put_count(o, "scale", b->scale);
    put_count(o, "edgefactor", b->edgefactor);
    for (int i = 0; i < 2; i++)
        json_array_append_new(seeds, json_integer((json_int_t)r->conf->seed[i]));
    json_object_set_new(o, "seeds", seeds);
    put_count(o, "n_vertices", b->n_vertices);
    put_count(o, "n_edges", b->n_edges);
    put_count(o, "n_edges_kept", b->n_edges_kept);
    put_count(o, "n_connected", b->n_connected);
    put_count(o, "most_entries", b->most_entries);
    mw_digest_text(&b->digest, digest);
    put_text(o, "digest", digest);
    put_seconds(o, "read_s", given ? r->read_s : -1);
    put_seconds(o, "generation_s", b->generation_s);
    put_seconds(o, "construction_s", b->construction_s);
    put_seconds(o, "prepare_s", b->prepare_s);
    put_text(o, "built_by", b->built_there ? "device" : "host");
    json_object_set_new(o, "construction_phases_s",
                        b->built_there ? built_json(b) : laps_json(b->lap_s));
    if (!b->built_there) {
        json_object_set_new(o, "longest_work_s", laps_json(b->longest_lap_s));
        json_object_set_new(o, "mean_work_s", laps_json(b->mean_lap_s));
    }
    return o;
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
    put_count(o, "all", n->all);
    put_count(o, "small", n->small);
    put_count(o, "all_busy", n->all_busy);
    put_count(o, "alone", n->alone);
    put_seconds(o, "modelled_s", modelled ? 1e-9 * (double)n->modelled_ns : -1);
    return without_nothing(o);
}

static json_t *sent_json(const struct mw_algorithm *a, const struct mw_level *l,
                         bool modelled)
{
    json_t *o = json_object();
    put_count(o, "bytes", l->n_bytes);
    put_count(o, "bytes_before", l->n_coded > 0 ? l->n_bytes + l->saved_bytes : 0);
    put_count(o, "n_batches", l->n_batches);
    put_count(o, "n_coded", l->n_coded);
    put_seconds(o, "coding_s", l->coding_ns > 0 ? 1e-9 * (double)l->coding_ns : -1);
    json_object_set_new(o, "n_batches_by_size", sizes_json(l));
    json_object_set_new(o, "jobs", jobs_json(&l->jobs, modelled));
    put_counters(o, a->counter, a->n_counters, l->own);
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
    put_count(o, "level", level);
    put_text(o, "direction", a->step_name[l->step]);
    put_nanoseconds(o, "time_s", l->time_s);
    put_nanoseconds(o, "longest_work_s", l->longest_work_s);
    put_nanoseconds(o, "mean_work_s", l->mean_work_s);
    put_count(o, "n_active", l->n_active);
    put_count(o, "n_active_edges", l->n_active_edges);
    put_count(o, "n_found", l->n_found);
    put_count(o, "n_records", l->n_records);
    json_object_update(o, sent);
    json_decref(sent);
    json_object_set_new(o, "spent_ns", spent_json(a, l));
    for (uint32_t i = 0; i < a->n_counters; i++)
        if (a->counter[i].always)
            put_counters(o, &a->counter[i], 1, &l->own[i]);
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
    put_text(o, "status", s->status < MW_OK ? "invalid" : "ok");
    put_seconds(o, "time_s", figures ? s->time_s : -1);
    put_count(o, "n_edges", s->n_edges);
    /* The validator counts the self-loops. */
    if (s->validate_s >= 0)
        put_count(o, "n_edges_with_self_loops", s->n_edges + s->n_self_loops);
    else
        json_object_set_new(o, "n_edges_with_self_loops", json_null());
    put_real(o, "teps",
             rated && s->time_s > 0 ? (double)s->n_edges / s->time_s : (double)NAN);
    put_seconds(o, "modelled_s", figures ? s->modelled_s : -1);
    put_real(o, "modelled_teps",
             rated && s->modelled_s > 0 ? (double)s->n_edges / s->modelled_s
                                        : (double)NAN);
    put_count(o, "n_reached", s->n_reached);
    put_count(o, "n_levels", s->n_levels);
    put_seconds(o, "validate_s", s->validate_s);
    if (s->judges != 0)
        put_text(o, "validated_by", mw_effect_judges[s->judges]);
    put_counters(o, a->fact, a->n_facts, s->fact);
    if (r->conf->goal != NULL && r->conf->goal->target != MW_NO_VERTEX)
        json_object_set_new(o, "path", path_json(s, r));
    for (uint32_t i = 0; figures && i < s->n_level_records; i++)
        json_array_append_new(levels, level_json(a, &s->level[i], i, modelled));
    json_object_set_new(o, "levels", levels);
    return o;
}

static json_t *searches_json(const struct mw_report *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->result->n_searches; i++)
        json_array_append_new(list, search_json(&r->result->search[i], r));
    return list;
}

static json_t *seven_json(const struct mw_statistics *s, bool harmonic)
{
    json_t *o = json_object();
    put_real(o, "min", s->min);
    put_real(o, "firstquartile", s->firstquartile);
    put_real(o, "median", s->median);
    put_real(o, "thirdquartile", s->thirdquartile);
    put_real(o, "max", s->max);
    put_real(o, harmonic ? "harmonic_mean" : "mean", s->mean);
    put_real(o, harmonic ? "harmonic_stddev" : "stddev", s->stddev);
    return o;
}

static json_t *statistics_json(const struct mw_report *r)
{
    const struct mw_figures *f = r->figures;
    if (f == NULL || f->n == 0 || r->status == MW_RESULT_INVALID)
        return json_null();
    json_t *o = json_object();
    put_count(o, "n_searches", f->n);
    put_count(o, "n_isolated", f->n_isolated);
    json_object_set_new(o, "time_s", seven_json(&f->time, false));
    json_object_set_new(o, "n_edges", seven_json(&f->edges, false));
    json_object_set_new(o, "teps", seven_json(&f->teps, true));
    json_object_set_new(o, "validate_s",
                        f->validated ? seven_json(&f->validate, false) : json_null());
    return o;
}

static json_t *validation_json(const struct mw_report *r)
{
    json_t *o = json_object();
    const char *const level = mw_effect_validation(r->conf, r->result);
    const uint64_t checked = mw_effect_checked(r->result);
    bool passed = r->status != MW_RESULT_INVALID;
    for (uint32_t i = 0; i < r->result->n_searches; i++)
        passed = passed && r->result->search[i].status >= MW_OK;
    put_text(o, "level", level);
    put_count(o, "roots_checked", checked);
    put_count(o, "roots_checked_by_backend", mw_effect_judged(r->result, MW_BY_CORES));
    put_count(o, "roots_confirmed_by_host",
              mw_effect_judged(r->result, MW_BY_CORES | MW_BY_HOST));
    json_object_set_new(o, "passed",
                        (checked > 0 && strcmp(level, "full") == 0) || !passed
                            ? json_boolean(passed)
                            : json_null());
    return o;
}

/* Joules that nobody could read are null. */
static json_t *energy_json(const struct mw_energy_result *e)
{
    const double joules = e->package_joules + e->device_joules;
    json_t *o = json_object();
    put_seconds(o, "seconds", e->seconds);
    put_count(o, "n_searches", e->n_searches);
    put_count(o, "n_edges", e->n_edges);
    put_count(o, "n_packages", e->n_packages);
    put_count(o, "n_devices", e->n_devices);
    put_real(o, "package_joules", e->n_packages > 0 ? e->package_joules : NAN);
    put_real(o, "device_joules", e->n_devices > 0 ? e->device_joules : NAN);
    put_real(o, "mteps_per_watt", joules > 0 ? 1e-6 * (double)e->n_edges / joules : NAN);
    return o;
}

static json_t *memory_json(const struct mw_report *r)
{
    const struct mw_benchmark_result *b = r->result;
    json_t *o = json_object();
    json_object_set_new(o, "predicted_bytes",
                        r->predicted_bytes > 0
                            ? json_integer((json_int_t)r->predicted_bytes)
                            : json_null());
    put_count(o, "peak_bytes", b->peak_bytes);
    put_count(o, "sum_peak_bytes", b->sum_peak_bytes);
    if (r->predicted_device_bytes > 0) {
        put_count(o, "predicted_device_bytes", r->predicted_device_bytes);
        put_count(o, "peak_device_bytes", b->peak_device_bytes);
    }
    put_real(o, "bytes_per_edge",
             b->n_edges > 0 ? (double)b->sum_peak_bytes / (double)b->n_edges
                            : (double)NAN);
    return o;
}

/* Modelled, before anything started. */
static json_t *prediction_json(const struct mw_report *r)
{
    return r->prediction != NULL ? mw_timing_json(r->prediction, r->rates, false)
                                 : json_null();
}

static json_t *row_json(const struct mw_sent *row, uint32_t n, bool bytes)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < n; i++) {
        const uint64_t count = bytes ? row[i].bytes : row[i].messages;
        json_array_append_new(list, json_integer((json_int_t)count));
    }
    return list;
}

/* Row by row of who sent. */
static json_t *sent_between_json(const struct mw_report *r)
{
    const uint32_t n = r->world->comm->size;
    if (r->result->sent == NULL || r->result->n_sent == 0)
        return json_null();
    json_t *o = json_object(), *messages = json_array(), *bytes = json_array();
    for (uint32_t i = 0; i < n; i++) {
        const struct mw_sent *row = r->result->sent + (uint64_t)i * n;
        json_array_append_new(messages, row_json(row, n, false));
        json_array_append_new(bytes, row_json(row, n, true));
    }
    put_count(o, "n_searches", r->result->n_sent);
    json_object_set_new(o, "messages", messages);
    json_object_set_new(o, "bytes", bytes);
    return o;
}

static json_t *stamps_json(const struct mw_report *r)
{
    json_t *list = json_array();
    const char *stamp[MW_STAMPS_MOST + 1];
    mw_effect_stamps(r->conf, r->result, r->world, stamp);
    for (uint32_t i = 0; stamp[i] != NULL; i++)
        json_array_append_new(list, json_string(stamp[i]));
    return list;
}

static json_t *warnings_json(const struct mw_report *r)
{
    json_t *list = json_array();
    for (size_t i = 0; i < r->n_warnings; i++)
        json_array_append_new(list, mw_provenance_string(r->provenance, r->warning[i]));
    return list;
}

/* --- public ----------------------------------------------------------------------- */

uint64_t mw_result_checksum(const char *text, size_t bytes)
{
    return mw_hash(MW_HASH_OF_NOTHING, text, bytes);
}

/* Writes the checksum of what stands before its own line over the zeros kept for it. */
static bool seal(char *text)
{
    char *at = NULL;
    char digits[17];
    for (char *p = text; (p = strstr(p, checksum_key)) != NULL; p++)
        at = p;
    char *zeros = at != NULL ? strstr(at, "0000000000000000") : NULL;
    if (zeros == NULL)
        return false;
    while (at > text && at[-1] != '\n')
        at--;
    snprintf(digits, sizeof digits, "%016" PRIx64,
             mw_result_checksum(text, (size_t)(at - text)));
    memcpy(zeros, digits, 16);
    return true;
}

int mw_result_json(const struct mw_report *r, char **text, size_t *bytes)
{
    static const char *const states[] = {"ok", "interrupted", "invalid"};
    json_t *o = json_object();
    put_text(o, "$schema", "urn:meshway:result:2");
    put_count(o, "schema_version", MW_RESULT_VERSION);
    put_text(o, "status", states[r->status]);
    put_given(o, "reason", r, r->reason);
    json_object_set_new(o, "stamps", stamps_json(r));
    json_object_set_new(o, "warnings", warnings_json(r));
    json_object_set_new(o, "validation", validation_json(r));
    json_object_set_new(o, "graph", mw_result_graph(r));
    json_object_set_new(o, "configuration", mw_result_configuration(r));
    json_object_set_new(o, "statistics", statistics_json(r));
    json_object_set_new(o, "memory", memory_json(r));
    if (r->result->energy.seconds > 0)
        json_object_set_new(o, "energy", energy_json(&r->result->energy));
    json_object_set_new(o, "prediction", prediction_json(r));
    json_t *origin = mw_provenance_json(r->provenance);
    json_object_set_new(origin, "device", device_json(r));
    json_object_set_new(o, "provenance", origin);
    json_object_set_new(o, "sent_between_ranks", sent_between_json(r));
    json_object_set_new(o, "resumed",
                        r->resumed != NULL ? json_deep_copy(r->resumed) : json_null());
    json_object_set_new(o, "searches", searches_json(r));
    put_text(o, "checksum", "fnv1a64:0000000000000000");

    const int rc = mw_json_text(o, text, bytes);
    json_decref(o);
    if (rc == MW_OK && !seal(*text)) {
        free(*text);
        *text = NULL;
        return mw_fail(MW_ERR_NOMEM, "result: no memory for the JSON text");
    }
    return rc;
}

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
