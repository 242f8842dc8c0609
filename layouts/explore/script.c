/* script.c -- see script.h. Messages here have no content, so a state is four
 * numbers per core: how far its program is, how many messages have left its send buffer, and
 * what its two FIFOs hold. What stands in a send buffer follows from the program.
 *
 * A core with its program and numbers is a seat. A step adds 1 to some numbers of one or two
 * seats, and takes 1 from at most one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "layouts/explore/script.h"

#include "base/mem.h"
#include "layouts/explore/search.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

const char *const mw_hang_words[] = {"none", "circular-put", "ordered-get",
                                     "missing-eos"};

enum { AT, SENT, FILL, N_NUMBERS = FILL + MW_N_CLASSES }; /* FILL + class */
enum {
    LIMIT = 4000000,
    STEPS_PER_SEAT = 3, /* send, and a get of either class */
    ROOM = 64           /* successors that are added together; at least STEPS_PER_SEAT */
};

struct number { /* where it stands in a state */
    uint32_t word;
    uint8_t shift, bits;
};

struct seat {
    mw_core core;
    uint32_t n; /* instructions */
    const struct mw_instruction *instruction;
    uint32_t *puts_before; /* [n + 1] puts among the first i instructions */
    uint32_t *put_at;      /* [puts] which instruction it is */
    struct number number[N_NUMBERS];
};

struct stage {
    const struct mw_script *script;
    uint32_t n_seats, n_words;
    struct seat *seat; /* owned */
    uint32_t *seat_of; /* owned; [cores] number + 1; 0: none */
    uint32_t *puts;    /* owned; what the seats' two lists were cut from */
    uint64_t *next;    /* owned; [ROOM] successors of one state */
    uint32_t parent[ROOM], n_next;
    const uint64_t *state; /* the one at hand */
};

/* ---- numbers of a state ------------------------------------------------------------------ */

static uint32_t value(const struct stage *g, uint32_t seat, int which)
{
    const struct number *n = &g->seat[seat].number[which];
    return (uint32_t)(g->state[n->word] >> n->shift & ((UINT64_C(1) << n->bits) - 1));
}

static uint64_t *next_state(struct stage *g)
{
    uint64_t *next = g->next + (size_t)g->n_next++ * g->n_words;
    memcpy(next, g->state, g->n_words * sizeof *next);
    return next;
}

static void add_to_number(const struct stage *g, uint64_t *state, uint32_t seat,
                          int which, int sign)
{
    const struct number *n = &g->seat[seat].number[which];
    const uint64_t one = UINT64_C(1) << n->shift;
    state[n->word] += sign > 0 ? one : 0 - one;
}

static void lay_out_number(struct stage *g, struct number *n, uint64_t most,
                           uint32_t *used)
{
    n->bits = (uint8_t)mw_bits_for(most + 1);
    if (*used + n->bits > 64) {
        g->n_words++;
        *used = 0;
    }
    n->word = g->n_words - 1;
    n->shift = (uint8_t)(*used & 63);
    *used += n->bits;
}

/* ---- instructions ------------------------------------------------------------------------- */

static bool is_put(const struct mw_instruction *i)
{
    return i->kind == MW_PUT_ROW || i->kind == MW_PUT_COLUMN;
}

static int put_class(const struct mw_instruction *i)
{
    return i->kind == MW_PUT_ROW ? MW_ROW : MW_COLUMN;
}

static bool takes(const struct mw_instruction *i, int class)
{
    return i->kind == MW_GET_ANY ||
           i->kind == (class == MW_ROW ? MW_GET_ROW : MW_GET_COLUMN);
}

/* The instruction a seat stands at; NULL: its program is finished. */
static const struct mw_instruction *standing_at(const struct stage *g, uint32_t seat)
{
    const uint32_t at = value(g, seat, AT);
    return at < g->seat[seat].n ? &g->seat[seat].instruction[at] : NULL;
}

/* Messages that have left the program, and of them those that still are in the send buffer. */
static uint32_t n_put(const struct stage *g, uint32_t seat)
{
    return g->seat[seat].puts_before[value(g, seat, AT)];
}

static uint32_t buffered(const struct stage *g, uint32_t seat)
{
    return g->script->send > 0 ? n_put(g, seat) - value(g, seat, SENT) : 0;
}

/* The put whose message leaves the seat next: with a send buffer its head, else the one it
 * stands at; NULL: none. */
