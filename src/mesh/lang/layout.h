/* layout.h -- which cores of a row/column mesh produce, route and consume: the noun that
 * proof, search, simulation, pictures and the mesh skeleton share.
 *
 * A layout is a set of flows. A flow is a list of at least two cores; each hop stays in one
 * row or one column and may skip cores (a bus, not a neighbour link). Flows come from two
 * places: roles and routes expand to one flow per (source, sink) pair, *routed*; and flow
 * statements list theirs, *listed*. Routing has no memory: the next hop of a message depends
 * on the core it is at and on its sink only. So routed flows are kept as one table,
 * next[sink][core], and never as lists: a 64x64 mesh has sixteen million of them.
 *
 *      text --parse--> statements --expand--> next[][] and listed flows --> everything else
 *
 * Invariant of an expanded layout: every hop of every flow is legal, every flow ends at its
 * sink, and no routed flow visits a core twice (a listed one may).
 *
 * The language is described in docs/mesh.md.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_H
#define MW_LAYOUT_H

#include "base/status.h"

#include <stdio.h>

MW_BEGIN_DECLS

enum {
    MW_MESH_SIDE_MAX = 64,
    MW_MESH_GENERATED_MAX = 1024, /* side of a ready layout by one rule; check takes it */
    MW_MESH_CORES_MAX = MW_MESH_SIDE_MAX * MW_MESH_SIDE_MAX,
    MW_FIFO_MAX = 1024,
    MW_N_LETTERS = 26,
    MW_CLAUSES_MAX = 32,
    MW_FLOW_CORES_MAX = MW_MESH_CORES_MAX, /* of one listed flow */
    MW_BUCKETS_MAX = 1 << 24,
    MW_LISTED_HOPS_MAX = 1 << 24, /* cores of all listed flows together */
    MW_DIAGNOSTICS_MAX = 20,
    MW_LAYOUT_BYTES_MAX = 64 << 20, /* of a layout file */
    MW_CHANNELS_MAX = 4,
    MW_BROADCASTS_MAX = 64,
    MW_LEGS_MAX = 4,      /* of a broadcast */
    MW_CHANNEL_NAME = 12, /* room, with the zero */
};

typedef uint16_t mw_core; /* row * columns + column */

/* The class of a hop, and of the receive FIFO that it ends in. */
enum mw_fifo_class { MW_ROW, MW_COLUMN, MW_N_CLASSES };

/* A virtual channel: what the language calls a class of messages. Each has row and column FIFOs
 * of its own at every core. A hop belongs to one of them; 0 is the first that is declared. */
typedef uint8_t mw_channel;

/* ---- statements ---------------------------------------------------------------------- */

/* Where a word stands in the text, from 1; 0: the layout was made by a program. */
struct mw_spot {
    uint32_t line, column;
};

enum mw_clause_kind {
    MW_WHEN_DOWN,
    MW_WHEN_UP,
    MW_WHEN_SAME,
    MW_WHEN_ANY, /* -> target by ... */
    MW_COL_TO_ROW,
    MW_ROW_TO_COL, /* direct, step, ring */
    MW_THEN        /* target */
};
enum mw_clause_by { MW_BY_COL, MW_BY_ROW, MW_BY_SINK };
/* short: one step on the shorter way round; where both are equal, forwards */
enum mw_clause_hop { MW_HOP_DIRECT, MW_HOP_STEP, MW_HOP_RING, MW_HOP_SHORT };

struct mw_clause {
    uint8_t kind, by, hop;
    uint8_t n_targets;
    mw_channel channel[2]; /* of its hops; [0]: while the way round the edge lies ahead */
    char target[MW_N_LETTERS]; /* role letters, in the order written */
    uint32_t line, column;     /* where it stands; 0: made by a program */
};

struct mw_route {
    uint32_t n_clauses; /* 0: no route line for this letter */
    struct mw_clause clause[MW_CLAUSES_MAX];
    uint32_t line, column;
};

