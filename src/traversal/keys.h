/* keys.h -- what the user of an algorithm, or of a run, may set: a table of keys each.
 *
 *      "alpha=15,follow=off"  --> mw_keys_read() -->  fields of the struct of options
 *
 * Command line, help, manual, completions, results, library and Python all come from the tables
 * (docs/your-own-traversal.md).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_KEYS_H
#define MW_KEYS_H

#include "base/status.h"

MW_BEGIN_DECLS

enum mw_key_kind {
    MW_KEY_WORD,  /* one of `words`; its index goes into a bool or an enum */
    MW_KEY_COUNT, /* a whole number; uint32_t or uint64_t */
    MW_KEY_BYTES, /* a size, 64Ki; the same */
    MW_KEY_REAL,  /* float or double */
    MW_KEY_FORM   /* what `parse` takes */
};

struct mw_key {
    const char *name;
    enum mw_key_kind kind;
    const char *value;    /* what help calls it: "X"; NULL: of words */
    const char *words;    /* "auto|off" */
    uint64_t min, max;    /* of numbers */
    const char *fallback; /* the default, as text; NULL: zero, which `help` explains */
    const char *help;     /* one sentence without a full stop, with the unit */
    size_t offset, bytes; /* of the field: MW_KEY_FIELD */
    /* Local. Stores a form in the options; `who` begins the text of MW_ERR_USAGE. */
    int (*parse)(const char *who, const char *text, void *options);
    bool one; /* of the graph: all ways of a run share it, so it takes no list */
};

#define MW_KEY_FIELD(type, field)                                                        \
    .offset = offsetof(type, field), .bytes = sizeof(((type *)0)->field)

/* Keys that may not be given together: "alpha", or "direction=top-down" for one value. */
struct mw_key_conflict {
    const char *a, *b, *why;
};

struct mw_world;
struct mw_backend;

/* A key that is given, and changes nothing on this world: the first that holds is said. */
struct mw_key_idle {
    const char *key;
    bool (*holds)(const struct mw_world *w, const void *options, const char *text);
    const char *why;
};

/* What a plan knows before options come to something. */
struct mw_keys_case {
    const struct mw_backend *backend;
    uint32_t n_ranks, n_hosts;
    uint64_t most_labels; /* of a rank */
    /* Rows of so many entries and more are dealt out, estimated; 0: none. */
    double heavy, heavy_vertices, heavy_entries;
};

struct mw_keys {
    const struct mw_key *key;
    uint32_t n;
    const struct mw_key_conflict *conflict;
    uint32_t n_conflicts;
    const struct mw_key_idle *idle;
    uint32_t n_idle;
    size_t options_bytes; /* of the struct of options */
    /* Local: which of the graph's long rows these options want dealt out (graph/delegates.h).
     * NULL: none. */
    int64_t (*delegate)(const void *options);
    /* Local: settles what the options leave open so that it takes less memory, and returns what
     * is then left out, for a message. NULL, or returns NULL: nothing can be. */
    const char *(*spare)(void *options);
    /* Local: a line of a plan on what the options come to, "partition   1d; ...". NULL: none. */
    void (*describe)(const void *options, const struct mw_keys_case *c, char *out,
                     size_t room);
};

/* A table, and the options that it fills in. */
struct mw_keyed {
    const struct mw_keys *keys; /* NULL: there are none */
    void *options;              /* [keys->options_bytes] */
};

/* One KEY=VALUE of a text. */
struct mw_tune {
    const char *key, *value; /* in the text, so not ended by 0 */
    size_t key_length, value_length;
};

/* Local. Steps through a text; false at its end. A piece without '=' has a NULL value. */
bool mw_tune_next(const char **text, struct mw_tune *out);
/* Local: does the text give the key? NULL stands for a text without keys. */
bool mw_tune_find(const char *text, const char *key, struct mw_tune *out);
/* Local: is the key given, with this value? */
bool mw_tune_is(const char *text, const char *key, const char *value);

/* Local: those of a text that the table has; out[] has room for all of it. */
void mw_tune_select(const char *text, const struct mw_keys *keys, char *out);

/* Local: NULL if the table has no such key. */
const struct mw_key *mw_key_find(const struct mw_keys *keys, const char *name,
                                 size_t length);

/* Local: all options are their defaults. */
void mw_keys_default(const struct mw_keyed *of);
/* Local. Stores what `text` gives, each key once and in the first table that has it; NULL: nothing
 * is given. MW_ERR_USAGE: unknown, out of range, or in conflict; the text begins with `who`. */
int mw_keys_read(const char *who, const char *text, const struct mw_keyed *of, uint32_t n)
    MW_NODISCARD;

/* Local: why a key that `text` gives changes nothing here; NULL: it does. */
const char *mw_keys_idle(const struct mw_keyed *of, const struct mw_world *w,
                         const char *text, const char *key);

MW_END_DECLS
#endif
