# interface.cmake -- the headers that an algorithm from outside the tree is compiled with: installed by
# install.cmake, and told apart by a digest of all of them (generated/interface.h), for what they
# say must be what the program does. `cmake -P` makes the digest.
set(mw_interface
  include/meshway/algorithm.h
  portability/base/base.h portability/base/clock.h portability/base/mem.h portability/base/sizes.h
  portability/base/status.h
  src/cpe/cluster.h src/cpe/cpe_emul.h src/cpe/cpe_types.h src/cpe/memory.h src/cpe/meter.h
  src/devices/placed.h
  src/devices/table.h
  src/graph/delegates.h src/graph/edges.h src/graph/graph.h src/graph/laps.h src/graph/partition.h
  src/mesh/lang/layout.h
  src/mpe/comm.h src/mpe/link.h src/mpe/pipeline.h src/mpe/pulse.h src/mpe/row.h src/mpe/timeline.h
  src/mpe/transport.h src/mpe/world.h
  src/relay/groups.h
  src/shuffle/address.h src/shuffle/batch.h src/shuffle/emitter.h src/shuffle/job.h
  src/shuffle/kernel_lists.h src/shuffle/kernels.h src/shuffle/mesh_collector.h
  src/shuffle/mesh_message.h src/shuffle/mesh_numbers.h src/shuffle/mesh_plan.h src/shuffle/mesh_role.h
  src/shuffle/mesh_store.h src/shuffle/numbers.h src/shuffle/patterns.h src/shuffle/patterns_of_all.h src/shuffle/reals.h src/shuffle/segments.h
  src/shuffle/skeleton_host.h src/shuffle/skeleton_mesh.h src/shuffle/skeleton_none.h
  src/shuffle/skeleton_serial.h src/shuffle/skeleton_counted.h src/shuffle/stretch.h src/shuffle/touch.h src/shuffle/words.h
  src/traversal/algorithm.h src/traversal/common_elements.h src/traversal/frontier.h src/traversal/keys.h src/traversal/level.h src/traversal/active.h
  src/traversal/oracle.h src/traversal/plugin.h src/traversal/rows.h src/traversal/skeleton_steps.h src/traversal/sources.h src/traversal/traversal.h
  portability/kokkos/frontier.hpp portability/kokkos/numbers.hpp portability/kokkos/records.hpp portability/kokkos/row_sums.hpp portability/kokkos/skeleton_kokkos.hpp portability/kokkos/space.hpp
  portability/omptarget/frontier.h portability/omptarget/records.h portability/omptarget/region.h
  portability/omptarget/skeleton_omptarget.h)

if(CMAKE_SCRIPT_MODE_FILE)
  set(all "")
  foreach(header IN LISTS mw_interface)
    file(SHA256 ${SOURCE}/${header} digest)
    string(APPEND all "${digest}")
  endforeach()
  string(SHA256 digest "${all}")
  string(SUBSTRING ${digest} 0 16 digest)
  file(WRITE ${OUT} "/* interface.h -- what a plug-in has to be built for: interface.cmake writes it. */
#ifndef MW_INTERFACE_H
#define MW_INTERFACE_H

#define MW_INTERFACE \"${VERSION}-${digest}\"

#endif
")
  return()
endif()

list(TRANSFORM mw_interface PREPEND ${PROJECT_SOURCE_DIR}/ OUTPUT_VARIABLE mw_interface_files)
set(header ${PROJECT_BINARY_DIR}/generated/interface.h)
add_custom_command(OUTPUT ${header}
  COMMAND ${CMAKE_COMMAND} -DSOURCE=${PROJECT_SOURCE_DIR} -DOUT=${header} -DVERSION=${PROJECT_VERSION}
          -P ${PROJECT_SOURCE_DIR}/cmake/interface.cmake
  DEPENDS ${mw_interface_files} ${PROJECT_SOURCE_DIR}/cmake/interface.cmake VERBATIM)
add_custom_target(mw_interface_header DEPENDS ${header})
add_dependencies(mw_flags mw_interface_header)
