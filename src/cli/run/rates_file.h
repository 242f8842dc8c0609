/* rates_file.h -- what `meshway plan --calibrate` has measured, as a file: where it stands unless one is
 * named, reading and writing it.
 *
 *      --rates FILE  >  rates.json in the folder of results (results_folder.h)  >  rates.h's table
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RATES_FILE_H
#define MW_RATES_FILE_H

#include "cli/option.h"
#include "graph500/rates.h"

MW_BEGIN_DECLS

/* clang-format off */
#define MW_OPTIONS_RATES                                                                 \
    {.name = "rates", .kind = MW_OPT_TEXT, .value = "FILE", .section = "time",           \
     .help = "What things take, as --calibrate has measured it; default: what it last "  \
             "stored for this user, or a table of another machine's"},                   \
    {.name = "link", .kind = MW_OPT_TEXT, .value = "RATE[,DELAY]",                       \
     .help = "Links of hosts, one way: 1gbit,100us; default: as the rates say"}
/* clang-format on */

/* Local. What the options say; of a command without them, what is stored. A stored file
 * that cannot be read is passed over, one that is named is an error. */
int mw_rates_find(const struct mw_settings *s, bool asked, struct mw_rates *out)
    MW_NODISCARD;

/* Local: "1gbit", "10Gbit,50us" into the rates. */
int mw_rates_link(const char *text, struct mw_rates *r) MW_NODISCARD;

/* Local. To `path`, or where the stored ones are; *name, from malloc(), is where that was. */
int mw_rates_store(const struct mw_rates *r, const char *path, char **name) MW_NODISCARD;

/* Local: on standard output; `name` is the file that holds them. */
int mw_rates_print(const struct mw_rates *r, const char *name, bool json) MW_NODISCARD;

/* "measured on HOST, 2 ranks of 1 thread" */
struct mw_rates_text {
    char text[160];
};
struct mw_rates_text mw_rates_origin(const struct mw_rates *r);
/* The same of devices. */
struct mw_rates_text mw_rates_device_origin(const struct mw_rates *r);

MW_END_DECLS
#endif
