/* layout_random.h -- layouts and configurations for the simulator's tests: the published ones,
 * and random ones that reach deadlocks, ends of stream, rendezvous and send buffers.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef LAYOUT_RANDOM_H
#define LAYOUT_RANDOM_H

#include "layouts/sim/sim.h"
#include "layouts/sim/traffic.h"
#include "suite.h"

static inline struct mw_layout *layout_of(const char *text)
{
    static struct mw_diagnostics d;
    struct mw_layout *l = NULL;
    memset(&d, 0, sizeof d);
    if (mw_layout_parse(text, strlen(text), &l, &d) != MW_OK)
        ck_abort_msg("%s: %s\n%s", mw_error_text(), d.kept[0].text, text);
    return l;
}

static inline struct mw_sim_result sim_of(const struct mw_layout *l,
                                          const struct mw_sim_conf *conf)
{
    struct mw_sim_result r;
    if (mw_layout_sim(l, conf, &r) != MW_OK)
        ck_abort_msg("%s", mw_error_text());
    return r;
}

/* The routes of the paper's layout, all in one piece. */
#define PAPER_ROUTES                                                                     \
    "route P: down->D up->U same->D|U\nroute D: col-to-row, then K\n"                    \
    "route U: col-to-row, then K\n"
#define PAPER   "mesh 8 8\nroles PPPPDUKK\n" PAPER_ROUTES
#define TWO_WAY "mesh 8 8\nroles PPPPTKKK\nroute P: any->T\nroute T: col-to-row, then K\n"
#define MERGED_ROUTES                                                                    \
    "sink W\nroute P: down->V same->V up->W\nroute V: col-to-row, then W\n"              \
    "route W: col-to-row\n"
#define XY "mesh 8 8\nroles AAAAAAAA\nsource A\nsink A\nroute A: row-to-col, col-to-row\n"

/* ---- random ones ----------------------------------------------------------------------- */

static inline uint64_t draw(uint64_t *state, uint64_t below)
{
    return mw_high_word(mw_sim_traffic_mix(*state += UINT64_C(0x9e3779b97f4a7c15)),
                        below);
}

static inline uint32_t one_of(uint64_t *state, const uint32_t *value, uint32_t n)
{
    return value[draw(state, n)];
}

/* Listed flows: random walks of two to six cores. */
static inline struct mw_layout *random_flows(uint64_t *state)
{
    struct mw_layout *l;
    struct mw_diagnostics d = {0};
    MUST(mw_layout_new(1 + (uint32_t)draw(state, 4), 2 + (uint32_t)draw(state, 4), &l) ==
         MW_OK);
    for (uint64_t i = 0, n = 1 + draw(state, 12); i < n; i++) {
        mw_core path[6] = {(mw_core)draw(state, mw_mesh_cores(l))};
        const uint32_t cores = 2 + (uint32_t)draw(state, 5);
        for (uint32_t k = 1; k < cores;) {
            path[k] = (mw_core)draw(state, mw_mesh_cores(l));
            k += mw_hop_legal(l, path[k - 1], path[k]);
        }
        MUST(mw_layout_add_flow(l, path, cores, -1, 1) == MW_OK);
    }
    MUST(mw_layout_expand(l, &d) == MW_OK);
    return l;
}

/* Adaptive routes, broadcasts, or both, beside flows and in classes. */
static inline struct mw_layout *random_ways(uint64_t *state)
{
    static const char *const adaptive[] = {"minimal", "west-first", "odd-even class b",
                                           "minimal class a escape xy class b",
                                           "negative-first class b escape yx class a"};
    char text[900];
    const uint32_t rows = 2 + (uint32_t)draw(state, 4),
                   cols = 2 + (uint32_t)draw(state, 3);
    const uint64_t kind =
        draw(state, 4); /* 0: all to all; 1: top to below; 2: no routes */
    int n = snprintf(text, sizeof text, "mesh %u %u\nclass a, b\n", rows, cols);
    for (uint32_t r = 0; r < rows; r++)
        n += snprintf(text + n, sizeof text - (size_t)n, "roles %.*s\n", (int)cols,
                      kind != 1 ? &"SASASA"[draw(state, 3)]
                      : r == 0  ? "SSSS"
                                : "AAAA");
    n += snprintf(text + n, sizeof text - (size_t)n,
                  "cost A %u S %u\nsource %s\nsink %s\n", 1 + (uint32_t)draw(state, 40),
                  1 + (uint32_t)draw(state, 70), kind == 1 ? "S" : "SA",
                  kind == 1 ? "A" : "SA");
    if (kind != 2)
        n += snprintf(text + n, sizeof text - (size_t)n, "adaptive %s\n",
                      adaptive[draw(state, 5)]);
    for (uint64_t i = kind < 2 ? draw(state, 2) : 1 + draw(state, 4); i > 0; i--)
        n +=
            snprintf(text + n, sizeof text - (size_t)n, "broadcast %u,%u %s\n",
                     (uint32_t)draw(state, rows), (uint32_t)draw(state, cols),
                     draw(state, 2) == 0 ? (draw(state, 2) == 0 ? "row" : "class b col")
                                         : (draw(state, 2) == 0 ? "row col" : "col row"));
    for (uint64_t i = draw(state, 3); i > 0; i--)
        n +=
            snprintf(text + n, sizeof text - (size_t)n, "flow 0,0 0,1 class b 1,1 1,0\n");
    return layout_of(text);
}

