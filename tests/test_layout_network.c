/* test_layout_network.c -- imported routes: readers, the graph of waits, play, advice; against a naive
 * check of channel dependencies and a naive player.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "base/mem.h"
#include "layouts/routes/play.h"
#include "layouts/routes/rma.h"
#include "layouts/routes/waits.h"
#include "network_naive.h"

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static struct mw_network net;
static struct mw_trails trails;
static struct mw_waits waits;
static struct mw_diagnostics said;
static uint64_t state;

static uint32_t draw(uint32_t below)
{
    state = state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)((state >> 33) % below);
}

static void clear(void)
{
    mw_waits_fini(&waits);
    mw_trails_fini(&trails);
    mw_network_fini(&net);
    said = (struct mw_diagnostics){0};
    ck_assert_uint_eq(mw_mem_in_use(), 0);
}

typedef int reader(const char *text, size_t bytes, struct mw_network *out,
                   struct mw_diagnostics *d);

static void read_good(reader *read, const char *text)
{
    ck_good(read(text, strlen(text), &net, &said));
    ck_assert_msg(said.n_errors == 0, "line %u: %s", said.kept[0].line,
                  said.kept[0].text);
    mw_network_settle(&net);
}

static void prove(enum mw_network_model model)
{
    mw_waits_fini(&waits);
    mw_trails_fini(&trails);
    ck_good(mw_trails_make(&net, model, &trails));
    ck_good(mw_waits_make(&trails, &waits));
    waits.model = model;
}

/* A file of share/networks, owned by the caller. */
static char *text_of(const char *name)
{
    char path[128];
    snprintf(path, sizeof path, "../share/networks/%s", name);
    FILE *f = fopen(path, "rb");
    ck_assert_msg(f != NULL, "%s", path);
    char *text = calloc(1, 1 << 16);
    ck_assert_uint_gt(fread(text, 1, (1 << 16) - 1, f), 0);
    fclose(f);
    return text;
}

static void read_file(reader *read, const char *name)
{
    char *text = text_of(name);
    read_good(read, text);
    free(text);
}

/* ---- the known gap of the AI Engine's router --------------------------------------------- */

START_TEST(cores_close_the_circle_that_arbiters_begin)
{
    bool passed, shallow;
    struct mw_play p;
    struct mw_change change[2];
    read_file(mw_network_read_aie, "pipeline.mlir");
    ck_assert_uint_eq(net.n_passages, 3);
    prove(MW_BY_LINK);
    ck_assert(waits.free);
    prove(MW_BY_ENDS);
    ck_assert(!waits.free);
    ck_assert_uint_eq(waits.n_cycle, 5);
    uint32_t n_arbiters = 0, n_cores = 0;
    for (uint32_t i = 0; i < 5; i++) {
        n_arbiters += mw_place_is_held(&trails, waits.place[i]);
        n_cores += waits.place[i] >= net.places.n;
    }
    ck_assert_uint_eq(n_arbiters, 1);
    ck_assert_uint_eq(n_cores, 2);
    ck_good(mw_waits_realise(&trails, &waits, 0, &p, &passed, &shallow));
    ck_assert_int_eq(p.verdict, MW_EXPLORED_DEADLOCK);
    ck_assert(!passed && !shallow);
    ck_assert_uint_eq(p.n_steps, 15);
    ck_assert_uint_eq(p.in_flight, 5);
    mw_play_fini(&p);
    ck_good(mw_waits_changes(&net, &waits, change));
    ck_assert_int_eq(change[0].kind, MW_CHANGE_OWN_PLACE);
    ck_assert_str_eq(net.places.name[change[0].place], "arbiter 5 of (0,1)");
    ck_assert_uint_eq(net.place[change[0].place].spare, 0);
    clear();
    read_file(mw_network_read_aie, "pipeline-mended.mlir");
    prove(MW_BY_ENDS);
    ck_assert(waits.free);
    clear();
}
END_TEST

START_TEST(two_packets_that_hold_an_arbiter_each_are_enough)
{
    struct mw_play p;
    const struct mw_play_conf all = {.limit = 100000};
    read_good(mw_network_read_csv,
              "source,destination,hops,channel,depth\n"
              "a,d,b c,ab x! y! bc cd,9\nd,a,c b,dc y! x! cb ba,9\n");
    prove(MW_BY_LINK);
    ck_assert_uint_eq(waits.n_cycle, 2);
    ck_good(mw_network_play(&trails, &all, &p));
    ck_assert_int_eq(p.verdict, MW_EXPLORED_DEADLOCK);
    ck_assert_uint_eq(p.in_flight, 2);
    ck_assert_uint_eq(p.n_steps, 4);
    mw_play_fini(&p);
    clear();
}
END_TEST

/* The same with room for whole packets between the arbiters: now four packets are needed, and
 * the circle runs through the stores. */
START_TEST(a_store_between_lets_an_arbiter_go)
{
    struct mw_play p;
    const struct mw_play_conf all = {.limit = 100000};
    read_good(mw_network_read_csv,
              "source,destination,hops,channel,depth\n"
              "a,d,b c,ab x! bc y! cd,1\nd,a,c b,dc y! cb x! ba,1\n");
    prove(MW_BY_LINK);
    ck_assert_uint_eq(waits.n_cycle, 4);
    ck_good(mw_network_play(&trails, &all, &p));
    ck_assert_int_eq(p.verdict, MW_EXPLORED_DEADLOCK);
    ck_assert_uint_eq(p.in_flight, 4);
    mw_play_fini(&p);
    clear();
}
END_TEST

