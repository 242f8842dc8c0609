/* comm_loop.c -- P ranks as threads of one process; every collective is a meeting (meeting.h).
 *
 * Being the communicator of the tests it also tests its callers: ranks that call
 * different collectives, or with different sizes, get an error that says so; and when a
 * rank ends before the others, they get an error instead of waiting for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/comm_loop.h"

#include "base/mem.h"
#include "cpe/mask.h"
#include "mpe/meeting.h"

#include <stdio.h>
#include <string.h>

static struct mw_loop_comm *loop_of(struct mw_comm *c)
{
    return (struct mw_loop_comm *)c;
}

static int loop_reduce(struct mw_comm *c, uint64_t *value, uint32_t n, enum mw_reduce how)
{
    struct mw_loop_comm *l = loop_of(c);
    l->call =
        (struct mw_loop_call){.op = MW_CALL_REDUCE, .size = n, .how = how, .out = value};
    return mw_meet(l, &l->world->of_all);
}

static int loop_barrier(struct mw_comm *c)
{
    struct mw_loop_comm *l = loop_of(c);
    l->call = (struct mw_loop_call){.op = MW_CALL_BARRIER};
    return mw_meet(l, &l->world->of_all);
}

static int loop_gather(struct mw_comm *c, const void *mine, uint64_t bytes, void *all)
{
    struct mw_loop_comm *l = loop_of(c);
    l->call = (struct mw_loop_call){
        .op = MW_CALL_GATHER, .size = bytes, .in = mine, .out = all};
    return mw_meet(l, &l->world->of_all);
}

static int loop_broadcast(struct mw_comm *c, void *data, uint64_t bytes, uint32_t root)
{
    struct mw_loop_comm *l = loop_of(c);
    l->call = (struct mw_loop_call){
        .op = MW_CALL_BROADCAST, .size = bytes, .how = root, .out = data};
    return mw_meet(l, &l->world->of_all);
}

static int loop_exchange(struct mw_comm *c, const void *send, const uint64_t *send_bytes,
                         void **recv, uint64_t *recv_bytes)
{
    int rc;
    uint64_t n_received = 0;
    char text[MW_LOOP_TEXT];
    void *data = NULL;
    struct mw_loop_comm *l = loop_of(c);
    l->call = (struct mw_loop_call){
        .op = MW_CALL_SIZES, .in_bytes = send_bytes, .out_bytes = recv_bytes};
    MW_TRY(rc, mw_meet(l, &l->world->of_all));
    for (uint32_t r = 0; r < c->size; r++)
        n_received += recv_bytes[r];
    data = mw_alloc("exchange: received data", n_received, 1);
    l->call = (struct mw_loop_call){
        .op = MW_CALL_EXCHANGE, .in = send, .in_bytes = send_bytes, .out = data};
    if (data == NULL) {
        snprintf(text, sizeof text, "%s", mw_error_text());
        l->call.rc = MW_ERR_NOMEM;
        l->call.text = text;
    }
    MW_TRY(rc, mw_meet(l, &l->world->of_all));
    *recv = data;
    return MW_OK;
end:
    mw_free(data);
    return rc;
}

static int loop_host_alloc(struct mw_comm *c, const char *what, uint64_t bytes,
                           void **out)
{
    struct mw_loop_comm *l = loop_of(c);
    l->call =
        (struct mw_loop_call){.op = MW_CALL_HOST_ALLOC, .size = bytes, .what = what};
    const int rc = mw_meet(l, l->of_host);
    if (rc == MW_OK)
        *out = l->call.out;
    return rc;
}

/* What cannot be freed together, as a rank has left, is freed at the end of the world. */
static void loop_host_free(struct mw_comm *c, void *p)
{
    struct mw_loop_comm *l = loop_of(c);
    l->call = (struct mw_loop_call){.op = MW_CALL_HOST_FREE, .out = p};
    (void)!mw_meet(l, l->of_host);
}

static int loop_host_barrier(struct mw_comm *c)
{
    struct mw_loop_comm *l = loop_of(c);
    l->call = (struct mw_loop_call){.op = MW_CALL_BARRIER};
    return mw_meet(l, l->of_host);
}

/* All hosts are in this process: the lowest rank of each copies from the others' windows. */
static int loop_share(struct mw_comm *c, void *window, uint64_t portion)
{
    int rc = MW_OK;
    char **of;
    MW_NEW(rc, of, "windows", c->size);
    MW_TRY(rc, loop_gather(c, &window, sizeof window, of));
    for (uint32_t r = 0; c->host_rank == 0 && r < c->size; r++)
        if (c->host_of[r] != c->host)
            memcpy((char *)window + r * portion, of[r] + r * portion, portion);
    /* Nobody writes to a window that somebody still copies from. */
    MW_TRY(rc, loop_barrier(c));
end:
    mw_free(of);
    return rc;
}

