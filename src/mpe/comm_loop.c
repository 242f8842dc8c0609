/* comm_loop.c -- P ranks as threads of one process.
 *
 * Every collective is one meeting: each rank puts down what it calls and with what
 * arguments, and waits; the last to come does the whole work for all, in everybody's
 * memory, and wakes them. So there is one barrier per collective, one lock, and no
 * copy that a second rank could see half done.
 *
 *      rank 0  --call-->  |         |  wait ...........  | go on
 *      rank 1  --call-->  | meeting |  wait ...........  | go on
 *      rank 2  --call-->  |         |  last: do it all   | go on
 *
 * The invariant: the calls of a meeting are read only while all its ranks wait in it.
 *
 * Being the communicator of the tests it also tests its callers: ranks that call
 * different collectives, or with different sizes, get an error that says so; and when a
 * rank ends before the others, they get an error instead of waiting for it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mpe/comm_loop.h"

#include "base/clock.h"
#include "base/hash.h"
#include "base/mem.h"
#include "cpe/mask.h"

#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

enum { TEXT_BYTES = 1024 };

enum op { REDUCE, BARRIER, GATHER, BROADCAST, SIZES, EXCHANGE, HOST_ALLOC, HOST_FREE };

static const char *const op_name[] = {"reduce",   "barrier",  "gather",     "broadcast",
                                      "exchange", "exchange", "host_alloc", "host_free"};

/* What a rank brings to a meeting. */
struct call {
    enum op op;
    uint64_t size; /* n, bytes: must be the same on all ranks */
    uint32_t how;  /* reduction, root: likewise */
    const void *in;
    void *out;
    const uint64_t *in_bytes; /* exchange: [n_ranks] */
    uint64_t *out_bytes;
    const char *what; /* of host_alloc */
    int rc;           /* a rank's own trouble so far */
    char *text;       /* of it */
};

struct meeting {
    pthread_cond_t moved;
    uint64_t n_held; /* meetings that have taken place here */
    uint32_t first, n_ranks, n_here;
    int result;
    char text[TEXT_BYTES];
};

/* Memory shared by a host; the caller's bytes follow. */
struct shared {
    struct shared *next;
    char fill[MW_CACHE_LINE - sizeof(void *)];
};
MW_STATIC_ASSERT(sizeof(struct shared) == MW_CACHE_LINE, "callers' bytes stay aligned");

/* Who has joined; a rank joins the next one only when it has read this one, so two in turn are enough. */
struct sum {
    uint64_t value[MW_COMM_SUMS];
    uint32_t n_here;
};

struct loop_comm {
    struct mw_comm base;
    struct world *world;
    uint64_t n_sums; /* that it has joined */
    struct meeting *of_host;
    struct call call;
    uint64_t dice;        /* of the delays; 0: none */
    double crowded_until; /* no delay before this time */
    pthread_t thread;
    bool left;     /* its run() has returned, with: */
    bool followed; /* it was told that another had left */
    int status;
    char text[TEXT_BYTES];
};

struct world {
    struct mw_loop_conf conf;
    int (*run)(struct mw_comm *c, void *arg);
    void *arg;
    pthread_mutex_t lock; /* of everything below */
    struct meeting of_all, *of_host;
    struct sum sum[2];
    struct loop_comm *rank;
    uint32_t *host_of;
    struct mw_pulse *pulse;
    uint32_t n_hosts;
    struct shared *memory;
    bool failed; /* some rank has left with an error */
    uint32_t first_failed;
};

static struct loop_comm *loop_of(struct mw_comm *c)
{
    return (struct loop_comm *)c;
}

/* ---- delays ---- */

/* splitmix64 */
static uint64_t roll(uint64_t *dice)
{
    const uint64_t drawn = mw_mix(*dice);
    *dice += MW_MIX_STEP;
    return drawn;
}

/* Often nothing, sometimes a few turns, rarely a sleep of up to 0.1 ms. Beside processes that never wait
 * each of them costs a time slice, and such processes delay ranks enough: after one that has cost so
 * much there are none for eight times as long. */
