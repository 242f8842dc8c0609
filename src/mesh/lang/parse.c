/* parse.c -- the layout language, statement by statement.
 *
 * Statements may come in any order, but the mesh decides what the others may say. So the
 * text is read twice: once for the shape, once for all. A statement that cannot be read is
 * reported and left; the next line is read as if nothing had happened. Only what has no
 * errors is expanded.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/layout.h"

#include "base/mem.h"
#include "mesh/lang/route.h"
#include "mesh/lang/ways.h"

#include <stdio.h>
#include <string.h>

enum { COST_MAX = 1000000, BUFFERS_MAX = 65536, SATURATION_MAX = 65536 };

struct parser {
    struct mw_reader reader; /* quiet: the first reading, for the shape only */
    struct mw_layout *l;     /* owned; NULL in the first reading */
    uint32_t rows, cols;     /* 0: no mesh, and nothing is compared with it */
    bool transpose, mesh_seen;
    uint32_t n_buckets; /* 0: none stated */
    int rc;             /* what ends the reading: no memory, too many flows */
    struct mw_spot at;  /* the statement */
    uint32_t seen;      /* bit i: statement[i] */
    bool dma_seen;
    struct mw_spot transpose_at;
    uint32_t n_channels;
    char channel_name[MW_CHANNELS_MAX][MW_CHANNEL_NAME];

    uint64_t n_roles; /* lines */
    struct mw_spot last_roles;
    struct mw_word row[MW_MESH_SIDE_MAX]; /* the first of them */

    mw_core *core;       /* of the flow in hand, owned */
    mw_channel *channel; /* of the hops to them, owned */
    uint64_t core_room;
};

static uint32_t bit(char letter)
{
    return UINT32_C(1) << (letter - 'A');
}

/* ---- the mesh and its roles ---------------------------------------------------------- */

/* 8,8 and 8x8 are one word, where two are wanted. */
static bool check_sides(struct mw_reader *r)
{
    struct mw_line rest = r->rest;
    struct mw_word word;
    uint32_t rows, cols;
    char shown[MW_WORD_SHOWN], text[MW_WORD_SHOWN];
    if (!mw_line_word(&rest, &word) || word.bytes >= sizeof text)
        return true;
    memcpy(text, word.text, word.bytes);
    for (size_t i = 0; i < word.bytes; i++)
        if (text[i] == 'x' || text[i] == 'X')
            text[i] = ',';
    const struct mw_word sides = {.text = text, .bytes = word.bytes};
    if (!mw_word_core(&sides, &rows, &cols))
        return true;
    return mw_reader_complain(r, word.column,
                              "expected rows and columns, got '%s'; write 'mesh %u %u'",
                              mw_word_show(&word, shown), rows, cols);
}

static bool mesh(struct mw_reader *r, struct parser *p)
{
    uint32_t rows, cols;
    const bool first = !p->mesh_seen;
    p->mesh_seen = true;
    if (!check_sides(r))
        return false;
    if (!mw_reader_integer(r, 1, MW_MESH_SIDE_MAX, &rows) ||
        !mw_reader_integer(r, 1, MW_MESH_SIDE_MAX, &cols))
        return false;
    if (first) {
        p->rows = rows;
        p->cols = cols;
    }
    return true;
}

static bool transpose(struct mw_reader *r, struct parser *p)
{
    (void)r;
    p->transpose = true;
    p->transpose_at = p->at;
    return true;
}

static bool name(struct mw_reader *r, struct parser *p)
{
    if (!mw_reader_next(r))
        return mw_reader_expected(r, "a name");
    if (r->word.bytes >= sizeof p->l->name)
        return mw_reader_complain(r, r->word.column,
                                  "the name has %zu bytes, at most %zu", r->word.bytes,
                                  sizeof p->l->name - 1);
    for (size_t i = 0, n; i < r->word.bytes; i += n)
        if ((n = mw_text_character(r->word.text + i, r->word.bytes - i)) == 0)
            return mw_reader_expected(r, "a name of printable characters");
    memcpy(p->l->name, r->word.text, r->word.bytes);
    return true;
}

