/* sim_state.h -- the simulated mesh as it stands between two cycles; for the files of
 * the simulator only.
 *
 * A core is visited when something may let it act: its time has come (the wheel), a FIFO it
 * waits for has room again, a message has become visible. A visit that finds nothing to do
 * changes nothing; so visiting a core too often is harmless, and never too rarely is the
 * invariant: whenever a core could act in a cycle, its bit is set in that cycle's slot of the
 * wheel before its turn comes.
 *
 *      wheel[cycle mod SLOTS]   a bit per core, scanned from 37 * cycle mod n on, cyclically
 *      fifo.waiters             senders whose put failed, until it succeeds
 *
 * Sums over time are kept as differences: what begins at cycle T subtracts T, what ends
 * there adds it, and the end of the run closes what is open. They wrap, and come out right.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_SIM_STATE_H
#define MW_LAYOUT_SIM_STATE_H

#include "layouts/sim/sim.h"
#include "layouts/sim/traffic.h"

MW_BEGIN_DECLS

enum {
    SIM_SLOTS = 256,   /* longer waits are renewed when the wheel comes round */
    SIM_ROTATION = 37, /* by which the first core moves on each cycle */
    SIM_WORDS_MAX = MW_MESH_CORES_MAX / 64,
    SIM_BUCKET_CYCLES = 64,        /* what the DMA bucket holds */
    SIM_BYTE_BITS = 20,            /* fixed point of the bucket */
    SIM_PACE_BITS = MW_CLOCK_BITS, /* fixed point of a paced source's clock */
};

#define SIM_ROUTE_MARKER UINT32_MAX /* end of stream */

/* EMPTY: takes or creates next. FORWARD: to put at `ready`. CONSUME: done at `ready`. */
enum sim_hand { SIM_HAND_EMPTY, SIM_HAND_FORWARD, SIM_HAND_CONSUME };

struct sim_entry {
    uint64_t visible; /* from this cycle on it can be got */
    struct mw_parcel parcel;
};

struct sim_fifo {
    struct sim_entry *entry; /* a ring of mask + 1; part of sim.entries */
    uint32_t mask, head;
    uint32_t count, depth;
    uint64_t waiters; /* bit i: the sender in column (row FIFO) or row (column FIFO) i */
    uint64_t fill_sum;
    uint32_t fill_max;
};

struct sim_core {
    uint64_t ready;
    struct mw_parcel parcel; /* in the hand */
    mw_core to;              /* FORWARD */
    mw_channel channel;      /* FORWARD: of the hop */
    uint8_t n_ports;         /* FIFOs: two a channel */
    uint8_t hand, state, served;
    uint8_t row, col;
    bool source;
    bool own;           /* in the hand: a message that it created */
    uint32_t followers; /* with rings: its puts that go out behind the one in the hand */
    uint32_t cost;
    uint32_t started, finished; /* messages of the batches begun: to create; consumed */
    uint64_t supply;            /* messages still to create */
    uint64_t due, interval; /* next start of a paced source; 2^-SIM_PACE_BITS cycles */
    uint64_t taken, given;
    uint64_t cycles[MW_N_CORE_STATES];
    struct sim_fifo fifo[MW_N_CLASSES];
    struct sim_fifo *more; /* of the channels from 1 on; part of sim.more */
};

struct sim_sent { /* an entry of a send buffer */
    struct mw_parcel parcel;
    mw_core to;
    mw_channel channel;
};

struct sim_buffer {
    uint32_t head, count;
};

/* End of stream. A core sends markers when its own messages are out and a marker from each
 * predecessor is in, one for each channel that it uses. */
enum { SIM_PORTS_MAX = MW_N_CLASSES * MW_CHANNELS_MAX };
struct sim_stream {
    uint64_t next[SIM_PORTS_MAX]; /* by port, successors not yet told: columns, rows */
    uint32_t missing;             /* markers to come */
};