/* ---- against naive checks ---------------------------------------------------------------- */

enum turn_rule {
    XY,
    WEST_FIRST,
    NORTH_LAST,
    NEGATIVE_FIRST,
    ODD_EVEN,
    ANY_TURN,
    N_RULES
};

/* May a packet at (r,c) that came by direction `in` leave by `out`? N E S W: 0..3; in 4: it
 * starts. Rows grow to the south. */
static bool allowed(enum turn_rule rule, int in, int out, int column)
{
    const bool west = out == 3, vertical_in = in == 0 || in == 2;
    if (in == 4 || in == out)
        return true;
    switch (rule) {
    case XY:
        return !vertical_in;
    case WEST_FIRST:
        return !west;
    case NORTH_LAST:
        return in != 0;
    case NEGATIVE_FIRST: /* negative: west and north */
        return !((in == 1 || in == 2) && (out == 3 || out == 0));
    case ODD_EVEN: /* Chiu: no east-north, east-south turn in an even column, no north-west,
                    * south-west turn in an odd one */
        return column % 2 == 0 ? !(in == 1 && (out == 0 || out == 2))
                               : !(vertical_in && west);
    default:
        return true;
    }
}

static bool find_way(enum turn_rule rule, int side, int r, int c, int in, int to,
                     int *node, int n)
{
    static const int dr[] = {-1, 0, 1, 0}, dc[] = {0, 1, 0, -1};
    node[n++] = r * side + c;
    node[n] = -1;
    if (r * side + c == to)
        return true;
    const int first = (int)draw(4);
    for (int i = 0; i < 4; i++) {
        const int d = (first + i) % 4, r2 = r + dr[d], c2 = c + dc[d];
        const int before = abs(to / side - r) + abs(to % side - c);
        if (abs(to / side - r2) + abs(to % side - c2) < before &&
            allowed(rule, in, d, c) && find_way(rule, side, r2, c2, d, to, node, n))
            return true;
    }
    return false;
}

/* The dependencies of channels (node, direction), and the length of the shortest cycle by
 * Floyd and Warshall; 0: none. */
static int naive_cycle(int n_nodes, int n_routes, int (*route)[32])
{
    enum { FAR = 1000 };
    static int dist[256][256];
    int best = FAR;
    MUST(4 * n_nodes <= 256);
    for (int i = 0; i < 4 * n_nodes; i++)
        for (int j = 0; j < 4 * n_nodes; j++)
            dist[i][j] = FAR;
    for (int k = 0; k < n_routes; k++)
        for (int i = 0; route[k][i] >= 0 && route[k][i + 1] >= 0 && route[k][i + 2] >= 0;
             i++) {
            int channel[2];
            for (int j = 0; j < 2; j++) {
                const int step = route[k][i + j + 1] - route[k][i + j];
                channel[j] = 4 * route[k][i + j] + (step == 1    ? 1
                                                    : step == -1 ? 3
                                                    : step > 0   ? 2
                                                                 : 0);
            }
            dist[channel[0]][channel[1]] = 1;
        }
    for (int k = 0; k < 4 * n_nodes; k++)
        for (int i = 0; i < 4 * n_nodes; i++)
            for (int j = 0; j < 4 * n_nodes; j++)
                if (dist[i][k] + dist[k][j] < dist[i][j])
                    dist[i][j] = dist[i][k] + dist[k][j];
    for (int i = 0; i < 4 * n_nodes; i++)
        best = dist[i][i] < best ? dist[i][i] : best;
    return best == FAR ? 0 : best;
}

START_TEST(turn_models_as_a_naive_check_of_channel_dependencies)
{
    static int route[200][32];
    int n_free = 0, n_cyclic = 0;
    state = 7 + (uint64_t)_i;
    for (int round = how_many(400, 60, 30); round > 0; round--) {
        char text[32768] = "source,destination,hops\n";
        const int side = 2 + (int)draw(4), n_wanted = 4 + (int)draw(160);
        int n = 0;
        for (int tries = 0; n < n_wanted && tries < 1000; tries++) {
            const int from = (int)draw((uint32_t)(side * side)),
                      to = (int)draw((uint32_t)(side * side));
            if (from == to || !find_way((enum turn_rule)_i, side, from / side,
                                        from % side, 4, to, route[n], 0))
                continue;
            char *at = text + strlen(text);
            at += sprintf(at, "n%d,n%d,", from, to);
            for (int i = 1; route[n][i] != to; i++)
                at += sprintf(at, "n%d ", route[n][i]);
            sprintf(at, "\n");
            n++;
        }
        read_good(mw_network_read_csv, text);
        prove(MW_BY_LINK);
        const int naive = naive_cycle(side * side, n, route);
        ck_assert_msg(waits.free == (naive == 0) && (int)waits.n_cycle == naive,
                      "cycle of %u, naive %d:\n%s", waits.n_cycle, naive, text);
        n_free += waits.free;
        n_cyclic += !waits.free;
        clear();
    }
    ck_assert(_i == ANY_TURN ? n_cyclic > 0 : n_cyclic == 0);
    ck_assert_int_gt(n_free, 0);
}
END_TEST

