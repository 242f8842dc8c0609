/* sweep_axes.c -- see sweep_axes.h. Every value is read when the axes are, so that a sweep does
 * not fail in its middle; only what depends on two numbers is left to the points.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/sweep_axes.h"

#include "base/mem.h"
#include "cli/option.h"
#include "mesh/lang/words.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- what can be varied ----------------------------------------------------------------- */

/* A number of the layout or of the simulation; RATE and SIZE may be written as in the language
 * of layouts, too. ROLES has no place: it changes the text. */
struct key {
    const char *name;
    enum { LAYOUT_U32, LAYOUT_SIZE, LAYOUT_RATE, SIM_U32, SIM_U64, SIM_REAL, ROLES } kind;
    size_t at,
        also_at; /* where it stands in its structure; also_at: a second place, or 0 */
    double min, max;
    bool
        given; /* by the work, the machine or the measurement: not for the layout to choose */
};
#define IN_LAYOUT(field) offsetof(struct mw_layout, field)
#define IN_SIM(field)    offsetof(struct mw_sim_conf, field)

/* The limits are those of the language and of the options. */
static const struct key keys[] = {
    {"fifo", LAYOUT_U32, IN_LAYOUT(fifo[MW_ROW]), IN_LAYOUT(fifo[MW_COLUMN]), 0,
     MW_FIFO_MAX, false},
    {"row", LAYOUT_U32, IN_LAYOUT(fifo[MW_ROW]), 0, 0, MW_FIFO_MAX, false},
    {"col", LAYOUT_U32, IN_LAYOUT(fifo[MW_COLUMN]), 0, 0, MW_FIFO_MAX, false},
    {"send", LAYOUT_U32, IN_LAYOUT(send), 0, 0, MW_FIFO_MAX, false},
    {"buckets", LAYOUT_U32, IN_LAYOUT(n_buckets), 0, 1, MW_BUCKETS_MAX, false},
    {"batch", LAYOUT_SIZE, IN_LAYOUT(batch_bytes), 0, 1, UINT32_MAX, false},
    {"buffers", LAYOUT_U32, IN_LAYOUT(batch_buffers), 0, 1, 65536, false},
    {"msg", LAYOUT_SIZE, IN_LAYOUT(message_bytes), 0, 1, 32, false},
    {"payload", LAYOUT_SIZE, IN_LAYOUT(payload_bytes), 0, 1, 32, false},
    {"clock", LAYOUT_RATE, IN_LAYOUT(clock_hz), 0, 1, 1e15, true},
    {"dma", LAYOUT_RATE, IN_LAYOUT(dma_bytes_per_s), 0, 1, 1e15, true},
    {"sat", LAYOUT_U32, IN_LAYOUT(dma_saturation), 0, 1, 65536, true},
    {"latency", SIM_U32, IN_SIM(latency), 0, 0, 1000, true},
    {"detect", SIM_U32, IN_SIM(detect_every), 0, 1, UINT32_MAX, true},
    {"cycles", SIM_U64, IN_SIM(cycles), 0, 1, 0x1p40, true},
    {"supply", SIM_U64, IN_SIM(supply), 0, 1, UINT32_MAX, true},
    {"load", SIM_REAL, IN_SIM(load), 0, 1e-6, 1, true},
    {"hotspot", SIM_REAL, IN_SIM(hotspot), 0, 0, 1, true},
    {"skew", SIM_REAL, IN_SIM(skew), 0, 0, 10, true},
    {"warmup", SIM_REAL, IN_SIM(warmup), 0, 0, 0.99, true},
    {"roles", ROLES, 0, 0, 0, 0, false},
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static bool is_cost(const char *name)
{
    return strncmp(name, "cost.", 5) == 0 && name[5] >= 'A' && name[5] <= 'Z' &&
           name[6] == '\0';
}

static bool find_key(const char *name, struct key *out)
{
    for (int i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, name) == 0) {
            *out = keys[i];
            return true;
        }
    if (!is_cost(name))
        return false;
    *out = (struct key){.name = name, .kind = LAYOUT_U32, .max = 1000000, .given = true};
    out->at = IN_LAYOUT(cost) + sizeof(uint32_t) * (size_t)(name[5] - 'A');
    return true;
}