static void delay(struct loop_comm *l)
{
    static const double slice_s = 1e-3, times = 8;
    if (l->dice == 0)
        return;
    const uint64_t x = roll(&l->dice);
    const double begin = mw_now();
    if (begin < l->crowded_until)
        return;
    if (x % 32 == 0) {
        const struct timespec nap = {0, (long)(x >> 32) % 100000};
        nanosleep(&nap, NULL);
    } else {
        for (uint64_t turns = x % 4; turns > 0; turns--)
            sched_yield();
    }
    const double taken = mw_now() - begin;
    if (taken > slice_s)
        l->crowded_until = begin + (1 + times) * taken;
}

/* ---- what the last rank to come does; the lock is held ---- */

static struct call *call_of(struct world *w, const struct meeting *m, uint32_t i)
{
    return &w->rank[m->first + i].call;
}

static uint64_t combine(uint64_t a, uint64_t b, uint32_t how)
{
    return how == MW_SUM ? a + b : how == MW_MAX ? mw_max(a, b) : mw_min(a, b);
}

static void do_reduce(struct world *w, const struct meeting *m)
{
    const struct call *first = call_of(w, m, 0);
    uint64_t *total = first->out;
    for (uint32_t r = 1; r < m->n_ranks; r++) {
        const uint64_t *value = call_of(w, m, r)->out;
        for (uint64_t i = 0; i < first->size; i++)
            total[i] = combine(total[i], value[i], first->how);
    }
    for (uint32_t r = 1; r < m->n_ranks && first->size > 0; r++)
        memcpy(call_of(w, m, r)->out, total, first->size * sizeof *total);
}

static void do_gather(struct world *w, const struct meeting *m)
{
    const uint64_t bytes = call_of(w, m, 0)->size;
    for (uint32_t to = 0; to < m->n_ranks && bytes > 0; to++)
        for (uint32_t from = 0; from < m->n_ranks; from++)
            memcpy((char *)call_of(w, m, to)->out + from * bytes, call_of(w, m, from)->in,
                   bytes);
}

static void do_broadcast(struct world *w, const struct meeting *m)
{
    const struct call *root = call_of(w, m, call_of(w, m, 0)->how);
    for (uint32_t r = 0; r < m->n_ranks && root->size > 0; r++)
        if (call_of(w, m, r) != root)
            memcpy(call_of(w, m, r)->out, root->out, root->size);
}

static void do_sizes(struct world *w, const struct meeting *m)
{
    for (uint32_t to = 0; to < m->n_ranks; to++)
        for (uint32_t from = 0; from < m->n_ranks; from++)
            call_of(w, m, to)->out_bytes[from] = call_of(w, m, from)->in_bytes[to];
}

static void do_exchange(struct world *w, const struct meeting *m)
{
    for (uint32_t from = 0; from < m->n_ranks; from++) {
        const struct call *x = call_of(w, m, from);
        const char *stretch = x->in;
        for (uint32_t to = 0; to < m->n_ranks; to++) {
            struct call *y = call_of(w, m, to);
            if (x->in_bytes[to] == 0)
                continue;
            /* Senders come in rank order, so each finds `out` where its stretch goes. */
            memcpy(y->out, stretch, x->in_bytes[to]);
            y->out = (char *)y->out + x->in_bytes[to];
            stretch += x->in_bytes[to];
        }
    }
}

static int do_host_alloc(struct world *w, const struct meeting *m)
{
    const struct call *first = call_of(w, m, 0);
    const uint64_t most = UINT64_MAX - sizeof(struct shared);
    struct shared *s =
        mw_alloc(first->what, mw_min(first->size, most) + sizeof(struct shared), 1);
    if (s == NULL)
        return MW_ERR_NOMEM;
    s->next = w->memory;
    w->memory = s;
    for (uint32_t r = 0; r < m->n_ranks; r++)
        call_of(w, m, r)->out = s + 1;
    return MW_OK;
}

