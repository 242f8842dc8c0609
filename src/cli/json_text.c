/* json_text.c -- see json_text.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/json_text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { OPEN_LEVELS = 2 }; /* of objects with one key a line */

static void put(FILE *f, const json_t *v, int depth);

/* The fewest digits that bring it back; with a point or an exponent, or it would come back as
 * an integer. */
static void put_real(FILE *f, double x)
{
    char text[40];
    for (int digits = 15; digits <= 17; digits++) {
        snprintf(text, sizeof text, "%.*g", digits, x);
        if (!(strtod(text, NULL) < x) && !(strtod(text, NULL) > x))
            break;
    }
    fprintf(f, "%s%s", text, strpbrk(text, ".e") == NULL ? ".0" : "");
}

static void put_scalar(FILE *f, const json_t *v)
{
    if (json_is_real(v))
        put_real(f, json_real_value(v));
    else if (json_dumpf(v, f, JSON_ENCODE_ANY) != 0)
        fputs("null", f);
}

static void put_object(FILE *f, const json_t *v, int depth)
{
    const bool open = depth < OPEN_LEVELS && json_object_size(v) > 0;
    const char *key;
    json_t *one;
    bool first = true;
    fputc('{', f);
    json_object_foreach((json_t *)(uintptr_t)v, key, one)
    {
        json_t *name = json_string(key);
        if (!first)
            fputc(',', f);
        if (open)
            fprintf(f, "\n%*s", depth + 1, "");
        put_scalar(f, name);
        fputs(": ", f);
        put(f, one, depth + 1);
        json_decref(name);
        first = false;
    }
    if (open)
        fprintf(f, "\n%*s", depth, "");
    fputc('}', f);
}

static void put_array(FILE *f, const json_t *v, int depth)
{
    const char *separator = "";
    fputc('[', f);
    for (size_t i = 0; i < json_array_size(v); i++) {
        const json_t *one = json_array_get(v, i);
        fprintf(f, "%s%s", separator, json_is_object(one) ? "\n " : "");
        put(f, one, depth < OPEN_LEVELS ? OPEN_LEVELS : depth);
        separator = ",";
    }
    fputc(']', f);
}

static void put(FILE *f, const json_t *v, int depth)
{
    if (json_is_object(v))
        put_object(f, v, depth);
    else if (json_is_array(v))
        put_array(f, v, depth);
    else
        put_scalar(f, v);
}

int mw_json_text(const json_t *value, char **out, size_t *bytes)
{
    *out = NULL;
    FILE *f = value != NULL ? open_memstream(out, bytes) : NULL;
    if (f == NULL)
        return mw_fail(MW_ERR_NOMEM, "no memory for the text of a JSON document");
    put(f, value, 0);
    fputc('\n', f);
    const bool bad = ferror(f) != 0;
    if (fclose(f) != 0 || bad) {
        free(*out);
        *out = NULL;
        return mw_fail(MW_ERR_NOMEM, "no memory for the text of a JSON document");
    }
    return MW_OK;
}

int mw_json_text_print(json_t *value)
{
    char *text;
    size_t bytes;
    const int rc = mw_json_text(value, &text, &bytes);
    json_decref(value);
    if (rc == MW_OK)
        fputs(text, stdout);
    free(text);
    return rc;
}
