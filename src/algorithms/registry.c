/* registry.c -- see registry.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define _GNU_SOURCE /* dladdr() */
#include "algorithms/registry.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/nearest.h"
#include "traversal/oracle.h"
#include "traversal/plugin.h"

#include <dlfcn.h>
#include <errno.h>
#include <link.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

struct loaded {
    const struct mw_algorithm *algorithm;
    char *path; /* for good, as the object is */
    uint64_t hash;
};
static struct loaded loaded[MW_PLUGINS_MAX];
static uint32_t n_loaded;

const struct mw_algorithm *mw_algorithm_at(uint32_t i)
{
    uint32_t n = 0;
    while (n < i && mw_algorithms[n] != NULL)
        n++;
    if (mw_algorithms[n] != NULL)
        return mw_algorithms[n];
    return i - n < n_loaded ? loaded[i - n].algorithm : NULL;
}

const char *mw_algorithm_path(const struct mw_algorithm *a, uint64_t *hash)
{
    for (uint32_t i = 0; i < n_loaded; i++)
        if (loaded[i].algorithm == a) {
            *hash = loaded[i].hash;
            return loaded[i].path;
        }
    return NULL;
}

/* ---- is what a plug-in says fit to be run? ------------------------------------------------- */

static bool is_name(const char *s)
{
    return s != NULL && *s != '\0' && strlen(s) < 32 &&
           s[strspn(s, "abcdefghijklmnopqrstuvwxyz0123456789_-")] == '\0';
}

/* What does not fit into `text` is left out there. */
static const char *wrong_text(const struct mw_algorithm *a, char *text, size_t room)
{
    uint64_t hash;
    if (!is_name(a->name))
        return "its name is not one word of at most 31 small letters, digits, - and _";
    for (uint32_t i = 0; mw_algorithm_at(i) != NULL; i++)
        if (strcmp(mw_algorithm_at(i)->name, a->name) == 0) {
            const char *const path = mw_algorithm_path(mw_algorithm_at(i), &hash);
            snprintf(text, room,
                     "there is an algorithm of its name already (change .name), in %s",
                     path != NULL ? path : "Meshway itself");
            return text;
        }
    if (a->summary == NULL || a->step_name[0] == NULL)
        return "it lacks a summary or names of its steps";
    return NULL;
}

static const char *wrong_check(const struct mw_check *c)
{
    if (c != NULL && (c->open == NULL || c->close == NULL || c->run == NULL ||
                      c->sizes == NULL || (c->run == mw_oracle_run && c->expect == NULL)))
        return "its check lacks one of open, close, run and sizes, or says nothing to "
               "expect";
    return NULL;
}

static bool are_counters(const struct mw_counter *counter, uint32_t n)
{
    if (n > 0 && counter == NULL)
        return false;
    for (uint32_t i = 0; i < n; i++)
        if (counter[i].name == NULL || counter[i].kind > MW_COUNT_TEXT ||
            (counter[i].kind == MW_COUNT_WORD && counter[i].word == NULL))
            return false;
    return true;
}

static bool is_number_field(const struct mw_key *k)
{
    if (k->kind == MW_KEY_WORD)
        return k->words != NULL && k->fallback != NULL &&
               (k->bytes == sizeof(bool) || k->bytes == sizeof(uint32_t));
    return k->kind == MW_KEY_FORM ? k->parse != NULL : k->bytes == 4 || k->bytes == 8;
}

static bool has_legal_defaults(const struct mw_keys *keys)
{
    char text[256];
    struct mw_keyed of = {keys, mw_alloc("options", 1, keys->options_bytes)};
    bool legal = of.options != NULL;
    for (uint32_t i = 0; i < keys->n && legal; i++) {
        const struct mw_key *k = &keys->key[i];
        if (k->fallback != NULL)
            legal = snprintf(text, sizeof text, "%s=%s", k->name, k->fallback) <
                        (int)sizeof text &&
                    mw_keys_read("default", text, &of, 1) == MW_OK;
    }
    mw_free(of.options);
    return legal;
}