/* A small network of anything: held places, threads, shared channels. */
static void random_network(void)
{
    char text[4096] = "source,destination,hops,channel,depth\n";
    const uint32_t n_nodes = 3 + draw(2), n_routes = 2 + draw(3), deep = 1 + draw(2);
    for (uint32_t i = 0; i < n_routes; i++) {
        uint32_t node[4], n = 2 + draw(2);
        node[0] = draw(n_nodes);
        for (uint32_t j = 1; j < n; j++)
            node[j] = (node[j - 1] + 1 + draw(n_nodes - 1)) % n_nodes;
        char *at = text + strlen(text);
        at += sprintf(at, "%u,%u,", node[0], node[n - 1]);
        for (uint32_t j = 1; j + 1 < n; j++)
            at += sprintf(at, "%u ", node[j]);
        at += sprintf(at, ",");
        for (uint32_t j = 0; j + 1 < n; j++) {
            for (uint32_t k = draw(3); k > 0; k--)
                at += sprintf(at, "h%u! ", draw(4));
            at += sprintf(at, "%u-%u ", node[j], node[j + 1]);
        }
        sprintf(at, ",%u\n", deep);
    }
    read_good(mw_network_read_csv, text);
}

/* Plays the steps on the naive crowd; each must be legal, and the end dead. Of no private held
 * places: then the player takes each place. */
static void must_play(const struct mw_play *p)
{
    struct crowd c = {0};
    for (uint32_t k = 0; k < p->n_steps; k++) {
        const struct mw_play_step s = p->step[k];
        const bool turns = s.was != MW_NO_PLACE;
        const uint32_t head = turns ? trails.trail[s.was].n - 1 : s.at - 1;
        uint32_t i = 0;
        MUST(!naive_dead(&trails, &c));
        if (s.at == 0 && !turns) {
            MUST(naive_enter(&trails, &c, s.trail));
            continue;
        }
        while (i < c.n && (c.packet[i].trail != (turns ? s.was : s.trail) ||
                           c.packet[i].head != head || !naive_is_front(&trails, &c, i)))
            i++;
        MUST(i < c.n);
        MUST(naive_go(&trails, &c, i, s.trail));
    }
    MUST(naive_dead(&trails, &c));
    ck_assert_uint_eq(c.n, p->in_flight);
}

/* Is a held place in the trails once only? Then the player passes over it. */
static bool any_private(void)
{
    for (uint32_t place = 0; place < net.places.n; place++) {
        uint32_t n = 0;
        for (uint32_t i = 0; i < trails.n; i++)
            for (uint32_t j = 0; j < trails.trail[i].n; j++)
                n += trails.at[trails.trail[i].first + j] == place;
        if (n == 1 && net.place[place].held)
            return true;
    }
    return false;
}

/* _i: the model. */
START_TEST(proof_and_play_agree_with_the_naive_player)
{
    const struct mw_play_conf all = {.limit = 200000};
    int n_dead = 0, n_free = 0;
    state = 99 + (uint64_t)_i;
    for (int round = how_many(3000, 700, 200); round > 0; round--) {
        struct mw_play p;
        uint32_t steps = 0;
        random_network();
        prove((enum mw_network_model)_i);
        ck_good(mw_network_play(&trails, &all, &p));
        const enum naive_verdict naive = naive_explore(&trails, &steps);
        if (naive != NAIVE_OPEN && p.verdict != MW_EXPLORED_BOUNDED)
            ck_assert_int_eq(naive == NAIVE_DEADLOCK, p.verdict == MW_EXPLORED_DEADLOCK);
        if (waits.free) {
            ck_assert_int_ne(p.verdict, MW_EXPLORED_DEADLOCK);
            ck_assert_int_ne(naive, NAIVE_DEADLOCK);
        }
        bool held = false;
        for (uint32_t i = 0; i < net.places.n; i++)
            held = held || net.place[i].held;
        if (!held && !waits.free) /* stores can always be filled */
            ck_assert_int_ne(p.verdict, MW_EXPLORED_FREE);
        if (p.verdict == MW_EXPLORED_DEADLOCK)
            ck_assert_uint_le(mw_waits_in_flight(&trails, &waits), p.in_flight);
        if (p.verdict == MW_EXPLORED_DEADLOCK && !any_private()) {
            must_play(&p);
            if (naive == NAIVE_DEADLOCK)
                ck_assert_uint_eq(p.n_steps, steps);
        }
        n_dead += p.verdict == MW_EXPLORED_DEADLOCK;
        n_free += p.verdict == MW_EXPLORED_FREE && waits.free;
        mw_play_fini(&p);
        clear();
    }
    ck_assert_int_gt(n_dead, 0);
    ck_assert(_i == MW_BY_COUPLED || n_free > 0); /* few are free there */
}
END_TEST

/* Nodes with two inputs whose routes meet before. */
static uint32_t naive_joins(void)
{
    uint32_t n = 0;
    for (uint32_t v = 0; v < net.nodes.n; v++) {
        bool joins = false;
        for (uint32_t i = 0; i < net.n_passages; i++)
            for (uint32_t j = 0; j < net.n_passages; j++) {
                const struct mw_passage *a = &net.passage[i], *b = &net.passage[j];
                if (a->sink != v || b->sink != v ||
                    net.step[a->first + a->n - 1] == net.step[b->first + b->n - 1])
                    continue;
                for (uint32_t k = 0; k + 1 < a->n; k++)
                    for (uint32_t m = 0; m + 1 < b->n; m++)
                        joins = joins || net.step[a->first + k] == net.step[b->first + m];
            }
        n += joins;
    }
    return n;
}

