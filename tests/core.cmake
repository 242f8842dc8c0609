# core.cmake -- the tests of the shuffle, the route, the pipeline, the search and the
# validator; included by CMakeLists.txt.

# Cores are started on stores that are too small for their programs, and find that out.
function(mw_let_unfit target)
  target_sources(${target} PRIVATE unfit.c)
  target_link_options(${target} PRIVATE -Wl,--wrap=mw_mesh_plan_fits)
endfunction()

mw_add_unit_test(batch mw::mpe)
mw_add_unit_test(groups mw::mpe)

# A checking transport stands between the pipeline and the real one; the toy's kernels are
# compiled once per skeleton.
mw_add_unit_test(pipeline mw::mpe)
target_link_options(test_pipeline PRIVATE -Wl,--wrap=mw_transport_new)
foreach(skeleton serial host mesh)
  add_library(toy_${skeleton} OBJECT toy_kernels.c)
  target_link_libraries(toy_${skeleton} PRIVATE mw_flags)
  target_include_directories(toy_${skeleton} PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
  target_compile_definitions(toy_${skeleton} PRIVATE
    MW_SKELETON="shuffle/skeleton_${skeleton}.h" MW_KERNELS=toy_${skeleton}
    MW_CPE_HEADER="cpe/cpe_emul.h")
  target_link_libraries(test_pipeline PRIVATE toy_${skeleton})
endforeach()

mw_add_unit_test(graph mw::graph500)
mw_add_unit_test(delegates mw::graph500)
mw_add_unit_test(bfs mw::graph500)
mw_add_unit_test(bfs_mesh mw::graph500)
mw_add_unit_test(cc mw::graph500)
mw_add_unit_test(frontier mw::traversal)
mw_add_unit_test(placed mw::graph500)
mw_add_unit_test(rows mw::algorithms)
target_compile_definitions(test_rows PRIVATE
  MW_DOCUMENT="${PROJECT_SOURCE_DIR}/docs/architecture.md")
mw_add_unit_test(hubs mw::graph500)
mw_add_unit_test(shelf mw::graph)
if(MW_WITH_MPI)
  mw_add_unit_test(shared_parts mw::mpe)
endif()
mw_add_unit_test(virtual_time mw::graph500)
mw_add_unit_test(benchmark mw::graph500)
add_executable(emulated_node emulated_node.c emul_roles.c)
target_link_libraries(emulated_node PRIVATE mw_flags mw::model)
target_include_directories(emulated_node PRIVATE ${CMAKE_CURRENT_SOURCE_DIR})
mw_add_check(emulated_node emulated_node)
# Seven ranks on two cores under a sanitizer are minutes of waiting for each other.
set(bfs_ranks 1 2 3 4 7)
if(MW_SANITIZE)
  set(bfs_ranks 1 2 3)
endif()
mw_add_mpi_test(bfs LINKS mw::graph500 RANKS ${bfs_ranks})
mw_add_mpi_test(cc LINKS mw::graph500 RANKS ${bfs_ranks})
mw_add_mpi_test(failure LINKS mw::graph500 RANKS 2 3 4)
if(TARGET mpi_failure)
  mw_let_unfit(mpi_failure)
endif()

# Defines the functions of MPI that the libraries call; none may reach MPI past it.
mw_add_mpi_test(calls LINKS mw::mpe RANKS 2 3 4)
if(TARGET mpi_calls)
  target_link_libraries(mpi_calls PRIVATE toy_host toy_serial toy_mesh MPI::MPI_C)
  mw_add_check(mpi_calls_all_seen sh -c "! nm -u \"$1\" | grep ' MPI_[A-Z]'" sh
    $<TARGET_FILE:mpi_calls>)
endif()

mw_add_unit_test(heads mw::algorithms)
mw_add_unit_test(direction mw::algorithms)
mw_add_unit_test(plan mw::graph500)
mw_add_unit_test(forecast mw::graph500)
mw_add_unit_test(sizes mw::graph500)
mw_add_unit_test(validate mw::graph500)
mw_add_unit_test(survey mw::graph500)
mw_add_unit_test(directed mw::graph500)
mw_add_unit_test(alloc_failure mw::graph500)
mw_add_unit_test(mem mw::mpe)
mw_add_unit_test(room mw::mpe)
mw_add_unit_test(status mw::mpe)

# Wide numbers without a machine of 2^32 vertices: the layers from graph up once more, with
# a limit of 64 vertices for narrow ones, and the same suites on top.
set(shrunk ${CMAKE_CURRENT_BINARY_DIR}/shrunk)
file(READ ${PROJECT_SOURCE_DIR}/src/graph/edges.h edges_h)
string(REPLACE "UINT64_C(0xFFFFFFFF)" "UINT64_C(64)" edges_h "${edges_h}")
if(NOT edges_h MATCHES "MW_NARROW_VERTICES UINT64_C\\(64\\)")
  message(FATAL_ERROR "edges.h no longer defines MW_NARROW_VERTICES as UINT64_C(0xFFFFFFFF)")
endif()
file(CONFIGURE OUTPUT ${shrunk}/graph/edges.h CONTENT "${edges_h}" @ONLY)
set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS
  ${PROJECT_SOURCE_DIR}/src/graph/edges.h)

