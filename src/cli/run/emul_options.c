/* emul_options.c -- see emul_options.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cli/run/emul_options.h"

#include "base/escape.h"
#include "base/mem.h"
#include "cpe/emul.h"
#include "io/outfile.h"

#include <inttypes.h>
#include <string.h>

static bool is_emulated(const struct mw_world *w)
{
    return w->backend == &mw_backend_emul || w->backend == &mw_backend_emul_threads;
}

bool mw_emul_options_list(const struct mw_settings *s, FILE *to)
{
    const char *const text = mw_setting_text(s, "emul");
    if (text == NULL || strcmp(text, "help") != 0)
        return false;
    if (to == NULL)
        return true;
    fprintf(to, "%-26s %12s  %-10s %s\n", "parameter", "SW26010", "origin", "meaning");
    for (const struct mw_emul_param *p = mw_emul_param_table; p->name != NULL; p++)
        fprintf(to, "%-26s %12" PRIu64 "  %-10s %s\n", p->name, p->value, p->origin,
                p->what);
    return true;
}

/* The list of backends names one that is emulated, or may be. */
static int check_backend(const struct mw_settings *s, const char *option)
{
    const char *const backend = mw_setting_text(s, "backend");
    if (mw_setting_text(s, option) == NULL || strstr(backend, "emul") != NULL ||
        strstr(backend, "athread") != NULL)
        return MW_OK;
    return mw_fail(MW_ERR_USAGE, "%s: backend '%s' is not emulated; add --backend emul",
                   mw_setting_name(s, option).text, backend);
}

/* What is wrong with the list, in the words of its reader, and what may have been meant. */
static int refuse(const struct mw_settings *s)
{
    char what[256], name[64];
    const struct mw_setting_text who = mw_setting_name(s, "emul");
    snprintf(what, sizeof what, "%s", mw_error_text());
    for (const char *p = mw_setting_text(s, "emul"); *p != '\0';) {
        struct mw_nearest near = {.given = name};
        bool known = false;
        snprintf(name, sizeof name, "%.*s", (int)strcspn(p, "=,"), p);
        for (const struct mw_emul_param *r = mw_emul_param_table; r->name != NULL; r++) {
            known = known || strcmp(r->name, name) == 0;
            mw_nearest_offer(&near, r->name);
        }
        if (!known)
            return mw_fail(MW_ERR_USAGE, "%s: no parameter '%s'; %s%s", who.text, name,
                           near.best != NULL ? "did you mean " : "",
                           near.best != NULL ? near.best : "--emul help lists them");
        p += strcspn(p, ",");
        p += *p == ',';
    }
    return mw_fail(MW_ERR_USAGE, "%s: %s", who.text, what);
}

int mw_emul_options_configure_files(const struct mw_settings *s)
{
    static const char *const options[] = {"emul-dot", "layout-record", "traffic-record"};
    int rc = MW_OK;
    for (size_t i = 0; i < sizeof options / sizeof *options && rc == MW_OK; i++)
        rc = check_backend(s, options[i]);
    mw_emul_traffic_want(mw_setting_text(s, "traffic-record") != NULL);
    return rc;
}

int mw_emul_options_configure(const struct mw_settings *s)
{
    struct mw_emul_params params;
    const char *const text = mw_setting_text(s, "emul");
    MW_NEED(check_backend(s, "emul"));
    if (text == NULL)
        return MW_OK;
    mw_emul_params_sw26010(&params);
    if (mw_emul_params_read(text, &params) < MW_OK)
        return refuse(s);
    return mw_emul_configure(&params);
}

/* The ranks of a run share one name: the first to fail has it. */
static int write_dot(const char *path, bool force, const struct mw_cluster *c)
{
    struct mw_outfile f;
    const int rc = mw_outfile_open(&f, path, force);
    if (rc < MW_OK)
        return rc;
    mw_emul_write_dot(c, f.stream);
    return mw_outfile_commit(&f);
}

static void on_mistake(const struct mw_cluster *c, void *arg)
{
    const struct mw_emul_options_watch *const watch = arg;
    const char *const dot = mw_setting_text(watch->settings, "emul-dot");
    const bool force = mw_setting_number(watch->settings, "force") != 0;
    const uint32_t rank = watch->comm->rank;
    char shown[MW_SHOWN_ROOM];
    if (watch->comm->size > 1)
        fprintf(stderr, "meshway: rank %u: %s\n", rank, mw_emul_report(c)->text);
    fprintf(stderr, "meshway: rank %u: what its emulated cores were doing:\n", rank);
    mw_emul_write_brief(c, stderr);
    if (dot != NULL && write_dot(dot, force, mw_emul_culprit(c)) == MW_OK)
        fprintf(stderr, "meshway: who waits for whom is in %s\n",
                strcmp(dot, "-") == 0 ? "standard output" : mw_shown(dot, shown));
    else if (dot != NULL)
        fprintf(stderr, "meshway: warning: --emul-dot: %s\n", mw_error_text());
    if (watch->comm->size == 1)
        return;
    mw_mpi_abort(-MW_ERR_INTERNAL);
}

