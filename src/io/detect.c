/* detect.c -- what kind of graph file is this? Answered by content; names lie.
 *
 * From the most to the least certain: a banner; header sizes that match the file's
 * size to the byte; printable text, of which METIS's checks itself; a .sg header whose offsets make sense although the
 * file is too short or too long; last, files without any header, by size and by what
 * their first edges would mean. What nothing fits is refused with all reasons.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/foreign.h"
#include "io/packed.h"
#include "io/packing.h"
#include "io/reading.h"
#include "io/titles.h"

#include <stdio.h>
#include <string.h>

static const struct {
    const char *word, *title;
} formats[MW_N_FORMATS] = {
    [MW_FORMAT_AUTO] = {"auto", "detected by content"},
    [MW_FORMAT_EDGES] = {"edges", "text edge list"},
    [MW_FORMAT_MTX] = {"mtx", "Matrix Market"},
    [MW_FORMAT_DIMACS] = {"dimacs", "DIMACS graph"},
    [MW_FORMAT_PACKED12] = {"packed12", "packed edges of 12 bytes"},
    [MW_FORMAT_PACKED16] = {"packed16", "packed edges of 16 bytes"},
    [MW_FORMAT_SG] = {"sg", "GAP serialised graph"},
    [MW_FORMAT_WSG] = {"wsg", "GAP serialised weighted graph"},
    [MW_FORMAT_METIS] = {"metis", "METIS graph"},
    [MW_FORMAT_ADJACENCY] = {"adjacency", "adjacency list"},
    [MW_FORMAT_PAJEK] = {"pajek", "Pajek network"},
};

const char *mw_format_word(enum mw_format format)
{
    return formats[format].word;
}

const char *mw_format_title(enum mw_format format)
{
    return formats[format].title;
}

const struct mw_packing *mw_packing_find(const void *head, uint64_t bytes)
{
    static const struct mw_packing known[] = {
        {"\x1F\x8B", 2, "gzip", "gzip -d", true},
        {"\xFD\x37zXZ", 5, "xz", "xz -d", true},
        {"\x28\xB5\x2F\xFD", 4, "zstd", "zstd -d", true},
        {"BZh", 3, "bzip2", "bzip2 -d", true},
        {"\x04\x22\x4D\x18", 4, "lz4", "lz4 -d", true},
        {"\x1F\x9D", 2, "compress", "uncompress", false},
        {"PK\x03\x04", 4, "zip", "unzip", false},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (bytes >= known[i].bytes && memcmp(head, known[i].magic, known[i].bytes) == 0)
            return &known[i];
    return NULL;
}

static bool is_printable(unsigned char c)
{
    return (c >= 0x20 && c != 0x7F) || c == '\t' || c == '\n' || c == '\r';
}

/* Where text begins, behind a byte order mark and blanks. */
static uint64_t first_visible(const unsigned char *head, uint64_t bytes)
{
    uint64_t i = bytes >= 3 && memcmp(head, "\xEF\xBB\xBF", 3) == 0 ? 3 : 0;
    while (i < bytes && (head[i] == ' ' || (head[i] >= '\t' && head[i] <= '\r')))
        i++;
    return i;
}

static bool begins_with_number(const unsigned char *p, const unsigned char *end)
{
    p += p < end && *p == '"';
    return p < end && *p >= '0' && *p <= '9';
}

/* Numbers in quotes, or a line of titles: CSV. Titles name both ends of an edge, or separators
 * stand between them, and numbers follow. */
static bool is_table(const unsigned char *head, uint64_t first, uint64_t bytes)
{
    int column[2];
    const unsigned char *p = head + first, *end = head + bytes;
    const unsigned char *next = memchr(p, '\n', bytes - first);
    if (begins_with_number(p, end))
        return true;
    if (next == NULL || *p < ' ')
        return false;
    const char *line = (const char *)p;
    if (mw_titles_find(line, mw_field_separator(line), column))
        return true;
    for (; p < next && *p != ',' && *p != ';' && *p != '\t'; p++)
        ;
    return p < next && begins_with_number(next + 1, end);
}

/* Nearly all printable: a stray byte in the middle deserves an error with its line, not "unknown
 * format". */
static bool is_readable(const unsigned char *head, uint64_t first, uint64_t bytes)
{
    uint64_t n_odd = 0;
    for (uint64_t i = first; i < bytes; i++)
        n_odd += !is_printable(head[i]);
    return n_odd <= (bytes - first) / 8;
}

/* Begins like an edge list, or its first line is known to be none. */
static bool is_text(const unsigned char *head, uint64_t bytes, bool titled)
{
    const uint64_t first = first_visible(head, bytes);
    if (first == bytes)
        return true;
    if (head[first] == '\0')
        return false;
    return (titled || strchr("0123456789-#%", head[first]) != NULL ||
            is_table(head, first, bytes)) &&
           is_readable(head, first, bytes);
}

