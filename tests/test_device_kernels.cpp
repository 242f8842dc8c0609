/* test_device_kernels.cpp -- kernels of CUDA (portability/kokkos/whole/) on the host's cores, each thread a fiber
 * (fibers/fibers.hpp): whole searches, shortest paths and core numbers, which teams of blocks and all blocks take over from
 * each other, against serial oracles. A device of two processors has two blocks, so levels of some thousand edges
 * are large.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/space.hpp"

#include "algorithms/bfs/bfs_state.h"
#include "algorithms/core/core_state.h"
#include "algorithms/sssp/sssp_state.h"
#include "kokkos/whole/linked_cuda.hpp"

extern "C" {
#include "suite.h"
}

#include <map>
#include <queue>
#include <random>
#include <set>

extern "C" {
bfs_sweeps bfs_sweeps_of_fibers();
sssp_sweeps sssp_sweeps_of_fibers();
core_whole core_whole_of_fibers();
}

namespace mwk::whole
{

bool linked_search(const bfs_state &)
{
    return false;
}
uint32_t linked_blocks()
{
    return 0;
}

} // namespace mwk::whole

namespace
{

constexpr uint32_t NONE = UINT32_MAX;

using dice = std::mt19937;

uint32_t below(dice &d, uint32_t n)
{
    return static_cast<uint32_t>(d() % n);
}

/* A graph as one rank has it: labels by falling degree. */
class graph
{
  public:
    graph(uint32_t n, const std::map<std::pair<uint32_t, uint32_t>, float> &edges)
        : n_places(n), near(n)
    {
        for (const auto &[ends, length] : edges) {
            near[ends.first].emplace_back(ends.second, length);
            near[ends.second].emplace_back(ends.first, length);
        }
        for (uint32_t v = 0; v < n; v++)
            if (!near[v].empty())
                place_of.push_back(v);
        std::stable_sort(place_of.begin(), place_of.end(), [&](uint32_t a, uint32_t b) {
            return near[a].size() > near[b].size();
        });
        label_of.assign(n, MW_NO_LABEL);
        for (uint32_t l = 0; l < place_of.size(); l++)
            label_of[place_of[l]] = l;
        row.push_back(0);
        for (const uint32_t v : place_of) {
            for (const auto &[other, length] : near[v]) {
                column.push_back(label_of[other]);
                weight.push_back(length);
            }
            row.push_back(column.size());
        }
        name = place_of;
        name.resize(name.size() + 64);
        g.n_vertices = g.n_places = n;
        g.n_labels = static_cast<uint32_t>(place_of.size());
        g.n_connected = g.n_labels;
        g.n_entries = column.size();
        g.label_bits = 20;
        g.row = row.data();
        g.column = column.data();
        g.weight = weight.data();
        g.label_of = label_of.data();
        g.place_of = place_of.data();
        g.name = name.data();
    }
    uint32_t any(dice &d) const
    {
        return below(d, n_places);
    }

    const uint32_t n_places;
    std::vector<std::vector<std::pair<uint32_t, float>>> near;
    std::vector<uint32_t> label_of, place_of, column, name;
    std::vector<uint64_t> row;
    std::vector<float> weight;
    mw_graph g = {};
};

/* ---- graphs ------------------------------------------------------------------------------------------ */

