/* boxes.h -- items from core to core of a host: the shuffle where cores share memory.
 *
 *      consumer   of a chunk of numbers: the one core that changes what belongs to them
 *      producer   puts an item into the box that it fills for a consumer
 *      box        some lines of cache; a full one is followed by another of the same producer. The first box for a
 *                 consumer says in which phase it was filled, and where the items end
 *
 * Items are put in one phase and taken in the next, so boxes are there twice, for even and for odd phases. Who puts and
 * who takes meet in between (traversal/crew.h). Nobody writes what another core writes, and nothing is atomic. A box of an
 * older phase is empty: who has nothing for a consumer writes nothing, and the consumer reads a line that it still has.
 * All items are of one size, of which a box holds a whole number.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_BOXES_H
#define MW_BOXES_H

#include "base/fetch.h"

#include <string.h>

MW_BEGIN_DECLS

enum { MW_BOX_BYTES = 512, MW_BOX_HEAD = 32, MW_BOX_ROOM = MW_BOX_BYTES - MW_BOX_HEAD };

/* Each of so many at most fills boxes for each, which take some 140 MB in all. */
enum { MW_BOX_CORES = 256 };

struct mw_box {
    uint64_t phase;  /* of a first box: of what is in it */
    uint32_t end;    /* of a first box: of its items and those in later ones */
    uint32_t before; /* the box that the producer has filled before; MW_NO_BOX: none */
    char fill[MW_BOX_HEAD - 16];
    char item[MW_BOX_ROOM];
};
#define MW_NO_BOX UINT32_MAX
MW_STATIC_ASSERT(sizeof(struct mw_box) == MW_BOX_BYTES, "whole lines");

/* Borrowed memory of mw_boxes_bytes(), all 0 at first, for all cores that put and take; begins with a line of cache. */
struct mw_boxes {
    char *memory;
    uint32_t n_from, n_to; /* producers, and consumers of each */
    uint32_t n_boxes;      /* of a producer, in one phase */
};

/* For each producer, for even and odd phases: where the items for each consumer end, as bytes from the first box; and the
 * boxes. */
MW_FN uint64_t mw_boxes_ends_bytes(uint64_t n_to)
{
    return mw_round_up(n_to * sizeof(uint32_t), MW_CACHE_LINE);
}
MW_FN uint64_t mw_boxes_bytes(uint64_t n_from, uint64_t n_to, uint64_t n_boxes)
{
    return 2 * n_from * (mw_boxes_ends_bytes(n_to) + n_boxes * MW_BOX_BYTES);
}
/* Boxes with which a producer can put so many items, wherever they go. */
MW_FN uint64_t mw_boxes_for(uint64_t n_to, uint64_t n_items, uint64_t item_bytes)
{
    return n_to + n_items / (MW_BOX_ROOM / item_bytes) + 1;
}

MW_FN struct mw_box *mw_boxes_of(const struct mw_boxes *b, uint64_t phase, uint32_t core)
{
    const uint64_t ends = mw_boxes_ends_bytes(b->n_to),
                   bytes = ends + (uint64_t)b->n_boxes * MW_BOX_BYTES;
    return (struct mw_box *)(b->memory + ((phase & 1) * b->n_from + core) * bytes + ends);
}

/* Whose a chunk is. They are dealt out at random, for neighbours in a chunk are alike. */
MW_FN uint32_t mw_consumer_of(uint32_t chunk, uint32_t n_cores)
{
    return (uint32_t)((uint64_t)(chunk * UINT32_C(0x9E3779B1)) * n_cores >> 32);
}

/* ---- Put ------------------------------------------------------------------------------------- */

/* A producer's, in one phase. */
struct mw_box_writer {
    uint32_t *end; /* by consumer; 0: nothing is put yet */
    struct mw_box *box;
    uint64_t phase;
    uint32_t n_used, n_boxes, n_to;
};

/* The lines of a box that will be filled are those of who took from it last. */
MW_FN void mw_box_fetch(const struct mw_box_writer *w, uint32_t i)
{
    for (uint32_t k = 0; i < w->n_boxes && k < MW_BOX_BYTES; k += MW_CACHE_LINE)
        mw_fetch_own((char *)&w->box[i] + k);
}

