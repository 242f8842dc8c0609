/* sim.h -- the mesh cycle by cycle: what a layout costs, and when it stops.
 *
 * Coupled model (docs/mesh.md, "timing"): a put reserves a slot in the receiver's FIFO and
 * the message can be got `latency` cycles later; a core of role X holds each message cost[X]
 * cycles and then waits until its put succeeds; producers start and consumers end batches of
 * the local store through one DMA token bucket. Simulation is no evidence of safety: a run
 * without deadlock says nothing, proof.h does.
 *
 * The same configuration gives the same bytes. A cycle is an order of visits to the cores
 * whose start rotates; only cores that can act are visited, which changes nothing.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_SIM_H
#define MW_LAYOUT_SIM_H

#include "layouts/sim/arrivals.h"
#include "layouts/sim/latency.h"

MW_BEGIN_DECLS

struct mw_sim_event;
struct mw_sim_message;

struct mw_sim_conf {
    uint64_t cycles;
    uint64_t seed;
    uint32_t fifo[MW_N_CLASSES], send; /* depths */
    uint32_t latency;                  /* cycles from put to visible; 10 */
    /* Remote puts (routes/rma.h), of a layout by mw_puts_make(): messages from one core to one other
     * that may be outstanding, instead of fifo[]; no send buffer, no supply. 0: FIFOs */
    uint32_t rings;
    /* With rings, by listed flow: how many of the flows behind it are puts of the same message. The
     * core puts them one after the other, and takes nothing in between. NULL: none */
    const uint32_t *followers;
    double load;          /* 0 < load <= 1: share of the producers' rate; 1: saturated */
    double hotspot;       /* share of messages that go to one sink; 0: uniform */
    mw_core hotspot_core; /* that sink; MW_NO_CORE: the first one */
    double skew;          /* Zipf exponent over the sinks; 0: uniform */
    enum mw_pattern pattern;
    enum mw_arrivals arrivals;
    double burst; /* BURSTY: messages of a burst, the mean; 8 */
    /* What each source sends and when, instead of all that: load 1 and no supply. The run ends
     * when all has arrived, or soon after. NULL: none. */
    const struct mw_recording *recording;
    bool dma;              /* charge the token bucket; false: memory is free */
    uint64_t supply;       /* messages per source, then end of stream; 0: endless */
    uint32_t detect_every; /* cycles between looks at the wait-for graph; 64 */
    double warmup;         /* share of `cycles` that is not counted; 0.1 */
    /* Sources have their messages on time, whatever they come to: load 1 is a rate like any
     * other. Otherwise a source of load 1 makes its next message when it has sent the last. */
    bool open;
    /* Cycles that the run may go on behind `cycles`, under the same traffic, until the messages
     * created after warm-up have arrived. No figure but the latency counts them. 0 */
    uint64_t drain;
    /* Every change of a core, in time order, but for those of the drain; NULL: not wanted. */
    void (*observe)(void *arg, const struct mw_sim_event *e);
    void *observe_arg;
    /* Every message of the latencies, as it arrives; NULL: not wanted. */
    void (*observe_message)(void *arg, const struct mw_sim_message *m);
    void *observe_message_arg;
};

/* The defaults: the layout's depths, 200,000 cycles, seed 1, latency 10, saturated, uniform. */
void mw_sim_defaults(const struct mw_layout *l, struct mw_sim_conf *out);

/* What a core does: nothing to do, working on a message, waiting to put, waiting for DMA. */
enum mw_core_state {
    MW_CORE_IDLE,
    MW_CORE_BUSY,
    MW_CORE_BLOCKED,
    MW_CORE_DMA,
    MW_CORE_ENDED,
    MW_N_CORE_STATES
};
extern const char *const mw_core_state_names[MW_N_CORE_STATES];

struct mw_sim_event {
    uint64_t cycle;
    mw_core core;
    uint8_t state; /* enum mw_core_state, from now on */
    uint32_t fill[MW_N_CLASSES],
        send_fill;     /* messages in its FIFOs, slots reserved included */
    mw_core waits_for; /* BLOCKED: whose FIFO is full; else MW_NO_CORE */
};

struct mw_sim_message { /* cycles: see latency.h */
    mw_core source, sink;
    uint64_t created, injected, arrived;
};

struct mw_sim_core {
    uint64_t cycles[MW_N_CORE_STATES]; /* they add up to the result's `observed` */
    uint64_t taken, given;  /* messages got or created; put or consumed, without
                                        * end markers; in the same cycles, as the fills */
    enum mw_core_state end; /* as the run left it */
    uint64_t
        fill_sum[MW_N_CLASSES]; /* sum over cycles of the fill: mean = sum / observed */
    uint32_t fill_max[MW_N_CLASSES];
};

struct mw_sim_pair { /* one (source, sink) pair; a listed flow's last core is its sink */
    mw_core source, sink;
    uint64_t messages; /* consumed after warm-up */
};

