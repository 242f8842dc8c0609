/* result_json.h -- a result as a JSON document (docs/result.schema.json) and as CSV, both
 * made in memory: writing them is outfile.h's business.
 *
 * Counts are integers, units stand in the names of keys, a number that does not exist
 * is null. The last key is a checksum of everything before its line, so that a copy
 * that was cut or edited is noticed.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RESULT_JSON_H
#define MW_RESULT_JSON_H

#include "cli/figures.h"
#include "cli/option.h"
#include "cli/provenance.h"
#include "cli/run/device_room.h"
#include "graph500/timing.h"
#include "io/names.h"

MW_BEGIN_DECLS

struct mw_tuning;

enum { MW_RESULT_VERSION = 2 }; /* of the schema */

enum mw_result_status { MW_RESULT_OK, MW_RESULT_INTERRUPTED, MW_RESULT_INVALID };

/* All borrowed; what is not known is NULL or 0. */
struct mw_report {
    enum mw_result_status status;
    const char *reason; /* why it was interrupted or is invalid */
    const struct mw_settings *settings;
    const struct mw_tuning *tuning; /* NULL: without settings */
    const struct mw_benchmark_conf *conf;
    const struct mw_benchmark_result *result;
    const struct mw_figures *figures;
    const struct mw_world *world;
    const struct mw_provenance *provenance;
    const char *graph_file, *graph_format; /* NULL: generated */
    const char *graph_unused;     /* what of the file is dropped; NULL: nothing */
    const char *graph_weights;    /* whose they are; NULL: none are used, or generated */
    double read_s;                /* of the file, on rank 0 */
    const char *graph_directed;   /* what the file says; NULL: generated */
    const struct mw_names *names; /* of the vertices */
    uint64_t predicted_bytes;     /* peak of the largest rank, by plan */
    uint64_t
        predicted_device_bytes; /* the same, of its device; 0: it has none of its own */
    const struct mw_device_kinds *devices; /* of all ranks */
    uint32_t n_waiting; /* ranks that were started and are not among them */
    const struct mw_timing
        *prediction;              /* of this way; NULL: nothing is known of its time */
    const struct mw_rates *rates; /* that it was made with */
    const struct json_t *resumed; /* list of the runs that it goes on from; NULL: none */
    char *const *warning;         /* [n_warnings] */
    size_t n_warnings;
};

/* Local. *text is freed with free(). */
int mw_result_json(const struct mw_report *r, char **text, size_t *bytes) MW_NODISCARD;

/* The parts that say what was run on what: new jansson objects. The second needs a world. */
struct json_t *mw_result_graph(const struct mw_report *r);
struct json_t *mw_result_configuration(const struct mw_report *r);

/* One line per level of each search, after a line of names. */
int mw_result_csv(const struct mw_report *r, char **text, size_t *bytes) MW_NODISCARD;

/* FNV-1a, 64 bits: the document's checksum. */
uint64_t mw_result_checksum(const char *text, size_t bytes);

MW_END_DECLS
#endif
