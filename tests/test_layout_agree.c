/* test_layout_agree.c -- the proof and the search, which share no code, say the same: what is
 * proved free never deadlocks, and a witness can be reached by its own flows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layout_naive.h"
#include "mesh/proof/proof.h"

enum { ROUNDS = 20, PER_ROUND = 500, LIMIT = 20000 };

static struct mw_explore_conf conf_of(const struct mw_layout *l, enum mw_mesh_model model)
{
    return (struct mw_explore_conf){.model = model,
                                    .fifo = {l->fifo[MW_ROW], l->fifo[MW_COLUMN]},
                                    .send = l->send,
                                    .limit = LIMIT};
}

static enum mw_explore_verdict explored(const struct mw_layout *l,
                                        const struct mw_explore_conf *conf,
                                        uint64_t *in_flight)
{
    struct mw_exploration e;
    MUST(mw_layout_explore(l, conf, &e) == MW_OK);
    const enum mw_explore_verdict verdict = e.verdict;
    *in_flight = e.in_flight;
    mw_exploration_fini(&e);
    return verdict;
}

/* The flows that cause the witness reach a deadlock, of at least the fewest messages. */
static void must_realise(const struct mw_layout *l, const struct mw_proof *p)
{
    struct mw_explore_conf conf = conf_of(l, p->model);
    uint64_t flow[64], in_flight;
    for (uint32_t i = 0; i < p->n_cycle; i++)
        flow[i] = p->why[i].flow;
    conf.flow = flow;
    conf.n_flows = p->n_cycle;
    for (int guided = 0; guided < 2; guided++) {
        conf.guided = guided != 0;
        const enum mw_explore_verdict v = explored(l, &conf, &in_flight);
        if (v == MW_EXPLORED_FREE || (guided && v != MW_EXPLORED_DEADLOCK) ||
            (v == MW_EXPLORED_DEADLOCK && in_flight < p->min_inflight))
            ck_abort_msg("%s%s, guided %d: not realised, or with %u messages, not %u",
                         layout_text(l), mw_mesh_model_names[p->model], guided,
                         (unsigned)in_flight, (unsigned)p->min_inflight);
    }
}

static void must_stay_free(const struct mw_layout *l, const struct mw_proof *p)
{
    const struct mw_explore_conf conf = conf_of(l, p->model);
    uint64_t in_flight;
    if (explored(l, &conf, &in_flight) == MW_EXPLORED_DEADLOCK)
        ck_abort_msg("%s%s: proved free, and yet", layout_text(l),
                     mw_mesh_model_names[p->model]);
}

/* _i: the seed. */
START_TEST(proof_and_search_agree_on_random_layouts)
{
    uint64_t dice = (uint64_t)_i + 5000, n_cyclic = 0, n_free = 0;
    for (int n = 0; n < PER_ROUND; n++) {
        struct mw_layout *l = random_layout(&dice);
        const enum mw_mesh_model model = (enum mw_mesh_model)roll(&dice, MW_N_MODELS);
        struct mw_proof p;
        for (int c = 0; c < MW_N_CLASSES; c++)
            l->fifo[c] = (uint32_t)roll(&dice, 3);
        l->send = model == MW_COUPLED ? (uint32_t)roll(&dice, 2) : 0;
        MUST(mw_proof_make(l, model, &p) == MW_OK);
        if (p.free)
            must_stay_free(l, &p);
        else
            must_realise(l, &p);
        n_free += p.free;
        n_cyclic += !p.free;
        mw_proof_fini(&p);
        mw_layout_free(l);
    }
    ck_assert_uint_gt(n_free, PER_ROUND / 20);
    ck_assert_uint_gt(n_cyclic, PER_ROUND / 20);
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}
END_TEST

/* Depths 0 and 1 for each class: the search sees what a wall stops, the proof has to know. */
START_TEST(proof_and_search_agree_where_nothing_can_enter)
{
    uint64_t dice = (uint64_t)_i + 9000, n_cyclic = 0;
    for (int n = 0; n < PER_ROUND; n++) {
        struct mw_layout *l = random_layout(&dice);
        struct mw_proof p;
        const enum mw_mesh_model model = (enum mw_mesh_model)roll(&dice, MW_N_MODELS);
        for (int c = 0; c < MW_N_CLASSES; c++)
            l->fifo[c] = (uint32_t)roll(&dice, 2);
        l->send = 0;
        MUST(mw_proof_make(l, model, &p) == MW_OK);
        if (p.free)
            must_stay_free(l, &p);
        else
            must_realise(l, &p);
        n_cyclic += !p.free && (l->fifo[MW_ROW] == 0 || l->fifo[MW_COLUMN] == 0);
        mw_proof_fini(&p);
        mw_layout_free(l);
    }
    ck_assert_uint_gt(n_cyclic, PER_ROUND / 20);
}
END_TEST

/* The theorem of layout/fill.h: where there is a cycle, there is a reachable deadlock, and it
 * takes no search. */
START_TEST(every_cycle_means_a_deadlock_at_any_depth)
{
    uint64_t dice = (uint64_t)_i;
    for (int n = 0; n < PER_ROUND; n++) {
        struct mw_layout *l = random_layout(&dice);
        struct mw_explore_conf conf = {.guided = true};
        struct mw_exploration e;
        struct mw_proof p;
        conf.model = (enum mw_mesh_model)roll(&dice, MW_N_MODELS);
        for (int c = 0; c < MW_N_CLASSES; c++)
            conf.fifo[c] = 1 + (uint32_t)roll(&dice, MW_FIFO_MAX);
        conf.send = (uint32_t)roll(&dice, MW_FIFO_MAX + 1);
        MUST(mw_proof_make(l, conf.model, &p) == MW_OK);
        if (!p.free) {
            MUST(mw_layout_explore(l, &conf, &e) == MW_OK);
            MUST(e.verdict == MW_EXPLORED_DEADLOCK && !e.shortest);
            MUST(e.n_states == e.trace.n_steps + 1);
            mw_exploration_fini(&e);
        }
        mw_proof_fini(&p);
        mw_layout_free(l);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_agree");
    TCase *agree = tcase_create("agree");
    tcase_add_loop_test(agree, proof_and_search_agree_on_random_layouts, 0,
                        how_many(ROUNDS, ROUNDS, ROUNDS / 4));
    tcase_add_loop_test(agree, proof_and_search_agree_where_nothing_can_enter, 0, 5);
    tcase_add_loop_test(agree, every_cycle_means_a_deadlock_at_any_depth, 1, 3);
    suite_add_tcase(s, agree);
    return run_suite(s);
}