class drawing
{
  public:
    drawing(dice &dice_, uint32_t weights) : d(dice_), n_weights(weights) {}
    void edge(uint32_t a, uint32_t b)
    {
        if (a == b)
            return;
        n = std::max({n, a + 1, b + 1});
        edges[std::minmax(a, b)] = static_cast<float>(below(d, n_weights));
    }
    uint32_t path(uint32_t from, uint32_t length)
    {
        for (uint32_t i = 0; i < length; i++, from = n - 1)
            edge(from, n);
        return from;
    }
    uint32_t star(uint32_t centre, uint32_t leaves)
    {
        for (uint32_t i = 0; i < leaves; i++)
            edge(centre, n);
        return n - 1;
    }
    void mesh(uint32_t a, uint32_t b, uint32_t c, double keep)
    {
        const auto at = [=](uint32_t i, uint32_t j, uint32_t k) {
            return (i * b + j) * c + k;
        };
        std::bernoulli_distribution stays(keep);
        for (uint32_t i = 0; i < a; i++)
            for (uint32_t j = 0; j < b; j++)
                for (uint32_t k = 0; k < c; k++) {
                    if (i + 1 < a && stays(d))
                        edge(at(i, j, k), at(i + 1, j, k));
                    if (j + 1 < b && stays(d))
                        edge(at(i, j, k), at(i, j + 1, k));
                    if (k + 1 < c && stays(d))
                        edge(at(i, j, k), at(i, j, k + 1));
                }
    }
    graph done() const
    {
        return graph(std::max(n, 2U) + 1, edges);
    }

    uint32_t n = 1;

  private:
    dice &d;
    const uint32_t n_weights;
    std::map<std::pair<uint32_t, uint32_t>, float> edges;
};

enum {
    GRID,
    STRIP,
    ROADS,
    CUBE,
    BROOM,
    STARS,
    CATERPILLAR,
    RANDOM,
    SKEWED,
    CHAINS,
    N_KINDS
};

graph draw(int kind, dice &d, uint32_t n_weights)
{
    drawing x(d, n_weights);
    uint32_t at = 0;
    switch (kind) {
    case GRID:
        x.mesh(40 + below(d, 20), 50, 1, 1);
        break;
    case STRIP:
        x.mesh(3, 400 + below(d, 200), 1, 1);
        break;
    case ROADS:
        x.mesh(60, 60, 1, 0.7);
        break;
    case CUBE: /* levels become large and small again */
        x.mesh(28, 28, 28, 1);
        break;
    case BROOM: /* a row of more entries than a block keeps rows */
        at = x.path(0, 30 + below(d, 100));
        at = x.star(at, 2000);
        x.path(at, 300);
        break;
    case STARS: /* a block finds more than it keeps, of what is small for all */
        for (int i = 0; i < 6; i++)
            at = x.star(x.path(at, 40), 200 + below(d, 50) + (i % 2) * 400);
        break;
    case CATERPILLAR:
        x.path(0, 600);
        for (uint32_t v = 0; v < 600; v++)
            x.star(v, std::array<uint32_t, 6>{0, 1, 3, 9, 17, 40}[below(d, 6)]);
        break;
    case RANDOM:
        for (int i = 0; i < 6000; i++)
            x.edge(below(d, 3000), below(d, 3000));
        break;
    case SKEWED:
        for (int i = 0; i < 20000; i++)
            x.edge(std::min(below(d, 2000), below(d, 2000)) / (1 + below(d, 8)),
                   below(d, 2000));
        break;
    default: /* chains that leave a dense part */
        for (int i = 0; i < 8000; i++)
            x.edge(below(d, 500), below(d, 500));
        for (int i = 0; i < 5; i++)
            x.path(below(d, 500), 200);
    }
    return x.done();
}

/* ---- searches ---------------------------------------------------------------------------------------- */

std::vector<uint32_t> depths(const graph &x, uint32_t root)
{
    std::vector<uint32_t> depth(x.n_places, NONE), queue = {root};
    depth[root] = 0;
    for (size_t i = 0; i < queue.size(); i++)
        for (const auto &[v, length] : x.near[queue[i]])
            if (depth[v] == NONE) {
                depth[v] = depth[queue[i]] + 1;
                queue.push_back(v);
            }
    return depth;
}

