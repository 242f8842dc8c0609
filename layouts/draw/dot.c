/* dot.c -- Graphviz. `neato -n -Tsvg` keeps the places given here; plain `dot` ranks the
 * cores by column.
 *
 * The coupled model is the hops between cores, all of them. The other two have a node for
 * each FIFO or link that some flow uses, and here only the edges of the witness: all of theirs
 * would be pairs of hops, too many to read.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/escape.h"
#include "layouts/draw/scene.h"

#include "base/mem.h"
#include "mesh/proof/graph.h"

enum { STEP = 90 }; /* points between two cores */

static const char red[] = "#c8102e";

static enum mw_mesh_model model_of(const struct mw_picture *p)
{
    return p->proof == NULL ? MW_COUPLED : p->proof->model;
}

/* The witness's nodes: 1 + place, 0 for the others. */
static int mark_witness(const struct mw_picture *p, uint32_t **out)
{
    uint32_t *mark;
    MW_NEED_NEW(mark, "witness", mw_mesh_nodes(p->layout, model_of(p)));
    for (uint32_t i = 0; p->proof != NULL && !p->proof->free && i < p->proof->n_cycle;
         i++)
        mark[p->proof->node[i]] = i + 1;
    *out = mark;
    return MW_OK;
}

/* Links stand on their way, a third before its end; row FIFOs left of their core. */
static void print_place(const struct mw_layout *l, enum mw_mesh_model m, mw_mesh_node n,
                        mw_core from, FILE *out)
{
    const mw_core v = mw_node_core(l, m, n);
    int x = (int)mw_core_col(l, v) * STEP, y = -(int)mw_core_row(l, v) * STEP;
    if (m == MW_DECOUPLED) {
        x += n % MW_N_CLASSES == MW_ROW ? -STEP / 4 : STEP / 4;
        y += n % MW_N_CLASSES == MW_ROW ? 0 : STEP / 4;
    } else if (m == MW_LINK) {
        x -= ((int)mw_core_col(l, v) - (int)mw_core_col(l, from)) * STEP / 3;
        y += ((int)mw_core_row(l, v) - (int)mw_core_row(l, from)) * STEP / 3;
    }
    x += mw_node_channel(l, m, n) * STEP / 8; /* those of one hop beside each other */
    y -= mw_node_channel(l, m, n) * STEP / 8;
    fprintf(out, "pos=\"%d,%d!\"", x, y);
}

static void print_node(const struct mw_picture *p, mw_mesh_node n, mw_core from,
                       uint32_t mark, FILE *out)
{
    const struct mw_layout *l = p->layout;
    const enum mw_mesh_model m = model_of(p);
    const mw_core v = mw_node_core(l, m, n);
    char name[MW_NODE_NAME];
    mw_node_name(l, m, n, name);
    fprintf(out, "  \"%s\" [label=\"", name);
    if (l->role[v] != '.')
        fprintf(out, "%c\\n", l->role[v]);
    fprintf(out, "%s", name);
    if (p->proof != NULL && p->proof->free)
        fprintf(out, "\\nrank %u", p->proof->rank[n]);
    fprintf(out, "\", ");
    print_place(l, m, n, from, out);
    if (mark > 0)
        fprintf(out, ", color=\"%s\", penwidth=3, fillcolor=\"#fbe1e4\"", red);
    if (mark > 0 && m == MW_COUPLED) /* in the others, the edges have the numbers */
        fprintf(out, ", xlabel=\"%u\"", mark);
    fprintf(out, "];\n");
}

static void print_cores(const struct mw_picture *p, const uint32_t *mark, FILE *out)
{
    const struct mw_layout *l = p->layout;
    char name[MW_NODE_NAME];
    for (uint32_t col = 0; col < l->cols; col++) {
        for (uint32_t v = col; v < mw_mesh_cores(l); v += l->cols)
            print_node(p, v, (mw_core)v, mark[v], out);
        fprintf(out, "  { rank=same;");
        for (uint32_t v = col; v < mw_mesh_cores(l); v += l->cols)
            fprintf(out, " \"%s\";", mw_core_name(l, (mw_core)v, name));
        fprintf(out, " }\n");
    }
}

static bool in_witness(const struct mw_picture *p, mw_core from, mw_core to)
{
    for (uint32_t i = 0; p->proof != NULL && !p->proof->free && i < p->proof->n_cycle;
         i++)
        if (p->proof->node[i] == from && mw_witness_next(p->proof, i) == to)
            return true;
    return false;
}

