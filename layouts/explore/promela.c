/* promela.c -- the coupled model in Spin's language, so that another tool can answer.
 *
 * Each core is a process: it takes a new message or the head of a FIFO, and a put blocks it. A
 * send buffer is a channel that a second process of the core drains: it looks at the head, puts
 * it, and only then takes it out, so that the buffer holds its slot while it waits. Depth 0 is
 * Spin's rendezvous, which like ours needs a receiver that takes anything. A message is a
 * number: routed ones are equal where core and sink are, for routing has no memory.
 *
 * A core that waits for messages is at a legal end ("end" labels); one in a put is not: that is
 * the deadlock, an invalid end state. Spin sees it only when nothing else moves any more, so
 * the sources must come to an end. How they do follows from the proof, since with too few
 * messages no deadlock can be built, and Spin's "errors: 0" would be a false all-clear:
 *
 *   free       all flows, without end until a process of its own closes the gate, which it may
 *              do at any moment. No number of messages is assumed, and none is counted.
 *   a cycle    the flows that cause it, which suffice (docs/mesh.md, "Monotonicity"), each with
 *              as many messages as it makes in a trace that reaches the deadlock. Without a trace
 *              each with as many as the places on its way hold, depth + send + 1 for each hop: a
 *              deadlock can be built by filling places once and consuming nothing (fill.h), so
 *              no flow is asked for more.
 *   --spin-supply   all flows, and that many messages of each, enough or not.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "layouts/explore/explore.h"

#include <inttypes.h>
#include <stdlib.h>

/* A message at a core, which may be one of many flows. */
struct message {
    uint64_t key;   /* with `at`: which one */
    uint64_t next;  /* its key behind the hop */
    mw_core at, to; /* to: MW_NO_CORE at its last core */
    uint8_t port;   /* of `to` that it goes into: 2 * channel + class */
    bool first;     /* it is made here */
};

struct promela {
    const struct mw_layout *l;
    const struct mw_promela_conf *conf;
    FILE *out;
    uint64_t n_played;
    uint64_t *played; /* owned; [n_played] the flows of the model; NULL: all */
    uint64_t *supply; /* owned; [n_played] messages of each; NULL: without end */
    mw_core *flow;    /* owned; [longest] */
    mw_channel *in;   /* owned; [longest], of its hops */
    uint64_t n_messages;
    struct message
        *message;   /* owned; sorted by core and key; number i + 1 in the model */
    uint16_t *used; /* owned; [cores] USES_* */
    uint32_t n_ports, n_processes, n_channels;
};

enum { USES_CORE = 1, USES_PUT = 2, USES_PORT = 4 /* << port */ };
MW_STATIC_ASSERT(USES_PORT << (MW_N_CLASSES * MW_CHANNELS_MAX - 1) <= UINT16_MAX,
                 "a bit for each FIFO of a core");

/* ---- the flows and their messages ---------------------------------------------------- */

/* Flow k of the model. */
static uint32_t path_of(const struct promela *p, uint64_t k)
{
    return mw_layout_flow_in(p->l, p->played != NULL ? p->played[k] : k, p->flow, p->in);
}

/* The places on the way of a flow of n cores; its last hand is left out, for nothing waits
 * there. */
static uint64_t buffers_of(const struct promela *p, uint32_t n)
{
    uint64_t buffers = 0;
    for (uint32_t i = 0; i + 1 < n; i++)
        buffers += p->l->fifo[mw_hop_class(p->l, p->flow[i], p->flow[i + 1])] +
                   (uint64_t)p->l->send + 1;
    return buffers;
}

static bool has_gate(const struct promela *p)
{
    return p->supply == NULL;
}

static bool is_realised(const struct mw_promela_conf *conf)
{
    return conf->realised != NULL && conf->realised->n_steps > 0;
}

static uint64_t made_in(const struct mw_trace *t, uint64_t flow)
{
    uint64_t n = 0;
    for (uint64_t i = 0; i < t->n_steps; i++)
        n += t->step[i].kind == MW_STEP_INJECT && t->step[i].flow == flow;
    return n;
}

