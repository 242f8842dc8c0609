/* name_table.c -- see name_table.h: a sort by samples.
 *
 *      1  sort      what this rank has seen
 *      2  split     samples of all ranks cut the names into a range for each
 *      3  send      names to the rank of their range, which sorts and drops repeats
 *      4  answer    what number each of them has got
 *      5  publish   the ranges, one copy a host
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "io/name_table.h"

#include "base/mem.h"
#include "base/stop.h"
#include "mpe/mail.h"

#include <stdlib.h>
#include <string.h>

/* Samples are the beginnings of names, filled with zeros; so are splitters. More of each rank
 * make ranges more even, and more to gather. */
enum { SAMPLES = 32, SAMPLE_BYTES = 64 };

struct mw_name_table {
    struct mw_comm *comm;
    unsigned char *window;
    uint64_t portion; /* bytes */
    uint64_t *first;  /* [n_ranks + 1] */
};

/* A name that is sorted; the first bytes as a number decide most comparisons. */
struct entry {
    uint64_t prefix;
    const unsigned char *bytes;
    uint32_t n_bytes, index;
};

static int compare(const unsigned char *a, uint64_t n_a, const unsigned char *b,
                   uint64_t n_b)
{
    const int by_bytes = memcmp(a, b, mw_min(n_a, n_b));
    return by_bytes != 0 ? by_bytes : (n_a > n_b) - (n_a < n_b);
}

static int compare_entries(const void *a, const void *b)
{
    const struct entry *x = a, *y = b;
    if (x->prefix != y->prefix)
        return x->prefix < y->prefix ? -1 : 1;
    return compare(x->bytes, x->n_bytes, y->bytes, y->n_bytes);
}

static struct entry entry_of(const unsigned char *name, uint64_t bytes, uint64_t index)
{
    unsigned char prefix[MW_ID_BYTES] = {0};
    memcpy(prefix, name, mw_min(bytes, sizeof prefix));
    return (struct entry){mw_name_to_id(prefix), name, (uint32_t)bytes, (uint32_t)index};
}

static void sample_of(const struct entry *e, unsigned char sample[SAMPLE_BYTES])
{
    memset(sample, 0, SAMPLE_BYTES);
    memcpy(sample, e->bytes, mw_min(e->n_bytes, SAMPLE_BYTES));
}

static int compare_samples(const void *a, const void *b)
{
    return memcmp(a, b, SAMPLE_BYTES);
}

struct making {
    struct mw_comm *comm;
    struct mw_name_table *table;
    struct entry *mine; /* what this rank has seen, sorted */
    uint64_t n_mine;
    unsigned char *splitter;               /* [n_ranks - 1], SAMPLE_BYTES each */
    unsigned char *message;                /* names: 4 bytes of length, the name */
    uint64_t *message_bytes, *asked_bytes; /* [n_ranks] */
    struct mw_mail mail;                   /* how many those are; and the answers */
    void *asked;                           /* the names in this rank's range */
    struct entry *range; /* sorted; the first n_range of them different */
    uint64_t n_range;
    uint64_t *number; /* of the names as they were asked for */
};

/* ---- 1 sort ---- */

static int sort_mine(struct making *m, const struct mw_dictionary *seen)
{
    m->n_mine = seen->n;
    MW_NEED_NEW(m->mine, "names to sort", seen->n);
    for (uint64_t i = 0; i < seen->n; i++) {
        uint64_t bytes;
        const unsigned char *name = mw_dictionary_name(seen, i, &bytes);
        m->mine[i] = entry_of(name, bytes, i);
    }
    if (m->n_mine > 0)
        qsort(m->mine, m->n_mine, sizeof *m->mine, compare_entries);
    return MW_OK;
}

/* ---- 2 split ---- */

struct samples {
    uint64_t n;
    unsigned char name[SAMPLES][SAMPLE_BYTES];
};

/* Collective. */
static int choose_splitters(struct making *m)
{
    int rc = MW_OK;
    struct samples own = {.n = mw_min(SAMPLES, m->n_mine)}, *all = NULL;
    unsigned char *pool = NULL;
    const uint64_t n_ranks = m->comm->size;
    uint64_t n = 0;
    for (uint64_t i = 0; i < own.n; i++)
        sample_of(&m->mine[m->n_mine * (2 * i + 1) / (2 * own.n)], own.name[i]);
    MW_NEW(rc, all, "samples of names", n_ranks);
    MW_NEW(rc, pool, "samples of names", n_ranks * SAMPLES * SAMPLE_BYTES);
    MW_NEW(rc, m->splitter, "splitters of names", n_ranks * SAMPLE_BYTES);
end:
    rc = mw_comm_agree(m->comm, rc);
    if (rc == MW_OK)
        rc = mw_comm_gather(m->comm, &own, sizeof own, all);
    for (uint64_t r = 0; rc == MW_OK && r < n_ranks; r++) {
        memcpy(pool + n * SAMPLE_BYTES, all[r].name, all[r].n * SAMPLE_BYTES);
        n += all[r].n;
    }
    if (rc == MW_OK && n > 0) {
        qsort(pool, n, SAMPLE_BYTES, compare_samples);
        for (uint64_t r = 1; r < n_ranks; r++)
            memcpy(m->splitter + (r - 1) * SAMPLE_BYTES,
                   pool + r * n / n_ranks * SAMPLE_BYTES, SAMPLE_BYTES);
    }
    MW_FREE_ALL(pool, all);
    return rc;
}

