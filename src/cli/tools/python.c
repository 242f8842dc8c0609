/* python.c -- see python.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/tools/python.h"

#include "cli/data_folder.h"
#include "cli/launch.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Modules come from the package and from Python's own places, never from the folder that the
 * user happens to stand in. Only what every Python can read may stand here. */
static const char start[] =
    "import sys\n"
    "sys.path[:] = [sys.argv.pop(1)] + [p for p in sys.path if p]\n"
    "if sys.version_info < (3, 11):\n"
    "    sys.stderr.write('meshway: %s: needs Python 3.11 or '\n"
    "                     'later, but python3 is %d.%d; install a newer one and put it "
    "first '\n"
    "                     'in PATH\\n' % ((sys.argv[2],) + sys.version_info[:2]))\n"
    "    sys.exit(69)\n"
    "from meshway_sweep.__main__ import main\n"
    "sys.exit(main(sys.argv[1], sys.argv[2:]))\n";

static int refuse_launcher(const char *command)
{
    struct mw_launch launch;
    mw_launch_read(&launch);
    if (launch.launched)
        return mw_fail(
            MW_ERR_USAGE,
            "%s: starts ranks itself; give 'meshway %s' without mpiexec or srun", command,
            command);
    return MW_OK;
}

static int start_python(char *const *word, char *package, char *self)
{
    size_t n = 0;
    while (word[n] != NULL)
        n++;
    /* -B: no compiled files beside the sources, which may belong to somebody else. */
    char *const first[] = {(char[]){"python3"}, (char[]){"-B"}, (char[]){"-c"}, NULL};
    char **argv = calloc(n + 7, sizeof *argv);
    char *code = strdup(start);
    if (argv == NULL || code == NULL) {
        free(argv);
        free(code);
        return mw_fail(MW_ERR_NOMEM, "%s: %zu words", word[0], n);
    }
    memcpy(argv, first, 3 * sizeof *argv);
    argv[3] = code;
    argv[4] = package;
    argv[5] = self;
    memcpy(argv + 6, word, n * sizeof *argv);
    execvp(argv[0], argv);
    const int why = errno;
    free(argv);
    free(code);
    return mw_fail(
        MW_ERR_UNAVAILABLE,
        "%s: needs Python 3.11 or later, but python3 cannot be started (%s); on "
        "Debian: apt-get install python3",
        word[0], strerror(why));
}

int mw_python_start(char *const *word)
{
    int rc = refuse_launcher(word[0]);
    if (rc < MW_OK)
        return rc;
    char *package = mw_data_folder("tools", "tools");
    char *self = mw_own_file();
    if (package == NULL || self == NULL)
        rc = mw_fail(
            MW_ERR_UNAVAILABLE,
            "%s: its Python package is not beside the program; install the whole of "
            "Meshway (cmake --install), share/meshway/tools with it",
            word[0]);
    else
        rc = start_python(word, package, self);
    free(package);
    free(self);
    return rc;
}

static const char *or_empty(const char *text)
{
    return text != NULL ? text : "";
}

static void print_table_row(FILE *f, const struct mw_command *c, const char *table,
                            const struct mw_option *o, const char *several)
{
    static const char *const kinds[] = {"flag", "count", "bytes", "real", "word", "text"};
    int place = 0;
    while (place < MW_MAX_OPERANDS && c->operand[place] != NULL &&
           strcmp(c->operand[place], o->name) != 0)
        place++;
    if (place == MW_MAX_OPERANDS || c->operand[place] == NULL)
        place = -1;
    fprintf(
        f, "%s\t%s\t%c\t%s\t%s\t%s\t%s\t%s\t%" PRIu64 "\t%" PRIu64 "\t%d\t%d\t%s\t%s\n",
        table, o->name, o->letter != 0 ? o->letter : ' ', kinds[o->kind],
        or_empty(o->value), or_empty(o->fallback), or_empty(o->words), several, o->min,
        o->max, place, c->n_required, or_empty(o->help), or_empty(c->example));
}

void mw_option_tables_print(FILE *f, const struct mw_command *const *commands)
{
    for (; *commands != NULL; commands++) {
        const struct mw_command *c = *commands;
        for (size_t i = 0; i < c->n_options; i++) {
            const struct mw_option *o = &c->option[i];
            print_table_row(f, c, c->name, o,
                            c->chooses && o->lists ? "lists"
                            : o->repeats           ? "repeats"
                                                   : "");
        }
        const char *of;
        char table[64];
        struct mw_option key;
        snprintf(table, sizeof table, "%s --tune", c->name);
        for (size_t i = 0; c->key != NULL && c->key(i, &of, &key); i++)
            print_table_row(f, c, table, &key, c->chooses && key.lists ? "lists" : "");
    }
}
