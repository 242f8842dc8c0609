/* run_names.c -- what the files of a run are called, and whether they can be created. See run.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "cli/file_check.h"
#include "cli/run/results_folder.h"
#include "io/outfile.h"
#include "io/treefile.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* --- names ------------------------------------------------------------------------- */

/* "DIR/r.json" of "mpe relay" is "DIR/r.mpe-relay.json" with "-" for a blank. What not every
 * file system takes is written %XX, so that different names are different files. */
static char *path_of(const char *path, const char *word, const char *blank)
{
    static const char digits[] = "0123456789ABCDEF";
    char *text = NULL;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    if (f == NULL)
        return NULL;
    const char *slash = strrchr(path, '/'), *dot = strrchr(path, '.');
    if (dot == NULL || (slash != NULL && dot < slash))
        dot = path + strlen(path);
    fprintf(f, "%.*s%s", (int)(dot - path), path, word[0] != '\0' ? "." : "");
    for (const unsigned char *p = (const unsigned char *)word; *p != '\0'; p++)
        if (*p == ' ')
            fputs(blank, f);
        else if (isalnum(*p) || strchr("._-", *p) != NULL)
            fputc(*p, f);
        else
            fprintf(f, "%%%c%c", digits[*p >> 4], digits[*p & 15]);
    fputs(dot, f);
    if (fclose(f) != 0) {
        free(text);
        return NULL;
    }
    return text;
}

/* path NULL: no file. */
static int name_file(const char *path, const char *way, char **out)
{
    if (path == NULL)
        return MW_OK;
    *out = path_of(path, way, "-");
    return *out != NULL ? MW_OK : mw_fail(MW_ERR_NOMEM, "%s: its name", path);
}

/* --- trees ------------------------------------------------------------------------- */

/* "t.txt" of the root 5 is "t.5.txt". */
static int name_tree(const struct run *r, const char *path, mw_vid root, char **out)
{
    uint64_t bytes;
    char word[MW_NAME_BYTES + 1], *to = word;
    if (path == NULL)
        return MW_OK;
    if (r->input.names.naming != MW_NAMED_TEXTS) {
        to = mw_names_put(&r->input.names, root, word);
    } else {
        const char *name = mw_names_bytes(&r->input.names, root, &bytes);
        memcpy(word, name, bytes);
        to += bytes;
    }
    *to = '\0';
    *out = path_of(path, word, "%20");
    return *out != NULL ? MW_OK : mw_fail(MW_ERR_NOMEM, "%s: its name", path);
}

bool run_tree_each(const struct run *r)
{
    return r->conf.algorithm->keyed && r->conf.n_roots != 1;
}

int run_name_trees(const struct run *r, mw_vid root, struct mw_tree_output *out)
{
    int rc = MW_OK;
    *out = r->tree;
    if (!run_tree_each(r))
        return MW_OK;
    for (uint32_t i = 0; i < MW_TREE_FILES; i++)
        out->path[i] = NULL;
    for (uint32_t i = 0; i < MW_TREE_FILES && rc == MW_OK; i++) {
        char *path = NULL;
        rc = name_tree(r, r->tree.path[i], root, &path);
        out->path[i] = path;
    }
    return rc;
}

void run_free_trees(const struct run *r, struct mw_tree_output *out)
{
    for (uint32_t i = 0; i < MW_TREE_FILES && run_tree_each(r); i++)
        free((void *)(uintptr_t)out->path[i]);
}

/* The graph's files. */
static int spare_inputs(const struct run *r, const char *const *path, size_t n)
{
    const char *const input[] = {mw_setting_text(r->settings, "graph"),
                                 mw_setting_text(r->settings, "vertex-file"),
                                 r->settings->described_by};
    int rc = MW_OK;
    for (size_t i = 0; i < sizeof input / sizeof *input && rc == MW_OK; i++)
        rc = mw_outputs_spare(path, n, input[i]);
    return rc;
}

static int check_tree(const struct run *r, const char *path)
{
    if (path == NULL)
        return MW_OK;
    if (mw_tree_is_binary(path) && r->input.names.naming == MW_NAMED_TEXTS)
        return mw_fail(MW_ERR_USAGE,
                       "%s: .bin means numbers, but the vertices have names; any other "
                       "ending writes text",
                       path);
    MW_NEED(mw_outputs_plain(&path, 1));
    MW_NEED(spare_inputs(r, &path, 1));
    return mw_outfile_check(path, r->tree.force);
}

