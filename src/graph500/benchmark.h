/* benchmark.h -- one Graph500 run: generate or read, sample roots, construct,
 * search, validate. Everything the output needs is in the result, so text, JSON
 * and CSV are three printers of one struct.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BENCHMARK_H
#define MW_BENCHMARK_H

#include "devices/graph_there.h"
#include "graph/digest.h"
#include "graph/edges.h"
#include "traversal/traversal.h"

MW_BEGIN_DECLS

struct mw_search {
    mw_vid root; /* MW_NO_VERTEX: the algorithm takes none */
    /* The reference's count: input tuples reached, self-loops not; directed: that leave a
     * reached vertex. UINT64_MAX: not counted, the search ended early and was not validated. */
    uint64_t n_edges;
    uint64_t
        n_self_loops;   /* tuples reached; n_edges + this is the specification's count */
    uint64_t n_reached; /* vertices, the root included */
    uint32_t n_levels;  /* greatest level + 1 */
    double time_s;      /* official: start of the search to parents in memory */
    double validate_s;  /* < 0: not validated */
    uint8_t judges;     /* who has found it valid, enum mw_judge; 0: nobody */
    /* By the backend's own time, without network and waiting for other ranks: the longest of
     * the ranks. Jobs and messages take such time, sweeps do not. Modelled, never measured; < 0:
     * the backend has no time of its own, or a level went through rows by bitmap, which is all
     * sweeps and would count for nothing. */
    double modelled_s;
    uint32_t last_level; /* that a goal ended it at, or UINT32_MAX */
    bool found;          /* the goal's target; then it is on level n_levels - 1 ... */
    mw_vid *path; /* ... and [n_levels] lead to it from the root; owned, else NULL */
    uint64_t fact[MW_FACTS_MAX]; /* of the answer: the algorithm names them */
    int status;                  /* MW_OK, or MW_ERR_INVALID */
    uint32_t
        n_level_records;    /* levels[] kept; the longest searches keep the first ones */
    struct mw_level *level; /* [n_level_records]; owned */
};

/* What a running benchmark tells the program: phases on every rank, searches on rank 0 only,
 * whose results from then on are not changed any more. */
enum mw_phase { MW_PHASE_GENERATE, MW_PHASE_READ, MW_PHASE_CONSTRUCT, MW_PHASE_SEARCH };
struct mw_progress {
    void *arg;
    void (*phase)(void *arg, enum mw_phase phase);
    void (*search_done)(void *arg, uint32_t done, uint32_t of, const struct mw_search *s);
};

/* One way to search: a route, an engine, options of the algorithm. */
struct mw_way {
    const struct mw_algorithm *algorithm; /* NULL: the configuration's */
    struct mw_world *world;
    const void *options; /* the algorithm's; borrowed */
};

struct mw_benchmark_conf {
    const struct mw_algorithm *algorithm;
    uint32_t scale, edgefactor; /* of the generated graph; scale 0: the list is given */
    uint64_t seed[2];
    struct mw_graph_rule graph_rule; /* how it is built, for all ways */
    int64_t delegate; /* which rows of the graph, for all ways: graph/delegates.h */
    const struct mw_edges *given; /* or NULL; borrowed: this rank's share */
    const struct mw_goal *goal; /* borrowed; NULL: none. With one there are no figures */
    uint32_t n_roots;   /* 64 for a submission; runs, where an algorithm takes no roots */
    const mw_vid *root; /* [n_roots] given ones, or NULL: sampled */
    bool compat;        /* root sampling exactly as the reference, also at tiny N */
    bool keep_levels;   /* of each vertex: mw_traversal_level() */
    bool validate;      /* if there is a check; else every output is stamped */
    uint32_t n_validated; /* of the searches; 0: all. Fewer is stamped on every output */
    uint32_t n_confirmed; /* searches that the host judges as well where others do */
    double
        energy_s; /* afterwards searches are repeated so long, for a reading of joules; 0: not */
    /* Asked between searches, local: true ends the run early with MW_ERR_INTERRUPTED
     * and the finished searches in the result. NULL: never. */
    bool (*stop)(void);
    /* Called on every rank when it is known where searches begin, before the first: what is
     * wrong then ends the run. It may put searches of an earlier run, from the first roots in their
     * order, into a result's `search`, and how many into n_searches, the same on all ranks: these
     * are not made again. NULL: none. */
    int (*chosen)(void *arg, const mw_vid *root, uint32_t n);
    /* Called on every rank after each valid search with this rank's numbers, of whichever
     * way. NULL: none. */
    int (*keep)(void *arg, const struct mw_traversal *t, const struct mw_search *s);
    void *keep_arg; /* of both */
    struct mw_progress progress;
};

