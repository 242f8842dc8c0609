/* emul_core.h -- what an emulated core is made of: shared by the emul_*.c files, and by
 * nobody else.
 *
 * The rules of the mesh stand once, in emul_mesh.c and its sisters; the two executors give
 * them five verbs (struct emul_executor). With discrete events enter() lets everybody act
 * who is earlier in virtual time, so a call sees exactly the past; with threads it takes
 * the lock, and all times are 0.
 *
 *      kernel --call--> enter  rules, on shared state  leave --> kernel
 *                              block: until wake()
 *
 * A message on its way:
 *
 *      put --> out[] of the sender --when its receiver has room--> in[bus] --> get
 *              send_depth + 1: the last one is the hand of a waiting put
 *
 * The invariant: the head of out[] stands there only while its receiver (a broadcast: any
 * of them) has no room, and then the sender's bit is set in the `waiting` of that FIFO.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EMUL_CORE_H
#define MW_EMUL_CORE_H

#include "base/mem.h"
#include "cpe/cpe_emul.h"
#include "cpe/emul.h"
#include "cpe/emul_fiber.h"

#include <pthread.h>

MW_BEGIN_DECLS

enum {
    EMUL_DEPTH_MAX = 64,
    EMUL_DMA_MAX = 64,     /* of one core: a further request waits */
    EMUL_REPLIES_MAX = 16, /* reply words of one core that are remembered */
    EMUL_STATICS_MAX = 8,
    EMUL_WATCHES_MAX = 8,
    EMUL_WRITTEN_LEAST = 8192, /* a power of two */
    EMUL_COPIES_MAX = 32,      /* of words of main memory, of one core */
    EMUL_POISON = 0xA5
};

enum emul_state {
    EMUL_IDLE, /* no kernel */
    EMUL_READY,
    EMUL_PUT,
    EMUL_GET,
    EMUL_AWAIT,
    EMUL_SYNC,
    EMUL_DMA,
    EMUL_DMA_FULL, /* as many requests as there can be */
    EMUL_ENDED
};

struct emul_message {
    struct mw_message m;
    const char *where; /* of the put */
    uint64_t ready;    /* from then on it can be got */
    uint64_t made;     /* cycles after the launch; and by whom: emul_traffic.c */
    uint8_t bus, to, from, maker;
};

struct emul_traffic {
    bool wanted, lost; /* lost: no memory */
    uint64_t n, n_most;
    struct mw_emul_sent *sent, *most; /* owned */
};

struct emul_fifo {
    struct emul_message *slot; /* [depth], a ring */
    uint32_t first, n;
    uint8_t waiting; /* senders, by their seat in the line, whose head waits here */
};

struct emul_request {
    struct mw_emul_dma d;
    const char *where;
    uint64_t done_at;
};

struct emul_reply { /* a reply word, and what it is good for */
    mw_dma_reply *word;
    const char *where; /* of the last request */
    uint32_t n_unwaited;
};

struct emul_copy { /* of a word of main memory: emul_words.c */
    uint64_t *word, value;
    bool stored;
};

struct emul_core {
    struct mw_emul_self self; /* first: a kernel's pointer is one to this */
    struct mw_cluster *cluster;
    uint32_t number; /* within the machine: who goes first at equal times */

    enum emul_state state;
    bool parked;         /* inside block(), and not yet woken */
    const char *where;   /* the call it is in, or was in last */
    uint8_t bus;         /* of a get */
    uint64_t members;    /* of a sync, as cores of the cluster */
    mw_dma_reply *reply; /* of a wait, and its goal; else NULL */
    int goal;
    bool spins;

    struct emul_fifo in[2];   /* by bus */
    struct emul_message *out; /* [send_depth + 1], a ring */
    uint32_t out_first, out_n;
    uint64_t out_turn; /* when its head began to wait: first come, first served; 0: not */
    uint8_t served;    /* the bus that await() named last */
    uint8_t before; /* the seat of who sent the message taken last; its own: none yet */
    bool taken;     /* emul_traffic.c: `took` was not passed on so far */
    struct emul_message took;

    struct emul_request dma[EMUL_DMA_MAX]; /* a ring, in order of issue */
    uint32_t dma_first, dma_n, dma_started;
    struct emul_reply answered[EMUL_REPLIES_MAX]; /* completed, but not waited for */
    uint32_t n_answered;

    struct emul_copy copy[EMUL_COPIES_MAX]; /* oldest first */
    uint32_t n_copies;