int run_check_trees(const struct run *r, const mw_vid *root, uint32_t n)
{
    int rc = MW_OK;
    if (!r->session.speaks)
        return MW_OK;
    for (uint32_t i = 0; i < (run_tree_each(r) ? n : 1) && rc == MW_OK; i++) {
        struct mw_tree_output own;
        rc = run_name_trees(r, root[i], &own);
        for (uint32_t k = 0; k < MW_TREE_FILES && rc == MW_OK; k++)
            rc = check_tree(r, own.path[k]);
        run_free_trees(r, &own);
    }
    return rc;
}

bool run_is_stdout(const char *path)
{
    return path != NULL && strcmp(path, "-") == 0;
}

/* "DIR/meshway-20260131T120000Z-4711.json" */
static int automatic_name(struct run *r, char **out)
{
    const time_t now = time(NULL);
    struct tm tm;
    char utc[24] = "now";
    int rc = mw_results_folder_name(mw_setting_text(r->settings, "results"), &r->folder);
    if (rc < MW_OK)
        return rc;
    if (gmtime_r(&now, &tm) != NULL)
        strftime(utc, sizeof utc, "%Y%m%dT%H%M%SZ", &tm);
    const size_t room = strlen(r->folder) + 80;
    *out = malloc(room);
    if (*out == NULL)
        return mw_fail(MW_ERR_NOMEM, "name of the result file: %zu bytes", room);
    snprintf(*out, room, "%s/meshway-%s-%ld.json", r->folder, utc, (long)getpid());
    return MW_OK;
}

/* A run that is taken up goes on in its own file. */
static int resumed_name(const struct run *r, const char **json)
{
    const char *resume = mw_setting_text(r->settings, "resume");
    if (resume == NULL)
        return MW_OK;
    if (run_is_stdout(resume))
        return mw_fail(MW_ERR_USAGE,
                       "--resume -: a run is taken up from a file, in which "
                       "it then goes on");
    if (mw_setting_given(r->settings, "json") && strcmp(*json, resume) != 0)
        return mw_fail(MW_ERR_USAGE, "%s %s: --resume goes on in its own file, %s",
                       mw_setting_name(r->settings, "json").text, *json, resume);
    *json = resume;
    return MW_OK;
}

/* The options that say "-"; *n of them, and the first one's name. */
static const char *on_stdout(const struct mw_settings *s, uint32_t *n)
{
    static const char *const outputs[] = {"json",     "csv",           "tree",
                                          "levels",   "graphalytics",  "trace",
                                          "emul-dot", "layout-record", "traffic-record"};
    const char *first = NULL;
    *n = 0;
    for (size_t i = sizeof outputs / sizeof *outputs; i-- > 0;)
        if (run_is_stdout(mw_setting_text(s, outputs[i]))) {
            first = outputs[i];
            ++*n;
        }
    return first;
}

/* Standard output holds one document: of one way, and of one root. */
static int check_stdout(struct run *r)
{
    uint32_t n;
    const struct mw_settings *s = r->settings;
    const char *first = on_stdout(s, &n);
    r->takes_stdout = n > 0;
    if (n > 1)
        return mw_fail(MW_ERR_USAGE, "-: is named for two outputs");
    if (n > 0 && r->n_ways > 1)
        return mw_fail(MW_ERR_USAGE,
                       "--%s -: standard output holds one result, but there are %u ways; "
                       "give a file, whose name then gets each way's",
                       first, r->n_ways);
    if (run_tree_each(r) && (run_is_stdout(mw_setting_text(s, "tree")) ||
                             run_is_stdout(mw_setting_text(s, "graphalytics")) ||
                             run_is_stdout(mw_setting_text(s, "levels"))))
        return mw_fail(MW_ERR_USAGE,
                       "--%s -: standard output holds the tree of one root, but there "
                       "are %u; give --root V, or a file, whose name then gets each "
                       "root's",
                       first, r->conf.n_roots);
    if (run_is_stdout(mw_setting_text(s, "results")))
        return mw_fail(MW_ERR_USAGE,
                       "--results -: is a folder; --json - writes the result to "
                       "standard output");
    return MW_OK;
}

