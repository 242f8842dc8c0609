/* emulated_node.c -- the same search by clusters and by the management core of one emulated
 * node, and a large shuffle: makes src/model/model_emulated.inc, and checks that it is still
 * true.
 *
 *     emulated_node                 measures again what is in the table, and compares
 *     emulated_node --update FILE   writes the table
 *
 * It is deterministic, cycle for cycle, so any difference is a change of the emulation, of a kernel or of the
 * schedule. All times are modelled.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs.h"
#include "cpe/emul.h"
#include "emul_roles.h"
#include "graph500/benchmark.h"
#include "model/model_emulated.h"
#include "mpe/comm_loop.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SCALE_FIRST = 10, SCALE_LAST = 14, ROOTS = 2 };
enum { MANY = 16, MANY_SCALE = 18, MANY_CLUSTERS = 4 }; /* a destination a consumer */

struct trial {
    uint32_t scale, n_clusters;
    bool mpe;
    struct mw_emulated_time *out;
};

/* All sources make records, and nothing is looked up in sweeps: top-down alone. */
static int search(struct mw_comm *comm, void *arg)
{
    const struct trial *t = arg;
    const struct mw_world_conf world = {.backend = "emul",
                                        .n_threads = 1,
                                        .n_clusters = t->n_clusters,
                                        .small_input = 1024,
                                        .engine_mpe = t->mpe};
    const struct mw_benchmark_conf conf = {.algorithm = &mw_algorithm_bfs,
                                           .scale = t->scale,
                                           .edgefactor = 16,
                                           .seed = {2, 3},
                                           .n_roots = ROOTS};
    const struct mw_direction_rule rule = {.policy = MW_DIRECTION_TOP_DOWN};
    struct mw_way top_down = {.options = &rule};
    struct mw_benchmark_result result;
    uint64_t modules = 0;
    int rc = mw_world_new(&world, comm, &top_down.world);
    if (rc != MW_OK)
        return rc;
    rc = mw_benchmark_run(&conf, &top_down, 1, &result);
    struct mw_emulated_time sum = {0, 0};
    for (uint32_t i = 0; rc == MW_OK && i < result.n_searches; i++) {
        const struct mw_search *s = &result.search[i];
        sum.search_ns += (uint64_t)(1e9 * s->modelled_s + 0.5);
        for (uint32_t k = 0; k < s->n_level_records; k++)
            modules += s->level[k].jobs.modelled_ns;
    }
    sum.modules_ns = modules;
    if (comm->rank == 0) /* which has everybody's */
        *t->out = sum;
    mw_benchmark_result_fini(&result);
    mw_world_free(top_down.world);
    return rc;
}

static int measure(uint32_t n_ranks, uint32_t scale, uint32_t n_clusters,
                   struct mw_emulated_node *out)
{
    const struct mw_loop_conf ranks = {n_ranks, 1, 0};
    struct mw_emul_params streaming;
    struct trial t = {scale, n_clusters, false, &out->clusters};
    int rc;
    *out = (struct mw_emulated_node){
        .n_ranks = n_ranks, .scale = scale, .n_clusters = n_clusters};
    MW_TRY(rc, mw_loop_run(&ranks, search, &t));
    t.mpe = true;
    t.out = &out->mpe;
    MW_TRY(rc, mw_loop_run(&ranks, search, &t));
    mw_emul_params_sw26010(&streaming);
    streaming.mpe_record_cycles = 0;
    MW_TRY(rc, mw_emul_configure(&streaming));
    t.out = &out->mpe_streaming;
    rc = mw_loop_run(&ranks, search, &t);
    const int reset = mw_emul_configure(NULL);
    rc = rc == MW_OK ? reset : rc;
end:
    return rc;
}

static int measure_shuffle(bool wide, struct mw_emulated_shuffle *out)
{
    const struct roles_conf conf = {1 << 18, 256, wide, NULL, 1};
    struct roles_result r;
    const int rc = roles_run(&conf, &r);
    if (rc == MW_OK)
        *out = (struct mw_emulated_shuffle){wide ? 16 : 8, r.payload_bytes, r.cycles};
    return rc;
}

