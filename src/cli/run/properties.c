/* properties.c -- see properties.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/properties.h"

#include "base/mem.h"
#include "base/text.h"
#include "cli/run/shape.h"
#include "traversal/keys.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { FILE_BYTES_MAX = 1 << 20, VALUE_ROOM = PATH_MAX };

/* What a graph's file says of an algorithm: the key that gets its value, NULL for the root; or a
 * value that goes with it. */
static const struct {
    const char *algorithm, *property, *key, *fixed;
} parameters[] = {
    {"bfs", "bfs.source-vertex", NULL, NULL},
    {"sssp", "sssp.source-vertex", NULL, NULL},
    {"pagerank", "pr.damping-factor", "damping", NULL},
    {"pagerank", "pr.num-iterations", "iterations", NULL},
    {"pagerank", "pr.num-iterations", "tolerance", "0"},
    {"communities", "cdlp.max-iterations", "iterations", NULL},
};

bool mw_properties_knows(const char *algorithm)
{
    return mw_word_index("bfs|sssp|pagerank|cc|communities|triangles", algorithm) !=
           SIZE_MAX;
}

static const char blanks[] = " \t\r";

/* [begin, end) without blanks around it, as a string. */
static void copy_trimmed(const char *begin, const char *end, char out[VALUE_ROOM])
{
    begin += strspn(begin, blanks);
    while (end > begin && strchr(blanks, end[-1]) != NULL)
        end--;
    const size_t n = end > begin ? mw_min((size_t)(end - begin), VALUE_ROOM - 1) : 0;
    memcpy(out, begin, n);
    out[n] = '\0';
}

/* Of "graph.NAME.property = value" the value; NAME may have dots. */
static bool find_property(const char *text, const char *property, char value[VALUE_ROOM])
{
    static const char graph[] = "graph.";
    char key[VALUE_ROOM];
    const size_t length = strlen(property);
    for (const char *line = text; *line != '\0';) {
        const char *const end = line + strcspn(line, "\n");
        const char *const sign = line + strcspn(line, "=:\n");
        copy_trimmed(line, sign, key);
        const size_t n = strlen(key);
        if (sign < end && strncmp(key, graph, sizeof graph - 1) == 0 &&
            n > sizeof graph + length && key[n - length - 1] == '.' &&
            strcmp(key + n - length, property) == 0) {
            copy_trimmed(sign + 1, end, value);
            return true;
        }
        line = end + (*end == '\n');
    }
    return false;
}

/* A file that is named there stands beside it. */
static int find_file(const char *path, const char *text, const char *property,
                     char value[VALUE_ROOM])
{
    char named[VALUE_ROOM];
    if (!find_property(text, property, named) || named[0] == '\0')
        return mw_fail(MW_ERR_DATA,
                       "%s: no graph.NAME.%s in it; expected a graph's properties as "
                       "LDBC Graphalytics has them",
                       path, property);
    const char *const slash = strrchr(path, '/');
    const int folder = slash != NULL && named[0] != '/' ? (int)(slash + 1 - path) : 0;
    const int n = snprintf(value, VALUE_ROOM, "%.*s%s", folder, path, named);
    return n < VALUE_ROOM ? MW_OK
                          : mw_fail(MW_ERR_DATA, "%s: the name of its %s is too long",
                                    path, property);
}

static bool has_option(const struct mw_settings *s, const char *name)
{
    return mw_option_find(s->command, name) != NULL;
}

static int add_unless_typed(const struct mw_settings *s, struct mw_words *w,
                            const char *name, const char *value)
{
    return mw_setting_given(s, name) ? MW_OK : mw_words_add(w, name, value);
}

