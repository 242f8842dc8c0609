/* keys.c -- see keys.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "traversal/keys.h"

#include "base/nearest.h"
#include "base/values.h"

#include <stdio.h>
#include <string.h>

enum { LONGEST = 128 }; /* of a name with its value, in messages and conflicts */

/* ---- Texts -------------------------------------------------------------------------------- */

bool mw_tune_next(const char **text, struct mw_tune *out)
{
    const char *const piece = *text;
    if (piece == NULL || *piece == '\0')
        return false;
    const size_t length = strcspn(piece, ","), name = strcspn(piece, ",=");
    *out = (struct mw_tune){.key = piece, .key_length = name};
    if (name < length) {
        out->value = piece + name + 1;
        out->value_length = length - name - 1;
    }
    *text = piece + length + (piece[length] == ',');
    return true;
}

static bool is_named(const struct mw_tune *t, const char *name)
{
    return strlen(name) == t->key_length && memcmp(name, t->key, t->key_length) == 0;
}

bool mw_tune_find(const char *text, const char *key, struct mw_tune *out)
{
    while (mw_tune_next(&text, out))
        if (is_named(out, key))
            return true;
    return false;
}

bool mw_tune_is(const char *text, const char *key, const char *value)
{
    struct mw_tune t;
    return mw_tune_find(text, key, &t) && t.value != NULL &&
           strlen(value) == t.value_length && memcmp(value, t.value, t.value_length) == 0;
}

/* ---- Tables ------------------------------------------------------------------------------- */

const struct mw_key *mw_key_find(const struct mw_keys *keys, const char *name,
                                 size_t length)
{
    for (uint32_t i = 0; keys != NULL && i < keys->n; i++)
        if (strlen(keys->key[i].name) == length &&
            memcmp(keys->key[i].name, name, length) == 0)
            return &keys->key[i];
    return NULL;
}

void mw_tune_select(const char *text, const struct mw_keys *keys, char *out)
{
    struct mw_tune t;
    char *end = out;
    *out = '\0';
    while (mw_tune_next(&text, &t)) {
        const size_t length = t.key_length + (t.value != NULL ? 1 + t.value_length : 0);
        if (mw_key_find(keys, t.key, t.key_length) == NULL)
            continue;
        if (end > out)
            *end++ = ',';
        memcpy(end, t.key, length);
        end += length;
        *end = '\0';
    }
}

/* A number goes into a field of its size. */
static void store(const struct mw_key *key, uint64_t number, double real, void *options)
{
    char *const field = (char *)options + key->offset;
    const uint32_t narrow = (uint32_t)number;
    const bool flag = number != 0;
    const float single = (float)real;
    if (key->kind == MW_KEY_REAL)
        memcpy(field, key->bytes == sizeof real ? (const void *)&real : &single,
               key->bytes);
    else if (key->bytes == sizeof number)
        memcpy(field, &number, sizeof number);
    else if (key->bytes == sizeof narrow)
        memcpy(field, &narrow, sizeof narrow);
    else
        memcpy(field, &flag, sizeof flag);
}

static int set_key(const struct mw_key *key, const char *who, const char *text,
                   void *options)
{
    uint64_t number = 0;
    double real = 0;
    int rc = MW_OK;
    switch (key->kind) {
    case MW_KEY_WORD:
        rc = mw_parse_word(who, text, key->words, &number);
        break;
    case MW_KEY_COUNT:
        rc = mw_parse_count(who, text, key->min, key->max, &number);
        break;
    case MW_KEY_BYTES:
        rc = mw_parse_bytes(who, text, key->min, key->max, &number);
        break;
    case MW_KEY_REAL:
        rc = mw_parse_real(who, text, (double)key->min, (double)key->max, &real);
        break;
    case MW_KEY_FORM:
        return key->parse(who, text, options);
    }
    if (rc == MW_OK)
        store(key, number, real, options);
    return rc;
}

void mw_keys_default(const struct mw_keyed *of)
{
    if (of->keys == NULL)
        return;
    memset(of->options, 0, of->keys->options_bytes);
    for (uint32_t i = 0; i < of->keys->n; i++) {
        const struct mw_key *key = &of->keys->key[i];
        if (key->fallback != NULL)
            (void)set_key(key, key->name, key->fallback, of->options);
    }
}