    char *store;                              /* ldm_bytes, aligned to as many */
    uint64_t statics, heap, heap_most, stack; /* stack: once the kernel has ended */
    struct {
        const char *name;
        uint64_t at, bytes;
    } named[EMUL_STATICS_MAX];
    uint32_t n_named;
    uintptr_t lowest; /* frame seen in this launch */
    uintptr_t frame;  /* where the kernel's part of the stack ended at the last call */
    uintptr_t held;   /* the lowest place on the stack that a DMA under way needs */
    uint64_t left_at; /* the time after the last call */
    struct mw_meter meter;

    struct emul_fiber fiber;
    uint64_t parked_since, ended_at;
    struct mw_emul_counters count;

    pthread_t thread; /* with threads */
    struct emul_fiber host;
    pthread_cond_t woken;
    bool home; /* the thread's last switch to its own stack was for good */
};

struct emul_watch {
    const char *memory;
    uint64_t bytes, grain;
};

struct emul_written { /* an entry of emul_writers.c */
    uint64_t key, words, epoch;
    const char *where;
    uint8_t writer;
};

struct emul_done { /* a started request: when, and whose */
    uint64_t at;
    struct emul_core *core;
};

struct emul_executor {
    void (*enter)(struct emul_core *core);
    void (*leave)(struct emul_core *core); /* does not return after a mistake */
    void (*block)(struct emul_core *core); /* until woken; may find a mistake */
    void (*wake)(struct emul_core *core, uint64_t at);
    void (*doze)(struct emul_core *core, uint64_t until);
    void (*relax)(struct emul_core *core);      /* outside of enter and leave */
    void (*dma_start)(struct emul_core *core);  /* what of its ring may be under way */
    void (*dma_settle)(struct emul_core *core); /* before a wait looks at its word */
};

struct mw_cluster {
    struct emul_machine *machine;
    uint32_t number;        /* in the machine */
    struct emul_core *core; /* [64] */
    struct emul_message *slots;
    char *stores;
    struct emul_watch watch[EMUL_WATCHES_MAX];
    uint32_t n_watches;
    struct mw_emul_hops hops;
    struct emul_traffic traffic;
    struct emul_written *written;                       /* [n_written_room], owned */
    uint64_t n_written_room, n_written, n_written_lost; /* lost: no place */
    uint64_t n_written_most, epoch; /* of launches and of barriers of all cores */
    uint64_t launched_at, ended_at, turns;
    uint64_t progress; /* the time at which something happened last */
    uint32_t n_alive, n_ready;

    mw_kernel *kernel;
    void *job;
    uint64_t free_at;       /* the memory controller; in 1/1024 cycles */
    struct emul_done *done; /* [64 * EMUL_DMA_MAX], a ring in order of completion */
    uint32_t done_first, done_n;
};

/* What clusters that share a clock share. */
struct emul_machine {
    const struct emul_executor *executor;
    struct mw_emul_params params;
    uint64_t line_cost, misaligned_byte_cost; /* 1/1024 cycles */
    struct mw_cluster *cluster[MW_EMUL_CLUSTERS_MAX];
    uint32_t n_clusters;
    uint64_t now;
    struct mw_meter meter; /* the management core's, */
    uint64_t touched;      /* and what it comes to, in cycles */
    struct mw_emul_report report;
    const struct mw_cluster *culprit; /* whose core it names */
    bool failed, told;                /* told: to the listener */
    /* discrete events: who acts when, as time << 8 | core */
    uint64_t heap[64 * MW_EMUL_CLUSTERS_MAX];
    uint32_t n_heap;
    uint64_t next_done, limit;
    struct emul_core *numbered[64 * MW_EMUL_CLUSTERS_MAX];
    struct emul_fiber host;
    /* threads */
    pthread_mutex_t lock;
    pthread_cond_t started, all_home;
    uint64_t epoch;
    uint32_t n_home;
    bool close;
};

MW_FN struct emul_core *emul_core_of(struct mw_cpe *self)
{
    return (struct emul_core *)(void *)self;
}
/* emul_hops.c: a new kernel; a message was taken from a core of that bus; a put to one. */
void emul_hops_begin(struct emul_core *core);
void emul_hops_got(struct emul_core *core, uint32_t bus, uint32_t from);
void emul_hops_put(struct emul_core *core, uint32_t bus, uint32_t to);

/* emul_traffic.c: of a cluster, and of its launches; a message is put, which says who made it; one
 * was taken. */
void emul_traffic_new(struct mw_cluster *c);
void emul_traffic_free(struct mw_cluster *c);
void emul_traffic_begin(struct mw_cluster *c);
void emul_traffic_end(struct mw_cluster *c);
void emul_traffic_put(struct emul_core *core, struct emul_message *m);
void emul_traffic_got(struct emul_core *core, const struct emul_message *m);