START_TEST(joins_are_counted_as_a_naive_check_counts_them)
{
    uint32_t most = 0;
    state = 21;
    for (int round = how_many(2000, 500, 100); round > 0; round--) {
        struct mw_joins joins;
        random_network();
        ck_good(mw_network_joins(&net, &joins));
        ck_assert_uint_eq(joins.n_nodes, naive_joins());
        most = joins.n_nodes > most ? joins.n_nodes : most;
        clear();
    }
    ck_assert_uint_gt(most, 0);
}
END_TEST

/* What is advised is proved once more here, by the naive player. */
START_TEST(changes_help)
{
    int n_own = 0, n_drop = 0;
    state = 5;
    for (int round = how_many(500, 150, 60); round > 0; round--) {
        struct mw_change change[2];
        random_network();
        prove(MW_BY_LINK);
        if (!waits.free) {
            ck_good(mw_waits_changes(&net, &waits, change));
            if (change[1].kind == MW_CHANGE_DROP) {
                net.passage[change[1].passage] = net.passage[--net.n_passages];
                uint32_t steps;
                struct mw_trails t;
                ck_good(mw_trails_make(&net, MW_BY_LINK, &t));
                ck_assert_int_ne(naive_explore(&t, &steps), NAIVE_DEADLOCK);
                mw_trails_fini(&t);
                n_drop++;
            }
            n_own += change[0].kind == MW_CHANGE_OWN_PLACE;
        }
        clear();
    }
    ck_assert_int_gt(n_own, 0);
    ck_assert_int_gt(n_drop, 0);
}
END_TEST

/* ---- remote puts ------------------------------------------------------------------------- */

enum { SIDE = 3 };

/* Whoever gets a broadcast of `a` in its last leg. */
static void naive_broadcast(const struct mw_broadcast *b, uint32_t leg, uint32_t a,
                            uint32_t at, uint32_t dist[SIDE * SIDE][SIDE * SIDE])
{
    for (uint32_t v = 0; v < SIDE * SIDE; v++) {
        const bool line = b->leg[leg % MW_LEGS_MAX] == MW_ROW ? v / SIDE == at / SIDE
                                                              : v % SIDE == at % SIDE;
        if (!line || v == at)
            continue;
        if (leg + 1 < b->n_legs)
            naive_broadcast(b, leg + 1, a, v, dist);
        else
            dist[a][v] = a == v ? 99 : 1;
    }
}

/* The length of the shortest cycle of "puts to", 0: none. */
static uint32_t naive_puts(const struct mw_layout *l)
{
    uint32_t dist[SIDE * SIDE][SIDE * SIDE], best = 99;
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        for (uint32_t j = 0; j < SIDE * SIDE; j++)
            dist[i][j] = 99;
    for (uint64_t f = 0; f < l->n_listed; f++) {
        const mw_core a = l->listed_core[l->listed_first[f]],
                      b = l->listed_core[l->listed_first[f + 1] - 1];
        dist[a][b] = a == b ? 99 : 1;
    }
    for (uint32_t i = 0; i < l->n_broadcasts; i++)
        naive_broadcast(&l->broadcast[i], 0, l->broadcast[i].core, l->broadcast[i].core,
                        dist);
    for (uint32_t a = 0; l->adaptive.model != 0 && a < SIDE * SIDE; a++)
        for (uint32_t b = 0; b < SIDE * SIDE; b++)
            if (a != b && strchr("SB", l->role[a]) != NULL &&
                strchr("DB", l->role[b]) != NULL)
                dist[a][b] = 1;
    for (uint32_t k = 0; k < SIDE * SIDE; k++)
        for (uint32_t i = 0; i < SIDE * SIDE; i++)
            for (uint32_t j = 0; j < SIDE * SIDE; j++)
                if (dist[i][k] + dist[k][j] < dist[i][j])
                    dist[i][j] = dist[i][k] + dist[k][j];
    for (uint32_t i = 0; i < SIDE * SIDE; i++)
        best = dist[i][i] < best ? dist[i][i] : best;
    return best == 99 ? 0 : best;
}

static struct mw_layout *random_puts(void)
{
    struct mw_layout *l;
    MUST(mw_layout_new(SIDE, SIDE, &l) == MW_OK);
    for (uint32_t f = 2 + draw(4); f > 0; f--) {
        mw_core core[4] = {(mw_core)draw(SIDE * SIDE)};
        const uint32_t n = 2 + draw(3);
        for (uint32_t i = 1; i < n; i++)
            do
                core[i] = (mw_core)draw(SIDE * SIDE);
            while (!mw_hop_legal(l, core[i - 1], core[i]));
        MUST(mw_layout_add_flow(l, core, n, -1, 0) == MW_OK);
    }
    MUST(mw_layout_expand(l, &said) == MW_OK);
    return l;
}

