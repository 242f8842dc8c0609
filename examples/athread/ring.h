/* ring.h -- what both sides of the ring know.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RING_H
#define RING_H

#ifndef RING_MESSAGES
#define RING_MESSAGES 4 /* the FIFOs of SW26010 hold more; see what 40 do */
#endif
enum { RING_CORES = 64, RING_SIDE = 8 };

struct ring_job {
    int n_messages;
    long sum[RING_CORES]; /* of what each core got */
};

#endif
