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

static const struct kind {
    uint32_t rows, cols; /* it needs at least these, and ... */
    bool per_row;        /* ... one more column for each row */
    bool two_cores, any_size;
    const char *comment; /* NULL: that of adaptive routes, called like the kind */
    char owner;          /* of the buckets: K: has consumers; 0: any core to any core */
    const char *routers, *classes, *routes;
} kinds[] = {
    {.rows = 2,
     .cols = 4,
     .comment = "# The paper's layout: producers, one router column that only goes down "
                "(D), one\n"
                "# that only goes up (U), consumers. No message ever comes back to a "
                "column it has\n"
                "# left, so the hops form no cycle: free in all three models.\n",
     .owner = 'K',
     .routers = "DU",
     .routes = "route P: down->D up->U same->D|U  # relative to the destination row\n"
               "route D: col-to-row, then K\n"
               "route U: col-to-row, then K\n"},
    {.rows = 2,
     .cols = 3,
     .comment =
         "# One router column for both directions. Two routers of it that put into each\n"
         "# other's full FIFO wait for ever: deadlock in the coupled model, free in the "
         "others.\n",
     .owner = 'K',
     .routers = "T",
     .routes = "route P: any->T\nroute T: col-to-row, then K\n"},
    {.rows = 1,
     .cols = 2,
     .per_row = true,
     .comment = "# One router column per destination row: column k carries only what "
                "goes to row k,\n"
                "# so its routers all put into one core, and none of them waits for "
                "another in turn.\n"
                "# Free in all three models, at the price of many router columns.\n",
     .owner = 'K',
     .routers = "T",
     .routes = "route P: any->T by row\nroute T: col-to-row, then K\n"},
    {.rows = 2,
     .cols = 3,
     .comment =
         "# One router column as a one-way ring. One way is not enough: the ring closes, "
         "and\n"
         "# from three rows on its full FIFOs wait for each other in every model.\n",
     .owner = 'K',
     .routers = "T",
     .routes = "route P: any->T\nroute T: col-to-row ring, then K\n"},
    {.rows = 1,
     .cols = 3,
     .comment = "# Two columns instead of four: V goes down, W goes up and consumes. "
                "Free in all\n"
                "# three models, and slow: V's deliveries share W's row FIFO with all "
                "producers.\n",
     .owner = 'W',
     .routers = "VW",
     .routes = "sink W\n"
               "route P: down->V same->V up->W\n"
               "route V: col-to-row, then W\n"
               "route W: col-to-row\n"},
    {.rows = 1,
     .cols = 1,
     .two_cores = true,
     .any_size = true,
     .comment = "# Any core to any core, first along the row, then along the column: the "
                "textbook's\n"
                "# deadlock-free routing. It is, for hardware routers (decoupled, link). "
                "Where one\n"
                "# thread takes and puts (coupled), two neighbours that send to each "
                "other deadlock.\n",
     .routes = "route A: row-to-col, col-to-row\n"},
    {.rows = 1,
     .cols = 1,
     .two_cores = true,
     .any_size = true,
     .comment =
         "# A torus: each message steps the shorter way round its row, then round its\n"
         "# column. The rings close, also between hardware routers (link).\n",
     .routes = "route A: row-to-col short, col-to-row short\n"},
    {.rows = 1,
     .cols = 1,
     .two_cores = true,
     .any_size = true,
     .comment = "# A torus with a dateline: class `before` while the way over the edge "
                "lies ahead,\n"
                "# `after` from the edge on. No ring of links closes in either class.\n",
     .classes = "class before, after\n",
     .routes = "route A: class before|after row-to-col short, col-to-row short\n"},
    {.rows = 1, .cols = 1, .two_cores = true},
    {.rows = 1, .cols = 1, .two_cores = true},
    {.rows = 1, .cols = 1, .two_cores = true},
    {.rows = 1, .cols = 1, .two_cores = true},
    {.rows = 1,
     .cols = 1,
     .two_cores = true,
     .comment =
         "# Any short way in class any; class safe is the escape, with the way of XY "
         "routing.\n"
         "# Whoever waits also waits for class safe, which has no ring (link): Duato.\n",
     .classes = "class any, safe\n",
     .routes = "adaptive minimal class any escape xy class safe\n"}};

const char *const mw_layout_kinds[] = {
    "paper",      "one-router", "star",           "ring",
    "merged",     "xy",         "torus",          "torus-dateline",
    "west-first", "north-last", "negative-first", "odd-even",
    "escape",     NULL};

static uint32_t count_routers(const struct kind *k, uint32_t rows)
{
    return k->per_row ? rows : (uint32_t)strlen(k->routers);
}

/* Of the columns that do not route, about one in three consumes, as in the paper's 4 : 2. */
static uint32_t count_consumers(const struct kind *k, uint32_t rows, uint32_t cols)
{
    const uint32_t n = (cols - count_routers(k, rows)) / 3;
    return k->owner != 'K' ? 0 : n > 0 ? n : 1;
}

static void write_roles(const struct kind *k, uint32_t rows, uint32_t cols, FILE *out)
{
    if (k->owner == 0) {
        repeat('A', cols, out);
        fputs("\nsource A\nsink A\n", out);
        return;
    }
    const uint32_t n_routers = count_routers(k, rows);
    const uint32_t n = count_consumers(k, rows, cols);
    repeat('P', cols - n_routers - n, out);
    if (k->per_row)
        repeat(k->routers[0], n_routers, out);
    else
        fputs(k->routers, out);
    repeat('K', n, out);
    fputc('\n', out);
}

/* With as many buckets as fit the default local store: 64 a consumer. */
static void write_layout(const struct kind *k, const char *name, uint32_t rows,
                         uint32_t cols, FILE *out)
{
    if (k->comment != NULL)
        fputs(k->comment, out);
    else
        fprintf(out,
                "# Adaptive: a message takes any short way that makes no forbidden turn "
                "(%s),\n"
                "# whichever has room. No ring of links closes (link).\n",
                name);
    fprintf(out, "mesh %u %u\n%sroles ", rows, cols,
            k->classes != NULL ? k->classes : "");
    write_roles(k, rows, cols, out);
    if (k->routes != NULL)
        fputs(k->routes, out);
    else
        fprintf(out, "adaptive %s\n", name);
    if (k->owner != 0)
        fprintf(out, "buckets %u owner=%c roundrobin\n",
                64 * rows * (uint32_t)mw_max(count_consumers(k, rows, cols), 1),
                k->owner);
}

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
    write_layout(&kinds[i], kind, rows, cols, out);
    return MW_OK;
}
