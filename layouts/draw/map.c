/* map.c -- the mesh as text: a canvas of characters with an ink each.
 *
 *           0       1       2           wide: room for arrows (up to 9 columns)
 *      0    P.     [T#]     K+          pair: letter and glyph, no room between
 *                   |^                  single: letters, and the glyphs once more below
 *                   v|
 *      1    P.     [T#]     K+
 *
 * In a column, arrows down stand under the letter and arrows up under the glyph, so both may
 * pass one another; in a row they run between the cores they skip.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/draw/scene.h"

#include "base/mem.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WIDE_COLS = 9, PAIR_COLS = 35, LABEL = 4 };

/* Inks: a state's, then these. */
enum { INK_NONE = MW_N_CORE_STATES, INK_CYCLE, INK_LABEL, N_INKS };

/* Blue, amber and purple stay apart for every kind of colour blindness. */
static const char *const inks[N_INKS] = {[MW_CORE_IDLE] = "\033[38;5;16;48;5;252m",
                                         [MW_CORE_BUSY] = "\033[38;5;231;48;5;25m",
                                         [MW_CORE_BLOCKED] = "\033[38;5;16;48;5;214m",
                                         [MW_CORE_DMA] = "\033[38;5;16;48;5;176m",
                                         [MW_CORE_ENDED] = "\033[38;5;231;48;5;240m",
                                         [INK_NONE] = "\033[0m",
                                         [INK_CYCLE] = "\033[1;38;5;196m",
                                         [INK_LABEL] = "\033[2m"};

static const char glyphs[MW_N_CORE_STATES + 1] = {
    [MW_CORE_IDLE] = '.', [MW_CORE_BUSY] = '+',  [MW_CORE_BLOCKED] = '#',
    [MW_CORE_DMA] = '~',  [MW_CORE_ENDED] = '_', [MW_N_CORE_STATES] = ' '};

struct canvas {
    uint32_t width, height;
    char *text; /* [height][width] */
    uint8_t *ink;
};

static int canvas_init(struct canvas *c, uint32_t width, uint32_t height)
{
    *c = (struct canvas){.width = width, .height = height};
    MW_NEED_NEW(c->text, "map", width * height);
    MW_NEED_NEW(c->ink, "map", width * height);
    memset(c->text, ' ', width * height);
    memset(c->ink, INK_NONE, width * height);
    return MW_OK;
}

static void canvas_fini(struct canvas *c)
{
    MW_FREE_ALL(c->text, c->ink);
}

static void put(struct canvas *c, uint32_t x, uint32_t y, char what, int ink)
{
    c->text[y * c->width + x] = what;
    c->ink[y * c->width + x] = (uint8_t)ink;
}

static void put_text(struct canvas *c, uint32_t x, uint32_t y, const char *text, int ink)
{
    for (; *text != '\0' && x < c->width; text++, x++)
        put(c, x, y, *text, ink);
}

static void print_line(const struct canvas *c, uint32_t y, bool colours, FILE *out)
{
    const char *text = c->text + y * c->width;
    const uint8_t *ink = c->ink + y * c->width;
    uint32_t n = c->width;
    int now = INK_NONE;
    while (n > 0 && text[n - 1] == ' ' && (!colours || ink[n - 1] == INK_NONE))
        n--;
    for (uint32_t x = 0; x < n; x++) {
        if (colours && ink[x] != now)
            fprintf(out, "%s%s", inks[INK_NONE], ink[x] == INK_NONE ? "" : inks[ink[x]]);
        now = ink[x];
        fputc(text[x], out);
    }
    fprintf(out, "%s\n", colours && now != INK_NONE ? inks[INK_NONE] : "");
}

/* ---- where things stand ---------------------------------------------------------------- */

struct map {
    const struct mw_scene *scene;
    const struct mw_layout *layout;
    bool wide, colours;
    bool shares;               /* there is a simulation */
    uint32_t pitch_x, pitch_y; /* wide: a core is "[Xg]" at the left of its pitch */
    uint32_t second; /* single, with a simulation: rows before the glyphs; else 0 */
    struct canvas canvas;
};

static uint32_t letter_x(const struct map *m, uint32_t col)
{
    return LABEL + col * m->pitch_x + m->wide;
}

static uint32_t line_y(const struct map *m, uint32_t row)
{
    return 1 + row * m->pitch_y;
}