static void do_host_free(struct world *w, const struct meeting *m)
{
    struct shared *const s = (struct shared *)call_of(w, m, 0)->out - 1;
    for (struct shared **at = &w->memory; *at != NULL; at = &(*at)->next)
        if (*at == s) {
            *at = s->next;
            mw_free(s);
            return;
        }
}

/* All call the same with the same sizes, and none has trouble of its own. */
static int compare_calls(struct world *w, const struct meeting *m)
{
    const struct call *a = call_of(w, m, 0);
    for (uint32_t r = 0; r < m->n_ranks; r++) {
        const struct call *b = call_of(w, m, r);
        if (b->rc < MW_OK)
            return mw_fail(b->rc, "rank %u: %s", m->first + r, b->text);
    }
    for (uint32_t r = 1; r < m->n_ranks; r++) {
        const struct call *b = call_of(w, m, r);
        if (a->op != b->op || a->size != b->size || a->how != b->how)
            return mw_fail(
                MW_ERR_INTERNAL,
                "rank %u calls %s (size %llu, %u), but rank %u %s (size %llu, %u)",
                m->first, op_name[a->op], (unsigned long long)a->size, a->how,
                m->first + r, op_name[b->op], (unsigned long long)b->size, b->how);
    }
    if (a->op == BROADCAST && a->how >= m->n_ranks)
        return mw_fail(MW_ERR_INTERNAL, "broadcast from rank %u of %u", a->how,
                       m->n_ranks);
    return MW_OK;
}

static int do_call(struct world *w, const struct meeting *m)
{
    const int rc = compare_calls(w, m);
    if (rc != MW_OK)
        return rc;
    switch (call_of(w, m, 0)->op) {
    case REDUCE:
        do_reduce(w, m);
        break;
    case GATHER:
        do_gather(w, m);
        break;
    case BROADCAST:
        do_broadcast(w, m);
        break;
    case SIZES:
        do_sizes(w, m);
        break;
    case EXCHANGE:
        do_exchange(w, m);
        break;
    case HOST_ALLOC:
        return do_host_alloc(w, m);
    case HOST_FREE:
        do_host_free(w, m);
        break;
    case BARRIER:
        break;
    }
    return MW_OK;
}

/* ---- meetings ---- */

static int tell_left(struct loop_comm *l, uint32_t r)
{
    const struct loop_comm *gone = &l->world->rank[r];
    l->followed = true;
    return mw_fail(MW_ERR_INTERNAL, "rank %u has left: %s", r,
                   gone->status < MW_OK ? gone->text : "it was done");
}

/* The rank that will never come to this meeting, failed ones first; or UINT32_MAX. */
static uint32_t missing(const struct world *w, const struct meeting *m)
{
    uint32_t found = UINT32_MAX;
    if (MW_LOAD_RELAXED(&w->failed) && w->first_failed - m->first < m->n_ranks)
        return w->first_failed;
    for (uint32_t r = m->first; r < m->first + m->n_ranks; r++)
        if (w->rank[r].left && found == UINT32_MAX)
            found = r;
    return found;
}

static void end_meeting(struct world *w, struct meeting *m)
{
    m->result = do_call(w, m);
    if (m->result < MW_OK)
        snprintf(m->text, sizeof m->text, "%s", mw_error_text());
    m->n_here = 0;
    m->n_held++;
    pthread_cond_broadcast(&m->moved);
}

/* m->result is read before this rank comes to the next meeting, which needs it. */
static int meet(struct loop_comm *l, struct meeting *m)
{
    int rc;
    uint32_t gone = UINT32_MAX;
    struct world *const w = l->world;
    delay(l);
    mw_comm_wait(&l->base, MW_IN_BARRIER);
    pthread_mutex_lock(&w->lock);
    const uint64_t mine = m->n_held;
    if (++m->n_here == m->n_ranks)
        end_meeting(w, m);
    while (m->n_held == mine && (gone = missing(w, m)) == UINT32_MAX)
        pthread_cond_wait(&m->moved, &w->lock);
    if (m->n_held != mine) {
        rc = m->result < MW_OK ? mw_fail(m->result, "%s", m->text) : MW_OK;
    } else {
        m->n_here--;
        rc = tell_left(l, gone);
    }
    pthread_mutex_unlock(&w->lock);
    mw_comm_work(&l->base);
    delay(l);
    return rc;
}

