/* verify.c -- does a certificate prove the layout free? A page that shares nothing
 * with the prover: no graph, no components, no routes. It reads the ranks, walks every
 * flow core by core, and wants each node's rank above that of the node its messages need
 * next.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

#include "base/mem.h"
#include "layouts/ways/knot.h"
#include "mesh/lang/words.h"

#include <stdio.h>
#include <string.h>

#define NO_RANK UINT32_MAX

/* ---- reading the ranks ------------------------------------------------------------- */

/* The next line of the text as a string, cut to what fits; false: there is none. */
static bool take_line(struct mw_text *t, char *line, size_t room)
{
    struct mw_line l;
    if (!mw_text_line(t, &l))
        return false;
    snprintf(line, room, "%.*s", (int)mw_min((size_t)(l.end - l.begin), room - 1),
             l.begin);
    return true;
}

static int check_model(const char *line, enum mw_mesh_model model)
{
    char name[16], more, shown[MW_WORD_SHOWN];
    if (sscanf(line, "# meshway-certificate 1 model=%15s %c", name, &more) == 1)
        for (int m = 0; m < MW_N_MODELS; m++)
            if (strcmp(name, mw_mesh_model_names[m]) == 0)
                return m == (int)model
                           ? MW_OK
                           : mw_fail(
                                 MW_ERR_DATA,
                                 "a certificate of the %s model, expected the %s model",
                                 name, mw_mesh_model_names[model]);
    return mw_fail(MW_ERR_DATA,
                   "expected '# meshway-certificate 1 model=coupled', decoupled or link, "
                   "got '%s'",
                   mw_text_show(line, strlen(line), shown));
}

static int read_rank(const struct mw_layout *l, enum mw_mesh_model model,
                     const char *line, uint32_t *rank)
{
    char name[24], digits[12], more, shown[MW_WORD_SHOWN];
    mw_mesh_node node;
    uint64_t value = 0;
    int rc;
    const int n = sscanf(line, "%23s %11s %c", name, digits, &more);
    if (n <= 0 || name[0] == '#')
        return MW_OK;
    if (n != 2 || strspn(digits, "0123456789") != strlen(digits))
        return mw_fail(MW_ERR_DATA, "expected NODE RANK, got '%s'",
                       mw_text_show(line, strlen(line), shown));
    if ((rc = mw_node_parse(l, model, name, &node)) != MW_OK)
        return rc;
    for (const char *d = digits; *d != '\0'; d++)
        value = 10 * value + (uint64_t)(*d - '0');
    if (value >= NO_RANK || rank[node] != NO_RANK)
        return mw_fail(MW_ERR_DATA, "%s of %s",
                       value >= NO_RANK ? "too large a rank" : "a second rank", name);
    rank[node] = (uint32_t)value;
    return MW_OK;
}

static int read_ranks(const struct mw_layout *l, enum mw_mesh_model model,
                      struct mw_text *t, uint32_t *rank, uint64_t *number)
{
    char line[128];
    for (*number = 2; take_line(t, line, sizeof line); ++*number)
        MW_NEED(read_rank(l, model, line, rank));
    return MW_OK;
}

/* ---- comparing --------------------------------------------------------------------- */

static int does_not_fall(const struct mw_layout *l, enum mw_mesh_model model,
                         uint64_t flow, mw_mesh_node a, mw_mesh_node b,
                         const uint32_t *rank)
{
    char name[2][MW_NODE_NAME];
    mw_node_name(l, model, a, name[0]);
    mw_node_name(l, model, b, name[1]);
    if (rank[a] == NO_RANK || rank[b] == NO_RANK)
        return mw_fail(MW_ERR_INVALID, "flow %llu uses %s, which has no rank",
                       (unsigned long long)flow, name[rank[a] != NO_RANK]);
    return mw_fail(MW_ERR_INVALID, "flow %llu: rank %u of %s does not fall to %u of %s",
                   (unsigned long long)flow, rank[a], name[0], rank[b], name[1]);
}

/* Counts a need of node a for the hop once: `met` has a bit for each. Coupled, the channel of a
 * hop makes no difference. */
