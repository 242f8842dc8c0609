# layout.cmake -- the tests of the mesh layouts: language, proof, search, simulation, pictures,
# and the commands around them; included by CMakeLists.txt.

# What a run needs.
mw_add_unit_test(layout mw::mesh)
mw_add_unit_test(layout_flows mw::mesh)
mw_add_unit_test(layout_text mw::mesh) # reads ../share/layouts
set_tests_properties(layout_text PROPERTIES WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
mw_add_unit_test(mesh_plan mw::shuffle)
file(GLOB layout_corpus CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/layouts/*
  ${PROJECT_SOURCE_DIR}/share/layouts/*)
add_executable(fuzz_layout fuzz/fuzz_layout.c fuzz/fuzz_main.c)
target_link_libraries(fuzz_layout PRIVATE mw_flags mw::mesh)
mw_add_check(fuzz_layout fuzz_layout 1 ${fuzz_inputs} ${layout_corpus})

if(NOT MW_WITH_LAYOUTS)
  return()
endif()

# The tools.
mw_add_unit_test(layout_proof mw::layouts)
mw_add_unit_test(layout_advice mw::layouts)
mw_add_unit_test(search mw::layouts)
mw_add_unit_test(layout_trace mw::layouts)
mw_add_unit_test(layout_script mw::layouts)
mw_add_unit_test(layout_explore mw::layouts)
mw_add_unit_test(layout_agree mw::layouts) # 10,000 random layouts: proof against search
mw_add_unit_test(layout_waits mw::layouts) # classes, ways, lines, against a naive search
mw_add_unit_test(layout_sim mw::layouts)
mw_add_unit_test(layout_latency mw::layouts)
mw_add_unit_test(layout_record mw::layouts)
mw_add_unit_test(layout_draw mw::layouts)
mw_add_unit_test(vectors mw::layout_verbs)
mw_add_unit_test(sweep_axes mw::layout_verbs)

set(program_and_source $<TARGET_FILE:meshway> ${PROJECT_SOURCE_DIR})
if(NOT MW_SANITIZE MATCHES "thread")
  foreach(noun layout_cli layout_language layout_time vectors_cli)
    mw_add_command_test(${noun} 1 test_${noun}.sh ${program_and_source})
  endforeach()
  set_property(TEST layout_cli APPEND PROPERTY ENVIRONMENT
    "MW_TEST_SANITIZED=${MW_SANITIZE}")
endif()
# With tools that may be missing: 77.
if(NOT MW_SANITIZE)
  mw_add_command_test(layout_spin 1 test_layout_spin.sh ${program_and_source} ${CMAKE_C_COMPILER})
  mw_add_command_test(layout_page 1 test_layout_page.sh ${program_and_source})
  set_tests_properties(layout_spin layout_page PROPERTIES SKIP_RETURN_CODE 77)
endif()
if(Python3_Interpreter_FOUND AND NOT MW_SANITIZE)
  mw_add_command_test(tutorial 1 check_tutorial.py ${PROJECT_SOURCE_DIR}/docs/mesh.md
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:meshway>)
  mw_add_command_test(tutorial_latency 1 check_tutorial.py
    ${PROJECT_SOURCE_DIR}/docs/mesh-latency.md ${PROJECT_SOURCE_DIR} $<TARGET_FILE:meshway>)
  set_tests_properties(tutorial_latency PROPERTIES SKIP_RETURN_CODE 77)
  mw_add_command_test(tutorial_waits 1 check_tutorial.py ${PROJECT_SOURCE_DIR}/docs/mesh-waits.md
    ${PROJECT_SOURCE_DIR} $<TARGET_FILE:meshway>)
  mw_add_command_test(layout_pictures 1 check_pictures.py ${PROJECT_SOURCE_DIR}
    $<TARGET_FILE:meshway>)
  set_tests_properties(tutorial tutorial_waits layout_pictures PROPERTIES SKIP_RETURN_CODE 77)
endif()

# Networks: routes of other tools, and remote puts.
mw_add_unit_test(layout_network mw::layouts) # reads ../share/networks
set_tests_properties(layout_network PROPERTIES WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
file(GLOB network_corpus CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/share/networks/*)
add_executable(fuzz_routes fuzz/fuzz_routes.c fuzz/fuzz_main.c)
target_link_libraries(fuzz_routes PRIVATE mw_flags mw::layout_verbs)
mw_add_check(fuzz_routes fuzz_routes 1 ${fuzz_inputs} ${network_corpus})
if(NOT MW_SANITIZE MATCHES "thread")
  mw_add_command_test(layout_routes 1 test_layout_routes.sh ${program_and_source})
endif()
if(Python3_Interpreter_FOUND AND NOT MW_SANITIZE)
  foreach(page import rma code)
    mw_add_command_test(tutorial_${page} 1 check_tutorial.py
      ${PROJECT_SOURCE_DIR}/docs/mesh-${page}.md ${PROJECT_SOURCE_DIR} $<TARGET_FILE:meshway>)
    set_tests_properties(tutorial_${page} PROPERTIES SKIP_RETURN_CODE 77)
  endforeach()
endif()
