/* emul_bugs.c -- kernels with a bug each; see emul_bugs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_CPE_HEADER

#include "emul_bugs.h"

int planted;
uint32_t *memory;
static void *address; /* what one core tells another */

/* Before the faulty line. */
#define PLANT() (planted = __LINE__ + 1)
#define ONLY_CULPRIT(self)                                                               \
    if ((self)->id != CULPRIT)                                                           \
    return

/* ---- the local store ---- */

struct large {
    char bytes[70000];
};
MW_LDM_STATICS(struct large, large);

static void statics_too_large(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    PLANT();
    MW_LDM(self, large)->bytes[0] = 1;
}

static void heap_too_large(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    mw_ldm_take(self, 40000);
    PLANT();
    mw_ldm_take(self, 30000);
}

static __attribute__((noinline)) uint32_t go_down(struct mw_cpe *self, uint32_t n)
{
    volatile uint64_t frame[64];
    for (int i = 0; i < 64; i++)
        frame[i] = n;
    if (n == 0) {
        PLANT();
        mw_work(self, 1), mw_memb(self);
        return 0;
    }
    return go_down(self, n - 1) + (uint32_t)frame[n % 64];
}

static void stack_meets_heap(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    mw_ldm_take(self, mw_ldm_left(self));
    *(volatile uint32_t *)memory = go_down(self, 16);
}

static void stack_too_deep_alone(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    *(volatile uint32_t *)memory = go_down(self, 150);
}

/* No call while it is deep: found at the next one. */
static __attribute__((noinline)) uint32_t go_down_quietly(uint32_t n)
{
    volatile uint64_t frame[64];
    for (int i = 0; i < 64; i++)
        frame[i] = n;
    return n == 0 ? 0 : go_down_quietly(n - 1) + (uint32_t)frame[n % 64];
}

static void stack_met_heap_before(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    mw_ldm_take(self, mw_ldm_left(self));
    *(volatile uint32_t *)memory = go_down_quietly(16);
    PLANT();
    mw_memb(self);
}

static void write_past_the_heap(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    volatile uint32_t *const word = (volatile uint32_t *)mw_ldm_take(self, 64);
    word[16] = 1;
    PLANT();
    mw_memb(self);
}

/* ---- DMA ---- */

static void get_into_main_memory(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    PLANT();
    mw_dma_get(self, memory + 64, memory, 64, &reply);
}

static void put_with_sides_swapped(struct mw_cpe *self, void *arg)
{
    uint32_t local[16] = {0};
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    PLANT();
    mw_dma_put(self, memory, local, 64, &reply);
}

static void get_into_anothers_store(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    if (self->id == CULPRIT + 1)
        address = mw_ldm_take(self, 64);
    mw_sync_array(self);
    if (self->id == CULPRIT) {
        PLANT();
        mw_dma_get(self, address, memory, 64, &reply);
    }
    mw_sync_array(self);
}

static void get_past_the_end(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    PLANT();
    mw_dma_get(self, at, memory, 65536, &reply);
}

static void main_side_in_a_store(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    PLANT();
    mw_dma_get(self, at, at + 32, 32, &reply);
}

static void address_off_by_two(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    PLANT();
    mw_dma_get(self, at, (char *)memory + 2, 32, &reply);
}

static void length_of_six(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    PLANT();
    mw_dma_put(self, at, memory, 6, &reply);
}

/* block and gap changed places: 256 bytes are no number of blocks of 96 */
static void stride_swapped(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 256);
    PLANT();
    mw_dma_get_strided(self, at, memory, 256, 96, 32, &reply);
}

static mw_dma_reply reply_in_memory;
static void reply_in_main_memory(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    PLANT();
    mw_dma_get(self, at, memory, 64, &reply_in_memory);
}

static void wait_for_one_of_two(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 128);
    mw_dma_get(self, at, memory, 64, &reply);
    mw_dma_get(self, at + 64, memory, 64, &reply);
    PLANT();
    mw_dma_wait(self, &reply, 1);
}

static void wait_for_less_than_done(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 128);
    for (int i = 1; i <= 2; i++) {
        mw_dma_get(self, at, memory, 64, &reply);
        mw_dma_wait(self, &reply, i);
    }
    PLANT();
    mw_dma_wait(self, &reply, 1);
}

static void wait_for_more_than_asked(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    mw_dma_get(self, at, memory, 64, &reply);
    PLANT();
    mw_dma_wait(self, &reply, 2);
}

static void reply_not_zeroed(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    mw_dma_reply *const reply = (mw_dma_reply *)mw_ldm_take(self, 4);
    mw_dma_get(self, at, memory, 64, reply);
    PLANT();
    mw_dma_wait(self, reply, 1);
}

static void ends_with_dma_under_way(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    mw_dma_reply *const reply = (mw_dma_reply *)mw_ldm_take(self, 4);
    *reply = 0;
    PLANT();
    mw_dma_put(self, at, memory, 64, reply);
}