enum mw_heading { MW_GO_EAST, MW_GO_SOUTH, MW_GO_WEST, MW_GO_NORTH, MW_N_HEADINGS };
/* The bit of a turn, of those that are forbidden. */
#define MW_TURN(in, out) ((uint16_t)(1u << (MW_N_HEADINGS * (in) + (out))))

/* Adaptive routes: from every source to every sink by steps, on any shortest way that makes no
 * forbidden turn. See ways.h. */
struct mw_adaptive {
    uint8_t model; /* 0: there is no such statement */
    bool escapes, escape_yx;
    mw_channel channel, escape;
    uint16_t forbidden[2]; /* at even columns, at odd ones */
    struct mw_spot at;
};

/* Legs: one put to all other cores of the row or column, by the first core, and then by each that
 * received the one before. */
struct mw_broadcast {
    mw_core core;
    uint8_t n_legs, leg[MW_LEGS_MAX]; /* enum mw_fifo_class */
    mw_channel channel, leg_channel[MW_LEGS_MAX];
    struct mw_spot at;
};

struct mw_layout {
    char name[64]; /* "" unless there is a name statement */

    uint32_t rows, cols;               /* of the mesh as it is; 1 .. MW_MESH_SIDE_MAX */
    uint32_t fifo[MW_N_CLASSES], send; /* depths in messages; 0: rendezvous, none */
    uint32_t n_channels; /* at least 1; fifo[] is the depth of each one's FIFOs */
    char channel_name[MW_CHANNELS_MAX][MW_CHANNEL_NAME]; /* "": no class statement */

    /* Roles. With `transpose` the statements describe a mesh of cols x rows, while role[]
     * is that of the mesh as it is. */
    bool has_roles, transpose;
    char *role; /* [rows * cols] 'A'..'Z' or '.'; owned; all '.' without roles */
    uint32_t sources, sinks; /* bit i: letter 'A' + i */
    struct mw_route route[MW_N_LETTERS];
    /* Of row i of the mesh that the statements describe; of the other statements. */
    struct mw_spot roles_at[MW_MESH_SIDE_MAX], sources_at, sinks_at, owner_at;
    struct mw_spot cost_at[MW_N_LETTERS];

    struct mw_adaptive adaptive;
    uint32_t n_broadcasts;
    struct mw_broadcast broadcast[MW_BROADCASTS_MAX];

    uint32_t n_buckets; /* 0 before expansion: number of sinks */
    char bucket_owner;  /* a letter, or 0: every sink */
    bool bucket_blocks; /* block instead of roundrobin */
    uint32_t spm_bytes, spm_reserve, batch_bytes, batch_buffers;
    uint32_t cost[MW_N_LETTERS]; /* cycles a core of that role spends per message */
    uint32_t message_bytes, payload_bytes;
    double clock_hz, dma_bytes_per_s; /* 1.45e9, 28.9e9 */
    uint32_t dma_saturation;          /* CPEs that saturate the controller */

    /* ---- after expansion ---- */
    uint32_t n_sources, n_sinks; /* of routed flows, or of adaptive routes */
    mw_core *source, *sink;      /* owned; of the routed flows, in mw_flow_order() */
    uint64_t *source_first; /* owned; [n_sources + 1]: number of a source's first flow */
    mw_core *next;          /* owned; [n_sinks][rows * cols]: next hop, the core itself at
                                       * the sink, MW_NO_CORE where no flow to that sink passes */
    mw_channel
        *next_channel; /* owned; [n_sinks][rows * cols], of that hop; NULL: all 0 */
    uint64_t n_routed; /* flows 0 .. n_routed - 1: source-major, self left out */
    uint64_t n_listed; /* flows n_routed .. n_flows - 1, in file order */
    uint64_t n_flows;
    uint64_t *listed_first;     /* owned; [n_listed + 1] into listed_core */
    mw_core *listed_core;       /* owned */
    mw_channel *listed_channel; /* owned; of the hop that leads to listed_core[i] */
    int64_t *listed_bucket;     /* owned; [n_listed], -1: none */
    uint32_t *listed_line;      /* owned; [n_listed] */
    uint32_t longest;           /* cores of the longest flow */
};

