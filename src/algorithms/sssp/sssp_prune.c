/* sssp_prune.c -- rows without edges that are on no shortest path.
 *
 * D(v) is the length of a way between v and a landmark, a vertex of the highest degree. An edge of weight
 * w > D(u) + D(v) is longer than the way from u by the landmark to v, so no shortest path has it, from
 * whatever root. Of Kronecker graphs with uniform weights one edge in twenty is left.
 *
 * The way need not be the shortest: a search by light edges finds most, in a tenth of the time, and who
 * it does not reach takes the least way by a neighbour. Where that goes on for long, all edges are
 * searched.
 *
 * Sums are of floats. Let e be 2^-24 and h the most hops of a way to the landmark. A path's sum, made
 * from the root on, is at most (1 + e)^k times what it should be after k more additions, and D is at
 * least (1 - e)^h times. What the way by the landmark makes of a distance d(u) is so less than
 * d(u) + D(u) + D(v) and 2 h e (d(u) + D(u) + D(v) + ...), and no distance is above twice the
 * greatest D. So the margin is 32 h e times the greatest D, twice what is needed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/sssp/sssp.h"

#include "algorithms/sssp/sssp_rounds.h"
#include "base/room.h"
#include "devices/placed.h"

#include <string.h>

enum { REST_ROUNDS = 8 };

/* Columns of all ranks have room beside each other. */
static uint64_t portion_of(const struct mw_graph *g)
{
    return sizeof(uint32_t) * mw_columns_of(1, g->label_bits);
}

/* Collective: a sweep has said something of each label of mine, and all hear it: on every host, and in
 * memory of cores. `window` is the host's. */
static int share(struct mw_traversal *t, struct sssp_state *s, uint32_t row, void *window)
{
    const struct mw_graph *g = t->graph;
    const uint64_t portion = portion_of(g);
    const bool reaches = mw_host_reaches(t->world->backend);
    char *const mine = (char *)window + g->comm->rank * portion;
    mw_traversal_sweep(t, row);
    if (!reaches && g->n_labels > 0)
        (void)mw_see(t->world, mine, (char *)s->landmark + g->comm->rank * portion,
                     g->n_labels * sizeof *s->landmark);
    const int rc = mw_comm_share(g->comm, window, portion);
    if (!reaches && rc == MW_OK)
        mw_put(t->world, s->landmark, window, g->comm->size * portion);
    return rc;
}

/* Collective: who is how far from the landmark. */
static int share_distances(struct mw_traversal *t, struct sssp_state *s, void *window)
{
    MW_NEED(share(t, s, SSSP_LANDMARK, window));
    mw_traversal_sweep(t, SSSP_TELL);
    const struct sssp_told *const told = sssp_hear(t);
    uint64_t least[2] = {told->least[SSSP_HOPS_LEFT], told->least[SSSP_BITS_LEFT]};
    MW_NEED(mw_comm_min(t->graph->comm, least, 2));
    const uint64_t hops = UINT64_MAX - least[0], bits = UINT64_MAX - least[1];
    s->n_hops = hops;
    s->greatest = mw_float_of_bits((uint32_t)bits);
    s->margin = (float)hops * s->greatest * 0x1p-19f;
    return MW_OK;
}

/* Collective: who has no way yet gets one. *all: nobody is left who could. */
static int reach_rest(struct mw_traversal *t, struct sssp_state *s, void *window,
                      bool *all)
{
    *all = false;
    for (uint32_t round = 0; round < REST_ROUNDS; round++) {
        s->counts->n_reached = 0;
        mw_traversal_sweep(t, SSSP_REACH);
        uint64_t n = s->counts->n_reached;
        MW_NEED(mw_comm_sum(t->graph->comm, &n, 1));
        *all = n == 0;
        if (*all)
            break;
        MW_NEED(share_distances(t, s, window));
    }
    return MW_OK;
}

/* Collective: which entries stay, and how many neighbours each label has by them. */
static int choose(struct mw_traversal *t, struct sssp_state *s, void *window)
{
    struct mw_comm *const comm = t->graph->comm;
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "kept entries, as bits",
                    s->n_entries / 64 + 1, sizeof *s->kept);
    MW_PLACE(rc, s->kept, t->world, MW_OF_CORES, &sizes, "kept entries, as bits");
    if (s->has_ways)
        mw_traversal_sweep(t, SSSP_PRUNE);
    else if (s->kept != NULL) /* all stay */
        memset(s->kept, 0xff, (s->n_entries / 64 + 1) * sizeof *s->kept);
