/* emul_traffic.c -- which messages a kernel sent, from the core that made each to the one that kept
 * it. What a message means is the kernel's own; but a core that puts the very words that it took
 * last passes that message on, and one that does not has kept it. A message of zeros carries
 * nothing: kernels end their streams with such ones, which are left out.
 *
 *      made at u, cycle t --> passed on --> ... --> kept by v        t, u, v
 *
 * Invariant: traffic.sent[0 .. n - 1] are of the launch under way, in the order in which they were
 * kept; traffic.most of the launch that ended with the most of them.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <stdlib.h>
#include <string.h>

static bool is_wanted; /* of clusters opened from now on */

void mw_emul_traffic_want(bool wanted)
{
    is_wanted = wanted;
}

void emul_traffic_new(struct mw_cluster *c)
{
    c->traffic.wanted = is_wanted;
}

void emul_traffic_free(struct mw_cluster *c)
{
    MW_FREE_ALL(c->traffic.sent, c->traffic.most);
}

static int keep(struct emul_traffic *t, const struct emul_message *m, uint8_t to)
{
    MW_NEED_GROW("recorded messages", t->sent, t->n, 1);
    t->sent[t->n++] = (struct mw_emul_sent){m->made, m->maker, to};
    return MW_OK;
}

/* The message that was taken last goes no further. */
static void settle(struct emul_core *core)
{
    static const struct mw_message zeros;
    struct emul_traffic *const t = &core->cluster->traffic;
    if (core->taken && !t->lost && memcmp(&core->took.m, &zeros, sizeof zeros) != 0)
        t->lost = keep(t, &core->took, (uint8_t)core->self.cpe.id) < MW_OK;
    core->taken = false;
}

void emul_traffic_begin(struct mw_cluster *c)
{
    c->traffic.n = 0;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++)
        c->core[i].taken = false;
}

void emul_traffic_put(struct emul_core *core, struct emul_message *m)
{
    if (!core->cluster->traffic.wanted)
        return;
    m->maker = (uint8_t)core->self.cpe.id;
    m->made = core->self.now - core->cluster->launched_at;
    if (!core->taken || memcmp(&core->took.m, &m->m, sizeof m->m) != 0)
        return;
    m->maker = core->took.maker;
    m->made = core->took.made;
    core->taken = false;
}

void emul_traffic_got(struct emul_core *core, const struct emul_message *m)
{
    if (!core->cluster->traffic.wanted)
        return;
    settle(core);
    core->took = *m;
    core->taken = true;
}

void emul_traffic_end(struct mw_cluster *c)
{
    struct emul_traffic *const t = &c->traffic;
    struct mw_emul_sent *const before = t->most;
    for (uint32_t i = 0; t->wanted && i < MW_MESH_CORES; i++)
        settle(c->core + i);
    if (t->n <= t->n_most || t->lost)
        return;
    t->most = t->sent;
    t->n_most = t->n;
    t->sent = NULL; /* what grows keeps no room of its own: it begins anew */
    t->n = 0;
    mw_free(before);
}

static int by_cycle(const void *a, const void *b)
{
    const struct mw_emul_sent *x = a, *y = b;
    if (x->cycle != y->cycle)
        return x->cycle < y->cycle ? -1 : 1;
    return x->from != y->from ? (x->from > y->from) - (x->from < y->from)
                              : (x->to > y->to) - (x->to < y->to);
}

int mw_emul_traffic_most(struct mw_cluster *c, const struct mw_emul_sent **out,
                         uint64_t *n)
{
    if (c->traffic.lost)
        return mw_fail(MW_ERR_NOMEM, "no memory for the record of messages");
    *out = c->traffic.most;
    *n = c->traffic.n_most;
    if (*n > 0)
        qsort(c->traffic.most, *n, sizeof *c->traffic.most, by_cycle);
    return MW_OK;
}

void mw_emul_traffic_print(const struct mw_emul_sent *sent, uint64_t n, FILE *to)
{
    fputs("cycle,source,sink\n", to);
    for (uint64_t i = 0; i < n; i++)
        fprintf(to, "%llu,\"%u,%u\",\"%u,%u\"\n", (unsigned long long)sent[i].cycle,
                sent[i].from / MW_MESH_SIDE, sent[i].from % MW_MESH_SIDE,
                sent[i].to / MW_MESH_SIDE, sent[i].to % MW_MESH_SIDE);
}
