# tools/dev/build_report: counts and limits, on a folder that the test makes
if(AN_PYTHON)
  add_test(NAME test_build_report COMMAND ${AN_PYTHON} -B ${CMAKE_CURRENT_SOURCE_DIR}/test_build_report.py)
  set_tests_properties(test_build_report PROPERTIES LABELS unit TIMEOUT 60)
endif()