static int loop_reduce(struct mw_comm *c, uint64_t *value, uint32_t n, enum mw_reduce how)
{
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = REDUCE, .size = n, .how = how, .out = value};
    return meet(l, &l->world->of_all);
}

static int loop_barrier(struct mw_comm *c)
{
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = BARRIER};
    return meet(l, &l->world->of_all);
}

static int loop_gather(struct mw_comm *c, const void *mine, uint64_t bytes, void *all)
{
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = GATHER, .size = bytes, .in = mine, .out = all};
    return meet(l, &l->world->of_all);
}

static int loop_broadcast(struct mw_comm *c, void *data, uint64_t bytes, uint32_t root)
{
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = BROADCAST, .size = bytes, .how = root, .out = data};
    return meet(l, &l->world->of_all);
}

static int loop_exchange(struct mw_comm *c, const void *send, const uint64_t *send_bytes,
                         void **recv, uint64_t *recv_bytes)
{
    int rc;
    uint64_t n_received = 0;
    char text[TEXT_BYTES];
    void *data = NULL;
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = SIZES, .in_bytes = send_bytes, .out_bytes = recv_bytes};
    MW_TRY(rc, meet(l, &l->world->of_all));
    for (uint32_t r = 0; r < c->size; r++)
        n_received += recv_bytes[r];
    data = mw_alloc("exchange: received data", n_received, 1);
    l->call =
        (struct call){.op = EXCHANGE, .in = send, .in_bytes = send_bytes, .out = data};
    if (data == NULL) {
        snprintf(text, sizeof text, "%s", mw_error_text());
        l->call.rc = MW_ERR_NOMEM;
        l->call.text = text;
    }
    MW_TRY(rc, meet(l, &l->world->of_all));
    *recv = data;
    return MW_OK;
end:
    mw_free(data);
    return rc;
}

static int loop_host_alloc(struct mw_comm *c, const char *what, uint64_t bytes,
                           void **out)
{
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = HOST_ALLOC, .size = bytes, .what = what};
    const int rc = meet(l, l->of_host);
    if (rc == MW_OK)
        *out = l->call.out;
    return rc;
}

/* What cannot be freed together, as a rank has left, is freed at the end of the world. */
static void loop_host_free(struct mw_comm *c, void *p)
{
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = HOST_FREE, .out = p};
    (void)!meet(l, l->of_host);
}

static int loop_host_barrier(struct mw_comm *c)
{
    struct loop_comm *l = loop_of(c);
    l->call = (struct call){.op = BARRIER};
    return meet(l, l->of_host);
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
    mw_free(recv);
    mw_free(recv_bytes);
    mw_free(send_bytes);
    return rc;
}

/* The last to join one has seen all read the one before, which is the one after. */
static int loop_sum_begin(struct mw_comm *c, const uint64_t *value, uint32_t n)
{
    struct loop_comm *l = loop_of(c);
    struct world *const w = l->world;
    delay(l);
    pthread_mutex_lock(&w->lock);
    struct sum *s = &w->sum[l->n_sums++ % 2];
    for (uint32_t i = 0; i < n; i++)
        s->value[i] += value[i];
    if (++s->n_here == c->size)
        w->sum[l->n_sums % 2] = (struct sum){.n_here = 0};
    pthread_mutex_unlock(&w->lock);
    return MW_OK;
}

static int loop_sum_test(struct mw_comm *c, uint64_t *value, uint32_t n)
{
    struct loop_comm *l = loop_of(c);
    struct world *const w = l->world;
    delay(l);
    pthread_mutex_lock(&w->lock);
    const struct sum *s = &w->sum[(l->n_sums - 1) % 2];
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
    return is_loop(c) ? ((const struct loop_comm *)c)->world->conf.seed : 0;
}

