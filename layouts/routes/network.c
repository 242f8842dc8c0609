/* network.c -- see network.h.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/routes/network.h"

#include "base/mem.h"
#include "mesh/lang/words.h"

#include <string.h>

const char *const mw_network_form_names[MW_N_NETWORK_FORMS] = {"routes", "aie", "vtr",
                                                               "rma"};
const char *const mw_network_model_names[MW_N_NETWORK_MODELS] = {"link", "ends",
                                                                 "coupled"};

/* ---- names ------------------------------------------------------------------------------ */

enum { FIRST_SLOTS = 256 };

static uint32_t *slot_of(const struct mw_vocabulary *t, const char *name, size_t bytes)
{
    uint64_t h = UINT64_C(0xCBF29CE484222325); /* FNV-1a */
    for (size_t i = 0; i < bytes; i++)
        h = (h ^ (uint8_t)name[i]) * UINT64_C(0x100000001B3);
    for (uint32_t at = (uint32_t)(h ^ h >> 32) & t->mask;; at = (at + 1) & t->mask) {
        const char *other = t->slot[at] == 0 ? NULL : t->name[t->slot[at] - 1];
        if (other == NULL || (memcmp(other, name, bytes) == 0 && other[bytes] == '\0'))
            return &t->slot[at];
    }
}

static int names_rehash(struct mw_vocabulary *t)
{
    const uint32_t n_slots = t->slot == NULL ? FIRST_SLOTS : 2 * (t->mask + 1);
    uint32_t *slot;
    MW_NEED_NEW(slot, "names", n_slots);
    mw_free(t->slot);
    t->slot = slot;
    t->mask = n_slots - 1;
    for (uint32_t i = 0; i < t->n; i++)
        *slot_of(t, t->name[i], strlen(t->name[i])) = i + 1;
    return MW_OK;
}

int mw_vocabulary_number(struct mw_vocabulary *t, const char *name, size_t bytes,
                         uint32_t *out)
{
    if (t->slot == NULL || t->n >= (t->mask + 1) / 2)
        MW_NEED(names_rehash(t));
    uint32_t *const slot = slot_of(t, name, bytes);
    if (*slot == 0) {
        if (t->n >= MW_NETWORK_MAX)
            return mw_fail(MW_ERR_DATA, "more than %d names", MW_NETWORK_MAX);
        MW_NEED_GROW("names", t->name, t->n, 1);
        char *copy;
        MW_NEED_NEW(copy, "a name", bytes + 1);
        memcpy(copy, name, bytes);
        t->name[t->n++] = copy;
        *slot = t->n;
    }
    *out = *slot - 1;
    return MW_OK;
}

bool mw_vocabulary_find(const struct mw_vocabulary *t, const char *name, size_t bytes,
                        uint32_t *out)
{
    const uint32_t *const slot = t->slot == NULL ? NULL : slot_of(t, name, bytes);
    if (slot == NULL || *slot == 0)
        return false;
    *out = *slot - 1;
    return true;
}

void mw_vocabulary_fini(struct mw_vocabulary *t)
{
    for (uint32_t i = 0; i < t->n; i++)
        mw_free(t->name[i]);
    MW_FREE_ALL(t->name, t->slot);
    *t = (struct mw_vocabulary){0};
}

/* ---- building --------------------------------------------------------------------------- */

void mw_network_fini(struct mw_network *n)
{
    mw_vocabulary_fini(&n->nodes);
    mw_vocabulary_fini(&n->places);
    mw_vocabulary_fini(&n->passages);
    MW_FREE_ALL(n->place, n->thread, n->passage, n->step);
    *n = (struct mw_network){0};
}

int mw_network_node(struct mw_network *n, const char *name, size_t bytes, bool thread,
                    uint32_t *out)
{
    if (mw_vocabulary_find(&n->nodes, name, bytes, out))
        return MW_OK;
    MW_NEED_GROW("nodes", n->thread, n->nodes.n, 1);
    MW_NEED(mw_vocabulary_number(&n->nodes, name, bytes, out));
    n->thread[*out] = thread;
    return MW_OK;
}

int mw_network_place(struct mw_network *n, const char *name, size_t bytes, uint32_t *out)
{
    if (mw_vocabulary_find(&n->places, name, bytes, out))
        return MW_OK;
    MW_NEED_GROW("places", n->place, n->places.n, 1);
    MW_NEED(mw_vocabulary_number(&n->places, name, bytes, out));
    n->place[*out] = (struct mw_place){.spare = MW_NO_PLACE};
    return MW_OK;
}

int mw_network_add(struct mw_network *n, const char *name, uint32_t source, uint32_t sink,
                   const uint32_t *place, uint32_t n_places, uint32_t line)
{
    char own[32];
    uint32_t number;
    if (name == NULL)
        snprintf(own, sizeof own, "route %u", n->n_passages);
    name = name == NULL ? own : name;
    if (n->n_steps + (uint64_t)n_places > MW_NETWORK_MAX)
        return mw_fail(MW_ERR_DATA, "the routes have more than %d steps", MW_NETWORK_MAX);
    MW_NEED(mw_vocabulary_number(&n->passages, name, strlen(name), &number));
    MW_NEED_GROW("routes", n->passage, n->n_passages, 1);
    const uint32_t first = n->n_steps;
    for (uint32_t i = 0; i < n_places; i++) {
        MW_NEED_GROW("steps of routes", n->step, n->n_steps, 1);
        n->step[n->n_steps++] = place[i];
    }
    n->passage[n->n_passages++] = (struct mw_passage){.first = first,
                                                      .n = n_places,
                                                      .source = source,
                                                      .sink = sink,
                                                      .name = number,
                                                      .line = line};
    return MW_OK;
}

