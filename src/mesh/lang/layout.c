/* layout.c -- a layout's life, its flows, and the nodes of the three models.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/layout.h"

#include "base/escape.h"
#include "base/mem.h"
#include "mesh/lang/words.h"

#include <assert.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

const char *const mw_mesh_model_names[MW_N_MODELS] = {"coupled", "decoupled", "link"};

/* ---- diagnostics --------------------------------------------------------------------- */

void mw_diagnose(struct mw_diagnostics *d, bool warning, uint32_t line, uint32_t column,
                 const char *fmt, ...)
{
    const uint32_t n = warning ? d->n_warnings++ : d->n_errors++;
    va_list args;
    if (n >= MW_DIAGNOSTICS_MAX)
        return;
    char raw[sizeof d->kept->text]; /* what it quotes may be anything */
    struct mw_diagnostic *k = &d->kept[d->n_kept++];
    *k = (struct mw_diagnostic){.line = line, .column = column, .warning = warning};
    va_start(args, fmt);
    vsnprintf(raw, sizeof raw, fmt, args);
    va_end(args);
    mw_escape(k->text, sizeof k->text, raw);
}

/* A piece of a line around the column, and a caret below it. What cannot be shown is a question
 * mark, a tab a blank. */
static void point_at(const struct mw_line *line, uint32_t number, uint32_t column,
                     FILE *out)
{
    enum { BEFORE = 60, SHOWN = 100 };
    const size_t bytes = (size_t)(line->end - line->begin);
    const size_t at = mw_min(column - 1, bytes), first = at > BEFORE ? at - BEFORE : 0;
    const int indent = fprintf(out, "%5u | %s", number, first > 0 ? "..." : "") - 8;
    uint32_t before = 0;
    for (size_t i = first, n; i < bytes && i < first + SHOWN; i += n) {
        n = mw_text_character(line->begin + i, bytes - i);
        before += i < at;
        if (n == 0)
            fputc(line->begin[i] == '\t' ? ' ' : '?', out);
        else
            fwrite(line->begin + i, 1, n, out);
        n = mw_max(n, 1);
    }
    fprintf(out, "%s\n      | %*s^\n", first + SHOWN < bytes ? "..." : "",
            (int)before + indent, "");
}

/* text NULL: none to point at. Diagnostics are in the order of the text. */
static void print_diagnostics(const struct mw_diagnostics *d, const char *file,
                              struct mw_text *text, FILE *out)
{
    struct mw_line line = {NULL, NULL, NULL};
    char shown[MW_SHOWN_ROOM];
    file = mw_shown(file, shown);
    for (uint32_t i = 0; i < d->n_kept; i++) {
        const struct mw_diagnostic *k = &d->kept[i];
        fprintf(out, "%s:%u:%u: %s: %s\n", file, k->line, k->column,
                k->warning ? "warning" : "error", k->text);
        while (text != NULL && text->line < k->line && mw_text_line(text, &line))
            continue;
        if (text != NULL && text->line == k->line && line.begin < line.end)
            point_at(&line, k->line, k->column, out);
    }
    if (d->n_errors > MW_DIAGNOSTICS_MAX)
        fprintf(out, "%s: %u more errors\n", file, d->n_errors - MW_DIAGNOSTICS_MAX);
    if (d->n_warnings > MW_DIAGNOSTICS_MAX)
        fprintf(out, "%s: %u more warnings\n", file, d->n_warnings - MW_DIAGNOSTICS_MAX);
}

void mw_diagnostics_show(const struct mw_diagnostics *d, const char *file,
                         const char *text, size_t bytes, FILE *out)
{
    struct mw_text t;
    mw_text_init(&t, text, bytes);
    print_diagnostics(d, file, text != NULL ? &t : NULL, out);
}

/* ---- life ---------------------------------------------------------------------------- */

enum { DEFAULT_COST = 32 };

static uint32_t letter_bit(char letter)
{
    return UINT32_C(1) << (letter - 'A');
}