static void put_labels(struct map *m)
{
    char text[12];
    const uint32_t step = m->pitch_x == 1 ? 5 : m->pitch_x == 2 ? 2 : 1;
    for (uint32_t col = 0; col < m->layout->cols; col += step) {
        snprintf(text, sizeof text, "%u", col);
        put_text(&m->canvas, letter_x(m, col), 0, text, INK_LABEL);
    }
    for (uint32_t row = 0; row < m->layout->rows; row++) {
        snprintf(text, sizeof text, "%2u", row);
        put_text(&m->canvas, 0, line_y(m, row), text, INK_LABEL);
        if (m->second > 0)
            put_text(&m->canvas, 0, line_y(m, row) + m->second, text, INK_LABEL);
    }
}

static void put_core(struct map *m, mw_core v)
{
    const enum mw_core_state state = mw_scene_state(m->scene, v);
    const bool marked = m->scene->mark[v] > 0;
    const uint32_t x = letter_x(m, mw_core_col(m->layout, v));
    const uint32_t y = line_y(m, mw_core_row(m->layout, v));
    const int ink = state != MW_N_CORE_STATES ? (int)state
                    : marked                  ? INK_CYCLE
                                              : INK_NONE;
    put(&m->canvas, x, y, m->layout->role[v], ink);
    if (m->pitch_x > 1)
        put(&m->canvas, x + 1, y, glyphs[state], ink);
    if (m->second > 0)
        put(&m->canvas, x, y + m->second, marked ? '*' : glyphs[state],
            marked ? INK_CYCLE : ink);
    if (m->wide && marked) {
        put(&m->canvas, x - 1, y, '[', INK_CYCLE);
        put(&m->canvas, x + 2, y, ']', INK_CYCLE);
    }
}

/* ---- arrows ------------------------------------------------------------------------------ */

/* A line through whatever is still blank between the two cores; the head at its end. */
static void put_row_arrow(struct map *m, uint32_t row, uint32_t from, uint32_t to)
{
    const uint32_t low = from < to ? from : to, high = from < to ? to : from;
    const uint32_t y = line_y(m, row);
    for (uint32_t x = letter_x(m, low) + 3; x < letter_x(m, high) - 1; x++)
        if (m->canvas.text[y * m->canvas.width + x] == ' ')
            put(&m->canvas, x, y, '-', INK_CYCLE);
    if (from < to)
        put(&m->canvas, letter_x(m, to) - 2, y, '>', INK_CYCLE);
    else
        put(&m->canvas, letter_x(m, to) + 3, y, '<', INK_CYCLE);
}

static void put_column_arrow(struct map *m, uint32_t col, uint32_t from, uint32_t to)
{
    const bool down = from < to;
    const uint32_t low = down ? from : to, high = down ? to : from;
    const uint32_t x = letter_x(m, col) + !down;
    for (uint32_t y = line_y(m, low) + 1; y < line_y(m, high); y++)
        if (m->canvas.text[y * m->canvas.width + x] == ' ')
            put(&m->canvas, x, y, '|', INK_CYCLE);
    put(&m->canvas, x, down ? line_y(m, high) - 1 : line_y(m, low) + 1, down ? 'v' : '^',
        INK_CYCLE);
}

static void put_arrows(struct map *m)
{
    for (uint32_t i = 0; i < m->scene->n_cycle; i++) {
        const mw_core from = m->scene->cycle[i], to = mw_scene_cycle_next(m->scene, i);
        const struct mw_layout *l = m->layout;
        if (!mw_hop_legal(l, from, to))
            continue; /* a remote put goes across; its cores are marked */
        if (mw_hop_class(l, from, to) == MW_ROW)
            put_row_arrow(m, mw_core_row(l, from), mw_core_col(l, from),
                          mw_core_col(l, to));
        else
            put_column_arrow(m, mw_core_col(l, from), mw_core_row(l, from),
                             mw_core_row(l, to));
    }
}

/* ---- beneath the map ------------------------------------------------------------------- */

static void print_cycle(const struct map *m, FILE *out)
{
    const struct mw_scene *s = m->scene;
    char name[MW_NODE_NAME];
    if (s->n_cycle == 0)
        return;
    fprintf(out, "\n%s%s: ", m->colours ? inks[INK_CYCLE] : "",
            s->met ? "DEADLOCK, each waits for the next"
                   : "cycle, each can wait for the next");
    for (uint32_t i = 0; i < s->n_cycle; i++)
        fprintf(out, "%s -> ", mw_core_name(s->layout, s->cycle[i], name));
    fprintf(out, "%s%s\n", mw_core_name(s->layout, s->cycle[0], name),
            m->colours ? inks[INK_NONE] : "");
}

