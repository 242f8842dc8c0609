/* world.h -- what a rank has to run modules with: its communicator, its cluster of
 * cores, its transport, and the shape of the route. Made once per program.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_WORLD_H
#define MW_WORLD_H

#include "base/sizes.h"
#include "cpe/cluster.h"
#include "mpe/comm.h"
#include "mpe/link.h"
#include "mpe/timeline.h"
#include "mpe/transport.h"
#include "relay/groups.h"
#include "shuffle/mesh_plan.h"

MW_BEGIN_DECLS

enum { MW_BATCH_BYTES = 64 << 10, MW_CLUSTERS_MAX = 4 };

enum mw_routing { MW_ROUTING_AUTO, MW_ROUTING_DIRECT, MW_ROUTING_RELAY };

/* What becomes of batches. Auto: packed, on links between hosts where that pays (link.h). */
enum mw_compress {
    MW_COMPRESS_AUTO,
    MW_COMPRESS_OFF,
    MW_COMPRESS_VBYTE,
    MW_COMPRESS_PACKED,
    MW_N_COMPRESS
};
extern const char *const mw_compress_names[MW_N_COMPRESS];

/* How devices of several ranks tell each other: by batches of records through a library
 * of the devices, or through the host. auto: in each other's memory, where a search is
 * one kernel; else the first of these that can be. */
enum mw_exchange { MW_EXCHANGE_AUTO, MW_EXCHANGE_NCCL, MW_EXCHANGE_MPI };

extern const char *const mw_exchange_names[];

struct mw_world_conf {
    const char *backend;                  /* "auto", "serial", "openmp" */
    const struct mw_backend *own_backend; /* one that is in no table; or NULL */
    uint32_t n_threads; /* per rank; 0: the cores of the host / its ranks */
    uint32_t
        n_clusters; /* per rank, 1 .. MW_CLUSTERS_MAX; 0: 1. n_threads are dealt to them */
    enum mw_routing routing; /* auto: relay when there is more than one host */
    enum mw_compress compress;
    /* N x M for relay routing; UINT32_MAX x 0: hosts as groups. 0 x 0: what is near: hosts on a
     * switch, or hosts; where nothing is known or that takes too many peers, near-square. */
    uint32_t groups_n, groups_m;
    uint64_t near_switch;  /* that this rank's host hangs on (topology.h); 0: not known */
    uint32_t switch_hosts; /* for plans: hosts of every switch; 0: not known */
    uint32_t connections;  /* most other ranks that one may send batches to; 0: any */
    uint32_t batch_bytes;  /* 0: 64 KiB */
    uint32_t small_input;  /* bytes below which the management core works; paper: 1024 */
    uint32_t device; /* of a backend of devices: 1 + its number; 0: by rank of the host */
    /* For plans: its cores have memory of their own, even where this build's are the host's. */
    bool plan_apart;
    const char *layout; /* of a mesh backend: a layout file; NULL: the paper's layout */
    enum mw_exchange exchange;
    bool engine_mpe; /* the management core runs every module; clusters stay idle */
    /* For tests: crews have several cores although those share processors. They never rest (1), or for one phase
     * after so many (2 and more). */
    uint32_t crew_trial;
    uint64_t timeline_events; /* kept per rank; 0: no timeline */
    /* Records have room for numbers of so many bits at least, as those of larger graphs: for
     * tests. 0: for what there is. */
    uint32_t least_bits;
    double
        hang_timeout_s; /* no progress on any rank for so long ends the run; 0: never */
    /* Called when a run has failed and a cluster does not come back for hang_timeout_s more. What
     * its cores use can then never be freed, so it should end the process, after saying why
     * (mw_error_text()). NULL, or if it returns: the wait goes on. Local. */
    void (*lost)(void);
    /* As mw_cluster_conf has it. */
    void (*failed)(int rc);
    /* Another world, whose clusters this one uses too: cores cannot belong to two at a time, but
     * they can work for several in turn. Same backend, threads and clusters; freed later. NULL:
     * clusters of its own. */
    const struct mw_world *lender;
};

/* The first failure of a pipeline on this host, for the ranks that wait for that one. */
enum { MW_NEWS_NONE, MW_NEWS_COMING, MW_NEWS_THERE };
struct mw_news {
    uint32_t state; /* one of the above; atomic */
    char text[1020];
};

/* What ranks are near each other: what their groups may follow. */
struct mw_near {
    uint32_t n_hosts;
    uint32_t
        host_ranks; /* of every host but the last; more than there are: not the same */
    uint32_t
        switch_ranks; /* of every switch but the last; 0: not known, or not the same */
};

/* What a shape comes from. */
enum mw_groups_by {
    MW_GROUPS_NONE,
    MW_GROUPS_GIVEN,
    MW_GROUPS_HOSTS,
    MW_GROUPS_SWITCHES,
    MW_GROUPS_SQUARE,
    MW_N_GROUPS_BY
};
extern const char *const mw_groups_by_names[MW_N_GROUPS_BY];

struct mw_world {
    struct mw_comm *comm; /* borrowed */
    const struct mw_backend *backend;
    struct mw_cluster
        *cluster[MW_CLUSTERS_MAX]; /* [conf.n_clusters]; the lender's, if any */
    /* Lane 0 is the management core's; cluster c has first_lane[c] .. first_lane[c + 1] - 1. */
    uint32_t first_lane[MW_CLUSTERS_MAX + 1];
    struct mw_world *host;        /* mw_world_host_side(), where it is another; owned */
    struct mw_mesh_plan *plan;    /* what a mesh executes; NULL on other backends */
    struct mw_timeline *timeline; /* NULL unless asked for */
    struct mw_groups groups;
    enum mw_groups_by groups_by;
    struct mw_world_conf conf; /* with the automatic values filled in */
    bool oversubscribed;       /* some host has more threads of ranks than cores */
    bool planned;              /* cores were counted on another machine's topology */
    char placement[160];       /* one sentence on where ranks and threads run */
    struct mw_news *news;      /* one per host */
    struct mw_sent *sent;      /* [ranks], while somebody counts; borrowed, else NULL */
    struct mw_links *links;    /* NULL: one host; the lender's, if any */
    struct mw_trade
        *trade; /* mw_world_trade(): of devices that trade records themselves */
    bool trade_tried;
    char
        trade_why[200]; /* why there is none, or why not records; "" before it is tried */
    const char *records_by; /* of mw_exchange_names; NULL: nobody has asked */
};

