# sunway-thl.cmake -- SW26010 (TaihuLight). NEVER EXECUTED on a Sunway machine; docs/sunway.md.
#
#   cmake -S . -B build -DCMAKE_TOOLCHAIN_FILE=cmake/toolchains/sunway-thl.cmake
#         -DMW_WITH_TESTS=OFF -DMW_WITH_BENCH=OFF -DMW_WITH_OPENMP=OFF -DMW_WITH_HWLOC=OFF
#
# One compiler for both sides, the mode stated per source: so no mode stands in
# CMAKE_C_FLAGS. Meshway's management side is C11, of which sw5cc may not know enough: not
# known until somebody tries. The cores' side is C99.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR sw_64)
set(CMAKE_C_COMPILER mpicc)
set(CMAKE_AR sw5ar)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # probes must not link

set(MW_WITH_ATHREAD ON CACHE BOOL "clusters of a Sunway machine")
set(MW_ATHREAD_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../../portability/athread/sw26010 CACHE PATH
  "sw_slave.h and sw_host.h of the machine")
set(MW_SW_MACHINE cpe/cpe_athread.h)
set(MW_SW_HOST_FLAGS -host)
set(MW_SW_SLAVE_FLAGS -slave -msimd -std=gnu99)
set(MW_SW_LINK_FLAGS -hybrid -lm_slave)
