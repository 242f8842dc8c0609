/* results_folder.h -- where results go that the user has not named a file for: not into the
 * folder that the program happens to be started in.
 *
 *      --results DIR, MESHWAY_RESULTS  >  $XDG_STATE_HOME/meshway
 *          >  $HOME/.local/state/meshway  >  ./meshway-results, where nobody is at home
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MW_RESULTS_FOLDER_H
#define MW_RESULTS_FOLDER_H

#include "base/status.h"

MW_BEGIN_DECLS

/* Local. Its name, from malloc(); `given` by the user, or NULL. Nothing is created. */
int mw_results_folder_name(const char *given, char **out) MW_NODISCARD;

/* Local. Creates it and what is missing above it. One that the user has named follows the
 * umask; any other lies in the home, where the XDG specification asks for 0700.
 * MW_ERR_CREATE with the part that cannot be. */
int mw_results_folder_make(const char *path, bool named) MW_NODISCARD;

MW_END_DECLS
#endif
