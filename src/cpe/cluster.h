/* cluster.h -- one cluster of compute cores (64 CPEs), or its stand-in.
 *
 * A kernel is an SPMD function: every core of the cluster runs it, and self->id of
 * self->n tells a core which part is its own. The cluster knows nothing of graphs:
 * a job is an opaque pointer.
 *
 * Launching is asynchronous, so the management core can move messages while the
 * cluster computes; run() lets the management core take part as one more core:
 *
 *      idle --launch()--> running --poll() returns MW_OK--> idle
 *      idle --run()--> idle
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CLUSTER_H
#define MW_CLUSTER_H

#include "base/sizes.h"
#include "cpe/memory.h"

MW_BEGIN_DECLS

struct mw_cluster; /* opaque */

struct mw_cpe {
    uint32_t id, n; /* my number, and how many run this kernel */
    /* Whose memory I may use, among all cores of the rank: 0 is the management core's. */
    uint32_t lane;
};

typedef void mw_kernel(struct mw_cpe *self, void *job);

struct mw_cluster_conf {
    uint32_t n_cores;        /* all of them, the management core included; at least 1 */
    const int *cpu;          /* [n_cores] where to bind each, or NULL: nowhere */
    bool oversubscribed;     /* yield while waiting */
    uint32_t first_lane;     /* of the cores beside the management core: 1 or more */
    uint32_t device;         /* 1 + the number of the device to run on; 0: by the next */
    uint32_t real_host_rank; /* this rank among those of its real host */
    /* Of devices: told when the host begins and ends to wait for one. NULL: nobody asks. */
    void (*waits)(void *arg, bool begins);
    void *waits_arg;
    /* Of devices: what failed in the middle of a kernel (mw_error_text()), which can neither go on
     * nor say so; ends the process. NULL: the library of the device does, in its own way. */
    void (*failed)(int rc);
};

/* What a backend of devices may run on. */
enum { MW_DEVICES_MAX = 64 };
struct mw_device {
    char name[80];
    uint64_t bytes; /* of its memory; 0: not known */
    uint64_t id; /* the same in all processes, and no other's of any host; 0: not known */
    char unusable[160]; /* why it cannot be used; "": it can */
};

/* What it does just now, and by whose word; "" and 0: not known. */
struct mw_device_state {
    char driver[80], library[80];
    uint32_t clock_mhz, clock_most_mhz; /* of its cores: now, and at most */
    uint32_t memory_clock_mhz;
    uint32_t temperature_c;
    double power_w, power_most_w;
    double joules; /* since some time in the past */
};

/* What the management core has done, for backends with a time of their own. */
struct mw_mpe_work {
    uint64_t bytes;    /* of batches, read and written */
    uint64_t records;  /* dealt with */
    uint64_t messages; /* sent and received */
};

/* The network between nodes whose time is a backend's own: what a message costs on its way (LogGP,
 * Alexandrov et al. 1995), in cycles of the machine. */
struct mw_virtual_wires {
    uint64_t overhead; /* of the core that sends; who receives is charged by spend() */
    uint64_t latency;  /* of the wire, from the last byte's leaving to its coming */
    double byte, far_byte; /* each, within a super node and beyond */
    uint32_t
        super_node; /* how many ranks it has, each of which is a node; 0: all are in one */
};

/* The time of a machine that is emulated: one clock for all clusters of a thread, in cycles. */
struct mw_virtual_time {
    uint64_t (*now)(const struct mw_cluster *c);
    double (*seconds)(const struct mw_cluster *c, uint64_t cycles);
    /* The management core has worked; it does nothing until then. Clusters go on meanwhile. */
    void (*spend)(struct mw_cluster *c, const struct mw_mpe_work *work);
    void (*wait)(struct mw_cluster *c, uint64_t until);
    /* What kernels of this thread touch is counted (meter.h); and paid for. By the management core, or
     * (n_clusters > 0, the same in both) as if it had been dealt evenly to all cores of so many. */
    void (*count)(struct mw_cluster *c, uint32_t n_clusters);
    void (*pay)(struct mw_cluster *c, uint32_t n_clusters);
    void (*network)(const struct mw_cluster *c, struct mw_virtual_wires *out);
};

