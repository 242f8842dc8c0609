/* coding.c -- batches by each coding, as Young et al. 2016 have it in Table III: ratio, and how fast.
 *
 * Two ranks that pretend to be two hosts build a graph and search it, and what rank 0 sends is kept: the
 * records as the program makes them, in batches as it fills them. Then the management core of rank 0 codes
 * and decodes them, alone; "none" copies them. Medians of five passes over all kept; MB of records as they are (a ratio of 2
 * and 500 MB/s of coding are 250 MB/s on the link).
 *
 *      mpiexec -n 2 bench_coding [--scale S] [--roots N] [--batch BYTES]
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "bench.h"
#include "wrapped_transport.h"

#include "algorithms/bfs/bfs.h"

#include "graph500/generation.h"
#include "graph500/generator.h"
#include "mpe/comm_mpi.h"
#include "shuffle/coding.h"
#include "traversal/traversal.h"

#include "base/clock.h"

enum { PASSES = 5, KEPT_MOST = 32 << 20, PHASES = 4 };

/* ---- What is sent -------------------------------------------------------------------------- */

enum phase { COUNTING, BUILDING, DOWN, UP };
static const char *const phase_names[PHASES] = {"ends of edges, to be counted",
                                                "entries of rows", "found top-down",
                                                "asked bottom-up"};

/* Images of batches, one after the other. */
static struct kept {
    uint8_t *image;
    uint64_t bytes, n, n_records;
} kept[PHASES];
static uint32_t n_transports;
static enum phase searching;

struct keeper {
    struct wrapped over;
    uint32_t number;
};

static void keep(struct kept *k, const struct mw_batch_head *h)
{
    const uint64_t bytes = mw_round_up(mw_batch_bytes(h), 16);
    if (h->n_records == 0 || k->bytes + bytes > KEPT_MOST)
        return;
    memcpy(k->image + k->bytes, h, mw_batch_bytes(h));
    k->bytes += bytes;
    k->n_records += h->n_records;
    k->n++;
}

static int keeper_send(struct mw_transport *t, struct mw_batch *b)
{
    const struct keeper *k = (const struct keeper *)t;
    keep(&kept[k->number < DOWN ? k->number : (uint32_t)searching], b->head);
    return mw_send(k->over.real, b);
}

static const struct mw_transport_ops keeper_ops = {keeper_send, wrapped_poll,
                                                   wrapped_in_flight, wrapped_close};

int __wrap_mw_transport_new(const struct mw_transport_conf *conf,
                            struct mw_transport **out)
{
    struct keeper *k = calloc(1, sizeof *k);
    if (k == NULL)
        bench_die("memory");
    k->over.base.ops = &keeper_ops;
    k->number = n_transports++;
    *out = &k->over.base;
    return __real_mw_transport_new(conf, &k->over.real);
}

/* ---- A graph, and searches ------------------------------------------------------------------ */

static void must(int rc)
{
    if (rc < MW_OK)
        bench_die(mw_error_text());
}

static void search(struct mw_world *w, const struct mw_graph *g, uint32_t n_roots,
                   enum mw_direction_policy policy)
{
    const struct mw_direction_rule rule = {.policy = policy, .form = MW_FORM_MESSAGES};
    struct mw_traversal *t;
    must(mw_traversal_new(&mw_algorithm_bfs, &rule, w, g, &t));
    for (uint32_t i = 0; i < n_roots; i++) {
        must(mw_traversal_reset(t));
        must(mw_traversal_run(t, 1 + i));
    }
    mw_traversal_free(t);
}

static void send_all(struct mw_comm *comm, uint32_t scale, uint32_t n_roots,
                     uint32_t batch_bytes)
{
    const struct mw_world_conf conf = {
        .backend = "serial", .compress = MW_COMPRESS_OFF, .batch_bytes = batch_bytes};
    const uint64_t seed[2] = {2, 3}, n = UINT64_C(1) << scale, each = 16 * n / comm->size;
    struct mw_kronecker kronecker;
    struct mw_edges edges = {0};
    struct mw_world *w;
    struct mw_graph *g;
    must(mw_world_new(&conf, comm, &w));
    must(mw_kronecker_init(&kronecker, scale, 16 * n, seed));
    must(mw_edges_init(&edges, n, each));
    must(mw_generate(w, &kronecker, comm->rank * each, each, &edges));
    must(mw_graph_build(w, &edges, &g));
    n_transports = DOWN;
    searching = DOWN;
    search(w, g, n_roots, MW_DIRECTION_TOP_DOWN);
    searching = UP;
    search(w, g, n_roots, MW_DIRECTION_AUTO);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    mw_world_free(w);
}

