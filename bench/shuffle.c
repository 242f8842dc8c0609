/* shuffle.c -- how fast the emitter sorts records into destinations, against memcpy.
 *
 * The path measured is the pipeline's: a kernel made by mw_run_expand(), lanes that are
 * given spare batches before every job, full batches that go back to the pool after it.
 * Only the transport is missing. The input is streamed from memory; owners are drawn
 * before the clock starts. Beside every pass, in the same round, the same bytes are
 * copied by memcpy() and by a copy with non-temporal stores, on the same cores; the
 * fraction is taken round by round and its median printed.
 *
 *      input ----> owner? ----> line of its bucket ----> open batch ----> pool
 *      read                        written                whole lines
 *
 * What to expect of one core, and what was found (docs/lab/performance.md, the shuffle):
 *
 *   memory   a record is read once and, in streamed lines, written once: 16 bytes for a
 *            narrow one where memcpy moves as much or, reading for ownership, 24.
 *            Memory would allow 1.0 of memcpy.
 *   core     some 20 instructions for a narrow or a wide record: 4 cycles. The branch
 *            that ends a line cannot be predicted, a miss of about 20 cycles in every
 *            MW_LINE_BYTES, and streaming a line holds up the stores behind it; together
 *            2 cycles a record. With 1024 destinations the lines being written are
 *            64 KiB, more than the first-level cache: one cycle more.
 *
 * So the core is the bound, and cycles per record, not bytes, decide: wide records reach
 * more of memcpy than narrow ones, and all cores together more than one, because memcpy
 * on one core already takes most of what memory gives.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/clock.h"
#include "base/mem.h"
#include "base/stream.h"
#include "bench.h"
#include "cpe/cluster.h"
#include "shuffle/skeleton_serial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    BATCH_BYTES = 64 << 10, /* the pipeline's default */
    JOB_BATCHES = 4,        /* as the pipeline: a job's records per core */
    PASS_ROUNDS = 7,        /* at least; medians of so many */
    ROUNDS_MAX = 101,
    CORES_MAX = 1024
};

struct shape {
    bool wide, skewed;
    uint32_t n_destinations;
};

static const struct shape shapes[] = {
    {false, false, 64}, {false, false, 256}, {false, false, 1024}, {true, false, 64},
    {true, false, 256}, {true, false, 1024}, {false, true, 1024},  {true, true, 1024},
};

/* What the kernels see. */
struct shuffling {
    uint64_t n_records;
    const struct mw_record *narrow; /* owner above the child's bits, as columns are */
    const struct mw_wide_record *wide;
    uint32_t child_bits;
    char *copy; /* where the copies go */
    const char *input;
    uint64_t bytes;
};

struct bench {
    const struct mw_backend *backend;
    struct mw_cluster *cluster;
    struct mw_buckets out;
    struct mw_batch_pool *pool;
    struct mw_address at;
    uint64_t *want, *got; /* per destination: records and the sum of their hashes */
};

/* ---- What is measured ---------------------------------------------------------------- */

static void expand_narrow(void *state, uint64_t first, uint64_t last,
                          struct mw_emitter *e)
{
    const struct shuffling *s = state;
    const struct mw_record *in = s->narrow;
    const uint32_t bits = s->child_bits, mask = (UINT32_C(1) << bits) - 1;
    for (uint64_t i = first; i < last; i++)
        mw_emit(e, in[i].child >> bits, in[i].child & mask, in[i].value);
}

static void expand_wide(void *state, uint64_t first, uint64_t last, struct mw_emitter *e)
{
    const struct shuffling *s = state;
    const struct mw_wide_record *in = s->wide;
    const uint32_t bits = s->child_bits, mask = (UINT32_C(1) << bits) - 1;
    for (uint64_t i = first; i < last; i++)
        mw_emit(e, in[i].child >> bits, in[i].child & mask, in[i].value);
}

static void shuffle_narrow(struct mw_cpe *self, void *job)
{
    mw_run_expand(self, job, expand_narrow, false);
}

static void shuffle_wide(struct mw_cpe *self, void *job)
{
    mw_run_expand(self, job, expand_wide, true);
}

static void copy_share(struct mw_cpe *self, void *job)
{
    const struct shuffling *s = job;
    uint64_t from, to;
    mw_share(self, 0, s->bytes / 64, &from, &to);
    memcpy(s->copy + 64 * from, s->input + 64 * from, 64 * (to - from));
}

static void stream_share(struct mw_cpe *self, void *job)
{
    const struct shuffling *s = job;
    uint64_t from, to;
    mw_share(self, 0, s->bytes / 64, &from, &to);
    mw_stream(s->copy + 64 * from, s->input + 64 * from, 64 * (to - from));
    mw_stream_fence();
}

/* ---- The scheduler's part ------------------------------------------------------------ */

static void reserve(struct bench *b, uint64_t records)
{
    const uint64_t need = mw_lane_need(&b->out, records, 1);
    for (uint32_t i = 0; i < b->out.n_lanes; i++) {
        struct mw_lane *l = &b->out.lane[i];
        while (l->n_spare < need) {
            struct mw_batch *batch = mw_batch_take(b->pool);
            if (batch == NULL)
                bench_die("the pool is empty: a batch was lost");
            batch->next = l->spare;
            l->spare = batch;
            l->n_spare++;
        }
    }
}

