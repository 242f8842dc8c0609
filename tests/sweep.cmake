# Sweeps: they start programs and never look into them, so one build's tests are enough.
if(Python3_Interpreter_FOUND AND Python3_VERSION VERSION_GREATER_EQUAL 3.11 AND NOT MW_SANITIZE)
  foreach(what Asked Files Kept Ends Runs)
    string(TOLOWER sweep_${what} noun)
    mw_add_command_test(${noun} 1 sweep/test_sweep.py $<TARGET_FILE:meshway> ${what})
  endforeach()
  foreach(what Scripts Jobs)
    string(TOLOWER sweep_${what} noun)
    mw_add_command_test(${noun} 1 sweep/test_batch.py $<TARGET_FILE:meshway> ${what})
  endforeach()
  mw_add_command_test(sweep_slurm 2 sweep/test_slurm.py $<TARGET_FILE:meshway>)
  set_tests_properties(sweep_slurm PROPERTIES SKIP_RETURN_CODE 77) # without Slurm, root, two cores, MPICH
  mw_add_command_test(sweep_program 1 sweep/test_program.py $<TARGET_FILE:meshway>
    ${MPIEXEC_EXECUTABLE})
  mw_add_command_test(bench_gap 1 sweep/test_gap.py $<TARGET_FILE:meshway> ${MPIEXEC_EXECUTABLE})
  set_tests_properties(sweep_ends PROPERTIES COST 1)
endif()
