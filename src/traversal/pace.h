/* pace.h -- one core alone, or several that meet: which is faster, from what both have taken.
 *
 *      alone     what its last edges took one core
 *      meeting   what a phase of several took above its share of that. A phase in which another program held a core
 *                says nothing of the next one, so it counts for little
 *      call      several go on until they have lost against one core alone all that they had won, and as much again
 *                as one such phase takes. A call begins with little of what those before it have won
 *      left out  where there are at least four, one core fewer works for a while after a phase in which another
 *                program held one: that program then has a core for itself
 *      rest      after a call that lost one core goes on alone: for four times as long as was lost, then for twice
 *                as many times, until a call wins
 *
 * So on a machine that is somebody else's as well all cores work as long as that pays, and where it does not, little
 * is lost.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PACE_H
#define MW_PACE_H

#include "base/base.h"

MW_BEGIN_DECLS

/* Of one lead. Starts with zeros but for `n_cores` and `trial`. Times are ns; `now`, `since` and `until` are a clock's
 * seconds. */
struct mw_pace {
    uint32_t n_cores;
    /* For tests: mw_world_conf.crew_trial; phases of calls, and those after which a core may be left out. */
    uint32_t trial, n_tried[2];
    double alone_ns, alone_edges; /* of the last edges by one core */
    double meet_ns;               /* of a meeting of all */
    /* Cores that are left out, until when, and for how long it was. */
    uint32_t n_left_out;
    double left_out_until, left_out_s;
    /* This call: the edges of its phases of several cores, and what these have lost, less what was won. */
    double call_since, call_edges, lost_ns;
    /* How many times as long as what was lost the last rest is, and until when. */
    double rest_times, rests_until;
};

/* A phase of a call: n cores, after one of n_before, looked at so many entries in so many ns; one core alone would have
 * looked at those of `n_edges`. */
struct mw_pace_phase {
    uint64_t n_edges, n_looked;
    double ns;
    uint32_t n, n_before;
};

/* Cores for a phase of so many edges, of which so many cores have enough to do: those, if they take less than one, and
 * do not rest. */
uint32_t mw_pace_cores(const struct mw_pace *p, uint64_t n_edges, uint64_t worth,
                       double now);

/* A call of all cores begins. A phase of it is over, now: has it lost so much that it should end? It is over. */
void mw_pace_begin(struct mw_pace *p, double now);
bool mw_pace_note(struct mw_pace *p, const struct mw_pace_phase *phase, double now);
void mw_pace_end(struct mw_pace *p, double now);
/* Without a call, what so many edges took one core. */
void mw_pace_learn_alone(struct mw_pace *p, uint64_t n_edges, double ns);

/* Should one core go on alone? After a call that lost; and as long as nobody knows what an edge takes it. */
bool mw_pace_rests(const struct mw_pace *p, double now);
/* Is that because all are slower than one where they work, and not because of what is around it? Or unknown? */
bool mw_pace_is_slow(const struct mw_pace *p);

/* For who has no calls that could lose, several ranks: the cores of each from now on, after a phase of so many edges
 * that took so long. */
uint32_t mw_pace_leave_out(struct mw_pace *p, uint64_t n_edges, double ns, double now);

MW_END_DECLS
#endif
