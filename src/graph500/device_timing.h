/* device_timing.h -- how long a run on devices takes: from what one device took for so many tuples
 * (rates.h), and what several have to tell each other. Modelled: whole breadth-first searches of
 * Kronecker graphs.
 *
 *      n devices of e tuples each take what one takes for e, and
 *
 *      construction   each looks through the tuples of all others as well, for the ends that are its own
 *      search         looks into bitmaps of all labels, and so takes no less than its share of what one would
 *                     for all tuples; a meeting for each phase of a level, and the words of all labels in
 *                     each bottom-up one
 *      validation     each goes over the vertices of all
 *
 * Ranks of one host that reach each other's memory meet in kernels; others write letters, which the devices'
 * library gathers. What comes from other hosts comes by the host's link.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_DEVICE_TIMING_H
#define MW_DEVICE_TIMING_H

#include "graph500/timing.h"

MW_BEGIN_DECLS

struct mw_device_timing_conf {
    uint32_t scale, n_devices, n_hosts;
    uint64_t n_vertices, n_edges; /* tuples */
    bool reach;                   /* all devices reach each other's memory */
    bool validate;
    /* Of a tree, by the host's cores, where no device has the room to judge; else 0. */
    double host_validation_s;
    uint32_t n_roots, n_validated; /* 0: all */
    const struct mw_rates *rates;  /* borrowed */
};

/* Local. Levels and their counts are left out: a device does not say them beforehand. */
void mw_device_timing_make(const struct mw_device_timing_conf *conf,
                           struct mw_timing *out);

/* Local: bytes of bitmaps of all devices that each gets in a search, its own among them. */
double mw_device_search_bytes(const struct mw_device_timing_conf *conf);

/* Local: the model backwards. What a meeting takes, and bytes of bitmaps, of devices of one host whose
 * searches took so many seconds: of a graph so small that they meet for most of the time, and of a large one. What
 * bytes take is left as it was where it hides in what differs from run to run. The points of one device are
 * those of conf->rates; the result goes to *rates. */
void mw_device_rates_fit(const struct mw_device_timing_conf *small, double small_s,
                         const struct mw_device_timing_conf *large, double large_s,
                         struct mw_device_rates *rates);

/* Collective, on one host: what the devices of this world take, into rates->device. One rank: its points, up to
 * `most` or the largest graph that it has room for. Several: a meeting or letter, and bytes, beside the
 * points that one of them has measured. MW_ERR_UNAVAILABLE where devices do not build, or have no way to
 * each other. */
int mw_calibrate_devices(struct mw_world *world, uint32_t most, uint32_t n_roots,
                         struct mw_rates *rates) MW_NODISCARD;

MW_END_DECLS
#endif
