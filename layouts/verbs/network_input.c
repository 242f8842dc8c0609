/* network_input.c -- see network_input.h; and the JSON form of a list of routes:
 *
 *      { "format": "meshway-routes/1", "routes": [
 *        { "source": "a", "destination": "d", "hops": ["b", "c"], "channel": "/1", "depth": 4 } ] }
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/network_input.h"

#include "base/mem.h"
#include "layouts/routes/list.h"

#include <jansson.h>
#include <string.h>

/* The line in which object number `i` of the list "routes" begins: the text is known to be
 * JSON, so braces outside of strings tell. */
static uint32_t line_of(const char *text, size_t bytes, size_t i)
{
    uint32_t line = 1, depth = 0;
    bool string = false;
    for (size_t at = 0; at < bytes; at++) {
        const char c = text[at];
        line += c == '\n';
        if (string && c == '\\')
            at++;
        else if (c == '"')
            string = !string;
        else if (!string && (c == '}' || c == ']'))
            depth--;
        else if (!string && (c == '{' || c == '[') && depth++ == 2 && i-- == 0)
            return line;
    }
    return line;
}

static int words_of(const json_t *j, struct mw_listed_words *out, bool *good)
{
    const json_t *one;
    size_t i;
    if (j == NULL)
        return MW_OK;
    if (json_is_string(j) && json_string_length(j) > 0)
        return mw_listed_words_add(out, json_string_value(j), json_string_length(j));
    *good = *good && json_is_array(j);
    json_array_foreach(j, i, one)
    {
        if (!json_is_string(one) || json_string_length(one) == 0)
            *good = false;
        else
            MW_NEED(words_of(one, out, good));
    }
    return MW_OK;
}

/* Numbers as the words that the list has; `text` keeps them. */
static int depths_of(const json_t *j, char text[][12], uint32_t room,
                     struct mw_listed_words *out, bool *good)
{
    const size_t n = json_is_array(j) ? json_array_size(j) : j == NULL ? 0 : 1;
    *good = *good && n <= room;
    for (uint32_t i = 0; i < n && *good; i++) {
        const json_t *one = json_is_array(j) ? json_array_get(j, i) : j;
        const json_int_t x = json_integer_value(one);
        *good = json_is_integer(one) && x >= 0 && x < 100000;
        snprintf(text[i], sizeof text[i], "%d", *good ? (int)x : 0);
        if (*good)
            MW_NEED(mw_listed_words_add(out, text[i], strlen(text[i])));
    }
    return MW_OK;
}

static int read_route(json_t *j, struct mw_network *n, uint32_t line,
                      struct mw_diagnostics *d)
{
    static const char *const known[] = {"source", "hops", "destination", "channel",
                                        "depth"};
    enum { N_KNOWN = 5, DEPTHS = 256 };
    int rc = MW_OK;
    struct mw_listed r = {.line = line};
    bool good = true;
    const char *key;
    json_t *value;
    char(*text)[12];
    MW_NEW(rc, text, "depths", DEPTHS);
    json_object_foreach(j, key, value)
    {
        int k = 0;
        while (k < N_KNOWN && strcmp(key, known[k]) != 0)
            k++;
        if (k == N_KNOWN)
            mw_diagnose(d, false, line, 1, "unknown field \"%.40s\" of a route", key);
    }
    if (!json_is_string(json_object_get(j, "source")) ||
        !json_is_string(json_object_get(j, "destination")))
        mw_diagnose(d, false, line, 1, "expected a source and a destination, as strings");
    for (int k = 0; k < 3; k++)
        MW_TRY(rc, words_of(json_object_get(j, known[k]), &r.nodes, &good));
    MW_TRY(rc, words_of(json_object_get(j, "channel"), &r.channels, &good));
    MW_TRY(rc, depths_of(json_object_get(j, "depth"), text, DEPTHS, &r.depths, &good));
    if (!good || r.nodes.n < 2)
        mw_diagnose(d, false, line, 1,
                    "expected names as strings, or lists of them, and depths as numbers");
    else
        MW_TRY(rc, mw_network_list(n, &r, d));
end:
    mw_free(text);
    mw_listed_fini(&r);
    return rc;
}

static int read_json(const char *text, size_t bytes, struct mw_network *out,
                     struct mw_diagnostics *d)
{
    int rc = MW_OK;
    json_error_t error;
    size_t i;
    json_t *one, *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &error);
    const json_t *list = json_object_get(root, "routes");
    const char *format = json_string_value(json_object_get(root, "format"));
    if (root == NULL)
        mw_diagnose(d, false, error.line > 0 ? (uint32_t)error.line : 1,
                    error.column > 0 ? (uint32_t)error.column : 1, "not JSON: %s",
                    error.text);
    else if (format == NULL || strcmp(format, "meshway-routes/1") != 0)
        mw_diagnose(d, false, 1, 1, "expected \"format\": \"meshway-routes/1\"");
    else if (!json_is_array(list) || json_object_size(root) != 2)
        mw_diagnose(d, false, 1, 1, "expected a list \"routes\", and nothing else");
    /* The list stands first or last: line_of() counts its objects by their depth. */
    json_array_foreach(list, i, one)
    {
        const uint32_t line = line_of(text, bytes, i);
        if (d->n_errors > MW_DIAGNOSTICS_MAX)
            break;
        if (!json_is_object(one))
            mw_diagnose(d, false, line, 1, "routes[%zu] is no object", i);
        else
            MW_TRY(rc, read_route(one, out, line, d));
    }
end:
    json_decref(root);
    return rc;
}

int mw_network_read(enum mw_network_form form, const char *text, size_t bytes,
                    struct mw_network *out, struct mw_diagnostics *d)
{
    size_t at = 0;
    while (at < bytes && memchr(" \t\r\n", text[at], 4) != NULL)
        at++;
    const bool json = at < bytes && text[at] == '{';
    *out = (struct mw_network){0};
    int rc = form == MW_FROM_AIE   ? mw_network_read_aie(text, bytes, out, d)
             : form == MW_FROM_VTR ? mw_network_read_vtr(text, bytes, out, d)
             : json                ? read_json(text, bytes, out, d)
                                   : mw_network_read_csv(text, bytes, out, d);
    if (rc == MW_OK && d->n_errors == 0 && out->n_passages == 0)
        mw_diagnose(d, false, 1, 1, "no route is in it");
    if (rc == MW_OK && d->n_errors > 0)
        rc = mw_fail(MW_ERR_DATA, "%u errors", d->n_errors);
    mw_network_settle(out);
    if (rc < MW_OK)
        mw_network_fini(out);
    return rc;
}
