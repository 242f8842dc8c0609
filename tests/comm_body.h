/* comm_body.h -- what any communicator must do, as seen by one rank of it.
 *
 * test_comm.c runs it on threads, mpi_comm.c under mpiexec. It asserts nothing: Check
 * may only be used on the main thread, so what is wrong comes back as an error.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef COMM_BODY_H
#define COMM_BODY_H

#include "base/mem.h"
#include "base/wait.h"
#include "mpe/comm.h"

#include <string.h>

#define EXPECT(cond)                                                                     \
    do {                                                                                 \
        if (!(cond)) {                                                                   \
            rc = mw_fail(MW_ERR_INVALID, "line %d, rank %u of %u: not %s", __LINE__,     \
                         c->rank, c->size, #cond);                                       \
            goto end;                                                                    \
        }                                                                                \
    } while (0)

/* The byte that `from` sends `to` at place `i`. */
static inline unsigned char body_byte(uint64_t from, uint64_t to, uint64_t i)
{
    return (unsigned char)(from * 31 + to * 17 + i * 7 + i / 251);
}

static inline int body_shape(struct mw_comm *c)
{
    int rc = MW_OK;
    uint32_t n_here = 0, n_before = 0, n_hosts = 0;
    EXPECT(c->rank < c->size && c->host < c->n_hosts && c->host_rank < c->host_size);
    EXPECT(c->n_cores >= 1 && c->host_of[c->rank] == c->host);
    for (uint32_t r = 0; r < c->size; r++) {
        EXPECT(c->host_of[r] <= n_hosts); /* numbered by their lowest rank */
        n_hosts += c->host_of[r] == n_hosts;
        n_here += c->host_of[r] == c->host;
        n_before += r < c->rank && c->host_of[r] == c->host;
    }
    EXPECT(n_hosts == c->n_hosts && n_here == c->host_size && n_before == c->host_rank);
end:
    return rc;
}

static inline int body_reduce(struct mw_comm *c)
{
    int rc;
    const uint64_t n = c->size, big = UINT64_C(1) << 63;
    uint64_t sum[13], most[2] = {c->rank, big + c->rank},
                      least[2] = {c->rank + 5, big - c->rank};
    for (uint64_t i = 0; i < 13; i++)
        sum[i] = c->rank * i;
    MW_TRY(rc, mw_comm_sum(c, sum, 13));
    for (uint64_t i = 0; i < 13; i++)
        EXPECT(sum[i] == n * (n - 1) / 2 * i);
    MW_TRY(rc, mw_comm_max(c, most, 2));
    EXPECT(most[0] == n - 1 && most[1] == big + n - 1);
    MW_TRY(rc, mw_comm_min(c, least, 2));
    EXPECT(least[0] == 5 && least[1] == big - (n - 1));
    MW_TRY(rc, mw_comm_sum(c, NULL, 0));
    MW_TRY(rc, mw_comm_barrier(c));
end:
    return rc;
}

static inline int body_gather(struct mw_comm *c, uint64_t bytes)
{
    int rc;
    unsigned char *mine = NULL, *all = NULL;
    MW_NEW(rc, mine, "mine", bytes);
    MW_NEW(rc, all, "all", bytes * c->size);
    for (uint64_t i = 0; i < bytes; i++)
        mine[i] = body_byte(c->rank, 0, i);
    MW_TRY(rc, mw_comm_gather(c, mine, bytes, all));
    for (uint64_t r = 0; r < c->size; r++)
        for (uint64_t i = 0; i < bytes; i++)
            EXPECT(all[r * bytes + i] == body_byte(r, 0, i));
end:
    mw_free(all);
    mw_free(mine);
    return rc;
}

static inline int body_broadcast(struct mw_comm *c, uint64_t bytes)
{
    int rc = MW_OK;
    unsigned char *data = NULL;
    MW_NEW(rc, data, "data", bytes);
    for (uint32_t root = 0; root < c->size; root++) {
        for (uint64_t i = 0; i < bytes; i++)
            data[i] = c->rank == root ? body_byte(root, 1, i) : 0;
        MW_TRY(rc, mw_comm_broadcast(c, data, bytes, root));
        for (uint64_t i = 0; i < bytes; i++)
            EXPECT(data[i] == body_byte(root, 1, i));
    }
end:
    mw_free(data);
    return rc;
}