static const struct mw_instruction *leaving(const struct stage *g, uint32_t seat)
{
    const struct seat *s = &g->seat[seat];
    const struct mw_instruction *at = standing_at(g, seat);
    if (g->script->send == 0)
        return at != NULL && is_put(at) ? at : NULL;
    return buffered(g, seat) > 0 ? &s->instruction[s->put_at[value(g, seat, SENT)]]
                                 : NULL;
}

static bool can_arrive(const struct stage *g, const struct mw_instruction *put)
{
    const uint32_t to = g->seat_of[put->to] - 1;
    const struct mw_instruction *at = standing_at(g, to);
    if (g->script->capacity == 0)
        return at != NULL && takes(at, put_class(put));
    return value(g, to, FILL + put_class(put)) < g->script->capacity;
}

/* ---- steps ---------------------------------------------------------------------------------- */

/* A message leaves the seat and arrives; at capacity 0 it is taken in the same step. */
static void step_leave(struct stage *g, uint32_t seat)
{
    const struct mw_instruction *put = leaving(g, seat);
    if (put == NULL || !can_arrive(g, put))
        return;
    const uint32_t to = g->seat_of[put->to] - 1;
    uint64_t *next = next_state(g);
    add_to_number(g, next, seat, g->script->send > 0 ? SENT : AT, 1);
    add_to_number(g, next, to, g->script->capacity > 0 ? FILL + put_class(put) : AT, 1);
}

static void step_program(struct stage *g, uint32_t seat)
{
    const struct mw_instruction *at = standing_at(g, seat);
    if (at == NULL)
        return;
    if (is_put(at)) {
        if (g->script->send > 0 && buffered(g, seat) < g->script->send)
            add_to_number(g, next_state(g), seat, AT, 1);
        return;
    }
    for (int class = MW_ROW; class < MW_N_CLASSES; class ++)
        if (g->script->capacity > 0 && takes(at, class) &&
            value(g, seat, FILL + class) > 0) {
            uint64_t *next = next_state(g);
            add_to_number(g, next, seat, FILL + class, -1);
            add_to_number(g, next, seat, AT, 1);
        }
}

static bool all_finished(const struct stage *g)
{
    for (uint32_t i = 0; i < g->n_seats; i++)
        if (standing_at(g, i) != NULL)
            return false;
    return true;
}

/* ---- what kind of hang it is ------------------------------------------------------------------ */

/* The seat whose FIFO keeps this one in a put; -1: it does not stand in a put. */
static int64_t put_waits_for(const struct stage *g, uint32_t seat)
{
    const struct mw_instruction *at = standing_at(g, seat);
    if (at == NULL || !is_put(at))
        return -1;
    return (int64_t)g->seat_of[leaving(g, seat)->to] - 1;
}

static bool in_put_cycle(const struct stage *g, uint32_t seat)
{
    int64_t at = put_waits_for(g, seat);
    for (uint32_t n = 0; n < g->n_seats && at >= 0 && at != (int64_t)seat; n++)
        at = put_waits_for(g, (uint32_t)at);
    return at == (int64_t)seat;
}

/* A message for the seat's FIFO of that class is there, or (rendezvous) stands before it. */
static bool has_input(const struct stage *g, uint32_t seat, int class)
{
    if (value(g, seat, FILL + class) > 0)
        return true;
    for (uint32_t i = 0; i < g->n_seats; i++) {
        const struct mw_instruction *put = leaving(g, i);
        if (put != NULL && put->to == g->seat[seat].core && put_class(put) == class)
            return true;
    }
    return false;
}

/* It waits for one class while the other has something. */
static bool waits_for_wrong_class(const struct stage *g, uint32_t seat)
{
    const struct mw_instruction *at = standing_at(g, seat);
    for (int class = MW_ROW; class < MW_N_CLASSES; class ++)
        if (at != NULL && !is_put(at) && !takes(at, class) && has_input(g, seat, class))
            return true;
    return false;
}

/* No program has a put left that could ever serve the get it stands at. */
static bool waits_for_nobody(const struct stage *g, uint32_t seat)
{
    const struct mw_instruction *at = standing_at(g, seat);
    if (at == NULL || is_put(at))
        return false;
    for (uint32_t i = 0; i < g->n_seats; i++) {
        const struct seat *s = &g->seat[i];
        for (uint32_t k = n_put(g, i) - buffered(g, i); k < s->puts_before[s->n]; k++) {
            const struct mw_instruction *to_come = &s->instruction[s->put_at[k]];
            if (to_come->to == g->seat[seat].core && takes(at, put_class(to_come)))
                return false;
        }
    }
    return true;
}

