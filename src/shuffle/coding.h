/* coding.h -- a batch's image in fewer bytes, for links on which bytes are what takes time.
 *
 *      | head | n bytes, their check | segment segment ... | stretch | stretch | ... |
 *
 * A stretch is what one sender made, sorted by child and coded (codec.h): senders stay apart, the
 * order of a sender's records says nothing. A batch that would not get smaller stays as it is. So a
 * coded image always fits where the plain one would, and whoever receives it posts the same room.
 *
 * The records of a plain batch may be anything, and kernels look at them; a flipped bit of a coded one
 * changes many, so it comes with a check of 32 bits, and one that does not hold is refused.
 *
 * A coder belongs to one thread, the management core's. It exchanges the memory of images between
 * the batch it is given and one of its own; it must be freed after the last of those batches was
 * used, as what is received into, too: when the transport is closed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CODING_H
#define MW_CODING_H

#include "shuffle/codec.h"

MW_BEGIN_DECLS

/* What coding has come to so far: of what it was asked to code, and of what it decoded. */
struct mw_coding_count {
    double code_s, decode_s;
    double plain_bytes, coded_bytes; /* of images, before and after */
    double decoded_bytes;            /* of images, after */
};

struct mw_coder {
    struct mw_coding_count count;
    uint32_t record_bytes;
    char *sorted;               /* records, as many as a batch has */
    struct mw_batch_pool *pool; /* of one batch: */
    struct mw_batch *other;     /* where the next image is written */
};

int mw_coder_new(uint32_t capacity, uint32_t record_bytes, struct mw_coder **out)
    MW_NODISCARD;
void mw_coder_free(struct mw_coder *c);
/* What mw_coder_new() takes. */
void mw_coder_sizes(uint32_t capacity, uint32_t record_bytes, enum mw_when when,
                    struct mw_sizes *out);

/* Codes the image of a closed batch of the coder's capacity; false: it would not get
 * smaller, and is as it was but for the order of records. */
bool mw_coder_code(struct mw_coder *c, enum mw_coding coding, struct mw_batch *b);

/* The reverse, for an image that mw_batch_check() has passed. Refuses (MW_ERR_INTERNAL) what
 * mw_coder_code() does not write, and leaves it as it is. */
int mw_coder_decode(struct mw_coder *c, struct mw_batch *b, uint32_t n_ranks)
    MW_NODISCARD;

MW_END_DECLS
#endif
