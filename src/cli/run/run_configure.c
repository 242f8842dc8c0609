/* run_configure.c -- from settings to configurations, and what is refused on the way. See run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "cli/run/emul_options.h"
#include "cli/run/kronecker.h"
#include "cli/run/properties.h"
#include "cli/run/shape.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { TIMELINE_EVENTS = 1 << 18 }; /* per rank: 12 MiB */

/* What only algorithms that start at a vertex, or have levels, can do. */
static int check_algorithm(const struct run *r, const struct mw_algorithm *a)
{
    static const char *const of_keys[] = {"root", "target", "max-depth", "compat"};
    for (size_t i = 0; !a->keyed && i < sizeof of_keys / sizeof *of_keys; i++)
        if (mw_setting_given(r->settings, of_keys[i]))
            return mw_fail(
                MW_ERR_USAGE,
                "--%s: --algorithm %s starts at no vertex: it is of the whole graph",
                of_keys[i], a->name);
    for (size_t i = 1; a->visited == NULL && i <= 2; i++) /* target, max-depth */
        if (mw_setting_given(r->settings, of_keys[i]))
            return mw_fail(MW_ERR_USAGE, "--%s: --algorithm %s has no levels to end at",
                           of_keys[i], a->name);
    if (a->check == NULL && mw_setting_given(r->settings, "validate"))
        return mw_fail(MW_ERR_USAGE, "--validate: --algorithm %s has no check", a->name);
    if (a->in_order && mw_setting_number(r->settings, "shuffle") != 0)
        return mw_fail(MW_ERR_USAGE,
                       "--shuffle: --algorithm %s takes vertices in their order",
                       a->name);
    if (!mw_properties_knows(a->name) && mw_setting_given(r->settings, "graphalytics"))
        return mw_fail(MW_ERR_USAGE,
                       "--graphalytics: it does not ask for what --algorithm %s finds",
                       a->name);
    if (a->visited == NULL && mw_setting_given(r->settings, "levels"))
        return mw_fail(MW_ERR_USAGE, "--levels: --algorithm %s has none", a->name);
    return MW_OK;
}

/* What one search, or one way, is enough for. */
static int check_single(const struct run *r)
{
    static const char *const files[] = {"tree", "levels", "values", "graphalytics"};
    if (r->n_ways > 1 && r->conf.compat &&
        mw_setting_text(r->settings, "kernels") == NULL)
        return mw_fail(MW_ERR_USAGE,
                       "--compat: prints the block of one way, but there are "
                       "%u",
                       r->n_ways);
    if (r->n_ways > 1 && r->conf.goal != NULL)
        return mw_fail(MW_ERR_USAGE,
                       "--%s: such searches have no TEPS, by which the %u ways would be "
                       "compared",
                       mw_setting_text(r->settings, "target") != NULL ? "target"
                                                                      : "max-depth",
                       r->n_ways);
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        if (mw_setting_text(r->settings, files[i]) != NULL && r->n_ways > 1)
            return mw_fail(MW_ERR_USAGE,
                           "--%s: is of one way to search, but there are %u", files[i],
                           r->n_ways);
    }
    return MW_OK;
}

/* The target is a vertex once names are known. */
static void configure_goal(struct run *r)
{
    const struct mw_settings *s = r->settings;
    const bool depth = mw_setting_text(s, "max-depth") != NULL;
    r->goal = (struct mw_goal){.max_depth = UINT32_MAX, .target = MW_NO_VERTEX};
    if (depth)
        r->goal.max_depth = (uint32_t)mw_setting_number(s, "max-depth");
    if (depth || mw_setting_text(s, "target") != NULL)
        r->conf.goal = &r->goal;
}

static int configure_graph(struct run *r)
{
    const struct mw_settings *s = r->settings;
    uint64_t n_edges;
    if (mw_setting_text(s, "graph") != NULL)
        return MW_OK;
    if (mw_setting_text(s, "scale") == NULL)
        return mw_fail(MW_ERR_USAGE,
                       "run: what graph? Give SCALE (meshway run 20) or "
                       "a file (meshway run web.mtx); 'meshway run --help' says more");
    r->conf.scale = (uint32_t)mw_setting_number(s, "scale");
    r->conf.edgefactor = (uint32_t)mw_setting_number(s, "edgefactor");
    return mw_kronecker_size(s, &n_edges);
}

/* Not of the environment, nor of a run that is taken up, which has its backend in its file. */
static int check_device(const struct mw_settings *s)
{
    return mw_setting_find(s, "device")->origin != MW_FROM_COMMAND_LINE ||
                   mw_setting_given(s, "backend") || mw_setting_given(s, "resume")
               ? MW_OK
               : mw_fail(MW_ERR_USAGE,
                         "--device needs --backend: without it the host's cores search; "
                         "kokkos is the backend of GPUs");
}

