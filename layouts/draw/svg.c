/* svg.c -- the mesh as one <svg>: squares for cores, curves for hops.
 *
 * Arrows keep to the right of their way, as cars do: a hop to the right runs above its row, one
 * to the left below; a hop down runs right of its column, one up left of it. So both directions
 * of a pair stay apart, and a curve without a head still says where it goes. Longer hops bend
 * further out. All coordinates are integers.
 *
 * Colours are those of Okabe and Ito or shades of them, which stay apart for the colour-blind;
 * letters, places and numbers say the same again.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/escape.h"
#include "layouts/draw/scene.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

enum {
    PITCH = 72,
    BOX = 44,
    HALF = BOX / 2,
    LEFT = 44,
    TITLE = 36,   /* the line that the title stands on */
    TOP = 76,     /* of the mesh, if there is no verdict */
    VERDICT = 20, /* a line of verdicts, below the title */
    TITLE_LETTER = 10,
    TITLE_MAX = 1200, /* a longer title is cut at the edge */
    LEGEND = 64,      /* space between the mesh and its legend's first line */
    LEGEND_LINE = 24,
    LEGEND_ITEM = 176,
    WIDTH_MIN = 404, /* two items of the legend beside each other */
    WEIGHTS = 3,     /* of hops: by the share of the busiest one's flows */
    ROLE_COLOURS = 8
};

static const char style[] =
    ".mw-paper{fill:#fff}.mw-text{fill:#1f2933}.mw-soft{fill:#5b6773}\n"
    ".mw-core{stroke:#33404d;stroke-opacity:.45}\n"
    ".mw-r0{fill:#cfe3f2}.mw-r1{fill:#fbe3b0}.mw-r2{fill:#bfe5d8}.mw-r3{fill:#f3d3e3}\n"
    ".mw-r4{fill:#d9f0fb}.mw-r5{fill:#f6f1b4}.mw-r6{fill:#f7cfb8}.mw-r7{fill:#dcdfe3}\n"
    ".mw-idle{fill:#e4e7eb}.mw-busy{fill:#4a90c4}.mw-blocked{fill:#eda320}\n"
    ".mw-dma{fill:#cc79a7}.mw-ended{fill:#8a95a1}\n"
    ".mw-row{stroke:#0072b2;fill:none}.mw-column{stroke:#00805e;fill:none}\n"
    ".mw-good{fill:#00704f}.mw-cycle{stroke:#c8102e;fill:none}.mw-red{fill:#c8102e}.mw-"
    "on{fill:#fff}\n"
    "@media(prefers-color-scheme:dark){\n"
    ".mw-paper{fill:#12171d}.mw-text{fill:#e8edf2}.mw-soft{fill:#9aa7b4}\n"
    ".mw-core{stroke:#dfe6ed;stroke-opacity:.35}\n"
    ".mw-r0{fill:#1d4566}.mw-r1{fill:#6b4c0c}.mw-r2{fill:#0f5743}.mw-r3{fill:#65304d}\n"
    ".mw-r4{fill:#215a75}.mw-r5{fill:#5c5713}.mw-r6{fill:#71391b}.mw-r7{fill:#3d4650}\n"
    ".mw-idle{fill:#3a434d}.mw-busy{fill:#2f77ad}.mw-blocked{fill:#b87708}\n"
    ".mw-dma{fill:#99507a}.mw-ended{fill:#66717d}\n"
    ".mw-row{stroke:#6bb8ea}.mw-column{stroke:#45c9a2}\n"
    ".mw-good{fill:#4fd0a5}.mw-cycle{stroke:#ff5b6b}.mw-red{fill:#ff5b6b}.mw-on{fill:#"
    "12171d}}\n";

static const char *const state_class[MW_N_CORE_STATES] = {"idle", "busy", "blocked",
                                                          "dma", "ended"};

struct sheet {
    const struct mw_scene *scene;
    const struct mw_layout *layout;
    char letter[MW_N_LETTERS + 1];
    uint32_t n_letters, width, height, items;
    struct mw_scene_verdict verdict[MW_SCENE_VERDICTS];
    uint32_t n_verdicts, top;     /* of the mesh */
    bool state[MW_N_CORE_STATES]; /* some core was in it */
    uint32_t n_states;
    FILE *out;
};

