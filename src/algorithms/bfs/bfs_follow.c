/* bfs_follow.c -- see bfs_follow.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_follow.h"

#include "algorithms/bfs/bfs.h"
#include "algorithms/bfs/bfs_search.h"
#include "base/mem.h"

#include <string.h>

bool mw_bfs_follows(const struct mw_backend *backend, const struct mw_means *means)
{
    return means->follows && mw_bfs_tells(backend) && mw_host_reaches(backend);
}

uint64_t bfs_follow_words(void *state)
{
    const struct bfs_state *s = state;
    return s->follow.first_word[s->g->comm->size];
}

/* ---- Memory ------------------------------------------------------------------------------ */

/* A record's value has 32 bits, of which the columns of a wide group take some (address.h). */
static uint32_t bits_of_word(uint32_t label_bits, uint32_t place_bits,
                             const struct mw_world_shape *world)
{
    const uint64_t child = mw_min(32, mw_max(label_bits, world->least_bits));
    const bool whole = mw_rest_bits((uint32_t)child, world->groups.width) == 0;
    return whole ? 32 : (uint32_t)mw_max(1, mw_min(32, place_bits));
}

/* Only the graph can tell who follows whom: at most each label does, and as many are followed. */
void bfs_follow_sizes(const struct mw_algorithm_shape *shape,
                      const struct mw_world_shape *world, const struct mw_means *means,
                      struct mw_sizes *out)
{
    const struct bfs_follow *f = NULL;
    const uint64_t n = shape->n_labels, n_ranks = world->groups.n_ranks;
    const uint32_t bits = bits_of_word(shape->label_bits, shape->place_bits, world);
    struct mw_size *row[6];
    row[0] = mw_sizes_add(out, MW_SEARCHING, "who follows, beginnings", 3 * (n_ranks + 1),
                          sizeof *f->start);
    row[1] = mw_sizes_add(out, MW_SEARCHING, "rows that follow", n, sizeof *f->row);
    row[2] =
        mw_sizes_add(out, MW_SEARCHING, "places that are followed", n, sizeof *f->place);
    row[3] =
        mw_sizes_add(out, MW_SEARCHING, "labels that are followed", n, sizeof *f->label);
    row[4] = mw_sizes_add(out, MW_SEARCHING, "followed, told", n / bits + n_ranks,
                          sizeof *f->told);
    row[5] = mw_sizes_add(out, MW_SEARCHING, "places, to those who follow", n,
                          sizeof *f->label);
    for (uint32_t i = 0; i < 6; i++) {
        row[i]->copies = mw_bfs_follows(world->backend, means);
        row[i]->estimated = i > 0;
    }
}

void bfs_follow_fini(struct mw_bfs *b)
{
    struct bfs_follow *f = &b->s.follow;
    mw_free(f->start);
    mw_free(f->row);
    mw_free(f->place);
    mw_free(f->label);
    mw_free(f->told);
}

/* ---- Who follows whom ---------------------------------------------------------------------- */

/* The first neighbour of a row that is neither a hub nor mine; false: it has none. */
static bool next_of(const struct mw_bfs *b, uint64_t label, uint32_t *owner,
                    uint32_t *its_label)
{
    const struct mw_graph *g = b->g;
    uint64_t k = bfs_beyond_hubs(g, b->s.n_look_hubs, label, g->wide);
    for (; k < g->in_row[label + 1]; k++) {
        const uint64_t column = mw_number(g->in_column, k, g->wide);
        *owner = mw_column_owner(column, g->label_bits);
        *its_label = mw_column_label(column, g->label_bits);
        if (*owner != g->comm->rank)
            return true;
    }
    return false;
}

/* n[r] things of each rank, summed up: where those of rank r begin. */
static void sum_up(uint64_t *n, uint32_t n_ranks)
{
    uint64_t sum = 0;
    for (uint32_t r = 0; r <= n_ranks; r++) {
        const uint64_t here = n[r];
        n[r] = sum;
        sum += here;
    }
}

