/* forecast.h -- what searches will count, level by level, before there is a graph: vertices, edges,
 * records, messages and bytes. Pure arithmetic.
 *
 *      classes.h     how many neighbours a vertex has, and of which class
 *      a search      roots are drawn, and the neighbours of a frontier of few edges; of a larger one
 *                    as many vertices of each class are reached as are expected to be
 *      a level       is top-down or bottom-up by the program's own rule (direction.h), with its means
 *      its traffic   from partition, route, delegated rows, hubs and the form of bottom-up levels
 *
 * What is averaged away: the difference between two vertices of a class, between two ranks (balance is
 * taken as perfect), and small components. Everything is modelled; tests hold it against counts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_FORECAST_H
#define MW_FORECAST_H

#include "algorithms/bfs/direction.h"
#include "graph500/classes.h"
#include "relay/groups.h"
#include "traversal/algorithm.h"

MW_BEGIN_DECLS

enum { MW_FORECAST_LEVELS = 32, MW_FORECAST_SEARCHES = 256 };
enum { MW_FORECAST_HEAD = 16 }; /* bytes of a message beside its records */

struct mw_forecast_level;
struct mw_forecast_conf {
    const struct mw_classes *classes; /* borrowed */
    struct mw_groups groups;
    uint32_t n_hosts, n_lanes; /* lanes: cores of a rank that make records */
    struct mw_direction_rule rule;
    int64_t delegate; /* which rows: graph/delegates.h */
    bool asks_names;  /* parents that bottom-up cannot name are asked for at the end */
    bool wide;        /* records of 16 bytes, not of 8 */
    uint32_t batch_bytes;
    /* Seconds of a level, by which bottom-up levels choose their form as the program does; NULL: by
     * bytes between hosts. */
    double (*seconds)(const void *arg, const struct mw_forecast_level *l);
    const void *arg;
};

/* Local: is there a model of this algorithm? Of searches there is. */
bool mw_forecast_knows(const struct mw_algorithm *a);
/* Local: of a search's options, or of none, as the cores of this backend can follow them. */
struct mw_direction_rule mw_forecast_rule(const void *options,
                                          const struct mw_backend *backend);

/* Of all ranks together. */
struct mw_forecast_level {
    enum mw_direction direction;
    enum mw_level_form form; /* AUTO: top-down */
    bool heads;              /* bottom-up: a walk over all places comes first */
    double n_active, n_active_edges;
    double n_unvisited, n_unvisited_edges; /* with an edge; before the level */
    double n_found;
    double n_delegated_edges; /* part of n_active_edges: no records are made of them */
    double n_told;            /* of which all ranks hear in one list: no records either */
    double n_longest;         /* edges of the longest row that records are made of */
    double n_questions, n_answers;
    double n_follow_words,
        n_follow_looks;   /* records of bits, and what is looked at for them */
    double n_records;     /* sent between ranks, each on each of its hops */
    double n_messages;    /* with records, or to end an exchange */
    double message_bytes; /* of these */
    double link_messages, link_bytes; /* the part of these two between hosts */
    double set_bytes; /* that hosts tell each other of bitmaps, hubs and delegated rows */
    double scanned_bytes; /* of bitmaps that hosts look through for what is new */
    uint32_t n_exchanges; /* streams of messages, each of one hop or two */
    uint32_t n_sets;      /* exchanges of sets between hosts */
    uint32_t n_sums;      /* over all ranks */
};

struct mw_forecast_search {
    uint32_t n_levels;
    struct mw_forecast_level level[MW_FORECAST_LEVELS];
    double n_reached, n_edges_reached; /* entries of what is reached / 2 */
};

/* Fixed by the configuration, for all searches. */
struct mw_forecast_shape {
    struct mw_means means;
    double n_delegated, n_delegated_entries; /* vertices, and entries of their rows */
};

/* Local: search number `index` of a sequence that is the same on all machines; *shape may
 * be NULL. */
void mw_forecast_search(const struct mw_forecast_conf *conf, uint32_t index,
                        struct mw_forecast_search *out, struct mw_forecast_shape *shape);

/* Local: bytes of a set of bits, of which `news` are told, in `n_portions` portions of
 * `n_bits` (mpe/set.h), when `known` of the bits are 1 in the end. */
double mw_forecast_set_bytes(double n_portions, double n_bits, double news, double known);

MW_END_DECLS
#endif
