/* sizes.h -- how large the blocks of a structure are, written down once: who allocates takes
 * them from the table, and who predicts (meshway plan) adds it up.
 *
 *      mw_graph_sizes() -> table -+-> MW_TAKE(rc, g->degree, &table, "degrees")
 *                                 +-> mw_size_taken(): bytes of the row, as mem.h counts them
 *
 * Rows are found by name, which is also what mw_alloc() calls the block: so counted blocks and
 * predicted rows can be compared one by one (tests/test_sizes.c).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_SIZES_H
#define MW_SIZES_H

#include "base/mem.h"

MW_BEGIN_DECLS

/* Bytes of what nobody could have are UINT64_MAX, and not a small number. */
MW_FN uint64_t mw_saturating_times(uint64_t a, uint64_t b)
{
    uint64_t c;
    return __builtin_mul_overflow(a, b, &c) ? UINT64_MAX : c;
}
MW_FN uint64_t mw_saturating_plus(uint64_t a, uint64_t b)
{
    uint64_t c;
    return __builtin_add_overflow(a, b, &c) ? UINT64_MAX : c;
}

/* While it is there. The last three are never there together. */
enum mw_when { MW_ALWAYS, MW_COUNTING, MW_BUILDING, MW_SEARCHING, MW_WHENS };

/* Whose memory it is taken from: the host's; that of the cores, which may be apart from it
 * (cpe/memory.h); or what both reach, which is the host's too. */
enum mw_memory_kind { MW_OF_HOST, MW_OF_CORES, MW_OF_BOTH };

struct mw_size {
    const char *what;
    uint64_t n, bytes; /* elements of a block, and bytes of an element */
    uint64_t
        copies; /* blocks like this one, one per core for instance; 0: it is not made */
    enum mw_when when;
    enum mw_memory_kind kind;
    bool of_host;     /* one for all ranks of a host */
    bool spare;       /* less is taken where there is less: nobody has to have it */
    bool estimated;   /* only the data can tell; nobody allocates by such a row */
    bool folded;      /* `n` is the sum of other rows, as taken */
    uint32_t touched; /* per thousand: the rest is mapped and never becomes memory */
};

enum { MW_SIZES_MOST = 256 }; /* some 120, and 3 for each of 16 ways */

struct mw_sizes {
    uint32_t n;
    bool no_records; /* cores of devices make none: their kernels need no rooms for any */
    struct mw_size row[MW_SIZES_MOST];
};

/* One block, exact, wholly used, of this rank: what is different is changed in the row that comes
 * back. It stays where it is until the table goes. */
MW_SHOWN struct mw_size *mw_sizes_add(struct mw_sizes *s, enum mw_when when,
                                      const char *what, uint64_t n, uint64_t bytes);

/* The same for a block of another kind of memory. */
MW_SHOWN struct mw_size *mw_sizes_add_of(struct mw_sizes *s, enum mw_memory_kind kind,
                                         enum mw_when when, const char *what, uint64_t n,
                                         uint64_t bytes);

/* All that is of cores becomes the host's, for the host reaches it: one memory, one sum. */
void mw_sizes_of_host(struct mw_sizes *s);

/* All rows of `parts`, none of a host and all of one kind of memory, as one. */
MW_SHOWN struct mw_size *mw_sizes_fold(struct mw_sizes *s, enum mw_when when,
                                       const char *what, const struct mw_sizes *parts);

/* A row of so many threads' stacks: address space, hardly any of it memory. */
void mw_sizes_add_stacks(uint32_t n_threads, struct mw_sizes *s);

/* A row of this name, whichever comes first. There must be one. */
MW_SHOWN const struct mw_size *mw_sizes_find(const struct mw_sizes *s, const char *what);

/* Bytes that all copies take, as mw_mem_in_use() counts them, or mw_mem_apart() what is of cores;
 * of those, what becomes memory: all that is of cores.
 * What a host shares is divided by its ranks. Saturating. */
uint64_t mw_size_taken(const struct mw_size *size, uint64_t host_ranks);
uint64_t mw_size_touched(const struct mw_size *size, uint64_t host_ranks);

/* One of the blocks; elements must be as large as the table says. NULL: not made, or failed. */
MW_SHOWN void *mw_sizes_take(const struct mw_sizes *s, const char *what, uint64_t bytes);

#define MW_TAKE(rc, ptr, sizes, what)                                                    \
    do {                                                                                 \
        (ptr) = mw_sizes_take((sizes), (what), sizeof *(ptr));                           \
        if ((ptr) == NULL && mw_sizes_find((sizes), (what))->copies > 0) {               \
            (rc) = MW_ERR_NOMEM;                                                         \
            goto end;                                                                    \
        }                                                                                \
    } while (0)
#define MW_NEED_TAKE(ptr, sizes, what)                                                   \
    do {                                                                                 \
        (ptr) = mw_sizes_take((sizes), (what), sizeof *(ptr));                           \
        if ((ptr) == NULL && mw_sizes_find((sizes), (what))->copies > 0)                 \
            return MW_ERR_NOMEM;                                                         \
    } while (0)

MW_END_DECLS
#endif
