/* algorithm.h -- an algorithm as one constant: a table of rows, a step, an answer, a check.
 *
 *      open --> reset --> start(key) --> step, step, ... MW_DONE --> values --> check
 *                 ^                                                     |
 *                 '-----------------------------------------------------'
 *
 * The loop over steps, its clock and its counts are traversal.c's, the same for all; so are the
 * harness (graph500/benchmark.c) and what it prints. What an algorithm adds is here:
 *
 *   rows      modules, which exchange records, and sweeps, which walk over this rank's own data:
 *             all that ever runs on cores. A reader sees the algorithm in this table.
 *   step      chooses what to run next and runs it: mw_traversal_exchange(), mw_traversal_sweep().
 *             All ranks decide alike, from sums.
 *   values    one or more per vertex, by place: the answer.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ALGORITHM_H
#define MW_ALGORITHM_H

#include "graph/delegates.h"
#include "graph/graph.h"
#include "mpe/row.h"
#include "traversal/keys.h"
#include "traversal/level.h"

MW_BEGIN_DECLS

struct mw_traversal;

enum mw_value_type {
    MW_VALUE_VERTEX, /* of the input, 32 or 64 bits as the graph is wide; all ones: none */
    MW_VALUE_COUNT,  /* the same, written as it is */
    MW_VALUE_REAL    /* a float; NaN: none */
};
/* How two values for one vertex become one. */
enum mw_value_joined { MW_JOINED_MINIMUM, MW_JOINED_SUM, MW_JOINED_OR };
extern const char *const mw_value_types[], *const mw_value_joins[]; /* in result files */

enum { MW_VALUES_MAX = 8 };

/* One of the values that an answer has for each vertex. */
struct mw_value {
    const char *name; /* "parent" */
    enum mw_value_type type;
    bool is_long;     /* a count of 64 bits, however narrow the graph is */
    const char *unit; /* of counts and reals: "edges"; NULL: none */
    enum mw_value_joined joined;
    /* Two reals are the same answer if they differ by no more than `absolute` and `relative` of
     * the larger one together. Other values are the same if they are equal. */
    double relative, absolute;
    /* Local: [n_places], where cores reach them; others ask mw_traversal_values(). NULL: the block
     * of the state that has the value's place in the table of blocks. */
    const void *(*at)(const struct mw_traversal *t);
};

/* Local: of numbers, are they of 64 bits? */
static inline bool mw_value_is_wide(const struct mw_value *v, bool wide)
{
    return v->is_long || wide;
}

/* Local: are these the same answer? */
bool mw_value_agrees(const struct mw_value *v, double a, double b);

/* What the memory of an algorithm follows from. */
struct mw_algorithm_shape {
    uint64_t n_places, n_labels; /* of this rank */
    uint64_t n_entries;          /* of its rows, and of those inwards; of use to blocks */
    uint32_t label_bits, place_bits; /* enough for any rank's */
    bool wide, directed, thin;
    bool asks_names;                     /* the graph has no table of them */
    const void *options;                 /* the algorithm's; NULL: all automatic */
    struct mw_delegates_shape delegates; /* of the graph */
};

/* What a run found out, or a check did. */
enum { MW_CHECK_RULES = 8 };
struct mw_verdict {
    uint64_t n_reached; /* vertices that have an answer */
    uint64_t n_edges; /* input tuples that the answer is about, self-loops not counted */
    uint64_t n_self_loops;            /* tuples; a check's */
    uint64_t n_wrong[MW_CHECK_RULES]; /* by rules of the check's own; all ranks */
    uint32_t n_levels;                /* greatest level + 1, where there are any */
    uint8_t by;                       /* a check's: who has judged, enum mw_judge */
};

/* Collective: what ranks have counted, which stands before the levels, becomes all ranks'. */
MW_NODISCARD static inline int mw_verdict_sum(struct mw_verdict *v, struct mw_comm *comm)
{
    return mw_comm_sum(comm, (uint64_t *)v,
                       offsetof(struct mw_verdict, n_levels) / sizeof(uint64_t));
}

/* The host's cores, or those that have searched; as bits. */
enum mw_judge { MW_BY_HOST = 1, MW_BY_CORES = 2 };

