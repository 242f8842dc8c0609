/* story.c -- how a layout comes to a stop: who holds what and waits for whom,
 * which flows do it together, how many messages it takes, and what helps.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

#include "base/mem.h"
#include "layouts/explain/cores.h"

enum { SHOWN_MAX = 12, FIXES_MAX = 4 }; /* members of the circle that are told; fixes */

static const char *class_name(enum mw_fifo_class class)
{
    return class == MW_ROW ? "row" : "column";
}

/* The name of the class that the hop of the cause is in. */
static const char *channel_of(const struct mw_layout *l, const struct mw_cause *why)
{
    mw_core core[MW_FLOW_CORES_MAX];
    mw_channel channel[MW_FLOW_CORES_MAX];
    mw_layout_flow_in(l, why->flow, core, channel);
    return l->channel_name[channel[why->hop]];
}

/* ---- the circle -------------------------------------------------------------------- */

static void tell_member(const struct mw_layout *l, const struct mw_proof *p, uint32_t i,
                        FILE *out)
{
    char a[MW_NODE_NAME], b[MW_NODE_NAME], from[MW_CALLED], to[MW_CALLED];
    const mw_core x = mw_node_core(l, p->model, p->node[i]);
    const mw_core y = mw_node_core(l, p->model, mw_witness_next(p, i));
    mw_core_called(l, x, from);
    mw_core_called(l, y, to);
    if (p->model == MW_COUPLED) {
        const char *channel = channel_of(l, &p->why[i]);
        fprintf(out,
                "  %s holds a message that must go to %s, and waits: the %s FIFO%s%s "
                "there is full.\n",
                from, to, class_name(mw_hop_class(l, x, y)),
                *channel != '\0' ? " of class " : "", channel);
        return;
    }
    fprintf(out, "  %s is full, and its first message, at %s, waits for room in %s.\n",
            mw_node_name(l, p->model, p->node[i], a), from,
            mw_node_name(l, p->model, mw_witness_next(p, i), b));
}

static void tell_closing(enum mw_mesh_model m, FILE *out)
{
    if (m == MW_COUPLED)
        fputs("  A core that waits in a put takes nothing. So none of these FIFOs will\n"
              "  ever have room again, and none of these cores will ever move.\n",
              out);
    else
        fputs("  Each is emptied only by moving its first message on. So none of them\n"
              "  will ever move.\n",
              out);
}

static void tell_circle(const struct mw_layout *l, const struct mw_proof *p, FILE *out)
{
    static const char *const nouns[MW_N_MODELS] = {"cores", "receive FIFOs", "links"};
    fprintf(out, "A circle of %u %s can wait for each other for ever\n", p->n_cycle,
            nouns[p->model]);
    for (uint32_t i = 0; i < p->n_cycle && i < SHOWN_MAX; i++)
        tell_member(l, p, i, out);
    if (p->n_cycle > SHOWN_MAX)
        fprintf(out, "  ... and so on, %u more, back to the first.\n",
                p->n_cycle - SHOWN_MAX);
    tell_closing(p->model, out);
}

/* What classes do, and what they cannot. */
static void tell_classes(const struct mw_layout *l, const struct mw_proof *p, FILE *out)
{
    if (l->n_channels == 1)
        return;
    if (p->model == MW_COUPLED)
        fprintf(
            out,
            "  Each of the %u classes has FIFOs of its own, but the core has one hand "
            "for\n  all: while it waits for room in one class, it takes nothing of any "
            "other.\n  Classes separate messages only where each class has a thread or "
            "hardware\n  of its own (models decoupled, link).\n",
            l->n_channels);
    else
        fprintf(out,
                "  The %u classes do not break this circle: each of its FIFOs waits for "
                "the\n  next, within a class or from one class into another.\n",
                l->n_channels);
}

/* ---- the flows --------------------------------------------------------------------- */

/* Whether the flow holds some node twice: then it closes a circle by itself. */
static bool returns(const struct mw_layout *l, enum mw_mesh_model m, uint64_t flow,
                    mw_core *core, mw_core *at)
{
    mw_channel channel[MW_FLOW_CORES_MAX];
    const uint32_t n = mw_layout_flow_in(l, flow, core, channel);
    for (uint32_t i = m == MW_COUPLED ? 0 : 1; i < n; i++)
        for (uint32_t j = i + 1; j < n; j++) {
            const mw_mesh_node a =
                i == 0 ? core[0]
                       : mw_channel_node(l, m, core[i - 1], core[i], channel[i - 1]);
            if (a == mw_channel_node(l, m, core[j - 1], core[j], channel[j - 1])) {
                *at = core[j];
                return true;
            }
        }
    return false;
}

static bool is_first_of_flow(const struct mw_proof *p, uint32_t i)
{
    for (uint32_t j = 0; j < i; j++)
        if (p->why[j].flow == p->why[i].flow)
            return false;
    return true;
}

static void tell_cause(const struct mw_layout *l, const struct mw_proof *p, uint32_t i,
                       mw_core *core, FILE *out)
{
    char a[MW_NODE_NAME], b[MW_NODE_NAME];
    const uint32_t n = mw_layout_flow(l, p->why[i].flow, core);
    fprintf(out, "  %s -> %s: flow %llu, ", mw_node_name(l, p->model, p->node[i], a),
            mw_node_name(l, p->model, mw_witness_next(p, i), b),
            (unsigned long long)p->why[i].flow);
    mw_path_print(l, core, n, out);
    fputc('\n', out);
}

