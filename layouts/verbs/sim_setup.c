/* sim_setup.c -- see sim_setup.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/verbs/sim_setup.h"

#include <string.h>

void mw_sim_warmup(const struct mw_settings *s, struct mw_sim_conf *conf)
{
    if (conf->supply > 0 && !mw_setting_given(s, "warmup"))
        conf->warmup = 0;
}

void mw_sim_drain(const struct mw_settings *s, struct mw_sim_conf *conf)
{
    conf->drain = mw_setting_text(s, "drain") != NULL ? mw_setting_number(s, "drain")
                                                      : conf->cycles / 10;
}

bool mw_sim_by_puts(const struct mw_settings *s)
{
    return strcmp(mw_setting_text(s, "model"), "rma") == 0;
}

int mw_sim_puts(const struct mw_settings *s, const struct mw_layout *l, uint32_t rings,
                struct mw_sim_conf *conf, struct mw_puts *out)
{
    static const char *const of_fifos[] = {"send",         "supply", "pattern", "hotspot",
                                           "hotspot-core", "skew",   NULL};
    *out = (struct mw_puts){NULL};
    if (!mw_sim_by_puts(s))
        return MW_OK;
    MW_NEED(mw_layout_refuse(s, of_fifos, "not with --model rma"));
    MW_NEED(mw_puts_make(l, out));
    conf->send = 0;
    conf->rings = (uint32_t)mw_max(rings, 1);
    conf->followers = out->followers;
    return MW_OK;
}

uint32_t mw_sim_rings(const struct mw_settings *s)
{
    return mw_setting_text(s, "depth") != NULL ? (uint32_t)mw_setting_number(s, "depth")
                                               : MW_NETWORK_DEPTH;
}

void mw_sim_print_depths(const struct mw_sim_conf *conf, FILE *out)
{
    if (conf->rings > 0)
        fprintf(out, "rings of %u (rma)", conf->rings);
    else
        fprintf(out, "fifo %u/%u/%u", conf->fifo[MW_ROW], conf->fifo[MW_COLUMN],
                conf->send);
}

static int word_of(const char *const *names, const char *word)
{
    int i = 0;
    while (strcmp(names[i], word) != 0)
        i++;
    return i;
}

int mw_sim_configure(const struct mw_settings *s, struct mw_layout *l,
                     struct mw_sim_conf *out)
{
    const char *hot = mw_setting_text(s, "hotspot-core");
    mw_mesh_node core;
    mw_layout_depths(s, l);
    mw_sim_defaults(l, out);
    out->cycles = mw_setting_number(s, "cycles");
    out->seed = mw_setting_number(s, "seed");
    out->latency = (uint32_t)mw_setting_number(s, "latency");
    out->load = mw_setting_real(s, "load");
    out->hotspot = mw_setting_real(s, "hotspot");
    out->skew = mw_setting_real(s, "skew");
    out->pattern =
        (enum mw_pattern)word_of(mw_pattern_names, mw_setting_text(s, "pattern"));
    out->arrivals =
        (enum mw_arrivals)word_of(mw_arrivals_names, mw_setting_text(s, "arrivals"));
    out->burst = mw_setting_real(s, "burst");
    out->supply = mw_setting_number(s, "supply");
    out->dma = mw_setting_number(s, "no-memory") == 0;
    out->detect_every = (uint32_t)mw_setting_number(s, "detect");
    out->warmup = mw_setting_real(s, "warmup");
    mw_sim_warmup(s, out);
    if (out->load <= 0)
        return mw_fail(MW_ERR_USAGE,
                       "--load: 0 is no load; expected more than 0, up to 1");
    if (out->warmup >= 1)
        return mw_fail(MW_ERR_USAGE, "--warmup: 1 counts nothing; expected less than 1");
    if (mw_setting_given(s, "burst") && out->arrivals != MW_ARRIVALS_BURSTY)
        return mw_fail(MW_ERR_USAGE, "--burst needs --arrivals bursty: others have none");
    if (hot == NULL)
        return MW_OK;
    const int rc = mw_node_parse(l, MW_COUPLED, hot, &core);
    out->hotspot_core = (mw_core)core;
    return rc;
}
