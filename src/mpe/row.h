/* row.h -- a row of a table: all that ever runs on cores is one.
 *
 *      module   takes records or a source's work, and emits records: pipeline.h
 *      sweep    walks over this rank's own data, and emits none
 *
 * A row names its kernel by where it stands in a struct of pointers, and which struct that is, the kind of
 * core says (shuffle/kernels.h). So a table is a constant, and a reader sees in it what algorithms,
 * construction and checks do; docs/lab/rows.md has all of them, which the test "rows" compares.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_ROW_H
#define MW_ROW_H

#include "mpe/pipeline.h"
#include "shuffle/kernels.h"

#include <stddef.h>

MW_BEGIN_DECLS

enum { MW_EXCHANGES_MAX = 8 }; /* bits of mw_row.exchanges */

/* In a table of rows a hop may be the first of the route: the relay, or directly the owner. */
enum { MW_TO_FIRST = MW_NOWHERE + 1 };

/* What only modules have is 0 in a sweep, and the other way round. */
struct mw_row {
    const char *name;
    struct mw_port takes, emits;
    uint16_t kernel; /* MW_ENTRY() of the table's struct of kernels, or of sweeps */
    mw_source_units *units;
    uint32_t records_per_unit;
    uint8_t exchanges; /* bit k: module of exchange k; 0: a sweep */
    /* A sweep takes its rank's own data and emits no record. What it reads and writes, and what
     * cores are dealt of it: docs/lab/rows.md says the same words, and a test compares. */
    const char *reads, *writes, *unit;
    bool optional; /* a backend may do without, and the algorithm with it */
    bool few;      /* so little work that one core does it sooner than all have begun */
};

/* Where a kernel stands in a struct that consists of pointers to kernels. */
#define MW_ENTRY(type, member) (offsetof(struct type, member) / sizeof(mw_kernel *))

/* Rows, and where their kernels are found by kind of core. */
struct mw_row_table {
    const struct mw_row *row;
    uint32_t n_rows;
    const struct mw_kernel_table *kernels, *sweeps; /* of modules; of sweeps */
};

/* The modules in use, and which of them each exchange runs, as bits for mw_pipeline_run(). */
struct mw_modules {
    struct mw_module row[MW_MODULES_MAX];
    uint32_t n;
    uint32_t row_of[MW_MODULES_MAX]; /* where a module stands in the table */
    uint32_t exchange[MW_EXCHANGES_MAX];
};

/* Local, as all below. Those of these exchanges, as bits, in the order of the table;
 * those that take from a relay are left out where the route is direct. Adds row i, with
 * the kernel so many after its own of several that stand side by side; or all rows, with
 * their own. */
void mw_modules_add(const struct mw_row_table *table, uint32_t i, uint32_t variant,
                    uint32_t exchanges, const struct mw_backend *backend,
                    const struct mw_groups *groups, struct mw_modules *out);
void mw_modules_find(const struct mw_row_table *table, uint32_t exchanges,
                     const struct mw_backend *backend, const struct mw_groups *groups,
                     struct mw_modules *out);

/* A sweep as a rank runs it. */
struct mw_sweep_row {
    mw_kernel *cores,
        *mpe; /* NULL: the cores have none, and the management core runs its own */
    bool few;
    bool reached; /* the state, by the management core */
};

/* By row and backend. */
struct mw_sweep_row mw_sweep_find(const struct mw_row *row,
                                  const struct mw_kernel_table *sweeps,
                                  const struct mw_backend *backend);
/* Runs it and waits; the kernel gets a job with this state. What cores with memory of
 * their own have no kernel for is about the host's memory, and the management core's. */
void mw_sweep_run(const struct mw_sweep_row *sweep, struct mw_world *world, void *state);
/* Both for a row of a table. */
void mw_row_sweep(const struct mw_row_table *table, uint32_t row, struct mw_world *world,
                  void *state);

MW_END_DECLS
#endif
