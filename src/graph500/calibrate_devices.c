/* calibrate_devices.c -- see device_timing.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "base/clock.h"
#include "base/mem.h"
#include "devices/parts.h"
#include "devices/peers.h"
#include "graph500/benchmark.h"
#include "graph500/device_timing.h"

#include <math.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    EDGEFACTOR = 16,
    LEAST = 18,
    MOST = 28,
    STEP = 2,
    SMALL = 18, /* what several meet for is more than what they do */
    LARGE = 26, /* what they tell each other counts */
    TUPLE = 30, /* bytes of a device for a tuple, beside FIXED */
    FIXED = 1 << 28,
    PIECE = 1 << 26, /* bytes, of each rank */
    PIECES = 5
};

static int compare(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void take_medians(const struct mw_benchmark_result *run, double *search,
                         double *validate, uint32_t n_ranks, struct mw_device_point *out)
{
    for (uint32_t i = 0; i < run->n_searches; i++) {
        search[i] = run->search[i].time_s;
        validate[i] = run->search[i].validate_s;
    }
    qsort(search, run->n_searches, sizeof *search, compare);
    qsort(validate, run->n_searches, sizeof *validate, compare);
    *out = (struct mw_device_point){.n_tuples = (double)run->n_edges / n_ranks,
                                    .generation_s = run->generation_s,
                                    .construction_s = run->construction_s,
                                    .search_s = search[run->n_searches / 2],
                                    .validation_s = validate[run->n_searches / 2]};
}

/* Collective. Seconds of a run: its medians. */
static int run_once(struct mw_world *world, uint32_t scale, uint32_t n_roots,
                    struct mw_device_point *out)
{
    int rc = MW_OK;
    struct mw_benchmark_result run = {0};
    const struct mw_way way = {.world = world};
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .scale = scale,
                                           .edgefactor = EDGEFACTOR,
                                           .seed = {2, 3},
                                           .n_roots = n_roots,
                                           .validate = true};
    double *search = NULL, *validate = NULL;
    MW_NEW(rc, search, "times of searches", n_roots);
    MW_NEW(rc, validate, "times of validations", n_roots);
end:
    rc = mw_comm_agree(world->comm, rc);
    if (rc == MW_OK)
        rc = mw_benchmark_run(&conf, &way, 1, &run);
    if (rc == MW_OK && !run.built_there)
        rc = mw_fail(
            MW_ERR_UNAVAILABLE,
            "rates of devices are those of graphs that they build, and backend %s "
            "builds none of SCALE %u here",
            world->backend->name, scale);
    if (rc == MW_OK)
        take_medians(&run, search, validate, world->comm->size, out);
    mw_benchmark_result_fini(&run);
    mw_free(search);
    mw_free(validate);
    return rc;
}

/* Collective: the same at all ranks. */
static int has_room(struct mw_world *w, uint32_t scale, bool *out)
{
    const struct mw_backend *const b = w->backend;
    uint64_t room = b->room != NULL ? b->room(b->device_of(w->cluster[0])) : UINT64_MAX;
    const int rc = mw_comm_min(w->comm, &room, 1);
    const uint64_t tuples = ((uint64_t)EDGEFACTOR << scale) / w->comm->size;
    *out = room >= FIXED + TUPLE * tuples;
    return rc;
}

static int find_points(struct mw_world *world, uint32_t most, uint32_t n_roots,
                       struct mw_rates *rates)
{
    int rc = MW_OK;
    bool room = true;
    struct mw_device_point point;
    rates->device.n_points = 0;
    for (uint32_t scale = LEAST; scale <= mw_max(most, LEAST); scale += STEP) {
        MW_TRY(rc, has_room(world, scale, &room));
        if (!room && scale > LEAST)
            break;
        MW_TRY(rc, run_once(world, scale, n_roots, &point));
        mw_device_rates_add(&rates->device, &point);
    }
end:
    return rc;
}

static struct mw_device_timing_conf conf_of(const struct mw_world *w, uint32_t scale,
                                            bool reach, const struct mw_rates *rates)
{
    return (struct mw_device_timing_conf){.scale = scale,
                                          .n_devices = w->comm->size,
                                          .n_hosts = 1,
                                          .n_vertices = UINT64_C(1) << scale,
                                          .n_edges = (uint64_t)EDGEFACTOR << scale,
                                          .reach = reach,
                                          .rates = rates};
}

