# mw_add_layer(name LINKS below... SOURCES files...): one static library per folder.
function(mw_add_layer name)
  cmake_parse_arguments(ARG "" "" "LINKS;SOURCES" ${ARGN})
  add_library(mw_${name} STATIC ${ARG_SOURCES})
  add_library(mw::${name} ALIAS mw_${name})
  target_link_libraries(mw_${name} PUBLIC mw_flags ${ARG_LINKS})
endfunction()

# mw_add_kernels(layer skeleton source table): the source once more, with another skeleton.
# Elements x skeleton = kernels; the table is how the layer finds them.
function(mw_add_kernels layer skeleton source table)
  set(kernels ${table}_objects)
  add_library(${kernels} OBJECT ${source})
  target_link_libraries(${kernels} PRIVATE mw_flags)
  target_compile_definitions(${kernels} PRIVATE
    MW_SKELETON="shuffle/skeleton_${skeleton}.h" MW_KERNELS=${table})
  if(skeleton STREQUAL "mesh")
    target_compile_definitions(${kernels} PRIVATE MW_CPE_HEADER="cpe/cpe_emul.h")
  endif()
  target_sources(mw_${layer} PRIVATE $<TARGET_OBJECTS:${kernels}>)
endfunction()
