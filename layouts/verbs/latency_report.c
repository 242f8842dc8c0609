/* latency_report.c -- see latency_report.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/latency_report.h"

#include "base/plural.h"

#include <inttypes.h>

/* ---- text ------------------------------------------------------------------------------- */

static void print_delay(const char *who, const char *from, const struct mw_delay *d,
                        FILE *out)
{
    fprintf(out,
            "  %-8s %-9s %9.1f %8" PRIu64 " %8" PRIu64 " %8" PRIu64 " %8" PRIu64 "\n",
            who, from, d->mean, d->p50, d->p95, d->p99, d->most);
}

static void print_class(const char *who, const struct mw_latency_class *c, FILE *out)
{
    print_delay(who, "creation", &c->created, out);
    print_delay("", "injection", &c->injected, out);
}

/* What the numbers leave out. */
static void print_end(const struct mw_latency *l, FILE *out)
{
    const uint64_t left = l->created - l->arrived;
    if (l->end == MW_LATENCY_DRAINED)
        return;
    fprintf(out, "  %s: %" PRIu64 " of %" PRIu64 " %s did not arrive",
            mw_latency_end_names[l->end], left, l->created,
            mw_plural(l->created, "message", "messages"));
    if (l->deadlock_cycle != 0)
        fprintf(out, "; a deadlock stands at cycle %" PRIu64, l->deadlock_cycle);
    else if (l->end == MW_LATENCY_UNSTABLE)
        fprintf(out, " in %" PRIu64 " more cycles (--drain)", l->drained);
    fprintf(out, "; these figures are too small\n");
}

void mw_latency_print(const struct mw_latency *l, FILE *out)
{
    char who[8];
    if (l->end == MW_LATENCY_NONE)
        return;
    fprintf(out, "latency      of %" PRIu64 " %s, in cycles until arrival, from\n",
            l->arrived, mw_plural(l->arrived, "message", "messages"));
    fprintf(out, "  %-8s %-9s %9s %8s %8s %8s %8s\n", "flows", "", "mean", "p50", "p95",
            "p99", "most");
    for (uint32_t i = 0; i < l->n_classes; i++) {
        snprintf(who, sizeof who, "%c > %c", l->class[i].source, l->class[i].sink);
        print_class(who, &l->class[i], out);
    }
    if (l->n_classes > 1)
        print_class("all", &l->all, out);
    print_end(l, out);
}

void mw_delay_print_csv(const struct mw_delay *d, FILE *out)
{
    fprintf(out, ",%.2f,%" PRIu64 ",%" PRIu64 ",%" PRIu64, d->mean, d->p50, d->p95,
            d->p99);
}

/* ---- JSON ------------------------------------------------------------------------------- */

json_t *mw_delay_json(const struct mw_delay *d)
{
    return json_pack("{s:f, s:I, s:I, s:I, s:I, s:I}", "mean", d->mean, "p50",
                     (json_int_t)d->p50, "p95", (json_int_t)d->p95, "p99",
                     (json_int_t)d->p99, "least", (json_int_t)d->least, "most",
                     (json_int_t)d->most);
}

static json_t *class_json(const struct mw_latency_class *c)
{
    return json_pack("{s:I, s:o, s:o}", "messages", (json_int_t)c->n, "from_creation",
                     mw_delay_json(&c->created), "from_injection",
                     mw_delay_json(&c->injected));
}

json_t *mw_latency_json(const struct mw_latency *l)
{
    json_t *classes = json_array();
    if (l->end == MW_LATENCY_NONE) {
        json_decref(classes);
        return json_null();
    }
    for (uint32_t i = 0; i < l->n_classes; i++) {
        const char source[] = {l->class[i].source, '\0'};
        const char sink[] = {l->class[i].sink, '\0'};
        json_t *one = class_json(&l->class[i]);
        json_object_set_new(one, "source", json_string(source));
        json_object_set_new(one, "sink", json_string(sink));
        json_array_append_new(classes, one);
    }
    return json_pack("{s:s, s:I, s:I, s:I, s:o, s:o, s:o}", "end",
                     mw_latency_end_names[l->end], "created", (json_int_t)l->created,
                     "arrived", (json_int_t)l->arrived, "drained", (json_int_t)l->drained,
                     "deadlock_cycle",
                     l->deadlock_cycle != 0 ? json_integer((json_int_t)l->deadlock_cycle)
                                            : json_null(),
                     "all", class_json(&l->all), "classes", classes);
}
