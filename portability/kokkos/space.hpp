/* space.hpp -- what all kernels on Kokkos have in common: where they run, what they may keep
 * there between two of them, and whose turn it is.
 *
 * A kernel here is a function of the host that queues work for the device's cores:
 *
 *      void heads(struct mw_cpe *self, void *job)
 *      {
 *          mwk::turn turn;                     one thread of the process at a time
 *          const bfs_state s = ...;            the state by value: pointers that cores follow
 *          Kokkos::parallel_for(...);          queued
 *          turn.counts(n, 2);                  waits, where the host needs to know something
 *      }
 *
 * Structures of the state are plain data, so a lambda takes a copy of them to the device; the host
 * follows only those of their pointers that are of both (memory.h). What the host reads of both it
 * reads after a kernel that has waited: turn.wait(), or counts(). Other kernels return when they
 * are queued, and those that follow find their work done, for all are in one queue.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_SPACE_HPP
#define MWK_SPACE_HPP

#include <Kokkos_Core.hpp>

#define MW_FN static KOKKOS_INLINE_FUNCTION

#include "cpe/cluster.h"
#include "kokkos/numbers.hpp"
#include "shuffle/job.h"

#include <cstdint>
#include <cstring>
#include <vector>

namespace mwk
{

using exec = Kokkos::DefaultExecutionSpace;
using memory_of_cores = exec::memory_space;
using memory_of_both = MW_KOKKOS_BOTH; /* chosen in cmake/kokkos.cmake */
/* By value to the kernel itself: a state and a graph are more than Kokkos' 512 bytes,
 * beyond which it takes turns with one room of constant memory, and so waits for the
 * kernel before. */
using by_value = Kokkos::Experimental::WorkItemProperty::HintLightWeight_t;
using indices = Kokkos::RangePolicy<exec, Kokkos::IndexType<uint64_t>, by_value>;
using teams = Kokkos::TeamPolicy<exec, by_value>;
using member = teams::member_type;
constexpr int LANES_OF_TEAM = 256;
/* For kernels that wait for memory: as many teams as a multiprocessor has threads for, so the
 * compiler keeps to 32 registers each. With 40 and more a search's rows took an eighth longer. */
using many_teams =
    Kokkos::TeamPolicy<exec, by_value, Kokkos::LaunchBounds<LANES_OF_TEAM, 8>>;

/* Host and cores reach each other's: the cores are the host's. */
constexpr bool host_reaches =
    bool{Kokkos::SpaceAccessibility<Kokkos::HostSpace, memory_of_cores>::accessible} &&
    bool{Kokkos::SpaceAccessibility<exec, Kokkos::HostSpace>::accessible};

/* A table of the host's functions. A constant expression would be a constant of the device as well for
 * clang's HIP, and that has no such functions. */
template <class Table> Table of_host(const Table &table)
{
    return table;
}

/* The constants of this kind of core that shuffle/kernel_lists.h names. */
#define MWK_TABLE(type, ...)                                                             \
    extern "C" const type type##_kokkos;                                                 \
    const type type##_kokkos = mwk::of_host(type{__VA_ARGS__});
/* The statements set members of `tuned`, by name; the others are NULL. */
#define MWK_TUNED(type, ...)                                                             \
    static type type##_tuned()                                                           \
    {                                                                                    \
        type tuned = {};                                                                 \
        __VA_ARGS__                                                                      \
        return tuned;                                                                    \
    }                                                                                    \
    extern "C" const type type##_tuned_kokkos;                                           \
    const type type##_tuned_kokkos = type##_tuned();

/* ---- copies -------------------------------------------------------------------------------- */

template <class Space>
using bytes_in = Kokkos::View<char *, Space, Kokkos::MemoryTraits<Kokkos::Unmanaged>>;

template <class To, class From>
inline void copy(void *to, const void *from, uint64_t bytes)
{
    if (bytes > 0)
        Kokkos::deep_copy(
            bytes_in<To>(static_cast<char *>(to), bytes),
            bytes_in<From>(static_cast<char *>(const_cast<void *>(from)), bytes));
}

