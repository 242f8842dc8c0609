/* test_groups.c -- the two-hop route, for every number of ranks and every width.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "graph/partition.h"
#include "mpe/topology.h"
#include "ranks.h"
#include "relay/groups.h"
#include "shuffle/address.h"

#include <string.h>

enum { MOST = 64 };

static struct mw_groups groups_of(uint32_t n_ranks, uint32_t width)
{
    return (struct mw_groups){n_ranks, width, (n_ranks + width - 1) / width};
}

/* Calls of one test: _i is the number of ranks, each width in turn. */
#define FOR_EACH_WIDTH(g)                                                                \
    for (uint32_t width = 1; width <= (uint32_t)_i; width++)                             \
        for (struct mw_groups g = groups_of((uint32_t)_i, width); g.n_ranks != 0;        \
             g.n_ranks = 0)

START_TEST(every_owner_is_reached_in_two_hops)
{
    FOR_EACH_WIDTH(g)
    for (uint32_t me = 0; me < g.n_ranks; me++)
        for (uint32_t owner = 0; owner < g.n_ranks; owner++) {
            const enum mw_hop first = mw_first_hop(&g);
            const uint32_t bucket = mw_group_of(&g, owner);
            MUST(bucket < mw_port_buckets(&g, me, first));
            const uint32_t relay = mw_port_peer(&g, me, first, bucket);
            MUST(relay < g.n_ranks);
            if (first == MW_TO_OWNER) {
                MUST(relay == owner);
                continue;
            }
            MUST(mw_group_of(&g, relay) == bucket);
            const uint32_t column = owner % width;
            MUST(column < mw_port_buckets(&g, relay, MW_TO_OWNER));
            MUST(mw_port_peer(&g, relay, MW_TO_OWNER, column) == owner);
        }
}
END_TEST

START_TEST(fan_in_is_the_number_of_senders)
{
    FOR_EACH_WIDTH(g)
    for (int hop = (int)mw_first_hop(&g); hop <= MW_TO_OWNER; hop++) {
        uint32_t senders[MOST] = {0};
        for (uint32_t me = 0; me < g.n_ranks; me++)
            for (uint32_t k = 0; k < mw_port_buckets(&g, me, (enum mw_hop)hop); k++)
                senders[mw_port_peer(&g, me, (enum mw_hop)hop, k)]++;
        for (uint32_t me = 0; me < g.n_ranks; me++) {
            MUST(senders[me] > 0);
            MUST(senders[me] == mw_port_fan_in(&g, me, (enum mw_hop)hop));
        }
    }
}
END_TEST

START_TEST(a_rank_talks_to_groups_plus_columns)
{
    FOR_EACH_WIDTH(g)
    for (uint32_t me = 0; me < g.n_ranks; me++) {
        bool met[MOST] = {false};
        uint32_t n = 0;
        for (int hop = (int)mw_first_hop(&g); hop <= MW_TO_OWNER; hop++)
            for (uint32_t k = 0; k < mw_port_buckets(&g, me, (enum mw_hop)hop); k++)
                met[mw_port_peer(&g, me, (enum mw_hop)hop, k)] = true;
        for (uint32_t r = 0; r < g.n_ranks; r++)
            n += met[r];
        MUST(n <= g.n_groups + width - 1);
        if (width == 1)
            MUST(n == g.n_ranks);
        else /* itself stands in its column and in its row */
            MUST(n == g.n_groups + mw_group_size(&g, mw_group_of(&g, me)) - 1);
    }
}
END_TEST

START_TEST(group_sizes_add_up)
{
    FOR_EACH_WIDTH(g)
    {
        uint32_t n = 0;
        for (uint32_t i = 0; i < g.n_groups; i++) {
            const uint32_t size = mw_group_size(&g, i);
            MUST(size >= 1);
            MUST(size == width || i == g.n_groups - 1);
            n += size;
        }
        MUST(n == g.n_ranks);
    }
}
END_TEST

/* ---- what a record says of its owner (shuffle/address.h) --------------------------------- */

