/* test_layout_text.c -- layouts back to text: printed, formatted or generated, and parsed
 * again. Runs in tests/, next to share/layouts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_text.h"

#include <dirent.h>

/* ---- text ---------------------------------------------------------------------------- */

static char *printed(const struct mw_layout *l, size_t *bytes)
{
    char *text;
    FILE *f = open_memstream(&text, bytes);
    MUST(f != NULL);
    mw_layout_print(l, f);
    fclose(f);
    return text;
}

static char *formatted(const char *from, size_t from_bytes, size_t *bytes)
{
    char *text;
    FILE *f = open_memstream(&text, bytes);
    MUST(f != NULL);
    mw_layout_format(from, from_bytes, f);
    fclose(f);
    return text;
}

static bool same_clause(const struct mw_clause *a, const struct mw_clause *b)
{
    return a->kind == b->kind && a->by == b->by && a->hop == b->hop &&
           a->n_targets == b->n_targets &&
           memcmp(a->target, b->target, a->n_targets) == 0;
}

/* All but the places in the text. */
static void same_statements(const struct mw_layout *a, const struct mw_layout *b)
{
    MUST(a->rows == b->rows && a->cols == b->cols && strcmp(a->name, b->name) == 0);
    MUST(memcmp(a->fifo, b->fifo, sizeof a->fifo) == 0 && a->send == b->send);
    MUST(a->has_roles == b->has_roles && a->transpose == b->transpose);
    MUST(memcmp(a->role, b->role, mw_mesh_cores(a)) == 0);
    MUST(a->sources == b->sources && a->sinks == b->sinks);
    for (uint32_t i = 0; i < MW_N_LETTERS; i++) {
        MUST(a->route[i].n_clauses == b->route[i].n_clauses);
        for (uint32_t k = 0; k < a->route[i].n_clauses; k++)
            MUST(same_clause(&a->route[i].clause[k], &b->route[i].clause[k]));
    }
    MUST(a->n_buckets == b->n_buckets && a->bucket_owner == b->bucket_owner);
    MUST(a->bucket_blocks == b->bucket_blocks && a->spm_bytes == b->spm_bytes);
    MUST(a->spm_reserve == b->spm_reserve && a->batch_bytes == b->batch_bytes);
    MUST(a->batch_buffers == b->batch_buffers);
    MUST(memcmp(a->cost, b->cost, sizeof a->cost) == 0);
    MUST(a->message_bytes == b->message_bytes && a->payload_bytes == b->payload_bytes);
    MUST(a->clock_hz == b->clock_hz && a->dma_bytes_per_s == b->dma_bytes_per_s);
    MUST(a->dma_saturation == b->dma_saturation);
}

#define SAME(a, b, n) (memcmp((a), (b), (size_t)(n) * sizeof *(a)) == 0)

static void same_flows(const struct mw_layout *a, const struct mw_layout *b)
{
    MUST(a->n_routed == b->n_routed && a->n_listed == b->n_listed);
    MUST(a->n_flows == b->n_flows && a->longest == b->longest);
    MUST(a->n_sources == b->n_sources && a->n_sinks == b->n_sinks);
    if (a->n_routed > 0) {
        MUST(SAME(a->source, b->source, a->n_sources) &&
             SAME(a->sink, b->sink, a->n_sinks));
        MUST(SAME(a->source_first, b->source_first, a->n_sources + 1));
        MUST(SAME(a->next, b->next, a->n_sinks * mw_mesh_cores(a)));
    }
    if (a->n_listed > 0) {
        MUST(SAME(a->listed_first, b->listed_first, a->n_listed + 1));
        MUST(SAME(a->listed_core, b->listed_core, a->listed_first[a->n_listed]));
        MUST(SAME(a->listed_bucket, b->listed_bucket, a->n_listed));
    }
}

/* Print and format give the same layout again, and print and format nothing new. */
static void must_survive(const struct mw_layout *l, const char *text, size_t bytes)
{
    struct mw_diagnostics d;
    struct mw_layout *again;
    size_t n[4];
    char *form[4] = {printed(l, &n[0]), formatted(text, bytes, &n[1])};
    form[2] = formatted(form[0], n[0], &n[2]);
    form[3] = formatted(form[1], n[1], &n[3]);
    MUST(n[0] == n[2] && memcmp(form[0], form[2], n[0]) == 0);
    MUST(n[1] == n[3] && memcmp(form[1], form[3], n[1]) == 0);
    for (int i = 0; i < 2; i++) {
        if (parse(form[i], n[i], &again, &d) != MW_OK)
            ck_abort_msg("%s\n%s", form[i], said(&d));
        same_statements(l, again);
        same_flows(l, again);
        mw_layout_free(again);
    }
    for (int i = 0; i < 4; i++)
        free(form[i]);
}