/* "parent=p.txt,distance=d.txt" */
static int name_values(struct run *r)
{
    const char *text = mw_setting_text(r->settings, "values");
    const struct mw_algorithm *a = r->conf.algorithm;
    struct mw_tune t;
    if (text == NULL)
        return MW_OK;
    text = r->value_paths = strdup(text);
    if (text == NULL)
        return mw_fail(MW_ERR_NOMEM, "--values: the names of files");
    while (mw_tune_next(&text, &t)) {
        struct mw_nearest near = {.given = t.key};
        uint32_t which = 0;
        char *const key = r->value_paths + (t.key - r->value_paths);
        char *const value = t.value != NULL ? key + (t.value - t.key) : key;
        if (t.value == NULL || t.value_length == 0)
            return mw_fail(MW_ERR_USAGE, "--values: '%.*s' names no file; expected %s",
                           (int)t.key_length, t.key, "NAME=FILE");
        key[t.key_length] = value[t.value_length] = '\0';
        for (; which < a->n_values && strcmp(a->value[which].name, key) != 0; which++)
            mw_nearest_offer(&near, a->value[which].name);
        if (which == a->n_values)
            return mw_fail(MW_ERR_USAGE,
                           "--values: %s has no value '%s'; did you mean %s?", a->name,
                           key, near.best != NULL ? near.best : a->value->name);
        if (r->tree.path[which] != NULL)
            return mw_fail(MW_ERR_USAGE, "--values: two files for %s", key);
        if (run_is_stdout(value))
            return mw_fail(MW_ERR_USAGE,
                           "--values: %s: give a file; --tree - writes %s to "
                           "standard output",
                           key, a->value->name);
        r->tree.path[which] = value;
    }
    return MW_OK;
}

int run_name_files(struct run *r)
{
    const struct mw_settings *s = r->settings;
    const char *json = mw_setting_text(s, "json"), *csv = mw_setting_text(s, "csv");
    MW_NEED(resumed_name(r, &json));
    MW_NEED(check_stdout(r));
    if (strcmp(json, "auto") == 0)
        MW_NEED(automatic_name(r, &r->json));
    else if (strcmp(json, "none") != 0)
        MW_NEED(name_file(json, "", &r->json));
    for (uint32_t w = 0; w < r->n_ways; w++) {
        struct run_way *way = &r->way[w];
        MW_NEED(name_file(r->json, way->name, &way->json));
        way->partial = mw_setting_text(s, "resume") != NULL;
        MW_NEED(name_file(csv, way->name, &way->csv));
        MW_NEED(name_file(mw_setting_text(s, "trace"), way->name, &way->trace));
    }
    r->tree.path[0] = mw_setting_text(s, "tree");
    r->tree.path[MW_LEVELS_FILE] = mw_setting_text(s, "levels");
    r->tree.path[MW_GRAPHALYTICS_FILE] = mw_setting_text(s, "graphalytics");
    MW_NEED(name_values(r));
    r->tree.force = mw_setting_number(s, "force") != 0;
    r->tree.comm = r->session.comm;
    r->tree.names = &r->input.names;
    return MW_OK;
}

static int check_file(const char *path, bool force)
{
    return path == NULL || run_is_stdout(path) ? MW_OK : mw_outfile_check(path, force);
}

int run_check_files(const struct run *r)
{
    if (!r->session.speaks)
        return MW_OK;
    if (r->folder != NULL)
        MW_NEED(mw_results_folder_make(r->folder,
                                       mw_setting_text(r->settings, "results") != NULL));
    for (uint32_t w = 0; w < r->n_ways; w++) {
        const struct run_way *way = &r->way[w];
        enum { OTHERS = 6 };
        const char *paths[OTHERS + MW_TREE_FILES] = {
            way->json,
            way->csv,
            way->trace,
            mw_setting_text(r->settings, "emul-dot"),
            mw_setting_text(r->settings, "layout-record"),
            mw_setting_text(r->settings, "traffic-record")};
        const size_t n = sizeof paths / sizeof *paths;
        memcpy(paths + OTHERS, r->tree.path, sizeof r->tree.path);
        MW_NEED(mw_outputs_plain(paths, n));
        MW_NEED(mw_outputs_differ(paths, n));
        MW_NEED(spare_inputs(r, paths, n));
        MW_NEED(mw_outputs_spare(paths, n, mw_setting_text(r->settings, "layout")));
        for (size_t i = 0; i < n; i++)
            if (!run_tree_each(r) || i < OTHERS)
                MW_NEED(check_file(paths[i], r->tree.force || (i == 0 && way->partial)));
    }
    return MW_OK;
}