/* ---- 3 send ---- */

static void put_length(unsigned char *p, uint32_t n)
{
    memcpy(p, &n, sizeof n);
}

static uint32_t get_length(const unsigned char *p)
{
    uint32_t n;
    memcpy(&n, p, sizeof n);
    return n;
}

/* Names are sorted, and so are ranges: the message's parts follow one another. */
static int write_message(struct making *m)
{
    uint64_t bytes = 0;
    uint32_t rank = 0;
    for (uint64_t i = 0; i < m->n_mine; i++)
        bytes += sizeof(uint32_t) + m->mine[i].n_bytes;
    MW_NEED(mw_mail_init(&m->mail, m->comm, "names by range, beginnings"));
    MW_NEED_NEW(m->message, "names to send", bytes);
    MW_NEED_NEW(m->message_bytes, "sizes of messages", m->comm->size);
    MW_NEED_NEW(m->asked_bytes, "sizes of messages", m->comm->size);
    unsigned char *to = m->message;
    for (uint64_t i = 0; i < m->n_mine; i++) {
        const struct entry *e = &m->mine[i];
        unsigned char begin[SAMPLE_BYTES];
        sample_of(e, begin);
        while (rank + 1 < m->comm->size &&
               compare_samples(begin, m->splitter + rank * SAMPLE_BYTES) >= 0)
            rank++;
        put_length(to, e->n_bytes);
        memcpy(to + sizeof(uint32_t), e->bytes, e->n_bytes);
        to += sizeof(uint32_t) + e->n_bytes;
        m->message_bytes[rank] += sizeof(uint32_t) + e->n_bytes;
        mw_mail_count(&m->mail, rank);
    }
    mw_mail_counted(&m->mail);
    return MW_OK;
}

/* What has come, sorted; number[] in the order in which it came, counted in this range. */
static int sort_range(struct making *m)
{
    uint64_t n = 0;
    const unsigned char *p = m->asked, *q = p, *end = p;
    for (uint32_t r = 0; r < m->comm->size; r++, m->mail.from[r] = n)
        for (end += m->asked_bytes[r]; q < end; q += sizeof(uint32_t) + get_length(q))
            n++;
    if (n > UINT32_MAX)
        MW_NEED(mw_fail(MW_ERR_REFUSED, "more than 2^32 names on one of %u ranks",
                        m->comm->size));
    MW_NEED_NEW(m->range, "names of a range", n);
    MW_NEED_NEW(m->number, "numbers of names", n);
    for (uint64_t i = 0; i < n; i++) {
        const uint32_t length = get_length(p);
        m->range[i] = entry_of(p + sizeof(uint32_t), length, i);
        p += sizeof(uint32_t) + length;
    }
    if (n > 0)
        qsort(m->range, n, sizeof *m->range, compare_entries);
    for (uint64_t i = 0; i < n; i++) {
        const struct entry e = m->range[i];
        if (m->n_range == 0 || compare_entries(&m->range[m->n_range - 1], &e) != 0)
            m->range[m->n_range++] = e;
        m->number[e.index] = m->n_range - 1;
    }
    return MW_OK;
}

/* Collective. */
static int send_names(struct making *m)
{
    int rc = mw_comm_agree(m->comm, write_message(m));
    if (rc == MW_OK)
        rc = mw_comm_exchange(m->comm, m->message, m->message_bytes, &m->asked,
                              m->asked_bytes);
    mw_free(m->message);
    m->message = NULL;
    return rc == MW_OK ? mw_comm_agree(m->comm, sort_range(m)) : rc;
}

/* ---- 4 answer ---- */

/* Collective: the numbers of the ranges follow one another, and go back as the names came. */
static int answer_names(struct making *m, uint64_t *vertex_of)
{
    struct mw_name_table *t = m->table;
    void *answers = NULL;
    int rc = mw_comm_gather(m->comm, &m->n_range, sizeof m->n_range, t->first + 1);
    for (uint32_t r = 0; r < m->comm->size; r++)
        t->first[r + 1] += t->first[r];
    for (uint64_t i = 0; i < m->mail.from[m->comm->size]; i++)
        m->number[i] += t->first[m->comm->rank];
    if (rc == MW_OK)
        rc = mw_mail_answer(&m->mail, m->number, sizeof *m->number, &answers);
    for (uint64_t i = 0; rc == MW_OK && i < m->n_mine; i++)
        vertex_of[m->mine[i].index] = ((const uint64_t *)answers)[i];
    mw_free(answers);
    return rc;
}