START_TEST(ready_layouts_survive_print_and_format)
{
    DIR *dir = opendir("../share/layouts"); /* the suite runs in tests/ */
    uint32_t n = 0;
    MUST(dir != NULL);
    for (struct dirent *e; (e = readdir(dir)) != NULL;) {
        char path[300], text[1 << 14];
        if (strstr(e->d_name, ".layout") == NULL)
            continue;
        snprintf(path, sizeof path, "../share/layouts/%.200s", e->d_name);
        FILE *f = fopen(path, "rb");
        MUST(f != NULL);
        const size_t bytes = fread(text, 1, sizeof text - 1, f);
        text[bytes] = 0;
        fclose(f);
        struct mw_diagnostics d;
        struct mw_layout *l;
        if (parse(text, bytes, &l, &d) != MW_OK)
            ck_abort_msg("%s\n%s", path, said(&d));
        must_survive(l, text, bytes);
        MUST((d.n_warnings > 0) == (strstr(text, "# warning: ") != NULL));
        size_t form_bytes;
        char *form = formatted(text, bytes, &form_bytes);
        if (form_bytes != bytes || memcmp(form, text, bytes) != 0)
            ck_abort_msg("%s is not formatted:\n%s", path, form);
        free(form);
        mw_layout_free(l);
        n++;
    }
    closedir(dir);
    MUST(n >= 30);
}
END_TEST

static const char *const forms[][2] = {
    {"mesh   2\t2\r\n\r\n\r\n# a  b \r\nflow 0,0 ,0,1",
     "mesh 2 2\n\n\n# a  b\nflow 0,0, 0,1\n"},
    {"\xEF\xBB\xBF mesh 2 2#x", "mesh 2 2  #x\n"},
    {"mesh 2 2 # a\nflow 0,0 0,1 1,1 # b\nflow 0,0 0,1\n\nmsg 8 #c\nmsg 8# d",
     "mesh 2 2          # a\nflow 0,0 0,1 1,1  # b\nflow 0,0 0,1\n\nmsg 8  #c\n"
     "msg 8  # d\n"},
    {",mesh,2,2,", "mesh, 2,2\n"},
    {"", ""},
    {"\n", "\n"},
    {"   \t\n  # x", "\n# x\n"},
};

START_TEST(formatting_leaves_words_one_blank_apart)
{
    size_t bytes;
    char *form = formatted(forms[_i][0], strlen(forms[_i][0]), &bytes);
    if (strcmp(form, forms[_i][1]) != 0)
        ck_abort_msg("%s\nformatted:\n%sexpected:\n%s", forms[_i][0], form, forms[_i][1]);
    free(form);
}
END_TEST

/* ---- ready layouts of any size ------------------------------------------------------- */

static char *generated(const char *kind, uint32_t rows, uint32_t cols)
{
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    MUST(f != NULL);
    const int rc = mw_layout_generate(kind, rows, cols, f);
    fclose(f);
    MUST((rc == MW_OK) == (bytes > 0) && (rc == MW_OK || rc == MW_ERR_USAGE));
    if (rc == MW_OK)
        return text;
    free(text);
    return NULL;
}

START_TEST(every_kind_is_a_layout_for_every_mesh_it_fits)
{
    uint32_t n = 0;
    for (uint32_t rows = 0; rows <= 13; rows++)
        for (uint32_t cols = 0; cols <= 13; cols++) {
            char *text = generated(mw_layout_kinds[_i], rows, cols);
            if (text == NULL)
                continue;
            struct mw_layout *l = good(text);
            MUST(l->rows == rows && l->cols == cols);
            must_survive(l, text, strlen(text));
            size_t bytes;
            char *form = formatted(text, strlen(text), &bytes);
            MUST(strcmp(form, text) == 0);
            free(form);
            free(text);
            mw_layout_free(l);
            n++;
        }
    MUST(n >= 55);
}
END_TEST