/* Phases are counted from 1, and none comes twice. `many`: to each consumer, most likely. mw_boxes_end() follows. */
MW_FN struct mw_box_writer mw_boxes_begin(const struct mw_boxes *b, uint64_t phase,
                                          uint32_t core, bool many)
{
    struct mw_box *const box = mw_boxes_of(b, phase, core);
    const struct mw_box_writer w = {
        .end = (uint32_t *)((char *)box - mw_boxes_ends_bytes(b->n_to)),
        .box = box,
        .phase = phase,
        .n_used = b->n_to,
        .n_boxes = b->n_boxes,
        .n_to = b->n_to};
    for (uint32_t k = 0; many && k < b->n_to; k++)
        mw_box_fetch(&w, k);
    memset(w.end, 0, b->n_to * sizeof *w.end);
    return w;
}

/* What was put can be taken in the next phase. */
MW_FN void mw_boxes_end(const struct mw_box_writer *w)
{
    for (uint32_t k = 0; k < w->n_to; k++)
        if (w->end[k] != 0)
            w->box[k].end = w->end[k];
}

/* So many items have room, wherever they go. */
MW_FN uint64_t mw_box_room(const struct mw_box_writer *w, uint32_t item_bytes)
{
    const uint32_t left = w->n_boxes - w->n_used;
    return mw_max(left, left > w->n_to
                            ? (uint64_t)(left - w->n_to) * (MW_BOX_ROOM / item_bytes)
                            : 0);
}

/* Where the next item for a consumer goes, when a box has ended, or there is none. */
MW_FN uint32_t mw_box_open(struct mw_box_writer *w, uint32_t to, uint32_t end)
{
    const uint32_t i = end == 0 ? to : w->n_used++;
    w->box[i].before = end == 0 ? MW_NO_BOX : end / MW_BOX_BYTES - 1;
    if (end == 0)
        w->box[i].phase = w->phase;
    else
        mw_box_fetch(w, w->n_used);
    return i * MW_BOX_BYTES + MW_BOX_HEAD;
}

/* There is room. `bytes` is a constant. */
MW_FN void mw_box_put(struct mw_box_writer *w, uint32_t to, const void *item,
                      uint32_t bytes)
{
    uint32_t end = w->end[to];
    if (MW_UNLIKELY(end % MW_BOX_BYTES == 0))
        end = mw_box_open(w, to, end);
    memcpy((char *)w->box + end, item, bytes);
    w->end[to] = end + bytes;
}

/* ---- Take ------------------------------------------------------------------------------------ */

/* What a producer has put for a consumer, box by box, the last one first. `item` is NULL: that was all. */
struct mw_box_reader {
    const struct mw_box *box;
    const void *item;
    uint32_t at, n_bytes;
};

MW_FN void mw_box_look(struct mw_box_reader *r)
{
    const uint32_t before = r->box[r->at].before;
    r->item = r->box[r->at].item;
    for (uint32_t k = 0; before != MW_NO_BOX && k < MW_BOX_BYTES; k += MW_CACHE_LINE)
        __builtin_prefetch((const char *)&r->box[before] + k);
}

MW_FN struct mw_box_reader mw_box_first(const struct mw_boxes *b, uint64_t phase,
                                        uint32_t from, uint32_t to)
{
    struct mw_box_reader r = {
        .box = mw_boxes_of(b, phase, from), .item = NULL, .at = 0, .n_bytes = 0};
    const uint32_t end = r.box[to].end;
    if (r.box[to].phase != phase || end == 0) /* before the first phase nothing was put */
        return r;
    r.at = (end - 1) / MW_BOX_BYTES;
    r.n_bytes = end - r.at * MW_BOX_BYTES - MW_BOX_HEAD;
    mw_box_look(&r);
    return r;
}

MW_FN void mw_box_next(struct mw_box_reader *r)
{
    r->at = r->box[r->at].before;
    r->n_bytes = MW_BOX_ROOM;
    if (r->at == MW_NO_BOX)
        r->item = NULL;
    else
        mw_box_look(r);
}

MW_END_DECLS
#endif
