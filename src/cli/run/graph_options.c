/* graph_options.c -- see graph_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/graph_options.h"

#include <stdio.h>
#include <string.h>

/* Of an option that not every command has. */
static uint64_t number_if_any(const struct mw_settings *s, const char *name)
{
    return mw_option_find(s->command, name) != NULL ? mw_setting_number(s, name) : 0;
}

enum mw_naming mw_graph_input_naming(const struct mw_settings *s)
{
    if (number_if_any(s, "names") != 0)
        return MW_NAMED_TEXTS;
    return number_if_any(s, "compact-ids") != 0 ? MW_NAMED_IDS : MW_NAMED_COUNTED;
}

struct mw_read_conf mw_graph_input_conf(const struct mw_settings *s,
                                        const struct mw_input *file)
{
    static const char separators[] = {'\0', ',', ';', '\t', ' '};
    struct mw_read_conf conf = {
        .path = file->name,
        .input = file,
        .format = (enum mw_format)mw_setting_number(s, "format"),
        .base = (int)mw_setting_number(s, "base"),
        .base_given = mw_setting_given(s, "base"),
        .n_vertices = mw_setting_number(s, "vertices"),
        .header = (enum mw_header)number_if_any(s, "header"),
        .separator = separators[number_if_any(s, "separator")],
    };
    /* What names look like, no content tells. */
    conf.names = mw_graph_input_naming(s) == MW_NAMED_TEXTS;
    if (conf.format == MW_FORMAT_AUTO && conf.names)
        conf.format = MW_FORMAT_EDGES;
    return conf;
}

enum mw_directed mw_graph_input_asked(const struct mw_settings *s)
{
    if (number_if_any(s, "directed") != 0)
        return MW_DIRECTED_YES;
    return number_if_any(s, "undirected") != 0 ? MW_DIRECTED_NO : MW_DIRECTED_UNSAID;
}

bool mw_graph_input_one_way(const struct mw_file_facts *facts, const char *path,
                            enum mw_directed asked, char *note, size_t room)
{
    static const char both[] = "each is gone along both ways";
    const enum mw_directed said = facts->directed;
    const bool one_way = asked == MW_DIRECTED_YES && mw_facts_one_way(facts);
    note[0] = '\0';
    if (one_way && said == MW_DIRECTED_NO)
        snprintf(note, room,
                 "%s: a comment says that its edges have no direction, but --directed "
                 "goes along each of them one way",
                 path);
    else if (asked == MW_DIRECTED_YES && !one_way)
        snprintf(note, room,
                 "%s: its edges have no direction, so --directed changes nothing: %s",
                 path, both);
    else if (asked == MW_DIRECTED_UNSAID && said != MW_DIRECTED_NO)
        snprintf(note, room,
                 "%s: %s: %s; --directed goes along them one way, --undirected says that "
                 "both are meant",
                 path,
                 said == MW_DIRECTED_YES
                     ? "its edges have a direction, which is not looked at"
                     : "nothing says whether its edges have a direction",
                 both);
    return one_way;
}

const char *mw_graph_input_unused(const struct mw_file_facts *facts)
{
    if (!facts->weighted)
        return NULL;
    return facts->format == MW_FORMAT_EDGES
               ? "columns besides the two vertices (weights, times) are not used by "
                 "breadth-first search and are dropped"
               : "weights are not used by breadth-first search and are dropped";
}

enum mw_format mw_format_of_name(const char *path)
{
    static const struct {
        const char *end;
        enum mw_format format;
    } known[] = {
        {".mtx", MW_FORMAT_MTX},   {".el", MW_FORMAT_EDGES},  {".txt", MW_FORMAT_EDGES},
        {".csv", MW_FORMAT_EDGES}, {".tsv", MW_FORMAT_EDGES}, {".sg", MW_FORMAT_SG},
    };
    const size_t length = strlen(path);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const size_t n = strlen(known[i].end);
        if (length > n && strcmp(path + length - n, known[i].end) == 0)
            return known[i].format;
    }
    return MW_FORMAT_PACKED12;
}
