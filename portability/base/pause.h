/* pause.h -- what a core does between two looks at a word it waits for.
 *
 * Tells the processor that this is a spin loop, so that a sibling hardware thread
 * gets the pipeline and leaving the loop costs no mis-speculation.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PAUSE_H
#define MW_PAUSE_H

#include "base/base.h"

MW_FN void mw_pause(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("isb" ::: "memory");
#else
    __asm__ volatile("" ::: "memory");
#endif
}

#endif
