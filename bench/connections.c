/* connections.c -- what a connection of this MPI costs in memory: claim N3's constant here.
 *
 * Every rank exchanges messages with 1, 2, 4, ... others, each time with more of them, and reads
 * its own resident memory from the kernel in between. What grows is the price of the new peers;
 * divided by their number it is bytes a connection. The first exchange, with one peer, pays
 * what is made once per process and is shown apart. Linux only (/proc/self/statm).
 *
 *      mpiexec -n 64 bench_connections [--bytes N]    message size, default 65536
 *
 * On one host a connection is what the library keeps for shared memory; a network's queue pairs
 * are another price.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"

#include <mpi.h>
#include <unistd.h>

enum { ROUNDS = 8 };

struct memory {
    double resident, private; /* bytes; private: not shared with files or other ranks */
};

static struct memory memory_now(void)
{
    const double page = (double)sysconf(_SC_PAGESIZE);
    double total, resident, shared;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f == NULL || fscanf(f, "%lf %lf %lf", &total, &resident, &shared) != 3)
        bench_die("/proc/self/statm");
    fclose(f);
    return (struct memory){resident * page, (resident - shared) * page};
}

/* ROUNDS messages to each of the `n` ranks that follow, and from the `n` before. */
static void exchange(char *out, char *in, int bytes, int n, int rank, int size)
{
    for (int round = 0; round < ROUNDS; round++)
        for (int k = 1; k <= n; k++)
            MPI_Sendrecv(out, bytes, MPI_CHAR, (rank + k) % size, k, in, bytes, MPI_CHAR,
                         (rank - k + size) % size, k, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Barrier(MPI_COMM_WORLD);
}

static double median_of_ranks(double mine, double *all, int rank, int size)
{
    MPI_Gather(&mine, 1, MPI_DOUBLE, all, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
    return rank == 0 ? bench_median(all, (uint32_t)size) : 0;
}

int main(int argc, char **argv)
{
    int rank, size;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    const int bytes = (int)bench_option(argc, argv, "--bytes", 65536);
    char *out = malloc((size_t)bytes), *in = malloc((size_t)bytes);
    double *all = malloc((size_t)size * sizeof *all);
    if (bytes < 1 || out == NULL || in == NULL || all == NULL)
        bench_die("memory, or --bytes");
    memset(out, 1, (size_t)bytes);
    memset(in, 1, (size_t)bytes);

    if (rank == 0) {
        bench_print_machine("connections");
        printf("%d ranks, messages of %d bytes; medians over ranks\n", size, bytes);
        printf("%8s %22s %22s\n", "peers", "resident, B a new peer",
               "private, B a new peer");
    }
    MPI_Barrier(MPI_COMM_WORLD);
    struct memory before = memory_now();
    int had = 0;
    for (int n = 1; had < size - 1; n = 2 * n < size ? 2 * n : size - 1) {
        exchange(out, in, bytes, n, rank, size);
        const struct memory now = memory_now();
        const double more = n - had;
        const double resident =
            median_of_ranks((now.resident - before.resident) / more, all, rank, size);
        const double private =
            median_of_ranks((now.private - before.private) / more, all, rank, size);
        if (rank == 0)
            printf("%3d-%4d %22.0f %22.0f\n", had + 1, n, resident, private);
        before = memory_now();
        had = n;
    }
    free(out);
    free(in);
    free(all);
    MPI_Finalize();
    return 0;
}