/* As the statements see the mesh. */
static uint32_t role_rows(const struct parser *p)
{
    return p->transpose ? p->cols : p->rows;
}

static uint32_t role_cols(const struct parser *p)
{
    return p->transpose ? p->rows : p->cols;
}

static bool roles(struct mw_reader *r, struct parser *p)
{
    p->last_roles = p->at;
    p->n_roles++;
    if (!mw_reader_next(r))
        return mw_reader_expected(r, "a row of role letters");
    for (size_t i = 0; i < r->word.bytes; i++)
        if (!mw_is_role(r->word.text[i]) && r->word.text[i] != '.')
            return mw_reader_expected(r, "a row of role letters A-Z or .");
    if (p->rows > 0 && r->word.bytes != role_cols(p))
        return mw_reader_complain(
            r, r->word.column, "role row has %zu letters, the %smesh has %u columns",
            r->word.bytes, p->transpose ? "transposed " : "", role_cols(p));
    if (p->n_roles <= MW_MESH_SIDE_MAX) {
        p->row[p->n_roles - 1] = r->word;
        p->l->roles_at[p->n_roles - 1] = (struct mw_spot){r->line, r->word.column};
    }
    return true;
}

static bool letters(struct mw_reader *r, uint32_t *out)
{
    uint32_t n = 0;
    *out = 0;
    for (; mw_reader_next(r); n++)
        for (size_t i = 0; i < r->word.bytes; i++) {
            if (!mw_is_role(r->word.text[i]))
                return mw_reader_expected(r, "role letters A-Z");
            *out |= bit(r->word.text[i]);
        }
    return n > 0 || mw_reader_expected(r, "role letters A-Z");
}

static bool source(struct mw_reader *r, struct parser *p)
{
    p->l->sources_at = p->at;
    return letters(r, &p->l->sources);
}

static bool sink(struct mw_reader *r, struct parser *p)
{
    p->l->sinks_at = p->at;
    return letters(r, &p->l->sinks);
}

static bool route(struct mw_reader *r, struct parser *p)
{
    return mw_route_parse(r, p->l);
}

static bool adaptive(struct mw_reader *r, struct parser *p)
{
    return mw_adaptive_parse(r, p->l);
}

static bool broadcast(struct mw_reader *r, struct parser *p)
{
    return mw_broadcast_parse(r, p->l);
}

/* a-z, then also 0-9 and _, so that no name is a core, a role or an arrow. */
static bool is_channel_name(const struct mw_word *w)
{
    bool good = w->bytes < MW_CHANNEL_NAME && !mw_word_is(w, "bucket");
    for (size_t i = 0; i < w->bytes; i++)
        good &=
            (w->text[i] >= 'a' && w->text[i] <= 'z') ||
            (i > 0 && ((w->text[i] >= '0' && w->text[i] <= '9') || w->text[i] == '_'));
    return good;
}

/* Read twice, kept once: the names count wherever the statement stands. */
static bool class_names(struct mw_reader *r, struct parser *p)
{
    uint32_t n = 0;
    for (; mw_reader_next(r); n++) {
        if (!is_channel_name(&r->word))
            return mw_reader_expected(r,
                                      "a class: at most %d of a-z, then also 0-9 and _",
                                      MW_CHANNEL_NAME - 1);
        if (n == MW_CHANNELS_MAX)
            return mw_reader_complain(r, r->word.column, "more than %d classes",
                                      MW_CHANNELS_MAX);
        for (uint32_t i = 0; i < n; i++)
            if (mw_word_is(&r->word, p->channel_name[i]))
                return mw_reader_blame(r, "duplicate class");
        if (n < p->n_channels)
            continue;
        memcpy(p->channel_name[n], r->word.text, r->word.bytes);
        p->n_channels++;
    }
    return n > 0 || mw_reader_expected(r, "the name of a class");
}

