/* plan_answer.c -- see plan_answer.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/plan_answer.h"

#include "cli/json_text.h"
#include "cli/run/plan_time.h"

/* What is known of a way of its own, beside other ways. */
struct way_alone {
    uint64_t peak_bytes; /* of a rank */
    struct mw_timing time;
    bool timed;
    char untimed[256]; /* why not */
};

static int look_at_ways(const struct mw_preflight *p, uint32_t n_roots,
                        const struct mw_rates *rates, struct way_alone *out)
{
    int rc = MW_OK;
    for (uint32_t w = 0; w < p->n_ways; w++) {
        MW_TRY(rc, mw_preflight_alone(p, w, &out[w].peak_bytes));
        rc = mw_preflight_time(p, w, n_roots, rates, &out[w].time);
        if (rc < MW_OK && rc != MW_ERR_UNAVAILABLE)
            return rc;
        out[w].timed = rc == MW_OK;
        snprintf(out[w].untimed, sizeof out[w].untimed, "%s", mw_error_text());
        rc = MW_OK;
    }
end:
    return rc;
}

static json_t *ways_json(const struct mw_preflight *p, const struct way_alone *way,
                         const struct mw_rates *rates)
{
    json_t *const list = json_array();
    for (uint32_t w = 0; w < p->n_ways; w++)
        json_array_append_new(
            list,
            json_pack("{s:s, s:I, s:o}", "algorithm", p->way[w].algorithm->name,
                      "memory_bytes_per_rank", (json_int_t)way[w].peak_bytes, "time",
                      way[w].timed ? mw_timing_json(&way[w].time, rates, true)
                                   : json_null()));
    return list;
}

/* Memory in bytes, of a rank and of a host; seconds are modelled. Several ways have theirs apart. */
static int print_json(const struct mw_preflight *p, const struct way_alone *way,
                      const struct mw_rates *rates)
{
    const bool timed = p->n_ways == 1 && way[0].timed;
    json_t *o = json_pack(
        "{s:s, s:i, s:I, s:I, s:i, s:i, s:I, s:o}", "$schema", "urn:meshway:plan:1",
        "schema_version", 1, "n_vertices", (json_int_t)p->n_vertices, "n_edges",
        (json_int_t)p->n_edges, "n_ranks", (int)p->n_ranks, "n_hosts", (int)p->n_hosts,
        "memory_bytes_per_rank", (json_int_t)p->predicted_bytes, "time",
        timed ? mw_timing_json(&way[0].time, rates, true) : json_null());
    if (p->n_ways > 1)
        json_object_set_new(o, "ways", ways_json(p, way, rates));
    return mw_json_text_print(o);
}

/* Of devices that search and cannot validate. */
static int print_judge(const struct mw_preflight *p, const struct mw_rates *rates,
                       uint32_t n_roots)
{
    bool host;
    double seconds = 0;
    const int rc = mw_preflight_host_validates(p, rates, &host, &seconds);
    const uint32_t n = mw_n_validated(p->n_validated, n_roots);
    if (rc == MW_OK && host)
        printf("validation  by the host's cores, for the device lacks the memory: %s of "
               "a root, %s for %u\n",
               mw_seconds_text(seconds).text, mw_seconds_text(seconds * n).text, n);
    return rc;
}

/* Of several ways: all have memory at once, and each is told apart. */
static void print_ways(const struct mw_preflight *p, const struct way_alone *way)
{
    uint32_t most = 0;
    for (uint32_t w = 1; w < p->n_ways; w++)
        most = way[w].peak_bytes > way[most].peak_bytes ? w : most;
    for (uint32_t w = 0; w < p->n_ways && p->n_ways > 1; w++)
        printf("%-11s %s alone: %s per rank%s\n", w == 0 ? "ways" : "",
               p->way[w].algorithm->name, mw_bytes_text(way[w].peak_bytes).text,
               w == most ? ", which is most" : "");
}

static void print_times(const struct mw_preflight *p, const struct way_alone *way,
                        const struct mw_rates *rates, uint32_t n_roots)
{
    for (uint32_t w = 0; w < p->n_ways; w++) {
        if (p->n_ways > 1)
            printf("\nway         %s, alone", p->way[w].algorithm->name);
        if (way[w].timed)
            mw_timing_print(&way[w].time, rates, p->n_ranks, n_roots, stdout);
        else
            printf("\ntime        not known: %s\n", way[w].untimed);
    }
}

/* Between hosts, where neither --link nor a measurement has said what lies there. */
static bool link_is_assumed(const struct mw_settings *s, const struct mw_preflight *p,
                            const struct mw_rates *rates)
{
    struct mw_rates table;
    mw_rates_default(&table);
    return p->n_hosts > 1 && mw_setting_text(s, "link") == NULL &&
           rates->link_bytes_per_s == table.link_bytes_per_s &&
           rates->link_latency_s == table.link_latency_s;
}

/* The whole run, in a line for each way. */
static void print_whole_times(const struct mw_settings *s, const struct mw_preflight *p,
                              const struct way_alone *way, const struct mw_rates *rates,
                              uint32_t n_roots)
{
    char link[64] = "";
    if (link_is_assumed(s, p, rates))
        snprintf(link, sizeof link, "; link assumed: %g Gbit/s, %g us (--link)",
                 8e-9 * rates->link_bytes_per_s, 1e6 * rates->link_latency_s);
    for (uint32_t w = 0; w < p->n_ways; w++) {
        printf("%-11s ", w == 0 ? "takes" : "");
        if (p->n_ways > 1)
            printf("%s alone: ", p->way[w].algorithm->name);
        if (way[w].timed)
            printf("%.4g s with %u root%s, modelled: %s%s\n", way[w].time.run_s, n_roots,
                   n_roots == 1 ? "" : "s", mw_timing_origin(&way[w].time, rates).text,
                   link);
        else
            printf("not known: %s\n", way[w].untimed);
    }
}

int mw_plan_answer_print(const struct mw_settings *s, const struct mw_preflight *p,
                         bool fits, uint32_t largest)
{
    struct mw_rates rates;
    const bool verbose = mw_setting_number(s, "verbose") != 0;
    struct way_alone way[MW_PREFLIGHT_WAYS_MAX];
    const uint32_t n_roots = (uint32_t)mw_setting_number(s, "roots");
    MW_NEED(mw_rates_find(s, true, &rates));
    MW_NEED(look_at_ways(p, n_roots, &rates, way));
    if (mw_setting_number(s, "json") != 0)
        return print_json(p, way, &rates);
    MW_NEED(mw_preflight_print_verdict(p, fits, stdout));
    print_whole_times(s, p, way, &rates, n_roots);
    if (largest > 0)
        printf("largest     SCALE %u would fit here in this form\n", largest);
    putchar('\n');
    MW_NEED(mw_preflight_print(p, verbose, stdout));
    print_ways(p, way);
    if (verbose)
        print_times(p, way, &rates, n_roots);
    MW_NEED(print_judge(p, &rates, n_roots));
    if (!verbose)
        printf(
            "more        --verbose: each structure in memory, the time of each level\n");
    return MW_OK;
}