/* Odd sizes, some zero, none alike: (from * 5 + to * 3) % 4 times `unit`, plus one. */
static inline uint64_t body_bytes(uint64_t from, uint64_t to, uint64_t unit)
{
    const uint64_t k = (from * 5 + to * 3) % 4;
    return k == 0 ? 0 : k * unit + from % 2;
}

static inline int body_exchange(struct mw_comm *c, uint64_t unit)
{
    int rc;
    const uint32_t n = c->size;
    uint64_t *out = NULL, *in = NULL, total = 0, at = 0;
    unsigned char *send = NULL;
    void *recv = NULL;
    MW_NEW(rc, out, "out", n);
    MW_NEW(rc, in, "in", n);
    for (uint32_t r = 0; r < n; r++)
        total += out[r] = body_bytes(c->rank, r, unit);
    if (total > 0) /* else NULL is legal */
        MW_NEW(rc, send, "send", total);
    for (uint32_t r = 0; r < n; r++)
        for (uint64_t i = 0; i < out[r]; i++)
            send[at++] = body_byte(c->rank, r, i);
    MW_TRY(rc, mw_comm_exchange(c, send, out, &recv, in));
    const unsigned char *got = recv;
    for (uint32_t r = 0; r < n; r++) {
        EXPECT(in[r] == body_bytes(r, c->rank, unit));
        for (uint64_t i = 0; i < in[r]; i++)
            EXPECT(*got++ == body_byte(r, c->rank, i));
    }
end:
    mw_free(recv);
    mw_free(send);
    mw_free(in);
    mw_free(out);
    return rc;
}

/* Each rank of a host writes its part of shared memory, and all read all of it. */
static inline int body_host(struct mw_comm *c, uint64_t words_each)
{
    int rc;
    const uint64_t n = words_each * c->host_size;
    void *memory[2] = {NULL, NULL};
    uint64_t *word;
    MW_TRY(rc, mw_comm_host_alloc(c, "a test's words", n * sizeof *word, &memory[0]));
    MW_TRY(rc, mw_comm_host_alloc(c, "one byte", 1, &memory[1]));
    word = memory[0];
    for (uint64_t i = 0; i < n; i++)
        EXPECT(word[i] == 0);
    MW_TRY(rc, mw_comm_host_barrier(c));
    for (uint64_t round = 1; round <= 3; round++) {
        for (uint64_t i = 0; i < words_each; i++)
            word[c->host_rank * words_each + i] =
                c->host * 1000 + c->host_rank + i * round;
        MW_TRY(rc, mw_comm_host_barrier(c));
        for (uint64_t i = 0; i < n; i++)
            EXPECT(word[i] == c->host * 1000 + i / words_each + i % words_each * round);
        MW_TRY(rc, mw_comm_host_barrier(c));
    }
    mw_comm_host_free(c, memory[0]);
    mw_comm_host_free(c, memory[1]);
    return MW_OK;
end:
    return rc;
}

/* Each rank writes its portion, and all have all of them, twice. */
static inline int body_share(struct mw_comm *c, uint64_t portion)
{
    int rc;
    void *memory = NULL;
    MW_TRY(rc, mw_comm_host_alloc(c, "portions", c->size * portion + 1, &memory));
    unsigned char *const byte = memory;
    for (uint32_t round = 0; round < 2; round++) {
        for (uint64_t i = 0; i < portion; i++)
            byte[c->rank * portion + i] = (unsigned char)(body_byte(c->rank, round, i));
        MW_TRY(rc, mw_comm_share(c, byte, portion));
        for (uint32_t r = 0; r < c->size; r++)
            for (uint64_t i = 0; i < portion; i++)
                EXPECT(byte[r * portion + i] == body_byte(r, round, i));
        MW_TRY(rc, mw_comm_host_barrier(c));
    }
    mw_comm_host_free(c, memory);
    return MW_OK;
end:
    return rc;
}

