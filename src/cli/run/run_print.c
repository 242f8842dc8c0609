/* run_print.c -- see run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "algorithms/registry.h"
#include "cli/run/effect.h"
#include "cli/version.h"

#include <inttypes.h>
#include <math.h>

/* --- before ------------------------------------------------------------------------ */

static void print_shape(const struct run *r, const struct run_way *way)
{
    const struct mw_comm *comm = r->session.comm;
    const struct mw_world *w = way->world;
    char shape[64] = "", device[128];
    if (w->groups.width > 1)
        snprintf(shape, sizeof shape, " %u x %u", w->groups.n_groups, w->groups.width);
    mw_session_say(
        &r->session,
        "meshway %s (%s)%s%s: %u rank%s x %u thread%s on %u host%s, backend %s, "
        "routing %s%s, direction %s",
        mw_version(), mw_commit(), way->name[0] != '\0' ? ", " : "", way->name,
        comm->size, comm->size == 1 ? "" : "s", w->conf.n_threads,
        w->conf.n_threads == 1 ? "" : "s", comm->n_hosts, comm->n_hosts == 1 ? "" : "s",
        w->backend->name, w->groups.width > 1 ? "relay" : "direct", shape,
        mw_setting_text(&way->settings, "direction"));
    if (w->conf.lender == NULL && w->placement[0] != '\0') /* else as the lender's */
        mw_session_say(&r->session, "  %s", w->placement);
    if (mw_world_device(w, device, sizeof device))
        mw_session_say(&r->session, "  device %s", device);
}

/* Of all ranks; and what the first lines of a run on the host's cores tell who has a GPU as well. */
static void print_devices(const struct run *r)
{
    struct mw_device idle;
    uint32_t n = 0;
    for (uint32_t k = 0; k < r->devices.n; k++)
        n += r->devices.kind[k].n_devices;
    for (uint32_t k = 0; k < r->devices.n && n > 1; k++)
        mw_session_say(&r->session, "  all ranks: %u x %s", r->devices.kind[k].n_devices,
                       r->devices.kind[k].name);
    if (!r->session.speaks || r->session.quiet ||
        mw_setting_given(r->settings, "backend"))
        return;
    const char *const backend = mw_device_room_idle(&idle);
    if (backend != NULL)
        mw_session_say(&r->session, "  on cores; '--backend %s' searches on the %s here",
                       backend, idle.name);
}

void run_print_banner(const struct run *r)
{
    const struct mw_comm *comm = r->session.comm;
    for (uint32_t w = 0; w < r->n_ways; w++)
        print_shape(r, &r->way[w]);
    print_devices(r);
    if (comm->oversubscribed || r->way[0].world->oversubscribed)
        mw_session_say(
            &r->session,
            "  %u rank%s x %u thread%s share %u core%s of this host: results are "
            "stamped OVERSUBSCRIBED",
            comm->host_size, comm->host_size == 1 ? "" : "s",
            r->way[0].world->conf.n_threads,
            r->way[0].world->conf.n_threads == 1 ? "" : "s", comm->n_cores,
            comm->n_cores == 1 ? "" : "s");
}

/* --- searches ------------------------------------------------------------------------ */

/* Vertices at each depth; those of the deepest have no record if the search ended there. */
static void print_depths(const struct mw_search *s)
{
    enum { MOST = 12 };
    uint64_t n = 0;
    for (uint32_t i = 0; i < s->n_level_records; i++) {
        n += s->level[i].n_active;
        if (i < MOST)
            fprintf(stderr, " %" PRIu64, s->level[i].n_active);
    }
    if (s->n_level_records > MOST || s->n_levels > s->n_level_records + 1)
        fprintf(stderr, " ...");
    else if (n < s->n_reached)
        fprintf(stderr, " %" PRIu64, s->n_reached - n);
    fputc('\n', stderr);
}

