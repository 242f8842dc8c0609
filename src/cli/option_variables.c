/* option_variables.c -- options as variables of the environment. See option.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/option.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static const char prefix[] = "MESHWAY_";

void mw_option_variable(const char *name, char *out, size_t room)
{
    int used = snprintf(out, room, "%s", prefix);
    for (size_t i = (size_t)used; *name != '\0' && i + 1 < room; i++, name++) {
        out[i] = *name == '-' ? '_' : (char)toupper((unsigned char)*name);
        out[i + 1] = '\0';
    }
}

const char *mw_option_value_of(const char *entry, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(entry, name, length) == 0 && entry[length] == '=' ? entry + length + 1
                                                                     : NULL;
}

/* Whether some command reads the option that a variable stands for. */
static bool variable_known(const struct mw_command *const *commands, const char *entry,
                           struct mw_nearest *near)
{
    for (; *commands != NULL; commands++)
        for (size_t i = 0; i < (*commands)->n_options; i++) {
            const struct mw_option *o = &(*commands)->option[i];
            char variable[MW_LONGEST_OPTION];
            if (o->asks)
                continue;
            mw_option_variable(o->name, variable, sizeof variable);
            if (mw_option_value_of(entry, variable) != NULL)
                return true;
            mw_nearest_offer(near, o->name);
        }
    return false;
}

void mw_options_check_environment(const struct mw_command *const *commands, char **env,
                                  void (*warn)(const char *text))
{
    for (char **e = env; e != NULL && *e != NULL; e++) {
        char name[MW_LONGEST_OPTION], likely[2 * MW_LONGEST_OPTION],
            text[6 * MW_LONGEST_OPTION];
        const int length = (int)strcspn(*e, "=");
        if (strncmp(*e, prefix, strlen(prefix)) != 0 ||
            mw_option_value_of(*e, "MESHWAY_FAIL_ALLOC") != NULL ||
            mw_option_value_of(*e, "MESHWAY_LIBRARY") !=
                NULL) /* where Python finds libmeshway */
            continue;
        /* The option's name that would give this variable. */
        snprintf(name, sizeof name, "%.*s", length - (int)strlen(prefix),
                 *e + strlen(prefix));
        for (char *p = name; *p != '\0'; p++)
            *p = *p == '_' ? '-' : (char)tolower((unsigned char)*p);
        struct mw_nearest near = {.given = name};
        if (variable_known(commands, *e, &near))
            continue;
        struct mw_option key;
        if (near.best != NULL)
            mw_option_variable(near.best, likely, sizeof likely);
        for (const struct mw_command *const *c = commands; *c != NULL; c++)
            if (mw_option_key(*c, name, &key)) {
                snprintf(likely, sizeof likely, "MESHWAY_TUNE=%s=%s", name, key.value);
                near.best = name;
            }
        snprintf(text, sizeof text, "%.*s is not a variable of meshway%s%s%s",
                 length < 2 * MW_LONGEST_OPTION ? length : 2 * MW_LONGEST_OPTION, *e,
                 near.best != NULL ? "; did you mean " : "",
                 near.best != NULL ? likely : "", near.best != NULL ? "?" : "");
        warn(text);
    }
}
