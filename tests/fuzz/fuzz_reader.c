/* fuzz_reader.c -- any bytes, read as every format. What must hold besides not
 * crashing: all memory comes home; several parts deliver what one part delivers, and
 * fail if and only if it fails; every id is below n, and every weight a number from 0 on. All of
 * it with weights and without.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../in_memory.h"
#include "fuzz.h"

#include "io/input.h"
#include "io/lines.h"
#include "io/reader.h"
#include "io/treefile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void demand(bool good, const char *what, const struct mw_read_conf *conf)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_reader: %s: format %s, base %d, n %llu; last error: %s\n", what,
            mw_format_word(conf->format), conf->base,
            (unsigned long long)conf->n_vertices, mw_error_text());
    abort();
}

struct sum {
    int rc;
    uint64_t n, digest;
    struct mw_file_facts facts;
};

static void add_edges(struct sum *s, const struct mw_edges *e,
                      const struct mw_read_conf *conf)
{
    for (uint64_t i = 0; i < e->n; i++) {
        mw_vid u, v;
        mw_edges_get(e, i, &u, &v);
        demand(u < e->n_vertices && v < e->n_vertices, "id beyond n", conf);
        s->digest +=
            (u * UINT64_C(0x9E3779B97F4A7C15) ^ v) * UINT64_C(0xBF58476D1CE4E5B9);
        if (!conf->weights)
            continue;
        uint32_t bits;
        memcpy(&bits, &e->weight[i], sizeof bits);
        demand(bits < 0x7F800000, "a negative weight, or no number", conf);
        s->digest += (u * UINT64_C(0x9E3779B97F4A7C15) ^ v) * (1 + (uint64_t)bits);
    }
    s->n += e->n;
}

static struct sum read_all(struct mw_read_conf conf, const uint8_t *data, size_t bytes)
{
    struct sum s = {0};
    for (conf.part = 0; conf.part < conf.n_parts; conf.part++) {
        struct mw_edges e;
        struct mw_file_facts facts;
        s.rc = read_graph_memory(&conf, data, bytes, &e, &facts);
        if (s.rc < MW_OK)
            return s;
        add_edges(&s, &e, &conf);
        mw_edges_fini(&e);
        if (conf.part == 0)
            s.facts = facts;
        else
            mw_facts_merge(&s.facts, &facts);
    }
    s.rc = mw_facts_check(&conf, &s.facts);
    return s;
}

static void try_format(struct mw_read_conf conf, const uint8_t *data, size_t bytes)
{
    conf.n_parts = 1;
    const struct sum one = read_all(conf, data, bytes);
    conf.n_parts = 3;
    const struct sum three = read_all(conf, data, bytes);
    demand((one.rc < MW_OK) == (three.rc < MW_OK), "parts disagree on failure", &conf);
    if (one.rc == MW_OK)
        demand(one.n == three.n && one.digest == three.digest &&
                   one.facts.n_vertices == three.facts.n_vertices &&
                   one.facts.n_read == one.n && three.facts.n_read == three.n,
               "parts deliver something else", &conf);
    else
        demand(strlen(mw_error_text()) > 0, "no message", &conf);
    demand(mw_mem_in_use() == 0, "memory lost", &conf);
    if (!conf.weights) {
        conf.weights = true;
        try_format(conf, data, bytes);
    }
}

/* Whatever stands there, looking for names ends, leaves nothing and says the same twice. */
static void look_for_names(const uint8_t *data, size_t bytes)
{
    struct mw_input in;
    mw_input_memory(&in, "fuzz", data, bytes);
    struct mw_read_conf once = {.path = "fuzz", .input = &in}, again = once;
    mw_read_look(&once);
    mw_read_look(&again);
    demand(once.names == again.names && once.format == again.format &&
               once.names == (once.format == MW_FORMAT_EDGES),
           "looked twice, seen otherwise", &once);
    demand(mw_mem_in_use() == 0, "memory lost", &once);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct mw_read_conf conf = {.path = "fuzz"};
    look_for_names(data, bytes);
    for (int format = MW_FORMAT_AUTO; format < MW_N_FORMATS; format++)
        for (int form = 0; form < 4; form++) {
            conf.format = (enum mw_format)format;
            conf.base = form & 1;
            conf.n_vertices = (form & 2) != 0 ? 1 + bytes / 8 : 0;
            try_format(conf, data, bytes);
        }

    /* Lines that cross blocks. Short blocks refuse more, but all parts alike. */
    static const enum mw_format by_line[] = {MW_FORMAT_EDGES, MW_FORMAT_METIS,
                                             MW_FORMAT_ADJACENCY, MW_FORMAT_PAJEK};
    for (uint64_t block = 8; block <= 64; block *= 2)
        for (size_t i = 0; i < sizeof by_line / sizeof *by_line; i++) {
            conf = (struct mw_read_conf){.path = "fuzz", .format = by_line[i]};
            mw_lines_set_block(block);
            try_format(conf, data, bytes);
        }
    mw_lines_set_block(1 << 20);

    for (uint64_t n = 1; n <= 6; n++) {
        int64_t *parent;
        const struct mw_names few = {.base = n & 1, .n_vertices = n};
        const struct mw_names many = {.n_vertices = bytes / 8};
        if (read_tree_memory("fuzz", data, bytes, &few, 0, 1, &parent) == MW_OK)
            mw_free(parent);
        if (read_tree_memory("fuzz", data, bytes, &many, 1, 2, &parent) == MW_OK)
            mw_free(parent);
    }
    demand(mw_mem_in_use() == 0, "memory lost", &conf);
    return 0;
}
