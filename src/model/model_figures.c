/* model_figures.c -- see model_figures.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model/model_figures.h"

#include <math.h>
#include <stdio.h>

/* ---- published numbers ------------------------------------------------------------------ */

/* GTEPS at 40,768 nodes; a quarter each, in the paper's words, for the smaller two. */
#define FULL 23755.7

/* clang-format off */
static const struct mw_published published[] = {
    {3, "cluster", 256, 28.9, MW_PUBLISHED, "section 3.2: reached from 256 bytes on"},
    {3, "cluster, other chunks", NAN, NAN, MW_PUBLISHED, "picture only"},
    {3, "MPE", 256, 9.4, MW_PUBLISHED, "section 3.2; the caption says 10 times less, 3.07 is what the numbers give"},
    {5, "cluster", 16, NAN, MW_PUBLISHED, "section 4.3: 16 CPEs suffice; no number beside it"},
    {5, "cluster, other counts", NAN, NAN, MW_PUBLISHED, "picture only"},
    {11, "direct-cpe", 256, NAN, MW_PUBLISHED, "section 6.1: works up to 256 nodes and crashes beyond (local store)"},
    {11, "direct-mpe", 4096, NAN, MW_PUBLISHED, "section 6.1: linear at first, capped at 4,096"},
    {11, "direct-mpe", 16384, NAN, MW_PUBLISHED, "section 6.1: crashes (connections)"},
    {11, "relay-mpe", NAN, NAN, MW_PUBLISHED, "picture only"},
    {11, "relay-cpe", NAN, NAN, MW_PUBLISHED, "picture only; about 10 times relay-mpe in the text"},
    {12, "26.2M", 40768, FULL, MW_PUBLISHED, "abstract, table 2"},
    {12, "6.5M", 40768, FULL / 4, MW_ASSUMED, "derived: 26.2M is nearly four times 6.5M (section 6.2)"},
    {12, "1.6M", 40768, FULL / 16, MW_ASSUMED, "derived: the same gap again"},
    {12, "below 40,768 nodes", NAN, NAN, MW_PUBLISHED, "picture only; almost linear in the text"},
};

/* Another code's benchmark of the same chip: 64 CPEs, one blocking request, misaligned. */
static const double sync_published[][2] = {
    {8, 0.47}, {64, 1.86}, {128, 2.95}, {256, 5.99}, {512, 8.78}, {1024, 12.54},
    {2048, 15.32}, {4096, 18.39}, {8192, 19.07}, {16384, 20.03},
};
/* clang-format on */

const struct mw_published *mw_published_points(size_t *n)
{
    *n = sizeof published / sizeof *published;
    return published;
}

/* ---- putting a figure together ---------------------------------------------------------- */

const int mw_figure_numbers[MW_N_FIGURES] = {3, 5, 11, 12};

static struct mw_series *add_series(struct mw_figure *f, const char *name,
                                    enum mw_status_of_number status)
{
    struct mw_series *s = &f->series[f->n_series++];
    *s = (struct mw_series){.status = status};
    snprintf(s->name, sizeof s->name, "%s", name);
    return s;
}

static struct mw_point *add_point(struct mw_series *s, double x, double y)
{
    struct mw_point *p = &s->point[s->n++];
    *p = (struct mw_point){x, y, NAN, NAN, NULL};
    return p;
}

static void add_note(struct mw_figure *f, const char *text)
{
    f->note[f->n_notes++] = text;
}

/* The published numbers of the figure, a series for each kind of status. */
static void add_published(struct mw_figure *f)
{
    struct mw_series *of[MW_N_STATUSES] = {NULL};
    for (size_t i = 0; i < sizeof published / sizeof *published; i++) {
        const struct mw_published *p = &published[i];
        if (p->figure != f->number || isnan(p->y))
            continue;
        if (of[p->status] == NULL) {
            of[p->status] = add_series(
                f, p->status == MW_PUBLISHED ? "paper" : "paper, from its words",
                p->status);
            of[p->status]->marks = true;
        }
        add_point(of[p->status], p->x, p->y)->note = p->series;
    }
}

/* ---- figures 3 and 5: bandwidth --------------------------------------------------------- */

static void make_chunks(const struct mw_model *m, struct mw_figure *f)
{
    f->title = "DMA bandwidth of one cluster against chunk size";
    f->x_name = "chunk, bytes";
    f->y_name = "GB/s";
    struct mw_series *s = add_series(f, "64 CPEs, aligned, overlapped", MW_FITTED);
    for (double x = 8; x <= 16384; x *= 2)
        add_point(s, x, mw_model_dma(&m->c, m->c.cpes, x) * 1e-9);
    s = add_series(f, "MPE, its rate at 256 B throughout", MW_ASSUMED);
    for (double x = 256; x <= 16384; x *= 2)
        add_point(s, x, m->c.mpe_bw * 1e-9);
    s = add_series(f, "64 CPEs, misaligned, blocking", MW_FITTED);
    for (double x = 8; x <= 16384; x *= 2)
        add_point(s, x, mw_model_dma_sync(&m->c, x) * 1e-9);
    s = add_series(f, "the same, another code", MW_PUBLISHED);
    s->marks = true;
    for (size_t i = 0; i < sizeof sync_published / sizeof *sync_published; i++)
        add_point(s, sync_published[i][0], sync_published[i][1]);
    add_note(f, "The knee at 256 B is calibration: dma_req_cycles was solved from it.");
    add_note(
        f, "Blocking: read + write; its constants were fitted from 1 KB up, so the rest "
           "below is prediction. It fails at 8 B.");
}

