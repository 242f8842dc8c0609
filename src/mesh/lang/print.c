/* print.c -- layouts back to text: a layout with all its defaults written out, and
 * any text with its words one blank apart.
 *
 * What mw_layout_print() writes parses to the same layout; what mw_layout_format() writes
 * has the same words and comments, and formatting it again changes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/ways.h"

#include "mesh/lang/words.h"

#include <stdlib.h>
#include <string.h>

/* ---- numbers ------------------------------------------------------------------------- */

static void print_size(const char *before, uint32_t bytes, FILE *out)
{
    if (bytes % 1024 == 0 && bytes > 0)
        fprintf(out, "%s%uK", before, bytes / 1024);
    else
        fprintf(out, "%s%u", before, bytes);
}

/* The fewest digits that read back as the same number, 1 <= value: its digits without a
 * point, and the power of ten of the first. */
static int shortest(double value, char digits[32])
{
    char text[40];
    int exponent = 0;
    for (int n = 0; n < 17; n++) {
        snprintf(text, sizeof text, "%.*e", n, value);
        if (strtod(text, NULL) == value)
            break;
    }
    char *to = digits;
    for (const char *c = text; *c != '\0'; c++) {
        if (*c == 'e') {
            exponent = (int)strtol(c + 1, NULL, 10);
            break;
        }
        if (*c >= '0' && *c <= '9') /* the point depends on the locale */
            *to++ = *c;
    }
    *to = '\0';
    return exponent;
}

static void print_rate(const char *before, double value, FILE *out)
{
    static const char *const units[] = {"", "K", "M", "G"};
    char digits[32];
    const int exponent = shortest(value, digits);
    const int unit = exponent >= 9 ? 3 : exponent / 3;
    const int n_whole = exponent - 3 * unit + 1, n = (int)strlen(digits);
    fputs(before, out);
    for (int i = 0; i < n || i < n_whole; i++)
        fprintf(out, "%s%c", i == n_whole ? "." : "", i < n ? digits[i] : '0');
    fputs(units[unit], out);
}

/* ---- paths --------------------------------------------------------------------------- */

void mw_path_print(const struct mw_layout *l, const mw_core *core, uint32_t n, FILE *out)
{
    char name[MW_NODE_NAME];
    for (uint32_t i = 0; i < n && i < MW_PATH_SHOWN; i++)
        fprintf(out, "%s%s", i > 0 ? " > " : "", mw_core_name(l, core[i], name));
    if (n > MW_PATH_SHOWN)
        fprintf(out, " > ... (%u cores)", n);
}

/* ---- statements ---------------------------------------------------------------------- */

static void print_letters(const char *before, uint32_t letters, FILE *out)
{
    if (letters == 0)
        return;
    fputs(before, out);
    for (uint32_t i = 0; i < MW_N_LETTERS; i++)
        if ((letters >> i & 1) != 0)
            fputc((int)('A' + i), out);
    fputc('\n', out);
}

/* Core (r, c) of the mesh that the statements describe. */
static char role_at(const struct mw_layout *l, uint32_t r, uint32_t c)
{
    return l->role[l->transpose ? c * l->cols + r : r * l->cols + c];
}

static void print_roles(const struct mw_layout *l, FILE *out)
{
    const uint32_t rows = l->transpose ? l->cols : l->rows;
    const uint32_t cols = l->transpose ? l->rows : l->cols;
    bool same = true;
    for (uint32_t r = 1; r < rows; r++)
        for (uint32_t c = 0; c < cols; c++)
            same &= role_at(l, r, c) == role_at(l, 0, c);
    for (uint32_t r = 0; r < (same ? 1 : rows); r++) {
        fputs("roles ", out);
        for (uint32_t c = 0; c < cols; c++)
            fputc(role_at(l, r, c), out);
        fputc('\n', out);
    }
}

static void print_clause(const struct mw_clause *k, FILE *out)
{
    static const char *const kinds[] = {"down->",     "up->",       "same->", "any->",
                                        "col-to-row", "row-to-col", "then "};
    static const char *const bys[] = {"col", "row", "sink"};
    static const char *const hops[] = {"direct", "step", "ring", "short"};
    fputs(kinds[k->kind], out);
    for (uint32_t i = 0; i < k->n_targets; i++)
        fprintf(out, "%s%c", i > 0 ? "|" : "", k->target[i]);
    if (k->kind <= MW_WHEN_ANY)
        fprintf(out, " by %s", bys[k->by]);
    else if (k->kind != MW_THEN)
        fprintf(out, " %s", hops[k->hop]);
}

/* Where they are others than before. */
static void print_channels(const struct mw_layout *l, const struct mw_clause *k,
                           const struct mw_clause *before, FILE *out)
{
    if (memcmp(k->channel, before->channel, sizeof k->channel) == 0)
        return;
    fprintf(out, "class %s", l->channel_name[k->channel[0]]);
    if (k->channel[1] != k->channel[0])
        fprintf(out, "|%s", l->channel_name[k->channel[1]]);
    fputc(' ', out);
}

static void print_routes(const struct mw_layout *l, FILE *out)
{
    const struct mw_clause first = {.channel = {0, 0}};
    for (uint32_t i = 0; i < MW_N_LETTERS; i++) {
        const struct mw_route *r = &l->route[i];
        for (uint32_t k = 0; k < r->n_clauses; k++) {
            if (k == 0)
                fprintf(out, "route %c: ", (char)('A' + i));
            print_channels(l, &r->clause[k], k == 0 ? &first : &r->clause[k - 1], out);
            print_clause(&r->clause[k], out);
            fputs(k + 1 < r->n_clauses ? ", " : "\n", out);
        }
    }
}