static inline struct mw_layout *random_layout(uint64_t *state)
{
    static const char *const shape[] = {
        "roles PPDUK\n" PAPER_ROUTES,
        "roles PPTKK\nroute P: any->T\nroute T: col-to-row, then K\n",
        "roles PPPVW\n" MERGED_ROUTES,
        "roles AAAAA\nsource A\nsink A\nroute A: row-to-col, col-to-row\n",
        "roles AAAAA\nsource A\nsink A\nroute A: row-to-col step, col-to-row step\n",
        "roles PPTTK\nroute P: any->T by row\nroute T: col-to-row ring, then K\n",
        "roles PPPPK\nroute P: any->K\nroute K: col-to-row\n",
        "roles PPTKK\nroute P: any->T\nroute T: col-to-row, then K\n"
        "flow 0,0 0,1 1,1 1,0 0,0 0,4\nflow 1,4 1,0\nflow 0,0 0,4\n"};
    char text[600];
    const uint64_t kind = draw(state, 13);
    if (kind >= 8)
        return kind < 10 ? random_flows(state) : random_ways(state);
    snprintf(text, sizeof text,
             "mesh %u 5\n%scost %c %u K %u T %u\nspm 64K batch %u\ndma %u.3G\n",
             2 + (uint32_t)draw(state, draw(state, 8) == 0 ? 40 : 6), shape[kind],
             kind == 3 || kind == 4 ? 'A' : 'P',
             1 + (uint32_t)draw(state, draw(state, 8) == 0 ? 600 : 70),
             1 + (uint32_t)draw(state, draw(state, 2) == 0 ? 2 : 40),
             1 + (uint32_t)draw(state, draw(state, 2) == 0 ? 2 : 40),
             32 << draw(state, 5), 1 + (uint32_t)draw(state, 30));
    return layout_of(text);
}

static inline struct mw_sim_conf random_conf(const struct mw_layout *l, uint64_t *state)
{
    static const uint32_t depth[] = {0, 1, 1, 2, 4, 7, 16},
                          latency[] = {0, 1, 10, 10, 10, 300};
    static const double load[] = {1, 1, 1, 0.7, 0.11}, hot[] = {0, 0, 0.3, 1};
    struct mw_sim_conf c;
    mw_sim_defaults(l, &c);
    c.cycles = 300 + draw(state, 2500);
    c.seed = draw(state, 1000);
    c.fifo[MW_ROW] = one_of(state, depth, 7);
    c.fifo[MW_COLUMN] = draw(state, 2) == 0 ? c.fifo[MW_ROW] : one_of(state, depth, 7);
    for (int i = 0; i < MW_N_CLASSES && mw_layout_has_ways(l); i++)
        c.fifo[i] += c.fifo[i] == 0;
    c.send = draw(state, 2) == 0 ? 0 : 1 + (uint32_t)draw(state, 4);
    c.latency = one_of(state, latency, 6);
    c.load = load[draw(state, 5)];
    c.hotspot = hot[draw(state, 4)];
    c.skew = draw(state, 3) == 0 ? 1.2 : 0;
    c.dma = draw(state, 2) == 0;
    c.supply = draw(state, 2) == 0 ? 0 : 1 + draw(state, 8);
    c.cycles *= c.supply == 0 ? 1 : 8;
    c.detect_every = 1 + (uint32_t)draw(state, 80);
    c.warmup = draw(state, 2) == 0 ? 0 : 0.3;
    return c;
}

#endif
