/* cmd_validate.c -- "meshway validate": is this tree a breadth-first tree of that graph?
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "algorithms/bfs/bfs_validate.h"
#include "cli/commands.h"
#include "cli/run/graph_options.h"
#include "cli/run/graph_source.h"
#include "cli/session.h"
#include "graph/graph.h"
#include "graph500/output.h"
#include "io/graphalytics.h"
#include "io/treefile.h"

#include <inttypes.h>
#include <string.h>

/* clang-format off */
static const struct mw_option options[] = {
    {.name = "graph", .letter = 'g', .kind = MW_OPT_TEXT, .value = "GRAPH",
     .section = "input", .help = "The graph, in any format that can be read"},
    {.name = "tree", .kind = MW_OPT_TEXT, .value = "TREE",
     .help = "The parent of every vertex, as 'meshway run --tree' writes it"},
    {.name = "root", .letter = 'r', .kind = MW_OPT_TEXT, .value = "V",
     .help = "Where the search began; default: the vertex that is its own parent"},
    {.name = "format", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_FORMAT_WORDS, .help = "Format of the graph; auto looks at the content"},
    {.name = "base", .kind = MW_OPT_WORD, .value = "N", .fallback = "0", .words = "0|1",
     .help = "What the graph calls its first vertex, if its format leaves it open"},
    {.name = "vertices", .kind = MW_OPT_COUNT, .value = "N", .min = 1,
     .max = UINT64_C(1) << 48, .help = "Number of vertices where the graph does not say it"},
    MW_OPTION_UNPACK,
    {.name = "directed", .kind = MW_OPT_FLAG,
     .help = "The edges go one way: from the first vertex to the second"},
    MW_OPTION_UNDIRECTED,
    {.name = "max-depth", .kind = MW_OPT_COUNT, .value = "D", .min = 0, .max = 1000000000,
     .help = "The search ended after D levels"},
    MW_OPTIONS_VERTEX_NAMES,
    MW_OPTIONS_COLUMNS,
    {.name = "graphalytics", .kind = MW_OPT_TEXT, .value = "REFERENCE",
     .section = "LDBC Graphalytics",
     .help = "Compare the answer in TREE, which may stand alone, with this one; no graph is read"},
    {.name = "rule", .kind = MW_OPT_WORD, .value = "WORD", .fallback = "auto",
     .words = MW_GRAPHALYTICS_RULES,
     .help = "How: the same integers, reals within 0.0001, or the same sets; auto: as the "
             "reference's name says (-BFS, -CDLP; -PR, -SSSP; -WCC)"},
    {.name = "timeout", .kind = MW_OPT_REAL, .value = "S", .fallback = "0", .min = 0,
     .max = 100000000, .section = "limits", .help = "Give up after S seconds; 0: never"},
    MW_OPTIONS_COMMON,
};

static const struct mw_conflict conflicts[] = {{"rule", "!graphalytics", "trees have rules of their own"},
                                               MW_CONFLICT_DIRECTED, MW_CONFLICTS_VERTEX_NAMES,
                                               MW_CONFLICTS_COMMON};
/* clang-format on */

/* Collective: the one vertex that is its own parent. */
static int find_root(struct mw_comm *comm, const int64_t *parent, uint64_t n_vertices,
                     mw_vid *root)
{
    uint64_t found[2] = {0, 0}; /* how many, and the sum of their numbers */
    for (uint64_t v = comm->rank, place = 0; v < n_vertices; v += comm->size, place++)
        if (parent[place] >= 0 && (uint64_t)parent[place] == v) {
            found[0]++;
            found[1] += v;
        }
    const int rc = mw_comm_sum(comm, found, 2);
    if (rc < MW_OK)
        return rc;
    if (found[0] != 1)
        return mw_fail(MW_ERR_INVALID,
                       "rule 1, one tree with one root: %" PRIu64
                       " vertices are their own "
                       "parent",
                       found[0]);
    *root = found[1];
    return MW_OK;
}

static int print_verdict(const struct mw_verdict *v, mw_vid root,
                         const struct mw_names *names)
{
    struct mw_official_lines to = {stdout, MW_OK};
    char text[MW_NAME_ROOM];
    mw_official_extra(&to, "validation", "passed");
    mw_official_extra(&to, "root", "%s", mw_names_text(names, root, text));
    mw_official_extra(&to, "num_vertices", "%" PRIu64, names->n_vertices);
    mw_official_extra(&to, "num_reached", "%" PRIu64, v->n_reached);
    mw_official_extra(&to, "num_levels", "%u", v->n_levels);
    mw_official_extra(&to, "nedge", "%" PRIu64, v->n_edges);
    mw_official_extra(&to, "nedge_self_loops", "%" PRIu64, v->n_self_loops);
    return to.rc;
}

/* Makes 64-bit parents 32 bits wide where the graph's numbers are; -1 stays all ones. */
static void narrow(int64_t *parent, uint64_t n)
{
    uint32_t *to = (uint32_t *)(void *)parent;
    for (uint64_t i = 0; i < n; i++) {
        const int64_t p = parent[i];
        memcpy(&to[i], &(uint32_t){(uint32_t)p}, sizeof *to);
    }
}

