/* mail.h -- items to the ranks that know of them, and an answer to each.
 *
 *      items     a b c d e     to rank 1 0 2 0 1     counted, mw_mail_count(), then each put at
 *      sent      b d|a e|c     start   0 2 4 5       its mw_mail_place()
 *      come      of rank 0|of rank 1|...             at from[0], from[1], ...
 *      answers   in that order; they come back where the items stood: B D|A E|C
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MAIL_H
#define MW_MAIL_H

#include "mpe/comm.h"

MW_BEGIN_DECLS

struct mw_mail {
    struct mw_comm *comm;  /* borrowed */
    uint64_t *start;       /* [size + 1] of what is sent */
    uint64_t *from;        /* [size + 1] of what has come */
    uint64_t *next, *room; /* [size + 1] the next place of each rank; bytes */
};

/* Numbers in the one block that it takes. */
MW_FN uint64_t mw_mail_numbers(uint64_t n_ranks)
{
    return 4 * (n_ranks + 1);
}

/* Local. Of one that is all zeros fini is legal. */
int mw_mail_init(struct mw_mail *m, struct mw_comm *comm, const char *what) MW_NODISCARD;
void mw_mail_fini(struct mw_mail *m);

/* Local: one more; all are counted, returns how many; and where each stands, in the order in
 * which they are asked for. */
MW_FN void mw_mail_count(struct mw_mail *m, uint32_t to)
{
    m->start[to + 1]++;
}
uint64_t mw_mail_counted(struct mw_mail *m);
MW_FN uint64_t mw_mail_place(struct mw_mail *m, uint32_t to)
{
    return m->next[to]++;
}

/* Collective; items of so many bytes. The caller frees *come: from[size] of them. An answer to each
 * comes back as start[size], whose places are asked for from the beginning again. */
int mw_mail_send(struct mw_mail *m, const void *items, uint64_t bytes, void **come)
    MW_NODISCARD;
int mw_mail_answer(struct mw_mail *m, const void *answers, uint64_t bytes, void **come)
    MW_NODISCARD;

MW_END_DECLS
#endif
