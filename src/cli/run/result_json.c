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
#include "cli/run/result_parts.h"
#include "cli/run/tune.h"

#include <jansson.h>

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char checksum_key[] = "\"checksum\"";

/* --- small values ----------------------------------------------------------------- */

void mw_result_put_count(json_t *o, const char *key, uint64_t n)
{
    json_object_set_new(o, key,
                        n > INT64_MAX ? json_null() : json_integer((json_int_t)n));
}

void mw_result_put_real(json_t *o, const char *key, double x)
{
    json_object_set_new(o, key, isfinite(x) ? json_real(x) : json_null());
}

/* Seconds that were measured; a negative number says that they were not. */
void mw_result_put_seconds(json_t *o, const char *key, double s)
{
    mw_result_put_real(o, key, s < 0 ? (double)NAN : s);
}

void mw_result_put_text(json_t *o, const char *key, const char *text)
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
            mw_result_put_count(one, "value", v->number);
        else if (v->text != NULL && option->kind == MW_OPT_REAL)
            mw_result_put_real(one, "value", v->real);
        else
            put_given(one, "value", r, v->text);
        mw_result_put_text(one, "origin", origins[v->origin]);
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
        mw_result_put_count(o, "max_depth", goal->max_depth);
    if (goal != NULL && goal->target != MW_NO_VERTEX)
        json_object_set_new(o, "target", mw_json_vertex(r->names, goal->target));
}

