/* model.h -- one node and one network of the machine on paper, as pure functions.
 *
 * No state and no clock: equal arguments give equal results. The constants come as an
 * argument, so that a sweep is a copy with another value. What each formula leaves out is
 * in docs/model.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_H
#define MW_MODEL_H

#include "model/model_constants.h"

MW_BEGIN_DECLS

/* ---- a node ----------------------------------------------------------------------------- */

/* Bytes per second of `cpes` cores that read aligned pieces of `chunk` bytes and overlap
 * their requests: the least of latency, controller and memory. */
double mw_model_dma(const struct mw_model_constants *c, double cpes, double chunk);

/* The same with one blocking, misaligned request at a time on 64 cores; read + write. */
double mw_model_dma_sync(const struct mw_model_constants *c, double chunk);

/* Bytes of input above which a cluster is quicker than its MPE, notification included. */
double mw_model_crossover(const struct mw_model_constants *c);

/* Seconds until a cluster knows of its work: a flag in memory that one core reads and passes
 * on by a row and a column broadcast. `slow` multiplies the latency of memory. */
double mw_model_notify(const struct mw_model_constants *c, double slow);

/* Destinations that the consumers' stores hold. */
double mw_model_destinations(const struct mw_model_constants *c, double slots,
                             double reserve);

/* Memory that an MPE has for connections, and how many that is. */
double mw_model_connection_room(const struct mw_model_constants *c);
double mw_model_connections_most(const struct mw_model_constants *c);

/* ---- the network ------------------------------------------------------------------------ */

/* Groups are super nodes; up to one of them the shape is 1 x nodes. */
struct mw_model_shape {
    double nodes, n_groups, width;
};
struct mw_model_shape mw_model_shape_of(const struct mw_model_constants *c, double nodes);

/* Distinct peers of a node, as the paper counts them: itself once when relayed. */
double mw_model_peers(const struct mw_model_shape *s, bool relay);

/* Seconds until every node has sent `bytes` to owners drawn at random, bandwidth only. */
double mw_model_exchange(const struct mw_model_constants *c,
                         const struct mw_model_shape *s, bool relay, double bytes);

/* Seconds until every node has `bytes` of each other node. */
double mw_model_gather(const struct mw_model_constants *c, const struct mw_model_shape *s,
                       double bytes);

/* ---- variants --------------------------------------------------------------------------- */

enum mw_variant {
    MW_DIRECT_MPE,
    MW_DIRECT_CPE,
    MW_RELAY_MPE,
    MW_RELAY_CPE,
    MW_N_VARIANTS
};
extern const char *const mw_variant_names[MW_N_VARIANTS];

static inline bool mw_variant_relays(enum mw_variant v)
{
    return v == MW_RELAY_MPE || v == MW_RELAY_CPE;
}

static inline bool mw_variant_clusters(enum mw_variant v)
{
    return v == MW_DIRECT_CPE || v == MW_RELAY_CPE;
}

enum mw_model_crash { MW_RUNS, MW_STORE_FULL, MW_CONNECTIONS_FULL };

/* Whether a variant works on so many nodes. Reading c of the store decides. */
enum mw_model_crash mw_model_crashes(const struct mw_model_constants *c,
                                     enum mw_variant v, double nodes);
extern const char *const mw_crash_names[];

MW_END_DECLS
#endif
