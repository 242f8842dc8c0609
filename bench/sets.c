/* sets.c -- the union of hosts' sets against what MPI has for it (Young et al. 2016, Table IV).
 *
 * Every rank is a host that has one portion of a bitmap, in which each bit is set with probability
 * 2^-k; all want all of it. Medians of the slowest rank's times, in microseconds:
 *
 *      sets         mw_set_share(): recursive doubling, each block in its cheapest form
 *      allreduce    MPI_Allreduce with MPI_BOR of the whole bitmap
 *      iallreduce   MPI_Iallreduce, waited for as the program waits: who has no core to spare yields
 *      allgather    MPI_Allgather of the portions
 *      allgatherv   MPI_Allgatherv of lists of numbers of 32 bits, after their lengths
 *
 *      mpiexec -n 8 bench_sets [--bits LOG2] [--from K] [--to K]
 *
 * of the whole bitmap, default 22; densities from 2^-1 to 2^-18. Where ranks outnumber cores MPI's own
 * waiting takes cores from those waited for: one round of long lists then takes seconds.
 *
 *      scripts/testbed 8 --rate 1gbit -- build/release/bench/bench_sets
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include "mpe/comm_mpi.h"
#include "mpe/set_share.h"

#include <mpi.h>
#include <sched.h>

enum { ROUNDS = 15, WAYS = 5, MOST_K = 18 };

struct bed {
    struct mw_comm *comm;
    struct mw_set_share *share;
    uint64_t portion, n_words; /* words of a rank, of all */
    uint64_t *mine, *window, *all;
    uint32_t *list, *lists;
    int *counts, *starts;
};

static void fill(struct bed *b, uint32_t k)
{
    uint64_t dice = 1 + b->comm->rank + 1000 * (uint64_t)k;
    memset(b->mine, 0, b->portion * sizeof *b->mine);
    for (uint64_t bit = 0; bit < 64 * b->portion; bit++) {
        dice ^= dice << 13, dice ^= dice >> 7, dice ^= dice << 17;
        if ((dice >> 20 & ((UINT64_C(1) << k) - 1)) == 0)
            b->mine[bit / 64] |= UINT64_C(1) << bit % 64;
    }
}

static void by_sets(struct bed *b)
{
    memcpy(b->window + b->comm->rank * b->portion, b->mine, b->portion * sizeof *b->mine);
    const struct mw_portions all = {
        .window = b->window, .stride = b->portion, .n_words = b->portion};
    if (mw_set_share(b->share, &all) < MW_OK)
        bench_die(mw_error_text());
}

static void by_allreduce(struct bed *b)
{
    memset(b->all, 0, b->n_words * sizeof *b->all);
    memcpy(b->all + b->comm->rank * b->portion, b->mine, b->portion * sizeof *b->mine);
    MPI_Allreduce(MPI_IN_PLACE, b->all, (int)b->n_words, MPI_UINT64_T, MPI_BOR,
                  MPI_COMM_WORLD);
}

static void by_iallreduce(struct bed *b)
{
    MPI_Request request;
    MPI_Status status;
    int done = 0;
    memset(b->all, 0, b->n_words * sizeof *b->all);
    memcpy(b->all + b->comm->rank * b->portion, b->mine, b->portion * sizeof *b->mine);
    MPI_Iallreduce(MPI_IN_PLACE, b->all, (int)b->n_words, MPI_UINT64_T, MPI_BOR,
                   MPI_COMM_WORLD, &request);
    for (; !done; sched_yield())
        MPI_Test(&request, &done, &status);
}

static void by_allgather(struct bed *b)
{
    MPI_Allgather(b->mine, (int)b->portion, MPI_UINT64_T, b->all, (int)b->portion,
                  MPI_UINT64_T, MPI_COMM_WORLD);
}

static void by_allgatherv(struct bed *b)
{
    int n = 0, total = 0;
    for (uint64_t w = 0; w < b->portion; w++)
        for (uint64_t bits = b->mine[w]; bits != 0; bits &= bits - 1)
            b->list[n++] = (uint32_t)(64 * (b->comm->rank * b->portion + w)) +
                           (uint32_t)__builtin_ctzll(bits);
    MPI_Allgather(&n, 1, MPI_INT, b->counts, 1, MPI_INT, MPI_COMM_WORLD);
    for (uint32_t r = 0; r < b->comm->size; total += b->counts[r++])
        b->starts[r] = total;
    MPI_Allgatherv(b->list, n, MPI_UINT32_T, b->lists, b->counts, b->starts, MPI_UINT32_T,
                   MPI_COMM_WORLD);
    memset(b->all, 0, b->n_words * sizeof *b->all);
    for (int i = 0; i < total; i++)
        b->all[b->lists[i] / 64] |= UINT64_C(1) << b->lists[i] % 64;
}

