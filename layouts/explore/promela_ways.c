/* promela_ways.c -- a mesh whose messages have several ways as a model for Spin, coupled: as
 * promela.c for flows. A message is its stage. Several ways are branches of one `if`, of which Spin
 * takes any that is open; a way with several targets is open when none of their FIFOs is full, and
 * then all copies go in one atomic step.
 *
 * Free: all sources, until a gate closes at any moment. Else: those of a trace into the deadlock,
 * each with as many messages as it makes there.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "layouts/explore/explore.h"
#include "layouts/ways/stages.h"

#include <inttypes.h>

struct promela {
    const struct mw_layout *l;
    FILE *out;
    struct mw_stages s;
    uint64_t *source, *supply; /* owned; [n_sources] NULL: all, without end */
    uint64_t n_sources;
    uint32_t n_ports;
    bool *core, *fifo; /* owned; [cores], [cores * n_ports]: used */
};

static uint32_t port_of(const struct promela *p, uint32_t stage,
                        const struct mw_target *t)
{
    const mw_core to = p->s.stage[t->stage].core;
    return to * p->n_ports + MW_N_CLASSES * t->channel +
           (uint32_t)mw_hop_class(p->l, p->s.stage[stage].core, to);
}

static int choose_sources(struct promela *p, const struct mw_trace *t)
{
    if (t == NULL)
        return MW_OK;
    MW_NEED_NEW(p->source, "sources of a model", t->n_steps);
    MW_NEED_NEW(p->supply, "sources of a model", t->n_steps);
    for (uint64_t i = 0; i < t->n_steps; i++) {
        uint64_t n = 0;
        if (t->step[i].kind != MW_STEP_INJECT)
            continue;
        while (n < p->n_sources && p->source[n] != t->step[i].flow)
            n++;
        p->n_sources += n == p->n_sources;
        p->source[n] = t->step[i].flow;
        p->supply[n]++;
    }
    return MW_OK;
}

static int mark_used(struct promela *p)
{
    uint32_t n_channels = 0, n_cores = 0;
    MW_NEED_NEW(p->core, "cores", mw_mesh_cores(p->l));
    MW_NEED_NEW(p->fifo, "FIFOs", (uint64_t)mw_mesh_cores(p->l) * p->n_ports);
    for (uint32_t i = 0; i < p->s.n; i++) {
        const struct mw_stage *at = &p->s.stage[i];
        n_cores += !p->core[at->core];
        p->core[at->core] = true;
        for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++)
            for (uint32_t t = p->s.first_target[w]; t < p->s.first_target[w + 1]; t++) {
                bool *used = &p->fifo[port_of(p, i, &p->s.target[t])];
                n_channels += !*used;
                *used = true;
            }
    }
    return mw_promela_check(n_cores + 1, n_channels);
}

static void print_fifo(const struct promela *p, uint32_t fifo)
{
    fprintf(p->out, "fifo_%u_%u", fifo / p->n_ports, fifo % p->n_ports);
}

/* "fifo_1_0 ! 5" or, of several targets, "nfull(..) && nfull(..) -> .. ! 5; .. ! 6" */
static void print_way(const struct promela *p, uint32_t stage, uint32_t way)
{
    const uint32_t first = p->s.first_target[way], end = p->s.first_target[way + 1];
    fputs("        :: ", p->out);
    for (uint32_t t = first; t < end && end - first > 1; t++) {
        fputs(t > first ? " && nfull(" : "nfull(", p->out);
        print_fifo(p, port_of(p, stage, &p->s.target[t]));
        fputs(t + 1 == end ? ") -> " : ")", p->out);
    }
    for (uint32_t t = first; t < end; t++) {
        fputs(t > first ? "; " : "", p->out);
        print_fifo(p, port_of(p, stage, &p->s.target[t]));
        fprintf(p->out, " ! %u", p->s.target[t].stage + 1);
    }
    fputc('\n', p->out);
}

