/* scene.h -- what every picture of a layout needs to know: which hops its flows use
 * and how often, what each core did most of the time, and the cycle to draw in red.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_LAYOUT_SCENE_H
#define MW_LAYOUT_SCENE_H

#include "layouts/draw/draw.h"

MW_BEGIN_DECLS

enum {
    MW_SCENE_HOPS_MAX = 20000
}; /* more different hops than this are not drawn one by one */

struct mw_scene {
    const struct mw_picture *picture; /* borrowed */
    const struct mw_layout *layout;   /* the picture's */

    /* Owned. By the link model's numbering; 0: no flow uses the hop. */
    uint64_t *hop_flows;
    uint64_t n_hops, most_flows; /* different hops; flows of the busiest one */
    /* Owned, [cores]: flows that start at, pass through, end at the core. */
    uint64_t *starts, *passes, *ends;

    /* The cycle: core[i] waits for core[i + 1], the last one for core[0]. Owned. It is the one
     * that the simulation met, else the proof's witness, seen as cores. */
    uint32_t n_cycle;
    mw_core *cycle;
    bool met; /* in the simulation */
    uint32_t
        *mark; /* owned, [cores]: 1 + the core's first place in the cycle; 0: not in it */
};

int mw_scene_init(const struct mw_picture *p, struct mw_scene *out) MW_NODISCARD;
void mw_scene_fini(struct mw_scene *s);

/* Flows of the hop; 0 if none uses it. The hop is legal. */
uint64_t mw_scene_flows(const struct mw_scene *s, mw_core from, mw_core to);
/* The next core that `from` has a used hop to, behind `after` in the order: those of its row,
 * then those of its column. Starts and ends with MW_NO_CORE. */
mw_core mw_scene_next_hop(const struct mw_scene *s, mw_core from, mw_core after);
mw_core mw_scene_cycle_next(const struct mw_scene *s, uint32_t i);

/* With more than four hops a core, arrows hide each other. Then hops are bundled: an arrow between
 * neighbours stands for all hops that pass there. */
bool mw_scene_is_bundled(const struct mw_scene *s);
enum mw_compass { MW_EAST, MW_WEST, MW_SOUTH, MW_NORTH, MW_N_WAYS };
/* [cores][MW_N_WAYS] flows that pass from a core to its neighbour; the caller's, for mw_free().
 * NULL: no memory. */
uint64_t *mw_scene_bundles(const struct mw_scene *s);

/* The state in which a deadlock left the core: then that is what the picture is about. Else the
 * one that took most of its cycles; MW_N_CORE_STATES without a simulation. */
enum mw_core_state mw_scene_state(const struct mw_scene *s, mw_core v);
/* Shares of its cycles; zeros without a simulation. */
void mw_scene_shares(const struct mw_scene *s, mw_core v, double share[MW_N_CORE_STATES]);

/* What is known of the layout, a line each: of every model that was looked at, then what the
 * simulation met. */
enum mw_verdict_kind { MW_VERDICT_GOOD, MW_VERDICT_BAD, MW_VERDICT_OPEN };
struct mw_scene_verdict {
    enum mw_verdict_kind kind;
    char text[80];
};
enum { MW_SCENE_VERDICTS = MW_N_MODELS + 1 };
uint32_t mw_scene_verdicts(const struct mw_scene *s,
                           struct mw_scene_verdict out[MW_SCENE_VERDICTS]);
/* The proof of that model; NULL: it was not looked at. */
const struct mw_proof *mw_scene_proof(const struct mw_scene *s, enum mw_mesh_model m);

/* The different role letters in order of appearance; returns their number (with '.'). */
uint32_t mw_scene_letters(const struct mw_scene *s, char letter[MW_N_LETTERS + 1]);

/* What the simulation did, and how the deadlock of a trace comes about, as JSON for view/ (reel.c).
 * Writes `"films":[...]`, of those that the picture has. Errors: MW_ERR_NOMEM; MW_ERR_INVALID
 * when the trace cannot be played. */
int mw_reels_print(const struct mw_scene *s, FILE *out) MW_NODISCARD;

MW_END_DECLS
#endif