static void make_counts(const struct mw_model *m, struct mw_figure *f)
{
    f->title = "DMA bandwidth against the number of CPEs, chunks of 256 bytes";
    f->x_name = "CPEs";
    f->y_name = "GB/s";
    struct mw_series *s = add_series(f, "aligned, overlapped", MW_FITTED);
    static const double counts[] = {1, 2, 4, 8, 12, 16, 20, 24, 32, 40, 48, 56, 64};
    for (size_t i = 0; i < sizeof counts / sizeof *counts; i++)
        add_point(s, counts[i],
                  mw_model_dma(&m->c, counts[i], m->c.dma_batch_bytes) * 1e-9);
    add_note(f, "The knee at 16 CPEs is calibration: dma_lat_cycles was solved from it.");
}

/* ---- figures 11 and 12: rates ----------------------------------------------------------- */

static double gteps(const struct mw_model *m, enum mw_variant v, double nodes,
                    double vertices, double latency)
{
    struct mw_model at = *m;
    struct mw_model_time t;
    double teps;
    at.c.net_lat_s = latency;
    mw_model_time_of(&at, v, nodes, vertices, &t, &teps);
    return teps * 1e-9;
}

static void add_rate(const struct mw_model *m, struct mw_series *s, enum mw_variant v,
                     double nodes, double vertices)
{
    const enum mw_model_crash crash = mw_model_crashes(&m->c, v, nodes);
    struct mw_point *p = add_point(s, nodes, NAN);
    if (crash != MW_RUNS) {
        p->note = mw_crash_names[crash];
        return;
    }
    p->y = gteps(m, v, nodes, vertices, m->c.net_lat_s);
    p->low = gteps(m, v, nodes, vertices, m->c.net_lat_high_s);
    p->high = gteps(m, v, nodes, vertices, m->c.net_lat_low_s);
}

static void name_rates(struct mw_figure *f, const char *title)
{
    f->title = title;
    f->x_name = "nodes";
    f->y_name = "GTEPS";
    f->band = "message latency 5 us (low) to 0.5 us (high)";
}

static void make_variants(const struct mw_model *m, struct mw_figure *f)
{
    name_rates(f, "Four variants, 16 M vertices a node");
    for (int v = 0; v < MW_N_VARIANTS; v++) {
        struct mw_series *s = add_series(f, mw_variant_names[v], MW_MODELLED);
        for (double nodes = 1; nodes <= 16384; nodes *= 4)
            add_rate(m, s, (enum mw_variant)v, nodes, m->c.fig11_vertices);
    }
    add_note(f,
             "Crash of direct-cpe by reading c of the local store (896 destinations).");
    add_note(f, "Paper: no rate of this figure is published as a number.");
}

/* Vertices in all at full size are 2^36, 2^38, 2^40. */
static void make_scaling(const struct mw_model *m, struct mw_figure *f)
{
    static const double nodes[] = {80,   160,  320,   640,   1280,
                                   2560, 5120, 10240, 20480, 40768};
    static const struct {
        const char *name;
        int log2_all;
    } sizes[] = {{"26.2M vertices a node", 40}, {"6.5M", 38}, {"1.6M", 36}};
    name_rates(f, "Weak scaling of relay-cpe");
    for (int i = 0; i < 3; i++) {
        struct mw_series *s = add_series(f, sizes[i].name, MW_MODELLED);
        for (size_t k = 0; k < sizeof nodes / sizeof *nodes; k++)
            add_rate(m, s, MW_RELAY_CPE, nodes[k],
                     ldexp(1, sizes[i].log2_all) / m->c.scaling_nodes);
    }
    add_note(f,
             "Vertices a node are 2^40, 2^38, 2^36 / 40,768: 26.97, 6.74 and 1.69 M. The "
             "paper rounds them to 26.2, 6.5 and 1.6 M.");
}

void mw_figure_make(const struct mw_model *m, int number, struct mw_figure *out)
{
    *out = (struct mw_figure){.number = number};
    if (number == 3)
        make_chunks(m, out);
    else if (number == 5)
        make_counts(m, out);
    else if (number == 11)
        make_variants(m, out);
    else
        make_scaling(m, out);
    add_published(out);
}
