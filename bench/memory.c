/* memory.c -- the machine's ceilings: what no traversal on it can exceed.
 *
 * Random loads of 8 bytes that do not wait for each other, from a table that fits the
 * last-level cache and from one that does not (both on huge pages where the system
 * grants them), and the bandwidth of plain reading; on one core and on all.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "base/mem.h"
#include "bench.h"
#include "cpe/cluster.h"
#include "cpe/mask.h"

#include <stdio.h>

enum { ROUNDS = 5, CORES_MAX = 1024 };

struct table {
    const uint64_t *word;
    uint64_t n_words;            /* a power of two */
    uint64_t n_loads;            /* of all cores together */
    uint64_t sum[CORES_MAX * 8]; /* so that nothing is optimised away; a line a core */
};

static void load_at_random(struct mw_cpe *self, void *arg)
{
    struct table *t = arg;
    const uint64_t mask = t->n_words - 1;
    uint64_t at = bench_mix(self->id + 1), sum = 0;
    for (uint64_t i = 0; i < t->n_loads / self->n; i++) {
        at = at * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
        sum += t->word[at >> 20 & mask];
    }
    t->sum[8 * self->id] = sum;
}

static void read_all(struct mw_cpe *self, void *arg)
{
    struct table *t = arg;
    const uint64_t share = t->n_words / self->n;
    const uint64_t *word = t->word + share * self->id;
    uint64_t sum[4] = {0, 0, 0, 0};
    for (uint64_t i = 0; i + 4 <= share; i += 4)
        for (uint64_t j = 0; j < 4; j++)
            sum[j] += word[i + j];
    t->sum[8 * self->id] = sum[0] + sum[1] + sum[2] + sum[3];
}

static double median_seconds(const struct mw_backend *backend, struct mw_cluster *c,
                             mw_kernel *kernel, struct table *t)
{
    double seconds[ROUNDS];
    for (int i = 0; i < ROUNDS; i++) {
        const double start = mw_now();
        backend->run(c, kernel, t);
        seconds[i] = mw_now() - start;
    }
    return bench_median(seconds, ROUNDS);
}

int main(int argc, char **argv)
{
    static struct table t;
    static int cpu[CORES_MAX];
    const uint64_t n_large = UINT64_C(1) << 27, n_small = UINT64_C(1) << 22;
    const uint32_t n_cpus = bench_processors(cpu, CORES_MAX);
    const struct mw_backend *backend;
    uint64_t *word = mw_alloc("table", n_large, sizeof *word);

    t.n_loads = (uint64_t)bench_option(argc, argv, "--loads", 1 << 24);
    if (word == NULL || mw_backend_find("auto", &backend) != MW_OK)
        bench_die(mw_error_text());
    for (uint64_t i = 0; i < n_large; i++)
        word[i] = i;
    t.word = word;
    bench_print_machine("memory");
    printf("medians of %d\n\n"
           "cores  G loads/s of 32 MiB  of 1 GiB  read GB/s\n",
           ROUNDS);
    for (uint32_t n = 1; n <= n_cpus; n = n < n_cpus ? n_cpus : n + 1) {
        const struct mw_cluster_conf conf = {.n_cores = n, .cpu = cpu, .first_lane = 1};
        struct mw_cluster *c;
        if (backend->open(&conf, &c) != MW_OK)
            bench_die(mw_error_text());
        t.n_words = n_small;
        const double small = median_seconds(backend, c, load_at_random, &t);
        t.n_words = n_large;
        const double large = median_seconds(backend, c, load_at_random, &t);
        const double read = median_seconds(backend, c, read_all, &t);
        printf("%5u  %19.2f  %8.2f  %9.1f\n", n, 1e-9 * (double)t.n_loads / small,
               1e-9 * (double)t.n_loads / large, 8e-9 * (double)n_large / read);
        backend->close(c);
    }
    mw_free(word);
    return 0;
}