/* ---- flows --------------------------------------------------------------------------- */

static bool make_room(struct parser *p)
{
    MW_GROW(p->rc, "cores of a flow", p->core, p->core_room, 1);
    MW_GROW(p->rc, "cores of a flow", p->channel, p->core_room, 1);
    p->core_room = mw_max(2 * p->core_room, MW_FIRST_ROOM);
    return true;
end:
    return false;
}

static bool check_hop(struct mw_reader *r, const struct mw_layout *l, mw_core from,
                      mw_core to)
{
    char name[2][MW_NODE_NAME];
    if (mw_hop_legal(l, from, to))
        return true;
    mw_core_name(l, from, name[0]);
    mw_core_name(l, to, name[1]);
    if (from == to)
        return mw_reader_complain(r, r->word.column, "self hop %s", name[1]);
    return mw_reader_complain(r, r->word.column,
                              "illegal hop %s -> %s (not in one row or column)", name[0],
                              name[1]);
}

/* Core n of the flow; false after a message. A core outside the mesh counts, but hops to and
 * from it do not. */
static bool place_core(struct mw_reader *r, struct parser *p, uint64_t n, uint32_t row,
                       uint32_t col)
{
    char shown[MW_WORD_SHOWN];
    p->core[n] = MW_NO_CORE;
    if (p->rows == 0)
        return true;
    if (row >= p->rows || col >= p->cols)
        return mw_reader_complain(r, r->word.column, "core %s is outside the %ux%u mesh",
                                  mw_word_show(&r->word, shown), p->rows, p->cols);
    p->core[n] = (mw_core)(row * p->cols + col);
    return n == 0 || p->core[n - 1] == MW_NO_CORE ||
           check_hop(r, p->l, p->core[n - 1], p->core[n]);
}

/* The number of buckets counts wherever its statement stands. */
static uint32_t last_bucket(const struct parser *p)
{
    return (p->n_buckets > 0 ? p->n_buckets : MW_BUCKETS_MAX) - 1;
}

/* The word as it stands between blanks: a comma that joins no digits has cut it. */
static bool expected_core(struct mw_reader *r)
{
    struct mw_word w = r->word;
    bool star = false;
    while (w.text + w.bytes < r->rest.end && memchr(" \t\r#", w.text[w.bytes], 4) == NULL)
        w.bytes++;
    for (size_t i = 0; i < w.bytes; i++)
        star |= w.text[i] == '*';
    if (r->word.bytes > 0)
        r->word = w;
    return mw_reader_expected_then(
        r, "a core such as 0,1",
        star ? "; a flow lists its cores one by one, roles and routes make many" : "");
}

static bool flow(struct mw_reader *r, struct parser *p)
{
    uint64_t n = 0;
    uint32_t row, col, bucket = 0;
    mw_channel channel = 0;
    bool good = true;
    for (; mw_reader_next(r) && !mw_word_is(&r->word, "bucket"); n++) {
        if (mw_word_is(&r->word, "class") && (!mw_reader_channel(r, p->l, &channel) ||
                                              (!mw_reader_next(r) && !expected_core(r))))
            return false;
        if (!mw_word_core(&r->word, &row, &col))
            return expected_core(r);
        if (n == MW_FLOW_CORES_MAX)
            return mw_reader_complain(r, r->word.column, "a flow of more than %d cores",
                                      MW_FLOW_CORES_MAX);
        if (n == p->core_room && !make_room(p))
            return false;
        p->channel[n] = channel;
        good &= place_core(r, p, n, row, col);
    }
    const bool bucketed = r->word.bytes > 0;
    if (n < 2)
        return mw_reader_complain(r, p->at.column, "a flow needs at least two cores");
    if (bucketed && !mw_reader_integer(r, 0, last_bucket(p), &bucket))
        return false;
    if (!good || p->rows == 0)
        return good;
    p->rc = mw_layout_add_flow_in(p->l, p->core, p->channel + 1, (uint32_t)n,
                                  bucketed ? (int64_t)bucket : -1, r->line);
    return p->rc == MW_ERR_DATA
               ? mw_reader_complain(r, p->at.column, "%s", mw_error_text())
               : p->rc == MW_OK;
}

