# sunway.cmake -- the cores' side of a build for a Sunway machine (MW_WITH_ATHREAD with one of
# cmake/toolchains/sunway-*.cmake): one object library in the slave mode, the names by which
# the management core's objects call it, and the link flags. Included by CMakeLists.txt.
#
# Configured with stand-in compilers only.
target_compile_options(mw_flags INTERFACE ${MW_SW_HOST_FLAGS})

add_library(mw_cores OBJECT ${PROJECT_SOURCE_DIR}/src/cpe/athread_kernels.c
  ${PROJECT_SOURCE_DIR}/src/shuffle/lane.c)
set(mw_cores_libraries mw_cores)
if(MW_SW_MACHINE STREQUAL "cpe/cpe_rma.h")
  target_sources(mw_cores PRIVATE ${PROJECT_SOURCE_DIR}/src/cpe/athread_rma.c)
endif()

# mw_add_core_kernels(source name): a mesh kernel, once more for the cores.
function(mw_add_core_kernels source name)
  add_library(mw_cores_${name} OBJECT ${PROJECT_SOURCE_DIR}/src/${source})
  target_compile_definitions(mw_cores_${name} PRIVATE MW_KERNELS=${name}
    MW_SKELETON="shuffle/skeleton_mesh.h")
  set(mw_cores_libraries ${mw_cores_libraries} mw_cores_${name} PARENT_SCOPE)
endfunction()
mw_add_core_kernels(relay/relay_kernels.c mw_relay_on_mesh)

foreach(library IN LISTS mw_cores_libraries)
  set_target_properties(${library} PROPERTIES C_STANDARD 99 C_EXTENSIONS ON)
  target_compile_options(${library} PRIVATE ${MW_SW_SLAVE_FLAGS})
  target_compile_definitions(${library} PRIVATE MW_CPE_HEADER="${MW_SW_MACHINE}"
    MW_ATHREAD_LIST="athread/kernels.h")
  target_include_directories(${library} PRIVATE ${MW_ATHREAD_INCLUDE} ${PROJECT_SOURCE_DIR}/src
    ${PROJECT_SOURCE_DIR}/portability)
endforeach()

# The table of numbers belongs to what is linked, as the kernels do.
add_library(mw_core_names OBJECT ${PROJECT_SOURCE_DIR}/src/cpe/athread_tokens.c)
target_link_libraries(mw_core_names PRIVATE mw_flags)
target_compile_definitions(mw_core_names PRIVATE MW_ATHREAD_LIST="athread/kernels.h")

# mw_link_cores(program): both sides into one program.
function(mw_link_cores program)
  foreach(library IN ITEMS ${mw_cores_libraries} mw_core_names)
    target_sources(${program} PRIVATE $<TARGET_OBJECTS:${library}>)
  endforeach()
  target_link_options(${program} PRIVATE ${MW_SW_LINK_FLAGS})
endfunction()
