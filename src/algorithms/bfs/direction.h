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
 * everybody's bitmap; or only hubs are looked up, whose bits stand everywhere, and the
 * others go top-down. See form.h. */
enum mw_level_form {
    MW_FORM_AUTO,
    MW_FORM_MESSAGES,
    MW_FORM_BITMAP,
    MW_FORM_MIXED,
    MW_FORMS
};

enum {
    MW_HUBS_OFF = -1,
    MW_FEW_NONE = -1,
    MW_HUBS_TOP_DOWN = 12, /* the paper's, per rank: 2^12 and 2^14 */
    MW_HUBS_BOTTOM_UP = 14,
    MW_HUBS_MOST = 16, /* labels of hubs travel in 16 bits */
    /* By classes, what a host's table of the hubs of all ranks may take: a bit and a
     * place of each. With 256 MiB the model has 2.2 times the questions at 40,768 ranks
     * that the paper's hubs leave. */
    MW_HUBS_BYTES = 1 << 30,
    /* A level of so few edges is told (bfs_few.h). Whoever hears looks at all of them, in
     * a nanosecond or two each; closing a port takes about a microsecond for each peer: a
     * guess. */
    MW_FEW = 1024,
    /* Between hosts a bitmap of all vertices is left out where a host's would be larger: it
     * grows with the machine, and every core has another. */
    MW_BITMAP_BYTES = 1 << 30
};

/* Who has a row. By degree classes (1.5D; Cao et al. 2022): those of class E are dealt
 * out to all ranks (graph/delegates.h), the others are their owner's; hubs whose bits
 * stand everywhere are as many as a stated memory holds; and a level of few other edges
 * is told to all ranks at once (bfs_few.h). By owner (1D): all rows are, and hubs are the
 * paper's fixed ones. */
enum mw_partition_by { MW_BY_CLASSES, MW_BY_OWNER };

/* What the cores of a rank are given at once: the whole search, where bfs_whole.h can; or
 * a level. */
enum mw_span { MW_SPAN_WHOLE, MW_SPAN_LEVEL };

struct mw_direction_rule {
    enum mw_direction_policy policy;
    double alpha, beta; /* 0: MW_ALPHA, MW_BETA */
    enum mw_level_form form;
    enum mw_span span;
    int hubs[2]; /* exponents by direction; 0: the partition's; MW_HUBS_OFF: none */
    enum mw_partition_by partition;
    uint64_t
        heavy;     /* rows of so many entries are of class E; 0: graph/delegates.h says */
    bool asks_all; /* nobody follows (bfs_follow.h) */
    uint64_t
        rounds; /* levels that the cores of one rank make between two meetings, at most; 0: auto (bfs_crew.h) */
    int few;    /* edges of a level that is told; 0: bfs_few.h says; MW_FEW_NONE */
};

enum {
    /* Refreshing `seen` costs each lane a walk over its words, and spares it one look for each
     * vertex that was visited since: it pays if a level has this many edges per word, and so many
     * vertices are visited. The first large level of a Kronecker graph comes after some hundred. */
    MW_REFRESH_EDGES = 8,
    MW_REFRESH_WORDS = 4,
    /* Questions per peer that a round of first ones spares: less is not worth closing the ports
     * again; a guess. */
    MW_SPARED_QUESTIONS = 256
};

/* Beamer's 14 and 24, about; on 32 cores 10 to 30 make no difference
 * (docs/lab/performance-history.md). */
#define MW_ALPHA 15.0
#define MW_BETA  24.0
/* Of a whole search, which hardly ever turns back: 15 to 20 are alike on an H200 (measured). */
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

/* Hubs of each rank in levels of this direction, before what a search needs limits them. */
uint32_t mw_direction_hubs(const struct mw_direction_rule *rule, enum mw_direction d,
                           uint32_t n_ranks);

/* What a search needs for its rule: for those who allocate, and for plan.
 *
 * On one host the bitmap is shared memory and nothing is sent for it, so "auto" is settled
 * there: by bitmap; and between hosts by messages, where the bitmap is too large. Hubs are exchanged where they can be news: by messages, and by bitmap
 * between hosts, whose copies are old in a top-down level. */
struct mw_means {
    enum mw_level_form form;     /* AUTO: each level chooses */
    bool by_bitmap, by_messages; /* bottom-up levels may be */
    uint32_t hubs[2];            /* per rank, by direction */
    bool classes; /* rows of class E are dealt out, where the graph has any */
    bool
        follows; /* bits of those that rows ask for first are told (bfs_follow.h), where cores can */
    uint32_t n_few; /* things that all ranks hear in a level, at most; 0: none */
};
/* Local: what the rule says of the graph's long rows, graph/delegates.h; MW_DELEGATE_OFF:
 * nothing. */
int64_t mw_direction_delegate(const struct mw_direction_rule *rule);

struct mw_means mw_direction_means(const struct mw_direction_rule *rule, uint32_t n_ranks,
                                   uint32_t n_hosts, uint64_t most_labels);

MW_END_DECLS
#endif