/* ---- numbers ------------------------------------------------------------------------- */

static bool fifo(struct mw_reader *r, struct parser *p)
{
    static const char *const words[] = {"row", "col", "send", NULL};
    uint32_t *const depth[] = {&p->l->fifo[MW_ROW], &p->l->fifo[MW_COLUMN], &p->l->send};
    uint32_t seen = 0;
    while (mw_reader_next(r)) {
        const int i = mw_reader_option(r, words, "row, col or send", &seen);
        if (i < 0 || !mw_reader_integer(r, 0, MW_FIFO_MAX, depth[i]))
            return false;
    }
    return seen != 0 || mw_reader_expected(r, "row, col or send");
}

static bool buckets(struct mw_reader *r, struct parser *p)
{
    static const char owner[] = "owner=";
    uint32_t n;
    if (!mw_reader_integer(r, 1, MW_BUCKETS_MAX, &n))
        return false;
    if (p->n_buckets == 0)
        p->n_buckets = n;
    if (r->quiet)
        return false; /* the second reading looks at the rest */
    p->l->n_buckets = n;
    if (!mw_reader_next(r))
        return true;
    if (r->word.bytes == sizeof owner && mw_is_role(r->word.text[sizeof owner - 1]) &&
        memcmp(r->word.text, owner, sizeof owner - 1) == 0) {
        p->l->bucket_owner = r->word.text[sizeof owner - 1];
        p->l->owner_at = (struct mw_spot){r->line, r->word.column};
        if (!mw_reader_next(r))
            return true;
    }
    p->l->bucket_blocks = mw_word_is(&r->word, "block");
    return p->l->bucket_blocks || mw_word_is(&r->word, "roundrobin") ||
           mw_reader_expected(r, "%sroundrobin or block",
                              p->l->bucket_owner == 0 ? "owner=LETTER, " : "");
}

static bool spm(struct mw_reader *r, struct parser *p)
{
    static const char *const words[] = {"reserve", "batch", "buffers", NULL};
    uint32_t seen = 0;
    if (!mw_reader_size(r, 1, UINT32_MAX, &p->l->spm_bytes))
        return false;
    uint32_t column = r->word.column;
    while (mw_reader_next(r)) {
        const int i = mw_reader_option(r, words, "reserve, batch or buffers", &seen);
        if (i < 0 || (i == 0 && !mw_reader_size(r, 0, UINT32_MAX, &p->l->spm_reserve)) ||
            (i == 1 && !mw_reader_size(r, 1, UINT32_MAX, &p->l->batch_bytes)) ||
            (i == 2 && !mw_reader_integer(r, 1, BUFFERS_MAX, &p->l->batch_buffers)))
            return false;
        if (i == 0)
            column = r->word.column;
    }
    return p->l->spm_reserve <= p->l->spm_bytes ||
           mw_reader_complain(r, column, "reserve of %u bytes in a store of %u",
                              p->l->spm_reserve, p->l->spm_bytes);
}

static bool cost(struct mw_reader *r, struct parser *p)
{
    uint32_t seen = 0;
    while (mw_reader_next(r)) {
        if (r->word.bytes != 1 || !mw_is_role(r->word.text[0]))
            return mw_reader_expected(r, "a role letter A-Z");
        const char letter = r->word.text[0];
        if ((seen & bit(letter)) != 0)
            return mw_reader_blame(r, "repeated");
        seen |= bit(letter);
        p->l->cost_at[letter - 'A'] = (struct mw_spot){r->line, r->word.column};
        if (!mw_reader_integer(r, 0, COST_MAX, &p->l->cost[letter - 'A']))
            return false;
    }
    return seen != 0 || mw_reader_expected(r, "a role letter A-Z");
}

