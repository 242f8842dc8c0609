/* mail.c -- see mail.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/mail.h"

#include "base/mem.h"

#include <string.h>

int mw_mail_init(struct mw_mail *m, struct mw_comm *comm, const char *what)
{
    const uint64_t n = comm->size + UINT64_C(1);
    *m = (struct mw_mail){.comm = comm};
    MW_NEED_NEW(m->start, what, mw_mail_numbers(comm->size));
    m->from = m->start + n;
    m->next = m->from + n;
    m->room = m->next + n;
    return MW_OK;
}

void mw_mail_fini(struct mw_mail *m)
{
    mw_free(m->start);
}

static void rewind_places(struct mw_mail *m)
{
    memcpy(m->next, m->start, m->comm->size * sizeof *m->next);
}

uint64_t mw_mail_counted(struct mw_mail *m)
{
    for (uint32_t r = 0; r < m->comm->size; r++)
        m->start[r + 1] += m->start[r];
    rewind_places(m);
    return m->start[m->comm->size];
}

/* Items that begin at `begin`, as bytes. */
static const uint64_t *bytes_of(struct mw_mail *m, const uint64_t *begin, uint64_t bytes)
{
    for (uint32_t r = 0; r < m->comm->size; r++)
        m->next[r] = (begin[r + 1] - begin[r]) * bytes;
    return m->next;
}

int mw_mail_send(struct mw_mail *m, const void *items, uint64_t bytes, void **come)
{
    const int rc =
        mw_comm_exchange(m->comm, items, bytes_of(m, m->start, bytes), come, m->room);
    for (uint32_t r = 0; rc == MW_OK && r < m->comm->size; r++)
        m->from[r + 1] = m->from[r] + m->room[r] / bytes;
    return rc;
}

int mw_mail_answer(struct mw_mail *m, const void *answers, uint64_t bytes, void **come)
{
    const int rc =
        mw_comm_exchange(m->comm, answers, bytes_of(m, m->from, bytes), come, m->room);
    rewind_places(m);
    return rc;
}
