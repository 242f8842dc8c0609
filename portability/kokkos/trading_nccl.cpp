/* trading_nccl.cpp -- through NCCL, or RCCL, which has the same functions: loaded when it is asked for, so that a program
 * runs where there is none. What it shares with its callers is declared here, as its releases from 2.7 on have it.
 *
 * All sends and receives of a trade are one group, on the queue of the kernels that have made the records. NCCL's errors are sentences
 * with its own words, also of those that it tells while it is waited for; where it tells nothing, who waits for a rank that does not come
 * is the watchdog's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "kokkos/devices.hpp"
#include "kokkos/trading.hpp"

#include "base/mem.h"
#include "base/status.h"

#include <dlfcn.h>

#include <cstdio>
#include <vector>

namespace mwk
{
namespace
{

extern "C" {
struct ncclComm;
struct nccl_name {
    char internal[MW_TRADE_NAME];
};
}
enum { NCCL_SUCCESS = 0, NCCL_BYTES = 0, NCCL_LEAST = 2700 };

/* Its functions, by their names. */
struct library {
    int (*version)(int *);
    int (*name)(nccl_name *);
    int (*init)(ncclComm **, int, nccl_name, int);
    int (*destroy)(ncclComm *);
    int (*abort)(ncclComm *);
    const char *(*text)(int);
    int (*async)(ncclComm *, int *);
    int (*begin)();
    int (*end)();
    int (*send)(const void *, size_t, int, int, ncclComm *, void *);
    int (*receive)(void *, size_t, int, int, ncclComm *, void *);
    int (*gather)(const void *, void *, size_t, int, ncclComm *, void *);
    int (*broadcast)(const void *, void *, size_t, int, int, ncclComm *, void *);
};

struct group : mw_trade {
    ncclComm *comm;
    uint32_t rank;
    void *made, *come;
};

/* The queue that kernels are in: where a device has no such thing, none. */
template <class E> auto queue_of(const E &e, int) -> decltype((void *)e.cuda_stream())
{
    return e.cuda_stream();
}
template <class E> auto queue_of(const E &e, int) -> decltype((void *)e.hip_stream())
{
    return e.hip_stream();
}
template <class E> void *queue_of(const E &, long)
{
    return nullptr;
}

template <class F> bool find(void *handle, const char *symbol, F &f)
{
    f = reinterpret_cast<F>(dlsym(handle, symbol));
    return f != nullptr;
}

/* Found once; nullptr with an error recorded. */
const library *loaded()
{
    static library l;
    static bool there;
    if (there)
        return &l;
    void *const handle = dlopen(MW_KOKKOS_NCCL, RTLD_NOW | RTLD_LOCAL);
    int version = 0;
    if (handle == nullptr) {
        const char *const why = dlerror();
        mw_fail(MW_ERR_UNAVAILABLE, "there is no %s: %s", MW_KOKKOS_NCCL,
                why != nullptr ? why : "nobody says why");
        return nullptr;
    }
    there = find(handle, "ncclGetVersion", l.version) &&
            find(handle, "ncclGetUniqueId", l.name) &&
            find(handle, "ncclCommInitRank", l.init) &&
            find(handle, "ncclCommDestroy", l.destroy) &&
            find(handle, "ncclCommAbort", l.abort) &&
            find(handle, "ncclGetErrorString", l.text) &&
            find(handle, "ncclCommGetAsyncError", l.async) &&
            find(handle, "ncclGroupStart", l.begin) &&
            find(handle, "ncclGroupEnd", l.end) && find(handle, "ncclSend", l.send) &&
            find(handle, "ncclRecv", l.receive) &&
            find(handle, "ncclAllGather", l.gather) &&
            find(handle, "ncclBroadcast", l.broadcast) &&
            l.version(&version) == NCCL_SUCCESS && version >= NCCL_LEAST;
    if (there)
        return &l;
    mw_fail(MW_ERR_UNAVAILABLE, "%s is no NCCL of release 2.7 or newer", MW_KOKKOS_NCCL);
    dlclose(handle);
    return nullptr;
}

int failed(const library &l, int rc, const char *what, int code)
{
    return mw_fail(code, "NCCL: %s: %s", what, l.text(rc));
}

int find_library()
{
    return loaded() != nullptr ? MW_OK : MW_ERR_UNAVAILABLE;
}

int name_group(unsigned char name[MW_TRADE_NAME])
{
    const library *const l = loaded();
    nccl_name n;
    if (l == nullptr)
        return MW_ERR_UNAVAILABLE;
    const int rc = l->name(&n);
    if (rc != NCCL_SUCCESS)
        return failed(*l, rc, "a group of ranks", MW_ERR_UNAVAILABLE);
    std::memcpy(name, n.internal, sizeof n.internal);
    return MW_OK;
}