static bool is_mtx(const unsigned char *head, uint64_t bytes)
{
    const uint64_t first = first_visible(head, bytes);
    return bytes - first >= 2 && memcmp(head + first, "%%", 2) == 0;
}

/* A first line "c ..." or "p ...", and no byte that text does not have. */
static bool is_dimacs(const unsigned char *head, uint64_t bytes)
{
    const uint64_t first = first_visible(head, bytes);
    if (bytes - first < 2 || (head[first] != 'c' && head[first] != 'p'))
        return false;
    if (head[first + 1] != ' ' && head[first + 1] != '\t' && head[first + 1] != '\n' &&
        head[first + 1] != '\r')
        return false;
    for (uint64_t i = first; i < mw_min(bytes, first + 256); i++)
        if (!is_printable(head[i]))
            return false;
    return true;
}

/* `head` goes on with a '\n' behind its bytes; what is looked at are whole lines. */
static bool is_metis(const struct mw_input *in, const unsigned char *head, uint64_t bytes)
{
    const bool whole = bytes == in->bytes;
    const uint64_t first = first_visible(head, bytes);
    uint64_t end = bytes + (whole && head[bytes - 1] != '\n');
    while (!whole && end > first && head[end - 1] != '\n')
        end--;
    return end > first && mw_metis_fits((const char *)head + first,
                                        (const char *)head + end, whole, in->bytes);
}

/* The comments that NetworkX puts before adjacency lists, and before nothing else:
 * "#PROGRAM", "# GMT DATE", "# NAME". */
static bool is_adjacency(const unsigned char *head, uint64_t bytes)
{
    static const char date[] = "# GMT ";
    const char *p = (const char *)head + first_visible(head, bytes);
    const char *end = (const char *)head + bytes;
    for (int i = 0; i < 3 && p < end && *p == '#'; i++, p = mw_skip_line(p))
        if ((size_t)(end - p) >= sizeof date && memcmp(p, date, sizeof date - 1) == 0)
            return true;
    return false;
}

/* Behind comments. `head` goes on with a '\n'. */
static bool is_pajek(const unsigned char *head, uint64_t bytes)
{
    const char *p = (const char *)head + first_visible(head, bytes);
    const char *end = (const char *)head + bytes;
    while (p < end && *p == '%')
        p = mw_skip_blanks(mw_skip_line(p));
    return p < end && mw_pajek_begins(p);
}

static enum mw_format text_format(const struct mw_input *in, const unsigned char *head,
                                  uint64_t bytes)
{
    if (is_metis(in, head, bytes))
        return MW_FORMAT_METIS;
    return is_adjacency(head, bytes) ? MW_FORMAT_ADJACENCY : MW_FORMAT_EDGES;
}

/* The header's own arrays agree with it as far as we see them. */
static bool offsets_make_sense(const unsigned char *head, uint64_t bytes,
                               const struct mw_sg *sg)
{
    uint64_t before = 0;
    const uint64_t seen = mw_min(sg->n_vertices + 1, (bytes - MW_SG_HEADER) / 8);
    for (uint64_t i = 0; i < seen; i++) {
        const uint64_t offset = mw_get64(head + MW_SG_HEADER + 8 * i);
        if (offset < before || offset > sg->n_entries || (i == 0 && offset != 0))
            return false;
        before = offset;
    }
    return seen >= 2;
}

static enum mw_format detect_sg(const struct mw_input *in, const unsigned char *head,
                                uint64_t bytes, bool exactly)
{
    struct mw_sg sg;
    if (bytes < MW_SG_HEADER)
        return MW_FORMAT_AUTO;
    if (mw_sg_parse(head, 4, &sg) &&
        (exactly ? sg.bytes == in->bytes : offsets_make_sense(head, bytes, &sg)))
        return MW_FORMAT_SG;
    if (exactly && mw_sg_parse(head, 8, &sg) && sg.bytes == in->bytes)
        return MW_FORMAT_WSG;
    return MW_FORMAT_AUTO;
}

/* The greatest id among the first edges, read in this way; MW_UNKNOWN: a negative one,
 * or ids so far apart that hardly any vertex would have an edge. */
static uint64_t greatest_id(const struct mw_input *in, const unsigned char *head,
                            uint64_t bytes, uint64_t edge_bytes)
{
    const uint64_t n_edges = in->bytes / edge_bytes;
    uint64_t greatest = 0;
    if (in->bytes % edge_bytes != 0)
        return MW_UNKNOWN;
    for (uint64_t at = 0; at + edge_bytes <= bytes; at += edge_bytes) {
        mw_vid u, v;
        mw_packed_get(head + at, edge_bytes, &u, &v);
        if ((u | v) > INT64_MAX)
            return MW_UNKNOWN;
        greatest = mw_max(greatest, mw_max(u, v));
    }
    return greatest / n_edges < (1 << 24) ? greatest : MW_UNKNOWN;
}