/* Few sources and sinks with adaptive routes, few broadcasts, a flow. B is both ends. */
static struct mw_layout *random_put_ways(void)
{
    static const char *const legs[] = {"row", "col", "row col", "col row", "row col row"};
    char text[400];
    struct mw_layout *l;
    int n = snprintf(text, sizeof text, "mesh 3 3\n");
    for (int r = 0; r < SIDE; r++)
        n += snprintf(text + n, sizeof text - (size_t)n, "roles %c%c%c\n",
                      "SD...B"[r == 0 ? 0 : draw(6)], "SD...B"[r == 0 ? 1 : draw(6)],
                      "SD...B"[draw(6)]);
    n += snprintf(text + n, sizeof text - (size_t)n, "source %s\nsink %s\n%s",
                  strchr(text, 'B') == NULL ? "S" : "SB",
                  strchr(text, 'B') == NULL ? "D" : "DB",
                  draw(3) == 0 ? "" : "adaptive minimal\n");
    for (uint32_t i = draw(2) + (strstr(text, "adaptive") == NULL); i > 0; i--)
        n += snprintf(text + n, sizeof text - (size_t)n, "broadcast %u,%u %s\n",
                      draw(SIDE), draw(SIDE), legs[draw(5)]);
    if (draw(3) == 0)
        snprintf(text + n, sizeof text - (size_t)n, "flow 0,1 0,0 1,0\n");
    memset(&said, 0, sizeof said);
    if (mw_layout_parse(text, strlen(text), &l, &said) != MW_OK)
        ck_abort_msg("%s: %s", said.kept[0].text, text);
    return l;
}

/* 0: flows; 1: adaptive routes and broadcasts. */
START_TEST(remote_puts_as_a_naive_check)
{
    int n_free = 0, n_dead = 0;
    state = 11;
    for (int round = how_many(2000, 400, 150); round > 0; round--) {
        struct mw_layout *l = _i == 0 ? random_puts() : random_put_ways();
        struct mw_play p;
        bool passed, shallow;
        uint32_t steps = 0;
        const uint32_t depth = 1 + draw(2);
        ck_good(mw_network_rma(l, depth, &net));
        prove(MW_BY_COUPLED);
        const uint32_t cycle = naive_puts(l);
        ck_assert_uint_eq(waits.n_cycle, 2 * cycle);
        if (cycle > 0) {
            ck_good(mw_waits_realise(&trails, &waits, 0, &p, &passed, &shallow));
            ck_assert_int_eq(p.verdict, MW_EXPLORED_DEADLOCK);
            ck_assert_uint_ge(p.in_flight, (uint64_t)cycle * (depth + 1));
            ck_assert_uint_eq(mw_waits_in_flight(&trails, &waits),
                              (uint64_t)cycle * (depth + 1));
            must_play(&p);
            mw_play_fini(&p);
        } else {
            ck_assert_int_ne(naive_explore(&trails, &steps), NAIVE_DEADLOCK);
        }
        n_dead += cycle > 0;
        n_free += cycle == 0;
        mw_layout_free(l);
        clear();
    }
    ck_assert_int_gt(n_free, 0);
    ck_assert_int_gt(n_dead, 0);
}
END_TEST

START_TEST(rings_are_counted_where_they_stand)
{
    struct mw_layout *l;
    uint64_t bytes;
    const mw_core flow[3][2] = {{0, 2}, {1, 2}, {0, 1}};
    ck_good(mw_layout_new(1, 3, &l));
    for (int i = 0; i < 3; i++)
        ck_good(mw_layout_add_flow(l, flow[i], 2, -1, 0));
    ck_good(mw_layout_expand(l, &said));
    ck_good(mw_network_rma(l, 4, &net));
    ck_good(mw_rma_store(&net, 32, &bytes));
    ck_assert_uint_eq(bytes, 2 * 4 * 32);
    mw_layout_free(l);
    clear();
}
END_TEST

/* ---- large ------------------------------------------------------------------------------- */

START_TEST(four_thousand_nodes_and_fifteen_thousand_channels_within_five_seconds)
{
    enum { LARGE = 63, ROUTES = 20000 };
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    const clock_t start = clock();
    fputs("source,destination,hops,channel,depth\n", f);
    state = 1;
    for (int i = 0; i < ROUTES; i++) {
        static int node[4 * LARGE];
        const int from = (int)draw(LARGE * LARGE), to = (int)draw(LARGE * LARGE);
        if (from == to ||
            !find_way(WEST_FIRST, LARGE, from / LARGE, from % LARGE, 4, to, node, 0))
            continue;
        fprintf(f, "%d,%d,", from, to);
        for (int j = 1; node[j] != to; j++)
            fprintf(f, "%d ", node[j]);
        fputs(",,4\n", f);
    }
    fclose(f);
    ck_good(mw_network_read_csv(text, bytes, &net, &said));
    mw_network_settle(&net);
    ck_assert_uint_gt(net.nodes.n, 3900);
    ck_assert_uint_gt(net.places.n, 15000);
    prove(MW_BY_LINK);
    ck_assert(waits.free);
    prove(MW_BY_COUPLED);
    ck_assert(!waits.free);
    if (getenv("MW_TEST_SHORT") == NULL) /* a sanitizer's build is slower */
        ck_assert_double_lt((double)(clock() - start) / CLOCKS_PER_SEC, 5.0);
    free(text);
    clear();
}
END_TEST

/* ---- what cannot be read ----------------------------------------------------------------- */