/* Every column of a group, with the largest number and value, goes to its relay and on. */
static void must_carry(struct mw_address *at, struct mw_record_bits bits)
{
    const uint32_t child = (uint32_t)((UINT64_C(1) << bits.child) - 1);
    const uint64_t value = bits.value > 0 ? UINT64_MAX >> (64 - bits.value) : 0;
    const uint32_t room = mw_value_room(bits, at->width);
    at->local_bits = bits.child;
    at->value_bits = bits.value;
    at->split = mw_rest_bits(bits.child, at->width) > 0;
    MUST(at->split == (bits.child + mw_bits_for(at->width) > 32));
    for (uint32_t owner = 0; owner < at->n_ranks; owner++)
        for (uint32_t least = 0; least < 2; least++) {
            const uint32_t c = least == 0 ? child : 0;
            const uint64_t v = least == 0 ? value : 0;
            const uint32_t sent = mw_above_for(at, owner) | c;
            const uint64_t with = at->split ? v | mw_rest_for(at, owner) : v;
            MUST(room >= 64 || with >> room == 0);
            MUST(mw_column_in_group(at, sent, with) == owner % at->width);
            MUST(mw_child_of(at, sent) == c && mw_value_of(at, with) == v);
        }
}

START_TEST(records_carry_columns_of_groups_of_256)
{
    static const uint32_t widths[] = {2, 3, 128, 160, 255, 256};
    static uint32_t bucket[256 * 256];
    struct mw_address at = {.n_ranks = 256 * 256, .width = widths[_i], .bucket = bucket};
    const struct mw_groups g = groups_of(at.n_ranks, at.width);
    for (uint32_t r = 0; r < at.n_ranks; r++)
        bucket[r] = mw_group_of(&g, r);
    for (uint32_t child = 23; child <= 32; child++)
        for (uint32_t value = 24; value <= 56; value += 8)
            must_carry(&at, (struct mw_record_bits){child, value, 0});
    must_carry(&at, (struct mw_record_bits){1, 0, 0});
    must_carry(&at, (struct mw_record_bits){25, 25, 0});
}
END_TEST

/* The paper's SCALE 40 on 40,768 ranks: a search's records stay at 8 bytes. */
START_TEST(searches_of_the_papers_size_have_narrow_records)
{
    const struct mw_partition p = mw_partition_of(UINT64_C(1) << 40, 0, 40768);
    const uint32_t places = mw_bits_for(mw_most_places(&p));
    ck_assert_uint_eq(places, 25);
    ck_assert_uint_le(mw_value_room((struct mw_record_bits){places, places, 0}, 256), 32);
    ck_assert_uint_gt(mw_rest_bits(places, 256), 0);
    ck_assert_uint_gt(mw_rest_bits(places, 160), 0);
    ck_assert_uint_eq(mw_rest_bits(places, 128), 0);
}
END_TEST

/* ---- mw_world_groups: which shape ------------------------------------------------------ */

static int shape(enum mw_routing routing, uint32_t n, uint32_t m, uint32_t n_ranks,
                 struct mw_groups *out)
{
    const struct mw_world_conf conf = {.routing = routing, .groups_n = n, .groups_m = m};
    const struct mw_near near = {1, n_ranks, 0};
    enum mw_groups_by by;
    memset(out, 0, sizeof *out);
    return mw_world_groups(&conf, n_ranks, &near, out, &by);
}

/* A shape fits if only the last group is short, and no group is empty. */
START_TEST(given_shapes_fit_or_are_refused)
{
    const uint32_t ranks = (uint32_t)_i;
    for (uint32_t n = 1; n <= MOST + 1; n++)
        for (uint32_t m = 0; m <= MOST + 1; m++) {
            struct mw_groups g;
            const int rc = shape(MW_ROUTING_RELAY, n, m, ranks, &g);
            const bool fits = m > 0 && (ranks + m - 1) / m == n;
            if (rc != (fits ? MW_OK : MW_ERR_REFUSED))
                ck_abort_msg("%ux%u, %u ranks: %d", n, m, ranks, rc);
            MUST(!fits || (g.width == m && g.n_groups == n && g.n_ranks == ranks));
        }
}
END_TEST

