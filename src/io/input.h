/* input.h -- an input file that nobody trusts: opened once, its size taken once,
 * read by position and in bounded pieces.
 *
 * Files are not mapped: a mapped file that somebody truncates is a SIGBUS in the
 * middle of a loop, a short read is an error with a text. All functions are local.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_INPUT_H
#define MW_INPUT_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Text with titles that was made of a file of another kind; nodes: whose vertices have names, be they
 * numbers or not. */
enum mw_converted { MW_NOT_CONVERTED, MW_CONVERTED, MW_CONVERTED_NODES };

struct mw_input {
    char name[160]; /* of the file, for messages; as it is, shortened in front */
    uint64_t bytes; /* when it was opened */
    int fd;         /* -1: none */
    const unsigned char *data; /* the content if it is in memory; borrowed */
    enum mw_converted converted;
};

/* MW_ERR_NOINPUT with the path and the reason; only regular files are taken, because
 * several ranks read parts of one. */
int mw_input_open(struct mw_input *in, const char *path) MW_NODISCARD;
/* A regular file that is open already, and how many bytes of it count. Takes the descriptor. */
void mw_input_take(struct mw_input *in, const char *name, int fd, uint64_t bytes);
void mw_input_memory(struct mw_input *in, const char *name, const void *data,
                     uint64_t bytes);
void mw_input_close(struct mw_input *in);

/* Exactly `bytes` from `offset`, or an error; offset + bytes <= in->bytes. Also
 * MW_ERR_INTERRUPTED (base/stop.h), so that whoever reads block by block can be ended. */
int mw_input_read(const struct mw_input *in, uint64_t offset, void *to, uint64_t bytes)
    MW_NODISCARD;

/* A hash of the size and of up to 64 pieces of 4 KiB spread over the file: equal on
 * all ranks unless they see different files. Not a checksum. */
int mw_input_fingerprint(const struct mw_input *in, uint64_t *hash) MW_NODISCARD;

/* Copies what stands at `from` for a message, which mw_fail() escapes: at most `room` - 1
 * bytes, up to the end of the line or to a zero, which is shown as such. */
void mw_input_quote(char *to, size_t room, const char *from, size_t bytes);

/* Where part `part` of `total` things in n_parts begins; part = n_parts: the end. */
MW_FN uint64_t mw_share_begin(uint64_t total, uint32_t part, uint32_t n_parts)
{
    return total / n_parts * part + mw_min(part, total % n_parts);
}

MW_END_DECLS
#endif
