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
    uint32_t n_roots, n_validated; /* 0: all */
    const struct mw_rates *rates;  /* borrowed */
};

/* Local. Levels and their counts are left out: a device does not say them beforehand. */
void mw_device_timing_make(const struct mw_device_timing_conf *conf,
                           struct mw_timing *out);

/* Local: bytes that a device gets from all others in a search, and how many times all meet. */
double mw_device_search_bytes(const struct mw_device_timing_conf *conf);
double mw_device_meetings(void);

/* Collective: what the devices of this world take, into rates->device. One rank: its points, up to the
 * largest graph that it has room for. Several: a meeting or letter, and bytes, beside the points that
 * rates have. */
int mw_calibrate_devices(struct mw_world *world, uint32_t n_roots, struct mw_rates *rates)
    MW_NODISCARD;

MW_END_DECLS
#endif
