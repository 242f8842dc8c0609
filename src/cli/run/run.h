/* run.h -- "meshway run" between its files:
 *
 *      cmd_run.c      options, the order of things
 *      run_configure.c settings become configurations
 *      run_graph.c    the graph is read; --root and --target in the program's own numbers
 *      run_warnings.c what is worth a warning
 *      run_names.c    files: named and checked
 *      run_files.c    results: described and saved, also half-way
 *      resume.c       --resume: what an earlier run has finished is taken over
 *      resume_alone.c --resume without a graph: what the earlier run was given
 *      run_print.c    what is printed: the official block, levels, ways side by side
 *      run_lines.c    the lines behind the block, or in its place
 *
 * A command line with lists ("--engine mpe,cpe") is several ways to search one graph. Each has
 * settings, a world, a result and files of its own; nearly always there is one.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef RUN_H
#define RUN_H

#include "cli/choices.h"
#include "cli/figures.h"
#include "cli/run/device_room.h"
#include "cli/run/graph_options.h"
#include "cli/run/graph_source.h"
#include "cli/run/progress.h"
#include "cli/run/result_json.h"
#include "cli/run/tree_output.h"
#include "cli/run/tune.h"
#include "cli/session.h"
#include "cli/words.h"
#include "graph500/output.h"

#include <pthread.h>

MW_BEGIN_DECLS

enum { RUN_WAYS_MAX = 16, RUN_RESULT_BYTES_MAX = 256 << 20 };

struct run_way {
    struct mw_settings settings; /* without lists */
    const struct mw_algorithm *algorithm;
    struct mw_benchmark_conf conf; /* of all ways, with this algorithm: for the report */
    char name[64];                 /* "mpe relay"; "": the only one */
    struct mw_world_conf world_conf;
    const struct mw_backend *backend;
    struct mw_tuning tuning;
    struct mw_world *world;
    struct mw_figures figures;
    struct mw_report report;
    struct mw_timing prediction;
    bool predicted;           /* it is known */
    char *json, *csv, *trace; /* files; NULL: none; "-": standard output. Owned */
    bool partial;             /* there is one of a half-way result: ours to replace */
    struct json_t *earlier;   /* that result, until its searches are taken; owned */
    struct json_t
        *resumed;    /* the runs that were taken up, as the result names them; owned */
    uint32_t n_kept; /* searches that are theirs */
};

struct run {
    const struct mw_settings *settings;
    struct mw_session session;
    struct run_way way[RUN_WAYS_MAX];
    uint32_t n_ways;
    struct mw_benchmark_conf conf;
    struct mw_benchmark_result result[RUN_WAYS_MAX];
    struct mw_report report; /* what those of all ways have alike */
    struct mw_progress_view view;
    struct mw_tree_output tree;
    bool tree_kept;
    char *value_paths;    /* of --values, which the paths of `tree` point into; owned */
    struct mw_input file; /* of the graph */
    struct mw_goal goal;  /* conf.goal points here, if there is one */
    struct mw_graph_input input;    /* of a generated graph only the names */
    struct mw_rates rates;          /* of rank 0, as are predictions */
    uint32_t n_device_ranks;        /* that share this rank's device */
    struct mw_device_kinds devices; /* of all ranks; none: their memory is the host's */
    char *json;               /* the result file, before ways are named in it. Owned */
    char *folder;             /* of results without a name; NULL: there are none. Owned */
    bool takes_stdout;        /* a file is called "-": the block goes to stderr */
    mw_vid *root;             /* owned */
    struct mw_progress shown; /* what the progress view wants to hear */
    double saved, saving_s;   /* when half-way results were saved last, and the cost */
    pthread_mutex_t saving;   /* by this program or by the watchdog */
    bool all_saved;           /* the result is: nothing half-way is to replace it */
    uint32_t
        n_done[RUN_WAYS_MAX]; /* searches that are finished and not changed; atomic */
};

/* ---- run_configure.c: local ---- */

int run_configure(struct run *r) MW_NODISCARD;
/* Each way's configuration is that of all, with its algorithm. */
void run_tell_ways(struct run *r);
/* The variables of the reference, which are honoured or spoken of. */
void run_read_reference(struct run *r);

/* ---- run_graph.c ---- */

/* Room for the roots; which vertices they are is known once the graph's names are. */
int run_count_roots(struct run *r) MW_NODISCARD;
/* Given roots, each once, and the target in the program's own numbering. */
int run_find_roots(struct run *r) MW_NODISCARD;
/* Collective: the file, and the roots in it. */
int run_read_graph(struct run *r) MW_NODISCARD;

