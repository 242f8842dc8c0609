# The Debian package: `cpack -G DEB` in the build folder. What `cmake --install` puts below a prefix
# stands below /usr; what the binaries are linked with becomes dependencies (dpkg-shlibdeps, package
# dpkg-dev, file). debian.cmake adds what Debian wants beside them. Other generators of CPack take the same
# files: `cpack -G TGZ`.
set(CPACK_GENERATOR DEB)
set(CPACK_PACKAGE_CONTACT "the Meshway developers <root@localhost>" CACHE STRING
  "who answers for packages made here")
set(CPACK_PRE_BUILD_SCRIPTS ${PROJECT_SOURCE_DIR}/cmake/debian.cmake)
set(CPACK_PACKAGE_DESCRIPTION_SUMMARY "searches of very large graphs on CPUs and GPUs")
set(CPACK_PACKAGE_DESCRIPTION "The Graph500 benchmark and eight graph algorithms over MPI: the program,
its library with header, sweeps and reports, mesh layouts, documents.")
set(CPACK_PACKAGE_VERSION ${PROJECT_VERSION})
set(CPACK_RESOURCE_FILE_LICENSE ${PROJECT_SOURCE_DIR}/LICENSE)
set(CPACK_PACKAGING_INSTALL_PREFIX /usr)
set(CPACK_STRIP_FILES ON)
set(CPACK_INSTALL_DEFAULT_DIRECTORY_PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)

set(CPACK_DEBIAN_FILE_NAME DEB-DEFAULT)
set(CPACK_DEBIAN_PACKAGE_SECTION science)
set(CPACK_DEBIAN_PACKAGE_SHLIBDEPS ON)
set(CPACK_DEBIAN_PACKAGE_GENERATE_SHLIBS ON) # and has the loader look
file(WRITE ${PROJECT_BINARY_DIR}/debian/triggers "activate-noawait ldconfig\n")
# What Python has compiled where root has imported the package is of no package.
file(WRITE ${PROJECT_BINARY_DIR}/debian/prerm "#!/bin/sh
set -e
find /usr/lib/python3/dist-packages/meshway -name __pycache__ -prune -exec rm -rf {} +
")
file(CHMOD ${PROJECT_BINARY_DIR}/debian/prerm PERMISSIONS OWNER_READ OWNER_WRITE OWNER_EXECUTE
  GROUP_READ GROUP_EXECUTE WORLD_READ WORLD_EXECUTE)
set(CPACK_DEBIAN_PACKAGE_CONTROL_EXTRA ${PROJECT_BINARY_DIR}/debian/triggers ${PROJECT_BINARY_DIR}/debian/prerm)
set(CPACK_DEBIAN_PACKAGE_CONTROL_STRICT_PERMISSION ON)
# Sweeps are Python; pictures in reports and graphs from NumPy need more of it.
set(recommended "python3 (>= 3.11), python3-numpy")
set(suggested "python3-scipy, python3-networkx, python3-matplotlib, python3-jinja2, pkg-config, man-db")
if(MW_WITH_MPI) # its mpiexec, of the MPI that this build is linked with
  if(MPI_C_LIBRARY_VERSION_STRING MATCHES "Open MPI" OR "${MPI_C_LIBRARIES}" MATCHES "openmpi")
    string(PREPEND recommended "openmpi-bin, ")
  else()
    string(PREPEND recommended "mpich, ")
  endif()
endif()
set(CPACK_DEBIAN_PACKAGE_RECOMMENDS "${recommended}")
set(CPACK_DEBIAN_PACKAGE_SUGGESTS "${suggested}")
include(CPack)
