/* plan_time.c -- see plan_time.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/plan_time.h"

#include <math.h>

static const char *const form_words[] = {"", " messages", " bitmap", " mixed"};

struct mw_seconds_shown mw_seconds_text(double s)
{
    static const char *const units[] = {"s", "ms", "us"};
    struct mw_seconds_shown out;
    size_t unit = 0;
    for (; s < 1 && unit + 1 < sizeof units / sizeof *units; unit++)
        s *= 1000;
    snprintf(out.text, sizeof out.text, "%.3g %s", s, units[unit]);
    return out;
}

static double bytes_of(const struct mw_forecast_level *l)
{
    return l->message_bytes + l->set_bytes;
}

static void print_levels(const struct mw_timing *t, double n_ranks, FILE *f)
{
    fprintf(f, "\nlevel direction          vertices        edges   unvisited  records, "
               "messages, bytes a rank   work ms  records     link    steps\n");
    for (uint32_t i = 0; i < t->middle.n_levels; i++) {
        const struct mw_forecast_level *l = &t->middle.level[i];
        const struct mw_level_time *s = &t->level[i];
        char direction[24];
        snprintf(direction, sizeof direction, "%s%s",
                 l->direction == MW_TOP_DOWN ? "top-down" : "bottom-up",
                 form_words[l->form]);
        fprintf(f,
                "%-5u %-18s %10.4g %12.4g %11.4g %10.4g %9.4g %11.4g %10.3f %8.3f "
                "%8.3f %8.3f\n",
                i, direction, l->n_active, l->n_active_edges, l->n_unvisited,
                l->n_records / n_ranks, l->n_messages / n_ranks, bytes_of(l) / n_ranks,
                1e3 * s->work_s, 1e3 * s->records_s, 1e3 * s->link_s, 1e3 * s->steps_s);
    }
}

struct mw_rates_text mw_timing_origin(const struct mw_timing *t,
                                      const struct mw_rates *rates)
{
    return t->of_devices ? mw_rates_device_origin(rates) : mw_rates_origin(rates);
}

void mw_timing_print(const struct mw_timing *t, const struct mw_rates *rates,
                     uint32_t n_ranks, uint32_t n_roots, FILE *f)
{
    fprintf(f, "\ntime        modelled: %s\n", mw_timing_origin(t, rates).text);
    if (t->generation_s > 0)
        fprintf(f, "generation  %s\n", mw_seconds_text(t->generation_s).text);
    fprintf(f, "construct   %s\n", mw_seconds_text(t->construction_s).text);
    fprintf(f, "search      %s in the middle", mw_seconds_text(t->search_s).text);
    if (!t->of_devices)
        fprintf(f, ", quartiles %s and %s", mw_seconds_text(t->first_quartile_s).text,
                mw_seconds_text(t->third_quartile_s).text);
    fprintf(f, "; %.3g GTEPS\n", 1e-9 * t->n_edges_searched / t->search_s);
    if (t->validation_s > 0)
        fprintf(f, "validation  %s of a root\n", mw_seconds_text(t->validation_s).text);
    fprintf(f, "run         %.4g s with %u root%s\n", t->run_s, n_roots,
            n_roots == 1 ? "" : "s");
    if (t->of_devices)
        return;
    fprintf(f,
            "sent        %.4g records, %.4g messages, %.4g bytes by a search on average, "
            "all ranks\n",
            t->n_records, t->n_messages, t->n_bytes);
    if (t->construction_link_bytes > 0)
        fprintf(f, "links       %.4g bytes leave a host for construction\n",
                t->construction_link_bytes);
    print_levels(t, n_ranks, f);
}

static json_t *level_json(const struct mw_forecast_level *l,
                          const struct mw_level_time *t)
{
    static const char *const forms[] = {NULL, "messages", "bitmap", "mixed"};
    return json_pack(
        "{s:s, s:s*, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, s:f, "
        "s:f, s:f, s:f, s:f, s:f}",
        "direction", l->direction == MW_TOP_DOWN ? "top-down" : "bottom-up", "form",
        forms[l->form], "n_active", l->n_active, "n_active_edges", l->n_active_edges,
        "n_unvisited", l->n_unvisited, "n_unvisited_edges", l->n_unvisited_edges,
        "n_found", l->n_found, "n_delegated_edges", l->n_delegated_edges, "n_questions",
        l->n_questions, "n_answers", l->n_answers, "n_follow_words", l->n_follow_words,
        "n_records", l->n_records, "n_batches", l->n_messages, "message_bytes",
        l->message_bytes, "link_bytes", l->link_bytes, "set_bytes", l->set_bytes,
        "work_s", t->work_s, "records_s", t->records_s, "link_s", t->link_s, "steps_s",
        t->steps_s);
}

struct named_real {
    const char *name;
    double value;
};

/* Up to one without a name. */
static void put_reals(json_t *o, const struct named_real *real)
{
    for (; real->name != NULL; real++)
        json_object_set_new(o, real->name, json_real(real->value));
}

json_t *mw_timing_json(const struct mw_timing *t, const struct mw_rates *rates,
                       bool whole)
{
    json_t *o = json_pack("{s:f, s:f, s:f}", "generation_s", t->generation_s,
                          "construction_s", t->construction_s, "search_s", t->search_s);
    if (!t->of_devices)
        put_reals(o, (const struct named_real[]){
                         {"first_quartile_s", t->first_quartile_s},
                         {"third_quartile_s", t->third_quartile_s},
                         {"records_per_search", t->n_records},
                         {"messages_per_search", t->n_messages},
                         {"bytes_per_search", t->n_bytes},
                         {"construction_link_bytes", t->construction_link_bytes},
                         {NULL, 0}});
    put_reals(o, (const struct named_real[]){
                     {"validation_s", t->validation_s}, {"run_s", t->run_s}, {NULL, 0}});
    json_object_set_new(
        o, "measured_rates",
        json_boolean(t->of_devices ? rates->device.measured : rates->measured));
    if (whole) {
        json_t *list = json_array();
        for (uint32_t i = 0; i < t->middle.n_levels; i++)
            json_array_append_new(list, level_json(&t->middle.level[i], &t->level[i]));
        json_object_set_new(o, "levels", list);
        json_object_set_new(o, "rates", json_string(mw_timing_origin(t, rates).text));
    }
    return o;
}