static void count_edge(const struct mw_layout *l, mw_mesh_node a, mw_core from,
                       mw_core to, mw_channel channel, uint8_t *met, uint64_t *n_edges)
{
    const uint32_t n_slots = l->rows + l->cols;
    const uint32_t slot = mw_hop_node(l, MW_LINK, from, to) - from * n_slots;
    const uint64_t i = ((uint64_t)a * l->n_channels + channel) * n_slots + slot;
    *n_edges += (met[i / 8] >> i % 8 & 1) == 0;
    met[i / 8] |= (uint8_t)(1 << i % 8);
}

static int walk_flow(const struct mw_layout *l, enum mw_mesh_model model, uint64_t flow,
                     const mw_core *core, const mw_channel *channel, uint32_t n,
                     const uint32_t *rank, uint8_t *met, uint64_t *n_edges)
{
    const bool walls =
        model != MW_COUPLED && (l->fifo[MW_ROW] == 0 || l->fifo[MW_COLUMN] == 0);
    /* What the message holds first: its core, or the FIFO that it enters first. */
    uint32_t i = model == MW_COUPLED ? 0 : 1;
    mw_mesh_node a =
        i == 0 ? core[0] : mw_channel_node(l, model, core[0], core[1], channel[0]);
    for (; i + 1 < n; i++) {
        const mw_mesh_node b =
            mw_channel_node(l, model, core[i], core[i + 1], channel[i]);
        /* Nobody is ever in a FIFO of depth 0, nor behind it. */
        if (walls && l->fifo[mw_hop_class(l, core[i - 1], core[i])] == 0)
            return MW_OK;
        if (rank[a] == NO_RANK || rank[b] == NO_RANK || rank[a] <= rank[b])
            return does_not_fall(l, model, flow, a, b, rank);
        count_edge(l, a, core[i], core[i + 1], model == MW_COUPLED ? 0 : channel[i], met,
                   n_edges);
        a = b;
    }
    return MW_OK;
}

/* Messages with several ways: of each that a node can hold, one way must lead to lower ranks. */
static int verify_ways(const struct mw_layout *l, enum mw_mesh_model model,
                       const uint32_t *rank, struct mw_verification *out)
{
    struct mw_stages s;
    int rc;
    MW_NEED(mw_stages_make(l, NULL, 0, &s));
    out->ways = true;
    out->n_edges = s.n_ways;
    if (!mw_knot_verify(l, &s, model, rank))
        rc = mw_fail(MW_ERR_INVALID, "some message has no way that leads to lower ranks");
    mw_stages_fini(&s);
    return rc;
}

int mw_certificate_verify(const struct mw_layout *l, enum mw_mesh_model model,
                          const char *text, size_t bytes, struct mw_verification *out)
{
    int rc = MW_OK;
    struct mw_text t;
    const uint64_t n_nodes = mw_mesh_nodes(l, model);
    char line[128] = "";
    uint32_t *rank = NULL;
    uint8_t *met = NULL;
    mw_core *core = NULL;
    mw_channel *channel = NULL;
    *out = (struct mw_verification){.line = 1};
    mw_text_init(&t, text, bytes);
    take_line(&t, line, sizeof line);
    MW_TRY(rc, check_model(line, model));
    MW_NEW(rc, rank, "ranks", n_nodes);
    MW_NEW(rc, met, "edges", (n_nodes * l->n_channels * (l->rows + l->cols) + 7) / 8);
    MW_NEW(rc, core, "cores of a flow", l->longest);
    MW_NEW(rc, channel, "cores of a flow", l->longest);
    memset(rank, 0xFF, n_nodes * sizeof *rank);
    MW_TRY(rc, read_ranks(l, model, &t, rank, &out->line));
    if (mw_layout_has_ways(l)) {
        rc = verify_ways(l, model, rank, out);
        goto end;
    }
    for (uint64_t flow = 0; flow < l->n_flows; flow++) {
        const uint32_t n = mw_layout_flow_in(l, flow, core, channel);
        MW_TRY(rc, walk_flow(l, model, flow, core, channel, n, rank, met, &out->n_edges));
    }
end:
    MW_FREE_ALL(rank, met, core, channel);
    return rc;
}
