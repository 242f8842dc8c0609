/* meeting.c -- see meeting.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/meeting.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

static const char *const op_name[] = {"reduce",   "barrier",  "gather",     "broadcast",
                                      "exchange", "exchange", "host_alloc", "host_free"};

/* ---- delays ---- */

/* splitmix64 */
static uint64_t roll(uint64_t *dice)
{
    const uint64_t drawn = mw_mix(*dice);
    *dice += MW_MIX_STEP;
    return drawn;
}

/* Beside processes that never wait each turn that is given up costs a time slice. After one that did there are none
 * for eight times as long. */
static void note_turn(double begin, double *none_until)
{
    static const double slice_s = 1e-3, times = 8;
    const double taken = mw_now() - begin;
    if (taken > slice_s)
        *none_until = begin + (1 + times) * taken;
}

/* Often nothing, sometimes a few turns, rarely a sleep of up to 0.1 ms. Processes that never wait delay ranks enough. */
void mw_loop_delay(struct mw_loop_comm *l)
{
    if (l->dice == 0)
        return;
    const uint64_t x = roll(&l->dice);
    const double begin = mw_now();
    if (begin < l->no_delay_until)
        return;
    if (x % 32 == 0) {
        const struct timespec nap = {0, (long)(x >> 32) % 100000};
        nanosleep(&nap, NULL);
    } else {
        for (uint64_t turns = x % 4; turns > 0; turns--)
            sched_yield();
    }
    note_turn(begin, &l->no_delay_until);
}

/* ---- what the last rank to come does; the lock is held ---- */

static struct mw_loop_call *call_of(struct mw_loop_world *w, const struct mw_meeting *m,
                                    uint32_t i)
{
    return &w->rank[m->first + i].call;
}

static uint64_t combine(uint64_t a, uint64_t b, uint32_t how)
{
    return how == MW_SUM ? a + b : how == MW_MAX ? mw_max(a, b) : mw_min(a, b);
}

static void do_reduce(struct mw_loop_world *w, const struct mw_meeting *m)
{
    const struct mw_loop_call *first = call_of(w, m, 0);
    uint64_t *total = first->out;
    for (uint32_t r = 1; r < m->n_ranks; r++) {
        const uint64_t *value = call_of(w, m, r)->out;
        for (uint64_t i = 0; i < first->size; i++)
            total[i] = combine(total[i], value[i], first->how);
    }
    for (uint32_t r = 1; r < m->n_ranks && first->size > 0; r++)
        memcpy(call_of(w, m, r)->out, total, first->size * sizeof *total);
}

static void do_gather(struct mw_loop_world *w, const struct mw_meeting *m)
{
    const uint64_t bytes = call_of(w, m, 0)->size;
    for (uint32_t to = 0; to < m->n_ranks && bytes > 0; to++)
        for (uint32_t from = 0; from < m->n_ranks; from++)
            memcpy((char *)call_of(w, m, to)->out + from * bytes, call_of(w, m, from)->in,
                   bytes);
}

static void do_broadcast(struct mw_loop_world *w, const struct mw_meeting *m)
{
    const struct mw_loop_call *root = call_of(w, m, call_of(w, m, 0)->how);
    for (uint32_t r = 0; r < m->n_ranks && root->size > 0; r++)
        if (call_of(w, m, r) != root)
            memcpy(call_of(w, m, r)->out, root->out, root->size);
}

static void do_sizes(struct mw_loop_world *w, const struct mw_meeting *m)
{
    for (uint32_t to = 0; to < m->n_ranks; to++)
        for (uint32_t from = 0; from < m->n_ranks; from++)
            call_of(w, m, to)->out_bytes[from] = call_of(w, m, from)->in_bytes[to];
}

static void do_exchange(struct mw_loop_world *w, const struct mw_meeting *m)
{
    for (uint32_t from = 0; from < m->n_ranks; from++) {
        const struct mw_loop_call *x = call_of(w, m, from);
        const char *stretch = x->in;
        for (uint32_t to = 0; to < m->n_ranks; to++) {
            struct mw_loop_call *y = call_of(w, m, to);
            if (x->in_bytes[to] == 0)
                continue;
            /* Senders come in rank order, so each finds `out` where its stretch goes. */
            memcpy(y->out, stretch, x->in_bytes[to]);
            y->out = (char *)y->out + x->in_bytes[to];
            stretch += x->in_bytes[to];
        }
    }
}

static int do_host_alloc(struct mw_loop_world *w, const struct mw_meeting *m)
{
    const struct mw_loop_call *first = call_of(w, m, 0);
    const uint64_t most = UINT64_MAX - sizeof(struct mw_loop_block);
    struct mw_loop_block *s = mw_alloc(
        first->what, mw_min(first->size, most) + sizeof(struct mw_loop_block), 1);
    if (s == NULL)
        return MW_ERR_NOMEM;
    s->next = w->memory;
    w->memory = s;
    for (uint32_t r = 0; r < m->n_ranks; r++)
        call_of(w, m, r)->out = s + 1;
    return MW_OK;
}

static void do_host_free(struct mw_loop_world *w, const struct mw_meeting *m)
{
    struct mw_loop_block *const s = (struct mw_loop_block *)call_of(w, m, 0)->out - 1;
    for (struct mw_loop_block **at = &w->memory; *at != NULL; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            mw_free(s);
            return;
        }
}

