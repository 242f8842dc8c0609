/* hubs.c -- see hubs.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/hubs.h"

#include "base/mem.h"

#include <string.h>

/* Sizes travel as form | bytes << 2, so that "all visited", a rest of no labels, is not
 * the empty flag. */
enum form { EMPTY, LIST, WORDS, REST };

static uint32_t words_of(uint32_t n_bits)
{
    return n_bits / 64 + (n_bits % 64 != 0);
}

/* ---- Set-up ---------------------------------------------------------------------------- */

void mw_hubs_sizes(uint32_t n_hubs, uint64_t n_ranks, struct mw_sizes *out)
{
    const struct mw_hubs *h = NULL;
    const uint64_t n_words = words_of(n_hubs), piece = n_words * sizeof *h->visited;
    mw_sizes_add(out, MW_SEARCHING, "visited hubs", n_ranks * n_words,
                 sizeof *h->visited);
    mw_sizes_add(out, MW_SEARCHING, "numbers of hubs", n_ranks, sizeof *h->n_here);
    mw_sizes_add(out, MW_SEARCHING, "sizes of hubs' pieces", n_ranks, sizeof *h->size);
    mw_sizes_add(out, MW_SEARCHING, "piece of hubs", piece, sizeof *h->mine);
    mw_sizes_add(out, MW_SEARCHING, "pieces of hubs", n_ranks * piece, sizeof *h->all);
    mw_sizes_add(out, MW_SEARCHING, "places of hubs", n_ranks * n_hubs, sizeof *h->place)
        ->of_host = true;
}

int mw_hubs_new(struct mw_comm *comm, uint32_t n_hubs, const uint32_t *place_of,
                uint32_t n_labels, struct mw_hubs **out)
{
    int rc = MW_OK;
    const uint32_t n_here = (uint32_t)mw_min(n_hubs, n_labels);
    struct mw_hubs *h;
    struct mw_sizes sizes = {0};
    void *place = NULL;

    *out = NULL;
    mw_hubs_sizes(n_hubs, comm->size, &sizes);
    const struct mw_size *table = mw_sizes_find(&sizes, "places of hubs");
    MW_NEW(rc, h, "hubs", 1);
    h->comm = comm;
    h->n_hubs = n_hubs;
    h->n_words = words_of(n_hubs);
    MW_TAKE(rc, h->visited, &sizes, "visited hubs");
    MW_TAKE(rc, h->n_here, &sizes, "numbers of hubs");
    MW_TAKE(rc, h->size, &sizes, "sizes of hubs' pieces");
    MW_TAKE(rc, h->mine, &sizes, "piece of hubs");
    MW_TAKE(rc, h->all, &sizes, "pieces of hubs");
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_host_alloc(comm, table->what, table->n * table->bytes, &place);
    if (rc == MW_OK) {
        h->place = place;
        memcpy(h->place + (uint64_t)comm->rank * n_hubs, place_of,
               n_here * sizeof *place_of);
        rc = mw_comm_share(comm, place, n_hubs * sizeof *h->place);
    }
    if (rc == MW_OK)
        rc = mw_comm_gather(comm, &n_here, sizeof n_here, h->n_here);
    if (rc != MW_OK) {
        mw_hubs_free(h);
        return rc;
    }
    *out = h;
    return MW_OK;
}

void mw_hubs_free(struct mw_hubs *h)
{
    if (h == NULL)
        return;
    mw_comm_host_free(h->comm, h->place);
    mw_free(h->visited);
    mw_free(h->n_here);
    mw_free(h->size);
    mw_free(h->mine);
    mw_free(h->all);
    mw_free(h);
}

void mw_hubs_reset(struct mw_hubs *h)
{
    memset(h->visited, 0, (uint64_t)h->comm->size * h->n_words * sizeof *h->visited);
}

/* ---- One rank's piece ------------------------------------------------------------------- */

static uint64_t *bitmap_of(const struct mw_hubs *h, uint32_t rank)
{
    return h->visited + (uint64_t)rank * h->n_words;
}

/* The hubs of word w that are in the prefix and that the rank has. */
static uint64_t valid(const struct mw_hubs *h, uint32_t rank, uint32_t n_prefix,
                      uint32_t w)
{
    const uint64_t n = mw_min(n_prefix, h->n_here[rank]), first = UINT64_C(64) * w;
    if (first >= n)
        return 0;
    return n - first >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << (n - first)) - 1;
}

