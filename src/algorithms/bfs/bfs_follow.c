/* bfs_follow.c -- see bfs_follow.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_follow.h"

#include "algorithms/bfs/bfs.h"
#include "algorithms/bfs/bfs_search.h"
#include "base/mem.h"

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
    struct mw_size *row[7];
    row[0] = mw_sizes_add(out, MW_SEARCHING, "who follows, beginnings",
                          mw_mail_numbers(n_ranks), sizeof *f->mail.start);
    row[1] = mw_sizes_add(out, MW_SEARCHING, "who follows, words", n_ranks + 1,
                          sizeof *f->first_word);
    row[2] = mw_sizes_add(out, MW_SEARCHING, "rows that follow", n, sizeof *f->row);
    row[3] =
        mw_sizes_add(out, MW_SEARCHING, "places that are followed", n, sizeof *f->place);
    row[4] =
        mw_sizes_add(out, MW_SEARCHING, "labels that are followed", n, sizeof *f->label);
    row[5] = mw_sizes_add(out, MW_SEARCHING, "followed, told", n / bits + n_ranks,
                          sizeof *f->told);
    row[6] = mw_sizes_add(out, MW_SEARCHING, "places, to those who follow", n,
                          sizeof *f->label);
    for (uint32_t i = 0; i < 7; i++) {
        row[i]->copies = mw_bfs_follows(world->backend, means);
        row[i]->estimated = i > 1;
    }
}

void bfs_follow_fini(struct mw_bfs *b)
{
    struct bfs_follow *f = &b->s.follow;
    mw_mail_fini(&f->mail);
    MW_FREE_ALL(f->row, f->place, f->label, f->first_word, f->told);
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

/* Local. *label: whom the rows follow, in their order. */
static int list_rows(struct mw_bfs *b, uint32_t **label)
{
    struct bfs_follow *f = &b->s.follow;
    uint32_t owner, its_label;
    MW_NEED(mw_mail_init(&f->mail, b->g->comm, "who follows, beginnings"));
    for (uint64_t l = 0; l < b->g->n_labels; l++)
        if (next_of(b, l, &owner, &its_label))
            mw_mail_count(&f->mail, owner);
    const uint64_t n = mw_mail_counted(&f->mail);
    MW_NEED_NEW(f->row, "rows that follow", n);
    MW_NEED_NEW(*label, "labels to follow", n);
    for (uint64_t l = 0; l < b->g->n_labels; l++)
        if (next_of(b, l, &owner, &its_label)) {
            const uint64_t at = mw_mail_place(&f->mail, owner);
            f->row[at] = (uint32_t)l;
            (*label)[at] = its_label;
        }
    return MW_OK;
}

/* Local: f->label has come. *place: where its labels are. */
static int list_followed(struct mw_bfs *b, uint32_t **place)
{
    struct bfs_follow *f = &b->s.follow;
    const struct mw_graph *g = b->g;
    const uint32_t n_ranks = g->comm->size;
    const uint64_t *from = f->mail.from, n = from[n_ranks];
    MW_NEED_NEW(f->first_word, "who follows, words", n_ranks + 1);
    for (uint32_t r = 0; r < n_ranks; r++)
        f->first_word[r + 1] =
            f->first_word[r] + (from[r + 1] - from[r] + f->n_bits - 1) / f->n_bits;
    MW_NEED_NEW(f->told, "followed, told", f->first_word[n_ranks]);
    MW_NEED_NEW(*place, "places, to those who follow", n);
    for (uint64_t i = 0; i < n; i++) {
        if (f->label[i] >= g->n_labels)
            return mw_fail(MW_ERR_INTERNAL, "label %u of %u is to be followed",
                           f->label[i], g->n_labels);
        (*place)[i] = g->place_of[f->label[i]];
    }
    return MW_OK;
}

int bfs_follow_init(struct mw_bfs *b)
{
    struct bfs_follow *f = &b->s.follow;
    struct mw_comm *comm = b->world->comm;
    uint32_t *label = NULL, *place = NULL;
    void *come = NULL;
    struct mw_world_shape world;
    int rc;
    if (!mw_bfs_follows(b->world->backend, &b->means))
        return MW_OK;
    mw_world_shape_of(b->world, &world);
    f->n_bits = bits_of_word(b->g->label_bits, b->g->place_bits, &world);
    MW_TRY(rc, mw_comm_agree(comm, list_rows(b, &label)));
    MW_TRY(rc, mw_mail_send(&f->mail, label, sizeof *label, &come));
    mw_free(label);
    label = NULL;
    f->label = come;
    MW_TRY(rc, mw_comm_agree(comm, list_followed(b, &place)));
    MW_TRY(rc, mw_mail_answer(&f->mail, place, sizeof *place, &come));
    f->place = come;
    f->n_all_words = f->first_word[comm->size];
    rc = mw_comm_sum(comm, &f->n_all_words, 1);
end:
    MW_FREE_ALL(label, place);
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
