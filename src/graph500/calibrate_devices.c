/* calibrate_devices.c -- see device_timing.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "base/mem.h"
#include "devices/parts.h"
#include "devices/peers.h"
#include "graph500/calibrate.h"
#include "graph500/device_timing.h"
#include "graph500/statistics.h"

#include <unistd.h>

enum {
    LEAST = 18,
    STEP = 2,
    SMALL = 18, /* what several meet for is more than what they do */
    LARGE = 26, /* what they tell each other counts */
    TUPLE = 30, /* bytes of a device for a tuple, beside FIXED */
    FIXED = 1 << 28,
    PIECE = 1 << 26, /* bytes, of each rank */
    PIECES = 5
};

/* Collective. Seconds of a run; of searches and validations those in the middle. */
static int run_once(struct mw_world *world, uint32_t scale, uint32_t n_roots,
                    struct mw_device_point *out)
{
    int rc = MW_OK;
    struct mw_benchmark_result run = {0};
    const struct mw_way way = {.world = world};
    const struct mw_benchmark_conf conf = mw_calibration_run(scale, n_roots);
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
    for (uint32_t i = 0; rc == MW_OK && i < run.n_searches; i++) {
        search[i] = run.search[i].time_s;
        validate[i] = run.search[i].validate_s;
    }
    if (rc == MW_OK)
        *out = (struct mw_device_point){
            .n_tuples = (double)run.n_edges / world->comm->size,
            .generation_s = run.generation_s,
            .construction_s = run.construction_s,
            .search_s = mw_middle_of(search, run.n_searches),
            .validation_s = mw_middle_of(validate, run.n_searches)};
    mw_benchmark_result_fini(&run);
    MW_FREE_ALL(search, validate);
    return rc;
}

/* Collective: the same at all ranks. */
static int has_room(struct mw_world *w, uint32_t scale, bool *out)
{
    const struct mw_backend *const b = w->backend;
    uint64_t room = b->room != NULL ? b->room(b->device_of(w->cluster[0])) : UINT64_MAX;
    const int rc = mw_comm_min(w->comm, &room, 1);
    const uint64_t tuples =
        ((uint64_t)MW_CALIBRATION_EDGEFACTOR << scale) / w->comm->size;
    *out = room >= FIXED + TUPLE * tuples;
    return rc;
}

static int find_points(struct mw_world *world, uint32_t most, uint32_t n_roots,
                       struct mw_rates *rates)
{
    bool room = true;
    struct mw_device_point point;
    rates->device.n_points = 0;
    for (uint32_t scale = LEAST; scale <= mw_max(most, LEAST); scale += STEP) {
        MW_NEED(has_room(world, scale, &room));
        if (!room && scale > LEAST)
            break;
        MW_NEED(run_once(world, scale, n_roots, &point));
        mw_device_rates_add(&rates->device, &point);
    }
    return MW_OK;
}

static struct mw_device_timing_conf conf_of(const struct mw_world *w, uint32_t scale,
                                            bool reach, const struct mw_rates *rates)
{
    return (struct mw_device_timing_conf){.scale = scale,
                                          .n_devices = w->comm->size,
                                          .n_hosts = 1,
                                          .n_vertices = UINT64_C(1) << scale,
                                          .n_edges = (uint64_t)MW_CALIBRATION_EDGEFACTOR
                                                     << scale,
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
    *bytes_per_s =
        (double)PIECE * (world->comm->size - 1) / mw_middle_of(seconds, PIECES);
end:
    mw_parts_close(&parts);
    return rc;
}

static int find_meetings(struct mw_world *world, uint32_t n_roots, struct mw_rates *rates)
{
    int rc;
    bool room = true, reach;
    uint32_t scale = LARGE;
    struct mw_device_point small, large;
    MW_TRY(rc, find_way(world, &reach));
    MW_TRY(rc, run_once(world, SMALL, n_roots, &small));
    do
        MW_TRY(rc, has_room(world, scale, &room));
    while (!room && --scale > SMALL + 1);
    MW_TRY(rc, run_once(world, scale, n_roots, &large));
    const struct mw_device_timing_conf at_small = conf_of(world, SMALL, reach, rates),
                                       at_large = conf_of(world, scale, reach, rates);
    mw_device_rates_fit(&at_small, small.search_s, &at_large, large.search_s,
                        &rates->device);
    if (!reach)
        rc = time_pieces(world, &rates->device.bytes_per_s);
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