/* What a record is to the check: all of it, and whose bucket it was found in. */
static uint64_t hash_of(uint64_t value, uint32_t child)
{
    return bench_mix(value * UINT64_C(0x9e3779b97f4a7c15) + child);
}

static void arrived(struct bench *b, struct mw_batch *batch, bool check)
{
    const struct mw_batch_head *h = batch->head;
    for (uint32_t i = 0; check && i < h->n_records; i++) {
        const struct mw_visit m = mw_visit_at(
            batch->record, i, 0, h->record_bytes == sizeof(struct mw_wide_record));
        b->got[2 * batch->peer] += 1;
        b->got[2 * batch->peer + 1] += hash_of(m.value, m.child);
    }
    mw_batch_give(batch);
}

/* All records once through the shuffle. */
static void shuffle_pass(struct bench *b, struct shuffling *s, bool wide, bool check)
{
    const uint64_t per_core = (uint64_t)JOB_BATCHES * b->out.capacity;
    const uint64_t per_job = per_core * b->out.n_lanes;
    struct mw_job job = {.state = s, .at = &b->at, .out = &b->out, .wide = wide};
    struct mw_batch *batch;

    for (job.first = 0; job.first < s->n_records; job.first = job.last) {
        job.last = mw_min(job.first + per_job, s->n_records);
        reserve(b, per_core + 1);
        b->backend->run(b->cluster, wide ? shuffle_wide : shuffle_narrow, &job);
        for (uint32_t i = 0; i < b->out.n_lanes; i++)
            while ((batch = mw_batch_get(&b->out.lane[i].full)) != NULL)
                arrived(b, batch, check);
    }
    for (uint32_t i = 0; i < b->out.n_lanes; i++)
        for (uint32_t k = 0; k < b->out.n_buckets; k++)
            if ((batch = mw_lane_close(&b->out.lane[i], k)) != NULL)
                arrived(b, batch, check);
}

/* ---- Set-up -------------------------------------------------------------------------- */

/* Skewed owners fall as the rows of an R-MAT graph do: each bit of the number is set
 * with probability 0.24. */
static uint32_t owner_of(uint64_t *random, const struct shape *shape)
{
    uint32_t owner = 0;
    if (!shape->skewed)
        return (uint32_t)(bench_random(random) % shape->n_destinations);
    for (uint32_t bit = 1; bit < shape->n_destinations; bit *= 2)
        if (bench_random(random) % 100 < 24)
            owner |= bit;
    return owner;
}

static void fill_input(struct bench *b, struct shuffling *s, const struct shape *shape,
                       char *input, uint64_t bytes)
{
    const uint32_t record_bytes = shape->wide ? 16 : 8;
    uint64_t random = 1;

    s->narrow = (const struct mw_record *)(void *)input;
    s->wide = (const struct mw_wide_record *)(void *)input;
    s->input = input;
    s->bytes = bytes;
    s->n_records = bytes / record_bytes;
    s->child_bits = 32;
    for (uint32_t n = 1; n < shape->n_destinations; n *= 2)
        s->child_bits--;
    memset(b->want, 0, 2 * shape->n_destinations * sizeof *b->want);
    memset(b->got, 0, 2 * shape->n_destinations * sizeof *b->got);
    for (uint64_t i = 0; i < s->n_records; i++) {
        const uint32_t owner = owner_of(&random, shape);
        const uint32_t child = (uint32_t)(i & ((UINT32_C(1) << s->child_bits) - 1));
        const uint32_t column = (uint32_t)((uint64_t)owner << s->child_bits) | child;
        const uint64_t value = shape->wide ? bench_mix(i) : (uint32_t)bench_mix(i);
        if (shape->wide) {
            const struct mw_wide_record r = {value, column, 0};
            memcpy(input + i * sizeof r, &r, sizeof r);
        } else {
            const struct mw_record r = {column, (uint32_t)value};
            memcpy(input + i * sizeof r, &r, sizeof r);
        }
        b->want[2 * owner] += 1;
        b->want[2 * owner + 1] += hash_of(value, child);
    }
}

static int open_shuffle(struct bench *b, const struct shape *shape, uint32_t n_cores)
{
    int rc = MW_OK;
    const uint32_t n = shape->n_destinations;
    const uint32_t record_bytes = shape->wide ? 16 : 8;
    uint32_t *bucket, *above;

    MW_NEW(rc, bucket, "bucket of each owner", n);
    b->at.bucket = bucket;
    MW_NEW(rc, above, "column of each owner", n);
    b->at.above = above;
    for (uint32_t r = 0; r < n; r++)
        bucket[r] = r;
    b->at.n_ranks = n;
    b->at.width = 1;
    b->at.local_bits = 32;
    b->out = (struct mw_buckets){.n_lanes = n_cores,
                                 .n_buckets = n,
                                 .capacity = BATCH_BYTES / record_bytes,
                                 .record_bytes = record_bytes};
    MW_TRY(rc, mw_buckets_init(&b->out));
    MW_TRY(rc, mw_batch_pool_new((uint64_t)n_cores * (3 * n + JOB_BATCHES + 1),
                                 b->out.capacity, record_bytes, &b->pool));
end:
    return rc;
}