/* What the memory of a check follows from. */
struct mw_check_shape {
    uint64_t n_vertices;          /* of the whole graph */
    uint64_t n_places, n_reached; /* of this rank, and of those by a run */
    uint64_t n_tuples;            /* here */
    bool wide;                    /* answers are of 64 bits */
    bool directed;
    bool of_cores; /* the tuples are where the cores reach them, for good */
    const struct mw_check *check; /* whose sizes are asked for */
};

struct mw_expected; /* traversal/oracle.h */

/* Checks answers against the list of tuples as generated or read. */
struct mw_check {
    /* Collective. Borrows world and edges, which come home (building.h) when the host's
     * cores check. The world is one that searches; the host's side of it checks what its
     * cores cannot. */
    int (*open)(struct mw_world *world, struct mw_edges *edges, void **out);
    void (*close)(void *check); /* collective; NULL is legal */
    /* Collective. MW_ERR_INVALID with a text that says what is wrong; *out is filled in either
     * way. */
    int (*run)(void *check, const struct mw_traversal *t, mw_vid key,
               struct mw_verdict *out);
    /* Collective, after run() has found it right: where others than the host's cores have
     * judged, these do so too, and must say the same. NULL: there are no others. */
    int (*confirm)(void *check, const struct mw_traversal *t, mw_vid key,
                   struct mw_verdict *out);
    /* Cores of a host judge and are confirmed, too, where their rank is alone (judges.h). */
    bool alone_judges;
    /* Local: the room that has to be left on a device, beside what a traversal takes, so that it
     * judges as well, for which it takes so many bytes. NULL: those bytes. */
    uint64_t (*room)(uint64_t bytes, uint32_t n_ranks);
    /* Local: what open() and run() take, of the world that open() gets. */
    void (*sizes)(const struct mw_check_shape *shape, const struct mw_world_shape *world,
                  struct mw_sizes *out);
    /* The rest is for traversal/oracle.h. Collective: the answers of all vertices of the graph, at each
     * rank. NULL: this check is another one. */
    int (*expect)(const struct mw_expected *e);
    uint32_t n_expected; /* values; 0: the first one alone */
    /* Tuples, options and the number of steps say what expect() finds: it is asked once. */
    bool once;
    /* What it is given: rows of the tuples, and of those turned round; words for each vertex of the graph,
     * and for each of the rank's. */
    bool with_rows, with_in_rows;
    uint32_t vertex_words, place_words;
    /* Local: what it takes besides. NULL: nothing. */
    void (*more_sizes)(const struct mw_check_shape *shape,
                       const struct mw_world_shape *world, struct mw_sizes *out);
};

/* An array of the state, zeroed, as long as the traversal. Elements for every 64 labels may be within reach of the other
 * ranks of the host (mw_near()): those of the next rank begin mw_block_stride() elements further. */
enum mw_block_per {
    MW_PER_PLACE,
    MW_PER_LABEL,
    MW_PER_WORD,
    MW_PER_ENTRY,
    MW_PER_RANK,
    MW_PER_WORD_OF_HOST
};
enum { MW_BLOCKS_MAX = 32 }; /* of a plug-in */
struct mw_block {
    const char *what; /* for plans and messages: "told labels" */
    size_t offset;    /* of the pointer in the state */
    enum mw_memory_kind kind;
    /* An element for each place, each label, each 64 labels, each entry of the rows and of those
     * inwards, or one in all. */
    enum mw_block_per per;
    uint32_t bytes;   /* of an element; 0: of a vertex, 4 or 8 as the graph is wide */
    uint32_t touched; /* per thousand, as in sizes.h; 0: all of it */
};

/* A block by label that the cores of all ranks read: there it lies in a table of all of them, by column
 * (devices/table.h), under the rule for tables of all vertices. With one rank the block is all there is. */
struct mw_tabled_block {
    const char *what; /* the table, for plans and messages */
    size_t block;     /* offset of the block, where this rank stores */
    size_t
        all; /* ... of the pointer to what all have stored; NULL there: there is no table */
    size_t off; /* ... in the options, of the bool that does without */
};
/* Local, the same at all ranks: do several have a table? */
MW_SHOWN bool mw_block_is_tabled(const struct mw_tabled_block *b,
                                 const struct mw_algorithm_shape *shape,
                                 const struct mw_world_shape *world);

