/* emul_switch_x86_64.c -- switching stacks on x86-64 (System V): the registers that a call
 * preserves go onto the old stack and come from the new one. No system call: the general
 * way, emul_switch_ucontext.c, sets the signal mask at each switch.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_fiber.h"

void emul_switch_stack(uint64_t *save, uint64_t load); /* rdi, rsi */
void emul_switch_start(void);                          /* entry in r12, its arg in r13 */

__asm__(".text\n"
        ".globl emul_switch_stack\n"
        ".hidden emul_switch_stack\n"
        ".type emul_switch_stack, @function\n"
        "emul_switch_stack:\n"
        "    pushq %rbp\n"
        "    pushq %rbx\n"
        "    pushq %r12\n"
        "    pushq %r13\n"
        "    pushq %r14\n"
        "    pushq %r15\n"
        "    movq %rsp, (%rdi)\n"
        "    movq %rsi, %rsp\n"
        "    popq %r15\n"
        "    popq %r14\n"
        "    popq %r13\n"
        "    popq %r12\n"
        "    popq %rbx\n"
        "    popq %rbp\n"
        "    ret\n"
        ".size emul_switch_stack, . - emul_switch_stack\n"
        ".globl emul_switch_start\n"
        ".hidden emul_switch_start\n"
        ".type emul_switch_start, @function\n"
        "emul_switch_start:\n"
        "    movq %r13, %rdi\n"
        "    callq *%r12\n"
        "    ud2\n"
        ".size emul_switch_start, . - emul_switch_start\n");

enum { R15, R14, R13, R12, RBX, RBP, RETURN };

void emul_context_make(void *context, void *stack, size_t bytes, void (*entry)(void *),
                       void *arg)
{
    const uint64_t top = ((uint64_t)(uintptr_t)stack + bytes) & ~UINT64_C(15);
    /* What the switch pops ends two words below the top: the start calls from a multiple
     * of 16. */
    uint64_t *const frame = (uint64_t *)(uintptr_t)top - 2 - (RETURN + 1);
    frame[R15] = frame[R14] = frame[RBX] = frame[RBP] = 0;
    frame[R12] = (uint64_t)(uintptr_t)entry;
    frame[R13] = (uint64_t)(uintptr_t)arg;
    frame[RETURN] = (uint64_t)(uintptr_t)emul_switch_start;
    *(uint64_t *)context = (uint64_t)(uintptr_t)frame;
}

void emul_context_switch(void *from, void *to)
{
    emul_switch_stack(from, *(uint64_t *)to);
}
