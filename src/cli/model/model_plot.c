/* model_plot.c -- see model_plot.h.
 *
 *      +--------------------+
 *      | title              |
 *      |  +--------------+  |
 *      |  | plot         |  |
 *      |  +--------------+  |
 *      |  legend            |
 *      +--------------------+
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/model/model_plot.h"

#include <math.h>

enum {
    WIDTH = 720,
    LEFT = 72,
    RIGHT = 696,
    TOP = 44,
    BOTTOM = 384,
    LEGEND = 440,
    LINE = 18
};

/* Told apart by readers who see colours differently (Okabe and Ito). */
static const char *const colours[MW_FIGURE_SERIES] = {
    "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#56b4e9", "#e69f00",
    "#000000", "#666666", "#0072b2", "#d55e00", "#009e73", "#cc79a7"};

struct axis {
    double low, high; /* of the data, or of their logarithms */
    double from, to;  /* of the picture */
    bool log;
};

static double scaled(const struct axis *a, double x)
{
    const double at = a->log ? log2(x) : x;
    return a->from + (at - a->low) / (a->high - a->low) * (a->to - a->from);
}

static void widen(struct axis *a, double x)
{
    if (!isfinite(x) || (a->log && x <= 0))
        return;
    a->low = fmin(a->low, a->log ? log2(x) : x);
    a->high = fmax(a->high, a->log ? log2(x) : x);
}

static void make_axes(const struct mw_figure *f, struct axis *x, struct axis *y)
{
    const bool rates = f->number >= 11;
    *x = (struct axis){INFINITY, -INFINITY, LEFT + 12, RIGHT - 12,
                       f->number != 5 && f->number != 0};
    *y = (struct axis){INFINITY, -INFINITY, BOTTOM, TOP, rates};
    for (uint32_t s = 0; s < f->n_series; s++)
        for (uint32_t i = 0; i < f->series[s].n; i++) {
            const struct mw_point *p = &f->series[s].point[i];
            widen(x, p->x);
            widen(y, p->y);
            widen(y, p->low);
            widen(y, p->high);
        }
    if (rates) {
        y->low = log2(10) * floor(y->low / log2(10));
        y->high = log2(10) * ceil(y->high / log2(10));
    } else {
        y->low = 0;
        y->high *= 1.1;
    }
}

/* ---- text ------------------------------------------------------------------------------- */

static void put_text(const char *s, FILE *out)
{
    for (; *s != '\0'; s++)
        if (*s == '<')
            fputs("&lt;", out);
        else if (*s == '>')
            fputs("&gt;", out);
        else if (*s == '&')
            fputs("&amp;", out);
        else
            putc(*s, out);
}

static void label(double x, double y, const char *anchor, const char *s, FILE *out)
{
    fprintf(out, "<text x=\"%.1f\" y=\"%.1f\" text-anchor=\"%s\">", x, y, anchor);
    put_text(s, out);
    fputs("</text>\n", out);
}

/* ---- axes ------------------------------------------------------------------------------- */

static void tick(const struct axis *a, double value, bool across, FILE *out)
{
    char text[32];
    const double at = scaled(a, value);
    snprintf(text, sizeof text, "%.6g", value);
    if (across) {
        fprintf(out, "<path class=\"grid\" d=\"M%.1f %dV%d\"/>\n", at, TOP, BOTTOM);
        label(at, BOTTOM + 16, "middle", text, out);
    } else {
        fprintf(out, "<path class=\"grid\" d=\"M%d %.1fH%d\"/>\n", LEFT, at, RIGHT);
        label(LEFT - 6, at + 4, "end", text, out);
    }
}

static void ticks(const struct axis *a, double base, double step, bool across, FILE *out)
{
    if (a->log) {
        const double unit = log2(base);
        for (double k = ceil(a->low / unit - 1e-9); k * unit <= a->high + 1e-9; k++)
            tick(a, pow(base, k), across, out);
        return;
    }
    for (double x = step * ceil(a->low / step); x <= a->high; x += step)
        tick(a, x, across, out);
}

static void draw_axes(const struct mw_figure *f, const struct axis *x,
                      const struct axis *y, FILE *out)
{
    ticks(x, 4, f->x_step > 0 ? f->x_step : 8, true, out);
    ticks(y, 10, f->y_step > 0 ? f->y_step : 5, false, out);
    fprintf(out, "<path class=\"axis\" d=\"M%d %dV%dH%d\"/>\n", LEFT, TOP, BOTTOM, RIGHT);
    label((LEFT + RIGHT) / 2, BOTTOM + 36, "middle", f->x_name, out);
    label(LEFT, TOP - 8, "end", f->y_name, out);
}

/* ---- series ----------------------------------------------------------------------------- */

static void draw_band(const struct mw_series *s, const char *colour, const struct axis *x,
                      const struct axis *y, FILE *out)
{
    bool open = false;
    for (uint32_t i = 0; i < s->n; i++)
        if (isfinite(s->point[i].low)) {
            fprintf(out, "%s%.1f %.1f", open ? "L" : "<path class=\"band\" d=\"M",
                    scaled(x, s->point[i].x), scaled(y, s->point[i].low));
            open = true;
        }
    for (uint32_t i = s->n; i-- > 0;)
        if (isfinite(s->point[i].high))
            fprintf(out, "L%.1f %.1f", scaled(x, s->point[i].x),
                    scaled(y, s->point[i].high));
    if (open)
        fprintf(out, "Z\" fill=\"%s\"/>\n", colour);
}