/* Collective: the specification's rules, on all ranks. Destroys parent[]. */
static int check_tree(struct mw_comm *comm, const struct mw_edges *edges, mw_vid root,
                      uint32_t last_level, int64_t *parent, struct mw_verdict *out)
{
    int rc;
    struct mw_world *world = NULL;
    struct mw_validator *v = NULL;
    const bool wide = edges->n_vertices > MW_NARROW_VERTICES;
    const struct mw_partition partition =
        mw_partition_of(edges->n_vertices, comm->rank, comm->size);
    if (!wide)
        narrow(parent, mw_my_places(&partition));
    MW_TRY(rc,
           mw_world_new(&(struct mw_world_conf){.backend = "auto", .hang_timeout_s = 60},
                        comm, &world));
    MW_TRY(rc, mw_validator_new(world, edges, &v));
    mw_validator_end_at(v, last_level);
    rc = mw_validate(v, root, parent, wide, out);
end:
    mw_validator_free(v);
    mw_world_free(world);
    return rc;
}

static int choose_root(const struct mw_settings *s, struct mw_comm *comm,
                       const int64_t *parent, const struct mw_names *names, mw_vid *root)
{
    return mw_setting_text(s, "root") == NULL
               ? find_root(comm, parent, names->n_vertices, root)
               : mw_names_parse(names, "--root", mw_setting_text(s, "root"), root);
}

/* Collective: the rank that speaks compares. */
static int compare_answers(const struct mw_settings *s, struct mw_session *session)
{
    static const char *const rules[] = {"auto", "exact", "epsilon", "equivalence"};
    struct mw_official_lines to = {stdout, MW_OK};
    uint64_t n = 0;
    enum mw_graphalytics_rule rule =
        (enum mw_graphalytics_rule)mw_setting_number(s, "rule");
    const char *const tree = mw_setting_text(s, "tree");
    if (!session->speaks)
        return MW_OK;
    const int rc = mw_graphalytics_compare(
        mw_setting_text(s, "graphalytics"),
        tree != NULL ? tree : mw_setting_text(s, "graph"), &rule, &n);
    if (rc < MW_OK)
        return rc;
    mw_official_extra(&to, "validation", "passed");
    mw_official_extra(&to, "rule", "%s", rules[rule]);
    mw_official_extra(&to, "num_vertices", "%" PRIu64, n);
    return to.rc;
}

static int validate(const struct mw_settings *s, struct mw_session *session)
{
    int rc;
    mw_vid root = 0;
    uint32_t last_level = UINT32_MAX;
    char note[512];
    struct mw_verdict verdict;
    int64_t *parent = NULL;
    struct mw_graph_input g = {0};
    struct mw_comm *comm = session->comm;
    struct mw_input file = {.fd = -1};
    MW_TRY(rc, mw_source_of(comm, s, "graph", &file));
    const struct mw_read_conf conf = mw_graph_input_conf(s, &file);
    MW_TRY(rc, mw_graph_input_read(comm, &conf, mw_graph_input_naming(s, &conf),
                                   MW_ADVICE_VERTICES, &g));
    g.edges.directed = mw_graph_input_one_way(&g.facts, mw_setting_text(s, "graph"),
                                              mw_graph_input_asked(s), note, sizeof note);
    if (note[0] != '\0')
        mw_session_say(session, "meshway: note: %s", note);
    mw_graph_input_notes(&conf, mw_graph_input_naming(s, &conf), &g.facts,
                         mw_graph_input_bound(&g.facts), mw_graph_input_say, session);
    rc = mw_read_tree(mw_setting_text(s, "tree"), &g.names, comm->rank, comm->size,
                      &parent);
    MW_TRY(rc, mw_comm_agree(comm, rc));
    MW_TRY(rc, choose_root(s, comm, parent, &g.names, &root));
    if (mw_setting_text(s, "max-depth") != NULL)
        last_level = (uint32_t)mw_setting_number(s, "max-depth");
    MW_TRY(rc, check_tree(comm, &g.edges, root, last_level, parent, &verdict));
    if (session->speaks)
        rc = print_verdict(&verdict, root, &g.names);
end:
    mw_free(parent);
    mw_graph_input_fini(&g);
    mw_input_close(&file);
    return rc;
}

static int validate_main(const struct mw_settings *s)
{
    struct mw_session session;
    const bool compares = mw_setting_text(s, "graphalytics") != NULL;
    const int early =
        compares || mw_setting_text(s, "tree") != NULL
            ? MW_OK
            : mw_fail(MW_ERR_USAGE,
                      "validate: TREE is missing; 'meshway validate --help' says more");
    int rc = mw_session_start(s, early, &session);
    if (rc == MW_OK)
        rc = compares ? compare_answers(s, &session) : validate(s, &session);
    return mw_session_finish(&session, rc);
}

const struct mw_command mw_command_validate = {
    .name = "validate",
    .summary = "check a stored tree against a graph",
    .text =
        "Checks the parents in TREE against GRAPH by the five rules of the Graph500 "
        "specification, on all ranks it is started on. A tree that breaks one is named "
        "with the rule and the place, and the code is 76. The rules for --directed: a "
        "tree "
        "edge leads from the parent to its child, and no edge leaves the tree or leads "
        "down "
        "by more than one level. With --graphalytics, TREE is the answer of any "
        "algorithm, and is compared with a reference.",
    .example = "mpiexec -n 2 meshway validate web.mtx tree.txt",
    .example_does =
        "the tree that 'meshway run --graph web.mtx --root 1 --tree tree.txt' "
        "wrote",
    MW_COMMAND_OPTIONS(options),
    MW_COMMAND_CONFLICTS(conflicts),
    .operand = {"graph", "tree"},
    .n_required = 1,
    .main = validate_main,
};
