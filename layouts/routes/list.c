/* list.c -- see list.h; and the CSV form.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/list.h"

#include "base/mem.h"

#include <string.h>

void mw_listed_fini(struct mw_listed *r)
{
    MW_FREE_ALL(r->nodes.word, r->channels.word, r->depths.word);
}

int mw_listed_words_add(struct mw_listed_words *w, const char *text, size_t bytes)
{
    MW_NEED_GROW("words", w->word, w->n, 1);
    w->word[w->n++] = (struct mw_word){.text = text, .bytes = bytes};
    return MW_OK;
}

/* ---- an entry --------------------------------------------------------------------------- */

static bool is_held(const struct mw_listed *r, uint32_t i)
{
    const struct mw_word *w = &r->channels.word[i];
    return w->text[w->bytes - 1] == '!';
}

/* Do the lists fit each other? False after a message. */
static bool fits(const struct mw_listed *r, uint32_t n_hops, struct mw_diagnostics *d)
{
    uint32_t n_channels = 0;
    for (uint32_t i = 0; i < r->channels.n; i++)
        n_channels += !is_held(r, i);
    const bool class = r->channels.n == 1 && r->channels.word[0].text[0] == '/';
    if (r->channels.n > 0 && !class && n_channels != n_hops)
        mw_diagnose(
            d, false, r->line, 1,
            "%u channels for %u hops; expected one per hop, or one /CLASS for all",
            n_channels, n_hops);
    else if (r->channels.n > 0 && is_held(r, r->channels.n - 1))
        mw_diagnose(d, false, r->line, 1,
                    "the last channel is held (!); expected a channel behind it");
    else if (r->depths.n > 1 && r->depths.n != n_hops)
        mw_diagnose(d, false, r->line, 1,
                    "%u depths for %u hops; expected one for all, or one per hop",
                    r->depths.n, n_hops);
    else
        return true;
    return false;
}

/* 1 .. MW_FIFO_MAX; 0 after a message. No word: 0, without one. */
static uint32_t depth_of(const struct mw_listed *r, uint32_t hop,
                         struct mw_diagnostics *d)
{
    if (r->depths.n == 0)
        return 0;
    const struct mw_word *w = &r->depths.word[r->depths.n == 1 ? 0 : hop];
    uint64_t depth;
    char shown[MW_WORD_SHOWN];
    if (mw_word_integer(w, &depth) && depth >= 1 && depth <= MW_FIFO_MAX)
        return (uint32_t)depth;
    mw_diagnose(d, false, r->line, 1, "expected a depth of 1..%d, got '%s'", MW_FIFO_MAX,
                mw_word_show(w, shown));
    return 0;
}

/* One place has one depth and one end, wherever it is used. */
static void agree(struct mw_network *n, uint32_t place, uint32_t depth, uint32_t node,
                  uint32_t line, struct mw_diagnostics *d)
{
    struct mw_place *p = &n->place[place];
    char shown[MW_WORD_SHOWN];
    const char *name = n->places.name[place];
    mw_text_show(name, strlen(name), shown);
    if (p->line == 0)
        *p = (struct mw_place){
            .line = line, .node = node, .depth = depth, .spare = MW_NO_PLACE};
    else if (p->node != node)
        mw_diagnose(d, false, line, 1,
                    "channel %s leads to '%.40s'; to '%.40s' in line %u", shown,
                    n->nodes.name[node], n->nodes.name[p->node], p->line);
    else if (depth > 0 && p->depth > 0 && p->depth != depth)
        mw_diagnose(d, false, line, 1, "channel %s has depth %u; depth %u in line %u",
                    shown, depth, p->depth, p->line);
    else if (p->depth == 0)
        p->depth = depth;
}

