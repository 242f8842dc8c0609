/* aie.h -- an AI Engine design between its text and its routes: what each box does with a
 * stream that comes in by a port. For aie.c, which reads it, and aie_streams.c, which follows
 * the streams.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_AIE_H
#define MW_AIE_H

#include "layouts/routes/network.h"
#include "mesh/lang/words.h"

MW_BEGIN_DECLS

enum {
    MW_AIE_SIDE_MAX = 64,
    MW_AIE_N_BOXES = 2 * MW_AIE_SIDE_MAX * MW_AIE_SIDE_MAX,
    MW_AIE_PORT_MAX = 64,
    MW_AIE_N_ARBITERS = 6
};
enum { MW_AIE_N_PACKETS = 32, MW_AIE_NONE = -1 };

enum mw_aie_bundle {
    MW_AIE_CORE,
    MW_AIE_DMA,
    MW_AIE_FIFO,
    MW_AIE_SOUTH,
    MW_AIE_WEST,
    MW_AIE_NORTH,
    MW_AIE_EAST,
    MW_AIE_TRACE,
    MW_AIE_CONTROL,
    MW_AIE_OTHER,
    MW_AIE_N_BUNDLES
};
extern const char *const mw_aie_bundles[MW_AIE_N_BUNDLES + 1]; /* ended by NULL */

struct mw_aie_port {
    int bundle, channel;
};

/* What a box does with a stream: from a port by circuit to a port, or by rule to an arbiter; or
 * from an arbiter to a port. */
struct mw_aie_way {
    int next; /* of the same box, in the order of the text; MW_AIE_NONE: the last */
    struct mw_aie_port from, to;
    int mask, value, arbiter, select; /* arbiter MW_AIE_NONE: a circuit */
    uint32_t line;
};
enum { MW_AIE_BY_PORT, MW_AIE_BY_ARBITER, MW_AIE_N_LISTS };

struct mw_aie_flow {
    int packet; /* MW_AIE_NONE: a circuit */
    uint32_t tile[2], line;
    struct mw_aie_port port[2];
    bool routed;
};

struct mw_aie_fifo {
    uint32_t name, line, tile, source; /* source: a node; UINT32_MAX: the tile's */
    uint32_t n_sinks, sink[MW_AIE_N_PACKETS], depth[MW_AIE_N_PACKETS], end;
};

struct mw_aie {
    struct mw_network *n;
    struct mw_diagnostics *d;
    const char *at, *end;
    uint32_t line, braces;
    struct mw_word word;   /* the token in hand; bytes 0: the end */
    struct mw_word result; /* "%x" of "%x = " */
    int first_core_row;
    struct mw_vocabulary tiles, fifos, selects; /* the last: of the box */
    uint32_t *tile;                             /* column * MW_AIE_SIDE_MAX + row */
    struct mw_aie_port *select;                 /* arbiter, select */
    /* Boxes: 2 * tile, and its multiplexer behind it. Their ways by port, by arbiter. */
    int *list[MW_AIE_N_LISTS], *last[MW_AIE_N_LISTS];
    bool *is_there;
    /* [tiles][MW_AIE_PORT_MAX]: descriptors of a DMA that receives */
    uint16_t *deep;
    struct mw_aie_way *way;
    uint32_t n_ways;
    struct mw_aie_flow *flow;
    uint32_t n_flows;
    struct mw_aie_fifo *fifo;
    uint32_t n_fifos;
    bool failed;
};

/* ---- tokens: aie_words.c; false after a message, and `failed` is set ------------------- */

bool mw_aie_complain(struct mw_aie *a, const char *text);
/* The token in hand is not what was expected. */
bool mw_aie_wrong(struct mw_aie *a, const char *expected);
/* The next token into the hand; false: there is none, which is no failure. */
bool mw_aie_next(struct mw_aie *a);
bool mw_aie_is(const struct mw_aie *a, const char *text); /* the one in hand */
bool mw_aie_take(struct mw_aie *a, const char *text);
bool mw_aie_take_number(struct mw_aie *a, int most, int *out);
bool mw_aie_take_tile(struct mw_aie *a, uint32_t *box);
/* The number of the name in hand, which must be there. */
bool mw_aie_find(struct mw_aie *a, const struct mw_vocabulary *names, const char *what,
                 uint32_t *out);
/* Tokens by a pattern: one character each as it is, but T a tile (uint32_t *), P a port, N a
 * number (its largest, then int *). */
bool mw_aie_take_all(struct mw_aie *a, const char *pattern, ...);

/* The design's routes into a->n. */
int mw_aie_follow(struct mw_aie *a) MW_NODISCARD;

MW_END_DECLS
#endif