static const char *wrong_keys(const struct mw_keys *keys)
{
    for (uint32_t i = 0; keys != NULL && i < keys->n; i++) {
        const struct mw_key *k = &keys->key[i];
        if (!is_name(k->name) || k->help == NULL || k->kind > MW_KEY_FORM ||
            !is_number_field(k) || k->offset > keys->options_bytes ||
            k->bytes > keys->options_bytes - k->offset)
            return "a key of its options is incomplete, or its field is not in the "
                   "struct of options";
    }
    return keys == NULL || has_legal_defaults(keys)
               ? NULL
               : "the default of a key of its options is not legal";
}

static const char *wrong_blocks(const struct mw_algorithm *a)
{
    if (a->n_blocks > 0 && (a->block == NULL || a->state_bytes < sizeof(void *)))
        return "it has blocks, but no state of a size";
    if (a->n_blocks > MW_BLOCKS_MAX)
        return "its state has too many blocks";
    for (uint32_t i = 0; i < a->n_blocks; i++) {
        const struct mw_block *b = &a->block[i];
        if (b->what == NULL || b->kind > MW_OF_BOTH || b->per > MW_PER_RANK ||
            b->offset > a->state_bytes - sizeof(void *) || b->offset < sizeof(void *) ||
            b->offset % sizeof(void *) != 0)
            return "a block is incomplete, or is not in the state";
        for (uint32_t k = 0; k < i; k++)
            if (strcmp(a->block[k].what, b->what) == 0)
                return "two blocks of its state have one name";
    }
    return NULL;
}

static const char *wrong_tables(const struct mw_algorithm *a)
{
    if (!are_counters(a->counter, a->n_counters) ||
        !are_counters(a->trait, a->n_traits) || !are_counters(a->fact, a->n_facts))
        return "one of its counters, traits or facts is incomplete";
    if (a->n_rows > 0 && a->row == NULL)
        return "its table of rows is missing";
    const char *const wrong = wrong_blocks(a);
    return wrong != NULL ? wrong : wrong_keys(a->keys);
}

static mw_kernel *kernel_of(const struct mw_kernel_table *list, uint32_t i)
{
    while (strcmp(list->kind, "serial") != 0)
        list++;
    return ((mw_kernel *const *)list->kernels)[i];
}

/* Records that leave by this stream and hop in an exchange: somebody takes them. */
static bool is_taken(const struct mw_algorithm *a, struct mw_port port, uint32_t exchange)
{
    for (uint32_t i = 0; i < a->n_rows; i++)
        if ((a->row[i].exchanges >> exchange & 1) != 0 &&
            a->row[i].takes.stream == port.stream && a->row[i].takes.hop == port.hop)
            return true;
    return false;
}

static bool goes_somewhere(const struct mw_algorithm *a, const struct mw_row *row)
{
    const struct mw_port relay = {row->emits.stream, MW_TO_RELAY};
    const struct mw_port owner = {row->emits.stream, MW_TO_OWNER};
    bool taken = true;
    for (uint32_t k = 0; k < MW_EXCHANGES_MAX; k++)
        if (row->emits.hop != MW_NOWHERE && (row->exchanges >> k & 1) != 0)
            taken = taken && is_taken(a, owner, k) &&
                    (row->emits.hop != MW_TO_FIRST || is_taken(a, relay, k));
    return taken;
}

static const char *wrong_module(const struct mw_algorithm *a, const struct mw_row *row)
{
    const uint8_t takes = row->takes.hop, emits = row->emits.hop;
    if (row->takes.stream >= MW_STREAM_COUNT || row->emits.stream >= MW_STREAM_COUNT ||
        takes > MW_TO_OWNER || emits < MW_TO_OWNER || emits > MW_TO_FIRST)
        return "a stream or a hop that there is not";
    if (takes == MW_SOURCE && row->records_per_unit == 0)
        return "a source of no records";
    if (takes == MW_TO_RELAY &&
        (emits != MW_TO_OWNER || row->emits.stream != row->takes.stream))
        return "a relay that does not pass its records on to their owners";
    if (takes == MW_TO_OWNER && emits != MW_NOWHERE &&
        row->emits.stream <= row->takes.stream)
        return "a reply that does not leave by a later stream";
    return goes_somewhere(a, row) ? NULL : "records that nobody takes";
}