/* ---- 5 publish ---- */

/* Collective. */
static int publish(struct making *m)
{
    enum { LINE = 64 };
    struct mw_name_table *t = m->table;
    void *window = NULL;
    uint64_t bytes = m->n_range * sizeof(uint64_t);
    for (uint64_t i = 0; i < m->n_range; i++)
        bytes += m->range[i].n_bytes;
    t->portion = (bytes + LINE - 1) / LINE * LINE;
    int rc = mw_comm_max(m->comm, &t->portion, 1);
    if (rc == MW_OK)
        rc = mw_comm_hosts_alloc(m->comm, "names of the vertices",
                                 t->portion * m->comm->size, &window);
    t->window = window;
    if (rc != MW_OK)
        return rc;
    unsigned char *portion = t->window + t->portion * m->comm->rank;
    unsigned char *names = portion + m->n_range * sizeof(uint64_t);
    uint64_t end = 0;
    for (uint64_t i = 0; i < m->n_range; i++) {
        memcpy(names + end, m->range[i].bytes, m->range[i].n_bytes);
        end += m->range[i].n_bytes;
        memcpy(portion + i * sizeof end, &end, sizeof end);
    }
    return mw_comm_share(m->comm, t->window, t->portion);
}

/* ---- all of it ---- */

static int go_on(struct mw_comm *comm)
{
    return mw_comm_agree(comm, mw_stop_check("numbering", "the vertices"));
}

static int make(struct making *m, const struct mw_dictionary *seen, uint64_t **vertex_of)
{
    int rc = MW_OK;
    MW_NEW(rc, m->table, "table of names", 1);
    m->table->comm = m->comm;
    MW_NEW(rc, m->table->first, "ranges of names", m->comm->size + 1);
    MW_NEW(rc, *vertex_of, "vertices of names", seen->n);
    MW_TRY(rc, sort_mine(m, seen));
end:
    rc = mw_comm_agree(m->comm, rc);
    if (rc == MW_OK)
        rc = choose_splitters(m);
    if (rc == MW_OK)
        rc = go_on(m->comm);
    if (rc == MW_OK)
        rc = send_names(m);
    if (rc == MW_OK)
        rc = go_on(m->comm);
    if (rc == MW_OK)
        rc = answer_names(m, *vertex_of);
    return rc == MW_OK ? publish(m) : rc;
}

int mw_name_table_new(struct mw_comm *comm, const struct mw_dictionary *seen,
                      struct mw_name_table **out, uint64_t **vertex_of)
{
    struct making m = {.comm = comm};
    *vertex_of = NULL;
    const int rc = make(&m, seen, vertex_of);
    MW_FREE_ALL(m.mine, m.splitter, m.message, m.message_bytes, m.asked_bytes);
    mw_mail_fini(&m.mail);
    MW_FREE_ALL(m.asked, m.range, m.number);
    if (rc != MW_OK) {
        mw_name_table_free(m.table);
        mw_free(*vertex_of);
        *vertex_of = NULL;
        m.table = NULL;
    }
    *out = m.table;
    return rc;
}

void mw_name_table_free(struct mw_name_table *t)
{
    if (t == NULL)
        return;
    mw_comm_host_free(t->comm, t->window);
    MW_FREE_ALL(t->first, t);
}

uint64_t mw_name_table_size(const struct mw_name_table *t)
{
    return t->first[t->comm->size];
}

/* The rank in whose range name i is. */
static uint32_t range_of(const struct mw_name_table *t, uint64_t i)
{
    uint32_t low = 0, high = t->comm->size;
    while (high - low > 1) {
        const uint32_t middle = low + (high - low) / 2;
        if (t->first[middle] <= i)
            low = middle;
        else
            high = middle;
    }
    return low;
}

const unsigned char *mw_name_table_get(const struct mw_name_table *t, uint64_t i,
                                       uint64_t *bytes)
{
    const uint32_t r = range_of(t, i);
    const unsigned char *portion = t->window + t->portion * r;
    const uint64_t n = t->first[r + 1] - t->first[r], at = i - t->first[r];
    uint64_t begin = 0, end;
    if (at > 0)
        memcpy(&begin, portion + (at - 1) * sizeof begin, sizeof begin);
    memcpy(&end, portion + at * sizeof end, sizeof end);
    *bytes = end - begin;
    return portion + n * sizeof end + begin;
}

bool mw_name_table_find(const struct mw_name_table *t, const void *name, uint64_t bytes,
                        uint64_t *i)
{
    uint64_t low = 0, high = mw_name_table_size(t);
    while (low < high) {
        const uint64_t middle = low + (high - low) / 2;
        uint64_t n;
        const unsigned char *there = mw_name_table_get(t, middle, &n);
        const int by = compare(there, n, name, bytes);
        if (by == 0) {
            *i = middle;
            return true;
        }
        if (by < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return false;
}