static int unknown_key(const char *name)
{
    char list[256] = "";
    size_t n = 0;
    for (int i = 0; i < N_KEYS && n < sizeof list; i++)
        n += (size_t)snprintf(list + n, sizeof list - n, "%s, ", keys[i].name);
    return mw_fail(MW_ERR_USAGE, "--vary: '%s' cannot be varied; %sand cost.LETTER can",
                   name, list);
}

/* ---- values ------------------------------------------------------------------------------- */

struct value {
    uint64_t whole;
    double real;
};

static bool is_real(const struct key *k)
{
    return k->kind == LAYOUT_RATE || k->kind == SIM_REAL;
}

static bool read_word(const struct key *k, const char *text, struct value *out)
{
    const struct mw_word w = {.text = text, .bytes = strlen(text)};
    if (k->kind == LAYOUT_RATE && mw_word_rate(&w, &out->real))
        return out->real >= k->min && out->real <= k->max;
    return k->kind == LAYOUT_SIZE && mw_word_size(&w, &out->whole) &&
           (double)out->whole >= k->min && (double)out->whole <= k->max;
}

static int read_roles(const char *text)
{
    const size_t n = strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZ.");
    return text[n] == '\0'
               ? MW_OK
               : mw_fail(MW_ERR_USAGE, "--vary roles: '%s' is no row of role letters",
                         text);
}

static int read_value(const struct key *k, const char *text, struct value *out)
{
    char who[40];
    if (k->kind == ROLES)
        return read_roles(text);
    if (read_word(k, text, out))
        return MW_OK;
    snprintf(who, sizeof who, "--vary %s", k->name);
    return is_real(k) ? mw_parse_real(who, text, k->min, k->max, &out->real)
                      : mw_parse_count(who, text, (uint64_t)k->min, (uint64_t)k->max,
                                       &out->whole);
}

static int add_value(struct mw_axis *a, const char *word)
{
    struct key k;
    struct value v;
    if (word[0] == '\0' || strlen(word) >= MW_AXIS_WORD)
        return mw_fail(MW_ERR_USAGE, "--vary %s: '%.40s' is no value", a->key, word);
    if (a->n == MW_POINTS_MAX)
        return mw_fail(MW_ERR_USAGE, "--vary %s: more than %d values", a->key,
                       MW_POINTS_MAX);
    find_key(a->key, &k); /* new_axis() did */
    MW_NEED(read_value(&k, word, &v));
    MW_NEED_GROW("sweep values", a->value, a->n, 1);
    snprintf(a->value[a->n++], MW_AXIS_WORD, "%s", word);
    return MW_OK;
}

/* Digits at *at, which moves behind them. */
static bool take_number(const char **at, uint64_t *out)
{
    char *end;
    if (**at < '0' || **at > '9')
        return false;
    errno = 0;
    *out = strtoull(*at, &end, 10);
    *at = end;
    return errno == 0;
}

struct range {
    uint64_t first, last, by;
    bool times; /* by a factor, not a step */
};

/* a..b, a..b+step, a..b*factor */
static bool read_range(const char *at, struct range *r)
{
    *r = (struct range){.by = 1};
    if (!take_number(&at, &r->first) || strncmp(at, "..", 2) != 0)
        return false;
    at += 2;
    if (!take_number(&at, &r->last) || r->first > r->last)
        return false;
    r->times = *at == '*';
    if ((*at == '*' || *at == '+') && (at++, !take_number(&at, &r->by)))
        return false;
    return *at == '\0' && r->by >= (r->times ? 2 : 1) && (!r->times || r->first > 0);
}

/* The next value; false: there is none that a number can hold. */
static bool step(const struct range *r, uint64_t *x)
{
    return r->times ? !__builtin_mul_overflow(*x, r->by, x)
                    : !__builtin_add_overflow(*x, r->by, x);
}

static int add_range(struct mw_axis *a, const char *word)
{
    struct range r;
    if (!read_range(word, &r))
        return mw_fail(
            MW_ERR_USAGE,
            "--vary %s: '%.40s' is no range; expected a..b, a..b+step or a..b*factor",
            a->key, word);
    uint64_t x = r.first;
    do {
        char text[24];
        snprintf(text, sizeof text, "%" PRIu64, x);
        MW_NEED(add_value(a, text));
    } while (step(&r, &x) && x <= r.last);
    return MW_OK;
}