int mw_comm_loop_check(struct mw_comm *c)
{
    int rc;
    struct loop_comm *l = loop_of(c);
    if (!is_loop(c) || !MW_LOAD_RELAXED(&l->world->failed))
        return MW_OK;
    pthread_mutex_lock(&l->world->lock); /* orders the text before our reading it */
    rc = tell_left(l, l->world->first_failed);
    pthread_mutex_unlock(&l->world->lock);
    return rc;
}

/* ---- the world: all ranks of one mw_loop_run() ---- */

/* The lock is held. */
static void leave(struct loop_comm *l, int status, const char *text)
{
    struct world *const w = l->world;
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
    struct loop_comm *l = arg;
    struct world *const w = l->world;
    const int status = w->run(&l->base, w->arg);
    pthread_mutex_lock(&w->lock);
    leave(l, status, status < MW_OK ? mw_error_text() : "");
    pthread_mutex_unlock(&w->lock);
    return NULL;
}

static void meeting_init(struct meeting *m, uint32_t first, uint32_t n_ranks)
{
    pthread_cond_init(&m->moved, NULL);
    m->first = first;
    m->n_ranks = n_ranks;
}

static void rank_init(struct world *w, uint32_t r, uint32_t per_host, uint32_t n_cpus)
{
    struct loop_comm *l = &w->rank[r];
    const uint32_t host = r / per_host;
    const uint32_t cores = n_cpus / w->n_hosts;
    l->base = (struct mw_comm){
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

static int world_init(struct world *w)
{
    struct mw_mask mask;
    const uint32_t n = w->conf.n_ranks;
    const uint32_t per_host = w->conf.ranks_per_host > 0 ? w->conf.ranks_per_host : n;
    if (n == 0)
        return mw_fail(MW_ERR_USAGE, "loop: 0 ranks");
    w->n_hosts = (n - 1) / per_host + 1;
    pthread_mutex_init(&w->lock, NULL);
    meeting_init(&w->of_all, 0, n);
    MW_NEED_NEW(w->of_host, "loop: hosts", w->n_hosts);
    MW_NEED_NEW(w->rank, "loop: ranks", n);
    MW_NEED_NEW(w->host_of, "loop: host of a rank", n);
    MW_NEED_NEW(w->pulse, "loop: heartbeats", n);
    mw_mask_of_self(&mask);
    for (uint32_t h = 0; h < w->n_hosts; h++)
        meeting_init(&w->of_host[h], h * per_host,
                     (uint32_t)mw_min(per_host, n - h * per_host));
    for (uint32_t r = 0; r < n; r++)
        rank_init(w, r, per_host, mw_mask_count(&mask));
    return MW_OK;
}

static void world_fini(struct world *w)
{
    while (w->memory != NULL) {
        struct shared *const s = w->memory;
        w->memory = s->next;
        mw_free(s);
    }
    mw_free(w->pulse);
    mw_free(w->host_of);
    mw_free(w->rank);
    mw_free(w->of_host);
}

/* Ranks for which there is no thread have left before they came. */
static uint32_t start_ranks(struct world *w)
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
static int worst_of(const struct world *w)
{
    const struct loop_comm *worst = NULL;
    bool only_followers = true;
    for (uint32_t r = 0; r < w->conf.n_ranks; r++)
        if (w->rank[r].status < MW_OK && !w->rank[r].followed)
            only_followers = false;
    for (uint32_t r = 0; r < w->conf.n_ranks; r++) {
        const struct loop_comm *l = &w->rank[r];
        if (l->status < MW_OK && l->followed == only_followers &&
            (worst == NULL || l->status < worst->status))
            worst = l;
    }
    return worst != NULL ? mw_fail(worst->status, "%s", worst->text) : MW_OK;
}

int mw_loop_run(const struct mw_loop_conf *conf, int (*run)(struct mw_comm *c, void *arg),
                void *arg)
{
    struct world w = {.conf = *conf, .run = run, .arg = arg};
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
