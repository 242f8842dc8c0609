/* athread_on_emul.c -- the vendor's thread library on emulated cores: the same symbols, so that
 * a Sunway program can be linked and run where no such machine is. The management core's side;
 * athread_on_emul_cores.c is the cores'.
 *
 *      athread_spawn(f, arg) ---> backend "emul" ---> slave_f(arg) on 64 cores
 *      slave_athread_get, slave_register_put_row, ... ---> mw_emul_dma, mw_emul_put, ...
 *
 * As the vendor's keeps its state per thread, each thread that spawns has a machine of 64 cores
 * to itself, with a clock of its own; but only one machine runs at a time (athread_on_emul.h).
 *
 * The rules that emul.h names are checked here as well; a broken one ends sw_host_spin() and
 * athread_join() with an error. To the emulation a spawn is a launch; a kernel that stays has a
 * barrier of all cores after each order, which is as good to the check for two writers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "athread/athread_on_emul.h"

#include "base/mem.h"
#include "cpe/emul.h"

#include <athread.h>
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sw_host.h>

enum { SECTION_MAX = 16384 };

/* Whoever asks first is next: a thread that only polls would have it all the time. */
static struct {
    pthread_mutex_t lock;
    pthread_cond_t turn;
    unsigned next, now;
} section = {PTHREAD_MUTEX_INITIALIZER, PTHREAD_COND_INITIALIZER, 0, 0};
static char section_at_start[SECTION_MAX]; /* its initial values */
static bool section_is_saved;
MW_THREAD_LOCAL struct athread_cores *athread_mine;
MW_THREAD_LOCAL struct athread_core *athread_now;

/* ---- the section ---- */

static void take_section(void)
{
    pthread_mutex_lock(&section.lock);
    const unsigned ticket = section.next++;
    while (section.now != ticket)
        pthread_cond_wait(&section.turn, &section.lock);
    pthread_mutex_unlock(&section.lock);
}

static void give_section(void)
{
    pthread_mutex_lock(&section.lock);
    section.now++;
    pthread_cond_broadcast(&section.turn);
    pthread_mutex_unlock(&section.lock);
}

/* ---- the management core ---- */

int athread_init(void)
{
    return 0; /* the cores are opened at the first spawn */
}

/* ATHREAD_ON_EMUL=sw26010|pro[,parameter=value...] (emul_params.h) says what machine this is, as
 * the options of a job do on Sunway. Unset: what the process has configured. */
static int choose_machine(void)
{
    const char *const text = getenv("ATHREAD_ON_EMUL");
    struct mw_emul_params params;
    int rc;
    if (text == NULL)
        return MW_OK;
    const size_t name = strcspn(text, ",");
    if (name == 3 && strncmp(text, "pro", name) == 0)
        mw_emul_params_pro(&params);
    else if (name == 7 && strncmp(text, "sw26010", name) == 0)
        mw_emul_params_sw26010(&params);
    else
        return mw_fail(MW_ERR_USAGE,
                       "ATHREAD_ON_EMUL=%s begins with neither sw26010 nor pro", text);
    if (text[name] == ',')
        MW_TRY(rc, mw_emul_params_read(text + name + 1, &params));
    rc = mw_emul_configure(&params);
end:
    return rc;
}

/* ATHREAD_LAYOUT_RECORD=FILE: which ways messages took, as a layout to prove; of all machines of
 * the process, when it ends. */
static struct mw_emul_hops record;
static struct mw_emul_params recorded;

static void write_record(void)
{
    const char *const path = getenv("ATHREAD_LAYOUT_RECORD");
    if (!mw_emul_hops_any(&record)) {
        fputs("athread on emulation: no core put a register message; no layout is "
              "written\n",
              stderr);
        return;
    }
    FILE *const f = fopen(path, "w");
    if (f != NULL)
        mw_emul_hops_print(&record, &recorded, f);
    if (f == NULL || ferror(f) != 0 || fclose(f) != 0)
        fprintf(stderr, "athread on emulation: %s: not written\n", path);
}

/* The section is mine. */
static void record_hops(void)
{
    static bool begun;
    if (getenv("ATHREAD_LAYOUT_RECORD") == NULL)
        return;
    mw_emul_hops_add(athread_mine->cluster, &record);
    mw_emul_params_of(athread_mine->cluster, &recorded);
    if (!begun)
        (void)atexit(write_record);
    begun = true;
}

static int open_cores(void)
{
    static const struct mw_cluster_conf conf = {.n_cores = MW_MESH_CORES};
    struct mw_emul_params params;
    int rc;
    if (athread_section_bytes() > SECTION_MAX)
        return mw_fail(MW_ERR_REFUSED, "%zu bytes of __thread_local, at most %d",
                       athread_section_bytes(), SECTION_MAX);
    if (!section_is_saved)
        memcpy(section_at_start, __start_tdata_local, athread_section_bytes());
    section_is_saved = true;
    MW_TRY(rc, choose_machine());
    MW_NEW(rc, athread_mine, "athread on emulation", 1);
    MW_TRY(rc, mw_backend_emul.open(&conf, &athread_mine->cluster));
    mw_emul_params_of(athread_mine->cluster, &params);
    athread_mine->ldm_bytes = params.ldm_bytes;
    return MW_OK;
end:
    mw_free(athread_mine);
    athread_mine = NULL;
    return rc;
}

static void live(struct mw_cpe *self, void *job)
{
    struct athread_cores *const c = job;
    struct athread_core *const me = &c->core[self->id];
    me->self = self;
    me->image =
        mw_emul_statics(self, athread_section_bytes(), "__thread_local", "athread_spawn");
    memcpy(me->image, section_at_start, athread_section_bytes());
    athread_leave(me);
    athread_name_core(self->id);
    c->function(c->arg);
}

int __real_athread_spawn(void *function, void *arg)
{
    int rc = MW_OK;
    take_section();
    if (athread_mine == NULL)
        rc = open_cores();
    if (rc == MW_OK && athread_mine->running)
        rc = -EBUSY;
    if (rc == MW_OK) {
        memcpy(&athread_mine->function, &function, sizeof function);
        athread_mine->arg = arg;
        athread_mine->running = true;
        mw_backend_emul.launch(athread_mine->cluster, live, athread_mine);
    }
    give_section();
    return rc;
}

int sw_host_spin(void)
{
    int rc;
    if (athread_mine == NULL || !athread_mine->running)
        return MW_OK;
    take_section();
    rc = mw_backend_emul.poll(athread_mine->cluster);
    if (rc != MW_AGAIN)
        record_hops();
    give_section();
    athread_mine->running = rc == MW_AGAIN;
    return athread_mine->failed = rc < 0 ? rc : MW_OK;
}

int athread_join(void)
{
    if (athread_mine == NULL)
        return -EINVAL;
    while (athread_mine->running)
        (void)sw_host_spin();
    return athread_mine->failed;
}

void sw_host_memb(void) {}

void sw_host_release(void)
{
    if (athread_mine == NULL)
        return;
    mw_backend_emul.close(athread_mine->cluster);
    mw_free(athread_mine);
    athread_mine = NULL;
}

int athread_halt(void)
{
    sw_host_release();
    return 0;
}

int athread_set_num_threads(int n)
{
    return n == MW_MESH_CORES ? 0 : -EAGAIN; /* the emulation starts all */
}

int athread_get_num_threads(void)
{
    return MW_MESH_CORES;
}

int athread_get_max_threads(void)
{
    return MW_MESH_CORES;
}