static bool msg(struct mw_reader *r, struct parser *p)
{
    struct mw_layout *l = p->l;
    if (!mw_reader_size(r, 1, 32, &l->message_bytes))
        return false;
    l->payload_bytes = l->message_bytes;
    return !mw_reader_accept(r, "payload") ||
           mw_reader_size(r, 1, l->message_bytes, &l->payload_bytes);
}

/* The word "dma" is in hand. */
static bool dma_spec(struct mw_reader *r, struct parser *p)
{
    if (p->dma_seen)
        return mw_reader_complain(r, r->word.column, "duplicate statement 'dma'");
    p->dma_seen = true;
    return mw_reader_rate(r, &p->l->dma_bytes_per_s) &&
           (!mw_reader_accept(r, "sat") ||
            mw_reader_integer(r, 1, SATURATION_MAX, &p->l->dma_saturation));
}

static bool clock_rate(struct mw_reader *r, struct parser *p)
{
    return mw_reader_rate(r, &p->l->clock_hz) &&
           (!mw_reader_accept(r, "dma") || dma_spec(r, p));
}

/* ---- the whole text ------------------------------------------------------------------ */

static const struct statement {
    const char *word;
    bool (*read)(struct mw_reader *r, struct parser *p);
    bool repeats, shapes;
} statements[] = {
    {"flow", flow, true, false},
    {"roles", roles, true, false},
    {"route", route, true, false},
    {"mesh", mesh, false, true},
    {"transpose", transpose, false, true},
    {"name", name, false, false},
    {"fifo", fifo, false, false},
    {"class", class_names, false, true},
    {"adaptive", adaptive, false, false},
    {"broadcast", broadcast, true, false},
    {"source", source, false, false},
    {"sink", sink, false, false},
    {"buckets", buckets, false, true},
    {"spm", spm, false, false},
    {"cost", cost, false, false},
    {"msg", msg, false, false},
    {"clock", clock_rate, false, false},
    {"dma", dma_spec, true, false}, /* its own check: clock has one too */
};
enum { N_STATEMENTS = sizeof statements / sizeof *statements };

static void unknown_statement(struct mw_reader *r)
{
    const char *words[N_STATEMENTS + 1] = {NULL};
    for (int i = 0; i < N_STATEMENTS; i++)
        words[i] = statements[i].word;
    mw_reader_unknown(r, "unknown statement", words);
}

static void read_statement(struct mw_reader *r, struct parser *p)
{
    uint32_t i = 0;
    if (!mw_reader_next(r))
        return;
    p->at = (struct mw_spot){r->line, r->word.column};
    while (i < N_STATEMENTS && (r->word.text[0] != statements[i].word[0] ||
                                !mw_word_is(&r->word, statements[i].word)))
        i++;
    if (i == N_STATEMENTS) {
        unknown_statement(r);
        return;
    }
    const struct statement *s = &statements[i];
    if (r->quiet && !s->shapes)
        return;
    if (!r->quiet && !s->repeats && (p->seen >> i & 1) != 0) {
        mw_reader_blame(r, "duplicate statement");
        return;
    }
    p->seen |= UINT32_C(1) << i;
    if (s->read(r, p) && mw_reader_next(r))
        mw_reader_blame(r, "unexpected");
}

static void read_text(struct parser *p, const char *text, size_t bytes, bool quiet)
{
    struct mw_text t;
    struct mw_reader *r = &p->reader;
    mw_text_init(&t, text, bytes);
    r->quiet = quiet;
    p->seen = 0;
    while (p->rc == MW_OK && mw_text_line(&t, &r->rest)) {
        r->line = t.line;
        if (r->rest.begin < r->rest.end)
            read_statement(r, p);
    }
}