#define AIE "module {\naie.device(npu2) {\n%t = aie.tile(0, 2)\n"
static const struct {
    reader *read;
    const char *text;
    uint32_t line;
    const char *says;
} refused[] = {
    {mw_network_read_csv, "source,sink\na,b\n", 1, "unknown column 'sink'"},
    {mw_network_read_csv, "destination\n", 1, "no column 'source'"},
    {mw_network_read_csv, "source,destination\n\na\n", 3,
     "1 fields; the first line has 2"},
    {mw_network_read_csv, "source,destination\na,\n", 2, "the destination is missing"},
    {mw_network_read_csv, "source,destination\na,a\n", 2, "from 'a' to itself"},
    {mw_network_read_csv, "source,destination,depth\na,b,0\n", 2, "a depth of 1..1024"},
    {mw_network_read_csv, "source,destination,depth\na,b,1\na,b,2\n", 3,
     "depth 1 in line 2"},
    {mw_network_read_csv, "source,destination,channel\na,b,x\na,c,x\n", 3,
     "leads to 'c'"},
    {mw_network_read_csv, "source,destination,channel\na,b,x y\n", 2,
     "2 channels for 1 hops"},
    {mw_network_read_csv, "source,destination,channel\na,b,x!\n", 2,
     "expected one per hop"},
    {mw_network_read_csv, "source,destination,channel\na,b,x y!\n", 2, "is held (!)"},
    {mw_network_read_csv, "source,destination\n\"a,b\n", 2, "quotation mark"},
    {mw_network_read_csv, "source,destination,depth,depth\n", 1, "is there twice"},
    {mw_network_read_vtr, "<router positionx=\"0\"/>", 1, "without an id"},
    {mw_network_read_vtr, "\n<router id=\"0\" positionx=\"x\" positiony=\"0\"/>", 2,
     "no positionx"},
    {mw_network_read_vtr, "<single_flow src=\"a\"/>", 1, "without src and dst"},
    {mw_network_read_vtr, "\n<single_flow src=\"a\" dst=\"b\"/>", 2, "no placement"},
    {mw_network_read_vtr, "<single_flow src=\"1\" dst=\"2\"/>", 1,
     "no <router> describes"},
    {mw_network_read_vtr, "a 0\n", 1, "expected BLOCK LAYER ROUTER"},
    {mw_network_read_vtr, "a 0 1\na 0 2\n", 2, "a second place"},
    {mw_network_read_vtr, "<mesh startx=\"0\"/>", 1, "a <mesh> needs startx"},
    {mw_network_read_vtr,
     "\n<mesh startx=\"0\" endx=\"9\" starty=\"0\" endy=\"9\" size=\"1\"/>", 2,
     "a <mesh> needs startx"},
    {mw_network_read_vtr,
     "<mesh startx=\"0\" endx=\"9\" starty=\"9\" endy=\"9\" size=\"3\"/>", 1,
     "a <mesh> needs startx"},
    {mw_network_read_vtr,
     "<mesh startx=\"0\" endx=\"9\" starty=\"0\" endy=\"9\" size=\"3\" endlayer=\"1\"/>",
     1, "layers"},
    {mw_network_read_vtr,
     "<mesh startx=\"0\" endx=\"9\" starty=\"0\" endy=\"9\" size=\"3\"/>\n"
     "<router id=\"4\" positionx=\"0\" positiony=\"0\"/>",
     2, "a second router"},
    {mw_network_read_vtr,
     "<mesh startx=\"0\" endx=\"9\" starty=\"0\" endy=\"9\" size=\"3\"/>\n"
     "<mesh startx=\"0\" endx=\"77\" starty=\"0\" endy=\"77\" size=\"4\"/>",
     2, "a second <mesh>, of size '4'"},
    {mw_network_read_vtr, "\n<router id=\"0\"", 2, "does not end"},
    {mw_network_read_vtr,
     "<router id=\"0\" positionx=\"0\" positiony=\"0\" connections=\"\"/>"
     "<router id=\"1\" positionx=\"1\" positiony=\"0\" connections=\"0\"/>\n"
     "<single_flow src=\"0\" dst=\"1\"/>",
     2, "finds no way"},
    {mw_network_read_aie, "module {\n}\n", 3, "no aie.device"},
    {mw_network_read_aie, "aie.device(npu2) {}\naie.device(npu2) {}", 2,
     "a second aie.device"},
    {mw_network_read_aie, "aie.device(abc) {}\n", 1, "expected a device"},
    {mw_network_read_aie, AIE "aie.switchbox(%u) {}", 4, "no tile is called '%u'"},
    {mw_network_read_aie, AIE "%b = aie.switchbox(%t) {\naie.connect<DMA 0, North : 1>}",
     5, "expected :, got '0'"},
    {mw_network_read_aie, AIE "%b = aie.switchbox(%t) {\naie.connect<Up : 0, North : 1>}",
     5, "expected a port"},
    {mw_network_read_aie, AIE "%b = aie.switchbox(%t) {\n%a = aie.amsel<6> (0)}", 5,
     "in range"},
    {mw_network_read_aie, AIE "%b = aie.switchbox(%t) {\naie.masterset(DMA : 0, %a)}", 5,
     "no amsel is called '%a'"},
    {mw_network_read_aie, AIE "\"aie.flow\"(%t)", 4, "generic form"},
    {mw_network_read_aie, AIE "%l = aie.logical_tile<MemTile>(?, ?)", 4,
     "a logical tile"},
    {mw_network_read_aie, AIE "aie.objectfifo @a(%t, {%t}, 0 : i32)", 4, "of depth 0"},
    {mw_network_read_aie, AIE "aie.objectfifo.link [@a] -> [@b] ([] [])", 4,
     "no object FIFO"},
    {mw_network_read_aie, AIE "aie.packet_flow(1) { aie.packet_dest<%t, DMA : 0> }", 4,
     "before the packet_source"},
    {mw_network_read_aie, AIE "%t = aie.tile(0, 3)", 4, "of one name"},
    {mw_network_read_aie,
     AIE
     "%u = aie.tile(0, 3)\n%b = aie.switchbox(%t) {\naie.connect<DMA : 0, North : 0>\n"
     "aie.connect<North : 0, North : 0> }\n"
     "%c = aie.switchbox(%u) { aie.connect<South : 0, South : 0> }",
     6, "goes round"},
};