START_TEST(refusal_says_numbers_and_a_shape_that_fits)
{
    struct mw_groups g;
    unsigned n = 0, m = 0;
    ck_assert_int_eq(shape(MW_ROUTING_RELAY, 3, 4, 12, &g), MW_OK);
    ck_assert_int_eq(shape(MW_ROUTING_RELAY, 3, 4, 11, &g), MW_OK);
    ck_assert_int_eq(shape(MW_ROUTING_RELAY, 3, 4, 13, &g), MW_ERR_REFUSED);
    const char *text = mw_error_text();
    ck_assert_ptr_nonnull(strstr(text, "3x4"));
    ck_assert_ptr_nonnull(strstr(text, "13"));
    const char *last = strrchr(text, ';');
    ck_assert_ptr_nonnull(last);
    ck_assert_int_eq(sscanf(last, "; %ux%u fits", &n, &m), 2);
    ck_assert_int_eq(shape(MW_ROUTING_RELAY, n, m, 13, &g), MW_OK);
}
END_TEST

START_TEST(near_square_has_the_fewest_peers)
{
    struct mw_groups g;
    const uint32_t ranks = (uint32_t)_i;
    uint32_t least = UINT32_MAX;
    for (uint32_t m = 1; m <= ranks; m++)
        least = (uint32_t)mw_min(least, (ranks + m - 1) / m + m);
    ck_assert_int_eq(shape(MW_ROUTING_RELAY, 0, 0, ranks, &g), MW_OK);
    ck_assert_uint_eq(g.n_groups + g.width, least);
    ck_assert_uint_eq(g.n_groups, (ranks + g.width - 1) / g.width);
}
END_TEST

START_TEST(one_host_goes_direct_and_several_relay)
{
    const struct mw_world_conf conf = {0};
    const struct mw_near one = {1, 6, 0}, two = {2, 3, 0};
    struct mw_groups g;
    enum mw_groups_by by;
    ck_assert_int_eq(mw_world_groups(&conf, 6, &one, &g, &by), MW_OK);
    ck_assert_uint_eq(g.width, 1);
    ck_assert_uint_eq(g.n_groups, 6);
    ck_assert_int_eq(by, MW_GROUPS_NONE);
    ck_assert_int_eq(mw_world_groups(&conf, 6, &two, &g, &by), MW_OK);
    ck_assert_uint_gt(g.width, 1);
}
END_TEST

/* What is near makes a group, unless that takes too many peers. */
static const struct {
    uint32_t n_ranks;
    struct mw_near near;
    uint32_t connections, n_groups, width;
    enum mw_groups_by by;
} autos[] = {
    {32, {4, 8, 0}, 0, 4, 8, MW_GROUPS_HOSTS},
    {30, {4, 8, 0}, 0, 4, 8, MW_GROUPS_HOSTS}, /* the last is short */
    {8, {4, 2, 0}, 0, 4, 2, MW_GROUPS_HOSTS}, /* 2x4 has as few peers, and is two hosts */
    {16, {16, 1, 0}, 0, 4, 4, MW_GROUPS_SQUARE},     /* hosts of one rank say nothing */
    {32, {4, 33, 0}, 0, 4, 8, MW_GROUPS_SQUARE},     /* unlike each other */
    {64, {16, 4, 16}, 0, 4, 16, MW_GROUPS_SWITCHES}, /* 16 hosts on 4 switches */
    {16, {16, 1, 4}, 0, 4, 4, MW_GROUPS_SWITCHES},
    {8, {4, 2, 8}, 0, 4, 2, MW_GROUPS_HOSTS}, /* one switch for all */
    {2048,
     {1024, 2, 0},
     0,
     41,
     50,
     MW_GROUPS_HOSTS}, /* 25 hosts a group: 89 peers, not 1024 */
    {40768, {40768, 1, 256}, 0, 160, 256, MW_GROUPS_SWITCHES}, /* the paper's */
    {32, {16, 2, 0}, 12, 4, 8, MW_GROUPS_HOSTS},               /* 16x2 has 16 peers */
    {49, {7, 7, 0}, 12, 7, 7, MW_GROUPS_HOSTS},
    {50, {2, 25, 0}, 13, 5, 10, MW_GROUPS_SQUARE}, /* 2x25 has 25 */
};

START_TEST(automatic_groups_are_what_is_near)
{
    const struct mw_world_conf conf = {.connections = autos[_i].connections};
    struct mw_groups g;
    enum mw_groups_by by;
    ck_good(mw_world_groups(&conf, autos[_i].n_ranks, &autos[_i].near, &g, &by));
    ck_assert_uint_eq(g.n_groups, autos[_i].n_groups);
    ck_assert_uint_eq(g.width, autos[_i].width);
    ck_assert_str_eq(mw_groups_by_names[by], mw_groups_by_names[autos[_i].by]);
    ck_assert_uint_eq(g.width * (g.n_groups - 1) < g.n_ranks, true);
}
END_TEST