#define ALONE_IS_HARMLESS                                                                \
    "  Each of these %u flows alone is harmless: it is a line, at whose end a core\n"    \
    "  that waits for nobody takes every message, and so makes room all the way\n"       \
    "  back. Only together do they close the circle. A test with one flow at a time\n"   \
    "  passes.\n"

static void tell_alone(const struct mw_layout *l, const struct mw_proof *p, mw_core *core,
                       FILE *out)
{
    char name[MW_NODE_NAME];
    uint32_t n_flows = 0, n_returning = 0;
    for (uint32_t i = 0; i < p->n_cycle; i++) {
        mw_core at;
        if (!is_first_of_flow(p, i))
            continue;
        n_flows++;
        if (!returns(l, p->model, p->why[i].flow, core, &at))
            continue;
        n_returning++;
        fprintf(out,
                "  Flow %llu is dangerous by itself: it comes back to %s, and its own "
                "messages block it.\n",
                (unsigned long long)p->why[i].flow, mw_core_name(l, at, name));
    }
    if (n_returning == 0)
        fprintf(out, ALONE_IS_HARMLESS, n_flows);
}

static void tell_flows(const struct mw_layout *l, const struct mw_proof *p, mw_core *core,
                       FILE *out)
{
    fputs("\nWhose messages these are\n", out);
    for (uint32_t i = 0; i < p->n_cycle && i < SHOWN_MAX; i++)
        tell_cause(l, p, i, core, out);
    tell_alone(l, p, core, out);
}

/* ---- how many messages it takes ---------------------------------------------------- */

/* How many of the witness' FIFOs are of each class. */
static void count_classes(const struct mw_layout *l, const struct mw_proof *p,
                          mw_core *core, uint32_t n[MW_N_CLASSES])
{
    n[MW_ROW] = n[MW_COLUMN] = 0;
    for (uint32_t i = 0; i < p->n_cycle; i++) {
        const uint32_t hop = p->why[i].hop;
        mw_layout_flow(l, p->why[i].flow, core);
        n[mw_hop_class(l, core[hop], core[hop + 1])]++;
    }
}

/* "2 column FIFOs: 2 x (4 + 0 + 1) = 10"; returns the product. */
static uint64_t tell_term(const struct mw_layout *l, const struct mw_proof *p,
                          enum mw_fifo_class c, uint32_t n, FILE *out)
{
    const bool hands = p->model == MW_COUPLED;
    const uint64_t each = l->fifo[c] + (hands ? l->send + 1 : 0);
    fprintf(out, "  %u %s FIFO%s: ", n, class_name(c), n == 1 ? "" : "s");
    if (hands)
        fprintf(out, "%u x (%u + %u + 1)", n, l->fifo[c], l->send);
    else
        fprintf(out, "%u x %u", n, l->fifo[c]);
    fprintf(out, " = %llu\n", (unsigned long long)(n * each));
    return n * each;
}

static void tell_size(const struct mw_layout *l, const struct mw_proof *p, mw_core *core,
                      FILE *out)
{
    uint32_t n[MW_N_CLASSES];
    uint64_t sum = 0;
    fputs("\nHow many messages it takes\n", out);
    if (p->model == MW_COUPLED)
        fputs("  The circle closes only when it is full: every FIFO, every send buffer\n"
              "  and every hand on it (depth + send + 1).\n",
              out);
    else
        fputs("  The circle closes only when every FIFO on it is full.\n", out);
    count_classes(l, p, core, n);
    for (int c = 0; c < MW_N_CLASSES; c++)
        if (n[c] > 0)
            sum += tell_term(l, p, (enum mw_fifo_class)c, n[c], out);
    fprintf(out, "  At least %llu messages are stuck on it.", (unsigned long long)sum);
    if (p->min_inflight < sum)
        fprintf(out, " Another circle takes only %llu.",
                (unsigned long long)p->min_inflight);
    fprintf(out,
            "\n  With at most %llu messages in the mesh at a time no circle can close.\n"
            "  Deeper FIFOs move that number, and make the deadlock rarer and harder to\n"
            "  find; they do not remove it.\n",
            (unsigned long long)(p->min_inflight - 1));
}

int mw_layout_tell_deadlock(const struct mw_layout *l, const struct mw_proof *told,
                            FILE *out)
{
    mw_core *core;
    MW_NEED_NEW(core, "cores of a flow", l->longest);
    tell_circle(l, told, out);
    tell_classes(l, told, out);
    tell_flows(l, told, core, out);
    tell_size(l, told, core, out);
    mw_free(core);
    return MW_OK;
}

/* ---- what helps -------------------------------------------------------------------- */

void mw_layout_tell_fixes(const struct mw_layout *l, const struct mw_proof *told,
                          FILE *out)
{
    struct mw_fix fix[FIXES_MAX];
    const uint32_t n = mw_layout_fixes(l, told, fix, FIXES_MAX);
    fputs("\nWhat helps\n", out);
    for (uint32_t i = 0; i < n; i++)
        fprintf(out, "  - %s%s\n", fix[i].text,
                fix[i].proved ? "  (proved free on the changed layout)" : "");
    if (n == 1)
        fputs("  No small edit of the routes was found that removes every circle. Give "
              "producing,\n  routing and consuming to different cores, and each router "
              "column one direction.\n",
              out);
}
