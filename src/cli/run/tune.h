/* tune.h -- "--tune KEY=VALUE,...": the keys of an algorithm and of a run on the command line, from
 * their tables (traversal/keys.h).
 *
 * An option of the same name as a key, such as --direction, sets that key.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TUNE_H
#define MW_TUNE_H

#include "cli/option.h"
#include "traversal/algorithm.h"
#include "traversal/run_keys.h"

#include <jansson.h>
#include <stdio.h>

MW_BEGIN_DECLS

/* clang-format off */
#define MW_OPTION_TUNE                                                                   \
    {.name = "tune", .kind = MW_OPT_TEXT, .value = "KEY=VALUE,...", .repeats = true,     \
     .keys = true, .section = "tuning",                                                  \
     .help = "Sets keys of the algorithm and of the run, as in alpha=30,batch=16Ki; "    \
             "A+B makes a way of each value; help lists the keys"}
/* clang-format on */

/* Local: which algorithm `text`, "2" or "3", of --kernels is. */
const char *mw_kernel_algorithm(const char *text);

/* What one way to search is tuned to. */
struct mw_tuning {
    const struct mw_algorithm *algorithm;
    char *text;    /* all keys that were given; owned */
    void *options; /* of the algorithm; owned; NULL: it has none */
    struct mw_run_options run;
};

/* Local: true if the user wants the list of keys, which is then on `to`, if that is not NULL. */
bool mw_tune_list(const struct mw_settings *s, const struct mw_algorithm *a, FILE *to);

/* Local: refuses lists of keys that all ways of a run share. */
int mw_tune_check_lists(const struct mw_settings *s, const struct mw_algorithm *a)
    MW_NODISCARD;
/* Local: of settings without lists; after an error, too, freed with mw_tuning_fini(). */
int mw_tuning_init(struct mw_tuning *t, const struct mw_settings *s,
                   const struct mw_algorithm *a) MW_NODISCARD;
void mw_tuning_fini(struct mw_tuning *t);

/* Each key with its value and where that comes from, as a result has it. */
json_t *mw_tuning_json(const struct mw_tuning *t, const struct mw_settings *s);

/* Calls say() for each key that was given and changes nothing on this world: "--tune hubs",
 * "--bottom-up", "MESHWAY_TUNE hubs". */
void mw_tuning_idle(const struct mw_tuning *t, const struct mw_settings *s,
                    const struct mw_world *w,
                    void (*say)(void *arg, const char *option, const char *why),
                    void *arg);

/* For help, manual, completions and sweeps: key number `i` of all that there are, as an option
 * is described. *of: "bfs", "run". False: there are not so many. */
bool mw_tune_key(size_t i, const char **of, struct mw_option *out);

MW_END_DECLS
#endif
