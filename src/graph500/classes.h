/* classes.h -- the vertices of a graph by how many neighbours they have, and whom these are among.
 *
 * A Kronecker graph has C(SCALE, k) vertices with k bits set (before the scramble), and what is random
 * about any two of them depends only on how many bits they have in common, so SCALE + 1 classes say all
 * that an average can: how many neighbours a vertex has, of which class, how many have none, how many
 * tuples repeat. Nothing is drawn and nothing is fitted; the generator's four numbers are all that goes
 * in. Modelled, and close: vertices with an edge are counted as 0.7140, 0.6162, 0.5714 of all at SCALE
 * 16, 20, 22, and computed as 0.7136, 0.6163, 0.5713.
 *
 * Of another graph only its size is known: one class, in which any two are neighbours alike.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_CLASSES_H
#define MW_CLASSES_H

#include "base/base.h"

MW_BEGIN_DECLS

enum { MW_CLASSES_MAX = 64 };

/* Class 0 has the highest degrees, and so come the first labels. */
struct mw_classes {
    uint32_t n;
    double n_vertices[MW_CLASSES_MAX], degree[MW_CLASSES_MAX];
    double
        reach[MW_CLASSES_MAX]
             [MW_CLASSES_MAX]; /* [k][j]: of a vertex of class k, neighbours of class j */
    double n_connected, n_entries; /* vertices with an edge; both ends of distinct ones */
};

/* Local; SCALE 60 at most. */
void mw_classes_kronecker(uint32_t scale, double n_tuples, struct mw_classes *out);
void mw_classes_random(double n_vertices, double n_tuples, struct mw_classes *out);

MW_END_DECLS
#endif