void mw_network_settle(struct mw_network *n)
{
    for (uint32_t i = 0; i < n->places.n; i++)
        if (n->place[i].depth == 0)
            n->place[i].depth = n->place[i].held ? 1 : MW_NETWORK_DEPTH;
}

/* ---- trails ----------------------------------------------------------------------------- */

void mw_trails_fini(struct mw_trails *t)
{
    MW_FREE_ALL(t->at, t->trail, t->from_first, t->from, t->feeder);
    *t = (struct mw_trails){0};
}

/* The trails that begin at each node: counted, summed, filled. */
static int list_from(struct mw_trails *t)
{
    const struct mw_network *n = t->network;
    MW_NEED_NEW(t->from_first, "trails of nodes", n->nodes.n + 2);
    MW_NEED_NEW(t->from, "trails of nodes", n->n_passages);
    for (uint32_t i = 0; i < n->n_passages; i++)
        t->from_first[n->passage[i].source + 2]++;
    for (uint32_t v = 0; v < n->nodes.n; v++)
        t->from_first[v + 2] += t->from_first[v + 1];
    for (uint32_t i = 0; i < n->n_passages; i++)
        t->from[t->from_first[n->passage[i].source + 1]++] = i;
    return MW_OK;
}

/* A thread makes no packets if it gets some: those that it passes on are all it has. Where
 * none can come from outside (a closed ring of threads), somebody must begin: all do. */
static int find_beginnings(struct mw_trails *t)
{
    int rc = MW_OK;
    const struct mw_network *n = t->network;
    uint32_t *queue = NULL, n_queue = 0;
    bool *gets;
    MW_NEW(rc, gets, "beginnings", n->nodes.n);
    MW_NEW(rc, queue, "beginnings", n->nodes.n);
    MW_NEW(rc, t->feeder, "beginnings", n->nodes.n);
    for (uint32_t i = 0; i < t->n; i++)
        if (t->trail[i].goes_on)
            gets[n->passage[i].sink] = true;
    for (uint32_t v = 0; v < n->nodes.n; v++)
        if (!gets[v])
            queue[n_queue++] = v;
    for (uint32_t i = 0; i < n_queue; i++)
        for (uint32_t j = t->from_first[queue[i]]; j < t->from_first[queue[i] + 1]; j++) {
            const uint32_t sink = n->passage[t->from[j]].sink;
            if (t->trail[t->from[j]].goes_on && t->feeder[sink] == 0) {
                t->feeder[sink] = t->from[j] + 1;
                queue[n_queue++] = sink;
            }
        }
    for (uint32_t i = 0; i < t->n; i++)
        t->trail[i].begins = t->feeder[n->passage[i].source] == 0;
end:
    MW_FREE_ALL(gets, queue);
    return rc;
}

static void make_trail(struct mw_trails *t, enum mw_network_model model, uint32_t i,
                       uint32_t *used)
{
    const struct mw_network *n = t->network;
    const struct mw_passage *p = &n->passage[i];
    const uint32_t hand = n->places.n;
    struct mw_trail *trail = &t->trail[i];
    const bool has_hand =
        model == MW_BY_COUPLED || (model == MW_BY_ENDS && n->thread[p->source]);
    *trail = (struct mw_trail){.first = *used, .hand = MW_NO_PLACE};
    if (has_hand)
        t->at[(*used)++] = hand + p->source;
    for (uint32_t j = 0; j < p->n; j++) {
        const uint32_t place = n->step[p->first + j];
        t->at[(*used)++] = place;
        if (model == MW_BY_COUPLED && j + 1 < p->n)
            t->at[(*used)++] = hand + n->place[place].node;
    }
    trail->n = *used - trail->first;
    const bool is_source = t->from_first[p->sink] < t->from_first[p->sink + 1];
    trail->goes_on = model == MW_BY_ENDS && n->thread[p->sink] && is_source;
    if (trail->goes_on || model == MW_BY_COUPLED)
        trail->hand = hand + p->sink;
}

int mw_trails_make(const struct mw_network *n, enum mw_network_model model,
                   struct mw_trails *out)
{
    int rc;
    uint32_t used = 0;
    *out = (struct mw_trails){
        .network = n, .n_places = n->places.n + n->nodes.n, .n = n->n_passages};
    MW_TRY(rc, list_from(out));
    MW_NEW(rc, out->trail, "trails", n->n_passages);
    MW_NEW(rc, out->at, "trails", 2 * (uint64_t)n->n_steps + n->n_passages);
    for (uint32_t i = 0; i < n->n_passages; i++)
        make_trail(out, model, i, &used);
    MW_TRY(rc, find_beginnings(out));
    return MW_OK;
end:
    mw_trails_fini(out);
    return rc;
}

void mw_place_print(const struct mw_trails *t, uint32_t p, FILE *out)
{
    const struct mw_network *n = t->network;
    char shown[MW_WORD_SHOWN];
    const char *name =
        p < n->places.n ? n->places.name[p] : n->nodes.name[p - n->places.n];
    fprintf(out, "%s%s", p < n->places.n ? "" : "core ",
            mw_text_show(name, strlen(name), shown));
}

void mw_passage_print(const struct mw_network *n, uint32_t passage, FILE *out)
{
    const struct mw_passage *p = &n->passage[passage];
    char shown[3][MW_WORD_SHOWN];
    const char *name[3] = {n->passages.name[p->name], n->nodes.name[p->source],
                           n->nodes.name[p->sink]};
    for (int i = 0; i < 3; i++)
        mw_text_show(name[i], strlen(name[i]), shown[i]);
    fprintf(out, "%s (%s > %s)", shown[0], shown[1], shown[2]);
}