static void print_core(const struct promela *p, mw_core v)
{
    fprintf(p->out,
            "active proctype core_%u()\n{\n    int m;\nend:\n    atomic {\n        if\n",
            v);
    for (uint32_t i = 0; i < p->s.n_starts; i++) {
        if (p->s.stage[p->s.start[i]].core != v)
            continue;
        uint64_t k = 0;
        while (p->supply != NULL && p->source[k] != p->s.source[i])
            k++;
        if (p->supply == NULL)
            fprintf(p->out, "        :: open -> m = %u\n", p->s.start[i] + 1);
        else
            fprintf(p->out,
                    "        :: left_%" PRIu64 " > 0 -> left_%" PRIu64 "--; m = %u\n", k,
                    k, p->s.start[i] + 1);
    }
    for (uint32_t port = 0; port < p->n_ports; port++)
        if (p->fifo[v * p->n_ports + port]) {
            fputs("        :: ", p->out);
            print_fifo(p, v * p->n_ports + port);
            fputs(" ? m\n", p->out);
        }
    fputs("        fi;\n        if\n", p->out);
    for (uint32_t i = 0; i < p->s.n; i++)
        if (p->s.stage[i].core == v && p->s.stage[i].n_ways > 0)
            fprintf(p->out, "        :: m == %u -> m = 0; goto put_%u\n", i + 1, i + 1);
    fputs("        :: else -> m = 0; goto end /* consumed */\n        fi\n    };\n",
          p->out);
    for (uint32_t i = 0; i < p->s.n; i++) {
        const struct mw_stage *at = &p->s.stage[i];
        if (at->core != v || at->n_ways == 0)
            continue;
        fprintf(p->out, "put_%u:\n    atomic {\n        if\n", i + 1);
        for (uint32_t w = at->first_way; w < at->first_way + at->n_ways; w++)
            print_way(p, i, w);
        fputs("        fi;\n        goto end\n    };\n", p->out);
    }
    fputs("}\n\n", p->out);
}

static void print_model(const struct promela *p)
{
    const uint32_t n_fifos = mw_mesh_cores(p->l) * p->n_ports;
    fprintf(p->out,
            "/* Adaptive routes and broadcasts: coupled, fifo row %u col %u. An invalid "
            "end state is "
            "a deadlock.\n *     spin -a MODEL\n"
            " *     cc -O2 -DSAFETY -DCOLLAPSE -DVECTORSZ=%u -o pan pan.c\n"
            " *     ./pan -m1000000\n */\n\n",
            p->l->fifo[MW_ROW], p->l->fifo[MW_COLUMN], 1u << 15);
    if (p->supply == NULL)
        fputs("bool open = true;\nactive proctype gate() { open = false }\n\n", p->out);
    for (uint64_t k = 0; p->supply != NULL && k < p->n_sources; k++) {
        fprintf(p->out, "int left_%" PRIu64 " = %" PRIu64 "; /* ", k, p->supply[k]);
        mw_source_print(p->l, p->source[k], p->out);
        fputs(" */\n", p->out);
    }
    for (uint32_t i = 0; i < n_fifos; i++)
        if (p->fifo[i]) {
            fputs("chan ", p->out);
            print_fifo(p, i);
            fprintf(p->out, " = [%u] of { int };\n",
                    p->l->fifo[i % p->n_ports % MW_N_CLASSES]);
        }
    fputc('\n', p->out);
    for (uint32_t v = 0; v < mw_mesh_cores(p->l); v++)
        if (p->core[v])
            print_core(p, (mw_core)v);
}

int mw_ways_promela(const struct mw_layout *l, const struct mw_trace *realised, FILE *out)
{
    int rc;
    struct promela p = {.l = l, .out = out, .n_ports = MW_N_CLASSES * l->n_channels};
    if (l->send > 0)
        return mw_fail(MW_ERR_REFUSED,
                       "--promela: adaptive routes and broadcasts only without a "
                       "send buffer");
    MW_TRY(rc, choose_sources(&p, realised));
    MW_TRY(rc, mw_stages_make(l, p.source, p.n_sources, &p.s));
    MW_TRY(rc, mark_used(&p));
    print_model(&p);
end:
    MW_FREE_ALL(p.source, p.supply, p.core, p.fifo);
    mw_stages_fini(&p.s);
    return rc;
}