/* Algorithms that take edges both ways only, such as weakly connected components, do so. */
static int add_direction(const struct mw_settings *s, const char *path, const char *text,
                         struct mw_words *w)
{
    char value[VALUE_ROOM];
    const struct mw_algorithm *a = NULL;
    if (!has_option(s, "directed") || mw_setting_given(s, "directed") ||
        mw_setting_given(s, "undirected"))
        return MW_OK;
    if (!find_property(text, "directed", value) ||
        (strcmp(value, "true") != 0 && strcmp(value, "false") != 0))
        return mw_fail(MW_ERR_DATA, "%s: graph.NAME.directed: expected true or false",
                       path);
    if (has_option(s, "algorithm") && mw_shape_algorithm(s, &a) < MW_OK)
        a = NULL; /* the command says what is wrong */
    const bool one_way = value[0] == 't' && (a == NULL || !a->both_ways);
    return mw_words_add(w, one_way ? "directed" : "undirected", "");
}

static int add_parameter(const struct mw_settings *s, const char *text, size_t i,
                         char tune[VALUE_ROOM], struct mw_words *w)
{
    char value[VALUE_ROOM];
    struct mw_tune given;
    const char *const key = parameters[i].key, *const fixed = parameters[i].fixed;
    if (!find_property(text, parameters[i].property, value))
        return MW_OK;
    if (value[0] == '\0')
        return mw_fail(MW_ERR_DATA, "%s: graph.NAME.%s has no value",
                       mw_setting_text(s, "graph"), parameters[i].property);
    if (key == NULL)
        return mw_setting_given(s, "root") || mw_setting_given(s, "roots")
                   ? MW_OK
                   : mw_words_add(w, "root", value);
    if (mw_tune_find(mw_setting_text(s, "tune"), key, &given))
        return MW_OK;
    const size_t n = strlen(tune);
    const int added = snprintf(tune + n, VALUE_ROOM - n, "%s%s=%s", n > 0 ? "," : "", key,
                               fixed != NULL ? fixed : value);
    return n + (size_t)added < VALUE_ROOM
               ? mw_words_add(w, "tune", tune)
               : mw_fail(MW_ERR_DATA, "graph.NAME.%s: too long", parameters[i].property);
}

static int add_parameters(const struct mw_settings *s, const char *text,
                          struct mw_words *w)
{
    int rc = MW_OK;
    char tune[VALUE_ROOM] = "";
    if (!has_option(s, "algorithm"))
        return MW_OK;
    if (mw_setting_text(s, "tune") != NULL)
        snprintf(tune, sizeof tune, "%s", mw_setting_text(s, "tune"));
    for (size_t i = 0; i < sizeof parameters / sizeof *parameters && rc == MW_OK; i++)
        if (strcmp(parameters[i].algorithm, mw_setting_text(s, "algorithm")) == 0)
            rc = add_parameter(s, text, i, tune, w);
    return rc;
}

static bool is_properties(const char *path)
{
    static const char end[] = ".properties";
    const size_t n = path != NULL ? strlen(path) : 0;
    return n >= sizeof end && strcmp(path + n - (sizeof end - 1), end) == 0;
}

int mw_properties_apply(const struct mw_settings *s, struct mw_words *w,
                        struct mw_settings *out)
{
    int rc = MW_OK;
    size_t bytes;
    char *text = NULL, file[VALUE_ROOM];
    const char *const path =
        has_option(s, "vertex-file") ? mw_setting_text(s, "graph") : NULL;
    out->command = NULL;
    if (!is_properties(path))
        return MW_OK;
    MW_TRY(rc, mw_text_read(path, FILE_BYTES_MAX, &text, &bytes));
    MW_TRY(rc, mw_words_begin(w, s));
    MW_TRY(rc, find_file(path, text, "edge-file", file));
    MW_TRY(rc, mw_words_add(w, "graph", file));
    MW_TRY(rc, find_file(path, text, "vertex-file", file));
    MW_TRY(rc, add_unless_typed(s, w, "format", "edges"));
    MW_TRY(rc, add_unless_typed(s, w, "separator", "blank"));
    MW_TRY(rc, add_unless_typed(s, w, "vertex-file", file));
    MW_TRY(rc, add_unless_typed(s, w, "compact-ids", ""));
    MW_TRY(rc, add_direction(s, path, text, w));
    MW_TRY(rc, add_parameters(s, text, w));
    rc = mw_words_parse(w, s, out);
    out->described_by = path;
end:
    mw_free(text);
    return rc;
}
