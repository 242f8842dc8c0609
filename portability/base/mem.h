/* mem.h -- all memory of any size comes from here: aligned to a cache line,
 * named, counted, and able to fail on demand.
 *
 * Large blocks are mapped and backed by huge pages where the system grants
 * them: a traversal is made of random reads, and a TLB miss costs as much as the
 * read itself. Mapped blocks are zero and untouched, so the thread that first
 * writes a page decides where it lies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MEM_H
#define MW_MEM_H

#include "base/status.h"

MW_BEGIN_DECLS

/* n * size zeroed bytes, or NULL with an error recorded that names `what`
 * ("row offsets") and stays valid as long as the block. n * size may be 0: the result is
 * then a valid pointer. */
MW_SHOWN void *mw_alloc(const char *what, uint64_t n, uint64_t size);
MW_SHOWN void mw_free(void *p); /* NULL is legal */
/* All of them. */
MW_SHOWN void mw_free_each(void *const *p, size_t n);
#define MW_FREE_ALL(...)                                                                 \
    mw_free_each((void *const[]){__VA_ARGS__},                                           \
                 sizeof((void *const[]){__VA_ARGS__}) / sizeof(void *))

/* Gives the end of a block back to the system; the pointer stays valid for the
 * first `bytes`. */
void mw_shrink(void *p, uint64_t bytes);

/* Pages that begin where a huge page may, by mmap()'s PROT_ words, not counted here: the caller
 * unmaps them. NULL: there are no such addresses. */
char *mw_map(uint64_t bytes, int protection);

/* What a block for so many bytes takes, its head and the rounding included; and what is left of
 * it when it is shrunk. Saturating. */
uint64_t mw_block_bytes(uint64_t bytes);
uint64_t mw_block_left(uint64_t bytes, uint64_t shrunk_to);

#define MW_NEW(rc, ptr, what, n)                                                         \
    do {                                                                                 \
        (ptr) = mw_alloc((what), (n), sizeof *(ptr));                                    \
        if ((ptr) == NULL) {                                                             \
            (rc) = MW_ERR_NOMEM;                                                         \
            goto end;                                                                    \
        }                                                                                \
    } while (0)
#define MW_NEED_NEW(ptr, what, n)                                                        \
    do {                                                                                 \
        (ptr) = mw_alloc((what), (n), sizeof *(ptr));                                    \
        if ((ptr) == NULL)                                                               \
            return MW_ERR_NOMEM;                                                         \
    } while (0)

/* A block with room for `used` + `more` elements of `size` bytes, the old one or a larger copy of it, which is
 * given back; NULL with an error recorded, and the old one stays. A block has room for the next power of two above what
 * it holds, MW_FIRST_ROOM at least, so nobody keeps its room. block: NULL, or from here. */
enum { MW_FIRST_ROOM = 16 };
void *mw_grown(const char *what, void *block, uint64_t used, uint64_t more,
               uint64_t size);

#define MW_GROW(rc, what, ptr, used, more)                                               \
    do {                                                                                 \
        void *const block_ = mw_grown((what), (ptr), (used), (more), sizeof *(ptr));     \
        if (block_ == NULL) {                                                            \
            (rc) = MW_ERR_NOMEM;                                                         \
            goto end;                                                                    \
        }                                                                                \
        (ptr) = block_;                                                                  \
    } while (0)
#define MW_NEED_GROW(what, ptr, used, more)                                              \
    do {                                                                                 \
        void *const block_ = mw_grown((what), (ptr), (used), (more), sizeof *(ptr));     \
        if (block_ == NULL)                                                              \
            return MW_ERR_NOMEM;                                                         \
        (ptr) = block_;                                                                  \
    } while (0)

/* Memory that others hand out, of cores which have their own (cpe/memory.h): it is heard
 * of, fails on demand and is counted, apart from the host's. Returns false, with an error
 * recorded, where this is the call that is to fail. */
bool mw_mem_take_apart(const char *what, uint64_t bytes);
void mw_mem_give_apart(const char *what, uint64_t bytes);
/* What a block of so many bytes takes there, saturating; what is there now, and the most
 * it ever was; whole process. */
uint64_t mw_block_apart(uint64_t bytes);
uint64_t mw_mem_apart(void);
uint64_t mw_mem_peak_apart(void);

/* What mw_alloc() handed out and has not got back, and the most it ever was;
 * whole process. */
uint64_t mw_mem_in_use(void);
uint64_t mw_mem_peak(void);

/* For tests: hears of each block that is taken (bytes as counted), and of what is given back
 * (negative). Called by whichever thread does it. NULL: nobody. */
typedef void mw_mem_listener(const char *what, int64_t bytes);
void mw_mem_listen(mw_mem_listener *listener);

/* Fault injection for tests: the n-th call of mw_alloc() or mw_mem_take_apart() from now on in
 * this process fails, n counted from 1; 0 switches it off. Also read once from the
 * environment: MESHWAY_FAIL_ALLOC=n. */
void mw_mem_fail_at(uint64_t n);

MW_END_DECLS
#endif
