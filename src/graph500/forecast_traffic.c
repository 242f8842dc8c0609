/* forecast_traffic.c -- messages, and sets between hosts. See forecast_state.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph500/forecast_state.h"

#include "mpe/set.h"

#include <math.h>

/* ---- sets between hosts ------------------------------------------------------------------------ */

enum { BLOCK_BITS = 64 * MW_SET_BLOCK };

/* Bits, of which some are told; 16 bits for the first and last of each run, or for what
 * is missing. */
struct block {
    double bits, news, runs, missing;
};

static void block_add(struct block *b, double bits, double news, double density)
{
    b->bits += bits;
    b->news += bits * news;
    b->runs += 4 * bits * density * (1 - density);
    b->missing += 2 * bits * (1 - density);
}

/* A head of 12 bytes; words, or 16 bits for each bit that is new, or as above. */
static double block_bytes(const struct block *b)
{
    enum { HEAD = 12 };
    if (b->news <= 0)
        return 0;
    return -expm1(-b->news) * HEAD +
           fmin(fmin(8 * ceil(b->bits / 64), 2 * b->news), fmin(b->runs, b->missing));
}

double mw_forecast_set_bytes(double n_portions, double n_bits, double news, double known)
{
    const double n_blocks = n_portions * fmax(1, ceil(n_bits / BLOCK_BITS));
    const double all = n_portions * n_bits;
    struct block b = {0};
    if (news <= 0 || all <= 0)
        return 0;
    block_add(&b, all / n_blocks, news / all, fmin(1, known / all));
    return n_blocks * block_bytes(&b);
}

/* Bytes of a rank's first `n_bits` labels. They stand by falling degree, so classes lie
 * one after the other, and the first blocks are full while the last are empty. */
double mw_forecast_graded_bytes(const struct mw_forecast_state *s, double n_bits,
                                const double *told)
{
    const double n_ranks = s->conf->groups.n_ranks;
    struct block b = {0};
    double sum = 0;
    for (uint32_t k = 0; k < s->c->n && n_bits > 0; k++) {
        const double connected = s->c->n_vertices[k] * -expm1(-s->c->degree[k]);
        const double known = s->c->n_vertices[k] - s->left[k];
        double bits = fmin(n_bits, connected / n_ranks);
        n_bits -= bits;
        while (bits > 1e-6) {
            const double n = b.bits > 0 ? 1 : fmax(1, floor(bits / BLOCK_BITS));
            const double part = fmin(bits, BLOCK_BITS - b.bits);
            block_add(&b, part, fmax(0, known - told[k]) / connected,
                      fmin(1, known / connected));
            bits -= n * part;
            if (b.bits > BLOCK_BITS - 1e-6) {
                sum += n * block_bytes(&b);
                b = (struct block){0};
            }
        }
    }
    return sum + block_bytes(&b);
}

/* What a rank's portion holds goes to every other host once, whatever the order of the steps. */
void mw_forecast_tell_hosts(const struct mw_forecast_state *s,
                            struct mw_forecast_level *l, double n_bits, double bytes)
{
    if (s->conf->n_hosts == 1)
        return;
    l->n_sets++;
    l->scanned_bytes += n_bits / 8;
    l->set_bytes += (s->conf->n_hosts - 1) * bytes;
}

void mw_forecast_tell_hubs(struct mw_forecast_state *s, struct mw_forecast_level *l,
                           enum mw_direction d)
{
    const uint32_t *hubs = s->shape.means.hubs;
    const double bits = fmin(hubs[d], s->n_labels), n_ranks = s->conf->groups.n_ranks;
    mw_forecast_tell_hosts(s, l, n_ranks * bits,
                           n_ranks * mw_forecast_graded_bytes(s, bits, s->told_hubs[d]));
    mw_forecast_visited(s, s->told_hubs[d]);
    if (hubs[!d] <= hubs[d])
        mw_forecast_visited(s, s->told_hubs[!d]);
}

/* ---- messages ------------------------------------------------------------------------------------ */

/* `n` records to owners anywhere, in one stream: on every hop each rank ends its port to
 * each peer. */
void mw_forecast_send(const struct mw_forecast_state *s, struct mw_forecast_level *l,
                      double n)
{
    enum { HEAD = MW_FORECAST_HEAD, SEGMENT = 8 };
    const struct mw_forecast_conf *conf = s->conf;
    const double n_ranks = conf->groups.n_ranks, width = conf->groups.width;
    const double rows = conf->groups.n_groups, here = ceil(n_ranks / conf->n_hosts);
    const double bytes = conf->wide ? 16 : 8;
    /* Peers by hop, and of those how many are on other hosts. */
    const double peers[2] = {rows - 1, width - 1};
    const double far_ranks = width > 1 ? fmax(1, here / width) : here;
    const double far[2] = {rows - fmin(rows, far_ranks), width - fmin(width, here)};
    for (int hop = 0; hop < 2; hop++) {
        if (peers[hop] <= 0)
            continue;
        /* What does not stay is 1 - 1/rows on the first hop, 1 - 1/width on the second. */
        const double records = n * peers[hop] / (peers[hop] + 1);
        const double segments = hop == 0 ? 0 : fmin(records, n_ranks * peers[hop] * rows);
        const double links = n_ranks * peers[hop];
        const double data = records * bytes + segments * SEGMENT;
        const double messages = links * fmax(1, ceil(data / links / conf->batch_bytes));
        l->n_records += records;
        l->n_messages += messages;
        l->message_bytes += data + messages * HEAD;
        l->link_messages += messages * far[hop] / peers[hop];
        l->link_bytes += (data + messages * HEAD) * far[hop] / peers[hop];
    }
}