/* To the memory of cores, and back; they wait. */
inline void put(void *to, const void *from, uint64_t bytes)
{
    copy<memory_of_cores, Kokkos::HostSpace>(to, from, bytes);
}
inline void get(void *to, const void *from, uint64_t bytes)
{
    copy<Kokkos::HostSpace, memory_of_cores>(to, from, bytes);
}

/* ---- what a rank keeps on its device --------------------------------------------------------- */

/* Rooms that kernels of a rank use from time to time; each grows to the largest use. */
enum room_kind { DRAFTS, SORTED, STARTS, VISITS, TABLES, LISTS, LIST_ENDS, ROOMS };
enum { COUNTS = 8 };

/* Where the kinds of a graph's rows end (row_sums.hpp). behind[k]: one more than the last row that is too long for kind
 * k. n_long_entries: entries of the first behind[ROW_KINDS - 1] rows. These only decide who sums a row. Sums are right
 * with another graph's, too. */
constexpr uint32_t ROW_KINDS = 6;
struct known_rows {
    const uint64_t *end;
    uint64_t n_rows, n_of_graph, behind[ROW_KINDS], n_long_entries;
};

struct store {
    known_rows rows;
    void *room[ROOMS];
    uint64_t bytes[ROOMS];
    uint64_t *count;         /* [COUNTS] of cores; they only ever grow */
    uint64_t before[COUNTS]; /* as the host has last seen them */
    uint32_t n_clusters;     /* open ones */
    mw_cluster_conf conf;    /* of the last one that was opened */
    bool has_turn;
};

/* Of this rank, which is a thread. */
MW_SHOWN store &here();

/* Kokkos takes one thread of a process at a time, and so does its memory. */
class MW_SHOWN turn
{
  public:
    turn();
    ~turn();
    turn(const turn &) = delete;
    turn &operator=(const turn &) = delete;

    /* Of cores, with what the last user has left there. */
    template <class T> T *room(room_kind which, uint64_t n)
    {
        return static_cast<T *>(grow(which, n * sizeof(T)));
    }
    /* The same with what the host has at `from`. */
    template <class T> T *sent(room_kind which, const T *from, uint64_t n)
    {
        T *const to = room<T>(which, n);
        put(to, from, n * sizeof(T));
        return to;
    }
    /* Cores add to these; the host asks by how much the first n have grown, and waits. */
    uint64_t *count() const
    {
        return here().count;
    }
    void counts(uint64_t *grown, uint32_t n);
    void wait();

  private:
    void *grow(room_kind which, uint64_t bytes);
};

/* ---- for cores ------------------------------------------------------------------------------ */

KOKKOS_INLINE_FUNCTION uint32_t ones(uint32_t x)
{
    x -= x >> 1 & 0x55555555U;
    x = (x & 0x33333333U) + (x >> 2 & 0x33333333U);
    return ((x + (x >> 4)) & 0x0F0F0F0FU) * 0x01010101U >> 24;
}

/* The place of the lowest bit of x, which has one. */
KOKKOS_INLINE_FUNCTION uint32_t lowest(uint32_t x)
{
    return ones((x & (~x + 1)) - 1);
}

/* Two numbers in a word. */
KOKKOS_INLINE_FUNCTION uint32_t low(uint64_t word)
{
    return static_cast<uint32_t>(word);
}
KOKKOS_INLINE_FUNCTION uint32_t high(uint64_t word)
{
    return static_cast<uint32_t>(word >> 32);
}
KOKKOS_INLINE_FUNCTION uint64_t joined(uint32_t upper, uint32_t lower)
{
    return static_cast<uint64_t>(upper) << 32 | lower;
}

/* Of 32 from `first` on, those below n. */
KOKKOS_INLINE_FUNCTION uint32_t first_of(uint64_t n, uint64_t first)
{
    return n <= first        ? 0
           : n - first >= 32 ? UINT32_MAX
                             : (UINT32_C(1) << (n - first)) - 1;
}