#define MW_NO_CORE ((mw_core)0xFFFF)

/* ---- diagnostics --------------------------------------------------------------------- */

struct mw_diagnostic {
    uint32_t line, column; /* from 1; column in bytes */
    bool warning;
    char text[320];
};

/* Errors and warnings in the order of the file; some 8 KiB, which a stack has. At most
 * MW_DIAGNOSTICS_MAX of each are kept; the counts go on. */
struct mw_diagnostics {
    uint32_t n_errors, n_warnings; /* found */
    uint32_t n_kept;
    struct mw_diagnostic kept[2 * MW_DIAGNOSTICS_MAX];
};

void mw_diagnose(struct mw_diagnostics *d, bool warning, uint32_t line, uint32_t column,
                 const char *fmt, ...) MW_PRINTF(5, 6);
/* "file:line:col: error: text" each, below it the line of the text that it speaks of with a caret
 * (text NULL: without), and one more line when some were not kept. */
void mw_diagnostics_show(const struct mw_diagnostics *d, const char *file,
                         const char *text, size_t bytes, FILE *out);

/* ---- life ---------------------------------------------------------------------------- */

/* All functions are local. A layout with the defaults of the language and no flows; rows and
 * columns within 1 .. MW_MESH_SIDE_MAX (asserted). */
int mw_layout_new(uint32_t rows, uint32_t cols, struct mw_layout **out) MW_NODISCARD;
void mw_layout_free(struct mw_layout *l); /* NULL is legal */

/* Adds a listed flow to a layout that is not expanded yet; bucket -1: none. Errors:
 * MW_ERR_DATA if a hop is illegal or there are fewer than two cores or more than
 * MW_FLOW_CORES_MAX, MW_ERR_NOMEM. */
int mw_layout_add_flow(struct mw_layout *l, const mw_core *core, uint32_t n,
                       int64_t bucket, uint32_t line) MW_NODISCARD;

/* The same, each hop in a channel, channel[n - 1]; NULL: all in 0. MW_ERR_DATA as well where there
 * is no such channel. */
int mw_layout_add_flow_in(struct mw_layout *l, const mw_core *core,
                          const mw_channel *channel, uint32_t n, int64_t bucket,
                          uint32_t line) MW_NODISCARD;

/* Roles and routes to flows; once. What is wrong is added to `d`, and makes the result
 * MW_ERR_DATA. Cost: sinks x cores, whatever the number of flows. */
int mw_layout_expand(struct mw_layout *l, struct mw_diagnostics *d) MW_NODISCARD;

/* Text to an expanded layout; `text` need not end in a zero or a newline. MW_ERR_DATA when
 * `d` holds errors; *out is then NULL. */
int mw_layout_parse(const char *text, size_t bytes, struct mw_layout **out,
                    struct mw_diagnostics *d) MW_NODISCARD;
/* The same from a file ("-": standard input) of at most MW_LAYOUT_BYTES_MAX bytes.
 * MW_ERR_NOINPUT when it cannot be read; its message is then the recorded error. */
int mw_layout_read(const char *path, struct mw_layout **out, struct mw_diagnostics *d)
    MW_NODISCARD;

/* The layout as a text of the language, every default written out; parsing it gives the same
 * layout again. */
void mw_layout_print(const struct mw_layout *l, FILE *out);
/* Any text of the language with its words one blank apart: comments, order and blank lines
 * stay. `text` must parse. */
void mw_layout_format(const char *text, size_t bytes, FILE *out);