static void lay_roles(struct parser *p)
{
    struct mw_layout *l = p->l;
    for (uint32_t r = 0; r < role_rows(p); r++) {
        const uint32_t from = p->n_roles == 1 ? 0 : r;
        l->roles_at[r] = l->roles_at[from];
        for (uint32_t c = 0; c < role_cols(p); c++)
            l->role[l->transpose ? c * l->cols + r : r * l->cols + c] =
                p->row[from].text[c];
    }
    l->has_roles = true;
}

/* What no single statement shows. */
static void check_whole(struct parser *p)
{
    const uint64_t n = p->n_roles;
    struct mw_reader *r = &p->reader;
    char or_all[16] = "";
    r->line = 1;
    if (!p->mesh_seen)
        mw_reader_complain(r, 1, "no mesh statement");
    if (p->rows == 0 || n <= 1 || n == role_rows(p))
        return;
    if (role_rows(p) > 1)
        snprintf(or_all, sizeof or_all, " or %u", role_rows(p));
    r->line = p->last_roles.line;
    mw_reader_complain(r, p->last_roles.column, "%llu roles lines, expected 1%s",
                       (unsigned long long)n, or_all);
}

static int parse(struct parser *p, const char *text, size_t bytes)
{
    int rc = MW_OK;
    read_text(p, text, bytes, true);
    const bool shaped = p->rows > 0;
    MW_TRY(rc, mw_layout_new(shaped ? p->rows : 1, shaped ? p->cols : 1, &p->l));
    p->l->transpose = p->transpose;
    p->l->n_channels = (uint32_t)mw_max(1, p->n_channels);
    memcpy(p->l->channel_name, p->channel_name, sizeof p->channel_name);
    read_text(p, text, bytes, false);
    MW_TRY(rc, p->rc);
    check_whole(p);
    if (p->reader.d->n_errors > 0)
        return MW_ERR_DATA;
    if (p->n_roles > 0)
        lay_roles(p);
    else if (p->transpose)
        mw_diagnose(
            p->reader.d, true, p->transpose_at.line, p->transpose_at.column,
            "transpose has no effect: there are no roles, and flows are of the mesh "
            "as it is");
    rc = mw_layout_expand(p->l, p->reader.d);
end:
    return rc;
}

/* In the order of the text; those of one word stay as they came. */
static void sort_diagnostics(struct mw_diagnostics *d)
{
    for (uint32_t i = 1; i < d->n_kept; i++) {
        const struct mw_diagnostic k = d->kept[i];
        uint32_t to = i;
        for (; to > 0 &&
               (d->kept[to - 1].line > k.line ||
                (d->kept[to - 1].line == k.line && d->kept[to - 1].column > k.column));
             to--)
            d->kept[to] = d->kept[to - 1];
        d->kept[to] = k;
    }
}

/* The first error, for those who only pass codes up. */
static int fail_with(const struct mw_diagnostics *d)
{
    for (uint32_t i = 0; i < d->n_kept; i++)
        if (!d->kept[i].warning)
            return mw_fail(MW_ERR_DATA, "layout, line %u, column %u: %s", d->kept[i].line,
                           d->kept[i].column, d->kept[i].text);
    return mw_fail(MW_ERR_INTERNAL, "layout: an error without a message");
}

int mw_layout_parse(const char *text, size_t bytes, struct mw_layout **out,
                    struct mw_diagnostics *d)
{
    int rc = MW_OK;
    struct parser *p = NULL;
    *out = NULL;
    MW_NEW(rc, p, "layout parser", 1);
    p->reader.d = d;
    rc = parse(p, text, bytes);
    sort_diagnostics(d);
    if (rc == MW_ERR_DATA)
        rc = fail_with(d);
    if (rc == MW_OK) {
        *out = p->l;
        p->l = NULL;
    }
end:
    if (p != NULL) {
        mw_layout_free(p->l);
        MW_FREE_ALL(p->core, p->channel);
    }
    mw_free(p);
    return rc;
}
