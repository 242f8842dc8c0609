/* sssp_state.h -- what the kernels of one run share.
 *
 * A vertex has one word: the bits of its distance above the number of its parent. Bits of floats that
 * are not negative rise with them, so words are compared as integers. A word is replaced when the
 * distance becomes strictly smaller, by claim or by the one core whose it is, so that distance and parent always belong
 * together.
 *
 * Strictly: edges of weight 0, and weights that a sum absorbs, lead from a distance to the same
 * distance, and two such neighbours could become each other's parents. Of a cycle of parents all
 * distances would be equal, and each vertex would have got its last word from one that had its last
 * word before: there is none. (A team of a device lowers words by the least of two, and has an argument of its own.)
 *
 * A vertex whose word has changed is active: near, if it is below the limit of the bucket, else far.
 * Searches go along the graph's rows, or along pruned ones (sssp_prune.c).
 *
 * An active vertex is relaxed with the word that it has then, so records may come late, twice and in
 * any order.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_STATE_H
#define SSSP_STATE_H

#include "graph/graph.h"
#include "shuffle/job.h"
#include "shuffle/reals.h"

MW_BEGIN_DECLS

#define SSSP_NO_WORD  UINT64_MAX /* its distance is beyond infinity */
#define SSSP_NO_PLACE UINT64_MAX
/* What s->landmark is on a device, of which the host has a copy. */
#define SSSP_LANDMARK_THERE "distances from the landmark, of cores"

/* Of those far, the bits of the least distance. From the landmark: all ones less the most hops, and
 * less the greatest distance's bits. */
enum { SSSP_LEAST_FAR, SSSP_HOPS_LEFT, SSSP_BITS_LEFT, SSSP_LEASTS };

#define SSSP_LONG_ROW 8.0 /* entries, on average: an order by weight pays */
#define SSSP_LIGHT_WEIGHT                                                                \
    0.2F /* of the mean weight: a tenth of the edges, where weights are uniform */

enum { SSSP_SAMPLES = 4096 }; /* of weights, by each rank */

enum { SSSP_ROUNDS_BYTES = 512 };

/* Rows by weight are in order of classes, four an octave below the greatest weight; the first one holds all that is
 * less. Pruned rows are short, and in no such order. */
enum { SSSP_CLASSES = 64, SSSP_CLASS_SHIFT = 21 };

/* Which entries of a row a round takes: of rows by weight the light ones first. */
enum sssp_part { SSSP_WHOLE_ROWS, SSSP_LIGHT, SSSP_HEAVY };

/* The rows that searches go along: the graph's, or pruned ones. A node is a label that has a row. Of pruned
 * rows it is a number of its own, in order of labels, so that who is looked at stands together. A leaf has no
 * row: its only neighbour, which has others, is a peer's, and says its distance in the end. */
struct sssp_rows {
    uint64_t n, n_entries; /* nodes, and entries of all */
    const uint64_t *row;   /* [n + 1] */
    const void *column;    /* [n_entries] owner and node, as the graph's */
    const float *weight;   /* [n_entries] */
};

/* Where a place has its distance from: its own node, or of a leaf the only neighbour's. */
struct sssp_hook {
    uint32_t at;     /* among words of all peers; all ones there: it has none */
    uint32_t parent; /* of a leaf, a vertex; SSSP_NO_LEAF: it is none */
    float weight;    /* of a leaf's edge; else 0 */
};
#define SSSP_NO_LEAF UINT32_MAX

/* What a core leaves where the host looks between sweeps; floats as bits. */
struct sssp_told {
    uint64_t least[SSSP_LEASTS]; /* all ones: there is none */
    uint64_t landmark;           /* its distance from the root */
};

/* What sweeps find. */
struct sssp_counts {
    uint64_t n_listed, n_units;
    uint64_t n_far;
    struct sssp_told told; /* a copy, where the host does not reach it */
    uint64_t n_reached, n_ends;
    /* Pruning: entries that are kept; nodes; entries in their rows, and to other ranks' leaves. */
    uint64_t n_kept, n_nodes, n_inner, n_told;
    uint64_t n_pulled; /* entries that nodes looked at which pulled */
    /* Of a whole search; `is_done` of one that a kernel has left to another is 0. */
    uint64_t n_rounds, n_buckets, n_relaxed, is_done;
};

/* Entries of all rows, if none is left out. */
MW_FN uint64_t sssp_n_of_list(const struct mw_graph *g)
{
    return g->thin ? 2 * g->n_edges : g->n_entries;
}

