/* properties.h -- a graph as LDBC Graphalytics describes it: NAME.properties says where its vertices
 * and edges are, whether these have a direction, and the parameters of its algorithms.
 *
 *      graph.NAME.vertex-file = NAME.v            -->  --vertex-file NAME.v --compact-ids
 *      graph.NAME.edge-file = NAME.e              -->  --graph NAME.e --separator blank
 *      graph.NAME.directed = true                 -->  --directed
 *      graph.NAME.bfs.source-vertex = 1           -->  --root 1
 *
 * After "LDBC Graphalytics Benchmark Specification", Iosup et al., arXiv:2011.15028, chapter 3.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PROPERTIES_H
#define MW_PROPERTIES_H

#include "cli/words.h"

MW_BEGIN_DECLS

/* Local, and before MPI. Where the settings' graph is called NAME.properties: *out has the settings
 * with what that file says and they do not. Else, or after an error, out->command may be NULL:
 * then there are none to be freed. The file's names are taken from its own folder. */
int mw_properties_apply(const struct mw_settings *s, struct mw_words *w,
                        struct mw_settings *out) MW_NODISCARD;

/* Local: whether Graphalytics asks for what this algorithm finds. */
bool mw_properties_knows(const char *algorithm);

MW_END_DECLS
#endif