static const struct {
    const char *name;
    void (*run)(struct bed *b);
} way[WAYS] = {{"sets", by_sets},
               {"allreduce", by_allreduce},
               {"iallreduce", by_iallreduce},
               {"allgather", by_allgather},
               {"allgatherv", by_allgatherv}};

/* Of the slowest rank; the ways take turns. */
static void measure(struct bed *b, double median[WAYS])
{
    double times[WAYS][ROUNDS];
    for (uint32_t round = 0; round < ROUNDS; round++)
        for (uint32_t w = 0; w < WAYS; w++) {
            MPI_Barrier(MPI_COMM_WORLD);
            const double start = MPI_Wtime();
            way[w].run(b);
            times[w][round] = MPI_Wtime() - start;
            MPI_Allreduce(MPI_IN_PLACE, &times[w][round], 1, MPI_DOUBLE, MPI_MAX,
                          MPI_COMM_WORLD);
            const uint64_t *got = w == 0 ? b->window : b->all;
            if (memcmp(got + b->comm->rank * b->portion, b->mine,
                       b->portion * sizeof *b->mine) != 0 ||
                (w > 0 && memcmp(b->window, b->all, b->n_words * sizeof *b->all) != 0))
                bench_die("two ways have two unions");
        }
    for (uint32_t w = 0; w < WAYS; w++)
        median[w] = bench_median(times[w], ROUNDS);
}

int main(int argc, char **argv)
{
    struct bed b = {0};
    void *window = NULL;
    const uint64_t log2 = (uint64_t)bench_option(argc, argv, "--bits", 22);
    if (mw_mpi_start(&argc, &argv, 1, &b.comm) < MW_OK)
        bench_die(mw_error_text());
    if (log2 < 12 || log2 > 31)
        bench_die("--bits: 12 to 31");
    const uint32_t n = b.comm->size;
    b.portion = ((UINT64_C(1) << log2) / 64 + n - 1) / n;
    b.n_words = n * b.portion;
    b.mine = malloc(b.portion * sizeof *b.mine);
    b.all = malloc(b.n_words * sizeof *b.all);
    b.list = malloc(64 * b.portion * sizeof *b.list);
    b.lists = malloc(64 * b.n_words * sizeof *b.lists);
    b.counts = malloc(n * sizeof *b.counts);
    b.starts = malloc(n * sizeof *b.starts);
    if (b.mine == NULL || b.all == NULL || b.list == NULL || b.lists == NULL ||
        b.counts == NULL || b.starts == NULL)
        bench_die("memory");
    if (mw_comm_host_alloc(b.comm, "window", b.n_words * sizeof *b.window, &window) <
            MW_OK ||
        mw_set_share_new(b.comm, b.portion, &b.share) < MW_OK)
        bench_die(mw_error_text());
    b.window = window;

    if (b.comm->rank == 0) {
        bench_print_machine("sets");
        printf("%u hosts, 2^%u bits; microseconds of the slowest, medians of %d\n", n,
               (unsigned)log2, ROUNDS);
        printf("density");
        for (uint32_t w = 0; w < WAYS; w++)
            printf(" %12s", way[w].name);
        printf(" %14s\n", "bytes by sets");
    }
    const uint32_t from = (uint32_t)bench_option(argc, argv, "--from", 1);
    const uint32_t to = (uint32_t)bench_option(argc, argv, "--to", MOST_K);
    for (uint32_t k = from; k <= to && k < 64; k++) {
        double median[WAYS];
        fill(&b, k);
        const uint64_t before = b.share->n_bytes;
        measure(&b, median);
        if (b.comm->rank != 0)
            continue;
        printf("  2^-%-2u ", k);
        for (uint32_t w = 0; w < WAYS; w++)
            printf(" %12.1f", 1e6 * median[w]);
        printf(" %14llu\n", (unsigned long long)(b.share->n_bytes - before) / ROUNDS);
    }
    mw_set_share_free(b.share);
    mw_comm_host_free(b.comm, window);
    mw_mpi_finish(b.comm);
    free(b.starts), free(b.counts), free(b.lists), free(b.list), free(b.all),
        free(b.mine);
    return 0;
}