/* Elements from one rank's part of a block to the next one's, where they are within reach. */
MW_SHOWN uint64_t mw_block_stride(uint32_t label_bits);

struct mw_algorithm {
    const char *name, *summary;
    const struct mw_value *value; /* of the answer, the main one first */
    uint32_t n_values;            /* 1 .. MW_VALUES_MAX */
    bool keyed; /* a run starts at a vertex; else it is of the whole graph */
    /* What it wishes of graphs. Of two kinds others are refused before they are built: edges have no
     * directions, and a smaller vertex of a rank stands at a smaller place (not shuffled). */
    bool both_ways, in_order;
    bool says_touches; /* its elements do (MW_TOUCH), so an emulation can time them */
    enum mw_weights weights;    /* of edges, and how those of duplicates become one */
    const struct mw_keys *keys; /* of its options; NULL: there are none */
    const char *const *step_name;
    const struct mw_counter *counter; /* of levels, beyond what all have */
    uint32_t n_counters;
    const struct mw_counter *trait; /* of its options, as they have an effect here */
    uint32_t n_traits;
    const struct mw_counter *fact; /* of a run's answer */
    uint32_t n_facts;

    const struct mw_row *row;
    uint32_t n_rows;
    const struct mw_kernel_table *kernels; /* of modules, by kind of core */
    const struct mw_kernel_table *sweeps;
    /* Local: of a row's kernels, which stand side by side, the one for this shape. NULL: 0. */
    uint32_t (*variant)(const struct mw_algorithm_shape *shape,
                        const struct mw_world_shape *world, uint32_t row);
    /* Local: the exchanges that may take place, as bits. NULL: all. */
    uint32_t (*exchanges)(const struct mw_algorithm_shape *shape,
                          const struct mw_world_shape *world);
    /* Input edges from which several devices of a host are faster than one that has the room, where they reach each
     * other's memory, and where not: as measured. UINT64_MAX: from none; 0: nobody has measured, all are taken. */
    struct mw_devices_pay {
        uint64_t by_reach, otherwise;
    } devices_pay;
    bool asks_names; /* does without a table of names: asks owners, when it has all */
    bool by_place;   /* records name children by their places; else by their labels */
    /* Local: bits of the largest value that a record carries, 64 at most. NULL: it is a place or
     * a label of some rank. */
    uint32_t (*value_bits)(const struct mw_algorithm_shape *shape, uint32_t n_ranks);

    /* The state, which begins with the graph as kernels get it, and its blocks: there when open()
     * is called, and given back after close(). 0: open() makes its own. */
    size_t state_bytes;
    const struct mw_block *block;
    uint32_t n_blocks;
    const struct mw_tabled_block *tabled; /* one of them; NULL: none is */

    /* Local: what open() takes, without the batches of the rows and the blocks. NULL: nothing. */
    void (*sizes)(const struct mw_algorithm_shape *shape,
                  const struct mw_world_shape *world, struct mw_sizes *out);
    /* Collective, like all below that are not said to be local. The state is t->state. NULL, as
     * close and reset may be: nothing is to be done. */
    int (*open)(struct mw_traversal *t, const void *options);
    /* Once, after open(), when all is there that runs: what it makes of the graph for all runs. It is part
     * of construction, and counts there. NULL: nothing. */
    int (*prepare)(struct mw_traversal *t);
    /* Before open(): the graph as searches by these options alone need it, of a list that is at home, by a host's cores;
     * *out is NULL, and all is well, where that is what mw_graph_build_by() makes. NULL: it always is. And, local: would
     * it be a thin one of such a list, if its weights allow? */
    int (*build)(struct mw_world *world, const struct mw_edges *edges,
                 const struct mw_graph_rule *rule, const void *options,
                 struct mw_graph **out);
    bool (*thins)(const struct mw_graph_shape *list, uint32_t n_hosts,
                  const void *options);
    /* Local, before open(): several ranks on these cores run as they are asked, by these options,
     * without any array of the host's graph. NULL: they need it. */
    bool (*stays)(const void *options, const struct mw_backend *backend);
    /* Local, after open(): runs as it is asked for exchange no records. NULL: they do. */
    bool (*silent)(const struct mw_traversal *t);
    void (*close)(struct mw_traversal *t); /* also after open() has failed */
    size_t sources; /* offset in the state of what it draws (sources.h); 0: nothing */
    int (*reset)(struct mw_traversal *t);
    /* The first active vertices: t->now says how many, over all ranks. */
    int (*start)(struct mw_traversal *t, mw_vid key);
    /* One step, or MW_DONE. `level` comes with n_active and n_active_edges filled in; n_found and
     * own[] are left there, and the next step's counts in t->now. */
    int (*step)(struct mw_traversal *t, struct mw_level *level);