/* Each rank is a host. */
static int on_switches(struct mw_comm *c, void *arg)
{
    const uint64_t *key = arg;
    const struct mw_world_conf conf = {
        .backend = "serial", .n_threads = 1, .near_switch = key[c->rank]};
    struct mw_world *w;
    const int rc = mw_world_new(&conf, c, &w);
    if (rc < MW_OK)
        return rc;
    const enum mw_groups_by by = w->groups_by;
    const uint32_t width = w->groups.width;
    const bool right = by == (enum mw_groups_by)key[c->size] &&
                       (key[c->size] != MW_GROUPS_SWITCHES || width == 3);
    mw_world_free(w);
    return right ? MW_OK
                 : mw_fail(MW_ERR_INVALID, "%s, groups of %u", mw_groups_by_names[by],
                           width);
}

START_TEST(switches_are_groups_where_all_ranks_know_theirs)
{
    static uint64_t keys[][9] = {
        {7, 7, 7, 8, 8, 8, 9, 9, MW_GROUPS_SWITCHES}, /* the last is short */
        {7, 7, 7, 8, 8, 8, 7, 7, MW_GROUPS_SWITCHES}, /* two groups on one */
        {7, 7, 7, 8, 8, 8, 0, 9, MW_GROUPS_SQUARE},
        {7, 7, 7, 8, 8, 9, 9, 9, MW_GROUPS_SQUARE},
        {0, 0, 0, 0, 0, 0, 0, 0, MW_GROUPS_SQUARE},
    };
    const struct mw_loop_conf conf = {.n_ranks = 8, .ranks_per_host = 1};
    ck_good(mw_loop_run(&conf, on_switches, keys[_i]));
}
END_TEST

/* ---- topology.h ------------------------------------------------------------------------- */

static uint64_t switch_of(const char *text, const char *host)
{
    struct mw_topology t;
    ck_good(mw_topology_parse(text, host, &t));
    return t.near_switch;
}

START_TEST(hosts_are_found_on_their_switches)
{
    static const char text[] =
        "# comment\n"
        "SwitchName=core Switches=leaf[1-3]\n"
        "SwitchName=leaf1 Nodes=n[1-3,08],gpu7 LinkSpeed=1\n"
        "  switchname=leaf2 nodes=n[009-011],a[1-2]b[5,7]  # more\n"
        "SwitchName=leaf3 Nodes=x\n";
    static const char *const first[] = {"n1", "n3", "n08", "gpu7"};
    static const char *const second[] = {"n009", "n011", "a1b5", "a2b7"};
    static const char *const none[] = {"n4",    "n8",   "n03",  "n9", "n", "gpu",
                                       "gpu77", "a3b5", "a1b6", "xx", "",  "n12"};
    struct mw_topology t;
    for (int i = 0; i < 4; i++) {
        ck_assert_uint_eq(switch_of(text, first[i]), switch_of(text, "n2"));
        ck_assert_uint_eq(switch_of(text, second[i]), switch_of(text, "n010"));
    }
    ck_assert_uint_ne(switch_of(text, "n2"), switch_of(text, "n010"));
    ck_assert_uint_ne(switch_of(text, "n2"), switch_of(text, "x"));
    for (size_t i = 0; i < sizeof none / sizeof *none; i++)
        ck_assert_msg(switch_of(text, none[i]) == 0, "%s", none[i]);
    ck_good(mw_topology_parse(text, "x", &t));
    ck_assert_uint_eq(t.switch_hosts, 0); /* 5, 7 and 1 */
    ck_good(mw_topology_parse("SwitchName=a Nodes=n[1-256]\nSwitchName=b Nodes=m[1-256]",
                              "x", &t));
    ck_assert_uint_eq(t.switch_hosts, 256);
    ck_good(mw_topology_parse("", "x", &t));
    ck_assert_uint_eq(t.switch_hosts, 0);
}
END_TEST

