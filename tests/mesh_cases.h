/* mesh_cases.h -- the layouts of the reference table as texts of the language, and what
 * is known about them; for the suites of the proof and of what is told about it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MESH_CASES_H
#define MESH_CASES_H

#include "mesh/proof/proof.h"
#include "ranks.h"

#include <string.h>

static inline struct mw_layout *parsed(const char *text)
{
    static struct mw_diagnostics d;
    struct mw_layout *l;
    memset(&d, 0, sizeof d);
    const int rc = mw_layout_parse(text, strlen(text), &l, &d);
    ck_assert_msg(rc == MW_OK, "%s: %s", text, d.n_errors > 0 ? d.kept[0].text : "");
    return l;
}

static inline struct mw_proof proved(const struct mw_layout *l, enum mw_mesh_model m)
{
    struct mw_proof p;
    const int rc = mw_proof_make(l, m, &p);
    ck_assert_msg(rc == MW_OK, "%s", mw_error_text());
    return p;
}

#define PAPER(rows, cols, roles)                                                         \
    "mesh " rows " " cols "\nroles " roles                                               \
    "\nroute P: down->D up->U same->D\nroute D: col-to-row, then K\n"                    \
    "route U: col-to-row, then K\n"
#define TWO_WAY "mesh 2 3\nroles PTK\nroute P: any->T\nroute T: col-to-row, then K\n"
#define XY(n, roles)                                                                     \
    "mesh " n " " n "\nroles " roles                                                     \
    "\nsource A\nsink A\nroute A: row-to-col, col-to-row\n"
#define CLOCKWISE                                                                        \
    "mesh 2 2\nflow 0,0 0,1 1,1\nflow 0,1 1,1 1,0\nflow 1,1 1,0 0,0\nflow 1,0 0,0 0,1\n"
#define EXCHANGE "mesh 1 2\nflow 0,0 0,1\nflow 0,1 0,0\n"
#define REPLY    "mesh 1 3\nflow 0,0 0,1 0,2 0,1 0,0\n"
#define OPPOSITE                                                                         \
    "mesh 2 3\nflow 0,0 0,1\nflow 0,0 0,1 1,1\nflow 0,0 0,1 1,1 1,2\nflow 1,0 1,2\n"     \
    "flow 1,0 1,2 0,2\nflow 1,0 1,2 0,2 0,1\nflow 1,0 1,1\nflow 0,0 0,2\n"

/* The reference table: how long a shortest cycle is per model, 0: free, and one of
 * them. */
static const struct vector {
    const char *name, *text;
    uint32_t cycle[MW_N_MODELS];
    const char *witness[MW_N_MODELS];
} vectors[] = {
    {"F01", EXCHANGE, {2, 0, 0}, {"0,0 0,1", NULL, NULL}},
    {"F02", XY("2", "AA"), {2, 0, 0}, {"0,0 0,1", NULL, NULL}},
    {"F03",
     CLOCKWISE,
     {4, 4, 4},
     {"0,0 0,1 1,1 1,0", "0,0.C 0,1.R 1,1.C 1,0.R", "0,0>0,1 0,1>1,1 1,1>1,0 1,0>0,0"}},
    {"F04", TWO_WAY, {2, 0, 0}, {"0,1 1,1", NULL, NULL}},
    {"F06",
     "mesh 3 3\nflow 0,0 0,1 1,1 2,1 2,2\nflow 1,0 1,1 2,1 0,1 0,2\n"
     "flow 2,0 2,1 0,1 1,1 1,2\n",
     {3, 3, 3},
     {"0,1 1,1 2,1", "0,1.C 1,1.C 2,1.C", "0,1>1,1 1,1>2,1 2,1>0,1"}},
    {"F07",
     "mesh 2 2\nroles PK\nroute P: any->K\nroute K: col-to-row\n",
     {2, 0, 0},
     {"0,1 1,1", NULL, NULL}},
    {"F08", OPPOSITE, {4, 4, 0}, {"0,1 1,1 1,2 0,2", "0,1.R 1,1.C 1,2.R 0,2.C", NULL}},
    {"F10", REPLY, {2, 2, 0}, {"0,0 0,1", "0,1.R 0,2.R", NULL}},
    {"F13", XY("8", "AAAAAAAA"), {2, 0, 0}, {"0,0 0,1", NULL, NULL}},
    {"F15",
     CLOCKWISE "flow 0,0 0,1\nflow 1,0 1,1\n",
     {2, 4, 4},
     {NULL, NULL, "0,0>0,1 0,1>1,1 1,1>1,0 1,0>0,0"}},
    {"P01", "mesh 2 2\nflow 0,0 0,1 1,1\nflow 0,0 0,1\n", {0, 0, 0}, {NULL, NULL, NULL}},
    {"P02", PAPER("2", "4", "PDUK"), {0, 0, 0}, {NULL, NULL, NULL}},
    {"P03", PAPER("3", "5", "PDUKK"), {0, 0, 0}, {NULL, NULL, NULL}},
    {"P05", PAPER("8", "8", "PPPPDUKK"), {0, 0, 0}, {NULL, NULL, NULL}},
    {"P06", PAPER("2", "4", "PUDK"), {0, 0, 0}, {NULL, NULL, NULL}},
    {"P07", PAPER("4", "4", "PDUK") "transpose\n", {0, 0, 0}, {NULL, NULL, NULL}},
    {"P09",
     "mesh 3 3\nroles PT.\nroles PT.\nroles PTK\nroute P: any->T\n"
     "route T: col-to-row, then K\n",
     {0, 0, 0},
     {NULL, NULL, NULL}},
    {"P10",
     "mesh 3 5\nroles PTTTK\nroute P: any->T by row\nroute T: col-to-row, then K\n",
     {0, 0, 0},
     {NULL, NULL, NULL}},
    {"P12",
     "mesh 8 8\nroles PPPPPPVW\nsink W\nroute P: down->V same->V up->W\n"
     "route V: col-to-row, then W\nroute W: col-to-row\n",
     {0, 0, 0},
     {NULL, NULL, NULL}},
    {"P14",
     "mesh 2 4\nflow 0,0 0,1 0,3 bucket 0\nflow 0,0 0,1 1,1 1,3 bucket 1\n"
     "flow 1,0 1,1 1,3 bucket 1\nflow 1,0 1,2 0,2 0,3 bucket 0\n",
     {0, 0, 0},
     {NULL, NULL, NULL}},
    {"P15",
     "mesh 2 3\nflow 0,0 0,2\nflow 0,1 0,2\nflow 1,0 1,2\nflow 1,1 1,2\n",
     {0, 0, 0},
     {NULL, NULL, NULL}},
};
enum { N_VECTORS = sizeof vectors / sizeof vectors[0] };

#endif
