/* ranks.c -- why a free layout is free: its ranks told as roles, one reason per
 * kind of hop, and everything that the argument takes for granted.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

#include "base/mem.h"
#include "layouts/explain/cores.h"
#include "mesh/proof/graph.h"

enum {
    N_ROLES = MW_N_LETTERS + 1, /* and '.' */
    NO_ROLE = MW_N_LETTERS,
    N_DIRECTIONS = 4,
    RANKS_TOLD = 24 /* more are cut in the middle */
};
static const char *const directions[N_DIRECTIONS] = {"right", "left", "down", "up"};
static const char *const node_nouns[MW_N_MODELS] = {"core", "receive FIFO", "link"};

static uint32_t role_of(const struct mw_layout *l, mw_core v)
{
    return l->role[v] == '.' ? NO_ROLE : (uint32_t)(l->role[v] - 'A');
}

/* ---- rank by rank ------------------------------------------------------------------ */

/* The nodes of one rank and one role of the core they are at, as cores. The FIFOs of a
 * core and the links into it are told by port: 2 * channel + class. */
static void gather(const struct mw_layout *l, const struct mw_proof *p,
                   const uint8_t *used, uint32_t rank, uint32_t role, uint32_t port,
                   const struct mw_mesh_graph *g, struct mw_core_set *set, uint32_t *n)
{
    *set = (struct mw_core_set){.n = 0};
    *n = 0;
    for (mw_mesh_node a = 0; a < p->n_nodes; a++) {
        if (used[a] == 0 || p->rank[a] != rank || role_of(l, g->at[a]) != role)
            continue;
        if (p->model != MW_COUPLED &&
            MW_N_CLASSES * mw_node_channel(l, p->model, a) + mw_node_class(g, a) != port)
            continue;
        mw_core_set_add(l, set, g->at[a]);
        ++*n;
    }
}

static void tell_set(const struct mw_layout *l, const struct mw_proof *p, uint32_t rank,
                     uint32_t role, uint32_t port, const struct mw_core_set *set,
                     uint32_t n, FILE *out)
{
    const char *const along = port % MW_N_CLASSES == MW_ROW ? "row" : "column";
    const char *const channel = l->channel_name[port / MW_N_CLASSES];
    const char *const gap = *channel != '\0' ? " " : "";
    fprintf(out, "  rank %-4u ", rank);
    if (p->model == MW_DECOUPLED)
        fprintf(out, "%s%s%s FIFOs of ", channel, gap, along);
    if (p->model == MW_LINK)
        fprintf(out, "%u %s%s%s link%s to ", n, channel, gap, along, n == 1 ? "" : "s");
    if (role != NO_ROLE)
        fprintf(out, "%c: ", (char)('A' + role));
    mw_core_set_print(l, set, out);
    fputc('\n', out);
}

/* Bit i: some core has role i. */
static uint32_t roles_present(const struct mw_layout *l)
{
    uint32_t present = 0;
    for (uint32_t v = 0; v < mw_mesh_cores(l); v++)
        present |= UINT32_C(1) << role_of(l, (mw_core)v);
    return present;
}

/* One pass over the nodes for each role there is, so that nothing needs to be sorted. */
static void tell_rank(const struct mw_layout *l, const struct mw_proof *p,
                      const uint8_t *used, const struct mw_mesh_graph *g, uint32_t rank,
                      FILE *out)
{
    const uint32_t present = roles_present(l);
    const uint32_t n_ports = p->model == MW_COUPLED ? 1 : MW_N_CLASSES * l->n_channels;
    struct mw_core_set set;
    uint32_t n;
    for (uint32_t role = 0; role < N_ROLES; role++)
        for (uint32_t port = 0; port < n_ports && (present >> role & 1) != 0; port++) {
            gather(l, p, used, rank, role, port, g, &set, &n);
            if (n > 0)
                tell_set(l, p, rank, role, port, &set, n, out);
        }
}

