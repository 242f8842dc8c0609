# Sweeps: they start programs and never look into them, so one build's tests are enough.
if(Python3_Interpreter_FOUND AND Python3_VERSION VERSION_GREATER_EQUAL 3.11 AND NOT MW_SANITIZE)
  mw_add_command_test(sweep 1 sweep/test_sweep.py $<TARGET_FILE:meshway>)
  mw_add_command_test(sweep_program 1 sweep/test_program.py $<TARGET_FILE:meshway>
    ${MPIEXEC_EXECUTABLE})
  set_tests_properties(sweep PROPERTIES COST 1)
endif()