struct sssp_state {
    const struct mw_graph *g;
    struct sssp_rows rows;
    uint64_t *word;       /* [n, and up to 64 that are nobody's] by node */
    uint64_t *near, *far; /* bitmaps of nodes */
    /* Those of the next rank of this host stand so many words of a bitmap further (mw_near()). */
    uint64_t stride;
    uint32_t host_rank;
    bool has_peers; /* several ranks of this host, which change each other's */
    /* Whose words answers are from: one after the other, this rank among them; often it alone. */
    uint32_t first_peer, n_peers;
    uint32_t *name;         /* [n] the vertex that a node is */
    struct sssp_hook *hook; /* [n_places] */
    uint64_t below,
        limit;          /* bits of distances: the bucket's own are below <= d < limit */
    uint32_t *list;     /* [n_labels] nodes that a round relaxes */
    uint64_t *list_end; /* [n_labels] entries of list[0..i] */
    /* Rows by weight; where they are not, NULL. */
    uint64_t *heavy; /* [n] where a row's entries of light_class and above begin */
    uint64_t *owing; /* bitmap of nodes that were relaxed along light entries alone */
    const uint32_t *names; /* [columns of all ranks] the vertex that a node is */
    uint32_t first_class, light_class;
    enum sssp_part part;
    const uint64_t *begin, *end; /* [n] of a row, where that part of it does */
    float from; /* who pulls: of those to be relaxed nobody is nearer than this; ... */
    uint64_t settled; /* ... bits of a distance: who is no further has what is final */
    void *parent;     /* [n_places], 32 or 64 bits */
    float *distance;  /* [n_places] */
    float delta;      /* width of a bucket */
    bool delta_given;
    bool reaches; /* the host, what cores have */
    double mean;  /* of weights */
    void *rounds; /* [SSSP_ROUNDS_BYTES] of cores: what a whole search counts */
    mw_vid root;
    uint64_t root_place; /* mine, or SSSP_NO_PLACE */
    struct sssp_counts *counts;
    struct sssp_crew *crew; /* of small buckets; NULL: there is none */
    uint64_t *least;        /* [SSSP_LEASTS] where cores change them */
    struct sssp_told *told; /* [1] which one core writes */
    float *sample; /* [SSSP_SAMPLES] weights of entries that are sample_step apart */
    uint64_t n_samples, sample_step;
    /* Pruning. */
    bool counts_hops;   /* a word's number is no parent, but how many edges led here */
    float light;        /* then, edges of this weight or more are left out */
    uint64_t n_hops;    /* the most that any way has */
    float margin;       /* that rounding cannot make up for */
    float greatest;     /* distance from the landmark */
    float to_landmark;  /* from the root */
    uint64_t n_entries; /* of my rows */
    /* [columns of all ranks] bits of the distance from the landmark, of no number: no way; then how many
     * neighbours are left; then nodes; then, where rows are by weight, their names. */
    uint32_t *landmark;
    bool has_ways;      /* to the landmark */
    bool asks_landmark; /* at this rank, while nobody changes its word */
    bool by_weight;     /* rows are, or will be */
    uint64_t *kept;     /* bitmap [n_entries] */
    /* Pruned rows, or rows by weight, which `rows` points to; all NULL: there are none. Behind the entries of rows stand
     * those to other ranks' leaves, which their neighbours list. */
    uint64_t *kept_row, *told_end; /* [n + 1]; [n] leaves told by nodes 0 .. u */
    void *kept_column;             /* [n_inner + n_told] */
    float *kept_weight;            /* the same */
    float *kept_way;         /* [n] length of a way to the landmark; not a number: none */
    uint64_t landmark_place; /* mine, or SSSP_NO_PLACE */
    uint64_t n_nodes, n_inner, n_told; /* as counts have them */
    uint64_t n_leaves;                 /* that another rank tells, of all ranks */
    uint64_t n_left;                   /* entries of all ranks that are searched */
};

/* Of a node of a peer, where its word is among those of all peers. */
MW_FN uint32_t sssp_at(const struct sssp_state *s, uint32_t peer, uint64_t node)
{
    return (uint32_t)(64 * s->stride * (peer - s->first_peer) + node);
}

/* The rank's own part of what is laid out so, and all of it. */
MW_FN uint64_t sssp_before(const struct sssp_state *s, const struct mw_graph *g)
{
    return 64 * s->stride * (g->partition.rank - s->first_peer);
}

MW_FN uint64_t *sssp_words_of_peers(const struct sssp_state *s, const struct mw_graph *g)
{
    return s->word - sssp_before(s, g);
}