/* The first port with a successor that is not told; SIM_PORTS_MAX: there is none. */
MW_FN uint32_t sim_untold(const struct sim_stream *m)
{
    uint32_t port = 0;
    while (port < SIM_PORTS_MAX && m->next[port] == 0)
        port++;
    return port;
}

/* Every producer's and consumer's way to memory. */
struct sim_bucket {
    int64_t level, rate, capacity, batch; /* in 2^-SIM_BYTE_BITS bytes (per cycle) */
    uint64_t filled;                      /* cycle up to which `level` is */
};

struct sim {
    const struct mw_layout *l;
    const struct mw_sim_conf *conf;
    struct mw_sim_traffic *traffic;
    uint32_t n, n_words, cols;
    uint32_t start;   /* the core visited first in this cycle, */
    uint32_t start_1; /* and in the next */
    uint64_t *wheel;  /* [SIM_SLOTS][n_words] */
    struct sim_core *core;
    const mw_core *next;
    uint8_t *listed_last;           /* [place in listed_core]: the last of its flow */
    const struct mw_stages *stages; /* the traffic's; NULL: each message has one way */
    uint64_t *ties;                 /* [n], owned, with stages: states of generators */
    uint32_t latency, send;
    uint32_t batch;        /* messages */
    uint16_t *outstanding; /* [n][n], owned: to, from; NULL: no rings */
    bool dma, paced, rendezvous, counted_supply;
    struct sim_bucket bucket;
    struct sim_entry *entries;
    struct sim_fifo *more;     /* [n][n_ports - 2] */
    struct sim_sent *sent;     /* [n][send] */
    struct sim_buffer *buffer; /* [n] */
    struct sim_stream *stream; /* [n]; NULL: endless */
    uint32_t n_ended;
    uint64_t consumed;
    uint64_t *tally;        /* [traffic->n_tallies] */
    struct mw_clock *clock; /* [n], owned; NULL: all intervals are even, or recorded */
    /* Latencies: of messages created in cycles from .. from + window - 1. */
    struct mw_latency_meter *meter;
    uint64_t from, window, created, arrived;
    bool draining;
};

int sim_new(const struct mw_layout *l, const struct mw_sim_conf *conf, struct sim **out)
    MW_NODISCARD;
void sim_free(struct sim *s);

/* From here on it counts: everything before is forgotten. */
void sim_start_counting(struct sim *s, uint64_t cycle);
/* Closes the sums at `cycle` and moves them to the result. UINT64_MAX: it never counted. */
int sim_report(struct sim *s, uint64_t counted_from, uint64_t cycle,
               struct mw_sim_result *out) MW_NODISCARD;
/* Whether a wait-for cycle stands; then it is written to `out`. */
int sim_detect(const struct sim *s, struct mw_sim_result *out) MW_NODISCARD;
/* Whether some core works on a message. */
bool sim_works(const struct sim *s);
/* Messages of the window that their sources did not come to yet. */
uint64_t sim_pending(const struct sim *s);

/* The class of a legal hop, from the cores' own coordinates. */
MW_FN enum mw_fifo_class sim_class(const struct sim *s, mw_core from, mw_core to)
{
    return s->core[from].row == s->core[to].row ? MW_ROW : MW_COLUMN;
}

/* A FIFO of the core. Port: 2 * channel + class. */
MW_FN struct sim_fifo *sim_fifo(struct sim_core *c, uint32_t port)
{
    return MW_LIKELY(port < MW_N_CLASSES) ? &c->fifo[port]
                                          : &c->more[port - MW_N_CLASSES];
}

MW_FN const struct sim_fifo *sim_fifo_of(const struct sim_core *c, uint32_t port)
{
    return port < MW_N_CLASSES ? &c->fifo[port] : &c->more[port - MW_N_CLASSES];
}

/* Whether no message stands before the hand that the hand has promised to take. */
MW_FN bool sim_unpromised(const struct sim_core *c)
{
    bool none = true;
    for (uint32_t port = 0; port < c->n_ports; port++) {
        const struct sim_fifo *f = sim_fifo_of(c, port);
        none &= f->depth != 0 || f->count == 0;
    }
    return none;
}

