/* model.c -- see model.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model/model.h"

#include <math.h>

/* ---- the constants ---------------------------------------------------------------------- */

#define ROW(name, value, unit, status, source) {#name, value, unit, status, source},
static const struct mw_model_constant rows[] = {MW_MODEL_CONSTANTS(ROW)};
#undef ROW

#define FIELD(name, value, unit, status, source) .name = value,
const struct mw_model_constants mw_model_constants_fixed = {MW_MODEL_CONSTANTS(FIELD)};
#undef FIELD

const char *const mw_status_names[MW_N_STATUSES] = {"published", "measured", "fitted",
                                                    "recalled",  "assumed",  "modelled"};
const char *const mw_variant_names[MW_N_VARIANTS] = {"direct-mpe", "direct-cpe",
                                                     "relay-mpe", "relay-cpe"};
const char *const mw_crash_names[] = {"runs", "local store full", "connections full"};

const struct mw_model_constant *mw_model_constant_rows(size_t *n)
{
    *n = sizeof rows / sizeof *rows;
    return rows;
}

/* ---- a node ----------------------------------------------------------------------------- */

double mw_model_dma(const struct mw_model_constants *c, double cpes, double chunk)
{
    const double latency = c->dma_lat_cycles / c->clock_hz;
    const double controller = c->dma_req_cycles / c->clock_hz;
    const double asked = cpes * c->dma_outstanding * chunk / latency;
    return fmin(c->dma_bw, fmin(asked, chunk / controller));
}

double mw_model_dma_sync(const struct mw_model_constants *c, double chunk)
{
    const double bytes = 2 * c->cpes * chunk; /* a get and a put by each core */
    return bytes / (c->sync_round_s + bytes / c->sync_bw);
}

double mw_model_crossover(const struct mw_model_constants *c)
{
    return c->mem_lat_cycles / c->clock_hz / (1 / c->mpe_bw - 1 / c->dma_bw);
}

double mw_model_notify(const struct mw_model_constants *c, double slow)
{
    return (slow * c->mem_lat_cycles + 2 * c->register_cycles) / c->clock_hz;
}

double mw_model_destinations(const struct mw_model_constants *c, double slots,
                             double reserve)
{
    return floor((c->store_bytes - reserve) * c->consumers /
                 (slots * c->dma_batch_bytes));
}

double mw_model_connection_room(const struct mw_model_constants *c)
{
    return (c->node_bytes - c->cross_bytes) / c->mpes;
}

double mw_model_connections_most(const struct mw_model_constants *c)
{
    return floor(mw_model_connection_room(c) / c->connection_bytes);
}

/* ---- the network ------------------------------------------------------------------------ */

struct mw_model_shape mw_model_shape_of(const struct mw_model_constants *c, double nodes)
{
    const double width = fmin(nodes, c->supernode);
    return (struct mw_model_shape){nodes, ceil(nodes / width), width};
}

double mw_model_peers(const struct mw_model_shape *s, bool relay)
{
    return relay ? s->n_groups + s->width - 1 : s->nodes - 1;
}

/* What reaches a node of its card's rate: the share that the paper's test reached of the
 * rate between super nodes. */
static double card_rate(const struct mw_model_constants *c)
{
    return c->net_bw * c->oversubscribed;
}

double mw_model_exchange(const struct mw_model_constants *c,
                         const struct mw_model_shape *s, bool relay, double bytes)
{
    const double away = 1 - 1 / s->nodes, outside = 1 - 1 / s->n_groups;
    const double through_card = relay ? outside + (1 - 1 / s->width) : away;
    return fmax(bytes * outside / c->net_bw, bytes * through_card / card_rate(c));
}

double mw_model_gather(const struct mw_model_constants *c, const struct mw_model_shape *s,
                       double bytes)
{
    const double outside = s->nodes - s->width, all = s->nodes - 1;
    const double steps = bytes > 0 ? all * c->gather_step_s : 0;
    return steps + fmax(bytes * outside / c->net_bw, bytes * all / card_rate(c));
}

/* ---- variants --------------------------------------------------------------------------- */

enum mw_model_crash mw_model_crashes(const struct mw_model_constants *c,
                                     enum mw_variant v, double nodes)
{
    const struct mw_model_shape s = mw_model_shape_of(c, nodes);
    const bool relay = mw_variant_relays(v);
    const double buckets = relay ? fmax(s.n_groups, s.width) : nodes;
    if (mw_variant_clusters(v) &&
        buckets > mw_model_destinations(c, c->slots_c, c->reserve_c))
        return MW_STORE_FULL;
    if (mw_model_peers(&s, relay) > mw_model_connections_most(c))
        return MW_CONNECTIONS_FULL;
    return MW_RUNS;
}