static void print_legend(const struct map *m, FILE *out)
{
    static const char *const words[MW_N_CORE_STATES] = {"idle", "busy", "blocked",
                                                        "waits for memory", "ended"};
    if (!m->shares)
        return;
    fprintf(out, "\n    %s: ", m->scene->met ? "at the end" : "mostly");
    for (int k = 0; k < MW_N_CORE_STATES; k++)
        fprintf(out, "%s%s%c%s %s", k == 0 ? "" : "   ", m->colours ? inks[k] : "",
                glyphs[k], m->colours ? inks[INK_NONE] : "", words[k]);
    fprintf(out, "%s\n",
            m->second > 0 && m->scene->n_cycle > 0 ? "\n    * in the cycle" : "");
}

static void print_role(const struct map *m, char letter, FILE *out)
{
    const struct mw_layout *l = m->layout;
    double sum[MW_N_CORE_STATES] = {0}, share[MW_N_CORE_STATES];
    uint32_t n = 0;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        if (l->role[v] == letter) {
            mw_scene_shares(m->scene, (mw_core)v, share);
            for (int k = 0; k < MW_N_CORE_STATES; k++)
                sum[k] += share[k];
            n++;
        }
    fprintf(out, "    %-5c %6u", letter, n);
    if (m->shares)
        for (int k = 0; k < MW_N_CORE_STATES; k++)
            fprintf(out, " %7.1f%%", 100 * sum[k] / n);
    fputc('\n', out);
}

/* Of which cycles the shares are. */
static void print_span(const struct mw_sim_result *r, FILE *out)
{
    if (r->observed < r->cycles)
        fprintf(out, "    shares of the %" PRIu64 " cycles after the warm-up\n",
                r->observed);
    else
        fprintf(out, "    shares of all %" PRIu64 " cycles%s\n", r->cycles,
                r->counted == 0 ? ", for it stopped in its warm-up" : "");
}

static void print_roles(const struct map *m, FILE *out)
{
    char letter[MW_N_LETTERS + 1];
    const uint32_t n = mw_scene_letters(m->scene, letter);
    fputc('\n', out);
    if (m->shares)
        print_span(m->scene->picture->sim, out);
    fprintf(out, "    role   cores");
    if (m->shares)
        fprintf(out, "     idle     busy  blocked   memory    ended");
    fputc('\n', out);
    for (uint32_t i = 0; i < n; i++)
        print_role(m, letter[i], out);
}

/* ---- above it ---------------------------------------------------------------------------- */

/* What the models say on one line, what the simulation met on the next. */
static void print_head(const struct map *m, FILE *out)
{
    const char *title = m->scene->picture->title;
    struct mw_scene_verdict verdict[MW_SCENE_VERDICTS];
    const uint32_t n = mw_scene_verdicts(m->scene, verdict), models = n - m->shares;
    if (title != NULL && title[0] != '\0')
        fprintf(out, "%s\n", title);
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "%s%s%s",
                i == 0       ? ""
                : i < models ? "; "
                             : "\n",
                verdict[i].text, i + 1 == n ? "\n" : "");
    if (n > 0 || (title != NULL && title[0] != '\0'))
        fputc('\n', out);
}

/* ---- the map ----------------------------------------------------------------------------- */

static int lay_out(struct map *m)
{
    const uint32_t rows = m->layout->rows, cols = m->layout->cols;
    const bool single = cols > PAIR_COLS, arrows = m->scene->n_cycle > 0;
    m->wide = cols <= WIDE_COLS;
    m->shares = m->scene->picture->sim != NULL;
    m->pitch_x = m->wide ? 8 : single ? 1 : 2;
    m->pitch_y = m->wide && arrows ? 3 : m->wide ? 2 : 1;
    m->second = single && m->shares ? rows + 1 : 0;
    return canvas_init(&m->canvas, LABEL + cols * m->pitch_x + 4,
                       2 + (rows - 1) * m->pitch_y + m->second);
}

int mw_draw_map(const struct mw_picture *p, bool colours, FILE *out)
{
    struct mw_scene scene;
    struct map m = {.scene = &scene, .layout = p->layout, .colours = colours};
    int rc;
    MW_NEED(mw_scene_init(p, &scene));
    MW_TRY(rc, lay_out(&m));
    put_labels(&m);
    for (uint32_t v = 0; v < mw_mesh_cores(p->layout); v++)
        put_core(&m, (mw_core)v);
    if (m.wide)
        put_arrows(&m);
    print_head(&m, out);
    for (uint32_t y = 0; y < m.canvas.height; y++)
        print_line(&m.canvas, y, colours, out);
    print_cycle(&m, out);
    print_legend(&m, out);
    print_roles(&m, out);
end:
    canvas_fini(&m.canvas);
    mw_scene_fini(&scene);
    return rc;
}