/* NULL: nothing is. */
static const char *wrong_row(const struct mw_plugin *p, const struct mw_row *row)
{
    const struct mw_algorithm *a = p->algorithm;
    const bool sweeps = row->exchanges == 0, relays = row->takes.hop == MW_TO_RELAY;
    if (sweeps || !relays) {
        if (row->kernel >= p->n_kernels)
            return "a kernel that is not in its struct of kernels";
        if (kernel_of(sweeps ? a->sweeps : a->kernels, row->kernel) == NULL)
            return "no kernel for the management core";
    }
    if (!sweeps)
        return wrong_module(a, row);
    return row->reads == NULL || row->writes == NULL || row->unit == NULL
               ? "nothing of what it reads, writes and deals out"
               : NULL;
}

/* Kinds of core that this program has, serial ones among them; those it lacks: *other. */
static bool has_kinds(const struct mw_kernel_table *list, const char **other)
{
#define KIND_NAME(arg, kind) #kind,
    static const char *const kinds[] = {MW_KINDS_OF_CORE(KIND_NAME, ) NULL};
    bool serial = false;
    *other = NULL;
    for (; list != NULL && list->kind != NULL; list++) {
        uint32_t i = 0;
        while (kinds[i] != NULL && strcmp(kinds[i], list->kind) != 0)
            i++;
        if (kinds[i] == NULL)
            *other = list->kind;
        serial = serial || strcmp(list->kind, "serial") == 0;
    }
    return serial && *other == NULL;
}

static int check_plugin(const char *who, const char *path, const struct mw_plugin *p)
{
    const struct mw_algorithm *a = p->algorithm;
    const char *other = NULL, *wrong;
    char text[256];
    if (a == NULL)
        return mw_fail(MW_ERR_DATA, "%s: %s: there is no algorithm in it", who, path);
    if (!has_kinds(a->kernels, &other) || !has_kinds(a->sweeps, &other))
        return mw_fail(MW_ERR_DATA,
                       "%s: %s: it has %s%s, and this program %s: it was built with "
                       "another installation",
                       who, path, other != NULL ? "kernels for " : "no serial kernels",
                       other != NULL ? other : "",
                       other != NULL ? "knows no such cores" : "needs them");
    wrong = wrong_tables(a);
    if (wrong == NULL && mw_algorithm_check(a) != MW_OK) {
        snprintf(text, sizeof text, "%s", mw_error_text());
        wrong = text;
    }
    wrong = wrong != NULL ? wrong : wrong_text(a, text, sizeof text);
    wrong = wrong != NULL ? wrong : wrong_check(a->check);
    if (wrong != NULL)
        return mw_fail(MW_ERR_DATA, "%s: %s: %s", who, path, wrong);
    for (uint32_t i = 0; i < a->n_rows; i++) {
        wrong = wrong_row(p, &a->row[i]);
        if (wrong != NULL)
            return mw_fail(MW_ERR_DATA, "%s: %s: row %u (%s) has %s", who, path, i,
                           a->row[i].name, wrong);
    }
    return MW_OK;
}

/* ---- loading -------------------------------------------------------------------------------- */

static int hash_file(const char *who, const char *path, uint64_t *hash)
{
    struct stat about;
    char block[4096];
    size_t n;
    FILE *f = NULL;
    errno = 0;
    if (stat(path, &about) == 0 && S_ISREG(about.st_mode))
        f = fopen(path, "rb");
    if (f == NULL)
        return mw_fail(MW_ERR_NOINPUT, "%s: %s: %s", who, path,
                       errno != 0 ? strerror(errno) : "it is no file");
    *hash = MW_HASH_OF_NOTHING;
    while ((n = fread(block, 1, sizeof block, f)) > 0)
        *hash = mw_hash(*hash, block, n);
    fclose(f);
    return MW_OK;
}

/* Does a file have all that its own head promises? The loader maps it and touches what may lack. */
static bool is_whole_object(const char *path)
{
    ElfW(Ehdr) head;
    ElfW(Phdr) part;
    struct stat about;
    bool whole = false;
    FILE *const f = fopen(path, "rb");
    if (f == NULL)
        return false;
    if (fstat(fileno(f), &about) == 0 && fread(&head, sizeof head, 1, f) == 1 &&
        memcmp(head.e_ident, ELFMAG, SELFMAG) == 0 && head.e_phentsize == sizeof part &&
        head.e_phoff <= INT32_MAX && fseek(f, (long)head.e_phoff, SEEK_SET) == 0) {
        whole = true;
        for (uint32_t i = 0; i < head.e_phnum && whole; i++)
            whole = fread(&part, sizeof part, 1, f) == 1 &&
                    part.p_filesz <= (uint64_t)about.st_size &&
                    part.p_offset <= (uint64_t)about.st_size - part.p_filesz;
    }
    fclose(f);
    return whole;
}