/* n teams of threads of `lanes` lanes: of a device 256 lanes in all, which every one has; of the
 * host's cores as many as they are. */
template <class Teams = teams> inline Teams teams_of(uint64_t n, int lanes = 1)
{
    if (host_reaches)
        return Teams(static_cast<int>(n), Kokkos::AUTO, lanes);
    return Teams(static_cast<int>(n), LANES_OF_TEAM / lanes, lanes);
}

/* ---- items ----------------------------------------------------------------------------------- */

/* look(i) of each of n items, then says(i, what was seen): true: it is out. The others that are in `may` get into out[]
 * as value(i); returns how many. Neighbouring threads take neighbouring items, each several of them, and look
 * at all before they change anything, without a branch: so a thread waits for memory once. Many are listed again, in
 * order, for what goes along a list in another order reads far and wide. */
template <class T, class Look, class Says, class Value>
inline uint64_t list_items(turn &t, const char *name, uint64_t n, const uint32_t *may,
                           T *out, Look look, Says says, Value value)
{
    constexpr uint32_t AT_ONCE = 8, LANES = 32, MANY = 32;
    const uint64_t n_tiles = (n + LANES * AT_ONCE - 1) / (LANES * AT_ONCE);
    const uint64_t before = here().before[0];
    uint64_t *const count = t.count(), n_new = 0;
    if (n == 0)
        return 0;
    Kokkos::parallel_for(
        name, indices(0, n_tiles * LANES), KOKKOS_LAMBDA(uint64_t thread) {
            const uint64_t first = thread / LANES * LANES * AT_ONCE + thread % LANES;
            uint32_t seen = 0, left = 0;
            for (uint32_t k = 0; k < AT_ONCE; k++) {
                const uint64_t i = first + k * LANES, is = i < n ? i : n - 1;
                seen |= uint32_t(look(is)) << k;
                left |= ((may[is / 32] >> is % 32 & 1) & uint32_t(i < n)) << k;
            }
            for (uint32_t k = 0; k < AT_ONCE; k++) {
                const uint64_t i = first + k * LANES;
                if (i < n && says(i, (seen >> k & 1) != 0))
                    left &= ~(UINT32_C(1) << k);
            }
            if (left == 0)
                return;
            uint64_t at = Kokkos::atomic_fetch_add(count, uint64_t(ones(left))) - before;
            for (; left != 0; left &= left - 1)
                out[at++] = value(first + lowest(left) * LANES);
        });
    t.counts(&n_new, 1);
    if (n_new > n / MANY)
        Kokkos::parallel_scan(
            name, indices(0, n), KOKKOS_LAMBDA(uint64_t i, uint64_t & at, bool final) {
                if (!(may[i / 32] >> i % 32 & 1) || says(i, look(i)))
                    return;
                if (final)
                    out[at] = value(i);
                at++;
            });
    return n_new;
}

/* ---- edges, dealt evenly ------------------------------------------------------------------- */

/* The item that a unit belongs to, which is `i` or a later one; end[i] counts the units of the
 * items 0 .. i. Looks ahead in growing steps, so it is cheap where the next unit is near. */
KOKKOS_INLINE_FUNCTION uint64_t item_from(const uint64_t *end, uint64_t n, uint64_t i,
                                          uint64_t unit)
{
    uint64_t step = 1, low = i;
    if (end[i] > unit)
        return i;
    while (low + step < n && end[low + step] <= unit) {
        low += step;
        step *= 2;
    }
    uint64_t high = low + step < n ? low + step : n - 1;
    while (low + 1 < high) { /* end[low] <= unit < end[high] */
        const uint64_t mid = low + (high - low) / 2;
        if (end[mid] <= unit)
            low = mid;
        else
            high = mid;
    }
    return high;
}

/* Units first .. last - 1 of a list of items, each a row or a part of one, to teams in chunks of
 * equal length: a hub's row is many teams' and small ones share a thread's steps. Neighbouring
 * threads take neighbouring entries. f(item, units before the item, unit). */