START_TEST(what_cannot_be_read_is_refused_with_its_line)
{
    (void)!refused[_i].read(refused[_i].text, strlen(refused[_i].text), &net, &said);
    ck_assert_uint_gt(said.n_errors, 0);
    ck_assert_msg(said.kept[0].line == refused[_i].line &&
                      strstr(said.kept[0].text, refused[_i].says) != NULL,
                  "line %u: %s", said.kept[0].line, said.kept[0].text);
    clear();
}
END_TEST

/* Each box sends each of its two inputs on by both outputs. */
START_TEST(a_tree_of_copies_has_an_end)
{
    enum { FIRST = 2, LAST = 30 };
    static char text[16384];
    char *at = text + sprintf(text, "aie.device(npu2) {\n");
    for (int row = FIRST; row <= LAST; row++) {
        at += sprintf(at, "%%t%d = aie.tile(0, %d)\n%%b%d = aie.switchbox(%%t%d) {\n",
                      row, row, row, row);
        for (int from = 0; from < 2; from++)
            for (int to = 0; to < 2; to++)
                at += sprintf(at, "aie.connect<%s : %d, North : %d>\n",
                              row == FIRST ? "DMA" : "South", from, to);
        at += sprintf(at, "}\n");
    }
    sprintf(at,
            "%%t = aie.tile(0, %d)\n%%b = aie.switchbox(%%t) { aie.connect<South : 0, "
            "DMA : 0> "
            "aie.connect<South : 1, DMA : 1> } }\n",
            LAST + 1);
    ck_good(mw_network_read_aie(text, strlen(text), &net, &said));
    ck_assert_uint_eq(said.n_errors, 1);
    ck_assert_ptr_nonnull(strstr(said.kept[0].text, "more than 4096 places"));
    clear();
}
END_TEST

START_TEST(memory_that_fails_anywhere_is_given_back)
{
    static reader *const readers[] = {mw_network_read_aie, mw_network_read_vtr,
                                      mw_network_read_csv};
    static const char *const files[] = {"pipeline.mlir", "four.vtr", "ring.csv"};
    char *text = text_of(files[_i]);
    for (uint64_t n = 1;; n++) {
        bool passed, shallow;
        struct mw_play p = {0};
        mw_mem_fail_at(n);
        int rc = readers[_i](text, strlen(text), &net, &said);
        mw_network_settle(&net);
        if (rc == MW_OK)
            rc = mw_trails_make(&net, MW_BY_ENDS, &trails);
        if (rc == MW_OK)
            rc = mw_waits_make(&trails, &waits);
        if (rc == MW_OK && !waits.free)
            rc = mw_waits_realise(&trails, &waits, 0, &p, &passed, &shallow);
        mw_mem_fail_at(0);
        mw_play_fini(&p);
        clear();
        mw_error_clear();
        if (rc == MW_OK)
            break;
        ck_assert_int_eq(rc, MW_ERR_NOMEM);
    }
    free(text);
}
END_TEST

/* ---- what is read ------------------------------------------------------------------------ */

START_TEST(vtr_goes_along_x_first)
{
    read_file(mw_network_read_vtr, "four.vtr");
    ck_assert_uint_eq(net.n_passages, 3);
    const struct mw_passage *p = &net.passage[0];
    ck_assert_uint_eq(p->n, 2);
    ck_assert_str_eq(net.places.name[net.step[p->first]], "0>1");
    ck_assert_str_eq(net.places.name[net.step[p->first + 1]], "1>3");
    clear();
}
END_TEST

/* VTR numbers the routers of a mesh row by row from below, and each has its neighbours. All pairs go
 * along x, then along y, as counted here. */
