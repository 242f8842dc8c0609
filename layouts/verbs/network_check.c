/* network_check.c -- "layout check" and "explore" of a network, imported or of remote puts.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/network_input.h"

#include "base/mem.h"
#include "base/text.h"
#include "layouts/routes/rma.h"
#include "layouts/verbs/cmd_layout.h"
#include "layouts/verbs/network_report.h"

#include <string.h>

static const char *const outputs[] = {"trace", NULL};

static int read_text(const char *file, struct mw_network_report *r)
{
    struct mw_diagnostics d = {0};
    char *text;
    size_t bytes;
    MW_NEED(mw_text_read(file, MW_LAYOUT_BYTES_MAX, &text, &bytes));
    const int rc = mw_network_read(r->form, text, bytes, &r->network, &d);
    mw_diagnostics_show(&d, file, NULL, 0, stderr);
    if (rc == MW_ERR_DATA && d.n_errors > 0)
        mw_error_clear(); /* it has been said */
    mw_free(text);
    return rc;
}

static int read_layout(const char *file, struct mw_network_report *r)
{
    struct mw_layout_input in;
    MW_NEED(mw_layout_input_open(file, false, &in));
    const int rc = mw_network_rma(in.layout, MW_NETWORK_DEPTH, &r->network);
    mw_layout_input_fini(&in);
    return rc;
}

static int read_network(const struct mw_settings *s, struct mw_network_report *r)
{
    const char *file = mw_setting_text(s, "file");
    const int rc = r->form == MW_FROM_RMA ? read_layout(file, r) : read_text(file, r);
    if (rc == MW_OK && mw_setting_text(s, "depth") != NULL)
        for (uint32_t i = 0; i < r->network.places.n; i++)
            if (!r->network.place[i].held)
                r->network.place[i].depth =
                    (uint32_t)mw_max(mw_setting_number(s, "depth"), 1);
    return rc;
}

/* Which models, and which decides: of routers the links, of cores their ends. */
static int choose_models(const struct mw_settings *s, struct mw_network_report *r)
{
    const char *word = mw_setting_text(s, "model");
    const bool boxes = r->form == MW_FROM_AIE; /* which are no cores */
    /* explore has a default that is none of these */
    const bool all = strcmp(word, "all") == 0 || !mw_setting_given(s, "model");
    int model = 0;
    while (!all && model < MW_N_NETWORK_MODELS &&
           strcmp(word, mw_network_model_names[model]) != 0)
        model++;
    r->decides = r->form == MW_FROM_RMA ? MW_BY_COUPLED
                 : !all                 ? (enum mw_network_model)model
                 : boxes                ? MW_BY_ENDS
                                        : MW_BY_LINK;
    if (r->decides == MW_N_NETWORK_MODELS || (boxes && r->decides == MW_BY_COUPLED))
        return mw_fail(MW_ERR_USAGE, "--model %s: not with --from %s; link, ends%s", word,
                       mw_network_form_names[r->form], boxes ? "" : ", coupled");
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        r->wanted[m] = m == (int)r->decides ||
                       (all && r->form != MW_FROM_RMA && (m != MW_BY_COUPLED || !boxes));
    return MW_OK;
}

static int prove(const struct mw_settings *s, struct mw_network_report *r)
{
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++)
        if (r->wanted[m]) {
            MW_NEED(mw_trails_make(&r->network, (enum mw_network_model)m, &r->trails[m]));
            MW_NEED(mw_waits_make(&r->trails[m], &r->waits[m]));
            r->waits[m].model = (enum mw_network_model)m;
        }
    const struct mw_waits *w = &r->waits[r->decides];
    MW_NEED(mw_network_joins(&r->network, &r->joins));
    if (w->free)
        return MW_OK;
    if (r->realise)
        MW_NEED(mw_waits_realise(&r->trails[r->decides], w, mw_setting_number(s, "limit"),
                                 &r->play, &r->passed, &r->shallow));
    return mw_waits_changes(&r->network, w, r->change);
}