/* Local. label[]: whom the rows follow, in their order. */
static int list_rows(struct mw_bfs *b, uint32_t **label)
{
    struct bfs_follow *f = &b->s.follow;
    const uint32_t n_ranks = b->g->comm->size;
    uint32_t owner, its_label;
    int rc = MW_OK;
    MW_NEW(rc, f->start, "who follows, beginnings", UINT64_C(3) * (n_ranks + 1));
    f->first = f->start + n_ranks + 1;
    f->first_word = f->first + n_ranks + 1;
    for (uint64_t l = 0; l < b->g->n_labels; l++)
        if (next_of(b, l, &owner, &its_label))
            f->start[owner]++;
    sum_up(f->start, n_ranks);
    MW_NEW(rc, f->row, "rows that follow", f->start[n_ranks]);
    MW_NEW(rc, *label, "labels to follow", f->start[n_ranks]);
    for (uint64_t l = 0; l < b->g->n_labels; l++)
        if (next_of(b, l, &owner, &its_label)) {
            f->row[f->start[owner]] = (uint32_t)l;
            (*label)[f->start[owner]++] = its_label;
        }
    /* They have moved on to where the next one's begin. */
    memmove(f->start + 1, f->start, n_ranks * sizeof *f->start);
    f->start[0] = 0;
end:
    return rc;
}

/* Local: f->label has come, bytes[r] of each rank. *place: where its labels are. */
static int list_followed(struct mw_bfs *b, const uint64_t *bytes, uint32_t **place)
{
    struct bfs_follow *f = &b->s.follow;
    const struct mw_graph *g = b->g;
    const uint32_t n_ranks = g->comm->size;
    int rc = MW_OK;
    for (uint32_t r = 0; r < n_ranks; r++) {
        f->first[r] = bytes[r] / sizeof *f->label;
        f->first_word[r] = (f->first[r] + f->n_bits - 1) / f->n_bits;
    }
    sum_up(f->first, n_ranks);
    sum_up(f->first_word, n_ranks);
    MW_NEW(rc, f->told, "followed, told", f->first_word[n_ranks]);
    MW_NEW(rc, *place, "places, to those who follow", f->first[n_ranks]);
    for (uint64_t i = 0; i < f->first[n_ranks]; i++) {
        if (f->label[i] >= g->n_labels)
            return mw_fail(MW_ERR_INTERNAL, "label %u of %u is to be followed",
                           f->label[i], g->n_labels);
        (*place)[i] = g->place_of[f->label[i]];
    }
end:
    return rc;
}

int bfs_follow_init(struct mw_bfs *b)
{
    struct bfs_follow *f = &b->s.follow;
    struct mw_comm *comm = b->world->comm;
    const uint32_t n_ranks = comm->size;
    uint32_t *label = NULL, *place = NULL;
    uint64_t *out = NULL, *in = NULL, n_words;
    void *received = NULL;
    struct mw_world_shape world;
    int rc = MW_OK;
    if (!mw_bfs_follows(b->world->backend, &b->means))
        return MW_OK;
    mw_world_shape_of(b->world, &world);
    f->n_bits = bits_of_word(b->g->label_bits, b->g->place_bits, &world);
    MW_NEW(rc, out, "bytes to each rank", n_ranks);
    MW_NEW(rc, in, "bytes from each rank", n_ranks);
    rc = list_rows(b, &label);
    for (uint32_t r = 0; rc == MW_OK && r < n_ranks; r++)
        out[r] = (f->start[r + 1] - f->start[r]) * sizeof *label;
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_exchange(comm, label, out, &received, in);
    f->label = received;
    mw_free(label);
    if (rc == MW_OK)
        rc = mw_comm_agree(comm, list_followed(b, in, &place));
    received = NULL;
    if (rc == MW_OK)
        rc = mw_comm_exchange(comm, place, in, &received, out);
    f->place = received;
    mw_free(place);
    mw_free(out);
    mw_free(in);
    if (rc == MW_OK) {
        n_words = f->first_word[n_ranks];
        rc = mw_comm_sum(comm, &n_words, 1);
        f->n_all_words = n_words;
    }
    return rc;
}

/* ---- A level -------------------------------------------------------------------------------- */

/* A question is a record, and mostly its answer another. */
int bfs_follow_tell(struct mw_bfs *b, bool *told)
{
    struct bfs_state *s = &b->s;
    uint64_t n_askers = 0;
    int rc = MW_OK;
    *told = false;
    if (s->follow.n_all_words == 0)
        return MW_OK;
    for (uint64_t w = 0; w < s->f.n_words; w++)
        n_askers += (uint64_t)__builtin_popcountll(s->asking[w]);
    MW_TRY(rc, mw_comm_sum(b->world->comm, &n_askers, 1));
    if (2 * n_askers <= s->follow.n_all_words)
        return MW_OK;
    *told = true;
    MW_TRY(rc, mw_traversal_exchange(b->t, BFS_FOLLOWED));
    if (s->follow.misled)
        rc = mw_fail(MW_ERR_INTERNAL, "bits of rows that nobody has");
end:
    return rc;
}
