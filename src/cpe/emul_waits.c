/* emul_waits.c -- who waits for whom, and what is said when nobody can go on.
 *
 * A put waits for all receivers that have no room, and a sync for all members that have not
 * come: AND. A get waits for any core of its line that has not ended: OR. So the cause of a
 * deadlock is a cycle of AND edges where there is one; otherwise a knot, a set of cores each
 * of which waits only for cores of the set.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

#include <string.h>

static uint64_t bit(const struct emul_core *core)
{
    return UINT64_C(1) << core->self.cpe.id;
}

static uint64_t line_of(const struct emul_core *core, uint32_t bus)
{
    uint64_t line = 0;
    for (uint32_t i = 0; i < MW_MESH_SIDE; i++) {
        const struct emul_core *const other = emul_at(core, bus, i);
        if (other != core && (other->state != EMUL_ENDED || other->out_n > 0))
            line |= bit(other);
    }
    return line;
}

static uint64_t receivers(const struct emul_core *core)
{
    const struct emul_message *const m = emul_head(core);
    uint64_t on = 0;
    for (uint32_t i = 0; i < MW_MESH_SIDE; i++) {
        const struct emul_core *const to = emul_at(core, m->bus, i);
        if (to != core && (m->to == MW_TO_ALL || m->to == i) &&
            !emul_has_room(to, m->bus))
            on |= bit(to);
    }
    return on;
}

static uint64_t absent(const struct emul_core *core)
{
    uint64_t on = 0;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        const struct emul_core *const other = core->cluster->core + i;
        if ((core->members >> i & 1) && !(other->parked && other->state == EMUL_SYNC &&
                                          other->members == core->members))
            on |= bit(other);
    }
    return on;
}

struct emul_waits emul_waits(const struct emul_core *core)
{
    if (core->state == EMUL_ENDED && core->out_n > 0) /* its send buffer goes on */
        return (struct emul_waits){receivers(core), false};
    if (!core->parked)
        return (struct emul_waits){0, false};
    switch (core->state) {
    case EMUL_PUT:
        return (struct emul_waits){receivers(core), false};
    case EMUL_SYNC:
        return (struct emul_waits){absent(core), false};
    case EMUL_GET:
        return (struct emul_waits){line_of(core, core->bus), true};
    case EMUL_AWAIT:
        return (struct emul_waits){line_of(core, MW_BUS_ROW) | line_of(core, MW_BUS_COL),
                                   true};
    default:
        return (struct emul_waits){0, false};
    }
}

/* "puts at x.c:12, its oldest to column 3" */
static void describe(const struct emul_core *core, char *text, size_t bytes)
{
    const char *const here = emul_file(core->where);
    switch (core->state) {
    case EMUL_PUT: {
        const struct emul_message *const m = emul_head(core);
        if (m->to == MW_TO_ALL)
            snprintf(text, bytes, "puts at %s, its oldest to all of its %s", here,
                     m->bus == MW_BUS_ROW ? "row" : "column");
        else
            snprintf(text, bytes, "puts at %s, its oldest to %s %u", here,
                     m->bus == MW_BUS_ROW ? "column" : "row", m->to);
        return;
    }
    case EMUL_GET:
        snprintf(text, bytes, "gets from its %s at %s",
                 core->bus == MW_BUS_ROW ? "row" : "column", here);
        return;
    case EMUL_AWAIT:
        snprintf(text, bytes, "awaits a message at %s", here);
        return;
    case EMUL_SYNC:
        snprintf(text, bytes, "is in a sync at %s", here);
        return;
    case EMUL_DMA:
        snprintf(text, bytes, "waits for DMA at %s", here);
        return;
    case EMUL_DMA_FULL:
        snprintf(text, bytes, "waits to issue a DMA at %s", here);
        return;
    case EMUL_ENDED:
        snprintf(text, bytes, "has ended");
        return;
    case EMUL_IDLE:
        snprintf(text, bytes, "has no kernel");
        return;
    case EMUL_READY:
        snprintf(text, bytes, "%s at %s", core->spins ? "spins" : "computes, last seen",
                 here);
        return;
    }
}