/* The worst status is everybody's, with the text of the lowest rank that has it. */
static inline int body_agree(struct mw_comm *c)
{
    int rc = MW_OK;
    const uint32_t last = c->size - 1, middle = c->size / 2;
    EXPECT(mw_comm_agree(c, MW_OK) == MW_OK);
    EXPECT(mw_comm_agree(c, MW_AGAIN) == MW_OK);
    for (uint32_t r = 0; r < c->size; r++) {
        mw_error_clear();
        const int own = c->rank == r ? mw_fail(MW_ERR_NOMEM, "trouble %u", r) : MW_OK;
        EXPECT(mw_comm_agree(c, own) == MW_ERR_NOMEM);
        EXPECT(strstr(mw_error_text(), "trouble") != NULL);
        EXPECT(c->rank == r || strncmp(mw_error_text(), "rank ", 5) == 0);
    }
    int own = MW_OK;
    if (c->rank == middle)
        own = mw_fail(MW_ERR_USAGE, "the lesser");
    if (c->rank == last)
        own = mw_fail(MW_ERR_REFUSED, "the greater");
    EXPECT(mw_comm_agree(c, own) == MW_ERR_REFUSED);
    EXPECT(strstr(mw_error_text(), "the greater") != NULL);
end:
    mw_error_clear();
    return rc;
}

/* A sum, or everybody's failure and no sum. */
static inline int body_sum_or_fail(struct mw_comm *c)
{
    int rc;
    uint64_t value[MW_COMM_SUMS];
    for (uint32_t i = 0; i < MW_COMM_SUMS; i++)
        value[i] = i + c->rank;
    MW_TRY(rc, mw_comm_sum_or_fail(c, value, MW_COMM_SUMS, MW_OK));
    for (uint32_t i = 0; i < MW_COMM_SUMS; i++)
        EXPECT(value[i] == c->size * i + c->size * (c->size - 1) / 2);
    for (uint32_t r = 0; r < c->size; r++) {
        value[0] = 7;
        mw_error_clear();
        const int own = c->rank == r ? mw_fail(MW_ERR_IO, "trouble %u", r) : MW_AGAIN;
        EXPECT(mw_comm_sum_or_fail(c, value, 1, own) == MW_ERR_IO);
        EXPECT(strstr(mw_error_text(), "trouble") != NULL && value[0] == 7);
    }
end:
    if (rc == MW_OK)
        mw_error_clear();
    return rc;
}

/* Some in succession, with other collectives between joining and asking. */
static inline int body_sum_nobody_waits_in(struct mw_comm *c)
{
    int rc = MW_OK;
    const uint64_t n = c->size;
    for (uint64_t i = 0; i < 20; i++) {
        uint64_t sum[3] = {i, c->rank * i, UINT64_MAX}, beside = 1;
        MW_TRY(rc, mw_comm_sum_begin(c, sum, 3));
        if (i % 3 == 0)
            MW_TRY(rc, mw_comm_sum(c, &beside, 1));
        EXPECT(i % 3 > 0 || beside == n);
        struct mw_waiting waiting = {0};
        while ((rc = mw_comm_sum_test(c, sum, 3)) == MW_AGAIN)
            mw_wait_a_little(&waiting);
        EXPECT(rc == MW_OK && sum[0] == n * i && sum[1] == n * (n - 1) / 2 * i);
        EXPECT(sum[2] == UINT64_C(0) - n);
    }
end:
    return rc;
}

static inline int comm_body(struct mw_comm *c, void *arg)
{
    static const uint64_t sizes[] = {0, 1, 3, 64, 1021};
    int rc;
    (void)arg;
    MW_TRY(rc, body_shape(c));
    MW_TRY(rc, body_reduce(c));
    for (uint32_t i = 0; i < sizeof sizes / sizeof sizes[0]; i++) {
        MW_TRY(rc, body_gather(c, sizes[i]));
        MW_TRY(rc, body_broadcast(c, sizes[i]));
        MW_TRY(rc, body_exchange(c, sizes[i]));
    }
    MW_TRY(rc, body_share(c, 0));
    MW_TRY(rc, body_share(c, 30));
    MW_TRY(rc, body_host(c, 1));
    MW_TRY(rc, body_host(c, 1000));
    MW_TRY(rc, body_agree(c));
    MW_TRY(rc, body_sum_or_fail(c));
    MW_TRY(rc, body_sum_nobody_waits_in(c));
    return MW_OK;
end:
    return rc;
}

#endif
