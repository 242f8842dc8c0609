/* gen.c -- ready layouts for a mesh of any size, as text to read and change.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "mesh/lang/layout.h"

#include <string.h>

static void repeat(char letter, uint32_t n, FILE *out)
{
    while (n-- > 0)
        fputc(letter, out);
}

/* Of the columns that do not route, about one in three consumes, as in the paper's 4 : 2. */
static uint32_t consumers(uint32_t cols, uint32_t n_routers)
{
    const uint32_t n = (cols - n_routers) / 3;
    return n > 0 ? n : 1;
}

/* roles P.. routers K.. and as many buckets as fit the default local store: 64 a consumer. */
static void with_consumers(uint32_t rows, uint32_t cols, const char *routers,
                           uint32_t n_routers, const char *routes, FILE *out)
{
    const uint32_t n = consumers(cols, n_routers);
    fprintf(out, "mesh %u %u\nroles ", rows, cols);
    repeat('P', cols - n_routers - n, out);
    if (strlen(routers) == n_routers)
        fputs(routers, out);
    else
        repeat(routers[0], n_routers, out);
    repeat('K', n, out);
    fprintf(out, "\n%sbuckets %u owner=K roundrobin\n", routes, 64 * rows * n);
}

static void paper(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# The paper's layout: producers, one router column that only goes down (D), "
          "one\n"
          "# that only goes up (U), consumers. No message ever comes back to a column it "
          "has\n"
          "# left, so the hops form no cycle: free in all three models.\n",
          out);
    with_consumers(rows, cols, "DU", 2,
                   "route P: down->D up->U same->D|U  # relative to the destination row\n"
                   "route D: col-to-row, then K\n"
                   "route U: col-to-row, then K\n",
                   out);
}

static void one_router(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs(
        "# One router column for both directions. Two routers of it that put into each\n"
        "# other's full FIFO wait for ever: deadlock in the coupled model, free in the "
        "others.\n",
        out);
    with_consumers(rows, cols, "T", 1, "route P: any->T\nroute T: col-to-row, then K\n",
                   out);
}

static void star(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# One router column per destination row: column k carries only what goes to "
          "row k,\n"
          "# so its routers all put into one core, and none of them waits for another in "
          "turn.\n"
          "# Free in all three models, at the price of many router columns.\n",
          out);
    with_consumers(rows, cols, "T", rows,
                   "route P: any->T by row\nroute T: col-to-row, then K\n", out);
}

static void ring(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# One router column as a one-way ring. One way is not enough: the ring "
          "closes, and\n"
          "# from three rows on its full FIFOs wait for each other in every model.\n",
          out);
    with_consumers(rows, cols, "T", 1,
                   "route P: any->T\nroute T: col-to-row ring, then K\n", out);
}

static void merged(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# Two columns instead of four: V goes down, W goes up and consumes. Free in "
          "all\n"
          "# three models, and slow: V's deliveries share W's row FIFO with all "
          "producers.\n",
          out);
    fprintf(out, "mesh %u %u\nroles ", rows, cols);
    repeat('P', cols - 2, out);
    fprintf(out,
            "VW\nsink W\n"
            "route P: down->V same->V up->W\n"
            "route V: col-to-row, then W\n"
            "route W: col-to-row\n"
            "buckets %u owner=W roundrobin\n",
            64 * rows);
}

static void any_to_any(uint32_t rows, uint32_t cols, const char *classes,
                       const char *route, FILE *out)
{
    fprintf(out, "mesh %u %u\n%sroles ", rows, cols, classes);
    repeat('A', cols, out);
    fprintf(out, "\nsource A\nsink A\n%s", route);
}

static void xy(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# Any core to any core, first along the row, then along the column: the "
          "textbook's\n"
          "# deadlock-free routing. It is, for hardware routers (decoupled, link). Where "
          "one\n"
          "# thread takes and puts (coupled), two neighbours that send to each other "
          "deadlock.\n",
          out);
    any_to_any(rows, cols, "", "route A: row-to-col, col-to-row\n", out);
}

static void torus(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# A torus: each message steps the shorter way round its row, then round its\n"
          "# column. The rings close, also between hardware routers (link).\n",
          out);
    any_to_any(rows, cols, "", "route A: row-to-col short, col-to-row short\n", out);
}

