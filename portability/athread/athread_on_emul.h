/* athread_on_emul.h -- the cores of a management core, and how one of them gives way to another:
 * shared by athread_on_emul.c and athread_on_emul_cores.c, and by nobody else.
 *
 * Like the vendor's, calls of the cores' side have no `self`; and `__thread_local` variables
 * have one address for all cores, which is what RMA and broadcasts need. All cores run on one
 * thread, so both work by exchange: a core may lose control only inside a call, and each call
 * is framed by
 *
 *      athread_enter()   the section of such variables is saved to my image, in my local store
 *      athread_leave()   athread_now is me again, and my image is what the section holds
 *
 * so to the machine those variables are where they belong, and an address in the section
 * means the same offset in an image. The section is the process's: whoever lets cores run
 * has taken it (athread_on_emul.c). Everything else is a thread's own.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef ATHREAD_ON_EMUL_H
#define ATHREAD_ON_EMUL_H

#include "cpe/cpe_emul.h"

#include <string.h>

extern char __start_tdata_local[], __stop_tdata_local[];

struct athread_core {
    struct mw_cpe *self;
    char *image; /* in its local store */
};

struct athread_cores { /* of one management core */
    struct mw_cluster *cluster;
    struct athread_core core[MW_MESH_CORES];
    void (*function)(void *);
    void *arg;
    bool running;
    int failed; /* 0, or the error of the emulation */
    uint64_t ldm_bytes;
};

extern MW_THREAD_LOCAL struct athread_cores *athread_mine;
extern MW_THREAD_LOCAL struct athread_core *athread_now;

/* A core begins: _MYID and its like. Its image is the section by now. */
void athread_name_core(uint32_t id);

MW_FN size_t athread_section_bytes(void)
{
    return (size_t)(__stop_tdata_local - __start_tdata_local);
}

MW_FN struct athread_core *athread_enter(void)
{
    struct athread_core *const me = athread_now;
    memcpy(me->image, __start_tdata_local, athread_section_bytes());
    return me;
}

MW_FN void athread_leave(struct athread_core *me)
{
    athread_now = me;
    memcpy(__start_tdata_local, me->image, athread_section_bytes());
}

MW_FN bool athread_in_section(const volatile void *p)
{
    const uintptr_t at = (uintptr_t)p;
    return at >= (uintptr_t)__start_tdata_local && at < (uintptr_t)__stop_tdata_local;
}

/* Where it is in a core's local store. */
MW_FN void *athread_at_home(const struct athread_core *me, const volatile void *p)
{
    return athread_in_section(p)
               ? me->image + ((uintptr_t)p - (uintptr_t)__start_tdata_local)
               : (void *)(uintptr_t)p;
}

/* The same place in another core's. Stores are aligned to their size. */
MW_FN char *athread_over_there(const struct athread_core *me,
                               const struct athread_core *other, const volatile void *p)
{
    const uintptr_t bytes = athread_mine->ldm_bytes,
                    at = (uintptr_t)athread_at_home(me, p);
    const uintptr_t image = (uintptr_t)other->image;
    return other->image - image % bytes + at % bytes;
}

#endif