constexpr uint64_t CHUNK = 2048; /* units; eight a thread of 256: to be measured */
constexpr uint64_t TEAMS_AT_LEAST = 1024; /* before a thread has a second one: a guess */

inline uint64_t chunk_of(uint64_t n)
{
    const uint64_t even =
        (n / TEAMS_AT_LEAST + LANES_OF_TEAM - 1) / LANES_OF_TEAM * LANES_OF_TEAM;
    return even < LANES_OF_TEAM ? LANES_OF_TEAM : even < CHUNK ? even : CHUNK;
}

template <class F>
inline void for_units(const char *name, const uint64_t *end, uint64_t n_items,
                      uint64_t first, uint64_t last, F f)
{
    if (first >= last)
        return;
    const uint64_t chunk = chunk_of(last - first);
    const uint64_t n_chunks = (last - first + chunk - 1) / chunk;
    Kokkos::parallel_for(
        name, teams_of(n_chunks), KOKKOS_LAMBDA(const member &team) {
            const uint64_t from =
                first + static_cast<uint64_t>(team.league_rank()) * chunk;
            const uint64_t to = from + chunk < last ? from + chunk : last;
            const uint64_t stride = static_cast<uint64_t>(team.team_size());
            uint64_t unit = from + static_cast<uint64_t>(team.team_rank());
            if (unit >= to)
                return;
            uint64_t i = mw_item_of(end, n_items, from); /* the same loads for all */
            for (; unit < to; unit += stride) {
                i = item_from(end, n_items, i, unit);
                f(i, i > 0 ? end[i - 1] : 0, unit);
            }
        });
}

/* How many lanes a thread has in kernels whose lanes work together: 32, or fewer where the device has fewer. */
inline int lanes()
{
    const int most = teams::vector_length_max();
    return most < 32 ? most : 32;
}

/* ---- bitmaps, 32 bits to neighbouring lanes --------------------------------------------------- */

/* f(lane) of those in `bits`, as bits. */
template <class F>
KOKKOS_INLINE_FUNCTION uint32_t which(const member &team, uint32_t bits, F f)
{
    uint32_t out = 0;
    if (bits == 0)
        return 0;
    Kokkos::parallel_reduce(
        Kokkos::ThreadVectorRange(team, 32),
        [&](int lane, uint32_t &sum) {
            const uint32_t one = UINT32_C(1) << lane;
            if ((bits & one) && f(static_cast<uint32_t>(lane)))
                sum += one;
        },
        out);
    return out;
}

/* f(team, half) for each 32 bits, `each` of them a team. */
constexpr uint64_t HALVES_OF_TEAM = 128;

template <class F> inline void for_halves(const char *name, uint64_t n_halves, F f)
{
    const uint64_t n_teams = (n_halves + HALVES_OF_TEAM - 1) / HALVES_OF_TEAM;
    if (n_teams == 0)
        return;
    Kokkos::parallel_for(
        name, teams_of(n_teams, lanes()), KOKKOS_LAMBDA(const member &team) {
            const uint64_t first =
                static_cast<uint64_t>(team.league_rank()) * HALVES_OF_TEAM;
            const int n = static_cast<int>(
                n_halves - first < HALVES_OF_TEAM ? n_halves - first : HALVES_OF_TEAM);
            Kokkos::parallel_for(Kokkos::TeamThreadRange(team, n), [&](int k) {
                f(team, first + static_cast<uint64_t>(k));
            });
        });
}

/* A type of its own and no lambda: several files fill the same, and what nvcc makes of a
 * lambda in a function that they share is complete in one of them alone, so that it
 * called nothing where another came first. */
template <class T> struct filling {
    T *to, x;
    KOKKOS_INLINE_FUNCTION void operator()(uint64_t i) const
    {
        to[i] = x;
    }
};

template <class T> inline void fill(const char *name, T *to, uint64_t n, T x)
{
    if (n > 0)
        Kokkos::parallel_for(name, indices(0, n), filling<T>{to, x});
}

} // namespace mwk

#endif
