# mw_add_layer(name LINKS below... SOURCES files...): one static library per folder.
function(mw_add_layer name)
  cmake_parse_arguments(ARG "" "" "LINKS;SOURCES" ${ARGN})
  add_library(mw_${name} STATIC ${ARG_SOURCES})
  add_library(mw::${name} ALIAS mw_${name})
  target_link_libraries(mw_${name} PUBLIC mw_flags ${ARG_LINKS})
endfunction()

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

# All of that for C: generated/kinds.h.
function(mw_write_kinds)
  set(MW_KINDS_WITHOUT_MESH ${MW_KINDS_OF_CORE})
  list(REMOVE_ITEM MW_KINDS_WITHOUT_MESH mesh)
  set(text "/* kinds.h -- the kinds of core and the backends of this build: layers.cmake writes it. */
#ifndef MW_KINDS_H
#define MW_KINDS_H

#define MW_BACKENDS(HERE, ABSENT)${mw_backends}
")
  foreach(list MW_KINDS_OF_CORE MW_KINDS_WITHOUT_MESH MW_KINDS_OF_DEVICES MW_KINDS_THAT_BUILD MW_KINDS_TUNED)
    list(TRANSFORM ${list} REPLACE "(.+)" "ROW(arg, \\1)" OUTPUT_VARIABLE rows)
    list(JOIN rows " " rows)
    string(APPEND text "#define ${list}(ROW, arg) ${rows}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${PROJECT_BINARY_DIR}/generated/kinds.h CONTENT "${text}\n#endif\n")
endfunction()

# mw_compile_kernels(objects kind source table): the source once more, for another kind of core.
# Elements x skeleton = kernels; `table` is how a layer finds them. For Kokkos the source is C++.
function(mw_compile_kernels objects kind source table)
  set(skeleton "shuffle/skeleton_${kind}.h")
  set(flags mw_flags)
  if(kind STREQUAL "kokkos")
    set(skeleton "kokkos/skeleton_kokkos.hpp")
    set(flags mw_kokkos)
    set(wrapper ${CMAKE_CURRENT_BINARY_DIR}/${objects}.cpp)
    file(CONFIGURE OUTPUT ${wrapper} CONTENT "#include \"${source}\"\n")
    set(source ${wrapper})
  elseif(kind STREQUAL "omptarget")
    set(skeleton "omptarget/skeleton_omptarget.h")
    set(flags mw_omptarget)
  endif()
  add_library(${objects} OBJECT ${source})
  target_link_libraries(${objects} PRIVATE ${flags})
  target_compile_definitions(${objects} PRIVATE MW_SKELETON="${skeleton}" MW_KERNELS=${table})
  if(kind STREQUAL "mesh")
    target_compile_definitions(${objects} PRIVATE MW_CPE_HEADER="cpe/cpe_emul.h")
  endif()
endfunction()

# mw_add_kernels(layer kind source table): of the layer's folder, into the layer.
function(mw_add_kernels layer kind source table)
  mw_compile_kernels(${table}_objects ${kind} ${CMAKE_CURRENT_SOURCE_DIR}/${source} ${table})
  target_sources(mw_${layer} PRIVATE $<TARGET_OBJECTS:${table}_objects>)
endfunction()
