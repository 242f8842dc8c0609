# athread_emul.cmake -- what a program for Sunway's athread needs to run on emulated cores:
# libmeshway_athread.a, the headers, and meshway-athread(1), which compiles both sides.
if(NOT CMAKE_OBJCOPY OR NOT CMAKE_NM OR MW_SANITIZE MATCHES "thread" OR MW_WITH_ATHREAD)
  return()
endif()
set(athread ${PROJECT_SOURCE_DIR}/portability/athread)
set(athread_objects "")
foreach(layer base mesh cpe)
  list(APPEND athread_objects $<TARGET_OBJECTS:mw_${layer}>)
endforeach()
add_library(meshway_athread STATIC ${athread}/athread_on_emul.c ${athread}/athread_on_emul_cores.c
  ${athread_objects})
target_link_libraries(meshway_athread PRIVATE mw_flags mw::cpe)
target_include_directories(meshway_athread PRIVATE ${athread}/include)

# Relative to the folder that meshway-athread stands in.
file(RELATIVE_PATH TO_PREFIX /${CMAKE_INSTALL_BINDIR} /)
string(REGEX REPLACE "/$" "" TO_PREFIX "${TO_PREFIX}")
set(INCLUDE ${CMAKE_INSTALL_INCLUDEDIR}/meshway/athread)
set(LIB ${CMAKE_INSTALL_LIBDIR})
set(SHARE ${CMAKE_INSTALL_DATADIR}/meshway/athread)
configure_file(${athread}/meshway-athread ${PROJECT_BINARY_DIR}/meshway-athread @ONLY)
install(PROGRAMS ${PROJECT_BINARY_DIR}/meshway-athread DESTINATION ${CMAKE_INSTALL_BINDIR})
install(TARGETS meshway_athread ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(DIRECTORY ${athread}/include/ DESTINATION ${INCLUDE})
install(PROGRAMS ${athread}/slave_mode.sh DESTINATION ${SHARE})
install(FILES ${athread}/meshway-athread.1 DESTINATION ${CMAKE_INSTALL_MANDIR}/man1)
