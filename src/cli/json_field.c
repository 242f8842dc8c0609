/* json_field.c -- see json_field.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/json_field.h"

#include "base/escape.h"
#include "base/mem.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- what a message shows --------------------------------------------------------------- */

enum { PLACE = 80, SHOWN = 48 };

struct shown {
    size_t n;
    char *out;
};

static int show_part(const char *text, size_t bytes, void *arg)
{
    struct shown *s = arg;
    for (size_t i = 0; i < bytes; i++) {
        if (s->n == SHOWN - 4)
            return -1;
        s->out[s->n++] = text[i] == 0x7F ? '?' : text[i];
    }
    return 0;
}

/* The value as JSON in ASCII, cut. */
static const char *show(const json_t *j, char out[SHOWN])
{
    struct shown s = {0, out};
    const bool cut =
        json_dump_callback(j, show_part, &s,
                           JSON_ENCODE_ANY | JSON_COMPACT | JSON_ENSURE_ASCII) != 0;
    snprintf(out + s.n, SHOWN - s.n, "%s", cut ? "..." : "");
    return out;
}

static const char *show_key(const char *key, char out[SHOWN])
{
    json_t *text = json_string(key);
    show(text, out);
    json_decref(text);
    return out;
}

static int wrong(const json_t *got, const char *expected, const char *field, va_list args)
    MW_PRINTF(3, 0);
static int wrong(const json_t *got, const char *expected, const char *field, va_list args)
{
    char where[PLACE], what[SHOWN];
    vsnprintf(where, sizeof where, field, args);
    if (got == NULL)
        return mw_fail(MW_ERR_DATA, "%s: missing; expected %s", where, expected);
    return mw_fail(MW_ERR_DATA, "%s: expected %s, got %s", where, expected,
                   show(got, what));
}

int mw_json_wrong(const json_t *got, const char *expected, const char *field, ...)
{
    va_list args;
    va_start(args, field);
    const int rc = wrong(got, expected, field, args);
    va_end(args);
    return rc;
}

int mw_json_wrong_key(const char *key, const char *expected, const char *field)
{
    char what[SHOWN];
    return mw_fail(MW_ERR_DATA, "%s: expected %s, got %s", field, expected,
                   show_key(key, what));
}

/* Bytes of the control character at `c`, 0: it is none. In UTF-8, which JSON is. */
static int control_bytes(const unsigned char *c)
{
    if (c[0] < ' ' || c[0] == 0x7F)
        return 1;
    return c[0] == 0xC2 && c[1] >= 0x80 && c[1] < 0xA0 ? 2 : 0;
}

char *mw_json_escaped(const char *text)
{
    const unsigned char *c = (const unsigned char *)text;
    char *out = mw_alloc("a name", 6 * (uint64_t)strlen(text) + 1, 1), *at = out;
    for (int n; out != NULL && *c != '\0'; c += n) {
        n = control_bytes(c);
        if (n == 0)
            *at++ = (char)*c;
        else
            at += snprintf(at, 7, "\\u%04x", c[n - 1]);
        n = n == 0 ? 1 : n;
    }
    return out;
}

json_t *mw_json_bytes(const char *text)
{
    char *whole = mw_escape_bytes(text);
    json_t *s = whole != NULL ? json_string(whole) : NULL;
    free(whole);
    return s;
}

static void put_if_said(json_t *o, const char *key, const char *text)
{
    json_object_set_new(o, key, text[0] != '\0' ? mw_json_bytes(text) : json_null());
}

static void put_if_known(json_t *o, const char *key, double value)
{
    json_object_set_new(o, key, value > 0 ? json_real(value) : json_null());
}

void mw_json_put_device(json_t *o, const struct mw_device_state *s)
{
    put_if_said(o, "driver", s->driver);
    put_if_said(o, "library", s->library);
    put_if_known(o, "clock_mhz", s->clock_mhz);
    put_if_known(o, "clock_most_mhz", s->clock_most_mhz);
    put_if_known(o, "memory_clock_mhz", s->memory_clock_mhz);
    put_if_known(o, "power_w", s->power_w);
    put_if_known(o, "power_most_w", s->power_most_w);
    put_if_known(o, "temperature_c", s->temperature_c);
}

json_t *mw_json_vertex(const struct mw_names *names, mw_vid v)
{
    char text[MW_NAME_ROOM];
    uint64_t bytes;
    if (names == NULL || names->naming != MW_NAMED_TEXTS)
        return json_integer((json_int_t)mw_names_number(names, v));
    const char *name = mw_names_bytes(names, v, &bytes);
    if (memchr(name, '\0', bytes) != NULL)
        return json_string(mw_names_text(names, v, text));
    char *whole = strndup(name, bytes);
    json_t *string = whole != NULL ? mw_json_bytes(whole) : NULL;
    free(whole);
    return string;
}

int mw_json_bytes_shown(const char *text, size_t most)
{
    size_t n = strnlen(text, most + 1);
    if (n > most)
        for (n = most; n > 0 && ((unsigned char)text[n] & 0xC0) == 0x80;)
            n--;
    return (int)n;
}

/* ---- fields --------------------------------------------------------------------------- */

int mw_json_integer(const json_t *j, json_int_t min, json_int_t max, uint32_t *out,
                    const char *field, ...)
{
    char expected[SHOWN];
    int rc;
    va_list args;
    if (json_is_integer(j) && json_integer_value(j) >= min &&
        json_integer_value(j) <= max) {
        *out = (uint32_t)json_integer_value(j);
        return MW_OK;
    }
    snprintf(expected, sizeof expected,
             "an integer %" JSON_INTEGER_FORMAT "..%" JSON_INTEGER_FORMAT, min, max);
    va_start(args, field);
    rc = wrong(j, expected, field, args);
    va_end(args);
    return rc;
}

int mw_json_word(const json_t *j, const char *const *words)
{
    const char *text = json_string_value(j);
    for (int i = 0; text != NULL && words[i] != NULL; i++)
        if (strcmp(text, words[i]) == 0)
            return i;
    return -1;
}

int mw_json_optional_word(const json_t *o, const char *key, const char *const *words,
                          const char *expected, int *out)
{
    const json_t *j = json_object_get(o, key);
    *out = j == NULL ? 0 : mw_json_word(j, words);
    return *out >= 0 ? MW_OK : mw_json_wrong(j, expected, "%s", key);
}

int mw_json_optional_flag(const json_t *o, const char *key, bool *out)
{
    const json_t *j = json_object_get(o, key);
    *out = json_is_true(j);
    return j == NULL || json_is_boolean(j) ? MW_OK
                                           : mw_json_wrong(j, "true or false", "%s", key);
}

int mw_json_optional_array(const json_t *o, const char *key)
{
    const json_t *j = json_object_get(o, key);
    return j == NULL || json_is_array(j) ? MW_OK
                                         : mw_json_wrong(j, "an array", "%s", key);
}

int mw_json_check_object(json_t *o, const char *const *known, const char *field)
{
    const char *key;
    json_t *value;
    if (!json_is_object(o))
        return mw_json_wrong(o, "an object", "%s", field);
    json_object_foreach(o, key, value)
    {
        int i = 0;
        while (known[i] != NULL && strcmp(known[i], key) != 0)
            i++;
        if (known[i] == NULL) {
            char what[SHOWN];
            return mw_fail(MW_ERR_DATA, "%s: unknown field %s", field,
                           show_key(key, what));
        }
    }
    return MW_OK;
}
