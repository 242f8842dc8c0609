/* test_keys.c -- tables of keys (traversal/keys.h): texts, every kind of value, every refusal; and
 * for every key of every algorithm and of a run: defaults parse, values arrive, help is there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/algorithms.h"
#include "algorithms/bfs/direction.h"
#include "suite.h"
#include "traversal/run_keys.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum pace { PACE_SLOW, PACE_FAST };
struct toy {
    uint64_t many;
    uint32_t few;
    double exact;
    float about;
    enum pace pace;
    bool quiet;
    int pair[2];
};

static int parse_pair(const char *who, const char *text, void *options)
{
    struct toy *t = options;
    if (sscanf(text, "%d:%d", &t->pair[0], &t->pair[1]) == 2)
        return MW_OK;
    return mw_fail(MW_ERR_USAGE, "%s: '%s' is no pair", who, text);
}

#define FIELD(field) MW_KEY_FIELD(struct toy, field)
/* clang-format off */
static const struct mw_key toy_key[] = {
    {.name = "many", .kind = MW_KEY_COUNT, .value = "N", .min = 1, .max = UINT64_MAX, FIELD(many), .help = "Many"},
    {.name = "few", .kind = MW_KEY_BYTES, .value = "SIZE", .fallback = "4Ki", .max = 1 << 20, FIELD(few), .help = "Few"},
    {.name = "exact", .kind = MW_KEY_REAL, .value = "X", .fallback = "2.5", .max = 9, FIELD(exact), .help = "Exact"},
    {.name = "about", .kind = MW_KEY_REAL, .value = "X", .max = 9, FIELD(about), .help = "About"},
    {.name = "pace", .kind = MW_KEY_WORD, .words = "slow|fast", .fallback = "slow", FIELD(pace), .help = "Pace"},
    {.name = "quiet", .kind = MW_KEY_WORD, .words = "no|yes", .fallback = "no", FIELD(quiet), .help = "Quiet"},
    {.name = "pair", .kind = MW_KEY_FORM, .value = "A:B", .fallback = "1:2", .parse = parse_pair, FIELD(pair), .help = "Pair"},
};
/* clang-format on */
static const struct mw_key_conflict toy_conflict[] = {
    {"about", "pace=fast", "who is fast does not count"}};
static const struct mw_keys toy_keys = {.key = toy_key,
                                        .n = sizeof toy_key / sizeof *toy_key,
                                        .conflict = toy_conflict,
                                        .n_conflicts = 1,
                                        .options_bytes = sizeof(struct toy)};

static struct toy toy;

static int read_toy(const char *text)
{
    const struct mw_keyed of = {&toy_keys, &toy};
    mw_keys_default(&of);
    return mw_keys_read("--tune", text, &of, 1);
}

START_TEST(defaults_are_those_of_the_table)
{
    ck_assert_int_eq(read_toy(NULL), MW_OK);
    ck_assert_uint_eq(toy.many, 0);
    ck_assert_uint_eq(toy.few, 4096);
    ck_assert_double_eq(toy.exact, 2.5);
    ck_assert(toy.about == 0 && toy.pace == PACE_SLOW && !toy.quiet);
    ck_assert(toy.pair[0] == 1 && toy.pair[1] == 2);
}
END_TEST

START_TEST(each_kind_arrives_in_its_field)
{
    ck_assert_int_eq(read_toy("many=18446744073709551615,few=64K,exact=1.25,about=0.5,"
                              "quiet=yes,pair=-3:4"),
                     MW_OK);
    ck_assert_uint_eq(toy.many, UINT64_MAX);
    ck_assert_uint_eq(toy.few, 64000);
    ck_assert_double_eq(toy.exact, 1.25);
    ck_assert(toy.about == 0.5F);
    ck_assert(toy.quiet && toy.pace == PACE_SLOW);
    ck_assert(toy.pair[0] == -3 && toy.pair[1] == 4);
    ck_assert_int_eq(read_toy("pace=fast"), MW_OK);
    ck_assert(toy.pace == PACE_FAST && !toy.quiet && toy.pair[0] == 1);
}
END_TEST

