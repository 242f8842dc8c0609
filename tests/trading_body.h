/* trading_body.h -- a devices' library for tests (cpe/memory.h, mw_trading) whose group are ranks of this process, with memory of
 * apart.h. It only tells: nobody trades records by it. Each rank pretends a device of its own: trading_begin().
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWT_TRADING_BODY_H
#define MWT_TRADING_BODY_H

#include "apart.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

static struct trading_group {
    pthread_barrier_t all;
    void *at; /* the teller's bytes, at the host */
    bool open;
    pthread_mutex_t lock;
    uint64_t n_told; /* bytes, of all groups */
} trading_group = {.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local uint32_t trading_rank;

static void trading_begin(uint32_t rank)
{
    trading_rank = rank;
}

static uint32_t trading_devices(struct mw_device *out, uint32_t room)
{
    for (uint32_t i = 0; i < room && i < MW_DEVICES_MAX; i++)
        out[i] = (struct mw_device){.id = 1000 + i};
    return MW_DEVICES_MAX;
}

static uint32_t trading_device_of(const struct mw_cluster *c)
{
    (void)c;
    return trading_rank;
}

static int trading_find(void)
{
    return MW_OK;
}

static int trading_name(unsigned char name[MW_TRADE_NAME])
{
    memset(name, 7, MW_TRADE_NAME);
    return MW_OK;
}

static int trading_make(uint32_t n_ranks, struct mw_trade **out)
{
    *out = mw_alloc("group of ranks", 1, sizeof **out);
    if (*out != NULL)
        (*out)->n_ranks = n_ranks;
    return *out != NULL ? MW_OK : MW_ERR_NOMEM;
}

static int trading_join(struct mw_trade *t, const unsigned char *name, uint32_t rank)
{
    struct trading_group *const g = &trading_group;
    pthread_mutex_lock(&g->lock);
    if (!g->open)
        pthread_barrier_init(&g->all, NULL, t->n_ranks);
    g->open = true;
    pthread_mutex_unlock(&g->lock);
    pthread_barrier_wait(&g->all);
    return rank == trading_rank && name[0] == 7 ? MW_OK : MW_ERR_UNAVAILABLE;
}

/* The teller's bytes are read by all before it goes on. */
static int trading_tell(struct mw_trade *t, uint32_t teller, void *at, uint64_t bytes)
{
    struct trading_group *const g = &trading_group;
    const bool mine = teller == trading_rank;
    void *const copy = mine ? malloc(bytes + 1) : NULL;
    (void)t;
    if (mine) {
        apart_get(NULL, copy, at, bytes);
        g->at = copy;
        g->n_told += bytes;
    }
    pthread_barrier_wait(&g->all);
    if (!mine)
        apart_put(NULL, at, g->at, bytes);
    pthread_barrier_wait(&g->all);
    free(copy); /* the next teller has its own by now */
    return MW_OK;
}

static int trading_share(struct mw_trade *t, void *all, uint64_t portion,
                         const uint64_t *used)
{
    for (uint32_t r = 0; r < t->n_ranks; r++)
        (void)trading_tell(t, r, (char *)all + r * portion, used[r]);
    return MW_OK;
}

static void trading_close(struct mw_trade *t)
{
    struct trading_group *const g = &trading_group;
    pthread_barrier_wait(&g->all);
    pthread_mutex_lock(&g->lock);
    if (g->open)
        pthread_barrier_destroy(&g->all);
    g->open = false;
    pthread_mutex_unlock(&g->lock);
    mw_free(t);
}

static const struct mw_trading trading_of_ranks = {
    "a test's", trading_find, trading_name,  trading_make, trading_join,
    NULL,       trading_tell, trading_share, trading_close};

#endif
