/* emul_roles.h -- one relay job through the roles that a run executes (skeleton_mesh.h, the
 * paper's layout) on an emulated cluster: its virtual time, and where the cores spent it. For
 * tests and the benchmark.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef EMUL_ROLES_H
#define EMUL_ROLES_H

#include "cpe/emul.h"

enum { ROLES_PRODUCE, ROLES_ROUTE, ROLES_CONSUME, ROLES_KINDS };

struct roles_conf {
    uint32_t n_records, n_buckets;
    bool wide;
    const char *layout; /* NULL: the paper's */
    uint32_t n_jobs;    /* the same input so many times; 0: once */
};

struct roles_result {
    uint64_t cycles, payload_bytes; /* of all jobs; records, as they come in */
    uint64_t messages, record_bytes;
    uint32_t n_cores[ROLES_KINDS];
    struct mw_emul_counters kind[ROLES_KINDS]; /* sums over the cores of a kind */
};

/* MW_ERR_INVALID: a record is not once where it belongs. Depths and so on come from
 * mw_emul_configure(). */
int roles_run(const struct roles_conf *conf, struct roles_result *out) MW_NODISCARD;

#endif
