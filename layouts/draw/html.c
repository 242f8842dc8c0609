/* html.c -- one page: the template view/view.html with the picture's data in it.
 *
 * The page draws itself from one JSON object, so this file only writes down what is known:
 *
 *      rows, cols, roles "PPDK..", fifo [row, column, send], flows, n_hops
 *      hops     per core [to, flows, to, flows, ...]; null when there are too many
 *      starts, passes, ends   flows per core
 *      proofs   [{model, free, edges, rank | nodes, cores, why, min_inflight}]; a knot has next, the
 *               place of one node that each needs, instead of why
 *      cycle    {cores, met}: what is drawn in red when no frame says better
 *      sim      {cycles, counted, ..., arrived per source,
 *                core: [[cycles in each of 5 states, taken, given, fills]]}
 *      verdicts [[text, "good" | "bad" | "open"]]
 *      films    what can be played: reel.c
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/escape.h"
#include "layouts/draw/scene.h"
#include "layouts/ways/stages.h"

#include "base/mem.h"

#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <string.h>

extern const char mw_layout_view[]; /* made from view/ at build time */

enum { PAIRS_SHOWN = 3 };

/* ---- pieces ----------------------------------------------------------------------------- */

static void put_text(const char *text, FILE *out)
{
    fputc('"', out);
    mw_escape_json(text == NULL ? "" : text, out);
    fputc('"', out);
}

static void put_bool(const char *key, bool value, FILE *out)
{
    fprintf(out, ",\"%s\":%s", key, value ? "true" : "false");
}

/* JSON knows no infinity. */
static void put_real(const char *key, double value, FILE *out)
{
    if (isfinite(value))
        fprintf(out, ",\"%s\":%.6g", key, value);
    else
        fprintf(out, ",\"%s\":null", key);
}

static void put_counts(const char *key, const uint64_t *count, uint32_t n, FILE *out)
{
    fprintf(out, ",\n\"%s\":[", key);
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%" PRIu64, i > 0 ? "," : "", count[i]);
    fputc(']', out);
}

static void put_cores(const char *key, const mw_core *core, uint32_t n, FILE *out)
{
    fprintf(out, "\"%s\":[", key);
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%u", i > 0 ? "," : "", core[i]);
    fputc(']', out);
}

/* ---- layout ------------------------------------------------------------------------------- */

static void put_layout(const struct mw_scene *s, FILE *out)
{
    const struct mw_layout *l = s->layout;
    fprintf(out, "\"title\":");
    put_text(s->picture->title, out);
    fprintf(out, ",\"name\":");
    put_text(l->name, out);
    fprintf(out, ",\"rows\":%u,\"cols\":%u,\"roles\":\"%.*s\"", l->rows, l->cols,
            (int)mw_mesh_cores(l), l->role);
    fprintf(out, ",\"fifo\":[%u,%u,%u],\"flows\":%" PRIu64 ",\"n_hops\":%" PRIu64,
            l->fifo[MW_ROW], l->fifo[MW_COLUMN], l->send, mw_sources_count(l), s->n_hops);
    put_counts("starts", s->starts, mw_mesh_cores(l), out);
    put_counts("passes", s->passes, mw_mesh_cores(l), out);
    put_counts("ends", s->ends, mw_mesh_cores(l), out);
}

static void put_hops(const struct mw_scene *s, FILE *out)
{
    fprintf(out, ",\n\"hops\":");
    if (s->n_hops > MW_SCENE_HOPS_MAX) {
        fprintf(out, "null");
        return;
    }
    for (uint32_t v = 0; v < mw_mesh_cores(s->layout); v++) {
        const mw_core from = (mw_core)v;
        mw_core to = mw_scene_next_hop(s, from, MW_NO_CORE);
        fprintf(out, "%s", v == 0 ? "[[" : ",[");
        for (bool first = true; to != MW_NO_CORE;
             to = mw_scene_next_hop(s, from, to), first = false)
            fprintf(out, "%s%u,%" PRIu64, first ? "" : ",", to,
                    mw_scene_flows(s, from, to));
        fputc(']', out);
    }
    fputc(']', out);
}

/* ---- proofs -------------------------------------------------------------------------------- */

static void put_flow(const struct mw_layout *l, uint64_t flow, mw_core *room, FILE *out)
{
    char name[MW_NODE_NAME];
    const uint32_t n = mw_layout_flow(l, flow, room);
    fputc('"', out);
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%s", i > 0 ? " \\u003e " : "", mw_core_name(l, room[i], name));
    fputc('"', out);
}

