/* ways.c -- see ways.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/ways.h"

#include <string.h>

/* ---- turns ------------------------------------------------------------------------------- */

static const char *const models[] = {
    "minimal", "west-first", "north-last", "negative-first", "odd-even", "forbid", NULL};
enum { FORBID = 5 };

/* What each forbids, at even columns and at odd ones; north and west are the negative
 * directions, for rows count downwards. Glass and Ni 1992; odd-even: Chiu 2000. */
static const char *const forbidden[FORBID][2] = {{"", ""},
                                                 {"NW SW", "NW SW"},
                                                 {"NE NW", "NE NW"},
                                                 {"EN SW", "EN SW"},
                                                 {"EN ES", "NW SW"}};

static const char letters[] = "ESWN"; /* enum mw_heading */

static const char *letter_of(char c)
{
    return c == '\0' ? NULL : strchr(letters, c);
}

/* "NE": arrives moving north, leaves moving east. False: it is no turn of 90 degrees. */
static bool take_turn(const char *text, size_t bytes, uint16_t *out)
{
    const char *in = bytes == 2 ? letter_of(text[0]) : NULL;
    const char *on = bytes == 2 ? letter_of(text[1]) : NULL;
    if (in == NULL || on == NULL || (in - on) % 2 == 0)
        return false;
    *out |= MW_TURN(in - letters, on - letters);
    return true;
}

static uint16_t turns_of(const char *text)
{
    uint16_t turns = 0;
    for (; *text != '\0'; text += text[2] == ' ' ? 3 : 2)
        take_turn(text, 2, &turns);
    return turns;
}

static bool read_turns(struct mw_reader *r, struct mw_adaptive *a)
{
    struct mw_line rest = r->rest;
    struct mw_word w;
    while (mw_line_word(&rest, &w) && take_turn(w.text, w.bytes, &a->forbidden[0])) {
        mw_reader_next(r);
        rest = r->rest;
    }
    a->forbidden[1] = a->forbidden[0];
    if (a->forbidden[0] != 0)
        return true;
    mw_reader_next(r);
    return mw_reader_expected(r, "turns such as NE: moving north, then east");
}

static bool read_escape(struct mw_reader *r, struct mw_layout *l)
{
    static const char *const orders[] = {"xy", "yx", NULL};
    struct mw_adaptive *a = &l->adaptive;
    const int order = mw_reader_next(r) ? mw_reader_find(r, orders) : -1;
    if (order < 0)
        return mw_reader_expected(r, "xy or yx");
    a->escapes = true;
    a->escape_yx = order == 1;
    if (!mw_reader_accept(r, "class")) {
        mw_reader_next(r);
        return mw_reader_expected(r, "class and the class of the escape");
    }
    if (!mw_reader_channel(r, l, &a->escape))
        return false;
    return a->escape != a->channel ||
           mw_reader_complain(r, r->word.column, "the escape needs a class of its own");
}

void mw_adaptive_forbid(struct mw_adaptive *a, const char *model)
{
    int i = 0;
    while (strcmp(models[i], model) != 0)
        i++;
    for (int odd = 0; odd < 2; odd++)
        a->forbidden[odd] = turns_of(forbidden[i][odd]);
}

bool mw_adaptive_parse(struct mw_reader *r, struct mw_layout *l)
{
    struct mw_adaptive *a = &l->adaptive;
    a->at = (struct mw_spot){r->line, r->word.column};
    const int model = mw_reader_next(r) ? mw_reader_find(r, models) : -1;
    if (model < 0)
        return r->word.bytes > 0
                   ? mw_reader_unknown(r, "unknown set of routes", models)
                   : mw_reader_expected(r, "a set of routes such as west-first");
    a->model = (uint8_t)(model + 1);
    if (model < FORBID)
        mw_adaptive_forbid(a, models[model]);
    if (model == FORBID && !read_turns(r, a))
        return false;
    if (mw_reader_accept(r, "class") && !mw_reader_channel(r, l, &a->channel))
        return false;
    return !mw_reader_accept(r, "escape") || read_escape(r, l);
}

/* ---- broadcasts -------------------------------------------------------------------------- */

bool mw_broadcast_parse(struct mw_reader *r, struct mw_layout *l)
{
    struct mw_broadcast b = {.at = {r->line, r->word.column}};
    uint32_t row, col;
    char shown[MW_WORD_SHOWN];
    if (!mw_reader_next(r) || !mw_word_core(&r->word, &row, &col))
        return mw_reader_expected(r, "a core such as 0,1");
    if (row >= l->rows || col >= l->cols)
        return mw_reader_complain(r, r->word.column, "core %s is outside the %ux%u mesh",
                                  mw_word_show(&r->word, shown), l->rows, l->cols);
    b.core = mw_core_at(l, row, col);
    for (;;) {
        if (mw_reader_accept(r, "class")) {
            if (!mw_reader_channel(r, l, &b.channel))
                return false;
            continue;
        }
        const bool in_row = mw_reader_accept(r, "row");
        if (!in_row && !mw_reader_accept(r, "col"))
            break;
        if (b.n_legs == MW_LEGS_MAX)
            return mw_reader_complain(r, r->word.column, "more than %d legs",
                                      MW_LEGS_MAX);
        if ((in_row ? l->cols : l->rows) == 1)
            return mw_reader_complain(r, r->word.column, "no other core in that %s",
                                      in_row ? "row" : "column");
        b.leg[b.n_legs] = in_row ? MW_ROW : MW_COLUMN;
        b.leg_channel[b.n_legs++] = b.channel;
    }
    if (b.n_legs == 0) {
        mw_reader_next(r);
        return mw_reader_expected(r, "row or col");
    }
    if (l->n_broadcasts == MW_BROADCASTS_MAX)
        return mw_reader_complain(r, b.at.column, "more than %d broadcasts",
                                  MW_BROADCASTS_MAX);
    l->broadcast[l->n_broadcasts++] = b;
    return true;
}

/* ---- printing ---------------------------------------------------------------------------- */

static void print_adaptive(const struct mw_layout *l, FILE *out)
{
    const struct mw_adaptive *a = &l->adaptive;
    fprintf(out, "adaptive %s", models[a->model - 1]);
    for (int i = 0; i < 16 && a->model - 1 == FORBID; i++)
        if ((a->forbidden[0] >> i & 1) != 0)
            fprintf(out, " %c%c", letters[i / 4], letters[i % 4]);
    if (a->channel != 0)
        fprintf(out, " class %s", l->channel_name[a->channel]);
    if (a->escapes)
        fprintf(out, " escape %s class %s", a->escape_yx ? "yx" : "xy",
                l->channel_name[a->escape]);
    fputc('\n', out);
}

void mw_ways_print(const struct mw_layout *l, FILE *out)
{
    if (l->adaptive.model != 0)
        print_adaptive(l, out);
    for (uint32_t i = 0; i < l->n_broadcasts; i++) {
        const struct mw_broadcast *b = &l->broadcast[i];
        mw_channel channel = 0;
        fprintf(out, "broadcast %u,%u", mw_core_row(l, b->core), mw_core_col(l, b->core));
        for (uint32_t k = 0; k < b->n_legs; channel = b->leg_channel[k++]) {
            if (b->leg_channel[k] != channel)
                fprintf(out, " class %s", l->channel_name[b->leg_channel[k]]);
            fputs(b->leg[k] == MW_ROW ? " row" : " col", out);
        }
        fputc('\n', out);
    }
}