# Kernels of the device that Kokkos was built for.
if(MW_WITH_KOKKOS)
  add_library(kokkos_hooks OBJECT kokkos_hooks.cpp)
  target_link_libraries(kokkos_hooks PRIVATE mw_kokkos)
  mw_add_unit_test(kokkos mw::graph500)
  target_link_libraries(test_kokkos PRIVATE kokkos_hooks)
  if(NOT MW_SANITIZE)
    mw_add_command_test(kokkos_cli 2 test_device.sh kokkos $<TARGET_FILE:meshway> ${MPIEXEC_EXECUTABLE})
  endif()
endif()
# Those of a device that OpenMP knows. The test stands around each region.
if(MW_WITH_OMPTARGET)
  function(mw_stand_around_regions noun)
    target_compile_options(test_${noun} PRIVATE -fopenmp)
    set_property(TARGET test_${noun} PROPERTY MW_OFFLOADS ON)
    foreach(function region_begins region_ends put get)
      target_link_options(test_${noun} PRIVATE -Wl,--wrap=mwo_${function})
    endforeach()
  endfunction()
  # Two of the host find what two cores of a device would, if they sleep while they wait.
  function(mw_let_regions_have_threads test)
    set_property(TEST ${test} APPEND PROPERTY ENVIRONMENT OMP_NUM_THREADS=2 OMP_WAIT_POLICY=passive)
  endfunction()
  mw_add_unit_test(omptarget mw::graph500)
  mw_stand_around_regions(omptarget)
  if(NOT MW_SANITIZE)
    mw_add_command_test(omptarget_cli 2 test_device.sh omptarget $<TARGET_FILE:meshway> ${MPIEXEC_EXECUTABLE})
    # Validated, or not 0; a graph of one rank and narrow numbers is searched as a whole.
    mw_add_command_test(omptarget_threads 2 $<TARGET_FILE:meshway> run 12 --roots 8 --backend omptarget --json none)
    mw_let_regions_have_threads(omptarget_threads)
  endif()
endif()

add_library(mw_wide STATIC)
target_include_directories(mw_wide BEFORE PUBLIC ${shrunk})
target_link_libraries(mw_wide PUBLIC mw::mpe m)
foreach(layer graph traversal algorithms graph500)
  get_target_property(sources mw_${layer} SOURCES)
  foreach(source IN LISTS sources)
    if(NOT source MATCHES "^\\$<|avx512|x86|reader|writer|format|detect|lines|outfile|treefile")
      target_sources(mw_wide PRIVATE ${PROJECT_SOURCE_DIR}/src/${layer}/${source})
    endif()
  endforeach()
