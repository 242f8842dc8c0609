/* latency.h -- how long messages take: counted one by one, told as mean and quantiles.
 *
 * A message is *created* when its source has it to send, which may be long before the source
 * comes to it; it is *injected* when it leaves the source's hand; it *arrives* when its sink has
 * done with it. Both latencies end there. Measured are the messages created in a window of the
 * run, all of them: the run goes on until the last one has arrived (sim.h, `drain`).
 *
 * A histogram holds latencies below 1,024 cycles exactly, and above them 512 steps in each
 * doubling. So a quantile is exact there, and elsewhere too small by less than one part in 512.
 * Means, the least and the most are exact.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_LATENCY_H
#define MW_LAYOUT_LATENCY_H

#include "mesh/lang/layout.h"

MW_BEGIN_DECLS

enum {
    MW_LATENCY_EXACT_BITS = 10, /* below 2^10 each value has a step of its own */
    MW_LATENCY_STEPS = 1 << MW_LATENCY_EXACT_BITS >> 1, /* in a doubling above */
    MW_LATENCY_BINS = MW_LATENCY_STEPS * (64 - MW_LATENCY_EXACT_BITS + 2)
};

/* Cycles. Quantile q is the least value that at least a share q does not exceed; zeros of none. */
struct mw_delay {
    double mean;
    uint64_t p50, p95, p99, least, most;
};

/* Messages from cores of one role to cores of one role. */
struct mw_latency_class {
    char source, sink;                 /* role letters */
    uint64_t n;                        /* measured messages that arrived */
    struct mw_delay created, injected; /* until they arrived, from there on */
};

/* NONE: nothing was measured. OPEN: nobody asked to wait for the last (drain 0), and some are
 * still on their way. UNSTABLE: nor did they come within the bound. STUCK: a deadlock stands. */
enum mw_latency_end {
    MW_LATENCY_NONE,
    MW_LATENCY_DRAINED,
    MW_LATENCY_OPEN,
    MW_LATENCY_UNSTABLE,
    MW_LATENCY_STUCK,
    MW_N_LATENCY_ENDS
};
extern const char *const mw_latency_end_names[MW_N_LATENCY_ENDS];

struct mw_latency {
    enum mw_latency_end end;
    uint64_t created;        /* messages in the window */
    uint64_t arrived;        /* of them */
    uint64_t drained;        /* cycles that the run went on behind the window */
    uint64_t deadlock_cycle; /* seen while it did; 0: none */
    struct mw_latency_class all;
    uint32_t n_classes;
    struct mw_latency_class *class; /* owned; by role letters, '.' first; n > 0 each */
};

/* ---- the meter: counts while a simulation runs --------------------------------------------- */

struct mw_latency_meter; /* opaque */
int mw_latency_meter_new(const struct mw_layout *l, struct mw_latency_meter **out)
    MW_NODISCARD;
void mw_latency_meter_free(struct mw_latency_meter *m); /* NULL is legal */
void mw_latency_meter_add(struct mw_latency_meter *m, mw_core source, mw_core sink,
                          uint64_t created, uint64_t injected);
/* Fills all, n_classes and class. MW_ERR_NOMEM. */
int mw_latency_meter_read(const struct mw_latency_meter *m, struct mw_latency *out)
    MW_NODISCARD;
void mw_latency_fini(struct mw_latency *l);

/* The step of a latency, and the least latency of a step. */
uint32_t mw_latency_bin(uint64_t cycles);
uint64_t mw_latency_bin_low(uint32_t bin);

MW_END_DECLS
#endif
