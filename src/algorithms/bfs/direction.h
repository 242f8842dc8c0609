/* direction.h -- top-down or bottom-up? (Beamer, Asanovic, Patterson 2012.)
 *
 * Pure arithmetic on numbers that are the same on all ranks, so all decide alike.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DIRECTION_H
#define MW_DIRECTION_H

#include "base/base.h"

MW_BEGIN_DECLS

enum mw_direction { MW_TOP_DOWN, MW_BOTTOM_UP };
enum mw_direction_policy {
    MW_DIRECTION_AUTO,
    MW_DIRECTION_TOP_DOWN,
    MW_DIRECTION_BOTTOM_UP
};

/* How a bottom-up level learns what is visited elsewhere: it asks the owners, or it has
 * everybody's bitmap. See form.h. */
enum mw_level_form { MW_FORM_AUTO, MW_FORM_MESSAGES, MW_FORM_BITMAP };

enum {
    MW_HUBS_OFF = -1,
    MW_HUBS_TOP_DOWN = 12, /* the paper's, per rank: 2^12 and 2^14 */
    MW_HUBS_BOTTOM_UP = 14,
    MW_HUBS_MOST = 16, /* labels of hubs travel in 16 bits */
    /* Between hosts a bitmap of all vertices is left out where a host's would be larger: it
     * grows with the machine, and every core has another. */
    MW_BITMAP_BYTES = 1 << 30
};

/* What the cores of a rank are given at once: the whole search, where bfs_whole.h can; or a level. */
enum mw_span { MW_SPAN_WHOLE, MW_SPAN_LEVEL };

struct mw_direction_rule {
    enum mw_direction_policy policy;
    double alpha, beta; /* 0: the measured defaults below */
    enum mw_level_form form;
    enum mw_span span;
    int hubs[2];       /* exponents by direction; 0: the paper's; MW_HUBS_OFF: none */
    bool no_delegates; /* long rows are left to their owners */
    uint64_t
        delegate_bound; /* rows of so many entries are long; 0: graph/delegates.h says */
};

/* The paper's (14 and 24), about; not swept here yet. */
#define MW_ALPHA 15.0
#define MW_BETA  24.0
/* Of a whole search, which never turns back: 15 to 20 are alike on an H200 (measured). */
#define MW_ALPHA_WHOLE 20.0
/* A frontier with fewer edges than n / this is never worth a walk over bitmaps. */
#define MW_SMALL 256.0

struct mw_direction_input {
    uint64_t n_active;          /* vertices of the frontier */
    uint64_t n_active_edges;    /* edges out of them */
    uint64_t n_unvisited_edges; /* edges out of vertices not reached yet */
    uint64_t n_connected;       /* vertices that have an edge */
};

/* Top-down changes to bottom-up when the frontier's edges exceed the unvisited ones /
 * alpha; bottom-up changes back when they no longer do and the frontier is smaller than
 * n / beta. The second condition alone, as published, would walk the many edges of a last
 * large frontier to find the few vertices that are left. */
enum mw_direction mw_direction_choose(const struct mw_direction_rule *rule,
                                      enum mw_direction now,
                                      const struct mw_direction_input *in);

/* Hubs per rank in levels of this direction, before anything limits them. */
uint32_t mw_direction_hubs(const struct mw_direction_rule *rule, enum mw_direction d);

/* What a search needs for its rule: for those who allocate, and for plan.
 *
 * On one host the bitmap is shared memory and nothing is sent for it, so "auto" is settled
 * there: by bitmap; and between hosts by messages, where the bitmap is too large. Hubs are exchanged where they can be news: by messages, and by bitmap
 * between hosts, whose copies are old in a top-down level. */
struct mw_means {
    enum mw_level_form form;     /* AUTO: each level chooses */
    bool by_bitmap, by_messages; /* bottom-up levels may be */
    uint32_t hubs[2];            /* per rank, by direction */
    bool delegates;              /* where the graph has them */
};
/* Local: what the rule says of the graph's long rows, graph/delegates.h; MW_DELEGATE_OFF: nothing. */
int64_t mw_direction_delegate(const struct mw_direction_rule *rule);

struct mw_means mw_direction_means(const struct mw_direction_rule *rule, uint32_t n_ranks,
                                   uint32_t n_hosts, uint64_t most_labels);

MW_END_DECLS
#endif