/* What flow k needs to close the cycle. */
static uint64_t need_of(const struct promela *p, uint64_t k)
{
    const uint32_t n = path_of(p, k);
    return is_realised(p->conf) ? made_in(p->conf->realised, p->played[k])
                                : buffers_of(p, n);
}

/* Those that cause the cycle, but for what a trace does without. */
static int choose_witness(struct promela *p)
{
    uint64_t n = 0;
    MW_NEED_NEW(p->played, "flows of a model", p->conf->proof->n_cycle);
    MW_NEED_NEW(p->supply, "messages of a model", p->conf->proof->n_cycle);
    p->n_played = mw_witness_flows(p->conf->proof, p->played);
    for (uint64_t k = 0; k < p->n_played; k++) {
        const uint64_t need = need_of(p, k);
        p->played[n] = p->played[k];
        p->supply[n] = need;
        n += need > 0;
    }
    p->n_played = n;
    return MW_OK;
}

static int choose_flows(struct promela *p)
{
    p->n_played = p->l->n_flows;
    MW_NEED_NEW(p->flow, "a flow", p->l->longest);
    MW_NEED_NEW(p->in, "a flow", p->l->longest);
    if (p->conf->supply == 0)
        return p->conf->proof->free ? MW_OK : choose_witness(p);
    MW_NEED_NEW(p->supply, "messages of a model", p->n_played);
    for (uint64_t k = 0; k < p->n_played; k++)
        p->supply[k] = p->conf->supply;
    return MW_OK;
}

/* Of flow k of the model, at place i of its way. */
static uint64_t key_of(const struct promela *p, uint64_t k, uint32_t i, uint32_t n)
{
    const struct mw_layout *l = p->l;
    const uint64_t f = p->played != NULL ? p->played[k] : k;
    if (f < l->n_routed)
        return p->flow[n - 1];
    return mw_mesh_cores(l) + (f - l->n_routed) * l->longest + i;
}

static uint8_t port_of(const struct promela *p, uint32_t hop)
{
    return (uint8_t)(MW_N_CLASSES * p->in[hop] +
                     mw_hop_class(p->l, p->flow[hop], p->flow[hop + 1]));
}

static int by_core(const void *a, const void *b)
{
    const struct message *x = a, *y = b;
    if (x->at != y->at)
        return x->at < y->at ? -1 : 1;
    return (x->key > y->key) - (x->key < y->key);
}

/* One of each. */
static void merge_messages(struct promela *p)
{
    uint64_t n = 0;
    qsort(p->message, p->n_messages, sizeof *p->message, by_core);
    for (uint64_t i = 0; i < p->n_messages; i++)
        if (n > 0 && by_core(&p->message[n - 1], &p->message[i]) == 0)
            p->message[n - 1].first |= p->message[i].first;
        else
            p->message[n++] = p->message[i];
    p->n_messages = n;
}

static int list_messages(struct promela *p)
{
    uint64_t room = 0;
    for (uint64_t k = 0; k < p->n_played && room <= MW_PROMELA_MESSAGES_MAX; k++)
        room += path_of(p, k);
    if (room > MW_PROMELA_MESSAGES_MAX)
        return mw_fail(MW_ERR_REFUSED,
                       "--promela: %" PRIu64
                       " flows of more than %d cores together, which "
                       "Spin cannot take; give it a smaller mesh",
                       p->n_played, MW_PROMELA_MESSAGES_MAX);
    MW_NEED_NEW(p->message, "messages of a model", room);
    for (uint64_t k = 0; k < p->n_played; k++) {
        const uint32_t n = path_of(p, k);
        for (uint32_t i = 0; i < n; i++) {
            const bool last = i + 1 == n;
            p->message[p->n_messages++] =
                (struct message){.key = key_of(p, k, i, n),
                                 .next = last ? 0 : key_of(p, k, i + 1, n),
                                 .at = p->flow[i],
                                 .to = last ? MW_NO_CORE : p->flow[i + 1],
                                 .port = last ? 0 : port_of(p, i),
                                 .first = i == 0};
        }
    }
    merge_messages(p);
    return MW_OK;
}

