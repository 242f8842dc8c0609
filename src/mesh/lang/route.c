/* route.c -- see route.h.
 *
 *      route P: down->D|E by row, same->D, then K
 *      route A: class req, row-to-col short, class req|reply, col-to-row short
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/route.h"

#include <string.h>

/* Takes the next word if it is one of these. */
static int accept_one_of(struct mw_reader *r, const char *const *words)
{
    for (int i = 0; words[i] != NULL; i++)
        if (mw_reader_accept(r, words[i]))
            return i;
    return -1;
}

/* "down -> D" and "down-> D", the word in hand begins it: says how it is written. */
static bool split_arrow(struct mw_reader *r)
{
    struct mw_line rest = r->rest;
    struct mw_word next, shown_word = r->word;
    char shown[MW_WORD_SHOWN];
    bool arrow = memchr(r->word.text, '>', r->word.bytes) != NULL;
    const size_t n = arrow ? r->word.bytes - 2 : r->word.bytes;
    if (!mw_line_word(&rest, &next))
        return false;
    if (!arrow && next.bytes >= 2 && memcmp(next.text, "->", 2) == 0) {
        arrow = true;
        next.text += 2;
        next.bytes -= 2;
        if (next.bytes == 0 && !mw_line_word(&rest, &next))
            return false;
    }
    if (!arrow || !mw_is_role(next.text[0]))
        return false;
    shown_word.bytes = n;
    mw_reader_complain(r, r->word.column, "a clause is one word: write '%s->%.*s'",
                       mw_word_show(&shown_word, shown), (int)mw_min(next.bytes, 40),
                       next.text);
    return true;
}

static bool target(struct mw_reader *r, const char *text, size_t bytes,
                   struct mw_clause *k)
{
    for (size_t i = 0; i < bytes; i += 2) {
        if (!mw_is_role(text[i]) || i + 1 == bytes - 1 ||
            (i + 1 < bytes && text[i + 1] != '|'))
            return mw_reader_expected(r, "a role such as K or D|U");
        if (k->n_targets == MW_N_LETTERS)
            return mw_reader_complain(r, r->word.column, "more than %d roles in a target",
                                      MW_N_LETTERS);
        k->target[k->n_targets++] = text[i];
    }
    return bytes > 0 || mw_reader_expected(r, "a role such as K or D|U");
}

/* down->T by col */
static bool when(struct mw_reader *r, enum mw_clause_kind kind, struct mw_clause *k)
{
    static const char *const bys[] = {"col", "row", "sink", NULL};
    const char *arrow = memchr(r->word.text, '>', r->word.bytes);
    const size_t before = (size_t)(arrow + 1 - r->word.text);
    k->kind = (uint8_t)kind;
    if (before == r->word.bytes && split_arrow(r))
        return false;
    if (!target(r, arrow + 1, r->word.bytes - before, k))
        return false;
    if (!mw_reader_accept(r, "by"))
        return true;
    const int by = mw_reader_next(r) ? mw_reader_find(r, bys) : -1;
    if (by < 0)
        return mw_reader_expected(r, "col, row or sink");
    k->by = (uint8_t)by;
    return true;
}

static bool along(struct mw_reader *r, enum mw_clause_kind kind, struct mw_clause *k)
{
    static const char *const hops[] = {"direct", "step", "ring", "short", NULL};
    const int hop = accept_one_of(r, hops);
    k->kind = (uint8_t)kind;
    k->hop = (uint8_t)(hop < 0 ? MW_HOP_DIRECT : hop);
    return true;
}

static bool then(struct mw_reader *r, struct mw_clause *k)
{
    k->kind = MW_THEN;
    return mw_reader_next(r) ? target(r, r->word.text, r->word.bytes, k)
                             : mw_reader_expected(r, "a role such as K or D|U");
}

