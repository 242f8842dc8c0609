/* option.h -- one table per sub-command says everything about its options: the
 * parser, --help, the man page, shell completion, the MESHWAY_* environment and
 * --print-config are all made from it, so they cannot disagree. Parsing is strict: a
 * value is accepted whole or refused with the option's name, the value and the range.
 *
 *      default  <  MESHWAY_<OPTION>  <  command line
 *
 * Long options are written in full: an abbreviation that is unique today is another
 * option's name tomorrow. Operands are options without the dashes, so "run 20 16" is
 * "run --scale 20 --edgefactor 16" in every respect.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_OPTION_H
#define MW_OPTION_H

#include "base/nearest.h"
#include "base/status.h"
#include "base/values.h"

MW_BEGIN_DECLS

enum mw_option_kind {
    MW_OPT_FLAG,  /* no value; in the environment yes or no */
    MW_OPT_COUNT, /* a whole number */
    MW_OPT_BYTES, /* 4096, 64M (powers of 1000), 1Gi (powers of 1024) */
    MW_OPT_REAL,  /* a number of seconds, a ratio */
    MW_OPT_WORD,  /* one of `words` */
    MW_OPT_TEXT   /* a file name, or a form the command checks itself */
};

struct mw_option {
    const char *name; /* without the dashes; the environment's name follows from it */
    char letter;      /* the short form, or 0 */
    enum mw_option_kind kind;
    const char *value;    /* what --help calls the value: "FILE", "N" */
    const char *fallback; /* the default as text, or NULL: unset */
    const char *words;    /* MW_OPT_WORD: the legal ones, separated by '|' */
    uint64_t min, max;    /* MW_OPT_COUNT, MW_OPT_BYTES, MW_OPT_REAL */
    const char *limit;    /* where `max` comes from: more is then refused by the machine
                           * (MW_ERR_REFUSED) instead of misused (MW_ERR_USAGE) */
    bool repeats;         /* MW_OPT_TEXT: given again, it adds to a comma list */
    bool ready;           /* MW_OPT_TEXT: may name a layout that comes with the program */
    bool keys;            /* MW_OPT_TEXT: KEY=VALUE,...; a value may be a list, A+B */
    bool paths; /* MW_OPT_WORD: or what the command looks up itself, such as a path */
    bool lists; /* MW_OPT_WORD: several, separated by commas, for commands that choose */
    bool asks;  /* ends parsing at once: --help, --version; no environment */
    const char *help;    /* one sentence without a full stop, with the unit */
    const char *section; /* heads a new group of --help; NULL: the group goes on */
};

/* Options of one table that may not be given together. `a` and `b` are names, or
 * "name=word" for one value of a word option, or "!name": b must be given with a. */
struct mw_conflict {
    const char *a, *b, *why;
};

struct mw_settings;

enum { MW_MAX_OPERANDS = 3, MW_LONGEST_OPTION = 64 /* room for a name */ };

/* A name of two words is a verb of the command that the first one names: "layout check". */
struct mw_command {
    const char *name, *summary; /* one line in the overview */
    const char *text;           /* a paragraph for --help and the man page */
    const char *example;        /* one command line; one line of what it does */
    const char *example_does;
    const struct mw_option *option;
    size_t n_options;
    const struct mw_conflict *conflict;
    size_t n_conflicts;
    const char *operand[MW_MAX_OPERANDS]; /* the options that operands set, in order */
    int n_required;                       /* of them must be given */
    const char
        *first_by; /* an option: where the user gives it and not its default, ... */
    const char *first_else;   /* ... the first operand sets this one instead */
    const char *file_operand; /* what the first operand sets instead if it names a file */
    bool chooses;             /* takes lists, where an option `lists`; see choices.h */
    /* Of an option with keys: key number `i`, described as an option, and whose it is, "bfs".
     * False: there are not so many. NULL: there are none. */
    bool (*key)(size_t i, const char **of, struct mw_option *out);
    bool foreign; /* written in Python, which parses by this table; see tools/python.h */
    const char
        *missing; /* what this build lacks for it; it is refused (69), whatever follows */
    int (*main)(
        const struct mw_settings *s); /* NULL: foreign, missing, or a group of verbs */
    int (*exit_code)(int rc);         /* of a status; NULL: the usual ones */
};

