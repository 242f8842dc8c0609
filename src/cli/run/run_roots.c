/* run_roots.c -- --root and --target: what the user calls vertices, in the program's own numbers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/run.h"

#include "base/mem.h"
#include "io/field.h"

#include <stdlib.h>
#include <string.h>

/* How many a comma list has; commas in quotes are part of a name. */
static uint32_t count_listed(const char *text)
{
    uint32_t n = 1;
    bool quoted = false;
    for (; *text != '\0'; text++) {
        quoted ^= *text == '"';
        n += !quoted && *text == ',';
    }
    return n;
}

int run_count_roots(struct run *r)
{
    int rc = MW_OK;
    const uint32_t n = count_listed(mw_setting_text(r->settings, "root"));
    MW_NEW(rc, r->root, "given roots", n);
    r->conf.root = r->root;
    r->conf.n_roots = n;
end:
    return rc;
}

/* The next of a comma list in the form of a line; *list is moved behind it. */
static const char *next_listed(const char **list, struct mw_field *f)
{
    const char *why = mw_field_take(list, ',', f);
    *list += **list == ',';
    return why;
}

struct given_root {
    uint64_t vertex, place;
};

static int by_vertex(const void *a, const void *b)
{
    const struct given_root *x = a, *y = b;
    return x->vertex != y->vertex ? (x->vertex > y->vertex) - (x->vertex < y->vertex)
                                  : (x->place > y->place) - (x->place < y->place);
}

static int by_place(const void *a, const void *b)
{
    const struct given_root *x = a, *y = b;
    return (x->place > y->place) - (x->place < y->place);
}

/* Each root once, where it is named first: two searches from one root would be two samples of
 * one thing. */
static int drop_repeated_roots(struct run *r)
{
    int rc = MW_OK;
    uint32_t n = 0;
    struct given_root *given;
    MW_NEW(rc, given, "given roots", r->conf.n_roots);
    for (uint32_t i = 0; i < r->conf.n_roots; i++)
        given[i] = (struct given_root){r->root[i], i};
    qsort(given, r->conf.n_roots, sizeof *given, by_vertex);
    for (uint32_t i = 0; i < r->conf.n_roots; i++)
        if (i == 0 || given[i].vertex != given[n - 1].vertex)
            given[n++] = given[i];
    qsort(given, n, sizeof *given, by_place);
    for (uint32_t i = 0; i < n; i++)
        r->root[i] = given[i].vertex;
    if (n < r->conf.n_roots)
        mw_session_say(
            &r->session,
            "meshway: note: --root: %u repeated; each of the %u is searched from "
            "once",
            r->conf.n_roots - n, n);
    r->conf.n_roots = n;
    mw_free(given);
end:
    return rc;
}

int run_find_roots(struct run *r)
{
    int rc = MW_OK;
    char *line = NULL, *name = NULL;
    struct mw_field *f = NULL;
    const char *target = mw_setting_text(r->settings, "target");
    if (target != NULL)
        MW_TRY(rc, mw_names_parse(&r->input.names, "--target", target, &r->goal.target));
    if (r->root == NULL)
        return MW_OK;
    const char *text = mw_setting_text(r->settings, "root");
    const size_t length = strlen(text);
    MW_NEW(rc, line, "list of roots", length + 2);
    MW_NEW(rc, name, "name of a root", length + 1);
    MW_NEW(rc, f, "name of a root", 1);
    memcpy(line, text, length);
    line[length] = '\n';
    const char *p = line;
    for (uint32_t i = 0; i < r->conf.n_roots; i++) {
        const char *why = next_listed(&p, f);
        if (why != NULL)
            MW_TRY(rc, mw_fail(MW_ERR_USAGE, "--root: %s: %s", why, text));
        memcpy(name, f->text, f->bytes);
        name[f->bytes] = '\0';
        MW_TRY(rc, mw_names_parse(&r->input.names, "--root", name, &r->root[i]));
    }
    MW_TRY(rc, drop_repeated_roots(r));
end:
    mw_free(f);
    mw_free(name);
    mw_free(line);
    return rc;
}