START_TEST(the_largest_mesh_is_generated_too)
{
    for (int i = 0; mw_layout_kinds[i] != NULL; i++) {
        const bool star = strcmp(mw_layout_kinds[i], "star") == 0;
        char *text = generated(mw_layout_kinds[i], star ? 62 : 64, 64);
        MUST(text != NULL);
        struct mw_layout *l = good(text);
        MUST(l->n_flows > 0 || mw_layout_has_ways(l));
        mw_layout_free(l);
        free(text);
    }
    MUST(generated("paper", 8, 3) == NULL && generated("star", 8, 9) == NULL);
    MUST(generated("xy", 1, 1) == NULL && generated("xy", 1025, 8) == NULL);
    MUST(generated("paper", 65, 8) == NULL && generated("odd-even", 65, 8) == NULL);
    free(generated("xy", 65, 8)); /* for check, which takes it by its lines */
    MUST(generated("papers", 8, 8) == NULL);
    MUST(strstr(mw_error_text(), "'papers'") != NULL);
}
END_TEST

START_TEST(paper_is_generated_as_published)
{
    char *text = generated("paper", 8, 8);
    struct mw_layout *l = good(text);
    MUST(memcmp(l->role, "PPPPDUKK", 8) == 0 && l->n_buckets == 1024);
    MUST(l->n_flows == 512 && l->bucket_owner == 'K');
    mw_layout_free(l);
    free(text);
}
END_TEST

/* ---- random layouts ------------------------------------------------------------------ */

static void some_row(char *to, uint32_t n, uint64_t *dice)
{
    const uint64_t holes = roll(dice, 3) == 0;
    for (uint32_t i = 0; i < n; i++)
        to[i] = "PPDUKKT."[roll(dice, 7 + holes)];
    to[n] = '\0';
}

static void some_clauses(FILE *f, uint64_t *dice)
{
    static const char *const whens[] = {"down", "up", "same", "any"};
    static const char *const bys[] = {"", " by col", " by row", " by sink"};
    static const char *const hops[] = {"", " direct", " step", " ring"};
    static const char *const targets[] = {"D", "U", "T", "K", "D|U", "T|K|D", "K|K"};
    for (uint64_t n = roll(dice, 3); n > 0; n--)
        switch (roll(dice, 4)) {
        case 0:
            fprintf(f, " %s->%s%s", whens[roll(dice, 4)], targets[roll(dice, 7)],
                    bys[roll(dice, 4)]);
            break;
        case 1:
            fprintf(f, ", then %s", targets[roll(dice, 7)]);
            break;
        default:
            fprintf(f, " %s%s,", roll(dice, 2) == 0 ? "col-to-row" : "row-to-col",
                    hops[roll(dice, 4)]);
        }
}

static void some_numbers(FILE *f, uint64_t *dice)
{
    if (roll(dice, 2) == 0)
        fprintf(f, "fifo send %u col %u\n", (unsigned)roll(dice, 1025),
                (unsigned)roll(dice, 9));
    if (roll(dice, 2) == 0)
        fprintf(f, "spm %uK batch %u buffers %u # x\n", 32 + (unsigned)roll(dice, 99),
                1 + (unsigned)roll(dice, 99), 1 + (unsigned)roll(dice, 9));
    if (roll(dice, 2) == 0)
        fprintf(f, "clock %u.%u%.1s dma %u.%03uG sat 3\n", 1 + (unsigned)roll(dice, 9999),
                (unsigned)roll(dice, 100000), &"KMG "[roll(dice, 4)],
                1 + (unsigned)roll(dice, 99), (unsigned)roll(dice, 1000));
    if (roll(dice, 2) == 0)
        fprintf(f, "cost D %u, Z %u\n", (unsigned)roll(dice, 99),
                (unsigned)roll(dice, 99));
    if (roll(dice, 2) == 0)
        fprintf(f, "buckets %u%s%s\n", 1 + (unsigned)roll(dice, 99999),
                roll(dice, 2) == 0 ? "" : " owner=K", roll(dice, 2) == 0 ? "" : " block");
    if (roll(dice, 2) == 0)
        fprintf(f, "msg %u\n", 1 + (unsigned)roll(dice, 32));
    if (roll(dice, 2) == 0)
        fputs("name r\xC3\xA9seau\n", f);
}