static enum mw_hang hang_of(const struct stage *g)
{
    for (uint32_t i = 0; i < g->n_seats; i++)
        if (in_put_cycle(g, i))
            return MW_HANG_CIRCULAR_PUT;
    for (uint32_t i = 0; i < g->n_seats; i++)
        if (waits_for_wrong_class(g, i))
            return MW_HANG_ORDERED_GET;
    for (uint32_t i = 0; i < g->n_seats; i++)
        if (waits_for_nobody(g, i))
            return MW_HANG_MISSING_EOS;
    return MW_HANG_ORDERED_GET; /* gets that wait in a ring */
}

struct teller {
    char *at, *end;
};

static void append_text(struct teller *t, const char *fmt, ...) MW_PRINTF(2, 3);
static void append_text(struct teller *t, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    const int n = vsnprintf(t->at, (size_t)(t->end - t->at), fmt, args);
    va_end(args);
    if (n > 0)
        t->at += mw_min((uint64_t)n, (uint64_t)(t->end - t->at - 1));
}

static void tell_story(const struct stage *g, char *story, size_t bytes)
{
    static const char *const words[] = {"putR", "putC", "getR", "getC", "getany"};
    struct teller t = {story, story + bytes};
    for (uint32_t i = 0; i < g->n_seats; i++) {
        const struct mw_instruction *at = standing_at(g, i);
        char name[MW_NODE_NAME];
        if (at == NULL)
            continue;
        append_text(&t, "%s%s stands at %s", t.at == story ? "" : "; ",
                    mw_core_name(g->script->mesh, g->seat[i].core, name),
                    words[at->kind]);
        if (is_put(at))
            append_text(&t, " %s", mw_core_name(g->script->mesh, at->to, name));
        append_text(&t, " (%u of %u)", value(g, i, AT) + 1, g->seat[i].n);
    }
}

/* ---- setting the stage --------------------------------------------------------------------------- */

static int check_program(const struct stage *g, const struct mw_program *p)
{
    const struct mw_layout *mesh = g->script->mesh;
    char from[MW_NODE_NAME], to[MW_NODE_NAME];
    if (p->core >= mw_mesh_cores(mesh) || g->seat_of[p->core] != 0)
        return mw_fail(MW_ERR_DATA, "core %u is outside the mesh or has two programs",
                       p->core);
    for (uint32_t i = 0; i < p->n_instructions; i++) {
        const struct mw_instruction *at = &p->instruction[i];
        if (at->kind > MW_GET_ANY)
            return mw_fail(MW_ERR_DATA, "instruction %u is of no kind", i + 1);
        if (is_put(at) &&
            (at->to >= mw_mesh_cores(mesh) || !mw_hop_legal(mesh, p->core, at->to) ||
             (int)mw_hop_class(mesh, p->core, at->to) != put_class(at)))
            return mw_fail(MW_ERR_DATA, "instruction %u of %s: no put in a %s to %s",
                           i + 1, mw_core_name(mesh, p->core, from),
                           put_class(at) == MW_ROW ? "row" : "column",
                           mw_core_name(mesh, at->to, to));
    }
    return MW_OK;
}

static void add_seat(struct stage *g, mw_core core, const struct mw_program *p)
{
    struct seat *s = &g->seat[g->n_seats++];
    s->core = core;
    s->n = p == NULL ? 0 : p->n_instructions;
    s->instruction = p == NULL ? NULL : p->instruction;
    g->seat_of[core] = g->n_seats;
}

/* A seat for each program, then for each other core that something is put to. */
static int take_seats(struct stage *g)
{
    const struct mw_script *script = g->script;
    const uint32_t n_cores = mw_mesh_cores(script->mesh);
    MW_NEED_NEW(g->seat, "script", n_cores);
    MW_NEED_NEW(g->seat_of, "script", n_cores);
    for (uint32_t i = 0; i < script->n_programs; i++) {
        MW_NEED(check_program(g, &script->program[i]));
        add_seat(g, script->program[i].core, &script->program[i]);
    }
    for (uint32_t i = 0; i < script->n_programs; i++)
        for (uint32_t k = 0; k < script->program[i].n_instructions; k++) {
            const struct mw_instruction *at = &script->program[i].instruction[k];
            if (is_put(at) && g->seat_of[at->to] == 0)
                add_seat(g, at->to, NULL);
        }
    return MW_OK;
}