START_TEST(vtr_mesh_has_the_routers_that_it_stands_for)
{
    enum { WIDE = 5 };
    char *text;
    size_t bytes;
    FILE *f = open_memstream(&text, &bytes);
    fputs(
        "<noc><mesh startx=\"1.3\" endx='41' starty=\"0.7\" endy=\"20\" startlayer=\"0\" "
        "endlayer=\"0\" size=\"5\"/></noc>\n",
        f);
    for (int a = 0; a < WIDE * WIDE; a++)
        for (int b = 0; b < WIDE * WIDE; b++)
            if (a != b)
                fprintf(f, "<single_flow src=\"%d\" dst=\"%d\"/>\n", a, b);
    fclose(f);
    read_good(mw_network_read_vtr, text);
    free(text);
    ck_assert_uint_eq(net.nodes.n, WIDE * WIDE);
    ck_assert_uint_eq(net.places.n, 4 * WIDE * (WIDE - 1));
    const struct mw_passage *p = net.passage;
    for (int a = 0; a < WIDE * WIDE; a++)
        for (int b = 0; b < WIDE * WIDE; b++) {
            uint32_t n = 0;
            for (int at = a, next; at != b; at = next) {
                char hop[24];
                const int x = b % WIDE - at % WIDE;
                next = x > 0 ? at + 1 : x < 0 ? at - 1 : b > at ? at + WIDE : at - WIDE;
                snprintf(hop, sizeof hop, "%d>%d", at, next);
                ck_assert_uint_lt(n, p->n);
                ck_assert_str_eq(net.places.name[net.step[p->first + n++]], hop);
            }
            ck_assert_uint_eq(n, a == b ? 0 : p->n);
            p += a != b;
        }
    prove(MW_BY_LINK);
    ck_assert(waits.free);
    clear();
}
END_TEST

START_TEST(object_fifos_have_their_depths_and_links)
{
    read_good(
        mw_network_read_aie,
        "aie.device(npu1_1col) {\n%s = aie.tile(0, 0)\n%m = aie.tile(0, 1)\n"
        "%c = aie.tile(0, 2)\n"
        "aie.objectfifo @in(%s, {%m}, 3 : i32) : !aie.objectfifo<memref<4xi32>>\n"
        "aie.objectfifo @act(%m dimensionsToStream [<size = 8, stride = 1>], {%c}, [1, "
        "7])"
        " : !aie.objectfifo<memref<4xi32>>\n"
        "aie.objectfifo.link [@in] -> [@act] ([] [])\n"
        "aie.objectfifo @back(%c, {%c}, 2 : i32) : !aie.objectfifo<memref<4xi32>> }\n");
    ck_assert_uint_eq(net.n_passages, 3);
    ck_assert_uint_eq(net.place[0].depth, 3);
    ck_assert_uint_eq(net.place[1].depth, 7);
    ck_assert_uint_eq(net.passage[0].sink, net.passage[1].source);
    prove(MW_BY_LINK);
    ck_assert(waits.free);
    prove(MW_BY_ENDS); /* a core that waits for itself */
    ck_assert(!waits.free);
    ck_assert_uint_eq(waits.n_cycle, 2);
    clear();
}
END_TEST

START_TEST(descriptors_are_the_depth_and_copies_are_told)
{
    read_good(
        mw_network_read_aie,
        "aie.device(npu1) {\n%a = aie.tile(0, 2)\n%b = aie.tile(0, 3)\n%c = aie.tile(1, "
        "2)\n"
        "aie.packet_flow(4) { aie.packet_source<%a, DMA : 0> aie.packet_dest<%b, DMA : "
        "1>\n"
        "aie.packet_dest<%c, DMA : 0> }\n"
        "%m = aie.mem(%b) { %d = aie.dma_start(S2MM, 1, ^x, ^y)\n^x:\naie.dma_bd(%u)\n"
        "aie.dma_bd(%v)\n^y: %e = aie.dma_start(MM2S, 1, ^z, ^w)\naie.dma_bd(%u) } }");
    ck_assert_uint_eq(net.n_passages, 2);
    ck_assert_uint_eq(net.n_multicast, 1);
    ck_assert_str_eq(net.places.name[1], "DMA:1 into (0,3)");
    ck_assert_uint_eq(net.place[1].depth, 2);
    ck_assert_uint_eq(net.place[2].depth, 1);
    clear();
}
END_TEST

int main(void)
{
    Suite *s = suite_create("layout_network");
    TCase *t = tcase_create("network");
    tcase_add_test(t, cores_close_the_circle_that_arbiters_begin);
    tcase_add_test(t, two_packets_that_hold_an_arbiter_each_are_enough);
    tcase_add_test(t, a_store_between_lets_an_arbiter_go);
    tcase_add_loop_test(t, turn_models_as_a_naive_check_of_channel_dependencies, 0,
                        N_RULES);
    tcase_add_loop_test(t, proof_and_play_agree_with_the_naive_player, 0,
                        MW_N_NETWORK_MODELS);
    tcase_add_test(t, changes_help);
    tcase_add_test(t, joins_are_counted_as_a_naive_check_counts_them);
    tcase_add_loop_test(t, remote_puts_as_a_naive_check, 0, 2);
    tcase_add_test(t, rings_are_counted_where_they_stand);
    tcase_add_test(t,
                   four_thousand_nodes_and_fifteen_thousand_channels_within_five_seconds);
    tcase_add_loop_test(t, what_cannot_be_read_is_refused_with_its_line, 0,
                        (int)(sizeof refused / sizeof *refused));
    tcase_add_test(t, a_tree_of_copies_has_an_end);
    tcase_add_loop_test(t, memory_that_fails_anywhere_is_given_back, 0, 3);
    tcase_add_test(t, vtr_goes_along_x_first);
    tcase_add_test(t, vtr_mesh_has_the_routers_that_it_stands_for);
    tcase_add_test(t, object_fifos_have_their_depths_and_links);
    tcase_add_test(t, descriptors_are_the_depth_and_copies_are_told);
    suite_add_tcase(s, t);
    return run_suite(s);
}