int mw_layout_new(uint32_t rows, uint32_t cols, struct mw_layout **out)
{
    int rc = MW_OK;
    struct mw_layout *l;
    assert(rows >= 1 && rows <= MW_MESH_SIDE_MAX && cols >= 1 &&
           cols <= MW_MESH_SIDE_MAX);
    MW_NEW(rc, l, "layout", 1);
    l->rows = rows;
    l->cols = cols;
    l->fifo[MW_ROW] = l->fifo[MW_COLUMN] = 4;
    l->n_channels = 1;
    l->sources = letter_bit('P');
    l->sinks = letter_bit('K');
    l->spm_bytes = 64 << 10;
    l->spm_reserve = 32 << 10;
    l->batch_bytes = 256;
    l->batch_buffers = 2;
    for (uint32_t i = 0; i < MW_N_LETTERS; i++)
        l->cost[i] = DEFAULT_COST;
    l->cost['P' - 'A'] = 60;
    l->cost['K' - 'A'] = 30;
    l->message_bytes = l->payload_bytes = 32;
    l->clock_hz = 1.45e9;
    l->dma_bytes_per_s = 28.9e9;
    l->dma_saturation = 16;
    MW_NEW(rc, l->role, "roles", mw_mesh_cores(l));
    memset(l->role, '.', mw_mesh_cores(l));
    MW_NEW(rc, l->listed_first, "listed flows", MW_FIRST_ROOM);
    *out = l;
    return MW_OK;
end:
    mw_layout_free(l);
    return rc;
}

void mw_layout_free(struct mw_layout *l)
{
    if (l == NULL)
        return;
    MW_FREE_ALL(l->role, l->source, l->sink, l->next, l->next_channel, l->source_first,
                l->listed_first, l->listed_core, l->listed_channel, l->listed_bucket,
                l->listed_line, l);
}

int mw_layout_add_flow(struct mw_layout *l, const mw_core *core, uint32_t n,
                       int64_t bucket, uint32_t line)
{
    return mw_layout_add_flow_in(l, core, NULL, n, bucket, line);
}

int mw_layout_add_flow_in(struct mw_layout *l, const mw_core *core,
                          const mw_channel *channel, uint32_t n, int64_t bucket,
                          uint32_t line)
{
    const uint64_t used = l->listed_first[l->n_listed];
    assert(l->longest == 0); /* not expanded yet */
    if (n < 2)
        return mw_fail(MW_ERR_DATA, "a flow of %u cores, expected at least 2", n);
    if (n > MW_FLOW_CORES_MAX)
        return mw_fail(MW_ERR_DATA, "a flow of %u cores, expected at most %d", n,
                       MW_FLOW_CORES_MAX);
    if (used + n > MW_LISTED_HOPS_MAX)
        return mw_fail(MW_ERR_DATA, "the flows list more than %d cores",
                       MW_LISTED_HOPS_MAX);
    for (uint32_t i = 0; i + 1 < n; i++)
        if (core[i] >= mw_mesh_cores(l) || core[i + 1] >= mw_mesh_cores(l) ||
            !mw_hop_legal(l, core[i], core[i + 1]))
            return mw_fail(MW_ERR_DATA, "hop %u of the flow is illegal", i);
        else if (channel != NULL && channel[i] >= l->n_channels)
            return mw_fail(MW_ERR_DATA, "hop %u of the flow is of no class", i);
    MW_NEED_GROW("listed flows", l->listed_first, l->n_listed + 1, 1);
    MW_NEED_GROW("listed flows", l->listed_core, used, n);
    MW_NEED_GROW("listed flows", l->listed_channel, used, n);
    MW_NEED_GROW("listed flows", l->listed_bucket, l->n_listed, 1);
    MW_NEED_GROW("listed flows", l->listed_line, l->n_listed, 1);
    memcpy(l->listed_core + used, core, n * sizeof *core);
    memset(l->listed_channel + used, 0, n);
    if (channel != NULL)
        memcpy(l->listed_channel + used + 1, channel, n - 1);
    l->listed_bucket[l->n_listed] = bucket;
    l->listed_line[l->n_listed] = line;
    l->listed_first[++l->n_listed] = used + n;
    return MW_OK;
}

/* ---- flows --------------------------------------------------------------------------- */

/* The last i with first[i] <= x; first[0] <= x < first[n]. */
static uint32_t find_interval(const uint64_t *first, uint32_t n, uint64_t x)
{
    uint32_t low = 0, high = n;
    while (high - low > 1) {
        const uint32_t middle = (low + high) / 2;
        if (first[middle] <= x)
            low = middle;
        else
            high = middle;
    }
    return low;
}

uint32_t mw_layout_flow(const struct mw_layout *l, uint64_t i, mw_core *core)
{
    return mw_layout_flow_in(l, i, core, NULL);
}