/* A core of a wait-for cycle: the message in its hand (with a send buffer: at the head of that)
 * and the FIFO that has no room for it; in a knot, the first such at a core of the knot. */
struct mw_sim_blocked {
    mw_core core, next,
        sink;           /* sink: of the message; MW_NO_CORE: a broadcast's, or unknown */
    bool marker;        /* of end of stream: it goes no further than `next` */
    bool ring;          /* of remote puts: fill and depth are those of its ring there */
    int64_t flow;       /* of a listed flow's message; -1: of a routed one's */
    uint8_t class;      /* enum mw_fifo_class of the FIFO of `next` */
    mw_channel channel; /* its virtual channel */
    uint32_t fill, depth; /* of that */
};

struct mw_sim_result {
    uint64_t cycles; /* run: less than asked for after a deadlock or the end of stream. A
                      * global deadlock is run on until no core works any more */
    uint64_t
        counted; /* of them after warm-up, a share of the cycles asked for: maybe 0 */
    uint64_t
        observed; /* that the cores' numbers are of: those counted, or, if the run ended
                         * in its warm-up, all of them: how it came to a stop is no figure
                         * that a warm-up would spoil */
    uint64_t consumed;  /* messages, after warm-up */
    double bytes_per_s; /* payload, at the layout's clock */
    bool deadlock;
    uint64_t deadlock_cycle; /* when the detector saw it */
    uint32_t n_cycle;
    mw_core *cycle_core; /* [n_cycle], owned: each waits for the next; or a knot */
    struct mw_sim_blocked *blocked; /* [n_cycle], owned: the same cores */
    /* Words for the deadlock, which is always local. Weak: no step but injects is possible.
     * Global: nor are these, and no core works on what it holds: all stand still. */
    bool global, weak;
    bool ended;               /* supply > 0: all messages and end markers arrived */
    struct mw_sim_core *core; /* [cores], owned */
    uint64_t
        n_pairs; /* 0: the layout has more than 2^20 flows, only sources are told apart */
    struct mw_sim_pair *pair; /* owned; source-major */
    double least_share,
        most_share; /* of a pair's messages, against the mean of all pairs */
    double least_source, most_source;            /* the same per source: who is starved */
    mw_core least_source_core, most_source_core; /* the first such; consumed > 0 */
    struct mw_latency latency;
};

/* Local. Errors: MW_ERR_NOMEM; MW_ERR_DATA when the layout has no source; MW_ERR_USAGE when a
 * number of the configuration is out of its range; the message says which. */
int mw_layout_sim(const struct mw_layout *l, const struct mw_sim_conf *conf,
                  struct mw_sim_result *out) MW_NODISCARD;
void mw_sim_result_fini(struct mw_sim_result *r);

/* ---- the closed formula ---------------------------------------------------------------- */

/* Bounds in payload bytes/s: what producers, routers, consumers, memory and the bus could do
 * alone if each source sent as much as every other and the same along each of its flows.
 * Cores of one role in one row count as sharing their work evenly; where the routes share it
 * unevenly, `busiest` is lower. A kind of work that no core does is unbounded (INFINITY). A
 * role that does several kinds is bounded by their sum, under each of these names. Modelled,
 * not measured. */
struct mw_throughput {
    double producers, routers, consumers, memory;
    double bus;           /* one message a cycle over the link most used */
    double bound;         /* the least of these; INFINITY, limit "-": several ways */
    const char *limit;    /* "producer", "router", "consumer", "memory", "bus" */
    double busiest;       /* what the core with most work of all kinds allows */
    mw_core busiest_core; /* the first such */
    double
        eta; /* share of a router bound reached at this FIFO depth: simulated once, for the
                 * 8x8 paper layout */
};
/* Errors: MW_ERR_NOMEM; MW_ERR_DATA when the layout has no source. */
int mw_layout_throughput(const struct mw_layout *l, struct mw_throughput *out)
    MW_NODISCARD;

/* ---- recorders: observers that write a file ---------------------------------------------- */

struct mw_recorder; /* opaque */
enum mw_recorder_format {
    MW_RECORD_VCD,
    MW_RECORD_CHROME, /* also a span for each message */
    MW_RECORD_CSV,
    MW_RECORD_MESSAGES /* CSV, a line per message; no cores */
};
/* Writes to `out`, which stays the caller's. */
int mw_recorder_new(const struct mw_layout *l, enum mw_recorder_format format, FILE *out,
                    struct mw_recorder **r) MW_NODISCARD;
void mw_recorder_observe(void *recorder, const struct mw_sim_event *e);
void mw_recorder_message(void *recorder, const struct mw_sim_message *m);
/* Ends the file (MW_ERR_IO if it was not written completely) and frees the recorder. */
int mw_recorder_end(struct mw_recorder *r, uint64_t cycle) MW_NODISCARD;

MW_END_DECLS
#endif