static void put_witness(const struct mw_layout *l, const struct mw_proof *p,
                        mw_core *room, FILE *out)
{
    char name[MW_NODE_NAME];
    const bool knot = mw_layout_has_ways(l);
    fprintf(out, ",\"min_inflight\":%" PRIu64 ",\"nodes\":[", knot ? 0 : p->min_inflight);
    for (uint32_t i = 0; i < p->n_cycle; i++) {
        fprintf(out, "%s", i > 0 ? "," : "");
        put_text(mw_node_name(l, p->model, p->node[i], name), out);
    }
    fprintf(out, "],\"cores\":[");
    for (uint32_t i = 0; i < p->n_cycle; i++)
        fprintf(out, "%s%u", i > 0 ? "," : "", mw_node_core(l, p->model, p->node[i]));
    fprintf(out, "],\"%s\":[", knot ? "next" : "why");
    for (uint32_t i = 0; p->why != NULL && i < p->n_cycle; i++) {
        fprintf(out, "%s", i > 0 ? "," : "");
        if (knot)
            fprintf(out, "%u", p->why[i].hop);
        else
            put_flow(l, p->why[i].flow, room, out);
    }
    fputc(']', out);
}

static void put_proof(const struct mw_layout *l, const struct mw_proof *p, mw_core *room,
                      FILE *out)
{
    fprintf(out, "{\"model\":\"%s\",\"edges\":%" PRIu64, mw_mesh_model_names[p->model],
            p->n_edges);
    put_bool("free", p->free, out);
    if (!p->free)
        put_witness(l, p, room, out);
    else
        fprintf(out, ",\"max_rank\":%u", p->max_rank);
    if (p->free && p->model == MW_COUPLED && p->rank != NULL) {
        fprintf(out, ",\"rank\":[");
        for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
            fprintf(out, "%s%u", v > 0 ? "," : "", p->rank[v]);
        fputc(']', out);
    }
    fputc('}', out);
}

/* One per model, in the models' order; the one drawn stands for its own. */
static void put_proofs(const struct mw_scene *s, mw_core *room, FILE *out)
{
    bool first = true;
    fprintf(out, ",\n\"proofs\":[");
    for (int m = 0; m < MW_N_MODELS; m++) {
        const struct mw_proof *shown = mw_scene_proof(s, (enum mw_mesh_model)m);
        if (shown == NULL)
            continue;
        fprintf(out, "%s", first ? "" : ",\n");
        put_proof(s->layout, shown, room, out);
        first = false;
    }
    fprintf(out, "],\n\"cycle\":");
    if (s->n_cycle == 0) {
        fprintf(out, "null");
        return;
    }
    fputc('{', out);
    put_cores("cores", s->cycle, s->n_cycle, out);
    put_bool("met", s->met, out);
    fputc('}', out);
}

static void put_verdicts(const struct mw_scene *s, FILE *out)
{
    static const char *const kind[] = {"good", "bad", "open"};
    struct mw_scene_verdict verdict[MW_SCENE_VERDICTS];
    const uint32_t n = mw_scene_verdicts(s, verdict);
    fprintf(out, ",\n\"verdicts\":[");
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s[\"%s\",\"%s\"]", i > 0 ? "," : "", verdict[i].text,
                kind[verdict[i].kind]);
    fputc(']', out);
}

/* ---- simulation ---------------------------------------------------------------------------- */

static void put_sim_core(const struct mw_sim_core *c, FILE *out)
{
    fputc('[', out);
    for (int k = 0; k < MW_N_CORE_STATES; k++)
        fprintf(out, "%" PRIu64 ",", c->cycles[k]);
    fprintf(out, "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,%u]", c->taken,
            c->given, c->fill_sum[MW_ROW], c->fill_sum[MW_COLUMN], c->fill_max[MW_ROW],
            c->fill_max[MW_COLUMN]);
}

/* The pair with the fewest (sign 1) or most (-1) messages of those not yet taken. */
static uint64_t extreme_pair(const struct mw_sim_result *r, int sign,
                             const uint64_t *taken, uint32_t n_taken)
{
    uint64_t best = r->n_pairs;
    for (uint64_t i = 0; i < r->n_pairs; i++) {
        bool old = false;
        for (uint32_t k = 0; k < n_taken; k++)
            old |= taken[k] == i;
        if (old)
            continue;
        if (best == r->n_pairs ||
            (sign > 0 ? r->pair[i].messages < r->pair[best].messages
                      : r->pair[i].messages > r->pair[best].messages))
            best = i;
    }
    return best;
}

