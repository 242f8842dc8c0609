/* fuzz_routes.c -- any bytes, read as each form of imported routes. What must hold besides not
 * crashing: all memory comes home; a refusal has a message with a line of the text; what is
 * accepted has routes of places that exist, and is proved and played.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fuzz.h"

#include "base/mem.h"
#include "layouts/routes/play.h"
#include "layouts/routes/waits.h"
#include "layouts/verbs/network_input.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void demand(bool good, const char *what)
{
    if (good)
        return;
    fprintf(stderr, "fuzz_routes: %s; last error: %s\n", what, mw_error_text());
    abort();
}

static void look_at(const struct mw_network *n, enum mw_network_model model)
{
    struct mw_trails t;
    struct mw_waits w;
    struct mw_play p;
    bool passed, shallow;
    demand(mw_trails_make(n, model, &t) == MW_OK, "no trails");
    demand(mw_waits_make(&t, &w) == MW_OK, "no verdict");
    if (!w.free) {
        demand(w.n_cycle > 0, "a cycle of nothing");
        demand(mw_waits_realise(&t, &w, 200, &p, &passed, &shallow) == MW_OK, "no play");
        demand(p.verdict != MW_EXPLORED_DEADLOCK || p.n_cycle > 0,
               "a deadlock of nobody");
        mw_play_fini(&p);
    }
    mw_waits_fini(&w);
    mw_trails_fini(&t);
}

static void check_network(const struct mw_network *n)
{
    demand(n->n_passages > 0, "accepted without a route");
    for (uint32_t i = 0; i < n->n_passages; i++) {
        const struct mw_passage *p = &n->passage[i];
        demand(p->n > 0 && p->source < n->nodes.n && p->sink < n->nodes.n, "a bad route");
        for (uint32_t j = 0; j < p->n; j++)
            demand(n->step[p->first + j] < n->places.n &&
                       n->place[n->step[p->first + j]].depth > 0,
                   "a bad place");
        demand(!n->place[n->step[p->first + p->n - 1]].held, "the end is held");
    }
    for (int model = 0; model < MW_N_NETWORK_MODELS; model++)
        look_at(n, (enum mw_network_model)model);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    uint32_t lines = 1;
    for (size_t i = 0; i < bytes; i++)
        lines += data[i] == '\n';
    for (int form = 0; form < MW_FROM_RMA; form++) {
        struct mw_network n;
        struct mw_diagnostics d = {0};
        const int rc = mw_network_read((enum mw_network_form)form, (const char *)data,
                                       bytes, &n, &d);
        demand((rc == MW_OK) == (d.n_errors == 0), "refused in silence");
        demand(rc == MW_OK || rc == MW_ERR_DATA, "another error");
        for (uint32_t i = 0; i < d.n_kept; i++)
            demand(d.kept[i].line >= 1 && d.kept[i].line <= lines &&
                       d.kept[i].text[0] != '\0',
                   "a message without a line or a text");
        if (rc == MW_OK)
            check_network(&n);
        mw_network_fini(&n);
        mw_error_clear();
        demand(mw_mem_in_use() == 0, "memory lost");
    }
    return 0;
}