/* The place of a hop's channel: as written, or FROM>TO, or FROM>TO/CLASS. */
static int find_channel(struct mw_network *n, const struct mw_listed *r, uint32_t hop,
                        uint32_t word, uint32_t *out)
{
    static const struct mw_word nothing = {.text = ""};
    const struct mw_word *w =
        r->channels.n == 0 ? &nothing : &r->channels.word[r->channels.n == 1 ? 0 : word];
    const struct mw_word *from = &r->nodes.word[hop], *to = &r->nodes.word[hop + 1];
    if (w->bytes > 0 && w->text[0] != '/')
        return mw_network_place(n, w->text, w->bytes, out);
    const size_t a = from->bytes, b = to->bytes, more = w->bytes;
    char near[128], *name = near;
    if (a + b + more + 1 > sizeof near)
        name = mw_alloc("a channel's name", a + b + more + 1, 1);
    if (name == NULL)
        return MW_ERR_NOMEM;
    memcpy(name, from->text, a);
    name[a] = '>';
    memcpy(name + a + 1, to->text, b);
    memcpy(name + a + 1 + b, w->text, more);
    const int rc = mw_network_place(n, name, a + b + more + 1, out);
    if (name != near)
        mw_free(name);
    return rc;
}

int mw_network_list(struct mw_network *n, const struct mw_listed *r,
                    struct mw_diagnostics *d)
{
    int rc = MW_OK;
    const uint32_t n_hops = r->nodes.n - 1, errors = d->n_errors;
    uint32_t *node = NULL, *place = NULL, n_places = 0, word = 0, at;
    if (!fits(r, n_hops, d))
        return MW_OK;
    MW_NEW(rc, node, "nodes of a route", r->nodes.n);
    for (uint32_t i = 0; i < r->nodes.n; i++) {
        const struct mw_word *w = &r->nodes.word[i];
        MW_TRY(rc, mw_network_node(n, w->text, w->bytes, true, &node[i]));
        if (i > 0 && node[i] == node[i - 1])
            mw_diagnose(d, false, r->line, 1, "hop %u goes from '%.40s' to itself", i,
                        n->nodes.name[node[i]]);
    }
    for (uint32_t hop = 0; hop < n_hops; hop++, word++) {
        for (; word < r->channels.n && is_held(r, word); word++) {
            const struct mw_word *w = &r->channels.word[word];
            MW_TRY(rc, mw_network_place(n, w->text, w->bytes - 1, &at));
            MW_GROW(rc, "places", place, n_places, 1);
            place[n_places++] = at;
            if (n->place[at].line == 0) /* whose it is, is said by its first use */
                agree(n, at, 1, node[hop], r->line, d);
            else if (!n->place[at].held)
                mw_diagnose(d, false, r->line, 1, "channel '%.40s' is not held elsewhere",
                            n->places.name[at]);
            n->place[at].held = true;
        }
        MW_TRY(rc, find_channel(n, r, hop, word, &at));
        MW_GROW(rc, "places", place, n_places, 1);
        place[n_places++] = at;
        agree(n, at, depth_of(r, hop, d), node[hop + 1], r->line, d);
        if (n->place[at].held)
            mw_diagnose(d, false, r->line, 1, "channel '%.40s' is held (!) elsewhere",
                        n->places.name[at]);
    }
    if (d->n_errors == errors)
        MW_TRY(rc,
               mw_network_add(n, NULL, node[0], node[n_hops], place, n_places, r->line));
end:
    MW_FREE_ALL(node, place);
    return rc;
}

/* ---- CSV -------------------------------------------------------------------------------- */

enum { SOURCE, SINK, HOPS, CHANNEL, DEPTH, N_FIELDS };
static const char *const field_names[N_FIELDS] = {"source", "destination", "hops",
                                                  "channel", "depth"};

struct csv {
    struct mw_line line;
    uint32_t number;
    int column[N_FIELDS]; /* where each field stands; -1: nowhere */
    int n_columns;
    struct mw_diagnostics *d;
};

/* The next field of the line, without its quotes and blanks; false: there is none. A quoted
 * field that does not end is taken as it is, after a message. */
static bool take_field(struct csv *c, struct mw_word *w)
{
    struct mw_line *l = &c->line;
    if (l->at > l->end)
        return false;
    while (l->at < l->end && (*l->at == ' ' || *l->at == '\t'))
        l->at++;
    const bool quoted = l->at < l->end && *l->at == '"';
    const char *begin = l->at + quoted;
    const char *end = quoted ? memchr(begin, '"', (size_t)(l->end - begin))
                             : memchr(begin, ',', (size_t)(l->end - begin));
    w->column = (uint32_t)(begin - l->begin) + 1;
    if (end == NULL && quoted)
        mw_diagnose(c->d, false, c->number, w->column,
                    "a quotation mark without its end");
    end = end == NULL ? l->end : end;
    const char *comma = memchr(end, ',', (size_t)(l->end - end));
    l->at = comma == NULL ? l->end + 1 : comma + 1;
    while (end > begin && (end[-1] == ' ' || end[-1] == '\t' || end[-1] == '\r'))
        end--;
    w->text = begin;
    w->bytes = (size_t)(end - begin);
    return true;
}

