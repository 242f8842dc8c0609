/* job.h -- what a kernel gets, and the shapes of the functions an algorithm is
 * written in.
 *
 *      expand   a source's share of the work -> records
 *      reply    a record -> at most one record
 *      update   a record -> a change of the state: the sink
 *
 * What they write must be safe on the backend at hand: on hosts every core has its
 * own lane, self->lane, for whatever it may not share. (With the short circuit an
 * expand runs the update of a record for this rank at once, see mw_here().)
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_JOB_H
#define MW_JOB_H

#include "cpe/cluster.h"
#include "shuffle/address.h"
#include "shuffle/batch.h"

/* A record as elements see it: something about `child`, said by rank `sender`. */
struct mw_visit {
    uint64_t value;
    uint32_t child; /* the receiver's own number for it */
    uint32_t sender;
    uint32_t extra; /* 0, but of pipelines that ask for it (address.h) */
};

enum { MW_PART_WORDS = 64 }; /* of a bitmap, which a core takes at a time */

struct mw_mesh_role; /* mesh_role.h */

/* What a kernel found wrong with its input. */
struct mw_job_fault {
    bool found;
    uint32_t peer, child; /* who sent it, and what is not below the job's limit */
};

struct mw_job {
    void *state;                 /* the algorithm's; opaque to every other layer */
    const struct mw_address *at; /* borrowed from the pipeline */
    const struct mw_batch *in;   /* the first of a list; NULL for a source */
    uint64_t limit;              /* children are below it; beyond 32 bits: unknown */
    struct mw_job_fault *fault;  /* what is not; a source's is NULL */
    uint64_t first, last;        /* a source's share, in units of its own */
    uint64_t *
        dealt; /* NULL: an equal part of that to each core. Else pieces are dealt out, and
                        this is where the next one begins; atomic, on a line of its own */
    uint64_t piece,
        piece_records;      /* then: units of a piece, and the most records it makes */
    struct mw_buckets *out; /* NULL for a sink */
    bool wide;              /* which of the two records is in use */
    const struct mw_mesh_role *role; /* [64] on a mesh, else NULL */
    struct mw_trade *
        trade; /* of cores that trade records themselves: in place of both batches. NULL: they do not */
};

struct mw_emitter; /* defined by the skeleton */

typedef void mw_expand(void *state, uint64_t first, uint64_t last, struct mw_emitter *e);
typedef void mw_reply(void *state, const struct mw_visit *m, struct mw_emitter *e);
typedef void mw_update(void *state, const struct mw_visit *m, const struct mw_cpe *self);

/* Core id's equal share of first..last. */
MW_FN void mw_share(const struct mw_cpe *self, uint64_t first, uint64_t last,
                    uint64_t *from, uint64_t *to)
{
    const uint64_t n = last - first;
    *from = first + n / self->n * self->id + mw_min(self->id, n % self->n);
    *to = *from + n / self->n + (self->id < n % self->n);
}

/* The item of a source's list that a unit belongs to; list_end[i] counts the units of the items
 * 0..i. So work is cut anywhere, also within an item. */
MW_FN uint64_t mw_item_of(const uint64_t *list_end, uint64_t n_list, uint64_t unit)
{
    uint64_t low = 0, high = n_list;
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (list_end[mid] > unit)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

/* How many rows come first that have no more than so many entries and rows, counted together. */
MW_FN uint64_t mw_rows_within(const uint64_t *row_end, uint64_t n_rows, uint64_t most)
{
    uint64_t low = 0, high = n_rows;
    while (low < high) {
        const uint64_t mid = low + (high - low) / 2;
        if (row_end[mid] + mid + 1 > most)
            high = mid;
        else
            low = mid + 1;
    }
    return low;
}

/* Part `part` of n_parts of whole rows, of which all have about as many entries and rows. */
MW_FN void mw_part_of_rows(const uint64_t *row_end, uint64_t n_rows, uint64_t part,
                           uint64_t n_parts, uint64_t *from, uint64_t *to)
{
    const uint64_t all = n_rows > 0 ? row_end[n_rows - 1] + n_rows : 0;
    const uint64_t each = all / n_parts, more = all % n_parts;
    const uint64_t first = each * part + mw_min(part, more);
    *from = mw_rows_within(row_end, n_rows, first);
    *to = mw_rows_within(row_end, n_rows, first + each + (part < more));
}

/* Cores that share a job, this one included; and into how many parts they cut rows to take turns. */
MW_FN uint64_t mw_cores_beside(const struct mw_cpe *self)
{
    return self->n;
}

MW_FN uint64_t mw_row_parts(const struct mw_cpe *self)
{
    return self->n > 1 ? 64 * (uint64_t)self->n : 1;
}

#endif