end:
    rc = mw_comm_agree(comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_host_barrier(comm); /* nobody reads distances any more */
    s->counts->n_kept = 0;
    if (rc == MW_OK)
        rc = share(t, s, SSSP_LENGTHS, window);
    s->n_left = s->counts->n_kept;
    return rc == MW_OK ? mw_comm_sum(comm, &s->n_left, 1) : rc;
}

/* Local: which labels have rows, and where those begin. */
static int place_nodes(struct mw_traversal *t, struct sssp_state *s)
{
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    mw_traversal_sweep(t, SSSP_PART);
    mw_traversal_sweep(t, SSSP_NUMBER);
    const uint64_t n = s->n_nodes = s->counts->n_nodes;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "kept rows", n + 1,
                    sizeof *s->kept_row);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "leaves told", n,
                    sizeof *s->told_end);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "ways to the landmark", n,
                    sizeof *s->kept_way);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "heavy entries", n,
                    sizeof *s->heavy);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "nodes that owe", n / 64 + 1,
                    sizeof *s->owing);
    if (s->has_ways)
        MW_PLACE(rc, s->kept_way, t->world, MW_OF_CORES, &sizes, "ways to the landmark");
    if (s->by_weight) {
        MW_PLACE(rc, s->heavy, t->world, MW_OF_CORES, &sizes, "heavy entries");
        MW_PLACE(rc, s->owing, t->world, MW_OF_CORES, &sizes, "nodes that owe");
    }
    MW_PLACE(rc, s->kept_row, t->world, MW_OF_CORES, &sizes, "kept rows");
    MW_PLACE(rc, s->told_end, t->world, MW_OF_CORES, &sizes, "leaves told");
    mw_traversal_sweep(t, SSSP_STARTS);
    mw_traversal_sweep(t, SSSP_TOLD);
    s->n_inner = s->counts->n_inner;
    s->n_told = s->counts->n_told;
end:
    return rc;
}

/* Local: the entries. */
static int place_entries(struct mw_traversal *t, struct sssp_state *s)
{
    struct mw_sizes sizes = {0};
    int rc = MW_OK;
    const uint64_t n_listed = s->n_inner + s->n_told;
    const uint64_t bytes = mw_number_bytes(t->graph->wide);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "kept columns", n_listed, bytes);
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, "kept weights", n_listed,
                    sizeof *s->kept_weight);
    s->kept_column = mw_place(t->world, MW_OF_CORES, &sizes, "kept columns", bytes);
    if (s->kept_column == NULL && n_listed > 0)
        return MW_ERR_NOMEM;
    MW_PLACE(rc, s->kept_weight, t->world, MW_OF_CORES, &sizes, "kept weights");
    mw_traversal_sweep(t, s->by_weight ? SSSP_ORDER : SSSP_KEEP);
end:
    return rc;
}

/* Collective: rows of what is kept. */
static int keep(struct mw_traversal *t, struct sssp_state *s, void *window)
{
    struct mw_comm *const comm = t->graph->comm;
    int rc = place_nodes(t, s);
    if (rc == MW_OK)
        rc = place_entries(t, s);
    MW_TRY(rc, mw_comm_agree(comm, rc));
    MW_TRY(rc,
           mw_comm_host_barrier(comm)); /* nobody reads numbers of neighbours any more */
    MW_TRY(rc, share(t, s, SSSP_NODES, window));
    mw_traversal_sweep(t, SSSP_NAME);
    mw_traversal_sweep(t, SSSP_HOOK);
    s->rows = (struct sssp_rows){.n = s->n_nodes,
                                 .n_entries = s->n_inner,
                                 .row = s->kept_row,
                                 .column = s->kept_column,
                                 .weight = s->kept_weight};
    sssp_take_part(s, SSSP_WHOLE_ROWS);
    s->n_leaves = s->n_told;
    MW_TRY(rc, mw_comm_sum(comm, &s->n_leaves, 1)); /* and all places are hooked */
    if (s->by_weight && s->n_peers == comm->size) { /* who pulls asks for them */
        memcpy((char *)window + comm->rank * portion_of(t->graph), s->name,
               s->n_nodes * sizeof *s->name);
        MW_TRY(rc, mw_comm_share(comm, window, portion_of(t->graph)));
        s->names = window;
    }
end:
    return rc;
}

void sssp_forget_pruned(struct mw_traversal *t, struct sssp_state *s)
{
    mw_unplace(t->world, MW_OF_CORES, s->kept);
    mw_unplace(t->world, MW_OF_CORES, s->kept_row);
    mw_unplace(t->world, MW_OF_CORES, s->told_end);
    mw_unplace(t->world, MW_OF_CORES, s->kept_way);
    mw_unplace(t->world, MW_OF_CORES, s->heavy);
    mw_unplace(t->world, MW_OF_CORES, s->owing);
    mw_comm_host_free(t->world->comm, (void *)(uintptr_t)s->names);
    mw_unplace(t->world, MW_OF_CORES, s->kept_column);
    mw_unplace(t->world, MW_OF_CORES, s->kept_weight);
}