/* ---- The table -------------------------------------------------------------------------------- */

/* All batches of a phase once: copied there and, which takes the same, back. */
static void copy(const struct kept *k, struct mw_batch *b, struct mw_coding_count *out)
{
    const uint8_t *from = k->image;
    const double start = mw_now();
    memset(out, 0, sizeof *out);
    for (uint64_t i = 0; i < k->n; i++) {
        const struct mw_batch_head *h = (const struct mw_batch_head *)(const void *)from;
        const uint64_t bytes = mw_batch_bytes(h);
        memcpy(b->head, h, bytes);
        out->plain_bytes += (double)bytes;
        from += mw_round_up(bytes, 16);
    }
    out->coded_bytes = out->decoded_bytes = out->plain_bytes;
    out->code_s = out->decode_s = mw_now() - start;
}

/* The same: back into batches, coded, and decoded. */
static void pass(const struct kept *k, struct mw_coder *coder, struct mw_batch *b,
                 enum mw_coding coding, struct mw_coding_count *out)
{
    const uint8_t *from = k->image;
    memset(&coder->count, 0, sizeof coder->count);
    for (uint64_t i = 0; i < k->n; i++) {
        const struct mw_batch_head *h = (const struct mw_batch_head *)(const void *)from;
        const uint64_t bytes = mw_batch_bytes(h);
        memcpy(b->head, h, bytes);
        if (mw_coder_code(coder, coding, b))
            must(mw_coder_decode(coder, b, UINT32_MAX));
        from += mw_round_up(bytes, 16);
    }
    *out = coder->count;
}

static void print_phase(enum phase phase, uint32_t capacity)
{
    const struct kept *k = &kept[phase];
    const uint32_t record_bytes =
        k->n > 0 ? ((const struct mw_batch_head *)(const void *)k->image)->record_bytes
                 : 8;
    struct mw_batch_pool *pool;
    struct mw_coder *coder;
    must(mw_batch_pool_new(1, capacity, record_bytes, &pool));
    must(mw_coder_new(capacity, record_bytes, &coder));
    struct mw_batch *b = mw_batch_take(pool);
    printf("%s: %llu batches, %llu records of %u bytes\n", phase_names[phase],
           (unsigned long long)k->n, (unsigned long long)k->n_records, record_bytes);
    for (uint32_t c = MW_CODING_NONE; c < MW_N_CODINGS && k->n > 0; c++) {
        double code[PASSES], decode[PASSES], ratio = 0;
        for (uint32_t i = 0; i < PASSES; i++) {
            struct mw_coding_count n;
            if (c == MW_CODING_NONE)
                copy(k, b, &n);
            else
                pass(k, coder, b, (enum mw_coding)c, &n);
            ratio = n.plain_bytes / n.coded_bytes;
            code[i] = 1e-6 * n.plain_bytes / n.code_s;
            decode[i] = n.decode_s > 0 ? 1e-6 * n.decoded_bytes / n.decode_s : 0;
        }
        printf("    %-8s %8.2f %12.0f %12.0f\n", mw_codecs[c].name, ratio,
               bench_median(code, PASSES), bench_median(decode, PASSES));
    }
    mw_batch_give(b);
    mw_coder_free(coder);
    mw_batch_pool_free(pool);
}

int main(int argc, char **argv)
{
    struct mw_comm *comm;
    const uint32_t scale = (uint32_t)bench_option(argc, argv, "--scale", 20);
    const uint32_t n_roots = (uint32_t)bench_option(argc, argv, "--roots", 4);
    const uint32_t batch_bytes =
        (uint32_t)bench_option(argc, argv, "--batch", MW_BATCH_BYTES);
    must(mw_mpi_start(&argc, &argv, 1, &comm));
    if (comm->size != 2)
        bench_die("two ranks: mpiexec -n 2");
    for (int i = 0; i < PHASES; i++)
        if ((kept[i].image = malloc(KEPT_MOST)) == NULL)
            bench_die("memory");
    send_all(comm, scale, n_roots, batch_bytes);
    if (comm->rank == 0) {
        bench_print_machine("coding");
        printf("SCALE %u, 2 hosts, batches of %u bytes; MB/s of records before coding, "
               "medians of %d\n    %-8s %8s %12s %12s\n",
               scale, batch_bytes, PASSES, "coding", "ratio", "coding", "decoding");
        for (int i = 0; i < PHASES; i++)
            print_phase((enum phase)i, batch_bytes / sizeof(struct mw_record));
    }
    for (int i = 0; i < PHASES; i++)
        free(kept[i].image);
    mw_mpi_finish(comm);
    return 0;
}