/* What an algorithm counts, by the names that it gives. */
void mw_result_put_counters(json_t *o, const struct mw_counter *counter, uint32_t n,
                            const uint64_t *count)
{
    for (uint32_t i = 0; i < n; i++) {
        const struct mw_counter *c = &counter[i];
        if (count[i] == MW_COUNT_NONE)
            json_object_set_new(o, c->name, json_null());
        else if (c->kind == MW_COUNT_FLAG)
            json_object_set_new(o, c->name, json_boolean(count[i] != 0));
        else if (c->kind == MW_COUNT_SECONDS)
            mw_result_put_seconds(o, c->name, 1e-9 * (double)count[i]);
        else if (c->kind == MW_COUNT_REAL)
            mw_result_put_real(o, c->name, mw_double_of_bits(count[i]));
        else if (c->kind == MW_COUNT_WORD)
            mw_result_put_text(o, c->name, c->word[count[i]]);
        else if (c->kind == MW_COUNT_TEXT)
            mw_result_put_text(o, c->name, (const char *)(uintptr_t)count[i]);
        else
            mw_result_put_count(o, c->name, count[i]);
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
    mw_result_put_text(o, "plugin", path);
    mw_result_put_text(o, "plugin_hash", text);
}

/* As rank 0 sees it when the result is written, so at the end. */
static json_t *device_json(const struct mw_report *r)
{
    char device[128];
    if (!mw_world_device(r->world, device, sizeof device))
        return json_null();
    const struct mw_device_state s = mw_world_device_state(r->world);
    json_t *o = json_object();
    mw_result_put_text(o, "device", device);
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
        mw_result_put_text(o, "name", v->name);
        mw_result_put_text(o, "type", mw_value_types[v->type]);
        mw_result_put_text(o, "unit", v->unit);
        mw_result_put_text(o, "joined", mw_value_joins[v->joined]);
        mw_result_put_real(o, "relative_tolerance", v->relative);
        mw_result_put_real(o, "absolute_tolerance", v->absolute);
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
    mw_result_put_count(o, "n_ranks", comm->size);
    mw_result_put_count(o, "n_ranks_waiting", r->n_waiting);
    mw_result_put_count(o, "n_hosts", comm->n_hosts);
    mw_result_put_count(o, "threads_per_rank", w->n_threads);
    mw_result_put_count(o, "cores_of_host", comm->n_cores);
    json_object_set_new(o, "oversubscribed",
                        json_boolean(comm->oversubscribed || r->world->oversubscribed));
    mw_result_put_text(o, "backend", r->world->backend->name);
    json_object_set_new(o, "device",
                        mw_world_device(r->world, device, sizeof device)
                            ? json_string(device)
                            : json_null());
    json_object_set_new(o, "devices",
                        r->world->backend->devices != NULL ? devices_json(r->devices)
                                                           : json_array());
    mw_result_put_text(o, "exchange", mw_effect_exchange(r->world));
    mw_result_put_text(o, "exchange_why",
                       r->world->records_by == mw_exchange_names[MW_EXCHANGE_MPI]
                           ? r->world->trade_why
                           : NULL);
    mw_result_put_text(o, "engine", mw_effect_engine(r->world));
    mw_result_put_count(o, "n_clusters", mw_effect_clusters(r->world));
    put_given(o, "layout", r,
              r->world->plan == NULL ? NULL
              : w->layout != NULL    ? w->layout
                                     : "the paper's");
    mw_result_put_text(o, "routing", r->world->groups.width > 1 ? "relay" : "direct");
    mw_result_put_text(o, "compress", mw_compress_names[w->compress]);
    mw_result_put_text(o, "groups_by", mw_groups_by_names[r->world->groups_by]);
    mw_result_put_count(o, "n_groups", r->world->groups.n_groups);
    mw_result_put_count(o, "group_width", r->world->groups.width);
    mw_result_put_count(o, "n_peers", mw_world_peers(&r->world->groups));
    mw_result_put_count(o, "batch_bytes", w->batch_bytes);
    mw_result_put_count(o, "small_input_bytes", w->small_input);
    mw_result_put_real(o, "hang_timeout_s", w->hang_timeout_s);
    mw_result_put_text(o, "placement", r->world->placement);
    json_object_set_new(o, "emulation", mw_emul_options_json(r->world));
    mw_result_put_text(o, "columns", r->result->asked_columns ? "ask" : "table");
    mw_result_put_count(o, "deal", r->result->deal);
    mw_result_put_text(o, "algorithm", r->conf->algorithm->name);
    mw_result_put_text(o, "mode",
                       r->conf->algorithm->refill != NULL ? "async" : "levels");
    put_plugin(o, r->conf->algorithm);
    json_object_set_new(o, "values", values_json(r->conf->algorithm));
    mw_result_put_counters(o, r->conf->algorithm->trait, r->conf->algorithm->n_traits,
                           r->result->trait);
    put_goal(o, r);
    mw_result_put_text(o, "key_policy",
                       r->conf->root != NULL ? "given"
                       : r->conf->compat     ? "reference"
                                             : "reference, distinct and connected");
    mw_result_put_text(o, "clock",
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
        mw_result_put_seconds(o, mw_built_names[i], b->built_s[i]);
    return o;
}

static json_t *laps_json(const double lap_s[MW_N_LAPS])
{
    json_t *o = json_object();
    for (int i = 0; i < MW_N_LAPS; i++)
        mw_result_put_seconds(o, mw_lap_names[i], lap_s[i]);
    return o;
}

json_t *mw_result_graph(const struct mw_report *r)
{
    const struct mw_benchmark_result *b = r->result;
    static const char *const namings[] = {"counted", "ids", "names"};
    const bool given = r->graph_file != NULL;
    json_t *o = json_object(), *seeds = json_array();
    char digest[MW_DIGEST_TEXT];
    mw_result_put_text(o, "source", given ? "file" : "kronecker");
    put_given(o, "file", r, r->graph_file);
    mw_result_put_text(o, "format", r->graph_format);
    mw_result_put_text(o, "not_used", r->graph_unused);
    mw_result_put_text(o, "weights", r->graph_weights);
    json_object_set_new(o, "directed", json_boolean(b->directed));
    mw_result_put_text(o, "file_says_directed", r->graph_directed);
    mw_result_put_count(o, "base", r->names != NULL ? r->names->base : 0);
    mw_result_put_text(o, "vertex_names",
                       namings[r->names != NULL ? r->names->naming : 0]);
    mw_result_put_count(o, "scale", b->scale);
    mw_result_put_count(o, "edgefactor", b->edgefactor);
    for (int i = 0; i < 2; i++)
        json_array_append_new(seeds, json_integer((json_int_t)r->conf->seed[i]));
    json_object_set_new(o, "seeds", seeds);
    mw_result_put_count(o, "n_vertices", b->n_vertices);
    mw_result_put_count(o, "n_edges", b->n_edges);
    mw_result_put_count(o, "n_edges_kept", b->n_edges_kept);
    mw_result_put_count(o, "n_connected", b->n_connected);
    mw_result_put_count(o, "most_entries", b->most_entries);
    mw_digest_text(&b->digest, digest);
    mw_result_put_text(o, "digest", digest);
    mw_result_put_seconds(o, "read_s", given ? r->read_s : -1);
    mw_result_put_seconds(o, "generation_s", b->generation_s);
    mw_result_put_seconds(o, "construction_s", b->construction_s);
    mw_result_put_seconds(o, "prepare_s", b->prepare_s);
    mw_result_put_text(o, "built_by", b->built_there ? "device" : "host");
    json_object_set_new(o, "construction_phases_s",
                        b->built_there ? built_json(b) : laps_json(b->lap_s));
    if (!b->built_there) {
        json_object_set_new(o, "longest_work_s", laps_json(b->longest_lap_s));
        json_object_set_new(o, "mean_work_s", laps_json(b->mean_lap_s));
    }
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
    mw_result_put_text(o, "level", level);
    mw_result_put_count(o, "roots_checked", checked);
    mw_result_put_count(o, "roots_checked_by_backend",
                        mw_effect_judged(r->result, MW_BY_CORES));
    mw_result_put_count(o, "roots_confirmed_by_host",
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
    mw_result_put_seconds(o, "seconds", e->seconds);
    mw_result_put_count(o, "n_searches", e->n_searches);
    mw_result_put_count(o, "n_edges", e->n_edges);
    mw_result_put_count(o, "n_packages", e->n_packages);
    mw_result_put_count(o, "n_devices", e->n_devices);
    mw_result_put_real(o, "package_joules", e->n_packages > 0 ? e->package_joules : NAN);
    mw_result_put_real(o, "device_joules", e->n_devices > 0 ? e->device_joules : NAN);
    mw_result_put_real(o, "mteps_per_watt",
                       joules > 0 ? 1e-6 * (double)e->n_edges / joules : NAN);
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
    mw_result_put_count(o, "peak_bytes", b->peak_bytes);
    mw_result_put_count(o, "sum_peak_bytes", b->sum_peak_bytes);
    if (r->predicted_device_bytes > 0) {
        mw_result_put_count(o, "predicted_device_bytes", r->predicted_device_bytes);
        mw_result_put_count(o, "peak_device_bytes", b->peak_device_bytes);
    }
    mw_result_put_real(o, "bytes_per_edge",
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
    mw_result_put_count(o, "n_searches", r->result->n_sent);
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
    mw_result_put_text(o, "$schema", "urn:meshway:result:2");
    mw_result_put_count(o, "schema_version", MW_RESULT_VERSION);
    mw_result_put_text(o, "status", states[r->status]);
    put_given(o, "reason", r, r->reason);
    json_object_set_new(o, "stamps", stamps_json(r));
    json_object_set_new(o, "warnings", warnings_json(r));
    json_object_set_new(o, "validation", validation_json(r));
    json_object_set_new(o, "graph", mw_result_graph(r));
    json_object_set_new(o, "configuration", mw_result_configuration(r));
    json_object_set_new(o, "statistics", mw_result_statistics(r));
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
    json_object_set_new(o, "searches", mw_result_searches(r));
    mw_result_put_text(o, "checksum", "fnv1a64:0000000000000000");

    const int rc = mw_json_text(o, text, bytes);
    json_decref(o);
    if (rc == MW_OK && !seal(*text)) {
        free(*text);
        *text = NULL;
        return mw_fail(MW_ERR_NOMEM, "result: no memory for the JSON text");
    }
    return rc;
}
