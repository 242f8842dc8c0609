/* rates.h -- what things take on a machine: the numbers that turn counts into seconds.
 *
 * One table says what each is called in a file, what it stands for and what it is where nobody has
 * measured (mw_calibrate()). Rates of cores depend on what fits their caches, so they are kept for
 * points: each of so many vertices on a host, and straight lines over the logarithm between.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RATES_H
#define MW_RATES_H

#include "base/status.h"

MW_BEGIN_DECLS

/* clang-format off */
/* X(name, value, of what; seconds of one core). By default what two virtual cores of an
 * AMD EPYC took for SCALE 22 (docs/lab/performance.md). */
#define MW_CORE_RATES(X)                                                                  \
    X(generate_s, 12e-9,  "a tuple that is generated")                                    \
    X(build_s,    31e-9,  "an end of a tuple, until it stands in a row")                  \
    X(validate_s, 36e-9,  "a tuple, for each root")                                       \
    X(edge_s,     6.9e-9, "an edge out of a frontier, top-down, with what is claimed")    \
    X(record_s,   10e-9,  "a record on one hop: handed over, received, handled")          \
    X(place_s,    2e-9,   "a place in a walk over heads")                                 \
    X(row_s,      2e-9,   "a vertex not reached, bottom-up by its row")                   \
    X(label_s,    0.1e-9, "a vertex with an edge, in lists and sums of each level")

/* X(name, value, of what; its unit is its ending). */
#define MW_REST_RATES(X)                                                                  \
    X(level_s,        2e-5,   "a level in which there is next to nothing to do")          \
    X(step_s,         1e-6,   "a step of a sum between ranks of a host")                  \
    X(message_s,      1e-6,   "a message between ranks of a host, sent and received")     \
    X(exchange_s,     5e-6,   "a hop of a stream of messages, of which there are none")   \
    X(code_s,         3.2e-9, "a byte of records that is coded, and decoded (bench/coding)") \
    X(set_s,          1e-9,   "a byte of a bitmap or set, at a host that tells others of it") \
    X(link_message_s, 1e-6,   "a message between hosts, sent and received by cores")      \
    X(link_latency_s, 50e-6,  "a step between hosts (50 us until measured; --link)")           \
    X(link_bytes_per_s, 1.25e9, "one way of a host's link (10 Gbit/s until measured; --link)")
/* X(name, of what; seconds of a device that is alone with so many tuples). */
#define MW_DEVICE_TIMES(X)                                                    \
    X(generation_s,   "its tuples are generated")                             \
    X(construction_s, "and stand in rows")                                    \
    X(search_s,       "a whole search, in the middle")                        \
    X(validation_s,   "a tree is validated")

/* X(name, value, of what), of several devices. */
#define MW_DEVICE_RATES(X)                                                                    \
    X(meeting_s,          5e-6,  "a meeting of devices that reach each other's memory")       \
    X(letter_s,           31e-6, "the same of others: a gather of letters, and the host's look") \
    X(reach_bitmap_bytes_per_s,  2e11,  "bytes of bitmaps that come to a device in a search")        \
    X(letter_bitmap_bytes_per_s, 68e9,  "the same with letters")                                     \
    X(bytes_per_s,        2e11,  "bytes that come to a device by the piece: tuples, parents")
/* clang-format on */

#define MW_RATE_FIELD(name, value, of) double name;
struct mw_rate_point {
    double n_vertices; /* of a host */
    MW_CORE_RATES(MW_RATE_FIELD)
};

#define MW_DEVICE_TIME_FIELD(name, of) double name;
struct mw_device_point {
    double n_tuples; /* of a device */
    MW_DEVICE_TIMES(MW_DEVICE_TIME_FIELD)
};
#undef MW_DEVICE_TIME_FIELD

enum { MW_RATE_POINTS = 8 };

/* Of devices; until measured those of H200s with NVLink (docs/lab/gpu.md). */
struct mw_device_rates {
    uint32_t n_points; /* by rising n_tuples */
    struct mw_device_point point[MW_RATE_POINTS];
    MW_DEVICE_RATES(MW_RATE_FIELD)
    bool measured;
    char host[64];
};

struct mw_rates {
    uint32_t n_points; /* by rising n_vertices */
    struct mw_rate_point point[MW_RATE_POINTS];
    MW_REST_RATES(MW_RATE_FIELD)
    bool measured;               /* not the table's */
    uint32_t n_ranks, n_threads; /* it was measured on */
    char host[64];
    struct mw_device_rates device;
};
#undef MW_RATE_FIELD

/* The rows of both tables, and where they stand: in a point, or in the rates. */
struct mw_rate_row {
    const char *name, *of;
    double value;
    size_t at;
};
struct mw_rate_rows {
    const struct mw_rate_row *row;
    size_t n;
};
extern const struct mw_rate_rows mw_rates_of_cores, mw_rates_of_rest;
/* Of a point of a device, and of what several add. */
extern const struct mw_rate_rows mw_rates_of_device_point, mw_rates_between_devices;

void mw_rates_default(struct mw_rates *out);

/* Puts a point among those there are, or in the place of one of as many vertices; the last one
 * gives way where there is no room. */
void mw_rates_add(struct mw_rates *r, const struct mw_rate_point *point);

/* For so many vertices on a host: between two points on a line, beyond them the nearest. */
void mw_rates_at(const struct mw_rates *r, double n_vertices, struct mw_rate_point *out);

/* Behind the points there are; beyond the room for them nothing is added. */
void mw_device_rates_add(struct mw_device_rates *r, const struct mw_device_point *point);

/* For so many tuples of a device: between two points on a line over both logarithms; below the first one
 * its times, and beyond the last in proportion. */
void mw_device_rates_at(const struct mw_device_rates *r, double n_tuples,
                        struct mw_device_point *out);

MW_END_DECLS
#endif