static int tell_ranks(const struct mw_layout *l, const struct mw_proof *p,
                      const struct mw_mesh_graph *g, FILE *out)
{
    uint8_t *used;
    MW_NEED_NEW(used, "nodes that flows use", p->n_nodes);
    const int rc = mw_mesh_graph_used(l, p->model, used);
    for (uint32_t rank = 0; rank <= p->max_rank && rc == MW_OK; rank++) {
        if (p->max_rank > RANKS_TOLD && rank == RANKS_TOLD / 2) {
            rank = p->max_rank - RANKS_TOLD / 2;
            fputs("  ...\n", out);
        }
        tell_rank(l, p, used, g, rank, out);
    }
    mw_free(used);
    return rc;
}

/* ---- one reason per kind of hop ---------------------------------------------------- */

struct kind {
    uint64_t n;
    uint32_t least;    /* by how much the rank falls, at least */
    mw_mesh_node a, b; /* one where it falls by that */
};

static uint32_t direction_of(const struct mw_layout *l, mw_core from, mw_core to)
{
    return (mw_hop_class(l, from, to) == MW_ROW ? 0u : 2u) + (to < from ? 1u : 0u);
}

static void count_kinds(const struct mw_layout *l, const struct mw_proof *p,
                        const struct mw_mesh_graph *g, struct kind *kind)
{
    for (mw_mesh_node a = 0; a < g->n_nodes; a++)
        mw_for_each_slot(slot, g, a)
        {
            const mw_mesh_node b = mw_slot_node(g, g->model, g->at[a], slot);
            const mw_core from = g->at[a], to = g->at[b];
            struct kind *k =
                &kind[(role_of(l, from) * N_ROLES + role_of(l, to)) * N_DIRECTIONS +
                      direction_of(l, from, to)];
            const uint32_t fall = p->rank[a] - p->rank[b];
            if (k->n++ == 0 || fall < k->least) {
                k->least = fall;
                k->a = a;
                k->b = b;
            }
        }
}

static void tell_kind(const struct mw_layout *l, const struct mw_proof *p, uint32_t i,
                      const struct kind *k, FILE *out)
{
    char a[MW_NODE_NAME], b[MW_NODE_NAME], kind[32];
    const uint32_t to = i / N_DIRECTIONS % N_ROLES, from = i / N_DIRECTIONS / N_ROLES;
    if (from == NO_ROLE && to == NO_ROLE)
        snprintf(kind, sizeof kind, "%s", directions[i % N_DIRECTIONS]);
    else
        snprintf(kind, sizeof kind, "%c to %c, %s",
                 from == NO_ROLE ? '.' : (char)('A' + from),
                 to == NO_ROLE ? '.' : (char)('A' + to), directions[i % N_DIRECTIONS]);
    fprintf(out, "  %-14s %6llu %-5s by %u or more, as %s (rank %u) to %s (rank %u)\n",
            kind, (unsigned long long)k->n, k->n == 1 ? "time," : "times", k->least,
            mw_node_name(l, p->model, k->a, a), p->rank[k->a],
            mw_node_name(l, p->model, k->b, b), p->rank[k->b]);
}

static int tell_kinds(const struct mw_layout *l, const struct mw_proof *p,
                      const struct mw_mesh_graph *g, FILE *out)
{
    struct kind *kind;
    MW_NEED_NEW(kind, "kinds of hops", N_ROLES * N_ROLES * N_DIRECTIONS);
    count_kinds(l, p, g, kind);
    for (uint32_t i = 0; i < N_ROLES * N_ROLES * N_DIRECTIONS; i++)
        if (kind[i].n > 0)
            tell_kind(l, p, i, &kind[i], out);
    mw_free(kind);
    return MW_OK;
}

/* ---- what is taken for granted ----------------------------------------------------- */