/* Its number in the model; it is there. */
static uint64_t number_of(const struct promela *p, mw_core at, uint64_t key)
{
    const struct message wanted = {.at = at, .key = key};
    const struct message *m =
        bsearch(&wanted, p->message, p->n_messages, sizeof wanted, by_core);
    return (uint64_t)(m - p->message) + 1;
}

/* ---- processes and channels ----------------------------------------------------------- */

static bool has_fifo(const struct promela *p, uint32_t v, uint32_t port)
{
    return (p->used[v] >> port & USES_PORT) != 0;
}

static bool has_sender(const struct promela *p, uint32_t v)
{
    return p->l->send > 0 && (p->used[v] & USES_PUT) != 0;
}

static int mark_used(struct promela *p)
{
    MW_NEED_NEW(p->used, "cores", mw_mesh_cores(p->l));
    for (uint64_t i = 0; i < p->n_messages; i++) {
        const struct message *m = &p->message[i];
        p->used[m->at] |= USES_CORE;
        if (m->to == MW_NO_CORE)
            continue;
        p->used[m->at] |= USES_PUT;
        p->used[m->to] |= (uint16_t)(USES_PORT << m->port);
    }
    return MW_OK;
}

int mw_promela_check(uint32_t n_processes, uint32_t n_channels)
{
    if (n_processes <= MW_PROMELA_MAX && n_channels <= MW_PROMELA_MAX)
        return MW_OK;
    return mw_fail(MW_ERR_REFUSED,
                   "--promela: %u processes and %u channels, and Spin takes at most %d "
                   "of each; give it a smaller mesh",
                   n_processes, n_channels, MW_PROMELA_MAX);
}

static int check_limits(struct promela *p)
{
    p->n_processes = has_gate(p);
    for (uint32_t v = 0; v < mw_mesh_cores(p->l); v++) {
        if (p->used[v] != 0)
            p->n_processes++;
        for (uint32_t port = 0; port < p->n_ports; port++)
            p->n_channels += has_fifo(p, v, port);
        if (has_sender(p, v)) {
            p->n_processes++;
            p->n_channels++;
        }
    }
    return mw_promela_check(p->n_processes, p->n_channels);
}

static void print_core(const struct promela *p, const char *what, mw_core v)
{
    fprintf(p->out, "%s_%u_%u", what, mw_core_row(p->l, v), mw_core_col(p->l, v));
}

/* "row_0_1"; "row_reply_0_1" in a layout with classes */
static void print_fifo(const struct promela *p, mw_core v, uint32_t port)
{
    char what[MW_CHANNEL_NAME + 8];
    const char *channel = p->l->channel_name[port / MW_N_CLASSES];
    snprintf(what, sizeof what, "%s%s%s",
             port % MW_N_CLASSES == MW_ROW ? "row" : "column",
             *channel != '\0' ? "_" : "", channel);
    print_core(p, what, v);
}

/* What holds a message. */
static const char *type_of(const struct promela *p)
{
    return p->n_messages < 256 ? "byte" : p->n_messages < 32768 ? "short" : "int";
}

static void print_channels(const struct promela *p)
{
    for (uint32_t v = 0; v < mw_mesh_cores(p->l); v++) {
        for (uint32_t port = 0; port < p->n_ports; port++)
            if (has_fifo(p, v, port)) {
                fputs("chan ", p->out);
                print_fifo(p, (mw_core)v, port);
                fprintf(p->out, " = [%u] of { %s };\n", p->l->fifo[port % MW_N_CLASSES],
                        type_of(p));
            }
        if (has_sender(p, v)) {
            print_core(p, "chan send", (mw_core)v);
            fprintf(p->out, " = [%u] of { %s };\n", p->l->send, type_of(p));
        }
    }
}

/* Messages [first, end) are those at core v. */
struct slice {
    uint64_t first, end;
};

/* Branches on the message in hand: at its last core it is consumed, and of those to be put, each
 * has a label of its own, so that the hand can be empty there. */