/* From now on a round takes this part of rows. */
static inline void sssp_take_part(struct sssp_state *s, enum sssp_part part)
{
    s->part = part;
    s->begin = part == SSSP_HEAVY ? s->heavy : s->rows.row;
    s->end = part == SSSP_LIGHT ? s->heavy : s->rows.row + 1;
}

/* The class of a weight, and what all weights of a class reach. */
MW_FN uint32_t sssp_class_of(const struct sssp_state *s, float weight)
{
    const uint32_t top = mw_bits_of_float(weight) >> SSSP_CLASS_SHIFT;
    const uint32_t class_ = top > s->first_class ? top - s->first_class : 0;
    return class_ < SSSP_CLASSES ? class_ : SSSP_CLASSES - 1;
}

MW_FN float sssp_least_of_class(const struct sssp_state *s, uint32_t class_)
{
    return class_ == 0 ? 0
                       : mw_float_of_bits((s->first_class + class_) << SSSP_CLASS_SHIFT);
}

/* Where a search begins, among words of all peers, and the word there: at the root, or at the neighbour of a root that
 * is a leaf. MW_NO_LABEL: no peer begins here. */
MW_FN uint32_t sssp_first(const struct sssp_state *s, const struct mw_graph *g,
                          uint64_t *word)
{
    *word = s->counts_hops ? 0 : s->root;
    if (s->root_place == SSSP_NO_PLACE || g->label_of[s->root_place] == MW_NO_LABEL)
        return MW_NO_LABEL;
    const struct sssp_hook *const hook = &s->hook[s->root_place];
    if (hook->parent != SSSP_NO_LEAF)
        *word = mw_word_of_float(hook->weight, (uint32_t)s->root);
    return hook->at;
}

struct sssp_kernels {
    mw_kernel *relax, *tell, *settle;
};
MW_STATIC_ASSERT(sizeof(struct sssp_kernels) == 3 * sizeof(mw_kernel *),
                 "portability/athread/kernels.h counts them");

struct sssp_sweeps {
    mw_kernel *landmark, *reach, *prune, *lengths, *part, *number, *starts, *told, *keep,
        *order, *nodes, *name, *hook, *sample;                        /* once */
    mw_kernel *forget, *begin;                                        /* before a run */
    mw_kernel *list, *forget_near, *next, *tell, *bound, *owe, *pull; /* between rounds */
    mw_kernel *answer, *reached, *ends;                               /* after them */
    /* By hand, NULL where nobody has: all rounds at once, of one rank and narrow columns; many small buckets. */
    mw_kernel *whole, *crew;
};

/* Rows of the table in sssp.c. */
enum {
    SSSP_FORGET = 4,
    SSSP_BEGIN,
    SSSP_LIST,
    SSSP_FORGET_NEAR,
    SSSP_NEXT,
    SSSP_TELL,
    SSSP_BOUND,
    SSSP_OWE,
    SSSP_PULL,
    SSSP_ANSWER,
    SSSP_REACHED,
    SSSP_ENDS,
    SSSP_LANDMARK,
    SSSP_REACH,
    SSSP_PRUNE,
    SSSP_LENGTHS,
    SSSP_PART,
    SSSP_NUMBER,
    SSSP_STARTS,
    SSSP_TOLD,
    SSSP_KEEP,
    SSSP_ORDER,
    SSSP_NODES,
    SSSP_NAME,
    SSSP_HOOK,
    SSSP_SAMPLE,
    SSSP_WHOLE,
    SSSP_CREW,
    SSSP_N_ROWS
};

/* sssp_prune.c: collective, when searches can run: rows without what `prunes` says may go, and, where those left are
 * long and `orders`, by weight; and local, away with it. */
struct mw_traversal;
int sssp_prune(struct mw_traversal *t, struct sssp_state *s, bool prunes, bool orders)
    MW_NODISCARD;
/* Collective: the mean of samples of weights of all ranks, and bits of the greatest. */
int sssp_mean_weight(struct mw_comm *comm, const float *sample, uint64_t n, double *mean,
                     uint64_t *most) MW_NODISCARD;
/* Local: are rows of those that are left long, so that their order pays? And the width of a bucket, and what is light. */
bool sssp_rows_are_long(const struct sssp_state *s, const struct mw_graph *g);
void sssp_choose_delta(struct sssp_state *s, const struct mw_graph *g);
void sssp_forget_pruned(struct mw_traversal *t, struct sssp_state *s);

MW_END_DECLS
#endif
