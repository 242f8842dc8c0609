# sunway-pro.cmake -- SW26010-Pro. NEVER EXECUTED on a Sunway machine; docs/sunway.md. Used as
# sunway-thl.cmake is, which explains it.
set(CMAKE_SYSTEM_NAME Linux)
set(CMAKE_SYSTEM_PROCESSOR sw_64)
set(CMAKE_C_COMPILER mpicc)
set(CMAKE_AR sw9ar)
set(CMAKE_TRY_COMPILE_TARGET_TYPE STATIC_LIBRARY) # probes must not link

set(MW_WITH_ATHREAD ON CACHE BOOL "clusters of a Sunway machine")
set(MW_ATHREAD_INCLUDE ${CMAKE_CURRENT_LIST_DIR}/../../portability/athread/sw26010pro CACHE PATH
  "sw_slave.h and sw_host.h of the machine")
set(MW_SW_MACHINE cpe/cpe_rma.h)
set(MW_SW_HOST_FLAGS -mhost -fPIC -mieee -mftz)
set(MW_SW_SLAVE_FLAGS -mslave -msimd -fPIC -mieee -mftz -faddress_align=64)
set(MW_SW_LINK_FLAGS -mhybrid -lm_slave)