static int add_piece(struct mw_axis *a, const char *piece, size_t length)
{
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)mw_min(length, sizeof word - 1), piece);
    return strstr(word, "..") != NULL && strcmp(a->key, "roles") != 0
               ? add_range(a, word)
               : add_value(a, word);
}

/* ---- axes --------------------------------------------------------------------------------- */

bool mw_axes_has(const struct mw_axes *a, const char *key)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->axis[i].key, key) == 0)
            return true;
    return false;
}

bool mw_axes_given(const struct mw_axes *a, uint32_t i)
{
    struct key k;
    find_key(a->axis[i].key, &k); /* new_axis() did */
    return k.given;
}

bool mw_axes_comparable(const struct mw_axes *a, uint64_t x, uint64_t y)
{
    for (uint32_t i = 0; i < a->n; i++)
        if (mw_axes_given(a, i) && mw_axes_value(a, x, i) != mw_axes_value(a, y, i))
            return false;
    return true;
}

static int new_axis(struct mw_axes *axes, const char *name, size_t length)
{
    struct key k;
    struct mw_axis a = {.n = 0};
    if (axes->n == MW_AXES_MAX)
        return mw_fail(MW_ERR_USAGE, "--vary: more than %d axes", MW_AXES_MAX);
    snprintf(a.key, sizeof a.key, "%.*s", (int)mw_min(length, sizeof a.key - 1), name);
    if (length >= sizeof a.key || !find_key(a.key, &k))
        return unknown_key(a.key);
    if (mw_axes_has(axes, a.key))
        return mw_fail(MW_ERR_USAGE, "--vary: '%s' is given twice", a.key);
    axes->axis[axes->n++] = a;
    return MW_OK;
}

/* "key=piece,piece,key=piece" */
static int parse(const char *text, struct mw_axes *out)
{
    for (bool more = true; more; text++) {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (equals != NULL) {
            MW_NEED(new_axis(out, text, (size_t)(equals - text)));
            length -= (size_t)(equals + 1 - text);
            text = equals + 1;
        } else if (out->n == 0) {
            return mw_fail(MW_ERR_USAGE, "--vary: expected KEY=VALUES, got '%.40s'",
                           text);
        }
        MW_NEED(add_piece(&out->axis[out->n - 1], text, length));
        text += length;
        more = *text == ',';
    }
    return MW_OK;
}

int mw_axes_parse(const char *text, struct mw_axes *out)
{
    int rc = MW_OK;
    *out = (struct mw_axes){.n_points = 1};
    if (text != NULL)
        MW_TRY(rc, parse(text, out));
    if (mw_axes_has(out, "fifo") && (mw_axes_has(out, "row") || mw_axes_has(out, "col")))
        MW_TRY(rc, mw_fail(MW_ERR_USAGE,
                           "--vary: fifo is row and col at once, so neither can be "
                           "varied beside it"));
    for (uint32_t i = 0; i < out->n; i++) {
        out->n_points *= out->axis[i].n;
        if (out->n_points > MW_POINTS_MAX)
            MW_TRY(rc,
                   mw_fail(MW_ERR_USAGE, "--vary: more than %d points", MW_POINTS_MAX));
    }
    return MW_OK;
end:
    mw_axes_fini(out);
    return rc;
}

void mw_axes_fini(struct mw_axes *a)
{
    for (uint32_t i = 0; i < a->n; i++)
        mw_free(a->axis[i].value);
    *a = (struct mw_axes){0};
}

const char *mw_axes_value(const struct mw_axes *a, uint64_t point, uint32_t i)
{
    for (uint32_t k = a->n - 1; k > i; k--)
        point /= a->axis[k].n;
    return a->axis[i].value[point % a->axis[i].n];
}

/* ---- a point ------------------------------------------------------------------------------ */

/* "fifo=4, msg=16: what is wrong there" */
static int bad_point(const struct mw_axes *a, uint64_t point, const char *what)
{
    char text[512], where[256] = "";
    size_t n = 0;
    snprintf(text, sizeof text, "%s", what); /* it may be the recorded one */
    for (uint32_t i = 0; i < a->n && n < sizeof where; i++)
        n += (size_t)snprintf(where + n, sizeof where - n, "%s%s=%s", i > 0 ? ", " : "",
                              a->axis[i].key, mw_axes_value(a, point, i));
    return mw_fail(MW_ERR_USAGE, "--vary: at %s: %s", where, text);
}