static void draw_line(const struct mw_series *s, const char *colour, const struct axis *x,
                      const struct axis *y, FILE *out)
{
    bool open = false;
    for (uint32_t i = 0; i < s->n; i++)
        if (isfinite(s->point[i].y)) {
            fprintf(out, "%s%.1f %.1f", open ? "L" : "<path class=\"line\" d=\"M",
                    scaled(x, s->point[i].x), scaled(y, s->point[i].y));
            open = true;
        }
    if (open)
        fprintf(out, "\" stroke=\"%s\"/>\n", colour);
}

/* The first point without a value, at the height of the last one that has one. */
static void draw_crash(const struct mw_series *s, const char *colour,
                       const struct axis *x, const struct axis *y, FILE *out)
{
    double last = NAN;
    for (uint32_t i = 0; i < s->n; i++) {
        if (isfinite(s->point[i].y)) {
            last = s->point[i].y;
        } else if (isfinite(last)) {
            const double px = scaled(x, s->point[i].x), py = scaled(y, last);
            fprintf(
                out,
                "<path class=\"cross\" d=\"M%.1f %.1fl10 10m0 -10l-10 10\" stroke=\"%s\">"
                "<title>%s: ",
                px - 5, py - 5, colour, s->name);
            put_text(s->point[i].note, out);
            fputs("</title></path>\n", out);
            return;
        }
    }
}

static void draw_mark(const struct mw_series *s, double px, double py, const char *colour,
                      FILE *out)
{
    fprintf(out, "<circle cx=\"%.1f\" cy=\"%.1f\" r=\"4\" stroke=\"%s\" fill=\"%s\"/>\n",
            px, py, colour, s->status == MW_PUBLISHED ? colour : "#ffffff");
}

static void draw_series(const struct mw_figure *f, uint32_t i, const struct axis *x,
                        const struct axis *y, FILE *out)
{
    const struct mw_series *s = &f->series[i];
    const char *colour = colours[i];
    if (s->marks) {
        for (uint32_t k = 0; k < s->n; k++)
            draw_mark(s, scaled(x, s->point[k].x), scaled(y, s->point[k].y), colour, out);
        return;
    }
    draw_band(s, colour, x, y, out);
    draw_line(s, colour, x, y, out);
    draw_crash(s, colour, x, y, out);
}

/* ---- the legend ------------------------------------------------------------------------- */

static int n_lines(const struct mw_figure *f)
{
    return (int)f->n_series + (f->band != NULL);
}

static void draw_legend(const struct mw_figure *f, FILE *out)
{
    char text[MW_FIGURE_NAME + 32];
    double y = LEGEND;
    for (uint32_t i = 0; i < f->n_series; i++, y += LINE) {
        const struct mw_series *s = &f->series[i];
        if (s->marks)
            draw_mark(s, LEFT + 14, y - 4, colours[i], out);
        else
            fprintf(out, "<path class=\"line\" d=\"M%d %.1fh28\" stroke=\"%s\"/>\n", LEFT,
                    y - 4, colours[i]);
        snprintf(text, sizeof text, "%s (%s)", s->name, mw_status_names[s->status]);
        label(LEFT + 36, y, "start", text, out);
    }
    if (f->band != NULL) {
        snprintf(text, sizeof text, "band: %s", f->band);
        label(LEFT + 36, y, "start", text, out);
    }
}

static int height_of(const struct mw_figure *f)
{
    return LEGEND + LINE * n_lines(f);
}

static void draw_figure(const struct mw_figure *f, FILE *out)
{
    struct axis x, y;
    make_axes(f, &x, &y);
    fprintf(out, "<text x=\"%d\" y=\"20\" text-anchor=\"middle\" font-size=\"14\">",
            WIDTH / 2);
    put_text(f->title, out);
    fputs("</text>\n", out);
    draw_axes(f, &x, &y, out);
    for (uint32_t i = 0; i < f->n_series; i++)
        draw_series(f, i, &x, &y, out);
    draw_legend(f, out);
}

static void begin_svg(int height, FILE *out)
{
    fprintf(out,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 %d %d\" "
            "font-family=\"sans-serif\" font-size=\"12\">\n<style>.grid{stroke:#dddddd}"
            ".axis{stroke:#000000;fill:none}.line{fill:none;stroke-width:2}"
            ".cross{fill:none;stroke-width:3}.band{fill-opacity:0.15}</style>\n"
            "<rect width=\"%d\" height=\"%d\" fill=\"#ffffff\"/>\n",
            WIDTH, height, WIDTH, height);
}

void mw_plot_svg(const struct mw_figure *f, FILE *out)
{
    begin_svg(height_of(f), out);
    draw_figure(f, out);
    fputs("</svg>\n", out);
}

void mw_plots_svg(const struct mw_figure *f, uint32_t n, FILE *out)
{
    int height = 0;
    for (uint32_t i = 0; i < n; i++)
        height += height_of(&f[i]);
    begin_svg(height, out);
    height = 0;
    for (uint32_t i = 0; i < n; height += height_of(&f[i]), i++) {
        fprintf(out, "<g transform=\"translate(0 %d)\">\n", height);
        draw_figure(&f[i], out);
        fputs("</g>\n", out);
    }
    fputs("</svg>\n", out);
}