/* The fields of a command that its tables fill. */
#define MW_COMMAND_OPTIONS(table)                                                        \
    .option = (table), .n_options = sizeof(table) / sizeof *(table)
#define MW_COMMAND_CONFLICTS(table)                                                      \
    .conflict = (table), .n_conflicts = sizeof(table) / sizeof *(table)

enum mw_origin { MW_FROM_DEFAULT, MW_FROM_ENVIRONMENT, MW_FROM_COMMAND_LINE };

struct mw_setting {
    const char *text; /* NULL: unset */
    uint64_t number;  /* COUNT, BYTES; FLAG: 0 or 1; WORD: (the first's) index in `words`,
                  * or SIZE_MAX where the option `paths` */
    double real;      /* REAL */
    enum mw_origin origin;
    bool operand; /* from the command line, without its name */
    char *joined; /* owned: what `text` points to if it is not the user's own word */
};

struct mw_settings {
    const struct mw_command *command;
    struct mw_setting *value; /* [command->n_options] */
    int argc;                 /* the whole command line, for provenance; borrowed */
    char **argv;
    const char
        *described_by; /* the file that has said some of it; NULL: none. Borrowed */
    int early; /* what became of reading it, where all ranks are to hear of that (session.h) */
};

/* What parsing may report besides MW_OK: the user asked a question instead. */
enum { MW_WANTS_HELP = 16, MW_WANTS_VERSION = 17, MW_WANTS_CONFIG = 18 };

/* Local, before MPI. argv[0] is skipped; argv is permuted; `env` is like environ, or
 * NULL. Settings borrow from argv and env, and are freed with mw_settings_fini(), after
 * an error as well. */
int mw_options_parse(const struct mw_command *command, int argc, char **argv, char **env,
                     struct mw_settings *out) MW_NODISCARD;
void mw_settings_fini(struct mw_settings *s);

/* Whether options stand together that may not. Parsing has asked already. */
int mw_settings_check(const struct mw_settings *s) MW_NODISCARD;

/* Does a word on the command line name a file rather than a number? It is "-", or no number and
 * there, or at least looks like a file's name. "20" never does: "./20" is the file. */
bool mw_word_is_file(const char *word);

/* By name; an unknown name is our own mistake (assert). */
const struct mw_option *mw_option_find(const struct mw_command *c, const char *name);
const struct mw_setting *mw_setting_find(const struct mw_settings *s, const char *name);
const char *mw_setting_text(const struct mw_settings *s, const char *name);
uint64_t mw_setting_number(const struct mw_settings *s, const char *name);
double mw_setting_real(const struct mw_settings *s, const char *name);
bool mw_setting_given(const struct mw_settings *s, const char *name); /* not a default */
/* As the user gave it, for messages: "--engine", "MESHWAY_ENGINE", the operand's "SCALE". */
struct mw_setting_text {
    char text[64];
};
struct mw_setting_text mw_setting_name(const struct mw_settings *s, const char *name);

/* Whether a key has this name; *out describes it. */
bool mw_option_key(const struct mw_command *c, const char *name, struct mw_option *out);

/* "MESHWAY_HANG_TIMEOUT" of "hang-timeout". */
void mw_option_variable(const char *name, char *out, size_t room);
/* The value of NAME=value, if the entry begins with that name; NULL: it does not. */
const char *mw_option_value_of(const char *entry, const char *name);

/* Calls warn() for each MESHWAY_* variable in `env` that no command knows, with the
 * nearest name; commands end with NULL. */
void mw_options_check_environment(const struct mw_command *const *commands, char **env,
                                  void (*warn)(const char *text));

MW_END_DECLS
#endif