static void count_puts(struct seat *s)
{
    for (uint32_t i = 0; i < s->n; i++) {
        const uint32_t n = s->puts_before[i];
        s->puts_before[i + 1] = n + is_put(&s->instruction[i]);
        if (is_put(&s->instruction[i]))
            s->put_at[n] = i;
    }
}

static int set_stage(struct stage *g)
{
    uint64_t n = 0;
    uint32_t used = 0, *at;
    MW_NEED(take_seats(g));
    for (uint32_t i = 0; i < g->n_seats; i++)
        n += 2 * (uint64_t)g->seat[i].n + 1;
    MW_NEED_NEW(g->puts, "script", n);
    at = g->puts;
    g->n_words = 1;
    for (uint32_t i = 0; i < g->n_seats; i++) {
        struct seat *s = &g->seat[i];
        s->puts_before = at;
        s->put_at = at + s->n + 1;
        at += 2 * (size_t)s->n + 1;
        count_puts(s);
        lay_out_number(g, &s->number[AT], s->n, &used);
        lay_out_number(g, &s->number[SENT],
                       g->script->send > 0 ? s->puts_before[s->n] : 0, &used);
        for (int class = MW_ROW; class < MW_N_CLASSES; class ++)
            lay_out_number(g, &s->number[FILL + class], g->script->capacity, &used);
    }
    MW_NEED_NEW(g->next, "script", (uint64_t)ROOM * g->n_words);
    return MW_OK;
}

static void stage_fini(struct stage *g)
{
    MW_FREE_ALL(g->seat, g->seat_of, g->puts, g->next);
}

/* ---- all interleavings ------------------------------------------------------------------------------ */

static int add_successors(struct stage *g, struct mw_net_search *s)
{
    const int rc = mw_net_search_add(s, g->n_next, g->next, g->parent);
    g->n_next = 0;
    return rc;
}

/* Adds the successors of state i; none: *stuck. */
static int expand(struct stage *g, struct mw_net_search *s, uint64_t i, bool *stuck)
{
    int rc = MW_OK;
    *stuck = true;
    g->state = mw_net_search_state(s, i);
    for (uint32_t k = 0; k < ROOM; k++)
        g->parent[k] = (uint32_t)i;
    for (uint32_t seat = 0; seat < g->n_seats && rc == MW_OK; seat++) {
        step_leave(g, seat);
        step_program(g, seat);
        *stuck &= g->n_next == 0;
        if (g->n_next + STEPS_PER_SEAT > ROOM)
            rc = add_successors(g, s);
    }
    return rc == MW_OK ? add_successors(g, s) : rc;
}

static int run(struct stage *g, struct mw_net_search *s, struct mw_script_result *out)
{
    int rc = MW_OK;
    for (uint64_t open = 0; open < s->n && rc == MW_OK; open++) {
        bool stuck;
        rc = expand(g, s, open, &stuck);
        if (stuck && !all_finished(g)) {
            out->deadlock = true;
            out->hang = hang_of(g);
            out->n_steps = mw_net_search_depth(s, open) - 1;
            tell_story(g, out->story, sizeof out->story);
            break;
        }
    }
    out->bounded = rc == MW_DONE;
    out->n_states = s->n;
    return rc == MW_DONE ? MW_OK : rc;
}

int mw_script_explore(const struct mw_script *s, uint64_t limit, uint64_t limit_bytes,
                      struct mw_script_result *out)
{
    int rc;
    struct stage g = {.script = s};
    struct mw_net_search search = {0};
    const uint32_t self = 0;
    *out = (struct mw_script_result){.hang = MW_HANG_NONE};
    MW_TRY(rc, set_stage(&g));
    MW_TRY(rc, mw_net_search_init(&search, g.n_words, limit != 0 ? limit : LIMIT,
                                  limit_bytes));
    /* Nothing has been done: all numbers are 0, and so is what `next` was born with. */
    if (g.n_seats > 0) {
        MW_TRY(rc, mw_net_search_add(&search, 1, g.next, &self));
        MW_TRY(rc, run(&g, &search, out));
    }
end:
    mw_net_search_fini(&search);
    stage_fini(&g);
    return rc;
}
