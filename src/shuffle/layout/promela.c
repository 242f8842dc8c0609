/* promela.c -- the coupled model in Spin's language, so that another tool can answer.
 *
 * Each core is a process: its hand is the variable `m`, its loop takes a new message or the
 * head of a FIFO, and a put blocks it. A send buffer is a channel that a second process of the
 * core drains: it looks at the head, puts it, and only then takes it out, so that the buffer
 * holds its slot while it waits. A message is a number: flow * LENGTH + how far it is. Depth
 * 0 is Spin's rendezvous, which like ours needs a receiver that takes anything.
 *
 * The supply of a flow is finite, so that Spin ends. A core that waits for messages is at a
 * legal end ("end" labels); one in a put is not: that is the deadlock, an invalid end state.
 * The supply must be able to fill a cycle: each of its edges holds depth + send + 1 messages
 * whose flows take that edge, so a flow that causes k edges of a witness needs k times that.
 * What consumes messages on the way to the cycle does not add to it, since the deadlock can
 * be built without consuming any (fill.h).
 *
 *      spin -a x.pml && gcc -O2 -DSAFETY -o pan pan.c && ./pan
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "shuffle/layout/explore.h"

struct promela {
    const struct mw_layout *l;
    FILE *out;
    mw_core *flow; /* owned; [longest] */
    uint8_t *used; /* owned; [cores] USES_* */
};

enum { USES_CORE = 1, USES_ROW = 2, USES_COLUMN = 4, USES_PUT = 8 };

static uint8_t fifo_bit(enum mw_fifo_class c)
{
    return c == MW_ROW ? USES_ROW : USES_COLUMN;
}

static void print_core(const struct promela *p, const char *what, mw_core v)
{
    fprintf(p->out, "%s_%u_%u", what, mw_core_row(p->l, v), mw_core_col(p->l, v));
}

static void print_fifo(const struct promela *p, mw_core v, enum mw_fifo_class c)
{
    print_core(p, c == MW_ROW ? "row" : "column", v);
}

static void mark_used(struct promela *p)
{
    for (uint64_t f = 0; f < p->l->n_flows; f++) {
        const uint32_t n = mw_layout_flow(p->l, f, p->flow);
        for (uint32_t i = 0; i < n; i++)
            p->used[p->flow[i]] |= USES_CORE;
        for (uint32_t i = 0; i + 1 < n; i++) {
            p->used[p->flow[i]] |= USES_PUT;
            p->used[p->flow[i + 1]] |=
                fifo_bit(mw_hop_class(p->l, p->flow[i], p->flow[i + 1]));
        }
    }
}

static void print_channels(const struct promela *p)
{
    for (uint32_t v = 0; v < mw_mesh_cores(p->l); v++) {
        for (int c = MW_ROW; c < MW_N_CLASSES; c++)
            if ((p->used[v] & fifo_bit((enum mw_fifo_class)c)) != 0) {
                fputs("chan ", p->out);
                print_fifo(p, (mw_core)v, (enum mw_fifo_class)c);
                fprintf(p->out, " = [%u] of { int };\n", p->l->fifo[c]);
            }
        if (p->l->send > 0 && (p->used[v] & USES_PUT) != 0) {
            print_core(p, "chan send", (mw_core)v);
            fprintf(p->out, " = [%u] of { int };\n", p->l->send);
        }
    }
}

/* "if" over the messages that core v may pass on, each into its next core's FIFO. */
static void print_puts(const struct promela *p, mw_core v, const char *indent)
{
    fprintf(p->out, "%sif\n", indent);
    for (uint64_t f = 0; f < p->l->n_flows; f++) {
        const uint32_t n = mw_layout_flow(p->l, f, p->flow);
        for (uint32_t i = 0; i + 1 < n; i++) {
            if (p->flow[i] != v)
                continue;
            fprintf(p->out, "%s:: m == %llu -> ", indent,
                    (unsigned long long)(f * p->l->longest + i));
            print_fifo(p, p->flow[i + 1], mw_hop_class(p->l, v, p->flow[i + 1]));
            fputs(" ! m + 1\n", p->out);
        }
    }
    fprintf(p->out, "%sfi", indent);
}

/* "m == 2 || m == 11", the messages at their last core; returns whether there are any. */
static bool print_last(const struct promela *p, mw_core v, const char *before)
{
    bool any = false;
    for (uint64_t f = 0; f < p->l->n_flows; f++) {
        const uint32_t n = mw_layout_flow(p->l, f, p->flow);
        if (p->flow[n - 1] != v)
            continue;
        fprintf(p->out, "%sm == %llu", any ? " || " : before,
                (unsigned long long)(f * p->l->longest + n - 1));
        any = true;
    }
    return any;
}