static int center_x(const struct sheet *s, mw_core v)
{
    return LEFT + (int)mw_core_col(s->layout, v) * PITCH + PITCH / 2;
}

static int center_y(const struct sheet *s, mw_core v)
{
    return (int)s->top + (int)mw_core_row(s->layout, v) * PITCH + PITCH / 2;
}

static uint32_t role_class(const struct sheet *s, char letter)
{
    for (uint32_t i = 0; i < s->n_letters; i++)
        if (s->letter[i] == letter)
            return letter == '.' ? ROLE_COLOURS - 1 : i % (ROLE_COLOURS - 1);
    return ROLE_COLOURS - 1;
}

/* ---- hops ---------------------------------------------------------------------------- */

/* The curve from one core to another; `bend`: how far its control points stand off. */
static void curve(const struct sheet *s, mw_core from, mw_core to, int bend)
{
    int x[2] = {center_x(s, from), center_x(s, to)};
    int y[2] = {center_y(s, from), center_y(s, to)};
    if (y[0] == y[1]) {
        const int sign = x[1] > x[0] ? 1 : -1, edge = y[0] - sign * HALF;
        fprintf(s->out, "M%d %dC%d %d %d %d %d %d", x[0] + sign * 8, edge,
                x[0] + sign * 12, edge - sign * bend, x[1] - sign * 12,
                edge - sign * bend, x[1] - sign * 8, edge);
    } else {
        const int sign = y[1] > y[0] ? 1 : -1, edge = x[0] + sign * HALF;
        fprintf(s->out, "M%d %dC%d %d %d %d %d %d", edge, y[0] + sign * 8,
                edge + sign * bend, y[0] + sign * 12, edge + sign * bend,
                y[1] - sign * 12, edge, y[1] - sign * 8);
    }
}

static int bend_of(const struct sheet *s, mw_core from, mw_core to)
{
    const struct mw_layout *l = s->layout;
    const int far = abs((int)mw_core_row(l, from) - (int)mw_core_row(l, to)) +
                    abs((int)mw_core_col(l, from) - (int)mw_core_col(l, to));
    const int side = (int)mw_max(l->rows, l->cols);
    return 8 + 10 * (far - 1) / (side > 2 ? side - 2 : 1);
}

static uint32_t weight_of(const struct mw_scene *s, uint64_t flows)
{
    const double share = (double)flows / (double)s->most_flows;
    return share > 0.5 ? 2 : share > 0.125 ? 1 : 0;
}

/* All hops of one class and weight are one path: small, and overlaps stay even. */
static void draw_hop_group(const struct sheet *s, enum mw_fifo_class class,
                           uint32_t weight)
{
    static const char *const width[WEIGHTS] = {"0.8", "1.4", "2.2"};
    bool open = false;
    for (uint32_t v = 0; v < mw_mesh_cores(s->layout); v++) {
        const mw_core from = (mw_core)v;
        mw_core to = mw_scene_next_hop(s->scene, from, MW_NO_CORE);
        for (; to != MW_NO_CORE; to = mw_scene_next_hop(s->scene, from, to)) {
            if (mw_hop_class(s->layout, from, to) != class ||
                weight_of(s->scene, mw_scene_flows(s->scene, from, to)) != weight)
                continue;
            if (!open)
                fprintf(s->out,
                        "<path class=\"mw-%s\" stroke-width=\"%s\" stroke-opacity=\".5\" "
                        "d=\"",
                        class == MW_ROW ? "row" : "column", width[weight]);
            open = true;
            curve(s, from, to, bend_of(s, from, to));
        }
    }
    if (open)
        fprintf(s->out, "\"/>\n");
}

/* A path for each curve: its width is the share of the widest one's flows. */
static int draw_bundles(const struct sheet *s)
{
    const struct mw_layout *l = s->layout;
    const int step[MW_N_WAYS] = {1, -1, (int)l->cols, -(int)l->cols};
    const uint32_t n = mw_mesh_cores(l) * MW_N_WAYS;
    uint64_t most = 1, *flows = mw_scene_bundles(s->scene);
    if (flows == NULL)
        return MW_ERR_NOMEM;
    for (uint32_t i = 0; i < n; i++)
        most = mw_max(most, flows[i]);
    for (uint32_t i = 0; i < n; i++) {
        const uint32_t way = i % MW_N_WAYS, from = i / MW_N_WAYS;
        if (flows[i] == 0)
            continue;
        fprintf(s->out,
                "<path class=\"mw-%s\" stroke-width=\"%.1f\" stroke-opacity=\".5\" d=\"",
                way < MW_SOUTH ? "row" : "column",
                0.8 + 4 * (double)flows[i] / (double)most);
        curve(s, (mw_core)from, (mw_core)((int)from + step[way]), 8);
        fprintf(s->out, "\"/>\n");
    }
    mw_free(flows);
    return MW_OK;
}

