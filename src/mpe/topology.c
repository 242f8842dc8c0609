/* topology.c -- see topology.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/topology.h"

#include "base/hash.h"
#include "base/mem.h"
#include "base/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

enum { FILE_BYTES = 64 << 20, HOST_BYTES = 256, DIGITS = 9 };

/* A stretch of text. */
struct span {
    const char *at, *end;
};

static size_t length(struct span s)
{
    return (size_t)(s.end - s.at);
}

/* The part before the first of `stops`, taken off what is left. */
static struct span take_until(struct span *left, const char *stops)
{
    const char *at = left->at;
    while (at < left->end && strchr(stops, *at) == NULL)
        at++;
    const struct span part = {left->at, at};
    left->at = at < left->end ? at + 1 : at;
    return part;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

/* At most DIGITS digits, all of it. */
static bool number(struct span s, uint32_t *out)
{
    *out = 0;
    if (s.at == s.end || length(s) > DIGITS)
        return false;
    for (; s.at < s.end; s.at++) {
        if (!is_digit(*s.at))
            return false;
        *out = *out * 10 + (uint32_t)(*s.at - '0');
    }
    return true;
}

/* Never 0. */
static uint64_t key_of(struct span name)
{
    return mw_hash(MW_HASH_OF_NOTHING, name.at, length(name)) | 1;
}

/* ---- Lists of hosts: a,n[1-4,7],x[01-16]-ib ------------------------------------------------- */

/* "007" or "1-4": numbers with at least as many digits as the first. */
static bool range(struct span text, uint32_t *first, uint32_t *last, size_t *digits)
{
    struct span left = text;
    const struct span from = take_until(&left, "-");
    *digits = length(from);
    if (!number(from, first))
        return false;
    *last = *first;
    return length(from) == length(text) || (number(left, last) && *last >= *first);
}

static bool matches(struct span pattern, const char *host);

/* A number from the ranges, and then the rest of the pattern. */
static bool matches_ranges(struct span ranges, struct span rest, const char *host)
{
    while (ranges.at < ranges.end) {
        uint32_t first, last, value;
        size_t digits;
        if (!range(take_until(&ranges, ","), &first, &last, &digits))
            return false;
        for (size_t n = digits; n <= DIGITS; n++) {
            if (!number((struct span){host, host + strnlen(host, n)}, &value) ||
                strnlen(host, n) < n || (n > digits && host[0] == '0'))
                break;
            if (value >= first && value <= last && matches(rest, host + n))
                return true;
        }
    }
    return false;
}

static bool matches(struct span pattern, const char *host)
{
    for (; pattern.at < pattern.end && *pattern.at != '['; pattern.at++, host++)
        if (*pattern.at != *host)
            return false;
    if (pattern.at == pattern.end)
        return *host == '\0';
    pattern.at++;
    const struct span ranges = take_until(&pattern, "]");
    return matches_ranges(ranges, pattern, host);
}

/* How many hosts a pattern stands for; 0: it is none. */
static uint64_t n_hosts_of(struct span pattern)
{
    uint64_t n = pattern.at < pattern.end;
    while (pattern.at < pattern.end) {
        uint64_t n_here = 0;
        const struct span before = take_until(&pattern, "[");
        if (before.end == pattern.end)
            break;
        const char *const begin = pattern.at;
        struct span ranges = take_until(&pattern, "]");
        if (ranges.end == pattern.end && pattern.end[-1] != ']')
            return 0;
        for (struct span left = {begin, ranges.end}; left.at < left.end;) {
            uint32_t first, last;
            size_t digits;
            if (!range(take_until(&left, ","), &first, &last, &digits))
                return 0;
            n_here += last - first + UINT64_C(1);
        }
        n *= n_here;
    }
    return n;
}

/* The next pattern of a list: commas within brackets are its own. */
static struct span take_pattern(struct span *left)
{
    const char *at = left->at;
    for (bool inside = false; at < left->end && (inside || *at != ','); at++)
        inside = *at == '[' || (inside && *at != ']');
    const struct span part = {left->at, at};
    left->at = at < left->end ? at + 1 : at;
    return part;
}

/* ---- A file ---------------------------------------------------------------------------------- */

static bool is_key(struct span word, const char *key)
{
    const size_t n = strlen(key);
    return length(word) >= n && strncasecmp(word.at, key, n) == 0;
}

struct line {
    struct span name, nodes; /* empty: there are none */
};

static struct line words_of(struct span text)
{
    struct line out = {{text.at, text.at}, {text.at, text.at}};
    text = take_until(&text, "#");
    while (text.at < text.end) {
        struct span word = take_until(&text, " \t\r");
        if (is_key(word, "SwitchName="))
            out.name = (struct span){word.at + strlen("SwitchName="), word.end};
        if (is_key(word, "Nodes="))
            out.nodes = (struct span){word.at + strlen("Nodes="), word.end};
    }
    return out;
}

/* The switch's hosts: how many, and whether this one is among them. */
static int count_hosts(struct span nodes, const char *host, uint64_t *n, bool *mine)
{
    *n = 0;
    *mine = false;
    while (nodes.at < nodes.end) {
        const struct span pattern = take_pattern(&nodes);
        const uint64_t more = n_hosts_of(pattern);
        if (more == 0)
            return MW_ERR_DATA;
        *n += more;
        *mine = *mine || matches(pattern, host);
    }
    return MW_OK;
}

int mw_topology_parse(const char *text, const char *host, struct mw_topology *out)
{
    struct span left = {text, text + strlen(text)};
    uint64_t n = 0, n_each = 0;
    bool mine, alike = true;
    *out = (struct mw_topology){0};
    for (uint32_t number = 1; left.at < left.end; number++) {
        const struct line line = words_of(take_until(&left, "\n"));
        if (length(line.nodes) == 0)
            continue;
        if (length(line.name) == 0 || count_hosts(line.nodes, host, &n, &mine) != MW_OK)
            return mw_fail(MW_ERR_DATA,
                           "line %u: expected SwitchName=NAME Nodes=HOSTS, as in "
                           "SwitchName=leaf1 Nodes=n[01-16]",
                           number);
        alike = alike && (n_each == 0 || n == n_each);
        n_each = n;
        if (mine)
            out->near_switch = key_of(line.name);
    }
    out->switch_hosts = alike && n_each <= UINT32_MAX ? (uint32_t)n_each : 0;
    return MW_OK;
}

/* ---- Slurm's variables ----------------------------------------------------------------------- */

void mw_topology_of_slurm(const char *address, const char *pattern, const char *host,
                          struct mw_topology *out)
{
    static const char leaf[] = "switch.node";
    *out = (struct mw_topology){0};
    const char *node = address != NULL ? strrchr(address, '.') : NULL;
    const size_t n_pattern = pattern != NULL ? strlen(pattern) : 0;
    if (node == NULL || n_pattern < strlen(leaf) ||
        strcmp(pattern + n_pattern - strlen(leaf), leaf) != 0)
        return;
    if (strcmp(node + 1, host) == 0)
        out->near_switch = key_of((struct span){address, node});
}

int mw_topology_read(const char *file, struct mw_topology *out)
{
    char host[HOST_BYTES] = "", *text = NULL;
    size_t bytes;
    *out = (struct mw_topology){0};
    if (gethostname(host, sizeof host - 1) != 0)
        host[0] = '\0';
    host[strcspn(host, ".")] = '\0'; /* a node's name has no domain */
    if (file == NULL) {
        mw_topology_of_slurm(getenv("SLURM_TOPOLOGY_ADDR"),
                             getenv("SLURM_TOPOLOGY_ADDR_PATTERN"), host, out);
        return MW_OK;
    }
    int rc = mw_text_read(file, FILE_BYTES, &text, &bytes);
    if (rc == MW_OK)
        rc = mw_topology_parse(text, host, out);
    if (rc == MW_ERR_DATA) {
        char why[512];
        snprintf(why, sizeof why, "%s", mw_error_text());
        mw_error_clear();
        rc = mw_fail(rc, "--topology %s: %s", file, why);
    }
    mw_free(text);
    return rc;
}