static int print_steps(const void *what, FILE *out)
{
    const struct mw_network_report *r = what;
    for (uint32_t i = 0; i < r->play.n_steps; i++) {
        fprintf(out, "%6u  ", i + 1);
        mw_network_step_print(r, i, out);
        fputc('\n', out);
    }
    return MW_OK;
}

static int write_trace(const struct mw_settings *s, const struct mw_network_report *r)
{
    if (r->play.verdict == MW_EXPLORED_DEADLOCK)
        return mw_layout_write(s, "trace", print_steps, r);
    if (mw_setting_text(s, "trace") != NULL)
        mw_layout_not_written("trace", "no deadlock was reached");
    return MW_OK;
}

bool mw_network_is_asked(const struct mw_settings *s)
{
    return mw_setting_text(s, "from") != NULL ||
           strcmp(mw_setting_text(s, "model"), "rma") == 0;
}

static int begin(const struct mw_settings *s, const char *const *of_layouts,
                 struct mw_network_report *r)
{
    const char *from = mw_setting_text(s, "from");
    *r = (struct mw_network_report){.play = {.verdict = MW_EXPLORED_BOUNDED}};
    if (from != NULL && strcmp(mw_setting_text(s, "model"), "rma") == 0)
        return mw_fail(MW_ERR_USAGE, "--model rma: of a layout, not with --from");
    r->form = from == NULL ? MW_FROM_RMA : MW_FROM_ROUTES;
    while (from != NULL && strcmp(mw_network_form_names[r->form], from) != 0)
        r->form++;
    MW_NEED(mw_layout_refuse(s, of_layouts,
                             from != NULL ? "not with --from" : "not with --model rma"));
    MW_NEED(choose_models(s, r));
    return read_network(s, r);
}

static void finish(struct mw_network_report *r)
{
    for (int m = 0; m < MW_N_NETWORK_MODELS; m++) {
        mw_waits_fini(&r->waits[m]);
        mw_trails_fini(&r->trails[m]);
    }
    mw_play_fini(&r->play);
    mw_network_fini(&r->network);
}

int mw_network_check(const struct mw_settings *s)
{
    static const char *const of_layouts[] = {"vector", "send", "strict", "certificate",
                                             NULL};
    const char *title = mw_layout_title(mw_setting_text(s, "file"));
    struct mw_network_report r;
    int rc;
    MW_TRY(rc, begin(s, of_layouts, &r));
    r.realise = mw_setting_number(s, "no-realise") == 0;
    MW_TRY(rc, prove(s, &r));
    MW_TRY(rc, write_trace(s, &r));
    const bool realised = r.play.verdict == MW_EXPLORED_DEADLOCK;
    if (mw_setting_number(s, "json") != 0)
        MW_TRY(rc, mw_network_report_json(&r, title));
    else
        mw_network_report_print(&r, title, realised ? mw_setting_text(s, "trace") : NULL,
                                mw_layout_report_to(s, outputs));
    rc = mw_layout_verdict_code(mw_network_verdict(&r, (int)r.decides));
end:
    finish(&r);
    return rc;
}

int mw_network_explore(const struct mw_settings *s)
{
    static const char *const of_layouts[] = {"vector", "send", "inflight", "guided",
                                             NULL};
    struct mw_network_report r;
    const struct mw_play_conf conf = {.limit = mw_setting_number(s, "limit")};
    int rc;
    MW_TRY(rc, begin(s, of_layouts, &r));
    MW_TRY(rc, mw_trails_make(&r.network, r.decides, &r.trails[r.decides]));
    MW_TRY(rc, mw_network_play(&r.trails[r.decides], &conf, &r.play));
    MW_TRY(rc, write_trace(s, &r));
    MW_TRY(rc, mw_network_play_print(&r, mw_layout_title(mw_setting_text(s, "file")),
                                     mw_setting_number(s, "json") != 0
                                         ? NULL
                                         : mw_layout_report_to(s, outputs)));
    rc = mw_layout_verdict_code(r.play.verdict);
    if (rc == MW_OK && r.network.n_multicast + r.network.n_unrouted > 0)
        rc = MW_LAYOUT_UNDECIDED; /* not all that they need was played */
end:
    finish(&r);
    return rc;
}