static const struct {
    const char *text, *says;
} wrong[] = {
    {"mani=3", "--tune: 'mani' is no key here; did you mean many?"},
    {"zzzzzzzz=3", "--tune: 'zzzzzzzz' is no key here"},
    {"=3", "--tune: '' is no key here"},
    {"many", "--tune: many needs a value, as in many=N"},
    {"pace", "--tune: pace needs a value, as in pace=slow|fast"},
    {"many=0", "--tune: many: 0 is out of range; expected 1 or more"},
    {"many=", "--tune: many: '' is not an integer; expected 1 or more"},
    {"few=1Mi", NULL},
    {"few=2Mi", "--tune: few: 2Mi is out of range; expected 0..1048576 bytes"},
    {"exact=ten", "--tune: exact: 'ten' is not a number; expected 0..9"},
    {"pace=fas", "--tune: pace: 'fas' is not known; expected one of slow, fast"},
    {"pair=3", "--tune: pair: '3' is no pair"},
    {"many=3,few=1,many=4", "--tune: many is given twice"},
    {"about=1,pace=fast",
     "--tune: about and pace=fast exclude each other: who is fast does not count"},
    {"about=1,pace=slow", NULL},
    {"", NULL},
};

START_TEST(what_is_wrong_is_said)
{
    const int rc = read_toy(wrong[_i].text);
    ck_assert_int_eq(rc, wrong[_i].says != NULL ? MW_ERR_USAGE : MW_OK);
    if (wrong[_i].says != NULL)
        ck_assert_str_eq(mw_error_text(), wrong[_i].says);
}
END_TEST

START_TEST(a_text_is_stepped_through_and_parted)
{
    struct mw_tune t;
    char own[64];
    const char *const text = "many=1,batch=2,pair=1:2,few";
    ck_assert(mw_tune_find(text, "pair", &t) && t.value_length == 3);
    ck_assert(mw_tune_is(text, "pair", "1:2") && !mw_tune_is(text, "pair", "1:"));
    ck_assert(!mw_tune_find(text, "pai", &t) && !mw_tune_find(NULL, "pair", &t));
    ck_assert(mw_tune_find(text, "few", &t) && t.value == NULL);
    mw_tune_select(text, &toy_keys, own);
    ck_assert_str_eq(own, "many=1,pair=1:2,few");
    mw_tune_select(text, &mw_run_keys, own);
    ck_assert_str_eq(own, "batch=2");
    mw_tune_select(text, NULL, own);
    ck_assert_str_eq(own, "");
}
END_TEST

/* ---- Those that there are ------------------------------------------------------------------ */

static const struct mw_keys *tables[16];
static uint32_t n_tables;

static void find_tables(void)
{
    n_tables = 0;
    tables[n_tables++] = &mw_run_keys;
    for (uint32_t i = 0; mw_algorithms[i] != NULL && n_tables < 16; i++)
        if (mw_algorithms[i]->keys != NULL)
            tables[n_tables++] = mw_algorithms[i]->keys;
}

static int read_one(const struct mw_keys *keys, const char *name, const char *value,
                    void *options)
{
    char text[128];
    const struct mw_keyed of = {keys, options};
    mw_keys_default(&of);
    snprintf(text, sizeof text, "%s=%s", name, value);
    return mw_keys_read("keys", text, &of, 1);
}

/* The default given by name leaves the options as they are; another value changes them, and only
 * in the key's own field. */
static void check_value(const struct mw_keys *keys, const struct mw_key *key,
                        const char *value, bool is_default)
{
    unsigned char *plain = calloc(1, keys->options_bytes);
    unsigned char *set = calloc(1, keys->options_bytes);
    const struct mw_keyed of = {keys, plain};
    ck_assert(plain != NULL && set != NULL);
    mw_keys_default(&of);
    ck_assert_int_eq(read_one(keys, key->name, value, set), MW_OK);
    for (size_t i = 0; i < keys->options_bytes; i++)
        if (i < key->offset || i >= key->offset + key->bytes)
            ck_assert_uint_eq(plain[i], set[i]);
    ck_assert_int_eq(memcmp(plain + key->offset, set + key->offset, key->bytes) == 0,
                     is_default);
    free(plain);
    free(set);
}

static void check_words(const struct mw_keys *keys, const struct mw_key *key)
{
    ck_assert_ptr_nonnull(key->fallback);
    ck_assert_uint_eq(strcspn(key->words, "|"), strlen(key->fallback));
    for (const char *p = key->words; *p != '\0'; p += *p == '|') {
        char word[64];
        const size_t n = strcspn(p, "|");
        snprintf(word, sizeof word, "%.*s", (int)n, p);
        check_value(keys, key, word, p == key->words);
        p += n;
    }
}

static int read_negative(const struct mw_keys *keys, const struct mw_key *key)
{
    void *options = calloc(1, keys->options_bytes);
    ck_assert_ptr_nonnull(options);
    const int rc = read_one(keys, key->name, "-1", options);
    free(options);
    return rc;
}

