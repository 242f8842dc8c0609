/* test_validate.c -- right trees pass, and every way to damage one is found: on each rank,
 * by the rule that it breaks.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "damages.h"

#include <unistd.h>

/* ---- One rank ---------------------------------------------------------------------------- */

struct check {
    const uint64_t *parent;      /* [END] */
    const struct damage *damage; /* NULL: none */
    bool wide;
};

static int portion(const struct mw_comm *c, const struct check *k, void **out)
{
    int rc = MW_OK;
    const uint64_t n = mw_round_up(END, c->size) / c->size;
    uint64_t *all64;
    uint32_t *all32;
    MW_NEW(rc, all64, "parents", n);
    all32 = (uint32_t *)(void *)all64;
    for (uint64_t v = c->rank; v < END; v += c->size)
        if (k->wide)
            all64[v / c->size] = k->parent[v];
        else
            all32[v / c->size] = (uint32_t)k->parent[v];
    *out = all64;
end:
    return rc;
}

static int check_counts(const struct mw_validator *v, const struct mw_comm *c,
                        const struct mw_verdict *verdict, const uint64_t *parent)
{
    uint64_t n_edges = 0, n_loops = 0, n_reached = 0;
    uint32_t n_levels = 0;
    for (uint64_t i = 0; i < sample.m; i++) {
        const uint64_t a = sample.edge[i][0], b = sample.edge[i][1];
        n_edges += a != b && level[a] != NO_LEVEL && level[b] != NO_LEVEL;
        n_loops += a == b && level[a] != NO_LEVEL;
    }
    for (uint64_t u = 0; u < END; u++) {
        n_reached += parent[u] != UINT64_MAX;
        n_levels = (uint32_t)mw_max(n_levels, level[u] == NO_LEVEL ? 0 : level[u] + 1);
        if (u % c->size == c->rank)
            EXPECT(mw_validator_level(v, u / c->size) == level[u], "vertex %u",
                   (unsigned)u);
    }
    EXPECT(verdict->n_reached == n_reached, "%u", (unsigned)verdict->n_reached);
    EXPECT(verdict->n_edges == n_edges, "%u", (unsigned)verdict->n_edges);
    EXPECT(verdict->n_self_loops == n_loops, "%u", (unsigned)verdict->n_self_loops);
    EXPECT(verdict->n_levels == n_levels, "%u", verdict->n_levels);
    for (int r = 0; r <= MW_RULE_EDGES; r++)
        EXPECT(verdict->n_wrong[r] == 0, "rule %d", r);
    return MW_OK;
}

static int check_rejection(int rc, const struct mw_verdict *v, const struct damage *d)
{
    uint64_t all = 0;
    int said = 0;
    const char *rule = strstr(mw_error_text(), "rule ");
    EXPECT(rc == MW_ERR_INVALID, "%s: %d", d->name, rc);
    EXPECT(strstr(mw_error_text(), "root 0") != NULL, "%s: %s", d->name, mw_error_text());
    const bool found = rule != NULL && sscanf(rule, "rule %d", &said) == 1;
    EXPECT(found, "%s: %s", d->name, mw_error_text());
    for (int r = 0; r <= MW_RULE_EDGES; r++)
        all += v->n_wrong[r];
    EXPECT(said > 0 && said <= MW_RULE_EDGES && v->n_wrong[said] > 0,
           "%s: the text says rule %d", d->name, said);
    const uint64_t n = d->rule == 0 ? all : v->n_wrong[d->rule];
    EXPECT(n >= d->at_least && n <= d->at_most, "%s: rule %u is broken %u times", d->name,
           d->rule, (unsigned)n);
    EXPECT(!d->alone || all == n, "%s: %u, but %u of rule %u", d->name, (unsigned)all,
           (unsigned)n, d->rule);
    return MW_OK;
}

static int reject(struct mw_world *w, struct mw_validator *v, const struct check *k,
                  const void *parent)
{
    struct mw_verdict verdict;
    if (k->damage == NULL)
        return MW_OK;
    mw_error_clear();
    const int rc = mw_validate(v, ROOT, parent, k->wide, &verdict);
    return mw_comm_agree(w->comm, check_rejection(rc, &verdict, k->damage));
}

