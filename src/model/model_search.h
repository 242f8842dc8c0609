/* model_search.h -- what one search costs on so many nodes: a profile's shares, scaled to the
 * size, through the node and the network of model.h.
 *
 *      time of a level =   max(modules, network)        the work, asynchronous within a level
 *                        + messages * latency           one MPE sends, one receives
 *                        + hubs, gathered from all nodes
 *                        + the sum that ends the level
 *
 * What is scaled: vertices (nodes x vertices of a node), entries and edges in proportion to
 * them, each level's shares as measured, the share of hubs by interpolation. What is not: the
 * number of levels, the shares themselves, the balance between nodes (taken as perfect).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_SEARCH_H
#define MW_MODEL_SEARCH_H

#include "model/model.h"
#include "model/model_profile.h"

MW_BEGIN_DECLS

/* Which messages a level has. */
enum mw_traffic_kind {
    MW_TRAFFIC_HUBS, /* as counted with the paper's hubs; needs profile.counted */
    MW_TRAFFIC_RUN,  /* as the run sent them; a level without records spreads a bitmap */
    MW_TRAFFIC_ALL,  /* Algorithm 2 as printed: every entry is a record, no hubs */
    MW_N_TRAFFICS
};
extern const char *const mw_traffic_names[MW_N_TRAFFICS];

struct mw_model {
    struct mw_model_constants c;
    const struct mw_profile *profile; /* borrowed */
    enum mw_traffic_kind traffic;
};

/* Borrows the profile; hubs where they were counted, else as the run sent. */
void mw_model_init(struct mw_model *m, const struct mw_profile *profile);
/* A node whose clusters shuffle as the emulated ones did, and whose MPE works as long at a record
 * as the emulated one (a guess), instead of the published rates. */
void mw_model_use_emulation(struct mw_model *m);

/* Seconds, of a level or summed over a search. */
struct mw_model_time {
    double modules, network, work; /* work: of each level the larger of the two */
    double messages, hubs, ending;
    double total;
    double n_streams;         /* levels, counted once per direction that records travel */
    double n_messages, bytes; /* of a node */
};

void mw_model_search_time(const struct mw_model *m, enum mw_variant v, double nodes,
                          double vertices, const struct mw_profile_search *s,
                          struct mw_model_time *out);

/* Means over the profile's searches; *teps is the harmonic mean of the searches' rates. */
void mw_model_time_of(const struct mw_model *m, enum mw_variant v, double nodes,
                      double vertices, struct mw_model_time *out, double *teps);

/* Nodes at which the messages of a direct variant, one to each other node and stream, cost as
 * much as its work does on `nodes` of them. */
double mw_model_knee(const struct mw_model *m, enum mw_variant v, double nodes,
                     double vertices);

MW_END_DECLS
#endif
