/* mesh_vectors.c -- see mesh_vectors.h: the file around its layouts and scripts.
 *
 * Functions below this level say which field is wrong ("exhaust[1]: depth: ..."); where the
 * vector stands in the file is put before that in one place, read_list().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/mesh_vectors_read.h"

#include "cli/json_field.h"

#include "base/mem.h"

#include <stdio.h>
#include <string.h>

enum { NAME_SHOWN = 60 };

bool mw_vectors_detect(const char *text, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (memchr(" \t\r\n", text[i], 4) == NULL)
            return text[i] == '{';
    return false;
}

static int read_name(const json_t *j, struct mw_vectors_file *f, struct mw_vector *v)
{
    const json_t *name = json_object_get(j, "name"), *note = json_object_get(j, "note");
    const char *text = json_string_value(name);
    if (text == NULL || text[0] == '\0')
        return mw_json_wrong(name, "a name", "name");
    v->name = mw_json_escaped(text);
    if (v->name == NULL)
        return MW_ERR_NOMEM;
    if (note != NULL && !json_is_string(note))
        return mw_json_wrong(note, "a text", "note");
    if (json_object_get(f->names, text) != NULL)
        return mw_fail(MW_ERR_DATA, "name: is given twice");
    return json_object_set_new(f->names, text, json_true()) == 0
               ? MW_OK
               : mw_fail(MW_ERR_NOMEM, "vector: names");
}

static int read_vector(json_t *j, bool is_script, struct mw_vectors_file *f,
                       struct mw_vector *v)
{
    MW_NEED(read_name(j, f, v));
    return is_script ? mw_vector_script(j, f, v) : mw_vector_layout(j, f, v);
}

/* Puts the vector's place before what is recorded. */
static int at_vector(const char *key, size_t i, const char *name)
{
    char text[512];
    snprintf(text, sizeof text, "%s", mw_error_text());
    if (name == NULL)
        return mw_fail(MW_ERR_DATA, "%s[%zu]: %s", key, i, text);
    return mw_fail(MW_ERR_DATA, "%s[%zu] '%.*s': %s", key, i,
                   mw_json_bytes_shown(name, NAME_SHOWN), name, text);
}

static int read_list(const json_t *root, const char *key, bool are_scripts,
                     struct mw_vectors_file *f, struct mw_vectors *out)
{
    size_t i;
    json_t *j;
    json_array_foreach(json_object_get(root, key), i, j)
    {
        struct mw_vector *v = &out->vector[out->n++];
        const int rc = json_is_object(j) ? read_vector(j, are_scripts, f, v)
                                         : mw_json_wrong(j, "an object", "a vector");
        if (rc < MW_OK)
            return rc == MW_ERR_DATA ? at_vector(key, i, v->name) : rc;
    }
    return MW_OK;
}

static int read_turn_pair(const json_t *pair, size_t i, struct mw_turns *t)
{
    static const char *const turns[] = {"NE", "ES", "SW", "WN", "NW",
                                        "WS", "SE", "EN", NULL};
    if (json_array_size(pair) != 2 || i >= sizeof t->cyclic / sizeof *t->cyclic)
        return mw_json_wrong(pair, "at most 16 pairs of turns", "turn_model: cyclic[%zu]",
                             i);
    for (size_t k = 0; k < 2; k++) {
        const int turn = mw_json_word(json_array_get(pair, k), turns);
        if (turn < 0)
            return mw_json_wrong(json_array_get(pair, k), "a turn such as \"NE\"",
                                 "turn_model: cyclic[%zu][%zu]", i, k);
        memcpy(t->cyclic[i][k], turns[turn], 3);
    }
    t->n_cyclic++;
    return MW_OK;
}

/* Whatever else is written there is for people. */
static int read_turns(const json_t *j, struct mw_turns *t)
{
    size_t i;
    json_t *pair;
    const json_t *cyclic = json_object_get(j, "cyclic");
    const json_t *count = json_object_get(j, "acyclic_count");
    if (j == NULL)
        return MW_OK;
    if (!json_is_object(j))
        return mw_json_wrong(j, "an object", "turn_model");
    if (!json_is_array(cyclic))
        return mw_json_wrong(cyclic, "an array", "turn_model: cyclic");
    MW_NEED(
        mw_json_integer(count, 0, 16, &t->acyclic_count, "turn_model: acyclic_count"));
    json_array_foreach(cyclic, i, pair) MW_NEED(read_turn_pair(pair, i, t));
    t->present = true;
    return MW_OK;
}

static int read_root(json_t *root, struct mw_vectors_file *f, struct mw_vectors *out)
{
    static const char *const known[] = {"format",  "conventions", "turn_model",
                                        "layouts", "scripts",     NULL};
    static const char *const formats[] = {"meshshuffle-vectors/1", NULL};
    if (mw_json_word(json_object_get(root, "format"), formats) < 0)
        return mw_fail(MW_ERR_DATA, "JSON, but not of format %s", formats[0]);
    MW_NEED(mw_json_check_object(root, known, "the file"));
    MW_NEED(mw_json_optional_array(root, "layouts"));
    MW_NEED(mw_json_optional_array(root, "scripts"));
    const size_t n = json_array_size(json_object_get(root, "layouts")) +
                     json_array_size(json_object_get(root, "scripts"));
    if (n > MW_VECTORS_MAX)
        return mw_fail(MW_ERR_DATA, "%zu layouts and scripts, at most %d", n,
                       MW_VECTORS_MAX);
    MW_NEED_NEW(out->vector, "vectors", n);
    MW_NEED(read_list(root, "layouts", false, f, out));
    MW_NEED(read_list(root, "scripts", true, f, out));
    return read_turns(json_object_get(root, "turn_model"), &out->turns);
}

/* The parser's words hold a piece of the file. */
static int not_json(const json_error_t *e)
{
    char *text = mw_json_escaped(e->text);
    const int rc = mw_fail(MW_ERR_DATA, "%d:%d: not JSON: %s", e->line, e->column,
                           text != NULL ? text : "");
    mw_free(text);
    return rc;
}

int mw_vectors_parse(const char *text, size_t bytes, struct mw_vectors *out)
{
    int rc;
    json_error_t e;
    *out = (struct mw_vectors){0};
    json_t *root = json_loadb(text, bytes, JSON_REJECT_DUPLICATES, &e);
    if (root == NULL)
        return not_json(&e);
    struct mw_vectors_file f = {.names = json_object()};
    rc = f.names != NULL ? read_root(root, &f, out)
                         : mw_fail(MW_ERR_NOMEM, "vector: names");
    json_decref(f.names);
    json_decref(root);
    if (rc < MW_OK)
        mw_vectors_fini(out);
    return rc;
}