/* Rendezvous: the hand takes what comes, if it waits for nothing better. */
MW_FN bool sim_receptive(const struct sim_core *c)
{
    return c->hand == SIM_HAND_EMPTY &&
           (c->state == MW_CORE_IDLE || c->state == MW_CORE_DMA) && sim_unpromised(c);
}

MW_FN bool sim_has_room(const struct sim_core *c, uint32_t port)
{
    const struct sim_fifo *f = sim_fifo_of(c, port);
    return f->depth != 0 ? f->count < f->depth : sim_receptive(c);
}

/* With rings: messages on their way from one core to the other. */
MW_FN uint16_t *sim_outstanding(const struct sim *s, mw_core from, mw_core to)
{
    return &s->outstanding[(size_t)to * s->n + from];
}

MW_FN bool sim_ring_is_full(const struct sim *s, mw_core from, mw_core to)
{
    return MW_UNLIKELY(s->outstanding != NULL) &&
           *sim_outstanding(s, from, to) >= s->conf->rings;
}

/* Of a legal hop: the port at `to`. */
MW_FN uint32_t sim_port(const struct sim *s, mw_core from, mw_core to, mw_channel channel)
{
    return MW_N_CLASSES * channel + (uint32_t)sim_class(s, from, to);
}

/* ---- several ways: sim_ways.c ---------------------------------------------------------- */

#define SIM_NO_WAY UINT32_MAX

int sim_ways_new(struct sim *s) MW_NODISCARD;
/* The way of that stage at v with most room. Of several a generator of the core takes one, and goes on
 * only then. SIM_NO_WAY: some target of each is full. */
uint32_t sim_choose_way(struct sim *s, mw_core v, uint32_t stage);
/* Whether what v puts next could go if only full FIFOs of cores in `stuck` (NULL: all) were closed. If
 * not: *to, *channel are one of those. */
bool sim_could_go(const struct sim *s, mw_core v, const uint8_t *stuck, mw_core *to,
                  mw_channel *channel);
/* Marks the cores of a knot, as few as are easily found; how many. */
uint32_t sim_find_knot(const struct sim *s, uint8_t *stuck);

/* The core that v's put waits for, given that v is blocked: the receiver of its hand, or of
 * the head of its send buffer. */
MW_FN mw_core sim_target(const struct sim *s, mw_core v)
{
    if (s->send == 0)
        return s->core[v].to;
    return s->sent[(size_t)v * s->send + s->buffer[v].head].to;
}

/* The port there. */
MW_FN uint32_t sim_target_port(const struct sim *s, mw_core v)
{
    return sim_port(s, v, sim_target(s, v),
                    s->send == 0
                        ? s->core[v].channel
                        : s->sent[(size_t)v * s->send + s->buffer[v].head].channel);
}

/* That message. */
MW_FN const struct mw_parcel *sim_target_parcel(const struct sim *s, mw_core v)
{
    return s->send == 0 ? &s->core[v].parcel
                        : &s->sent[(size_t)v * s->send + s->buffer[v].head].parcel;
}

/* When the message after the one of `due` is due; `next` records behind the source's next. */
MW_FN uint64_t sim_due_after(const struct sim *s, mw_core v, struct mw_clock *clock,
                             uint64_t due, uint64_t next)
{
    const struct mw_sim_traffic_source *t = &s->traffic->source[v];
    if (s->traffic->record != NULL)
        return next < t->n_records
                   ? s->traffic->record[t->record + next].cycle << SIM_PACE_BITS
                   : due;
    return clock != NULL ? mw_clock_next(clock, due) : due + s->core[v].interval;
}

/* The first cycle in which a message that is due then can start. */
MW_FN uint64_t sim_cycle_of(uint64_t due)
{
    return (due + (1 << SIM_PACE_BITS) - 1) >> SIM_PACE_BITS;
}

MW_END_DECLS
#endif
