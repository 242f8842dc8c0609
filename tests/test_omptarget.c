/* test_omptarget.c -- searches and components on a device of OpenMP; without one its regions run on the
 * host.
 *
 * There, apart, more is closed than with Kokkos: what is of both is the host's alone (region.h), so a
 * region that touches it dies. The linker puts us around regions and copies.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#define DEVICE        mw_backend_omptarget
#define DEVICE_JUDGES false
#define DEVICE_WHOLE  true
#include "algorithms/bfs/bfs_search.h"
#include "device_body.h"
#include "omptarget/bfs_whole.h"
#include "omptarget/region.h"

#include <omp.h>
#include <sys/wait.h>
#include <unistd.h>

/* What is of both: an arena of the rank's, like the one of cores. */
static _Thread_local struct {
    char *at;
    uint64_t used;
    struct mw_job *job;
} both;

static void protect(int cores, int of_both)
{
    if (apart.at == NULL)
        return;
    apart_protect(cores);
    if (both.at != NULL && mprotect(both.at, APART_ROOM, of_both) != 0)
        abort();
}

bool __real_mwo_region_begins(void);
bool __wrap_mwo_region_begins(void);
bool __wrap_mwo_region_begins(void)
{
    protect(PROT_READ | PROT_WRITE, PROT_NONE);
    return __real_mwo_region_begins();
}

bool __real_mwo_region_ends(void);
bool __wrap_mwo_region_ends(void);
bool __wrap_mwo_region_ends(void)
{
    protect(PROT_NONE, PROT_READ | PROT_WRITE);
    return __real_mwo_region_ends();
}

void __real_mwo_put(void *to, const void *from, uint64_t bytes);
void __wrap_mwo_put(void *to, const void *from, uint64_t bytes);
void __wrap_mwo_put(void *to, const void *from, uint64_t bytes)
{
    protect(PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE);
    __real_mwo_put(to, from, bytes);
    protect(PROT_NONE, PROT_READ | PROT_WRITE);
}

void __real_mwo_get(void *to, const void *from, uint64_t bytes);
void __wrap_mwo_get(void *to, const void *from, uint64_t bytes);
void __wrap_mwo_get(void *to, const void *from, uint64_t bytes)
{
    protect(PROT_READ | PROT_WRITE, PROT_READ | PROT_WRITE);
    __real_mwo_get(to, from, bytes);
    protect(PROT_NONE, PROT_READ | PROT_WRITE);
}

static void *take(struct mw_cluster *c, enum mw_memory_kind kind, const char *what,
                  uint64_t n, uint64_t size)
{
    const uint64_t bytes = mw_round_up(n * size + 1, 2 * MW_CACHE_LINE);
    if (kind != MW_OF_BOTH)
        return apart_take(c, kind, what, n, size);
    if (both.at == NULL)
        both.at = mmap(NULL, APART_ROOM, PROT_READ | PROT_WRITE,
                       MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (both.at == MAP_FAILED || both.used + bytes > APART_ROOM)
        abort();
    both.used += bytes;
    return both.at + both.used - bytes;
}

static void give(struct mw_cluster *c, enum mw_memory_kind kind, void *p)
{
    if (kind != MW_OF_BOTH)
        apart_give(c, kind, p);
    else if ((char *)p < both.at || (char *)p >= both.at + both.used)
        abort();
}

static bool device_is_host(void)
{
    int status = 0;
    const pid_t child =
        fork(); /* each test is a process, and a driver that has begun survives no fork */
    if (child == 0)
        _exit(omp_get_num_devices() == 0);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) &&
           WEXITSTATUS(status);
}

static const struct mw_memory *device_memory(void)
{
    static struct mw_memory memory;
    memory = apart_memory;
    memory.take = take;
    memory.give = give;
    return &memory;
}

static void device_opened(void) {}

/* The job is the host's too: a region that reads it, be it for the bounds of its loop, dies. */
static void run_closed(struct mw_cluster *c, mw_kernel *kernel, void *job)
{
    if (both.job == NULL)
        both.job = take(c, MW_OF_BOTH, "job", 1, sizeof *both.job);
    memcpy(both.job, job, sizeof *both.job);
    DEVICE.run(c, kernel, both.job);
    memcpy(job, both.job, sizeof *both.job);
}

static void must_find_the_same_levels(struct sample s, uint64_t seed, uint64_t alone)
{
    struct searches q;
    searches_init(&q, &s, 4, seed);
    q.rule.alpha =
        seed % 3 == 0 ? 1000 : (double)(seed % 3); /* bottom-up soon, or late */
    mwo_whole_alone = alone;
    struct ranks r = device_ranks(device_is_host(), 1, 0);
    r.body = nothing_else_moves;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}

/* By one team, by all, and by both in turn. */
START_TEST(whole_searches_find_the_same_levels)
{
    static const uint64_t alone[] = {UINT64_MAX, 0, 8, 60};
    const int n = sizeof alone / sizeof *alone;
    must_find_the_same_levels(sample_of(_i / n), (uint64_t)_i, alone[_i % n]);
}
END_TEST

/* Words and pieces for several teams. */
START_TEST(large_whole_searches_find_the_same_levels)
{
    must_find_the_same_levels(sample_kronecker(12), (uint64_t)_i, (uint64_t)_i);
}
END_TEST

