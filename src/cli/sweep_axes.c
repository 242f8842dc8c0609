/* sweep_axes.c -- see sweep_axes.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/sweep_axes.h"

#include "base/mem.h"
#include "cli/option.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* ---- axes and values -------------------------------------------------------------------- */

static int add_value(struct mw_axis *a, const char *word, size_t length)
{
    if (length == 0 || length >= MW_AXIS_WORD)
        return mw_fail(MW_ERR_USAGE, "--vary %s: '%.*s' is no value", a->key,
                       (int)mw_min(length, 80), word);
    if (a->n >= 16 && (a->n & (a->n - 1)) != 0) { /* room left in the last power of two */
    } else if (a->n >= 16 || a->value == NULL) {
        void *larger =
            mw_alloc("sweep values", mw_max(16, 2 * (uint64_t)a->n), MW_AXIS_WORD);
        if (larger == NULL)
            return MW_ERR_NOMEM;
        if (a->n > 0)
            memcpy(larger, a->value, (size_t)a->n * MW_AXIS_WORD);
        mw_free(a->value);
        a->value = larger;
    }
    memcpy(a->value[a->n], word, length);
    a->value[a->n++][length] = '\0';
    return MW_OK;
}

/* a..b, a..b+step, a..b*factor; MW_AGAIN: this is no range. */
static int add_range(struct mw_axis *a, const char *word)
{
    uint64_t first, last, by = 1;
    char how = '+', rest;
    const int n = sscanf(word, "%" SCNu64 "..%" SCNu64 "%c%" SCNu64 "%c", &first, &last,
                         &how, &by, &rest);
    if (strstr(word, "..") == NULL)
        return MW_AGAIN;
    if ((n != 2 && n != 4) || (how != '+' && how != '*') || by < (how == '*' ? 2 : 1) ||
        first > last || (how == '*' && first == 0) || last > UINT32_MAX)
        return mw_fail(
            MW_ERR_USAGE,
            "--vary %s: '%.40s' is no range; expected a..b, a..b+step or a..b*factor",
            a->key, word);
    for (uint64_t x = first; x <= last; x = how == '*' ? x * by : x + by) {
        char text[24];
        const int length = snprintf(text, sizeof text, "%" PRIu64, x);
        const int rc = a->n < MW_POINTS_MAX
                           ? add_value(a, text, (size_t)length)
                           : mw_fail(MW_ERR_USAGE, "--vary %s: more than %d values",
                                     a->key, MW_POINTS_MAX);
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}

static int add_piece(struct mw_axis *a, const char *piece, size_t length)
{
    char word[128];
    snprintf(word, sizeof word, "%.*s", (int)mw_min(length, sizeof word - 1), piece);
    const int rc = add_range(a, word);
    return rc == MW_AGAIN ? add_value(a, piece, length) : rc;
}

/* What can be varied beside roles: a number of the layout, or of the simulation. */
struct key {
    const char *name;
    enum { LAYOUT_U32, LAYOUT_REAL, SIM_U32, SIM_U64, SIM_REAL } kind;
    size_t at,
        also_at; /* where it stands in its structure; also_at: a second place, or 0 */
    double min, max;
};
#define IN_LAYOUT(field) offsetof(struct mw_layout, field)
#define IN_SIM(field)    offsetof(struct mw_sim_conf, field)

static const struct key keys[] = {
    {"fifo", LAYOUT_U32, IN_LAYOUT(fifo[MW_ROW]), IN_LAYOUT(fifo[MW_COLUMN]), 0,
     MW_FIFO_MAX},
    {"row", LAYOUT_U32, IN_LAYOUT(fifo[MW_ROW]), 0, 0, MW_FIFO_MAX},
    {"col", LAYOUT_U32, IN_LAYOUT(fifo[MW_COLUMN]), 0, 0, MW_FIFO_MAX},
    {"send", LAYOUT_U32, IN_LAYOUT(send), 0, 0, MW_FIFO_MAX},
    {"buckets", LAYOUT_U32, IN_LAYOUT(n_buckets), 0, 1, MW_BUCKETS_MAX},
    {"batch", LAYOUT_U32, IN_LAYOUT(batch_bytes), 0, 1, 1 << 20},
    {"buffers", LAYOUT_U32, IN_LAYOUT(batch_buffers), 0, 1, 1 << 20},
    {"msg", LAYOUT_U32, IN_LAYOUT(message_bytes), 0, 1, 32},
    {"payload", LAYOUT_U32, IN_LAYOUT(payload_bytes), 0, 1, 32},
    {"clock", LAYOUT_REAL, IN_LAYOUT(clock_hz), 0, 1, 1e12},
    {"dma", LAYOUT_REAL, IN_LAYOUT(dma_bytes_per_s), 0, 1, 1e15},
    {"sat", LAYOUT_U32, IN_LAYOUT(dma_saturation), 0, 1, MW_MESH_CORES_MAX},
    {"latency", SIM_U32, IN_SIM(latency), 0, 0, 1000},
    {"detect", SIM_U32, IN_SIM(detect_every), 0, 1, UINT32_MAX},
    {"cycles", SIM_U64, IN_SIM(cycles), 0, 1, 1e12},
    {"supply", SIM_U64, IN_SIM(supply), 0, 1, UINT32_MAX},
    {"load", SIM_REAL, IN_SIM(load), 0, 1e-6, 1},
    {"hotspot", SIM_REAL, IN_SIM(hotspot), 0, 0, 1},
    {"skew", SIM_REAL, IN_SIM(skew), 0, 0, 10},
    {"warmup", SIM_REAL, IN_SIM(warmup), 0, 0, 0.99},
};
enum { N_KEYS = sizeof keys / sizeof *keys };

static const struct key *find_key(const char *name)
{
    for (int i = 0; i < N_KEYS; i++)
        if (strcmp(keys[i].name, name) == 0)
            return &keys[i];
    return NULL;
}

static bool is_cost(const char *name)
{
    return strncmp(name, "cost.", 5) == 0 && name[5] >= 'A' && name[5] <= 'Z' &&
           name[6] == '\0';
}

static int unknown_key(const char *name)
{
    char list[256] = "";
    for (int i = 0; i < N_KEYS; i++) {
        strcat(list, keys[i].name);
        strcat(list, ", ");
    }
    return mw_fail(MW_ERR_USAGE,
                   "--vary: '%s' cannot be varied; %sroles and cost.LETTER can", name,
                   list);
}

static int new_axis(struct mw_axes *axes, const char *key, size_t length)
{
    if (axes->n == MW_AXES_MAX)
        return mw_fail(MW_ERR_USAGE, "--vary: more than %d axes", MW_AXES_MAX);
    struct mw_axis *a = &axes->axis[axes->n++];
    snprintf(a->key, sizeof a->key, "%.*s", (int)mw_min(length, sizeof a->key - 1), key);
    for (uint32_t i = 0; i + 1 < axes->n; i++)
        if (strcmp(axes->axis[i].key, a->key) == 0)
            return mw_fail(MW_ERR_USAGE, "--vary: '%s' is given twice", a->key);
    if (length >= sizeof a->key ||
        (find_key(a->key) == NULL && !is_cost(a->key) && strcmp(a->key, "roles") != 0))
        return unknown_key(a->key);
    return MW_OK;
}

int mw_axes_parse(const char *text, struct mw_axes *out)
{
    int rc = MW_OK;
    *out = (struct mw_axes){.n_points = 1};
    while (text != NULL && *text != '\0') {
        size_t length = strcspn(text, ",");
        const char *equals = memchr(text, '=', length);
        if (equals != NULL) {
            MW_TRY(rc, new_axis(out, text, (size_t)(equals - text)));
            length -= (size_t)(equals + 1 - text);
            text = equals + 1;
        } else if (out->n == 0) {
            MW_TRY(rc, mw_fail(MW_ERR_USAGE, "--vary: expected KEY=VALUES, got '%.40s'",
                               text));
        }
        MW_TRY(rc, add_piece(&out->axis[out->n - 1], text, length));
        text += length + (text[length] == ',');
    }
    for (uint32_t i = 0; i < out->n; i++) {
        out->n_points *= out->axis[i].n;
        if (out->n_points > MW_POINTS_MAX)
            MW_TRY(rc,
                   mw_fail(MW_ERR_USAGE, "--vary: more than %d points", MW_POINTS_MAX));
    }
    return MW_OK;
fail:
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

/* The text without its roles statements, and one of the given letters behind it. */
static int replace_roles(const char *text, size_t bytes, const char *roles, char **out,
                         size_t *out_bytes)
{
    int rc = MW_OK;
    size_t n = 0;
    MW_NEW(rc, *out, "layout text", bytes + MW_AXIS_WORD + 16);
    for (size_t at = 0, end; at < bytes; at = end) {
        const char *newline = memchr(text + at, '\n', bytes - at);
        end = newline != NULL ? (size_t)(newline - text) + 1 : bytes;
        size_t word = at;
        while (word < end && (text[word] == ' ' || text[word] == '\t'))
            word++;
        if (end - word >= 5 && memcmp(text + word, "roles", 5) == 0)
            continue;
        memcpy(*out + n, text + at, end - at);
        n += end - at;
    }
    n += (size_t)sprintf(*out + n, "\nroles %s\n", roles);
    *out_bytes = n;
fail:
    return rc;
}

/* Writes a value to its place in `structure`. */
static int set(const struct key *k, const char *text, void *structure)
{
    char who[40];
    double real = 0;
    uint64_t whole = 0;
    void *place = (char *)structure + k->at;
    snprintf(who, sizeof who, "--vary %s", k->name);
    const bool is_real = k->kind == LAYOUT_REAL || k->kind == SIM_REAL;
    const int rc =
        is_real ? mw_parse_real(who, text, k->min, k->max, &real)
                : mw_parse_count(who, text, (uint64_t)k->min, (uint64_t)k->max, &whole);
    if (rc < MW_OK)
        return rc;
    if (is_real)
        *(double *)place = real;
    else if (k->kind == SIM_U64)
        *(uint64_t *)place = whole;
    else
        *(uint32_t *)place = (uint32_t)whole;
    if (k->also_at != 0)
        *(uint32_t *)(void *)((char *)structure + k->also_at) = (uint32_t)whole;
    return MW_OK;
}

static int apply_to_layout(const struct mw_axis *a, const char *value,
                           struct mw_layout *l)
{
    const struct key *k = find_key(a->key);
    if (is_cost(a->key)) {
        const struct key cost = {
            a->key,
            LAYOUT_U32,
            IN_LAYOUT(cost) + sizeof(uint32_t) * (size_t)(a->key[5] - 'A'),
            0,
            0,
            1000000};
        return set(&cost, value, l);
    }
    return k != NULL && k->kind <= LAYOUT_REAL ? set(k, value, l) : MW_OK;
}

int mw_axes_layout(const struct mw_axes *a, uint64_t point, const char *text,
                   size_t bytes, struct mw_layout **out)
{
    int rc = MW_OK;
    char *own = NULL;
    struct mw_diagnostics *d = NULL;
    *out = NULL;
    for (uint32_t i = 0; i < a->n; i++)
        if (strcmp(a->axis[i].key, "roles") == 0) {
            MW_TRY(rc,
                   replace_roles(text, bytes, mw_axes_value(a, point, i), &own, &bytes));
            text = own;
        }
    MW_NEW(rc, d, "diagnostics", 1);
    rc = mw_layout_parse(text, bytes, out, d);
    if (rc == MW_ERR_DATA)
        rc = mw_fail(MW_ERR_USAGE, "point %" PRIu64 " of the sweep is no layout: %s",
                     point, d->n_kept > 0 ? d->kept[0].text : "");
    for (uint32_t i = 0; i < a->n && rc == MW_OK; i++)
        rc = apply_to_layout(&a->axis[i], mw_axes_value(a, point, i), *out);
    if (rc < MW_OK) {
        mw_layout_free(*out);
        *out = NULL;
    }
fail:
    mw_free(d);
    mw_free(own);
    return rc;
}

int mw_axes_configure(const struct mw_axes *a, uint64_t point, struct mw_sim_conf *conf)
{
    for (uint32_t i = 0; i < a->n; i++) {
        const struct key *k = find_key(a->axis[i].key);
        const int rc = k != NULL && k->kind > LAYOUT_REAL
                           ? set(k, mw_axes_value(a, point, i), conf)
                           : MW_OK;
        if (rc < MW_OK)
            return rc;
    }
    return MW_OK;
}