static int search_from(struct mw_traversal *t, struct sssp_state *s, mw_vid landmark)
{
    int rc;
    s->counts_hops = true;
    MW_TRY(rc, mw_traversal_reset(t));
    MW_TRY(rc, mw_traversal_run(t, landmark));
end:
    s->counts_hops = false;
    return rc;
}

/* Collective: room for the distances from the landmark. */
static int make_room(struct mw_traversal *t, struct sssp_state *s, void **window)
{
    const struct mw_graph *g = t->graph;
    const uint64_t bytes = g->comm->size * portion_of(g);
    struct mw_sizes sizes = {0};
    int rc;
    MW_TRY(rc,
           mw_comm_hosts_alloc(g->comm, "distances from the landmark", bytes, window));
    s->landmark = *window;
    if (mw_host_reaches(t->world->backend))
        return MW_OK;
    mw_sizes_add_of(&sizes, MW_OF_CORES, MW_SEARCHING, SSSP_LANDMARK_THERE,
                    bytes / sizeof *s->landmark, sizeof *s->landmark);
    MW_PLACE(rc, s->landmark, t->world, MW_OF_CORES, &sizes, SSSP_LANDMARK_THERE);
end:
    return mw_comm_agree(g->comm, rc);
}

/* Collective: which entries are on no shortest path, and how many are left of all ranks. */
static int find_kept(struct mw_traversal *t, struct sssp_state *s, void *window)
{
    mw_vid landmark;
    bool all;
    MW_NEED(mw_placed_hub(t->world, t->graph, &landmark));
    if (landmark == MW_NO_VERTEX)
        return MW_OK;
    if (!mw_is_mine(&t->graph->partition, landmark, &s->landmark_place))
        s->landmark_place = SSSP_NO_PLACE;
    MW_NEED(search_from(t, s, landmark));
    MW_NEED(share_distances(t, s, window));
    MW_NEED(reach_rest(t, s, window, &all));
    if (!all) {
        s->light = mw_float_of_bits(MW_BITS_OF_INFINITY);
        MW_NEED(search_from(t, s, landmark));
        MW_NEED(share_distances(t, s, window));
    }
    s->has_ways = true;
    return MW_OK;
}

/* Collective: have all ranks room for rows of what is left, in half of what is free? A plan does not know how much
 * pruning leaves, nor how many vertices of a file have edges. */
static int find_room(struct mw_traversal *t, const struct sssp_state *s, bool *out)
{
    struct mw_comm *const comm = t->graph->comm;
    const uint64_t bytes_entry = mw_number_bytes(t->graph->wide) + sizeof *s->kept_weight;
    const uint64_t bytes_node = sizeof *s->kept_row + sizeof *s->told_end +
                                sizeof *s->kept_way + sizeof *s->heavy;
    const uint64_t bytes = s->counts->n_kept * bytes_entry + s->g->n_labels * bytes_node;
    struct mw_room room;
    mw_room_find("", &room);
    uint64_t has = mw_min(room.memory / comm->host_size, room.space) / 2 > bytes;
    const int rc = mw_comm_min(comm, &has, 1);
    *out = has;
    return rc;
}

int sssp_prune(struct mw_traversal *t, struct sssp_state *s, bool prunes, bool orders)
{
    void *window = NULL;
    int rc;
    MW_TRY(rc, make_room(t, s, &window));
    if (prunes) {
        MW_TRY(rc, find_kept(t, s, window));
        if (!s->has_ways) { /* no edges */
            s->n_left = t->graph->n_entries;
            goto end;
        }
    }
    MW_TRY(rc, choose(t, s, window));
    const bool spares = s->n_left < sssp_n_of_list(t->graph) / 4 * 3;
    s->by_weight = orders && sssp_rows_are_long(s, t->graph);
    if (s->by_weight)
        MW_TRY(rc, find_room(t, s, &s->by_weight));
    const bool keeps = s->by_weight || spares;
    s->has_ways = s->has_ways && keeps;
    if (!keeps)
        s->n_left = t->graph->n_entries;
    sssp_choose_delta(s, t->graph);
    if (keeps)
        MW_TRY(rc, keep(t, s, window));
end:
    mw_unplace(t->world, MW_OF_CORES, s->kept);
    s->kept = NULL;
    if (s->landmark != window)
        mw_unplace(t->world, MW_OF_CORES, s->landmark);
    s->landmark = NULL;
    if (s->names == NULL)
        mw_comm_host_free(t->graph->comm, window);
    return rc;
}
