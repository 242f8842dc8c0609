/* bfs_keys.c -- what may be set of a search: the keys of a struct mw_direction_rule, and where
 * they change nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "algorithms/bfs/bfs_crew.h"

#include "base/values.h"
#include "devices/parts.h"

#include <stdio.h>
#include <string.h>

#define FIELD(field) MW_KEY_FIELD(struct mw_direction_rule, field)

/* "12:14", "auto" or "off". */
static int parse_hubs(const char *who, const char *text, void *options)
{
    struct mw_direction_rule *out = options;
    const size_t colon = strcspn(text, ":");
    char first[8];
    uint64_t exponent[2];
    out->hubs[MW_TOP_DOWN] = out->hubs[MW_BOTTOM_UP] = 0;
    if (strcmp(text, "auto") == 0)
        return MW_OK;
    if (strcmp(text, "off") == 0) {
        out->hubs[MW_TOP_DOWN] = out->hubs[MW_BOTTOM_UP] = MW_HUBS_OFF;
        return MW_OK;
    }
    if (text[colon] != ':' || colon >= sizeof first)
        return mw_fail(MW_ERR_USAGE,
                       "%s: '%s' is not known; expected two exponents, as in 12:14, auto "
                       "or off",
                       who, text);
    snprintf(first, sizeof first, "%.*s", (int)colon, text);
    MW_NEED(mw_parse_count(who, first, 1, MW_HUBS_MOST, &exponent[0]));
    MW_NEED(mw_parse_count(who, text + colon + 1, 1, MW_HUBS_MOST, &exponent[1]));
    out->hubs[MW_TOP_DOWN] = (int)exponent[0];
    out->hubs[MW_BOTTOM_UP] = (int)exponent[1];
    return MW_OK;
}

/* clang-format off */
static const struct mw_key key[] = {
    {.name = "direction", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|top-down|bottom-up", FIELD(policy),
     .help = "Direction of the levels"},
    {.name = "alpha", .kind = MW_KEY_REAL, .value = "X", .min = 0, .max = 1000000000, FIELD(alpha),
     .help = "Turn bottom-up when the frontier's edges exceed the unexplored ones / X; default: 15, "
             "or 20 where a device searches whole"},
    {.name = "beta", .kind = MW_KEY_REAL, .value = "X", .min = 0, .max = 1000000000, FIELD(beta),
     .help = "Turn top-down again when the frontier is below connected ones / X; default: 24"},
    {.name = "bottom-up", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|messages|bitmap|mixed", FIELD(form),
     .help = "Bottom-up asks the owners, has a bitmap of all vertices per host, or is that of hubs "
             "only, mixed with top-down of the others; auto: what each level is estimated to cost; "
             "bitmap on one host"},
    {.name = "span", .kind = MW_KEY_WORD, .fallback = "whole", .words = "whole|level", FIELD(span),
     .help = "What a device is given at once: the whole search, where it can and nothing is asked for "
             "between levels; or a level"},
    {.name = "partition", .kind = MW_KEY_WORD, .fallback = "1.5d", .words = "1.5d|1d", FIELD(partition),
     .help = "By classes of degree: heavy rows are dealt out to all ranks, others have an owner, and "
             "all ranks hear of a level of few edges; 1d: all rows have an owner, as in the paper"},
    {.name = "heavy", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = UINT32_MAX, FIELD(heavy), .one = true,
     .help = "Rows of N entries or more are heavy; default: the longest ones that make up half of all "
             "entries"},
    {.name = "follow", .kind = MW_KEY_WORD, .fallback = "auto", .words = "auto|off", FIELD(asks_all),
     .help = "By messages, owners tell a bit of the vertex that a row would ask for first; auto: by "
             "classes, in levels where that is less than asking"},
    {.name = "hubs", .kind = MW_KEY_FORM, .value = "T:B", .fallback = "auto", .parse = parse_hubs, FIELD(hubs),
     .help = "First 2^T (top-down) and 2^B (bottom-up) vertices of each rank are known everywhere; "
             "auto: 12:14, by classes as many of them as 1 GiB a host hold; off: none"},
    {.name = "rounds", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = BFS_CREW_ROUND, FIELD(rounds), .one = true,
     .help = "Levels of few vertices that the cores of one rank make between two meetings, at most; default: 8"},
};

static const struct mw_key_conflict conflict[] = {
    {"alpha", "direction=top-down", "a fixed direction never turns"},
    {"alpha", "direction=bottom-up", "a fixed direction never turns"},
    {"beta", "direction=top-down", "a fixed direction never turns"},
    {"beta", "direction=bottom-up", "a fixed direction never turns"},
};
/* clang-format on */

/* ---- Keys that change nothing ------------------------------------------------------------- */

/* As far as it is known before there is a graph. */
static struct mw_means means_of(const struct mw_world *w, const void *options)
{
    return mw_direction_means(options, w->comm->size, w->comm->n_hosts,
                              UINT64_C(1) << 32);
}

static bool one_rank(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return w->comm->size == 1;
}

static bool several_ranks(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return w->comm->size > 1;
}

static bool on_mesh(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return w->backend->mesh;
}

static bool no_whole(const struct mw_world *w, const void *options, const char *text)
{
    (void)options, (void)text;
    return !mw_bfs_has_whole(w->backend);
}

static bool no_peers(const struct mw_world *w, const void *options, const char *text)
{
    struct mw_world_shape shape;
    (void)options, (void)text;
    mw_world_shape_of(w, &shape);
    return w->comm->size > MW_LINKED_MAX ||
           (w->comm->size > 1 && !mw_parts_expected(&shape));
}

