/* model_constants.h -- every constant of the machine on paper, in one table.
 *
 * The table was fixed before anything was compared with the paper (mpe_record_cycles and
 * gather_step_s came later, as 0, and changed nothing), and no constant was chosen
 * for what it does to a comparison; only reading c of the local store is one that makes the
 * published crash possible, and its claim is called calibration. `meshway model --constants` prints these rows, and the
 * model computes with a structure that is made from the same rows, so what is printed is
 * what is used. A constant that was solved from a published figure is called fitted; what it
 * then reproduces is calibration and no evidence.
 *
 *      published   stated by Lin et al. 2017, also what they measured
 *      fitted      solved from a published curve, not measured
 *      recalled    from literature that is not at hand, or another code's files
 *      assumed     our reading where the paper says nothing
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_CONSTANTS_H
#define MW_MODEL_CONSTANTS_H

#include "base/base.h"

MW_BEGIN_DECLS

enum mw_status_of_number {
    MW_PUBLISHED,
    MW_MEASURED,
    MW_FITTED,
    MW_RECALLED,
    MW_ASSUMED,
    MW_MODELLED,
    MW_N_STATUSES
};

/* clang-format off */
/* X(name, value, unit, status, source) */
#define MW_MODEL_CONSTANTS(X)                                                                  \
    X(clock_hz,        1.45e9,    "Hz",     MW_PUBLISHED, "table 1; MPE and CPE")              \
    X(mpes,            4,         "1/node", MW_PUBLISHED, "table 1")                           \
    X(cpes,            64,        "1/MPE",  MW_PUBLISHED, "table 1")                           \
    X(store_bytes,     65536,     "B/CPE",  MW_PUBLISHED, "table 1: the scratch-pad")          \
    X(node_bytes,      34359738368.0, "B",  MW_PUBLISHED, "table 1: 4 x 8 GB, read as GiB")    \
    X(cross_bytes,     29360128000.0, "B",  MW_RECALLED,                                       \
      "28,000 MiB of shared memory in a public job script; not this paper's")                  \
    X(dma_bw,          28.9e9,    "B/s",    MW_PUBLISHED, "section 3.2, Fig. 3: one cluster")  \
    X(mpe_bw,          9.4e9,     "B/s",    MW_PUBLISHED, "section 3.2: one MPE, 256 B")       \
    X(dma_lat_cycles,  411,       "cycles", MW_FITTED,                                         \
      "16 CPEs x 256 B x 2 saturate dma_bw (Fig. 5)")                                          \
    X(dma_outstanding, 2,         "1/CPE",  MW_ASSUMED,   "goes with dma_lat_cycles")          \
    X(dma_req_cycles,  13,        "cycles", MW_FITTED,                                         \
      "controller time of a request: knee at 256 B (Fig. 3)")                                  \
    X(sync_round_s,    4.33e-6,   "s",      MW_FITTED,                                         \
      "blocking, misaligned copy: public TaihuLight data from 1 KB up")                        \
    X(sync_bw,         20.97e9,   "B/s",    MW_FITTED,    "the same data")                     \
    X(mpe_record_cycles, 0,       "cycles", MW_ASSUMED,                                        \
      "an MPE's work at a record beyond its bytes; came later, with --node emulated")          \
    X(mem_lat_cycles,  100,       "cycles", MW_PUBLISHED, "section 3.1: about one hundred")    \
    X(register_cycles, 11,        "cycles", MW_RECALLED,  "one register message, 10 to 11")    \
    X(interrupt_s,     10e-6,     "s",      MW_PUBLISHED, "section 3.1")                       \
    X(shuffle_bw,      10e9,      "B/s",    MW_PUBLISHED, "section 4.3: payload of a cluster") \
    X(small_bytes,     1024,      "B",      MW_PUBLISHED, "section 5: below it the MPE works") \
    X(dma_batch_bytes, 256,       "B",      MW_PUBLISHED, "section 4.3")                       \
    X(consumers,       16,        "1/MPE",  MW_PUBLISHED, "section 4.3")                       \
    X(slots_a,         4,         "1/dest", MW_ASSUMED,   "reading a of 1024 destinations")    \
    X(reserve_a,       0,         "B/CPE",  MW_ASSUMED,   "reading a: nothing else in store")  \
    X(slots_b,         2,         "1/dest", MW_ASSUMED,   "reading b: double buffers")         \
    X(reserve_b,       32768,     "B/CPE",  MW_ASSUMED,   "reading b")                         \
    X(slots_c,         4,         "1/dest", MW_ASSUMED,   "reading c: below 1024, as Fig. 11") \
    X(reserve_c,       8192,      "B/CPE",  MW_ASSUMED,   "reading c")                         \
    X(mpe_workers,     2,         "1/node", MW_ASSUMED,                                        \
      "MPEs that run modules: M0 sends and M1 receives, the paper names no more")              \
    X(connection_bytes, 1e5,      "B",      MW_PUBLISHED, "section 3.3: MPI, per connection")  \
    X(machine_nodes,   40960,     "nodes",  MW_PUBLISHED, "section 1")                         \
    X(supernode,       256,       "nodes",  MW_PUBLISHED, "section 3.3: full bandwidth inside")\
    X(oversubscribed,  4,         "1",      MW_PUBLISHED, "section 1: upper level 1:4")        \
    X(nic_bw,          7.0e9,     "B/s",    MW_PUBLISHED, "FDR 56 Gb/s, one direction")        \
    X(net_bw,          1.2e9,     "B/s",    MW_PUBLISHED,                                      \
      "section 4.4: a node's effective rate between super nodes")                              \
    X(net_lat_s,       1e-6,      "s",      MW_RECALLED,                                       \
      "a message, and what it costs the MPE that sends it")                                    \
    X(net_lat_low_s,   0.5e-6,    "s",      MW_ASSUMED,   "lower end of the band")             \
    X(net_lat_high_s,  5e-6,      "s",      MW_ASSUMED,   "upper end of the band")             \
    X(gather_step_s,   0,         "s",      MW_ASSUMED,                                         \
      "a step of a gather, of P - 1 in a ring; came later: E7 says what it would change")      \
    X(mpi_batch_bytes, 65536,     "B",      MW_ASSUMED,   "a full message; ours")              \
    X(record_bytes,    8,         "B",      MW_ASSUMED,   "a record on the wire; ours")        \
    X(column_bytes,    8,         "B",      MW_ASSUMED,   "a neighbour in a row: 2^40 names")  \
    X(hubs_top_down,   4096,      "1/node", MW_PUBLISHED, "section 5")                         \
    X(hubs_bottom_up,  16384,     "1/node", MW_PUBLISHED, "section 5")                         \
    X(edgefactor,      16,        "1",      MW_PUBLISHED, "section 6")                         \
    X(fig11_vertices,  16777216,  "1/node", MW_PUBLISHED, "Fig. 11: 16 million, read as 2^24") \
    X(scaling_nodes,   40768,     "nodes",  MW_PUBLISHED, "section 6.2")
/* clang-format on */

#define MW_MODEL_FIELD(name, value, unit, status, source) double name;
struct mw_model_constants {
    MW_MODEL_CONSTANTS(MW_MODEL_FIELD)
};
#undef MW_MODEL_FIELD

struct mw_model_constant {
    const char *name;
    double value;
    const char *unit;
    enum mw_status_of_number status;
    const char *source;
};

/* The rows of the table; *n of them. */
const struct mw_model_constant *mw_model_constant_rows(size_t *n);
extern const struct mw_model_constants mw_model_constants_fixed;

extern const char *const mw_status_names[MW_N_STATUSES];

MW_END_DECLS
#endif