static void close_shuffle(struct bench *b)
{
    mw_buckets_fini(&b->out);
    if (mw_batch_pool_free(b->pool) > 0)
        bench_die("a batch did not come home");
    mw_free((void *)(uintptr_t)b->at.bucket);
    mw_free((void *)(uintptr_t)b->at.above);
}

/* ---- Rounds -------------------------------------------------------------------------- */

struct times {
    double copy[ROUNDS_MAX], stream[ROUNDS_MAX], shuffle[ROUNDS_MAX];
    double fraction[ROUNDS_MAX];
    uint32_t n;
};

static double seconds_of_run(struct bench *b, struct shuffling *s, mw_kernel *kernel)
{
    const double start = mw_now();
    b->backend->run(b->cluster, kernel, s);
    return mw_now() - start;
}

static void measure(struct bench *b, struct shuffling *s, bool wide, double seconds,
                    struct times *t)
{
    const double end = mw_now() + seconds;
    for (t->n = 0; t->n < PASS_ROUNDS || (mw_now() < end && t->n < ROUNDS_MAX); t->n++) {
        t->copy[t->n] = seconds_of_run(b, s, copy_share);
        t->stream[t->n] = seconds_of_run(b, s, stream_share);
        const double start = mw_now();
        shuffle_pass(b, s, wide, false);
        t->shuffle[t->n] = mw_now() - start;
        t->fraction[t->n] = t->copy[t->n] / t->shuffle[t->n];
    }
}

static void print_line(const struct shape *shape, uint32_t n_cores,
                       const struct shuffling *s, struct times *t)
{
    const double shuffle = bench_median(t->shuffle, t->n);
    const double gb = 1e-9 * (double)s->bytes;
    printf("%5u  %6u  %4u%s  %9.3f  %7.2f  %7.2f  %7.2f  %8.2f  %3u\n", n_cores,
           shape->wide ? 16 : 8, shape->n_destinations,
           shape->skewed ? " skewed" : "       ", 1e-9 * (double)s->n_records / shuffle,
           gb / shuffle, gb / bench_median(t->copy, t->n),
           gb / bench_median(t->stream, t->n), bench_median(t->fraction, t->n), t->n);
    fflush(stdout);
}

int main(int argc, char **argv)
{
    const double seconds = bench_option(argc, argv, "--seconds", 0.5);
    const uint64_t n_records = (uint64_t)bench_option(argc, argv, "--records", 1 << 24);
    const uint64_t bytes = mw_round_up(n_records * 8, 64);
    static struct times t;
    static int cpu[CORES_MAX];
    const uint32_t n_cpus = bench_processors(cpu, CORES_MAX);
    struct bench b = {.cluster = NULL};
    struct shuffling s = {.n_records = 0};
    char *input = mw_alloc("input", bytes, 1);

    s.copy = mw_alloc("copy", bytes, 1);
    b.want = mw_alloc("check", 2 * 1024, sizeof *b.want);
    b.got = mw_alloc("check", 2 * 1024, sizeof *b.got);
    if (input == NULL || s.copy == NULL || b.want == NULL || b.got == NULL ||
        mw_backend_find("auto", &b.backend) != MW_OK)
        bench_die(mw_error_text());
    memset(s.copy, 1, bytes);
    bench_print_machine("shuffle");
    printf("%llu MiB in; batches of %u KiB, lines of %u B; backend %s; medians of the "
           "rounds; "
           "GB/s of input; the fraction is of memcpy\n\n"
           "cores  record  destinations    G record/s     GB/s   memcpy  streamed  "
           "fraction  rounds\n",
           (unsigned long long)(bytes >> 20), BATCH_BYTES >> 10, MW_LINE_BYTES,
           b.backend->name);
    for (uint32_t n_cores = 1; n_cores <= n_cpus;
         n_cores = n_cores < n_cpus ? n_cpus : n_cores + 1) {
        const struct mw_cluster_conf conf = {
            .n_cores = n_cores, .cpu = cpu, .first_lane = 1};
        if (b.backend->open(&conf, &b.cluster) != MW_OK)
            bench_die(mw_error_text());
        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            const struct shape *shape = &shapes[i];
            fill_input(&b, &s, shape, input, bytes);
            if (open_shuffle(&b, shape, n_cores) != MW_OK)
                bench_die(mw_error_text());
            shuffle_pass(&b, &s, shape->wide, true);
            if (memcmp(b.want, b.got, 2 * shape->n_destinations * sizeof *b.want) != 0)
                bench_die("records were lost, doubled or misdirected");
            measure(&b, &s, shape->wide, seconds, &t);
            print_line(shape, n_cores, &s, &t);
            close_shuffle(&b);
        }
        b.backend->close(b.cluster);
    }
    mw_free(input);
    mw_free(s.copy);
    mw_free(b.want);
    mw_free(b.got);
    return 0;
}