static int draw_hops(const struct sheet *s)
{
    int rc = MW_OK;
    if (s->scene->n_hops > MW_SCENE_HOPS_MAX)
        return MW_OK;
    fprintf(s->out, "<g class=\"mw-hops\">\n");
    if (mw_scene_is_bundled(s->scene))
        rc = draw_bundles(s);
    for (int class = 0; class < MW_N_CLASSES && !mw_scene_is_bundled(s->scene); class ++)
        for (uint32_t weight = 0; weight < WEIGHTS; weight++)
            draw_hop_group(s, (enum mw_fifo_class) class, weight);
    fprintf(s->out, "</g>\n");
    return rc;
}

static void draw_cycle(const struct sheet *s)
{
    const struct mw_scene *scene = s->scene;
    if (scene->n_cycle == 0)
        return;
    fprintf(s->out, "<g class=\"mw-cycles\">\n");
    for (uint32_t i = 0; i < scene->n_cycle; i++) {
        fprintf(s->out, "<path class=\"mw-cycle\" stroke-width=\"2.6\" "
                        "marker-end=\"url(#mw-head)\" d=\"");
        curve(s, scene->cycle[i], mw_scene_cycle_next(scene, i), 17);
        fprintf(s->out, "\"/>\n");
    }
    for (uint32_t i = 0; i < scene->n_cycle; i++) {
        const int x = center_x(s, scene->cycle[i]), y = center_y(s, scene->cycle[i]);
        if (scene->mark[scene->cycle[i]] != i + 1)
            continue; /* a cycle of FIFOs may come through a core twice */
        fprintf(s->out,
                "<rect class=\"mw-cycle\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"%d\" "
                "rx=\"8\" stroke-width=\"2.6\"/><circle class=\"mw-red\" cx=\"%d\" "
                "cy=\"%d\" r=\"9\"/><text class=\"mw-on\" x=\"%d\" y=\"%d\" "
                "font-size=\"11\" font-weight=\"700\">%u</text>\n",
                x - HALF, y - HALF, BOX, BOX, x - HALF + 2, y - HALF + 2, x - HALF + 2,
                y - HALF + 6, i + 1);
    }
    fprintf(s->out, "</g>\n");
}

/* ---- cores ------------------------------------------------------------------------------ */

/* What the bar of a core shows: its state after a deadlock, else the shares of its time. */
static void bar_of(const struct sheet *s, mw_core v, double share[MW_N_CORE_STATES])
{
    mw_scene_shares(s->scene, v, share);
    for (int k = 0; s->scene->met && k < MW_N_CORE_STATES; k++)
        share[k] = k == (int)mw_scene_state(s->scene, v);
}

/* A bar along the core's lower edge. */
static void draw_shares(const struct sheet *s, mw_core v, int x, int y)
{
    static const uint8_t order[MW_N_CORE_STATES] = {
        MW_CORE_BUSY, MW_CORE_BLOCKED, MW_CORE_DMA, MW_CORE_IDLE, MW_CORE_ENDED};
    double share[MW_N_CORE_STATES], sum = 0;
    bar_of(s, v, share);
    for (int k = 0; k < MW_N_CORE_STATES; k++) {
        const int from = (int)(sum * (BOX - 8) + 0.5);
        sum += share[order[k]];
        const int to = (int)(sum * (BOX - 8) + 0.5);
        if (to > from)
            fprintf(s->out,
                    "<rect class=\"mw-%s\" x=\"%d\" y=\"%d\" width=\"%d\" height=\"6\"/>",
                    state_class[order[k]], x - HALF + 4 + from, y + HALF - 10, to - from);
    }
}