/* ---- Reading ------------------------------------------------------------------------------ */

static int refuse_unknown(const char *who, const struct mw_tune *t,
                          const struct mw_keyed *of, uint32_t n)
{
    char name[LONGEST];
    struct mw_nearest near = {.given = name};
    snprintf(name, sizeof name, "%.*s", (int)mw_min(t->key_length, LONGEST - 1), t->key);
    for (uint32_t k = 0; k < n; k++)
        for (uint32_t i = 0; of[k].keys != NULL && i < of[k].keys->n; i++)
            mw_nearest_offer(&near, of[k].keys->key[i].name);
    if (near.best != NULL)
        return mw_fail(MW_ERR_USAGE, "%s: '%s' is no key here; did you mean %s?", who,
                       name, near.best);
    return mw_fail(MW_ERR_USAGE, "%s: '%s' is no key here", who, name);
}

static int read_one(const char *who, const struct mw_tune *t, const struct mw_keyed *of,
                    uint32_t n)
{
    const struct mw_key *key = NULL;
    char front[LONGEST], text[LONGEST];
    uint32_t k = 0;
    while (k < n && (key = mw_key_find(of[k].keys, t->key, t->key_length)) == NULL)
        k++;
    if (key == NULL)
        return refuse_unknown(who, t, of, n);
    if (t->value == NULL)
        return mw_fail(MW_ERR_USAGE, "%s: %s needs a value, as in %s=%s", who, key->name,
                       key->name, key->words != NULL ? key->words : key->value);
    if (t->value_length >= sizeof text)
        return mw_fail(MW_ERR_USAGE, "%s: %s: a value of %zu characters", who, key->name,
                       t->value_length);
    snprintf(front, sizeof front, "%s: %s", who, key->name);
    snprintf(text, sizeof text, "%.*s", (int)t->value_length, t->value);
    return set_key(key, front, text, of[k].options);
}

static int check_once(const char *who, const char *text)
{
    struct mw_tune t, later;
    while (mw_tune_next(&text, &t))
        for (const char *rest = text; mw_tune_next(&rest, &later);)
            if (t.key_length == later.key_length &&
                memcmp(t.key, later.key, t.key_length) == 0)
                return mw_fail(MW_ERR_USAGE, "%s: %.*s is given twice", who,
                               (int)t.key_length, t.key);
    return MW_OK;
}

/* One side of a conflict: "alpha", or "direction=top-down". */
static bool side_holds(const char *text, const char *side)
{
    const size_t n = strcspn(side, "=");
    struct mw_tune t;
    char name[LONGEST];
    if (side[n] == '\0')
        return mw_tune_find(text, side, &t);
    snprintf(name, sizeof name, "%.*s", (int)n, side);
    return mw_tune_is(text, name, side + n + 1);
}

static int check_conflicts(const char *who, const char *text, const struct mw_keys *keys)
{
    for (uint32_t i = 0; keys != NULL && i < keys->n_conflicts; i++) {
        const struct mw_key_conflict *c = &keys->conflict[i];
        if (side_holds(text, c->a) && side_holds(text, c->b))
            return mw_fail(MW_ERR_USAGE, "%s: %s and %s exclude each other: %s", who,
                           c->a, c->b, c->why);
    }
    return MW_OK;
}

int mw_keys_read(const char *who, const char *text, const struct mw_keyed *of, uint32_t n)
{
    struct mw_tune t;
    const char *rest = text;
    MW_NEED(check_once(who, text));
    while (mw_tune_next(&rest, &t))
        MW_NEED(read_one(who, &t, of, n));
    for (uint32_t k = 0; k < n; k++)
        MW_NEED(check_conflicts(who, text, of[k].keys));
    return MW_OK;
}

const char *mw_keys_idle(const struct mw_keyed *of, const struct mw_world *w,
                         const char *text, const char *key)
{
    const struct mw_keys *keys = of->keys;
    for (uint32_t i = 0; keys != NULL && i < keys->n_idle; i++)
        if (strcmp(keys->idle[i].key, key) == 0 &&
            keys->idle[i].holds(w, of->options, text))
            return keys->idle[i].why;
    return NULL;
}