static char *put_labels(char *to, uint32_t w, uint64_t bits)
{
    for (; bits != 0; bits &= bits - 1, to += sizeof(uint16_t)) {
        const uint16_t label = (uint16_t)(64 * w + (uint32_t)__builtin_ctzll(bits));
        memcpy(to, &label, sizeof label);
    }
    return to;
}

/* Makes h->mine, and notes in h->visited what it tells. Returns its size. */
static uint64_t pack(struct mw_hubs *h, const uint64_t *own, uint32_t n_prefix)
{
    const uint32_t me = h->comm->rank;
    uint64_t *told = bitmap_of(h, me), n_new = 0, n_rest = 0;
    uint32_t n_words = 0; /* up to the last one that has a hub */
    char *to = h->mine;

    for (; n_words < words_of(n_prefix); n_words++) {
        const uint64_t here = valid(h, me, n_prefix, n_words);
        if (here == 0)
            break;
        n_new += (uint64_t)__builtin_popcountll(here & own[n_words] & ~told[n_words]);
        n_rest += (uint64_t)__builtin_popcountll(here & ~own[n_words]);
    }
    if (n_new == 0)
        return EMPTY;
    const uint64_t labels = mw_min(n_new, n_rest) * sizeof(uint16_t);
    const enum form form = labels >= n_words * sizeof *own ? WORDS
                           : n_new <= n_rest               ? LIST
                                                           : REST;
    for (uint32_t w = 0; w < n_words; w++) {
        const uint64_t here = valid(h, me, n_prefix, w), bits = own[w] & here;
        if (form == LIST)
            to = put_labels(to, w, bits & ~told[w]);
        else if (form == REST)
            to = put_labels(to, w, here & ~bits);
        else
            memcpy(to + w * sizeof bits, &bits, sizeof bits);
        told[w] |= bits;
    }
    return form | (form == WORDS ? n_words * sizeof *own : (uint64_t)(to - h->mine)) << 2;
}

static void unpack(struct mw_hubs *h, uint32_t rank, uint32_t n_prefix, const char *from)
{
    const enum form form = (enum form)(h->size[rank] & 3);
    const char *end = from + (h->size[rank] >> 2);
    uint64_t *bitmap = bitmap_of(h, rank);

    if (form == REST)
        for (uint32_t w = 0; w < words_of(n_prefix); w++)
            bitmap[w] |= valid(h, rank, n_prefix, w);
    for (uint32_t w = 0; form == WORDS && from < end; w++, from += sizeof(uint64_t)) {
        uint64_t bits;
        memcpy(&bits, from, sizeof bits);
        bitmap[w] |= bits;
    }
    for (; form != WORDS && from < end; from += sizeof(uint16_t)) {
        uint16_t label;
        memcpy(&label, from, sizeof label);
        if (form == LIST)
            bitmap[label / 64] |= UINT64_C(1) << (label % 64);
        else
            bitmap[label / 64] &= ~(UINT64_C(1) << (label % 64));
    }
}

/* ---- The exchange ------------------------------------------------------------------------ */

int mw_hubs_exchange(struct mw_hubs *h, const uint64_t *own, uint32_t n_prefix,
                     struct mw_hub_news *news)
{
    const struct mw_comm *comm = h->comm;
    const uint64_t size = pack(h, own, n_prefix);
    uint64_t most = 0; /* bytes of the largest piece: all travel as that */
    int rc;

    memset(news, 0, sizeof *news);
    MW_TRY(rc, mw_comm_gather(h->comm, &size, sizeof size, h->size));
    for (uint32_t r = 0; r < comm->size; r++) {
        news->n_flags += h->size[r] == EMPTY;
        most = mw_max(most, h->size[r] >> 2);
    }
    if (most > 0)
        MW_TRY(rc, mw_comm_gather(h->comm, h->mine, most, h->all));
    for (uint32_t r = 0; r < comm->size; r++)
        if (r != comm->rank && h->size[r] != EMPTY)
            unpack(h, r, n_prefix, h->all + r * most);
    news->n_bytes = (comm->size - 1) * (sizeof size + most);
end:
    return rc;
}