/* All of them are one operation. */
int queue(const library &l, const group &g, const passing *stretch, uint32_t n)
{
    void *const queue = queue_of(exec(), 0);
    int rc = l.begin();
    for (uint32_t i = 0; i < n && rc == NCCL_SUCCESS; i++) {
        const passing &p = stretch[i];
        const int rank = static_cast<int>(p.rank);
        if (p.bytes > 0)
            rc = p.sends ? l.send(p.at, p.bytes, NCCL_BYTES, rank, g.comm, queue)
                         : l.receive(p.at, p.bytes, NCCL_BYTES, rank, g.comm, queue);
    }
    const int ended = l.end();
    return rc != NCCL_SUCCESS ? rc : ended;
}

/* Until all that is queued is over, or NCCL says that it never will be. */
int wait_for(const library &l, ncclComm *comm)
{
    int rc, late = NCCL_SUCCESS;
    bool over;
    do {
        over = queue_is_done();
        rc = l.async(comm, &late);
    } while (!over && rc == NCCL_SUCCESS && late == NCCL_SUCCESS);
    return rc != NCCL_SUCCESS ? rc : late;
}

/* What is queued is waited for; who would wait for the others after an error waits for ever. */
int finish(const library &l, group &g, int rc, const char *what)
{
    if (rc == NCCL_SUCCESS)
        rc = wait_for(l, g.comm);
    if (rc == NCCL_SUCCESS)
        return MW_OK;
    (void)l.abort(g.comm);
    g.comm = nullptr;
    return failed(l, rc, what, MW_ERR_INTERNAL);
}

/* Ways between devices are opened by the first operation that takes them, which takes a second: now, rather than in
 * somebody's clock. */
int open_ways(const library &l, group &g, turn &t)
{
    const uint64_t each = 256;
    char *const all = t.room<char>(DRAFTS, 2 * g.n_ranks * each);
    void *const q = queue_of(exec(), 0);
    std::vector<passing> stretch;
    for (uint32_t r = 0; r < g.n_ranks; r++)
        if (r != g.rank) {
            stretch.push_back({all + g.rank * each, each, r, true});
            stretch.push_back({all + (g.n_ranks + r) * each, each, r, false});
        }
    int rc = l.gather(all + g.rank * each, all, each, NCCL_BYTES, g.comm, q);
    for (uint32_t r = 0; r < g.n_ranks && rc == NCCL_SUCCESS; r++)
        rc = l.broadcast(all, all, each, NCCL_BYTES, static_cast<int>(r), g.comm, q);
    if (rc == NCCL_SUCCESS)
        rc = queue(l, g, stretch.data(), static_cast<uint32_t>(stretch.size()));
    return finish(l, g, rc, "first words to all ranks");
}

int join(mw_trade *trade, const unsigned char *name, uint32_t rank)
{
    group *const g = static_cast<group *>(trade);
    const library *const l = loaded();
    nccl_name n;
    if (l == nullptr)
        return MW_ERR_UNAVAILABLE;
    std::memcpy(n.internal, name, sizeof n.internal);
    g->rank = rank;
    turn t; /* its device is that of this thread */
    const int rc =
        l->init(&g->comm, static_cast<int>(g->n_ranks), n, static_cast<int>(rank));
    if (rc != NCCL_SUCCESS) {
        g->comm = nullptr;
        return failed(*l, rc, "ranks do not come together", MW_ERR_UNAVAILABLE);
    }
    return open_ways(*l, *g, t);
}

void close(mw_trade *trade)
{
    group *const g = static_cast<group *>(trade);
    if (g->comm != nullptr) {
        turn t;
        t.wait();
        (void)loaded()->destroy(g->comm);
    }
    mw_free(g->n_out);
    mw_free(g->n_in);
    mw_free(g);
}

int make(uint32_t n_ranks, mw_trade **out)
{
    group *const g = static_cast<group *>(mw_alloc("group of devices", 1, sizeof *g));
    if (g == nullptr)
        return MW_ERR_NOMEM;
    g->n_ranks = n_ranks;
    g->n_out = static_cast<uint64_t *>(
        mw_alloc("records to each rank", n_ranks + 1, sizeof *g->n_out));
    g->n_in = static_cast<uint64_t *>(
        mw_alloc("records from each rank", n_ranks, sizeof *g->n_in));
    if (g->n_out == nullptr || g->n_in == nullptr) {
        close(g);
        return MW_ERR_NOMEM;
    }
    *out = g;
    return MW_OK;
}