static int configure_way(struct run *r, uint32_t index)
{
    struct run_way *way = &r->way[index];
    const struct mw_settings *s = &way->settings;
    MW_NEED(mw_choice(r->settings, index, &way->settings));
    mw_choice_name(r->settings, index, way->name, sizeof way->name);
    MW_NEED(mw_shape_algorithm(s, &way->algorithm));
    MW_NEED(check_algorithm(r, way->algorithm));
    MW_NEED(mw_tuning_init(&way->tuning, s, way->algorithm));
    MW_NEED(mw_shape_configure(s, way->algorithm, &way->tuning.run, &way->world_conf,
                               &r->conf.graph_rule));
    MW_NEED(mw_backend_find(way->world_conf.backend, &way->backend));
    way->world_conf.hang_timeout_s = mw_setting_real(s, "hang-timeout");
    way->world_conf.lost = mw_session_lost;
    way->world_conf.failed = mw_session_failed;
    if (mw_setting_text(s, "trace") != NULL)
        way->world_conf.timeline_events = TIMELINE_EVENTS;
    return MW_OK;
}

/* "auto" is one of the others: two teams of cores in one place would measure each other. */
static int check_different(const struct run *r)
{
    for (uint32_t w = 0; w < r->n_ways; w++)
        for (uint32_t k = 0; k < w; k++) {
            const struct run_way *a = &r->way[k], *b = &r->way[w];
            if (a->backend == b->backend &&
                strcmp(a->world_conf.backend, b->world_conf.backend) != 0)
                return mw_fail(MW_ERR_USAGE,
                               "%s: '%s' and '%s' are both %s here, so some ways would "
                               "be the same",
                               mw_setting_name(r->settings, "backend").text,
                               a->world_conf.backend, b->world_conf.backend,
                               a->backend->name);
        }
    return MW_OK;
}

void run_tell_ways(struct run *r)
{
    for (uint32_t w = 0; w < r->n_ways; w++) {
        r->way[w].conf = r->conf;
        r->way[w].conf.algorithm = r->way[w].algorithm;
    }
}

int run_configure(struct run *r)
{
    const struct mw_settings *s = r->settings;
    const uint64_t n_ways = mw_choices_count(s);
    if (n_ways > RUN_WAYS_MAX)
        return mw_fail(MW_ERR_USAGE, "run: lists that make %" PRIu64 " ways; at most %d",
                       n_ways, RUN_WAYS_MAX);
    r->n_ways = (uint32_t)n_ways;
    MW_NEED(mw_shape_algorithm(s, &r->conf.algorithm));
    r->conf.seed[0] = mw_setting_number(s, "seed1");
    r->conf.seed[1] = mw_setting_number(s, "seed2");
    r->conf.n_roots = (uint32_t)mw_setting_number(s, "roots");
    r->conf.compat = mw_setting_number(s, "compat") != 0;
    r->conf.validate = mw_setting_number(s, "no-validate") == 0;
    r->conf.n_validated = (uint32_t)mw_setting_number(s, "validate");
    r->conf.energy_s = mw_setting_real(s, "energy");
    r->conf.n_confirmed = (uint32_t)mw_setting_number(s, "confirm");
    r->conf.stop = mw_signals_stop;
    MW_NEED(check_device(s));
    MW_NEED(configure_graph(r));
    if (mw_setting_text(s, "root") != NULL)
        MW_NEED(run_count_roots(r));
    configure_goal(r);
    MW_NEED(check_single(r));
    MW_NEED(mw_tune_check_lists(s, r->conf.algorithm));
    MW_NEED(mw_emul_options_configure(s));
    MW_NEED(mw_emul_options_configure_files(s));
    for (uint32_t w = 0; w < r->n_ways; w++)
        MW_NEED(configure_way(r, w));
    MW_NEED(check_different(r));
    run_tell_ways(r);
    return MW_OK;
}

/* The reference's variables: honoured where they mean the same here. Presence alone
 * counted there; here "" and "0" mean no, and each one that is set gets a line. */
void run_read_reference(struct run *r)
{
    static const struct {
        const char *name, *instead;
    } unused[] = {
        {"TMPFILE",
         "'meshway gen SCALE FILE' writes the edges, 'meshway run --graph FILE' "
         "reads them"},
        {"REUSEFILE", "'meshway run --graph FILE' reads an edge file"},
        {"SKIP_BFS", "'meshway gen' generates only, 'meshway plan' computes only"},
    };
    const char *skip = getenv("SKIP_VALIDATION"), *verbose = getenv("VERBOSE");
    for (size_t i = 0; i < sizeof unused / sizeof *unused; i++) {
        const char *text = getenv(unused[i].name);
        if (text == NULL)
            continue;
        const bool no = *text == '\0' || strcmp(text, "0") == 0;
        mw_session_say(&r->session, "meshway: note: %s is the reference's and %s: %s",
                       unused[i].name, no ? "means no" : "is not used",
                       unused[i].instead);
    }
    if (skip != NULL) {
        const bool no = *skip == '\0' || strcmp(skip, "0") == 0;
        r->conf.validate = r->conf.validate && no;
        mw_session_say(&r->session, "meshway: note: SKIP_VALIDATION=%s is taken as %s",
                       skip, no ? "no: results are validated" : "--no-validate");
    }
    if (verbose != NULL) {
        const bool no = *verbose == '\0' || strcmp(verbose, "0") == 0;
        r->session.verbose = r->session.verbose || (!no && !r->session.quiet);
        mw_session_say(&r->session, "meshway: note: VERBOSE=%s is taken as %s", verbose,
                       no ? "no" : "--verbose");
    }
}
