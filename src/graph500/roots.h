/* roots.h -- which vertices are searched from: the official sequence of
 * candidates, and the rule by which candidates become roots.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ROOTS_H
#define MW_ROOTS_H

#include "base/status.h"
#include "graph500/random.h"

MW_BEGIN_DECLS

/* An endless sequence of vertices; a pure function of the seed and n_vertices, 1 or more. */
struct mw_root_stream {
    struct mw_random random;
    uint64_t n_vertices;
};

void mw_root_stream_init(struct mw_root_stream *s, const uint64_t seed[2],
                         uint64_t n_vertices);
mw_vid mw_root_stream_next(struct mw_root_stream *s);

/* Until when are candidates drawn? Both policies drop a candidate that is a root
 * already or has no neighbour but itself, and agree wherever the official code
 * never tires, which is from about SCALE 8 up. */
enum mw_root_policy {
    /* Until there are enough, or so many were drawn that the graph surely has no
     * more: at tiny N there are fewer searches, as the specification wants it. */
    MW_ROOTS_DISTINCT,
    /* As the official code: after n_vertices candidates each one is taken
     * untested, so there are always enough, repeated or isolated as they come. */
    MW_ROOTS_COMPAT
};

struct mw_roots {
    uint32_t n;       /* found; below what was asked for only with MW_ROOTS_DISTINCT */
    uint64_t n_drawn; /* candidates it took */
};

/* Writes up to n_wanted roots to root[]. `connected` says whether v has a neighbour
 * other than itself; it is asked once per new candidate, in the same order on every
 * rank, so it may be collective. */
struct mw_roots mw_roots_select(struct mw_root_stream *s, enum mw_root_policy policy,
                                uint32_t n_wanted, mw_vid *root,
                                bool (*connected)(void *arg, mw_vid v), void *arg);

MW_END_DECLS
#endif