static void torus_dateline(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# A torus with a dateline: class `before` while the way over the edge lies "
          "ahead,\n"
          "# `after` from the edge on. No ring of links closes in either class.\n",
          out);
    any_to_any(rows, cols, "class before, after\n",
               "route A: class before|after row-to-col short, col-to-row short\n", out);
}

static void adaptive(uint32_t rows, uint32_t cols, const char *routes, FILE *out)
{
    char line[64];
    fprintf(
        out,
        "# Adaptive: a message takes any short way that makes no forbidden turn (%s),\n"
        "# whichever has room. No ring of links closes (link).\n",
        routes);
    snprintf(line, sizeof line, "adaptive %s\n", routes);
    any_to_any(rows, cols, "", line, out);
}

static void west_first(uint32_t rows, uint32_t cols, FILE *out)
{
    adaptive(rows, cols, "west-first", out);
}

static void north_last(uint32_t rows, uint32_t cols, FILE *out)
{
    adaptive(rows, cols, "north-last", out);
}

static void negative_first(uint32_t rows, uint32_t cols, FILE *out)
{
    adaptive(rows, cols, "negative-first", out);
}

static void odd_even(uint32_t rows, uint32_t cols, FILE *out)
{
    adaptive(rows, cols, "odd-even", out);
}

static void escape(uint32_t rows, uint32_t cols, FILE *out)
{
    fputs("# Any short way in class any; class safe is the escape, with the way of XY "
          "routing.\n"
          "# Whoever waits also waits for class safe, which has no ring (link): Duato.\n",
          out);
    any_to_any(rows, cols, "class any, safe\n",
               "adaptive minimal class any escape xy class safe\n", out);
}

static const struct kind {
    void (*write)(uint32_t rows, uint32_t cols, FILE *out);
    uint32_t rows, cols; /* it needs at least these, and ... */
    bool per_row;        /* ... one more column for each row */
    bool two_cores, any_size;
} kinds[] = {
    {.write = paper, .rows = 2, .cols = 4},
    {.write = one_router, .rows = 2, .cols = 3},
    {.write = star, .rows = 1, .cols = 2, .per_row = true},
    {.write = ring, .rows = 2, .cols = 3},
    {.write = merged, .rows = 1, .cols = 3},
    {.write = xy, .rows = 1, .cols = 1, .two_cores = true, .any_size = true},
    {.write = torus, .rows = 1, .cols = 1, .two_cores = true, .any_size = true},
    {.write = torus_dateline, .rows = 1, .cols = 1, .two_cores = true, .any_size = true},
    {.write = west_first, .rows = 1, .cols = 1, .two_cores = true},
    {.write = north_last, .rows = 1, .cols = 1, .two_cores = true},
    {.write = negative_first, .rows = 1, .cols = 1, .two_cores = true},
    {.write = odd_even, .rows = 1, .cols = 1, .two_cores = true},
    {.write = escape, .rows = 1, .cols = 1, .two_cores = true}};

const char *const mw_layout_kinds[] = {
    "paper",      "one-router", "star",           "ring",
    "merged",     "xy",         "torus",          "torus-dateline",
    "west-first", "north-last", "negative-first", "odd-even",
    "escape",     NULL};

int mw_layout_generate(const char *kind, uint32_t rows, uint32_t cols, FILE *out)
{
    uint32_t i = 0;
    while (mw_layout_kinds[i] != NULL && strcmp(kind, mw_layout_kinds[i]) != 0)
        i++;
    if (mw_layout_kinds[i] == NULL)
        return mw_fail(MW_ERR_USAGE, "no layout of the kind '%.40s'", kind);
    const uint32_t most = kinds[i].any_size ? MW_MESH_GENERATED_MAX : MW_MESH_SIDE_MAX;
    if (rows < 1 || rows > most || cols < 1 || cols > most)
        return mw_fail(MW_ERR_USAGE, "mesh %u %u: expected 1..%u rows and columns", rows,
                       cols, most);
    const uint32_t least = kinds[i].two_cores && rows == 1
                               ? 2
                               : kinds[i].cols + (kinds[i].per_row ? rows : 0);
    if (rows < kinds[i].rows || cols < least)
        return mw_fail(MW_ERR_USAGE,
                       "mesh %u %u: a %s layout needs %u row%s and %u columns at least",
                       rows, cols, kind, kinds[i].rows, kinds[i].rows == 1 ? "" : "s",
                       least);
    kinds[i].write(rows, cols, out);
    return MW_OK;
}