static uint32_t lowest_rank(const struct mw_comm *c, uint32_t host)
{
    uint32_t r = 0;
    while (c->host_of[r] != host)
        r++;
    return r;
}

/* An exchange of all, in which few have something to say. */
static int loop_swap(struct mw_comm *c, struct mw_swap *x)
{
    int rc = MW_OK;
    const bool speaks = c->host_rank == 0;
    uint64_t *send_bytes, *recv_bytes = NULL;
    void *recv = NULL;
    MW_NEW(rc, send_bytes, "swap: bytes to", c->size);
    MW_NEW(rc, recv_bytes, "swap: bytes from", c->size);
    if (speaks && x->to != MW_NO_HOST)
        send_bytes[lowest_rank(c, x->to)] = x->bytes;
    MW_TRY(rc, loop_exchange(c, x->send, send_bytes, &recv, recv_bytes));
    x->received =
        speaks && x->from != MW_NO_HOST ? recv_bytes[lowest_rank(c, x->from)] : 0;
    if (x->received > x->room)
        rc = mw_fail(MW_ERR_INTERNAL, "swap: %llu bytes for %llu",
                     (unsigned long long)x->received, (unsigned long long)x->room);
    else if (x->received > 0)
        memcpy(x->recv, recv, x->received);
end:
    MW_FREE_ALL(recv, recv_bytes, send_bytes);
    return rc;
}

/* The last to join one has seen all read the one before, which is the one after. */
static int loop_sum_begin(struct mw_comm *c, const uint64_t *value, uint32_t n)
{
    struct mw_loop_comm *l = loop_of(c);
    struct mw_loop_world *const w = l->world;
    mw_loop_delay(l);
    pthread_mutex_lock(&w->lock);
    struct mw_loop_sum *s = &w->sum[l->n_sums++ % 2];
    for (uint32_t i = 0; i < n; i++)
        s->value[i] += value[i];
    if (++s->n_here == c->size)
        w->sum[l->n_sums % 2] = (struct mw_loop_sum){.n_here = 0};
    pthread_mutex_unlock(&w->lock);
    return MW_OK;
}

static int loop_sum_test(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    struct mw_loop_comm *l = loop_of(c);
    struct mw_loop_world *const w = l->world;
    mw_loop_delay(l);
    pthread_mutex_lock(&w->lock);
    const struct mw_loop_sum *s = &w->sum[(l->n_sums - 1) % 2];
    const bool all = s->n_here == c->size;
    if (all)
        memcpy(value, s->value, n * sizeof *value);
    pthread_mutex_unlock(&w->lock);
    return all ? MW_OK : MW_AGAIN;
}

/* The communicator belongs to mw_loop_run(). */
static void loop_close(struct mw_comm *c)
{
    (void)c;
}

static const struct mw_comm_ops loop_ops = {
    .reduce = loop_reduce,
    .barrier = loop_barrier,
    .gather = loop_gather,
    .broadcast = loop_broadcast,
    .exchange = loop_exchange,
    .host_alloc = loop_host_alloc,
    .host_free = loop_host_free,
    .host_barrier = loop_host_barrier,
    .share = loop_share,
    .swap = loop_swap,
    .sum_begin = loop_sum_begin,
    .sum_test = loop_sum_test,
    .close = loop_close,
};

/* ---- for the transport ---- */

static bool is_loop(const struct mw_comm *c)
{
    return c->ops == &loop_ops;
}

uint64_t mw_comm_loop_seed(const struct mw_comm *c)
{
    return is_loop(c) ? ((const struct mw_loop_comm *)c)->world->conf.seed : 0;
}

int mw_comm_loop_check(struct mw_comm *c)
{
    int rc;
    struct mw_loop_comm *l = loop_of(c);
    if (!is_loop(c) || !MW_LOAD_RELAXED(&l->world->failed))
        return MW_OK;
    pthread_mutex_lock(&l->world->lock); /* orders the text before our reading it */
    rc = mw_loop_tell_left(l, l->world->first_failed);
    pthread_mutex_unlock(&l->world->lock);
    return rc;
}

/* ---- the world: all ranks of one mw_loop_run() ---- */

/* The lock is held. */
static void leave(struct mw_loop_comm *l, int status, const char *text)
{
    struct mw_loop_world *const w = l->world;
    l->left = true;
    l->status = status;
    snprintf(l->text, sizeof l->text, "%s", text);
    if (status < MW_OK && !MW_LOAD_RELAXED(&w->failed)) {
        w->first_failed = l->base.rank;
        MW_STORE_RELAXED(&w->failed, true);
    }
    pthread_cond_broadcast(&w->of_all.moved);
    pthread_cond_broadcast(&l->of_host->moved);
}