/* Collective: which way devices tell each other, by trying. */
static int find_way(struct mw_world *w, bool *reach)
{
    struct mw_parts parts;
    int rc = mw_parts_open(w, MW_CACHE_LINE, &parts);
    *reach = rc == MW_OK && parts.peers.opened;
    if (rc == MW_OK && !parts.peers.opened && parts.trade == NULL)
        rc = mw_fail(MW_ERR_UNAVAILABLE,
                     "the devices of these ranks do not reach each other, and have no "
                     "library for it: %s",
                     w->trade_why);
    mw_parts_close(&parts);
    return rc;
}

/* What a search takes over that of one device for as many tuples as each has. */
static double beyond_one_s(const struct mw_rates *rates, const struct mw_device_point *is)
{
    struct mw_device_point one;
    mw_device_rates_at(&rates->device, is->n_tuples, &one);
    return fmax(0, is->search_s - one.search_s);
}

/* Collective: bytes of all others that come to a device, where they go by its library. */
static int time_pieces(struct mw_world *world, double *bytes_per_s)
{
    int rc;
    double seconds[PIECES];
    struct mw_parts parts;
    const void *its;
    MW_TRY(rc, mw_parts_open(world, PIECE, &parts));
    for (uint32_t i = 0; i < PIECES; i++) {
        MW_TRY(rc, mw_comm_barrier(world->comm));
        const double start = mw_now();
        MW_TRY(rc, mw_parts_share(&parts, 0, PIECE));
        for (uint32_t r = 0; r < world->comm->size; r++)
            MW_TRY(rc, mw_parts_see(&parts, r, 0, PIECE, &its));
        seconds[i] = mw_now() - start;
    }
    qsort(seconds, PIECES, sizeof *seconds, compare);
    *bytes_per_s = (double)PIECE * (world->comm->size - 1) / seconds[PIECES / 2];
end:
    mw_parts_close(&parts);
    return rc;
}

static int find_meetings(struct mw_world *world, uint32_t n_roots, struct mw_rates *rates)
{
    int rc;
    bool room = true;
    uint32_t scale = LARGE;
    struct mw_device_point small, large;
    struct mw_device_rates *const r = &rates->device;
    bool reach;
    MW_TRY(rc, find_way(world, &reach));
    double *const meeting = reach ? &r->meeting_s : &r->letter_s;
    double *const words =
        reach ? &r->reach_bitmap_bytes_per_s : &r->letter_bitmap_bytes_per_s;
    MW_TRY(rc, run_once(world, SMALL, n_roots, &small));
    *meeting = beyond_one_s(rates, &small) / mw_device_meetings();
    do
        MW_TRY(rc, has_room(world, scale, &room));
    while (!room && --scale > SMALL);
    MW_TRY(rc, run_once(world, scale, n_roots, &large));
    const struct mw_device_timing_conf at_large = conf_of(world, scale, reach, rates);
    const double rest = beyond_one_s(rates, &large) - mw_device_meetings() * *meeting;
    if (rest > 0.05 * large.search_s) /* else it hides in what differs from run to run */
        *words = mw_device_search_bytes(&at_large) / rest;
    if (!reach)
        rc = time_pieces(world, &r->bytes_per_s);
end:
    return rc;
}

int mw_calibrate_devices(struct mw_world *world, uint32_t most, uint32_t n_roots,
                         struct mw_rates *rates)
{
    struct mw_device_rates *const r = &rates->device;
    int rc;
    if (world->comm->size > 1 && !r->measured)
        return mw_fail(
            MW_ERR_UNAVAILABLE,
            "several devices are measured beside one: 'meshway plan --calibrate "
            "--backend %s' on one rank first",
            world->backend->name);
    rc = world->comm->size == 1 ? find_points(world, most, n_roots, rates)
                                : find_meetings(world, n_roots, rates);
    r->measured = r->measured || rc == MW_OK;
    if (gethostname(r->host, sizeof r->host - 1) != 0)
        r->host[0] = '\0';
    return rc;
}
