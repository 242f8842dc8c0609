# What `cmake --install` puts where: header, libraries, pkg-config file, CMake package, layouts,
# documents, examples. The program, its man pages and completions are installed by src/cli.
include(CMakePackageConfigHelpers)

install(DIRECTORY include/meshway DESTINATION ${CMAKE_INSTALL_INCLUDEDIR})
# What an algorithm from outside is compiled with; below it, paths are those of the source.
foreach(header IN LISTS mw_interface)
  if(NOT header MATCHES "^include/")
    string(REGEX REPLACE "^(src|portability)/" "" below ${header})
    get_filename_component(below ${below} DIRECTORY)
    install(FILES ${header} DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/meshway/internal/${below})
  endif()
endforeach()
install(FILES ${PROJECT_BINARY_DIR}/generated/interface.h
  DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}/meshway/internal)

# The documents stand to each other as in the source, so their links hold.
install(FILES LICENSE README.md CHANGELOG.md CONTRIBUTING.md SECURITY.md DESTINATION ${CMAKE_INSTALL_DOCDIR})
install(DIRECTORY docs examples DESTINATION ${CMAKE_INSTALL_DOCDIR})
# src/cli/ready_layout.c finds them from the program's place.
install(DIRECTORY share/layouts share/networks share/model share/sunway share/published share/reframe share/algorithm
  DESTINATION ${CMAKE_INSTALL_DATADIR}/meshway)
# src/cli/tools/python.c starts it, from there too.
install(FILES tools/meshway_read.py DESTINATION ${CMAKE_INSTALL_DATADIR}/meshway/tools)
install(DIRECTORY tools/meshway_sweep DESTINATION ${CMAKE_INSTALL_DATADIR}/meshway/tools
  PATTERN __pycache__ EXCLUDE)
if(TARGET meshway_shared)
  install(TARGETS meshway_shared EXPORT meshway_shared
    LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR})
endif()
install(TARGETS meshway_static EXPORT meshway_static
  ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})

# find_package(meshway CONFIG) needs nothing else; COMPONENTS static finds what the archive
# is linked with.
set(package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/meshway)
if(TARGET meshway_shared)
  install(EXPORT meshway_shared NAMESPACE meshway:: DESTINATION ${package_dir}
    FILE meshway-shared.cmake)
endif()
install(EXPORT meshway_static NAMESPACE meshway:: DESTINATION ${package_dir}
  FILE meshway-static.cmake)
configure_package_config_file(cmake/meshway-config.cmake.in
  ${PROJECT_BINARY_DIR}/meshway-config.cmake INSTALL_DESTINATION ${package_dir})
write_basic_package_version_file(${PROJECT_BINARY_DIR}/meshway-config-version.cmake
  COMPATIBILITY SameMinorVersion)
# The flags of devices, as they are here.
set(MW_OMPTARGET_COMPILE "")
if(MW_WITH_OMPTARGET)
  list(JOIN offload " " MW_OMPTARGET_COMPILE)
  string(APPEND MW_OMPTARGET_COMPILE " -fno-stack-protector")
endif()
set(MW_KOKKOS_DEFINITIONS "")
set(MW_KOKKOS_INCLUDE "")
if(MW_WITH_KOKKOS)
  set(MW_KOKKOS_DEFINITIONS
    "MW_KOKKOS_BOTH=${both} MW_KOKKOS_ARCH=${arch} MW_KOKKOS_APART=$<BOOL:${MW_KOKKOS_APART}>")
  get_target_property(MW_KOKKOS_INCLUDE Kokkos::kokkos INTERFACE_INCLUDE_DIRECTORIES)
  if(NOT MW_KOKKOS_INCLUDE OR MW_KOKKOS_INCLUDE MATCHES "\\$<")
    set(MW_KOKKOS_INCLUDE "")
  endif()
endif()
configure_package_config_file(cmake/meshway-algorithm.cmake.in
  ${PROJECT_BINARY_DIR}/meshway-algorithm.cmake INSTALL_DESTINATION ${package_dir}
  PATH_VARS CMAKE_INSTALL_INCLUDEDIR CMAKE_INSTALL_LIBDIR NO_CHECK_REQUIRED_COMPONENTS_MACRO)
install(FILES ${PROJECT_BINARY_DIR}/meshway-algorithm.cmake cmake/kernels.cmake
  DESTINATION ${package_dir})
install(FILES ${PROJECT_BINARY_DIR}/meshway-config.cmake
  ${PROJECT_BINARY_DIR}/meshway-config-version.cmake DESTINATION ${package_dir})

# Relative to the file itself, so that a prefix given at installation is right.
file(RELATIVE_PATH up /${CMAKE_INSTALL_LIBDIR}/pkgconfig /)
set(pc_prefix "\${pcfiledir}/${up}")
string(REGEX REPLACE "/$" "" pc_prefix "${pc_prefix}")
set(pc_libs "-pthread -lm -ldl")
if(MW_WITH_HWLOC)
  string(REPLACE ";" " " hwloc_libs "${HWLOC_LINK_LIBRARIES}") # its own dependencies are its own
  string(APPEND pc_libs " ${hwloc_libs}")
endif()
if(MW_WITH_OPENMP)
  string(APPEND pc_libs " ${OpenMP_C_FLAGS}")
endif()
if(MW_WITH_MPI)
  string(REPLACE ";" " " mpi_libs "${MPI_C_LIBRARIES}")
  string(APPEND pc_libs " ${mpi_libs}")
endif()
if(MW_WITH_KOKKOS)
  get_target_property(kokkos_libs Kokkos::kokkos INTERFACE_LINK_LIBRARIES)
  foreach(lib IN LISTS kokkos_libs)
    if(TARGET ${lib})
      get_target_property(imported ${lib} IMPORTED)
      get_target_property(kind ${lib} TYPE)
      if(imported)
        get_target_property(lib ${lib} LOCATION)
      elseif(NOT kind STREQUAL "INTERFACE_LIBRARY") # fetched, and installed with this
        set(lib "-l${lib}")
      endif()
    endif()
    if(lib MATCHES "^(/|-l)")
      string(APPEND pc_libs " ${lib}")
    endif()
  endforeach()
  string(APPEND pc_libs " -lstdc++")
endif()
if(MW_WITH_OMPTARGET)
  list(JOIN offload " " flags)
  string(APPEND pc_libs " ${flags}")
  if(MW_OMPTARGET_OBJECT)
    string(APPEND pc_libs " -B\${libdir}/meshway")
  endif()
endif()
foreach(folder IN LISTS CMAKE_C_IMPLICIT_LINK_DIRECTORIES) # where the linker looks anyway
  string(REGEX REPLACE "${folder}/lib([^/ ]+)\\.so" "-l\\1" pc_libs "${pc_libs}")
endforeach()
set(pc_link "")
if(MW_WITH_ATHREAD) # there is only the archive
  string(REPLACE ";" " " pc_link " ${MW_SW_LINK_FLAGS} ${pc_libs}")
endif()
configure_file(cmake/meshway.pc.in ${PROJECT_BINARY_DIR}/meshway.pc @ONLY)
install(FILES ${PROJECT_BINARY_DIR}/meshway.pc DESTINATION ${CMAKE_INSTALL_LIBDIR}/pkgconfig)