/* It has long arrived: luck. */
static void ends_without_a_wait(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    char *const at = (char *)mw_ldm_take(self, 64);
    mw_dma_reply *const reply = (mw_dma_reply *)mw_ldm_take(self, 4);
    *reply = 0;
    PLANT();
    mw_dma_get(self, at, memory, 64, reply);
    mw_work(self, 100000);
    MW_SPIN(self);
}

static __attribute__((noinline)) void ask_and_return(struct mw_cpe *self, void *to,
                                                     mw_dma_reply *reply)
{
    mw_dma_reply mine = 0;
    PLANT();
    mw_dma_get(self, to, memory, 64, reply != NULL ? reply : &mine);
    mine = 0;
}

static void reply_of_a_function_that_has_returned(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    ask_and_return(self, mw_ldm_take(self, 64), NULL);
    mw_work(self, 100000);
    MW_SPIN(self);
}

static void two_write_one_line(struct mw_cpe *self, void *arg)
{
    mw_dma_reply reply = 0;
    (void)arg;
    char *const at = (char *)mw_ldm_take(self, 32);
    if (self->id == CULPRIT + 1) {
        mw_dma_put(self, at, memory + 64, 32, &reply);
        mw_dma_wait(self, &reply, 1);
    }
    mw_sync_array(self);
    if (self->id == CULPRIT) {
        PLANT();
        mw_dma_put(self, at, memory + 72, 32, &reply); /* the other half of the line */
        mw_dma_wait(self, &reply, 1);
    }
    mw_sync_array(self);
}

/* ---- the mesh ---- */

static void put_to_column_nine(struct mw_cpe *self, void *arg)
{
    const struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    ONLY_CULPRIT(self);
    PLANT();
    mw_put_row(self, 9, &m);
}

static void put_to_itself(struct mw_cpe *self, void *arg)
{
    const struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    ONLY_CULPRIT(self);
    PLANT();
    mw_put_col(self, 1, &m);
}

static void put_to_one_that_has_ended(struct mw_cpe *self, void *arg)
{
    const struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    ONLY_CULPRIT(self);
    mw_work(self, 1000);
    PLANT();
    mw_put_row(self, 5, &m);
}

/* A broadcast needs all seven; one of them is not in the game. */
static void broadcast_to_one_that_has_ended(struct mw_cpe *self, void *arg)
{
    struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    if (mw_cpe_row(self) != 1 || mw_cpe_col(self) == 5)
        return;
    if (self->id != CULPRIT) {
        mw_get_row(self, &m);
        return;
    }
    mw_work(self, 1000);
    PLANT();
    mw_put_row(self, MW_TO_ALL, &m);
}

/* One message too many. */
static void ends_with_a_message_left(struct mw_cpe *self, void *arg)
{
    struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    if (self->id == CULPRIT + 1) {
        mw_put_row(self, 2, &m);
        mw_put_row(self, 2, &m);
    }
    if (self->id == CULPRIT) {
        mw_get_row(self, &m);
        mw_work(self, 1000);
        for (int i = 0; i < 1000; i++)
            MW_SPIN(self);
    }
}

/* One message too few. */
static void one_message_too_few(struct mw_cpe *self, void *arg)
{
    struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    if (self->id == CULPRIT + 1)
        mw_put_row(self, 2, &m);
    ONLY_CULPRIT(self);
    mw_get_row(self, &m);
    PLANT();
    mw_get_row(self, &m);
}

/* Both wait for the other's message before they send theirs. */
static void two_get_before_they_put(struct mw_cpe *self, void *arg)
{
    struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    if (self->id != CULPRIT && self->id != CULPRIT + 1)
        return;
    if (self->id == CULPRIT)
        PLANT();
    mw_get_row(self, &m);
    mw_put_row(self, self->id == CULPRIT ? 3 : 2, &m);
}

static void two_put_more_than_there_is_room_for(struct mw_cpe *self, void *arg)
{
    struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    if (self->id != CULPRIT && self->id != CULPRIT + 1)
        return;
    for (int i = 0; i < 100; i++) {
        if (self->id == CULPRIT)
            PLANT();
        mw_put_row(self, self->id == CULPRIT ? 3 : 2, &m);
    }
    for (int i = 0; i < 100; i++)
        mw_get_row(self, &m);
}

static void sync_without_itself(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    PLANT();
    mw_sync_row(self, 0x0b);
}

static void sync_with_one_that_has_ended(struct mw_cpe *self, void *arg)
{
    (void)arg;
    ONLY_CULPRIT(self);
    PLANT();
    mw_sync_row(self, 0x24);
}

static void syncs_of_two_minds(struct mw_cpe *self, void *arg)
{
    (void)arg;
    if (mw_cpe_row(self) != 1 || mw_cpe_col(self) > 3)
        return;
    if (self->id == CULPRIT) {
        mw_work(self, 1000);
        PLANT();
        mw_sync_row(self, 0x0c);
    } else {
        mw_sync_row(self, 0x0f);
    }
}

