/* athread_kernels.c -- the cores' side of backend "athread": the kernel that stays, and the
 * table of those it runs.
 *
 * All 64 cores wait in mw_athread_live(). Core 0 looks at one word of main memory; what it
 * finds it tells its row, and each core of the row its column, by messages: so 63 cores cost
 * the memory nothing, and an order needs no interrupt (Lin et al. 2017, section 4.2). After a
 * kernel all meet, then core 0 says in main memory that it is done; the DMA of all cores has
 * been waited for by then, as a kernel must.
 *
 * A kernel is named by its number in MW_ATHREAD_LIST: the management core's pointer to a
 * function is not the cores'.
 *
 * Compiled for the cores: C99, no call into a library.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include MW_CPE_HEADER

#include MW_ATHREAD_LIST

#define DECLARE_FUNCTION(f) extern mw_kernel f;
#define DECLARE_TABLE(t, n) extern mw_kernel *const t[n];
MW_ATHREAD_KERNELS(DECLARE_FUNCTION, DECLARE_TABLE)

/* Counts down through the list. */
static mw_kernel *kernel_of(uint64_t number)
{
#define TRY_FUNCTION(f)                                                                  \
    if (number-- == 0)                                                                   \
        return f;
#define TRY_TABLE(t, n)                                                                  \
    if (number < (n))                                                                    \
        return t[number];                                                                \
    number -= (n);
    MW_ATHREAD_KERNELS(TRY_FUNCTION, TRY_TABLE)
    return NULL;
}

/* The arena is as large as the stack allows; it is taken once, and never given back. */
static void start(struct mw_athread_core *core, struct mw_athread_control *control)
{
    const uint64_t all = get_allocatable_size();
    core->cpe.id = (uint32_t)athread_get_id(-1);
    core->cpe.n = MW_MESH_CORES;
    core->cpe.lane = (uint32_t)sw_load(&control->first_lane) + core->cpe.id;
    core->served = MW_BUS_COL;
    core->control = control;
    core->bytes = all > MW_ATHREAD_STACK ? all - MW_ATHREAD_STACK : 0;
    core->bytes -= core->bytes % MW_ATHREAD_UNIT;
    core->arena = (char *)ldm_malloc(core->bytes);
    if (core->arena == NULL)
        core->bytes = 0; /* each take is refused, with its size */
    core->used = 0;
    mw_mesh_ready(&core->cpe);
}

/* The order after `last`; all cores get the same message: order, kernel, job. */
static void await_order(struct mw_athread_core *core, uint64_t last, struct mw_message *m)
{
    struct mw_cpe *self = &core->cpe;
    struct mw_athread_control *control = core->control;
    if (self->id == 0) {
        while ((m->word[0] = sw_load(&control->order)) == last) {
            MW_SPIN(self);
            sw_memb(); /* what was seen once might be seen for ever */
        }
        sw_memb(); /* kernel and job were written before the order */
        m->word[1] = sw_load(&control->kernel);
        m->word[2] = sw_load(&control->job);
        m->word[3] = 0;
        mw_put_row(self, MW_TO_ALL, m);
    } else if (mw_cpe_row(self) == 0) {
        mw_get_row(self, m);
    }
    if (mw_cpe_row(self) == 0)
        mw_put_col(self, MW_TO_ALL, m);
    else
        mw_get_col(self, m);
}

static void carry_out(struct mw_athread_core *core, const struct mw_message *m)
{
    mw_kernel *kernel = kernel_of(m->word[1]);
    if (kernel != NULL)
        kernel(&core->cpe, (void *)(uintptr_t)m->word[2]);
    mw_ldm_reset(&core->cpe);
    sw_memb(); /* what this core has stored is seen before it says so */
    mw_sync_array(&core->cpe);
    if (core->cpe.id == 0) {
        sw_store(&core->control->done, m->word[0]);
        sw_memb();
    }
}

void mw_athread_live(void *control)
{
    struct mw_athread_core core;
    struct mw_message m;
    m.word[0] = 0;
    start(&core, (struct mw_athread_control *)control);
    for (;;) {
        await_order(&core, m.word[0], &m);
        if (m.word[1] == MW_ATHREAD_STOP)
            break;
        carry_out(&core, &m);
    }
    ldm_free(core.arena, core.bytes);
}

/* Spawned for each order: nobody has to be told. */
void mw_athread_once(void *arg)
{
    struct mw_athread_control *control = (struct mw_athread_control *)arg;
    struct mw_athread_core core;
    struct mw_message m;
    start(&core, control);
    m.word[0] = sw_load(&control->order);
    m.word[1] = sw_load(&control->kernel);
    m.word[2] = sw_load(&control->job);
    m.word[3] = 0;
    carry_out(&core, &m);
    ldm_free(core.arena, core.bytes);
}
