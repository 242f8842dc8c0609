/* lending.hpp -- memory of a device that those of other processes reach (cpe/memory.h, mw_lending), by the device's
 * own library. CMake chooses the file that says how (cmake/kokkos.cmake).
 *
 * SPDX-License-Identifier: Apache-2.0
 */
#ifndef MWK_LENDING_HPP
#define MWK_LENDING_HPP

#include "cpe/memory.h"

namespace mwk
{

/* On the device that this process runs on. What fails says nothing: nullptr. */
struct lending_calls {
    void *(*take)(uint64_t bytes, unsigned char *name);
    void (*give)(void *p);
    void *(*reach)(const unsigned char *name);
    void (*leave)(void *p);
};
extern const lending_calls *const lending_of_device; /* nullptr: nobody else reaches it */

} // namespace mwk

#endif