/* The text of a ready layout for a mesh of rows x cols. Kinds: mw_layout_kinds[], ended by
 * NULL. MW_ERR_USAGE: no such kind, or the mesh is too small for it. */
extern const char *const mw_layout_kinds[];
int mw_layout_generate(const char *kind, uint32_t rows, uint32_t cols, FILE *out)
    MW_NODISCARD;

/* ---- reading an expanded layout ------------------------------------------------------ */

/* Where a core comes among sources or sinks: row-major in the mesh that the statements describe,
 * which is column-major here with `transpose`. */
MW_FN uint32_t mw_flow_order(const struct mw_layout *l, mw_core v)
{
    return l->transpose ? v % l->cols * l->rows + v / l->cols : v;
}
/* The number of the flow from source s to sink k, which are not one core: a source that is a sink as
 * well has no flow to itself, and those behind it move up. */
MW_FN uint64_t mw_routed_flow(const struct mw_layout *l, uint32_t s, uint32_t k)
{
    const uint64_t first = l->source_first[s];
    const bool is_sink = l->source_first[s + 1] - first < l->n_sinks;
    return first + k -
           (is_sink && mw_flow_order(l, l->sink[k]) > mw_flow_order(l, l->source[s]));
}
/* Flow i as the list of its cores; `core` has room for l->longest. Returns their number. */
uint32_t mw_layout_flow(const struct mw_layout *l, uint64_t i, mw_core *core);
/* The same, and the channels of its hops: one less, channel[h] from core[h] to core[h + 1]. */
uint32_t mw_layout_flow_in(const struct mw_layout *l, uint64_t i, mw_core *core,
                           mw_channel *channel);
/* Whether messages have several ways, or go several at once: then flows do not tell all that they
 * can do, and only layouts/ways/ proves. */
MW_FN bool mw_layout_has_ways(const struct mw_layout *l)
{
    return l->adaptive.model != 0 || l->n_broadcasts > 0;
}
/* Of the hop from v to sink number k. */
MW_FN mw_channel mw_next_channel(const struct mw_layout *l, uint32_t k, mw_core v)
{
    return l->next_channel == NULL ? 0
                                   : l->next_channel[(size_t)k * l->rows * l->cols + v];
}
/* The number of the channel of that name; n_channels: there is none. */
uint32_t mw_channel_find(const struct mw_layout *l, const char *name, size_t bytes);
/* "0,0 > 0,1 > 1,1"; of many cores the first, and how many there are: " > ... (40 cores)". */
enum { MW_PATH_SHOWN = 16 };
void mw_path_print(const struct mw_layout *l, const mw_core *core, uint32_t n, FILE *out);
/* The sinks of the bucket map: all sinks, or those of role `bucket_owner`; without roles, the
 * last cores of the listed flows. Row-major; returns their number; `core` has room for all
 * cores of the mesh. */
uint32_t mw_layout_owners(const struct mw_layout *l, mw_core *core);

MW_FN uint32_t mw_mesh_cores(const struct mw_layout *l)
{
    return l->rows * l->cols;
}
MW_FN mw_core mw_core_at(const struct mw_layout *l, uint32_t row, uint32_t col)
{
    return (mw_core)(row * l->cols + col);
}
MW_FN uint32_t mw_core_row(const struct mw_layout *l, mw_core v)
{
    return v / l->cols;
}
MW_FN uint32_t mw_core_col(const struct mw_layout *l, mw_core v)
{
    return v % l->cols;
}
/* Of a legal hop. */
MW_FN enum mw_fifo_class mw_hop_class(const struct mw_layout *l, mw_core from, mw_core to)
{
    return mw_core_row(l, from) == mw_core_row(l, to) ? MW_ROW : MW_COLUMN;
}
MW_FN bool mw_hop_legal(const struct mw_layout *l, mw_core from, mw_core to)
{
    return from != to && (mw_core_row(l, from) == mw_core_row(l, to) ||
                          mw_core_col(l, from) == mw_core_col(l, to));
}