static int tell_assumptions(const struct mw_layout *l, FILE *out)
{
    struct mw_hazards h;
    char name[MW_NODE_NAME];
    MW_NEED(mw_layout_hazards(l, &h));
    fputs("\nWhat the argument takes for granted\n"
          "  A1  A core that may take from its row or its column forgets neither.\n"
          "  A2  Senders that wait for one FIFO get their turns.\n"
          "  A3  A message at its last core is always consumed: its DMA comes back.\n"
          "  A4  No core waits for one named input while another holds a message.\n",
          out);
    if (h.n_two_classes > 0)
        fprintf(out,
                "      Here %u core%s input from both row and column, %s first: the\n"
                "      program must take whichever comes.\n",
                h.n_two_classes, h.n_two_classes == 1 ? " has" : "s have",
                mw_core_name(l, h.two_classes, name));
    else
        fputs("      Here no core has input from both: there is nothing to get wrong.\n",
              out);
    fputs("  A5  Whatever a core does with a message takes a finite time.\n"
          "  A6  A core ends only when each of its predecessors has said that it ends.\n",
          out);
    if (h.most_markers > 0)
        fprintf(out, "      Here that takes %llu end markers, the most, %u, at %s.\n",
                (unsigned long long)h.n_markers, h.most_markers,
                mw_core_name(l, h.most_markers_at, name));
    fputs("  Without A2 a sender can starve; without A4 or A6 the program can hang\n"
          "  although the layout is free. That a bucket has one writer is another "
          "question.\n",
          out);
    return MW_OK;
}

/* ---- all of it --------------------------------------------------------------------- */

static const char *const claims[MW_N_MODELS] = {
    "core is ever blocked for good.\n", "message ever stays in its FIFO for good.\n",
    "message ever stays on its link for good.\n"};

static void tell_argument(const struct mw_proof *p, FILE *out)
{
    const char *const noun = node_nouns[p->model];
    fprintf(out, "The claim: whatever the order in which the cores run, no\n%s",
            claims[p->model]);
    fprintf(out, "\nThe proof is a number for each %s, its rank. ", noun);
    if (p->model == MW_COUPLED)
        fputs("Every hop goes to a lower rank.\n", out);
    else
        fputs("What a message needs next\nhas a lower rank than what it holds.\n", out);
    if (p->n_edges == 0) {
        fputs("Here no message ever holds one and needs another: all ranks are 0, and "
              "there\n"
              "is nothing to prove.\n",
              out);
        return;
    }
    fprintf(
        out,
        "Suppose some %ss were blocked for good, and take one of lowest rank\n"
        "among them. It waits for room in a %s of lower rank still. That one is\n"
        "not blocked for good: it goes on taking messages, so room comes, and a turn\n"
        "with it. The blocked one moves after all. So there is none.\n",
        noun, noun);
}

/* In these models depth 0 is a wall: there is no circle, and nothing comes through either. */
static void tell_walls(const struct mw_layout *l, const struct mw_proof *p, FILE *out)
{
    const bool row = l->fifo[MW_ROW] == 0, column = l->fifo[MW_COLUMN] == 0;
    if (p->model == MW_COUPLED || (!row && !column))
        return;
    fprintf(
        out,
        "\nBut %s FIFOs of depth 0 take nothing in this model: a message that needs\n"
        "one stays where it is for good, or is never made. That is no circle, and no\n"
        "layout that works; the claim is about the others.\n",
        row && column ? "all"
        : row         ? "row"
                      : "column");
}

int mw_layout_tell_free(const struct mw_layout *l, const struct mw_proof *told, FILE *out)
{
    int rc;
    struct mw_mesh_graph g;
    if ((rc = mw_mesh_graph_make(l, told->model, &g)) != MW_OK)
        return rc;
    tell_argument(told, out);
    tell_walls(l, told, out);
    fprintf(out, "\nThe ranks, from 0 (nothing is needed after it) to %u\n",
            told->max_rank);
    MW_TRY(rc, tell_ranks(l, told, &g, out));
    if (told->n_edges > 0)
        fprintf(out, "\nWhy each of the %llu %s falls\n",
                (unsigned long long)told->n_edges,
                told->model == MW_COUPLED ? "hops" : "dependencies");
    MW_TRY(rc, tell_kinds(l, told, &g, out));
    MW_TRY(rc, tell_assumptions(l, out));
end:
    mw_mesh_graph_fini(&g);
    return rc;
}
