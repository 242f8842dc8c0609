# mw_add_layer(name LINKS below... SOURCES files...): one static library per folder.
function(mw_add_layer name)
  cmake_parse_arguments(ARG "" "" "LINKS;SOURCES" ${ARGN})
  add_library(mw_${name} STATIC ${ARG_SOURCES})
  add_library(mw::${name} ALIAS mw_${name})
  target_link_libraries(mw_${name} PUBLIC mw_flags ${ARG_LINKS})
endfunction()

include(${CMAKE_CURRENT_LIST_DIR}/kernels.cmake)
include(${CMAKE_CURRENT_LIST_DIR}/rooms.cmake)

# What registers itself: kinds of core that run kernels, those of them that are devices, devices that
# build graphs and judge trees, devices with kernels tuned by hand (shuffle/kernel_lists.h), and backends. A backend's file of CMake adds its own.
set(MW_KINDS_OF_CORE serial host mesh)
set(MW_KINDS_OF_DEVICES "")
set(MW_KINDS_THAT_BUILD "")
set(MW_KINDS_TUNED "")
set(mw_backends "")

# mw_backend(name here WHY): an entry of the table of backends, in the order of calls; where `here`
# is false the entry only says why.
macro(mw_backend name here why)
  if(${here})
    string(APPEND mw_backends " HERE(${name})")
  else()
    string(APPEND mw_backends " ABSENT(${name}, \"${why}\")")
  endif()
endmacro()

# mw_add_kernels(layer kind source table): of the layer's folder, into the layer.
function(mw_add_kernels layer kind source table)
  mw_compile_kernels(${table}_objects ${kind} ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${table})
  target_sources(mw_${layer} PRIVATE $<TARGET_OBJECTS:${table}_objects>)
endfunction()
