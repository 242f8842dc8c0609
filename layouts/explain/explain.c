/* explain.c -- a verdict in prose: what the model says of the machine, the verdict
 * and its reason (ranks.c, story.c), and what the other two models make of
 * it.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explain/explain.h"

#include <string.h>

static const char *const machine[MW_N_MODELS] = {
    ("The machine: each core is one thread with one hand. It makes a message or takes\n"
     "one from its row FIFO or its column FIFO, decides where it goes next, and puts it\n"
     "there. While that FIFO is full the put blocks, and the core takes nothing (model\n"
     "coupled).\n"),
    ("The machine: a core whose put is blocked still serves its other receive FIFO, row\n"
     "or column; a message waits at the head of its FIFO until the next one has room\n"
     "(model decoupled: software credits, a queue per class, or a put that does not\n"
     "block).\n"),
    ("The machine: every pair of a sender and a receiver has a FIFO of its own, served\n"
     "without regard to the others, as in a hardware router (model link).\n")};

/* A machine of each model. */
static const char *const hardware[MW_N_MODELS] = {
    "single-threaded cores whose put blocks",
    "cores that drain one input while the other is stuck",
    "hardware with a FIFO per link, served independently"};

static void tell_moral(const struct mw_proof *p, enum mw_mesh_model told, FILE *out)
{
    if (p[told].free)
        return;
    if (!p[MW_LINK].free)
        fputs(
            "  So the routes themselves run in a circle, and none of the three ways of\n"
            "  buffering is enough.\n",
            out);
    else if (told == MW_COUPLED)
        fputs(
            "  So the routes are sound, and what the cores do while they wait is not: a\n"
            "  deadlock of coupling. A check of the links alone calls this layout "
            "safe.\n",
            out);
    else
        fputs("  So the routes are sound; what closes the circle is that several flows "
              "share\n"
              "  one FIFO. A check of the links alone calls this layout safe.\n",
              out);
}

static void tell_other_models(const struct mw_proof *p, enum mw_mesh_model told,
                              FILE *out)
{
    fputs("\nThe same routes on other machines\n", out);
    for (int m = 0; m < MW_N_MODELS; m++)
        if (m != (int)told)
            fprintf(out, "  %s: %s (%s %s)\n", mw_mesh_model_names[m],
                    p[m].free ? "free" : "deadlock",
                    p[m].free ? "they would be safe on" : "they can stop also on",
                    hardware[m]);
    tell_moral(p, told, out);
}

static void tell_title(const struct mw_layout *l, const struct mw_proof *p, bool open,
                       FILE *out)
{
    const char *const verdict = p->free ? "FREE" : open ? "UNDECIDED" : "DEADLOCK";
    fprintf(out, "%s (%s)%s%s\n\n", verdict, mw_mesh_model_names[p->model],
            l->name[0] != '\0' ? ": " : "", l->name);
    fputs(machine[p->model], out);
    fputc('\n', out);
    if (!p->free && open)
        fputs("No trace that reaches this deadlock was found within the limits, so the "
              "verdict\nis open; the story is what the graph says.\n\n",
              out);
}

int mw_layout_explain(const struct mw_layout *l, enum mw_mesh_model model, bool open,
                      FILE *out)
{
    int rc = MW_OK;
    struct mw_proof p[MW_N_MODELS];
    memset(p, 0, sizeof p);
    for (int m = 0; m < MW_N_MODELS; m++)
        MW_TRY(rc, mw_proof_make(l, (enum mw_mesh_model)m, &p[m]));
    tell_title(l, &p[model], open, out);
    if (p[model].free)
        MW_TRY(rc, mw_layout_tell_free(l, &p[model], out));
    else
        MW_TRY(rc, mw_layout_tell_deadlock(l, &p[model], out));
    tell_other_models(p, model, out);
    if (!p[model].free)
        mw_layout_tell_fixes(l, &p[model], out);
end:
    for (int m = 0; m < MW_N_MODELS; m++)
        mw_proof_fini(&p[m]);
    return rc;
}
