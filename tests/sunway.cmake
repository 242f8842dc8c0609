# sunway.cmake -- the Sunway port against our own headers, on emulated cores: both sides are
# compiled and linked as on the machine, and run; included by CMakeLists.txt.
if(NOT CMAKE_OBJCOPY OR NOT CMAKE_NM OR MW_SANITIZE MATCHES "thread" OR MW_WITH_ATHREAD)
  message(STATUS "No tests of the Sunway port: they take nm and objcopy, and no MW_SANITIZE=thread")
  return()
endif()
set(sw ${PROJECT_SOURCE_DIR}/portability/athread)
set(sw_include ${sw}/include ${PROJECT_SOURCE_DIR}/include ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/portability
  ${CMAKE_CURRENT_SOURCE_DIR})
set(sw_slave_flags -std=gnu99 -Wall -Wextra -Werror -fPIC -fno-stack-protector)
if(MW_SANITIZE)
  list(APPEND sw_slave_flags -fsanitize=${MW_SANITIZE} -fno-sanitize-recover=all -g -O1
    -fno-omit-frame-pointer)
endif()

include(${PROJECT_SOURCE_DIR}/cmake/core_sources.cmake)

# mw_add_slave(name MACHINE header LIST header EXTERNALS name... OPTIONS flag...
#              SOURCES file[=kernels]...):
# sources of the cores' side as one object, ${name}_object, with the prefix slave_; and tests
# that they call nothing but what the cores have, and that they are C99.
function(mw_add_slave name)
  cmake_parse_arguments(ARG "" "MACHINE;LIST" "EXTERNALS;SOURCES;OPTIONS" ${ARGN})
  set(definitions MW_CPE_HEADER="${ARG_MACHINE}" MW_ATHREAD_LIST="${ARG_LIST}"
    MW_SKELETON="shuffle/skeleton_mesh.h" _POSIX_C_SOURCE=200809L)
  set(objects)
  set(sides)
  set(n 0)
  foreach(source IN LISTS ARG_SOURCES)
    mw_split_core_source(${source} file kernels)
    math(EXPR n "${n} + 1")
    set(side ${name}_side${n})
    add_library(${side} OBJECT ${file})
    set_target_properties(${side} PROPERTIES C_STANDARD 99 C_EXTENSIONS ON)
    target_compile_options(${side} PRIVATE ${sw_slave_flags} ${ARG_OPTIONS})
    target_compile_definitions(${side} PRIVATE ${definitions} MW_KERNELS=${kernels})
    target_include_directories(${side} PRIVATE ${sw_include})
    list(APPEND sides ${side})
    list(APPEND objects $<TARGET_OBJECTS:${side}>)
  endforeach()
  set(object ${CMAKE_CURRENT_BINARY_DIR}/${name}.slave.o)
  # Each time: what other targets' objects make is no rule of this one. It keeps what is equal.
  add_custom_target(${name}_slave ALL
    COMMAND ${sw}/slave_mode.sh ${CMAKE_LINKER} ${CMAKE_OBJCOPY} ${CMAKE_NM} ${object} ${objects}
    BYPRODUCTS ${object} COMMAND_EXPAND_LISTS VERBATIM)
  add_dependencies(${name}_slave ${sides})
  set(${name}_object ${object} PARENT_SCOPE)
  mw_add_check(${name}_externals ${CMAKE_CURRENT_SOURCE_DIR}/check_cpe_externals.sh
    ${CMAKE_NM} ${object} ${ARG_EXTERNALS})
endfunction()

# The management core's side: as in the library, with the backend in it.
function(mw_add_athread_host target persistent list)
  target_sources(${target} PRIVATE ${PROJECT_SOURCE_DIR}/src/cpe/cluster_athread.c
    ${PROJECT_SOURCE_DIR}/src/cpe/athread_group.c ${PROJECT_SOURCE_DIR}/src/cpe/athread_tokens.c)
  target_compile_definitions(${target} PRIVATE MW_ATHREAD_PERSISTENT=${persistent}
    MW_ATHREAD_LIST="${list}")
endfunction()

# The vendor's library on emulated cores.
add_library(athread_on_emul OBJECT ${sw}/athread_on_emul.c ${sw}/athread_on_emul_cores.c)
target_link_libraries(athread_on_emul PUBLIC mw::cpe)
target_include_directories(athread_on_emul PUBLIC ${sw}/include)

# The pipeline with the toy's kernels, by three machines: registers, the same with a spawn for
# each launch, RMA.
set(sw_kernels ${PROJECT_SOURCE_DIR}/src/cpe/athread_kernels.c
  ${PROJECT_SOURCE_DIR}/src/shuffle/lane.c
  ${PROJECT_SOURCE_DIR}/src/relay/relay_kernels.c=mw_relay_on_mesh
  toy_kernels.c=toy_mesh emul_conform.c sunway/port_kernels.c)
set(sw_toy sunway/toy_kernels_list.h)
mw_add_slave(sunway_registers MACHINE cpe/cpe_athread.h LIST ${sw_toy} EXTERNALS nanosleep
  SOURCES ${sw_kernels})
