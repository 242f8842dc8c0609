/* emul_writers.c -- who wrote what by DMA since the launch, or since the last barrier of all
 * cores: two of them must not write one word.
 *
 *      key of 256 bytes of memory, core  -->  mask of the 64 words that it wrote
 *      key of a grain of a watch, core   -->  1
 *
 * One open hash table per cluster. Entries of earlier epochs count as free, so one
 * begins with an empty table without a touch. The table grows between launches, on the
 * management core's stack; what has no place until then is not noted (n_lost).
 *
 * Plain stores are not seen; emul-threads under a race detector sees those.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "cpe/emul_core.h"

enum { BLOCK_BITS = 8, WORD_BYTES = 4 };

static void begin_epoch(struct mw_cluster *c)
{
    c->n_written_most = mw_max(c->n_written_most, c->n_written);
    c->n_written = 0;
    c->epoch++;
}

/* What was written before it and what comes after are in order; but what is watched has one
 * writer in a launch. */
void emul_writers_barrier(struct mw_cluster *c)
{
    if (c->n_watches == 0)
        begin_epoch(c);
}

/* A launch that is as large as the last one shall find room. Its entries are void already. */
void emul_writers_begin(struct mw_cluster *c)
{
    begin_epoch(c);
    const uint64_t wanted = 4 * (c->n_written_most + c->n_written_lost);
    struct emul_written *larger;
    c->n_written_most = c->n_written_lost = 0;
    if (wanted <= 2 * c->n_written_room)
        return;
    larger = mw_alloc("emulated writers", wanted, sizeof *larger);
    if (larger == NULL) {
        mw_error_clear(); /* the check goes on with what it has */
        return;
    }
    mw_free(c->written);
    c->written = larger;
    while (2 * c->n_written_room <= wanted)
        c->n_written_room *= 2;
}

/* Every entry of a key is looked at, and the new bits join this core's own. */
static void note(struct emul_core *core, uint64_t key, uint64_t words, const char *here)
{
    struct mw_cluster *const c = core->cluster;
    const uint8_t id = (uint8_t)core->self.cpe.id;
    const uint64_t mask = c->n_written_room - 1;
    struct emul_written *mine = NULL, *w;
    for (uint64_t i = key * UINT64_C(0x9E3779B97F4A7C15) >> 20;; i++) {
        w = c->written + (i & mask);
        if (w->epoch != c->epoch)
            break;
        if (w->key != key)
            continue;
        if (w->writer == id)
            mine = w;
        else if ((w->words & words) != 0)
            emul_mistake(core, MW_EMUL_TWO_WRITERS, here,
                         "core (%u,%u) has written there in this launch, %s",
                         w->writer / MW_MESH_SIDE, w->writer % MW_MESH_SIDE,
                         emul_file(w->where));
    }
    if (mine != NULL) {
        mine->words |= words;
    } else if (2 * (c->n_written + 1) > c->n_written_room) {
        c->n_written_lost++;
    } else {
        *w = (struct emul_written){key, words, c->epoch, here, id};
        c->n_written++;
    }
}

static void note_words(struct emul_core *core, uintptr_t first, uintptr_t last,
                       const char *here)
{
    for (uintptr_t at = first, end; at < last; at = end) {
        const uintptr_t block = at >> BLOCK_BITS << BLOCK_BITS;
        end = mw_min(last, block + (1u << BLOCK_BITS));
        const uint64_t from = (at - block) / WORD_BYTES, n = (end - at) / WORD_BYTES;
        note(core, block, (n == 64 ? ~UINT64_C(0) : (UINT64_C(1) << n) - 1) << from,
             here);
    }
}

static void note_grains(struct emul_core *core, uintptr_t from, uintptr_t to,
                        const char *here)
{
    for (uint32_t i = 0; i < core->cluster->n_watches; i++) {
        const struct emul_watch *const w = core->cluster->watch + i;
        const uintptr_t memory = (uintptr_t)w->memory;
        const uintptr_t first = mw_max(from, memory);
        const uintptr_t last = mw_min(to, memory + w->bytes);
        if (first >= last)
            continue;
        const uint64_t end = (last - 1 - memory) / w->grain;
        for (uint64_t g = (first - memory) / w->grain; g <= end; g++)
            note(core, g << BLOCK_BITS | (i + 1), 1, here);
    }
}

void emul_writers_note(struct emul_core *core, const void *memory, uint64_t bytes,
                       const char *here)
{
    const uintptr_t first = (uintptr_t)memory, last = first + bytes;
    if (emul_params(core)->single_writer)
        note_words(core, first, last, here);
    note_grains(core, first, last, here);
}

int mw_emul_watch(struct mw_cluster *c, const void *memory, uint64_t bytes,
                  uint64_t grain)
{
    if (c->n_watches == EMUL_WATCHES_MAX || grain == 0)
        return mw_fail(MW_ERR_USAGE, "emulation: at most %d watches, of a grain",
                       EMUL_WATCHES_MAX);
    c->watch[c->n_watches++] = (struct emul_watch){memory, bytes, grain};
    return MW_OK;
}