static void draw_core(const struct sheet *s, mw_core v)
{
    const enum mw_core_state state = mw_scene_state(s->scene, v);
    const bool heat = state != MW_N_CORE_STATES;
    const int x = center_x(s, v), y = center_y(s, v);
    char name[MW_NODE_NAME];
    fprintf(s->out, "<g><title>%s %c", mw_core_name(s->layout, v, name),
            s->layout->role[v]);
    if (heat)
        fprintf(s->out, ", %s %s", s->scene->met ? "at the end" : "mostly",
                mw_core_state_names[state]);
    fprintf(s->out,
            "</title><rect class=\"mw-core mw-r%u\" x=\"%d\" y=\"%d\" width=\"%d\" "
            "height=\"%d\" rx=\"8\"/>",
            role_class(s, s->layout->role[v]), x - HALF, y - HALF, BOX, BOX);
    if (heat)
        draw_shares(s, v, x, y);
    if (s->layout->role[v] != '.')
        fprintf(s->out,
                "<text class=\"mw-text\" x=\"%d\" y=\"%d\" font-size=\"17\" "
                "font-weight=\"600\">%c</text>",
                x, heat ? y + 3 : y + 6, s->layout->role[v]);
    fprintf(s->out, "</g>\n");
}

static void draw_labels(const struct sheet *s)
{
    for (uint32_t col = 0; col < s->layout->cols; col++)
        fprintf(s->out,
                "<text class=\"mw-soft\" x=\"%d\" y=\"%d\" font-size=\"12\">%u</text>",
                center_x(s, (mw_core)col), (int)s->top - 8, col);
    for (uint32_t row = 0; row < s->layout->rows; row++)
        fprintf(s->out,
                "<text class=\"mw-soft\" x=\"%d\" y=\"%d\" font-size=\"12\">%u</text>",
                LEFT - 14, center_y(s, (mw_core)(row * s->layout->cols)) + 4, row);
    fputc('\n', s->out);
}

/* ---- legend ------------------------------------------------------------------------------ */

static uint32_t items_per_line(const struct sheet *s)
{
    return (s->width - LEFT) / LEGEND_ITEM;
}

/* Where the next item goes; its sign is 22 wide and its text starts 30 further right. */
static void next_item(struct sheet *s, int *x, int *y)
{
    const uint32_t per_line = items_per_line(s);
    *x = LEFT + (int)(s->items % per_line) * LEGEND_ITEM;
    *y = (int)s->top + (int)s->layout->rows * PITCH + LEGEND - 24 +
         (int)(s->items / per_line) * LEGEND_LINE;
    s->items++;
}

static void legend_text(const struct sheet *s, int x, int y, const char *text)
{
    fprintf(s->out,
            "<text class=\"mw-text mw-left\" x=\"%d\" y=\"%d\" font-size=\"13\" "
            "text-anchor=\"start\">%s</text>\n",
            x + 30, y + 5, text);
}

static void legend_roles(struct sheet *s)
{
    char text[80];
    for (uint32_t i = 0; i < s->n_letters; i++) {
        int x, y;
        uint32_t n = 0;
        for (uint32_t v = 0; v < mw_mesh_cores(s->layout); v++)
            n += s->layout->role[v] == s->letter[i];
        next_item(s, &x, &y);
        fprintf(s->out,
                "<rect class=\"mw-core mw-r%u\" x=\"%d\" y=\"%d\" width=\"22\" "
                "height=\"16\" rx=\"4\"/>",
                role_class(s, s->letter[i]), x, y - 8);
        if (s->letter[i] == '.')
            snprintf(text, sizeof text, "no role, %u", n);
        else
            snprintf(text, sizeof text, "%c, %u", s->letter[i], n);
        legend_text(s, x, y, text);
    }
}

static void legend_states(struct sheet *s)
{
    static const char *const words[2][MW_N_CORE_STATES] = {
        {"idle", "busy", "blocked in a put", "waits for memory", "ended"},
        {"idle at the end", "busy at the end", "blocked at the end", "waits for memory",
         "ended"}};
    for (int k = 0; k < MW_N_CORE_STATES; k++) {
        int x, y;
        if (!s->state[k])
            continue;
        next_item(s, &x, &y);
        fprintf(s->out,
                "<rect class=\"mw-%s\" x=\"%d\" y=\"%d\" width=\"22\" height=\"8\"/>",
                state_class[k], x, y - 4);
        legend_text(s, x, y, words[s->scene->met][k]);
    }
}

