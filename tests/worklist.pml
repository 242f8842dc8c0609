/* worklist.pml -- how vertices become active while others are taken (src/traversal/worklist.h), as a model for
 * Spin: cores that lower two vertices of one word, and the management core that takes whom it finds, until no
 * job is running and it finds nobody. A step is one read-modify-write operation, in one order for all: that
 * they release and acquire is not in it.
 *
 * What is asserted: at the end each vertex was relaxed with the least that was said of it. test_async_spin.sh
 * says which changes make that wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define CORES 2
#define VERTICES 2
#define MOST 3

byte word[VERTICES] = MOST, relaxed[VERTICES] = MOST;
byte bits, some, n_busy = CORES;

inline activate()
{
    atomic { old = bits; bits = bits | (1 << v) }
#ifdef LEAVES_IT_TO_OTHERS
    if
    :: false
#else
    if
    :: old == 0 -> some = 1
#endif
    :: else
    fi
}

/* Lowers vertices to less and less. */
proctype core(byte value)
{
    byte v, old, n;
    do
    :: n < 2 ->
        if
        :: v = 0
        :: v = 1
        fi;
#ifdef ACTIVATES_FIRST
        activate();
#endif
        if
        :: atomic { value < word[v] -> word[v] = value }
#ifndef ACTIVATES_FIRST
            activate()
#endif
        :: value >= word[v]
        fi;
        value = (value > 0 -> value - 1 : 0);
        n++
    :: else -> break
    od;
    n_busy--
}

proctype manager()
{
    byte taken, v, last;
    bool found;
    do
    :: true ->
        last = n_busy;
#ifdef BITS_FIRST
        atomic { taken = bits; bits = 0 }
        atomic { found = some; some = 0 }
        if
        :: !found -> taken = 0
        :: else
        fi;
#else
        atomic { found = some; some = 0 }
        taken = 0;
        if
#ifdef IN_TWO_STEPS
        :: found -> taken = bits; bits = bits - (bits & taken)
#else
        :: found -> atomic { taken = bits; bits = 0 }
#endif
        :: else
        fi;
#endif
        v = 0;
        do
        :: v < VERTICES ->
            if
            :: taken >> v & 1 -> relaxed[v] = word[v]
            :: else
            fi;
            v++
        :: else -> break
        od;
        if
        :: !found && last == 0 -> break
        :: else
        fi
    od;
    assert(relaxed[0] == word[0] && relaxed[1] == word[1])
}

init
{
    atomic {
        run core(2);
        run core(1);
        run manager()
    }
}
