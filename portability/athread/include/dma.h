/* dma.h -- waiting for DMA by its reply word: our own text, see athread.h beside it.
 *
 * The vendor's waits until *reply == count, in a loop; here it is a call, so that emulated
 * time can pass and a count that is passed unseen can be reported.
 *
 * C99. SPDX-License-Identifier: Apache-2.0
 */
#ifndef DMA_H
#define DMA_H

void dma_wait(volatile unsigned *reply, int count);

#endif
