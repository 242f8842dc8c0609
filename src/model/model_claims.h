/* model_claims.h -- each claim of the paper beside what this project makes of it.
 *
 * Claims have a kind, as in the reference: A arithmetic, F a functional test, M a prediction
 * of the model, C a measurement on commodity machines. A and M are computed here, F and C
 * name the test that shows them, or are open. A claim of several kinds has a row for each. No
 * row is left out, and a row that fails stays.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_MODEL_CLAIMS_H
#define MW_MODEL_CLAIMS_H

#include "model/model_search.h"

MW_BEGIN_DECLS

enum mw_claim_verdict {
    MW_HOLDS,
    MW_FAILS,
    MW_CALIBRATION, /* true because a constant was solved from it */
    MW_NOT_DECIDED, /* the model cannot say */
    MW_TESTED,      /* `ours` names the test */
    MW_OPEN,        /* no test yet */
    MW_N_VERDICTS
};
extern const char *const mw_claim_verdict_names[MW_N_VERDICTS];

enum { MW_CLAIMS_MOST = 96, MW_CLAIM_TEXT = 256 };

struct mw_claim {
    const char *id; /* "B1" */
    char kind;      /* A F M C */
    enum mw_claim_verdict verdict;
    const char *claim, *published;
    char ours[MW_CLAIM_TEXT];
};

struct mw_claims {
    uint32_t n;
    struct mw_claim row[MW_CLAIMS_MOST];
};

/* Of the fixed constants in `m`; in the order of the reference. */
void mw_claims_make(const struct mw_model *m, struct mw_claims *out);

MW_END_DECLS
#endif