/* A bucket that several cores write: the last cores of the flows that name it. A routed flow ends
 * at the one owner of its bucket, so only listed flows can be wrong here. */
enum { MW_WRITERS_SHOWN = 12 };
struct mw_writers {
    int64_t bucket;
    uint32_t n;                     /* at least 2 */
    mw_core core[MW_WRITERS_SHOWN]; /* the first of them, row-major */
    uint64_t second; /* the first listed flow that is not of the first writer */
};
/* Lists the first `room` such buckets, ascending; *n_shared: how many there are in all. */
int mw_layout_writers(const struct mw_layout *l, struct mw_writers *out, uint32_t room,
                      uint64_t *n_shared) MW_NODISCARD;

/* Cycles per message of the core's role; 32 for a core without one. */
uint32_t mw_core_cost(const struct mw_layout *l, mw_core v);

/* ---- the three models and their nodes ------------------------------------------------ */

/* What a core that is stuck in a put still does, and hence what waits for what:
 * coupled     nothing: one thread, blocking put. A node is a core.
 * decoupled   drains its other input class. A node is a receive FIFO.
 * link        one FIFO per (sender, receiver), served independently. A node is a link. */
enum mw_mesh_model { MW_COUPLED, MW_DECOUPLED, MW_LINK, MW_N_MODELS };

extern const char *const mw_mesh_model_names[MW_N_MODELS]; /* "coupled", ... */

/* coupled: the core. decoupled: 2 * core + class. link: from * (rows + cols) + slot, where
 * slot is the receiver's column if it is in the same row, else cols + the receiver's row.
 * Those of channel k, which the coupled model does not tell apart, begin behind all of k - 1. */
typedef uint32_t mw_mesh_node;

uint32_t mw_mesh_nodes(const struct mw_layout *l,
                       enum mw_mesh_model m); /* their number */
/* The node that the hop ends in: the receiver, its FIFO, the link. (In the coupled model the
 * node a flow starts at has no hop before it: it is the core itself.) */
mw_mesh_node mw_hop_node(const struct mw_layout *l, enum mw_mesh_model m, mw_core from,
                         mw_core to); /* in channel 0 */
mw_mesh_node mw_channel_node(const struct mw_layout *l, enum mw_mesh_model m,
                             mw_core from, mw_core to, mw_channel channel);
mw_channel mw_node_channel(const struct mw_layout *l, enum mw_mesh_model m,
                           mw_mesh_node n);
/* The core whose FIFO, link or self the node is: the receiver. */
mw_core mw_node_core(const struct mw_layout *l, enum mw_mesh_model m, mw_mesh_node n);

/* Of a node that is a FIFO or a link. */
MW_FN enum mw_fifo_class mw_fifo_class_of(const struct mw_layout *l, enum mw_mesh_model m,
                                          mw_mesh_node n)
{
    if (m == MW_DECOUPLED)
        return n % MW_N_CLASSES == MW_ROW ? MW_ROW : MW_COLUMN;
    return n % (l->rows + l->cols) < l->cols ? MW_ROW : MW_COLUMN;
}

/* "0,1", "0,1.R", "0,1>0,3"; of a layout with classes "0,1.R.reply". Returns out. */
enum { MW_NODE_NAME = 28 };
const char *mw_node_name(const struct mw_layout *l, enum mw_mesh_model m, mw_mesh_node n,
                         char out[MW_NODE_NAME]);
const char *mw_core_name(const struct mw_layout *l, mw_core v, char out[MW_NODE_NAME]);
/* The whole text must be a node of the mesh; MW_ERR_DATA otherwise, with a message. */
int mw_node_parse(const struct mw_layout *l, enum mw_mesh_model m, const char *text,
                  mw_mesh_node *out) MW_NODISCARD;

MW_END_DECLS
#endif
