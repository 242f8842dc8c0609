/* trace.c -- see trace.h: traces as text.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/trace.h"

#include "base/mem.h"
#include "layouts/ways/stages.h"
#include "mesh/lang/words.h"

#include <string.h>

void mw_trace_fini(struct mw_trace *t)
{
    mw_free(t->step);
    *t = (struct mw_trace){.model = t->model};
}

/* ---- printing -------------------------------------------------------------------------- */

static const char *const step_words[] = {"inject", "put",  "send",
                                         "get",    "move", "consume"};
enum { N_STEP_WORDS = sizeof step_words / sizeof *step_words };

void mw_step_print(const struct mw_layout *l, enum mw_mesh_model m,
                   const struct mw_step *s, FILE *out)
{
    char name[MW_NODE_NAME];
    fputs(step_words[s->kind], out);
    if (s->kind != MW_STEP_INJECT || m == MW_COUPLED)
        fprintf(out, " %s", mw_node_name(l, m, s->node, name));
    if (s->kind == MW_STEP_INJECT)
        fprintf(out, " %llu", (unsigned long long)s->flow);
    if (s->kind == MW_STEP_GET) {
        const char *channel = l->channel_name[s->from / MW_N_CLASSES];
        fprintf(out, " %c%s%s", s->from % MW_N_CLASSES == MW_ROW ? 'R' : 'C',
                *channel != '\0' ? "." : "", channel);
    }
    if (s->way > 0)
        fprintf(out, " way %u", s->way);
}

void mw_trace_print(const struct mw_layout *l, const struct mw_trace *t, FILE *out)
{
    fprintf(out, "# meshway-trace 1 model=%s fifo=%u/%u/%u\n",
            mw_mesh_model_names[t->model], t->fifo[MW_ROW], t->fifo[MW_COLUMN], t->send);
    for (uint64_t i = 0; i < t->n_steps; i++) {
        mw_step_print(l, t->model, &t->step[i], out);
        putc('\n', out);
    }
}

/* ---- parsing --------------------------------------------------------------------------- */

enum { WORDS_MAX = 5, WORD_BYTES = MW_WORD_SHOWN };

struct reader {
    const struct mw_layout *l;
    struct mw_diagnostics *d;
    struct mw_trace *trace;
    struct mw_text text; /* that is left */
    uint32_t line;

    /* the line at hand */
    uint32_t n_words;
    uint32_t column[WORDS_MAX + 1];
    char word[WORDS_MAX + 1][WORD_BYTES]; /* cut to what fits */
};

static bool blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

/* Cuts the next line into words; "#" ends it unless `header`. False: there is none. */
static bool take_line(struct reader *r, bool header)
{
    struct mw_line line = {NULL, NULL, NULL};
    const bool any = mw_text_line(&r->text, &line);
    const char *p = line.begin, *const end = line.end;
    r->n_words = 0;
    r->line = r->text.line;
    while (r->n_words <= WORDS_MAX) {
        while (p < end && blank(*p))
            p++;
        if (p == end || (*p == '#' && !header))
            break;
        const char *const word = p;
        while (p < end && !blank(*p))
            p++;
        const size_t n = (size_t)mw_min((uint64_t)(p - word), WORD_BYTES - 1);
        memcpy(r->word[r->n_words], word, n);
        r->word[r->n_words][n] = '\0';
        r->column[r->n_words++] = (uint32_t)(word - line.begin) + 1;
    }
    return any;
}

#define WRONG(r, i, ...)                                                                 \
    mw_diagnose((r)->d, false, (r)->line, (r)->column[i], __VA_ARGS__)

struct shown {
    char text[MW_WORD_SHOWN];
};

static struct shown shown(const struct reader *r, uint32_t i)
{
    struct shown s;
    mw_text_show(r->word[i], strlen(r->word[i]), s.text);
    return s;
}

/* A number of at most `most` that is the whole of the text up to `stop`. */
static bool take_number(const char **text, char stop, uint64_t most, uint64_t *out)
{
    const char *p = *text;
    uint64_t n = 0;
    for (; *p >= '0' && *p <= '9' && n <= most; p++)
        n = 10 * n + (uint64_t)(*p - '0');
    if (p == *text || *p != stop || n > most)
        return false;
    *text = p + (stop != '\0');
    *out = n;
    return true;
}

static bool header_model(struct reader *r, const char *word)
{
    if (strncmp(word, "model=", 6) != 0)
        return false;
    for (int m = 0; m < MW_N_MODELS; m++)
        if (strcmp(word + 6, mw_mesh_model_names[m]) == 0) {
            r->trace->model = (enum mw_mesh_model)m;
            return true;
        }
    return false;
}

static bool header_fifo(struct reader *r, const char *word)
{
    uint64_t depth[3];
    if (strncmp(word, "fifo=", 5) != 0)
        return false;
    word += 5;
    for (int i = 0; i < 3; i++)
        if (!take_number(&word, i < 2 ? '/' : '\0', MW_FIFO_MAX, &depth[i]))
            return false;
    r->trace->fifo[MW_ROW] = (uint32_t)depth[0];
    r->trace->fifo[MW_COLUMN] = (uint32_t)depth[1];
    r->trace->send = (uint32_t)depth[2];
    return true;
}