static int validate(struct mw_world *w, void *arg)
{
    const struct check *k = arg;
    struct mw_edges edges = {0};
    struct mw_validator *v = NULL;
    struct mw_verdict verdict;
    struct check whole = {.parent = right, .wide = k->wide};
    void *mine = NULL, *good = NULL;
    int rc;

    MW_TRY(rc, sample_share(&sample, w->comm, &edges));
    MW_TRY(rc, mw_validator_new(w, &edges, &v));
    MW_TRY(rc, portion(w->comm, k, &mine));
    MW_TRY(rc, portion(w->comm, &whole, &good));
    MW_TRY(rc, reject(w, v, k, mine));
    /* What was wrong before is forgotten, and what was right. */
    mw_error_clear();
    MW_TRY(rc, mw_validate(v, ROOT, good, k->wide, &verdict));
    MW_TRY(rc, check_counts(v, w->comm, &verdict, right));
    rc = reject(w, v, k, mine);
end:
    mw_free(mine);
    mw_free(good);
    mw_validator_free(v);
    mw_edges_fini(&edges);
    return rc;
}

/* Hosts of so many ranks; 0: one host. Ranks of a host judge without messages. */
static void must_validate(struct check *k, uint32_t n_ranks, uint32_t per_host,
                          uint32_t width, uint32_t threads)
{
    struct ranks r = {.loop = {n_ranks, per_host, 0}, .body = validate, .arg = k};
    with_threads(&r, threads);
    with_width(&r, width);
    r.world.batch_bytes = 256;
    r.world.small_input = 64;
    r.world.least_bits = width > 2 ? 29 + n_ranks % 4 : 0;
    r.world.hang_timeout_s = HANG_S;
    must_run(&r);
}

START_TEST(right_trees_pass_with_the_right_counts)
{
    for (uint32_t threads = 0; threads <= 3; threads++)
        for (uint32_t width = 1; width <= (uint32_t)_i && width <= 4; width++) {
            struct check k = {.parent = right, .wide = threads % 2};
            must_validate(&k, (uint32_t)_i, (threads + width) % 3, width, threads);
        }
}
END_TEST

/* With P ranks, on a vertex of each of them if there is one to damage. */
START_TEST(damage_is_rejected)
{
    const struct damage *d = &damages[_i];
    uint32_t n_damaged = 0;
    for (uint32_t n_ranks = 1; n_ranks <= 5; n_ranks++)
        for (uint32_t where = 0; where < n_ranks; where++) {
            uint64_t parent[END], v = where;
            bool done = false;
            for (; !done && v < END; v += n_ranks) {
                memcpy(parent, right, sizeof parent);
                done = d->apply(parent, v);
            }
            struct check k = {.parent = parent, .damage = d, .wide = where % 2};
            if (done)
                must_validate(&k, n_ranks, where % 3, 1 + where % 2 % n_ranks,
                              n_ranks % 3);
            n_damaged += done;
        }
    ck_assert_uint_ge(n_damaged, 5);
}
END_TEST

START_TEST(numbers_of_64_bits_are_not_cut)
{
    static const struct damage far = {"far away", NULL, MW_RULE_TREE, 1, BODY, false};
    uint64_t parent[END];
    struct check k = {.parent = parent, .damage = &far, .wide = true};
    memcpy(parent, right, sizeof parent);
    parent[7] |= UINT64_C(1) << (32 + 5 * _i); /* right in its lower 32 bits */
    must_validate(&k, 3, 0, 1, (uint32_t)_i % 2);
}
END_TEST

START_TEST(one_vertex_is_a_tree)
{
    sample_free(&sample);
    sample = (struct sample){.name = "one vertex", .n = END};
    sample_edge(&sample, ROOT, ROOT);
    sample_finish(&sample);
    sample_levels(&sample, ROOT, level);
    memset(right, 0xFF, sizeof right);
    right[ROOT] = ROOT;
    struct check k = {.parent = right};
    must_validate(&k, 1 + (uint32_t)_i, 0, 1, (uint32_t)_i % 2);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("validate");
    TCase *t = tcase_create("trees");
    tcase_add_checked_fixture(t, sample_up, sample_down);
    tcase_add_loop_test(t, right_trees_pass_with_the_right_counts, 1, 10);
    tcase_add_loop_test(t, damage_is_rejected, 0, DAMAGES);
    tcase_add_loop_test(t, numbers_of_64_bits_are_not_cut, 0, 6);
    tcase_add_loop_test(t, one_vertex_is_a_tree, 0, 3);
    suite_add_tcase(s, t);
    return run_suite(s);
}
