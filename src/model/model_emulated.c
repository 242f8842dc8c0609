/* model_emulated.c -- see model_emulated.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "model/model_emulated.h"

#include "model/model_emulated.inc"

const struct mw_emulated_node *mw_emulated_nodes(size_t *n)
{
    *n = sizeof emulated_node / sizeof *emulated_node;
    return emulated_node;
}

const struct mw_emulated_shuffle *mw_emulated_shuffles(size_t *n)
{
    *n = sizeof emulated_shuffle / sizeof *emulated_shuffle;
    return emulated_shuffle;
}