class searcher
{
  public:
    searcher(graph &graph_, double alpha) : x(graph_), parent(x.n_places)
    {
        room.resize(bfs_whole_words(x.g.n_labels));
        w.room = room.data();
        w.alpha = alpha;
        w.most_levels = UINT32_MAX;
        w.n_entries = x.g.n_entries;
        w.n_ranks = 1;
        s.g = &x.g;
        s.parent = parent.data();
        s.whole = &w;
        for (s.first_leaf = 0; s.first_leaf < x.g.n_labels &&
                               x.row[s.first_leaf + 1] - x.row[s.first_leaf] > 1;)
            s.first_leaf++;
        job.state = &s;
        bfs_sweeps_of_fibers().prepare(nullptr, &job);
    }
    void search(uint32_t root)
    {
        std::fill(parent.begin(), parent.end(), 12345);
        s.root = s.root_place = root;
        bfs_sweeps_of_fibers().whole(nullptr, &job);
        MUST(w.writes_all && w.reached == nullptr);
        check(root);
    }
    /* As components search: no parent is written, and a bit says who was reached. */
    void reach(uint32_t root, uint32_t most_levels)
    {
        const std::vector<uint32_t> depth = depths(x, root);
        std::fill(parent.begin(), parent.end(), 12345);
        s.root = s.root_place = root;
        w.reached_only = 1;
        w.most_levels = most_levels;
        bfs_sweeps_of_fibers().whole(nullptr, &job);
        w.reached_only = 0;
        w.most_levels = UINT32_MAX;
        for (uint32_t v = 0; v < x.n_places; v++) {
            const uint32_t l = x.label_of[v];
            MUST(parent[v] == 12345);
            MUST(l == NONE || (w.reached[l / 32] >> l % 32 & 1) ==
                                  (depth[v] != NONE && depth[v] <= most_levels));
        }
    }
    void check(uint32_t root) const
    {
        const std::vector<uint32_t> depth = depths(x, root);
        std::vector<uint64_t> n_at, n_edges_at;
        for (uint32_t v = 0; v < x.n_places; v++) {
            MUST((parent[v] == NONE) == (depth[v] == NONE));
            if (depth[v] == NONE)
                continue;
            if (n_at.size() <= depth[v]) {
                n_at.resize(depth[v] + 1);
                n_edges_at.resize(depth[v] + 1);
            }
            n_at[depth[v]]++;
            n_edges_at[depth[v]] += x.near[v].size();
            if (v == root) {
                MUST(parent[v] == root);
                continue;
            }
            MUST(parent[v] < x.n_places && depth[parent[v]] + 1 == depth[v]);
            MUST(std::any_of(x.near[v].begin(), x.near[v].end(),
                             [&](const auto &e) { return e.first == parent[v]; }));
        }
        if (x.near[root].empty())
            return;
        MUST(w.n_levels == n_at.size());
        uint64_t left = x.g.n_entries;
        for (uint32_t l = 0; l < n_at.size() && l < BFS_WHOLE_LEVELS; l++) {
            left -= n_edges_at[l];
            MUST(w.level[l].n_active == n_at[l]);
            MUST((l == w.recounts ? x.g.n_entries - recounted()
                                  : w.level[l].n_unvisited_edges) == left);
        }
    }

    uint64_t recounted() const
    {
        uint64_t n = 0;
        for (uint32_t l = 0; l < x.g.n_labels; l++)
            if (w.before[l / 32] >> l % 32 & 1)
                n += x.row[l + 1] - x.row[l];
        return n;
    }
    uint32_t n_up() const
    {
        uint32_t n = 0;
        for (uint32_t l = 0; l < w.n_levels && l < BFS_WHOLE_LEVELS; l++)
            n += w.level[l].up;
        return n;
    }

  private:
    graph &x;
    std::vector<uint32_t> parent;
    std::vector<uint32_t> room;
    bfs_whole w = {};
    bfs_state s = {};
    mw_job job = {};
};

START_TEST(searches_are_right)
{
    dice d(static_cast<unsigned>(_i) + 1);
    graph x = draw(_i % N_KINDS, d, 1);
    searcher all(x, below(d, 2) == 0 ? 30 : 0.5);
    for (int i = 0; i < how_many(20, 2, 1); i++)
        all.search(x.any(d));
    all.reach(x.any(d), UINT32_MAX);
    all.reach(x.any(d), below(d, 12));
    all.search(x.any(d)); /* nothing is left of those */
}
END_TEST