static void print_buckets(const struct mw_layout *l, FILE *out)
{
    bool beyond = false; /* only the default may be too small for the buckets named */
    for (uint64_t i = 0; i < l->n_listed; i++)
        beyond |= l->listed_bucket[i] >= (int64_t)l->n_buckets;
    if (l->n_buckets == 0 || beyond)
        return;
    fprintf(out, "buckets %u", l->n_buckets);
    if (l->bucket_owner != 0)
        fprintf(out, " owner=%c", l->bucket_owner);
    fputs(l->bucket_blocks ? " block\n" : " roundrobin\n", out);
}

/* Of the roles there are, and of those whose cost is not the default. */
static void print_costs(const struct mw_layout *l, FILE *out)
{
    const char *before = "cost";
    for (uint32_t i = 0; i < MW_N_LETTERS; i++) {
        const char letter = (char)('A' + i);
        const uint32_t usual = letter == 'P' ? 60 : letter == 'K' ? 30 : 32;
        if (l->cost[i] == usual && memchr(l->role, letter, mw_mesh_cores(l)) == NULL)
            continue;
        fprintf(out, "%s %c %u", before, letter, l->cost[i]);
        before = "";
    }
    if (*before == '\0')
        fputc('\n', out);
}

static void print_flows(const struct mw_layout *l, FILE *out)
{
    for (uint64_t i = 0; i < l->n_listed; i++) {
        fputs("flow", out);
        mw_channel channel = 0;
        for (uint64_t k = l->listed_first[i]; k < l->listed_first[i + 1]; k++) {
            if (k > l->listed_first[i] && l->listed_channel[k] != channel)
                fprintf(out, " class %s", l->channel_name[l->listed_channel[k]]);
            if (k > l->listed_first[i])
                channel = l->listed_channel[k];
            fprintf(out, " %u,%u", mw_core_row(l, l->listed_core[k]),
                    mw_core_col(l, l->listed_core[k]));
        }
        if (l->listed_bucket[i] >= 0)
            fprintf(out, " bucket %lld", (long long)l->listed_bucket[i]);
        fputc('\n', out);
    }
}

void mw_layout_print(const struct mw_layout *l, FILE *out)
{
    fprintf(out, "mesh %u %u\n", l->rows, l->cols);
    if (l->name[0] != '\0')
        fprintf(out, "name %s\n", l->name);
    fprintf(out, "fifo row %u col %u send %u\n", l->fifo[MW_ROW], l->fifo[MW_COLUMN],
            l->send);
    for (uint32_t k = 0; k < l->n_channels && *l->channel_name[0] != '\0'; k++)
        fprintf(out, "%s%s%s", k == 0 ? "class " : ", ", l->channel_name[k],
                k + 1 == l->n_channels ? "\n" : "");
    if (l->transpose)
        fputs("transpose\n", out);
    if (l->has_roles) { /* without them these letters mean no core */
        print_roles(l, out);
        print_letters("source ", l->sources, out);
        print_letters("sink ", l->sinks, out);
    }
    print_routes(l, out);
    mw_ways_print(l, out);
    print_buckets(l, out);
    print_size("spm ", l->spm_bytes, out);
    print_size(" reserve ", l->spm_reserve, out);
    print_size(" batch ", l->batch_bytes, out);
    fprintf(out, " buffers %u\n", l->batch_buffers);
    print_costs(l, out);
    fprintf(out, "msg %u payload %u\n", l->message_bytes, l->payload_bytes);
    print_rate("clock ", l->clock_hz, out);
    print_rate(" dma ", l->dma_bytes_per_s, out);
    fprintf(out, " sat %u\n", l->dma_saturation);
    print_flows(l, out);
}

/* ---- formatting ---------------------------------------------------------------------- */

/* The words of a line, one blank apart, to `out` unless it is NULL; a comma stays behind its
 * word. Returns their width; line->at is then the end or the comment. */
static size_t format_words(struct mw_line *line, FILE *out)
{
    struct mw_word w;
    size_t width = 0;
    while (mw_line_word(line, &w)) {
        const char *gap = width == 0 ? "" : w.comma ? ", " : " ";
        if (out != NULL) {
            fputs(gap, out);
            fwrite(w.text, 1, w.bytes, out);
        }
        width += strlen(gap) + w.bytes;
    }
    return width;
}

enum {
    WIDE = 60
}; /* a statement from this width on does not push the comments of others */

/* The widest statement with a comment, from here to the next line without a statement:
 * the comments of such a block stand below each other. */
static size_t widest_of_block(struct mw_line line, struct mw_text rest)
{
    size_t widest = 0, width;
    do {
        width = format_words(&line, NULL);
        if (line.at < line.end && width > widest && width < WIDE)
            widest = width;
    } while (width > 0 && mw_text_line(&rest, &line));
    return widest;
}

static void format_comment(const struct mw_line *line, FILE *out)
{
    const char *end = line->end;
    while (end > line->at && (end[-1] == ' ' || (end[-1] >= '\t' && end[-1] <= '\r')))
        end--;
    fwrite(line->at, 1, (size_t)(end - line->at), out);
}

void mw_layout_format(const char *text, size_t bytes, FILE *out)
{
    struct mw_text t;
    struct mw_line line;
    size_t widest = 0;
    bool in_block = false;
    mw_text_init(&t, text, bytes);
    while (mw_text_line(&t, &line)) {
        if (!in_block)
            widest = widest_of_block(line, t);
        const size_t width = format_words(&line, out);
        in_block = width > 0;
        if (line.at < line.end) {
            if (width > 0)
                fprintf(out, "%*s", (width < widest ? (int)(widest - width) : 0) + 2, "");
            format_comment(&line, out);
        }
        fputc('\n', out);
    }
}