/* ---- run_preflight.c: collective ---- */

/* Leaves rank 0 alone where its device is faster than all; the other ranks get MW_DONE. */
int run_choose_devices(struct run *r) MW_NODISCARD;
/* Refuses what is known to fail, and decides who builds and who validates. */
int run_preflight(struct run *r) MW_NODISCARD;

/* ---- run_warnings.c ---- */

/* On rank 0, of each way: options that change nothing here. */
void run_warn_of_no_effect(struct run *r);
void run_warn_of_device(struct run *r);
/* On rank 0, of searches that are finished. */
void run_warn_of_searches(struct run *r);

/* ---- run_names.c ---- */

/* Whether a file is called "-". */
bool run_is_stdout(const char *path);
/* Of several roots each has files of its own: "t.txt" of 5 is "t.5.txt". */
bool run_tree_each(const struct run *r);
/* *out: the files of a root; its names are freed by run_free_trees(), also after an error. */
int run_name_trees(const struct run *r, mw_vid root, struct mw_tree_output *out)
    MW_NODISCARD;
void run_free_trees(const struct run *r, struct mw_tree_output *out);
/* Rank 0 looks whether they can be created, before the first search. */
int run_check_trees(const struct run *r, const mw_vid *root, uint32_t n) MW_NODISCARD;

int run_name_files(struct run *r) MW_NODISCARD;
/* Rank 0 looks whether all can be created, before anything is computed. */
int run_check_files(const struct run *r) MW_NODISCARD;

/* ---- run_files.c ---- */

/* Fills in the reports. */
void run_describe(struct run *r, enum mw_result_status status, const char *reason);
/* On rank 0, after run_describe() and with figures. */
int run_save(struct run *r) MW_NODISCARD;
/* Between searches on rank 0: what is finished goes to the result files after the first one and
 * then now and then, so that a run which is killed leaves it behind. At most a twentieth of the
 * time. */
void run_save_partial(struct run *r);
/* For mw_watchdog_keep(): does the same beside the program. */
void run_keep(void *arg, const char *reason, bool last);
/* Rank 0: MW_ERR_INTERRUPTED, with what is finished and where it is. */
int run_interrupted(const struct run *r, const char *reason) MW_NODISCARD;
/* Which way an invalid search was, in front of what was wrong with it. */
void run_name_invalid(const struct run *r, const char *what, char *out, size_t room);
int run_write_traces(struct run *r) MW_NODISCARD; /* collective */

/* ---- resume.c: all collective; without --resume they do nothing ---- */

/* With worlds open, before anything large: reads the result files and refuses those of another
 * configuration or program. MW_DONE: nothing is left to be searched, and it has been said. */
int run_resume_open(struct run *r) MW_NODISCARD;
/* With graph and roots: takes over what is finished, if it is of both. */
int run_resume_take(struct run *r, const mw_vid *root, uint32_t n) MW_NODISCARD;
void run_resume_close(struct run *r);
/* Local, with files named: the ranks of the run that is taken up; 0: there is none, or nobody knows. */
uint64_t run_resume_ranks(const struct run *r);
/* Whether a run and the one that it takes up may differ in this option. Local. */
bool run_resume_is_free(const char *option);

/* ---- resume_alone.c ---- */

/* Local, and before MPI. Where --resume is given and no graph: *out has the settings of the run
 * that left the file, but for what `s` says; it borrows from the words, and from `s`. Else, or
 * after an error, out->command may be NULL: then there are none to be freed. */
int run_resume_alone(const struct mw_settings *s, struct mw_words *w,
                     struct mw_settings *out) MW_NODISCARD;

/* ---- run_print.c ---- */

void run_print_banner(const struct run *r);
/* `rc` is what the benchmark returned. */
int run_print_results(const struct run *r, int rc) MW_NODISCARD;
void run_print_next(const struct run *r);

/* ---- run_lines.c ---- */

/* Lines beyond the reference's block; `key: value` like all others. */
int run_print_extras(const struct run *r, FILE *out) MW_NODISCARD;
/* What searches that end early are for. */
void run_print_goals(const struct run *r, struct mw_official_lines *to);
/* In place of the block, for a graph from a file: what was found and how long it took. */
int run_print_summary(const struct run *r, FILE *out) MW_NODISCARD;

MW_END_DECLS
#endif