START_TEST(files_that_are_wrong_are_named_with_their_line)
{
    static const char *const bad[] = {
        "SwitchName=a Nodes=n[1-",  "SwitchName=a Nodes=n[3-1]",
        "SwitchName=a Nodes=n[]",   "SwitchName=a Nodes=n[x]",
        "SwitchName=a Nodes=n,,m",  "Nodes=n1",
        "SwitchName= Nodes=n[1-2]", "SwitchName=a Nodes=n[1-9999999999]"};
    struct mw_topology t;
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char text[128];
        snprintf(text, sizeof text, "\n%s\n", bad[i]);
        ck_fails(mw_topology_parse(text, "n1", &t), MW_ERR_DATA,
                 "line 2: expected SwitchName=");
    }
}
END_TEST

START_TEST(variables_of_slurm_count_on_their_own_host)
{
    static const char pattern[] = "switch.switch.node";
    struct mw_topology t, other;
    mw_topology_of_slurm("core.leaf1.n003", pattern, "n003", &t);
    mw_topology_of_slurm("core.leaf1.n004", pattern, "n004", &other);
    ck_assert_uint_ne(t.near_switch, 0);
    ck_assert_uint_eq(t.near_switch, other.near_switch);
    mw_topology_of_slurm("core.leaf2.n005", pattern, "n005", &other);
    ck_assert_uint_ne(t.near_switch, other.near_switch);
    mw_topology_of_slurm("core.leaf1.n003", pattern, "n004", &t); /* another's */
    ck_assert_uint_eq(t.near_switch, 0);
    mw_topology_of_slurm("n003", "node", "n003", &t);
    ck_assert_uint_eq(t.near_switch, 0);
    mw_topology_of_slurm(NULL, NULL, "n003", &t);
    ck_assert_uint_eq(t.near_switch, 0);
}
END_TEST

static int group_is_host(struct mw_world *w, void *arg)
{
    (void)arg;
    for (uint32_t r = 0; r < w->comm->size; r++)
        EXPECT(mw_group_of(&w->groups, r) == w->comm->host_of[r], "rank %u", r);
    return MW_OK;
}

/* Five ranks, three a host: the last host is short, and so is the last group. */
START_TEST(hosts_are_groups_also_when_the_last_is_short)
{
    for (uint32_t n_ranks = 1; n_ranks <= 9; n_ranks++) {
        struct ranks r = {.loop = {n_ranks, (uint32_t)_i, 0}, .body = group_is_host};
        with_threads(&r, 0);
        r.world.routing = MW_ROUTING_RELAY;
        r.world.groups_n = UINT32_MAX;
        must_run(&r);
    }
}
END_TEST

int main(void)
{
    Suite *s = suite_create("groups");
    TCase *route = tcase_create("route"), *chosen = tcase_create("shape");
    tcase_add_loop_test(route, every_owner_is_reached_in_two_hops, 1, MOST + 1);
    tcase_add_loop_test(route, fan_in_is_the_number_of_senders, 1, MOST + 1);
    tcase_add_loop_test(route, a_rank_talks_to_groups_plus_columns, 1, MOST + 1);
    tcase_add_loop_test(route, group_sizes_add_up, 1, MOST + 1);
    tcase_add_loop_test(route, records_carry_columns_of_groups_of_256, 0, 6);
    tcase_add_test(route, searches_of_the_papers_size_have_narrow_records);
    tcase_add_loop_test(chosen, given_shapes_fit_or_are_refused, 1, MOST + 1);
    tcase_add_test(chosen, refusal_says_numbers_and_a_shape_that_fits);
    tcase_add_loop_test(chosen, near_square_has_the_fewest_peers, 1, MOST + 1);
    tcase_add_test(chosen, one_host_goes_direct_and_several_relay);
    tcase_add_loop_test(chosen, automatic_groups_are_what_is_near, 0,
                        sizeof autos / sizeof *autos);
    tcase_add_loop_test(chosen, switches_are_groups_where_all_ranks_know_theirs, 0, 5);
    tcase_add_test(chosen, hosts_are_found_on_their_switches);
    tcase_add_test(chosen, files_that_are_wrong_are_named_with_their_line);
    tcase_add_test(chosen, variables_of_slurm_count_on_their_own_host);
    tcase_add_loop_test(chosen, hosts_are_groups_also_when_the_last_is_short, 1, 5);
    suite_add_tcase(s, route);
    suite_add_tcase(s, chosen);
    return run_suite(s);
}
