# kernels.cmake -- kernels = elements x skeletons: one file, compiled for each kind of core. Included by
# layers.cmake, and installed for algorithms from outside (meshway-algorithm.cmake.in).

# mw_write_kinds(folder): the kinds of core, and the backends, for C: folder/kinds.h.
function(mw_write_kinds folder)
  set(MW_KINDS_WITHOUT_MESH ${MW_KINDS_OF_CORE})
  list(REMOVE_ITEM MW_KINDS_WITHOUT_MESH mesh)
  set(text "/* kinds.h -- the kinds of core and the backends of this build: kernels.cmake writes it. */
#ifndef MW_KINDS_H
#define MW_KINDS_H

#define MW_BACKENDS(HERE, ABSENT)${mw_backends}
")
  foreach(list MW_KINDS_OF_CORE MW_KINDS_WITHOUT_MESH MW_KINDS_OF_DEVICES MW_KINDS_THAT_BUILD MW_KINDS_TUNED)
    list(TRANSFORM ${list} REPLACE "(.+)" "ROW(arg, \\1)" OUTPUT_VARIABLE rows)
    list(JOIN rows " " rows)
    string(APPEND text "#define ${list}(ROW, arg) ${rows}\n")
  endforeach()
  file(CONFIGURE OUTPUT ${folder}/kinds.h CONTENT "${text}\n#endif\n")
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