static void check_key(const struct mw_keys *keys, const struct mw_key *key)
{
    char text[32];
    ck_assert(key->help != NULL && key->help[0] != '\0');
    ck_assert_msg(key->help[strlen(key->help) - 1] != '.', "%s: a full stop", key->name);
    ck_assert_ptr_null(strpbrk(key->name, ",=+ "));
    ck_assert_uint_le(key->offset + key->bytes, keys->options_bytes);
    ck_assert_msg(mw_key_find(keys, key->name, strlen(key->name)) == key,
                  "%s stands there twice", key->name);
    if (key->kind == MW_KEY_WORD)
        check_words(keys, key);
    else
        ck_assert_ptr_nonnull(key->value);
    if (key->fallback != NULL)
        check_value(keys, key, key->fallback, true);
    if (key->kind == MW_KEY_WORD || key->kind == MW_KEY_FORM)
        return;
    snprintf(text, sizeof text, "%llu", (unsigned long long)key->max);
    if (key->fallback != NULL &&
        strcmp(text, key->fallback) == 0) /* the default is the most */
        snprintf(text, sizeof text, "%llu", (unsigned long long)key->min);
    check_value(keys, key, text, false);
    ck_assert_int_eq(read_negative(keys, key), MW_ERR_USAGE);
}

START_TEST(every_key_of_every_table_arrives)
{
    find_tables();
    ck_assert_uint_gt(n_tables, 1);
    for (uint32_t t = 0; t < n_tables; t++)
        for (uint32_t i = 0; i < tables[t]->n; i++)
            check_key(tables[t], &tables[t]->key[i]);
}
END_TEST

START_TEST(no_key_of_an_algorithm_hides_one_of_the_run)
{
    find_tables();
    for (uint32_t t = 1; t < n_tables; t++)
        for (uint32_t i = 0; i < tables[t]->n; i++) {
            const char *const name = tables[t]->key[i].name;
            ck_assert_msg(mw_key_find(&mw_run_keys, name, strlen(name)) == NULL,
                          "%s is a key of a run, too", name);
        }
}
END_TEST

START_TEST(conflicts_and_idle_keys_name_keys)
{
    find_tables();
    for (uint32_t t = 0; t < n_tables; t++) {
        const struct mw_keys *k = tables[t];
        for (uint32_t i = 0; i < k->n_conflicts; i++) {
            const char *const a = k->conflict[i].a, *const b = k->conflict[i].b;
            ck_assert_ptr_nonnull(mw_key_find(k, a, strcspn(a, "=")));
            ck_assert_ptr_nonnull(mw_key_find(k, b, strcspn(b, "=")));
        }
        for (uint32_t i = 0; i < k->n_idle; i++)
            ck_assert_ptr_nonnull(mw_key_find(k, k->idle[i].key, strlen(k->idle[i].key)));
    }
}
END_TEST

START_TEST(hubs_have_three_forms)
{
    struct mw_direction_rule rule;
    const struct mw_keys *const keys = mw_algorithms[0]->keys;
    ck_assert_int_eq(read_one(keys, "hubs", "3:16", &rule), MW_OK);
    ck_assert(rule.hubs[MW_TOP_DOWN] == 3 && rule.hubs[MW_BOTTOM_UP] == 16);
    ck_assert_int_eq(read_one(keys, "hubs", "off", &rule), MW_OK);
    ck_assert(rule.hubs[MW_TOP_DOWN] == MW_HUBS_OFF &&
              rule.hubs[MW_BOTTOM_UP] == MW_HUBS_OFF);
    ck_assert_int_eq(read_one(keys, "hubs", "auto", &rule), MW_OK);
    ck_assert(rule.hubs[MW_TOP_DOWN] == 0 && rule.hubs[MW_BOTTOM_UP] == 0);
    ck_assert_int_eq(read_one(keys, "hubs", "3:17", &rule), MW_ERR_USAGE);
    ck_assert_int_eq(read_one(keys, "hubs", "123456789:1", &rule), MW_ERR_USAGE);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("keys");
    TCase *t = tcase_create("texts");
    tcase_add_test(t, defaults_are_those_of_the_table);
    tcase_add_test(t, each_kind_arrives_in_its_field);
    tcase_add_loop_test(t, what_is_wrong_is_said, 0, sizeof wrong / sizeof *wrong);
    tcase_add_test(t, a_text_is_stepped_through_and_parted);
    suite_add_tcase(s, t);
    t = tcase_create("tables");
    tcase_add_test(t, every_key_of_every_table_arrives);
    tcase_add_test(t, no_key_of_an_algorithm_hides_one_of_the_run);
    tcase_add_test(t, conflicts_and_idle_keys_name_keys);
    tcase_add_test(t, hubs_have_three_forms);
    suite_add_tcase(s, t);
    return run_suite(s);
}