static bool never_up(const struct mw_world *w, const void *options, const char *text)
{
    (void)w, (void)text;
    return ((const struct mw_direction_rule *)options)->policy == MW_DIRECTION_TOP_DOWN;
}

static bool never_down(const struct mw_world *w, const void *options, const char *text)
{
    (void)w, (void)text;
    return ((const struct mw_direction_rule *)options)->policy == MW_DIRECTION_BOTTOM_UP;
}

static bool no_bottom_up(const struct mw_world *w, const void *options, const char *text)
{
    return never_up(w, options, text) && !mw_tune_is(text, "bottom-up", "auto");
}

static bool nobody_to_ask(const struct mw_world *w, const void *options, const char *text)
{
    return one_rank(w, options, text) && (mw_tune_is(text, "bottom-up", "messages") ||
                                          mw_tune_is(text, "bottom-up", "mixed"));
}

static bool lone_hubs(const struct mw_world *w, const void *options, const char *text)
{
    return one_rank(w, options, text) && !mw_tune_is(text, "hubs", "off");
}

static bool no_hubs(const struct mw_world *w, const void *options, const char *text)
{
    const struct mw_means m = means_of(w, options);
    return m.hubs[MW_TOP_DOWN] == 0 && m.hubs[MW_BOTTOM_UP] == 0 &&
           !mw_tune_is(text, "hubs", "off");
}

static bool by_owner(const struct mw_world *w, const void *options, const char *text)
{
    (void)w, (void)text;
    return ((const struct mw_direction_rule *)options)->partition == MW_BY_OWNER;
}

static bool asks_nobody(const struct mw_world *w, const void *options, const char *text)
{
    const struct mw_means m = means_of(w, options);
    return (!m.by_messages || m.form == MW_FORM_MIXED) &&
           mw_tune_is(text, "follow", "off");
}

static bool cannot_follow(const struct mw_world *w, const void *options, const char *text)
{
    (void)options;
    return !mw_bfs_tells(w->backend) && mw_tune_is(text, "follow", "off");
}

static const struct mw_key_idle idle[] = {
    {"span", no_whole, "the management core runs the levels of this backend"},
    {"span", no_peers, "levels of several ranks are run one by one"},
    {"bottom-up", no_bottom_up, "every level is top-down"},
    {"bottom-up", nobody_to_ask, "there is one rank, nobody is asked"},
    {"hubs", lone_hubs, "there is one rank, which knows its own"},
    {"hubs", no_hubs, "the ranks of one host share a bitmap of all vertices"},
    {"partition", one_rank, "there is one rank, whose cores share all rows"},
    {"partition", on_mesh, "the cores of a mesh deal with every edge by records"},
    {"heavy", one_rank, "there is one rank, whose cores share all rows"},
    {"heavy", on_mesh, "the cores of a mesh deal with every edge by records"},
    {"heavy", by_owner, "partition=1d leaves rows to their owners"},
    {"heavy", never_down, "every level is bottom-up"},
    {"follow", one_rank, "there is one rank, nobody is asked"},
    {"follow", by_owner, "with partition=1d nobody follows"},
    {"follow", never_up, "every level is top-down"},
    {"follow", asks_nobody, "levels by bitmap, and mixed ones, ask nobody"},
    {"rounds", several_ranks, "several ranks make one level after the other"},
    {"follow", cannot_follow, "the cores of this backend ask for all"},
};

/* ---- What they come to -------------------------------------------------------------------- */

static int64_t delegate(const void *options)
{
    return mw_direction_delegate(options);
}

static const char *spare(void *options)
{
    struct mw_direction_rule *rule = options;
    if (rule->form != MW_FORM_AUTO)
        return NULL;
    rule->form = MW_FORM_MESSAGES;
    return "a bitmap of all visited vertices would not fit: bottom-up levels go by "
           "messages";
}

static void describe(const void *options, const struct mw_keys_case *c, char *out,
                     size_t room)
{
    const struct mw_means m =
        mw_direction_means(options, c->n_ranks, c->n_hosts, c->most_labels);
    const bool classes = m.classes && !c->backend->mesh;
    char rows[160] = "", told[64] = "";
    if (c->n_ranks == 1)
        return;
    if (classes && c->heavy > 0)
        snprintf(rows, sizeof rows,
                 ": rows of some %.3g entries and more dealt out (%.3g vertices, %.3g "
                 "entries)",
                 c->heavy, c->heavy_vertices, c->heavy_entries);
    else if (classes)
        snprintf(rows, sizeof rows, ": no row is long enough to be dealt out");
    if (m.n_few > 0 && mw_bfs_tells(c->backend))
        snprintf(told, sizeof told, "; levels of up to %u other edges told", m.n_few);
    snprintf(
        out, room, "partition   %s%s; hubs of each rank: %u top-down, %u bottom-up%s%s",
        classes ? "1.5d" : "1d", rows, m.hubs[MW_TOP_DOWN], m.hubs[MW_BOTTOM_UP], told,
        mw_bfs_follows(c->backend, &m) ? "; rows follow whom they would ask" : "");
}

const struct mw_keys mw_bfs_keys = {.key = key,
                                    .n = sizeof key / sizeof *key,
                                    .conflict = conflict,
                                    .n_conflicts = sizeof conflict / sizeof *conflict,
                                    .idle = idle,
                                    .n_idle = sizeof idle / sizeof *idle,
                                    .options_bytes = sizeof(struct mw_direction_rule),
                                    .delegate = delegate,
                                    .spare = spare,
                                    .describe = describe};
