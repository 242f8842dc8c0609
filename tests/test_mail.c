/* test_mail.c -- items come to the rank they were put for, and its answers to where they stood.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/mail.h"
#include "ranks.h"

enum { ITEMS = 200 };

/* Even ranks get none, where there are others. */
static uint32_t receiver(const struct mw_comm *c, uint32_t from, uint64_t i)
{
    return (uint32_t)(mixed(from ^ i << 8) % (c->size + 1) / 2 * 2 + 1) % c->size;
}

static uint64_t item_of(uint32_t rank, uint64_t i)
{
    return (uint64_t)rank << 32 | i;
}

static uint32_t answer_to(uint64_t item)
{
    return (uint32_t)mixed(item);
}

/* What has come is of its sender, in the order of its places. */
static int answer_all(const struct mw_mail *m, const uint64_t *item, uint32_t *answer)
{
    for (uint32_t r = 0; r < m->comm->size; r++)
        for (uint64_t k = m->from[r], i = 0; k < m->from[r + 1]; k++, i++) {
            while (i < ITEMS && receiver(m->comm, r, i) != m->comm->rank)
                i++;
            EXPECT(item[k] == item_of(r, i), "item %u of rank %u", (unsigned)i, r);
            answer[k] = answer_to(item[k]);
        }
    return MW_OK;
}

static int send_and_hear(struct mw_world *w, void *arg)
{
    struct mw_comm *const c = w->comm;
    const uint64_t n = c->rank == 1 ? 0 : ITEMS;
    struct mw_mail mail;
    uint64_t item[ITEMS];
    uint32_t *answer = NULL;
    void *come = NULL, *back = NULL;
    int rc;
    (void)arg;
    MW_TRY(rc, mw_mail_init(&mail, c, "mail"));
    MW_NEW(rc, answer, "answers", (uint64_t)c->size * ITEMS);
    for (uint64_t i = 0; i < n; i++)
        mw_mail_count(&mail, receiver(c, c->rank, i));
    EXPECT(mw_mail_counted(&mail) == n, "%u counted", (unsigned)mail.start[c->size]);
    for (uint64_t i = 0; i < n; i++)
        item[mw_mail_place(&mail, receiver(c, c->rank, i))] = item_of(c->rank, i);
    MW_TRY(rc, mw_mail_send(&mail, item, sizeof *item, &come));
    MW_TRY(rc, answer_all(&mail, come, answer));
    MW_TRY(rc, mw_mail_answer(&mail, answer, sizeof *answer, &back));
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t *heard = back;
        heard += mw_mail_place(&mail, receiver(c, c->rank, i));
        EXPECT(*heard == answer_to(item_of(c->rank, i)), "answer %u", (unsigned)i);
    }
end:
    mw_free(back);
    mw_free(come);
    mw_free(answer);
    mw_mail_fini(&mail);
    return rc;
}

START_TEST(answers_come_back_to_where_their_items_stood)
{
    struct ranks r = {.loop = {1 + (uint32_t)_i, 2, (uint64_t)_i % 3},
                      .body = send_and_hear};
    with_threads(&r, 0);
    with_width(&r, 1);
    must_run(&r);
}
END_TEST

int main(void)
{
    Suite *s = suite_create("mail");
    TCase *t = tcase_create("mail");
    tcase_add_loop_test(t, answers_come_back_to_where_their_items_stood, 0, 9);
    suite_add_tcase(s, t);
    return run_suite(s);
}
