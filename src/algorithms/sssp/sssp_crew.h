/* sssp_crew.h -- what the cores of a host make by themselves (traversal/crew.h): buckets of little work, one after the
 * other, until much is due or nothing is left; and rounds of much work, without atomic operations.
 *
 * Of a bucket:
 *
 *      item        bits of a distance above a node: who is due with that distance. A word that is below is later
 *                  news, which has an item of its own
 *      lists       of each core: items far, those opened for others, and a queue of those near
 *      open        a core goes along items far: those in the bucket are due
 *      drain       it relaxes its queue to the end, and what falls into the bucket by that; no meeting in between
 *      share       where one had much more to do than others, all open first, and each drains as much
 *      receive     of several ranks a node is one core's. Ways to others' nodes go into boxes (boxes.h), and their
 *                  cores take them one meeting later
 *
 * So a bucket is one meeting, of several ranks some more. Grids and roads with weights consist of thousands
 * of such buckets. Of a round:
 *
 *      put         a core goes along a share of the list; ways to neighbours go to the cores whose they are
 *      take        it lowers its own nodes by the ways that others have put for it, one meeting later
 *
 * In rounds that many cores make by compare-and-swap, lines of words and of bitmaps go to and fro between them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef SSSP_CREW_H
#define SSSP_CREW_H

#include "base/sizes.h"
#include "shuffle/boxes.h"
#include "traversal/crew.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

struct mw_algorithm_shape;

enum {
    SSSP_CREW_PHASES = 16384,    /* that it makes before it comes back */
    SSSP_CREW_ENTRIES = 1 << 18, /* of a bucket: after one that has more */
    SSSP_CREW_ROUND = 1 << 10,   /* entries of a round that is a crew's, at least, */
    SSSP_CREW_ROUND_A_CORE =
        32, /* and of each core, which begins a box for each other one */
    SSSP_CREW_SHARE = 1 << 13, /* of them a core puts before it takes */
    SSSP_CREW_ITEM = 12        /* bytes that it puts for each */
};

/* A core's line. */
struct sssp_crew_post {
    uint64_t done;
    uint64_t n_entries; /* that it has relaxed in this call */
    uint64_t
        least; /* bits of the least distance of its items far; all ones: there are none */
    uint32_t n_far, n_opened;
    uint32_t n_sent, n_last; /* in its last phase: ways to other cores, and entries; */
    uint32_t n_away;         /* of those ways to other ranks */
    uint32_t late; /* bits of the shortest of those ways; all ones: there is none */
    bool is_full;  /* items had no room, or a row in boxes: those are bits again */
    char fill[MW_CACHE_LINE - 49];
};
MW_STATIC_ASSERT(sizeof(struct sssp_crew_post) == MW_CACHE_LINE, "one line a core");

/* A way to a node; bits of its length. */
struct sssp_way {
    uint32_t node, parent, distance;
};
MW_STATIC_ASSERT(sizeof(struct sssp_way) == SSSP_CREW_ITEM,
                 "boxes have room for so many");

/* Shared by the ranks of a host. */
struct sssp_crew_host {
    uint64_t order;
    char fill[MW_CACHE_LINE - sizeof(uint64_t)];
    uint64_t limit;                          /* bits: the bucket's end */
    uint64_t n_phases, n_buckets, n_records; /* of this call */
    uint64_t slice; /* of the round's entries: those that are put in this phase */
    char fill_posts[24];
    struct sssp_crew_post post[MW_CREW_CORES]; /* core by core, rank by rank */
};

MW_STATIC_ASSERT(offsetof(struct sssp_crew_host, post) % MW_CACHE_LINE == 0, "lines");

struct sssp_crew {
    struct mw_crew meet;
    struct sssp_crew_host *host;
    uint64_t *item;                    /* [n_lanes][all lists of a core] */
    uint64_t n_far, n_opened, n_queue; /* room in lists of a core */
    float width;                       /* of a bucket */
    struct mw_boxes boxes;             /* shared */
    bool makes_round;                  /* this call: not buckets */
};

struct mw_sssp;
struct sssp_state;
/* Local: what a crew takes. Collective: its memory, if there is one; and away with it. */
void sssp_crew_sizes(const struct mw_algorithm_shape *shape,
                     const struct mw_world_shape *world, struct mw_sizes *out);
int sssp_crew_init(struct mw_traversal *t, const struct mw_sizes *sizes) MW_NODISCARD;
void sssp_crew_fini(struct mw_sssp *c);

/* Collective. Nobody is near, and who is far becomes near, is relaxed, or stays far. */
int sssp_crew_run(struct mw_traversal *t, struct mw_level *level) MW_NODISCARD;
/* Local, the same at all ranks: is a round of so many entries a crew's? */
bool sssp_crew_takes_round(const struct sssp_crew *c, uint64_t n_entries);
/* Collective over a host. Who is listed is relaxed. */
void sssp_crew_run_round(struct mw_traversal *t);

mw_kernel sssp_crew_kernel; /* all cores of hosts */

/* ---- Between its files ----------------------------------------------------------------------- */

/* A core's part of a phase of a round. */
void sssp_crew_go_round(const struct sssp_state *s, uint32_t core, uint64_t phase,
                        struct sssp_crew_post *post);

MW_FN struct sssp_crew_post *sssp_crew_post_of(const struct sssp_crew *c, uint32_t rank,
                                               uint32_t core)
{
    return &c->host->post[rank * c->meet.n_cores + core];
}

/* The lists of a core of this rank. */
MW_FN uint64_t *sssp_crew_far(const struct sssp_crew *c, uint32_t core)
{
    return c->item + core * (c->n_far + c->n_opened + c->n_queue);
}
MW_FN uint64_t *sssp_crew_opened(const struct sssp_crew *c, uint32_t core)
{
    return sssp_crew_far(c, core) + c->n_far;
}
MW_FN uint64_t *sssp_crew_queue(const struct sssp_crew *c, uint32_t core)
{
    return sssp_crew_opened(c, core) + c->n_opened;
}

/* The core of its rank that a node is of, where each is one core's. The first nodes have the longest rows: a word of a
 * bitmap of those is one core's, and of others a line. */
MW_FN uint32_t sssp_crew_core_of(uint32_t node, uint32_t n_cores)
{
    enum { FIRST_NODES = 4096, FIRST_BITS = 6, CHUNK_BITS = 9 };
    return mw_consumer_of(node >> (node < FIRST_NODES ? FIRST_BITS : CHUNK_BITS),
                          n_cores);
}

MW_END_DECLS
#endif
