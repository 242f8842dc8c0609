# layout.cmake -- the tests of the mesh layouts: language, proof, search, simulation, pictures,
# and the commands around them; included by CMakeLists.txt.

mw_add_unit_test(layout mw::mesh_tools)
mw_add_unit_test(layout_flows mw::mesh_tools)
mw_add_unit_test(layout_text mw::mesh_tools) # reads ../share/layouts
set_tests_properties(layout_text PROPERTIES WORKING_DIRECTORY ${CMAKE_CURRENT_SOURCE_DIR})
mw_add_unit_test(layout_proof mw::mesh_tools)
mw_add_unit_test(layout_advice mw::mesh_tools)
mw_add_unit_test(search mw::mesh_tools)
mw_add_unit_test(layout_trace mw::mesh_tools)
mw_add_unit_test(layout_script mw::mesh_tools)
mw_add_unit_test(layout_explore mw::mesh_tools)
mw_add_unit_test(layout_agree mw::mesh_tools) # 10,000 random layouts: proof against search
mw_add_unit_test(layout_sim mw::mesh_tools)
mw_add_unit_test(layout_record mw::mesh_tools)
mw_add_unit_test(layout_draw mw::mesh_tools)
mw_add_unit_test(mesh_plan mw::shuffle)
mw_add_unit_test(vectors mw::cli)
mw_add_unit_test(sweep_axes mw::cli)

file(GLOB layout_corpus CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/layouts/*
  ${PROJECT_SOURCE_DIR}/share/layouts/*)
add_executable(fuzz_layout fuzz/fuzz_layout.c fuzz/fuzz_main.c)
target_link_libraries(fuzz_layout PRIVATE mw_flags mw::mesh_tools)
add_test(NAME fuzz_layout COMMAND fuzz_layout 1 10000 ${layout_corpus})
set_tests_properties(fuzz_layout PROPERTIES LABELS unit TIMEOUT ${test_timeout})

if(NOT MW_SANITIZE MATCHES "thread")
  add_test(NAME layout_cli COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_layout_cli.sh
    $<TARGET_FILE:meshway> ${PROJECT_SOURCE_DIR})
  set_tests_properties(layout_cli PROPERTIES LABELS command TIMEOUT ${test_timeout}
    ENVIRONMENT "ASAN_OPTIONS=detect_leaks=0;MESHWAY_TEST_SANITIZED=${MW_SANITIZE}")

  add_test(NAME layout_language COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_layout_language.sh
    $<TARGET_FILE:meshway> ${PROJECT_SOURCE_DIR})
  set_tests_properties(layout_language PROPERTIES LABELS command TIMEOUT ${test_timeout}
    ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)

  add_test(NAME vectors_cli COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_vectors_cli.sh
    $<TARGET_FILE:meshway> ${PROJECT_SOURCE_DIR})
  set_tests_properties(vectors_cli PROPERTIES LABELS command TIMEOUT ${test_timeout}
    ENVIRONMENT ASAN_OPTIONS=detect_leaks=0)

  if(NOT MW_SANITIZE)
    add_test(NAME layout_spin COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_layout_spin.sh
      $<TARGET_FILE:meshway> ${PROJECT_SOURCE_DIR} ${CMAKE_C_COMPILER})
    set_tests_properties(layout_spin PROPERTIES LABELS command TIMEOUT ${test_timeout} SKIP_RETURN_CODE 77)
  endif()
  if(Python3_Interpreter_FOUND AND NOT MW_SANITIZE)
    add_test(NAME tutorial COMMAND Python3::Interpreter
      ${CMAKE_CURRENT_SOURCE_DIR}/check_tutorial.py ${PROJECT_SOURCE_DIR}/docs/mesh.md
      ${PROJECT_SOURCE_DIR} $<TARGET_FILE:meshway>)
    add_test(NAME layout_page COMMAND ${CMAKE_CURRENT_SOURCE_DIR}/test_layout_page.sh
      $<TARGET_FILE:meshway> ${PROJECT_SOURCE_DIR})
    add_test(NAME layout_pictures COMMAND Python3::Interpreter
      ${CMAKE_CURRENT_SOURCE_DIR}/check_pictures.py ${PROJECT_SOURCE_DIR} $<TARGET_FILE:meshway>)
    set_tests_properties(tutorial layout_page layout_pictures PROPERTIES LABELS command TIMEOUT ${test_timeout}
      SKIP_RETURN_CODE 77)
  endif()
endif()
