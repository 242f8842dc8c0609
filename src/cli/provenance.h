/* provenance.h -- where a result comes from: program, machine, job, command line.
 *
 * A figure without this cannot be compared with another. The environment goes in by an
 * allow-list and never as a whole; anonymised, host and user names are replaced by
 * hashes wherever they occur, so that results of one machine can still be told to be so.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_PROVENANCE_H
#define MW_PROVENANCE_H

#include "mpe/comm.h"

MW_BEGIN_DECLS

enum { MW_HOST_NAME = 64, MW_CPU_LIST = 128 };

/* Where one rank runs. */
struct mw_rank_site {
    char host[MW_HOST_NAME];
    char cpus[MW_CPU_LIST]; /* "0-3,8": what the affinity mask allows */
    /* Fingerprints of the program's file, of the kind of processor and of what MPI says it is; 0:
     * unknown. */
    uint64_t program, cpu, mpi;
};

struct mw_provenance {
    int argc;
    char **argv, **env; /* borrowed */
    char **entries;     /* after mw_provenance_gather() what `env` is: as it was then */
    char started_utc[32], ended_utc[32];
    double started, elapsed_s; /* monotonic */
    char host[MW_HOST_NAME], user[64];
    char kernel[256], cpu_model[160], governor[64], smt[32], thp[64];
    char cpuset[MW_CPU_LIST], cpu_limit[64];
    uint64_t memory_limit, memory_total; /* bytes; UINT64_MAX: none, 0: unknown */
    uint32_t n_cpus, n_numa;
    double load; /* of the last minute, at the start; < 0: unknown */
    bool container, anonymize;
    uint32_t n_ranks;
    struct mw_rank_site *site; /* [n_ranks] after mw_provenance_gather(), else NULL */
};

/* Local. */
void mw_provenance_start(struct mw_provenance *p, int argc, char **argv, char **env,
                         bool anonymize);
void mw_provenance_end(struct mw_provenance *p);

/* Collective: every rank's site, on every rank. */
int mw_provenance_gather(struct mw_provenance *p, struct mw_comm *comm) MW_NODISCARD;
void mw_provenance_fini(struct mw_provenance *p);

/* Local, the same on all ranks: are they alike? Refuses different programs, whose
 * messages need not mean the same, and names the first rank that differs; what else
 * differs goes to `odd`, "": nothing. */
int mw_provenance_judge(const struct mw_provenance *p, char *odd, size_t room)
    MW_NODISCARD;

/* Whether a variable may be shown: "OMP_NUM_THREADS=2" yes, "SECRET_TOKEN=x" and "MESHWAY_TOKEN=x"
 * no. */
bool mw_provenance_allows(const char *entry);

/* A new jansson object; NULL when memory is short. */
struct json_t *mw_provenance_json(const struct mw_provenance *p);

/* The build's part of it as text, for --version --json; freed with free(). */
int mw_provenance_build_text(char **text) MW_NODISCARD;

/* A new jansson string without names that must not be said, whatever its bytes. */
struct json_t *mw_provenance_string(const struct mw_provenance *p, const char *text);

MW_END_DECLS
#endif
