/* transport_virtual.h -- batches between nodes whose time is their own: an emulated machine's network.
 *
 * Each rank is a node with a clock (mw_virtual_time). A batch leaves and comes at times of those
 * clocks, so what a rank does next does not depend on how fast or busy the host of the emulation is:
 * two runs are the same, cycle for cycle, on any number of ranks.
 *
 *      M1 posts at t --> M0 sends: overhead --> wire of the sender: bytes --> latency --> M1 takes it
 *                        one after the other    one after the other          once the receiver's wire
 *                                                                            has carried it: bytes
 *
 * That is LogGP (mw_virtual_wires), with two management cores as in the paper: M0 sends while M1 goes on, and
 * M1 receives, which its clock is charged for.
 *
 * A batch may only be handed up when no earlier one can still come. So ranks run at most as far ahead as
 * a batch takes at least, its lookahead (Chandy and Misra 1979; here in rounds, as Nicol 1993). In a
 * round each rank says the earliest time at which it may send again, all batches sent since the last
 * round change hands, and everything before the least of these times plus the lookahead is safe.
 *
 * What is on its way has no limit and stands in no table of sizes: copies of batches, of the heap. A real
 * M0 would run out of buffers and stop M1; here it never does. Sender and wires are those of one
 * pipeline; an algorithm that runs another in between finds them idle.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_TRANSPORT_VIRTUAL_H
#define MW_TRANSPORT_VIRTUAL_H

#include "mpe/transport.h"

MW_BEGIN_DECLS

struct mw_virtual; /* a transport (mw_transport), too */

/* Collective. conf->time is not NULL; *conf->network becomes it. */
int mw_virtual_new(const struct mw_transport_conf *conf, struct mw_transport **out)
    MW_NODISCARD;
void mw_virtual_sizes(const struct mw_transport_conf *conf, uint32_t n_ranks,
                      enum mw_when when, struct mw_sizes *out);

/* Until when M0 sends what it was given so far, in seconds. */
double mw_virtual_sends_until(const struct mw_virtual *v);

/* Local: a run begins, and whatever came until now has come. Until mw_virtual_meet() has returned on all
 * ranks they use the communicator in rounds only: mw_poll() and the functions below may wait in one for all
 * others. */
void mw_virtual_begin(struct mw_virtual *v);
/* This rank has nothing to do until a batch comes: its clock goes on to when the next one does, if that
 * is known; else a round tells more. MW_AGAIN: nobody has anything to do, and nothing is on its way. */
int mw_virtual_idle(struct mw_virtual *v) MW_NODISCARD;
/* This rank has done its part, and nothing more is to come for it. Returns when all have, without a
 * change of its clock: who waits for others does so in a collective. */
int mw_virtual_meet(struct mw_virtual *v) MW_NODISCARD;
/* This rank gives up; the others hear of it in the round that they wait in, and their calls fail. Nothing is
 * done if this rank has heard it of another. */
void mw_virtual_fail(struct mw_virtual *v);
bool mw_virtual_heard_failure(const struct mw_virtual *v); /* local */

MW_END_DECLS
#endif
