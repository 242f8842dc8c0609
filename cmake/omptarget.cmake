# omptarget.cmake -- the backend "omptarget" (MW_WITH_OMPTARGET): how the C compiler makes code for a
# device, and portability/omptarget/. Included by CMakeLists.txt; docs/gpu.md has the commands.
set(MW_OMPTARGET_FLAGS "" CACHE STRING
  "how the C compiler offloads OpenMP, for example -fopenmp;-foffload=amdgcn-amdhsa; empty: GPUs of NVIDIA, where it can")

include(CheckCSourceCompiles)
function(mw_check_offloading var)
  set(CMAKE_REQUIRED_FLAGS ${ARGN})
  list(JOIN CMAKE_REQUIRED_FLAGS " " CMAKE_REQUIRED_FLAGS)
  set(CMAKE_REQUIRED_LINK_OPTIONS ${ARGN})
  set(CMAKE_REQUIRED_QUIET ON)
  check_c_source_compiles("#include <omp.h>
    int main(void) { int host = 1;
    _Pragma(\"omp target map(from : host)\") host = omp_is_initial_device();
    return host + omp_get_num_devices(); }" ${var})
  if(NOT ${var})
    unset(${var} CACHE) # once its package is installed, it does
  endif()
endfunction()

# sm_80 is the newest that gcc 12 writes; drivers translate it for newer ones.
set(nvptx -fopenmp -foffload=nvptx-none -foffload-options=nvptx-none=-misa=sm_80)
set(none "OpenMP finds no device")
if(MW_OMPTARGET_FLAGS)
  set(offload ${MW_OMPTARGET_FLAGS})
  list(JOIN offload " " tried)
  string(MAKE_C_IDENTIFIER "MW_OMPTARGET ${tried}" works)
  mw_check_offloading(${works} ${offload})
  if(NOT ${works})
    message(FATAL_ERROR "MW_OMPTARGET_FLAGS: ${CMAKE_C_COMPILER} cannot compile a target region of OpenMP with ${tried}")
  endif()
else()
  mw_check_offloading(MW_OMPTARGET_NVPTX ${nvptx})
  mw_check_offloading(MW_OMPTARGET_HOST -fopenmp)
  if(MW_OMPTARGET_NVPTX)
    set(offload ${nvptx})
  elseif(MW_OMPTARGET_HOST)
    set(offload -fopenmp)
    set(none "this build has no code for devices")
  else()
    message(FATAL_ERROR "MW_WITH_OMPTARGET: ${CMAKE_C_COMPILER} compiles no target regions of OpenMP. Take one that "
      "does (Debian: apt-get install gcc gcc-12-offload-nvptx), or say how this one does: -DMW_OMPTARGET_FLAGS=...")
  endif()
endif()
list(JOIN offload " " said)
message(STATUS "OpenMP offloading: ${said}")
if(NOT MW_OMPTARGET_FLAGS AND NOT MW_OMPTARGET_NVPTX)
  message(STATUS "  to the host's cores only: ${CMAKE_C_COMPILER} has no offloading to GPUs of NVIDIA (Debian: gcc-12-offload-nvptx)")
endif()

# Devices have no stack protector to call.
get_target_property(flags mw_flags INTERFACE_COMPILE_OPTIONS)
list(FILTER flags EXCLUDE REGEX "^-fstack-protector")

add_library(mw_omptarget INTERFACE)
target_compile_options(mw_omptarget INTERFACE ${flags} ${offload})
target_include_directories(mw_omptarget INTERFACE
  $<TARGET_PROPERTY:mw_flags,INTERFACE_INCLUDE_DIRECTORIES>)
target_compile_definitions(mw_omptarget INTERFACE MW_OMPTARGET_NONE="${none}"
  $<TARGET_PROPERTY:mw_flags,INTERFACE_COMPILE_DEFINITIONS>)
# gcc 12 keeps its table of regions where it has to be relocated in read-only memory (DT_TEXTREL); the
# same object with the table where the loader may write is found first.
execute_process(COMMAND ${CMAKE_C_COMPILER} -print-file-name=crtoffloadtable.o
  OUTPUT_VARIABLE table OUTPUT_STRIP_TRAILING_WHITESPACE ERROR_QUIET)
set(MW_OMPTARGET_OBJECT "")
set(MW_OMPTARGET_LINK ${offload})
if(CMAKE_OBJCOPY AND EXISTS "${table}")
  set(folder ${PROJECT_BINARY_DIR}/offload)
  file(MAKE_DIRECTORY ${folder})
  execute_process(COMMAND ${CMAKE_OBJCOPY} --rename-section
    .rodata=.data.rel.ro,alloc,load,data,contents ${table} ${folder}/crtoffloadtable.o RESULT_VARIABLE rc)
  if(rc EQUAL 0)
    set(MW_OMPTARGET_OBJECT ${folder}/crtoffloadtable.o)
    list(APPEND MW_OMPTARGET_LINK -B${folder})
  endif()
endif()

# What links the archive meshway_static, here and where it is installed.
set(MW_OMPTARGET_USERS ${offload})
if(MW_OMPTARGET_OBJECT)
  install(FILES ${MW_OMPTARGET_OBJECT} DESTINATION ${CMAKE_INSTALL_LIBDIR}/meshway)
  list(APPEND MW_OMPTARGET_USERS $<BUILD_INTERFACE:-B${folder}>
    $<INSTALL_INTERFACE:-B$<INSTALL_PREFIX>/${CMAKE_INSTALL_LIBDIR}/meshway>)
endif()

# mw_add_omptarget(layer file...): of portability/omptarget/, compiled apart, so that the flags stay with
# these files. The device's program is made where something is linked, by who has MW_OFFLOADS set; it takes
# seconds, and others have the host's.
function(mw_add_omptarget layer)
  list(TRANSFORM ARGN PREPEND ${PROJECT_SOURCE_DIR}/portability/omptarget/)
  add_library(mw_omptarget_${layer} OBJECT ${ARGN})
  target_link_libraries(mw_omptarget_${layer} PRIVATE mw_omptarget)
  target_sources(mw_${layer} PRIVATE $<TARGET_OBJECTS:mw_omptarget_${layer}>)
  target_link_options(mw_${layer} PUBLIC
    "$<IF:$<BOOL:$<TARGET_PROPERTY:MW_OFFLOADS>>,${MW_OMPTARGET_LINK},-fopenmp;-foffload=disable>")
endfunction()

list(APPEND MW_KINDS_OF_CORE omptarget)
list(APPEND MW_KINDS_OF_DEVICES omptarget)
list(APPEND MW_KINDS_TUNED omptarget)