/* A vertex with three leaves at the end of a path. */
enum { LEAVES = 3, FAR_END = 12000 };

/* The level of the leaves is a region, those along the path are one team's in it. */
static int levels_that_nobody_is_told_are_in_no_other(struct mw_world *w, void *arg)
{
    struct mw_direction_rule rule = {.span = MW_SPAN_WHOLE};
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    bool beyond = false;
    int rc;
    MW_TRY(rc, sample_share(arg, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &rule, w, g, &b));
    if (g->wide) /* not whole */
        goto end;
    for (int i = 0; i < 5 && !beyond;
         i++) { /* cores may be somebody else's for a while */
        uint64_t told = 0;
        MW_TRY(rc, mw_traversal_reset(b));
        MW_TRY(rc, mw_traversal_run(b, 0));
        const struct bfs_whole *whole = ((struct mw_bfs *)b->state)->s.whole;
        EXPECT(whole->n_levels == 2 + FAR_END, "%u levels", whole->n_levels);
        for (uint32_t k = 0; k < BFS_WHOLE_LEVELS; k++)
            told += whole->level[k].ns;
        beyond = told < whole->level[BFS_WHOLE_LEVELS].ns;
    }
    if (!beyond)
        rc = mw_fail(MW_ERR_INVALID, "what is told took most of it");
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(deep_whole_searches_are_timed)
{
    struct sample s = {.name = "deep", .n = 1 + LEAVES + FAR_END};
    for (uint64_t v = 1; v <= LEAVES; v++)
        sample_edge(&s, 0, v);
    for (uint64_t v = LEAVES; v + 1 < s.n; v++)
        sample_edge(&s, v, v + 1);
    sample_finish(&s);
    mwo_whole_alone = 1;
    struct ranks r = device_ranks(device_is_host(), 1, 0);
    r.body = levels_that_nobody_is_told_are_in_no_other;
    r.arg = &s;
    must_run(&r);
    sample_free(&s);
}
END_TEST

/* Ways to search, and whether the searches may be whole. */
static const struct {
    struct mw_direction_rule rule;
    bool whole;
} ways[] = {
    {{.span = MW_SPAN_WHOLE}, true},
    {{.span = MW_SPAN_WHOLE, .alpha = 3}, true},
    {{.span = MW_SPAN_LEVEL}, false},
    {{.policy = MW_DIRECTION_TOP_DOWN}, false},
    {{.policy = MW_DIRECTION_BOTTOM_UP}, false},
    {{.beta = 24}, false},
    {{.form = MW_FORM_MESSAGES}, false},
};

static int takes_room_as_planned(struct mw_world *w, void *arg)
{
    const struct searches *q = arg;
    struct mw_edges edges = {0};
    struct mw_graph *g = NULL;
    struct mw_traversal *b = NULL;
    struct mw_world_shape world;
    int rc;
    mw_world_shape_of(w, &world);
    MW_TRY(rc, sample_share(q->sample, w->comm, &edges));
    MW_TRY(rc, mw_graph_build(mw_world_host_side(w), &edges, &g));
    for (size_t i = 0; i < sizeof ways / sizeof *ways; i++) {
        const struct mw_algorithm_shape shape = {.n_places = g->n_places,
                                                 .n_labels = g->n_labels,
                                                 .label_bits = g->label_bits,
                                                 .wide = g->wide,
                                                 .directed = g->directed,
                                                 .options = &ways[i].rule};
        const bool whole = ways[i].whole && !g->wide && g->n_labels > 0;
        struct mw_sizes sizes = {0};
        mw_algorithm_bfs.sizes(&shape, &world, &sizes);
        EXPECT((mw_sizes_find(&sizes, "room of a whole search")->copies > 0) == whole,
               "way %zu: planned", i);
        MW_TRY(rc, mw_traversal_new(&mw_algorithm_bfs, &ways[i].rule, w, g, &b));
        EXPECT((((struct mw_bfs *)b->state)->s.whole != NULL) == whole, "way %zu: taken",
               i);
        MW_TRY(rc, mw_traversal_reset(b));
        MW_TRY(rc, mw_traversal_run(b, q->root[0]));
        EXPECT(b->settled == whole, "way %zu: whole %d", i, b->settled);
        mw_traversal_free(b);
        b = NULL;
    }
end:
    mw_traversal_free(b);
    mw_graph_free(g);
    mw_edges_fini(&edges);
    return rc;
}

START_TEST(room_of_whole_searches_is_taken_where_they_may_be)
{
    struct sample s = sample_of(_i);
    struct searches q;
    searches_init(&q, &s, 1, (uint64_t)_i);
    struct ranks r = device_ranks(device_is_host(), 1, 0);
    r.body = takes_room_as_planned;
    r.arg = &q;
    must_run(&r);
    searches_free(&q);
    sample_free(&s);
}
END_TEST

static void device_own_tests(TCase *t, int n)
{
    device_apart.launch = device_apart.run = run_closed;
    tcase_add_loop_test(t, whole_searches_find_the_same_levels, 0, 2 * n);
    tcase_add_loop_test(t, large_whole_searches_find_the_same_levels, 0, 9);
    tcase_add_test(t, deep_whole_searches_are_timed);
    tcase_add_loop_test(t, room_of_whole_searches_is_taken_where_they_may_be, 0, SHAPES);
}

int main(void)
{
    return device_suite();
}