/* Whether a line is a roles statement. */
static bool is_roles(const char *line, const char *end)
{
    static const char word[] = "roles";
    while (line < end && (*line == ' ' || *line == '\t'))
        line++;
    if ((size_t)(end - line) < sizeof word - 1 ||
        memcmp(line, word, sizeof word - 1) != 0)
        return false;
    line += sizeof word - 1;
    return line == end || strchr(" \t\r\n,#", *line) != NULL;
}

/* The text with its roles statements emptied, and one of the given letters behind it: the
 * lines keep their numbers. */
static int replace_roles(const char *text, size_t bytes, const char *roles, char **out,
                         size_t *out_bytes)
{
    size_t n = 0;
    MW_NEED_NEW(*out, "layout text", bytes + MW_AXIS_WORD + 16);
    for (size_t at = 0, end; at < bytes; at = end) {
        const char *newline = memchr(text + at, '\n', bytes - at);
        end = newline != NULL ? (size_t)(newline - text) + 1 : bytes;
        if (is_roles(text + at, text + end)) {
            (*out)[n++] = '\n';
            continue;
        }
        memcpy(*out + n, text + at, end - at);
        n += end - at;
    }
    n += (size_t)sprintf(*out + n, "\nroles %s\n", roles);
    *out_bytes = n;
    return MW_OK;
}

int mw_axes_layout(const struct mw_axes *a, uint64_t point, const char *text,
                   size_t bytes, struct mw_layout **out)
{
    int rc = MW_OK;
    char *own = NULL;
    struct mw_diagnostics d = {0};
    *out = NULL;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->axis[i].key, "roles") == 0) {
            MW_TRY(rc,
                   replace_roles(text, bytes, mw_axes_value(a, point, i), &own, &bytes));
            text = own;
        }
    rc = mw_layout_parse(text, bytes, out, &d);
    if (rc == MW_ERR_DATA)
        rc = bad_point(a, point, mw_error_text());
end:
    mw_free(own);
    return rc;
}

/* Writes a value to its place. */
static int set(const struct key *k, const char *text, struct mw_layout *l,
               struct mw_sim_conf *conf)
{
    struct value v = {0};
    const int rc = read_value(k, text, &v);
    const bool in_layout = k->kind <= LAYOUT_RATE;
    char *structure = in_layout ? (char *)l : (char *)conf;
    void *target = structure + k->at, *also = structure + k->also_at;
    if (rc < MW_OK || k->kind == ROLES)
        return rc;
    if (is_real(k))
        *(double *)target = v.real;
    else if (k->kind == SIM_U64)
        *(uint64_t *)target = v.whole;
    else
        *(uint32_t *)target = (uint32_t)v.whole;
    if (k->also_at != 0)
        *(uint32_t *)also = (uint32_t)v.whole;
    return MW_OK;
}

/* What the parser would have said about numbers that must agree. */
static int check_point(const struct mw_axes *a, uint64_t point, const struct mw_layout *l)
{
    char text[128];
    if (l->payload_bytes > l->message_bytes) {
        snprintf(text, sizeof text, "a payload of %u bytes in messages of %u",
                 l->payload_bytes, l->message_bytes);
        return bad_point(a, point, text);
    }
    for (uint64_t i = 0; mw_axes_has(a, "buckets") && i < l->n_listed; i++)
        if (l->listed_bucket[i] >= (int64_t)l->n_buckets) {
            snprintf(text, sizeof text, "a flow has bucket %" PRId64 ", there are %u",
                     l->listed_bucket[i], l->n_buckets);
            return bad_point(a, point, text);
        }
    return MW_OK;
}

int mw_axes_apply(const struct mw_axes *a, uint64_t point, struct mw_layout *l,
                  struct mw_sim_conf *conf)
{
    for (uint32_t i = 0; i < a->n; i++) {
        struct key k;
        find_key(a->axis[i].key, &k);
        MW_NEED(set(&k, mw_axes_value(a, point, i), l, conf));
    }
    for (int class = MW_ROW; class < MW_N_CLASSES; class ++)
        conf->fifo[class] = l->fifo[class];
    conf->send = l->send;
    return check_point(a, point, l);
}
