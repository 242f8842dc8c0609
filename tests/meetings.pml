/* meetings.pml -- how the kernels of several devices meet (portability/kokkos/whole/peers.hpp), as a model for Spin:
 * two ranks of two blocks of threads each, searches of some levels with a meeting in the middle and one at the end.
 * A step is one access to memory that others reach, in one order for all; words of mail are stored in any order.
 * What the fences are for is not in it, nor what they keep in order: records, bits of labels, delegated vertices.
 *
 * What is asserted: in each meeting every block hears the counts that all blocks of each rank have made for it, no more
 * and no less; and everybody gets to the end. test_meetings.sh says which changes make that wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef HALVES
#define HALVES 2 /* of the mail, in turn */
#endif
#define RANKS 2 /* "the other one" is said below */
#define BLOCKS 2
#define LEVELS 3 /* so that each tally is used again */
#define SEARCHES 2
#define TALLIES 3 /* of levels, in turn */
#define FOUND 0
#define RECORDS 1
#define WORDS 2
#ifdef RESETS
#define ALL_ARRIVED BLOCKS
#else
#define ALL_ARRIVED n * BLOCKS
#endif

typedef word {
    byte meeting, x
};
typedef letter {
    word what[WORDS]
};
typedef letters {
    letter from[RANKS]
};
typedef reached { /* of a rank */
    letters half[HALVES];
    byte arrived, sent, ended;
    byte tally[TALLIES]
};
reached reach[RANKS];

inline store(to, which, value)
{
    d_step {
        reach[to].half[n % HALVES].from[rank].what[which].x = value;
        reach[to].half[n % HALVES].from[rank].what[which].meeting = n
    }
}

/* All blocks. The one that comes last reads what its rank has to say, and then says it to all. */
inline meet(now)
{
    n++;
    d_step {
        reach[rank].arrived++;
        last = reach[rank].arrived == ALL_ARRIVED
    }
    if
    :: last ->
        found = reach[rank].tally[now];
#ifndef READS_LATE
        sent = reach[rank].sent;
#endif
        left = 15;
        do
        :: left & 1 -> store(rank, FOUND, found); left = left - 1
        :: left & 2 -> store(rank, RECORDS, 0); left = left - 2
        :: left & 4 -> store(1 - rank, FOUND, found); left = left - 4
        :: left & 8 ->
#ifdef READS_LATE
            sent = reach[rank].sent;
#endif
            store(1 - rank, RECORDS, sent);
            left = left - 8
        :: left == 0 -> break
        od;
#ifdef RESETS
        reach[rank].arrived = 0;
#endif
        found = 0; /* states that differ in what is over are one */
        sent = 0
    :: else
    fi;
    i = 0;
    do
    :: i < RANKS * WORDS ->
        reach[rank].half[n % HALVES].from[i / WORDS].what[i % WORDS].meeting == n;
        heard[i] = reach[rank].half[n % HALVES].from[i / WORDS].what[i % WORDS].x;
        i++
    :: else -> break
    od
}

/* Rank r has so many times r + 1. */
inline hears(n_found, n_records)
{
    d_step {
        assert(heard[FOUND] == n_found);
        assert(heard[WORDS + FOUND] == 2 * (n_found));
        assert(heard[(1 - rank) * WORDS + RECORDS] == (n_records) * (2 - rank));
        assert(heard[rank * WORDS + RECORDS] == 0);
        i = 0;
        do
        :: i < RANKS * WORDS -> heard[i] = 0; i++
        :: else -> break
        od;
        i = 0
    }
}

inline made(now, n_records) /* two atomics */
{
    reach[rank].tally[now] = reach[rank].tally[now] + rank + 1;
    reach[rank].sent = reach[rank].sent + (n_records) * (rank + 1)
}

proctype block(byte rank; bool first)
{
    byte n, search, level, i, found, sent, left;
    byte heard[4];
    bool last;
    do
    :: search < SEARCHES ->
        reach[rank].ended == search * BLOCKS; /* a kernel begins when the one before is over */
        if
        :: first ->
            d_step { /* nobody else looks before the first meeting */
                reach[rank].tally[0] = rank + 1;
                reach[rank].tally[1] = 0;
                reach[rank].tally[2] = 0;
                reach[rank].sent = 0
            }
        :: else
        fi;
        meet(0);
        hears(1, 0);
        level = 0;
        do
        :: level < LEVELS ->
#ifndef KEEPS_TALLIES
            if
            :: first -> reach[rank].tally[(level + 2) % TALLIES] = 0
            :: else
            fi;
#endif
            made((level + 1) % TALLIES, 1);
            meet((level + 1) % TALLIES); /* in the middle */
            hears(BLOCKS, BLOCKS);
            if
            :: first -> reach[rank].sent = 0
            :: else
            fi;
            made((level + 1) % TALLIES, 0);
            meet((level + 1) % TALLIES);
            hears(2 * BLOCKS, 0);
            level++
        :: else -> break
        od;
        reach[rank].ended++;
        search++
    :: else -> break
    od
}

init
{
    atomic {
        run block(0, true);
        run block(0, false);
        run block(1, true);
        run block(1, false)
    }
}