static void print_shuffle(FILE *f, const struct mw_emulated_shuffle *s)
{
    fprintf(f, "    {%" PRIu32 ", %" PRIu64 ", %" PRIu64 "},\n", s->record_bytes,
            s->payload_bytes, s->cycles);
}

static bool same(const struct mw_emulated_node *a, const struct mw_emulated_node *b)
{
    return memcmp(a, b, sizeof *a) == 0;
}

static void print(FILE *f, const struct mw_emulated_node *n)
{
    const struct mw_emulated_time *const t[] = {&n->clusters, &n->mpe, &n->mpe_streaming};
    fprintf(f, "    {%" PRIu32 ", %" PRIu32 ", %" PRIu32, n->n_ranks, n->scale,
            n->n_clusters);
    for (int i = 0; i < 3; i++)
        fprintf(f, ", {%" PRIu64 ", %" PRIu64 "}", t[i]->search_ns, t[i]->modules_ns);
    fprintf(f, "},\n");
}

static int check(void)
{
    size_t n, n_wrong = 0;
    const struct mw_emulated_node *row = mw_emulated_nodes(&n);
    for (size_t i = 0; i < n; i++) {
        struct mw_emulated_node now;
        if (row[i].scale > SCALE_FIRST + 2 && getenv("MW_TEST_SHORT") != NULL)
            continue;
        const int rc = measure(row[i].n_ranks, row[i].scale, row[i].n_clusters, &now);
        if (rc != MW_OK)
            return rc;
        if (same(&now, &row[i]))
            continue;
        n_wrong++;
        fputs("the table has\n", stdout);
        print(stdout, &row[i]);
        fputs("measured again\n", stdout);
        print(stdout, &now);
    }
    const struct mw_emulated_shuffle *shuffle = mw_emulated_shuffles(&n);
    for (size_t i = 0; i < n; i++) {
        struct mw_emulated_shuffle now;
        const int rc = measure_shuffle(shuffle[i].record_bytes == 16, &now);
        if (rc != MW_OK)
            return rc;
        if (now.cycles == shuffle[i].cycles &&
            now.payload_bytes == shuffle[i].payload_bytes)
            continue;
        n_wrong++;
        fputs("the table has, and measured again:\n", stdout);
        print_shuffle(stdout, &shuffle[i]);
        print_shuffle(stdout, &now);
    }
    if (n_wrong > 0)
        return mw_fail(MW_ERR_INVALID,
                       "%zu rows are no longer so; emulated_node --update FILE", n_wrong);
    return n > 0 ? MW_OK : mw_fail(MW_ERR_INVALID, "no rows");
}

static int update(const char *path)
{
    int rc = MW_OK;
    struct mw_emulated_node now;
    FILE *f = fopen(path, "w");
    if (f == NULL)
        return mw_fail(MW_ERR_IO, "%s: cannot be written", path);
    fputs("/* Made by tests/emulated_node.c, --update. Modelled nanoseconds, and cycles. "
          "*/\n"
          "static const struct mw_emulated_node emulated_node[] = {\n",
          f);
    for (uint32_t clusters = 1; clusters <= 4; clusters += 3)
        for (uint32_t scale = SCALE_FIRST; rc == MW_OK && scale <= SCALE_LAST;
             scale += 2) {
            rc = measure(1, scale, clusters, &now);
            print(f, &now);
        }
    if (rc == MW_OK)
        rc = measure(MANY, MANY_SCALE, MANY_CLUSTERS, &now);
    print(f, &now);
    fputs("};\nstatic const struct mw_emulated_shuffle emulated_shuffle[] = {\n", f);
    for (int wide = 0; rc == MW_OK && wide < 2; wide++) {
        struct mw_emulated_shuffle shuffle = {0};
        rc = measure_shuffle(wide == 1, &shuffle);
        print_shuffle(f, &shuffle);
    }
    fputs("};\n", f);
    return fclose(f) == 0 ? rc : mw_fail(MW_ERR_IO, "%s: not written", path);
}

int main(int argc, char **argv)
{
    const int rc =
        argc == 3 && strcmp(argv[1], "--update") == 0 ? update(argv[2]) : check();
    if (rc != MW_OK)
        fprintf(stderr, "emulated_node: %s\n", mw_error_text());
    return rc == MW_OK ? EXIT_SUCCESS : EXIT_FAILURE;
}
