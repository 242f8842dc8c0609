/* test_row_sums.cpp -- rows on Kokkos have the sums of their entries: rows of every length, in any order, and whatever is
 * remembered of the kinds of another graph's rows.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "kokkos/row_sums.hpp"

extern "C" {
#include "suite.h"
}

#include <algorithm>
#include <functional>
#include <random>
#include <string>
#include <vector>

namespace
{

mwk::store remembered;

/* Whole numbers, whose sums are exact. */
KOKKOS_INLINE_FUNCTION double amount_of(uint64_t row, uint64_t k)
{
    return static_cast<double>((row * 7 + k * 3 + 1) % 1000);
}

struct rows {
    std::vector<uint64_t> end;
    std::string name;
};

enum order { FALLING, NEARLY, ANY, EMPTY, HUB, ORDERS };

rows draw(int order, uint64_t n, std::mt19937 &dice)
{
    std::vector<uint64_t> length(n);
    for (uint64_t &l : length) {
        const uint64_t most = UINT64_C(1) << dice() % 11;
        l = order == EMPTY ? 0 : dice() % (most + 1);
    }
    if (order == FALLING || order == NEARLY)
        std::sort(length.begin(), length.end(), std::greater<uint64_t>());
    for (uint64_t i = 0; order == NEARLY && i + 1 < n; i += 1 + dice() % 9)
        std::swap(length[i], length[i + 1]);
    if (order == HUB && n > 0)
        length[dice() % n] = 300000;
    rows x = {std::move(length),
              "order " + std::to_string(order) + ", " + std::to_string(n) + " rows"};
    for (uint64_t i = 1; i < n; i++)
        x.end[i] += x.end[i - 1];
    return x;
}

/* n_of_graph: 0, these are a list's. */
void must_sum(const rows &x, uint64_t n_of_graph, const char *how)
{
    const uint64_t n = x.end.size();
    std::vector<double> sum(n, 12345);
    mwk::sum_rows(
        "rows of a test", x.end.data(), n, n_of_graph, sum.data(),
        KOKKOS_LAMBDA(uint64_t i, uint64_t k) { return amount_of(i, k); });
    Kokkos::fence();
    for (uint64_t i = 0; i < n; i++) {
        double right = 0;
        for (uint64_t k = 0; k < x.end[i] - (i > 0 ? x.end[i - 1] : 0); k++)
            right += amount_of(i, k);
        ck_assert_msg(sum[i] == right, "%s, %s: row %u has %g, not %g", x.name.c_str(),
                      how, static_cast<unsigned>(i), sum[i], right);
    }
}

} // namespace

mwk::store &mwk::here()
{
    return remembered;
}

START_TEST(rows_have_their_sums)
{
    const Kokkos::ScopeGuard guard;
    std::mt19937 dice(7);
    for (const uint64_t n : {0, 1, 2, 31, 300, 3000})
        for (int order = 0; order < ORDERS; order++) {
            const rows x = draw(order, n, dice);
            const uint64_t n_of_graph = 1 + dice() % 1000;
            must_sum(x, 0, "a list");
            must_sum(x, n_of_graph, "a graph");
            const mwk::known_rows own = remembered.rows;
            must_sum(x, n_of_graph, "the same graph");
            if (n == 0)
                continue;
            ck_assert(own.end == x.end.data() && own.n_rows == n);
            if (order == FALLING && n >= 300) /* rows of all kinds */
                ck_assert(own.behind[mwk::ROW_KINDS - 1] > 0 && own.behind[0] < n);
            std::fill_n(remembered.rows.behind, mwk::ROW_KINDS, 0);
            remembered.rows.n_long_entries = 0;
            must_sum(x, n_of_graph, "all rows are taken for short ones");
            for (const uint64_t n_entries : {1, 400, 10000000}) {
                std::fill_n(remembered.rows.behind, mwk::ROW_KINDS, n);
                remembered.rows.n_long_entries = n_entries;
                must_sum(x, n_of_graph, "all rows are taken for long ones");
            }
        }
}
END_TEST

int main()
{
    Suite *const s = suite_create("row_sums");
    TCase *const t = tcase_create("all");
    tcase_add_test(t, rows_have_their_sums);
    tcase_set_timeout(t, 0);
    suite_add_tcase(s, t);
    return run_suite(s);
}