/* What this rank has sent to another one, by pipelines. */
struct mw_sent {
    uint64_t messages, bytes;
};

/* Collective. Refuses (MW_ERR_REFUSED) a shape that does not fit the ranks. */
int mw_world_new(const struct mw_world_conf *conf, struct mw_comm *comm,
                 struct mw_world **out) MW_NODISCARD;
void mw_world_free(struct mw_world *w);

/* Local. The world of the same ranks in which graphs are built and answers are checked:
 * this one, or beside a device, which has no kernels for that, one of the host's cores
 * with a team of its own. */
struct mw_world *mw_world_host_side(struct mw_world *w);

/* Collective. The cores' own way to tell each other, by the library of their devices: opened when it is first
 * asked for, and the world's. NULL: there is none, and trade_why says why not. */
int mw_world_trade(struct mw_world *w, struct mw_trade **out) MW_NODISCARD;
/* The same for records, by conf.exchange: not where they go by relays; and what was asked for and cannot be is an
 * error. */
int mw_world_trade_records(struct mw_world *w, struct mw_trade **out) MW_NODISCARD;

/* Local. Cores whose lanes a kernel may see: self->lane < this. */
uint32_t mw_world_lanes(const struct mw_world *w);

/* Local. Runs a kernel on all cores of the first cluster and the management core, and waits:
 * for sweeps over this rank's own data in the host's memory. Next to cores that do not run such
 * kernels, of a mesh or with memory of their own, on the management core alone. */
void mw_world_run(struct mw_world *w, mw_kernel *kernel, void *job);
/* The first of the lanes that mw_world_run() does not use; mw_world_lanes(): none. */
uint32_t mw_world_idle_lanes(const struct mw_world *w);

/* Local. "0: the device's name", of the one that this rank runs on; false: the backend has none. */
bool mw_world_device(const struct mw_world *w, char *out, size_t room);

/* Local. What it does now; all unknown where nobody says. */
struct mw_device_state mw_world_device_state(const struct mw_world *w);

/* Local, on all ranks alike. Between both, collectives of the world's communicator take time where the
 * backend has one of its own. Begin says whether it has begun, and was not going on: what end is given. */
bool mw_world_begin_time(struct mw_world *w);
void mw_world_end_time(struct mw_world *w, bool begun);

/* Local. Seconds: of the backend's own time if it has one, else of the host's clock. */
double mw_world_now(const struct mw_world *w);

/* What the memory of all that runs on a world follows from: a world's, or one that a
 * configuration would make. */
struct mw_world_shape {
    const struct mw_comm *comm; /* NULL: planned, over MPI */
    const struct mw_backend *backend;
    bool
        apart; /* the host does not reach the memory of the cores: sizes.h, MW_OF_CORES */
    struct mw_groups groups;
    enum mw_groups_by groups_by;
    uint32_t rank, n_hosts, host_ranks;
    uint32_t n_lanes;   /* mw_world_lanes() */
    uint32_t n_threads; /* the same; beside a device, of its host's side */
    uint32_t n_clusters;
    uint32_t n_consumers; /* of all meshes; 0: there is none */
    uint32_t batch_bytes, least_bits;
    enum mw_compress compress;
    enum mw_exchange exchange;
    uint64_t timeline_events;
};

void mw_world_shape_of(const struct mw_world *w, struct mw_world_shape *out);
/* Local, and the same at all ranks: is mw_world_trade() worth an attempt? */
bool mw_trade_expected(const struct mw_world_shape *world);
/* Local: of mw_world_host_side(). */
struct mw_world_shape mw_world_shape_host_side(const struct mw_world_shape *shape);

/* Local: what mw_world_new() would make on so many ranks, when placement finds n_threads for each
 * (mw_placement_threads()); of rank 0. Refuses what it would refuse. */
int mw_world_shape_plan(const struct mw_world_conf *conf, uint32_t n_ranks,
                        uint32_t n_hosts, uint32_t n_threads, struct mw_world_shape *out)
    MW_NODISCARD;

/* What it asks of placement: threads of a rank; 0: as many as there should be. Local. */
uint32_t mw_world_threads_asked(const struct mw_world_conf *conf);

/* What the world itself takes, an emulated machine included. */
void mw_world_sizes(const struct mw_world_shape *shape, struct mw_sizes *out);

/* Other ranks that a rank sends batches to, at most: all, or N + M - 2 by relay. Local. */
uint32_t mw_world_peers(const struct mw_groups *g);

/* Collective where groups are to be found, on several hosts; the same on all ranks. */
int mw_world_near(const struct mw_world_conf *conf, struct mw_comm *comm,
                  struct mw_near *out) MW_NODISCARD;
/* The shape a configuration gives; local, no world needed: for plan and tests. Refuses one
 * that takes more connections than there may be. */
int mw_world_groups(const struct mw_world_conf *conf, uint32_t n_ranks,
                    const struct mw_near *near, struct mw_groups *out,
                    enum mw_groups_by *by) MW_NODISCARD;

MW_END_DECLS
#endif
