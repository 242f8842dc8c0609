/* fibers.cpp -- see fibers.hpp.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "fibers.hpp"

#include <csetjmp>
#include <memory>
#include <ucontext.h>

namespace fibers
{

namespace
{

constexpr size_t STACK = 96 * 1024;

struct fiber {
    ucontext_t start;
    jmp_buf at;
    unsigned thread;
    bool is_begun, is_done, only_looks;
    const unsigned *times; /* it waits while these are... */
    unsigned were;         /* ...so many; NULL: it does not wait */
};

struct block {
    unsigned number;
    grid *all;
    meeting of_block;
    std::vector<warp> warps;
    std::vector<fiber> fibers;
    std::unique_ptr<char[]> stacks;
    std::vector<std::max_align_t> shared;
    const std::function<void()> *kernel;
    jmp_buf scheduler;
    fiber *now;
};

thread_local block *here;
unsigned n_kernels;

void give_way()
{
    if (_setjmp(here->now->at) == 0)
        _longjmp(here->scheduler, 1);
}

void begin()
{
    (*here->kernel)();
    here->now->is_done = true;
    _longjmp(here->scheduler, 1);
}

void go_on(block &b, fiber &f)
{
    b.now = &f;
    if (_setjmp(b.scheduler) != 0)
        return;
    if (f.is_begun)
        _longjmp(f.at, 1);
    f.is_begun = true;
    setcontext(&f.start);
}

void run_block(unsigned number, unsigned n_threads, size_t n_shared, grid &all,
               const std::function<void()> &kernel)
{
    block b = {};
    bool all_done = false;
    b.number = number;
    b.all = &all;
    b.warps.resize((n_threads + WARP - 1) / WARP);
    b.fibers.resize(n_threads);
    b.stacks.reset(
        new char[STACK * n_threads]); /* as it is: most of it is never touched */
    b.shared.resize(n_shared / sizeof b.shared[0] + 1);
    b.kernel = &kernel;
    here = &b;
    /* What a block finds in its shared memory is anything. */
    std::memset(b.shared.data(), 0xa5, n_shared);
    for (unsigned i = 0; i < n_threads; i++) {
        fiber &f = b.fibers[i];
        f.thread = i;
        getcontext(&f.start);
        f.start.uc_stack.ss_sp = &b.stacks[STACK * i];
        f.start.uc_stack.ss_size = STACK;
        f.start.uc_link = nullptr;
        makecontext(&f.start, begin, 0);
    }
    while (!all_done) {
        bool none_worked = true;
        all_done = true;
        for (fiber &f : b.fibers) {
            all_done = all_done && f.is_done;
            if (f.is_done || (f.times != nullptr && *f.times == f.were))
                continue;
            f.only_looks = false;
            go_on(b, f);
            none_worked = none_worked && f.only_looks;
        }
        if (none_worked)
            std::this_thread::yield();
    }
    here = nullptr;
}

} // namespace

unsigned thread_here()
{
    return here->now->thread;
}
unsigned block_here()
{
    return here->number;
}
unsigned n_threads_here()
{
    return static_cast<unsigned>(here->fibers.size());
}
unsigned n_blocks_here()
{
    return here->all->n_blocks;
}
warp &warp_here()
{
    return here->warps[thread_here() / WARP];
}
grid &grid_here()
{
    return *here->all;
}
void *shared_here()
{
    return here->shared.data();
}

void meet(meeting &all, unsigned n)
{
    fiber &me = *here->now;
    me.were = all.times;
    if (++all.arrived == n) {
        all.arrived = 0;
        all.times++;
        return;
    }
    me.times = &all.times;
    while (*me.times == me.were)
        give_way();
    me.times = nullptr;
}

void meet_block()
{
    meet(here->of_block, n_threads_here());
}

void wait_a_moment()
{
    here->now->only_looks = true;
    give_way();
}

void meet_grid()
{
    grid &all = grid_here();
    meet_block();
    if (thread_here() == 0) {
        const unsigned times = all.times.load();
        if (all.arrived.fetch_add(1) + 1 == all.n_blocks) {
            all.arrived = 0;
            all.times++;
        } else {
            while (all.times.load() == times)
                wait_a_moment();
        }
    }
    meet_block();
}

unsigned n_runs()
{
    return n_kernels;
}

void run(unsigned n_blocks, unsigned n_threads, size_t n_shared,
         const std::function<void()> &kernel)
{
    n_kernels++;
    grid all;
    std::vector<std::thread> threads;
    all.n_blocks = n_blocks;
    for (unsigned b = 0; b < n_blocks; b++)
        threads.emplace_back(run_block, b, n_threads, n_shared, std::ref(all),
                             std::cref(kernel));
    for (std::thread &t : threads)
        t.join();
}

} // namespace fibers
