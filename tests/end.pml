/* end.pml -- how runs without levels find their end (src/mpe/pipeline_async.c), as a model for Spin: ranks that
 * send each other batches, each of which may lead to others, through an outbox, a network and a queue; and sums
 * that ranks join when they have nothing to do.
 *
 * What is asserted: whoever leaves finds nothing left anywhere; and all get to the end. test_async_spin.sh says
 * which changes make that wrong.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define RANKS 2
#define BATCHES 3 /* that are ever sent, by all */

byte outbox[RANKS], flying[RANKS], queue[RANKS]; /* to that rank: of the other one; flying: sent and not come */
byte left = 1;                                   /* work in all of those, and with ranks */
byte budget = BATCHES;
byte n_ended;

typedef joined_sum {
    byte sent, taken, n_here
};
joined_sum sum[2]; /* in turn */

#define OTHER (1 - me)

#ifdef FORGETS_QUEUE
#define PASSIVE (units == 0 && outbox[OTHER] == 0)
#elif defined(FORGETS_OUTBOX)
#define PASSIVE (units == 0 && queue[me] == 0)
#else
#define PASSIVE (units == 0 && queue[me] == 0 && outbox[OTHER] == 0)
#endif

proctype rank(byte me; byte units)
{
    byte sent, taken, was_sent = 255, was_taken = 255, turn, polls;
    bool waits;
    do
    :: atomic { units > 0 && budget > 0 -> /* a record of the unit is posted */
            budget--;
            left++;
            outbox[OTHER]++;
#ifndef FORGETS_OUTBOX
            sent++
#endif
        }
    :: atomic { units > 0 -> units--; left-- }
    :: atomic { outbox[OTHER] > 0 ->
            outbox[OTHER]--;
#ifdef FORGETS_OUTBOX
            sent++;
#endif
            flying[OTHER]++
        }
    :: atomic { flying[me] > 0 -> flying[me]--; queue[me]++; taken++; polls = 0 }
    :: atomic { queue[me] > 0 && units == 0 -> queue[me]--; units++ } /* what it activates */
#ifdef IDLE_POLLS
    :: atomic { PASSIVE && polls < 3 -> polls++ }
    :: polls == 3 -> break
#endif
    :: atomic { PASSIVE && !waits ->
            waits = true;
            sum[turn].sent = sum[turn].sent + sent;
            sum[turn].taken = sum[turn].taken + taken;
            sum[turn].n_here++;
            if
            :: sum[turn].n_here == RANKS -> /* all have read the one before */
                sum[1 - turn].sent = 0;
                sum[1 - turn].taken = 0;
                sum[1 - turn].n_here = 0
            :: else
            fi
        }
    :: atomic { waits && sum[turn].n_here == RANKS ->
            waits = false;
            if
#ifdef ONE_SUM
            :: sum[turn].sent == sum[turn].taken -> break
#elif defined(UNEQUAL)
            :: sum[turn].sent == was_sent && sum[turn].taken == was_taken -> break
#else
            :: sum[turn].sent == was_sent && sum[turn].taken == was_taken &&
                   sum[turn].sent == sum[turn].taken -> break
#endif
            :: else ->
                was_sent = sum[turn].sent;
                was_taken = sum[turn].taken;
                turn = 1 - turn
            fi
        }
    od;
    assert(left == 0);
    assert(outbox[0] + outbox[1] + flying[0] + flying[1] + queue[0] + queue[1] == 0);
    n_ended++
}

/* When nothing else can happen, all have ended: Spin looks for invalid ends. */
init
{
    atomic {
        run rank(0, 1);
        run rank(1, 0)
    }
}