/* A team goes on from the first kernel, and all blocks from there; where levels become large and small again, a team goes
 * on twice. */
START_TEST(teams_and_all_blocks_take_turns)
{
    dice d(7);
    for (const int kind : {GRID, CUBE, STARS}) {
        graph x = draw(kind, d, 1);
        searcher all(x, 0.1); /* hardly ever bottom-up, from where nobody returns */
        const unsigned before = fibers::n_runs();
        all.search(0); /* a corner, or the end of a path */
        const unsigned n = fibers::n_runs() - before;
        ck_assert_msg(n >= (kind == GRID ? 3U : 5U), "kind %d: %u kernels", kind, n);
    }
}
END_TEST

/* Chains between dense parts: each of these is bottom-up, and each chain but for its first levels top-down. */
START_TEST(bottom_up_turns_back)
{
    dice d(9);
    drawing x(d, 1);
    uint32_t at = 0;
    for (int part = 0; part < 3; part++) {
        const uint32_t first = x.path(at, 24);
        at = x.star(first, 2000 + part * 500);
        for (int i = 0; i < 3000; i++)
            x.edge(first + 1 + below(d, at - first), first + 1 + below(d, at - first));
    }
    x.path(at, 200);
    graph y = x.done();
    searcher all(y, 30);
    for (const uint32_t root : {0U, 25U, y.any(d)}) {
        all.search(root);
        ck_assert_uint_ge(all.n_up(), 16);
        ck_assert_uint_le(all.n_up(), 3 * 8);
    }
}
END_TEST

/* ---- shortest paths ---------------------------------------------------------------------------------- */

std::vector<float> distances(const graph &x, uint32_t root)
{
    using entry = std::pair<float, uint32_t>;
    std::vector<float> at(x.n_places, INFINITY);
    std::priority_queue<entry, std::vector<entry>, std::greater<entry>> queue;
    at[root] = 0;
    for (queue.emplace(0.0F, root); !queue.empty();) {
        const auto [distance, u] = queue.top();
        queue.pop();
        if (distance > at[u])
            continue;
        for (const auto &[v, length] : x.near[u])
            if (distance + length < at[v]) {
                at[v] = distance + length;
                queue.emplace(at[v], v);
            }
    }
    return at;
}

class path_finder
{
  public:
    path_finder(graph &graph_, float delta, bool given)
        : x(graph_), word(x.g.n_labels + 64), near(x.g.n_labels / 64 + 1),
          far(near.size()), list_end(x.g.n_labels + 8), list(x.g.n_labels + 8),
          hook(x.n_places), parent(x.n_places + 8), rounds(SSSP_ROUNDS_BYTES)
    {
        s.g = &x.g;
        s.rows = {x.g.n_labels, x.g.n_entries, x.row.data(), x.column.data(),
                  x.weight.data()};
        s.word = word.data();
        s.near = near.data();
        s.far = far.data();
        s.name = x.name.data();
        s.hook = hook.data();
        s.list = list.data();
        s.list_end = list_end.data();
        s.parent = parent.data();
        s.rounds = rounds.data();
        s.counts = &counts;
        s.delta = delta;
        s.delta_given = given;
        for (uint32_t v = 0; v < x.n_places; v++)
            hook[v] = {x.label_of[v], SSSP_NO_LEAF, 0};
        job.state = &s;
    }
    void find(uint32_t root)
    {
        if (x.near[root].empty())
            return;
        std::fill(word.begin(), word.end(), SSSP_NO_WORD);
        std::fill(far.begin(), far.end(), 0);
        s.root = s.root_place = root;
        word[x.label_of[root]] = root;
        sssp_sweeps_of_fibers().whole(nullptr, &job);
        check(root);
    }
    void check(uint32_t root) const
    {
        const std::vector<float> right = distances(x, root);
        std::vector<uint32_t> by(x.n_places, NONE);
        for (uint32_t l = 0; l < x.g.n_labels; l++) {
            const uint32_t v = x.place_of[l];
            MUST((word[l] == SSSP_NO_WORD) == std::isinf(right[v]));
            if (word[l] == SSSP_NO_WORD)
                continue;
            const float distance = mw_float_of_word(word[l]);
            MUST(distance == right[v]);
            by[v] = static_cast<uint32_t>(word[l]);
            MUST(v != root || by[v] == root);
            MUST(v == root ||
                 std::any_of(x.near[v].begin(), x.near[v].end(), [&](const auto &e) {
                     return e.first == by[v] && right[e.first] + e.second == distance;
                 }));
        }
        for (uint32_t v = 0; v < x.n_places; v++) { /* no cycle */
            uint32_t at = v, n = 0;
            while (by[at] != NONE && at != root && n++ <= x.n_places)
                at = by[at];
            MUST(n <= x.n_places);
        }
    }