static enum mw_format detect_packed(const struct mw_input *in, const unsigned char *head,
                                    uint64_t bytes)
{
    const uint64_t as12 = greatest_id(in, head, bytes, MW_PACKED_BYTES);
    const uint64_t as16 = greatest_id(in, head, bytes, MW_PACKED16_BYTES);
    if (as12 == as16) /* neither, or all zero */
        return MW_FORMAT_AUTO;
    return as12 < as16 ? MW_FORMAT_PACKED12 : MW_FORMAT_PACKED16;
}

bool mw_format_named(const struct mw_read_conf *conf, const struct mw_input *in,
                     const unsigned char *head, uint64_t bytes)
{
    const uint64_t first = first_visible(head, bytes);
    uint64_t end = bytes + (bytes == in->bytes && head[bytes - 1] != '\n');
    for (uint64_t i = first; i < bytes; i++)
        if (!is_printable(head[i]))
            return false;
    while (bytes < in->bytes && end > first && head[end - 1] != '\n')
        end--; /* the last line is cut */
    return mw_fields_look_named(conf, (const char *)head + first,
                                (const char *)head + end);
}

/* A text of which nothing else is known: names in its first column, most often. Bytes of anything
 * seem to be text as well, but seldom for long; letters beyond ASCII are the fewer. */
static bool explain_text(const unsigned char *head, uint64_t bytes, char *why,
                         size_t room)
{
    char line[48];
    uint64_t n_beyond = 0;
    const uint64_t first = first_visible(head, bytes);
    for (uint64_t i = first; i < bytes; i++) {
        if (!is_printable(head[i]))
            return false;
        n_beyond += head[i] >= 0x80;
    }
    if (first == bytes || n_beyond > (bytes - first) / 2)
        return false;
    mw_input_quote(line, sizeof line, (const char *)head + first, bytes - first);
    snprintf(why, room,
             "format not recognised: its first line begins with no number, but with "
             "'%s': an edge list of names "
             "needs --names, a line of titles --header yes, another format --format %s",
             line, &MW_FORMAT_WORDS[sizeof "auto"]);
    return true;
}

/* Why it is none of them, into `why`. */
static void give_reasons(const struct mw_input *in, const unsigned char *head,
                         uint64_t bytes, char *why, size_t room)
{
    struct mw_sg sg;
    char expects[64] = "header makes no sense";
    const struct mw_packing *packing = mw_packing_find(head, bytes);
    if (packing != NULL) {
        snprintf(why, room, "is a %s file; unpack it first: %s %s", packing->what,
                 packing->command, in->name);
        return;
    }
    if (bytes >= MW_SG_HEADER && mw_sg_is_swapped(head, in->bytes)) {
        snprintf(why, room, "is a .sg file in the other byte order (big-endian)");
        return;
    }
    if (explain_text(head, bytes, why, room))
        return;
    if (bytes >= MW_SG_HEADER && mw_sg_parse(head, 4, &sg))
        snprintf(expects, sizeof expects, "header means %llu bytes",
                 (unsigned long long)sg.bytes);
    snprintf(
        why, room,
        "format not recognised in %llu bytes: not mtx (no %%%%MatrixMarket), not text "
        "(begins with byte 0x%02x), not .sg (%s), not packed edges (%s); if you know "
        "it, say --format %s",
        (unsigned long long)in->bytes, head[0], expects,
        in->bytes % 12 != 0 && in->bytes % 16 != 0
            ? "size is no multiple of 12 or 16"
            : "their ids would be negative or make no sense",
        &MW_FORMAT_WORDS[sizeof "auto"]);
}

enum mw_format mw_format_detect(const struct mw_input *in, const unsigned char *head,
                                uint64_t bytes, bool titled, char *why, size_t room)
{
    if (mw_foreign_explain(in->name, head, bytes, in->bytes, why, room))
        return MW_FORMAT_AUTO;
    if (is_mtx(head, bytes))
        return MW_FORMAT_MTX;
    if (is_dimacs(head, bytes))
        return MW_FORMAT_DIMACS;
    if (is_pajek(head, bytes))
        return MW_FORMAT_PAJEK;
    enum mw_format format = detect_sg(in, head, bytes, true);
    if (format == MW_FORMAT_AUTO && is_text(head, bytes, titled))
        format = text_format(in, head, bytes);
    if (format == MW_FORMAT_AUTO)
        format = detect_sg(in, head, bytes, false);
    if (format == MW_FORMAT_AUTO)
        format = detect_packed(in, head, bytes);
    if (format == MW_FORMAT_AUTO)
        give_reasons(in, head, bytes, why, room);
    return format;
}