/* ---- the cause ---- */

/* The shortest cycle of AND edges through `from`, as a list; 0: none. */
static uint32_t cycle_through(const struct mw_cluster *c, uint32_t from, uint8_t *list)
{
    uint8_t before[MW_MESH_CORES], queue[MW_MESH_CORES];
    uint64_t seen = 0;
    uint32_t head = 0, tail = 0;
    queue[tail++] = (uint8_t)from;
    while (head < tail) {
        const uint8_t at = queue[head++];
        const struct emul_waits w = emul_waits(c->core + at);
        uint64_t next = w.any ? 0 : w.on & ~seen;
        if (next >> from & 1) {
            uint32_t n = 0;
            for (uint8_t k = at; k != from; k = before[k])
                n++;
            list[0] = (uint8_t)from;
            uint32_t i = n;
            for (uint8_t k = at; k != from; k = before[k])
                list[i--] = k;
            return n + 1;
        }
        for (; next != 0; next &= next - 1) {
            const uint8_t k = (uint8_t)__builtin_ctzll(next);
            seen |= UINT64_C(1) << k;
            before[k] = at;
            queue[tail++] = k;
        }
    }
    return 0;
}

static uint64_t closure(const struct mw_cluster *c, uint32_t from)
{
    uint64_t set = UINT64_C(1) << from, done = 0;
    while (set != done) {
        const uint32_t at = (uint32_t)__builtin_ctzll(set & ~done);
        done |= UINT64_C(1) << at;
        set |= emul_waits(c->core + at).on;
    }
    return set;
}

static size_t add_core(const struct emul_core *core, char *text, size_t bytes,
                       size_t used, const char *before)
{
    char what[96];
    describe(core, what, sizeof what);
    if (used >= bytes)
        return used;
    return used + (size_t)snprintf(text + used, bytes - used, "%s(%u,%u) %s", before,
                                   core->self.cpe.id / MW_MESH_SIDE,
                                   core->self.cpe.id % MW_MESH_SIDE, what);
}

void emul_deadlock(struct emul_core *core)
{
    const struct mw_cluster *const c = core->cluster;
    uint8_t list[MW_MESH_CORES], best[MW_MESH_CORES];
    uint32_t n_best = 0;
    uint64_t knot = UINT64_MAX;
    char text[600] = "";
    size_t used = 0;
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        const uint32_t n = cycle_through(c, i, list);
        if (n > 0 && (n_best == 0 || n < n_best)) {
            memcpy(best, list, n);
            n_best = n;
        }
        const uint64_t set = closure(c, i);
        if (c->core[i].parked &&
            (__builtin_popcountll(set) < __builtin_popcountll(knot) ||
             knot == UINT64_MAX))
            knot = set;
    }
    if (n_best == 0)
        for (uint64_t bits = knot; bits != 0; bits &= bits - 1)
            best[n_best++] = (uint8_t)__builtin_ctzll(bits);
    const bool cycle = cycle_through(c, best[0], list) == n_best;
    for (uint32_t i = 0; i < n_best && used < sizeof text; i++)
        used = add_core(c->core + best[i], text, sizeof text, used,
                        i == 0 ? "" : (cycle ? " -> " : ", "));
    emul_mistake(c->core + best[0], MW_EMUL_DEADLOCK, c->core[best[0]].where,
                 "a %s of %u: %s", cycle ? "cycle" : "knot", n_best, text);
}

/* ---- the whole picture ---- */

static void write_messages(const struct emul_core *core, FILE *to)
{
    for (uint32_t bus = 0; bus < 2; bus++)
        if (core->in[bus].n > 0)
            fprintf(to, "; %u in its %s FIFO", core->in[bus].n,
                    bus == MW_BUS_ROW ? "row" : "column");
    if (core->out_n > 0)
        fprintf(to, "; %u to send", core->out_n);
    if (core->dma_n > 0)
        fprintf(to, "; %u DMA under way", core->dma_n);
}

