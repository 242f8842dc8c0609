/* preflight.h -- what is known to fail is refused before it starts, with the numbers; the
 * only place where the program plans (graph500/plan.h).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PREFLIGHT_H
#define MW_PREFLIGHT_H

#include "base/room.h"
#include "cli/run/device_room.h"
#include "graph/graph.h"
#include "graph500/plan.h"
#include "graph500/timing.h"
#include "io/reader.h"
#include "mpe/world.h"

#include <stdio.h>

MW_BEGIN_DECLS

struct mw_preflight {
    struct mw_plan_way *way; /* [n_ways], borrowed; the first one builds and checks */
    uint32_t n_ways;
    uint32_t scale, edgefactor;   /* scale 0: not a generated graph */
    uint64_t n_vertices, n_edges; /* 0 and MW_UNKNOWN: not known, nothing is predicted */
    bool validate, directed;
    uint32_t n_validated; /* of the searches; 0: all */
    struct mw_graph_rule graph_rule;
    uint32_t n_ranks, n_hosts;
    uint32_t n_threads; /* per rank: mw_placement_count() or mw_placement_threads() */
    struct mw_room room;
    uint32_t ranks_here; /* on this host now: what MPI took for them is taken */
    struct mw_device_room device;

    /* Out, of a rank; 0: not known: its peak, the address space for it, and what of it stands in
     * /dev/shm, of all ranks of a host; and what it takes of a device
     * where there is room. */
    uint64_t predicted_bytes, mapped_bytes, shared_bytes, device_bytes;
    bool built_there; /* the graph, on the device */
};

enum { MW_PREFLIGHT_WAYS_MAX = 16 };

/* What is needed of something, and what there is: of a host, of each process, of a device. */
struct mw_demand {
    uint64_t needed, available;
    const char *source;
};
enum { MW_MEMORY, MW_SPACE, MW_SHARED, MW_DEVICE, MW_DEMANDS };

/* Local: the plan, and what it asks for. */
int mw_preflight_demands(const struct mw_preflight *p, struct mw_plan *plan,
                         struct mw_demand out[MW_DEMANDS]) MW_NODISCARD;
uint32_t mw_preflight_host_ranks(const struct mw_preflight *p);

/* Local: the size of a graph in a file, as far as its header tells. */
int mw_preflight_file(struct mw_preflight *p, const struct mw_read_conf *file)
    MW_NODISCARD;

/* Local: predicts. Refuses shapes that cannot be. */
int mw_preflight_predict(struct mw_preflight *p) MW_NODISCARD;

/* Local, after both. */
bool mw_preflight_fits(const struct mw_preflight *p);

/* Local: does the host have to build what devices were to build, since this rank's has no room for
 * it but for the graph, or is shared by ranks, which could tell each other nothing there? */
int mw_preflight_lacks_room(const struct mw_preflight *p, bool *out) MW_NODISCARD;
/* Local, the same at all ranks: the host builds; predicts again. */
int mw_preflight_build_at_home(struct mw_preflight *p) MW_NODISCARD;

/* What would not fit, and was left to be chosen. */
struct mw_left_out {
    const char *options; /* of the algorithm: a sentence; NULL: nothing */
    bool columns;
};

/* Local: predicts again for a run without what grows with the whole graph: what the algorithm can
 * spare, in the ways that leave it open, and columns that are asked for where that takes less.
 * Changes the options of the first, and says which; to ask is for
 * mw_preflight_ask(), for ranks with other cores may see it otherwise. */
int mw_preflight_leave_out(struct mw_preflight *p, struct mw_left_out *out) MW_NODISCARD;
/* Local: predicts again for a run in which columns are asked for, and makes it one. */
int mw_preflight_ask(struct mw_preflight *p) MW_NODISCARD;

/* Local, after both: MW_ERR_REFUSED with needed and available bytes, of whichever is short, the
 * largest SCALE that fits and the ranks that would do. */
int mw_preflight_judge(const struct mw_preflight *p) MW_NODISCARD;

/* Local, after both: the peak of a rank if this way alone were run on the graph of all. */
int mw_preflight_alone(const struct mw_preflight *p, uint32_t way, uint64_t *bytes)
    MW_NODISCARD;

/* Local, after both: the seconds of a way, of so many roots. MW_ERR_UNAVAILABLE: of this nothing is
 * known; the text says why. */
int mw_preflight_time(const struct mw_preflight *p, uint32_t way, uint32_t n_roots,
                      const struct mw_rates *rates, struct mw_timing *out) MW_NODISCARD;

/* Local, after both: do devices search, and the host's cores validate, since they have no room for
 * it? *seconds: of a tree, modelled. */
int mw_preflight_host_validates(const struct mw_preflight *p,
                                const struct mw_rates *rates, bool *out, double *seconds)
    MW_NODISCARD;

/* Local: a line that says whether it fits, with what is needed and available. */
int mw_preflight_print_verdict(const struct mw_preflight *p, bool fits, FILE *f)
    MW_NODISCARD;
/* Local: the graph, its ranks, and what options come to; with `table` the structures, their phases, and
 * the sums. */
int mw_preflight_print(const struct mw_preflight *p, bool table, FILE *f) MW_NODISCARD;

/* "1.5 GiB" */
struct mw_bytes_shown {
    char text[32];
};
struct mw_bytes_shown mw_bytes_text(uint64_t bytes);

MW_END_DECLS
#endif