static void *run_rank(void *arg)
{
    struct mw_loop_comm *l = arg;
    struct mw_loop_world *const w = l->world;
    const int status = w->run(&l->base, w->arg);
    pthread_mutex_lock(&w->lock);
    leave(l, status, status < MW_OK ? mw_error_text() : "");
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void rank_init(struct mw_loop_world *w, uint32_t r, uint32_t per_host,
                      uint32_t n_cpus)
{
    struct mw_loop_comm *l = &w->rank[r];
    const uint32_t host = r / per_host;
    const uint32_t cores = n_cpus / w->n_hosts;
    l->base = (struct mw_comm){
        .of_threads = true,
        .ops = &loop_ops,
        .rank = r,
        .size = w->conf.n_ranks,
        .host = host,
        .n_hosts = w->n_hosts,
        .host_rank = r % per_host,
        .host_size = w->of_host[host].n_ranks,
        .real_host_rank = r,
        .n_cores = cores > 0 ? cores : 1,
        .oversubscribed = w->conf.n_ranks > n_cpus,
        .host_of = w->host_of,
        .pulse = &w->pulse[host * per_host],
    };
    l->world = w;
    l->of_host = &w->of_host[host];
    l->dice = w->conf.seed == 0 ? 0 : w->conf.seed * UINT64_C(0xd1342543de82ef95) + r + 1;
    w->host_of[r] = host;
}

static int world_init(struct mw_loop_world *w)
{
    struct mw_mask mask;
    const uint32_t n = w->conf.n_ranks;
    const uint32_t per_host = w->conf.ranks_per_host > 0 ? w->conf.ranks_per_host : n;
    if (n == 0)
        return mw_fail(MW_ERR_USAGE, "loop: 0 ranks");
    w->n_hosts = (n - 1) / per_host + 1;
    pthread_mutex_init(&w->lock, NULL);
    mw_meeting_init(&w->of_all, 0, n);
    MW_NEED_NEW(w->of_host, "loop: hosts", w->n_hosts);
    MW_NEED_NEW(w->rank, "loop: ranks", n);
    MW_NEED_NEW(w->host_of, "loop: host of a rank", n);
    MW_NEED_NEW(w->pulse, "loop: heartbeats", n);
    mw_mask_of_self(&mask);
    for (uint32_t h = 0; h < w->n_hosts; h++)
        mw_meeting_init(&w->of_host[h], h * per_host,
                        (uint32_t)mw_min(per_host, n - h * per_host));
    for (uint32_t r = 0; r < n; r++)
        rank_init(w, r, per_host, mw_mask_count(&mask));
    return MW_OK;
}

static void world_fini(struct mw_loop_world *w)
{
    while (w->memory != NULL) {
        struct mw_loop_block *const s = w->memory;
        w->memory = s->next;
        mw_free(s);
    }
    MW_FREE_ALL(w->pulse, w->host_of, w->rank, w->of_host);
}

/* Ranks for which there is no thread have left before they came. */
static uint32_t start_ranks(struct mw_loop_world *w)
{
    uint32_t n = 0;
    int error = 0;
    while (n < w->conf.n_ranks &&
           (error = pthread_create(&w->rank[n].thread, NULL, run_rank, &w->rank[n])) == 0)
        n++;
    pthread_mutex_lock(&w->lock);
    for (uint32_t r = n; r < w->conf.n_ranks; r++)
        leave(&w->rank[r], MW_ERR_UNAVAILABLE, strerror(error));
    pthread_mutex_unlock(&w->lock);
    return n;
}

/* The worst status of those that failed by themselves: that others noticed is only its
 * consequence, and would hide the cause behind MW_ERR_INTERNAL. */
static int worst_of(const struct mw_loop_world *w)
{
    const struct mw_loop_comm *worst = NULL;
    bool only_followers = true;
    for (uint32_t r = 0; r < w->conf.n_ranks; r++)
        if (w->rank[r].status < MW_OK && !w->rank[r].followed)
            only_followers = false;
    for (uint32_t r = 0; r < w->conf.n_ranks; r++) {
        const struct mw_loop_comm *l = &w->rank[r];
        if (l->status < MW_OK && l->followed == only_followers &&
            (worst == NULL || l->status < worst->status))
            worst = l;
    }
    return worst != NULL ? mw_fail(worst->status, "%s", worst->text) : MW_OK;
}

int mw_loop_run(const struct mw_loop_conf *conf, int (*run)(struct mw_comm *c, void *arg),
                void *arg)
{
    struct mw_loop_world w = {.conf = *conf, .run = run, .arg = arg};
    int rc = world_init(&w);
    if (rc == MW_OK) {
        const uint32_t n_started = start_ranks(&w);
        for (uint32_t r = 0; r < n_started; r++)
            pthread_join(w.rank[r].thread, NULL);
        rc = worst_of(&w);
    }
    world_fini(&w);
    return rc;
}
