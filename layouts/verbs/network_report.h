/* network_report.h -- what "layout check" and "explore" say of a network: its verdicts, its shortest
 * cycle, the steps into the deadlock, and changes that were proved to help; text and JSON.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_NETWORK_REPORT_H
#define MW_NETWORK_REPORT_H

#include "layouts/routes/play.h"
#include "layouts/routes/waits.h"

MW_BEGIN_DECLS

enum { MW_NETWORK_CHANGES = 2 };

struct mw_network_report {
    struct mw_network network;
    struct mw_trails trails[MW_N_NETWORK_MODELS];
    struct mw_waits waits[MW_N_NETWORK_MODELS];
    bool wanted[MW_N_NETWORK_MODELS];
    enum mw_network_form form;
    enum mw_network_model decides;
    struct mw_play play; /* of the deciding model's witness */
    bool realise, passed, shallow;
    struct mw_joins joins;
    struct mw_change change[MW_NETWORK_CHANGES];
};

enum mw_explore_verdict mw_network_verdict(const struct mw_network_report *r, int model);

/* `trace`: the file that the steps were written to, or NULL. */
void mw_network_report_print(const struct mw_network_report *r, const char *title,
                             const char *trace, FILE *out);
int mw_network_report_json(const struct mw_network_report *r, const char *title)
    MW_NODISCARD;
/* Step i of the deadlock, without a newline. */
void mw_network_step_print(const struct mw_network_report *r, uint32_t i, FILE *out);
/* Of all that can happen; `out` NULL: as JSON. */
int mw_network_play_print(const struct mw_network_report *r, const char *title, FILE *out)
    MW_NODISCARD;

/* A paragraph of "layout explain": the layout with remote puts; nothing where it has more flows
 * than rma.h takes. */
int mw_rma_explain(const struct mw_layout *l, FILE *out) MW_NODISCARD;

MW_END_DECLS
#endif