/* What a search of a graph is asked for, as far as a screen goes. */
static void print_searches(const struct run *r)
{
    enum { MOST = 16 };
    const struct mw_benchmark_result *b = &r->result[0];
    const uint32_t n = b->n_searches;
    if (n == 0 || r->session.quiet || !r->conf.algorithm->keyed)
        return;
    fprintf(stderr, "\n  %20s  %12s  %12s  %6s  vertices at depth 0, 1, ...\n", "root",
            "reached", "of", "depth");
    for (uint32_t i = 0; i < n && i < MOST; i++) {
        const struct mw_search *s = &b->search[i];
        char root[MW_NAME_ROOM];
        fprintf(stderr, "  %20s  %12" PRIu64 "  %12" PRIu64 "  %6u ",
                mw_names_text(&r->input.names, s->root, root), s->n_reached,
                b->n_vertices, s->n_levels > 0 ? s->n_levels - 1 : 0);
        print_depths(s);
    }
    if (n > MOST)
        fprintf(stderr, "  ... and %u more%s\n", n - MOST,
                r->way[0].csv == NULL ? "; --csv FILE writes all levels of all" : "");
}

/* --- one way ----------------------------------------------------------------------- */

static void print_coding(const struct mw_search *s)
{
    uint64_t n = 0, n_coded = 0, bytes = 0, saved = 0, ns = 0;
    for (uint32_t i = 0; i < s->n_level_records; i++) {
        const struct mw_level *l = &s->level[i];
        n += l->n_batches;
        n_coded += l->n_coded;
        bytes += l->n_bytes;
        saved += l->saved_bytes;
        ns += l->coding_ns;
    }
    if (n_coded > 0)
        fprintf(stderr,
                "  %" PRIu64 " of %" PRIu64 " messages were coded: %" PRIu64
                " bytes instead of %" PRIu64 ", in %.3f ms of all ranks\n",
                n_coded, n, bytes, bytes + saved, 1e-6 * (double)ns);
}

static void print_levels(const struct run *r)
{
    const struct mw_search *s = mw_figures_median(&r->way[0].figures, &r->result[0]);
    char root[MW_NAME_ROOM];
    if (s == NULL || r->session.quiet)
        return;
    if (r->conf.algorithm->keyed)
        fprintf(stderr, "\nlevels of the median search, from root %s (%.3f ms):\n",
                mw_names_text(&r->input.names, s->root, root), 1e3 * s->time_s);
    else
        fprintf(stderr, "\nsteps of the median run (%.3f ms):\n", 1e3 * s->time_s);
    fprintf(stderr, "  %5s  %-9s  %12s  %14s  %12s  %12s  %9s  %9s  %10s\n", "level",
            r->conf.algorithm->keyed ? "direction" : "step", "active", "edges", "found",
            "bytes sent", "messages", "< 1 KB", "ms");
    for (uint32_t i = 0; i < s->n_level_records; i++) {
        const struct mw_level *l = &s->level[i];
        fprintf(stderr,
                "  %5u  %-9s  %12" PRIu64 "  %14" PRIu64 "  %12" PRIu64 "  %12" PRIu64
                "  %9" PRIu64 "  %9" PRIu64 "  %10.3f\n",
                i, r->conf.algorithm->step_name[l->step], l->n_active, l->n_active_edges,
                l->n_found, l->n_bytes, l->n_batches, mw_level_batches_below(l, 1024),
                1e3 * l->time_s);
    }
    if (s->n_level_records < s->n_levels)
        fprintf(stderr, "  ... and %u more\n", s->n_levels - s->n_level_records);
    print_coding(s);
}

static uint32_t scale_of(const struct mw_benchmark_result *b)
{
    uint32_t scale = 0;
    while (scale < 63 && (UINT64_C(1) << scale) < b->n_vertices)
        scale++;
    return scale;
}

/* Kernels of the benchmark stand in one block; other ways are compared. */
static bool in_one_block(const struct run *r)
{
    const uint32_t n = r->n_ways;
    return n == 1 ||
           (n <= MW_OFFICIAL_KERNELS && r->way[0].algorithm != r->way[1].algorithm);
}

