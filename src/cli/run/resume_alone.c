/* resume_alone.c -- "meshway run --resume FILE" without a graph: FILE says which, and how it was
 * searched. See run.h.
 *
 * What was given to the earlier run is given again, as words of a command line that are parsed like
 * any other, so every check of options holds. What this command line says itself wins.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "base/mem.h"
#include "base/text.h"
#include "cli/run/result_read.h"

#include <string.h>
#include <unistd.h>

static int read_result(const char *file, json_t **out)
{
    char *text = NULL;
    size_t bytes;
    int rc;
    if (access(file, F_OK) != 0)
        return mw_fail(MW_ERR_NOINPUT,
                       "--resume %s: no such file, which could say what graph; give the "
                       "command of the earlier run, with --resume",
                       file);
    MW_TRY(rc, mw_text_read(file, RUN_RESULT_BYTES_MAX, &text, &bytes));
    MW_TRY(rc, mw_result_parse(file, text, bytes, out));
end:
    mw_free(text);
    return rc;
}

/* As it stands on a command line; "" of a flag; NULL: there is none. */
static const char *text_of(const json_t *value, char room[32])
{
    if (json_is_integer(value))
        snprintf(room, 32, "%" JSON_INTEGER_FORMAT, json_integer_value(value));
    else if (json_is_real(value))
        snprintf(room, 32, "%.17g", json_real_value(value));
    else if (json_is_true(value))
        room[0] = '\0';
    else
        return json_string_value(value);
    return room;
}

/* Of the earlier run: not what it left to the defaults, nor what this one says, nor outputs. */
static bool is_taken(const struct mw_settings *s, const char *name, const json_t *one)
{
    const char *origin = json_string_value(json_object_get(one, "origin"));
    const bool roots = strcmp(name, "roots") == 0 || strcmp(name, "root") == 0;
    if (origin == NULL || strcmp(origin, "default") == 0 || mw_setting_given(s, name))
        return false;
    if (roots)
        return !mw_setting_given(s, "roots") && !mw_setting_given(s, "root");
    return strcmp(name, "graph") == 0 || !run_resume_is_free(name);
}

static int add_earlier(const struct mw_settings *s, const json_t *options,
                       struct mw_words *w)
{
    int rc = MW_OK;
    char room[32];
    for (size_t i = 0; i < s->command->n_options && rc == MW_OK; i++) {
        const char *name = s->command->option[i].name;
        const json_t *one = json_object_get(options, name);
        const char *text = text_of(json_object_get(one, "value"), room);
        if (text != NULL && is_taken(s, name, one))
            rc = mw_words_add(w, name, text);
    }
    return rc;
}

/* Can the graph be had once more? */
static int check_graph(const char *file, const struct mw_settings *s)
{
    const char *graph = mw_setting_text(s, "graph");
    if (graph == NULL && mw_setting_text(s, "scale") == NULL)
        return mw_fail(MW_ERR_DATA, "--resume %s: it does not say what graph; give it",
                       file);
    if (graph != NULL && strcmp(graph, "-") == 0)
        return mw_fail(MW_ERR_USAGE,
                       "--resume %s: its graph came from standard input, which is gone; "
                       "give it again (--graph FILE, with the other options as before)",
                       file);
    if (graph != NULL && access(graph, F_OK) != 0)
        return mw_fail(
            MW_ERR_NOINPUT,
            "--resume %s: its graph, %s, is not here; say where it is (--graph "
            "FILE, with the other options as before)",
            file, graph);
    return MW_OK;
}

int run_resume_alone(const struct mw_settings *s, struct mw_words *w,
                     struct mw_settings *out)
{
    int rc = MW_OK;
    json_t *result = NULL;
    const char *file = mw_setting_text(s, "resume");
    if (file == NULL || run_is_stdout(file) || mw_setting_text(s, "scale") != NULL ||
        mw_setting_text(s, "graph") != NULL)
        return MW_OK;
    MW_TRY(rc, read_result(file, &result));
    MW_TRY(rc, mw_words_begin(w, s));
    MW_TRY(
        rc,
        add_earlier(
            s, json_object_get(json_object_get(result, "configuration"), "options"), w));
    MW_TRY(rc, mw_words_parse(w, s, out));
    MW_TRY(rc, check_graph(file, out));
end:
    json_decref(result);
    return rc;
}