static void write_waits(const struct emul_core *core, FILE *to)
{
    const struct emul_waits w = emul_waits(core);
    if (!core->parked || core->state == EMUL_DMA || core->state == EMUL_DMA_FULL)
        return;
    fprintf(to, "; needs %s", w.any ? "any of" : "all of");
    if (w.on == 0)
        fprintf(to, " nobody");
    for (uint64_t bits = w.on; bits != 0; bits &= bits - 1) {
        const uint32_t i = (uint32_t)__builtin_ctzll(bits);
        fprintf(to, " (%u,%u)", i / MW_MESH_SIDE, i % MW_MESH_SIDE);
    }
}

void mw_emul_write_story(const struct mw_cluster *c, FILE *to)
{
    const struct emul_machine *const m = c->machine;
    char what[96];
    if (m->failed)
        fprintf(to, "%s\n", m->report.text);
    for (uint32_t k = 0; k < MW_EMUL_CLUSTERS_MAX; k++)
        for (uint32_t i = 0; m->cluster[k] != NULL && i < MW_MESH_CORES; i++) {
            const struct emul_core *const core = m->cluster[k]->core + i;
            describe(core, what, sizeof what);
            fprintf(to, "cluster %u core (%u,%u) cycle %llu: %s", k, i / MW_MESH_SIDE,
                    i % MW_MESH_SIDE, (unsigned long long)core->self.now, what);
            write_messages(core, to);
            write_waits(core, to);
            fputc('\n', to);
        }
}

static void write_group(const struct mw_cluster *c, uint64_t members, const char *what,
                        FILE *to)
{
    const int n = __builtin_popcountll(members);
    fprintf(to, "  cluster %u: %2d core%s ", c->number, n, n == 1 ? ": " : "s:");
    for (int i = 0; i < n && i < 4; i++, members &= members - 1) {
        const uint32_t k = (uint32_t)__builtin_ctzll(members);
        fprintf(to, "(%u,%u) ", k / MW_MESH_SIDE, k % MW_MESH_SIDE);
    }
    fprintf(to, "%s%s\n", members != 0 ? "... " : "", what);
}

void mw_emul_write_brief(const struct mw_cluster *c, FILE *to)
{
    char what[MW_MESH_CORES][96];
    for (uint32_t k = 0; k < MW_EMUL_CLUSTERS_MAX; k++) {
        const struct mw_cluster *const one = c->machine->cluster[k];
        uint64_t left = UINT64_MAX;
        for (uint32_t i = 0; one != NULL && i < MW_MESH_CORES; i++)
            describe(one->core + i, what[i], sizeof what[i]);
        while (one != NULL && left != 0) {
            const uint32_t first = (uint32_t)__builtin_ctzll(left);
            uint64_t same = 0;
            for (uint32_t i = first; i < MW_MESH_CORES; i++)
                if (strcmp(what[i], what[first]) == 0)
                    same |= UINT64_C(1) << i;
            write_group(one, same, what[first], to);
            left &= ~same;
        }
    }
}

void mw_emul_write_dot(const struct mw_cluster *c, FILE *to)
{
    char what[96];
    fprintf(to, "digraph waits {\n  node [shape=box];\n");
    for (uint32_t i = 0; i < MW_MESH_CORES; i++) {
        const struct emul_core *const core = c->core + i;
        const struct emul_waits w = emul_waits(core);
        describe(core, what, sizeof what);
        fprintf(to, "  c%u [label=\"%u,%u\\n%s\", pos=\"%u,%u!\"];\n", i,
                i / MW_MESH_SIDE, i % MW_MESH_SIDE, what, 4 * (i % MW_MESH_SIDE),
                MW_MESH_SIDE - i / MW_MESH_SIDE);
        for (uint64_t bits = w.on; bits != 0; bits &= bits - 1)
            fprintf(to, "  c%u -> c%u%s;\n", i, (uint32_t)__builtin_ctzll(bits),
                    w.any ? " [style=dashed]" : "");
    }
    fprintf(to, "}\n");
}