static void legend_line(struct sheet *s, const char *class, const char *text)
{
    int x, y;
    next_item(s, &x, &y);
    fprintf(s->out, "<path class=\"mw-%s\" stroke-width=\"2.2\" d=\"M%d %dh22\"/>", class,
            x, y);
    legend_text(s, x, y, text);
}

/* Each group starts a line. */
static void end_group(struct sheet *s)
{
    const uint32_t per_line = items_per_line(s);
    s->items = (s->items + per_line - 1) / per_line * per_line;
}

static void draw_legend(struct sheet *s)
{
    legend_roles(s);
    end_group(s);
    legend_states(s);
    end_group(s);
    if (s->scene->picture->puts != NULL) {
        int x, y;
        next_item(s, &x, &y);
        legend_text(s, x - 30, y, "remote puts: no hops");
    } else if (s->scene->n_hops <= MW_SCENE_HOPS_MAX) {
        const bool bundled = mw_scene_is_bundled(s->scene);
        legend_line(s, "row", bundled ? "rows, bundled" : "hops in rows");
        legend_line(s, "column", bundled ? "columns, bundled" : "hops in columns");
    } else {
        int x, y;
        next_item(s, &x, &y);
        legend_text(s, x - 30, y, "too many hops to draw");
    }
    if (s->scene->n_cycle > 0)
        legend_line(s, "cycle", s->scene->met ? "waits for: deadlock" : "can wait for");
}

/* ---- verdicts ---------------------------------------------------------------------------- */

static void draw_verdict(const struct sheet *s, const struct mw_scene_verdict *v, int x,
                         int y)
{
    static const char *const sign[] = {[MW_VERDICT_GOOD] = "&#10003; ",
                                       [MW_VERDICT_BAD] = "&#10007; ",
                                       [MW_VERDICT_OPEN] = ""};
    static const char *const class[] = {[MW_VERDICT_GOOD] = "mw-good",
                                        [MW_VERDICT_BAD] = "mw-red",
                                        [MW_VERDICT_OPEN] = "mw-soft"};
    fprintf(s->out,
            "<text class=\"%s\" x=\"%d\" y=\"%d\" font-size=\"13\"%s "
            "text-anchor=\"start\">%s%s</text>\n",
            class[v->kind], x, y,
            v -> kind == MW_VERDICT_BAD ? " font-weight=\"600\"" : "", sign[v->kind],
            v->text);
}

/* A letter is taken to be 8 wide, which is more than it is. */
static uint32_t width_of(const struct mw_scene_verdict *v)
{
    return 8 * (uint32_t)strlen(v->text) + 28;
}

/* The verdicts side by side below the title, as many on a line as there is room for; returns
 * the number of lines. */
static uint32_t set_verdicts(const struct sheet *s, bool draw)
{
    uint32_t x = LEFT, n_lines = s->n_verdicts > 0;
    for (uint32_t i = 0; i < s->n_verdicts; i++) {
        const uint32_t width = width_of(&s->verdict[i]);
        if (x > LEFT && x + width > s->width) {
            x = LEFT;
            n_lines++;
        }
        if (draw)
            draw_verdict(s, &s->verdict[i], (int)x, TITLE + (int)n_lines * VERDICT + 4);
        x += width;
    }
    return n_lines;
}

/* ---- the sheet --------------------------------------------------------------------------- */

static void find_states(struct sheet *s)
{
    double share[MW_N_CORE_STATES];
    for (uint32_t v = 0; v < mw_mesh_cores(s->layout); v++) {
        bar_of(s, (mw_core)v, share);
        for (int k = 0; k < MW_N_CORE_STATES; k++)
            s->state[k] |= share[k] > 0;
    }
    for (int k = 0; k < MW_N_CORE_STATES; k++)
        s->n_states += s->state[k];
}

