/* emul_params.h -- the emulated machine's numbers, in one table.
 *
 * Each row is a name, the value for SW26010 and where that value comes from:
 *
 *   published   stated by the paper or the vendor       fitted    solved from a published
 *   measured    by a public micro-benchmark, there                curve: calibration
 *   recalled    from the literature, unverified         guess     nothing better: sweep it
 *   design      ours, about the emulation itself
 *
 * Nothing of this was measured on a Sunway machine by this project.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EMUL_PARAMS_H
#define MW_EMUL_PARAMS_H

#include "base/status.h"

MW_BEGIN_DECLS

/* X(name, value, origin, what it is) */
/* clang-format off */
#define MW_EMUL_PARAMS(X)                                                                        \
    X(clock_hz, 1450000000, "published", "of MPE and CPE")                                       \
    X(ldm_bytes, 65536, "published", "a core's local store; 262144 on the Pro")                  \
    X(stack_bytes, 4096, "design", "of it that the heap may never take")                         \
    X(recv_depth, 4, "recalled", "messages in each of a core's two receive FIFOs; 0: rendezvous")\
    X(send_depth, 6, "recalled", "messages in a core's send buffer; 0: none")                    \
    X(rlc_near_cycles, 10, "recalled", "until a message can be got, to targets 0..3")            \
    X(rlc_far_cycles, 11, "recalled", "the same to targets 4..7")                                \
    X(rlc_issue_cycles, 1, "measured", "a put that does not wait")                               \
    X(rlc_get_cycles, 1, "published", "a get that does not wait")                                \
    X(probe_cycles, 2, "guess", "reading a FIFO's state")                                        \
    X(spin_cycles, 10, "guess", "one turn of a waiting loop")                                    \
    X(dma_bytes_s, 28900000000, "published", "a cluster's bandwidth, aligned")                   \
    X(dma_misaligned_bytes_s, 20970000000, "fitted", "the same from addresses off 128 B")        \
    X(dma_lat_cycles, 411, "fitted", "of a request alone, to the 16-core knee")                  \
    X(dma_outstanding, 2, "guess", "requests of a core under way; more are queued")              \
    X(dma_req_cycles, 13, "fitted", "controller per request, to the 256 B knee")                 \
    X(dma_misaligned_req_cycles, 49, "fitted", "the same off 128 B, synchronous copies")         \
    X(dma_put_misaligned_factor, 4, "measured", "x dma_req_cycles for puts; 11.8 on a later chip")\
    X(dma_line_bytes, 128, "published", "requests are split here")                               \
    X(dma_issue_cycles, 4, "guess", "of the core, per request")                                  \
    X(mem_lat_cycles, 100, "published", "plain loads, stores and the atomic in main memory")     \
    X(mpe_bytes_s, 9400000000, "published", "the management core's bandwidth, 256 B at a time")  \
    X(mpe_record_cycles, 90, "guess", "its work at a record: as much as a layout's 60 + 30 cycles of a core")\
    X(mpe_message_cycles, 1450, "recalled", "its time for a message sent or received: 1 us")     \
    X(net_lat_cycles, 1450, "recalled", "of a message on the wire: 1 us")                        \
    X(net_bytes_s, 4800000000, "guess", "of a node, each way, within a super node")              \
    X(net_over, 4, "published", "x fewer beyond it: 1.2 GB/s a node were measured")              \
    X(net_super_node, 256, "published", "nodes of a super node; 0: all are in one")              \
    X(sync_cycles, 30, "guess", "after the last core has come")                                  \
    X(launch_cycles, 100, "published", "flag in memory seen by the cores: a lower bound")        \
    X(reply_at_least, 0, "published", "1: a wait ends at >= n (Pro)")                            \
    X(arbitration, 0, "guess", "who goes first at equal times: 0 the lowest core, 1 the highest, else shuffled")\
    X(single_writer, 1, "design", "1: two cores that put to one word in a launch are a mistake")  \
    X(atomics, 1, "design", "0: a use of the atomic is a mistake")                               \
    X(stale_reads, 0, "design", "1: single words are seen by others after fences of both sides") \
    X(poll_cycles, 2000, "design", "virtual time a poll may use")                                \
    X(spin_limit_cycles, 10000000, "design", "spinning without any progress is an error; 0: never")
/* clang-format on */

struct mw_emul_params {
#define MW_EMUL_FIELD(name, value, origin, what) uint64_t name;
    MW_EMUL_PARAMS(MW_EMUL_FIELD)
};

struct mw_emul_param { /* one row, for listings */
    const char *name;
    uint64_t value;
    const char *origin, *what;
    size_t offset; /* in struct mw_emul_params */
};
extern const struct mw_emul_param mw_emul_param_table[]; /* ended by a NULL name */

void mw_emul_params_sw26010(struct mw_emul_params *p);

/* Local stores, clock, bandwidth and waits of SW26010-Pro; the mesh stays as it is, though
 * that machine has RMA instead. */
void mw_emul_params_pro(struct mw_emul_params *p);

/* "recv_depth=1,send_depth=0". MW_ERR_USAGE names what is wrong; then *p is unchanged. */
int mw_emul_params_read(const char *text, struct mw_emul_params *p) MW_NODISCARD;
int mw_emul_params_check(const struct mw_emul_params *p) MW_NODISCARD;

MW_END_DECLS
#endif
