/* forecast_state.h -- a search that is forecast, between its files:
 *
 *      forecast.c          which levels, in which form
 *      forecast_reach.c    what a level reaches
 *      forecast_traffic.c  messages, and sets between hosts
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FORECAST_STATE_H
#define MW_FORECAST_STATE_H

#include "graph500/forecast.h"

MW_BEGIN_DECLS

/* Of a class: vertices not reached, those of the frontier, the share of its vertices that
 * are reached and were in a frontier before this one's, and of its columns how many a
 * lane has met. */
struct mw_forecast_state {
    const struct mw_forecast_conf *conf;
    const struct mw_classes *c;
    struct mw_forecast_shape shape;
    double hub[2][MW_CLASSES_MAX];    /* share of a class that are hubs, by direction */
    double delegated[MW_CLASSES_MAX]; /* share that is delegated */
    double left[MW_CLASSES_MAX], now[MW_CLASSES_MAX];
    double gone[MW_CLASSES_MAX], met[MW_CLASSES_MAX];
    double n_labels; /* of a rank */
    double n_visited;
    double told_hubs[2][MW_CLASSES_MAX],
        told[MW_CLASSES_MAX]; /* visited, when they were */
    double n_followers
        [MW_CLASSES_MAX]; /* rows that follow a vertex of a class (bfs_follow.h) */
    double n_all_followers, n_follow_words, n_told_followers;
    double unnamed; /* reached bottom-up, without a name */
    double n_drawn; /* edges of the frontier that may lead on, where they were drawn; < 0:
                     * they are expected */
    uint64_t random;
};

/* ---- forecast_reach.c: all local, as the others ---- */

/* Draws the root of search number `index`. */
void mw_forecast_start(struct mw_forecast_state *s, uint32_t index);
/* Goes on to what this level has reached; *edges are those out of it. */
double mw_forecast_advance(struct mw_forecast_state *s, double *edges);
/* Of what no frontier has reached: vertices with an edge, and entries of rows. */
double mw_forecast_connected_left(const struct mw_forecast_state *s);
double mw_forecast_entries_left(const struct mw_forecast_state *s);
/* n[k]: those of class k that are reached. */
void mw_forecast_visited(const struct mw_forecast_state *s, double *n);

/* ---- forecast_traffic.c ---- */

/* Bytes of a rank's first `n_bits` labels. */
double mw_forecast_graded_bytes(const struct mw_forecast_state *s, double n_bits,
                                const double *told);
/* What a rank's portion holds goes to every other host once. */
void mw_forecast_tell_hosts(const struct mw_forecast_state *s,
                            struct mw_forecast_level *l, double n_bits, double bytes);
void mw_forecast_tell_hubs(struct mw_forecast_state *s, struct mw_forecast_level *l,
                           enum mw_direction d);
/* `n` records to owners anywhere, in one stream. */
void mw_forecast_send(const struct mw_forecast_state *s, struct mw_forecast_level *l,
                      double n);

MW_END_DECLS
#endif
