/* emul.c -- how fast the emulation runs: the paper's shuffle roles on one cluster, every
 * core busy with messages and nothing else; and how fast, in virtual time, the roles that a
 * run executes are, with where their cores spend it.
 *
 * Core-cycles a second counts the virtual cycles of all 64 cores; switches are those of
 * context; messages are hops, puts taken by a get. The virtual rate of the shuffle is
 * modelled, the others are measured here.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul.h"
#include "base/clock.h"
#include "base/mem.h"
#include "bench.h"
#include "emul_roles.h"
#include "emul_shuffle.h"

enum { ROUNDS = 5 };

static struct shuffle_job make_job(uint64_t n_each)
{
    const uint64_t n = SHUFFLE_PRODUCERS * n_each, room = 2 * n / SHUFFLE_CONSUMERS + 64;
    struct mw_message *in = mw_alloc("in", n + 4, sizeof *in);
    struct mw_message *out = mw_alloc("out", SHUFFLE_CONSUMERS * room + 4, sizeof *out);
    uint64_t *n_out = mw_alloc("n_out", SHUFFLE_CONSUMERS * 16, sizeof *n_out);
    if (in == NULL || out == NULL || n_out == NULL)
        bench_die(mw_error_text());
    in = (void *)mw_round_up((uintptr_t)in, 128);
    out = (void *)mw_round_up((uintptr_t)out, 128);
    for (uint64_t i = 0; i < n; i++)
        in[i] = (struct mw_message){{bench_mix(i + 1) % SHUFFLE_CONSUMERS, i, 0, 0}};
    return (struct shuffle_job){in, out, n_each, room / 8 * 8, n_out, 60, 29, 30};
}

static void measure(const char *depths, struct shuffle_job *job)
{
    const struct mw_cluster_conf conf = {.n_cores = 64};
    struct mw_emul_params p;
    double seconds[ROUNDS];
    uint64_t cycles = 0;
    struct mw_emul_counters n;
    mw_emul_params_sw26010(&p);
    if (mw_emul_params_read(depths, &p) != MW_OK || mw_emul_configure(&p) != MW_OK)
        bench_die(mw_error_text());
    for (int i = 0; i < ROUNDS; i++) {
        struct mw_cluster *c;
        if (mw_backend_emul.open(&conf, &c) != MW_OK)
            bench_die(mw_error_text());
        const double start = mw_now();
        mw_backend_emul.run(c, shuffle_kernel, job);
        seconds[i] = mw_now() - start;
        if (mw_emul_report(c) != NULL)
            bench_die(mw_emul_report(c)->text);
        cycles = mw_emul_now(c);
        mw_emul_count_all(c, &n);
        mw_backend_emul.close(c);
    }
    const double s = bench_median(seconds, ROUNDS);
    const double bytes = 32.0 * SHUFFLE_PRODUCERS * (double)job->n_each;
    printf("%-27s  %9.1f  %10.2f  %10.2f  %8.2f  %14.2f\n", depths,
           64e-6 * (double)cycles / s, 1e-6 * (double)n.gets / s,
           1e-6 * (double)n.switches / s, s,
           bytes * (double)p.clock_hz / (double)cycles * 1e-9);
}

static double percent(uint64_t part, const struct mw_emul_counters *n)
{
    const uint64_t all = n->busy + n->idle + n->blocked_put + n->blocked_get +
                         n->blocked_sync + n->blocked_dma;
    return 100.0 * (double)part / (double)all;
}

static void measure_roles(const char *what, const struct roles_conf *conf)
{
    static const char *const kinds[] = {"producers", "routers", "consumers"};
    struct roles_result r;
    const uint64_t clock_hz = 1450000000; /* the default */
    if (mw_emul_configure(NULL) != MW_OK || roles_run(conf, &r) != MW_OK)
        bench_die(mw_error_text());
    const double s = (double)r.cycles / (double)clock_hz;
    printf("\n%s: %u records of %u B, %u buckets\n", what, conf->n_records,
           (unsigned)r.record_bytes, conf->n_buckets);
    printf("  %llu cycles, %llu hops, %.2f cycles a record, %.2f GB/s of records "
           "(modelled)\n",
           (unsigned long long)r.cycles, (unsigned long long)r.messages,
           (double)r.cycles * (double)r.record_bytes / (double)r.payload_bytes,
           1e-9 * (double)r.payload_bytes / s);
    for (int k = 0; k < ROLES_KINDS; k++) {
        const struct mw_emul_counters *const n = &r.kind[k];
        printf("  %2u %-10s busy %3.0f %%, put %3.0f, get %3.0f, DMA %3.0f, idle %3.0f; "
               "%llu DMA, %llu off 128 B\n",
               r.n_cores[k], kinds[k], percent(n->busy, n), percent(n->blocked_put, n),
               percent(n->blocked_get, n), percent(n->blocked_dma, n),
               percent(n->idle, n), (unsigned long long)(n->dma_gets + n->dma_puts),
               (unsigned long long)n->dma_misaligned);
    }
}

int main(int argc, char **argv)
{
    const uint64_t n_each =
        (uint64_t)bench_option(argc, argv, "--messages", 320000) / SHUFFLE_PRODUCERS;
    struct shuffle_job job = make_job(n_each / SHUFFLE_BATCH * SHUFFLE_BATCH);
    bench_print_machine("emul");
    printf("medians of %d\n\n"
           "depths                       M cycles/s  M hops/s  M switch/s  seconds  GB/s "
           "(modelled)\n",
           ROUNDS);
    measure("recv_depth=4,send_depth=6", &job);
    measure("recv_depth=1,send_depth=1", &job);
    measure("recv_depth=1,send_depth=0", &job);
    measure("recv_depth=0,send_depth=0", &job);
    measure_roles("relay, a batch of 64 KiB",
                  &(struct roles_conf){.n_records = 8192, .n_buckets = 256});
    measure_roles("relay, a large job",
                  &(struct roles_conf){.n_records = 1 << 18, .n_buckets = 256});
    measure_roles(
        "relay, a large job of wide records",
        &(struct roles_conf){.n_records = 1 << 18, .n_buckets = 256, .wide = true});
    return 0;
}