uint32_t mw_layout_flow_in(const struct mw_layout *l, uint64_t i, mw_core *core,
                           mw_channel *channel)
{
    assert(i < l->n_flows);
    if (i >= l->n_routed) {
        const uint64_t first = l->listed_first[i - l->n_routed];
        const uint64_t end = l->listed_first[i - l->n_routed + 1];
        memcpy(core, l->listed_core + first, (end - first) * sizeof *core);
        if (channel != NULL)
            memcpy(channel, l->listed_channel + first + 1, end - first - 1);
        return (uint32_t)(end - first);
    }
    const uint32_t s = find_interval(l->source_first, l->n_sources, i);
    mw_core at = l->source[s];
    uint32_t sink = (uint32_t)(i - l->source_first[s]), n = 0;
    /* A source that is a sink as well has no flow to itself: those behind it move up. */
    if (l->source_first[s + 1] - l->source_first[s] < l->n_sinks &&
        mw_flow_order(l, l->sink[sink]) >= mw_flow_order(l, at))
        sink++;
    const mw_core *next = l->next + (size_t)sink * mw_mesh_cores(l);
    for (core[n++] = at; at != l->sink[sink]; core[n++] = at) {
        if (channel != NULL)
            channel[n - 1] = mw_next_channel(l, sink, at);
        at = next[at];
    }
    return n;
}

uint32_t mw_layout_owners(const struct mw_layout *l, mw_core *core)
{
    const uint32_t letters =
        l->bucket_owner != 0 ? letter_bit(l->bucket_owner) : l->sinks;
    bool last[MW_MESH_CORES_MAX] = {false};
    uint32_t n = 0;
    if (!l->has_roles)
        for (uint64_t i = 0; i < l->n_listed; i++)
            last[l->listed_core[l->listed_first[i + 1] - 1]] = true;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        if (l->has_roles ? l->role[v] != '.' && (letters & letter_bit(l->role[v])) != 0
                         : last[v])
            core[n++] = (mw_core)v;
    return n;
}

uint32_t mw_core_cost(const struct mw_layout *l, mw_core v)
{
    return l->role[v] == '.' ? DEFAULT_COST : l->cost[l->role[v] - 'A'];
}

/* ---- nodes --------------------------------------------------------------------------- */

/* Nodes of one channel. */
static uint32_t channel_nodes(const struct mw_layout *l, enum mw_mesh_model m)
{
    const uint32_t per_core[MW_N_MODELS] = {1, MW_N_CLASSES, l->rows + l->cols};
    return mw_mesh_cores(l) * per_core[m];
}

uint32_t mw_mesh_nodes(const struct mw_layout *l, enum mw_mesh_model m)
{
    return channel_nodes(l, m) * (m == MW_COUPLED ? 1 : l->n_channels);
}

mw_mesh_node mw_channel_node(const struct mw_layout *l, enum mw_mesh_model m,
                             mw_core from, mw_core to, mw_channel channel)
{
    const mw_mesh_node n = mw_hop_node(l, m, from, to);
    return m == MW_COUPLED ? n : n + channel * channel_nodes(l, m);
}

mw_channel mw_node_channel(const struct mw_layout *l, enum mw_mesh_model m,
                           mw_mesh_node n)
{
    return (mw_channel)(n / channel_nodes(l, m));
}

mw_mesh_node mw_hop_node(const struct mw_layout *l, enum mw_mesh_model m, mw_core from,
                         mw_core to)
{
    const enum mw_fifo_class class = mw_hop_class(l, from, to);
    if (m == MW_COUPLED)
        return to;
    if (m == MW_DECOUPLED)
        return (mw_mesh_node)to * MW_N_CLASSES + class;
    return from * (l->rows + l->cols) +
           (class == MW_ROW ? mw_core_col(l, to) : l->cols + mw_core_row(l, to));
}

/* Both ends of a link. */
static void link_ends(const struct mw_layout *l, mw_mesh_node n, mw_core *from,
                      mw_core *to)
{
    const uint32_t slot = n % (l->rows + l->cols);
    *from = (mw_core)(n % channel_nodes(l, MW_LINK) / (l->rows + l->cols));
    *to = slot < l->cols ? mw_core_at(l, mw_core_row(l, *from), slot)
                         : mw_core_at(l, slot - l->cols, mw_core_col(l, *from));
}