endforeach()
target_sources(mw_wide PRIVATE ${PROJECT_SOURCE_DIR}/src/algorithms/bfs/heads_generic.c)
foreach(skeleton serial host)
  foreach(kernels graph/construct_kernels.c=mw_construction algorithms/bfs/bfs_kernels.c=bfs_kernels
          algorithms/cc/cc_kernels.c=cc_kernels
          algorithms/cc/cc_validate_kernels.c=cc_checking
          algorithms/bfs/bfs_validate_kernels.c=mw_validation)
    string(REPLACE "=" ";" pair ${kernels})
    list(GET pair 0 source)
    list(GET pair 1 table)
    add_library(wide_${table}_${skeleton} OBJECT ${PROJECT_SOURCE_DIR}/src/${source})
    target_include_directories(wide_${table}_${skeleton} BEFORE PRIVATE ${shrunk})
    target_link_libraries(wide_${table}_${skeleton} PRIVATE mw_flags)
    target_compile_definitions(wide_${table}_${skeleton} PRIVATE
      MW_SKELETON="shuffle/skeleton_${skeleton}.h" MW_KERNELS=${table}_${skeleton})
    target_sources(mw_wide PRIVATE $<TARGET_OBJECTS:wide_${table}_${skeleton}>)
  endforeach()
endforeach()
foreach(kernels bfs/bfs_kernels=bfs_kernels cc/cc_kernels=cc_kernels)
  string(REPLACE "=" ";" pair ${kernels})
  list(GET pair 0 source)
  list(GET pair 1 table)
  add_library(wide_${table}_mesh OBJECT ${PROJECT_SOURCE_DIR}/src/algorithms/${source}.c)
  target_include_directories(wide_${table}_mesh BEFORE PRIVATE ${shrunk})
  target_link_libraries(wide_${table}_mesh PRIVATE mw_flags)
  target_compile_definitions(wide_${table}_mesh PRIVATE
    MW_SKELETON="shuffle/skeleton_mesh.h" MW_KERNELS=${table}_mesh
    MW_CPE_HEADER="cpe/cpe_emul.h")
  target_sources(mw_wide PRIVATE $<TARGET_OBJECTS:wide_${table}_mesh>)
endforeach()
set(wide_devices) # whose objects do not depend on that limit
foreach(device kokkos omptarget)
  if(TARGET mw_${device}_algorithms)
    foreach(layer traversal algorithms graph500)
      if(TARGET mw_${device}_${layer})
        target_sources(mw_wide PRIVATE $<TARGET_OBJECTS:mw_${device}_${layer}>)
      endif()
    endforeach()
    list(APPEND wide_devices ${device})
  endif()
endforeach()
foreach(noun graph delegates bfs cc placed validate directed sizes ${wide_devices})
  add_executable(test_${noun}_wide test_${noun}.c)
  target_link_libraries(test_${noun}_wide PRIVATE mw_wide mw_flags PkgConfig::CHECK)
  mw_add_check(${noun}_wide test_${noun}_wide)
  set_tests_properties(${noun}_wide PROPERTIES ENVIRONMENT MW_TEST_SHORT=1)
endforeach()
if(MW_WITH_KOKKOS)
  target_link_libraries(test_kokkos_wide PRIVATE kokkos_hooks)
endif()
if(MW_WITH_OMPTARGET)
  mw_stand_around_regions(omptarget_wide)
  mw_let_regions_have_threads(omptarget_wide)
endif()

if(Python3_Interpreter_FOUND)
  mw_add_check(mutants_fit Python3::Interpreter ${CMAKE_CURRENT_SOURCE_DIR}/check_mutants.py
    ${PROJECT_SOURCE_DIR})
endif()

# Planted bugs that the tests must notice; it takes minutes: ctest -C Mutants -L mutants.
add_test(NAME mutants CONFIGURATIONS Mutants COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/mutants.sh ${PROJECT_SOURCE_DIR}
  ${CMAKE_CURRENT_BINARY_DIR}/mutants)
set_tests_properties(mutants PROPERTIES LABELS mutants TIMEOUT 3600)
