# sunway.cmake -- the cores' side of a build for a Sunway machine (MW_WITH_ATHREAD with one of
# cmake/toolchains/sunway-*.cmake): object libraries in the slave mode, the names by which
# the management core's objects call it, and the link flags. Included by CMakeLists.txt.
#
# Configured with stand-in compilers only.
target_compile_options(mw_flags INTERFACE ${MW_SW_HOST_FLAGS})

include(cmake/core_sources.cmake)
if(MW_SW_MACHINE STREQUAL "cpe/cpe_rma.h")
  set(mw_core_sources ${mw_core_sources_rma})
endif()

# Both sides of what is linked beside the layers. The table of numbers belongs to it, as the
# kernels do.
add_library(mw_core_names OBJECT ${PROJECT_SOURCE_DIR}/src/cpe/athread_tokens.c)
target_link_libraries(mw_core_names PRIVATE mw_flags)
target_compile_definitions(mw_core_names PRIVATE MW_ATHREAD_LIST="athread/kernels.h")
set(mw_core_objects $<TARGET_OBJECTS:mw_core_names>)

foreach(source IN LISTS mw_core_sources)
  mw_split_core_source(${source} file table)
  get_filename_component(library ${file} NAME_WE)
  set(library mw_cores_${library})
  add_library(${library} OBJECT ${file})
  set_target_properties(${library} PROPERTIES C_STANDARD 99 C_EXTENSIONS ON)
  target_compile_options(${library} PRIVATE ${MW_SW_SLAVE_FLAGS})
  target_compile_definitions(${library} PRIVATE MW_CPE_HEADER="${MW_SW_MACHINE}"
    MW_ATHREAD_LIST="athread/kernels.h" MW_SKELETON="shuffle/skeleton_mesh.h"
    MW_KERNELS=${table})
  target_include_directories(${library} PRIVATE ${MW_ATHREAD_INCLUDE} ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/portability ${PROJECT_SOURCE_DIR}/include)
  list(APPEND mw_core_objects $<TARGET_OBJECTS:${library}>)
endforeach()

# mw_link_cores(program): both sides into one program.
function(mw_link_cores program)
  target_sources(${program} PRIVATE ${mw_core_objects})
  target_link_options(${program} PRIVATE ${MW_SW_LINK_FLAGS})
endfunction()