/* Each stretch of records to its rank, and one from each. */
int queue_records(const library &l, const group &g, uint32_t record_bytes)
{
    char *from = static_cast<char *>(g.made), *to = static_cast<char *>(g.come);
    std::vector<passing> stretch;
    for (uint32_t r = 0; r < g.n_ranks; r++) {
        const uint64_t out = g.n_out[r] * record_bytes, in = g.n_in[r] * record_bytes;
        stretch.push_back({from, out, r, true});
        stretch.push_back({to, in, r, false});
        from += out;
        to += in;
    }
    return queue(l, g, stretch.data(), static_cast<uint32_t>(stretch.size()));
}

/* What has come lies where the drafts were: they are sorted, and a handler makes none
 * before it has looked at it. */
int trade(mw_trade *trade, uint32_t record_bytes)
{
    group *const g = static_cast<group *>(trade);
    const library &l = *loaded();
    turn t;
    g->n_here = 0;
    for (uint32_t r = 0; r < g->n_ranks; r++)
        g->n_here += g->n_in[r];
    g->come = t.room<char>(DRAFTS, g->n_here * record_bytes);
    const int rc = finish(l, *g, queue_records(l, *g, record_bytes), "records");
    if (rc == MW_OK)
        t.wait();
    return rc;
}

int tell(mw_trade *trade, uint32_t teller, void *at, uint64_t bytes)
{
    group *const g = static_cast<group *>(trade);
    const library &l = *loaded();
    turn t;
    const int root = static_cast<int>(teller);
    int rc = bytes == 0 ? NCCL_SUCCESS
                        : l.broadcast(at, at, bytes, NCCL_BYTES, root, g->comm,
                                      queue_of(exec(), 0));
    rc = finish(l, *g, rc, "what a rank tells all");
    if (rc == MW_OK)
        t.wait();
    return rc;
}

/* One operation of all: each rank tells its portion. */
int share(mw_trade *trade, void *all, uint64_t portion, const uint64_t *used)
{
    group *const g = static_cast<group *>(trade);
    const library &l = *loaded();
    turn t;
    int rc = l.begin();
    for (uint32_t r = 0; r < g->n_ranks && rc == NCCL_SUCCESS; r++) {
        char *const at = static_cast<char *>(all) + r * portion;
        if (used[r] > 0)
            rc = l.broadcast(at, at, used[r], NCCL_BYTES, static_cast<int>(r), g->comm,
                             queue_of(exec(), 0));
    }
    const int ended = l.end();
    rc = finish(l, *g, rc != NCCL_SUCCESS ? rc : ended, "a table of all ranks");
    if (rc == MW_OK)
        t.wait();
    return rc;
}

const mw_trading nccl = of_host(mw_trading{MW_KOKKOS_NCCL, find_library, name_group, make,
                                           join, trade, tell, share, close});

} // namespace

const mw_trading *const trading_of_device = &nccl;

void trade_makes(mw_trade *t, void *records)
{
    static_cast<group *>(t)->made = records;
}

const void *trade_has(const mw_trade *t)
{
    return static_cast<const group *>(t)->come;
}

static int queued(int rc, const char *what)
{
    return rc == NCCL_SUCCESS ? MW_OK : failed(*loaded(), rc, what, MW_ERR_INTERNAL);
}

int trade_opens()
{
    return queued(loaded()->begin(), "an operation of several");
}

int trade_closes()
{
    return queued(loaded()->end(), "an operation of several");
}

int trade_gathers(mw_trade *t, void *all, uint64_t bytes)
{
    const group *const g = static_cast<const group *>(t);
    const char *const mine = static_cast<const char *>(all) + g->rank * bytes;
    return queued(
        loaded()->gather(mine, all, bytes, NCCL_BYTES, g->comm, queue_of(exec(), 0)),
        "what all ranks tell");
}

int trade_passes(mw_trade *t, const passing *stretch, uint32_t n)
{
    return queued(queue(*loaded(), *static_cast<const group *>(t), stretch, n),
                  "what ranks tell each other");
}

void trade_gives_up(mw_trade *t)
{
    group *const g = static_cast<group *>(t);
    if (g->comm != nullptr)
        (void)loaded()->abort(g->comm);
    g->comm = nullptr;
}

int trade_is_well(mw_trade *t)
{
    int late = NCCL_SUCCESS;
    const int rc = loaded()->async(static_cast<group *>(t)->comm, &late);
    return queued(rc != NCCL_SUCCESS ? rc : late, "a rank");
}

} // namespace mwk