/* "# meshway-trace 1 model=coupled fifo=4/4/0" */
static bool take_header(struct reader *r)
{
    take_line(r, true);
    if (r->n_words == 5 && strcmp(r->word[0], "#") == 0 &&
        strcmp(r->word[1], "meshway-trace") == 0 && strcmp(r->word[2], "1") == 0 &&
        header_model(r, r->word[3]) && header_fifo(r, r->word[4]))
        return true;
    mw_diagnose(
        r->d, false, 1, 1,
        "expected '# meshway-trace 1 model=coupled|decoupled|link fifo=ROW/COL/SEND'");
    return false;
}

static bool node_at(struct reader *r, uint32_t i, mw_mesh_node *out)
{
    if (mw_node_parse(r->l, r->trace->model, r->word[i], out) == MW_OK)
        return true;
    WRONG(r, i, "%s", mw_error_text());
    mw_error_clear();
    return false;
}

static bool flow_at(struct reader *r, uint32_t i, uint64_t *out)
{
    const char *word = r->word[i];
    const uint64_t n = mw_sources_count(r->l);
    if (n > 0 && take_number(&word, '\0', n - 1, out))
        return true;
    WRONG(r, i, "expected a flow 0..%lld, got '%s'", (long long)n - 1, shown(r, i).text);
    return false;
}

static bool class_at(struct reader *r, uint32_t i, uint8_t *out)
{
    const char *word = r->word[i];
    const bool named = *r->l->channel_name[0] != '\0';
    const uint32_t channel = !named ? 0
                             : word[0] == '\0'
                                 ? r->l->n_channels
                                 : mw_channel_find(r->l, word + 2, strlen(word + 1) - 1);
    *out = (uint8_t)(MW_N_CLASSES * channel + (word[0] == 'C' ? MW_COLUMN : MW_ROW));
    if ((word[0] == 'R' || word[0] == 'C') && word[1] == (named ? '.' : '\0') &&
        channel < r->l->n_channels)
        return true;
    WRONG(r, i, "expected %s, got '%s'", named ? "R or C, a point and a class" : "R or C",
          shown(r, i).text);
    return false;
}

static int kind_at(struct reader *r)
{
    const bool coupled = r->trace->model == MW_COUPLED;
    for (int kind = 0; kind < N_STEP_WORDS; kind++)
        if (strcmp(r->word[0], step_words[kind]) == 0 &&
            (kind == MW_STEP_INJECT || coupled == (kind < MW_STEP_MOVE)))
            return kind;
    WRONG(r, 0, "'%s' is no step of the %s model", shown(r, 0).text,
          mw_mesh_model_names[r->trace->model]);
    return -1;
}

/* "way 1" at the end of the line, of a mesh with ways. */
static bool take_way(struct reader *r, struct mw_step *s)
{
    uint64_t way = 0;
    if (r->n_words < 3 || strcmp(r->word[r->n_words - 2], "way") != 0)
        return true;
    const char *word = r->word[r->n_words - 1];
    if (!mw_layout_has_ways(r->l) || !take_number(&word, '\0', UINT8_MAX, &way)) {
        WRONG(r, r->n_words - 1, "expected a way 0..255 of a layout that has several");
        return false;
    }
    s->way = (uint8_t)way;
    r->n_words -= 2;
    return true;
}

static void take_step(struct reader *r, struct mw_step *s)
{
    const int kind = kind_at(r);
    const bool coupled = r->trace->model == MW_COUPLED, inject = kind == MW_STEP_INJECT;
    const uint32_t n_words = kind == MW_STEP_GET || (inject && coupled) ? 3 : 2;
    if (kind < 0 || !take_way(r, s))
        return;
    s->kind = (uint8_t)kind;
    if (r->n_words != n_words)
        WRONG(r, 0, "'%s' takes %u words, got %u", r->word[0], n_words - 1,
              r->n_words - 1);
    else if ((!inject || coupled) && !node_at(r, 1, &s->node))
        return;
    else if (inject)
        flow_at(r, n_words - 1, &s->flow);
    else if (kind == MW_STEP_GET)
        class_at(r, 2, &s->from);
}

static uint64_t count_lines(const char *text, size_t bytes)
{
    uint64_t n = 1;
    for (size_t i = 0; i < bytes; i++)
        n += text[i] == '\n';
    return n;
}

int mw_trace_parse(const struct mw_layout *l, const char *text, size_t bytes,
                   struct mw_trace *out, struct mw_diagnostics *d)
{
    int rc = MW_OK;
    const uint32_t before = d->n_errors;
    struct reader r = {.l = l, .d = d, .trace = out};
    *out = (struct mw_trace){.model = MW_COUPLED};
    if (bytes > MW_LAYOUT_BYTES_MAX) {
        mw_diagnose(d, false, 1, 1, "a trace of more than %d bytes", MW_LAYOUT_BYTES_MAX);
        return mw_fail(MW_ERR_DATA, "the trace is too large");
    }
    mw_text_init(&r.text, text, bytes);
    if (take_header(&r)) {
        MW_NEW(rc, out->step, "trace", count_lines(text, bytes));
        while (take_line(&r, false))
            if (r.n_words > 0)
                take_step(&r, &out->step[out->n_steps++]);
    }
    if (d->n_errors > before)
        rc = mw_fail(MW_ERR_DATA, "%u errors in the trace", d->n_errors - before);
end:
    if (rc < MW_OK)
        mw_trace_fini(out);
    return rc;
}