mw_add_slave(sunway_rma MACHINE cpe/cpe_rma.h LIST ${sw_toy} EXTERNALS nanosleep
  SOURCES ${sw_kernels} ${PROJECT_SOURCE_DIR}/src/cpe/athread_rma.c)
function(mw_add_athread_test name persistent slave)
  # The kernels once more for "emul", whose pointers are the names here.
  add_executable(test_athread_${name} sunway/test_athread.c emul_conform.c
    sunway/port_kernels.c ${${slave}_object})
  target_compile_definitions(test_athread_${name} PRIVATE MW_CPE_HEADER="cpe/cpe_emul.h")
  set_source_files_properties(${${slave}_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_dependencies(test_athread_${name} ${slave}_slave)
  target_include_directories(test_athread_${name} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_link_libraries(test_athread_${name} PRIVATE mw_flags athread_on_emul mw::mpe
    toy_serial toy_mesh PkgConfig::CHECK)
  mw_add_athread_host(test_athread_${name} ${persistent} ${sw_toy})
  mw_add_check(athread_${name} test_athread_${name})
endfunction()
mw_add_athread_test(registers 1 sunway_registers)
mw_add_athread_test(spawned 0 sunway_registers)
mw_add_athread_test(rma 1 sunway_rma)

# The complete program: the library's own list of kernels, by the compiler that knows least.
mw_add_slave(sunway_program_registers MACHINE cpe/cpe_athread.h LIST athread/kernels.h
  OPTIONS -U__ATOMIC_RELAXED SOURCES ${mw_core_sources})
mw_add_slave(sunway_program_rma MACHINE cpe/cpe_rma.h LIST athread/kernels.h
  OPTIONS -U__ATOMIC_RELAXED SOURCES ${mw_core_sources_rma})
set(sw_runs all)
if(MW_SANITIZE)
  set(sw_runs few)
endif()
function(mw_add_athread_program name persistent slave machine)
  add_executable(meshway_${name} ${PROJECT_SOURCE_DIR}/src/cli/main.c ${${slave}_object})
  set_source_files_properties(${${slave}_object} PROPERTIES EXTERNAL_OBJECT ON GENERATED ON)
  add_dependencies(meshway_${name} ${slave}_slave)
  target_link_libraries(meshway_${name} PRIVATE mw_flags athread_on_emul mw::program)
  mw_add_athread_host(meshway_${name} ${persistent} athread/kernels.h)
  mw_add_command_test(athread_program_${name} 2 sunway/test_program.sh
    $<TARGET_FILE:meshway_${name}> ${MPIEXEC_EXECUTABLE} ${machine} ${sw_runs})
endfunction()
mw_add_athread_program(registers 1 sunway_program_registers sw26010,stale_reads=1)
mw_add_athread_program(spawned 0 sunway_program_registers sw26010,recv_depth=1,send_depth=1)
mw_add_athread_program(rma 1 sunway_program_rma pro)

# The conformance programs: vendor interface only. On emulation their answers are known.
foreach(program conform rma)
  mw_add_slave(sunway_${program}_program MACHINE none LIST none SOURCES sunway/${program}_slave.c)
  add_executable(sunway_${program} sunway/${program}.c ${sunway_${program}_program_object})
  set_source_files_properties(${sunway_${program}_program_object} PROPERTIES
    EXTERNAL_OBJECT ON GENERATED ON)
  add_dependencies(sunway_${program} sunway_${program}_program_slave)
  set_target_properties(sunway_${program} PROPERTIES C_STANDARD 99)
  target_link_libraries(sunway_${program} PRIVATE mw_flags athread_on_emul)
  mw_add_check(sunway_${program} ${CMAKE_CURRENT_SOURCE_DIR}/sunway/expect.sh
    $<TARGET_FILE:sunway_${program}> ${CMAKE_CURRENT_SOURCE_DIR}/sunway/${program}.expected)
endforeach()
mw_add_slave(sunway_forbidden MACHINE none LIST none SOURCES sunway/forbidden.c)
set_tests_properties(sunway_forbidden_externals PROPERTIES WILL_FAIL ON)
mw_add_check(sunway_sync_without_me sunway_conform sync_without_me)
set_tests_properties(sunway_sync_without_me PROPERTIES
  PASS_REGULAR_EXPRESSION "athread_join: -70")

# What the cores' compiler sees is C99, pedantically; and so are the programs of both sides.
mw_add_check(sunway_c99 ${CMAKE_CURRENT_SOURCE_DIR}/sunway/check_c99.sh ${CMAKE_C_COMPILER}
  ${PROJECT_SOURCE_DIR})

# The build systems of a machine, with stand-ins for its tools.
if(MW_WITH_MPI AND NOT MW_SANITIZE)
  foreach(chip thl pro)
    mw_add_command_test(sunway_toolchain_${chip} 2 sunway/test_toolchains.sh ${chip}
      ${CMAKE_COMMAND} ${MPI_C_COMPILER} ${PROJECT_SOURCE_DIR})
  endforeach()
  mw_add_command_test(sunway_makefile 1 make -C ${PROJECT_SOURCE_DIR} -f Makefile.sunway CHIP=emul
    B=${CMAKE_CURRENT_BINARY_DIR}/makefile run)
endif()