MW_FN const struct mw_emul_params *emul_params(const struct emul_core *core)
{
    return &core->cluster->machine->params;
}
MW_FN const struct emul_executor *emul_executor(const struct emul_core *core)
{
    return core->cluster->machine->executor;
}
/* A core's seat in its line of the bus, and the core at a seat. */
MW_FN uint32_t emul_seat(const struct emul_core *core, uint32_t bus)
{
    return bus == MW_BUS_ROW ? core->self.cpe.id % MW_MESH_SIDE
                             : core->self.cpe.id / MW_MESH_SIDE;
}
MW_FN struct emul_core *emul_at(const struct emul_core *core, uint32_t bus, uint32_t seat)
{
    const uint32_t id = core->self.cpe.id;
    return core->cluster->core + (bus == MW_BUS_ROW
                                      ? id / MW_MESH_SIDE * MW_MESH_SIDE + seat
                                      : seat * MW_MESH_SIDE + id % MW_MESH_SIDE);
}
MW_FN struct emul_message *emul_head(const struct emul_core *core)
{
    return core->out + core->out_first;
}
MW_FN void emul_happened(struct emul_core *core)
{
    core->cluster->progress = core->cluster->machine->now;
}

/* emul_cluster.c: what both executors do at the same places */
int emul_cluster_new(struct emul_machine *m, struct mw_cluster **out);
void emul_cluster_free(struct mw_cluster *c);
int emul_machine_new(const struct emul_executor *executor, struct emul_machine **out);
void emul_begin(struct mw_cluster *c, mw_kernel *kernel, void *job);
/* Around each call; in the function that the kernel calls, whose frame is where the kernel's
 * own stack ends. */
#define emul_enter(core, here)                                                           \
    emul_enter_at((core), (here), (uintptr_t)__builtin_frame_address(0))
void emul_enter_at(struct emul_core *core, const char *here, uintptr_t frame);
void emul_leave(struct emul_core *core);
void emul_block(struct emul_core *core, enum emul_state state);
void emul_wake(struct emul_core *core, uint64_t at);
void emul_end(struct emul_core *core); /* a kernel's; the executor then switches away */
uint32_t emul_n_cores(const struct mw_cluster *c);
void emul_sizes(uint32_t n_team, struct mw_sizes *out); /* mw_backend.sizes */
void emul_store(uint64_t *bytes, uint64_t *stack);      /* mw_backend.store */
void emul_number_lanes(struct mw_cluster *c, const struct mw_cluster_conf *conf);

/* emul_mesh.c */
bool emul_has_room(const struct emul_core *to, uint32_t bus);
void emul_mesh_end(struct emul_core *core);

/* emul_dma.c */
void emul_dma_start(struct emul_core *core); /* by the model */
bool emul_dma_may(struct emul_core *core);   /* complete its oldest */
void emul_dma_copy(struct emul_core *core);
void emul_dma_finish(struct emul_core *core, uint64_t at); /* may wake it */
bool emul_dma_reached(const struct emul_core *core);       /* the goal of a wait */
void emul_dma_end(struct emul_core *core);
void emul_dma_left(struct emul_core *core); /* the stack no longer reaches `held` */

/* emul_words.c */
void emul_words_fence(struct emul_core *core);

/* emul_writers.c */
void emul_writers_barrier(struct mw_cluster *c); /* of all cores */
void emul_writers_begin(struct mw_cluster *c);   /* before a launch */
void emul_writers_note(struct emul_core *core, const void *memory, uint64_t bytes,
                       const char *here);

/* emul_sync.c */
void emul_sync_end(struct emul_core *core);

/* emul_store.c */
void emul_store_begin(struct emul_core *core);
void emul_store_check(struct emul_core *core, uintptr_t frame);
void emul_store_end(struct emul_core *core);
/* All of it in the statics, the heap, or the stack as deep as it was at the last call? */
bool emul_store_has(const struct emul_core *core, const volatile void *at,
                    uint64_t bytes);

/* emul_report.c: the first mistake counts */
void emul_mistake(struct emul_core *core, enum mw_emul_mistake mistake, const char *where,
                  const char *fmt, ...) MW_PRINTF(4, 5);
const char *emul_file(const char *where); /* without its folders */
int emul_failure(struct mw_cluster *c);   /* what poll() returns after a mistake */

/* emul_waits.c */
struct emul_waits { /* whom a stuck core waits for */
    uint64_t on;    /* cores of the cluster */
    bool any;       /* one of them is enough */
};
struct emul_waits emul_waits(const struct emul_core *core);
void emul_deadlock(struct emul_core *core); /* the one that blocked last */

MW_END_DECLS
#endif