    /* No step follows, but this still counts. NULL: nothing is left to do. */
    int (*finish)(struct mw_traversal *t);
    uint32_t answer; /* a sweep behind that; 0: none */

    /* What the answers of all ranks say; n_edges may be MW_COUNT_NONE: they do not say it. NULL:
     * they are of all vertices, and about all edges. */
    int (*claim)(struct mw_traversal *t, struct mw_verdict *out);
    /* After a run, when its levels are asked for: what steps have left open in t->level.
     * NULL: nothing. */
    int (*complete)(struct mw_traversal *t);
    /* Local: bitmap over this rank's labels, between steps: those that have an answer. NULL: the
     * algorithm has no levels. */
    const uint64_t *(*visited)(const struct mw_traversal *t);
    int (*facts)(struct mw_traversal *t, uint64_t *fact);          /* [n_facts] */
    void (*traits)(const struct mw_traversal *t, uint64_t *trait); /* local; [n_traits] */
    const struct mw_check *check; /* NULL: there is none, and results are stamped */

    /* The same answers without levels, an algorithm of this name; NULL: there is none. */
    const struct mw_algorithm *async;
    /* Such a one has it, and runs on cores of hosts. Local, while mw_traversal_exchange_async() runs: what has
     * been activated since the last call becomes the sources' units (worklist.h). */
    void (*refill)(struct mw_traversal *t);
};

/* Local: MW_ERR_USAGE for a constant that lacks something, or has more than there is room for. */
int mw_algorithm_check(const struct mw_algorithm *a) MW_NODISCARD;
/* Local: MW_ERR_REFUSED for graphs that it does not take. */
int mw_algorithm_takes(const struct mw_algorithm *a, bool directed, bool shuffled)
    MW_NODISCARD;

/* Local: does the algorithm build the graph for searches that run on these cores alone? A host's. */
static inline bool mw_algorithm_builds(const struct mw_algorithm *a,
                                       const struct mw_backend *backend)
{
    return a->build != NULL && !backend->mesh && mw_host_reaches(backend) &&
           !mw_on_device(backend);
}

/* Local: of a record that carries a vertex of the input, or as large a count. */
static inline uint32_t mw_vertex_value_bits(const struct mw_algorithm_shape *shape,
                                            uint32_t n_ranks)
{
    return shape->wide ? (uint32_t)mw_max(33, shape->place_bits + mw_bits_for(n_ranks))
                       : 32;
}

/* Of one that carries a float, or a double or any other word. */
static inline uint32_t mw_float_value_bits(const struct mw_algorithm_shape *shape,
                                           uint32_t n_ranks)
{
    (void)shape, (void)n_ranks;
    return 32;
}

static inline uint32_t mw_word_value_bits(const struct mw_algorithm_shape *shape,
                                          uint32_t n_ranks)
{
    (void)shape, (void)n_ranks;
    return 64;
}

/* As mw_algorithm.stays: what runs by kernels and sweeps alone. */
static inline bool mw_always_stays(const void *options, const struct mw_backend *backend)
{
    (void)options, (void)backend;
    return true;
}

/* Local: which of the graph's long rows its options, or none, want dealt out. */
static inline int64_t mw_algorithm_delegate(const struct mw_algorithm *a,
                                            const void *options)
{
    return options == NULL || a->keys == NULL || a->keys->delegate == NULL
               ? (int64_t)MW_DELEGATE_OFF
               : a->keys->delegate(options);
}

MW_END_DECLS
#endif
