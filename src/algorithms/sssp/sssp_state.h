/* sssp_state.h -- what the kernels of one run share.
 *
 * A vertex has one word: the bits of its distance above the number of its parent. Bits of floats that
 * are not negative rise with them, so words are compared as integers. A word is replaced when the
 * distance becomes strictly smaller, by claim, so that distance and parent always belong together.
 *
 * Strictly: edges of weight 0, and weights that a sum absorbs, lead from a distance to the same
 * distance, and two such neighbours could become each other's parents. Of a cycle of parents all
 * distances would be equal, and each vertex would have got its last word from one that had its last
 * word before: there is none.
 *
 * A vertex whose word has changed is active: near, if it is below the limit of the bucket, else far.
 * Rows may be pruned once (sssp_prune.c): kept_row and its like are the rows of searches then.
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

enum { SSSP_SAMPLES = 4096 }; /* of weights, by each rank */

enum { SSSP_ROUNDS_BYTES = 256 };

/* What sweeps find; 32-bit floats as bits. */
struct sssp_counts {
    uint64_t n_listed, n_units;
    uint64_t n_far;
    uint64_t least[SSSP_LEASTS]; /* all ones: there is none */
    uint64_t n_reached, n_ends;
    uint64_t n_kept;                /* entries */
    uint64_t n_inner, n_leaf_units; /* of those, and to leaves */
    /* Of a whole search; `is_done` of one that a kernel has left to another is 0. */
    uint64_t n_rounds, n_buckets, n_relaxed, is_done;
};

struct sssp_state {
    const struct mw_graph *g;
    uint64_t *word;       /* [64 * n_words] those from n_labels on are nobody's */
    uint64_t *near, *far; /* bitmaps [n_words] */
    uint64_t n_words;
    uint64_t below,
        limit;          /* bits of distances: the bucket's own are below <= d < limit */
    uint32_t *list;     /* [n_labels] those that a round relaxes */
    uint64_t *list_end; /* [n_labels] entries of list[0..i] */
    void *parent;       /* [n_places], 32 or 64 bits */
    float *distance;    /* [n_places] */
    float delta;        /* width of a bucket */
    void *rounds;       /* [SSSP_ROUNDS_BYTES] of cores: what a whole search counts */
    mw_vid root;
    uint64_t root_place; /* mine, or SSSP_NO_PLACE */
    struct sssp_counts *counts;
    uint64_t *
        least; /* [SSSP_LEASTS] where cores change them; told to counts, which only one writes */
    float *sample; /* [SSSP_SAMPLES] weights of entries that are sample_step apart */
    uint64_t n_samples, sample_step;
    /* Pruning. */
    bool counts_hops;   /* a word's number is no parent, but how many edges led here */
    float light;        /* then, edges of this weight or more are left out */
    uint64_t n_hops;    /* the most that any way has */
    float margin;       /* that rounding cannot make up for */
    uint64_t n_entries; /* of my rows */
    float *
        landmark; /* [columns of all ranks] distances from there, NaN: no way; then degrees left */
    uint64_t *kept; /* bitmap [n_entries] */
    /* Rows without pruned entries; NULL: the graph's rows are searched. Entries to leaves, whose only
     * neighbour has others, are left out; those to other ranks' leaves stand behind all rows. */
    uint64_t *kept_row; /* [n_labels + 1] */
    uint64_t *leaf_end; /* [n_labels] other ranks' leaves in rows 0 .. u */
    void *kept_column; /* [kept_row[n_labels] + leaf_end[n_labels - 1]], as the graph's */
    float *kept_weight;
    uint64_t n_leaves; /* that another rank tells, of all ranks */
    uint64_t n_left;   /* entries of all ranks that are searched */
};

struct sssp_kernels {
    mw_kernel *relax, *tell, *settle;
};
MW_STATIC_ASSERT(sizeof(struct sssp_kernels) == 3 * sizeof(mw_kernel *),
                 "portability/athread/kernels.h counts them");

struct sssp_sweeps {
    mw_kernel *landmark, *reach, *prune, *lengths, *degrees, *part, *starts, *leaves,
        *keep, *sample;                                /* once */
    mw_kernel *forget, *begin;                         /* before a run */
    mw_kernel *list, *forget_near, *next, *tell_least; /* between rounds */
    mw_kernel *hang, *answer, *reached, *ends;         /* after them */
    mw_kernel *
        whole; /* all rounds at once: one rank, narrow columns. NULL where nobody has tuned one */
};

/* Rows of the table in sssp.c. */
enum {
    SSSP_FORGET = 4,
    SSSP_BEGIN,
    SSSP_LIST,
    SSSP_FORGET_NEAR,
    SSSP_NEXT,
    SSSP_TELL_LEAST,
    SSSP_HANG,
    SSSP_ANSWER,
    SSSP_REACHED,
    SSSP_ENDS,
    SSSP_LANDMARK,
    SSSP_REACH,
    SSSP_PRUNE,
    SSSP_LENGTHS,
    SSSP_DEGREES,
    SSSP_PART,
    SSSP_STARTS,
    SSSP_LEAVES,
    SSSP_KEEP,
    SSSP_SAMPLE,
    SSSP_WHOLE,
    SSSP_N_ROWS
};

/* sssp_prune.c: collective, when searches can run; and local, away with it. */
struct mw_traversal;
int sssp_prune(struct mw_traversal *t, struct sssp_state *s) MW_NODISCARD;
void sssp_forget_pruned(struct mw_traversal *t, struct sssp_state *s);

MW_END_DECLS
#endif