static void print_branches(const struct promela *p, struct slice s, bool consumes,
                           bool puts)
{
    fputs("        if\n", p->out);
    for (uint64_t i = s.first; i < s.end; i++)
        if (p->message[i].to == MW_NO_CORE && consumes)
            fprintf(p->out,
                    "        :: m == %" PRIu64 " -> m = 0; goto end /* consumed */\n",
                    i + 1);
        else if (p->message[i].to != MW_NO_CORE && puts)
            fprintf(p->out,
                    "        :: m == %" PRIu64 " -> m = 0; goto put_%" PRIu64 "\n", i + 1,
                    i + 1);
    fprintf(p->out, "%s        fi\n    };\n", puts ? "" : "        :: else -> skip\n");
}

/* `from`: the buffer that the message stands in while it waits, or NULL. */
static void print_puts(const struct promela *p, struct slice s, const char *from)
{
    for (uint64_t i = s.first; i < s.end; i++) {
        const struct message *m = &p->message[i];
        if (m->to == MW_NO_CORE)
            continue;
        fprintf(p->out, "put_%" PRIu64 ":\n    atomic { ", i + 1);
        print_fifo(p, m->to, m->port);
        fprintf(p->out, " ! %" PRIu64 "; ", number_of(p, m->to, m->next));
        if (from != NULL) {
            print_core(p, from, m->at);
            fputs(" ? m; m = 0; ", p->out);
        }
        fputs("goto end };\n", p->out);
    }
}

/* The ways to a new message: equal ones once, if they are not counted. */
static void print_supply(const struct promela *p, mw_core v, struct slice s)
{
    if (has_gate(p)) {
        for (uint64_t i = s.first; i < s.end; i++)
            if (p->message[i].first)
                fprintf(p->out, "        :: open -> m = %" PRIu64 "\n", i + 1);
        return;
    }
    for (uint64_t k = 0; k < p->n_played; k++) {
        const uint32_t n = path_of(p, k);
        if (p->flow[0] == v)
            fprintf(p->out,
                    "        :: left_%" PRIu64 " > 0 -> left_%" PRIu64 "--; m = %" PRIu64
                    "\n",
                    k, k, number_of(p, v, key_of(p, k, 0, n)));
    }
}

static void print_process(const struct promela *p, mw_core v, struct slice s)
{
    const bool buffered = has_sender(p, v);
    print_core(p, "active proctype core", v);
    fprintf(p->out, "()\n{\n    %s m;\nend:\n    atomic {\n        if\n", type_of(p));
    print_supply(p, v, s);
    for (uint32_t port = 0; port < p->n_ports; port++)
        if (has_fifo(p, v, port)) {
            fputs("        :: ", p->out);
            print_fifo(p, v, port);
            fputs(" ? m\n", p->out);
        }
    fputs("        fi;\n", p->out);
    print_branches(p, s, true, !buffered);
    if (buffered) {
        fputs("    atomic { ", p->out);
        print_core(p, "send", v);
        fputs(" ! m; m = 0; goto end }\n", p->out);
    } else {
        print_puts(p, s, NULL);
    }
    fputs("}\n\n", p->out);
}

static void print_sender(const struct promela *p, mw_core v, struct slice s)
{
    print_core(p, "active proctype sender", v);
    fprintf(p->out, "()\n{\n    %s m;\nend:\n    atomic {\n        ", type_of(p));
    print_core(p, "send", v);
    fputs(" ? <m>;\n", p->out);
    print_branches(p, s, false, true);
    print_puts(p, s, "send");
    fputs("}\n\n", p->out);
}

/* ---- the whole ------------------------------------------------------------------------ */

/* Inside a comment, which no name ends: what follows would be code of the model. */
static void print_name(const struct promela *p)
{
    for (const char *c = p->l->name; *c != '\0'; c++)
        fputc(*c == '*' ? '+' : *c, p->out);
    if (p->l->name[0] == '\0')
        fputs("a layout", p->out);
}

/* Of a state, no less than it has: above what pan is made for (1024, if not told) it gives up,
 * and its answer says "errors: 1". */
static uint64_t state_bytes(const struct promela *p)
{
    const uint64_t depth =
        mw_max(p->l->send, mw_max(p->l->fifo[MW_ROW], p->l->fifo[MW_COLUMN]));
    const uint64_t bytes = 256 + 16 * (uint64_t)p->n_processes +
                           p->n_channels * (16 + 4 * depth) +
                           (has_gate(p) ? 0 : 4 * p->n_played);
    uint64_t room = 1024;
    while (room < bytes)
        room *= 2;
    return room;
}