static void print_hops(const struct mw_scene *s, FILE *out)
{
    const struct mw_layout *l = s->layout;
    char name[2][MW_NODE_NAME];
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        const mw_core from = (mw_core)v;
        mw_core to = mw_scene_next_hop(s, from, MW_NO_CORE);
        for (; to != MW_NO_CORE; to = mw_scene_next_hop(s, from, to)) {
            const bool bad = in_witness(s->picture, from, to);
            fprintf(out, "  \"%s\" -> \"%s\" [class=%s", mw_core_name(l, from, name[0]),
                    mw_core_name(l, to, name[1]),
                    mw_hop_class(l, from, to) == MW_ROW ? "row" : "column");
            if (bad)
                fprintf(out, ", color=\"%s\", penwidth=3", red);
            else
                fprintf(out, ", color=\"%s\"",
                        mw_hop_class(l, from, to) == MW_ROW ? "#0072b280" : "#00805e80");
            fprintf(out, ", tooltip=\"%llu flows\"];\n",
                    (unsigned long long)mw_scene_flows(s, from, to));
        }
    }
}

/* FIFOs and links: each where some hop ends. */
static int print_model(const struct mw_scene *s, uint32_t *mark, FILE *out)
{
    int rc = MW_OK;
    const struct mw_layout *l = s->layout;
    const enum mw_mesh_model m = model_of(s->picture);
    bool *done = NULL;
    uint8_t *used = NULL;
    MW_NEW(rc, done, "nodes", mw_mesh_nodes(l, m));
    MW_NEW(rc, used, "nodes", mw_mesh_nodes(l, m));
    MW_TRY(rc, mw_mesh_graph_used(l, m, used));
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++) {
        const mw_core from = (mw_core)v;
        mw_core to = mw_scene_next_hop(s, from, MW_NO_CORE);
        for (; to != MW_NO_CORE; to = mw_scene_next_hop(s, from, to)) {
            for (uint32_t k = 0; k < l->n_channels; k++) {
                const mw_mesh_node n = mw_channel_node(l, m, from, to, (mw_channel)k);
                if (!done[n] && used[n] != 0)
                    print_node(s->picture, n, from, mark[n], out);
                done[n] = true;
            }
        }
    }
end:
    MW_FREE_ALL(done, used);
    return rc;
}

static void print_witness(const struct mw_picture *p, FILE *out)
{
    const struct mw_proof *proof = p->proof;
    char name[2][MW_NODE_NAME];
    for (uint32_t i = 0; !proof->free && i < proof->n_cycle; i++)
        fprintf(out, "  \"%s\" -> \"%s\" [color=\"%s\", penwidth=3, label=\"%u\"];\n",
                mw_node_name(p->layout, proof->model, proof->node[i], name[0]),
                mw_node_name(p->layout, proof->model, mw_witness_next(proof, i), name[1]),
                red, i + 1);
}

static void print_head(const struct mw_picture *p, FILE *out)
{
    fprintf(out, "digraph mesh {\n  label=\"");
    mw_escape_dot(p->title == NULL ? "mesh layout" : p->title, out);
    fprintf(
        out,
        " (%s model)%s\";\n"
        "  rankdir=LR; splines=curved; outputorder=edgesfirst; fontname=\"sans-serif\";\n"
        "  node [shape=box, style=\"filled,rounded\", fillcolor=\"#eef2f6\", "
        "fontname=\"sans-serif\", fontsize=10, width=0.5, height=0.4, margin=\"0.04\"];\n"
        "  edge [arrowsize=0.5, fontname=\"sans-serif\", fontcolor=\"%s\"];\n",
        mw_mesh_model_names[model_of(p)],
        p->proof == NULL ? ""
        : p->proof->free ? ": free"
                         : ": can deadlock",
        red);
}

int mw_draw_dot(const struct mw_picture *p, FILE *out)
{
    struct mw_scene scene;
    uint32_t *mark = NULL;
    int rc;
    MW_NEED(mw_scene_init(p, &scene));
    MW_TRY(rc, mark_witness(p, &mark));
    print_head(p, out);
    if (model_of(p) == MW_COUPLED) {
        print_cores(p, mark, out);
        print_hops(&scene, out);
    } else {
        MW_TRY(rc, print_model(&scene, mark, out));
        print_witness(p, out);
    }
    fprintf(out, "}\n");
end:
    mw_free(mark);
    mw_scene_fini(&scene);
    return rc;
}
