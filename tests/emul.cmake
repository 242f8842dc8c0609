# emul.cmake -- the tests of the emulated clusters; included by CMakeLists.txt. Their mesh
# kernels are files of their own, built against the machine that MW_CPE_HEADER names.
function(mw_add_emul_test noun)
  mw_add_unit_test(${noun} mw::cpe)
  target_sources(test_${noun} PRIVATE ${ARGN})
  target_compile_definitions(test_${noun} PRIVATE MW_CPE_HEADER="cpe/cpe_emul.h")
endfunction()

mw_add_emul_test(emul_shuffle emul_shuffle.c)
mw_add_emul_test(emul emul_conform.c)
mw_add_emul_test(emul_bugs emul_bugs.c)
mw_add_emul_test(emul_claims emul_claims.c)

# Whole runs; the toy's kernels are those of the pipeline's test.
mw_add_unit_test(emul_run mw::graph500)
target_sources(test_emul_run PRIVATE emul_roles.c)
target_link_libraries(test_emul_run PRIVATE toy_serial toy_mesh)

if(NOT MW_SANITIZE MATCHES "thread")
  add_executable(meshway_unfit ${PROJECT_SOURCE_DIR}/src/cli/main.c)
  target_link_libraries(meshway_unfit PRIVATE mw::program)
  mw_let_unfit(meshway_unfit)
  mw_add_command_test(emul_cli 1 test_emul_cli.sh $<TARGET_FILE:meshway>
    $<TARGET_FILE:meshway_unfit> ${MPIEXEC_EXECUTABLE})
endif()
