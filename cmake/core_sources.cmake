# core_sources.cmake -- what the cores of a Sunway machine run of Meshway: file=table, where the
# file is a mesh kernel and `table` its name in portability/athread/kernels.h. One list for
# sunway.cmake and for the tests of the port; Makefile.sunway has it once more.
mw_list_rooms(rooms meshes)
set(mw_core_sources ${PROJECT_SOURCE_DIR}/src/cpe/athread_kernels.c
  ${PROJECT_SOURCE_DIR}/src/shuffle/lane.c
  ${PROJECT_SOURCE_DIR}/src/relay/relay_kernels.c=mw_relay_on_mesh)
foreach(room mesh IN ZIP_LISTS rooms meshes)
  list(APPEND mw_core_sources ${PROJECT_SOURCE_DIR}/src/algorithms/${room}/${mesh}.c=${mesh}_mesh)
endforeach()
# And of the Pro.
set(mw_core_sources_rma ${mw_core_sources} ${PROJECT_SOURCE_DIR}/src/cpe/athread_rma.c)

# mw_split_core_source(source FILE-variable TABLE-variable)
function(mw_split_core_source source file table)
  string(REPLACE "=" ";" pair "${source}=unnamed")
  list(GET pair 0 first)
  list(GET pair 1 second)
  set(${file} ${first} PARENT_SCOPE)
  set(${table} ${second} PARENT_SCOPE)
endfunction()