mw_core mw_node_core(const struct mw_layout *l, enum mw_mesh_model m, mw_mesh_node n)
{
    mw_core from, to;
    if (m == MW_COUPLED)
        return (mw_core)n;
    if (m == MW_DECOUPLED)
        return (mw_core)(n % channel_nodes(l, m) / MW_N_CLASSES);
    link_ends(l, n, &from, &to);
    return to;
}

const char *mw_core_name(const struct mw_layout *l, mw_core v, char out[MW_NODE_NAME])
{
    snprintf(out, MW_NODE_NAME, "%u,%u", mw_core_row(l, v) % 100,
             mw_core_col(l, v) % 100);
    return out;
}

const char *mw_node_name(const struct mw_layout *l, enum mw_mesh_model m, mw_mesh_node n,
                         char out[MW_NODE_NAME])
{
    mw_core from, to;
    char name[2][MW_NODE_NAME];
    if (m == MW_COUPLED)
        return mw_core_name(l, (mw_core)n, out);
    const char *channel = l->channel_name[mw_node_channel(l, m, n)];
    const char *dot = *channel != '\0' ? "." : "";
    if (m == MW_DECOUPLED) {
        snprintf(out, MW_NODE_NAME, "%.8s.%c%s%s",
                 mw_core_name(l, mw_node_core(l, m, n), name[0]),
                 n % MW_N_CLASSES == MW_ROW ? 'R' : 'C', dot, channel);
        return out;
    }
    link_ends(l, n, &from, &to);
    snprintf(out, MW_NODE_NAME, "%.7s>%.7s%s%s", mw_core_name(l, from, name[0]),
             mw_core_name(l, to, name[1]), dot, channel);
    return out;
}

/* "r,c" at *text, which moves behind it. */
static bool take_core(const struct mw_layout *l, const char **text, mw_core *out)
{
    uint32_t part[2];
    for (int i = 0; i < 2; i++) {
        uint32_t digits = 0;
        part[i] = 0;
        for (; **text >= '0' && **text <= '9' && digits < 3; (*text)++, digits++)
            part[i] = 10 * part[i] + (uint32_t)(**text - '0');
        if (digits == 0 || (i == 0 && *(*text)++ != ','))
            return false;
    }
    if (part[0] >= l->rows || part[1] >= l->cols)
        return false;
    *out = mw_core_at(l, part[0], part[1]);
    return true;
}

uint32_t mw_channel_find(const struct mw_layout *l, const char *name, size_t bytes)
{
    uint32_t k = 0;
    while (k < l->n_channels && (strlen(l->channel_name[k]) != bytes ||
                                 memcmp(l->channel_name[k], name, bytes) != 0))
        k++;
    return bytes == 0 ? l->n_channels : k;
}

/* ".reply" to the end; nothing where there are no classes. */
static bool take_channel(const struct mw_layout *l, const char *text, mw_channel *out)
{
    *out = 0;
    if (l->channel_name[0][0] == '\0')
        return *text == '\0';
    if (*text != '.')
        return false;
    *out = (mw_channel)mw_channel_find(l, text + 1, strlen(text + 1));
    return *out < l->n_channels;
}

int mw_node_parse(const struct mw_layout *l, enum mw_mesh_model m, const char *text,
                  mw_mesh_node *out)
{
    const char *at = text;
    char shown[MW_WORD_SHOWN];
    mw_core v, to;
    mw_channel channel;
    if (take_core(l, &at, &v)) {
        if (m == MW_COUPLED && *at == '\0') {
            *out = v;
            return MW_OK;
        }
        if (m == MW_DECOUPLED && at[0] == '.' && (at[1] == 'R' || at[1] == 'C') &&
            take_channel(l, at + 2, &channel)) {
            *out = channel * channel_nodes(l, m) + (mw_mesh_node)v * MW_N_CLASSES +
                   (at[1] == 'R' ? MW_ROW : MW_COLUMN);
            return MW_OK;
        }
        if (m == MW_LINK && *at++ == '>' && take_core(l, &at, &to) &&
            take_channel(l, at, &channel) && mw_hop_legal(l, v, to)) {
            *out = mw_channel_node(l, m, v, to, channel);
            return MW_OK;
        }
    }
    return mw_fail(MW_ERR_DATA, "'%s' is no %s of the %ux%u mesh",
                   mw_text_show(text, strlen(text), shown),
                   m == MW_COUPLED     ? "core"
                   : m == MW_DECOUPLED ? "FIFO"
                                       : "link",
                   l->rows, l->cols);
}