static int print_block(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result[0];
    struct mw_official block = {
        .scale = b->edgefactor > 0 ? b->scale : scale_of(b),
        .edgefactor = b->edgefactor,
        .n_ranks = r->session.comm->size,
        .generation_s = b->generation_s,
        .construction_s = b->construction_s,
        .n_kernels = r->n_ways,
    };
    bool has_figures = true;
    const bool turned = r->n_ways > 1 && r->way[1].algorithm == mw_algorithm_at(0);
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const struct mw_figures *figures = &r->way[w].figures;
        has_figures &= figures->n > 0;
        block.construction_s = fmax(block.construction_s, r->result[w].construction_s);
        block.kernel[turned ? 1 - w : w] = (struct mw_official_kernel){
            .algorithm = r->way[w].algorithm->name,
            .n_searches = figures->n,
            .time_s = figures->time_s,
            .n_edges = figures->n_edges,
            .validate_s = figures->validated ? figures->validate_s : NULL,
        };
    }
    int rc = has_figures ? mw_official_print(out, &block) : MW_OK;
    if (rc == MW_OK)
        rc = run_print_extras(r, r->conf.compat ? stderr : out);
    struct mw_official_lines goals = {out, rc};
    run_print_goals(r, &goals);
    return goals.rc;
}

/* --- several ways, side by side ------------------------------------------------------ */

static uint64_t sum_of_messages(const struct mw_search *s, uint64_t *bytes)
{
    uint64_t n = 0;
    *bytes = 0;
    for (uint32_t k = 0; k < s->n_level_records; k++) {
        n += s->level[k].n_batches;
        *bytes += s->level[k].n_bytes;
    }
    return n;
}

/* Of the first way that has one; 0: none. */
static double first_modelled_teps(const struct run *r)
{
    double teps = 0;
    for (uint32_t w = 0; w < r->n_ways && teps <= 0; w++)
        teps = mw_figures_modelled(&r->result[w]);
    return teps;
}

static void compare_rates(const struct run *r, FILE *out)
{
    const double first = r->way[0].figures.teps.mean;
    const double first_modelled = first_modelled_teps(r);
    fprintf(out, "%-24s %9s %10s %8s %10s %8s %10s %12s\n", "way", "validated", "GTEPS",
            "x first", "modelled", "x first", "messages", "bytes");
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const struct mw_benchmark_result *b = &r->result[w];
        const struct mw_figures *f = &r->way[w].figures;
        const double modelled = mw_figures_modelled(b);
        uint64_t messages = 0, bytes = 0;
        for (uint32_t i = 0; i < b->n_searches; i++) {
            uint64_t more;
            messages += sum_of_messages(&b->search[i], &more);
            bytes += more;
        }
        fprintf(out, "%-24s %4u/%-4u ", r->way[w].name, mw_effect_checked(b),
                b->n_searches);
        if (isnan(f->teps.mean))
            fprintf(out, "%10s %8s ", "-", "-");
        else
            fprintf(out, "%10.4g %8.3g ", 1e-9 * f->teps.mean,
                    f->n > 0 ? f->teps.mean / first : 0);
        if (modelled > 0)
            fprintf(out, "%10.4g %8.3g ", 1e-9 * modelled, modelled / first_modelled);
        else
            fprintf(out, "%10s %8s ", "-", "-");
        fprintf(out, "%10" PRIu64 " %12" PRIu64 "\n", messages / b->n_searches,
                bytes / b->n_searches);
    }
}

/* Of the first search: messages and bytes of each way, level by level. */
static void compare_levels(const struct run *r, FILE *out)
{
    uint32_t n_levels = 0;
    char root[MW_NAME_ROOM];
    fprintf(out, "\nmessages (bytes, those of bitmaps and hubs included) between ranks");
    if (r->conf.algorithm->keyed)
        fprintf(out, ", from root %s",
                mw_names_text(&r->input.names, r->result[0].search[0].root, root));
    fprintf(out, ":\n%5s", "level");
    for (uint32_t w = 0; w < r->n_ways; w++) {
        fprintf(out, "  %24s", r->way[w].name);
        n_levels = (uint32_t)mw_max(n_levels, r->result[w].search[0].n_level_records);
    }
    for (uint32_t k = 0; k < n_levels; k++) {
        fprintf(out, "\n%5u", k);
        for (uint32_t w = 0; w < r->n_ways; w++) {
            const struct mw_search *s = &r->result[w].search[0];
            char text[48] = "";
            if (k < s->n_level_records)
                snprintf(text, sizeof text, "%" PRIu64 " (%" PRIu64 ")",
                         s->level[k].n_batches, s->level[k].n_bytes);
            fprintf(out, "  %24s", text);
        }
    }
    fputc('\n', out);
}