void mw_emul_options_watch(struct mw_emul_options_watch *watch)
{
    mw_emul_listen(watch != NULL ? on_mistake : NULL, watch);
}

static int nothing_to_write(const char *option, const char *who)
{
    fprintf(stderr,
            "meshway: --%s: nothing is written, %s put a message (--tune small-input=0 "
            "sends small inputs to them as well)\n",
            option, who);
    return MW_OK;
}

static int write_layout(const struct mw_settings *s, const struct mw_emul_hops *h,
                        const struct mw_emul_params *p)
{
    struct mw_outfile f;
    if (!mw_emul_hops_any(h))
        return nothing_to_write("layout-record", "no emulated core");
    const int rc = mw_outfile_open(&f, mw_setting_text(s, "layout-record"),
                                   mw_setting_number(s, "force") != 0);
    if (rc < MW_OK)
        return rc;
    mw_emul_hops_print(h, p, f.stream);
    return mw_outfile_commit(&f);
}

/* Threads have no clock, and are left out. */
static int write_traffic(const struct mw_settings *s, struct mw_world *const *world,
                         uint32_t n_worlds)
{
    struct mw_outfile f;
    const struct mw_emul_sent *most = NULL, *sent;
    uint64_t n_most = 0, n = 0;
    for (uint32_t w = 0; w < n_worlds; w++)
        for (uint32_t i = 0;
             world[w]->backend == &mw_backend_emul && i < world[w]->conf.n_clusters;
             i++) {
            MW_NEED(mw_emul_traffic_most(world[w]->cluster[i], &sent, &n));
            most = n > n_most ? sent : most;
            n_most = mw_max(n, n_most);
        }
    if (n_most == 0)
        return nothing_to_write("traffic-record", "no core of backend emul");
    MW_NEED(mw_outfile_open(&f, mw_setting_text(s, "traffic-record"),
                            mw_setting_number(s, "force") != 0));
    mw_emul_traffic_print(most, n_most, f.stream);
    return mw_outfile_commit(&f);
}

static int record_layout(const struct mw_settings *s, struct mw_comm *comm,
                         struct mw_world *const *world, uint32_t n_worlds)
{
    int rc = MW_OK;
    struct mw_emul_hops *all = NULL, sum = {{{0}}};
    struct mw_emul_params params;
    if (mw_setting_text(s, "layout-record") == NULL)
        return MW_OK;
    mw_emul_params_sw26010(&params);
    for (uint32_t w = 0; w < n_worlds; w++)
        for (uint32_t i = 0; is_emulated(world[w]) && i < world[w]->conf.n_clusters;
             i++) {
            mw_emul_hops_add(world[w]->cluster[i], &sum);
            mw_emul_params_of(world[w]->cluster[i], &params);
        }
    MW_NEW(rc, all, "a layout's record", comm->size);
end:
    if ((rc = mw_comm_agree(comm, rc)) == MW_OK)
        rc = mw_comm_gather(comm, &sum, sizeof sum, all);
    for (uint32_t r = 0; rc == MW_OK && r < comm->size; r++)
        for (uint32_t i = 0; i < sizeof sum / sizeof **sum.before; i++)
            sum.before[i / 16][i % 16] |= all[r].before[i / 16][i % 16];
    mw_free(all);
    if (rc == MW_OK && comm->rank == 0)
        rc = write_layout(s, &sum, &params);
    return mw_comm_agree(comm, rc);
}

int mw_emul_options_record(const struct mw_settings *s, struct mw_comm *comm,
                           struct mw_world *const *world, uint32_t n_worlds)
{
    int rc = record_layout(s, comm, world, n_worlds);
    if (rc != MW_OK || mw_setting_text(s, "traffic-record") == NULL)
        return rc;
    if (comm->rank == 0)
        rc = write_traffic(s, world, n_worlds);
    return mw_comm_agree(comm, rc);
}

json_t *mw_emul_options_json(const struct mw_world *w)
{
    struct mw_emul_params params;
    json_t *o;
    if (!is_emulated(w))
        return json_null();
    o = json_object();
    mw_emul_params_of(w->cluster[0], &params);
    for (const struct mw_emul_param *p = mw_emul_param_table; p->name != NULL; p++) {
        uint64_t value;
        memcpy(&value, (const char *)&params + p->offset, sizeof value);
        json_object_set_new(o, p->name, json_integer((json_int_t)value));
    }
    return o;
}