/* All but one come, and that one waits for a message. */
static void sync_with_one_that_waits(struct mw_cpe *self, void *arg)
{
    struct mw_message m;
    (void)arg;
    if (self->id == CULPRIT)
        mw_get_col(self, &m);
    mw_sync_array(self);
}

static void all_spin(struct mw_cpe *self, void *arg)
{
    (void)arg;
    while (mw_row_empty(self))
        MW_SPIN(self);
}

void three_in_a_circle(struct mw_cpe *self, void *arg)
{
    struct mw_message m = {{0, 0, 0, 0}};
    (void)arg;
    const uint32_t col = mw_cpe_col(self);
    if (mw_cpe_row(self) != 4 || col > 2)
        return;
    for (int i = 0; i < 200; i++)
        mw_put_row(self, (col + 1) % 3, &m);
}

/* ---- */

const struct bug bugs[] = {
#define BUG(kernel, ...)                                                                 \
    {                                                                                    \
#kernel, kernel, __VA_ARGS__                                                     \
    }
    BUG(statics_too_large, MW_EMUL_STATICS, 0, 0, 0),
    BUG(heap_too_large, MW_EMUL_HEAP, 0, 0, 0),
    BUG(stack_meets_heap, MW_EMUL_STACK, 0, 0, 0),
    BUG(stack_too_deep_alone, MW_EMUL_STACK, 0, 0, true),
    BUG(stack_met_heap_before, MW_EMUL_STACK, 0, 0, 0),
    BUG(write_past_the_heap, MW_EMUL_STACK, 0, 0, 0),
    BUG(get_into_main_memory, MW_EMUL_DMA_OUTSIDE, 0, 0, 0),
    BUG(put_with_sides_swapped, MW_EMUL_DMA_OUTSIDE, 0, 0, 0),
    BUG(get_into_anothers_store, MW_EMUL_DMA_OUTSIDE, 0, 0, 0),
    BUG(get_past_the_end, MW_EMUL_DMA_OUTSIDE, 0, 0, 0),
    BUG(main_side_in_a_store, MW_EMUL_DMA_OUTSIDE, 0, 0, 0),
    BUG(address_off_by_two, MW_EMUL_DMA_ALIGN, 0, 0, 0),
    BUG(length_of_six, MW_EMUL_DMA_ALIGN, 0, 0, 0),
    BUG(stride_swapped, MW_EMUL_DMA_ALIGN, 0, 0, 0),
    BUG(reply_in_main_memory, MW_EMUL_REPLY_OUTSIDE, 0, 0, 0),
    BUG(wait_for_one_of_two, MW_EMUL_REPLY_PASSED, 0, 0, 0),
    BUG(wait_for_less_than_done, MW_EMUL_REPLY_PASSED, 0, 0, 0),
    BUG(wait_for_more_than_asked, MW_EMUL_REPLY_SHORT, 0, 0, 0),
    BUG(reply_not_zeroed, MW_EMUL_REPLY_SHORT, 0, 0, 0),
    BUG(ends_with_dma_under_way, MW_EMUL_DMA_UNWAITED, 0, 0, 0),
    BUG(ends_without_a_wait, MW_EMUL_DMA_UNWAITED, 0, 0, 0),
    BUG(reply_of_a_function_that_has_returned, MW_EMUL_REPLY_OUTSIDE, 0, 0, 0),
    BUG(two_write_one_line, MW_EMUL_TWO_WRITERS, 0, 0, 0),
    BUG(put_to_column_nine, MW_EMUL_RCE, 0, 0, 0),
    BUG(put_to_itself, MW_EMUL_RCE, 0, 0, 0),
    BUG(put_to_one_that_has_ended, MW_EMUL_PEER_ENDED, MW_EMUL_LEFT, 0, 0),
    BUG(broadcast_to_one_that_has_ended, MW_EMUL_PEER_ENDED, MW_EMUL_LEFT, 0, 0),
    BUG(ends_with_a_message_left, MW_EMUL_LEFT, MW_EMUL_PEER_ENDED, true, 0),
    BUG(one_message_too_few, MW_EMUL_DEADLOCK, 0, 0, 0),
    BUG(two_get_before_they_put, MW_EMUL_DEADLOCK, 0, 0, 0),
    BUG(two_put_more_than_there_is_room_for, MW_EMUL_DEADLOCK, 0, 0, 0),
    BUG(sync_without_itself, MW_EMUL_SYNE1, 0, 0, 0),
    BUG(sync_with_one_that_has_ended, MW_EMUL_PEER_ENDED, 0, 0, 0),
    BUG(syncs_of_two_minds, MW_EMUL_SYNC_MISMATCH, 0, true, 0),
    BUG(sync_with_one_that_waits, MW_EMUL_DEADLOCK, 0, true, 0),
    BUG(all_spin, MW_EMUL_NO_PROGRESS, 0, true, true),
    {NULL, NULL, MW_EMUL_NONE, MW_EMUL_NONE, false, false},
};