/* The word in hand is "class"; of the clauses behind it: one, or two with a dateline between. */
static bool channels(struct mw_reader *r, const struct mw_layout *l,
                     mw_channel channel[2])
{
    struct mw_line rest = r->rest;
    struct mw_word both;
    const char *bar =
        mw_line_word(&rest, &both) ? memchr(both.text, '|', both.bytes) : NULL;
    if (bar == NULL) {
        if (!mw_reader_channel(r, l, &channel[0]))
            return false;
        channel[1] = channel[0];
        return true;
    }
    mw_reader_next(r);
    const size_t n = (size_t)(bar - both.text);
    const uint32_t first = mw_channel_find(l, both.text, n);
    const uint32_t second = mw_channel_find(l, bar + 1, both.bytes - n - 1);
    if (first == l->n_channels || second == l->n_channels)
        return mw_reader_expected(r, "two classes such as first|second");
    channel[0] = (mw_channel)first;
    channel[1] = (mw_channel)second;
    return true;
}

/* The word in hand begins a clause. */
static bool clause(struct mw_reader *r, struct mw_clause *k, const mw_channel channel[2])
{
    static const char *const whens[] = {"down->", "up->", "same->", "any->"};
    static const char *const words[] = {"down->",     "up->",  "same->",
                                        "any->",      "then",  "col-to-row",
                                        "row-to-col", "class", NULL};
    *k = (struct mw_clause){
        .line = r->line, .column = r->word.column, .channel = {channel[0], channel[1]}};
    for (int i = 0; i < 4; i++)
        if (r->word.bytes >= strlen(whens[i]) &&
            memcmp(r->word.text, whens[i], strlen(whens[i])) == 0)
            return when(r, (enum mw_clause_kind)(MW_WHEN_DOWN + i), k);
    if (mw_word_is(&r->word, "col-to-row"))
        return along(r, MW_COL_TO_ROW, k);
    if (mw_word_is(&r->word, "row-to-col"))
        return along(r, MW_ROW_TO_COL, k);
    if (mw_word_is(&r->word, "then"))
        return then(r, k);
    for (int i = 0; i < 4; i++)
        if (r->word.bytes + 2 == strlen(whens[i]) &&
            memcmp(r->word.text, whens[i], r->word.bytes) == 0 && split_arrow(r))
            return false;
    return mw_reader_unknown(r, "unknown clause", words);
}

/* "P:" or "P :"; what stands behind the colon is left for the next word. */
static bool route_letter(struct mw_reader *r, char *out)
{
    if (!mw_reader_next(r) || !mw_is_role(r->word.text[0]) ||
        (r->word.bytes > 1 && r->word.text[1] != ':'))
        return mw_reader_expected(r, "a role letter and a colon");
    *out = r->word.text[0];
    r->rest.at = r->word.text + 1;
    if (!mw_reader_next(r) || r->word.text[0] != ':')
        return mw_reader_expected(r, "a colon");
    r->rest.at = r->word.text + 1;
    return true;
}

bool mw_route_parse(struct mw_reader *r, struct mw_layout *l)
{
    const struct mw_spot at = {r->line, r->word.column};
    mw_channel channel[2] = {0, 0};
    char letter = 'A';
    if (!route_letter(r, &letter))
        return false;
    struct mw_route *route = &l->route[letter - 'A'];
    if (route->line != 0)
        return mw_reader_complain(r, at.column, "duplicate statement 'route %c'", letter);
    route->line = at.line;
    route->column = at.column;
    while (mw_reader_next(r)) {
        if (mw_word_is(&r->word, "class")) {
            if (!channels(r, l, channel))
                return false;
            continue;
        }
        if (route->n_clauses == MW_CLAUSES_MAX)
            return mw_reader_complain(r, r->word.column, "more than %d clauses",
                                      MW_CLAUSES_MAX);
        if (!clause(r, &route->clause[route->n_clauses], channel))
            return false;
        route->n_clauses++;
    }
    return route->n_clauses > 0 || mw_reader_expected(r, "a clause such as down->D");
}