static void size_up(struct sheet *s)
{
    const char *title = s->scene->picture->title;
    s->width = (uint32_t)mw_max(WIDTH_MIN, LEFT + s->layout->cols * PITCH + 24);
    for (uint32_t i = 0; i < s->n_verdicts; i++)
        s->width = (uint32_t)mw_max(s->width, LEFT + width_of(&s->verdict[i]));
    if (title != NULL)
        s->width = (uint32_t)mw_max(
            s->width, LEFT + mw_min(TITLE_MAX, TITLE_LETTER * strlen(title)) + 24);
    const uint32_t per_line = items_per_line(s);
    const uint32_t group[3] = {s->n_letters, s->n_states,
                               (s->scene->n_hops <= MW_SCENE_HOPS_MAX ? 2u : 1u) +
                                   (s->scene->n_cycle > 0)};
    uint32_t lines = 0;
    for (int i = 0; i < 3; i++)
        lines += (group[i] + per_line - 1) / per_line;
    s->top = TOP + set_verdicts(s, false) * VERDICT;
    s->height = s->top + s->layout->rows * PITCH + LEGEND + lines * LEGEND_LINE - 24;
}

static void describe(const struct sheet *s)
{
    const struct mw_layout *l = s->layout;
    char name[MW_NODE_NAME];
    fprintf(s->out, "<desc>A mesh of %u x %u cores; %llu flows use %llu different hops.",
            l->rows, l->cols, (unsigned long long)l->n_flows,
            (unsigned long long)s->scene->n_hops);
    for (uint32_t i = 0; i < s->n_verdicts; i++)
        fprintf(s->out, "%s%s", i == 0 ? " " : "; ", s->verdict[i].text);
    fputs(s->n_verdicts > 0 ? "." : "", s->out);
    if (s->scene->n_cycle > 0) {
        fprintf(s->out, " %s ",
                s->scene->met ? "Deadlock: each of these cores waits for the next:"
                              : "Each of these cores can wait for the next:");
        for (uint32_t i = 0; i < s->scene->n_cycle; i++)
            fprintf(s->out, "%s%s", i > 0 ? "; " : "",
                    mw_core_name(l, s->scene->cycle[i], name));
        fputc('.', s->out);
    }
    fprintf(s->out, "</desc>\n");
}

static void draw_head(const struct sheet *s)
{
    const char *title = s->scene->picture->title;
    fprintf(
        s->out,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %u %u\" width=\"%u\" "
        "height=\"%u\" role=\"img\" text-anchor=\"middle\" "
        "font-family=\"system-ui,-apple-system,'Segoe UI',sans-serif\">\n<title>",
        s->width, s->height, s->width, s->height);
    mw_escape_xml(title == NULL ? "mesh layout" : title, s->out);
    fprintf(s->out, "</title>\n");
    describe(s);
    fprintf(
        s->out,
        "<style>\n%s</style>\n"
        "<defs><marker id=\"mw-head\" viewBox=\"0 0 10 10\" refX=\"8\" refY=\"5\" "
        "markerWidth=\"11\" markerHeight=\"11\" markerUnits=\"userSpaceOnUse\" "
        "orient=\"auto\"><path class=\"mw-red\" d=\"M0 0L10 5L0 10z\"/></marker></defs>\n"
        "<rect class=\"mw-paper\" width=\"%u\" height=\"%u\" rx=\"12\"/>\n"
        "<text class=\"mw-text\" x=\"%d\" y=\"%d\" font-size=\"17\" font-weight=\"600\" "
        "text-anchor=\"start\">",
        style, s->width, s->height, LEFT, TITLE);
    if (title != NULL)
        mw_escape_xml(title, s->out);
    fprintf(s->out, "</text>\n");
    set_verdicts(s, true);
}

int mw_draw_svg(const struct mw_picture *p, FILE *out)
{
    struct mw_scene scene;
    MW_NEED(mw_scene_init(p, &scene));
    struct sheet s = {.scene = &scene, .layout = p->layout, .out = out};
    s.n_letters = mw_scene_letters(&scene, s.letter);
    s.n_verdicts = mw_scene_verdicts(&scene, s.verdict);
    find_states(&s);
    size_up(&s);
    draw_head(&s);
    draw_labels(&s);
    const int rc = draw_hops(&s);
    for (uint32_t v = 0; v < mw_mesh_cores(p->layout); v++)
        draw_core(&s, (mw_core)v);
    draw_cycle(&s);
    draw_legend(&s);
    fprintf(out, "</svg>\n");
    mw_scene_fini(&scene);
    return rc;
}
