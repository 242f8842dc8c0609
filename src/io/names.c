/* names.c -- see names.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/names.h"

#include "base/mem.h"
#include "io/digits.h"
#include "io/input.h"
#include "io/name_table.h"

#include <inttypes.h>
#include <stdlib.h>

static const struct mw_names from_zero = {.n_vertices = UINT64_MAX};

static const struct mw_names *names_of(const struct mw_names *names)
{
    return names != NULL ? names : &from_zero;
}

int mw_names_make(struct mw_comm *comm, enum mw_naming naming,
                  const struct mw_dictionary *seen, struct mw_names *out,
                  uint64_t **vertex_of)
{
    *out = (struct mw_names){.naming = naming};
    const int rc = mw_name_table_new(comm, seen, &out->table, vertex_of);
    if (rc == MW_OK)
        out->n_vertices = mw_name_table_size(out->table);
    return rc;
}

void mw_names_fini(struct mw_names *names)
{
    mw_name_table_free(names->table);
    *names = (struct mw_names){0};
}

const char *mw_names_bytes(const struct mw_names *names, mw_vid v, uint64_t *bytes)
{
    return (const char *)mw_name_table_get(names->table, v, bytes);
}

uint64_t mw_names_number(const struct mw_names *names, mw_vid v)
{
    uint64_t bytes;
    names = names_of(names);
    switch (names->naming) {
    case MW_NAMED_IDS:
        return mw_name_to_id(mw_name_table_get(names->table, v, &bytes));
    case MW_NAMED_TEXTS:
        return 0;
    default:
        return v + names->base;
    }
}

/* A name in quotes, shortened, with what a terminal might obey made harmless. */
static const char *quoted(const char *name, uint64_t bytes, char text[MW_NAME_ROOM])
{
    char shown[MW_NAME_ROOM - 8];
    mw_input_quote(shown, sizeof shown, name, bytes);
    snprintf(text, MW_NAME_ROOM, "'%s%s'", shown, bytes >= sizeof shown ? "..." : "");
    return text;
}

const char *mw_names_text(const struct mw_names *names, mw_vid v, char text[MW_NAME_ROOM])
{
    names = names_of(names);
    if (names->naming == MW_NAMED_TEXTS) {
        uint64_t bytes;
        const char *name = mw_names_bytes(names, v, &bytes);
        return quoted(name, bytes, text);
    }
    snprintf(text, MW_NAME_ROOM, "%" PRIu64, mw_names_number(names, v));
    return text;
}

bool mw_names_find(const struct mw_names *names, uint64_t number, mw_vid *v)
{
    names = names_of(names);
    if (names->naming == MW_NAMED_IDS) {
        unsigned char name[MW_ID_BYTES];
        mw_id_to_name(number, name);
        return mw_name_table_find(names->table, name, sizeof name, v);
    }
    *v = number - names->base;
    return number >= names->base && *v < names->n_vertices;
}

bool mw_names_find_text(const struct mw_names *names, const char *name, uint64_t bytes,
                        mw_vid *v)
{
    return mw_name_table_find(names->table, name, bytes, v);
}

const char *mw_names_range(const struct mw_names *names, char text[MW_NAME_ROOM])
{
    char first[MW_NAME_ROOM], last[MW_NAME_ROOM];
    names = names_of(names);
    const uint64_t n = names->n_vertices;
    if (n == 0)
        snprintf(text, MW_NAME_ROOM, "none");
    else if (names->naming == MW_NAMED_COUNTED)
        snprintf(text, MW_NAME_ROOM, "%s..%s", mw_names_text(names, 0, first),
                 mw_names_text(names, n - 1, last));
    else /* not every name in between is one */
        snprintf(text, MW_NAME_ROOM, "one of %" PRIu64 ", %.20s to %.20s", n,
                 mw_names_text(names, 0, first), mw_names_text(names, n - 1, last));
    return text;
}

static int choose(const struct mw_names *names, const char *who, uint64_t number,
                  mw_vid *v)
{
    char range[MW_NAME_ROOM];
    if (mw_names_find(names, number, v))
        return MW_OK;
    return mw_fail(MW_ERR_USAGE,
                   "%s: vertex %" PRIu64 " is not in the graph; expected %s", who, number,
                   mw_names_range(names, range));
}

int mw_names_parse(const struct mw_names *names, const char *who, const char *text,
                   mw_vid *v)
{
    char range[MW_NAME_ROOM], given[MW_NAME_ROOM];
    const size_t length = strlen(text);
    names = names_of(names);
    if (names->naming == MW_NAMED_TEXTS) {
        if (mw_names_find_text(names, text, length, v))
            return MW_OK;
        return mw_fail(MW_ERR_USAGE, "%s: vertex %s is not in the graph; expected %s",
                       who, quoted(text, length, given), mw_names_range(names, range));
    }
    const size_t sign = text[0] == '-';
    const size_t n_digits = strspn(text + sign, "0123456789");
    if (n_digits == 0 || n_digits > 20 || sign + n_digits != length)
        return mw_fail(MW_ERR_USAGE, "%s: %s is not an integer; expected %s", who,
                       quoted(text, length, given), mw_names_range(names, range));
    if (sign > 0)
        return mw_fail(MW_ERR_USAGE, "%s: %s is out of range; expected %s", who, text,
                       mw_names_range(names, range));
    return choose(names, who, strtoull(text, NULL, 10), v);
}

/* Whether a text could be taken for something else: -1, a comment, two words, a quote. */
static bool is_plain(const char *name, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++)
        if ((unsigned char)name[i] <= ' ' || strchr("\",;", name[i]) != NULL)
            return false;
    return bytes > 0 && name[0] != '#' && name[0] != '%' && name[0] != '-';
}

char *mw_names_put(const struct mw_names *names, mw_vid v, char *p)
{
    uint64_t bytes;
    names = names_of(names);
    if (names->naming != MW_NAMED_TEXTS)
        return mw_put_digits(p, mw_names_number(names, v));
    const char *name = mw_names_bytes(names, v, &bytes);
    if (is_plain(name, bytes)) {
        memcpy(p, name, bytes);
        return p + bytes;
    }
    *p++ = '"';
    for (uint64_t i = 0; i < bytes; i++) {
        if (name[i] == '"')
            *p++ = '"';
        *p++ = name[i];
    }
    *p++ = '"';
    return p;
}
