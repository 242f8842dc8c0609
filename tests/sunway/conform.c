/* conform.c -- asks a Sunway machine what the port takes for granted. See conform.h.
 *
 *      conform [question...]     without: all but those that are meant to fail
 *
 * One line per question; "ok" or "NOT" where the port needs that answer, else what was found.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "conform.h"

#include <athread.h>
#include <stdio.h>
#include <string.h>
#include <sw_host.h>

extern void SLAVE_FUN(who)(void *);
extern void SLAVE_FUN(depth)(void *);
extern void SLAVE_FUN(ring)(void *);
extern void SLAVE_FUN(late)(void *);
extern void SLAVE_FUN(order)(void *);
extern void SLAVE_FUN(reply)(void *);
extern void SLAVE_FUN(stride)(void *);
extern void SLAVE_FUN(bcast)(void *);
extern void SLAVE_FUN(put)(void *);
extern void SLAVE_FUN(store)(void *);
extern void SLAVE_FUN(stack)(void *);
extern void SLAVE_FUN(tickets)(void *);
extern void SLAVE_FUN(flag)(void *);
extern void SLAVE_FUN(sync_without_me)(void *);

static struct conform shared __attribute__((aligned(128)));

static void clear(void)
{
    int c, i;
    memset((void *)&shared, 0, sizeof shared);
    for (c = 0; c < CORES; c++)
        for (i = 0; i < WORDS; i++)
            shared.memory[c][i] = (uint32_t)(1000 * c + i);
}

static uint64_t sum(int i)
{
    uint64_t n = 0;
    int c;
    for (c = 0; c < CORES; c++)
        n += shared.seen[c][i];
    return n;
}

static uint64_t most(int i)
{
    uint64_t n = 0;
    int c;
    for (c = 0; c < CORES; c++)
        n = shared.seen[c][i] > n ? shared.seen[c][i] : n;
    return n;
}

static const char *verdict(int good)
{
    return good ? "ok" : "NOT what the port needs";
}

static int join(void)
{
    const int rc = athread_join();
    if (rc != 0)
        printf("athread_join: %d\n", rc);
    return rc;
}

#define RUN(f) (clear(), athread_spawn(f, &shared) != 0 || join() != 0)

static int ask_who(void)
{
    int c, same = 1, right = 1;
    if (RUN(who))
        return 1;
    for (c = 0; c < CORES; c++) {
        const uint64_t *s = shared.seen[c];
        right &=
            s[0] == (uint64_t)c && s[1] == s[0] && s[2] == s[0] / 8 && s[3] == s[0] % 8;
        same &= s[4] == shared.seen[0][4];
    }
    printf("who: ids and _MYID: %s; a static has one address on all cores: %s\n",
           verdict(right), verdict(same));
    return 0;
}

static int ask_depth(void)
{
    if (RUN(depth))
        return 1;
    printf(
        "depth: %u row messages, %u column messages before a put would wait; wrong: %u, "
        "%s\n",
        (unsigned)shared.seen[0][0], (unsigned)shared.seen[0][2],
        (unsigned)shared.seen[1][1], verdict(shared.seen[0][0] > 0));
    return 0;
}

static int ask_ring(void)
{
    if (RUN(ring))
        return 1;
    printf("ring: 4 puts, then 4 gets, wrong: %u, %s\n", (unsigned)sum(0),
           verdict(sum(0) == 0));
    return 0;
}

static int ask_late(void)
{
    if (RUN(late))
        return 1;
    printf("late: broadcast, wrong: %u; left for the sender: %s, %s\n", (unsigned)sum(0),
           shared.seen[2 * SIDE + 3][1] ? "nothing" : "something",
           verdict(sum(0) == 0 && sum(1) == CORES));
    return 0;
}

static int ask_order(void)
{
    if (RUN(order))
        return 1;
    printf("order: of one sender, wrong: %u, %s; (0,0) saw the sender change %u times\n",
           (unsigned)sum(0), verdict(sum(0) == 0), (unsigned)shared.seen[0][1]);
    return 0;
}

static int ask_reply(void)
{
    if (RUN(reply))
        return 1;
    printf("reply: after 2 requests the word is %u, wrong data: %u, %s\n",
           (unsigned)shared.seen[0][0], (unsigned)sum(1),
           verdict(sum(0) == 2 * CORES && sum(1) == 0));
    return 0;
}

static int ask_stride(void)
{
    if (RUN(stride))
        return 1;
    printf("stride: blocks of 16, stride 48: the second starts at %u: it is the %s, %s\n",
           (unsigned)shared.seen[0][0],
           shared.seen[0][0] == 64   ? "gap"
           : shared.seen[0][0] == 48 ? "pitch"
                                     : "???",
           verdict(shared.seen[0][0] == 64));
    return 0;
}

static int ask_bcast(void)
{
    if (RUN(bcast))
        return 1;
    printf("bcast: %u of 64 reply words count 1, wrong data: %u\n", (unsigned)sum(0),
           (unsigned)sum(1));
    return 0;
}

static int ask_put(void)
{
    if (RUN(put))
        return 1;
    printf("put: 32 x 128 bytes by 64 cores: %u cycles aligned, %u off by 4; wrong: %u, "
           "%s\n",
           (unsigned)most(0), (unsigned)most(1), (unsigned)sum(2), verdict(sum(2) == 0));
    return 0;
}

static int ask_store(void)
{
    if (RUN(store))
        return 1;
    printf("store: %u bytes, after a malloc of 4096 %u; more than all gives %s, %s\n",
           (unsigned)shared.seen[0][0], (unsigned)shared.seen[0][2],
           sum(3) == 0 ? "NULL" : "memory", verdict(sum(1) == 0 && sum(3) == 0));
    return 0;
}

static int ask_stack(void)
{
    if (RUN(stack))
        return 1;
    printf("stack: DMA to local variables, wrong: %u, %s\n", (unsigned)sum(0),
           verdict(sum(0) == 0));
    return 0;
}

static int ask_tickets(void)
{
    static char had[CORES * 10];
    int c, i, twice = 0;
    if (RUN(tickets))
        return 1;
    memset(had, 0, sizeof had);
    for (c = 0; c < CORES; c++)
        for (i = 0; i < 10; i++) {
            const uint64_t t = shared.seen[c][i];
            twice += t >= CORES * 10u || had[t]++ != 0;
        }
    printf("tickets: faaw, 640 of 64 cores, not once: %d, %s\n", twice,
           verdict(twice == 0));
    return 0;
}

static int ask_flag(void)
{
    uint64_t i;
    clear();
    if (athread_spawn(flag, &shared) != 0)
        return 1;
    for (i = 1; i <= 100; i++) {
        shared.flag = i;
        sw_host_memb();
        while (shared.answer != i)
            if (sw_host_spin() != 0)
                return 1;
    }
    if (join() != 0)
        return 1;
    printf("flag: 100 orders to a kernel that stays, followed: %u of 6400, %s\n",
           (unsigned)sum(0), verdict(sum(0) == 6400));
    return 0;
}

static int ask_sync_without_me(void)
{
    printf("sync_without_me: an exception (SYNE1) is right\n");
    fflush(stdout);
    if (RUN(sync_without_me))
        return 1;
    printf("sync_without_me: went through\n");
    return 0;
}

static const struct {
    const char *name;
    int (*ask)(void);
    int unasked; /* only by its name */
} questions[] = {
    {"who", ask_who, 0},       {"depth", ask_depth, 0},
    {"ring", ask_ring, 0},     {"late", ask_late, 0},
    {"order", ask_order, 0},   {"reply", ask_reply, 0},
    {"stride", ask_stride, 0}, {"bcast", ask_bcast, 0},
    {"put", ask_put, 0},       {"store", ask_store, 0},
    {"stack", ask_stack, 0},   {"tickets", ask_tickets, 0},
    {"flag", ask_flag, 0},     {"sync_without_me", ask_sync_without_me, 1},
};

int main(int argc, char **argv)
{
    size_t q;
    int i, rc = 0;
    if (athread_init() != 0)
        return 1;
    for (q = 0; q < sizeof questions / sizeof questions[0] && rc == 0; q++) {
        int wanted = argc == 1 && !questions[q].unasked;
        for (i = 1; i < argc; i++)
            wanted |= strcmp(argv[i], questions[q].name) == 0;
        if (wanted)
            rc = questions[q].ask();
        fflush(stdout);
    }
    athread_halt();
    return rc;
}
