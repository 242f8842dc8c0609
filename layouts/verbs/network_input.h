/* network_input.h -- the FILE of "check --from": a network in one of the forms of others.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NETWORK_INPUT_H
#define MW_NETWORK_INPUT_H

#include "cli/option.h"
#include "layouts/routes/network.h"

MW_BEGIN_DECLS

/* A list of routes is JSON if it begins with '{', else CSV. MW_ERR_DATA when `d` holds errors;
 * *out is then empty. */
int mw_network_read(enum mw_network_form form, const char *text, size_t bytes,
                    struct mw_network *out, struct mw_diagnostics *d) MW_NODISCARD;

/* Does the command speak of a network: "--from FORM", or "--model rma"? */
bool mw_network_is_asked(const struct mw_settings *s);
/* "layout check" of one: everything, printed; the verdict as check's. */
int mw_network_check(const struct mw_settings *s) MW_NODISCARD;
/* "layout explore": all that its packets can do, in the deciding model. */
int mw_network_explore(const struct mw_settings *s) MW_NODISCARD;

MW_END_DECLS
#endif
