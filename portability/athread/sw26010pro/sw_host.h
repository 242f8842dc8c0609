/* sw_host.h -- what the management core of SW26010-Pro has no vendor name for: the same as
 * SW26010's.
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#include "../sw26010/sw_host.h"
