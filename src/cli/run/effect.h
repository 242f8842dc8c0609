/* effect.h -- what of the settings has come true: stamps on results that are not what they seem,
 * and options that change nothing on this shape.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_EFFECT_H
#define MW_EFFECT_H

#include "cli/option.h"
#include "graph500/benchmark.h"
#include "mpe/world.h"

MW_BEGIN_DECLS

enum { MW_STAMPS_MOST = 5, MW_NBFS = 64 /* searches of the benchmark */ };

/* How many searches are validated: "full", "part" or "none"; and of those that are finished, how many
 * have been. */
const char *mw_effect_validation(const struct mw_benchmark_conf *conf,
                                 const struct mw_benchmark_result *result);
uint32_t mw_effect_checked(const struct mw_benchmark_result *result);

/* NULL-terminated, in this order: "NOT VALIDATED" or "PARTLY VALIDATED"; "OVERSUBSCRIBED": more ranks, or more
 * threads of all of them, than some host has cores; "OTHER TOPOLOGY": cores were counted
 * on a machine that a variable of hwloc's describes; "PARTIAL": searches ended early;
 * "NBFS BELOW 64", on the benchmark's graph only. */
void mw_effect_stamps(const struct mw_benchmark_conf *conf,
                      const struct mw_benchmark_result *result,
                      const struct mw_world *world, const char *out[MW_STAMPS_MOST + 1]);

/* The same as one text, separated by ", "; "" without any. */
void mw_effect_stamp_text(const char *const *stamps, char *out, size_t room);

/* Searches that all of these judges (enum mw_judge, as bits) have found valid; and judges
 * in words, by their bits. */
uint32_t mw_effect_judged(const struct mw_benchmark_result *result, uint8_t judges);
extern const char *const mw_effect_judges[5];

/* Was something else at work on this host? Searches that reached about the same number of
 * edges took very different times, and more processors were wanted (`load`, of the last
 * minute, and `own`) than there are; or the times alone are hard to believe, as when
 * processors are throttled. Then it is put into words. Searches of less than a
 * millisecond say nothing. */
bool mw_effect_disturbed(const struct mw_benchmark_result *result, double load,
                         uint32_t own, uint32_t n_cpus, char *out, size_t room);

/* Calls say() for each option that was given and changes nothing for this algorithm on this world: "--hubs"
 * and why. */
void mw_effect_none(const struct mw_settings *s, const struct mw_world *world,
                    const struct mw_algorithm *algorithm,
                    void (*say)(void *arg, const char *option, const char *why),
                    void *arg);

/* Who runs the modules: "cpe" or "mpe"; and how many clusters have cores of their own. */
const char *mw_effect_engine(const struct mw_world *world);
/* By what devices exchange records: "nccl" or "mpi"; NULL: there are no devices, or none
 * is exchanged. */
const char *mw_effect_exchange(const struct mw_world *world);
uint32_t mw_effect_clusters(const struct mw_world *world);

MW_END_DECLS
#endif
