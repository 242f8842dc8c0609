/* pack.h -- a state of a net in as few words as what can stand in each buffer needs,
 * and the steps on it.
 *
 * A buffer takes capacity x bits, bits for the codes 0 .. n_messages; its head is lowest, so
 * that taking is a shift. A buffer never straddles two words; one that needs more than a word
 * (deep FIFOs) has whole words of its own, with whole entries in each.
 *
 *      word   | ... | 0 | 3 | 1 |      a FIFO of depth 3 with two messages
 *                    last    head
 *
 * A buffer is full when its last entry is not 0. The state without messages is 0, but for one
 * bit that makes the net's wall full.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_PACK_H
#define MW_LAYOUT_PACK_H

#include "layouts/explore/net.h"

MW_BEGIN_DECLS

enum { MW_PACK_WORDS_MAX = 64, MW_PACK_BITS_MAX = 32 };

struct mw_net_field {
    uint64_t mask;  /* its bits; of a wide buffer: those that are used in each word */
    uint64_t last;  /* of its last entry, in word[last_word] */
    uint32_t head;  /* bits of one entry, shifted down */
    uint32_t first; /* code c moves as move[first + c] says */
    uint16_t word, last_word;
    uint8_t shift, bits;
    bool wide;
};

struct mw_source_group { /* sources [first, end) put into one buffer */
    uint32_t to, first, end;
};

struct mw_net_packing {
    const struct mw_net *net; /* borrowed */
    uint32_t n_words, n_groups;
    bool any_wide;
    struct mw_net_field *field;    /* owned; [n_buffers + 2] */
    struct mw_source_group *group; /* owned */
    uint64_t start[MW_PACK_WORDS_MAX];
    uint8_t filled[MW_PACK_BITS_MAX + 1][64]; /* [bits][highest bit set]: rounded up */

    /* scratch of the search for a wait-for cycle */
    uint32_t *waits, *blocked; /* owned; [n_buffers + 2] */
    uint64_t *seen, stamp;     /* owned */
    bool *stuck;               /* owned; [n_buffers + 2], of a mesh with ways */
};

/* Local. Errors: MW_ERR_NOMEM; MW_ERR_REFUSED if a state needs more than MW_PACK_WORDS_MAX
 * words (the message says how many). */
int mw_net_packing_init(struct mw_net_packing *k, const struct mw_net *net) MW_NODISCARD;
void mw_net_packing_fini(struct mw_net_packing *k); /* zeroed is legal */

struct mw_successors {
    uint32_t n, n_moves; /* all; those that are no injections, which come first */
    bool dead;           /* the state holds a wait-for cycle */
};

/* Writes the successors of `s` behind each other; room: n_buffers (times the most ways of a message)
 * + n_sources states. No new
 * message at or above `inflight` of them; 0: no bound. */
struct mw_successors mw_net_packing_expand(struct mw_net_packing *k, const uint64_t *s,
                                           uint64_t inflight, uint64_t *out);
/* The step that leads from one state to its successor. */
struct mw_step mw_net_packing_step(const struct mw_net_packing *k, const uint64_t *from,
                                   const uint64_t *to);
/* Messages in buffer p; code of its head, 0: none. */
uint32_t mw_net_packing_fill(const struct mw_net_packing *k, const uint64_t *s,
                             uint32_t p);
uint32_t mw_net_packing_head(const struct mw_net_packing *k, const uint64_t *s,
                             uint32_t p);

MW_END_DECLS
#endif