  private:
    graph &x;
    std::vector<uint64_t> word, near, far, list_end;
    std::vector<uint32_t> list;
    std::vector<sssp_hook> hook;
    std::vector<uint64_t> parent, rounds;
    sssp_counts counts = {};
    sssp_state s = {};
    mw_job job = {};
};

START_TEST(paths_are_right)
{
    dice d(static_cast<unsigned>(_i) + 1);
    const uint32_t n_weights = std::array<uint32_t, 4>{256, 3, 2, 1}[below(d, 4)];
    graph x = draw(_i % N_KINDS, d, n_weights);
    const bool given = below(d, 3) == 0;
    path_finder all(x, std::array<float, 3>{1, 32, 1000}[below(d, 3)], given);
    for (int i = 0; i < how_many(20, 2, 1); i++)
        all.find(x.any(d));
}
END_TEST

/* ---- core numbers ------------------------------------------------------------------------------------ */

std::vector<uint32_t> cores(const graph &x)
{
    std::vector<uint32_t> left(x.n_places), number(x.n_places);
    std::set<std::pair<uint32_t, uint32_t>> queue;
    uint32_t k = 0;
    for (uint32_t v = 0; v < x.n_places; v++) {
        left[v] = static_cast<uint32_t>(x.near[v].size());
        queue.emplace(left[v], v);
    }
    while (!queue.empty()) {
        const auto [n, v] = *queue.begin();
        queue.erase(queue.begin());
        number[v] = k = std::max(k, n);
        left[v] = NONE;
        for (const auto &[u, length] : x.near[v])
            if (left[u] != NONE) {
                queue.erase({left[u], u});
                queue.emplace(--left[u], u);
            }
    }
    return number;
}

START_TEST(core_numbers_are_right)
{
    dice d(static_cast<unsigned>(_i) + 1);
    graph x = draw(_i % N_KINDS, d, 1);
    std::vector<uint32_t> number(x.n_places), list(x.g.n_labels);
    std::vector<uint64_t> lost(x.g.n_labels), list_end(x.g.n_labels);
    core_counts counts = {};
    core s = {};
    mw_job job = {};
    s.g = &x.g;
    s.number = number.data();
    s.lost = lost.data();
    s.listed.label = list.data();
    s.listed.end = list_end.data();
    s.counts = &counts;
    job.state = &s;
    core_whole_of_fibers().peel(nullptr, &job);
    const std::vector<uint32_t> right = cores(x);
    for (uint32_t v = 0; v < x.n_places; v++)
        MUST(number[v] == right[v]);
    MUST(counts.most == *std::max_element(right.begin(), right.end()));
}
END_TEST

} // namespace

int main()
{
    Suite *const s = suite_create("device_kernels");
    TCase *const t = tcase_create("all");
    const int n = N_KINDS * how_many(20, 1, 1);
    tcase_add_loop_test(t, searches_are_right, 0, n);
    tcase_add_test(t, teams_and_all_blocks_take_turns);
    tcase_add_test(t, bottom_up_turns_back);
    tcase_add_loop_test(t, paths_are_right, 0, n);
    tcase_add_loop_test(t, core_numbers_are_right, 0, n);
    tcase_set_timeout(t, 0);
    suite_add_tcase(s, t);
    return run_suite(s);
}
