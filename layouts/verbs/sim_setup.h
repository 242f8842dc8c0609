/* sim_setup.h -- the options of every verb that simulates, and what they set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SIM_SETUP_H
#define MW_SIM_SETUP_H

#include "layouts/routes/rma.h"
#include "layouts/sim/sim.h"
#include "layouts/verbs/cmd_layout.h"

MW_BEGIN_DECLS

/* clang-format off */
#define MW_OPTION_CYCLES(help_)                                                          \
    {.name = "cycles", .letter = 'c', .kind = MW_OPT_COUNT, .value = "N",                \
     .fallback = "200000", .min = 1, .max = UINT64_C(1) << 40, .section = "simulation",  \
     .help = help_}
#define MW_OPTION_SEED                                                                   \
    {.name = "seed", .letter = 's', .kind = MW_OPT_COUNT, .value = "N", .fallback = "1", \
     .min = 0, .max = INT64_MAX, .help = "Seed of the traffic"}
#define MW_OPTIONS_SIM                                                                   \
    MW_OPTION_CYCLES("Cycles to run at most"),                                           \
    MW_OPTION_SEED,                                                                      \
    MW_OPTIONS_DEPTH,                                                                    \
    {.name = "latency", .kind = MW_OPT_COUNT, .value = "CYCLES", .fallback = "10",       \
     .min = 0, .max = 1000, .help = "From a put until the message can be got"},          \
    {.name = "load", .kind = MW_OPT_REAL, .value = "SHARE", .fallback = "1", .min = 0,   \
     .max = 1, .help = "Of the rate that the producers could give"},                     \
    {.name = "hotspot", .kind = MW_OPT_REAL, .value = "SHARE", .fallback = "0", .min = 0,\
     .max = 1, .help = "Of the messages that go to one sink"},                           \
    {.name = "hotspot-core", .kind = MW_OPT_TEXT, .value = "R,C",                        \
     .help = "That sink; default: the first"},                                           \
    {.name = "skew", .kind = MW_OPT_REAL, .value = "X", .fallback = "0", .min = 0,       \
     .max = 10, .help = "Zipf exponent of the sinks' popularity"},                       \
    {.name = "pattern", .kind = MW_OPT_WORD, .value = "PATTERN",                         \
     .words = "uniform|transpose|complement|reversal|shuffle|neighbour",                 \
     .fallback = "uniform", .help = "Who sends to whom; but for uniform one sink each"}, \
    {.name = "arrivals", .kind = MW_OPT_WORD, .value = "PROCESS",                        \
     .words = "even|bernoulli|bursty", .fallback = "even",                               \
     .help = "When a source has its next message, at the same mean rate"},               \
    {.name = "burst", .kind = MW_OPT_REAL, .value = "MESSAGES", .fallback = "8",         \
     .min = 1, .max = 1000000, .help = "Mean length of a burst; of bursty arrivals"},    \
    {.name = "supply", .kind = MW_OPT_COUNT, .value = "N", .min = 1, .max = UINT32_MAX,  \
     .help = "Messages per source, then end of stream; default: endless"},               \
    {.name = "no-memory", .kind = MW_OPT_FLAG,                                           \
     .help = "Leave the DMA token bucket out: memory is free"},                          \
    {.name = "detect", .kind = MW_OPT_COUNT, .value = "CYCLES", .fallback = "64",        \
     .min = 1, .max = UINT32_MAX, .help = "Between looks at the wait-for graph"},        \
    {.name = "warmup", .kind = MW_OPT_REAL, .value = "SHARE", .fallback = "0.1",         \
     .min = 0, .max = 1,                                                                 \
     .help = "Of the cycles that is not counted; with a supply, 0 unless given"}
/* clang-format on */

/* Of the verbs that simulate and draw no cycle. */
#define MW_OPTION_MODEL_SIM                                                              \
    MW_OPTION_MODEL_OF("coupled|rma", "coupled",                                         \
                       "The machine: cores with FIFOs, or remote puts of SW26010-Pro, "  \
                       "whose rings --depth sets (4)")

/* Of the verbs that report latencies. */
#define MW_OPTION_DRAIN                                                                  \
    {                                                                                    \
        .name = "drain", .kind = MW_OPT_COUNT, .value = "CYCLES", .min = 0,              \
        .max = UINT64_C(1) << 40,                                                        \
        .help =                                                                          \
            "To follow what was created behind the warm-up until it arrives, at most; "  \
            "default: a tenth of --cycles"                                               \
    }

#define MW_CONFLICTS_SIM                                                                 \
    {                                                                                    \
        "hotspot-core", "!hotspot", "without a share nothing goes there"                 \
    }

/* The layout's depths take those of the options, too. */
int mw_sim_configure(const struct mw_settings *s, struct mw_layout *l,
                     struct mw_sim_conf *out) MW_NODISCARD;
/* With a supply there is no warm-up unless one is given: a short run would be all warm-up. For
 * who changes the supply after mw_sim_configure(). */
void mw_sim_warmup(const struct mw_settings *s, struct mw_sim_conf *conf);

/* --model rma, of the verbs that simulate FIFOs or remote puts. */
bool mw_sim_by_puts(const struct mw_settings *s);
/* Then the puts of l, to run instead of it, whose cores have the same numbers; the caller's, and
 * borrowed by `conf`. rings: what may be outstanding. Else nothing, and the layout is NULL. */
int mw_sim_puts(const struct mw_settings *s, const struct mw_layout *l, uint32_t rings,
                struct mw_sim_conf *conf, struct mw_puts *out) MW_NODISCARD;
/* --depth as a ring's, or the usual depth. */
uint32_t mw_sim_rings(const struct mw_settings *s);
/* "fifo 4/4/0", or "rings of 4 (rma)". */
void mw_sim_print_depths(const struct mw_sim_conf *conf, FILE *out);

/* --drain, for who sets the cycles after mw_sim_configure(). */
void mw_sim_drain(const struct mw_settings *s, struct mw_sim_conf *conf);

MW_END_DECLS
#endif