/* What a core does with the message in its hand: consumes it, or puts it. */
static void print_hand(const struct promela *p, mw_core v)
{
    if ((p->used[v] & USES_PUT) == 0) {
        fputs("        /* all are consumed */\n", p->out);
        return;
    }
    const bool any = print_last(p, v, "        if\n        :: ");
    if (any)
        fputs(" -> skip /* consumed */\n        :: else ->\n", p->out);
    if (p->l->send > 0) {
        fputs("        ", p->out);
        print_core(p, "send", v);
        fputs(" ! m", p->out);
    } else {
        print_puts(p, v, "        ");
    }
    fputs(any ? "\n        fi;\n" : ";\n", p->out);
}

static void print_process(const struct promela *p, mw_core v)
{
    print_core(p, "active proctype core", v);
    fputs("()\n{\n    int m;\nend:\n    do\n    :: atomic {\n        if\n", p->out);
    for (uint64_t f = 0; f < p->l->n_flows; f++) {
        mw_layout_flow(p->l, f, p->flow);
        if (p->flow[0] == v)
            fprintf(p->out, "        :: left[%llu] > 0 -> left[%llu]--; m = %llu\n",
                    (unsigned long long)f, (unsigned long long)f,
                    (unsigned long long)(f * p->l->longest));
    }
    for (int c = MW_ROW; c < MW_N_CLASSES; c++)
        if ((p->used[v] & fifo_bit((enum mw_fifo_class)c)) != 0) {
            fputs("        :: ", p->out);
            print_fifo(p, v, (enum mw_fifo_class)c);
            fputs(" ? m\n", p->out);
        }
    fputs("        fi\n       };\n", p->out);
    print_hand(p, v);
    fputs("        m = 0\n    od\n}\n\n", p->out);
}

static void print_sender(const struct promela *p, mw_core v)
{
    print_core(p, "active proctype sender", v);
    fputs("()\n{\n    int m;\nend:\n    do\n    :: ", p->out);
    print_core(p, "send", v);
    fputs(" ? <m>;\n", p->out);
    print_puts(p, v, "        ");
    fputs(";\n        ", p->out);
    print_core(p, "send", v);
    fputs(" ? m;\n        m = 0\n    od\n}\n\n", p->out);
}

/* Inside a comment, which no name ends: what follows would be code of the model. */
static void print_name(const struct promela *p)
{
    for (const char *c = p->l->name; *c != '\0'; c++)
        fputc(*c == '*' ? '+' : *c, p->out);
    if (p->l->name[0] == '\0')
        fputs("a layout", p->out);
}

static void print_model(const struct promela *p, uint32_t supply)
{
    fputs("/* ", p->out);
    print_name(p);
    fprintf(p->out,
            ": coupled, fifo row %u col %u send %u, %u messages per flow.\n"
            " * An invalid end state is a deadlock. */\n\n",
            p->l->fifo[MW_ROW], p->l->fifo[MW_COLUMN], p->l->send, supply);
    fprintf(p->out, "int left[%llu] = %u;\n",
            (unsigned long long)mw_max(1, p->l->n_flows), supply);
    print_channels(p);
    fputs("\n", p->out);
    for (uint32_t v = 0; v < mw_mesh_cores(p->l); v++) {
        if (p->used[v] == 0)
            continue;
        print_process(p, (mw_core)v);
        if (p->l->send > 0 && (p->used[v] & USES_PUT) != 0)
            print_sender(p, (mw_core)v);
    }
}

int mw_layout_promela(const struct mw_layout *l, uint32_t supply, FILE *out)
{
    int rc = MW_OK;
    struct promela p = {.l = l, .out = out};
    if (l->n_flows > MW_PROMELA_FLOWS_MAX)
        return mw_fail(MW_ERR_REFUSED, "--promela: %llu flows, at most %d",
                       (unsigned long long)l->n_flows, MW_PROMELA_FLOWS_MAX);
    MW_NEW(rc, p.flow, "a flow", l->longest);
    MW_NEW(rc, p.used, "cores", mw_mesh_cores(l));
    mark_used(&p);
    print_model(&p, supply);
fail:
    mw_free(p.flow);
    mw_free(p.used);
    return rc;
}
