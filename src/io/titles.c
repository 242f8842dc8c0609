/* titles.c -- see titles.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/titles.h"

#include <string.h>
#include <strings.h>

enum { SPELLINGS = 7 };

/* In small letters, as one word. Of a table that has several pairs the first of this list is
 * taken: "start" and "end" may be times. */
static const struct {
    const char *end[2][SPELLINGS];
} pairs[] = {
    {{{"source", "src", "sourceid", "srcid", "sourcenode", "sourcenodeid"},
      {"target", "dst", "dest", "destination", "targetid", "targetnode",
       "targetnodeid"}}},
    {{{"src", "srcid", "sourceid", "sourcenode"},
      {"dstid", "destid", "destinationid", "destinationnode", "dstnode"}}},
    {{{"from", "fromnode", "fromid", "fromnodeid", "fromvertex"},
      {"to", "tonode", "toid", "tonodeid", "tovertex"}}},
    {{{"node1", "nodeid1", "node1id"}, {"node2", "nodeid2", "node2id"}}},
    {{{"vertex1", "v1"}, {"vertex2", "v2"}}},
    {{{"id1", "numericid1"}, {"id2", "numericid2"}}},
    {{{"name1"}, {"name2"}}},
    {{{"person1"}, {"person2"}}},
    {{{"user1", "userid1"}, {"user2", "userid2"}}},
    {{{"tail"}, {"head"}}},
    {{{"start", "startid", "startnode"}, {"end", "endid", "endnode"}}},
    {{{"row"}, {"col", "column"}}},
    {{{"u"}, {"v"}}},
    {{{"i"}, {"j"}}},
};

static bool is_between(char c)
{
    return c != '\0' && strchr(" _-:", c) != NULL;
}

/* "FromNodeId", "from_node_id" and ":From Node ID" are one title. */
static bool is_title(const struct mw_field *f, const char *title)
{
    for (uint64_t i = 0; i < f->bytes; i++) {
        if (is_between(f->text[i]))
            continue;
        while (is_between(*title))
            title++;
        if (*title == '\0' || strncasecmp(&f->text[i], title++, 1) != 0)
            return false;
    }
    while (is_between(*title))
        title++;
    return *title == '\0';
}

static bool is_one_of(const struct mw_field *f, const char *const words[SPELLINGS])
{
    for (int i = 0; i < SPELLINGS && words[i] != NULL; i++)
        if (is_title(f, words[i]))
            return true;
    return false;
}

bool mw_titles_find(const char *line, char separator, int column[2])
{
    enum { N = sizeof pairs / sizeof *pairs };
    int at[N][2], n = 0;
    memset(at, -1, sizeof at);
    do {
        struct mw_field f;
        if (mw_field_take(&line, separator, &f) != NULL)
            return false;
        for (int i = 0; i < 2 * N; i++)
            if (at[i / 2][i % 2] < 0 && is_one_of(&f, pairs[i / 2].end[i % 2]))
                at[i / 2][i % 2] = n;
        n++;
    } while (mw_field_next(&line, separator));
    for (int i = 0; i < N; i++)
        if (at[i][0] >= 0 && at[i][1] >= 0) {
            memcpy(column, at[i], sizeof at[i]);
            return true;
        }
    return false;
}

int mw_titles_weight(const char *line, char separator, const char *title)
{
    static const char *const words[SPELLINGS] = {"weight", "w",    "weights", "value",
                                                 "cost",   "dist", "distance"};
    int n = 0;
    do {
        struct mw_field f;
        if (mw_field_take(&line, separator, &f) != NULL)
            return -1;
        if (title != NULL ? is_title(&f, title) : is_one_of(&f, words))
            return n;
        n++;
    } while (mw_field_next(&line, separator));
    return -1;
}