/* A library of its own, as in Python, lets nobody see it; the objects that it loads have to. */
static void show_ourselves(void)
{
    Dl_info ours;
    if (dladdr(&n_loaded, &ours) != 0 && ours.dli_fname != NULL)
        (void)dlopen(ours.dli_fname, RTLD_NOW | RTLD_GLOBAL | RTLD_NOLOAD);
}

/* What is missing is missed here, and not in the middle of a run. */
static int open_object(const char *who, const char *path, const struct mw_plugin **out)
{
    if (!is_whole_object(path))
        return mw_fail(MW_ERR_DATA,
                       "%s: %s: it cannot be loaded: it is no shared object, or not all "
                       "of one",
                       who, path);
    show_ourselves();
    void *object = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (object == NULL)
        return mw_fail(MW_ERR_DATA, "%s: it cannot be loaded: %s", who, dlerror());
    *out = dlsym(object, MW_PLUGIN_SYMBOL);
    if (*out == NULL)
        return mw_fail(MW_ERR_DATA,
                       "%s: %s: it is no plug-in of Meshway: it lacks the symbol "
                       "%s (docs/your-own-traversal.md)",
                       who, path, MW_PLUGIN_SYMBOL);
    if ((*out)->interface == NULL || strcmp((*out)->interface, MW_INTERFACE) != 0)
        return mw_fail(MW_ERR_DATA,
                       "%s: %s: it was built for Meshway %.64s, and this is %s: build "
                       "it again with this installation",
                       who, path, (*out)->interface != NULL ? (*out)->interface : "?",
                       MW_INTERFACE);
    return MW_OK;
}

static int load(const char *who, const char *path, const struct mw_algorithm **out)
{
    struct loaded new = {.path = NULL};
    const struct mw_plugin *p = NULL;
    MW_NEED(hash_file(who, path, &new.hash));
    for (uint32_t i = 0; i < n_loaded; i++)
        if (strcmp(loaded[i].path, path) == 0 && loaded[i].hash == new.hash) {
            *out = loaded[i].algorithm;
            return MW_OK;
        }
    if (n_loaded == MW_PLUGINS_MAX)
        return mw_fail(MW_ERR_REFUSED, "%s: %s: %d plug-ins are loaded; no more fit", who,
                       path, MW_PLUGINS_MAX);
    MW_NEED(open_object(who, path, &p));
    MW_NEED(check_plugin(who, path, p));
    new.path = strdup(path);
    if (new.path == NULL)
        return mw_fail(MW_ERR_NOMEM, "%s: %s: its path", who, path);
    *out = new.algorithm = p->algorithm;
    loaded[n_loaded++] = new;
    return MW_OK;
}

int mw_algorithm_find(const char *who, const char *text, const struct mw_algorithm **out)
{
    char names[256] = "";
    struct mw_nearest near = {.given = text};
    *out = NULL;
    if (strchr(text, '/') != NULL)
        return load(who, text, out);
    for (uint32_t i = 0; (*out = mw_algorithm_at(i)) != NULL; i++) {
        const size_t used = strlen(names);
        if (strcmp((*out)->name, text) == 0)
            return MW_OK;
        mw_nearest_offer(&near, (*out)->name);
        snprintf(names + used, sizeof names - used, "%s%s", i > 0 ? ", " : "",
                 (*out)->name);
    }
    return mw_fail(MW_ERR_USAGE,
                   "%s: '%s' is not known; %s%s%sthere are %s; a plug-in's path has a "
                   "slash, as in ./lib%s.so",
                   who, text, near.best != NULL ? "did you mean " : "",
                   near.best != NULL ? near.best : "", near.best != NULL ? "? " : "",
                   names, is_name(text) ? text : "NAME");
}