static void print_head(const struct promela *p)
{
    fputs("/* ", p->out);
    print_name(p);
    fprintf(
        p->out,
        ": coupled, fifo row %u col %u send %u. An invalid end state is a deadlock.\n"
        " *\n"
        " *     spin -a MODEL\n"
        " *     cc -O2 -DSAFETY -DCOLLAPSE -DVECTORSZ=%" PRIu64 " -o pan pan.c\n"
        " *     ./pan -m1000000\n"
        " *\n"
        " * There is none if it says \"errors: 0\", and neither \"max search depth too "
        "small\"\n"
        " * nor \"Search not completed\".\n *\n",
        p->l->fifo[MW_ROW], p->l->fifo[MW_COLUMN], p->l->send, state_bytes(p));
    if (p->conf->supply > 0)
        fprintf(p->out, " * Supply: %u messages of each flow, as asked for",
                p->conf->supply);
    else if (has_gate(p))
        fputs(
            " * Supply: without end, until the gate closes at any moment; the layout is\n"
            " * proved free for any number of messages",
            p->out);
    else
        fprintf(p->out,
                " * Supply: of the %" PRIu64
                " flows those that cause the shortest cycle, each with as\n"
                " * many messages as %s; more flows and\n * more messages take no "
                "deadlock away",
                p->l->n_flows,
                is_realised(p->conf) ? "it makes in a trace into the deadlock"
                                     : "the places on its way hold");
    fputs(". */\n\n", p->out);
}

/* left: messages that a flow may still make. */
static void print_supplies(const struct promela *p)
{
    if (has_gate(p))
        fputs("bool open = true;\nactive proctype gate() { open = false }\n\n", p->out);
    for (uint64_t k = 0; !has_gate(p) && k < p->n_played; k++) {
        const uint32_t n = path_of(p, k);
        fprintf(p->out, "int left_%" PRIu64 " = %" PRIu64 "; /* ", k, p->supply[k]);
        mw_path_print(p->l, p->flow, n, p->out);
        fputs(" */\n", p->out);
    }
}

static void print_model(const struct promela *p)
{
    struct slice s = {0, 0};
    print_head(p);
    print_supplies(p);
    print_channels(p);
    fputs("\n", p->out);
    for (uint32_t v = 0; v < mw_mesh_cores(p->l); v++) {
        if (p->used[v] == 0)
            continue;
        for (s.first = s.end; s.end < p->n_messages && p->message[s.end].at == v;)
            s.end++;
        print_process(p, (mw_core)v, s);
        if (has_sender(p, v))
            print_sender(p, (mw_core)v, s);
    }
}

static void promela_fini(struct promela *p)
{
    MW_FREE_ALL(p->played, p->supply, p->flow, p->in, p->message, p->used);
}

int mw_layout_promela(const struct mw_layout *l, const struct mw_promela_conf *conf,
                      FILE *out)
{
    int rc;
    struct promela p = {
        .l = l, .conf = conf, .out = out, .n_ports = MW_N_CLASSES * l->n_channels};
    MW_TRY(rc, choose_flows(&p));
    MW_TRY(rc, list_messages(&p));
    MW_TRY(rc, mark_used(&p));
    MW_TRY(rc, check_limits(&p));
    print_model(&p);
end:
    promela_fini(&p);
    return rc;
}

int mw_promela_supply(const struct mw_layout *l, const struct mw_promela_conf *conf,
                      uint64_t *out)
{
    int rc = MW_OK;
    const struct mw_promela_conf of_proof = {.proof = conf->proof,
                                             .realised = conf->realised};
    struct promela p = {.l = l, .conf = &of_proof};
    *out = 0;
    MW_TRY(rc, choose_flows(&p));
    for (uint64_t k = 0; p.supply != NULL && k < p.n_played; k++)
        *out = mw_max(*out, p.supply[k]);
end:
    promela_fini(&p);
    return rc;
}