/* One backend = one constant instance of this struct. */
struct mw_backend {
    const char *name;     /* "serial", "openmp" */
    const char *disabled; /* NULL, or why this build does not contain it */
    int priority;         /* the usable backend with the highest one is "auto" */
    bool one_thread;    /* whatever it is asked for, a rank has one thread of the host */
    bool short_circuit; /* kernels apply records for their own rank at once */
    bool mesh;          /* 64 cores that pass messages along rows and columns */
    bool in_place;      /* launch() comes back when the kernel is done */
    bool takes_turns;   /* kernels of clusters of one process run one after the other */
    /* Which kernels its cores run (kernels.h), and whose the management core runs; where there
     * are none of that kind, those of `stand_in`, if it is not NULL, and else the host's. */
    const char *kernels, *delegate, *stand_in;
    const struct mw_memory *memory; /* what its kernels work on; NULL: the host's */

    int (*open)(const struct mw_cluster_conf *conf, struct mw_cluster **out);
    /* Starts a kernel on the cores beside the management core; where there are
     * none it runs in place. The job must stay until poll() has said MW_OK. */
    void (*launch)(struct mw_cluster *c, mw_kernel *kernel, void *job);
    /* MW_OK: idle; MW_AGAIN: still running. An error: a core has broken a rule of its machine
     * (emulation); the cluster can then only be closed. */
    int (*poll)(struct mw_cluster *c);
    /* Runs a kernel on all cores, the caller's included, and waits for all. */
    void (*run)(struct mw_cluster *c, mw_kernel *kernel, void *job);
    void (*close)(struct mw_cluster *c);
    uint32_t (*n_cores)(const struct mw_cluster *c); /* that run() uses */
    /* Cores beside the management core, which launch() uses: lanes first_lane and up. 0:
     * launch() runs in place, as the management core. */
    uint32_t (*n_team)(const struct mw_cluster *c);
    const struct mw_virtual_time *time; /* NULL: the host's clock is the machine's */
    /* Of a mesh: bytes of a core's local store, and those of them that are the stack's. Both come
     * with what a layout reckons with; what the backend knows better it changes. NULL: nothing. */
    void (*store)(uint64_t *bytes, uint64_t *stack);
    /* What open() takes for a cluster with so many cores beside the management core. NULL: next
     * to nothing. */
    void (*sizes)(uint32_t n_team, struct mw_sizes *out);
    /* The devices of this host, at least one: returns how many, and tells of the first `room`. And
     * which one a cluster runs on. NULL, both: it has none. */
    uint32_t (*devices)(struct mw_device *out, uint32_t room);
    uint32_t (*device_of)(const struct mw_cluster *c);
    /* Bytes that this process may take of a device now, beside what its library has there, which it
     * may start for that; 0: not known. NULL: never. */
    uint64_t (*room)(uint32_t device);
    /* What a device does, and how two of them reach each other. NULL, both: nobody says. */
    void (*device_state)(uint32_t device, struct mw_device_state *out);
    void (*device_link)(uint32_t a, uint32_t b, char *out, size_t room);
    /* Of a team that has the name of a backend of devices: what it is on a device, for plans. */
    const struct mw_backend *as_device;
};

/* The table of all backends this source knows, ended by NULL; disabled ones too. */
extern const struct mw_backend *const mw_backends[];

/* Finds a usable backend by name; "auto" and NULL choose by priority. */
int mw_backend_find(const char *name, const struct mw_backend **out) MW_NODISCARD;

/* Its cores are a device's, with memory of their own, and not the host's, whatever they
 * are listed as. */
bool mw_on_device(const struct mw_backend *backend);
/* May cores of one rank change what another rank of the host has? Not on devices and meshes. NULL is legal: no. */
MW_SHOWN bool mw_ranks_are_near(const struct mw_backend *backend);

/* Whether the management core may read and write what its kernels work on. */
MW_SHOWN bool mw_host_reaches(const struct mw_backend *backend);

/* Who has the same shares the device: its id; where that is not known, its number on this host. */
uint64_t mw_device_id(const struct mw_backend *backend, uint32_t device);

/* The number of the device that a rank takes: the one asked for (mw_cluster_conf), or in turn. */
uint32_t mw_device_choose(const struct mw_backend *backend, uint32_t asked,
                          uint32_t real_host_rank);

MW_END_DECLS
#endif
