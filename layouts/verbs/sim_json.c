/* sim_json.c -- see sim_json.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/sim_json.h"

#include "cli/json_field.h"
#include "layouts/verbs/latency_report.h"
#include "layouts/verbs/layout_report.h"

#include <math.h>
#include <string.h>

const char *mw_sim_port_name(const struct mw_layout *l, const struct mw_sim_blocked *b,
                             char out[MW_NODE_NAME])
{
    const char *channel = l->channel_name[b->channel];
    if (b->ring)
        return "ring";
    snprintf(out, MW_NODE_NAME, "%c%s%s", b->class == MW_ROW ? 'R' : 'C',
             *channel != '\0' ? "." : "", channel);
    return out;
}

static json_t *cores_json(const struct mw_layout *l, const struct mw_sim_result *r)
{
    json_t *o = json_object();
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        const struct mw_sim_core *c = &r->core[v];
        char name[MW_NODE_NAME];
        json_t *one = json_pack("{s:I, s:I, s:I, s:I, s:s}", "taken",
                                (json_int_t)c->taken, "given", (json_int_t)c->given,
                                "row_fill_max", (json_int_t)c->fill_max[MW_ROW],
                                "col_fill_max", (json_int_t)c->fill_max[MW_COLUMN], "end",
                                mw_core_state_names[c->end]);
        for (int k = 0; k < MW_N_CORE_STATES; k++)
            json_object_set_new(one, mw_core_state_names[k],
                                json_integer((json_int_t)c->cycles[k]));
        json_object_set_new(o, mw_core_name(l, (mw_core)v, name), one);
    }
    return o;
}

static json_t *cycle_json(const struct mw_layout *l, const struct mw_sim_result *r)
{
    json_t *list = json_array();
    for (uint32_t i = 0; i < r->n_cycle; i++)
        json_array_append_new(list, mw_core_json(l, r->cycle_core[i]));
    return list;
}

static json_t *blocked_json(const struct mw_layout *l, const struct mw_sim_result *r)
{
    json_t *list = json_array();
    char port[MW_NODE_NAME];
    for (uint32_t i = 0; i < r->n_cycle; i++) {
        const struct mw_sim_blocked *b = &r->blocked[i];
        json_array_append_new(
            list,
            json_pack(
                "{s:o, s:o, s:s, s:i, s:i, s:o, s:o}", "core", mw_core_json(l, b->core),
                "wants", mw_core_json(l, b->next), "class", mw_sim_port_name(l, b, port),
                "fill", (int)b->fill, "depth", (int)b->depth, "for",
                b->marker || b->sink == MW_NO_CORE ? json_null()
                                                   : mw_core_json(l, b->sink),
                "flow", b->flow < 0 ? json_null() : json_integer((json_int_t)b->flow)));
    }
    return list;
}

/* Null where nothing was counted. */
static json_t *fairness_json(const struct mw_layout *l, const struct mw_sim_result *r)
{
    if (r->consumed == 0)
        return json_null();
    json_t *o = json_pack("{s:f, s:f, s:o, s:o}", "least_source", r->least_source,
                          "most_source", r->most_source, "least_source_core",
                          mw_core_json(l, r->least_source_core), "most_source_core",
                          mw_core_json(l, r->most_source_core));
    json_object_set_new(o, "least_pair",
                        r->n_pairs > 0 ? json_real(r->least_share) : json_null());
    json_object_set_new(o, "most_pair",
                        r->n_pairs > 0 ? json_real(r->most_share) : json_null());
    return o;
}

static json_t *modelled_json(const struct mw_throughput *t)
{
    const bool routers = strcmp(t->limit, "router") == 0;
    if (isinf(t->bound))
        return json_null();
    return json_pack("{s:f, s:s, s:o}", "bound", t->bound, "limit", t->limit, "fitted",
                     routers ? json_real(t->eta * t->bound) : json_null());
}

int mw_sim_json_print(const struct mw_layout *l, const struct mw_sim_conf *conf,
                      const struct mw_sim_result *r, const struct mw_throughput *t,
                      const char *title)
{
    return mw_json_print(json_pack(
        "{s:o, s:I, s:o, s:i, s:I, s:I, s:I, s:b, s:b, s:b, s:o, s:o, s:o, s:b, s:o, "
        "s:I, s:o, s:o, s:o, s:s, s:s, s:s, s:i, s:o}",
        "file", mw_json_bytes(title), "seed", (json_int_t)conf->seed, "fifo",
        mw_fifo_json(conf->fifo), "send", (int)conf->send, "cycles",
        (json_int_t)r->cycles, "counted", (json_int_t)r->counted, "observed",
        (json_int_t)r->observed, "deadlock", r->deadlock, "global", r->global, "weak",
        r->weak, "deadlock_cycle",
        r->deadlock ? json_integer((json_int_t)r->deadlock_cycle) : json_null(), "cycle",
        cycle_json(l, r), "blocked", blocked_json(l, r), "ended", r->ended,
        "bytes_per_s_simulated",
        r->consumed > 0 ? json_real(r->bytes_per_s) : json_null(), "consumed",
        (json_int_t)r->consumed, "modelled", modelled_json(t), "fairness",
        fairness_json(l, r), "cores", cores_json(l, r), "pattern",
        conf->recording != NULL ? "recorded" : mw_pattern_names[conf->pattern],
        "arrivals",
        conf->recording != NULL ? "recorded" : mw_arrivals_names[conf->arrivals], "model",
        conf->rings > 0 ? "rma" : "coupled", "rings", (int)conf->rings, "latency",
        mw_latency_json(&r->latency)));
}