static void some_flow(FILE *f, uint32_t rows, uint32_t cols, uint64_t *dice)
{
    uint64_t r = roll(dice, rows), c = roll(dice, cols);
    fprintf(f, "flow %u,%u", (unsigned)r, (unsigned)c);
    for (uint64_t n = 1 + roll(dice, 6); n > 0; n--) {
        const bool row = cols > 1 && (rows == 1 || roll(dice, 2) == 0);
        if (row)
            c = (c + 1 + roll(dice, cols - 1)) % cols;
        else
            r = (r + 1 + roll(dice, rows - 1)) % rows;
        fprintf(f, " %u,%u", (unsigned)r, (unsigned)c);
    }
    if (roll(dice, 2) == 0)
        fprintf(f, " bucket %u", (unsigned)roll(dice, 4));
    fputc('\n', f);
}

static char *some_layout(uint64_t *dice, size_t *bytes)
{
    char *text, row[10];
    FILE *f = open_memstream(&text, bytes);
    MUST(f != NULL);
    const bool turned = roll(dice, 4) == 0, routed = roll(dice, 3) != 0;
    const uint32_t rows = 1 + (uint32_t)roll(dice, 6), cols = 2 + (uint32_t)roll(dice, 6);
    fprintf(f, "mesh %u %u\n%s", rows, cols, turned ? "transpose\n" : "");
    some_numbers(f, dice);
    const uint32_t n_rows = roll(dice, 2) == 0 ? 1 : turned ? cols : rows;
    for (uint32_t i = 0; i < n_rows && routed; i++) {
        some_row(row, turned ? rows : cols, dice);
        fprintf(f, "roles %s\n", row);
    }
    for (int i = 0; i < 5 && routed; i++) {
        fprintf(f, "route %c:", "PDUTK"[i]);
        some_clauses(f, dice);
        fputs(" row-to-col, col-to-row\n", f);
    }
    for (uint64_t n = roll(dice, 4); n > 0; n--)
        some_flow(f, rows, cols, dice);
    fclose(f);
    return text;
}

static void check_flow(const struct mw_layout *l, uint64_t i)
{
    mw_core core[MW_MESH_CORES_MAX];
    const uint32_t n = mw_layout_flow(l, i, core);
    MUST(n >= 2 && n <= l->longest);
    for (uint32_t k = 0; k + 1 < n; k++)
        MUST(mw_hop_legal(l, core[k], core[k + 1]));
}

START_TEST(random_layouts_survive_print_and_format)
{
    uint64_t dice = (uint64_t)_i;
    uint32_t n_good = 0, n_routed = 0;
    for (int i = 0; i < 400; i++) {
        struct mw_diagnostics d;
        struct mw_layout *l;
        size_t bytes;
        char *text = some_layout(&dice, &bytes);
        const int rc = parse(text, bytes, &l, &d);
        MUST(rc == MW_OK || (rc == MW_ERR_DATA && d.n_errors > 0 && l == NULL));
        if (rc == MW_OK) {
            for (uint64_t k = 0; k < l->n_flows; k++)
                check_flow(l, k);
            must_survive(l, text, bytes);
            n_good++;
            n_routed += l->n_routed > 0;
        }
        free(text);
        mw_layout_free(l);
    }
    MUST(n_good >= 80 && n_routed >= 20 && mw_mem_in_use() == 0);
}
END_TEST

#define LOOP(tc, test, list) tcase_add_loop_test(tc, test, 0, sizeof list / sizeof *list)

int main(void)
{
    Suite *s = suite_create("layout_text");
    TCase *text = tcase_create("text"), *kinds = tcase_create("kinds");
    tcase_add_test(text, ready_layouts_survive_print_and_format);
    LOOP(text, formatting_leaves_words_one_blank_apart, forms);
    tcase_add_loop_test(text, random_layouts_survive_print_and_format, 0, 5);
    tcase_add_loop_test(kinds, every_kind_is_a_layout_for_every_mesh_it_fits, 0, 6);
    tcase_add_test(kinds, the_largest_mesh_is_generated_too);
    tcase_add_test(kinds, paper_is_generated_as_published);
    suite_add_tcase(s, text);
    suite_add_tcase(s, kinds);
    return run_suite(s);
}
