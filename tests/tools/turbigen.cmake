# tools/turbigen_annulus: what needs no turbigen
if(AN_PYTHON)
  add_test(NAME test_turbigen COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_turbigen.py
           ${CMAKE_CURRENT_BINARY_DIR}/turbigen $<TARGET_FILE:annulus>)
  set_tests_properties(test_turbigen PROPERTIES LABELS unit TIMEOUT 120 SKIP_RETURN_CODE 77 ENVIRONMENT "AN_SOURCE=${CMAKE_SOURCE_DIR}")
endif()