static int compare(const struct run *r, FILE *out)
{
    const struct mw_benchmark_result *b = &r->result[0];
    const char *stamp[MW_STAMPS_MOST + 1];
    char stamps[80];
    mw_effect_stamps(&r->conf, b, r->way[0].world, stamp);
    mw_effect_stamp_text(stamp, stamps, sizeof stamps);
    fprintf(out,
            "SCALE %u, %u searches by each of %u ways in turn; GTEPS: harmonic mean; "
            "modelled: choosing directions is free; messages, and bytes with bitmaps and "
            "hubs: mean of a search%s%s\n\n",
            scale_of(b), b->n_searches, r->n_ways, stamps[0] != '\0' ? "; " : "", stamps);
    compare_rates(r, out);
    compare_levels(r, out);
    if (fflush(out) != 0 || ferror(out))
        return mw_fail(MW_ERR_IO, "standard output: the comparison could not be written");
    return MW_OK;
}

static const char *why_no_figures(const struct run *r)
{
    const struct mw_benchmark_result *b = &r->result[0];
    if (b->n_searches > 0 && b->search[0].n_edges == MW_COUNT_NONE)
        return "nobody has counted the edges";
    return r->conf.algorithm->keyed ? "no search reached an edge"
                                    : "no vertex of the graph has an edge";
}

/* --- after -------------------------------------------------------------------------- */

int run_print_results(const struct run *r, int rc)
{
    const bool summed = r->report.graph_file != NULL && r->n_ways == 1 &&
                        mw_setting_number(r->settings, "block") == 0;
    int (*const print)(const struct run *, FILE *) = summed            ? run_print_summary
                                                     : in_one_block(r) ? print_block
                                                                       : compare;
    FILE *out = r->takes_stdout ? stderr : stdout;
    if (rc == MW_ERR_INVALID)
        return mw_official_print_invalid(out);
    if (rc != MW_OK)
        return MW_OK; /* an interrupted run has no official figures */
    const int printed = print(r, out);
    if (printed < MW_OK) {
        const int again = print(r, stderr); /* rather there than nowhere */
        (void)again;
        return printed;
    }
    if (r->result[0].partial)
        mw_session_say(&r->session,
                       "meshway: searches that end early (--%s) have no TEPS",
                       r->goal.target != MW_NO_VERTEX ? "target" : "max-depth");
    else if (r->way[0].figures.n == 0)
        mw_session_say(&r->session, "meshway: %s: no figures", why_no_figures(r));
    if (r->n_ways == 1)
        print_levels(r);
    if (r->n_ways == 1 && (r->report.graph_file != NULL || r->root != NULL))
        print_searches(r);
    return MW_OK;
}

/* Of searches of a graph from a file: not what has been done already. */
static const char *next_of_file(const struct run *r)
{
    if (r->conf.goal != NULL && r->goal.target != MW_NO_VERTEX)
        return NULL; /* of a search that ends at its target there is no whole tree */
    if (r->conf.algorithm->n_values > 1)
        return NULL; /* parents of another order: that command judges breadth-first trees */
    if (r->tree.path[0] != NULL)
        return "meshway validate GRAPH TREE, with the options of the graph that are "
               "given "
               "here";
    return r->root != NULL
               ? "--tree FILE, then meshway validate GRAPH FILE"
               : "--tree FILE with --root V, then meshway validate GRAPH FILE";
}

void run_print_next(const struct run *r)
{
    const struct mw_benchmark_result *b = &r->result[0];
    const bool keyed = r->conf.algorithm->keyed;
    const char *const next =
        r->report.graph_file != NULL && keyed ? next_of_file(r) : NULL;
    for (uint32_t w = 0; w < r->n_ways && r->way[w].json != NULL; w++)
        if (!run_is_stdout(r->way[w].json))
            mw_session_say(&r->session, "%sresult: %s", w == 0 ? "\n" : "",
                           r->way[w].json);
    if (next != NULL)
        mw_session_say(&r->session, "try next: %s", next);
    else if (r->report.graph_file != NULL && !keyed && r->tree.path[0] == NULL)
        mw_session_say(&r->session, "try next: --tree FILE, the %s of every vertex",
                       r->conf.algorithm->value->name);
    else if (r->report.graph_file == NULL)
        mw_session_say(&r->session,
                       "try next: meshway plan %u (would a larger one fit?), "
                       "meshway run FILE --root V, meshway info",
                       b->scale + 1);
}
