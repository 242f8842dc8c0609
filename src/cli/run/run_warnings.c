/* run_warnings.c -- what a user should know of a run that is no error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "cli/run/effect.h"
#include "cli/run/graph_options.h"

#include <inttypes.h>

struct warning {
    struct mw_session *session;
    const char *way;
};

static void warn_of_option(void *arg, const char *option, const char *why)
{
    const struct warning *w = arg;
    mw_session_warn(w->session, "%s%s%s has no effect: %s", w->way,
                    w->way[0] != '\0' ? ": " : "", option, why);
}

void run_warn_of_no_effect(struct run *r)
{
    for (uint32_t w = 0; r->session.speaks && w < r->n_ways; w++) {
        struct warning to = {&r->session, r->way[w].name};
        mw_effect_none(&r->way[w].settings, r->way[w].world, r->way[w].algorithm,
                       warn_of_option, &to);
        mw_tuning_idle(&r->way[w].tuning, &r->way[w].settings, r->way[w].world,
                       warn_of_option, &to);
    }
}

void run_warn_of_device(struct run *r)
{
    if (r->session.speaks && r->n_device_ranks > 1)
        mw_session_warn(&r->session,
                        "%u ranks of this host share a device, which works for one at a "
                        "time: start as many as it has ('meshway info')",
                        r->n_device_ranks);
}

static void warn_of_isolated(struct run *r)
{
    if (!r->conf.algorithm->keyed) /* there is no root to warn of */
        return;
    for (uint32_t i = 0; i < r->result[0].n_searches; i++) {
        const struct mw_search *s = &r->result[0].search[i];
        char root[MW_NAME_ROOM];
        if (s->status >= MW_OK && s->n_edges == 0 && !r->result[0].partial)
            mw_session_warn(&r->session,
                            "root %s has no %s: its search reached %" PRIu64
                            " vertex and is not in the TEPS statistics",
                            mw_names_text(&r->input.names, s->root, root),
                            r->result[0].directed ? "edge that leaves it" : "neighbour",
                            s->n_reached);
    }
}

/* Times of validation go by the same clock, so they are no better. */
static void warn_of_the_clock(struct run *r)
{
    uint32_t n_untimed = 0, n = 0;
    for (uint32_t w = 0; w < r->n_ways; w++) {
        n += r->result[w].n_searches;
        for (uint32_t i = 0; i < r->result[w].n_searches; i++)
            n_untimed += r->result[w].search[i].time_s <= 0;
    }
    if (n_untimed > 0)
        mw_session_warn(&r->session,
                        "the clock stood still in %u of %u searches: TEPS not available",
                        n_untimed, n);
}

/* Only what rank 0 sees, which is its own host. */
static void warn_of_load(struct run *r)
{
    const struct mw_provenance *p = &r->session.provenance;
    const struct mw_world *first = r->way[0].world;
    const uint32_t own = first->conf.n_threads * first->comm->host_size;
    for (uint32_t w = 0; w < r->n_ways && !first->oversubscribed; w++) {
        char text[256];
        if (mw_effect_disturbed(&r->result[w], p->load, own, p->n_cpus, text,
                                sizeof text))
            mw_session_warn(&r->session, "%s%s%s", r->way[w].name,
                            r->way[w].name[0] != '\0' ? ": " : "", text);
    }
}

/* Of a file, what only a graph that is built tells. */
static void note_of_the_file(struct run *r)
{
    if (r->report.graph_file == NULL || r->result[0].n_vertices == 0)
        return;
    const struct mw_read_conf conf = mw_graph_input_conf(r->settings, &r->file);
    mw_graph_input_notes(&conf, mw_graph_input_naming(r->settings, &conf),
                         &r->input.facts,
                         mw_graph_input_count(&r->input, r->result[0].n_connected),
                         mw_graph_input_say, &r->session);
}

void run_warn_of_searches(struct run *r)
{
    note_of_the_file(r);
    warn_of_isolated(r);
    warn_of_the_clock(r);
    warn_of_load(r);
}