static void put_pairs(const char *key, const struct mw_sim_result *r, int sign, FILE *out)
{
    uint64_t taken[PAIRS_SHOWN];
    fprintf(out, ",\"%s\":[", key);
    for (uint32_t k = 0; k < PAIRS_SHOWN && k < r->n_pairs; k++) {
        taken[k] = extreme_pair(r, sign, taken, k);
        fprintf(out, "%s[%u,%u,%" PRIu64 "]", k > 0 ? "," : "", r->pair[taken[k]].source,
                r->pair[taken[k]].sink, r->pair[taken[k]].messages);
    }
    fputc(']', out);
}

/* What arrived of each source's messages; `count` has room for all cores. */
static void put_arrived(const struct mw_layout *l, const struct mw_sim_result *r,
                        uint64_t *count, FILE *out)
{
    memset(count, 0, mw_mesh_cores(l) * sizeof *count);
    for (uint64_t i = 0; i < r->n_pairs; i++)
        count[r->pair[i].source] += r->pair[i].messages;
    put_counts("arrived", count, mw_mesh_cores(l), out);
}

static void put_sim(const struct mw_layout *l, const struct mw_sim_result *r,
                    uint64_t *count, FILE *out)
{
    fprintf(out, ",\n\"sim\":");
    if (r == NULL) {
        fprintf(out, "null");
        return;
    }
    fprintf(out,
            "{\"cycles\":%" PRIu64 ",\"counted\":%" PRIu64 ",\"observed\":%" PRIu64
            ",\"consumed\":%" PRIu64 ",\"deadlock_cycle\":%" PRIu64 ",\"pairs\":%" PRIu64,
            r->cycles, r->counted, r->observed, r->consumed, r->deadlock_cycle,
            r->n_pairs);
    put_real("clock", l->clock_hz, out);
    put_real("bytes_per_s", r->bytes_per_s, out);
    put_bool("deadlock", r->deadlock, out);
    put_bool("global", r->global, out);
    put_bool("weak", r->weak, out);
    put_bool("ended", r->ended, out);
    put_real("least_share", r->least_share, out);
    put_real("most_share", r->most_share, out);
    put_real("least_source", r->least_source, out);
    put_real("most_source", r->most_source, out);
    put_pairs("least_pairs", r, 1, out);
    put_pairs("most_pairs", r, -1, out);
    put_arrived(l, r, count, out);
    fprintf(out, ",\n\"core\":[");
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        fprintf(out, "%s", v == 0 ? "" : v % 8 == 0 ? ",\n" : ",");
        put_sim_core(&r->core[v], out);
    }
    fprintf(out, "]}");
}

/* ---- the page ----------------------------------------------------------------------------- */

struct room { /* for one flow, and a number per core */
    mw_core *flow;
    uint64_t *count;
};

static int put_data(const struct mw_scene *s, const struct room *room, FILE *out)
{
    fprintf(out, "{");
    put_layout(s, out);
    put_hops(s, out);
    put_proofs(s, room->flow, out);
    put_sim(s->layout, s->picture->sim, room->count, out);
    put_verdicts(s, out);
    fprintf(out, ",\n");
    MW_NEED(mw_reels_print(s, out));
    fprintf(out, "}\n");
    return MW_OK;
}

/* The template up to `mark`; returns what follows it. */
static const char *put_until(const char *text, const char *mark, FILE *out)
{
    const char *at = strstr(text, mark);
    assert(at != NULL);
    fwrite(text, 1, (size_t)(at - text), out);
    return at + strlen(mark);
}

int mw_draw_html(const struct mw_picture *p, FILE *out)
{
    struct mw_scene scene;
    struct room room = {NULL, NULL};
    int rc;
    MW_NEED(mw_scene_init(p, &scene));
    MW_NEW(rc, room.flow, "flow", p->layout->longest);
    MW_NEW(rc, room.count, "counts", mw_mesh_cores(p->layout));
    const char *rest = put_until(mw_layout_view, "@TITLE@", out);
    mw_escape_xml(p->title == NULL ? "mesh layout" : p->title, out);
    rest = put_until(rest, "@DATA@", out);
    MW_TRY(rc, put_data(&scene, &room, out));
    fputs(rest, out);
end:
    MW_FREE_ALL(room.flow, room.count);
    mw_scene_fini(&scene);
    return rc;
}
