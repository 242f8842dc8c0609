# What the build found, and what each missing piece turns off.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)

if(MW_WITH_MPI)
  find_package(MPI REQUIRED COMPONENTS C)
endif()
add_feature_info(MPI MW_WITH_MPI "ranks over MPI (without: one process is one rank)")

if(MW_WITH_OPENMP)
  find_package(OpenMP REQUIRED COMPONENTS C)
endif()
add_feature_info(OpenMP MW_WITH_OPENMP "backend 'openmp' (without: backend 'serial', one core per rank)")

if(MW_WITH_HWLOC)
  pkg_check_modules(HWLOC REQUIRED IMPORTED_TARGET hwloc)
endif()
add_feature_info(hwloc MW_WITH_HWLOC "placement by topology (without: by the affinity mask)")

pkg_check_modules(JANSSON REQUIRED IMPORTED_TARGET jansson)
add_feature_info(jansson JANSSON_FOUND "JSON results")

set(MW_LIBARCHIVE OFF)
if(MW_WITH_LIBARCHIVE)
  pkg_check_modules(LIBARCHIVE IMPORTED_TARGET libarchive>=3.3.3) # the first with zstd
  if(LIBARCHIVE_FOUND)
    set(MW_LIBARCHIVE ON)
  endif()
endif()
add_feature_info(libarchive MW_LIBARCHIVE "graphs in .gz, .xz, .zst, .bz2, .lz4 (without: refused)")

if(MW_WITH_TESTS)
  pkg_check_modules(CHECK REQUIRED IMPORTED_TARGET check)
endif()
add_feature_info(tests MW_WITH_TESTS "unit, property, MPI and command tests")