static void read_header(struct csv *c)
{
    struct mw_word w;
    for (int f = 0; f < N_FIELDS; f++)
        c->column[f] = -1;
    for (; take_field(c, &w); c->n_columns++) {
        int f = 0;
        while (f < N_FIELDS && !mw_word_is(&w, field_names[f]))
            f++;
        char shown[MW_WORD_SHOWN];
        if (f == N_FIELDS)
            mw_diagnose(
                c->d, false, c->number, w.column,
                "unknown column '%s'; expected source, destination, hops, channel, depth",
                mw_word_show(&w, shown));
        else if (c->column[f] >= 0)
            mw_diagnose(c->d, false, c->number, w.column, "column '%s' is there twice",
                        field_names[f]);
        else
            c->column[f] = c->n_columns;
    }
    for (int f = SOURCE; f <= SINK; f++)
        if (c->column[f] < 0)
            mw_diagnose(c->d, false, c->number, 1, "no column '%s' in the first line",
                        field_names[f]);
}

static int split(const struct mw_word *w, struct mw_listed_words *out)
{
    int rc = MW_OK;
    const char *at = w->text, *end = w->text + w->bytes;
    while (at < end && rc == MW_OK) {
        const char *begin = at;
        while (at < end && *at != ' ' && *at != '\t')
            at++;
        if (at > begin)
            rc = mw_listed_words_add(out, begin, (size_t)(at - begin));
        at++;
    }
    return rc;
}

static int read_entry(struct csv *c, struct mw_network *n)
{
    int rc = MW_OK, i = 0;
    struct mw_word field[N_FIELDS] = {{0}}, w;
    struct mw_listed r = {.line = c->number};
    for (; take_field(c, &w); i++)
        for (int f = 0; f < N_FIELDS; f++)
            if (c->column[f] == i)
                field[f] = w;
    if (i != c->n_columns) {
        mw_diagnose(c->d, false, c->number, 1, "%d fields; the first line has %d", i,
                    c->n_columns);
        return MW_OK;
    }
    for (int f = SOURCE; f <= SINK; f++)
        if (field[f].bytes == 0) {
            mw_diagnose(c->d, false, c->number, 1, "the %s is missing", field_names[f]);
            return MW_OK;
        }
    MW_TRY(rc, mw_listed_words_add(&r.nodes, field[SOURCE].text, field[SOURCE].bytes));
    MW_TRY(rc, split(&field[HOPS], &r.nodes));
    MW_TRY(rc, mw_listed_words_add(&r.nodes, field[SINK].text, field[SINK].bytes));
    MW_TRY(rc, split(&field[CHANNEL], &r.channels));
    MW_TRY(rc, split(&field[DEPTH], &r.depths));
    MW_TRY(rc, mw_network_list(n, &r, c->d));
end:
    mw_listed_fini(&r);
    return rc;
}

int mw_network_read_csv(const char *text, size_t bytes, struct mw_network *out,
                        struct mw_diagnostics *d)
{
    int rc = MW_OK;
    struct mw_text t;
    struct csv c = {.d = d};
    bool header = false;
    mw_text_init(&t, text, bytes);
    while (rc == MW_OK && mw_text_line(&t, &c.line)) {
        c.number = t.line;
        const char *at = c.line.begin;
        while (at < c.line.end && (*at == ' ' || *at == '\t' || *at == '\r'))
            at++;
        if (at == c.line.end || *at == '#')
            continue;
        if (memchr(c.line.begin, '\0', (size_t)(c.line.end - c.line.begin)) != NULL) {
            mw_diagnose(d, false, c.number, 1, "a zero byte; this is no text");
            break;
        }
        c.line.at = c.line.begin;
        if (header) {
            rc = read_entry(&c, out);
        } else {
            read_header(&c);
            header = true;
            if (d->n_errors > 0)
                break; /* nothing below can be understood */
        }
    }
    return rc;
}