/* All call the same with the same sizes, and none has trouble of its own. */
static int compare_calls(struct mw_loop_world *w, const struct mw_meeting *m)
{
    const struct mw_loop_call *a = call_of(w, m, 0);
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        const struct mw_loop_call *b = call_of(w, m, r);
        if (b->rc < MW_OK)
            return mw_fail(b->rc, "rank %u: %s", m->first + r, b->text);
    }
    for (uint32_t r = 1; r < m->n_ranks; r++) {
        const struct mw_loop_call *b = call_of(w, m, r);
        if (a->op != b->op || a->size != b->size || a->how != b->how)
            return mw_fail(
                MW_ERR_INTERNAL,
                "rank %u calls %s (size %llu, %u), but rank %u %s (size %llu, %u)",
                m->first, op_name[a->op], (unsigned long long)a->size, a->how,
                m->first + r, op_name[b->op], (unsigned long long)b->size, b->how);
    }
    if (a->op == MW_CALL_BROADCAST && a->how >= m->n_ranks)
        return mw_fail(MW_ERR_INTERNAL, "broadcast from rank %u of %u", a->how,
                       m->n_ranks);
    return MW_OK;
}

static int do_call(struct mw_loop_world *w, const struct mw_meeting *m)
{
    const int rc = compare_calls(w, m);
    if (rc != MW_OK)
        return rc;
    switch (call_of(w, m, 0)->op) {
    case MW_CALL_REDUCE:
        do_reduce(w, m);
        break;
    case MW_CALL_GATHER:
        do_gather(w, m);
        break;
    case MW_CALL_BROADCAST:
        do_broadcast(w, m);
        break;
    case MW_CALL_SIZES:
        do_sizes(w, m);
        break;
    case MW_CALL_EXCHANGE:
        do_exchange(w, m);
        break;
    case MW_CALL_HOST_ALLOC:
        return do_host_alloc(w, m);
    case MW_CALL_HOST_FREE:
        do_host_free(w, m);
        break;
    case MW_CALL_BARRIER:
        break;
    }
    return MW_OK;
}

void mw_meeting_init(struct mw_meeting *m, uint32_t first, uint32_t n_ranks)
{
    pthread_cond_init(&m->moved, NULL);
    m->first = first;
    m->n_ranks = n_ranks;
}

/* ---- meetings ---- */

int mw_loop_tell_left(struct mw_loop_comm *l, uint32_t r)
{
    const struct mw_loop_comm *gone = &l->world->rank[r];
    l->followed = true;
    return mw_fail(MW_ERR_INTERNAL, "rank %u has left: %s", r,
                   gone->status < MW_OK ? gone->text : "it was done");
}

/* The rank that will never come to this meeting, failed ones first; or UINT32_MAX. */
static uint32_t missing(const struct mw_loop_world *w, const struct mw_meeting *m)
{
    uint32_t found = UINT32_MAX;
    if (MW_LOAD_RELAXED(&w->failed) && w->first_failed - m->first < m->n_ranks)
        return w->first_failed;
    for (uint32_t r = m->first; r < m->first + m->n_ranks; r++)
        if (w->rank[r].left && found == UINT32_MAX)
            found = r;
    return found;
}

static void end_meeting(struct mw_loop_world *w, struct mw_meeting *m)
{
    m->result = do_call(w, m);
    if (m->result < MW_OK)
        snprintf(m->text, sizeof m->text, "%s", mw_error_text());
    m->n_here = 0;
    MW_STORE_RELEASE(&m->n_held, m->n_held + 1);
    pthread_cond_broadcast(&m->moved);
}

/* Without the lock. The others mostly come while this rank gives up turns; a rank that sleeps costs them a call to
 * wake it. */
static void give_turns(struct mw_loop_comm *l, const struct mw_meeting *m, uint64_t mine)
{
    enum { TURNS = 200 };
    double begin = mw_now();
    for (int i = 0; i < TURNS && MW_LOAD_ACQUIRE(&m->n_held) == mine &&
                    !MW_LOAD_RELAXED(&l->world->failed) && begin >= l->no_turn_until;
         i++) {
        sched_yield();
        note_turn(begin, &l->no_turn_until);
        begin = mw_now();
    }
}

/* m->result is read before this rank comes to the next meeting, which needs it. */
int mw_meet(struct mw_loop_comm *l, struct mw_meeting *m)
{
    int rc;
    uint32_t gone = UINT32_MAX;
    struct mw_loop_world *const w = l->world;
    mw_loop_delay(l);
    mw_comm_wait(&l->base, MW_IN_BARRIER);
    pthread_mutex_lock(&w->lock);
    const uint64_t mine = m->n_held;
    if (++m->n_here == m->n_ranks) {
        end_meeting(w, m);
    } else {
        pthread_mutex_unlock(&w->lock);
        give_turns(l, m, mine);
        pthread_mutex_lock(&w->lock);
    }
    while (m->n_held == mine && (gone = missing(w, m)) == UINT32_MAX)
        pthread_cond_wait(&m->moved, &w->lock);
    if (m->n_held != mine) {
        rc = m->result < MW_OK ? mw_fail(m->result, "%s", m->text) : MW_OK;
    } else {
        m->n_here--;
        rc = mw_loop_tell_left(l, gone);
    }
    pthread_mutex_unlock(&w->lock);
    mw_comm_work(&l->base);
    mw_loop_delay(l);
    return rc;
}