/* Has it a rate: has it reached an edge, and is it known how many? */
static inline bool mw_search_counts(const struct mw_search *s)
{
    return s->n_edges > 0 && s->n_edges != MW_COUNT_NONE;
}

/* Are searches checked: is it asked for, and has the algorithm a check? */
static inline bool mw_benchmark_checks(const struct mw_benchmark_conf *conf)
{
    return conf->validate && conf->algorithm->check != NULL;
}
/* Of so many searches, how many. */
static inline uint32_t mw_benchmark_n_checked(const struct mw_benchmark_conf *conf,
                                              uint32_t n_searches)
{
    if (!mw_benchmark_checks(conf))
        return 0;
    const bool all = conf->n_validated == 0 || conf->n_validated > n_searches;
    return all ? n_searches : conf->n_validated;
}

/* Of the searches that were repeated for it, by the first way, of all hosts. */
struct mw_energy_result {
    double seconds; /* 0: nothing was repeated */
    uint64_t n_searches, n_edges;
    uint64_t n_packages, n_devices; /* of processors, and devices, that could be read */
    double package_joules, device_joules;
};

enum { MW_SENT_RANKS = 64 }; /* a table of more is for nobody to read */

struct mw_benchmark_result {
    uint32_t scale, edgefactor;   /* edgefactor 0: not a generated graph */
    uint64_t n_vertices, n_edges; /* of the input: all tuples */
    bool directed, partial;       /* searched along edges only; to a goal */
    bool asked_columns;           /* owners, while the graph was built */
    uint64_t deal;                /* vertices that were dealt at a time */
    bool built_there; /* by the cores of a device, which have the list as well */
    double built_s[MW_BUILT_PHASES]; /* then */
    /* Else: parts of construction_s, of the slowest rank; and without waiting, of ranks. */
    double lap_s[MW_N_LAPS], longest_lap_s[MW_N_LAPS], mean_lap_s[MW_N_LAPS];
    uint64_t
        n_edges_kept; /* distinct, without self-loops; MW_COUNT_NONE: a thin graph does not say it */
    uint64_t n_connected;    /* vertices with an edge to another */
    uint64_t most_entries;   /* of the rows of a rank */
    struct mw_digest digest; /* of the input */
    double generation_s, construction_s;
    double prepare_s;    /* of construction_s, what the algorithm makes of the graph */
    uint64_t peak_bytes; /* largest peak resident set of a rank */
    uint64_t sum_peak_bytes; /* over all ranks */
    struct mw_energy_result energy;
    uint64_t peak_device_bytes; /* most that a rank took of memory of cores (mem.h) */
    uint64_t
        trait[MW_TRAITS_MAX]; /* of the algorithm's options, as they have an effect */
    bool validated;           /* every search was checked and is right */
    uint32_t n_roots;         /* chosen or given: as many searches were to be made */
    uint32_t n_searches;      /* finished ones; the last may be invalid */
    /* [n_ranks * n_ranks] by sender and receiver, of the n_sent searches that this run
     * has made, once it has ended; NULL: one rank, or more than MW_SENT_RANKS. Owned. */
    struct mw_sent *sent;
    uint32_t n_sent;
    struct mw_search *search; /* owned; freed by mw_benchmark_result_fini() */
};

/* Collective. The results are complete on every rank. MW_ERR_INVALID when a search
 * failed validation: the text says rule, root and edge; no figure may be printed.
 *
 * Several ways (worlds of one communicator; out[n_ways]) search the same graph from the
 * same roots: each root by all of them, in an order that turns from root to root, so that what
 * is compared was measured side by side. The first one's world builds and validates. */
int mw_benchmark_run(const struct mw_benchmark_conf *conf, const struct mw_way *way,
                     uint32_t n_ways, struct mw_benchmark_result *out) MW_NODISCARD;
void mw_benchmark_result_fini(struct mw_benchmark_result *r);

/* Local. Why searches of an algorithm have no time of an emulated machine; NULL: they have one. */
const char *mw_why_untimed(const struct mw_world *w, const struct mw_algorithm *a);

MW_END_DECLS
#endif
